//! The names of a file as text, for `camfort-rs debug names`: scope by scope, symbol by symbol.

use std::fmt::Write;

use super::resolved::Resolved;
use super::scopes::ScopeKind;
use super::symbol::*;
use crate::syntax::Tree;
use crate::syntax::nesting::unbalanced::unit_name;

impl Resolved {
    /// All scopes with their symbols, and the notes.
    pub fn dump(&self, tree: &Tree) -> String {
        let mut text = String::new();
        for (at, scope) in self.scopes.all.iter_enumerated() {
            let mut symbols: Vec<&Symbol> = self.maps[at].values().map(|&id| self.symbol(id)).collect();
            if symbols.is_empty() && scope.kind == ScopeKind::File {
                continue;
            }
            symbols.sort_by_key(|symbol| tree.names.text(symbol.name));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", scope_title(tree, scope.kind));
            for symbol in symbols {
                let _ = writeln!(text, "  {}", self.describe(tree, symbol));
            }
        }
        for (_, note) in &self.notes {
            let _ = match note {
                NameNote::ModuleNotFound(name) => writeln!(text, "module not found: {name}"),
                NameNote::CircularUse(ring) => writeln!(text, "modules use each other: {ring}"),
            };
        }
        text
    }

    fn describe(&self, tree: &Tree, symbol: &Symbol) -> String {
        let mut words = vec![format!("{}:", tree.names.text(symbol.name))];
        words.push(match &symbol.kind {
            SymbolKind::Variable => "variable".into(),
            SymbolKind::Parameter(Some(value)) => format!("parameter = {value}"),
            SymbolKind::Parameter(None) => "parameter".into(),
            SymbolKind::Function { .. } => "function".into(),
            SymbolKind::Subroutine { .. } => "subroutine".into(),
            SymbolKind::StatementFunction { .. } => "statement function".into(),
            SymbolKind::Intrinsic => "intrinsic".into(),
            SymbolKind::ExternalProcedure => "external procedure".into(),
            SymbolKind::ProcedurePointer => "procedure pointer".into(),
            SymbolKind::Generic { specifics } => format!("generic {}", specifics.join(" ")),
            SymbolKind::Module => "module".into(),
            SymbolKind::DerivedType => "type".into(),
            SymbolKind::Namelist => "namelist".into(),
            SymbolKind::ConstructName => "construct".into(),
            SymbolKind::AssociateName { .. } => "associate name".into(),
            SymbolKind::Unknown => "unknown".into(),
        });
        words.extend(symbol.type_.map(|type_| self.type_text(type_)));
        words.extend(symbol.shape.as_ref().map(shape_text));
        let flags = [
            (symbol.is_dummy, "dummy"),
            (symbol.is_result, "result"),
            (symbol.in_common, "common"),
            (symbol.use_associated, "module"),
            (symbol.is_pointer, "pointer"),
            (symbol.is_allocatable, "allocatable"),
            (symbol.is_target, "target"),
            (symbol.is_optional, "optional"),
            (symbol.equivalenced, "equivalence"),
        ];
        words.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, word)| word.to_owned()));
        words.extend(symbol.intent.map(|intent| format!("intent({})", format!("{intent:?}").to_lowercase())));
        words.join(" ")
    }

    fn type_text(&self, type_: SymbolType) -> String {
        let base = match type_.base {
            BaseType::Derived(id) => format!("type({})", self.type_name(id)),
            BaseType::Class(id) => format!("class({})", self.type_name(id)),
            base @ (BaseType::Integer
            | BaseType::Real
            | BaseType::DoublePrecision
            | BaseType::Complex
            | BaseType::DoubleComplex
            | BaseType::Character
            | BaseType::Logical
            | BaseType::Byte
            | BaseType::Unlimited
            | BaseType::Unknown) => format!("{base:?}").to_lowercase(),
        };
        match (type_.kind, type_.length) {
            (Some(kind), _) => format!("{base}(kind={kind})"),
            (None, Some(length)) => format!("{base}(len={length})"),
            (None, None) => base,
        }
    }

    fn type_name(&self, id: TypeId) -> &str {
        self.derived_type(id).map_or("?", |table| &table.name)
    }
}

fn shape_text(shape: &Shape) -> String {
    let bound = |bound: Option<i64>| bound.map_or("?".to_owned(), |value| value.to_string());
    if shape.bounds.is_empty() {
        return format!("rank {}", shape.rank);
    }
    let bounds = shape.bounds.iter().map(|it| format!("{}:{}", bound(it.lower), bound(it.upper)));
    format!("({})", bounds.collect::<Vec<_>>().join(", "))
}

fn scope_title(tree: &Tree, kind: ScopeKind) -> String {
    match kind {
        ScopeKind::File => "file".into(),
        ScopeKind::Unit(unit) => {
            let name = unit_name(tree, unit);
            format!("{:?} {}", tree.units[unit].kind, name.map_or("", |name| tree.names.text(name)))
        }
        ScopeKind::Block(_) => "block".into(),
        ScopeKind::Associate(_) => "associate".into(),
        ScopeKind::Guard(..) => "guard".into(),
        ScopeKind::Type(_) => "type".into(),
    }
}
