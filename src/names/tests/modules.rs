//! What crosses files: modules, submodules, rings, and what is missing.

use crate::names::tests::*;

const SIZES: &str = "module sizes
    implicit none
    private
    integer, parameter, public :: halo = 2
    integer, parameter :: hidden = 9
    integer, parameter, public :: width = 2*halo + hidden
    real, public :: field(width)
    end module";
const CHAIN: &str = "module chain
    use sizes, only: h => halo, width
    integer, parameter :: twice = 2*h
    private :: width
    end module";

#[test]
fn modules_resolve_in_any_order_of_files() {
    let text = "program p
        use chain
        use sizes, f => field
        k1 = h; k2 = twice; k3 = width; k4 = hidden; x = f(1); x = field(1)
        end";
    for project in [[SIZES, CHAIN], [CHAIN, SIZES]] {
        let case = among(&project, text);
        assert_eq!((case.value("k1"), case.value("k2"), case.value("k3")), (Some(2), Some(4), Some(13)));
        assert_eq!(case.value("k4"), None);
        assert_eq!((case.class("x = f("), case.class("x = field")), (ARRAY_1, PartClass::Function));
        assert!(case.symbol("x = f(", "f").use_associated && case.notes().is_empty());
    }
    let only = among(&[SIZES, CHAIN], "program p\nuse chain, only: twice\nk1 = twice; k2 = h; k3 = width\nend");
    assert_eq!((only.value("k1"), only.value("k2"), only.value("k3")), (Some(4), None, None));
}

#[test]
fn a_file_prefers_its_own_modules() {
    let text = "module sizes; integer, parameter :: halo = 7; end module
        program p; use sizes
        k = halo
        end";
    assert_eq!(among(&[SIZES, text], text).value("k = "), Some(7));
    assert_eq!(among(&[SIZES], text).value("k = "), Some(7));
}

#[test]
fn missing_modules_are_noted_once_and_make_names_doubtful() {
    let case = case(
        "module m
        use lost
        use, intrinsic :: iso_fortran_env, only: real64, int32
        use mpi
        contains
        subroutine s
        use lost, only: g
        x = f(1); x = g(1); k = int32; x = sin(1.); x = mpi_wtime(0)
        y(1) = 2
        x = y(1)
        end subroutine
        end module
        subroutine t
        use mpi
        use lost, only: f
        x2 = f(1); x2 = h(1)
        end subroutine",
    );
    assert_eq!(case.notes(), [&NameNote::ModuleNotFound("lost".into())]);
    assert_eq!((case.class("x = f"), case.class("x = g")), (PartClass::Unknown, PartClass::Unknown));
    assert_eq!((case.class("x = y"), case.class("x = sin")), (ARRAY_1, PartClass::Intrinsic));
    assert_eq!((case.class("x = mpi"), case.value("k = int32")), (PartClass::Function, Some(4)));
    assert_eq!((case.class("x2 = f"), case.class("x2 = h")), (PartClass::Unknown, PartClass::Function));
}

#[test]
fn rings_of_modules_are_cut_and_noted_once() {
    let (one, two) = (
        "module ring_one; use ring_two; integer, parameter :: n1 = n2 + 1, m1 = 5; end module",
        "module ring_two; use ring_one; integer, parameter :: n2 = n1 + 1, m2 = 6; end module",
    );
    let text = "program p; use ring_one
        k1 = n1; k2 = n2; k3 = m1; k4 = m2
        end";
    let case = among(&[one, two], text);
    assert_eq!((case.value("k1"), case.value("k2")), (None, None));
    assert_eq!((case.value("k3"), case.value("k4")), (Some(5), Some(6)));
    assert!(case.notes().is_empty());
    let ring = NameNote::CircularUse("ring_one -> ring_two -> ring_one".into());
    assert_eq!(among(&[one, two], one).notes(), [&ring]);
    assert!(among(&[one, two], two).notes().is_empty());
    let itself = "module me; use me; end module";
    assert_eq!(among(&[itself], itself).notes(), [&NameNote::CircularUse("me -> me".into())]);
}

#[test]
fn submodules_see_private_names_of_their_ancestors() {
    let parent = "module tree
        integer, parameter, private :: n = 3
        real, private :: data(n)
        interface
          module subroutine grow(a, k); real, intent(inout) :: a(:); integer, intent(in) :: k; end subroutine
        end interface
        end module";
    let child = "submodule (tree) branch
        integer, parameter :: m = n + 1
        contains
        module procedure grow
        x = a(k); x = data(1)
        end procedure
        end submodule";
    let leaf = "submodule (tree:branch) leaf
        contains
        subroutine s
        j = m + n
        end subroutine
        end submodule";
    let case = among(&[leaf, child, parent], child);
    assert_eq!((case.class("x = a("), case.class("x = data")), (ARRAY_1, ARRAY_1));
    let k = case.symbol("x = a(", "k");
    assert!(k.is_dummy && k.intent == Some(crate::syntax::Intent::In));
    assert_eq!(among(&[leaf, child, parent], leaf).value("j = "), Some(7));
    let alone = among(&[], leaf);
    assert_eq!(alone.notes(), [&NameNote::ModuleNotFound("tree:branch".into())]);
}

#[test]
fn generic_names_and_constructors_may_share_a_name() {
    let module = "module m
        type box; integer n; end type
        interface box; procedure make; end interface
        interface area; module procedure area_box, area_none; end interface
        contains
        function make(x) result(b); type(box) b; end function
        real function area_box(b); type(box), intent(in) :: b; end function
        real function area_none(); end function
        end module";
    let case = among(&[module], "program p\nuse m\ntype(box) b\nb = box(1); x = area(b); x = area_box(b)\nend");
    assert_eq!(case.class("b = box"), PartClass::StructureConstructor);
    assert_eq!((case.class("x = area(b)"), case.class("x = area_box")), (PartClass::Function, PartClass::Function));
    let SymbolKind::Generic { specifics } = &case.symbol("x = area(b)", "area").kind else { panic!() };
    assert_eq!(**specifics, ["area_box".to_owned(), "area_none".to_owned()]);
    let SymbolKind::Function { interface: Some(interface) } = &case.symbol("x = area(b)", "area_box").kind else {
        panic!()
    };
    assert_eq!(interface.dummies[0].properties.intent, Some(crate::syntax::Intent::In));
}

#[test]
fn missing_include_files_make_names_doubtful() {
    let case = case(
        "subroutine s
        include 'lost.inc'
        a(i) = 1
        x = b(1); x = a(1)
        end
        subroutine t
        include 'mpif.h'
        x2 = b(1)
        end",
    );
    assert_eq!((case.class("x = b"), case.class("x = a")), (PartClass::Unknown, ARRAY_1));
    assert_eq!(case.class("x2 = b"), PartClass::Function);
}
