//! Which files a change can concern, and which uses in them, so that the time and memory that guard needs grow with the
//! change and not with the program.
//!
//! Only words are looked at, not statements, so more files may be found than need be, and none is missed that Fortran's
//! names connect with a changed one: what mentions a name that a changed file defines, and what defines a procedure or
//! module that a changed file mentions. (A name that is made by a macro out of parts, and blanks within keywords of
//! fixed form, hide from it.)

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};

use super::snapshot::{ArrayUse, StatementSnapshot, UnitSnapshot, UseKind, own_name, top_name};

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

    /// Whether a procedure, module or COMMON block of this name is defined; of `part%procedure` the last name counts.
    fn define(&self, name: &str) -> bool {
        self.defined.contains(&hash(own_name(name).as_bytes()))
    }

    /// Those of several files.
    pub fn joined(files: impl IntoIterator<Item = Words>) -> Self {
        let mut joined = Words::default();
        for words in files {
            joined.all.extend(words.all);
            joined.defined.extend(words.defined);
            joined.modules.extend(words.modules);
        }
        joined
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
    /// Its uses of what changed elsewhere are to be compared: it holds a name that connects it with a changed file.
    Mentions,
    /// All its uses are to be compared: what it includes changed.
    Compared,
}

/// What concerns each of the unchanged files. `of_changed`: the words of all changed files, before and now.
pub fn concerns(of_changed: &Words, unchanged: &[Words]) -> Vec<Concern> {
    let mut concerns = vec![Concern::None; unchanged.len()];
    // A module hands on what it uses, so what mentions a concerned module is concerned too.
    let mut defined = of_changed.defined.clone();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for (concern, words) in concerns.iter_mut().zip(unchanged) {
            if *concern < Concern::Mentions && !words.all.is_disjoint(&defined) {
                *concern = Concern::Mentions;
                let known = defined.len();
                defined.extend(&words.modules);
                has_grown |= defined.len() > known;
            }
        }
    }
    for (concern, words) in concerns.iter_mut().zip(unchanged) {
        if !words.defined.is_disjoint(&of_changed.all) {
            *concern = Concern::Mentions;
        }
    }
    let mut mentioned = of_changed.all.clone();
    let compared = concerns.iter().zip(unchanged).filter(|(concern, _)| **concern == Concern::Mentions);
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

/// Leaves of the units of an unchanged file the uses that a change elsewhere can concern, with the loops around them:
/// arrays that this file does not declare, of a name that a changed file holds, and arguments of procedures that one
/// defines. `of_changed`: the words of all changed files, before and now.
pub fn keep_concerned(units: &mut [UnitSnapshot], of_changed: &Words) {
    let own: FxHashSet<String> = units.iter().map(|unit| top_name(&unit.name).to_owned()).collect();
    let is_concerned = |used: &ArrayUse| match &used.role {
        UseKind::Argument(procedure, _) if of_changed.define(procedure) => true,
        _ => {
            let is_own = used.array.contains("::") && own.contains(top_name(&used.array));
            !is_own && of_changed.hold(own_name(&used.array))
        }
    };
    for unit in units {
        let is_kept = |one: &StatementSnapshot| one.uses.iter().any(is_concerned);
        let statements = Arc::make_mut(&mut unit.statements);
        match statements.iter().any(is_kept) {
            true => statements.retain(|one| !one.loops.is_empty() || is_kept(one)),
            false => statements.clear(),
        }
        statements.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concerned(changed: &[&str], unchanged: &[&str]) -> Vec<Concern> {
        let words = |text: &str| Words::new(text.as_bytes());
        let unchanged: Vec<Words> = unchanged.iter().copied().map(words).collect();
        concerns(&Words::joined(changed.iter().copied().map(words)), &unchanged)
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
        use Concern::{Mentions, Modules, None};
        assert_eq!(concerned(&changed, &unchanged), [Mentions, Mentions, Mentions, Modules, Mentions, Mentions, None]);
    }
}
