//! What the comments of a file say of arrays, with all that is needed to tell what they should say after a change of
//! layouts.
//!
//! Entry point: [`FileComments::new`]. It is plain data, so that the comments of all files that share a region variable
//! can be looked at together.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::analysis::stencil::attach::{CommentLines, DeclaredRegion, RegionScopes, RegionSource, whole_span};
use crate::analysis::stencil::check::{self, CheckInput};
use crate::analysis::stencil::computations::{ArrayAccess, Computation, Offsets, on_paper, unit_path};
use crate::analysis::stencil::infer::{Reason, comes_from_elsewhere};
use crate::analysis::stencil::spec::{self, HIGHEST_RANK, Region, RegionDeclaration, Specification, SpecificationText};
use crate::diagnostics::Location;
use crate::region::{Direction, Interval, Place, Unf};
use crate::solve::Solver;
use crate::source::Span;
use crate::syntax::{StatementId, UnitId, UnitKind};

/// The comments of a file and of what it includes.
#[derive(Clone, Debug)]
pub struct FileComments {
    /// The file.
    pub path: PathBuf,
    /// The specifications that stand above a statement.
    pub comments: Vec<SpecificationComment>,
    /// The region variables that it declares.
    pub regions: Vec<RegionVariable>,
}

/// A specification.
#[derive(Clone, Debug)]
pub struct SpecificationComment {
    /// What it says.
    pub specification: Specification,
    /// Where.
    pub place: CommentPlace,
    /// The region variables that it names.
    pub names: BTreeSet<RegionId>,
    /// What its region means in the highest rank, if it has a meaning.
    pub meaning: Option<Unf<Interval>>,
    /// What it says of each of its arrays.
    pub claims: Vec<CommentClaim>,
}

/// The declaration of a region variable.
#[derive(Clone, Debug)]
pub struct RegionVariable {
    /// Which one.
    pub id: RegionId,
    /// What it says.
    pub declaration: RegionDeclaration,
    /// Where.
    pub place: CommentPlace,
    /// The region variables that it names.
    pub names: BTreeSet<RegionId>,
}

/// Where a comment stands.
#[derive(Clone, Debug)]
pub struct CommentPlace {
    /// Its text.
    pub location: Location,
    /// Its lines, if it has lines of its own.
    pub lines: Option<CommentLines>,
    /// Whether it stands in the named file, above a statement that stands there too.
    pub is_editable: bool,
}

/// A region variable of the program: the unit that declares it, with its file unless it is a module, and its name in
/// lower case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegionId {
    /// The unit.
    pub unit: String,
    /// The file, of a unit that exports nothing.
    pub file: Option<PathBuf>,
    /// The name.
    pub name: String,
}

/// What a specification says of one array.
#[derive(Clone, Debug)]
pub struct CommentClaim {
    /// How the array is read; `None` if it is not, or in a way that can't be specified.
    pub read: Option<ReadArray>,
    /// Whether the claim holds.
    pub holds: bool,
}

/// Which dimension of the left side the reads of an array follow in a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Followed {
    /// The one that is followed where nothing is said, or none.
    Usual,
    /// This one, from 1.
    Along(usize),
    /// Several.
    Several,
}

/// An array as a computation reads it.
#[derive(Clone, Debug)]
pub struct ReadArray {
    /// Its name as in the source, in lower case.
    pub name: String,
    /// The statement of the computation.
    pub root: Location,
    /// Each read: its statement, and the reference.
    pub reads: Vec<(Location, Location)>,
    /// The offsets of each read, from whichever variable they count.
    pub offsets: Vec<Offsets>,
    /// For each dimension which dimension of the left side every read follows there.
    pub followed: Vec<Followed>,
    /// Whether none is repeated.
    pub read_once: bool,
}

impl FileComments {
    /// What the comments of a file say.
    pub fn new(input: CheckInput<'_>, solver: &mut dyn Solver) -> Self {
        let scopes = input.scopes;
        let attached = input.specifications.attached.iter().enumerate();
        let place = |text: &SpecificationText, is_editable: bool| CommentPlace {
            location: Location::of(&scopes.tree.source.texts, whole_span(text)),
            lines: CommentLines::of(scopes.tree, text),
            is_editable: is_editable && scopes.tree.source.texts.in_root(whole_span(text)),
        };
        let comments = attached.map(|(number, attached)| SpecificationComment {
            specification: attached.specification.clone(),
            place: place(&attached.text, !comes_from_elsewhere(scopes.tree, attached.statement)),
            names: names(scopes, &attached.specification.region, attached.unit, attached.order),
            meaning: scopes
                .denote(&attached.specification.region, HIGHEST_RANK, &[], attached.unit, attached.order)
                .ok()
                .map(|meaning| spec::on_paper(&meaning.union)),
            claims: check::claims(input, number, attached, solver).iter().map(|claim| of_claim(input, claim)).collect(),
        });
        let comments = comments.collect();
        let regions = scopes.regions.all().iter().map(|(declared, _)| RegionVariable {
            id: id(scopes, declared),
            declaration: declared.declaration.clone(),
            place: place(&declared.text, true),
            names: names(scopes, &declared.declaration.region, declared.unit, declared.order),
        });
        FileComments { path: scopes.tree.source.texts.root().path.clone(), comments, regions: regions.collect() }
    }
}

fn of_claim(input: CheckInput<'_>, claim: &check::CheckedClaim<'_>) -> CommentClaim {
    let read = claim.read.and_then(|(computation, described)| match described {
        Ok(access) => {
            let reads = access.reads.iter().map(|read| (read.statement, read.span, on_paper(&read.offsets)));
            let read = read_array(input, computation, &access.spelling, reads);
            Some(ReadArray { read_once: access.read_once, followed: followed(access), ..read })
        }
        // There is no offset, and so nothing to say.
        Err(undescribed) if undescribed.reason == Reason::AbsoluteOnly => {
            let reads = undescribed.classified.iter();
            let reads = reads.map(|read| (read.statement, read.span, vec![None; read.coordinates.len()]));
            Some(read_array(input, computation, &undescribed.spelling, reads))
        }
        Err(_) => None,
    });
    CommentClaim { read, holds: claim.holds }
}

fn read_array(
    input: CheckInput<'_>,
    computation: &Computation,
    spelling: &str,
    reads: impl Iterator<Item = (StatementId, Span, Offsets)>,
) -> ReadArray {
    let texts = &input.scopes.tree.source.texts;
    let place = |(statement, span, offsets)| ((input.place_of(statement), Location::of(texts, span)), offsets);
    let (reads, offsets) = reads.map(place).unzip();
    let root = input.place_of(computation.statement);
    let followed = Vec::new();
    ReadArray { name: spelling.to_ascii_lowercase(), root, reads, offsets, followed, read_once: true }
}

fn followed(access: &ArrayAccess) -> Vec<Followed> {
    let in_dimension = |dimension: usize| {
        let mut found: Option<Followed> = None;
        for read in &access.reads {
            let this = match read.offsets[dimension].map(Place::of) {
                Some(Place::Offset(Direction::Along(of), _)) => Followed::Along(of),
                Some(Place::Offset(Direction::Usual | Direction::Free, _)) => Followed::Usual,
                Some(Place::Fixed(_) | Place::Named(_) | Place::SomeFixed) | None => continue,
            };
            if *found.get_or_insert(this) != this {
                return Followed::Several;
            }
        }
        found.unwrap_or(Followed::Usual)
    };
    (0..access.usual.len()).map(in_dimension).collect()
}

/// Which region variables a region names at a place.
fn names(scopes: &RegionScopes<'_>, region: &Region, unit: Option<UnitId>, order: usize) -> BTreeSet<RegionId> {
    let of = |(name, source): (String, RegionSource<'_>)| match source {
        RegionSource::Here(declared) => id(scopes, declared),
        RegionSource::Module(module) => RegionId { unit: module.to_owned(), file: None, name },
    };
    scopes.sources(region, unit, order).into_iter().map(of).collect()
}

fn id(scopes: &RegionScopes<'_>, declared: &DeclaredRegion) -> RegionId {
    let tree = scopes.tree;
    let is_module = declared.unit.is_some_and(|unit| tree.units[unit].kind == UnitKind::Module);
    RegionId {
        unit: declared.unit.map(|unit| unit_path(tree, unit)).unwrap_or_default(),
        file: (!is_module).then(|| tree.source.texts.root().path.clone()),
        name: declared.declaration.name.key(),
    }
}
