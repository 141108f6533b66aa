//! The block builder's part about program units: where they open and end, and what CONTAINS contains.

use rustc_hash::FxHashMap;

use super::unbalanced::{end_text, unit_name, unit_text};
use super::{Builder, before_it, end_name};
use crate::syntax::ast::names::Name;
use crate::syntax::ast::statement::{EndOf, StatementKind};
use crate::syntax::ast::tree::{ConstructKind, StatementId, Unit, UnitId, UnitKind};

/// Number of kinds in [`ConstructKind`], of which `Where` is the last.
const CONSTRUCT_KINDS: usize = ConstructKind::Where as usize + 1;

/// A unit that is not ended yet.
pub(super) struct OpenUnit {
    pub(super) id: UnitId,
    /// How many open constructs lie outside it.
    pub(super) base: usize,
    /// Whether an executable statement of it has come.
    pub(super) executes: bool,
    /// Its open constructs by kind, labelled loops excepted.
    constructs: [u32; CONSTRUCT_KINDS],
    /// Its open labelled loops by label.
    labels: FxHashMap<u32, u32>,
    /// Its open constructs by name.
    names: FxHashMap<Name, u32>,
}

impl OpenUnit {
    /// Whether a construct of this kind is open, labelled loops excepted.
    pub(super) fn has(&self, kind: ConstructKind) -> bool {
        self.constructs[kind as usize] > 0
    }

    pub(super) fn has_label(&self, label: u32) -> bool {
        self.labels.get(&label).is_some_and(|open| *open > 0)
    }

    pub(super) fn has_name(&self, name: Name) -> bool {
        self.names.get(&name).is_some_and(|open| *open > 0)
    }

    pub(super) fn opened(&mut self, kind: ConstructKind, label: Option<u32>, name: Option<Name>) {
        match label {
            Some(label) => *self.labels.entry(label).or_default() += 1,
            None => self.constructs[kind as usize] += 1,
        }
        if let Some(name) = name {
            *self.names.entry(name).or_default() += 1;
        }
    }

    pub(super) fn closed(&mut self, kind: ConstructKind, label: Option<u32>, name: Option<Name>) {
        let labelled = label.and_then(|label| self.labels.get_mut(&label));
        let count = labelled.unwrap_or(&mut self.constructs[kind as usize]);
        *count = count.saturating_sub(1);
        if let Some(open) = name.and_then(|name| self.names.get_mut(&name)) {
            *open = open.saturating_sub(1);
        }
    }
}

impl Builder {
    fn open_unit(&mut self, kind: UnitKind, opening: Option<StatementId>, first: StatementId) -> UnitId {
        let id = self.tree.units.next_idx();
        let parent = self.units.last().map(|unit| unit.id);
        self.tree.units.push(Unit { kind, opening, first, last: first, contains: None, parent });
        let base = self.open.len();
        let constructs = [0; CONSTRUCT_KINDS];
        let (labels, names) = (FxHashMap::default(), FxHashMap::default());
        self.units.push(OpenUnit { id, base, executes: false, constructs, labels, names });
        id
    }

    /// Begins a main program that has no PROGRAM statement.
    pub(super) fn open_implicit_main(&mut self, first: StatementId) -> UnitId {
        self.open_unit(UnitKind::MainProgram, None, first)
    }

    /// PROGRAM, MODULE, SUBMODULE, BLOCK DATA: nothing encloses them.
    pub(super) fn open_outermost(&mut self, id: StatementId, kind: UnitKind) {
        self.close_all(id);
        self.open_unit(kind, Some(id), id);
        self.belong(id);
    }

    /// SUBROUTINE, FUNCTION, or a separate module procedure: an interface body directly in an interface block, a
    /// subprogram behind CONTAINS, or else a unit of its own, which ends what is open.
    pub(super) fn open_procedure(&mut self, id: StatementId, kind: UnitKind) {
        let kind = loop {
            match self.innermost() {
                Some(construct) if self.kind(construct) == ConstructKind::Interface => break UnitKind::InterfaceBody,
                Some(_) => {
                    self.take_contains_from_type();
                    self.close_unended(id);
                }
                None => match self.units.last() {
                    // A requirement has the interfaces of its parameters in it.
                    Some(unit) if self.is_template_without_contains(unit.id) => break UnitKind::InterfaceBody,
                    Some(unit) if self.tree.units[unit.id].contains.is_none() => self.close_unit_unended(id),
                    _ => break kind,
                },
            }
        };
        self.open_unit(kind, Some(id), id);
        self.belong(id);
    }

    /// TEMPLATE, REQUIREMENT: a unit within the specification part of another one.
    pub(super) fn open_template(&mut self, id: StatementId) {
        while self.innermost().is_some() {
            self.close_unended(id);
        }
        self.open_unit(UnitKind::Template, Some(id), id);
        self.belong(id);
    }

    /// A type that lacks its END TYPE may have caught the CONTAINS of its unit: then the unit gets it back.
    fn take_contains_from_type(&mut self) {
        let (Some(construct), Some(unit)) = (self.innermost(), self.units.last()) else { return };
        let unit = &mut self.tree.units[unit.id];
        let construct = &mut self.tree.constructs[construct];
        if construct.kind == ConstructKind::DerivedType && unit.contains.is_none() && construct.headers.len() > 1 {
            unit.contains = construct.headers.pop();
        }
    }

    /// `module procedure …` and `procedure …`.
    pub(super) fn procedure_names(&mut self, id: StatementId, module: bool) {
        let in_interface = self.innermost().is_some_and(|construct| self.kind(construct) == ConstructKind::Interface);
        let statement = &mut self.tree.statements[id];
        if in_interface && let StatementKind::TypeBoundProcedure { bindings, .. } = &statement.kind {
            let names = bindings.iter().map(|binding| binding.name).collect();
            statement.kind = StatementKind::ModuleProcedure { module: false, names };
        }
        let single = matches!(&statement.kind, StatementKind::ModuleProcedure { names, .. } if names.len() == 1);
        let in_contains = self.units.iter().any(|unit| self.tree.units[unit.id].contains.is_some());
        if module && single && in_contains && !in_interface {
            return self.open_procedure(id, UnitKind::ModuleProcedure);
        }
        self.ensure_unit(id);
        self.belong(id);
    }

    fn is_template_without_contains(&self, unit: UnitId) -> bool {
        let unit = &self.tree.units[unit];
        unit.kind == UnitKind::Template && unit.contains.is_none()
    }

    /// CONTAINS: of the type definition that is open, or of the unit.
    pub(super) fn contains(&mut self, id: StatementId) {
        let unit = self.ensure_unit(id);
        let in_type = self.innermost().filter(|construct| self.kind(*construct) == ConstructKind::DerivedType);
        if let Some(construct) = in_type
            && let headers = &mut self.tree.constructs[construct].headers
            && headers.len() == 1
        {
            headers.push(id);
            return self.belong(id);
        }
        while self.innermost().is_some() {
            self.close_unended(id);
        }
        self.tree.units[unit].contains.get_or_insert(id);
        self.belong(id);
    }

    /// END INTERFACE ends the body in front of it too, when that lacks its own END.
    pub(super) fn leave_interface_body(&mut self, id: StatementId, of: EndOf) {
        while of == EndOf::Interface
            && self.units.last().is_some_and(|unit| {
                !unit.has(ConstructKind::Interface) && self.tree.units[unit.id].kind == UnitKind::InterfaceBody
            })
        {
            self.close_unit_unended(id);
        }
    }

    /// END, END SUBROUTINE and their like.
    pub(super) fn end_of_unit(&mut self, id: StatementId, of: Option<EndOf>) {
        let wanted = match of {
            None => self.units.len().checked_sub(1),
            Some(of) => self.unit_that_ends(id, of),
        };
        if let Some(wanted) = wanted {
            while self.units.len() > wanted + 1 {
                self.close_unit_unended(id);
            }
            self.compare_unit(id, of);
        } else if self.units.is_empty() && matches!(of, None | Some(EndOf::Program)) && !self.has_main_program() {
            // An END statement alone is a main program.
            self.open_implicit_main(id);
        } else {
            self.surplus_end(id, of);
            return self.belong(id);
        }
        while self.innermost().is_some() {
            self.close_unended(id);
        }
        self.belong(id);
        self.close_unit(id);
    }

    fn has_main_program(&self) -> bool {
        self.tree.units.iter().any(|unit| unit.kind == UnitKind::MainProgram)
    }

    fn surplus_end(&mut self, id: StatementId, of: Option<EndOf>) {
        match of {
            None => self.note_at(id, "END without its opening statement".to_owned()),
            Some(of) => self.note_surplus(id, of, format!("{} without its opening statement", end_text(of))),
        }
    }

    /// Index in the open units of the one that this END ends: by kind and name, or by kind, or, for a procedure that
    /// ends as one of the other kind, the innermost.
    fn unit_that_ends(&self, id: StatementId, of: EndOf) -> Option<usize> {
        let name = end_name(&self.tree.statements[id]);
        let fits = |unit: &OpenUnit| self.unit_end(unit.id) == of;
        let named = |unit: &OpenUnit| {
            let own = unit_name(&self.tree, unit.id);
            name.is_none() || own.is_none() || own == name
        };
        let is_procedure = |of| matches!(of, EndOf::Subroutine | EndOf::Function | EndOf::Procedure);
        let same_sort = |unit: &OpenUnit| is_procedure(of) && is_procedure(self.unit_end(unit.id));
        let innermost = self.units.last()?;
        self.units
            .iter()
            .rposition(|unit| fits(unit) && named(unit))
            .or_else(|| (same_sort(innermost) && named(innermost)).then_some(self.units.len() - 1))
            .or_else(|| self.units.iter().rposition(fits))
            .or_else(|| same_sort(innermost).then_some(self.units.len() - 1))
    }

    /// Notes an END whose kind or name is not that of the innermost unit.
    fn compare_unit(&mut self, id: StatementId, of: Option<EndOf>) {
        let (Some(of), Some(unit)) = (of, self.units.last()) else { return };
        let (unit, name) = (unit.id, end_name(&self.tree.statements[id]));
        let own = unit_name(&self.tree, unit);
        let same_name = name.is_none() || own.is_none() || own == name;
        if self.unit_end(unit) != of || !same_name {
            let quoted = name.map_or(String::new(), |name| format!(" '{}'", self.tree.names.text(name)));
            self.note_at(id, format!("{}{quoted} ends {}", end_text(of), unit_text(&self.tree, unit)));
        }
    }

    /// The END that a unit wants.
    fn unit_end(&self, unit: UnitId) -> EndOf {
        let unit = &self.tree.units[unit];
        let opening = unit.opening.map(|id| &self.tree.statements[id].kind);
        match (unit.kind, opening) {
            (UnitKind::InterfaceBody, Some(StatementKind::Function(_))) | (UnitKind::Function, _) => EndOf::Function,
            (UnitKind::InterfaceBody, _) | (UnitKind::Subroutine, _) => EndOf::Subroutine,
            (UnitKind::MainProgram, _) => EndOf::Program,
            (UnitKind::Module, _) => EndOf::Module,
            (UnitKind::Submodule, _) => EndOf::Submodule,
            (UnitKind::BlockData, _) => EndOf::BlockData,
            (UnitKind::Template, Some(StatementKind::Template { requirement: true, .. })) => EndOf::Requirement,
            (UnitKind::Template, _) => EndOf::Template,
            (UnitKind::ModuleProcedure, _) => EndOf::Procedure,
        }
    }

    fn close_unit(&mut self, last: StatementId) {
        if let Some(unit) = self.units.pop() {
            let unit = &mut self.tree.units[unit.id];
            unit.last = last.max(unit.first);
        }
    }

    /// Closes the innermost unit and its constructs in front of statement `before`, with notes: their ends are missing.
    ///
    /// A main program without PROGRAM gets none: statements without END and header are a fragment, which other files
    /// include.
    fn close_unit_unended(&mut self, before: StatementId) {
        while self.innermost().is_some() {
            self.close_unended(before);
        }
        let Some(unit) = self.units.last().map(|unit| unit.id) else { return };
        if let Some(opening) = self.tree.units[unit].opening {
            let text = format!("{} has no {}", unit_text(&self.tree, unit), end_text(self.unit_end(unit)));
            self.note_at(opening, text);
        }
        self.close_unit(before_it(before));
    }

    /// Closes everything in front of statement `before`.
    pub(super) fn close_all(&mut self, before: StatementId) {
        while !self.units.is_empty() {
            self.close_unit_unended(before);
        }
    }
}
