//! The syntax tree as text, for `camfort-rs parse FILE`.
//!
//! A line for each statement: its place, by its indentation what it belongs to, the name of its form as in
//! [`StatementKind`], and its text, fully bracketed. Of a statement that was not understood its cooked text is given,
//! and the reason.

use std::fmt::{self, Write};

use super::{DEEPEST, Style, Writer, depths};
use crate::syntax::ast::statement::StatementKind;
use crate::syntax::ast::tree::Tree;

/// The text of a tree.
pub fn tree_text(tree: &Tree) -> String {
    let mut text = String::new();
    for ((statement, depth), id) in tree.statements.iter().zip(depths(tree)).zip(0..) {
        let (_, start, _) = tree.source.texts.locate(statement.span);
        let place = format!("{}:{}", start.line, start.column);
        let indentation = "  ".repeat(depth.min(DEEPEST));
        let form = form_name(&statement.kind);
        let label = statement.label.map_or(String::new(), |label| format!("{label} "));
        let mut writer = Writer::new(&tree.names, Style::Bracketed);
        writer.construct_name(statement);
        if let StatementKind::Unparsed(_) = statement.kind {
            let cooked = tree.source.statements.get(id).map_or(&b""[..], |logical| tree.source.text(logical));
            writer.out.extend_from_slice(cooked);
            writer.put(&format!("\n{:<8} {indentation}  ", ""));
        }
        writer.statement(&statement.kind);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{place:<8} {indentation}{form}  {label}{}", writer.text());
    }
    text
}

/// The name of the variant: the first word of its debug text, of which no more is made.
pub fn form_name(kind: &StatementKind) -> String {
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
