//! The control-flow graph of a unit: basic blocks and the ways between them.

use oxc_index::{IndexSlice, IndexVec, define_index_type, index_vec};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::loops::LoopNest;
use super::position::FlowPosition;
use crate::intrinsics::{self, Class};
use crate::names::{Resolved, SymbolKind};
use crate::syntax::declarative;
use crate::syntax::{
    Argument, ArgumentValue, Construct, ConstructId, ConstructKind, DoControl, ExpressionKind, IoControl, Literal,
    LiteralKind, Name, RankCase, Reference, Statement, StatementId, StatementKind, Tree, TypeGuard,
};

define_index_type! {
    /// Index of a block in [`ControlFlow::blocks`].
    #[derive(Default)]
    pub struct BlockId = u32;
}

/// A basic block: positions `first..=last` of the unit's own statements.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Position of the first statement.
    pub first: FlowPosition,
    /// Position of the last statement.
    pub last: FlowPosition,
}

/// The control-flow graph of a unit.
#[derive(Clone, Debug, Default)]
pub struct ControlFlow {
    /// The blocks in the order of their first statements.
    pub blocks: IndexVec<BlockId, Block>,
    /// The edges; node *n* is block *n*.
    pub graph: DiGraph<(), ()>,
    /// For each position the block it lies in.
    pub block_of: IndexVec<FlowPosition, BlockId>,
}

impl ControlFlow {
    /// The blocks to which control can go directly from this one.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.graph.neighbors(NodeIndex::new(block.index())).map(|node| BlockId::new(node.index()))
    }

    /// The blocks from which control can come directly to this one.
    pub fn predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.graph
            .neighbors_directed(NodeIndex::new(block.index()), petgraph::Direction::Incoming)
            .map(|node| BlockId::new(node.index()))
    }

    /// The blocks from which depth-first search starts, each with those it finds, in the order in which they are found,
    /// each with the block it was found from. It starts at the first block, and then at the first that was not found
    /// yet.
    pub fn preorder(&self) -> Vec<(BlockId, Option<BlockId>)> {
        let mut order = Vec::with_capacity(self.blocks.len());
        let mut found: IndexVec<BlockId, bool> = index_vec![false; self.blocks.len()];
        let mut pending: Vec<(BlockId, Option<BlockId>)> = Vec::new();
        for start in self.blocks.indices() {
            pending.push((start, None));
            while let Some((block, from)) = pending.pop() {
                if std::mem::replace(&mut found[block], true) {
                    continue;
                }
                order.push((block, from));
                let next = self.graph.neighbors(NodeIndex::new(block.index())).map(|node| BlockId::new(node.index()));
                pending.extend(next.filter(|&next| !found[next]).map(|next| (next, Some(block))));
            }
        }
        order
    }
}

/// Builds the graph. `statements` are the unit's own executable and other statements in order.
pub fn control_flow(
    tree: &Tree,
    resolved: &Resolved,
    statements: &IndexSlice<FlowPosition, [StatementId]>,
    loops: &LoopNest,
) -> ControlFlow {
    let successors = Successors::new(tree, resolved, statements).all();
    let count = statements.len();
    let mut leader: IndexVec<FlowPosition, bool> = index_vec![false; count];
    if let Some(first) = leader.first_mut() {
        *first = true;
    }
    // A loop begins a block even if nothing leads back to it.
    loops.loops.iter().for_each(|of| leader[of.first] = true);
    for (position, targets) in successors.iter_enumerated() {
        let falls_through = targets.as_slice() == [position + 1];
        if falls_through {
            continue;
        }
        for &target in targets {
            leader[target] = true;
        }
        if position + 1 < count {
            leader[position + 1] = true;
        }
    }
    let mut flow = ControlFlow { block_of: index_vec![BlockId::default(); count], ..ControlFlow::default() };
    for position in statements.indices() {
        match flow.blocks.last_mut() {
            Some(block) if !leader[position] => block.last = position,
            _ => {
                flow.blocks.push(Block { first: position, last: position });
            }
        }
        flow.block_of[position] = flow.blocks.last_idx();
    }
    flow.graph = DiGraph::with_capacity(flow.blocks.len(), 2 * flow.blocks.len());
    for _ in &flow.blocks {
        flow.graph.add_node(());
    }
    for (index, block) in flow.blocks.iter_enumerated() {
        let mut before = None;
        for &target in &successors[block.last] {
            let target = flow.block_of[target];
            // The positions are in order, so the blocks are, too.
            if before.replace(target) != Some(target) {
                flow.graph.add_edge(NodeIndex::new(index.index()), NodeIndex::new(target.index()), ());
            }
        }
    }
    flow
}

/// The positions to which control can go directly from a statement.
type Targets = SmallVec<[FlowPosition; 2]>;

/// Finds where control goes after each statement.
struct Successors<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    statements: &'t IndexSlice<FlowPosition, [StatementId]>,
    /// Position of each labelled statement.
    labels: FxHashMap<u32, FlowPosition>,
    /// Labels that an ASSIGN statement names: where an assigned GO TO without a list may go.
    assigned: Vec<u32>,
}

impl<'t> Successors<'t> {
    fn new(tree: &'t Tree, resolved: &'t Resolved, statements: &'t IndexSlice<FlowPosition, [StatementId]>) -> Self {
        let mut labels = FxHashMap::default();
        let mut assigned = Vec::new();
        for (position, &id) in statements.iter_enumerated() {
            let statement = &tree.statements[id];
            if let Some(label) = statement.label {
                labels.entry(label).or_insert(position);
            }
            if let StatementKind::Assign(label, _) = statement.kind {
                assigned.push(label);
            }
        }
        Successors { tree, resolved, statements, labels, assigned }
    }

    fn all(&self) -> IndexVec<FlowPosition, Targets> {
        self.statements.indices().map(|position| self.of(position)).collect()
    }

    /// Position of a statement, or of the first behind it that the unit owns.
    fn position(&self, id: StatementId) -> FlowPosition {
        FlowPosition::new(self.statements.as_raw_slice().partition_point(|&other| other < id))
    }

    fn of(&self, position: FlowPosition) -> Targets {
        let id = self.statements[position];
        let statement = &self.tree.statements[id];
        let mut targets = self.targets(position, id, statement);
        targets.retain(|target| *target < self.statements.len());
        if targets.len() > 1 {
            targets.sort_unstable();
            targets.dedup();
        }
        targets
    }

    fn targets(&self, position: FlowPosition, id: StatementId, statement: &Statement) -> Targets {
        if let Some(construct) = self.tree.construct_of[id] {
            let shape = &self.tree.constructs[construct];
            if is_header(shape, id) && shape.headers.first() != Some(&id) && !is_sequential(shape.kind) {
                return self.branches_from(id, shape);
            }
            if shape.headers.first() == Some(&id) {
                return self.opening(id, statement, construct, shape);
            }
            if shape.kind == ConstructKind::Do && shape.end == Some(id) {
                return self.loop_again(construct);
            }
        }
        self.action(position, id, &statement.kind)
    }

    /// Where control goes from the opening statement of a construct.
    fn opening(&self, id: StatementId, statement: &Statement, construct: ConstructId, shape: &Construct) -> Targets {
        match shape.kind {
            ConstructKind::If | ConstructKind::SelectCase | ConstructKind::SelectRank | ConstructKind::SelectType => {
                self.branches_from(id, shape)
            }
            ConstructKind::Do => {
                let forever = matches!(&statement.kind, StatementKind::Do { control: DoControl::Forever, .. });
                let mut targets = smallvec![self.position(id) + 1];
                if !forever {
                    targets.extend(self.after_construct(construct));
                }
                targets
            }
            ConstructKind::Associate
            | ConstructKind::Block
            | ConstructKind::ChangeTeam
            | ConstructKind::Critical
            | ConstructKind::DerivedType
            | ConstructKind::Enum
            | ConstructKind::Forall
            | ConstructKind::Interface
            | ConstructKind::Map
            | ConstructKind::Structure
            | ConstructKind::Union
            | ConstructKind::Where => smallvec![self.position(id) + 1],
        }
    }

    /// From a header of a branching construct: into its own body, and to the next header or behind the construct. Every
    /// CASE can be reached from SELECT; there is no way from one CASE header to the next.
    fn branches_from(&self, id: StatementId, shape: &Construct) -> Targets {
        let end = self.position(shape.end.unwrap_or(shape.last + 1));
        let index = shape.headers.binary_search(&id).unwrap_or(0);
        if shape.kind == ConstructKind::If {
            let mut targets = smallvec![self.position(id) + 1];
            let is_else = matches!(self.tree.statements[id].kind, StatementKind::Else(_));
            match shape.headers.get(index + 1) {
                Some(&next) => targets.push(self.position(next)),
                None if !is_else => targets.push(end),
                None => {}
            }
            return self.inside_or_end(targets, shape, end);
        }
        if index > 0 {
            return self.inside_or_end(smallvec![self.position(id) + 1], shape, end);
        }
        let mut targets: Targets = shape.headers[1..].iter().map(|&header| self.position(header)).collect();
        let has_default = shape.headers[1..].iter().any(|&header| self.is_default(header));
        if !has_default {
            targets.push(end);
        }
        targets
    }

    /// An empty branch body is followed by the next header: control goes to the end instead.
    fn inside_or_end(&self, targets: Targets, shape: &Construct, end: FlowPosition) -> Targets {
        let body = targets.first().copied();
        let skip = |target: FlowPosition| {
            let id = self.statements.get(target).copied();
            let is_header = id.is_some_and(|id| is_header(shape, id));
            if Some(target) == body && is_header { end } else { target }
        };
        let mut replaced: Targets = targets.iter().skip(1).copied().collect();
        replaced.extend(body.map(skip));
        replaced
    }

    fn is_default(&self, header: StatementId) -> bool {
        let kind = &self.tree.statements[header].kind;
        matches!(kind, StatementKind::Case { ranges, .. } if ranges.is_empty())
            || matches!(kind, StatementKind::TypeGuard(TypeGuard::Default, _))
            || matches!(kind, StatementKind::RankCase(RankCase::Default, _))
    }

    /// Where an action statement leads.
    fn action(&self, position: FlowPosition, id: StatementId, kind: &StatementKind) -> Targets {
        use StatementKind as Kind;
        match kind {
            Kind::If { action, .. } => {
                let mut targets = self.action(position, id, &action.kind);
                targets.extend(self.following(position, id));
                targets
            }
            Kind::GoTo(label) => self.label(*label).into_iter().collect(),
            Kind::ComputedGoTo(labels, _) => {
                let mut targets: Targets = labels.iter().filter_map(|&label| self.label(label)).collect();
                targets.extend(self.following(position, id));
                targets
            }
            Kind::AssignedGoTo(_, labels) => {
                let labels = if labels.is_empty() { &self.assigned } else { labels };
                labels.iter().filter_map(|&label| self.label(label)).collect()
            }
            Kind::ArithmeticIf(_, labels) => labels.iter().filter_map(|&label| self.label(label)).collect(),
            Kind::Return(_) | StatementKind::Stop { .. } => Targets::new(),
            Kind::Cycle(name) => match self.enclosing_loop(id, name.map(|name| name.name)) {
                Some(construct) => self.loop_again(construct),
                None => self.following(position, id),
            },
            Kind::Exit(name) => match self.exited(id, name.map(|name| name.name)) {
                Some(construct) => self.after_construct(construct),
                None => self.following(position, id),
            },
            Kind::Call { procedure } if self.ends_program(id, procedure) => Targets::new(),
            Kind::Call { procedure } => {
                let lists = procedure.parts.iter().flat_map(|part| &part.lists);
                let returns = lists.flat_map(|list| &list.items).filter_map(alternate_return);
                let mut targets: Targets = returns.filter_map(|label| self.label(label)).collect();
                targets.extend(self.following(position, id));
                targets
            }
            Kind::InputOutput(transfer) => {
                let labels = transfer.control.iter().filter_map(|control| self.branch_label(control));
                let mut targets: Targets = labels.filter_map(|label| self.label(label)).collect();
                targets.extend(self.following(position, id));
                targets
            }
            // What is not known goes on like what is: a statement that was not understood would else cut off all that
            // follows.
            Kind::Unparsed(_)
            | Kind::MacroStatement(_)
            | Kind::Assignment { .. }
            | Kind::PointerAssignment { .. }
            | Kind::Allocate { .. }
            | Kind::Deallocate { .. }
            | Kind::Nullify(_)
            | Kind::Assign(..)
            | Kind::Continue
            | Kind::Pause(_)
            | Kind::ImageControl { .. }
            | Kind::Where { .. }
            | Kind::Forall { .. } => self.following(position, id),
            // Headers and ends that lead elsewhere were met before, by their constructs.
            Kind::IfThen(_)
            | Kind::ElseIf(..)
            | Kind::Else(_)
            | Kind::Do { .. }
            | Kind::SelectCase(_)
            | Kind::Case { .. }
            | Kind::SelectType(_)
            | Kind::TypeGuard(..)
            | Kind::SelectRank(_)
            | Kind::RankCase(..)
            | Kind::WhereConstruct(_)
            | Kind::ElseWhere(..)
            | Kind::ForallConstruct(_)
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical(_)
            | Kind::ChangeTeam { .. }
            | Kind::End { .. } => self.following(position, id),
            // Not executed.
            declarative!() | Kind::CrayPointer(_) => self.following(position, id),
        }
    }

    /// The intrinsic subroutines EXIT and ABORT (GNU, DEC) don't return.
    fn ends_program(&self, id: StatementId, procedure: &Reference) -> bool {
        let [part] = procedure.parts.as_slice() else { return false };
        intrinsics::subroutine(self.tree.names.text(part.name.name)).is_some_and(|row| row.class == Class::Terminating)
            && self
                .resolved
                .symbol_at(id, part.name.name)
                .is_some_and(|symbol| matches!(self.resolved.symbol(symbol).kind, SymbolKind::Intrinsic))
    }

    /// `err=`, `end=`, `eor=` of an I/O statement.
    fn branch_label(&self, control: &IoControl) -> Option<u32> {
        let keyword = self.tree.names.text(control.keyword?.name);
        let value = control.value.as_ref().filter(|_| matches!(keyword, "err" | "end" | "eor"))?;
        let ExpressionKind::Literal(Literal { kind: LiteralKind::Integer(label), .. }) = &value.kind else {
            return None;
        };
        u32::try_from((*label)?).ok()
    }

    fn label(&self, label: u32) -> Option<FlowPosition> {
        self.labels.get(&label).copied()
    }

    /// Where control goes behind an ordinary statement. One that ends a labelled DO without END DO, or ends a construct
    /// that does ("10 END IF"), leads back to the loop's header; any other to the next position, or, in front of a
    /// further header of a branching construct, to the end of that construct.
    fn following(&self, position: FlowPosition, id: StatementId) -> Targets {
        let mut ending = self.tree.construct_of[id];
        while let Some(construct) = ending {
            let shape = &self.tree.constructs[construct];
            if shape.last != id {
                break;
            }
            if shape.kind == ConstructKind::Do && shape.end.is_none() {
                return self.loop_again(construct);
            }
            ending = shape.parent;
        }
        self.not_into_next_branch(position + 1)
    }

    /// The position itself; if a further header of a branching construct stands there, the end of that construct.
    fn not_into_next_branch(&self, next: FlowPosition) -> Targets {
        let Some(&next_id) = self.statements.get(next) else { return smallvec![next] };
        let Some(construct) = self.tree.construct_of[next_id] else { return smallvec![next] };
        let shape = &self.tree.constructs[construct];
        let further = shape.headers.first() != Some(&next_id) && is_header(shape, next_id);
        if further && !is_sequential(shape.kind) {
            return smallvec![self.position(shape.end.unwrap_or(shape.last + 1))];
        }
        smallvec![next]
    }

    /// Back to the header of a loop.
    fn loop_again(&self, construct: ConstructId) -> Targets {
        let header = self.tree.constructs[construct].headers.first();
        header.map(|&header| self.position(header)).into_iter().collect()
    }

    /// Where control goes when a construct is left: behind its last statement, or back to the loop that ends there too.
    fn after_construct(&self, construct: ConstructId) -> Targets {
        let shape = &self.tree.constructs[construct];
        let mut outer = shape.parent;
        while let Some(current) = outer {
            let enclosing = &self.tree.constructs[current];
            if enclosing.last != shape.last {
                break;
            }
            if enclosing.kind == ConstructKind::Do {
                return self.loop_again(current);
            }
            outer = enclosing.parent;
        }
        self.not_into_next_branch(self.position(shape.last + 1))
    }

    /// The loop that CYCLE continues: the named one or the innermost.
    fn enclosing_loop(&self, id: StatementId, name: Option<Name>) -> Option<ConstructId> {
        self.enclosing(id).find(|&construct| {
            let is_loop = self.tree.constructs[construct].kind == ConstructKind::Do;
            is_loop && (name.is_none() || self.construct_name(construct) == name)
        })
    }

    /// The construct that EXIT leaves: the named one, whatever it is, or the innermost loop.
    fn exited(&self, id: StatementId, name: Option<Name>) -> Option<ConstructId> {
        match name {
            None => self.enclosing_loop(id, None),
            Some(_) => self.enclosing(id).find(|&construct| self.construct_name(construct) == name),
        }
    }

    fn enclosing(&self, id: StatementId) -> impl Iterator<Item = ConstructId> + '_ {
        std::iter::successors(self.tree.construct_of[id], |&construct| self.tree.constructs[construct].parent)
    }

    fn construct_name(&self, construct: ConstructId) -> Option<Name> {
        let header = *self.tree.constructs[construct].headers.first()?;
        self.tree.statements[header].construct_name.map(|name| name.name)
    }
}

fn alternate_return(argument: &Argument) -> Option<u32> {
    if let ArgumentValue::AlternateReturn(label) = argument.value { Some(label) } else { None }
}

/// Whether a statement is one of the headers of a construct, which are in order.
fn is_header(shape: &Construct, id: StatementId) -> bool {
    shape.headers.binary_search(&id).is_ok()
}

/// Whether control passes the further headers of a construct one after the other (ELSEWHERE, CONTAINS of a type).
fn is_sequential(kind: ConstructKind) -> bool {
    match kind {
        ConstructKind::If | ConstructKind::SelectCase | ConstructKind::SelectRank | ConstructKind::SelectType => false,
        ConstructKind::Associate
        | ConstructKind::Block
        | ConstructKind::ChangeTeam
        | ConstructKind::Critical
        | ConstructKind::DerivedType
        | ConstructKind::Do
        | ConstructKind::Enum
        | ConstructKind::Forall
        | ConstructKind::Interface
        | ConstructKind::Map
        | ConstructKind::Structure
        | ConstructKind::Union
        | ConstructKind::Where => true,
    }
}
