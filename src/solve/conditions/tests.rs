//! The two procedures against each other, and against all small values.

use proptest::prelude::*;

use super::*;
use crate::symbolic::{
    Place, Relation, Term, constant, maximum, minimum, modulo, place_term, product, quotient, remainder,
};

/// How many places random conditions have.
const PLACES: u32 = 3;

/// The values that are tried.
const VALUES: std::ops::RangeInclusive<i64> = -4..=8;

fn linear() -> impl Strategy<Value = Term> {
    let terms = prop::collection::vec((0..PLACES, -3..4_i64), 0..4);
    (terms, -6..7_i64).prop_map(|(terms, number)| {
        terms.iter().fold(constant(number), |sum, &(place, factor)| {
            sum.checked_add_multiple(&place_term(Place(place)), factor).expect("small")
        })
    })
}

fn terms() -> impl Strategy<Value = Term> {
    let operation =
        (0..7_u8, linear(), linear(), 1..5_i64).prop_filter_map("defined", |(kind, left, right, by)| match kind {
            0 => product(&left, &right),
            1 => quotient(&left, &constant(by)),
            2 => remainder(&left, &constant(by)),
            3 => modulo(&left, &constant(by)),
            4 => maximum(vec![left, right]),
            5 => minimum(vec![left, right]),
            _ => remainder(&left, &right),
        });
    prop_oneof![3 => linear(), 1 => operation]
}

fn conditions() -> impl Strategy<Value = Condition> {
    let relation = prop_oneof![Just(Relation::NotNegative), Just(Relation::Zero), Just(Relation::NotZero)];
    let leaf = prop_oneof![
        4 => (relation, terms()).prop_map(|(relation, term)| Condition::compare(relation, term)),
        1 => (PLACES..PLACES + 2, any::<bool>()).prop_map(|(place, value)| Condition::Logical(Place(place), value)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(Condition::all),
            prop::collection::vec(inner, 1..4).prop_map(Condition::any),
        ]
    })
}

/// Whether it holds for any small values; a condition that is not defined somewhere (division by 0) does not hold
/// there.
fn holds_somewhere(condition: &Condition) -> bool {
    let values = || VALUES.clone();
    let truths = || 0..2_i64;
    values().any(|a| {
        values().any(|b| {
            values().any(|c| {
                truths().any(|p| {
                    truths().any(|q| {
                        let at = [a, b, c, p, q];
                        condition.holds(&|place| at[place.0 as usize]) == Some(true)
                    })
                })
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_right_and_the_procedures_agree(condition in conditions()) {
        let expected = holds_somewhere(&condition);
        let native = ConditionSolver::new(Procedure::Native, Arc::default()).satisfiable(&condition);
        let z3 = match Problem::new(&condition) {
            Some(problem) => z3::decide(&problem, &condition),
            None => Satisfiable::Unknown,
        };
        for answer in [&native, &z3] {
            match answer {
                Satisfiable::No => prop_assert!(!expected, "it holds somewhere"),
                Satisfiable::Model(model) => {
                    let value = |place: Place| model.get(&place).copied().unwrap_or(0);
                    prop_assert_eq!(condition.holds(&value), Some(true));
                }
                Satisfiable::Unknown => {}
            }
        }
        prop_assert!(!matches!((&native, &z3), (Satisfiable::No, Satisfiable::Model(_)) | (Satisfiable::Model(_), Satisfiable::No)));
    }
}

/// A condition about other places in the same order.
fn renumbered(condition: &Condition, by: u32) -> Condition {
    condition.substitute(&|place| Some(place_term(Place(place.0 * 3 + by)))).expect("small")
}

proptest! {
    #[test]
    fn answers_are_shared_by_what_differs_in_the_numbers_of_places(parts in prop::collection::vec(conditions(), 8)) {
        let condition = Condition::all(parts.into_iter().map(|part| Condition::any([part, Condition::Logical(Place(9), true)])));
        let shared = Arc::<SharedAnswers>::default();
        let ask = |shared: &Arc<SharedAnswers>, condition: &Condition| {
            ConditionSolver::new(Procedure::Native, shared.clone()).satisfiable(condition)
        };
        let first = ask(&shared, &condition);
        for by in 0..3 {
            let other = renumbered(&condition, by);
            let answer = ask(&shared, &other);
            prop_assert_eq!(&answer, &ask(&Arc::default(), &other), "as if nothing was known");
            match (&first, &answer) {
                (Satisfiable::Model(_), Satisfiable::Model(model)) => {
                    let value = |place: Place| model.get(&place).copied().unwrap_or(0);
                    prop_assert_eq!(other.holds(&value), Some(true));
                }
                (first, answer) => prop_assert_eq!(first, answer),
            }
        }
    }

    #[test]
    fn what_is_repaired_holds(condition in conditions(), at in prop::array::uniform5(-4..9_i64)) {
        if let Some(model) = repair::repaired(&condition, &|place| at[place.0 as usize]) {
            let value = |place: Place| model.get(&place).copied().unwrap_or(0);
            prop_assert_eq!(condition.holds(&value), Some(true));
        }
    }
}

#[test]
fn what_bounds_ask_is_decided_natively() {
    let place = |number: u32| place_term(Place(number));
    let (n, m, i) = (place(0), place(1), place(2));
    let at_most = |left: &Term, right: &Term| Condition::at_most(left, right).expect("small");
    let mut solver = ConditionSolver::new(Procedure::Native, Arc::default());
    // 1 <= i <= n, n <= m: is i > m possible?
    let range = Condition::all([at_most(&constant(1), &i), at_most(&i, &n), at_most(&n, &m)]);
    let beyond = Condition::less(&m, &i).expect("small");
    assert_eq!(solver.satisfiable(&Condition::all([range.clone(), beyond])), Satisfiable::No);
    // The maximum of 0 and n - 1 is n only for 0.
    let before = n.clone().checked_add_constant(-1).expect("small");
    let extent = maximum(vec![constant(0), before]).expect("defined");
    let same = Condition::equal(&extent, &n).expect("small");
    let positive = at_most(&constant(1), &n);
    assert_eq!(solver.satisfiable(&Condition::all([same, positive])), Satisfiable::No);
    // mod(i, 12) from 0 on is not in 1..12 everywhere.
    let month = remainder(&i, &constant(12)).expect("defined");
    let outside = Condition::less(&month, &constant(1)).expect("small");
    let inside = at_most(&constant(1), &i);
    assert!(matches!(solver.satisfiable(&Condition::all([outside, inside])), Satisfiable::Model(_)));
}
