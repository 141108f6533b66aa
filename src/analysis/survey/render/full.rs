//! A study as text for a person.

use std::fmt::Write;

use super::tables::{HYPOTHESES, Table, percentage, tables};
use super::{TOTAL, parts};
use crate::analysis::survey::{Counts, Study};

/// The sizes, the hypotheses, and the tables of the whole; `each`: also those of each package.
pub fn render(study: &Study, each: bool) -> String {
    let parts = parts(study);
    let mut text = sizes(&parts) + "\n" + &hypotheses(&parts);
    for (name, counts) in &parts {
        let is_whole = *name == TOTAL || parts.len() == 1;
        if !each && !is_whole {
            continue;
        }
        if parts.len() > 1 {
            let _ = write!(text, "\n== {name} ==\n");
        }
        for table in tables(counts) {
            text.push('\n');
            text.push_str(&table_text(&table));
        }
    }
    text
}

/// The paper's Table 1.
fn sizes(parts: &[(&str, Counts)]) -> String {
    let mut grid =
        Grid::new(&["Package", "files", "understood", "physical lines", "understood", "raw lines", "understood"]);
    for (name, counts) in parts {
        grid.row(vec![
            (*name).to_owned(),
            grouped(counts.files),
            grouped(counts.understood_files),
            grouped(counts.physical_lines),
            grouped(counts.understood_physical_lines),
            grouped(counts.raw_lines),
            grouped(counts.understood_raw_lines),
        ]);
    }
    format!("What was read (the columns 'understood': in files of which everything was)\n\n{}", grid.text(1))
}

fn hypotheses(parts: &[(&str, Counts)]) -> String {
    let mut text = "Hypotheses (number and percentage of array computations)\n\n".to_owned();
    for hypothesis in HYPOTHESES {
        let _ = writeln!(text, "  H{}  {}", hypothesis.number, hypothesis.statement);
    }
    text.push('\n');
    let mut columns = vec!["Package".to_owned(), "computations".to_owned()];
    for hypothesis in HYPOTHESES {
        columns.extend([format!("H{}", hypothesis.number), "%".to_owned()]);
    }
    let mut grid = Grid::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for (name, counts) in parts {
        let whole = counts.computations();
        let mut cells = vec![(*name).to_owned(), grouped(whole)];
        for hypothesis in HYPOTHESES {
            let count = counts.computations_with(hypothesis.holds);
            cells.extend([grouped(count), percent(count, whole)]);
        }
        grid.row(cells);
    }
    text + &grid.text(1)
}

fn table_text(table: &Table) -> String {
    let mut columns = table.columns.clone();
    columns.extend([table.whole.name(), "%", ""]);
    let mut grid = Grid::new(&columns);
    let total = table.total();
    for row in &table.rows {
        let mut cells = row.keys.clone();
        cells.extend([grouped(row.count), percent(row.count, total), row.phrase.to_owned()]);
        grid.row(cells);
    }
    let mut last = vec![String::new(); table.columns.len()];
    last[0] = "total".to_owned();
    last.extend([grouped(total), percent(total, total), String::new()]);
    grid.row(last);
    format!("{}\n\n{}", table.title, grid.text(table.columns.len()))
}

fn percent(count: u64, whole: u64) -> String {
    format!("{:.2}", percentage(count, whole))
}

/// A number with its thousands apart: 1,234,567.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Cells in columns that are as wide as they must be.
struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    fn new(columns: &[&str]) -> Self {
        Grid { rows: vec![columns.iter().map(|&column| column.to_owned()).collect()] }
    }

    fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The text; so many columns stand to the left, and the last one if it has no heading, the others to the right.
    fn text(&self, to_the_left: usize) -> String {
        let heading = &self.rows[0];
        let width_of = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..heading.len()).map(width_of).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let _ = match column < to_the_left || heading[column].is_empty() {
                    true => write!(line, " {cell:<width$} "),
                    false => write!(line, " {cell:>width$} "),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
