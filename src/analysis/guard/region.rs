//! What a specification becomes when the layouts of the arrays change.

use super::layout::Layout;
use crate::analysis::stencil::spec::{
    Approximation, Meanings, Specification, SpecificationLine, denote, on_paper, parse,
};
use crate::region::{Budget, Component, IntegerSet, Scheme, Unf};

/// Steps for one comparison of two regions.
pub const STEPS: u64 = 1 << 20;

/// What is specified of one array: whether each element is read once, and its regions, one for each bound.
#[derive(Clone, Debug)]
pub struct Specified {
    /// Whether no subscript is read twice.
    pub read_once: bool,
    /// The set, or one of its bounds.
    pub regions: Vec<(Approximation, Unf<IntegerSet>)>,
    /// The text, without the names.
    pub text: String,
}

impl Specified {
    /// Whether a dimension is constrained wherever the array is read: then every index there is relative.
    pub fn is_constrained(&self, dimension: usize) -> bool {
        let mut schemes = self.regions.iter().flat_map(|(_, region)| region.schemes());
        schemes.all(|scheme| scheme.components.get(dimension).is_some_and(|component| !component.is_every()))
    }
}

/// What some specifications say of an array of this rank.
pub fn specified(specifications: &[String], name: &str, rank: usize) -> Option<Specified> {
    let mut found = Specified { read_once: false, regions: Vec::new(), text: String::new() };
    for text in specifications {
        let Ok(parsed) = parse(text.as_bytes()) else { continue };
        let SpecificationLine::Specification(specification) = parsed.line else { continue };
        if !specification.variables.iter().any(|variable| variable.text.eq_ignore_ascii_case(name)) {
            continue;
        }
        let meanings = Meanings { regions: &|_| None, constants: &|_| None, usual: &[] };
        let Ok(meaning) = denote(&specification.region, rank, &meanings) else { continue };
        match found.regions.is_empty() {
            true => found.read_once = specification.read_once,
            false => found.text += " and ",
        }
        found.text += &without_names(&specification);
        found.regions.push((specification.approximation, on_paper(&meaning.union).to_index()));
    }
    (!found.regions.is_empty()).then_some(found)
}

fn without_names(specification: &Specification) -> String {
    let text = specification.to_string();
    text.split(" :: ").next().unwrap_or_default().to_owned()
}

/// Whether what is specified now is what was specified before, by a change of layout; `None` if that can't be said.
/// `shift`: for each dimension of today, how much farther the array lies from the left side than before. In a new
/// dimension it may be pointed or unconstrained.
pub fn follows(old: &Specified, new: &Specified, layout: &Layout, shift: &[i64]) -> Option<bool> {
    let is_exact = |one: &Specified| matches!(one.regions.as_slice(), [(Approximation::Exact, _)]);
    // A bound is the nearest set that can be written down, and what is nearest depends on where the origin is.
    if shift.iter().any(|&shift| shift != 0) && !(is_exact(old) && is_exact(new)) {
        return None;
    }
    if old.read_once != new.read_once || old.regions.len() != new.regions.len() {
        return Some(false);
    }
    let mut all = true;
    for ((old_bound, before), (new_bound, now)) in old.regions.iter().zip(&new.regions) {
        all &= old_bound == new_bound && is_transformed(before, now, layout, shift)?;
    }
    Some(all)
}

fn is_transformed(before: &Unf<IntegerSet>, now: &Unf<IntegerSet>, layout: &Layout, shift: &[i64]) -> Option<bool> {
    let zero = Component::Within(IntegerSet::single(0));
    for dimension in layout.added() {
        let components = now.schemes().iter().map(|scheme| scheme.components.get(dimension));
        let components = components.collect::<Option<Vec<_>>>()?;
        let first = *components.first()?;
        if components.iter().any(|component| *component != first) || !(first.is_every() || *first == zero) {
            return Some(false);
        }
    }
    let kept = layout.kept();
    let moves = kept.iter().map(|&(old, new)| Some((old, *shift.get(new)?))).collect::<Option<Vec<_>>>()?;
    let expected = in_dimensions(before, &moves)?;
    let now = in_dimensions(now, &kept.iter().map(|&(_, new)| (new, 0)).collect::<Vec<_>>())?;
    expected.is_same_set(&now, &mut Budget::new(STEPS)).ok()
}

/// A region in some of its dimensions, in this order, each moved by a number; `None` if there is no such region.
pub fn in_dimensions(region: &Unf<IntegerSet>, moves: &[(usize, i64)]) -> Option<Unf<IntegerSet>> {
    let mut schemes = Vec::new();
    for scheme in region.schemes() {
        let components = moves.iter().map(|&(dimension, shift)| moved(scheme.components.get(dimension)?, shift));
        schemes.push(Scheme::new(components.collect::<Option<_>>()?));
    }
    Some(Unf::new(moves.len(), schemes))
}

fn moved(component: &Component<IntegerSet>, shift: i64) -> Option<Component<IntegerSet>> {
    Some(match component {
        Component::Within(set) if shift != 0 => {
            let ranges = set.ranges().iter().map(|(from, to)| (from.saturating_add(shift), to.saturating_add(shift)));
            Component::Within(IntegerSet::from_ranges(ranges)?)
        }
        other => other.clone(),
    })
}
