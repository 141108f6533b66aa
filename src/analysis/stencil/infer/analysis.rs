//! The analysis `infer`: what can be said of every computation of a file, and what is to be inserted of it.

use std::path::Path;

use super::included::{Agreement, IncludedInsertions, Inclusion, inclusions};
use super::{Covered, Inference, Narrowing, insertions};
use crate::analysis::stencil::check::{self, CheckRequest, Checked, Require};
use crate::analysis::stencil::computations::FileFunctions;
use crate::analysis::stencil::{Depth, StencilOptions, Stencils, rules, summarise};
use crate::analysis::{Analysis, Context};
use crate::diagnostics::edit::{LineInsertion, wrapped};
use crate::diagnostics::{self, Finding, Rule, Severity};
use crate::source::SourceNote;
use crate::syntax::Tree;
use crate::workspace::{FileView, PerFile, SummaryLookup};

/// What `infer` can be asked.
#[derive(Clone, Debug)]
pub struct InferOptions {
    /// Those of every analysis of stencils.
    pub stencils: StencilOptions,
    /// The marker of inserted comments: `=`, `!`, `>` or `<`.
    pub marker: char,
    /// Characters of an inserted line up to which it is not broken.
    pub line_length: Option<usize>,
    /// What of a file is asked for.
    pub narrowing: Narrowing,
}

impl Default for InferOptions {
    fn default() -> Self {
        let (stencils, narrowing) = (StencilOptions::default(), Narrowing::default());
        InferOptions { stencils, marker: '=', line_length: None, narrowing }
    }
}

/// What `infer` says of a file.
#[derive(Clone, Debug)]
pub struct InferOutcome {
    /// The computations with their specifications.
    pub inference: Inference,
    /// What there is to report, in order of place.
    pub findings: Vec<Finding>,
    /// The comment lines to be inserted; specifications that are there already and mean the same are left out. Empty
    /// where something is wrong with those that are there.
    pub insertions: Vec<LineInsertion>,
    /// Those for included files of which this file is the first that includes them.
    pub included: Vec<IncludedInsertions>,
    /// The arrays of which a specification in the file speaks already.
    pub covered: Covered,
    /// The codes of the rules that forbid every insertion, as something in the file is an error by them, also if it is
    /// not told.
    pub forbidden_by: Vec<&'static str>,
}

/// Infers specifications.
#[derive(Debug)]
pub struct Infer {
    stencils: Stencils,
    marker: char,
    line_length: Option<usize>,
    narrowing: Narrowing,
    inclusions: PerFile<Vec<Inclusion>>,
}

impl Analysis for Infer {
    const NAME: &'static str = "infer";
    const ABOUT: &'static str = "what each array computation reads, as specifications to be inserted";
    /// Those of all analyses of stencils.
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = InferOptions;
    type Summary = FileFunctions;
    type Outcome = InferOutcome;

    fn new(options: InferOptions) -> Self {
        let InferOptions { stencils, marker, line_length, narrowing } = options;
        let inclusions = PerFile::default();
        Infer { stencils: Stencils::new(stencils), marker, line_length, narrowing, inclusions }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
        summarise(view, others)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> InferOutcome {
        let (mut inference, mut checked) = self.look(view, context);
        let included = self.agreed(view, context, &mut inference, &checked);
        self.narrowing.apply(view.texts(), &mut inference);
        let insertions = match checked.broken.is_empty() {
            true => insertions(view.tree(), &inference, &checked.covered, self.marker),
            false => Vec::new(),
        };
        if !insertions.is_empty() {
            warn_of_form(view.tree(), &mut checked.findings);
        }
        InferOutcome {
            inference,
            findings: checked.findings,
            insertions: wrapped(insertions, self.line_length),
            included,
            covered: checked.covered,
            forbidden_by: checked.broken.into_iter().map(|rule| rule.code).collect(),
        }
    }
}

impl Infer {
    /// What can be said of a file, and what is said in it.
    fn look(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> (Inference, Checked) {
        let file = self.stencils.file(view, context, Depth::Inference);
        let request = CheckRequest {
            require: Require::Nothing,
            registry: self.stencils.options.rules,
            levels: &self.stencils.options.levels,
            is_checked_itself: &|included| context.project.is_given(included),
            only: None,
        };
        let scopes = file.scopes();
        let front_end = view.front_end_findings();
        let mut checked = check::check(file.check_input(&scopes), &mut self.stencils.solver(), request, front_end);
        leave_checking_out(&mut checked);
        (file.inference, checked)
    }

    /// Takes out what is inferred in included files where the files that include them do not agree; gives what is to be
    /// inserted there.
    fn agreed(
        &self,
        view: &FileView<'_>,
        context: &Context<'_, FileFunctions>,
        inference: &mut Inference,
        checked: &Checked,
    ) -> Vec<IncludedInsertions> {
        let tree = view.tree();
        let of_view = |view: &FileView<'_>, inference: &Inference, checked: &Checked| {
            checked.broken.is_empty().then(|| inclusions(view.tree(), inference, &checked.covered, self.marker))
        };
        let of_other = |path: &Path| {
            self.inclusions.get(path, |path| {
                let other = context.project.read(path).ok()?;
                let (inference, checked) = self.look(&other, context);
                of_view(&other, &inference, &checked)
            })
        };
        let agreement = Agreement { project: context.project, inclusions: &of_other };
        if agreement.concerned(tree, inference).is_empty() {
            return Vec::new();
        }
        let own = self.inclusions.get(view.path(), |_| of_view(view, inference, checked));
        agreement.apply(tree, agreement.concerned(tree, inference));
        let mut included = own.map_or_else(Vec::new, |own| agreement.insertions(tree, view.path(), &own));
        if self.narrowing != Narrowing::default() {
            included.clear();
        }
        for one in &mut included {
            one.insertions = wrapped(std::mem::take(&mut one.insertions), self.line_length);
        }
        included
    }
}

/// Takes out what concerns checking alone: what stands in a branch that is not compiled contradicts nothing.
fn leave_checking_out(checked: &mut Checked) {
    checked.findings.retain(|finding| finding.rule.is_reported_by(Infer::NAME));
    checked.broken.retain(|rule| rule.is_reported_by(Infer::NAME));
}

/// The sign of a comment that is inserted goes by the form of the file: where that is not what the extension suggests,
/// a person should look.
fn warn_of_form(tree: &Tree, findings: &mut [Finding]) {
    let is_guessed = tree.source.notes.iter().any(|(_, note)| matches!(note, SourceNote::FormGuessed { .. }));
    let of_form = findings.iter_mut().filter(|finding| finding.rule == &diagnostics::rules::SOURCE_FORM_GUESSED);
    of_form.filter(|_| is_guessed).for_each(|finding| finding.severity = Severity::Warning);
}
