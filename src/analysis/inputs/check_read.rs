//! How a READ step is followed: its items or its group are read from the data file, stored, and held against what the
//! program needs.

use std::rc::Rc;

use super::cells::{Cell, Origin};
use super::check::{Checker, GROUP_BITS, Go, MOST_FACTS};
use super::data::{
    Element, Fails, Fault, FaultKind, Field, Format, FormatSteps, GroupEnd, GroupRead, NamelistEvent, NamelistVariable,
    Place, Scanned, read_group,
};
use super::evaluate::trip_count;
use super::expression::{Expression, VariableId};
use super::expression_text::text;
use super::facts::{Catches, Fact, FactKind};
use super::plan::*;
use super::reads::variable_of;
use super::value::{DataType, Value};

/// What is read into: a variable, the number of the element if it is known, the type.
type Target = (Option<VariableId>, Option<usize>, DataType);

impl<'p> Checker<'p, '_> {
    /// Follows a READ.
    pub(super) fn read(&mut self, read: &'p ReadStep) -> Go {
        self.order += 1;
        if let Form::Other(_) = &read.form {
            self.lose(read.file);
            self.forget_items(read);
            // Whether its end was met is not known.
            return if read.end.is_none() && read.error.is_none() { self.steps(&read.then) } else { Go::Abort };
        }
        let Some((_, file)) = &mut self.files[read.file] else { return Go::Abort };
        if file.is_lost || file.is_ended {
            return Go::Abort;
        }
        (file.is_used, file.was_read, file.is_behind_record) = (true, true, false);
        let ended = match &read.form {
            Form::Namelist(group, variables) => self.namelist(read, group, variables),
            Form::List | Form::Format(_) | Form::Other(_) => self.items(read),
        };
        match ended {
            Ended::Read => {
                if let (Form::List | Form::Format(_), Some((_, file))) = (&read.form, &mut self.files[read.file]) {
                    file.is_behind_record = true;
                }
                self.needs(read);
                self.steps(&read.then)
            }
            Ended::End => self.at_end(read),
            Ended::Failed => match &read.error {
                Some(Caught::Steps(steps) | Caught::Perhaps(steps)) => self.steps(steps),
                Some(Caught::Fails(_)) | None => Go::Abort,
            },
            Ended::Unknown => Go::Abort,
        }
    }

    fn at_end(&mut self, read: &'p ReadStep) -> Go {
        let wanted = self.wanted(read);
        let Some((data, file)) = &mut self.files[read.file] else { return Go::Abort };
        let (data, place) = (*data, file.cursor.place());
        let failure = match &read.end {
            Some(Caught::Steps(steps) | Caught::Perhaps(steps)) => {
                file.is_ended = true;
                return self.steps(steps);
            }
            Some(Caught::Fails(failure)) => Some(failure.clone()),
            None => Some(Failure { at: read.at, message: String::new() }),
        };
        file.is_lost = true;
        let kind = FactKind::EndsEarly(wanted);
        self.add(Fact {
            data,
            place,
            found: String::new(),
            kind,
            read: read.at,
            failure,
            catches: Catches::Not,
            is_approximate: false,
        });
        Go::Abort
    }

    /// What a READ is for, in words.
    fn wanted(&self, read: &ReadStep) -> String {
        match (&read.form, read.items.first()) {
            (Form::Namelist(group, _), _) => format!("the namelist group '{group}'"),
            (_, Some(PlanItem::Value(place, _))) => format!("'{}'", text(place, &self.plan.variables, true)),
            (_, Some(PlanItem::Loop(.., items))) => match items.first() {
                Some(PlanItem::Value(place, _)) => format!("'{}'", text(place, &self.plan.variables, true)),
                _ => "a value".to_owned(),
            },
            _ => "a record".to_owned(),
        }
    }

    /// Reads the items of a READ.
    fn items(&mut self, read: &'p ReadStep) -> Ended {
        if let Form::Format(format) = &read.form {
            if !self.formats.contains_key(format.as_str()) {
                let Some(parsed) = Format::parse(format) else { return Ended::Unknown };
                self.formats.insert(format, Rc::new(FormatSteps::new(&parsed)));
            }
            self.format = self.formats.get(format.as_str()).cloned();
        }
        let Some((_, file)) = &mut self.files[read.file] else { return Ended::Unknown };
        let comma = read.decimal_comma.unwrap_or(file.decimal_comma);
        match &read.form {
            Form::Format(_) => file.formatted.restart(comma, file.blank_zero),
            Form::List | Form::Namelist(..) | Form::Other(_) => file.list.restart(comma),
        }
        for item in &read.items {
            match self.item(read, item) {
                Ended::Read => {}
                other => return other,
            }
        }
        let Some((_, file)) = &mut self.files[read.file] else { return Ended::Unknown };
        let is_there = match &read.form {
            Form::Format(_) => match &self.format {
                Some(steps) => file.formatted.finish(&mut file.cursor, steps),
                None => false,
            },
            Form::List | Form::Namelist(..) | Form::Other(_) => file.list.finish(&mut file.cursor),
        };
        if is_there { Ended::Read } else { Ended::End }
    }

    fn item(&mut self, read: &'p ReadStep, item: &'p PlanItem) -> Ended {
        match item {
            PlanItem::Value(place, of) => {
                let variable = variable_of(place);
                let declared = variable.map(|it| &self.plan.variables[it.index()]);
                let is_opaque = declared.is_none_or(|it| it.is_opaque);
                let is_scalar = declared.is_some_and(|it| it.bounds.is_empty());
                match place {
                    Expression::Variable(_) if is_scalar => {
                        return self.value(read, (variable.filter(|_| !is_opaque), Some(0), *of), place);
                    }
                    Expression::Element(array, subscripts) => {
                        let number = self.evaluator(false).element_of(*array, subscripts);
                        return self.value(read, (variable.filter(|_| !is_opaque), number, *of), place);
                    }
                    Expression::Substring(..) => {
                        variable.iter().for_each(|it| self.cells.forget(*it));
                        return self.value(read, (None, None, *of), place);
                    }
                    _ => {}
                }
                let Some(numbers) = self.evaluator(false).element_numbers(place) else {
                    return Ended::Unknown;
                };
                for number in numbers {
                    match self.value(read, (variable.filter(|_| !is_opaque), Some(number), *of), place) {
                        Ended::Read => {}
                        other => return other,
                    }
                }
                Ended::Read
            }
            PlanItem::Loop(variable, lower, upper, step, items) => {
                let evaluator = self.evaluator(false);
                let bounds = (evaluator.integer(lower), evaluator.integer(upper), evaluator.integer(step));
                let (Some(lower), Some(upper), Some(step)) = bounds else { return Ended::Unknown };
                let Some(count) = trip_count(lower, upper, step) else { return Ended::Unknown };
                for round in 0..count {
                    if let Some(cell) = self.cells.cell_mut(*variable, 0) {
                        cell.value = Some(Value::Integer(lower + round * step));
                        cell.is_broken = false;
                    }
                    for item in items {
                        match self.item(read, item) {
                            Ended::Read => {}
                            other => return other,
                        }
                    }
                }
                if let Some(cell) = self.cells.cell_mut(*variable, 0) {
                    cell.value = Some(Value::Integer(lower + count * step));
                }
                Ended::Read
            }
            PlanItem::Unknown(_) => Ended::Unknown,
        }
    }

    /// Reads one value.
    fn value(&mut self, read: &'p ReadStep, target: Target, place: &Expression) -> Ended {
        let (variable, number, of) = target;
        // The parts of a complex number are items of their own for a format.
        let (part, count) = match (&read.form, of) {
            (Form::Format(_), DataType::Complex(kind)) => (DataType::Real(kind), 2),
            _ => (of, 1),
        };
        for _ in 0..count {
            let Some((data, file)) = &mut self.files[read.file] else { return Ended::Unknown };
            let data = *data;
            let scanned = match &read.form {
                Form::Format(_) => match &self.format {
                    Some(steps) => file.formatted.item(&mut file.cursor, steps, part),
                    None => return Ended::Unknown,
                },
                Form::List | Form::Namelist(..) | Form::Other(_) => file.list.item(&mut file.cursor, part),
            };
            match scanned {
                Scanned::End => return Ended::End,
                Scanned::Bad(fault) => {
                    if self.bad(read, data, fault, target, place) {
                        return Ended::Failed;
                    }
                }
                scanned if count == 1 => self.store(read, data, variable, number, scanned, of),
                _ => self.store(read, data, variable, number, Scanned::Value(unknown_field()), of),
            }
        }
        Ended::Read
    }

    /// Stores what was read.
    fn store(
        &mut self,
        read: &ReadStep,
        data: usize,
        variable: Option<VariableId>,
        number: Option<usize>,
        scanned: Scanned,
        of: DataType,
    ) {
        let Scanned::Value(Field { value, place, loss }) = scanned else { return };
        self.order += 1;
        if loss.is_some() {
            let name = variable.map_or(String::new(), |it| self.plan.variables[it.index()].name.clone());
            let kind = FactKind::Overflows(name, Some(of), false);
            let found = value.as_ref().map_or(String::new(), ToString::to_string);
            self.add(Fact {
                data,
                place,
                found,
                kind,
                read: read.at,
                failure: None,
                catches: Catches::Not,
                is_approximate: false,
            });
        }
        let origin = Origin { order: self.order, file: data as u32, place };
        match (variable, number) {
            (Some(variable), Some(number)) => {
                if let Some(cell) = self.cells.cell_mut(variable, number) {
                    *cell = Cell { value, origin: Some(origin), is_broken: false };
                }
            }
            (Some(variable), None) => self.cells.forget(variable),
            (None, _) => {}
        }
    }

    /// Tells a bad value; true when the program catches it and goes on.
    fn bad(&mut self, read: &'p ReadStep, data: usize, fault: Fault, target: Target, place: &Expression) -> bool {
        let (variable, number, of) = target;
        let name = text(place, &self.plan.variables, true);
        let failure = match &read.error {
            None => Some(Failure { at: read.at, message: String::new() }),
            Some(Caught::Fails(failure)) => Some(failure.clone()),
            Some(Caught::Steps(_) | Caught::Perhaps(_)) => None,
        };
        let catches = Catches::new(read.error.as_ref());
        let is_caught = catches != Catches::Not;
        let kind = match fault.kind {
            FaultKind::Overflow => FactKind::Overflows(name, Some(of), true),
            FaultKind::Malformed | FaultKind::Repeat | FaultKind::RepeatedType(_) => {
                FactKind::NotAValue(name, Some(of))
            }
        };
        self.order += 1;
        self.add(Fact {
            data,
            place: fault.place,
            found: fault.text,
            kind,
            read: read.at,
            failure,
            catches,
            is_approximate: false,
        });
        match (variable, number) {
            (Some(variable), Some(number)) => {
                if let Some(cell) = self.cells.cell_mut(variable, number) {
                    *cell = Cell::default();
                }
            }
            (Some(variable), None) => self.cells.forget(variable),
            (None, _) => {}
        }
        let Some((_, file)) = &mut self.files[read.file] else { return is_caught };
        match (&read.form, is_caught) {
            (Form::Format(_), true) => file.formatted.abandon(&mut file.cursor),
            (Form::Format(_), false) => {}
            (_, true) => file.list.abandon(&mut file.cursor),
            (_, false) => file.list.recover(&mut file.cursor),
        }
        is_caught
    }

    /// Reads a namelist group.
    fn namelist(&mut self, read: &'p ReadStep, group: &str, variables: &'p [PlanGroupVariable]) -> Ended {
        let described: Option<Vec<NamelistVariable>> = variables.iter().map(|it| self.described(it)).collect();
        let Some(described) = described else { return Ended::Unknown };
        let Some((data, file)) = &mut self.files[read.file] else { return Ended::Unknown };
        let data = *data;
        let comma = read.decimal_comma.unwrap_or(file.decimal_comma);
        let mut events = Vec::new();
        let meet = &mut |event| events.push(event);
        let GroupRead { end, fails } = read_group(&mut file.cursor, group, &described, comma, meet);
        let handler = if fails == Some(Fails::End) { &read.end } else { &read.error };
        let is_caught = matches!(handler, Some(Caught::Steps(_) | Caught::Perhaps(_)));
        let failure = match handler {
            None => Some(Failure { at: read.at, message: String::new() }),
            Some(Caught::Fails(failure)) => Some(failure.clone()),
            Some(Caught::Steps(_) | Caught::Perhaps(_)) => None,
        };
        let base = self.order;
        for event in events {
            let fact = |place, found, kind| Fact {
                data,
                place,
                found,
                kind,
                read: read.at,
                failure: failure.clone(),
                catches: Catches::new(handler.as_ref()),
                is_approximate: false,
            };
            let fact = match event {
                NamelistEvent::Value(Element { variable: index, number, .. }, Scanned::Bad(fault)) => {
                    let of = described[index].data_type;
                    let name = described[index].name.clone();
                    let kind = match fault.kind {
                        FaultKind::Overflow => FactKind::Overflows(name, Some(of), true),
                        _ => FactKind::NotAValue(name, Some(of)),
                    };
                    match number.and_then(|number| self.cells.cell_mut(variables[index].variable, number)) {
                        Some(cell) => *cell = Cell::default(),
                        None => self.cells.forget(variables[index].variable),
                    }
                    fact(fault.place, fault.text, kind)
                }
                NamelistEvent::Value(Element { variable: index, number, substring }, mut scanned) => {
                    let variable = variables[index].variable;
                    let is_opaque = self.plan.variables[variable.index()].is_opaque;
                    let variable = Some(variable).filter(|_| !is_opaque);
                    // Values of a group count as read in the order in which the group declares its variables.
                    self.order = base + ((index as u64) << GROUP_BITS) + number.unwrap_or(0) as u64;
                    if let (Some(part), Scanned::Value(field)) = (substring, &mut scanned) {
                        let old =
                            variable.zip(number).and_then(|(variable, number)| self.cells.element(variable, number));
                        let old = old.and_then(|cell| cell.value.as_ref());
                        field.value = with_part(old, described[index].data_type, part, field.value.as_ref());
                    }
                    self.store(read, data, variable, number, scanned, described[index].data_type);
                    continue;
                }
                NamelistEvent::UnknownName(place, found) => {
                    let nearest = nearest(&found, &described);
                    fact(place, found, FactKind::UnknownName(group.to_owned(), nearest))
                }
                NamelistEvent::Subscript(index, place, found) => {
                    fact(place, found, FactKind::Subscript(described[index].name.clone(), false))
                }
                NamelistEvent::TooMany(index, place, found) => {
                    fact(place, found, FactKind::Subscript(described[index].name.clone(), true))
                }
                NamelistEvent::Malformed(place, found) => fact(place, found, FactKind::NotAValue(String::new(), None)),
            };
            self.add(fact);
        }
        self.order = base + ((variables.len() as u64 + 1) << GROUP_BITS);
        match end {
            _ if fails == Some(Fails::End) && is_caught => Ended::End,
            _ if fails == Some(Fails::Error) && is_caught => Ended::Failed,
            GroupEnd::Complete => Ended::Read,
            GroupEnd::Missing | GroupEnd::Open => Ended::End,
        }
    }

    fn described(&self, of: &PlanGroupVariable) -> Option<NamelistVariable> {
        let variable = &self.plan.variables[of.variable.index()];
        let bounds = variable.bounds.iter().map(|bounds| bounds[0].zip(bounds[1])).collect();
        let (name, dimensions) = (of.name.clone(), of.dimensions.clone());
        Some(NamelistVariable { name, data_type: variable.data_type?, bounds, dimensions })
    }

    /// Holds the values against the conditions behind a READ.
    fn needs(&mut self, read: &'p ReadStep) {
        for need in &read.needs {
            // Several elements of an array may break a condition: each is told.
            for _ in 0..if need.is_approximate { 1 } else { MOST_FACTS } {
                let evaluator = self.evaluator(false);
                if evaluator.truth(&need.condition) != Some(false) {
                    break;
                }
                let Some(origin) = evaluator.witness(&need.condition) else { break };
                let found = self.broken(&need.condition, origin, need.is_approximate);
                let kind = FactKind::Breaks(text(&need.condition, &self.plan.variables, true));
                let failure = Some(need.failure.clone());
                let (data, place) = (origin.file as usize, origin.place);
                let is_approximate = need.is_approximate;
                self.add(Fact {
                    data,
                    place,
                    found,
                    kind,
                    read: read.at,
                    failure,
                    catches: Catches::Not,
                    is_approximate,
                });
            }
        }
    }

    /// The text of the value of a condition that was read at a place; unless `is_kept` it counts as broken.
    fn broken(&mut self, condition: &Expression, origin: Origin, is_kept: bool) -> String {
        let mut variables = Vec::new();
        condition.variables(&mut |variable| variables.push(variable));
        for variable in variables {
            if let Some(cell) = self.cells.find(variable, origin) {
                cell.is_broken |= !is_kept;
                return cell.value.as_ref().map_or(String::new(), ToString::to_string);
            }
        }
        String::new()
    }
}

/// How a READ ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// With values, or with bad ones that were told.
    Read,
    /// At the end of the file.
    End,
    /// With a bad value that the program catches.
    Failed,
    /// It is not known what it takes.
    Unknown,
}

fn unknown_field() -> Field {
    Field { value: None, place: Place { line: 1, column: 1 }, loss: None }
}

/// A text in which some characters, from the first to the last, are replaced, if both are known.
fn with_part(old: Option<&Value>, of: DataType, (first, last): (usize, usize), part: Option<&Value>) -> Option<Value> {
    let (DataType::Character(Some(length)), Some(Value::Character(old)), Some(Value::Character(part))) =
        (of, old, part)
    else {
        return None;
    };
    let (mut text, mut part) = (old.to_vec(), part.to_vec());
    text.resize(length as usize, b' ');
    part.resize((last + 1).checked_sub(first)?, b' ');
    text.get_mut(first.checked_sub(1)?..last)?.copy_from_slice(&part);
    Some(Value::text(&text))
}

/// The name of a group that is nearest to what stands there.
fn nearest(found: &str, variables: &[NamelistVariable]) -> Option<String> {
    let names = variables.iter().flat_map(|it| {
        let root = it.name.split('%').next().unwrap_or_default();
        [it.name.as_str(), root]
    });
    let near = names.map(|name| (strsim::damerau_levenshtein(found, name), name)).min()?;
    (near.0 <= found.len().max(3) / 2).then(|| near.1.to_owned())
}
