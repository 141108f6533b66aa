//! What is said of a program, held against its runs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::evaluate::{Environment, Truth, holds};
use super::program::Program;
use super::run::{End, Run};

/// What came of programs.
#[derive(Default, Debug)]
pub struct Figures {
    pub programs: usize,
    pub runs: usize,
    /// Runs that ended in a way that says nothing.
    pub other: usize,
    pub failing: usize,
    /// Runs in which an exact requirement is false.
    pub broken: usize,
    /// Those of them that fail.
    pub broken_failing: usize,
    /// Runs in which an exact requirement is false at the place where they fail.
    pub found_at: usize,
    /// Runs in which only one that is approximate is false; those of them that fail.
    pub approximate: (usize, usize),
    /// Requirements that are exact, approximate, undecided.
    pub requirements: (usize, usize, usize),
    /// Runs that reached a call, or procedure, that is said to fail always.
    pub certain: usize,
    /// Everything that is not as it is said.
    pub disagreements: Vec<String>,
}

/// What is said of a program.
pub struct Said<'r> {
    /// What is listed of the procedure that is tried.
    pub procedure: &'r Value,
    /// Lines of the file where some procedure has a requirement that is approximate, or was given up.
    pub approximate: BTreeSet<usize>,
    /// Calls that always stop the program, and procedures that never return.
    pub certain: BTreeMap<usize, String>,
}

/// What is said of the program in a list of all procedures and findings.
pub fn said<'r>(listed: &'r Value, program: &Program) -> Said<'r> {
    let of_file = |one: &&Value| one["path"] == *program.file();
    let all = |part: &str| listed[part].as_array().into_iter().flatten().filter(of_file);
    let procedure = all("procedures").find(|one| one["procedure"] == *program.name);
    let procedure = procedure.unwrap_or_else(|| panic!("{} is not listed", program.name));
    let mut approximate = BTreeSet::new();
    for one in all("procedures") {
        let open = one["requirements"].as_array().into_iter().flatten().filter(|one| one["exact"] != true);
        approximate.extend(open.chain(one["undecided"].as_array().into_iter().flatten()).map(line));
    }
    let certain = all("findings").filter(|one| one["code"] == "R001" || one["code"] == "R002");
    let certain = certain.map(|one| (number(&one["span"]["start"]["line"]), one["code"].to_string())).collect();
    Said { procedure, approximate, certain }
}

fn number(value: &Value) -> usize {
    value.as_u64().map_or(0, |value| value as usize)
}

fn line(requirement: &Value) -> usize {
    number(&requirement["at"]["line"])
}

impl Figures {
    /// Counts what is said of a program.
    pub fn count(&mut self, said: &Said<'_>) {
        self.programs += 1;
        for requirement in said.procedure["requirements"].as_array().into_iter().flatten() {
            match requirement["exact"] == true {
                true => self.requirements.0 += 1,
                false => self.requirements.1 += 1,
            }
        }
        self.requirements.2 += said.procedure["undecided"].as_array().map_or(0, Vec::len);
    }

    /// Holds what is said against a run; what is wrong.
    pub fn judge(&mut self, said: &Said<'_>, environment: &Environment, run: &Run) -> Vec<String> {
        self.runs += 1;
        let failing = match run.end {
            End::Normal => None,
            End::At(line) => Some(line),
            End::Other(_) => {
                self.other += 1;
                return Vec::new();
            }
        };
        // Where a procedure never returns, the place is the call of it.
        let mut places: BTreeSet<usize> = failing.into_iter().collect();
        if failing.is_some() {
            places.extend(&run.reached);
        }
        let mut wrong = Vec::new();
        let (mut exact, mut approximate, mut at_place) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for requirement in said.procedure["requirements"].as_array().into_iter().flatten() {
            let (truth, is_exact) = (holds(&requirement["condition"], environment), requirement["exact"] == true);
            if places.contains(&line(requirement)) {
                at_place.push(is_exact);
            }
            match (truth, is_exact) {
                (Truth::False, true) => exact.insert(line(requirement)),
                (Truth::False, false) => approximate.insert(line(requirement)),
                (Truth::Unknown, true) => {
                    wrong.push(format!("the exact one at {} has no value: {}", line(requirement), requirement["text"]));
                    false
                }
                (Truth::True, _) | (Truth::Unknown, false) => false,
            };
        }
        let fails = failing.is_some();
        self.failing += usize::from(fails);
        self.broken += usize::from(!exact.is_empty());
        self.broken_failing += usize::from(!exact.is_empty() && fails);
        if exact.is_empty() && !approximate.is_empty() {
            self.approximate.0 += 1;
            self.approximate.1 += usize::from(fails);
        }
        match failing {
            None if !exact.is_empty() => wrong.push(format!("exact ones at {exact:?} are false, but it does not fail")),
            Some(_) if !exact.is_disjoint(&places) => self.found_at += 1,
            Some(line) if at_place.iter().all(|is_exact| *is_exact) && said.approximate.is_disjoint(&places) => {
                let what = if at_place.is_empty() { "nothing is required" } else { "exact ones hold" };
                wrong.push(format!("it fails at {line}, where {what}"));
            }
            None | Some(_) => {}
        }
        for (line, code) in said.certain.iter().filter(|(line, _)| run.reached.contains(line)) {
            self.certain += 1;
            if !fails {
                wrong.push(format!("{code} at {line} was reached, but it does not fail"));
            }
        }
        wrong
    }
}
