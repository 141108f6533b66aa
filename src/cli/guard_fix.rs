//! The specification comments that a change of layouts makes old, and their new texts.
//!
//! Where every use of a statement follows, the specification that inference gives is the old one transformed, so a comment that the
//! code contradicts is to be replaced by it. `check` knows how: its fixes are taken over.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::terminal::Terminal;
use crate::check::Require;
use crate::edit::{self, LineChange};
use crate::guard::{Class, Comparison};
use crate::project::Project;
use crate::report::summary::counted;
use crate::report::{Finding, rules};
use crate::source::LineColumn;

/// G007: the comments of statements all of whose uses follow, and that the code contradicts.
pub fn comments(project: &Project, comparison: &Comparison) -> Vec<Finding> {
    let mut statements: BTreeMap<PathBuf, BTreeMap<LineColumn, bool>> = BTreeMap::new();
    for array in comparison.arrays.iter().filter(|array| array.is_changed()) {
        for used in &array.uses {
            let Some(location) = used.statement.0.location() else { continue };
            let follows = statements.entry(location.path).or_default().entry(location.start).or_insert(true);
            *follows &= used.class == Class::Follows;
        }
    }
    let mut found = Vec::new();
    for (path, statements) in statements {
        let Ok(bytes) = project.options().reader.read(&path) else { continue };
        let result = project.check_file(&path, &bytes, Require::Nothing);
        let follows = |finding: &Finding| {
            finding.location.path == path && statements.get(&finding.location.start).copied().unwrap_or(false)
        };
        for finding in result.findings.iter().filter(|finding| finding.fix.is_some() && is_about_code(finding)) {
            if follows(finding) {
                found.push(out_of_date(finding));
            }
        }
    }
    found
}

/// Whether a finding says that code and comment differ.
fn is_about_code(finding: &Finding) -> bool {
    let about = [&rules::REGION_DIFFERS, &rules::MISSING_READ_ONCE, &rules::REPEATED_READ, &rules::KIND_DIFFERS];
    about.iter().any(|rule| rule.code == finding.rule.code)
}

fn out_of_date(finding: &Finding) -> Finding {
    let message = "The uses follow the change of their array, and the specification is still the old one";
    let mut told = Finding::new(&rules::SPECIFICATION_OUT_OF_DATE, finding.location.clone(), message);
    told.related = finding.related.iter().filter(|related| !related.to_blame).cloned().collect();
    told.inferred.clone_from(&finding.inferred);
    told.fix.clone_from(&finding.fix);
    told
}

/// Makes the changes, or shows them: the number of files. What can't be written is said.
pub fn apply(
    project: &Project,
    comments: &[Finding],
    only_show: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<usize> {
    let mut by_file: BTreeMap<&PathBuf, BTreeSet<&LineChange>> = BTreeMap::new();
    for finding in comments {
        let changes = finding.fix.iter().flat_map(|fix| &fix.changes);
        by_file.entry(&finding.location.path).or_default().extend(changes);
    }
    let mut files = 0;
    for (path, changes) in by_file {
        let original = project.options().reader.read(path)?;
        let changes: Vec<LineChange> = changes.into_iter().cloned().collect();
        let fixed = edit::change(&original, &changes);
        if !edit::is_change_of(&fixed, &original, &changes) {
            terminal.note(&format!("error: '{}' is left as it is (please report this)", path.display()));
            continue;
        }
        if !only_show {
            edit::write_atomically(path, &original, &fixed)?;
        }
        terminal.print(&edit::unified_diff(path, &original, &fixed))?;
        files += 1;
    }
    Ok(files)
}

/// What was done.
pub fn closing(files: usize, only_show: bool) -> String {
    match (files, only_show) {
        (0, _) => "no specification to rewrite".to_owned(),
        (_, true) => format!("{} would be rewritten", counted(files, "file")),
        (_, false) => format!("{} rewritten", counted(files, "file")),
    }
}
