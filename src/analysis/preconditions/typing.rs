//! Type and rank of an expression.

use super::formula::{Formula, Kind, Operator, Subscript, Type};

/// The type and the rank of an expression of this form.
pub fn type_and_rank(kind: &Kind) -> (Type, u8) {
    match kind {
        Kind::Integer(_) | Kind::Bound(_) => (Type::Integer(4), 0),
        Kind::Real(real) => (Type::Real(real.kind), 0),
        Kind::Logical(_) | Kind::ForAll(..) => (Type::Logical, 0),
        // Of masks they are masks.
        Kind::All(parts) | Kind::Any(parts) => (Type::Logical, parts.iter().map(Formula::rank).max().unwrap_or(0)),
        Kind::Text(text) => (Type::Character(u32::try_from(text.len()).ok()), 0),
        Kind::Value(variable) => (variable.type_, variable.rank),
        Kind::Input(input) => (input.variable.type_(), input.variable.rank()),
        Kind::Unknown(unknown) => (unknown.type_, unknown.rank),
        Kind::Component(object, member) => (member.type_, object.rank().saturating_add(member.rank)),
        Kind::Element(array, subscripts) => (array.type_(), rank_of_element(array, subscripts)),
        Kind::Substring(text, ..) => (Type::Character(None), text.rank()),
        Kind::Array(parts) => (parts.first().map_or(Type::Other, Formula::type_), 1),
        Kind::Arithmetic(operator, left, right) => {
            let rank = left.rank().max(right.rank());
            let type_ = match operator {
                Operator::Concatenate => Type::Character(None),
                Operator::Power => left.type_(),
                Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide => {
                    stronger(left.type_(), right.type_())
                }
            };
            (if *operator == Operator::Power { stronger(type_, right.type_()) } else { type_ }, rank)
        }
        Kind::Negative(operand) => (operand.type_(), operand.rank()),
        Kind::Not(operand) => (Type::Logical, operand.rank()),
        Kind::Compare(_, left, right) | Kind::Equivalent(left, right) => (Type::Logical, left.rank().max(right.rank())),
        Kind::Call(name, arguments) => of_call(name, arguments),
    }
}

fn rank_of_element(array: &Formula, subscripts: &[Subscript]) -> u8 {
    let own: u8 = subscripts
        .iter()
        .map(|subscript| match subscript {
            Subscript::Index(index) => index.rank(),
            Subscript::Section(..) => 1,
        })
        .sum();
    // Of `a%b(i)` the object may be an array, too.
    let of_objects = match array.kind() {
        Kind::Component(object, _) => object.rank(),
        _ => 0,
    };
    own.saturating_add(of_objects)
}

/// The type of an operation on two numbers (clause 10.1.9.3).
fn stronger(left: Type, right: Type) -> Type {
    match (left, right) {
        (Type::Integer(one), Type::Integer(other)) => Type::Integer(one.max(other)),
        (Type::Real(one), Type::Real(other)) => Type::Real(one.max(other)),
        (real @ Type::Real(_), Type::Integer(_)) | (Type::Integer(_), real @ Type::Real(_)) => real,
        (left, right) if left == right => left,
        _ => Type::Other,
    }
}

fn of_call(name: &str, arguments: &[Formula]) -> (Type, u8) {
    let first = arguments.first().map_or(Type::Other, Formula::type_);
    let most = arguments.iter().map(Formula::rank).max().unwrap_or(0);
    let rank_of_reduction =
        || if arguments.len() > 1 && arguments[1].rank() == 0 && most > 0 { most.saturating_sub(1) } else { 0 };
    match name {
        "present" | "allocated" | "associated" => (Type::Logical, 0),
        "all" | "any" => (Type::Logical, rank_of_reduction()),
        "size" | "len" | "len_trim" | "command_argument_count" => {
            (Type::Integer(4), if name == "len_trim" { most } else { 0 })
        }
        "index" | "scan" | "verify" | "ichar" | "iachar" | "int" | "nint" | "floor" | "ceiling" => {
            (Type::Integer(4), most)
        }
        "count" => (Type::Integer(4), rank_of_reduction()),
        "lbound" | "ubound" => (Type::Integer(4), u8::from(arguments.len() < 2)),
        "minloc" | "maxloc" if arguments.len() > 1 => (Type::Integer(4), rank_of_reduction()),
        "shape" | "minloc" | "maxloc" => (Type::Integer(4), 1),
        "sum" | "product" | "minval" | "maxval" => (first, rank_of_reduction()),
        "real" => (Type::Real(4), most),
        "dble" => (Type::Real(8), most),
        "trim" | "adjustl" | "adjustr" | "repeat" | "char" | "achar" => (Type::Character(None), most),
        "is_nan" | "isnan" | "ieee_is_nan" | "ieee_is_finite" | "lge" | "lgt" | "lle" | "llt" | "logical" => {
            (Type::Logical, most)
        }
        "merge" => (first, most),
        _ => (first, most),
    }
}
