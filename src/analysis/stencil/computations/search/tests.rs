//! The search against all paths: on small random programs, whatever some admissible path leads to is found, and nothing
//! else.
//!
//! The oracle takes the rule of the search as it is written and tries every path, without remembering what was
//! searched. That takes exponential time, so it gives up on some roots; these are counted.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use crate::analysis::stencil::computations::search::distances::add;
use crate::analysis::stencil::computations::search::*;
use crate::analysis::stencil::computations::{NoLibrary, each_unit};
use crate::flow::FlowPosition;
use crate::names::{self, ModuleIndex};
use crate::values::Distance;
use crate::workspace::{SourceOptions, parse};

/// Statements that the oracle may meet on the paths to one root; beyond, it gives up.
const STEPS: usize = 3_000;

/// A program: what stands before the outer loop, in it and behind it.
#[derive(Clone, Debug)]
struct Program {
    scalars: usize,
    before: Vec<Assigned>,
    body: Body,
    behind: Vec<Assigned>,
    /// The scalar that the loop gives to an array element at its end.
    result: usize,
}

/// What stands in a loop: items, and jumps from behind one of them to before another one. Numbers that are too large go
/// round.
#[derive(Clone, Debug)]
struct Body {
    items: Vec<Item>,
    jumps: Vec<(usize, usize)>,
    is_counted: bool,
}

#[derive(Clone, Debug)]
enum Item {
    Always(Assigned),
    Perhaps(Assigned),
    Branches(Vec<Assigned>, Vec<Assigned>),
    Loop(Body),
}

/// An assignment to a scalar that reads some scalars.
#[derive(Clone, Debug)]
struct Assigned {
    target: usize,
    operands: Vec<usize>,
    is_accumulation: bool,
    /// Whether it reads a fixed element, not one that moves with the outer loop.
    is_fixed: bool,
}

fn assigned() -> impl Strategy<Value = Assigned> {
    let count = prop_oneof![1 => Just(0..=0), 6 => Just(1..=3)];
    let operands = count.prop_flat_map(|count| prop::collection::vec(0..8_usize, count));
    (0..8_usize, operands, prop::bool::weighted(0.15), prop::bool::weighted(0.2)).prop_map(
        |(target, operands, is_accumulation, is_fixed)| Assigned { target, operands, is_accumulation, is_fixed },
    )
}

fn assignments(most: usize) -> impl Strategy<Value = Vec<Assigned>> {
    prop::collection::vec(assigned(), 0..=most)
}

/// A body of some items, which may hold bodies again to this depth.
fn body(items: std::ops::Range<usize>, depth: u32) -> BoxedStrategy<Body> {
    let simple = prop_oneof![
        6 => assigned().prop_map(Item::Always),
        2 => assigned().prop_map(Item::Perhaps),
        1 => (assignments(2), assignments(2)).prop_map(|(then, otherwise)| Item::Branches(then, otherwise)),
    ];
    let item = match depth {
        0 => simple.boxed(),
        _ => prop_oneof![3 => simple, 1 => body(1..5, depth - 1).prop_map(Item::Loop)].boxed(),
    };
    let jumps = prop::collection::vec((0..8_usize, 0..8_usize), 0..4);
    let is_counted = prop::bool::weighted(0.8);
    (prop::collection::vec(item, items), jumps, is_counted)
        .prop_map(|(items, jumps, is_counted)| Body { items, jumps, is_counted })
        .boxed()
}

fn program() -> impl Strategy<Value = Program> {
    // With few scalars more of it is history.
    let scalars = prop_oneof![3 => 2..=5_usize, 1 => 6..=8_usize];
    (scalars, assignments(2), body(3..9, 1), assignments(1), 0..8_usize)
        .prop_map(|(scalars, before, body, behind, result)| Program { scalars, before, body, behind, result })
}

/// Writes a program. Each assignment reads another element of `a`.
struct Writer {
    text: String,
    scalars: usize,
    assignments: usize,
    labels: usize,
    loops: usize,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("writing to a string does not fail");
    }

    fn assigned(&mut self, assigned: &Assigned, condition: &str) {
        self.assignments += 1;
        let target = assigned.target % self.scalars;
        let read = if assigned.is_fixed { "" } else { "i+" };
        let mut line = format!("{condition}x{target} = a({read}{})", self.assignments);
        let own = assigned.is_accumulation.then_some(target);
        for operand in assigned.operands.iter().map(|operand| operand % self.scalars).chain(own) {
            line += &format!(" + x{operand}");
        }
        self.line(format_args!("{line}"));
    }

    fn all_assigned(&mut self, all: &[Assigned]) {
        all.iter().for_each(|assigned| self.assigned(assigned, ""));
    }

    /// A loop with an assignment of `result` to an array element at its end.
    fn body(&mut self, body: &Body, result: Option<usize>) {
        let variable = ["i", "j"].get(self.loops).filter(|_| body.is_counted);
        self.loops += 1;
        match variable {
            Some(variable) => self.line(format_args!("do {variable} = 2, n")),
            None => self.line(format_args!("do while (k > 0)")),
        }
        // The places before, between and behind the items; a label for each that is jumped to.
        let (first_label, places) = (10 * (self.labels + 1), body.items.len() + 1);
        self.labels += places;
        let jumps: Vec<_> = body.jumps.iter().map(|&(from, to)| (from % places, to % places)).collect();
        for place in 0..places {
            if jumps.iter().any(|&(_, to)| to == place) {
                self.line(format_args!("{} continue", first_label + 10 * place));
            }
            for &(_, to) in jumps.iter().filter(|&&(from, _)| from == place) {
                self.line(format_args!("if (k > {place}) goto {}", first_label + 10 * to));
            }
            match body.items.get(place) {
                Some(Item::Always(assigned)) => self.assigned(assigned, ""),
                Some(Item::Perhaps(assigned)) => self.assigned(assigned, "if (k > 3) "),
                Some(Item::Branches(then, otherwise)) => {
                    self.line(format_args!("if (k > 5) then"));
                    self.all_assigned(then);
                    self.line(format_args!("else"));
                    self.all_assigned(otherwise);
                    self.line(format_args!("end if"));
                }
                Some(Item::Loop(inner)) => self.body(inner, None),
                None => {}
            }
        }
        if let Some(result) = result {
            self.line(format_args!("b(i) = x{}", result % self.scalars));
        }
        self.line(format_args!("end do"));
        self.loops -= 1;
    }
}

impl Program {
    fn text(&self) -> String {
        let mut writer = Writer { text: String::new(), scalars: self.scalars, assignments: 0, labels: 0, loops: 0 };
        writer.line(format_args!("subroutine s(a, b, n, k)"));
        writer.line(format_args!("integer :: n, k, i, j"));
        let names: Vec<String> = (0..self.scalars).map(|scalar| format!("x{scalar}")).collect();
        writer.line(format_args!("real :: a(n), b(n), {}", names.join(", ")));
        writer.all_assigned(&self.before);
        writer.body(&self.body, Some(self.result));
        writer.all_assigned(&self.behind);
        writer.line(format_args!("end"));
        writer.text
    }
}

/// What flows to a root: statements with the distances at which they were met.
type Flowing = BTreeSet<(FlowPosition, Distance)>;

/// All admissible paths from one root.
struct AllPaths<'a, 't> {
    unit: &'a UnitContext<'t>,
    distances: Distances,
    /// For each position what reaches the assignment there, once that was asked.
    reaching: IndexVec<FlowPosition, Option<Rc<Reaching>>>,
    /// The statements from the root to the current one, and what each defines.
    path: Vec<(FlowPosition, Option<VariableId>)>,
    flowing: Flowing,
    steps: usize,
}

impl<'a, 't> AllPaths<'a, 't> {
    fn new(unit: &'a UnitContext<'t>) -> Self {
        AllPaths {
            unit,
            distances: Distances::new(),
            reaching: index_vec![None; unit.values.flow.statements.len()],
            path: Vec::new(),
            flowing: BTreeSet::new(),
            steps: 0,
        }
    }

    /// What flows to the root at a position, unless there are too many paths.
    fn flowing(&mut self, root: FlowPosition, variable: Option<VariableId>) -> Option<Flowing> {
        (self.path, self.flowing, self.steps) = (Vec::new(), BTreeSet::new(), 0);
        self.follow(root, variable, &Distance::new())?;
        Some(std::mem::take(&mut self.flowing))
    }

    /// Of some statements that flow to a root, those that flow to one of them, and that one.
    fn reachable(&self, from: FlowPosition, flowing: &BTreeSet<FlowPosition>) -> BTreeSet<FlowPosition> {
        let mut found = BTreeSet::from([from]);
        let mut pending = vec![from];
        while let Some(position) = pending.pop() {
            let hops = self.reaching[position].iter().flat_map(|reaching| &reaching.hops);
            let below = hops.map(|hop| hop.position).filter(|below| flowing.contains(below));
            pending.extend(below.filter(|&below| found.insert(below)).collect::<Vec<_>>());
        }
        found
    }

    /// Puts a statement on the path, and follows all that reaches it.
    fn follow(&mut self, position: FlowPosition, variable: Option<VariableId>, distance: &Distance) -> Option<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        self.flowing.insert((position, distance.clone()));
        self.path.push((position, variable));
        let known = &mut self.reaching[position];
        let find = || Rc::new(reaching(self.unit, position, &mut self.distances));
        let reaching = Rc::clone(known.get_or_insert_with(find));
        for hop in &reaching.hops {
            let hop_distance = self.distances.get(hop.distance);
            let is_defined = self.path.iter().any(|&(_, variable)| variable == Some(hop.variable));
            let is_on_path = self.path.iter().any(|&(position, _)| position == hop.position);
            if !is_on_path && (!hop.is_earlier || !is_defined) {
                self.follow(hop.position, Some(hop.variable), &add(distance, &hop_distance))?;
            }
        }
        self.path.pop();
        Some(())
    }
}

/// How many roots were compared, and how many had too many paths or distances.
#[derive(Default)]
struct Tally {
    compared: Cell<usize>,
    skipped: Cell<usize>,
}

/// Compares what the search finds with what is on all paths, for each assignment of a program as the root. An error
/// says where they differ.
fn compare(text: &str, paper: bool, tally: &Tally) -> Result<(), String> {
    let tree = parse(Path::new("s.f90"), text.as_bytes(), &SourceOptions::default());
    let index = ModuleIndex::new(names::summarise(&tree));
    let resolved = names::resolve(&tree, &index);
    let mut result = Ok(());
    each_unit(
        &tree,
        &resolved,
        paper,
        &NoLibrary,
        |_| true,
        |unit| {
            let mut search = Search::new(unit);
            let mut all_paths = AllPaths::new(unit);
            for position in
                unit.values.flow.statements.indices().filter(|&position| unit.values.assignment(position).is_some())
            {
                let (root, through) = search.contributions(position);
                let expected = all_paths.flowing(position, search.target(position)).filter(|_| !root.is_incomplete);
                let Some(mut expected) = expected else {
                    tally.skipped.set(tally.skipped.get() + 1);
                    continue;
                };
                tally.compared.set(tally.compared.get() + 1);
                let flowing: BTreeSet<FlowPosition> =
                    expected.iter().map(|&(at, _)| at).filter(|&at| at != position).collect();
                let is_part = |&at: &FlowPosition| {
                    all_paths.reachable(at, &flowing).into_iter().all(|below| reads_of(unit, position, below).1)
                };
                let expected_through: BTreeSet<FlowPosition> = flowing.iter().copied().filter(is_part).collect();
                expected.retain(|&(at, _)| reads_of(unit, position, at).0);
                let found: Flowing =
                    root.contributions.iter().map(|one| (one.position, one.distance.to_vec())).collect();
                if found != expected || !through.iter().eq(&expected_through) {
                    result = Err(format!(
                        "{text}root {position:?}, paper {paper}\nmissing: {:?}\ntoo many: {:?}\nthrough {through:?}, expected {expected_through:?}",
                        expected.difference(&found).collect::<Vec<_>>(),
                        found.difference(&expected).collect::<Vec<_>>(),
                    ));
                    return;
                }
            }
        },
    );
    result
}

/// Whether the assignment at a position has a read that belongs to a root, and whether all of its reads do. Each
/// statement but the one for the result has one read.
fn reads_of(unit: &UnitContext<'_>, root: FlowPosition, position: FlowPosition) -> (bool, bool) {
    let found = unit.values.assignment(position).map(|(target, value)| reads(unit, position, target, value));
    let belonging: Vec<bool> = found.iter().flatten().map(|read| belongs(unit, root, position, read)).collect();
    (belonging.contains(&true), !belonging.contains(&false))
}

#[test]
fn all_that_is_on_some_path_is_found_and_nothing_else() {
    let tally = Tally::default();
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let programs = (program(), select(vec![false, false, false, true]));
    let outcome = TestRunner::new(config)
        .run(&programs, |(program, paper)| compare(&program.text(), paper, &tally).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|error| panic!("{error}"));
    let (compared, skipped) = (tally.compared.get(), tally.skipped.get());
    assert!(skipped * 4 < compared, "{skipped} roots were skipped, {compared} compared");
}

#[test]
fn what_leads_back_into_a_ring_waits_for_its_head() {
    // If a member of the ring of `x2` and `x3` counted as complete before its head is, reads would be missing. Few
    // random programs show it.
    let text = "
subroutine s(a, b, n, k)
integer :: n, k, i
real :: a(n), b(n), x0, x1, x2, x3
do while (k > 0)
10 continue
x0 = a(i+1) + x1 + x2
x0 = a(i+2) + x3
do while (k > 0)
x1 = a(i+3) + x0
x3 = a(i+4) + x2 + x0
x2 = a(i+5) + x3
end do
if (k > 6) goto 10
end do
end
";
    let tally = Tally::default();
    compare(text, false, &tally).expect("the search finds what is on all paths");
    assert_eq!((tally.compared.get(), tally.skipped.get()), (5, 0));
}
