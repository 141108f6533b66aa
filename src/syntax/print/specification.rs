//! Specification statements (clauses 8 and 14).

use super::Writer;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::expression::Expression;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{ImplicitRule, TypeDeclaration};

impl Writer<'_> {
    /// R801 type-declaration-stmt.
    pub(super) fn type_declaration(&mut self, declaration: &TypeDeclaration) {
        self.type_spec(&declaration.type_spec);
        match declaration.type_spec.is_record() {
            true => self.put(" "),
            false => self.head("", &declaration.attributes),
        }
        self.entities(&declaration.entities);
    }

    /// DEC RECORD of several structures.
    pub(super) fn records(&mut self, declarations: &[TypeDeclaration]) {
        self.put("record ");
        self.separated(declarations, |writer, declaration| {
            writer.structure_name(&declaration.type_spec);
            writer.put(" ");
            writer.entities(&declaration.entities);
        });
    }

    /// R827 access-stmt to R862 volatile-stmt.
    pub(super) fn attribute_statement(
        &mut self,
        attribute: &Attribute,
        entities: &[Entity],
        blocks: &[Identifier],
        generics: &[GenericSpec],
    ) {
        self.attribute(attribute);
        if !(entities.is_empty() && blocks.is_empty() && generics.is_empty()) {
            self.put(" :: ");
        }
        self.entities(entities);
        self.put(if entities.is_empty() || blocks.is_empty() { "" } else { ", " });
        self.separated(blocks, Self::slashed);
        self.put(if entities.is_empty() || generics.is_empty() { "" } else { ", " });
        self.separated(generics, Self::generic_spec);
    }

    /// R851 parameter-stmt.
    pub(super) fn parameters(&mut self, constants: &[(Identifier, Expression)]) {
        self.put("parameter ");
        self.bracketed(constants, |writer, (name, value)| {
            writer.identifier(name);
            writer.put(" = ");
            writer.expression(value);
        });
    }

    /// R837 data-stmt.
    pub(super) fn data(&mut self, sets: &[DataSet]) {
        self.put("data ");
        self.separated(sets, |writer, set| {
            writer.expressions(&set.objects);
            writer.values(&set.values);
        });
    }

    pub(super) fn cray_pointers(&mut self, pairs: &[CrayPointer]) {
        self.put("pointer ");
        self.separated(pairs, |writer, pair| {
            writer.put("(");
            writer.identifier(&pair.pointer);
            writer.put(", ");
            writer.entity(&pair.pointee);
            writer.put(")");
        });
    }

    /// R1409 use-stmt.
    pub(super) fn use_statement(
        &mut self,
        nature: &Option<Identifier>,
        module: &Identifier,
        only: bool,
        items: &[UseItem],
    ) {
        self.put("use");
        if let Some(nature) = nature {
            self.put(", ");
            self.identifier(nature);
            self.put(" ::");
        }
        self.put(" ");
        self.identifier(module);
        self.put(if only {
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

    /// R867 import-stmt.
    pub(super) fn import(&mut self, mode: &Option<Identifier>, names: &[Identifier]) {
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

    /// R863 implicit-stmt.
    pub(super) fn implicit(&mut self, rule: &ImplicitRule) {
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
    pub(super) fn groups(&mut self, keyword: &str, groups: &[NamedGroup]) {
        self.put(keyword);
        for group in groups {
            self.put(" /");
            group.name.iter().for_each(|name| self.identifier(name));
            self.put("/ ");
            self.entities(&group.entities);
        }
    }
}
