//! What is said of a program, held against its runs.

use std::collections::{BTreeMap, BTreeSet};

use super::run::Run;
use super::verdicts::{Demand, Verdicts, Word};

/// What is counted of statements with one verdict.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    /// All of them.
    pub statements: usize,
    /// Those that some run reached, so that something was seen of them.
    pub reached: usize,
    /// Those that some run did not survive.
    pub aborted: usize,
}

/// What came of programs.
#[derive(Default, Debug)]
pub struct Figures {
    /// The programs that were run.
    pub programs: usize,
    /// Those that gfortran refuses.
    pub refused: usize,
    /// The runs.
    pub runs: usize,
    /// Of these, those that were aborted.
    pub aborted_runs: usize,
    /// Statements by verdict.
    pub of: BTreeMap<Word, Count>,
    /// Examples of what may fail that were run, and those of them that failed where it was told.
    pub examples: (usize, usize),
    /// Everything that is not as it is said.
    pub disagreements: Vec<String>,
}

/// Holds the verdicts on a program against its runs; `joined` are the lines of which the next one is a part.
pub fn judge(
    verdicts: &Verdicts,
    joined: &BTreeSet<usize>,
    runs: &[([i64; 4], Run)],
    figures: &mut Figures,
) -> Vec<String> {
    let mut wrong = BTreeSet::new();
    figures.programs += 1;
    for (sizes, run) in runs {
        figures.runs += 1;
        figures.aborted_runs += usize::from(run.aborted.is_some());
        wrong.extend(disagreements(verdicts, joined, run).into_iter().map(|what| format!("{what} with {sizes:?}")));
    }
    for (line, verdict) in &verdicts.of {
        let count = figures.of.entry(verdict.word).or_default();
        count.statements += 1;
        count.reached += usize::from(runs.iter().any(|(_, run)| run.seen.contains(line)));
        let is_aborted = |run: &Run| run.aborted.as_ref().is_some_and(|(at, _)| at == line);
        count.aborted += usize::from(runs.iter().any(|(_, run)| is_aborted(run)));
    }
    wrong.into_iter().collect()
}

fn disagreements(verdicts: &Verdicts, joined: &BTreeSet<usize>, run: &Run) -> Vec<String> {
    let mut wrong = Vec::new();
    for (line, verdict) in &verdicts.of {
        match verdict.word {
            Word::Fails | Word::Contradicts | Word::OnlyIf if run.finished.contains(line) => {
                let has_condition = verdicts.counting.get(line).is_some_and(|counting| counting.condition.is_some());
                let is_told = verdict.word != Word::OnlyIf || has_condition;
                if is_told {
                    wrong.push(format!("line {line}: {:?}, but it does not fail", verdict.word));
                }
            }
            Word::Unreachable if run.seen.contains(line) => wrong.push(format!("line {line}: reached")),
            Word::Fails
            | Word::Contradicts
            | Word::OnlyIf
            | Word::Unreachable
            | Word::Holds
            | Word::Assumed
            | Word::Undecided => {}
        }
    }
    if let Some((line, said)) = &run.aborted {
        let lines = *line..=line + usize::from(joined.contains(line));
        let demands: Vec<&Demand> =
            lines.filter_map(|line| verdicts.of.get(&line)).flat_map(|verdict| &verdict.demands).collect();
        let word = verdicts.of.get(line).map(|verdict| verdict.word);
        if !demands.iter().any(|demand| demand.is_open) {
            wrong.push(format!("line {line}: {word:?}, but it fails: {said}"));
        } else if let Some((dimension, array)) = subscript(said) {
            let own = [format!("subscript {dimension} of '{array}("), format!("subscript {dimension} of '{array}'")];
            let mut of_it = demands.iter().filter(|one| own.iter().any(|own| one.text.contains(own)));
            if !of_it.any(|demand| demand.is_open) {
                wrong.push(format!("line {line}: that subscript holds, but it fails: {said}"));
            }
        }
    }
    wrong
}

/// The dimension and the array of which gfortran says that a subscript is out of bounds.
fn subscript(said: &str) -> Option<(&str, &str)> {
    let (_, rest) = said.split_once("of dimension ")?;
    let (dimension, rest) = rest.split_once(" of array '")?;
    let (array, _) = rest.split_once('\'')?;
    // Of one with a descriptor gfortran says the name of that.
    Some((dimension, array.split('.').next().unwrap_or(array)))
}
