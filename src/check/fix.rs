//! Fixes: the comment lines that would be right.
//!
//! A comment may speak of several arrays, some rightly, and a group may give two bounds for one array in two comments. So what is to
//! be done is planned comment by comment ([`Plan`]), and every finding on a comment carries the change of the whole comment:
//! applied together, they don't get in each other's way.

use std::collections::{BTreeMap, BTreeSet};

use super::{Found, Subject};
use crate::attach::{Attached, DeclaredRegion, whole_span};
use crate::edit::LineChange;
use crate::infer::{InferredComputation, comes_from_elsewhere, insertion_place};
use crate::report::{Fix, rules};
use crate::spec::{OldSpelling, Region, Specification, SpecificationText};
use crate::syntax::Tree;

/// What is to be done with one comment.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The variables that it shall not speak of any more, by their offsets.
    pub dropped: BTreeSet<usize>,
    /// The specifications that shall stand there too.
    pub added: Vec<String>,
    /// A shorter region for what is left.
    pub region: Option<Region>,
}

/// The plans, by the number of the attached specification.
pub type Plans = BTreeMap<usize, Plan>;

/// Gives every finding that a change of comment lines would remove that change.
pub fn attach_fixes(subject: Subject<'_>, plans: &Plans, found: &mut [Found]) {
    let none = Plan::default();
    for Found { finding, anchor, comments } in found {
        // What stands above a macro or an included line belongs to code that is elsewhere: it is told, not edited.
        if anchor.is_some_and(|statement| comes_from_elsewhere(subject.scopes.tree, statement)) {
            finding.fix = None;
            continue;
        }
        let changes: Vec<LineChange> = comments
            .iter()
            .filter_map(|number| {
                let attached = subject.specifications.attached.get(*number)?;
                change_of(subject.scopes.tree, attached, plans.get(number).unwrap_or(&none))
            })
            .collect();
        let Some(description) = description(finding.rule.code) else { continue };
        if !changes.is_empty() {
            finding.fix = Some(Fix { description: description.to_owned(), changes });
        }
    }
}

/// What a fix does, for the rules that have one.
fn description(code: &str) -> Option<&'static str> {
    let replacing = [&rules::REGION_DIFFERS, &rules::MISSING_READ_ONCE, &rules::REPEATED_READ, &rules::KIND_DIFFERS];
    if replacing.iter().any(|rule| rule.code == code) {
        return Some("Replace the specification by the inferred one");
    }
    if code == rules::DUPLICATE_SPECIFICATION.code || code == rules::CONTRADICTORY_SPECIFICATIONS.code {
        return Some("Remove the later specification");
    }
    if code == rules::OLD_SPELLING.code {
        return Some("Use the word of today");
    }
    (code == rules::OVERLONG_SPECIFICATION.code).then_some("Shorten the specification")
}

/// The change of a comment that carries a plan out, and puts today's words for older ones.
fn change_of(tree: &Tree, attached: &Attached, plan: &Plan) -> Option<LineChange> {
    if plan.dropped.is_empty() && plan.region.is_none() && attached.old_spellings.is_empty() {
        return None;
    }
    let said = &attached.specification;
    let variables: Vec<_> =
        said.variables.iter().filter(|name| !plan.dropped.contains(&name.offset)).cloned().collect();
    let mut texts = Vec::new();
    if !variables.is_empty() {
        texts.push(match &plan.region {
            Some(region) => Specification { region: region.clone(), variables, ..said.clone() }.to_string(),
            None => {
                let head = said.variables.first().map_or(0, |name| name.offset);
                let names: Vec<&str> = variables.iter().map(|name| name.text.as_str()).collect();
                let region = todays_words(&attached.text, &attached.old_spellings, head);
                format!("{} {}", region.trim_end(), names.join(", "))
            }
        });
    }
    texts.extend(plan.added.iter().cloned());
    lines_instead(tree, &attached.text, &texts)
}

/// S017 in the declaration of a region variable.
pub fn of_declaration(tree: &Tree, declared: &DeclaredRegion) -> Option<Fix> {
    let text = todays_words(&declared.text, &declared.old_spellings, declared.text.text.len());
    let change = lines_instead(tree, &declared.text, &[text.trim_end().to_owned()])?;
    let description = description(rules::OLD_SPELLING.code)?.to_owned();
    Some(Fix { description, changes: vec![change] })
}

/// S020: the specifications that are missing, directly above the statement.
pub fn insertion(subject: Subject<'_>, computation: &InferredComputation, texts: &[String]) -> Option<Fix> {
    let place = insertion_place(subject.scopes.tree, computation, '=');
    let lines = texts.iter().map(|text| [place.start.as_slice(), text.as_bytes()].concat()).collect();
    let change = LineChange { first_line: place.line, line_count: 0, lines };
    Some(Fix { description: "Insert the inferred specification".to_owned(), changes: vec![change] })
}

/// The text up to an offset, with today's words for older ones.
fn todays_words(text: &SpecificationText, words: &[OldSpelling], end: usize) -> String {
    let mut result = Vec::new();
    let mut from = 0;
    for word in words.iter().filter(|word| word.offset + word.old.len() <= end) {
        result.extend_from_slice(&text.text[from..word.offset]);
        result.extend_from_slice(word.new.as_bytes());
        from = word.offset + word.old.len();
    }
    result.extend_from_slice(&text.text[from.min(end)..end.min(text.text.len())]);
    String::from_utf8_lossy(&result).into_owned()
}

/// The lines of a comment replaced by one line for each text, each with the sign and marker of its first line.
fn lines_instead(tree: &Tree, text: &SpecificationText, texts: &[String]) -> Option<LineChange> {
    let texts_of_unit = &tree.source.texts;
    let span = whole_span(text);
    if !texts_of_unit.in_root(span) {
        return None;
    }
    let (_, start, end) = texts_of_unit.locate(span);
    let root = texts_of_unit.root();
    let length = span.start.checked_sub(root.base + root.line_start(start.line))?;
    let sign = root.line(start.line).get(..length as usize)?;
    let lines = texts.iter().map(|text| [sign, text.as_bytes()].concat()).collect();
    Some(LineChange { first_line: start.line, line_count: end.line - start.line + 1, lines })
}
