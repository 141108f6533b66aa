//! Whether a file has something that other files may know: a module, a submodule or an external function.
//!
//! Only such files are parsed to learn what they define; this look at the bytes costs little and misses none of them. The word MODULE
//! may come into a preprocessed file from elsewhere: from an included file, or pasted together by a macro. Where one of these is
//! possible, the file is preprocessed; the included files, which many files share, are looked at once ([`Includes`]).

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use memchr::memmem;

use super::ProjectOptions;
use super::reading::first_prescan;
use crate::source::paths_of_included;

/// Finds the files that others may know something of.
pub(super) struct Search<'o> {
    options: &'o ProjectOptions,
    /// Whether an included file may bring the word MODULE, by path; files that can't be read bring nothing.
    includes: Mutex<HashMap<PathBuf, bool>>,
}

impl<'o> Search<'o> {
    /// A search that has not looked at any file.
    pub(super) fn new(options: &'o ProjectOptions) -> Self {
        Search { options, includes: Mutex::default() }
    }

    /// Whether a file has a module, a submodule or an external function, perhaps.
    pub(super) fn may_be_known_elsewhere(&self, path: &Path, bytes: &[u8]) -> bool {
        self.may_hold_modules(path, bytes) || may_define_functions(bytes)
    }

    /// Whether a file defines a module or submodule, perhaps: whether it has the word, which most files have not, or gets it from the
    /// preprocessor.
    fn may_hold_modules(&self, path: &Path, bytes: &[u8]) -> bool {
        let may_get_it = || {
            let defined = self.options.defines.iter().any(|define| holds_word(define.as_bytes(), b"mod"));
            defined || pastes(bytes) || self.may_include_it(path, bytes, &mut HashSet::new())
        };
        holds_word(bytes, MODULE)
            || (bytes.contains(&b'#')
                && may_get_it()
                && memmem::find(&first_prescan(path, bytes, self.options).cooked, MODULE).is_some())
    }

    /// Whether what a file includes may bring the word MODULE; `seen` are the files that are looked at already.
    fn may_include_it(&self, path: &Path, bytes: &[u8], seen: &mut HashSet<PathBuf>) -> bool {
        included(bytes).any(|name| match name {
            Some(name) => self.may_bring_it(path, &name, seen),
            None => true,
        })
    }

    fn may_bring_it(&self, including: &Path, name: &str, seen: &mut HashSet<PathBuf>) -> bool {
        let known = || self.includes.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths_of_included(including, name, &self.options.include_directories) {
            if let Some(&may_bring) = known().get(&path) {
                return may_bring;
            }
            let Ok(bytes) = self.options.reader.read(&path) else { continue };
            // Files that include each other are not told apart.
            let may_bring = !seen.insert(path.clone())
                || holds_word(&bytes, MODULE)
                || pastes(&bytes)
                || self.may_include_it(&path, &bytes, seen);
            known().insert(path, may_bring);
            return may_bring;
        }
        false
    }
}

const MODULE: &[u8] = b"module";
const FUNCTION: &[u8] = b"function";

/// Whether a text holds a lower-case word in any case.
fn holds_word(text: &[u8], word: &[u8]) -> bool {
    let first = word[0];
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text)
        .any(|at| text.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word)))
}

/// Whether macros of a text paste words together.
fn pastes(text: &[u8]) -> bool {
    memmem::find(text, b"##").is_some() || memmem::find(text, b"/**/").is_some()
}

/// The names of the files that a text includes, by `#include` and by INCLUDE lines; `None` where a macro stands for the name.
fn included(text: &[u8]) -> impl Iterator<Item = Option<String>> {
    const INCLUDE: &[u8] = b"include";
    text.split(|&byte| matches!(byte, b'\n' | b'\r')).filter_map(|line| {
        let line = line.trim_ascii_start();
        let directive = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        let (word, rest) = directive.unwrap_or(line).split_at_checked(INCLUDE.len())?;
        let rest = rest.trim_ascii_start();
        if !word.eq_ignore_ascii_case(INCLUDE) {
            return None;
        }
        let close = match rest.first() {
            Some(&quote @ (b'"' | b'\'')) => quote,
            Some(b'<') => b'>',
            _ => return directive.map(|_| None),
        };
        let length = memchr::memchr(close, &rest[1..])?;
        Some(Some(String::from_utf8_lossy(&rest[1..=length]).trim().to_owned()))
    })
}

/// Whether some line begins like a FUNCTION statement (R1530): with the word, behind nothing but types and prefixes.
fn may_define_functions(bytes: &[u8]) -> bool {
    let begins_one = |at: usize| {
        let word = bytes.get(at..at + FUNCTION.len());
        let line = memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |before| before + 1);
        word.is_some_and(|word| word.eq_ignore_ascii_case(FUNCTION)) && is_function_prefix(&bytes[line..at])
    };
    memchr::memchr2_iter(b'f', b'F', bytes).any(begins_one)
}

/// Whether a line that begins so may go on with `function`.
fn is_function_prefix(before: &[u8]) -> bool {
    const WORDS: [&[u8]; 16] = [
        b"attributes",
        b"character",
        b"class",
        b"complex",
        b"double",
        b"elemental",
        b"impure",
        b"integer",
        b"logical",
        b"module",
        b"non_recursive",
        b"pure",
        b"real",
        b"recursive",
        b"simple",
        b"type",
    ];
    // A label may stand before it.
    let before = before.trim_ascii_start();
    let digits = before.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let before = before[digits..].trim_ascii_start();
    let begins = |word: &&[u8]| before.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    before.is_empty() || WORDS.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::project::FileReader;

    /// Whether the first of some files, each a path with its text, may hold a module.
    fn may_hold_modules(files: &'static [(&str, &str)], defines: &[&str]) -> bool {
        let read = |path: &Path| match files.iter().find(|(of, _)| path == Path::new(of)) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let options = ProjectOptions {
            defines: defines.iter().map(|&define| define.to_owned()).collect(),
            reader: FileReader::new(read),
            ..ProjectOptions::default()
        };
        let (path, text) = files[0];
        Search::new(&options).may_hold_modules(Path::new(path), text.as_bytes())
    }

    #[test]
    fn the_word_may_come_from_wherever_the_preprocessor_takes_text() {
        assert!(may_hold_modules(&[("a.f90", "Module m\nend")], &[]));
        assert!(!may_hold_modules(&[("a.f90", "#include \"b.h\"\nend"), ("b.h", "#include \"a.f90\"\n")], &[]));
        assert!(may_hold_modules(&[("a.f90", "#include \"b.h\"\nend"), ("b.h", "module m\n")], &[]));
        let through_two =
            &[("d/a.F90", "# include <b.h>\n"), ("d/b.h", "  INCLUDE 'e/c.h'"), ("d/e/c.h", "MODULE m\n")];
        assert!(may_hold_modules(through_two, &[]));
        assert!(may_hold_modules(&[("a.F90", "#define F \"b.h\"\n#include F\n"), ("b.h", "module m\n")], &[]));
        assert!(may_hold_modules(&[("a.F90", "#define J(a,b) a##b\nJ(mod,ule) m\n")], &[]));
        assert!(may_hold_modules(&[("a.F90", "#if 1\nU m\n#endif\n")], &["U=module"]));
        assert!(!may_hold_modules(&[("a.F90", "#if 1\nU m\n#endif\n")], &["U=model"]));
        assert!(!may_hold_modules(&[("a.F90", "#include \"missing.h\"\nmod = 1\n")], &[]));
    }

    #[test]
    fn files_that_include_each_other_end() {
        let ring = &[("a.F", "#include \"b.h\"\n"), ("b.h", "#include \"c.h\"\n"), ("c.h", "#include \"b.h\"\n")];
        assert!(!may_hold_modules(ring, &[]));
    }
}
