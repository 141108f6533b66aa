//! The analysis `inputs`: the reading plans of the main programs of a file.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Call, FileCode, Procedure};
use super::conditions::Flow;
use super::lower::lower_file;
use super::plan::Plan;
use super::program::assemble;
use super::{constants, rules, structure};
use crate::analysis::preconditions::FailureOptions;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::Rule;
use crate::workspace::{FileView, SummaryLookup};

/// What `inputs` can be asked.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// What counts as a failure.
    pub failures: FailureOptions,
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
}

impl Analysis for Inputs {
    const NAME: &'static str = "inputs";
    const ABOUT: &'static str = "what a program assumes of the data that it reads";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = InputOptions;
    type Summary = FileCode;
    type Outcome = InputsOutcome;

    fn new(options: InputOptions) -> Self {
        Inputs { options }
    }

    fn summarise(&self, view: &FileView<'_>, _: &SummaryLookup<'_, FileCode>) -> FileCode {
        lower_file(view, &self.options.failures)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileCode>) -> InputsOutcome {
        if !view.tree().has_main_program() {
            return InputsOutcome { plans: Vec::new() };
        }
        let own = Arc::new(lower_file(view, &self.options.failures));
        let known: RefCell<KnownFiles> = RefCell::default();
        let files = |call: &Call| {
            if call.file == own.path {
                return vec![Arc::clone(&own)];
            }
            let key = match call.file.as_str() {
                "" if call.name.is_empty() => return Vec::new(),
                "" => (String::new(), call.name.clone()),
                path => (path.to_owned(), String::new()),
            };
            if let Some(known) = known.borrow().get(&key) {
                return known.clone();
            }
            let found = match &key {
                (path, name) if path.is_empty() => files_of_external(context, &own, name),
                (path, _) => context.summaries.of_file(Path::new(path)).into_iter().collect(),
            };
            known.borrow_mut().insert(key, found.clone());
            found
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

/// The code of files by their path, or else by the external subroutine that they are asked for.
type KnownFiles = FxHashMap<(String, String), Vec<Arc<FileCode>>>;

/// The code of the files of external subroutines of a name. One in a file of another program is not meant if there are
/// others.
fn files_of_external(context: &Context<'_, FileCode>, own: &Arc<FileCode>, name: &str) -> Vec<Arc<FileCode>> {
    let mut found = Vec::new();
    for path in context.project.external_subroutines().files(name) {
        let is_own = path.as_path() == Path::new(&own.path);
        let code = if is_own { Some(Arc::clone(own)) } else { context.summaries.of_file(path) };
        let Some(code) = code else { continue };
        let is_named = |it: &Procedure| it.name == name || it.entries.iter().any(|entry| entry == name);
        if code.procedures.iter().any(|it| it.is_external && !it.is_main && is_named(it)) {
            found.push(code);
        }
    }
    let is_program = |code: &Arc<FileCode>| code.procedures.iter().any(|it| it.is_main);
    if found.iter().any(|code| !is_program(code)) {
        found.retain(|code| !is_program(code) || Arc::ptr_eq(code, own));
    }
    found
}
