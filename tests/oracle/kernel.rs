//! Kernels in loops.

use std::collections::{BTreeMap, BTreeSet};

use camfort_rs::analysis::stencil::infer::ComputationKind;

use super::functions::{Functions, Maker};
use super::idioms::Idioms;
use super::program::{Bounds, Indexed, Nest, Program};
use super::random::Random;
use super::storage::{Dimension, Structures, element, plain, store};

/// One subscript: a loop variable (by number) with an offset, a constant, or all of a section.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Index {
    Relative(usize, i64),
    Absolute(i64),
    /// Up to an index.
    Range(i64),
}

pub type Read = Vec<Index>;

/// A program with what it reads.
pub struct Kernel {
    pub free: String,
    pub fixed: String,
    /// Other files of the project.
    pub others: Vec<String>,
    pub kind: ComputationKind,
    /// The reads of each array.
    pub arrays: BTreeMap<String, Vec<Read>>,
    /// Those of them of which nothing can be said.
    pub silent: BTreeSet<String>,
    /// Offsets of the loop variables on the left.
    pub left: BTreeMap<usize, i64>,
    /// The dimensions of the left side, from 1, in which the loop variables stand.
    pub left_dimensions: BTreeMap<usize, usize>,
}

/// The loop variables.
pub const VARIABLES: [&str; 3] = ["i", "j", "k"];

/// An index in one of its spellings; `two` is a named constant.
fn spell(random: &mut Random, idioms: &mut Idioms, index: Index) -> String {
    let (variable, offset) = match index {
        Index::Absolute(2) if random.chance(50) => return "two".into(),
        Index::Absolute(value) => return value.to_string(),
        Index::Range(last) => return format!("1:{last}"),
        Index::Relative(variable, offset) => (variable, offset),
    };
    if let Some(text) = idioms.spell(random, variable, offset) {
        return text;
    }
    let variable = VARIABLES[variable];
    match (offset, random.below(4)) {
        (0, 0) => format!("{variable}+two-2"),
        (0, _) => variable.into(),
        (2, 0) => format!("{variable}+two"),
        (1, 1) => format!("({variable}+two)-1"),
        (_, 2) => format!("{offset}+{variable}"),
        (_, 3) => format!("{variable}-({})", -offset),
        _ => format!("{variable}{offset:+}"),
    }
}

fn reference(random: &mut Random, idioms: &mut Idioms, array: &str, read: &[Index]) -> String {
    let indices: Vec<String> = read.iter().map(|&index| spell(random, idioms, index)).collect();
    element(array, &indices)
}

/// How a kernel is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As in the paper.
    Plain,
    /// With everything that is understood beyond it.
    Idioms,
}

/// The kernel of a seed.
pub fn kernel(seed: u64, style: Style) -> Kernel {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5);
    let depth = random.between(1, 3) as usize;
    let mut loops = Loops::pick(&mut random, style);
    let mut idioms = Idioms { enabled: style == Style::Idioms, ..Idioms::default() };
    // What stands on the left must not depend on what statements of the loop set.
    idioms.has_statements = !loops.is_forall();
    let bounds: Vec<Bounds> = (0..depth).map(|_| *random.pick(&BOUNDS)).collect();
    if depth == 1 && loops == Loops::Counted {
        idioms.carried_by = Some((0, step(bounds[0])));
    }
    let LeftSide { text: left_text, rank: left_rank, offsets: left, dimensions: left_dimensions } =
        left_side(&mut random, &mut idioms, depth, loops.is_forall());
    if left.is_empty() {
        loops = Loops::Counted;
    }
    let mut program = Program::default();
    let mut structures = Structures::default();
    let mut functions = Functions::default();
    let mut arrays = BTreeMap::new();
    let mut silent = BTreeSet::new();
    let mut terms = Vec::new();
    let mut calls = Vec::new();
    let mut indices: Vec<Read> = Vec::new();
    for name in ["a", "b", "c"].iter().take(random.between(1, 3) as usize) {
        let mut reads = reads(&mut random, depth, &left);
        let array = match style {
            Style::Plain => plain(&mut program, name, reads[0].len()),
            Style::Idioms => {
                let dimensions: Vec<Dimension> = reads[0].iter().map(|_| Dimension::any(&mut random)).collect();
                store(&mut random, &mut program, &mut structures, name, &dimensions)
            }
        };
        let mut written = reads.clone();
        if style == Style::Idioms {
            let must_be_pure = loops != Loops::Counted;
            let mut maker = Maker { random: &mut random, functions: &mut functions, must_be_pure };
            if let Some(taken) = maker.take(&mut program, &array, &mut written) {
                terms.push(taken.text);
                calls.extend(taken.call);
                if taken.is_silent {
                    silent.insert(array.name.clone());
                }
            }
            terms.extend(window(&mut random, &array.name, &mut reads));
            if random.chance(5) {
                let (text, indirect) = unclear(&mut random, &array.name, &reads[0]);
                terms.push(text);
                indices.extend(indirect);
                silent.insert(array.name.clone());
            }
        }
        for read in &written {
            let later = |carrying: usize, by: i64| element(&array.name, &written_plainly(read, carrying, by));
            if random.chance(10)
                && let Some(carrier) = idioms.carry(later)
            {
                terms.push(carrier);
                continue;
            }
            let text = reference(&mut random, &mut idioms, &array.name, read);
            let by_name = style == Style::Idioms && idioms.has_statements && random.chance(8);
            terms.push(if by_name { idioms.associate(&text) } else { text });
        }
        arrays.insert(array.name, reads);
    }
    if !indices.is_empty() {
        arrays.insert("ix".to_string(), indices);
    }
    if style == Style::Idioms
        && let Some(reads) = reads_apart(&mut random, depth, &left)
    {
        let array = plain(&mut program, "d", 1);
        terms.extend(reads.iter().map(|read| reference(&mut random, &mut idioms, "d", read)));
        arrays.insert(array.name, reads);
    }
    random.shuffle(&mut terms);
    program.body = match loops.is_forall() {
        true => vec![format!("{left_text} = {}", terms.join(" + "))],
        false => statements(&mut random, &left_text, terms),
    };
    program.body.splice(0..0, idioms.prelude);
    program.body.splice(0..0, calls);
    program.body.extend(idioms.postlude);
    program.body.extend(idioms.closing);
    program.before.splice(0..0, idioms.before);
    plain(&mut program, "spare", 1);
    plain(&mut program, "mask", 3);
    program.declarations.push("integer :: ix(99)".into());
    let kind = if left.is_empty() { ComputationKind::Access } else { ComputationKind::Stencil };
    if left_rank > 0 {
        plain(&mut program, "out", left_rank);
    }
    program.nest = loops.nest(&mut random, &bounds, &left);
    let others = functions.place(&mut program);
    structures.declare(&mut program);
    let (free, fixed) = (program.free_form(), program.fixed_form());
    Kernel { free, fixed, others, kind, arrays, silent, left, left_dimensions }
}

/// First and last index, and step.
const BOUNDS: [Bounds; 4] = [("10", "80", ""), ("80", "10", "-1"), ("10", "80", "2"), ("10", "80", "two")];

fn step((_, _, step): Bounds) -> i64 {
    match step {
        "" => 1,
        "two" => 2,
        written => written.parse().expect("a step is a number"),
    }
}

/// The kind of loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    Counted,
    Concurrent,
    Forall { is_statement: bool },
}

impl Loops {
    fn pick(random: &mut Random, style: Style) -> Self {
        match random.below(10) {
            0 | 1 if style == Style::Idioms => Loops::Concurrent,
            2 | 3 if style == Style::Idioms => Loops::Forall { is_statement: random.chance(50) },
            _ => Loops::Counted,
        }
    }

    fn is_forall(self) -> bool {
        matches!(self, Loops::Forall { .. })
    }

    /// The loops over these bounds. FORALL counts what stands on the left, DO CONCURRENT what lies inside some loop.
    fn nest(self, random: &mut Random, bounds: &[Bounds], left: &BTreeMap<usize, i64>) -> Nest {
        let all: Vec<(usize, Bounds)> = bounds.iter().copied().enumerate().collect();
        let outer = if self == Loops::Concurrent { random.below(bounds.len() as u64) as usize } else { 0 };
        let (indices, counted): (Vec<_>, Vec<_>) = all.into_iter().partition(|(variable, _)| match self {
            Loops::Counted => false,
            Loops::Concurrent => *variable >= outer,
            Loops::Forall { .. } => left.contains_key(variable),
        });
        let (keyword, is_statement) = match self {
            Loops::Counted => return Nest { counted, indexed: None },
            Loops::Concurrent => ("do concurrent", false),
            Loops::Forall { is_statement } => ("forall", is_statement),
        };
        let first = VARIABLES[indices[0].0];
        let mask = random.chance(30).then(|| format!("mask({first}, 1, {first}+1) > 0.0"));
        Nest { counted, indexed: Some(Indexed { keyword, indices, mask, is_statement }) }
    }
}

/// The indices of a read where a loop variable has so much added to it.
fn written_plainly(read: &[Index], moving: usize, by: i64) -> Vec<String> {
    let index = |index: &Index| match *index {
        Index::Relative(variable, offset) if variable == moving => format!("{}{:+}", VARIABLES[variable], offset + by),
        Index::Relative(variable, offset) => format!("{}{offset:+}", VARIABLES[variable]),
        Index::Absolute(value) => value.to_string(),
        Index::Range(last) => format!("1:{last}"),
    };
    read.iter().map(index).collect()
}

/// A function such as SUM of some elements in a row, which are read, too.
fn window(random: &mut Random, array: &str, reads: &mut Vec<Read>) -> Option<String> {
    if random.chance(85) || array.starts_with("e%") || array.starts_with("w%") {
        return None;
    }
    let read = random.pick(reads).clone();
    let relative = |at: &usize| matches!(read[*at], Index::Relative(..));
    let along = (0..read.len()).find(relative)?;
    let Index::Relative(variable, first) = read[along] else { return None };
    let last = first + random.between(0, 2);
    let name = VARIABLES[variable];
    let indices: Vec<String> = (0..read.len())
        .map(|at| match read[at] {
            _ if at == along => format!("{name}{first:+}:{name}{last:+}"),
            Index::Relative(variable, offset) => format!("{}{offset:+}", VARIABLES[variable]),
            Index::Absolute(value) => value.to_string(),
            Index::Range(last) => format!("1:{last}"),
        })
        .collect();
    for offset in first..=last {
        let mut one = read.clone();
        one[along] = Index::Relative(variable, offset);
        reads.push(one);
    }
    Some(format!("{}({})", random.pick(&["sum", "maxval", "minval", "product"]), element(array, &indices)))
}

/// A read that makes that nothing can be said of an array; with it the read of `ix`, if there is one.
fn unclear(random: &mut Random, array: &str, read: &[Index]) -> (String, Option<Read>) {
    let along = random.below(read.len() as u64) as usize;
    let (form, indirect) = *random.pick(&[
        ("2*#", None),
        ("ix(#)", Some(0)),
        ("99-#", None),
        ("#+int(flag)", None),
        ("mod(#,3)+1", None),
        ("ix(#+1)-#", Some(1)),
    ]);
    let indices: Vec<String> = (0..read.len())
        .map(|at| match read[at] {
            _ if at == along => form.replace('#', VARIABLES[0]),
            Index::Relative(variable, offset) => format!("{}{offset:+}", VARIABLES[variable]),
            Index::Absolute(value) => value.to_string(),
            Index::Range(last) => format!("1:{last}"),
        })
        .collect();
    (element(array, &indices), indirect.map(|offset| vec![Index::Relative(0, offset)]))
}

/// Reads of an array over one variable that is not on the left.
fn reads_apart(random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Option<Vec<Read>> {
    let others: Vec<usize> = (0..depth).filter(|variable| !left.contains_key(variable)).collect();
    if left.is_empty() || others.is_empty() || random.chance(50) {
        return None;
    }
    let variable = *random.pick(&others);
    Some((0..random.between(1, 3)).map(|_| vec![Index::Relative(variable, random.between(-1, 1))]).collect())
}

/// A left side.
struct LeftSide {
    text: String,
    rank: usize,
    /// Offsets of the loop variables.
    offsets: BTreeMap<usize, i64>,
    /// The dimensions in which they stand, from 1.
    dimensions: BTreeMap<usize, usize>,
}

/// An array with distinct loop variables in any order, some of them shifted, perhaps with constant dimensions; or a
/// scalar.
fn left_side(random: &mut Random, idioms: &mut Idioms, depth: usize, needs_array: bool) -> LeftSide {
    if !needs_array && random.chance(15) {
        let (offsets, dimensions) = (BTreeMap::new(), BTreeMap::new());
        return LeftSide { text: "total".into(), rank: 0, offsets, dimensions };
    }
    let mut variables: Vec<usize> = (0..depth).collect();
    random.shuffle(&mut variables);
    variables.truncate(random.between(1, depth as i64) as usize);
    let mut offsets = BTreeMap::new();
    let mut dimensions = BTreeMap::new();
    let mut indices = Vec::new();
    for variable in variables {
        if random.chance(15) {
            indices.push(Index::Absolute(random.between(1, 5)));
        }
        let offset = if random.chance(30) { random.between(-2, 2) } else { 0 };
        offsets.insert(variable, offset);
        indices.push(Index::Relative(variable, offset));
        dimensions.insert(variable, indices.len());
    }
    LeftSide { text: reference(random, idioms, "out", &indices), rank: indices.len(), offsets, dimensions }
}

/// The dimensions of an array that is consistent with the left side: each runs over a loop variable or is constant.
fn axes(random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Vec<Option<usize>> {
    let mut axes: Vec<Option<usize>> = if left.is_empty() || random.chance(60) {
        (0..depth).map(Some).collect()
    } else {
        left.keys().copied().filter(|_| random.chance(70)).map(Some).collect()
    };
    if axes.is_empty() {
        axes.push(left.keys().next().copied().or(Some(0)));
    }
    if axes.len() < 3 && random.chance(20) {
        axes.push(None);
    }
    random.shuffle(&mut axes);
    axes
}

/// Reads of one array; single reads may have a constant where others run over a variable.
fn reads(random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Vec<Read> {
    let axes = axes(random, depth, left);
    let origin = |variable: usize| left.get(&variable).copied().unwrap_or(0);
    let reach = *random.pick(&[1, 1, 1, 1, 1, 1, 1, 3, 3, 9]);
    let everywhere = random.chance(35);
    let mut reads: Vec<Read> = Vec::new();
    for _ in 0..random.between(1, 6) {
        let moved = random.below(axes.len() as u64) as usize;
        let mut read = Vec::new();
        for (at, axis) in axes.iter().enumerate() {
            read.push(match axis {
                None => Index::Absolute(random.between(1, 3)),
                Some(_) if random.chance(4) => Index::Absolute(random.between(1, 3)),
                Some(variable) => {
                    let offset = if everywhere || at == moved { random.between(-reach, reach) } else { 0 };
                    Index::Relative(*variable, origin(*variable) + offset)
                }
            });
        }
        reads.push(read);
    }
    // An array that is not read along each of its axes would be another one than was meant.
    if random.chance(50) || reads.iter().flatten().any(|index| matches!(index, Index::Absolute(_))) {
        let at_origin = |axis: &Option<usize>| match axis {
            Some(variable) => Index::Relative(*variable, origin(*variable)),
            None => Index::Absolute(1),
        };
        reads.push(axes.iter().map(at_origin).collect());
    }
    // Both orders of two variables of the left side: each dimension follows now one, now the other.
    let on_left: Vec<usize> =
        (0..axes.len()).filter(|&at| axes[at].is_some_and(|variable| left.contains_key(&variable))).collect();
    if let [one, .., other] = on_left.as_slice()
        && random.chance(15)
    {
        let mut turned = random.pick(&reads).clone();
        turned.swap(*one, *other);
        reads.push(turned);
    }
    reads
}

/// The loop body: terms stand in the root itself, or reach it through scalars, chains of scalars and branches.
fn statements(random: &mut Random, left: &str, mut pending: Vec<String>) -> Vec<String> {
    let mut body: Vec<String> = Vec::new();
    let mut ready: Vec<String> = Vec::new();
    let mut scalars = 0;
    while let Some(term) = pending.pop() {
        if scalars >= 6 || random.chance(50) {
            ready.push(term);
            continue;
        }
        scalars += 1;
        let name = format!("t{scalars}");
        match random.below(3) {
            0 => body.push(format!("{name} = 2.0*{term}")),
            1 => {
                let other = pending.pop().unwrap_or_else(|| "1.0".into());
                body.push("if (flag > 0.0) then".into());
                body.push(format!("  {name} = {term}"));
                body.push("else".into());
                body.push(format!("  {name} = -{other}"));
                body.push("end if".into());
            }
            _ => {
                let from = ready.pop().unwrap_or_else(|| "1.0".into());
                body.push(format!("{name} = 0.0"));
                body.push(format!("{name} = {term} + {from}"));
            }
        }
        ready.push(name);
    }
    // A scalar that is used twice was read once.
    if let Some(scalar) = ready.iter().find(|term| term.starts_with('t')).cloned() {
        ready.push(scalar);
    }
    if left == "total" {
        ready.push("total".into());
    }
    random.shuffle(&mut ready);
    body.push(format!("{left} = {}", ready.join(" + ")));
    body
}
