//! Components of types whose declarations are in none of the files.

use super::*;

const UNKNOWN: PartClass = PartClass::Unknown;
const SCALAR: PartClass = PartClass::Scalar;

#[test]
fn what_is_defined_or_sectioned_is_an_array_wherever_the_type_has_the_name() {
    let case = case(
        "module m
        use lost
        type, extends(base) :: grown; real own(3); type(part) inner; end type
        contains
        subroutine s(t, g)
        type(tile) t; type(grown) g
        t%heat(i, j) = 0; y = t%flux(:, 1); y = t%row(2:3)
        g%first(i) = 0; g%inner%p(i) = 0; g%own(1) = 0
        end subroutine
        subroutine u(c, g, o)
        class(tile) c; class(grown) g; type(other) o
        x = c%heat(1, 2); x = c%flux(3, 4); x = c%row(1); x = c%name; x = c%rate(1)
        x = g%first(1); x = g%inner%p(1); x = g%own(2); x = g%of(1)
        x = o%heat(1, 2); x = o%get(); x = o%at(to=1)
        end subroutine
        end module",
    );
    for name in ["c%heat(1", "c%flux(3"] {
        assert_eq!(case.classes(&format!("x = {name}")), [SCALAR, ARRAY_2], "{name}");
    }
    for name in ["c%row(1", "g%first(1", "g%own(2"] {
        assert_eq!(case.classes(&format!("x = {name}")), [SCALAR, ARRAY_1], "{name}");
    }
    assert_eq!(case.classes("x = g%inner%p"), [SCALAR, SCALAR, ARRAY_1]);
    for name in ["c%name", "c%rate(1", "g%of(1", "o%heat(1"] {
        assert_eq!(case.classes(&format!("x = {name}")), [SCALAR, UNKNOWN], "{name}");
    }
    for name in ["o%get", "o%at"] {
        assert_eq!(case.classes(&format!("x = {name}")), [SCALAR, PartClass::Function], "{name}");
    }
}

#[test]
fn where_the_name_of_the_type_is_not_known_the_path_tells() {
    let text = "module m
        use lost
        use halves
        contains
        subroutine s
        pool%map(i) = 0; pool%cell(3)%of%t(i) = 0; half%w(i) = 0; half%known%w(i, j) = 0
        end subroutine
        subroutine u
        x = pool%map(1); x = pool%cell(1)%of%t(2); x = half%w(1); x = half%known%w(1, 2)
        x = pool%of%t(1)
        end subroutine
        end module";
    let halves = "module halves; use lost
        type, extends(gone) :: h; type(far) known; end type
        type(h) half
        end module";
    let case = among(&[halves], text);
    assert_eq!(case.classes("x = pool%map"), [SCALAR, ARRAY_1]);
    assert_eq!(case.classes("x = pool%cell"), [SCALAR, ARRAY_1, SCALAR, ARRAY_1]);
    assert_eq!(case.classes("x = half%w"), [SCALAR, ARRAY_1]);
    assert_eq!(case.classes("x = half%known"), [SCALAR, SCALAR, ARRAY_2]);
    assert_eq!(case.classes("x = pool%of%t"), [SCALAR, SCALAR, UNKNOWN]);
}

#[test]
fn a_name_that_is_declared_keeps_its_components() {
    let case = case(
        "subroutine s(a)
        use lost
        type closed; real x; end type
        type(closed) a; complex c
        select type (b => other)
        type is (tile); b%heat(i) = 0; x = b%heat(1)
        end select
        a%y(i) = 0; x = a%y(1); x = c%re
        end subroutine",
    );
    assert_eq!(case.classes("x = a%y"), [SCALAR, UNKNOWN]);
    assert_eq!(case.classes("x = c%re"), [SCALAR, SCALAR]);
    assert_eq!(case.classes("x = b%heat"), [SCALAR, ARRAY_1]);
}
