//! Files that are read in another way than the rest of the run: by path, the source form and the line length.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecialFiles {
    /// A glob: with a slash it matches the path below the base, without one the name of a file at any depth.
    pub glob: String,
    /// The source form, if it is another one.
    pub form: Option<FormChoice>,
    /// The columns of a fixed-form line that count, if they are others.
    pub fixed_line_length: Option<FixedLineLength>,
}

/// How each file of a run is read.
#[derive(Clone, Debug, Default)]
pub struct FileForms {
    base: PathBuf,
    globs: GlobSet,
    special: Vec<SpecialFiles>,
}

impl FileForms {
    /// Globs count from `base`, an absolute path; of several that match a file, the later wins. The error is that of
    /// the first glob that isn't one, with its number.
    pub fn new(base: PathBuf, special: Vec<SpecialFiles>) -> Result<Self, (usize, globset::Error)> {
        let mut globs = GlobSetBuilder::new();
        for (number, files) in special.iter().enumerate() {
            let pattern = match files.glob.strip_prefix("./").unwrap_or(&files.glob) {
                name if !name.contains('/') => format!("**/{name}"),
                path => path.trim_start_matches('/').to_owned(),
            };
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            globs.add(glob.map_err(|error| (number, error))?);
        }
        let globs = globs.build().map_err(|error| (0, error))?;
        Ok(FileForms { base, globs, special })
    }

    /// Form and line length of a file, where those of the others are given.
    pub fn of(&self, path: &Path, form: FormChoice, length: FixedLineLength) -> (FormChoice, FixedLineLength) {
        if self.special.is_empty() {
            return (form, length);
        }
        let path = paths::resolved(path);
        let Ok(below) = path.strip_prefix(&self.base) else { return (form, length) };
        let matching = self.globs.matches(below).into_iter().map(|number| &self.special[number]);
        matching.fold((form, length), |(form, length), files| {
            (files.form.unwrap_or(form), files.fixed_line_length.unwrap_or(length))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn special(glob: &str, form: Option<FormChoice>, fixed_line_length: Option<FixedLineLength>) -> SpecialFiles {
        SpecialFiles { glob: glob.into(), form, fixed_line_length }
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
        let of = |path: &Path| forms.of(path, FormChoice::Auto, FixedLineLength::Auto);
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
