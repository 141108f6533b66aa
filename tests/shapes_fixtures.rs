//! Every file of tests/fixtures/shapes is its own expectation: a comment line `!~ CODE[,CODE]` expects these findings
//! on the line above it, `!~? CODE` allows one, and nothing else may be found. Files whose name ends in `_possible` are
//! analysed with `--possible`. The programs of `corpus/` have nothing to report.

use std::collections::BTreeSet;
use std::path::Path;
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
            let is_fortran = path.extension().is_some_and(|extension| ["f", "f90"].iter().any(|one| extension == *one));
            if is_fortran {
                let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                trials.push(Trial::test(name, move || holds(&path)));
            }
        }
    }
    trials.sort_by(|one, other| one.name().cmp(other.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
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

fn holds(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let (expected, allowed) = marks(&String::from_utf8_lossy(&bytes));
    let possible = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("_possible"));
    for solver in [Procedure::Z3, Procedure::Native] {
        let options = ShapeOptions { solver, possible, rules: RULES, levels: Levels::default() };
        let project = Project::load(&[path.to_path_buf()], SourceOptions::default());
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
            return Err(format!("{solver:?}: missing {missing:?}, surplus {surplus:?}").into());
        }
    }
    Ok(())
}
