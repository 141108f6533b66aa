//! Suppression: comments that silence findings. `! camfort: allow(S011)` in the comment block above a statement covers
//! the block and the statement. Rules go by code or name, and may be those of any analysis; each run judges the
//! comments on its own rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::rules::UNUSED_ALLOW;
use super::{Finding, Level, Levels, Location, Registry, Rule};
use crate::source::{Comment, Prescanned, SourceTexts, Span};

/// The comments that allow something.
#[derive(Debug, Default)]
pub struct Allowances {
    /// By where the rule is named and what stands below. (A file that is included twice says everything twice.)
    allowances: BTreeMap<(Location, Lines), Allowance>,
    /// Findings on comments that are meant as one and are none.
    pub faults: Vec<Finding>,
}

/// One rule that a comment allows above one statement.
#[derive(Debug)]
struct Allowance {
    rule: &'static Rule,
    /// The block of comments. It is covered, and so are the lines of the statement, which may stand in another file.
    block: Lines,
    is_used: bool,
}

/// Lines of a file, the last included.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Lines {
    path: PathBuf,
    first: u32,
    last: u32,
}

impl Lines {
    /// The lines from the beginning of one span to the end of another in the same file.
    fn between(texts: &SourceTexts, first: Span, last: Span) -> Self {
        let (path, start, _) = texts.locate(first);
        Lines { path: path.to_path_buf(), first: start.line, last: texts.locate(last).2.line }
    }

    fn hold(&self, location: &Location) -> bool {
        location.path == self.path && (self.first..=self.last).contains(&location.start.line)
    }
}

impl Allowances {
    /// Reads the comments of a file and of what it includes.
    pub fn read(source: &Prescanned, registry: Registry) -> Self {
        let texts = &source.texts;
        let mut read = Allowances::default();
        let comments: Vec<&Comment> = source.comments.iter().filter(|comment| comment.own_line).collect();
        let place = |comment: &Comment| (comment.statements_before, texts.text_at(comment.span.start).base);
        for block in comments.chunk_by(|one, next| place(one) == place(next)) {
            let (Some(first), Some(last)) = (block.first(), block.last()) else { continue };
            // Most comments allow nothing, and to find lines takes time.
            if block.iter().all(|comment| entries(texts.bytes(comment.span)).is_none()) {
                continue;
            }
            let lines = Lines::between(texts, first.span, last.span);
            let below = source.statements.get(first.statements_before as usize);
            let statement = below.map_or_else(|| lines.clone(), |below| Lines::between(texts, below.span, below.span));
            for comment in block {
                read.read_comment(texts, comment.span, registry, (&lines, &statement));
            }
        }
        read
    }

    /// The findings of a file that are neither off nor allowed by a comment, and the comments that allow nothing, of
    /// the rules that the run judges; in order of place.
    pub fn told(
        source: &Prescanned,
        registry: Registry,
        levels: &Levels,
        mut findings: Vec<Finding>,
        is_judged: impl Fn(&Rule) -> bool,
    ) -> Vec<Finding> {
        let mut allowances = Allowances::read(source, registry);
        findings.retain(|finding| !allowances.silence(finding, None));
        findings.extend(allowances.unused(is_judged));
        findings.extend(allowances.faults);
        findings.retain(|finding| levels.level(finding.rule, &finding.location.path) != Level::Off);
        findings.sort_by(|one, other| (&one.location, one.rule).cmp(&(&other.location, other.rule)));
        findings
    }

    fn read_comment(&mut self, texts: &SourceTexts, comment: Span, registry: Registry, covered: (&Lines, &Lines)) {
        let fault = |span, message: String| Finding::new(&UNUSED_ALLOW, Location::of(texts, span), message);
        match entries(texts.bytes(comment)) {
            None => {}
            Some(Err(message)) => self.faults.push(fault(comment, message.to_owned())),
            Some(Ok(entries)) => {
                for (offset, word) in entries {
                    let start = comment.start + offset as u32;
                    let span = Span::new(start, start + word.len() as u32);
                    match registry.find(word) {
                        None => self.faults.push(fault(span, format!("There is no rule '{word}'"))),
                        Some(rule) => {
                            let (block, statement) = (covered.0.clone(), covered.1.clone());
                            let allowance = Allowance { rule, block, is_used: false };
                            self.allowances.insert((Location::of(texts, span), statement), allowance);
                        }
                    }
                }
            }
        }
    }

    /// Takes the comments of another file.
    pub fn join(&mut self, other: Allowances) {
        self.allowances.extend(other.allowances);
        self.faults.extend(other.faults);
    }

    /// Whether a comment allows a finding, where it stands or at `anchor`: the statement that what it speaks of belongs
    /// to. The comment counts as used then.
    pub fn silence(&mut self, finding: &Finding, anchor: Option<&Location>) -> bool {
        let is_covered = |lines: &Lines| lines.hold(&finding.location) || anchor.is_some_and(|at| lines.hold(at));
        let mut allowances = self.allowances.iter_mut().filter(|(_, one)| one.rule == finding.rule);
        match allowances.find(|((_, statement), one)| is_covered(statement) || is_covered(&one.block)) {
            Some((_, allowance)) if finding.rule.is_silenceable => {
                allowance.is_used = true;
                true
            }
            _ => false,
        }
    }

    /// F007: the comments that silenced nothing, of the rules that the run judges.
    pub fn unused(&self, is_judged: impl Fn(&Rule) -> bool) -> impl Iterator<Item = Finding> {
        let unused = self.allowances.iter().filter(move |(_, one)| !one.is_used && is_judged(one.rule));
        unused.map(|((location, _), Allowance { rule, .. })| {
            Finding::new(&UNUSED_ALLOW, location.clone(), format!("Nothing here breaks rule {}", rule.code))
        })
    }
}

/// The names of rules in a comment that begins with `camfort:`, each with its offset; `None` for any other comment.
fn entries(comment: &[u8]) -> Option<Result<Vec<(usize, &str)>, &'static str>> {
    const KEY: &[u8] = b"camfort:";
    let text = comment.get(1..)?;
    let start = 1 + text.len() - text.trim_ascii_start().len();
    let key = comment.get(start..start + KEY.len())?;
    if !key.eq_ignore_ascii_case(KEY) {
        return None;
    }
    let expected = "Expected 'allow(CODE, ...)' behind 'camfort:'";
    let Ok(rest) = std::str::from_utf8(&comment[start + KEY.len()..]) else { return Some(Err(expected)) };
    let base = start + KEY.len();
    let list = rest.trim_start();
    let is_allow = list.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("allow"));
    let inside =
        is_allow.then(|| list[5..].trim_start().strip_prefix('(')?.split_once(')').map(|(inside, _)| inside)).flatten();
    let Some(inside) = inside else { return Some(Err(expected)) };
    // Both are parts of `rest`, so their distance is an offset in it.
    let mut offset = base + (inside.as_ptr() as usize - rest.as_ptr() as usize);
    let mut names = Vec::new();
    for part in inside.split(',') {
        let name = part.trim();
        if name.is_empty() {
            return Some(Err(expected));
        }
        names.push((offset + part.len() - part.trim_start().len(), name));
        offset += part.len() + 1;
    }
    Some(Ok(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_rules_are_found_with_their_places() {
        assert_eq!(entries(b"! camfort: allow(S011)"), Some(Ok(vec![(17, "S011")])));
        assert_eq!(
            entries(b"c CAMFORT:Allow ( s011 , region-differs ) because"),
            Some(Ok(vec![(18, "s011"), (25, "region-differs")]))
        );
        assert_eq!(entries(b"! see camfort: allow(S011)"), None);
        assert_eq!(entries(b"!"), None);
        for faulty in [
            "! camfort: allow",
            "! camfort: allow()",
            "! camfort: allow(S011",
            "! camfort: deny(S011)",
            "! camfort: allow(S011,)",
        ] {
            assert!(matches!(entries(faulty.as_bytes()), Some(Err(_))), "{faulty}");
        }
    }
}
