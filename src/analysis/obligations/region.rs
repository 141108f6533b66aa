//! The loops of a unit as regions of its statements: each iteration of a region gives values of their own to the places
//! that come about in it.
//!
//! Besides DO constructs these are the loops that GO TO makes: what lies between a statement and a later one from
//! which control goes back to it. A unit in which control enters a loop elsewhere than at its first statement is not
//! followed.

use oxc_index::{IndexVec, define_index_type};
use rustc_hash::FxHashMap;

use crate::flow::{BlockId, FlowPosition, LoopId, UnitFlow};
use crate::symbolic::{Condition, Place, Term};
use crate::syntax::{Name, StatementKind, Tree};

define_index_type! {
    /// Index of a region of one unit; the first is the unit itself.
    #[derive(Default)]
    pub struct RegionId = u32;
}

/// A region.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The region around it.
    pub parent: Option<RegionId>,
    /// Its first statement.
    pub first: FlowPosition,
    /// Its last statement.
    pub end: FlowPosition,
    /// The DO construct that it is.
    pub of_loop: Option<LoopId>,
    /// Whether control may leave it otherwise than by the end of its iterations.
    pub is_left_early: bool,
    /// Where control goes if it leaves it early; `None` stands for the end of the unit.
    pub exits: Vec<Option<BlockId>>,
    /// What it counts, once control has come to it.
    pub counters: Vec<Counter>,
    /// The names that stand for what it counts inside it and nowhere else (DO CONCURRENT, FORALL, implied DO).
    pub names: Vec<(Name, Term)>,
    /// The values of places of its first iteration, other than counters.
    pub first_values: Vec<(Place, Term)>,
    /// Whether control comes to it at all.
    pub entered: Option<Condition>,
    /// That it ends by the end of its iterations, where it may be left early.
    pub ends_normally: Option<Place>,
}

/// What a region counts.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The place that differs in each iteration.
    pub place: Place,
    /// The variable.
    pub name: String,
    /// The value of the variable.
    pub value: Term,
    /// The place of the first iteration.
    pub first: Term,
    /// The place of the last iteration, if it can be said.
    pub last: Option<Term>,
    /// The value of the variable in the first iteration.
    pub lower: Term,
    /// The value that it does not go beyond.
    pub upper: Term,
}

/// Which iteration of a loop: for each of its counters whether it has its last value and not the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Iteration {
    /// The loop.
    pub region: RegionId,
    /// A bit for each counter.
    pub lasts: usize,
}

/// Terms that take the places of others in some iterations.
#[derive(Debug)]
pub struct Replacement {
    /// The terms by place.
    pub terms: FxHashMap<Place, Term>,
    /// What conditions become with them that statements are reached under.
    pub parts: FxHashMap<Condition, Condition>,
    /// Places of this loop and those inside it are others in each of its iterations.
    pub around: RegionId,
}

define_index_type! {
    /// Index of a replacement of one unit.
    pub struct ReplacementId = u32;
}

/// What places are in iterations that were asked about.
#[derive(Debug, Default)]
pub struct Replacements {
    /// All of them.
    pub all: IndexVec<ReplacementId, Replacement>,
    /// Their numbers by the iterations; `None` where that can't be said.
    pub numbers: FxHashMap<Vec<Iteration>, Option<ReplacementId>>,
    /// Places that took those of others, of which it is not found out yet what always holds of them.
    pub undefined: FxHashMap<Place, (Place, ReplacementId)>,
}

/// The regions of a unit.
pub type Regions = IndexVec<RegionId, Region>;

/// Finds the regions, outer ones before inner ones; `None` if control enters a loop elsewhere than at its beginning.
pub fn regions(tree: &Tree, flow: &UnitFlow) -> Option<Regions> {
    let ranges = ranges(tree, flow)?;
    let last = FlowPosition::new(flow.statements.len().saturating_sub(1));
    let whole = Region { end: last, ..Region::default() };
    let mut regions = Regions::from_vec(vec![whole]);
    let mut open = vec![RegionId::new(0)];
    for (first, end, of_loop) in ranges {
        while open.len() > 1 && open.last().is_some_and(|&around| regions[around].end < first) {
            open.pop();
        }
        let region = Region { parent: open.last().copied(), first, end, of_loop, ..Region::default() };
        open.push(regions.push(region));
    }
    note_exits(tree, flow, &mut regions);
    Some(regions)
}

type Range = (FlowPosition, FlowPosition, Option<LoopId>);

fn ranges(tree: &Tree, flow: &UnitFlow) -> Option<Vec<Range>> {
    let is_do = |id: LoopId| {
        let of = &flow.loops.loops[id];
        matches!(tree.statements[of.header].kind, StatementKind::Do { .. })
    };
    let of_do = flow.loops.loops.indices().filter(|&id| is_do(id));
    let mut loops: Vec<Range> =
        of_do.map(|id| (flow.loops.loops[id].first, flow.loops.loops[id].end, Some(id))).collect();
    let blocks = &flow.control.blocks;
    let mut by_goto: Vec<(FlowPosition, FlowPosition)> = Vec::new();
    for (source, block) in blocks.iter_enumerated() {
        for target in flow.control.successors(source).filter(|&target| target <= source) {
            let (first, end) = (blocks[target].first, block.last);
            if !loops.iter().any(|&(header, last, _)| header == first && end <= last) {
                by_goto.push((first, end));
            }
        }
    }
    // Each is made as large as what it overlaps, until all are nested.
    loop {
        let mut changed = false;
        for at in 0..by_goto.len() {
            let (mut first, mut end) = by_goto[at];
            let others = loops.iter().map(|&(first, end, _)| (first, end)).chain(by_goto.iter().copied());
            for (other_first, other_end) in others.collect::<Vec<_>>() {
                let overlaps = other_first <= end && first <= other_end;
                let is_nested =
                    (other_first <= first && end <= other_end) || (first <= other_first && other_end <= end);
                if overlaps && !is_nested {
                    (first, end) = (first.min(other_first), end.max(other_end));
                }
            }
            changed |= by_goto[at] != (first, end);
            by_goto[at] = (first, end);
        }
        if !changed {
            break;
        }
    }
    by_goto.sort_unstable();
    by_goto.dedup();
    loops.extend(by_goto.into_iter().map(|(first, end)| (first, end, None)));
    loops.sort_by_key(|&(first, end, of_loop)| (first, std::cmp::Reverse(end), of_loop.is_some()));
    let enters_inside = |&(first, end, _): &Range| {
        blocks.iter_enumerated().any(|(source, block)| {
            block.last < first
                && flow.control.successors(source).any(|target| {
                    let to = blocks[target].first;
                    first < to && to <= end
                })
        })
    };
    // A loop whose first statement stands inside a block can't be: back edges lead to the beginnings of blocks.
    if loops.iter().any(enters_inside) { None } else { Some(loops) }
}

/// Notes where control leaves each region early.
fn note_exits(tree: &Tree, flow: &UnitFlow, regions: &mut Regions) {
    let blocks = &flow.control.blocks;
    for region in regions.iter_mut().skip(1) {
        let (first, end) = (region.first, region.end);
        for (source, block) in blocks.iter_enumerated() {
            if block.first < first || block.first > end {
                continue;
            }
            let is_header = region.of_loop.is_some() && block.first == first;
            let mut has_next = false;
            for target in flow.control.successors(source) {
                has_next = true;
                let to = blocks[target].first;
                if (to < first || to > end) && !is_header {
                    region.exits.push(Some(target));
                }
            }
            let last = &tree.statements[flow.statements[block.last]].kind;
            let action = last.executed();
            let ends = matches!(action, StatementKind::Return(_) | StatementKind::Stop { .. });
            if !has_next || ends {
                region.exits.push(None);
            }
        }
        region.exits.sort_unstable();
        region.exits.dedup();
        region.is_left_early = !region.exits.is_empty();
    }
}

/// The regions around a position, outermost first, the unit itself left out.
pub fn chain(regions: &Regions, position: FlowPosition) -> Vec<RegionId> {
    // Inner ones come later; those around a position are nested.
    let around = regions.iter_enumerated().skip(1);
    around.filter(|(_, region)| region.first <= position && position <= region.end).map(|(id, _)| id).collect()
}

/// Whether a region is another one or lies inside it.
pub fn is_within(regions: &Regions, region: RegionId, around: RegionId) -> bool {
    std::iter::successors(Some(region), |&id| regions[id].parent).any(|id| id == around)
}
