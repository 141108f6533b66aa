//! Names that mean different things in one code base, made different: a package often holds several programs, and each
//! has its own main program, its own `decode`, its own COMMON block `/data/`.
//!
//! Units of one name in several files are called `name (file)`; a name from elsewhere means the one whose file is
//! nearest. Arrays of a COMMON block that were declared in several ways were several blocks, each called by what it
//! was: `/data (4,n)/x`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::snapshot::{Snapshot, StatementSnapshot, UnitSnapshot, list, top_name};

/// The kind of a unit that only declares a procedure.
pub const INTERFACE_BODY: &str = "interface body";

/// The name of a unit itself: without its hosts, and without what was added here.
pub fn plain_name(unit: &str) -> &str {
    let own = unit.rsplit("::").next().unwrap_or(unit);
    own.split_once(" (").map_or(own, |(name, _)| name)
}

/// Of some files the one that has most directories in common with another; the first of several.
pub fn nearest<'f, F: AsRef<str>>(files: impl IntoIterator<Item = &'f F>, to: &str) -> Option<&'f F> {
    let common = |file: &str| {
        let (one, other) = (Path::new(file).components(), Path::new(to).components());
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let mut best: Option<(usize, &'f F)> = None;
    for file in files {
        let shared = common(file.as_ref());
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, file));
        }
    }
    best.map(|(_, file)| file)
}

/// Makes the names of units that stand in several files different, in both programs alike.
pub fn units(old: &mut Snapshot, new: &mut Snapshot) {
    let owners = [&*old, &*new].map(owners);
    let in_several: BTreeSet<String> = owners
        .iter()
        .flat_map(|owners| owners.iter().filter(|(_, files)| files.len() > 1).map(|(name, _)| name.clone()))
        .collect();
    if in_several.is_empty() {
        return;
    }
    let new_name = |side: Side, unit: &UnitSnapshot, name: &str| -> Option<String> {
        let top = top_name(name);
        if !in_several.contains(top) {
            return None;
        }
        let files = owners[side as usize].get(top)?;
        let owner = if files.contains(&unit.file) { &unit.file } else { nearest(files, &unit.file)? };
        Some(format!("{top} ({owner}){}", &name[top.len()..]))
    };
    rename_arrays(old, new, &new_name);
    for (side, snapshot) in [(Side::Old, old), (Side::New, new)] {
        for unit in &mut snapshot.units {
            if let Some(name) = new_name(side, unit, &unit.name) {
                unit.name = name;
            }
        }
    }
}

/// For each name of a unit without host the files in which such a unit stands.
fn owners(snapshot: &Snapshot) -> BTreeMap<String, BTreeSet<String>> {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for unit in snapshot.units.iter().filter(|unit| unit.kind != INTERFACE_BODY && !unit.name.contains("::")) {
        owners.entry(unit.name.clone()).or_default().insert(unit.file.clone());
    }
    owners
}

/// One of the two programs.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

/// The other name of an array in a unit of one of the programs, if it gets one.
type NewName<'n> = &'n dyn Fn(Side, &UnitSnapshot, &str) -> Option<String>;

/// Gives arrays other names in all that units say of them. Statements that both programs share stay shared where both
/// give the same names.
fn rename_arrays(old: &mut Snapshot, new: &mut Snapshot, new_name: NewName<'_>) {
    let names = |side: Side, snapshot: &Snapshot| -> Vec<NewNames> {
        snapshot.units.iter().map(|unit| names_in(unit, side, new_name)).collect()
    };
    let (old_names, new_names) = (names(Side::Old, old), names(Side::New, new));
    let by_statements: HashMap<*const Vec<StatementSnapshot>, usize> =
        new.units.iter().enumerate().map(|(at, unit)| (Arc::as_ptr(&unit.statements), at)).collect();
    let mut shared: Vec<(usize, usize)> = Vec::new();
    for (at, unit) in old.units.iter_mut().enumerate() {
        let now = by_statements.get(&Arc::as_ptr(&unit.statements)).copied();
        if let Some(now) = now.filter(|&now| old_names[at] == new_names[now]) {
            // Left to the new unit alone meanwhile, so that renaming needs no copy.
            unit.statements = Arc::default();
            shared.push((at, now));
        }
    }
    for (side, snapshot, names) in [(Side::Old, &mut *old, old_names), (Side::New, &mut *new, new_names)] {
        for (unit, names) in snapshot.units.iter_mut().zip(&names) {
            rename_arrays_in(unit, names, &|unit, array| new_name(side, unit, array));
        }
    }
    for (before, now) in shared {
        old.units[before].statements = Arc::clone(&new.units[now].statements);
    }
}

/// The other names of arrays, by their names.
type NewNames = HashMap<Arc<str>, Arc<str>>;

/// The other names of the arrays that a unit uses.
fn names_in(unit: &UnitSnapshot, side: Side, new_name: NewName<'_>) -> NewNames {
    let mut met: HashSet<&str> = HashSet::new();
    let mut names = NewNames::new();
    for used in unit.statements.iter().flat_map(|statement| &statement.uses) {
        if met.insert(&used.array)
            && let Some(name) = new_name(side, unit, &used.array)
        {
            names.insert(Arc::clone(&used.array), name.into());
        }
    }
    names
}

/// Gives the arrays that a unit declares other names, and those that it uses the ones that are given.
fn rename_arrays_in(
    unit: &mut UnitSnapshot,
    names: &NewNames,
    declared: &dyn Fn(&UnitSnapshot, &str) -> Option<String>,
) {
    let declared: Vec<Option<String>> = unit.arrays.iter().map(|array| declared(unit, &array.array)).collect();
    for (array, name) in unit.arrays.iter_mut().zip(declared) {
        if let Some(name) = name {
            array.array = name;
        }
    }
    // Without a statement that is renamed they stay shared.
    if names.is_empty() || unit.statements.is_empty() {
        return;
    }
    for used in Arc::make_mut(&mut unit.statements).iter_mut().flat_map(|statement| &mut statement.uses) {
        if let Some(name) = names.get(&used.array) {
            used.array = Arc::clone(name);
        }
    }
}

/// Makes COMMON blocks different that were declared in different ways. `pairs`: units that are the same.
pub fn common_blocks(old: &mut Snapshot, new: &mut Snapshot, pairs: &[(usize, usize)]) {
    let old_of: HashMap<usize, usize> = pairs.iter().map(|&(old, new)| (new, old)).collect();
    let bounds = |unit: &UnitSnapshot, array: &str| {
        unit.arrays.iter().find(|declared| declared.array == array).map(|declared| list(Some(&declared.bounds)))
    };
    // What each array was: by what is declared now, and for each unit.
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut by_now: HashMap<(String, String), String> = HashMap::new();
    let mut of_new: HashMap<(String, String), String> = HashMap::new();
    let mut of_old: HashMap<(String, String), String> = HashMap::new();
    for unit in &old.units {
        for declared in unit.arrays.iter().filter(|declared| declared.array.starts_with('/')) {
            let was = list(Some(&declared.bounds));
            groups.entry(declared.array.clone()).or_default().insert(was.clone());
            of_old.insert((unit.name.clone(), declared.array.clone()), was);
        }
    }
    for matched in [true, false] {
        for (at, unit) in new.units.iter().enumerate() {
            for declared in unit.arrays.iter().filter(|declared| declared.array.starts_with('/')) {
                let now = list(Some(&declared.bounds));
                let was = old_of.get(&at).and_then(|&old_at| bounds(&old.units[old_at], &declared.array));
                if was.is_some() != matched {
                    continue;
                }
                let key = (declared.array.clone(), now.clone());
                let group = was.unwrap_or_else(|| by_now.get(&key).cloned().unwrap_or(now));
                by_now.entry(key).or_insert_with(|| group.clone());
                groups.entry(declared.array.clone()).or_default().insert(group.clone());
                of_new.insert((unit.name.clone(), declared.array.clone()), group);
            }
        }
    }
    groups.retain(|_, of_array| of_array.len() > 1);
    if groups.is_empty() {
        return;
    }
    let new_name = |side: Side, unit: &UnitSnapshot, array: &str| -> Option<String> {
        groups.get(array)?;
        let group_of = match side {
            Side::Old => &of_old,
            Side::New => &of_new,
        };
        // An internal procedure uses what its host declares.
        let mut at = Some(unit.name.as_str());
        let group = loop {
            let unit = at?;
            match group_of.get(&(unit.to_owned(), array.to_owned())) {
                Some(group) => break group,
                None => at = unit.rsplit_once("::").map(|(host, _)| host),
            }
        };
        let (block, own) = array.strip_prefix('/')?.rsplit_once('/')?;
        Some(format!("/{block} {group}/{own}"))
    };
    rename_arrays(old, new, &new_name);
}
