//! What the analysis says of a program.

use std::collections::BTreeMap;
use std::path::Path;

use camfort_rs::analysis::shapes::{self, ShapeOptions, Shapes};
use camfort_rs::analysis::{RULES, Session, analyse};
use camfort_rs::diagnostics::Levels;
use camfort_rs::solve::Procedure;
use camfort_rs::workspace::{Project, SourceOptions};

use super::program::Counting;

/// What became of the demands of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    Holds,
    Fails,
    Contradicts,
    OnlyIf,
    Assumed,
    Unreachable,
    Undecided,
}

/// A demand of a statement.
#[derive(Debug)]
pub struct Demand {
    /// What it demands.
    pub text: String,
    /// Whether it does not hold for all values.
    pub is_open: bool,
}

/// A statement with its demands.
#[derive(Debug)]
pub struct Verdict {
    pub word: Word,
    /// The demand that fails, if it is one.
    failing: Option<usize>,
    pub demands: Vec<Demand>,
}

impl Demand {
    /// The line of a called procedure that demands it.
    fn of_procedure(&self) -> Option<usize> {
        let (_, rest) = self.text.split_once("A021: ")?;
        let (_, rest) = rest.split_once("(line ")?;
        rest.split(')').next()?.parse().ok()
    }
}

impl Verdict {
    /// The demands because of which the statement is certain to fail.
    fn guilty(&self) -> impl Iterator<Item = &Demand> {
        let is_certain = matches!(self.word, Word::Fails | Word::Contradicts | Word::OnlyIf);
        let numbered = self.demands.iter().enumerate().filter(move |_| is_certain);
        let is_guilty = |number: usize| self.failing.is_none_or(|failing| failing == number);
        numbered.filter(move |(number, one)| one.is_open && is_guilty(*number)).map(|(_, demand)| demand)
    }
}

/// What is said of a program.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// The statements that demand something, by line.
    pub of: BTreeMap<usize, Verdict>,
    /// Under what the lines that are certain to fail count as reached: an equality that is told does not hold, what
    /// fails in a called procedure is reached.
    pub counting: BTreeMap<usize, Counting>,
    /// The examples of what may fail: values of `n`, `m`, `k` and `t`, by line.
    pub examples: BTreeMap<usize, [i64; 4]>,
    /// All that is told, for a person.
    pub told: Vec<String>,
}

/// Analyses a program.
pub fn verdicts(text: &str, name: &str) -> Verdicts {
    let path = Path::new(name).with_extension("f90");
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(&path, text.as_bytes());
    assert!(view.not_understood().is_empty(), "{:?}\n{text}", view.not_understood());
    let options = ShapeOptions { solver: Procedure::Z3, possible: true, rules: RULES, levels: Levels::default() };
    let session = Session::<Shapes>::new(&project, options.clone());
    let dump = session.with(|_, context| shapes::dump(&view, &context.summaries, Procedure::Z3));
    let mut found = Verdicts { of: of_dump(&dump), ..Verdicts::default() };
    for (line, verdict) in &found.of {
        let lines = verdict.guilty().filter_map(|demand| demand.of_procedure()).collect();
        found.counting.insert(*line, Counting { condition: None, lines });
    }
    for finding in analyse::<Shapes>(&view, options).findings {
        let line = finding.location.start.line as usize;
        found.told.push(format!("{line} {}: {}", finding.rule.code, finding.message));
        if let Some(condition) = unequal(&finding.message) {
            found.counting.entry(line).or_default().condition = Some(condition);
        }
        found.examples.extend(example(&finding.message).map(|sizes| (line, sizes)));
    }
    found
}

/// The statements of `debug obligations`.
fn of_dump(dump: &str) -> BTreeMap<usize, Verdict> {
    let mut found = BTreeMap::new();
    let mut line = 0;
    for text in dump.lines() {
        if let Some((number, verdict)) = text.strip_prefix("line ").and_then(|text| text.split_once(": ")) {
            line = number.parse().expect("a line");
            let word = match verdict.split(' ').next() {
                Some("holds") => Word::Holds,
                Some("fails") => Word::Fails,
                Some("contradicts") => Word::Contradicts,
                Some("only") => Word::OnlyIf,
                Some("assumed") => Word::Assumed,
                Some("unreachable") => Word::Unreachable,
                Some("undecided") => Word::Undecided,
                other => panic!("{other:?} is no verdict"),
            };
            let failing = verdict.strip_prefix("fails (demand ").and_then(|text| text.strip_suffix(')'));
            let failing = failing.and_then(|number| number.parse::<usize>().ok()).map(|number| number - 1);
            found.insert(line, Verdict { word, failing, demands: Vec::new() });
        } else if let (Some(text), Some(of)) = (text.strip_prefix("  "), found.get_mut(&line)) {
            let is_open = text.ends_with("[open]");
            of.demands.push(Demand { text: text.to_owned(), is_open });
        }
    }
    found
}

/// The condition under which the equality of a message does not hold.
fn unequal(message: &str) -> Option<String> {
    let rest = message.strip_prefix("Right only if the extent")?;
    let (_, rest) = rest.split_once('\'')?;
    let (array, rest) = rest.split_once('\'')?;
    let numbers: Vec<&str> =
        rest.split(':').next()?.split(|one: char| !one.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    match numbers.as_slice() {
        [one, other] if rest.contains("are equal") => Some(format!("size({array}, {one}) /= size({array}, {other})")),
        [one, other, slack] if rest.contains("differ by at most") => {
            Some(format!("abs(size({array}, {one}) - size({array}, {other})) > {slack}"))
        }
        [one, _] => Some(format!("size({array}, {one}) /= 1")),
        _ => None,
    }
}

/// The values of an example, if it speaks of arguments only.
fn example(message: &str) -> Option<[i64; 4]> {
    let values = message.strip_prefix("May fail for ")?.split(": ").next()?;
    let mut sizes = [3, 3, 3, 1];
    for value in values.split(", ") {
        let (name, number) = value.split_once(" = ")?;
        let at = ["n", "m", "k", "t"].into_iter().position(|one| one == name)?;
        sizes[at] = number.parse().ok()?;
    }
    Some(sizes)
}
