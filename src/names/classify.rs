//! What the parts of references are: `a(i)%b(j)` part by part; and the ranks of expressions that associate names stand
//! for.

use smallvec::{SmallVec, smallvec};

use super::declared::Properties;
use super::entity::{Facts, resolve_type, type_of};
use super::resolve::Resolution;
use super::resolved::{Member, Resolved, is_complex_part};
use super::symbol::*;
use super::unseen::TypeOwner;
use crate::syntax::*;

/// What the parts of a reference are, in order: mostly there is one.
pub type PartClasses = SmallVec<[PartClass; 4]>;

/// A reference part by part, with the type and shape of its last part's name.
struct Classified<'a> {
    classes: PartClasses,
    type_: Option<SymbolType>,
    shape: Option<&'a Shape>,
}

impl Resolved {
    /// What each part of a reference in a statement is.
    pub fn classify(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> PartClasses {
        // Most references have one part, and nothing more of it is asked.
        if let [part] = reference.parts.as_slice() {
            let symbol = self.symbol_at(statement, part.name.name);
            return smallvec![symbol.map_or(PartClass::Unknown, |symbol| self.class_of(symbol, part))];
        }
        self.classify_in(tree, self.scope_of(statement), reference).classes
    }

    /// What the first part of a reference is, which means this symbol.
    pub fn class_of(&self, symbol: SymbolId, first: &Part) -> PartClass {
        class_of(self.symbol(symbol), first)
    }

    /// For each part of a reference in a statement the shape of its name, if it is an array's.
    pub fn shapes(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> SmallVec<[Option<&Shape>; 2]> {
        let mut shapes = SmallVec::new();
        self.walk_parts(tree, self.scope_of(statement), reference, &mut |_, shape| shapes.push(shape));
        shapes
    }

    /// The type of a reference in a statement, if it can be said.
    pub fn type_of(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> Option<SymbolType> {
        self.walk_parts(tree, self.scope_of(statement), reference, &mut |_, _| {})
    }

    /// The rank of an expression in a statement, if it can be said.
    pub fn rank(&self, tree: &Tree, statement: StatementId, expression: &Expression) -> Option<u8> {
        self.shape_in(tree, self.scope_of(statement), expression).0.map(|shape| shape.rank)
    }

    fn classify_in(&self, tree: &Tree, scope: ScopeId, reference: &Reference) -> Classified<'_> {
        let mut classes = PartClasses::new();
        let mut last = None;
        let type_ = self.walk_parts(tree, scope, reference, &mut |class, shape| {
            classes.push(class);
            last = shape;
        });
        Classified { classes, type_, shape: last }
    }

    /// Tells the class and shape of each part of a reference; gives the type of the last one.
    fn walk_parts<'a>(
        &'a self,
        tree: &Tree,
        scope: ScopeId,
        reference: &Reference,
        tell: &mut dyn FnMut(PartClass, Option<&'a Shape>),
    ) -> Option<SymbolType> {
        let mut last: Option<SymbolType> = None;
        let mut owner = None;
        for (at, part) in reference.parts.iter().enumerate() {
            if at == 0 {
                let symbol = self.find(scope, part.name.name).map(|id| self.symbol(id));
                let class = symbol.map_or(PartClass::Unknown, |symbol| class_of(symbol, part));
                last = symbol.and_then(|symbol| symbol.type_);
                owner = Some(TypeOwner::Variable(part.name.name));
                tell(class, symbol.and_then(|symbol| symbol.shape.as_ref()));
                continue;
            }
            let name = tree.names.text(part.name.name);
            if let Some(type_) = last
                && type_.derived().is_none()
                && is_complex_part(type_.base, name)
            {
                last = Some(SymbolType::plain(BaseType::Real));
                tell(PartClass::Scalar, None);
                continue;
            }
            let structure = last.and_then(|type_| type_.derived());
            let structure = structure.or_else(|| self.unseen.find(owner?));
            let member = structure.map_or(Member::Absent, |id| self.member(id, name));
            owner = None;
            let (class, type_, shape) = match member {
                Member::Component(component, holder) => {
                    owner = Some(TypeOwner::Component(holder, part.name.name));
                    (component_class(component, part), component.type_, component.shape.as_ref())
                }
                Member::Binding(..) => (PartClass::Function, None, None),
                Member::Doubtful(_) | Member::Absent => (PartClass::Unknown, None, None),
            };
            last = type_;
            tell(class, shape);
        }
        last
    }

    /// The shape of an expression: `None` when it cannot be said, rank 0 for a scalar; and its type, if it is a
    /// reference.
    fn shape_in(&self, tree: &Tree, scope: ScopeId, expression: &Expression) -> (Option<Shape>, Option<SymbolType>) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => {
                let classified = self.classify_in(tree, scope, reference);
                (self.reference_shape(tree, scope, reference, &classified), classified.type_)
            }
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => self.shape_in(tree, scope, inner),
            ExpressionKind::Binary(operations) => {
                let mut result = Some(Shape::of_rank(0));
                for operand in operations.operands() {
                    match self.shape_in(tree, scope, operand).0 {
                        Some(shape) if shape.rank > 0 => return (Some(Shape::of_rank(usize::from(shape.rank))), None),
                        Some(_) => {}
                        None => result = None,
                    }
                }
                (result, None)
            }
            ExpressionKind::ArrayConstructor { .. } => (Some(Shape::of_rank(1)), None),
            ExpressionKind::Literal(_) | ExpressionKind::Complex(_) => (Some(Shape::of_rank(0)), None),
            ExpressionKind::Substring(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Star
            | ExpressionKind::Nil
            | ExpressionKind::Repeat(..) => (None, None),
        }
    }

    fn reference_shape(
        &self,
        tree: &Tree,
        scope: ScopeId,
        reference: &Reference,
        classified: &Classified<'_>,
    ) -> Option<Shape> {
        let mut rank = 0;
        for (part, class) in reference.parts.iter().zip(&classified.classes) {
            match (class, part.lists.first()) {
                (PartClass::Array { rank: 0 }, _) => return None,
                (PartClass::Array { rank: whole }, None) => rank += *whole as usize,
                (PartClass::Array { .. }, Some(list)) => {
                    for item in &list.items {
                        rank += match &item.value {
                            ArgumentValue::Section(_) => 1,
                            // How many subscripts it stands for is not followed.
                            ArgumentValue::Multiple(_) => return None,
                            // A vector subscript keeps its dimension.
                            ArgumentValue::Expression(index) => {
                                usize::from(self.shape_in(tree, scope, index).0.is_some_and(|shape| shape.rank > 0))
                            }
                            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => 0,
                        };
                    }
                }
                (
                    PartClass::Scalar | PartClass::Constant | PartClass::Substring | PartClass::StructureConstructor,
                    _,
                ) => {}
                _ => return None,
            }
        }
        let is_whole = reference.parts.last().is_some_and(|part| part.lists.is_empty());
        match classified.shape {
            // A whole array keeps its bounds.
            Some(shape) if is_whole && usize::from(shape.rank) == rank => Some(shape.clone()),
            _ => Some(sectioned(rank)),
        }
    }
}

/// The shape of a section: all lower bounds are 1.
fn sectioned(rank: usize) -> Shape {
    Shape { bounds: vec![Bounds { lower: Some(1), upper: None }; rank], ..Shape::of_rank(rank) }
}

/// Whether a selector is a whole variable of assumed rank.
fn is_assumed(resolved: &Resolved, whole: Option<SymbolId>) -> bool {
    whole.and_then(|id| resolved.symbol(id).shape.as_ref()).is_some_and(|shape| shape.rank == 0)
}

fn class_of(symbol: &Symbol, part: &Part) -> PartClass {
    match &symbol.kind {
        SymbolKind::Function { .. }
        | SymbolKind::Subroutine { .. }
        | SymbolKind::ExternalProcedure
        | SymbolKind::ProcedurePointer
        | SymbolKind::Generic { .. } => PartClass::Function,
        SymbolKind::StatementFunction { .. } => PartClass::StatementFunction,
        SymbolKind::Intrinsic => PartClass::Intrinsic,
        SymbolKind::DerivedType => PartClass::StructureConstructor,
        SymbolKind::Module | SymbolKind::Namelist | SymbolKind::ConstructName => PartClass::Unknown,
        SymbolKind::Variable | SymbolKind::Parameter(_) | SymbolKind::AssociateName { .. } | SymbolKind::Unknown => {
            if let Some(shape) = &symbol.shape {
                return PartClass::Array { rank: u32::from(shape.rank) };
            }
            let is_character = symbol.type_.is_some_and(|type_| type_.is_character());
            match part.lists.first() {
                None if matches!(symbol.kind, SymbolKind::Parameter(_)) => PartClass::Constant,
                None => PartClass::Scalar,
                Some(list) if list.is_range() && is_character => PartClass::Substring,
                // A function that refers to itself by the name of its result variable.
                Some(_) if symbol.is_result => PartClass::Function,
                Some(_) => PartClass::Unknown,
            }
        }
    }
}

fn component_class(component: &Component, part: &Part) -> PartClass {
    if component.is_procedure {
        return PartClass::Function;
    }
    if let Some(shape) = &component.shape {
        return PartClass::Array { rank: u32::from(shape.rank) };
    }
    match part.lists.first() {
        None => PartClass::Scalar,
        Some(list) if list.is_range() && component.type_.is_some_and(|type_| type_.is_character()) => {
            PartClass::Substring
        }
        Some(_) => PartClass::Unknown,
    }
}

impl Resolution<'_> {
    /// Enters the names that a header or guard associates, in the scope that it opens.
    pub(super) fn enter_associate_names(&mut self, statement: StatementId, opened: ScopeId) {
        let tree = self.tree;
        let outer = self.resolved.scopes.of_statement[statement];
        let kind = &tree.statements[statement].kind;
        if let StatementKind::Associate(associations) | StatementKind::ChangeTeam { associations, .. } = kind {
            for (association, index) in associations.iter().zip(0..) {
                let (shape, type_) = self.resolved.shape_in(tree, outer, &association.selector);
                let place = (statement, index, association.name);
                self.enter_associate(opened, outer, place, &association.selector, (shape, type_));
            }
        }
        if let StatementKind::TypeGuard(guard, _) = kind {
            let narrowed = match guard {
                TypeGuard::TypeIs(spec) | TypeGuard::ClassIs(spec) => {
                    let type_ = type_of(spec, None, &tree.names);
                    self.enter_unseen_type(outer, &type_);
                    Some(resolve_type(&type_, &self.view(outer)))
                }
                TypeGuard::Default => None,
            };
            self.enter_guarded(opened, outer, |shape, type_| (shape, narrowed.or(type_)));
        }
        if let StatementKind::RankCase(case, _) = kind {
            let rank = match case {
                RankCase::Rank(rank) => self.resolved.constant(tree, statement, rank),
                RankCase::Star => Some(1),
                RankCase::Default => None,
            };
            let ranked = rank.and_then(|rank| usize::try_from(rank).ok()).map(Shape::of_rank);
            self.enter_guarded(opened, outer, |shape, type_| (ranked.or(shape), type_));
        }
    }

    /// Enters the name of the SELECT TYPE or SELECT RANK around a guard.
    fn enter_guarded(
        &mut self,
        opened: ScopeId,
        outer: ScopeId,
        narrow: impl FnOnce(Option<Shape>, Option<SymbolType>) -> (Option<Shape>, Option<SymbolType>),
    ) {
        let tree = self.tree;
        let super::scopes::ScopeKind::Guard(construct, _) = self.resolved.scope_kind(opened) else { return };
        let Some(&header) = tree.constructs[construct].headers.first() else { return };
        let (StatementKind::SelectType(selector) | StatementKind::SelectRank(selector)) = &tree.statements[header].kind
        else {
            return;
        };
        let name = match (&selector.name, &selector.selector.kind) {
            (Some(name), _) => *name,
            (None, ExpressionKind::Reference(Reference { parts })) => match parts.as_slice() {
                [part] => part.name,
                _ => return,
            },
            _ => return,
        };
        let (shape, type_) = self.resolved.shape_in(tree, outer, &selector.selector);
        self.enter_associate(opened, outer, (header, 0, name), &selector.selector, narrow(shape, type_));
    }

    fn enter_associate(
        &mut self,
        opened: ScopeId,
        outer: ScopeId,
        (statement, index, name): (StatementId, u32, Identifier),
        selector: &Expression,
        (shape, type_): (Option<Shape>, Option<SymbolType>),
    ) {
        let variable =
            if let ExpressionKind::Reference(reference) = &selector.kind { reference.as_name() } else { None };
        let whole = variable.and_then(|name| self.resolved.find(outer, name.name));
        // An assumed-rank selector, whose rank nothing says here, keeps its assumed rank.
        let shape = shape.or_else(|| whole.and_then(|id| self.resolved.symbol(id).shape.clone()));
        let shape =
            shape.filter(|shape| shape.rank > 0 || shape.bounds.is_empty() && is_assumed(&self.resolved, whole));
        let kind = SymbolKind::AssociateName { statement, index, whole };
        let facts = Facts { kind, type_, shape, elements: None };
        self.enter(opened, name.name, facts, Properties::default(), Some(name.span));
    }
}
