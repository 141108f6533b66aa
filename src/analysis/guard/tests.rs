//! Small programs before and now, and what guard says of them.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;

use super::affected::{Words, keep_concerned};
use super::findings::{ArrayRecord, UseRecord};
use super::snapshot::{Provenance, exact};
use super::{Guard, GuardOptions, ProgramComparison, Snapshot, UseClass, lock};
use crate::analysis::Session;
use crate::analysis::stencil::check::WitnessRecord;
use crate::diagnostics::documented::{assert_made_from, schema_of};
use crate::diagnostics::render::json::{FindingRecord, VERSION};
use crate::workspace::{Project, SourceOptions};

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs guard --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct GuardDocument<'d> {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    findings: Vec<GuardFinding<'d>>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct GuardFinding<'d> {
    #[serde(flatten)]
    finding: FindingRecord<'d, WitnessRecord>,
    /// With G001: the array, of which the findings behind it speak.
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<ArrayRecord<'d>>,
    /// With the other findings of a comparison: the use.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    use_: Option<UseRecord<'d>>,
}

#[test]
fn the_documented_schema_is_that_of_the_records() {
    assert_made_from("guard.schema.json", &schema_of::<GuardDocument<'_>>());
}

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let project = Project::load(&[], SourceOptions::default());
    let session: Session<'_, Guard> = Session::new(&project, GuardOptions::default());
    let mut units: Vec<_> =
        files.iter().flat_map(|(name, text)| session.analyse(&project.view(Path::new(name), *text)).units).collect();
    units.sort_by_key(|unit| (unit.name.clone(), unit.kind.clone(), unit.file.clone()));
    Snapshot { units }
}

fn compare(mut before: Snapshot, mut now: Snapshot) -> ProgramComparison {
    super::compare(&mut before, &mut now)
}

fn compared(before: &str, now: &str) -> ProgramComparison {
    compare(snapshot(&[("a.f90", before)]), snapshot(&[("a.f90", now)]))
}

/// The suspicious and the doubtful uses: line, class and sentence.
fn told(comparison: &ProgramComparison) -> Vec<(u32, UseClass, String)> {
    let uses = comparison.arrays.iter().flat_map(|array| &array.uses).filter(|used| used.class < UseClass::Follows);
    let mut told: Vec<_> = uses
        .map(|used| (used.place.location().map_or(0, |place| place.start.line), used.class, used.why.clone()))
        .collect();
    told.sort();
    told
}

fn lines(comparison: &ProgramComparison, class: UseClass) -> Vec<u32> {
    told(comparison).into_iter().filter(|(_, one, _)| *one == class).map(|(line, ..)| line).collect()
}

const STEP: &str = "\
subroutine step(temp, new, nx, ny)
  integer :: nx, ny, i, j
  real :: temp(nx,ny), new(nx,ny)
  do j = 2, ny - 1
    do i = 2, nx - 1
      new(i,j) = temp(i-1,j) + temp(i+1,j) + temp(i,j-1) + temp(i,j+1)
    end do
  end do
  do j = 2, ny - 1
    do i = 2, nx - 1
      temp(i,j) = new(i,j)
    end do
  end do
end subroutine
";

/// A loop over one dimension; what follows it ends the procedure.
const LOOP: &str = "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1)
  end do
";

fn lock_text(snapshot: &Snapshot) -> String {
    let mut bytes = Vec::new();
    lock::write(snapshot, &mut bytes).expect("it can be written");
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn a_lock_file_says_what_the_sources_say() {
    for text in
        [STEP, include_str!("../../../corpus/ocean_tracer.f90"), include_str!("../../../corpus/multigrid_2d.f90")]
    {
        let before = snapshot(&[("a.f90", text)]);
        let locked = lock_text(&before);
        let mut read = lock::read(&locked).expect("it can be read");
        for unit in &mut read.units {
            for used in Arc::make_mut(&mut unit.statements).iter_mut().flat_map(|statement| &mut statement.uses) {
                let count = used.subscripts.as_ref().map_or(0, |all| all.len());
                used.places = exact(vec![Provenance::default(); count].into_iter());
            }
        }
        for (one, other) in before.units.iter().zip(&read.units) {
            assert_eq!(one.arrays, other.arrays);
            for (one, other) in one.statements.iter().zip(other.statements.iter()) {
                assert_eq!(
                    one.uses.iter().map(ToString::to_string).collect::<Vec<_>>(),
                    other.uses.iter().map(ToString::to_string).collect::<Vec<_>>()
                );
                assert_eq!(
                    (&one.head, one.hash, one.depth, &one.loops),
                    (&other.head, other.hash, other.depth, &other.loops)
                );
                assert_eq!(one.specifications, other.specifications);
            }
        }
        assert_eq!(lock_text(&read), locked);
        assert!(told(&compare(read, before)).is_empty());
    }
}

#[test]
fn a_lock_file_holds_no_line_numbers() {
    let moved = format!("! a comment\n\n\n{}", STEP.replace("  integer", "\n  integer"));
    let text = |source: &str| lock_text(&snapshot(&[("a.f90", source)]));
    assert_eq!(text(STEP), text(&moved));
}

#[test]
fn damaged_and_foreign_lock_files_are_refused() {
    let text = lock_text(&snapshot(&[("a.f90", STEP)]));
    assert!(lock::read(&text[..text.len() / 2]).is_err());
    assert!(
        lock::read(&text.replace("lock\": 1", "lock\": 99"))
            .is_err_and(|error| error.to_string().contains("version 99"))
    );
    assert!(lock::read(&text.replace("read step::temp(i-1,j)", "peek step::temp(i-1,j)")).is_err());
    assert!(lock::read("{}").is_err());
}

#[test]
fn moved_lines_and_statements_are_the_same() {
    let exchanged = STEP.replace("temp(nx,ny)", "temp(ny,nx)").replace("temp(i,j) =", "temp(j,i) =").replace(
        "temp(i-1,j) + temp(i+1,j) + temp(i,j-1) + temp(i,j+1)",
        "temp(j,i-1) + temp(j,i+1) + temp(j-1,i) + temp(j+1,i)",
    );
    // The second pair of loops now stands before the first.
    let rows: Vec<&str> = exchanged.lines().collect();
    let moved = [&rows[..3], &["  ! moved"], &rows[8..13], &rows[3..8], &rows[13..]].concat().join("\n");
    assert!(told(&compared(STEP, &moved)).is_empty(), "{:?}", told(&compared(STEP, &moved)));
    let slip = moved.replace("temp(j-1,i)", "temp(j+2,i)");
    assert_eq!(lines(&compared(STEP, &slip), UseClass::DiffersOtherwise), [12]);
}

#[test]
fn interchanged_loops_and_renamed_variables_change_nothing() {
    let now = "\
subroutine step(temp, new, nx, ny)
  integer :: nx, ny, ix, iy
  real :: temp(ny,nx), new(nx,ny)
  do ix = 2, nx - 1
    do iy = 2, ny - 1
      new(ix,iy) = temp(iy,ix-1) + temp(iy,ix+1) + temp(iy-1,ix) + temp(iy+1,ix)
    end do
  end do
  do iy = 2, ny - 1
    do ix = 2, nx - 1
      temp(iy,ix) = new(ix,iy)
    end do
  end do
end subroutine
";
    assert!(told(&compared(STEP, now)).is_empty(), "{:?}", told(&compared(STEP, now)));
    let slip = now.replace("temp(iy-1,ix)", "temp(iy,ix-1)");
    assert_eq!(lines(&compared(STEP, &slip), UseClass::DiffersOtherwise), [6]);
}

#[test]
fn renamed_units_files_and_arrays_are_the_same() {
    let now = STEP.replace("subroutine step", "subroutine advance").replace("temp(nx,ny)", "temp(nx,ny,2)");
    let comparison = compare(snapshot(&[("old.f90", STEP)]), snapshot(&[("sub/new.f90", &now)]));
    assert_eq!(comparison.units, 1);
    assert_eq!(lines(&comparison, UseClass::StillOld), [6, 6, 6, 6, 11]);
    // Where the old one is still there, the other is new.
    let both = format!("{STEP}{now}");
    let comparison = compare(snapshot(&[("old.f90", STEP)]), snapshot(&[("old.f90", &both)]));
    assert!(told(&comparison).is_empty(), "{:?}", told(&comparison));
    let renamed = STEP.replace("temp", "theta").replace("new", "theta_new");
    let comparison = compared(STEP, &renamed);
    assert!(told(&comparison).is_empty());
}

#[test]
fn a_lower_bound_that_moves_alone_moves_no_index_and_adds_elements() {
    let before = &format!("{LOOP}  b = a\n  write (9) a\nend subroutine\n");
    let comparison = compared(before, &before.replace("a(n)", "a(0:n)"));
    assert_eq!(lines(&comparison, UseClass::StillOld), [7], "{:?}", told(&comparison));
    assert_eq!(lines(&comparison, UseClass::NotCompared), [8]);
    let both = compared(before, &before.replace("a(n)", "a(0:n)").replace("b(n)", "b(0:n)"));
    assert!(lines(&both, UseClass::StillOld).is_empty(), "{:?}", told(&both));
}

#[test]
fn variables_of_loops_that_exchange_their_bounds_are_renamed() {
    let before = "\
subroutine step(t, n, m)
  integer :: n, m, i, j
  real :: t(n,m)
  do j = 1, m
    do i = 2, n
      t(i,j) = 0
    end do
  end do
end subroutine
";
    let now = before.replace("t(n,m)", "t(m,n)").replace("j = 1, m", "i = 1, m").replace("i = 2, n", "j = 2, n");
    assert!(told(&compared(before, &now)).is_empty());
    assert_eq!(lines(&compared(before, &now.replace("t(i,j)", "t(j,i)")), UseClass::StillOld), [6]);
}

#[test]
fn what_is_not_known_is_not_called_right() {
    let before = "\
subroutine step(z)
  use things
  type(thing) :: z
  real :: t(4,5), x(20)
  real, allocatable :: u(:,:)
  call z%work(t)
  call unknown(t)
  call row(t(1,2))
  allocate (u, source=t)
  x(1) = sum(t)
contains
  subroutine row(y)
    real :: y(3)
    y(1) = 0
  end subroutine
end subroutine
";
    let comparison = compared(before, &before.replace("t(4,5)", "t(5,4)").replace("t(1,2)", "t(2,1)"));
    assert_eq!(lines(&comparison, UseClass::NotCompared), [6, 7, 8], "{:?}", told(&comparison));
    assert_eq!(lines(&comparison, UseClass::StillOld), [9]);
}

#[test]
fn of_statements_that_are_alike_each_finds_its_own() {
    let before = "\
subroutine step(t)
  real :: t(4,5,6)
  t(1,2,3) = 0
  t(2,3,4) = 0
  t(3,4,5) = 0
end subroutine
";
    let now = before.replace("t(4,5,6)", "t(5,4,6)").replace("t(3,4,5)", "t(4,3,5)").replace("t(2,3,4)", "t(3,2,4)");
    assert!(told(&compared(before, &now.replace("  t(1,2,3) = 0\n", ""))).is_empty());
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [3]);
}

/// Statements that are alike, or lines of one statement, are many where code is generated: what compares each with each
/// does not come to an end.
#[test]
fn among_many_that_are_alike_the_one_that_stayed_is_found() {
    let count = 20_000;
    let statements = ("  t(1,2) = 0\n".repeat(count), 3);
    let terms = (format!("  x = 0{}\n", " &\n    + t(1,2)".repeat(count)), 4);
    for (uses, first_line) in [statements, terms] {
        let program =
            |shape: &str, uses: &str| format!("subroutine step(t)\n  real :: t({shape}), x\n{uses}end subroutine\n");
        let mut now = uses.replace("t(1,2)", "t(2,1)");
        let (stayed, _) = now.match_indices("t(2,1)").nth(count / 2).expect("there are as many");
        now.replace_range(stayed..stayed + "t(2,1)".len(), "t(1,2)");
        let comparison = compared(&program("4,5", &uses), &program("5,4", &now));
        assert_eq!(lines(&comparison, UseClass::StillOld), [first_line + count as u32 / 2]);
    }
}

#[test]
fn the_order_of_many_dimensions_is_told_by_their_extents() {
    let before = "subroutine step(t)\n  real :: t(2,3,4,5,6)\n  t(1,2,3,4,5) = 0\nend subroutine\n";
    let now = before.replace("t(2,3,4,5,6)", "t(6,2,3,4,5)");
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [3]);
    assert!(told(&compared(before, &now.replace("t(1,2,3,4,5)", "t(5,1,2,3,4)"))).is_empty());
}

#[test]
fn a_shifted_array_is_followed_by_indices_or_by_loops() {
    let before = &format!("{LOOP}  a(1) = 0\nend subroutine\n");
    let by_index = before
        .replace("a(n), b(n)", "a(0:n-1), b(n)")
        .replace("a(i) + a(i-1)", "a(i-1) + a(i-2)")
        .replace("a(1) = 0", "a(0) = 0");
    assert!(told(&compared(before, &by_index)).is_empty(), "{:?}", told(&compared(before, &by_index)));
    let by_loop = before
        .replace("a(n), b(n)", "a(0:n-1), b(0:n-1)")
        .replace("do i = 2, n", "do i = 1, n - 1")
        .replace("a(1) = 0", "a(0) = 0");
    assert!(told(&compared(before, &by_loop)).is_empty(), "{:?}", told(&compared(before, &by_loop)));
    // The loop moved, and 'b', which did not, is no more where it was.
    let half = by_loop.replace("b(0:n-1)", "b(n)");
    assert_eq!(lines(&compared(before, &half), UseClass::DiffersOtherwise), [5]);
    assert_eq!(lines(&compared(before, &by_loop.replace("a(0) = 0", "a(1) = 0")), UseClass::StillOld), [7]);
}

#[test]
fn an_index_may_be_written_otherwise_if_the_specification_follows() {
    let before = STEP
        .replace("      new(i,j) = temp(i-1,j)", "      im = i - 1\n      new(i,j) = temp(im,j)")
        .replace(", i, j", ", i, j, im");
    let now = STEP.replace("temp(nx,ny)", "temp(nx,ny,3)");
    let now = ["temp(i-1,j)", "temp(i+1,j)", "temp(i,j-1)", "temp(i,j+1)", "temp(i,j)"]
        .iter()
        .fold(now, |text, one| text.replace(one, &one.replace(')', ",1)")));
    assert!(told(&compared(&before, &now)).is_empty(), "{:?}", told(&compared(&before, &now)));
    let slip = now.replace("temp(i-1,j,1)", "temp(i-2,j,1)");
    assert_eq!(lines(&compared(&before, &slip), UseClass::DiffersOtherwise), [6]);
}

#[test]
fn what_changes_outside_of_the_subscripts_is_found_by_the_specification() {
    let before = STEP
        .replace("      new(i,j) = temp(i-1,j)", "      im = i - 1\n      new(i,j) = temp(im,j)")
        .replace(", i, j", ", i, j, im");
    let now = before.replace("temp(nx,ny)", "temp(nx,ny,3)").replace("im = i - 1", "im = i - 2");
    let now = ["temp(im,j)", "temp(i+1,j)", "temp(i,j-1)", "temp(i,j+1)", "temp(i,j)"]
        .iter()
        .fold(now, |text, one| text.replace(one, &one.replace(')', ",1)")));
    assert_eq!(lines(&compared(&before, &now), UseClass::DiffersOtherwise), [7]);
}

#[test]
fn whole_arrays_must_correspond_and_named_dimensions_move() {
    let before = "\
subroutine step(a, b, nx, ny)
  integer :: nx, ny, n
  real :: a(nx,ny), b(nx,ny)
  a = 2*b
  a(:,:) = b(:,:)
  a = transpose(transpose(b))
  n = size(a, 2) + ubound(a, dim=1)
  write (*, *) a
end subroutine
";
    let now = before.replace("a(nx,ny)", "a(ny,nx)");
    let comparison = compared(before, &now);
    assert_eq!(lines(&comparison, UseClass::StillOld), [4, 5, 7, 7]);
    assert_eq!(lines(&comparison, UseClass::NotCompared), [8]);
    let both = now.replace("b(nx,ny)", "b(ny,nx)").replace("size(a, 2)", "size(a, 1)").replace("dim=1", "dim=2");
    assert!(lines(&compared(before, &both), UseClass::StillOld).is_empty(), "{:?}", told(&compared(before, &both)));
}

#[test]
fn arguments_must_have_the_shape_of_the_dummies() {
    let before = "\
program main
  real :: t(4,5), u(4,5)
  call step(t)
  call step(u)
contains
  subroutine step(x)
    real :: x(4,5)
    x(1,2) = 0
  end subroutine
end program
";
    let more = before.replace("t(4,5)", "t(4,5,6)");
    assert_eq!(lines(&compared(before, &more), UseClass::Argument), [3]);
    let exchanged = before.replace("x(4,5)", "x(5,4)").replace("x(1,2)", "x(2,1)");
    assert_eq!(lines(&compared(before, &exchanged), UseClass::Argument), [3, 4]);
    let sliced = more.replace("step(t)", "step(t(:,:,2))");
    assert!(told(&compared(before, &sliced)).is_empty(), "{:?}", told(&compared(before, &sliced)));
}

#[test]
fn a_common_block_that_is_declared_in_two_ways_is_told() {
    let before = "\
subroutine one
  common /fields/ t(10,20)
  t(1,2) = 0
end
subroutine two
  common /fields/ t(10,20)
  t(1,2) = 0
end
";
    let now = before.replacen("t(10,20)", "t(20,10)", 1).replacen("t(1,2)", "t(2,1)", 1);
    let comparison = compared(before, &now);
    assert_eq!(lines(&comparison, UseClass::StillOld), [6, 7], "{:?}", told(&comparison));
}

#[test]
fn allocations_and_shapes_name_dimensions() {
    let before = "\
subroutine step(nx, ny)
  integer :: nx, ny, i, j
  real, allocatable :: a(:,:), b(:)
  allocate (a(nx,ny), b(nx*ny))
  do j = 1, ny
    do i = 1, nx
      a(i,j) = b(i)
    end do
  end do
  a = reshape(b, [nx, ny])
end subroutine
";
    let now = before.replace("a(nx,ny)", "a(ny,nx)").replace("a(i,j)", "a(j,i)");
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [10], "{:?}", told(&compared(before, &now)));
    let now = now.replace("[nx, ny]", "[ny, nx]");
    assert!(lines(&compared(before, &now), UseClass::StillOld).is_empty());
    let more = before.replace("a(:,:)", "a(:,:,:)").replace("a(nx,ny)", "a(nx,ny,4)").replace("a(i,j)", "a(i,j,1)");
    assert_eq!(lines(&compared(before, &more), UseClass::StillOld), [10], "{:?}", told(&compared(before, &more)));
}

#[test]
fn components_are_arrays_too() {
    let before = "\
module grids
  type grid
    real :: t(4,5)
  end type
contains
  subroutine fill(g)
    type(grid) :: g
    g%t(1,2) = 0
    g%t(2,3) = 0
  end subroutine
end module
";
    let now = before.replace("t(4,5)", "t(5,4)").replace("t(1,2)", "t(2,1)");
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [9]);
}

#[test]
fn an_interface_body_must_change_with_its_procedure() {
    let before = "\
subroutine step(x)
  real :: x(4,5)
  x(1,2) = 0
end subroutine
program main
  interface
    subroutine step(y)
      real :: y(4,5)
    end subroutine
  end interface
  real :: t(4,5)
  namelist /fields/ t
  call step(t)
end program
";
    let now = before.replace("x(4,5)", "x(5,4)").replace("x(1,2)", "x(2,1)").replace("t(4,5)", "t(5,4)");
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [8], "{:?}", told(&compared(before, &now)));
    let both = now.replace("y(4,5)", "y(5,4)");
    assert_eq!(
        told(&compared(before, &both)).iter().map(|(line, class, _)| (*line, *class)).collect::<Vec<_>>(),
        [(12, UseClass::NotCompared)]
    );
}

#[test]
fn programs_beside_each_other_are_kept_apart() {
    let program = |bounds: &str, index: &str| {
        format!(
            "program main\n  common /fields/ t{bounds}\n  call fill(t)\n  t{index} = 0\nend\n\
             subroutine fill(t)\n  real :: t{bounds}\n  t{index} = 0\nend\n"
        )
    };
    let (one, other) = (program("(10,20)", "(1,2)"), program("(30)", "(3)"));
    let before = snapshot(&[("one/a.f90", &one)]);
    // A second program of the same names is no change of the first.
    let beside = snapshot(&[("one/a.f90", &one), ("other/a.f90", &other)]);
    assert!(told(&compare(before, beside.clone())).is_empty());
    let changed = program("(20,10)", "(1,2)");
    let comparison = compare(beside, snapshot(&[("one/a.f90", &changed), ("other/a.f90", &other)]));
    assert_eq!(lines(&comparison, UseClass::StillOld), [4, 8], "{:?}", told(&comparison));
}

#[test]
fn what_stands_in_a_subscript_is_judged_by_itself() {
    let before = "\
subroutine step(a, map, n)
  integer :: n, map(n), i
  real :: a(10*n)
  do i = 1, n
    a(map(i)+1) = 0
  end do
end subroutine
";
    let now = before.replace("map(n)", "map(n,2)");
    assert_eq!(told(&compared(before, &now)).len(), 1);
    assert!(told(&compared(before, &now.replace("map(i)", "map(i,1)"))).is_empty());
    let slip = now.replace("map(i)+1", "map(i,1)+2");
    assert_eq!(lines(&compared(before, &slip), UseClass::DiffersOtherwise), [5]);
}

#[test]
fn a_layout_that_nothing_tells_is_not_made_up() {
    let before = "\
subroutine step(a, n, m)
  integer :: n, m
  real :: a(n,m,n,m)
  a(1,2,3,4) = 0
end subroutine
";
    let now = before.replace("a(n,m,n,m)", "a(n*m,n*m)").replace("a(1,2,3,4)", "a(n+1,2*n+4)");
    let comparison = compared(before, &now);
    assert_eq!(lines(&comparison, UseClass::NotCompared), [4], "{:?}", told(&comparison));
    assert!(comparison.arrays.iter().all(|array| !array.layout.is_known));
}

#[test]
fn other_names_of_an_array_are_the_array() {
    let before = "\
module grids
  type grid
    real :: t(4,5)
  end type
  interface
    module subroutine fill(x)
      real :: x(4,5)
    end subroutine
  end interface
contains
  subroutine work(g)
    type(grid) :: g
    associate (q => g%t)
      q(1,2) = 0
    end associate
    block
      real :: t(4,5)
      t(1,2) = 0
    end block
  end subroutine
end module
submodule (grids) inner
contains
  module procedure fill
    x(1,2) = 0
    x(2,3) = 0
  end procedure
end submodule
";
    let now = before.replacen("t(4,5)", "t(5,4)", 1).replace("x(4,5)", "x(5,4)").replace("x(1,2)", "x(2,1)");
    assert_eq!(lines(&compared(before, &now), UseClass::StillOld), [14, 26], "{:?}", told(&compared(before, &now)));
}

#[test]
fn what_was_not_understood_is_told() {
    let before = "subroutine step\n  real :: t(4,5)\n  t(1,2) =* 0\n  t(1,2) = 0\nend subroutine\n";
    let now = before.replace("t(4,5)", "t(5,4)").replace("t(1,2) = 0", "t(2,1) = 0");
    let comparison = compared(before, &now);
    assert_eq!(lines(&comparison, UseClass::NotCompared), [3], "{:?}", told(&comparison));
    assert_eq!(comparison.not_understood, 1);
}

/// Of an unchanged file what a change elsewhere can concern is kept, with the loops around it.
#[test]
fn uses_that_no_changed_file_names_are_dropped() {
    let changed =
        Words::new(b"subroutine first\n common /grid/ t(9,9,9), own(3)\nend\nsubroutine paint(x)\n real :: x(9)\nend");
    let text = "subroutine s(own)\n common /grid/ t(9,9), u(3)\n real :: own(9), other(9), local(9)\n do i = 1, 9\n\
                \x20 own(i) = 0\n  other(i) = own(i)\n  t(i,1) = 1\n end do\n call paint(local)\n call draw(other)\nend\n\
                subroutine quiet\n real :: a(9)\n do i = 1, 9\n  a(i) = 0\n end do\nend\n";
    let mut units = snapshot(&[("a.f90", text)]).units;
    keep_concerned(&mut units, &changed);
    let heads = |unit: usize| units[unit].statements.iter().map(|one| &*one.head).collect::<Vec<_>>();
    let unit = |name: &str| units.iter().position(|unit| unit.name == name).expect("recorded");
    assert_eq!(heads(unit("s")), ["do", "t=", "call paint"]);
    assert!(heads(unit("quiet")).is_empty());
    assert_eq!(units[unit("s")].arrays.len(), 5, "declarations stay");
}
