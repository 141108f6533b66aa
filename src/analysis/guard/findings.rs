//! From what was compared to findings, array by array.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::compare::ProgramComparison;
use super::report::{ArrayReport, ComparedUse, UseClass};
use super::rules;
use super::snapshot::{ArrayDeclaration, list};
use crate::diagnostics::counts::counted;
use crate::diagnostics::{Allowances, Finding, Mark, Note, Rule};

/// What programs are told of an array whose layout was compared, with the finding that heads its uses.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ArrayRecord<'a> {
    /// Which array, in lower case: `module::name`, `/block/name` or `type%component`.
    name: &'a str,
    /// Its declaration before, if it was found.
    before: Option<DeclarationRecord<'a>>,
    /// Its declaration now.
    now: Option<DeclarationRecord<'a>>,
    /// Whether its uses have to change.
    is_changed: bool,
    /// What became of its dimensions, in words; empty if nothing did.
    layout: String,
    /// Number of uses that are gone.
    gone: usize,
}

/// A declaration of an array.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct DeclarationRecord<'a> {
    /// The array, as it was called there.
    name: &'a str,
    /// Its bounds: `(10,0:n)`.
    bounds: String,
    /// `explicit shape`, `assumed shape`, `allocatable` and the like.
    kind: &'a str,
    /// Its type: `real(8)`.
    #[serde(rename = "type")]
    type_: &'a str,
}

/// What programs are told of a use of an array.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct UseRecord<'a> {
    /// The array, as [`ArrayRecord`] calls it.
    array: &'a str,
    /// The program unit that the use stands in.
    unit: &'a str,
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["differs-otherwise", "still-old", "argument", "not-compared", "follows"]))
    )]
    class: &'static str,
}

impl<'a> ArrayRecord<'a> {
    /// The name of the record.
    const NAME: &'static str = "array";

    fn new(report: &'a ArrayReport) -> Self {
        let declaration = |declared: &'a ArrayDeclaration| DeclarationRecord {
            name: &declared.array,
            bounds: list(Some(&declared.bounds)),
            kind: &declared.kind,
            type_: &declared.type_,
        };
        ArrayRecord {
            name: &report.array,
            before: report.before.as_ref().map(declaration),
            now: report.now.as_ref().map(declaration),
            is_changed: report.is_changed(),
            layout: if report.is_changed() { report.layout.words() } else { String::new() },
            gone: report.gone,
        }
    }
}

impl UseRecord<'_> {
    /// The name of the record.
    const NAME: &'static str = "use";
}

/// The findings about one array: what changed, then its uses.
#[derive(Clone, Debug)]
pub struct ArrayFindings {
    /// G001, unless a comment allows it.
    pub heading: Option<Finding>,
    /// The uses, the most suspicious first.
    pub uses: Vec<Finding>,
    /// Whether nothing has to be done.
    pub is_harmless: bool,
}

impl ArrayFindings {
    /// The same without what comments allow.
    pub fn without(mut self, allowances: &mut Allowances) -> Self {
        self.heading = self.heading.filter(|finding| !allowances.silence(finding, None));
        self.uses.retain(|finding| !allowances.silence(finding, None));
        self
    }
}

/// The findings of a comparison: the arrays with suspicious uses first, then by name.
pub fn groups(comparison: &ProgramComparison) -> Vec<ArrayFindings> {
    let mut arrays: Vec<&ArrayReport> = comparison.arrays.iter().collect();
    let worst = |array: &ArrayReport| array.uses.iter().map(|used| used.class).min().unwrap_or(UseClass::Follows);
    arrays.sort_by(|one, other| (worst(one), &one.array).cmp(&(worst(other), &other.array)));
    arrays.into_iter().filter_map(group).collect()
}

fn group(array: &ArrayReport) -> Option<ArrayFindings> {
    let place = array.now.as_ref().and_then(|now| now.place.location());
    let location = place.or_else(|| array.uses.iter().find_map(|used| used.place.location()))?;
    let mut heading = Finding::new(&rules::LAYOUT_CHANGED, location, headline(array));
    heading.remark(counts(array));
    heading.record(ArrayRecord::NAME, &ArrayRecord::new(array));
    let uses = array.uses.iter().filter_map(|used| finding(array, used)).collect();
    Some(ArrayFindings { heading: Some(heading), uses, is_harmless: array.is_harmless() })
}

/// What changed about an array.
fn headline(array: &ArrayReport) -> String {
    let name = &array.array;
    let (Some(before), Some(now)) = (&array.before, &array.now) else {
        return format!("'{name}' is declared as before");
    };
    let shape = |declared: &ArrayDeclaration| list(Some(&declared.bounds));
    let mut what = Vec::new();
    if before.array != now.array {
        what.push(format!("'{name}' is what '{}' was", before.array));
    }
    if before.bounds != now.bounds {
        what.push(format!("'{name}' was {}, and is {} now", shape(before), shape(now)));
    }
    if before.kind != now.kind {
        what.push(format!("'{name}' was {}, and is {} now", before.kind, now.kind));
    }
    if before.type_ != now.type_ {
        what.push(format!("'{name}' was {}, and is {} now", before.type_, now.type_));
    }
    if array.is_changed() {
        let words = array.layout.words();
        what.push(if what.is_empty() { format!("'{name}' is declared as before: {words}") } else { words });
    } else if what.is_empty() {
        what.push(format!("'{name}' is declared as before"));
    }
    what.join("; ")
}

/// How many uses there are of each class that occurs, in words.
fn counts_in_words(count: impl Fn(UseClass) -> usize) -> String {
    let of = |class: UseClass, one: &str, several: &str| match count(class) {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {several}")),
    };
    let parts = [
        of(UseClass::DiffersOtherwise, "differs otherwise", "differ otherwise"),
        of(UseClass::StillOld, "is still old", "are still old"),
        of(
            UseClass::Argument,
            "has another shape than the dummy argument",
            "have another shape than the dummy argument",
        ),
        of(UseClass::NotCompared, "could not be compared", "could not be compared"),
        of(UseClass::Follows, "follows", "follow"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn counts(array: &ArrayReport) -> String {
    let mut parts = counts_in_words(|class| array.count(class));
    if array.gone > 0 {
        let gone = if array.gone == 1 { "is gone" } else { "are gone" };
        let separator = if parts.is_empty() { "" } else { ", " };
        parts.push_str(&format!("{separator}{} {gone}", array.gone));
    }
    match (parts.is_empty(), array.is_changed()) {
        (false, _) => format!("of its uses {parts}"),
        (true, true) => "it is not used".to_owned(),
        (true, false) => "its uses need not change".to_owned(),
    }
}

fn finding(array: &ArrayReport, used: &ComparedUse) -> Option<Finding> {
    let rule: &'static Rule = match used.class {
        UseClass::DiffersOtherwise => &rules::USE_DIFFERS_OTHERWISE,
        UseClass::StillOld => &rules::USE_STILL_OLD,
        UseClass::Argument => &rules::ARGUMENT_SHAPE_DIFFERS,
        UseClass::NotCompared => &rules::USE_NOT_COMPARED,
        UseClass::Follows => &rules::USE_FOLLOWS,
    };
    let location = used.place.location()?;
    let message = match used.class {
        UseClass::Follows => format!("This use of '{}' follows", array.array),
        _ => used.why.clone(),
    };
    let mut finding = Finding::new(rule, location.clone(), message);
    finding.notes = used.notes.iter().cloned().map(Note::Remark).collect();
    let blamed = used.subscripts.iter().filter_map(|(place, label)| Some((place.location()?, label.clone())));
    finding.marks = blamed.map(|(location, label)| Mark { location, label, is_primary: true }).collect();
    let class = used.class.name();
    finding.record(UseRecord::NAME, &UseRecord { array: &array.array, unit: &used.unit, class });
    Some(finding)
}

/// The closing sentence of a comparison.
pub fn closing(comparison: &ProgramComparison) -> String {
    let count = |class: UseClass| comparison.arrays.iter().map(|array| array.count(class)).sum::<usize>();
    let changed = comparison.arrays.iter().filter(|array| array.is_changed()).count();
    let units = counted(comparison.units, "unit");
    let words = counts_in_words(count);
    let text = match (changed, words.as_str()) {
        (0, "") => format!("{units} compared, no array has another layout"),
        (0, _) => format!("{units} compared, no array has another layout, and yet {words}"),
        (1, "") => format!("{units} compared, 1 array has another layout and is not used"),
        (_, "") => format!("{units} compared, {changed} arrays have another layout and are not used"),
        (1, _) => format!("{units} compared, 1 array has another layout: of the uses {words}"),
        _ => format!("{units} compared, {changed} arrays have another layout: of the uses {words}"),
    };
    let text = match comparison.not_understood {
        0 => text,
        count => format!("{text}\n{} not understood: `infer --report -v` tells why", counted(count, "statement")),
    };
    match comparison.arrays.iter().filter(|array| array.is_harmless()).count() {
        0 => text,
        1 => format!("{text}\n1 array is declared otherwise with the same layout (told by --verbose)"),
        several => format!("{text}\n{several} arrays are declared otherwise with the same layout (told by --verbose)"),
    }
}
