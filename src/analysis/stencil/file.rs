//! A file as the analyses of stencils see it, and what they keep over a run.

use std::collections::BTreeSet;
use std::path::Path;

use super::attach::{self, KnownRegions, ModuleRegions, RegionScopes, Specifications};
use super::check::CheckInput;
use super::computations::{self, Computation, FileFunctions, Library};
use super::infer::{self, Inference, InferenceOptions, Language};
use super::rules;
use crate::analysis::Context;
use crate::diagnostics::{self, Levels, Registry};
use crate::solve::{Memo, Procedure, Solver};
use crate::workspace::{FileView, SummaryLookup};

/// What every analysis of stencils can be asked.
#[derive(Clone, Debug)]
pub struct StencilOptions {
    /// Whether to do as the paper and CamFort do, without section 6 of docs/semantics.md.
    pub paper: bool,
    /// Whether specifications whose every constant is `pointed` are left out of what is inferred.
    pub nontrivial: bool,
    /// Whether fixed indices are said also in a dimension in which every read of an array has one.
    pub fixed: bool,
    /// Whether it is said what is read at most where the index of one dimension is not known.
    pub partial_dimensions: bool,
    /// Whether the reads of every computation are listed.
    pub lists_reads: bool,
    /// What decides whether code and specification agree.
    pub solver: Procedure,
    /// The rules that comments can name.
    pub rules: Registry,
    /// The severities of the rules.
    pub levels: Levels,
}

impl Default for StencilOptions {
    fn default() -> Self {
        let rules = Registry::new(&[diagnostics::rules::ALL, rules::ALL]);
        let (solver, levels) = (Procedure::default(), Levels::default());
        StencilOptions {
            paper: false,
            nontrivial: false,
            fixed: false,
            partial_dimensions: false,
            lists_reads: false,
            solver,
            rules,
            levels,
        }
    }
}

impl StencilOptions {
    fn inference(&self) -> InferenceOptions {
        InferenceOptions {
            language: Language { paper: self.paper, fixed: self.fixed },
            nontrivial: self.nontrivial,
            partial_dimensions: self.partial_dimensions,
            lists_reads: self.lists_reads,
        }
    }
}

/// What is sought in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Its computations if something is specified; where nothing is, there is nothing to look for.
    Specified,
    /// All of its computations.
    Computations,
    /// All of its computations, and what can be said of them.
    Inference,
}

/// What every analysis of stencils keeps over a run.
#[derive(Debug)]
pub struct Stencils {
    /// What it was asked.
    pub options: StencilOptions,
    decided: Memo,
    regions: KnownRegions,
}

/// What others must know of a file: what its functions read.
impl Library for SummaryLookup<'_, FileFunctions> {
    fn functions_of(&self, file: &Path) -> Option<std::sync::Arc<FileFunctions>> {
        self.of_file(file)
    }
}

/// The summary of a file.
pub fn summarise(view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
    computations::file_functions(view.tree(), view.names(), others)
}

impl Stencils {
    /// Nothing is known yet.
    pub fn new(options: StencilOptions) -> Self {
        Stencils { options, decided: Memo::default(), regions: KnownRegions::default() }
    }

    /// A solver that asks what was not decided yet.
    pub fn solver(&self) -> impl Solver + '_ {
        self.decided.before(self.options.solver.solver())
    }

    /// The computations of a file, as far as they are wanted, and its comments.
    pub fn file<'v>(
        &'v self,
        view: &'v FileView<'v>,
        context: &'v Context<'_, FileFunctions>,
        depth: Depth,
    ) -> StencilFile<'v> {
        let (tree, names) = (view.tree(), view.names());
        let modules = ModuleRegions::new(context.project, &self.regions);
        let specifications = attach::specifications(tree, names, modules);
        let wanted: BTreeSet<_> = specifications.attached.iter().map(|attached| attached.statement).collect();
        let computations = match depth == Depth::Specified && wanted.is_empty() {
            true => Vec::new(),
            false => computations::computations(tree, names, self.options.paper, &wanted, &context.summaries),
        };
        let inference = match depth {
            Depth::Specified | Depth::Computations => Inference::default(),
            Depth::Inference => infer::infer(tree, &computations, self.options.inference()),
        };
        StencilFile { view, modules, specifications, computations, inference, paper: self.options.paper }
    }

    /// The comments of a file alone.
    pub fn comments<'v>(&'v self, view: &'v FileView<'v>, context: &'v Context<'_, FileFunctions>) -> StencilFile<'v> {
        let modules = ModuleRegions::new(context.project, &self.regions);
        let specifications = attach::specifications(view.tree(), view.names(), modules);
        let (computations, inference) = (Vec::new(), Inference::default());
        StencilFile { view, modules, specifications, computations, inference, paper: self.options.paper }
    }
}

/// What a file holds: what its comments specify, and its computations, among which is every statement that a
/// specification stands above.
pub struct StencilFile<'v> {
    view: &'v FileView<'v>,
    modules: ModuleRegions<'v>,
    specifications: Specifications,
    computations: Vec<Computation>,
    /// What inference says of the computations, if it was asked.
    pub inference: Inference,
    paper: bool,
}

impl StencilFile<'_> {
    /// What its region variables stand for.
    pub fn scopes(&self) -> RegionScopes<'_> {
        RegionScopes {
            tree: self.view.tree(),
            resolved: self.view.names(),
            modules: self.modules,
            regions: &self.specifications.regions,
        }
    }

    /// All that is held against each other.
    pub fn check_input<'s>(&'s self, scopes: &'s RegionScopes<'s>) -> CheckInput<'s> {
        CheckInput {
            scopes,
            specifications: &self.specifications,
            computations: &self.computations,
            inference: &self.inference,
            paper: self.paper,
        }
    }
}
