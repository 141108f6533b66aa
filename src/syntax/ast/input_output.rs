//! Input/output statements: the standard's clause 12, and what compilers added to it.

#![deny(clippy::wildcard_enum_match_arm)]

use super::expression::Expression;
use super::names::Identifier;

/// An input/output statement.
#[derive(Clone, PartialEq, Debug)]
pub struct InputOutput {
    /// Which statement.
    pub operation: IoOperation,
    /// Whether the control list stands in brackets: `read (5) x` as opposed to `read 5, x`.
    pub bracketed: bool,
    /// The control list: `unit=6`, positional items without a keyword. For PRINT, `read f, …`, `type`, `accept` and the
    /// bracketless `rewind 10` its one item.
    pub control: Vec<IoControl>,
    /// The items read or written. For DEFINE FILE [`DEFINED_FILE_ITEMS`] for each control.
    pub items: Vec<Expression>,
}

/// The items behind each unit of DEFINE FILE: records, length, `u`, and the variable for the number of the next record.
pub const DEFINED_FILE_ITEMS: usize = 4;

/// One item of an I/O control list.
#[derive(Clone, PartialEq, Debug)]
pub struct IoControl {
    /// The keyword.
    pub keyword: Option<Identifier>,
    /// The value; `None` for keywords that stand alone (`readonly`, `shared`). A label is an integer literal; DEC
    /// `unit'record` is two controls, the second with keyword `rec`.
    pub value: Option<Expression>,
}

/// The I/O statements: clause 12 and extensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its keyword")]
pub enum IoOperation {
    Read,
    Write,
    Print,
    Open,
    Close,
    Inquire,
    Rewind,
    Backspace,
    EndFile,
    Flush,
    Wait,
    /// DEC `accept`, `type`, `encode`, `decode`, `rewrite`, `delete`, `find`, `define file`, `unlock` (of a unit).
    Accept,
    Type,
    Encode,
    Decode,
    Rewrite,
    Delete,
    Find,
    DefineFile,
    UnlockFile,
    /// Cray `buffer in (unit, mode) (first, last)`.
    BufferIn,
    /// Cray `buffer out (unit, mode) (first, last)`.
    BufferOut,
}

impl IoOperation {
    /// Whether it gives values to its items.
    pub fn is_input(self) -> bool {
        match self {
            IoOperation::Read | IoOperation::Accept | IoOperation::Decode | IoOperation::BufferIn => true,
            IoOperation::Write
            | IoOperation::Print
            | IoOperation::Open
            | IoOperation::Close
            | IoOperation::Inquire
            | IoOperation::Rewind
            | IoOperation::Backspace
            | IoOperation::EndFile
            | IoOperation::Flush
            | IoOperation::Wait
            | IoOperation::Type
            | IoOperation::Encode
            | IoOperation::Rewrite
            | IoOperation::Delete
            | IoOperation::Find
            | IoOperation::DefineFile
            | IoOperation::UnlockFile
            | IoOperation::BufferOut => false,
        }
    }
}
