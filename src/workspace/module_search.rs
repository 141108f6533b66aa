//! Whether a file has something that other files may know: a module, a submodule or an external function.
//!
//! Only such files are parsed to learn what they define; this look at the bytes costs little and misses none of them.
//! The word MODULE may come into a preprocessed file from elsewhere: from an included file, or pasted together by a
//! macro. Where one of these is possible, the file is preprocessed; the included files, which many files share, are
//! looked at once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use memchr::memmem;

use super::options::SourceOptions;
use super::reading::{first_prescan, parse_declarations};
use crate::names::{self, ModuleSummary};
use crate::source::paths_of_included;

/// Looks for the modules of a project's files; what it learns of included files it keeps.
pub struct ModuleSearch<'o> {
    options: &'o SourceOptions,
    /// Whether an included file may bring the word MODULE, by path; files that can't be read bring nothing.
    includes: Mutex<HashMap<PathBuf, bool>>,
}

impl<'o> ModuleSearch<'o> {
    /// A search that has not looked at any file.
    pub fn new(options: &'o SourceOptions) -> Self {
        ModuleSearch { options, includes: Mutex::default() }
    }

    /// The modules of a file, with its external functions; none of a file that can't be read.
    pub fn modules_of(&self, path: &Path) -> Vec<ModuleSummary> {
        match self.options.files.read(path) {
            Ok(bytes) if self.may_tell_others(path, &bytes) => {
                names::summarise(&parse_declarations(path, &bytes, self.options))
            }
            _ => Vec::new(),
        }
    }

    /// Whether a file has a module, a submodule or an external function, perhaps.
    fn may_tell_others(&self, path: &Path, bytes: &[u8]) -> bool {
        let openings = Openings::of(bytes);
        // What a command makes of a file is known only then.
        self.options.forms.of(path).expansion.is_some()
            || openings.module
            || openings.function
            || (openings.is_preprocessed && self.may_get_module(path, bytes, &openings.included))
    }

    /// Whether a preprocessed file gets a module from elsewhere.
    fn may_get_module(&self, path: &Path, bytes: &[u8], included: &[Option<String>]) -> bool {
        let defined = || self.options.defines.iter().any(|define| holds_word(define.as_bytes(), b"mod"));
        (defined() || pastes(bytes) || self.may_include_it(path, included, &mut HashSet::new()))
            && memmem::find(&first_prescan(path, bytes, self.options).cooked, MODULE).is_some()
    }

    /// Whether the included files may bring the word MODULE; `seen` are those that are looked at already.
    fn may_include_it(&self, path: &Path, included: &[Option<String>], seen: &mut HashSet<PathBuf>) -> bool {
        included.iter().any(|name| name.as_ref().is_none_or(|name| self.may_bring_it(path, name, seen)))
    }

    /// Whether the file that one includes by this name may bring it.
    fn may_bring_it(&self, including: &Path, name: &str, seen: &mut HashSet<PathBuf>) -> bool {
        let known = || self.includes.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths_of_included(including, name, &self.options.include_directories) {
            if let Some(&may_bring) = known().get(&path) {
                return may_bring;
            }
            let Ok(bytes) = self.options.files.read(&path) else { continue };
            if !self.options.roots.enclose(&path) {
                continue;
            }
            let openings = Openings::of(&bytes);
            // Files that include each other are not told apart.
            let may_bring = !seen.insert(path.clone())
                || openings.module
                || pastes(&bytes)
                || self.may_include_it(&path, &openings.included, seen);
            known().insert(path, may_bring);
            return may_bring;
        }
        false
    }
}

const MODULE: &[u8] = b"module";
const SUBMODULE: &[u8] = b"submodule";
const FUNCTION: &[u8] = b"function";
const INCLUDE: &[u8] = b"include";

/// Which statements a text may have, judged by the beginnings of its statements and by what directives hold.
#[derive(Default)]
struct Openings {
    /// MODULE or SUBMODULE.
    module: bool,
    /// FUNCTION.
    function: bool,
    /// Whether there are directives.
    is_preprocessed: bool,
    /// The names of the files that are included, by `#include` and by INCLUDE lines; `None` where a macro stands for
    /// the name.
    included: Vec<Option<String>>,
}

impl Openings {
    fn of(text: &[u8]) -> Openings {
        let mut openings = Openings::default();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let has_semicolons = memchr::memchr(b';', text).is_some();
        let mut rest = text;
        while !rest.is_empty() {
            let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            openings.note(line);
            if has_semicolons {
                memchr::memchr_iter(b';', line).for_each(|at| openings.note(&line[at + 1..]));
            }
            rest = rest.get(length + 1..).unwrap_or_default();
        }
        openings
    }

    /// Notes what a statement may be that begins here, perhaps behind a label.
    fn note(&mut self, text: &[u8]) {
        let begin = text.iter().position(|byte| *byte > b' ' && !byte.is_ascii_digit());
        let text = &text[begin.unwrap_or(text.len())..];
        let Some(first) = text.first().map(u8::to_ascii_lowercase) else { return };
        match first {
            b'#' => {
                self.is_preprocessed = true;
                self.module |= holds_word(text, MODULE);
                self.include(text[1..].trim_ascii_start(), true);
            }
            b'i' if begins_with(text, INCLUDE) => self.include(text, false),
            _ if prefixes(first).iter().any(|word| begins_with(text, word)) => {
                self.module |= begins_with(text, MODULE) || begins_with(text, SUBMODULE);
                self.function |= holds_word(text, FUNCTION);
            }
            _ => {}
        }
    }

    /// Notes a file that is included, if `text` says so.
    fn include(&mut self, text: &[u8], by_directive: bool) {
        if !begins_with(text, INCLUDE) {
            return;
        }
        let text = text[INCLUDE.len()..].trim_ascii_start();
        let close = match text.first() {
            Some(&quote @ (b'"' | b'\'')) => quote,
            Some(b'<') => b'>',
            _ if by_directive => return self.included.push(None),
            _ => return,
        };
        if let Some(length) = memchr::memchr(close, &text[1..]) {
            self.included.push(Some(String::from_utf8_lossy(&text[1..=length]).trim().to_owned()));
        }
    }
}

/// With what a FUNCTION statement (R1530) may begin, by the first letter: prefixes (R1527), and types (R703), those of
/// extensions included; and SUBMODULE.
fn prefixes(first: u8) -> &'static [&'static [u8]] {
    match first {
        b'a' => &[b"attributes"],
        b'b' => &[b"byte"],
        b'c' => &[b"character", b"class", b"complex"],
        b'd' => &[b"double"],
        b'e' => &[b"elemental"],
        b'f' => &[FUNCTION],
        b'i' => &[b"integer", b"impure"],
        b'l' => &[b"logical"],
        b'm' => &[MODULE],
        b'n' => &[b"non_recursive"],
        b'p' => &[b"pure"],
        b'r' => &[b"real", b"recursive"],
        b's' => &[b"simple", SUBMODULE],
        b't' => &[b"type"],
        _ => &[],
    }
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a text holds a lower-case word in any case.
fn holds_word(text: &[u8], word: &[u8]) -> bool {
    let first = word[0];
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text).any(|at| begins_with(&text[at..], word))
}

/// Whether macros of a text paste words together.
fn pastes(text: &[u8]) -> bool {
    memmem::find(text, b"##").is_some() || memmem::find(text, b"/**/").is_some()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::workspace::Files;

    /// Whether the first of some files, each a path with its text, may be known to others.
    fn may_be_known(files: &'static [(&str, &str)], defines: &[&str]) -> bool {
        let read = |path: &Path| match files.iter().find(|(of, _)| path == Path::new(of)) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let options = SourceOptions {
            defines: defines.iter().map(|&define| define.to_owned()).collect(),
            files: Files::new(read),
            ..SourceOptions::default()
        };
        let (path, text) = files[0];
        ModuleSearch::new(&options).may_tell_others(Path::new(path), text.as_bytes())
    }

    #[test]
    fn the_word_may_come_from_wherever_the_preprocessor_takes_text() {
        assert!(may_be_known(&[("a.f90", "Module m\nend")], &[]));
        assert!(!may_be_known(&[("a.f90", "#include \"b.h\"\nend"), ("b.h", "#include \"a.f90\"\n")], &[]));
        assert!(may_be_known(&[("a.f90", "#include \"b.h\"\nend"), ("b.h", "module m\n")], &[]));
        let through_two =
            &[("d/a.F90", "# include <b.h>\n"), ("d/b.h", "  INCLUDE 'e/c.h'"), ("d/e/c.h", "MODULE m\n")];
        assert!(may_be_known(through_two, &[]));
        assert!(may_be_known(&[("a.F90", "#define F \"b.h\"\n#include F\n"), ("b.h", "module m\n")], &[]));
        assert!(may_be_known(&[("a.F90", "#define J(a,b) a##b\nJ(mod,ule) m\n")], &[]));
        assert!(may_be_known(&[("a.F90", "#if 1\nU m\n#endif\n")], &["U=module"]));
        assert!(!may_be_known(&[("a.F90", "#if 1\nU m\n#endif\n")], &["U=model"]));
        assert!(!may_be_known(&[("a.F90", "#include \"missing.h\"\nmod = 1\n")], &[]));
    }

    #[test]
    fn functions_are_told_by_what_stands_before_them() {
        for text in [
            "function f(x)",
            "      INTEGER FUNCTION F(X)",
            "10 continue; real(8)function f(x)",
            "\u{feff}pure elemental function f(x)",
            "x=1\r\tType(t) Function f(x)",
        ] {
            assert!(Openings::of(text.as_bytes()).function, "{text}");
        }
        for text in ["! a function", "c function", "      call function(x)", "end function", "      x = function"] {
            assert!(!Openings::of(text.as_bytes()).function, "{text}");
        }
    }

    #[test]
    fn files_that_include_each_other_end() {
        let ring = &[("a.F", "#include \"b.h\"\n"), ("b.h", "#include \"c.h\"\n"), ("c.h", "#include \"b.h\"\n")];
        assert!(!may_be_known(ring, &[]));
    }
}
