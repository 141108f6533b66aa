//! Edits that leave the meaning of a program as it is: what is inferred before one must hold after it. Prints how many
//! of each kind were tried.
//!
//! By default a sample of the edits in `corpus/` is tried. `CAMFORT_EDITS=DIR` takes the files below a directory
//! instead, which are looked at together, `CAMFORT_EVERY=N` each N-th edit of a kind (1: all).
#![allow(clippy::print_stdout, reason = "the counts are a result of their own")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::diagnostics::{Severity, edit};
use camfort_rs::source::{SourceForm, Span};
use camfort_rs::syntax::{Construct, ConstructKind, StatementId, StatementKind, Tree};
use camfort_rs::workspace::{Project, SourceOptions};

mod common;
use common::{fortran_files, replaced, root};

/// The kinds of edits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// A variable that counts a loop gets another name, in the whole file.
    Rename,
    /// The terms of a sum in the other order.
    Reorder,
    /// A statement goes on in the next line.
    Wrap,
    /// A statement in capitals.
    Capitals,
    /// Two loops, one directly in the other, are exchanged.
    Interchange,
    /// A loop runs from one less to one less, and one more stands for its variable.
    Shift,
}

/// One edit: what is replaced, in order, and by what.
type Edit = (Kind, Vec<(Range<usize>, String)>);

/// Where a name stands in code, letter case aside; comments and texts in quotes are passed over.
fn mentions(code: &[u8], within: Range<usize>, name: &str) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut found, mut at, mut quote) = (Vec::new(), within.start, None);
    while at < within.end {
        let byte = code[at];
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'\'' || byte == b'"' => quote = Some(byte),
            None if byte == b'!' => {
                at += code[at..within.end].iter().position(|&byte| byte == b'\n').unwrap_or(within.end - at);
                continue;
            }
            None if is_word(byte) => {
                let length = code[at..].iter().take_while(|&&byte| is_word(byte)).count();
                let before = code[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
                let after_digit = at >= 2 && code[at - 1] == b'.' && code[at - 2].is_ascii_digit();
                if code[at..at + length].eq_ignore_ascii_case(name.as_bytes()) && before != Some(&b'%') && !after_digit
                {
                    found.push(at..at + length);
                }
                at += length;
                continue;
            }
            None => {}
        }
        at += 1;
    }
    found
}

/// A loop `do v = first, last` on a line of its own.
struct Loop<'t> {
    construct: &'t Construct,
    variable: String,
    /// Where `first` and `last` stand.
    bounds: [Range<usize>; 2],
    /// From `v` to the end of the bounds.
    control: Range<usize>,
}

/// What is edited: a file with its specifications.
struct Subject<'t> {
    tree: &'t Tree,
    code: &'t [u8],
}

impl<'t> Subject<'t> {
    fn range(&self, statement: StatementId) -> Range<usize> {
        let Span { start, end } = self.tree.statements[statement].span;
        start as usize..end as usize
    }

    /// Whether a statement stands in the file as it is read, alone on one line.
    fn is_plain(&self, statement: StatementId) -> bool {
        let logical = &self.tree.source.statements[statement.index()];
        let range = self.range(statement);
        let is_here = self.tree.source.texts.in_root(logical.span) && range.end <= self.code.len();
        is_here
            && !self.code[range.clone()].contains(&b'\n')
            && !logical.from_macro
            && logical.position_on_line == 0
            && {
                let rest = self.code[range.end..].split(|&byte| byte == b'\n').next().unwrap_or_default();
                rest.trim_ascii().is_empty()
            }
    }

    /// Where a separator stands outside of brackets and quotes.
    fn separators(&self, within: Range<usize>, wanted: &[u8]) -> Vec<usize> {
        let (mut depth, mut quote, mut found) = (0, None, Vec::new());
        for at in within {
            let byte = self.code[at];
            match (quote, byte) {
                (Some(open), _) => quote = (byte != open).then_some(open),
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(' | b'[') => depth += 1,
                (None, b')' | b']') => depth -= 1,
                (None, _) if depth == 0 && wanted.contains(&byte) => found.push(at),
                (None, _) => {}
            }
        }
        found
    }

    /// The sign of an assignment on one line that stands by itself.
    fn assigned(&self, statement: StatementId) -> Option<usize> {
        let is_assignment = matches!(self.tree.statements[statement].kind, StatementKind::Assignment { .. });
        let range = self.range(statement);
        (is_assignment && self.is_plain(statement)).then(|| self.separators(range, b"=").first().copied()).flatten()
    }

    fn loops(&self) -> Vec<Loop<'t>> {
        let of_construct = |construct: &'t Construct| {
            let &[header] = construct.headers.as_slice() else { return None };
            if construct.kind != ConstructKind::Do || !self.is_plain(header) || construct.end.is_none() {
                return None;
            }
            let range = self.range(header);
            let &[sign] = self.separators(range.clone(), b"=").as_slice() else { return None };
            let before = std::str::from_utf8(&self.code[range.start..sign]).ok()?.trim();
            let variable = before.to_ascii_lowercase().strip_prefix("do ")?.trim().to_owned();
            if !variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return None;
            }
            let commas = self.separators(sign..range.end, b",");
            let (first, last) = match commas.as_slice() {
                [one] => (sign + 1..*one, *one + 1..range.end),
                [one, two] => (sign + 1..*one, *one + 1..*two),
                _ => return None,
            };
            let start = mentions(self.code, range.clone(), &variable).first()?.start;
            Some(Loop { construct, variable, bounds: [first, last], control: start..range.end })
        };
        self.tree.constructs.iter().filter_map(of_construct).collect()
    }

    /// Whether a statement can be made longer.
    fn has_room(&self) -> bool {
        self.tree.source.form == SourceForm::Free
    }

    fn text(&self, range: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.code[range.clone()]).into_owned()
    }

    fn edits(&self) -> Vec<Edit> {
        let mut found = Vec::new();
        for statement in self.tree.statements.indices() {
            found.extend(self.assigned(statement).into_iter().flat_map(|sign| self.of_assignment(statement, sign)));
        }
        let loops = self.loops();
        let names: BTreeSet<&str> = loops.iter().map(|one| one.variable.as_str()).collect();
        found.extend(names.into_iter().filter_map(|name| self.rename(name)));
        for (number, outer) in loops.iter().enumerate() {
            found.extend(loops.get(number + 1).and_then(|inner| self.interchange(outer, inner)));
            found.extend(self.shift(outer, &loops));
        }
        found
    }

    fn of_assignment(&self, statement: StatementId, sign: usize) -> Vec<Edit> {
        let range = self.range(statement);
        let mut found = vec![(Kind::Capitals, vec![(range.clone(), self.text(&range).to_ascii_uppercase())])];
        if self.text(&range).contains(['\'', '"']) {
            found.clear();
        }
        let continued = match self.tree.source.form {
            SourceForm::Free => "= &\n        ",
            SourceForm::Fixed => "=\n     &   ",
        };
        found.push((Kind::Wrap, vec![(sign..sign + 1, continued.to_owned())]));
        let right = sign + 1..range.end;
        let signs = self.separators(right.clone(), b"+-=<>.!&");
        if !signs.is_empty() && signs.iter().all(|&at| self.code[at] == b'+') {
            let mut terms: Vec<String> = Vec::new();
            let mut start = right.start;
            for end in signs.iter().copied().chain([right.end]) {
                terms.insert(0, self.text(&(start..end)).trim().to_owned());
                start = end + 1;
            }
            if terms.iter().all(|term| !term.is_empty() && !term.starts_with(|first: char| first.is_ascii_digit())) {
                found.push((Kind::Reorder, vec![(right, format!(" {}", terms.join(" + ")))]));
            }
        }
        found
    }

    /// A name of the same length, with the same first letter if it can be, that the file does not have.
    fn rename(&self, name: &str) -> Option<Edit> {
        let whole = 0..self.code.len();
        let text = String::from_utf8_lossy(self.code).to_ascii_lowercase();
        let is_component = text.split('%').skip(1).any(|rest| {
            let word: String =
                rest.trim_start().chars().take_while(|one| one.is_alphanumeric() || *one == '_').collect();
            word == name
        });
        let first = name.chars().next()?;
        let candidates: Vec<String> = match name.len() {
            1 => ('i'..='n').map(String::from).collect(),
            _ => ('a'..='z').map(|last| format!("{first}{}{last}", "q".repeat(name.len() - 2))).collect(),
        };
        let fresh = candidates.into_iter().find(|other| mentions(self.code, whole.clone(), other).is_empty())?;
        let edits = mentions(self.code, whole, name).into_iter().map(|range| (range, fresh.clone())).collect();
        // A letter may be declared by an IMPLICIT statement.
        (!is_component && !text.contains("implicit real") && !text.contains("namelist"))
            .then_some((Kind::Rename, edits))
    }

    fn interchange(&self, outer: &Loop<'_>, inner: &Loop<'_>) -> Option<Edit> {
        let follows = |one: Option<StatementId>, next: Option<StatementId>| {
            one.zip(next).is_some_and(|(one, next)| one.index() + 1 == next.index())
        };
        let is_nest = follows(outer.construct.headers.first().copied(), inner.construct.headers.first().copied())
            && follows(inner.construct.end, outer.construct.end);
        let mentions_other = |one: &Loop<'_>, other: &Loop<'_>| {
            one.bounds.iter().any(|bound| !mentions(self.code, bound.clone(), &other.variable).is_empty())
        };
        let is_free = !mentions_other(outer, inner) && !mentions_other(inner, outer);
        let edits = vec![
            (outer.control.clone(), self.text(&inner.control)),
            (inner.control.clone(), self.text(&outer.control)),
        ];
        (is_nest && is_free).then_some((Kind::Interchange, edits))
    }

    fn shift(&self, one: &Loop<'_>, all: &[Loop<'_>]) -> Option<Edit> {
        let header = *one.construct.headers.first()?;
        let unit = &self.tree.units[one.construct.unit];
        let inside = header.index() + 1..one.construct.end?.index();
        let statements = || self.tree.statements.indices();
        let of_unit = statements().filter(|at| (unit.first..=unit.last).contains(at) && *at != header);
        let is_counted = |statement: StatementId| {
            let mut same = all.iter().filter(|other| other.variable == one.variable);
            same.any(|other| {
                other.construct.headers.first() <= Some(&statement) && Some(statement) <= other.construct.end
            })
        };
        // It is no matter what the variable is behind the loop, nor may anything else set it.
        let (mut edits, mut is_local) = (Vec::new(), true);
        for statement in of_unit {
            let places = mentions(self.code, self.range(statement), &one.variable);
            let is_set = places.iter().any(|place| {
                let rest = self.code[place.end..].trim_ascii_start();
                rest.first() == Some(&b'=') && rest.get(1) != Some(&b'=')
            });
            match inside.contains(&statement.index()) {
                true => {
                    let is_here = self.tree.source.texts.in_root(self.tree.statements[statement].span);
                    let is_known = places.is_empty() || (is_here && self.is_on_both_sides(statement, &one.variable));
                    is_local &= is_known && !is_set;
                    edits.extend(places.into_iter().map(|place| (place, format!("({}+1)", one.variable))));
                }
                false => is_local &= places.is_empty() || is_counted(statement) || self.declares(statement),
            }
        }
        let [first, last] = &one.bounds;
        let bound = |range: &Range<usize>| (range.clone(), format!(" ({}) - 1", self.text(range).trim()));
        let edits: Vec<_> = [bound(first), bound(last)].into_iter().chain(edits).collect();
        (is_local && self.has_room() && edits.len() > 2).then_some((Kind::Shift, edits))
    }

    /// Whether a name stands on both sides of an assignment, or on neither. (What runs over a variable that the left
    /// side has not is relative to nothing else.)
    fn is_on_both_sides(&self, statement: StatementId, name: &str) -> bool {
        let range = self.range(statement);
        let sign = self.separators(range.clone(), b"=").first().copied();
        let is_assignment = matches!(self.tree.statements[statement].kind, StatementKind::Assignment { .. });
        let stands = |range: Range<usize>| !mentions(self.code, range, name).is_empty();
        // An IF statement is left alone.
        if self.tree.statements[statement].kind.action().is_some() {
            return false;
        }
        !is_assignment || sign.is_some_and(|sign| stands(range.start..sign) == stands(sign..range.end))
    }

    fn declares(&self, statement: StatementId) -> bool {
        matches!(self.tree.statements[statement].kind, StatementKind::TypeDeclaration(..))
    }
}

/// The first lines of what `check` tells of a text.
fn errors(project: &Project, path: &Path, text: &[u8]) -> Vec<String> {
    let findings = analyse::<Check>(&project.view(path, text), CheckOptions::default()).findings;
    let told = findings.iter().filter(|finding| finding.severity == Severity::Error);
    told.map(|finding| format!("{}:{} {}", path.display(), finding.location.start.line, finding.message)).collect()
}

/// Tries each so many-th edit of a kind in one file.
fn try_file(project: &Project, path: &Path, every: usize, turn: &mut BTreeMap<Kind, usize>, wrong: &mut Vec<String>) {
    let Ok(bare) = std::fs::read(path) else { return };
    let inferred = analyse::<Infer>(&project.view(path, bare.as_slice()), InferOptions::default());
    let code = edit::apply(&bare, &inferred.insertions);
    let view = project.view(path, code.as_slice());
    if view.tree().source.is_preprocessed || !errors(project, path, &code).is_empty() {
        return;
    }
    for (kind, edits) in (Subject { tree: view.tree(), code: &code }).edits() {
        let turn = turn.entry(kind).or_default();
        *turn += 1;
        if turn.is_multiple_of(every) {
            let text = replaced(&code, edits.iter().map(|(range, text)| (range.clone(), text.as_str())));
            wrong.extend(errors(project, path, &text).into_iter().map(|error| format!("{kind:?} {edits:?}: {error}")));
        }
    }
}

#[test]
fn edits_that_change_no_meaning_raise_no_error() {
    let folder = std::env::var_os("CAMFORT_EDITS").map_or_else(|| root().join("corpus"), PathBuf::from);
    let every = std::env::var("CAMFORT_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let files = fortran_files(&folder);
    let project = Project::load(&files, SourceOptions::default());
    let (mut turn, mut wrong) = (BTreeMap::new(), Vec::new());
    for path in &files {
        try_file(&project, path, every, &mut turn, &mut wrong);
    }
    for (kind, count) in &turn {
        println!("{kind:?}: {}", count / every);
    }
    assert!(turn.len() == 6 && turn.values().all(|&count| count > every), "{turn:?}");
    assert!(wrong.is_empty(), "{} errors\n{}", wrong.len(), wrong.join("\n"));
}
