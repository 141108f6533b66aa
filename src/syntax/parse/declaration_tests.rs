//! Specification statements: cooked text in, the name of the form and its bracketed text out.

use super::declaration::specification_statement;
use crate::source::{PrescanOptions, SourceForm, prescan};
use crate::syntax::nesting::parse;
use crate::syntax::print::{Style, form_name, statement_text};
use crate::syntax::testing::with_cooked;
use crate::syntax::{NameTable, StatementId, StatementKind};

/// The name of a statement's form and its text.
fn bracketed(kind: &StatementKind, names: &NameTable) -> String {
    format!("{}: {}", form_name(kind), statement_text(kind, names, Style::Bracketed))
}

fn understood(form: SourceForm, text: &str) -> String {
    with_cooked(form, text, |cx, input| match specification_statement(cx, input) {
        None => "none of ours".to_owned(),
        Some(Err(trouble)) => format!("{trouble:?}"),
        Some(Ok((rest, kind))) => {
            assert!(rest.is_empty(), "{text}: the whole statement is consumed");
            bracketed(&kind, &cx.names.borrow())
        }
    })
}

fn check(form: SourceForm, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&understood(form, text), expected, "{text}");
    }
}

#[test]
fn types_in_free_form() {
    check(
        SourceForm::Free,
        &[
            ("integer i,j(3)", "TypeDeclaration: integer :: i, j(3)"),
            ("integer::i", "TypeDeclaration: integer :: i"),
            ("integer(8)i", "TypeDeclaration: integer(kind=8) :: i"),
            (
                "integer(kind=selected_int_kind(9)),save::i=3",
                "TypeDeclaration: integer(kind=selected_int_kind(9)), save :: i = 3",
            ),
            ("real*8 x,y*4", "TypeDeclaration: real*8 :: x, y*4"),
            ("double precision d", "TypeDeclaration: double precision :: d"),
            ("doubleprecision d", "TypeDeclaration: double precision :: d"),
            ("double complex w", "TypeDeclaration: double complex :: w"),
            ("byte flag", "TypeDeclaration: byte :: flag"),
            (
                "complex(dp),parameter::i=(0.0,1.0)",
                "TypeDeclaration: complex(kind=dp), parameter :: i = (real:0.0, real:1.0)",
            ),
            ("logical(c_bool),value::q", "TypeDeclaration: logical(kind=c_bool), value :: q"),
            ("character c", "TypeDeclaration: character :: c"),
            ("character*8 name*4,c", "TypeDeclaration: character(len=8) :: name*4, c"),
            ("character*(*)t", "TypeDeclaration: character(len=*) :: t"),
            ("character*(n+1),intent(in)::t", "TypeDeclaration: character(len=(n + 1)), intent(in) :: t"),
            ("character*1,str(128)", "TypeDeclaration: character(len=1) :: str(128)"),
            ("character(len=*),intent(in)::t", "TypeDeclaration: character(len=*), intent(in) :: t"),
            ("character(len=:),allocatable::t", "TypeDeclaration: character(len=:), allocatable :: t"),
            ("character(:),pointer::t", "TypeDeclaration: character(len=:), pointer :: t"),
            ("character(len=8,kind=k)::t", "TypeDeclaration: character(len=8, kind=k) :: t"),
            ("character(kind=k,len=8)::t", "TypeDeclaration: character(len=8, kind=k) :: t"),
            ("character(8,k)t", "TypeDeclaration: character(len=8, kind=k) :: t"),
            ("character(kind=c_char)::t(*)", "TypeDeclaration: character(kind=c_char) :: t(*)"),
            ("type(t),pointer::p=>null()", "TypeDeclaration: type(t), pointer :: p => null()"),
            (
                "type(matrix(k=8,rows=3,cols=:)),allocatable::m",
                "TypeDeclaration: type(matrix(k=8, rows=3, cols=:)), allocatable :: m",
            ),
            ("type(integer(4))::x", "TypeDeclaration: type(integer(kind=4)) :: x"),
            ("type(integers)::x", "TypeDeclaration: type(integers) :: x"),
            ("type(*),dimension(..),intent(in)::a", "TypeDeclaration: type(*), dimension(..), intent(in) :: a"),
            ("class(*),intent(in)::x", "TypeDeclaration: class(*), intent(in) :: x"),
            ("class(shape)x", "TypeDeclaration: class(shape) :: x"),
            ("typeof(a(1))::t", "TypeDeclaration: typeof(a(1)) :: t"),
            ("classof(a)::t", "TypeDeclaration: classof(a) :: t"),
            ("record/point/p,list(10)", "TypeDeclaration: record /point/ p, list(10)"),
            ("kpp_real::t,u(3)", "TypeDeclaration: kpp_real :: t, u(3)"),
            ("my_real(8),intent_in::t", "TypeDeclaration: my_real(8), intent_in :: t"),
        ],
    );
}

#[test]
fn entities_with_all_that_may_follow_their_names() {
    check(
        SourceForm::Free,
        &[
            ("real x(0:n,*),y(:,2:),z(-1:+1)", "TypeDeclaration: real :: x(0:n, *), y(:, 2:), z((-1):(+1))"),
            ("real,codimension[*],save::r", "TypeDeclaration: real, codimension[*], save :: r"),
            ("integer,save::k[*],grid(4,4)[2,0:*]", "TypeDeclaration: integer, save :: k[*], grid(4, 4)[2, 0:*]"),
            ("real,allocatable::w(:)[:]", "TypeDeclaration: real, allocatable :: w(:)[:]"),
            ("character c*8(3),d(3)*8", "TypeDeclaration: character :: c(3)*8, d(3)*8"),
            ("integer*4 x*2/3/,b(2)/2,3/", "TypeDeclaration: integer*4 :: x*2 / 3 /, b(2) / 2, 3 /"),
            ("real*8 x(3)/3*0.0/", "TypeDeclaration: real*8 :: x(3) / 3*real:0.0 /"),
            ("real,parameter::a=1.0/3.0,b=2", "TypeDeclaration: real, parameter :: a = (real:1.0/real:3.0), b = 2"),
            ("integer,parameter::a(*)=[1,2]", "TypeDeclaration: integer, parameter :: a(*) = [1, 2]"),
            ("integer,intent(in out)::a", "TypeDeclaration: integer, intent(inout) :: a"),
            ("real,rank(2)::a", "TypeDeclaration: real, rank(2) :: a"),
            ("real,device::a(n)", "TypeDeclaration: real, device :: a(n)"),
            ("integer,bind(c,name='x'),public::a", "TypeDeclaration: integer, bind(c, name='x'), public :: a"),
            ("integer*4%fill(2),w", "TypeDeclaration: integer*4 :: %fill(2), w"),
        ],
    );
}

#[test]
fn attribute_statements() {
    check(
        SourceForm::Free,
        &[
            ("allocatable x(:),y", "AttributeStatement: allocatable :: x(:), y"),
            ("allocatable::x(:)", "AttributeStatement: allocatable :: x(:)"),
            ("dimension a(3),b(0:4)", "AttributeStatement: dimension :: a(3), b(0:4)"),
            ("codimension a[*]", "AttributeStatement: codimension :: a[*]"),
            ("save", "AttributeStatement: save"),
            ("save::k,/shared/", "AttributeStatement: save :: k, /shared/"),
            ("save/c/,x", "AttributeStatement: save :: x, /c/"),
            ("external f,g", "AttributeStatement: external :: f, g"),
            ("intrinsic::sin", "AttributeStatement: intrinsic :: sin"),
            ("intent(inout)::a,b", "AttributeStatement: intent(inout) :: a, b"),
            ("bind(c)::/blk/", "AttributeStatement: bind(c) :: /blk/"),
            ("optional a", "AttributeStatement: optional :: a"),
            ("value::a", "AttributeStatement: value :: a"),
            ("volatile a", "AttributeStatement: volatile :: a"),
            ("pointer p(:)", "AttributeStatement: pointer :: p(:)"),
            ("pointer(p,x),(q,y(10))", "CrayPointer: pointer (p, x), (q, y(10))"),
            ("private", "AttributeStatement: private"),
            ("private::a", "AttributeStatement: private :: a"),
            (
                "public a,operator(+),assignment(=),operator(.near.)",
                "AttributeStatement: public :: a, operator(+), assignment(=), operator(.near.)",
            ),
            ("public::write(formatted),read", "AttributeStatement: public :: read, write(formatted)"),
            ("static x/3/", "AttributeStatement: static :: x / 3 /"),
            ("automatic", "AttributeStatement: automatic"),
            ("target t(12)", "AttributeStatement: target :: t(12)"),
            ("contiguous::t", "AttributeStatement: contiguous :: t"),
            ("asynchronous t", "AttributeStatement: asynchronous :: t"),
            ("protected::t", "AttributeStatement: protected :: t"),
        ],
    );
}

#[test]
fn statements_about_names() {
    check(
        SourceForm::Free,
        &[
            ("parameter(a=1,b=a+1)", "Parameter: parameter (a = 1, b = (a + 1))"),
            ("parameter pi=3.14,due=2", "Parameter: parameter (pi = real:3.14, due = 2)"),
            ("data k/3/,flag/.true./", "Data: data k / 3 /, flag / logical:.true. /"),
            ("data x,y/1,-2/z/3/", "Data: data x, y / 1, (-2) /, z / 3 /"),
            ("data((m(i,j),i=1,n),j=1,n)/9*0/", "Data: data ((m(i, j), i = 1, n), j = 1, n) / 9*0 /"),
            ("data(v(i),i=1,9,2),v(2)/5*-1,+7/", "Data: data (v(i), i = 1, 9, 2), v(2) / 5*(-1), (+7) /"),
            ("data v/n*2,4/", "Data: data v / n*2, 4 /"),
            ("data a/b'1010'/,b/'17'o/", "Data: data a / boz:b'1010' /, b / boz:'17'o /"),
            (
                "data c/(1.0,-2.0)/,q/2*pair(3,4.0)/",
                "Data: data c / (real:1.0, (-real:2.0)) /, q / 2*pair(3, real:4.0) /",
            ),
            ("data list(1)(1:2)/'ab'/", "Data: data list(1)(1:2) / 'ab' /"),
            ("data p%a/1/", "Data: data p%a / 1 /"),
            ("data p/null()/", "Data: data p / null() /"),
            ("common a,b(3)", "Common: common // a, b(3)"),
            ("common/shared/y,first,/second_block/second", "Common: common /shared/ y, first /second_block/ second"),
            ("common//third/fourth/x//y", "Common: common // third /fourth/ x // y"),
            ("namelist/setup/flag,/other/m,z", "Namelist: namelist /setup/ flag /other/ m, z"),
            ("equivalence(v(1),w(2)),(x(1),z)", "Equivalence: equivalence (v(1), w(2)), (x(1), z)"),
            ("implicit none", "Implicit: implicit none"),
            ("implicit none(type,external)", "Implicit: implicit none (type, external)"),
            ("implicit real*8(a-h,o-z),integer(i-n)", "Implicit: implicit real*8 (a-h, o-z), integer (i-n)"),
            ("implicit real(kind=8)(a-h),logical*1(l)", "Implicit: implicit real(kind=8) (a-h), logical*1 (l)"),
            ("implicit character*4(s-t),type(t)(q)", "Implicit: implicit character(len=4) (s-t), type(t) (q)"),
            ("implicit double precision(a-h,o-z)", "Implicit: implicit double precision (a-h, o-z)"),
            ("implicit undefined(a-z)", "Implicit: implicit none"),
            ("import", "Import: import"),
            ("import::a,b", "Import: import :: a, b"),
            ("import,only:a", "Import: import, only: a"),
            ("import,none", "Import: import, none"),
        ],
    );
}

#[test]
fn modules_are_used_in_all_ways() {
    check(
        SourceForm::Free,
        &[
            ("use m", "Use: use m"),
            ("use::m", "Use: use m"),
            (
                "use,intrinsic::iso_c_binding,only:c_int,c_ptr",
                "Use: use, intrinsic :: iso_c_binding, only: c_int, c_ptr",
            ),
            ("use m,only:", "Use: use m, only: "),
            ("use m,a=>b,c=>d", "Use: use m, a => b, c => d"),
            ("use m,only:a=>b,operator(+),assignment(=)", "Use: use m, only: a => b, operator(+), assignment(=)"),
            ("use m,operator(.x.)=>operator(.y.)", "Use: use m, operator(.x.) => operator(.y.)"),
            ("use m,only:read(formatted)", "Use: use m, only: read(formatted)"),
        ],
    );
    check(SourceForm::Fixed, &[("usem,only:a", "Use: use m, only: a")]);
}

#[test]
fn type_definitions_and_what_is_in_them() {
    check(
        SourceForm::Free,
        &[
            ("type t", "DerivedType: type :: t"),
            ("type::t", "DerivedType: type :: t"),
            ("type is", "DerivedType: type :: is"),
            ("type,abstract,public,extends(u)::t", "DerivedType: type, abstract, public, extends(u) :: t"),
            ("type,bind(c)::t", "DerivedType: type, bind(c) :: t"),
            ("type::matrix(k,rows,cols)", "DerivedType: type :: matrix(k, rows, cols)"),
            ("integer,kind::k=kind(0.0)", "TypeDeclaration: integer, kind :: k = kind(real:0.0)"),
            ("integer,len::rows,cols", "TypeDeclaration: integer, len :: rows, cols"),
            ("sequence", "Sequence: sequence"),
            (
                "procedure(area_if),pointer,nopass::hook=>null()",
                "ProcedureDeclaration: procedure(area_if), pointer, nopass :: hook => null()",
            ),
            ("procedure(),pointer::hook", "ProcedureDeclaration: procedure(), pointer :: hook"),
            ("procedure(real(8))::f", "ProcedureDeclaration: procedure(real(kind=8)) :: f"),
            ("procedure(real)::f", "ProcedureDeclaration: procedure(real) :: f"),
            ("procedure(realise)::f", "ProcedureDeclaration: procedure(realise) :: f"),
            (
                "procedure(area_if),deferred,public::area",
                "TypeBoundProcedure: procedure(area_if), deferred, public :: area",
            ),
            (
                "procedure,pass(self),non_overridable::scale=>scale_it",
                "TypeBoundProcedure: procedure, pass(self), non_overridable :: scale => scale_it",
            ),
            ("procedure::add_i,add_r", "TypeBoundProcedure: procedure :: add_i, add_r"),
            ("procedure area", "TypeBoundProcedure: procedure :: area"),
            ("generic,public::operator(+)=>plus", "Generic: generic, public :: operator(+) => plus"),
            ("generic::assignment(=)=>copy,move", "Generic: generic :: assignment(=) => copy, move"),
            ("generic::write(formatted)=>w", "Generic: generic :: write(formatted) => w"),
            ("final::kill,kill_all", "Final: final :: kill, kill_all"),
            ("enum,bind(c)", "Enum: enum, bind(c)"),
            ("enum,bind(c)::season", "Enum: enum, bind(c) :: season"),
            ("enumerator::red=1,green", "Enumerator: enumerator :: red = 1, green"),
            ("enumerator blue", "Enumerator: enumerator :: blue"),
            ("enumeration type::season", "EnumerationType: enumeration type :: season"),
            ("structure/inner/box,frame(2)", "Structure: structure /inner/ box, frame(2)"),
            ("structure/point/", "Structure: structure /point/"),
            ("union", "Union: union"),
            ("map", "Map: map"),
        ],
    );
}

#[test]
fn headers_in_free_form() {
    check(
        SourceForm::Free,
        &[
            ("program p", "Program: program p"),
            ("module m", "Module: module m"),
            ("module procedures", "Module: module procedures"),
            ("module procedure a,b", "ModuleProcedure: module procedure a, b"),
            ("module procedure::a", "ModuleProcedure: module procedure a"),
            ("module subroutine s(x)", "Subroutine: module subroutine s(x)"),
            ("module real function w(n)", "Function: module real function w(n)"),
            ("module real(8)recursive function w(n)", "Function: module recursive real(kind=8) function w(n)"),
            ("pure module function depth(n)result(d)", "Function: pure module function depth(n) result(d)"),
            ("submodule(tree)impl", "Submodule: submodule (tree) impl"),
            ("submodule(tree:impl)impl2", "Submodule: submodule (tree:impl) impl2"),
            ("block data", "BlockData: block data"),
            ("blockdata named", "BlockData: block data named"),
            ("subroutine s", "Subroutine: subroutine s()"),
            ("subroutine s()bind(c)", "Subroutine: subroutine s() bind(c)"),
            ("subroutine s(x,*,*)", "Subroutine: subroutine s(x, *, *)"),
            ("recursive subroutine s(a)", "Subroutine: recursive subroutine s(a)"),
            ("function f(x)result(y)bind(c,name=\"f\")", "Function: function f(x) result(y) bind(c, name=\"f\")"),
            ("function f(x)bind(c)result(y)", "Function: function f(x) result(y) bind(c)"),
            ("impure elemental real function half(v)", "Function: impure elemental real function half(v)"),
            ("real function f", "Function: real function f()"),
            ("real function", "TypeDeclaration: real :: function"),
            ("real function(3)", "TypeDeclaration: real :: function(3)"),
            ("real pure,function", "TypeDeclaration: real :: pure, function"),
            ("real*8 function f(x)", "Function: real*8 function f(x)"),
            ("real function f*8(x)", "Function: real function f*8(x)"),
            ("character(len=n)function f(n)", "Function: character(len=n) function f(n)"),
            ("character*(*)function f(n)", "Function: character(len=*) function f(n)"),
            ("type(t)function f(n)", "Function: type(t) function f(n)"),
            ("integer recursive function f(n)", "Function: recursive integer function f(n)"),
            ("non_recursive subroutine f(n)", "Subroutine: non_recursive subroutine f(n)"),
            ("attributes(global)subroutine k(a)", "Subroutine: attributes(global) subroutine k(a)"),
            ("exported subroutine k(a)", "Subroutine: exported subroutine k(a)"),
            ("entry older(a)", "Entry: entry older(a)"),
            ("interface", "Interface: interface"),
            ("interface make", "Interface: interface make"),
            ("interface operator(.near.)", "Interface: interface operator(.near.)"),
            ("interface operator(/)", "Interface: interface operator(/)"),
            ("interface read(formatted)", "Interface: interface read(formatted)"),
            ("abstract interface", "Interface: abstract interface"),
            ("contains", "Contains: contains"),
        ],
    );
}

#[test]
fn fixed_form_has_no_blanks() {
    check(
        SourceForm::Fixed,
        &[
            ("programblanks", "Program: program blanks"),
            ("programmain(input,output,tape5=input)", "Program: program main"),
            ("realx,y(10)", "TypeDeclaration: real :: x, y(10)"),
            ("integerkount,do10k,endif", "TypeDeclaration: integer :: kount, do10k, endif"),
            ("doubleprecisiond", "TypeDeclaration: double precision :: d"),
            ("doublecomplexw", "TypeDeclaration: double complex :: w"),
            ("doubleprecisionfunctionf(x)", "Function: double precision function f(x)"),
            ("integerfunctionkount2(a)", "Function: integer function kount2(a)"),
            ("realfunctionf(10)", "TypeDeclaration: real :: functionf(10)"),
            ("realfunction,x", "TypeDeclaration: real :: function, x"),
            ("real*8functionf(x,y)", "Function: real*8 function f(x, y)"),
            ("character*4name", "TypeDeclaration: character(len=4) :: name"),
            ("character*10e5", "TypeDeclaration: character(len=10) :: e5"),
            ("characterstr*8,code*(3),list(4)*2,one", "TypeDeclaration: character :: str*8, code*3, list(4)*2, one"),
            ("subroutinesub(a,b)", "Subroutine: subroutine sub(a, b)"),
            ("subroutinerecs", "Subroutine: subroutine recs()"),
            ("recursivefunctionf(x)result(y)", "Function: recursive function f(x) result(y)"),
            ("implicitreal*8(a-h,o-z)", "Implicit: implicit real*8 (a-h, o-z)"),
            ("implicitinteger(i-k,m-n)", "Implicit: implicit integer (i-k, m-n)"),
            ("implicitnone", "Implicit: implicit none"),
            ("datado10k/0/", "Data: data do10k / 0 /"),
            ("dataid/4hab'c,4hx(\"),1h)/", "Data: data id / hollerith:4hab'c, hollerith:4hx(\"), hollerith:1h) /"),
            ("dimensionz(m,*),q(-1:1,0:3)", "AttributeStatement: dimension :: z(m, *), q((-1):1, 0:3)"),
            ("commona1,a2,/blk/b1(10)", "Common: common // a1, a2 /blk/ b1(10)"),
            ("savex,/c/", "AttributeStatement: save :: x, /c/"),
            ("blockdatanamed", "BlockData: block data named"),
            ("modulefunctions", "Module: module functions"),
            ("externalf", "AttributeStatement: external :: f"),
            ("entryolder(a)", "Entry: entry older(a)"),
            ("record/shape/s,list(10)", "TypeDeclaration: record /shape/ s, list(10)"),
            ("endprogramp", "End: end program p"),
            ("enddoouter", "End: end do outer"),
            ("integer*2flags/0/", "TypeDeclaration: integer*2 :: flags / 0 /"),
        ],
    );
}

#[test]
fn a_macro_may_stand_for_a_type() {
    let kind = |path: &str, text: &str| {
        let tree = parse(prescan(path, text.as_bytes().to_vec(), &PrescanOptions::default()));
        match &tree.statements[StatementId::new(0)].kind {
            StatementKind::Unparsed(_) => None,
            kind => Some(bracketed(kind, &tree.names)),
        }
    };
    assert_eq!(kind("a.F90", "KPP_REAL t, u(3)\n").as_deref(), Some("TypeDeclaration: kpp_real :: t, u(3)"));
    assert_eq!(kind("a.F", "      INTGR4 incx4,n4\n").as_deref(), Some("TypeDeclaration: intgr4 :: incx4, n4"));
    assert_eq!(kind("a.F", "      INTGR4 izamax\n").as_deref(), Some("TypeDeclaration: intgr4 :: izamax"));
    assert_eq!(kind("a.f90", "KPP_REAL t, u(3)\n").as_deref(), Some("TypeDeclaration: kpp_real :: t, u(3)"));
    assert_eq!(kind("a.f90", "PetscScalar t(3)\n").as_deref(), Some("TypeDeclaration: petscscalar :: t(3)"));
    assert_eq!(kind("a.f", "      REAL_T X(9)\n").as_deref(), Some("TypeDeclaration: real_t :: x(9)"));
    assert_eq!(kind("a.f", "      PRINT_T X\n").as_deref(), Some("TypeDeclaration: print_t :: x"));
    assert_eq!(kind("a.f", "      KPP_REAL*8 Q\n").as_deref(), Some("TypeDeclaration: kpp_real :: q*8"));
    assert_eq!(kind("a.f90", "kpp_real t, u(3)\n"), None);
    assert_eq!(kind("a.F90", "helper foo(x)\n"), None);
    assert_eq!(kind("a.F90", "Cal foo(x), bar\n"), None);
    assert_eq!(kind("a.F90", "Subroutin foo(x)\n"), None);
    assert_eq!(kind("a.F90", "cal foo, bar\n"), None);
}

#[test]
fn no_macro_stands_for_a_type_behind_executable_statements() {
    let tree = parse(prescan("a.F90", b"MY_T x\nx = 1\nHelper x\nMY_T :: y\n".to_vec(), &PrescanOptions::default()));
    let declares = |at: usize| matches!(tree.statements[StatementId::from(at)].kind, StatementKind::TypeDeclaration(_));
    assert_eq!([0, 2, 3].map(declares), [true, false, true]);
}

#[test]
fn ends_in_every_spelling() {
    check(
        SourceForm::Free,
        &[
            ("end", "End: end"),
            ("enddo", "End: end do"),
            ("end do outer", "End: end do outer"),
            ("enddo outer", "End: end do outer"),
            ("endprogram", "End: end program"),
            ("end function f", "End: end function f"),
            ("endif", "End: end if"),
            ("end select pick", "End: end select pick"),
            ("end block data", "End: end block data"),
            ("end block", "End: end block"),
            ("end blockdata b", "End: end block data b"),
            ("end interface operator(.near.)", "End: end interface operator(.near.)"),
            ("end interface assignment(=)", "End: end interface assignment(=)"),
            ("end enumeration type season", "End: end enumeration type season"),
            ("end enum", "End: end enum"),
            ("end team(stat=s)x", "End: end team(stat=s) x"),
            ("end procedure", "End: end procedure"),
            ("end submodule impl", "End: end submodule impl"),
            ("endstructure", "End: end structure"),
            ("end map", "End: end map"),
        ],
    );
}

#[test]
fn statements_of_others_are_left_alone() {
    let others = [
        "endfile 10",
        "end file(10)",
        "type is(integer)",
        "type*,x",
        "type 100,b",
        "type fmt,x",
        "class is(shape)",
        "class default",
        "call f",
        "goto 10",
        "allocate(x)",
        "select type(x)",
        "block",
        "mapping(x)",
        "do i=1,n",
        "enddoit(x)",
    ];
    for text in others {
        assert_eq!(understood(SourceForm::Free, text), "none of ours".to_owned(), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    for (text, remaining) in
        [("integer::", 0), ("real x(", 0), ("data x", 0), ("subroutine s(a,b", 0), ("end do 3", 1), ("use m,only a", 1)]
    {
        let trouble = with_cooked(SourceForm::Free, text, |cx, input| {
            specification_statement(cx, input).map(|parsed| parsed.err())
        });
        match trouble {
            Some(Some(nom::Err::Error(trouble) | nom::Err::Failure(trouble))) => {
                assert_eq!(trouble.remaining, remaining, "{text}")
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
