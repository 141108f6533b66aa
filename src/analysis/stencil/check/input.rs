//! What a check starts from and what comes of it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::analysis::stencil::attach::{RegionScopes, Specifications};
use crate::analysis::stencil::computations::Computation;
use crate::analysis::stencil::infer::{Covered, Inference};
use crate::diagnostics::{Finding, Levels, Location, Registry, Rule};
use crate::source::Span;
use crate::syntax::StatementId;

/// Which computations must have a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Require {
    /// None.
    #[default]
    Nothing,
    /// Those for whose arrays more can be said than `pointed`.
    Nontrivial,
    /// All for whose arrays something can be said.
    All,
}

/// Which claims are meant: those on an array, by its name in lower case, of the computation at a place.
pub type ClaimFilter<'o> = dyn Fn(&Location, &str) -> bool + 'o;

/// What is asked of a file, and what of it is not told.
#[derive(Clone, Copy)]
pub struct CheckRequest<'d> {
    /// Which computations must have a specification.
    pub require: Require,
    /// The rules that there are.
    pub registry: Registry,
    /// The levels of the rules. What is off is not told, and not fixed.
    pub levels: &'d Levels,
    /// Whether a file is checked by itself too: what is not compiled of it is no matter of a file that includes it.
    pub is_checked_itself: &'d dyn Fn(&Path) -> bool,
    /// If given, of which claims alone to tell.
    pub only: Option<&'d ClaimFilter<'d>>,
}

/// What a file holds: its tree and names, what its comments specify, and its computations, among which is every
/// statement that a specification stands above.
#[derive(Clone, Copy)]
pub struct CheckInput<'s> {
    /// The tree, the names and the region variables.
    pub scopes: &'s RegionScopes<'s>,
    /// What the comments say.
    pub specifications: &'s Specifications,
    /// What the code reads.
    pub computations: &'s [Computation],
    /// What inference says of it.
    pub inference: &'s Inference,
    /// Whether to do as CamFort does.
    pub paper: bool,
}

impl CheckInput<'_> {
    /// Where the source of a statement is.
    pub fn statement_span(&self, statement: StatementId) -> Span {
        self.scopes.tree.statements[statement].span
    }

    /// Where a statement stands.
    pub fn place_of(&self, statement: StatementId) -> Location {
        Location::of(&self.scopes.tree.source.texts, self.statement_span(statement))
    }
}

/// What came of checking a file.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What is wrong, by place.
    pub findings: Vec<Finding>,
    /// The arrays that a specification speaks of, rightly or not.
    pub covered: Covered,
    /// The rules by which something in the named file is an error that no comment allows, whatever the configuration
    /// makes of them.
    pub broken: BTreeSet<&'static Rule>,
    /// Number of stencil and access specifications among the comments, malformed ones included.
    pub specifications: usize,
    /// Number of them that were verified and hold for each of their arrays.
    pub holding: usize,
}
