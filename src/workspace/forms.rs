//! Files that are read in another way than the rest of the run: by path, the source form, the line length, what macros
//! are, and whether a command expands them.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::expansion::ExpansionCommand;
use crate::diagnostics::paths;
use crate::source::prescan::FormChoice;

/// Columns of a fixed-form line that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FixedLineLength {
    /// 72, or 132 for a file that is clearly better understood so.
    #[default]
    Auto,
    /// So many.
    Columns(u32),
    /// All.
    Unlimited,
}

/// What is different for the files that match a glob.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpecialFiles {
    /// A glob: with a slash it matches the path below the base, without one the name of a file at any depth.
    pub glob: String,
    /// The source form, if it is another one.
    pub form: Option<FormChoice>,
    /// The columns of a fixed-form line that count, if they are others.
    pub fixed_line_length: Option<FixedLineLength>,
    /// Macros, defined elsewhere, that stand for types.
    pub types: Vec<String>,
    /// Macros that are defined from the start, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// What expands them before they are read.
    pub expansion: Option<ExpansionCommand>,
}

/// All of it in one line, without what depends on the machine.
impl Display for SpecialFiles {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SpecialFiles { glob, form, fixed_line_length, types, defines, expansion } = self;
        write!(f, "{glob}:")?;
        form.iter().try_for_each(|form| write!(f, " form {form:?}"))?;
        fixed_line_length.iter().try_for_each(|length| write!(f, " fixed line length {length:?}"))?;
        types.iter().try_for_each(|name| write!(f, " type {name}"))?;
        defines.iter().try_for_each(|define| write!(f, " -D {define}"))?;
        expansion.iter().try_for_each(|command| write!(f, " preprocess {command}"))
    }
}

/// What is different for one file; of lists, what is added.
#[derive(Debug, Default)]
#[allow(missing_docs, reason = "the fields of SpecialFiles")]
pub struct SpecialFile<'f> {
    pub form: Option<FormChoice>,
    pub fixed_line_length: Option<FixedLineLength>,
    pub types: Vec<&'f str>,
    pub defines: Vec<&'f str>,
    pub expansion: Option<&'f ExpansionCommand>,
}

/// How each file of a run is read.
#[derive(Clone, Debug, Default)]
pub struct FileForms {
    base: PathBuf,
    globs: GlobSet,
    special: Vec<SpecialFiles>,
}

impl FileForms {
    /// Globs count from `base`, an absolute path; of several that match a file, the later wins, and lists are added up.
    /// The error is that of the first glob that isn't one, with its number.
    pub fn new(base: PathBuf, special: Vec<SpecialFiles>) -> Result<Self, (usize, globset::Error)> {
        let mut globs = GlobSetBuilder::new();
        for (number, files) in special.iter().enumerate() {
            let glob = GlobBuilder::new(&paths::glob_below(&files.glob)).literal_separator(true).build();
            globs.add(glob.map_err(|error| (number, error))?);
        }
        let globs = globs.build().map_err(|error| (0, error))?;
        Ok(FileForms { base, globs, special })
    }

    /// What is different for which files, in order.
    pub fn special(&self) -> &[SpecialFiles] {
        &self.special
    }

    /// What is different for a file.
    pub fn of(&self, path: &Path) -> SpecialFile<'_> {
        let mut file = SpecialFile::default();
        if self.special.is_empty() {
            return file;
        }
        let path = paths::resolved(path);
        let Ok(below) = path.strip_prefix(&self.base) else { return file };
        for SpecialFiles { form, fixed_line_length, types, defines, expansion, .. } in
            self.globs.matches(below).into_iter().map(|number| &self.special[number])
        {
            file.form = form.or(file.form);
            file.fixed_line_length = fixed_line_length.or(file.fixed_line_length);
            file.types.extend(types.iter().map(String::as_str));
            file.defines.extend(defines.iter().map(String::as_str));
            file.expansion = expansion.as_ref().or(file.expansion);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn special(glob: &str, form: Option<FormChoice>, fixed_line_length: Option<FixedLineLength>) -> SpecialFiles {
        SpecialFiles { glob: glob.into(), form, fixed_line_length, ..SpecialFiles::default() }
    }

    #[test]
    fn the_last_glob_that_matches_wins_key_by_key() {
        let here = paths::resolved(Path::new("."));
        let special = vec![
            special("*.inc", Some(FormChoice::Fixed), None),
            special("old/**", Some(FormChoice::Fixed), Some(FixedLineLength::Unlimited)),
            special("./old/new/*", Some(FormChoice::Free), None),
        ];
        let forms = FileForms::new(here.clone(), special).expect("globs");
        let of = |path: &Path| {
            let file = forms.of(path);
            (file.form.unwrap_or(FormChoice::Auto), file.fixed_line_length.unwrap_or_default())
        };
        assert_eq!(of(Path::new("a.f90")), (FormChoice::Auto, FixedLineLength::Auto));
        assert_eq!(of(Path::new("deep/down/a.inc")), (FormChoice::Fixed, FixedLineLength::Auto));
        assert_eq!(of(Path::new("./old/../old/x/a.f90")), (FormChoice::Fixed, FixedLineLength::Unlimited));
        assert_eq!(of(&here.join("old/new/a.f90")), (FormChoice::Free, FixedLineLength::Unlimited));
        assert_eq!(of(Path::new("../old/a.f90")), (FormChoice::Auto, FixedLineLength::Auto));
    }

    #[test]
    fn a_bad_glob_is_named() {
        let forms = FileForms::new(PathBuf::new(), vec![special("a", None, None), special("[", None, None)]);
        assert_eq!(forms.map(|_| ()).map_err(|(number, _)| number), Err(1));
    }
}
