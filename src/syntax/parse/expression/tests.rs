//! Expressions: literals, operators and their ranks, references.

use crate::source::{SourceForm, Span};
use crate::syntax::parse::expression::*;
use crate::syntax::parse::lexical::Trouble;
use crate::syntax::print::{Style, expression_text};
use crate::syntax::testing::with_cooked;

/// How an expression was understood, or what remained and what was expected.
fn understood(text: &str) -> String {
    with_cooked(SourceForm::Free, text, |cx, input| match expression(cx, input) {
        Ok((rest, value)) => {
            let tree = expression_text(&value, &cx.names.borrow(), Style::Bracketed);
            if rest.is_empty() { tree } else { format!("{tree} then {}", String::from_utf8_lossy(rest)) }
        }
        Err(nom::Err::Error(trouble) | nom::Err::Failure(trouble)) => {
            let Trouble { remaining, expected } = trouble;
            format!("expected {expected} at {}", text.len() - remaining)
        }
        Err(nom::Err::Incomplete(_)) => "incomplete".to_string(),
    })
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&understood(text), expected, "{text}");
    }
}

#[test]
fn operators_of_one_level_are_one_flat_node() {
    check(&[
        ("a+b-c", "(a + b - c)"),
        ("a+b*c/d-e", "(a + (b*c/d) - e)"),
        ("a**b**c", "(a**b**c)"),
        ("a*b**c*d", "(a*(b**c)*d)"),
        ("a//b//c==d", "((a // b // c) == d)"),
        ("a.and.b.or.c.and.d.eqv.e", "(((a .and. b) .or. (c .and. d)) .eqv. e)"),
        ("a.or.b.eqv.c.neqv.d", "((a .or. b) .eqv. c .neqv. d)"),
        ("a.near.b+1", "(a .near. (b + 1))"),
        ("a/=b", "(a /= b)"),
        ("a<=b.and.c>=d.and.e<f.and.g>h", "((a <= b) .and. (c >= d) .and. (e < f) .and. (g > h))"),
    ]);
}

#[test]
fn signs_and_negations_reach_as_far_as_they_should() {
    check(&[
        ("-a*b+c", "((-(a*b)) + c)"),
        ("-a**2", "(-(a**2))"),
        ("+a-b", "((+a) - b)"),
        ("a*-b", "(a*(-b))"),
        ("a*-b*c", "(a*(-b)*c)"),
        ("x**-2*3", "((x**(-2))*3)"),
        ("i-1+2*-i", "(i - 1 + (2*(-i)))"),
        ("a+-b*c+d", "(a + (-(b*c)) + d)"),
        ("--a", "(-(-a))"),
        ("x.gt.-.5e-1", "(x > (-real:.5e-1))"),
        ("a==-b+c", "(a == ((-b) + c))"),
        (".not.a.and.b", "((.not. a) .and. b)"),
        (".not.a==b.or.c", "((.not. (a == b)) .or. c)"),
        ("a.and..not.b", "(a .and. (.not. b))"),
        (".not..not.a", "(.not. (.not. a))"),
        (".inv.a*b", "((.inv. a)*b)"),
        ("a*.inv.b**2", "(a*((.inv. b)**2))"),
    ]);
}

#[test]
fn numbers_end_where_operators_begin() {
    check(&[
        ("1.eq.i", "(1 == i)"),
        ("1.e1.eq.x.or.i.eq.2.and.3..lt.x", "((real:1.e1 == x) .or. ((i == 2) .and. (real:3. < x)))"),
        ("1..eq.y", "(real:1. == y)"),
        ("x.gt.1.", "(x > real:1.)"),
        ("x**2.*3.e0/4.e+0-5.d-1", "(((x**real:2.)*real:3.e0/real:4.e+0) - real:5.d-1)"),
        ("1.d0*.1d+01*1d1", "(real:1.d0*real:.1d+01*real:1d1)"),
        ("1.5q0", "real:1.5q0"),
        ("i.eq.1.or.i.eq.2.xor.m", "(((i == 1) .or. (i == 2)) .xor. m)"),
        ("d+2.-e1", "(d + real:2. - e1)"),
        ("1_8+1.0_dp+1._dp+1.e0_r8", "(1_8 + real:1.0_dp + real:1._dp + real:1.e0_r8)"),
        ("1._dp.eq.x", "(real:1._dp == x)"),
        ("99999999999999999999", "big:99999999999999999999"),
        ("1.and.2", "(1 .and. 2)"),
        ("(1.,2.)", "(real:1., real:2.)"),
        ("(-1.e0,+.5)", "((-real:1.e0), (+real:.5))"),
    ]);
}

#[test]
fn constants_of_all_kinds() {
    check(&[
        (".true..and..false._4", "(logical:.true. .and. logical:.false._4)"),
        (".t..or.x", "(logical:.t. .or. x)"),
        (".t.x", "(.t. x)"),
        ("'it''s'//\"a\"\"b\"", "('it''s' // \"a\"\"b\")"),
        ("c_'x'", "c_'x'"),
        ("1_'x'", "1_'x'"),
        ("'str'c", "'str'c"),
        ("z'ff'", "boz:z'ff'"),
        ("'0101'b", "boz:'0101'b"),
        ("\"1f\"x", "boz:\"1f\"x"),
        ("'abc'(i:i)", "'abc'(i:i)"),
        ("1_'abc'(1:1)", "1_'abc'(1:1)"),
        ("shift(777b,k)", "shift(boz:777b, k)"),
        ("8e", "real:8e"),
        ("8e+48e", "(real:8e + real:48e)"),
        ("2.d*x", "(real:2.d*x)"),
        ("1.e.x", "(1 .e. x)"),
        ("1e+5-e", "(real:1e+5 - e)"),
        ("a<>b", "(a /= b)"),
        ("5Habc d+1", "(hollerith:5Habc d + 1)"),
        ("4hX(\")", "hollerith:4hX(\")"),
        ("9hab", "expected as many characters as the Hollerith constant counts at 2"),
        ("'open", "expected a closing quote at 0"),
    ]);
}

#[test]
fn references_in_all_forms() {
    check(&[
        ("a", "a"),
        ("a(i,j-1)", "a(i, (j - 1))"),
        ("f()", "f()"),
        ("a(1:n:2,:,2:,:m,::3)", "a(1:n:2, :, 2:, :m, ::3)"),
        ("s(i)(1:2)", "s(i)(1:2)"),
        ("a%b(i)%c", "a%b(i)%c"),
        ("a(1)[2,j]%b", "a(1)[2, j]%b"),
        ("f(x,*20,key=3,,b)", "f(x, *20, key=3, , b)"),
        ("f(a==b)", "f((a == b))"),
        ("f(%val(n),%loc(x))", "f(%val(n), %loc(x))"),
        ("m(k=8,rows=*,cols=:)", "m(k=8, rows=*, cols=:)"),
    ]);
}

#[test]
fn points_of_records_and_of_operators() {
    check(&[
        ("p.x", "p%x"),
        ("s.corner(1).x", "s%corner(1)%x"),
        ("list(i).word.eq.0.and.s.h.gt.1", "((list(i)%word == 0) .and. (s%h > 1))"),
        ("a.near.b", "(a .near. b)"),
        ("a.near.2", "(a .near. 2)"),
        ("a.near..not.b", "(a .near. (.not. b))"),
    ]);
    // A file that declares records reads chains of names as components.
    check(&[("s.box.w*record/t", "(s%box%w*record/t)")]);
}

#[test]
fn brackets_of_all_kinds() {
    check(&[
        ("(a+b)*c", "(<(a + b)>*c)"),
        ("(/1,2/)", "[1, 2]"),
        ("[a,b]/c", "([a, b]/c)"),
        ("(/(/1/),x/=y/)", "[[1], (x /= y)]"),
        ("(/'a'/)", "['a']"),
        ("[(i*2,i=1,n)]", "[((i*2), i = 1, n)]"),
        ("((a(i,j),b,i=1,3),j=1,n,2)", "((a(i, j), b, i = 1, 3), j = 1, n, 2)"),
        ("(n>3?a:b)", "((n > 3) ? a : b)"),
        ("(n<0?0:n==0?1:(k>2?2:3))", "((n < 0) ? 0 : (n == 0) ? 1 : ((k > 2) ? 2 : 3))"),
        ("(a,b,c)", "expected the control of an implied DO at 6"),
        ("(a", "expected ) at 2"),
        ("a)", "a then )"),
        ("", "expected an expression at 0"),
    ]);
}

#[test]
fn lone_operands_leave_slashes_alone() {
    let rest = with_cooked(SourceForm::Free, "-1.5**2/,x", |cx, input| {
        operand(cx, input).map(|(rest, _)| String::from_utf8_lossy(rest).into_owned()).ok()
    });
    assert_eq!(rest.as_deref(), Some("/,x"));
}

#[test]
fn spans_leave_out_the_blank_behind_a_name() {
    let span = with_cooked(SourceForm::Free, "a+bc then", |cx, input| expression(cx, input).map(|(_, e)| e.span).ok());
    assert_eq!(span, Some(Span::new(0, 4)));
}

#[test]
fn depth_is_bounded_and_length_is_not() {
    let deep = format!("{}a{}", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(understood(&deep), "expected at most 200 nested brackets at 201");
    assert_eq!(understood(&"-".repeat(20_000)), "expected at most 200 nested brackets at 200");
    assert_eq!(understood(&".not.".repeat(20_000)), "expected at most 200 nested brackets at 1000");
    let climbing = "x.o.a.eqv.b.or.c.and.d==e//f+g*h**(".repeat(300);
    assert!(understood(&climbing).starts_with("expected at most 200"));
    let long = format!("a{}", "+b*c".repeat(150_000));
    let terms = with_cooked(SourceForm::Free, &long, |cx, input| match expression(cx, input) {
        Ok((_, Expression { kind: ExpressionKind::Binary(operations), .. })) => operations.rest.len(),
        _ => 0,
    });
    assert_eq!(terms, 150_000);
}
