//! `shapes` against programs that run: random programs are compiled by gfortran with all its checks and run for
//! several sizes, and what the analysis says of a statement must be what happens there.
//!
//! gfortran sees subscripts and bounds of sections that are out of bounds, and most shapes that differ. What it does
//! not see is looked at by a canary before the statement, in the words of the standard: the elements that an argument
//! of explicit shape wants, and the shape of what intrinsic functions, functions and constructors give (its own SHAPE
//! of the expression). Held are: a statement that *fails*, *contradicts* or holds *only if* two extents are equal,
//! which they are not, is never executed to the end of the construct around it, with sections and arrays that have
//! elements; a program is aborted only at a statement of which something is open, at a subscript only if that is open;
//! what is *unreachable* is not reached. Not held against runs are A006 and A013, which no run shows.
//!
//! By default some programs are tried; `CAMFORT_SHAPES=N` tries N of them, `CAMFORT_SEED=N` begins with another one,
//! `CAMFORT_SHOW=1` prints what is wrong with the programs.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the figures are a result of their own")]

mod arrays;
mod calls;
#[path = "../common/mod.rs"]
mod common;
mod generate;
mod judge;
mod loops;
mod program;
#[path = "../oracle/random.rs"]
mod random;
mod run;
mod scope;
mod verdicts;

use common::gfortran_is_there;
use generate::SIZES;
use judge::{Figures, judge};
use program::Program;
use run::{Compiled, Run};
use verdicts::{Verdicts, Word, verdicts};

/// How many programs are compiled together.
const TOGETHER: u64 = 20;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn what_is_said_of_shapes_is_what_happens() {
    if !gfortran_is_there() {
        return;
    }
    let (first, programs) = (number("CAMFORT_SEED").unwrap_or(0), number("CAMFORT_SHAPES").unwrap_or(60));
    let mut figures = Figures::default();
    for start in (first..first + programs).step_by(TOGETHER as usize) {
        together(start..(start + TOGETHER).min(first + programs), &mut figures);
    }
    print(&figures);
    assert!(figures.disagreements.is_empty(), "{}", figures.disagreements.join("\n\n"));
    let failing = figures.of.get(&Word::Fails).map_or(0, |count| count.aborted);
    assert!(failing as u64 * 10 >= programs, "only {failing} statements fail: the runs say little");
    assert!(figures.refused * 10 <= figures.programs, "{} programs are refused", figures.refused);
}

/// Tries programs that are compiled together.
fn together(seeds: std::ops::Range<u64>, figures: &mut Figures) {
    let mut subjects: Vec<(String, Program, Verdicts)> = seeds
        .map(|seed| {
            let name = format!("case{seed}");
            let program = generate::program(seed, &name);
            let verdicts = verdicts(&program.text(), &name);
            (name, program, verdicts)
        })
        .collect();
    let directory = tempfile::tempdir().expect("a directory for some files");
    let compiled = loop {
        let texts: Vec<(String, String)> =
            subjects.iter().map(|(name, program, of)| (name.clone(), program.probed(&of.counting))).collect();
        match Compiled::new(&texts, directory.path()) {
            Ok(compiled) => break compiled,
            Err((refused, said)) => {
                assert!(!refused.is_empty(), "{said}");
                if std::env::var_os("CAMFORT_SHOW").is_some() {
                    println!("{said}");
                }
                figures.refused += refused.len();
                subjects.retain(|(name, ..)| !refused.contains(name));
            }
        }
    };
    for ((name, program, verdicts), number) in subjects.iter().zip(1..) {
        let runs: Vec<([i64; 4], Run)> =
            SIZES.into_iter().filter_map(|sizes| Some((sizes, compiled.run(number, sizes)?))).collect();
        let wrong = judge(verdicts, &program.joined(), &runs, figures);
        for (line, sizes) in &verdicts.examples {
            let Some(run) = compiled.run(number, *sizes) else { continue };
            if run.seen.contains(line) {
                figures.examples.0 += 1;
                figures.examples.1 += usize::from(run.aborted.is_some_and(|(at, _)| at == *line));
            }
        }
        if !wrong.is_empty() {
            let mut text = format!("{name}:\n{}\n{}", wrong.join("\n"), verdicts.told.join("\n"));
            if std::env::var_os("CAMFORT_SHOW").is_some() {
                for (line, number) in program.text().lines().zip(1..) {
                    text += &format!("\n{number:4} {line}");
                }
            }
            figures.disagreements.push(text);
        }
    }
}

fn print(figures: &Figures) {
    let Figures { programs, refused, runs, aborted_runs, of, examples, .. } = figures;
    println!("{programs} programs, {refused} refused; {runs} runs, {aborted_runs} of them aborted");
    println!("| verdict | statements | reached | aborted there |\n|---|---|---|---|");
    for (word, count) in of {
        println!("| {word:?} | {} | {} | {} |", count.statements, count.reached, count.aborted);
    }
    println!("{} examples of what may fail lead there, {} fail", examples.0, examples.1);
}
