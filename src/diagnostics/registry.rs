//! The registry: all rules that a program knows, from the lists of its analyses.

use super::Rule;

/// The rules of a program, in the order in which they are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registry(&'static [&'static [&'static Rule]]);

impl Registry {
    /// The registry of these lists, one for each analysis.
    pub const fn new(lists: &'static [&'static [&'static Rule]]) -> Self {
        Registry(lists)
    }

    /// Every rule.
    pub fn rules(self) -> impl Iterator<Item = &'static Rule> {
        self.0.iter().flat_map(|list| list.iter().copied())
    }

    /// The rule with a code or a name, in any letter case.
    pub fn find(self, word: &str) -> Option<&'static Rule> {
        self.rules().find(|rule| rule.code.eq_ignore_ascii_case(word) || rule.name.eq_ignore_ascii_case(word))
    }

    /// The codes and names by which rules are found.
    pub fn words(self) -> Vec<&'static str> {
        self.rules().flat_map(|rule| [rule.code, rule.name]).collect()
    }
}
