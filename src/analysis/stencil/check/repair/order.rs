//! The order in which people write reads, which tells apart changes that are otherwise as likely.

use super::change::{Change, Site, Slip};
use super::world::{ArrayId, JudgedStatement};
use crate::analysis::stencil::computations::{Axis, ClassifiedRead, Coordinate};
use crate::source::Span;

/// The number of pairs against the direction of the array (of subscripts over an unusual axis), and whether that
/// direction is against that of other arrays.
pub type Disorder = (usize, bool);

/// How far the order of the reads, once one is changed, is from the order in which they are written elsewhere in the
/// computation. Of two references that are the same by mistake either may be the wrong one: people write the offsets of
/// a statement in one direction, `a(i+1) - a(i-1)` beside `b(i+1) - b(i-1)`, and rather upwards than downwards.
pub fn disorder(judged: &JudgedStatement<'_>, change: &Change) -> Disorder {
    let Site::Reference(array) = change.site else { return Disorder::default() };
    let Some(after) = change.changed.reads.get(&array) else { return Disorder::default() };
    if matches!(change.slip, Slip::Swap | Slip::Variable) {
        return (unusual_axes(judged, array, change.span, after), false);
    }
    let before = judged.reads(array);
    let is_twin = |read: &ClassifiedRead| {
        let is_same = |own: &ClassifiedRead| own.span == change.span && own.coordinates == read.coordinates;
        read.span != change.span && before.iter().any(is_same)
    };
    if !before.iter().any(is_twin) {
        return Disorder::default();
    }
    let (upwards, downwards) = count_directions(after);
    let (mut up_elsewhere, mut down_elsewhere) = (0, 0);
    for other in others(judged, array) {
        let (up, down) = count_directions(judged.reads(other));
        up_elsewhere += up;
        down_elsewhere += down;
    }
    let is_downwards = downwards > upwards;
    (upwards.min(downwards), is_downwards != (down_elsewhere > up_elsewhere))
}

/// The other arrays of a computation.
fn others<'j>(judged: &'j JudgedStatement<'_>, array: ArrayId) -> impl Iterator<Item = ArrayId> + 'j {
    (0..judged.computation.arrays.len()).map(ArrayId::Read).filter(move |other| *other != array)
}

/// How often a subscript of a reference runs over another axis than that subscript does on the left side and in other
/// references.
fn unusual_axes(judged: &JudgedStatement<'_>, array: ArrayId, span: Span, after: &[ClassifiedRead]) -> usize {
    let Some(changed) = after.iter().find(|read| read.span == span) else { return 0 };
    let own = axes_of(changed);
    let differing = |other: &[Option<Axis>]| {
        own.iter().zip(other).filter(|(one, other)| one.is_some() && other.is_some() && one != other).count()
    };
    let elsewhere = others(judged, array).flat_map(|other| judged.reads(other));
    let of_reads = elsewhere.chain(after.iter().filter(|read| read.span != span));
    of_reads.map(|read| differing(&axes_of(read))).sum::<usize>() + differing(&judged.computation.left.subscripts)
}

fn axes_of(read: &ClassifiedRead) -> Vec<Option<Axis>> {
    let axis = |coordinate: &Coordinate| match coordinate {
        Coordinate::Relative(axis, _) => Some(*axis),
        Coordinate::Absolute(_) => None,
    };
    read.coordinates.iter().map(axis).collect()
}

/// Of the pairs of reads that differ in one dimension, how many are written upwards, and how many downwards.
fn count_directions(reads: &[ClassifiedRead]) -> (usize, usize) {
    let mut in_order: Vec<&ClassifiedRead> = reads.iter().collect();
    in_order.sort_by_key(|read| read.span);
    let (mut upwards, mut downwards) = (0, 0);
    for (at, first) in in_order.iter().enumerate() {
        for second in &in_order[at + 1..] {
            let mut differing = first.coordinates.iter().zip(&second.coordinates).filter(|(one, other)| one != other);
            if let (Some((one, other)), None) = (differing.next(), differing.next()) {
                *(if one < other { &mut upwards } else { &mut downwards }) += 1;
            }
        }
    }
    (upwards, downwards)
}
