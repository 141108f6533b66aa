//! The comments that a change of layouts makes old, and their new texts.
//!
//! Two ways lead to a new text. A region variable gets a new declaration if all that is connected to it follows the same change
//! ([`guard::renewals`]) and if everything holds on the changed text. Every other specification whose uses follow gives way to the inferred
//! one, which is what `check` would write. What belongs to code that stands elsewhere is told, not edited.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::base::Program;
use super::terminal::Terminal;
use crate::analysis::guard::affected::Words;
use crate::analysis::guard::{self, Comparison, FileComments, Judgement, NewText, Renewal, Snapshot};
use crate::diagnostics::edit::{self, LineChange};
use crate::diagnostics::render::summary::counted;
use crate::diagnostics::{Finding, Fix, Location, rules};
use crate::source::LineColumn;
use crate::workspace::{FileReader, Project, ProjectOptions};

/// G007: the comments that are old although the uses that they speak of follow.
pub fn comments(project: &Project, program: &Program, now: &Snapshot, comparison: &Comparison) -> Vec<Finding> {
    let judgement = Judgement::of(comparison);
    let listed = listed(program, now, comparison);
    let mut files: Vec<FileComments> = listed.par_iter().filter_map(|path| described(project, path)).collect();
    let own = files.len();
    add_sharing(&mut files, program, &judgement);
    let renewals = guard::renewals(&files, &judgement);
    let (made, not_made) = verified(program, &files, renewals);
    let renewed: HashSet<(usize, usize)> = made.iter().flat_map(|renewal| &renewal.comments).copied().collect();
    let mut found: Vec<Finding> = made.iter().flat_map(of_renewal).collect();
    found.extend(not_made.iter().flat_map(vanishing));
    let of_file = |(number, file): (usize, &FileComments)| {
        let is_renewed = |comment: usize| renewed.contains(&(number, comment));
        expanded(project, file, &judgement, &is_renewed)
    };
    found.extend(files[..own].par_iter().enumerate().flat_map_iter(of_file).collect::<Vec<_>>());
    // What is included in several files is told once.
    found.sort_by(|one, other| {
        let key = |finding: &Finding| {
            (finding.location.clone(), finding.message.clone(), finding.inferred.clone(), finding.fix.is_none())
        };
        key(one).cmp(&key(other))
    });
    let text = |finding: &Finding| (finding.location.clone(), finding.message.clone(), finding.inferred.clone());
    found.dedup_by(|one, other| text(one) == text(other));
    found
}

/// The files of the units in which a use was judged.
fn listed(program: &Program, now: &Snapshot, comparison: &Comparison) -> Vec<PathBuf> {
    let uses = comparison.arrays.iter().flat_map(|array| &array.uses);
    let paths: HashSet<PathBuf> = uses.filter_map(|used| Some(used.statement.0.location()?.path)).collect();
    let is_listed = |unit: &&guard::snapshot::Unit| {
        let mut statements = unit.statements.iter();
        statements.any(|statement| statement.place.location().is_some_and(|at| paths.contains(&at.path)))
    };
    let names: HashSet<&str> = now.units.iter().filter(is_listed).map(|unit| unit.file.as_str()).collect();
    let files = program.files.iter().filter(|file| names.contains(file.name.as_str()));
    files.map(|file| file.path.clone()).collect()
}

/// What the comments of a file say.
fn described(project: &Project, path: &Path) -> Option<FileComments> {
    let bytes = project.options().reader.read(path).ok()?;
    Some(project.comments_of_file(path, &bytes))
}

/// Adds the other files that name a region variable which is exported and may have to change.
fn add_sharing(files: &mut Vec<FileComments>, program: &Program, judgement: &Judgement<'_>) {
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
    let project = Project::load(&program.paths(), program.options.clone());
    let words = |path: &PathBuf| program.options.reader.read(path).map(|bytes| Words::of(&bytes)).unwrap_or_default();
    let there: HashSet<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let mut left: Vec<(PathBuf, Words)> = program
        .paths()
        .into_par_iter()
        .filter(|path| !there.contains(path))
        .map(|path| {
            let words = words(&path);
            (path, words)
        })
        .collect();
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
        let more: Vec<FileComments> = naming.par_iter().filter_map(|(path, _)| described(&project, path)).collect();
        files.extend(more);
        left = others;
    }
}

/// The renewals after which every comment concerned holds, on the changed text; and the others.
fn verified(program: &Program, files: &[FileComments], renewals: Vec<Renewal>) -> (Vec<Renewal>, Vec<Renewal>) {
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
    let reader = &program.options.reader;
    let changed: HashMap<PathBuf, Vec<u8>> = changes
        .into_iter()
        .filter_map(|(path, changes)| {
            Some((path.to_path_buf(), edit::change(&reader.read(path).ok()?, &edit::in_turn(changes.iter()))))
        })
        .collect();
    let original = reader.clone();
    let read = move |path: &Path| changed.get(path).map_or_else(|| original.read(path), |bytes| Ok(bytes.clone()));
    let options = ProjectOptions { reader: FileReader::new(read), ..program.options.clone() };
    let project = Project::load(&program.paths(), options);
    let concerned: BTreeSet<usize> =
        possible.iter().flat_map(|renewal| &renewal.comments).map(|(file, _)| *file).collect();
    let after: HashMap<usize, FileComments> =
        concerned.into_par_iter().filter_map(|file| Some((file, described(&project, &files[file].path)?))).collect();
    let holds = |(file, comment): &(usize, usize)| {
        let after = after.get(file).filter(|after| after.comments.len() == files[*file].comments.len());
        after.is_some_and(|after| after.comments[*comment].claims.iter().all(|claim| claim.holds))
    };
    let (made, failed): (Vec<Renewal>, Vec<Renewal>) =
        possible.into_iter().partition(|renewal| renewal.comments.iter().all(holds));
    (made, not_made.into_iter().chain(failed).collect())
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
        let mut told = Finding::new(&rules::SPECIFICATION_OUT_OF_DATE, text.place.location.clone(), message);
        told.inferred = vec![text.text.clone()];
        match (&text.place.lines, is_edited) {
            (Some(lines), true) => {
                let changes = vec![lines.instead(std::slice::from_ref(&text.text))];
                told.fix = Some(Fix { description: "Renumber the dimensions".to_owned(), changes });
            }
            _ if is_editable(text) => {
                told.notes.push("It is not edited, as something else that must change with it can't be".to_owned());
            }
            _ => told.notes.push(ELSEWHERE.to_owned()),
        }
        told
    };
    renewal.texts.iter().map(of_text).collect()
}

/// The findings on region variables of which nothing would be left.
fn vanishing(renewal: &Renewal) -> Vec<Finding> {
    let told = |(place, name): &(guard::CommentPlace, String)| {
        let message = format!(
            "Without the dimension that is gone nothing is left of region variable '{name}' that could be written"
        );
        let mut told = Finding::new(&rules::SPECIFICATION_OUT_OF_DATE, place.location.clone(), message);
        told.notes.push("It stays as it is; the specifications that name it get the inferred region".to_owned());
        told
    };
    renewal.vanishing.iter().map(told).collect()
}

const OLD: &str = "The uses follow the change of their array, and the specification is still the old one";

/// The findings on specifications of a file that give way to the inferred ones.
fn expanded(
    project: &Project,
    file: &FileComments,
    judgement: &Judgement<'_>,
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
    let Ok(bytes) = project.options().reader.read(&file.path) else { return Vec::new() };
    let is_old = |root: &Location, name: &str| old.contains(&(root.path.as_path(), root.start, name));
    let result = project.check_arrays(&file.path, &bytes, &is_old);
    result.findings.iter().filter(|finding| is_about_code(finding)).map(out_of_date).collect()
}

/// Whether a finding says that code and comment differ.
fn is_about_code(finding: &Finding) -> bool {
    let about = [
        &rules::INVALID_DIMENSION,
        &rules::REGION_DIFFERS,
        &rules::MISSING_READ_ONCE,
        &rules::REPEATED_READ,
        &rules::KIND_DIFFERS,
        &rules::NOT_SPECIFIABLE,
    ];
    about.iter().any(|rule| rule.code == finding.rule.code)
}

fn out_of_date(finding: &Finding) -> Finding {
    let mut told = Finding::new(&rules::SPECIFICATION_OUT_OF_DATE, finding.location.clone(), OLD);
    told.related = finding.related.iter().filter(|related| !related.to_blame).cloned().collect();
    told.inferred.clone_from(&finding.inferred);
    told.fix.clone_from(&finding.fix);
    if told.inferred.is_empty() {
        told.notes.push("It is not edited, as no specification can say what is read now".to_owned());
    } else if told.fix.is_none() {
        told.notes.push(ELSEWHERE.to_owned());
    }
    told
}

/// What was done with the files.
#[derive(Default)]
pub struct Applied {
    /// How many were changed, or would be.
    pub files: usize,
    /// Whether one could not be changed.
    pub failed: bool,
}

/// Makes the changes, or shows them. What can't be written is said, and the other files are.
pub fn apply(
    project: &Project,
    comments: &[Finding],
    only_show: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<Applied> {
    let mut by_file: BTreeMap<&PathBuf, Vec<&LineChange>> = BTreeMap::new();
    for finding in comments {
        let changes = finding.fix.iter().flat_map(|fix| &fix.changes);
        by_file.entry(&finding.location.path).or_default().extend(changes);
    }
    let mut applied = Applied::default();
    for (path, changes) in by_file.into_iter().filter(|(_, changes)| !changes.is_empty()) {
        match change(project, path, &edit::in_turn(changes.into_iter()), only_show) {
            Ok(shown) => {
                terminal.print(&shown)?;
                applied.files += 1;
            }
            Err(error) => {
                terminal.note(&format!("error: {error:#}"));
                applied.failed = true;
            }
        }
    }
    Ok(applied)
}

/// Makes the changes of one file: them as a diff.
fn change(project: &Project, path: &Path, changes: &[LineChange], only_show: bool) -> anyhow::Result<Vec<u8>> {
    let original = project.options().reader.read(path)?;
    let fixed = edit::change(&original, changes);
    if !edit::is_change_of(&fixed, &original, changes) || !project.are_same_program(path, &original, &fixed) {
        anyhow::bail!("'{}' is left as it is: fixing would change the program (please report this)", path.display());
    }
    if !only_show {
        edit::write_atomically(path, &original, &fixed)?;
    }
    Ok(edit::unified_diff(path, &original, &fixed))
}

/// What was done.
pub fn closing(files: usize, only_show: bool) -> String {
    match (files, only_show) {
        (0, _) => "no specification to rewrite".to_owned(),
        (_, true) => format!("{} would be rewritten", counted(files, "file")),
        (_, false) => format!("{} rewritten", counted(files, "file")),
    }
}
