//! The analysis `inputs`: the reading plans of the main programs of a file.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::code::{Call, FileCode};
use super::conditions::Flow;
use super::lower::lower_file;
use super::plan::Plan;
use super::program::assemble;
use super::{constants, rules, structure};
use crate::analysis::{Analysis, Context};
use crate::diagnostics::Rule;
use crate::workspace::{FileView, SummaryLookup};

/// What `inputs` can be asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputOptions {
    /// Whether conditions of which a part is not known are part of a plan.
    pub approximate: bool,
}

/// What a file reads.
#[derive(Debug)]
pub struct InputsOutcome {
    /// The plans of its main programs.
    pub plans: Vec<Plan>,
}

/// Finds what programs assume of the data that they read.
#[derive(Debug)]
pub struct Inputs {
    options: InputOptions,
    /// The files of external procedures by name, once one is asked for; `None` of a name that several have.
    externals: OnceLock<FxHashMap<String, Option<String>>>,
}

impl Analysis for Inputs {
    const NAME: &'static str = "inputs";
    const ABOUT: &'static str = "what a program assumes of the data that it reads";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = InputOptions;
    type Summary = FileCode;
    type Outcome = InputsOutcome;

    fn new(options: InputOptions) -> Self {
        Inputs { options, externals: OnceLock::new() }
    }

    fn summarise(&self, view: &FileView<'_>, _: &SummaryLookup<'_, FileCode>) -> FileCode {
        lower_file(view)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileCode>) -> InputsOutcome {
        let own = Arc::new(lower_file(view));
        let files = |call: &Call| {
            let path = match call.file.as_str() {
                "" if call.name.is_empty() => None,
                "" => self.externals(context).get(&call.name)?.as_deref(),
                path => Some(path),
            }?;
            if path == own.path { Some(Arc::clone(&own)) } else { context.summaries.of_file(Path::new(path)) }
        };
        let mains = own.procedures.iter().filter(|procedure| procedure.is_main);
        let plans = mains.map(|main| {
            let mut program = assemble(main, &files);
            constants::thread_statuses(&mut program);
            let flow = Flow::new(&program);
            let needs = flow.needs(self.options.approximate);
            structure::plan(&main.name, &program, &flow, &needs)
        });
        InputsOutcome { plans: plans.collect() }
    }
}

impl Inputs {
    /// The files of the external procedures of the project.
    fn externals(&self, context: &Context<'_, FileCode>) -> &FxHashMap<String, Option<String>> {
        self.externals.get_or_init(|| {
            let mut found: FxHashMap<String, Option<String>> = FxHashMap::default();
            for path in context.project.paths() {
                let Some(code) = context.summaries.of_file(path) else { continue };
                for procedure in code.procedures.iter().filter(|procedure| procedure.is_external && !procedure.is_main)
                {
                    let several = found.contains_key(&procedure.name);
                    found.insert(procedure.name.clone(), Some(code.path.clone()).filter(|_| !several));
                }
            }
            found
        })
    }
}
