//! Specification statements: cooked text in, compact text out.

use super::declaration::specification_statement;
use crate::source::{PrescanOptions, SourceForm, prescan};
use crate::syntax::StatementId;
use crate::syntax::dump_declaration::declaration_text;
use crate::syntax::nesting::parse;
use crate::syntax::testing::with_cooked;

fn understood(form: SourceForm, text: &str) -> String {
    with_cooked(form, text, |cx, input| match specification_statement(cx, input) {
        None => "none of ours".to_owned(),
        Some(Err(trouble)) => format!("{trouble:?}"),
        Some(Ok((rest, kind))) => {
            assert!(rest.is_empty(), "{text}: the whole statement is consumed");
            declaration_text(&cx.names.borrow(), &kind).expect("a specification statement")
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
            ("integer i,j(3)", "integer :: i, j(3)"),
            ("integer::i", "integer :: i"),
            ("integer(8)i", "integer(kind=8) :: i"),
            ("integer(kind=selected_int_kind(9)),save::i=3", "integer(kind=selected_int_kind(9)), SAVE :: i = 3"),
            ("real*8 x,y*4", "real*8 :: x, y*4"),
            ("double precision d", "double precision :: d"),
            ("doubleprecision d", "double precision :: d"),
            ("double complex w", "double complex :: w"),
            ("byte flag", "byte :: flag"),
            ("complex(dp),parameter::i=(0.0,1.0)", "complex(kind=dp), PARAMETER :: i = complex(real:0.0, real:1.0)"),
            ("logical(c_bool),value::q", "logical(kind=c_bool), VALUE :: q"),
            ("character c", "character :: c"),
            ("character*8 name*4,c", "character(len=8) :: name*4, c"),
            ("character*(*)t", "character(len=*) :: t"),
            ("character*(n+1),intent(in)::t", "character(len=(n + 1)), INTENT(IN) :: t"),
            ("character*1,str(128)", "character(len=1) :: str(128)"),
            ("character(len=*),intent(in)::t", "character(len=*), INTENT(IN) :: t"),
            ("character(len=:),allocatable::t", "character(len=:), ALLOCATABLE :: t"),
            ("character(:),pointer::t", "character(len=:), POINTER :: t"),
            ("character(len=8,kind=k)::t", "character(len=8)(kind=k) :: t"),
            ("character(kind=k,len=8)::t", "character(len=8)(kind=k) :: t"),
            ("character(8,k)t", "character(len=8)(kind=k) :: t"),
            ("character(kind=c_char)::t(*)", "character(kind=c_char) :: t(*)"),
            ("type(t),pointer::p=>null()", "type(t), POINTER :: p => null()"),
            ("type(matrix(k=8,rows=3,cols=:)),allocatable::m", "type(matrix(k=8, rows=3, cols=:)), ALLOCATABLE :: m"),
            ("type(integer(4))::x", "type(integer(kind=4)) :: x"),
            ("type(integers)::x", "type(integers) :: x"),
            ("type(*),dimension(..),intent(in)::a", "type(*), DIMENSION(..), INTENT(IN) :: a"),
            ("class(*),intent(in)::x", "class(*), INTENT(IN) :: x"),
            ("class(shape)x", "class(shape) :: x"),
            ("typeof(a(1))::t", "typeof(a(1)) :: t"),
            ("classof(a)::t", "classof(a) :: t"),
            ("record/point/p,list(10)", "record /point/ :: p, list(10)"),
            ("kpp_real::t,u(3)", "macro kpp_real :: t, u(3)"),
            ("my_real(8),intent_in::t", "macro my_real(8), macro intent_in :: t"),
        ],
    );
}

#[test]
fn entities_with_all_that_may_follow_their_names() {
    check(
        SourceForm::Free,
        &[
            ("real x(0:n,*),y(:,2:),z(-1:+1)", "real :: x(0:n, *), y(:, 2:), z((-1):(+1))"),
            ("real,codimension[*],save::r", "real, CODIMENSION[*], SAVE :: r"),
            ("integer,save::k[*],grid(4,4)[2,0:*]", "integer, SAVE :: k[*], grid(4, 4)[2, 0:*]"),
            ("real,allocatable::w(:)[:]", "real, ALLOCATABLE :: w(:)[:]"),
            ("character c*8(3),d(3)*8", "character :: c(3)*8, d(3)*8"),
            ("integer*4 x*2/3/,b(2)/2,3/", "integer*4 :: x*2 /3/, b(2) /2, 3/"),
            ("real*8 x(3)/3*0.0/", "real*8 :: x(3) /3 times real:0.0/"),
            ("real,parameter::a=1.0/3.0,b=2", "real, PARAMETER :: a = (real:1.0 / real:3.0), b = 2"),
            ("integer,parameter::a(*)=[1,2]", "integer, PARAMETER :: a(*) = [1, 2]"),
            ("integer,intent(in out)::a", "integer, INTENT(INOUT) :: a"),
            ("real,rank(2)::a", "real, RANK(2) :: a"),
            ("real,device::a(n)", "real, macro device :: a(n)"),
            ("integer,bind(c,name='x'),public::a", "integer, BIND(c, name='x'), PUBLIC :: a"),
            ("integer*4%fill(2),w", "integer*4 :: %fill(2), w"),
        ],
    );
}

#[test]
fn attribute_statements() {
    check(
        SourceForm::Free,
        &[
            ("allocatable x(:),y", "ALLOCATABLE :: x(:), y"),
            ("allocatable::x(:)", "ALLOCATABLE :: x(:)"),
            ("dimension a(3),b(0:4)", "DIMENSION :: a(3), b(0:4)"),
            ("codimension a[*]", "CODIMENSION[] :: a[*]"),
            ("save", "SAVE"),
            ("save::k,/shared/", "SAVE :: k, /shared/"),
            ("save/c/,x", "SAVE :: x, /c/"),
            ("external f,g", "EXTERNAL :: f, g"),
            ("intrinsic::sin", "INTRINSIC :: sin"),
            ("intent(inout)::a,b", "INTENT(INOUT) :: a, b"),
            ("bind(c)::/blk/", "BIND(c) :: /blk/"),
            ("optional a", "OPTIONAL :: a"),
            ("value::a", "VALUE :: a"),
            ("volatile a", "VOLATILE :: a"),
            ("pointer p(:)", "POINTER :: p(:)"),
            ("pointer(p,x),(q,y(10))", "POINTER (p, x), (q, y(10))"),
            ("private", "PRIVATE"),
            ("private::a", "PRIVATE :: a"),
            (
                "public a,operator(+),assignment(=),operator(.near.)",
                "PUBLIC :: a, operator(+), assignment(=), operator(.near.)",
            ),
            ("public::write(formatted),read", "PUBLIC :: read, write(formatted)"),
            ("static x/3/", "STATIC :: x /3/"),
            ("automatic", "AUTOMATIC"),
            ("target t(12)", "TARGET :: t(12)"),
            ("contiguous::t", "CONTIGUOUS :: t"),
            ("asynchronous t", "ASYNCHRONOUS :: t"),
            ("protected::t", "PROTECTED :: t"),
        ],
    );
}

#[test]
fn statements_about_names() {
    check(
        SourceForm::Free,
        &[
            ("parameter(a=1,b=a+1)", "PARAMETER a = 1, b = (a + 1)"),
            ("parameter pi=3.14,due=2", "PARAMETER pi = real:3.14, due = 2"),
            ("data k/3/,flag/.true./", "DATA k /3/, flag /logical:.true./"),
            ("data x,y/1,-2/z/3/", "DATA x, y /1, (-2)/, z /3/"),
            ("data((m(i,j),i=1,n),j=1,n)/9*0/", "DATA do(do(m(i, j); i = 1, n); j = 1, n) /9 times 0/"),
            ("data(v(i),i=1,9,2),v(2)/5*-1,+7/", "DATA do(v(i); i = 1, 9, 2), v(2) /5 times (-1), (+7)/"),
            ("data v/n*2,4/", "DATA v /n times 2, 4/"),
            ("data a/b'1010'/,b/'17'o/", "DATA a /boz:b'1010'/, b /boz:'17'o/"),
            (
                "data c/(1.0,-2.0)/,q/2*pair(3,4.0)/",
                "DATA c /complex(real:1.0, (-real:2.0))/, q /2 times pair(3, real:4.0)/",
            ),
            ("data list(1)(1:2)/'ab'/", "DATA list(1)(1:2) /'ab'/"),
            ("data p%a/1/", "DATA p%a /1/"),
            ("data p/null()/", "DATA p /null()/"),
            ("common a,b(3)", "COMMON // a, b(3)"),
            ("common/shared/y,first,/second_block/second", "COMMON /shared/ y, first, /second_block/ second"),
            ("common//third/fourth/x//y", "COMMON // third, /fourth/ x, // y"),
            ("namelist/setup/flag,/other/m,z", "NAMELIST /setup/ flag, /other/ m, z"),
            ("equivalence(v(1),w(2)),(x(1),z)", "EQUIVALENCE (v(1), w(2)), (x(1), z)"),
            ("implicit none", "IMPLICIT NONE"),
            ("implicit none(type,external)", "IMPLICIT NONE type, external"),
            ("implicit real*8(a-h,o-z),integer(i-n)", "IMPLICIT real*8 (a-h, o-z), integer (i-n)"),
            ("implicit real(kind=8)(a-h),logical*1(l)", "IMPLICIT real(kind=8) (a-h), logical*1 (l)"),
            ("implicit character*4(s-t),type(t)(q)", "IMPLICIT character(len=4) (s-t), type(t) (q)"),
            ("implicit double precision(a-h,o-z)", "IMPLICIT double precision (a-h, o-z)"),
            ("implicit undefined(a-z)", "IMPLICIT NONE"),
            ("import", "IMPORT"),
            ("import::a,b", "IMPORT a, b"),
            ("import,only:a", "IMPORT, only a"),
            ("import,none", "IMPORT, none"),
        ],
    );
}

#[test]
fn modules_are_used_in_all_ways() {
    check(
        SourceForm::Free,
        &[
            ("use m", "USE m"),
            ("use::m", "USE m"),
            ("use,intrinsic::iso_c_binding,only:c_int,c_ptr", "USE, intrinsic :: iso_c_binding, ONLY: c_int, c_ptr"),
            ("use m,only:", "USE m, ONLY:"),
            ("use m,a=>b,c=>d", "USE m a => b, c => d"),
            ("use m,only:a=>b,operator(+),assignment(=)", "USE m, ONLY: a => b, operator(+), assignment(=)"),
            ("use m,operator(.x.)=>operator(.y.)", "USE m operator(.x.) => operator(.y.)"),
            ("use m,only:read(formatted)", "USE m, ONLY: read(formatted)"),
        ],
    );
    check(SourceForm::Fixed, &[("usem,only:a", "USE m, ONLY: a")]);
}

#[test]
fn type_definitions_and_what_is_in_them() {
    check(
        SourceForm::Free,
        &[
            ("type t", "TYPE :: t"),
            ("type::t", "TYPE :: t"),
            ("type is", "TYPE :: is"),
            ("type,abstract,public,extends(u)::t", "TYPE, ABSTRACT, PUBLIC, EXTENDS(u) :: t"),
            ("type,bind(c)::t", "TYPE, BIND(c) :: t"),
            ("type::matrix(k,rows,cols)", "TYPE :: matrix(k, rows, cols)"),
            ("integer,kind::k=kind(0.0)", "integer, KIND :: k = kind(real:0.0)"),
            ("integer,len::rows,cols", "integer, LEN :: rows, cols"),
            ("sequence", "SEQUENCE"),
            (
                "procedure(area_if),pointer,nopass::hook=>null()",
                "PROCEDURE(area_if), POINTER, NOPASS :: hook => null()",
            ),
            ("procedure(),pointer::hook", "PROCEDURE(), POINTER :: hook"),
            ("procedure(real(8))::f", "PROCEDURE(real(kind=8)) :: f"),
            ("procedure(real)::f", "PROCEDURE(real) :: f"),
            ("procedure(realise)::f", "PROCEDURE(realise) :: f"),
            ("procedure(area_if),deferred,public::area", "BINDING(area_if), DEFERRED, PUBLIC :: area"),
            (
                "procedure,pass(self),non_overridable::scale=>scale_it",
                "BINDING, PASS(self), NONOVERRIDABLE :: scale => scale_it",
            ),
            ("procedure::add_i,add_r", "BINDING :: add_i, add_r"),
            ("procedure area", "BINDING :: area"),
            ("generic,public::operator(+)=>plus", "GENERIC, PUBLIC :: operator(+) => plus"),
            ("generic::assignment(=)=>copy,move", "GENERIC :: assignment(=) => copy, move"),
            ("generic::write(formatted)=>w", "GENERIC :: write(formatted) => w"),
            ("final::kill,kill_all", "FINAL kill, kill_all"),
            ("enum,bind(c)", "ENUM, BIND(c)"),
            ("enum,bind(c)::season", "ENUM, BIND(c) season"),
            ("enumerator::red=1,green", "ENUMERATOR red = 1, green"),
            ("enumerator blue", "ENUMERATOR blue"),
            ("enumeration type::season", "ENUMERATION TYPE :: season"),
            ("structure/inner/box,frame(2)", "STRUCTURE /inner/ box, frame(2)"),
            ("structure/point/", "STRUCTURE /point/"),
            ("union", "UNION"),
            ("map", "MAP"),
        ],
    );
}

#[test]
fn headers_in_free_form() {
    check(
        SourceForm::Free,
        &[
            ("program p", "PROGRAM p"),
            ("module m", "MODULE m"),
            ("module procedures", "MODULE procedures"),
            ("module procedure a,b", "MODULE PROCEDURE a, b"),
            ("module procedure::a", "MODULE PROCEDURE a"),
            ("module subroutine s(x)", "MODULE SUBROUTINE s(x)"),
            ("module real function w(n)", "MODULE real FUNCTION w(n)"),
            ("module real(8)recursive function w(n)", "MODULE RECURSIVE real(kind=8) FUNCTION w(n)"),
            ("pure module function depth(n)result(d)", "PURE MODULE FUNCTION depth(n) RESULT(d)"),
            ("submodule(tree)impl", "SUBMODULE (tree) impl"),
            ("submodule(tree:impl)impl2", "SUBMODULE (tree:impl) impl2"),
            ("block data", "BLOCK DATA"),
            ("blockdata named", "BLOCK DATA named"),
            ("subroutine s", "SUBROUTINE s()"),
            ("subroutine s()bind(c)", "SUBROUTINE s() BIND(c)"),
            ("subroutine s(x,*,*)", "SUBROUTINE s(x, *, *)"),
            ("recursive subroutine s(a)", "RECURSIVE SUBROUTINE s(a)"),
            ("function f(x)result(y)bind(c,name=\"f\")", "FUNCTION f(x) RESULT(y) BIND(c, name=\"f\")"),
            ("function f(x)bind(c)result(y)", "FUNCTION f(x) RESULT(y) BIND(c)"),
            ("impure elemental real function half(v)", "IMPURE ELEMENTAL real FUNCTION half(v)"),
            ("real function f", "real FUNCTION f()"),
            ("real function", "real :: function"),
            ("real function(3)", "real :: function(3)"),
            ("real pure,function", "real :: pure, function"),
            ("real*8 function f(x)", "real*8 FUNCTION f(x)"),
            ("real function f*8(x)", "real FUNCTION f*8(x)"),
            ("character(len=n)function f(n)", "character(len=n) FUNCTION f(n)"),
            ("character*(*)function f(n)", "character(len=*) FUNCTION f(n)"),
            ("type(t)function f(n)", "type(t) FUNCTION f(n)"),
            ("integer recursive function f(n)", "RECURSIVE integer FUNCTION f(n)"),
            ("non_recursive subroutine f(n)", "NONRECURSIVE SUBROUTINE f(n)"),
            ("attributes(global)subroutine k(a)", "attributes(global) SUBROUTINE k(a)"),
            ("exported subroutine k(a)", "exported SUBROUTINE k(a)"),
            ("entry older(a)", "ENTRY older(a)"),
            ("interface", "INTERFACE"),
            ("interface make", "INTERFACE make"),
            ("interface operator(.near.)", "INTERFACE operator(.near.)"),
            ("interface operator(/)", "INTERFACE operator(/)"),
            ("interface read(formatted)", "INTERFACE read(formatted)"),
            ("abstract interface", "ABSTRACT INTERFACE"),
            ("contains", "CONTAINS"),
        ],
    );
}

#[test]
fn fixed_form_has_no_blanks() {
    check(
        SourceForm::Fixed,
        &[
            ("programblanks", "PROGRAM blanks"),
            ("programmain(input,output,tape5=input)", "PROGRAM main"),
            ("realx,y(10)", "real :: x, y(10)"),
            ("integerkount,do10k,endif", "integer :: kount, do10k, endif"),
            ("doubleprecisiond", "double precision :: d"),
            ("doublecomplexw", "double complex :: w"),
            ("doubleprecisionfunctionf(x)", "double precision FUNCTION f(x)"),
            ("integerfunctionkount2(a)", "integer FUNCTION kount2(a)"),
            ("realfunctionf(10)", "real :: functionf(10)"),
            ("realfunction,x", "real :: function, x"),
            ("real*8functionf(x,y)", "real*8 FUNCTION f(x, y)"),
            ("character*4name", "character(len=4) :: name"),
            ("character*10e5", "character(len=10) :: e5"),
            ("characterstr*8,code*(3),list(4)*2,one", "character :: str*8, code*3, list(4)*2, one"),
            ("subroutinesub(a,b)", "SUBROUTINE sub(a, b)"),
            ("subroutinerecs", "SUBROUTINE recs()"),
            ("recursivefunctionf(x)result(y)", "RECURSIVE FUNCTION f(x) RESULT(y)"),
            ("implicitreal*8(a-h,o-z)", "IMPLICIT real*8 (a-h, o-z)"),
            ("implicitinteger(i-k,m-n)", "IMPLICIT integer (i-k, m-n)"),
            ("implicitnone", "IMPLICIT NONE"),
            ("datado10k/0/", "DATA do10k /0/"),
            ("dataid/4hab'c,4hx(\"),1h)/", "DATA id /hollerith:4hab'c, hollerith:4hx(\"), hollerith:1h)/"),
            ("dimensionz(m,*),q(-1:1,0:3)", "DIMENSION :: z(m, *), q((-1):1, 0:3)"),
            ("commona1,a2,/blk/b1(10)", "COMMON // a1, a2, /blk/ b1(10)"),
            ("savex,/c/", "SAVE :: x, /c/"),
            ("blockdatanamed", "BLOCK DATA named"),
            ("modulefunctions", "MODULE functions"),
            ("externalf", "EXTERNAL :: f"),
            ("entryolder(a)", "ENTRY older(a)"),
            ("record/shape/s,list(10)", "record /shape/ :: s, list(10)"),
            ("endprogramp", "END PROGRAM p"),
            ("enddoouter", "END DO outer"),
            ("integer*2flags/0/", "integer*2 :: flags /0/"),
        ],
    );
}

#[test]
fn a_macro_may_stand_for_a_type_in_preprocessed_files() {
    let kind = |path: &str, text: &str| {
        let tree = parse(prescan(path, text.as_bytes().to_vec(), &PrescanOptions::default()));
        declaration_text(&tree.names, &tree.statements[StatementId::new(0)].kind)
    };
    assert_eq!(kind("a.F90", "KPP_REAL t, u(3)\n").as_deref(), Some("macro kpp_real :: t, u(3)"));
    assert_eq!(kind("a.F", "      INTGR4 incx4,n4\n").as_deref(), Some("macro intgr4 :: incx4, n4"));
    assert_eq!(kind("a.F", "      INTGR4 izamax\n").as_deref(), Some("macro intgr4 :: izamax"));
    assert_eq!(kind("a.f90", "KPP_REAL t, u(3)\n"), None);
    assert_eq!(kind("a.F90", "cal foo, bar\n"), None);
}

#[test]
fn ends_in_every_spelling() {
    check(
        SourceForm::Free,
        &[
            ("end", "END"),
            ("enddo", "END DO"),
            ("end do outer", "END DO outer"),
            ("enddo outer", "END DO outer"),
            ("endprogram", "END PROGRAM"),
            ("end function f", "END FUNCTION f"),
            ("endif", "END IF"),
            ("end select pick", "END SELECT pick"),
            ("end block data", "END BLOCK DATA"),
            ("end block", "END BLOCK"),
            ("end blockdata b", "END BLOCK DATA b"),
            ("end interface operator(.near.)", "END INTERFACE operator(.near.)"),
            ("end interface assignment(=)", "END INTERFACE assignment(=)"),
            ("end enumeration type season", "END ENUMERATION TYPE season"),
            ("end enum", "END ENUM"),
            ("end team(stat=s)x", "END TEAM(stat=s) x"),
            ("end procedure", "END PROCEDURE"),
            ("end submodule impl", "END SUBMODULE impl"),
            ("endstructure", "END STRUCTURE"),
            ("end map", "END MAP"),
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
