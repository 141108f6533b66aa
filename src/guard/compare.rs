//! Two snapshots side by side: which arrays changed, and what became of their uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::affine::Subscript;
use super::calls::Calls;
use super::judge::{LoopChange, Pair, Verdict};
use super::layout::{self, Layout};
use super::matching;
use super::region::{self, Specified};
use super::snapshot::{Declaration, Loop, Place, Role, Snapshot, Statement, Unit, Use, list, own_name};

/// The classes of uses, the most suspicious first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// It changed beyond what the layout explains.
    DiffersOtherwise,
    /// It is as it was, and may not be.
    StillOld,
    /// An argument whose shape the dummy argument has no more.
    Argument,
    /// It can't be said.
    NotCompared,
    /// It is the old one, transformed.
    Follows,
}

/// A use with its class.
#[derive(Clone, Debug)]
pub struct JudgedUse {
    /// The class.
    pub class: Class,
    /// The unit it stands in.
    pub unit: String,
    /// What is said of it, in a sentence; empty if it follows.
    pub why: String,
    /// The use.
    pub place: Place,
    /// The subscripts to blame, each with what it would be.
    pub subscripts: Vec<(Place, String)>,
    /// The statement: its file is that of the place, its number that of the tree.
    pub statement: (Place, u32),
}

/// An array with what became of it.
#[derive(Clone, Debug)]
pub struct Array {
    /// Which array, as it is called now.
    pub array: String,
    /// Its declaration before.
    pub before: Option<Declaration>,
    /// Its declaration now.
    pub now: Option<Declaration>,
    /// What became of its dimensions.
    pub layout: Layout,
    /// Its uses in the new program, by class, then place.
    pub uses: Vec<JudgedUse>,
    /// Uses in statements that are gone.
    pub gone: usize,
}

impl Array {
    /// How many uses are of a class.
    pub fn count(&self, class: Class) -> usize {
        self.uses.iter().filter(|used| used.class == class).count()
    }

    /// Whether its uses have to change.
    pub fn is_changed(&self) -> bool {
        !self.layout.is_same()
    }
}

/// What comparing gives.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The arrays whose layout or declaration changed, or of whose uses something is to be told, by name.
    pub arrays: Vec<Array>,
    /// Units that are the same.
    pub units: usize,
    /// Units that are gone, and those that are new.
    pub gone: Vec<String>,
    /// Units that are new.
    pub added: Vec<String>,
}

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

/// Compares two programs.
pub fn compare(old: &Snapshot, new: &Snapshot) -> Comparison {
    let aligned = Aligned::new(old, new);
    let changes = Changes::new(&aligned);
    let calls = Calls::new(&aligned, &changes);
    let mut arrays: BTreeMap<String, Array> = changes.reported();
    let mut suspicions = Vec::new();
    for (unit, pairs) in new.units.iter().zip(&aligned.statements) {
        for (at, statement) in unit.statements.iter().enumerate() {
            let before = pairs.as_ref().and_then(|(was, pairs)| Some((*was, *pairs.get(&at)?)));
            let concerned = statement.uses.iter().any(|used| changes.is_changed(&used.array));
            if concerned {
                let judge = JudgedStatement { changes: &changes, calls: &calls, unit, at, before };
                suspicions.extend(judge.into_arrays(&mut arrays));
            }
        }
    }
    suspicions.into_iter().for_each(|suspicion| suspicion.tell(&mut arrays));
    count_gone(&aligned, &changes, &mut arrays);
    for array in arrays.values_mut() {
        let key = |used: &JudgedUse| (used.class, used.place.location());
        array.uses.sort_by_cached_key(key);
    }
    let paired_old: BTreeSet<usize> = aligned.units.iter().map(|&(old, _)| old).collect();
    let paired_new: BTreeSet<usize> = aligned.units.iter().map(|&(_, new)| new).collect();
    let names = |units: &[Unit], paired: &BTreeSet<usize>| {
        units.iter().enumerate().filter(|(at, _)| !paired.contains(at)).map(|(_, unit)| unit.name.clone()).collect()
    };
    Comparison {
        arrays: arrays.into_values().filter(|array| array.is_to_be_told()).collect(),
        units: aligned.units.len(),
        gone: names(&old.units, &paired_old),
        added: names(&new.units, &paired_new),
    }
}

impl Array {
    /// The array of a use, of which nothing is known to have changed unless it is there already.
    fn of_use<'a>(arrays: &'a mut BTreeMap<String, Array>, used: &Use) -> &'a mut Array {
        arrays.entry(used.array.clone()).or_insert_with(|| Array {
            array: used.array.clone(),
            before: None,
            now: None,
            layout: Layout::same(used.subscripts.as_ref().map_or(0, Vec::len)),
            uses: Vec::new(),
            gone: 0,
        })
    }

    fn is_to_be_told(&self) -> bool {
        let declared = |declaration: &Option<Declaration>| {
            declaration.as_ref().map(|one| (list(Some(&one.bounds)), one.kind.clone(), one.type_.clone()))
        };
        self.is_changed()
            || declared(&self.before) != declared(&self.now)
            || self.uses.iter().any(|used| used.class < Class::NotCompared)
    }
}

fn count_gone(aligned: &Aligned<'_>, changes: &Changes<'_>, arrays: &mut BTreeMap<String, Array>) {
    for (old, unit) in aligned.old.units.iter().enumerate() {
        let kept = aligned.old_statements.get(&old);
        for (at, statement) in unit.statements.iter().enumerate() {
            if kept.is_some_and(|kept| kept.contains(&at)) {
                continue;
            }
            for used in &statement.uses {
                let now = aligned.new_name(&used.array);
                if let Some(array) = arrays.get_mut(&now).filter(|_| changes.is_changed(&now)) {
                    array.gone += 1;
                }
            }
        }
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
    fn new(old: &'s Snapshot, new: &'s Snapshot) -> Self {
        let units = matching::units(old, new);
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
    fn uses(&self) -> Vec<(At<'s>, At<'s>)> {
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

/// What is declared of an array: the declarations of all units that have it (of a COMMON block's, several).
#[derive(Default)]
struct Declared<'s> {
    before: Vec<&'s Declaration>,
    now: Vec<&'s Declaration>,
    /// The bounds of its allocations.
    allocated_before: BTreeSet<&'s [Subscript]>,
    allocated_now: BTreeSet<&'s [Subscript]>,
}

/// The arrays that changed.
pub(super) struct Changes<'s> {
    declared: BTreeMap<String, Declared<'s>>,
    layouts: BTreeMap<String, Layout>,
    bounds: BTreeMap<String, (Vec<Subscript>, Vec<Subscript>)>,
    new_names: HashMap<String, String>,
}

impl<'s> Changes<'s> {
    fn new(aligned: &Aligned<'s>) -> Self {
        let mut declared: BTreeMap<String, Declared<'s>> = BTreeMap::new();
        for unit in &aligned.old.units {
            for one in &unit.arrays {
                declared.entry(aligned.new_name(&one.array)).or_default().before.push(one);
            }
            for (array, bounds) in allocations(unit) {
                declared.entry(aligned.new_name(array)).or_default().allocated_before.insert(bounds);
            }
        }
        for unit in &aligned.new.units {
            for one in &unit.arrays {
                declared.entry(one.array.clone()).or_default().now.push(one);
            }
            for (array, bounds) in allocations(unit) {
                declared.entry(array.to_owned()).or_default().allocated_now.insert(bounds);
            }
        }
        let mut uses: HashMap<&str, Vec<(At<'s>, At<'s>)>> = HashMap::new();
        for (before, now) in aligned.uses() {
            uses.entry(now.used().array.as_str()).or_default().push((before, now));
        }
        let mut changes =
            Changes { declared, layouts: BTreeMap::new(), bounds: BTreeMap::new(), new_names: HashMap::new() };
        for (array, declared) in &changes.declared {
            let (Some(before), Some(now)) = (declared.bounds_before(), declared.bounds_now()) else { continue };
            let uses = uses.get(array.as_str()).map(Vec::as_slice).unwrap_or_default();
            let may_have_changed =
                before != now || uses.iter().any(|(old, new)| old.used().subscripts != new.used().subscripts);
            if may_have_changed {
                let layout = layout::deduce(before, now, &|layout| votes(layout, uses));
                changes.layouts.insert(array.clone(), layout);
                changes.bounds.insert(array.clone(), (before.to_vec(), now.to_vec()));
            }
        }
        for unit in &aligned.old.units {
            for used in unit.statements.iter().flat_map(|statement| &statement.uses) {
                if !changes.new_names.contains_key(&used.array) {
                    changes.new_names.insert(used.array.clone(), aligned.new_name(&used.array));
                }
            }
        }
        changes
    }

    /// What an old array is called now.
    pub fn new_name(&self, array: &str) -> String {
        self.new_names.get(array).cloned().unwrap_or_else(|| array.to_owned())
    }

    /// Whether the layout of an array changed.
    pub fn is_changed(&self, array: &str) -> bool {
        self.layouts.get(array).is_some_and(|layout| !layout.is_same())
    }

    /// What became of the dimensions of an array, which has this rank.
    pub fn layout(&self, array: &str, rank: usize) -> Layout {
        self.layouts.get(array).cloned().unwrap_or_else(|| Layout::same(rank))
    }

    /// The rank of an array before and now, by its declarations.
    pub fn ranks(&self, array: &str) -> Option<(usize, usize)> {
        let declared = self.declared.get(array)?;
        Some((declared.bounds_before()?.len(), declared.bounds_now()?.len()))
    }

    /// The arrays whose declaration changed.
    fn reported(&self) -> BTreeMap<String, Array> {
        let mut arrays = BTreeMap::new();
        for (name, declared) in &self.declared {
            let (before, now) = (declared.before.first(), declared.changed_now());
            let (Some(before), Some(now)) = (before, now) else { continue };
            let layout = self.layout(name, now.bounds.len());
            let mut array = Array {
                array: name.clone(),
                before: Some((*before).clone()),
                now: Some(now.clone()),
                uses: Vec::new(),
                gone: 0,
                layout,
            };
            if array.is_changed() {
                array.uses.extend(declared.left_behind(now));
            }
            arrays.insert(name.clone(), array);
        }
        arrays
    }
}

impl<'s> Declared<'s> {
    /// Of the declarations of today one that is new, if there is one.
    fn changed_now(&self) -> Option<&'s Declaration> {
        let is_new = |now: &&&'s Declaration| self.before.iter().all(|before| before.bounds != now.bounds);
        self.now.iter().find(is_new).or(self.now.first()).copied()
    }

    fn bounds_before(&self) -> Option<&'s [Subscript]> {
        let declared = self.before.first()?.bounds.as_slice();
        let allocated = self.allocated_before.iter().copied().filter(|bounds| bounds.len() == declared.len());
        Some(if is_deferred(declared) { allocated.into_iter().next().unwrap_or(declared) } else { declared })
    }

    fn bounds_now(&self) -> Option<&'s [Subscript]> {
        let declared = self.changed_now()?.bounds.as_slice();
        if !is_deferred(declared) {
            return Some(declared);
        }
        let fits = |bounds: &&&'s [Subscript]| bounds.len() == declared.len();
        let is_new = |bounds: &&&'s [Subscript]| !self.allocated_before.contains(**bounds);
        let new = self.allocated_now.iter().filter(fits).find(is_new);
        Some(new.or_else(|| self.allocated_now.iter().find(fits)).copied().unwrap_or(declared))
    }

    /// Declarations of a COMMON block's array that are as they were while others changed.
    fn left_behind(&self, changed: &'s Declaration) -> Vec<JudgedUse> {
        let is_old = |now: &&&Declaration| {
            now.bounds != changed.bounds && self.before.iter().any(|before| before.bounds == now.bounds)
        };
        let judged = |now: &&Declaration| JudgedUse {
            class: Class::StillOld,
            unit: String::new(),
            why: format!(
                "'{}' is declared as '{}' here, and as '{}' elsewhere",
                own_name(&now.array),
                list(Some(&now.bounds)),
                list(Some(&changed.bounds))
            ),
            place: now.place.clone(),
            subscripts: Vec::new(),
            statement: (now.place.clone(), u32::MAX),
        };
        self.now.iter().filter(is_old).map(judged).collect()
    }
}

/// Whether bounds are left to an allocation.
fn is_deferred(bounds: &[Subscript]) -> bool {
    bounds.iter().all(|bound| matches!(bound, Subscript::Section(None, None, None)))
}

fn allocations(unit: &Unit) -> impl Iterator<Item = (&str, &[Subscript])> {
    let uses = unit.statements.iter().flat_map(|statement| &statement.uses);
    uses.filter(|used| used.role == Role::Allocate)
        .filter_map(|used| Some((used.array.as_str(), used.subscripts.as_deref()?)))
}

/// How many uses follow a layout.
fn votes(layout: &Layout, uses: &[(At<'_>, At<'_>)]) -> usize {
    let no_loops = LoopChange::default();
    let follows = |(before, now): &&(At<'_>, At<'_>)| {
        let (old, new) = (before.used(), now.used());
        new.subscripts.is_some()
            && Pair { old, new, layout, bounds: (&[], &[]), loops: &no_loops }.verdict() == Verdict::Follows
    };
    uses.iter().filter(follows).count()
}

/// The loops around a statement, and its own, from the outside.
fn loops_around(unit: &Unit, at: usize) -> Vec<&Loop> {
    let mut depth = unit.statements[at].depth;
    let mut groups = vec![&unit.statements[at].loops];
    for statement in unit.statements[..at].iter().rev() {
        if depth == 0 {
            break;
        }
        if !statement.loops.is_empty() && statement.depth < depth {
            groups.push(&statement.loops);
            depth = statement.depth;
        }
    }
    groups.into_iter().rev().flatten().collect()
}

/// A statement that uses an array whose layout changed.
struct JudgedStatement<'a, 's> {
    changes: &'a Changes<'s>,
    calls: &'a Calls<'a, 's>,
    unit: &'s Unit,
    at: usize,
    /// Its old unit, and its number there.
    before: Option<(&'s Unit, usize)>,
}

impl<'s> JudgedStatement<'_, 's> {
    fn statement(&self) -> &'s Statement {
        &self.unit.statements[self.at]
    }

    /// Judges every use of the statement; those of arrays that didn't change are told only if they differ. Gives the arrays of which
    /// something else may have changed.
    fn into_arrays(self, arrays: &mut BTreeMap<String, Array>) -> Vec<Suspicion> {
        let mut verdicts = self.verdicts();
        let suspicions = self.by_regions(&mut verdicts);
        for (used, judged) in self.statement().uses.iter().zip(verdicts) {
            let Judged { class, why, subscripts, .. } = judged;
            let is_changed = self.changes.is_changed(&used.array);
            if !is_changed && class >= Class::NotCompared {
                continue;
            }
            let blamed = subscripts.into_iter().filter_map(|(at, label)| Some((used.places.get(at)?.clone(), label)));
            let blamed = blamed.collect();
            Array::of_use(arrays, used).uses.push(JudgedUse { subscripts: blamed, ..self.judged(used, class, why) });
        }
        suspicions
    }

    fn judged(&self, used: &Use, class: Class, why: String) -> JudgedUse {
        JudgedUse {
            class,
            unit: self.unit.name.clone(),
            why,
            place: used.place.clone(),
            subscripts: Vec::new(),
            statement: (self.statement().place.clone(), self.statement().id),
        }
    }

    fn verdicts(&self) -> Vec<Judged> {
        let statement = self.statement();
        let Some((old_unit, old_at)) = self.before else {
            return statement.uses.iter().map(|used| self.verdict_on_new(used)).collect();
        };
        let old = &old_unit.statements[old_at];
        let (old_loops, new_loops) = (loops_around(old_unit, old_at), loops_around(self.unit, self.at));
        let loops = LoopChange::between(&old_loops, &new_loops);
        let pairs: HashMap<usize, usize> = matching::uses(old, statement, &|array| self.changes.new_name(array))
            .into_iter()
            .map(|(old, new)| (new, old))
            .collect();
        let of_use = |(at, used): (usize, &'s Use)| match pairs.get(&at) {
            None => self.verdict_on_new(used),
            Some(&before) => self.verdict(&old.uses[before], used, &loops, (&old_loops, &new_loops)),
        };
        statement.uses.iter().enumerate().map(of_use).collect()
    }

    fn verdict(&self, old: &'s Use, new: &'s Use, loops: &LoopChange, around: (&[&Loop], &[&Loop])) -> Judged {
        if let (Role::Argument(..), Some(told)) =
            (&new.role, self.calls.verdict(self.unit, self.before.map(|(unit, _)| unit), old, new))
        {
            return told;
        }
        if old.subscripts.is_none() && new.subscripts.is_none() && !matches!(new.role, Role::Inquiry(..)) {
            return self.whole(new);
        }
        let layout = self.changes.layout(&new.array, new.subscripts.as_ref().map_or(0, Vec::len));
        let (empty_before, empty_now) = (Vec::new(), Vec::new());
        let bounds = self.changes.bounds.get(&new.array);
        let (before, now) = bounds.map_or((&empty_before, &empty_now), |(before, now)| (before, now));
        let pair = Pair { old, new, layout: &layout, bounds: (before, now), loops };
        let mut judged = Judged::from(pair.verdict());
        if let (Some(was), Some(is)) = (&old.subscripts, &new.subscripts) {
            let may_be = |at: &usize| match layout.from.get(*at).copied().flatten().and_then(|from| was.get(from)) {
                Some(was) => !is_plain(was, around.0) || !is_plain(&is[*at], around.1),
                None => false,
            };
            judged.may_be_rewritten =
                !judged.subscripts.is_empty() && judged.subscripts.iter().all(|(at, _)| may_be(at));
        }
        judged
    }

    /// A use that had no counterpart.
    fn verdict_on_new(&self, used: &Use) -> Judged {
        let layout = self.changes.layout(&used.array, 0);
        match &used.subscripts {
            Some(subscripts) if self.changes.is_changed(&used.array) && subscripts.len() != layout.rank() => {
                let why = format!(
                    "'{}' has {} subscripts, and the array has rank {} now",
                    used.text(),
                    subscripts.len(),
                    layout.rank()
                );
                Judged::new(Class::StillOld, why)
            }
            _ => Judged::new(Class::NotCompared, format!("'{}' is new here", used.text())),
        }
    }

    /// An array that was and is used as a whole.
    fn whole(&self, new: &Use) -> Judged {
        let layout = self.changes.layout(&new.array, 0);
        if layout.is_same() || !self.changes.is_changed(&new.array) {
            return Judged::follows();
        }
        let name = &new.name;
        let not_compared = |why: String| Judged::new(Class::NotCompared, why);
        match &new.role {
            Role::InputOutput if layout.moves_dimensions() => not_compared(format!(
                "'{name}' is transferred as a whole: number or order of its elements is another now"
            )),
            Role::Data if layout.moves_dimensions() => not_compared(format!(
                "'{name}' gets its values as a whole: number or order of its elements is another now"
            )),
            Role::Read | Role::Write if layout.moves_dimensions() => self.conforms(new, &layout),
            Role::Argument(procedure, _) if layout.moves_dimensions() && self.calls.is_of_order(procedure) => {
                not_compared(format!("'{name}' is given to {} as a whole", procedure.to_uppercase()))
            }
            _ => Judged::follows(),
        }
    }

    /// Whether arrays that are used as a whole in one assignment still conform, dimension by dimension.
    fn conforms(&self, new: &Use, layout: &Layout) -> Judged {
        let others = self.statement().uses.iter().filter(|other| {
            other.array != new.array && other.subscripts.is_none() && matches!(other.role, Role::Read | Role::Write)
        });
        for other in others {
            let rank = match self.changes.ranks(&other.array) {
                Some((_, now)) => now,
                None => continue,
            };
            let of_other = self.changes.layout(&other.array, rank);
            if (of_other.rank(), &of_other.from) != (layout.rank(), &layout.from) {
                let why = format!(
                    "'{}' and '{}' are used as wholes, and their dimensions don't correspond any more",
                    new.name, other.name
                );
                return Judged::new(Class::StillOld, why);
            }
        }
        Judged::follows()
    }

    /// Where subscripts are written in another way, the specifications decide; where they are not, the specifications may still
    /// differ.
    fn by_regions(&self, verdicts: &mut [Judged]) -> Vec<Suspicion> {
        let mut suspicions = Vec::new();
        let Some((old_unit, old_at)) = self.before else { return suspicions };
        let (old, new) = (&old_unit.statements[old_at], self.statement());
        let left = new.uses.iter().zip(&*verdicts).find(|(used, _)| used.role == Role::Write);
        let left_follows = left.is_none_or(|(_, verdict)| verdict.class == Class::Follows);
        let all_follow = verdicts.iter().all(|verdict| verdict.class >= Class::NotCompared);
        let mut arrays: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, used) in new.uses.iter().enumerate().filter(|(_, used)| used.role != Role::Write) {
            arrays.entry(used.array.as_str()).or_default().push(at);
        }
        for (array, uses) in arrays {
            let Some((before, now, layout, shift)) = self.specified(old, new, array, &uses) else { continue };
            match region::follows(&before, &now, &layout, &shift) {
                Some(true) if left_follows => {
                    for at in uses {
                        if verdicts[at].may_be_rewritten {
                            verdicts[at] = Judged::follows();
                        }
                    }
                }
                Some(false) if all_follow => {
                    let used = &new.uses[uses[0]];
                    let why = format!(
                        "Every use of '{}' follows, but it was '{}', and is '{}'",
                        used.name, before.text, now.text
                    );
                    let told = self.judged(used, Class::DiffersOtherwise, why);
                    suspicions.push(Suspicion { used: used.clone(), told });
                }
                _ => {}
            }
        }
        suspicions
    }

    /// What was and is specified of an array in this statement, and how its indices moved against those of the left side.
    fn specified(
        &self,
        old: &Statement,
        new: &Statement,
        array: &str,
        uses: &[usize],
    ) -> Option<(Specified, Specified, Layout, Vec<i64>)> {
        let used = &new.uses[*uses.first()?];
        let rank = used.subscripts.as_ref()?.len();
        let layout = self.changes.layout(array, rank);
        if layout.rank() != rank {
            return None;
        }
        let old_name = old.uses.iter().find(|was| self.changes.new_name(&was.array) == array).map(|was| &was.name)?;
        let before = region::specified(&old.specifications, old_name, layout.old_rank)?;
        let now = region::specified(&new.specifications, &used.name, rank)?;
        let left = new.uses.iter().find(|used| used.role == Role::Write);
        let shift_of_left = |variable: &str| {
            let left = left?;
            let subscripts = left.subscripts.as_ref()?;
            let layout = self.changes.layout(&left.array, subscripts.len());
            let is_over = |index: &Subscript| matches!(index, Subscript::Index(index) if index.is_over(variable));
            subscripts.iter().position(is_over).and_then(|at| layout.shift.get(at).copied())
        };
        let shift = used.subscripts.as_ref()?.iter().enumerate().map(|(at, index)| match index {
            Subscript::Index(index) => layout.shift[at] - shift_of_left(&index.terms).unwrap_or(0),
            _ => layout.shift[at],
        });
        let shift = shift.collect();
        Some((before, now, layout, shift))
    }
}

/// An array whose specification changed beyond what the layout explains, although its uses in the statement follow.
struct Suspicion {
    used: Use,
    told: JudgedUse,
}

impl Suspicion {
    /// Tells it, unless a use that flows to the statement may be the cause, which is told then.
    fn tell(self, arrays: &mut BTreeMap<String, Array>) {
        let array = Array::of_use(arrays, &self.used);
        let is_suspicious = |used: &JudgedUse| used.class < Class::NotCompared && used.unit == self.told.unit;
        if !array.uses.iter().any(is_suspicious) {
            let here = self.told.place.location();
            array.uses.retain(|used| used.place.location() != here);
            array.uses.push(self.told);
        }
    }
}

/// What is said of one use.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub class: Class,
    pub why: String,
    /// The subscripts to blame, from 0, each with what it would be.
    pub subscripts: Vec<(usize, String)>,
    /// Whether it differs in nothing but how an index may be written: `a(im1)` is `a(i-1)` now.
    may_be_rewritten: bool,
}

impl Judged {
    pub fn new(class: Class, why: String) -> Self {
        Judged { class, why, subscripts: Vec::new(), may_be_rewritten: false }
    }

    pub fn follows() -> Self {
        Judged::new(Class::Follows, String::new())
    }
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Follows => Judged::follows(),
            Verdict::StillOld(why) => Judged::new(Class::StillOld, why),
            Verdict::Differs { why, subscripts } => Judged { subscripts, ..Judged::new(Class::DiffersOtherwise, why) },
            Verdict::NotCompared(why) => Judged::new(Class::NotCompared, why),
        }
    }
}

/// Whether an index is a loop's variable, perhaps shifted, or a number: then what is written says what is read.
fn is_plain(index: &Subscript, loops: &[&Loop]) -> bool {
    match index {
        Subscript::Index(index) => index.terms.is_empty() || loops.iter().any(|one| index.is_over(&one.variable)),
        _ => true,
    }
}
