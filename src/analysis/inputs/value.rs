//! Values of Fortran's intrinsic types, and the types of what a program reads.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An intrinsic type with its kind (bytes of the representation, as gfortran and most compilers number kinds).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum DataType {
    /// INTEGER of 1, 2, 4, 8 or 16 bytes.
    Integer(u8),
    /// REAL of 4, 8, 10 or 16 bytes.
    Real(u8),
    /// COMPLEX, its parts reals of this kind.
    Complex(u8),
    /// LOGICAL.
    Logical(u8),
    /// CHARACTER of this length; `None` when it is not known.
    Character(Option<u32>),
}

impl DataType {
    /// The largest value of an integer of this kind.
    pub fn largest_integer(kind: u8) -> i128 {
        match kind {
            1 => i8::MAX.into(),
            2 => i16::MAX.into(),
            8 => i64::MAX.into(),
            16 => i128::MAX,
            _ => i32::MAX.into(),
        }
    }

    /// What a variable of a kind holds when an integer is assigned to it: its last bits.
    pub fn integer_of_kind(value: i128, kind: u8) -> i128 {
        match kind {
            1 => i128::from(value as i8),
            2 => i128::from(value as i16),
            8 => i128::from(value as i64),
            16 => value,
            _ => i128::from(value as i32),
        }
    }

    /// Whether values of both are written alike: the same type, whatever the kind.
    pub fn is_like(self, other: DataType) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, kind) = match *self {
            DataType::Integer(kind) => ("integer", kind),
            DataType::Real(kind) => ("real", kind),
            DataType::Complex(kind) => ("complex", kind),
            DataType::Logical(kind) => ("logical", kind),
            DataType::Character(Some(length)) => return write!(f, "character({length})"),
            DataType::Character(None) => return f.write_str("character(*)"),
        };
        if kind == 4 { f.write_str(name) } else { write!(f, "{name}({kind})") }
    }
}

/// A value. Reals of kind 4 have a value of that kind; those of kinds 10 and 16 are not represented.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Value {
    /// An integer of any kind.
    Integer(i128),
    /// A real of kind 4 or 8, and its kind.
    Real(f64, u8),
    /// A complex value of kind 4 or 8, and its kind.
    Complex(f64, f64, u8),
    /// A logical value.
    Logical(bool),
    /// Characters, without the blanks at the end: Fortran compares texts as if the shorter had as many as the longer.
    Character(Box<[u8]>),
}

impl Value {
    /// A text without its trailing blanks.
    pub fn text(bytes: &[u8]) -> Value {
        Value::Character(trimmed(bytes).into())
    }
}

impl fmt::Display for Value {
    /// As Fortran writes it in a program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Real(value, 8) => write!(f, "{}", exponent_of(format!("{value:?}"), 'd')),
            Value::Real(value, _) => write!(f, "{:?}", *value as f32),
            Value::Complex(re, im, kind) => {
                write!(f, "({}, {})", Value::Real(*re, *kind), Value::Real(*im, *kind))
            }
            Value::Logical(value) => f.write_str(if *value { ".true." } else { ".false." }),
            Value::Character(bytes) => write!(f, "'{}'", String::from_utf8_lossy(bytes).replace('\'', "''")),
        }
    }
}

/// The text of a real constant with this letter for its exponent.
fn exponent_of(text: String, letter: char) -> String {
    if text.contains('e') { text.replace('e', &letter.to_string()) } else { format!("{text}{letter}0") }
}

/// A text without its trailing blanks.
pub fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
    &bytes[..end]
}
