//! Sets and offsets in words, and references in terms of the source.

use super::CheckInput;
use crate::analysis::stencil::computations::{Axis, ClassifiedRead, Coordinate, LeftSide, relate};
use crate::region::{Component, Interval, IntervalScheme, Unf};
use crate::source::Span;
use crate::syntax::Tree;

/// Boxes of a set that are written out.
const MOST_BOXES: usize = 4;

/// A set of offsets: `(-1..1, 0) and (0, -1..1)`; `any` where a dimension is unconstrained.
pub fn set(union: &Unf<Interval>) -> String {
    let boxes: Vec<String> = union.schemes().iter().take(MOST_BOXES).map(box_text).collect();
    let more = union.schemes().len() - boxes.len();
    match (boxes.len(), more) {
        (0, _) => "none".to_owned(),
        (_, 0) => boxes.join(" and "),
        _ => format!("{} and {more} more such boxes", boxes.join(", ")),
    }
}

fn box_text(scheme: &IntervalScheme) -> String {
    let range = |component: &Component<Interval>| match component {
        Component::Every => "any".to_owned(),
        Component::Within(interval) if interval.lower() == interval.upper() => interval.lower().to_string(),
        Component::Within(interval) => {
            // Without 0 an interval at an end of which 0 stands begins beside it.
            let hole = !interval.contains_zero();
            let lower = interval.lower() + i64::from(hole && interval.lower() == 0);
            let upper = interval.upper() - i64::from(hole && interval.upper() == 0);
            let without = if hole && lower < 0 && upper > 0 { " without 0" } else { "" };
            if lower == upper { lower.to_string() } else { format!("{lower}..{upper}{without}") }
        }
    };
    tuple(scheme.components.iter().map(range))
}

/// The offsets of a read.
pub fn offsets(offsets: &[Option<i64>]) -> String {
    tuple(offsets.iter().map(|offset| offset.map_or_else(|| "any".to_owned(), |offset| offset.to_string())))
}

/// One vector of offsets.
pub fn vector(offsets: &[i64]) -> String {
    tuple(offsets.iter().map(i64::to_string))
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

/// The reference that reads an array at a vector of offsets, after the pattern of a read: `a(i+1,j)`. Dimensions that
/// are absolute in every read keep the pattern's subscript. `None` for sections, whose bounds say where they begin, and
/// for reads in functions.
pub fn reference_at(input: CheckInput<'_>, left: &LeftSide, reads: &[ClassifiedRead], at: &[i64]) -> Option<String> {
    let has_section = |read: &ClassifiedRead| {
        read.coordinates.iter().any(|one| matches!(one, Coordinate::Relative(Axis::Section(_), _)))
    };
    let is_pattern = |read: &&ClassifiedRead| read.ordinal == 0 && (input.paper || !has_section(read));
    let pattern = reads.iter().find(|read| read.is_plain).or_else(|| reads.iter().find(is_pattern))?;
    let relative_in = |dimension: usize| {
        reads.iter().find_map(|read| match read.coordinates.get(dimension)? {
            Coordinate::Relative(axis, _) => Some((*axis, read.subscripts[dimension].0)),
            Coordinate::Absolute(_) => None,
        })
    };
    // A read over the same axes without constants shows by how much the left side shifts these: not at all, if it runs
    // over others.
    let mut plain = pattern.clone();
    for (dimension, coordinate) in plain.coordinates.iter_mut().enumerate() {
        if let Some((axis, _)) = relative_in(dimension) {
            *coordinate = Coordinate::Relative(axis, 0);
        }
    }
    let plain_at = relate(left, &[plain], input.paper).ok()?.reads.pop()?.offsets;
    let mut subscripts = Vec::with_capacity(at.len());
    for (dimension, &offset) in at.iter().enumerate() {
        subscripts.push(match (relative_in(dimension), plain_at.get(dimension)?) {
            (Some((axis, span)), Some(plain)) => index(input, axis, span, offset.checked_sub(*plain)?),
            _ => compact(input.scopes.tree, pattern.subscripts.get(dimension)?.0)?,
        });
    }
    reference_with(input.scopes.tree, pattern, &subscripts)
}

/// An index over an axis: `i+1`, spelt as the variable is in the source of another index.
pub fn index(input: CheckInput<'_>, axis: Axis, spelt_in: Span, constant: i64) -> String {
    let variable = match axis {
        Axis::Section(_) => return ":".to_owned(),
        Axis::Variable(symbol) => {
            let name = input.scopes.tree.names.text(input.scopes.resolved.symbol(symbol).name);
            let source = compact(input.scopes.tree, spelt_in).unwrap_or_default();
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

/// A read with other subscripts, blanks left out; `None` where the source can't be followed (a macro, an included
/// file).
pub fn reference_with(tree: &Tree, read: &ClassifiedRead, subscripts: &[String]) -> Option<String> {
    let mut text = String::new();
    let mut from = read.span.start;
    for ((span, _), subscript) in read.subscripts.iter().zip(subscripts) {
        if span.start < from || span.end > read.span.end {
            return None;
        }
        text += &compact(tree, Span::new(from, span.start))?;
        text += subscript;
        from = span.end;
    }
    text += &compact(tree, Span::new(from, read.span.end))?;
    Some(text)
}
