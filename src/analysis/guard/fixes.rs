//! The comments that a change of layouts makes old, and their new texts.
//!
//! Two ways lead to a new text. A region variable gets a new declaration if all that is connected to it follows the
//! same change ([`renewals`]) and if everything holds on the changed text. Every other specification whose uses follow
//! gives way to the inferred one, which is what `check` would write. What belongs to code that stands elsewhere is
//! told, not edited.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::affected::Words;
use super::comments::{CommentPlace, FileComments};
use super::compare::ProgramComparison;
use super::out_of_date::UseOutcomes;
use super::rules::SPECIFICATION_OUT_OF_DATE;
use super::snapshot::{Snapshot, UnitSnapshot};
use super::variables::{NewText, Renewal, renewals};
use crate::analysis::Session;
use crate::analysis::stencil::{Check, CheckOptions, rules};
use crate::diagnostics::edit::{self, LineChange};
use crate::diagnostics::{Finding, Fix, Location, Note};
use crate::source::LineColumn;
use crate::workspace::program::Program;
use crate::workspace::{Driver, Project, SourceOptions};

/// What the comments of a program are checked with.
pub struct Comments<'c> {
    /// The threads.
    pub driver: &'c Driver,
    /// The program as it is.
    pub program: &'c Program,
    /// How comments are checked.
    pub options: CheckOptions,
}

impl Comments<'_> {
    /// G007: the comments that are old although the uses that they speak of follow. `project`: the files that were
    /// recorded.
    pub fn out_of_date(&self, project: &Project, now: &Snapshot, comparison: &ProgramComparison) -> Vec<Finding> {
        let session = Session::new(project, self.options.clone());
        let judgement = UseOutcomes::new(comparison);
        let mut files = self.described(&session, &self.listed(now, comparison));
        let own = files.len();
        self.add_sharing(&mut files, &judgement);
        let renewals = self.driver.install(|| renewals(&files, &judgement));
        let (made, not_made) = self.verified(&files, renewals);
        let renewed: HashSet<(usize, usize)> = made.iter().flat_map(|renewal| &renewal.comments).copied().collect();
        let mut found: Vec<Finding> = made.iter().flat_map(of_renewal).collect();
        found.extend(not_made.iter().flat_map(vanishing));
        let of_file = |&(number, file): &(usize, &FileComments)| {
            let is_renewed = |comment: usize| renewed.contains(&(number, comment));
            expanded(&session, file, &judgement, &is_renewed)
        };
        let numbered: Vec<(usize, &FileComments)> = files[..own].iter().enumerate().collect();
        found.extend(self.driver.map(&numbered, of_file).into_iter().flatten());
        // What is included in several files is told once.
        found.sort_by(|one, other| {
            (&one.location, &one.message, inferred(one), one.fix.is_none()).cmp(&(
                &other.location,
                &other.message,
                inferred(other),
                other.fix.is_none(),
            ))
        });
        found.dedup_by(|one, other| {
            (&one.location, &one.message, inferred(one)) == (&other.location, &other.message, inferred(other))
        });
        found
    }

    /// The files of the units in which a use was judged.
    fn listed(&self, now: &Snapshot, comparison: &ProgramComparison) -> Vec<PathBuf> {
        let uses = comparison.arrays.iter().flat_map(|array| &array.uses);
        let paths: HashSet<PathBuf> = uses.filter_map(|used| Some(used.statement.location()?.path)).collect();
        let is_listed = |unit: &&UnitSnapshot| {
            let mut statements = unit.statements.iter();
            statements.any(|statement| statement.place.location().is_some_and(|at| paths.contains(&at.path)))
        };
        let names: HashSet<&str> = now.units.iter().filter(is_listed).map(|unit| unit.file.as_str()).collect();
        let files = self.program.files.iter().filter(|file| names.contains(file.name.as_str()));
        files.map(|file| file.path.clone()).collect()
    }

    /// What the comments of some files say; those that can't be read are left out.
    fn described(&self, session: &Session<'_, Check>, paths: &[PathBuf]) -> Vec<FileComments> {
        let one = |path: &PathBuf| {
            let view = session.project().read(path).ok()?;
            let comments = session.with(|check, context| {
                check.with_subject(&view, context, |input, solver| FileComments::new(input, solver))
            });
            Some(comments)
        };
        self.driver.map(paths, one).into_iter().flatten().collect()
    }

    /// Adds the other files that name a region variable which is exported and may have to change.
    fn add_sharing(&self, files: &mut Vec<FileComments>, judgement: &UseOutcomes<'_>) {
        let is_old = |file: &FileComments| {
            file.comments.iter().any(|comment| {
                let is_exported = comment.names.iter().any(|name| name.file.is_none());
                is_exported && comment.claims.iter().any(|claim| judgement.is_old(comment, claim))
            })
        };
        if !files.iter().any(is_old) {
            return;
        }
        // The modules of files that the change doesn't concern are not indexed yet.
        let Program { options, .. } = self.program;
        let paths = self.program.paths();
        let project = self.driver.project(&paths, &paths, options.clone(), Vec::new, || {});
        let session = Session::new(&project, self.options.clone());
        let words = |path: &PathBuf| options.files.read(path).map(|bytes| Words::new(&bytes)).unwrap_or_default();
        let there: HashSet<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        let left: Vec<PathBuf> = paths.into_iter().filter(|path| !there.contains(path)).collect();
        let words = self.driver.map(&left, words);
        let mut left: Vec<(PathBuf, Words)> = left.into_iter().zip(words).collect();
        loop {
            let comments = files.iter().flat_map(|file| &file.comments).flat_map(|comment| &comment.names);
            let regions = files.iter().flat_map(|file| &file.regions).flat_map(|region| &region.names);
            let names: BTreeSet<&str> =
                comments.chain(regions).filter(|id| id.file.is_none()).map(|id| id.name.as_str()).collect();
            let (naming, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, words)| names.iter().any(|name| words.hold(name)));
            if naming.is_empty() {
                return;
            }
            let naming: Vec<PathBuf> = naming.into_iter().map(|(path, _)| path).collect();
            files.extend(self.described(&session, &naming));
            left = others;
        }
    }

    /// The renewals after which every comment concerned holds, on the changed text; and the others.
    fn verified(&self, files: &[FileComments], renewals: Vec<Renewal>) -> (Vec<Renewal>, Vec<Renewal>) {
        let (possible, not_made): (Vec<Renewal>, Vec<Renewal>) = renewals.into_iter().partition(|renewal| {
            renewal.vanishing.is_empty() && renewal.texts.iter().all(|text| text.place.lines.is_some())
        });
        if possible.is_empty() {
            return (possible, not_made);
        }
        let mut changes: BTreeMap<&Path, Vec<LineChange>> = BTreeMap::new();
        for text in possible.iter().flat_map(|renewal| &renewal.texts) {
            if let Some(lines) = &text.place.lines {
                changes.entry(&lines.path).or_default().push(lines.instead(std::slice::from_ref(&text.text)));
            }
        }
        let Program { options, .. } = self.program;
        let changed: HashMap<PathBuf, Vec<u8>> = changes
            .into_iter()
            .filter_map(|(path, changes)| {
                Some((
                    path.to_path_buf(),
                    edit::change(&options.files.read(path).ok()?, &edit::in_turn(changes.iter())),
                ))
            })
            .collect();
        let edited = options.files.clone().with_overlay(move |path| changed.get(path).cloned());
        let options = SourceOptions { files: edited, ..options.clone() };
        let paths = self.program.paths();
        let project = self.driver.project(&paths, &paths, options, Vec::new, || {});
        let session = Session::new(&project, self.options.clone());
        let concerned: BTreeSet<usize> =
            possible.iter().flat_map(|renewal| &renewal.comments).map(|(file, _)| *file).collect();
        let paths: Vec<PathBuf> = concerned.iter().map(|&file| files[file].path.clone()).collect();
        let after: HashMap<PathBuf, FileComments> =
            self.described(&session, &paths).into_iter().map(|file| (file.path.clone(), file)).collect();
        let holds = |(file, comment): &(usize, usize)| {
            let after =
                after.get(&files[*file].path).filter(|after| after.comments.len() == files[*file].comments.len());
            after.is_some_and(|after| after.comments[*comment].claims.iter().all(|claim| claim.holds))
        };
        let (made, failed): (Vec<Renewal>, Vec<Renewal>) =
            possible.into_iter().partition(|renewal| renewal.comments.iter().all(holds));
        (made, not_made.into_iter().chain(failed).collect())
    }
}

const ELSEWHERE: &str =
    "It is not edited: it stands in an included file, or above code that comes from one or from a macro";

/// The findings on what changes with a region variable. If a part of it can't be edited, nothing is.
fn of_renewal(renewal: &Renewal) -> Vec<Finding> {
    let is_editable = |text: &NewText| text.place.is_editable;
    let is_edited = renewal.texts.iter().all(is_editable);
    let of_text = |text: &NewText| {
        let message = match &text.declared {
            Some(name) => format!(
                "All uses that region variable '{name}' speaks of follow the change of their arrays, and it is still the old one"
            ),
            None => OLD.to_owned(),
        };
        let mut told = Finding::new(&SPECIFICATION_OUT_OF_DATE, text.place.location.clone(), message);
        match (&text.place.lines, is_edited) {
            (Some(lines), true) => {
                let changes = vec![lines.instead(std::slice::from_ref(&text.text))];
                told.fix =
                    SPECIFICATION_OUT_OF_DATE.fix.map(|description| Fix { description, changes, safe_changes: None });
            }
            _ if is_editable(text) => {
                told.remark("It is not edited, as something else that must change with it can't be");
            }
            _ => told.remark(ELSEWHERE),
        }
        told.notes.push(Note::Inferred(text.text.clone()));
        told
    };
    renewal.texts.iter().map(of_text).collect()
}

/// The findings on region variables of which nothing would be left.
fn vanishing(renewal: &Renewal) -> Vec<Finding> {
    let told = |(place, name): &(CommentPlace, String)| {
        let message = format!(
            "Without the dimension that is gone nothing is left of region variable '{name}' that could be written"
        );
        let mut told = Finding::new(&SPECIFICATION_OUT_OF_DATE, place.location.clone(), message);
        told.remark("It stays as it is; the specifications that name it get the inferred region");
        told
    };
    renewal.vanishing.iter().map(told).collect()
}

const OLD: &str = "The uses follow the change of their array, and the specification is still the old one";

/// The findings on specifications of a file that give way to the inferred ones.
fn expanded(
    session: &Session<'_, Check>,
    file: &FileComments,
    judgement: &UseOutcomes<'_>,
    is_renewed: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut old: HashSet<(&Path, LineColumn, &str)> = HashSet::new();
    for (number, comment) in file.comments.iter().enumerate() {
        for claim in comment.claims.iter().filter(|claim| judgement.is_old(comment, claim)) {
            if let Some(read) = claim.read.as_ref().filter(|_| !is_renewed(number)) {
                old.insert((&read.root.path, read.root.start, &read.name));
            }
        }
    }
    if old.is_empty() {
        return Vec::new();
    }
    let Ok(view) = session.project().read(&file.path) else { return Vec::new() };
    let is_old = |root: &Location, name: &str| old.contains(&(root.path.as_path(), root.start, name));
    let result = session.with(|check, context| check.check(&view, context, Some(&is_old)));
    result.findings.iter().filter(|finding| is_about_code(finding)).map(out_of_date).collect()
}

/// Whether a finding says that code and comment differ.
fn is_about_code(finding: &Finding) -> bool {
    let about = [
        &rules::INVALID_DIMENSION,
        &rules::REGION_DIFFERS,
        &rules::OTHER_LOOP_VARIABLE,
        &rules::FIXED_INDEX_DIFFERS,
        &rules::MISSING_READ_ONCE,
        &rules::REPEATED_READ,
        &rules::KIND_DIFFERS,
        &rules::NOT_SPECIFIABLE,
    ];
    about.iter().any(|rule| rule.code == finding.rule.code)
}

fn inferred(finding: &Finding) -> Vec<&str> {
    finding.inferred().collect()
}

fn out_of_date(finding: &Finding) -> Finding {
    let mut told = Finding::new(&SPECIFICATION_OUT_OF_DATE, finding.location.clone(), OLD);
    told.marks = finding.marks.iter().filter(|mark| !mark.is_primary).cloned().collect();
    let inferred = inferred(finding);
    told.fix.clone_from(&finding.fix);
    if inferred.is_empty() {
        told.remark("It is not edited, as no specification can say what is read now");
    } else if told.fix.is_none() {
        told.remark(ELSEWHERE);
    }
    told.notes.extend(inferred.into_iter().map(|text| Note::Inferred(text.to_owned())));
    told
}

/// The changes of the files that findings ask for, by file.
pub fn changes(findings: &[Finding]) -> Vec<(PathBuf, Vec<LineChange>)> {
    let mut by_file: BTreeMap<&PathBuf, Vec<&LineChange>> = BTreeMap::new();
    for finding in findings {
        let changes = finding.fix.iter().flat_map(|fix| &fix.changes);
        by_file.entry(&finding.location.path).or_default().extend(changes);
    }
    let changed = by_file.into_iter().filter(|(_, changes)| !changes.is_empty());
    changed.map(|(path, changes)| (path.clone(), edit::in_turn(changes.into_iter()))).collect()
}
