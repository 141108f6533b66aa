//! Every place of a statement where a name of its scope occurs, in source order, with what is done to it there.

use crate::syntax::*;

/// What is done to a name where it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is used in an expression or a list.
    Value,
    /// It is given a value, storage or a target: a function reference cannot stand here.
    Target,
    /// It is called.
    Call,
}

/// A place where a name occurs.
#[derive(Clone, Copy, Debug)]
pub enum Occurrence<'t> {
    /// As the first part of a reference.
    Reference(&'t Reference, Role),
    /// Alone, as in a DO header.
    Name(Identifier, Role),
}

/// Calls `found` for each occurrence in a statement, the action of a one-line IF, WHERE or FORALL included.
pub fn occurrences<'t>(statement: &'t Statement, found: &mut dyn FnMut(Occurrence<'t>)) {
    let mut walk = Walk { found };
    let mut current = Some(statement);
    while let Some(statement) = current {
        current = match &statement.kind {
            StatementKind::If { condition, action } => {
                walk.value(condition);
                Some(action)
            }
            StatementKind::Where { mask, action } => {
                walk.value(mask);
                Some(action)
            }
            StatementKind::Forall { header, action } => {
                walk.concurrent(header);
                Some(action)
            }
            kind => {
                walk.statement(kind);
                None
            }
        };
    }
}

/// Calls `found` for each occurrence in an expression.
pub fn occurrences_in<'t>(expression: &'t Expression, found: &mut dyn FnMut(Occurrence<'t>)) {
    Walk { found }.value(expression);
}

struct Walk<'f, 't> {
    found: &'f mut dyn FnMut(Occurrence<'t>),
}

impl<'t> Walk<'_, 't> {
    fn statement(&mut self, kind: &'t StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Assignment { target, value } | Kind::PointerAssignment { target, value } => {
                self.reference(target, Role::Target);
                self.value(value);
            }
            Kind::Call { procedure } | Kind::MacroStatement(procedure) => self.reference(procedure, Role::Call),
            Kind::Allocate { type_spec, objects, options } => {
                type_spec.iter().for_each(|spec| self.type_spec(spec));
                self.targets(objects);
                self.options(options);
            }
            Kind::Deallocate { objects, options } => {
                self.targets(objects);
                self.options(options);
            }
            Kind::Nullify(objects) => self.targets(objects),
            Kind::ComputedGoTo(_, expression) | Kind::ArithmeticIf(expression, _) => self.value(expression),
            Kind::AssignedGoTo(name, _) => self.name(*name, Role::Value),
            Kind::Assign(_, name) => self.name(*name, Role::Target),
            Kind::Return(value) | Kind::Pause(value) => value.iter().for_each(|value| self.value(value)),
            Kind::Stop { code, quiet, .. } => code.iter().chain(quiet).for_each(|value| self.value(value)),
            Kind::InputOutput(io) => self.input_output(io),
            Kind::ImageControl { arguments, .. } => arguments.iter().for_each(|list| self.list(list)),
            Kind::IfThen(condition) | Kind::ElseIf(condition, _) | Kind::WhereConstruct(condition) => {
                self.value(condition);
            }
            Kind::ElseWhere(mask, _) => mask.iter().for_each(|mask| self.value(mask)),
            Kind::Do { control, .. } => self.do_control(control),
            Kind::SelectCase(selector) => self.value(selector),
            Kind::Case { ranges, .. } => ranges.iter().for_each(|range| self.case_range(range)),
            Kind::SelectType(selector) | Kind::SelectRank(selector) => self.value(&selector.selector),
            Kind::TypeGuard(TypeGuard::TypeIs(spec) | TypeGuard::ClassIs(spec), _) => self.type_spec(spec),
            Kind::RankCase(RankCase::Rank(rank), _) => self.value(rank),
            Kind::ForallConstruct(header) => self.concurrent(header),
            Kind::Associate(associations) => self.associations(associations),
            Kind::Critical(arguments) => arguments.iter().for_each(|list| self.list(list)),
            Kind::ChangeTeam { team, associations, options } => {
                self.value(team);
                self.associations(associations);
                self.options(options);
            }
            _ => self.specification(kind),
        }
    }

    fn specification(&mut self, kind: &'t StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Function(subprogram) | Kind::Subroutine(subprogram) => {
                subprogram.result_type.iter().for_each(|spec| self.type_spec(spec));
                subprogram.length.iter().for_each(|length| self.length(length));
            }
            Kind::Implicit(ImplicitRule::Types(types)) => types.iter().for_each(|(spec, _)| self.type_spec(spec)),
            Kind::TypeDeclaration(declaration) => {
                self.type_spec(&declaration.type_spec);
                self.attributes(&declaration.attributes);
                self.entities(&declaration.entities);
            }
            Kind::ProcedureDeclaration { interface, attributes, entities } => {
                if let Some(TypeSpecOrName::Type(spec)) = interface {
                    self.type_spec(spec);
                }
                self.attributes(attributes);
                self.entities(entities);
            }
            Kind::AttributeStatement { attribute, entities, .. } => {
                self.attributes(std::slice::from_ref(attribute));
                self.entities(entities);
            }
            Kind::Parameter(values) => values.iter().for_each(|(_, value)| self.value(value)),
            Kind::Data(sets) => sets.iter().for_each(|set| {
                set.objects.iter().for_each(|object| self.item(object, Role::Target));
                set.values.iter().for_each(|value| self.value(value));
            }),
            Kind::Common(groups) => groups.iter().for_each(|group| self.entities(&group.entities)),
            Kind::Namelist(groups) => {
                let names = groups.iter().flat_map(|group| &group.entities);
                names.for_each(|entity| self.name(entity.name, Role::Value));
            }
            Kind::Equivalence(sets) => sets.iter().for_each(|set| self.targets(set)),
            Kind::Enumerator(values) => {
                values.iter().filter_map(|(_, value)| value.as_ref()).for_each(|it| self.value(it))
            }
            Kind::Structure { entities, .. } => self.entities(entities),
            Kind::CrayPointer(pairs) => pairs.iter().for_each(|pair| self.entity(&pair.pointee)),
            _ => {}
        }
    }

    fn name(&mut self, name: Identifier, role: Role) {
        (self.found)(Occurrence::Name(name, role));
    }

    fn reference(&mut self, reference: &'t Reference, role: Role) {
        (self.found)(Occurrence::Reference(reference, role));
        for part in &reference.parts {
            part.lists.iter().chain(&part.image).for_each(|list| self.list(list));
        }
    }

    fn targets(&mut self, references: &'t [Reference]) {
        references.iter().for_each(|reference| self.reference(reference, Role::Target));
    }

    fn list(&mut self, list: &'t ArgumentList) {
        for argument in &list.items {
            match &argument.value {
                ArgumentValue::Expression(value) => self.value(value),
                ArgumentValue::Section(section) => {
                    [&section.lower, &section.upper, &section.stride]
                        .into_iter()
                        .flatten()
                        .for_each(|it| self.value(it));
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    fn value(&mut self, expression: &'t Expression) {
        self.item(expression, Role::Value);
    }

    /// An expression; the role is that of the reference it is, or of the items of an implied do.
    fn item(&mut self, expression: &'t Expression, role: Role) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.reference(reference, role),
            ExpressionKind::Complex(parts) => {
                self.value(&parts.0);
                self.value(&parts.1);
            }
            ExpressionKind::Parenthesised(inner)
            | ExpressionKind::Unary(_, inner)
            | ExpressionKind::PercentFunction(_, inner) => self.value(inner),
            ExpressionKind::Binary(first, rest) => {
                self.value(first);
                rest.iter().for_each(|(_, operand)| self.value(operand));
            }
            ExpressionKind::ArrayConstructor { type_spec, values } => {
                type_spec.iter().for_each(|spec| self.type_spec(spec));
                values.iter().for_each(|value| self.value(value));
            }
            ExpressionKind::ImpliedDo(implied) => {
                self.name(implied.variable, Role::Target);
                implied.items.iter().for_each(|item| self.item(item, role));
                self.value(&implied.lower);
                self.value(&implied.upper);
                implied.step.iter().for_each(|step| self.value(step));
            }
            ExpressionKind::Conditional(tests, last) => {
                for (test, value) in tests {
                    self.value(test);
                    self.value(value);
                }
                self.value(last);
            }
            ExpressionKind::Repeat(count, value) => {
                self.value(count);
                self.value(value);
            }
            ExpressionKind::Substring(_, list) => self.list(list),
            ExpressionKind::Literal(_) | ExpressionKind::Star => {}
        }
    }

    fn options(&mut self, options: &'t [(Identifier, Expression)]) {
        options.iter().for_each(|(_, value)| self.value(value));
    }

    fn input_output(&mut self, io: &'t InputOutput) {
        io.control.iter().filter_map(|control| control.value.as_ref()).for_each(|value| self.value(value));
        let is_input = matches!(io.operation, IoOperation::Read | IoOperation::Accept | IoOperation::Decode);
        let role = if is_input { Role::Target } else { Role::Value };
        io.items.iter().for_each(|item| self.item(item, role));
    }

    fn do_control(&mut self, control: &'t DoControl) {
        match control {
            DoControl::Forever => {}
            DoControl::Counted { variable, lower, upper, step } => {
                self.reference(variable, Role::Target);
                self.value(lower);
                self.value(upper);
                step.iter().for_each(|step| self.value(step));
            }
            DoControl::While(condition) => self.value(condition),
            DoControl::Concurrent(header) => self.concurrent(header),
        }
    }

    fn concurrent(&mut self, header: &'t ConcurrentHeader) {
        for control in &header.controls {
            self.name(control.variable, Role::Target);
            self.value(&control.lower);
            self.value(&control.upper);
            control.step.iter().for_each(|step| self.value(step));
        }
        header.mask.iter().for_each(|mask| self.value(mask));
        let names = header.locality.iter().flat_map(|locality| &locality.names);
        names.for_each(|name| self.name(*name, Role::Value));
    }

    fn case_range(&mut self, range: &'t CaseRange) {
        match range {
            CaseRange::Value(value) => self.value(value),
            CaseRange::Range(lower, upper) => lower.iter().chain(upper).for_each(|value| self.value(value)),
        }
    }

    fn associations(&mut self, associations: &'t [Association]) {
        associations.iter().for_each(|association| self.value(&association.selector));
    }

    fn type_spec(&mut self, spec: &'t TypeSpec) {
        match &spec.kind {
            TypeSpecKind::Intrinsic { kind, length, .. } => {
                if let Some(KindSelector::Kind(kind)) = kind {
                    self.value(kind);
                }
                length.iter().for_each(|length| self.length(length));
            }
            TypeSpecKind::Derived(_, parameters) | TypeSpecKind::Class(_, parameters) => {
                parameters.iter().for_each(|list| self.list(list));
            }
            TypeSpecKind::TypeOf(object) | TypeSpecKind::ClassOf(object) => self.value(object),
            // One level is all there is: `type(integer(4))`.
            TypeSpecKind::TypeOfIntrinsic(inner) => {
                if let TypeSpecKind::Intrinsic { kind: Some(KindSelector::Kind(kind)), .. } = &inner.kind {
                    self.value(kind);
                }
            }
            TypeSpecKind::ClassStar | TypeSpecKind::TypeStar | TypeSpecKind::Record(_) | TypeSpecKind::Macro(..) => {}
        }
    }

    fn length(&mut self, length: &'t Length) {
        if let Length::Expression(length) = length {
            self.value(length);
        }
    }

    fn attributes(&mut self, attributes: &'t [Attribute]) {
        for attribute in attributes {
            match attribute {
                Attribute::Dimension(shape) => self.dimensions(&shape.dimensions),
                Attribute::Codimension(shape) => self.dimensions(&shape.dimensions),
                Attribute::Rank(rank) => self.value(rank),
                Attribute::Bind(list) => self.list(list),
                _ => {}
            }
        }
    }

    fn dimensions(&mut self, dimensions: &'t [DimensionSpec]) {
        for dimension in dimensions {
            match dimension {
                DimensionSpec::Explicit(lower, upper) => {
                    lower.iter().for_each(|lower| self.value(lower));
                    self.value(upper);
                }
                DimensionSpec::Colon(lower) | DimensionSpec::Star(lower) => {
                    lower.iter().for_each(|lower| self.value(lower));
                }
            }
        }
    }

    fn entities(&mut self, entities: &'t [Entity]) {
        entities.iter().for_each(|entity| self.entity(entity));
    }

    fn entity(&mut self, entity: &'t Entity) {
        entity.shape.iter().for_each(|shape| self.dimensions(&shape.dimensions));
        entity.coshape.iter().for_each(|shape| self.dimensions(&shape.dimensions));
        entity.length.iter().for_each(|length| self.length(length));
        match &entity.initial {
            Some(Initializer::Value(value) | Initializer::Pointer(value)) => self.value(value),
            Some(Initializer::Slashes(values)) => values.iter().for_each(|value| self.value(value)),
            None => {}
        }
    }
}
