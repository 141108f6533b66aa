//! Nothing is lost between source and tree: a tree as text ([`unparse`]), parsed again, is an equal tree.
//!
//! Equal means equal in everything but places. The second text is parsed into the name table of the first, so that the
//! same name is the same number in both; the trees are then compared as their `Debug` texts, which show every field,
//! less the spans. What the parser drops is in neither tree; so the two texts must also have the same letters, but for
//! operators and words that have two spellings.
//!
//! LAPACK is fetched by `corpus/fetch lapack` (part of `.ci/setup --tests`). Where it could not be had, its test says
//! so and passes, unless `CI` is set. `CAMFORT_ROUND_TRIP=FOLDER` tries the files below any other folder.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};

use camfort_rs::source::{FormChoice, PrescanOptions, Span, prescan};
use camfort_rs::syntax::parse::lexical::{Context, ParsedStatements};
use camfort_rs::syntax::parse::statement::statement;
use camfort_rs::syntax::print::unparse;
use camfort_rs::syntax::{NameTable, StatementKind, Tree, nesting};
use camfort_rs::workspace::{self, SourceOptions};
use rayon::prelude::*;

mod common;
use common::{fortran_files, public_package, root};

/// Parses free-form text with names that are numbered as in another tree. Names that stand alone may be macros.
fn parse_again(text: Vec<u8>, names: &NameTable) -> Tree {
    let options = PrescanOptions { form: FormChoice::Free, ..PrescanOptions::default() };
    let source = prescan("again.F90", text, &options);
    let cx = Context::new(&source, ParsedStatements::All);
    cx.names.replace(names.clone());
    let statements = source.statements.iter().map(|logical| statement(&cx, logical)).collect();
    let names = cx.names.take();
    nesting::nest(source, statements, names)
}

/// The debug text of a value without its spans.
fn without_spans(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("Span { start: ") {
        out.push_str(before);
        rest = behind.split_once(" }").map_or("", |(_, behind)| behind);
    }
    out + rest
}

/// The letters and digits of a statement, sorted, operators and keywords in one of their spellings. The parser could
/// drop a part of a statement from both trees alike; it would be missing here.
fn letters(cooked: &[u8]) -> Vec<char> {
    let mut text: String = cooked.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
    for spelling in [".lt.", ".le.", ".gt.", ".ge.", ".eq.", "==", ".ne.", "len=", "kind=", "rec=", "continue"] {
        text = text.replace(spelling, " ");
    }
    // A label may have zeros in front.
    let counts = |character: &char| character.is_ascii_alphanumeric() && *character != '0';
    let mut letters: Vec<char> = text.chars().filter(counts).collect();
    letters.sort_unstable();
    letters
}

/// The first difference between a file's tree and the tree of its unparsed text; `None` when the file has statements
/// that are not understood.
fn round_trip(path: &Path) -> Option<Result<(), String>> {
    let bytes = std::fs::read(path).ok()?;
    let tree = workspace::parse(path, &bytes, &SourceOptions::default());
    let understood = !tree.statements.iter().any(|one| matches!(one.kind, StatementKind::Unparsed(_)));
    understood.then(|| difference(&tree).map_or(Ok(()), Err))
}

/// The first difference between a tree and the tree of its unparsed text.
fn difference(tree: &Tree) -> Option<String> {
    let text = unparse(tree);
    let again = parse_again(text.clone(), &tree.names);
    let mut lines = text.split(|&byte| byte == b'\n');
    for (one, other) in tree.statements.iter().zip(&again.statements) {
        let line = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
        let (expected, found) = (without_spans(one), without_spans(other));
        if expected != found {
            return Some(format!("{}: `{line}`\n    {expected}\n    {found}", place(tree, one.span)));
        }
    }
    for (one, other) in tree.source.statements.iter().zip(&again.source.statements) {
        let (written, unparsed) = (tree.source.text(one), again.source.text(other));
        if letters(written) != letters(unparsed) {
            let texts = [written, unparsed].map(String::from_utf8_lossy);
            let became = format!("`{}` became `{}`", texts[0], texts[1]);
            if !NOT_KEPT.contains(&became.as_str()) {
                return Some(format!("{}: {became}", place(tree, one.span)));
            }
        }
    }
    let counts = (tree.statements.len(), again.statements.len());
    let nesting = |tree: &Tree| format!("{:?}{:?}", tree.constructs, tree.units);
    let same = counts.0 == counts.1 && nesting(tree) == nesting(&again);
    (!same).then(|| format!("{}: other nesting, {counts:?} statements", place(tree, Span::default())))
}

fn place(tree: &Tree, span: Span) -> String {
    let (path, start, _) = tree.source.texts.locate(span);
    format!("{}:{}", path.display(), start.line)
}

/// Tries all files and gives back how many there were without statements that are not understood.
fn all_round_trip(files: &[PathBuf]) -> usize {
    let results: Vec<_> = files.par_iter().filter_map(|path| round_trip(path)).collect();
    let wrong: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).take(20).collect();
    assert!(wrong.is_empty(), "{} files differ, such as\n{}", results.iter().filter(|it| it.is_err()).count(), {
        wrong.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
    });
    results.len()
}

#[test]
fn corpus_and_fixtures_round_trip() {
    for folder in ["corpus", "tests/fixtures/parse", "tests/fixtures/infer"] {
        let files = fortran_files(&root().join(folder));
        assert!(files.len() >= 20, "{folder} holds {} files", files.len());
        assert_eq!(all_round_trip(&files), files.len(), "{folder}");
    }
}

/// What the tree does not keep, because it means nothing or the same as what is kept: the third label of a two-branch
/// IF, the letters of IMPLICIT UNDEFINED, the files of a PROGRAM statement, a label behind THEN, a macro in front of
/// INTERFACE.
const NOT_KEPT: [&str; 5] = [
    "`if(x)10,20` became `if(x)10,20,10`",
    "`implicit undefined(a-z)` became `implicit none`",
    "`programmain(input,output,tape5=input)` became `program main`",
    "`if(a.gt.0)then10` became `if(a>0)then`",
    "`my_abstract interface` became `interface`",
];

/// The examples of the grammar, each by itself.
#[test]
fn grammar_round_trips() {
    let grammar: toml::Table = toml::from_str(include_str!("../grammar/fortran.toml")).expect("the list is valid TOML");
    let forms = grammar["statement"].as_array().expect("a list of tables");
    let mut wrong = Vec::new();
    for form in forms {
        let (layout, margin, name) = match form.get("form").and_then(toml::Value::as_str) {
            Some("fixed") => (FormChoice::Fixed, "      ", "example.f"),
            Some("preprocessed") => (FormChoice::Free, "", "example.F90"),
            _ => (FormChoice::Free, "", "example.f90"),
        };
        for example in form["examples"].as_array().expect("a list of texts") {
            let text = format!("{margin}{}\n", example.as_str().unwrap_or_default());
            let options = PrescanOptions { form: layout, ..PrescanOptions::default() };
            let tree = nesting::parse(prescan(name, text.into_bytes(), &options));
            wrong.extend(difference(&tree));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lapack_round_trips() {
    let Some(files) = public_package("lapack", true) else { return };
    assert_eq!(all_round_trip(&files), files.len());
}

#[test]
fn another_folder_round_trips() {
    if let Some(folder) = std::env::var_os("CAMFORT_ROUND_TRIP") {
        let files = fortran_files(Path::new(&folder));
        let understood = all_round_trip(&files);
        eprintln!("{understood} of {} files", files.len());
    }
}
