//! Two programs with what is the same in them: units, statements, uses, and what arrays are called now.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::matching;
use super::snapshot::{Declaration, Snapshot, Statement, Unit, Use, own_name};

/// One use with its statement and unit.
#[derive(Clone, Copy)]
pub(super) struct At<'s> {
    pub unit: &'s Unit,
    pub statement: usize,
    pub used: usize,
}

impl<'s> At<'s> {
    pub fn statement(self) -> &'s Statement {
        &self.unit.statements[self.statement]
    }

    pub fn used(self) -> &'s Use {
        &self.statement().uses[self.used]
    }
}

/// Two programs with what is the same in them.
pub(super) struct Aligned<'s> {
    pub old: &'s Snapshot,
    pub new: &'s Snapshot,
    /// Units that are the same (old, new).
    pub units: Vec<(usize, usize)>,
    /// For each new unit its old one, and for each of its statements the old one.
    pub statements: Vec<Option<(&'s Unit, HashMap<usize, usize>)>>,
    /// For each old unit the statements that are still there.
    pub old_statements: HashMap<usize, BTreeSet<usize>>,
    /// Old names of units that have another one now.
    renamed_units: HashMap<String, String>,
    /// Old arrays that have another name now.
    renamed_arrays: HashMap<String, String>,
}

impl<'s> Aligned<'s> {
    /// Aligns two programs whose units have been matched (old, new).
    pub fn new(old: &'s Snapshot, new: &'s Snapshot, units: Vec<(usize, usize)>) -> Self {
        let mut aligned = Aligned {
            old,
            new,
            statements: new.units.iter().map(|_| None).collect(),
            old_statements: HashMap::new(),
            renamed_units: HashMap::new(),
            renamed_arrays: HashMap::new(),
            units,
        };
        for &(was, now) in &aligned.units {
            let (was, now) = (&old.units[was], &new.units[now]);
            if was.name != now.name {
                aligned.renamed_units.insert(was.name.clone(), now.name.clone());
            }
        }
        let renamed: Vec<(String, String)> =
            aligned.units.iter().flat_map(|&(was, now)| aligned.renamed_in(&old.units[was], &new.units[now])).collect();
        aligned.renamed_arrays.extend(renamed);
        for &(was, now) in &aligned.units {
            let (old_unit, new_unit) = (&old.units[was], &new.units[now]);
            let names = old_unit.statements.iter().flat_map(|statement| &statement.uses).filter_map(|used| {
                let now = aligned.renamed_arrays.get(&used.array)?;
                Some((used.name.clone(), own_name(now).to_owned()))
            });
            let names: BTreeMap<String, String> = names.collect();
            let pairs = matching::statements(&old_unit.statements, &new_unit.statements, &names);
            aligned.old_statements.insert(was, pairs.iter().map(|&(old, _)| old).collect());
            let by_new = pairs.into_iter().map(|(old, new)| (new, old)).collect();
            aligned.statements[now] = Some((old_unit, by_new));
        }
        aligned
    }

    /// What an old array is called now.
    pub fn new_name(&self, array: &str) -> String {
        if let Some(now) = self.renamed_arrays.get(array) {
            return now.clone();
        }
        match array.rsplit_once("::") {
            Some((unit, name)) => match self.renamed_units.get(unit) {
                Some(now) => format!("{now}::{name}"),
                None => array.to_owned(),
            },
            None => array.to_owned(),
        }
    }

    /// The arrays of a unit that have another name now: of those that are gone and those that came, the only two with the same type,
    /// kind and bounds.
    fn renamed_in(&self, old: &'s Unit, new: &'s Unit) -> Vec<(String, String)> {
        let is_in = |unit: &Unit, array: &str| unit.arrays.iter().any(|declared| declared.array == array);
        let gone: Vec<&Declaration> =
            old.arrays.iter().filter(|declared| !is_in(new, &self.new_name(&declared.array))).collect();
        let is_new = |array: &str| old.arrays.iter().all(|declared| self.new_name(&declared.array) != array);
        let came: Vec<&Declaration> = new.arrays.iter().filter(|declared| is_new(&declared.array)).collect();
        let same = |one: &Declaration, other: &Declaration| {
            one.type_ == other.type_ && one.kind == other.kind && one.bounds == other.bounds
        };
        let only = |of: &Declaration, among: &[&'s Declaration]| {
            let mut found = among.iter().copied().filter(|other| same(of, other));
            found.next().filter(|_| found.next().is_none())
        };
        let pair = |was: &&Declaration| {
            let now = only(was, &came)?;
            only(now, &gone).map(|_| (was.array.clone(), now.array.clone()))
        };
        gone.iter().filter_map(pair).collect()
    }

    /// Uses that are the same: (before, now).
    pub fn uses(&self) -> Vec<(At<'s>, At<'s>)> {
        let mut found = Vec::new();
        for (unit, statements) in self.new.units.iter().zip(&self.statements) {
            let Some((was, pairs)) = statements else { continue };
            for (&now, &before) in pairs {
                let (old, new) = (&was.statements[before], &unit.statements[now]);
                for (old_use, new_use) in matching::uses(old, new, &|array| self.new_name(array)) {
                    let before = At { unit: was, statement: before, used: old_use };
                    found.push((before, At { unit, statement: now, used: new_use }));
                }
            }
        }
        found
    }
}
