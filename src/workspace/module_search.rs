//! Whether a file has something that other files may know: a module, a submodule or an external function.
//!
//! Only such files are parsed to learn what they define; this look at the bytes costs little and misses none of them.
//! The word MODULE may come into a preprocessed file from elsewhere: from an included file, or pasted together by a
//! macro. Where one of these is possible, the file is preprocessed; the included files, which many files share, are
//! looked at once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;

use super::openings::{MODULE, Openings, holds_word};
use super::options::SourceOptions;
use super::reading::{first_prescan, parse_declarations};
use crate::names::{self, ModuleSummary};
use crate::source::paths_of_included;

/// What a file has to do with modules.
#[derive(Debug, Default)]
pub struct FileModules {
    /// Those that it has, and its external functions.
    pub modules: Vec<ModuleSummary>,
    /// The names of those that it uses, as far as they can be told by a look at its text and at what that includes.
    pub used: HashSet<String>,
    /// The files that it includes, directly or not, as far as they can be told so.
    pub included: HashSet<PathBuf>,
}

/// Looks for the modules of a project's files; what it learns of included files it keeps.
pub struct ModuleSearch<'o> {
    options: &'o SourceOptions,
    /// The beginnings of the statements of included files, by path; `None` of those that can't be read or may not be.
    included: Mutex<HashMap<PathBuf, Option<Arc<Openings>>>>,
    /// Whether an included file may bring the word MODULE.
    may_bring: Mutex<HashMap<PathBuf, bool>>,
}

impl<'o> ModuleSearch<'o> {
    /// A search that has not looked at any file.
    pub fn new(options: &'o SourceOptions) -> Self {
        ModuleSearch { options, included: Mutex::default(), may_bring: Mutex::default() }
    }

    /// The modules of a file and those that it uses; none of a file that can't be read.
    pub fn look(&self, path: &Path) -> FileModules {
        let Ok(bytes) = self.options.files.read(path) else { return FileModules::default() };
        let openings = Openings::of(&bytes);
        let modules = match self.may_tell_others(path, &bytes, &openings) {
            true => names::summarise(&parse_declarations(path, &bytes, self.options)),
            false => Vec::new(),
        };
        let mut used = HashSet::new();
        used.extend(modules.iter().flat_map(|module| &module.uses).map(|declared| declared.module.clone()));
        let mut included = HashSet::new();
        self.note_used(path, &openings, &mut used, &mut included);
        FileModules { modules, used, included }
    }

    /// Notes the modules that a text uses, and what it includes; `seen` are the included files that were looked at.
    fn note_used(&self, path: &Path, openings: &Openings, used: &mut HashSet<String>, seen: &mut HashSet<PathBuf>) {
        used.extend(openings.used.iter().cloned());
        for name in openings.included.iter().flatten() {
            if let Some((included, openings)) = self.openings_of_included(path, name)
                && seen.insert(included.clone())
            {
                self.note_used(&included, &openings, used, seen);
            }
        }
    }

    /// The file that one includes by this name, with the beginnings of its statements.
    fn openings_of_included(&self, including: &Path, name: &str) -> Option<(PathBuf, Arc<Openings>)> {
        let known = || self.included.lock().unwrap_or_else(PoisonError::into_inner);
        paths_of_included(including, name, &self.options.include_directories).find_map(|path| {
            let found = known().get(&path).cloned();
            let openings = found.unwrap_or_else(|| {
                let bytes = self.options.files.read(&path).ok().filter(|_| self.options.roots.enclose(&path));
                let openings = bytes.map(|bytes| Arc::new(Openings::of(&bytes)));
                known().insert(path.clone(), openings.clone());
                openings
            });
            Some((path, openings?))
        })
    }

    /// Whether a file has a module, a submodule or an external function, perhaps.
    fn may_tell_others(&self, path: &Path, bytes: &[u8], openings: &Openings) -> bool {
        // What a command makes of a file is known only then.
        self.options.forms.of(path).expansion.is_some()
            || openings.module
            || openings.function
            || (openings.is_preprocessed && self.may_get_module(path, bytes, openings))
    }

    /// Whether a preprocessed file gets a module from elsewhere.
    fn may_get_module(&self, path: &Path, bytes: &[u8], openings: &Openings) -> bool {
        let defined = || self.options.defines.iter().any(|define| holds_word(define.as_bytes(), b"mod"));
        (defined() || openings.pastes || self.may_include_it(path, &openings.included, &mut HashSet::new()))
            && memmem::find(&first_prescan(path, bytes, self.options).cooked, MODULE).is_some()
    }

    /// Whether the included files may bring the word MODULE; `seen` are those that are looked at already.
    fn may_include_it(&self, path: &Path, included: &[Option<String>], seen: &mut HashSet<PathBuf>) -> bool {
        included.iter().any(|name| name.as_ref().is_none_or(|name| self.may_bring_it(path, name, seen)))
    }

    /// Whether the file that one includes by this name may bring it.
    fn may_bring_it(&self, including: &Path, name: &str, seen: &mut HashSet<PathBuf>) -> bool {
        let known = || self.may_bring.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((path, openings)) = self.openings_of_included(including, name) else { return false };
        if let Some(&may_bring) = known().get(&path) {
            return may_bring;
        }
        // Files that include each other are not told apart.
        let may_bring = !seen.insert(path.clone())
            || openings.module
            || openings.pastes
            || self.may_include_it(&path, &openings.included, seen);
        known().insert(path, may_bring);
        may_bring
    }
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
        ModuleSearch::new(&options).may_tell_others(Path::new(path), text.as_bytes(), &Openings::of(text.as_bytes()))
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
    fn files_that_include_each_other_end() {
        let ring = &[("a.F", "#include \"b.h\"\n"), ("b.h", "#include \"c.h\"\n"), ("c.h", "#include \"b.h\"\n")];
        assert!(!may_be_known(ring, &[]));
    }
}
