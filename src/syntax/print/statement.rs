//! Every statement form.

use super::Writer;
use crate::syntax::ast::statement::StatementKind;

impl Writer<'_> {
    /// A statement without its label; one that was not understood is a comment with the reason.
    pub(super) fn statement(&mut self, kind: &StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Program(name) => self.named("program", name),
            Kind::Module(name) => self.named("module", name),
            Kind::Submodule { name, ancestor, parent } => self.submodule(name, ancestor, parent),
            Kind::BlockData(name) => self.with_name("block data", name),
            Kind::Subroutine(subprogram) => self.subprogram("subroutine", subprogram),
            Kind::Function(subprogram) => self.subprogram("function", subprogram),
            Kind::ModuleProcedure { module, names } => {
                self.put(if *module { "module procedure " } else { "procedure :: " });
                self.identifiers(names);
            }
            Kind::Entry { name, dummies, suffix } => self.entry(name, dummies, suffix),
            Kind::Contains => self.put("contains"),
            Kind::End { of, options, name } => self.end(*of, options, name),

            Kind::Use { nature, module, only, items } => self.use_statement(nature, module, *only, items),
            Kind::Import { mode, names } => self.import(mode, names),
            Kind::Implicit(rule) => self.implicit(rule),
            Kind::TypeDeclaration(declaration) => self.type_declaration(declaration),
            Kind::Records(declarations) => self.records(declarations),
            Kind::ProcedureDeclaration { interface, attributes, entities } => {
                self.procedure_declaration(interface, attributes, entities);
            }
            Kind::AttributeStatement { attribute, entities, blocks, generics } => {
                self.attribute_statement(attribute, entities, blocks, generics);
            }
            Kind::Parameter(constants) => self.parameters(constants),
            Kind::Data(sets) => self.data(sets),
            Kind::Common(groups) => self.groups("common", groups),
            Kind::Namelist(groups) => self.groups("namelist", groups),
            Kind::Equivalence(sets) => {
                self.put("equivalence ");
                self.separated(sets, |writer, set| writer.bracketed(set, Self::reference));
            }
            Kind::Interface { is_abstract, generic } => self.interface(*is_abstract, generic),
            Kind::DerivedType { attributes, name, parameters } => self.derived_type(attributes, name, parameters),
            Kind::Sequence => self.put("sequence"),
            Kind::TypeBoundProcedure { interface, attributes, bindings } => {
                self.type_bound_procedure(interface, attributes, bindings);
            }
            Kind::Generic { attributes, spec, targets } => self.generic(attributes, spec, targets),
            Kind::Final(names) => {
                self.put("final :: ");
                self.identifiers(names);
            }
            Kind::Enum { attributes, name } => self.enumeration(attributes, name),
            Kind::Enumerator(values) => {
                self.put("enumerator :: ");
                self.separated(values, Self::enumerator);
            }
            Kind::EnumerationType { attributes, name } => {
                self.head("enumeration type", attributes);
                self.identifier(name);
            }
            Kind::Template { requirement, name, parameters } => {
                self.put(if *requirement { "requirement " } else { "template " });
                self.identifier(name);
                self.bracketed(parameters, Self::identifier);
            }
            Kind::Require(text) => self.keyword_and_text("require ", *text),
            Kind::Instantiate(text) => self.keyword_and_text("instantiate ", *text),
            Kind::Deferred(text) => {
                let is_type = self.names.text(*text).starts_with("type,");
                self.keyword_and_text(if is_type { "" } else { "deferred " }, *text);
            }
            Kind::Structure { name, entities } => self.structure(name, entities),
            Kind::Union => self.put("union"),
            Kind::Map => self.put("map"),
            Kind::CrayPointer(pairs) => self.cray_pointers(pairs),
            Kind::Format(text) => {
                self.put("format (");
                self.name(*text);
                self.put(")");
            }

            Kind::Assignment { target, value } => self.assignment(target, " = ", value),
            Kind::PointerAssignment { target, value } => self.assignment(target, " => ", value),
            Kind::Call { procedure } => {
                self.put("call ");
                self.reference(procedure);
            }
            Kind::Allocate { type_spec, objects, options } => {
                self.allocation("allocate", type_spec.as_deref(), objects, options);
            }
            Kind::Deallocate { objects, options } => self.allocation("deallocate", None, objects, options),
            Kind::Nullify(objects) => {
                self.put("nullify ");
                self.bracketed(objects, Self::reference);
            }
            Kind::GoTo(label) => {
                self.put("go to ");
                self.number(label);
            }
            Kind::ComputedGoTo(labels, selector) => self.computed_go_to(labels, selector),
            Kind::AssignedGoTo(variable, labels) => self.assigned_go_to(variable, labels),
            Kind::Assign(label, variable) => self.assign(*label, variable),
            Kind::ArithmeticIf(selector, labels) => self.arithmetic_if(selector, labels),
            Kind::Continue => self.put("continue"),
            Kind::Cycle(name) => self.with_name("cycle", name),
            Kind::Exit(name) => self.with_name("exit", name),
            Kind::Return(value) => self.with_value("return", value.as_deref()),
            Kind::Stop { error, code, quiet } => self.stop(*error, code.as_deref(), quiet.as_deref()),
            Kind::Pause(value) => self.with_value("pause", value.as_deref()),
            Kind::InputOutput(statement) => self.input_output(statement),
            Kind::ImageControl { keywords, arguments } => {
                self.name(*keywords);
                self.optional_arguments(arguments);
            }

            Kind::If { condition, action } => self.governed("if ", condition, action),
            Kind::IfThen(condition) => {
                self.condition("if ", condition);
                self.put(" then");
            }
            Kind::ElseIf(condition, name) => {
                self.condition("else if ", condition);
                self.with_name(" then", name);
            }
            Kind::Else(name) => self.with_name("else", name),
            Kind::Do { label, control } => self.do_statement(*label, control),
            Kind::SelectCase(selector) => self.condition("select case ", selector),
            Kind::Case { ranges, name } => self.case(ranges, name),
            Kind::SelectType(selector) => self.selector("select type ", selector),
            Kind::TypeGuard(guard, name) => self.type_guard(guard, name),
            Kind::SelectRank(selector) => self.selector("select rank ", selector),
            Kind::RankCase(case, name) => self.rank_case(case, name),
            Kind::Where { mask, action } => self.governed("where ", mask, action),
            Kind::WhereConstruct(mask) => self.condition("where ", mask),
            Kind::ElseWhere(mask, name) => self.else_where(mask.as_ref(), name),
            Kind::Forall { header, action } => {
                self.put("forall ");
                self.concurrent_header(header);
                self.put(" ");
                self.statement(&action.kind);
            }
            Kind::ForallConstruct(header) => {
                self.put("forall ");
                self.concurrent_header(header);
            }
            Kind::Associate(associations) => {
                self.put("associate ");
                self.bracketed(associations, Self::association_of_name);
            }
            Kind::Block => self.put("block"),
            Kind::Critical(options) => {
                self.put("critical");
                self.optional_arguments(options);
            }
            Kind::ChangeTeam { team, associations, options } => self.change_team(team, associations, options),

            Kind::MacroStatement(call) => self.macro_statement(call),
            Kind::Unparsed(reason) => {
                self.put("! Not understood: ");
                self.put(reason);
            }
        }
    }
}
