//! A study as text for a person.

use std::fmt::Write;

use super::tables::{StudyTables, Table, percentage};
use super::{TOTAL, parts};
use crate::analysis::survey::Study;

/// The sizes, the hypotheses, and the tables of the whole; `each`: also those of each package.
pub fn render(study: &Study, each: bool) -> String {
    let parts = parts(study);
    let mut text = sizes(&parts) + "\n" + &hypotheses(&parts);
    for (name, part) in &parts {
        let is_whole = *name == TOTAL || parts.len() == 1;
        if !each && !is_whole {
            continue;
        }
        if parts.len() > 1 {
            let _ = write!(text, "\n== {name} ==\n");
        }
        for table in &part.tables {
            text.push('\n');
            text.push_str(&table_text(table));
        }
    }
    text
}

/// The paper's Table 1.
fn sizes(parts: &[(&str, StudyTables)]) -> String {
    let mut grid =
        TextGrid::new(&["Package", "files", "understood", "physical lines", "understood", "raw lines", "understood"]);
    for (name, part) in parts {
        let numbers = part.sizes.named().into_iter().take(6).map(|(_, number)| grouped(number));
        grid.rows.push([(*name).to_owned()].into_iter().chain(numbers).collect());
    }
    format!("What was read (the columns 'understood': in files of which everything was)\n\n{}", grid.text(1))
}

fn hypotheses(parts: &[(&str, StudyTables)]) -> String {
    let mut text = "Hypotheses (number and percentage of array computations)\n\n".to_owned();
    let mut grid = TextGrid::new(&["Package", "computations"]);
    for hypothesis in parts.iter().take(1).flat_map(|(_, part)| &part.hypotheses) {
        let _ = writeln!(text, "  H{}  {}", hypothesis.number, hypothesis.statement);
        grid.rows[0].extend([format!("H{}", hypothesis.number), "%".to_owned()]);
    }
    text.push('\n');
    for (name, part) in parts {
        let mut cells = vec![(*name).to_owned(), grouped(part.computations)];
        for hypothesis in &part.hypotheses {
            cells.extend([grouped(hypothesis.count), percent(hypothesis.count, part.computations)]);
        }
        grid.rows.push(cells);
    }
    text + &grid.text(1)
}

fn table_text(table: &Table) -> String {
    let mut grid = TextGrid::new(&table.columns);
    grid.rows[0].extend([table.whole.name(), "%", ""].map(str::to_owned));
    let mut last = vec![String::new(); table.columns.len()];
    last[0] = "total".to_owned();
    let rows = table.rows.iter().map(|row| (row.keys.clone(), row.count, row.phrase));
    for (mut cells, count, phrase) in rows.chain([(last, table.total, "")]) {
        cells.extend([grouped(count), percent(count, table.total), phrase.to_owned()]);
        grid.rows.push(cells);
    }
    format!("{}\n\n{}", table.title, grid.text(table.columns.len()))
}

/// The percentage of a whole, with two decimals.
pub(super) fn percent(count: u64, whole: u64) -> String {
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
struct TextGrid {
    rows: Vec<Vec<String>>,
}

impl TextGrid {
    fn new(columns: &[&str]) -> Self {
        TextGrid { rows: vec![columns.iter().map(|&column| column.to_owned()).collect()] }
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
