//! Other ways to write the same index: scalars that hold it, associate names, rings and clamps.

use super::kernel::VARIABLES;
use super::random::Random;

/// What a program needs beside the computation itself.
#[derive(Default)]
pub struct Idioms {
    /// Whether idioms are used at all.
    pub enabled: bool,
    /// Whether statements can stand before the computation.
    pub has_statements: bool,
    /// The variable and step of the innermost loop, if values can be carried from one turn of it to the next, and the
    /// loop is the only one.
    pub carried_by: Option<(usize, i64)>,
    /// Statements before the loops.
    pub before: Vec<String>,
    /// Statements before the computation, in the innermost loop.
    pub prelude: Vec<String>,
    /// Statements behind it.
    pub postlude: Vec<String>,
    /// What ends the constructs that the prelude begins.
    pub closing: Vec<String>,
    /// Number of scalars that carry data.
    pub carriers: usize,
    /// Number of scalars that hold indices.
    pub scalars: usize,
    /// Number of associate names.
    pub names: usize,
}

impl Idioms {
    /// A neighbourhood index as a scalar or an expression that holds it away from the border; `None` for a plain one.
    pub fn spell(&mut self, random: &mut Random, variable: usize, offset: i64) -> Option<String> {
        if !self.enabled || random.chance(55) {
            return None;
        }
        let name = VARIABLES[variable];
        let index = format!("{name}{offset:+}");
        let before = format!("{name}{:+}", offset - 1);
        Some(match random.below(11) {
            0 => format!("mod({before}+99,99)+1"),
            1 => format!("modulo({before},99)+1"),
            2 => format!("min({index},99)"),
            3 => format!("max(1,{index})"),
            4 => format!("merge(1,{index},{name}==80)"),
            5 => format!("max(min({index},99),1)"),
            6 if self.has_statements => self.associate(&index),
            7 => format!("int({index})"),
            _ if self.has_statements => self.scalar(random, &index, variable, offset)?,
            _ => return None,
        })
    }

    /// An associate name for an expression, inside the loops.
    pub fn associate(&mut self, expression: &str) -> String {
        self.names += 1;
        let name = format!("q{}", self.names);
        self.prelude.push(format!("associate ({name} => {expression})"));
        self.closing.push("end associate".into());
        name
    }

    /// A scalar that carries what is read at the end of a turn into the next one; `read_at` gives the reference where
    /// the loop's variable has so much added to it.
    pub fn carry(&mut self, read_at: impl Fn(usize, i64) -> String) -> Option<String> {
        let (variable, step) = self.carried_by?;
        if self.carriers == 3 {
            return None;
        }
        self.carriers += 1;
        let name = format!("c{}", self.carriers);
        self.before.push(format!("{name} = 0.0"));
        self.postlude.push(format!("{name} = {}", read_at(variable, step)));
        Some(name)
    }

    /// A scalar that holds an index.
    fn scalar(&mut self, random: &mut Random, index: &str, variable: usize, offset: i64) -> Option<String> {
        if self.scalars == 9 {
            return None;
        }
        self.scalars += 1;
        let name = format!("n{}", self.scalars);
        let counted = VARIABLES[variable];
        let lines: Vec<String> = match random.below(6) {
            0 => vec![format!("{name} = {index}")],
            1 => vec![format!("{name} = {counted}"), format!("{name} = {name} + ({offset})")],
            2 => vec![format!("{name} = {index}"), format!("if ({name} < 1) {name} = 99")],
            3 => vec![format!("{name} = {index}"), format!("if ({name} < 1) {name} = {name} + nn")],
            4 if self.carried_by.is_some_and(|(carrying, _)| carrying == variable) => {
                // Its value is that of the turn before.
                let step = self.carried_by.map_or(1, |(_, step)| step);
                self.before.push(format!("{name} = 7"));
                self.postlude.push(format!("{name} = {counted}{:+}", offset + step));
                Vec::new()
            }
            _ => vec![
                format!("if ({counted} == 80) then"),
                format!("{name} = 1"),
                "else".into(),
                format!("{name} = {index}"),
                "end if".into(),
            ],
        };
        self.prelude.extend(lines);
        Some(name)
    }
}
