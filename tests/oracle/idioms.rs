//! Other ways to write the same reads: scalars that hold indices, rings and clamps, and functions.

use std::collections::BTreeMap;

use super::kernel::{Index, Read, VARIABLES};
use super::random::Random;

/// What a program needs beside the computation itself.
#[derive(Default)]
pub struct Idioms {
    /// Whether idioms are used at all.
    pub enabled: bool,
    /// Statements before the computation, in the innermost loop.
    pub prelude: Vec<String>,
    /// Statement functions.
    pub statement_functions: Vec<String>,
    /// Internal functions.
    pub functions: Vec<String>,
    /// Names of functions.
    pub names: Vec<String>,
    /// Components of the structure `s`, and of the elements of the array of structures `e`.
    pub components: [Vec<String>; 2],
}

impl Idioms {
    /// The name of an array: it may be a component, `s%a`, or one of each element of an array, `e%a`.
    pub fn name(&mut self, random: &mut Random, name: &str, rank: usize) -> String {
        let shape = |rank: usize| format!("{name}({})", vec!["99"; rank].join(","));
        match random.below(100) {
            0..20 if self.enabled => {
                self.components[0].push(shape(rank));
                format!("s%{name}")
            }
            20..40 if self.enabled && rank > 1 => {
                self.components[1].push(shape(rank - 1));
                format!("e%{name}")
            }
            _ => name.to_string(),
        }
    }

    /// Declarations of the structures.
    pub fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for ((kind, variable), components) in [("box", "s"), ("cell", "e(99)")].iter().zip(&self.components) {
            if !components.is_empty() {
                lines.push(format!("type :: {kind}"));
                lines.push(format!("real :: {}", components.join(", ")));
                lines.push(format!("end type {kind}"));
                lines.push(format!("type({kind}) :: {variable}"));
            }
        }
        lines
    }

    /// Reads of an array over one variable that is not on the left.
    pub fn reads_apart(&self, random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Option<Vec<Read>> {
        let others: Vec<usize> = (0..depth).filter(|variable| !left.contains_key(variable)).collect();
        if !self.enabled || left.is_empty() || others.is_empty() || random.chance(50) {
            return None;
        }
        let variable = *random.pick(&others);
        Some((0..random.between(1, 3)).map(|_| vec![Index::Relative(variable, random.between(-1, 1))]).collect())
    }

    /// A neighbourhood index as a scalar or an expression that holds it away from the border; `None` for a plain one.
    pub fn spell(&mut self, random: &mut Random, variable: usize, offset: i64) -> Option<String> {
        if !self.enabled || random.chance(55) {
            return None;
        }
        let index = format!("{}{offset:+}", VARIABLES[variable]);
        let before = format!("{}{:+}", VARIABLES[variable], offset - 1);
        Some(match random.below(9) {
            0 => format!("mod({before}+99,99)+1"),
            1 => format!("modulo({before},99)+1"),
            2 => format!("min({index},99)"),
            3 => format!("max(1,{index})"),
            4 => format!("merge(1,{index},{}==80)", VARIABLES[variable]),
            5 => format!("max(min({index},99),1)"),
            _ => self.scalar(random, &index, VARIABLES[variable], offset)?,
        })
    }

    /// A scalar that holds an index.
    fn scalar(&mut self, random: &mut Random, index: &str, variable: &str, offset: i64) -> Option<String> {
        let number = self.prelude.iter().filter(|line| line.contains("! new")).count() + 1;
        if number > 9 {
            return None;
        }
        let name = format!("n{number}");
        let lines: Vec<String> = match random.below(5) {
            0 => vec![format!("{name} = {index}")],
            1 => vec![format!("{name} = {variable}"), format!("{name} = {name} + ({offset})")],
            2 => vec![format!("{name} = {index}"), format!("if ({name} < 1) {name} = 99")],
            3 => vec![format!("{name} = {index}"), format!("if ({name} < 1) {name} = {name} + nn")],
            _ => vec![
                format!("if ({variable} == 80) then"),
                format!("{name} = 1"),
                "else".into(),
                format!("{name} = {index}"),
                "end if".into(),
            ],
        };
        self.prelude.push("! new".into());
        self.prelude.extend(lines);
        Some(name)
    }

    /// Takes some of the reads of an array into a function; gives the reference to it.
    pub fn function(&mut self, random: &mut Random, array: &str, reads: &mut Vec<Read>) -> Option<String> {
        if !self.enabled || reads.is_empty() || array.starts_with("e%") || random.chance(60) {
            return None;
        }
        let count = random.between(1, reads.len() as i64) as usize;
        let taken: Vec<Read> = reads.drain(..count).collect();
        let moved: Vec<i64> = VARIABLES.iter().map(|_| random.between(-1, 1)).collect();
        let used: Vec<usize> = (0..VARIABLES.len()).filter(|variable| runs_over(&taken, *variable)).collect();
        if used.is_empty() {
            reads.extend(taken);
            return None;
        }
        let dummies: Vec<String> = used.iter().map(|variable| format!("x{variable}")).collect();
        let actuals: Vec<String> =
            used.iter().map(|&variable| format!("{}{:+}", VARIABLES[variable], moved[variable])).collect();
        let name = format!("f{}", array.replace('%', ""));
        let is_internal = random.chance(60);
        let lower = if is_internal { random.between(0, 1) } else { 1 };
        let inside = |read: &Read| {
            let indices = read.iter().map(|index| match *index {
                Index::Relative(variable, offset) => format!("x{variable}{:+}", offset - moved[variable] - 1 + lower),
                Index::Absolute(value) => (value - 1 + lower).to_string(),
            });
            indices.collect::<Vec<String>>().join(",")
        };
        let of = if is_internal { "v" } else { array };
        let terms: Vec<String> = taken.iter().map(|read| format!("{of}({})", inside(read))).collect();
        self.names.push(name.clone());
        if !is_internal {
            self.statement_functions.push(format!("{name}({}) = {}", dummies.join(","), terms.join(" + ")));
            return Some(format!("{name}({})", actuals.join(",")));
        }
        let shape = vec![format!("{lower}:"); taken[0].len()].join(",");
        let pure = if random.chance(50) { "pure " } else { "" };
        self.functions.push(format!("{pure}function {name}(v, {}) result(r)", dummies.join(", ")));
        self.functions.push(format!("real, intent(in) :: v({shape})"));
        self.functions.push(format!("integer, intent(in) :: {}", dummies.join(", ")));
        self.functions.push("real :: r".into());
        self.functions.push(format!("r = {}", terms[0]));
        self.functions.extend(terms[1..].iter().map(|term| format!("r = r + {term}")));
        self.functions.push(format!("end function {name}"));
        Some(format!("{name}({array}, {})", actuals.join(", ")))
    }
}

fn runs_over(reads: &[Read], variable: usize) -> bool {
    reads.iter().flatten().any(|index| matches!(index, Index::Relative(other, _) if *other == variable))
}
