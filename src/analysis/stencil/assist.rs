//! What an editor wants to know of a file at once: what is wrong, what each computation reads and could be specified
//! by, which specifications and region variables stand where.
//!
//! Result: [`AssistOutcome`], plain data with places as a person counts them.

use std::collections::HashMap;
use std::path::PathBuf;

use super::attach::{Attached, RegionScopes, RegionSource, Specifications, mentioned, span_of, whole_span};
use super::check::{CheckInput, CheckOptions, CheckRequest, Require, check, offsets};
use super::computations::{Computation, FileFunctions, unit_path};
use super::infer::{Inference, InferredComputation, insertions};
use super::spec::{Region, SpecificationText};
use super::{Depth, Stencils, attach, summarise};
use crate::analysis::{Analysis, Context};
use crate::diagnostics::edit::{LineInsertion, wrapped};
use crate::diagnostics::{Finding, Location, Rule};
use crate::region::Place;
use crate::source::{SourceForm, SourceTexts, Span};
use crate::syntax::{Tree, UnitId, UnitKind};
use crate::workspace::{FileView, SummaryLookup};

/// What can be asked.
#[derive(Clone, Debug)]
pub struct AssistOptions {
    /// What of `check`.
    pub check: CheckOptions,
    /// The marker of comments that are to be inserted.
    pub marker: char,
    /// Characters of an inserted line up to which it is not broken.
    pub line_length: Option<usize>,
}

/// What an editor gets to know of a file.
#[derive(Clone, Debug, Default)]
pub struct AssistOutcome {
    /// What is wrong, in order of place.
    pub findings: Vec<Finding>,
    /// The computations of the named file, in order of place.
    pub computations: Vec<AssistedComputation>,
    /// The specifications of the named file that stand above a statement, in order of place.
    pub specifications: Vec<WrittenSpecification>,
    /// Every mention of a region variable in the named file.
    pub regions: Vec<RegionMention>,
    /// First and last line of the statements and specifications that go on over several lines, in order of place.
    pub blocks: Vec<(u32, u32)>,
    /// Whether the file is in fixed form.
    pub is_fixed_form: bool,
}

/// An array computation.
#[derive(Clone, Debug)]
pub struct AssistedComputation {
    /// The statement.
    pub location: Location,
    /// The unit it stands in, as `module::procedure`.
    pub unit: String,
    /// The arrays that it reads, in the order of their first reads.
    pub arrays: Vec<AssistedArray>,
    /// What can be inserted above it: of arrays that no specification speaks of.
    pub insertions: Vec<LineInsertion>,
}

/// An array that a computation reads.
#[derive(Clone, Debug)]
pub struct AssistedArray {
    /// Its name as spelt in the first read.
    pub name: String,
    /// What is read of it; empty if that can't be described.
    pub reads: Vec<AssistedRead>,
    /// Whether no element is read twice.
    pub read_once: bool,
    /// What is inferred, a text for each line.
    pub specifications: Vec<String>,
    /// Why nothing is.
    pub reason: Option<&'static str>,
}

/// A read of an array, relative to the element that is written.
#[derive(Clone, Debug)]
pub struct AssistedRead {
    /// The reference.
    pub location: Location,
    /// The offset in each dimension; `None` where the index is none.
    pub offsets: Vec<Option<i64>>,
    /// The same as text: `(-1, 0)`.
    pub text: String,
}

/// A specification in a comment.
#[derive(Clone, Debug)]
pub struct WrittenSpecification {
    /// From its keyword to its end.
    pub location: Location,
    /// Its text, on one line.
    pub text: String,
    /// The statement that it stands above.
    pub statement: Location,
    /// The arrays that it speaks of, in lower case.
    pub arrays: Vec<String>,
}

/// A region variable where it is declared or used.
#[derive(Clone, Debug)]
pub struct RegionMention {
    /// The variable.
    pub variable: RegionVariable,
    /// Where its name stands.
    pub location: Location,
    /// Whether it is declared here.
    pub is_declaration: bool,
    /// The file in which it is declared.
    pub file: PathBuf,
}

/// A region variable, the same for all of its mentions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RegionVariable {
    /// Its name in lower case.
    pub name: String,
    /// What it belongs to: the module that exports it, or the place of its declaration.
    pub scope: String,
}

/// The analysis for editors.
#[derive(Debug)]
pub struct Assist {
    stencils: Stencils,
    require: Require,
    marker: char,
    line_length: Option<usize>,
}

impl Analysis for Assist {
    const NAME: &'static str = "server";
    const ABOUT: &'static str = "what an editor shows of a file";
    /// They are those of `check`.
    const RULES: &'static [&'static Rule] = &[];
    type Options = AssistOptions;
    type Summary = FileFunctions;
    type Outcome = AssistOutcome;

    fn new(options: AssistOptions) -> Self {
        let AssistOptions { check: CheckOptions { stencils, require }, marker, line_length } = options;
        Assist { stencils: Stencils::new(stencils), require, marker, line_length }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
        summarise(view, others)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> AssistOutcome {
        let file = self.stencils.file(view, context, Depth::Inference);
        let request = CheckRequest {
            require: self.require,
            registry: self.stencils.options.rules,
            levels: &self.stencils.options.levels,
            is_checked_itself: &|included| context.project.is_given(included),
            only: None,
        };
        let scopes = file.scopes();
        let input = file.check_input(&scopes);
        let checked = check(input, &mut self.stencils.solver(), request, view.front_end_findings());
        let mut findings = checked.findings;
        self.stencils.options.levels.apply(&mut findings);
        let tree = view.tree();
        let lines =
            |alone: &Inference| wrapped(insertions(tree, alone, &checked.covered, self.marker), self.line_length);
        AssistOutcome {
            findings,
            computations: computations(input, lines),
            specifications: input.specifications.attached.iter().filter_map(|one| written(input, one)).collect(),
            regions: region_mentions(input.scopes, input.specifications, context),
            blocks: blocks(tree, input.specifications),
            is_fixed_form: tree.source.form == SourceForm::Fixed,
        }
    }
}

impl Assist {
    /// The region variables that the named file mentions, without a look at its computations.
    pub fn regions(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> Vec<RegionMention> {
        let file = self.stencils.comments(view, context);
        let scopes = file.scopes();
        let input = file.check_input(&scopes);
        region_mentions(&scopes, input.specifications, context)
    }
}

/// The computations of the named file, with the `lines` that can be inserted for each.
fn computations(input: CheckInput<'_>, lines: impl Fn(&Inference) -> Vec<LineInsertion>) -> Vec<AssistedComputation> {
    let tree = input.scopes.tree;
    let inferred: HashMap<_, &InferredComputation> =
        input.inference.computations.iter().map(|computation| (computation.statement, computation)).collect();
    let is_here = |computation: &&Computation| tree.source.texts.in_root(tree.statements[computation.statement].span);
    let assisted = |computation: &Computation| {
        let inferred = inferred.get(&computation.statement).copied();
        let alone = Inference { computations: inferred.cloned().into_iter().collect() };
        AssistedComputation {
            location: input.place_of(computation.statement),
            unit: unit_path(tree, computation.unit),
            arrays: arrays(&tree.source.texts, computation, inferred),
            insertions: lines(&alone),
        }
    };
    let mut found: Vec<AssistedComputation> = input.computations.iter().filter(is_here).map(assisted).collect();
    found.sort_by(|one, next| one.location.cmp(&next.location));
    found
}

/// The offset that an index is.
fn offset(index: i64) -> Option<i64> {
    match Place::of(index) {
        Place::Offset(_, offset) => Some(offset),
        Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
    }
}

fn arrays(
    texts: &SourceTexts,
    computation: &Computation,
    inferred: Option<&InferredComputation>,
) -> Vec<AssistedArray> {
    let specifications = |name: &str| -> Vec<String> {
        let all = inferred.map_or(&[][..], |inferred| &inferred.specifications);
        let of_array = all.iter().filter(|one| one.variables.iter().any(|variable| variable == name));
        of_array.map(|one| one.text.clone()).collect()
    };
    let reason = |name: &str| {
        let all = inferred.map_or(&[][..], |inferred| &inferred.unspecified);
        all.iter().find(|one| one.variable == name).map(|one| one.reason.explanation())
    };
    let assisted = |array: &Result<_, _>| match array {
        Ok(access) => {
            let access: &super::computations::ArrayAccess = access;
            let reads = access.reads.iter().map(|read| AssistedRead {
                location: Location::of(texts, read.span),
                offsets: read.offsets.iter().map(|index| index.and_then(offset)).collect(),
                text: offsets(&read.offsets),
            });
            AssistedArray {
                name: access.spelling.clone(),
                reads: reads.collect(),
                read_once: access.read_once,
                specifications: specifications(&access.spelling),
                reason: reason(&access.spelling),
            }
        }
        Err(undescribed) => {
            let undescribed: &super::computations::Undescribed = undescribed;
            AssistedArray {
                name: undescribed.spelling.clone(),
                reads: Vec::new(),
                read_once: false,
                specifications: Vec::new(),
                reason: Some(undescribed.reason.explanation()),
            }
        }
    };
    computation.arrays.iter().map(assisted).collect()
}

/// A specification of the named file.
fn written(input: CheckInput<'_>, attached: &Attached) -> Option<WrittenSpecification> {
    let texts = &input.scopes.tree.source.texts;
    let span = whole_span(&attached.text);
    texts.in_root(span).then(|| WrittenSpecification {
        location: Location::of(texts, span),
        text: one_line(&attached.text),
        statement: input.place_of(attached.statement),
        arrays: attached.specification.variables.iter().map(super::spec::SpelledName::key).collect(),
    })
}

/// The text of a specification with single blanks.
fn one_line(text: &SpecificationText) -> String {
    let words: Vec<String> = String::from_utf8_lossy(&text.text).split_whitespace().map(str::to_owned).collect();
    words.join(" ")
}

/// Every mention of a region variable in the named file, in order of place.
fn region_mentions(
    scopes: &RegionScopes<'_>,
    specifications: &Specifications,
    context: &Context<'_, FileFunctions>,
) -> Vec<RegionMention> {
    let texts = &scopes.tree.source.texts;
    let mut found = Vec::new();
    for attached in &specifications.attached {
        let place = (&attached.text, attached.unit, attached.order);
        uses(scopes, context, &attached.specification.region, place, &mut found);
    }
    for (declared, _) in specifications.regions.all() {
        let place = (&declared.text, declared.unit, declared.order);
        uses(scopes, context, &declared.declaration.region, place, &mut found);
        let location = Location::of(texts, declared.name_span());
        let variable = own_variable(scopes.tree, declared);
        found.push(RegionMention { variable, file: location.path.clone(), location, is_declaration: true });
    }
    found.retain(|mention| mention.location.path == texts.root().path);
    found.sort_by(|one, next| one.location.cmp(&next.location));
    found
}

/// The uses of region variables in a region, which stands in a text, a unit, and behind so many specifications.
fn uses(
    scopes: &RegionScopes<'_>,
    context: &Context<'_, FileFunctions>,
    region: &Region,
    (text, unit, order): (&SpecificationText, Option<UnitId>, usize),
    found: &mut Vec<RegionMention>,
) {
    let texts = &scopes.tree.source.texts;
    let sources: HashMap<String, RegionSource<'_>> = scopes.sources(region, unit, order).into_iter().collect();
    mentioned(region, &mut |name| {
        let key = name.key();
        let declared = match sources.get(&key) {
            Some(RegionSource::Here(declared)) => {
                let file = Location::of(texts, declared.name_span()).path;
                Some((own_variable(scopes.tree, declared), file))
            }
            Some(RegionSource::Module(module)) => {
                let file = context.project.index().file_of_module(module);
                file.map(|file| (RegionVariable { name: key, scope: (*module).to_owned() }, file.to_path_buf()))
            }
            None => None,
        };
        if let Some((variable, file)) = declared {
            let location = Location::of(texts, span_of(text, name.offset, name.text.len()));
            found.push(RegionMention { variable, location, is_declaration: false, file });
        }
    });
}

/// A region variable that this file declares.
fn own_variable(tree: &Tree, declared: &attach::DeclaredRegion) -> RegionVariable {
    let of_module = declared.unit.filter(|unit| tree.units[*unit].kind == UnitKind::Module);
    let scope = match of_module {
        Some(unit) => unit_path(tree, unit).to_ascii_lowercase(),
        None => {
            let Location { path, start, .. } = Location::of(&tree.source.texts, declared.name_span());
            format!("{}:{}:{}", path.display(), start.line, start.column)
        }
    };
    RegionVariable { name: declared.declaration.name.key(), scope }
}

/// First and last line of what goes on over several lines in the named file.
fn blocks(tree: &Tree, specifications: &Specifications) -> Vec<(u32, u32)> {
    let texts = &tree.source.texts;
    let statements = tree.source.statements.iter().map(|statement| statement.span);
    let attached = specifications.attached.iter().map(|attached| whole_span(&attached.text));
    let declared = specifications.regions.all().iter().map(|(declared, _)| whole_span(&declared.text));
    let lines = |span: Span| {
        let (_, start, end) = texts.locate(span);
        (start.line, end.line)
    };
    let spans = statements.chain(attached).chain(declared).filter(|span| texts.in_root(*span));
    let mut blocks: Vec<(u32, u32)> = spans.map(lines).filter(|(first, last)| first < last).collect();
    blocks.sort_unstable();
    blocks
}
