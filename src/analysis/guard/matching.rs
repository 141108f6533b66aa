//! Which unit, and within it which statement, of the old program is which of the new one.
//!
//! Units are the same if name, kind and file are; what is left over is matched by name, then by how much of their statements they
//! share. Statements are aligned by their texts without subscripts (so that a refactoring of subscripts doesn't get in the way),
//! then, between two that are aligned, by what they do; what was moved elsewhere is found by its text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::affine::renamed;
use super::disambiguate::plain_name;
use super::snapshot::{Snapshot, Statement, Unit, own_name};

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
    old: &'s [Unit],
    new: &'s [Unit],
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
    fn by_key(&mut self, key: impl Fn(&Unit) -> (String, String, String)) {
        let by_key = |units: &[Unit], free: &[bool]| {
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
        let names = |units: &[Unit]| -> BTreeSet<String> {
            units.iter().map(|unit| plain_name(&unit.name).to_owned()).collect()
        };
        let (old_names, new_names) = (names(self.old), names(self.new));
        let may_be = |old: &Unit, new: &Unit| {
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
            let size = |unit: &Unit| unit.statements.iter().filter(|statement| !statement.uses.is_empty()).count();
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
fn has_arrays_of(old: &Unit, new: &Unit) -> bool {
    let names = |unit: &Unit| -> BTreeSet<String> {
        unit.arrays.iter().map(|declared| own_name(&declared.array).to_owned()).collect()
    };
    let (old, new) = (names(old), names(new));
    2 * old.intersection(&new).count() >= old.len().max(new.len())
}

/// The statements of two units on their way to be paired.
struct StatementMatching<'s> {
    old: &'s [Statement],
    new: &'s [Statement],
    /// Arrays that have another name now.
    names: &'s BTreeMap<String, String>,
    pairs: Vec<(usize, usize)>,
    old_left: Vec<usize>,
    new_left: Vec<usize>,
}

/// Which statements of two units are the same, as indices (old, new), in the order of the new ones. The tokens are equal for two that
/// follow each other in every use; `names`: arrays that have another name now.
pub fn statements(
    (old, old_tokens): (&[Statement], &[u64]),
    (new, new_tokens): (&[Statement], &[u64]),
    names: &BTreeMap<String, String>,
) -> Vec<(usize, usize)> {
    let mut matching =
        StatementMatching { old, new, names, pairs: Vec::new(), old_left: Vec::new(), new_left: Vec::new() };
    for op in capture_diff_slices(Algorithm::Patience, old_tokens, new_tokens) {
        match op {
            DiffOp::Equal { .. } => matching.pairs.extend(op.old_range().zip(op.new_range())),
            _ => matching.by_text(op.old_range(), op.new_range()),
        }
    }
    let StatementMatching { mut pairs, mut old_left, mut new_left, .. } = matching;
    pair_left(&mut pairs, &mut old_left, &mut new_left, |at| old[at].hash, |at| new[at].hash);
    let told = |statement: &Statement, head: String| {
        let arrays: Vec<&str> = statement.uses.iter().map(|used| own_name(&used.array)).collect();
        (head, arrays.join(","), statement.loops.iter().map(|one| one.variable.clone()).collect::<Vec<_>>())
    };
    let old_told = |at: usize| told(&old[at], renamed(&old[at].head, names));
    pair_left(&mut pairs, &mut old_left, &mut new_left, old_told, |at| told(&new[at], new[at].head.clone()));
    pairs.sort_unstable_by_key(|&(_, new)| new);
    pairs
}

impl StatementMatching<'_> {
    /// Pairs the statements of a gap that have the same text but for subscripts.
    fn by_text(&mut self, olds: Range<usize>, news: Range<usize>) {
        let hashes = |statements: &[Statement]| -> Vec<u64> { statements.iter().map(|one| one.hash).collect() };
        let (old, new) = (hashes(&self.old[olds.clone()]), hashes(&self.new[news.clone()]));
        for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
            let in_olds = olds.start + op.old_range().start..olds.start + op.old_range().end;
            let in_news = news.start + op.new_range().start..news.start + op.new_range().end;
            match op {
                DiffOp::Equal { .. } => self.pairs.extend(in_olds.zip(in_news)),
                _ => self.by_head(in_olds, in_news),
            }
        }
    }

    /// Pairs the statements of a gap that do the same. A loop is told by its variable, that is by its text.
    fn by_head(&mut self, olds: Range<usize>, news: Range<usize>) {
        let head = |statement: &Statement| renamed(&statement.head, self.names);
        let old: Vec<String> = self.old[olds.clone()].iter().map(head).collect();
        let new: Vec<String> = self.new[news.clone()].iter().map(|statement| statement.head.clone()).collect();
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            let in_olds = op.old_range().map(|at| olds.start + at);
            let in_news = op.new_range().map(|at| news.start + at);
            if let DiffOp::Equal { .. } = op {
                for (old, new) in in_olds.zip(in_news) {
                    match self.old[old].loops.is_empty() && self.new[new].loops.is_empty() {
                        true => self.pairs.push((old, new)),
                        false => {
                            self.old_left.push(old);
                            self.new_left.push(new);
                        }
                    }
                }
            } else {
                self.old_left.extend(in_olds);
                self.new_left.extend(in_news);
            }
        }
    }
}

/// Pairs what is left over and has the same key, in order.
fn pair_left<K: std::hash::Hash + Eq>(
    pairs: &mut Vec<(usize, usize)>,
    old_left: &mut Vec<usize>,
    new_left: &mut Vec<usize>,
    old_key: impl Fn(usize) -> K,
    new_key: impl Fn(usize) -> K,
) {
    let mut by_key: HashMap<K, std::collections::VecDeque<usize>> = HashMap::new();
    old_left.iter().for_each(|&at| by_key.entry(old_key(at)).or_default().push_back(at));
    let before = pairs.len();
    new_left.retain(|&new| match by_key.get_mut(&new_key(new)).and_then(std::collections::VecDeque::pop_front) {
        Some(old) => {
            pairs.push((old, new));
            false
        }
        None => true,
    });
    let paired: std::collections::HashSet<usize> = pairs[before..].iter().map(|&(old, _)| old).collect();
    old_left.retain(|at| !paired.contains(at));
}

/// Which uses of two statements that are the same are the same: in order, array by array.
pub fn uses(old: &Statement, new: &Statement, new_name: &dyn Fn(&str) -> String) -> Vec<(usize, usize)> {
    let key = |role: &super::snapshot::Role, array: String| (array, role_group(role));
    let olds: Vec<_> = old.uses.iter().map(|used| key(&used.role, new_name(&used.array))).collect();
    let news: Vec<_> = new.uses.iter().map(|used| key(&used.role, used.array.clone())).collect();
    let ops = capture_diff_slices(Algorithm::Myers, &olds, &news);
    let equal = ops.into_iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    equal.flat_map(|op| op.old_range().zip(op.new_range())).collect()
}

/// What of a role must be the same.
fn role_group(role: &super::snapshot::Role) -> u8 {
    use super::snapshot::Role;
    match role {
        Role::Write => 1,
        Role::Allocate => 2,
        Role::Inquiry(..) => 3,
        Role::Reshape => 4,
        Role::Data => 5,
        Role::Equivalence => 6,
        Role::NotUnderstood => 8,
        Role::Index => 7,
        Role::Read | Role::Argument(..) | Role::InputOutput => 0,
    }
}
