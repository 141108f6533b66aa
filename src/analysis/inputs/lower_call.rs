//! CALL: which procedure it means, what it passes, what it may change.

use super::code::{Argument, Call, CallKind, NodeId, NodeKind, Presence};
use super::expression::{Expression, Operator};
use super::lower::Lower;
use super::lower_expression::character;
use super::value::Value;
use crate::analysis::preconditions::FatalArgument;
use crate::flow::FlowPosition;
use crate::names::{SymbolId, SymbolKind};
use crate::procedures::Location;
use crate::source::Span;
use crate::syntax::{Argument as SyntaxArgument, ArgumentValue, ExpressionKind, Identifier, Reference, StatementId};

impl Lower<'_> {
    pub(super) fn call(&mut self, id: StatementId, at: FlowPosition, procedure: &Reference, next: NodeId) -> NodeId {
        let site = self.site(id);
        let [part] = procedure.parts.as_slice() else { return self.forget(id, at, None, next) };
        let name = self.text(part.name.name);
        let items: &[SyntaxArgument] = part.lists.first().map_or(&[], |list| &list.items);
        if items.iter().any(|item| matches!(item.value, ArgumentValue::AlternateReturn(_))) {
            return self.add(site, NodeKind::Lost);
        }
        let Some(symbol) = self.resolved().symbol_at(id, part.name.name) else {
            return self.forget(id, at, None, next);
        };
        let location = self.procedures.location(symbol);
        let of = self.resolved().symbol(symbol);
        let is_other = of.is_dummy || of.is_pointer;
        let is_other = is_other || matches!(of.kind, SymbolKind::Intrinsic | SymbolKind::Generic { .. });
        let written = if is_other { String::new() } else { name.to_owned() };
        let texts: Vec<String> = items.iter().filter_map(|item| self.literal_text(item.expression()?)).collect();
        let message = Some(texts.join(": ")).filter(|text| !text.is_empty());
        let fatal = self.failures.fatal.iter().find(|fatal| fatal.name == name);
        let only_if = match fatal.map(|fatal| &fatal.only_if) {
            Some(None) => return self.add(site, NodeKind::Fail(message.unwrap_or_default())),
            Some(Some(only_if)) => self.fatal_argument(id, symbol, items, only_if),
            None => None,
        };
        // The process that has read what it broadcasts keeps that.
        let is_library = !matches!(&location, Some(Location::Here(_)));
        if name == "mpi_bcast" && is_library {
            return self.broadcast(id, items, next);
        }
        match (name, &location) {
            ("abort" | "mpi_abort", None) => {
                return self.add(site, NodeKind::Fail(message.unwrap_or_default()));
            }
            // The error handler of LAPACK, unless its body is among the files.
            ("xerbla", None) if self.project.external_subroutines().files(name).is_empty() => {
                return self.add(site, NodeKind::Fail(message.unwrap_or_default()));
            }
            ("exit", None) => {
                let code = items.first().and_then(SyntaxArgument::expression);
                return self.stop(id, false, code);
            }
            _ => {}
        }
        if let SymbolKind::Generic { specifics } = &of.kind {
            return self.call_generic(id, at, symbol, specifics, next);
        }
        let entry = if location.is_none() { self.entry(symbol) } else { None };
        let is_indirect = of.is_dummy || of.is_pointer;
        let [file, module, name] = match (&location, entry) {
            (Some(location), _) => self.place(location),
            (None, Some(unit)) => self.place(&Location::Here(unit)),
            (None, None) if self.is_external(symbol) => [String::new(), String::new(), name.to_owned()],
            (None, None) => Default::default(),
        };
        let (arguments, presence) = self.arguments(id, symbol, items);
        let message = message.unwrap_or_default();
        let fails = only_if.map(|condition| (condition, self.add(site, NodeKind::Fail(message.clone()))));
        let kind = match entry {
            Some(_) => CallKind::Reference,
            None if is_indirect => CallKind::Indirect,
            None => CallKind::Call,
        };
        let call = Call {
            file,
            module: Some(module).filter(|module| !module.is_empty()),
            name,
            written,
            arguments,
            presence,
            changes: Vec::new(),
            parts: Vec::new(),
            message,
            kind,
            next,
        };
        let node = self.add(site, NodeKind::Call(Box::new(call)));
        let symbols = self.changed(at, at + 1);
        self.forgotten.push((node, symbols));
        let wholes = self.wholes_of(id, items);
        self.wholes.insert(node, wholes);
        match fails {
            Some((condition, fails)) => self.add(site, NodeKind::Branch(condition, fails, node)),
            None => node,
        }
    }

    /// A CALL by a generic name: any of the procedures may be meant.
    fn call_generic(
        &mut self,
        id: StatementId,
        at: FlowPosition,
        symbol: SymbolId,
        specifics: &[String],
        next: NodeId,
    ) -> NodeId {
        let places = self.specifics(id, symbol, specifics);
        let is_all = !places.is_empty() && places.len() == specifics.len();
        let (mut node, places) = match is_all {
            true => (next, places),
            // One that is not known may change what it is given.
            false => (next, places.into_iter().chain([Default::default()]).collect()),
        };
        for place in places {
            node = self.refer(id, place, CallKind::Generic, node);
            let symbols = self.changed(at, at + 1);
            self.forgotten.push((node, symbols));
        }
        node
    }

    /// MPI_BCAST: it is taken to succeed.
    fn broadcast(&mut self, id: StatementId, items: &[SyntaxArgument], next: NodeId) -> NodeId {
        let is_status = |(position, item): &(usize, &SyntaxArgument)| match item.keyword {
            Some(keyword) => self.text(keyword.name) == "ierror",
            None => *position == 5,
        };
        let status = items.iter().enumerate().find(is_status).and_then(|(_, item)| item.expression());
        let Some(ExpressionKind::Reference(status)) = status.map(|status| &status.kind) else { return next };
        match self.lowering.reference(id, status) {
            place @ (Expression::Variable(_) | Expression::Element(..)) => {
                self.add(self.site(id), NodeKind::Assign(place, Expression::integer(0), next))
            }
            _ => {
                let symbol = self.resolved().symbol_at(id, status.parts[0].name.name);
                self.forget_symbols(self.site(id), symbol.into_iter().collect(), next)
            }
        }
    }

    /// What is passed, by position.
    fn arguments(
        &mut self,
        id: StatementId,
        procedure: SymbolId,
        items: &[SyntaxArgument],
    ) -> (Vec<Argument>, (Vec<Presence>, Presence)) {
        let dummies = self.dummy_names(procedure);
        let (mut arguments, mut presence, mut others) = (Vec::new(), Vec::new(), Presence::Absent);
        for (position, item) in items.iter().enumerate() {
            let index = item.dummy(position, dummies.iter().map(String::as_str), &self.tree().names);
            let Some(index) = index.filter(|&index| index < 1000) else {
                others = Presence::Unknown;
                continue;
            };
            if arguments.len() <= index {
                arguments.resize(index + 1, Argument::None);
                presence.resize(index + 1, Presence::Absent);
            }
            arguments[index] = self.argument(id, item);
            presence[index] = self.presence(id, item);
        }
        if others == Presence::Unknown {
            presence.iter_mut().filter(|it| **it == Presence::Absent).for_each(|it| *it = others);
        }
        (arguments, (presence, others))
    }

    /// Whether an argument is present: one that is a pointer or allocatable may be none.
    fn presence(&self, id: StatementId, item: &SyntaxArgument) -> Presence {
        let Some(value) = item.expression() else { return Presence::Unknown };
        let ExpressionKind::Reference(reference) = &value.kind else { return Presence::Given };
        let Some(symbol) = self.resolved().symbol_at(id, reference.parts[0].name.name) else {
            return Presence::Unknown;
        };
        let of = self.resolved().symbol(symbol);
        match self.lowering.dummies.get(&symbol) {
            _ if of.is_pointer || of.is_allocatable || reference.parts.len() > 1 => Presence::Unknown,
            Some(&position) if reference.as_name().is_some() => Presence::As(position),
            _ => Presence::Given,
        }
    }

    /// The variables that are arguments as a whole.
    fn wholes_of(&self, id: StatementId, items: &[SyntaxArgument]) -> Vec<SymbolId> {
        let whole = |item: &SyntaxArgument| {
            let ExpressionKind::Reference(reference) = &item.expression()?.kind else { return None };
            let name = reference.as_name()?;
            self.resolved().symbol_at(id, name.name)
        };
        items.iter().filter_map(whole).collect()
    }

    /// The condition under which a call ends the program by the value of an argument, if that is given.
    fn fatal_argument(
        &mut self,
        id: StatementId,
        procedure: SymbolId,
        items: &[SyntaxArgument],
        only_if: &FatalArgument,
    ) -> Option<Expression> {
        let position = self.dummy_names(procedure).iter().position(|name| *name == only_if.argument);
        let is_meant = |(at, item): &(usize, &SyntaxArgument)| match item.keyword {
            Some(keyword) => self.text(keyword.name) == only_if.argument,
            None => position == Some(*at) || only_if.argument.parse() == Ok(*at + 1),
        };
        let given = items.iter().enumerate().find(is_meant)?.1.expression()?;
        let given = self.lowering.expression(id, given);
        let value = match (only_if.value.parse::<i64>(), character(&only_if.value)) {
            (Ok(value), _) => Expression::integer(value),
            (_, Some(text)) => Expression::Constant(Value::text(&text)),
            _ => {
                let name = self.tree().names.get(&only_if.value)?;
                self.lowering.reference(id, &Reference::of_name(Identifier { name, span: Span::default() }))
            }
        };
        Some(Expression::binary(Operator::Equal, given, value))
    }

    /// Whether a symbol stands for an external procedure of that name.
    fn is_external(&self, symbol: SymbolId) -> bool {
        let of = self.resolved().symbol(symbol);
        let is_procedure = matches!(of.kind, SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure);
        is_procedure && !of.is_dummy && !of.is_pointer && !of.use_associated
    }

    /// The names of the dummy arguments of a procedure, as far as they are known.
    fn dummy_names(&self, symbol: SymbolId) -> Vec<String> {
        let interface = self.resolved().symbol(symbol).kind.interface();
        interface.into_iter().flat_map(|interface| &interface.dummies).map(|dummy| dummy.name.clone()).collect()
    }

    fn argument(&mut self, id: StatementId, item: &SyntaxArgument) -> Argument {
        let Some(value) = item.expression() else { return Argument::None };
        if let ExpressionKind::Reference(reference) = &value.kind
            && reference.parts.iter().all(|part| part.lists.is_empty() && part.image.is_none())
            && let Some(symbol) = self.resolved().symbol_at(id, reference.parts[0].name.name)
            && matches!(self.resolved().symbol(symbol).kind, SymbolKind::Variable)
        {
            let path: String =
                reference.parts[1..].iter().map(|part| format!("%{}", self.text(part.name.name))).collect();
            // Its own variable comes to be known, if it has one.
            self.lowering.reference(id, reference);
            let (owner, own) = self.lowering.owner(symbol);
            return Argument::Variable(owner, format!("{own}{path}"));
        }
        match self.lowering.expression(id, value) {
            Expression::Unknown => Argument::None,
            value => Argument::Value(value),
        }
    }
}
