//! What one statement says by itself: the assignment that it performs, and the names in its text.

use crate::names::{Resolved, SymbolKind};
use crate::syntax::{Expression, Name, Reference, Statement, StatementId, StatementKind, Tree};

/// The assignment that a statement is or performs (`if (…) a = b`), with whether it is performed for sure.
pub fn assignment_of(kind: &StatementKind) -> Option<(&Reference, &Expression, bool)> {
    if let StatementKind::Assignment { target, value } = kind {
        return Some((target, value, true));
    }
    assignment_of(&kind.action()?.kind).map(|(target, value, _)| (target, value, false))
}

/// Whether an assignment defines a statement function (R1544), which executes nothing.
pub fn is_statement_function(resolved: &Resolved, id: StatementId, target: &Reference) -> bool {
    let symbol = target.parts.first().and_then(|part| resolved.symbol_at(id, part.name.name));
    symbol.is_some_and(|symbol| matches!(resolved.symbol(symbol).kind, SymbolKind::StatementFunction { .. }))
}

/// The known names in the source text of a statement.
pub fn names_in_text<'t>(tree: &'t Tree, statement: &Statement) -> impl Iterator<Item = Name> + 't {
    let text = tree.source.texts.bytes(statement.span).to_ascii_lowercase();
    let words: Vec<String> = text
        .split(|&byte| !crate::source::is_name_byte(byte))
        .filter(|word| word.first().is_some_and(|byte| byte.is_ascii_alphabetic()))
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words.into_iter().filter_map(|word| tree.names.get(&word))
}
