//! Holds data files against a reading plan: follows its steps, reads what they read, and says what is wrong with it.
//!
//! What is wrong counts as unknown from there on. Where it is not known any more how a file goes on (a count of rounds
//! that is no number, a branch that depends on a value that can't be read) nothing more is said of it.

use std::fs::File;
use std::path::PathBuf;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::arithmetic::Data;
use super::cells::{Cell, Cells};
use super::data::{Cursor, FormatSteps, FormattedReader, ListReader};
use super::evaluate::{Evaluator, trip_count};
use super::expression::Expression;
use super::facts::{Catches, DataPath, Fact, FactKind};
use super::functions::integer_of_kind;
use super::plan::*;
use super::reads::variable_of;
use super::value::{DataType, Value};

/// How steps end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Go {
    /// What follows is next.
    On,
    /// So many repetitions are left, and then one more is not.
    Exit(usize),
    /// So many repetitions around the next round begins.
    Cycle(usize),
    /// The plan has come to its end.
    End,
    /// It is not known how it goes on in what is around.
    Abort,
    /// It is not known how it goes on at all.
    Lost,
}

/// A data file that is being read.
pub(super) struct Reading<'d> {
    data: &'d DataPath,
    pub(super) cursor: Cursor<'static>,
    pub(super) list: ListReader,
    pub(super) formatted: FormattedReader,
    /// Whether anything was read.
    pub(super) is_used: bool,
    /// The same, however often it began anew.
    pub(super) was_read: bool,
    /// Whether it is not known any more how far it is read.
    pub(super) is_lost: bool,
    /// Whether its end was met and caught.
    pub(super) is_ended: bool,
    /// Whether the last thing done to it was to read whole records.
    pub(super) is_behind_record: bool,
    /// How often it went back, and to which line the last time.
    backspaces: (usize, u32),
    pub(super) decimal_comma: bool,
    pub(super) blank_zero: bool,
}

impl Reading<'_> {
    /// Goes back by one record. That is known behind a READ; who does it without end gets nowhere.
    fn go_back(&mut self) {
        let is_possible = std::mem::take(&mut self.is_behind_record) && !self.is_ended && self.cursor.back();
        let line = self.cursor.place().line;
        self.backspaces = if self.backspaces.1 == line { (self.backspaces.0 + 1, line) } else { (0, line) };
        self.is_lost |= !is_possible || self.backspaces.0 > MOST_BACKSPACES;
    }
}

/// What came of holding data against a plan.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong.
    pub facts: Vec<Fact>,
    /// Files that can't be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// The bits of the order of values that count the elements of a variable of a namelist group.
pub(super) const GROUP_BITS: u32 = 24;
/// The most times that a file goes back to one record.
const MOST_BACKSPACES: usize = 1000;
/// The most facts that are told.
pub(super) const MOST_FACTS: usize = 1000;

/// Holds data files against a plan.
pub fn check(plan: &Plan, data: &[DataPath]) -> Checked {
    let mut checked = Checked::default();
    let mut files: Vec<Option<(usize, Reading<'_>)>> = plan.files.iter().map(|_| None).collect();
    for (index, of) in data.iter().enumerate() {
        let Some(file) = plan.files.get(of.file) else { continue };
        match open(of) {
            Ok(mut cursor) => {
                if goes_back(&plan.steps) {
                    cursor.keep_lines();
                }
                let reading = Reading {
                    data: of,
                    cursor,
                    list: ListReader::new(file.decimal_comma),
                    formatted: FormattedReader::new(),
                    is_used: false,
                    was_read: false,
                    is_lost: false,
                    is_ended: false,
                    is_behind_record: false,
                    backspaces: (0, 0),
                    decimal_comma: file.decimal_comma,
                    blank_zero: file.blank_zero,
                };
                files[of.file] = Some((index, reading));
            }
            Err(error) => checked.unreadable.push((of.path.clone(), error.to_string())),
        }
    }
    let cells = Cells::new(&plan.variables);
    let mut checker =
        Checker { plan, files, cells, order: 0, facts: Vec::new(), formats: FxHashMap::default(), format: None };
    let end = checker.outermost(&plan.steps);
    if end {
        checker.left_over();
    }
    for (_, file) in checker.files.iter_mut().flatten() {
        if let Some(failure) = file.cursor.take_failure() {
            checked.unreadable.push((file.data.path.clone(), failure.to_string()));
        }
    }
    checked.facts = checker.facts;
    checked.facts.sort_by_key(|fact| (fact.data, fact.place));
    checked
}

fn open(data: &DataPath) -> std::io::Result<Cursor<'static>> {
    if let Some(text) = &data.text {
        return Ok(Cursor::new(std::io::Cursor::new(text.to_string())));
    }
    let file = File::open(&data.path)?;
    if file.metadata()?.is_dir() {
        return Err(std::io::Error::other("it is a directory"));
    }
    Ok(Cursor::new(file))
}

pub(super) struct Checker<'p, 'd> {
    pub(super) plan: &'p Plan,
    pub(super) files: Vec<Option<(usize, Reading<'d>)>>,
    pub(super) cells: Cells,
    pub(super) order: u64,
    facts: Vec<Fact>,
    pub(super) formats: FxHashMap<&'p str, Rc<FormatSteps>>,
    /// The format of the READ that is followed.
    pub(super) format: Option<Rc<FormatSteps>>,
}

impl<'p> Checker<'p, '_> {
    pub(super) fn evaluator(&self, counts_broken: bool) -> Evaluator<'_> {
        Evaluator { variables: &self.plan.variables, cells: &self.cells, counts_broken, bound: None }
    }

    /// Follows the outermost steps: where one is given up the next is tried without what that one read. Gives whether
    /// the end was met.
    fn outermost(&mut self, steps: &'p [Step]) -> bool {
        for (index, step) in steps.iter().enumerate() {
            match self.step(step) {
                Go::On => {}
                Go::Abort => self.give_up(step),
                Go::End => return true,
                Go::Exit(_) | Go::Cycle(_) => return true,
                Go::Lost => {
                    steps[index..].iter().for_each(|step| self.give_up(step));
                    return false;
                }
            }
        }
        true
    }

    pub(super) fn steps(&mut self, steps: &'p [Step]) -> Go {
        for step in steps {
            let go = self.step(step);
            if go != Go::On {
                return go;
            }
        }
        Go::On
    }

    fn step(&mut self, step: &'p Step) -> Go {
        match step {
            Step::Read(read) => self.read(read),
            Step::Set(place, value) => {
                self.set(place, value);
                Go::On
            }
            Step::Allocate(variable, bounds) => {
                let evaluator = self.evaluator(false);
                let value = |it: &Expression| evaluator.integer(it).and_then(|it| i64::try_from(it).ok());
                let bounds = bounds.iter().map(|[lower, upper]| [value(lower), value(upper)]).collect();
                self.cells.allocate(*variable, bounds);
                Go::On
            }
            Step::Forget(variables) => {
                variables.iter().for_each(|it| self.cells.forget(*it));
                Go::On
            }
            Step::Repeat(repeat) => self.repeat(repeat),
            Step::Block(steps) => match self.steps(steps) {
                Go::Exit(1) => Go::On,
                Go::Exit(level) => Go::Exit(level - 1),
                Go::Cycle(level) => Go::Cycle(level.saturating_sub(1)),
                go @ (Go::On | Go::End | Go::Abort | Go::Lost) => go,
            },
            Step::Exit(when, level) => match self.evaluator(true).truth(when) {
                Some(true) if *level == 0 => Go::End,
                Some(true) => Go::Exit(*level),
                Some(false) => Go::On,
                None => Go::Abort,
            },
            Step::Cycle(when, level) => match self.evaluator(true).truth(when) {
                Some(true) => Go::Cycle(*level),
                Some(false) => Go::On,
                None => Go::Abort,
            },
            Step::Either(branches) => self.either(branches),
            Step::Rewind(file) => {
                self.rewind(*file);
                Go::On
            }
            Step::Back(file) => {
                if let Some((_, file)) = &mut self.files[*file] {
                    file.go_back();
                }
                Go::On
            }
            Step::Move(file) => {
                if let Some((_, file)) = &mut self.files[*file] {
                    file.is_lost = true;
                }
                Go::On
            }
            Step::Reopen(file) => {
                if let Some((_, file)) = &mut self.files[*file] {
                    file.is_lost |= file.was_read;
                }
                Go::On
            }
            Step::Lost => Go::Lost,
        }
    }

    fn rewind(&mut self, file: usize) {
        let Some((_, file)) = &mut self.files[file] else { return };
        if !file.is_used {
            return;
        }
        match open(file.data) {
            Ok(mut cursor) => {
                if file.cursor.keeps_lines() {
                    cursor.keep_lines();
                }
                file.cursor = cursor;
                file.is_ended = false;
                file.is_used = false;
                file.is_behind_record = false;
            }
            Err(_) => file.is_lost = true,
        }
    }

    fn either(&mut self, branches: &'p [Branch]) -> Go {
        for branch in branches {
            match self.evaluator(false).truth(&branch.when) {
                Some(true) => return self.steps(&branch.of),
                Some(false) => {}
                None => {
                    let all = || branches.iter().flat_map(|branch| &branch.of);
                    if all().any(may_read) {
                        return Go::Abort;
                    }
                    all().for_each(|step| self.give_up(step));
                    return Go::On;
                }
            }
        }
        Go::On
    }

    fn repeat(&mut self, repeat: &'p Repeat) -> Go {
        let rounds = match &repeat.count {
            None => None,
            Some(count) => {
                let evaluator = self.evaluator(false);
                let range = evaluator.integer(&count.lower).zip(evaluator.integer(&count.upper));
                let Some((lower, rounds)) =
                    range.and_then(|(lower, upper)| Some((lower, trip_count(lower, upper, count.step.into())?)))
                else {
                    return Go::Abort;
                };
                Some((count, lower, rounds))
            }
        };
        let mut round = 0;
        loop {
            if let Some((count, lower, rounds)) = rounds {
                let value = lower + round * i128::from(count.step);
                if let Some(cell) = self.cells.cell_mut(count.variable, 0) {
                    *cell = Cell { value: Some(Value::Integer(value)), ..Default::default() };
                }
                if round >= rounds {
                    return Go::On;
                }
            }
            round += 1;
            let before = self.order;
            match self.steps(&repeat.of) {
                Go::On | Go::Cycle(1) => {}
                Go::Exit(1) => return Go::On,
                Go::Exit(level) => return Go::Exit(level - 1),
                Go::Cycle(level) => return Go::Cycle(level - 1),
                go @ (Go::End | Go::Abort | Go::Lost) => return go,
            }
            // A round without end that reads nothing would never come to an end.
            if rounds.is_none() && self.order == before {
                return Go::Abort;
            }
        }
    }

    /// Forgets what a step would have done.
    fn give_up(&mut self, step: &'p Step) {
        match step {
            Step::Read(read) => {
                self.lose(read.file);
                self.forget_items(read);
                read.then.iter().for_each(|step| self.give_up(step));
                for caught in [&read.end, &read.error].into_iter().flatten() {
                    if let Some(steps) = caught.steps() {
                        steps.iter().for_each(|step| self.give_up(step));
                    }
                }
            }
            Step::Set(place, _) => variable_of(place).iter().for_each(|it| self.cells.forget(*it)),
            Step::Allocate(variable, _) => self.cells.forget(*variable),
            Step::Forget(variables) => variables.iter().for_each(|it| self.cells.forget(*it)),
            Step::Block(steps) => steps.iter().for_each(|step| self.give_up(step)),
            Step::Repeat(repeat) => {
                repeat.count.iter().for_each(|count| self.cells.forget(count.variable));
                repeat.of.iter().for_each(|step| self.give_up(step));
            }
            Step::Either(branches) => {
                branches.iter().flat_map(|branch| &branch.of).for_each(|step| self.give_up(step));
            }
            Step::Rewind(file) | Step::Back(file) | Step::Move(file) | Step::Reopen(file) => self.lose(*file),
            // What is not followed may read any of them.
            Step::Lost => (0..self.files.len()).for_each(|file| self.lose(file)),
            Step::Exit(..) | Step::Cycle(..) => {}
        }
    }

    pub(super) fn lose(&mut self, file: usize) {
        if let Some(Some((_, file))) = self.files.get_mut(file) {
            file.is_lost = true;
        }
    }

    pub(super) fn forget_items(&mut self, read: &'p ReadStep) {
        fn each(item: &PlanItem, cells: &mut Cells) {
            match item {
                PlanItem::Value(place, _) => variable_of(place).iter().for_each(|it| cells.forget(*it)),
                PlanItem::Loop(variable, .., items) => {
                    cells.forget(*variable);
                    items.iter().for_each(|item| each(item, cells));
                }
                PlanItem::Unknown(_) => {}
            }
        }
        read.items.iter().for_each(|item| each(item, &mut self.cells));
        if let Form::Namelist(_, variables) = &read.form {
            variables.iter().for_each(|it| self.cells.forget(it.variable));
        }
    }

    fn set(&mut self, place: &Expression, value: &Expression) {
        let data = self.evaluator(false).data(value);
        let Some(variable) = variable_of(place) else { return };
        let of = &self.plan.variables[variable.index()];
        let numbers = match place {
            Expression::Variable(_) if of.bounds.is_empty() => Some(vec![0]),
            _ => self.evaluator(false).element_numbers(place),
        };
        let Some(numbers) = numbers.filter(|_| !of.is_opaque) else {
            self.cells.forget(variable);
            return;
        };
        for (index, number) in numbers.into_iter().enumerate() {
            let value = match &data {
                Data::Scalar(value) => value.as_ref(),
                Data::Array(values) => values.get(index).and_then(Option::as_ref),
            };
            let value = value.and_then(|value| converted(value, of.data_type?));
            if let Some(cell) = self.cells.cell_mut(variable, number) {
                *cell = Cell { value, ..Default::default() };
            }
        }
    }

    /// What is left over in the files.
    fn left_over(&mut self) {
        for index in 0..self.files.len() {
            let Some((data, file)) = &mut self.files[index] else { continue };
            if file.is_lost || file.is_ended {
                continue;
            }
            let data = *data;
            let mut start = file.cursor.place();
            while let Some(byte) = file.cursor.peek() {
                if byte == b'\n' {
                    file.cursor.advance();
                    start = file.cursor.place();
                } else if byte.is_ascii_whitespace() {
                    file.cursor.advance();
                } else {
                    let read = PlanSite { source: 0, line: 0 };
                    let (found, kind) = (String::new(), FactKind::LeftOver);
                    self.facts.push(Fact {
                        data,
                        place: start,
                        found,
                        kind,
                        read,
                        failure: None,
                        catches: Catches::Not,
                        is_approximate: false,
                    });
                    break;
                }
            }
        }
    }

    pub(super) fn add(&mut self, fact: Fact) {
        if self.facts.len() < MOST_FACTS {
            self.facts.push(fact);
        }
    }
}

/// Whether steps go back in a file.
fn goes_back(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::Back(_)) || step.parts().into_iter().any(goes_back))
}

/// Whether a step reads, or may lead elsewhere.
fn may_read(step: &Step) -> bool {
    match step {
        Step::Set(..) | Step::Allocate(..) | Step::Forget(_) => false,
        Step::Either(branches) => branches.iter().any(|branch| branch.of.iter().any(may_read)),
        Step::Read(_)
        | Step::Block(_)
        | Step::Repeat(_)
        | Step::Exit(..)
        | Step::Cycle(..)
        | Step::Rewind(_)
        | Step::Back(_)
        | Step::Move(_)
        | Step::Reopen(_)
        | Step::Lost => true,
    }
}

/// A value as a variable of a type holds it.
fn converted(value: &Value, to: DataType) -> Option<Value> {
    Some(match (to, value) {
        (DataType::Integer(kind), Value::Integer(_) | Value::Real(..)) => integer_of_kind(value, kind)?,
        (DataType::Real(kind @ (4 | 8)), Value::Integer(_) | Value::Real(..)) => {
            super::arithmetic::rounded(super::arithmetic::as_real(value, kind)?, kind)
        }
        (DataType::Complex(to), Value::Complex(_, _, from)) if to == *from => value.clone(),
        (DataType::Logical(_), Value::Logical(_)) => value.clone(),
        (DataType::Character(Some(length)), Value::Character(text)) => {
            Value::text(&text[..text.len().min(length as usize)])
        }
        _ => return None,
    })
}
