//! What is to be known of a procedure where it is called: plain data, without spans and trees.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostics::Rule;
use crate::names::{SymbolId, SymbolType};
use crate::symbolic::{Condition, Term};
use crate::syntax::StatementId;

use super::place::PlaceInfo;
use super::state::Dimension;

/// What is known of a procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: PathBuf,
    /// Its dummy arguments in order.
    pub dummies: Vec<DummyArgument>,
    /// Whether it may change variables that are not its own, other than by its arguments.
    pub changes_shared: bool,
    /// Whether it may end the program.
    pub may_stop: bool,
    /// Whether it has a STOP, or calls a procedure that has one.
    pub has_stop: bool,
    /// Whether each way through it ends the program.
    pub never_returns: bool,
    /// The extents of its result, if they are known; empty for a scalar.
    pub result: Option<Vec<Term>>,
    /// What it takes for granted.
    pub assumptions: Vec<Assumption>,
    /// The equalities of extents that are told where they are needed, in the order of the statements.
    pub equalities: Vec<Condition>,
    /// The places that the terms here speak of, by their numbers.
    pub places: Vec<PlaceInfo>,
}

/// What is known of a dummy argument.
#[derive(Clone, Debug)]
pub struct DummyArgument {
    /// Its name, lower case.
    pub name: String,
    /// Whether the procedure may give it another value.
    pub is_changed: bool,
    /// Its type, if it is known; those that files number are not told.
    pub type_: Option<SymbolType>,
    /// Whether it is an array with an explicit shape (or assumed size).
    pub is_explicit: bool,
    /// Its dimensions, if it is an array whose shape is known.
    pub dimensions: Option<Vec<Dimension>>,
}

/// Something that must hold on entry of a procedure, else it fails.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The rule that would be broken.
    pub rule: &'static Rule,
    /// The line of the statement that demands it.
    pub line: u32,
    /// The file of that line.
    pub file: PathBuf,
    /// What is demanded, in the names of the procedure.
    pub text: String,
    /// What else the statement demands that does not hold whatever the values, with the rules.
    pub others: Vec<(&'static Rule, String)>,
    /// Under what the statement is reached; nothing is said where that is not exact.
    pub guard: Condition,
    /// What must hold then.
    pub condition: Condition,
    /// Whether the guard says exactly when the statement is reached. Otherwise there is nothing but the text.
    pub is_exact: bool,
}

impl Assumption {
    /// All that the statement demands, of which perhaps one part is broken.
    pub fn all_texts(&self) -> String {
        let others = self.others.iter().map(|(_, text)| text.as_str());
        let mut texts: Vec<&str> = std::iter::once(self.text.as_str()).chain(others).collect();
        texts.dedup();
        let left = texts.len().saturating_sub(MOST_TEXTS);
        texts.truncate(MOST_TEXTS);
        let more = if left > 0 { format!(" and {left} more") } else { String::new() };
        format!("{}{more}", texts.join(", "))
    }
}

/// Demands of one statement that are told where it is called.
const MOST_TEXTS: usize = 3;

/// What is known of the procedures that a file calls.
pub trait Callees {
    /// The procedure that a symbol stands for in a statement.
    fn callee(&self, statement: StatementId, symbol: SymbolId) -> Option<Arc<Procedure>>;

    /// Notes for a call which of the equalities that the procedure needs hold there.
    fn note_call(&self, symbol: SymbolId, holding: &[bool]);
}
