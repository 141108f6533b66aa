//! The arrays that changed: their declarations and allocations side by side, and what became of their dimensions.

use std::collections::{BTreeMap, BTreeSet};

use super::affine::Subscript;
use super::aligned::{Aligned, NewNames, UseSite};
use super::layout::{self, Layout};
use super::report::{ArrayReport, ComparedUse, UseClass};
use super::snapshot::{ArrayDeclaration, Snapshot, UnitSnapshot, UseKind, list, own_name};
use super::verdict::{LoopChange, Pair};

/// What one program declares of an array: the declarations of all units that have it (of a COMMON block's, several),
/// and the bounds of its allocations.
#[derive(Default)]
struct ProgramDeclarations<'s> {
    all: Vec<&'s ArrayDeclaration>,
    allocated: BTreeSet<&'s [Subscript]>,
}

/// What is declared of an array before and now.
#[derive(Default)]
struct DeclarationPair<'s> {
    before: ProgramDeclarations<'s>,
    now: ProgramDeclarations<'s>,
}

/// The arrays that changed.
pub(super) struct Changes<'s> {
    declared: BTreeMap<String, DeclarationPair<'s>>,
    layouts: BTreeMap<String, Layout>,
    /// The bounds before and now.
    pub bounds: BTreeMap<String, (Vec<Subscript>, Vec<Subscript>)>,
    /// What old arrays are called now.
    pub names: NewNames,
}

impl<'s> Changes<'s> {
    pub fn new(aligned: &Aligned<'s>) -> Self {
        let mut declared: BTreeMap<String, DeclarationPair<'s>> = BTreeMap::new();
        let old_name = |array: &str| aligned.names.current(array);
        add_declarations(&mut declared, aligned.old, &old_name, |declared| &mut declared.before);
        add_declarations(&mut declared, aligned.new, &str::to_owned, |declared| &mut declared.now);
        let moved = aligned.moved();
        let mut bounds: BTreeMap<String, (Vec<Subscript>, Vec<Subscript>)> = BTreeMap::new();
        for (array, declared) in &declared {
            let (Some(before), Some(now)) = (declared.bounds_before(), declared.bounds_now()) else { continue };
            if before != now || moved.contains(array.as_str()) {
                bounds.insert(array.clone(), (before.to_vec(), now.to_vec()));
            }
        }
        let uses = aligned.uses(&|array| bounds.contains_key(array));
        let layout = |(array, (before, now)): (&String, &(Vec<Subscript>, Vec<Subscript>))| {
            let uses = uses.get(array.as_str()).map(Vec::as_slice).unwrap_or_default();
            (array.clone(), layout::deduce(before, now, &|layout| votes(layout, uses)))
        };
        let layouts = bounds.iter().map(layout).collect();
        Changes { declared, layouts, bounds, names: aligned.names.clone() }
    }

    /// The arrays whose layout changed and is known.
    pub fn changed_layouts(&self) -> BTreeMap<String, Layout> {
        let changed = self.layouts.iter().filter(|(_, layout)| layout.is_known && !layout.is_same());
        changed.map(|(array, layout)| (array.clone(), layout.clone())).collect()
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
    pub fn reported(&self) -> BTreeMap<String, ArrayReport> {
        let mut arrays = BTreeMap::new();
        for (name, declared) in &self.declared {
            let (before, now) = (declared.before.all.first(), declared.changed_now());
            let (Some(before), Some(now)) = (before, now) else { continue };
            let layout = self.layout(name, now.bounds.len());
            let mut array = ArrayReport {
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

impl<'s> DeclarationPair<'s> {
    /// Of the declarations of today one that is new, if there is one.
    fn changed_now(&self) -> Option<&'s ArrayDeclaration> {
        let is_new = |now: &&&'s ArrayDeclaration| self.before.all.iter().all(|before| before.bounds != now.bounds);
        self.now.all.iter().find(is_new).or(self.now.all.first()).copied()
    }

    fn bounds_before(&self) -> Option<&'s [Subscript]> {
        let declared = self.before.all.first()?.bounds.as_ref();
        Some(self.before.allocations_of(declared).next().unwrap_or(declared))
    }

    /// Of the bounds of today those that are new, if there are some.
    fn bounds_now(&self) -> Option<&'s [Subscript]> {
        let declared = self.changed_now()?.bounds.as_ref();
        let new = self.now.allocations_of(declared).find(|bounds| !self.before.allocated.contains(bounds));
        Some(new.or_else(|| self.now.allocations_of(declared).next()).unwrap_or(declared))
    }

    /// Declarations of a COMMON block's array that are as they were while others changed.
    fn left_behind(&self, changed: &'s ArrayDeclaration) -> Vec<ComparedUse> {
        let is_old = |now: &&&ArrayDeclaration| {
            now.bounds != changed.bounds && self.before.all.iter().any(|before| before.bounds == now.bounds)
        };
        let outcome = |now: &&ArrayDeclaration| {
            let why = format!(
                "'{}' is declared as '{}' here, and as '{}' elsewhere",
                own_name(&now.array),
                list(Some(&now.bounds)),
                list(Some(&changed.bounds))
            );
            ComparedUse::of_declaration(now, "", why)
        };
        self.now.all.iter().filter(is_old).map(outcome).collect()
    }
}

/// Adds what a program declares to one side of what is declared, by the names that arrays have now.
fn add_declarations<'s>(
    declared: &mut BTreeMap<String, DeclarationPair<'s>>,
    program: &'s Snapshot,
    name: &dyn Fn(&str) -> String,
    side: for<'d> fn(&'d mut DeclarationPair<'s>) -> &'d mut ProgramDeclarations<'s>,
) {
    for unit in &program.units {
        for one in &unit.arrays {
            side(declared.entry(name(&one.array)).or_default()).all.push(one);
        }
        for (array, bounds) in allocations(unit) {
            side(declared.entry(name(array)).or_default()).allocated.insert(bounds);
        }
    }
}

impl<'s> ProgramDeclarations<'s> {
    /// The bounds of allocations that fit a declaration which leaves its bounds to them.
    fn allocations_of(&self, declared: &[Subscript]) -> impl Iterator<Item = &'s [Subscript]> {
        let (rank, is_deferred) = (declared.len(), is_deferred(declared));
        self.allocated.iter().copied().filter(move |bounds| is_deferred && bounds.len() == rank)
    }
}

/// Whether bounds are left to an allocation.
fn is_deferred(bounds: &[Subscript]) -> bool {
    bounds.iter().all(|bound| matches!(bound, Subscript::Section(None, None, None)))
}

fn allocations(unit: &UnitSnapshot) -> impl Iterator<Item = (&str, &[Subscript])> {
    let uses = unit.statements.iter().flat_map(|statement| &statement.uses);
    uses.filter(|used| used.role == UseKind::Allocate)
        .filter_map(|used| Some((&*used.array, used.subscripts.as_deref()?)))
}

/// How many uses follow a layout.
fn votes(layout: &Layout, uses: &[(UseSite<'_>, UseSite<'_>)]) -> usize {
    let no_loops = LoopChange::default();
    let follows = |(before, now): &&(UseSite<'_>, UseSite<'_>)| {
        let (old, new) = (before.used(), now.used());
        new.subscripts.is_some()
            && Pair { old, new, layout, bounds: (&[], &[]), loops: &no_loops, in_subscripts: &[] }.verdict().class
                == UseClass::Follows
    };
    uses.iter().filter(follows).count()
}
