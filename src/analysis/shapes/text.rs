//! The words of findings.

use crate::analysis::obligations::{
    Demand, Equality, Instance, Judged, Subject, Subscript, Unit, Verdict, is_of_callee,
};
use crate::diagnostics::{Finding, Location, Mark, Severity};
use crate::solve::conditions::Model;
use crate::source::Span;
use crate::symbolic::{Condition, Place, Term, substitute, value_of};

use super::listed::UndecidedStatement;
use super::rules;

/// The finding of a statement, if its verdict is one.
pub fn finding(unit: &mut Unit<'_>, judged: &Judged, is_outermost: bool) -> Option<Finding> {
    match &judged.verdict {
        Verdict::Holds | Verdict::Unreachable | Verdict::Undecided(_) => None,
        Verdict::Fails(number, instance) => Some(failing(unit, judged, *number, instance.as_ref())),
        Verdict::Contradicts(with_earlier) => Some(contradiction(unit, judged, *with_earlier)),
        Verdict::OnlyIf(equality) => Some(only_if(unit, judged, equality)),
        Verdict::Assumed => {
            let (number, model) = judged.counterexample.as_ref().filter(|_| is_outermost)?;
            Some(may_fail(unit, judged, *number, model))
        }
    }
}

/// A statement of which it is not known whether it is certain to fail, if it is one.
pub fn undecided(unit: &Unit<'_>, judged: &Judged) -> Option<UndecidedStatement> {
    let Verdict::Undecided(gap) = judged.verdict else { return None };
    let open = judged.open.iter().map(|&number| &judged.demands[number]);
    Some(UndecidedStatement {
        line: line_of(unit, unit.tree.statements[judged.statement].span),
        demands: open.map(|demand| (demand.rule, demand_text(unit, demand))).collect(),
        why: gap.text(&unit.places),
    })
}

/// The findings of what a statement does that is not meant.
pub fn oddities(unit: &Unit<'_>, judged: &Judged) -> Vec<Finding> {
    let texts = &unit.tree.source.texts;
    let made = judged.oddities.iter().map(|oddity| {
        let mut finding = Finding::new(oddity.rule, location(unit, judged), oddity.message.clone());
        finding.marks.push(mark(texts, oddity.span, "here"));
        finding
    });
    made.collect()
}

fn location(unit: &Unit<'_>, judged: &Judged) -> Location {
    Location::of(&unit.tree.source.texts, unit.tree.statements[judged.statement].span)
}

fn mark(texts: &crate::source::SourceTexts, span: Span, label: &str) -> Mark {
    Mark { location: Location::of(texts, span), label: label.to_owned(), is_primary: true }
}

/// The line of a statement.
pub fn line_of(unit: &Unit<'_>, span: Span) -> u32 {
    unit.tree.source.texts.locate(span).1.line
}

fn failing(unit: &mut Unit<'_>, judged: &Judged, number: usize, instance: Option<&Instance>) -> Finding {
    let demand = &judged.demands[number];
    let texts = &unit.tree.source.texts;
    let message = described(unit, demand, instance);
    let mut finding = Finding::new(demand.rule, location(unit, judged), message);
    finding.marks.push(mark(texts, demand.span, "demanded here"));
    if let Some(instance) = instance {
        iteration_notes(unit, instance, demand, &mut finding);
    }
    known_values(unit, judged, demand, instance, &mut finding);
    finding
}

/// The values that what is named can only have where the statement fails.
fn known_values(
    unit: &mut Unit<'_>,
    judged: &Judged,
    demand: &Demand,
    instance: Option<&Instance>,
    finding: &mut Finding,
) {
    let terms: Vec<Term> = match &demand.subject {
        Subject::Subscript(of) => {
            [Some(&of.value), Some(&of.lower), of.upper.as_ref()].into_iter().flatten().cloned().collect()
        }
        Subject::Shapes { left, right, .. } => vec![left.1.clone(), right.1.clone()],
        Subject::Sizes { there, needed } => vec![there.number.clone(), needed.number.clone()],
        Subject::Callee { .. } => Vec::new(),
    };
    let reached = match instance {
        Some(instance) => instance.reached.clone(),
        None => Condition::all([judged.reached.clone(), demand.guard.clone()]),
    };
    for term in terms {
        let term = in_iteration(unit, &term, instance);
        if term.as_constant().is_none()
            && let Some(value) = unit.only_value(&reached, &term)
        {
            finding.remark(format!("{} is {value} there", unit.places.text(&term)));
        }
    }
}

/// A demand as it fails, in one iteration if that is known.
fn described(unit: &Unit<'_>, demand: &Demand, instance: Option<&Instance>) -> String {
    let places = &unit.places;
    let at = instance.map_or(String::new(), |instance| iteration_text(unit, instance));
    match &demand.subject {
        Subject::Subscript(of) => {
            let value = in_iteration(unit, &of.value, instance);
            format!(
                "'{}' leaves the bounds of '{}': subscript {} is {}{at}, and the bounds are {}",
                of.reference,
                of.array,
                of.dimension.0,
                places.text(&value),
                bounds_text(unit, of)
            )
        }
        Subject::Shapes { left, right, dimension } => format!(
            "'{}' and '{}' have different extents in dimension {dimension}{at}: {} and {}",
            left.0,
            right.0,
            places.text(&in_iteration(unit, &left.1, instance)),
            places.text(&in_iteration(unit, &right.1, instance))
        ),
        Subject::Sizes { there, needed } => format!(
            "{}{at}, and {}",
            capitalised(&there.text(&places.text(&in_iteration(unit, &there.number, instance)))),
            needed.text(&places.text(&in_iteration(unit, &needed.number, instance)))
        ),
        Subject::Callee { procedure, file, line, text } => {
            let place = match file {
                Some(file) => format!("{}:{line}", file.display()),
                None => format!("line {line}"),
            };
            format!("The call of '{procedure}'{at} breaks what it takes for granted ({place}): {text}")
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn bounds_text(unit: &Unit<'_>, of: &Subscript) -> String {
    let upper = of.upper.as_ref().map_or("*".to_owned(), |upper| unit.places.text(upper));
    format!("{}:{upper}", unit.places.text(&of.lower))
}

/// A term in the iterations of an instance.
fn in_iteration(unit: &Unit<'_>, term: &Term, instance: Option<&Instance>) -> Term {
    let Some(instance) = instance else { return term.clone() };
    let replace = |place: Place| {
        instance.iterations.iter().find_map(|iteration| {
            let counters = unit.regions[iteration.region].counters.iter().enumerate();
            counters.filter(|(_, counter)| counter.place == place).find_map(|(at, counter)| {
                if iteration.lasts & (1 << at) != 0 { counter.last.clone() } else { Some(counter.first.clone()) }
            })
        })
    };
    substitute(term, &replace).unwrap_or_else(|| term.clone())
}

/// ` at i = 1`: the iterations of an instance whose counters are told.
fn iteration_text(unit: &Unit<'_>, instance: &Instance) -> String {
    let mut parts = Vec::new();
    for iteration in &instance.iterations {
        for counter in &unit.regions[iteration.region].counters {
            let value = in_iteration(unit, &counter.value, Some(instance));
            parts.push(format!("{} = {}", counter.name, unit.places.text(&value)));
        }
    }
    if parts.is_empty() { String::new() } else { format!(" at {}", parts.join(", ")) }
}

/// Where the loops begin and end whose iteration fails.
fn iteration_notes(unit: &Unit<'_>, instance: &Instance, demand: &Demand, finding: &mut Finding) {
    for iteration in &instance.iterations {
        let region = &unit.regions[iteration.region];
        let Some(id) = region.of_loop else { continue };
        let line = line_of(unit, unit.tree.statements[unit.flow.loops.loops[id].header].span);
        for (at, counter) in region.counters.iter().enumerate() {
            let is_last = iteration.lasts & (1 << at) != 0;
            let bound = unit.places.text(if is_last { &counter.upper } else { &counter.lower });
            let verb = if is_last { "ends" } else { "begins" };
            finding.remark(format!("the loop over '{}' {verb} at {bound} (line {line})", counter.name));
            if let Subject::Subscript(of) = &demand.subject
                && let Some(hint) = hint(unit, of, counter, is_last, instance)
            {
                finding.remark(hint);
            }
        }
    }
}

/// What one change would make right: another first or last iteration, or a wider bound.
fn hint(
    unit: &Unit<'_>,
    of: &Subscript,
    counter: &crate::analysis::obligations::Counter,
    is_last: bool,
    instance: &Instance,
) -> Option<String> {
    let slope = of.value.coefficient(&crate::symbolic::Atom::Place(counter.place));
    if slope.abs() != 1 || counter.value != crate::symbolic::place_term(counter.place) {
        return None;
    }
    let value = in_iteration(unit, &of.value, Some(instance));
    let below = crate::symbolic::difference(&of.lower, &value)?.as_constant().filter(|&by| by > 0);
    let above = of.upper.as_ref().and_then(|upper| crate::symbolic::difference(&value, upper));
    let above = above.and_then(|by| by.as_constant()).filter(|&by| by > 0);
    let by = below.or(above)?;
    let end = if is_last { counter.last.clone()? } else { counter.first.clone() };
    let forward = if below.is_some() { slope } else { -slope };
    let better = end.checked_add_constant(by.checked_mul(forward)?)?;
    let word = if is_last { "to" } else { "from" };
    let side = if below.is_some() { "lower" } else { "upper" };
    let wider = unit.places.text(&value);
    let better = unit.places.text(&better);
    Some(format!("{word} {better} it stays within the bounds; with the {side} bound {wider} it would, too"))
}

fn contradiction(unit: &Unit<'_>, judged: &Judged, with_earlier: bool) -> Finding {
    let message = match with_earlier {
        true => "What this statement demands of sizes contradicts what statements before it demand",
        false => "What this statement demands of sizes can't all be",
    };
    let mut finding = Finding::new(&rules::CONTRADICTORY_SIZES, location(unit, judged), message);
    for &number in &judged.open {
        let demand = &judged.demands[number];
        finding.remark(format!("it demands: {}", demand_text(unit, demand)));
    }
    finding
}

/// What is demanded, as a clause.
pub fn demand_text(unit: &Unit<'_>, demand: &Demand) -> String {
    let places = &unit.places;
    match &demand.subject {
        Subject::Subscript(of) => {
            format!("subscript {} of '{}' within {}", of.dimension.0, of.reference, bounds_text(unit, of))
        }
        Subject::Shapes { left, right, dimension } => {
            let (one, other) = (places.extent_text(&left.1), places.extent_text(&right.1));
            format!("'{}' and '{}' alike in dimension {dimension}: {one} = {other}", left.0, right.0)
        }
        Subject::Sizes { there, needed } => {
            format!("{}, {}", there.text(&places.text(&there.number)), needed.text(&places.text(&needed.number)))
        }
        Subject::Callee { procedure, line, text, .. } => format!("'{procedure}' (line {line}): {text}"),
    }
}

fn only_if(unit: &Unit<'_>, judged: &Judged, equality: &Equality) -> Finding {
    let places = &unit.places;
    let Equality { array, left, right, slack } = equality;
    let of_callee = is_of_callee(judged, &rules::CALL_BREAKS_ASSUMPTION);
    let (rule, message) = match right {
        Some(right) => {
            let (one, other) = (places.extent_text(&left.1), places.extent_text(&right.1));
            let relation = match slack {
                0 => format!("are equal: {one} = {other}"),
                _ => format!("differ by at most {slack}: they are {one} and {other}"),
            };
            let message =
                format!("Right only if the extents of '{array}' in dimensions {} and {} {relation}", left.0, right.0);
            (&rules::ONLY_WHEN_SQUARE, message)
        }
        None => {
            let message = format!(
                "Right only if the extent of '{array}' in dimension {} is 1: {} = 1",
                left.0,
                places.extent_text(&left.1)
            );
            (&rules::ONLY_WHEN_ONE, message)
        }
    };
    let rule = if of_callee { &rules::CALL_BREAKS_ASSUMPTION } else { rule };
    let mut finding = Finding::new(rule, location(unit, judged), message);
    if of_callee {
        finding.severity = Severity::Warning;
    }
    for &number in &judged.open {
        let demand = &judged.demands[number];
        finding.remark(format!("it demands: {}", demand_text(unit, demand)));
    }
    finding
}

fn may_fail(unit: &Unit<'_>, judged: &Judged, number: usize, model: &Model) -> Finding {
    let demand = &judged.demands[number];
    let value = |place: Place| model.get(&place).copied().unwrap_or(0);
    let mut values: Vec<String> = Vec::new();
    let mut places = Vec::new();
    judged.reached.places(&mut places);
    demand.guard.places(&mut places);
    demand.condition.places(&mut places);
    places.sort_unstable();
    places.dedup();
    let truths: Vec<Place> = crate::analysis::obligations::truths(&judged.reached);
    for place in places.into_iter().filter(|place| !truths.contains(place)) {
        values.push(format!("{} = {}", unit.places.info(place).text, value(place)));
    }
    let number_of =
        |term: &Term| value_of(term, &value).map_or_else(|| unit.places.text(term), |value| value.to_string());
    let what = match &demand.subject {
        Subject::Subscript(of) => {
            let upper = of.upper.as_ref().map_or("*".to_owned(), &number_of);
            let (index, lower) = (number_of(&of.value), number_of(&of.lower));
            format!("subscript {} of '{}' is {index}, and the bounds are {lower}:{upper}", of.dimension.0, of.reference)
        }
        Subject::Shapes { left, right, dimension } => {
            let (one, other) = (number_of(&left.1), number_of(&right.1));
            format!("'{}' and '{}' have the extents {one} and {other} in dimension {dimension}", left.0, right.0)
        }
        Subject::Sizes { there, needed } => {
            format!("{}, and {}", there.text(&number_of(&there.number)), needed.text(&number_of(&needed.number)))
        }
        Subject::Callee { .. } => demand_text(unit, demand),
    };
    let with = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
    let mut finding = Finding::new(&rules::MAY_FAIL, location(unit, judged), format!("May fail{with}: {what}"));
    finding.marks.push(mark(&unit.tree.source.texts, demand.span, "demanded here"));
    finding
}
