//! Layout rules of fixed form and tab form.

use super::FormChoice::Fixed;
use super::{PrescanOptions, cooked, cooked_with, notes, options, options_with_files};
use crate::source::SourceNote;
use crate::source::fixed::{Card, read_card};

#[test]
fn column_one_signs_make_comments() {
    cooked(Fixed, "C a\nc b\n* c\n! d\nD     x = 1\nd     x = 2\n      x = 3\n", &["x=3"]);
}

#[test]
fn blanks_mean_nothing() {
    cooked(Fixed, "      DO 10 I = 1, 1 0\n      GO  TO 1 0\n", &["do10i=1,10", "goto10"]);
}

#[test]
fn labels_may_have_blanks_inside() {
    cooked(Fixed, " 1 2  X = 1\n00300 CONTINUE\n99999 END\n", &["12|x=1", "300|continue", "99999|end"]);
}

#[test]
fn label_without_statement_is_kept() {
    cooked(Fixed, "   10\n      X = 1\n", &["10|", "x=1"]);
}

#[test]
fn any_sign_but_blank_and_zero_in_column_six_continues() {
    cooked(Fixed, "      A = 1\n     1+ 2\n     &+ 3\n     !+ 4\n     c+ 5\n     0B = 6\n", &["a=1+2+3+4+5", "b=6"]);
}

#[test]
fn comments_and_blank_lines_stand_between_continuation_lines() {
    cooked(Fixed, "      A = 1\nC     no\n\n  ! no\n     1+ 2\n", &["a=1+2"]);
}

#[test]
fn ampersand_in_column_one_continues() {
    cooked(Fixed, "\tA = 1\n& + 2\n", &["a=1+2"]);
}

#[test]
fn tab_reaches_column_seven_and_a_digit_behind_it_continues() {
    cooked(Fixed, "\tA = 1\n\t1+ 2\n10\tB = 3\n \t2+ 4\n", &["a=1+2", "10|b=3+4"]);
}

#[test]
fn columns_behind_72_do_not_count() {
    let line = format!("{:<72}{}\n", "      A = 1", "+ 2");
    cooked(Fixed, &line, &["a=1"]);
    let with = |length| PrescanOptions { fixed_line_length: length, ..options(Fixed) };
    cooked_with(&with(Some(73)), &line, &["a=1+"]);
    cooked_with(&with(Some(80)), &line, &["a=1+2"]);
    cooked_with(&with(None), &line, &["a=1+2"]);
}

#[test]
fn columns_of_a_tab_line_count_from_seven() {
    let text = format!("A{}", " ".repeat(65));
    cooked(Fixed, &format!("\t{text}B\n"), &["a"]);
    cooked(Fixed, &format!("\t{}B\n", &text[..65]), &["ab"]);
}

#[test]
fn short_line_inside_a_constant_is_padded_when_continued() {
    let padded = format!("a='x{}y'", " ".repeat(72 - 12));
    cooked(Fixed, "      A = 'x\n     1y'\n", &[&padded]);
    cooked_with(&PrescanOptions { fixed_line_length: None, ..options(Fixed) }, "      A = 'x\n     1y'\n", &["a='xy'"]);
}

#[test]
fn hollerith_constants_hold_anything() {
    cooked(
        Fixed,
        "      DATA A /4HAB'C, 3* 2H!), 1H;/\n      CALL S(3 H A , 5.EQ.1HX)\n",
        &["dataa/4hAB'C,3*2h!),1h;/", "calls(3h A ,5.eq.1hX)"],
    );
    cooked(Fixed, "      STOP 3HA B\n      IF (X) PAUSE 2H! \n", &["stop3hA B", "if(x)pause2h! "]);
}

#[test]
fn hollerith_constants_go_on_in_the_next_line() {
    let line = format!("{:<71}4HA\n     1BC D = 2\n", "      X =");
    cooked_with(&PrescanOptions { fixed_line_length: Some(74), ..options(Fixed) }, &line, &["x=4hABC d=2"]);
}

#[test]
fn blanks_cut_off_behind_a_hollerith_constant_come_back() {
    cooked(Fixed, "      A = 4HX\n      B = 1\n", &["a=4hX   ", "b=1"]);
}

#[test]
fn names_and_lengths_before_an_h_are_no_hollerith_constants() {
    cooked(
        Fixed,
        "      REAL*8 HEAP\n      X2H = Y3HA\n      DO 10 H = 1, 5\n      INTEGER*2HOLD\n",
        &["real*8heap", "x2h=y3ha", "do10h=1,5", "integer*2hold"],
    );
}

#[test]
fn edit_descriptors_need_no_comma_before_hollerith() {
    cooked(Fixed, "   10 FORMAT (2X4HEND.,1P 2HA )\n", &["10|format(2x4hEND.,1p2hA )"]);
}

#[test]
fn semicolons_separate_but_not_in_constants() {
    cooked(Fixed, "      A = 1; B = ';' ;; C = 1H;\n", &["a=1", "b=';'", "c=1h;"]);
}

#[test]
fn trailing_comments_end_the_text() {
    cooked(Fixed, "      A = 1 ! don't\n      B = '!' ! x\n     1 // 'c'\n", &["a=1", "b='!'//'c'"]);
}

#[test]
fn two_constants_stay_two() {
    cooked(Fixed, "      A = 'a' 'b', 'it''s', \"x\" 'y'\n", &["a='a' 'b','it''s',\"x\" 'y'"]);
}

#[test]
fn record_sign_is_no_quote() {
    cooked(Fixed, "      READ (10'IREC) A\n      WRITE (L ' 3) 'x'\n", &["read(10'irec)a", "write(l'3)'x'"]);
}

#[test]
fn statements_too_far_left_are_read() {
    cooked(Fixed, "  X = 1\n10 Y = 2\n100 WRITE(6,*)\n", &["x=1", "10|y=2", "100|write(6,*)"]);
}

#[test]
fn open_constant_is_noted_and_its_statement_left_out() {
    let notes = notes(&options(Fixed), "      A = 'x\n      B = 1\n");
    assert_eq!(notes, [SourceNote::NotUnderstood { reason: "Character constant is not closed".to_owned() }]);
}

#[test]
fn cards_are_read_by_column() {
    let card = |line: &str| read_card(line.as_bytes(), Some(72));
    assert_eq!(card("     "), Card::Blank);
    assert_eq!(card("      x"), Card::Initial { field_end: 5, text: 6, text_end: 7 });
    assert_eq!(card("     1x"), Card::Continuation { text: 6, text_end: 7 });
    assert_eq!(card("     !x"), Card::Continuation { text: 6, text_end: 7 });
    assert_eq!(card("    !x"), Card::Comment(4));
    assert_eq!(card("       !x"), Card::Comment(7));
    assert_eq!(card("\t&x"), Card::Continuation { text: 2, text_end: 3 });
    assert_eq!(card(&format!("{:80}x", "")), Card::Blank);
}

#[test]
fn include_lines_begin_in_any_column() {
    let options = options_with_files(Fixed, &[("x.inc", "      B = 1\n")]);
    cooked_with(&options, "      A = 1\n     include 'x.inc'\n      C = 1\n", &["a=1", "b=1", "c=1"]);
    cooked_with(&options, "      A = 1 +\n     include\n", &["a=1+nclude"]);
}
