//! The modules of a project: what each exports, through chains of USE, renames, ONLY lists, PUBLIC and PRIVATE.
//!
//! A [`ModuleIndex`] is made once of all [`ModuleSummary`]s and then shared. Names are looked up along the USE
//! statements when they are asked for, so nothing is copied from module to module. Each file puts its own modules on
//! top, as a second *layer*, so that it resolves by itself whatever other files of the project call theirs.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::constant::Environment;
use super::declared::{Accessibility, DeclaredDerivedType, DeclaredKind, DeclaredUse, ModuleSummary, Properties};
use super::entity::{Facts, Resolver, facts, resolve_derived_type};
use super::external::{External, external_constant, external_module};
use super::symbol::{BaseType, Bounds, DerivedTypeTable, SymbolKind, SymbolType, TypeId};

/// The modules of a project.
#[derive(Clone, Debug, Default)]
pub struct ModuleIndex {
    base: Option<Arc<Layer>>,
    own: Arc<Layer>,
}

/// Modules that were indexed together; ids count on from the layer below.
#[derive(Debug, Default)]
struct Layer {
    first_module: u32,
    first_type: u32,
    modules: Vec<ModuleEntry>,
    by_name: FxHashMap<String, u32>,
    types: Vec<DerivedTypeTable>,
    external_functions: FxHashMap<String, ExternalFile>,
}

/// Where an external function stands.
#[derive(Debug)]
struct ExternalFile {
    /// Its file; `None` if nobody needs to look at it, or if several files have different ones of the name, as it is
    /// not known which of them is meant.
    file: Option<PathBuf>,
    /// That of the first one.
    fingerprint: u64,
    /// All files that have one of the name.
    all_files: Vec<PathBuf>,
}

/// A module with its symbols resolved.
#[derive(Debug)]
struct ModuleEntry {
    name: String,
    file: PathBuf,
    host: Option<u32>,
    uses: Vec<(DeclaredUse<String>, UseTarget)>,
    access: Accessibility<String>,
    symbols: Vec<SharedSymbol>,
    by_name: FxHashMap<String, u32>,
    is_open: bool,
    /// The ring of modules it is in, when it is the ring's first: `a -> b -> a`.
    ring: Option<String>,
    /// The modules of its ring; empty when it is in none.
    ring_members: Vec<u32>,
    types_from: u32,
}

/// A symbol of a module.
#[derive(Clone, Debug)]
pub struct SharedSymbol {
    /// Its name in the module.
    pub name: String,
    /// What is known of it.
    pub facts: Facts,
    /// Its attributes.
    pub properties: Properties,
}

/// Where a USE statement leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseTarget {
    /// A module of the project.
    Module(u32),
    /// A known external module.
    External(&'static External),
    /// Nowhere.
    Missing,
}

impl UseTarget {
    /// The module of the project.
    fn module(self) -> Option<u32> {
        if let UseTarget::Module(id) = self { Some(id) } else { None }
    }
}

/// What a look-up in a module finds.
#[derive(Clone, Copy, Debug)]
pub enum LookUp<'a> {
    /// A symbol of the module with this id.
    Symbol(u32, &'a SharedSymbol),
    /// A name of an external module, and its value if it is a known constant.
    External(Option<i64>),
    /// Nothing, but a module on the way is missing, so it may exist.
    Doubtful,
    /// Nothing.
    Absent,
}

/// Where a name may come from that is looked up in a module.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameSource<'a> {
    /// A module of the project.
    Module {
        /// The module.
        id: u32,
        /// What it declares by that name.
        own: Option<&'a SharedSymbol>,
        /// Whether it may declare more than was understood.
        is_open: bool,
    },
    /// A module of a library, by its kind, the name there, and the module's name.
    External(&'static External, &'a str, &'a str),
    /// A module that is in none of the files.
    Missing(&'a str),
}

/// A view of an index, finished or in the making.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    base: Option<&'a Layer>,
    own: &'a Layer,
}

impl<'a> Tables<'a> {
    fn module(self, id: u32) -> Option<&'a ModuleEntry> {
        match id.checked_sub(self.own.first_module) {
            Some(at) => self.own.modules.get(at as usize),
            None => self.base?.modules.get(id as usize),
        }
    }

    fn module_named(self, name: &str) -> Option<u32> {
        self.own.by_name.get(name).or_else(|| self.base?.by_name.get(name)).copied()
    }

    fn target(self, name: &str) -> UseTarget {
        if let Some(id) = self.module_named(name) {
            return UseTarget::Module(id);
        }
        external_module(name).map_or(UseTarget::Missing, UseTarget::External)
    }

    /// Visits where a name may come from that users of a module see, nearest first, until `visit` breaks; `host_view`
    /// sees private names too, as a submodule does.
    pub(super) fn visit_sources<B>(
        self,
        module: u32,
        name: &'a str,
        host_view: bool,
        mut visit: impl FnMut(NameSource<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut seen: FxHashSet<(u32, &str)> = FxHashSet::default();
        let mut pending: SmallVec<[_; 8]> = smallvec![(module, name, host_view)];
        while let Some((id, name, host_view)) = pending.pop() {
            let Some(entry) = self.module(id) else { continue };
            if !seen.insert((id, name)) || !(host_view || entry.access.is_public(name)) {
                continue;
            }
            let own = entry.by_name.get(name).and_then(|&at| entry.symbols.get(at as usize));
            visit(NameSource::Module { id, own, is_open: entry.is_open })?;
            // The last pushed is visited first: a module's USE statements in order, then the host.
            pending.extend(entry.host.filter(|_| host_view).map(|host| (host, name, true)));
            for (declared, target) in entry.uses.iter().rev() {
                let Some(remote) = declared.remote(name) else { continue };
                match target {
                    UseTarget::Module(used) => pending.push((*used, remote, false)),
                    UseTarget::External(external) => visit(NameSource::External(external, remote, &declared.module))?,
                    UseTarget::Missing => visit(NameSource::Missing(&declared.module))?,
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks a name up in a module and in what it uses; `host_view` sees private names too, as a submodule does.
    fn find(self, module: u32, name: &'a str, host_view: bool) -> LookUp<'a> {
        let mut doubtful = false;
        let mut external = None;
        let found = self.visit_sources(module, name, host_view, |source| {
            match source {
                NameSource::Module { id, own: Some(own), .. } => return ControlFlow::Break(LookUp::Symbol(id, own)),
                NameSource::Module { own: None, is_open, .. } => doubtful |= is_open,
                NameSource::External(known, ..) if known.declares_anything() => doubtful = true,
                NameSource::External(known, remote, _) if known.may_declare(remote) => external = Some(remote),
                NameSource::External(..) => {}
                NameSource::Missing(_) => doubtful = true,
            }
            ControlFlow::Continue(())
        });
        match (found, external) {
            (ControlFlow::Break(found), _) => found,
            (_, Some(name)) => LookUp::External(external_constant(name)),
            _ if doubtful => LookUp::Doubtful,
            _ => LookUp::Absent,
        }
    }
}

impl ModuleIndex {
    /// The index of these modules; of two with one name the first stands.
    pub fn new(summaries: impl IntoIterator<Item = ModuleSummary>) -> Self {
        let own = build(None, summaries.into_iter().collect());
        ModuleIndex { base: None, own: Arc::new(own) }
    }

    /// This index with more modules on top, which hide those of the same name.
    pub(super) fn with(&self, summaries: Vec<ModuleSummary>) -> Self {
        let base = Arc::clone(&self.own);
        let own = build(Some(&base), summaries);
        ModuleIndex { base: Some(base), own: Arc::new(own) }
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        Tables { base: self.base.as_deref(), own: &self.own }
    }

    /// Where `use name` leads.
    pub fn target(&self, name: &str) -> UseTarget {
        self.tables().target(name)
    }

    /// Looks a name up as a user of the module sees it (`host_view`: as its submodules do).
    pub(super) fn find<'a>(&'a self, module: u32, name: &'a str, host_view: bool) -> LookUp<'a> {
        self.tables().find(module, name, host_view)
    }

    /// A module in none of the files from which a module may have a name.
    pub(super) fn missing_behind<'a>(&'a self, module: u32, name: &'a str) -> Option<&'a str> {
        let found = self.tables().visit_sources(module, name, false, |source| match source {
            NameSource::Missing(module) => ControlFlow::Break(module),
            NameSource::External(known, _, module) if known.declares_anything() => ControlFlow::Break(module),
            NameSource::External(..) | NameSource::Module { .. } => ControlFlow::Continue(()),
        });
        found.break_value()
    }

    /// A derived type of a module.
    pub(super) fn derived_type(&self, id: TypeId) -> Option<&DerivedTypeTable> {
        match id.raw().checked_sub(self.own.first_type) {
            Some(at) => self.own.types.get(at as usize),
            None => self.base.as_ref()?.types.get(id.index()),
        }
    }

    /// The number of derived types: the first id that is free.
    pub(super) fn type_count(&self) -> u32 {
        self.own.first_type + self.own.types.len() as u32
    }

    /// Whether some file has an external function of this name.
    pub fn has_external_function(&self, name: &str) -> bool {
        self.external_function(name).is_some()
    }

    /// The file with the external function of this name, if its body is worth a look; of several files the first if
    /// all have the same statements, else none.
    pub fn file_of_external_function(&self, name: &str) -> Option<&Path> {
        self.external_function(name)?.file.as_deref()
    }

    /// All files with an external function of this name.
    pub fn files_of_external_function(&self, name: &str) -> &[PathBuf] {
        // The layer below has those of all files.
        let layer = self.base.as_ref().unwrap_or(&self.own);
        layer.external_functions.get(name).map_or(&[], |function| &function.all_files)
    }

    fn external_function(&self, name: &str) -> Option<&ExternalFile> {
        let layers = [Some(&self.own), self.base.as_ref()];
        layers.into_iter().flatten().find_map(|layer| layer.external_functions.get(name))
    }

    /// The name of a module and its file.
    pub(super) fn module(&self, id: u32) -> Option<(&str, &Path)> {
        self.tables().module(id).map(|entry| (entry.name.as_str(), entry.file.as_path()))
    }

    /// The name of a module.
    pub fn module_name(&self, id: u32) -> Option<&str> {
        self.tables().module(id).map(|entry| entry.name.as_str())
    }

    /// If modules use each other in a ring whose alphabetically first is `user`, and `used` is in it: the ring. A ring
    /// may close in the layer below, through modules of other files.
    pub(super) fn ring(&self, user: &str, used: &str) -> Option<&str> {
        [Some(&self.own), self.base.as_ref()].into_iter().flatten().find_map(|layer| {
            let at = |name: &str| layer.by_name.get(name).copied();
            let entry = layer.modules.get((at(user)? - layer.first_module) as usize)?;
            entry.ring.as_deref().filter(|_| at(used).is_some_and(|used| entry.ring_members.contains(&used)))
        })
    }

    /// The file of a module of the project.
    pub fn file_of_module(&self, module: &str) -> Option<&Path> {
        let tables = self.tables();
        tables.module_named(module).and_then(|id| tables.module(id)).map(|entry| entry.file.as_path())
    }

    /// The modules of the project that a module uses itself, in order.
    pub fn used_modules(&self, module: &str) -> Vec<&str> {
        let tables = self.tables();
        let Some(entry) = tables.module_named(module).and_then(|id| tables.module(id)) else { return Vec::new() };
        let used = entry.uses.iter().filter_map(|(_, target)| target.module());
        let used = used.filter_map(|id| tables.module(id)).map(|entry| entry.name.as_str());
        used.collect()
    }
}

/// Indexes modules on top of a layer.
fn build(base: Option<&Layer>, summaries: Vec<ModuleSummary>) -> Layer {
    let mut layer = Layer {
        first_module: base.map_or(0, |base| base.modules.len() as u32),
        first_type: base.map_or(0, |base| base.types.len() as u32),
        ..Layer::default()
    };
    let mut kept: Vec<ModuleSummary> = Vec::with_capacity(summaries.len());
    for mut summary in summaries {
        for function in std::mem::take(&mut summary.external_functions) {
            let known = layer.external_functions.entry(function.name);
            let of_first = || ExternalFile {
                fingerprint: function.fingerprint,
                file: (!function.has_side_effects).then(|| summary.file.clone()),
                all_files: vec![summary.file.clone()],
            };
            // Copies of one function are as good as one.
            let another = |first: &mut ExternalFile| {
                if first.fingerprint != function.fingerprint {
                    first.file = None;
                }
                first.all_files.push(summary.file.clone());
            };
            known.and_modify(another).or_insert_with(of_first);
        }
        if summary.name.is_empty() {
            continue;
        }
        let id = layer.first_module + kept.len() as u32;
        let entry = layer.by_name.entry(summary.name.clone());
        if matches!(entry, std::collections::hash_map::Entry::Vacant(_)) {
            entry.or_insert(id);
            kept.push(summary);
        }
    }
    for summary in &mut kept {
        let entry = enter(&mut layer, summary);
        layer.modules.push(entry);
    }
    for (at, summary) in kept.iter().enumerate() {
        let tables = Tables { base, own: &layer };
        let targets: Vec<UseTarget> =
            layer.modules[at].uses.iter().map(|(declared, _)| tables.target(&declared.module)).collect();
        let host = summary.host.as_deref().map(|host| tables.module_named(host));
        let entry = &mut layer.modules[at];
        for (slot, target) in entry.uses.iter_mut().zip(targets) {
            slot.1 = target;
        }
        entry.host = host.flatten();
        entry.is_open |= host == Some(None);
    }
    for at in dependency_order(&mut layer) {
        resolve_module(base, &mut layer, at, &kept[at]);
    }
    layer
}

/// The entry of a module before resolution: types have their ids, symbols no facts yet.
fn enter(layer: &mut Layer, summary: &mut ModuleSummary) -> ModuleEntry {
    let types_from = layer.first_type + layer.types.len() as u32;
    layer.types.extend(summary.types.iter().map(|_| DerivedTypeTable::default()));
    let symbols = summary.symbols.iter().map(|declared| {
        let mut facts = Facts::unknown();
        if let DeclaredKind::DerivedType(index) = declared.kind {
            facts.kind = SymbolKind::DerivedType;
            facts.type_ = Some(SymbolType::plain(BaseType::Derived(TypeId::from_raw(types_from + index))));
        }
        SharedSymbol { name: declared.name.clone(), facts, properties: declared.properties }
    });
    let symbols: Vec<SharedSymbol> = symbols.collect();
    let by_name = symbols.iter().zip(0..).map(|(symbol, at)| (symbol.name.clone(), at)).collect();
    let uses = std::mem::take(&mut summary.uses).into_iter().map(|declared| (declared, UseTarget::Missing));
    ModuleEntry {
        name: summary.name.clone(),
        file: std::mem::take(&mut summary.file),
        host: None,
        uses: uses.collect(),
        access: std::mem::take(&mut summary.access),
        symbols,
        by_name,
        is_open: summary.is_open,
        ring: None,
        ring_members: Vec::new(),
        types_from,
    }
}

/// The modules of a layer, used ones before their users; rings are noted at their members.
fn dependency_order(layer: &mut Layer) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(layer.modules.len(), 0);
    for _ in &layer.modules {
        graph.add_node(());
    }
    let own = |id: u32| id.checked_sub(layer.first_module).map(|at| NodeIndex::new(at as usize));
    for (at, entry) in layer.modules.iter().enumerate() {
        let used = entry.uses.iter().filter_map(|(_, target)| target.module());
        for id in used.chain(entry.host) {
            if let Some(node) = own(id) {
                graph.update_edge(NodeIndex::new(at), node, ());
            }
        }
    }
    let mut order = Vec::with_capacity(layer.modules.len());
    for component in kosaraju_scc(&graph) {
        let mut members: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
        members.sort_by(|&left, &right| layer.modules[left].name.cmp(&layer.modules[right].name));
        note_ring(layer, &members);
        order.extend(members);
    }
    order
}

/// Notes at the first of a strongly connected set of modules a shortest ring that leads back to it.
fn note_ring(layer: &mut Layer, members: &[usize]) {
    let Some(&first) = members.first() else { return };
    let inside: FxHashSet<usize> = members.iter().copied().collect();
    let mut came_from: FxHashMap<usize, usize> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::from([first]);
    let mut closing = None;
    'search: while let Some(at) = queue.pop_front() {
        for (_, target) in &layer.modules[at].uses {
            let UseTarget::Module(id) = target else { continue };
            let Some(next) = id.checked_sub(layer.first_module).map(|next| next as usize) else { continue };
            if next == first {
                closing = Some(at);
                break 'search;
            }
            if inside.contains(&next) && !came_from.contains_key(&next) {
                came_from.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    let Some(mut at) = closing else { return };
    let mut ring = vec![first];
    while at != first {
        ring.push(at);
        match came_from.get(&at) {
            Some(&before) => at = before,
            None => break,
        }
    }
    ring.push(first);
    ring.reverse();
    let text: Vec<&str> = ring.iter().map(|&member| layer.modules[member].name.as_str()).collect();
    let text = text.join(" -> ");
    let ids = members.iter().map(|&member| layer.first_module + member as u32).collect();
    let entry = &mut layer.modules[first];
    entry.ring = Some(text);
    entry.ring_members = ids;
}

/// Resolves the symbols and types of a module whose used modules are resolved.
fn resolve_module(base: Option<&Layer>, layer: &mut Layer, at: usize, summary: &ModuleSummary) {
    for &index in &summary.order {
        let Some(declared) = summary.symbols.get(index as usize) else { continue };
        let current = layer.modules[at].symbols.get(index as usize).map(|symbol| &symbol.facts.kind);
        // A generic name is touched by each of its specific procedures, but depends on nothing.
        if matches!(current, Some(SymbolKind::Generic { .. })) {
            continue;
        }
        let view = ModuleView { tables: Tables { base, own: layer }, module: layer.first_module + at as u32 };
        let facts = facts(declared, &view);
        if let Some(symbol) = layer.modules[at].symbols.get_mut(index as usize) {
            symbol.facts = facts;
        }
    }
    let first_type = (layer.modules[at].types_from - layer.first_type) as usize;
    for (offset, declared) in summary.types.iter().enumerate() {
        let table = resolve_type_in(base, layer, at, declared);
        layer.types[first_type + offset] = table;
    }
}

fn resolve_type_in(
    base: Option<&Layer>,
    layer: &Layer,
    at: usize,
    declared: &DeclaredDerivedType<String>,
) -> DerivedTypeTable {
    resolve_derived_type(
        declared,
        layer.modules.get(at).map(|module| module.name.as_str()),
        &ModuleView { tables: Tables { base, own: layer }, module: layer.first_module + at as u32 },
    )
}

/// The environment inside a module.
struct ModuleView<'a> {
    tables: Tables<'a>,
    module: u32,
}

impl ModuleView<'_> {
    fn symbol<'n>(&'n self, name: &'n str) -> Option<&'n SharedSymbol> {
        if let LookUp::Symbol(_, symbol) = self.tables.find(self.module, name, true) { Some(symbol) } else { None }
    }
}

impl Environment<String> for ModuleView<'_> {
    fn text<'n>(&'n self, name: &'n String) -> &'n str {
        name
    }

    fn parameter(&self, name: &String) -> Option<i64> {
        match self.tables.find(self.module, name, true) {
            LookUp::Symbol(_, SharedSymbol { facts: Facts { kind: SymbolKind::Parameter(value), .. }, .. }) => *value,
            LookUp::External(value) => value,
            LookUp::Symbol(..) | LookUp::Doubtful | LookUp::Absent => None,
        }
    }

    fn elements(&self, name: &String) -> Option<Arc<[i64]>> {
        self.symbol(name)?.facts.elements.clone()
    }

    fn bounds(&self, name: &String) -> Option<Vec<Bounds>> {
        Some(self.symbol(name)?.facts.shape.as_ref()?.bounds.clone())
    }

    fn type_of(&self, name: &String) -> Option<SymbolType> {
        self.symbol(name)?.facts.type_
    }

    fn is_declared(&self, name: &String) -> bool {
        matches!(self.tables.find(self.module, name, true), LookUp::Symbol(_, symbol)
            if !matches!(symbol.facts.kind, SymbolKind::Intrinsic))
    }
}

impl Resolver<String> for ModuleView<'_> {
    fn derived_type(&self, name: &String) -> Option<TypeId> {
        self.symbol(name)?.facts.type_?.derived()
    }

    fn own_type(&self, index: u32) -> TypeId {
        TypeId::from_raw(self.tables.module(self.module).map_or(0, |entry| entry.types_from) + index)
    }
}
