//! Statements: one enum, one variant per statement form (the standard's rule number at each).
//!
//! Constructs are not nested here: a header such as `if (…) then` is a statement like any other, and the block builder
//! says which statements belong together (see [`super::tree`]).

#![deny(clippy::wildcard_enum_match_arm)]

use thin_vec::ThinVec;

use super::declaration::*;
use super::expression::{ArgumentList, Expression, Reference};
use super::input_output::InputOutput;
use super::names::{Identifier, Name};
use crate::source::Span;

/// The statements that are not executed and give nothing a shape, as a pattern.
macro_rules! shapeless_declarative {
    () => {
        $crate::syntax::StatementKind::Program(_)
            | $crate::syntax::StatementKind::Module(_)
            | $crate::syntax::StatementKind::Submodule { .. }
            | $crate::syntax::StatementKind::BlockData(_)
            | $crate::syntax::StatementKind::Subroutine(_)
            | $crate::syntax::StatementKind::Function(_)
            | $crate::syntax::StatementKind::ModuleProcedure { .. }
            | $crate::syntax::StatementKind::Entry { .. }
            | $crate::syntax::StatementKind::Contains
            | $crate::syntax::StatementKind::Use { .. }
            | $crate::syntax::StatementKind::Import { .. }
            | $crate::syntax::StatementKind::Implicit(_)
            | $crate::syntax::StatementKind::ProcedureDeclaration { .. }
            | $crate::syntax::StatementKind::Parameter(_)
            | $crate::syntax::StatementKind::Data(_)
            | $crate::syntax::StatementKind::Equivalence(_)
            | $crate::syntax::StatementKind::Namelist(_)
            | $crate::syntax::StatementKind::Interface { .. }
            | $crate::syntax::StatementKind::DerivedType { .. }
            | $crate::syntax::StatementKind::Template { .. }
            | $crate::syntax::StatementKind::Require(_)
            | $crate::syntax::StatementKind::Instantiate(_)
            | $crate::syntax::StatementKind::Deferred(_)
            | $crate::syntax::StatementKind::Sequence
            | $crate::syntax::StatementKind::TypeBoundProcedure { .. }
            | $crate::syntax::StatementKind::Generic { .. }
            | $crate::syntax::StatementKind::Final(_)
            | $crate::syntax::StatementKind::Enum { .. }
            | $crate::syntax::StatementKind::Enumerator(_)
            | $crate::syntax::StatementKind::EnumerationType { .. }
            | $crate::syntax::StatementKind::Structure { .. }
            | $crate::syntax::StatementKind::Union
            | $crate::syntax::StatementKind::Map
            | $crate::syntax::StatementKind::Format(_)
    };
}

/// The statements that are not executed, as a pattern. Matches over kinds of statements list every kind, and for most
/// phases these are one kind; a new one that stands here has been decided for all of them. (A Cray pointer does
/// something though it is not executed.)
macro_rules! declarative {
    () => {
        $crate::syntax::ast::statement::shapeless_declarative!()
            | $crate::syntax::StatementKind::TypeDeclaration(_)
            | $crate::syntax::StatementKind::Records(_)
            | $crate::syntax::StatementKind::AttributeStatement { .. }
            | $crate::syntax::StatementKind::Common(_)
    };
}

pub(crate) use {declarative, shapeless_declarative};

/// A statement at its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// From its label or first character to its last.
    pub span: Span,
    /// R611 label.
    pub label: Option<u32>,
    /// The construct name in front (`outer:`).
    pub construct_name: Option<Identifier>,
}

/// Every statement form.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields of a variant are named after what the rule has there")]
pub enum StatementKind {
    // Program units (clauses 14 and 15)
    /// R1402.
    Program(Identifier),
    /// R1405.
    Module(Identifier),
    /// R1417: name, its ancestor module and its parent submodule.
    Submodule { name: Identifier, ancestor: Identifier, parent: Option<Identifier> },
    /// R1421.
    BlockData(Option<Identifier>),
    /// R1535.
    Subroutine(Box<Subprogram>),
    /// R1530.
    Function(Box<Subprogram>),
    /// R1539 `module procedure name` (a separate module procedure) or R1506 `[module] procedure [::] names` in an
    /// interface.
    ModuleProcedure { module: bool, names: Vec<Identifier> },
    /// R1541.
    Entry { name: Identifier, dummies: Vec<DummyArgument>, suffix: Suffix },
    /// R1543.
    Contains,
    /// Every END statement: `end`, `end do`, `endprogram x`, …; not `endfile`. Only END TEAM has options (R1114).
    End { of: Option<EndOf>, options: Option<ArgumentList>, name: Option<Identifier> },

    // Specification part (clauses 7, 8, 14, 15)
    /// R1409: nature (`intrinsic` or `non_intrinsic`), module, `only:` or not, items.
    Use { nature: Option<Identifier>, module: Identifier, only: bool, items: Vec<UseItem> },
    /// R867: the mode (`only`, `none`, `all`) and the names.
    Import { mode: Option<Identifier>, names: Vec<Identifier> },
    /// R863.
    Implicit(ImplicitRule),
    /// R801, R737: a type declaration, also of components and DEC records.
    TypeDeclaration(Box<TypeDeclaration>),
    /// DEC `record /a/ x, /b/ y`: records of several structures.
    Records(Vec<TypeDeclaration>),
    /// R1512, R741: `procedure(interface), attributes :: names`.
    ProcedureDeclaration {
        interface: Option<TypeSpecOrName>,
        attributes: ThinVec<Attribute>,
        entities: ThinVec<Entity>,
    },
    /// R827-R862: `allocatable x(:)`, `save /c/, x`, `dimension a(3)`, `external f`, `private`, …: one attribute, the
    /// entities. A common block in SAVE is in `blocks`.
    AttributeStatement {
        attribute: Attribute,
        entities: Vec<Entity>,
        blocks: ThinVec<Identifier>,
        generics: ThinVec<GenericSpec>,
    },
    /// R851; the extension without brackets too.
    Parameter(Vec<(Identifier, Expression)>),
    /// R837.
    Data(Vec<DataSet>),
    /// R873.
    Common(Vec<NamedGroup>),
    /// R870.
    Equivalence(Vec<EquivalenceSet>),
    /// R868.
    Namelist(Vec<NamedGroup>),
    /// R1503: `abstract` or not, generic spec.
    Interface { is_abstract: bool, generic: Option<GenericSpec> },
    /// R727.
    DerivedType { attributes: Vec<Attribute>, name: Identifier, parameters: Vec<Identifier> },
    /// R731.
    Sequence,
    /// R749: `procedure(interface), attributes :: a => b, …` in a type's CONTAINS part.
    TypeBoundProcedure { interface: Option<Identifier>, attributes: Vec<Attribute>, bindings: Vec<Binding> },
    /// R751, R1510.
    Generic { attributes: Vec<Attribute>, spec: GenericSpec, targets: Vec<Identifier> },
    /// R753.
    Final(Vec<Identifier>),
    /// R760 `enum, bind(c)`, F2023 with a name.
    Enum { attributes: Vec<Attribute>, name: Option<Identifier> },
    /// R761.
    Enumerator(Vec<(Identifier, Option<Expression>)>),
    /// F2023 R766.
    EnumerationType { attributes: Vec<Attribute>, name: Identifier },
    /// F202Y `template name(parameters)` or `requirement name(parameters)`.
    Template { requirement: bool, name: Identifier, parameters: Vec<Identifier> },
    /// F202Y `require addable(t, plus)`: the text behind the keyword.
    Require(Name),
    /// F202Y `instantiate add_t(real), only: add_real => addit`: the text behind the keyword.
    Instantiate(Name),
    /// F202Y `type, deferred :: t`, `deferred procedure(f) :: g`: the text, less the keyword DEFERRED if that begins
    /// it.
    Deferred(Name),
    /// DEC `structure /name/ entities`.
    Structure { name: Option<Identifier>, entities: Vec<Entity> },
    /// DEC `union`.
    Union,
    /// DEC `map`.
    Map,
    /// Cray `pointer (p, x)`.
    CrayPointer(Vec<CrayPointer>),
    /// R1301: the text between the outer brackets is kept as an interned string.
    Format(Name),

    // Actions (clauses 9 to 12)
    /// R1032; a statement function (R1544) looks the same and is told apart after names are known.
    Assignment { target: Reference, value: Expression },
    /// R1033: bounds, if any, are the last list of the target.
    PointerAssignment { target: Reference, value: Expression },
    /// R1521.
    Call { procedure: Reference },
    /// R927.
    Allocate { type_spec: Option<Box<TypeSpec>>, objects: Vec<Reference>, options: Vec<(Identifier, Expression)> },
    /// R941.
    Deallocate { objects: Vec<Reference>, options: Vec<(Identifier, Expression)> },
    /// R939.
    Nullify(Vec<Reference>),
    /// R1157.
    GoTo(u32),
    /// R1158: labels and the selecting expression.
    ComputedGoTo(Vec<u32>, Box<Expression>),
    /// Fortran 77 assigned GO TO with its optional list.
    AssignedGoTo(Identifier, Vec<u32>),
    /// Fortran 77 ASSIGN.
    Assign(u32, Identifier),
    /// Fortran 77 arithmetic IF: negative, zero, positive.
    ArithmeticIf(Box<Expression>, [u32; 3]),
    /// R1159.
    Continue,
    /// R1133.
    Cycle(Option<Identifier>),
    /// R1156.
    Exit(Option<Identifier>),
    /// R1542.
    Return(Option<Box<Expression>>),
    /// R1160, R1161: `error stop` or not, code, `quiet=`.
    Stop { error: bool, code: Option<Box<Expression>>, quiet: Option<Box<Expression>> },
    /// Fortran 77 PAUSE.
    Pause(Option<Box<Expression>>),
    /// READ, WRITE, PRINT, OPEN, CLOSE, … (clause 12).
    InputOutput(Box<InputOutput>),
    /// SYNC, EVENT, LOCK, FORM TEAM, FAIL IMAGE, NOTIFY WAIT (clause 11.6): keywords joined by one blank, and the list.
    ImageControl { keywords: Name, arguments: Option<ArgumentList> },

    // Constructs: headers and one-line forms (clause 11 and 10.2)
    /// R1139 one-line IF.
    If { condition: Expression, action: Box<Statement> },
    /// R1135.
    IfThen(Expression),
    /// R1136.
    ElseIf(Expression, Option<Identifier>),
    /// R1137.
    Else(Option<Identifier>),
    /// R1121, R1122: the terminal label, if any, and the control.
    Do { label: Option<u32>, control: DoControl },
    /// R1141.
    SelectCase(Expression),
    /// R1142; no ranges means DEFAULT.
    Case { ranges: Vec<CaseRange>, name: Option<Identifier> },
    /// R1153.
    SelectType(Box<Selector>),
    /// R1154.
    TypeGuard(TypeGuard, Option<Identifier>),
    /// R1149.
    SelectRank(Box<Selector>),
    /// R1150.
    RankCase(RankCase, Option<Identifier>),
    /// R1041 one-line WHERE.
    Where { mask: Expression, action: Box<Statement> },
    /// R1043.
    WhereConstruct(Expression),
    /// R1047, R1048.
    ElseWhere(Option<Expression>, Option<Identifier>),
    /// R1055 one-line FORALL.
    Forall { header: Box<ConcurrentHeader>, action: Box<Statement> },
    /// R1051.
    ForallConstruct(Box<ConcurrentHeader>),
    /// R1103.
    Associate(Vec<Association>),
    /// R1108.
    Block,
    /// R1117, with its options.
    Critical(Option<ArgumentList>),
    /// R1112.
    ChangeTeam { team: Box<Expression>, associations: Vec<Association>, options: Vec<(Identifier, Expression)> },

    // What the standard does not have
    /// An undefined macro used as a statement: `FATAL_ERROR(msg)`.
    MacroStatement(Reference),
    /// Not understood: one sentence that says why.
    Unparsed(String),
}

/// What of a statement more than one phase asks for.
enum Content<'t> {
    /// A statement inside it.
    Action(&'t Statement),
    /// Names for expressions.
    Associations(&'t [Association]),
    /// One expression, perhaps with a name for it.
    Selector(&'t Selector),
    /// Declared entities that may have shapes, and the attributes of all of them.
    Declarations(&'t [TypeDeclaration]),
    Attributed(&'t Attribute, &'t [Entity]),
    Groups(&'t [NamedGroup]),
    CrayPointers(&'t [CrayPointer]),
    /// Nothing of that.
    Other,
}

impl StatementKind {
    /// The statement that a one-line IF, WHERE or FORALL governs.
    pub fn action(&self) -> Option<&Statement> {
        if let Content::Action(action) = self.content() { Some(action) } else { None }
    }

    /// What is executed if it is executed at all: the statement that it governs on its line, or itself.
    pub fn executed(&self) -> &StatementKind {
        self.action().map_or(self, |action| &action.kind)
    }

    /// R1105: what the associate names of its construct stand for, in order.
    pub fn selectors(&self) -> impl Iterator<Item = &Expression> {
        let associations = if let Content::Associations(associations) = self.content() { associations } else { &[] };
        let selector = if let Content::Selector(selector) = self.content() { Some(&selector.selector) } else { None };
        associations.iter().map(|one| &one.selector).chain(selector)
    }

    /// The entities that a declaration gives a shape (R815), each with its own, else with that of a DIMENSION
    /// attribute.
    pub fn shapes(&self) -> Vec<(&Entity, &ArraySpec)> {
        let (entities, of_all): (Vec<&Entity>, Option<&ArraySpec>) = match self.content() {
            Content::Declarations(declarations) => {
                // Records, of which there may be several, have no attributes.
                let attributes = declarations.iter().flat_map(|declaration| &declaration.attributes);
                let entities = declarations.iter().flat_map(|declaration| &declaration.entities);
                (entities.collect(), attributes.filter_map(Attribute::dimension).next())
            }
            Content::Attributed(attribute, entities) => (entities.iter().collect(), attribute.dimension()),
            Content::Groups(groups) => (groups.iter().flat_map(|group| &group.entities).collect(), None),
            Content::CrayPointers(pointers) => (pointers.iter().map(|pointer| &pointer.pointee).collect(), None),
            Content::Action(_) | Content::Associations(_) | Content::Selector(_) | Content::Other => return Vec::new(),
        };
        entities.into_iter().filter_map(|entity| Some((entity, entity.shape.as_ref().or(of_all)?))).collect()
    }

    fn content(&self) -> Content<'_> {
        use StatementKind as Kind;
        match self {
            Kind::If { action, .. } | Kind::Where { action, .. } | Kind::Forall { action, .. } => {
                Content::Action(action)
            }
            Kind::Associate(associations) | Kind::ChangeTeam { associations, .. } => {
                Content::Associations(associations)
            }
            Kind::SelectType(selector) | Kind::SelectRank(selector) => Content::Selector(selector),
            Kind::TypeDeclaration(declaration) => Content::Declarations(std::slice::from_ref(declaration)),
            Kind::Records(declarations) => Content::Declarations(declarations),
            Kind::AttributeStatement { attribute, entities, .. } => Content::Attributed(attribute, entities),
            Kind::Common(groups) => Content::Groups(groups),
            Kind::CrayPointer(pointers) => Content::CrayPointers(pointers),
            shapeless_declarative!()
            | Kind::End { .. }
            | Kind::Assignment { .. }
            | Kind::PointerAssignment { .. }
            | Kind::Call { .. }
            | Kind::Allocate { .. }
            | Kind::Deallocate { .. }
            | Kind::Nullify(_)
            | Kind::GoTo(_)
            | Kind::ComputedGoTo(..)
            | Kind::AssignedGoTo(..)
            | Kind::Assign(..)
            | Kind::ArithmeticIf(..)
            | Kind::Continue
            | Kind::Cycle(_)
            | Kind::Exit(_)
            | Kind::Return(_)
            | Kind::Stop { .. }
            | Kind::Pause(_)
            | Kind::InputOutput(_)
            | Kind::ImageControl { .. }
            | Kind::IfThen(_)
            | Kind::ElseIf(..)
            | Kind::Else(_)
            | Kind::Do { .. }
            | Kind::SelectCase(_)
            | Kind::Case { .. }
            | Kind::TypeGuard(..)
            | Kind::RankCase(..)
            | Kind::WhereConstruct(_)
            | Kind::ElseWhere(..)
            | Kind::ForallConstruct(_)
            | Kind::Block
            | Kind::Critical(_)
            | Kind::MacroStatement(_)
            | Kind::Unparsed(_) => Content::Other,
        }
    }
}

/// A selector with an optional associate name: `[name =>] selector`.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector {
    /// The associate name.
    pub name: Option<Identifier>,
    /// The selector.
    pub selector: Expression,
}

/// A procedure's interface in `procedure(…)`.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeSpecOrName {
    /// An interface name.
    Name(Identifier),
    /// A type.
    Type(TypeSpec),
}

/// A SUBROUTINE or FUNCTION statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Subprogram {
    /// Prefixes in order, the type excepted.
    pub prefixes: Vec<Prefix>,
    /// The type in front of FUNCTION.
    pub result_type: Option<TypeSpec>,
    /// The name.
    pub name: Identifier,
    /// `*8` behind a function's name (an extension).
    pub length: Option<Length>,
    /// Dummy arguments.
    pub dummies: Vec<DummyArgument>,
    /// RESULT and BIND.
    pub suffix: Suffix,
}

impl Subprogram {
    /// Whether it is declared to be pure (R1527, clause 15.7): PURE, SIMPLE, or ELEMENTAL and not IMPURE.
    pub fn is_pure(&self) -> bool {
        let has = |prefix: Prefix| self.prefixes.contains(&prefix);
        has(Prefix::Pure) || has(Prefix::Simple) || (has(Prefix::Elemental) && !has(Prefix::Impure))
    }
}

/// R1532 suffix.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suffix {
    /// `result(name)`.
    pub result: Option<Identifier>,
    /// `bind(c, …)`.
    pub bind: Option<ArgumentList>,
}

/// What an END statement ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after what it ends")]
pub enum EndOf {
    Program,
    Module,
    Submodule,
    BlockData,
    Template,
    Requirement,
    Subroutine,
    Function,
    Procedure,
    Interface,
    Type,
    Enum,
    EnumerationType,
    Structure,
    Union,
    Map,
    If,
    Do,
    Select,
    Where,
    Forall,
    Associate,
    Block,
    Critical,
    Team,
}

/// R863 implicit-stmt.
#[derive(Clone, PartialEq, Debug)]
pub enum ImplicitRule {
    /// `none`, with the list `(type, external)` if any.
    None(Vec<Identifier>),
    /// Types with their letter ranges (lower-case letters; `$` and `_` as extensions).
    Types(Vec<(TypeSpec, Vec<(u8, u8)>)>),
}

/// R801 type-declaration-stmt.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDeclaration {
    /// The type.
    pub type_spec: TypeSpec,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The entities.
    pub entities: Vec<Entity>,
}

/// R1123 loop-control.
#[derive(Clone, PartialEq, Debug)]
pub enum DoControl {
    /// No control: `do`.
    Forever,
    /// `variable = lower, upper [, step]`.
    Counted {
        /// The variable.
        variable: Reference,
        /// First value.
        lower: Box<Expression>,
        /// Last value.
        upper: Box<Expression>,
        /// Step; 1 when absent.
        step: Option<Box<Expression>>,
    },
    /// `while (condition)`.
    While(Expression),
    /// `concurrent header locality`.
    Concurrent(Box<ConcurrentHeader>),
}

/// R1125 concurrent-header (of FORALL too), with R1129 locality.
#[derive(Clone, PartialEq, Debug)]
pub struct ConcurrentHeader {
    /// `integer ::` in front.
    pub type_spec: Option<TypeSpec>,
    /// R1126 concurrent-control.
    pub controls: Vec<ConcurrentControl>,
    /// The mask.
    pub mask: Option<Expression>,
    /// R1130 locality-spec: keyword and list.
    pub locality: Vec<Locality>,
}

/// R1130 locality-spec: `local(a)`, `default(none)`, `reduce(+: a)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Locality {
    /// The keyword: `local`, `local_init`, `shared`, `default`, `reduce`.
    pub keyword: Identifier,
    /// The operation of REDUCE, as text.
    pub operation: Option<Name>,
    /// The names.
    pub names: Vec<Identifier>,
}

/// R1126 concurrent-control `variable = lower : upper [: step]`.
#[derive(Clone, PartialEq, Debug)]
pub struct ConcurrentControl {
    /// The index name.
    pub variable: Identifier,
    /// First value.
    pub lower: Expression,
    /// Last value.
    pub upper: Expression,
    /// Step.
    pub step: Option<Expression>,
}

/// R1146 case-value-range.
#[derive(Clone, PartialEq, Debug)]
pub enum CaseRange {
    /// One value.
    Value(Expression),
    /// `lower : upper`, one of them perhaps absent.
    Range(Option<Expression>, Option<Expression>),
}

/// R1154 type-guard-stmt.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeGuard {
    /// `type is (…)`.
    TypeIs(TypeSpec),
    /// `class is (…)`.
    ClassIs(TypeSpec),
    /// `class default`.
    Default,
}

/// R1150 select-rank-case-stmt.
#[derive(Clone, PartialEq, Debug)]
pub enum RankCase {
    /// `rank (n)`.
    Rank(Expression),
    /// `rank (*)`.
    Star,
    /// `rank default`.
    Default,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_small() {
        // A large file has a hundred thousand statements and a million expressions: what they take decides what fits
        // into the cache.
        assert!(size_of::<Expression>() <= 56, "{}", size_of::<Expression>());
        assert!(size_of::<Statement>() <= 136, "{}", size_of::<Statement>());
    }
}
