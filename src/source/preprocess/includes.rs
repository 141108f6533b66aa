//! Included files: the search for them, and the bounds on how they include each other.

use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::expand::unquoted_name;
use crate::source::prescan::Prescanner;
use crate::source::prescanned::{IncludeObstacle, SourceNote};
use crate::source::span::Span;

/// Texts include each other this deep at most.
const DEPTH_LIMIT: usize = 64;
/// So many bytes, and so many texts, are included by one file at most: files that each include another one twice would
/// double with each of them.
const BYTE_LIMIT: usize = 8 << 20;
const TEXT_LIMIT: usize = 10_000;

impl Prescanner<'_> {
    /// Opens the files that INCLUDE lines asked for. The frame at hand is on the stack.
    pub(in crate::source) fn open_includes(&mut self) {
        let asked = std::mem::take(&mut self.cooker.includes);
        for (name, span) in asked.into_iter().rev() {
            self.include(&name, span, true);
        }
        let asked = std::mem::take(&mut self.included_by_directive);
        for (name, span) in asked.into_iter().rev() {
            self.include(&name, span, false);
        }
    }

    /// `#include "file"`, `#include <file>`, or a macro that becomes one of them.
    pub(super) fn include_directive(&mut self, rest: &[u8], span: Span) {
        let expanded;
        let mut name = unquoted_name(rest);
        if name.is_none() {
            expanded = self.preprocessor.macros.expand_text(rest).unwrap_or_default();
            name = unquoted_name(&expanded);
        }
        match name.map(<[u8]>::to_vec) {
            Some(name) => self.included_by_directive.push((name, span)),
            None => self.preprocessor_note(span, "#include without a file name".to_owned()),
        }
    }

    fn include(&mut self, name: &[u8], span: Span, by_include_line: bool) {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        let (path, bytes) = match self.find(&name) {
            Ok(found) => found,
            Err(obstacle) => return self.not_included(name, span, obstacle),
        };
        if self.frames.iter().any(|frame| self.texts.get(frame.text).is_some_and(|text| plain(&text.path) == path)) {
            return self.not_included(name, span, IncludeObstacle::IncludesItself);
        }
        let base = self.texts.last().map_or(0, |last| last.base as usize + last.bytes.len());
        let fits = base + bytes.len() + 2 < u32::MAX as usize;
        if self.frames.len() >= DEPTH_LIMIT || self.texts.len() >= TEXT_LIMIT || !fits {
            return self.not_included(name, span, IncludeObstacle::TooManyIncluded);
        }
        self.included_bytes += bytes.len();
        if self.included_bytes > BYTE_LIMIT {
            return self.not_included(name, span, IncludeObstacle::TooMuchText);
        }
        self.open_shared(path, bytes, by_include_line);
    }

    /// The file and its bytes.
    fn find(&mut self, name: &str) -> Result<(PathBuf, Rc<Vec<u8>>), IncludeObstacle> {
        let mut obstacle = IncludeObstacle::NotFound;
        if name.is_empty() {
            return Err(obstacle);
        }
        let including = self.frames.last().and_then(|frame| self.texts.get(frame.text));
        let including = including.map_or(Path::new(""), |text| &text.path);
        let options = self.options;
        for path in paths_of_included(including, name, &options.include_directories) {
            let read = || match (options.read)(&path) {
                Ok(bytes) if (options.may_include)(&path) => Ok(Rc::new(bytes)),
                Ok(_) => Err(IncludeObstacle::OutOfBounds),
                Err(_) => Err(IncludeObstacle::NotFound),
            };
            match self.known_texts.entry(path.clone()).or_insert_with(read) {
                Ok(bytes) => return Ok((path, Rc::clone(bytes))),
                Err(IncludeObstacle::NotFound) => {}
                Err(other) => obstacle = *other,
            }
        }
        Err(obstacle)
    }

    /// Makes one note for each file.
    fn not_included(&mut self, file: String, span: Span, obstacle: IncludeObstacle) {
        if self.preprocessor.missing.insert(file.clone()) {
            self.notes.add(span, SourceNote::NotIncluded { file, obstacle });
        }
    }
}

/// Where a file that another one includes may be: first in the directory of that one, then in those that were given.
pub fn paths_of_included<'a>(
    including: &'a Path,
    name: &'a str,
    directories: &'a [PathBuf],
) -> impl Iterator<Item = PathBuf> + use<'a> {
    let here = including.parent().unwrap_or(Path::new(""));
    std::iter::once(here)
        .chain(directories.iter().map(PathBuf::as_path))
        .map(move |directory| plain(&directory.join(name)))
}

/// The path without `.` and, where possible, without `..`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
