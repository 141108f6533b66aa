//! Random expressions over the variables that are known.

use super::generate::Generator;
use super::program::{Kind, TEXTS, Variable, literal};

impl Generator {
    /// A variable of a type that satisfies something.
    pub fn variable(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let fitting: Vec<Variable> = self.scope.variables.iter().filter(|one| suits(one)).cloned().collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting).clone()) }
    }

    fn scalar(&mut self, kind: Kind) -> Option<String> {
        Some(self.variable(|one| one.kind == kind && one.extent.is_none())?.name)
    }

    pub fn constant(&mut self, kind: Kind) -> String {
        let value = literal(&kind.value(&mut self.random));
        if value.starts_with('-') { format!("({value})") } else { value }
    }

    pub fn expression(&mut self, kind: Kind, depth: u32) -> String {
        match kind {
            Kind::Integer => self.integer(depth),
            Kind::Real => self.real(depth),
            Kind::Logical => self.logical(depth),
            Kind::Text => self.text(),
        }
    }

    pub fn integer(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(30) {
            return match self.random.below(10) {
                0 | 1 => self.constant(Kind::Integer),
                2 => self.element(Kind::Integer),
                _ => self.scalar(Kind::Integer).unwrap_or_else(|| self.constant(Kind::Integer)),
            };
        }
        let (one, small) = (self.integer(depth - 1), self.random.between(2, 4));
        match self.random.below(17) {
            0..3 => format!("{one} + {}", self.term()),
            3 | 4 => format!("{one} - {}", self.term()),
            5 | 6 => format!("{small} * ({one})"),
            7 => format!("({one}) / {small}"),
            8 => format!("mod({one}, {small})"),
            9 => format!("min({one}, {})", self.integer(depth - 1)),
            10 => format!("max({one}, {})", self.integer(depth - 1)),
            11 => format!("abs({one})"),
            12 => format!("-({one})"),
            13 => self.reduction(),
            14 => format!("merge({one}, {}, {})", self.integer(0), self.logical(0)),
            15 => format!("int({})", self.real(0)),
            _ => self.function(depth - 1).unwrap_or(one),
        }
    }

    /// What can stand behind a minus.
    fn term(&mut self) -> String {
        if self.random.chance(40) {
            return self.constant(Kind::Integer);
        }
        self.scalar(Kind::Integer).unwrap_or_else(|| "1".to_owned())
    }

    /// An element of an array.
    fn element(&mut self, kind: Kind) -> String {
        let Some(array) = self.variable(|one| one.kind == kind && one.extent.is_some()) else {
            return self.constant(kind);
        };
        let extent = array.extent.unwrap_or(1) as i64;
        match self.random.below(6) {
            0 => format!("{}(1 + mod(abs({}), {extent}))", array.name, self.term()),
            _ => format!("{}({})", array.name, self.random.between(1, extent)),
        }
    }

    /// A value made of all elements of an array, or of its extent.
    fn reduction(&mut self) -> String {
        let Some(array) = self.variable(|one| one.kind == Kind::Integer && one.extent.is_some()) else {
            return self.constant(Kind::Integer);
        };
        let function = *self.random.pick(&["minval", "maxval", "sum", "size", "count"]);
        match function {
            "count" => format!("count({} > {})", array.name, self.constant(Kind::Integer)),
            _ => format!("{function}({})", array.name),
        }
    }

    /// A reference to a function of the program.
    fn function(&mut self, depth: u32) -> Option<String> {
        let functions: Vec<_> =
            self.procedures.iter().filter(|one| one.is_function && !one.can_fail).cloned().collect();
        if functions.is_empty() {
            return None;
        }
        let function = self.random.pick(&functions).clone();
        let actual: Vec<String> =
            function.dummies.iter().map(|dummy| self.expression(dummy.variable.kind, depth)).collect();
        Some(format!("{}({})", function.name, actual.join(", ")))
    }

    pub fn real(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(40) {
            return match self.random.below(8) {
                0 => self.constant(Kind::Real),
                1 => self.element(Kind::Real),
                _ => self.scalar(Kind::Real).unwrap_or_else(|| self.constant(Kind::Real)),
            };
        }
        let one = self.real(depth - 1);
        match self.random.below(8) {
            0 => format!("{one} + {}", self.constant(Kind::Real)),
            1 => format!("2.0 * ({one})"),
            2 => format!("({one}) / 2.0"),
            3 => format!("real({})", self.integer(depth - 1)),
            4 => format!("max({one}, {})", self.real(depth - 1)),
            5 => format!("abs({one})"),
            6 => format!("0.5 * {}", self.term()),
            _ => format!("{one} - ({})", self.real(depth - 1)),
        }
    }

    pub fn text(&mut self) -> String {
        if self.random.chance(60) {
            return self.constant(Kind::Text);
        }
        self.scalar(Kind::Text).unwrap_or_else(|| self.constant(Kind::Text))
    }

    pub fn logical(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.chance(35) {
            let (one, other) = (self.logical(depth - 1), self.logical(depth - 1));
            return match self.random.below(9) {
                0..4 => format!("({one}) .and. ({other})"),
                4..7 => format!("({one}) .or. ({other})"),
                7 => format!(".not. ({one})"),
                _ => format!("(({one}) .eqv. ({other}))"),
            };
        }
        self.comparison()
    }

    fn comparison(&mut self) -> String {
        let relation = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
        match self.random.below(15) {
            0..6 => format!("{} {relation} {}", self.integer(2), self.integer(1)),
            6 | 7 => format!("{} {relation} {}", self.real(1), self.real(1)),
            8 => match self.scalar(Kind::Text) {
                Some(text) => {
                    let is_same = *self.random.pick(&["==", "/="]);
                    format!("{text} {is_same} '{}'", self.random.pick(&TEXTS))
                }
                None => format!("{} {relation} 0", self.integer(1)),
            },
            9 => match self.scalar(Kind::Text) {
                Some(text) => format!("len_trim({text}) {relation} {}", self.random.between(0, 4)),
                None => format!("{} {relation} 3", self.integer(1)),
            },
            10 => match self.scope.optional.clone().as_slice() {
                [] => format!("{} {relation} 3", self.integer(1)),
                optional => format!("present({})", self.random.pick(optional).name),
            },
            11 => self.of_all_elements(relation),
            12 => match self.scalar(Kind::Text) {
                Some(text) => self.part_of_text(&text),
                None => format!("{} {relation} 1", self.integer(1)),
            },
            _ => self.scalar(Kind::Logical).unwrap_or_else(|| ".true.".to_owned()),
        }
    }

    fn of_all_elements(&mut self, relation: &str) -> String {
        let Some(array) = self.variable(|one| one.extent.is_some()) else {
            return format!("{} {relation} 5", self.integer(1));
        };
        let (name, other) = (array.name, self.expression(array.kind, 1));
        let section = *self.random.pick(&["", "", "(2:)", "(:3)", "(1:4:2)"]);
        let function = *self.random.pick(&["any", "all"]);
        format!("{function}({name}{section} {relation} {other})")
    }

    fn part_of_text(&mut self, text: &str) -> String {
        match self.random.below(3) {
            0 => format!("{text}(1:2) == '{}'", self.random.pick(&TEXTS)),
            1 => format!("trim({text}) // 'x' == 'upx'"),
            _ => format!("index({text}, 'wind') > 0"),
        }
    }
}
