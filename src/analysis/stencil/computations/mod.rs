//! Array computations: what each root reads of each array, relative to its left side.
//!
//! - *root*: an assignment in a loop to which array reads with an induction variable flow;
//! - *induction variable*, *neighbourhood index* (`i + c`), *absolute index* (no induction variable, and unchanged in
//!   the loops);
//! - *relativisation*: if the left side has `i + c`, every read index over `i` is shifted by `-c`;
//! - *consistency*: in each dimension all reads use variables of the left side, one and the same that it has not, or
//!   are absolute;
//! - *multiplicity*: whether two reads that flow to the root have the same subscripts.
//!
//! Entry point: [`computations`]; result: a list of [`Computation`]. Reads are [`Offsets`]: the paper's subscript
//! schemes.

mod alignment;
mod call;
mod called;
mod computation;
mod constructor;
mod contribution;
mod coordinate;
mod dimension;
mod dump;
mod forms;
mod function;
mod handed;
mod reader;
mod reads;
mod reason;
mod relative;
mod roots;
mod search;
mod section;
mod subscript;
mod summarise;
mod unit;

pub use computation::{ArrayAccess, Computation, ConstantNames, Offsets, RelativeRead, Undescribed};
pub use coordinate::{AbsoluteIndex, Axis, ClassifiedRead, Coordinate, LeftSide, WrittenReference, WrittenSubscript};
pub use dump::dump;
pub use forms::{FormedComputation, FormedRead, IndexForm};
pub use function::{
    FileFunctions, FunctionArray, FunctionDummy, FunctionIndex, FunctionRead, FunctionReads, FunctionSubscript,
    Library, NoLibrary,
};
pub use reason::Reason;
pub use relative::{Relation, on_paper, relate, spoken};
pub use subscript::{ArrayReference, Subscript, SubscriptKind};
pub use summarise::file_functions;

use std::collections::BTreeSet;

use contribution::Root;
use function::Functions;
use reads::is_array_valued;
use roots::Further;
use unit::UnitContext;

use crate::flow::{assignment_of, unit_flow};
use crate::names::Resolved;
use crate::procedures::FileProcedures;
use crate::syntax::{StatementId, StatementKind, Tree, UnitId, UnitKind};
use crate::values::{ExpressionContext, ScalarMemo, ValueContext};

/// All computations of a file in source order: the roots, and the assignments that are `wanted` whether they are roots
/// or not (a specification stands above them). What functions of other files read is in the `library`.
pub fn computations(
    tree: &Tree,
    resolved: &Resolved,
    paper: bool,
    wanted: &BTreeSet<StatementId>,
    library: &dyn Library,
) -> Vec<Computation> {
    let mut found = Vec::new();
    let is_wanted = |statements: &[StatementId]| statements.iter().any(|statement| wanted.contains(statement));
    each_unit(tree, resolved, paper, library, is_wanted, |unit| {
        let flow = unit.values.flow;
        let (Some(&first), Some(&last)) = (flow.statements.first(), flow.statements.last()) else { return };
        let positions = wanted.range(first..=last).filter_map(|&statement| flow.position(statement)).collect();
        found.extend(unit.roots(Further::Wanted(&positions), |root| described(unit, root, !wanted.is_empty())));
    });
    found.sort_by_key(|computation: &Computation| computation.statement);
    found
}

/// The computations of a file as a study counts them, in source order: the roots, and the assignments in loops or to
/// whole arrays to which arrays flow at absolute indices only.
pub fn formed_computations(
    tree: &Tree,
    resolved: &Resolved,
    paper: bool,
    library: &dyn Library,
) -> Vec<FormedComputation> {
    let mut found = Vec::new();
    each_unit(
        tree,
        resolved,
        paper,
        library,
        |_| false,
        |unit| {
            found.extend(unit.roots(Further::FixedReads, |root| forms::describe(unit, root)));
        },
    );
    found.sort_by_key(|one: &FormedComputation| one.computation.statement);
    found
}

/// Analyses the units that may have roots, and those with statements that are needed anyway.
fn each_unit(
    tree: &Tree,
    resolved: &Resolved,
    paper: bool,
    library: &dyn Library,
    is_needed: impl Fn(&[StatementId]) -> bool,
    mut with: impl FnMut(&UnitContext<'_>),
) {
    let procedures = FileProcedures::new(tree, resolved);
    let functions = Functions::new(&procedures, library);
    let changed_by_internal = procedures.changed_by_internal(&procedures.internal_effects());
    for (unit, statements) in procedures.all_statements().iter_enumerated() {
        // What a template or a generic subprogram computes depends on its instance.
        if tree.is_generic(unit) {
            continue;
        }
        let may_have_roots = statements.iter().any(|&id| may_be_in_root(tree, resolved, paper, id));
        // A unit without a loop and without array-valued assignments has no roots: spare its flow.
        if !may_have_roots && !is_needed(statements) {
            continue;
        }
        let flow = unit_flow(tree, resolved, unit, statements.clone(), functions.effects(unit));
        let names_in_unparsed = relative::names_in_unparsed(tree, resolved, &flow);
        let values = ValueContext {
            tree,
            resolved,
            flow: &flow,
            paper,
            changed_by_internal: &changed_by_internal,
            bounds: &functions.bounds,
            summarises: false,
            memo: ScalarMemo::default(),
        };
        with(&UnitContext::new(values, &names_in_unparsed, &functions));
    }
}

/// Whether a statement opens a loop, or is an assignment to an array as a whole or in sections.
fn may_be_in_root(tree: &Tree, resolved: &Resolved, paper: bool, id: StatementId) -> bool {
    match &tree.statements[id].kind {
        StatementKind::Do { .. } | StatementKind::ForallConstruct(_) | StatementKind::Forall { .. } => true,
        kind if !paper => assignment_of(kind).is_some_and(|(target, _, _)| {
            is_array_valued(ExpressionContext { tree, resolved, statement: id, paper }, target)
        }),
        _ => false,
    }
}

/// Describes a root. Where no specification is to be held against the reads, they are not needed as they are written.
fn described(unit: &UnitContext<'_>, root: &Root, keep_classified: bool) -> Computation {
    let mut computation = relative::relativise(unit, root, &relative::by_array(root));
    if !keep_classified {
        for array in &mut computation.arrays {
            match array {
                Ok(access) => access.classified = Vec::new(),
                Err(undescribed) => {
                    undescribed.classified = Vec::new();
                    undescribed.partial.iter_mut().for_each(|access| access.classified = Vec::new());
                }
            }
        }
    }
    computation
}

/// The name of a unit with those of its hosts: `module::procedure`. A main program without a name is `main program`.
pub fn unit_path(tree: &Tree, unit: UnitId) -> String {
    let mut path: Vec<String> =
        std::iter::successors(Some(unit), |&unit| tree.units[unit].parent).map(|unit| unit_name(tree, unit)).collect();
    path.reverse();
    path.join("::")
}

fn unit_name(tree: &Tree, unit: UnitId) -> String {
    let unit = &tree.units[unit];
    let name = unit.opening.and_then(|opening| match &tree.statements[opening].kind {
        StatementKind::Program(name) | StatementKind::Module(name) => Some(name.name),
        StatementKind::Submodule { name, .. } => Some(name.name),
        StatementKind::BlockData(name) => name.map(|name| name.name),
        StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram) => Some(subprogram.name.name),
        StatementKind::ModuleProcedure { names, .. } => names.first().map(|name| name.name),
        _ => None,
    });
    match (name, unit.kind) {
        (Some(name), _) => tree.names.text(name).to_string(),
        (None, UnitKind::BlockData) => "block data".to_string(),
        (None, _) => "main program".to_string(),
    }
}
