//! Random programs that check what they are given: a module with variables and procedures, one of which nothing calls.

use super::program::{Entry, Kind, Program, Variable, literal};
use super::random::Random;

/// A dummy argument.
#[derive(Clone, Debug)]
pub struct Dummy {
    pub variable: Variable,
    pub intent: &'static str,
    pub is_optional: bool,
}

/// A procedure that can be called.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub dummies: Vec<Dummy>,
    pub is_function: bool,
    /// Whether it has an explicit interface.
    pub is_in_module: bool,
    /// Whether it may stop the program: what `.and.` evaluates is not laid down.
    pub can_fail: bool,
}

/// What is known where a statement stands.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub variables: Vec<Variable>,
    /// Optional arguments, present or not.
    pub optional: Vec<Variable>,
    /// How many loops are around it.
    pub loops: usize,
    /// Whether RETURN can stand here.
    pub can_return: bool,
    /// Whether nothing may fail here, but in calls.
    pub is_quiet: bool,
}

/// A generator of one program.
pub struct Generator {
    pub random: Random,
    pub program: Program,
    pub scope: Scope,
    pub procedures: Vec<Procedure>,
    /// How many labels and names of blocks were made.
    pub labels: usize,
}

/// The program of a seed.
pub fn program(seed: u64, name: &str) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(29));
    random.below(7);
    let entry = *random.pick(&[Entry::Arguments, Entry::Arguments, Entry::Namelist, Entry::Main]);
    let mut generator = Generator {
        random,
        program: Program::new(name, entry),
        scope: Scope::default(),
        procedures: Vec::new(),
        labels: 0,
    };
    generator.module(name);
    generator.program
}

const KINDS: [Kind; 7] =
    [Kind::Integer, Kind::Integer, Kind::Integer, Kind::Integer, Kind::Real, Kind::Logical, Kind::Text];

impl Generator {
    fn module(&mut self, name: &str) {
        self.program.open(format!("module {name}_module"));
        self.program.line("implicit none");
        let host = [
            Variable::scalar("mode", Kind::Integer, true),
            Variable::scalar("is_ready", Kind::Logical, true),
            Variable::scalar("threshold", Kind::Real, true),
        ];
        self.program.host = host[..self.random.below(4) as usize].to_vec();
        for variable in self.program.host.clone() {
            let initial = variable.value(&mut self.random);
            self.program.line(format!("{} = {}", variable.declared(", save"), literal(&initial)));
            self.program.initial.insert(variable.name, initial);
        }
        self.program.middle("contains");
        self.wrapper(name);
        for number in 0..self.random.below(4) {
            self.helper(&format!("{name}_helper{number}"), true);
        }
        let is_module_procedure = self.program.entry != Entry::Main && self.random.chance(60);
        if is_module_procedure {
            self.entry(name, "");
        }
        self.program.close("end module");
        if !is_module_procedure {
            if self.random.chance(30) {
                self.helper(&format!("{name}_outside"), false);
            }
            self.entry(name, &format!("use {name}_module"));
        }
    }

    /// A procedure that reports and stops, and one that does so for some arguments.
    fn wrapper(&mut self, name: &str) {
        self.program.open(format!("subroutine give_up_{name}(text)"));
        self.program.line("character(*), intent(in) :: text");
        self.program.line("write (*, *) 'fatal: ', text");
        self.program.line("error stop text");
        self.program.close("end subroutine");
        self.program.open(format!("subroutine tell_{name}(level)"));
        self.program.line("integer, intent(in) :: level");
        let line = self.program.next_line();
        self.program.line(format!("if (level > 2) stop 'at {line}'"));
        self.program.close("end subroutine");
    }

    fn dummy(&mut self, at: u64, can_give_back: bool) -> Dummy {
        let kind = *self.random.pick(&KINDS);
        let intent = match self.random.below(10) {
            0 if can_give_back && kind != Kind::Text => "inout",
            1 if can_give_back && kind != Kind::Text => "out",
            _ => "in",
        };
        let is_array = intent == "in" && matches!(kind, Kind::Integer | Kind::Real) && self.random.chance(15);
        let mut variable = Variable::scalar(format!("d{at}"), kind, intent != "in");
        variable.extent = is_array.then_some(4);
        Dummy { variable, intent, is_optional: false }
    }

    /// A procedure that others call.
    fn helper(&mut self, name: &str, is_in_module: bool) {
        let is_function = self.random.chance(30);
        let mut dummies: Vec<Dummy> =
            (0..self.random.between(1, 3)).map(|at| self.dummy(at as u64, !is_function)).collect();
        if is_function {
            dummies.iter_mut().for_each(|dummy| dummy.variable.extent = None);
        } else if self.random.chance(40) {
            let status = Variable::scalar("info", Kind::Integer, true);
            dummies.push(Dummy { variable: status, intent: "out", is_optional: false });
        }
        if is_in_module && !is_function && self.random.chance(30) {
            let mut dummy = self.dummy(9, false);
            dummy.variable.extent = None;
            dummy.is_optional = true;
            dummies.push(dummy);
        }
        let kind = if is_function { "integer function" } else { "subroutine" };
        let names: Vec<&str> = dummies.iter().map(|dummy| dummy.variable.name.as_str()).collect();
        let opening = self.program.next_line();
        self.program.open(format!("{kind} {name}({})", names.join(", ")));
        if !is_in_module {
            self.program.line(format!("use {}_module", self.program.name));
            self.program.line("implicit none");
        }
        self.begin(&dummies);
        self.scope.can_return = true;
        self.locals(opening);
        if is_function {
            self.scope.variables.push(Variable::scalar(name, Kind::Integer, true));
            let value = self.integer(1);
            self.program.line(format!("{name} = {value}"));
            self.scope.is_quiet = self.random.chance(70);
            // What order functions are called in is not laid down.
            let is_of_host = |one: &Variable| self.program.host.iter().any(|host| host.name == one.name);
            self.scope.variables.iter_mut().filter(|one| is_of_host(one)).for_each(|one| one.is_assignable = false);
        }
        let count = self.random.between(1, if is_function { 2 } else { 4 });
        if dummies.iter().any(|dummy| dummy.variable.name == "info") && self.random.chance(60) {
            self.status_checks();
        }
        self.statements(count as u64, 2);
        self.program.close(if is_function { "end function" } else { "end subroutine" });
        let can_fail = !self.scope.is_quiet;
        self.procedures.push(Procedure { name: name.to_owned(), dummies, is_function, is_in_module, can_fail });
    }

    /// Declares dummy arguments; sets those that are only given back once the declarations are complete.
    fn begin(&mut self, dummies: &[Dummy]) {
        self.scope = Scope { variables: self.program.host.clone(), ..Scope::default() };
        for dummy in dummies {
            let optional = if dummy.is_optional { ", optional" } else { "" };
            let declared = dummy.variable.declared(&format!(", intent({}){optional}", dummy.intent));
            self.program.line(declared.replace("character(8)", "character(*)"));
            match dummy.is_optional {
                true => self.scope.optional.push(dummy.variable.clone()),
                false => self.scope.variables.push(dummy.variable.clone()),
            }
        }
    }

    /// Local variables, which get values in terms of what is given; `opening` is the line of the procedure.
    fn locals(&mut self, opening: usize) {
        let locals: Vec<Variable> = (0..self.random.between(1, 3))
            .map(|at| Variable::scalar(format!("k{at}"), *self.random.pick(&KINDS), true))
            .collect();
        let has_array = self.random.chance(20);
        for local in &locals {
            let short = local.kind == Kind::Text && self.random.chance(40);
            let declared = local.declared("");
            self.program.line(if short { declared.replace("(8)", "(3)") } else { declared });
        }
        let given_back: Vec<Variable> = self
            .scope
            .variables
            .iter()
            .filter(|one| one.name == "info" || one.is_assignable && one.name.starts_with('d'))
            .cloned()
            .collect();
        self.program.line("integer :: i, j");
        if has_array {
            self.program.line("integer :: table(4)");
        }
        self.program.traced_as(opening, "i = 0");
        for variable in given_back {
            let value = self.constant(variable.kind);
            self.program.line(format!("{} = {value}", variable.name));
        }
        for local in locals {
            let value = self.expression(local.kind, 2);
            self.program.line(format!("{} = {value}", local.name));
            self.scope.variables.push(local);
        }
        if has_array {
            let values: Vec<String> = (0..4).map(|_| self.integer(1)).collect();
            self.program.line(format!("table = [{}]", values.join(", ")));
            let mut array = Variable::scalar("table", Kind::Integer, true);
            array.extent = Some(4);
            self.scope.variables.push(array);
        }
    }

    /// The procedure that nothing calls.
    fn entry(&mut self, name: &str, uses: &str) {
        let entry = self.program.entry;
        let mut given: Vec<Dummy> = (0..self.random.between(2, 5)).map(|at| self.dummy(at as u64, false)).collect();
        if entry == Entry::Arguments && uses.is_empty() {
            for dummy in &mut given[1..] {
                dummy.is_optional = dummy.variable.extent.is_none() && self.random.chance(20);
                if dummy.is_optional {
                    self.program.optional.push(dummy.variable.name.clone());
                }
            }
        }
        let names: Vec<String> = given.iter().map(|dummy| dummy.variable.name.clone()).collect();
        let (opening, closing) = match entry {
            Entry::Main => (format!("program {name}"), format!("end program {name}")),
            Entry::Namelist => (format!("subroutine {name}()"), "end subroutine".to_owned()),
            Entry::Arguments => (format!("subroutine {name}({})", names.join(", ")), "end subroutine".to_owned()),
        };
        let line = self.program.next_line();
        self.program.open(opening);
        if !uses.is_empty() {
            self.program.line(uses);
            self.program.line("implicit none");
            if let Some(outside) = self.procedures.iter().find(|one| !one.is_in_module && one.is_function) {
                self.program.line(format!("integer, external :: {}", outside.name));
            }
        }
        if entry == Entry::Arguments {
            self.begin(&given);
        } else {
            self.begin(&[]);
            for dummy in &given {
                let mut variable = dummy.variable.clone();
                variable.is_assignable = true;
                self.program.line(variable.declared(""));
            }
            self.program.line(format!("namelist /settings/ {}", names.join(", ")));
        }
        self.program.given = given.iter().map(|dummy| dummy.variable.clone()).collect();
        self.scope.can_return = entry != Entry::Main;
        if entry == Entry::Arguments {
            self.locals(line);
        } else {
            self.read_settings(&given);
        }
        let count = self.random.between(3, 7);
        self.statements(count as u64, 3);
        self.program.close(closing);
    }

    /// Defaults, and the READ that may replace them.
    fn read_settings(&mut self, given: &[Dummy]) {
        self.program.line("integer :: i, j");
        for dummy in given {
            let value = dummy.variable.value(&mut self.random);
            let text = literal(&value);
            let text = if dummy.variable.extent.is_some() { format!("[{text}]") } else { text };
            self.program.line(format!("{} = {text}", dummy.variable.name));
            self.program.defaults.insert(dummy.variable.name.clone(), value);
            self.scope.variables.push(dummy.variable.clone());
        }
        self.program.line("read (*, nml=settings)");
    }
}
