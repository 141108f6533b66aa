//! Call sites: whether an argument still has the shape that the dummy argument has.

use std::collections::HashMap;

use super::affine::Subscript;
use super::aligned::Aligned;
use super::changes::Changes;
use super::disambiguate::{INTERFACE_BODY, nearest, plain_name};
use super::report::UseClass;
use super::snapshot::{ArrayDeclaration, ArrayUse, Snapshot, UnitSnapshot, UseKind, list, own_name};
use super::verdict::Verdict;
use crate::intrinsics::{self, ResultShape};

/// The procedures of both programs by name.
pub(super) struct Calls<'a, 's> {
    changes: &'a Changes<'s>,
    old: HashMap<&'s str, Vec<&'s UnitSnapshot>>,
    new: HashMap<&'s str, Vec<&'s UnitSnapshot>>,
}

impl<'a, 's> Calls<'a, 's> {
    pub fn new(aligned: &Aligned<'s>, changes: &'a Changes<'s>) -> Self {
        Calls { changes, old: by_name(aligned.old), new: by_name(aligned.new) }
    }

    /// Whether a procedure is intrinsic and neither number nor order of the dimensions of an array matters to it.
    pub fn is_indifferent(&self, procedure: &str) -> bool {
        intrinsics::procedure(procedure).is_some_and(|row| match row.shape {
            ResultShape::Reduction => true,
            ResultShape::Scalar => row.class == intrinsics::Class::Inquiry,
            ResultShape::Elemental => {
                matches!(row.class, intrinsics::Class::PureSubroutine | intrinsics::Class::Subroutine)
            }
            _ => false,
        })
    }

    /// Whether an argument that is no whole array goes to a dummy argument of another rank: then the elements that
    /// follow it in memory go with it.
    pub fn is_row(&self, unit: &UnitSnapshot, used: &ArrayUse) -> bool {
        let UseKind::Argument(procedure, position) = &used.role else { return false };
        let dummy = dummy(&self.new, unit, procedure, position);
        dummy.is_some_and(|dummy| effective_rank(used, 0) != Some(dummy.bounds.len()))
    }

    /// The declarations in interface bodies that are as they were, while those of the procedure changed.
    pub fn interfaces_left_behind(&self, unit: &UnitSnapshot) -> Vec<(&'s ArrayDeclaration, String)> {
        if unit.kind != INTERFACE_BODY {
            return Vec::new();
        }
        let name = plain_name(&unit.name);
        let units = self.new.get(name).map(Vec::as_slice).unwrap_or_default();
        let procedures: Vec<&&UnitSnapshot> = units.iter().filter(|unit| unit.kind != INTERFACE_BODY).collect();
        let ([procedure], Some(body)) = (procedures.as_slice(), units.iter().find(|one| one.name == unit.name)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (dummy, of_body) in procedure.dummies.iter().zip(&body.dummies) {
            let changed = format!("{}::{dummy}", procedure.name);
            let own = format!("{}::{of_body}", body.name);
            let declared = body.arrays.iter().find(|declared| declared.array == own);
            let (Some(declared), Some((_, rank))) = (declared, self.changes.ranks(&changed)) else { continue };
            let layout = self.changes.layout(&changed, rank);
            if self.changes.is_changed(&changed) && self.changes.layout(&own, declared.bounds.len()) != layout {
                let why = format!(
                    "'{of_body}{}' of this interface body is not what '{dummy}' of {} has become",
                    list(Some(&declared.bounds)),
                    name.to_uppercase()
                );
                found.push((declared, why));
            }
        }
        found
    }

    /// Whether an array is the argument for a dummy argument whose layout changed.
    pub fn is_for_changed(&self, unit: &UnitSnapshot, used: &ArrayUse) -> bool {
        let UseKind::Argument(procedure, position) = &used.role else { return false };
        let dummy = dummy(&self.new, unit, procedure, position);
        dummy.is_some_and(|dummy| self.changes.is_changed(&dummy.array))
    }

    /// What is to be said of an argument, if anything changed about it or its dummy argument.
    pub fn verdict(
        &self,
        unit: &UnitSnapshot,
        before: Option<&UnitSnapshot>,
        old: &ArrayUse,
        new: &ArrayUse,
    ) -> Option<Verdict> {
        let (UseKind::Argument(old_procedure, old_position), UseKind::Argument(procedure, position)) =
            (&old.role, &new.role)
        else {
            return None;
        };
        let was = dummy(&self.old, before.unwrap_or(unit), old_procedure, old_position)?;
        let now = dummy(&self.new, unit, procedure, position)?;
        let (old_rank, new_rank) = self.changes.ranks(&new.array)?;
        let actual_before = effective_rank(old, old_rank)?;
        let actual_now = effective_rank(new, new_rank)?;
        // Elements and other ranks go by sequence association: what is passed is a row of elements.
        if actual_before != was.bounds.len() {
            return None;
        }
        let shown = |declaration: &ArrayDeclaration| list(Some(&declaration.bounds));
        if actual_now != now.bounds.len() && now.bounds.iter().any(|bound| matches!(bound, Subscript::Star(_))) {
            let why = format!("'{}' goes to {} as a row of elements now", new.text(), procedure.to_uppercase());
            return Some(Verdict::new(UseClass::NotCompared, why));
        }
        if actual_now != now.bounds.len() {
            let why = format!(
                "'{}' has rank {actual_now} here, and the dummy argument '{}{}' of {} has rank {}",
                new.text(),
                own_name(&now.array),
                shown(now),
                procedure.to_uppercase(),
                now.bounds.len()
            );
            return Some(Verdict::new(UseClass::Argument, why));
        }
        if new.subscripts.is_some() || old.subscripts.is_some() {
            return None;
        }
        let of_actual = self.changes.layout(&new.array, new_rank);
        let of_dummy = self.changes.layout(&now.array, now.bounds.len());
        if of_actual.from != of_dummy.from {
            let why = format!(
                "The dimensions of '{}' and of the dummy argument '{}{}' of {} don't correspond any more",
                new.name,
                own_name(&now.array),
                shown(now),
                procedure.to_uppercase()
            );
            return Some(Verdict::new(UseClass::Argument, why));
        }
        Some(Verdict::follows())
    }
}

fn by_name(snapshot: &Snapshot) -> HashMap<&str, Vec<&UnitSnapshot>> {
    let mut by_name: HashMap<&str, Vec<&UnitSnapshot>> = HashMap::new();
    for unit in snapshot.units.iter().filter(|unit| !unit.dummies.is_empty()) {
        by_name.entry(plain_name(&unit.name)).or_default().push(unit);
    }
    by_name
}

/// The declaration of the dummy argument at a position, when it is an array: of the procedure of this name in the
/// nearest host, or else of the nearest file.
fn dummy<'s>(
    procedures: &HashMap<&'s str, Vec<&'s UnitSnapshot>>,
    from: &UnitSnapshot,
    procedure: &str,
    position: &str,
) -> Option<&'s ArrayDeclaration> {
    let units = procedures.get(procedure)?;
    let host = |name: &str| name.rsplit_once("::").map(|(host, _)| host.to_owned());
    let mut at = Some(from.name.clone());
    let mut found = None;
    while let (None, Some(name)) = (found, at) {
        let wanted = format!("{name}::{procedure}");
        found = units.iter().find(|unit| unit.name == wanted && unit.kind != INTERFACE_BODY);
        at = host(&name);
    }
    // An interface body only says what the procedure should be.
    let procedures: Vec<&&UnitSnapshot> = units.iter().filter(|unit| unit.kind != INTERFACE_BODY).collect();
    let unit = match (found, procedures.as_slice()) {
        (Some(unit), _) => unit,
        (None, []) => units.first()?,
        (None, several) => {
            let file = nearest(several.iter().map(|unit| &unit.file), &from.file)?;
            several.iter().find(|unit| unit.file == *file)?
        }
    };
    let name = match position.parse::<usize>() {
        Ok(position) => unit.dummies.get(position.checked_sub(1)?)?,
        Err(_) => unit.dummies.iter().find(|dummy| *dummy == position)?,
    };
    let wanted = format!("{}::{name}", unit.name);
    unit.arrays.iter().find(|declared| declared.array == wanted)
}

/// The rank of a reference to an array of this rank; `None` if that can't be said.
fn effective_rank(used: &ArrayUse, rank: usize) -> Option<usize> {
    let Some(subscripts) = &used.subscripts else { return Some(rank) };
    Some(subscripts.iter().filter(|subscript| matches!(subscript, Subscript::Section(..))).count())
}
