//! From computations to specifications (paper, section 6.3).

use std::collections::{BTreeMap, HashMap};

use super::place::Places;
use super::{Border, Inference, InferredComputation, InferredSpecification, ListedRead, Reason, Unspecified};
use crate::analysis::stencil::computations::{
    ArrayAccess, Computation, ConstantNames, Offsets, RelativeRead, Undescribed, on_paper, spoken, unit_path,
};
use crate::analysis::stencil::index_record::index_records;
use crate::analysis::stencil::spec::{Approximation, ComputationKind, specification_text};
use crate::region::{Component, Inferred, Interval, RegionLanguage, Scheme, SubscriptScheme, Unf, infer_regions};
use crate::source::Span;
use crate::syntax::Tree;

/// What to infer.
#[derive(Clone, Copy, Debug, Default)]
pub struct InferenceOptions {
    /// What of the language may be used.
    pub language: Language,
    /// Leave out specifications whose every constant is `pointed`.
    pub nontrivial: bool,
    /// Say what is read at most where the index of one dimension is not known.
    pub partial_dimensions: bool,
    /// List the reads of every computation.
    pub lists_reads: bool,
}

/// What of the specification language may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Language {
    /// Only what the paper has: no `along`, `free`, `fixed` and `shifted`.
    pub paper: bool,
    /// Say fixed indices also in a dimension in which every read has one.
    pub fixed: bool,
}

/// Infers the specifications of all computations of a file.
pub fn infer(tree: &Tree, computations: &[Computation], options: InferenceOptions) -> Inference {
    let roots = computations.iter().filter(|computation| computation.is_root);
    let places = Places::new(tree, computations.iter());
    let mut known = KnownRegions::new(options.language);
    Inference {
        computations: roots.map(|computation| infer_one(tree, computation, &places, options, &mut known)).collect(),
    }
}

/// One line in the making, apart from its variables.
#[derive(Clone)]
struct SpecificationDraft {
    kind: ComputationKind,
    read_once: bool,
    approximation: Approximation,
    region: Unf<Interval>,
    constant_names: ConstantNames,
}

impl SpecificationDraft {
    /// What the line says of a variable: arrays of which the same is said share a line, whatever their ranks.
    fn text(&self, variables: &[String]) -> Option<String> {
        let name = |dimension: usize, code| self.constant_names.get(&(dimension - 1, code)).map(ToString::to_string);
        specification_text(self.kind, self.read_once, self.approximation, &self.region, &name, variables)
    }
}

fn infer_one(
    tree: &Tree,
    computation: &Computation,
    places: &Places<'_>,
    options: InferenceOptions,
    known: &mut KnownRegions,
) -> InferredComputation {
    let mut inferred = InferredComputation {
        statement: computation.statement,
        above: places.above(computation.statement).unwrap_or(computation.statement),
        span: tree.statements[computation.statement].span,
        unit: unit_path(tree, computation.unit),
        kind: computation.left.kind,
        specifications: Vec::new(),
        unspecified: Vec::new(),
        borders: Vec::new(),
        reads: if options.lists_reads { reads_of(computation) } else { Vec::new() },
    };
    let mut lines: BTreeMap<String, (SpecificationDraft, Vec<String>)> = BTreeMap::new();
    for array in &computation.arrays {
        let access = match array {
            Ok(access) => access,
            Err(Undescribed { partial: Some(partial), .. })
                if options.partial_dimensions && !known.lines_of(partial).is_empty() =>
            {
                &**partial
            }
            Err(undescribed) => {
                inferred.unspecified.push(Unspecified {
                    variable: undescribed.spelling.clone(),
                    reason: undescribed.reason,
                    span: undescribed.span,
                });
                continue;
            }
        };
        let of_array = known.lines_of(access);
        let obstacle = places.obstacle(computation.statement, &access.spelling);
        let reason = obstacle.or(of_array.is_empty().then_some(Reason::AbsoluteOnly));
        match reason {
            Some(reason) => {
                let span = if obstacle.is_some() { inferred.span } else { blamed(access).unwrap_or(inferred.span) };
                inferred.unspecified.push(Unspecified { variable: access.spelling.clone(), reason, span });
            }
            None => {
                let border = access.border.map(|span| Border { variable: access.spelling.clone(), span });
                inferred.borders.extend(border);
                for line in of_array {
                    let Some(text) = line.text(&[String::new()]) else { continue };
                    let (shared, variables) = lines.entry(text).or_insert_with(|| (line.clone(), Vec::new()));
                    variables.push(access.spelling.clone());
                    // Of arrays of different rank the highest one's region holds for all.
                    if line.region.rank() > shared.region.rank() {
                        *shared = line;
                    }
                }
            }
        }
    }
    let specifications = lines.into_values().filter_map(|(line, variables)| specification(line, variables));
    inferred.specifications =
        specifications.filter(|specification| !(options.nontrivial && specification.is_trivial())).collect();
    inferred.specifications.sort_by_cached_key(InferredSpecification::order);
    inferred
}

/// The subscript scheme of a read.
pub fn scheme(offsets: &Offsets) -> SubscriptScheme {
    Scheme::new(offsets.iter().map(|offset| offset.map_or(Component::Every, Component::Within)).collect())
}

/// What regions say of one array: one that is exact, or one or two bounds; none when there is nothing to say.
pub fn regions_of(access: &ArrayAccess, language: Language) -> Vec<(Approximation, Unf<Interval>)> {
    KnownRegions::new(language).regions_of(access)
}

/// What regions say of sets of reads. Code repeats itself, and what the reads are does not depend on where they stand.
struct KnownRegions {
    language: Language,
    by_reads: HashMap<Vec<SubscriptScheme>, Inferred>,
}

impl KnownRegions {
    fn new(language: Language) -> Self {
        KnownRegions { language, by_reads: HashMap::new() }
    }

    fn regions_of(&mut self, access: &ArrayAccess) -> Vec<(Approximation, Unf<Interval>)> {
        let (reads, language) = match self.language.paper {
            true => (access.reads.iter().map(|read| scheme(&on_paper(&read.offsets))).collect(), RegionLanguage::Paper),
            false => {
                let reads = spoken(&access.reads, |_| self.language.fixed).iter().map(scheme).collect();
                (reads, RegionLanguage::Extended)
            }
        };
        let reads: Vec<SubscriptScheme> = reads;
        let inferred = self.by_reads.entry(reads).or_insert_with_key(|reads| infer_regions(reads, language));
        said(inferred.clone(), access.is_partial)
    }

    /// The lines for one array.
    fn lines_of(&mut self, access: &ArrayAccess) -> Vec<SpecificationDraft> {
        let line = |(approximation, region)| SpecificationDraft {
            kind: access.kind,
            read_once: access.read_once,
            approximation,
            region,
            constant_names: access.constant_names.clone(),
        };
        self.regions_of(access).into_iter().map(line).collect()
    }
}

/// What is said of regions, of arrays of which all reads are known or only part of their indices.
fn said(inferred: Inferred, is_partial: bool) -> Vec<(Approximation, Unf<Interval>)> {
    match inferred {
        Inferred::Exact(region) if is_partial => vec![(Approximation::AtMost, region)],
        Inferred::Exact(region) => vec![(Approximation::Exact, region)],
        Inferred::Bounds { at_least, at_most } => {
            let lower = at_least.map(|region| (Approximation::AtLeast, region)).filter(|_| !is_partial);
            // An upper bound of all of Z^N says nothing.
            let says_something = !at_most.schemes().iter().any(Scheme::is_every);
            let upper = says_something.then_some((Approximation::AtMost, at_most));
            lower.into_iter().chain(upper).collect()
        }
        Inferred::Nothing => Vec::new(),
    }
}

/// What is inferred for one array alone, a text for each line.
pub fn specifications_of(access: &ArrayAccess, language: Language) -> Vec<String> {
    let variable = std::slice::from_ref(&access.spelling);
    KnownRegions::new(language).lines_of(access).iter().filter_map(|line| line.text(variable)).collect()
}

/// The read that leaves nothing to say of an array: one with absolute indices only.
fn blamed(access: &ArrayAccess) -> Option<Span> {
    let absolute = |read: &&RelativeRead| read.offsets.iter().all(Option::is_none);
    access.reads.iter().find(absolute).or(access.reads.first()).map(|read| read.span)
}

fn specification(line: SpecificationDraft, mut variables: Vec<String>) -> Option<InferredSpecification> {
    variables.sort_by_cached_key(|name| (name.to_ascii_lowercase(), name.clone()));
    let text = line.text(&variables)?;
    Some(InferredSpecification {
        text,
        variables,
        kind: line.kind,
        read_once: line.read_once,
        approximation: line.approximation,
        region: line.region,
        constant_names: line.constant_names,
    })
}

/// The reads of a computation, array by array.
fn reads_of(computation: &Computation) -> Vec<ListedRead> {
    let of_array = |access: &ArrayAccess| {
        let listed = |read: &RelativeRead| ListedRead {
            variable: access.spelling.clone(),
            span: read.span,
            indices: index_records(&read.offsets, &access.constant_names),
        };
        access.reads.iter().map(listed).collect::<Vec<_>>()
    };
    computation.arrays.iter().filter_map(|array| array.as_ref().ok()).flat_map(of_array).collect()
}
