//! Which comments are specifications, and the text of those that go on over several lines.
//!
//! Entry point: [`specification_texts`]. Result: [`SpecificationText`], the joined text from its keyword on, with a map
//! back to the source.

use std::ops::Range;

/// The words that a specification begins with.
const KEYWORDS: [&str; 3] = ["stencil", "access", "region"];

/// A word is taken for a misspelt keyword if so many letters at most are wrong, missing or too many.
const MISSPELT_BY: usize = 2;

/// The character that makes a comment a specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Marker {
    /// `=`: always meant as a specification.
    Equals,
    /// `!`, a documentation marker.
    Exclamation,
    /// `<`, a documentation marker.
    Less,
    /// `>`, a documentation marker.
    Greater,
}

impl Marker {
    /// The marker with this sign.
    pub fn from_sign(sign: u8) -> Option<Self> {
        match sign {
            b'=' => Some(Marker::Equals),
            b'!' => Some(Marker::Exclamation),
            b'<' => Some(Marker::Less),
            b'>' => Some(Marker::Greater),
            _ => None,
        }
    }
}

/// One comment without its comment sign.
#[derive(Clone, Copy, Debug)]
pub struct CommentText<'a> {
    /// What stands behind the comment sign, up to the end of the line.
    pub text: &'a [u8],
    /// Source offset of the first byte of `text`.
    pub start: u32,
    /// Whether nothing else stands on its line.
    pub own_line: bool,
    /// Number of statements before it; a specification does not go on behind the next statement.
    pub statements_before: u32,
}

/// The text of one specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecificationText {
    /// The text from the keyword on: the lines joined, without comment signs, markers, continuation signs and what
    /// stands behind a `!`.
    pub text: Vec<u8>,
    /// Its marker.
    pub marker: Marker,
    /// Whether it stands on a line of its own, as it must.
    pub own_line: bool,
    /// The comments that it consists of, as indices of the list given.
    pub comments: Range<usize>,
    /// Where the parts of `text` start, in it and in the source.
    parts: Vec<(usize, u32)>,
}

impl SpecificationText {
    /// The source offset of a byte of the text; of the end of the text, the one behind its last byte.
    pub fn source_offset(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        let part = self.parts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        self.parts.get(part).map_or(0, |(start, source)| source.saturating_add((at - start) as u32))
    }
}

/// All specifications among comments in source order; a comment whose text ends in `&` goes on in the next one if that
/// has the same marker and then `&`.
pub fn specification_texts(comments: &[CommentText<'_>]) -> Vec<SpecificationText> {
    let mut found = Vec::new();
    let mut next = 0;
    while next < comments.len() {
        let first = next;
        next += 1;
        let Some((marker, start)) = recognise(comments[first].text) else { continue };
        let specification = joined(comments, first, marker, start);
        if is_meant(marker, &specification.text) {
            next = specification.comments.end;
            found.push(specification);
        }
    }
    found
}

/// Whether a text that starts like a specification is meant as one: behind a documentation marker it must hold `::`.
pub fn is_meant(marker: Marker, text: &[u8]) -> bool {
    marker == Marker::Equals || text.windows(2).any(|pair| pair == b"::")
}

/// Whether the text of a specification declares a region variable.
pub fn is_declaration(text: &[u8]) -> bool {
    text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"region"))
}

/// Whether the text of a comment (behind its sign) starts a specification: the marker, and where the keyword stands.
/// After a documentation marker it is one only if the whole specification also holds `::`.
pub fn recognise(comment: &[u8]) -> Option<(Marker, usize)> {
    let (marker, start) = behind_marker(comment)?;
    let rest = &comment[start..];
    let length = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
    let is_keyword = KEYWORDS.iter().any(|keyword| rest[..length].eq_ignore_ascii_case(keyword.as_bytes()));
    // `stencil-like` is another word.
    let goes_on = rest.get(length) == Some(&b'-') && rest.get(length + 1).is_some_and(u8::is_ascii_alphabetic);
    (is_keyword && !goes_on).then_some((marker, start))
}

/// A word behind the marker `=` that is almost a keyword: where it stands in the text of a comment, and the keyword.
pub fn misspelt_keyword(comment: &[u8]) -> Option<(Range<usize>, &'static str)> {
    let (Marker::Equals, start) = behind_marker(comment)? else { return None };
    let length = comment[start..].iter().take_while(|byte| is_word_byte(**byte)).count();
    let word = std::str::from_utf8(&comment[start..start + length]).ok()?.to_ascii_lowercase();
    let distance = |keyword: &&str| strsim::levenshtein(&word, keyword);
    let nearest = KEYWORDS.into_iter().min_by_key(distance)?;
    (1..=MISSPELT_BY).contains(&distance(&nearest)).then_some((start..start + length, nearest))
}

/// The marker at the start of a comment's text and the place of what stands behind it and its blanks.
fn behind_marker(comment: &[u8]) -> Option<(Marker, usize)> {
    let at = blanks(comment);
    let marker = Marker::from_sign(*comment.get(at)?)?;
    Some((marker, at + 1 + blanks(&comment[at + 1..])))
}

fn joined(comments: &[CommentText<'_>], first: usize, marker: Marker, start: usize) -> SpecificationText {
    let head = &comments[first];
    let mut text = without_note(&head.text[start..]).to_vec();
    let mut parts = vec![(0, head.start + start as u32)];
    let mut end = first + 1;
    while let Some(content) = text.trim_ascii_end().strip_suffix(b"&").map(<[u8]>::len) {
        let Some(next) = comments.get(end).filter(|next| continues(head, next)) else { break };
        let Some((_, from)) = behind_marker(next.text).filter(|(its, _)| *its == marker) else { break };
        if next.text.get(from) != Some(&b'&') {
            break;
        }
        text.truncate(content);
        parts.push((content, next.start + from as u32 + 1));
        let content = without_note(&next.text[from + 1..]);
        text.extend_from_slice(content);
        end += 1;
        // A line of nothing but `&` is continued by nothing: its one sign is the leading one.
        if content.trim_ascii().is_empty() {
            break;
        }
    }
    SpecificationText { text, marker, own_line: head.own_line, comments: first..end, parts }
}

/// A line of a specification without a comment on it: `!` is no sign of the language.
fn without_note(text: &[u8]) -> &[u8] {
    match memchr::memchr(b'!', text) {
        Some(note) => text[..note].trim_ascii_end(),
        None => text,
    }
}

fn continues(head: &CommentText<'_>, next: &CommentText<'_>) -> bool {
    head.own_line && next.own_line && head.statements_before == next.statements_before
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(comment: &str) -> Option<(Marker, &str)> {
        recognise(comment.as_bytes()).map(|(marker, start)| (marker, &comment[start..]))
    }

    /// Comments of successive lines, each `!` and its text.
    fn texts(lines: &[&str]) -> Vec<(String, Vec<u32>)> {
        let mut start = 0;
        let comments: Vec<_> = lines
            .iter()
            .map(|line| {
                let comment =
                    CommentText { text: line.as_bytes(), start: start + 1, own_line: true, statements_before: 0 };
                start += line.len() as u32 + 2;
                comment
            })
            .collect();
        let source: String = lines.iter().map(|line| format!("!{line}\n")).collect();
        let texts = specification_texts(&comments);
        for text in &texts {
            for (at, byte) in text.text.iter().enumerate() {
                assert_eq!(source.as_bytes()[text.source_offset(at) as usize], *byte);
            }
        }
        texts
            .into_iter()
            .map(|text| (String::from_utf8_lossy(&text.text).into_owned(), vec![text.source_offset(text.text.len())]))
            .collect()
    }

    #[test]
    fn the_marker_and_a_whole_word_make_a_specification() {
        assert_eq!(found("= stencil x"), Some((Marker::Equals, "stencil x")));
        assert_eq!(found("   =   STENCIL"), Some((Marker::Equals, "STENCIL")));
        assert_eq!(found(">access readOnce"), Some((Marker::Greater, "access readOnce")));
        assert_eq!(found("<\tregion::r"), Some((Marker::Less, "region::r")));
        assert_eq!(found("! access"), Some((Marker::Exclamation, "access")));
        for other in [
            "= stencils",
            "= stencil-like",
            "- stencil",
            "! = stencil",
            " stencil",
            "=",
            "",
            "!!",
            "= a stencil",
            "===",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn documentation_needs_the_double_colon() {
        assert_eq!(texts(&["> access to the grid"]), []);
        assert_eq!(texts(&["> access :: a", "= stencil"]).len(), 2);
        let two = texts(&["> stencil pointed(dim=1)* &", "> & pointed(dim=2) :: v"]);
        assert_eq!(two[0].0, "stencil pointed(dim=1)*  pointed(dim=2) :: v");
    }

    #[test]
    fn lines_are_joined_with_the_same_marker_only() {
        assert_eq!(texts(&["= stencil a, &", "= & b &", "=&c"])[0].0, "stencil a,  b c");
        assert_eq!(texts(&["= stencil a, &", "> & b"])[0].0, "stencil a, &");
        assert_eq!(texts(&["= stencil a, &", "= b", "= & c"])[0].0, "stencil a, &");
        assert_eq!(texts(&["= stencil a, &"])[0].0, "stencil a, &");
        assert_eq!(texts(&["= stencil a, &", "= &", "= & c"]), [("stencil a, ".to_owned(), vec![20])]);
        assert_eq!(texts(&["= & stencil"]), []);
    }

    #[test]
    fn a_line_may_have_a_comment_of_its_own() {
        assert_eq!(texts(&["= stencil a ! as in the paper"]), [("stencil a".to_owned(), vec![12])]);
        assert_eq!(texts(&["= stencil a, & ! one", "= & b ! two"])[0].0, "stencil a,  b");
        assert_eq!(texts(&["> stencil a ! :: b"]), []);
    }
}
