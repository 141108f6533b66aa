//! What a region expression means: a union of interval schemes (paper, section 4.2).

use super::tree::{Region, RegionConstant, SpelledName, convert};
use crate::region::{Component, Direction, Interval, IntervalScheme, Place, Scheme, Unf, shortest};
use std::collections::BTreeMap;

/// The highest rank for which regions are denoted: that of a data reference of four parts with fifteen subscripts each.
/// Region variables, which belong to no array, have this rank.
pub const HIGHEST_RANK: usize = 60;

/// More products than any specification that a person can read denotes.
const MOST_PRODUCTS: usize = 2048;

/// The meaning of a region expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Denotation {
    /// The set.
    pub union: Unf<Interval>,
    /// Number of products when the expression is written out as a sum of products.
    pub products: u64,
    /// The names of the fixed indices that are named constants, as spelt, by dimension, from 1, and integer.
    pub names: BTreeMap<(usize, i64), String>,
}

impl Denotation {
    /// The name of a fixed index, by dimension, from 1, and integer.
    pub fn index_name(&self, dimension: usize, code: i64) -> Option<String> {
        self.names.get(&(dimension, code)).cloned()
    }
}

/// What the names in a region expression mean where it stands.
#[derive(Clone, Copy)]
pub struct Meanings<'m> {
    /// The meaning of a region variable, by its name in lower case, as denoted at its declaration for [`HIGHEST_RANK`]
    /// and without usual directions.
    pub regions: &'m dyn Fn(&str) -> Option<Denotation>,
    /// The value of a named constant, by its name in lower case; `None` if it is not known.
    pub constants: &'m dyn Fn(&str) -> Option<i64>,
    /// For each dimension of the array, the dimension of the left side, from 1, that it follows without `along`; for
    /// dimensions behind the end there is none.
    pub usual: &'m [Option<usize>],
}

impl Meanings<'_> {
    /// The interval, in a dimension from 0, along the usual direction if it follows the dimension that is usual there.
    fn along_usual(&self, interval: &Interval, at: usize) -> Interval {
        let usual = self.usual.get(at).copied().flatten().map(Direction::Along);
        let is_usual = usual.is_some() && interval.direction() == usual;
        interval.along(Direction::Usual).filter(|_| is_usual).unwrap_or(*interval)
    }
}

/// Why a region expression has no meaning for an array.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DenoteError {
    /// A region variable is not in scope (S002).
    #[error("Region variable '{}' is not declared here", .0.text)]
    UnknownVariable(SpelledName),
    /// A dimension exceeds the rank (S005).
    #[error("Dimension {dimension} does not exist: the rank is {rank}")]
    InvalidDimension {
        /// The dimension.
        dimension: usize,
        /// The rank of the array.
        rank: usize,
        /// Offset in the text of the number, or of the region variable that brings it in.
        offset: usize,
    },
    /// Written out, the expression has too many products.
    #[error("The region is too large: written out it has more than {MOST_PRODUCTS} products")]
    TooLarge,
}

/// The meaning of an expression for an array of this rank.
///
/// # Errors
///
/// When a region variable is not in scope, a dimension exceeds the rank, or the expression is too large.
pub fn denote(region: &Region, rank: usize, meanings: &Meanings<'_>) -> Result<Denotation, DenoteError> {
    match region {
        Region::Constant(constant) => denote_constant(constant, rank, meanings),
        Region::Variable(name) => {
            let meaning = (meanings.regions)(&name.key()).ok_or_else(|| DenoteError::UnknownVariable(name.clone()))?;
            restrict(meaning, rank, name, meanings)
        }
        Region::Sum(operands) => {
            let mut schemes = Vec::new();
            let mut sum = Denotation { union: Unf::empty(rank), products: 0, names: BTreeMap::new() };
            for operand in operands {
                let meaning = denote(operand, rank, meanings)?;
                sum.products = sum.products.saturating_add(meaning.products);
                sum.names.extend(meaning.names);
                schemes.extend(meaning.union.schemes().iter().cloned());
                schemes = within_bounds(rank, schemes)?;
            }
            Ok(Denotation { union: Unf::new(rank, schemes).drop_subsumed(), ..sum })
        }
        Region::Product(operands) => {
            let mut meaning = Denotation { union: Unf::every(rank), products: 1, names: BTreeMap::new() };
            for operand in operands {
                let next = denote(operand, rank, meanings)?;
                meaning.products = meaning.products.saturating_mul(next.products);
                meaning.names.extend(next.names);
                let common = intersect(&meaning.union, &next.union)?;
                meaning.union = Unf::new(rank, common).drop_subsumed();
            }
            Ok(meaning)
        }
    }
}

/// The shorter expression for an overlong one: `Some` if, written out as a sum of products, the expression has more
/// products than the shortest that denotes the same set, and that is not empty.
pub fn shorter(meaning: &Denotation) -> Option<Region> {
    let best = shortest(&meaning.union)?;
    let is_shorter = (best.schemes().len() as u64) < meaning.products;
    is_shorter.then(|| convert(&best, &|dimension, code| meaning.index_name(dimension, code))).flatten()
}

fn denote_constant(constant: &RegionConstant, rank: usize, meanings: &Meanings<'_>) -> Result<Denotation, DenoteError> {
    let dimension = constant.dimension();
    if dimension > rank {
        return Err(DenoteError::InvalidDimension { dimension, rank, offset: constant.dimension_offset });
    }
    let mut names = BTreeMap::new();
    let interval = match constant.index_name() {
        Some(name) => {
            let value = (meanings.constants)(&name.key()).map(Place::Fixed);
            let known = value.and_then(|place| Some((place, place.code()?)));
            let place = known.map_or_else(|| Place::named(&name.text), |(place, _)| place);
            names.extend(place.code().map(|code| ((dimension, code), name.text.clone())));
            Interval::at(place)
        }
        None => meanings.along_usual(&constant.interval(), dimension - 1),
    };
    let component = |at| if at + 1 == dimension { Component::Within(interval) } else { Component::Every };
    let scheme = Scheme::new((0..rank).map(component).collect());
    Ok(Denotation { union: Unf::new(rank, [scheme]), products: 1, names })
}

/// The meaning of a region variable for an array of lower rank, which must have every dimension that is constrained,
/// and whose usual directions are known.
fn restrict(
    meaning: Denotation,
    rank: usize,
    name: &SpelledName,
    meanings: &Meanings<'_>,
) -> Result<Denotation, DenoteError> {
    let constrained = |scheme: &IntervalScheme| scheme.components.iter().rposition(|own| !own.is_every());
    let highest = meaning.union.schemes().iter().filter_map(constrained).max().map_or(0, |at| at + 1);
    if highest > rank {
        return Err(DenoteError::InvalidDimension { dimension: highest, rank, offset: name.offset });
    }
    let to_rank = |scheme: &IntervalScheme| {
        let components = scheme.components.iter().copied().chain(std::iter::repeat(Component::Every)).take(rank);
        let along_usual =
            components.enumerate().map(|(at, own)| own.map(|interval| meanings.along_usual(interval, at)));
        Scheme::new(along_usual.collect())
    };
    let schemes: Vec<_> = meaning.union.schemes().iter().map(to_rank).collect();
    Ok(Denotation { union: Unf::new(rank, schemes).drop_subsumed(), ..meaning })
}

fn intersect(left: &Unf<Interval>, right: &Unf<Interval>) -> Result<Vec<IntervalScheme>, DenoteError> {
    let mut common = Vec::new();
    for one in left.schemes() {
        common.extend(right.schemes().iter().filter_map(|other| one.intersection(other)));
        common = within_bounds(left.rank(), common)?;
    }
    Ok(common)
}

/// The schemes, if need be without repeated and subsumed ones; an error if even so they are too many.
fn within_bounds(rank: usize, schemes: Vec<IntervalScheme>) -> Result<Vec<IntervalScheme>, DenoteError> {
    if schemes.len() <= MOST_PRODUCTS {
        return Ok(schemes);
    }
    let reduced = Unf::new(rank, schemes).drop_subsumed();
    if reduced.schemes().len() > MOST_PRODUCTS / 2 {
        return Err(DenoteError::TooLarge);
    }
    Ok(reduced.schemes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::stencil::spec::{SpecificationLine, parse};

    fn region(text: &str) -> Region {
        match parse(format!("region :: r = {text}").as_bytes()).map(|parsed| parsed.line) {
            Ok(SpecificationLine::Declaration(declaration)) => declaration.region,
            other => panic!("{other:?}"),
        }
    }

    fn meaning(text: &str, rank: usize) -> Result<Denotation, DenoteError> {
        let nothing = Meanings { regions: &|_| None, constants: &|_| None, usual: &[] };
        let cross = denote(&region("pointed(dim=1) + pointed(dim=2)"), HIGHEST_RANK, &nothing).expect("valid");
        let turned = "pointed(along=2, dim=1)*fixed(at=Wall, dim=2)";
        let turned = denote(&region(turned), HIGHEST_RANK, &nothing).expect("valid");
        let regions = |name: &str| match name {
            "cross" => Some(cross.clone()),
            "turned" => Some(turned.clone()),
            _ => None,
        };
        let constants = |name: &str| (name == "n").then_some(30);
        denote(&region(text), rank, &Meanings { regions: &regions, constants: &constants, usual: &[Some(1), Some(2)] })
    }

    fn shorter_text(text: &str, rank: usize) -> Option<String> {
        shorter(&meaning(text, rank).expect("valid")).map(|region| region.to_string())
    }

    #[test]
    fn constants_and_operators_have_their_meaning() {
        let star = meaning("pointed(dim=1)*(forward(depth=2, dim=2, nonpointed) + Cross)", 2).expect("valid");
        assert_eq!(star.products, 3);
        let inside = [[0, 1], [0, 2], [0, 0], [0, 7]];
        assert!(inside.iter().all(|at| star.union.holds(at)));
        assert!(![[1, 1], [1, 0]].iter().any(|at| star.union.holds(at)));
        assert!(meaning("pointed(dim=1)*forward(depth=1, dim=1, nonpointed)", 1).expect("valid").union.is_empty());
    }

    #[test]
    fn a_direction_that_is_usual_needs_no_words() {
        let union = |text: &str| meaning(text, 2).expect("valid").union;
        assert_eq!(union("pointed(along=1, dim=1)"), union("pointed(dim=1)"));
        assert_ne!(union("pointed(along=2, dim=1)"), union("pointed(dim=1)"));
        assert_ne!(union("pointed(dim=1, free)"), union("pointed(dim=1)"));
        assert!(union("pointed(dim=1)*pointed(dim=1, free)").is_empty());
        let swapped = denote(
            &region("turned"),
            2,
            &Meanings {
                regions: &|_| Some(meaning("pointed(along=2, dim=1) + pointed(dim=1)", 2).expect("valid")),
                constants: &|_| None,
                usual: &[Some(2), Some(1)],
            },
        );
        assert_eq!(swapped.expect("valid").union, union("pointed(dim=1)"));
    }

    #[test]
    fn named_constants_are_their_values() {
        let union = |text: &str| meaning(text, 2).expect("valid").union;
        assert_eq!(union("fixed(at=N, dim=1)"), union("fixed(at=30, dim=1)"));
        assert_eq!(union("fixed(at=wall, dim=1)"), union("fixed(at=WALL, dim=1)"));
        assert_ne!(union("fixed(at=wall, dim=1)"), union("fixed(at=well, dim=1)"));
        assert_eq!(union("fixed(at=wall, dim=1) + fixed(dim=1)"), union("fixed(dim=1)"));
        let sum = "fixed(at=Wall, dim=1) + pointed(dim=1) + fixed(at=N, dim=1) + pointed(dim=1) + fixed(at=-2, dim=1)";
        let shorter = "pointed(dim=1) + fixed(at=-2, dim=1) + fixed(at=N, dim=1) + fixed(at=Wall, dim=1)";
        assert_eq!(shorter_text(sum, 1).as_deref(), Some(shorter));
        assert_eq!(
            shorter_text("turned + turned", 2).as_deref(),
            Some("pointed(along=2, dim=1)*fixed(at=Wall, dim=2)")
        );
    }

    #[test]
    fn errors_are_told_with_their_place() {
        assert_eq!(
            meaning("pointed(dim=1)*pointed(dim=3)", 2),
            Err(DenoteError::InvalidDimension { dimension: 3, rank: 2, offset: 41 })
        );
        assert_eq!(meaning("cross", 1), Err(DenoteError::InvalidDimension { dimension: 2, rank: 1, offset: 14 }));
        assert!(matches!(meaning("other", 1), Err(DenoteError::UnknownVariable(name)) if name.text == "other"));
        let huge = format!("pointed(dim={})", u64::MAX / 2);
        assert!(matches!(meaning(&huge, HIGHEST_RANK), Err(DenoteError::InvalidDimension { .. })));
    }

    #[test]
    fn expressions_that_explode_are_refused() {
        let pair = |dim: usize| format!("(forward(depth=1, dim={dim}) + backward(depth=1, dim={dim}))");
        let many: Vec<String> = (1..=40).map(pair).collect();
        assert_eq!(meaning(&many.join("*"), 40), Err(DenoteError::TooLarge));
        let same: Vec<String> =
            (1..=4000).map(|depth| format!("pointed(dim=1)*centered(depth={depth}, dim=2)")).collect();
        assert_eq!(meaning(&same.join(" + "), 2).map(|meaning| meaning.union.schemes().len()), Ok(1));
    }

    #[test]
    fn overlong_expressions_have_a_shorter_one() {
        let text = "forward(depth=2, dim=1) + backward(depth=2, dim=1)";
        assert_eq!(shorter_text(text, 1).as_deref(), Some("centered(depth=2, dim=1)"));
        assert_eq!(shorter_text("forward(depth=1, dim=1) + backward(depth=2, dim=1)", 1), None);
        assert_eq!(
            shorter_text("backward(depth=2, dim=1) + backward(depth=1, dim=1)", 1).as_deref(),
            Some("backward(depth=2, dim=1)")
        );
        let text =
            "pointed(dim=1)*centered(depth=1, dim=2) + backward(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2)";
        assert_eq!(shorter_text(text, 2).as_deref(), Some("backward(depth=1, dim=1)*centered(depth=1, dim=2)"));
        let text = "pointed(dim=1)*(pointed(dim=2)*centered(depth=1, dim=3) + centered(depth=1, dim=2)*pointed(dim=3))";
        assert_eq!(shorter_text(text, 3), None);
        let text = "pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2)";
        assert_eq!(shorter_text(text, 2), None);
        assert_eq!(shorter_text("pointed(dim=1)*forward(depth=1, dim=1, nonpointed)", 1), None);
        let text = "shifted(by=3, dim=1) + forward(depth=1, dim=1, nonpointed) + shifted(by=2, dim=1)";
        assert_eq!(shorter_text(text, 1).as_deref(), Some("forward(depth=3, dim=1, nonpointed)"));
        assert_eq!(shorter_text("shifted(by=1, depth=2, dim=1)", 1), None);
        assert_eq!(shorter_text("shifted(by=-3, dim=1) + pointed(dim=1)", 1), None);
    }
}
