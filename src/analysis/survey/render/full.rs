//! A study as text for a person.

use std::fmt::Write;

use super::tables::{SHAPES, StudyTables, Table, percentage};
use super::{Extent, TOTAL, parts};
use crate::analysis::survey::Study;

/// So many shapes stand in a summary.
const SHAPES_IN_SUMMARY: usize = 5;

/// The sizes, the hypotheses, and the tables of the whole or of each package; or a summary.
pub fn render(study: &Study, extent: Extent) -> String {
    let parts = parts(study);
    if extent == Extent::Summary {
        return parts.iter().map(|(name, tables)| summary(name, tables)).collect::<Vec<_>>().join("\n");
    }
    let mut text = sizes(&parts) + "\n" + &hypotheses(&parts);
    for (name, part) in &parts {
        let is_whole = *name == TOTAL || parts.len() == 1;
        if extent != Extent::Each && !is_whole {
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

/// A few lines about one package, or all.
fn summary(name: &str, tables: &StudyTables) -> String {
    let of_all = |count| format!("{} %", percent(count, tables.computations));
    let mut text = format!("{name}: {} can be specified\n", of_all(tables.specified()));
    let sizes = &tables.sizes;
    let _ = writeln!(
        text,
        "  {} files ({} understood), {} physical lines, {} array computations",
        grouped(sizes.files),
        grouped(sizes.understood_files),
        grouped(sizes.physical_lines),
        grouped(tables.computations)
    );
    let hypotheses = tables.hypotheses.iter().map(|one| format!("H{} {}", one.number, of_all(one.count)));
    let _ = writeln!(text, "  {}", hypotheses.collect::<Vec<_>>().join(", "));
    let shapes = tables.tables.iter().filter(|table| table.id == SHAPES).flat_map(|table| &table.rows);
    for row in shapes.filter(|row| row.count > 0 && !row.is_rest && row.phrase.is_empty()).take(SHAPES_IN_SUMMARY) {
        let _ = writeln!(text, "  {:>8}  {}", of_all(row.count), row.keys.join(" "));
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
