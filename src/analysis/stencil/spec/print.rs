//! Printing, in one normal form: `readOnce` before the bound, attributes in alphabetical order, brackets only where
//! they are needed. What is printed reads back as the same tree.

use super::tree::{
    Approximation, ComputationKind, IndexNames, Region, RegionConstant, RegionDeclaration, Specification,
    SpecificationLine, SpelledName, convert,
};
use crate::region::{Direction, Interval, Place, Shape, Unf};
use std::fmt::{Display, Formatter, Result};

/// The text of an inferred specification, such as `stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) :: a`;
/// `None` when no text denotes the union (it is empty or all of Z^N, or `names` lacks a name) or there is no variable.
pub fn specification_text<V: AsRef<str>>(
    kind: ComputationKind,
    read_once: bool,
    approximation: Approximation,
    union: &Unf<Interval>,
    names: IndexNames<'_>,
    variables: &[V],
) -> Option<String> {
    let region = convert(union, names)?;
    let variables: Vec<SpelledName> = variables.iter().map(|name| SpelledName::new(name.as_ref())).collect();
    (!variables.is_empty()).then(|| Specification { kind, read_once, approximation, region, variables }.to_string())
}

impl Display for ComputationKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            ComputationKind::Stencil => "stencil",
            ComputationKind::Access => "access",
        })
    }
}

impl Display for RegionConstant {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let interval = self.interval();
        let shape = interval.shape();
        f.write_str(match shape {
            Shape::Pointed => "pointed(",
            Shape::Backward => "backward(",
            Shape::Forward => "forward(",
            // A constant is never asymmetric: its constructor sees to that.
            Shape::Centered | Shape::Asymmetric => "centered(",
            Shape::Shifted => "shifted(",
            Shape::Fixed => "fixed(",
        })?;
        if let Some(Direction::Along(dimension)) = interval.direction() {
            write!(f, "along={dimension}, ")?;
        }
        match (self.index_name(), interval.fixed()) {
            (Some(name), _) => write!(f, "at={}, ", name.text)?,
            (None, Some(Place::Fixed(value))) => write!(f, "at={value}, ")?,
            _ => {}
        }
        if shape == Shape::Shifted {
            write!(f, "by={}, ", interval.amount())?;
        }
        if interval.depth() > 0 {
            write!(f, "depth={}, ", interval.depth())?;
        }
        write!(f, "dim={}", self.dimension())?;
        if interval.direction() == Some(Direction::Free) {
            f.write_str(", free")?;
        }
        let is_holed = matches!(shape, Shape::Backward | Shape::Forward | Shape::Centered) && !interval.contains_zero();
        f.write_str(if is_holed { ", nonpointed)" } else { ")" })
    }
}

impl Display for Region {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Region::Constant(constant) => constant.fmt(f),
            Region::Variable(name) => f.write_str(&name.text),
            Region::Sum(operands) => operation(f, operands, " + ", |operand| matches!(operand, Region::Sum(_))),
            Region::Product(operands) => {
                operation(f, operands, "*", |operand| matches!(operand, Region::Sum(_) | Region::Product(_)))
            }
        }
    }
}

/// Operands with the operator between them, in brackets where the tree could not be read back otherwise.
fn operation(f: &mut Formatter<'_>, operands: &[Region], operator: &str, in_brackets: fn(&Region) -> bool) -> Result {
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            f.write_str(operator)?;
        }
        if in_brackets(operand) {
            write!(f, "({operand})")?;
        } else {
            operand.fmt(f)?;
        }
    }
    Ok(())
}

impl Display for Specification {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} ", self.kind)?;
        if self.read_once {
            f.write_str("readOnce, ")?;
        }
        f.write_str(match self.approximation {
            Approximation::Exact => "",
            Approximation::AtLeast => "atLeast, ",
            Approximation::AtMost => "atMost, ",
        })?;
        write!(f, "{} :: ", self.region)?;
        for (at, variable) in self.variables.iter().enumerate() {
            f.write_str(if at > 0 { ", " } else { "" })?;
            f.write_str(&variable.text)?;
        }
        Ok(())
    }
}

impl Display for RegionDeclaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "region :: {} = {}", self.name.text, self.region)
    }
}

impl Display for SpecificationLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            SpecificationLine::Declaration(declaration) => declaration.fmt(f),
            SpecificationLine::Specification(specification) => specification.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::{Component, Inferred, RegionLanguage, Scheme, infer_regions};

    fn exact(offsets: &[[i64; 2]]) -> Unf<Interval> {
        let reads: Vec<_> = offsets.iter().map(|at| Scheme::new(at.map(Component::Within).to_vec())).collect();
        match infer_regions(&reads, RegionLanguage::Paper) {
            Inferred::Exact(union) => union,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn inferred_unions_have_their_normal_form() {
        let star = exact(&[[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]);
        assert_eq!(
            specification_text(
                ComputationKind::Stencil,
                true,
                Approximation::Exact,
                &star,
                &|_, _| None,
                &["a", "Sea%b"]
            )
            .as_deref(),
            Some(
                "stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) \
                 :: a, Sea%b"
            )
        );
        let corner = exact(&[[1, -2], [1, -1]]);
        assert_eq!(
            specification_text(ComputationKind::Access, false, Approximation::AtMost, &corner, &|_, _| None, &["a"])
                .as_deref(),
            Some("access atMost, forward(depth=1, dim=1, nonpointed)*backward(depth=2, dim=2, nonpointed) :: a")
        );
        let none: &[&str] = &[];
        assert_eq!(
            specification_text(ComputationKind::Access, false, Approximation::AtMost, &corner, &|_, _| None, none),
            None
        );
        let all = Unf::every(2);
        assert_eq!(
            specification_text(ComputationKind::Access, false, Approximation::Exact, &all, &|_, _| None, &["a"]),
            None
        );
        assert_eq!(
            specification_text(
                ComputationKind::Access,
                false,
                Approximation::Exact,
                &Unf::empty(2),
                &|_, _| None,
                &["a"]
            ),
            None
        );
    }
}
