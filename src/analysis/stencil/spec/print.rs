//! Printing, in one normal form: `readOnce` before the bound, `depth` before `dim`, brackets only where they are
//! needed. What is printed reads back as the same tree.

use super::tree::{
    Approximation, ComputationKind, Region, RegionConstant, RegionDeclaration, Specification, SpecificationLine,
    SpelledName, convert,
};
use crate::region::{Interval, Shape, Unf};
use std::fmt::{Display, Formatter, Result};

/// The text of an inferred specification, such as `stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) :: a`;
/// `None` when no text denotes the union (it is empty or all of Z^N) or there is no variable.
pub fn specification_text<V: AsRef<str>>(
    kind: ComputationKind,
    read_once: bool,
    approximation: Approximation,
    union: &Unf<Interval>,
    variables: &[V],
) -> Option<String> {
    let region = convert(union)?;
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
        let (interval, dimension) = (self.interval(), self.dimension());
        let constant = match interval.shape() {
            Shape::Pointed => return write!(f, "pointed(dim={dimension})"),
            Shape::Backward => "backward",
            Shape::Forward => "forward",
            // A constant is never asymmetric: its constructor sees to that.
            Shape::Centered | Shape::Asymmetric => "centered",
        };
        let hole = if interval.contains_zero() { "" } else { ", nonpointed" };
        write!(f, "{constant}(depth={}, dim={dimension}{hole})", interval.depth())
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
    use crate::region::{Component, Inferred, Scheme, infer_regions};

    fn exact(offsets: &[[i64; 2]]) -> Unf<Interval> {
        let reads: Vec<_> = offsets.iter().map(|at| Scheme::new(at.map(Component::Within).to_vec())).collect();
        match infer_regions(&reads) {
            Inferred::Exact(union) => union,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn inferred_unions_have_their_normal_form() {
        let star = exact(&[[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]);
        assert_eq!(
            specification_text(ComputationKind::Stencil, true, Approximation::Exact, &star, &["a", "Sea%b"]).as_deref(),
            Some(
                "stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) \
                 :: a, Sea%b"
            )
        );
        let corner = exact(&[[1, -2], [1, -1]]);
        assert_eq!(
            specification_text(ComputationKind::Access, false, Approximation::AtMost, &corner, &["a"]).as_deref(),
            Some("access atMost, forward(depth=1, dim=1, nonpointed)*backward(depth=2, dim=2, nonpointed) :: a")
        );
        let none: &[&str] = &[];
        assert_eq!(specification_text(ComputationKind::Access, false, Approximation::AtMost, &corner, none), None);
        let all = Unf::every(2);
        assert_eq!(specification_text(ComputationKind::Access, false, Approximation::Exact, &all, &["a"]), None);
        assert_eq!(
            specification_text(ComputationKind::Access, false, Approximation::Exact, &Unf::empty(2), &["a"]),
            None
        );
    }
}
