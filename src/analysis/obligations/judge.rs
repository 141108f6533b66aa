//! What becomes of the demands of a statement.

use std::collections::BTreeSet;

use crate::diagnostics::Rule;
use crate::solve::conditions::{Model, Satisfiable};
use crate::symbolic::{Condition, Term, constant, sum, value_of};
use crate::syntax::StatementId;

use super::demand::{Demand, Demands, NamedArray, Oddity, Subject};
use super::facts::LARGEST_FACT;
use super::gap::{Gap, truths};
use super::instance::Instance;
use super::point::Point;
use super::region::RegionId;
use super::unit::Unit;

/// What is said of a statement.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Whatever the values, all holds.
    Holds,
    /// Whenever it is reached, the demand with this number fails; in these iterations, if it is one instance that does.
    Fails(usize, Option<Instance>),
    /// No demand fails by itself, but not all hold together, or not with what earlier statements demand (`true`).
    Contradicts(bool),
    /// All holds only if two extents of an array are equal or nearly so, or one is 1.
    OnlyIf(Equality),
    /// It depends on values that the unit does not know.
    Assumed,
    /// No values lead to it.
    Unreachable,
    /// It may be certain, but that is not known.
    Undecided(Gap),
}

/// An equality that a statement needs.
#[derive(Clone, Debug)]
pub struct Equality {
    /// The array.
    pub array: String,
    /// Its extents that must be equal, by dimension from 1, with their values; of one with `None` that it is 1.
    pub left: (usize, Term),
    /// The other one.
    pub right: Option<(usize, Term)>,
    /// By how much they may differ at most: above 0 where a border is left out.
    pub slack: i64,
}

impl Equality {
    /// That it holds.
    pub fn condition(&self) -> Condition {
        let other = self.right.as_ref().map_or_else(|| constant(1), |(_, term)| term.clone());
        within(&self.left.1, &other, self.slack).unwrap_or(Condition::False)
    }
}

/// That two terms differ by at most so much.
pub(super) fn within(left: &Term, right: &Term, slack: i64) -> Option<Condition> {
    if slack == 0 {
        return Condition::equal(left, right);
    }
    let (above, below) = (sum(right, &constant(slack))?, sum(left, &constant(slack))?);
    Some(Condition::all([Condition::at_most(left, &above)?, Condition::at_most(right, &below)?]))
}

/// A statement with its demands and what became of them.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The statement.
    pub statement: StatementId,
    /// The loops around it.
    pub chain: Vec<RegionId>,
    /// Under what it is reached.
    pub reached: Condition,
    /// All that it demands.
    pub demands: Vec<Demand>,
    /// The demands that do not hold whatever the values.
    pub open: Vec<usize>,
    /// What follows from them all for some iterations.
    pub parts: Vec<Condition>,
    /// What is certainly not as it is meant.
    pub oddities: Vec<Oddity>,
    /// The verdict.
    pub verdict: Verdict,
    /// Values for which an open demand fails: its number, and the values.
    pub counterexample: Option<(usize, Model)>,
}

/// A demand with what follows from it for some iterations.
struct Asked {
    number: usize,
    guard: Condition,
    /// That it holds, in the iteration that is reached.
    here: Condition,
    instances: Vec<Instance>,
}

impl Asked {
    /// What is known to hold once the statement was executed.
    fn facts<'a>(&'a self, reached: &'a Condition) -> impl Iterator<Item = Condition> + 'a {
        let instances = self.instances.iter().map(|one| (&one.reached, &one.condition));
        let facts = instances.chain([(reached, &self.here)]).filter(|(reached, what)| {
            // Longer ones are not noted.
            reached.size() + what.size() <= LARGEST_FACT
        });
        facts.map(|(reached, what)| Condition::implies(reached, what.clone()))
    }
}

/// What demands ask together, with as many iterations as are looked at, as many of each demand; whether that is all.
fn together(asked: &[Asked]) -> (Vec<Condition>, bool) {
    let mut parts: Vec<Condition> = asked.iter().map(|one| one.here.clone()).collect();
    let mut size: usize = parts.iter().map(Condition::size).sum();
    let most = asked.iter().map(|one| one.instances.len()).max().unwrap_or(0);
    for instance in (0..most).flat_map(|at| asked.iter().filter_map(move |one| one.instances.get(at))) {
        size += instance.condition.size();
        if size > MOST_COMPARISONS {
            return (parts, false);
        }
        parts.push(instance.condition.clone());
    }
    (parts, true)
}

/// That operands have elements, and that parts of a statement are executed.
fn wanted(operands: &[Term], guards: &[Condition]) -> Vec<Condition> {
    let non_empty = operands.iter().filter_map(|extent| Condition::at_most(&constant(1), extent));
    non_empty.chain(guards.iter().cloned()).filter(|condition| *condition != Condition::True).collect()
}

/// Comparisons in the demands of one statement that are looked at together, those of iterations left out otherwise.
const MOST_COMPARISONS: usize = 200;

impl Judged {
    /// The array whose bounds a subscript of the statement certainly leaves.
    pub fn leaves_bounds_of(&self) -> Option<&str> {
        let Verdict::Fails(number, _) = &self.verdict else { return None };
        match &self.demands[*number].subject {
            Subject::Subscript(of) => Some(&of.array),
            Subject::Shapes { .. } | Subject::Sizes { .. } | Subject::Callee { .. } => None,
        }
    }

    /// How many subscripts of an array are not within its bounds whatever the values.
    fn open_subscripts_of(&self, name: &str) -> usize {
        let is_of_array =
            |&&number: &&usize| matches!(&self.demands[number].subject, Subject::Subscript(of) if of.array == name);
        self.open.iter().filter(is_of_array).count()
    }
}

impl<'t> Unit<'t> {
    /// Judges a statement; `wants_examples` asks for counterexamples.
    pub fn judge(point: &mut Point<'_, 't>, demands: Demands, wants_examples: bool) -> Option<Judged> {
        let Demands { demands, operands, mut arrays, oddities } = demands;
        if demands.is_empty() && oddities.is_empty() {
            return None;
        }
        let (reached, chain) = (point.reached.clone(), point.chain.clone());
        let (statement, unit) = (point.statement, &mut *point.unit);
        let mut judged = Judged {
            statement,
            chain,
            reached,
            demands,
            open: Vec::new(),
            parts: Vec::new(),
            oddities: Vec::new(),
            verdict: Verdict::Holds,
            counterexample: None,
        };
        if unit.solver.is_exhausted() {
            judged.open = (0..judged.demands.len()).collect();
            judged.verdict = Verdict::Undecided(Gap::Limit);
            return Some(judged);
        }
        unit.find_open(&mut judged);
        let is_of_interest = !judged.open.is_empty() || !oddities.is_empty();
        if !is_of_interest {
            return Some(judged);
        }
        judged.oddities = unit.certain_oddities(&judged.reached, oddities);
        if !judged.open.is_empty() {
            // An equality is told of the array that most is demanded of.
            arrays.sort_by_key(|array| std::cmp::Reverse(judged.open_subscripts_of(&array.name)));
            let facts = unit.decide(&mut judged, &operands, &arrays);
            // Where control never comes, everything is certain.
            if is_reported(&judged.verdict) {
                let guard = match &judged.verdict {
                    Verdict::Fails(number, _) => judged.demands[*number].guard.clone(),
                    _ => Condition::True,
                };
                let known = unit.with_definitions(Condition::all([judged.reached.clone(), guard]));
                match unit.solver.can_hold(&known) {
                    Some(true) => {}
                    Some(false) => {
                        judged.verdict = Verdict::Unreachable;
                        judged.open.clear();
                        return Some(judged);
                    }
                    None => judged.verdict = Verdict::Undecided(Gap::Unreached),
                }
            }
            if wants_examples && matches!(judged.verdict, Verdict::Assumed) {
                judged.counterexample = unit.counterexample(&judged);
            }
            // What must hold here does, from here on.
            facts.into_iter().for_each(|fact| unit.facts.add(fact));
        }
        Some(judged)
    }

    /// Finds the demands that do not hold whatever the values.
    fn find_open(&mut self, judged: &mut Judged) {
        for (number, demand) in judged.demands.iter().enumerate() {
            let broken = demand.condition.not();
            if broken == Condition::False || demand.guard == Condition::False {
                continue;
            }
            let here = Condition::implies(&demand.guard, demand.condition.clone());
            if self.facts.contains(&Condition::implies(&judged.reached, here)) {
                continue;
            }
            let reached = self.relevant(&judged.reached, &[demand.guard.clone(), broken.clone()]);
            let question = self.with_known([reached, demand.guard.clone(), broken], false);
            if !self.solver.is_impossible(&question) {
                judged.open.push(number);
            }
        }
    }

    fn certain_oddities(&mut self, reached: &Condition, oddities: Vec<Oddity>) -> Vec<Oddity> {
        let mut certain = Vec::new();
        for oddity in oddities {
            let reached = Condition::all([reached.clone(), oddity.guard.clone()]);
            let there = self.with_known([reached.clone()], true);
            let meant = self.with_known([reached.clone(), oddity.meant.clone()], true);
            let is_certain = self.solver.is_impossible(&meant) && !self.solver.is_impossible(&there);
            if is_certain && self.gap(&reached, std::slice::from_ref(&oddity.meant)).is_none() {
                certain.push(oddity);
            }
        }
        certain
    }

    /// Whether an operand certainly has no elements: what conforms with it has none either.
    fn has_empty(&mut self, reached: &Condition, operands: &[Term]) -> bool {
        operands.iter().any(|extent| {
            let has_elements = Condition::at_most(&constant(1), extent).unwrap_or(Condition::True);
            let question = self.with_known([reached.clone(), has_elements], false);
            self.solver.is_impossible(&question)
        })
    }

    /// The assumptions under which a statement is judged: that it is reached, and that its operands have elements, as
    /// far as that can be.
    fn premises(&mut self, reached: &Condition, operands: &[Term], guards: &[Condition]) -> Vec<Condition> {
        let mut premises = vec![reached.clone()];
        let all = wanted(operands, guards);
        if all.is_empty() {
            return premises;
        }
        let question = self.with_known(premises.iter().chain(&all).cloned(), false);
        if !self.solver.is_impossible(&question) {
            premises.extend(all);
            return premises;
        }
        for condition in all {
            let more = self.with_known(premises.iter().cloned().chain([condition.clone()]), false);
            if !self.solver.is_impossible(&more) {
                premises.push(condition);
            }
        }
        premises
    }

    /// Finds the verdict; what is known to hold after the statement.
    fn decide(&mut self, judged: &mut Judged, operands: &[Term], arrays: &[NamedArray]) -> Vec<Condition> {
        judged.verdict = Verdict::Assumed;
        let open = judged.open.clone();
        let asked: Vec<Asked> = open.into_iter().map(|number| self.asked(judged, &judged.reached, number)).collect();
        let spoken_of: Vec<Condition> =
            asked.iter().flat_map(|one| [one.guard.clone(), judged.demands[one.number].condition.clone()]).collect();
        let context = self.relevant(&judged.reached, &spoken_of);
        let facts = asked.iter().flat_map(|one| one.facts(&judged.reached)).collect();
        let guards: Vec<Condition> = asked.iter().map(|one| one.guard.clone()).collect();
        let (parts, has_all) = together(&asked);
        judged.parts = parts.clone();
        let mut premises: Vec<Condition> = std::iter::once(context.clone()).chain(wanted(operands, &guards)).collect();
        // Values with which all holds leave nothing that is certain, save equalities.
        let everything = self.with_known(premises.iter().chain(&parts).cloned(), true);
        let can_hold = self.solver.is_possible(&everything);
        // Statements of a called procedure need not all be reached in one call.
        let is_own = |one: &&Asked| !matches!(judged.demands[one.number].subject, Subject::Callee { .. });
        let own: Vec<Condition> =
            asked.iter().filter(|one| !can_hold && is_own(one)).map(|one| one.guard.clone()).collect();
        let is_empty = !(can_hold && has_all) && self.has_empty(&context, operands);
        let (operands, guards, own) =
            if is_empty { (&[][..], Vec::new(), Vec::new()) } else { (operands, guards, own) };
        if !(can_hold && has_all)
            && let Some(verdict) = self.failing(judged, &context, operands, asked)
        {
            judged.verdict = verdict;
            return Vec::new();
        }
        let guarded = Condition::all([judged.reached.clone()].into_iter().chain(guards.iter().cloned()));
        if !can_hold {
            let together = self.premises(&context, operands, &own);
            if let Some(verdict) = self.contradicting(&together, &parts, &guarded) {
                judged.verdict = verdict;
                return Vec::new();
            }
            premises = self.premises(&context, operands, &guards);
        }
        let equality = self
            .forced_equality(&judged.reached, &premises, &parts, arrays)
            .or_else(|| self.equality_at_last(judged, &premises, arrays));
        if let Some(equality) = equality {
            let gap = self.gap_of_equality(&guarded, &parts, &equality.condition());
            judged.verdict = gap.map_or(Verdict::OnlyIf(equality), Verdict::Undecided);
        }
        facts
    }

    /// The equality that a statement needs in a program that no procedure ends early: one that is called in a loop may
    /// do so before the last iterations.
    fn equality_at_last(&mut self, judged: &Judged, premises: &[Condition], arrays: &[NamedArray]) -> Option<Equality> {
        let may_stop = |&region: &RegionId| self.may_stop_in(region) && !self.regions[region].is_left_early;
        if arrays.is_empty() || !judged.chain.iter().any(may_stop) {
            return None;
        }
        let reached = self.in_each_iteration(&judged.reached, &judged.chain);
        self.takes_calls_to_return = true;
        let asked: Vec<Asked> = judged.open.iter().map(|&number| self.asked(judged, &reached, number)).collect();
        self.takes_calls_to_return = false;
        let (parts, _) = together(&asked);
        // Where no more is asked than before, no more follows.
        if parts == judged.parts {
            return None;
        }
        let premises: Vec<Condition> =
            premises.iter().map(|premise| self.in_each_iteration(premise, &judged.chain)).collect();
        self.forced_equality(&reached, &premises, &parts, arrays)
    }

    /// A demand with what follows from it for some iterations, if its statement is reached under a condition.
    fn asked(&mut self, judged: &Judged, reached: &Condition, number: usize) -> Asked {
        let demand = &judged.demands[number];
        let chain: Vec<RegionId> = judged.chain.iter().chain(&demand.regions).copied().collect();
        let reached = Condition::all([reached.clone(), demand.guard.clone()]);
        let mut instances = self.instances(&chain, &reached, &demand.condition);
        // They speak of the part that is executed under the guard, which others of the statement need not be.
        for instance in &mut instances {
            instance.condition = Condition::implies(&demand.guard, instance.condition.clone());
        }
        let here = Condition::implies(&demand.guard, demand.condition.clone());
        Asked { number, guard: demand.guard.clone(), here, instances }
    }

    /// The first demand that fails by itself.
    fn failing(
        &mut self,
        judged: &Judged,
        context: &Condition,
        operands: &[Term],
        asked: Vec<Asked>,
    ) -> Option<Verdict> {
        for Asked { number, guard, here, instances } in asked {
            let premises = self.premises(context, operands, std::slice::from_ref(&guard));
            let parts: Vec<Condition> =
                instances.iter().map(|instance| instance.condition.clone()).chain([here]).collect();
            let question = self.with_known(premises.iter().chain(&parts).cloned(), false);
            if !self.solver.is_impossible(&question) {
                continue;
            }
            let guilty = instances.into_iter().find(|instance| {
                let question = self.with_known(premises.iter().cloned().chain([instance.condition.clone()]), false);
                self.solver.is_impossible(&question)
            });
            let reached = Condition::all([judged.reached.clone(), guard]);
            let gap = self.gap(&reached, &parts);
            return Some(gap.map_or(Verdict::Fails(number, guilty), Verdict::Undecided));
        }
        None
    }

    /// Whether all that is demanded can't hold, by itself or with what earlier statements demand.
    fn contradicting(&mut self, premises: &[Condition], parts: &[Condition], guarded: &Condition) -> Option<Verdict> {
        let mut contradicts = |with_facts: bool| {
            let question = self.with_known(premises.iter().chain(parts).cloned(), with_facts);
            self.solver.is_impossible(&question)
        };
        if !contradicts(true) {
            return None;
        }
        let with_facts = !contradicts(false);
        let reached = guarded.conjuncts().iter().cloned();
        let alone = self.with_known(premises.iter().cloned().chain(reached), with_facts);
        let is_reached = !self.solver.is_impossible(&alone);
        let gap = if is_reached { self.gap(guarded, parts) } else { Some(Gap::Unreached) };
        Some(gap.map_or(Verdict::Contradicts(with_facts), Verdict::Undecided))
    }

    /// The value of a term, if there is only one that it can have under a condition.
    pub fn only_value(&mut self, reached: &Condition, term: &Term) -> Option<i64> {
        let with =
            |unit: &mut Self, of_term: Condition| unit.with_definitions(Condition::all([reached.clone(), of_term]));
        // What any value that matters is: it brings in the places of the term.
        let any = with(self, Condition::at_most(term, &constant(1 << 40))?);
        let Satisfiable::Model(model) = self.solver.satisfiable(&any) else { return None };
        let value = value_of(term, &|place| model.get(&place).copied().unwrap_or_default())?;
        let another = with(self, Condition::equal(term, &constant(value))?.not());
        self.solver.is_impossible(&another).then_some(value)
    }

    /// Values for which an open demand of a statement fails, small ones if there are such.
    fn counterexample(&mut self, judged: &Judged) -> Option<(usize, Model)> {
        for &number in &judged.open {
            let demand = &judged.demands[number];
            let broken = demand.condition.not();
            let parts = [judged.reached.clone(), demand.guard.clone(), broken];
            let question = self.with_known(parts.clone(), true);
            let mut places = Vec::new();
            question.places(&mut places);
            let truths = truths(&question);
            let numbers = places.into_iter().filter(|place| !truths.contains(place)).collect::<BTreeSet<_>>();
            let small = numbers.into_iter().flat_map(|place| {
                let term = crate::symbolic::place_term(place);
                [Condition::at_most(&constant(-1), &term), Condition::at_most(&term, &constant(8))]
            });
            let bounded = Condition::all(small.flatten().chain([question.clone()]));
            for question in [bounded, question] {
                if let Satisfiable::Model(model) = self.solver.satisfiable(&question) {
                    return Some((number, model));
                }
            }
        }
        None
    }
}

/// Whether a verdict is told as certain.
fn is_reported(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Fails(..) | Verdict::Contradicts(_) | Verdict::OnlyIf(_) => true,
        Verdict::Holds | Verdict::Assumed | Verdict::Unreachable | Verdict::Undecided(_) => false,
    }
}

/// The rule that a verdict is told by, of a statement whose demands have rules of these codes.
pub fn is_of_callee(judged: &Judged, rule: &'static Rule) -> bool {
    judged.open.iter().all(|&number| judged.demands[number].rule == rule)
}
