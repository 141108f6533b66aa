//! The names of a namelist: variables, components, subscripts, and the elements that they mean, in the order in which
//! the runtime of gfortran gives values to them.

use super::cursor::{Cursor, Place};
use super::list::is_separator;
use crate::analysis::inputs::value::DataType;

/// The most elements that a name stands for.
const MOST_ELEMENTS: usize = 1 << 22;
/// How far a name is looked for.
const LONGEST_NAME: usize = 200;
/// The most digits of a subscript.
const MOST_DIGITS: usize = 18;

/// A variable of a group: a scalar or an array of an intrinsic type.
#[derive(Clone, PartialEq, Debug)]
pub struct NamelistVariable {
    /// Its name, with components: `grid%spacing`.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// The bounds of all its dimensions; `None` where they are not known.
    pub bounds: Vec<Option<(i64, i64)>>,
    /// How many of them belong to each part of the name.
    pub dimensions: Vec<usize>,
}

/// A subscript triplet as it is written, each number with its place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Triplet {
    start: Option<(i64, Place)>,
    end: Option<(i64, Place)>,
    step: Option<i64>,
    is_section: bool,
    /// Whether the last index is that of the dimension though no colon says so.
    is_open: bool,
}

/// The indices of a dimension: the first, the last, and the step.
#[derive(Clone, Copy, Debug)]
struct Indices {
    start: i64,
    end: i64,
    step: i64,
}

/// Elements of a variable that follow each other; an end of repeat counts.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The index of the variable.
    pub variable: usize,
    /// Their numbers in array element order; `None` where they are not known.
    pub elements: Option<Vec<usize>>,
}

/// What a name means.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    /// Elements, in order.
    pub runs: Vec<Run>,
    /// The characters of each that are meant, if not all: the first and the last, from 1.
    pub substring: Option<(usize, usize)>,
}

/// What is wrong with a name.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum NameFault {
    /// It is not in the group.
    Unknown(String),
    /// A subscript of a variable.
    Subscript(usize, Place, String),
    /// It is written like none.
    Malformed(Place),
    /// The file ends in it.
    End,
}

/// A name without its brackets, which stays.
pub(super) struct NameAhead {
    /// Its letters, lower case, without what stands between them.
    pub text: String,
    /// How many bytes to its first letter.
    pub first: usize,
    /// How many bytes to what follows.
    pub end: usize,
}

/// The name that begins so many bytes ahead: the runtime passes over separators in it. `None` where the file ends in
/// it.
pub(super) fn name_ahead(cursor: &mut Cursor<'_>, from: usize) -> Option<NameAhead> {
    let mut ahead = NameAhead { text: String::new(), first: from, end: from };
    loop {
        let byte = cursor.ahead(ahead.end)?;
        let is_end = matches!(byte, b'=' | b' ' | b'\t' | b'(' | b'%');
        if (is_end && ahead.end > from) || ahead.end > from + LONGEST_NAME {
            return Some(ahead);
        }
        if !is_separator(Some(byte)) {
            if ahead.text.is_empty() {
                ahead.first = ahead.end;
            }
            ahead.text.push(char::from(byte.to_ascii_lowercase()));
        }
        ahead.end += 1;
    }
}

/// Reads a name with its brackets, and finds what it means.
///
/// # Errors
///
/// What is wrong with it; the cursor is where that was found.
pub(super) fn read_name(cursor: &mut Cursor<'_>, variables: &[NamelistVariable]) -> Result<Targets, NameFault> {
    let mut path = String::new();
    let mut ranges: Vec<Option<Vec<Triplet>>> = Vec::new();
    let mut targets = Targets::default();
    let mut is_array = false;
    loop {
        let ahead = name_ahead(cursor, 0).ok_or(NameFault::End)?;
        let whole = format!("{path}{}", ahead.text);
        let Some(node) = Node::of(variables, &whole, ranges.len()) else { return Err(NameFault::Unknown(whole)) };
        cursor.skip(ahead.end);
        let mut given = None;
        if cursor.peek() == Some(b'(') && node.rank > 0 {
            given = Some(node.triplets(cursor, &variables[node.variable])?);
        }
        let has_several = match &given {
            None => node.rank > 0,
            Some(triplets) => triplets.iter().zip(node.bounds(&variables[node.variable])).any(|(triplet, bounds)| {
                let indices = bounds.map(|bounds| triplet.indices(bounds, false));
                triplet.is_section && indices.is_none_or(|indices| indices.start != indices.end)
            }),
        };
        if has_several && std::mem::replace(&mut is_array, true) {
            return Err(NameFault::Subscript(node.variable, cursor.place(), whole));
        }
        ranges.push(given);
        if cursor.peek() == Some(b'%') && !node.is_leaf {
            cursor.advance();
            path = format!("{whole}%");
            continue;
        }
        let place = cursor.place();
        match cursor.peek() {
            Some(b'%') => return Err(NameFault::Unknown(whole)),
            Some(b'(') => match node.length(variables) {
                Some(length) => targets.substring = Some(substring(cursor, node.variable, length)?),
                None => return Err(NameFault::Subscript(node.variable, place, "(".to_owned())),
            },
            _ => {}
        }
        expand(variables, &whole, &ranges, &mut targets);
        return Ok(targets);
    }
}

/// A variable, or a structure whose components are variables.
struct Node {
    /// The first of its variables.
    variable: usize,
    is_leaf: bool,
    rank: usize,
    /// The first of its dimensions.
    dimension: usize,
}

impl Node {
    fn of(variables: &[NamelistVariable], path: &str, depth: usize) -> Option<Node> {
        let variable = variables.iter().position(|it| is_part(&it.name, path))?;
        let of = &variables[variable];
        let dimension = of.dimensions.iter().take(depth).sum();
        let rank = of.dimensions.get(depth).copied().unwrap_or(0);
        Some(Node { variable, is_leaf: of.name == path, rank, dimension })
    }

    /// The bounds of its dimensions.
    fn bounds<'v>(&self, of: &'v NamelistVariable) -> &'v [Option<(i64, i64)>] {
        &of.bounds[self.dimension..self.dimension + self.rank]
    }

    /// The length of a character variable, if it is one and that is known.
    fn length(&self, variables: &[NamelistVariable]) -> Option<u32> {
        match variables[self.variable].data_type {
            DataType::Character(length) if self.is_leaf => length,
            _ => None,
        }
    }

    /// Reads the subscripts of all its dimensions.
    fn triplets(&self, cursor: &mut Cursor<'_>, of: &NamelistVariable) -> Result<Vec<Triplet>, NameFault> {
        let bracket = cursor.place();
        cursor.advance();
        let mut found = Vec::with_capacity(self.rank);
        for at in 0..self.rank {
            let (triplet, closing) = triplet(cursor, bracket)?;
            let is_last = at + 1 == self.rank;
            if (closing == b')') != is_last {
                return Err(NameFault::Subscript(self.variable, bracket, "(".to_owned()));
            }
            if let Some(bounds) = of.bounds[self.dimension + at] {
                triplet
                    .check(bounds)
                    .map_err(|(text, place)| NameFault::Subscript(self.variable, place.unwrap_or(bracket), text))?;
            }
            found.push(triplet);
        }
        skip_blanks(cursor);
        Ok(found)
    }
}

/// Whether a path of components leads to a variable.
fn is_part(name: &str, path: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('%'))
}

fn skip_blanks(cursor: &mut Cursor<'_>) {
    while matches!(cursor.peek(), Some(b' ' | b'\t' | b'\r')) {
        cursor.advance();
    }
}

/// Reads a subscript and what closes it: a comma or a bracket.
fn triplet(cursor: &mut Cursor<'_>, bracket: Place) -> Result<(Triplet, u8), NameFault> {
    let malformed = || NameFault::Malformed(bracket);
    let mut made = Triplet::default();
    for part in 0..3 {
        let (number, closing) = subscript_number(cursor, bracket)?;
        let is_closed = matches!(closing, b',' | b')');
        let is_missing = number.is_none();
        if is_missing && ((part == 0 && closing != b':') || part == 2 || (part == 1 && closing == b':')) {
            return Err(malformed());
        }
        match part {
            0 => made.start = number,
            1 => made.end = number,
            _ => made.step = number.map(|(value, _)| value),
        }
        made.is_section |= closing == b':';
        if is_closed {
            // The runtime takes a blank behind an index for a colon.
            made.is_open = part > 0 && made.end.is_none();
            return Ok((made, closing));
        }
    }
    Err(malformed())
}

/// A number, if one stands there, and what ends it: `:`, `,`, `)` or a blank.
fn subscript_number(cursor: &mut Cursor<'_>, bracket: Place) -> Result<(Option<(i64, Place)>, u8), NameFault> {
    skip_blanks(cursor);
    let place = cursor.place();
    let mut text = String::new();
    if let Some(sign @ (b'+' | b'-')) = cursor.peek() {
        cursor.advance();
        text.push(char::from(sign));
    }
    loop {
        let byte = cursor.next_byte().ok_or(NameFault::End)?;
        let number = || text.parse().ok().map(|value| (value, place));
        match byte {
            b'0'..=b'9' if text.len() <= MOST_DIGITS => text.push(char::from(byte)),
            b' ' | b'\t' | b'\r' | b'\n' => {
                let number = number();
                skip_blanks(cursor);
                return Ok((number, b' '));
            }
            b':' | b',' | b')' => return Ok((number(), byte)),
            _ => return Err(NameFault::Malformed(bracket)),
        }
    }
}

impl Triplet {
    /// Whether it lies in the bounds of its dimension.
    ///
    /// # Errors
    ///
    /// What does not, and where it stands.
    fn check(&self, (lowest, highest): (i64, i64)) -> Result<(), (String, Option<Place>)> {
        for (value, place) in [self.start, self.end].into_iter().flatten() {
            if !(lowest..=highest).contains(&value) {
                return Err((value.to_string(), Some(place)));
            }
        }
        let Indices { start, end, step } = self.indices((lowest, highest), false);
        let is_wrong = step == 0 || (i128::from(end) - i128::from(start)) * i128::from(step) < 0;
        if is_wrong { Err((format!("{start}:{end}:{step}"), self.start.map(|it| it.1))) } else { Ok(()) }
    }

    /// The indices that it means; `is_expanded`: values behind that of one element are for those behind it.
    fn indices(&self, (lowest, highest): (i64, i64), is_expanded: bool) -> Indices {
        let start = self.start.map_or(lowest, |it| it.0);
        let end = match self.end {
            Some((end, _)) => end,
            None if self.is_section || self.is_open || is_expanded => highest,
            None => start,
        };
        Indices { start, end, step: self.step.unwrap_or(1) }
    }
}

/// Reads the bracket of a part of a text.
fn substring(cursor: &mut Cursor<'_>, variable: usize, length: u32) -> Result<(usize, usize), NameFault> {
    let bracket = cursor.place();
    let wrong = |text: String| NameFault::Subscript(variable, bracket, text);
    cursor.advance();
    let (triplet, closing) = triplet(cursor, bracket)?;
    if !triplet.is_section || closing != b')' {
        return Err(wrong("(".to_owned()));
    }
    triplet.check((1, i64::from(length))).map_err(|(text, _)| wrong(text))?;
    let Indices { start, end, step } = triplet.indices((1, i64::from(length)), false);
    skip_blanks(cursor);
    match (usize::try_from(start), usize::try_from(end), step) {
        (Ok(start), Ok(end), 1) => Ok((start, end)),
        _ => Err(wrong(format!("{start}:{end}:{step}"))),
    }
}

/// Adds the elements of all variables that a path with subscripts means: structures one after the other, each with its
/// components in order; the first subscript varies fastest.
fn expand(variables: &[NamelistVariable], path: &str, given: &[Option<Vec<Triplet>>], targets: &mut Targets) {
    let mut room = MOST_ELEMENTS;
    let mut expansion = Expansion { variables, path, given, runs: &mut targets.runs, room: &mut room };
    let root = path.split('%').next().unwrap_or(path);
    expansion.node(root, 0, &mut Vec::new());
}

struct Expansion<'e> {
    variables: &'e [NamelistVariable],
    path: &'e str,
    given: &'e [Option<Vec<Triplet>>],
    runs: &'e mut Vec<Run>,
    room: &'e mut usize,
}

impl Expansion<'_> {
    /// Adds the elements of a node; `indices`: those of what is around it.
    fn node(&mut self, name: &str, depth: usize, indices: &mut Vec<i64>) {
        let Some(node) = Node::of(self.variables, name, depth) else { return };
        let of = &self.variables[node.variable];
        let bounds = node.bounds(of);
        let triplets = self.given.get(depth).and_then(Option::as_deref);
        let is_expanded =
            node.is_leaf && triplets.is_some_and(|triplets| triplets.iter().all(|triplet| !triplet.is_section));
        let range = |at: usize| {
            let bounds = bounds[at]?;
            let indices = triplets.map(|triplets| triplets[at].indices(bounds, is_expanded));
            Some(indices.unwrap_or(Indices { start: bounds.0, end: bounds.1, step: 1 }))
        };
        let ranges: Option<Vec<Indices>> = (0..node.rank).map(range).collect();
        let Some(ranges) = ranges else {
            // Nothing is known of the elements of any variable below.
            let below = (0..self.variables.len()).filter(|&it| is_part(&self.variables[it].name, self.path));
            self.runs.extend(below.map(|variable| Run { variable, elements: None }));
            return;
        };
        let tuples = tuples(&ranges, self.room);
        if node.is_leaf {
            let number = |tuple: &Vec<i64>| element(&of.bounds, &[indices.as_slice(), tuple].concat());
            let elements = tuples.iter().map(number).collect();
            self.runs.push(Run { variable: node.variable, elements });
            return;
        }
        let components = self.components(name);
        for tuple in tuples {
            let outside = indices.len();
            indices.extend(tuple);
            for component in &components {
                self.node(component, depth + 1, indices);
            }
            indices.truncate(outside);
        }
    }

    /// The paths of the components of a structure: the one that is named, or all.
    fn components(&self, name: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for variable in self.variables {
            let Some(rest) = variable.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('%')) else { continue };
            let component = format!("{name}%{}", rest.split('%').next().unwrap_or(rest));
            let is_meant = is_part(self.path, &component) || is_part(&component, self.path);
            if is_meant && found.last() != Some(&component) {
                found.push(component);
            }
        }
        found
    }
}

/// All tuples of indices, the first varying fastest, no more than there is room for.
fn tuples(ranges: &[Indices], room: &mut usize) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let mut tuple: Vec<i64> = ranges.iter().map(|range| range.start).collect();
    let is_in = |range: &Indices, index: i64| if range.step > 0 { index <= range.end } else { index >= range.end };
    if ranges.iter().any(|range| !is_in(range, range.start)) {
        return found;
    }
    while *room > 0 {
        *room -= 1;
        found.push(tuple.clone());
        let mut at = 0;
        loop {
            let Some(range) = ranges.get(at) else { return found };
            tuple[at] += range.step;
            if is_in(range, tuple[at]) {
                break;
            }
            tuple[at] = range.start;
            at += 1;
        }
    }
    found
}

/// The number of an element in array element order; `None` where bounds are not known.
fn element(bounds: &[Option<(i64, i64)>], indices: &[i64]) -> Option<usize> {
    let (mut number, mut stride) = (0usize, 1usize);
    for (bounds, index) in bounds.iter().zip(indices) {
        let (lower, upper) = (*bounds)?;
        number = number.checked_add(usize::try_from(index - lower).ok()?.checked_mul(stride)?)?;
        stride = stride.checked_mul(usize::try_from(upper - lower + 1).ok()?)?;
    }
    Some(number)
}
