//! What callers must know of a procedure: its dummy arguments, what it may change, and whether it may end the program.

use std::sync::Arc;

use crate::analysis::obligations::{
    DummyArgument, Judged, Procedure, SharedChanges, SummaryParts, Unit, one_may_stop, summarise,
};
use crate::names::{Symbol, SymbolId, SymbolKind};
use crate::symbolic::Term;
use crate::syntax::{DummyArgument as SyntaxDummy, Intent, Prefix, StatementId, StatementKind, Subprogram, UnitId};
use crate::values::ArrayKey;

use super::file::UnitAnalysis;
use super::text;

impl UnitAnalysis<'_> {
    /// What callers must know of a procedure.
    pub(super) fn summary(&self, unit: &mut Unit<'_>, id: UnitId, judged: &[Judged]) -> Option<Procedure> {
        let tree = self.context.tree;
        let subprogram = self.context.linked.own.subprogram(id)?;
        let last = *unit.flow.statements.last()?;
        let parts = SummaryParts {
            result: result_extents(unit, last, subprogram),
            shared_changes: shared_changes(unit),
            may_stop: may_stop(unit),
            has_stop: !unit.stopping_calls.is_empty() || unit.flow.statements.iter().any(|&id| stops(unit, id)),
            ..self.declared_parts(unit, subprogram, is_changed)
        };
        let line = |unit: &Unit<'_>, of: &Judged| {
            let line = text::line_of(unit, tree.statements[of.statement].span);
            (self.path.to_path_buf(), line)
        };
        let text = |unit: &Unit<'_>, of: &Judged, number: usize| text::demand_text(unit, &of.demands[number]);
        Some(summarise(unit, parts, judged, &text, &line))
    }

    /// Takes what is known beforehand of procedures that call each other in a ring: each may change what any of them
    /// changes, or what they call besides, and all that it may change of its arguments.
    pub(super) fn expect_ring(&self, ring: &[UnitId]) {
        let expected = ring.iter().filter_map(|&unit| Some((unit, self.expected(unit)?)));
        let expected: Vec<(UnitId, Procedure)> = expected.collect();
        let expect = |changes: &SharedChanges| {
            let all = expected.iter().map(|(unit, procedure)| {
                (*unit, Arc::new(Procedure { shared_changes: changes.clone(), ..procedure.clone() }))
            });
            self.known.borrow_mut().extend(all);
        };
        expect(&SharedChanges::default());
        let mut changes = SharedChanges::default();
        for &unit in ring {
            changes.add_all(&self.with_unit(unit, |of| shared_changes(of)).unwrap_or_else(SharedChanges::any));
        }
        expect(&changes);
    }

    /// What is known of a procedure beforehand, apart from what it changes besides its arguments.
    fn expected(&self, id: UnitId) -> Option<Procedure> {
        let subprogram = self.context.linked.own.subprogram(id)?;
        let mut parts = self.with_unit(id, |unit| self.declared_parts(unit, subprogram, may_be_changed))?;
        for dummy in &mut parts.dummies {
            (dummy.is_explicit, dummy.dimensions) = (false, None);
        }
        Some(Procedure::expected(parts))
    }

    /// What the declarations of a procedure say; it may end the program, and changes nothing but its arguments.
    fn declared_parts(
        &self,
        unit: &mut Unit<'_>,
        subprogram: &Subprogram,
        is_changed: impl Fn(&Unit<'_>, SymbolId) -> bool,
    ) -> SummaryParts {
        SummaryParts {
            name: self.context.tree.names.text(subprogram.name.name).to_owned(),
            file: self.path.to_path_buf(),
            is_elemental: subprogram.prefixes.contains(&Prefix::Elemental),
            dummies: self.dummies(unit, subprogram, is_changed),
            result: None,
            shared_changes: SharedChanges::default(),
            may_stop: true,
            has_stop: true,
        }
    }

    /// The dummy arguments of a procedure.
    fn dummies(
        &self,
        unit: &mut Unit<'_>,
        subprogram: &Subprogram,
        is_changed: impl Fn(&Unit<'_>, SymbolId) -> bool,
    ) -> Vec<DummyArgument> {
        let (resolved, names) = (self.context.resolved, &self.context.tree.names);
        let mut dummies = Vec::new();
        for (dummy, symbol) in subprogram.dummies.iter().zip(unit.dummies.clone()) {
            let SyntaxDummy::Name(name) = dummy else {
                dummies.push(DummyArgument {
                    name: "*".to_owned(),
                    is_changed: true,
                    type_: None,
                    is_structure: false,
                    is_optional: false,
                    rank: None,
                    is_explicit: false,
                    dimensions: None,
                });
                continue;
            };
            let of = symbol.map(|symbol| resolved.symbol(symbol));
            let key = symbol.map(|symbol| ArrayKey { symbol, components: Vec::new() });
            let is_explicit = of.is_some_and(|of| {
                let spec = symbol.and_then(|symbol| self.declared.spec(symbol));
                let is_colon = |(_, spec): (StatementId, &crate::syntax::ArraySpec)| {
                    spec.dimensions.iter().any(|one| matches!(one, crate::syntax::DimensionSpec::Colon(_)))
                };
                of.shape.is_some() && spec.is_some_and(|spec| !is_colon(spec))
            });
            let dimensions = key.and_then(|key| unit.entry_dimensions(&key)).map(|dimensions| dimensions.to_vec());
            let is_changed = symbol.is_none_or(|symbol| is_changed(unit, symbol));
            let type_ = of.and_then(|of| of.type_);
            let is_structure = type_.is_some_and(|type_| type_.derived().is_some());
            let is_data = |of: &&Symbol| matches!(of.kind, SymbolKind::Variable);
            let rank = of.filter(is_data).and_then(|of| match &of.shape {
                Some(shape) if shape.rank == 0 => None,
                Some(shape) => Some(shape.rank),
                None => Some(0),
            });
            dummies.push(DummyArgument {
                name: names.text(name.name).to_owned(),
                is_changed,
                type_: type_.filter(|_| !is_structure),
                is_structure,
                is_optional: of.is_none_or(|of| of.is_optional),
                rank,
                is_explicit,
                dimensions,
            });
        }
        dummies
    }
}

/// The extents of the result of a function; none of a scalar.
fn result_extents(unit: &mut Unit<'_>, last: StatementId, subprogram: &Subprogram) -> Option<Vec<Term>> {
    let name = subprogram.suffix.result.unwrap_or(subprogram.name);
    let symbol = unit.resolved.symbol_at(last, name.name)?;
    let of = unit.resolved.symbol(symbol);
    if !of.is_result {
        return None;
    }
    if of.shape.is_none() {
        return Some(Vec::new());
    }
    if of.is_allocatable || of.is_pointer {
        return None;
    }
    let key = ArrayKey { symbol, components: Vec::new() };
    unit.entry_dimensions(&key)?.iter().map(|dimension| dimension.extent.clone()).collect()
}

/// Whether the declaration of a dummy argument lets its procedure give it another value.
fn may_be_changed(unit: &Unit<'_>, symbol: SymbolId) -> bool {
    let of = unit.resolved.symbol(symbol);
    // What has VALUE is another variable than the argument (C859, 15.5.2.4).
    !of.is_value && (of.intent != Some(Intent::In) || of.is_pointer)
}

/// Whether a procedure may give a dummy argument another value.
fn is_changed(unit: &Unit<'_>, symbol: SymbolId) -> bool {
    if !may_be_changed(unit, symbol) {
        return false;
    }
    let changes = &unit.flow.effects.changes;
    let first = changes.partition_point(|&(other, _)| other < symbol);
    changes[first..].iter().take_while(|(other, _)| *other == symbol).any(|&(_, position)| {
        let id = unit.flow.statements[position];
        let (kept, _) = unit.what_calls_leave(id);
        !kept.contains(&ArrayKey { symbol, components: Vec::new() })
    })
}

/// What a procedure may change that is not its own, other than by its arguments.
fn shared_changes(unit: &Unit<'_>) -> SharedChanges {
    let mut found = SharedChanges::default();
    for &(symbol, _) in &unit.flow.effects.changes {
        if unit.is_shared(symbol) && !unit.dummies.contains(&Some(symbol)) {
            found.add(unit.root(symbol), unit.resolved.symbol(symbol).in_common);
        }
    }
    for &position in &unit.flow.effects.calls {
        let id = unit.flow.statements[position];
        match unit.tree.statements[id].kind.executed() {
            StatementKind::Unparsed(_) | StatementKind::MacroStatement(_) => found.add_all(&SharedChanges::any()),
            _ => found.add_all(&unit.what_calls_leave(id).1),
        }
    }
    found
}

/// Whether a procedure may end the program.
fn may_stop(unit: &Unit<'_>) -> bool {
    unit.flow.statements.iter().any(|&id| match unit.tree.statements[id].kind.executed() {
        StatementKind::Stop { .. } | StatementKind::Unparsed(_) | StatementKind::MacroStatement(_) => true,
        StatementKind::Call { .. } => one_may_stop(&unit.callees_of(id)),
        _ => false,
    })
}

/// Whether a statement, or its action, is a STOP.
fn stops(unit: &Unit<'_>, id: StatementId) -> bool {
    matches!(unit.tree.statements[id].kind.executed(), StatementKind::Stop { .. })
}
