//! `survey --format parquet` holds the rows of `--format rows`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

mod common;
use common::{Folder, root};

fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        Field::Bool(flag) => flag.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_file_holds_the_rows() {
    let folder = Folder::with(&[]);
    let corpus = root().join("corpus").display().to_string();
    assert_eq!(folder.run(&["survey", "--format", "parquet", &corpus]).status, 2, "it needs --output");
    let ran = folder.run(&["survey", "--format", "parquet", "--output", "rows.parquet", &corpus]);
    assert_eq!((ran.status, ran.output.as_str(), ran.notes.as_str()), (0, "", ""));
    let csv = folder.run(&["survey", "--format", "rows", &corpus]).output;
    let reader = SerializedFileReader::new(File::open(folder.path("rows.parquet")).unwrap()).unwrap();
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let mut count = 0;
    for (row, line) in reader.get_row_iter(None).unwrap().zip(csv.lines().skip(1)) {
        let row = row.unwrap();
        let columns: Vec<(&String, &Field)> = row.get_column_iter().collect();
        assert_eq!(columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), names);
        let quoted = columns.iter().map(|(_, field)| {
            let text = text(field);
            if text.contains(',') { format!("\"{text}\"") } else { text }
        });
        assert_eq!(quoted.collect::<Vec<_>>().join(","), line);
        count += 1;
    }
    assert_eq!(count, csv.lines().count() - 1);
    assert!(count > 400, "{count} rows");
}
