//! Conditions, as the program prints them for programs, evaluated over values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;

/// What is known of a condition: a value that is not given decides nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    True,
    False,
    Unknown,
}

/// The variables of a procedure.
pub struct Environment {
    values: BTreeMap<String, Datum>,
    /// The names of reals.
    reals: Vec<String>,
}

/// A value. Arrays are in the order of Fortran, with their extents.
#[derive(Clone, PartialEq, Debug)]
enum Datum {
    Number(f64),
    Logical(bool),
    Text(String),
    Array(Vec<usize>, Vec<Datum>),
}

impl Environment {
    /// The values that a valuation of an entry gives, the defaults of namelists among them.
    pub fn new(entry: &Value, valuation: &Value) -> Self {
        let mut values = BTreeMap::new();
        let single: Vec<&str> = entry["arguments"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|argument| argument["type"] == "real")
            .filter_map(|argument| argument["name"].as_str())
            .collect();
        // Of variables of modules and namelists cases.json does not say the type.
        let reals = single.iter().chain(&["dt", "dx", "u", "nu"]).map(|name| (*name).to_owned()).collect();
        for group in entry["namelists"].as_array().into_iter().flatten() {
            for variable in group["variables"].as_array().unwrap() {
                let default = datum(&variable["default"], true);
                let value = match variable["size"].as_u64() {
                    Some(size) => Datum::Array(vec![size as usize], vec![default; size as usize]),
                    None => default,
                };
                values.insert(variable["name"].as_str().unwrap().to_owned(), value);
            }
        }
        let given = |part: &str| valuation[part].as_object().cloned().unwrap_or_default();
        for (name, value) in given("args").into_iter().chain(given("host")) {
            let is_single = single.contains(&name.as_str());
            add(&mut values, &name, &value, is_single);
        }
        for (name, value) in
            given("namelists").values().flat_map(|group| group.as_object().cloned().unwrap_or_default())
        {
            let value = datum(&value, true);
            let value = match (values.get(&name), value) {
                // Fewer values than elements: the rest keep what they have.
                (Some(Datum::Array(extents, old)), Datum::Array(_, mut new)) => {
                    new.extend(old.iter().skip(new.len()).cloned());
                    Datum::Array(extents.clone(), new)
                }
                (_, value) => value,
            };
            values.insert(name, value);
        }
        Environment { values, reals }
    }
}

fn add(values: &mut BTreeMap<String, Datum>, name: &str, value: &Value, is_single: bool) {
    if let Value::Object(components) = value {
        for (component, value) in components {
            add(values, &format!("{name}%{component}"), value, true);
        }
    } else {
        values.insert(name.to_owned(), datum(value, is_single));
    }
}

fn datum(value: &Value, is_single: bool) -> Datum {
    match value {
        Value::Bool(value) => Datum::Logical(*value),
        Value::String(text) => Datum::Text(text.clone()),
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            Datum::Number(if is_single && number.fract() != 0.0 { f64::from(number as f32) } else { number })
        }
        Value::Array(rows) => {
            let rows: Vec<Datum> = rows.iter().map(|row| datum(row, is_single)).collect();
            match rows.first() {
                Some(Datum::Array(inner, _)) => {
                    let columns = inner[0];
                    let element = |row: &Datum, column: usize| match row {
                        Datum::Array(_, elements) => elements[column].clone(),
                        _ => panic!("rows of an array are arrays"),
                    };
                    let elements =
                        (0..columns).flat_map(|column| rows.iter().map(move |row| element(row, column))).collect();
                    Datum::Array(vec![rows.len(), columns], elements)
                }
                _ => Datum::Array(vec![rows.len()], rows),
            }
        }
        Value::Object(_) | Value::Null => panic!("{value}"),
    }
}

/// Whether a condition holds.
pub fn holds(condition: &Value, environment: &Environment) -> Truth {
    match evaluate(condition, environment, &mut Vec::new()) {
        Some(Datum::Logical(true)) => Truth::True,
        Some(Datum::Logical(false)) => Truth::False,
        _ => Truth::Unknown,
    }
}

type Counters = Vec<(String, i64)>;

fn evaluate(node: &Value, environment: &Environment, counters: &mut Counters) -> Option<Datum> {
    let mut go = |part: &Value| evaluate(part, environment, counters);
    let parts = |name: &str| node[name].as_array().cloned().unwrap_or_default();
    match node["kind"].as_str().unwrap() {
        "constant" => Some(datum(&node["value"], false)),
        "variable" => environment.values.get(node["text"].as_str().unwrap()).cloned(),
        "counter" => {
            let name = node["name"].as_str().unwrap();
            counters.iter().rev().find(|(other, _)| other == name).map(|(_, value)| Datum::Number(*value as f64))
        }
        "array" => {
            let elements: Vec<Datum> = parts("parts").iter().map(go).collect::<Option<_>>()?;
            Some(Datum::Array(vec![elements.len()], elements))
        }
        "element" => {
            let of = go(&node["of"])?;
            let subscripts = parts("subscripts");
            element(&of, &subscripts, environment, counters)
        }
        "substring" => {
            let text = text(&go(&node["of"])?).to_owned();
            let (first, last) = (bound(&node["first"], 1, &mut go)?, bound(&node["last"], text.len(), &mut go)?);
            // Texts are without trailing blanks here.
            let character = |at| text.as_bytes().get(at as usize - 1).map_or(' ', |byte| char::from(*byte));
            Some(Datum::Text((first.max(1)..=last).map(character).collect()))
        }
        "call" => call(node, environment, counters),
        "operation" => {
            let operands: Vec<Datum> = parts("operands").iter().map(go).collect::<Option<_>>()?;
            let operator = node["operator"].as_str().unwrap();
            let is_quotient = operator == "/" && parts("operands").iter().all(|part| is_integer(part, environment));
            match operands.as_slice() {
                [one, other] if operator == "//" => Some(Datum::Text(format!("{}{}", text(one), text(other)))),
                [one] => each(one, one, &|one, _| Datum::Number(-number(one))),
                [one, other] => each(one, other, &|one, other| {
                    let (one, other) = (number(one), number(other));
                    Datum::Number(match operator {
                        "+" => one + other,
                        "-" => one - other,
                        "*" => one * other,
                        "/" if is_quotient => (one / other).trunc(),
                        "/" => one / other,
                        "**" => one.powf(other),
                        _ => panic!("{operator}"),
                    })
                }),
                _ => panic!("{node}"),
            }
        }
        "comparison" => {
            let (left, right) = (go(&node["left"])?, go(&node["right"])?);
            let relation = node["relation"].as_str().unwrap();
            let is_negated = node["isNegated"] == true;
            each(&left, &right, &|left, right| Datum::Logical(compare(relation, left, right) != is_negated))
        }
        "not" => {
            let of = go(&node["of"])?;
            each(&of, &of, &|of, _| Datum::Logical(!truth(of)))
        }
        "all" | "any" => {
            let decides = node["kind"] == "any";
            let mut is_known = true;
            let mut made: Option<Datum> = None;
            for part in parts("parts") {
                match go(&part) {
                    Some(Datum::Logical(value)) if value == decides => return Some(Datum::Logical(decides)),
                    Some(Datum::Logical(_)) => {}
                    Some(array) => {
                        let both = |one: &Datum, other: &Datum| {
                            let (one, other) = (truth(one), truth(other));
                            Datum::Logical(if decides { one || other } else { one && other })
                        };
                        made = Some(match made {
                            Some(made) => each(&made, &array, &both)?,
                            None => array,
                        });
                    }
                    None => is_known = false,
                }
            }
            is_known.then(|| made.unwrap_or(Datum::Logical(!decides)))
        }
        "equivalent" => {
            let (left, right) = (go(&node["left"])?, go(&node["right"])?);
            Some(Datum::Logical(truth(&left) == truth(&right)))
        }
        "forAll" => {
            let bound = |datum: Option<Datum>| datum.map(|datum| number(&datum) as i64);
            let (first, last) = (bound(go(&node["first"]))?, bound(go(&node["last"]))?);
            let step = bound(go(&node["step"]))?;
            let mut at = first;
            while if step > 0 { at <= last } else { at >= last } {
                counters.push((node["counter"].as_str().unwrap().to_owned(), at));
                let holds = evaluate(&node["body"], environment, counters);
                counters.pop();
                if !truth(&holds?) {
                    return Some(Datum::Logical(false));
                }
                at += step;
            }
            Some(Datum::Logical(true))
        }
        _ => None,
    }
}

/// Whether an expression is an integer, as far as it says.
fn is_integer(node: &Value, environment: &Environment) -> bool {
    let all = |parts: &str| node[parts].as_array().unwrap().iter().all(|part| is_integer(part, environment));
    match node["kind"].as_str().unwrap() {
        "constant" => node["value"].is_i64(),
        "operation" => all("operands"),
        "element" => is_integer(&node["of"], environment),
        "call" => match node["name"].as_str().unwrap() {
            "real" | "dble" => false,
            "abs" | "min" | "max" | "mod" | "minval" | "maxval" => all("arguments"),
            _ => true,
        },
        _ => node["text"].as_str().is_none_or(|name| !environment.reals.iter().any(|real| real == name)),
    }
}

fn number(of: &Datum) -> f64 {
    match of {
        Datum::Number(value) => *value,
        other => panic!("{other:?} is no number"),
    }
}

fn text(of: &Datum) -> &str {
    match of {
        Datum::Text(value) => value,
        other => panic!("{other:?} is no text"),
    }
}

fn truth(of: &Datum) -> bool {
    match of {
        Datum::Logical(value) => *value,
        other => panic!("{other:?} is no truth value"),
    }
}

/// An operation element by element.
fn each(one: &Datum, other: &Datum, apply: &dyn Fn(&Datum, &Datum) -> Datum) -> Option<Datum> {
    Some(match (one, other) {
        (Datum::Array(extents, ones), Datum::Array(_, others)) => {
            Datum::Array(extents.clone(), ones.iter().zip(others).map(|(one, other)| apply(one, other)).collect())
        }
        (Datum::Array(extents, ones), other) => {
            Datum::Array(extents.clone(), ones.iter().map(|one| apply(one, other)).collect())
        }
        (one, Datum::Array(extents, others)) => {
            Datum::Array(extents.clone(), others.iter().map(|other| apply(one, other)).collect())
        }
        (one, other) => apply(one, other),
    })
}

fn compare(relation: &str, left: &Datum, right: &Datum) -> bool {
    let order = match (left, right) {
        (Datum::Text(left), Datum::Text(right)) => Some(left.trim_end().cmp(right.trim_end())),
        (left, right) => number(left).partial_cmp(&number(right)),
    };
    match relation {
        "==" => order == Some(Ordering::Equal),
        "/=" => order != Some(Ordering::Equal),
        "<" => order == Some(Ordering::Less),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">" => order == Some(Ordering::Greater),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => panic!("{relation}"),
    }
}

/// A bound, which may be left out.
fn bound(part: &Value, default: usize, go: &mut dyn FnMut(&Value) -> Option<Datum>) -> Option<i64> {
    if part.is_null() { Some(default as i64) } else { go(part).map(|datum| number(&datum) as i64) }
}

/// An element or a section, whose subscripts begin at 1.
fn element(of: &Datum, subscripts: &[Value], environment: &Environment, counters: &mut Counters) -> Option<Datum> {
    let Datum::Array(extents, elements) = of else { panic!("{of:?} is no array") };
    let mut ranges: Vec<(Vec<usize>, bool)> = Vec::new();
    for (subscript, extent) in subscripts.iter().zip(extents) {
        let mut go = |part: &Value| evaluate(part, environment, counters);
        if subscript["kind"] == "index" {
            ranges.push((vec![bound(&subscript["index"], 0, &mut go)? as usize], false));
        } else {
            let first = bound(&subscript["first"], 1, &mut go)?;
            let last = bound(&subscript["last"], *extent, &mut go)?;
            let step = bound(&subscript["step"], 1, &mut go)?;
            assert!(step > 0, "{subscript}");
            ranges.push(((first..=last).step_by(step as usize).map(|at| at as usize).collect(), true));
        }
    }
    let shape: Vec<usize> = ranges.iter().filter(|(_, is_range)| *is_range).map(|(range, _)| range.len()).collect();
    let mut found = Vec::new();
    let columns = ranges.get(1).map_or(vec![1], |(range, _)| range.clone());
    for column in columns {
        for row in &ranges[0].0 {
            found.push(elements.get((column - 1) * extents[0] + row - 1)?.clone());
        }
    }
    if shape.is_empty() { found.pop() } else { Some(Datum::Array(shape, found)) }
}

fn call(node: &Value, environment: &Environment, counters: &mut Counters) -> Option<Datum> {
    let name = node["name"].as_str().unwrap();
    let arguments = node["arguments"].as_array().unwrap();
    if name == "present" {
        return Some(Datum::Logical(evaluate(&arguments[0], environment, counters).is_some()));
    }
    if name == "merge" {
        let is_first = truth(&evaluate(&arguments[2], environment, counters)?);
        return evaluate(&arguments[usize::from(!is_first)], environment, counters);
    }
    let values: Vec<Datum> =
        arguments.iter().map(|argument| evaluate(argument, environment, counters)).collect::<Option<_>>()?;
    let numbers = || values.iter().map(number);
    let elements = || match &values[0] {
        Datum::Array(_, elements) => elements.clone(),
        scalar => vec![scalar.clone()],
    };
    Some(match name {
        "abs" => each(&values[0], &values[0], &|one, _| Datum::Number(number(one).abs()))?,
        "min" => Datum::Number(numbers().fold(f64::INFINITY, f64::min)),
        "max" => Datum::Number(numbers().fold(f64::NEG_INFINITY, f64::max)),
        "mod" => Datum::Number(number(&values[0]) % number(&values[1])),
        "real" => Datum::Number(number(&values[0])),
        "int" => Datum::Number(number(&values[0]).trunc()),
        "len_trim" => Datum::Number(text(&values[0]).trim_end().len() as f64),
        "trim" => Datum::Text(text(&values[0]).trim_end().to_owned()),
        "index" => Datum::Number(text(&values[0]).find(text(&values[1])).map_or(0.0, |at| at as f64 + 1.0)),
        "sum" => Datum::Number(elements().iter().map(number).sum()),
        "count" => Datum::Number(elements().iter().filter(|one| truth(one)).count() as f64),
        "minval" => Datum::Number(elements().iter().map(number).fold(f64::INFINITY, f64::min)),
        "maxval" => Datum::Number(elements().iter().map(number).fold(f64::NEG_INFINITY, f64::max)),
        "all" => Datum::Logical(elements().iter().all(truth)),
        "any" => Datum::Logical(elements().iter().any(truth)),
        "size" => {
            let Datum::Array(extents, _) = &values[0] else { panic!("{node}") };
            let size = match values.get(1) {
                Some(dimension) => extents[number(dimension) as usize - 1],
                None => extents.iter().product(),
            };
            Datum::Number(size as f64)
        }
        _ => panic!("{name} is not known here"),
    })
}
