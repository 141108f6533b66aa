//! Conditionals, macros and included files.

use super::FormChoice::{Fixed, Free};
use super::{PrescanOptions, cooked, cooked_with, notes, options, options_with_files, prescan, statements};
use crate::source::{FormChoice, IncludeObstacle, SourceNote, Span};

/// Checks whether a condition holds when `ONE` is defined as 1 and `EMPTY` as nothing.
#[track_caller]
fn condition(text: &str, holds: bool) {
    let source =
        format!("#define ONE 1\n#define EMPTY\n#define TWICE(x) ((x)*2)\n#if {text}\nyes\n#else\nno\n#endif\n");
    cooked(Free, &source, &[if holds { "yes" } else { "no" }]);
}

#[test]
fn conditions() {
    condition("ONE", true);
    condition("UNKNOWN", false);
    condition("defined(ONE) && !defined UNKNOWN", true);
    condition("defined ( EMPTY ) || UNKNOWN(3, 4)", true);
    condition("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", true);
    condition("0x10 == 16 && 010 == 8 && 10L == 10u", true);
    condition("-1 < 0 ? ONE : 0", true);
    condition("TWICE(ONE + 1) == 4", true);
    condition("7 / 2 == 3 && 7 % 4 == 3 && 1 / 0 == 0", true);
    condition("(6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5 && ~0 == -1", true);
    condition("1 << 4 >= 16 && 16 >> 4 <= 1 && 2 > 1 && 1 != 2", true);
    condition("ONE /* a remark */ && 'a' == 97", true);
    condition("10 - 3 - 2 == 5", true);
}

#[test]
fn conditionals_nest_and_branch() {
    let source = "#ifdef A\na\n#elif B\nb\n#if C\nc\n#else\nd\n#endif\n#else\ne\n#endif\n";
    cooked(Free, source, &["e"]);
    let with = |defines: &[&str]| PrescanOptions {
        defines: defines.iter().map(|&one| one.to_owned()).collect(),
        ..options(Free)
    };
    cooked_with(&with(&["A"]), source, &["a"]);
    cooked_with(&with(&["B"]), source, &["b", "d"]);
    cooked_with(&with(&["B=2", "C=1"]), source, &["b", "c"]);
    cooked_with(&with(&["B=0"]), source, &["e"]);
}

#[test]
fn conditionals_stand_inside_of_statements() {
    cooked(Free, "call s(a, &\n#ifdef X\n  b, &\n#else\n  c, &\n#endif\n  d)\n", &["call s(a,c,d)"]);
    cooked(Fixed, "      CALL S(A,\n#ifdef X\n     1  B,\n#else\n     1  C,\n#endif\n     2  D)\n", &["calls(a,c,d)"]);
}

#[test]
fn inactive_lines_are_kept_as_spans() {
    let source = "#if 0\n!= one\n#ifdef Y\nx\n#endif\n#elif 0\n!= two\n#else\n! three\n#endif\n";
    let prescanned = prescan("a.F90", source.as_bytes().to_vec(), &options(Free));
    let inactive: Vec<_> = prescanned.inactive.iter().map(|&span| prescanned.texts.bytes(span)).collect();
    assert_eq!(inactive, [&b"!= one\n#ifdef Y\nx\n#endif\n"[..], b"!= two\n"]);
    assert_eq!(prescanned.comments.len(), 1);
}

#[test]
fn unbalanced_conditionals_are_noted() {
    let reasons = |source: &str| -> Vec<String> {
        let reason = |note| match note {
            SourceNote::UnbalancedConditional { reason } => reason,
            other => format!("{other:?}"),
        };
        notes(&options(Free), source).into_iter().map(reason).collect()
    };
    assert_eq!(reasons("#if 1\na\n"), ["#if without #endif"]);
    assert_eq!(reasons("#endif\n#else\n#elif 1\n"), ["#endif without #if", "#else without #if", "#elif without #if"]);
    assert_eq!(reasons("#if 1\n#else\n#else\n#endif\n"), ["Branch behind #else"]);
}

#[test]
fn object_like_macros() {
    cooked(
        Free,
        "#define N 10 /* ten */\n#define KIND real(kind=8)\nKIND :: a(N), name\nb = 'N' ! N\n",
        &["real(kind=8)::a(10),name", "b='N'"],
    );
    cooked(Free, "#define N 1\n#undef N\na = N\n", &["a=n"]);
    cooked(Free, "#define EMPTY\na = 1 EMPTY + 2\n", &["a=1+2"]);
}

#[test]
fn names_are_case_sensitive_and_whole() {
    cooked(Free, "#define N 10\na = n + N + NN + N_ + 1N\n", &["a=n+10+nn+n_+1n"]);
}

#[test]
fn function_like_macros() {
    cooked(Free, "#define F(x, y) g(x)*(y)\na = F(b(1,2), 'c,)') + F\n", &["a=g(b(1,2))*('c,)')+f"]);
    cooked(Free, "#define F() g\na = F() + F ( )\n", &["a=g+g"]);
    cooked(Free, "#define F(x, ...) x(__VA_ARGS__)\nF(a, b, c)\nF(a)\n", &["a(b,c)", "a()"]);
    cooked(Free, "#define F (x)\na = F\n", &["a=(x)"]);
    cooked(Free, "#define CALLER other\n#define other(x) <x>\na = CALLER(3)\n", &["a=<3>"]);
}

#[test]
fn macro_uses_open_uses_that_what_follows_closes() {
    let defines = "#define P(x, y) a(x)+a(y)\n#define F(x) P(x,\n#define G(x) F(x)\n#define H(x) 0 + P\n";
    let check = |form, source: &str, expected: &[&str]| cooked(form, &format!("{defines}{source}"), expected);
    check(Free, "b = F(i) i-1) + 1\n", &["b=a(i)+a(i-1)+1"]);
    check(Free, "b = G(i) P(j, k)) + 1\n", &["b=a(i)+a(a(j)+a(k))+1"]);
    check(Free, "b = H(0)(P(i, j), k)\n", &["b=0+a(a(i)+a(j))+a(k)"]);
    check(Free, "b = G(i) &\n  ! inside\n  & i-1)\nc = 1\n", &["b=a(i)+a(i-1)", "c=1"]);
    check(Fixed, "      b = G(i)\n     &  i-1)\n      c = 1\n", &["b=a(i)+a(i-1)", "c=1"]);
    check(Free, "#define Q(x) x\nb = Q(F(i)) j)\n", &["b=a(i)+a(j)"]);
    // Nothing closes these.
    check(Free, "b = F(i) i-1\nc = 1\n", &["b=p(i,i-1", "c=1"]);
    check(Free, "b = H(0) + 1\nb = H(0)\nc = 1\n", &["b=0+p+1", "b=0+p", "c=1"]);
}

#[test]
fn a_bracket_out_of_a_macro_closes_no_arguments() {
    cooked(Free, "#define CLOSE )\n#define H(x) <x>\n#define P H(1 CLOSE\nx = P + 2\nP\n", &["x=h(1)+2", "h(1)"]);
}

#[test]
fn macro_arguments_go_over_lines_that_nothing_continues() {
    let define = "#define P(x, y) call g(x, y)\n";
    let check = |form, source: &str, expected: &[&str]| cooked(form, &format!("{define}{source}"), expected);
    check(Free, "P(a,\n  b)\nc = 1\n", &["call g(a,b)", "c=1"]);
    check(Free, "P(a .and.\n\n! inside\n  not ! )\n  ,'(' // b) ! last\nc = 1\n", &["call g(a.and.not,'('//b)", "c=1"]);
    check(Free, "P\n  (a, b)\nc = 1\n", &["call g(a,b)", "c=1"]);
    check(Free, "P(a b,\r\n  b)\r\nc = 1\r\n", &["call g(a b,b)", "c=1"]);
    check(Fixed, "      P(a,\nC inside\n        b)\n      c = 1\n", &["callg(a,b)", "c=1"]);
    // Lines that don't close the list stay what they are.
    let stays = |form, source: &str, expected: &[&str]| {
        let prescanned = prescan("main.f90", format!("{define}{source}").into_bytes(), &options(form));
        assert_eq!(statements(&prescanned), expected);
        let reason = "Arguments of macro 'P' are not closed".to_owned();
        assert_eq!(prescanned.notes[0].1, SourceNote::Preprocessor { reason });
    };
    stays(Free, "P(a,\nb = 1\nc = f(2)\n", &["p(a,", "b=1", "c=f(2)"]);
    stays(Free, "P(a,\n#ifdef X\n  b)\n#endif\nc = 1\n", &["p(a,", "c=1"]);
    stays(Fixed, "      P(a,\n      b = 1\n      end\n", &["p(a,", "b=1", "end"]);
}

#[test]
fn macros_bring_continuation_signs_and_comments() {
    let defines = "#define HEAD(x) x + &\n#define NOTE(x) x ! said\n";
    let check = |source: &str, expected: &[&str]| cooked(Free, &format!("{defines}{source}"), expected);
    check("b = HEAD(a)\n  c\nd = 1\n", &["b=a+c", "d=1"]);
    check("b = HEAD(a) ! remark\n  ! another\n  & c\nd = 1\n", &["b=a+c", "d=1"]);
    check("b = NOTE(a) + &\nd = 1\n", &["b=a", "d=1"]);
}

#[test]
fn pasting_and_quoting() {
    cooked(Free, "#define P(a, b) a##b + a ## _x + pre/**/b\nx = P(u, 2)\n", &["x=u2+u_x+pre2"]);
    cooked(Free, "#define Q(a) #a // \"a\"\nx = Q(say \"no\")\n", &["x=\"say \"\"no\"\"\"//\"a\""]);
    cooked(Free, "#define ONE 1\n#define P(a) a##ONE a\nx = P(ONE)\n", &["x=oneone 1"]);
}

#[test]
fn concatenation_is_no_comment() {
    cooked(Free, "#define JOIN(a, b) a // b\ns = JOIN('x', 'y') // 'z' /* 2\n", &["s='x'//'y'//'z'/*2"]);
}

#[test]
fn definitions_over_several_lines() {
    cooked(Free, "#define TWO(x) \\\n  x = 1; \\\n  x = x + 1\nTWO(a); b = 2\n", &["a=1", "a=a+1", "b=2"]);
}

#[test]
fn macros_are_not_expanded_in_themselves() {
    cooked(Free, "#define A A + B\n#define B A\nx = A\n", &["x=a+a"]);
    cooked(Free, "#define F(x) x\n#define A A + 1\ny = F(A)\n", &["y=a+1"]);
}

#[test]
fn calls_go_over_continuation_lines() {
    cooked(Free, "#define F(x, y) <x|y>\na = F(b, & ! first\n  ! second\n  'c&\n  &d') + 1\n", &["a=<b|'cd'>+1"]);
    cooked(
        Fixed,
        "#define F(x, y) <x|y>\n      A = F(B,\nC     no\n     1  C) + 1\n      D = F\n",
        &["a=<b|c>+1", "d=f"],
    );
    cooked(Free, "#define F(x) <x>\na = F\nb = F &\n  (1)\n", &["a=f", "b=<1>"]);
}

#[test]
fn expanded_text_may_pass_column_72() {
    let long = "x".repeat(90);
    cooked(Fixed, &format!("#define L {long}\n      A = L + 1\n"), &[&format!("a={long}+1")]);
}

#[test]
fn line_and_file_are_known() {
    cooked(Free, "a = __LINE__\n\nb = __FILE__\n", &["a=1", "b=\"main.f90\""]);
}

#[test]
fn expansion_lies_at_the_place_of_use() {
    let source = "#define F(x) x + x; y = 2\na = F(b) + 1\n";
    let prescanned = prescan("a.F90", source.as_bytes().to_vec(), &options(Free));
    assert_eq!(statements(&prescanned), ["a=b+b", "y=2+1"]);
    let spans: Vec<_> = prescanned.statements.iter().map(|one| prescanned.texts.bytes(one.span)).collect();
    assert_eq!(spans, [&b"a = F"[..], b"F(b) + 1"]);
    assert!(prescanned.statements.iter().all(|one| one.from_macro));
    assert!(prescanned.statements[0].shares_line);
}

#[test]
fn growing_expansions_are_bounded() {
    let mut source = "#define A0 x + x\n".to_owned();
    for n in 1..60 {
        source += &format!("#define A{n} A{0} A{0}\n", n - 1);
    }
    let reason = "Expansion of macro 'A59' is too large".to_owned();
    assert_eq!(notes(&options(Free), &(source + "a = A59\n")), [SourceNote::Preprocessor { reason }]);
    let nested = format!("#define F(x) x\na = {}1{}\n", "F(".repeat(20_000), ")".repeat(20_000));
    assert!(notes(&options(Free), &nested).len() <= 21);
}

#[test]
fn faulty_directives_are_noted() {
    let count = |source: &str| notes(&options(Free), source).len();
    assert_eq!(count("#define\n"), 1);
    assert_eq!(count("#define F(x\n"), 1);
    assert_eq!(count("#define F(1+)\n"), 1);
    assert_eq!(count("#if (1\n#endif\n"), 1);
    assert_eq!(count("#if\n#endif\n"), 1);
    assert_eq!(count("#error no\n"), 1);
    assert_eq!(count("#define F(x) x\na = F(1, 2)\n"), 1);
    assert_eq!(count("#warning x\n#pragma y\n#line 3\n# 1 \"a.f90\"\n#\n#if 0\n#error no\n#endif\n"), 0);
}

#[test]
fn c_comments_between_directives_are_skipped() {
    cooked(
        Free,
        "/* one */\n/* two\n * three\n */\n#define N 1 /* four\n five */\n  /* five */\na = N\n/* six */\n",
        &["a=1"],
    );
}

#[test]
fn includes_are_inlined() {
    let files = &[("src/a.inc", "integer a\ninclude 'b.inc'\n"), ("src/b.inc", "integer b")];
    let options = options_with_files(Free, files);
    let prescanned = prescan("src/main.f90", b"x\nINCLUDE \"a.inc\" ! y\n#include \"b.inc\"\nz\n".to_vec(), &options);
    assert_eq!(statements(&prescanned), ["x", "integer a", "integer b", "integer b", "z"]);
    assert_eq!(prescanned.notes, []);
    let (path, start, _) = prescanned.texts.locate(prescanned.statements[2].span);
    assert_eq!((path.to_str(), start.line, start.column), (Some("src/b.inc"), 1, 1));
    assert_eq!(prescanned.texts.bytes(prescanned.statements[4].span), b"z");
}

#[test]
fn include_directories_are_searched_behind_that_of_the_file() {
    let options = PrescanOptions {
        include_directories: vec!["inc".into()],
        ..options_with_files(
            Fixed,
            &[("inc/a.h", "#define N 3\n"), ("a.h", "#define N 4\n"), ("inc/b.h", "      B = 5\n")],
        )
    };
    cooked_with(&options, "#include \"a.h\"\n      A = N\n      INCLUDE 'b.h'\n      C = 6\n", &["a=4", "b=5", "c=6"]);
}

#[test]
fn headers_may_hold_a_part_of_a_statement() {
    let options = options_with_files(Free, &[("arguments.h", "  b, &\n  c &\n")]);
    cooked_with(&options, "call s(a, &\n#include \"arguments.h\"\n  )\n", &["call s(a,b,c)"]);
}

#[test]
fn an_included_file_is_read_in_its_own_form_where_that_is_evident() {
    const FREE: &str = "z = 1; w = 2\ncall s(z, &\n  w) ! c\n";
    const FIXED: &str = "      Z = 1 +\n     &    2\nc\n      C A L L S(Z)\n";
    let options = options_with_files(Fixed, &[("free.inc", FREE)]);
    let expected = &["x=1", "z=1", "w=2", "call s(z,w)", "y=23"];
    cooked_with(&options, "      X = 1\n      INCLUDE 'free.inc'\n      Y = 2\n     &3\n", expected);
    cooked_with(&options, "      X = 1\n#include \"free.inc\"\n      Y = 2\n     &3\n", expected);
    let options = options_with_files(Free, &[("fixed.inc", FIXED)]);
    cooked_with(&options, "x = 1\ninclude 'fixed.inc'\ny = &\n 2\n", &["x=1", "z=1+2", "calls(z)", "y=2"]);
    // What may be in both forms is in that of the file that includes it.
    let options = options_with_files(Fixed, &[("both.inc", "      A = 1\n      B = 2\n")]);
    cooked_with(&options, "      INCLUDE 'both.inc'\n", &["a=1", "b=2"]);
}

#[test]
fn missing_and_circular_includes_are_noted_once() {
    let options =
        options_with_files(Free, &[("main.f90", ""), ("a.inc", "include 'b.inc'\n"), ("b.inc", "include 'a.inc'\n")]);
    let note = |file: &str, obstacle| SourceNote::NotIncluded { file: file.to_owned(), obstacle };
    assert_eq!(notes(&options, "include 'none'\n#include <none>\n"), [note("none", IncludeObstacle::NotFound)]);
    assert_eq!(notes(&options, "include './main.f90'\n"), [note("./main.f90", IncludeObstacle::IncludesItself)]);
    assert_eq!(notes(&options, "include 'a.inc'\n"), [note("a.inc", IncludeObstacle::IncludesItself)]);
}

#[test]
fn c_comments_are_blanks_in_preprocessed_files() {
    let free = options(Free);
    cooked_with(&free, "#define N 9 /* size */\nx = N /* one */ + 1\n", &["x=9+1"]);
    cooked_with(&free, "#\nx = 1 & ! a\n/* between */\n + 2\n/* over\nlines */ y = 2\n", &["x=1+2", "y=2"]);
    cooked_with(&free, "#\nx = '/*' // '*/' ! /* here\ny = (/ 1, 2 /)\n", &["x='/*'//'*/'", "y=(/1,2/)"]);
    cooked_with(
        &options(Fixed),
        "#\n   10 FORMAT(1X,/*(I5))\n      X = 1 /* no end\n",
        &["10|format(1x,/*(i5))", "x=1/*noend"],
    );
    // Without a sign of a preprocessor only what stands at the beginning of a line.
    cooked_with(&free, "/* header */\nx = 1 /* 2 */\n", &["x=1/*2*/"]);
}

#[test]
fn backslashes_splice_lines_of_preprocessed_files() {
    cooked_with(&options(Free), "#\nx = 1 + \\\n2\ny = 'a \\\nb'\n! \\\nz = 3\n", &["x=1+2", "y='a b'", "z=3"]);
    cooked_with(
        &options(Fixed),
        "#\n      X = Y(1-\\\n1) + 2\n      Z = 'A\\\nB'\nC \\\n      W = 1\n",
        &["x=y(1-1)+2", "z='AB'", "w=1"],
    );
    cooked_with(&options(Free), "x = 'a\\'\n", &["x='a\\'"]);
}

/// What is said of a text, preprocessed, with some macros.
fn reasons(form: FormChoice, defines: &[&str], text: &str) -> Vec<String> {
    let defines = defines.iter().map(|&define| define.to_owned()).collect();
    let options = PrescanOptions { defines, ..options(form) };
    let prescanned = prescan("test.F90", text.as_bytes().to_vec(), &options);
    let reason = |(span, note): &(Span, SourceNote)| match note {
        SourceNote::Preprocessor { reason } => {
            format!("{}: {reason}", String::from_utf8_lossy(prescanned.texts.bytes(*span)))
        }
        other => format!("{other:?}"),
    };
    prescanned.notes.iter().map(reason).collect()
}

#[test]
fn a_branch_of_words_stops_the_compiler() {
    let free = |text: &str| reasons(Free, &[], text);
    let asked = |name: &str| {
        vec![format!("\"Use it\": The compiler is stopped unless '{name}' is defined (-D {name}): \"Use it\"")]
    };
    assert_eq!(free("x = 1\n#if !defined(_OPENMP)\n  \"Use it\"\n#endif\n"), asked("_OPENMP"));
    assert_eq!(free("#if ! defined ( A )\n\"Use it\"\n#endif\n"), asked("A"));
    assert_eq!(free("#ifndef A\n\"Use it\"\n#endif\n"), asked("A"));
    assert_eq!(free("#ifdef A\nx = 1\n#else\n\"Use it\"\n#endif\n"), asked("A"));
    assert_eq!(reasons(Fixed, &[], "      x = 1\n#ifndef A\n      \"Use it\"\n#endif\n"), asked("A"));
    assert_eq!(free("#if A < 3\n'No'\n#endif\n"), ["'No': The compiler is stopped: 'No'"]);
    assert_eq!(free("#ifndef A\n#elif 1\n\"Use it\"\n#endif\n").len(), 0, "A is not defined");
    assert_eq!(reasons(Free, &["A"], "#ifndef A\n\"Use it\"\n#endif\n").len(), 0);
    // What belongs to a statement is none.
    assert_eq!(free("#ifndef A\nprint *, &\n'No'\n#endif\n").len(), 0);
    let continued = reasons(Fixed, &[], "      print *,\n#ifndef A\n     'x'\n#endif\n");
    assert!(continued.iter().all(|reason| !reason.contains("stopped")), "{continued:?}");
}
