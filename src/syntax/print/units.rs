//! Headers and ends of program units and of what they contain (clauses 14 and 15).

use super::Writer;
use crate::syntax::ast::declaration::{DummyArgument, GenericSpec, Prefix};
use crate::syntax::ast::expression::ArgumentList;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{EndOf, Subprogram, Suffix};
use crate::syntax::nesting::unbalanced::end_text;

impl Writer<'_> {
    /// R1417 submodule-stmt.
    pub(super) fn submodule(&mut self, name: &Identifier, ancestor: &Identifier, parent: &Option<Identifier>) {
        self.put("submodule (");
        self.identifier(ancestor);
        if let Some(parent) = parent {
            self.put(":");
            self.identifier(parent);
        }
        self.named(")", name);
    }

    /// R1503 interface-stmt.
    pub(super) fn interface(&mut self, is_abstract: bool, generic: &Option<GenericSpec>) {
        self.put(if is_abstract { "abstract interface" } else { "interface" });
        if let Some(generic) = generic {
            self.put(" ");
            self.generic_spec(generic);
        }
    }

    /// R1541 entry-stmt.
    pub(super) fn entry(&mut self, name: &Identifier, dummies: &[DummyArgument], suffix: &Suffix) {
        self.named("entry", name);
        self.dummies(dummies);
        self.suffix(suffix);
    }

    pub(super) fn end(&mut self, of: Option<EndOf>, options: &Option<ArgumentList>, name: &Option<Identifier>) {
        let Some(of) = of else { return self.put("end") };
        self.put(&end_text(of).to_ascii_lowercase());
        if of == EndOf::Team {
            self.optional_arguments(options);
        }
        self.trailing_name(name);
    }

    /// R1530 function-stmt, R1535 subroutine-stmt.
    pub(super) fn subprogram(&mut self, keyword: &str, subprogram: &Subprogram) {
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
            Prefix::Generic => self.put("generic"),
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
