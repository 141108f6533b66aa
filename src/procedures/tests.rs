//! What single statements do to variables, where it is easily missed: in the action of an IF, in specifiers, through
//! associate names, in statements that were not understood.

use super::effects;
use crate::flow::{Effects, FlowPosition, own_statements};
use crate::names::{ModuleIndex, Resolved, SymbolId, resolve};
use crate::source::{PrescanOptions, prescan};
use crate::syntax::{Tree, UnitId, nesting};

/// A subroutine with one of its statements.
struct Case {
    tree: Tree,
    resolved: Resolved,
    effects: Effects,
    position: FlowPosition,
}

/// A subroutine of these declarations and a statement, which stands on line `line`, counted from 0 behind the heading.
fn case(lines: &[&str], line: usize) -> Case {
    let text = format!("subroutine s(a, b, n, i, x, ok, text)\n{}\nend\n", lines.join("\n"));
    let tree = nesting::parse(prescan("case.F90", text.into_bytes(), &PrescanOptions::default()));
    let resolved = resolve(&tree, &ModuleIndex::new([]));
    let statements = own_statements(&tree)[UnitId::new(0)].clone();
    let effects = effects(&tree, &resolved, &statements);
    Case { tree, resolved, effects, position: FlowPosition::new(line + 1) }
}

impl Case {
    fn name(&self, symbol: SymbolId) -> &str {
        self.tree.names.text(self.resolved.symbol(symbol).name)
    }

    /// The variables that the statement may change.
    fn changes(&self) -> Vec<&str> {
        let here = self.effects.changes.iter().filter(|(_, position)| *position == self.position);
        let mut names: Vec<&str> = here.map(|&(symbol, _)| self.name(symbol)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The scalars that the statement defines for sure.
    fn kills(&self) -> Vec<&str> {
        let here = self.effects.definitions.iter().filter(|one| one.position == self.position && one.kills);
        here.map(|one| self.name(self.effects.variables.symbol(one.variable))).collect()
    }

    fn calls(&self) -> bool {
        self.effects.calls.contains(&self.position)
    }
}

/// The effects of one statement among usual declarations.
#[track_caller]
fn check(statement: &str, changes: &[&str], kills: &[&str], calls: bool) {
    let declarations =
        ["real a(n), b(n), x", "integer n, i", "logical ok", "character(80) text", "namelist /setup/ n, x", statement];
    let case = case(&declarations, 5);
    assert_eq!(case.changes(), changes, "{statement}");
    assert_eq!(case.kills(), kills, "{statement}");
    assert_eq!(case.calls(), calls, "{statement}");
}

#[test]
fn an_assignment_defines_its_variable() {
    check("x = a(i)", &["x"], &["x"], false);
    check("a(i) = x", &["a"], &[], false);
    check("if (ok) x = a(i)", &["x"], &[], false);
    check("text(1:2) = 'ab'", &["text"], &[], false);
}

#[test]
fn read_defines_its_items_for_sure_unless_it_may_end_early() {
    check("read (5, *) n, a(i)", &["a", "n"], &["n"], false);
    check("read (5, *, end=10) n", &["n"], &[], false);
    check("read (5, *, iostat=i) n", &["i", "n"], &[], false);
    check("read (5, *) (a(i), i = 1, n)", &["a", "i"], &[], false);
    check("read (5, setup)", &["n", "x"], &[], false);
    check("if (ok) read (5, *) n", &["n"], &[], false);
}

#[test]
fn write_changes_nothing_but_specifiers_internal_files_and_variables_of_implied_loops() {
    check("write (*, *) a, x", &[], &[], false);
    check("write (n, *) a, x", &[], &[], false);
    check("write (unit=n, fmt=*, iostat=i) a", &["i"], &[], false);
    check("write (*, *) (a(i), i = 1, n)", &["i"], &[], false);
    check("write (text, *) x", &["text"], &[], false);
    check("encode (10, 70, text) x", &["text"], &[], false);
    check("inquire (unit=n, exist=ok)", &["ok"], &[], false);
    check("open (newunit=n, file=text)", &["n"], &[], false);
}

#[test]
fn the_specifiers_of_constructs_and_their_ends_define() {
    check("change team (x, stat=n)", &["n"], &[], false);
    check("end team (stat=n)", &["n"], &[], false);
    check("critical (stat=n)", &["n"], &[], false);
    check("sync all (stat=n)", &["n"], &[], false);
    check("form team (i, x)", &["x"], &[], false);
    check("allocate (a(n), stat=i)", &["a", "i"], &[], false);
}

#[test]
fn a_call_may_change_its_arguments() {
    check("call f(a, x, n + 1, (i))", &["a", "x"], &[], true);
    check("if (ok) call f(x)", &["x"], &[], true);
    check("x = f(i)", &["i", "x"], &["x"], true);
    check("x = sin(x)", &["x"], &["x"], false);
}

#[test]
fn an_intrinsic_subroutine_changes_what_its_intents_say() {
    check("call random_number(x)", &["x"], &["x"], false);
    check("call random_number(a)", &["a"], &[], false);
    check("call random_seed(put=a)", &[], &[], false);
    check("call mvbits(i, 0, 4, n, 0)", &["n"], &[], false);
    check("call system_clock(count_max=n)", &["n"], &["n"], false);
    // A program may have a SECOND of its own.
    check("call second(x)", &["x"], &[], true);
}

#[test]
fn what_is_not_understood_may_do_everything_to_what_it_names() {
    check("UPDATE(a, n)", &["a", "n"], &[], true);
    check("x ?= a(i", &["a", "i", "x"], &[], true);
    check("if (ok) x ?= a(i", &["a", "i", "ok", "x"], &[], true);
}

#[test]
fn what_is_done_to_an_associate_name_is_done_to_its_selector() {
    let lines = ["real a(n, n), b(n)", "associate (column => a(:, 1), whole => b)", "column = 0", "whole = 1"];
    assert_eq!(case(&lines, 2).changes(), ["a", "column"]);
    assert_eq!(case(&lines, 3).changes(), ["b"]);
    let lines = ["class(*) x(n)", "select type (y => x(1))", "type is (real)", "y = 0.0"];
    assert_eq!(case(&lines, 3).changes(), ["x", "y"]);
}
