//! From reads to lines: what regions can't say in one product is split, and lines stand in one order.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::analysis::stencil::computations::{NoLibrary, computations};
use crate::analysis::stencil::spec::{Meanings, SpecificationLine, denote, parse};
use crate::region::{Direction, Place};
use crate::workspace::{Project, SourceOptions};

/// What is inferred for one assignment in a nest of loops over `i` and `j`.
fn inferred(assignment: &str) -> InferredComputation {
    inferred_in(Language::default(), assignment)
}

/// The same, with what of the language may be used.
fn inferred_in(language: Language, assignment: &str) -> InferredComputation {
    let text = format!(
        "subroutine s(a, b, c, d, e)\n integer :: i, j\n real :: a(99), b(99), c(99,99), d(99,99), e(99)\n \
         do j = 9, 90\n do i = 9, 90\n {assignment}\n end do\n end do\nend subroutine\n"
    );
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(Path::new("s.f90"), text.clone());
    let found = computations(view.tree(), view.names(), false, &BTreeSet::new(), &NoLibrary);
    let mut inference = infer(view.tree(), &found, InferenceOptions { language, ..InferenceOptions::default() });
    assert_eq!(inference.computations.len(), 1, "{text}");
    inference.computations.remove(0)
}

fn lines(assignment: &str) -> Vec<String> {
    texts(inferred(assignment))
}

fn texts(found: InferredComputation) -> Vec<String> {
    found.specifications.into_iter().map(|specification| specification.text).collect()
}

#[test]
fn an_interval_that_no_constant_denotes_is_split() {
    assert_eq!(lines("b(i) = a(i-1) + a(i) + a(i+1)"), ["stencil readOnce, centered(depth=1, dim=1) :: a"]);
    assert_eq!(
        lines("b(i) = a(i-1) + a(i) + a(i+1) + a(i+2)"),
        ["stencil readOnce, backward(depth=1, dim=1) + forward(depth=2, dim=1) :: a"]
    );
    assert_eq!(lines("b(i) = a(i-1) + a(i+1)"), ["stencil readOnce, centered(depth=1, dim=1, nonpointed) :: a"]);
}

#[test]
fn what_the_paper_s_regions_can_not_say_has_bounds_the_lower_one_first() {
    let lines = |assignment| texts(inferred_in(Language { paper: true, fixed: false }, assignment));
    assert_eq!(lines("b(i) = a(i+2)"), ["stencil readOnce, atMost, forward(depth=2, dim=1, nonpointed) :: a"]);
    assert_eq!(
        lines("b(i) = a(i) + a(i+2)"),
        ["stencil readOnce, atLeast, pointed(dim=1) :: a", "stencil readOnce, atMost, forward(depth=2, dim=1) :: a"]
    );
    assert_eq!(lines("d(i,j) = c(j,i) + c(j,1)"), ["stencil readOnce, pointed(dim=1) :: c"]);
}

#[test]
fn what_lies_away_from_the_origin_is_shifted() {
    assert_eq!(lines("b(i) = a(i+2)"), ["stencil readOnce, shifted(by=2, dim=1) :: a"]);
    assert_eq!(lines("b(i) = a(i) + a(i+2)"), ["stencil readOnce, pointed(dim=1) + shifted(by=2, dim=1) :: a"]);
}

#[test]
fn which_variable_is_followed_and_what_is_fixed_is_said() {
    assert_eq!(lines("d(i,j) = c(j,i)"), ["stencil readOnce, pointed(along=2, dim=1)*pointed(along=1, dim=2) :: c"]);
    assert_eq!(lines("b(i) = a(j)"), ["stencil readOnce, pointed(dim=1, free) :: a"]);
    assert_eq!(lines("b(i) = a(i) - a(1)"), ["stencil readOnce, pointed(dim=1) + fixed(at=1, dim=1) :: a"]);
    assert_eq!(lines("b(i) = c(i,3)"), ["stencil readOnce, pointed(dim=1) :: c"]);
    let fixed = inferred_in(Language { paper: false, fixed: true }, "b(i) = c(i,3)");
    assert_eq!(texts(fixed), ["stencil readOnce, pointed(dim=1)*fixed(at=3, dim=2) :: c"]);
}

#[test]
fn lines_stand_by_their_first_names_and_terms_by_their_dimensions() {
    // Arrays of which the same is said share a line, in the order of their names without regard to letter case.
    let found = lines("d(i,j) = E(i) + a(i) + c(i,j-1) + c(i-1,j) + b(j)");
    assert_eq!(
        found,
        [
            "stencil readOnce, pointed(dim=1) :: a, E",
            "stencil readOnce, pointed(along=2, dim=1) :: b",
            "stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2, nonpointed) + \
             backward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: c"
        ]
    );
}

#[test]
fn trivial_lines_can_be_left_out() {
    let is_trivial = |assignment: &str| -> Vec<bool> {
        inferred(assignment).specifications.iter().map(InferredSpecification::is_trivial).collect()
    };
    assert_eq!(is_trivial("d(i,j) = c(i,j) + a(i)"), [true, true]);
    assert_eq!(is_trivial("b(i) = a(i+1)"), [false]);
}

#[test]
fn an_array_at_absolute_indices_has_a_reason_and_no_line() {
    let found = inferred("b(i) = a(i) + c(3,4)");
    assert_eq!(found.specifications.len(), 1);
    let unspecified: Vec<(&str, Reason)> =
        found.unspecified.iter().map(|array| (array.variable.as_str(), array.reason)).collect();
    assert_eq!(unspecified, [("c", Reason::AbsoluteOnly)]);
}

/// An index of `c` in the first or second dimension: an offset, or 7.
fn index(variable: &str, offset: Option<i64>) -> String {
    offset.map_or(
        "7".to_owned(),
        |offset| if offset == 0 { variable.to_owned() } else { format!("{variable}{offset:+}") },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// What a line says holds of the reads, point by point.
    #[test]
    fn lines_say_what_is_read(
        reads in prop::collection::vec((prop::option::weighted(0.9, -2..=2_i64), prop::option::weighted(0.9, -2..=2_i64)), 1..7)
    ) {
        // What is read at one fixed place only is no array computation.
        prop_assume!(reads.iter().any(|read| *read != (None, None)));
        let terms: Vec<String> =
            reads.iter().map(|&(first, second)| format!("c({},{})", index("i", first), index("j", second))).collect();
        let found = inferred(&format!("d(i,j) = {}", terms.join(" + ")));
        // A dimension that is fixed in every read is free; in one that is not, a fixed read is apart.
        let is_fixed = [reads.iter().all(|read| read.0.is_none()), reads.iter().all(|read| read.1.is_none())];
        let seven = Place::Fixed(7).code().expect("it has a place");
        // The first dimension that moves at all is expected to follow `i`.
        let direction = |dimension: usize| match dimension {
            1 if is_fixed[0] => Direction::Along(2),
            _ => Direction::Usual,
        };
        let is_at = |dimension: usize, index: Option<i64>, at: i64| match index {
            None => is_fixed[dimension] || at == seven,
            Some(offset) => Place::Offset(direction(dimension), offset).code() == Some(at),
        };
        let is_read =
            |x: i64, y: i64| reads.iter().any(|(first, second)| is_at(0, *first, x) && is_at(1, *second, y));
        let distinct: BTreeSet<_> = reads.iter().collect();
        prop_assert!(!found.specifications.is_empty());
        for specification in &found.specifications {
            prop_assert_eq!(specification.approximation, Approximation::Exact);
            prop_assert_eq!(specification.read_once, distinct.len() == reads.len());
            let parsed = parse(specification.text.as_bytes()).expect("what is inferred is a specification").line;
            let SpecificationLine::Specification(said) = parsed else { panic!("it is no declaration") };
            let meanings = Meanings { regions: &|_| None, constants: &|_| None, usual: &[] };
            let region = denote(&said.region, 2, &meanings).expect("it has a meaning").union;
            let along = |offset: i64| Place::Offset(Direction::Along(2), offset).code();
            let places = || (-4..=4).chain((-4..=4).filter_map(along)).chain([seven]);
            for (x, y) in places().flat_map(|x| places().map(move |y| (x, y))) {
                let (said, read) = (region.holds(&[x, y]), is_read(x, y));
                prop_assert!(said == read, "{} at ({}, {})", specification.text, x, y);
            }
        }
    }
}
