//! What the configuration makes of the severities of the rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::{Finding, Level, Rule, paths};

/// The rules whose level is not their own.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// Those that were typed, which win.
    typed: BTreeMap<&'static Rule, Level>,
    /// Those of some files; of several that match a file, the last that has the rule wins.
    in_files: Vec<FileLevels>,
    everywhere: BTreeMap<&'static Rule, Level>,
}

/// The levels of rules in some files.
#[derive(Clone, Debug)]
struct FileLevels {
    /// The directory from which the glob counts.
    base: PathBuf,
    glob: GlobMatcher,
    levels: BTreeMap<&'static Rule, Level>,
}

impl FileLevels {
    fn is_for(&self, path: &Path) -> bool {
        paths::resolved(path).strip_prefix(&self.base).is_ok_and(|below| self.glob.is_match(below))
    }
}

impl Levels {
    /// Gives a rule a level.
    pub fn set(&mut self, rule: &'static Rule, level: Level) {
        self.everywhere.insert(rule, level);
    }

    /// Gives rules levels in the files that match a glob, which counts from `base`, an absolute path.
    ///
    /// # Errors
    ///
    /// When it is no glob.
    pub fn set_in(
        &mut self,
        base: &Path,
        glob: &str,
        levels: BTreeMap<&'static Rule, Level>,
    ) -> Result<(), globset::Error> {
        let glob = GlobBuilder::new(&paths::glob_below(glob)).literal_separator(true).build()?.compile_matcher();
        self.in_files.push(FileLevels { base: base.to_path_buf(), glob, levels });
        Ok(())
    }

    /// Gives a rule a level if nothing else gives it one everywhere.
    pub fn ask(&mut self, rule: &'static Rule, level: Level) {
        self.everywhere.entry(rule).or_insert(level);
    }

    /// Turns a rule off, whatever else is said of it.
    pub fn turn_off(&mut self, rule: &'static Rule) {
        self.typed.insert(rule, Level::Off);
    }

    /// Gives a rule its own level again where it is off, or that of a warning if it is off by itself.
    pub fn turn_on(&mut self, rule: &'static Rule) {
        let own = if rule.level == Level::Off { Level::Warning } else { rule.level };
        let of_files = self.in_files.iter_mut().filter_map(|files| files.levels.get_mut(rule));
        let everywhere = self.everywhere.entry(rule).or_insert(own);
        of_files.chain([everywhere]).filter(|level| **level == Level::Off).for_each(|level| *level = own);
    }

    /// The level of a rule in a file. What was asked for by an option is no longer off.
    pub fn level(&self, rule: &'static Rule, path: &Path) -> Level {
        let is_asked = rule.level == Level::Off && !rule.options.is_empty();
        let own = if is_asked { Level::Error } else { rule.level };
        self.configured(rule, path).unwrap_or(own)
    }

    /// Whether a level was asked for in a file.
    pub fn is_configured(&self, rule: &Rule, path: &Path) -> bool {
        self.configured(rule, path).is_some()
    }

    /// The level that was asked for.
    fn configured(&self, rule: &Rule, path: &Path) -> Option<Level> {
        let in_files = || {
            let mut levels = self.in_files.iter().rev().filter_map(|files| Some((files, files.levels.get(rule)?)));
            levels.find(|(files, _)| files.is_for(path)).map(|(_, level)| level)
        };
        self.typed.get(rule).or_else(in_files).or_else(|| self.everywhere.get(rule)).copied()
    }

    /// All findings pass through here before they are counted or printed: those of rules that are off are taken out,
    /// and of rules that the configuration speaks of the others get the severity that it asks for.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            let Some(severity) = self.level(finding.rule, &finding.location.path).severity() else { return false };
            let is_configured = self.configured(finding.rule, &finding.location.path).is_some();
            if is_configured || finding.rule.level == Level::Off {
                finding.severity = severity;
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Location, Severity, rules};
    use crate::source::LineColumn;

    #[test]
    fn findings_are_taken_out_or_get_another_severity() {
        let at = LineColumn { line: 1, column: 1 };
        let location = Location { path: "a.f90".into(), start: at, end: at };
        let all = [&rules::UNREADABLE_FILE, &rules::MODULE_NOT_FOUND, &rules::UNBALANCED_CONSTRUCT];
        let mut findings: Vec<Finding> =
            all.iter().map(|rule| Finding::new(rule, location.clone(), "Something")).collect();
        let mut levels = Levels::default();
        levels.set(&rules::UNREADABLE_FILE, Level::Note);
        levels.set(&rules::MODULE_NOT_FOUND, Level::Off);
        levels.apply(&mut findings);
        let left: Vec<(&str, Severity)> = findings.iter().map(|one| (one.rule.code, one.severity)).collect();
        assert_eq!(left, [("F002", Severity::Note), ("F006", Severity::Warning)]);
    }

    #[test]
    fn what_is_said_last_of_a_file_counts_and_what_is_typed_more() {
        let (rule, base) = (&rules::UNBALANCED_CONSTRUCT, Path::new("/top"));
        let mut levels = Levels::default();
        levels.set(rule, Level::Error);
        levels.set_in(base, "old/**", BTreeMap::from([(rule, Level::Off)])).expect("a glob");
        levels.set_in(base, "new.f90", BTreeMap::from([(rule, Level::Note)])).expect("a glob");
        let level = |levels: &Levels, path: &str| levels.level(rule, Path::new(path));
        assert_eq!(level(&levels, "/top/a.f90"), Level::Error);
        assert_eq!(level(&levels, "/top/old/a.f90"), Level::Off);
        assert_eq!(level(&levels, "/top/old/new.f90"), Level::Note);
        assert_eq!(level(&levels, "/other/old/a.f90"), Level::Error);
        levels.turn_on(rule);
        assert_eq!(level(&levels, "/top/old/a.f90"), Level::Warning);
        levels.turn_off(rule);
        assert_eq!(level(&levels, "/top/old/new.f90"), Level::Off);
    }
}
