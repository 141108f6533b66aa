//! Rows as an Apache Parquet file, for notebooks: the columns of [`super::rows`], what is not told being null.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::rows::{COLUMNS, ColumnValue, ComputationRow, Rows, computations};
use crate::analysis::survey::FileSurvey;
use crate::analysis::survey::partial::FileName;

/// Rows that are kept until they are written as one group.
const GROUP: usize = 1 << 16;

/// A Parquet file under way.
pub struct ParquetRows<W: Write + Send> {
    /// `None` once it is finished.
    writer: Option<SerializedFileWriter<W>>,
    /// The files whose rows are still to be written.
    pending: Vec<(FileName, FileSurvey)>,
    /// How many rows these have.
    count: usize,
}

impl<W: Write + Send> ParquetRows<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If that can't be done.
    pub fn new(output: W) -> io::Result<Self> {
        let schema = schema().map_err(io::Error::other)?;
        let properties = Arc::new(WriterProperties::builder().build());
        let writer = SerializedFileWriter::new(output, Arc::new(schema), properties).map_err(io::Error::other)?;
        Ok(ParquetRows { writer: Some(writer), pending: Vec::new(), count: 0 })
    }

    /// Writes what is pending as one group of rows.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let Some(writer) = self.writer.as_mut() else { return Ok(()) };
        let pending = std::mem::take(&mut self.pending);
        self.count = 0;
        let rows: Vec<ComputationRow<'_>> =
            pending.iter().flat_map(|(file, survey)| computations(file, survey)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        for (_, value) in COLUMNS {
            write_column(&mut group, value, &rows)?;
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> Rows for ParquetRows<W> {
    fn write(&mut self, file: &FileName, survey: &FileSurvey) -> io::Result<()> {
        self.count += survey.assignments.iter().map(|assignment| assignment.arrays.len()).sum::<usize>();
        self.pending.push((file.clone(), survey.clone()));
        if self.count >= GROUP {
            self.write_group().map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_group().map_err(io::Error::other)?;
        match self.writer.take() {
            Some(writer) => writer.close().map(|_| ()).map_err(io::Error::other),
            None => Ok(()),
        }
    }
}

fn schema() -> Result<Type, ParquetError> {
    let mut fields = Vec::new();
    for (name, value) in COLUMNS {
        let (physical, logical) = match value {
            ColumnValue::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnValue::Number(_) => (PhysicalType::INT32, None),
            ColumnValue::Flag(_) => (PhysicalType::BOOLEAN, None),
        };
        let field = Type::primitive_type_builder(name, physical);
        let field = field.with_logical_type(logical).with_repetition(Repetition::OPTIONAL).build()?;
        fields.push(Arc::new(field));
    }
    Type::group_type_builder("computation").with_fields(fields).build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    value: ColumnValue,
    rows: &[ComputationRow<'_>],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    match value {
        ColumnValue::Text(text) => {
            write_values::<ByteArrayType>(&mut column, rows.iter().map(|&row| text(row).map(ByteArray::from)))?;
        }
        ColumnValue::Number(number) => {
            let numbers = rows.iter().map(|&row| Some(i32::try_from(number(row)?).unwrap_or(i32::MAX)));
            write_values::<Int32Type>(&mut column, numbers)?;
        }
        ColumnValue::Flag(flag) => write_values::<BoolType>(&mut column, rows.iter().map(|&row| flag(row)))?,
    }
    column.close()
}

/// Writes the values that are there, and for each row whether there is one.
fn write_values<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut present, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    column.typed::<T>().write_batch(&present, Some(&levels), None)?;
    Ok(())
}
