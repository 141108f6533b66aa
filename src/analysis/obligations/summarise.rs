//! From a unit that was looked at to what its callers must know.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use crate::symbolic::{Condition, Place, Term, place_term, substitute};

use super::judge::{Judged, Verdict};
use super::place::{Origin, PlaceInfo};
use super::region::RegionId;
use super::state::Dimension;
use super::summary::{Assumption, DummyArgument, Procedure, Returns, SummaryParts};
use super::unit::Unit;

/// Assumptions of a procedure that are told to its callers.
const MOST_ASSUMPTIONS: usize = 40;

/// Comparisons in an assumption that callers are told as a condition.
const LARGEST_ASSUMPTION: usize = 80;

/// The places of a procedure that are told, with new numbers.
#[derive(Default)]
struct Numbering {
    numbers: FxHashMap<Place, Place>,
    places: Vec<PlaceInfo>,
    /// Conditions of several parts with those that they became: what several assumptions have is kept once.
    known: FxHashMap<Condition, Condition>,
}

impl Numbering {
    /// Takes places, and what they are defined by.
    fn take(&mut self, unit: &mut Unit<'_>, places: Vec<Place>) {
        let mut pending = places;
        let mut new = Vec::new();
        while let Some(place) = pending.pop() {
            if self.numbers.contains_key(&place) {
                continue;
            }
            self.numbers.insert(place, Place(self.places.len() as u32));
            let definition = unit.definition(place);
            if let Some(definition) = &definition {
                definition.places(&mut pending);
            }
            let info = unit.places.info(place).clone();
            let origin = match info.origin {
                Origin::Element | Origin::Opaque(_) | Origin::Data(_) => Origin::Opaque(ThinVec::new()),
                origin @ (Origin::Entry(_) | Origin::Counted | Origin::Joined) => origin,
            };
            self.places.push(PlaceInfo { region: RegionId::new(0), origin, ..info });
            new.push(self.places.len() - 1);
        }
        for at in new {
            let definition = self.places[at].definition.take();
            self.places[at].definition = definition.and_then(|definition| self.condition(&definition));
        }
    }

    fn condition(&mut self, condition: &Condition) -> Option<Condition> {
        let (parts, connect): (_, fn(Vec<Condition>) -> Condition) = match condition {
            Condition::All(parts) => (parts, Condition::all),
            Condition::Any(parts) => (parts, Condition::any),
            Condition::True | Condition::False | Condition::Compare(..) | Condition::Logical(..) => {
                return condition.substitute(&|place| self.numbers.get(&place).map(|&number| place_term(number)));
            }
        };
        if let Some(known) = self.known.get(condition) {
            return Some(known.clone());
        }
        let made = connect(parts.iter().map(|part| self.condition(part)).collect::<Option<_>>()?);
        self.known.insert(condition.clone(), made.clone());
        Some(made)
    }

    fn term(&mut self, unit: &mut Unit<'_>, term: &Term) -> Option<Term> {
        let mut places = Vec::new();
        crate::symbolic::places_of(term, &mut places);
        self.take(unit, places);
        substitute(term, &|place| self.numbers.get(&place).map(|&number| place_term(number)))
    }

    fn numbered(&mut self, unit: &mut Unit<'_>, condition: &Condition) -> Option<Condition> {
        let mut places = Vec::new();
        condition.places(&mut places);
        self.take(unit, places);
        self.condition(condition)
    }
}

/// What callers must know of a procedure; `text` says what a demand asks, `line` where a statement stands.
pub fn summarise(
    unit: &mut Unit<'_>,
    mut parts: SummaryParts,
    judged: &[Judged],
    text: &dyn Fn(&Unit<'_>, &Judged, usize) -> String,
    line: &dyn Fn(&Unit<'_>, &Judged) -> (PathBuf, u32),
) -> Procedure {
    let mut numbering = Numbering::default();
    let dummies = std::mem::take(&mut parts.dummies)
        .into_iter()
        .map(|dummy| {
            let dimensions = dummy.dimensions.and_then(|dimensions| {
                let numbered = dimensions.into_iter().map(|Dimension { lower, upper, extent }| {
                    let mut option = |term: Option<Term>| match term {
                        Some(term) => numbering.term(unit, &term).map(Some),
                        None => Some(None),
                    };
                    let (upper, extent) = (option(upper)?, option(extent)?);
                    Some(Dimension { lower: numbering.term(unit, &lower)?, upper, extent })
                });
                numbered.collect::<Option<Vec<_>>>()
            });
            DummyArgument { dimensions, ..dummy }
        })
        .collect();
    let result =
        parts.result.take().and_then(|extents| extents.iter().map(|extent| numbering.term(unit, extent)).collect());
    let returns = unit.returns();
    let condition = numbering.numbered(unit, &returns.condition);
    let is_exact = returns.is_exact && condition.is_some();
    let returns = Returns { condition: condition.unwrap_or(Condition::True), is_exact };
    let untold_end = unit.untold_end;
    let mut assumptions = Vec::new();
    for of in judged {
        if !matches!(of.verdict, Verdict::Assumed | Verdict::Undecided(_)) {
            continue;
        }
        let (file, line) = line(unit, of);
        if let Some(&number) = of.open.first() {
            let demand = &of.demands[number];
            let guard = Condition::all([of.reached.clone(), demand.guard.clone()]);
            // All that follows from the demands of the statement, as they are judged together.
            let condition = Condition::all(of.parts.iter().cloned());
            // What is called before may end the program, under conditions that are not told.
            let is_exact = matches!(of.verdict, Verdict::Assumed)
                && guard.size() + condition.size() <= LARGEST_ASSUMPTION
                && untold_end.is_none_or(|first| first >= of.statement)
                && unit.is_of_entry(&guard);
            if assumptions.len() >= MOST_ASSUMPTIONS {
                continue;
            }
            let others = of.open[1..].iter().map(|&number| (of.demands[number].rule, text(unit, of, number))).collect();
            let text = text(unit, of, number);
            // Of what is not exact callers are told no more than the text.
            let mut told = |condition: Condition| match is_exact {
                true => numbering.numbered(unit, &condition),
                false => Some(Condition::True),
            };
            let (Some(guard), Some(condition)) = (told(guard), told(condition)) else { continue };
            assumptions.push(Assumption {
                rule: demand.rule,
                line,
                file: file.clone(),
                text,
                others,
                guard,
                condition,
                is_exact,
            });
        }
    }
    let equalities = judged
        .iter()
        .filter_map(|of| match &of.verdict {
            Verdict::OnlyIf(equality) => {
                let condition = equality.condition();
                // What can't be said is not known to hold anywhere.
                Some(numbering.numbered(unit, &condition).unwrap_or(Condition::False))
            }
            _ => None,
        })
        .collect();
    let places = numbering.places;
    let parts = SummaryParts { dummies, result, ..parts };
    Procedure { returns, assumptions, equalities, places, ..Procedure::expected(parts) }
}
