//! From an analysed file to its units with their arrays and uses.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::affine::{Affine, Subscript};
use super::snapshot::{Declaration, Loop, Place, Role, Statement, Unit, Use};
use crate::access::unit_path;
use crate::infer::Inference;
use crate::names::{BaseType, PartClass, Resolved, ScopeKind, Symbol, SymbolId, SymbolType};
use crate::report::fingerprint::fnv1a;
use crate::source::Span;
use crate::syntax::visit::walk_expressions;
use crate::syntax::*;

/// The units of a file. `file` is what the file is called in the comparison; `inference` what is inferred for it.
pub fn units(tree: &Tree, resolved: &Resolved, inference: &Inference, file: &str) -> Vec<Unit> {
    let recorder = Recorder { tree, resolved, blocks: common_blocks(tree), paths: paths(tree) };
    let of_unit = |(number, unit): (usize, &crate::syntax::Unit)| Unit {
        name: unit_path(tree, number as UnitId),
        kind: kind_name(unit.kind).to_owned(),
        file: file.to_owned(),
        dummies: dummies(tree, unit),
        arrays: Vec::new(),
        statements: Vec::new(),
    };
    let mut units: Vec<Unit> = tree.units.iter().enumerate().map(of_unit).collect();
    let mut inferred = inference.computations.iter().peekable();
    for id in 0..tree.statements.len() as StatementId {
        let mut computation = None;
        while let Some(next) = inferred.next_if(|next| next.statement <= id) {
            computation = (next.statement == id).then_some(next).or(computation);
        }
        let Some(unit) = tree.unit_of[id as usize].and_then(|unit| units.get_mut(unit as usize)) else { continue };
        unit.arrays.extend(recorder.declarations(id));
        let Some(mut statement) = recorder.statement(id) else { continue };
        if let Some(computation) = computation {
            let texts = computation.specifications.iter().map(|specification| specification.text.clone());
            statement.specifications = texts.collect();
            let reasons = computation.unspecified.iter();
            statement.unspecified =
                reasons.map(|array| (array.variable.clone(), array.reason.name().to_owned())).collect();
        }
        unit.statements.push(statement);
    }
    units.retain(|unit| !(unit.arrays.is_empty() && unit.statements.is_empty() && unit.dummies.is_empty()));
    units
}

/// The paths of the texts of a file.
fn paths(tree: &Tree) -> Vec<(u32, Arc<Path>)> {
    tree.source.texts.all().iter().map(|text| (text.base, Arc::from(text.path.as_path()))).collect()
}

fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::MainProgram => "program",
        UnitKind::Module => "module",
        UnitKind::Submodule => "submodule",
        UnitKind::BlockData => "block data",
        UnitKind::Subroutine => "subroutine",
        UnitKind::Function => "function",
        UnitKind::ModuleProcedure => "module procedure",
        UnitKind::InterfaceBody => "interface body",
    }
}

fn dummies(tree: &Tree, unit: &crate::syntax::Unit) -> Vec<String> {
    let Some(opening) = unit.opening else { return Vec::new() };
    let (StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram)) =
        &tree.statements[opening as usize].kind
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
    for (id, statement) in tree.statements.iter().enumerate() {
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
struct Recorder<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    blocks: HashMap<(UnitId, Name), String>,
    paths: Vec<(u32, Arc<Path>)>,
}

impl Recorder<'_> {
    fn place(&self, span: Span) -> Place {
        let (_, start, end) = self.tree.source.texts.locate(span);
        let at = self.paths.partition_point(|(base, _)| *base <= span.start).max(1) - 1;
        Place(self.paths.get(at).map(|(_, path)| (path.clone(), start, end)))
    }

    fn text(&self, name: Name) -> &str {
        self.tree.names.text(name)
    }

    /// Which array a symbol is.
    fn array(&self, id: SymbolId) -> String {
        let symbol = self.resolved.symbol(id);
        let name = self.text(symbol.name);
        if symbol.declared.is_none()
            && symbol.use_associated
            && let Some(origin) = self.resolved.origin(self.tree, id)
        {
            return format!("{}::{}", origin.module, origin.name);
        }
        let mut scope = Some(symbol.scope);
        while let Some(at) = scope {
            if let ScopeKind::Unit(unit) = self.resolved.scope_kind(at) {
                return match self.blocks.get(&(unit, symbol.name)) {
                    Some(block) => format!("/{block}/{name}"),
                    None => format!("{}::{name}", unit_path(self.tree, unit)),
                };
            }
            scope = self.resolved.parent_scope(at);
        }
        name.to_owned()
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
    fn declarations(&self, id: StatementId) -> Vec<Declaration> {
        let statement = &self.tree.statements[id as usize];
        let of_attributes = |attributes: &[Attribute]| {
            attributes.iter().find_map(|attribute| match attribute {
                Attribute::Dimension(shape) => Some(shape.clone()),
                _ => None,
            })
        };
        let mut found = Vec::new();
        let mut add = |entities: &[Entity], shape: Option<&ArraySpec>| {
            for entity in entities {
                if let Some(shape) = entity.shape.as_ref().or(shape) {
                    found.extend(self.declaration(id, entity, shape));
                }
            }
        };
        match &statement.kind {
            StatementKind::TypeDeclaration(declaration) => {
                add(&declaration.entities, of_attributes(&declaration.attributes).as_ref());
            }
            StatementKind::Records(declarations) => {
                for declaration in declarations {
                    add(&declaration.entities, None);
                }
            }
            StatementKind::AttributeStatement { attribute, entities, .. } => {
                add(entities, of_attributes(std::slice::from_ref(attribute)).as_ref());
            }
            StatementKind::Common(groups) => groups.iter().for_each(|group| add(&group.entities, None)),
            StatementKind::CrayPointer(pointers) => {
                pointers.iter().for_each(|pointer| add(std::slice::from_ref(&pointer.pointee), None));
            }
            _ => {}
        }
        found
    }

    fn declaration(&self, id: StatementId, entity: &Entity, shape: &ArraySpec) -> Option<Declaration> {
        let names = &self.tree.names;
        let name = entity.name.name;
        let bounds = shape.dimensions.iter().map(|dimension| Subscript::of_dimension(dimension, names)).collect();
        let place = self.place(entity.span);
        let scope = self.resolved.scope_of(id);
        if let ScopeKind::Type(construct) = self.resolved.scope_kind(scope) {
            let header = *self.tree.constructs[construct as usize].headers.first()?;
            let type_name = match &self.tree.statements[header as usize].kind {
                StatementKind::DerivedType { name, .. } => self.text(name.name),
                StatementKind::Structure { name, .. } => name.map_or("", |name| self.text(name.name)),
                _ => "",
            };
            let kind = match shape.dimensions.first() {
                Some(DimensionSpec::Colon(_)) => "deferred shape",
                _ => "explicit shape",
            };
            let array = format!("{type_name}%{}", self.text(name));
            return Some(Declaration { array, type_: String::new(), kind: kind.to_owned(), bounds, place });
        }
        let symbol_id = self.resolved.symbol_at(id, name)?;
        let symbol = self.resolved.symbol(symbol_id);
        let type_ = symbol.type_.map(|type_| self.type_text(type_)).unwrap_or_default();
        let kind = kind_of(symbol, shape).to_owned();
        Some(Declaration { array: self.array(symbol_id), type_, kind, bounds, place })
    }

    /// The number of loops around a statement; the header of a loop stands outside of it.
    fn depth(&self, id: StatementId) -> u32 {
        let mut depth = 0;
        let mut at = self.tree.construct_of[id as usize];
        while let Some(construct) = at {
            let construct = &self.tree.constructs[construct as usize];
            let opens = matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall);
            depth += u32::from(opens && construct.headers.first() != Some(&id));
            at = construct.parent;
        }
        depth
    }

    fn statement(&self, id: StatementId) -> Option<Statement> {
        let statement = &self.tree.statements[id as usize];
        let mut collector = Collector { recorder: self, id, uses: Vec::new(), masked: Vec::new() };
        let mut loops = Vec::new();
        collector.statement(&statement.kind, &mut loops);
        let Collector { uses, masked, .. } = collector;
        if uses.is_empty() && loops.is_empty() {
            return None;
        }
        let text = self.unmasked(id, masked);
        Some(Statement {
            head: head(&statement.kind, &self.tree.names),
            hash: fnv1a(&text) as u64,
            depth: self.depth(id),
            loops,
            uses,
            specifications: Vec::new(),
            unspecified: Vec::new(),
            place: self.place(statement.span),
            id,
        })
    }

    /// The cooked text of a statement without what stands under these spans.
    fn unmasked(&self, id: StatementId, mut masked: Vec<Span>) -> Vec<u8> {
        let source = &self.tree.source;
        let Some(logical) = source.statements.get(id as usize) else { return Vec::new() };
        masked.sort_by_key(|span| span.start);
        let mut kept = Vec::new();
        let (from, to) = (logical.start as usize, logical.end as usize);
        for (&byte, &origin) in source.cooked[from..to].iter().zip(&source.origins[from..to]) {
            let is_masked = masked.iter().any(|span| span.start <= origin && origin < span.end);
            if !is_masked {
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

/// The arrays that a statement uses, as they come.
struct Collector<'r, 't> {
    recorder: &'r Recorder<'t>,
    id: StatementId,
    uses: Vec<Use>,
    /// The lists of subscripts and the bounds of loops.
    masked: Vec<Span>,
}

impl Collector<'_, '_> {
    fn statement(&mut self, kind: &StatementKind, loops: &mut Vec<Loop>) {
        match kind {
            StatementKind::Assignment { target, value } => {
                self.reference(target, &Role::Write, span_of_reference(target));
                if let Some(shape) = reshaped(value, target, &self.recorder.tree.names) {
                    self.reshape(target, shape);
                }
                self.expression(value, &Role::Read);
            }
            StatementKind::PointerAssignment { target, value } => {
                self.whole(target, &Role::Write);
                self.expression(value, &Role::Read);
            }
            StatementKind::Call { procedure } => self.call(procedure),
            StatementKind::Allocate { objects, options, .. } => {
                objects.iter().for_each(|object| self.reference(object, &Role::Allocate, span_of_reference(object)));
                options.iter().for_each(|(_, value)| self.expression(value, &Role::Read));
            }
            StatementKind::InputOutput(io) => {
                let values = io.control.iter().filter_map(|control| control.value.as_ref());
                values.for_each(|value| self.expression(value, &Role::InputOutput));
                io.items.iter().for_each(|item| self.expression(item, &Role::InputOutput));
            }
            StatementKind::Data(sets) => {
                sets.iter().flat_map(|set| &set.objects).for_each(|object| self.expression(object, &Role::Data));
            }
            StatementKind::Equivalence(sets) => {
                let objects = sets.iter().flatten();
                objects.for_each(|object| self.reference(object, &Role::Equivalence, span_of_reference(object)));
            }
            StatementKind::If { condition, action } => {
                self.expression(condition, &Role::Read);
                self.statement(&action.kind, loops);
            }
            StatementKind::Where { mask, action } => {
                self.expression(mask, &Role::Read);
                self.statement(&action.kind, loops);
            }
            StatementKind::Forall { header, action } => {
                self.header(header, loops);
                self.statement(&action.kind, loops);
            }
            StatementKind::ForallConstruct(header) => self.header(header, loops),
            StatementKind::Do { control: DoControl::Concurrent(header), .. } => self.header(header, loops),
            StatementKind::Do { control: DoControl::Counted { variable, lower, upper, step }, .. } => {
                if let [part] = variable.parts.as_slice() {
                    self.bounds(part.name, lower, upper, step.as_ref(), loops);
                }
            }
            other => walk_expressions(other, &mut |expression| self.expression(expression, &Role::Read)),
        }
    }

    fn header(&mut self, header: &ConcurrentHeader, loops: &mut Vec<Loop>) {
        for ConcurrentControl { variable, lower, upper, step } in &header.controls {
            self.bounds(*variable, lower, upper, step.as_ref(), loops);
        }
        header.mask.iter().for_each(|mask| self.expression(mask, &Role::Read));
    }

    fn bounds(
        &mut self,
        variable: Identifier,
        lower: &Expression,
        upper: &Expression,
        step: Option<&Expression>,
        loops: &mut Vec<Loop>,
    ) {
        let names = &self.recorder.tree.names;
        let affine = |expression: &Expression| Some(Affine::of(expression, names));
        loops.push(Loop {
            variable: names.text(variable.name).to_owned(),
            bounds: Subscript::Section(affine(lower), affine(upper), step.and_then(affine)),
        });
        for bound in [Some(lower), Some(upper), step].into_iter().flatten() {
            self.masked.push(bound.span);
            self.expression(bound, &Role::Read);
        }
    }

    fn expression(&mut self, expression: &Expression, role: &Role) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.reference(reference, role, expression.span),
            ExpressionKind::Literal(_) | ExpressionKind::Star => {}
            ExpressionKind::Complex(parts) => {
                self.expression(&parts.0, &Role::Read);
                self.expression(&parts.1, &Role::Read);
            }
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent, role);
                self.list(range, &Role::Read);
            }
            // What stands in brackets is a value.
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => {
                self.expression(inner, &Role::Read);
            }
            ExpressionKind::Binary(first, rest) => {
                self.expression(first, &Role::Read);
                rest.iter().for_each(|(_, operand)| self.expression(operand, &Role::Read));
            }
            ExpressionKind::ArrayConstructor { values, .. } => {
                values.iter().for_each(|value| self.expression(value, &Role::Read));
            }
            ExpressionKind::ImpliedDo(implied) => {
                implied.items.iter().for_each(|item| self.expression(item, role));
                let bounds = [Some(&implied.lower), Some(&implied.upper), implied.step.as_ref()];
                bounds.into_iter().flatten().for_each(|bound| self.expression(bound, &Role::Read));
            }
            ExpressionKind::Conditional(branches, otherwise) => {
                for (test, value) in branches {
                    self.expression(test, &Role::Read);
                    self.expression(value, &Role::Read);
                }
                self.expression(otherwise, &Role::Read);
            }
            ExpressionKind::PercentFunction(_, argument) => self.expression(argument, role),
            ExpressionKind::Repeat(count, value) => {
                self.expression(count, &Role::Read);
                self.expression(value, role);
            }
        }
    }

    fn list(&mut self, list: &ArgumentList, role: &Role) {
        for item in &list.items {
            match &item.value {
                ArgumentValue::Expression(value) => self.expression(value, role),
                ArgumentValue::Section(Section { lower, upper, stride }) => {
                    let bounds = [lower, upper, stride].into_iter().flatten();
                    bounds.for_each(|bound| self.expression(bound, &Role::Read));
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    /// A reference part by part: each array on the way is used. The role is that of the last part.
    fn reference(&mut self, reference: &Reference, role: &Role, span: Span) {
        let Recorder { tree, resolved, .. } = *self.recorder;
        let classes = resolved.classify(tree, self.id, reference);
        let mut path = String::new();
        let mut type_: Option<SymbolType> = None;
        for (at, (part, class)) in reference.parts.iter().zip(&classes).enumerate() {
            let is_last = at + 1 == reference.parts.len();
            let name = tree.names.text(part.name.name);
            let owner = type_;
            let symbol = (at == 0).then(|| resolved.symbol_at(self.id, part.name.name)).flatten();
            type_ = match owner.and_then(|owner| owner.derived()) {
                Some(owner) if at > 0 => resolved.component(owner, name).and_then(|component| component.type_),
                _ => symbol.and_then(|symbol| resolved.symbol(symbol).type_),
            };
            if at > 0 {
                path.push('%');
            }
            path.push_str(name);
            match class {
                PartClass::Array { .. } => {
                    let array = match symbol {
                        Some(symbol) => self.recorder.array(symbol),
                        None => component_key(resolved, owner, name),
                    };
                    let role = if is_last { role } else { &Role::Read };
                    let span = if is_last { span } else { Span::new(span.start, end_of(part)) };
                    self.array(role, array, &path, part, span);
                }
                PartClass::Intrinsic if is_last => self.intrinsic(name, part),
                PartClass::Function | PartClass::StatementFunction | PartClass::Unknown if is_last => {
                    self.arguments(name, part);
                }
                _ => part.lists.iter().for_each(|list| self.list(list, &Role::Read)),
            }
        }
    }

    fn array(&mut self, role: &Role, array: String, path: &str, part: &Part, span: Span) {
        let names = &self.recorder.tree.names;
        let first = part.lists.first();
        let items = first.map(|list| list.items.as_slice()).unwrap_or_default();
        self.masked.extend(first.map(|list| list.span));
        self.uses.push(Use {
            role: role.clone(),
            array,
            name: path.to_owned(),
            subscripts: first.map(|list| list.items.iter().map(|item| Subscript::of(item, names)).collect()),
            place: self.recorder.place(span),
            places: items.iter().map(|item| self.recorder.place(item.span)).collect(),
        });
        part.lists.iter().for_each(|list| self.list(list, &Role::Read));
    }

    /// The target of a pointer assignment: bounds behind it are no subscripts.
    fn whole(&mut self, target: &Reference, role: &Role) {
        let mut bare = target.clone();
        if let Some(last) = bare.parts.last_mut() {
            last.lists.clear();
        }
        self.reference(&bare, role, span_of_reference(target));
    }

    fn reshape(&mut self, target: &Reference, shape: Vec<Subscript>) {
        let before = self.uses.len();
        self.reference(target, &Role::Reshape, span_of_reference(target));
        self.uses.truncate(before + 1);
        if let Some(used) = self.uses.get_mut(before) {
            used.subscripts = Some(shape);
        }
    }

    fn call(&mut self, procedure: &Reference) {
        let Some((last, before)) = procedure.parts.split_last() else { return };
        for part in before {
            part.lists.iter().for_each(|list| self.list(list, &Role::Read));
        }
        let name = self.recorder.text(last.name.name);
        self.arguments(name, last);
    }

    fn arguments(&mut self, procedure: &str, part: &Part) {
        for item in part.lists.iter().flat_map(|list| &list.items).enumerate() {
            let (at, item) = item;
            let position = match item.keyword {
                Some(keyword) => self.recorder.text(keyword.name).to_owned(),
                None => (at + 1).to_string(),
            };
            match &item.value {
                ArgumentValue::Expression(value) => {
                    self.expression(value, &Role::Argument(procedure.to_owned(), position));
                }
                ArgumentValue::Section(Section { lower, upper, stride }) => {
                    let bounds = [lower, upper, stride].into_iter().flatten();
                    bounds.for_each(|bound| self.expression(bound, &Role::Read));
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    /// An intrinsic function: if it is asked about one dimension of an array, that is what the array is used for.
    fn intrinsic(&mut self, function: &str, part: &Part) {
        let names = &self.recorder.tree.names;
        let Some(list) = part.lists.first() else { return };
        let dimension = asked_dimension(function, list, names);
        for (at, item) in list.items.iter().enumerate() {
            let ArgumentValue::Expression(value) = &item.value else { continue };
            match dimension {
                Some((number, place)) => match place == at {
                    // The number is what may have to change: it is compared, not matched.
                    true => self.masked.push(value.span),
                    false if at == 0 => self.expression(value, &Role::Inquiry(function.to_owned(), number)),
                    false => self.expression(value, &Role::Read),
                },
                None => self.expression(value, &Role::Read),
            }
        }
    }
}

/// The dimension that an intrinsic function is asked about, and which of the arguments says so.
fn asked_dimension(function: &str, list: &ArgumentList, names: &NameTable) -> Option<(u32, usize)> {
    let position = match function {
        "size" | "lbound" | "ubound" | "sum" | "product" | "maxval" | "minval" | "any" | "all" | "count" | "maxloc"
        | "minloc" => 1,
        "cshift" | "spread" => 2,
        "eoshift" => 3,
        _ => usize::MAX,
    };
    let is_dimension = |(at, item): &(usize, &Argument)| match item.keyword {
        Some(keyword) => names.text(keyword.name) == "dim",
        None => *at == position,
    };
    let (at, item) = list.items.iter().enumerate().find(is_dimension)?;
    let ArgumentValue::Expression(value) = &item.value else { return None };
    let number = Affine::of(value, names);
    let number = if number.terms.is_empty() { u32::try_from(number.constant).ok()? } else { return None };
    (number > 0).then_some((number, at))
}

/// The shape in `target = reshape(source, [shape])`, if it is written out and the target is a whole array.
fn reshaped(value: &Expression, target: &Reference, names: &NameTable) -> Option<Vec<Subscript>> {
    let ExpressionKind::Reference(Reference { parts }) = &value.kind else { return None };
    let [part] = parts.as_slice() else { return None };
    let is_whole = target.parts.last().is_some_and(|part| part.lists.is_empty());
    if !is_whole || names.text(part.name.name) != "reshape" {
        return None;
    }
    let ArgumentValue::Expression(shape) = &part.lists.first()?.items.get(1)?.value else { return None };
    let ExpressionKind::ArrayConstructor { values, .. } = &shape.kind else { return None };
    let is_plain = |value: &Expression| !matches!(value.kind, ExpressionKind::ImpliedDo(_));
    let extents = values.iter().map(|value| Subscript::Index(Affine::of(value, names)));
    values.iter().all(is_plain).then(|| extents.collect())
}

/// Which component of which type, or as much as is known.
fn component_key(resolved: &Resolved, owner: Option<SymbolType>, name: &str) -> String {
    let mut at = owner.and_then(|owner| owner.derived());
    // The type that has it itself; chains of extension longer than this would be a ring.
    for _ in 0..64 {
        let Some(table) = at.and_then(|id| resolved.derived_type(id)) else { break };
        if table.parent.is_none() || table.components.iter().any(|component| component.name == name) {
            return format!("{}%{name}", table.name);
        }
        at = table.parent;
    }
    format!("%{name}")
}

fn end_of(part: &Part) -> u32 {
    part.lists.last().map_or(part.name.span.end, |list| list.span.end)
}

/// From the first name of a reference to its last bracket.
fn span_of_reference(reference: &Reference) -> Span {
    let start = reference.parts.first().map_or(0, |part| part.name.span.start);
    Span::new(start, reference.parts.last().map_or(start, end_of))
}
