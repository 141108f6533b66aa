//! Region variables: their declarations, scopes, and export by modules.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::{comment_texts, denote_finding, finding, span_of, statement_below, unit_at};
use crate::analysis::stencil::computations::unit_path;
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{
    Denotation, DenoteError, HIGHEST_RANK, Meanings, OldSpelling, Region, RegionDeclaration, SpecificationLine,
    SpecificationText, SpelledName, denote, parse, specification_texts,
};
use crate::diagnostics::Finding;
use crate::names::{Resolved, SymbolKind};
use crate::source::Span;
use crate::syntax::{Tree, UnitId, UnitKind};
use crate::workspace::{PerFile, Project};

/// A region variable as it is declared.
#[derive(Clone, Debug)]
pub struct DeclaredRegion {
    /// The declaration.
    pub declaration: RegionDeclaration,
    /// Its text with the way back to the source.
    pub text: SpecificationText,
    /// The unit it stands in.
    pub unit: Option<UnitId>,
    /// How many specification comments stand before it in the file.
    pub order: usize,
    /// The older words in it.
    pub old_spellings: Vec<OldSpelling>,
}

impl DeclaredRegion {
    /// Where its name stands.
    pub fn name_span(&self) -> Span {
        let name = &self.declaration.name;
        span_of(&self.text, name.offset, name.text.len())
    }
}

/// The region variables of a file with what they stand for.
#[derive(Clone, Debug, Default)]
pub struct RegionDeclarations {
    declared: Vec<(DeclaredRegion, Denotation)>,
    by_scope: HashMap<Option<UnitId>, HashMap<String, usize>>,
}

impl RegionDeclarations {
    /// Adds a declaration, the first of its name in its unit.
    pub(super) fn push(&mut self, region: DeclaredRegion, meaning: Denotation) {
        let at = self.declared.len();
        self.by_scope.entry(region.unit).or_default().insert(region.declaration.name.key(), at);
        self.declared.push((region, meaning));
    }

    /// All of them, in source order, with their meaning for the highest rank.
    pub fn all(&self) -> &[(DeclaredRegion, Denotation)] {
        &self.declared
    }

    fn in_unit(&self, unit: Option<UnitId>, name: &str) -> Option<usize> {
        self.by_scope.get(&unit)?.get(name).copied()
    }
}

/// Where a region variable is declared.
#[derive(Clone, Copy, Debug)]
pub enum RegionSource<'t> {
    /// In this file, or in what it includes.
    Here(&'t DeclaredRegion),
    /// In the specification part of a module, by its name.
    Module(&'t str),
}

/// Calls `found` with every region variable that a region mentions. The parser bounds how deep regions nest.
pub fn mentioned<'r>(region: &'r Region, found: &mut dyn FnMut(&'r SpelledName)) {
    match region {
        Region::Constant(_) => {}
        Region::Variable(variable) => found(variable),
        Region::Sum(operands) | Region::Product(operands) => {
            operands.iter().for_each(|operand| mentioned(operand, found));
        }
    }
}

/// What region variables stand for at some place.
pub struct RegionScopes<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The region variables of the project's modules.
    pub modules: ModuleRegions<'t>,
    /// The declarations of this file.
    pub regions: &'t RegionDeclarations,
}

impl<'t> RegionScopes<'t> {
    /// The meaning of a region at a place: in a unit, behind so many specification comments; `usual` as in
    /// [`Meanings`].
    ///
    /// # Errors
    ///
    /// When a variable is not in scope, or a dimension exceeds the rank.
    pub fn denote(
        &self,
        region: &Region,
        rank: usize,
        usual: &[Option<usize>],
        unit: Option<UnitId>,
        order: usize,
    ) -> Result<Denotation, DenoteError> {
        let regions = |name: &str| self.meaning(name, unit, order);
        let constants = |name: &str| self.constant(name, unit);
        denote(region, rank, &Meanings { regions: &regions, constants: &constants, usual })
    }

    /// The value of a named constant in a unit.
    fn constant(&self, name: &str, unit: Option<UnitId>) -> Option<i64> {
        let scope = self.resolved.scope_of(self.tree.units[unit?].first);
        let symbol = self.resolved.find(scope, self.tree.names.get(name)?)?;
        if let SymbolKind::Parameter(value) = self.resolved.symbol(symbol).kind { value } else { None }
    }

    /// The meaning of a declaration, for the highest rank.
    ///
    /// # Errors
    ///
    /// A finding: it was declared before, or in terms of itself, or what it says has no meaning.
    pub fn meaning_of(&self, declared: &DeclaredRegion) -> Result<Denotation, Box<Finding>> {
        let DeclaredRegion { declaration, text, unit, order, .. } = declared;
        let name = declaration.name.key();
        let mut in_terms_of_itself = false;
        mentioned(&declaration.region, &mut |other| in_terms_of_itself |= other.key() == name);
        let known = self.regions.in_unit(*unit, &name).is_some();
        if known || in_terms_of_itself {
            let how = if known { "is declared twice in one scope" } else { "is declared in terms of itself" };
            let message = format!("Region variable '{}' {how}", declaration.name.text);
            let rule = &rules::REGION_VARIABLE_REDEFINED;
            return Err(Box::new(finding(self.tree, rule, declared.name_span(), message)));
        }
        self.denote(&declaration.region, HIGHEST_RANK, &[], *unit, *order)
            .map_err(|error| Box::new(denote_finding(self.tree, text, &error)))
    }

    /// The region variables of this file that nothing mentions and no module exports. `regions` are the region
    /// expressions of the specifications, each with its place.
    pub fn unused<'r>(
        &self,
        regions: impl Iterator<Item = (&'r Region, Option<UnitId>, usize)>,
    ) -> Vec<&'t DeclaredRegion>
    where
        't: 'r,
    {
        let declared: &'t [(DeclaredRegion, Denotation)] = self.regions.all();
        let of_declarations =
            declared.iter().map(|(region, _)| (&region.declaration.region, region.unit, region.order));
        let mut used = BTreeSet::new();
        for (region, unit, order) in regions.chain(of_declarations) {
            mentioned(region, &mut |name| used.extend(self.own_declaration(&name.key(), unit, order)));
        }
        let is_exported =
            |region: &DeclaredRegion| region.unit.is_some_and(|unit| self.tree.units[unit].kind == UnitKind::Module);
        let unused = declared.iter().enumerate().filter(|(at, (region, _))| !used.contains(at) && !is_exported(region));
        unused.map(|(_, (region, _))| region).collect()
    }

    /// The declaration in the unit or its hosts, from the inside, that stands before a place.
    fn own_declaration(&self, name: &str, unit: Option<UnitId>, order: usize) -> Option<usize> {
        let parent = |unit: &UnitId| self.tree.units[*unit].parent;
        std::iter::successors(unit, parent)
            .filter_map(|unit| self.regions.in_unit(Some(unit), name))
            .find(|&at| self.regions.declared[at].0.order < order)
    }

    /// The region variables that a region mentions at a place, by their names in lower case, each with its declaration
    /// (of those that modules export, perhaps several).
    pub fn sources<'r>(
        &self,
        region: &'r Region,
        unit: Option<UnitId>,
        order: usize,
    ) -> Vec<(String, RegionSource<'t>)> {
        let mut names = BTreeSet::new();
        mentioned(region, &mut |name| {
            names.insert(name.key());
        });
        let mut found = Vec::new();
        for name in names {
            if let Some(at) = self.own_declaration(&name, unit, order) {
                found.push((name, RegionSource::Here(&self.regions.declared[at].0)));
            } else if let Some(unit) = unit {
                let exports = Exports { modules: self.modules, known: BTreeMap::new() };
                let declaring = exports.declaring(self.modules_used(unit), &name);
                found.extend(declaring.into_iter().map(|module| (name.clone(), RegionSource::Module(module))));
            }
        }
        found
    }

    /// The modules that a unit and its hosts use, from the inside.
    fn modules_used(&self, unit: UnitId) -> impl Iterator<Item = &'t str> {
        let scope = self.resolved.scope_of(self.tree.units[unit].first);
        self.resolved.used_modules(scope).into_iter().map(|(module, _)| module)
    }

    /// Own and host units from the inside, then the modules they use.
    fn meaning(&self, name: &str, unit: Option<UnitId>, order: usize) -> Option<Denotation> {
        if let Some(at) = self.own_declaration(name, unit, order) {
            return Some(self.regions.declared[at].1.clone());
        }
        let unit = unit?;
        Exports { modules: self.modules, known: BTreeMap::new() }.of_modules(self.modules_used(unit), name, 0)
    }
}

/// What modules export, looked up once for each name of each module.
struct Exports<'t> {
    modules: ModuleRegions<'t>,
    /// The meaning of a name that a module itself declares; `None` while it is looked for, and when it has none.
    known: BTreeMap<(String, String), Option<Denotation>>,
}

impl<'t> Exports<'t> {
    /// What some modules, or those that they use, export under a name. If two export different regions, it is unknown.
    fn of_modules<'m>(&mut self, modules: impl Iterator<Item = &'m str>, name: &str, depth: usize) -> Option<Denotation>
    where
        't: 'm,
    {
        let declaring = self.declaring(modules, name);
        let meanings: Vec<Denotation> =
            declaring.into_iter().filter_map(|module| self.of_declaration(module, name, depth)).collect();
        let first = meanings.first()?;
        meanings.iter().all(|other| other.union == first.union).then(|| first.clone())
    }

    /// The modules from which some have a name.
    fn declaring<'m>(&self, modules: impl Iterator<Item = &'m str>, name: &str) -> BTreeSet<&'m str>
    where
        't: 'm,
    {
        let mut declaring = BTreeSet::new();
        let mut visited = BTreeSet::new();
        modules.for_each(|module| self.find_declaring(module, name, &mut visited, &mut declaring));
        declaring
    }

    /// The modules from which one has a name: itself, else those that it uses.
    fn find_declaring<'m>(
        &self,
        module: &'m str,
        name: &str,
        visited: &mut BTreeSet<&'m str>,
        declaring: &mut BTreeSet<&'m str>,
    ) where
        't: 'm,
    {
        if !visited.insert(module) {
            return;
        }
        if self.modules.text(module, name).is_some() {
            declaring.insert(module);
            return;
        }
        for used in self.modules.project.index().used_modules(module) {
            self.find_declaring(used, name, visited, declaring);
        }
    }

    /// What a module's own declaration of a name means.
    fn of_declaration(&mut self, module: &str, name: &str, depth: usize) -> Option<Denotation> {
        let key = (module.to_owned(), name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        // In a ring of declarations none has a meaning.
        self.known.insert(key.clone(), None);
        let meaning = if depth < VARIABLES_DEEP { self.denoted(module, name, depth) } else { None };
        self.known.insert(key, meaning.clone());
        meaning
    }

    fn denoted(&mut self, module: &str, name: &str, depth: usize) -> Option<Denotation> {
        let text = self.modules.text(module, name)?;
        let SpecificationLine::Declaration(declaration) = parse(&text).ok()?.line else { return None };
        // First the variables that it mentions, each once.
        let mut inner: BTreeMap<String, Option<Denotation>> = BTreeMap::new();
        mentioned(&declaration.region, &mut |name| {
            inner.insert(name.key(), None);
        });
        for (name, meaning) in &mut inner {
            *meaning = self.of_modules(std::iter::once(module), name, depth + 1);
        }
        let regions = |name: &str| inner.get(name)?.clone();
        let meanings = Meanings { regions: &regions, constants: &|_| None, usual: &[] };
        denote(&declaration.region, HIGHEST_RANK, &meanings).ok()
    }
}

/// How many region variables of modules are followed, each named in the declaration of the one before: it bounds the
/// depth of the calls.
const VARIABLES_DEEP: usize = 100;

/// A region variable that a module declares.
#[derive(Debug)]
struct ModuleRegion {
    module: String,
    /// Its name, in lower case.
    name: String,
    /// The declaration, behind the marker.
    text: Vec<u8>,
}

/// The region variables of modules, by the files of these.
#[derive(Debug, Default)]
pub struct KnownRegions(PerFile<Vec<ModuleRegion>>);

/// The region variables that the modules of a project declare: a file is looked at when one of its modules may have a
/// name that is meant.
#[derive(Clone, Copy)]
pub struct ModuleRegions<'p> {
    project: &'p Project,
    known: &'p KnownRegions,
}

impl<'p> ModuleRegions<'p> {
    /// Those of a project; what is found out is kept.
    pub fn new(project: &'p Project, known: &'p KnownRegions) -> Self {
        ModuleRegions { project, known }
    }

    /// The text of the first declaration of a name in a module.
    fn text(self, module: &str, name: &str) -> Option<Vec<u8>> {
        let file = self.project.index().file_of_module(module)?;
        let find_out = |file: &Path| Some(module_regions(&self.project.declarations(file).ok()?));
        let regions = self.known.0.get(file, find_out)?;
        let declared = regions.iter().find(|region| region.module == module && region.name == name)?;
        Some(declared.text.clone())
    }
}

/// The region variables of the modules of a file.
fn module_regions(tree: &Tree) -> Vec<ModuleRegion> {
    let comments = comment_texts(tree);
    let mut found = Vec::new();
    for text in specification_texts(&comments) {
        let Some(unit) = unit_at(tree, statement_below(&comments, &text)) else { continue };
        if let Ok(parsed) = parse(&text.text)
            && let SpecificationLine::Declaration(declaration) = parsed.line
            && matches!(tree.units[unit].kind, UnitKind::Module)
        {
            found.push(ModuleRegion { module: unit_path(tree, unit), name: declaration.name.key(), text: text.text });
        }
    }
    found
}
