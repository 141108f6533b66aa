//! Random statements: assignments, checks in many forms, branches, loops, calls.

use super::generate::{Dummy, Generator, Procedure};
use super::program::{Kind, TEXTS, Variable};

impl Generator {
    pub fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let is_deep = depth == 0;
        match self.random.below(if is_deep { 10 } else { 24 }) {
            0..4 => self.assignment(),
            4..7 => self.check(),
            7 | 8 => self.call(),
            9 => self.leave(),
            10..13 => self.branch(depth - 1),
            13 => self.select(depth - 1),
            14 => self.select_text(depth - 1),
            15 => self.loop_over_elements(),
            16 | 17 => self.counted_loop(depth - 1),
            18 => self.while_loop(),
            19 => self.jump(depth - 1),
            20 => self.optional(depth - 1),
            21 => self.status_checks(),
            22 => self.block(depth - 1),
            _ => self.call(),
        }
    }

    fn assignment(&mut self) {
        let Some(variable) = self.variable(|one| one.is_assignable) else { return };
        let Variable { name, kind, extent, .. } = variable;
        let place = match extent {
            Some(_) if self.random.chance(15) => name,
            Some(extent) => format!("{name}({})", self.random.between(1, extent as i64)),
            None => name,
        };
        let failing: Vec<Procedure> = self
            .procedures
            .iter()
            .filter(|one| one.is_function && one.can_fail && !self.scope.is_quiet)
            .cloned()
            .collect();
        if kind == Kind::Integer && !failing.is_empty() && self.random.chance(20) {
            let function = self.random.pick(&failing).clone();
            let actual: Vec<String> =
                function.dummies.iter().map(|dummy| self.expression(dummy.variable.kind, 1)).collect();
            self.program.traced(format!("{place} = {}({})", function.name, actual.join(", ")));
            return;
        }
        let value = self.expression(kind, 2);
        self.program.line(format!("{place} = {value}"));
    }

    /// A statement that ends the program with a failure; it stands alone, or behind the condition of an IF.
    fn failing(&mut self, line: usize) -> String {
        let name = &self.program.name;
        match self.random.below(10) {
            0 | 1 => format!("stop 'at {line}'"),
            2 | 3 => format!("error stop 'at {line}'"),
            4 => format!("stop {line}"),
            5 => format!("error stop {line}"),
            6 if line < 250 => format!("call exit({line})"),
            7 => format!("call oracle_fatal('at {line}')"),
            8 => format!("call oracle_report('at {line}', 3)"),
            _ => format!("call give_up_{name}('at {line}')"),
        }
    }

    fn check(&mut self) {
        if self.scope.is_quiet {
            return self.assignment();
        }
        if self.random.chance(10) {
            let level = self.integer(1);
            self.program.traced(format!("call tell_{}({level})", self.program.name));
            return;
        }
        let condition = self.logical(2);
        if self.random.chance(60) {
            let action = self.failing(self.program.next_line());
            self.program.line(format!("if ({condition}) {action}"));
            return;
        }
        self.program.open(format!("if ({condition}) then"));
        if self.random.chance(20) {
            self.assignment();
        }
        if self.random.chance(20) {
            self.program.line("call oracle_report('only a remark', 1)");
        }
        let action = self.failing(self.program.next_line());
        self.program.line(action);
        self.program.close("end if");
    }

    /// A normal end: of the procedure, of an iteration, of the program.
    fn leave(&mut self) {
        let condition = self.logical(1);
        let ways: &[&str] = match (self.scope.loops > 0, self.scope.can_return) {
            (true, true) => &["exit", "cycle", "return"],
            (true, false) => &["exit", "cycle"],
            (false, true) => &["return", "return", "return", "stop", "stop 0"],
            (false, false) => &["stop", "stop 0"],
        };
        let way = *self.random.pick(ways);
        if self.scope.is_quiet && way.starts_with("stop") {
            return self.assignment();
        }
        self.program.line(format!("if ({condition}) {way}"));
    }

    fn inside(&mut self, depth: u32) {
        let count = self.random.between(1, 3);
        self.statements(count as u64, depth);
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.logical(2);
        self.program.open(format!("if ({condition}) then"));
        self.inside(depth);
        while self.random.chance(35) {
            let condition = self.logical(1);
            self.program.middle(format!("else if ({condition}) then"));
            self.inside(depth);
        }
        if self.random.chance(50) {
            self.program.middle("else");
            self.inside(depth);
        }
        self.program.close("end if");
    }

    fn select(&mut self, depth: u32) {
        let selector = self.integer(1);
        self.program.open(format!("select case ({selector})"));
        let mut cases = ["case (:-1)", "case (0, 3)", "case (1)", "case (4:6)", "case (9:)"];
        self.random.shuffle(&mut cases);
        for case in &cases[..self.random.between(1, 3) as usize] {
            self.program.middle(*case);
            self.inside(depth);
        }
        self.default_case(depth);
    }

    fn default_case(&mut self, depth: u32) {
        if self.random.chance(60) {
            self.program.middle("case default");
            if !self.scope.is_quiet && self.random.chance(50) {
                let action = self.failing(self.program.next_line());
                self.program.line(action);
            } else {
                self.inside(depth);
            }
        }
        self.program.close("end select");
    }

    fn select_text(&mut self, depth: u32) {
        let Some(text) = self.variable(|one| one.kind == Kind::Text) else { return self.select(depth) };
        self.program.open(format!("select case ({})", text.name));
        let mut texts = TEXTS;
        self.random.shuffle(&mut texts);
        self.program.middle(format!("case ('{}')", texts[0]));
        self.inside(depth);
        self.program.middle(format!("case ('{}', '{}')", texts[1], texts[2]));
        self.inside(depth);
        self.default_case(depth);
    }

    /// The body of a loop over a variable.
    fn body(&mut self, counter: &str, depth: u32) {
        let scope = self.scope.clone();
        self.scope.loops += 1;
        self.scope.variables.push(Variable::scalar(counter, Kind::Integer, false));
        self.inside(depth);
        self.program.close("end do");
        self.scope = scope;
    }

    /// A variable for a loop that is not one around it.
    fn counter(&self) -> Option<&'static str> {
        ["i", "j"].get(self.scope.loops).copied()
    }

    fn loop_over_elements(&mut self) {
        let Some(array) = self.variable(|one| one.extent.is_some()) else { return self.check() };
        let Some(counter) = self.counter() else { return self.check() };
        let extent = array.extent.unwrap_or(1);
        let element = format!("{}({counter})", array.name);
        self.program.open(format!("do {counter} = 1, {extent}"));
        let relation = *self.random.pick(&["<", ">", "=="]);
        let other = self.expression(array.kind, 1);
        if self.scope.is_quiet {
            self.program.line(format!("if ({element} {relation} {other}) exit"));
        } else {
            let action = self.failing(self.program.next_line());
            self.program.line(format!("if ({element} {relation} {other}) {action}"));
        }
        self.program.close("end do");
    }

    fn counted_loop(&mut self, depth: u32) {
        let Some(counter) = self.counter() else { return self.check() };
        let (first, last) = match self.random.below(4) {
            0 => (self.random.between(0, 2).to_string(), self.random.between(2, 6).to_string()),
            1 => (self.integer(0), self.integer(1)),
            _ => ("1".to_owned(), self.integer(1)),
        };
        let step = *self.random.pick(&["", "", "", ", 2", ", -1"]);
        self.program.open(format!("do {counter} = {first}, {last}{step}"));
        self.body(counter, depth);
    }

    fn while_loop(&mut self) {
        let variable = self.variable(|one| one.kind == Kind::Integer && one.extent.is_none() && one.is_assignable);
        let Some(variable) = variable else { return self.check() };
        let (name, bound) = (variable.name, self.random.between(4, 12));
        let more = if self.random.chance(30) { format!(" .and. {}", self.logical(0)) } else { String::new() };
        self.program.open(format!("do while ({name} < {bound}{more})"));
        self.program.line(format!("{name} = {name} + {}", self.random.between(1, 3)));
        if self.random.chance(50) {
            // What is in a loop must not make it endless.
            let kept = self.scope.clone();
            self.scope.variables.retain(|one| one.name != name || !one.is_assignable);
            self.scope.loops += 2;
            self.check();
            self.scope = kept;
        }
        self.program.close("end do");
    }

    fn jump(&mut self, depth: u32) {
        self.labels += 1;
        let (label, condition) = (10 * self.labels, self.logical(1));
        self.program.line(format!("if ({condition}) go to {label}"));
        self.inside(depth);
        self.program.line(format!("{label} continue"));
    }

    fn block(&mut self, depth: u32) {
        self.labels += 1;
        let (name, condition) = (format!("part{}", self.labels), self.logical(1));
        self.program.open(format!("{name}: block"));
        self.inside(depth);
        self.program.line(format!("if ({condition}) exit {name}"));
        self.inside(depth);
        self.program.close(format!("end block {name}"));
    }

    /// What depends on whether an argument is there.
    fn optional(&mut self, depth: u32) {
        let optional = self.scope.optional.clone();
        if optional.is_empty() {
            return self.check();
        }
        let argument = self.random.pick(&optional).clone();
        let name = argument.name.clone();
        if self.random.chance(50) {
            let local = self.variable(|one| one.kind == argument.kind && one.extent.is_none() && one.is_assignable);
            if let Some(local) = local {
                let local = local.name;
                let default = self.constant(argument.kind);
                self.program.line(format!("{local} = {default}"));
                self.program.line(format!("if (present({name})) {local} = {name}"));
                return;
            }
        }
        self.program.open(format!("if (present({name})) then"));
        self.scope.variables.push(argument);
        self.inside(depth);
        self.scope.variables.pop();
        if self.random.chance(40) {
            self.program.middle("else");
            self.inside(depth);
        }
        self.program.close("end if");
    }

    /// Checks of arguments in the manner of LAPACK.
    pub fn status_checks(&mut self) {
        let has_status = self.scope.variables.iter().any(|one| one.name == "info" && one.is_assignable);
        let status = if has_status {
            "info".to_owned()
        } else {
            let local = self.variable(|one| one.kind == Kind::Integer && one.extent.is_none() && one.is_assignable);
            let Some(local) = local else { return self.check() };
            local.name
        };
        self.program.line(format!("{status} = 0"));
        let condition = self.logical(1);
        self.program.open(format!("if ({condition}) then"));
        self.program.line(format!("{status} = -1"));
        for number in 2..2 + self.random.between(1, 3) {
            let condition = self.logical(1);
            self.program.middle(format!("else if ({condition}) then"));
            self.program.line(format!("{status} = -{number}"));
        }
        self.program.close("end if");
        self.program.open(format!("if ({status} /= 0) then"));
        if !self.scope.is_quiet && self.random.chance(60) {
            let line = self.program.next_line();
            self.program.line(format!("call xerbla('at {line}', -{status})"));
        }
        if self.scope.can_return {
            self.program.line("return");
        }
        self.program.close("end if");
    }

    /// A call of a procedure of the program, or of one of which nothing is known.
    fn call(&mut self) {
        let integers = |one: &Variable| one.kind == Kind::Integer && one.extent.is_none() && one.is_assignable;
        if !self.scope.is_quiet
            && self.random.chance(4)
            && let Some(variable) = self.variable(integers)
        {
            self.program.line(format!("call oracle_unknown({})", variable.name));
            return;
        }
        let quiet = self.scope.is_quiet;
        let callable: Vec<Procedure> =
            self.procedures.iter().filter(|one| !one.is_function && !quiet).cloned().collect();
        if callable.is_empty() {
            return self.check();
        }
        let procedure = self.random.pick(&callable).clone();
        let Some(actual) = self.actual(&procedure) else { return self.check() };
        self.program.traced(format!("call {}({})", procedure.name, actual.join(", ")));
        let status = procedure.dummies.iter().position(|dummy| dummy.variable.name == "info");
        if let Some(at) = status.filter(|_| self.random.chance(60)) {
            let status = actual[at].rsplit('=').next().unwrap_or("").to_owned();
            let action = self.failing(self.program.next_line());
            self.program.line(format!("if ({status} /= 0) {action}"));
        }
    }

    /// Arguments for a procedure; `None` if there are none that may be changed.
    fn actual(&mut self, procedure: &Procedure) -> Option<Vec<String>> {
        let mut changed: Vec<String> = Vec::new();
        let host: Vec<String> = self.program.host.iter().map(|one| one.name.clone()).collect();
        for dummy in procedure.dummies.iter().filter(|dummy| dummy.intent != "in") {
            let fits = |one: &Variable| {
                let is_free = !changed.contains(&one.name) && !host.contains(&one.name);
                one.kind == dummy.variable.kind && one.extent.is_none() && one.is_assignable && is_free
            };
            changed.push(self.variable(fits)?.name);
        }
        let mut next = changed.clone().into_iter();
        let mut actual = Vec::new();
        let mut by_keyword = false;
        for dummy in &procedure.dummies {
            let value = if dummy.intent == "in" { self.value_for(dummy, &changed, &host) } else { next.next() };
            by_keyword |= value.is_none() || procedure.is_in_module && self.random.chance(15);
            match value {
                Some(value) if by_keyword => actual.push(format!("{}={value}", dummy.variable.name)),
                Some(value) => actual.push(value),
                None if dummy.is_optional => {}
                None => return None,
            }
        }
        Some(actual)
    }

    /// What is given to an argument that is not changed.
    fn value_for(&mut self, dummy: &Dummy, changed: &[String], host: &[String]) -> Option<String> {
        if dummy.is_optional && self.random.chance(50) {
            let same = |one: &&Variable| one.kind == dummy.variable.kind;
            return self
                .scope
                .optional
                .iter()
                .find(same)
                .filter(|_| self.random.chance(50))
                .map(|one| one.name.clone());
        }
        if let Some(extent) = dummy.variable.extent {
            if let Some(array) = self.variable(|one| one.extent == Some(extent) && one.kind == dummy.variable.kind) {
                return Some(array.name);
            }
            let elements: Vec<String> = (0..extent).map(|_| self.expression(dummy.variable.kind, 0)).collect();
            return Some(format!("[{}]", elements.join(", ")));
        }
        let value = self.expression(dummy.variable.kind, 2);
        // What the procedure changes in another way must not be an argument.
        let is_changed = changed.contains(&value) || host.contains(&value);
        Some(if is_changed { format!("({value})") } else { value })
    }
}
