//! Which files a change can concern, so that the time that guard needs grows with the change and not with the program.
//!
//! Only words are looked at, not statements, so more files may be found than need be, and none is missed that Fortran's
//! names connect with a changed one: what mentions a name that a changed file defines, and what defines a procedure or
//! module that a changed file mentions. (A name that is made by a macro out of parts, and blanks within keywords of
//! fixed form, hide from it.)

use std::hash::Hasher;

use rustc_hash::{FxHashSet, FxHasher};

/// The words of a file, as hashes.
#[derive(Clone, Debug, Default)]
pub struct Words {
    all: FxHashSet<u64>,
    /// Those behind MODULE, SUBROUTINE, FUNCTION, ENTRY and COMMON.
    defined: FxHashSet<u64>,
    /// Those behind MODULE.
    modules: FxHashSet<u64>,
}

impl Words {
    /// The words of a text, in any letter case.
    pub fn new(bytes: &[u8]) -> Self {
        let mut words = Words::default();
        let mut before = Vec::new();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        for word in bytes.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()) {
            let word = word.to_ascii_lowercase();
            let hash = hash(&word);
            words.all.insert(hash);
            match before.as_slice() {
                b"module" => {
                    words.modules.insert(hash);
                    words.defined.insert(hash);
                }
                b"subroutine" | b"function" | b"entry" | b"common" => {
                    words.defined.insert(hash);
                }
                _ => {}
            }
            before = word;
        }
        words
    }

    /// Whether it holds a word in lower case.
    pub fn hold(&self, word: &str) -> bool {
        self.all.contains(&hash(word.as_bytes()))
    }

    fn join(&mut self, other: &Words) {
        self.all.extend(&other.all);
        self.defined.extend(&other.defined);
        self.modules.extend(&other.modules);
    }
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
}

/// What is to be done with an unchanged file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Concern {
    /// Nothing.
    None,
    /// Its modules are used.
    Modules,
    /// Its uses are to be compared.
    Compared,
}

/// What concerns each of the unchanged files. `changed`: the words of all changed files, before and now.
pub fn concerns(changed: &[Words], unchanged: &[Words]) -> Vec<Concern> {
    let mut of_changed = Words::default();
    changed.iter().for_each(|words| of_changed.join(words));
    let mut concerns = vec![Concern::None; unchanged.len()];
    // A module hands on what it uses, so what mentions a concerned module is concerned too.
    let mut defined = of_changed.defined.clone();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for (concern, words) in concerns.iter_mut().zip(unchanged) {
            if *concern < Concern::Compared && !words.all.is_disjoint(&defined) {
                *concern = Concern::Compared;
                let known = defined.len();
                defined.extend(&words.modules);
                has_grown |= defined.len() > known;
            }
        }
    }
    for (concern, words) in concerns.iter_mut().zip(unchanged) {
        if !words.defined.is_disjoint(&of_changed.all) {
            *concern = Concern::Compared;
        }
    }
    let mut mentioned = of_changed.all;
    let compared = concerns.iter().zip(unchanged).filter(|(concern, _)| **concern == Concern::Compared);
    compared.for_each(|(_, words)| mentioned.extend(&words.all));
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for (concern, words) in concerns.iter_mut().zip(unchanged) {
            if *concern == Concern::None && !words.modules.is_disjoint(&mentioned) {
                *concern = Concern::Modules;
                mentioned.extend(&words.all);
                has_grown = true;
            }
        }
    }
    concerns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concerned(changed: &[&str], unchanged: &[&str]) -> Vec<Concern> {
        let words = |texts: &[&str]| texts.iter().map(|text| Words::new(text.as_bytes())).collect::<Vec<_>>();
        concerns(&words(changed), &words(unchanged))
    }

    #[test]
    fn what_names_connect_is_compared_and_nothing_else() {
        let changed = ["MODULE Grid\n use sizes\n real :: t(nx,ny)\n call paint(t)\nend module"];
        let unchanged = [
            "subroutine one\n use GRID\n t(1,1) = 0\nend",
            "module sizes\n use kinds\nend module",
            "subroutine paint(x)\nend",
            "module kinds\nend module",
            "module through\n use grid\nend module",
            "subroutine two\n use through\nend",
            "subroutine three\n b = 0\nend",
        ];
        use Concern::{Compared, Modules, None};
        assert_eq!(concerned(&changed, &unchanged), [Compared, Compared, Compared, Modules, Compared, Compared, None]);
    }
}
