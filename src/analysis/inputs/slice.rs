//! Leaves out of a plan what nothing that is read depends on.

use rustc_hash::FxHashSet;

use super::expression::{Expression, VariableId};
use super::plan::{Branch, Form, PlanItem, ReadStep, Repeat, Step};
use super::reads::variable_of;

/// The variables that matter.
type Wanted = FxHashSet<VariableId>;

/// Leaves out of steps what does not matter to what is read.
pub fn slice(steps: &mut Vec<Step>) {
    prune(steps);
    let mut wanted = Wanted::default();
    loop {
        let before = wanted.len();
        want_all(steps, &mut wanted);
        if wanted.len() == before {
            break;
        }
    }
    keep(steps, &wanted);
    prune(steps);
}

fn mention(expression: &Expression, wanted: &mut Wanted) {
    expression.variables(&mut |variable| {
        wanted.insert(variable);
    });
}

fn want_all(steps: &[Step], wanted: &mut Wanted) {
    steps.iter().for_each(|step| want(step, wanted));
}

fn want(step: &Step, wanted: &mut Wanted) {
    match step {
        Step::Read(read) => want_read(read, wanted),
        Step::Set(place, value) => {
            if variable_of(place).is_some_and(|it| wanted.contains(&it)) {
                mention(place, wanted);
                mention(value, wanted);
            }
        }
        Step::Allocate(variable, bounds) => {
            if wanted.contains(variable) {
                bounds.iter().flatten().for_each(|it| mention(it, wanted));
            }
        }
        Step::Repeat(repeat) => {
            if let Some(count) = &repeat.count {
                mention(&count.lower, wanted);
                mention(&count.upper, wanted);
            }
            want_all(&repeat.of, wanted);
        }
        Step::Block(steps) => want_all(steps, wanted),
        Step::Exit(when, _) | Step::Cycle(when, _) => mention(when, wanted),
        Step::Either(branches) => {
            for branch in branches {
                mention(&branch.when, wanted);
                want_all(&branch.of, wanted);
            }
        }
        Step::Forget(_) | Step::Rewind(_) | Step::Back(_) | Step::Move(_) | Step::Reopen(_) | Step::Lost => {}
    }
}

fn want_read(read: &ReadStep, wanted: &mut Wanted) {
    read.needs.iter().for_each(|need| mention(&need.condition, wanted));
    read.items.iter().for_each(|item| want_item(item, wanted));
    for caught in [&read.end, &read.error].into_iter().flatten() {
        if let Some(steps) = caught.steps() {
            want_all(steps, wanted);
        }
    }
    if let Form::Namelist(_, variables) = &read.form {
        wanted.extend(variables.iter().map(|it| it.variable));
    }
    want_all(&read.then, wanted);
}

fn want_item(item: &PlanItem, wanted: &mut Wanted) {
    match item {
        PlanItem::Value(place, _) => mention(place, wanted),
        PlanItem::Loop(_, lower, upper, step, items) => {
            [lower, upper, step].into_iter().for_each(|it| mention(it, wanted));
            items.iter().for_each(|item| want_item(item, wanted));
        }
        PlanItem::Unknown(_) => {}
    }
}

/// Leaves out what defines no variable that is wanted.
fn keep(steps: &mut Vec<Step>, wanted: &Wanted) {
    steps.retain_mut(|step| match step {
        Step::Set(place, _) => variable_of(place).is_some_and(|it| wanted.contains(&it)),
        Step::Allocate(variable, _) => wanted.contains(variable),
        Step::Forget(variables) => {
            variables.retain(|it| wanted.contains(it));
            !variables.is_empty()
        }
        _ => true,
    });
    for step in steps {
        match step {
            Step::Repeat(repeat) => keep(&mut repeat.of, wanted),
            Step::Block(steps) => keep(steps, wanted),
            Step::Either(branches) => branches.iter_mut().for_each(|it| keep(&mut it.of, wanted)),
            Step::Read(read) => {
                keep(&mut read.then, wanted);
                for caught in [&mut read.end, &mut read.error].into_iter().flatten() {
                    if let Some(steps) = caught.steps_mut() {
                        keep(steps, wanted);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The jump that is all that a step does, under a condition.
fn only_jump(step: &Step) -> Option<Step> {
    let Step::Either(branches) = step else { return None };
    let [Branch { when, of }] = branches.as_slice() else { return None };
    match of.as_slice() {
        [Step::Exit(inner, level)] => Some(Step::Exit(when.clone().and(inner.clone()), *level)),
        [Step::Cycle(inner, level)] => Some(Step::Cycle(when.clone().and(inner.clone()), *level)),
        _ => None,
    }
}

/// Leaves out that a block is left where it ends.
fn drop_last_exit(steps: &mut Vec<Step>) {
    match steps.last_mut() {
        Some(Step::Exit(_, 1)) => {
            steps.pop();
            drop_last_exit(steps);
        }
        Some(Step::Either(branches)) => branches.iter_mut().for_each(|it| drop_last_exit(&mut it.of)),
        _ => {}
    }
}

/// Leaves out that the next round begins where a round ends.
fn drop_last_cycle(steps: &mut Vec<Step>) {
    match steps.last_mut() {
        Some(Step::Cycle(_, 1)) => {
            steps.pop();
            drop_last_cycle(steps);
        }
        Some(Step::Either(branches)) => branches.iter_mut().for_each(|it| drop_last_cycle(&mut it.of)),
        _ => {}
    }
}

/// Leaves out branches that do nothing, and what follows a jump.
fn prune(steps: &mut Vec<Step>) {
    for step in steps.iter_mut() {
        match step {
            Step::Repeat(Repeat { of, .. }) => {
                prune(of);
                drop_last_cycle(of);
            }
            Step::Block(of) => {
                prune(of);
                drop_last_exit(of);
            }
            Step::Either(branches) => {
                branches.iter_mut().for_each(|it| prune(&mut it.of));
                while branches.last().is_some_and(|it: &Branch| it.of.is_empty()) {
                    branches.pop();
                }
            }
            Step::Read(read) => {
                prune(&mut read.then);
                for caught in [&mut read.end, &mut read.error].into_iter().flatten() {
                    if let Some(steps) = caught.steps_mut() {
                        prune(steps);
                    }
                }
            }
            _ => {}
        }
    }
    for step in steps.iter_mut() {
        if let Some(jump) = only_jump(step) {
            *step = jump;
        }
    }
    steps.retain(|step| match step {
        Step::Either(branches) => !branches.is_empty(),
        Step::Block(of) => !of.is_empty(),
        Step::Exit(when, _) | Step::Cycle(when, _) => !when.is_logical(false),
        _ => true,
    });
    let is_end = |step: &Step| match step {
        Step::Exit(when, _) | Step::Cycle(when, _) => when.is_logical(true),
        Step::Lost => true,
        _ => false,
    };
    if let Some(end) = steps.iter().position(is_end) {
        steps.truncate(end + 1);
    }
}
