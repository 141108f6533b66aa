//! A study as comma-separated values: every number of every table of every package on a line of its own, so that one filter gives any of
//! them.

use super::parts;
use super::tables::{HYPOTHESES, percentage, tables};
use crate::analysis::survey::{Counts, Study};

/// The lines, with a heading.
pub fn render(study: &Study) -> String {
    let mut text = line(&["package", "table", "row", "count", "whole", "percent"]);
    for (name, counts) in parts(study) {
        for (what, count) in sizes(&counts) {
            text += &line(&[name, "sizes", what, &count.to_string(), "", ""]);
        }
        let whole = counts.computations();
        for hypothesis in HYPOTHESES {
            let label = format!("hypothesis {}", hypothesis.number);
            text += &counted(name, "hypotheses", &label, counts.computations_with(hypothesis.holds), whole);
        }
        for table in tables(&counts) {
            let total = table.total();
            for row in &table.rows {
                text += &counted(name, table.id, &row.keys.join(" / "), row.count, total);
            }
        }
    }
    text
}

/// What Table 1 tells.
pub(super) fn sizes(counts: &Counts) -> [(&'static str, u64); 9] {
    [
        ("files", counts.files),
        ("understood files", counts.understood_files),
        ("physical lines", counts.physical_lines),
        ("understood physical lines", counts.understood_physical_lines),
        ("raw lines", counts.raw_lines),
        ("understood raw lines", counts.understood_raw_lines),
        ("statements", counts.statements),
        ("statements not understood", counts.not_understood),
        ("assignments", counts.assignments),
    ]
}

fn counted(package: &str, table: &str, row: &str, count: u64, whole: u64) -> String {
    let percent = format!("{:.2}", percentage(count, whole));
    line(&[package, table, row, &count.to_string(), &whole.to_string(), &percent])
}

/// One line (RFC 4180).
pub fn line(fields: &[&str]) -> String {
    let quoted = |field: &&str| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => (*field).to_owned(),
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(line(&["a", "(0,1)", "say \"x\""]), "a,\"(0,1)\",\"say \"\"x\"\"\"\n");
    }
}
