//! What literal constants are worth.

use super::build;
use super::formula::Formula;
use super::unit::UnitContext;
use crate::syntax::{Literal, LiteralKind, StatementId};

impl UnitContext<'_> {
    /// The value of a literal; `None` if it is none that is known here.
    pub fn literal(&self, statement: StatementId, literal: &Literal) -> Option<Formula> {
        let text = self.tree.names.text(literal.text);
        match literal.kind {
            LiteralKind::Integer(value) => value.map(build::integer),
            LiteralKind::Real => self.real(statement, text),
            LiteralKind::Logical(value) => Some(build::logical(value)),
            LiteralKind::Character => characters(text).map(|text| build::text(&text)),
            LiteralKind::Hollerith => text.split_once(['h', 'H']).map(|(_, text)| build::text(text)),
            LiteralKind::Boz => None,
        }
    }

    fn real(&self, statement: StatementId, text: &str) -> Option<Formula> {
        let (digits, kind) = match text.split_once('_') {
            Some((digits, kind)) => (digits, Some(kind)),
            None => (text, None),
        };
        let is_double = digits.contains(['d', 'D']);
        let kind = match kind {
            None if is_double => 8,
            None if digits.contains(['q', 'Q']) => 16,
            None => 4,
            Some(kind) => match kind.parse::<u8>() {
                Ok(kind) => kind,
                Err(_) => {
                    let symbol = self.resolved.symbol_at(statement, self.tree.names.get(kind)?)?;
                    u8::try_from(self.parameter(symbol)?).ok()?
                }
            },
        };
        let value: f64 = digits.replace(['d', 'D'], "e").parse().ok()?;
        matches!(kind, 4 | 8).then(|| {
            // A decimal number is rounded once.
            let value = if kind == 4 { digits.parse::<f32>().map_or(value, f64::from) } else { value };
            build::real(value, kind)
        })
    }
}

/// The characters between the delimiters.
fn characters(text: &str) -> Option<String> {
    let start = text.find(['\'', '"'])?;
    let delimiter = text[start..].chars().next()?;
    let inside = text[start + 1..].strip_suffix(delimiter)?;
    Some(inside.replace(&format!("{delimiter}{delimiter}"), &delimiter.to_string()))
}
