//! What a READ statement gives values to.

use super::code::{Item, NodeKind, Read, ReadForm};
use super::expression::{Expression, VariableId};

/// The variables that a READ may define.
pub fn defined(read: &Read) -> Vec<VariableId> {
    let mut found = Vec::new();
    if let ReadForm::Namelist(_, variables) = &read.form {
        found.extend(variables.iter().map(|it| it.variable));
    }
    read.items.iter().for_each(|item| add(item, &mut found));
    found
}

fn add(item: &Item, found: &mut Vec<VariableId>) {
    match item {
        Item::Reference(place, _) => found.extend(variable_of(place)),
        Item::Loop { variable, items, .. } => {
            found.push(*variable);
            items.iter().for_each(|item| add(item, found));
        }
        Item::Unknown(_) => {}
    }
}

/// The variables that a node may change.
pub fn changed(kind: &NodeKind) -> Vec<VariableId> {
    match kind {
        NodeKind::Assign(place, ..) => variable_of(place).into_iter().collect(),
        NodeKind::Forget(variables, _) => variables.clone(),
        NodeKind::Allocate(variable, ..) => vec![*variable],
        NodeKind::Do(of) => vec![of.variable],
        NodeKind::Read(read) => defined(read),
        NodeKind::Open(open) => open.new_unit.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The variable that a reference is, or is a part of.
pub fn variable_of(place: &Expression) -> Option<VariableId> {
    match place {
        Expression::Variable(variable) | Expression::Element(variable, _) | Expression::Section(variable, _) => {
            Some(*variable)
        }
        Expression::Substring(of, ..) => variable_of(of),
        _ => None,
    }
}
