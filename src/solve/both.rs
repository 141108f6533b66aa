//! Both procedures, each as a check of the other.

use super::{Answer, Native, Solver, Z3};
use crate::region::{IntegerSet, Unf};

/// Decides by both procedures; where they disagree, or one gives up, the answer is that there is none.
#[derive(Clone, Debug, Default)]
pub struct Both {
    z3: Z3,
    native: Native,
}

impl Solver for Both {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        agreed(self.z3.difference(left, right), self.native.difference(left, right))
    }
}

/// The common answer. The two witnesses are the same, as Z3 tells the one that the native procedure finds.
fn agreed(of_z3: Answer, of_native: Answer) -> Answer {
    match (of_z3, of_native) {
        (Answer::Unknown(reason), _) | (_, Answer::Unknown(reason)) => Answer::Unknown(reason),
        (Answer::Empty, Answer::Empty) => Answer::Empty,
        (Answer::Witness(point), Answer::Witness(_)) => Answer::Witness(point),
        (Answer::Empty, Answer::Witness(_)) | (Answer::Witness(_), Answer::Empty) => {
            Answer::Unknown("Z3 and the native procedure disagree (please report this)".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_say_is_an_answer() {
        let (empty, witness) = (Answer::Empty, Answer::Witness(vec![1]));
        let unknown = Answer::Unknown("limit".to_owned());
        assert_eq!(agreed(empty.clone(), empty.clone()), empty);
        assert_eq!(agreed(witness.clone(), Answer::Witness(vec![2])), witness);
        assert_eq!(agreed(unknown.clone(), empty.clone()), unknown);
        assert_eq!(agreed(witness.clone(), unknown.clone()), unknown);
        assert!(matches!(agreed(witness.clone(), empty.clone()), Answer::Unknown(_)));
        assert!(matches!(agreed(empty, witness), Answer::Unknown(_)));
    }
}
