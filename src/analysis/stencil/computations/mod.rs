//! Array computations: what each root reads of each array, relative to its left side.
//!
//! - *root*: an assignment in a loop to which array reads with an induction variable flow;
//! - *induction variable*, *neighbourhood index* (`i + c`), *absolute index* (no induction variable, and unchanged in the loops);
//! - *relativisation*: if the left side has `i + c`, every read index over `i` is shifted by `-c`;
//! - *consistency*: in each dimension all reads use the same induction variable or are absolute, and the variables read are a
//!   subset or a superset of those on the left;
//! - *multiplicity*: whether two reads that flow to the root have the same subscripts.
//!
//! Entry point: [`computations`]; result: a list of [`Computation`]. Reads are [`Offsets`]: the paper's subscript schemes.

mod alignment;
mod border;
mod bounds;
mod call;
mod condition;
mod coordinate;
mod dump;
mod forms;
mod function;
mod held;
mod index;
mod reads;
mod reason;
mod relative;
mod roots;
mod search;
mod section;
mod value;

pub use coordinate::{Axis, ClassifiedRead, Coordinate, LeftSide};
pub use dump::dump;
pub use forms::{FormedComputation, FormedRead, IndexForm};

use function::Functions;
pub use function::{
    FileFunctions, FunctionArray, FunctionDummy, FunctionIndex, FunctionRead, FunctionReads, FunctionSubscript,
    Library, NoLibrary, file_functions,
};
use held::HeldValues;
pub use index::{Atom, Derivation, Index, IndexSum, Inside};
use reads::is_array_valued;
pub use reads::{ArrayKey, ArrayReference, Subscript, SubscriptKind};
pub use reason::Reason;
pub use relative::{Relation, relate};
use roots::{Analysis, Besides, Root};
use value::Place;

use std::collections::BTreeSet;

use super::spec::ComputationKind;
use crate::flow::{assignment_of, unit_flow};
use crate::names::Resolved;
use crate::procedures::FileProcedures;
use crate::source::Span;
use crate::syntax::{StatementId, StatementKind, Tree, UnitId, UnitKind};

/// The subscript scheme of one read: per dimension its offset, or `None` where it is absolute.
pub type Offsets = Vec<Option<i64>>;

/// One read of an array as the root sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RelativeRead {
    /// The offsets.
    pub offsets: Offsets,
    /// The reference.
    pub span: Span,
    /// The statement it stands in: the root or one that flows to it.
    pub statement: StatementId,
}

/// What a root reads of one array.
#[derive(Clone, Debug)]
pub struct ArrayAccess {
    /// The array.
    pub array: ArrayKey,
    /// Its name as spelt in the first read.
    pub spelling: String,
    /// The kind of the specification it gets; differs from the root's for arrays that are inconsistent with the left side.
    pub kind: ComputationKind,
    /// The reads.
    pub reads: Vec<RelativeRead>,
    /// Whether no two of them have the same subscripts.
    pub read_once: bool,
    /// The subscript of which values are left out that it has at a border only, if there is one.
    pub border: Option<Span>,
    /// The reads before they were related to the left side; none if no statement was asked for.
    pub classified: Vec<ClassifiedRead>,
}

/// An array that can't be described, with the reason and the place to blame.
#[derive(Clone, Debug)]
pub struct Undescribed {
    /// The array.
    pub array: ArrayKey,
    /// Its name as spelt in the first read.
    pub spelling: String,
    /// Why.
    pub reason: Reason,
    /// The subscript or reference to blame.
    pub span: Span,
    /// The reads, if the reason is not in their subscripts and a statement was asked for; else none.
    pub classified: Vec<ClassifiedRead>,
}

/// One computation root with the arrays that flow to it, in the order of their first reads.
#[derive(Clone, Debug)]
pub struct Computation {
    /// The root.
    pub statement: StatementId,
    /// The unit it stands in.
    pub unit: UnitId,
    /// Its left side, which says the kind.
    pub left: LeftSide,
    /// Whether it is a root; else it was asked for.
    pub is_root: bool,
    /// The arrays, in the order of their first reads.
    pub arrays: Vec<Result<ArrayAccess, Undescribed>>,
}

/// All computations of a file in source order: the roots, and the assignments that are `wanted` whether they are roots or not
/// (a specification stands above them). What functions of other files read is in the `library`.
pub fn computations(
    tree: &Tree,
    resolved: &Resolved,
    paper: bool,
    wanted: &BTreeSet<StatementId>,
    library: &dyn Library,
) -> Vec<Computation> {
    let mut found = Vec::new();
    let is_wanted = |statements: &[StatementId]| statements.iter().any(|statement| wanted.contains(statement));
    each_unit(tree, resolved, paper, library, is_wanted, |analysis| {
        let flow = analysis.flow;
        let (Some(&first), Some(&last)) = (flow.statements.first(), flow.statements.last()) else { return };
        let positions = wanted.range(first..=last).filter_map(|&statement| flow.position(statement)).collect();
        found.extend(analysis.roots(Besides::Wanted(&positions), |root| described(analysis, root, !wanted.is_empty())));
    });
    found.sort_by_key(|computation: &Computation| computation.statement);
    found
}

/// The computations of a file as a study counts them, in source order: the roots, and the assignments in loops or to whole arrays to which
/// arrays flow at absolute indices only.
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
        |analysis| {
            found.extend(analysis.roots(Besides::FixedReads, |root| forms::describe(analysis, root)));
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
    mut with: impl FnMut(&Analysis<'_>),
) {
    let procedures = FileProcedures::new(tree, resolved);
    let functions = Functions::new(&procedures, library);
    let mut internal = procedures.internal_effects();
    let changed_by_internal = procedures.changed_by_internal(&internal);
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
        let effects = internal.remove(&unit).unwrap_or_else(|| procedures.effects(unit));
        let flow = unit_flow(tree, resolved, unit, statements.clone(), effects);
        let names_in_unparsed = relative::names_in_unparsed(tree, resolved, &flow);
        with(&Analysis {
            tree,
            resolved,
            flow: &flow,
            paper,
            changed_by_internal: &changed_by_internal,
            names_in_unparsed: &names_in_unparsed,
            bounds: &functions.bounds,
            functions: &functions,
            summarises: false,
            held: HeldValues::default(),
        });
    }
}

/// Whether a statement opens a loop, or is an assignment to an array as a whole or in sections.
fn may_be_in_root(tree: &Tree, resolved: &Resolved, paper: bool, id: StatementId) -> bool {
    match &tree.statements[id].kind {
        StatementKind::Do { .. } | StatementKind::ForallConstruct(_) | StatementKind::Forall { .. } => true,
        kind if !paper => assignment_of(kind)
            .is_some_and(|(target, _, _)| is_array_valued(Place { tree, resolved, statement: id, paper }, target)),
        _ => false,
    }
}

/// Describes a root. Where no specification is to be held against the reads, they are not needed as they are written.
fn described(analysis: &Analysis<'_>, root: &Root, keep_classified: bool) -> Computation {
    let mut computation = relative::relativise(analysis, root, &relative::by_array(root));
    if !keep_classified {
        for array in &mut computation.arrays {
            match array {
                Ok(access) => access.classified = Vec::new(),
                Err(undescribed) => undescribed.classified = Vec::new(),
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
