//! Kernels in array syntax: what is a loop variable elsewhere is here a section, by its position.

use std::collections::{BTreeMap, BTreeSet};

use camfort_rs::analysis::stencil::infer::ComputationKind;

use super::kernel::{Index, Kernel, Read, VARIABLES};
use super::program::{Indexed, Nest, Program};
use super::random::Random;
use super::storage::{Array, Dimension, Structures, store};

/// Where the sections begin that lie at the positions themselves.
const FIRST: i64 = 3;
/// How many elements they span.
const LENGTH: i64 = 71;

/// What all sections of a kernel have in common.
struct Shape {
    /// The number of axes: dimensions of the left side that are sections.
    rank: usize,
    /// Whether there is a loop over one more dimension.
    has_loop: bool,
    /// Whether sections begin at `lo`, which is not known.
    is_symbolic: bool,
    /// The stride along each axis.
    strides: Vec<i64>,
}

/// An array with what its dimensions run over.
struct Laid {
    array: Array,
    /// The axes (by number, the loop's variable last), or none where the index is constant or all is reduced.
    axes: Vec<Option<usize>>,
    /// For each dimension whether it is as long as the sections.
    exact: Vec<bool>,
    /// Whether the dimension without an axis is summed up.
    is_reduced: bool,
    /// Whether its dimensions are turned by TRANSPOSE.
    is_turned: bool,
}

/// One dimension of a read as it is written: a section from a position on, which a function moves further.
#[derive(Clone, Copy)]
struct Part {
    start: i64,
    shift: i64,
}

/// The kernel of a seed: an assignment to sections, perhaps in a loop over one more dimension.
pub fn kernel(seed: u64) -> Kernel {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EC7);
    let random = &mut random;
    let rank = random.between(1, 2) as usize;
    let is_symbolic = random.chance(25);
    let stride = |random: &mut Random| if !is_symbolic && random.chance(20) { 2 } else { 1 };
    let shape =
        Shape { rank, has_loop: random.chance(50), is_symbolic, strides: (0..rank).map(|_| stride(random)).collect() };
    let mut program = Program::default();
    let mut structures = Structures::default();
    if shape.is_symbolic {
        program.dummies = vec!["lo".into(), "hi".into()];
        program.declarations.push("integer, intent(in) :: lo, hi".into());
    }
    let mut axes: Vec<Option<usize>> = (0..rank).map(Some).collect();
    if shape.has_loop {
        axes.insert(random.between(0, rank as i64) as usize, Some(rank));
    }
    let target = lay(random, &mut program, &mut structures, &shape, "out", axes.clone());
    let at_left: Vec<Part> = target
        .axes
        .iter()
        .enumerate()
        .map(|(dimension, axis)| match axis {
            Some(axis) if *axis < rank && target.exact[dimension] => exact(&target, dimension),
            _ => Part { start: if random.chance(30) { random.between(-1, 2) } else { 0 }, shift: 0 },
        })
        .collect();
    let left: BTreeMap<usize, i64> =
        target.axes.iter().zip(&at_left).filter_map(|(axis, part)| Some(((*axis)?, part.start))).collect();
    let mut mask = lay(random, &mut program, &mut structures, &shape, "m", axes);
    mask.exact.fill(false);
    let mask = reference(random, &shape, &mask, &at_left);
    let mut arrays = BTreeMap::new();
    let mut silent = BTreeSet::new();
    let mut terms = Vec::new();
    for name in ["a", "b"].iter().take(random.between(1, 2) as usize) {
        let axes = axes_of_read(random, &shape);
        let laid = lay(random, &mut program, &mut structures, &shape, name, axes);
        let mut reads: Vec<Read> = Vec::new();
        for _ in 0..random.between(1, 4) {
            let parts = parts(random, &shape, &laid, &left);
            reads.push(read_of(&shape, &laid, &parts));
            terms.push(term(random, &shape, &laid, &parts));
        }
        if random.chance(5) {
            let mut parts = parts(random, &shape, &laid, &left);
            parts.iter_mut().for_each(|part| part.shift = 0);
            let text = reference(random, &shape, &laid, &parts);
            let mut unclear = *random.pick(&["reshape(#, shape(#))", "cshift(#, ishift)", "eoshift(#, ishift+1)"]);
            // Of what is summed up all is read, however it is moved.
            if laid.is_reduced && laid.axes.first() == Some(&None) {
                unclear = "reshape(#, shape(#))";
            }
            terms.push(turned(&shape, &laid, unclear.replace('#', &text)));
            silent.insert(laid.array.name.clone());
        }
        arrays.insert(laid.array.name, reads);
    }
    program.declarations.push("integer :: ishift".into());
    program.contained =
        ["elemental function half(x)", "real, intent(in) :: x", "real :: half", "half = x/2.0", "end function half"]
            .map(String::from)
            .to_vec();
    random.shuffle(&mut terms);
    let target_text = reference(random, &shape, &target, &at_left);
    program.body = body(random, &target_text, &mask, &terms);
    if shape.has_loop {
        // The only loop of the program counts with the first loop variable.
        let variable = (0, ("10", "80", ""));
        let concurrent = Indexed { keyword: "do concurrent", indices: vec![variable], mask: None, is_statement: false };
        program.nest = match random.chance(20) {
            true => Nest { counted: Vec::new(), indexed: Some(concurrent) },
            false => Nest { counted: vec![variable], indexed: None },
        };
    }
    structures.declare(&mut program);
    let (free, fixed) = (program.free_form(), program.fixed_form());
    let others = Vec::new();
    let left_dimensions =
        target.axes.iter().zip(1..).filter_map(|(axis, dimension)| Some(((*axis)?, dimension))).collect();
    Kernel { free, fixed, others, kind: ComputationKind::Stencil, arrays, silent, left, left_dimensions }
}

fn body(random: &mut Random, target: &str, mask: &str, terms: &[String]) -> Vec<String> {
    let assignment = format!("{target} = {}", terms.join(" + "));
    match random.below(5) {
        0 => vec![format!("where ({mask} > 0.0) {assignment}")],
        1 => vec![
            format!("where ({mask} > 0.0)"),
            assignment,
            "elsewhere".into(),
            format!("{target} = 0.0"),
            "end where".into(),
        ],
        2 => vec![
            format!("where ({mask} > 0.0)"),
            format!("{target} = 0.0"),
            format!("elsewhere ({mask} > -9.0)"),
            assignment,
            "end where".into(),
        ],
        _ => vec![assignment],
    }
}

/// Lays out an array with these axes.
fn lay(
    random: &mut Random,
    program: &mut Program,
    structures: &mut Structures,
    shape: &Shape,
    name: &str,
    axes: Vec<Option<usize>>,
) -> Laid {
    let is_axis = |axis: &Option<usize>| axis.is_some_and(|axis| axis < shape.rank);
    let is_whole = random.chance(30);
    let exact: Vec<bool> = axes.iter().map(|axis| is_axis(axis) && (is_whole || random.chance(25))).collect();
    let is_turned = name != "out" && name != "m" && axes.iter().filter(|axis| is_axis(axis)).count() == 2 && {
        let sections: Vec<usize> = axes.iter().flatten().copied().filter(|axis| *axis < shape.rank).collect();
        sections[0] > sections[1]
    };
    let is_reduced = axes.contains(&None) && random.chance(60);
    if shape.is_symbolic {
        let bound = |(axis, is_exact): (&Option<usize>, &bool)| match (is_axis(axis), is_exact) {
            (true, true) => {
                let by = random.between(-1, 2);
                (Some(by), format!("lo{by:+}:hi{by:+}"))
            }
            (true, false) => (None, "lo-9:hi+9".into()),
            (false, _) => (None, "99".into()),
        };
        let (lower, bounds): (Vec<Option<i64>>, Vec<String>) = axes.iter().zip(&exact).map(bound).unzip();
        program.declarations.push(format!("real :: {name}({})", bounds.join(",")));
        let lower = lower.into_iter().map(|by| FIRST + by.unwrap_or(0)).collect();
        let array = Array { name: name.into(), lower, is_allocatable: false, is_explicit: false, is_visible: true };
        return Laid { array, axes, exact, is_reduced, is_turned };
    }
    let dimensions: Vec<Dimension> = axes
        .iter()
        .zip(&exact)
        .map(|(axis, is_exact)| match (is_axis(axis), is_exact) {
            (true, true) => Dimension { lower: random.between(FIRST - 1, FIRST + 1), extent: LENGTH, is_index: false },
            (is_section, _) => {
                let is_index = !(is_section || is_reduced && axis.is_none());
                Dimension { lower: random.between(-4, 1), extent: 99, is_index }
            }
        })
        .collect();
    let array = store(random, program, structures, name, &dimensions);
    Laid { array, axes, exact, is_reduced, is_turned }
}

/// The axes of an array that is read: those of the left side in order, or turned; the loop's variable and a constant
/// anywhere.
fn axes_of_read(random: &mut Random, shape: &Shape) -> Vec<Option<usize>> {
    let mut axes: Vec<Option<usize>> = (0..shape.rank).map(Some).collect();
    if random.chance(30) {
        axes.reverse();
    }
    if shape.has_loop && random.chance(60) {
        axes.insert(random.between(0, shape.rank as i64) as usize, Some(shape.rank));
    }
    if axes.len() < 3 && random.chance(35) {
        axes.insert(random.between(0, axes.len() as i64) as usize, None);
    }
    axes
}

/// A dimension that is as long as the sections can begin at its lower bound only.
fn exact(laid: &Laid, dimension: usize) -> Part {
    Part { start: laid.array.lower[dimension] - FIRST, shift: 0 }
}

/// The parts of one read.
fn parts(random: &mut Random, shape: &Shape, laid: &Laid, left: &BTreeMap<usize, i64>) -> Vec<Part> {
    let mut found = Vec::new();
    for (dimension, axis) in laid.axes.iter().enumerate() {
        let shift = if random.chance(20) { random.between(-1, 1) } else { 0 };
        found.push(match axis {
            Some(axis) if *axis < shape.rank && laid.exact[dimension] => Part { shift, ..exact(laid, dimension) },
            Some(axis) if *axis < shape.rank => Part { start: left[axis] + random.between(-1, 1), shift },
            Some(axis) => Part { start: left.get(axis).copied().unwrap_or(0) + random.between(-1, 1), shift: 0 },
            None => Part { start: random.between(1, 3), shift: 0 },
        });
    }
    found
}

/// What is read so.
fn read_of(shape: &Shape, laid: &Laid, parts: &[Part]) -> Read {
    let index = |(axis, part): (&Option<usize>, &Part)| match axis {
        Some(axis) if *axis < shape.rank => Index::Relative(*axis, part.start + part.shift * shape.strides[*axis]),
        Some(axis) => Index::Relative(*axis, part.start),
        None if laid.is_reduced => Index::Range(part.start + 3),
        None => Index::Absolute(part.start),
    };
    laid.axes.iter().zip(parts).map(index).collect()
}

/// One read, in one of its spellings.
fn term(random: &mut Random, shape: &Shape, laid: &Laid, parts: &[Part]) -> String {
    let is_unmoved = parts.iter().all(|part| part.shift == 0);
    if shape.rank == 1 && is_unmoved && !laid.is_reduced && random.chance(15) {
        return constructor(random, shape, laid, parts);
    }
    let mut text = reference(random, shape, laid, parts);
    let is_section = |axis: &Option<usize>| match axis {
        Some(axis) => *axis < shape.rank,
        None => laid.is_reduced,
    };
    let sections: Vec<usize> = (0..parts.len()).filter(|&at| is_section(&laid.axes[at])).collect();
    for (dimension, &at) in (1..).zip(&sections) {
        let shift = parts[at].shift;
        if shift != 0 {
            text = match random.below(4) {
                0 => format!("cshift({text}, {shift}, {dimension})"),
                1 => format!("cshift(dim={dimension}, shift={shift}, array={text})"),
                2 => format!("eoshift({text}, {shift}, 0.0, {dimension})"),
                _ if dimension == 1 => format!("cshift({text}, {shift})"),
                _ => format!("eoshift({text}, {shift}, dim={dimension})"),
            };
        }
    }
    text = turned(shape, laid, text);
    match random.below(7) {
        0 => format!("abs({text})"),
        1 => format!("2.0*max({text}, 0.0)"),
        2 => format!("half({text})"),
        3 if shape.rank == 2 => format!("transpose(transpose({text}))"),
        4 => format!("sum(spread({text}, 2, 3), dim=2)"),
        5 => format!("merge({text}, 0.0, flag > 0.0)"),
        _ => text,
    }
}

/// One read as an array constructor, whose implied DO runs over the section; the first element may be another one.
fn constructor(random: &mut Random, shape: &Shape, laid: &Laid, parts: &[Part]) -> String {
    let variable = "n9";
    let stride = shape.strides[0];
    let skipped = if random.chance(40) { random.between(1, 2) } else { 0 };
    let mut bounds = (String::new(), String::new());
    let mut indices = Vec::new();
    for (axis, part) in laid.axes.iter().zip(parts) {
        indices.push(match axis {
            Some(axis) if *axis < shape.rank => {
                // The index is moved between the bounds and the subscript.
                let moved = random.between(-1, 1);
                let from = FIRST + part.start - moved + skipped * stride;
                bounds = match shape.is_symbolic {
                    true => (format!("lo{:+}", from - FIRST), format!("hi{:+}", part.start - moved)),
                    false => (from.to_string(), (FIRST + part.start - moved + LENGTH - 1).to_string()),
                };
                format!("{variable}{moved:+}")
            }
            Some(_) => format!("{}{:+}", VARIABLES[0], part.start),
            None => part.start.to_string(),
        });
    }
    let stride = if stride == 1 { String::new() } else { format!(", {stride}") };
    let before = "0.0, ".repeat(skipped as usize);
    let item = laid.array.subscripted(&indices);
    format!("[{before}({item}, {variable} = {}, {}{stride})]", bounds.0, bounds.1)
}

/// An expression whose dimensions are those of an array, brought into the order of the left side.
fn turned(shape: &Shape, laid: &Laid, text: String) -> String {
    let mut text = text;
    if laid.is_reduced {
        let before = laid.axes.iter().take_while(|axis| axis.is_some());
        let dimension = before.filter(|axis| axis.is_some_and(|axis| axis < shape.rank)).count() + 1;
        text = format!("sum({text}, dim={dimension})");
    }
    if laid.is_turned { format!("transpose({text})") } else { text }
}

fn reference(random: &mut Random, shape: &Shape, laid: &Laid, parts: &[Part]) -> String {
    let mut can_be_whole = true;
    let mut indices = Vec::new();
    for (dimension, (axis, part)) in laid.axes.iter().zip(parts).enumerate() {
        let from = FIRST + part.start;
        indices.push(match axis {
            Some(axis) if *axis < shape.rank => {
                can_be_whole &= laid.exact[dimension] && shape.strides[*axis] == 1;
                let (lower, upper) = match shape.is_symbolic {
                    true => (format!("lo{:+}", part.start), format!("hi{:+}", part.start)),
                    false => (from.to_string(), (from + LENGTH - 1).to_string()),
                };
                let stride = shape.strides[*axis];
                let stride = if stride == 1 { String::new() } else { format!(":{stride}") };
                match random.below(4) {
                    0 if laid.exact[dimension] => format!(":{stride}"),
                    1 if laid.exact[dimension] => format!(":{upper}{stride}"),
                    2 if laid.exact[dimension] => format!("{lower}:{stride}"),
                    _ => format!("{lower}:{upper}{stride}"),
                }
            }
            Some(_) => {
                can_be_whole = false;
                format!("{}{:+}", VARIABLES[0], part.start)
            }
            None => {
                can_be_whole = false;
                if laid.is_reduced { format!("1:{}", part.start + 3) } else { part.start.to_string() }
            }
        });
    }
    match can_be_whole && random.chance(60) {
        true => laid.array.name.clone(),
        false => laid.array.subscripted(&indices),
    }
}
