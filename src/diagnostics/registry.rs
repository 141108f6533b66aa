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

    /// The rules that a word selects: the one with that code or name, or those whose codes begin with it (`S01`), in
    /// any letter case.
    pub fn select(self, word: &str) -> Vec<&'static Rule> {
        let begins = |code: &str| code.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word));
        match self.find(word) {
            Some(rule) => vec![rule],
            None => self.rules().filter(|rule| !word.is_empty() && begins(rule.code)).collect(),
        }
    }

    /// The codes and names by which rules are found.
    pub fn words(self) -> Vec<&'static str> {
        self.rules().flat_map(|rule| [rule.code, rule.name]).collect()
    }
}
