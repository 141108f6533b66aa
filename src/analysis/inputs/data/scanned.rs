//! What a reader says of one item.

use super::cursor::Place;
use crate::analysis::inputs::value::{DataType, Value};

/// What stands in a data file where a program reads an item.
#[derive(Clone, PartialEq, Debug)]
pub enum Scanned {
    /// A value.
    Value(Field),
    /// No value: the variable keeps what it has.
    Null,
    /// Something that is no value of the type.
    Bad(Fault),
    /// The end of the file.
    End,
}

/// A value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The value; `None` when its kind is not represented.
    pub value: Option<Value>,
    /// Its first character; of a blank field its first column.
    pub place: Place,
    /// What is lost though it is legal.
    pub loss: Option<Loss>,
}

/// What of a legal value does not arrive in its variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The text is longer than the variable.
    Cut,
    /// The real number becomes infinite.
    Infinite,
}

/// A value that the runtime refuses.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// Its first character.
    pub place: Place,
    /// What stands there, cut if it is long.
    pub text: String,
    /// What is wrong with it.
    pub kind: FaultKind,
}

/// What is wrong with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// It is not written like a value of the type.
    Malformed,
    /// The integer is too large for its kind.
    Overflow,
    /// A repeat count that is zero, too large, or no number.
    Repeat,
    /// A repeated value of another type or kind than the item.
    RepeatedType(DataType),
}

/// The most characters of a value that a message quotes.
const QUOTED: usize = 60;

/// The characters that a message quotes.
pub fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTED)]);
    let text: String = text.chars().map(|it| if it.is_control() { '\u{fffd}' } else { it }).collect();
    if bytes.len() > QUOTED { format!("{text}…") } else { text }
}
