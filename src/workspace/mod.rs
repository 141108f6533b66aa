//! A project: the files given, their modules indexed, and each file analysed on its own against that index.
//!
//! [`Project::load`] (or a [`ModuleSearch`] and [`Project::new`]) reads the files once to find their modules, in
//! parallel; [`Project::infer_file`] then analyses one file from its bytes. No tree is kept between the two, so memory is bounded
//! by the files that are under way, not by the number of files.

use std::collections::{BTreeSet, HashSet};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::analysis::guard;
use crate::analysis::stencil::attach::{self, RegionScopes, Specifications};
use crate::analysis::stencil::check::{self, Checked, Demands, Only, Require, Subject};
use crate::analysis::stencil::computations::{self, Computation};
use crate::analysis::stencil::infer::{self, Inference, InferenceOptions};
use crate::analysis::survey::{self, FileSurvey};
use crate::diagnostics::edit::LineInsertion;
use crate::diagnostics::{Finding, Levels, rules};
use crate::names::{self, ModuleIndex, ModuleSummary, Resolved};
use crate::solve::{Memo, Procedure};
use crate::source::prescan::FormChoice;
use crate::source::{Prescanned, SourceForm, SourceTexts, Span};
use crate::syntax::{StatementKind, Tree};

pub mod discovery;
mod elsewhere;
mod files;
mod findings;
mod forms;
mod functions;
pub mod in_order;
mod reading;
pub mod revision;

pub use elsewhere::ModuleSearch;
pub use files::FileReader;
pub use forms::{FileForms, SpecialFiles};
pub use reading::{FixedLineLength, parse};

/// How files are read and what is inferred.
#[derive(Clone, Debug)]
pub struct ProjectOptions {
    /// The source form; [`FormChoice::Auto`] tells it from extension and content.
    pub form: FormChoice,
    /// Columns of a fixed-form line that count.
    pub fixed_line_length: FixedLineLength,
    /// The files for which one of these two is another.
    pub forms: FileForms,
    /// Where INCLUDE lines and `#include` look, after the directory of the including file.
    pub include_directories: Vec<PathBuf>,
    /// Preprocessor macros that are defined from the start, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Whether to infer as the paper and CamFort do, without section 6 of docs/semantics.md.
    pub paper: bool,
    /// Whether specifications whose every constant is `pointed` are left out.
    pub nontrivial: bool,
    /// The marker of inserted comments: `=`, `!`, `>` or `<`.
    pub marker: char,
    /// What decides whether code and specification agree.
    pub procedure: Procedure,
    /// The severities of the rules.
    pub levels: Levels,
    /// How files are read.
    pub reader: FileReader,
}

impl Default for ProjectOptions {
    fn default() -> Self {
        ProjectOptions {
            form: FormChoice::Auto,
            fixed_line_length: FixedLineLength::Auto,
            forms: FileForms::default(),
            include_directories: Vec::new(),
            defines: Vec::new(),
            paper: false,
            nontrivial: false,
            marker: '=',
            procedure: Procedure::default(),
            levels: Levels::default(),
            reader: FileReader::default(),
        }
    }
}

/// The modules of all files, and the options.
pub struct Project {
    options: ProjectOptions,
    index: ModuleIndex,
    files: Vec<PathBuf>,
    /// The same files, links resolved, once that was asked for.
    real_files: OnceLock<HashSet<PathBuf>>,
    decided: Memo,
    functions: functions::Known,
}

/// Everything that is known of one file after its analysis.
#[derive(Debug)]
pub struct FileResult {
    /// The file.
    pub path: PathBuf,
    /// The form in which it was read.
    pub form: SourceForm,
    /// Its text and those it includes.
    pub texts: SourceTexts,
    /// Number of its statements.
    pub statement_count: usize,
    /// The statements that were not understood, each with the reason.
    pub not_understood: Vec<(Span, String)>,
    /// The computations with their specifications.
    pub inference: Inference,
    /// What there is to report, in order of place.
    pub findings: Vec<Finding>,
    /// A number that depends on the form and the statements of the file only, not on its comments.
    fingerprint: u64,
    /// For `infer`: the comment lines to be inserted; specifications that are there already and mean the same are left out.
    /// Empty where something is wrong with those that are there.
    pub insertions: Vec<LineInsertion>,
    /// For `infer`: the codes of the rules that forbid every insertion, as something in the file is an error by them, also if it is
    /// not told.
    pub forbidden_by: Vec<&'static str>,
    /// Number of stencil and access specifications among the comments.
    pub specifications: usize,
    /// Number of them that were verified and hold.
    pub holding: usize,
}

impl Project {
    /// Indexes the modules of all files. Files that can't be read are passed over here; reading them again for analysis
    /// reports them.
    pub fn load(files: &[PathBuf], options: ProjectOptions) -> Project {
        let summaries = modules_of(files, &options);
        Project::new(files, summaries, options)
    }

    /// The project of these files with their modules, which [`modules_of`] or a [`ModuleSearch`] gave.
    pub fn new(files: &[PathBuf], modules: Vec<ModuleSummary>, mut options: ProjectOptions) -> Project {
        options.reader = options.reader.remembering_what_is_missing();
        Project {
            options,
            index: ModuleIndex::new(modules),
            files: files.to_vec(),
            real_files: OnceLock::new(),
            decided: Memo::default(),
            functions: functions::Known::default(),
        }
    }

    /// The options it was loaded with.
    pub fn options(&self) -> &ProjectOptions {
        &self.options
    }

    /// Whether a file is one of the project's.
    fn is_given(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let real_files = || self.files.iter().filter_map(|file| real(file)).collect();
        real(path).is_some_and(|path| self.real_files.get_or_init(real_files).contains(&path))
    }

    /// Parses a file and resolves its names.
    pub fn resolve(&self, path: &Path, bytes: &[u8]) -> (Tree, Resolved) {
        let tree = parse(path, bytes, &self.options);
        let resolved = names::resolve(&tree, &self.index);
        (tree, resolved)
    }

    /// Whether a text that differs from the analysed one in comments is the same program: of the same form, with the same statements.
    /// What `__LINE__` gives may differ.
    pub fn is_same_program(&self, result: &FileResult, original: &[u8], edited: &[u8]) -> bool {
        self.fingerprint_of(&result.path, edited) == result.fingerprint
            || self.is_same_without_lines(&result.path, original, edited)
    }

    /// The same of two texts that were not analysed.
    pub fn are_same_program(&self, path: &Path, original: &[u8], edited: &[u8]) -> bool {
        self.fingerprint_of(path, edited) == self.fingerprint_of(path, original)
            || self.is_same_without_lines(path, original, edited)
    }

    fn fingerprint_of(&self, path: &Path, bytes: &[u8]) -> u64 {
        fingerprint(&parse(path, bytes, &self.options).source)
    }

    fn is_same_without_lines(&self, path: &Path, original: &[u8], edited: &[u8]) -> bool {
        let mut without_lines = self.options.clone();
        without_lines.defines.push("__LINE__=0".to_owned());
        let of = |bytes: &[u8]| fingerprint(&parse(path, bytes, &without_lines).source);
        of(edited) == of(original)
    }

    /// Infers the specifications of one file and what is to be inserted into it; the specifications that are there are checked.
    pub fn infer_file(&self, path: &Path, bytes: &[u8]) -> FileResult {
        self.analyse(path, bytes, Goal::Infer, None)
    }

    /// The units of one file with their arrays and uses; `file` is what it is called in a comparison.
    pub fn record_file(&self, path: &Path, bytes: &[u8], file: &str) -> Vec<guard::snapshot::Unit> {
        let (tree, resolved) = self.resolve(path, bytes);
        let computations =
            computations::computations(&tree, &resolved, self.options.paper, &BTreeSet::new(), &self.library());
        let inference = infer::infer(&tree, &computations, InferenceOptions::default());
        guard::units(&tree, &resolved, &inference, file)
    }

    /// What the comments of one file say, and of which reads.
    pub fn comments_of_file(&self, path: &Path, bytes: &[u8]) -> guard::FileComments {
        let parts = self.parts(path, bytes, Goal::Check(Require::Nothing));
        let scopes = parts.scopes(&self.index);
        let mut solver = self.decided.before(self.options.procedure.solver());
        guard::FileComments::of(parts.subject(&scopes, self.options.paper), &mut solver)
    }

    /// Checks the specifications of one file. Of its computations the result says something only if specifications are required.
    pub fn check_file(&self, path: &Path, bytes: &[u8], require: Require) -> FileResult {
        self.analyse(path, bytes, Goal::Check(require), None)
    }

    /// Classifies the array computations of one file.
    pub fn survey_file(&self, path: &Path, bytes: &[u8]) -> FileSurvey {
        let (tree, resolved) = self.resolve(path, bytes);
        let computations = computations::formed_computations(&tree, &resolved, self.options.paper, &self.library());
        survey::survey(&tree, bytes, &computations)
    }

    /// Checks one file, and tells nothing but what is wrong with some claims.
    pub fn check_arrays(&self, path: &Path, bytes: &[u8], only: &Only<'_>) -> FileResult {
        self.analyse(path, bytes, Goal::Check(Require::Nothing), Some(only))
    }

    /// What a file holds, as far as the goal needs it.
    fn parts(&self, path: &Path, bytes: &[u8], goal: Goal) -> Parts {
        let (tree, resolved) = self.resolve(path, bytes);
        let specifications = attach::specifications(&tree, &resolved, &self.index);
        let wanted: BTreeSet<_> = specifications.attached.iter().map(|attached| attached.statement).collect();
        // Without a specification there is nothing to check.
        let computations = match goal.infers() || !wanted.is_empty() {
            true => computations::computations(&tree, &resolved, self.options.paper, &wanted, &self.library()),
            false => Vec::new(),
        };
        let options = InferenceOptions { nontrivial: self.options.nontrivial };
        let inference = if goal.infers() { infer::infer(&tree, &computations, options) } else { Inference::default() };
        Parts { tree, resolved, specifications, computations, inference }
    }

    fn analyse(&self, path: &Path, bytes: &[u8], goal: Goal, only: Option<&Only<'_>>) -> FileResult {
        let parts = self.parts(path, bytes, goal);
        let scopes = parts.scopes(&self.index);
        let subject = parts.subject(&scopes, self.options.paper);
        let Parts { tree, resolved, inference, .. } = &parts;
        let mut solver = self.decided.before(self.options.procedure.solver());
        let front_end = findings::of_front_end(tree, resolved);
        let is_given = |included: &Path| self.is_given(included);
        let demands =
            Demands { require: goal.require(), levels: &self.options.levels, is_checked_itself: &is_given, only };
        let mut checked = check::check(subject, &mut solver, demands, front_end);
        let mut insertions = Vec::new();
        if goal == Goal::Infer {
            leave_checking_out(&mut checked);
            if checked.broken.is_empty() {
                insertions = infer::insertions(tree, inference, &checked.spoken_of, self.options.marker);
            }
        }
        let not_understood = not_understood(tree);
        let Parts { tree, inference, .. } = parts;
        FileResult {
            path: path.to_path_buf(),
            form: tree.source.form,
            fingerprint: fingerprint(&tree.source),
            statement_count: tree.statements.len(),
            not_understood,
            inference,
            findings: checked.findings,
            insertions,
            forbidden_by: checked.broken.into_iter().collect(),
            specifications: checked.specifications,
            holding: checked.holding,
            texts: tree.source.texts,
        }
    }
}

/// What a file holds.
struct Parts {
    tree: Tree,
    resolved: Resolved,
    specifications: Specifications,
    computations: Vec<Computation>,
    inference: Inference,
}

impl Parts {
    fn scopes<'p>(&'p self, index: &'p ModuleIndex) -> RegionScopes<'p> {
        RegionScopes { tree: &self.tree, resolved: &self.resolved, index, regions: &self.specifications.regions }
    }

    fn subject<'p>(&'p self, scopes: &'p RegionScopes<'p>, paper: bool) -> Subject<'p> {
        Subject {
            scopes,
            specifications: &self.specifications,
            computations: &self.computations,
            inference: &self.inference,
            paper,
        }
    }
}

/// Takes out what concerns checking alone: what stands in a branch that is not compiled contradicts nothing.
fn leave_checking_out(checked: &mut Checked) {
    let of_checking = [&rules::INACTIVE_SPECIFICATION, &rules::UNUSED_ALLOW];
    checked.findings.retain(|finding| !of_checking.contains(&finding.rule));
    of_checking.iter().for_each(|rule| {
        checked.broken.remove(rule.code);
    });
}

/// What a file is analysed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    Infer,
    Check(Require),
}

impl Goal {
    /// Whether it needs the specifications that could be said of every computation.
    fn infers(self) -> bool {
        self != Goal::Check(Require::Nothing)
    }

    fn require(self) -> Require {
        match self {
            Goal::Infer => Require::Nothing,
            Goal::Check(require) => require,
        }
    }
}

/// The modules of some files, in the order of the files; those that can't be read are passed over.
pub fn modules_of(files: &[PathBuf], options: &ProjectOptions) -> Vec<ModuleSummary> {
    let search = ModuleSearch::new(options);
    let of_file = |path: &PathBuf| search.modules_of(path);
    let by_file: Vec<Vec<ModuleSummary>> = files.par_iter().with_max_len(1).map(of_file).collect();
    by_file.into_iter().flatten().collect()
}

/// The modules of a file, with their region variables.
fn summaries(tree: &Tree) -> Vec<ModuleSummary> {
    let mut summaries = names::summarise(tree);
    for (module, name, text) in attach::region_declarations(tree) {
        let of_module = summaries.iter_mut().filter(|summary| summary.name == module);
        of_module.for_each(|summary| summary.region_declarations.push((name.clone(), text.clone())));
    }
    summaries
}

fn not_understood(tree: &Tree) -> Vec<(Span, String)> {
    let unparsed = tree.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Unparsed(reason) => Some((statement.span, reason.clone())),
        _ => None,
    });
    unparsed.collect()
}

fn fingerprint(source: &Prescanned) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(u8::from(source.form == SourceForm::Fixed));
    for statement in &source.statements {
        hasher.write_u32(statement.label.unwrap_or(u32::MAX));
        hasher.write_u32(statement.end);
    }
    hasher.write(&source.cooked);
    hasher.finish()
}
