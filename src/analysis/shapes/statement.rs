//! What a statement demands.

use crate::analysis::obligations::{
    Amount, Demand, Demands, Point, Subject, callee_demands, concurrent, explicit_arguments,
};
use crate::flow::is_statement_function;
use crate::names::{BaseType, PartClass};
use crate::symbolic::{Condition, Term, constant, difference, product, sum};
use crate::syntax::visit::{walk_indices, walk_subexpressions};
use crate::syntax::{
    Argument, ArgumentValue, CaseRange, ConcurrentHeader, ConstructKind, DoControl, Expression, ExpressionKind, Name,
    Reference, StatementId, StatementKind,
};

use super::collect::{Collector, Shape};
use super::rules;

/// What the statement at a point demands.
pub fn demands(point: &mut Point<'_, '_>) -> Demands {
    let mut collector = Collector::default();
    let tree = point.unit.tree;
    let kind = &tree.statements[point.statement].kind;
    if !tree.hides(point.statement) {
        let headers = forall_headers(point);
        collector.within_foralls(point, &headers, kind);
        let guard = match kind {
            StatementKind::If { condition, .. } => point.condition(condition),
            _ => Condition::True,
        };
        for demand in callee_demands(point, &rules::CALL_BREAKS_ASSUMPTION) {
            let guard = Condition::all([guard.clone(), demand.guard]);
            collector.found.demands.push(Demand { guard, ..demand });
        }
    }
    collector.found
}

/// The headers of the FORALL constructs around a statement, outermost first.
fn forall_headers<'t>(point: &Point<'_, 't>) -> Vec<&'t ConcurrentHeader> {
    let tree = point.unit.tree;
    let constructs = std::iter::successors(tree.construct_of[point.statement], |&of| tree.constructs[of].parent);
    let mut headers: Vec<&ConcurrentHeader> = constructs
        .filter_map(|construct| {
            let header = *tree.constructs[construct].headers.first()?;
            if header == point.statement {
                return None;
            }
            match &tree.statements[header].kind {
                StatementKind::ForallConstruct(of) => Some(of.as_ref()),
                _ => None,
            }
        })
        .collect();
    headers.reverse();
    headers
}

impl Collector {
    fn within_foralls(&mut self, point: &mut Point<'_, '_>, headers: &[&ConcurrentHeader], kind: &StatementKind) {
        let Some((header, rest)) = headers.split_first() else { return self.statement(point, kind) };
        self.forall(point, header, |collector, point| collector.within_foralls(point, rest, kind));
    }

    /// Looks at what a FORALL header governs.
    fn forall(
        &mut self,
        point: &mut Point<'_, '_>,
        header: &ConcurrentHeader,
        look: impl FnOnce(&mut Self, &mut Point<'_, '_>),
    ) {
        self.inside(point, |collector, point, region| {
            let range = concurrent(point, region, header);
            collector.under(range, |collector| look(collector, point));
        });
    }

    fn statement(&mut self, point: &mut Point<'_, '_>, kind: &StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Assignment { target, value }
                if !is_statement_function(point.unit.resolved, point.statement, target) =>
            {
                self.assignment(point, target, value);
            }
            Kind::PointerAssignment { target, value } => self.pointer_assignment(point, target, value),
            Kind::Call { procedure } => self.call(point, procedure),
            Kind::Allocate { objects, options, .. } => self.allocate(point, objects, options),
            Kind::If { condition, action } => {
                self.shape(point, condition);
                let condition = point.condition(condition);
                self.under(condition, |collector| collector.statement(point, &action.kind));
            }
            Kind::IfThen(condition) | Kind::ElseIf(condition, _) => {
                self.shape(point, condition);
            }
            Kind::Do { control, .. } => self.loop_control(point, control),
            Kind::SelectCase(selector) => {
                self.shape(point, selector);
            }
            Kind::Case { ranges, .. } => {
                for range in ranges {
                    if let CaseRange::Value(value) = range {
                        self.shape(point, value);
                    }
                }
            }
            Kind::Where { mask, action } => self.masked(point, mask, &action.kind),
            Kind::WhereConstruct(mask) => {
                self.shape(point, mask);
                self.in_where(point, mask);
            }
            Kind::ElseWhere(Some(mask), _) => {
                self.shape(point, mask);
                self.in_where(point, mask);
            }
            Kind::Forall { header, action } => {
                self.forall(point, header, |collector, point| collector.statement(point, &action.kind));
            }
            Kind::InputOutput(transfer) => {
                transfer.control.iter().filter_map(|one| one.value.as_ref()).for_each(|value| {
                    self.shape(point, value);
                });
                let mut given = Vec::new();
                for item in &transfer.items {
                    if transfer.operation.is_input() {
                        given_by(item, &mut given);
                        // Items before it were given their values by then (12.6.4.1).
                        if asks_for_one_of(item, &given) {
                            continue;
                        }
                    }
                    self.shape(point, item);
                }
            }
            Kind::ComputedGoTo(_, selector) => {
                self.shape(point, selector);
            }
            Kind::ArithmeticIf(expression, _) => {
                self.shape(point, expression);
            }
            Kind::Associate(associations) => {
                for association in associations {
                    self.shape(point, &association.selector);
                }
            }
            Kind::Stop { code: Some(code), .. } => {
                self.shape(point, code);
            }
            _ => {}
        }
    }

    fn loop_control(&mut self, point: &mut Point<'_, '_>, control: &DoControl) {
        match control {
            DoControl::Forever => {}
            DoControl::Counted { lower, upper, step, .. } => {
                for bound in [Some(lower), Some(upper), step.as_ref()].into_iter().flatten() {
                    self.shape(point, bound);
                }
            }
            DoControl::While(condition) => {
                self.shape(point, condition);
            }
            DoControl::Concurrent(header) => {
                for control in &header.controls {
                    self.shape(point, &control.lower);
                    self.shape(point, &control.upper);
                }
            }
        }
    }

    fn assignment(&mut self, point: &mut Point<'_, '_>, target: &Reference, value: &Expression) {
        let target_expression = as_expression(target);
        let span = target_expression.span;
        let target_text = point.text(span);
        let right = self.shape(point, value);
        let left = self.shape(point, &target_expression);
        self.masked_by_construct(point, &left, &target_text, span);
        if takes_shape(point, target) {
            return;
        }
        // A scalar on the left takes no array; that is for the compiler.
        if left.as_ref().is_some_and(|left| !left.is_empty()) {
            let right_text = point.text(value.span);
            self.conforming(&rules::SHAPES_DIFFER, value.span, (left, target_text), (right, right_text));
        }
    }

    /// The masks of the WHERE constructs around an assignment.
    fn masked_by_construct(&mut self, point: &mut Point<'_, '_>, shape: &Shape, text: &str, span: crate::source::Span) {
        let tree = point.unit.tree;
        let Some(header) = where_header(point, point.statement) else { return };
        let StatementKind::WhereConstruct(mask) = &tree.statements[header].kind else { return };
        let mask_shape = point.shape(mask);
        let mask_text = crate::values::ExpressionContext { statement: header, ..point.context() }.text(mask.span);
        let pair = ((shape.clone(), text.to_owned()), (mask_shape, mask_text));
        self.conforming(&rules::SHAPES_DIFFER, span, pair.0, pair.1);
    }

    /// A mask inside a WHERE construct.
    fn in_where(&mut self, point: &mut Point<'_, '_>, mask: &Expression) {
        let shape = point.shape(mask);
        let text = point.text(mask.span);
        self.masked_by_construct(point, &shape, &text, mask.span);
    }

    fn masked(&mut self, point: &mut Point<'_, '_>, mask: &Expression, action: &StatementKind) {
        let mask_shape = self.shape(point, mask);
        self.statement(point, action);
        if let StatementKind::Assignment { target, .. } = action {
            let target = as_expression(target);
            let (shape, text) = (point.shape(&target), point.text(target.span));
            let mask_text = point.text(mask.span);
            self.conforming(&rules::SHAPES_DIFFER, mask.span, (shape, text), (mask_shape, mask_text));
        }
    }

    fn call(&mut self, point: &mut Point<'_, '_>, procedure: &Reference) {
        for list in procedure.parts.iter().flat_map(|part| &part.lists) {
            for item in &list.items {
                let shape = self.argument(point, item);
                self.found.operands.extend(shape.into_iter().flatten());
            }
        }
        self.explicit_arguments(point, procedure);
    }

    /// Array arguments have the elements that dummy arguments of explicit shape want (15.5.2.12).
    pub fn explicit_arguments(&mut self, point: &mut Point<'_, '_>, procedure: &Reference) {
        for (dummy, actual, extents) in explicit_arguments(point, procedure) {
            if let Some(message) = permuted(point, &self.guard(), &dummy, actual, &extents) {
                self.oddity(&rules::PERMUTED_EXTENTS, actual.span, Condition::False, message);
            }
            let Some((available, has_elements)) = available(point, actual) else { continue };
            // An assumed size is what is handed over.
            let Some(known) = extents.into_iter().collect::<Option<Vec<Term>>>() else { continue };
            let Some(needed) = known.iter().try_fold(constant(1), |count, extent| product(&count, extent)) else {
                continue;
            };
            let wants_elements = known.iter().filter_map(|extent| Condition::at_most(&constant(1), extent));
            let guard = Condition::all(wants_elements);
            let condition = Condition::at_most(&needed, &available)
                .map(|enough| Condition::all(has_elements.into_iter().chain([enough])));
            let text = point.text(actual.span);
            let subject = Subject::Sizes {
                there: Amount::of_elements(format!("'{text}' hands over"), available),
                needed: Amount::new(format!("the dummy argument '{dummy}' has"), needed),
            };
            self.under(guard, |collector| {
                collector.demand(&rules::ARGUMENT_TOO_SMALL, actual.span, condition, subject);
            });
        }
    }

    fn allocate(
        &mut self,
        point: &mut Point<'_, '_>,
        objects: &[Reference],
        options: &[(crate::syntax::Identifier, Expression)],
    ) {
        for object in objects {
            let Some(list) = object.parts.last().and_then(|part| part.lists.first()) else { continue };
            for item in &list.items {
                self.argument(point, item);
                self.allocated_extent(point, object, item);
            }
        }
        for (_, option) in options {
            self.shape(point, option);
        }
    }

    fn allocated_extent(&mut self, point: &mut Point<'_, '_>, object: &Reference, item: &Argument) {
        let (lower, upper) = match &item.value {
            ArgumentValue::Expression(upper) => (None, Some(upper)),
            ArgumentValue::Section(section) => (section.lower.as_deref(), section.upper.as_deref()),
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => return,
        };
        let Some(upper) = upper.filter(|upper| point.is_integer(upper)) else { return };
        if lower.is_some_and(|lower| !point.is_integer(lower)) {
            return;
        }
        let lower = lower.map_or(constant(1), |lower| point.integer(lower));
        let upper = point.integer(upper);
        let Some(meant) = difference(&upper, &lower).and_then(|distance| Condition::at_most(&constant(-1), &distance))
        else {
            return;
        };
        let name = object.parts.last().map_or("", |part| point.unit.tree.names.text(part.name.name));
        let places = &point.unit.places;
        let bounds = format!("{}:{}", places.text(&lower), places.text(&upper));
        let message =
            format!("'{name}' is allocated with the bounds {bounds}, between which there is less than nothing");
        self.oddity(&rules::EXTENT_NEGATIVE, item.span, meant, message);
    }

    fn pointer_assignment(&mut self, point: &mut Point<'_, '_>, target: &Reference, value: &Expression) {
        let shape = self.shape(point, value);
        let Some(list) = target.parts.last().and_then(|part| part.lists.first()) else { return };
        let mut needed = constant(1);
        for item in &list.items {
            let ArgumentValue::Section(section) = &item.value else { return };
            let Some(upper) = &section.upper else { return };
            let lower = section.lower.as_ref().map_or(constant(1), |lower| point.integer(lower));
            let upper = point.integer(upper);
            let extent = crate::analysis::obligations::extent_between(&lower, &upper);
            let Some(count) = extent.and_then(|extent| product(&needed, &extent)) else { return };
            needed = count;
        }
        let Some(extents) = shape else { return };
        let Some(there) = extents.iter().try_fold(constant(1), |count, extent| product(&count, extent)) else { return };
        let condition = Condition::at_most(&needed, &there);
        let text = point.text(value.span);
        let subject = Subject::Sizes {
            there: Amount::of_elements(format!("'{text}' has"), there),
            needed: Amount::new("the pointer's bounds want", needed),
        };
        self.demand(&rules::ARGUMENT_TOO_SMALL, value.span, condition, subject);
    }
}

/// A reference as an expression, with its place.
fn as_expression(reference: &Reference) -> Expression {
    let first = reference.parts[0].name.span;
    let last = reference.parts.last().map_or(first, |part| part.lists.last().map_or(part.name.span, |list| list.span));
    let span = crate::source::Span::new(first.start, last.end);
    Expression { kind: ExpressionKind::Reference(reference.clone()), span }
}

/// The header of the innermost WHERE construct around a statement that is not that header.
fn where_header(point: &Point<'_, '_>, statement: StatementId) -> Option<StatementId> {
    let tree = point.unit.tree;
    let constructs = std::iter::successors(tree.construct_of[statement], |&of| tree.constructs[of].parent);
    constructs
        .filter(|&construct| tree.constructs[construct].kind == ConstructKind::Where)
        .filter_map(|construct| tree.constructs[construct].headers.first().copied())
        .find(|&header| header != statement)
}

/// Whether an assignment gives its left side the shape of the right one.
fn takes_shape(point: &Point<'_, '_>, target: &Reference) -> bool {
    let is_whole = target.parts.last().is_some_and(|part| part.lists.is_empty());
    if !is_whole {
        return false;
    }
    match target.parts.as_slice() {
        // An associate name is not allocatable, whatever it stands for (11.1.3.3).
        [_] => point.symbol(target).is_some_and(|symbol| point.unit.resolved.symbol(symbol).is_allocatable),
        // A component that may be allocatable.
        parts => {
            let owner = Reference { parts: parts[..parts.len() - 1].iter().cloned().collect() };
            let type_ = point.unit.resolved.type_of(point.unit.tree, point.statement, &owner);
            let component = type_.and_then(|type_| type_.derived()).and_then(|id| {
                let name = point.unit.tree.names.text(parts[parts.len() - 1].name.name);
                point.unit.resolved.component(id, name)
            });
            component.is_none_or(|component| component.properties.allocatable)
        }
    }
}

/// What is to be said if the extents of a dummy argument are those of a whole array in another order, and these are not
/// known to be equal.
fn permuted(
    point: &mut Point<'_, '_>,
    guard: &Condition,
    dummy: &str,
    actual: &Expression,
    wanted: &[Option<Term>],
) -> Option<String> {
    let ExpressionKind::Reference(reference) = &actual.kind else { return None };
    let is_whole = reference.parts.last().is_some_and(|part| part.lists.is_empty());
    let PartClass::Array { rank: 2.. } = *point.classes(reference).last()? else { return None };
    let dimensions = point.dimensions(reference).filter(|_| is_whole)?;
    let own = dimensions.iter().map(|dimension| dimension.distance()).collect::<Option<Vec<Term>>>()?;
    let wanted = wanted.iter().cloned().collect::<Option<Vec<Term>>>()?;
    let sorted = |extents: &[Term]| {
        let mut extents = extents.to_vec();
        extents.sort();
        extents
    };
    if own == wanted || sorted(&own) != sorted(&wanted) {
        return None;
    }
    let same =
        own.iter().zip(&wanted).map(|(own, wanted)| Condition::equal(own, wanted)).collect::<Option<Vec<_>>>()?;
    let differing = [point.reached.clone(), guard.clone(), Condition::all(same).not()];
    let differing = point.unit.with_known(differing, true);
    if point.unit.solver.is_impossible(&differing) {
        return None;
    }
    let list = |extents: &[Term]| {
        let texts: Vec<String> = extents.iter().map(|extent| point.unit.places.text(extent)).collect();
        texts.join(", ")
    };
    let text = point.text(actual.span);
    Some(format!(
        "'{text}' has the extents ({}), and the dummy argument '{dummy}' the same in another order: ({})",
        list(&own),
        list(&wanted)
    ))
}

/// The elements that an actual argument hands over, and under what there are so many.
fn available(point: &mut Point<'_, '_>, actual: &Expression) -> Option<(Term, Vec<Condition>)> {
    let ExpressionKind::Reference(reference) = &actual.kind else {
        let extents = point.shape(actual).filter(|extents| !extents.is_empty())?;
        return count(extents);
    };
    let type_ = point.unit.resolved.type_of(point.unit.tree, point.statement, reference);
    if type_.is_none_or(|type_| matches!(type_.base, BaseType::Character | BaseType::Unknown | BaseType::Unlimited)) {
        return None;
    }
    let last = reference.parts.last()?;
    let class = *point.classes(reference).last()?;
    let PartClass::Array { rank: 1.. } = class else {
        let extents = point.shape(actual).filter(|extents| !extents.is_empty())?;
        return count(extents);
    };
    let Some(list) = last.lists.first() else {
        let dimensions = point.dimensions(reference)?;
        let distances = dimensions.iter().map(|dimension| dimension.distance()).collect::<Option<Vec<_>>>()?;
        return count(distances);
    };
    let subscripts: Option<Vec<&Expression>> = list.items.iter().map(|item| item.expression()).collect();
    let extents = point.shape(actual)?;
    if !extents.is_empty() {
        return count(extents);
    }
    // An element hands over all that follows it in the order of elements.
    let dimensions = point.dimensions(reference)?;
    let subscripts = subscripts.filter(|subscripts| subscripts.len() == dimensions.len())?;
    let mut stride = constant(1);
    let mut before = constant(0);
    let mut guards = Vec::new();
    for (subscript, dimension) in subscripts.into_iter().zip(dimensions.iter()) {
        let distance = dimension.distance()?;
        let offset = difference(&point.integer(subscript), &dimension.lower)?;
        before = sum(&before, &product(&offset, &stride)?)?;
        stride = product(&stride, &distance)?;
        guards.push(Condition::at_most(&constant(1), &distance)?);
    }
    Some((difference(&stride, &before)?, guards))
}

/// The product of extents, and that each is at least 1.
fn count(extents: Vec<Term>) -> Option<(Term, Vec<Condition>)> {
    let count = extents.iter().try_fold(constant(1), |count, extent| product(&count, extent))?;
    let guards = extents.iter().filter_map(|extent| Condition::at_most(&constant(1), extent)).collect();
    Some((count, guards))
}

/// The names that an input item gives values to as a whole.
fn given_by(item: &Expression, given: &mut Vec<Name>) {
    match &item.kind {
        ExpressionKind::Reference(reference) => given.extend(reference.as_name().map(|name| name.name)),
        ExpressionKind::ImpliedDo(implied) => implied.items.iter().for_each(|inner| given_by(inner, given)),
        _ => {}
    }
}

/// Whether an input item has one of these names in a subscript or in the bounds of a loop.
fn asks_for_one_of(item: &Expression, names: &[Name]) -> bool {
    let mut asks = false;
    let mut visit = |inner: &Expression| {
        if let ExpressionKind::Reference(reference) = &inner.kind {
            asks |= reference.parts.first().is_some_and(|part| names.contains(&part.name.name));
        }
    };
    match &item.kind {
        ExpressionKind::Reference(reference) => walk_indices(reference, &mut visit),
        ExpressionKind::ImpliedDo(implied) => {
            let bounds = [Some(&implied.lower), Some(&implied.upper), implied.step.as_ref()];
            bounds.into_iter().flatten().for_each(|bound| walk_subexpressions(bound, &mut visit));
            return asks || implied.items.iter().any(|inner| asks_for_one_of(inner, names));
        }
        _ => {}
    }
    asks
}
