//! Interned names: a name is compared and hashed as a number.

use string_interner::StringInterner;
use string_interner::backend::StringBackend;
use string_interner::symbol::SymbolU32;

use crate::source::Span;

/// An interned lower-case name (or literal text) of one tree; meaningless in another tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(SymbolU32);

/// The names of one tree.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    interner: StringInterner<StringBackend<SymbolU32>>,
}

impl NameTable {
    /// The name with this text; the caller lower-cases.
    pub fn intern(&mut self, text: &str) -> Name {
        Name(self.interner.get_or_intern(text))
    }

    /// The name with this text, if the tree has one.
    pub fn get(&self, text: &str) -> Option<Name> {
        self.interner.get(text).map(Name)
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.interner.resolve(name.0).unwrap_or_default()
    }
}

/// A name at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identifier {
    /// The lower-case name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}
