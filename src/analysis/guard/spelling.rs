//! Names in findings as the source spells them. What is compared has no letter case.

use std::collections::HashMap;

use crate::diagnostics::{Finding, Note};
use crate::source::{SourceText, is_name_byte};

/// Spells the names in what a finding quotes as the lines do where it stands; `text` is that of its file.
pub fn spell_as_source(finding: &mut Finding, text: &SourceText) {
    let lines = finding.location.start.line..=finding.location.end.line;
    let mut spelt: HashMap<String, &str> = HashMap::new();
    for word in lines.flat_map(|line| text.line(line).split(|&byte| !is_name_byte(byte))) {
        if let Ok(word) = std::str::from_utf8(word) {
            spelt.entry(word.to_ascii_lowercase()).or_insert(word);
        }
    }
    finding.message = respelt(&finding.message, &spelt);
    for note in &mut finding.notes {
        if let Note::Remark(sentence) = note {
            *sentence = respelt(sentence, &spelt);
        }
    }
    finding.marks.iter_mut().for_each(|mark| mark.label = respelt(&mark.label, &spelt));
}

/// A sentence with the names between its quotation marks spelt otherwise.
fn respelt(sentence: &str, spelt: &HashMap<String, &str>) -> String {
    let mut result = String::with_capacity(sentence.len());
    let mut is_quoted = false;
    let mut rest = sentence;
    while let Some(next) = rest.chars().next() {
        let length = rest.bytes().take_while(|&byte| is_name_byte(byte)).count();
        if length > 0 {
            let word = &rest[..length];
            result.push_str(spelt.get(word).filter(|_| is_quoted).map_or(word, |word| *word));
            rest = &rest[length..];
            continue;
        }
        // An apostrophe inside of a word is none.
        let follows_word = result.bytes().last().is_some_and(is_name_byte);
        is_quoted = if next == '\'' { !is_quoted && !follows_word } else { is_quoted };
        result.push(next);
        rest = &rest[next.len_utf8()..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_quoted_is_spelt_as_in_the_source() {
        let spelt = HashMap::from([("u".to_owned(), "U"), ("nx".to_owned(), "Nx"), ("use".to_owned(), "USE")]);
        let sentence = "'u(nx,i)' can't be of use: 'step::u' was (nx)";
        assert_eq!(respelt(sentence, &spelt), "'U(Nx,i)' can't be of use: 'step::U' was (nx)");
    }
}
