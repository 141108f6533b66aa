//! What is said of a procedure's values, in terms of those of a caller where it calls.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::build;
use super::characters::with_characters;
use super::formula::{Formula, Kind, Operator, Root, Subscript, Type};
use super::procedure::{Dummy, Procedure};
use super::substitute::substitute;
use super::unit::{Callee, UnitContext};
use crate::syntax::{ArgumentValue, Expression, ExpressionKind, Reference, StatementId};

/// The actual arguments of one call.
pub struct Binding<'c> {
    unit: &'c UnitContext<'c>,
    statement: StatementId,
    procedure: &'c Procedure,
    /// The actual argument of each dummy argument, `None` if it is absent.
    actual: Vec<Option<Formula>>,
    renamed: RefCell<FxHashMap<u32, Formula>>,
    /// Values of arguments that are absent.
    absent: RefCell<Vec<Formula>>,
}

impl<'c> Binding<'c> {
    /// The binding of a reference to a procedure.
    pub fn new<'t>(
        unit: &'c UnitContext<'t>,
        statement: StatementId,
        reference: &Reference,
        callee: &Callee,
        procedure: &'c Procedure,
    ) -> Self
    where
        't: 'c,
    {
        let mut actual: Vec<Option<Formula>> = vec![None; procedure.dummies.len()];
        let passed = callee.passed.as_ref().map(|(at, object)| (*at, unit.lower_reference(statement, object)));
        if let Some((at, Some(object))) = &passed
            && let Some(slot) = actual.get_mut(*at)
        {
            *slot = Some(object.clone());
        }
        let list = reference.parts.last().and_then(|part| part.lists.first());
        let items = list.map_or(&[][..], |list| list.items.as_slice());
        // The object takes a place in the order of the dummies.
        let others: Vec<usize> =
            (0..procedure.dummies.len()).filter(|at| passed.as_ref().is_none_or(|(passed, _)| passed != at)).collect();
        for (position, argument) in items.iter().enumerate() {
            let at = match argument.keyword {
                Some(keyword) => {
                    let name = unit.tree.names.text(keyword.name);
                    procedure.dummies.iter().position(|dummy| dummy.name == name)
                }
                None => others.get(position).copied(),
            };
            if let Some(at) = at
                && let ArgumentValue::Expression(expression) = &argument.value
                && let Some(slot) = actual.get_mut(at)
                && !matches!(expression.kind, ExpressionKind::Nil)
            {
                *slot = Some(unit.lower(statement, expression));
            }
        }
        Binding { unit, statement, procedure, actual, renamed: RefCell::default(), absent: RefCell::default() }
    }

    /// The actual argument of a dummy argument.
    pub fn actual(&self, dummy: usize) -> Option<&Formula> {
        self.actual.get(dummy)?.as_ref()
    }

    /// The dummy arguments of which a variable is the actual argument, in whole or in part.
    pub fn dummies_of<'b>(&'b self, root: &'b Root) -> impl Iterator<Item = usize> + 'b {
        let is_of = move |actual: &Formula| super::effects::base(actual).is_some_and(|of| of == *root);
        self.actual.iter().enumerate().filter(move |(_, actual)| actual.as_ref().is_some_and(is_of)).map(|(at, _)| at)
    }

    /// A formula over the values on entry of the procedure, over those of the caller.
    pub fn formula(&self, formula: &Formula) -> Formula {
        let made = with_characters(&substitute(formula, &mut |node| self.node(node)));
        // An elemental procedure is called for each element.
        if made.rank() > 0 && formula.rank() == 0 && made.type_() == Type::Logical {
            return build::call("all", vec![made]);
        }
        made
    }

    fn node(&self, node: &Formula) -> Option<Formula> {
        match node.kind() {
            Kind::Value(variable) => match &variable.root {
                Root::Dummy(at) => Some(self.value(*at as usize, node)),
                Root::Global(_) => None,
                Root::Host(unit, name) => self.of_host(unit, name),
                Root::Local(_) => Some(self.unit.unknown(
                    variable.name.clone(),
                    self.unit.place_of(self.statement),
                    node.type_(),
                    node.rank(),
                )),
            },
            Kind::Unknown(unknown) => {
                let mut renamed = self.renamed.borrow_mut();
                let made = renamed.entry(unknown.number).or_insert_with(|| {
                    self.unit.unknown(unknown.shown.clone(), unknown.place.clone(), unknown.type_, unknown.rank)
                });
                Some(made.clone())
            }
            Kind::Call(name, arguments) if &**name == "present" => {
                let Kind::Value(variable) = arguments.first()?.kind() else { return None };
                let Root::Dummy(at) = variable.root else { return None };
                Some(match self.actual(at as usize) {
                    None => build::logical(false),
                    Some(actual) => match actual.kind() {
                        Kind::Value(variable) if variable.is_optional => build::call("present", vec![actual.clone()]),
                        _ => build::logical(true),
                    },
                })
            }
            Kind::Element(array, subscripts) => {
                let Kind::Value(variable) = array.kind() else { return None };
                let Root::Dummy(at) = variable.root else { return None };
                Some(self.element(at as usize, array, subscripts))
            }
            _ => None,
        }
    }

    /// The value of a dummy argument.
    fn value(&self, at: usize, node: &Formula) -> Formula {
        let Some(dummy) = self.procedure.dummies.get(at) else { return self.lost(node) };
        match self.actual(at) {
            Some(actual) if dummy.rank == 0 && actual.rank() > 0 && super::effects::base(actual).is_none() => {
                actual.clone()
            }
            Some(actual) if dummy.rank == actual.rank() || dummy.rank == 0 => self.as_dummy(actual, dummy),
            None if dummy.is_optional => {
                let absent = self.lost(node);
                self.absent.borrow_mut().push(absent.clone());
                absent
            }
            _ => self.lost(node),
        }
    }

    /// Whether a formula of the caller speaks of the value of an argument that is absent: nothing asks for it.
    pub fn speaks_of_absent(&self, formula: &Formula) -> bool {
        let absent = self.absent.borrow();
        !absent.is_empty() && formula.any_node(&mut |node| absent.contains(node))
    }

    /// An actual argument as the dummy sees it: of a text perhaps the beginning only.
    fn as_dummy(&self, actual: &Formula, dummy: &Dummy) -> Formula {
        match dummy.type_ {
            Type::Character(Some(_)) => super::lower::converted(actual.clone(), dummy.type_),
            _ => actual.clone(),
        }
    }

    /// An element or section of a dummy array.
    fn element(&self, at: usize, array: &Formula, subscripts: &[Subscript]) -> Formula {
        let subscripts: Vec<Subscript> = subscripts.iter().map(|one| one.map(&mut |part| self.formula(part))).collect();
        let lost = || self.lost(&build::element(array.clone(), subscripts.clone()));
        let (Some(dummy), Some(actual)) = (self.procedure.dummies.get(at), self.actual(at)) else { return lost() };
        if dummy.rank != actual.rank() || !dummy.begins_at_one {
            return lost();
        }
        match actual.kind() {
            Kind::Value(_) | Kind::Component(..) if self.unit.begins_at_one(actual) => {
                build::element(actual.clone(), subscripts)
            }
            Kind::Element(of, sections) => match (sections.as_slice(), subscripts.as_slice()) {
                ([Subscript::Section(Some(first), _, None)], [Subscript::Index(index)]) => {
                    let shift = build::arithmetic(Operator::Subtract, first.clone(), build::integer(1));
                    let index = build::arithmetic(Operator::Add, index.clone(), shift);
                    build::element(of.clone(), vec![Subscript::Index(index)])
                }
                _ => lost(),
            },
            _ => lost(),
        }
    }

    fn lost(&self, node: &Formula) -> Formula {
        let place = self.unit.place_of(self.statement);
        self.unit.unknown(super::text::text(node), place, node.type_(), node.rank())
    }

    /// A variable of the unit that hosts the procedure.
    fn of_host(&self, unit: &str, name: &str) -> Option<Formula> {
        let own = crate::analysis::stencil::computations::unit_path(self.unit.tree, self.unit.unit());
        if own != unit {
            return None;
        }
        let symbol = self.unit.resolved.symbol_at(self.statement, self.unit.tree.names.get(name)?)?;
        Some(self.unit.variable(symbol))
    }
}

impl UnitContext<'_> {
    /// Whether the subscripts of an array begin at 1 in each dimension, as far as its declaration says.
    pub fn begins_at_one(&self, array: &Formula) -> bool {
        match array.kind() {
            Kind::Value(variable) => self.symbol_of(&variable.root).is_some_and(|symbol| {
                let of = self.resolved.symbol(symbol);
                let Some(shape) = of.shape.as_ref() else { return true };
                !of.is_allocatable
                    && !of.is_pointer
                    && !shape.bounds.is_empty()
                    && shape.bounds.iter().all(|bounds| bounds.lower == Some(1))
            }),
            _ => false,
        }
    }

    /// Whether an expression is a variable, or a part of one, so that a procedure can change it.
    pub fn is_variable(expression: &Expression) -> bool {
        matches!(expression.kind, ExpressionKind::Reference(_))
    }
}
