//! Loops over the elements of arrays.

use super::generate::Generator;
use super::program::Watch;
use super::scope::{Array, Bounds, Element};

impl Generator {
    /// Loops over the dimensions of an array around statements that use its elements.
    pub fn nest(&mut self) {
        let Some(target) = self.any_array() else { return self.scalar_loop() };
        if self.random.chance(8) {
            return self.at_once(&target);
        }
        let mut subscripts = Vec::new();
        for at in 0..target.rank() {
            let Some(counter) = self.scope.counter() else { break };
            let bounds = self.run_over(&target, at);
            self.open_loop(counter, &bounds);
            self.scope.counting.push((counter.to_owned(), bounds));
            subscripts.push(counter.to_owned());
        }
        let opened = subscripts.len();
        while subscripts.len() < target.rank() {
            subscripts.push("1".into());
        }
        if self.slips(20) {
            subscripts.reverse();
        }
        for _ in 0..self.random.between(1, 2) {
            self.element_statement(&target, &subscripts);
        }
        for _ in 0..opened {
            self.program.close("end do");
            self.scope.counting.pop();
        }
    }

    fn any_array(&mut self) -> Option<Array> {
        let arrays = &self.scope.arrays;
        if arrays.is_empty() { None } else { Some(self.random.pick(arrays).clone()) }
    }

    /// A loop that touches no array.
    fn scalar_loop(&mut self) {
        self.program.open("do i = 1, 3", Watch::default());
        self.program.statement("x = x + real(i)", Watch::default());
        self.program.close("end do");
    }

    /// The bounds that a loop over a dimension has: mostly its own ones.
    fn run_over(&mut self, array: &Array, at: usize) -> Bounds {
        let at = if self.slips(15) { self.random.below(array.rank() as u64) as usize } else { at };
        let Bounds { lower, upper } = array.bounds[at].clone();
        let upper = upper.unwrap_or_else(|| self.size());
        let slip = |bound: String, choice: u64| match choice {
            0 => format!("{bound}+1"),
            1 => format!("{bound}-1"),
            _ => bound,
        };
        let (first, second) = (self.slips(25), self.slips(25));
        let (first, second) =
            (if first { self.random.below(2) } else { 2 }, if second { self.random.below(2) } else { 2 });
        Bounds { lower: slip(lower, first), upper: Some(slip(upper, second)) }
    }

    fn open_loop(&mut self, counter: &str, bounds: &Bounds) {
        let outer = self.scope.counting.last().map(|(name, _)| name.clone());
        let (lower, upper) = (bounds.lower.clone(), bounds.upper.clone().unwrap_or_default());
        let step = self.random.pick(&["2", "3", "4"]).to_string();
        let header = match (self.random.below(20), outer) {
            (0 | 1, _) => format!("do {counter} = {upper}, {lower}, -1"),
            (2, _) => format!("do {counter} = {upper}, {lower}, -{step}"),
            (3 | 4, _) => format!("do {counter} = {lower}, {upper}, {step}"),
            (5, Some(outer)) => format!("do {counter} = {outer}, {upper}"),
            (6, Some(outer)) => format!("do {counter} = {lower}, {outer}"),
            _ => format!("do {counter} = {lower}, {upper}"),
        };
        self.program.open(header, Watch::default());
    }

    /// A statement that gives an element a value, perhaps under a condition.
    fn element_statement(&mut self, target: &Array, subscripts: &[String]) {
        let reference = format!("{}({})", target.name, subscripts.join(","));
        let value = match target.element {
            Element::Real => self.real_value(2),
            Element::Integer => self.subscript(None),
            Element::Logical => format!("{} > 1.0", self.real_value(1)),
        };
        let assignment = format!("{reference} = {value}");
        match self.random.below(12) {
            0 | 1 => {
                let condition = self.condition();
                self.program.guarded(&condition, &assignment, Watch::default());
            }
            2 => {
                let condition = self.condition();
                self.program.open(format!("if ({condition}) then"), Watch::default());
                self.program.statement(assignment, Watch::default());
                if self.random.chance(40) {
                    self.program.middle("else");
                    let other = format!("{reference} = {reference}");
                    self.program.statement(other, Watch::default());
                }
                self.program.close("end if");
            }
            3 => {
                let condition = self.condition();
                let action = *self.random.pick(&["cycle", "exit"]);
                self.program.guarded(&condition, action, Watch::default());
                self.program.statement(assignment, Watch::default());
            }
            4 => {
                self.program.statement(assignment, Watch::default());
                let condition = self.condition();
                self.program.guarded(&condition, "exit", Watch::default());
            }
            5 => {
                let subscript = self.subscript(None);
                self.program.statement(format!("s1 = {subscript}"), Watch::default());
                let mut others = subscripts.to_vec();
                others[0] = "s1".into();
                let text = format!("{}({}) = {}", target.name, others.join(","), self.zero(target));
                self.program.statement(text, Watch::default());
                // It has no value where the loop is not executed.
                self.scope.sizes.retain(|size| size != "s1");
            }
            6 => {
                self.program.statement(assignment, Watch::default());
                let subscript = self.subscript(None);
                self.program.statement(format!("held(2) = {subscript}"), Watch::default());
            }
            _ => self.program.statement(assignment, Watch::default()),
        }
    }

    fn zero(&mut self, array: &Array) -> &'static str {
        match array.element {
            Element::Real => "0.0",
            Element::Integer => "1",
            Element::Logical => ".false.",
        }
    }

    /// A condition on loop variables, sizes or data.
    fn condition(&mut self) -> String {
        let Some((counter, bounds)) = self.scope.counting.last().cloned() else { return "x > 1.0".into() };
        let upper = bounds.upper.clone().unwrap_or_else(|| "3".into());
        match self.random.below(8) {
            0 => format!("{counter} > {}", bounds.lower),
            1 => format!("{counter} < {upper}"),
            2 => format!("{counter} == {}", bounds.lower),
            3 => format!("{counter} >= {}+1 .and. {counter} <= {upper}-1", bounds.lower),
            4 => format!("{counter} /= {upper}"),
            5 => format!("{counter} > {}", self.size()),
            6 => format!("{} > 1.5", self.real_value(1)),
            _ => format!("mod({counter}, 2) == 0"),
        }
    }

    /// A real value of at most so many elements.
    fn real_value(&mut self, most: u64) -> String {
        let parts: Vec<String> = (0..=self.random.below(most)).map(|_| self.real_operand()).collect();
        parts.join(" + ")
    }

    fn real_operand(&mut self) -> String {
        let real: Vec<Array> =
            self.scope.arrays.iter().filter(|array| array.element == Element::Real).cloned().collect();
        if real.is_empty() || self.random.chance(10) {
            return "x".into();
        }
        let array = self.random.pick(&real).clone();
        let subscripts: Vec<String> = array.bounds.iter().map(|bounds| self.subscript(Some(bounds))).collect();
        format!("{}({})", array.name, subscripts.join(","))
    }

    /// A subscript, mostly a loop variable that runs over such a dimension.
    fn subscript(&mut self, bounds: Option<&Bounds>) -> String {
        let counting = self.scope.counting.clone();
        let same = |one: &Bounds| bounds.is_some_and(|bounds| bounds.upper == one.upper);
        let fitting: Vec<String> = counting.iter().filter(|(_, one)| same(one)).map(|(name, _)| name.clone()).collect();
        let edge = bounds.map_or("1".to_owned(), |bounds| match (&bounds.upper, self.random.chance(50)) {
            (Some(upper), true) => upper.clone(),
            _ => bounds.lower.clone(),
        });
        if fitting.is_empty() && (counting.is_empty() || !self.slips(40)) {
            return edge;
        }
        let from = if fitting.is_empty() { counting.into_iter().map(|(name, _)| name).collect() } else { fitting };
        let counter = self.random.pick(&from).clone();
        let (lower, upper) = match bounds {
            Some(Bounds { lower, upper: Some(upper) }) => (lower.clone(), upper.clone()),
            _ => ("1".into(), "3".into()),
        };
        if self.slips(20) {
            return match self.random.below(4) {
                0 => format!("{counter}+1"),
                1 => format!("{counter}-1"),
                2 => format!("({counter}+1)/2"),
                _ => format!("2*{counter}-1"),
            };
        }
        match self.random.below(24) {
            2 => format!("max({counter}-1, {lower})"),
            3 => format!("min({counter}+1, {upper})"),
            4 => format!("{upper}-{counter}+{lower}"),
            7 => edge,
            8 => format!("merge({counter}, {lower}, {counter} > {lower})"),
            9 => self.integer_element(&counter).unwrap_or(counter),
            _ => counter,
        }
    }

    /// An element of an array of integers, of which nothing is known.
    fn integer_element(&mut self, counter: &str) -> Option<String> {
        let fits = |array: &&Array| array.element == Element::Integer && array.rank() == 1;
        let array = self.scope.arrays.iter().find(fits)?;
        Some(format!("{}({counter})", array.name))
    }

    /// FORALL or DO CONCURRENT over a dimension.
    fn at_once(&mut self, target: &Array) {
        if target.element != Element::Real {
            return self.scalar_loop();
        }
        let bounds = self.run_over(target, 0);
        let mut subscripts: Vec<String> = target.bounds.iter().map(|bounds| bounds.lower.clone()).collect();
        subscripts[0] = "i".into();
        let upper = bounds.upper.clone().unwrap_or_default();
        let range = format!("(i = {}:{upper})", bounds.lower);
        let runs = format!("{} <= {upper}", bounds.lower);
        self.scope.counting.push(("i".into(), bounds));
        let assignment = format!("{}({}) = {}", target.name, subscripts.join(","), self.real_value(2));
        self.scope.counting.pop();
        if self.random.chance(50) {
            let watch = Watch::operands(vec![runs]);
            return self.program.statement(format!("forall {range} {assignment}"), watch);
        }
        self.program.open(format!("do concurrent {range}"), Watch { next: Some(runs), ..Watch::default() });
        self.program.plain(assignment);
        self.program.close("end do");
    }

    /// Loops in which something else than a DO variable counts.
    pub fn counted(&mut self) {
        let real = self.scope.whole(1);
        if real.is_empty() {
            return self.scalar_loop();
        }
        let array = self.random.pick(&real).clone();
        let Bounds { lower, upper } = self.run_over(&array, 0);
        let upper = upper.unwrap_or_default();
        let element = format!("{}(p)", array.name);
        self.scope.sizes.retain(|size| size != "p");
        match self.random.below(5) {
            0 => {
                self.program.statement(format!("p = {lower}"), Watch::default());
                self.program.open(format!("do while (p <= {upper})"), Watch::default());
                self.program.statement(format!("{element} = {element} + 1.0"), Watch::default());
                self.program.statement("p = p + 1", Watch::default());
            }
            1 => {
                self.program.statement(format!("p = {lower}"), Watch::default());
                self.program.open("do", Watch::default());
                self.program.guarded(&format!("p > {upper}"), "exit", Watch::default());
                self.program.statement(format!("{element} = x"), Watch::default());
                self.program.statement("p = p + 1", Watch::default());
            }
            2 => {
                self.program.statement(format!("p = {lower} - 1"), Watch::default());
                self.program.open(format!("do i = {lower}, {upper}"), Watch::default());
                self.program.statement("p = p + 1", Watch::default());
                self.program.statement(format!("{element} = x"), Watch::default());
            }
            3 => {
                self.program.statement(format!("p = {lower} - 1"), Watch::default());
                self.program.open(format!("do i = {lower}, {upper}"), Watch::default());
                self.program.guarded("mod(i, 2) == t", "p = p + 1", Watch::default());
                self.program.guarded(&format!("p >= {lower}"), &format!("{element} = x"), Watch::default());
            }
            _ => {
                self.program.statement("p = 0", Watch::default());
                self.program.open(format!("do i = {lower}, {upper}"), Watch::default());
                self.program.guarded(&format!("{}(i) > 1.5", array.name), "p = i", Watch::default());
                self.program.guarded("p > 0", &format!("{element} = x"), Watch::default());
            }
        }
        self.program.close("end do");
        // What the loop leaves behind.
        if self.random.chance(40) {
            self.program.statement(format!("{element} = 0.0"), Watch::default());
        }
    }
}
