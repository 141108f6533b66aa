//! READ steps: the file, the items, what is needed behind it, and what the program does where it fails.

use super::code::{Item, NodeId, NodeKind, Read, ReadForm, Site, successors};
use super::data::Format;
use super::expression::Expression;
use super::expression_text::text;
use super::plan::*;
use super::reads;
use super::structure::{Structure, is_jump};

impl Structure<'_, '_> {
    /// Adds the step of a READ; gives what follows.
    pub(super) fn read(&mut self, node: NodeId, read: &Read, steps: &mut Vec<Step>) -> Option<NodeId> {
        let file = self.files.of_read(node);
        let form = self.form(read, file.is_none_or(|file| self.files.is_text(file)));
        let Some(file) = file else {
            // No text is read so: what the texts hold is read on.
            if matches!(read.form, ReadForm::Other("unformatted" | "direct access" | "stream access")) {
                return self.read_otherwise(node, read, steps);
            }
            steps.push(Step::Lost);
            return None;
        };
        let join = self.join(node);
        let end = read.end.map(|end| self.caught(end, join, read.next));
        let error = read.error.map(|error| self.caught(error, join, read.next));
        let site = self.program.nodes[node].site;
        let needs = self.needs.get(&node).map_or(&[] as &[_], Vec::as_slice);
        let needs = needs.iter().map(|need| PlanNeed {
            text: text(&need.condition, &self.program.variables, false),
            condition: need.condition.clone(),
            failure: Failure { at: plan_site(need.site), message: need.message.clone() },
            is_approximate: need.is_approximate,
        });
        let items = read.items.iter().map(plan_item).collect();
        let mut step = ReadStep {
            at: plan_site(site),
            file,
            form,
            decimal_comma: read.decimal_comma,
            items,
            needs: needs.collect(),
            end,
            error,
            then: Vec::new(),
        };
        let comes_back = |caught: &Option<Caught>| match caught {
            Some(caught) => caught.steps().is_some_and(|steps| !steps.last().is_some_and(is_jump)),
            None => false,
        };
        if !comes_back(&step.end) && !comes_back(&step.error) {
            steps.push(Step::Read(Box::new(step)));
            return Some(read.next);
        }
        step.then = self.sequence(read.next, join);
        steps.push(Step::Read(Box::new(step)));
        join
    }

    /// A READ of a file that is no text: only that it gives variables values matters, and where it leads.
    fn read_otherwise(&mut self, node: NodeId, read: &Read, steps: &mut Vec<Step>) -> Option<NodeId> {
        steps.push(Step::Forget(reads::defined(read)));
        if read.end.is_none() && read.error.is_none() {
            return Some(read.next);
        }
        let join = self.join(node);
        let mut branches = Vec::new();
        for target in [read.end, read.error].into_iter().flatten() {
            if self.is_dead(target) {
                continue;
            }
            branches.push(Branch { when: Expression::Unknown, of: self.sequence(target, join) });
        }
        branches.push(Branch { when: Expression::logical(true), of: self.sequence(read.next, join) });
        steps.push(Step::Either(branches));
        join
    }

    fn caught(&mut self, target: NodeId, join: Option<NodeId>, next: NodeId) -> Caught {
        if self.is_dead(target) {
            return Caught::Fails(self.failure(target));
        }
        let steps = self.sequence(target, join);
        if self.may_fail(target, next) { Caught::Perhaps(steps) } else { Caught::Steps(steps) }
    }

    /// The failure that all ways from a node lead to: the first.
    fn failure(&self, from: NodeId) -> Failure {
        let mut node = from;
        for _ in 0..self.program.nodes.len() {
            if let NodeKind::Fail(message) = &self.program.nodes[node].kind {
                return Failure { at: plan_site(self.program.nodes[node].site), message: message.clone() };
            }
            let Some(&next) = successors(&self.program.nodes[node].kind).first() else { break };
            node = next;
        }
        Failure { at: plan_site(self.program.nodes[from].site), message: String::new() }
    }

    fn form(&self, read: &Read, is_text: bool) -> Form {
        match &read.form {
            ReadForm::Other(why) => Form::Other((*why).to_owned()),
            _ if !is_text => Form::Other("not from a text's beginning".to_owned()),
            ReadForm::List => Form::List,
            ReadForm::Formatted(format) if Format::parse(format).is_none() => Form::Other("a format".to_owned()),
            ReadForm::Formatted(format) => Form::Format(format.clone()),
            ReadForm::Namelist(group, variables) => {
                let variables = variables.iter().map(|it| PlanGroupVariable {
                    name: it.name.clone(),
                    variable: it.variable,
                    dimensions: it.dimensions.clone(),
                });
                Form::Namelist(group.clone(), variables.collect())
            }
        }
    }
}

fn plan_site(site: Site) -> PlanSite {
    PlanSite { source: site.file, line: site.line }
}

fn plan_item(item: &Item) -> PlanItem {
    match item {
        Item::Reference(place, of) => PlanItem::Value(place.clone(), *of),
        Item::Loop { variable, lower, upper, step, items } => {
            PlanItem::Loop(*variable, lower.clone(), upper.clone(), step.clone(), items.iter().map(plan_item).collect())
        }
        Item::Unknown(written) => PlanItem::Unknown(written.clone()),
    }
}
