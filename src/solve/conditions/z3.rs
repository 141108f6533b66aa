//! Z3, for what the native procedure leaves open. Of Z3 nothing more is asked than in the encoding of regions.

use super::answer::{Satisfiable, model};
use super::linear::{Formula, Problem, Row};
use crate::symbolic::Condition;
use ::z3::ast::{Bool, Int};
use ::z3::{Params, SatResult};

/// Z3's own measure of work for one question: some milliseconds.
const RESOURCES: u32 = 8_000;

/// Whether a condition, whose problem this is, can hold.
pub fn decide(problem: &Problem, condition: &Condition) -> Satisfiable {
    let variables: Vec<Int> = (0..problem.variable_count()).map(|variable| Int::new_const(variable as u32)).collect();
    let solver = ::z3::Solver::new_for_logic("QF_LIA").unwrap_or_default();
    let mut limit = Params::new();
    limit.set_u32("rlimit", RESOURCES);
    solver.set_params(&limit);
    for formula in &problem.formulas {
        solver.assert(encoded(formula, &variables));
    }
    match solver.check() {
        SatResult::Unsat => Satisfiable::No,
        SatResult::Unknown => Satisfiable::Unknown,
        SatResult::Sat => {
            let found = solver.get_model();
            let value = |variable: &Int| found.as_ref()?.eval(variable, true)?.as_i64();
            let values = variables.iter().map(value).collect::<Option<Vec<i64>>>();
            let model = values.and_then(|values| model(problem, condition, &values));
            model.map_or(Satisfiable::Unknown, Satisfiable::Model)
        }
    }
}

fn encoded(formula: &Formula, variables: &[Int]) -> Bool {
    let each = |parts: &[Formula]| parts.iter().map(|part| encoded(part, variables)).collect::<Vec<Bool>>();
    match formula {
        Formula::All(parts) => Bool::and(&each(parts)),
        Formula::Any(parts) => Bool::or(&each(parts)),
        Formula::NotNegative(row) => encoded_row(row, variables).ge(Int::from_i64(0)),
        Formula::Zero(row) => encoded_row(row, variables).eq(Int::from_i64(0)),
    }
}

fn encoded_row(row: &Row, variables: &[Int]) -> Int {
    let products = row.terms().map(|(&variable, factor)| {
        let variable = variables[variable as usize].clone();
        if factor == 1 { variable } else { Int::mul(&[Int::from_i64(factor), variable]) }
    });
    let mut parts: Vec<Int> = products.collect();
    parts.push(Int::from_i64(row.constant_term()));
    Int::add(&parts)
}
