//! Sets and offsets in words, and references in terms of the source.

use super::input::CheckInput;
use crate::analysis::stencil::computations::{
    ArrayAccess, Axis, ClassifiedRead, Coordinate, LeftSide, WrittenSubscript,
};
use crate::region::{Component, Direction, IndexScheme, IntegerSet, Place, SOME_FIXED, Unf};
use crate::source::Span;
use crate::syntax::Tree;

/// Boxes of a set that are written out.
const MOST_BOXES: usize = 4;

/// A set of indices: `(-1..1, 0) and (0, -1..1)`; `any` where a dimension is unconstrained.
pub fn set(union: &Unf<IntegerSet>) -> String {
    let boxes: Vec<String> = union.schemes().iter().take(MOST_BOXES).map(box_text).collect();
    let more = union.schemes().len() - boxes.len();
    match (boxes.len(), more) {
        (0, _) => "none".to_owned(),
        (_, 0) => boxes.join(" and "),
        _ => format!("{} and {more} more such boxes", boxes.join(", ")),
    }
}

fn box_text(scheme: &IndexScheme) -> String {
    tuple(scheme.components.iter().map(|component| match component {
        Component::Every => "any".to_owned(),
        Component::Within(set) => set_text(set),
    }))
}

fn set_text(set: &IntegerSet) -> String {
    let mut texts = Vec::new();
    let mut ranges = set.ranges().iter().peekable();
    while let Some(&(first, last)) = ranges.next() {
        let around_zero = |&&(next, end): &&(i64, i64)| match (Place::of(last), Place::of(next), Place::of(end)) {
            (Place::Offset(one, -1), Place::Offset(other, 1), _) => one == other,
            _ => false,
        };
        match ranges.next_if(around_zero) {
            Some(&(_, end)) => texts.push(format!("{} without 0", range_text(first, end))),
            None => texts.push(range_text(first, last)),
        }
    }
    texts.join(" or ")
}

fn range_text(first: i64, last: i64) -> String {
    match (Place::of(first), Place::of(last)) {
        _ if first == last => index(first),
        (Place::Offset(direction, low), Place::Offset(_, high)) => format!("{low}..{high}{}", along(direction)),
        _ => index(SOME_FIXED),
    }
}

/// One index, by its place on the line.
pub fn index(code: i64) -> String {
    match Place::of(code) {
        Place::Offset(direction, offset) => format!("{offset}{}", along(direction)),
        Place::Fixed(value) => format!("at {value}"),
        Place::Named(_) => "at a named constant".to_owned(),
        Place::SomeFixed => "at some fixed index".to_owned(),
    }
}

fn along(direction: Direction) -> String {
    match direction {
        Direction::Usual => String::new(),
        Direction::Along(dimension) => format!(" along {dimension}"),
        Direction::Free => " free".to_owned(),
    }
}

/// The indices of a read.
pub fn offsets(offsets: &[Option<i64>]) -> String {
    tuple(offsets.iter().map(|offset| offset.map_or_else(|| "any".to_owned(), index)))
}

/// One vector of indices.
pub fn vector(offsets: &[i64]) -> String {
    tuple(offsets.iter().copied().map(index))
}

fn tuple(components: impl Iterator<Item = String>) -> String {
    let components: Vec<String> = components.collect();
    match components.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Part of a statement without blanks and continuations, as it is quoted in a sentence; `None` where the source can't
/// be followed from line to line (a macro).
pub fn compact(tree: &Tree, span: Span) -> Option<String> {
    let bytes = tree.source.texts.bytes(span);
    let is_one_line = memchr::memchr2(b'\n', b'\r', bytes).is_none();
    let statement = || tree.source.statements.iter().find(|statement| statement.span.encloses(span));
    let source = if is_one_line { bytes.to_vec() } else { tree.source.part_of(statement()?, span)? };
    let source = String::from_utf8_lossy(&source);
    Some(source.chars().filter(|character| !character.is_whitespace() && !character.is_control()).collect())
}

/// The reference that reads an array at a vector of indices, after the pattern of a read: `a(i+1,j)`. Dimensions that
/// are absolute in every read keep the pattern's subscript. `None` for sections, whose bounds say where they begin, and
/// for reads in functions.
pub fn reference_at(input: CheckInput<'_>, left: &LeftSide, access: &ArrayAccess, at: &[i64]) -> Option<String> {
    let reads = &access.classified;
    let has_section = |read: &ClassifiedRead| {
        read.coordinates.iter().any(|one| matches!(one, Coordinate::Relative(Axis::Section(_), _)))
    };
    let is_pattern = |read: &&ClassifiedRead| read.ordinal == 0 && (input.paper || !has_section(read));
    let pattern = reads.iter().find(|read| read.is_plain).or_else(|| reads.iter().find(is_pattern))?;
    let axes_in = |dimension: usize| {
        reads.iter().filter_map(move |read| match read.coordinates.get(dimension)? {
            Coordinate::Relative(axis, _) => Some((*axis, read.subscripts[dimension].span)),
            Coordinate::Absolute(_) => None,
        })
    };
    let of_left = |dimension: usize| left.subscripts.get(dimension - 1).copied().flatten();
    let mut subscripts = Vec::with_capacity(at.len());
    for (dimension, &code) in at.iter().enumerate() {
        let axis = match Place::of(code) {
            Place::Offset(Direction::Along(of), _) => of_left(of),
            Place::Offset(Direction::Free, _) => {
                axes_in(dimension).map(|(axis, _)| axis).find(|axis| !left.axes.contains_key(axis))
            }
            Place::Offset(Direction::Usual, _) => match access.usual[dimension].and_then(of_left) {
                Some(axis) => Some(axis),
                None => axes_in(dimension).next().map(|(axis, _)| axis),
            },
            Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
        };
        subscripts.push(match (Place::of(code), axis) {
            (Place::Offset(_, offset), Some(axis)) => {
                let constant = offset.checked_add(left.origin(axis))?;
                let spelt_in = (0..at.len()).flat_map(axes_in).find(|(other, _)| *other == axis).map(|(_, span)| span);
                over_axis(input, axis, spelt_in, constant)
            }
            (Place::Offset(..), None) => compact(input.scopes.tree, pattern.subscripts.get(dimension)?.span)?,
            (place, _) => match (access.constant_names.get(&(dimension, code)), place) {
                (Some(name), _) => name.to_string(),
                (None, Place::Fixed(value)) => value.to_string(),
                (None, _) => return None,
            },
        });
    }
    reference_with(input.scopes.tree, pattern.span, &pattern.subscripts, &subscripts)
}

/// An index over an axis: `i+1`, spelt as the variable is in the source of another index.
pub fn over_axis(input: CheckInput<'_>, axis: Axis, spelt_in: Option<Span>, constant: i64) -> String {
    let variable = match axis {
        Axis::Section(_) => return ":".to_owned(),
        Axis::Variable(symbol) => {
            let name = input.scopes.tree.names.text(input.scopes.resolved.symbol(symbol).name);
            let source = spelt_in.and_then(|span| compact(input.scopes.tree, span)).unwrap_or_default();
            let is_sign = |character: char| !(character.is_ascii_alphanumeric() || character == '_');
            let spelt = source.split(is_sign).find(|word| word.eq_ignore_ascii_case(name));
            spelt.unwrap_or(name).to_owned()
        }
    };
    match constant {
        0 => variable,
        _ => format!("{variable}{constant:+}"),
    }
}

/// A reference with other subscripts, blanks left out; `None` where the source can't be followed (a macro, an included
/// file).
pub fn reference_with(
    tree: &Tree,
    reference: Span,
    written: &[WrittenSubscript],
    subscripts: &[String],
) -> Option<String> {
    let mut text = String::new();
    let mut from = reference.start;
    for (WrittenSubscript { span, .. }, subscript) in written.iter().zip(subscripts) {
        if span.start < from || span.end > reference.end {
            return None;
        }
        text += &compact(tree, Span::new(from, span.start))?;
        text += subscript;
        from = span.end;
    }
    text += &compact(tree, Span::new(from, reference.end))?;
    Some(text)
}
