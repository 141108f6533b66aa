//! Where the comments of a computation stand: above it, or above the line that it stands on.
//!
//! A statement that shares its line stands behind the first one of it. If that opens a loop (or FORALL, WHERE) around
//! the computation, the comments stand above the loop, where they mean the one computation inside that reads the array.

use rustc_hash::FxHashMap;

use super::Reason;
use crate::analysis::stencil::computations::Computation;
use crate::source::{LogicalStatement, SourceNote};
use crate::syntax::{ConstructKind, StatementId, Tree};

/// The places of the comments of a file.
pub struct Places<'t> {
    tree: &'t Tree,
    /// Where macros could not be expanded, in order.
    unexpanded: Vec<u32>,
    /// For each name of an array, or part of one, in lower case: the roots that read it, in order.
    readers: FxHashMap<String, Vec<StatementId>>,
}

impl<'t> Places<'t> {
    /// Those of the computations of a file, in order.
    pub fn new<'c>(tree: &'t Tree, computations: impl Iterator<Item = &'c Computation>) -> Self {
        let mut readers: FxHashMap<String, Vec<StatementId>> = FxHashMap::default();
        for computation in computations.filter(|computation| computation.is_root) {
            for array in &computation.arrays {
                let spelling = array.as_ref().map_or_else(|other| &other.spelling, |access| &access.spelling);
                let name = spelling.to_ascii_lowercase();
                for part in name.split('%').filter(|part| *part != name) {
                    readers.entry(part.to_owned()).or_default().push(computation.statement);
                }
                readers.entry(name).or_default().push(computation.statement);
            }
        }
        Places { tree, unexpanded: unexpanded(tree), readers }
    }

    /// The statement above which the comments of a computation stand, whatever they speak of.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn above(&self, computation: StatementId) -> Result<StatementId, Reason> {
        let logical = self.logical(computation);
        if self.is_hidden(computation) {
            return Err(Reason::InsideMacro);
        }
        if logical.position_on_line == 0 {
            return Ok(computation);
        }
        let first = StatementId::from_raw(computation.raw().saturating_sub(logical.position_on_line));
        let is_around = self.last_inside(first).is_some_and(|last| computation <= last);
        if is_around && !self.is_hidden(first) { Ok(first) } else { Err(Reason::SeveralStatementsOnLine) }
    }

    /// Why no comment can say anything of an array that a computation reads.
    pub fn obstacle(&self, computation: StatementId, spelling: &str) -> Option<Reason> {
        match self.above(computation) {
            Err(reason) => Some(reason),
            Ok(above) if above == computation => None,
            Ok(above) => {
                let readers = self.readers.get(&spelling.to_ascii_lowercase()).map_or(&[][..], Vec::as_slice);
                let last = self.last_inside(above).unwrap_or(above);
                let is_another = |other: &&StatementId| **other != computation && (above..=last).contains(*other);
                readers.iter().find(is_another).map(|_| Reason::SeveralStatementsOnLine)
            }
        }
    }

    /// The last statement of the construct that a statement opens, if comments above it mean what stands inside.
    fn last_inside(&self, opening: StatementId) -> Option<StatementId> {
        let construct = &self.tree.constructs[self.tree.construct_of.get(opening).copied().flatten()?];
        let is_meant = matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall | ConstructKind::Where);
        (is_meant && construct.headers.first() == Some(&opening)).then_some(construct.last)
    }

    /// Whether a statement is not what its line in the named file shows.
    fn is_hidden(&self, statement: StatementId) -> bool {
        let span = self.logical(statement).span;
        let next = self.unexpanded.partition_point(|start| *start < span.start);
        let is_unexpanded = self.unexpanded.get(next).is_some_and(|start| *start < span.end);
        is_unexpanded || self.tree.hides(statement) || begins_in_macro(self.tree, self.logical(statement))
    }

    fn logical(&self, statement: StatementId) -> &LogicalStatement {
        &self.tree.source.statements[statement.index()]
    }
}

/// Where macros could not be expanded, in order.
fn unexpanded(tree: &Tree) -> Vec<u32> {
    let notes = tree.source.notes.iter();
    let of_macros = notes.filter(|(_, note)| matches!(note, SourceNote::Preprocessor { .. }));
    let mut starts: Vec<u32> = of_macros.map(|(span, _)| span.start).collect();
    starts.sort_unstable();
    starts
}

/// Whether a statement begins in a macro expansion or in an included file: no line of the named file is its first.
pub fn comes_from_elsewhere(tree: &Tree, statement: StatementId) -> bool {
    let logical = &tree.source.statements[statement.index()];
    begins_in_macro(tree, logical) || !tree.source.texts.in_root(logical.span)
}

/// Whether the first bytes of a statement came out of a macro: they have one origin, the place of use. (A statement
/// that only uses macros further on stands in the file as any other.)
fn begins_in_macro(tree: &Tree, logical: &LogicalStatement) -> bool {
    let first = logical.start as usize;
    let origins = tree.source.origins.get(first..(first + 2).min(logical.end as usize));
    logical.from_macro && matches!(origins, Some([first, second]) if first == second)
}
