//! What was found out about the scalars of a unit, so that nothing is asked twice.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::index::{Index, IndexSum};
use super::jump::Jump;
use crate::flow::{FlowPosition, LoopId, VariableId};
use crate::names::SymbolId;

/// A position and the scalar that is asked for there.
type Question = (FlowPosition, SymbolId);

/// What was found out about the scalars of a unit.
#[derive(Default)]
pub struct ScalarMemo {
    /// The answers.
    pub(super) known: RefCell<FxHashMap<Question, Option<Rc<[Index]>>>>,
    /// The questions that are being answered.
    pub(super) under_way: RefCell<FxHashSet<Question>>,
    /// Whether there is a way without a definition, in a loop, from a position to another one.
    pub(super) ways: RefCell<FxHashMap<(LoopId, VariableId, FlowPosition, FlowPosition), bool>>,
    /// By what the variable of a loop is divided in it.
    pub(super) divisors: RefCell<FxHashMap<(LoopId, SymbolId), Vec<IndexSum>>>,
    /// The conditional jumps forward.
    pub(super) jumps: OnceCell<Vec<Jump>>,
    /// Number of questions so far.
    pub(super) asked: Cell<usize>,
    /// Whether a chain of assignments was not followed to its end.
    pub(super) was_cut: Cell<bool>,
}
