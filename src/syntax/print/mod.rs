//! A tree back to Fortran: free-form text that, parsed again, gives an equal tree.
//!
//! Entry point: [`unparse`]; command: `camfort-rs debug unparse FILE`. Each statement stands on a line of its own,
//! however long, with its label, construct name and nesting. Comments, directives and the layout of the source are not
//! in a tree and so not in the text; included files and expanded macros are part of it. A form that has an older or a
//! shorter spelling is written in the one of the standard.
//!
//! The text shows what the parser understood: what it dropped is missing there, and `tests/round_trip.rs` finds it.
//! Brackets of an expression are nodes of the tree, so none have to be added. How a tree is nested, and which operands
//! an operator has, is shown by [`tree_text`] (command: `camfort-rs debug tree FILE`), which writes the same text in
//! another [style](Style).
//!
//! `statement` lists the statements; what they are made of is in files by the clauses of the standard: `expression` (7,
//! 9, 10), `types` and `entities` (7, 8), `specification` (8, 14), `units` (14, 15), `control` (9 to 11), `io` (12,
//! 13).

#![deny(clippy::wildcard_enum_match_arm)]

mod control;
mod entities;
mod expression;
mod io;
mod specification;
mod statement;
mod tree;
mod types;
mod units;

pub use tree::{form_name, tree_text};

use oxc_index::index_vec;

use super::ast::expression::Expression;
use super::ast::names::{Identifier, Name, NameTable};
use super::ast::statement::{Statement, StatementKind};
use super::ast::tree::{StatementId, Tree};

/// Deeper nesting is not indented further.
const DEEPEST: usize = 40;

/// How expressions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As Fortran has them.
    Fortran,
    /// To show how they were understood: in brackets each operation with its operands, in `<…>` what the source has in
    /// brackets, and what kind a literal constant is of, where its text does not tell.
    Bracketed,
}

/// The text of a tree, in the encoding of its source.
pub fn unparse(tree: &Tree) -> Vec<u8> {
    let mut writer = Writer::new(&tree.names, Style::Fortran);
    writer.latin1 = std::str::from_utf8(&tree.source.cooked).is_err();
    writer.out.reserve(tree.source.cooked.len() * 2);
    for (statement, depth) in tree.statements.iter().zip(depths(tree)) {
        writer.line(statement, depth.min(DEEPEST));
    }
    writer.out
}

/// The text of one expression.
pub fn expression_text(expression: &Expression, names: &NameTable, style: Style) -> String {
    let mut writer = Writer::new(names, style);
    writer.expression(expression);
    writer.text()
}

/// The text of one statement without its label.
pub fn statement_text(kind: &StatementKind, names: &NameTable, style: Style) -> String {
    let mut writer = Writer::new(names, style);
    writer.statement(kind);
    writer.text()
}

/// For each statement the number of constructs and units that it stands in; headers and ends stand outside of what they
/// open and close.
fn depths(tree: &Tree) -> Vec<usize> {
    let count = tree.statements.len();
    let mut changes = index_vec![0_isize; count + 1];
    let mut outdented = index_vec![0_isize; count];
    let mut nest = |first: StatementId, behind: StatementId, headers: &[StatementId]| {
        if first + 1 < behind {
            changes[first + 1] += 1;
            changes[behind] -= 1;
            headers.iter().filter(|&&header| header > first).for_each(|&header| outdented[header] += 1);
        }
    };
    for construct in &tree.constructs {
        if let Some(&first) = construct.headers.first() {
            nest(first, construct.end.unwrap_or(construct.last + 1), &construct.headers);
        }
    }
    for unit in tree.units.iter().filter(|unit| unit.opening.is_some()) {
        let ended = matches!(tree.statements[unit.last].kind, StatementKind::End { .. });
        nest(unit.first, unit.last + usize::from(!ended), unit.contains.as_slice());
    }
    let mut depth = 0;
    let depth_at = |(change, outdented): (&isize, &isize)| {
        depth += change;
        usize::try_from(depth - outdented).unwrap_or_default()
    };
    changes.iter().zip(&outdented).map(depth_at).collect()
}

/// Where the text grows, and what the names in it are.
struct Writer<'a> {
    names: &'a NameTable,
    style: Style,
    /// Whether the source is in Latin-1.
    latin1: bool,
    out: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(names: &'a NameTable, style: Style) -> Self {
        Writer { names, style, latin1: false, out: Vec::new() }
    }

    fn text(self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    fn put(&mut self, text: &str) {
        if self.latin1 && !text.is_ascii() {
            let bytes = text.chars().map(|character| u8::try_from(character).ok()).collect::<Option<Vec<u8>>>();
            match bytes {
                // Only what is no UTF-8 was read as Latin-1.
                Some(bytes) if std::str::from_utf8(&bytes).is_err() => return self.out.extend(bytes),
                _ => {}
            }
        }
        self.out.extend_from_slice(text.as_bytes());
    }

    fn name(&mut self, name: Name) {
        let names = self.names;
        self.put(names.text(name));
    }

    fn identifier(&mut self, identifier: &Identifier) {
        self.name(identifier.name);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        self.put(&number.to_string());
    }

    /// The items with `, ` between them.
    fn separated<'t, T: 't>(
        &mut self,
        items: impl IntoIterator<Item = &'t T>,
        mut write: impl FnMut(&mut Self, &'t T),
    ) {
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.put(", ");
            }
            write(self, item);
        }
    }

    /// The items with `, ` between them, in brackets.
    fn bracketed<'t, T: 't>(&mut self, items: impl IntoIterator<Item = &'t T>, write: impl FnMut(&mut Self, &'t T)) {
        self.put("(");
        self.separated(items, write);
        self.put(")");
    }

    fn identifiers(&mut self, names: &[Identifier]) {
        self.separated(names, Self::identifier);
    }

    /// A keyword and a name.
    fn named(&mut self, keyword: &str, name: &Identifier) {
        self.put(keyword);
        self.put(" ");
        self.identifier(name);
    }

    /// A name between slashes.
    fn slashed(&mut self, name: &Identifier) {
        self.put("/");
        self.identifier(name);
        self.put("/");
    }

    /// A blank and a name, if there is one.
    fn trailing_name(&mut self, name: &Option<Identifier>) {
        if let Some(name) = name {
            self.put(" ");
            self.identifier(name);
        }
    }

    fn labels(&mut self, labels: &[u32]) {
        self.bracketed(labels, |writer, label| writer.number(label));
    }

    /// A statement with its label, on a line of its own.
    fn line(&mut self, statement: &Statement, depth: usize) {
        if let Some(label) = statement.label {
            self.number(label);
            self.put(" ");
        }
        self.out.resize(self.out.len() + 2 * depth, b' ');
        self.construct_name(statement);
        self.statement(&statement.kind);
        self.put("\n");
    }

    fn construct_name(&mut self, statement: &Statement) {
        if let Some(name) = &statement.construct_name {
            self.identifier(name);
            self.put(": ");
        }
    }
}
