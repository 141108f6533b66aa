//! What `guard` says of a document, if the editor asks for it: the comparison of the project with an older one.

use std::path::{Path, PathBuf};

use super::settings::GuardSettings;
use crate::analysis::RULES;
use crate::analysis::guard::base::{self, Base};
use crate::analysis::guard::{self, GuardOptions, Recorded, Recorder, Sides, spell_as_source};
use crate::diagnostics::{Finding, Severity};
use crate::source::SourceTexts;
use crate::workspace::program::Versions;
use crate::workspace::{Driver, SourceOptions, files};

/// The comparison of a project with an older one.
pub struct ProjectComparison<'g> {
    /// What it is compared with: a revision, a directory or a lock file.
    pub base: &'g str,
    /// The folders that the editor shows.
    pub roots: &'g [PathBuf],
    /// The files of the project.
    pub paths: &'g [PathBuf],
    /// What else decides it.
    pub settings: &'g GuardSettings,
    /// The threads that record files.
    pub driver: &'g Driver,
}

impl ProjectComparison<'_> {
    /// What is found in a file as it is saved: the arrays that changed, and their uses that did not follow.
    ///
    /// # Errors
    ///
    /// When there is nothing to compare with.
    pub fn findings(&self, path: &Path, options: &SourceOptions) -> anyhow::Result<Vec<Finding>> {
        let GuardSettings { exclusions, paper, levels } = self.settings;
        let (base, program) = base::open(self.base, self.roots, self.paths.to_vec(), options, exclusions)?;
        let guard_options = GuardOptions { paper: *paper, rules: RULES };
        let mut recorder = Recorder { driver: self.driver, options: guard_options, progress: &mut |_| () };
        let mut sides = match base {
            Base::Lock(snapshot) => {
                let (now, project) = recorder.program(&program);
                Sides { before: Recorded { snapshot, ..Recorded::default() }, now, project, unchanged: 0 }
            }
            Base::Program(before) => recorder.versions(&Versions { before: *before, now: program }),
        };
        let comparison = guard::compare(&mut sides.before.snapshot, &mut sides.now.snapshot);
        let mut findings = Vec::new();
        for group in guard::groups(&comparison) {
            let group = group.without(&mut sides.now.allowances);
            findings.extend(group.heading.filter(|_| !group.is_harmless));
            findings.extend(group.uses.into_iter().filter(|used| used.severity > Severity::Note));
        }
        findings.retain(|finding| finding.location.path == path);
        levels.apply(&mut findings);
        let texts = SourceTexts::new(path, files::read(path).unwrap_or_default());
        findings.iter_mut().for_each(|finding| spell_as_source(finding, texts.root()));
        Ok(findings)
    }
}
