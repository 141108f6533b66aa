//! The result of the prescanner: logical statements as *cooked* text, and what stood beside them.
//!
//! Cooked text is canonical, whatever the source form, so that the statement parsers need no notion of white space:
//!
//! - lower case outside character contexts (character constants, Hollerith constants, and the quoted parts of a
//!   FORMAT);
//! - no comments, no continuation marks, no line ends, no label, no construct separators (`;`);
//! - **blanks:** outside character contexts, fixed form has none; free form keeps exactly one blank where the source
//!   had one or more between two *name characters* (letter, digit, `_`, `$`, `@`, `%`-free: see [`is_name_byte`]), and
//!   none anywhere else. Two exceptions serve both forms: between a closing and an opening quote that are not one
//!   doubled quote a blank is kept (`'a' 'b'`), or the two constants would become one; and in a FORMAT one between a
//!   number and the count of a Hollerith edit descriptor (`f8.3 4hABCD`);
//! - a character constant is kept byte for byte, quotes included, with its continuation removed.
//!
//! Each cooked byte has an [origin](Prescanned::origins): the offset of the source byte that it is, or, for text out of
//! a macro, of the place of use.

use super::span::{SourceTexts, Span};

/// The two layouts of Fortran source (clauses 6.3.2 and 6.3.3 of the standard).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SourceForm {
    /// Columns count: label in 1-5, continuation in 6, text from 7.
    Fixed,
    /// Columns don't count, `&` continues.
    Free,
}

/// A byte that can be part of a name or a number in some dialect: letter, digit, `_`, `$`, `@`.
pub fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[byte as usize]
}

/// [`is_name_byte`] as a table: names are most of what is read, and each is read more than once.
const NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'$' | b'@');
        byte += 1;
    }
    table
};

/// One logical statement: the cooked text of one statement and where it came from.
#[derive(Clone, Debug)]
pub struct LogicalStatement {
    /// First byte in [`Prescanned::cooked`].
    pub start: u32,
    /// Byte behind the last in [`Prescanned::cooked`]. Never equal to `start`: empty statements aren't kept, except
    /// that a label without a statement is.
    pub end: u32,
    /// Statement label, 0 to 99999 (more digits saturate); `None` when there is none.
    pub label: Option<u32>,
    /// From the label or the first character to the last, in source offsets.
    pub span: Span,
    /// Index, among the statements that share source lines with it, from 0: the second statement of `a=1; b=2` has 1.
    pub position_on_line: u32,
    /// Whether another statement follows on the same source line (separated by `;`).
    pub shares_line: bool,
    /// Whether some of its text came out of a macro expansion.
    pub from_macro: bool,
    /// Whether fypp makes some of its text: then it is not known what it does.
    pub hides: bool,
}

/// A comment on a line of its own, or behind code.
#[derive(Clone, Copy, Debug)]
pub struct Comment {
    /// From the comment sign (`!`, or the `c`, `*`, `d` of column 1) to the end of the line, without the line end.
    pub span: Span,
    /// Number of statements of [`Prescanned::statements`] that *start* before it.
    pub statements_before: u32,
    /// Whether nothing but blanks stands before it on its line and it is not between the lines of one statement.
    pub own_line: bool,
}

/// A directive line (`!$omp …`, `!$acc …`, `!dir$ …`, `!gcc$ …`, …): kept apart from comments, not interpreted.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// From the sign to the end of the line.
    pub span: Span,
    /// Number of statements that start before it.
    pub statements_before: u32,
}

/// Why a file is not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludeObstacle {
    /// It is not on the search path.
    NotFound,
    /// It lies where no source may be read.
    OutOfBounds,
    /// It is the including file, or includes that.
    IncludesItself,
    /// A bound on what one file includes is reached.
    TooManyIncluded,
    /// The budget of included text is used up.
    TooMuchText,
}

impl IncludeObstacle {
    /// What is to be said of the file.
    pub fn text(self) -> &'static str {
        match self {
            IncludeObstacle::NotFound => "not found",
            IncludeObstacle::OutOfBounds => {
                "it lies outside of the paths given, the directories of -I and the project, and is not read"
            }
            IncludeObstacle::IncludesItself => "includes itself",
            IncludeObstacle::TooManyIncluded => "files include each other too often",
            IncludeObstacle::TooMuchText => "more than 8 MB of text are included, and the rest is not read",
        }
    }
}

/// Something the prescanner or the preprocessor has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceNote {
    /// F003: an `include` line or `#include` whose file is not included.
    NotIncluded {
        /// The file as written.
        file: String,
        /// Why.
        obstacle: IncludeObstacle,
    },
    /// F005: the form that fits differs from the one that the extension suggests.
    FormGuessed {
        /// The form that was used.
        used: SourceForm,
    },
    /// F005: fixed-form lines are longer than the 72 columns of the standard.
    LineLengthGuessed {
        /// So many columns count.
        columns: u32,
    },
    /// F001: text that can't be made into a statement at all (unterminated character constant, bytes that belong to no
    /// statement), with a sentence that says why.
    NotUnderstood {
        /// One sentence.
        reason: String,
    },
    /// F006: `#if` without `#endif`, `#else` without `#if`.
    UnbalancedConditional {
        /// One sentence.
        reason: String,
    },
    /// `#error` reached, a macro that can't be expanded, a malformed directive: one sentence.
    Preprocessor {
        /// One sentence.
        reason: String,
    },
}

/// What the prescanner gives back.
#[derive(Clone, Debug)]
pub struct Prescanned {
    /// All texts of the translation unit, the named file first.
    pub texts: SourceTexts,
    /// The form in which the named file was read.
    pub form: SourceForm,
    /// Whether the named file goes through the preprocessor: its name says so (`.F90`, `.fpp`), or a line begins with
    /// `#`.
    pub is_preprocessed: bool,
    /// Whether it is one for fypp, of which every branch is read.
    pub is_fypp: bool,
    /// Number of columns that count if it is in fixed form; `None` when all do.
    pub columns: Option<u32>,
    /// Macros that are defined elsewhere and stand for types, in lower case.
    pub types: Vec<String>,
    /// The cooked text of all statements, one behind the other.
    pub cooked: Vec<u8>,
    /// For each byte of `cooked`, the source offset it came from. In text out of a macro every byte has the offset of
    /// the first byte of the use, but the last byte has that of the last byte of the use.
    pub origins: Vec<u32>,
    /// The statements in order.
    pub statements: Vec<LogicalStatement>,
    /// The comments in order, directives excepted.
    pub comments: Vec<Comment>,
    /// The directive lines in order.
    pub directives: Vec<Directive>,
    /// Source lines that lie in inactive branches of conditionals, as spans.
    pub inactive: Vec<Span>,
    /// Findings, each with its place.
    pub notes: Vec<(Span, SourceNote)>,
}

impl Prescanned {
    /// The bytes of a part of a statement that the prescanner kept, as they stand in the source, without what continues
    /// lines; `None` where the source can't be followed from line to line (a macro).
    pub fn part_of(&self, statement: &LogicalStatement, span: Span) -> Option<Vec<u8>> {
        let bytes = self.texts.bytes(span);
        if memchr::memchr2(b'\n', b'\r', bytes).is_none() {
            return Some(bytes.to_vec());
        }
        let origins = self.origins.get(statement.start as usize..statement.end as usize)?;
        let inside = origins.iter().filter(|&&origin| span.start <= origin && origin < span.end);
        let byte = |&origin: &u32| self.texts.bytes(Span::new(origin, origin + 1)).first().copied();
        if statement.from_macro { None } else { inside.map(byte).collect() }
    }

    /// The cooked text of a statement.
    pub fn text(&self, statement: &LogicalStatement) -> &[u8] {
        &self.cooked[statement.start as usize..statement.end as usize]
    }

    /// The source span of a cooked range `from..to` (byte offsets in [`Prescanned::cooked`]); an empty range is the
    /// place of its first byte. Of what lies in several files it is the part in the file where it begins.
    pub fn span(&self, from: u32, to: u32) -> Span {
        let start = self.origins.get(from as usize).copied().unwrap_or_default();
        if to <= from {
            return Span::new(start, start);
        }
        let origins = &self.origins[from as usize..to as usize];
        self.texts.within_text(Span::new(start, origins[origins.len() - 1] + 1), origins)
    }
}
