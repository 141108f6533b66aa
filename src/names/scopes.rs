//! The scopes of a file and which statement stands in which (clause 19 of the standard), before any name is looked at.
//!
//! Every program unit is a scope; so are BLOCK, ASSOCIATE and CHANGE TEAM constructs, each guard of SELECT TYPE and
//! SELECT RANK, derived types and DEC structures. Scope 0 holds the stray statements between units; the scope of unit
//! *n* is *n* + 1.

use oxc_index::{IndexSlice, IndexVec, index_vec};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared::{Accessibility, Declared, DeclaredBinding, DeclaredType, DeclaredUse};
use super::external::External;
use super::symbol::ScopeId;
use crate::source::Span;
use crate::syntax::{ConstructId, ConstructKind, Name, StatementId, StatementKind, Tree, Unit, UnitId, UnitKind};

/// The scope of the stray statements between units.
pub const FILE_SCOPE: ScopeId = ScopeId::from_raw(0);

/// One scope with what its specification part declares.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What makes it.
    pub kind: ScopeKind,
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The scope of the unit (or file) that it lies in, or itself.
    unit: ScopeId,
    /// Which names of the scope around it can be seen.
    pub association: Association,
    /// Declared names in the order of their first mention.
    pub symbols: Vec<Declared<Name>>,
    /// Index into `symbols`.
    pub by_name: FxHashMap<Name, u32>,
    /// Indices into `symbols` in the order in which statements touch them.
    pub order: Vec<u32>,
    /// USE statements.
    pub uses: Vec<DeclaredUse<Name>>,
    /// PUBLIC and PRIVATE.
    pub access: Accessibility<Name>,
    /// IMPLICIT statements; consulted in units only.
    pub implicit: ImplicitRules,
    /// What may declare names here that were not seen.
    pub unseen: Vec<Unseen>,
    /// Assignments of the specification part that look like statement functions.
    pub statement_functions: Vec<StatementId>,
    /// Whether the first executable statement has been passed.
    pub in_execution: bool,
    /// Type-bound procedures of a derived type.
    pub bindings: Vec<DeclaredBinding<Name>>,
}

/// What makes a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The file, for stray statements.
    File,
    /// A program unit, subprogram or interface body.
    Unit(UnitId),
    /// A BLOCK construct.
    Block(ConstructId),
    /// An ASSOCIATE or CHANGE TEAM construct.
    Associate(ConstructId),
    /// From a guard of SELECT TYPE or SELECT RANK to the next one.
    Guard(ConstructId, StatementId),
    /// A derived type or DEC structure.
    Type(ConstructId),
}

/// Which names of the host a scope can see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Association {
    /// All.
    All,
    /// Those that IMPORT lists.
    Listed(FxHashSet<Name>),
    /// None.
    Nothing,
}

/// Something that may declare names that this program never sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unseen {
    /// A library's include file, whose names are recognised.
    Library(&'static External),
    /// An include file that was not found, or a statement that was not understood.
    Anything,
}

/// Implicit typing of one unit: later entries stand for more.
#[derive(Clone, Debug, Default)]
pub struct ImplicitRules {
    /// IMPLICIT NONE.
    pub none: bool,
    /// Letter ranges with their types.
    pub letters: Vec<(u8, u8, DeclaredType<Name>)>,
}

impl Scope {
    /// Notes what may be declared there without being seen.
    pub fn note_unseen(&mut self, unseen: Unseen) {
        if !self.unseen.contains(&unseen) {
            self.unseen.push(unseen);
        }
    }

    fn new(kind: ScopeKind, parent: Option<ScopeId>, unit: ScopeId, association: Association) -> Self {
        Scope {
            kind,
            parent,
            unit,
            association,
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            order: Vec::new(),
            uses: Vec::new(),
            access: Accessibility::default(),
            implicit: ImplicitRules::default(),
            unseen: Vec::new(),
            statement_functions: Vec::new(),
            in_execution: false,
            bindings: Vec::new(),
        }
    }

    /// Whether undeclared names that occur inside are declared implicitly in this scope (and not in one around it).
    pub fn is_unit(&self) -> bool {
        matches!(self.kind, ScopeKind::Unit(_) | ScopeKind::File)
    }

    /// The declaration of a name, made now if there is none; counts as a touch.
    pub fn declare(&mut self, name: Name, place: Option<Span>) -> &mut Declared<Name> {
        let index = *self.by_name.entry(name).or_insert_with(|| {
            self.symbols.push(Declared::new(name, place));
            self.symbols.len() as u32 - 1
        });
        self.order.push(index);
        &mut self.symbols[index as usize]
    }

    /// The declaration of a name, if there is one.
    pub fn declared(&self, name: Name) -> Option<&Declared<Name>> {
        self.symbols.get(*self.by_name.get(&name)? as usize)
    }
}

/// The scopes of a file.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// All scopes; a scope comes after the one around it.
    pub all: IndexVec<ScopeId, Scope>,
    /// For each statement its scope: for the header of a construct that makes one, the scope around it.
    pub of_statement: IndexVec<StatementId, ScopeId>,
    /// For each construct the scope that it makes, if it makes one (the last for guards).
    pub of_construct: IndexVec<ConstructId, Option<ScopeId>>,
}

impl Scopes {
    /// The scope of a unit.
    pub fn of_unit(unit: UnitId) -> ScopeId {
        ScopeId::from_raw(unit.raw() + 1)
    }

    /// A scope.
    pub fn get(&self, id: ScopeId) -> &Scope {
        &self.all[id]
    }

    /// A scope, to change it.
    pub fn get_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.all[id]
    }

    /// The unit (or file) scope around a scope, or itself.
    pub fn unit_scope(&self, id: ScopeId) -> ScopeId {
        self.get(id).unit
    }

    /// The scopes of a tree, still empty.
    pub fn of_tree(tree: &Tree) -> Scopes {
        let mut scopes = Scopes {
            all: index_vec![Scope::new(ScopeKind::File, None, ScopeId::from(0_usize), Association::Nothing)],
            of_statement: IndexVec::with_capacity(tree.statements.len()),
            of_construct: index_vec![None; tree.constructs.len()],
        };
        for (id, unit) in tree.units.iter_enumerated() {
            let parent = unit.parent.map(Scopes::of_unit);
            let association = if sees_host(tree, unit) { Association::All } else { Association::Nothing };
            scopes.all.push(Scope::new(ScopeKind::Unit(id), parent, Scopes::of_unit(id), association));
        }
        // The scope that a statement has which stands directly in a construct.
        let mut inside = index_vec![None; tree.constructs.len()];
        for id in tree.statements.indices() {
            let scope = scopes.place(tree, id, &mut inside);
            scopes.of_statement.push(scope);
        }
        scopes
    }

    /// The scope of a statement; opens scopes for headers.
    fn place(
        &mut self,
        tree: &Tree,
        id: StatementId,
        inside: &mut IndexSlice<ConstructId, [Option<ScopeId>]>,
    ) -> ScopeId {
        let unit = tree.unit_of.get(id).copied().flatten();
        let unit_scope = unit.map_or(FILE_SCOPE, Scopes::of_unit);
        let construct = tree.construct_of.get(id).copied().flatten();
        let Some((construct_id, construct)) =
            construct.and_then(|at| Some((at, tree.constructs.get(at)?))).filter(|(_, it)| Some(it.unit) == unit)
        else {
            return unit_scope;
        };
        let outer = construct.parent.and_then(|parent| inside[parent]).unwrap_or(unit_scope);
        let is_opening = construct.headers.first() == Some(&id);
        let kind = match (&construct.kind, is_opening) {
            (ConstructKind::Block, true) => Some(ScopeKind::Block(construct_id)),
            (ConstructKind::Associate | ConstructKind::ChangeTeam, true) => Some(ScopeKind::Associate(construct_id)),
            (ConstructKind::DerivedType | ConstructKind::Structure, true) => Some(ScopeKind::Type(construct_id)),
            (ConstructKind::SelectType | ConstructKind::SelectRank, false) => {
                let is_guard =
                    matches!(tree.statements[id].kind, StatementKind::TypeGuard(..) | StatementKind::RankCase(..));
                is_guard.then_some(ScopeKind::Guard(construct_id, id))
            }
            _ => None,
        };
        if let Some(kind) = kind {
            let scope = self.all.push(Scope::new(kind, Some(outer), unit_scope, Association::All));
            inside[construct_id] = Some(scope);
            self.of_construct[construct_id] = Some(scope);
            return outer;
        }
        if is_opening {
            inside[construct_id] = Some(outer);
        }
        inside[construct_id].unwrap_or(outer)
    }
}

/// Whether a unit has host association without IMPORT: contained procedures, and interface bodies with the prefix
/// MODULE.
fn sees_host(tree: &Tree, unit: &Unit) -> bool {
    if unit.kind != UnitKind::InterfaceBody {
        return true;
    }
    let opening = unit.opening.and_then(|opening| tree.statements.get(opening));
    match opening.map(|statement| &statement.kind) {
        Some(StatementKind::Subroutine(it) | StatementKind::Function(it)) => {
            it.prefixes.contains(&crate::syntax::Prefix::Module)
        }
        _ => false,
    }
}
