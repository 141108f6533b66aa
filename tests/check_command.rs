//! `camfort-rs check` as a person and a script see it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

mod common;
use common::{Folder, KERNEL};

/// The kernel of the tests below a specification.
fn specified(comment: &str) -> String {
    KERNEL.replace("    b(i)", &format!("    {comment}\n    b(i)"))
}

const RIGHT: &str = "!= stencil readOnce, backward(depth=1, dim=1) :: a";
const WRONG: &str = "!= stencil readOnce, forward(depth=1, dim=1) :: a";

#[test]
fn the_exit_status_says_whether_all_hold() {
    let folder =
        Folder::with(&[("right.f90", &specified(RIGHT)), ("wrong.f90", &specified(WRONG)), ("none.f90", KERNEL)]);
    let ran = folder.run(&["check", "right.f90"]);
    assert_eq!((ran.status, ran.output.as_str()), (0, ""));
    assert_eq!(ran.notes, "1 file with 7 statements: 1 specification, all hold\n");
    assert_eq!(folder.run(&["check", "none.f90"]).notes, "1 file with 7 statements: 0 specifications\n");
    let ran = folder.run(&["check", "."]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.notes, "3 files with 21 statements: 2 specifications, 1 hold; 1 error\n");
    assert_eq!(folder.run(&["check", "missing.f90", "right.f90"]).status, 2);
    assert_eq!(folder.run(&["stencils-check", "right.f90"]).status, 0);
}

#[test]
fn a_wrong_sign_is_shown_at_its_place() {
    let text = "\
subroutine step(t, q, n)
  integer :: n, i, j
  real :: t(n, n), q(n, n), west
  do j = 2, n - 1
    do i = 2, n - 1
      west = t(i+1, j)
      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: t
      q(i, j) = t(i, j) - west
    end do
  end do
end subroutine
";
    let folder = Folder::with(&[("a.f90", text)]);
    insta::assert_snapshot!(folder.run(&["check", "a.f90"]).output);
}

#[test]
fn every_solver_gives_the_same_answer() {
    let folder = Folder::with(&[("wrong.f90", &specified(WRONG))]);
    let outputs: Vec<String> =
        ["z3", "native", "both"].iter().map(|solver| folder.run(&["check", "--solver", solver, "."]).output).collect();
    assert!(outputs[0].contains("S010") && outputs.iter().all(|output| *output == outputs[0]));
    assert_eq!(folder.run(&["check", "--solver", "guess", "."]).status, 2);
}

#[test]
fn fixing_shows_the_change_and_makes_it() {
    let folder = Folder::with(&[("wrong.f90", &specified(WRONG))]);
    let shown = folder.run(&["check", "--diff", "wrong.f90"]);
    assert_eq!(shown.status, 1);
    assert!(shown.output.contains(&format!("-    {WRONG}\n+    {RIGHT}\n")), "{}", shown.output);
    assert!(shown.notes.contains("error[S010]") && shown.notes.ends_with("1 file would be fixed\n"), "{}", shown.notes);
    assert_eq!(folder.text("wrong.f90"), specified(WRONG));
    let fixed = folder.run(&["check", "--fix", "wrong.f90"]);
    assert_eq!((fixed.status, fixed.output.as_str()), (0, shown.output.as_str()));
    assert_eq!(folder.text("wrong.f90"), specified(RIGHT));
    let again = folder.run(&["check", "--fix", "wrong.f90"]);
    assert_eq!((again.status, again.output.as_str()), (0, ""));
    assert!(again.notes.ends_with("nothing to fix\n"));
}

#[test]
fn fixing_changes_no_more_than_the_comments() {
    // A comment over two lines, the line ends of another system, Latin-1 in a neighbour, no end of the last line.
    let original = "      subroutine s(a, b, n)\r\n      real a(n), b(n)\r\nc caf\u{e9}\r\n      do 10 i = 2, n\r\n\
                    c= stencil &\r\nc= & readOnce, pointed(dim=1) :: a\r\n10    b(i) = a(i-1)\r\n      end";
    let latin = |text: &str| text.chars().map(|character| character as u8).collect::<Vec<u8>>();
    let folder = Folder::with(&[]);
    fs::write(folder.path("a.f"), latin(original)).unwrap();
    assert_eq!(folder.run(&["check", "--fix", "--format", "json", "a.f"]).status, 0);
    let fixed = fs::read(folder.path("a.f")).unwrap();
    let right = "c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a";
    let expected = original.replace("c= stencil &\r\nc= & readOnce, pointed(dim=1) :: a", right);
    assert_eq!(fixed, latin(&expected));
}

/// What is fixed, and into what.
#[test]
fn each_fix_is_as_small_as_it_can_be() {
    let fixed = |comments: &str, statement: &str| {
        let text = format!(
            "subroutine s(a, c, b, n)\n  integer :: n, i\n  real :: a(n), c(n), b(n)\n  do i = 2, n - 1\n{comments}    {statement}\n  end do\nend subroutine\n"
        );
        let folder = Folder::with(&[("a.f90", &text)]);
        folder.run(&["check", "--fix", "-q", "--format", "json", "a.f90"]);
        assert_eq!(folder.run(&["check", "a.f90"]).status, 0, "{}", folder.text("a.f90"));
        let after = folder.text("a.f90");
        let (start, end) = (after.find("n - 1\n").unwrap() + 6, after.find(&format!("    {statement}")).unwrap());
        after[start..end].to_owned()
    };
    // Of two arrays one is wrong.
    assert_eq!(
        fixed("    !> STENCIL readOnce, Pointed(dim=1) :: a, c\n", "b(i) = a(i) + c(i+1)"),
        "    !> STENCIL readOnce, Pointed(dim=1) :: a\n    !> stencil readOnce, forward(depth=1, dim=1, nonpointed) :: c\n"
    );
    // Two bounds of one array are replaced together.
    assert_eq!(
        fixed(
            "    != stencil readOnce, atLeast, pointed(dim=1) :: a\n    ! between\n    != stencil readOnce, atMost, backward(depth=1, dim=1) :: a\n",
            "b(i) = a(i) + a(i+1)"
        ),
        "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    ! between\n"
    );
    // The words of an earlier version, what is said twice, what is longer than need be.
    assert_eq!(
        fixed("    != stencil readOnce, reflexive(dim=1) :: a\n", "b(i) = a(i)"),
        "    != stencil readOnce, pointed(dim=1) :: a\n"
    );
    assert_eq!(
        fixed(
            "    != stencil readOnce, pointed(dim=1) :: a\n    != stencil readOnce, pointed(dim=1) :: c, a\n",
            "b(i) = a(i)*c(i)"
        ),
        "    != stencil readOnce, pointed(dim=1) :: a\n    != stencil readOnce, pointed(dim=1) :: c\n"
    );
    assert_eq!(
        fixed(
            "    != stencil readOnce, backward(depth=1, dim=1) + forward(depth=1, dim=1) :: a\n",
            "b(i) = a(i-1) + a(i) + a(i+1)"
        ),
        "    != stencil readOnce, centered(depth=1, dim=1) :: a\n"
    );
    assert_eq!(
        fixed("    != stencil pointed(dim=1) :: a\n", "b(i) = a(i)"),
        "    != stencil readOnce, pointed(dim=1) :: a\n"
    );
    assert_eq!(
        fixed(
            "    != access readOnce, pointed(dim=1) :: a\n    != stencil readOnce, pointed(dim=1) :: c\n",
            "b(i) = a(i)*c(i)"
        ),
        "    != stencil readOnce, pointed(dim=1) :: a\n    != stencil readOnce, pointed(dim=1) :: c\n"
    );
}

#[test]
fn the_number_of_a_line_is_no_part_of_the_program() {
    let text = specified(WRONG).replace("end subroutine", "  if (n < 0) call fail(__LINE__)\nend subroutine");
    let folder = Folder::with(&[("a.F90", &text), ("b.F90", &text.replace(&format!("    {WRONG}\n"), ""))]);
    assert_eq!(folder.run(&["check", "--fix", "a.F90"]).status, 0);
    assert_eq!(folder.run(&["infer", "b.F90"]).status, 0);
    assert_eq!(folder.text("b.F90"), folder.text("a.F90"));
}

#[test]
fn an_inactive_branch_of_an_included_file_is_told_once() {
    let included = format!("#ifdef WIDE\n{}#endif\n", specified(RIGHT));
    let main = "#define WIDE\n#include \"step.F90\"\n#undef WIDE\n#include \"step.F90\"\n#include \"step.inc\"\n";
    let folder = Folder::with(&[("step.F90", &included), ("step.inc", &included), ("main.F90", main)]);
    let places = |arguments: &[&str]| -> Vec<String> {
        let ran = folder.run(&[&["check", "--format", "concise", "-q"], arguments].concat());
        ran.output.lines().map(|line| line.split(" error").next().unwrap().to_owned()).collect()
    };
    // The file that is no file of its own is told where it is included.
    assert_eq!(places(&["."]), ["step.inc:6:8: S009", "./step.F90:6:8: S009"]);
    assert_eq!(places(&["main.F90"]), ["step.F90:6:8: S009", "step.inc:6:8: S009"]);
}

#[test]
fn standard_input_is_filtered() {
    let folder = Folder::with(&[]);
    let fixed = folder.run_with_input(&["check", "--fix", "-", "--stdin-filename", "a.f90"], &specified(WRONG));
    assert_eq!((fixed.status, fixed.output), (0, specified(RIGHT)));
    let unchanged = folder.run_with_input(&["check", "--fix", "-", "--stdin-filename", "a.f90"], KERNEL);
    assert_eq!((unchanged.status, unchanged.output.as_str()), (0, KERNEL));
    assert_eq!(folder.run_with_input(&["check", "--fix", "--format", "json", "-"], KERNEL).status, 2);
    let checked = folder.run_with_input(&["check", "-", "--stdin-filename", "a.f90"], &specified(WRONG));
    assert!(checked.status == 1 && checked.output.contains("a.f90:6:5"), "{}", checked.output);
}

#[test]
fn missing_specifications_are_asked_for_and_inserted() {
    let folder = Folder::with(&[("a.f90", KERNEL), ("plain.f90", &KERNEL.replace("a(i) + a(i-1)", "a(i)"))]);
    assert_eq!(folder.run(&["check", "."]).status, 0);
    let all = folder.run(&["check", "--require", "all", "--format", "concise", "."]);
    let found: Vec<&str> = all.output.lines().map(|line| line.split_once("; ").unwrap().0).collect();
    let expected = "S020 error: No specification for 'a'";
    assert_eq!(found, [format!("./a.f90:5:5: {expected}"), format!("./plain.f90:5:5: {expected}")]);
    let some = folder.run(&["check", "--require", "nontrivial", "--format", "concise", "."]);
    assert!(some.status == 1 && some.output.lines().count() == 1, "{}", some.output);
    assert_eq!(folder.run(&["check", "--require", "all", "--fix", "."]).status, 0);
    assert_eq!(folder.text("a.f90"), specified(RIGHT));
}

#[test]
fn severities_are_a_matter_of_configuration() {
    let comment = "!= stencil backward(depth=1, dim=1) :: a";
    let folder = Folder::with(&[("a.f90", &specified(comment)), ("camfort.toml", "[rules]\nS011 = \"warning\"\n")]);
    let ran = folder.run(&["check", "a.f90"]);
    assert!(ran.status == 0 && ran.output.starts_with("warning[S011]"), "{}", ran.output);
    assert_eq!(folder.run(&["check", "--error-on-warning", "a.f90"]).status, 1);
    fs::write(folder.path("camfort.toml"), "require = \"all\"\n[rules]\nmissing-read-once = \"off\"\n").unwrap();
    assert_eq!(folder.run(&["check", "a.f90"]).output, "");
    let table = folder.run(&["check", "--statistics", "--config", "none.toml", "a.f90"]);
    assert_eq!(table.status, 2);
    fs::remove_file(folder.path("camfort.toml")).unwrap();
    let table = folder.run(&["check", "--statistics", "a.f90"]);
    assert!(table.notes.contains("1  S011  missing-read-once"), "{}", table.notes);
}

#[test]
fn what_cannot_be_written_is_told_and_left() {
    let folder = Folder::with(&[("a.f90", &specified(WRONG)), ("b.f90", &specified(WRONG))]);
    let mut permissions = fs::metadata(folder.path("a.f90")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("a.f90"), permissions).unwrap();
    let ran = folder.run(&["check", "--fix", "."]);
    assert!(ran.status == 2 && ran.notes.contains("a.f90"), "{}", ran.notes);
    assert_eq!((folder.text("a.f90"), folder.text("b.f90")), (specified(WRONG), specified(RIGHT)));
}
