//! Names that mean different things in one code base, made different: a package often holds several programs, and each
//! has its own main program, its own `decode`, its own COMMON block `/data/`.
//!
//! Units of one name in several files are called `name (file)`; a name from elsewhere means the one whose file is
//! nearest. Arrays of a COMMON block that were declared in several ways were several blocks, each called by what it
//! was: `/data (4,n)/x`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::snapshot::{Shared, Snapshot, UnitSnapshot, list, top_name};

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
    for (snapshot, owners) in [old, new].into_iter().zip(&owners) {
        for unit in &mut snapshot.units {
            let file = unit.file.clone();
            let renamed = |name: &str| -> Option<String> {
                let top = top_name(name);
                if !in_several.contains(top) {
                    return None;
                }
                let files = owners.get(top)?;
                let owner = if files.contains(&file) { &file } else { nearest(files, &file)? };
                Some(format!("{top} ({owner}){}", &name[top.len()..]))
            };
            if let Some(name) = renamed(&unit.name) {
                unit.name = name;
            }
            rename_arrays(unit, &renamed);
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

/// Gives arrays other names in all that a unit says of them.
fn rename_arrays(unit: &mut UnitSnapshot, renamed: &dyn Fn(&str) -> Option<String>) {
    for declared in &mut unit.arrays {
        if let Some(name) = renamed(&declared.array) {
            declared.array = name;
        }
    }
    let names = Shared::default();
    for used in unit.statements.iter_mut().flat_map(|statement| &mut statement.uses) {
        if let Some(name) = renamed(&used.array) {
            used.array = names.get(name);
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
    for (snapshot, group_of) in [(old, &of_old), (new, &of_new)] {
        for unit in &mut snapshot.units {
            let name = unit.name.clone();
            let renamed = |array: &str| -> Option<String> {
                groups.get(array)?;
                // An internal procedure uses what its host declares.
                let mut at = Some(name.as_str());
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
            rename_arrays(unit, &renamed);
        }
    }
}
