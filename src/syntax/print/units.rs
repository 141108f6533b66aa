//! Headers and ends of program units and of what they contain (clauses 14 and 15).

use super::Writer;
use crate::syntax::ast::declaration::{DummyArgument, Prefix};
use crate::syntax::ast::statement::{EndOf, StatementKind, Subprogram, Suffix};
use crate::syntax::nesting::unbalanced::end_text;

impl Writer<'_> {
    /// Writes a header or an end and says whether the statement was one.
    pub(super) fn unit(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Program(name) => self.named("program", name),
            StatementKind::Module(name) => self.named("module", name),
            StatementKind::Submodule { name, ancestor, parent } => {
                self.put("submodule (");
                self.identifier(ancestor);
                if let Some(parent) = parent {
                    self.put(":");
                    self.identifier(parent);
                }
                self.put(") ");
                self.identifier(name);
            }
            StatementKind::BlockData(name) => {
                self.put("block data");
                self.trailing_name(name);
            }
            StatementKind::Subroutine(subprogram) => self.subprogram("subroutine", subprogram),
            StatementKind::Function(subprogram) => self.subprogram("function", subprogram),
            StatementKind::ModuleProcedure { module, names } => {
                self.put(if *module { "module procedure " } else { "procedure :: " });
                self.identifiers(names);
            }
            StatementKind::Entry { name, dummies, suffix } => {
                self.named("entry", name);
                self.dummies(dummies);
                self.suffix(suffix);
            }
            StatementKind::Interface { is_abstract, generic } => {
                self.put(if *is_abstract { "abstract interface" } else { "interface" });
                if let Some(generic) = generic {
                    self.put(" ");
                    self.generic_spec(generic);
                }
            }
            StatementKind::Contains => self.put("contains"),
            StatementKind::End { of: None, .. } => self.put("end"),
            StatementKind::End { of: Some(of), options, name } => {
                self.put(&end_text(*of).to_ascii_lowercase());
                if *of == EndOf::Team {
                    self.optional_arguments(options);
                }
                self.trailing_name(name);
            }
            _ => return false,
        }
        true
    }

    fn named(&mut self, keyword: &str, name: &crate::syntax::ast::names::Identifier) {
        self.put(keyword);
        self.put(" ");
        self.identifier(name);
    }

    /// R1530 function-stmt, R1535 subroutine-stmt.
    fn subprogram(&mut self, keyword: &str, subprogram: &Subprogram) {
        for prefix in &subprogram.prefixes {
            self.prefix(prefix);
            self.put(" ");
        }
        if let Some(spec) = &subprogram.result_type {
            self.type_spec(spec);
            self.put(" ");
        }
        self.named(keyword, &subprogram.name);
        if let Some(length) = &subprogram.length {
            self.char_length(length);
        }
        self.dummies(&subprogram.dummies);
        self.suffix(&subprogram.suffix);
    }

    /// R1527 prefix-spec.
    fn prefix(&mut self, prefix: &Prefix) {
        match prefix {
            Prefix::Elemental => self.put("elemental"),
            Prefix::Impure => self.put("impure"),
            Prefix::Module => self.put("module"),
            Prefix::NonRecursive => self.put("non_recursive"),
            Prefix::Pure => self.put("pure"),
            Prefix::Recursive => self.put("recursive"),
            Prefix::Simple => self.put("simple"),
            Prefix::Other(name, list) => {
                self.identifier(name);
                self.optional_arguments(list);
            }
        }
    }

    fn dummies(&mut self, dummies: &[DummyArgument]) {
        self.bracketed(dummies, |writer, dummy| match dummy {
            DummyArgument::Name(name) => writer.identifier(name),
            DummyArgument::Star => writer.put("*"),
        });
    }

    /// R1532 suffix.
    fn suffix(&mut self, suffix: &Suffix) {
        if let Some(result) = &suffix.result {
            self.put(" result");
            self.bracketed([result], Self::identifier);
        }
        if let Some(bind) = &suffix.bind {
            self.put(" bind");
            self.argument_list(bind);
        }
    }
}
