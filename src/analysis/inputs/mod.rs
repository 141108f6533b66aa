//! What a program assumes of the data that it reads.
//!
//! - `value`: values of Fortran's types;
//! - [`data`]: data files, read as the runtime of gfortran reads them.

pub mod data;
mod value;

pub use value::{DataType, Value, trimmed};
