//! One row for each array computation: the columns, and the rows as comma-separated values. Rows are written as files
//! are done; nothing is kept of them.

use std::borrow::Cow;
use std::io::{self, Write};

use super::csv::line;
use crate::analysis::survey::partial::FileName;
use crate::analysis::survey::{
    ArrayRow, Assignment, Contiguity, FileSurvey, Position, Relation, Reuse, SpecificationClass,
};

/// An array computation with its place.
#[derive(Clone, Copy, Debug)]
pub struct ComputationRow<'a> {
    /// The file.
    pub file: &'a FileName,
    /// The assignment.
    pub assignment: &'a Assignment,
    /// The array that flows to it.
    pub array: &'a ArrayRow,
}

/// A column: its name and its value in a row.
pub type Column = (&'static str, ColumnValue);

/// How the value of a column is got from a row, by what it is; `None` where nothing is known.
#[derive(Clone, Copy)]
pub enum ColumnValue {
    /// A text.
    Text(for<'a> fn(ComputationRow<'a>) -> Option<&'a str>),
    /// A number.
    Number(fn(ComputationRow<'_>) -> Option<u32>),
    /// Yes or no.
    Flag(fn(ComputationRow<'_>) -> Option<bool>),
}

impl ComputationRow<'_> {
    /// The first specification; of two bounds it is the lower one.
    fn specification(self) -> Option<SpecificationClass> {
        self.array.specifications.first().copied()
    }
}

/// The columns.
pub const COLUMNS: [Column; 27] = [
    ("package", ColumnValue::Text(|row| Some(&row.file.package))),
    ("path", ColumnValue::Text(|row| Some(&row.file.path))),
    ("line", ColumnValue::Number(|row| Some(row.assignment.line))),
    ("column", ColumnValue::Number(|row| Some(row.assignment.column))),
    ("unit", ColumnValue::Text(|row| Some(&row.assignment.unit))),
    ("array", ColumnValue::Text(|row| Some(&row.array.array))),
    ("is_root", ColumnValue::Flag(|row| Some(row.assignment.is_root))),
    ("flow_length", ColumnValue::Number(|row| Some(row.assignment.flow_length))),
    ("arrays", ColumnValue::Number(|row| Some(row.assignment.arrays.len() as u32))),
    ("left", ColumnValue::Text(|row| Some(row.array.category.left.name()))),
    ("right", ColumnValue::Text(|row| Some(row.array.category.right.name()))),
    ("contiguity", ColumnValue::Text(|row| row.array.category.contiguity.map(Contiguity::name))),
    ("position", ColumnValue::Text(|row| row.array.category.position.map(Position::name))),
    ("reuse", ColumnValue::Text(|row| row.array.category.reuse.map(Reuse::name))),
    ("relation", ColumnValue::Text(|row| row.array.category.relation.map(Relation::name))),
    ("relativised", ColumnValue::Flag(|row| Some(row.array.category.relativised))),
    ("dimensions", ColumnValue::Number(|row| Some(row.array.dimensionality))),
    ("references", ColumnValue::Number(|row| Some(row.array.subscripts))),
    ("shape", ColumnValue::Text(|row| row.array.shape.as_deref())),
    ("outcome", ColumnValue::Text(|row| Some(row.array.outcome.name()))),
    ("bound", ColumnValue::Text(|row| Some(row.specification()?.bound.name()))),
    ("is_stencil", ColumnValue::Flag(|row| Some(row.specification()?.is_stencil))),
    ("read_once", ColumnValue::Flag(|row| Some(row.specification()?.read_once))),
    ("action", ColumnValue::Text(|row| Some(row.specification()?.action.name()))),
    ("nonpointed", ColumnValue::Flag(|row| Some(row.specification()?.has_hole))),
    ("products", ColumnValue::Number(|row| Some(row.specification()?.products))),
    ("sums", ColumnValue::Number(|row| Some(row.specification()?.sums))),
];

/// The computations of a file, in source order.
pub fn computations<'a>(file: &'a FileName, survey: &'a FileSurvey) -> impl Iterator<Item = ComputationRow<'a>> {
    survey.assignments.iter().flat_map(move |assignment| {
        assignment.arrays.iter().map(move |array| ComputationRow { file, assignment, array })
    })
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
        output.write_all(line(&COLUMNS.map(|(name, _)| name)).as_bytes())?;
        Ok(CsvRows { output })
    }
}

impl<W: Write> Rows for CsvRows<W> {
    fn write(&mut self, file: &FileName, survey: &FileSurvey) -> io::Result<()> {
        for row in computations(file, survey) {
            // Nothing is written where nothing is known.
            let fields = COLUMNS.map(|(_, value)| match value {
                ColumnValue::Text(text) => text(row).map(Cow::Borrowed).unwrap_or_default(),
                ColumnValue::Number(number) => number(row).map(|number| number.to_string().into()).unwrap_or_default(),
                ColumnValue::Flag(flag) => flag(row).map(|flag| flag.to_string().into()).unwrap_or_default(),
            });
            self.output.write_all(line(&fields.each_ref().map(|field| &**field)).as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
