//! The changes that are tried: slips that people make, undone.

use super::world::{ArrayId, Changed, JudgedStatement};
use crate::analysis::stencil::check::input::CheckInput;
use crate::analysis::stencil::check::notation;
use crate::analysis::stencil::computations::{
    AbsoluteIndex, Axis, ClassifiedRead, Coordinate, LeftSide, WrittenSubscript,
};
use crate::region::Place;
use crate::source::Span;

/// How far the constant of an index may be off.
const FARTHEST: i64 = 4;

/// The kinds of slips, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slip {
    /// Another sign.
    Sign,
    /// One more or less.
    OffByOne,
    /// Two subscripts in each other's place.
    Swap,
    /// Another loop variable.
    Variable,
    /// Another fixed index.
    FixedIndex,
    /// The constant is off by more than one.
    Constant,
    /// The name of another array.
    Name,
}

/// Where a change is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// In a reference on the right side, or one that flows to it.
    Reference(ArrayId),
    /// In the definition of a scalar that is an index.
    Definition,
    /// On the left side.
    LeftSide,
}

/// One change of the source, with what it makes of the computation.
#[derive(Clone, Debug)]
pub struct Change {
    /// What kind of slip it undoes.
    pub slip: Slip,
    /// Where.
    pub site: Site,
    /// The source that is replaced.
    pub span: Span,
    /// By what.
    pub replacement: String,
    /// What comes of it.
    pub changed: Changed,
}

/// A new subscript: its text and its coordinate.
struct NewSubscript {
    slip: Slip,
    /// The dimensions with their new coordinates.
    coordinates: Vec<(usize, Coordinate)>,
    /// All subscripts as they are written then.
    texts: Vec<String>,
}

/// The changes of the subscripts of one reference.
pub fn of_reference(
    input: CheckInput<'_>,
    judged: &JudgedStatement<'_>,
    array: ArrayId,
    span: Span,
    axes: &[Axis],
) -> Vec<Change> {
    let all = judged.reads(array);
    // Of what is not written there nothing can be changed there.
    let Some(pattern) = all.iter().find(|read| read.span == span && read.ordinal == 0) else { return Vec::new() };
    let Some(texts) = texts_of(input, &pattern.subscripts) else { return Vec::new() };
    let mut found = Vec::new();
    for new in subscripts(input, &pattern.subscripts, &pattern.coordinates, &texts, axes, pattern.is_plain) {
        let mut reads = all.to_vec();
        for read in reads.iter_mut().filter(|read| read.span == span) {
            for (dimension, coordinate) in &new.coordinates {
                read.coordinates[*dimension] = coordinate.clone();
            }
        }
        let Some(replacement) =
            notation::reference_with(input.scopes.tree, pattern.span, &pattern.subscripts, &new.texts)
        else {
            continue;
        };
        let changed = Changed { left: None, reads: [(array, reads)].into() };
        found.push(Change { slip: new.slip, site: Site::Reference(array), span, replacement, changed });
    }
    found
}

/// The changes of the subscripts of the left side.
pub fn of_left_side(input: CheckInput<'_>, judged: &JudgedStatement<'_>, axes: &[Axis]) -> Vec<Change> {
    let left = &judged.computation.left;
    let (Some(pattern), Some(coordinates)) = (&left.written, coordinates_of(left)) else { return Vec::new() };
    let Some(texts) = texts_of(input, &pattern.subscripts) else { return Vec::new() };
    let mut found = Vec::new();
    for new in subscripts(input, &pattern.subscripts, &coordinates, &texts, axes, true) {
        let mut changed = left.clone();
        let mut after = coordinates.clone();
        for (dimension, coordinate) in &new.coordinates {
            after[*dimension] = coordinate.clone();
        }
        changed.axes.clear();
        let mut is_possible = true;
        for (subscript, coordinate) in changed.subscripts.iter_mut().zip(&after) {
            *subscript = match coordinate {
                Coordinate::Relative(axis, offset) => {
                    is_possible &= *changed.axes.entry(*axis).or_insert(*offset) == *offset;
                    Some(*axis)
                }
                Coordinate::Absolute(_) => None,
            };
        }
        let replacement = notation::reference_with(input.scopes.tree, pattern.span, &pattern.subscripts, &new.texts)
            .filter(|_| is_possible);
        let Some(replacement) = replacement else { continue };
        let changed = Changed { left: Some(changed), ..Changed::default() };
        found.push(Change { slip: new.slip, site: Site::LeftSide, span: pattern.span, replacement, changed });
    }
    found
}

/// The coordinates of a left side of which everything is known.
fn coordinates_of(left: &LeftSide) -> Option<Vec<Coordinate>> {
    let some_range = AbsoluteIndex { place: None, ..AbsoluteIndex::constant(0) };
    let coordinate = |axis: &Option<Axis>| match axis {
        Some(axis) => Some(Coordinate::Relative(*axis, *left.axes.get(axis)?)),
        None => Some(Coordinate::Absolute(some_range.clone())),
    };
    left.problem.is_none().then(|| left.subscripts.iter().map(coordinate).collect::<Option<_>>())?
}

fn texts_of(input: CheckInput<'_>, written: &[WrittenSubscript]) -> Option<Vec<String>> {
    written.iter().map(|one| notation::compact(input.scopes.tree, one.span)).collect()
}

/// Every way to change one subscript, or to let two change places.
fn subscripts(
    input: CheckInput<'_>,
    written: &[WrittenSubscript],
    coordinates: &[Coordinate],
    texts: &[String],
    axes: &[Axis],
    is_plain: bool,
) -> Vec<NewSubscript> {
    let mut found = Vec::new();
    for (dimension, coordinate) in coordinates.iter().enumerate() {
        let mut add = |slip, coordinate, text| {
            let mut texts = texts.to_vec();
            texts[dimension] = text;
            found.push(NewSubscript { slip, coordinates: vec![(dimension, coordinate)], texts });
        };
        let WrittenSubscript { span, constant, .. } = written[dimension];
        match coordinate {
            Coordinate::Relative(axis @ Axis::Section(_), offset) => {
                for by in distances() {
                    if let (Some(text), Some(offset)) = (moved_section(&texts[dimension], by), offset.checked_add(by)) {
                        add(slip_of(by), Coordinate::Relative(*axis, offset), text);
                    }
                }
            }
            Coordinate::Relative(axis, offset) if is_plain => {
                let sign = constant.checked_neg().and_then(|other| other.checked_sub(constant)).filter(|&by| by != 0);
                let changes =
                    sign.map(|by| (Slip::Sign, by)).into_iter().chain(distances().map(|by| (slip_of(by), by)));
                for (slip, by) in changes {
                    if let (Some(offset), Some(constant)) = (offset.checked_add(by), constant.checked_add(by)) {
                        let text = notation::over_axis(input, *axis, Some(span), constant);
                        add(slip, Coordinate::Relative(*axis, offset), text);
                    }
                }
                for other in axes.iter().filter(|other| *other != axis && matches!(other, Axis::Variable(_))) {
                    let text = notation::over_axis(input, *other, None, constant);
                    add(Slip::Variable, Coordinate::Relative(*other, *offset), text);
                }
            }
            Coordinate::Absolute(AbsoluteIndex { place: Some(place), .. }) => {
                if let Place::Fixed(value) = Place::of(*place) {
                    for value in distances().filter_map(|by| value.checked_add(by)) {
                        add(Slip::FixedIndex, Coordinate::Absolute(AbsoluteIndex::constant(value)), value.to_string());
                    }
                }
                for axis in axes.iter().filter(|axis| matches!(axis, Axis::Variable(_))) {
                    let text = notation::over_axis(input, *axis, None, 0);
                    add(Slip::Variable, Coordinate::Relative(*axis, 0), text);
                }
            }
            Coordinate::Relative(..) | Coordinate::Absolute(_) => {}
        }
    }
    // Sections and fixed indices stand for themselves wherever they stand.
    let is_moved_whole = |one: &Coordinate| !matches!(one, Coordinate::Relative(Axis::Variable(_), _));
    if is_plain || coordinates.iter().all(is_moved_whole) {
        found.extend(swaps(input, written, coordinates, texts));
    }
    found
}

pub fn distances() -> impl Iterator<Item = i64> {
    (1..=FARTHEST).flat_map(|by| [-by, by])
}

pub fn slip_of(by: i64) -> Slip {
    if by.abs() == 1 { Slip::OffByOne } else { Slip::Constant }
}

/// Two subscripts in each other's place, or their constants.
fn swaps(
    input: CheckInput<'_>,
    written: &[WrittenSubscript],
    coordinates: &[Coordinate],
    texts: &[String],
) -> Vec<NewSubscript> {
    let mut found = Vec::new();
    for one in 0..coordinates.len() {
        for other in 0..one {
            let mut swapped = texts.to_vec();
            swapped.swap(one, other);
            let places = vec![(one, coordinates[other].clone()), (other, coordinates[one].clone())];
            found.push(NewSubscript { slip: Slip::Swap, coordinates: places, texts: swapped });
            let (Coordinate::Relative(first, at_first), Coordinate::Relative(second, at_second)) =
                (&coordinates[one], &coordinates[other])
            else {
                continue;
            };
            let (here, there) = (written[one].constant, written[other].constant);
            let by = there.checked_sub(here);
            let moved = by.and_then(|by| Some((at_first.checked_add(by)?, at_second.checked_sub(by)?)));
            let Some((at_first, at_second)) = moved.filter(|_| here != there) else { continue };
            let mut swapped = texts.to_vec();
            swapped[one] = notation::over_axis(input, *first, Some(written[one].span), there);
            swapped[other] = notation::over_axis(input, *second, Some(written[other].span), here);
            let places =
                vec![(one, Coordinate::Relative(*first, at_first)), (other, Coordinate::Relative(*second, at_second))];
            found.push(NewSubscript { slip: Slip::Swap, coordinates: places, texts: swapped });
        }
    }
    found
}

/// A section that begins so much farther on; `None` where no lower bound is written.
fn moved_section(text: &str, by: i64) -> Option<String> {
    let mut depth = 0;
    let colon = text.find(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ':' && depth == 0
    })?;
    let (lower, rest) = text.split_at(colon);
    (!lower.is_empty()).then(|| moved_bound(lower, by) + rest)
}

/// An integer expression with so much added to it: to the number at its end, if there is one.
pub fn moved_bound(text: &str, by: i64) -> String {
    let start = text.trim_end_matches(|character: char| character.is_ascii_digit()).len();
    let (head, digits) = text.split_at(start);
    let value = digits.parse::<i64>().ok();
    let sum = |head: &str, value: i64| match (head.is_empty(), value) {
        (true, _) => value.to_string(),
        (false, 0) => head.to_owned(),
        (false, _) => format!("{head}{value:+}"),
    };
    let moved = match (value, head.as_bytes().last()) {
        (Some(value), None | Some(b'+')) => value.checked_add(by).map(|value| sum(head.trim_end_matches('+'), value)),
        (Some(value), Some(b'-')) => by.checked_sub(value).map(|value| sum(&head[..head.len() - 1], value)),
        _ => None,
    };
    moved.unwrap_or_else(|| format!("{text}{by:+}"))
}

/// A reference made one to another array, if the claims on both have the reads for it.
pub fn renamed(
    input: CheckInput<'_>,
    judged: &JudgedStatement<'_>,
    from: ArrayId,
    to: ArrayId,
    span: Span,
) -> Option<Change> {
    let (moved, kept): (Vec<ClassifiedRead>, Vec<ClassifiedRead>) =
        judged.reads(from).iter().cloned().partition(|read| read.span == span);
    if moved.iter().any(|read| read.ordinal != 0) {
        return None;
    }
    let mut reads = judged.reads(to).to_vec();
    reads.extend(moved);
    let replacement = with_name(input, span, judged.spelling(from), judged.spelling(to))?;
    let changed = Changed { left: None, reads: [(from, kept), (to, reads)].into() };
    Some(Change { slip: Slip::Name, site: Site::Reference(from), span, replacement, changed })
}

/// A reference with the name of another array; only where names have no components in between.
fn with_name(input: CheckInput<'_>, span: Span, from: &str, to: &str) -> Option<String> {
    let source = notation::compact(input.scopes.tree, span)?;
    let head = source.get(..from.len())?;
    let rest = source.get(from.len()..)?;
    (head.eq_ignore_ascii_case(from) && rest.starts_with('(')).then(|| format!("{to}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_moved_in_the_number_at_its_end() {
        let moved = [("1", 1, "2"), ("n", -1, "n-1"), ("n-1", 1, "n"), ("n-1", -1, "n-2"), ("2*n+3", -4, "2*n-1")];
        for (text, by, expected) in moved {
            assert_eq!(moved_bound(text, by), expected);
        }
        assert_eq!(moved_bound("x2*3", 1), "x2*3+1");
        assert_eq!(moved_section("f(1:2):n", 1).as_deref(), Some("f(1:2)+1:n"));
        assert_eq!(moved_section(":n", 1), None);
    }
}
