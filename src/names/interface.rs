//! Interfaces of procedures: their dummies and results as the host sees them, taken from the procedures' own scopes.

use super::declared::{Declared, DeclaredInterface, DeclaredKind};
use super::scopes::{Scope, Scopes};
use super::symbol::ScopeId;
use crate::syntax::{DummyArgument, Name, Prefix, StatementKind, Subprogram, Tree, UnitKind};

/// Attaches to each contained procedure and interface body, in its host's scope, the interface that its unit declares.
pub fn attach_interfaces(tree: &Tree, scopes: &mut Scopes) {
    for (id, unit) in tree.units.iter_enumerated() {
        let opening = unit.opening.and_then(|opening| tree.statements.get(opening));
        let (subprogram, is_function) = match opening.map(|statement| &statement.kind) {
            Some(StatementKind::Function(subprogram)) => (subprogram, true),
            Some(StatementKind::Subroutine(subprogram)) => (subprogram, false),
            _ => continue,
        };
        let own = Scopes::of_unit(id);
        let Some(host) = scopes.get(own).parent else { continue };
        let mut interface = interface_of(subprogram, is_function, scopes.get(own));
        let is_body = unit.kind == UnitKind::InterfaceBody && !subprogram.prefixes.contains(&Prefix::Module);
        let has_binding = subprogram.suffix.bind.is_some();
        interface.is_external = is_body && !has_binding;
        interface.is_bound = is_body && has_binding;
        attach(scopes, host, subprogram.name.name, interface);
    }
}

fn attach(scopes: &mut Scopes, host: ScopeId, name: Name, interface: DeclaredInterface<Name>) {
    let host = scopes.get_mut(host);
    let Some(&index) = host.by_name.get(&name) else { return };
    let declared = &mut host.symbols[index as usize];
    if let DeclaredKind::Function(_) = declared.kind {
        declared.type_ = interface.result.as_ref().and_then(|result| result.type_.clone());
    }
    if let DeclaredKind::Function(slot) | DeclaredKind::Subroutine(slot) = &mut declared.kind {
        *slot = Some(Box::new(interface));
    }
}

fn interface_of(subprogram: &Subprogram, is_function: bool, scope: &Scope) -> DeclaredInterface<Name> {
    // What is declared inside the procedure means nothing, or something else, outside.
    let outside = |name: &Name| (!scope.by_name.contains_key(name)).then_some(*name);
    let seen_from_outside =
        |name: Name| -> Option<Declared<Name>> { scope.declared(name).map(|declared| declared.map(name, &outside)) };
    let dummies = subprogram.dummies.iter().map(|dummy| match dummy {
        DummyArgument::Name(name) => seen_from_outside(name.name),
        DummyArgument::Star => None,
    });
    let result = subprogram.suffix.result.unwrap_or(subprogram.name).name;
    DeclaredInterface {
        dummies: dummies.collect(),
        result: if is_function { seen_from_outside(result) } else { None },
        is_elemental: subprogram.prefixes.contains(&Prefix::Elemental),
        is_pure: subprogram.is_pure(),
        is_external: false,
        is_bound: false,
    }
}
