//! Each Fortran file of `tests/fixtures/infer`, `tests/fixtures/paper` (with `--paper`), `tests/fixtures/partial` (with
//! `--partial-dimensions`), `tests/fixtures/slips` (with statements that can't be understood) and `corpus` holds
//! exactly the specifications that inference must produce: they are taken out, inferred and inserted again, and the
//! bytes must be the same. One test per file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Infer, InferOptions, StencilOptions};
use camfort_rs::diagnostics::Severity;
use camfort_rs::diagnostics::edit;
use camfort_rs::workspace::{Project, SourceOptions};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    let partial = "tests/fixtures/partial";
    for folder in ["tests/fixtures/infer", "tests/fixtures/paper", partial, "tests/fixtures/slips", "corpus"] {
        for path in fortran_files(&root.join(folder)) {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            if folder == "corpus" {
                let path = path.clone();
                trials.push(Trial::test(format!("{name} by another name"), move || in_the_form_of_its_content(&path)));
            }
            trials.push(Trial::test(name, move || specified_file(&path)));
        }
    }
    trials.extend(documented(&root.join("docs/inference.md")));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The pieces of code of a page: each is a file with its specifications.
fn documented(page: &Path) -> Vec<Trial> {
    let text = std::fs::read_to_string(page).expect("the page is part of the repository");
    let pieces =
        text.split("```fortran\n").skip(1).map(|piece| piece.split("```").next().unwrap_or_default().to_owned());
    let trial = |(number, piece): (usize, String)| {
        Trial::test(format!("docs/inference.md {number}"), move || {
            specified(Path::new("piece.f90"), piece.as_bytes(), InferOptions::default())
        })
    };
    let trials: Vec<Trial> = (1..).zip(pieces).map(trial).collect();
    assert!(!trials.is_empty(), "the page has no code");
    trials
}

fn fortran_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| ["f", "F", "f90", "F90", "fypp", "pf"].iter().any(|known| extension == *known))
        })
        .collect();
    files.sort();
    files
}

/// Whether a line is a specification as inference writes them.
fn is_specification(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    [b"!= ".as_slice(), b"c= "].iter().any(|sign| {
        text.strip_prefix(*sign).is_some_and(|rest| rest.starts_with(b"stencil ") || rest.starts_with(b"access "))
    })
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}

fn specified_file(path: &Path) -> Result<(), Failed> {
    let is_in = |folder: &str| path.parent().is_some_and(|parent| parent.ends_with(folder));
    let (paper, partial_dimensions) = (is_in("fixtures/paper"), is_in("fixtures/partial"));
    let stencils = StencilOptions { paper, partial_dimensions, ..StencilOptions::default() };
    specified(path, &std::fs::read(path)?, InferOptions { stencils, ..InferOptions::default() })
}

/// A file is read in the form that its content shows, before the insertion and after it.
fn in_the_form_of_its_content(path: &Path) -> Result<(), Failed> {
    let extension = if path.extension().is_some_and(|extension| extension == "f") { "f90" } else { "f" };
    specified(&path.with_extension(extension), &std::fs::read(path)?, InferOptions::default())
}

fn specified(path: &Path, expected: &[u8], options: InferOptions) -> Result<(), Failed> {
    let bare: Vec<u8> = lines(expected).filter(|line| !is_specification(line)).flatten().copied().collect();
    let project = Project::load(&[path.to_path_buf()], SourceOptions::default());
    let view = project.view(path, bare.as_slice());
    let result = analyse::<Infer>(&view, options.clone());
    if view.not_understood().is_empty() == path.to_string_lossy().contains("fixtures/slips") {
        return Err(format!("not understood: {:?}", view.not_understood()).into());
    }
    let inferred = edit::apply(&bare, &result.insertions);
    if inferred != expected {
        let diff = edit::unified_diff(path, expected, &inferred);
        return Err(String::from_utf8_lossy(&diff).into_owned().into());
    }
    // What is there already is left alone, and holds.
    let again = analyse::<Infer>(&project.view(path, expected), options);
    let errors: Vec<_> = again.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    if !errors.is_empty() || !again.insertions.is_empty() {
        return Err(format!("a second run finds {errors:?} and inserts {:?}", again.insertions).into());
    }
    Ok(())
}
