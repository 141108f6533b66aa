//! What statements do to the values that a formula speaks of.

use super::bind::Binding;
use super::build;
use super::formula::{Formula, Kind, Place, Root, Subscript, Type};
use super::lower::{converted, is_kept};
use super::relation::Relation;
use super::substitute::substitute;
use super::unit::{Callee, UnitContext};
use crate::syntax::{Intent, Reference, StatementId};

/// The variable that a designator is a part of.
pub fn base(designator: &Formula) -> Option<Root> {
    match designator.kind() {
        Kind::Value(variable) => Some(variable.root.clone()),
        Kind::Component(of, _) | Kind::Element(of, _) | Kind::Substring(of, ..) => base(of),
        _ => None,
    }
}

/// Functions that ask about a variable and not for its value.
pub fn is_inquiry(name: &str) -> bool {
    matches!(name, "size" | "shape" | "lbound" | "ubound" | "len" | "present" | "allocated" | "associated" | "kind")
}

/// How a part of a variable lies to another part of it.
enum Overlap {
    /// It is another part.
    None,
    /// It is the same, or lies in it: these steps further inside.
    Inside(Vec<Formula>),
    /// It is the same if this holds, and another part if not.
    If(Formula),
    /// It may have something in common with it.
    Partial,
}

/// Changes all values that belong to a variable with `change`; those that only ask about it stay.
pub fn change_variable(formula: &Formula, root: &Root, change: &mut dyn FnMut(&Formula) -> Option<Formula>) -> Formula {
    if !formula.may_mention(root) {
        return formula.clone();
    }
    substitute(formula, &mut |node| {
        if !node.may_mention(root) {
            return Some(node.clone());
        }
        match node.kind() {
            Kind::Call(name, _) if is_inquiry(name) => Some(node.clone()),
            Kind::Value(_) | Kind::Component(..) | Kind::Element(..) if base(node).as_ref() == Some(root) => {
                change(node)
            }
            _ => None,
        }
    })
}

impl UnitContext<'_> {
    /// The formula with a variable, in all its parts, unknown.
    pub fn forget(&self, formula: &Formula, root: &Root, place: &Place) -> Formula {
        let mut made: rustc_hash::FxHashMap<Formula, Formula> = rustc_hash::FxHashMap::default();
        change_variable(formula, root, &mut |node| Some(self.forgotten(&mut made, node, place)))
    }

    fn forgotten(&self, made: &mut rustc_hash::FxHashMap<Formula, Formula>, node: &Formula, place: &Place) -> Formula {
        let new = || self.unknown(super::text::text(node), place.clone(), node.type_(), node.rank());
        made.entry(node.clone()).or_insert_with(new).clone()
    }

    /// The formula before an assignment: with the value in the place of the target.
    pub fn assign(&self, formula: &Formula, statement: StatementId, target: &Reference, value: &Formula) -> Formula {
        let place = self.place_of(statement);
        let lowered = self.lower_reference(statement, target);
        let made = match lowered.filter(|designator| base(designator).is_some()) {
            Some(designator) => self.put(formula, &designator, value, &place),
            None => {
                // Which variable is assigned to is not followed: at least the first name says it.
                let symbol = target.parts.first().and_then(|part| self.resolved.symbol_at(statement, part.name.name));
                let variable = symbol.map(|symbol| self.variable(symbol));
                match variable.as_ref().and_then(base) {
                    Some(root) => self.forget(formula, &root, &place),
                    None => formula.clone(),
                }
            }
        };
        if self.is_through_pointer(statement, target) { self.forget_all(&made, &self.targets, &place) } else { made }
    }

    /// Whether an assignment gives a value to what a pointer points to.
    pub fn is_through_pointer(&self, statement: StatementId, target: &Reference) -> bool {
        let symbol = target.parts.first().and_then(|part| self.resolved.symbol_at(statement, part.name.name));
        symbol.is_some_and(|symbol| self.resolved.symbol(symbol).is_pointer)
            || self.resolved.has_pointer_component(self.tree, statement, target)
    }

    /// The formula with variables unknown.
    fn forget_all(&self, formula: &Formula, roots: &[Root], place: &Place) -> Formula {
        roots.iter().fold(formula.clone(), |made, root| self.forget(&made, root, place))
    }

    /// The formula before a variable, or a part of one, gets a value.
    pub fn put(&self, formula: &Formula, designator: &Formula, value: &Formula, place: &Place) -> Formula {
        let Some(root) = base(designator) else { return formula.clone() };
        if !formula.may_mention(&root) {
            return formula.clone();
        }
        let type_ = designator.type_();
        let value = converted(value.clone(), type_);
        let is_followed = is_kept(&value, type_) && value.unknown().is_none();
        let mut made = rustc_hash::FxHashMap::default();
        change_variable(formula, &root, &mut |node| match overlap(designator, node) {
            // Its subscripts may change all the same.
            Overlap::None => match node.kind() {
                Kind::Element(array, subscripts) => {
                    let go = &mut |part: &Formula| self.put(part, designator, &value, place);
                    Some(build::element(array.clone(), subscripts.iter().map(|one| one.map(go)).collect()))
                }
                _ => Some(node.clone()),
            },
            Overlap::Inside(steps) => match part_of(&value, &steps, designator.rank()) {
                Some(part) if is_followed || steps.is_empty() && value.unknown().is_some() => Some(part),
                _ => Some(self.forgotten(&mut made, node, place)),
            },
            Overlap::If(condition) if is_followed => Some(build::merge(&condition, &value, node)),
            Overlap::If(_) | Overlap::Partial => Some(self.forgotten(&mut made, node, place)),
        })
    }

    /// The formula before a call: with what the procedure gives back.
    pub fn call(&self, formula: &Formula, statement: StatementId, reference: &Reference, callee: &Callee) -> Formula {
        let place = self.place_of(statement);
        let Some(procedure) = &callee.procedure else {
            return self.unknown_call(formula, statement, reference, callee, &place);
        };
        let binding = Binding::new(self, statement, reference, callee, procedure);
        let mut forgotten = rustc_hash::FxHashMap::default();
        let mut renamed: rustc_hash::FxHashMap<Formula, Formula> = rustc_hash::FxHashMap::default();
        substitute(formula, &mut |node| {
            let root = match node.kind() {
                Kind::Call(name, _) if is_inquiry(name) => return Some(node.clone()),
                Kind::Value(_) | Kind::Component(..) | Kind::Element(..) => base(node)?,
                _ => return None,
            };
            for at in binding.dummies_of(&root) {
                if !procedure.dummies.get(at).is_none_or(|dummy| dummy.is_changed) {
                    continue;
                }
                let actual = binding.actual(at)?;
                match overlap(actual, node) {
                    Overlap::None => continue,
                    Overlap::Inside(steps) => {
                        let dummy = procedure.dummies.get(at)?;
                        let given = self.given(procedure, Root::Dummy(at as u32), dummy.type_, &steps);
                        if let Some(value) = given {
                            let bound = renamed.entry(value.clone()).or_insert_with(|| binding.formula(&value));
                            if !matches!(bound.kind(), Kind::Unknown(_)) {
                                return Some(bound.clone());
                            }
                        }
                    }
                    Overlap::If(_) | Overlap::Partial => {}
                }
                return Some(self.forgotten(&mut forgotten, node, &place));
            }
            let is_exposed = procedure.changes_anything && self.exposed.contains(&root);
            if matches!(root, Root::Local(_) | Root::Dummy(_)) && !is_exposed && !self.is_reached_by(&root, procedure) {
                return None;
            }
            if procedure.changes.contains(&self.root_for_callee(&root)) {
                if let Some(value) = procedure.values.get(node) {
                    let bound = renamed.entry(value.clone()).or_insert_with(|| binding.formula(value));
                    if !matches!(bound.kind(), Kind::Unknown(_)) {
                        return Some(bound.clone());
                    }
                }
                return Some(self.forgotten(&mut forgotten, node, &place));
            }
            if is_exposed || procedure.changes_anything && matches!(root, Root::Global(_) | Root::Host(..)) {
                return Some(self.forgotten(&mut forgotten, node, &place));
            }
            None
        })
    }

    /// What a procedure gives back for a dummy argument, or a part of it.
    fn given(
        &self,
        procedure: &super::procedure::Procedure,
        root: Root,
        type_: Type,
        steps: &[Formula],
    ) -> Option<Formula> {
        let name = match &root {
            Root::Dummy(at) => procedure.dummies.get(*at as usize)?.name.clone(),
            Root::Global(_) | Root::Host(..) | Root::Local(_) => return None,
        };
        let variable = super::formula::Variable { root, name: name.into(), type_, rank: 0, is_optional: false };
        let whole = build::value(std::sync::Arc::new(variable));
        let mut key = whole;
        for step in steps {
            let Kind::Component(_, member) = step.kind() else { return None };
            key = build::component(key, member.clone());
        }
        procedure.values.get(&key).cloned()
    }

    /// What a variable of this unit is for an internal procedure of it.
    fn root_for_callee(&self, root: &Root) -> Root {
        let symbol = match root {
            Root::Local(_) | Root::Dummy(_) => self.symbol_of(root),
            Root::Global(_) | Root::Host(..) => None,
        };
        match symbol {
            Some(symbol) => {
                let path = crate::analysis::stencil::computations::unit_path(self.tree, self.unit());
                let name = self.tree.names.text(self.resolved.symbol(symbol).name);
                Root::Host(path.into(), name.into())
            }
            None => root.clone(),
        }
    }

    /// Whether a procedure may change a variable of this unit because it stands inside.
    fn is_reached_by(&self, root: &Root, procedure: &super::procedure::Procedure) -> bool {
        procedure.changes.contains(&self.root_for_callee(root))
    }

    /// The formula before a call of a procedure of which nothing is known: it may change its arguments, and whatever is
    /// not local.
    fn unknown_call(
        &self,
        formula: &Formula,
        statement: StatementId,
        reference: &Reference,
        callee: &Callee,
        place: &Place,
    ) -> Formula {
        let mut made = formula.clone();
        let Some(position) = self.flow.position(statement) else { return made };
        for &symbol in self.changed_at(position) {
            made = self.forget_unless_in(&made, symbol, place);
        }
        if let Some((_, object)) = &callee.passed
            && let Some(root) = self.lower_reference(statement, object).as_ref().and_then(base)
        {
            made = self.forget(&made, &root, place);
        }
        if reference.parts.is_empty() { made } else { self.forget_shared(&made, place) }
    }

    /// The formula with a variable unknown, unless it is a dummy argument that may not be changed.
    pub fn forget_unless_in(&self, formula: &Formula, symbol: crate::names::SymbolId, place: &Place) -> Formula {
        let variable = self.variable(symbol);
        let is_constant = self.resolved.symbol(symbol).intent == Some(Intent::In);
        match base(&variable) {
            Some(root) if !is_constant => self.forget(formula, &root, place),
            _ => formula.clone(),
        }
    }

    /// The formula with all variables unknown that other units can see, or change by an internal procedure or a
    /// pointer.
    pub fn forget_shared(&self, formula: &Formula, place: &Place) -> Formula {
        let formula = self.forget_all(formula, &self.exposed, place);
        let mut made = rustc_hash::FxHashMap::default();
        substitute(&formula, &mut |node| match node.kind() {
            Kind::Call(name, _) if is_inquiry(name) => Some(node.clone()),
            Kind::Value(_) | Kind::Component(..) | Kind::Element(..) => match base(node)? {
                Root::Global(_) | Root::Host(..) => Some(self.forgotten(&mut made, node, place)),
                Root::Dummy(_) | Root::Local(_) => None,
            },
            _ => None,
        })
    }
}

/// The steps from the variable to a part of it.
fn path(designator: &Formula) -> Vec<Formula> {
    let mut steps = Vec::new();
    let mut at = designator.clone();
    while let Kind::Component(of, _) | Kind::Element(of, _) | Kind::Substring(of, ..) = at.kind() {
        let next = of.clone();
        steps.push(at);
        at = next;
    }
    steps.reverse();
    steps
}

/// How a part of a variable lies to the one that changes.
fn overlap(changed: &Formula, part: &Formula) -> Overlap {
    if base(changed) != base(part) {
        return Overlap::None;
    }
    let (one, other) = (path(changed), path(part));
    let mut conditions = Vec::new();
    let mut is_partial = false;
    for (left, right) in one.iter().zip(&other) {
        match (left.kind(), right.kind()) {
            (Kind::Component(_, left), Kind::Component(_, right)) => {
                if left.name != right.name {
                    return Overlap::None;
                }
            }
            (Kind::Element(_, left), Kind::Element(_, right)) => match same_subscripts(left, right) {
                Some(condition) if condition.is_logical(false) => return Overlap::None,
                Some(condition) => conditions.push(condition),
                None => is_partial = true,
            },
            // An object in an array of objects, or a substring.
            _ => is_partial = true,
        }
    }
    let condition = super::connect::all(conditions);
    if condition.is_logical(false) {
        return Overlap::None;
    }
    if is_partial || one.len() > other.len() {
        return Overlap::Partial;
    }
    if condition.is_logical(true) {
        return Overlap::Inside(other[one.len()..].to_vec());
    }
    if one.len() == other.len() { Overlap::If(condition) } else { Overlap::Partial }
}

/// Whether two lists of subscripts are of the same element; `None` if that is no condition here.
fn same_subscripts(left: &[Subscript], right: &[Subscript]) -> Option<Formula> {
    if left == right {
        return Some(build::logical(true));
    }
    if left.len() != right.len() {
        return None;
    }
    let mut conditions = Vec::new();
    let mut is_known = true;
    for pair in left.iter().zip(right) {
        match pair {
            (Subscript::Index(one), Subscript::Index(other)) if one.rank() == 0 && other.rank() == 0 => {
                let same = build::compare(Relation::Equal, one.clone(), other.clone());
                if same.is_logical(false) {
                    return Some(same);
                }
                conditions.push(same);
            }
            (one, other) => is_known &= one == other,
        }
    }
    is_known.then(|| super::connect::all(conditions))
}

/// The part of a value that these steps lead to.
fn part_of(value: &Formula, steps: &[Formula], rank: u8) -> Option<Formula> {
    let mut made = value.clone();
    for step in steps {
        made = match step.kind() {
            // A scalar is assigned to each element.
            Kind::Element(..) if made.rank() == 0 && rank > 0 => made,
            Kind::Element(_, subscripts) if base(&made).is_some() => build::element(made, subscripts.clone()),
            Kind::Element(_, subscripts) if matches!(made.kind(), Kind::Array(_)) => {
                build::element(made, subscripts.clone())
            }
            Kind::Component(_, member) if base(&made).is_some() => build::component(made, member.clone()),
            _ => return None,
        };
    }
    Some(made)
}
