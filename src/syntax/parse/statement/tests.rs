//! Whole statements: how each is classified and what becomes of one that is not understood.

use crate::source::{Prescanned, SourceForm, SourceTexts, Span, is_preprocessed};
use crate::syntax::parse::lexical::ParsedStatements;
use crate::syntax::parse::statement::*;
use crate::syntax::print::{Style, expression_text, form_name};
use crate::syntax::testing::{cooked, top_level_expressions};
use crate::syntax::visit::walk_subexpressions;

/// A statement as its variant and its top-level expressions, or the reason why it was not understood.
fn outline_of(source: &Prescanned) -> String {
    let cx = Context::new(source, ParsedStatements::All);
    let statement = statement(&cx, &source.statements[0]);
    if let StatementKind::Unparsed(reason) = &statement.kind {
        return reason.clone();
    }
    let variant = form_name(&statement.kind);
    let mut texts = Vec::new();
    let names = cx.names.borrow();
    top_level_expressions(&names, &statement.kind, &mut |expression| {
        texts.push(expression_text(expression, &names, Style::Bracketed))
    });
    let construct = statement.construct_name.map(|name| format!("{}: ", names.text(name.name))).unwrap_or_default();
    format!("{construct}{variant} [{}]", texts.join("; "))
}

#[track_caller]
fn check(form: SourceForm, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&outline_of(&cooked(form, text)), expected, "{text}");
    }
}

#[test]
fn assignment_comes_before_keywords() {
    check(
        SourceForm::Free,
        &[
            ("if(1,2)=0", "Assignment [1; 2; 0]"),
            ("if(if(1,2)==0)if(2,2)=1", "If [(if(1, 2) == 0); 2; 2; 1]"),
            ("if(then==1)then", "IfThen [(then == 1)]"),
            ("write=read", "Assignment [read]"),
            ("write(*,*)write,t_end", "InputOutput [*; *; write; t_end]"),
            ("do do=1,while", "Do [1; while]"),
            ("where(data>2)where=data", "Where [(data > 2); data]"),
            ("select case(case)", "SelectCase [case]"),
            ("type=7", "Assignment [7]"),
            ("p(1:3)=>t", "PointerAssignment [1; 3; t]"),
        ],
    );
    check(
        SourceForm::Fixed,
        &[
            ("do10i=1,5", "Do [1; 5]"),
            ("do10i=1.5", "Assignment [real:1.5]"),
            ("doubleprecisiond", "TypeDeclaration []"),
            ("callsubr(x,y(1))", "Call [x; y(1)]"),
            ("assign30tokount", "Assign []"),
            ("if(x)30,30,40", "ArithmeticIf [x]"),
            ("if(j.eq.3)goto20", "If [(j == 3)]"),
        ],
    );
}

#[test]
fn headers_and_their_expressions() {
    check(
        SourceForm::Free,
        &[
            ("outer:do i=1,n,2", "outer: Do [1; n; 2]"),
            ("do concurrent(i=1:n,b(i)>0)local(t)reduce(+:s)", "Do [1; n; (b(i) > 0)]"),
            ("forall(i=1:n:2,m(i))a(i)=b(i)", "Forall [1; n; 2; m(i); i; b(i)]"),
            ("case(1:3,7,:0)pick", "Case [1; 3; 7; 0]"),
            ("else if(a>9.0)then check", "ElseIf [(a > real:9.0)]"),
            ("select type(x=>list%item)", "SelectType [list%item]"),
            ("associate(x=>a(i),two=>2*b)", "Associate [a(i); (2*b)]"),
            ("change team(t,a[2,*]=>b,stat=s)", "ChangeTeam [t; 2; b; s]"),
            ("allocate(real(8)::a(0:n),stat=s)", "Allocate [8; 0; n; s]"),
            ("read(10'rec)x", "InputOutput [10; rec; x]"),
            ("stop 3,quiet=.true.", "Stop [3; logical:.true.]"),
        ],
    );
}

#[test]
fn what_is_not_understood_says_where() {
    check(
        SourceForm::Free,
        &[
            ("cal foo(x)", "Expected a statement at 'cal foo(x)'"),
            ("foo(x)", "Expected a statement at 'foo(x)'"),
            ("a=b+", "Expected an expression at the end of the statement"),
            ("a=(b", "Expected ')' at the end of the statement"),
            ("if(a)b c", "Expected a statement at 'b c'"),
            ("do i=1", "Expected ',' at the end of the statement"),
            ("call f(x)y", "Expected the end of the statement at 'y'"),
            ("allocate(stat=i)", "Expected an object at 'stat=i)'"),
            ("deallocate(stat=i)", "Expected an object at 'stat=i)'"),
            ("else if(a)", "Expected then at the end of the statement"),
            ("a=1)+this_goes_on_and_on_and_on", "Expected the end of the statement at ')+this_goes_on_and_o…'"),
        ],
    );
    let deep = format!("{}a=1", "if(a)".repeat(5_000));
    assert!(outline_of(&cooked(SourceForm::Free, &deep)).starts_with("Expected at most 200"));
}

/// A statement whose source is written as `source` says: its cooked text is that in lower case, without blanks in fixed
/// form.
fn written(path: &str, form: SourceForm, source: &str) -> Prescanned {
    let kept: Vec<usize> =
        (0..source.len()).filter(|&at| form == SourceForm::Free || source.as_bytes()[at] != b' ').collect();
    let text: String = kept.iter().map(|&at| char::from(source.as_bytes()[at]).to_ascii_lowercase()).collect();
    let mut prescanned = cooked(form, &text);
    prescanned.is_preprocessed = is_preprocessed(path.as_ref(), source.as_bytes());
    prescanned.texts = SourceTexts::new(path, source.as_bytes().to_vec());
    prescanned.origins = kept.iter().map(|&at| at as u32).collect();
    prescanned.statements[0].span = Span::new(0, source.len() as u32);
    prescanned
}

#[test]
fn macros_stand_for_statements_in_preprocessed_files() {
    for (path, form, source, expected) in [
        ("a.F90", SourceForm::Free, "check(x)", "MacroStatement [x]"),
        ("a.f90", SourceForm::Free, "check(x)", "Expected a statement at 'check(x)'"),
        ("a.f90", SourceForm::Free, "CHECK(x)", "MacroStatement [x]"),
        ("a.f90", SourceForm::Free, "__Iam__('x')", "MacroStatement ['x']"),
        ("a.F90", SourceForm::Free, "cal foo(x)", "Expected a statement at 'cal foo(x)'"),
        ("a.F", SourceForm::Fixed, "CALL_CHECKED(X)+", "Expected the end of the statement at '+'"),
        ("a.F", SourceForm::Fixed, "OPEN_CHECKED(X)", "MacroStatement [x]"),
        ("a.f", SourceForm::Fixed, "CHECK(X)", "Expected a statement at 'check(x)'"),
        ("a.F", SourceForm::Fixed, "CAL FOO(X)", "Expected a statement at 'calfoo(x)'"),
        ("a.F", SourceForm::Fixed, "INTGR4 N, M(3)", "TypeDeclaration [3]"),
        ("a.F", SourceForm::Fixed, "NON_RECURSIVE", "Expected a name at the end of the statement"),
        ("a.F", SourceForm::Fixed, "RECORD P A, B", "Expected a statement at 'recordpa,b'"),
        ("a.F90", SourceForm::Free, "TYPE P=E", "Expected a statement at 'type p=e'"),
        ("a.F90", SourceForm::Free, "type m::r=d", "Expected a statement at 'type m::r=d'"),
        ("a.F90", SourceForm::Free, "type r,", "Expected a statement at 'type r,'"),
        ("a.F90", SourceForm::Free, "if(a)check(x)", "If [a; x]"),
        ("a.F90", SourceForm::Free, "CALL0CHECK(x)", "MacroStatement [x]"),
        ("a.F90", SourceForm::Free, "READ5,x", "InputOutput [5; x]"),
        ("a.F90", SourceForm::Free, "if(a)", "Expected a statement at the end of the statement"),
    ] {
        assert_eq!(outline_of(&written(path, form, source)), expected, "{source}");
    }
}

#[test]
fn parameters_without_brackets_are_told_by_the_blank() {
    assert_eq!(outline_of(&written("a.f", SourceForm::Fixed, "PARAMETER PI = 3")), "Parameter [3]");
    assert_eq!(outline_of(&written("a.f", SourceForm::Fixed, "PARAMETERPI = 3")), "Assignment [3]");
}

#[test]
fn subexpressions_come_outer_first() {
    let source = cooked(SourceForm::Free, "x=a(i+1)*f(b(:n))");
    let cx = Context::new(&source, ParsedStatements::All);
    let statement = statement(&cx, &source.statements[0]);
    let names = cx.names.borrow();
    let mut texts = Vec::new();
    top_level_expressions(&names, &statement.kind, &mut |expression| {
        walk_subexpressions(expression, &mut |inner| texts.push(expression_text(inner, &names, Style::Bracketed)));
    });
    assert_eq!(texts, ["(a((i + 1))*f(b(:n)))", "a((i + 1))", "(i + 1)", "i", "1", "f(b(:n))", "b(:n)", "n"]);
}
