//! Two programs with what is the same in them: units, statements, uses, and what arrays are called now.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::affine::shifted;
use super::layout::Layout;
use super::matching;
use super::snapshot::{ArrayDeclaration, ArrayUse, Snapshot, StatementSnapshot, UnitSnapshot, list, own_name};

/// One use with its statement and unit.
#[derive(Clone, Copy)]
pub(super) struct UseSite<'s> {
    pub unit: &'s UnitSnapshot,
    pub statement: usize,
    pub used: usize,
}

impl<'s> UseSite<'s> {
    pub fn statement(self) -> &'s StatementSnapshot {
        &self.unit.statements[self.statement]
    }

    pub fn used(self) -> &'s ArrayUse {
        &self.statement().uses[self.used]
    }
}

/// Which old statement each statement of a new unit is.
pub(super) enum StatementPairs {
    /// Nothing came and nothing went: the one at the same index.
    InOrder,
    /// The old index by the new one.
    ByNew(HashMap<usize, usize>),
}

impl StatementPairs {
    /// The index of the old statement that a new one is.
    pub fn old(&self, new: usize) -> Option<usize> {
        match self {
            StatementPairs::InOrder => Some(new),
            StatementPairs::ByNew(pairs) => pairs.get(&new).copied(),
        }
    }
}

/// A new unit, its old one, and which of their statements are the same.
type MatchedUnit<'a, 's> = (&'s UnitSnapshot, &'s UnitSnapshot, &'a StatementPairs);

/// Two programs with what is the same in them.
pub(super) struct Aligned<'s> {
    pub old: &'s Snapshot,
    pub new: &'s Snapshot,
    /// Units that are the same (old, new).
    pub units: Vec<(usize, usize)>,
    /// For each new unit its old one, and which old statement each of its statements is.
    pub statements: Vec<Option<(&'s UnitSnapshot, StatementPairs)>>,
    /// What old arrays are called now.
    pub names: NewNames,
}

/// What has another name now.
#[derive(Clone, Debug, Default)]
pub(super) struct NewNames {
    /// By the old names of units.
    units: HashMap<String, String>,
    /// By the old names of arrays.
    arrays: HashMap<String, String>,
}

impl NewNames {
    /// Whether nothing has another name.
    fn is_empty(&self) -> bool {
        self.units.is_empty() && self.arrays.is_empty()
    }

    /// What an old array is called now.
    pub fn current(&self, array: &str) -> String {
        if let Some(now) = self.arrays.get(array) {
            return now.clone();
        }
        match array.rsplit_once("::") {
            Some((unit, name)) => match self.units.get(unit) {
                Some(now) => format!("{now}::{name}"),
                None => array.to_owned(),
            },
            None => array.to_owned(),
        }
    }
}

impl<'s> Aligned<'s> {
    /// Aligns two programs whose units have been matched (old, new).
    pub fn new(old: &'s Snapshot, new: &'s Snapshot, units: Vec<(usize, usize)>) -> Self {
        let mut aligned = Aligned {
            old,
            new,
            statements: new.units.iter().map(|_| None).collect(),
            names: NewNames::default(),
            units,
        };
        for &(was, now) in &aligned.units {
            let (was, now) = (&old.units[was], &new.units[now]);
            if was.name != now.name {
                aligned.names.units.insert(was.name.clone(), now.name.clone());
            }
        }
        let renamed: Vec<(String, String)> =
            aligned.units.iter().flat_map(|&(was, now)| aligned.renamed_in(&old.units[was], &new.units[now])).collect();
        aligned.names.arrays.extend(renamed);
        aligned.align(None);
        aligned
    }

    /// Aligns the statements. Once layouts are known, those that follow in every use lead the way, so that of several
    /// that differ in subscripts only each finds its own; before, subscripts would mislead: after an exchange `a(1,j)`
    /// is what `a(j,1)` was.
    pub fn align(&mut self, layouts: Option<&BTreeMap<String, Layout>>) {
        for &(was, now) in &self.units {
            let (old_unit, new_unit) = (&self.old.units[was], &self.new.units[now]);
            // Where nothing came and nothing went, the order says it all.
            let hashes = |unit: &'s UnitSnapshot| unit.statements.iter().map(|statement| statement.hash);
            if hashes(old_unit).eq(hashes(new_unit)) {
                self.statements[now] = Some((old_unit, StatementPairs::InOrder));
                continue;
            }
            let names = old_unit.statements.iter().flat_map(|statement| &statement.uses).filter_map(|used| {
                let now = self.names.arrays.get(&*used.array)?;
                Some((used.name.to_string(), own_name(now).to_owned()))
            });
            let names: BTreeMap<String, String> = names.collect();
            let layout_of = |array: &str| layouts.and_then(|layouts| layouts.get(array));
            // Old subscripts as they would stand today; dimensions that are new are left out on both sides.
            let token_of = |statement: &StatementSnapshot, is_old: bool| {
                if layouts.is_none() {
                    return statement.hash;
                }
                token(statement, &|used| {
                    let array = if is_old { self.names.current(&used.array) } else { used.array.to_string() };
                    let subscripts = used.subscripts.as_ref().map(|all| match layout_of(&array) {
                        Some(layout) if all.len() == if is_old { layout.old_rank } else { layout.rank() } => {
                            let kept = |(new, from): (usize, &Option<usize>)| match from {
                                Some(from) if is_old => {
                                    all[*from].map(&|one| shifted(one, layout.shift[new])).to_string()
                                }
                                Some(_) => all[new].to_string(),
                                None => String::new(),
                            };
                            layout.from.iter().enumerate().map(kept).collect::<Vec<_>>().join(",")
                        }
                        _ => list(Some(all)),
                    });
                    (array, subscripts)
                })
            };
            let old_tokens: Vec<u64> = old_unit.statements.iter().map(|statement| token_of(statement, true)).collect();
            let new_tokens: Vec<u64> = new_unit.statements.iter().map(|statement| token_of(statement, false)).collect();
            let pairs =
                matching::statements((&old_unit.statements, &old_tokens), (&new_unit.statements, &new_tokens), &names);
            let by_new = pairs.into_iter().map(|(old, new)| (new, old)).collect();
            self.statements[now] = Some((old_unit, StatementPairs::ByNew(by_new)));
        }
    }

    /// The arrays of a unit that have another name now: of those that are gone and those that came, the only two with
    /// the same type, kind and bounds.
    fn renamed_in(&self, old: &'s UnitSnapshot, new: &'s UnitSnapshot) -> Vec<(String, String)> {
        let is_in = |unit: &UnitSnapshot, array: &str| unit.arrays.iter().any(|declared| declared.array == array);
        let gone: Vec<&ArrayDeclaration> =
            old.arrays.iter().filter(|declared| !is_in(new, &self.names.current(&declared.array))).collect();
        let is_new = |array: &str| old.arrays.iter().all(|declared| self.names.current(&declared.array) != array);
        let came: Vec<&ArrayDeclaration> = new.arrays.iter().filter(|declared| is_new(&declared.array)).collect();
        let is_kind =
            |one: &ArrayDeclaration, other: &ArrayDeclaration| one.type_ == other.type_ && one.kind == other.kind;
        let is_same =
            |one: &ArrayDeclaration, other: &ArrayDeclaration| is_kind(one, other) && one.bounds == other.bounds;
        let only = |of: &ArrayDeclaration,
                    among: &[&'s ArrayDeclaration],
                    same: &dyn Fn(&ArrayDeclaration, &ArrayDeclaration) -> bool| {
            let mut found = among.iter().copied().filter(|other| same(of, other));
            found.next().filter(|_| found.next().is_none())
        };
        let pair = |was: &&ArrayDeclaration| {
            let same = |same: &dyn Fn(&ArrayDeclaration, &ArrayDeclaration) -> bool| {
                let now = only(was, &came, same)?;
                only(now, &gone, same).map(|_| (was.array.clone(), now.array.clone()))
            };
            same(&is_same).or_else(|| same(&is_kind))
        };
        gone.iter().filter_map(pair).collect()
    }

    /// The arrays of which a use has other subscripts than it had, by the names of today.
    pub fn moved(&self) -> HashSet<&'s str> {
        let mut moved = HashSet::new();
        for (unit, was, pairs) in self.matched_units() {
            // Shared statements are equal. (Where arrays have other names now, uses may pair otherwise than by place.)
            if self.names.is_empty() && Arc::ptr_eq(&unit.statements, &was.statements) {
                continue;
            }
            self.visit_uses((unit, was, pairs), &|_| true, &mut |before, now| {
                if before.used().subscripts != now.used().subscripts {
                    moved.insert(&*now.used().array);
                }
            });
        }
        moved
    }

    /// Uses that are the same, (before, now), by the array: of some arrays, as there are too many to hold all.
    pub fn uses(&self, is_wanted: &dyn Fn(&str) -> bool) -> HashMap<&'s str, Vec<(UseSite<'s>, UseSite<'s>)>> {
        let mut uses: HashMap<&str, Vec<(UseSite<'s>, UseSite<'s>)>> = HashMap::new();
        for matched in self.matched_units() {
            self.visit_uses(matched, is_wanted, &mut |before, now| {
                if is_wanted(&now.used().array) {
                    uses.entry(&*now.used().array).or_default().push((before, now));
                }
            });
        }
        uses
    }

    /// Each new unit that has an old one, with that.
    fn matched_units(&self) -> impl Iterator<Item = MatchedUnit<'_, 's>> {
        let units = self.new.units.iter().zip(&self.statements);
        units.filter_map(|(unit, statements)| statements.as_ref().map(|(was, pairs)| (unit, *was, pairs)))
    }

    /// Visits the uses of a unit that are the same, (before, now), in statements that use a wanted array now.
    fn visit_uses(
        &self,
        (unit, was, pairs): MatchedUnit<'_, 's>,
        is_wanted: &dyn Fn(&str) -> bool,
        visit: &mut dyn FnMut(UseSite<'s>, UseSite<'s>),
    ) {
        for (now, new) in unit.statements.iter().enumerate() {
            let Some(before) = pairs.old(now).filter(|_| new.uses.iter().any(|used| is_wanted(&used.array))) else {
                continue;
            };
            for (old_use, new_use) in matching::uses(&was.statements[before], new, &|array| self.names.current(array)) {
                let before = UseSite { unit: was, statement: before, used: old_use };
                visit(before, UseSite { unit, statement: now, used: new_use });
            }
        }
    }
}

/// A number that is the same for statements with the same text and the same uses, as `written` gives them: array and
/// subscripts.
fn token(statement: &StatementSnapshot, written: &dyn Fn(&ArrayUse) -> (String, Option<String>)) -> u64 {
    let mut hasher = DefaultHasher::new();
    (statement.hash, &statement.head).hash(&mut hasher);
    for one in &statement.loops {
        (&one.variable, one.bounds.to_string()).hash(&mut hasher);
    }
    for used in &statement.uses {
        written(used).hash(&mut hasher);
    }
    hasher.finish()
}
