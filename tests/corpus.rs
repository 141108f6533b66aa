//! What must hold of whole corpora: the programs of `corpus/` compile, and insertion is neutral and idempotent on them
//! and on every file of LAPACK.
//!
//! LAPACK is fetched by `corpus/fetch lapack` (part of `.ci/setup --tests`). Where that could not be had, the test says
//! so and passes, unless `CI` is set.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::diagnostics::Severity;
use camfort_rs::diagnostics::edit;
use camfort_rs::syntax::print::unparse;
use camfort_rs::workspace::{Project, SourceOptions, parse};
use rayon::prelude::*;

mod common;
use common::{fortran_files, gfortran_is_there, public_package, root};

/// Inserts into a file and checks that nothing else happened: taking the lines out gives the original bytes, the
/// program is the same, and a second run adds nothing. Returns what went wrong, and the number of lines inserted.
fn insertion_is_neutral(project: &Project, path: &Path) -> Result<usize, String> {
    let original = std::fs::read(path).map_err(|error| error.to_string())?;
    let view = project.view(path, original.as_slice());
    let result = analyse::<Infer>(&view, InferOptions::default());
    let edited = edit::apply(&original, &result.insertions);
    let complain = |what: &str| Err(format!("{}: {what}", path.display()));
    if edit::without_insertions(&edited, &result.insertions).as_deref() != Some(original.as_slice()) {
        return complain("taking the inserted lines out does not give the original");
    }
    if !view.is_same_program(&edited) {
        return complain("the program is not the same any more");
    }
    let again = analyse::<Infer>(&project.view(path, edited.as_slice()), InferOptions::default());
    if let Some(finding) = again.findings.iter().find(|finding| finding.severity == Severity::Error) {
        return complain(&format!("a specification that was inserted is wrong: {finding:?}"));
    }
    if !again.insertions.is_empty() {
        return complain(&format!("a second run inserts {:?}", again.insertions));
    }
    Ok(result.insertions.len())
}

fn neutral_on(files: &[PathBuf]) -> usize {
    let project = Project::load(files, SourceOptions::default());
    let results: Vec<_> = files.par_iter().map(|path| insertion_is_neutral(&project, path)).collect();
    let wrong: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    results.iter().flatten().sum()
}

#[test]
fn insertion_is_neutral_on_the_corpus() {
    let files = fortran_files(&root().join("corpus"));
    assert!(files.len() >= 30, "corpus/ holds {} programs", files.len());
    neutral_on(&files);
}

#[test]
fn insertion_is_neutral_on_lapack() {
    let Some(files) = public_package("lapack", true) else { return };
    let inserted = neutral_on(&files);
    assert!(inserted > 1_000, "only {inserted} specifications were inserted into LAPACK");
}

/// What gfortran has against a file; `None` when it accepts it.
fn objections(path: &Path, arguments: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let common = ["-fsyntax-only", "-std=legacy", "-ffree-line-length-none"];
    let output = Command::new("gfortran").args(common).args(arguments).arg(path).current_dir(&folder).output();
    let output = output.expect("gfortran was there a moment ago");
    let message = || format!("{}\n{}", path.display(), String::from_utf8_lossy(&output.stderr));
    (!output.status.success()).then(message)
}

#[test]
fn corpus_programs_compile() {
    if !gfortran_is_there() {
        return;
    }
    let files = fortran_files(&root().join("corpus"));
    let failed: Vec<String> = files.par_iter().filter_map(|path| objections(path, &["-Wall", "-Werror"])).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The text of a corpus program's tree is a program, too.
#[test]
fn unparsed_corpus_programs_compile() {
    if !gfortran_is_there() {
        return;
    }
    let files = fortran_files(&root().join("corpus"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let unparsed = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("the file is there");
        let text = unparse(&parse(path, &bytes, &SourceOptions::default()));
        let copy = folder.path().join(path.with_extension("f90").file_name().expect("a file has a name"));
        std::fs::write(&copy, text).expect("the folder is there");
        objections(&copy, &[])
    };
    let failed: Vec<String> = files.par_iter().filter_map(unparsed).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
