//! Small texts, resolved; one expectation per rule.

mod modules;
mod scopes;
mod unseen;

use crate::names::*;
use crate::source::{PrescanOptions, prescan};
use crate::syntax::testing::accesses;
use crate::syntax::{Expression, Statement, StatementId, StatementKind, nesting};

/// A text in free form as a tree.
fn tree_of(text: &str) -> Tree {
    file("test.f90", text)
}

fn file(path: &str, text: &str) -> Tree {
    nesting::parse(prescan::prescan(path, text.as_bytes().to_vec(), &PrescanOptions::default()))
}

/// A text with what is known of its names.
struct Case {
    tree: Tree,
    resolved: Resolved,
}

fn case(text: &str) -> Case {
    among(&[text], text)
}

/// A text in a project of other texts.
fn among(project: &[&str], text: &str) -> Case {
    let index = ModuleIndex::new(project.iter().flat_map(|text| summarise(&tree_of(text))));
    resolve_in(tree_of(text), &index)
}

fn resolve_in(tree: Tree, index: &ModuleIndex) -> Case {
    let resolved = resolve(&tree, index);
    for statement in &tree.statements {
        assert!(!matches!(statement.kind, StatementKind::Unparsed(_)), "{statement:?}");
    }
    Case { tree, resolved }
}

impl Case {
    /// The last assignment whose source text contains a pattern.
    fn assignment(&self, pattern: &str) -> (StatementId, &Expression) {
        let contains = |statement: &Statement| {
            String::from_utf8_lossy(self.tree.source.texts.bytes(statement.span)).contains(pattern)
        };
        let found = self.tree.statements.iter_enumerated().rfind(|(_, statement)| contains(statement));
        let (id, statement) = found.expect("the pattern is in the text");
        match &statement.kind {
            StatementKind::Assignment { value, .. } => (id, value),
            other => panic!("{other:?} is no assignment"),
        }
    }

    /// The classes of the reference that an assignment `pattern` has on its right side.
    fn classes(&self, pattern: &str) -> Vec<PartClass> {
        let (id, value) = self.assignment(pattern);
        match &value.kind {
            crate::syntax::ExpressionKind::Reference(reference) => {
                self.resolved.classify(&self.tree, id, reference).to_vec()
            }
            other => panic!("{other:?} is no reference"),
        }
    }

    /// The class of a single part.
    fn class(&self, pattern: &str) -> PartClass {
        let classes = self.classes(pattern);
        assert_eq!(classes.len(), 1, "{pattern}");
        classes[0]
    }

    /// The value of an assignment's right side.
    fn value(&self, pattern: &str) -> Option<i64> {
        let (id, value) = self.assignment(pattern);
        self.resolved.constant(&self.tree, id, value)
    }

    /// The symbol that a name means in the statement that contains a pattern.
    fn symbol(&self, pattern: &str, name: &str) -> &Symbol {
        let (id, _) = self.assignment(pattern);
        let name = self.tree.names.get(name).expect("the name occurs");
        self.resolved.symbol(self.resolved.symbol_at(id, name).expect("the name has a symbol"))
    }

    fn notes(&self) -> Vec<&NameNote> {
        self.resolved.notes.iter().map(|(_, note)| note).collect()
    }
}

const ARRAY_1: PartClass = PartClass::Array { rank: 1 };
const ARRAY_2: PartClass = PartClass::Array { rank: 2 };

#[test]
fn every_declaration_of_a_shape_makes_an_array() {
    let case = case(
        "subroutine s(d)
        real a(3), q
        real, dimension(2,2) :: b
        real, allocatable :: c(:)
        real d(*)
        pointer e(:)
        real, pointer :: f
        dimension g(4)
        common /blk/ h(5), k
        pointer (p, cray(10,10))
        allocatable l
        real l(:,:)
        MYREAL :: m(7)
        x = a(1); x = b(1,2); x = c(1); x = d(1); x = e(1); x = g(1); x = h(1); x = cray(1,1); x = l(1,1); x = m(1)
        x = f
        x = a
        end",
    );
    for name in ["a(1)", "c(1)", "d(1)", "e(1)", "g(1)", "h(1)", "m(1)", "a"] {
        assert_eq!(case.class(&format!("x = {name}")), ARRAY_1, "{name}");
    }
    for name in ["b(1,2)", "cray(1,1)", "l(1,1)"] {
        assert_eq!(case.class(&format!("x = {name}")), ARRAY_2, "{name}");
    }
    assert_eq!(case.class("x = f"), PartClass::Scalar);
    let d = case.symbol("x = d(1)", "d");
    assert!(d.is_dummy && d.declared.is_some());
    assert_eq!(d.shape.as_ref().expect("an array").bounds, [Bounds { lower: Some(1), upper: None }]);
    assert!(case.symbol("x = h(1)", "h").in_common && case.symbol("x = cray(1,1)", "cray").equivalenced);
}

#[test]
fn bounds_are_evaluated() {
    let case = case(
        "subroutine s(v, w)
        integer, parameter :: n = 4
        real a(0:n, -n:2*n), v(2:), w(:)
        real, allocatable :: c(:)
        integer, parameter :: t(*) = [3, 5, 7]
        x = a(1,1) + v(2) + w(1) + c(1) + t(2)
        k = size(a)
        k = ubound(a, 2) - lbound(a, 2)
        k = t(2) + size(t)
        k = sum(t)
        end",
    );
    let bounds = |name| case.symbol("x = ", name).shape.clone().expect("an array").bounds;
    let of = |lower, upper| Bounds { lower, upper };
    assert_eq!(bounds("a"), [of(Some(0), Some(4)), of(Some(-4), Some(8))]);
    assert_eq!((bounds("v"), bounds("w")), (vec![of(Some(2), None)], vec![of(Some(1), None)]));
    assert_eq!((bounds("c"), bounds("t")), (vec![of(None, None)], vec![of(Some(1), Some(3))]));
    assert_eq!(case.value("k = size(a)"), Some(65));
    assert_eq!(case.value("k = ubound"), Some(12));
    assert_eq!(case.value("k = t(2)"), Some(8));
    assert_eq!(case.value("k = sum"), Some(15));
}

#[test]
fn functions_of_every_kind_are_none() {
    let case = case(
        "program p
        external e
        interface
          function i(x); end function
        end interface
        interface g
          procedure inner
        end interface
        real r
        character c*8, cf*8
        type point; real x, y; end type
        type(point) q
        stf(z) = z + 1
        y = e(1); y = i(1); y = g(1); y = r(1); y = inner(1); y = stf(1); y = old(1); y = sin(1.); y = max(1, 2)
        y = c(2:3); y = cf(2)
        q = point(1, 2)
        y = q%x
        contains
        function inner(x); inner = x; end function
        end",
    );
    for name in ["e", "i", "g", "r", "inner", "old"] {
        assert_eq!(case.class(&format!("y = {name}(1)")), PartClass::Function, "{name}");
    }
    assert_eq!(case.class("y = stf(1)"), PartClass::StatementFunction);
    assert_eq!((case.class("y = sin"), case.class("y = max")), (PartClass::Intrinsic, PartClass::Intrinsic));
    assert_eq!((case.class("y = c(2:3)"), case.class("y = cf(2)")), (PartClass::Substring, PartClass::Function));
    assert_eq!(case.class("q = point"), PartClass::StructureConstructor);
    assert_eq!(case.classes("y = q%x"), [PartClass::Scalar, PartClass::Scalar]);
}

#[test]
fn an_undeclared_name_assigned_with_parentheses_is_an_array() {
    let case = case(
        "subroutine s
        y = 0
        u(1, 2) = y
        y = u(1, 2)
        y = v(1:3:2)
        read *, w(1)
        y = w(1)
        end",
    );
    assert_eq!(case.class("y = u(1, 2)"), ARRAY_2);
    assert_eq!((case.class("y = v"), case.class("y = w")), (ARRAY_1, ARRAY_1));
    let u = case.symbol("y = u(1, 2)", "u");
    assert!(u.declared.is_none() && u.shape.is_some() && matches!(u.kind, SymbolKind::Variable));
}

#[test]
fn statement_functions_stand_before_the_first_executable_statement() {
    let case = case(
        "module m
        real host(9)
        contains
        subroutine s(n)
        real a(9), f
        f(x, y) = x + y
        host(i) = 1
        late(i) = 2
        z = f(1., 2.); z = host(1); z = late(1)
        end subroutine
        subroutine t
        a(i) = 1
        b = 1
        c(i) = 1
        z2 = a(1); z2 = c(1)
        end subroutine
        end module",
    );
    assert_eq!(case.class("z = f"), PartClass::StatementFunction);
    assert_eq!((case.class("z = host"), case.class("z = late")), (ARRAY_1, ARRAY_1));
    assert_eq!((case.class("z2 = a"), case.class("z2 = c")), (PartClass::StatementFunction, ARRAY_1));
}

#[test]
fn local_declarations_hide_intrinsics() {
    let module = case(
        "module m
        implicit none
        real(kind(1.d0)) :: y = sqrt(2.d0)
        contains
        subroutine s; z = kind(1); end subroutine
        end module",
    );
    assert_eq!(module.class("z = kind"), PartClass::Intrinsic);
    let case = case(
        "subroutine s
        real sum(3), maxval
        integer, external :: index
        real sin
        real cos(2)
        x = sum(1); x = index(1); x = sin(1.); x = cos(1)
        end",
    );
    assert_eq!((case.class("x = sum"), case.class("x = cos")), (ARRAY_1, ARRAY_1));
    assert_eq!(case.class("x = index"), PartClass::Function);
    // The type of an intrinsic function may be declared.
    assert_eq!(case.class("x = sin"), PartClass::Intrinsic);
}

#[test]
fn components_follow_types_inheritance_and_modules() {
    let types = "module shapes
        integer, parameter :: n = 3
        type base; real :: grid(n, 0:n); character(8) :: label; procedure(f), pointer, nopass :: call; end type
        type, extends(base) :: cell
          type(base), allocatable :: parts(:)
          complex :: z
        contains
          procedure :: area
        end type
        end module";
    let case = among(
        &["module user; use shapes, only: thing => cell; end module", types],
        "subroutine s(c, d)
        use user
        type(thing) :: c, d(:)
        type(nowhere) :: e
        x = c%grid(1,2); x = d(3)%parts(1)%grid(1,1); x = c%base%label(1:2); x = c%call(1); x = c%area(); x = c%z%re
        x = e%a(1)
        end",
    );
    assert_eq!(case.classes("x = c%grid"), [PartClass::Scalar, ARRAY_2]);
    assert_eq!(case.classes("x = d(3)"), [ARRAY_1, ARRAY_1, ARRAY_2]);
    assert_eq!(case.classes("x = c%base"), [PartClass::Scalar, PartClass::Scalar, PartClass::Substring]);
    assert_eq!(case.classes("x = c%call"), [PartClass::Scalar, PartClass::Function]);
    assert_eq!(case.classes("x = c%area"), [PartClass::Scalar, PartClass::Function]);
    assert_eq!(case.classes("x = c%z"), [PartClass::Scalar, PartClass::Scalar, PartClass::Scalar]);
    assert_eq!(case.classes("x = e%a"), [PartClass::Scalar, PartClass::Unknown]);
    let id = case.symbol("x = c%grid", "c").type_.and_then(|type_| type_.derived()).expect("a type");
    let grid = case.resolved.component(id, "grid").and_then(|it| it.shape.clone()).expect("an array");
    assert_eq!(grid.bounds[1], Bounds { lower: Some(0), upper: Some(3) });
}

#[test]
fn dec_records_have_components() {
    let case = resolve_in(
        file(
            "test.f",
            "      subroutine s
      structure /point/
        real x(3)
        structure inner(2)
          integer k
        end structure
        union
          map
            real u
          end map
          map
            integer v(4)
          end map
        end union
      end structure
      record /point/ p(5)
      y = p(1).x(2)
      y = p(1).inner(1).k
      y = p(1).v(2)
      end
",
        ),
        &ModuleIndex::default(),
    );
    assert_eq!(case.classes("y = p(1).x"), [ARRAY_1, ARRAY_1]);
    assert_eq!(case.classes("y = p(1).inner"), [ARRAY_1, ARRAY_1, PartClass::Scalar]);
    assert_eq!(case.classes("y = p(1).v"), [ARRAY_1, ARRAY_1]);
}

#[test]
fn function_results_and_entries() {
    let case = case(
        "function f(n) result(r)
        real r(n)
        x = r(1); x = f(2)
        end
        recursive function g(n)
        real g
        y0 = g; y = g(n - 1)
        entry e(m)
        y = e; y = m
        end",
    );
    assert_eq!((case.class("x = r"), case.class("x = f")), (ARRAY_1, PartClass::Function));
    assert_eq!((case.class("y0 = g"), case.class("y = g(n")), (PartClass::Scalar, PartClass::Function));
    assert!(case.symbol("y = e", "e").is_result && case.symbol("y = m", "m").is_dummy);
}

#[test]
fn constants_fold_without_overflow() {
    let case = case("program p
        integer, parameter :: a = 7, b = -2, big = 9223372036854775807, off(0:2) = (/ 1, 2, 3 /)
        integer, parameter :: wp = kind(1.d0), self = self + 1
        real, parameter :: half = 1/2
        real(wp) r
        character(*), parameter :: text = 'it''s'
        parameter (late = a*2)
        enum, bind(c); enumerator :: red = 5, green; end enum
        k01 = 1 + 2*3 - 4; k02 = -a/2; k03 = 2**3**2; k04 = mod(-7, 3); k05 = modulo(-7, 3); k06 = max(1, a, b)
        k07 = abs(b) + (+a); k08 = big + 1; k09 = 1/0; k10 = 2**100; k11 = (-2)**3; k12 = late; k13 = green
        k14 = off(1); k15 = off(3); k16 = wp; k17 = kind(r); k18 = self; k19 = half; k20 = i + 1; k21 = int(a) - nint(2*b)
        k22 = abs(-big - 1); k23 = mod(-big - 1, -1); k24 = 2**(-1); k25 = len('a''b'); k26 = 3_8; k27 = (-big - 1)/(-1)
        k28 = selected_real_kind(r=307, p=15); k29 = mod(p=4, a=a); k30 = selected_real_kind(r=30); k31 = size(dim=1, array=off)
        end");
    let expected = [
        ("k01", Some(3)),
        ("k02", Some(-3)),
        ("k03", Some(512)),
        ("k04", Some(-1)),
        ("k05", Some(2)),
        ("k06", Some(7)),
        ("k07", Some(9)),
        ("k08", None),
        ("k09", None),
        ("k10", None),
        ("k11", Some(-8)),
        ("k12", Some(14)),
        ("k13", Some(6)),
        ("k14", Some(2)),
        ("k15", None),
        ("k16", Some(8)),
        ("k17", Some(8)),
        ("k18", None),
        ("k19", None),
        ("k20", None),
        ("k21", Some(11)),
        ("k22", None),
        ("k23", None),
        ("k24", Some(0)),
        ("k25", Some(3)),
        ("k26", Some(3)),
        ("k27", None),
        ("k28", Some(8)),
        ("k29", Some(3)),
        ("k30", None),
        ("k31", Some(3)),
    ];
    for (name, value) in expected {
        assert_eq!(case.value(&format!("{name} = ")), value, "{name}");
    }
}

#[test]
fn every_name_has_a_symbol_and_the_dump_is_stable() {
    let text = "subroutine s(a, n)
        dimension a(n)
        do i = 1, n
        do concurrent (j = 1:n, j /= i)
        a(j) = a(i)
        end do
        end do
        print *, (a(k), k = 1, n)
        assign 10 to label
     10 end";
    let case = case(text);
    for (id, statement) in case.tree.statements.iter_enumerated() {
        for (name, access) in accesses(&case.tree.names, &statement.kind) {
            let is_known = case.resolved.symbol_at(id, name).is_some();
            assert!(is_known || !access.is_of_object(), "{}", case.tree.names.text(name));
        }
    }
    let dump = case.resolved.dump(&case.tree);
    assert_eq!(
        dump,
        "Subroutine s\n  a: variable real (1:?) dummy\n  i: variable integer\n  j: variable integer\n  k: variable integer\n  \
         label: variable integer\n  n: variable integer dummy\n  s: subroutine\n"
    );
}
