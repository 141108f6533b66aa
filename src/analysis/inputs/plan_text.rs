//! A reading plan as text: for each file what is read from it.

use std::fmt::Write;

use super::expression::Expression;
use super::expression_text::text;
use super::findings::place;
use super::plan::*;

/// The text of a plan, file by file.
pub fn plan_text(plan: &Plan) -> String {
    let mut out = String::new();
    for (index, file) in plan.files.iter().enumerate() {
        let mut lines = Lines { plan, file: index, out: String::new(), depth: 1 };
        lines.steps(&plan.steps);
        if lines.out.is_empty() {
            continue;
        }
        let name = match (&file.name, &file.expression) {
            (Some(name), _) => format!(", '{name}'"),
            (None, Some(expression)) => format!(", {expression}"),
            (None, None) => String::new(),
        };
        let unit = match file.unit.as_str() {
            "*" => "standard input".to_owned(),
            "" => "a new unit".to_owned(),
            unit => format!("unit {unit}"),
        };
        let _ = writeln!(out, "{unit}{name}");
        out.push_str(&lines.out);
    }
    if out.is_empty() {
        let is_known = !plan.steps.contains(&Step::Lost);
        out.push_str(if is_known { "nothing is read\n" } else { "what is read is not known\n" });
    }
    out
}

struct Lines<'p> {
    plan: &'p Plan,
    file: usize,
    out: String,
    depth: usize,
}

impl Lines<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 2 * self.depth);
    }

    fn text(&self, expression: &Expression) -> String {
        text(expression, &self.plan.variables, true)
    }

    /// Whether steps say something of the file.
    fn concerns(&self, steps: &[Step]) -> bool {
        steps.iter().any(|step| match step {
            Step::Read(read) => {
                let caught = [&read.end, &read.error].into_iter().flatten();
                let has = caught.filter_map(|it| if let Caught::Steps(steps) = it { Some(steps) } else { None });
                read.file == self.file || self.concerns(&read.then) || has.into_iter().any(|it| self.concerns(it))
            }
            Step::Repeat(repeat) => self.concerns(&repeat.of),
            Step::Either(branches) => branches.iter().any(|branch| self.concerns(&branch.of)),
            Step::Rewind(file) | Step::Move(file) | Step::Reopen(file) => *file == self.file,
            Step::Set(..) | Step::Allocate(..) | Step::Forget(_) | Step::Exit(..) | Step::Cycle(..) | Step::Lost => {
                false
            }
        })
    }

    fn steps(&mut self, steps: &[Step]) {
        let last = steps.iter().rposition(|step| self.concerns(std::slice::from_ref(step)));
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Read(read) if read.file == self.file => self.read(read),
                Step::Read(read) if self.concerns(&read.then) => self.steps(&read.then),
                Step::Repeat(repeat) if self.concerns(&repeat.of) => self.repeat(repeat),
                Step::Either(branches) if branches.iter().any(|branch| self.concerns(&branch.of)) => {
                    self.either(branches);
                }
                Step::Exit(when, level) if self.depth > 1 || last.is_some_and(|last| index < last) => {
                    self.jump(if *level == 0 { "end" } else { "exit" }, when);
                }
                Step::Cycle(when, _) if self.depth > 1 => self.jump("cycle", when),
                Step::Lost if last.is_some() => self.line("what follows is not known"),
                Step::Reopen(file) if *file == self.file && (self.depth > 1 || !self.out.is_empty()) => {
                    self.line("open")
                }
                Step::Rewind(file) if *file == self.file && !self.out.is_empty() => {
                    self.line("rewind");
                }
                _ => {}
            }
        }
    }

    fn jump(&mut self, word: &str, when: &Expression) {
        let condition = if when.is_logical(true) { String::new() } else { format!(" if {}", self.text(when)) };
        self.line(&format!("{word}{condition}"));
    }

    fn block(&mut self, head: &str, steps: &[Step]) {
        self.line(&format!("{head} ["));
        self.depth += 1;
        self.steps(steps);
        self.depth -= 1;
        self.line("]");
    }

    fn repeat(&mut self, repeat: &Repeat) {
        let count = match &repeat.count {
            None => "*".to_owned(),
            Some(count) => {
                let (lower, upper) = (self.text(&count.lower), self.text(&count.upper));
                if lower == "1" && count.step == 1 {
                    if upper.contains(' ') { format!("({upper})") } else { upper }
                } else {
                    let variable = &self.plan.variables[count.variable.index()].name;
                    let step = if count.step == 1 { String::new() } else { format!(", {}", count.step) };
                    format!("({variable} = {lower}, {upper}{step})")
                }
            }
        };
        self.block(&format!("{count} ×"), &repeat.of);
    }

    fn either(&mut self, branches: &[Branch]) {
        for (index, branch) in branches.iter().enumerate() {
            let word = if index == 0 { "if" } else { "else if" };
            let head = match branch.when.is_logical(true) {
                true => "else".to_owned(),
                false => format!("{word} {}", self.text(&branch.when)),
            };
            self.block(&head, &branch.of);
        }
    }

    fn read(&mut self, read: &ReadStep) {
        let form = match &read.form {
            Form::List => "list".to_owned(),
            Form::Format(format) => format.clone(),
            Form::Namelist(group, _) => format!("&{group}"),
            Form::Other(why) => format!("not followed: {why} "),
        };
        let mut head = format!("{form:<8} {}", place(self.plan, read.at));
        for (word, caught) in [("end", &read.end), ("error", &read.error)] {
            match caught {
                Some(Caught::Fails(failure)) => {
                    let _ = write!(head, "  {word}: {}", self.failure(failure));
                }
                Some(Caught::Steps(steps)) => {
                    let leaves = matches!(steps.last(), Some(Step::Exit(..)));
                    let _ = write!(head, "  {word}: {}", if leaves { "exit" } else { "goes on" });
                }
                None => {}
            }
        }
        self.line(&head);
        self.depth += 1;
        read.items.iter().for_each(|item| self.item(item, ""));
        if let Form::Namelist(_, variables) = &read.form {
            for of in variables {
                let variable = &self.plan.variables[of.variable.index()];
                let bounds: Vec<String> = variable.bounds.iter().map(bound_text).collect();
                let shape = if bounds.is_empty() { String::new() } else { format!("({})", bounds.join(", ")) };
                let type_ = variable.data_type.map_or("?".to_owned(), |it| it.to_string());
                self.line(&format!("{:<24} {type_}", format!("{}{shape}", of.name)));
            }
        }
        for need in &read.needs {
            let (condition, failure) = (self.text(&need.condition), self.failure(&need.failure));
            let word = if need.is_approximate { "approx." } else { "needs" };
            self.line(&format!("{word} {condition:<40}  {failure}"));
        }
        self.depth -= 1;
        self.steps(&read.then);
    }

    fn failure(&self, failure: &Failure) -> String {
        let message = if failure.message.is_empty() { String::new() } else { format!(" stop \"{}\"", failure.message) };
        format!("{}{message}", place(self.plan, failure.at))
    }

    fn item(&mut self, item: &PlanItem, round: &str) {
        match item {
            PlanItem::Value(place, of) => {
                let place = self.text(place);
                self.line(&format!("{place:<24} {of}{round}"));
            }
            PlanItem::Loop(variable, lower, upper, step, items) => {
                let variable = self.plan.variables[variable.index()].name.clone();
                let (lower, upper) = (self.text(lower), self.text(upper));
                let step = match self.text(step).as_str() {
                    "1" => String::new(),
                    step => format!(", {step}"),
                };
                let round = format!("{round}  ({variable} = {lower}, {upper}{step})");
                items.iter().for_each(|item| self.item(item, &round));
            }
            PlanItem::Unknown => self.line("?"),
        }
    }
}

fn bound_text(bounds: &[Option<i64>; 2]) -> String {
    match bounds {
        [Some(1), Some(upper)] => upper.to_string(),
        [Some(lower), Some(upper)] => format!("{lower}:{upper}"),
        _ => ":".to_owned(),
    }
}
