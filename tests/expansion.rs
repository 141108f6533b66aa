//! Files that a command of the user's expands, and what a configuration says of single files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod common;
use common::Folder;

/// Does what fypp would: leaves directives out, and puts text in place of `$:body`.
const EXPAND: &str = r##"
BEGIN { print "# 1 \"<stdin>\"" }
{ system("touch was_run") }
/^#:include/ { print "# 1 \"other.inc\""; print "real :: other"; print "# " NR + 1 " \"<stdin>\""; next }
/^#:/ { print "# " NR + 1 " \"<stdin>\""; next }
/\$:body/ {
  for (k = 1; k <= 2; k++) { print "# " NR " \"<stdin>\""; print "    c(i) = a(i) + a(i+1)" }
  next
}
{ print }
"##;

const SOURCE: &str = "\
subroutine step(a, b, c, n)
#:include 'other.inc'
  integer :: n, i
  real :: a(n), b(n), c(n)
#:if True
  do i = 2, n
    b(i) = a(i) + a(i-1)
  end do
#:endif
  do i = 2, n
    $:body
  end do
end subroutine
";

const CONFIGURATION: &str = "[[files]]\nglob = \"*.fypp\"\npreprocess = \"awk -f ../expand.awk\"\n";

fn folder() -> Folder {
    Folder::with(&[("src/a.fypp", SOURCE), ("expand.awk", EXPAND), ("camfort.toml", CONFIGURATION)])
}

#[test]
fn the_commands_of_a_configuration_that_was_found_are_not_run() {
    let commands: [&[&str]; 5] =
        [&["infer", "--report"], &["check"], &["survey"], &["guard", "--save", "x.lock"], &["debug", "tree"]];
    for command in commands {
        let folder = folder();
        let path = if command[0] == "debug" { "src/a.fypp" } else { "src" };
        let ran = folder.run(&[command, &[path]].concat());
        assert!(ran.notes.contains("camfort.toml:3: 'awk -f ../expand.awk' is not run"), "{command:?}: {}", ran.notes);
        assert!(!folder.path("src/was_run").exists(), "{command:?}");
        for allowing in [&["--allow-commands"][..], &["--config", "camfort.toml"]] {
            let ran = folder.run(&[command, &[path], allowing].concat());
            assert!(!ran.notes.contains("is not run"), "{command:?}: {}", ran.notes);
            assert!(folder.path("src/was_run").exists(), "{command:?}");
            std::fs::remove_file(folder.path("src/was_run")).unwrap();
        }
    }
}

#[test]
fn expanded_text_is_read_and_the_file_is_edited() {
    let folder = folder();
    let report = folder.run(&["infer", "--report", "--why", "src", "--allow-commands", "--format", "concise"]).output;
    assert!(report.contains("src/a.fypp:7:5: stencil readOnce, backward(depth=1, dim=1) :: a"), "{report}");
    assert!(report.contains("src/a.fypp:11:5:") && report.contains("inside-macro"), "{report}");
    let ran = folder.run(&["infer", "src", "--allow-commands"]);
    assert_eq!(ran.status, 0, "{}{}", ran.output, ran.notes);
    let specification = "    != stencil readOnce, backward(depth=1, dim=1) :: a\n";
    assert_eq!(folder.text("src/a.fypp"), SOURCE.replace("    b(i)", &format!("{specification}    b(i)")));
    let checked = folder.run(&["check", "src", "--allow-commands", "--error-on-warning"]);
    assert_eq!(checked.status, 0, "{}{}", checked.output, checked.notes);
    std::fs::write(folder.path("src/a.fypp"), folder.text("src/a.fypp").replace("backward", "forward")).unwrap();
    let checked = folder.run(&["check", "src", "--allow-commands", "--format", "concise"]);
    assert!(checked.output.contains("src/a.fypp:8:5: S010") && checked.status == 1, "{}", checked.output);
}

#[test]
fn without_a_good_command_the_file_is_read_as_it_stands() {
    for (command, reason) in [
        ("false", "exit status: 1"),
        ("no_such_command_here", "No such file"),
        ("tr a-z A-Z", "no line markers"),
        ("head -c 0", "no line markers"),
    ] {
        let configuration = format!("files = [{{ glob = \"*.fypp\", preprocess = \"{command}\" }}]\n");
        let folder = Folder::with(&[("a.fypp", SOURCE), ("camfort.toml", &configuration)]);
        let ran = folder.run(&["infer", "--report", "a.fypp", "--allow-commands", "--format", "concise"]);
        assert!(ran.output.contains("F001") && ran.output.contains(reason), "{command}: {}", ran.output);
        assert!(ran.output.contains("backward(depth=1, dim=1) :: a"), "{command}: {}", ran.output);
    }
    let same =
        Folder::with(&[("a.fypp", SOURCE), ("camfort.toml", "files = [{ glob = \"*\", preprocess = \"cat\" }]\n")]);
    let ran = same.run(&["infer", "--report", "a.fypp", "--allow-commands"]);
    assert!(!ran.output.contains("F001"), "{}", ran.output);
}

#[test]
fn a_large_text_passes_through_a_command() {
    let text = format!("subroutine s\nreal :: x\n{}end\n", "x = 1\n".repeat(100_000));
    let folder =
        Folder::with(&[("a.f90", &text), ("camfort.toml", "files = [{ glob = \"*\", preprocess = \"cat\" }]\n")]);
    let ran = folder.run(&["check", "a.f90", "--allow-commands"]);
    assert_eq!((ran.status, ran.output.as_str()), (0, ""));
}

#[test]
fn types_and_macros_of_single_files() {
    let source = "\
subroutine s(a, b, n)
  mytype a(n), b(n)
  calr x(3)
  mytype :: c
  integer n, i
  do i = 1, N_LAST
    b(i) = a(i) + a(i+1)
  end do
end
mytype function f(x)
  mytype*8 x
  f = x
end
";
    let fixed = "      SUBROUTINE S(A)\n      INTEG A(3)\n      INTEGER X\n      INTEGE\n     1R Y\n      END\n";
    let tables = "\
[[files]]
glob = \"*\"
types = [\"MyType\"]
[[files]]
glob = \"a.*\"
types = [\"calr\", \"integ\"]
define = [\"N_LAST=9\"]
";
    let folder = Folder::with(&[("a.f90", source), ("b.f90", source), ("a.f", fixed), ("camfort.toml", tables)]);
    let tree = |path: &str| folder.run(&["debug", "unparse", path]).output.to_lowercase();
    let (of_a, of_b, of_fixed) = (tree("a.f90"), tree("b.f90"), tree("a.f"));
    assert!(of_a.contains("do i = 1, 9") && of_b.contains("do i = 1, n_last"), "{of_a}{of_b}");
    let not_understood = |path: &str| folder.run(&["check", "--format", "concise", path]).output;
    assert_eq!(not_understood("a.f90"), "");
    assert!(not_understood("b.f90").contains("b.f90:3:3: F001 warning"), "{}", not_understood("b.f90"));
    assert_eq!(not_understood("a.f"), "");
    assert!(of_fixed.contains("integ :: a(3)") && of_fixed.contains("integer :: x"), "{of_fixed}");
    let shown = folder.run(&["check", "--show-settings", "a.f90"]).output;
    assert!(shown.contains("types = [\"calr\", \"integ\"]") && shown.contains("define = [\"N_LAST=9\"]"), "{shown}");
}
