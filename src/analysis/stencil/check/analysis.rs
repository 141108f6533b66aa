//! The analysis `check`: every specification of a file against its code.

use super::check;
use super::input::{CheckInput, CheckRequest, Checked, ClaimFilter, Require};
use crate::analysis::stencil::computations::FileFunctions;
use crate::analysis::stencil::infer::Inference;
use crate::analysis::stencil::{Depth, StencilOptions, Stencils, rules, summarise};
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Finding, Level, Rule};
use crate::solve::Solver;
use crate::workspace::{FileView, SummaryLookup};

/// What `check` can be asked.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Those of every analysis of stencils.
    pub stencils: StencilOptions,
    /// Which computations must have a specification.
    pub require: Require,
}

/// What `check` says of a file.
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    /// What is wrong, in order of place.
    pub findings: Vec<Finding>,
    /// Number of stencil and access specifications among the comments.
    pub specifications: usize,
    /// Number of them that were verified and hold.
    pub holding: usize,
    /// What inference says of the computations, if some must have a specification.
    pub inference: Inference,
}

/// Checks specifications.
#[derive(Debug)]
pub struct Check {
    stencils: Stencils,
    require: Require,
}

impl Analysis for Check {
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "whether the specifications in the comments agree with the code";
    /// They stand with those of `infer`.
    const RULES: &'static [&'static Rule] = &[];
    type Options = CheckOptions;
    type Summary = FileFunctions;
    type Outcome = CheckOutcome;

    fn new(options: CheckOptions) -> Self {
        Check { stencils: Stencils::new(options.stencils), require: options.require }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
        summarise(view, others)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> CheckOutcome {
        self.check(view, context, None)
    }
}

impl Check {
    /// Checks a file; of some claims alone, if they are given.
    pub fn check(
        &self,
        view: &FileView<'_>,
        context: &Context<'_, FileFunctions>,
        only: Option<&ClaimFilter<'_>>,
    ) -> CheckOutcome {
        let options = &self.stencils.options;
        let is_told = |rule| options.levels.level(rule, view.path()) != Level::Off;
        let depth = match self.require {
            Require::Nontrivial | Require::All => Depth::Inference,
            // It needs no specification.
            Require::Nothing if !options.paper && is_told(&rules::PERMUTED_SUBSCRIPTS) => Depth::Computations,
            Require::Nothing => Depth::Specified,
        };
        let file = self.stencils.file(view, context, depth);
        let request = CheckRequest {
            require: self.require,
            registry: self.stencils.options.rules,
            levels: &self.stencils.options.levels,
            is_checked_itself: &|included| context.project.is_given(included),
            only,
        };
        let scopes = file.scopes();
        let front_end = view.front_end_findings();
        let Checked { findings, specifications, holding, .. } =
            check(file.check_input(&scopes), &mut self.stencils.solver(), request, front_end);
        CheckOutcome { findings, specifications, holding, inference: file.inference }
    }

    /// What is to be said of a file's specifications by another analysis.
    pub fn with_subject<R>(
        &self,
        view: &FileView<'_>,
        context: &Context<'_, FileFunctions>,
        with: impl FnOnce(CheckInput<'_>, &mut dyn Solver) -> R,
    ) -> R {
        let file = self.stencils.file(view, context, Depth::Specified);
        let scopes = file.scopes();
        with(file.check_input(&scopes), &mut self.stencils.solver())
    }
}
