//! The specifications that a file holds: which statement each belongs to, and what its region variables stand for
//! (docs/semantics.md, section 1).
//!
//! A *group* is a row of specification comments above one statement; a specification is *attached* to that statement.
//! Entry point: [`specifications`]; result: [`Specifications`], with findings for the comments that are malformed or
//! belong to nothing. Whether an attached one holds is decided by [`crate::analysis::stencil::check`].

mod inactive;
mod lines;
mod regions;
#[cfg(test)]
mod tests;

pub use inactive::inactive;
pub use lines::CommentLines;
pub use regions::{DeclaredRegion, KnownRegions, ModuleRegions, RegionScopes, RegionSource, mentioned};

use super::rules;
use super::spec::{
    CommentText, DenoteError, OldSpelling, ParsedSpecification, Specification, SpecificationLine, SpecificationText,
    is_declaration, misspelt_keyword, parse, specification_texts,
};
use crate::diagnostics::{Finding, Location, Rule};
use crate::names::Resolved;
use crate::source::{Comment, Span};
use crate::syntax::{ConstructKind, StatementId, StatementKind, Tree, UnitId};
use regions::RegionDeclarations;

/// A specification with the statement that follows it.
#[derive(Clone, Debug)]
pub struct Attached {
    /// What it says.
    pub specification: Specification,
    /// Its text with the way back to the source.
    pub text: SpecificationText,
    /// The statement it stands above.
    pub statement: StatementId,
    /// For a construct: its last statement.
    pub last: Option<StatementId>,
    /// The unit it stands in.
    pub unit: Option<UnitId>,
    /// How many specification comments stand before it in the file.
    pub order: usize,
    /// The older words in it.
    pub old_spellings: Vec<OldSpelling>,
}

/// Everything that the comments of a file specify.
#[derive(Clone, Debug, Default)]
pub struct Specifications {
    /// The specifications that stand above a statement they can belong to.
    pub attached: Vec<Attached>,
    /// Region variables.
    pub regions: RegionDeclarations,
    /// Comments that are no specification although they begin like one, or that belong to nothing.
    pub findings: Vec<Finding>,
    /// How many stencil and access specifications are among those.
    pub lost: usize,
}

/// The source span of a part of a specification's text.
pub fn span_of(text: &SpecificationText, offset: usize, length: usize) -> Span {
    Span::new(text.source_offset(offset), text.source_offset(offset + length))
}

/// The source span of a specification, from its keyword on.
pub fn whole_span(text: &SpecificationText) -> Span {
    span_of(text, 0, text.text.len())
}

/// A finding at a span of a file.
pub fn finding(tree: &Tree, rule: &'static Rule, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(rule, Location::of(&tree.source.texts, span), message)
}

/// The comments of a file and of what it includes.
fn comment_texts(tree: &Tree) -> Vec<CommentText<'_>> {
    let texts = &tree.source.texts;
    let text_of = |comment: &Comment| CommentText {
        text: texts.bytes(comment.span).get(1..).unwrap_or_default(),
        start: comment.span.start + 1,
        own_line: comment.own_line,
        statements_before: comment.statements_before,
    };
    tree.source.comments.iter().map(text_of).collect()
}

/// The statement that follows a specification.
fn statement_below(comments: &[CommentText<'_>], text: &SpecificationText) -> StatementId {
    comments[text.comments.clone()]
        .last()
        .map_or(StatementId::default(), |comment| StatementId::from_raw(comment.statements_before))
}

/// Finds the specifications among the comments of a file.
pub fn specifications(tree: &Tree, resolved: &Resolved, modules: ModuleRegions<'_>) -> Specifications {
    let comments = comment_texts(tree);
    let mut found = Specifications::default();
    for (order, text) in specification_texts(&comments).into_iter().enumerate() {
        let next = statement_below(&comments, &text);
        let is_declaration = is_declaration(&text.text);
        let known = found.attached.len() + found.regions.all().len();
        read(tree, resolved, modules, &mut found, text, next, order);
        let is_lost = found.attached.len() + found.regions.all().len() == known;
        found.lost += usize::from(is_lost && !is_declaration);
    }
    found.findings.extend(comments.iter().filter(|comment| comment.own_line).filter_map(|comment| {
        let (word, meant) = misspelt_keyword(comment.text)?;
        let span = Span::new(comment.start + word.start as u32, comment.start + word.end as u32);
        let message = format!("This comment is no specification: perhaps '{meant}' is meant");
        Some(finding(tree, &rules::MISSPELT_SPECIFICATION, span, message))
    }));
    found
}

/// Reads one specification comment in front of the statement `next`.
fn read(
    tree: &Tree,
    resolved: &Resolved,
    modules: ModuleRegions<'_>,
    found: &mut Specifications,
    text: SpecificationText,
    next: StatementId,
    order: usize,
) {
    let unit = unit_at(tree, next);
    if !text.own_line {
        let message = "A specification must stand on a line of its own, above its statement";
        found.findings.push(finding(tree, &rules::UNATTACHED_SPECIFICATION, whole_span(&text), message));
        return;
    }
    let ParsedSpecification { line, old_spellings } = match parse(&text.text) {
        Ok(parsed) => parsed,
        Err(error) => {
            // At the end of the text nothing stands: an empty span behind the last character.
            let span = span_of(&text, error.offset, error.length);
            found.findings.push(finding(tree, &rules::MALFORMED_SPECIFICATION, span, error.to_string()));
            return;
        }
    };
    match line {
        SpecificationLine::Declaration(declaration) => {
            let declared = DeclaredRegion { declaration, text, unit, order, old_spellings };
            let scopes = RegionScopes { tree, resolved, modules, regions: &found.regions };
            match scopes.meaning_of(&declared) {
                Ok(meaning) => found.regions.push(declared, meaning),
                Err(finding) => found.findings.push(*finding),
            }
        }
        SpecificationLine::Specification(specification) => match target(tree, next) {
            Ok(last) => {
                let statement = next;
                found.attached.push(Attached { specification, text, statement, last, unit, order, old_spellings });
            }
            Err(message) => {
                found.findings.push(finding(tree, &rules::UNATTACHED_SPECIFICATION, whole_span(&text), message));
            }
        },
    }
}

/// What a specification in front of a statement can be attached to: an assignment (`None`), or a DO, FORALL or WHERE
/// construct, given by its last statement; else what is wrong.
fn target(tree: &Tree, next: StatementId) -> Result<Option<StatementId>, &'static str> {
    let Some(statement) = tree.statements.get(next) else { return Err("No statement follows") };
    if crate::flow::assignment_of(&statement.kind).is_some() {
        return Ok(None);
    }
    if let StatementKind::Unparsed(_) = statement.kind {
        return Err("The next statement was not understood, so that the specification can't be checked");
    }
    let construct = tree.construct_of[next].map(|construct| &tree.constructs[construct]);
    match construct {
        Some(construct)
            if construct.headers.first() == Some(&next)
                && matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall | ConstructKind::Where) =>
        {
            Ok(Some(construct.last))
        }
        _ => Err("The next statement holds no array computation"),
    }
}

/// The unit in which a comment in front of a statement stands.
fn unit_at(tree: &Tree, next: StatementId) -> Option<UnitId> {
    let unit = tree.unit_of.get(next).copied().flatten()?;
    let of = &tree.units[unit];
    if of.opening == Some(next) { of.parent } else { Some(unit) }
}

/// The finding for a region without a meaning.
pub fn denote_finding(tree: &Tree, text: &SpecificationText, error: &DenoteError) -> Finding {
    let (rule, at) = match error {
        DenoteError::UnknownVariable(name) => {
            (&rules::UNKNOWN_REGION_VARIABLE, span_of(text, name.offset, name.text.len()))
        }
        DenoteError::InvalidDimension { offset, .. } => (&rules::INVALID_DIMENSION, span_of(text, *offset, 1)),
        DenoteError::TooLarge => (&rules::MALFORMED_SPECIFICATION, whole_span(text)),
    };
    finding(tree, rule, at, error.to_string())
}
