//! The analysis `inputs`: the reading plans of the main programs of a file.

use std::path::Path;
use std::sync::Arc;

use super::code::FileCode;
use super::conditions::Flow;
use super::lower::lower_file;
use super::plan::Plan;
use super::program::assemble;
use super::{constants, rules, structure};
use crate::analysis::{Analysis, Context};
use crate::diagnostics::Rule;
use crate::workspace::{FileView, SummaryLookup};

/// What a file reads.
#[derive(Debug)]
pub struct InputsOutcome {
    /// The plans of its main programs.
    pub plans: Vec<Plan>,
}

/// Finds what programs assume of the data that they read.
#[derive(Debug)]
pub struct Inputs;

impl Analysis for Inputs {
    const NAME: &'static str = "inputs";
    const ABOUT: &'static str = "what a program assumes of the data that it reads";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = ();
    type Summary = FileCode;
    type Outcome = InputsOutcome;

    fn new((): ()) -> Self {
        Inputs
    }

    fn summarise(&self, view: &FileView<'_>, _: &SummaryLookup<'_, FileCode>) -> FileCode {
        lower_file(view)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileCode>) -> InputsOutcome {
        let own = Arc::new(lower_file(view));
        let files = |path: &str| match path {
            "" => None,
            path if path == own.path => Some(Arc::clone(&own)),
            path => context.summaries.of_file(Path::new(path)),
        };
        let mains = own.procedures.iter().filter(|procedure| procedure.is_main);
        let plans = mains.map(|main| {
            let mut program = assemble(main, &files);
            constants::thread_statuses(&mut program);
            let flow = Flow::new(&program);
            let needs = flow.needs();
            structure::plan(&main.name, &program, &flow, &needs)
        });
        InputsOutcome { plans: plans.collect() }
    }
}
