//! The block builder: Fortran in, outline of units, constructs and notes out.

use std::fmt::Write;

use proptest::prelude::*;

use super::parse;
use crate::source::{FormChoice, PrescanOptions, prescan};
use crate::syntax::ast::tree::{ConstructId, StatementId, Tree, UnitId};
use crate::syntax::{ConstructKind, StatementKind, UnitKind};

fn tree(form: FormChoice, text: &str) -> Tree {
    parse(prescan("test.f90", text.as_bytes().to_vec(), &PrescanOptions { form, ..PrescanOptions::default() }))
}

/// A line for each unit (`Subroutine 2-5 in 0`, `contains 3`), construct (`If 2,4-6`, a missing end as `(6)`) and note,
/// with lines for statements.
fn outline(tree: &Tree) -> String {
    let line = |id: StatementId| tree.source.texts.locate(tree.statements[id].span).1.line;
    let mut text = String::new();
    for unit in &tree.units {
        let _ = write!(text, "{:?} {}-{}", unit.kind, line(unit.first), line(unit.last));
        let _ = unit.contains.map(|id| write!(text, " contains {}", line(id)));
        let _ = unit.parent.map(|parent| write!(text, " in {parent:?}"));
        text.push('\n');
    }
    for construct in &tree.constructs {
        let headers = construct.headers.iter().map(|&id| line(id).to_string()).collect::<Vec<_>>().join(",");
        let last = line(construct.last);
        let last = if construct.end.is_some() { last.to_string() } else { format!("({last})") };
        let _ = write!(text, "{:?} {headers}-{last}", construct.kind);
        let _ = construct.parent.map(|parent| write!(text, " in {parent:?}"));
        text.push('\n');
    }
    for (span, note) in &tree.unbalanced {
        let _ = writeln!(text, "{}: {note}", tree.source.texts.locate(*span).1.line);
    }
    text
}

fn free(text: &str) -> String {
    outline(&tree(FormChoice::Free, text))
}

fn fixed(text: &str) -> String {
    outline(&tree(FormChoice::Fixed, text))
}

#[test]
fn constructs_nest_with_their_headers() {
    let text = "subroutine s
outer: do i = 1, n
  check: if (a < 0) then
    x = 1
  else if (a > 9) then check
    exit outer
  else check
    x = 2
  end if check
  select case (j)
  case (1:3, 7)
    x = 3
  case default
    x = 4
  endselect
  where (a > 0)
    a = 1
  elsewhere
    a = 2
  end where
enddo outer
end
";
    let expected = "Subroutine 1-22
Do 2-21
If 3,5,7-9 in 0
SelectCase 10,11,13-15 in 0
Where 16,18-20 in 0
";
    assert_eq!(free(text), expected);
}

#[test]
fn one_line_forms_open_nothing() {
    assert_eq!(free("if (a) x = 1\nwhere (a > 0) a = 1\nforall (i=1:3) a(i) = 1\nend\n"), "MainProgram 1-4\n");
}

#[test]
fn labelled_loops_share_their_terminal_statement() {
    let text = "      subroutine s
      do 10 i = 1, n
      do 10 j = 1, m
      if (a(i,j)) 10, 5, 7
    5 a(i,j) = 1.0
    7 a(i,j) = 2.0
   10 continue
      do 20, i = 1, n
      do 30, j = 1, m
   30 a(i,j) = 1.0
   20 if (a(i,1) .gt. 5.0) a(i,1) = 5.0
      end
";
    assert_eq!(fixed(text), "Subroutine 1-12\nDo 2-(7)\nDo 3-(7) in 0\nDo 8-(11)\nDo 9-(10) in 2\n");
}

#[test]
fn a_labelled_loop_may_end_on_its_own_end_do_or_on_an_end_if() {
    let text = "      do i = 1, 3
      do 100 j = 1, 3
      a(i,j) = 0
  100 end do
      enddo
      do 200 i = 1, 3
      if (x) then
      y = 1
  200 endif
      end
";
    assert_eq!(fixed(text), "MainProgram 1-10\nDo 1-5\nDo 2-4 in 0\nDo 6-(9)\nIf 7-9 in 2\n");
}

#[test]
fn an_end_do_without_the_label_does_not_end_a_labelled_loop() {
    let text = "      do 10 i = 1, 3
      do j = 1, 3
      a(i,j) = 0
      end do
   10 continue
      end
";
    assert_eq!(fixed(text), "MainProgram 1-6\nDo 1-(5)\nDo 2-4 in 0\n");
}

#[test]
fn units_contain_units() {
    let text = "module m
contains
subroutine s
contains
integer function f(x)
end function
end subroutine s
function g(x)
end
end module m
block data
end
x = 1
contains
subroutine t
end subroutine
end
";
    let expected = "Module 1-10 contains 2
Subroutine 3-7 contains 4 in 0
Function 5-6 in 1
Function 8-9 in 0
BlockData 11-12
MainProgram 13-17 contains 14
Subroutine 15-16 in 5
";
    assert_eq!(free(text), expected);
}

#[test]
fn interfaces_hold_bodies_and_names() {
    let text = "module m
interface
subroutine a(x)
real x
end subroutine
module function b(x)
end function b
end interface
interface g
module procedure p, q
procedure r
procedure :: u
end interface g
end module
submodule (m) n
contains
module procedure b
b = 1
end procedure b
end submodule n
";
    let expected = "Module 1-14
InterfaceBody 3-5 in 0
InterfaceBody 6-7 in 0
Submodule 15-20 contains 16
ModuleProcedure 17-19 in 3
Interface 2-8
Interface 9-13
";
    let tree = tree(FormChoice::Free, text);
    assert_eq!(outline(&tree), expected);
    let names = |kind: &StatementKind| matches!(kind, StatementKind::ModuleProcedure { module: false, .. });
    assert_eq!(tree.statements.iter().filter(|statement| names(&statement.kind)).count(), 2);
}

#[test]
fn types_have_their_own_contains() {
    let text = "module m
type :: t
integer :: i
contains
procedure :: p
end type t
type(t) :: x
enum, bind(c)
enumerator :: red
end enum
contains
subroutine p(self)
end subroutine
end module
";
    let expected = "Module 1-14 contains 11\nSubroutine 12-13 in 0\nDerivedType 2,4-6\nEnum 8-10\n";
    assert_eq!(free(text), expected);
}

#[test]
fn dec_structures_nest() {
    let text = "      structure /shape/
      union
      map
      integer*4 word
      end map
      end union
      structure /inner/ box
      integer w
      end structure
      endstructure
      end
";
    assert_eq!(fixed(text), "MainProgram 1-11\nStructure 1-10\nUnion 2-6 in 0\nMap 3-5 in 1\nStructure 7-9 in 0\n");
}

#[test]
fn missing_ends_are_noted_at_their_openings() {
    let text = "module m
type :: t
integer :: i
contains
subroutine s(a)
do i = 1, n
if (n > 3) then
where (a > 0)
";
    let expected = "Module 1-8 contains 4
Subroutine 5-8 in 0
DerivedType 2-(4)
Do 6-(8)
If 7-(8) in 1
Where 8-(8) in 2
1: MODULE 'm' has no END MODULE
2: TYPE 't' has no END TYPE
5: SUBROUTINE 's' has no END SUBROUTINE
6: DO has no END DO
7: IF has no END IF
8: WHERE has no END WHERE
";
    assert_eq!(free(text), expected);
}

#[test]
fn a_missing_end_is_repaired_by_the_end_around_it() {
    let text = "subroutine s
if (a) then
do i = 1, 3
x = 1
end if
end subroutine s
subroutine t
";
    let expected = "Subroutine 1-6
Subroutine 7-7
If 2-5
Do 3-(4) in 0
3: DO has no END DO
7: SUBROUTINE 't' has no END SUBROUTINE
";
    assert_eq!(free(text), expected);
}

#[test]
fn surplus_and_mismatched_ends_are_noted_once() {
    let text = "subroutine s
end do
else
a: do i = 1, 3
end do b
end function s
end
end subroutine
";
    let expected = "Subroutine 1-6
MainProgram 7-7
Do 4-5
2: END DO without its opening statement
3: ELSE without its opening statement
5: END DO 'b' ends DO 'a'
6: END FUNCTION 's' ends SUBROUTINE 's'
8: END SUBROUTINE without its opening statement
";
    assert_eq!(free(text), expected);
}

#[test]
fn an_end_by_name_reaches_the_construct_of_that_name() {
    let text = "a: do i = 1, 3\nb: do j = 1, 3\nx = 1\nend do a\nend\n";
    assert_eq!(free(text), "MainProgram 1-5\nDo 1-4\nDo 2-(3) in 0\n2: DO 'b' has no END DO\n");
}

#[test]
fn what_was_not_understood_still_opens_and_ends() {
    let text = "subroutine s(a, b
if (x ?? y) then
x = 1
else
x = 2
end if
do i = 1, )
x = 1
end do
where (a > )
a = 1
end where
type, extends(3) :: t
end type
end subroutine s
";
    let found = free(text);
    assert_eq!(found, "Subroutine 1-15\nIf 2,4-6\nDo 7-9\nDerivedType 13-14\n");
}

#[test]
fn a_fragment_without_header_and_end_is_no_finding() {
    assert_eq!(free("real :: a(3)\ncommon /c/ a\n"), "MainProgram 1-2\n");
}

#[test]
fn depth_costs_no_stack_and_little_time() {
    let depth = 50_000;
    let mut text = String::from("subroutine s\n");
    (0..depth).for_each(|_| text.push_str("if (k > 1) then\n"));
    (0..depth).for_each(|_| text.push_str("end if\n"));
    text.push_str("end do\n".repeat(depth).as_str());
    text.push_str("end\n");
    let tree = tree(FormChoice::Free, &text);
    assert_eq!((tree.constructs.len(), tree.unbalanced.len()), (depth, depth));
    assert_eq!(tree.constructs[ConstructId::new(depth - 1)].parent, Some(ConstructId::new(depth - 2)));
}

/// Lines that open, continue, end, or do nothing.
const LINES: &[&str] = &[
    "program p",
    "module m",
    "subroutine s",
    "function f(x)",
    "contains",
    "interface",
    "end interface",
    "type t",
    "end type",
    "module procedure q",
    "procedure r",
    "end",
    "end subroutine",
    "end function f",
    "end module",
    "end procedure",
    "do i = 1, 3",
    "do 10 i = 1, 3",
    "10 continue",
    "10 end do",
    "end do",
    "if (a) then",
    "else",
    "end if",
    "a: block",
    "end block a",
    "x = 1",
    "select case (i)",
    "case (1)",
    "end select",
    "where (a ?",
    "integer x",
    "subroutine (",
    "MACRO(x)",
];

proptest! {
    /// Whatever the order of statements, the tree is one: ranges nest, and every statement lies where it belongs.
    #[test]
    fn every_sequence_of_statements_gives_a_tree(picks in prop::collection::vec(0..LINES.len(), 0..60)) {
        let text = picks.iter().map(|&pick| format!("{}\n", LINES[pick])).collect::<String>();
        let tree = tree(FormChoice::Free, &text);
        let count = tree.statements.len();
        prop_assert_eq!(count, picks.len());
        prop_assert_eq!((tree.unit_of.len(), tree.construct_of.len()), (count, count));
        for unit in &tree.units {
            prop_assert!(unit.first <= unit.last && unit.last < count);
            if let Some(parent) = unit.parent {
                let parent = &tree.units[parent];
                prop_assert!(parent.first < unit.first && unit.last <= parent.last);
            }
            prop_assert!(unit.contains.is_none_or(|id| unit.first <= id && id <= unit.last));
        }
        for construct in &tree.constructs {
            let unit = &tree.units[construct.unit];
            prop_assert!(unit.first <= construct.headers[0] && construct.last <= unit.last);
            prop_assert!(construct.headers.iter().all(|&id| id <= construct.last));
            prop_assert!(construct.end.is_none_or(|id| id == construct.last));
            if let Some(parent) = construct.parent {
                let parent = &tree.constructs[parent];
                prop_assert!(parent.unit == construct.unit);
                prop_assert!(parent.headers[0] < construct.headers[0] && construct.last <= parent.last);
            }
        }
        for (id, construct) in tree.construct_of.iter_enumerated() {
            if let Some(construct) = construct.map(|construct| &tree.constructs[construct]) {
                prop_assert_eq!(Some(construct.unit), tree.unit_of[id]);
                prop_assert!(construct.headers[0] <= id && id <= construct.last);
            }
        }
        for (id, unit) in tree.unit_of.iter_enumerated() {
            if let Some(unit) = unit.map(|unit| &tree.units[unit]) {
                prop_assert!(unit.first <= id && id <= unit.last);
            }
        }
    }
}

#[test]
fn kinds_of_units_and_constructs_are_told_apart() {
    let text =
        "pure real function f(x)\nassociate (y => x)\nblock\ncritical\nend critical\nend block\nend associate\nend\n";
    let tree = tree(FormChoice::Free, text);
    assert_eq!(tree.units[UnitId::new(0)].kind, UnitKind::Function);
    let kinds = tree.constructs.iter().map(|construct| construct.kind).collect::<Vec<_>>();
    assert_eq!(kinds, [ConstructKind::Associate, ConstructKind::Block, ConstructKind::Critical]);
}
