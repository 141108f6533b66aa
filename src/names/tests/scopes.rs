//! Scopes within scopes: constructs with names of their own, contained procedures, interface bodies, implicit rules.

use crate::names::tests::*;

#[test]
fn associate_names_have_the_shape_of_their_selectors() {
    let case = case(
        "subroutine s(a, o)
        real a(9, 0:9)
        class(*) o(:)
        type t; real v(3); end type
        associate (row => a(2, :), whole => a, one => a(1, 1), expression => a + 1, r => a(idx, [1, 2]), a => b)
        x = row(1); x = whole(1, 1); x = one; x = expression(1, 1); x = r(1); y = a
        end associate
        select type (p => o)
        type is (t)
        x = p(1)%v(2)
        class default
        z = p(1)
        end select
        x = a(1, 1)
        end",
    );
    assert_eq!((case.class("x = row"), case.class("x = whole"), case.class("x = r(")), (ARRAY_1, ARRAY_2, ARRAY_1));
    assert_eq!((case.class("x = one"), case.class("x = expr")), (PartClass::Scalar, ARRAY_2));
    assert_eq!((case.class("y = a"), case.class("x = a(1, 1)")), (PartClass::Scalar, ARRAY_2));
    assert_eq!(case.classes("x = p(1)%v"), [ARRAY_1, ARRAY_1]);
    assert_eq!(case.class("z = p"), ARRAY_1);
    let whole = case.symbol("x = whole", "whole");
    assert_eq!(whole.shape.as_ref().map(|shape| shape.bounds[1].lower), Some(Some(0)));
    assert!(matches!(whole.kind, SymbolKind::AssociateName { whole: Some(_), index: 1, .. }));
}

#[test]
fn select_rank_gives_the_rank() {
    let case = case(
        "subroutine s(a)
        real a(..)
        select rank (a)
        rank (2)
        x = a(1, 1)
        rank default
        y = 0
        end select
        end",
    );
    assert_eq!(case.class("x = a"), ARRAY_2);
    assert_eq!(case.symbol("y = 0", "a").shape.as_ref().map(|shape| shape.rank), Some(0));
}

#[test]
fn blocks_and_contained_procedures_see_their_hosts() {
    let case = case(
        "program p
        real a(3), b
        implied = 1
        block
          real b(2)
          x = b(1); new = 1
        end block
        x2 = b
        contains
        subroutine inner
          real a
          integer c(2)
          x3 = implied; x4 = a; x5 = c(1)
        end subroutine
        subroutine other
          x6 = a(1); x7 = c(1)
        end subroutine
        end program",
    );
    assert_eq!((case.class("x = b(1)"), case.class("x2 = b")), (ARRAY_1, PartClass::Scalar));
    assert_eq!((case.class("x4 = a"), case.class("x6 = a(1)")), (PartClass::Scalar, ARRAY_1));
    assert_eq!(case.class("x7 = c"), PartClass::Function);
    let scope = case.resolved.scope_of(case.assignment("x2 = b").0);
    assert_eq!(case.symbol("x3 = implied", "implied").scope, scope);
    assert_eq!(case.symbol("new = 1", "new").scope, scope);
    let block = case.resolved.scope_of(case.assignment("new = 1").0);
    assert!(block != scope && matches!(case.resolved.scope_kind(block), ScopeKind::Block(_)));
    assert_eq!(case.resolved.parent_scope(block), Some(scope));
}

#[test]
fn interface_bodies_have_no_host_unless_imported() {
    let case = case(
        "module m
        integer, parameter :: n = 3
        interface
          subroutine f(a); real a(n); end subroutine
          subroutine g(a); import n; real a(n); end subroutine
          module subroutine h(a); real a(n); end subroutine
        end interface
        contains
        subroutine s; x = 1; call f(y); call g(y); call h(y); end subroutine
        end module",
    );
    let upper = |procedure: &str| {
        let symbol = case.symbol("x = 1", procedure);
        let SymbolKind::Subroutine { interface: Some(interface) } = &symbol.kind else { panic!("{symbol:?}") };
        interface.dummies[0].shape.clone().expect("an array").bounds[0].upper
    };
    // The undeclared `n` of `f` is its own, whose value nobody knows; `f` does not mention it in a declaration.
    assert_eq!((upper("g"), upper("h")), (Some(3), Some(3)));
}

#[test]
fn implicit_rules_hold_per_scope_and_pass_to_contained_ones() {
    let case = case(
        "subroutine s
        implicit real*8 (a-h, o-z), logical (l)
        x = y; k = l
        contains
        subroutine inner
        implicit integer (x)
        x2 = y2
        end subroutine
        end
        subroutine t
        implicit none
        a = b
        a = unseen(1)
        end",
    );
    let y = case.symbol("x = y", "y").type_.expect("a type");
    assert_eq!((y.base, y.kind), (BaseType::Real, Some(8)));
    assert_eq!(case.symbol("k = l", "l").type_.map(|it| it.base), Some(BaseType::Logical));
    assert_eq!(case.symbol("k = l", "k").type_.map(|it| it.base), Some(BaseType::Integer));
    assert_eq!(case.symbol("x2 = y2", "x2").type_.map(|it| it.base), Some(BaseType::Integer));
    assert_eq!(case.symbol("x2 = y2", "y2").type_.and_then(|it| it.kind), Some(8));
    assert_eq!(case.symbol("a = b", "b").type_, None);
    assert_eq!(case.class("a = unseen"), PartClass::Unknown);
}

/// From every scope, every name is what a walk from scope to scope finds.
#[test]
fn names_of_scopes_that_nest_deeply_are_found() {
    let mut text = "module m\nreal a(99), x0\ncontains\nsubroutine s(x1)\nreal x1, x2\n".to_owned();
    let mut ends = Vec::new();
    for level in 0..60 {
        let name = format!("x{}", level % 7);
        let (begin, end) = match level % 5 {
            0 if level % 3 == 0 => (format!("block\nimport, only: a, x1, x2\nreal {name}\n"), "end block\n"),
            0 => (format!("block\nuse other, only: x{}\nreal {name}\n", (level + 1) % 7), "end block\n"),
            1 => (format!("block\nreal {name}\nend block\nblock\n"), "end block\n"),
            _ => (format!("associate ({name} => a({level}))\n"), "end associate\n"),
        };
        text += &format!("{begin}y = x0 + x1 + x2 + x3 + x4 + x5 + x6\n");
        ends.push(end);
    }
    text.extend(ends.into_iter().rev().flat_map(|end| [end, "y = x0 + x1 + x2 + x3 + x4 + x5 + x6\n"]));
    let case = case(&(text + "end\nend\n"));
    let resolved = &case.resolved;
    let mut found = 0;
    for scope in resolved.scopes.all.indices() {
        for name in (0..7).map(|number| case.tree.names.get(&format!("x{number}")).expect("a name")) {
            let mut at = Some(scope);
            let mut expected = None;
            while let (Some(id), None) = (at, expected) {
                expected = resolved.maps[id].get(&name).copied();
                at = resolved.scope_seen_from(id, name);
            }
            assert_eq!(resolved.find(scope, name), expected);
            found += usize::from(expected.is_some());
        }
    }
    assert!(found > 300, "{found}");
}
