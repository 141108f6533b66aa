//! Which unit, and within it which statement, of the old program is which of the new one.
//!
//! Units are the same if name, kind and file are; what is left over is matched by name, then by how much of their
//! statements they share. Statements are aligned by their texts without subscripts (so that a refactoring of subscripts
//! doesn't get in the way), then, between two that are aligned, by what they do; what was moved elsewhere is found by
//! its text.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::affine::renamed;
use super::disambiguate::plain_name;
use super::snapshot::{Snapshot, StatementSnapshot, UnitSnapshot, UseKind, own_name};
use crate::diagnostics::fingerprint::fnv1a;

/// Units that share less than this part of their statements are not the same.
const LEAST_SHARED: f64 = 0.5;

/// Which units are the same, as indices (old, new), in the order of the new ones.
pub fn units(old: &Snapshot, new: &Snapshot) -> Vec<(usize, usize)> {
    let mut matching = UnitMatching {
        old: &old.units,
        new: &new.units,
        old_free: vec![true; old.units.len()],
        new_free: vec![true; new.units.len()],
        pairs: Vec::new(),
    };
    matching.by_key(|unit| (unit.name.clone(), unit.kind.clone(), unit.file.clone()));
    matching.by_key(|unit| (unit.name.clone(), unit.kind.clone(), String::new()));
    matching.by_contents();
    matching.by_key(|unit| (plain_name(&unit.name).to_owned(), unit.kind.clone(), unit.file.clone()));
    matching.pairs.sort_unstable_by_key(|&(_, new)| new);
    matching.pairs
}

struct UnitMatching<'s> {
    old: &'s [UnitSnapshot],
    new: &'s [UnitSnapshot],
    old_free: Vec<bool>,
    new_free: Vec<bool>,
    pairs: Vec<(usize, usize)>,
}

impl UnitMatching<'_> {
    fn pair(&mut self, old: usize, new: usize) {
        self.old_free[old] = false;
        self.new_free[new] = false;
        self.pairs.push((old, new));
    }

    /// Pairs what has the same key, if there are as many with it on both sides, in order.
    fn by_key(&mut self, key: impl Fn(&UnitSnapshot) -> (String, String, String)) {
        let by_key = |units: &[UnitSnapshot], free: &[bool]| {
            let mut by_key: BTreeMap<_, Vec<usize>> = BTreeMap::new();
            for (at, unit) in units.iter().enumerate().filter(|(at, _)| free[*at]) {
                by_key.entry(key(unit)).or_default().push(at);
            }
            by_key
        };
        let olds = by_key(self.old, &self.old_free);
        let news = by_key(self.new, &self.new_free);
        for (key, olds) in olds {
            let Some(news) = news.get(&key).filter(|news| news.len() == olds.len()) else { continue };
            olds.iter().zip(news).for_each(|(&old, &new)| self.pair(old, new));
        }
    }

    /// Pairs renamed units: those that share most of their statements, the most similar first.
    fn by_contents(&mut self) {
        let mut with: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, unit) in self.new.iter().enumerate().filter(|(at, _)| self.new_free[*at]) {
            for statement in unit.statements.iter().filter(|statement| !statement.uses.is_empty()) {
                let units = with.entry(statement.hash).or_default();
                if units.last() != Some(&at) {
                    units.push(at);
                }
            }
        }
        // What is there under its old name was not renamed.
        let names = |units: &[UnitSnapshot]| -> BTreeSet<String> {
            units.iter().map(|unit| plain_name(&unit.name).to_owned()).collect()
        };
        let (old_names, new_names) = (names(self.old), names(self.new));
        let may_be = |old: &UnitSnapshot, new: &UnitSnapshot| {
            let (old, new) = (plain_name(&old.name), plain_name(&new.name));
            old == new || !(new_names.contains(old) || old_names.contains(new))
        };
        let mut candidates = Vec::new();
        for (old, unit) in self.old.iter().enumerate().filter(|(at, _)| self.old_free[*at]) {
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            for statement in unit.statements.iter().filter(|statement| !statement.uses.is_empty()) {
                // What half the program says tells no unit from another.
                let units = with.get(&statement.hash).filter(|units| units.len() < 64);
                units.into_iter().flatten().for_each(|&new| *shared.entry(new).or_default() += 1);
            }
            let size =
                |unit: &UnitSnapshot| unit.statements.iter().filter(|statement| !statement.uses.is_empty()).count();
            for (new, count) in shared.into_iter().filter(|(new, _)| self.new[*new].kind == unit.kind) {
                let share = count as f64 / size(unit).max(size(&self.new[new])) as f64;
                if share >= LEAST_SHARED && may_be(unit, &self.new[new]) && has_arrays_of(unit, &self.new[new]) {
                    candidates.push((share, old, new));
                }
            }
        }
        candidates.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
        for (_, old, new) in candidates {
            if self.old_free[old] && self.new_free[new] {
                self.pair(old, new);
            }
        }
    }
}

/// Whether two units declare mostly arrays of the same names: short units share their statements with many.
fn has_arrays_of(old: &UnitSnapshot, new: &UnitSnapshot) -> bool {
    let names = |unit: &UnitSnapshot| -> BTreeSet<String> {
        unit.arrays.iter().map(|declared| own_name(&declared.array).to_owned()).collect()
    };
    let (old, new) = (names(old), names(new));
    2 * old.intersection(&new).count() >= old.len().max(new.len())
}

/// The statements of two units on their way to be paired.
struct StatementMatching<'s> {
    old: &'s [StatementSnapshot],
    new: &'s [StatementSnapshot],
    /// Equal for two that follow each other in every use.
    tokens: (&'s [u64], &'s [u64]),
    /// Arrays that have another name now.
    names: &'s BTreeMap<String, String>,
    pairs: Vec<(usize, usize)>,
    old_left: Vec<usize>,
    new_left: Vec<usize>,
}

/// What statements are aligned by: their tokens, in the gaps between these their texts but for subscripts, in the gaps
/// between those what they do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Token,
    Text,
    Head,
}

/// Which statements of two units are the same, as indices (old, new), in the order of the new ones. The tokens are
/// equal for two that follow each other in every use; `names`: arrays that have another name now.
pub fn statements(
    (old, old_tokens): (&[StatementSnapshot], &[u64]),
    (new, new_tokens): (&[StatementSnapshot], &[u64]),
    names: &BTreeMap<String, String>,
) -> Vec<(usize, usize)> {
    let tokens = (old_tokens, new_tokens);
    let (pairs, old_left, new_left) = (Vec::new(), Vec::new(), Vec::new());
    let mut matching = StatementMatching { old, new, tokens, names, pairs, old_left, new_left };
    matching.align(Level::Token, 0..old.len(), 0..new.len());
    matching.pair_left(|statement, _| statement.hash);
    matching.pair_left(|statement, names| {
        let arrays: Vec<&str> = statement.uses.iter().map(|used| own_name(&used.array)).collect();
        let loops: Vec<&Arc<str>> = statement.loops.iter().map(|one| &one.variable).collect();
        (renamed(&statement.head, names), arrays.join(","), loops)
    });
    matching.pairs.sort_unstable_by_key(|&(_, new)| new);
    matching.pairs
}

impl<'s> StatementMatching<'s> {
    /// Pairs the statements of a gap that are equal at a level or at one below it.
    fn align(&mut self, level: Level, olds: Range<usize>, news: Range<usize>) {
        let no_names = BTreeMap::new();
        let keys =
            |all: &[StatementSnapshot], tokens: &[u64], range: &Range<usize>, names: &BTreeMap<String, String>| {
                let key = |at: usize| match level {
                    Level::Token => tokens[at],
                    Level::Text => all[at].hash,
                    Level::Head => fnv1a(renamed(&all[at].head, names).as_bytes()) as u64,
                };
                range.clone().map(key).collect::<Vec<u64>>()
            };
        let old = keys(self.old, self.tokens.0, &olds, self.names);
        let new = keys(self.new, self.tokens.1, &news, &no_names);
        let algorithm = if level == Level::Head { Algorithm::Myers } else { Algorithm::Patience };
        for op in capture_diff_slices(algorithm, &old, &new) {
            let in_olds = olds.start + op.old_range().start..olds.start + op.old_range().end;
            let in_news = news.start + op.new_range().start..news.start + op.new_range().end;
            match (op, level) {
                (DiffOp::Equal { .. }, _) => {
                    for (old, new) in in_olds.zip(in_news) {
                        // A loop is told by its variable, that is by its text.
                        let is_loop = !(self.old[old].loops.is_empty() && self.new[new].loops.is_empty());
                        if level == Level::Head && is_loop {
                            self.old_left.push(old);
                            self.new_left.push(new);
                        } else {
                            self.pairs.push((old, new));
                        }
                    }
                }
                (_, Level::Token) => self.align(Level::Text, in_olds, in_news),
                (_, Level::Text) => self.align(Level::Head, in_olds, in_news),
                (_, Level::Head) => {
                    self.old_left.extend(in_olds);
                    self.new_left.extend(in_news);
                }
            }
        }
    }

    /// Pairs what is left over and has the same key, in order.
    fn pair_left<K: Hash + Eq>(&mut self, key: impl Fn(&'s StatementSnapshot, &BTreeMap<String, String>) -> K) {
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
        for &at in &self.old_left {
            by_key.entry(key(&self.old[at], self.names)).or_default().push_back(at);
        }
        let (no_names, before) = (BTreeMap::new(), self.pairs.len());
        for new in std::mem::take(&mut self.new_left) {
            match by_key.get_mut(&key(&self.new[new], &no_names)).and_then(VecDeque::pop_front) {
                Some(old) => self.pairs.push((old, new)),
                None => self.new_left.push(new),
            }
        }
        let paired: HashSet<usize> = self.pairs[before..].iter().map(|&(old, _)| old).collect();
        self.old_left.retain(|at| !paired.contains(at));
    }
}

/// Which uses of two statements that are the same are the same: in order, array by array.
pub fn uses(
    old: &StatementSnapshot,
    new: &StatementSnapshot,
    new_name: &dyn Fn(&str) -> String,
) -> Vec<(usize, usize)> {
    let olds: Vec<_> = old.uses.iter().map(|used| (new_name(&used.array), kind_group(&used.role))).collect();
    let news: Vec<_> = new.uses.iter().map(|used| (used.array.to_string(), kind_group(&used.role))).collect();
    let ops = capture_diff_slices(Algorithm::Myers, &olds, &news);
    let equal = ops.into_iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    equal.flat_map(|op| op.old_range().zip(op.new_range())).collect()
}

/// What of a role must be the same.
fn kind_group(role: &UseKind) -> UseKind {
    match role {
        UseKind::Argument(..) | UseKind::InputOutput => UseKind::Read,
        UseKind::Inquiry(..) => UseKind::Inquiry("".into(), 0),
        other => other.clone(),
    }
}
