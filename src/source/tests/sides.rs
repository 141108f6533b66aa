//! What stands beside the statements: comments, directives, spans.

use super::FormChoice::{Fixed, Free};
use super::{options, prescan};
use crate::source::prescan::FormChoice;

/// Checks the comments of a source, as text, number of statements that start before it, and whether it has its own
/// line.
#[track_caller]
fn comments(form: FormChoice, source: &str, expected: &[(&str, u32, bool)]) {
    let prescanned = prescan("main.f90", source.as_bytes().to_vec(), &options(form));
    let found: Vec<_> = prescanned
        .comments
        .iter()
        .map(|one| {
            let text = String::from_utf8_lossy(prescanned.texts.bytes(one.span)).into_owned();
            (text, one.statements_before, one.own_line)
        })
        .collect();
    let expected: Vec<_> = expected.iter().map(|&(text, before, own)| (text.to_owned(), before, own)).collect();
    assert_eq!(found, expected);
}

#[test]
fn comments_of_free_form() {
    comments(
        Free,
        "  != one  \r\na = 1 ! two\n! three",
        &[("!= one  ", 0, true), ("! two", 1, false), ("! three", 1, true)],
    );
}

#[test]
fn comments_between_continuation_lines_are_inside() {
    comments(Free, "a = 1 & ! x\n! y\n + 2\n! z\n", &[("! x", 1, false), ("! y", 1, false), ("! z", 1, true)]);
    comments(Fixed, "      A = 1\nc= y\n     1 + 2\nc= z\n", &[("c= y", 1, false), ("c= z", 1, true)]);
}

#[test]
fn comments_behind_an_unfinished_statement_are_not_inside() {
    comments(Free, "a = 1 &\n! y\n", &[("! y", 1, true)]);
}

#[test]
fn comments_past_column_72_are_whole() {
    let line = format!("c= {}", "x".repeat(100));
    comments(Fixed, &line, &[(&line, 0, true)]);
}

#[test]
fn statements_left_out_are_not_counted() {
    comments(Free, "a = 'x ! y\n! z\nb = 1 ! w\n", &[("! z", 0, true), ("! w", 1, false)]);
    comments(Free, "include 'none' ! y\n! z\n", &[("! y", 0, false), ("! z", 0, true)]);
}

#[test]
fn directives_are_kept_apart() {
    let source = "!$omp parallel &\n!$omp & do\n!DIR$ ivdep\n!$ comment\n!dir comment\na = 1\n!GCC$ unroll 4\n";
    let prescanned = prescan("main.f90", source.as_bytes().to_vec(), &options(Free));
    let found: Vec<_> =
        prescanned.directives.iter().map(|one| (prescanned.texts.bytes(one.span), one.statements_before)).collect();
    let expected = [(&b"!$omp parallel &"[..], 0), (b"!$omp & do", 0), (b"!DIR$ ivdep", 0), (b"!GCC$ unroll 4", 1)];
    assert_eq!(found, expected);
    assert_eq!(prescanned.comments.len(), 2);
}

#[test]
fn directives_of_fixed_form() {
    let prescanned = prescan("a.f", b"c$omp do\nCDIR$ IVDEP\n*$acc x\nCost $5\n".to_vec(), &options(Fixed));
    assert_eq!((prescanned.directives.len(), prescanned.comments.len()), (3, 1));
}

#[test]
fn spans_reach_from_label_to_last_byte() {
    let source = "  10   A = 1\n     1  + B  \n      C = 2\n";
    let prescanned = prescan("a.f", source.as_bytes().to_vec(), &options(Fixed));
    let texts: Vec<_> = prescanned.statements.iter().map(|one| prescanned.texts.bytes(one.span)).collect();
    assert_eq!(texts, [&b"10   A = 1\n     1  + B"[..], b"C = 2"]);
}

#[test]
fn dump_shows_places_labels_and_text() {
    let prescanned = prescan("a.f90", b"program p\n 10 continue; x = 1\n".to_vec(), &options(Free));
    assert_eq!(crate::source::dump(&prescanned), "1:1\t-\tprogram p\n2:2\t10\tcontinue\n2:15\t-\tx=1\n");
}
