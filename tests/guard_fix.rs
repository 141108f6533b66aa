//! What `camfort-rs guard` does with specification comments and region variables that a change of layouts makes old.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

mod common;
use common::{Folder, Ran};

/// A program before and now, each some files.
struct Refactoring(Folder);

impl Refactoring {
    fn of(files: &[(&str, &str, &str)]) -> Self {
        let named = files.iter().flat_map(|(name, before, now)| {
            [(format!("before/{name}"), (*before).to_owned()), (format!("now/{name}"), (*now).to_owned())]
        });
        let named: Vec<(String, String)> = named.collect();
        let named: Vec<(&str, &str)> = named.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Refactoring(Folder::with(&named))
    }

    fn guard(&self, options: &[&str]) -> Ran {
        let format: &[&str] = if options.contains(&"--format") { &[] } else { &["--format", "concise"] };
        let arguments = [&["guard", "--base", "before", "now"], format, options].concat();
        self.0.run(&arguments)
    }

    /// The lines that `--fix` takes out and puts in. Before that `--diff` shows the same and writes nothing; after it
    /// nothing is left to do, and `check` and `guard` are clean.
    fn fixed(&self, files: &[&str]) -> String {
        let path = |file: &&str| format!("now/{file}");
        let before: Vec<String> = files.iter().map(|file| self.0.text(&path(file))).collect();
        let shown = self.guard(&["--diff"]);
        assert_eq!(before, files.iter().map(|file| self.0.text(&path(file))).collect::<Vec<_>>());
        let fixed = self.guard(&["--fix"]);
        assert_eq!(fixed.status, 0, "{}{}", fixed.output, fixed.notes);
        let changed = lines_changed(&fixed.output);
        assert_eq!(changed, lines_changed(&shown.output));
        let after: Vec<String> = files.iter().map(|file| self.0.text(&path(file))).collect();
        let again = self.guard(&["--fix"]);
        assert_eq!(again.status, 0);
        assert!(again.notes.contains("no specification to rewrite"), "{}", again.notes);
        assert_eq!(after, files.iter().map(|file| self.0.text(&path(file))).collect::<Vec<_>>());
        let guarded = self.guard(&[]);
        assert!(guarded.status == 0 && !guarded.output.contains("G007"), "{}", guarded.output);
        let checked = self.0.run(&["check", "now"]);
        assert_eq!((checked.status, checked.output.as_str()), (0, ""), "{after:?}");
        changed
    }

    /// What is told of comments.
    fn told(&self, options: &[&str]) -> Vec<String> {
        self.guard(options).output.lines().filter(|line| line.contains("G007")).map(str::to_owned).collect()
    }
}

/// The changed lines of a unified diff, without the blanks before them.
fn lines_changed(diff: &str) -> String {
    let is_change = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    diff.lines().filter(is_change).map(|line| format!("{}{}\n", &line[..1], line[1..].trim_start())).collect()
}

/// A loop over two dimensions.
fn program(declared: &str, above: &str, comments: &str, statement: &str) -> String {
    format!(
        "subroutine step(t, u, b, nx, ny, nz)\n  integer :: nx, ny, nz, i, j\n  real :: {declared}, b(nx,ny)\n{above}  do j = 2, ny - 1\n    do i = 2, nx - 1\n{comments}      {statement}\n    end do\n  end do\nend subroutine\n"
    )
}

const ROW: &str = "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t\n";

#[test]
fn the_comment_of_a_statement_that_follows_gets_the_inferred_specification() {
    let before = program("t(nx,ny)", "", ROW, "b(i,j) = t(i,j) - t(i-1,j)");
    let old = "-!= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t\n";
    let to = |declared: &str, statement: &str| {
        let now = program(declared, "", ROW, statement);
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"])
    };
    assert_eq!(
        to("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)"),
        format!("{old}+!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n")
    );
    assert_eq!(
        to("t(nz,nx,ny)", "b(i,j) = t(1,i,j) - t(1,i-1,j)"),
        format!("{old}+!= stencil readOnce, backward(depth=1, dim=2)*pointed(dim=3) :: t\n")
    );
    // A dimension that is gone.
    assert_eq!(
        to("t(nx)", "b(i,j) = t(i) - t(i-1)"),
        format!("{old}+!= stencil readOnce, backward(depth=1, dim=1) :: t\n")
    );
    // A lower bound, and the loop as it was.
    assert_eq!(
        to("t(0:nx-1,ny)", "b(i,j) = t(i-1,j) - t(i-2,j)"),
        format!("{old}+!= stencil readOnce, backward(depth=2, dim=1, nonpointed)*pointed(dim=2) :: t\n")
    );
    // What is wrong otherwise is not made right by the comment.
    let now = program("t(ny,nx)", "", ROW, "b(i,j) = t(j,i) - t(j,i+1)");
    let wrong = Refactoring::of(&[("a.f90", &before, &now)]);
    assert_eq!(wrong.told(&[]), [""; 0]);
    assert_eq!(wrong.guard(&["--fix"]).status, 1);
    assert_eq!(wrong.0.text("now/a.f90"), now);
}

#[test]
fn what_flows_to_a_statement_must_follow_too() {
    let comments = "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t\n";
    let text = |declared: &str, first: &str, second: &str| {
        program(declared, "", &format!("      west = {first}\n{comments}"), &format!("b(i,j) = {second} - west"))
    };
    let before = text("t(nx,ny), west", "t(i-1,j)", "t(i,j)");
    let half = Refactoring::of(&[("a.f90", &before, &text("t(ny,nx), west", "t(i-1,j)", "t(j,i)"))]);
    assert_eq!(half.told(&[]), [""; 0]);
    assert_eq!(half.guard(&["--diff"]).output, "");
    let whole = Refactoring::of(&[("a.f90", &before, &text("t(ny,nx), west", "t(j,i-1)", "t(j,i)"))]);
    assert!(
        whole
            .fixed(&["a.f90"])
            .ends_with("+!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n")
    );
}

#[test]
fn of_several_arrays_only_those_that_changed_are_rewritten() {
    let comments = "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t, u\n";
    let before = program("t(nx,ny), u(nx,ny)", "", comments, "b(i,j) = t(i,j) - t(i-1,j) + u(i,j) - u(i-1,j)");
    let now = program("t(ny,nx), u(nx,ny)", "", comments, "b(i,j) = t(j,i) - t(j,i-1) + u(i,j) - u(i-1,j)");
    assert_eq!(
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"]),
        "-!= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t, u\n\
         +!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n\
         +!= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: u\n"
    );
}

#[test]
fn what_is_wrong_with_an_array_that_did_not_change_is_left_to_check() {
    let comments = "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t, u\n";
    let before = program("t(nx,ny), u(nx,ny)", "", comments, "b(i,j) = t(i,j) - t(i-1,j) + u(i,j)");
    let now = program("t(ny,nx), u(nx,ny)", "", comments, "b(i,j) = t(j,i) - t(j,i-1) + u(i,j)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now)]);
    assert_eq!(
        lines_changed(&refactoring.guard(&["--diff"]).output),
        "-!= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t, u\n\
         +!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n\
         +!= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: u\n"
    );
}

#[test]
fn two_bounds_are_rewritten_together() {
    let comments = "      != stencil readOnce, atLeast, backward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: t\n      \
                    != stencil readOnce, atMost, backward(depth=3, dim=1, nonpointed)*pointed(dim=2) :: t\n";
    let before = program("t(nx,ny)", "", comments, "b(i,j) = t(i-1,j) - t(i-3,j)");
    let now = program("t(ny,nx)", "", comments, "b(i,j) = t(j,i-1) - t(j,i-3)");
    assert_eq!(
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"]),
        "-!= stencil readOnce, atLeast, backward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: t\n\
         -!= stencil readOnce, atMost, backward(depth=3, dim=1, nonpointed)*pointed(dim=2) :: t\n\
         +!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2, nonpointed) + \
         pointed(along=2, dim=1)*shifted(along=1, by=-3, dim=2) :: t\n"
    );
}

#[test]
fn fixed_form_and_comments_over_several_lines_keep_their_signs() {
    let text = |declared: &str, statement: &str| {
        format!(
            "      subroutine s(t, b, nx, ny)\r\n      integer nx, ny, i, j\r\n      real {declared}, b(nx,ny)\r\n      do 10 j = 1, ny\r\n      do 10 i = 2, nx\r\nC= stencil readOnce, &\r\nC= &  backward(depth=1, dim=1)*pointed(dim=2) :: t\r\n10    b(i,j) = {statement}\r\n      end\r\n"
        )
    };
    let before = text("t(nx,ny)", "t(i,j) - t(i-1,j)");
    let refactoring = Refactoring::of(&[("a.f", &before, &text("t(ny,nx)", "t(j,i) - t(j,i-1)"))]);
    refactoring.fixed(&["a.f"]);
    let expected = text("t(ny,nx)", "t(j,i) - t(j,i-1)").replace(
        "C= stencil readOnce, &\r\nC= &  backward(depth=1, dim=1)*pointed(dim=2) :: t\r\n",
        "C= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\r\n",
    );
    assert_eq!(refactoring.0.text("now/a.f"), expected);
}

const REGION: &str = "  != region :: r = backward(depth=1, dim=1)*pointed(dim=2)\n";
const NAMED: &str = "      != stencil readOnce, r :: t\n";

#[test]
fn a_region_variable_is_renumbered_if_all_that_name_it_follow() {
    let before = program("t(nx,ny)", REGION, NAMED, "b(i,j) = t(i,j) - t(i-1,j)");
    let to = |declared: &str, statement: &str| {
        let now = program(declared, REGION, NAMED, statement);
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"])
    };
    let old = "-!= region :: r = backward(depth=1, dim=1)*pointed(dim=2)\n";
    assert_eq!(
        to("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)"),
        format!("{old}+!= region :: r = pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2)\n")
    );
    // A new dimension, constant or beside the left side.
    assert_eq!(
        to("t(nz,nx,ny)", "b(i,j) = t(1,i,j) - t(1,i-1,j)"),
        format!("{old}+!= region :: r = backward(depth=1, dim=2)*pointed(dim=3)\n")
    );
    assert_eq!(
        to("t(nx,ny,ny)", "b(i,j) = t(i,j,j) - t(i-1,j,j)"),
        format!("{old}+!= region :: r = backward(depth=1, dim=1)*pointed(dim=2)*pointed(along=2, dim=3)\n")
    );
    assert_eq!(to("t(nx)", "b(i,j) = t(i) - t(i-1)"), format!("{old}+!= region :: r = backward(depth=1, dim=1)\n"));
}

#[test]
fn regions_in_terms_of_each_other_are_renumbered_together() {
    let regions = "  != region :: back = backward(depth=1, dim=1)\n  != region :: here = pointed(dim=2)\n  \
                   != region :: r = back*here + pointed(dim=1)*backward(depth=1, dim=2)\n";
    let comments = "      != stencil readOnce, r :: t\n      != stencil readOnce, back*pointed(dim=2) :: u\n";
    let before =
        program("t(nx,ny), u(nx,ny)", regions, comments, "b(i,j) = t(i,j) - t(i-1,j) + t(i,j-1) + u(i,j) + u(i-1,j)");
    let now = program(
        "t(nx,ny,ny), u(nx,ny,ny)",
        regions,
        comments,
        "b(i,j) = t(i,j,j) - t(i-1,j,j) + t(i,j-1,j) + u(i,j,j) + u(i-1,j,j)",
    );
    assert_eq!(
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"]),
        "-!= region :: back = backward(depth=1, dim=1)\n\
         -!= region :: here = pointed(dim=2)\n\
         -!= region :: r = back*here + pointed(dim=1)*backward(depth=1, dim=2)\n\
         +!= region :: back = backward(depth=1, dim=1)*pointed(along=2, dim=3)\n\
         +!= region :: here = pointed(dim=2)*pointed(along=2, dim=3)\n\
         +!= region :: r = back*here + pointed(dim=1)*backward(depth=1, dim=2)*pointed(along=2, dim=3)\n"
    );
    // The constants beside a region variable change with it.
    let swapped =
        program("t(ny,nx), u(ny,nx)", regions, comments, "b(i,j) = t(j,i) - t(j,i-1) + t(j-1,i) + u(j,i) + u(j,i-1)");
    assert_eq!(
        Refactoring::of(&[("a.f90", &before, &swapped)]).fixed(&["a.f90"]),
        "-!= region :: back = backward(depth=1, dim=1)\n\
         -!= region :: here = pointed(dim=2)\n\
         -!= region :: r = back*here + pointed(dim=1)*backward(depth=1, dim=2)\n\
         +!= region :: back = backward(along=1, depth=1, dim=2)\n\
         +!= region :: here = pointed(along=2, dim=1)\n\
         +!= region :: r = back*here + backward(along=2, depth=1, dim=1)*pointed(along=1, dim=2)\n\
         -!= stencil readOnce, back*pointed(dim=2) :: u\n\
         +!= stencil readOnce, back*pointed(along=2, dim=1) :: u\n"
    );
}

#[test]
fn a_region_variable_stays_if_something_that_names_it_did_not_change() {
    let comments = "      != stencil readOnce, r :: t, u\n";
    let before = program("t(nx,ny), u(nx,ny)", REGION, comments, "b(i,j) = t(i,j) - t(i-1,j) + u(i,j) - u(i-1,j)");
    let now = program("t(ny,nx), u(nx,ny)", REGION, comments, "b(i,j) = t(j,i) - t(j,i-1) + u(i,j) - u(i-1,j)");
    assert_eq!(
        Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"]),
        "-!= stencil readOnce, r :: t, u\n\
         +!= stencil readOnce, r :: u\n\
         +!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n"
    );
    // Both changed, and not in the same way.
    let now = program("t(ny,nx), u(nz,nx,ny)", REGION, comments, "b(i,j) = t(j,i) - t(j,i-1) + u(1,i,j) - u(1,i-1,j)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now)]);
    assert_eq!(
        lines_changed(&refactoring.guard(&["--fix"]).output),
        "-!= stencil readOnce, r :: t, u\n\
         +!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n\
         +!= stencil readOnce, backward(depth=1, dim=2)*pointed(dim=3) :: u\n"
    );
}

#[test]
fn indices_that_moved_leave_a_region_variable_as_it_is() {
    let before = program("t(nx,ny)", REGION, NAMED, "b(i,j) = t(i,j) - t(i-1,j)");
    // With the loop, nothing is old.
    let now =
        before.replace("t(nx,ny), b(nx,ny)", "t(0:nx-1,ny), b(0:nx-1,ny)").replace("i = 2, nx - 1", "i = 1, nx - 2");
    assert_ne!(now, before);
    assert_eq!(Refactoring::of(&[("a.f90", &before, &now)]).told(&[]), [""; 0]);
    // Without it the region is another one, which the declaration can't become by renumbering.
    let now = program("t(0:nx-1,ny)", REGION, NAMED, "b(i,j) = t(i-1,j) - t(i-2,j)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now)]);
    assert_eq!(
        lines_changed(&refactoring.guard(&["--fix"]).output),
        "-!= stencil readOnce, r :: t\n\
         +!= stencil readOnce, backward(depth=2, dim=1, nonpointed)*pointed(dim=2) :: t\n"
    );
}

#[test]
fn a_region_variable_of_which_nothing_is_left_is_told() {
    let region = "  != region :: r = backward(depth=1, dim=2, nonpointed)\n";
    let named = "      != stencil readOnce, r*pointed(dim=1) :: t\n";
    let before = program("t(nx,ny)", region, named, "b(i,j) = t(i,j-1)");
    let now = program("t(nx)", region, named, "b(i,j) = t(i)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now)]);
    let told = refactoring.told(&[]);
    assert!(told.iter().any(|line| line.contains("nothing is left of region variable 'r'")), "{told:?}");
    assert_eq!(
        lines_changed(&refactoring.guard(&["--fix"]).output),
        "-!= stencil readOnce, r*pointed(dim=1) :: t\n+!= stencil readOnce, pointed(dim=1) :: t\n"
    );
    assert_eq!(refactoring.0.run(&["check", "now", "--format", "concise"]).output.lines().count(), 1);
}

#[test]
fn a_specification_that_has_nothing_left_to_say_is_told_and_not_edited() {
    let comments = "      != stencil readOnce, pointed(dim=2) :: t\n";
    let before = program("t(nx,ny)", "", comments, "b(i,j) = t(1,j)");
    let now = program("t(nx)", "", comments, "b(i,j) = t(1)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now)]);
    assert_eq!(refactoring.told(&["--fix"]).len(), 1);
    assert!(refactoring.guard(&["--format", "full"]).output.contains("no specification can say what is read now"));
    assert_eq!(refactoring.0.text("now/a.f90"), now);
}

const MODULE: &str =
    "module shapes\n  implicit none\n  != region :: r = backward(depth=1, dim=1)*pointed(dim=2)\nend module\n";

/// A program that uses the module.
fn using(declared: &str, statement: &str) -> String {
    program(declared, "", NAMED, statement).replace("nz)\n", "nz)\n  use shapes\n")
}

#[test]
fn a_region_variable_of_a_module_is_renumbered_for_all_files() {
    let before = using("t(nx,ny)", "b(i,j) = t(i,j) - t(i-1,j)");
    let now = using("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)");
    let other = |text: &str| text.replace("step", "other");
    let files = [("m.f90", MODULE, MODULE), ("a.f90", &before, &now), ("b.f90", &other(&before), &other(&now))];
    assert_eq!(
        Refactoring::of(&files).fixed(&["a.f90", "b.f90", "m.f90"]),
        "-!= region :: r = backward(depth=1, dim=1)*pointed(dim=2)\n\
         +!= region :: r = pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2)\n"
    );
    // A third file, which did not change and shares no name with the change but the module's.
    let unchanged = "subroutine third(p, q, k)\n  use shapes\n  integer :: k, l, m\n  real :: p(k,k), q(k,k)\n  do l = 1, k\n    do m = 2, k\n      != stencil readOnce, r :: p\n      q(m,l) = p(m,l) - p(m-1,l)\n    end do\n  end do\nend subroutine\n";
    let files = [files.as_slice(), &[("c.f90", unchanged, unchanged)]].concat();
    let expanded = "-!= stencil readOnce, r :: t\n+!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t\n";
    assert_eq!(Refactoring::of(&files).fixed(&["a.f90", "b.f90", "c.f90", "m.f90"]), expanded.repeat(2));
}

#[test]
fn components_are_followed_and_a_lock_file_is_as_good_as_the_sources() {
    let text = |declared: &str, first: &str, second: &str| {
        format!(
            "module shapes\n  type grid\n    real :: {declared}\n  end type\n{REGION}contains\n  subroutine step(g, b, w)\n    type(grid) :: g\n    real :: b(10,20), w\n    integer :: i, j\n    != stencil readOnce, r :: t\n    do j = 1, 20\n      do i = 2, 10\n        w = g%{first}\n        b(i,j) = w - g%{second}\n      end do\n    end do\n    do concurrent (j = 1:20, i = 2:10)\n      != stencil readOnce, r :: g%t\n      if (w > 0) b(i,j) = g%{first} - g%{second}\n    end do\n  end subroutine\nend module\n"
        )
    };
    let before = text("t(10,20)", "t(i,j)", "t(i-1,j)");
    let folder = Folder::with(&[("src/a.f90", &before)]);
    assert_eq!(folder.run(&["check", "src"]).status, 0);
    assert_eq!(folder.run(&["guard", "--save", "src/arrays.lock", "src"]).status, 0);
    fs::write(folder.path("src/a.f90"), text("t(20,10)", "t(j,i)", "t(j,i-1)")).unwrap();
    assert_eq!(folder.run(&["check", "src"]).status, 1);
    let fixed = folder.run(&["guard", "--base", "src/arrays.lock", "--fix", "src"]);
    assert_eq!(
        lines_changed(&fixed.output),
        "-!= region :: r = backward(depth=1, dim=1)*pointed(dim=2)\n\
         +!= region :: r = pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2)\n"
    );
    assert_eq!(folder.run(&["check", "src"]).status, 0);
}

#[test]
fn a_half_done_refactoring_leaves_the_region_variable() {
    let before = using("t(nx,ny)", "b(i,j) = t(i,j) - t(i-1,j)");
    let now = using("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)");
    let other = |text: &str| text.replace("step", "other");
    let half = other(&before).replace("t(nx,ny), b", "t(ny,nx), b");
    let files = [("m.f90", MODULE, MODULE), ("a.f90", &before, &now), ("b.f90", &other(&before), &half)];
    let refactoring = Refactoring::of(&files);
    assert_eq!(refactoring.guard(&["--fix"]).status, 1);
    assert_eq!(refactoring.0.text("now/m.f90"), MODULE);
    assert_eq!(refactoring.0.text("now/b.f90"), half);
}

#[test]
fn what_is_included_or_comes_from_a_macro_is_told_and_not_edited() {
    let body = |statement: &str| {
        format!("  do j = 2, ny - 1\n    do i = 2, nx - 1\n{ROW}      {statement}\n    end do\n  end do\n")
    };
    let host = |declared: &str| {
        format!(
            "subroutine step(t, b, nx, ny)\n  integer :: nx, ny, i, j\n  real :: {declared}, b(nx,ny)\n  include 'body.inc'\nend subroutine\n"
        )
    };
    let now = body("b(i,j) = t(j,i) - t(j,i-1)");
    let refactoring = Refactoring::of(&[
        ("a.f90", &host("t(nx,ny)"), &host("t(ny,nx)")),
        ("body.inc", &body("b(i,j) = t(i,j) - t(i-1,j)"), &now),
    ]);
    let told = refactoring.told(&["--fix"]);
    assert!(matches!(told.as_slice(), [line] if line.contains("body.inc")), "{told:?}");
    assert!(refactoring.guard(&[]).output.contains("pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t"));
    assert_eq!(refactoring.0.text("now/body.inc"), now);
    assert_eq!(refactoring.0.text("now/a.f90"), host("t(ny,nx)"));

    let text =
        |declared: &str, statement: &str| format!("#define STEP {statement}\n{}", program(declared, "", ROW, "STEP"));
    let now = text("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)");
    let refactoring = Refactoring::of(&[("a.F90", &text("t(nx,ny)", "b(i,j) = t(i,j) - t(i-1,j)"), &now)]);
    refactoring.guard(&["--fix"]);
    assert_eq!(refactoring.0.text("now/a.F90"), now);
}

#[test]
fn a_declaration_in_an_included_file_is_told_with_its_new_text() {
    let text = |declared: &str, statement: &str| program(declared, "  include 'r.inc'\n", NAMED, statement);
    let before = text("t(nx,ny)", "b(i,j) = t(i,j) - t(i-1,j)");
    let now = text("t(ny,nx)", "b(i,j) = t(j,i) - t(j,i-1)");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now), ("r.inc", REGION, REGION)]);
    let told = refactoring.told(&["--fix"]);
    assert!(matches!(told.as_slice(), [line] if line.contains("r.inc")), "{told:?}");
    assert!(told[0].contains("region :: r = pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2)"), "{told:?}");
    assert_eq!((refactoring.0.text("now/a.f90"), refactoring.0.text("now/r.inc")), (now, REGION.to_owned()));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_holds_up_no_other() {
    let before = program("t(nx,ny)", "", ROW, "b(i,j) = t(i,j) - t(i-1,j)");
    let now = program("t(ny,nx)", "", ROW, "b(i,j) = t(j,i) - t(j,i-1)");
    let other = |text: &str| text.replace("step", "other");
    let refactoring = Refactoring::of(&[("a.f90", &before, &now), ("b.f90", &other(&before), &other(&now))]);
    let path = refactoring.0.path("now/a.f90");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let ran = refactoring.guard(&["--fix"]);
    assert_eq!(ran.status, 2);
    assert!(ran.notes.contains("a.f90' is read-only"), "{}", ran.notes);
    assert_eq!(refactoring.0.text("now/a.f90"), now);
    assert!(refactoring.0.text("now/b.f90").contains("pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t"));
}

#[test]
fn two_arrays_of_one_statement_are_rewritten_at_once() {
    let comments = format!("{ROW}{}", ROW.replace(":: t", ":: u"));
    let before = program("t(nx,ny), u(nx,ny)", "", &comments, "b(i,j) = t(i,j) - t(i-1,j) + u(i,j) - u(i-1,j)");
    let now = program("t(ny,nx), u(ny,nx)", "", &comments, "b(i,j) = t(j,i) - t(j,i-1) + u(j,i) - u(j,i-1)");
    let fixed = Refactoring::of(&[("a.f90", &before, &now)]).fixed(&["a.f90"]);
    assert!(
        fixed.ends_with("+!= stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: t, u\n")
    );
    assert_eq!(fixed.matches("+!=").count(), 1, "{fixed}");
}
