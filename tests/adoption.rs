//! Gradual adoption: known findings, changed lines, selected rules, and what a run prints where.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

mod common;
#[cfg(target_os = "linux")]
use common::on_terminal;
use common::{Folder, KERNEL, git};

const WRONG: &str = "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)";

/// The kernel below a specification that contradicts it.
fn wrong() -> String {
    KERNEL.replace("    b(i)", WRONG)
}

/// The same subroutine under another name.
fn called(name: &str, text: &str) -> String {
    text.replace("subroutine step", &format!("subroutine {name}"))
}

/// Of many files the numbers come first, and the list on request; what is asked for by name is listed.
#[test]
fn a_report_on_many_files_tells_their_numbers() {
    let star = KERNEL.replace("a(i-1)", "a(2*i)");
    let both = KERNEL.to_owned() + &KERNEL.replace(" + a(i-1)", "");
    let folder = Folder::with(&[("src/both.f90", &both), ("src/none.f90", "end\n"), ("src/star.f90", &star)]);
    let ran = folder.run(&["infer", "--report", "src"]);
    insta::assert_snapshot!(ran.output, @r"
    src/both.f90: 2 specifications to insert, 1 of more than 'pointed'
    src/star.f90: 1 array without one
    ");
    let listed = folder.run(&["infer", "--report", "--list", "src"]).output;
    assert!(listed.contains("= stencil readOnce, backward(depth=1, dim=1) :: a"), "{listed}");
    for asked in [&["--why"][..], &["--procedure", "step"], &["--array", "a"], &["--format", "concise"]] {
        let ran = folder.run(&[&["infer", "--report", "src"], asked].concat());
        assert!(ran.output.contains("backward(depth=1, dim=1) :: a"), "{asked:?}: {}", ran.output);
    }
    folder.run(&["infer", "src"]);
    assert_eq!(folder.run(&["infer", "--report", "src"]).output, "src/star.f90: 1 array without one\n");
    assert_eq!(folder.run(&["infer", "--list", "src"]).status, 2);
}

/// The code of a rule leads to its page on a terminal, and is plain text elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn codes_are_links_on_a_terminal() {
    let wrong = KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)");
    let folder =
        Folder::with(&[("a.f90", &wrong), ("camfort.toml", "rule-url = \"https://example.org/{code}.html\"\n")]);
    let link = "\u{1b}]8;;https://example.org/S010.html\u{1b}\\";
    let (status, said) = on_terminal(&folder, "check a.f90", "");
    assert!(status == 1 && said.contains(link), "{said:?}");
    for arguments in ["check --color never a.f90", "check --format concise a.f90", "check a.f90 | cat"] {
        let (_, said) = on_terminal(&folder, arguments, "");
        assert!(said.contains("S010") && !said.contains("\u{1b}]8"), "{arguments}: {said:?}");
    }
    let ran = folder.run(&["check", "--color", "always", "a.f90"]);
    assert!(ran.output.contains("S010") && !ran.output.contains("\u{1b}]8"), "{}", ran.output);
}

/// On a terminal a person is asked before many lines are inserted; nobody else is.
#[cfg(target_os = "linux")]
#[test]
fn many_insertions_are_asked_for_on_a_terminal() {
    let many = "b(i) = a(i)\n".repeat(1001);
    let text = format!("subroutine step(a, b, n)\nreal a(n), b(n)\ndo i = 1, n\n{many}end do\nend\n");
    let folder = Folder::with(&[("a.f90", &text)]);
    let (status, said) = on_terminal(&folder, "infer a.f90", "n\n");
    assert!(status == 2 && said.contains("Go on? [y/N]") && said.contains("nothing was inserted"), "{said}");
    assert_eq!(folder.text("a.f90"), text);
    for (arguments, answer) in [("infer a.f90", "y\n"), ("infer --yes a.f90", "\n")] {
        let folder = Folder::with(&[("a.f90", &text)]);
        let (status, said) = on_terminal(&folder, arguments, answer);
        assert_eq!((status, said.contains("Go on?")), (0, arguments == "infer a.f90"), "{said}");
        assert!(folder.text("a.f90").lines().count() == 2002 + 5, "{said}");
    }
    assert_eq!(folder.run(&["infer", "a.f90"]).status, 0);
    assert_ne!(folder.text("a.f90"), text);
}

#[test]
fn what_a_baseline_holds_is_not_reported_wherever_it_moves() {
    let folder = Folder::with(&[("src/a.f90", &wrong())]);
    let written = folder.run(&["check", "--baseline", "known.txt", "--write-baseline", "src"]);
    assert_eq!((written.status, written.output.as_str()), (0, ""), "{}", written.notes);
    assert!(written.notes.ends_with("1 finding written to 'known.txt'\n"), "{}", written.notes);
    let text = folder.text("known.txt");
    assert!(text.lines().count() == 2 && text.contains("S010 ") && text.contains(" src/a.f90\n"), "{text}");

    let moved = format!("! a new line\n\n{}", wrong().replace("      b(i)", "        b(i)"));
    fs::write(folder.path("src/a.f90"), moved).unwrap();
    let ran = folder.run(&["check", "--baseline", "known.txt", "src"]);
    assert_eq!((ran.status, ran.output.as_str()), (0, ""), "{}", ran.notes);
    assert!(ran.notes.ends_with("1 finding not reported, as 'known.txt' has them\n"), "{}", ran.notes);
    let from_below = folder.run_in("src", &["check", "--baseline", "../known.txt", "."]);
    assert_eq!((from_below.status, from_below.output.as_str()), (0, ""), "{}", from_below.notes);

    // A second one of the same kind is one more, and a file without it has one less.
    fs::write(folder.path("src/a.f90"), format!("{}{}", wrong(), called("again", &wrong()))).unwrap();
    let ran = folder.run(&["check", "--format", "concise", "--baseline", "known.txt", "src"]);
    assert_eq!((ran.status, ran.output.lines().count()), (1, 1), "{}", ran.output);
    fs::write(folder.path("src/a.f90"), KERNEL).unwrap();
    let ran = folder.run(&["check", "--baseline", "known.txt", "src"]);
    assert!(ran.status == 0 && ran.notes.contains("1 that it has are gone"), "{}", ran.notes);
}

#[test]
fn a_baseline_that_can_t_be_used_fails_the_run() {
    let folder = Folder::with(&[("a.f90", &wrong()), ("known.txt", "S010\n")]);
    let fails = |arguments: &[&str], words: &str| {
        let ran = folder.run(arguments);
        assert!(ran.status == 2 && ran.notes.contains(words), "{arguments:?}: {}", ran.notes);
    };
    fails(&["check", "--baseline", "known.txt", "a.f90"], "no baseline");
    fails(&["check", "--baseline", "none.txt", "a.f90"], "can't be read");
    fails(&["check", "--write-baseline", "a.f90"], "--baseline");
    fails(&["check", "--baseline", "new.txt", "--write-baseline", "a.f90", "missing.f90"], "is not written");
    assert!(!folder.path("new.txt").exists());
}

#[test]
fn fixing_leaves_what_the_baseline_has() {
    let folder = Folder::with(&[("a.f90", &wrong())]);
    folder.run(&["check", "--baseline", "known.txt", "--write-baseline", "a.f90"]);
    let ran = folder.run(&["check", "--fix", "--baseline", "known.txt", "a.f90"]);
    assert!(ran.status == 0 && ran.notes.contains("nothing to fix"), "{}", ran.notes);
    assert_eq!(folder.text("a.f90"), wrong());
}

/// A repository with a wrong file at the tag `v1`, and what was changed since.
fn repository(change: impl Fn(&Folder)) -> Folder {
    let folder = Folder::with(&[("src/a.f90", &wrong())]);
    git(&folder, ".", &["init", "--quiet", "."], "");
    git(&folder, ".", &["add", "."], "");
    git(&folder, ".", &["commit", "--quiet", "--message", "Before"], "");
    git(&folder, ".", &["tag", "v1"], "");
    change(&folder);
    folder
}

/// The places of what is reported in the statements that were changed since `v1`.
fn since(folder: &Folder) -> Vec<String> {
    let ran = folder.run(&["check", "--format", "concise", "--since", "v1", "src"]);
    assert_ne!(ran.status, 2, "{}", ran.notes);
    ran.output.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect()
}

#[test]
fn only_what_was_changed_since_a_revision_is_reported() {
    assert!(since(&repository(|_| {})).is_empty());
    // Lines that move are no change, and a subroutine that is added is one.
    let folder = repository(|folder| {
        let text = format!("! moved\n{}{}", wrong(), called("other", &wrong()));
        fs::write(folder.path("src/a.f90"), text).unwrap();
    });
    assert_eq!(since(&folder).len(), 1);
    assert!(since(&folder)[0].starts_with("src/a.f90:1"), "{:?}", since(&folder));
    // The comment, or the code, or a line in the midst of a statement.
    let specification = wrong().replace("readOnce, ", "");
    let code = wrong().replace("a(i-1)", "a(i-2)");
    for text in [specification, code] {
        let folder = repository(|folder| fs::write(folder.path("src/a.f90"), &text).unwrap());
        assert!(!since(&folder).is_empty(), "{text}");
    }
    // A file that is not in the revision, whether git knows of it or not.
    let folder = repository(|folder| fs::write(folder.path("src/b.f90"), called("other", &wrong())).unwrap());
    assert!(since(&folder).iter().all(|place| place.starts_with("src/b.f90")) && since(&folder).len() == 1);
    git(&folder, ".", &["add", "."], "");
    assert_eq!(since(&folder).len(), 1);
}

#[test]
fn a_subscript_in_a_statement_of_its_own_is_a_change_too() {
    let text = "\
subroutine step(t, q, n)
  integer :: n, i
  real :: t(n), q(n), west
  do i = 2, n - 1
    west = t(i-1)
    != stencil readOnce, backward(depth=1, dim=1) :: t
    q(i) = t(i) - west
  end do
end subroutine
";
    let folder = Folder::with(&[("src/a.f90", text)]);
    git(&folder, ".", &["init", "--quiet", "."], "");
    git(&folder, ".", &["add", "."], "");
    git(&folder, ".", &["commit", "--quiet", "--message", "Before"], "");
    git(&folder, ".", &["tag", "v1"], "");
    fs::write(folder.path("src/a.f90"), text.replace("t(i-1)", "t(i+1)")).unwrap();
    assert_eq!(since(&folder), ["src/a.f90:7:5"]);
}

#[test]
fn a_revision_that_can_t_be_read_fails_the_run() {
    let folder = repository(|_| {});
    let ran = folder.run(&["check", "--since", "v9", "src"]);
    assert!(ran.status == 2 && ran.notes.contains("no revision of the repository"), "{}", ran.notes);
    let ran = Folder::with(&[("a.f90", KERNEL)]).run(&["check", "--since", "v1", "a.f90"]);
    assert!(ran.status == 2 && ran.notes.contains("in no git repository"), "{}", ran.notes);
}

#[test]
fn rules_are_selected_by_code_name_and_beginning() {
    let folder = Folder::with(&[("a.f90", &wrong())]);
    let status = |arguments: &[&str]| folder.run(&[&["check", "a.f90"], arguments].concat()).status;
    assert_eq!(status(&["--select", "S010"]), 1);
    assert_eq!(status(&["--select", "s01"]), 1);
    assert_eq!(status(&["--select", "F"]), 0);
    assert_eq!(status(&["--select", "F,S"]), 1);
    assert_eq!(status(&["--select", "S", "--ignore", "S010"]), 0);
    assert_eq!(status(&["--ignore", "S01"]), 0);
    fs::write(folder.path("camfort.toml"), "[rules]\nS010 = \"off\"\n").unwrap();
    assert_eq!(status(&[]), 0);
    assert_eq!(status(&["--select", "S"]), 0);
    assert_eq!(status(&["--select", "S010"]), 1);
    let ran = folder.run(&["check", "--select", "S0100", "a.f90"]);
    assert!(ran.status == 2 && ran.notes.contains("did you mean 'S010'?"), "{}", ran.notes);
    let ran = folder.run(&["check", "--ignore", "X", "a.f90"]);
    assert!(ran.status == 2 && ran.notes.contains("there is no rule 'X'"), "{}", ran.notes);
}

#[test]
fn what_is_found_need_not_be_a_failure() {
    let folder = Folder::with(&[("a.f90", &wrong())]);
    let ran = folder.run(&["check", "--exit-zero", "a.f90"]);
    assert!(ran.status == 0 && ran.output.contains("S010"));
    assert_eq!(folder.run(&["check", "--exit-zero", "missing.f90"]).status, 2);
}

#[test]
fn a_file_stands_for_standard_output() {
    let folder = Folder::with(&[("a.f90", &wrong())]);
    let plain = folder.run(&["check", "--format", "json", "a.f90"]);
    let ran = folder.run(&["check", "--format", "json", "--output-file", "out.json", "a.f90"]);
    assert_eq!((ran.status, ran.output.as_str()), (1, ""));
    assert_eq!(folder.text("out.json"), plain.output);
    let ran = folder.run(&["check", "--output-file", "none/out.json", "a.f90"]);
    assert!(ran.status == 2 && ran.notes.contains("can't be written"), "{}", ran.notes);
    // A run that can't begin leaves what was there.
    folder.run(&["check", "--output-file", "out.json", "--exclude", "[", "a.f90"]);
    assert_eq!(folder.text("out.json"), plain.output);
}

#[test]
fn the_files_of_a_run_are_shown_without_reading_them() {
    let folder = Folder::with(&[
        ("src/a.f90", &wrong()),
        ("src/build/made.f90", KERNEL),
        ("src/.hidden/b.f90", KERNEL),
        ("src/old.f90", KERNEL),
        ("src/notes.txt", ""),
    ]);
    let ran = folder.run(&["infer", "--show-files", "--exclude", "old.f90", "src"]);
    assert_eq!((ran.status, ran.output.as_str()), (0, "src/a.f90\n"));
    assert_eq!(
        ran.notes,
        "note: 'src/.hidden' is skipped: hidden\nnote: 'src/build' is skipped: a directory of builds\n\
         note: 'src/old.f90' is skipped: excluded\n"
    );
    assert_eq!(folder.text("src/a.f90"), wrong());
    assert_eq!(folder.run(&["check", "--show-files", "missing"]).status, 2);
}

#[test]
fn inference_is_narrowed_to_a_procedure_lines_or_an_array() {
    let two = KERNEL.replace("b(i) = a(i)", "b(i) = c(i) + a(i)").replace("b(n)", "b(n), c(n)");
    let text = format!("{KERNEL}{}", called("other", &two));
    let folder = Folder::with(&[("a.f90", &text)]);
    let report = |arguments: &[&str]| {
        let ran = folder.run(&[&["infer", "--report", "--format", "concise", "a.f90"], arguments].concat());
        ran.output.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(report(&[]), ["a.f90:5:5", "a.f90:12:5", "a.f90:12:5"]);
    assert_eq!(report(&["--procedure", "STEP"]), ["a.f90:5:5"]);
    assert_eq!(report(&["--lines", "8-20"]), ["a.f90:12:5", "a.f90:12:5"]);
    assert_eq!(report(&["--lines", "5"]), ["a.f90:5:5"]);
    assert_eq!(report(&["--array", "C"]), ["a.f90:12:5"]);
    assert_eq!(report(&["--array", "a", "--procedure", "other"]), ["a.f90:12:5"]);
    assert!(report(&["--procedure", "none"]).is_empty());
    assert_eq!(folder.run(&["infer", "--report", "--lines", "1-2", "."]).status, 2);
    assert_eq!(folder.run(&["infer", "--report", "--lines", "3-1", "a.f90"]).status, 2);
    folder.run(&["infer", "--array", "c", "a.f90"]);
    assert_eq!(folder.text("a.f90").lines().count(), text.lines().count() + 1);
}

#[test]
fn an_array_that_shares_its_specification_is_specified_alone() {
    let shared = KERNEL.replace("a(i) + a(i-1)", "a(i) + c(i)").replace("b(n)", "b(n), c(n)");
    let folder = Folder::with(&[("a.f90", &shared)]);
    let ran = folder.run(&["infer", "--report", "--format", "concise", "--array", "c", "a.f90"]);
    assert_eq!(ran.output, "a.f90:5:5: stencil readOnce, pointed(dim=1) :: c\n");
}

#[test]
fn long_lines_are_broken_as_the_configuration_says_and_mean_the_same() {
    let star = KERNEL
        .replace("a(n), b(n)", "a(n,n), b(n,n)")
        .replace("b(i) = a(i) + a(i-1)", "b(i,i) = a(i,i+1) + a(i-1,i) + a(i+1,i)");
    let folder = Folder::with(&[("a.f90", &star), ("camfort.toml", "line-length = 60\n")]);
    let ran = folder.run(&["infer", "a.f90"]);
    assert_eq!(ran.status, 0, "{}", ran.notes);
    let text = folder.text("a.f90");
    assert!(text.contains(" &\n    != & "), "{text}");
    assert!(text.lines().all(|line| line.len() <= 60), "{text}");
    assert!(folder.run(&["check", "a.f90"]).notes.contains("1 specification, all hold"), "{text}");
    assert!(folder.run(&["infer", "a.f90"]).notes.ends_with("nothing to insert\n"));
}
