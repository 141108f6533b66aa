//! What the tests of the statement parsers share: cooked text written by hand, as if it were a whole file.

use super::ast::expression::{Expression, Reference};
use super::ast::names::{Identifier, Name, NameTable};
use super::ast::statement::{Statement, StatementKind};
use super::parse::lexical::{Context, ParsedStatements};
use super::visit::{Access, StatementVisitor, Visitor, walk_expression, walk_reference, walk_statement};
use crate::source::{LogicalStatement, Prescanned, SourceForm, SourceTexts, Span};

/// A file of one statement whose cooked text is its source text.
pub fn cooked(form: SourceForm, text: &str) -> Prescanned {
    let length = text.len() as u32;
    Prescanned {
        texts: SourceTexts::new("test.f90", text.as_bytes().to_vec()),
        form,
        is_preprocessed: false,
        is_fypp: false,
        columns: None,
        types: Vec::new(),
        cooked: text.as_bytes().to_vec(),
        origins: (0..length).collect(),
        statements: vec![LogicalStatement {
            start: 0,
            end: length,
            label: None,
            span: Span::new(0, length),
            position_on_line: 0,
            shares_line: false,
            from_macro: false,
            hides: false,
        }],
        comments: Vec::new(),
        directives: Vec::new(),
        inactive: Vec::new(),
        notes: Vec::new(),
    }
}

/// Runs `parse` over a text as a statement, and gives back what it makes of it.
pub fn with_cooked<T>(form: SourceForm, text: &str, parse: impl FnOnce(&Context<'_>, &[u8]) -> T) -> T {
    let source = cooked(form, text);
    let cx = Context::new(&source, ParsedStatements::All);
    cx.begin_statement(text.len() as u32);
    parse(&cx, text.as_bytes())
}

/// Every name of a statement, components excepted, with how it is accessed, in the order of the text.
pub fn accesses(names: &NameTable, kind: &StatementKind) -> Vec<(Name, Access)> {
    let mut list = Accesses { names, found: Vec::new() };
    walk_statement(&mut list, kind);
    list.found
}

struct Accesses<'t> {
    names: &'t NameTable,
    found: Vec<(Name, Access)>,
}

impl<'t> Visitor<'t> for Accesses<'t> {
    fn name(&mut self, name: Identifier, access: Access) {
        self.found.push((name.name, access));
    }

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        self.found.extend(reference.parts.first().map(|part| (part.name.name, access)));
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for Accesses<'t> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    fn not_understood(&mut self) {
        panic!("a statement that was not understood");
    }
}

/// Calls `visit` with every top-level expression of a statement, in the order of the text: not with the expressions
/// inside them. Of a designator that is no expression, as the target of an assignment, the subscripts are given.
pub fn top_level_expressions<'t>(names: &'t NameTable, kind: &'t StatementKind, visit: &mut dyn FnMut(&'t Expression)) {
    walk_statement(&mut TopLevel { names, visit }, kind);
}

struct TopLevel<'v, 't> {
    names: &'t NameTable,
    visit: &'v mut dyn FnMut(&'t Expression),
}

impl<'t> Visitor<'t> for TopLevel<'_, 't> {
    fn name(&mut self, _: Identifier, _: Access) {}

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, _: Access) {
        (self.visit)(expression);
    }
}

impl<'t> StatementVisitor<'t> for TopLevel<'_, 't> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    fn not_understood(&mut self) {}
}
