//! The syntax tree as text, for `camfort-rs parse FILE`.
//!
//! A line for each statement: its place, by its indentation what it belongs to, the name of its form as in
//! [`StatementKind`], and what it declares or its cooked text; below it its expressions, fully bracketed, where
//! brackets tell something. The innermost statement of a one-line IF, WHERE or FORALL is part of its line.

use std::fmt::{self, Write};

use super::ast::tree::{StatementId, Tree};
use super::dump::expression_text;
use super::dump_declaration::declaration_text;
use super::visit::walk_expressions;
use super::{ExpressionKind, StatementKind};

/// Deeper nesting is not indented further: nobody can follow it by eye.
const DEEPEST: usize = 40;

/// The text of a tree.
pub fn tree_text(tree: &Tree) -> String {
    let mut text = String::new();
    for (id, statement) in tree.statements.iter_enumerated() {
        let (_, start, _) = tree.source.texts.locate(statement.span);
        let place = format!("{}:{}", start.line, start.column);
        let indentation = "  ".repeat(depth(tree, id).min(DEEPEST));
        let form = form_name(&statement.kind);
        let label = statement.label.map_or(String::new(), |label| format!("{label} "));
        let words = declaration_text(&tree.names, &statement.kind).unwrap_or_else(|| {
            let cooked = tree.source.statements.get(id.index()).map_or(&b""[..], |logical| tree.source.text(logical));
            String::from_utf8_lossy(cooked).into_owned()
        });
        // Writing to a string does not fail.
        let _ = writeln!(text, "{place:<8} {indentation}{form}  {label}{words}");
        if let StatementKind::Unparsed(reason) = &statement.kind {
            let _ = writeln!(text, "{:<8} {indentation}  ! {reason}", "");
        }
        walk_expressions(&tree.names, &statement.kind, &mut |expression| {
            if matches!(expression.kind, ExpressionKind::Binary(..) | ExpressionKind::Unary(..)) {
                let _ = writeln!(text, "{:<8} {indentation}  = {}", "", expression_text(&tree.names, expression));
            }
        });
    }
    text
}

/// The number of program units and constructs around a statement; headers and ends stand outside what they open and close.
fn depth(tree: &Tree, id: StatementId) -> usize {
    let units = tree.unit_of[id].map_or(0, |innermost| {
        let unit = &tree.units[innermost];
        let is_bracket = unit.opening == Some(id)
            || unit.contains == Some(id)
            || (unit.last == id && matches!(tree.statements[id].kind, StatementKind::End { .. }));
        let around = std::iter::successors(unit.parent, |&parent| tree.units[parent].parent).count();
        around + usize::from(!is_bracket)
    });
    let constructs = tree.construct_of[id].map_or(0, |innermost| {
        let construct = &tree.constructs[innermost];
        let is_bracket = construct.headers.contains(&id) || construct.end == Some(id);
        let around = std::iter::successors(construct.parent, |&parent| tree.constructs[parent].parent).count();
        around + usize::from(!is_bracket)
    });
    units + constructs
}

/// The name of the variant: the first word of its debug text, of which no more is made.
fn form_name(kind: &StatementKind) -> String {
    struct FirstWord(String);
    impl Write for FirstWord {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let word = text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
            self.0.push_str(word);
            if word.len() < text.len() { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut word = FirstWord(String::new());
    // The error is how the rest of the text is refused.
    let _ = write!(word, "{kind:?}");
    word.0
}
