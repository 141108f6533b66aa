//! A statement that uses an array whose layout changed: the verdict on each of its uses, first by the text of the
//! subscripts, then by how uses are combined with each other, then by the specifications of the whole statement.

use std::collections::{BTreeMap, HashMap};

use thin_vec::ThinVec;

use super::affine::{Subscript, Sum, is_over};
use super::calls::Calls;
use super::changes::Changes;
use super::layout::Layout;
use super::matching;
use super::region::{self, Specified};
use super::report::{ArrayReport, ComparedUse, UseClass};
use super::snapshot::{ArrayUse, LoopBounds, StatementSnapshot, UnitSnapshot, UseKind};
use super::verdict::{self, LoopChange, Pair, Verdict};
use crate::intrinsics::{self, ResultShape};

/// The loops of a unit.
pub(super) struct UnitLoops<'s> {
    unit: &'s UnitSnapshot,
    /// For each statement the number of that with the innermost loops around it.
    around: Vec<Option<usize>>,
}

impl<'s> UnitLoops<'s> {
    pub fn new(unit: &'s UnitSnapshot) -> Self {
        let mut open: Vec<usize> = Vec::new();
        let around = unit.statements.iter().enumerate().map(|(at, statement)| {
            while open.pop_if(|last| unit.statements[*last].depth >= statement.depth).is_some() {}
            let around = open.last().copied();
            if !statement.loops.is_empty() {
                open.push(at);
            }
            around
        });
        let around = around.collect();
        UnitLoops { unit, around }
    }

    /// The loops around a statement, and its own, from the outside.
    fn around(&self, at: usize) -> Vec<&'s LoopBounds> {
        let groups = std::iter::successors(Some(at), |&at| self.around[at]).map(|at| &self.unit.statements[at].loops);
        let groups: Vec<&ThinVec<LoopBounds>> = groups.collect();
        groups.into_iter().rev().flatten().collect()
    }
}

/// A statement that uses an array whose layout changed.
pub(super) struct ComparedStatement<'a, 's> {
    pub changes: &'a Changes<'s>,
    pub calls: &'a Calls<'a, 's>,
    pub unit: &'s UnitSnapshot,
    /// Its number in the unit.
    pub at: usize,
    /// Its old unit, and its number there.
    pub before: Option<(&'s UnitSnapshot, usize)>,
    /// The loops of the old unit and of the new one.
    pub loops: (&'a UnitLoops<'s>, &'a UnitLoops<'s>),
}

/// What the uses of a statement have in common.
struct Around<'a> {
    /// The loops around the old statement.
    old: &'a [&'a LoopBounds],
    /// The loops around the new one.
    new: &'a [&'a LoopBounds],
    /// What became of them.
    change: &'a LoopChange,
    /// The arrays with another layout that the new statement has in subscripts.
    in_subscripts: &'a [&'a str],
}

impl<'s> ComparedStatement<'_, 's> {
    fn statement(&self) -> &'s StatementSnapshot {
        &self.unit.statements[self.at]
    }

    /// Judges every use of the statement; those of arrays that didn't change are told only if they differ. Gives the
    /// arrays of which something else may have changed.
    pub fn into_arrays(self, arrays: &mut BTreeMap<String, ArrayReport>) -> Vec<Suspicion> {
        let mut verdicts = self.verdicts();
        let suspicions = self.by_regions(&mut verdicts);
        for (used, outcome) in self.statement().uses.iter().zip(verdicts) {
            let Verdict { class, why, subscripts, .. } = outcome;
            let is_changed = self.changes.is_changed(&used.array);
            if !is_changed && class >= UseClass::NotCompared {
                continue;
            }
            let blamed = subscripts.into_iter().filter_map(|(at, label)| Some((used.places.get(at)?.clone(), label)));
            let blamed = blamed.collect();
            ArrayReport::of_use(arrays, used)
                .uses
                .push(ComparedUse { subscripts: blamed, ..self.compared(used, class, why) });
        }
        suspicions
    }

    fn compared(&self, used: &ArrayUse, class: UseClass, why: String) -> ComparedUse {
        ComparedUse {
            class,
            unit: self.unit.name.clone(),
            why,
            notes: Vec::new(),
            place: used.place.clone(),
            subscripts: Vec::new(),
            statement: self.statement().place.clone(),
        }
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let statement = self.statement();
        let Some((old_unit, old_at)) = self.before else {
            return statement.uses.iter().map(|used| self.verdict_on_new(used)).collect();
        };
        let old = &old_unit.statements[old_at];
        let (old_loops, new_loops) = (self.loops.0.around(old_at), self.loops.1.around(self.at));
        let loops = LoopChange::between(&old_loops, &new_loops);
        let pairs: HashMap<usize, usize> = matching::uses(old, statement, &|array| self.changes.names.current(array))
            .into_iter()
            .map(|(old, new)| (new, old))
            .collect();
        let is_in_subscript = |used: &&ArrayUse| used.role == UseKind::Index && self.changes.is_changed(&used.array);
        let in_subscripts: Vec<&str> = statement.uses.iter().filter(is_in_subscript).map(|used| &*used.name).collect();
        let around = Around { old: &old_loops, new: &new_loops, change: &loops, in_subscripts: &in_subscripts };
        let of_use = |(at, used): (usize, &'s ArrayUse)| match pairs.get(&at) {
            None => self.verdict_on_new(used),
            Some(&before) => self.verdict(&old.uses[before], used, &around),
        };
        let mut verdicts: Vec<Verdict> = statement.uses.iter().enumerate().map(of_use).collect();
        self.conformity(old, &pairs, &mut verdicts);
        verdicts
    }

    fn verdict(&self, old: &'s ArrayUse, new: &'s ArrayUse, around: &Around<'_>) -> Verdict {
        if let (UseKind::Argument(..), Some(reported)) =
            (&new.role, self.calls.verdict(self.unit, self.before.map(|(unit, _)| unit), old, new))
        {
            return reported;
        }
        if old.subscripts.is_none() && new.subscripts.is_none() && !matches!(new.role, UseKind::Inquiry(..)) {
            return self.whole(new);
        }
        let layout = self.changes.layout(&new.array, new.subscripts.as_ref().map_or(0, |all| all.len()));
        let (empty_before, empty_now) = (Vec::new(), Vec::new());
        let bounds = self.changes.bounds.get(&*new.array);
        let (before, now) = bounds.map_or((&empty_before, &empty_now), |(before, now)| (before, now));
        let (loops, in_subscripts) = (around.change, around.in_subscripts);
        let pair = Pair { old, new, layout: &layout, bounds: (before, now), loops, in_subscripts };
        let mut outcome = pair.verdict();
        if let (Some(was), Some(is)) = (&old.subscripts, &new.subscripts) {
            let may_be = |at: &usize| match layout.from.get(*at).copied().flatten().and_then(|from| was.get(from)) {
                Some(was) => !is_plain(was, around.old) || !is_plain(&is[*at], around.new),
                None => false,
            };
            outcome.may_be_rewritten =
                !outcome.subscripts.is_empty() && outcome.subscripts.iter().all(|(at, _)| may_be(at));
        }
        let is_handed_on = matches!(new.role, UseKind::Argument(..)) && outcome.class == UseClass::Follows;
        // An element or a section that goes by sequence association is the beginning of a row of elements.
        match is_handed_on && self.calls.is_row(self.unit, new) {
            true => self.handed_on(new),
            false => outcome,
        }
    }

    /// A use that had no counterpart.
    fn verdict_on_new(&self, used: &ArrayUse) -> Verdict {
        let layout = self.changes.layout(&used.array, 0);
        match &used.subscripts {
            Some(subscripts) if self.changes.is_changed(&used.array) && subscripts.len() != layout.rank() => {
                Verdict::new(UseClass::StillOld, verdict::wrong_number(used, subscripts.len(), &layout))
            }
            _ => Verdict::new(UseClass::NotCompared, format!("'{}' is new here", used.text())),
        }
    }

    /// An array that was and is used as a whole.
    fn whole(&self, new: &ArrayUse) -> Verdict {
        let layout = self.changes.layout(&new.array, 0);
        let is_grown = layout.grown.iter().any(|&grown| grown != 0);
        if !self.changes.is_changed(&new.array) || !(layout.moves_dimensions() || is_grown) {
            return Verdict::follows();
        }
        let name = &new.name;
        let why = match &new.role {
            UseKind::InputOutput => {
                format!("'{name}' is transferred as a whole: number or order of its elements is another now")
            }
            UseKind::Data => {
                format!("'{name}' gets its values as a whole: number or order of its elements is another now")
            }
            UseKind::Argument(..) => return self.handed_on(new),
            UseKind::NotUnderstood => format!("This statement names '{name}' and was not understood"),
            _ => return Verdict::follows(),
        };
        Verdict::new(UseClass::NotCompared, why)
    }

    /// An argument whose dummy argument is not known, or gets a row of elements.
    fn handed_on(&self, new: &ArrayUse) -> Verdict {
        let UseKind::Argument(procedure, _) = &new.role else { return Verdict::follows() };
        if self.calls.is_indifferent(procedure) || !self.changes.layout(&new.array, 0).moves_dimensions() {
            return Verdict::follows();
        }
        let name = procedure.trim_start_matches('%').to_uppercase();
        let why = format!("'{}' is given to {name}, and what becomes of its dimensions there is not known", new.text());
        Verdict::new(UseClass::NotCompared, why)
    }

    /// Whether what is combined element by element still conforms, dimension by dimension: `a = b` doesn't if the
    /// dimensions of one of them changed places.
    fn conformity(&self, old: &'s StatementSnapshot, pairs: &HashMap<usize, usize>, verdicts: &mut [Verdict]) {
        let uses = &self.statement().uses;
        let is_elementwise = |used: &ArrayUse| match used.role {
            UseKind::Read | UseKind::Write => true,
            // `allocate (a, source=b)` gives it the shape of another one, and MOVE_ALLOC too.
            UseKind::Allocate => used.subscripts.is_none(),
            UseKind::Argument(ref procedure, _) => {
                intrinsics::subroutine(procedure).is_some_and(|subroutine| subroutine.shape == ResultShape::Elemental)
            }
            _ => false,
        };
        let elementwise = |at: &usize| is_elementwise(&uses[*at]) && pairs.contains_key(at);
        let runs: Vec<(usize, ElementwiseShape)> = (0..uses.len())
            .filter(elementwise)
            .filter_map(|at| Some((at, self.run(&old.uses[pairs[&at]], &uses[at])?)))
            .filter(|(_, run)| run.before > 0)
            .collect();
        let Some((first, expected)) = runs.first() else { return };
        // Where a vector subscript runs over a dimension too, the numbers differed before.
        for (at, run) in runs.iter().filter(|(_, run)| run.before == expected.before && *run != *expected) {
            // The one to blame is the one that changed; what differs already is told so.
            let changed = if self.changes.is_changed(&uses[*at].array) { *at } else { *first };
            if verdicts[changed].class >= UseClass::NotCompared {
                let what =
                    if run.now == expected.now { "extents are not the same" } else { "dimensions don't correspond" };
                let why = format!(
                    "'{}' and '{}' are combined element by element, and their {what} any more",
                    uses[*first].text(),
                    uses[*at].text()
                );
                verdicts[changed] = Verdict::new(UseClass::StillOld, why);
            }
        }
    }

    /// The dimensions that a use runs over.
    fn run(&self, old: &ArrayUse, new: &ArrayUse) -> Option<ElementwiseShape> {
        let rank = new
            .subscripts
            .as_ref()
            .map_or_else(|| self.changes.ranks(&new.array).map(|ranks| ranks.1), |all| Some(all.len()))?;
        let layout = self.changes.layout(&new.array, rank);
        let runs = |used: &ArrayUse, rank: usize| -> Vec<usize> {
            let is_section = |at: &usize| match &used.subscripts {
                None => true,
                Some(all) => matches!(all.get(*at), Some(Subscript::Section(..))),
            };
            (0..rank).filter(is_section).collect()
        };
        let before = runs(old, layout.old_rank);
        let is_whole = |at: usize| match &new.subscripts {
            None => true,
            Some(all) => matches!(all.get(at), Some(Subscript::Section(None, None, None))),
        };
        let grown = |at: usize| layout.grown.get(at).copied().filter(|_| is_whole(at)).unwrap_or(0);
        let grown = runs(new, rank).into_iter().map(grown).collect();
        let now = runs(new, rank).into_iter().map(|at| {
            let was = layout.from.get(at).copied().flatten()?;
            before.iter().position(|&dimension| dimension == was)
        });
        Some(ElementwiseShape { now: now.collect(), grown, before: before.len() })
    }

    /// Where subscripts are written in another way, the specifications decide; where they are not, the specifications
    /// may still differ.
    fn by_regions(&self, verdicts: &mut [Verdict]) -> Vec<Suspicion> {
        let mut suspicions = Vec::new();
        let Some((old_unit, old_at)) = self.before else { return suspicions };
        let (old, new) = (&old_unit.statements[old_at], self.statement());
        let left = new.uses.iter().zip(&*verdicts).find(|(used, _)| used.role == UseKind::Write);
        let left_follows = left.is_none_or(|(_, verdict)| verdict.class == UseClass::Follows);
        let all_follow = verdicts.iter().all(|verdict| verdict.class >= UseClass::NotCompared);
        let mut arrays: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, used) in new.uses.iter().enumerate().filter(|(_, used)| used.role != UseKind::Write) {
            arrays.entry(&*used.array).or_default().push(at);
        }
        for (array, uses) in arrays {
            let Some((before, now, layout, shift)) = self.specified(old, new, array, &uses) else { continue };
            match region::follows(&before, &now, &layout, &shift) {
                Some(true) if left_follows => {
                    for at in uses {
                        // An absolute index leaves no trace in a specification.
                        let is_relative = |(at, _): &(usize, String)| now.is_constrained(*at);
                        if verdicts[at].may_be_rewritten && verdicts[at].subscripts.iter().all(is_relative) {
                            verdicts[at] = Verdict::follows();
                        }
                    }
                }
                Some(false) if all_follow => {
                    suspicions.push(self.suspicion(&new.uses[uses[0]], &before, &now, &layout));
                }
                _ => {}
            }
        }
        suspicions
    }

    /// What to tell when the specification of an array is not the old one transformed: the uses whose index in a new
    /// dimension is another than that of most uses in the unit, else the whole statement at one of its uses.
    fn suspicion(&self, used: &ArrayUse, before: &Specified, now: &Specified, layout: &Layout) -> Suspicion {
        let notes = vec![format!("it was '{}'", before.text), format!("it is '{}'", now.text)];
        let mut reported: Vec<ComparedUse> = Vec::new();
        for (odd, dimension) in self.odd_ones(&used.array, layout) {
            let name = odd.text();
            let why = format!("'{name}' differs from most uses in dimension {}, which is new", dimension + 1);
            let place = odd.places.get(dimension).cloned().unwrap_or_default();
            let subscripts = vec![(place, String::new())];
            reported.push(ComparedUse {
                notes: notes.clone(),
                subscripts,
                ..self.compared(odd, UseClass::DiffersOtherwise, why)
            });
        }
        if reported.is_empty() {
            let why = format!("Every use of '{}' follows, and yet another shape of it is read here", used.name);
            reported.push(ComparedUse { notes, ..self.compared(used, UseClass::DiffersOtherwise, why) });
        }
        Suspicion { used: used.clone(), unit: self.unit.name.clone(), reported }
    }

    /// The uses of an array in this unit whose index in a new dimension is over the same variable as that of most, and
    /// another one.
    fn odd_ones(&self, array: &str, layout: &Layout) -> Vec<(&'s ArrayUse, usize)> {
        let uses =
            || self.unit.statements.iter().flat_map(|statement| &statement.uses).filter(|used| *used.array == *array);
        let mut odd = Vec::new();
        for dimension in layout.added() {
            let index = |used: &'s ArrayUse| match used.subscripts.as_ref()?.get(dimension)? {
                Subscript::Index(index) if index.as_constant().is_none() => Some(index),
                _ => None,
            };
            let mut counts: BTreeMap<_, usize> = BTreeMap::new();
            uses().filter_map(index).for_each(|index| *counts.entry(index).or_default() += 1);
            let Some((most, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { continue };
            let is_odd =
                |used: &&'s ArrayUse| index(used).is_some_and(|index| index.has_same_terms(most) && index != most);
            odd.extend(uses().filter(is_odd).map(|used| (used, dimension)));
        }
        odd
    }

    /// What was and is specified of an array in this statement, and how its indices moved against those of the left
    /// side.
    fn specified(
        &self,
        old: &StatementSnapshot,
        new: &StatementSnapshot,
        array: &str,
        uses: &[usize],
    ) -> Option<(Specified, Specified, Layout, Vec<i64>)> {
        let used = &new.uses[*uses.first()?];
        let rank = used.subscripts.as_ref()?.len();
        let layout = self.changes.layout(array, rank);
        if layout.rank() != rank {
            return None;
        }
        let old_name =
            old.uses.iter().find(|was| self.changes.names.current(&was.array) == array).map(|was| &was.name)?;
        let before = region::specified(&old.specifications, old_name, layout.old_rank)?;
        let now = region::specified(&new.specifications, &used.name, rank)?;
        let left = new.uses.iter().find(|used| used.role == UseKind::Write);
        let shift_of_left = |index: &Sum| {
            let left = left?;
            let subscripts = left.subscripts.as_ref()?;
            let layout = self.changes.layout(&left.array, subscripts.len());
            let is_same = |left: &Subscript| matches!(left, Subscript::Index(left) if left.has_same_terms(index));
            subscripts.iter().position(is_same).and_then(|at| layout.shift.get(at).copied())
        };
        let shift = used.subscripts.as_ref()?.iter().enumerate().map(|(at, index)| match index {
            Subscript::Index(index) => layout.shift[at] - shift_of_left(index).unwrap_or(0),
            _ => layout.shift[at],
        });
        let shift = shift.collect();
        Some((before, now, layout, shift))
    }
}

/// The dimensions that a use runs over, as a section or a whole array.
#[derive(PartialEq, Eq)]
struct ElementwiseShape {
    /// In order, each as the number of the one that it was before among those that were run over.
    now: Vec<Option<usize>>,
    /// How many elements each has more.
    grown: Vec<i64>,
    /// How many there were.
    before: usize,
}

/// An array whose specification changed beyond what the layout explains, although its uses in the statement follow.
pub(super) struct Suspicion {
    used: ArrayUse,
    unit: String,
    reported: Vec<ComparedUse>,
}

impl Suspicion {
    /// Tells it, unless a use that flows to the statement may be the cause, which is told then.
    pub fn report(self, arrays: &mut BTreeMap<String, ArrayReport>) {
        let array = ArrayReport::of_use(arrays, &self.used);
        let is_suspicious = |used: &ComparedUse| used.class < UseClass::NotCompared && used.unit == self.unit;
        if array.uses.iter().any(is_suspicious) {
            return;
        }
        for reported in self.reported {
            let here = reported.place.location();
            array.uses.retain(|used| used.place.location() != here);
            array.uses.push(reported);
        }
    }
}

/// Whether an index is a loop's variable, perhaps shifted, or a number: then what is written says what is read.
fn is_plain(index: &Subscript, loops: &[&LoopBounds]) -> bool {
    match index {
        Subscript::Index(index) => {
            index.as_constant().is_some() || loops.iter().any(|one| is_over(index, &one.variable))
        }
        _ => true,
    }
}
