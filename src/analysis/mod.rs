//! The analyses: a folder each, with its rules, options, texts and tests; and what they have in common.
//!
//! An [`Analysis`] says something of one file at a time. What it must know of other files it asks its [`Context`] for:
//! a *summary* of each, plain data that the same analysis makes and that is kept for the run. [`Session`] is an
//! analysis over the files of a project, and all that a command or a server needs to run it. [`ALL`] lists the
//! analyses, and [`RULES`] what they report.
//!
//! An analysis is a value with methods and not a type with functions, because it holds its options and what it keeps
//! over a run (stencils: what the solver decided); and it is known by its type and not behind a `dyn`, because each
//! gives another outcome and whoever runs it prints that.

use crate::diagnostics::{Registry, Rule, rules};

pub mod guard;
pub mod inputs;
pub mod obligations;
pub mod preconditions;
pub mod requires;
mod session;
pub mod shapes;
pub mod stencil;
pub mod survey;

pub use session::{Analysis, Context, Session, analyse};

/// What is known of an analysis without running it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one line.
    pub about: &'static str,
    /// The rules of its findings.
    pub rules: &'static [&'static Rule],
}

impl Description {
    const fn of<A: Analysis>() -> Self {
        Description { name: A::NAME, about: A::ABOUT, rules: A::RULES }
    }
}

/// The analyses.
pub const ALL: [Description; 7] = [
    Description::of::<stencil::Infer>(),
    Description::of::<stencil::Check>(),
    Description::of::<guard::Guard>(),
    Description::of::<survey::Survey>(),
    Description::of::<shapes::Shapes>(),
    Description::of::<requires::Requires>(),
    Description::of::<inputs::Inputs>(),
];

/// The rules of all analyses, and those of the source itself.
pub const RULES: Registry = Registry::new(&RULE_LISTS);

const RULE_LISTS: [&[&Rule]; ALL.len() + 1] = {
    let mut lists = [rules::ALL; ALL.len() + 1];
    let mut number = 0;
    while number < ALL.len() {
        lists[number + 1] = ALL[number].rules;
        number += 1;
    }
    lists
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_has_words_of_its_own_and_texts() {
        let words = RULES.words();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), 2 * RULES.rules().count());
        let codes: Vec<&str> = RULES.rules().map(|rule| rule.code).collect();
        assert!(codes.chunk_by(|one, next| one[..1] == next[..1]).all(|list| list.is_sorted()));
        for rule in RULES.rules() {
            let texts = [rule.code, rule.name, rule.explanation, &rule.breaks.text(), &rule.keeps.text()];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", rule.code);
            assert!(!rule.commands.is_empty(), "{}", rule.code);
        }
    }
}
