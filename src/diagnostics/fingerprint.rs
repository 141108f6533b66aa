//! Fingerprints: what stays of a finding while the lines around it come and go, so that a service can tell new findings
//! from old ones.
//!
//! A fingerprint depends on the rule, the path, the text of the line without the blanks around it, and how many such
//! findings precede it in the file. It does not depend on line numbers.

use std::collections::HashMap;
use std::path::Path;

use super::{Finding, paths};
use crate::source::SourceTexts;

/// Gives the findings of one file their fingerprints, in order.
#[derive(Debug)]
pub struct Fingerprints<'a> {
    root: &'a Path,
    texts: Option<&'a SourceTexts>,
    seen: HashMap<u128, u32>,
}

impl<'a> Fingerprints<'a> {
    /// For a file with these texts (`None`: it could not be read); paths count from `root`.
    pub fn new(root: &'a Path, texts: Option<&'a SourceTexts>) -> Self {
        Fingerprints { root, texts, seen: HashMap::new() }
    }

    /// The fingerprint of the next finding: 32 hexadecimal digits.
    pub fn of_next(&mut self, finding: &Finding) -> String {
        self.next_as(finding, &finding.location.path)
    }

    /// The same, if its file is called by another path.
    pub fn next_as(&mut self, finding: &Finding, path: &Path) -> String {
        let at = &finding.location;
        let path = paths::below(self.root, path);
        let text = self.texts.and_then(|texts| texts.of_path(&at.path));
        let line = text.map_or(&b""[..], |text| text.line(at.start.line).trim_ascii());
        // No part can end like the beginning of the next: a NUL is in no code and no path.
        let parts = [finding.rule.code.as_bytes(), path.as_os_str().as_encoded_bytes(), line].join(&0);
        let hash = fnv1a(&parts);
        let earlier = self.seen.entry(hash).or_default();
        let numbered = [&parts[..], &[0], earlier.to_string().as_bytes()].concat();
        *earlier += 1;
        format!("{:032x}", fnv1a(&numbered))
    }
}

/// The hash FNV-1a of 128 bits. (The standard library's may change with its version; this one must not.)
pub fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET_BASIS, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Location, rules};
    use crate::source::LineColumn;

    fn fingerprints(text: &str, lines: &[u32]) -> Vec<String> {
        let texts = SourceTexts::new("./src/a.f90", text.into());
        let root = Path::new("/nowhere");
        let mut fingerprints = Fingerprints::new(root, Some(&texts));
        let of_line = |&line: &u32| {
            let at = LineColumn { line, column: 1 };
            let location = Location { path: "./src/a.f90".into(), start: at, end: at };
            fingerprints.of_next(&Finding::new(&rules::UNBALANCED_CONSTRUCT, location, "Wrong"))
        };
        lines.iter().map(of_line).collect()
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(fnv1a(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
    }

    #[test]
    fn line_numbers_and_indentation_change_no_fingerprint() {
        let before = fingerprints("b = a\nc = d\nb = a\n", &[1, 2, 3]);
        let after = fingerprints("\n\n  b = a\n! new\n  c = d\nb = a\n", &[3, 5, 6]);
        assert_eq!(before, after);
    }

    #[test]
    fn findings_on_equal_lines_have_fingerprints_of_their_own() {
        let mut all = fingerprints("b = a\nb = a\nc = d\nc = d\n", &[1, 1, 2, 3, 4]);
        assert!(all.iter().all(|one| one.len() == 32));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5);
    }
}
