//! The block builder: statements in a row to constructs and program units.
//!
//! Input: a prescanned file and its parsed statements ([`nest`]). Result: a [`Tree`], always. Command that dumps it:
//! `camfort-rs debug tree FILE`.
//!
//! One pass over the statements with two explicit stacks, that of the open units and that of the open constructs; each
//! unit remembers where its own constructs begin. There is no recursion, and counts of what is open make sure that an
//! END without its opening is recognised without a search, so the cost is linear whatever the depth.
//!
//! *Missing*, *surplus* and *mismatched* ends are repaired and noted once each (F006): a missing end at the end of what
//! encloses it or where a program unit begins, the others at once. A statement that was not understood but plainly
//! opens or ends something does so, silently: it has its own finding, and its consequences should have none.

#![deny(clippy::wildcard_enum_match_arm)]

mod roles;
#[cfg(test)]
#[allow(clippy::wildcard_enum_match_arm, reason = "a test fails on what it does not expect")]
mod tests;
pub(crate) mod unbalanced;
mod units;

use oxc_index::IndexVec;
use rustc_hash::FxHashSet;

use super::ast::declaration::TypeSpecKind;
use super::ast::names::{Name, NameTable};
use super::ast::statement::{EndOf, Statement, StatementKind};
use super::ast::tree::{Construct, ConstructId, ConstructKind, StatementId, Tree, UnitId};
use super::nesting::roles::{BlockRole, block_role, construct_kinds, end_of};
use super::nesting::unbalanced::{construct_name, construct_text, end_text};
use super::nesting::units::OpenUnit;
use super::parse::entity::has_double_colon;
use super::parse::io::type_output_of;
use super::parse::lexical::{Context, ParsedStatements};
use super::parse::statement::statement;
use crate::source::Prescanned;

/// Parses the statements of a prescanned file and nests them.
pub fn parse(source: Prescanned) -> Tree {
    parse_as_far_as(ParsedStatements::All, source)
}

/// The same for what a file declares: executable statements are not parsed but become CONTINUE, so constructs are no
/// part of the tree, but for BLOCK and those of the specification part.
pub fn parse_declarations(source: Prescanned) -> Tree {
    parse_as_far_as(ParsedStatements::Declarations, source)
}

fn parse_as_far_as(extent: ParsedStatements, source: Prescanned) -> Tree {
    let context = Context::new(&source, extent);
    let statements = source.statements.iter().map(|logical| statement(&context, logical)).collect();
    let names = context.names.into_inner();
    nest(source, statements, names)
}

/// Nests statements that are parsed already.
pub fn nest(source: Prescanned, statements: IndexVec<StatementId, Statement>, names: NameTable) -> Tree {
    let count = statements.len();
    let tree = Tree {
        statements,
        constructs: IndexVec::new(),
        units: IndexVec::new(),
        construct_of: IndexVec::with_capacity(count),
        unit_of: IndexVec::with_capacity(count),
        names,
        unbalanced: Vec::new(),
        source,
    };
    let mut builder = Builder {
        tree,
        units: Vec::new(),
        open: Vec::new(),
        forgiven: [0; END_KINDS],
        namelists: FxHashSet::default(),
    };
    for id in builder.tree.statements.indices() {
        builder.add(id);
    }
    builder.close_all(builder.tree.statements.next_idx());
    if builder.tree.source.is_fypp {
        // Of each construct that differs from branch to branch there are several headers, or ends.
        builder.tree.unbalanced.clear();
    }
    builder.tree.unbalanced.sort_by_key(|(span, _)| *span);
    builder.tree
}

/// Number of kinds in [`EndOf`], of which `Team` is the last.
const END_KINDS: usize = EndOf::Team as usize + 1;

/// The tree under construction and what is open in it.
pub(super) struct Builder {
    pub(super) tree: Tree,
    /// Open units, outermost first.
    pub(in crate::syntax::nesting) units: Vec<OpenUnit>,
    /// Open constructs of all open units, outermost first.
    pub(super) open: Vec<ConstructId>,
    /// How many statements that were not understood may have opened what this kind of END ends: so many surplus ends
    /// are no findings. Indexed by [`EndOf`].
    forgiven: [u32; END_KINDS],
    /// The names of namelist groups so far.
    namelists: FxHashSet<Name>,
}

impl Builder {
    /// Adds the next statement.
    fn add(&mut self, id: StatementId) {
        self.note_namelists(id);
        match block_role(&self.tree, id) {
            BlockRole::Plain => self.plain(id),
            BlockRole::Stray => self.belong(id),
            BlockRole::Suspect(of) => {
                self.forgiven[of as usize] += 1;
                self.belong(id);
            }
            BlockRole::Opens(kind) => self.open_construct(id, kind),
            BlockRole::Continues(kind, keywords) => self.add_header(id, kind, keywords),
            BlockRole::Contains => self.contains(id),
            BlockRole::Ends(None) => self.end_of_unit(id, None),
            BlockRole::Ends(Some(of)) => match construct_kinds(of) {
                [] => self.end_of_unit(id, Some(of)),
                kinds => self.end_of_construct(id, of, kinds),
            },
            BlockRole::Procedure(kind) => self.open_procedure(id, kind),
            BlockRole::ProcedureNames { module } => self.procedure_names(id, module),
            BlockRole::Unit(kind) => self.open_outermost(id, kind),
            BlockRole::Template => self.open_template(id),
        }
        self.end_labelled_loops(id);
    }

    /// Remembers the groups of a NAMELIST statement. `type group` then is DEC's TYPE, which writes one, and defines no
    /// type.
    fn note_namelists(&mut self, id: StatementId) {
        let statement = &mut self.tree.statements[id];
        if let StatementKind::Namelist(groups) = &statement.kind {
            self.namelists.extend(groups.iter().filter_map(|group| group.name).map(|name| name.name));
        }
        if let StatementKind::DerivedType { attributes, name, parameters } = &statement.kind
            && attributes.is_empty()
            && parameters.is_empty()
            && self.namelists.contains(&name.name)
        {
            statement.kind = type_output_of(*name);
        }
    }

    /// Makes a statement belong to the innermost unit and construct.
    pub(super) fn belong(&mut self, id: StatementId) {
        debug_assert_eq!(self.tree.unit_of.next_idx(), id, "every statement belongs once, in order");
        let construct = self.innermost();
        self.tree.construct_of.push(construct);
        self.tree.unit_of.push(self.units.last().map(|unit| unit.id));
    }

    /// A statement that opens and ends nothing. Outside all units it begins a main program without PROGRAM.
    fn plain(&mut self, id: StatementId) {
        self.ensure_unit(id);
        self.take_back_declaration(id);
        let executable = is_executable(&self.tree.statements[id].kind);
        if let Some(unit) = self.units.last_mut() {
            unit.executes |= executable;
        }
        self.belong(id);
    }

    /// What was taken for a declaration by a macro that stands for a type (`helper x`) is none behind executable
    /// statements.
    fn take_back_declaration(&mut self, id: StatementId) {
        let StatementKind::TypeDeclaration(declaration) = &self.tree.statements[id].kind else { return };
        let TypeSpecKind::Macro(name, _) = &declaration.type_spec.kind else { return };
        let executes = self.units.last().is_some_and(|unit| unit.executes);
        let in_block = self.innermost().is_some_and(|construct| self.kind(construct) == ConstructKind::Block);
        let logical = self.tree.source.statements.get(id.index());
        if executes && !in_block && logical.is_some_and(|logical| !has_double_colon(self.tree.source.text(logical))) {
            let text = format!("Expected a statement at '{}', which is no keyword", self.tree.names.text(name.name));
            self.tree.statements[id].kind = StatementKind::Unparsed(text);
        }
    }

    /// The innermost open construct of the innermost unit.
    pub(super) fn innermost(&self) -> Option<ConstructId> {
        self.own_constructs().last().copied()
    }

    /// The open constructs of the innermost unit.
    fn own_constructs(&self) -> &[ConstructId] {
        let base = self.units.last().map_or(0, |unit| unit.base);
        self.open.get(base..).unwrap_or_default()
    }

    pub(super) fn kind(&self, id: ConstructId) -> ConstructKind {
        self.tree.constructs[id].kind
    }

    fn open_construct(&mut self, id: StatementId, kind: ConstructKind) {
        let unit = self.ensure_unit(id);
        let parent = self.innermost();
        let construct = self.tree.constructs.next_idx();
        self.tree.constructs.push(Construct { kind, headers: vec![id], end: None, last: id, parent, unit });
        self.open.push(construct);
        let label = loop_label(&self.tree.statements[id]);
        let name = construct_name(&self.tree, construct);
        if let Some(open_unit) = self.units.last_mut() {
            open_unit.opened(kind, label, name);
            open_unit.executes |= is_executable(&self.tree.statements[id].kind);
        }
        self.belong(id);
    }

    /// Takes the innermost construct off the stack; `last` is the last statement that belongs to it.
    fn close_construct(&mut self, end: Option<StatementId>, last: StatementId) {
        let Some(id) = self.open.pop() else { return };
        let construct = &mut self.tree.constructs[id];
        construct.end = end;
        construct.last = last.max(construct.last);
        let kind = construct.kind;
        let label = loop_label(&self.tree.statements[self.opening(id)]);
        let name = construct_name(&self.tree, id);
        if let Some(unit) = self.units.last_mut() {
            unit.closed(kind, label, name);
        }
    }

    /// Closes the innermost construct in front of statement `before`, with a note: its end is missing.
    pub(super) fn close_unended(&mut self, before: StatementId) {
        let Some(&id) = self.open.last() else { return };
        let opening = self.opening(id);
        let what = construct_text(&self.tree, id);
        let text = match loop_label(&self.tree.statements[opening]) {
            Some(label) => format!("{what} has no statement with label {label}"),
            None => format!("{what} has no {}", end_text(end_of(self.kind(id)))),
        };
        self.note_at(opening, text);
        self.close_construct(None, before_it(before));
    }

    /// F006 at a statement, unless the statement was not understood and has a finding of its own.
    pub(super) fn note_at(&mut self, id: StatementId, text: String) {
        let statement = &self.tree.statements[id];
        if !matches!(statement.kind, StatementKind::Unparsed(_)) {
            self.tree.unbalanced.push((statement.span, text));
        }
    }

    /// A surplus end or header, unless something that was not understood explains it.
    pub(super) fn note_surplus(&mut self, id: StatementId, of: EndOf, text: String) {
        match &mut self.forgiven[of as usize] {
            0 => self.note_at(id, text),
            suspects => *suspects -= 1,
        }
    }

    /// END IF and its like.
    fn end_of_construct(&mut self, id: StatementId, of: EndOf, kinds: &[ConstructKind]) {
        self.leave_interface_body(id, of);
        let Some(construct) = self.unwind_to(id, kinds) else {
            self.note_surplus(id, of, format!("{} without its opening statement", end_text(of)));
            return self.belong(id);
        };
        self.compare_names(id, construct, of);
        self.belong(id);
        self.close_construct(Some(id), id);
    }

    /// ELSE, CASE and their like: a further header of the innermost construct of its kind.
    fn add_header(&mut self, id: StatementId, kind: ConstructKind, keywords: &str) {
        self.ensure_unit(id);
        match self.unwind_to(id, &[kind]) {
            Some(construct) => self.tree.constructs[construct].headers.push(id),
            // One statement that was not understood explains any number of ELSEs and CASEs.
            None if self.forgiven[end_of(kind) as usize] > 0 => {}
            None => self.note_at(id, format!("{keywords} without its opening statement")),
        }
        self.belong(id);
    }

    /// Closes constructs of the innermost unit until one that `id` can end or continue is innermost, and gives that
    /// one; does nothing when none is open.
    fn unwind_to(&mut self, id: StatementId, kinds: &[ConstructKind]) -> Option<ConstructId> {
        let unit = self.units.last()?;
        let statement = &self.tree.statements[id];
        let ends_labelled = statement.label.is_some_and(|label| unit.has_label(label));
        if !ends_labelled && !kinds.iter().any(|kind| unit.has(*kind)) {
            return None;
        }
        let own = self.own_constructs();
        let fits = |construct: ConstructId| {
            let label = loop_label(&self.tree.statements[self.opening(construct)]);
            kinds.contains(&self.kind(construct)) && (label.is_none() || label == statement.label)
        };
        let innermost = own.iter().rposition(|&construct| fits(construct))?;
        // An END with another name than the innermost construct's reaches out to a namesake, if there is one.
        let name = end_name(statement).filter(|name| unit.has_name(*name));
        let namesake = |&construct: &ConstructId| fits(construct) && construct_name(&self.tree, construct) == name;
        let wanted = match name {
            Some(_) => own.iter().rposition(namesake).unwrap_or(innermost),
            None => innermost,
        };
        for _ in wanted + 1..own.len() {
            self.close_unended(id);
        }
        self.innermost()
    }

    /// The statement that opens a construct.
    fn opening(&self, construct: ConstructId) -> StatementId {
        self.tree.constructs[construct].headers.first().copied().unwrap_or_default()
    }

    /// Ends the labelled loops whose terminal statement `id` is. Several loops may share one.
    fn end_labelled_loops(&mut self, id: StatementId) {
        let Some(label) = self.tree.statements[id].label else { return };
        while self.units.last().is_some_and(|unit| unit.has_label(label)) {
            let Some(construct) = self.innermost() else { return };
            let opening = self.opening(construct);
            if opening == id {
                return;
            }
            if loop_label(&self.tree.statements[opening]) == Some(label) {
                self.close_construct(None, id);
            } else {
                self.close_unended(id + 1);
            }
        }
    }

    /// Notes an END whose name is not that of the construct.
    fn compare_names(&mut self, id: StatementId, construct: ConstructId, of: EndOf) {
        let Some(name) = end_name(&self.tree.statements[id]) else { return };
        if of == EndOf::Interface || construct_name(&self.tree, construct) == Some(name) {
            return;
        }
        let name = self.tree.names.text(name).to_owned();
        self.note_at(id, format!("{} '{name}' ends {}", end_text(of), construct_text(&self.tree, construct)));
    }

    /// The unit that `id` belongs to; a main program without PROGRAM when there is none yet.
    pub(super) fn ensure_unit(&mut self, id: StatementId) -> UnitId {
        match self.units.last() {
            Some(unit) => unit.id,
            None => self.open_implicit_main(id),
        }
    }
}

/// The statement before another one, the first one for want of one.
pub(super) fn before_it(id: StatementId) -> StatementId {
    StatementId::from_raw(id.raw().saturating_sub(1))
}

/// Whether a statement belongs to the execution part of a unit for sure.
fn is_executable(kind: &StatementKind) -> bool {
    use StatementKind::*;
    matches!(
        kind,
        Assignment { .. }
            | PointerAssignment { .. }
            | Call { .. }
            | Allocate { .. }
            | Deallocate { .. }
            | Nullify(_)
            | Continue
            | InputOutput(_)
            | If { .. }
            | IfThen(_)
            | Do { .. }
            | SelectCase(_)
            | SelectType(_)
            | SelectRank(_)
            | Where { .. }
            | WhereConstruct(_)
            | Associate(_)
    )
}

/// The name behind an END statement.
pub(super) fn end_name(statement: &Statement) -> Option<Name> {
    if let StatementKind::End { name, .. } = &statement.kind { name.map(|name| name.name) } else { None }
}

/// The label of the statement that ends a labelled DO.
fn loop_label(statement: &Statement) -> Option<u32> {
    if let StatementKind::Do { label, .. } = &statement.kind { *label } else { None }
}
