//! What holds together, and the choices that are still to be made.

use super::linear::{Formula, Row, Variable};

/// What holds together: rows that are 0, rows that are not negative, and choices that are still to be made.
#[derive(Clone, Default)]
pub struct Conjunction<'p> {
    /// Rows that are 0.
    pub zero: Vec<&'p Row>,
    /// Rows that are not negative.
    pub not_negative: Vec<&'p Row>,
    /// Of each of these at least one holds.
    pub choices: Vec<Vec<&'p Formula>>,
}

impl<'p> Conjunction<'p> {
    /// Adds a formula; `false` if it is evident that all can't hold.
    pub fn assume(&mut self, formula: &'p Formula) -> bool {
        match formula {
            Formula::All(parts) => parts.iter().all(|part| self.assume(part)),
            Formula::Any(parts) => match parts.as_slice() {
                [] => false,
                [single] => self.assume(single),
                _ => {
                    self.choices.push(parts.iter().collect());
                    true
                }
            },
            Formula::NotNegative(row) => match row.as_constant() {
                Some(value) => value >= 0,
                None => {
                    self.not_negative.push(row);
                    true
                }
            },
            Formula::Zero(row) => match row.as_constant() {
                Some(value) => value == 0,
                None => {
                    self.zero.push(row);
                    true
                }
            },
        }
    }

    /// The parts of it that have no variable in common, in the order of what comes first in them.
    pub fn parts(self, variable_count: usize) -> Vec<Self> {
        let mut sets = Sets((0..variable_count as Variable).collect());
        for row in self.zero.iter().chain(&self.not_negative) {
            let first = row.atoms().next().copied();
            row.atoms().for_each(|&variable| sets.unite(first, variable));
        }
        for choice in &self.choices {
            let mut first = None;
            choice.iter().for_each(|of| unite_variables(&mut sets, of, &mut first));
        }
        let mut found: Vec<Self> = Vec::new();
        // What speaks of no variable belongs to the first part.
        let mut numbers = vec![usize::MAX; variable_count.max(1)];
        let mut number_of = |variable: Option<Variable>, found: &mut Vec<Self>| {
            let number = &mut numbers[variable.map_or(0, |variable| sets.find(variable) as usize)];
            if *number == usize::MAX {
                *number = found.len();
                found.push(Conjunction::default());
            }
            *number
        };
        for row in self.zero {
            let number = number_of(row.atoms().next().copied(), &mut found);
            found[number].zero.push(row);
        }
        for row in self.not_negative {
            let number = number_of(row.atoms().next().copied(), &mut found);
            found[number].not_negative.push(row);
        }
        for choice in self.choices {
            let number = number_of(choice.iter().find_map(|of| of.first_variable()), &mut found);
            found[number].choices.push(choice);
        }
        found
    }
}

/// Variables that belong together: each has another one of its set, or itself.
struct Sets(Vec<Variable>);

impl Sets {
    /// The variable that stands for the set of one.
    fn find(&mut self, variable: Variable) -> Variable {
        let mut at = variable;
        while self.0[at as usize] != at {
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    fn unite(&mut self, one: Option<Variable>, other: Variable) {
        let Some(one) = one else { return };
        let (one, other) = (self.find(one), self.find(other));
        self.0[other as usize] = one;
    }
}

/// Puts all variables of a formula into one set, with the first one.
fn unite_variables(sets: &mut Sets, formula: &Formula, first: &mut Option<Variable>) {
    match formula {
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|of| unite_variables(sets, of, first)),
        Formula::NotNegative(row) | Formula::Zero(row) => {
            for &variable in row.atoms() {
                sets.unite(Some(*first.get_or_insert(variable)), variable);
            }
        }
    }
}
