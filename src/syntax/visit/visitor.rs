//! What a walk calls.

use super::access::Access;
use crate::syntax::ast::expression::{Expression, Reference};
use crate::syntax::ast::names::{Identifier, NameTable};
use crate::syntax::ast::statement::Statement;

/// What is called with the names and expressions of an expression, a declaration or a statement. A walk does not go
/// into what it calls the visitor with: that is done by the visitor, by walking further, so that it can do something
/// before, behind or instead.
pub trait Visitor<'t> {
    /// A name that stands alone, not as a designator.
    fn name(&mut self, name: Identifier, access: Access);

    /// A designator, a function reference or what is called. The access is that of the whole: it is not called for each
    /// part. What stands in its lists is visited by [`walk_reference`](super::walk_reference).
    fn reference(&mut self, reference: &'t Reference, access: Access);

    /// An expression. What stands in it is visited by [`walk_expression`](super::walk_expression), which gives one that
    /// is a designator to [`Visitor::reference`].
    fn expression(&mut self, expression: &'t Expression, access: Access);
}

/// What is called with the names and expressions of a statement.
pub trait StatementVisitor<'t>: Visitor<'t> {
    /// The names of the tree: what a specifier does goes by its keyword.
    fn names(&self) -> &'t NameTable;

    /// The statement that a one-line IF, WHERE or FORALL governs; it is visited by
    /// [`walk_statement`](super::walk_statement).
    fn action(&mut self, action: &'t Statement);

    /// A statement that was not understood: it may do anything to any name in its text.
    fn not_understood(&mut self);
}
