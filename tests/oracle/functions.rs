//! Reads that sit in functions and subroutines: internal ones, of modules of this file and of others, external ones,
//! statement functions; in chains.

use super::kernel::{Index, Read, VARIABLES};
use super::program::Program;
use super::random::Random;
use super::storage::{Array, Dimension, EXTENT, element, explicit};

/// Where functions are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Internal,
    /// Module of the same file.
    Beside,
    /// Module of another file.
    Elsewhere,
    /// External, in another file.
    External,
}

/// The functions of a kernel by where they are.
#[derive(Default)]
pub struct Functions {
    /// Of a module of the same file.
    beside: Vec<String>,
    /// Of modules of other files.
    elsewhere: [Vec<String>; 2],
    /// External ones.
    external: Vec<String>,
    /// The names of external ones.
    external_names: Vec<String>,
    /// The names of statement functions.
    names: Vec<String>,
    /// The scalars that subroutines give values to.
    results: Vec<String>,
    count: usize,
}

/// How the dummy array is declared.
#[derive(Clone, PartialEq, Eq)]
enum Dummy {
    /// Assumed shape.
    Shape,
    /// With its extents.
    Explicit,
    /// Allocatable: the bounds are those of the actual argument.
    Allocatable,
    /// It is the array itself, as the function sees that of its host.
    Host(String),
}

/// A function that is to be defined.
struct Wanted<'k> {
    home: Home,
    dummy: &'k Dummy,
    /// The lower bounds of the dummy array.
    lower: Vec<i64>,
    reads: Vec<Read>,
    /// How many further functions it goes through.
    depth: usize,
    is_recursive: bool,
    result: Result,
}

/// A function that is defined: what a reference to it hands over.
struct Defined {
    name: String,
    /// The dummy arguments in order: the array, or a variable with what is added to it.
    dummies: Vec<Option<(usize, i64)>>,
    /// The scalar that it gives a value to, in the last argument.
    result: Option<String>,
}

/// What a reference reads.
pub struct Taken {
    /// The reference, or the scalar that a call gives a value to.
    pub text: String,
    /// The call that stands before.
    pub call: Option<String>,
    /// Whether nothing can be said of the array: the function calls itself, or is not known.
    pub is_silent: bool,
}

/// What a procedure returns its result in.
#[derive(Clone, PartialEq, Eq)]
enum Result {
    /// That of a function.
    Function,
    /// An argument of a subroutine, with the attribute if it has one.
    Argument(&'static str),
}

/// What is going on while functions are made up.
pub struct Maker<'k> {
    pub random: &'k mut Random,
    pub functions: &'k mut Functions,
    /// Whether functions must be declared PURE.
    pub must_be_pure: bool,
}

impl Maker<'_> {
    /// Takes some of the reads of an array into a function.
    pub fn take(&mut self, program: &mut Program, array: &Array, reads: &mut Vec<Read>) -> Option<Taken> {
        if reads.is_empty() || array.name.starts_with("e%") || array.name.starts_with("w%") || self.random.chance(50) {
            return None;
        }
        let count = self.random.between(1, reads.len() as i64) as usize;
        let taken: Vec<Read> = reads[..count].to_vec();
        if (0..VARIABLES.len()).all(|variable| !runs_over(&taken, variable)) {
            return None;
        }
        reads.drain(..count);
        if array.is_visible && self.random.chance(25) {
            let text = self.statement_function(program, array, &taken);
            return Some(Taken { text, call: None, is_silent: false });
        }
        let (home, dummy) = self.kind(array);
        let mut actual = array.name.clone();
        let mut inside = taken;
        let mut lower = array.lower.clone();
        if dummy == Dummy::Shape {
            (actual, inside, lower) = self.section(array, inside);
        }
        // Bounds of the dummy argument.
        let own: Vec<i64> = match dummy {
            Dummy::Shape | Dummy::Explicit => lower.iter().map(|_| self.random.between(0, 2)).collect(),
            Dummy::Allocatable | Dummy::Host(_) => lower.clone(),
        };
        let inside = rebased(inside, &lower, &own);
        // What a function that can't be followed reads of its host is not told.
        let is_silent = !matches!(dummy, Dummy::Host(_)) && self.random.chance(4);
        let depth = if is_silent { 0 } else { self.random.between(0, 2) as usize };
        let may_call = !self.must_be_pure && !is_silent && !actual.contains('(');
        let mut result = Result::Function;
        if may_call && self.random.chance(30) {
            let attribute: &&str = self.random.pick(&["", ", intent(out)", ", intent(inout)"]);
            result = Result::Argument(attribute);
        }
        let is_call = result != Result::Function;
        let is_recursive = is_silent;
        let wanted = Wanted { home, dummy: &dummy, lower: own, reads: inside, depth, is_recursive, result };
        let defined = self.define(program, wanted);
        let text = self.reference(&defined, &actual, home, &|variable| VARIABLES[variable].to_string());
        // External subroutines of other files are not known.
        let is_silent = is_silent || is_call && home == Home::External;
        let call = is_call.then(|| format!("call {text}"));
        let text = if is_call { self.functions.results.last().cloned().unwrap_or_default() } else { text };
        Some(Taken { text, call, is_silent })
    }

    fn kind(&mut self, array: &Array) -> (Home, Dummy) {
        let home = *self.random.pick(&[Home::Internal, Home::Internal, Home::Beside, Home::Elsewhere, Home::External]);
        let dummy = match self.random.below(4) {
            _ if home == Home::External => Dummy::Explicit,
            0 if array.is_allocatable => Dummy::Allocatable,
            1 if array.is_explicit => Dummy::Explicit,
            2 if array.is_visible && home == Home::Internal => Dummy::Host(array.name.clone()),
            _ => Dummy::Shape,
        };
        match (home, &dummy) {
            // Without an interface no function is known to be pure.
            (Home::External, _) if !array.is_explicit || self.must_be_pure => (Home::Internal, Dummy::Shape),
            _ => (home, dummy),
        }
    }

    /// A section of an array as actual argument: some dimensions are fixed where all reads agree, others begin further
    /// up. Gives the reads of what is left, and where its dimensions begin.
    fn section(&mut self, array: &Array, reads: Vec<Read>) -> (String, Vec<Read>, Vec<i64>) {
        let rank = array.lower.len();
        let mut parts = Vec::new();
        let mut lower = Vec::new();
        let mut kept = Vec::new();
        for dimension in 0..rank {
            let first = reads[0][dimension];
            let is_last = kept.is_empty() && dimension + 1 == rank;
            let others =
                |read: &Read| (0..rank).any(|other| other != dimension && matches!(read[other], Index::Relative(..)));
            let agrees = reads.iter().all(|read| read[dimension] == first && others(read));
            if agrees && !is_last && self.random.chance(40) {
                parts.push(match first {
                    Index::Relative(variable, offset) => format!("{}{offset:+}", VARIABLES[variable]),
                    Index::Absolute(value) => value.to_string(),
                    Index::Range(last) => format!("1:{last}"),
                });
                continue;
            }
            kept.push(dimension);
            let start = array.lower[dimension] + if self.random.chance(30) { self.random.between(0, 3) } else { 0 };
            parts.push(if start == array.lower[dimension] { ":".into() } else { format!("{start}:") });
            lower.push(start);
        }
        let reads = reads.into_iter().map(|read| kept.iter().map(|&dimension| read[dimension]).collect()).collect();
        let is_whole = parts.iter().all(|part| part == ":");
        let text = if is_whole { array.name.clone() } else { format!("{}({})", array.name, parts.join(",")) };
        (text, reads, lower)
    }

    fn statement_function(&mut self, program: &mut Program, array: &Array, taken: &[Read]) -> String {
        let used: Vec<usize> = (0..VARIABLES.len()).filter(|&variable| runs_over(taken, variable)).collect();
        let moved: Vec<i64> = VARIABLES.iter().map(|_| self.random.between(-1, 1)).collect();
        let terms: Vec<String> = taken.iter().map(|read| element(&array.name, &inside(read, &moved))).collect();
        let dummies: Vec<String> = used.iter().map(|variable| format!("x{variable}")).collect();
        let name = self.name("s");
        program.statement_functions.push(format!("{name}({}) = {}", dummies.join(","), terms.join(" + ")));
        self.functions.names.push(name.clone());
        let actual = |&variable: &usize| format!("{}{:+}", VARIABLES[variable], moved[variable]);
        let mut text = format!("{name}({})", used.iter().map(actual).collect::<Vec<String>>().join(","));
        if self.random.chance(30) {
            // One that refers to the other, its arguments in another order.
            let outer = self.name("s");
            let mut order = used.clone();
            self.random.shuffle(&mut order);
            let names = order.iter().map(|variable| format!("x{variable}")).collect::<Vec<String>>().join(",");
            let inner = used.iter().map(|variable| format!("x{variable}-1")).collect::<Vec<String>>().join(",");
            program.statement_functions.push(format!("{outer}({names}) = 2.0*{name}({inner})"));
            self.functions.names.push(outer.clone());
            let actual = |&variable: &usize| format!("{}{:+}", VARIABLES[variable], moved[variable] + 1);
            text = format!("{outer}({})", order.iter().map(actual).collect::<Vec<String>>().join(","));
        }
        text
    }

    fn name(&mut self, letter: &str) -> String {
        self.functions.count += 1;
        format!("{letter}f{}", self.functions.count)
    }

    /// Defines a function that does these reads, some of them through further functions.
    fn define(&mut self, program: &mut Program, wanted: Wanted<'_>) -> Defined {
        let Wanted { home, dummy, lower, mut reads, depth, is_recursive, result } = wanted;
        let name = self.name("f");
        // What a pure function references is pure, too.
        let outer_must = self.must_be_pure;
        self.must_be_pure |= (home != Home::External || depth == 0) && self.random.chance(40);
        let used: Vec<usize> = (0..VARIABLES.len()).filter(|&variable| runs_over(&reads, variable)).collect();
        let moved: Vec<i64> = VARIABLES.iter().map(|_| self.random.between(-1, 1)).collect();
        let of = match dummy {
            Dummy::Host(array) => array.clone(),
            _ => "v".to_string(),
        };
        let mut terms = Vec::new();
        if depth > 0 && reads.iter().any(|read| read.iter().any(|index| matches!(index, Index::Relative(..)))) {
            let count = self.random.between(1, reads.len() as i64) as usize;
            let handed: Vec<Read> = reads.drain(..count).map(|read| shifted(read, &moved)).collect();
            let own: Vec<i64> = match dummy {
                Dummy::Shape | Dummy::Explicit => lower.iter().map(|_| self.random.between(0, 2)).collect(),
                Dummy::Allocatable | Dummy::Host(_) => lower.to_vec(),
            };
            let handed = rebased(handed, &lower, &own);
            let (depth, result) = (depth - 1, Result::Function);
            let inner = Wanted { home, dummy, lower: own, reads: handed, depth, is_recursive: false, result };
            let inner = self.define(program, inner);
            terms.push(self.reference(&inner, "v", home, &|variable| format!("x{variable}")));
        }
        terms.extend(reads.iter().map(|read| element(&of, &inside(read, &moved))));
        let mut dummies: Vec<Option<(usize, i64)>> =
            used.iter().map(|&variable| Some((variable, moved[variable]))).collect();
        if !matches!(dummy, Dummy::Host(_)) {
            dummies.push(None);
        }
        self.random.shuffle(&mut dummies);
        let given = (result != Result::Function).then(|| {
            let given = format!("r{}", self.functions.results.len() + 1);
            self.functions.results.push(given.clone());
            given
        });
        let defined = Defined { name, dummies, result: given };
        if is_recursive {
            terms.push(self.reference(&defined, "v", home, &|variable| format!("x{variable}")));
        }
        let text = self.text(&defined, dummy, &lower, &terms, is_recursive, &result);
        self.must_be_pure = outer_must;
        match home {
            Home::Internal => program.contained.extend(text),
            Home::Beside => self.functions.beside.extend(text),
            // What lies deepest is in a file of its own.
            Home::Elsewhere => self.functions.elsewhere[usize::from(depth == 0)].extend(text),
            Home::External => {
                self.functions.external.extend(text);
                if result == Result::Function {
                    self.functions.external_names.push(defined.name.clone());
                }
            }
        }
        defined
    }

    fn text(
        &mut self,
        defined: &Defined,
        dummy: &Dummy,
        lower: &[i64],
        terms: &[String],
        is_recursive: bool,
        result: &Result,
    ) -> Vec<String> {
        let name = &defined.name;
        let prefix = if self.must_be_pure { "pure " } else { "" };
        let recursive = if is_recursive { "recursive " } else { "" };
        let scalars: Vec<String> =
            defined.dummies.iter().flatten().map(|(variable, _)| format!("x{variable}")).collect();
        let all: Vec<String> = defined
            .dummies
            .iter()
            .map(|dummy| dummy.map_or("v".to_string(), |(variable, _)| format!("x{variable}")))
            .collect();
        let (kind, of_result) = match result {
            Result::Function => ("function", ""),
            Result::Argument(attribute) => ("subroutine", *attribute),
        };
        let opening = format!("{recursive}{prefix}{kind} {name}");
        let mut lines = vec![match result {
            Result::Function => format!("{opening}({}) result(r)", all.join(", ")),
            Result::Argument(_) => format!("{opening}({})", [all.as_slice(), &["r".into()]].concat().join(", ")),
        }];
        lines.extend(match dummy {
            Dummy::Shape => {
                let bounds: Vec<String> = lower.iter().map(|lower| format!("{lower}:")).collect();
                Some(format!("real, intent(in) :: v({})", bounds.join(",")))
            }
            Dummy::Explicit => {
                let dimension = |&lower: &i64| Dimension { lower, extent: EXTENT, is_index: true };
                let dimensions: Vec<Dimension> = lower.iter().map(dimension).collect();
                Some(format!("real, intent(in) :: v({})", explicit(&dimensions)))
            }
            Dummy::Allocatable => {
                Some(format!("real, allocatable, intent(in) :: v({})", vec![":"; lower.len()].join(",")))
            }
            Dummy::Host(_) => None,
        });
        if !scalars.is_empty() {
            lines.push(format!("integer, intent(in) :: {}", scalars.join(", ")));
        }
        lines.push(format!("real{of_result} :: r"));
        lines.push(format!("r = {}", terms[0]));
        for term in &terms[1..] {
            if let Some(scalar) = scalars.first()
                && self.random.chance(20)
            {
                lines.push(format!("if ({scalar} > 50) return"));
            }
            lines.push(format!("r = r + {term}"));
        }
        lines.push(format!("end {kind} {name}"));
        lines
    }

    /// A reference to a function from where a variable has this name.
    fn reference(&mut self, defined: &Defined, array: &str, home: Home, of: &dyn Fn(usize) -> String) -> String {
        // Keywords need an explicit interface.
        let with_keywords = home != Home::External && self.random.chance(30);
        let mut arguments: Vec<String> = Vec::new();
        for argument in &defined.dummies {
            let (keyword, text) = match argument {
                Some((variable, moved)) => (format!("x{variable}"), format!("{}{moved:+}", of(*variable))),
                None => ("v".to_string(), array.to_string()),
            };
            arguments.push(if with_keywords { format!("{keyword}={text}") } else { text });
        }
        if let Some(result) = &defined.result {
            arguments.push(if with_keywords { format!("r={result}") } else { result.clone() });
        }
        if with_keywords {
            self.random.shuffle(&mut arguments);
        }
        format!("{}({})", defined.name, arguments.join(", "))
    }
}

impl Functions {
    /// Puts them where they belong: what of them is in the program's file goes there; gives the other files.
    pub fn place(self, program: &mut Program) -> Vec<String> {
        if !self.names.is_empty() {
            program.declarations.push(format!("real :: {}", self.names.join(", ")));
        }
        if !self.results.is_empty() {
            program.declarations.push(format!("real :: {}", self.results.join(", ")));
        }
        if !self.external_names.is_empty() {
            program.declarations.push(format!("real, external :: {}", self.external_names.join(", ")));
        }
        let module = |name: &str, uses: &str, functions: &[String]| {
            let head = [format!("module {name}"), uses.to_string(), "implicit none".into(), "contains".into()];
            let lines = head.into_iter().filter(|line| !line.is_empty()).chain(functions.iter().cloned());
            lines.chain([format!("end module {name}")]).collect::<Vec<String>>()
        };
        if !self.beside.is_empty() {
            program.modules = module("beside", "", &self.beside);
            program.uses.push("beside".into());
        }
        let [outer, inner] = &self.elsewhere;
        let mut files = Vec::new();
        if !inner.is_empty() {
            files.push(module("deeper", "", inner));
            program.uses.push("deeper".into());
        }
        if !outer.is_empty() {
            files.push(module("elsewhere", if inner.is_empty() { "" } else { "use deeper" }, outer));
            program.uses.push("elsewhere".into());
        }
        if !self.external.is_empty() {
            files.push(self.external.clone());
        }
        files.into_iter().map(|lines| lines.join("\n") + "\n").collect()
    }
}

/// The indices of a read inside a function whose dummy arguments are so much more than the variables.
fn inside(read: &[Index], moved: &[i64]) -> Vec<String> {
    let index = |index: &Index| match *index {
        Index::Relative(variable, offset) => format!("x{variable}{:+}", offset - moved[variable]),
        Index::Absolute(value) => value.to_string(),
        Index::Range(last) => format!("1:{last}"),
    };
    read.iter().map(index).collect()
}

/// A read relative to variables that are so much more.
fn shifted(read: Read, moved: &[i64]) -> Read {
    let index = |index| match index {
        Index::Relative(variable, offset) => Index::Relative(variable, offset - moved[variable]),
        absolute => absolute,
    };
    read.into_iter().map(index).collect()
}

/// Reads of an array of which the dimensions begin at one index, where they begin at another one.
fn rebased(reads: Vec<Read>, from: &[i64], to: &[i64]) -> Vec<Read> {
    let by = |dimension: usize| to[dimension] - from[dimension];
    let one = |read: Read| {
        let indices = read.into_iter().enumerate().map(|(dimension, index)| match index {
            Index::Relative(variable, offset) => Index::Relative(variable, offset + by(dimension)),
            Index::Absolute(value) => Index::Absolute(value + by(dimension)),
            Index::Range(last) => Index::Range(last + by(dimension)),
        });
        indices.collect()
    };
    reads.into_iter().map(one).collect()
}

fn runs_over(reads: &[Read], variable: usize) -> bool {
    reads.iter().flatten().any(|index| matches!(index, Index::Relative(other, _) if *other == variable))
}
