//! A reading plan as text: for each file what is read from it.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::expression::{Expression, Operator, VariableId};
use super::expression_text::text;
use super::findings::place;
use super::plan::*;
use super::reads::variable_of;
use super::value::Value;

/// The text of a plan, file by file.
pub fn plan_text(plan: &Plan) -> String {
    let mut out = String::new();
    for (index, file) in plan.files.iter().enumerate() {
        let mut variables = FxHashSet::default();
        add_variables(&plan.steps, index, &mut variables);
        let mut lines = Lines { plan, file: index, variables, is_begun: false, out: String::new(), depth: 1 };
        if file.is_scratch || !lines.reads(&plan.steps) {
            continue;
        }
        lines.steps(&plan.steps, false);
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
        out.push_str(if has_lost(&plan.steps) { "what is read is not known\n" } else { "nothing is read\n" });
        not_given(plan, &mut out);
    }
    out
}

/// The most procedures that are named.
const MOST_NAMED: usize = 8;

/// Names the procedures that are called and are not among the files.
fn not_given(plan: &Plan, out: &mut String) {
    let (names, count) = (&plan.not_given, plan.not_given.len());
    if count == 0 {
        return;
    }
    let more = if count > MOST_NAMED { format!(" and {} more", count - MOST_NAMED) } else { String::new() };
    let _ = writeln!(out, "  not among the files: {}{more}", names[..count.min(MOST_NAMED)].join(", "));
}

/// Whether one of steps, or of their parts, is so.
fn any(steps: &[Step], is_so: &dyn Fn(&Step) -> bool) -> bool {
    steps.iter().any(|step| is_so(step) || step.parts().into_iter().any(|steps| any(steps, is_so)))
}

/// More conditions in a row under which the program ends, none of which is on what the file holds, are only counted.
const MOST_ENDS: usize = 2;

/// Adds the variables that are read from a file.
fn add_variables(steps: &[Step], file: usize, found: &mut FxHashSet<VariableId>) {
    for step in steps {
        if let Step::Read(read) = step
            && read.file == file
        {
            read.items.iter().for_each(|item| add_item(item, found));
            if let Form::Namelist(_, variables) = &read.form {
                found.extend(variables.iter().map(|of| of.variable));
            }
        }
        step.parts().into_iter().for_each(|steps| add_variables(steps, file, found));
    }
}

fn add_item(item: &PlanItem, found: &mut FxHashSet<VariableId>) {
    match item {
        PlanItem::Value(place, _) => found.extend(variable_of(place)),
        PlanItem::Loop(.., items) => items.iter().for_each(|item| add_item(item, found)),
        PlanItem::Unknown(_) => {}
    }
}

/// Whether a program is known to read nothing.
pub fn reads_nothing(plan: &Plan) -> bool {
    !any(&plan.steps, &|step| matches!(step, Step::Read(_) | Step::Lost))
}

/// Whether it is known all the way what a program reads.
pub fn is_known(plan: &Plan) -> bool {
    !has_lost(&plan.steps)
}

fn has_lost(steps: &[Step]) -> bool {
    any(steps, &|step| *step == Step::Lost)
}

/// Whether a branch for other values of the same thing is never taken where one condition holds.
fn excludes(one: &Expression, other: &Expression) -> bool {
    let values = |of: &Expression| -> Option<Vec<(Expression, Value)>> {
        let parts = if let Expression::Or(parts) = of { parts.as_slice() } else { std::slice::from_ref(of) };
        let value = |part: &Expression| match part {
            Expression::Binary(Operator::Equal, of, value) => match value.as_ref() {
                Expression::Constant(value) => Some((of.as_ref().clone(), value.clone())),
                _ => None,
            },
            _ => None,
        };
        parts.iter().map(value).collect()
    };
    let Some((one, other)) = values(one).zip(values(other)) else { return false };
    one.iter().all(|(of, value)| other.iter().all(|(same, another)| of == same && value != another))
}

struct Lines<'p> {
    plan: &'p Plan,
    file: usize,
    /// What is read from the file.
    variables: FxHashSet<VariableId>,
    /// Whether the file may have been read before.
    is_begun: bool,
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

    /// Whether steps read the file.
    fn reads(&self, steps: &[Step]) -> bool {
        any(steps, &|step| matches!(step, Step::Read(read) if read.file == self.file))
    }

    /// Whether steps say something of the file.
    fn concerns(&self, steps: &[Step]) -> bool {
        any(steps, &|step| match step {
            Step::Read(read) => read.file == self.file,
            Step::Rewind(file) | Step::Back(file) | Step::Move(file) | Step::Reopen(file) => *file == self.file,
            _ => false,
        })
    }

    /// The lines of steps; `is_followed`: something behind them concerns the file.
    fn steps(&mut self, steps: &[Step], is_followed: bool) {
        let last = steps.iter().rposition(|step| self.concerns(std::slice::from_ref(step)));
        let mut passed_over = 0;
        for (index, step) in steps.iter().enumerate() {
            let is_followed = is_followed || last.is_some_and(|last| index < last);
            if is_followed && index >= passed_over {
                let (count, length) = self.other_ends(&steps[index..]);
                if count > MOST_ENDS {
                    self.line(&format!("may end ({count} conditions on other things)"));
                    passed_over = index + length;
                }
            }
            if index < passed_over {
                continue;
            }
            let concerns = self.concerns(std::slice::from_ref(step));
            match step {
                // Where it is not the file that is read, that something is lost is all that matters.
                step if !concerns && *step != Step::Lost && has_lost(std::slice::from_ref(step)) => {
                    self.line("what follows may not be known");
                }
                Step::Read(read) if read.file == self.file => self.read(read, is_followed),
                Step::Read(read) if self.concerns(&read.then) => self.steps(&read.then, is_followed),
                Step::Repeat(repeat) if concerns => {
                    self.is_begun = true;
                    self.repeat(repeat);
                }
                Step::Block(steps) if concerns => self.block("block", steps, is_followed),
                Step::Either(branches) if concerns || is_followed && jumps(step) => self.either(branches, is_followed),
                Step::Exit(when, level) if is_followed => {
                    let word = if *level == 0 { "end".to_owned() } else { levels("exit", *level) };
                    self.jump(&word, when);
                }
                Step::Cycle(when, level) if is_followed => self.jump(&levels("cycle", *level), when),
                Step::Lost => self.line("what follows is not known"),
                Step::Reopen(file) if *file == self.file && (self.depth > 1 || !self.out.is_empty()) => {
                    self.line("open")
                }
                Step::Rewind(file) if *file == self.file && self.is_begun => self.line("rewind"),
                Step::Move(file) if *file == self.file => self.line("not followed from here"),
                Step::Back(file) if *file == self.file => self.line("backspace"),
                _ => {}
            }
        }
    }

    /// How often the program may end in the first of steps because of what has nothing to do with the file, and how
    /// many steps these are.
    fn other_ends(&self, steps: &[Step]) -> (usize, usize) {
        let counts: Vec<usize> = steps.iter().map_while(|step| self.ends_otherwise(step)).collect();
        let length = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        (counts[..length].iter().sum(), length)
    }

    /// How often the program may end in a step that says nothing else of the file; `None` if it says something.
    fn ends_otherwise(&self, step: &Step) -> Option<usize> {
        if self.concerns(std::slice::from_ref(step)) || has_lost(std::slice::from_ref(step)) {
            return None;
        }
        let is_other = |when: &Expression| !when.mentions(&|variable| self.variables.contains(&variable));
        match step {
            Step::Exit(when, 0) => is_other(when).then_some(1),
            Step::Exit(..) | Step::Cycle(..) => None,
            Step::Either(branches) => {
                let steps = branches.iter().flat_map(|branch| &branch.of);
                let ends = steps.map(|step| self.ends_otherwise(step)).sum::<Option<usize>>()?;
                (ends == 0 || branches.iter().all(|branch| is_other(&branch.when))).then_some(ends)
            }
            _ => Some(0),
        }
    }

    fn jump(&mut self, word: &str, when: &Expression) {
        let condition = if when.is_logical(true) { String::new() } else { format!(" if {}", self.text(when)) };
        self.line(&format!("{word}{condition}"));
    }

    fn block(&mut self, head: &str, steps: &[Step], is_followed: bool) {
        self.line(&format!("{head} ["));
        self.depth += 1;
        self.steps(steps, is_followed);
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
        self.block(&format!("{count} ×"), &repeat.of, true);
    }

    fn either(&mut self, branches: &[Branch], is_followed: bool) {
        let says = |branch: &Branch| {
            self.concerns(&branch.of) || has_lost(&branch.of) || is_followed && branch.of.iter().any(jumps)
        };
        // A branch that says nothing is left out where those behind it are for other values.
        let is_shown = |index: usize, branch: &Branch| {
            let mut others = branches[index + 1..].iter().filter(|other| says(other));
            says(branch) || !others.all(|it| excludes(&branch.when, &it.when))
        };
        let shown: Vec<&Branch> =
            branches.iter().enumerate().filter(|(index, it)| is_shown(*index, it)).map(|it| it.1).collect();
        for (index, branch) in shown.into_iter().enumerate() {
            let word = if index == 0 { "if" } else { "else if" };
            let head = match branch.when.is_logical(true) {
                true => "else".to_owned(),
                false => format!("{word} {}", self.text(&branch.when)),
            };
            self.block(&head, &branch.of, is_followed);
        }
    }

    fn read(&mut self, read: &ReadStep, is_followed: bool) {
        self.is_begun = true;
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
                Some(Caught::Perhaps(steps)) => {
                    let known = caught_word(steps, self.concerns(&read.then));
                    // That it goes on, or ends, is not known.
                    let does = if matches!(known.as_str(), "goes on" | "end") { "caught" } else { &known };
                    let _ = write!(head, "  {word}: {does}");
                }
                Some(Caught::Steps(steps)) => {
                    let _ = write!(head, "  {word}: {}", caught_word(steps, self.concerns(&read.then)));
                }
                None => {}
            }
        }
        self.line(&head);
        self.depth += 1;
        read.items.iter().for_each(|item| self.item(item));
        if let Form::Namelist(_, variables) = &read.form {
            for of in variables {
                let variable = &self.plan.variables[of.variable.index()];
                let shape = shape(&variable.bounds);
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
        if self.concerns(&read.then) {
            self.block("if it was read", &read.then, is_followed);
        }
    }

    fn failure(&self, failure: &Failure) -> String {
        let message = if failure.message.is_empty() { String::new() } else { format!(" stop \"{}\"", failure.message) };
        format!("{}{message}", place(self.plan, failure.at))
    }

    fn item(&mut self, item: &PlanItem) {
        match item {
            PlanItem::Value(place, of) => {
                let place = self.place(place);
                self.line(&format!("{place:<24} {of}"));
            }
            PlanItem::Loop(.., items) => match items.as_slice() {
                [PlanItem::Value(place, of)] => {
                    let (place, round) = (self.place(place), self.round(item));
                    self.line(&format!("{place:<24} {of}  ({round})"));
                }
                // Which of several runs fastest, the brackets say.
                _ => {
                    let mut types = Vec::new();
                    add_types(items, &mut types);
                    self.line(&format!("{:<24} {}", self.nested(item), types.join(", ")));
                }
            },
            PlanItem::Unknown(written) => self.line(&format!("{written:<24} ?")),
        }
    }

    /// What is read into: an array with its bounds.
    fn place(&self, place: &Expression) -> String {
        let bounds = match place {
            Expression::Variable(variable) => self.plan.variables[variable.index()].bounds.as_slice(),
            _ => &[],
        };
        format!("{}{}", self.text(place), shape(bounds))
    }

    /// The rounds of an implied DO.
    fn round(&self, item: &PlanItem) -> String {
        let PlanItem::Loop(variable, lower, upper, step, _) = item else { return String::new() };
        let variable = &self.plan.variables[variable.index()].name;
        let step = match self.text(step).as_str() {
            "1" => String::new(),
            step => format!(", {step}"),
        };
        format!("{variable} = {}, {}{step}", self.text(lower), self.text(upper))
    }

    /// An implied DO as it is written.
    fn nested(&self, item: &PlanItem) -> String {
        match item {
            PlanItem::Value(place, _) => self.place(place),
            PlanItem::Loop(.., items) => {
                let items: Vec<String> = items.iter().map(|item| self.nested(item)).collect();
                format!("({}, {})", items.join(", "), self.round(item))
            }
            PlanItem::Unknown(written) => written.clone(),
        }
    }
}

/// The types of items, each as often as another one comes before it.
fn add_types(items: &[PlanItem], types: &mut Vec<String>) {
    for item in items {
        match item {
            PlanItem::Value(_, of) if types.last() == Some(&of.to_string()) => {}
            PlanItem::Value(_, of) => types.push(of.to_string()),
            PlanItem::Loop(.., items) => add_types(items, types),
            PlanItem::Unknown(_) => types.push("?".to_owned()),
        }
    }
}

/// Whether a step may lead out of what is around, or to the next round.
fn jumps(step: &Step) -> bool {
    match step {
        Step::Exit(..) | Step::Cycle(..) => true,
        Step::Either(branches) => branches.iter().any(|branch| branch.of.iter().any(jumps)),
        _ => false,
    }
}

/// A word, and how many loops are meant where it is not the innermost one.
fn levels(word: &str, level: usize) -> String {
    if level < 2 { word.to_owned() } else { format!("{word} {level}") }
}

/// What a program does that catches the end of a file or an error.
fn caught_word(steps: &[Step], skips: bool) -> String {
    match steps.last() {
        Some(Step::Exit(when, 0)) if when.is_logical(true) => "end".to_owned(),
        Some(Step::Exit(when, level)) if when.is_logical(true) => levels("exit", *level),
        Some(Step::Cycle(when, level)) if when.is_logical(true) => levels("cycle", *level),
        Some(Step::Lost) => "not known".to_owned(),
        _ if skips => "skips".to_owned(),
        _ => "goes on".to_owned(),
    }
}

/// The bounds of an array in brackets.
fn shape(bounds: &[[Option<i64>; 2]]) -> String {
    let bounds: Vec<String> = bounds.iter().map(bound_text).collect();
    if bounds.is_empty() { String::new() } else { format!("({})", bounds.join(", ")) }
}

fn bound_text(bounds: &[Option<i64>; 2]) -> String {
    match bounds {
        [Some(1), Some(upper)] => upper.to_string(),
        [Some(lower), Some(upper)] => format!("{lower}:{upper}"),
        _ => ":".to_owned(),
    }
}
