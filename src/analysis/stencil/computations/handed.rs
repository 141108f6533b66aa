//! Arrays that are handed to procedures of which it is not known what they read.
//!
//! An element stands for all elements behind it where the dummy argument is an array (sequence association, clause
//! 15.5.2.12): `vlmax(a(i), 3)` reads `a` at *i*, *i + 1* and *i + 2*, or anything.

use super::alignment::Alignments;
use super::reader::Reader;
use crate::names::{BaseType, PartClass, SymbolId, SymbolKind};
use crate::syntax::{Argument, ArgumentList, Expression, ExpressionKind, Part};

/// What is known of a dummy argument.
enum Taken {
    /// It is a scalar: of what is handed over it gets one element.
    Scalar,
    /// It is an array.
    Array,
    /// Nothing.
    Unknown,
}

impl Reader<'_, '_> {
    /// The reads of the arguments of a function that has no summary.
    pub(super) fn handed(&mut self, function: Option<SymbolId>, list: &ArgumentList, alignments: &Alignments) {
        for (position, item) in list.items.iter().enumerate() {
            let before = self.found.len();
            self.argument(&item.value, alignments);
            if let Some(argument) = item.expression()
                && self.may_read_any(function, position, item)
            {
                self.hand_over(before, argument);
            }
        }
    }

    /// Of what was found from a place on in an argument: the array that the argument is, is handed over.
    pub(super) fn hand_over(&mut self, from: usize, argument: &Expression) {
        let Some(handed) = self.array_handed(argument) else { return };
        let of_argument = self.found[from..].iter_mut().filter(|read| read.span == handed.span);
        of_argument.for_each(|read| read.is_handed_over = true);
    }

    /// Whether what stands in the brackets behind a name may be a subscript, so that the name may be an array's: it is
    /// an integer, as far as is known.
    pub(super) fn may_be_index(&self, argument: &Expression) -> bool {
        let context = self.context();
        let ExpressionKind::Reference(reference) = &argument.kind else { return true };
        let type_ = context.resolved.type_of(context.tree, context.statement, reference);
        type_.is_none_or(|type_| type_.is_integer() || type_.base == BaseType::Unknown)
    }

    /// Whether a function may read any element of an array that it is given as the argument at this position.
    fn may_read_any(&self, function: Option<SymbolId>, position: usize, item: &Argument) -> bool {
        let context = self.context();
        let Some(handed) = item.expression().and_then(|expression| self.array_handed(expression)) else { return false };
        let Some(function) = function else { return true };
        let procedures = self.unit.functions.procedures;
        match self.taken(function, position, item) {
            Taken::Unknown => true,
            Taken::Scalar => false,
            // What a pure function reads of a section is some of it, and the sections of an alignment say which.
            Taken::Array => {
                let is_element = context.resolved.rank(context.tree, context.statement, handed) == Some(0);
                is_element || !procedures.is_pure(function)
            }
        }
    }

    /// What is known of the dummy argument that an argument of a function is for.
    fn taken(&self, function: SymbolId, position: usize, item: &Argument) -> Taken {
        let context = self.context();
        let taken = |is_array| if is_array { Taken::Array } else { Taken::Scalar };
        match &context.resolved.symbol(function).kind {
            SymbolKind::Function { interface: Some(interface) } => {
                let dummy = interface.dummy_for(item, position, &context.tree.names);
                dummy.map_or(Taken::Unknown, |dummy| taken(dummy.shape.is_some()))
            }
            // Of the procedures behind a generic name, the one is chosen whose dummy argument has the rank of the
            // actual one (clause 15.5.5.2).
            SymbolKind::Generic { .. } => Taken::Scalar,
            _ => match self.unit.functions.procedures.dummies_of(function) {
                Some(dummies) => {
                    let names = dummies.iter().map(|(name, _)| *name);
                    let at = item.dummy(position, names, &context.tree.names);
                    let dummy = at.and_then(|at| dummies.get(at));
                    dummy.map_or(Taken::Unknown, |&(_, is_array)| taken(is_array))
                }
                None => Taken::Unknown,
            },
        }
    }

    /// The array, element or section that an argument is, and no value computed from it.
    fn array_handed<'e>(&self, expression: &'e Expression) -> Option<&'e Expression> {
        let context = self.context();
        match &expression.kind {
            ExpressionKind::PercentFunction(_, inner) => self.array_handed(inner),
            ExpressionKind::Reference(reference) => {
                let classes = context.resolved.classify(context.tree, context.statement, reference);
                let last: Option<(&Part, &PartClass)> = reference.parts.last().zip(classes.last());
                let is_array = last.is_some_and(|(part, class)| match class {
                    PartClass::Array { .. } => true,
                    PartClass::Unknown => !part.lists.is_empty(),
                    _ => false,
                });
                is_array.then_some(expression)
            }
            _ => None,
        }
    }
}
