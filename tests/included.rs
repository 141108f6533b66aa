//! Computations in included files: `infer` annotates such a file where all files that include it agree.

mod common;
use common::Folder;

const BODY: &str = "    b(i) = a(i) - a(i-1)\n";
const ANNOTATED: &str = "    != stencil readOnce, backward(depth=1, dim=1) :: a\n    b(i) = a(i) - a(i-1)\n";

/// A subroutine with an included body, which is reached `loops` times.
fn includer(name: &str, loops: usize, declaration: &str) -> String {
    let body = "  do i = 2, n\n    include 'body.inc'\n  end do\n".repeat(loops);
    format!("subroutine {name}(a, b, n)\n  integer :: n, i\n  {declaration}\n  real :: b(n)\n{body}end subroutine\n")
}

/// A folder `src` with two files that include a body.
fn folder(second: &str) -> Folder {
    Folder::with(&[
        ("src/one.f90", &includer("one", 1, "real :: a(n)")),
        ("src/two.f90", second),
        ("src/body.inc", BODY),
    ])
}

#[test]
fn a_file_is_annotated_where_all_that_include_it_agree() {
    let folder = folder(&includer("two", 2, "real :: a(n)"));
    let diff = folder.run(&["infer", "--diff", "src"]);
    assert!(
        diff.output.contains("+++ b/src/body.inc\n") && diff.output.matches("\n+ ").count() == 1,
        "{}",
        diff.output
    );
    assert!(diff.notes.contains("1 line would be inserted into 1 file"), "{}", diff.notes);
    let inserted = folder.run(&["infer", "-v", "src"]);
    assert!(inserted.notes.contains("1 line inserted into 1 file"), "{}", inserted.notes);
    assert_eq!(folder.text("src/body.inc"), ANNOTATED);
    assert!(folder.run(&["infer", "src"]).notes.contains("nothing to insert"));
    let checked = folder.run(&["check", "src"]);
    assert_eq!((checked.status, checked.output.as_str()), (0, ""));
}

#[test]
fn copies_of_included_files_are_written_too() {
    let folder = folder(&includer("two", 1, "real :: a(n)"));
    assert_eq!(folder.run(&["infer", "--output", "out", "src"]).status, 0);
    assert_eq!((folder.text("out/src/body.inc").as_str(), folder.text("src/body.inc").as_str()), (ANNOTATED, BODY));
}

/// One includes it where there is no loop, one where `a` is something else, one where the name is a function.
#[test]
fn a_file_is_left_alone_where_they_disagree() {
    let without_loop = "subroutine two(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  i = n\n  \
                        include 'body.inc'\nend subroutine\n";
    let shifted = includer("two", 1, "real :: a(n)").replace("do i = 2, n\n", "do j = 2, n\n    i = 2 * j\n");
    let function = includer("two", 1, "real, external :: a");
    for second in [without_loop, &shifted, &function] {
        let folder = folder(second);
        let report = folder.run(&["infer", "--report", "--why", "src"]);
        assert!(report.output.contains("inside-include"), "{}", report.output);
        assert!(folder.run(&["infer", "src"]).notes.contains("nothing to insert"), "{second}");
        assert_eq!(folder.text("src/body.inc"), BODY);
    }
}

/// It is not known who else includes a file of which only a user is given; and what is excluded is not edited.
#[test]
fn only_files_below_the_paths_given_are_annotated() {
    let folder = folder(&includer("two", 1, "real :: a(n)"));
    for arguments in [&["infer", "src/one.f90"][..], &["infer", "--exclude", "*.inc", "src"]] {
        assert!(folder.run(arguments).notes.contains("nothing to insert"), "{arguments:?}");
        assert_eq!(folder.text("src/body.inc"), BODY);
    }
}

/// A branch that another file does not compile is no contradiction; an error in a file's specifications is.
#[test]
fn what_a_file_does_not_compile_does_not_count() {
    let second = includer("two", 1, "real :: a(n)").replace("include 'body.inc'", "#include \"body.inc\"");
    let first = second.replace("subroutine two", "#define ONE\nsubroutine one");
    let body = format!("#ifdef ONE\n{BODY}#endif\n    b(i) = 2 * b(i)\n");
    let folder = Folder::with(&[("one.F90", &first), ("two.F90", &second), ("body.inc", &body)]);
    folder.run(&["infer", "."]);
    let expected =
        format!("#ifdef ONE\n{ANNOTATED}#endif\n    != stencil readOnce, pointed(dim=1) :: b\n    b(i) = 2 * b(i)\n");
    assert_eq!(folder.text("body.inc"), expected);
    let wrong = second.replace("  do i", "  != region :: nonsense = centre(1)\n  do i");
    let folder = Folder::with(&[("one.F90", &first), ("two.F90", &wrong), ("body.inc", &body)]);
    folder.run(&["infer", "."]);
    assert_eq!(folder.text("body.inc"), body);
}

/// A file that is given and included by another one too says what it can say by itself only where both agree.
#[test]
fn a_file_that_is_given_agrees_with_those_that_include_it() {
    let work = "#ifndef SHIFT\n#define SHIFT 1\n#endif\nsubroutine WORK(a, b, n)\n  integer :: n, i\n  \
                real :: a(n), b(n)\n  \
                do i = 3, n\n    b(i) = a(i-SHIFT)\n    b(i) = 2 * b(i)\n  end do\nend subroutine\n";
    let twice = "#define SHIFT 2\n#define WORK work_by_two\n#include \"work.F90\"\n";
    let folder = Folder::with(&[("work.F90", work), ("twice.F90", twice)]);
    folder.run(&["infer", "."]);
    let expected = work.replace("    b(i) = 2", "    != stencil readOnce, pointed(dim=1) :: b\n    b(i) = 2");
    assert_eq!(folder.text("work.F90"), expected);
    assert_eq!(folder.run(&["check", "."]).output, "");
    assert!(folder.run(&["infer", "."]).notes.contains("nothing to insert"));
}
