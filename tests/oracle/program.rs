//! Printing a kernel as a program in both forms.

use super::kernel::VARIABLES;

/// First index, last index and step (none: 1) of a loop.
pub type Bounds = (&'static str, &'static str, &'static str);

/// The loops around a computation: DO loops, and perhaps a construct inside them that counts several variables at once.
#[derive(Default)]
pub struct Nest {
    /// The variables of DO loops, outer ones first.
    pub counted: Vec<(usize, Bounds)>,
    /// The construct.
    pub indexed: Option<Indexed>,
}

/// DO CONCURRENT or FORALL.
pub struct Indexed {
    /// Its keyword.
    pub keyword: &'static str,
    /// Its indices.
    pub indices: Vec<(usize, Bounds)>,
    /// Its mask.
    pub mask: Option<String>,
    /// Whether it is the FORALL statement, which holds its assignment itself.
    pub is_statement: bool,
}

impl Indexed {
    fn header(&self) -> String {
        let triplet = |&(variable, (first, last, step)): &(usize, Bounds)| {
            let step = if step.is_empty() { String::new() } else { format!(":{step}") };
            format!("{} = {first}:{last}{step}", VARIABLES[variable])
        };
        let indices: Vec<String> = self.indices.iter().map(triplet).chain(self.mask.clone()).collect();
        format!("{} ({})", self.keyword, indices.join(", "))
    }

    /// The construct around a body.
    fn around(&self, body: &[String]) -> Vec<String> {
        if self.is_statement {
            return vec![format!("{} {}", self.header(), body.join(""))];
        }
        let end = if self.keyword == "forall" { "end forall" } else { "end do" };
        [self.header()].into_iter().chain(body.iter().map(|line| format!("  {line}"))).chain([end.into()]).collect()
    }
}

/// A program.
#[derive(Default)]
pub struct Program {
    /// Dummy arguments, if it is a subroutine.
    pub dummies: Vec<String>,
    /// The modules that it uses.
    pub uses: Vec<String>,
    /// Declarations.
    pub declarations: Vec<String>,
    /// Statements before the loops.
    pub before: Vec<String>,
    /// The loops.
    pub nest: Nest,
    /// The statements in the innermost one.
    pub body: Vec<String>,
    /// Statements behind the loops.
    pub after: Vec<String>,
    /// Internal procedures.
    pub contained: Vec<String>,
    /// Statement functions.
    pub statement_functions: Vec<String>,
    /// What comes before the program: modules.
    pub modules: Vec<String>,
}

const NAMES: [&str; 2] =
    ["t1, t2, t3, t4, t5, t6, c1, c2, c3, total, flag", "i, j, k, x0, x1, x2, n1, n2, n3, n4, n5, n6, n7, n8, n9"];

impl Program {
    fn heading(&self) -> String {
        match self.dummies.is_empty() {
            true => "program kernel".into(),
            false => format!("subroutine kernel({})", self.dummies.join(", ")),
        }
    }

    fn end(&self) -> &'static str {
        if self.dummies.is_empty() { "end program kernel" } else { "end subroutine kernel" }
    }

    fn inner(&self) -> Vec<String> {
        match &self.nest.indexed {
            Some(indexed) => indexed.around(&self.body),
            None => self.body.clone(),
        }
    }

    /// In free form.
    pub fn free_form(&self) -> String {
        let mut lines = self.modules.clone();
        lines.push(self.heading());
        lines.extend(self.uses.iter().map(|name| format!("  use {name}")));
        lines.push("  implicit none".into());
        lines.push("  integer, parameter :: two = 2, nn = 99".into());
        lines.push(format!("  real :: {}", NAMES[0]));
        lines.push(format!("  integer :: {}", NAMES[1]));
        let specification = self.declarations.iter().chain(&self.statement_functions).chain(&self.before);
        lines.extend(specification.map(|line| format!("  {line}")));
        let counted = &self.nest.counted;
        for (depth, (variable, (first, last, step))) in counted.iter().enumerate() {
            let step = if step.is_empty() { String::new() } else { format!(", {step}") };
            lines.push(format!("{}do {} = {first}, {last}{step}", "  ".repeat(depth + 1), VARIABLES[*variable]));
        }
        let indent = "  ".repeat(counted.len() + 1);
        let broken = |line: &String| format!("{indent}{}", line.replace(" + ", " + &\n      & "));
        lines.extend(self.inner().iter().map(broken));
        lines.extend((0..counted.len()).rev().map(|depth| format!("{}end do", "  ".repeat(depth + 1))));
        lines.extend(self.after.iter().map(|line| format!("  {line}")));
        if !self.contained.is_empty() {
            lines.push("contains".into());
            lines.extend(self.contained.iter().map(|line| format!("  {line}")));
        }
        lines.push(self.end().into());
        lines.join("\n") + "\n"
    }

    /// The same in fixed form: one label ends all DO loops, lines are cut where they are full.
    pub fn fixed_form(&self) -> String {
        let statement = |text: &String| format!("      {}", text.to_uppercase().trim_start());
        let mut lines: Vec<String> = self.modules.iter().map(statement).collect();
        lines.push(statement(&self.heading()));
        lines.extend(self.uses.iter().map(|name| statement(&format!("use {name}"))));
        lines.push(statement(&format!("integer two, nn, {}", NAMES[1])));
        lines.push("      PARAMETER (TWO = 2, NN = 99)".into());
        lines.push(statement(&format!("real {}", NAMES[0])));
        let specification = self.declarations.iter().chain(&self.statement_functions).chain(&self.before);
        lines.extend(specification.map(statement));
        for (variable, (first, last, step)) in &self.nest.counted {
            let step = if step.is_empty() { String::new() } else { format!(", {step}") };
            lines.push(statement(&format!("do 10 {} = {first}, {last}{step}", VARIABLES[*variable])));
        }
        lines.extend(self.inner().iter().map(|line| statement(&line.replace(" > ", " .GT. "))));
        if !self.nest.counted.is_empty() {
            lines.push("   10 CONTINUE".into());
        }
        lines.extend(self.after.iter().map(statement));
        if !self.contained.is_empty() {
            lines.push("      CONTAINS".into());
            lines.extend(self.contained.iter().map(statement));
        }
        lines.push("      END".into());
        lines.iter().map(|line| cut(line)).collect::<Vec<String>>().join("\n") + "\n"
    }
}

/// A line of fixed form with as many continuation lines as it needs.
fn cut(line: &str) -> String {
    let (first, mut rest) = line.split_at(line.len().min(72));
    let mut cut = first.to_string();
    while !rest.is_empty() {
        let (next, others) = rest.split_at(rest.len().min(66));
        cut += &format!("\n     &{next}");
        rest = others;
    }
    cut
}
