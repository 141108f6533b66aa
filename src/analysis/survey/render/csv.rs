//! A study as comma-separated values: every number of every table of every package on a line of its own, so that one
//! filter gives any of them.

use super::full::percent;
use super::parts;
use crate::analysis::survey::Study;

/// The lines, with a heading.
pub fn render(study: &Study) -> String {
    let mut text = line(&["package", "table", "row", "count", "whole", "percent"]);
    for (name, part) in parts(study) {
        for (size, count) in part.sizes.named().into_iter().chain([("assignments", part.assignments)]) {
            text += &line(&[name, "sizes", size, &count.to_string(), "", ""]);
        }
        let mut counted = |table, row: &str, count: u64, whole: u64| {
            text += &line(&[name, table, row, &count.to_string(), &whole.to_string(), &percent(count, whole)]);
        };
        for hypothesis in &part.hypotheses {
            let row = format!("hypothesis {}", hypothesis.number);
            counted("hypotheses", &row, hypothesis.count, part.computations);
        }
        for table in &part.tables {
            table.rows.iter().for_each(|row| counted(table.id, &row.keys.join(" / "), row.count, table.total));
        }
    }
    text
}

/// One line (RFC 4180).
pub fn line(fields: &[&str]) -> String {
    fields.iter().map(|field| cell(field)).collect::<Vec<_>>().join(",") + "\n"
}

/// One field. What spreadsheets would take for a formula, as the name of a file may be one, begins with an apostrophe:
/// to them it is text.
fn cell(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{field}") } else { field.to_owned() };
    match is_formula || text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(line(&["a", "(0,1)", "say \"x\""]), "a,\"(0,1)\",\"say \"\"x\"\"\"\n");
    }

    #[test]
    fn no_field_is_a_formula() {
        for name in ["=1+2.f90", "+1.f90", "-1.f90", "@SUM(A1).f90", "\t=1.f90", "\r=1.f90"] {
            assert_eq!(line(&[name, "a-1=2"]), format!("\"'{name}\",a-1=2\n"));
        }
    }
}
