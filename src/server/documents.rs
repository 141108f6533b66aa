//! The documents that an editor has open, which stand for the files of their names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::lines::Lines;
use crate::analysis::stencil::AssistOutcome;
use crate::diagnostics::paths;

/// A document at some time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// What the editor calls it.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text.
    pub text: Arc<str>,
    /// Whether it is a program, by its name or by what the editor says.
    pub is_fortran: bool,
}

/// What is known of a document.
pub struct Known {
    /// The document, as it was then.
    pub document: Document,
    /// What was found.
    pub outcome: AssistOutcome,
}

/// The open documents, by the paths of their files.
#[derive(Clone, Debug, Default)]
pub struct Documents(Arc<RwLock<BTreeMap<PathBuf, Document>>>);

impl Documents {
    /// Opens a document, or replaces it.
    pub fn open(&self, path: PathBuf, document: Document) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(path, document);
    }

    /// Changes a document; nothing if it is not open.
    pub fn change(&self, path: &Path, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut documents = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(document) = documents.get_mut(path) {
            document.version = version;
            document.text = changes.into_iter().fold(document.text.to_string(), changed).into();
        }
    }

    /// Closes a document: what the editor called it, if it was open.
    pub fn close(&self, path: &Path) -> Option<Uri> {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(path).map(|document| document.uri)
    }

    /// A document as it is now.
    pub fn get(&self, path: &Path) -> Option<Document> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// The paths of all open documents.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }
}

/// A text after one change.
fn changed(text: String, change: TextDocumentContentChangeEvent) -> String {
    match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text,
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            let lines = Lines::new(&text);
            let start = lines.offset(part.range.start);
            let end = lines.offset(part.range.end).max(start);
            [&text[..start], &part.text, &text[end..]].concat()
        }
    }
}

/// The path of the file of a document; one that is no file is called by its URI.
pub fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_ref();
    match text.strip_prefix("file://") {
        // Between the scheme and the path a host may stand, which is empty here.
        Some(path) => paths::resolved(&file_path(&percent_decoded(path))),
        None => PathBuf::from(text),
    }
}

/// The path of a file from the decoded path of a URI, which begins with a slash on Windows too (`/c:/`).
fn file_path(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(bytes).trim_start_matches('/'))
}

/// The bytes of a text in which `%` and two hexadecimal digits stand for one.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{Position, Range, TextDocumentContentChangePartial};

    use super::*;

    #[test]
    fn changes_are_made_one_after_the_other() {
        let documents = Documents::default();
        let path = PathBuf::from("/a.f90");
        documents.open(
            path.clone(),
            Document { uri: "file:///a.f90".into(), version: 1, text: "ä𝔸b\nc\n".into(), is_fortran: true },
        );
        let part = |line: u32, from: u32, to: u32, text: &str| {
            let at = |character| Position { line, character };
            let range = Range { start: at(from), end: at(to) };
            TextDocumentContentChangePartial::new(range, None, text.to_owned()).into()
        };
        documents.change(&path, 2, vec![part(0, 3, 4, "xy\n"), part(1, 0, 0, "z")]);
        let document = documents.get(&path).expect("it is open");
        assert_eq!((document.version, &*document.text), (2, "ä𝔸xy\nz\nc\n"));
        assert!(documents.close(&path).is_some() && documents.close(&path).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn paths_and_uris_are_the_same() {
        for path in ["/top/a b.f90", "/top/100%/ä.f90", "/c:/a.f90"] {
            assert_eq!(path_of(&paths::uri(Path::new(path)).into()), Path::new(path));
        }
        assert_eq!(path_of(&"file:///top/a%2Eb%zz".into()), Path::new("/top/a.b%zz"));
        assert_eq!(path_of(&"untitled:Untitled-1".into()), Path::new("untitled:Untitled-1"));
    }
}
