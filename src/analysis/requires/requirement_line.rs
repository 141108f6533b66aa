//! Requirements as a person is told them: conditions that are equal once for all calls that lead to one failing place,
//! and long ones that are not exact by their number only, together for each place.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::findings::place;
use crate::analysis::preconditions::text::text;
use crate::analysis::preconditions::{Formula, Kind, Place, Requirement, Undecided};

/// Approximate conditions are told in so many characters; of several longer ones at one failing place only how many
/// there are.
const LONGEST: usize = 80;

/// One alone at its failing place is told in so many.
const LONGEST_ALONE: usize = 400;

/// What requirements of one line have in common: whether they are exact, the condition if it is told, failing place and
/// message.
type Key<'p> = (bool, Option<String>, &'p Place, Option<&'p str>);

/// One line of a listing.
#[derive(Debug)]
pub struct RequirementLine<'p> {
    /// The requirements that it tells: several at one failing place, in the order of the procedure.
    requirements: Vec<&'p Requirement>,
    /// Their condition, if it is one and short enough.
    condition: Option<String>,
    /// Of conditions that are not told: how many parts they have.
    parts: RangeInclusive<usize>,
}

impl<'p> RequirementLine<'p> {
    /// Requirements as lines, each where its first requirement stands.
    pub fn all(requirements: &'p [Requirement]) -> Vec<RequirementLine<'p>> {
        let mut lines: Vec<RequirementLine<'p>> = Vec::new();
        let mut known: HashMap<Key<'_>, usize> = HashMap::new();
        for requirement in requirements {
            let formula = requirement.shown();
            let condition = format!("{}{}", text(&formula), left_out(&requirement.condition, &formula));
            let is_exact = !requirement.condition.has_unknown();
            let length = condition.chars().count();
            let is_told = is_exact || length <= LONGEST;
            let parts = parts(&formula);
            let key = (is_exact, is_told.then(|| condition.clone()), &requirement.at, requirement.message.as_deref());
            let at = *known.entry(key).or_insert(lines.len());
            match lines.get_mut(at) {
                Some(line) => {
                    line.requirements.push(requirement);
                    line.parts = *line.parts.start().min(&parts)..=*line.parts.end().max(&parts);
                    // It is not alone any more.
                    line.condition = line.condition.take().filter(|_| is_told);
                }
                None => lines.push(RequirementLine {
                    requirements: vec![requirement],
                    condition: Some(condition).filter(|_| is_told || length <= LONGEST_ALONE),
                    parts: parts..=parts,
                }),
            }
        }
        lines
    }

    /// The condition, or how many there are.
    pub fn condition(&self) -> String {
        if let Some(condition) = &self.condition {
            return condition.clone();
        }
        let (least, most) = (self.parts.start(), self.parts.end());
        let parts = if least == most { format!("{least} parts") } else { format!("{least} to {most} parts") };
        match self.requirements.len() {
            1 => format!("a condition of {parts}, see --format json"),
            count => format!("{count} conditions of {parts}, see --format json"),
        }
    }

    /// Exactness, place, message and ways.
    pub fn source(&self) -> String {
        let Some(Requirement { condition, at, message, via, .. }) = self.requirements.first() else {
            return String::new();
        };
        let unknown = condition.unknown();
        let exactness = if unknown.is_some() { "approx." } else { "exact" };
        let mut text = format!("{exactness:7} {}", failing_place(at, message.as_deref(), via));
        match self.requirements.len() - 1 {
            0 => {}
            1 => text += " and one other way",
            others => text += &format!(" and {others} other ways"),
        }
        if let Some(unknown) = unknown {
            let what = match unknown.shown.is_empty() {
                true => "decides the way".to_owned(),
                false => format!("may change '{}'", unknown.shown),
            };
            let line = unknown.place.line;
            match unknown.place.file == at.file {
                true => text += &format!("  (line {line} {what})"),
                false => text += &format!("  ({} {what})", place(&unknown.place)),
            }
        }
        text
    }
}

/// What stands for the parts of a condition that are not shown.
fn left_out(condition: &Formula, shown: &Formula) -> &'static str {
    match condition.kind() {
        Kind::Any(_) if condition != shown => " .or. ?",
        Kind::All(_) if condition != shown => " .and. ?",
        _ => "",
    }
}

/// How many conditions a condition connects.
fn parts(condition: &Formula) -> usize {
    match condition.kind() {
        Kind::All(inner) | Kind::Any(inner) => inner.iter().map(parts).sum(),
        Kind::Not(inner) => parts(inner),
        Kind::Equivalent(left, right) => parts(left) + parts(right),
        Kind::ForAll(_, body) => parts(body),
        _ => 1,
    }
}

/// Place, message and way of what was given up.
pub fn source_of_undecided(one: &Undecided) -> String {
    let Undecided { at, message, via, reason } = one;
    format!("undecided  {}  ({})", failing_place(at, message.as_deref(), via), reason.text())
}

/// A failing place, its message, and the calls that lead there.
fn failing_place(at: &Place, message: Option<&str>, via: &[Place]) -> String {
    let mut text = place(at);
    if let Some(message) = message {
        text += &format!("  \"{message}\"");
    }
    if !via.is_empty() {
        let calls: Vec<String> = via.iter().map(place).collect();
        text += &format!("  via {}", calls.join(", "));
    }
    text
}
