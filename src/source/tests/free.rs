//! Layout rules of free form, and those that hold in both forms.

use super::FormChoice::{Auto, Free};
use super::{PrescanOptions, cooked, cooked_with, notes, options, statements};
use crate::source::{SourceForm, SourceNote, prescan};

#[test]
fn case_and_blanks_are_canonical() {
    cooked(Free, "  IF (A  ==  B) GO   TO 10\n\tEND\tIF\n", &["if(a==b)go to 10", "end if"]);
}

#[test]
fn ampersand_continues() {
    cooked(Free, "a = b &\n  + c\nx = 1 & ! why\n\n! because\n  & + 2\n", &["a=b+c", "x=1+2"]);
}

#[test]
fn names_and_constants_are_cut_by_ampersands() {
    cooked(Free, "call re&\n  &mote\ns = 'ab&\n  &cd'\nt = 'it'&\n&'s'\n", &["call remote", "s='abcd'", "t='it''s'"]);
}

#[test]
fn without_a_second_ampersand_there_is_a_blank() {
    cooked(Free, "end&\nif\nend&\n& do\n", &["end if", "end do"]);
}

#[test]
fn lines_of_ampersands_stand_between() {
    cooked(Free, "a = 1 &\n  &\n & ! remark\n & + 2\n", &["a=1+2"]);
    cooked(Free, "a = 1 &\n  &\n\n! remark\n & + 2\n", &["a=1+2"]);
}

#[test]
fn an_ampersand_by_itself_ends_a_statement() {
    cooked(Free, "subroutine s(a, &\n b) &\n & !bind(c)\n integer a, b\n", &["subroutine s(a,b)", "integer a,b"]);
    cooked(Free, "a = 1 &\n &\n! remark\nb = 2\n&\n", &["a=1", "b=2"]);
    cooked(Free, "a = 'x&\n  & y&\n  &'\nb = 2\n", &["a='x y'", "b=2"]);
}

#[test]
fn ampersand_inside_of_a_line_is_kept() {
    cooked(Free, "a = '&' // \"& !\" // '!' ! &\nb = 1\n", &["a='&'//\"& !\"//'!'", "b=1"]);
    cooked(Free, "a = b & c\n", &["a=b&c"]);
}

#[test]
fn labels_are_read() {
    cooked(Free, "10 continue\n 123456 a = 1; 20 b = 2\n", &["10|continue", "99999|a=1", "20|b=2"]);
}

#[test]
fn construct_names_stay() {
    cooked(Free, "outer: do i = 1, 3\n", &["outer:do i=1,3"]);
}

#[test]
fn hollerith_constants_are_known_in_free_form() {
    cooked(
        Free,
        "10 format (6Hit's !, i3)\ndo 10 h = 1, 2\nx = 1_8 ! h\n",
        &["10|format(6hit's !,i3)", "do 10 h=1,2", "x=1_8"],
    );
}

#[test]
fn two_constants_stay_two() {
    cooked(Free, "a = 'a' 'b' // 'it''s'\n", &["a='a' 'b'//'it''s'"]);
}

#[test]
fn line_ends_of_other_systems() {
    cooked(Free, "a = 1\r\nb = &\r\n  2\r\n", &["a=1", "b=2"]);
    cooked(Free, "a = 1\rb = &\r  2\r", &["a=1", "b=2"]);
    cooked(Free, "a = 1\n\x0c\nb = 2\x1a", &["a=1", "b=2"]);
    cooked(Free, "\u{feff}a = 1\n", &["a=1"]);
}

#[test]
fn a_quote_at_the_end_of_a_line_and_one_in_the_next_are_a_doubled_quote() {
    cooked(Free, "call e('bad'&\n  ': x', 1)\n", &["call e('bad'': x',1)"]);
    cooked(Free, "call e('a' &\n  'b', \"c\"&\n 'd')\n", &["call e('a' 'b',\"c\" 'd')"]);
}

#[test]
fn blanks_at_the_end_count_in_a_hollerith_constant() {
    cooked(Free, "z = 4Hab  \nb = 1\n", &["z=4hab  ", "b=1"]);
    cooked(Free, "z = 4Hab \n", &["z=4hab "]);
}

#[test]
fn text_may_end_anywhere() {
    cooked(Free, "", &[]);
    cooked(Free, "a = 1 &", &["a=1"]);
    cooked(Free, "a = 1 &\n&", &["a=1"]);
    cooked(Free, "&\n&\n", &[]);
}

#[test]
fn open_constant_is_noted_at_its_quote() {
    let prescanned = prescan("a.f90", b"a = 1\nprint *, 'x\nb = 2\n".to_vec(), &options(Free));
    assert_eq!(statements(&prescanned), ["a=1", "b=2"]);
    assert_eq!(prescanned.notes.len(), 1);
    assert_eq!(prescanned.texts.bytes(prescanned.notes[0].0), b"'x");
}

#[test]
fn floods_are_summarised() {
    let notes = notes(&options(Free), &"a = 'x\n".repeat(1000));
    assert_eq!(notes.len(), 21);
    let reason = "980 more statements from here on are not understood".to_owned();
    assert_eq!(notes[20], SourceNote::NotUnderstood { reason });
}

#[test]
fn sentinel_lines_are_code_only_on_request() {
    let source = "a = 1\n!$ b = 2 &\n!$ & + 3\n!$omp barrier\n";
    cooked(Free, source, &["a=1"]);
    cooked_with(&PrescanOptions { openmp: true, ..options(Free) }, source, &["a=1", "b=2+3"]);
}

#[test]
fn positions_on_the_line() {
    let prescanned = prescan("a.f90", b"a=1; b=2 ;\nc=3; d=4; &\n e=5\n".to_vec(), &options(Free));
    let places: Vec<_> = prescanned.statements.iter().map(|one| (one.position_on_line, one.shares_line)).collect();
    assert_eq!(places, [(0, true), (1, false), (0, true), (1, true), (2, false)]);
}

#[test]
fn content_decides_the_form() {
    let form = |name: &str, text: &str| prescan(name, text.as_bytes().to_vec(), &options(Auto)).form;
    assert_eq!(form("a.f90", "! all comments\n! in column one\n      call c\n"), SourceForm::Free);
    assert_eq!(form("a.f90", "contains\ncall s\nc = 1\ndo i = 1, 2\nend do\n"), SourceForm::Free);
    assert_eq!(form("a.f90", "C     a remark\n      X = 1\n"), SourceForm::Fixed);
    assert_eq!(form("a.f90", "      X = 1\n     1    + 2\n"), SourceForm::Fixed);
    assert_eq!(form("a.f90", "x = a &\n     & + 1\n"), SourceForm::Free);
    assert_eq!(form("a.f90", "      x = 1\n     ! one\n     ! two\n      y = 2\n"), SourceForm::Free);
    assert_eq!(form("a.f", "program p\n  x = 1\nend\n"), SourceForm::Free);
    assert_eq!(form("a.f", "! remark\n      X = 1 ! one\n     &  + 2\n"), SourceForm::Fixed);
    assert_eq!(form("a.f", "From someone\nC     a remark\n      X = 1\n"), SourceForm::Fixed);
    assert_eq!(form("a.inc", "      X = 1\n     &  + 2\n"), SourceForm::Fixed);
    assert_eq!(form("a.inc", "x = 1 + &\n  2\n"), SourceForm::Free);
}
