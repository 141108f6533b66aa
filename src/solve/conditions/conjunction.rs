//! What holds together, and the choices that are still to be made.

use super::linear::{Formula, Row};

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
}
