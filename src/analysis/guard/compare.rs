//! Two snapshots side by side: which arrays changed, and what became of their uses.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::aligned::{Aligned, StatementPairs};
use super::calls::Calls;
use super::changes::Changes;
use super::disambiguate;
use super::matching;
use super::report::{ArrayReport, ComparedUse};
use super::snapshot::{ArrayUse, Snapshot, UnitSnapshot};
use super::statement::{ComparedStatement, UnitLoops};

/// What comparing gives.
#[derive(Clone, Debug, Default)]
pub struct ProgramComparison {
    /// The arrays whose layout or declaration changed, or of whose uses something is to be told, by name.
    pub arrays: Vec<ArrayReport>,
    /// Units that are the same.
    pub units: usize,
    /// Units that are gone.
    pub gone: Vec<String>,
    /// Units that are new.
    pub added: Vec<String>,
    /// Statements of the new program that were not understood.
    pub not_understood: usize,
}

/// Compares two programs. What has one name in several files gets different names in both.
pub fn compare(old: &mut Snapshot, new: &mut Snapshot) -> ProgramComparison {
    disambiguate::units(old, new);
    let units = matching::units(old, new);
    disambiguate::common_blocks(old, new, &units);
    let (old, new) = (&*old, &*new);
    let mut aligned = Aligned::new(old, new, units);
    let mut changes = Changes::new(&aligned);
    let layouts = changes.changed_layouts();
    if !layouts.is_empty() {
        aligned.align(Some(&layouts));
        changes = Changes::new(&aligned);
    }
    let calls = Calls::new(&aligned, &changes);
    let mut arrays: BTreeMap<String, ArrayReport> = changes.reported();
    let mut suspicions = Vec::new();
    for (unit, pairs) in new.units.iter().zip(&aligned.statements) {
        for (declared, why) in calls.interfaces_left_behind(unit) {
            let array = arrays.entry(declared.array.clone()).or_insert_with(|| ArrayReport::unknown(&declared.array));
            array.uses.push(ComparedUse::of_declaration(declared, &unit.name, why));
        }
        let loops = LazyCell::new(|| UnitLoops::new(unit));
        let old_loops = LazyCell::new(|| UnitLoops::new(pairs.as_ref().map_or(unit, |(was, _)| was)));
        for (at, statement) in unit.statements.iter().enumerate() {
            let before = pairs.as_ref().and_then(|(was, pairs)| Some((*was, pairs.old(at)?)));
            let is_concerned = |used: &ArrayUse| changes.is_changed(&used.array) || calls.is_for_changed(unit, used);
            let concerned = statement.uses.iter().any(is_concerned);
            if concerned {
                let loops = (&*old_loops, &*loops);
                let judge = ComparedStatement { changes: &changes, calls: &calls, unit, at, before, loops };
                suspicions.extend(judge.into_arrays(&mut arrays));
            }
        }
    }
    suspicions.into_iter().for_each(|suspicion| suspicion.report(&mut arrays));
    count_gone(&aligned, &changes, &mut arrays);
    for array in arrays.values_mut() {
        let key = |used: &ComparedUse| (used.class, used.place.location());
        array.uses.sort_by_cached_key(key);
    }
    let paired_old: BTreeSet<usize> = aligned.units.iter().map(|&(old, _)| old).collect();
    let paired_new: BTreeSet<usize> = aligned.units.iter().map(|&(_, new)| new).collect();
    let names = |units: &[UnitSnapshot], paired: &BTreeSet<usize>| {
        units.iter().enumerate().filter(|(at, _)| !paired.contains(at)).map(|(_, unit)| unit.name.clone()).collect()
    };
    ProgramComparison {
        arrays: arrays.into_values().filter(|array| array.is_reported()).collect(),
        units: aligned.units.len(),
        gone: names(&old.units, &paired_old),
        added: names(&new.units, &paired_new),
        not_understood: new.units.iter().map(|unit| unit.not_understood).sum(),
    }
}

fn count_gone(aligned: &Aligned<'_>, changes: &Changes<'_>, arrays: &mut BTreeMap<String, ArrayReport>) {
    let new_of: HashMap<usize, usize> = aligned.units.iter().copied().collect();
    for (old, unit) in aligned.old.units.iter().enumerate() {
        let pairs = new_of.get(&old).and_then(|&new| aligned.statements[new].as_ref());
        let kept: HashSet<usize> = match pairs {
            Some((_, StatementPairs::InOrder)) => continue,
            Some((_, StatementPairs::ByNew(pairs))) => pairs.values().copied().collect(),
            None => HashSet::new(),
        };
        for (_, statement) in unit.statements.iter().enumerate().filter(|(at, _)| !kept.contains(at)) {
            for used in &statement.uses {
                let now = aligned.names.current(&used.array);
                if let Some(array) = arrays.get_mut(&now).filter(|_| changes.is_changed(&now)) {
                    array.gone += 1;
                }
            }
        }
    }
}
