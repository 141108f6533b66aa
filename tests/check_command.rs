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
    let shown = folder.run(&["check", "--diff", "--unsafe-fixes", "wrong.f90"]);
    assert_eq!(shown.status, 1);
    assert!(shown.output.contains(&format!("-    {WRONG}\n+    {RIGHT}\n")), "{}", shown.output);
    assert!(shown.notes.contains("error[S010]") && shown.notes.ends_with("1 file would be fixed\n"), "{}", shown.notes);
    assert_eq!(folder.text("wrong.f90"), specified(WRONG));
    let fixed = folder.run(&["check", "--fix", "--unsafe-fixes", "wrong.f90"]);
    assert_eq!((fixed.status, fixed.output.as_str()), (0, shown.output.as_str()));
    assert_eq!(folder.text("wrong.f90"), specified(RIGHT));
    let again = folder.run(&["check", "--fix", "--unsafe-fixes", "wrong.f90"]);
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
    assert_eq!(folder.run(&["check", "--fix", "--unsafe-fixes", "--format", "json", "a.f"]).status, 0);
    let fixed = fs::read(folder.path("a.f")).unwrap();
    let right = "c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a";
    let expected = original.replace("c= stencil &\r\nc= & readOnce, pointed(dim=1) :: a", right);
    assert_eq!(fixed, latin(&expected));
}

#[test]
fn without_being_asked_only_what_is_safe_is_fixed() {
    let text = specified("!= stencil readOnce, reflexive(dim=1) :: a");
    let folder = Folder::with(&[("a.f90", &text), ("b.f90", &specified("!= stencil backward(depth=1, dim=1) :: a"))]);
    let ran = folder.run(&["check", "--fix", "."]);
    assert!(ran.notes.ends_with("1 finding could be fixed with --unsafe-fixes\n2 files fixed\n"), "{}", ran.notes);
    // Of one comment what is safe is done, and the rest left.
    assert_eq!(folder.text("a.f90"), specified("!= stencil readOnce, pointed(dim=1) :: a"));
    assert_eq!(folder.text("b.f90"), specified(RIGHT));
    assert_eq!(folder.run(&["check", "--unsafe-fixes", "."]).status, 2);
    assert_eq!(folder.run(&["check", "--fix", "--unsafe-fixes", "."]).status, 0);
    assert_eq!(folder.text("a.f90"), specified(RIGHT));
}

#[test]
fn code_is_repaired_where_there_is_one_way_and_it_is_asked_for() {
    let folder = Folder::with(&[("a.f90", &specified(WRONG).replace("a(i-1)", "0*n + a( i - 1 )"))]);
    let shown = folder.run(&["check", "--diff", "--fix-code", "a.f90"]);
    assert!(
        shown.output.contains("-    b(i) = a(i) + 0*n + a( i - 1 )\n+    b(i) = a(i) + 0*n + a(i+1)\n"),
        "{}",
        shown.output
    );
    let ran = folder.run(&["check", "--fix", "--fix-code", "a.f90"]);
    assert_eq!((ran.status, ran.output), (0, shown.output), "{}", ran.notes);
    // Without a repair, or with several, the code stays.
    let several = "subroutine s(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  do i = 3, n - 2\n\
                   != stencil readOnce, centered(depth=1, dim=1) :: a\n    b(i) = a(i-2) + a(i+2) + a(i)\n  end do\nend\n";
    let folder = Folder::with(&[("a.f90", several)]);
    let ran = folder.run(&["check", "--fix", "--fix-code", "a.f90"]);
    assert_eq!((ran.status, folder.text("a.f90").as_str()), (1, several), "{}", ran.output);
}

/// What is fixed, and into what.
#[test]
fn each_fix_is_as_small_as_it_can_be() {
    let fixed = |comments: &str, statement: &str| {
        let text = format!(
            "subroutine s(a, c, b, n)\n  integer :: n, i\n  real :: a(n), c(n), b(n)\n  do i = 2, n - 1\n{comments}    {statement}\n  end do\nend subroutine\n"
        );
        let folder = Folder::with(&[("a.f90", &text)]);
        folder.run(&["check", "--fix", "--unsafe-fixes", "-q", "--format", "json", "a.f90"]);
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
    // A dimension that the array has not; two bounds with one; the same beside what is right.
    let rank_2 = "backward(depth=1, dim=1)*pointed(dim=2)";
    let rank_1 = "    != stencil readOnce, backward(depth=1, dim=1) :: a\n";
    assert_eq!(
        fixed(&format!("    != stencil readOnce, {rank_2} :: a, c\n"), "b(i) = a(i) + a(i-1) + c(i)"),
        format!("{rank_1}    != stencil readOnce, pointed(dim=1) :: c\n")
    );
    let bounds = format!(
        "    != stencil readOnce, atLeast, {rank_2} :: a\n    ! between\n    != stencil readOnce, atMost, {rank_2} :: a\n"
    );
    assert_eq!(fixed(&bounds, "b(i) = a(i) + a(i-1)"), format!("{rank_1}    ! between\n"));
    let beside = format!("    != stencil readOnce, {rank_2} :: a\n{rank_1}");
    assert_eq!(fixed(&beside, "b(i) = a(i) + a(i-1)"), rank_1);
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
        "    != stencil readOnce, pointed(dim=1) :: a, c\n"
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
        "    != stencil readOnce, pointed(dim=1) :: a, c\n"
    );
    // Groups are as they would be inferred, unless a person has put them in other words.
    let unsorted =
        "    != stencil readOnce, pointed(dim=1) :: c\n    ! between\n    != access readOnce, pointed(dim=1) :: a\n";
    assert_eq!(
        fixed(unsorted, "b(i) = a(i-1)*c(i)"),
        "    != stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a\n    ! between\n    != stencil readOnce, pointed(dim=1) :: c\n"
    );
    assert_eq!(
        fixed(&unsorted.replace("pointed(dim=1) :: c", "pointed( dim=1 ) :: c"), "b(i) = a(i)*c(i)"),
        unsorted.replace("pointed(dim=1) :: c", "pointed( dim=1 ) :: c").replace("access", "stencil")
    );
}

#[test]
fn the_number_of_a_line_is_no_part_of_the_program() {
    let text = specified(WRONG).replace("end subroutine", "  if (n < 0) call fail(__LINE__)\nend subroutine");
    let folder = Folder::with(&[("a.F90", &text), ("b.F90", &text.replace(&format!("    {WRONG}\n"), ""))]);
    assert_eq!(folder.run(&["check", "--fix", "--unsafe-fixes", "a.F90"]).status, 0);
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
    // Main holds the active one and that of the inactive inc; step.F90 its own.
    let notes = folder.run(&["check", "."]).notes;
    assert!(notes.ends_with(": 3 specifications, 1 hold; 2 errors\n"), "{notes}");
}

#[test]
fn standard_input_is_filtered() {
    let folder = Folder::with(&[]);
    let fixed = folder
        .run_with_input(&["check", "--fix", "--unsafe-fixes", "-", "--stdin-filename", "a.f90"], &specified(WRONG));
    assert_eq!((fixed.status, fixed.output), (0, specified(RIGHT)));
    let unchanged =
        folder.run_with_input(&["check", "--fix", "--unsafe-fixes", "-", "--stdin-filename", "a.f90"], KERNEL);
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
fn whoever_fails_for_a_warning_says_it_however_quiet() {
    let folder = Folder::with(&[("a.f90", "x = +*\nend\n")]);
    let quiet = folder.run(&["check", "-q", "a.f90"]);
    assert_eq!((quiet.status, quiet.output.as_str(), quiet.notes.as_str()), (0, "", ""));
    let strict = folder.run(&["check", "-q", "--error-on-warning", "a.f90"]);
    assert!(strict.status == 1 && strict.output.starts_with("warning[F001]"), "{}{}", strict.output, strict.notes);
}

#[test]
fn what_cannot_be_written_is_told_and_left() {
    let folder = Folder::with(&[("a.f90", &specified(WRONG)), ("b.f90", &specified(WRONG))]);
    let mut permissions = fs::metadata(folder.path("a.f90")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("a.f90"), permissions).unwrap();
    let ran = folder.run(&["check", "--fix", "--unsafe-fixes", "."]);
    assert!(ran.status == 2 && ran.notes.contains("a.f90"), "{}", ran.notes);
    // Nothing is told of a change that was not made.
    assert!(ran.output.contains("+++ b/b.f90") && !ran.output.contains("+++ b/a.f90"), "{}", ran.output);
    assert!(ran.notes.ends_with("1 file fixed\n") && ran.output.contains("S010"), "{}{}", ran.output, ran.notes);
    assert_eq!((folder.text("a.f90"), folder.text("b.f90")), (specified(WRONG), specified(RIGHT)));
}

/// What becomes of comments when they are fixed with a configuration.
fn fixed_with(comments: &str, statement: &str, config: &str) -> String {
    let before = "subroutine s(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  do i = 2, n - 1\n";
    let behind = format!("{statement}\n  end do\nend subroutine\n");
    let folder = Folder::with(&[("a.f90", &format!("{before}{comments}{behind}")), ("camfort.toml", config)]);
    let ran = folder.run(&["check", "--fix", "--unsafe-fixes", "-q", "--format", "json", "a.f90"]);
    assert!(ran.status < 2, "{}", ran.notes);
    let after = folder.text("a.f90");
    after.strip_prefix(before).and_then(|rest| rest.strip_suffix(&behind)).unwrap().to_owned()
}

#[test]
fn fixing_changes_nothing_that_is_allowed_or_off() {
    let allowed = "! camfort: allow(S010)\n";
    let old_word = "!= stencil readOnce, reflexive(dim=1) :: a\n";
    let new_word = "!= stencil readOnce, pointed(dim=1) :: a\n";
    let replaced = "!= stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a\n";
    let off = "[rules]\nS010 = \"off\"\n";
    assert_eq!(fixed_with(&[allowed, old_word].concat(), "b(i) = a(i+1)", ""), [allowed, new_word].concat());
    assert_eq!(fixed_with(old_word, "b(i) = a(i+1)", off), new_word);
    assert_eq!(fixed_with(old_word, "b(i) = a(i+1)", ""), replaced);
    // The other way round: a word that may stay, an expression that may be as long as it is.
    let missing = "!= stencil reflexive(dim=1) :: a\n";
    let words_off = "[rules]\nS017 = \"off\"\n";
    assert_eq!(fixed_with("!= stencil reflexive(dim=1) :: a, a\n", "b(i) = a(i) + a(i)", words_off), missing);
    let long = "!= stencil readOnce, reflexive(dim=1) + pointed(dim=1) :: a\n";
    assert_eq!(fixed_with(long, "b(i) = a(i)", "[rules]\nS021 = \"off\"\n"), long.replace("reflexive", "pointed"));
}

#[test]
fn of_two_that_contradict_each_other_the_wrong_one_goes() {
    let right = "!= stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a\n";
    let wrong = "!= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a\n";
    let worse = "!= stencil readOnce, pointed(dim=1) :: a\n";
    for config in ["", "[rules]\nS010 = \"off\"\n"] {
        assert_eq!(fixed_with(&[right, wrong].concat(), "b(i) = a(i+1)", config), right);
        assert_eq!(fixed_with(&[wrong, right].concat(), "b(i) = a(i+1)", config), right);
    }
    // Neither is right: what is inferred takes their place, also if that they contradict each other may be.
    for config in ["", "[rules]\nS008 = \"off\"\n"] {
        assert_eq!(fixed_with(&[wrong, worse].concat(), "b(i) = a(i+1)", config), right);
        assert_eq!(fixed_with(&[worse, right].concat(), "b(i) = a(i+1)", config), right);
    }
}

#[test]
fn inference_says_why_it_leaves_a_file_as_it_is() {
    let two = specified(WRONG).replace("  end do\n", "    b(i) = 2*a(i)\n  end do\n");
    let folder = Folder::with(&[("a.f90", &two), ("camfort.toml", "[rules]\nS010 = \"off\"\n")]);
    let ran = folder.run(&["infer", "a.f90"]);
    assert_eq!((ran.status, ran.output.as_str(), folder.text("a.f90")), (0, "", two));
    assert!(
        ran.notes.contains("note: 'a.f90' is left as it is: its specifications have errors (S010)"),
        "{}",
        ran.notes
    );
    // What a comment allows is no error, and the array has its specification.
    let allowed = specified(WRONG).replace("    !=", "    ! camfort: allow(S010)\n    !=");
    let folder = Folder::with(&[("a.f90", &allowed)]);
    let ran = folder.run(&["infer", "a.f90"]);
    assert_eq!((ran.status, folder.text("a.f90")), (0, allowed));
    assert!(ran.notes.ends_with("nothing to insert\n"), "{}", ran.notes);
}

#[test]
fn a_reference_is_told_as_it_would_have_to_be_written() {
    let text = "\
subroutine s(a, b, n)
  integer :: n, i, j, k
  real :: a(n, n), b(n, n)
  do j = 2, n
    do k = 2, n
      do i = 2, n - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2, free) :: a
        b(i+1, j) = a(i+1, k+1)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: a
        b(i+1, j) = a(i, &  ! a comment
          ! another
          & j)
      end do
    end do
  end do
end subroutine
      ";
    let fixed = "\
      subroutine s(a, b, n)
      real a(n, n), b(n, n)
      do 10 j = 2, n
      do 10 i = 2, n
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: a
10    B(I, J) = A(I-1,
     1 J)
      end
";
    let folder = Folder::with(&[("a.f90", text), ("b.f", fixed)]);
    let output = folder.run(&["check", "--format", "concise", "."]).output;
    // The left side shifts what runs along its own indices only.
    assert!(
        output.contains("8:21 reads offset (0, 1 free)") && output.contains("offset (0, 0 free), that is 'a(i+1,k)'"),
        "{output}"
    );
    // A reference over several lines.
    assert!(output.contains("if 'a(i,j)' is made 'a(i+1,j)'"), "{output}");
    assert!(output.contains("if 'A(I-1,J)' is made 'A(I,J)'"), "{output}");
}

#[test]
fn hints_stay_within_bounds() {
    // The largest number has none above it, and no negative counterpart that is found by adding.
    let lines: String = ["9223372036854775807", "-9223372036854775807", "-9223372036854775807 - 1"]
        .map(|offset| format!("    != stencil readOnce, pointed(dim=1) :: a\n    b(i) = a(i + ({offset}))\n"))
        .concat();
    let folder = Folder::with(&[("a.f90", &KERNEL.replace("    b(i) = a(i) + a(i-1)\n", &lines))]);
    let ran = folder.run(&["check", "--format", "concise", "a.f90"]);
    assert!(ran.status == 1 && ran.output.lines().count() == 3, "{}{}", ran.output, ran.notes);
    // The right reference has the name of another array, among so many reads that nobody looks through them.
    let renamed = |count: usize| {
        let reads: Vec<String> = (1..count).map(|at| format!("a(i+{at})")).collect();
        let sum = reads.join(" + &\n");
        let body = format!("    != stencil readOnce, forward(depth=1, dim=1) :: c\n    b(i) = c(i) + &\n{sum}\n");
        let text = KERNEL.replace("a(n)", "a(n), c(n)").replace("    b(i) = a(i) + a(i-1)\n", &body);
        let output = Folder::with(&[("a.f90", &text)]).run(&["check", "--format", "concise", "a.f90"]).output;
        assert!(output.contains("S010"), "{output}");
        output.contains("'a(i+1)' in line 7 is made 'c(i+1)'")
    };
    assert!(renamed(10) && !renamed(300));
}

#[test]
fn subscripts_among_which_are_sections_are_changed_back() {
    let text = "subroutine s(v, n)\n  integer :: n\n  real :: v(n+1,n+1)\n  \
                != stencil readOnce, pointed(dim=2) :: v\n  v(n+1,:) = v(:,n)\nend subroutine\n";
    let output = Folder::with(&[("a.f90", text)]).run(&["check", "a.f90"]).output;
    assert!(output.contains("The code conforms if 'v(:,n)' is made 'v(n,:)'"), "{output}");
}

/// Of what clears one statement that is told which clears the others too: here the left side could be moved as well.
#[test]
fn a_change_that_clears_the_most_statements_is_told() {
    let text = "subroutine s(a, c, x, y, n)\n  integer :: n, i\n  real :: a(n), c(n), x(n), y(n), r\n  \
                do i = 2, n-2\n    r = a(i+2)\n    \
                != stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a\n    x(i) = r\n    \
                != stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a, c\n    y(i) = r + c(i+1)\n  \
                end do\nend subroutine\n";
    let output = Folder::with(&[("a.f90", text)]).run(&["check", "a.f90"]).output;
    assert_eq!(output.matches("conforms if 'a(i+2)' in line 5 is made 'a(i+1)'\n").count(), 2, "{output}");
}

#[test]
fn a_chain_of_region_variables_is_followed_once() {
    // Each is named four times by the next: followed at every mention, this would never end.
    let mut text = "module m0\n  != region :: r0 = backward(depth=1, dim=1)\nend module\n".to_owned();
    for at in 1..40 {
        let (inner, last) = (format!("r{}", at - 1), at - 1);
        text += &format!(
            "module m{at}\n  use m{last}\n  != region :: r{at} = {inner}+{inner}+{inner}+{inner}\nend module\n"
        );
    }
    text += &specified("!= stencil readOnce, r39 :: a").replace("  integer", "  use m39\n  integer");
    let folder = Folder::with(&[("a.f90", &text)]);
    let ran = folder.run(&["check", "--format", "concise", "a.f90"]);
    assert!(ran.status == 0 && ran.notes.contains("1 specification, all hold"), "{}{}", ran.output, ran.notes);
}

#[test]
fn what_an_included_file_holds_is_told_once() {
    let loop_of = |body: &str| KERNEL.replace("    b(i) = a(i) + a(i-1)\n", body);
    let included = specified(WRONG);
    let included = included.split_once("i = 2, n\n").unwrap().1.split_once("  end do").unwrap().0;
    let both = loop_of("#include \"body.inc\"\n#include \"body.inc\"\n");
    let files = [("body.inc", included), ("one.F90", both.as_str()), ("two.F90", both.as_str())];
    let folder = Folder::with(&files);
    for (format, sign) in [
        ("full", "error[S010]"),
        ("concise", "S010"),
        ("json", "\"S010\""),
        ("jsonl", "\"S010\""),
        ("sarif", "\"ruleId\":\"S010\""),
        ("github", "title=S010"),
        ("gitlab", "S010:"),
        ("junit", "testcase name=\"S010"),
    ] {
        let ran = folder.run(&["check", "--format", format, "."]);
        assert_eq!((ran.status, ran.output.matches(sign).count()), (1, 1), "{format}: {}", ran.output);
        assert!(ran.notes.ends_with("; 1 error\n"), "{format}: {}", ran.notes);
    }
    // What is another finding at the same place is told.
    let other =
        both.replace("a(n), b(n)", "a(n), b(n+1)").replace("#include \"body.inc\"\n#", "#define b(i) b(i+1)\n#");
    let folder = Folder::with(&[("body.inc", included), ("one.F90", &both), ("two.F90", &other)]);
    let ran = folder.run(&["check", "--format", "concise", "."]);
    assert_eq!(ran.output.matches("S010").count(), 2, "{}", ran.output);
}

#[test]
fn the_lines_of_a_file_that_is_included_twice_are_shown_once() {
    let text = "\
subroutine s(a, b, n)
  integer :: n, i
  real :: a(n), b(n), x
  do i = 2, n - 1
#include \"read.inc\"
#include \"read.inc\"
    != stencil readOnce, pointed(dim=1) :: a
    b(i) = x
  end do
end subroutine
";
    let folder = Folder::with(&[("read.inc", "    x = a(i+1)\n"), ("a.F90", text)]);
    let output = folder.run(&["check", "."]).output;
    assert_eq!(output.matches("x = a(i+1)").count(), 1, "{output}");
}

#[test]
fn lines_may_end_with_a_carriage_return() {
    for end in ["\r", "\r\n"] {
        let text = |comment: &str| specified(comment).replace('\n', end);
        let folder = Folder::with(&[("a.f90", &text(WRONG))]);
        let ran = folder.run(&["check", "--format", "concise", "a.f90"]);
        assert!(ran.output.starts_with("a.f90:6:5: S010"), "{}", ran.output);
        assert_eq!(folder.run(&["check", "--fix", "--unsafe-fixes", "-q", "--format", "json", "a.f90"]).status, 0);
        assert_eq!(folder.text("a.f90"), text(RIGHT));
        let bare = KERNEL.replace('\n', end);
        let folder = Folder::with(&[("a.f90", &bare)]);
        assert_eq!(folder.run(&["infer", "-q", "a.f90"]).status, 0);
        assert_eq!(folder.text("a.f90"), text(RIGHT));
    }
    // In a branch that is not compiled too.
    let branch = format!("#ifdef WIDE\n{}#endif\n", specified(RIGHT)).replace('\n', "\r");
    let folder = Folder::with(&[("a.F90", &branch)]);
    let output = folder.run(&["check", "--format", "concise", "a.F90"]).output;
    assert!(output.starts_with("a.F90:6:8: S009"), "{output}");
}
