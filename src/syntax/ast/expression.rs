//! Expressions, data references and their parts (clauses 7, 9 and 10 of the standard).
//!
//! `f(i)` may be an array element, a function reference, a substring or a structure constructor: it is parsed one way,
//! as a [`Reference`], and resolved after names are known.
//!
//! Operators of one precedence level form one flat [`ExpressionKind::Binary`], so the depth of a tree is the depth of
//! its brackets, not the length of its sums; the parser bounds the former.
//!
//! Most of a tree are references, so these are small: a plain name needs no memory of its own, and lists that are
//! mostly empty take one word.

use smallvec::{SmallVec, smallvec};
use thin_vec::ThinVec;

use super::declaration::TypeSpec;
use super::names::{Identifier, Name, NameTable};
use crate::source::Span;

/// R1022 expr.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExpressionKind {
    /// R605 literal-constant other than complex.
    Literal(Literal),
    /// R718 complex-literal-constant, its parts any expressions (an extension allows that).
    Complex(Box<(Expression, Expression)>),
    /// A designator (R901), function reference (R1520), substring (R908) or structure constructor (R756).
    Reference(Reference),
    /// R908 substring of a constant: `'abc'(i:i)`.
    Substring(Box<Expression>, ArgumentList),
    /// R1001 `( expr )`.
    Parenthesised(Box<Expression>),
    /// A unary operation.
    Unary(UnaryOperator, Box<Expression>),
    /// Operations of one precedence level.
    Binary(Box<Operations>),
    /// R769 array-constructor, `[…]` or `(/…/)`.
    ArrayConstructor {
        /// The type in front of `::`.
        type_spec: Option<Box<TypeSpec>>,
        /// Values; an implied do is an [`ExpressionKind::ImpliedDo`].
        values: Vec<Expression>,
    },
    /// R774 ac-implied-do, R1218 io-implied-do, R840 data-implied-do.
    ImpliedDo(Box<ImpliedDo>),
    /// F2023 R1002 conditional-expr: the tests with their values, then the last value.
    Conditional(Vec<(Expression, Expression)>, Box<Expression>),
    /// DEC `%val(x)`, `%ref(x)`, `%loc(x)`, `%descr(x)`.
    PercentFunction(Identifier, Box<Expression>),
    /// F2023 `.nil.`: a conditional argument that is absent.
    Nil,
    /// `*` where a list has it: a format or unit `*`, an assumed length.
    Star,
    /// `count * value` in a DATA value list (R843 data-stmt-value).
    Repeat(Box<Expression>, Box<Expression>),
}

/// Operations of one precedence level, left to right as written. The operators are all of one level: `**`; `*` and `/`;
/// `+` and `-`; `//`; the relations; `.and.`; `.or.`; the equivalences; defined. They associate to the left, `**` to
/// the right. A sign before the first operand is a [`ExpressionKind::Unary`] around that operand.
#[derive(Clone, PartialEq, Debug)]
pub struct Operations {
    /// The first operand.
    pub first: Expression,
    /// Each operator with the operand behind it, at least one.
    pub rest: SmallVec<[(BinaryOperator, Expression); 1]>,
}

impl Operations {
    /// All operands.
    pub fn operands(&self) -> impl Iterator<Item = &Expression> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, operand)| operand))
    }
}

/// A literal constant; its exact text is interned.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    /// Which kind of literal.
    pub kind: LiteralKind,
    /// The cooked text, delimiters and kind included (bytes that are not UTF-8 read as Latin-1).
    pub text: Name,
}

/// The kinds of literal constants.
#[derive(Clone, PartialEq, Debug)]
pub enum LiteralKind {
    /// R708 int-literal-constant; `None` when it does not fit in 64 bits.
    Integer(Option<i64>),
    /// R714 real-literal-constant, exponent letters d, e, q.
    Real,
    /// R725 logical-literal-constant.
    Logical(bool),
    /// R724 char-literal-constant.
    Character,
    /// R764 boz-literal-constant in any spelling.
    Boz,
    /// Fortran 66 Hollerith constant.
    Hollerith,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `.not.`
    Not,
    /// R1003 defined-unary-op, dots excluded.
    Defined(Name),
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its operator")]
pub enum BinaryOperator {
    Power,
    Multiply,
    Divide,
    Add,
    Subtract,
    Concatenate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Equivalent,
    NotEquivalent,
    /// R1023 defined-binary-op, dots excluded (`.xor.` too).
    Defined(Name),
}

impl BinaryOperator {
    /// Whether it is a numeric operator (R1009): its operands are numbers, and so is what it gives.
    pub fn is_numeric(&self) -> bool {
        matches!(
            self,
            BinaryOperator::Power
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Add
                | BinaryOperator::Subtract
        )
    }

    /// Whether it is a relational operator (R1014).
    pub fn is_relational(&self) -> bool {
        matches!(
            self,
            BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterEqual
        )
    }
}

/// R901 designator, R911 data-ref, or a call: parts joined by `%` (or DEC `.`).
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The parts, at least one.
    pub parts: SmallVec<[Part; 1]>,
}

impl Reference {
    /// The reference to a name with nothing behind it.
    pub fn of_name(name: Identifier) -> Reference {
        Reference { parts: smallvec![Part { name, lists: ThinVec::new(), image: None }] }
    }

    /// The name, if the reference is one with nothing behind it.
    pub fn as_name(&self) -> Option<Identifier> {
        match self.parts.as_slice() {
            [Part { name, lists, image: None }] if lists.is_empty() => Some(*name),
            _ => None,
        }
    }

    /// The arguments of a procedure that it calls.
    pub fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parts.last().into_iter().flat_map(|part| &part.lists).flat_map(|list| &list.items)
    }
}

/// R912 part-ref, with everything that may follow a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The name.
    pub name: Identifier,
    /// Bracketed lists directly behind the name: subscripts or arguments, then perhaps a substring range.
    pub lists: ThinVec<ArgumentList>,
    /// R924 image-selector: the list in square brackets.
    pub image: Option<Box<ArgumentList>>,
}

impl Part {
    /// Its bracketed lists and its image selector, in the order of the text.
    pub fn all_lists(&self) -> impl Iterator<Item = &ArgumentList> {
        self.lists.iter().chain(self.image.as_deref())
    }
}

/// A list in brackets: subscripts, arguments, a substring range.
#[derive(Clone, PartialEq, Debug)]
pub struct ArgumentList {
    /// The items.
    pub items: ThinVec<Argument>,
    /// From the opening to the closing bracket.
    pub span: Span,
}

impl ArgumentList {
    /// Whether it may be a substring range (R910): one section without a stride.
    pub fn is_range(&self) -> bool {
        matches!(self.items.as_slice(), [Argument { value: ArgumentValue::Section(section), .. }] if section.stride.is_none())
    }
}

/// R1523 actual-arg-spec or R919 section-subscript.
#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// `keyword =`.
    pub keyword: Option<Identifier>,
    /// What is passed.
    pub value: ArgumentValue,
    /// Where it stands, keyword included.
    pub span: Span,
}

impl Argument {
    /// The expression that it is.
    pub fn expression(&self) -> Option<&Expression> {
        match &self.value {
            ArgumentValue::Expression(expression) => Some(expression),
            ArgumentValue::Section(_)
            | ArgumentValue::AlternateReturn(_)
            | ArgumentValue::Omitted
            | ArgumentValue::Multiple(_) => None,
        }
    }

    /// Which of these dummy arguments (lower-case names) an argument at a position is for: that of its keyword, else
    /// that at its position.
    pub fn dummy<'n>(
        &self,
        position: usize,
        mut dummies: impl Iterator<Item = &'n str>,
        names: &NameTable,
    ) -> Option<usize> {
        match self.keyword {
            Some(keyword) => dummies.position(|dummy| dummy == names.text(keyword.name)),
            None => Some(position),
        }
    }
}

/// What may stand in a list of arguments or subscripts.
#[derive(Clone, PartialEq, Debug)]
pub enum ArgumentValue {
    /// An expression; a lone `*` is [`ExpressionKind::Star`].
    Expression(Expression),
    /// R921 subscript-triplet or R910 substring-range.
    Section(Section),
    /// R1525 alt-return-spec: the label.
    AlternateReturn(u32),
    /// Nothing between two commas (an extension).
    Omitted,
    /// F2023 R920 multiple-subscript `@vector` or R922 multiple-subscript-triplet `@lower:upper:stride`: the expression
    /// or section behind the sign, each element of which is a subscript or a bound.
    Multiple(Box<ArgumentValue>),
}

/// R921 subscript-triplet `[lower] : [upper] [: stride]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// First index.
    pub lower: Option<Box<Expression>>,
    /// Last index.
    pub upper: Option<Box<Expression>>,
    /// Step.
    pub stride: Option<Box<Expression>>,
}

/// An implied do: items, then the control.
#[derive(Clone, PartialEq, Debug)]
pub struct ImpliedDo {
    /// The items.
    pub items: Vec<Expression>,
    /// The variable with an optional type in front.
    pub variable: Identifier,
    /// `integer ::` in front of the variable.
    pub type_spec: Option<Box<TypeSpec>>,
    /// First value.
    pub lower: Expression,
    /// Last value.
    pub upper: Expression,
    /// Step.
    pub step: Option<Expression>,
}
