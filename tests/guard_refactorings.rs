//! Mechanical refactorings of the programs of `corpus/`: a dimension is added, removed or exchanged with another, or a
//! lower bound moves, at every use of an array and of those that it is combined with. Then guard finds nothing. When
//! some uses are left out, it finds just those; when one is changed in another way, just that one.
//!
//! The refactoring works on the text that a tree is unparsed to, by the places that the tree gives: it shares with
//! guard what the parser and the names say, and nothing of what guard makes of it. `CAMFORT_REFACTORINGS=all cargo test
//! --test guard_refactorings` does twenty times as many.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::guard::{Guard, GuardOptions};
use camfort_rs::analysis::guard::{Snapshot, UseClass, compare};
use camfort_rs::analysis::stencil::computations::unit_path;
use camfort_rs::names::{self, PartClass, Resolved, ScopeKind, SymbolId};
use camfort_rs::source::Span;
use camfort_rs::syntax::print::unparse;
use camfort_rs::syntax::visit::walk_references;
use camfort_rs::syntax::*;
use camfort_rs::workspace::{Project, SourceOptions, parse};
use rayon::prelude::*;

/// A refactoring of one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refactoring {
    /// A new dimension at this place, with the index 7 (a number that no program has for an index).
    Add(usize),
    /// Two dimensions change places.
    Exchange(usize, usize),
    /// Indices of this dimension are lower by one.
    Shift(usize),
}

/// Where a use stands, and its edits.
type EditsOfUse = (usize, Vec<Edit>);

/// A replacement of a part of the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// A reference to an array with subscripts.
#[derive(Clone, Debug)]
struct Subscripted {
    array: String,
    start: usize,
    items: Vec<Item>,
    /// Whether it is the object of an ALLOCATE: the subscripts are bounds.
    is_allocation: bool,
    /// Whether another reference to an array stands in its subscripts, or it in another's.
    is_nested: bool,
}

/// A subscript.
#[derive(Clone, Debug)]
struct Item {
    span: (usize, usize),
    /// Its bounds; an index is its own lower bound. (Of an allocation: an upper bound alone.)
    bounds: Vec<(usize, usize)>,
    is_section: bool,
}

/// What a program holds that a refactoring must know.
struct Program {
    name: String,
    text: String,
    snapshot: Snapshot,
    references: Vec<Subscripted>,
    /// Declarations: array, where the shape stands (or is to be put), and its dimensions.
    declarations: Vec<(String, Shape)>,
    /// Arguments that name a dimension: array, place of the number, the number.
    dimension_arguments: Vec<(String, (usize, usize), usize)>,
    /// Arrays that must change together.
    together: Vec<(String, String)>,
    /// Arrays that are used in a way that no mechanical refactoring can follow.
    excluded: BTreeSet<String>,
}

/// Where the shape of an array is declared.
#[derive(Clone, Debug)]
struct Shape {
    /// The text of each dimension, and its bounds.
    dimensions: Vec<(String, Vec<String>)>,
    /// From the opening to the closing bracket, or empty behind the name where a DIMENSION attribute says the shape.
    place: (usize, usize),
    /// Whether it leaves the bounds to an allocation.
    is_deferred: bool,
    /// Whether the lower bound is 1 where none is given, and no upper one is (assumed shape and size).
    is_assumed: bool,
}

fn main_text(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("part of the repository");
    let tree = parse(path, &bytes, &SourceOptions::default());
    String::from_utf8(unparse(&tree)).expect("the programs are ASCII")
}

fn span(of: Span) -> (usize, usize) {
    (of.start as usize, of.end as usize)
}

impl Program {
    fn read(path: &Path) -> Program {
        let text = main_text(path);
        let tree = parse(Path::new("program.f90"), text.as_bytes(), &SourceOptions::default());
        let resolved = names::resolve(&tree, &names::ModuleIndex::default());
        let mut program = Program {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            snapshot: snapshot(&text),
            text,
            references: Vec::new(),
            declarations: Vec::new(),
            dimension_arguments: Vec::new(),
            together: Vec::new(),
            excluded: BTreeSet::new(),
        };
        for id in tree.statements.indices() {
            program.declared(&tree, &resolved, id);
            program.used(&tree, &resolved, id);
        }
        program.references.sort_by_key(|reference| reference.start);
        program.references.dedup_by_key(|reference| reference.start);
        program.mark_nested();
        program
    }

    fn source(&self, (from, to): (usize, usize)) -> String {
        self.text[from..to].to_owned()
    }

    fn declared(&mut self, tree: &Tree, resolved: &Resolved, id: StatementId) {
        let mut entities: Vec<(&Entity, Option<&ArraySpec>)> = Vec::new();
        match &tree.statements[id].kind {
            StatementKind::TypeDeclaration(declaration) => {
                let shape = declaration.attributes.iter().find_map(|attribute| match attribute {
                    Attribute::Dimension(shape) => Some(shape),
                    _ => None,
                });
                entities.extend(declaration.entities.iter().map(|entity| (entity, shape)));
            }
            StatementKind::AttributeStatement { entities: listed, attribute, .. } => {
                let shape = if let Attribute::Dimension(shape) = attribute { Some(shape) } else { None };
                entities.extend(listed.iter().map(|entity| (entity, shape)));
            }
            StatementKind::Common(groups) => {
                for entity in groups.iter().flat_map(|group| &group.entities) {
                    let symbol = resolved.symbol_at(id, entity.name.name);
                    self.excluded.extend(symbol.map(|symbol| key(tree, resolved, symbol)));
                }
            }
            StatementKind::Data(_) | StatementKind::Equivalence(_) | StatementKind::Namelist(_) => {
                walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, _| {
                    let symbol = resolved.symbol_at(id, reference.parts[0].name.name);
                    self.excluded.extend(symbol.map(|symbol| key(tree, resolved, symbol)));
                });
            }
            _ => {}
        }
        for (entity, shape) in entities {
            let Some(spec) = entity.shape.as_ref().or(shape) else { continue };
            let Some(symbol) = resolved.symbol_at(id, entity.name.name) else { continue };
            let array = key(tree, resolved, symbol);
            if matches!(resolved.scope_kind(resolved.scope_of(id)), ScopeKind::Type(_)) || entity.initial.is_some() {
                self.excluded.insert(array);
                continue;
            }
            let bound = |expression: &Expression| self.source(span(expression.span));
            let dimension = |one: &DimensionSpec| match one {
                DimensionSpec::Explicit(None, upper) => (bound(upper), vec!["1".to_owned(), bound(upper)]),
                DimensionSpec::Explicit(Some(lower), upper) => {
                    (format!("{}:{}", bound(lower), bound(upper)), vec![bound(lower), bound(upper)])
                }
                DimensionSpec::Colon(lower) => {
                    let lower = lower.as_ref().map(bound);
                    (
                        format!("{}:", lower.clone().unwrap_or_default()),
                        vec![lower.unwrap_or("1".into()), String::new()],
                    )
                }
                DimensionSpec::Star(lower) => {
                    let text = lower.as_ref().map(|lower| format!("{}:", bound(lower))).unwrap_or_default();
                    (text + "*", vec![lower.as_ref().map_or("1".into(), bound), "*".to_owned()])
                }
            };
            let dimensions = spec.dimensions.iter().map(dimension).collect();
            let behind = entity.name.span.end as usize;
            let place = entity.shape.as_ref().map_or((behind, behind), |shape| span(shape.span));
            let is_colon = spec.dimensions.iter().any(|one| matches!(one, DimensionSpec::Colon(_)));
            let is_star = spec.dimensions.iter().any(|one| matches!(one, DimensionSpec::Star(_)));
            let is_dummy = resolved.symbol(symbol).is_dummy;
            let is_allocatable = resolved.symbol(symbol).is_allocatable;
            let shape = Shape {
                dimensions,
                place,
                is_deferred: is_colon && (!is_dummy || is_allocatable),
                is_assumed: is_star || is_colon,
            };
            self.declarations.push((array, shape));
        }
    }

    fn used(&mut self, tree: &Tree, resolved: &Resolved, id: StatementId) {
        let statement = &tree.statements[id];
        let mut wholes: Vec<String> = Vec::new();
        let mut found: Vec<(&Reference, bool)> = Vec::new();
        let allocates = matches!(statement.kind, StatementKind::Allocate { .. });
        walk_references(&tree.names, &statement.kind, &mut |reference, access| {
            found.push((reference, access.is_of_variable()));
        });
        for (reference, is_target) in found {
            let classes = resolved.classify(tree, id, reference);
            let [part] = reference.parts.as_slice() else {
                let symbol = resolved.symbol_at(id, reference.parts[0].name.name);
                self.excluded.extend(symbol.map(|symbol| key(tree, resolved, symbol)));
                continue;
            };
            let Some(symbol) = resolved.symbol_at(id, part.name.name) else { continue };
            let array = key(tree, resolved, symbol);
            match classes[0] {
                PartClass::Array { .. } => {
                    let is_pointed_to = matches!(
                        statement.kind,
                        StatementKind::PointerAssignment { .. }
                            | StatementKind::Associate(_)
                            | StatementKind::Deallocate { .. }
                    );
                    if is_pointed_to && !matches!(statement.kind, StatementKind::Deallocate { .. }) {
                        self.excluded.insert(array.clone());
                    }
                    match part.lists.first() {
                        None => wholes.push(array),
                        Some(list) => {
                            let reference = self.reference(array.clone(), part, list, allocates && is_target);
                            let sections = reference.items.iter().filter(|item| item.is_section).count();
                            if sections > 1 && !reference.is_allocation {
                                wholes.push(array);
                            }
                            self.references.push(reference);
                        }
                    }
                }
                PartClass::Intrinsic => self.intrinsic(tree, resolved, id, part),
                PartClass::Function => self.arguments(tree, resolved, id, part),
                _ => {}
            }
        }
        if let StatementKind::Call { procedure } = &statement.kind {
            self.arguments(tree, resolved, id, procedure.parts.last().expect("a name"));
        } else {
            // What is combined element by element changes together.
            for pair in wholes.windows(2) {
                self.together.push((pair[0].clone(), pair[1].clone()));
            }
        }
    }

    fn reference(&self, array: String, part: &Part, list: &ArgumentList, is_allocation: bool) -> Subscripted {
        let item = |item: &Argument| {
            let (bounds, is_section) = match &item.value {
                ArgumentValue::Expression(index) => (vec![span(index.span)], false),
                ArgumentValue::Section(section) => {
                    let bounds = [&section.lower, &section.upper].into_iter().flatten();
                    (bounds.map(|bound| span(bound.span)).collect(), true)
                }
                _ => (Vec::new(), true),
            };
            Item { span: span(item.span), bounds, is_section }
        };
        let items = list.items.iter().map(item).collect();
        Subscripted { array, start: part.name.span.start as usize, items, is_allocation, is_nested: false }
    }

    fn mark_nested(&mut self) {
        let spans: Vec<(usize, usize)> = self
            .references
            .iter()
            .map(|reference| (reference.start, reference.items.last().map_or(reference.start, |item| item.span.1)))
            .collect();
        for (at, &(start, end)) in spans.iter().enumerate() {
            let touches =
                |other: &(usize, usize)| (start < other.0 && other.0 < end) || (other.0 < start && start < other.1);
            self.references[at].is_nested = spans.iter().any(touches);
        }
    }

    /// The arrays among the arguments of an intrinsic function.
    fn intrinsic(&mut self, tree: &Tree, resolved: &Resolved, id: StatementId, part: &Part) {
        let function = tree.names.text(part.name.name);
        let Some(list) = part.lists.first() else { return };
        let Some(array) = list.items.first().and_then(|item| whole_array(tree, resolved, id, item)) else { return };
        let number = |item: &Argument| match &item.value {
            ArgumentValue::Expression(value) => {
                self.source(span(value.span)).parse::<usize>().ok().map(|n| (span(value.span), n))
            }
            _ => None,
        };
        let position = match function {
            "size" | "lbound" | "ubound" | "sum" | "maxval" | "minval" => Some(1),
            "cshift" => Some(2),
            "abs" | "sqrt" | "exp" | "log" | "real" | "max" | "min" | "allocated" => None,
            _ => {
                self.excluded.insert(array);
                return;
            }
        };
        let named = list.items.iter().find(|item| item.keyword.is_some_and(|name| tree.names.text(name.name) == "dim"));
        let argument = named.or_else(|| position.and_then(|at| list.items.get(at)));
        match argument.map(number) {
            Some(Some((place, number))) => self.dimension_arguments.push((array, place, number)),
            Some(None) => drop(self.excluded.insert(array)),
            // The rank of what it gives is that of the array.
            None if function == "cshift" => drop(self.excluded.insert(array)),
            None => {}
        }
    }

    /// The arrays among the arguments of a procedure: each changes together with the dummy argument.
    fn arguments(&mut self, tree: &Tree, resolved: &Resolved, id: StatementId, part: &Part) {
        let name = tree.names.text(part.name.name);
        let unit = (tree.units.indices()).find(|&unit| {
            let is_body = tree.units[unit].kind == UnitKind::InterfaceBody;
            !is_body && unit_path(tree, unit).rsplit("::").next() == Some(name)
        });
        for (at, item) in part.lists.iter().flat_map(|list| &list.items).enumerate() {
            let Some(array) = any_array(tree, resolved, id, item) else { continue };
            let dummy = unit.and_then(|unit| {
                let opening = tree.units[unit].opening?;
                let (StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram)) =
                    &tree.statements[opening].kind
                else {
                    return None;
                };
                match (item.keyword, subprogram.dummies.get(at)) {
                    (Some(keyword), _) => Some(format!("{}::{}", unit_path(tree, unit), tree.names.text(keyword.name))),
                    (None, Some(DummyArgument::Name(dummy))) => {
                        Some(format!("{}::{}", unit_path(tree, unit), tree.names.text(dummy.name)))
                    }
                    _ => None,
                }
            });
            match (dummy, whole_array(tree, resolved, id, item).is_some()) {
                (Some(dummy), true) => self.together.push((array, dummy)),
                // A part of it goes to a procedure: what the procedure makes of it is not looked into here.
                _ => drop(self.excluded.insert(array)),
            }
        }
    }

    /// The arrays that change when one does; `None` if some can't.
    fn class_of(&self, array: &str) -> Option<BTreeSet<String>> {
        let mut class = BTreeSet::from([array.to_owned()]);
        loop {
            let more: Vec<String> = self
                .together
                .iter()
                .filter(|(one, other)| class.contains(one) != class.contains(other))
                .flat_map(|(one, other)| [one.clone(), other.clone()])
                .collect();
            if more.is_empty() {
                break;
            }
            class.extend(more);
        }
        let rank = |array: &String| {
            self.declarations.iter().find(|(name, _)| name == array).map(|(_, shape)| shape.dimensions.len())
        };
        let first = rank(&array.to_owned())?;
        let is_fit = |array: &String| !self.excluded.contains(array) && rank(array) == Some(first);
        class.iter().all(is_fit).then_some(class)
    }

    /// The edits of a refactoring: those of the declarations, and for each use that changes its start and its edits.
    fn edits(&self, class: &BTreeSet<String>, refactoring: Refactoring) -> Option<(Vec<Edit>, Vec<EditsOfUse>)> {
        let mut declarations = Vec::new();
        for (_, shape) in self.declarations.iter().filter(|(array, _)| class.contains(array)) {
            declarations.push(Edit {
                start: shape.place.0,
                end: shape.place.1,
                text: changed_shape(shape, refactoring)?,
            });
        }
        let mut uses = Vec::new();
        for reference in self.references.iter().filter(|reference| class.contains(&reference.array)) {
            if matches!(refactoring, Refactoring::Exchange(..)) && reference.is_nested {
                return None;
            }
            let edits = self.changed_reference(reference, refactoring)?;
            if !edits.is_empty() {
                uses.push((reference.start, edits));
            }
        }
        for (array, place, number) in self.dimension_arguments.iter().filter(|(array, ..)| class.contains(array)) {
            let now = match refactoring {
                Refactoring::Add(at) if *number > at => number + 1,
                Refactoring::Exchange(one, other) if number - 1 == one => other + 1,
                Refactoring::Exchange(one, other) if number - 1 == other => one + 1,
                _ => continue,
            };
            let _ = array;
            declarations.push(Edit { start: place.0, end: place.1, text: now.to_string() });
        }
        Some((declarations, uses))
    }

    fn changed_reference(&self, reference: &Subscripted, refactoring: Refactoring) -> Option<Vec<Edit>> {
        let items = &reference.items;
        let insert = |at: usize, text: &str| Edit { start: at, end: at, text: text.to_owned() };
        Some(match refactoring {
            Refactoring::Add(at) => {
                let text = if reference.is_allocation { "9" } else { "7" };
                match items.get(at) {
                    Some(item) => vec![insert(item.span.0, &format!("{text}, "))],
                    None => vec![insert(items.last()?.span.1, &format!(", {text}"))],
                }
            }
            Refactoring::Exchange(one, other) => {
                let (one, other) = (items.get(one)?.span, items.get(other)?.span);
                if self.source(one) == self.source(other) {
                    return Some(Vec::new());
                }
                vec![
                    Edit { start: one.0, end: one.1, text: self.source(other) },
                    Edit { start: other.0, end: other.1, text: self.source(one) },
                ]
            }
            Refactoring::Shift(at) => {
                let item = items.get(at)?;
                let mut edits: Vec<Edit> = item.bounds.iter().map(|bound| insert(bound.1, "-1")).collect();
                if reference.is_allocation && item.bounds.len() == 1 {
                    edits.insert(0, insert(item.bounds[0].0, "0:"));
                }
                edits
            }
        })
    }
}

/// The shape by a refactoring; `None` where it is none of the declaration.
fn changed_shape(shape: &Shape, refactoring: Refactoring) -> Option<String> {
    let mut texts: Vec<String> = shape.dimensions.iter().map(|(text, _)| text.clone()).collect();
    match refactoring {
        Refactoring::Add(at) => {
            // The last dimension of an assumed-size array stays the last.
            if shape.is_assumed
                && !shape.is_deferred
                && texts.last().is_some_and(|last| last.ends_with('*'))
                && at >= texts.len()
            {
                return None;
            }
            let is_colon = shape.dimensions.iter().all(|(text, _)| text.ends_with(':'));
            texts.insert(at, if is_colon { ":".to_owned() } else { "9".to_owned() });
        }
        Refactoring::Exchange(one, other) => {
            if texts.iter().any(|text| text.ends_with('*')) {
                return None;
            }
            texts.swap(one, other);
        }
        Refactoring::Shift(at) if shape.is_deferred => drop(texts.get(at)?),
        Refactoring::Shift(at) => {
            let bounds = &shape.dimensions.get(at)?.1;
            texts[at] = match bounds[1].as_str() {
                "*" | "" => format!("{}-1:{}", bounds[0], bounds[1]),
                upper => format!("{}-1:{upper}-1", bounds[0]),
            };
        }
    }
    Some(format!("({})", texts.join(", ")))
}

fn key(tree: &Tree, resolved: &Resolved, symbol: SymbolId) -> String {
    let of = resolved.symbol(symbol);
    let name = tree.names.text(of.name);
    if of.declared.is_none() && of.use_associated {
        // Modules of the same file.
        let scope = resolved.used_modules(of.scope);
        for (module, _) in scope {
            let unit = (tree.units.indices()).find(|&unit| unit_path(tree, unit) == module);
            let scope = unit.map(|unit| resolved.scope_of(tree.units[unit].first));
            if let Some(found) = scope.and_then(|scope| resolved.find(scope, of.name))
                && resolved.symbol(found).declared.is_some()
            {
                return key(tree, resolved, found);
            }
        }
    }
    match resolved.scope_kind(of.scope) {
        ScopeKind::Unit(unit) => format!("{}::{name}", unit_path(tree, unit)),
        _ => format!("?::{name}"),
    }
}

/// The array that an argument is as a whole.
fn whole_array(tree: &Tree, resolved: &Resolved, id: StatementId, item: &Argument) -> Option<String> {
    let ArgumentValue::Expression(value) = &item.value else { return None };
    let ExpressionKind::Reference(reference) = &value.kind else { return None };
    let is_bare = reference.parts.len() == 1 && reference.parts[0].lists.is_empty();
    if is_bare { any_array(tree, resolved, id, item) } else { None }
}

/// The array of which an argument is a part or the whole.
fn any_array(tree: &Tree, resolved: &Resolved, id: StatementId, item: &Argument) -> Option<String> {
    let ArgumentValue::Expression(value) = &item.value else { return None };
    let ExpressionKind::Reference(reference) = &value.kind else { return None };
    let is_array = matches!(resolved.classify(tree, id, reference).first(), Some(PartClass::Array { .. }));
    let symbol = resolved.symbol_at(id, reference.parts[0].name.name)?;
    is_array.then(|| key(tree, resolved, symbol))
}

/// The text with edits, and where a place of the old text is in it.
fn apply(text: &str, edits: &[Edit]) -> (String, impl Fn(usize) -> usize + use<>) {
    let mut sorted = edits.to_vec();
    sorted.sort();
    sorted.dedup();
    let mut result = String::new();
    let mut at = 0;
    for edit in &sorted {
        assert!(edit.start >= at, "edits don't overlap: {sorted:?}");
        result.push_str(&text[at..edit.start]);
        result.push_str(&edit.text);
        at = edit.end;
    }
    result.push_str(&text[at..]);
    let place = move |old: usize| {
        let before = sorted.iter().filter(|edit| edit.start < old);
        before.fold(old, |place, edit| place + edit.text.len() - (edit.end - edit.start))
    };
    (result, place)
}

fn snapshot(text: &str) -> Snapshot {
    let project = Project::load(&[], SourceOptions::default());
    Snapshot {
        units: analyse::<Guard>(&project.view(Path::new("program.f90"), text.as_bytes()), GuardOptions::default())
            .units,
    }
}

/// The suspicious uses by their places in the text, each with its class and what is said of it.
fn suspicious(before: &Snapshot, now: &str) -> BTreeMap<usize, (UseClass, String)> {
    let comparison = compare(&mut before.clone(), &mut snapshot(now));
    let starts: Vec<usize> = std::iter::once(0).chain(now.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let uses = comparison.arrays.iter().flat_map(|array| &array.uses).filter(|used| used.class < UseClass::NotCompared);
    uses.map(|used| {
        let start = used.place.location().expect("from sources").start;
        (starts[start.line as usize - 1] + start.column as usize - 1, (used.class, used.why.clone()))
    })
    .collect()
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// All refactorings of an array of this rank.
fn refactorings(rank: usize) -> Vec<Refactoring> {
    let mut all: Vec<Refactoring> = (0..=rank).map(Refactoring::Add).collect();
    for one in 0..rank {
        all.extend((one + 1..rank).map(|other| Refactoring::Exchange(one, other)));
    }
    all.extend((0..rank).map(Refactoring::Shift));
    all
}

/// Tries one refactoring of one class of arrays: whole, in part, and with a slip. Gives the number of comparisons.
fn try_out(program: &Program, class: &BTreeSet<String>, refactoring: Refactoring, rounds: usize) -> usize {
    let Some((declarations, uses)) = program.edits(class, refactoring) else { return 0 };
    let with = |changed: &[(usize, Vec<Edit>)], more: Vec<Edit>| {
        let all: Vec<Edit> = declarations
            .iter()
            .cloned()
            .chain(changed.iter().flat_map(|(_, edits)| edits.clone()))
            .chain(more)
            .collect();
        apply(&program.text, &all)
    };
    let case = || format!("{} {class:?} {refactoring:?}", program.name);
    let (whole, _) = with(&uses, Vec::new());
    let found = suspicious(&program.snapshot, &whole);
    assert!(found.is_empty(), "{}: {found:#?}\n{whole}", case());
    let mut comparisons = 1;
    let is_addition = matches!(refactoring, Refactoring::Add(_));
    let whole_snapshot = if is_addition { snapshot(&whole) } else { Snapshot::default() };
    if is_addition {
        let found = suspicious(&whole_snapshot, &program.text);
        assert!(found.is_empty(), "back from {}: {found:#?}", case());
        comparisons += 1;
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (program.text.len() as u64 * 31 + uses.len() as u64));
    for round in 0..rounds {
        // Where extents don't tell, the majority does.
        let most = ((uses.len() - 1) / 3).min(1 + round);
        if uses.len() < 4 || most == 0 {
            break;
        }
        let mut left_out = BTreeSet::new();
        let wanted = 1 + random.below(most);
        while left_out.len() < wanted {
            left_out.insert(random.below(uses.len()));
        }
        let kept: Vec<_> = uses
            .iter()
            .enumerate()
            .filter(|(at, _)| !left_out.contains(at))
            .map(|(_, of_use)| of_use.clone())
            .collect();
        let (text, place) = with(&kept, Vec::new());
        let expected: BTreeSet<usize> = left_out.iter().map(|&at| place(uses[at].0)).collect();
        let found = suspicious(&program.snapshot, &text);
        let places: BTreeSet<usize> = found.keys().copied().collect();
        assert_eq!(places, expected, "left out of {}: {found:#?}\n{text}", case());
        let is_old = |(class, _): &(UseClass, String)| *class == UseClass::StillOld;
        assert!(found.values().all(is_old), "left out of {}: {found:#?}\n{text}", case());
        comparisons += 1;
        if is_addition {
            // The way back, on which the same uses keep what is gone.
            let edits: Vec<Edit> = left_out.iter().flat_map(|&at| uses[at].1.clone()).collect();
            let (text, place) = apply(&program.text, &edits);
            let expected: BTreeSet<usize> = left_out.iter().map(|&at| place(uses[at].0)).collect();
            let found = suspicious(&whole_snapshot, &text);
            let places: BTreeSet<usize> = found.keys().copied().collect();
            assert_eq!(places, expected, "left out on the way back from {}: {found:#?}\n{text}", case());
            assert!(found.values().all(is_old), "left out on the way back from {}: {found:#?}", case());
            comparisons += 1;
        }
    }
    // One use changed in another way too: just that one differs.
    let plain: Vec<&Subscripted> = program
        .references
        .iter()
        .filter(|reference| class.contains(&reference.array) && !reference.is_allocation && !reference.is_nested)
        .filter(|reference| reference.items.iter().any(|item| !item.is_section))
        .collect();
    for _ in 0..rounds {
        if plain.len() < 4 {
            break;
        }
        let slipped = plain[random.below(plain.len())];
        let indices: Vec<&Item> = slipped.items.iter().filter(|item| !item.is_section).collect();
        let end = indices[random.below(indices.len())].span.1;
        let (text, place) = with_slip(&program.text, &declarations, &uses, slipped.start, end);
        let found = suspicious(&program.snapshot, &text);
        let expected = [place(slipped.start)];
        assert!(found.keys().eq(expected.iter()), "slip in {}: {found:#?}\n{text}", case());
        let differs = |(class, _): &(UseClass, String)| *class == UseClass::DiffersOtherwise;
        assert!(found.values().all(differs), "slip in {}: {found:#?}\n{text}", case());
        comparisons += 1;
    }
    comparisons
}

/// The whole refactoring, and in the subscript of one use that ends at a place two more (one would undo a shift).
fn with_slip(
    text: &str,
    declarations: &[Edit],
    uses: &[(usize, Vec<Edit>)],
    start: usize,
    end: usize,
) -> (String, impl Fn(usize) -> usize + use<>) {
    let mut edits = declarations.to_vec();
    let mut is_made = false;
    for (of, edits_of_use) in uses {
        for edit in edits_of_use {
            let mut edit = edit.clone();
            // Two insertions at one place, or an insertion behind what is replaced, are one edit.
            if *of == start && edit.end == end && !is_made {
                edit.text = if edit.start == edit.end { format!("+2{}", edit.text) } else { edit.text + "+2" };
                is_made = true;
            }
            edits.push(edit);
        }
    }
    if !is_made {
        edits.push(Edit { start: end, end, text: "+2".to_owned() });
    }
    apply(text, &edits)
}

#[test]
fn refactorings_of_the_corpus_are_followed_and_slips_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("part of the repository")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "f90" || extension == "f"));
    paths.sort();
    let rounds = if std::env::var("CAMFORT_REFACTORINGS").is_ok_and(|value| value == "all") { 40 } else { 2 };
    let one = |path: &std::path::PathBuf| {
        let program = Program::read(path);
        let mut seen: BTreeSet<BTreeSet<String>> = BTreeSet::new();
        let mut comparisons = 0;
        for (array, shape) in &program.declarations {
            let Some(class) = program.class_of(array) else { continue };
            if !seen.insert(class.clone()) {
                continue;
            }
            for refactoring in refactorings(shape.dimensions.len()) {
                comparisons += try_out(&program, &class, refactoring, rounds);
            }
        }
        comparisons
    };
    let comparisons: usize = paths.par_iter().map(one).sum();
    assert!(comparisons > 1000, "{comparisons}");
}
