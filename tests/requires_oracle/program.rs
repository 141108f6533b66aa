//! A program of the generator: its text as it is analysed, and as it is run. Both have the same lines; the one that is
//! run says which calls it reaches.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::random::Random;

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Real,
    Logical,
    Text,
}

/// A variable that can be read.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Its extent, if it is an array.
    pub extent: Option<u64>,
    /// Whether it can be changed.
    pub is_assignable: bool,
}

/// Texts that occur as values and in conditions: some are prefixes of others, or differ in case.
pub const TEXTS: [&str; 7] = ["up", "upwind", "Up", "weno", "c", "", " up"];

impl Kind {
    pub fn declared(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Real => "real",
            Kind::Logical => "logical",
            Kind::Text => "character(8)",
        }
    }

    /// A value that a variable of this type may have. Reals are such that single precision is exact.
    pub fn value(self, random: &mut Random) -> Value {
        match self {
            Kind::Integer => json!(random.between(-4, 12)),
            Kind::Real => json!(random.between(-6, 16) as f64 * 0.5),
            Kind::Logical => json!(random.chance(50)),
            Kind::Text => json!(random.pick(&TEXTS)),
        }
    }
}

impl Variable {
    pub fn scalar(name: impl Into<String>, kind: Kind, is_assignable: bool) -> Self {
        Variable { name: name.into(), kind, extent: None, is_assignable }
    }

    /// Its declaration with attributes.
    pub fn declared(&self, attributes: &str) -> String {
        let extent = self.extent.map(|extent| format!("({extent})")).unwrap_or_default();
        format!("{}{attributes} :: {}{extent}", self.kind.declared(), self.name)
    }

    pub fn value(&self, random: &mut Random) -> Value {
        match self.extent {
            Some(extent) => (0..extent).map(|_| self.kind.value(random)).collect(),
            None => self.kind.value(random),
        }
    }
}

/// A value as Fortran writes it, alone or in a namelist.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => ".true.".to_owned(),
        Value::Bool(false) => ".false.".to_owned(),
        Value::String(text) => format!("'{text}'"),
        Value::Array(elements) => elements.iter().map(literal).collect::<Vec<_>>().join(", "),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Object(_) => panic!("{value} is no value of Fortran"),
    }
}

/// Values as a namelist group.
pub fn group(name: &str, values: &Map<String, Value>) -> String {
    let mut text = format!("&{name}\n");
    for (name, value) in values {
        let _ = writeln!(text, "  {name} = {}", literal(value));
    }
    text + "/\n"
}

/// How the procedure that is tried gets its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// As arguments and variables of its module.
    Arguments,
    /// By a namelist.
    Namelist,
    /// By a namelist, as a main program.
    Main,
}

/// The lines of a program, and what is given to it.
pub struct Program {
    lines: Vec<(String, String)>,
    depth: usize,
    pub name: String,
    pub entry: Entry,
    /// The arguments or the variables of the namelist.
    pub given: Vec<Variable>,
    /// Those arguments that are optional.
    pub optional: Vec<String>,
    /// The values that variables of the namelist have before it is read.
    pub defaults: Map<String, Value>,
    /// The variables of the module.
    pub host: Vec<Variable>,
    /// The values that they have at first.
    pub initial: Map<String, Value>,
}

impl Program {
    pub fn new(name: &str, entry: Entry) -> Self {
        Program {
            lines: Vec::new(),
            depth: 0,
            name: name.to_owned(),
            entry,
            given: Vec::new(),
            optional: Vec::new(),
            defaults: Map::new(),
            host: Vec::new(),
            initial: Map::new(),
        }
    }

    /// The number of the line that comes next.
    pub fn next_line(&self) -> usize {
        self.lines.len() + 1
    }

    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push((format!("{}{}", "  ".repeat(self.depth), text.into()), String::new()));
    }

    /// A line of whose execution the run speaks.
    pub fn traced(&mut self, text: impl Into<String>) {
        self.traced_as(self.next_line(), text);
    }

    /// A line at whose execution the run speaks of another one.
    pub fn traced_as(&mut self, line: usize, text: impl Into<String>) {
        let trace = format!("call oracle_at({line}); ");
        self.lines.push((format!("{}{}", "  ".repeat(self.depth), text.into()), trace));
    }

    /// A line that opens something, up to that which closes it.
    pub fn open(&mut self, text: impl Into<String>) {
        self.line(text);
        self.depth += 1;
    }

    /// ELSE, CASE.
    pub fn middle(&mut self, text: impl Into<String>) {
        self.depth -= 1;
        self.open(text);
    }

    pub fn close(&mut self, text: impl Into<String>) {
        self.depth -= 1;
        self.line(text);
    }

    /// The name of its file.
    pub fn file(&self) -> String {
        format!("{}.f90", self.name)
    }

    /// What is analysed.
    pub fn text(&self) -> String {
        self.lines.iter().map(|(text, _)| format!("{text}\n")).collect()
    }

    /// What is run: a main program is a subroutine.
    pub fn probed(&self) -> String {
        let as_subroutine =
            |text: &str| text.replace(&format!("program {}", self.name), &format!("subroutine {}", self.name));
        self.lines.iter().map(|(text, before)| format!("{before}{}\n", as_subroutine(text))).collect::<String>()
            + &self.driver()
    }

    /// The procedure that gives the one that is tried its values.
    fn driver(&self) -> String {
        let name = &self.name;
        let mut text = format!("subroutine drive_{name}()\n");
        if self.entry == Entry::Arguments {
            let _ = writeln!(text, "use {name}_module\nimplicit none");
            let is_optional = |variable: &Variable| self.optional.contains(&variable.name);
            for variable in &self.given {
                let _ = writeln!(text, "{}", variable.declared(""));
                if is_optional(variable) {
                    let present = &variable.name;
                    let _ = writeln!(text, "logical :: has_{present} = .false.");
                    // What is not allocated is absent.
                    let _ = writeln!(text, "{}, allocatable :: p_{present}", variable.kind.declared());
                }
            }
            let given = self.given.iter().flat_map(|one| {
                let present = is_optional(one).then(|| format!("has_{}", one.name));
                [Some(one.name.clone()), present].into_iter().flatten()
            });
            let names: Vec<String> = given.chain(self.host.iter().map(|one| one.name.clone())).collect();
            let _ = writeln!(text, "namelist /values/ {}\nread (*, nml=values)", names.join(", "));
            let mut actual = Vec::new();
            for variable in &self.given {
                let name = &variable.name;
                // Only procedures of the module have optional arguments, and so an interface.
                let keyword = if self.optional.is_empty() { String::new() } else { format!("{name}=") };
                if is_optional(variable) {
                    let _ = writeln!(text, "if (has_{name}) p_{name} = {name}");
                    actual.push(format!("{name}=p_{name}"));
                } else {
                    actual.push(format!("{keyword}{name}"));
                }
            }
            let _ = writeln!(text, "call {name}({})", actual.join(", "));
        } else {
            let module = if self.entry == Entry::Namelist { format!("use {name}_module\n") } else { String::new() };
            let _ = writeln!(text, "{module}call {name}()");
        }
        text + "end subroutine\n"
    }

    /// Values that are given: as the tests on requirements have them, and as the input of the run.
    pub fn valuation(&self, random: &mut Random) -> (Value, String) {
        let mut values = Map::new();
        if self.entry != Entry::Arguments {
            for variable in &self.given {
                if random.chance(80) {
                    values.insert(variable.name.clone(), variable.value(random));
                }
            }
            let input = group("settings", &values);
            return (json!({ "host": self.initial, "namelists": { "settings": values } }), input);
        }
        let (mut input, mut host) = (Map::new(), Map::new());
        for variable in &self.given {
            let is_optional = self.optional.contains(&variable.name);
            let is_present = !is_optional || random.chance(60);
            let value = variable.value(random);
            input.insert(variable.name.clone(), value.clone());
            if is_optional {
                input.insert(format!("has_{}", variable.name), json!(is_present));
            }
            if is_present {
                values.insert(variable.name.clone(), value);
            }
        }
        for variable in &self.host {
            host.insert(variable.name.clone(), variable.value(random));
        }
        input.extend(host.clone());
        (json!({ "args": values, "host": host }), group("values", &input))
    }

    /// The procedure as the tests on requirements have it.
    pub fn described(&self) -> Value {
        let described = |variable: &Variable| {
            let kind = variable.kind.declared();
            match self.defaults.get(&variable.name) {
                Some(default) => json!({ "name": variable.name, "type": kind, "default": default }),
                None => json!({ "name": variable.name, "type": kind }),
            }
        };
        let given: Vec<Value> = self.given.iter().chain(&self.host).map(described).collect();
        match self.entry {
            Entry::Arguments => json!({ "arguments": given }),
            Entry::Namelist | Entry::Main => {
                json!({ "arguments": given, "namelists": [{ "variables": given.iter().filter(|one| one["default"] != Value::Null).collect::<Vec<_>>() }] })
            }
        }
    }
}
