//! The encoding for Z3.
//!
//! Debian links version 4.8.12, older than the bindings expect: there some enumerations (`FuncDecl::kind`) come out
//! wrong. So nothing is asked of Z3 but to take terms, to check, and to give numerals back; the tests hold it to that
//! contract.
//!
//! The bindings keep one context per thread, which is what we want: contexts can't be shared between threads.

use super::{Answer, Solver, ranks_differ, told};
use crate::region::{Component, IndexScheme, IntegerSet, Unf};
use ::z3::ast::{Bool, Int};
use ::z3::{Params, SatResult};

/// Decides by a formula in quantifier-free linear integer arithmetic. What it has of Z3 belongs to the thread that uses
/// it.
#[derive(Clone, Debug)]
pub struct Z3 {
    resources: u32,
}

/// Formulae with more atoms than this are not tried: Z3's resource limit starts to count only when they are built.
const MOST_ATOMS: usize = 100_000;

/// What Z3 takes for a thread and a formula such as specifications give, and something to spare.
const ROOM_BYTES: usize = 32 << 20;

impl Z3 {
    /// A procedure with Z3's own, machine-independent measure of work (`rlimit`) as its limit; 0 is no limit.
    pub fn new(resources: u32) -> Self {
        Z3 { resources }
    }

    /// The version of the linked library.
    pub fn version() -> &'static str {
        ::z3::full_version()
    }
}

impl Default for Z3 {
    /// A few seconds' work; what specifications ask takes milliseconds.
    fn default() -> Self {
        Z3::new(20_000_000)
    }
}

impl Solver for Z3 {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        if left.rank() != right.rank() {
            return ranks_differ();
        }
        if atoms(left) + atoms(right) > MOST_ATOMS {
            return Answer::Unknown("the formula is too large".to_owned());
        }
        if !has_room() {
            return Answer::Unknown("there is not enough memory for Z3".to_owned());
        }
        let offsets: Vec<Int> = (0..left.rank()).map(|dimension| Int::new_const(dimension as u32)).collect();
        // For the logic named, Z3 starts an order of magnitude faster than for all logics.
        let solver = ::z3::Solver::new_for_logic("QF_LIA").unwrap_or_default();
        let mut limit = Params::new();
        limit.set_u32("rlimit", self.resources);
        solver.set_params(&limit);
        solver.assert(member(left, &offsets));
        solver.assert(member(right, &offsets).not());
        match solver.check() {
            SatResult::Unsat => Answer::Empty,
            SatResult::Sat => {
                let model = solver.get_model();
                let value = |offset: &Int| model.as_ref()?.eval(offset, true)?.as_i64();
                match offsets.iter().map(value).collect::<Option<Vec<i64>>>() {
                    // A model is believed only after it is tried.
                    Some(point) if left.holds(&point) && !right.holds(&point) => {
                        Answer::Witness(told(point, left, right))
                    }
                    _ => Answer::Unknown("Z3 gave a model that is none".to_owned()),
                }
            }
            SatResult::Unknown => Answer::Unknown(format!(
                "Z3: {}",
                solver.get_reason_unknown().unwrap_or_else(|| "no reason".to_owned())
            )),
        }
    }
}

/// Whether the memory that Z3 needs can be had. It asks for it without looking at what it gets, and takes the process
/// with it.
fn has_room() -> bool {
    let mut room: Vec<u8> = Vec::new();
    std::hint::black_box(&mut room).try_reserve_exact(ROOM_BYTES).is_ok()
}

fn atoms(union: &Unf<IntegerSet>) -> usize {
    let of_component = |component: &Component<IntegerSet>| match component {
        Component::Within(set) => set.ranges().len(),
        Component::Every => 0,
    };
    union.schemes().iter().flat_map(|scheme| &scheme.components).map(of_component).sum()
}

/// The formula that says that a vector is in the union.
fn member(union: &Unf<IntegerSet>, offsets: &[Int]) -> Bool {
    let in_scheme = |scheme: &IndexScheme| {
        let factors = scheme.components.iter().zip(offsets).filter_map(|(component, offset)| match component {
            Component::Within(set) => Some(in_set(set, offset)),
            Component::Every => None,
        });
        Bool::and(&factors.collect::<Vec<Bool>>())
    };
    Bool::or(&union.schemes().iter().map(in_scheme).collect::<Vec<Bool>>())
}

fn in_set(set: &IntegerSet, offset: &Int) -> Bool {
    let in_range = |&(first, last): &(i64, i64)| {
        if first == last {
            offset.eq(Int::from_i64(first))
        } else {
            Bool::and(&[offset.ge(Int::from_i64(first)), offset.le(Int::from_i64(last))])
        }
    };
    Bool::or(&set.ranges().iter().map(in_range).collect::<Vec<Bool>>())
}
