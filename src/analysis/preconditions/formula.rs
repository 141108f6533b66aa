//! Fortran expressions over the values that variables have at one point of a program.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::relation::Comparison;

/// An expression; cheap to copy. It is made by the functions of [`super::build`], which simplify.
#[derive(Clone)]
pub struct Formula(Arc<Node>);

/// A node with what is asked of it again and again.
struct Node {
    kind: Kind,
    hash: u64,
    size: u32,
    /// One bit for each root that occurs, by its hash.
    roots: u64,
    /// One bit for each expression that a condition in it compares, or that is a condition by itself, by its hash.
    subjects: u64,
    /// What occurs in it.
    holds: Holds,
    type_: Type,
    rank: u8,
}

/// What occurs in an expression.
#[derive(Clone, Copy, Default)]
struct Holds {
    /// A value of which nothing is known.
    unknown: bool,
    /// The code of a character.
    code: bool,
    /// A variable that other units can see.
    shared: bool,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(Real),
    /// A truth value.
    Logical(bool),
    /// A text, without trailing blanks.
    Text(Arc<str>),
    /// The value of a variable.
    Value(Arc<Variable>),
    /// What an input statement gave to a variable.
    Input(Arc<Input>),
    /// A value of which nothing is known.
    Unknown(Arc<Unknown>),
    /// The variable of the quantifier with this number around it.
    Bound(u32),
    /// A component of an object.
    Component(Formula, Arc<Member>),
    /// An element or section of an array.
    Element(Formula, Vec<Subscript>),
    /// A substring; without a bound it begins or ends with the text.
    Substring(Formula, Option<Formula>, Option<Formula>),
    /// An array constructor.
    Array(Vec<Formula>),
    /// An arithmetic operation, or a concatenation.
    Arithmetic(Operator, Formula, Formula),
    /// `-x`
    Negative(Formula),
    /// A reference to an intrinsic function, its arguments in the order of the standard.
    Call(Arc<str>, Vec<Formula>),
    /// A comparison.
    Compare(Comparison, Formula, Formula),
    /// Not a logical value that is nothing else here.
    Not(Formula),
    /// All of these hold; at least two.
    All(Vec<Formula>),
    /// At least one of these holds; at least two.
    Any(Vec<Formula>),
    /// Both have the same truth value.
    Equivalent(Formula, Formula),
    /// Something holds for all values of a counter.
    ForAll(Arc<Counter>, Formula),
}

/// What a quantifier runs over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Counter {
    /// The number by which the body names it: larger than those of the quantifiers in the body.
    pub number: u32,
    /// The name of the variable that counts.
    pub name: Arc<str>,
    /// The first value.
    pub first: Formula,
    /// The last value.
    pub last: Formula,
    /// What is added each time.
    pub step: Formula,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What it is known by.
    pub root: Root,
    /// Its name, lower case.
    pub name: Arc<str>,
    /// Its type.
    pub type_: Type,
    /// Its rank.
    pub rank: u8,
    /// Whether it is an optional dummy argument.
    pub is_optional: bool,
}

/// What a variable is known by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// The dummy argument at this position, from 0.
    Dummy(u32),
    /// A variable of a module or COMMON block, by a name for the whole program.
    Global(Arc<str>),
    /// A variable of the unit that hosts an internal procedure: the unit, and the name.
    Host(Arc<str>, Arc<str>),
    /// A variable of the unit itself, by its symbol.
    Local(u32),
}

/// A component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    /// Its name, lower case.
    pub name: Arc<str>,
    /// Its type.
    pub type_: Type,
    /// Its own rank.
    pub rank: u8,
}

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<std::path::Path>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// What a namelist gave to a variable: a symbol of its own in each execution of the statement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Input {
    /// The statement.
    pub place: Place,
    /// The variable.
    pub variable: Formula,
    /// The namelist group.
    pub group: Arc<str>,
    /// What the variable was before, as the data may leave it as it is.
    pub before: Formula,
}

/// A value of which nothing is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown {
    /// Different for values that may differ.
    pub number: u32,
    /// What a person calls it.
    pub shown: Arc<str>,
    /// What made it so.
    pub place: Place,
    /// Its type.
    pub type_: Type,
    /// Its rank.
    pub rank: u8,
}

/// Types, as far as expressions depend on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// INTEGER of a kind.
    Integer(u8),
    /// REAL of a kind.
    Real(u8),
    /// LOGICAL.
    Logical,
    /// CHARACTER, of a length if that is constant.
    Character(Option<u32>),
    /// Any other, or not known.
    Other,
}

/// A real number of a kind, by its bits as a number of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Real {
    bits: u64,
    /// The kind: 4 or 8.
    pub kind: u8,
}

impl Real {
    /// The number, rounded to the kind.
    pub fn new(value: f64, kind: u8) -> Self {
        let value = if kind == 4 { f64::from(value as f32) } else { value };
        // There is one zero here.
        Real { bits: (value + 0.0).to_bits(), kind }
    }

    /// The number.
    pub fn value(self) -> f64 {
        f64::from_bits(self.bits)
    }
}

/// A subscript.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subscript {
    /// An index, or a vector of them.
    Index(Formula),
    /// A triplet; what is left out is `None`.
    Section(Option<Formula>, Option<Formula>, Option<Formula>),
}

/// The operators of arithmetic and texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is named after its operator")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Concatenate,
}

impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root
    }
}

impl Eq for Variable {}

impl PartialOrd for Variable {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Variable {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.root.cmp(&other.root)
    }
}

impl Hash for Variable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.root.hash(state);
    }
}

impl Formula {
    /// A formula of this form, as it is.
    pub fn new(kind: Kind) -> Self {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        let hash = hasher.finish();
        let (mut size, mut roots, mut subjects) = (1_u32, 0, 0);
        let mut holds = Holds::default();
        kind.each_part(&mut |part| {
            size = size.saturating_add(part.0.size);
            roots |= part.0.roots;
            subjects |= part.0.subjects;
            holds.unknown |= part.0.holds.unknown;
            holds.code |= part.0.holds.code;
            holds.shared |= part.0.holds.shared;
        });
        match &kind {
            Kind::Value(variable) => {
                roots |= root_bit(&variable.root);
                holds.shared = matches!(variable.root, Root::Global(_) | Root::Host(..));
            }
            Kind::Input(input) => {
                roots |= input.before.0.roots;
                holds.shared = input.before.0.holds.shared;
            }
            Kind::Unknown(_) => holds.unknown = true,
            Kind::Call(name, _) => holds.code |= matches!(&**name, "ichar" | "iachar"),
            _ => {}
        }
        match &kind {
            Kind::All(_) | Kind::Any(_) | Kind::Not(_) => {}
            Kind::Logical(_) => subjects = 0,
            Kind::Compare(_, left, _) => subjects = bit(left.0.hash),
            _ => subjects = bit(hash),
        }
        let (type_, rank) = super::typing::type_and_rank(&kind);
        Formula(Arc::new(Node { hash, size, roots, subjects, holds, type_, rank, kind }))
    }

    /// Its form.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// How many nodes it has, shared ones as often as they occur.
    pub fn size(&self) -> u32 {
        self.0.size
    }

    /// Its type.
    pub fn type_(&self) -> Type {
        self.0.type_
    }

    /// Its rank.
    pub fn rank(&self) -> u8 {
        self.0.rank
    }

    /// Whether a variable may occur in it; if not, it does not.
    pub fn may_mention(&self, root: &Root) -> bool {
        self.0.roots & root_bit(root) != 0
    }

    /// Whether any of the roots may occur in it, one bit for each; if not, none does.
    pub fn may_mention_any(&self, roots: u64) -> bool {
        self.0.roots & roots != 0
    }

    /// Whether a condition may decide another one; if not, they have nothing in common.
    pub fn may_concern(&self, other: &Formula) -> bool {
        self.0.subjects & other.0.subjects != 0
    }

    /// Whether no part speaks of what another part speaks of.
    pub fn are_unrelated(parts: &[Formula]) -> bool {
        let mut met = 0;
        parts.iter().all(|part| {
            let is_new = met & part.0.subjects == 0;
            met |= part.0.subjects;
            is_new
        })
    }

    /// Whether a value in it is not known.
    pub fn has_unknown(&self) -> bool {
        self.0.holds.unknown
    }

    /// Whether it asks for the code of a character.
    pub fn has_code(&self) -> bool {
        self.0.holds.code
    }

    /// Whether a variable occurs in it that other units can see.
    pub fn has_shared(&self) -> bool {
        self.0.holds.shared
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, root: &Root) -> bool {
        self.may_mention(root)
            && self.any_node(&mut |node| matches!(node.kind(), Kind::Value(variable) if variable.root == *root))
    }

    /// Whether something holds of a node of it.
    pub fn any_node(&self, test: &mut dyn FnMut(&Formula) -> bool) -> bool {
        if test(self) {
            return true;
        }
        let mut found = false;
        self.kind().each_part(&mut |part| found = found || part.any_node(test));
        found
    }

    /// The first value in it of which nothing is known.
    pub fn unknown(&self) -> Option<Arc<Unknown>> {
        if !self.0.holds.unknown {
            return None;
        }
        let mut found = None;
        self.any_node(&mut |node| {
            if let Kind::Unknown(unknown) = node.kind() {
                found = Some(unknown.clone());
            }
            found.is_some()
        });
        found
    }

    /// Whether it is this truth value.
    pub fn is_logical(&self, value: bool) -> bool {
        matches!(self.kind(), Kind::Logical(known) if *known == value)
    }

    /// The integer that it is.
    pub fn as_integer(&self) -> Option<i64> {
        if let Kind::Integer(value) = self.kind() { Some(*value) } else { None }
    }

    /// Whether both are one node.
    pub fn is_same(&self, other: &Formula) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The parts that must all hold; itself if it is no conjunction.
    pub fn conjuncts(&self) -> &[Formula] {
        if let Kind::All(parts) = self.kind() { parts } else { std::slice::from_ref(self) }
    }

    /// The parts of which one must hold; itself if it is no disjunction.
    pub fn disjuncts(&self) -> &[Formula] {
        if let Kind::Any(parts) = self.kind() { parts } else { std::slice::from_ref(self) }
    }
}

/// The bit of a root.
pub fn root_bit(root: &Root) -> u64 {
    let mut hasher = FxHasher::default();
    root.hash(&mut hasher);
    bit(hasher.finish())
}

/// One of 64 bits for a hash.
fn bit(hash: u64) -> u64 {
    1 << (hash >> 58)
}

impl Kind {
    /// Visits the formulas that it is made of directly.
    pub fn each_part(&self, visit: &mut dyn FnMut(&Formula)) {
        match self {
            Kind::Integer(_)
            | Kind::Real(_)
            | Kind::Logical(_)
            | Kind::Text(_)
            | Kind::Value(_)
            | Kind::Input(_)
            | Kind::Unknown(_)
            | Kind::Bound(_) => {}
            Kind::Component(object, _) => visit(object),
            Kind::Element(array, subscripts) => {
                visit(array);
                subscripts.iter().for_each(|subscript| subscript.each_part(visit));
            }
            Kind::Substring(text, first, last) => {
                visit(text);
                first.iter().chain(last).for_each(visit);
            }
            Kind::Array(parts) | Kind::Call(_, parts) | Kind::All(parts) | Kind::Any(parts) => {
                parts.iter().for_each(visit);
            }
            Kind::Arithmetic(_, left, right) | Kind::Compare(_, left, right) | Kind::Equivalent(left, right) => {
                visit(left);
                visit(right);
            }
            Kind::Negative(operand) | Kind::Not(operand) => visit(operand),
            Kind::ForAll(counter, body) => {
                visit(&counter.first);
                visit(&counter.last);
                visit(&counter.step);
                visit(body);
            }
        }
    }
}

impl Subscript {
    /// Visits the formulas that it is made of.
    pub fn each_part(&self, visit: &mut dyn FnMut(&Formula)) {
        match self {
            Subscript::Index(index) => visit(index),
            Subscript::Section(first, last, step) => first.iter().chain(last).chain(step).for_each(visit),
        }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || (self.0.hash == other.0.hash && self.0.kind == other.0.kind)
    }
}

impl Eq for Formula {}

impl PartialOrd for Formula {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Formula {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if self.is_same(other) { std::cmp::Ordering::Equal } else { self.0.kind.cmp(&other.0.kind) }
    }
}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&super::text::text(self))
    }
}
