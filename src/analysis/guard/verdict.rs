//! One use before and after: does it follow the change of its array?

use std::collections::BTreeMap;

use super::affine::{Subscript, Sum, is_over, renamed_sum, shifted};
use super::layout::Layout;
use super::report::UseClass;
use super::snapshot::{ArrayUse, LoopBounds, UseKind};
use crate::diagnostics::counts::counted;

/// What became of a use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// In one word.
    pub class: UseClass,
    /// How, in a sentence; empty if it follows.
    pub why: String,
    /// The subscripts to blame, from 0, each with what it would be.
    pub subscripts: Vec<(usize, String)>,
    /// Whether it differs in nothing but how an index may be written: `a(im1)` is `a(i-1)` now.
    pub may_be_rewritten: bool,
}

impl Verdict {
    /// One that blames no subscript.
    pub fn new(class: UseClass, why: String) -> Self {
        Verdict { class, why, subscripts: Vec::new(), may_be_rewritten: false }
    }

    /// It is what the old one becomes by the change.
    pub fn follows() -> Self {
        Verdict::new(UseClass::Follows, String::new())
    }
}

/// How the loops around a statement changed.
#[derive(Clone, Debug, Default)]
pub struct LoopChange {
    /// Variables that have another name now.
    pub names: BTreeMap<String, String>,
    /// By how much the values of a variable (by its name of today) are greater than before.
    pub shift: BTreeMap<String, i64>,
}

impl LoopChange {
    /// The change from these loops to those. Loops over the same variable with the same bounds are the same, then those
    /// with the same bounds, then those over the same variable.
    pub fn between(old: &[&LoopBounds], new: &[&LoopBounds]) -> Self {
        let mut change = LoopChange::default();
        let (mut old_left, mut new_left) = (old.to_vec(), new.to_vec());
        let ways: [fn(&LoopBounds, &LoopBounds) -> bool; 3] =
            [|was, now| was == now, |was, now| was.bounds == now.bounds, |was, now| was.variable == now.variable];
        for is_same in ways {
            old_left.retain(|was| {
                let Some(at) = new_left.iter().position(|now| is_same(was, now)) else { return true };
                change.add(was, new_left.remove(at));
                false
            });
        }
        change
    }

    fn add(&mut self, was: &LoopBounds, now: &LoopBounds) {
        if was.variable != now.variable {
            self.names.insert(was.variable.to_string(), now.variable.to_string());
        }
        if let (
            Subscript::Section(Some(from), Some(to), step),
            Subscript::Section(Some(from_now), Some(to_now), step_now),
        ) = (&*was.bounds, &*now.bounds)
            && step == step_now
            && let (Some(lower), Some(upper)) = (from_now.distance_from(from), to_now.distance_from(to))
            && lower == upper
            && lower != 0
        {
            self.shift.insert(now.variable.to_string(), lower);
        }
    }

    /// What an old index is today, in an array whose indices are greater by `shift`.
    fn expected(&self, old: &Sum, shift: i64) -> Sum {
        let now = renamed_sum(old, &self.names);
        let of_loop = self.shift.iter().find(|(variable, _)| is_over(&now, variable)).map_or(0, |(_, shift)| *shift);
        shifted(&now, shift.saturating_sub(of_loop))
    }
}

/// A use before and now, with what changed about its array.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'s> {
    /// Before.
    pub old: &'s ArrayUse,
    /// Now.
    pub new: &'s ArrayUse,
    /// How the array changed.
    pub layout: &'s Layout,
    /// The bounds of its declaration (or of every allocation), before and now, where they are known.
    pub bounds: (&'s [Subscript], &'s [Subscript]),
    /// How the loops around it changed.
    pub loops: &'s LoopChange,
    /// The names of arrays with another layout that stand in subscripts here: those uses are judged by themselves.
    pub in_subscripts: &'s [&'s str],
}

impl Pair<'_> {
    /// The verdict on a use that has subscripts, or had; whole arrays are for others to judge, who know the rest of the
    /// statement.
    pub fn verdict(self) -> Verdict {
        let (layout, new) = (self.layout, self.new);
        if let (UseKind::Inquiry(_, old), UseKind::Inquiry(_, now)) = (&self.old.role, &new.role) {
            return self.asked(*old, *now);
        }
        let Some(now) = &new.subscripts else {
            let why = format!("'{}' is used as a whole now, and was not before", new.name);
            return Verdict::new(UseClass::NotCompared, why);
        };
        if now.len() != layout.rank() {
            let why = wrong_number(new, now.len(), layout);
            let is_old = now.len() == layout.old_rank;
            return Verdict::new(if is_old { UseClass::StillOld } else { UseClass::DiffersOtherwise }, why);
        }
        if !layout.is_known {
            let why = format!("Which dimension of '{}' is which now can't be told", new.name);
            return Verdict::new(UseClass::NotCompared, why);
        }
        let whole = vec![Subscript::Section(None, None, None); layout.old_rank];
        let old = self.old.subscripts.as_deref().unwrap_or(&whole);
        if old.len() != layout.old_rank {
            let why = format!("'{}' had {} before", new.name, counted(old.len(), "subscript"));
            return Verdict::new(UseClass::NotCompared, why);
        }
        let is_bounds = matches!(self.old.role, UseKind::Allocate | UseKind::Reshape);
        if is_bounds && **now == *self.bounds.1 {
            return Verdict::follows();
        }
        let expected = self.expected(old, is_bounds);
        self.compare(old, now, &expected)
    }

    /// What the old subscripts become; `None` for a dimension that is new.
    pub fn expected(self, old: &[Subscript], is_bounds: bool) -> Vec<Option<Subscript>> {
        let of = |(new, from): (usize, &Option<usize>)| {
            let shift = self.layout.shift[new];
            from.map(|from| match is_bounds {
                true => moved_bounds(&old[from], if self.old.role == UseKind::Reshape { 0 } else { shift }),
                false => old[from].map(&|index| self.loops.expected(index, shift)),
            })
        };
        self.layout.from.iter().enumerate().map(of).collect()
    }

    /// Whether two subscripts are the same, but for what arrays with another layout are asked for in them.
    fn is_same(self, one: &Subscript, other: &Subscript) -> bool {
        one == other || {
            let names = self.in_subscripts;
            let text = |index: &Subscript| without_lists(&index.to_string(), names);
            !names.is_empty() && text(one) == text(other)
        }
    }

    fn compare(self, old: &[Subscript], now: &[Subscript], expected: &[Option<Subscript>]) -> Verdict {
        let is_same = |one: &Subscript, other: &Subscript| self.is_same(one, other);
        let same =
            |(now, expected): (&Subscript, &Option<Subscript>)| expected.as_ref().is_none_or(|one| is_same(one, now));
        let differing: Vec<usize> = (0..now.len()).filter(|&at| !same((&now[at], &expected[at]))).collect();
        if differing.is_empty() {
            return Verdict::follows();
        }
        let shown: Vec<String> =
            expected.iter().map(|one| one.as_ref().map_or("…".to_owned(), Subscript::to_string)).collect();
        let expected_text = format!("{}({})", self.new.name, shown.join(","));
        let renamed = |index: &Subscript| index.map(&|index| renamed_sum(index, &self.loops.names));
        // Every old subscript still stands where it stood.
        let common = old.len().min(now.len());
        let stayed = |at: usize| is_same(&renamed(&old[at]), &now[at]) || is_same(&old[at], &now[at]);
        let is_old = (0..common).all(stayed) && old.len() <= now.len();
        // One that moves over a dimension whose indices shifted, and over nothing else that did.
        let unmoved = |at: usize| self.layout.from[at].is_some_and(|from| is_same(&renamed(&old[from]), &now[at]));
        let is_unmoved =
            !self.layout.is_same() && differing.iter().all(|&at| self.layout.shift[at] != 0 && unmoved(at));
        let is_old = is_old && !self.layout.is_same() || is_unmoved;
        let text = self.new.text();
        let subscripts = differing.into_iter().map(|at| (at, format!("'{}' by the change", shown[at]))).collect();
        let (class, why) = match is_old {
            true => (UseClass::StillOld, format!("'{text}' would be '{expected_text}' by the change")),
            false => {
                let was = self.old.text();
                let why = format!("'{text}' was '{was}', which the change makes '{expected_text}'");
                (UseClass::DiffersOtherwise, why)
            }
        };
        Verdict { subscripts, ..Verdict::new(class, why) }
    }

    /// `size(a, 2)` and the like: which dimension is asked about.
    fn asked(self, old: u32, now: u32) -> Verdict {
        let name = &self.new.name;
        let expected = self.layout.now(old as usize - 1).map(|at| at as u32 + 1);
        let (class, why) = match expected {
            Some(expected) if expected == now => return Verdict::follows(),
            Some(expected) if old == now => (
                UseClass::StillOld,
                format!("Dimension {old} of '{name}', which is named here, is dimension {expected} now"),
            ),
            None if old as usize <= self.layout.old_rank && old == now => {
                (UseClass::StillOld, format!("Dimension {old} of '{name}', which is named here, is gone"))
            }
            _ => (UseClass::DiffersOtherwise, format!("Dimension {now} of '{name}' is named, and was dimension {old}")),
        };
        Verdict::new(class, why)
    }
}

/// A text without what stands in brackets behind some names.
fn without_lists(text: &str, names: &[&str]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let (head, tail) = rest.split_at(at);
        result.push_str(head);
        let name = head.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
        let mut depth = 0;
        let end = tail.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let inner = if names.contains(&name) { end.map_or(tail.len(), |end| end + 1) } else { 1 };
        result.push('(');
        rest = &tail[inner..];
    }
    result + rest
}

/// The bounds of an allocation, higher by a number.
fn moved_bounds(old: &Subscript, shift: i64) -> Subscript {
    match (shift, old) {
        (0, _) => old.clone(),
        (_, Subscript::Index(upper)) => {
            let lower = shifted(&Sum::constant(1), shift);
            match lower == Sum::constant(1) {
                true => Subscript::Index(shifted(upper, shift)),
                false => Subscript::Section(Some(lower), Some(shifted(upper, shift)), None),
            }
        }
        (_, other) => other.map(&|bound| shifted(bound, shift)),
    }
}

/// What is said of a use with another number of subscripts than its array has dimensions.
pub fn wrong_number(used: &ArrayUse, subscripts: usize, layout: &Layout) -> String {
    let number = counted(subscripts, "subscript");
    format!("'{}' has {number}, and the array has rank {} now", used.text(), layout.rank())
}
