//! A program of the generator: its text as it is analysed, and with probes as it is run. Both have the same lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is watched where a statement is executed.
#[derive(Clone, Default)]
pub struct Watch {
    /// What the standard demands and gfortran doesn't check: logical expressions.
    pub canaries: Vec<String>,
    /// Sections and arrays have elements: logical expressions.
    pub operands: Vec<String>,
    /// Whether the next line is executed as part of this statement, and under what.
    pub next: Option<String>,
}

impl Watch {
    /// Sections and arrays that have elements.
    pub fn operands(operands: Vec<String>) -> Self {
        Watch { operands, ..Watch::default() }
    }

    /// That an array has the shape of an expression.
    pub fn shape(mut self, array: &str, expression: &str) -> Self {
        // SHAPE may be negative where the bounds of an array are that far apart.
        self.canaries.push(format!("all(max(shape({array}), 0) == max(shape({expression}), 0))"));
        self
    }
}

/// Under what a line counts as reached, besides what the generator knows: what is said of it is said under that.
#[derive(Clone, Default, Debug)]
pub struct Counting {
    /// A logical expression.
    pub condition: Option<String>,
    /// Lines of called procedures that are reached by it.
    pub lines: BTreeSet<usize>,
}

/// How a line is watched.
enum Probe {
    /// Not at all; this stands before it.
    Plain(String),
    /// Where it is executed.
    Statement(Watch),
    /// An IF statement, where its action is executed: the condition, the action.
    If(String, String, Watch),
}

struct Line {
    depth: usize,
    text: String,
    probe: Probe,
    /// The lines of the construct that ends here, if it is one of the outermost ones of its procedure.
    ends: Option<(usize, usize)>,
}

/// The lines of a program.
#[derive(Default)]
pub struct Program {
    lines: Vec<Line>,
    depth: usize,
    /// The lines where the constructs begin that are open in the procedure.
    open: Vec<usize>,
}

impl Program {
    fn push(&mut self, text: impl Into<String>, probe: Probe) {
        self.lines.push(Line { depth: self.depth, text: text.into(), probe, ends: None });
    }

    /// A line that is not watched: a declaration, the beginning of a program unit.
    pub fn plain(&mut self, text: impl Into<String>) {
        self.push(text, Probe::Plain(String::new()));
    }

    /// A line before which something stands in the program that is run.
    pub fn behind(&mut self, before: &str, text: impl Into<String>) {
        self.push(text, Probe::Plain(before.to_owned()));
    }

    /// A statement.
    pub fn statement(&mut self, text: impl Into<String>, watch: Watch) {
        self.push(text, Probe::Statement(watch));
        self.end_outermost();
    }

    /// An IF statement.
    pub fn guarded(&mut self, condition: &str, action: &str, watch: Watch) {
        self.push(format!("if ({condition}) {action}"), Probe::If(condition.into(), action.into(), watch));
        self.end_outermost();
    }

    /// The first statement of a construct.
    pub fn open(&mut self, text: impl Into<String>, watch: Watch) {
        self.push(text, Probe::Statement(watch));
        self.open.push(self.lines.len());
        self.depth += 1;
    }

    /// ELSE, CASE.
    pub fn middle(&mut self, text: impl Into<String>) {
        self.depth -= 1;
        self.plain(text);
        self.depth += 1;
    }

    /// The end of a construct.
    pub fn close(&mut self, text: impl Into<String>) {
        self.depth -= 1;
        self.plain(text);
        let first = self.open.pop().unwrap_or(self.lines.len());
        if self.open.is_empty() {
            self.ends(first);
        }
    }

    fn end_outermost(&mut self) {
        if self.open.is_empty() {
            self.ends(self.lines.len());
        }
    }

    fn ends(&mut self, first: usize) {
        let last = self.lines.len();
        if let Some(line) = self.lines.last_mut() {
            line.ends = Some((first, last));
        }
    }

    /// The lines of which the next one is a part.
    pub fn joined(&self) -> BTreeSet<usize> {
        let is_joined = |line: &Line| matches!(&line.probe, Probe::Statement(watch) if watch.next.is_some());
        (1..).zip(&self.lines).filter(|(_, line)| is_joined(line)).map(|(number, _)| number).collect()
    }

    /// The text that is analysed.
    pub fn text(&self) -> String {
        let indented = |line: &Line| format!("{}{}\n", "  ".repeat(line.depth), line.text);
        self.lines.iter().map(indented).collect()
    }

    /// The text that is run.
    pub fn probed(&self, counting: &BTreeMap<usize, Counting>) -> String {
        let none = Counting::default();
        let of_line = |number: usize| counting.get(&number).unwrap_or(&none);
        let mut out = String::new();
        for (line, number) in self.lines.iter().zip(1..) {
            let probes = |watch: &Watch| probes(watch, number, [of_line(number), of_line(number + 1)]);
            let behind = of_line(number).lines.iter().fold(String::new(), |mut behind, line| {
                let _ = write!(behind, "; call oracle_called({number}, {line})");
                behind
            });
            let _ = match &line.probe {
                Probe::Plain(before) => write!(out, "{before}{}", line.text),
                Probe::Statement(watch) => write!(out, "{}; {}{behind}", probes(watch), line.text),
                Probe::If(condition, action, watch) => {
                    write!(out, "if ({condition}) then; {}; {action}{behind}; end if", probes(watch))
                }
            };
            if let Some((first, last)) = line.ends {
                let _ = write!(out, "; call oracle_done({first}, {last})");
            }
            out.push('\n');
        }
        out
    }
}

/// What stands before a statement; `counting` is of its line and the next one.
fn probes(watch: &Watch, number: usize, [counting, of_next]: [&Counting; 2]) -> String {
    let all = |conditions: &mut dyn Iterator<Item = &String>| {
        let parts: Vec<String> = conditions.map(|one| format!("({one})")).collect();
        if parts.is_empty() { ".true.".to_owned() } else { parts.join(" .and. ") }
    };
    let counts = all(&mut watch.operands.iter().chain(&counting.condition));
    let called = counting.lines.len();
    let mut parts = vec![format!("call oracle_reach({number}, {counts}, {called})")];
    if let Some(condition) = &watch.next {
        let counts = all(&mut [condition].into_iter().chain(&watch.operands).chain(&of_next.condition));
        parts.push(format!("call oracle_reach({}, {counts}, 0)", number + 1));
        parts.push(format!("call oracle_reach({number}, {counts}, {called})"));
    }
    parts.extend(watch.canaries.iter().map(|canary| format!("if (.not. ({canary})) call oracle_broken()")));
    parts.join("; ")
}

/// The module that the probes call. At the end of the run, whatever the reason, it prints the line that is executed,
/// the lines that were reached, and those that were reached in a construct that was left.
pub const TRACE: &str = "\
module oracle_trace
  use iso_c_binding
  implicit none
  integer, parameter :: oracle_most = 2000
  integer :: oracle_current = 0, oracle_steps = 0, oracle_depth = 0, oracle_stack(1000)
  integer :: oracle_begun(oracle_most) = 0, oracle_counted(oracle_most) = 0, oracle_waiting(oracle_most) = 0
  logical :: oracle_seen(oracle_most) = .false., oracle_reached(oracle_most) = .false.
  logical :: oracle_finished(oracle_most) = .false.
  interface
    integer(c_int) function oracle_atexit(action) bind(c, name='atexit')
      import
      type(c_funptr), value :: action
    end function
    integer(c_int) function oracle_alarm(seconds) bind(c, name='alarm')
      import
      integer(c_int), value :: seconds
    end function
  end interface
contains
  subroutine oracle_reach(line, counts, called)
    integer, intent(in) :: line, called
    logical, intent(in) :: counts
    oracle_current = line
    oracle_steps = oracle_steps + 1
    if (oracle_steps > 1000000) stop 4
    oracle_seen(line) = .true.
    oracle_begun(line) = oracle_steps
    oracle_waiting(line) = merge(called, -1, counts)
    if (counts .and. called == 0) oracle_reached(line) = .true.
    if (counts) oracle_counted(line) = oracle_steps
  end subroutine
  subroutine oracle_called(line, of_procedure)
    integer, intent(in) :: line, of_procedure
    if (oracle_counted(of_procedure) < oracle_begun(line)) return
    oracle_waiting(line) = oracle_waiting(line) - 1
    if (oracle_waiting(line) == 0) oracle_reached(line) = .true.
  end subroutine
  subroutine oracle_enter()
    oracle_depth = oracle_depth + 1
    oracle_stack(oracle_depth) = oracle_current
  end subroutine
  subroutine oracle_leave()
    oracle_current = oracle_stack(oracle_depth)
    oracle_depth = oracle_depth - 1
  end subroutine
  subroutine oracle_done(first, last)
    integer, intent(in) :: first, last
    where (oracle_reached(first:last)) oracle_finished(first:last) = .true.
    oracle_reached(first:last) = .false.
  end subroutine
  subroutine oracle_broken()
    write (0, '(a)') 'canary'
    stop 3
  end subroutine
  subroutine oracle_finish() bind(c)
    integer :: line
    write (0, '(a,i0)') 'current ', oracle_current
    do line = 1, oracle_most
      if (oracle_seen(line)) write (0, '(a,i0)') 'seen ', line
      if (oracle_finished(line)) write (0, '(a,i0)') 'finished ', line
    end do
  end subroutine
end module
";
