//! Generators of large Fortran texts of one odd shape each.

use std::fmt::Write;

/// A program around some statements: arrays `a` and `b`, a scalar `x`, and a loop over `i` around the statements.
fn in_loop(body: &str) -> String {
    format!("program p\ninteger :: i, j\nreal :: a(100), b(100), x\ndo i = 2, 99\n{body}\nend do\nend program\n")
}

/// The pieces for 0 to `count - 1`, one after the other.
fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Something opened so many times around something, and closed as often.
fn nested(count: usize, open: &str, inside: &str, close: &str) -> String {
    open.repeat(count) + inside + &close.repeat(count)
}

/// An expression, an index, a specification and a chain of signs with so many nested brackets; then an ordinary
/// statement.
pub fn deep_brackets(count: usize) -> String {
    let nested = |open, inside, close| nested(count, open, inside, close);
    in_loop(
        &[
            format!("x = {}", nested("(", "1.0", ")")),
            format!("b(i) = a({}) + a(i - 1)", nested("(", "i", ")")),
            format!("!= stencil readOnce, {} :: a", nested("(", "backward(depth=1, dim=1)", ")")),
            "b(i) = a(i) + a(i - 1)".to_owned(),
            format!("b(i) = {}", nested("-(", "a(i)", ")")),
            "b(i) = a(i + 1)".to_owned(),
        ]
        .join("\n"),
    )
}

/// Nested block IFs with an ELSE each.
pub fn deep_ifs(count: usize) -> String {
    let open = each(count, |n| format!("if (j > {n}) then\nx = a(i) + {n}\n"));
    let close = each(count, |n| format!("else\nx = {n}\nend if\n"));
    in_loop(&(open + "b(i) = x + a(i-1)\n" + &close))
}

/// One statement on one line of so many bytes, then an ordinary loop.
pub fn long_line(bytes: usize) -> String {
    let mut line = "x = 1".to_owned();
    let mut term = 0;
    while line.len() < bytes {
        let _ = write!(line, " + a({})*{term}", term % 100 + 1);
        term += 1;
    }
    in_loop(&(line + " ! and a comment\nb(i) = a(i-1) + a(i+1)"))
}

/// Fixed form: a loop full of labels and GOTOs, forward and backward.
pub fn many_labels(count: usize) -> String {
    let jump = |n: usize| {
        let target = if n.is_multiple_of(3) { n.saturating_sub(2).max(2) } else { n + 1 };
        format!("{n:5} IF (K .EQ. {n}) GO TO {target}\n")
    };
    let head = "      SUBROUTINE LABELS(A, B, N, K)\n      REAL A(N), B(N), T\n      DO 1 I = 2, N\n      T = A(I-1)\n";
    let body: String = (2..count).map(jump).collect();
    format!("{head}{body}{count:5} B(I) = T + A(I)\n    1 CONTINUE\n      END\n")
}

/// So many conditional assignments to a scalar that use it, in a ring of GOTO: the value of each may come from any of
/// them.
pub fn ring(count: usize) -> String {
    let assignments = each(count, |n| format!("if (j == {n}) x = x + a(i-{})\n", n % 2));
    in_loop(&format!("x = 0\n1 read *, j\n{assignments}if (j > 0) goto 1\nb(i) = x"))
}

/// The same in the DO loop itself, where the values of earlier iterations come too.
pub fn accumulations(count: usize) -> String {
    in_loop(&(each(count, |n| format!("if (j == {n}) x = x + a(i-{})\n", n % 2)) + "b(i) = x"))
}

/// Bytes without any order, the same ones every time.
pub fn random_bytes(count: usize) -> Vec<u8> {
    let mut state = 20_171_025u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// All shapes that are regular and can be had in any size, each with a name.
pub fn all(count: usize) -> Vec<(&'static str, String)> {
    let mut shapes = flows(count);
    shapes.extend(nests(count));
    shapes.extend(expressions(count));
    shapes.extend(preprocessed(count));
    shapes
}

/// Many definitions and uses of scalars.
fn flows(count: usize) -> Vec<(&'static str, String)> {
    let loops = "do i = 1, 9\nx = x + a(i)\nb(i) = x + a(i+1)\nend do\n".repeat(count);
    let links = each(count, |n| format!("x{} = x{n} + a(i+{})\nb(i) = x{n}\n", n + 1, n % 7));
    let backwards = each(count, |n| format!("x{n} = x{}\nb(i) = x{n}\n", n + 1));
    let jumps = each(count, |n| {
        let target = n * 7919 % count + 1;
        format!("if (b(i) > {n}) goto {target}\nx{} = a(i+{})\n{} b(i) = x{}\n", n % 300, n % 50, n + 1, n * 31 % 300)
    });
    let assigned = each(count, |n| format!("assign {} to j\ngoto j\n{} x = a(i)\nb(i) = x\n", n + 1, n + 1));
    vec![
        ("conditional_definitions", in_loop(&each(count, |n| format!("if (j > {n}) x = a(i+{})\nb(i) = x\n", n % 50)))),
        ("chain", in_loop(&format!("x0 = a(i)\n{links}"))),
        ("backward_chain", in_loop(&format!("{backwards}x{count} = a(i)\n"))),
        ("loops_in_a_row", format!("real a(9), b(9), x\n{loops}end\n")),
        ("loops_in_a_loop", format!("real a(9), b(9), x\ndo j = 1, 9\n{loops}end do\nend\n")),
        ("jumps", in_loop(&jumps)),
        ("assigned_jumps", in_loop(&assigned)),
        ("not_understood", in_loop(&("x ?? y a b i\n".repeat(count) + &"b(i) = a(i) + x\n".repeat(count)))),
        (
            "else_ifs",
            in_loop(&format!("if (j > 1) then\n{}end if\nb(i) = x", "else if (j > 2) then\nx = a(i)\n".repeat(count))),
        ),
        ("ring", ring(count)),
        ("accumulations", accumulations(count)),
        ("components", in_loop(&each(count, |n| format!("d%x{n} = a(i)\nd%x{n}%y = b(i)\nd = e\n")))),
    ]
}

/// Constructs in constructs.
fn nests(count: usize) -> Vec<(&'static str, String)> {
    let many = 10 * count;
    let own_variables = each(count, |n| format!("do k{n} = 1, 2\nx{n} = a(k{n}-1) + x{}\n", n.saturating_sub(1)));
    vec![
        ("do_loops", in_loop(&nested(many, "do j = 1, 2\n", "b(i) = a(i-1)\n", "end do\n"))),
        ("do_loops_with_scalars", in_loop(&(own_variables + "b(i) = x1\n" + &"end do\n".repeat(count)))),
        ("exits", in_loop(&nested(count, "do j = 1, 9\n", "", "if (x > 1) exit\nx = a(i)\nb(i) = x\nend do\n"))),
        ("blocks", in_loop(&nested(many, "block\n", "b(i) = a(i-1)\n", "end block\n"))),
        (
            "associations",
            in_loop(&nested(count, "associate (a => a)\n", &"b(i) = a(i-1)\n".repeat(count), "end associate\n")),
        ),
        ("deep_associations", in_loop(&nested(many, "associate (x => x)\n", "b(i) = a(i-1)\n", "end associate\n"))),
        ("ifs_left_open", in_loop(&"if (x > 1) then\n".repeat(many))),
        (
            "units",
            each(count, |n| format!("subroutine s{n}(a, b)\nreal a(*), b(*)\ndo i = 1, 9\nb(i) = a(i)\nend do\nend\n")),
        ),
        ("contained", nested(many, "subroutine s\ncontains\n", "", "end\n")),
    ]
}

/// Large expressions and declarations.
fn expressions(count: usize) -> Vec<(&'static str, String)> {
    let constants = each(count, |n| format!("integer, parameter :: k{} = k{n} + k{n}\n", n + 1));
    let regions = each(count, |n| format!("!= region :: r{} = r{n} + r{n}\n", n + 1));
    vec![
        ("terms", in_loop(&format!("b(i) = {} 0", each(count, |n| format!("a(i+{}) + ", 3 * n))))),
        ("index_terms", in_loop(&format!("b(i) = a(i {})", each(count, |n| format!("+ k{n}"))))),
        ("indirect", in_loop(&format!("b(i) = {}", nested(count.min(200), "a(", "i", ")")))),
        (
            "constants",
            format!(
                "integer, parameter :: k0 = 1\n{constants}real a(9), b(9)\ndo i = 1, 9\nb(i) = a(i + k9)\nend do\nend\n"
            ),
        ),
        (
            "regions",
            in_loop(&format!(
                "!= region :: r0 = pointed(dim=1)\n{regions}!= stencil readOnce, r{count} :: a\nb(i) = a(i)\n"
            )),
        ),
        ("dimensions", in_loop(&format!("b(i) = a({} i)", "i, ".repeat(count)))),
        ("specifications", in_loop(&"!= stencil readOnce, pointed(dim=1) :: a\nb(i) = a(i)\n".repeat(count))),
    ]
}

/// Macros and conditions.
fn preprocessed(count: usize) -> Vec<(&'static str, String)> {
    let few = count.min(200);
    let doubled = each(few, |n| format!("#define M{} M{n} M{n}\n", n + 1));
    let growing = each(few, |n| format!("#define M{} M{n} + M{n}\n", n + 1));
    let ring = each(count, |n| format!("#define M{n} M{} + 1\n", (n + 1) % count));
    vec![
        ("empty_macros", format!("#define M0\n{doubled}{}", in_loop(&format!("b(i) = a(i) M{few}")))),
        ("growing_macros", format!("#define M0 a(i)\n{growing}{}", in_loop(&format!("b(i) = M{few}")))),
        ("ring_of_macros", format!("{ring}{}", in_loop("b(i) = a(i) + M0"))),
        (
            "nested_macro_calls",
            format!("#define G(x) x x\n{}", in_loop(&format!("b(i) = {}", nested(count, "G(", "a", ")")))),
        ),
        ("conditions", in_loop(&nested(count, "\n#ifdef X", "", "\n#endif"))),
    ]
}
