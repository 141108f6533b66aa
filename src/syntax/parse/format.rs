//! FORMAT (clause 13 of the standard): kept as text, only its brackets are checked.

use super::lexical::{Context, Input, Parsed, fail, symbol};
use super::literal::quoted_length;
use crate::syntax::ast::statement::StatementKind;

/// R1301 format-stmt, behind the keyword.
pub fn format<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (inner, ()) = symbol("(", input)?;
    let Some(length) = closing_bracket(inner) else {
        return fail(&input[input.len()..], "the closing bracket of the format");
    };
    let text = cx.intern(&inner[..length]);
    Ok((&inner[length + 1..], StatementKind::Format(text)))
}

/// Offset of the bracket that closes the format whose text begins here. Quoted texts and Hollerith edit descriptors (a
/// count that is too large for the rest is none) may hold brackets.
fn closing_bracket(text: Input<'_>) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    let mut count = 0usize;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'0'..=b'9' => {
                count = count.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
                continue;
            }
            b'h' | b'H' if count > 0 && count < text.len() - at => at += count,
            b'\'' | b'"' => at += quoted_length(&text[at - 1..], byte)? - 1,
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at - 1),
            b')' => depth -= 1,
            _ => {}
        }
        count = 0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceForm;
    use crate::syntax::testing::with_cooked;

    fn text(format_text: &str) -> Option<String> {
        with_cooked(SourceForm::Fixed, format_text, |cx, input| match format(cx, input) {
            Ok(([], StatementKind::Format(name))) => Some(cx.names.borrow().text(name).to_string()),
            _ => None,
        })
    }

    #[test]
    fn brackets_count_outside_of_texts() {
        for inner in
            ["", "1x,2(i3,3(1x,f4.1,:,',')),/", "'it''s (odd'", "5hABC(D,i3", "2x4hEND),a", "' no newline'$", "1h1//1x"]
        {
            assert_eq!(text(&format!("({inner})")).as_deref(), Some(inner));
        }
        for wrong in ["(i5", "i5)", "(i5))", "('a)", "(2(i5)"] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }
}
