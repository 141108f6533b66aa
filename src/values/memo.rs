//! What was found out about the scalars of a unit, so that nothing is asked twice.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::index::Index;
use crate::flow::{FlowPosition, LoopId, VariableId};
use crate::names::SymbolId;

/// A position and the scalar that is asked for there.
type Question = (FlowPosition, SymbolId);

/// What was found out about the scalars of a unit.
#[derive(Default)]
pub struct ScalarMemo {
    pub(super) known: RefCell<FxHashMap<Question, Option<Rc<[Index]>>>>,
    pub(super) under_way: RefCell<FxHashSet<Question>>,
    /// Whether there is a way without a definition, in a loop, from a position to another one.
    pub(super) ways: RefCell<FxHashMap<(LoopId, VariableId, FlowPosition, FlowPosition), bool>>,
    pub(super) asked: Cell<usize>,
    /// References that were replaced by what they stand for.
    pub(super) inlined: Cell<usize>,
    pub(super) was_cut: Cell<bool>,
}
