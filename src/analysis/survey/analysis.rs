//! The analysis `survey` file by file.

use super::{FileSurvey, survey};
use crate::analysis::stencil::computations::{self, FileFunctions};
use crate::analysis::stencil::summarise;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::Rule;
use crate::workspace::{FileView, SummaryLookup};

/// What `survey` can be asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurveyOptions {
    /// Whether to find computations as the paper and CamFort do.
    pub paper: bool,
}

/// Classifies the array computations of a file.
#[derive(Debug)]
pub struct Survey {
    options: SurveyOptions,
}

impl Analysis for Survey {
    const NAME: &'static str = "survey";
    const ABOUT: &'static str = "the classes of every array computation, for an empirical study";
    const RULES: &'static [&'static Rule] = &[];
    type Options = SurveyOptions;
    type Summary = FileFunctions;
    type Outcome = FileSurvey;

    fn new(options: SurveyOptions) -> Self {
        Survey { options }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
        summarise(view, others)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> FileSurvey {
        let (tree, names) = (view.tree(), view.names());
        let computations = computations::formed_computations(tree, names, self.options.paper, &context.summaries);
        survey(tree, view.bytes(), &computations, self.options.paper)
    }
}
