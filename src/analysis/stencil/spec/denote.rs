//! What a region expression means: a union of interval schemes (paper, section 4.2).

use super::tree::{Region, RegionConstant, SpelledName, convert};
use crate::region::{Component, Interval, IntervalScheme, Scheme, Unf, shortest};

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

/// The meaning of an expression for an array of this rank. `resolve` gives the meaning of a region variable, by its
/// name in lower case, as denoted at its declaration for [`HIGHEST_RANK`].
pub fn denote(
    region: &Region,
    rank: usize,
    resolve: &dyn Fn(&str) -> Option<Denotation>,
) -> Result<Denotation, DenoteError> {
    match region {
        Region::Constant(constant) => denote_constant(constant, rank),
        Region::Variable(name) => {
            let meaning = resolve(&name.key()).ok_or_else(|| DenoteError::UnknownVariable(name.clone()))?;
            restrict(meaning, rank, name)
        }
        Region::Sum(operands) => {
            let mut schemes = Vec::new();
            let mut products = 0u64;
            for operand in operands {
                let meaning = denote(operand, rank, resolve)?;
                products = products.saturating_add(meaning.products);
                schemes.extend(meaning.union.schemes().iter().cloned());
                schemes = within_bounds(rank, schemes)?;
            }
            Ok(Denotation { union: Unf::new(rank, schemes).drop_subsumed(), products })
        }
        Region::Product(operands) => {
            let mut meaning = Denotation { union: Unf::every(rank), products: 1 };
            for operand in operands {
                let next = denote(operand, rank, resolve)?;
                meaning.products = meaning.products.saturating_mul(next.products);
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
    is_shorter.then(|| convert(&best)).flatten()
}

fn denote_constant(constant: &RegionConstant, rank: usize) -> Result<Denotation, DenoteError> {
    let dimension = constant.dimension();
    if dimension > rank {
        return Err(DenoteError::InvalidDimension { dimension, rank, offset: constant.dimension_offset });
    }
    let component = |at| if at + 1 == dimension { Component::Within(constant.interval()) } else { Component::Every };
    let scheme = Scheme::new((0..rank).map(component).collect());
    Ok(Denotation { union: Unf::new(rank, [scheme]), products: 1 })
}

/// The meaning of a region variable for an array of lower rank, which must have every dimension that is constrained.
fn restrict(meaning: Denotation, rank: usize, name: &SpelledName) -> Result<Denotation, DenoteError> {
    let constrained = |scheme: &IntervalScheme| scheme.components.iter().rposition(|own| !own.is_every());
    let highest = meaning.union.schemes().iter().filter_map(constrained).max().map_or(0, |at| at + 1);
    if highest > rank {
        return Err(DenoteError::InvalidDimension { dimension: highest, rank, offset: name.offset });
    }
    let to_rank = |scheme: &IntervalScheme| {
        let components = scheme.components.iter().copied().chain(std::iter::repeat(Component::Every));
        Scheme::new(components.take(rank).collect())
    };
    let schemes: Vec<_> = meaning.union.schemes().iter().map(to_rank).collect();
    Ok(Denotation { union: Unf::new(rank, schemes), products: meaning.products })
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
        let cross = denote(&region("pointed(dim=1) + pointed(dim=2)"), HIGHEST_RANK, &|_| None).expect("valid");
        denote(&region(text), rank, &|name| (name == "cross").then(|| cross.clone()))
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
    }
}
