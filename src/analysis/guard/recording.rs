//! The analysis `guard` file by file, and the two versions of a program recorded as far as a change concerns them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::affected::{Concern, Words, concerns, keep_concerned};
use super::record::units;
use super::rules;
use super::snapshot::{Snapshot, UnitSnapshot};
use crate::analysis::stencil::computations::{self, FileFunctions};
use crate::analysis::stencil::infer::{self, InferenceOptions, Language};
use crate::analysis::stencil::summarise;
use crate::analysis::{Analysis, Context, Session};
use crate::diagnostics::{Allowances, Registry, Rule, paths};
use crate::workspace::program::{Program, SourceFile, Versions};
use crate::workspace::{Driver, FileView, Project, SummaryLookup};

/// What `guard` can be asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct GuardOptions {
    /// Whether to infer as the paper and CamFort do.
    pub paper: bool,
    /// The rules that comments can name.
    pub rules: Registry,
}

/// What is recorded of a file.
#[derive(Debug)]
pub struct RecordedFile {
    /// Its units.
    pub units: Vec<UnitSnapshot>,
    /// What its comments allow.
    pub allowances: Allowances,
}

/// Records the units of a file with their arrays and uses.
#[derive(Debug)]
pub struct Guard {
    options: GuardOptions,
}

impl Analysis for Guard {
    const NAME: &'static str = "guard";
    const ABOUT: &'static str = "what a change of array layouts leaves behind";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = GuardOptions;
    type Summary = FileFunctions;
    type Outcome = RecordedFile;

    fn new(options: GuardOptions) -> Self {
        Guard { options }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileFunctions>) -> FileFunctions {
        summarise(view, others)
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileFunctions>) -> RecordedFile {
        let (tree, names) = (view.tree(), view.names());
        let computations =
            computations::computations(tree, names, self.options.paper, &BTreeSet::new(), &context.summaries);
        let language = Language { paper: true, fixed: false };
        let options = InferenceOptions { language, ..InferenceOptions::default() };
        let inference = infer::infer(tree, &computations, options);
        RecordedFile {
            units: units(tree, names, &inference, &paths::text(view.path())),
            allowances: Allowances::read(&tree.source, self.options.rules),
        }
    }
}

/// A snapshot, and what kept files out of it.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The units.
    pub snapshot: Snapshot,
    /// What the comments of its files allow.
    pub allowances: Allowances,
    /// A sentence for each file that is missing in it.
    pub failures: Vec<String>,
}

/// Both versions of a program, recorded as far as the change concerns them.
pub struct Sides {
    /// As it was.
    pub before: Recorded,
    /// As it is.
    pub now: Recorded,
    /// The files as they are.
    pub project: Project,
    /// Number of files that the change doesn't concern.
    pub unchanged: usize,
}

/// How a program is recorded.
pub struct Recorder<'r> {
    /// The threads.
    pub driver: &'r Driver,
    /// What is asked.
    pub options: GuardOptions,
    /// Is called with the number of files that were looked at once more.
    pub progress: &'r mut dyn FnMut(usize),
}

impl Recorder<'_> {
    /// Records all files of a program: each is looked at twice.
    pub fn program(&mut self, program: &Program) -> (Recorded, Project) {
        self.files(program, &program.paths(), &program.files, &|_, _| {})
    }

    /// Records some files of a program, against the modules of others too. `reduce` takes what is of no interest from
    /// the units of a file.
    fn files(
        &mut self,
        program: &Program,
        indexed: &[PathBuf],
        files: &[SourceFile],
        reduce: &(dyn Fn(&SourceFile, &mut [UnitSnapshot]) + Sync),
    ) -> (Recorded, Project) {
        let project =
            self.driver.project(&program.paths(), indexed, program.options.clone(), Vec::new, || (self.progress)(1));
        let session: Session<'_, Guard> = Session::new(&project, self.options);
        let mut recorded = Recorded::default();
        let record = |file: &SourceFile, view: &FileView<'_>| {
            let mut recorded = session.analyse(view);
            recorded.units.iter_mut().for_each(|unit| unit.file.clone_from(&file.name));
            reduce(file, &mut recorded.units);
            recorded
        };
        self.driver.each_file(
            &project,
            files,
            |file| &file.path,
            record,
            |file, of_file| {
                (self.progress)(1);
                match of_file {
                    Ok(RecordedFile { units, allowances }) => {
                        recorded.snapshot.units.extend(units);
                        recorded.allowances.join(allowances);
                    }
                    Err(failure) => recorded.failures.push(failure.message(&file.path)),
                }
                ControlFlow::<()>::Continue(())
            },
        );
        recorded.snapshot.units.sort_by(|one, other| key(one).cmp(&key(other)));
        (recorded, project)
    }

    /// Records two versions of a program, as far as the change between them concerns their files: each is looked at
    /// three times at most.
    pub fn versions(&mut self, Versions { before, now }: &Versions) -> Sides {
        let (concern_of, of_changed) = self.concerns(before, now);
        let concern = |file: &SourceFile| concern_of.get(&file.name).copied().unwrap_or(Concern::Compared);
        let reduce = |file: &SourceFile, units: &mut [UnitSnapshot]| {
            if concern(file) == Concern::Mentions {
                keep_concerned(units, &of_changed);
            }
        };
        let compared = |program: &Program| -> Vec<SourceFile> {
            program.files.iter().filter(|file| concern(file) >= Concern::Mentions).cloned().collect()
        };
        let indexed = |program: &Program| -> Vec<PathBuf> {
            program.files.iter().filter(|file| concern(file) > Concern::None).map(|file| file.path.clone()).collect()
        };
        let (recorded_now, project) = self.files(now, &indexed(now), &compared(now), &reduce);
        let units_now = by_key(&recorded_now.snapshot);
        let reduce_and_share = |file: &SourceFile, units: &mut [UnitSnapshot]| {
            reduce(file, units);
            units.iter_mut().for_each(|unit| share_statements(unit, &units_now));
        };
        let (recorded_before, _) = self.files(before, &indexed(before), &compared(before), &reduce_and_share);
        drop(units_now);
        let unchanged = now.files.iter().filter(|file| concern(file) < Concern::Mentions).count();
        Sides { before: recorded_before, now: recorded_now, project, unchanged }
    }

    /// What the change is to the files that are the same in both versions, by their names, and the words of the others.
    fn concerns(&mut self, before: &Program, now: &Program) -> (BTreeMap<String, Concern>, Words) {
        let old_by_name: HashMap<&String, usize> =
            before.files.iter().enumerate().map(|(at, file)| (&file.name, at)).collect();
        // A file that can't be read is not the same as any other, and told when it is recorded.
        let read = |program: &Program, file: &SourceFile| program.options.files.read(&file.path).ok();
        let words_of = |bytes: Option<Vec<u8>>| bytes.map(|bytes| Words::new(&bytes)).unwrap_or_default();
        let look = |file: &SourceFile| {
            let bytes = read(now, file);
            let old = old_by_name.get(&file.name).map(|&at| &before.files[at]);
            let is_same = old.zip(bytes.as_ref()).is_some_and(|(old, bytes)| before.is_same_file(old, bytes));
            (is_same, words_of(bytes))
        };
        let looked: Vec<(bool, Words)> = self.driver.map(&now.files, look);
        (self.progress)(now.files.len());
        let (mut unchanged, mut unchanged_words, mut changed_words) = (Vec::new(), Vec::new(), Vec::new());
        for (file, (is_same, words)) in now.files.iter().zip(looked) {
            match is_same {
                true => {
                    unchanged.push(file);
                    unchanged_words.push(words);
                }
                false => changed_words.push(words),
            }
        }
        let unchanged_names: HashSet<&str> = unchanged.iter().map(|file| file.name.as_str()).collect();
        let changed_before: Vec<&SourceFile> =
            before.files.iter().filter(|file| !unchanged_names.contains(file.name.as_str())).collect();
        changed_words.extend(self.driver.map(&changed_before, |file| words_of(read(before, file))));
        (self.progress)(before.files.len());
        let includes = before.changed_includes(now);
        let of_changed = Words::joined(changed_words);
        let of_unchanged = concerns(&of_changed, &unchanged_words).into_iter().zip(&unchanged_words);
        let of_unchanged = of_unchanged.map(|(concern, words)| match includes.iter().any(|name| words.hold(name)) {
            true => Concern::Compared,
            false => concern,
        });
        (unchanged.iter().map(|file| file.name.clone()).zip(of_unchanged).collect(), of_changed)
    }
}

/// What a unit is found by in another version: its name, kind and file.
type UnitKey<'u> = (&'u str, &'u str, &'u str);

fn key(unit: &UnitSnapshot) -> UnitKey<'_> {
    (&unit.name, &unit.kind, &unit.file)
}

fn by_key(snapshot: &Snapshot) -> HashMap<UnitKey<'_>, &UnitSnapshot> {
    snapshot.units.iter().map(|unit| (key(unit), unit)).collect()
}

/// Lets a unit of the old version hold the statements of the new one where they are the same: most are, and they are
/// most of what is held.
fn share_statements(unit: &mut UnitSnapshot, now: &HashMap<UnitKey<'_>, &UnitSnapshot>) {
    if let Some(now) = now.get(&key(unit))
        && now.statements == unit.statements
    {
        unit.statements = Arc::clone(&now.statements);
    }
}
