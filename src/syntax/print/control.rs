//! Actions, and the headers of constructs (clauses 9 to 11).

use super::Writer;
use crate::syntax::ast::declaration::Association;
use crate::syntax::ast::expression::{Expression, Reference};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::*;

impl Writer<'_> {
    /// Writes an action and says whether the statement was one.
    pub(super) fn action(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Assignment { target, value } => self.assignment(target, " = ", value),
            StatementKind::PointerAssignment { target, value } => self.assignment(target, " => ", value),
            StatementKind::Call { procedure } => {
                self.put("call ");
                self.reference(procedure);
            }
            StatementKind::Allocate { .. } | StatementKind::Deallocate { .. } | StatementKind::Nullify(_) => {
                self.allocation(kind);
            }
            StatementKind::Continue => self.put("continue"),
            StatementKind::Cycle(name) => self.with_name("cycle", name),
            StatementKind::Exit(name) => self.with_name("exit", name),
            StatementKind::Return(value) => self.with_value("return", value.as_deref()),
            StatementKind::Pause(value) => self.with_value("pause", value.as_deref()),
            StatementKind::Stop { error, code, quiet } => {
                self.with_value(if *error { "error stop" } else { "stop" }, code.as_deref());
                if let Some(quiet) = quiet {
                    self.put(", quiet=");
                    self.expression(quiet);
                }
            }
            StatementKind::InputOutput(statement) => self.input_output(statement),
            StatementKind::Format(text) => {
                self.put("format (");
                self.name(*text);
                self.put(")");
            }
            StatementKind::ImageControl { keywords, arguments } => {
                self.name(*keywords);
                self.optional_arguments(arguments);
            }
            StatementKind::MacroStatement(call) => self.macro_statement(call),
            StatementKind::If { condition, action } => {
                self.condition("if ", condition);
                self.put(" ");
                self.statement(&action.kind);
            }
            StatementKind::Where { mask, action } => {
                self.condition("where ", mask);
                self.put(" ");
                self.statement(&action.kind);
            }
            StatementKind::Forall { header, action } => {
                self.put("forall ");
                self.concurrent_header(header);
                self.put(" ");
                self.statement(&action.kind);
            }
            _ => return self.jump(kind),
        }
        true
    }

    /// The statements that name labels.
    fn jump(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::GoTo(label) => {
                self.put("go to ");
                self.number(label);
            }
            StatementKind::ComputedGoTo(labels, selector) => {
                self.put("go to ");
                self.labels(labels);
                self.put(", ");
                self.expression(selector);
            }
            StatementKind::AssignedGoTo(variable, labels) => {
                self.put("go to ");
                self.identifier(variable);
                if !labels.is_empty() {
                    self.put(", ");
                    self.labels(labels);
                }
            }
            StatementKind::Assign(label, variable) => {
                self.put("assign ");
                self.number(label);
                self.put(" to ");
                self.identifier(variable);
            }
            StatementKind::ArithmeticIf(selector, labels) => {
                self.condition("if ", selector);
                self.put(" ");
                self.separated(labels, |writer, label| writer.number(label));
            }
            _ => return false,
        }
        true
    }

    fn assignment(&mut self, target: &Reference, sign: &str, value: &Expression) {
        self.reference(target);
        self.put(sign);
        self.expression(value);
    }

    fn with_name(&mut self, keyword: &str, name: &Option<Identifier>) {
        self.put(keyword);
        self.trailing_name(name);
    }

    fn with_value(&mut self, keyword: &str, value: Option<&Expression>) {
        self.put(keyword);
        if let Some(value) = value {
            self.put(" ");
            self.expression(value);
        }
    }

    /// A keyword and a value in brackets.
    fn condition(&mut self, keyword: &str, condition: &Expression) {
        self.put(keyword);
        self.bracketed([condition], Self::expression);
    }

    /// A macro's name is written in capitals, by which it is known as one.
    fn macro_statement(&mut self, call: &Reference) {
        let start = self.out.len();
        self.reference(call);
        if let Some(name) = call.parts.first() {
            let length = self.names.text(name.name.name).len();
            self.out[start..start + length].make_ascii_uppercase();
        }
    }

    /// R927 allocate-stmt, R941 deallocate-stmt, R939 nullify-stmt.
    fn allocation(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Allocate { type_spec, objects, options } => {
                self.put("allocate (");
                if let Some(type_spec) = type_spec {
                    self.bare_type_spec(type_spec);
                    self.put(" :: ");
                }
                self.separated(objects, Self::reference);
                self.options(options);
                self.put(")");
            }
            StatementKind::Deallocate { objects, options } => {
                self.put("deallocate (");
                self.separated(objects, Self::reference);
                self.options(options);
                self.put(")");
            }
            StatementKind::Nullify(objects) => {
                self.put("nullify ");
                self.bracketed(objects, Self::reference);
            }
            _ => {}
        }
    }

    /// `, keyword=value` for each option.
    fn options(&mut self, options: &[(Identifier, Expression)]) {
        for (keyword, value) in options {
            self.put(", ");
            self.identifier(keyword);
            self.put("=");
            self.expression(value);
        }
    }

    /// Writes the header of a construct and says whether the statement was one.
    pub(super) fn construct(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::IfThen(condition) => {
                self.condition("if ", condition);
                self.put(" then");
            }
            StatementKind::ElseIf(condition, name) => {
                self.condition("else if ", condition);
                self.with_name(" then", name);
            }
            StatementKind::Else(name) => self.with_name("else", name),
            StatementKind::Do { label, control } => self.do_statement(*label, control),
            StatementKind::WhereConstruct(mask) => self.condition("where ", mask),
            StatementKind::ElseWhere(mask, name) => {
                self.put("elsewhere");
                mask.iter().for_each(|mask| self.condition(" ", mask));
                self.trailing_name(name);
            }
            StatementKind::ForallConstruct(header) => {
                self.put("forall ");
                self.concurrent_header(header);
            }
            StatementKind::Associate(associations) => {
                self.put("associate ");
                self.bracketed(associations, Self::association_of_name);
            }
            StatementKind::Block => self.put("block"),
            StatementKind::Critical(options) => {
                self.put("critical");
                self.optional_arguments(options);
            }
            StatementKind::ChangeTeam { team, associations, options } => {
                self.put("change team (");
                self.expression(team);
                for association in associations {
                    self.put(", ");
                    self.association_of_name(association);
                }
                self.options(options);
                self.put(")");
            }
            _ => return self.select(kind),
        }
        true
    }

    fn association_of_name(&mut self, association: &Association) {
        self.identifier(&association.name);
        association.coshape.iter().for_each(|coshape| self.coshape(coshape));
        self.put(" => ");
        self.expression(&association.selector);
    }

    /// SELECT CASE, SELECT TYPE, SELECT RANK and their further headers.
    fn select(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::SelectCase(selector) => self.condition("select case ", selector),
            StatementKind::Case { ranges, name } => {
                self.put("case ");
                match ranges.is_empty() {
                    true => self.put("default"),
                    false => self.bracketed(ranges, Self::case_range),
                }
                self.trailing_name(name);
            }
            StatementKind::SelectType(selector) => self.selector("select type ", selector),
            StatementKind::SelectRank(selector) => self.selector("select rank ", selector),
            StatementKind::TypeGuard(guard, name) => {
                match guard {
                    TypeGuard::TypeIs(spec) => {
                        self.put("type is ");
                        self.bracketed([spec], Self::bare_type_spec);
                    }
                    TypeGuard::ClassIs(spec) => {
                        self.put("class is ");
                        self.bracketed([spec], Self::bare_type_spec);
                    }
                    TypeGuard::Default => self.put("class default"),
                }
                self.trailing_name(name);
            }
            StatementKind::RankCase(case, name) => {
                match case {
                    RankCase::Rank(rank) => self.condition("rank ", rank),
                    RankCase::Star => self.put("rank (*)"),
                    RankCase::Default => self.put("rank default"),
                }
                self.trailing_name(name);
            }
            _ => return false,
        }
        true
    }

    fn selector(&mut self, keyword: &str, selector: &Selector) {
        self.put(keyword);
        self.put("(");
        if let Some(name) = &selector.name {
            self.identifier(name);
            self.put(" => ");
        }
        self.expression(&selector.selector);
        self.put(")");
    }

    fn case_range(&mut self, range: &CaseRange) {
        match range {
            CaseRange::Value(value) => self.expression(value),
            CaseRange::Range(lower, upper) => {
                lower.iter().for_each(|lower| self.expression(lower));
                self.put(":");
                upper.iter().for_each(|upper| self.expression(upper));
            }
        }
    }

    /// R1120 do-stmt.
    fn do_statement(&mut self, label: Option<u32>, control: &DoControl) {
        self.put("do");
        if let Some(label) = label {
            self.put(" ");
            self.number(label);
        }
        match control {
            DoControl::Forever => {}
            DoControl::Counted { variable, lower, upper, step } => {
                self.put(" ");
                self.reference(variable);
                self.put(" = ");
                self.separated([lower, upper].into_iter().chain(step).map(AsRef::as_ref), Self::expression);
            }
            DoControl::While(condition) => self.condition(" while ", condition),
            DoControl::Concurrent(header) => {
                self.put(" concurrent ");
                self.concurrent_header(header);
                header.locality.iter().for_each(|locality| self.locality(locality));
            }
        }
    }

    /// R1125 concurrent-header.
    fn concurrent_header(&mut self, header: &ConcurrentHeader) {
        self.put("(");
        if let Some(type_spec) = &header.type_spec {
            self.type_spec(type_spec);
            self.put(" :: ");
        }
        self.separated(&header.controls, |writer, control| {
            writer.identifier(&control.variable);
            writer.put(" = ");
            writer.expression(&control.lower);
            writer.put(":");
            writer.expression(&control.upper);
            if let Some(step) = &control.step {
                writer.put(":");
                writer.expression(step);
            }
        });
        if let Some(mask) = &header.mask {
            self.put(", ");
            self.expression(mask);
        }
        self.put(")");
    }

    /// R1130 locality-spec.
    fn locality(&mut self, locality: &Locality) {
        self.put(" ");
        self.identifier(&locality.keyword);
        self.put("(");
        if let Some(operation) = locality.operation {
            self.name(operation);
            self.put(": ");
        }
        self.identifiers(&locality.names);
        self.put(")");
    }
}
