//! What an analysis asks of a statement.

use crate::diagnostics::Rule;
use crate::source::Span;
use crate::symbolic::{Condition, Term};

use super::point::Point;
use super::region::RegionId;

/// A condition that must hold whenever a statement is executed, else the program fails there.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The rule that it breaks otherwise.
    pub rule: &'static Rule,
    /// The part of the statement that demands it.
    pub span: Span,
    /// Under what the part is executed, if the statement is.
    pub guard: Condition,
    /// What must hold.
    pub condition: Condition,
    /// The loops inside the statement (FORALL, implied DO) around the part, outermost first.
    pub regions: Vec<RegionId>,
    /// Why.
    pub subject: Subject,
}

/// What a demand is about, for the text of a finding.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A subscript or a bound of a section.
    Subscript(Subscript),
    /// Two shapes that must be the same, as a sentence that says whose they are.
    Shapes {
        /// The text of the first, and its extent.
        left: (String, Term),
        /// The same of the second.
        right: (String, Term),
        /// The dimension, from 1.
        dimension: usize,
    },
    /// Something else: what is needed, and what there is.
    Sizes {
        /// What must be large enough.
        there: Amount,
        /// For what.
        needed: Amount,
    },
    /// What a procedure demands where it is called: its name, the line and the text of what demands it.
    Callee {
        /// Its name.
        procedure: String,
        /// Where the statement stands that demands it: the file, unless it is this one, and the line.
        file: Option<std::path::PathBuf>,
        /// The line.
        line: u32,
        /// What is demanded there.
        text: String,
    },
}

/// How large something is, as a clause: `'x' hands over 5 elements`.
#[derive(Clone, Debug)]
pub struct Amount {
    /// What is said of it: `'x' hands over`.
    pub clause: String,
    /// The number.
    pub number: Term,
    /// Whether it counts elements, which is said.
    pub of_elements: bool,
}

impl Amount {
    /// A number of elements.
    pub fn of_elements(clause: impl Into<String>, number: Term) -> Self {
        Amount { clause: clause.into(), number, of_elements: true }
    }

    /// Another number.
    pub fn new(clause: impl Into<String>, number: Term) -> Self {
        Amount { clause: clause.into(), number, of_elements: false }
    }

    /// The clause, with this for the number.
    pub fn text(&self, number: &str) -> String {
        let unit = match (self.of_elements, number) {
            (false, _) => "",
            (true, "1") => " element",
            (true, _) => " elements",
        };
        format!("{} {number}{unit}", self.clause)
    }
}

/// A subscript with the bounds that it must keep to.
#[derive(Clone, Debug)]
pub struct Subscript {
    /// The reference: `a(i-1,j)`.
    pub reference: String,
    /// The array: `a`.
    pub array: String,
    /// The dimension, from 1, and the rank.
    pub dimension: (usize, usize),
    /// The value.
    pub value: Term,
    /// The lower bound.
    pub lower: Term,
    /// The upper bound, if there is one.
    pub upper: Option<Term>,
}

/// An array that a statement names, of whose extents an equality may be told.
#[derive(Clone, Debug)]
pub struct NamedArray {
    /// Its name.
    pub name: String,
    /// Its extents, those that are known.
    pub extents: Vec<Option<Term>>,
    /// Whether its shape is none that the unit declares, and what demands something of it does so of every caller's.
    pub is_contract: bool,
}

/// What an analysis says of a statement.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// What must hold, in order of evaluation.
    pub demands: Vec<Demand>,
    /// Extents of operands that are taken to be at least 1, where that can be.
    pub operands: Vec<Term>,
    /// The arrays that it names.
    pub arrays: Vec<NamedArray>,
    /// What is certainly so and is not meant to be, though the program does not fail: the rule, the condition under
    /// which it is, and the words.
    pub oddities: Vec<Oddity>,
}

/// Something that a statement does if a condition holds certainly, and that is hardly meant.
#[derive(Clone, Debug)]
pub struct Oddity {
    /// The rule.
    pub rule: &'static Rule,
    /// The part of the statement.
    pub span: Span,
    /// Under what the part is executed, if the statement is.
    pub guard: Condition,
    /// What would have to hold for it to be as meant.
    pub meant: Condition,
    /// The sentence.
    pub message: String,
}

/// An analysis that says what statements demand.
pub trait Source {
    /// What a statement demands.
    fn demands(&self, point: &mut Point<'_, '_>) -> Demands;

    /// The extents of an expression: none of a scalar; `None` if they are not known.
    fn shape(&self, point: &mut Point<'_, '_>, expression: &crate::syntax::Expression) -> Option<Vec<Term>>;
}
