//! Random programs: a module with a procedure that nothing calls, and procedures that it calls.

use super::calls::STORE;
use super::program::{Program, Watch};
use super::random::Random;
use super::scope::{Array, Bounds, Element, Scope};

/// What the arguments `n`, `m`, `k` and `t` of a program's procedure can be.
pub const SIZES: [[i64; 4]; 10] = [
    [3, 3, 3, 1],
    [4, 4, 2, 2],
    [3, 5, 2, 0],
    [5, 3, 4, 3],
    [1, 1, 1, 1],
    [2, 1, 3, 2],
    [0, 2, 1, 1],
    [6, 4, 0, 0],
    [-1, 0, 2, 1],
    [7, 7, 7, 3],
];

/// The procedures that end the program where something is not as they test.
const GATES: &str = "\
subroutine insist(holds)
  logical, intent(in) :: holds
  if (.not. holds) call halt()
end subroutine
subroutine limit(n, most)
  integer, intent(in) :: n, most
  if (n <= most) return
  if (shared_size < 0) shared_size = 1
  call halt()
end subroutine
subroutine halt()
  stop 5
end subroutine";

/// A generator of one program.
pub struct Generator {
    pub random: Random,
    pub program: Program,
    pub scope: Scope,
    /// The procedures that can be called.
    pub helpers: Vec<Helper>,
    /// How often something is as it should not be, in percent of how often it can be.
    rate: u64,
    /// How many names were made.
    names: usize,
}

/// The interface of a procedure that can be called.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    /// Its arrays.
    pub arrays: Vec<Array>,
    /// How they are declared: `true` of explicit or assumed size, `false` of assumed shape.
    pub is_explicit: bool,
    /// Whether it is a function, the extent of whose result its first size is.
    pub is_function: bool,
}

/// The program of a seed; `name` is that of its procedure.
pub fn program(seed: u64, name: &str) -> Program {
    let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(17));
    let mut generator = Generator {
        random,
        program: Program::default(),
        scope: Scope::default(),
        helpers: Vec::new(),
        rate: 0,
        names: 0,
    };
    generator.random.below(7);
    generator.rate = *generator.random.pick(&[0, 0, 15, 30, 60, 100]);
    generator.module(name);
    generator.program
}

impl Generator {
    fn module(&mut self, name: &str) {
        self.program.plain(format!("module {name}_module"));
        self.program.behind("use oracle_trace; ", "implicit none");
        self.program.plain("integer :: shared_size = 3");
        self.program.plain("integer :: held(3) = [3, 4, 2]");
        self.program.plain("contains");
        GATES.lines().for_each(|line| self.program.plain(line));
        for number in 0..self.random.below(4) {
            self.helper(&format!("{name}_helper{number}"));
        }
        self.outermost(name);
        self.program.plain("end module");
    }

    /// Whether something is made wrong that is so in so many percent of the places of a program with many slips.
    pub fn slips(&mut self, percent: u64) -> bool {
        self.random.chance(percent * self.rate / 100)
    }

    /// A new name.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn outermost(&mut self, name: &str) {
        self.program.plain(format!("subroutine {name}(n, m, k, t)"));
        self.program.plain("integer, intent(in) :: n, m, k, t");
        self.scope = Scope { sizes: self.sizes(), ..Scope::default() };
        self.size_that_is_held(30);
        for _ in 0..self.random.between(4, 7) {
            self.local_array();
        }
        self.body(9, None);
        self.program.behind("call oracle_leave(); ", format!("end subroutine {name}"));
    }

    /// The sizes of a program: mostly two.
    fn sizes(&mut self) -> Vec<String> {
        let mut sizes = ["n", "m", "k"].map(str::to_owned);
        self.random.shuffle(&mut sizes);
        let count = if self.random.chance(70) { 2 } else { 3 };
        sizes[..count].to_vec()
    }

    /// Perhaps one more size: an element of an array that all procedures know.
    fn size_that_is_held(&mut self, percent: u64) {
        if self.random.chance(percent) {
            self.scope.sizes.push(self.random.pick(&["held(1)", "held(2)"]).to_string());
        }
    }

    /// A procedure that others call: its arrays are dummy arguments with the sizes `n1` and `n2`.
    fn helper(&mut self, name: &str) {
        let is_explicit = self.random.chance(60);
        let is_function = self.random.chance(25);
        self.scope = Scope { sizes: ["n1", "n2"].map(str::to_owned).to_vec(), ..Scope::default() };
        self.size_that_is_held(15);
        let arrays: Vec<Array> =
            (0..self.random.between(1, 2)).map(|number| self.dummy_array(&format!("x{number}"), is_explicit)).collect();
        let dummies: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
        let kind = if is_function { "function" } else { "subroutine" };
        self.program.plain(format!("{kind} {name}({}, n1, n2, t)", dummies.join(", ")));
        self.program.plain("integer, intent(in) :: n1, n2, t");
        for array in &arrays {
            let bounds = array.bounds.iter().map(|bounds| match (is_explicit, bounds.lower.as_str()) {
                (true, _) => bounds.text(),
                (false, "1") => ":".to_owned(),
                (false, lower) => format!("{lower}:"),
            });
            let bounds: Vec<String> = bounds.collect();
            self.program.plain(format!("real, intent(inout) :: {}({})", array.name, bounds.join(", ")));
        }
        self.scope.arrays.clone_from(&arrays);
        if is_function {
            self.program.plain(format!("real :: {name}(max(n1, 0))"));
        }
        if self.random.chance(40) {
            self.local_array();
        }
        let helpers = std::mem::take(&mut self.helpers);
        if self.random.chance(50) {
            self.helpers.clone_from(&helpers);
        }
        self.body(3, is_function.then_some(name));
        self.program.behind("call oracle_leave(); ", format!("end {kind} {name}"));
        self.helpers = helpers;
        self.helpers.push(Helper { name: name.to_owned(), arrays, is_explicit, is_function });
    }

    fn dummy_array(&mut self, name: &str, is_explicit: bool) -> Array {
        let rank = self.random.between(1, 2) as usize;
        let is_assumed_size = is_explicit && self.random.chance(15);
        let bound = |at: usize, random: &mut Random| {
            let size = if random.chance(85) { ["n1", "n2"][at] } else { *random.pick(&["n1", "n2", "n1+1", "2*n2"]) };
            let lower = if random.chance(15) { *random.pick(&["0", "2", "-1"]) } else { "1" };
            if !is_explicit {
                return Bounds { lower: lower.into(), upper: Some(format!("ubound({name}, {})", at + 1)) };
            }
            let upper = if lower == "0" { format!("{size}-1") } else { size.to_owned() };
            let is_open = is_assumed_size && at + 1 == rank;
            Bounds { lower: lower.into(), upper: (!is_open).then_some(upper) }
        };
        let bounds = (0..rank).map(|at| bound(at, &mut self.random)).collect();
        Array { name: name.to_owned(), bounds, element: Element::Real, is_allocatable: false, is_assumed: !is_explicit }
    }

    /// A size, mostly one by itself.
    pub fn size(&mut self) -> String {
        let size = self.random.pick(&self.scope.sizes).clone();
        match self.random.below(30) {
            0 => format!("{size}+1"),
            1 => format!("{size}-1"),
            2 => format!("2*{size}"),
            3 => self.random.pick(&["2", "3", "5"]).to_string(),
            4 => format!("max({size}, 2)"),
            5 => format!("({size}+1)/2"),
            _ => size,
        }
    }

    /// The bounds of a dimension of this size.
    fn bounds(&mut self) -> Bounds {
        let size = self.size();
        match self.random.below(16) {
            0 => Bounds::new("0", &size),
            1 => Bounds::new("0", &format!("{size}-1")),
            2 => Bounds::new("2", &size),
            3 => Bounds::new(&format!("-{}", self.random.between(1, 2)), &size),
            _ => Bounds::new("1", &size),
        }
    }

    /// A local array: automatic, of constant shape, or allocatable; in COMMON if its shape is constant.
    fn local_array(&mut self) {
        let name = self.name("a");
        let rank = *self.random.pick(&[1, 1, 1, 2, 2, 2, 3]);
        let element = match self.random.below(10) {
            0 => Element::Integer,
            1 => Element::Logical,
            _ => Element::Real,
        };
        let bounds: Vec<Bounds> = (0..rank).map(|_| self.bounds()).collect();
        let is_allocatable = self.random.chance(25);
        let texts: Vec<String> =
            bounds.iter().map(|bounds| if is_allocatable { ":".to_owned() } else { bounds.text() }).collect();
        let kind = match element {
            Element::Real => "real",
            Element::Integer => "integer",
            Element::Logical => "logical",
        };
        let attribute = if is_allocatable { ", allocatable" } else { "" };
        self.program.plain(format!("{kind}{attribute} :: {name}({})", texts.join(", ")));
        let is_constant = bounds.iter().all(|bounds| bounds.text().chars().all(|one| one.is_ascii_digit()));
        if is_constant && !is_allocatable && self.random.chance(50) {
            let block = self.name("block");
            self.program.plain(format!("common /{block}/ {name}"));
        }
        self.scope.arrays.push(Array { name, bounds, element, is_allocatable, is_assumed: false });
    }

    /// The executable part of a procedure; of a function, with its name.
    fn body(&mut self, constructs: i64, function: Option<&str>) {
        self.program.plain("integer :: i, j, l, p");
        self.program.plain("integer :: s1, s2");
        self.program.plain("real :: x");
        if self.helpers.iter().any(|helper| helper.arrays.iter().any(|array| !array.is_whole())) {
            self.program.plain(format!("real :: store({STORE})"));
        }
        self.program.behind("call oracle_enter(); ", "x = real(t)");
        if let Some(function) = function {
            self.program.statement(format!("{function} = 1.0"), Watch::default());
        }
        for array in self.scope.arrays.clone().iter().filter(|array| array.is_allocatable) {
            let bounds = array.extents().join(", ");
            self.program.statement(format!("allocate({}({bounds}))", array.name), Watch::default());
        }
        for array in self.scope.arrays.clone() {
            let value = match array.element {
                Element::Real => "x",
                Element::Integer => "1",
                Element::Logical => "t > 1",
            };
            if array.is_whole() {
                self.program.statement(format!("{} = {value}", array.name), Watch::default());
            }
        }
        for _ in 0..self.random.between(constructs / 2, constructs) {
            self.construct(0);
        }
    }

    /// A construct, in others to this depth.
    pub fn construct(&mut self, depth: usize) {
        match self.random.below(22) {
            0..=6 => self.nest(),
            7 | 8 => self.sections(),
            9 => self.whole(),
            10..=12 => self.intrinsic(),
            13 | 14 => self.call(),
            15 => self.scalar(),
            16 => self.counted(),
            17 => self.allocation(depth),
            18 => self.gate(),
            _ => self.branch(depth),
        }
    }

    /// IF or SELECT CASE around other constructs.
    fn branch(&mut self, depth: usize) {
        if depth >= 2 {
            return self.sections();
        }
        let size = self.random.pick(&self.scope.sizes).clone();
        if self.random.chance(30) {
            self.program.open(format!("select case ({size})"), Watch::default());
            for case in ["case (:1)", "case (2, 4)", "case default"] {
                self.program.middle(case);
                self.in_branch(depth);
            }
            return self.program.close("end select");
        }
        let other = self.random.pick(&self.scope.sizes).clone();
        let number = self.random.between(0, 4);
        let operator = *self.random.pick(&[">", ">=", "<", "==", "/=", "<="]);
        let condition = match self.random.below(4) {
            0 => format!("{size} {operator} {other}"),
            1 => format!("{size} {operator} {other} .and. {other} > {number}"),
            2 => format!("{size} > {number} .or. {other} {operator} {size}"),
            _ => format!("{size} {operator} {number}"),
        };
        self.program.open(format!("if ({condition}) then"), Watch::default());
        self.in_branch(depth);
        if self.random.chance(50) {
            self.program.middle("else");
            self.in_branch(depth);
        }
        self.program.close("end if");
    }

    /// A call of a procedure that ends the program where something is not as it tests.
    fn gate(&mut self) {
        let size = self.random.pick(&self.scope.sizes).clone();
        let other = self.random.pick(&self.scope.sizes).clone();
        let most = self.random.between(3, 6);
        let none = Watch::default();
        match self.random.below(6) {
            0 => self.program.statement(format!("call insist({size} <= {most})"), none),
            1 => self.program.statement(format!("call insist({size} >= {other} .or. {other} < {most})"), none),
            2 => self.program.statement(format!("call limit(most={most}, n={size})"), none),
            3 => self.program.statement(format!("call limit({size} - {other}, {most} - 2)"), none),
            4 => self.program.guarded(&format!("{size} > {most}"), "call halt()", none),
            _ => self.program.guarded(&format!("{size} < {other} .and. {most} < {other}"), "call limit(t, 2)", none),
        }
    }

    fn in_branch(&mut self, depth: usize) {
        let sizes = self.scope.sizes.clone();
        for _ in 0..self.random.between(1, 2) {
            self.construct(depth + 1);
        }
        self.scope.sizes = sizes;
    }

    /// A scalar that becomes a size.
    fn scalar(&mut self) {
        let size = self.random.pick(&self.scope.sizes).clone();
        let other = self.random.pick(&self.scope.sizes).clone();
        let name = *self.random.pick(&["s1", "s2", "s1", "s2", "held(1)", "held(2)", "held(1 + mod(abs(t), 3))"]);
        let value = match self.random.below(7) {
            0 => format!("{size} + 1"),
            1 => format!("{size} - 1"),
            2 => format!("{size}/2"),
            3 => format!("min({size}, {other})"),
            4 => format!("max({size}, {other})"),
            5 => format!("abs({size} - {other})"),
            _ => format!("mod({size}, 3)"),
        };
        if self.scope.sizes.iter().all(|size| size != name) || self.random.chance(40) {
            self.program.statement(format!("{name} = {value}"), Watch::default());
        }
        if self.scope.sizes.iter().all(|size| size != name) && !name.contains('t') {
            self.scope.sizes.push(name.to_owned());
        }
    }

    /// An array is allocated again, or takes the shape of another one, here or under a condition.
    fn allocation(&mut self, depth: usize) {
        let allocatable: Vec<usize> =
            (0..self.scope.arrays.len()).filter(|&at| self.scope.arrays[at].is_allocatable).collect();
        if allocatable.is_empty() {
            return self.whole();
        }
        let at = *self.random.pick(&allocatable);
        let array = self.scope.arrays[at].clone();
        if array.element == Element::Real && self.random.chance(40) {
            let other = self.random.pick(&self.scope.whole(array.rank())).clone();
            let text = format!("{} = {} + 1.0", array.name, other.name);
            self.program.statement(text, Watch::operands(vec![other.has_elements()]));
            self.scope.arrays[at].bounds = by_inquiry(&array);
            return;
        }
        let bounds: Vec<Bounds> = (0..array.rank()).map(|_| self.bounds()).collect();
        let is_branch = depth == 0 && self.random.chance(20);
        let name = &array.name;
        if is_branch {
            let size = self.random.pick(&self.scope.sizes).clone();
            self.program.open(format!("if ({size} > 2) then"), Watch::default());
        }
        self.program.statement(format!("deallocate({name})"), Watch::default());
        let texts: Vec<String> = bounds.iter().map(Bounds::text).collect();
        self.program.statement(format!("allocate({name}({}))", texts.join(", ")), Watch::default());
        let value = match array.element {
            Element::Real => "x",
            Element::Integer => "1",
            Element::Logical => ".true.",
        };
        self.program.statement(format!("{name} = {value}"), Watch::default());
        if is_branch {
            self.program.close("end if");
        }
        // In a branch the variables of the bounds may have other values later.
        self.scope.arrays[at].bounds = if depth > 0 || is_branch { by_inquiry(&array) } else { bounds };
    }
}

/// The bounds of an array as the inquiry functions give them.
fn by_inquiry(array: &Array) -> Vec<Bounds> {
    let name = &array.name;
    (1..=array.rank())
        .map(|at| Bounds::new(&format!("lbound({name}, {at})"), &format!("ubound({name}, {at})")))
        .collect()
}
