//! One row for each array computation: the columns, and the rows as comma-separated values. Rows are written as files are done; nothing is
//! kept of them.

use std::io::{self, Write};

use super::csv::line;
use crate::analysis::survey::partial::FileName;
use crate::analysis::survey::{ArrayRow, Assignment, Bound, FileSurvey};

/// An array computation with its place.
#[derive(Clone, Copy, Debug)]
pub struct Computation<'a> {
    /// The file.
    pub file: &'a FileName,
    /// The assignment.
    pub assignment: &'a Assignment,
    /// The array that flows to it.
    pub array: &'a ArrayRow,
}

/// A value in a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// A text; `None` where there is nothing to tell.
    Text(Option<&'a str>),
    /// A number; `None` where there is nothing to tell.
    Number(Option<u32>),
    /// Yes or no; `None` where there is nothing to tell.
    Flag(Option<bool>),
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the variants of a value")]
pub enum Kind {
    Text,
    Number,
    Flag,
}

/// A column: its name, what it holds, and its value in a row.
pub type Column = (&'static str, Kind, for<'a> fn(Computation<'a>) -> Value<'a>);

/// The columns. The last ones are of the first specification, of two bounds the lower one.
pub const COLUMNS: [Column; 27] = [
    ("package", Kind::Text, |row| text(&row.file.package)),
    ("path", Kind::Text, |row| text(&row.file.path)),
    ("line", Kind::Number, |row| Value::Number(Some(row.assignment.line))),
    ("column", Kind::Number, |row| Value::Number(Some(row.assignment.column))),
    ("unit", Kind::Text, |row| text(&row.assignment.unit)),
    ("array", Kind::Text, |row| text(&row.array.array)),
    ("is_root", Kind::Flag, |row| Value::Flag(Some(row.assignment.is_root))),
    ("flow_length", Kind::Number, |row| Value::Number(Some(row.assignment.flow_length))),
    ("arrays", Kind::Number, |row| Value::Number(Some(row.assignment.arrays.len() as u32))),
    ("left", Kind::Text, |row| text(row.array.category.left.name())),
    ("right", Kind::Text, |row| text(row.array.category.right.name())),
    ("contiguity", Kind::Text, |row| Value::Text(row.array.category.contiguity.map(|class| class.name()))),
    ("position", Kind::Text, |row| Value::Text(row.array.category.position.map(|class| class.name()))),
    ("reuse", Kind::Text, |row| Value::Text(row.array.category.reuse.map(|class| class.name()))),
    ("relation", Kind::Text, |row| Value::Text(row.array.category.relation.map(|class| class.name()))),
    ("relativised", Kind::Flag, |row| Value::Flag(Some(row.array.category.relativised))),
    ("dimensions", Kind::Number, |row| Value::Number(Some(row.array.dimensionality))),
    ("references", Kind::Number, |row| Value::Number(Some(row.array.subscripts))),
    ("shape", Kind::Text, |row| Value::Text(row.array.shape.as_deref())),
    ("outcome", Kind::Text, |row| text(row.array.outcome.name())),
    ("bound", Kind::Text, |row| Value::Text(row.array.specifications.first().map(|class| bound(class.bound)))),
    ("is_stencil", Kind::Flag, |row| Value::Flag(row.array.specifications.first().map(|class| class.is_stencil))),
    ("read_once", Kind::Flag, |row| Value::Flag(row.array.specifications.first().map(|class| class.read_once))),
    ("action", Kind::Text, |row| Value::Text(row.array.specifications.first().map(|class| class.action.name()))),
    ("nonpointed", Kind::Flag, |row| Value::Flag(row.array.specifications.first().map(|class| class.has_hole))),
    ("products", Kind::Number, |row| Value::Number(row.array.specifications.first().map(|class| class.products))),
    ("sums", Kind::Number, |row| Value::Number(row.array.specifications.first().map(|class| class.sums))),
];

fn text(text: &str) -> Value<'_> {
    Value::Text(Some(text))
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::AtMost => "atMost",
        Bound::AtLeast => "atLeast",
    }
}

/// The computations of a file, in source order.
pub fn computations<'a>(file: &'a FileName, survey: &'a FileSurvey) -> impl Iterator<Item = Computation<'a>> {
    survey
        .assignments
        .iter()
        .flat_map(move |assignment| assignment.arrays.iter().map(move |array| Computation { file, assignment, array }))
}

/// Where rows go.
pub trait Rows {
    /// Writes the rows of one file.
    ///
    /// # Errors
    ///
    /// If that can't be done.
    fn write(&mut self, file: &FileName, survey: &FileSurvey) -> io::Result<()>;

    /// Writes what closes the rows.
    ///
    /// # Errors
    ///
    /// If that can't be done.
    fn finish(&mut self) -> io::Result<()>;
}

/// Rows as comma-separated values, with a heading.
pub struct CsvRows<W> {
    output: W,
}

impl<W: Write> CsvRows<W> {
    /// Writes the heading.
    ///
    /// # Errors
    ///
    /// If that can't be done.
    pub fn new(mut output: W) -> io::Result<Self> {
        output.write_all(line(&COLUMNS.map(|(name, ..)| name)).as_bytes())?;
        Ok(CsvRows { output })
    }
}

impl<W: Write> Rows for CsvRows<W> {
    fn write(&mut self, file: &FileName, survey: &FileSurvey) -> io::Result<()> {
        for row in computations(file, survey) {
            let fields = COLUMNS.map(|(_, _, value)| field(value(row)));
            self.output.write_all(line(&fields.each_ref().map(String::as_str)).as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// A value as text; empty where there is nothing to tell.
pub fn field(value: Value<'_>) -> String {
    match value {
        Value::Text(text) => text.unwrap_or_default().to_owned(),
        Value::Number(number) => number.map(|number| number.to_string()).unwrap_or_default(),
        Value::Flag(flag) => flag.map(|flag| flag.to_string()).unwrap_or_default(),
    }
}
