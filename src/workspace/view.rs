//! One file as an analysis sees it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::project::{Project, fingerprint};
use super::{front_end, reading};
use crate::diagnostics::Finding;
use crate::names::{self, Resolved};
use crate::source::{SourceTexts, Span};
use crate::syntax::Tree;

/// A file of a project, or a text that stands for one. What is made of its bytes is made when it is asked for, once.
#[derive(Debug)]
pub struct FileView<'p> {
    project: &'p Project,
    path: PathBuf,
    bytes: Vec<u8>,
    tree: OnceLock<Tree>,
    names: OnceLock<Resolved>,
}

impl Project {
    /// The view of a file.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub fn read(&self, path: &Path) -> io::Result<FileView<'_>> {
        Ok(self.view(path, self.options().files.read(path)?))
    }

    /// The view of a text that is called `path`.
    pub fn view(&self, path: &Path, bytes: impl Into<Vec<u8>>) -> FileView<'_> {
        FileView::new(self, path, bytes.into())
    }
}

impl<'p> FileView<'p> {
    fn new(project: &'p Project, path: &Path, bytes: Vec<u8>) -> Self {
        FileView { project, path: path.to_path_buf(), bytes, tree: OnceLock::new(), names: OnceLock::new() }
    }

    /// The project whose modules it sees.
    pub fn project(&self) -> &'p Project {
        self.project
    }

    /// The file as it was named or found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its syntax tree, in the layout in which it is understood best.
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| reading::parse(&self.path, &self.bytes, self.project.options()))
    }

    /// What its names mean.
    pub fn names(&self) -> &Resolved {
        self.names.get_or_init(|| names::resolve(self.tree(), self.project.index()))
    }

    /// Its text and those that it includes.
    pub fn texts(&self) -> &SourceTexts {
        &self.tree().source.texts
    }

    /// The statements that were not understood, each with the reason.
    pub fn not_understood(&self) -> Vec<(Span, String)> {
        self.tree().not_understood().map(|(span, reason)| (span, reason.to_owned())).collect()
    }

    /// The findings of source, syntax and names, rule by rule, each in order of place.
    pub fn front_end_findings(&self) -> Vec<Finding> {
        front_end::findings(self.tree(), self.names())
    }

    /// Whether a text that differs from it in comments is the same program: with the same statements, read in the same
    /// form.
    /// What `__LINE__` gives may differ.
    pub fn is_same_program(&self, edited: &[u8]) -> bool {
        let source = &self.tree().source;
        let of = |bytes: &[u8], line: Option<u32>| self.project.fingerprint(source, &self.path, bytes, line);
        of(edited, None) == fingerprint(source) || of(edited, Some(0)) == of(&self.bytes, Some(0))
    }

    /// The same, where the text of a file differs that this one includes.
    pub fn is_same_program_with(&self, included: &Path, edited: &[u8]) -> bool {
        let source = &self.tree().source;
        let of = |project: &Project, line| project.fingerprint(source, &self.path, &self.bytes, line);
        let changed = self.project.with_text(included, edited);
        of(&changed, None) == fingerprint(source) || of(&changed, Some(0)) == of(self.project, Some(0))
    }
}
