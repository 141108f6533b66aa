//! Every file of tests/fixtures/shapes is its own expectation: a comment line `!~ CODE[,CODE]` expects these findings
//! on the line above it, `!~? CODE` allows one, and nothing else may be found. Files whose name ends in `_possible` are
//! analysed with `--possible`. The files of a folder are one project. The programs of `corpus/` have nothing to report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use camfort_rs::analysis::shapes::{ShapeOptions, Shapes};
use camfort_rs::analysis::{RULES, analyse};
use camfort_rs::diagnostics::Levels;
use camfort_rs::solve::Procedure;
use camfort_rs::workspace::{Project, SourceOptions};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for folder in ["tests/fixtures/shapes", "corpus"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("part of the repository") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let files = if path.is_dir() { fortran_files(&path) } else { vec![path] };
            if files.iter().all(|path| is_fortran(path)) {
                trials.push(Trial::test(name, move || files.iter().try_for_each(|path| holds(path, &files))));
            }
        }
    }
    trials.sort_by(|one, other| one.name().cmp(other.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn is_fortran(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["f", "f90"].iter().any(|one| extension == *one))
}

fn fortran_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("part of the repository");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| is_fortran(path));
    files.sort();
    files
}

type Marks = BTreeSet<(u32, String)>;

/// The findings that the comments of a text expect, and those that they allow.
fn marks(text: &str) -> (Marks, Marks) {
    let (mut expected, mut allowed) = (Marks::new(), Marks::new());
    let mut line = 0;
    for (number, content) in (1..).zip(text.lines()) {
        let Some(mark) = content.trim_start().strip_prefix("!~") else {
            line = number;
            continue;
        };
        let (codes, into) = match mark.strip_prefix('?') {
            Some(codes) => (codes, &mut allowed),
            None => (mark, &mut expected),
        };
        into.extend(codes.trim().split(',').map(|code| (line, code.to_owned())));
    }
    (expected, allowed)
}

fn holds(path: &Path, files: &[PathBuf]) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let (expected, allowed) = marks(&String::from_utf8_lossy(&bytes));
    let possible = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("_possible"));
    for solver in [Procedure::Z3, Procedure::Native] {
        let options = ShapeOptions { solver, possible, rules: RULES, levels: Levels::default() };
        let project = Project::load(files, SourceOptions::default());
        let outcome = analyse::<Shapes>(&project.view(path, bytes.clone()), options);
        let found: Marks = outcome
            .findings
            .iter()
            .filter(|finding| finding.rule.code.starts_with('A'))
            .map(|finding| (finding.location.start.line, finding.rule.code.to_owned()))
            .collect();
        let missing: Vec<_> = expected.difference(&found).collect();
        let surplus: Vec<_> = found.difference(&expected).filter(|one| !allowed.contains(*one)).collect();
        if !missing.is_empty() || !surplus.is_empty() {
            return Err(format!("{} by {solver:?}: missing {missing:?}, surplus {surplus:?}", path.display()).into());
        }
    }
    Ok(())
}
