//! Specifications in branches of the preprocessor that are not compiled.

use crate::analysis::stencil::spec::{is_meant, recognise};
use crate::source::{SourceForm, Span, line_end};
use crate::syntax::Tree;

/// The places of the comments in inactive branches that would be specifications: nobody checks them.
pub fn inactive(tree: &Tree) -> Vec<Span> {
    let texts = &tree.source.texts;
    let mut found = Vec::new();
    for &branch in &tree.source.inactive {
        let mut start = branch.start;
        let line_end = line_end(&texts.text_at(branch.start).bytes);
        for line in texts.bytes(branch).split_inclusive(|&byte| byte == line_end) {
            if let Some(at) = specification(tree.source.form, line) {
                let end = line.trim_ascii_end().len();
                found.push(Span::new(start + at as u32, start + end.max(at) as u32));
            }
            start += line.len() as u32;
        }
    }
    found
}

/// Where in a line the text of a specification begins, if the line is a comment that is one.
fn specification(form: SourceForm, line: &[u8]) -> Option<usize> {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let sign = match (form, line.first()?) {
        (SourceForm::Fixed, b'c' | b'C' | b'*') => 0,
        _ if line.get(blanks) == Some(&b'!') => blanks,
        _ => return None,
    };
    let text = &line[sign + 1..];
    let (marker, start) = recognise(text)?;
    is_meant(marker, &text[start..]).then_some(sign + 1 + start)
}
