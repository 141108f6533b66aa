//! Actions, and the headers of constructs (clauses 9 to 11).

use super::Writer;
use crate::syntax::ast::declaration::{Association, TypeSpec};
use crate::syntax::ast::expression::{Expression, Reference};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::*;

impl Writer<'_> {
    pub(super) fn assignment(&mut self, target: &Reference, sign: &str, value: &Expression) {
        self.reference(target);
        self.put(sign);
        self.expression(value);
    }

    pub(super) fn with_name(&mut self, keyword: &str, name: &Option<Identifier>) {
        self.put(keyword);
        self.trailing_name(name);
    }

    pub(super) fn with_value(&mut self, keyword: &str, value: Option<&Expression>) {
        self.put(keyword);
        if let Some(value) = value {
            self.put(" ");
            self.expression(value);
        }
    }

    /// A keyword and a value in brackets.
    pub(super) fn condition(&mut self, keyword: &str, condition: &Expression) {
        self.put(keyword);
        self.bracketed([condition], Self::expression);
    }

    /// A macro's name is written in capitals, by which it is known as one.
    pub(super) fn macro_statement(&mut self, call: &Reference) {
        let start = self.out.len();
        self.reference(call);
        if let Some(name) = call.parts.first() {
            let length = self.names.text(name.name.name).len();
            self.out[start..start + length].make_ascii_uppercase();
        }
    }

    /// R1160 stop-stmt, R1161 error-stop-stmt.
    pub(super) fn stop(&mut self, error: bool, code: Option<&Expression>, quiet: Option<&Expression>) {
        self.with_value(if error { "error stop" } else { "stop" }, code);
        if let Some(quiet) = quiet {
            self.put(", quiet=");
            self.expression(quiet);
        }
    }

    /// R1158 computed-goto-stmt.
    pub(super) fn computed_go_to(&mut self, labels: &[u32], selector: &Expression) {
        self.put("go to ");
        self.labels(labels);
        self.put(", ");
        self.expression(selector);
    }

    pub(super) fn assigned_go_to(&mut self, variable: &Identifier, labels: &[u32]) {
        self.named("go to", variable);
        if !labels.is_empty() {
            self.put(", ");
            self.labels(labels);
        }
    }

    pub(super) fn assign(&mut self, label: u32, variable: &Identifier) {
        self.put("assign ");
        self.number(label);
        self.named(" to", variable);
    }

    pub(super) fn arithmetic_if(&mut self, selector: &Expression, labels: &[u32]) {
        self.condition("if ", selector);
        self.put(" ");
        self.separated(labels, |writer, label| writer.number(label));
    }

    /// A header and the statement that it governs.
    pub(super) fn governed(&mut self, keyword: &str, condition: &Expression, action: &Statement) {
        self.condition(keyword, condition);
        self.put(" ");
        self.statement(&action.kind);
    }

    /// R927 allocate-stmt, R941 deallocate-stmt.
    pub(super) fn allocation(
        &mut self,
        keyword: &str,
        type_spec: Option<&TypeSpec>,
        objects: &[Reference],
        options: &[(Identifier, Expression)],
    ) {
        self.put(keyword);
        self.put(" (");
        if let Some(type_spec) = type_spec {
            self.bare_type_spec(type_spec);
            self.put(" :: ");
        }
        self.separated(objects, Self::reference);
        self.options(options);
        self.put(")");
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

    pub(super) fn else_where(&mut self, mask: Option<&Expression>, name: &Option<Identifier>) {
        self.put("elsewhere");
        mask.iter().for_each(|mask| self.condition(" ", mask));
        self.trailing_name(name);
    }

    /// R1112 change-team-stmt.
    pub(super) fn change_team(
        &mut self,
        team: &Expression,
        associations: &[Association],
        options: &[(Identifier, Expression)],
    ) {
        self.put("change team (");
        self.expression(team);
        for association in associations {
            self.put(", ");
            self.association_of_name(association);
        }
        self.options(options);
        self.put(")");
    }

    pub(super) fn association_of_name(&mut self, association: &Association) {
        self.identifier(&association.name);
        association.coshape.iter().for_each(|coshape| self.coshape(coshape));
        self.put(" => ");
        self.expression(&association.selector);
    }

    /// R1142 case-stmt.
    pub(super) fn case(&mut self, ranges: &[CaseRange], name: &Option<Identifier>) {
        self.put("case ");
        match ranges.is_empty() {
            true => self.put("default"),
            false => self.bracketed(ranges, Self::case_range),
        }
        self.trailing_name(name);
    }

    /// R1154 type-guard-stmt.
    pub(super) fn type_guard(&mut self, guard: &TypeGuard, name: &Option<Identifier>) {
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

    /// R1150 select-rank-case-stmt.
    pub(super) fn rank_case(&mut self, case: &RankCase, name: &Option<Identifier>) {
        match case {
            RankCase::Rank(rank) => self.condition("rank ", rank),
            RankCase::Star => self.put("rank (*)"),
            RankCase::Default => self.put("rank default"),
        }
        self.trailing_name(name);
    }

    pub(super) fn selector(&mut self, keyword: &str, selector: &Selector) {
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
    pub(super) fn do_statement(&mut self, label: Option<u32>, control: &DoControl) {
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
    pub(super) fn concurrent_header(&mut self, header: &ConcurrentHeader) {
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
