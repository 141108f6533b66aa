//! What is to be known of a procedure where it is called: plain data, without spans and trees.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostics::Rule;
use crate::names::{SymbolId, SymbolType};
use crate::symbolic::{Condition, Term};
use crate::syntax::{Reference, StatementId};

use super::place::{PlaceInfo, Root};
use super::state::Dimension;

/// What is known of a procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: PathBuf,
    /// Whether it is ELEMENTAL.
    pub is_elemental: bool,
    /// Its dummy arguments in order.
    pub dummies: Vec<DummyArgument>,
    /// The variables that are not its own and that it may change, other than by its arguments.
    pub shared_changes: SharedChanges,
    /// Whether it may end the program.
    pub may_stop: bool,
    /// Whether it has a STOP, or calls a procedure that has one.
    pub has_stop: bool,
    /// Under what it comes back.
    pub returns: Returns,
    /// The extents of its result, if they are known; empty for a scalar.
    pub result: Option<Vec<Term>>,
    /// What it takes for granted.
    pub assumptions: Vec<Assumption>,
    /// The equalities of extents that are told where they are needed, in the order of the statements.
    pub equalities: Vec<Condition>,
    /// The places that the terms here speak of, by their numbers.
    pub places: Vec<PlaceInfo>,
}

/// Under what a procedure comes back, in terms of what there is on entry.
#[derive(Clone, Debug)]
pub struct Returns {
    /// What holds whenever it does.
    pub condition: Condition,
    /// Whether it does whenever that holds.
    pub is_exact: bool,
}

impl Procedure {
    /// A procedure of which no more is known: it takes nothing for granted that is told, and comes back.
    pub fn expected(parts: SummaryParts) -> Self {
        let SummaryParts { name, file, is_elemental, dummies, result, shared_changes, may_stop, has_stop } = parts;
        Procedure {
            name,
            file,
            is_elemental,
            dummies,
            shared_changes,
            may_stop,
            has_stop,
            returns: Returns { condition: Condition::True, is_exact: false },
            result,
            assumptions: Vec::new(),
            equalities: Vec::new(),
            places: Vec::new(),
        }
    }
}

/// Whether one of some procedures may end the program; of one of which nothing is known it is taken that it may.
pub fn one_may_stop(procedures: &[Option<Arc<Procedure>>]) -> bool {
    procedures.iter().any(|procedure| procedure.as_ref().is_none_or(|procedure| procedure.may_stop))
}

/// What of a procedure is known without its statements.
#[derive(Clone, Debug)]
pub struct SummaryParts {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Whether it is ELEMENTAL.
    pub is_elemental: bool,
    /// Its dummy arguments, in terms of its places.
    pub dummies: Vec<DummyArgument>,
    /// The extents of its result.
    pub result: Option<Vec<Term>>,
    /// What it may change that is not its own.
    pub shared_changes: SharedChanges,
    /// Whether it may end the program.
    pub may_stop: bool,
    /// Whether it has a STOP, or calls a procedure that has one.
    pub has_stop: bool,
}

/// Variables that may change, of modules, COMMON blocks and hosts.
#[derive(Clone, Default, Debug)]
pub struct SharedChanges {
    /// Whether it may be any.
    any: bool,
    /// Whether those in COMMON blocks may change, whatever each unit calls them.
    in_common: bool,
    /// Those of modules, by the names of [`Root::Global`].
    of_modules: BTreeSet<String>,
}

/// Variables of modules that a procedure changes and that are told one by one.
const MOST_SHARED: usize = 64;

impl SharedChanges {
    /// Of a procedure of which nothing is known.
    pub fn any() -> Self {
        SharedChanges { any: true, ..SharedChanges::default() }
    }

    /// Takes a variable.
    pub fn add(&mut self, root: Root, is_in_common: bool) {
        match root {
            _ if is_in_common => self.in_common = true,
            Root::Global(name) => {
                self.of_modules.insert(name);
            }
            Root::Dummy(_) | Root::Local => self.any = true,
        }
        self.limit();
    }

    /// Takes those that another procedure may change.
    pub fn add_all(&mut self, others: &SharedChanges) {
        self.any |= others.any;
        self.in_common |= others.in_common;
        if !self.any {
            self.of_modules.extend(others.of_modules.iter().cloned());
        }
        self.limit();
    }

    fn limit(&mut self) {
        self.any |= self.of_modules.len() > MOST_SHARED;
        if self.any {
            self.of_modules.clear();
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        !self.any && !self.in_common && self.of_modules.is_empty()
    }

    /// Whether a variable is, or may be, among them; `root` says what others call it.
    pub fn has(&self, is_in_common: bool, root: impl FnOnce() -> Root) -> bool {
        if self.any || is_in_common {
            return self.any || self.in_common;
        }
        match root() {
            Root::Global(name) => self.of_modules.contains(&name),
            // It is not known what others call it.
            Root::Dummy(_) | Root::Local => !self.is_empty(),
        }
    }
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
    /// Whether it is a structure.
    pub is_structure: bool,
    /// Whether it is OPTIONAL.
    pub is_optional: bool,
    /// Its rank; `None` if that is assumed, and of a procedure.
    pub rank: Option<u8>,
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
    /// The procedures of which a reference in a statement by a symbol may mean any: the specific ones of a generic name
    /// that its arguments allow, or the one that it is the name of; `None` for one of which nothing is known.
    fn callees(&self, statement: StatementId, symbol: SymbolId, reference: &Reference) -> Vec<Option<Arc<Procedure>>>;

    /// The procedure that such a reference means, if it is known which one.
    fn callee(&self, statement: StatementId, symbol: SymbolId, reference: &Reference) -> Option<Arc<Procedure>> {
        match self.callees(statement, symbol, reference).as_slice() {
            [Some(only)] => Some(Arc::clone(only)),
            _ => None,
        }
    }

    /// Notes for a call which of the equalities that the procedure needs hold there.
    fn note_call(&self, symbol: SymbolId, holding: &[bool]);
}
