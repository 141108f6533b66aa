//! The specifications that a file holds already: which statement each belongs to, and what its region variables stand for
//! (docs/semantics.md, section 1).

use std::collections::{BTreeMap, BTreeSet};

use crate::names::{ModuleIndex, Resolved};
use crate::report::{Finding, Location, Rule, rules};
use crate::source::{Comment, Span};
use crate::spec::{
    CommentText, Denotation, DenoteError, HIGHEST_RANK, Region, RegionDeclaration, Specification, SpecificationLine,
    SpecificationText, denote, parse, specification_texts,
};
use crate::syntax::{ConstructKind, StatementId, Tree, UnitId};

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
}

/// Everything that the comments of a file specify.
#[derive(Clone, Debug, Default)]
pub struct Specifications {
    /// The specifications that stand above a statement they can belong to.
    pub attached: Vec<Attached>,
    /// Region variables in the order of their declarations.
    pub regions: Vec<DeclaredRegion>,
    /// Comments that are no specification although they begin like one, or that belong to nothing.
    pub findings: Vec<Finding>,
}

/// A region variable with what it stands for.
#[derive(Clone, Debug)]
pub struct DeclaredRegion {
    name: String,
    unit: Option<UnitId>,
    order: usize,
    meaning: Denotation,
}

/// The source span of a part of a specification's text.
pub fn span_of(text: &SpecificationText, offset: usize, length: usize) -> Span {
    Span::new(text.source_offset(offset), text.source_offset(offset + length))
}

fn whole_span(text: &SpecificationText) -> Span {
    span_of(text, 0, text.text.len())
}

/// A finding at a span of a file.
pub fn finding(tree: &Tree, rule: &'static Rule, span: Span, message: String) -> Finding {
    Finding::new(rule, Location::of(&tree.source.texts, span), message)
}

/// The comments of the named file; what an included file specifies belongs to the places it is written for.
fn comment_texts(tree: &Tree) -> Vec<CommentText<'_>> {
    let texts = &tree.source.texts;
    let comments = tree.source.comments.iter().filter(|comment| texts.in_root(comment.span));
    let text_of = |comment: &Comment| CommentText {
        text: texts.bytes(comment.span).get(1..).unwrap_or_default(),
        start: comment.span.start + 1,
        own_line: comment.own_line,
        statements_before: comment.statements_before,
    };
    comments.map(text_of).collect()
}

/// Finds the specifications among the comments of a file.
pub fn specifications(tree: &Tree, resolved: &Resolved, index: &ModuleIndex) -> Specifications {
    let comments = comment_texts(tree);
    let mut found = Specifications::default();
    for (order, text) in specification_texts(&comments).into_iter().enumerate() {
        let next = comments[text.comments.clone()].last().map_or(0, |comment| comment.statements_before);
        let unit = unit_at(tree, next);
        if !text.own_line {
            let message = "A specification must stand on a line of its own, above its statement".to_string();
            found.findings.push(finding(tree, &rules::UNATTACHED_SPECIFICATION, whole_span(&text), message));
            continue;
        }
        match parse(&text.text).map(|parsed| parsed.line) {
            Err(error) => {
                // At the end of the text nothing stands: an empty span behind the last character.
                let span = span_of(&text, error.offset, error.length);
                found.findings.push(finding(tree, &rules::MALFORMED_SPECIFICATION, span, error.to_string()));
            }
            Ok(SpecificationLine::Declaration(declaration)) => {
                declare(tree, resolved, index, &mut found, &text, unit, order, &declaration);
            }
            Ok(SpecificationLine::Specification(specification)) => {
                let last = match target(tree, next) {
                    Target::Assignment => None,
                    Target::Construct(last) => Some(last),
                    Target::Nothing => {
                        let message = "The next statement holds no array computation".to_string();
                        found.findings.push(finding(
                            tree,
                            &rules::UNATTACHED_SPECIFICATION,
                            whole_span(&text),
                            message,
                        ));
                        continue;
                    }
                };
                found.attached.push(Attached { specification, text, statement: next, last, unit, order });
            }
        }
    }
    found
}

/// What a specification can stand above.
enum Target {
    Assignment,
    /// A DO, FORALL or WHERE construct with its last statement.
    Construct(StatementId),
    Nothing,
}

fn target(tree: &Tree, next: StatementId) -> Target {
    let Some(statement) = tree.statements.get(next as usize) else { return Target::Nothing };
    if crate::flow::assignment_of(&statement.kind).is_some() {
        return Target::Assignment;
    }
    let construct = tree.construct_of[next as usize].map(|construct| &tree.constructs[construct as usize]);
    match construct {
        Some(construct)
            if construct.headers.first() == Some(&next)
                && matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall | ConstructKind::Where) =>
        {
            Target::Construct(construct.last)
        }
        _ => Target::Nothing,
    }
}

/// The unit in which a comment in front of a statement stands.
fn unit_at(tree: &Tree, next: StatementId) -> Option<UnitId> {
    let unit = tree.unit_of.get(next as usize).copied().flatten()?;
    let of = &tree.units[unit as usize];
    if of.opening == Some(next) { of.parent } else { Some(unit) }
}

#[allow(
    clippy::too_many_arguments,
    reason = "the comment's place, its text and what was found so far belong to no one thing"
)]
fn declare(
    tree: &Tree,
    resolved: &Resolved,
    index: &ModuleIndex,
    found: &mut Specifications,
    text: &SpecificationText,
    unit: Option<UnitId>,
    order: usize,
    declaration: &RegionDeclaration,
) {
    let name = declaration.name.key();
    let at = span_of(text, declaration.name.offset, declaration.name.text.len());
    let known = found.regions.iter().any(|region| region.unit == unit && region.name == name);
    if known || mentions(&declaration.region, &name) {
        let how = if known { "is declared twice in one scope" } else { "is declared in terms of itself" };
        let message = format!("Region variable '{}' {how}", declaration.name.text);
        found.findings.push(finding(tree, &rules::REGION_VARIABLE_REDEFINED, at, message));
        return;
    }
    let scopes = RegionScopes { tree, resolved, index, regions: &found.regions };
    match scopes.denote(&declaration.region, HIGHEST_RANK, unit, order) {
        Ok(meaning) => found.regions.push(DeclaredRegion { name, unit, order, meaning }),
        Err(error) => found.findings.push(denote_finding(tree, text, &error)),
    }
}

/// Whether a region mentions a variable. The parser bounds how deep regions nest.
fn mentions(region: &Region, name: &str) -> bool {
    match region {
        Region::Constant(_) => false,
        Region::Variable(variable) => variable.key() == name,
        Region::Sum(operands) | Region::Product(operands) => operands.iter().any(|operand| mentions(operand, name)),
    }
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

/// What region variables stand for at some place.
pub struct RegionScopes<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The modules of the project.
    pub index: &'t ModuleIndex,
    /// The declarations of this file.
    pub regions: &'t [DeclaredRegion],
}

impl RegionScopes<'_> {
    /// The meaning of a region at a place: in a unit, behind so many specification comments.
    ///
    /// # Errors
    ///
    /// When a variable is not in scope, or a dimension exceeds the rank.
    pub fn denote(
        &self,
        region: &Region,
        rank: usize,
        unit: Option<UnitId>,
        order: usize,
    ) -> Result<Denotation, DenoteError> {
        denote(region, rank, &|name| self.meaning(name, unit, order))
    }

    /// Own and host units from the inside, each with the modules it uses.
    fn meaning(&self, name: &str, unit: Option<UnitId>, order: usize) -> Option<Denotation> {
        let mut at = unit;
        while let Some(unit) = at {
            let declared =
                |region: &&DeclaredRegion| region.unit == Some(unit) && region.name == name && region.order < order;
            if let Some(region) = self.regions.iter().find(declared) {
                return Some(region.meaning.clone());
            }
            at = self.tree.units[unit as usize].parent;
        }
        let unit = unit?;
        let scope = self.resolved.scope_of(self.tree.units[unit as usize].first);
        let modules = self.resolved.used_modules(scope);
        let mut meanings = BTreeMap::new();
        for (module, _) in modules {
            self.exported(module, name, 0, &mut BTreeSet::new(), &mut meanings);
        }
        // Two modules that export different regions under one name leave it unknown.
        let mut meanings = meanings.into_values();
        let first: Denotation = meanings.next()?;
        meanings.all(|other| other.union == first.union).then_some(first)
    }

    /// What a module exports under a name: its own declaration, else those of the modules it uses.
    fn exported(
        &self,
        module: &str,
        name: &str,
        depth: usize,
        visited: &mut BTreeSet<String>,
        meanings: &mut BTreeMap<String, Denotation>,
    ) {
        if !visited.insert(module.to_string()) {
            return;
        }
        let declarations = self.index.region_declarations(module);
        if let Some((_, text)) = declarations.iter().find(|(declared, _)| declared == name) {
            if let Ok(parsed) = parse(text.as_bytes())
                && let SpecificationLine::Declaration(declaration) = parsed.line
                && depth < VARIABLES_DEEP
            {
                let meaning = denote(&declaration.region, HIGHEST_RANK, &|inner| {
                    if inner == name {
                        return None;
                    }
                    let mut found = BTreeMap::new();
                    self.exported(module, inner, depth + 1, &mut BTreeSet::new(), &mut found);
                    found.into_values().next()
                });
                meanings.extend(meaning.ok().map(|meaning| (module.to_string(), meaning)));
            }
            return;
        }
        for used in self.index.used_modules(module) {
            self.exported(used, name, depth, visited, meanings);
        }
    }
}

/// How many region variables are followed, each named in the declaration of the one before: around a ring of modules they
/// would never end.
const VARIABLES_DEEP: usize = 16;

/// The region variables of the modules of a file, as (module, name, text), for the index.
pub fn region_declarations(tree: &Tree) -> Vec<(String, String, String)> {
    let comments = comment_texts(tree);
    let mut found = Vec::new();
    for text in specification_texts(&comments) {
        let next = comments[text.comments.clone()].last().map_or(0, |comment| comment.statements_before);
        let Some(unit) = unit_at(tree, next) else { continue };
        if let Ok(parsed) = parse(&text.text)
            && let SpecificationLine::Declaration(declaration) = parsed.line
            && matches!(tree.units[unit as usize].kind, crate::syntax::UnitKind::Module)
        {
            let module = crate::access::unit_path(tree, unit);
            found.push((module, declaration.name.key(), String::from_utf8_lossy(&text.text).into_owned()));
        }
    }
    found
}
