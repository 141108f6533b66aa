//! Each file of `tests/fixtures/survey` states the classes of its array computations: `!~ ARRAY key=value …` above an
//! assignment, one line for each array that flows to it. A file is named after the class that it shows, with `times`
//! for `*`. Blanks are written as `_`. One that begins with `! --paper` is surveyed as the paper does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::infer::Reason;
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::analysis::survey::render::tables::{StudyTables, Whole};
use camfort_rs::analysis::survey::{
    Action, ArrayRow, Assignment, Contiguity, Counts, LeftClass, Position, Relation, Reuse, RightClass,
    SpecificationOutcome,
};
use camfort_rs::analysis::survey::{Survey, SurveyOptions};
use camfort_rs::workspace::{Project, SourceOptions};

mod common;
use common::{fortran_files, root};

fn fixtures() -> Vec<PathBuf> {
    fortran_files(&root().join("tests/fixtures/survey"))
}

/// Everything that can be stated of a computation.
fn facts(assignment: &Assignment, row: &ArrayRow) -> BTreeMap<&'static str, String> {
    let category = row.category;
    let or_dash = |name: Option<&str>| name.unwrap_or("-").to_owned();
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let first = row.specifications.first();
    let facts = [
        ("left", category.left.name().to_owned()),
        ("right", category.right.name().to_owned()),
        ("contiguity", or_dash(category.contiguity.map(Contiguity::name))),
        ("position", or_dash(category.position.map(Position::name))),
        ("reuse", or_dash(category.reuse.map(Reuse::name))),
        ("relation", or_dash(category.relation.map(Relation::name))),
        ("relativised", yes(category.relativised)),
        ("dims", row.dimensionality.to_string()),
        ("refs", row.subscripts.to_string()),
        ("flow", assignment.flow_length.to_string()),
        ("shape", or_dash(row.shape.as_deref())),
        ("outcome", row.outcome.name().to_owned()),
        ("action", or_dash(first.map(|class| class.action.name()))),
        ("products", or_dash(first.map(|class| class.products.to_string()).as_deref())),
        ("sums", or_dash(first.map(|class| class.sums.to_string()).as_deref())),
        ("hole", or_dash(first.map(|class| yes(class.has_hole)).as_deref())),
    ];
    facts.into_iter().map(|(key, value)| (key, value.replace(' ', "_"))).collect()
}

/// The statements above a line: the array, and what is said of it.
fn stated<'t>(lines: &[&'t str], line: u32) -> BTreeMap<&'t str, Vec<(&'t str, &'t str)>> {
    let above = lines[..line as usize - 1].iter().rev();
    let marked = above.map_while(|line| line.trim().strip_prefix("!~ "));
    let statement = |text: &'t str| {
        let mut words = text.split_whitespace();
        let array = words.next().unwrap();
        (array, words.map(|word| word.split_once('=').unwrap()).collect())
    };
    marked.map(statement).collect()
}

fn check(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let project = Project::load(&[path.to_path_buf()], SourceOptions::default());
    let paper = lines.first() == Some(&"! --paper");
    let survey = analyse::<Survey>(&project.view(path, text.as_bytes()), SurveyOptions { paper });
    let mut wrong = Vec::new();
    let mut met = 0;
    for assignment in &survey.assignments {
        let stated = stated(&lines, assignment.line);
        met += stated.len();
        let arrays: Vec<&str> = assignment.arrays.iter().map(|row| row.array.as_str()).collect();
        let mut expected: Vec<&str> = stated.keys().copied().collect();
        expected.sort_by_key(|array| arrays.iter().position(|other| other == array));
        if arrays != expected {
            wrong.push(format!("{}:{}: {arrays:?} are read, stated are {expected:?}", path.display(), assignment.line));
            continue;
        }
        for row in &assignment.arrays {
            let facts = facts(assignment, row);
            for (key, value) in &stated[row.array.as_str()] {
                if facts.get(key).map(String::as_str) != Some(*value) {
                    let line = assignment.line;
                    wrong.push(format!("{}:{line}: {key}={value} stated of {facts:?}", path.display()));
                }
            }
        }
    }
    let marked = lines.iter().filter(|line| line.trim().starts_with("!~ ")).count();
    if met != marked {
        wrong.push(format!("{}: {marked} statements, {met} stand above computations", path.display()));
    }
    wrong
}

#[test]
fn classes_are_as_stated() {
    let wrong: Vec<String> = fixtures().iter().flat_map(|path| check(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every class has a file that states it.
#[test]
fn every_class_has_a_fixture() {
    let mut classes: Vec<(&str, &str)> = Vec::new();
    classes.extend(LeftClass::ALL.iter().map(|class| ("left", class.name())));
    classes.extend(RightClass::ALL.iter().map(|class| ("right", class.name())));
    classes.extend(Contiguity::ALL.iter().map(|class| ("contiguity", class.name())));
    classes.extend(Position::ALL.iter().map(|class| ("position", class.name())));
    classes.extend(Reuse::ALL.iter().map(|class| ("reuse", class.name())));
    classes.extend(Relation::ALL.iter().map(|class| ("relation", class.name())));
    classes.extend(Action::ALL.iter().map(|class| ("action", class.name())));
    // A lower bound alone is what is left when the search for an upper one is given up. Whether an included file may be
    // edited is no matter of the study.
    let is_elsewhere = |&outcome: &SpecificationOutcome| {
        matches!(outcome, SpecificationOutcome::AtLeast | SpecificationOutcome::Nothing(Reason::InsideInclude))
    };
    let outcomes = SpecificationOutcome::all().filter(|outcome| !is_elsewhere(outcome));
    classes.extend(outcomes.map(|outcome| ("outcome", outcome.name())));
    let files = fixtures();
    for (key, name) in classes {
        // Every file system takes these.
        let parts = [("*", "product"), (" +", " sum"), ("+", "-and-"), (", ", "-"), (" ", "-")];
        let stem = parts.iter().fold(format!("{key}-{name}"), |stem, (from, to)| stem.replace(from, to));
        let path = files.iter().find(|path| path.file_stem().is_some_and(|other| *other == *stem));
        let text = std::fs::read_to_string(path.unwrap_or_else(|| panic!("no fixture {stem}"))).unwrap();
        let statement = format!(" {key}={}", name.replace(' ', "_"));
        assert!(text.split_whitespace().any(|word| word == statement.trim()), "{stem} does not state its class");
    }
}

/// The classification agrees with inference: the same computations, the same specifications, the same reasons.
#[test]
fn the_study_counts_what_inference_says() {
    let files: Vec<PathBuf> = ["corpus", "tests/fixtures/infer", "tests/fixtures/reasons"]
        .iter()
        .flat_map(|folder| fortran_files(&root().join(folder)))
        .collect();
    assert!(files.len() > 60, "{} files", files.len());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let project = Project::load(std::slice::from_ref(&path), SourceOptions::default());
        let view = project.view(&path, bytes);
        let inferred = analyse::<Infer>(&view, InferOptions::default()).inference.computations;
        let survey = analyse::<Survey>(&view, SurveyOptions::default());
        let roots: Vec<&Assignment> = survey.assignments.iter().filter(|assignment| assignment.is_root).collect();
        assert_eq!(roots.len(), inferred.len(), "{}", path.display());
        for (root, computation) in roots.iter().zip(&inferred) {
            let reasons = |name: &str| computation.unspecified.iter().filter(|one| one.reason.name() == name).count();
            for outcome in
                SpecificationOutcome::all().filter(|outcome| matches!(outcome, SpecificationOutcome::Nothing(_)))
            {
                let counted = root.arrays.iter().filter(|row| row.outcome == outcome).count();
                assert_eq!(counted, reasons(outcome.name()), "{}:{}", path.display(), root.line);
            }
            let specified: usize = computation.specifications.iter().map(|one| one.variables.len()).sum();
            let counted: usize = root.arrays.iter().map(|row| row.specifications.len()).sum();
            assert_eq!(counted, specified, "{}:{}", path.display(), root.line);
        }
    }
}

/// Whatever a file holds, it has a survey, whose tables add up.
#[test]
fn every_file_has_a_survey() {
    let files = fortran_files(&root().join("tests/fixtures"));
    assert!(files.len() > 150, "{} files", files.len());
    let project = Project::load(&files, SourceOptions::default());
    for path in files {
        let counts = Counts::of_file(&analyse::<Survey>(&project.read(&path).unwrap(), SurveyOptions::default()));
        assert_eq!(counts.outcomes.values().sum::<u64>(), counts.computations(), "{}", path.display());
        assert_eq!(
            counts.arrays.iter().map(|(&arrays, count)| u64::from(arrays) * count).sum::<u64>(),
            counts.computations()
        );
        assert!(counts.sizes.understood_files <= 1 && counts.sizes.physical_lines <= counts.sizes.raw_lines);
        for table in StudyTables::new(&counts).tables {
            let whole = match table.whole {
                Whole::Computations => counts.computations(),
                Whole::Assignments => counts.assignments,
                Whole::Specifications => counts.specifications.values().sum(),
            };
            assert_eq!(table.total, whole, "{} of {}", table.id, path.display());
        }
    }
}
