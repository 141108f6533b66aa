//! What can't be had by a fixture: a solver that gives up, and one that is wrong.

use std::collections::BTreeSet;
use std::path::Path;

use crate::analysis::stencil::attach::{KnownRegions, ModuleRegions, RegionScopes};
use crate::analysis::stencil::check::*;
use crate::analysis::stencil::infer::Inference;
use crate::analysis::stencil::{attach, computations};
use crate::diagnostics::{Levels, Registry};
use crate::region::{IntegerSet, Unf};
use crate::solve::Answer;
use crate::workspace::{Project, SourceOptions};

/// A solver that always says the same.
struct Stubborn(Answer);

impl Solver for Stubborn {
    fn difference(&mut self, _: &Unf<IntegerSet>, _: &Unf<IntegerSet>) -> Answer {
        self.0.clone()
    }
}

/// Checks a loop in which `b(i) = a(i) + a(i-1)` stands below some specifications.
fn checked(comments: &str, answer: Answer) -> Checked {
    let text = format!(
        "subroutine s(a, b, n)\ninteger :: n, i\nreal :: a(n), b(n)\ndo i = 2, n\n{comments}b(i) = a(i) + a(i-1)\nend do\nend\n"
    );
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(Path::new("s.f90"), text);
    let (tree, resolved) = (view.tree(), view.names());
    let regions = KnownRegions::default();
    let modules = ModuleRegions::new(&project, &regions);
    let specifications = attach::specifications(tree, resolved, modules);
    let wanted: BTreeSet<_> = specifications.attached.iter().map(|attached| attached.statement).collect();
    let computations = computations::computations(tree, resolved, false, &wanted, &computations::NoLibrary);
    let inference = Inference::default();
    let scopes = RegionScopes { tree, resolved, modules, regions: &specifications.regions };
    let input = CheckInput {
        scopes: &scopes,
        specifications: &specifications,
        computations: &computations,
        inference: &inference,
        paper: false,
    };
    let request = CheckRequest {
        require: Require::Nothing,
        registry: Registry::new(&[]),
        levels: &Levels::default(),
        is_checked_itself: &|_| false,
        only: None,
    };
    check(input, &mut Stubborn(answer), request, Vec::new())
}

fn codes(checked: &Checked) -> Vec<&'static str> {
    checked.findings.iter().map(|finding| finding.rule.code).collect()
}

const RIGHT: &str = "!= stencil readOnce, backward(depth=1, dim=1) :: a\n";

#[test]
fn what_is_not_decided_is_no_pass() {
    let result = checked(RIGHT, Answer::Unknown("limit".to_owned()));
    assert_eq!((codes(&result), result.specifications, result.holding), (vec!["S016"], 1, 0));
    assert!(result.broken.contains(&rules::UNDECIDED) && result.findings[0].fix.is_none());
    // A missing `readOnce` is told only of a region that conforms.
    let without = RIGHT.replace("readOnce, ", "");
    assert_eq!(codes(&checked(&without, Answer::Unknown("limit".to_owned()))), ["S016"]);
}

#[test]
fn it_is_the_solver_who_decides() {
    let wrong = RIGHT.replace("backward", "forward");
    let result = checked(&wrong, Answer::Empty);
    assert_eq!((codes(&result), result.holding), (vec![], 1));
    let result = checked(RIGHT, Answer::Witness(vec![5]));
    assert_eq!((codes(&result), result.holding), (vec!["S010"], 0));
}
