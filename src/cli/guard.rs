//! `camfort-rs guard`: what a change of array layouts leaves behind, or the lock file that a later run compares with.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rayon::prelude::*;

use super::Exit;
use super::arguments::{GuardArguments, PathArguments};
use super::base::{self, Base, Program, SourceFile};
use super::guard_fix as fix;
use super::run::{self, Manner};
use super::settings::Settings;
use super::terminal::{Progress, Terminal};
use crate::analysis::guard::affected::{Concern, Words, concerns};
use crate::analysis::guard::{self, Comparison, Snapshot, lock};
use crate::diagnostics::edit::NewFile;
use crate::diagnostics::render::summary::counted;
use crate::diagnostics::{Contents, Document, Finding, Output, Selection, Severity, Summary};
use crate::source::SourceTexts;
use crate::workspace::discovery::{self, Exclusions};
use crate::workspace::{Project, modules_of};

/// Runs the command.
pub fn run(arguments: &GuardArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let paths = PathArguments { paths: arguments.paths(), stdin_filename: None, exclude: arguments.exclude.clone() };
    if paths.reads_stdin()? {
        bail!("guard compares files, and standard input is none");
    }
    let options = &arguments.output_options;
    let flags = run::flags(&paths, &arguments.source, options);
    let settings = run::settings(flags, &paths, &arguments.source)?;
    if options.show_settings {
        terminal.print(settings.show().as_bytes())?;
        return Ok(Exit::Clean);
    }
    let threads = run::threads(options.jobs)?;
    let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, None)?;
    let found = discovery::find(&paths.paths, &exclusions);
    for (path, reason) in &found.unreadable {
        terminal.note(&format!("error: cannot read '{}': {reason}", path.display()));
    }
    if found.files.is_empty() && found.unreadable.is_empty() {
        terminal.note("warning: no Fortran file found");
    }
    let all_read = found.unreadable.is_empty();
    let exit = match (&arguments.save, &arguments.base) {
        (Some(file), _) if found.files.is_empty() || !all_read => {
            bail!("'{}' is not written, as not every path could be read", file.display())
        }
        (Some(file), _) => {
            let program = Program::of_lock(found.files, &settings.project, file);
            threads.install(|| save(&program, file, options.quiet, terminal))?
        }
        (None, Some(name)) => {
            let (base, program) = base::open(name, &paths.paths, found.files, &settings.project, &exclusions)?;
            threads.install(|| compare(arguments, &settings, base, &program, terminal))?
        }
        (None, None) => bail!("--base or --save is needed"),
    };
    Ok(if all_read { exit } else { Exit::Failure })
}

/// Writes the lock file.
fn save(program: &Program, file: &Path, quiet: bool, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let (recorded, _) = record_all(program, quiet);
    recorded.failures.iter().for_each(|failure| terminal.note(&format!("error: {failure}")));
    if !recorded.failures.is_empty() {
        bail!("'{}' is not written, as not every file could be read", file.display());
    }
    let text = lock::write(&recorded.snapshot)?;
    let write = || {
        let mut new = NewFile::begin(file)?;
        new.write_all(text.as_bytes())?;
        new.finish()
    };
    write().with_context(|| format!("'{}' can't be written", file.display()))?;
    if !quiet {
        let units = counted(recorded.snapshot.units.len(), "unit");
        let files = counted(program.files.len(), "file");
        terminal.note(&format!("{units} of {files} saved in {}", file.display()));
    }
    Ok(Exit::Clean)
}

/// A snapshot, and what kept files out of it.
#[derive(Default)]
struct Recorded {
    snapshot: Snapshot,
    failures: Vec<String>,
}

/// Records all files of a program.
fn record_all(program: &Program, quiet: bool) -> (Recorded, Project) {
    let mut progress = Progress::new(2 * program.files.len(), !quiet);
    let recorded = record(program, &program.paths(), &program.files, &mut progress);
    progress.finish();
    recorded
}

/// Records some files of a program, against the modules of others too.
fn record(
    program: &Program,
    indexed: &[PathBuf],
    files: &[SourceFile],
    progress: &mut Progress,
) -> (Recorded, Project) {
    let modules = modules_of(indexed, &program.options);
    progress.advance(indexed.len());
    let project = Project::new(&program.paths(), modules, program.options.clone());
    let one = |file: &SourceFile| match project.options().reader.read(&file.path) {
        Err(error) => Err(format!("cannot read '{}': {}", file.path.display(), discovery::reason(&error))),
        Ok(bytes) => run::survived(&file.path, || project.record_file(&file.path, &bytes, &file.name)),
    };
    let mut recorded = Recorded::default();
    for chunk in files.chunks(32 * rayon::current_num_threads()) {
        let units: Vec<_> = chunk.par_iter().with_max_len(1).map(one).collect();
        progress.advance(chunk.len());
        for units in units {
            match units {
                Ok(units) => recorded.snapshot.units.extend(units),
                Err(failure) => recorded.failures.push(failure),
            }
        }
    }
    let key = |unit: &guard::snapshot::Unit| (unit.name.clone(), unit.kind.clone(), unit.file.clone());
    recorded.snapshot.units.sort_by_cached_key(key);
    (recorded, project)
}

/// Compares the program with its base, and tells what was found.
fn compare(
    arguments: &GuardArguments,
    settings: &Settings,
    base: Base,
    program: &Program,
    terminal: &mut Terminal,
) -> anyhow::Result<Exit> {
    let quiet = arguments.output_options.quiet;
    let mut sides = match base {
        Base::Lock(snapshot) => {
            let (now, project) = record_all(program, quiet);
            Sides { before: Recorded { snapshot, failures: Vec::new() }, now, project, unchanged: 0 }
        }
        Base::Program(before) => both(&before, program, quiet)?,
    };
    let failures: Vec<&String> = sides.before.failures.iter().chain(&sides.now.failures).collect();
    failures.iter().for_each(|failure| terminal.note(&format!("error: {failure}")));
    let comparison = guard::compare(&mut sides.before.snapshot, &mut sides.now.snapshot);
    let comments = fix::comments(&sides.project, program, &sides.now.snapshot, &comparison);
    let edits = arguments.fix || arguments.diff;
    let contents = Contents::Findings;
    let selection = Selection { lowest_severity: Severity::Warning, specifications: false, reasons: false };
    let manner = Manner::new(&arguments.output_options, settings, contents, arguments.diff, arguments.fix, selection)?;
    let fixed = if edits { Some(fix::apply(&sides.project, &comments, arguments.diff, terminal)?) } else { None };
    // What was made or shown is told by that.
    let told = comments.into_iter().filter(|finding| !edits || finding.fix.is_none()).collect();
    let failed = !failures.is_empty() || fixed.as_ref().is_some_and(|applied| applied.failed);
    let summary = tell(&comparison, told, &manner, settings, terminal)?;
    if !quiet {
        if let Some(applied) = &fixed {
            terminal.note(&fix::closing(applied.files, arguments.diff));
        }
        terminal.note(&closing(&comparison, sides.unchanged));
    }
    if arguments.output_options.statistics {
        terminal.note(&summary.findings_table());
    }
    let warnings_count = settings.error_on_warning && summary.count(Severity::Warning) > 0;
    Ok(match failed {
        true => Exit::Failure,
        false if summary.count(Severity::Error) > 0 || warnings_count => Exit::Findings,
        false => Exit::Clean,
    })
}

fn closing(comparison: &Comparison, unchanged: usize) -> String {
    let text = guard::closing(comparison);
    match unchanged {
        0 => text,
        1 => format!("{text}\n1 file is unchanged and not concerned"),
        _ => format!("{text}\n{unchanged} files are unchanged and not concerned"),
    }
}

/// Both programs, recorded as far as the change concerns them.
struct Sides {
    before: Recorded,
    now: Recorded,
    project: Project,
    /// Files that the change doesn't concern.
    unchanged: usize,
}

fn both(before: &Program, now: &Program, quiet: bool) -> anyhow::Result<Sides> {
    let mut progress = Progress::new(3 * (before.files.len() + now.files.len()), !quiet);
    let old_by_name: HashMap<&String, usize> =
        before.files.iter().enumerate().map(|(at, file)| (&file.name, at)).collect();
    // A file that can't be read is not the same as any other, and told when it is recorded.
    let read = |program: &Program, file: &SourceFile| program.options.reader.read(&file.path).ok();
    let words_of = |bytes: Option<Vec<u8>>| bytes.map(|bytes| Words::of(&bytes)).unwrap_or_default();
    let look = |file: &SourceFile| {
        let bytes = read(now, file);
        let old = old_by_name.get(&file.name).map(|&at| &before.files[at]);
        let is_same = old.zip(bytes.as_ref()).is_some_and(|(old, bytes)| before.is_same_file(old, bytes));
        (is_same, words_of(bytes))
    };
    let looked: Vec<(bool, Words)> = now.files.par_iter().map(look).collect();
    progress.advance(now.files.len());
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
    changed_words.par_extend(changed_before.par_iter().map(|file| words_of(read(before, file))));
    progress.advance(before.files.len());
    let includes = before.changed_includes(now);
    let concerns: Vec<Concern> = concerns(&changed_words, &unchanged_words)
        .into_iter()
        .zip(&unchanged_words)
        .map(|(concern, words)| match includes.iter().any(|name| words.hold(name)) {
            true => Concern::Compared,
            false => concern,
        })
        .collect();
    let of: BTreeMap<&str, Concern> = unchanged.iter().map(|file| file.name.as_str()).zip(concerns).collect();
    let concern = |file: &SourceFile| of.get(file.name.as_str()).copied().unwrap_or(Concern::Compared);
    let compared = |program: &Program| -> Vec<SourceFile> {
        program.files.iter().filter(|file| concern(file) == Concern::Compared).cloned().collect()
    };
    let indexed = |program: &Program| -> Vec<PathBuf> {
        program.files.iter().filter(|file| concern(file) > Concern::None).map(|file| file.path.clone()).collect()
    };
    let (recorded_before, _) = record(before, &indexed(before), &compared(before), &mut progress);
    let (recorded_now, project) = record(now, &indexed(now), &compared(now), &mut progress);
    progress.finish();
    let unchanged = now.files.iter().filter(|file| concern(file) != Concern::Compared).count();
    Ok(Sides { before: recorded_before, now: recorded_now, project, unchanged })
}

/// Prints the findings array by array.
fn tell(
    comparison: &Comparison,
    comments: Vec<Finding>,
    manner: &Manner,
    settings: &Settings,
    terminal: &mut Terminal,
) -> anyhow::Result<Summary> {
    let mut teller = Teller { output: &manner.output, texts: HashMap::new(), summary: Summary::default() };
    let mut document = Document::new(&manner.output, manner.contents);
    terminal.print(document.head().as_bytes())?;
    // What changed heads its findings, for a person too, unless only errors are wanted.
    let heading = Output {
        selection: Selection {
            lowest_severity: match manner.output.selection.lowest_severity {
                Severity::Error => Severity::Error,
                _ => Severity::Note,
            },
            ..manner.output.selection
        },
        ..manner.output.clone()
    };
    for guard::Group { heading: first, uses, is_harmless } in guard::groups(comparison) {
        let output = if is_harmless { teller.output } else { &heading };
        let mut text = teller.tell(output, vec![first], settings, &mut document);
        text.push_str(&teller.tell(teller.output, uses, settings, &mut document));
        manner.print(&text, terminal)?;
        if terminal.output_closed() {
            break;
        }
    }
    let text = teller.tell(teller.output, comments, settings, &mut document);
    manner.print(&text, terminal)?;
    manner.print(&document.tail(), terminal)?;
    Ok(teller.summary)
}

/// Findings on their way to the document, with the texts that they stand in.
struct Teller<'m> {
    output: &'m Output,
    texts: HashMap<PathBuf, SourceTexts>,
    summary: Summary,
}

impl Teller<'_> {
    fn tell(
        &mut self,
        output: &Output,
        mut findings: Vec<Finding>,
        settings: &Settings,
        document: &mut Document,
    ) -> String {
        settings.project.levels.apply(&mut findings);
        let mut text = String::new();
        for finding in findings {
            let path = finding.location.path.clone();
            let texts = self
                .texts
                .entry(path.clone())
                .or_insert_with(|| SourceTexts::new(path.clone(), fs::read(&path).unwrap_or_default()));
            let part = output.findings(&path, Some(texts), std::slice::from_ref(&finding));
            let added = document.add(part);
            added.findings.iter().for_each(|told| self.summary.add_finding(told));
            text.push_str(&added.text);
        }
        text
    }
}
