//! Rows as an Apache Parquet file, for notebooks: the columns of [`super::rows`], what is not told being null.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::rows::{COLUMNS, Computation, Kind, Rows, Value, computations};
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
        let rows: Vec<Computation<'_>> = pending.iter().flat_map(|(file, survey)| computations(file, survey)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        for (_, kind, value) in COLUMNS {
            write_column(&mut group, kind, rows.iter().map(|&row| value(row)))?;
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
    for (name, kind, _) in COLUMNS {
        let (physical, logical) = match kind {
            Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Number => (PhysicalType::INT32, None),
            Kind::Flag => (PhysicalType::BOOLEAN, None),
        };
        let field = Type::primitive_type_builder(name, physical);
        let field = field.with_logical_type(logical).with_repetition(Repetition::OPTIONAL).build()?;
        fields.push(Arc::new(field));
    }
    Type::group_type_builder("computation").with_fields(fields).build()
}

fn write_column<'a, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    kind: Kind,
    values: impl Iterator<Item = Value<'a>>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let (mut texts, mut numbers, mut flags, mut levels) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for value in values {
        let is_there = match value {
            Value::Text(text) => {
                texts.extend(text.map(ByteArray::from));
                text.is_some()
            }
            Value::Number(number) => {
                numbers.extend(number.map(|number| i32::try_from(number).unwrap_or(i32::MAX)));
                number.is_some()
            }
            Value::Flag(flag) => {
                flags.extend(flag);
                flag.is_some()
            }
        };
        levels.push(i16::from(is_there));
    }
    let levels = Some(levels.as_slice());
    match kind {
        Kind::Text => column.typed::<ByteArrayType>().write_batch(&texts, levels, None)?,
        Kind::Number => column.typed::<Int32Type>().write_batch(&numbers, levels, None)?,
        Kind::Flag => column.typed::<BoolType>().write_batch(&flags, levels, None)?,
    };
    column.close()
}
