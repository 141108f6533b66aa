//! Modules that the files given lack are looked for in the project, so that one file says the same as the whole tree.

mod common;
use common::Folder;

const GRID: &str = "\
module grid
  use sizes, only: depth
  type :: field
    real, allocatable :: t(:), u(:)
  end type
  != region :: upwind = backward(depth=1, dim=1)
contains
  pure real function slope(x, i)
    real, intent(in) :: x(:)
    integer, intent(in) :: i
    slope = x(i) - x(i-1)
  end function
end module
";

const SIZES: &str = "\
module sizes
  integer, parameter :: depth = 2
end module
";

const STEP: &str = "\
subroutine step(f, b, n)
  use grid
  integer :: n, i
  type(field) :: f
  real :: b(n)
  do i = 3, n
    != stencil readOnce, upwind :: f%t
    b(i) = f%t(i) - f%t(i-1)
    b(i) = f%u(i-depth)
    b(i) = slope(f%u, i)
  end do
end subroutine
";

/// What is inferred for the file `src/step.f90`, by a run over these paths.
fn inferred(folder: &Folder, arguments: &[&str]) -> String {
    let mut all = vec!["infer", "--report", "--why", "--format", "json"];
    all.extend(arguments);
    let document: serde_json::Value = serde_json::from_str(&folder.run(&all).output).expect("a document");
    let is_step = |value: &&serde_json::Value| value["path"].as_str().is_some_and(|path| path.ends_with("step.f90"));
    let computations = document["computations"].as_array().expect("a list");
    let of_step: Vec<String> = computations
        .iter()
        .filter(is_step)
        .map(|computation| format!("{} {}", computation["specifications"], computation["unspecified"]))
        .collect();
    of_step.join("\n")
}

#[test]
fn one_file_says_the_same_as_the_whole_tree() {
    for mark in ["camfort.toml", "fpm.toml", ".git/config"] {
        let folder =
            Folder::with(&[(mark, ""), ("lib/grid.f90", GRID), ("lib/sizes.f90", SIZES), ("src/step.f90", STEP)]);
        let whole = inferred(&folder, &["."]);
        assert!(whole.contains("f%u") && !whole.contains("undeclared"), "{whole}");
        assert_eq!(inferred(&folder, &["src/step.f90"]), whole, "{mark}");
        assert_eq!(inferred(&folder, &["src"]), whole, "{mark}");
        let alone = folder.run(&["check", "src/step.f90"]);
        assert_eq!((alone.status, alone.output.as_str()), (0, ""), "{mark}");
        assert!(!alone.notes.contains("F004"), "{}", alone.notes);
        let from_input = folder.run_with_input(&["check", "-", "--stdin-filename", "src/step.f90"], STEP);
        assert_eq!((from_input.status, from_input.output.as_str()), (0, ""), "{mark}");
    }
}

#[test]
fn a_run_may_be_isolated() {
    let folder = Folder::with(&[(".git/config", ""), ("grid.f90", GRID), ("sizes.f90", SIZES), ("step.f90", STEP)]);
    let isolated = folder.run(&["infer", "--report", "--isolated", "step.f90"]);
    assert!(isolated.output.contains("F004"), "{}", isolated.output);
    assert_ne!(inferred(&folder, &["--isolated", "step.f90"]), inferred(&folder, &["step.f90"]));
    // What is excluded is passed over, and what is given comes first.
    let excluded = folder.run(&["infer", "--report", "--exclude", "sizes.f90", "step.f90", "grid.f90"]);
    assert!(excluded.output.contains("Module 'sizes' is in none"), "{}", excluded.output);
    let without_project = Folder::with(&[("grid.f90", GRID), ("step.f90", STEP)]);
    assert!(without_project.run(&["infer", "--report", "step.f90"]).output.contains("F004"));
}

#[test]
fn what_is_not_understood_in_another_file_may_do_anything() {
    let user = "subroutine step(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  real, external :: f\n  do i = 2, n\n    \
                b(i) = f(a(i-1))\n  end do\nend subroutine\n";
    let function = |body: &str| format!("real function f(x)\n  real :: x\n{body}  f = 2*x\nend function\n");
    let inferred = |body: &str| {
        let folder = Folder::with(&[("step.f90", user), ("f.F90", &function(body))]);
        inferred(&folder, &["."])
    };
    assert!(inferred("").contains("backward(depth=1, dim=1, nonpointed) :: a"));
    for body in
        ["  TRACE(x)\n", "  x ?= 1\n", "  write (*, *) x\n", "  call trace(x)\n", "#define T call trace\n  T(x)\n"]
    {
        assert!(inferred(body).contains("procedure-in-flow"), "{body}: {}", inferred(body));
    }
}
