//! Region variables whose declarations a change of layouts makes old.
//!
//! A region variable is shared: its declaration may only change if everything that names it changes in the same way. So
//! region variables and comments are taken together as far as they are connected ([`Renewal`]): a comment with the
//! region variables that it names and with the other comments on its arrays. If every use that they speak of follows,
//! and all by the same change, each region of the connected ones is renumbered; whether all of them hold then is for
//! the caller to verify, on the changed text.

use std::collections::{BTreeMap, BTreeSet};

use super::comments::{
    CommentPlace, FileComments, Followed, ReadArray, RegionId, RegionVariable, SpecificationComment,
};
use super::layout::Layout;
use super::out_of_date::{ReadChange, UseOutcomes};
use crate::analysis::stencil::spec::{Region, RegionConstant, RegionDeclaration, Specification, flatten};
use crate::region::{Direction, Interval};
use crate::source::LineColumn;

/// What is to stand in the place of a comment.
#[derive(Clone, Debug)]
pub struct NewText {
    /// Where.
    pub place: CommentPlace,
    /// The text, from its keyword on.
    pub text: String,
    /// The region variable that it declares, if it declares one.
    pub declared: Option<String>,
}

/// Region variables and comments that are connected, and how they change.
#[derive(Clone, Debug)]
pub struct Renewal {
    /// What changes of them.
    pub texts: Vec<NewText>,
    /// The comments, as (file, comment), which must hold then.
    pub comments: Vec<(usize, usize)>,
    /// The region variables of which nothing would be left that could be written.
    pub vanishing: Vec<(CommentPlace, String)>,
}

/// The region variables that may change, with all that is connected to them.
pub fn renewals(files: &[FileComments], judgement: &UseOutcomes<'_>) -> Vec<Renewal> {
    let network = Network::new(files);
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for (number, comment) in network.comments.iter().enumerate() {
        let is_old = comment.2.claims.iter().any(|claim| judgement.is_old(comment.2, claim));
        if is_old && !comment.2.names.is_empty() && !seen.contains(&number) {
            let connected = network.connected(number);
            seen.extend(&connected.comments);
            found.extend(network.renewal(&connected, judgement));
        }
    }
    found
}

/// Which comments and region variables name which.
struct Network<'f> {
    /// File, comment in it, the comment.
    comments: Vec<(usize, usize, &'f SpecificationComment)>,
    regions: BTreeMap<&'f RegionId, Vec<&'f RegionVariable>>,
    /// The comments and the region variables that name a region variable.
    naming: BTreeMap<&'f RegionId, (Vec<usize>, Vec<&'f RegionId>)>,
    /// The comments on an array of a computation.
    on: BTreeMap<(usize, (LineColumn, &'f str)), Vec<usize>>,
}

/// What is connected.
#[derive(Default)]
struct Connected<'f> {
    comments: BTreeSet<usize>,
    regions: BTreeSet<&'f RegionId>,
}

impl<'f> Network<'f> {
    fn new(files: &'f [FileComments]) -> Self {
        let mut network =
            Network { comments: Vec::new(), regions: BTreeMap::new(), naming: BTreeMap::new(), on: BTreeMap::new() };
        for (file_number, file) in files.iter().enumerate() {
            for region in &file.regions {
                network.regions.entry(&region.id).or_default().push(region);
                for name in &region.names {
                    network.naming.entry(name).or_default().1.push(&region.id);
                }
            }
            for (comment_number, comment) in file.comments.iter().enumerate() {
                let number = network.comments.len();
                network.comments.push((file_number, comment_number, comment));
                for name in &comment.names {
                    network.naming.entry(name).or_default().0.push(number);
                }
                for read in comment.claims.iter().filter_map(|claim| claim.read.as_ref()) {
                    network.on.entry(key(file_number, read)).or_default().push(number);
                }
            }
        }
        network
    }

    /// Everything that is connected to a comment.
    fn connected(&self, first: usize) -> Connected<'f> {
        let mut connected = Connected::default();
        let (mut comments, mut regions) = (vec![first], Vec::new());
        loop {
            if let Some(number) = comments.pop() {
                if connected.comments.insert(number) {
                    let (file, _, comment) = self.comments[number];
                    regions.extend(&comment.names);
                    let reads = comment.claims.iter().filter_map(|claim| claim.read.as_ref());
                    comments.extend(reads.filter_map(|read| self.on.get(&key(file, read))).flatten());
                }
            } else if let Some(id) = regions.pop() {
                if connected.regions.insert(id) {
                    regions.extend(self.regions.get(id).into_iter().flatten().flat_map(|region| &region.names));
                    if let Some((in_comments, in_regions)) = self.naming.get(id) {
                        comments.extend(in_comments);
                        regions.extend(in_regions);
                    }
                }
            } else {
                return connected;
            }
        }
    }

    /// How what is connected changes; `None` if not everything changes, and in the same way.
    fn renewal(&self, connected: &Connected<'f>, judgement: &UseOutcomes<'_>) -> Option<Renewal> {
        let comments: Vec<(usize, usize, &SpecificationComment)> =
            connected.comments.iter().map(|&number| self.comments[number]).collect();
        let mut moved: Option<Renumbering> = None;
        for claim in comments.iter().flat_map(|(_, _, comment)| &comment.claims) {
            let read = claim.read.as_ref()?;
            let ReadChange::Follows { layout, .. } = judgement.change(read) else { return None };
            let this = Renumbering::new(&layout, read)?;
            if *moved.get_or_insert_with(|| this.clone()) != this {
                return None;
            }
        }
        let moved = moved?;
        let numbers = comments.iter().map(|(file, comment, _)| (*file, *comment)).collect();
        let mut renewal = Renewal { texts: Vec::new(), comments: numbers, vanishing: Vec::new() };
        for id in &connected.regions {
            let [region] = self.regions.get(id)?.as_slice() else { return None };
            let RegionDeclaration { name, region: before } = &region.declaration;
            match moved.region(before).ok()? {
                None => renewal.vanishing.push((region.place.clone(), name.text.clone())),
                Some(now) if now.to_string() == before.to_string() => {}
                Some(now) => renewal.texts.push(NewText {
                    place: region.place.clone(),
                    text: RegionDeclaration { name: name.clone(), region: now }.to_string(),
                    declared: Some(name.text.clone()),
                }),
            }
        }
        if renewal.texts.is_empty() && renewal.vanishing.is_empty() {
            return None;
        }
        for (_, _, comment) in comments {
            let said = &comment.specification;
            let region = moved.region(&said.region).ok()??;
            if region.to_string() != said.region.to_string() {
                let text = Specification { region, ..said.clone() }.to_string();
                renewal.texts.push(NewText { place: comment.place.clone(), text, declared: None });
            }
        }
        Some(renewal)
    }
}

fn key(file: usize, read: &ReadArray) -> (usize, (LineColumn, &str)) {
    (file, (read.root.start, read.name.as_str()))
}

/// How regions are renumbered.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Renumbering {
    /// For each old dimension that of today, from 0, with what is followed there; `None` if it is gone.
    now: Vec<Option<(usize, Followed)>>,
    /// The new dimensions in which every read stands where the left side does, from 0, with what is followed there.
    pointed: Vec<(usize, Followed)>,
}

/// A region names a dimension that its array never had.
struct NoSuchDimension;

impl Renumbering {
    /// By a change of layout, for an array that is read so; `None` if no constant says what is read in a new dimension,
    /// or if the reads follow several dimensions of the left side in one.
    fn new(layout: &Layout, read: &ReadArray) -> Option<Self> {
        if read.followed.contains(&Followed::Several) {
            return None;
        }
        let followed = |now: usize| read.followed.get(now).copied().unwrap_or(Followed::Usual);
        let mut pointed = Vec::new();
        for dimension in layout.added() {
            let mut of_reads = read.offsets.iter().map(|offsets| offsets.get(dimension).copied().flatten());
            let first = of_reads.next()?;
            let is_constant = of_reads.all(|offset| offset == first) && matches!(first, None | Some(0));
            if !is_constant {
                return None;
            }
            pointed.extend(first.map(|_| (dimension, followed(dimension))));
        }
        let now = (0..layout.old_rank).map(|old| layout.now(old).map(|now| (now, followed(now))));
        Some(Renumbering { now: now.collect(), pointed })
    }

    /// What becomes of a region; `None` if no constraint is left of it.
    ///
    /// # Errors
    ///
    /// If it names a dimension that the array never had.
    fn region(&self, region: &Region) -> Result<Option<Region>, NoSuchDimension> {
        Ok(self.renumbered(region)?.map(|region| self.pointed(region)))
    }

    fn renumbered(&self, region: &Region) -> Result<Option<Region>, NoSuchDimension> {
        let operands = |operands: &[Region]| -> Result<Vec<Option<Region>>, NoSuchDimension> {
            operands.iter().map(|operand| self.renumbered(operand)).collect()
        };
        Ok(match region {
            Region::Variable(_) => Some(region.clone()),
            Region::Constant(constant) => match self.now.get(constant.dimension() - 1).ok_or(NoSuchDimension)? {
                Some((now, followed)) => {
                    let constant = constant.in_dimension(now + 1).ok_or(NoSuchDimension)?;
                    Some(Region::Constant(following(constant, *followed)))
                }
                None => None,
            },
            Region::Product(factors) => {
                let mut left: Vec<Region> = operands(factors)?.into_iter().flatten().collect();
                left.sort_by_key(lowest_dimension);
                flatten(left, Region::Product)
            }
            // A sum with one term that is everything is everything.
            Region::Sum(terms) => operands(terms)?.into_iter().collect::<Option<_>>().map(Region::Sum),
        })
    }

    /// The region, pointed in the new dimensions.
    fn pointed(&self, region: Region) -> Region {
        if self.pointed.is_empty() || is_pointed(&region) {
            return region;
        }
        let mut factors = match region {
            Region::Sum(terms) => return Region::Sum(terms.into_iter().map(|term| self.pointed(term)).collect()),
            Region::Product(factors) => factors,
            other => vec![other],
        };
        let constants = self.pointed.iter().filter_map(|(dimension, followed)| {
            Some(following(RegionConstant::new(Interval::ORIGIN, dimension + 1, 0)?, *followed))
        });
        factors.extend(constants.map(Region::Constant));
        factors.sort_by_key(lowest_dimension);
        Region::Product(factors)
    }
}

/// A constant that says what is followed in its dimension, unless its offsets are free.
fn following(constant: RegionConstant, followed: Followed) -> RegionConstant {
    let direction = match followed {
        Followed::Along(dimension) => Direction::Along(dimension),
        Followed::Usual | Followed::Several => Direction::Usual,
    };
    match constant.interval().direction() {
        Some(Direction::Usual | Direction::Along(_)) => constant.along(direction).unwrap_or(constant),
        Some(Direction::Free) | None => constant,
    }
}

/// Whether a region is pointed in the new dimensions because a region variable in it is, whose declaration changes too.
fn is_pointed(region: &Region) -> bool {
    match region {
        Region::Variable(_) => true,
        Region::Constant(_) => false,
        Region::Product(factors) => factors.iter().any(is_pointed),
        Region::Sum(terms) => terms.iter().all(is_pointed),
    }
}

/// The lowest dimension of a factor, by which factors are ordered; region variables come first.
fn lowest_dimension(region: &Region) -> usize {
    match region {
        Region::Variable(_) => 0,
        Region::Constant(constant) => constant.dimension(),
        Region::Sum(operands) | Region::Product(operands) => operands.iter().map(lowest_dimension).min().unwrap_or(0),
    }
}
