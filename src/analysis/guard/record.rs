//! From an analysed file to its units with their arrays and uses.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use oxc_index::IndexVec;
use thin_vec::ThinVec;

use super::affine::Subscript;
use super::collect::Collector;
use super::disambiguate::plain_name;
use super::snapshot::{ArrayDeclaration, Provenance, Shared, StatementSnapshot, UnitSnapshot, exact};
use crate::analysis::stencil::computations::unit_path;
use crate::analysis::stencil::infer::Inference;
use crate::diagnostics::fingerprint::fnv1a;
use crate::names::{BaseType, Resolved, ScopeKind, Symbol, SymbolId, SymbolType};
use crate::source::Span;
use crate::syntax::*;

/// The units of a file. `file` is what the file is called in the comparison; `inference` what is inferred for it.
pub fn units(tree: &Tree, resolved: &Resolved, inference: &Inference, file: &str) -> Vec<UnitSnapshot> {
    let (texts, subscripts, bounds) = (Shared::default(), Shared::default(), Shared::default());
    let recorder =
        Recorder { tree, resolved, blocks: common_blocks(tree), paths: paths(tree), texts, subscripts, bounds };
    let of_unit = |(id, unit): (UnitId, &crate::syntax::Unit)| UnitSnapshot {
        name: unit_path(tree, id),
        kind: kind_name(unit.kind).to_owned(),
        file: file.to_owned(),
        dummies: dummies(tree, unit),
        arrays: Vec::new(),
        statements: Arc::default(),
        not_understood: 0,
    };
    let mut units: IndexVec<UnitId, UnitSnapshot> = tree.units.iter_enumerated().map(of_unit).collect();
    let mut inferred = inference.computations.iter().peekable();
    for id in tree.statements.indices() {
        let mut computation = None;
        while let Some(next) = inferred.next_if(|next| next.statement <= id) {
            computation = (next.statement == id).then_some(next).or(computation);
        }
        let Some(unit) = tree.unit_of[id].and_then(|unit| units.get_mut(unit)) else { continue };
        unit.not_understood += usize::from(matches!(tree.statements[id].kind, StatementKind::Unparsed(_)));
        unit.arrays.extend(recorder.declarations(id));
        let Some(mut statement) = recorder.statement(id) else { continue };
        if let Some(computation) = computation {
            let texts = computation.specifications.iter().map(|specification| specification.text.clone());
            statement.specifications = exact(texts);
            let reasons = computation.unspecified.iter();
            let reasons = reasons.map(|array| (array.variable.clone(), array.reason.name().to_owned()));
            statement.unspecified = exact(reasons);
        }
        Arc::make_mut(&mut unit.statements).push(statement);
    }
    let holds_nothing = |unit: &UnitSnapshot| {
        unit.arrays.is_empty() && unit.statements.is_empty() && unit.dummies.is_empty() && unit.not_understood == 0
    };
    units.retain(|unit| !holds_nothing(unit));
    units.iter_mut().for_each(|unit| Arc::make_mut(&mut unit.statements).shrink_to_fit());
    units.into_iter().collect()
}

/// The paths of the texts of a file.
fn paths(tree: &Tree) -> Vec<(u32, Arc<PathBuf>)> {
    tree.source.texts.all().iter().map(|text| (text.base, Arc::new(text.path.clone()))).collect()
}

fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::MainProgram => "program",
        UnitKind::Module => "module",
        UnitKind::Submodule => "submodule",
        UnitKind::BlockData => "block data",
        UnitKind::Template => "template",
        UnitKind::Subroutine => "subroutine",
        UnitKind::Function => "function",
        UnitKind::ModuleProcedure => "module procedure",
        UnitKind::InterfaceBody => "interface body",
    }
}

fn dummies(tree: &Tree, unit: &crate::syntax::Unit) -> Vec<String> {
    let Some(opening) = unit.opening else { return Vec::new() };
    let (StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram)) = &tree.statements[opening].kind
    else {
        return Vec::new();
    };
    let name = |dummy: &DummyArgument| match dummy {
        DummyArgument::Name(name) => tree.names.text(name.name).to_owned(),
        DummyArgument::Star => "*".to_owned(),
    };
    subprogram.dummies.iter().map(name).collect()
}

/// For each unit and name in a COMMON block the name of the block.
fn common_blocks(tree: &Tree) -> HashMap<(UnitId, Name), String> {
    let mut blocks = HashMap::new();
    for (id, statement) in tree.statements.iter_enumerated() {
        let (StatementKind::Common(groups), Some(unit)) = (&statement.kind, tree.unit_of[id]) else { continue };
        for group in groups {
            let block = group.name.map_or("", |name| tree.names.text(name.name));
            for entity in &group.entities {
                blocks.insert((unit, entity.name.name), block.to_owned());
            }
        }
    }
    blocks
}

/// What is needed to record the statements of a file.
pub(super) struct Recorder<'t> {
    pub tree: &'t Tree,
    pub resolved: &'t Resolved,
    blocks: HashMap<(UnitId, Name), String>,
    paths: Vec<(u32, Arc<PathBuf>)>,
    /// The texts of all uses.
    pub texts: Shared<str>,
    /// Their subscripts, and the bounds of arrays.
    pub subscripts: Shared<[Subscript]>,
    /// The bounds of loops.
    pub bounds: Shared<Subscript>,
}

impl Recorder<'_> {
    /// The place of a span.
    pub fn place(&self, span: Span) -> Provenance {
        let (_, start, end) = self.tree.source.texts.locate(span);
        let at = self.paths.partition_point(|(base, _)| *base <= span.start).max(1) - 1;
        Provenance(self.paths.get(at).map(|(_, path)| (path.clone(), start, end)))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.tree.names.text(name)
    }

    /// Which array a symbol is.
    pub fn array(&self, id: SymbolId) -> String {
        let symbol = self.resolved.symbol(id);
        let name = self.text(symbol.name);
        if symbol.declared.is_none()
            && symbol.use_associated
            && let Some(origin) = self.resolved.origin(self.tree, id)
        {
            return format!("{}::{}", origin.module, origin.name);
        }
        let mut scope = Some(symbol.scope);
        let mut block = String::new();
        while let Some(at) = scope {
            match self.resolved.scope_kind(at) {
                ScopeKind::Unit(unit) => {
                    return match self.blocks.get(&(unit, symbol.name)) {
                        Some(block) => format!("/{block}/{name}"),
                        None => format!("{}{block}::{name}", self.declaring_unit(unit, symbol)),
                    };
                }
                ScopeKind::Block(construct) => block = format!("::block {}{block}", self.number_of_block(construct)),
                _ => {}
            }
            scope = self.resolved.parent_scope(at);
        }
        name.to_owned()
    }

    /// The unit that declares a symbol of a unit: the dummy arguments of a separate module procedure are declared in
    /// the module (15.6.2.5).
    fn declaring_unit(&self, unit: UnitId, symbol: &Symbol) -> String {
        let of = &self.tree.units[unit];
        if of.kind != UnitKind::ModuleProcedure || symbol.declared.is_some() {
            return unit_path(self.tree, unit);
        }
        let host = of.parent.and_then(|host| self.tree.units[host].opening);
        let module = host.and_then(|opening| match &self.tree.statements[opening].kind {
            StatementKind::Submodule { ancestor, .. } => Some(ancestor.name),
            StatementKind::Module(name) => Some(name.name),
            _ => None,
        });
        let path = unit_path(self.tree, unit);
        module.map_or(path.clone(), |module| format!("{}::{}", self.text(module), plain_name(&path)))
    }

    /// Which of the BLOCK constructs of its unit a construct is, from 1.
    fn number_of_block(&self, construct: ConstructId) -> usize {
        let unit = self.tree.constructs[construct].unit;
        let before = &self.tree.constructs[..=construct];
        before.iter().filter(|one| one.kind == ConstructKind::Block && one.unit == unit).count()
    }

    fn type_text(&self, type_: SymbolType) -> String {
        let kind = type_.kind.map(|kind| format!("({kind})")).unwrap_or_default();
        let base = match type_.base {
            BaseType::Integer => "integer",
            BaseType::Real => "real",
            BaseType::DoublePrecision => "double precision",
            BaseType::Complex => "complex",
            BaseType::DoubleComplex => "double complex",
            BaseType::Character => "character",
            BaseType::Logical => "logical",
            BaseType::Byte => "byte",
            BaseType::Derived(id) | BaseType::Class(id) => {
                let name = self.resolved.derived_type(id).map_or("", |table| table.name.as_str());
                return format!("type({name})");
            }
            BaseType::Unlimited => "class(*)",
            BaseType::Unknown => "unknown type",
        };
        format!("{base}{kind}")
    }

    /// The arrays that a statement declares.
    fn declarations(&self, id: StatementId) -> Vec<ArrayDeclaration> {
        let shapes = self.tree.statements[id].kind.shapes();
        shapes.into_iter().filter_map(|(entity, shape)| self.declaration(id, entity, shape)).collect()
    }

    fn declaration(&self, id: StatementId, entity: &Entity, shape: &ArraySpec) -> Option<ArrayDeclaration> {
        let names = &self.tree.names;
        let name = entity.name.name;
        let bounds: Vec<Subscript> =
            shape.dimensions.iter().map(|dimension| Subscript::of_dimension(dimension, names)).collect();
        let bounds = self.subscripts.get(bounds);
        let place = self.place(entity.span);
        let scope = self.resolved.scope_of(id);
        if let ScopeKind::Type(construct) = self.resolved.scope_kind(scope) {
            let header = *self.tree.constructs[construct].headers.first()?;
            let type_name = match &self.tree.statements[header].kind {
                StatementKind::DerivedType { name, .. } => self.text(name.name),
                StatementKind::Structure { name, .. } => name.map_or("", |name| self.text(name.name)),
                _ => "",
            };
            let kind = match shape.dimensions.first() {
                Some(DimensionSpec::Colon(_)) => "deferred shape",
                _ => "explicit shape",
            };
            let array = format!("{type_name}%{}", self.text(name));
            return Some(ArrayDeclaration {
                array,
                type_: self.texts.get(""),
                kind: self.texts.get(kind),
                bounds,
                place,
            });
        }
        let symbol_id = self.resolved.symbol_at(id, name)?;
        let symbol = self.resolved.symbol(symbol_id);
        let type_ = symbol.type_.map(|type_| self.type_text(type_)).unwrap_or_default();
        let (type_, kind) = (self.texts.get(type_), self.texts.get(kind_of(symbol, shape)));
        Some(ArrayDeclaration { array: self.array(symbol_id), type_, kind, bounds, place })
    }

    /// The number of loops around a statement; the header of a loop stands outside of it.
    fn depth(&self, id: StatementId) -> u32 {
        let mut depth = 0;
        let mut at = self.tree.construct_of[id];
        while let Some(construct) = at {
            let construct = &self.tree.constructs[construct];
            let opens = matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall);
            depth += u32::from(opens && construct.headers.first() != Some(&id));
            at = construct.parent;
        }
        depth
    }

    fn statement(&self, id: StatementId) -> Option<StatementSnapshot> {
        let statement = &self.tree.statements[id];
        let mut collector = Collector::new(self, id);
        collector.statement(&statement.kind);
        let Collector { uses, loops, masked, .. } = collector;
        if uses.is_empty() && loops.is_empty() {
            return None;
        }
        let text = self.unmasked(id, masked);
        Some(StatementSnapshot {
            head: self.texts.get(head(&statement.kind, &self.tree.names)),
            hash: fnv1a(&text) as u64,
            depth: self.depth(id),
            loops: exact(loops.into_iter()),
            uses: exact(uses.into_iter()),
            specifications: ThinVec::new(),
            unspecified: ThinVec::new(),
            place: self.place(statement.span),
        })
    }

    /// The cooked text of a statement without what stands under these spans.
    fn unmasked(&self, id: StatementId, mut masked: Vec<Span>) -> Vec<u8> {
        let source = &self.tree.source;
        let Some(logical) = source.statements.get(id.index()) else { return Vec::new() };
        masked.sort_unstable();
        // One span for those that overlap, so that the last one that begins before a place says all.
        let mut disjoint: Vec<Span> = Vec::with_capacity(masked.len());
        for span in masked {
            match disjoint.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => disjoint.push(span),
            }
        }
        let is_masked = |origin: u32| {
            let before = disjoint.partition_point(|span| span.start <= origin);
            before.checked_sub(1).is_some_and(|last| origin < disjoint[last].end)
        };
        let mut kept = Vec::new();
        let (from, to) = (logical.start as usize, logical.end as usize);
        for (&byte, &origin) in source.cooked[from..to].iter().zip(&source.origins[from..to]) {
            if !is_masked(origin) {
                kept.push(byte);
            }
        }
        kept
    }
}

/// The kind of the declaration of a variable.
fn kind_of(symbol: &Symbol, shape: &ArraySpec) -> &'static str {
    if shape.assumed_rank {
        return "assumed rank";
    }
    match shape.dimensions.last() {
        Some(DimensionSpec::Star(_)) if symbol.is_dummy => "assumed size",
        Some(DimensionSpec::Star(_)) => "implied shape",
        _ if symbol.is_allocatable => "allocatable",
        _ if symbol.is_pointer => "pointer",
        Some(DimensionSpec::Colon(_)) if symbol.is_dummy => "assumed shape",
        Some(DimensionSpec::Colon(_)) => "deferred shape",
        _ => "explicit shape",
    }
}

/// What a statement does, in few words.
fn head(kind: &StatementKind, names: &NameTable) -> String {
    let path = |reference: &Reference| {
        let parts: Vec<&str> = reference.parts.iter().map(|part| names.text(part.name.name)).collect();
        parts.join("%")
    };
    match kind {
        StatementKind::Assignment { target, .. } => format!("{}=", path(target)),
        StatementKind::PointerAssignment { target, .. } => format!("{}=>", path(target)),
        StatementKind::Call { procedure } => format!("call {}", path(procedure)),
        StatementKind::Allocate { objects, .. } => {
            format!("allocate {}", objects.first().map(path).unwrap_or_default())
        }
        StatementKind::If { action, .. } => format!("if {}", head(&action.kind, names)),
        StatementKind::Where { action, .. } => format!("where {}", head(&action.kind, names)),
        StatementKind::Forall { action, .. } => format!("forall {}", head(&action.kind, names)),
        StatementKind::Do { .. } | StatementKind::ForallConstruct(_) => "do".to_owned(),
        StatementKind::IfThen(_) => "if".to_owned(),
        StatementKind::ElseIf(..) => "else if".to_owned(),
        StatementKind::InputOutput(io) => format!("{:?}", io.operation).to_lowercase(),
        StatementKind::Data(_) => "data".to_owned(),
        _ => "other".to_owned(),
    }
}
