//! Tests of the prescanner: layout rules as text in, cooked statements out, all through [`cooked`].

mod fixed;
mod fixtures;
mod free;
mod preprocess;
mod properties;
mod sides;

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::prescan::{FormChoice, PrescanOptions, prescan};
use super::prescanned::{Prescanned, SourceForm, SourceNote};

/// Options under which no file is read.
fn options(form: FormChoice) -> PrescanOptions {
    let read = Arc::new(|path: &Path| Err(io::Error::new(io::ErrorKind::NotFound, path.display().to_string())));
    PrescanOptions { form, read, ..PrescanOptions::default() }
}

/// Options under which there are exactly these files.
fn options_with_files(form: FormChoice, files: &'static [(&'static str, &'static str)]) -> PrescanOptions {
    let read = Arc::new(|path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    });
    PrescanOptions { form, read, ..PrescanOptions::default() }
}

/// The cooked statements as `label|text`, or `text` for those without a label. Bytes show as Latin-1.
fn statements(prescanned: &Prescanned) -> Vec<String> {
    let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    let one = |statement| {
        let text = text(prescanned.text(statement));
        statement.label.map_or(text.clone(), |label| format!("{label}|{text}"))
    };
    prescanned.statements.iter().map(one).collect()
}

/// Checks that a source has these statements, and that nothing is noted.
#[track_caller]
fn cooked(form: FormChoice, source: &str, expected: &[&str]) {
    cooked_with(&options(form), source, expected);
}

/// As [`cooked`], under other options.
#[track_caller]
fn cooked_with(options: &PrescanOptions, source: &str, expected: &[&str]) {
    let prescanned = prescan("main.f90", source.as_bytes().to_vec(), options);
    assert_eq!(statements(&prescanned), expected);
    assert_eq!(prescanned.notes, []);
}

/// The notes about a source.
fn notes(options: &PrescanOptions, source: &str) -> Vec<SourceNote> {
    let prescanned = prescan("main.f90", source.as_bytes().to_vec(), options);
    prescanned.notes.into_iter().map(|(_, note)| note).collect()
}
