//! What values flow through on the way to a root.

use oxc_index::define_index_type;

use crate::flow::{Definition, DefinitionKind, Effects, FlowPosition, VariableId};

define_index_type! {
    /// Index of a node. Those of assignments are their positions.
    pub struct NodeId = u32;
}

/// What values flow through.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// An assignment, or the statement at which a function returns.
    Statement(FlowPosition),
    /// What a CALL gives to one of its arguments.
    Called(FlowPosition, VariableId),
    /// What a subroutine gives to a dummy argument, where it returns.
    Returned(FlowPosition, VariableId),
}

impl Node {
    /// The position of the statement.
    pub(super) fn position(self) -> FlowPosition {
        match self {
            Node::Statement(position) | Node::Called(position, _) | Node::Returned(position, _) => position,
        }
    }
}

/// The nodes of a unit: its statements, and behind them the others.
pub(super) struct Nodes {
    statements: usize,
    /// The variables that calls may define, by position.
    called: Vec<(FlowPosition, VariableId)>,
    /// What is asked for where the unit returns.
    returned: Vec<(FlowPosition, VariableId)>,
}

impl Nodes {
    /// Those of a unit with so many statements.
    pub(super) fn new(statements: usize, effects: &Effects) -> Self {
        let called = effects.definitions.iter().filter(|definition| definition.kind == DefinitionKind::Called);
        let mut called: Vec<_> = called.map(|definition| (definition.position, definition.variable)).collect();
        called.sort_unstable();
        called.dedup();
        Nodes { statements, called, returned: Vec::new() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.statements + self.called.len() + self.returned.len()
    }

    pub(super) fn get(&self, id: NodeId) -> Node {
        let Some(at) = id.index().checked_sub(self.statements) else { return Node::Statement(position_of(id)) };
        match self.called.get(at) {
            Some(&(position, variable)) => Node::Called(position, variable),
            None => {
                let (position, variable) = self.returned[at - self.called.len()];
                Node::Returned(position, variable)
            }
        }
    }

    /// The node of the statement at a position.
    pub(super) fn statement(&self, position: FlowPosition) -> NodeId {
        NodeId::from_raw(position.raw())
    }

    /// The position of a node that is a statement.
    pub(super) fn position_of_statement(&self, id: NodeId) -> Option<FlowPosition> {
        (id.index() < self.statements).then(|| position_of(id))
    }

    /// The node of a definition by a CALL.
    pub(super) fn called(&self, definition: Definition) -> Option<NodeId> {
        let at = self.called.binary_search(&(definition.position, definition.variable)).ok()?;
        Some(NodeId::new(self.statements + at))
    }

    /// A new node for what is returned in a variable at a position.
    pub(super) fn return_of(&mut self, position: FlowPosition, variable: VariableId) -> NodeId {
        let id = NodeId::new(self.count());
        self.returned.push((position, variable));
        id
    }
}

fn position_of(id: NodeId) -> FlowPosition {
    FlowPosition::from_raw(id.raw())
}
