//! Comments that silence findings: `! camfort: allow(S011)` in the comment block above a statement covers the statement and the
//! specifications of its group.

use std::path::PathBuf;

use super::{Demands, Found, Require, Subject};
use crate::analysis::stencil::attach::finding;
use crate::analysis::stencil::rules::MISSING_SPECIFICATION;
use crate::diagnostics::rules::UNUSED_ALLOW;
use crate::diagnostics::{Finding, Location, Registry, Rule};
use crate::source::{Comment, Span};
use crate::syntax::{StatementId, Tree};

/// One rule that a comment allows above one statement.
struct Allowance {
    rule: &'static Rule,
    /// Where its code stands.
    span: Span,
    /// The statement below.
    statement: StatementId,
    /// The lines that it covers: those of the block of comments, and those of the statement, which may stand in another file.
    covered: [Lines; 2],
    used: bool,
}

/// Lines of a file, the last included.
#[derive(Clone)]
struct Lines {
    path: PathBuf,
    first: u32,
    last: u32,
}

impl Lines {
    /// The lines from the beginning of one span to the end of another in the same file.
    fn between(tree: &Tree, first: Span, last: Span) -> Self {
        let texts = &tree.source.texts;
        let (path, start, _) = texts.locate(first);
        Lines { path: path.to_path_buf(), first: start.line, last: texts.locate(last).2.line }
    }

    fn hold(&self, location: &Location) -> bool {
        location.path == self.path && (self.first..=self.last).contains(&location.start.line)
    }
}

/// The findings that are not allowed, and those on comments that allow nothing.
pub fn silence(subject: Subject<'_>, found: Vec<Found>, demands: Demands<'_>) -> Vec<Found> {
    let tree = subject.scopes.tree;
    let (mut allowances, faults) = allowances(tree, demands.registry);
    let mut left: Vec<Found> = faults.into_iter().map(Found::alone).collect();
    for found in found {
        let covers = |allowance: &&mut Allowance| {
            allowance.rule == found.finding.rule
                && (found.anchor == Some(allowance.statement)
                    || allowance.covered.iter().any(|lines| lines.hold(&found.finding.location)))
        };
        match allowances.iter_mut().find(covers) {
            Some(allowance) => allowance.used = true,
            None => left.push(found),
        }
    }
    // What is missing may be asked for in another run.
    let is_asked = |rule| demands.require == Require::All || rule != &MISSING_SPECIFICATION;
    let unused = allowances.iter().filter(|allowance| !allowance.used && is_asked(allowance.rule));
    left.extend(unused.map(|allowance| {
        let message = format!("Nothing here breaks rule {}", allowance.rule.code);
        Found::alone(finding(tree, &UNUSED_ALLOW, allowance.span, message))
    }));
    left
}

/// All allowances, and findings on comments that are meant as one and are none.
fn allowances(tree: &Tree, registry: Registry) -> (Vec<Allowance>, Vec<Finding>) {
    let texts = &tree.source.texts;
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let comments: Vec<&Comment> = tree.source.comments.iter().filter(|comment| comment.own_line).collect();
    let place = |comment: &Comment| (comment.statements_before, texts.text_at(comment.span.start).base);
    for block in comments.chunk_by(|one, next| place(one) == place(next)) {
        let (Some(first), Some(last)) = (block.first(), block.last()) else { continue };
        let of_block = Lines::between(tree, first.span, last.span);
        let statement = StatementId::from_raw(first.statements_before);
        let below = tree.statements.get(statement);
        let of_statement = below.map_or_else(|| of_block.clone(), |below| Lines::between(tree, below.span, below.span));
        for comment in block {
            let fault = |span, message: String| finding(tree, &UNUSED_ALLOW, span, message);
            let entries = match entries(texts.bytes(comment.span)) {
                None => continue,
                Some(Ok(entries)) => entries,
                Some(Err(message)) => {
                    faults.push(fault(comment.span, message.to_owned()));
                    continue;
                }
            };
            for (offset, name) in entries {
                let start = comment.span.start + offset as u32;
                let span = Span::new(start, start + name.len() as u32);
                match registry.find(name) {
                    None => faults.push(fault(span, format!("There is no rule '{name}'"))),
                    Some(rule) => {
                        let covered = [of_block.clone(), of_statement.clone()];
                        found.push(Allowance { rule, span, statement, covered, used: false });
                    }
                }
            }
        }
    }
    (found, faults)
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
