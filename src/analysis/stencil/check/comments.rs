//! What is to be said of comments by themselves: older words, expressions longer than need be, region variables that
//! nobody uses, specifications that nobody checks; and of computations without any.

use super::attributed::{AttributedFinding, CommentEdit};
use super::claim::DenotedClaim;
use super::fix;
use super::input::{CheckInput, CheckRequest, Require};
use crate::analysis::stencil::attach::{finding, inactive, span_of, whole_span};
use crate::analysis::stencil::infer::{Covered, InferredSpecification, remaining};
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{OldSpelling, Region, SpecificationText, is_declaration, shorter};
use crate::diagnostics::{Finding, Note};
use crate::source::Span;
use crate::syntax::Tree;

/// S004 and S017, and what was found when the comments were read.
pub fn findings(input: CheckInput<'_>) -> Vec<AttributedFinding> {
    let tree = input.scopes.tree;
    let mut found: Vec<AttributedFinding> =
        input.specifications.findings.iter().cloned().map(AttributedFinding::unattached).collect();
    for (number, attached) in input.specifications.attached.iter().enumerate() {
        let old_words = old_words(tree, &attached.text, &attached.old_spellings);
        found.extend(old_words.zip(&attached.old_spellings).map(|(finding, word)| {
            let edit = CommentEdit { old_words: [word.offset].into(), ..CommentEdit::default() };
            AttributedFinding { finding, anchor: Some(attached.statement), array: None, edits: [(number, edit)].into() }
        }));
    }
    for (declared, _) in input.specifications.regions.all() {
        found.extend(old_words(tree, &declared.text, &declared.old_spellings).map(|mut finding| {
            finding.fix = fix::declaration_fix(tree, declared);
            AttributedFinding::unattached(finding)
        }));
    }
    let attached = input.specifications.attached.iter();
    let regions = attached.map(|attached| (&attached.specification.region, attached.unit, attached.order));
    for declared in input.scopes.unused(regions) {
        let message = format!("Region variable '{}' is never used", declared.declaration.name.text);
        found.push(AttributedFinding::unattached(finding(
            tree,
            &rules::UNUSED_REGION_VARIABLE,
            declared.name_span(),
            message,
        )));
    }
    found
}

/// S009, and how many of the findings are on stencil and access specifications.
pub fn in_inactive_branches(tree: &Tree, request: CheckRequest<'_>) -> (Vec<AttributedFinding>, usize) {
    let message = "A specification in a branch of the preprocessor that is not compiled is not checked";
    let texts = &tree.source.texts;
    let is_checked_here = |span: &Span| {
        let path = &texts.text_at(span.start).path;
        *path == texts.root().path || !(request.is_checked_itself)(path)
    };
    let spans: Vec<Span> = inactive(tree).into_iter().filter(is_checked_here).collect();
    let specifications = spans.iter().filter(|span| !is_declaration(texts.bytes(**span))).count();
    let found = spans.into_iter().map(|span| finding(tree, &rules::INACTIVE_SPECIFICATION, span, message));
    (found.map(AttributedFinding::unattached).collect(), specifications)
}

fn old_words<'t>(
    tree: &'t Tree,
    text: &'t SpecificationText,
    words: &'t [OldSpelling],
) -> impl Iterator<Item = Finding> + 't {
    words.iter().map(|word| {
        let span = span_of(text, word.offset, word.old.len());
        finding(tree, &rules::OLD_SPELLING, span, format!("'{}' is called '{}' now", word.old, word.new))
    })
}

/// S021, and the shorter region.
pub fn overlong(input: CheckInput<'_>, claim: &DenotedClaim<'_>) -> Option<(Finding, Region)> {
    let region = shorter(&claim.meaning)?;
    let message = format!("The specification is longer than need be: '{region}' means the same");
    let span = whole_span(&claim.claim.attached.text);
    Some((finding(input.scopes.tree, &rules::OVERLONG_SPECIFICATION, span, message), region))
}

/// S020: computations that lack a specification that is required.
pub fn missing(input: CheckInput<'_>, covered: &Covered, require: Require) -> Vec<AttributedFinding> {
    let mut found = Vec::new();
    let is_required = |specification: &&InferredSpecification| match require {
        Require::Nothing => false,
        Require::Nontrivial => !specification.is_trivial(),
        Require::All => true,
    };
    for computation in &input.inference.computations {
        let covered = covered.get(&computation.statement);
        let required: Vec<_> = computation.specifications.iter().filter(is_required).collect();
        let texts: Vec<String> = required.iter().filter_map(|one| remaining(one, covered)).collect();
        if texts.is_empty() {
            continue;
        }
        let is_covered = |name: &str| covered.is_some_and(|covered| covered.contains(&name.to_ascii_lowercase()));
        let mut names: Vec<String> = Vec::new();
        for name in required.iter().flat_map(|one| &one.variables).filter(|name| !is_covered(name)) {
            let quoted = format!("'{name}'");
            if !names.contains(&quoted) {
                names.push(quoted);
            }
        }
        let message = format!("No specification for {}", names.join(", "));
        let mut finding = finding(input.scopes.tree, &rules::MISSING_SPECIFICATION, computation.span, message);
        finding.fix = fix::insertion(input, computation, &texts);
        finding.notes.extend(texts.into_iter().map(Note::Inferred));
        found.push(AttributedFinding::at_statement(finding, computation.statement, []));
    }
    found
}
