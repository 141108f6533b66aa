//! Any union of products of offsets and fixed indices, as the fewest products of what region constants denote.
//!
//! Each dimension is cut into *blocks* where it can matter that an interval ends: at the ends of all sets of the union,
//! at the origin, and at the mirror images of the ends, for centered intervals; fixed indices are blocks each by
//! itself. What is in no block is alike. A set is then a tree of the dimensions with a child for each block and one for
//! what is in none, equal parts shared: so each set has one form, and depth costs nothing. A *cell* is one way down the
//! tree.

use super::budget::{Budget, Exhausted};
use super::cover::least_cover;
use super::integers::IntegerSet;
use super::interval::Interval;
use super::line::{Direction, Place};
use super::maximal::{Sections, maximal_products};
use super::scheme::{Component, IntervalScheme};
use super::unf::Unf;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The number of a set; equal sets have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct SetId(u32);

/// No vector.
const EMPTY: SetId = SetId(0);
/// The one vector without components.
const UNIT: SetId = SetId(1);

/// What a set holds of the other dimensions over each block of its first, and over what is in no block (the last).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    dimension: usize,
    children: Vec<SetId>,
}

/// One dimension.
#[derive(Debug)]
struct Dimension {
    /// First and last place of each block, in order.
    blocks: Vec<(Place, Place)>,
    /// The intervals that consist of blocks.
    intervals: Vec<Interval>,
}

/// The least union of products of printable intervals that is this union.
pub(super) fn least_products(union: &Unf<IntegerSet>, budget: &mut Budget) -> Result<Vec<IntervalScheme>, Exhausted> {
    let (mut cells, whole) = Cells::new(union, budget)?;
    let products = maximal_products(&mut cells, &whole, union.rank(), budget)?;
    let elements = cells.elements(whole, budget)?;
    let holds = |product: usize, element: usize| cells.holds_cell(&products[product], &elements[element]);
    least_cover(elements.len(), &products, holds, budget)
}

/// The sets over some dimensions.
#[derive(Debug)]
struct Cells {
    dimensions: Vec<Dimension>,
    /// The sets, by their numbers less those of the two above.
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, SetId>,
    intersections: FxHashMap<(SetId, SetId), SetId>,
    differences: FxHashMap<(SetId, SetId), SetId>,
}

impl Cells {
    /// The sets over the blocks of a union, and the union among them.
    fn new(union: &Unf<IntegerSet>, budget: &mut Budget) -> Result<(Self, SetId), Exhausted> {
        let dimension = |at: usize| {
            let components = union.schemes().iter().map(|scheme| &scheme.components[at]);
            let ranges = components.filter_map(|component| match component {
                Component::Within(set) => Some(set.ranges()),
                Component::Every => None,
            });
            Dimension::new(IntegerRanges::of(ranges.flatten().copied(), budget)?, budget)
        };
        let dimensions = (0..union.rank()).map(dimension).collect::<Result<Vec<_>, _>>()?;
        let mut cells = Cells {
            dimensions,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            intersections: FxHashMap::default(),
            differences: FxHashMap::default(),
        };
        let tails = union.schemes().iter().map(|scheme| scheme.components.as_slice()).collect();
        let whole = cells.union_of(0, tails, &mut FxHashMap::default(), budget)?;
        Ok((cells, whole))
    }

    fn number(&mut self, node: Node) -> SetId {
        if node.children.iter().all(|child| *child == EMPTY) {
            return EMPTY;
        }
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        let number = SetId(self.nodes.len() as u32 + UNIT.0 + 1);
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    /// A set that has dimensions; `None` of the two that have none.
    fn node(&self, set: SetId) -> Option<&Node> {
        self.nodes.get(set.0.checked_sub(UNIT.0 + 1)? as usize)
    }

    /// The union of some products of the dimensions from one on.
    fn union_of<'u>(
        &mut self,
        dimension: usize,
        tails: BTreeSet<&'u [Component<IntegerSet>]>,
        known: &mut FxHashMap<BTreeSet<&'u [Component<IntegerSet>]>, SetId>,
        budget: &mut Budget,
    ) -> Result<SetId, Exhausted> {
        if tails.is_empty() {
            return Ok(EMPTY);
        }
        if dimension == self.dimensions.len() {
            return Ok(UNIT);
        }
        if let Some(set) = known.get(&tails) {
            return Ok(*set);
        }
        let places = self.dimensions[dimension].blocks.iter().map(|(first, _)| first.code());
        let mut children = Vec::new();
        for place in places.chain([None]).collect::<Vec<_>>() {
            budget.spend(tails.len())?;
            let over = tails.iter().filter_map(|tail| {
                let (first, rest) = tail.split_first()?;
                let holds = match (first, place) {
                    (Component::Every, _) => true,
                    (Component::Within(set), Some(place)) => set.contains(place),
                    (Component::Within(_), None) => false,
                };
                holds.then_some(rest)
            });
            children.push(self.union_of(dimension + 1, over.collect(), known, budget)?);
        }
        let set = self.number(Node { dimension, children });
        known.insert(tails, set);
        Ok(set)
    }

    fn intersection(&mut self, left: SetId, right: SetId, budget: &mut Budget) -> Result<SetId, Exhausted> {
        if left == right || left == EMPTY {
            return Ok(left);
        }
        let key = (left.min(right), left.max(right));
        if let Some(known) = self.intersections.get(&key) {
            return Ok(*known);
        }
        let common = self.combined(left, right, budget, Cells::intersection)?;
        self.intersections.insert(key, common);
        Ok(common)
    }

    fn difference(&mut self, left: SetId, right: SetId, budget: &mut Budget) -> Result<SetId, Exhausted> {
        if left == EMPTY || right == EMPTY || left == right {
            return Ok(if left == right { EMPTY } else { left });
        }
        if let Some(known) = self.differences.get(&(left, right)) {
            return Ok(*known);
        }
        let rest = self.combined(left, right, budget, Cells::difference)?;
        self.differences.insert((left, right), rest);
        Ok(rest)
    }

    /// The set whose children are those of two different ones, combined; empty if one of them has none.
    fn combined(
        &mut self,
        left: SetId,
        right: SetId,
        budget: &mut Budget,
        operation: fn(&mut Cells, SetId, SetId, &mut Budget) -> Result<SetId, Exhausted>,
    ) -> Result<SetId, Exhausted> {
        let (Some(one), Some(other)) = (self.node(left), self.node(right)) else { return Ok(EMPTY) };
        let dimension = one.dimension;
        let pairs: Vec<(SetId, SetId)> = one.children.iter().copied().zip(other.children.iter().copied()).collect();
        budget.spend(pairs.len())?;
        let children = pairs.into_iter().map(|(one, other)| operation(self, one, other, budget));
        let children = children.collect::<Result<_, _>>()?;
        Ok(self.number(Node { dimension, children }))
    }

    /// Cells of a set, told by the number of the block in each dimension, by which whoever covers them covers the set:
    /// in each dimension what is in no block stands for all that holds over it, and of fixed indices the one of which
    /// nothing is known.
    fn elements(&mut self, set: SetId, budget: &mut Budget) -> Result<Vec<Vec<usize>>, Exhausted> {
        let Some(node) = self.node(set).cloned() else {
            return Ok(if set == UNIT { vec![Vec::new()] } else { Vec::new() });
        };
        let blocks = self.dimensions[node.dimension].blocks.len();
        let any_fixed = self.dimensions[node.dimension].blocks.iter().position(|(first, _)| *first == Place::SomeFixed);
        let mut found = Vec::new();
        for (at, child) in node.children.iter().enumerate() {
            let is_fixed = |block: &(Place, Place)| block.0.direction().is_none();
            let is_known_fixed = self.dimensions[node.dimension].blocks.get(at).is_some_and(is_fixed);
            let above = any_fixed.filter(|any| *any != at && is_known_fixed).unwrap_or(blocks);
            let own = if at == blocks { *child } else { self.difference(*child, node.children[above], budget)? };
            let tails = self.elements(own, budget)?;
            budget.spend(tails.len() * self.dimensions.len())?;
            found.extend(tails.iter().map(|tail| [&[at], tail.as_slice()].concat()));
        }
        Ok(found)
    }

    fn holds_cell(&self, product: &IntervalScheme, cell: &[usize]) -> bool {
        let in_dimension =
            |((component, block), dimension): ((&Component<Interval>, &usize), &Dimension)| match component {
                Component::Every => true,
                Component::Within(interval) => {
                    dimension.blocks.get(*block).is_some_and(|(first, _)| interval.holds_place(*first))
                }
            };
        product.components.iter().zip(cell).zip(&self.dimensions).all(in_dimension)
    }
}

impl Sections for Cells {
    type Set = SetId;

    fn is_empty(&self, set: &SetId) -> bool {
        *set == EMPTY
    }

    fn first_components(&self, set: &SetId, budget: &mut Budget) -> Result<Vec<Component<Interval>>, Exhausted> {
        let Some(node) = self.node(*set) else { return Ok(Vec::new()) };
        let intervals = &self.dimensions[node.dimension].intervals;
        // Whoever asks compares each with each.
        budget.spend(intervals.len() * intervals.len())?;
        Ok(intervals.iter().copied().map(Component::Within).chain([Component::Every]).collect())
    }

    fn section_over(
        &mut self,
        set: &SetId,
        over: &Component<Interval>,
        budget: &mut Budget,
    ) -> Result<SetId, Exhausted> {
        let Some(node) = self.node(*set) else { return Ok(EMPTY) };
        let blocks = &self.dimensions[node.dimension].blocks;
        budget.spend(blocks.len() / 8 + 1)?;
        let Component::Within(interval) = over else { return Ok(node.children[blocks.len()]) };
        let inside = blocks.iter().zip(&node.children).filter(|((first, _), _)| interval.holds_place(*first));
        let mut sections: Vec<SetId> = inside.map(|(_, child)| *child).collect();
        sections.sort_unstable();
        sections.dedup();
        let Some(mut common) = sections.pop() else { return Ok(EMPTY) };
        for section in sections {
            common = self.intersection(section, common, budget)?;
        }
        Ok(common)
    }
}

/// The ranges of one dimension: of the offsets along each direction, and the fixed indices.
struct IntegerRanges {
    directions: BTreeMap<Direction, Vec<(i64, i64)>>,
    fixed: BTreeSet<Place>,
}

impl IntegerRanges {
    /// The ranges of integers that belong to places each, told apart.
    fn of(ranges: impl Iterator<Item = (i64, i64)>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut found = IntegerRanges { directions: BTreeMap::new(), fixed: BTreeSet::new() };
        for (first, last) in ranges {
            match (Place::of(first), Place::of(last)) {
                (Place::Offset(direction, first), Place::Offset(_, last)) => {
                    found.directions.entry(direction).or_default().push((first, last));
                }
                (_, Place::SomeFixed) => drop(found.fixed.insert(Place::SomeFixed)),
                _ => {
                    budget.spend(usize::try_from(last.abs_diff(first)).unwrap_or(usize::MAX))?;
                    found.fixed.extend((first..=last).map(Place::of));
                }
            }
        }
        Ok(found)
    }
}

impl Dimension {
    fn new(ranges: IntegerRanges, budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut dimension = Dimension { blocks: Vec::new(), intervals: Vec::new() };
        for (direction, ranges) in ranges.directions {
            let blocks = blocks(ranges);
            budget.spend(blocks.len() * blocks.len())?;
            dimension.intervals.extend(intervals(direction, &blocks));
            let place = |value| Place::Offset(direction, value);
            dimension.blocks.extend(blocks.into_iter().map(|(first, last)| (place(first), place(last))));
        }
        dimension.blocks.extend(ranges.fixed.iter().map(|place| (*place, *place)));
        dimension.intervals.extend(ranges.fixed.into_iter().map(Interval::at));
        Ok(dimension)
    }
}

/// Cuts what some ranges hold at all their ends, at the origin, and at the mirror images of these.
fn blocks(ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    // A cut is told by the first integer behind it.
    let ends = ranges.iter().flat_map(|(first, last)| [*first, last + 1]).chain([0]);
    let cuts: BTreeSet<i64> = ends.flat_map(|cut| [cut, 1 - cut]).collect();
    let Some(held) = IntegerSet::from_ranges(ranges) else { return Vec::new() };
    let cuts: Vec<i64> = cuts.into_iter().collect();
    let between = cuts.windows(2).map(|cuts| (cuts[0], cuts[1] - 1));
    between.filter(|(first, _)| held.contains(*first)).collect()
}

/// The printable intervals along a direction that consist of these blocks.
fn intervals(direction: Direction, blocks: &[(i64, i64)]) -> Vec<Interval> {
    let side = |is_above: bool| {
        blocks.iter().copied().filter(move |(first, _)| if is_above { *first > 0 } else { *first < 0 })
    };
    let mut found = BTreeSet::new();
    for is_above in [true, false] {
        let blocks: Vec<(i64, i64)> = side(is_above).collect();
        for run in blocks.chunk_by(|one, next| one.1 + 1 == next.0) {
            let bounds = (0..run.len()).flat_map(|from| run[from..].iter().map(move |to| (run[from].0, to.1)));
            found.extend(bounds.map(|(lower, upper)| Interval::run(direction, lower, upper)));
        }
    }
    let beside: Vec<Interval> = found.iter().copied().filter(|interval| interval.amount() == 0).collect();
    let mirrored = |above: &Interval| {
        let below = Interval::run(direction, -above.upper(), -1);
        beside.contains(&below).then(|| above.hull(&below)).flatten()
    };
    found.extend(beside.iter().filter(|interval| interval.upper() > 0).filter_map(mirrored));
    if blocks.contains(&(0, 0)) {
        let origin = Interval::run(direction, 0, 0);
        let touching = found.iter().filter(|interval| interval.amount() == 0);
        let with_origin: Vec<Interval> = touching.filter_map(|interval| interval.hull(&origin)).collect();
        found.extend(with_origin.into_iter().chain([origin]));
    }
    found.into_iter().collect()
}
