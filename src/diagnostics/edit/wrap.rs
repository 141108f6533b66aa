//! Comment lines that are broken so that they are no longer than wanted.

use super::LineInsertion;

/// The insertions with their lines broken behind blanks, `*` and `+`, so that none has more characters than `columns`
/// where that can be. A line that goes on ends with `&`, and the next has the same beginning (blanks, comment sign and
/// marker) and then `&`. Without `columns` none is broken.
pub fn wrapped(insertions: Vec<LineInsertion>, columns: Option<usize>) -> Vec<LineInsertion> {
    let Some(columns) = columns else { return insertions };
    insertions.into_iter().flat_map(|insertion| wrap(insertion, columns)).collect()
}

fn wrap(insertion: LineInsertion, columns: usize) -> Vec<LineInsertion> {
    let Ok(text) = std::str::from_utf8(&insertion.text) else { return vec![insertion] };
    if text.chars().count() <= columns {
        return vec![insertion];
    }
    // Blanks, sign and marker, and the blank behind them.
    let indent = text.len() - text.trim_start().len();
    let head = text[indent..].find(' ').map_or(text.len(), |at| indent + at + 1);
    let (head, mut rest) = text.split_at(head);
    let mut lines = Vec::new();
    let mut begin = head.to_owned();
    while begin.chars().count() + rest.chars().count() > columns {
        let room = columns.saturating_sub(begin.chars().count() + " &".len());
        let Some(at) = break_before(rest, room) else { break };
        let (part, behind) = rest.split_at(at);
        lines.push(format!("{begin}{} &", part.trim_end()));
        begin = format!("{head}& ");
        rest = behind;
    }
    lines.push(format!("{begin}{rest}"));
    let line = |text: String| LineInsertion { before_line: insertion.before_line, text: text.into_bytes() };
    lines.into_iter().map(line).collect()
}

/// Where a text can be broken: at the last place that leaves no more than so many characters before it, or else at the
/// first; `None` if there is none.
fn break_before(text: &str, room: usize) -> Option<usize> {
    let breaks = text.char_indices().filter(|(at, sign)| matches!(sign, ' ' | '*' | '+') && *at + 1 < text.len());
    let ends = breaks.map(|(at, sign)| (at + sign.len_utf8(), text[..=at].trim_end().chars().count()));
    let (mut last, mut first) = (None, None);
    for (end, length) in ends.filter(|(end, _)| !text[..*end].trim().is_empty()) {
        first = first.or(Some(end));
        if length <= room {
            last = Some(end);
        }
    }
    last.or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, columns: usize) -> Vec<String> {
        let insertion = LineInsertion { before_line: 1, text: text.into() };
        let lines = wrapped(vec![insertion], Some(columns));
        lines.into_iter().map(|line| String::from_utf8(line.text).expect("text")).collect()
    }

    #[test]
    fn lines_are_broken_where_nothing_is_torn() {
        let text = "  != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) :: a";
        assert_eq!(lines(text, 80), [text]);
        let expected = ["  != stencil readOnce, pointed(dim=1)* &", "  != & centered(depth=1, dim=2) :: a"];
        assert_eq!(lines(text, 42), expected);
        // Where a word is longer than a line, the line is longer than wanted.
        assert_eq!(lines("c= access readOnce", 3), ["c= access &", "c= & readOnce"]);
        assert!(lines(text, 24).iter().all(|line| line.len() <= 28));
    }
}
