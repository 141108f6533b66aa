//! Why arrays get no specification: `tests/fixtures/reasons` holds files whose marks (`!~ array reason`, below a
//! statement) say exactly what is left out.

use std::collections::BTreeSet;
use std::path::Path;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::infer::Reason;
use camfort_rs::analysis::stencil::{Infer, InferOptions, StencilOptions};
use camfort_rs::workspace::{Project, SourceOptions};

/// Runs inference over a fixture and compares what it leaves out with the marks. Returns the reasons marked.
fn check_marks(name: &str, paper: bool) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/reasons").join(name);
    let text = std::fs::read_to_string(&path).expect("part of the repository");
    let mut expected = BTreeSet::new();
    let mut statement = 0;
    for (line, text) in (1..).zip(text.lines()) {
        match text.trim_start().strip_prefix("!~ ") {
            None => statement = line,
            Some(mark) => {
                expected.insert((statement, mark.to_string()));
            }
        }
    }
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(&path, text.as_bytes());
    let stencils = StencilOptions { paper, ..StencilOptions::default() };
    let result = analyse::<Infer>(&view, InferOptions { stencils, ..InferOptions::default() });
    let mut found = BTreeSet::new();
    for computation in &result.inference.computations {
        let (_, start, _) = view.texts().locate(computation.span);
        for unspecified in &computation.unspecified {
            found.insert((start.line, format!("{} {}", unspecified.variable, unspecified.reason.name())));
            let (_, blamed, _) = view.texts().locate(unspecified.span);
            assert!(blamed.line <= start.line, "{} is blamed for line {}", blamed.line, start.line);
        }
    }
    assert_eq!(found, expected, "{name}");
    expected.iter().filter_map(|(_, mark)| mark.split(' ').nth(1)).map(str::to_string).collect()
}

#[test]
fn each_reason_has_its_example() {
    let mut names = check_marks("every_reason.F90", false);
    names.extend(check_marks("paper_reasons.f90", true));
    // It takes more than one file: tests/included.rs.
    for reason in Reason::ALL.into_iter().filter(|&reason| reason != Reason::InsideInclude) {
        assert!(names.contains(reason.name()), "{} has no example", reason.name());
    }
}

#[test]
fn an_index_that_may_change_is_not_absolute() {
    check_marks("changing_indices.f90", false);
}

#[test]
fn what_has_brackets_in_a_type_that_was_not_found_is_an_array_or_unknown() {
    check_marks("unseen_types.f90", false);
}

#[test]
fn a_statement_that_is_not_understood_leaves_its_neighbours_alone() {
    let text = "subroutine s(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  do i = 1, n - 1\n    b(i) =+* a(i)\n    \
                b(i) = a(i+1)\n  end do\nend subroutine\n";
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(Path::new("s.f90"), text.as_bytes());
    assert_eq!(view.not_understood().len(), 1);
    let result = analyse::<Infer>(&view, InferOptions::default());
    let specifications: Vec<&str> = result
        .inference
        .computations
        .iter()
        .flat_map(|computation| &computation.specifications)
        .map(|specification| specification.text.as_str())
        .collect();
    assert_eq!(specifications, ["stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a"]);
}
