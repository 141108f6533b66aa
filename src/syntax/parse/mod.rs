//! One nom parser for each statement form, over cooked text: a statement is classified, then one parser is run.
//!
//! Entry point: [`statement::statement`]; result: a [`Statement`](super::Statement).

mod allocation;
mod assignment;
mod bracketed;
pub(super) mod classify;
mod control;
mod declaration;
#[cfg(test)]
mod declaration_tests;
mod derived_type;
mod do_loop;
pub(super) mod end;
pub(super) mod entity;
pub(super) mod expression;
mod format;
mod image;
pub(super) mod io;
pub mod lexical;
mod literal;
mod lookahead;
mod macro_led;
mod macro_word;
mod reference;
mod select;
mod specification;
pub mod statement;
mod template;
pub(super) mod type_spec;
mod unit;
