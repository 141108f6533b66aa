//! Specification statements (clauses 8 and 14).

use super::Writer;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::statement::{ImplicitRule, StatementKind};

impl Writer<'_> {
    /// Writes a specification statement and says whether the statement was one.
    pub(super) fn specification(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Use { .. } | StatementKind::Import { .. } => self.association(kind),
            StatementKind::Implicit(rule) => self.implicit(rule),
            StatementKind::TypeDeclaration(declaration) => {
                self.type_spec(&declaration.type_spec);
                match declaration.type_spec.kind {
                    TypeSpecKind::Record(_) => self.put(" "),
                    _ => self.head("", &declaration.attributes),
                }
                self.entities(&declaration.entities);
            }
            StatementKind::Records(declarations) => {
                self.put("record ");
                self.separated(declarations, |writer, declaration| {
                    writer.structure_name(&declaration.type_spec);
                    writer.put(" ");
                    writer.entities(&declaration.entities);
                });
            }
            StatementKind::AttributeStatement { attribute, entities, blocks, generics } => {
                self.attribute(attribute);
                if !(entities.is_empty() && blocks.is_empty() && generics.is_empty()) {
                    self.put(" :: ");
                }
                self.entities(entities);
                self.put(if entities.is_empty() || blocks.is_empty() { "" } else { ", " });
                self.separated(blocks, |writer, block| {
                    writer.put("/");
                    writer.identifier(block);
                    writer.put("/");
                });
                self.put(if entities.is_empty() || generics.is_empty() { "" } else { ", " });
                self.separated(generics, Self::generic_spec);
            }
            StatementKind::Parameter(constants) => {
                self.put("parameter ");
                self.bracketed(constants, |writer, (name, value)| {
                    writer.identifier(name);
                    writer.put(" = ");
                    writer.expression(value);
                });
            }
            StatementKind::Data(sets) => {
                self.put("data ");
                self.separated(sets, |writer, set| {
                    writer.expressions(&set.objects);
                    writer.values(&set.values);
                });
            }
            StatementKind::Common(groups) => self.groups("common", groups),
            StatementKind::Namelist(groups) => self.groups("namelist", groups),
            StatementKind::Equivalence(sets) => {
                self.put("equivalence ");
                self.separated(sets, |writer, set| writer.bracketed(set, Self::reference));
            }
            StatementKind::CrayPointer(pairs) => {
                self.put("pointer ");
                self.separated(pairs, |writer, pair| {
                    writer.put("(");
                    writer.identifier(&pair.pointer);
                    writer.put(", ");
                    writer.entity(&pair.pointee);
                    writer.put(")");
                });
            }
            _ => return false,
        }
        true
    }

    /// R1409 use-stmt, R867 import-stmt.
    fn association(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Use { nature, module, only, items } => {
                self.put("use");
                if let Some(nature) = nature {
                    self.put(", ");
                    self.identifier(nature);
                    self.put(" ::");
                }
                self.put(" ");
                self.identifier(module);
                self.put(if *only {
                    ", only: "
                } else if items.is_empty() {
                    ""
                } else {
                    ", "
                });
                self.separated(items, |writer, item| {
                    writer.generic_spec(&item.local);
                    if let Some(remote) = &item.remote {
                        writer.put(" => ");
                        writer.generic_spec(remote);
                    }
                });
            }
            StatementKind::Import { mode, names } => {
                self.put("import");
                if let Some(mode) = mode {
                    self.put(", ");
                    self.identifier(mode);
                }
                self.put(match (mode, names.is_empty()) {
                    (_, true) => "",
                    (Some(_), false) => ": ",
                    (None, false) => " :: ",
                });
                self.identifiers(names);
            }
            _ => {}
        }
    }

    /// R863 implicit-stmt.
    fn implicit(&mut self, rule: &ImplicitRule) {
        match rule {
            ImplicitRule::None(restricted) => {
                self.put("implicit none");
                if !restricted.is_empty() {
                    self.put(" ");
                    self.bracketed(restricted, Self::identifier);
                }
            }
            ImplicitRule::Types(types) => {
                self.put("implicit ");
                self.separated(types, |writer, (spec, letters)| {
                    writer.type_spec(spec);
                    writer.put(" ");
                    writer.bracketed(letters, Self::letter_range);
                });
            }
        }
    }

    fn letter_range(&mut self, (first, last): &(u8, u8)) {
        self.out.push(*first);
        if first != last {
            self.out.extend([b'-', *last]);
        }
    }

    /// R873 common-stmt, R868 namelist-stmt.
    fn groups(&mut self, keyword: &str, groups: &[NamedGroup]) {
        self.put(keyword);
        for group in groups {
            self.put(" /");
            group.name.iter().for_each(|name| self.identifier(name));
            self.put("/ ");
            self.entities(&group.entities);
        }
    }
}
