//! `requires` against programs that run: random programs that check what they are given are compiled by gfortran and
//! run with several values, and what the analysis says is required must be what decides whether they fail.
//!
//! A procedure gets its values as arguments and module variables, or by a namelist. Each failing statement reports its
//! line. Held are: where an exact requirement is false, the program fails; where the program fails and all that
//! is said of this place is exact, a requirement of this place is false; a call that is said to stop the program always
//! does.
//!
//! By default some programs are tried; `CAMFORT_REQUIRES=N` tries N of them, `CAMFORT_SEED=N` begins with another one,
//! `CAMFORT_SHOW=1` prints the programs with what is wrong.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the figures are a result of their own")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../requires/evaluate.rs"]
mod evaluate;
mod expressions;
mod generate;
mod judge;
mod program;
#[path = "../oracle/random.rs"]
mod random;
mod run;
mod statements;

use common::{Folder, gfortran_is_there};
use evaluate::Environment;
use judge::{Figures, said};
use program::Program;
use random::Random;
use serde_json::Value;

/// How many programs are compiled together.
const TOGETHER: u64 = 20;
/// How many values each program is run with.
const VALUES: usize = 8;
/// The procedures that stop the program and are not among the files.
const FATAL: &str = r#"requires.fatal = ["oracle_fatal", "oracle_report(2 = 3)"]"#;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn what_is_required_decides_whether_programs_fail() {
    if !gfortran_is_there() {
        return;
    }
    let (first, programs) = (setting("CAMFORT_SEED").unwrap_or(0), setting("CAMFORT_REQUIRES").unwrap_or(60));
    let mut figures = Figures::default();
    for start in (first..first + programs).step_by(TOGETHER as usize) {
        together(start..(start + TOGETHER).min(first + programs), &mut figures);
    }
    print(&figures);
    assert!(figures.disagreements.is_empty(), "{}", figures.disagreements.join("\n\n"));
    assert!(figures.failing * 5 >= figures.runs, "only {} runs fail: they say little", figures.failing);
    assert!(figures.found_at * 10 >= figures.failing * 7, "only {} failures are found", figures.found_at);
}

/// Tries programs that are analysed and compiled together.
fn together(seeds: std::ops::Range<u64>, figures: &mut Figures) {
    let programs: Vec<Program> = seeds.clone().map(|seed| generate::program(seed, &format!("case{seed}"))).collect();
    let texts: Vec<(String, String)> = programs.iter().map(|program| (program.file(), program.text())).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    let mut arguments = vec!["requires", "--format", "json", "--config", FATAL];
    arguments.extend(files.iter().map(|(name, _)| *name));
    let listed: Value = serde_json::from_str(&folder.run(&arguments).output).unwrap();
    let executable = run::compile(&programs, &folder.path(".")).unwrap_or_else(|said| panic!("{said}"));
    for ((program, seed), number) in programs.iter().zip(seeds).zip(1..) {
        let said = said(&listed, program);
        figures.count(&said);
        let mut random = Random(seed ^ 0x5DEE_CE66);
        let mut wrong: Vec<String> = Vec::new();
        for _ in 0..VALUES {
            let (valuation, input) = program.valuation(&mut random);
            let environment = Environment::new(&program.described(), &valuation);
            let run = run::run(&executable, number, &input);
            let here = figures.judge(&said, &environment, &run);
            wrong.extend(here.into_iter().map(|wrong| format!("{wrong}\n  with {valuation}, it ended {:?}", run.end)));
        }
        if !wrong.is_empty() {
            figures.disagreements.push(format!(
                "{}:\n{}{}",
                program.name,
                wrong.join("\n"),
                shown(program, said.procedure)
            ));
        }
    }
}

/// A program with its requirements, if that is asked.
fn shown(program: &Program, procedure: &Value) -> String {
    let mut text = String::new();
    if std::env::var_os("CAMFORT_SHOW").is_some() {
        for one in procedure["requirements"].as_array().unwrap() {
            let word = if one["exact"] == true { "exact" } else { "approx." };
            text += &format!("\n  {}: {word} {}", one["at"]["line"], one["text"]);
        }
        for (line, number) in program.text().lines().zip(1..) {
            text += &format!("\n{number:4} {line}");
        }
    }
    text
}

fn print(figures: &Figures) {
    let Figures { programs, runs, other, failing, broken, broken_failing, found_at, .. } = figures;
    let (exact, approximate, undecided) = figures.requirements;
    println!("{programs} programs: {exact} exact requirements, {approximate} approximate, {undecided} undecided");
    println!("{runs} runs: {failing} fail, {other} end in a way that says nothing");
    println!("an exact requirement is false in {broken}: {broken_failing} of these fail");
    println!("{found_at} of {failing} failures break an exact requirement at their place");
    println!("only approximate ones are false in {}: {} of these fail", figures.approximate.0, figures.approximate.1);
    println!("{} runs reach a call that always fails", figures.certain);
}
