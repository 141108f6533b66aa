//! The requirements of a procedure as JSON Schema (draft 2020-12).
//!
//! What is given to the procedure is an object: its arguments, or an object for each namelist group that it reads. A
//! condition on one of them becomes a schema of its value. A condition that relates two of them, or that no keyword
//! says, counts as true, in the form in which nothing is negated but comparisons: so nothing right is refused. It
//! stands in the keyword `x-requires`.

use serde_json::{Map, Value, json};

use super::data_type::{BaseType, DataType};
use super::entry::ProcedureRequirements;
use crate::analysis::preconditions::text::text;
use crate::analysis::preconditions::{
    Comparison, Formula, Kind, Real, Relation, Requirement, Root, Subscript, Type, all, any, build, not,
};

/// A schema of a procedure; `approximate`: also of requirements that are not exact.
pub fn schema(procedure: &ProcedureRequirements, approximate: bool) -> Value {
    let groups = &procedure.groups;
    let names = Names { procedure };
    let mut properties = Map::new();
    let mut required: Vec<Value> = Vec::new();
    for argument in &procedure.arguments {
        properties.insert(argument.name.clone(), type_schema(&argument.type_));
        if !argument.is_optional {
            required.push(argument.name.clone().into());
        }
    }
    for (name, variables) in groups {
        let mut inside = Map::new();
        for (variable, type_) in variables {
            let mut of = type_schema(type_);
            if let (Some(default), Value::Object(of)) = (names.default(name, variable), &mut of) {
                of.insert("default".to_owned(), default);
            }
            inside.insert(variable.clone(), of);
        }
        properties.insert(name.clone(), json!({ "type": "object", "properties": inside }));
        required.push(name.clone().into());
    }
    let told = procedure.requirements.iter().filter(|one| approximate || one.condition.unknown().is_none());
    let conditions: Vec<Value> = told.map(|requirement| names.requirement(requirement)).collect();
    let mut made = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": procedure.name,
        "type": "object",
        "properties": properties,
        "required": required,
    });
    if let (false, Value::Object(made)) = (conditions.is_empty(), &mut made) {
        made.insert("allOf".to_owned(), conditions.into());
    }
    made
}

/// What JSON has for a type.
fn type_schema(of: &DataType) -> Value {
    let mut made = match &of.base {
        BaseType::Intrinsic(Type::Integer(_)) => json!({ "type": "integer" }),
        BaseType::Intrinsic(Type::Real(_)) => json!({ "type": "number" }),
        BaseType::Intrinsic(Type::Logical) => json!({ "type": "boolean" }),
        BaseType::Intrinsic(Type::Character(_)) => json!({ "type": "string" }),
        BaseType::Intrinsic(Type::Other) => json!({}),
        BaseType::Object(components) => {
            let properties: Map<String, Value> =
                components.iter().map(|(name, type_)| (name.clone(), type_schema(type_))).collect();
            json!({ "type": "object", "properties": properties })
        }
    };
    // Rows of the first dimension hold what the others run through.
    for extent in of.extents.iter().rev() {
        made = json!({ "type": "array", "items": made });
        if let (Some(extent), Value::Object(made)) = (extent, &mut made) {
            made.insert("maxItems".to_owned(), (*extent).into());
        }
    }
    made
}

/// What the variables of a procedure are called in the document.
struct Names<'p> {
    procedure: &'p ProcedureRequirements,
}

/// The way to a value in the document.
struct Path {
    /// The names of the objects, outermost first.
    steps: Vec<String>,
    /// What the value is if it is not given.
    default: Option<Formula>,
}

impl Names<'_> {
    /// A requirement as a schema.
    fn requirement(&self, requirement: &Requirement) -> Value {
        let condition = requirement.shown();
        let mut left = Vec::new();
        let mut schemas = Vec::new();
        for part in condition.conjuncts() {
            match self.schema(part, false) {
                Some(schema) => schemas.push(schema),
                None => left.push(part.clone()),
            }
        }
        let mut made = match schemas.len() {
            1 => schemas.remove(0),
            0 => json!({}),
            _ => json!({ "allOf": schemas }),
        };
        if let Value::Object(made) = &mut made {
            let message = requirement.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
            made.insert("description".to_owned(), format!("{}{message}", text(&condition)).into());
            if !left.is_empty() {
                made.insert("x-requires".to_owned(), text(&all(left)).into());
            }
        }
        made
    }

    /// A condition as a schema; `None` if no keyword says it. In an alternative a value that is not given decides
    /// nothing.
    fn schema(&self, condition: &Formula, is_alternative: bool) -> Option<Value> {
        match condition.kind() {
            Kind::Logical(true) => Some(json!({})),
            Kind::Logical(false) => Some(json!({ "not": {} })),
            Kind::All(parts) => {
                // What is left out counts as true.
                let said: Vec<Value> = parts.iter().filter_map(|part| self.schema(part, is_alternative)).collect();
                (!said.is_empty()).then(|| json!({ "allOf": said }))
            }
            Kind::Any(parts) => self.alternatives(parts),
            Kind::Equivalent(left, right) => {
                let both = all([left.clone(), right.clone()]);
                let neither = all([not(left), not(right)]);
                self.schema(&any([both, neither]), is_alternative)
            }
            Kind::Not(inner) => match inner.kind() {
                Kind::Call(name, arguments) if &**name == "present" => {
                    let path = self.path(arguments.first()?)?;
                    Some(json!({ "not": { "required": path.steps } }))
                }
                _ => self.value(inner, json!({ "const": false }), is_alternative, |value| value.is_logical(false)),
            },
            Kind::Call(name, arguments) => match (&**name, arguments.as_slice()) {
                ("present", [argument]) => Some(json!({ "required": self.path(argument)?.steps })),
                ("all", [mask]) => self.elements(mask),
                _ => None,
            },
            Kind::ForAll(counter, body) => {
                let section = crate::analysis::preconditions::as_section(counter, body)?;
                self.elements(&section)
            }
            Kind::Compare(of, left, right) => self.comparison(*of, left, right, is_alternative),
            Kind::Value(_) | Kind::Input(_) | Kind::Component(..) => {
                self.value(condition, json!({ "const": true }), is_alternative, |value| value.is_logical(true))
            }
            Kind::Integer(_)
            | Kind::Real(_)
            | Kind::Text(_)
            | Kind::Unknown(_)
            | Kind::Bound(_)
            | Kind::Element(..)
            | Kind::Substring(..)
            | Kind::Array(_)
            | Kind::Arithmetic(..)
            | Kind::Negative(_) => None,
        }
    }

    /// Alternatives: those that say which text a value is together.
    fn alternatives(&self, parts: &[Formula]) -> Option<Value> {
        let mut said: Vec<Value> = Vec::new();
        let mut met: Vec<Formula> = Vec::new();
        for part in parts {
            if let Some(value) = equal_constant(part) {
                if met.contains(value) {
                    continue;
                }
                let same: Vec<&Formula> = parts.iter().filter(|other| equal_constant(other) == Some(value)).collect();
                if same.len() > 1 {
                    met.push(value.clone());
                    let constants: Option<Vec<Value>> = same.iter().map(|part| right_constant(part)).collect();
                    let holds = |default: &Formula| same.iter().any(|part| holds_for(part, default));
                    said.push(self.value(value, json!({ "enum": constants? }), true, holds)?);
                    continue;
                }
            }
            said.push(self.schema(part, true)?);
        }
        Some(if said.len() == 1 { said.remove(0) } else { json!({ "anyOf": said }) })
    }

    fn comparison(&self, of: Comparison, left: &Formula, right: &Formula, is_alternative: bool) -> Option<Value> {
        let relation = of.without_nan();
        if let Kind::Call(name, arguments) = left.kind() {
            return self.comparison_of_call(relation, name, arguments, right, is_alternative);
        }
        let constant = constant(right, left.type_())?;
        let schema = match relation {
            Relation::Equal => json!({ "const": constant }),
            Relation::NotEqual => json!({ "not": { "const": constant } }),
            _ if matches!(right.kind(), Kind::Text(_)) => return None,
            Relation::Less => json!({ "exclusiveMaximum": constant }),
            Relation::LessEqual => json!({ "maximum": constant }),
            Relation::Greater => json!({ "exclusiveMinimum": constant }),
            Relation::GreaterEqual => json!({ "minimum": constant }),
        };
        let holds = |default: &Formula| build::comparison(of, default.clone(), right.clone()).is_logical(true);
        self.value(left, schema, is_alternative, holds)
    }

    /// Comparisons of a function of one value with a number.
    fn comparison_of_call(
        &self,
        relation: Relation,
        name: &str,
        arguments: &[Formula],
        right: &Formula,
        is_alternative: bool,
    ) -> Option<Value> {
        let [operand] = arguments else { return None };
        let compare = |relation, bound: Formula| build::compare(relation, operand.clone(), bound);
        let least = || build::negative(right.clone());
        let items = |relation| {
            let mask = Formula::new(Kind::Compare(Comparison::plain(relation), operand.clone(), right.clone()));
            self.elements(&mask)
        };
        match (name, relation) {
            ("abs", Relation::Less | Relation::LessEqual) => {
                let other = relation.reversed();
                self.schema(&all([compare(relation, right.clone()), compare(other, least())]), is_alternative)
            }
            ("abs", Relation::Greater | Relation::GreaterEqual) => {
                let other = relation.reversed();
                self.schema(&any([compare(relation, right.clone()), compare(other, least())]), is_alternative)
            }
            ("minval", Relation::Greater | Relation::GreaterEqual)
            | ("maxval", Relation::Less | Relation::LessEqual) => items(relation),
            ("size", _) => self.count(relation, operand, right, ["minItems", "maxItems"]),
            ("len_trim", _) => self.count(relation, operand, right, ["minLength", "maxLength"]),
            _ => None,
        }
    }

    /// A comparison of a count with a number.
    fn count(&self, relation: Relation, operand: &Formula, right: &Formula, keys: [&str; 2]) -> Option<Value> {
        let bound = right.as_integer()?;
        let [least, most] = keys;
        let schema = match relation {
            Relation::Equal => json!({ least: bound.max(0), most: bound.max(0) }),
            Relation::Less => json!({ most: (bound - 1).max(0) }),
            Relation::LessEqual => json!({ most: bound.max(0) }),
            Relation::Greater => json!({ least: (bound + 1).max(0) }),
            Relation::GreaterEqual => json!({ least: bound.max(0) }),
            Relation::NotEqual => return None,
        };
        self.value(operand, schema, false, |_| false)
    }

    /// A condition on each element of a whole array.
    fn elements(&self, mask: &Formula) -> Option<Value> {
        let Kind::Compare(of, left, right) = mask.kind() else { return None };
        let is_whole = |subscript: &Subscript| matches!(subscript, Subscript::Section(None, None, None));
        let array = match left.kind() {
            Kind::Element(array, subscripts) if subscripts.iter().all(is_whole) => array,
            _ => left,
        };
        let path = self.path(array)?;
        let element = constant(right, left.type_())?;
        let mut schema = match of.without_nan() {
            Relation::Equal => json!({ "const": element }),
            Relation::NotEqual => json!({ "not": { "const": element } }),
            Relation::Less => json!({ "exclusiveMaximum": element }),
            Relation::LessEqual => json!({ "maximum": element }),
            Relation::Greater => json!({ "exclusiveMinimum": element }),
            Relation::GreaterEqual => json!({ "minimum": element }),
        };
        for _ in 0..array.rank() {
            schema = json!({ "items": schema });
        }
        Some(at(&path.steps, schema, false))
    }

    /// A schema of a value, in its place in the document.
    fn value(
        &self,
        value: &Formula,
        schema: Value,
        is_alternative: bool,
        holds: impl Fn(&Formula) -> bool,
    ) -> Option<Value> {
        let path = self.path(value)?;
        let breaks = path.default.as_ref().is_some_and(|default| !holds(default));
        Some(at(&path.steps, schema, is_alternative && breaks))
    }

    /// Where a variable stands in the document, if it does.
    fn path(&self, value: &Formula) -> Option<Path> {
        match value.kind() {
            Kind::Value(variable) => {
                let Root::Dummy(_) = variable.root else { return None };
                let is_argument = self.procedure.arguments.iter().any(|argument| *argument.name == *variable.name);
                is_argument.then(|| Path { steps: vec![variable.name.to_string()], default: None })
            }
            Kind::Input(input) => {
                let Kind::Value(variable) = input.variable.kind() else { return None };
                let (name, variables) = self.procedure.groups.iter().find(|(name, _)| **name == *input.group)?;
                variables.iter().find(|(name, _)| **name == *variable.name)?;
                let steps = vec![name.clone(), variable.name.to_string()];
                Some(Path { steps, default: Some(input.before.clone()).filter(build::is_constant) })
            }
            Kind::Component(object, member) => {
                let mut path = self.path(object).filter(|_| object.rank() == 0)?;
                path.steps.push(member.name.to_string());
                Some(path)
            }
            _ => None,
        }
    }

    /// What a namelist variable is if it is not given.
    fn default(&self, group: &str, variable: &str) -> Option<Value> {
        let mut found = None;
        for requirement in &self.procedure.requirements {
            requirement.condition.any_node(&mut |node| {
                if let Kind::Input(input) = node.kind()
                    && *input.group == *group
                    && matches!(input.variable.kind(), Kind::Value(of) if &*of.name == variable)
                    && input.variable.rank() == 0
                {
                    found = constant(&input.before, input.variable.type_());
                }
                found.is_some()
            });
        }
        found
    }
}

/// A schema at the end of a way through objects; `is_required`: the last of them must be there.
fn at(steps: &[String], schema: Value, is_required: bool) -> Value {
    let mut made = schema;
    for (number, step) in steps.iter().enumerate().rev() {
        let mut object = json!({ "properties": { step: made } });
        if let (true, Value::Object(object)) = (is_required && number + 1 == steps.len(), &mut object) {
            object.insert("required".to_owned(), json!([step]));
        }
        made = object;
    }
    made
}

/// The value of which a condition says that it is a certain text or number.
fn equal_constant(condition: &Formula) -> Option<&Formula> {
    match condition.kind() {
        Kind::Compare(of, left, right) if of.without_nan() == Relation::Equal && build::is_constant(right) => {
            Some(left)
        }
        _ => None,
    }
}

fn right_constant(condition: &Formula) -> Option<Value> {
    let Kind::Compare(_, left, right) = condition.kind() else { return None };
    constant(right, left.type_())
}

/// Whether a comparison with a constant holds of a value.
fn holds_for(condition: &Formula, value: &Formula) -> bool {
    let Kind::Compare(of, _, right) = condition.kind() else { return false };
    build::comparison(*of, value.clone(), right.clone()).is_logical(true)
}

/// A constant that a value of a type is compared with. A number of single precision is the shortest decimal that is
/// read as it, so that what is written the same is equal.
fn constant(of: &Formula, type_: Type) -> Option<Value> {
    match of.kind() {
        Kind::Integer(value) => Some((*value).into()),
        Kind::Logical(value) => Some((*value).into()),
        Kind::Text(value) => Some(value.to_string().into()),
        Kind::Real(value) => Some(real(*value, type_).into()),
        _ => None,
    }
}

fn real(of: Real, type_: Type) -> f64 {
    if type_ == Type::Real(4) && of.kind == 4 {
        (of.value() as f32).to_string().parse().unwrap_or(of.value())
    } else {
        of.value()
    }
}
