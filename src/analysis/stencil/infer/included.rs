//! Computations in included files: their comments go there if every file that includes one gives it the same, and so
//! does the file by itself, if it was given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::insertions::{Covered, lines_above};
use super::{Inference, InferredComputation, Reason, Unspecified};
use crate::diagnostics::edit::LineInsertion;
use crate::source::Span;
use crate::syntax::Tree;
use crate::workspace::Project;

/// One inclusion of a file: for each line on which a statement begins the lines that are to be inserted above it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inclusion {
    /// The included file, as its text is called.
    path: PathBuf,
    /// The same, links resolved.
    real_path: PathBuf,
    lines: BTreeMap<u32, Vec<LineInsertion>>,
}

/// The inclusions in a file; `None` where errors forbid that anything is inserted.
pub type Inclusions = Option<Arc<Vec<Inclusion>>>;

/// The inclusions in a file, and the file itself, with the lines for what is inferred; arrays that are covered are left
/// out.
pub fn inclusions(tree: &Tree, inference: &Inference, covered: &Covered, marker: char) -> Vec<Inclusion> {
    let texts = &tree.source.texts;
    let base_at = |span: Span| texts.text_at(span.start).base;
    let mut starts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for statement in &tree.statements {
        starts.entry(base_at(statement.span)).or_default().push(statement.span.start);
    }
    let inclusion = |(base, starts): (u32, Vec<u32>)| {
        let text = texts.text_at(base);
        let line_of = |start: u32| (text.line_column(start - base).line, Vec::new());
        let mut lines: BTreeMap<u32, Vec<LineInsertion>> = starts.into_iter().map(line_of).collect();
        let computations = inference.computations.iter();
        let inside = computations.filter(|computation| base_at(tree.statements[computation.above].span) == base);
        for line in lines_above(tree, inside, covered, marker) {
            lines.entry(line.before_line).or_default().push(line);
        }
        Some(Inclusion { path: text.path.clone(), real_path: text.path.canonicalize().ok()?, lines })
    };
    starts.into_iter().filter_map(inclusion).collect()
}

/// What is to be inserted into an included file.
#[derive(Clone, Debug)]
pub struct IncludedInsertions {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub bytes: Vec<u8>,
    /// The lines.
    pub insertions: Vec<LineInsertion>,
}

/// Whether every file that includes one has the same lines above the statement on a line, if it has that statement, and
/// so has the file itself, if it was given.
pub struct Agreement<'a> {
    /// The files, and what they include.
    pub project: &'a Project,
    /// The inclusions in one of them.
    pub inclusions: &'a dyn Fn(&Path) -> Inclusions,
}

impl Agreement<'_> {
    /// The computations of which it takes other files to say what may be inserted.
    pub fn concerned<'i>(&self, tree: &Tree, inference: &'i mut Inference) -> Vec<&'i mut InferredComputation> {
        let texts = &tree.source.texts;
        let is_included = !self.project.includers(&texts.root().path).is_empty();
        let computations = inference.computations.iter_mut().filter(|one| !one.specifications.is_empty());
        computations.filter(|one| is_included || !texts.in_root(tree.statements[one.above].span)).collect()
    }

    /// Takes out what is inferred where not all agree; the reason stands instead.
    pub fn apply(&self, tree: &Tree, concerned: Vec<&mut InferredComputation>) {
        for computation in concerned {
            let (path, start, _) = tree.source.texts.locate(tree.statements[computation.above].span);
            if !self.holds(path, start.line) {
                let span = computation.span;
                let names = computation.specifications.drain(..).flat_map(|specification| specification.variables);
                let without = |variable| Unspecified { variable, reason: Reason::InsideInclude, span };
                computation.unspecified.extend(names.map(without));
            }
        }
    }

    fn holds(&self, path: &Path, line: u32) -> bool {
        let Ok(real) = path.canonicalize() else { return false };
        let includers = self.project.includers(path).iter().map(PathBuf::as_path);
        let itself = self.project.is_given(path).then_some(path);
        let mut all: Vec<Vec<LineInsertion>> = Vec::new();
        for file in includers.chain(itself) {
            let Some(found) = (self.inclusions)(file) else { return false };
            let of_path = found.iter().filter(|inclusion| inclusion.real_path == real);
            all.extend(of_path.filter_map(|inclusion| inclusion.lines.get(&line).cloned()));
        }
        all.first().is_some_and(|first| all.iter().all(|lines| lines == first))
    }

    /// What a file is to insert into those that it includes and that were not given: the first of the files that
    /// include one does.
    pub fn insertions(&self, tree: &Tree, including: &Path, own: &[Inclusion]) -> Vec<IncludedInsertions> {
        let mut found: Vec<IncludedInsertions> = Vec::new();
        for Inclusion { path, lines, .. } in own {
            let is_first = self.project.includers(path).first().is_some_and(|first| first == including);
            if !is_first || self.project.is_given(path) || found.iter().any(|one| one.path == *path) {
                continue;
            }
            let agreed = lines.iter().filter(|(line, lines)| !lines.is_empty() && self.holds(path, **line));
            let insertions: Vec<LineInsertion> = agreed.flat_map(|(_, lines)| lines.clone()).collect();
            let text = tree.source.texts.of_path(path).filter(|_| !insertions.is_empty());
            found.extend(text.map(|text| IncludedInsertions {
                path: path.clone(),
                bytes: text.bytes.clone(),
                insertions,
            }));
        }
        found
    }
}
