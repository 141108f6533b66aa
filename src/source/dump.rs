//! The prescanner's result as text, for `camfort-rs debug statements FILE`.

use std::fmt::Write;

use super::prescanned::Prescanned;

/// One statement on each line: `line:column`, its label (or `-`), and its cooked text. Bytes that are not UTF-8 show as
/// replacement characters; statements of included files have the file's name before the position.
pub fn dump(prescanned: &Prescanned) -> String {
    let mut out = String::new();
    for statement in &prescanned.statements {
        let (path, start, _) = prescanned.texts.locate(statement.span);
        if !prescanned.texts.in_root(statement.span) {
            let _ = write!(out, "{}:", path.display());
        }
        let label = statement.label.map_or_else(|| "-".to_owned(), |label| label.to_string());
        let text = String::from_utf8_lossy(prescanned.text(statement));
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}:{}\t{label}\t{text}", start.line, start.column);
    }
    out
}
