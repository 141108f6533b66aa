//! Kernels in loops.

use std::collections::{BTreeMap, BTreeSet};

use camfort_rs::infer::ComputationKind;

use super::idioms::Idioms;
use super::random::Random;

/// One subscript: a loop variable (by number) with an offset, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Index {
    Relative(usize, i64),
    Absolute(i64),
}

pub type Read = Vec<Index>;

/// A program with what it reads.
pub struct Kernel {
    pub free: String,
    pub fixed: String,
    pub kind: ComputationKind,
    /// The reads of each array.
    pub arrays: BTreeMap<String, Vec<Read>>,
    /// Those of them that run over other variables than the left side.
    pub apart: BTreeSet<String>,
    /// Offsets of the loop variables on the left.
    pub left: BTreeMap<usize, i64>,
}

/// The loop variables.
pub const VARIABLES: [&str; 3] = ["i", "j", "k"];

/// An index in one of its spellings; `two` is a named constant.
fn spell(random: &mut Random, idioms: &mut Idioms, index: Index) -> String {
    let (variable, offset) = match index {
        Index::Absolute(2) if random.chance(50) => return "two".into(),
        Index::Absolute(value) => return value.to_string(),
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
    match array.strip_prefix("e%") {
        Some(component) => format!("e({})%{component}({})", indices[0], indices[1..].join(",")),
        None => format!("{array}({})", indices.join(",")),
    }
}

/// How a kernel is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As in the paper.
    Plain,
    /// With computed indices and functions.
    Idioms,
}

/// The kernel of a seed.
pub fn kernel(seed: u64, style: Style) -> Kernel {
    let mut idioms = Idioms { enabled: style == Style::Idioms, ..Idioms::default() };
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5);
    let depth = random.between(1, 3) as usize;
    let (left_text, left, kind) = left_side(&mut random, &mut idioms, depth);
    let mut arrays = BTreeMap::new();
    let mut terms = Vec::new();
    for name in ["a", "b", "c"].iter().take(random.between(1, 3) as usize) {
        let reads = reads(&mut random, depth, &left);
        let name = idioms.name(&mut random, name, reads[0].len());
        let mut written = reads.clone();
        terms.extend(idioms.function(&mut random, &name, &mut written));
        terms.extend(written.iter().map(|read| reference(&mut random, &mut idioms, &name, read)));
        arrays.insert(name, reads);
    }
    let mut apart = BTreeSet::new();
    if let Some(reads) = idioms.reads_apart(&mut random, depth, &left) {
        terms.extend(reads.iter().map(|read| reference(&mut random, &mut idioms, "d", read)));
        apart.insert("d".to_string());
        arrays.insert("d".to_string(), reads);
    }
    random.shuffle(&mut terms);
    let mut body: Vec<String> = idioms.prelude.iter().filter(|line| !line.starts_with('!')).cloned().collect();
    body.extend(statements(&mut random, &left_text, terms));
    let shape = |name: &str, rank: usize| format!("{name}({})", vec!["99"; rank].join(","));
    let plain = arrays.iter().filter(|(name, _)| !name.contains('%'));
    let mut shapes: Vec<String> = plain.map(|(name, reads)| shape(name, reads[0].len())).collect();
    shapes.push(shape("spare", 1));
    if kind == ComputationKind::Stencil {
        shapes.push(shape("out", left_text.matches(',').count() + 1));
    }
    let bounds = ["10, 80", "80, 10, -1", "10, 80, 2", "10, 80, two"];
    let bounds: Vec<&str> = (0..depth).map(|_| *random.pick(&bounds)).collect();
    let free = free_form(&shapes, &bounds, &body, &idioms);
    let fixed = fixed_form(&shapes, &bounds, &body, &idioms);
    Kernel { free, fixed, kind, arrays, apart, left }
}

/// An array with distinct loop variables in any order, some of them shifted, perhaps with constant dimensions; or a scalar.
fn left_side(
    random: &mut Random,
    idioms: &mut Idioms,
    depth: usize,
) -> (String, BTreeMap<usize, i64>, ComputationKind) {
    if random.chance(15) {
        return ("total".into(), BTreeMap::new(), ComputationKind::Access);
    }
    let mut variables: Vec<usize> = (0..depth).collect();
    random.shuffle(&mut variables);
    variables.truncate(random.between(1, depth as i64) as usize);
    let mut left = BTreeMap::new();
    let mut indices = Vec::new();
    for variable in variables {
        if random.chance(15) {
            indices.push(Index::Absolute(random.between(1, 5)));
        }
        let offset = if random.chance(30) { random.between(-2, 2) } else { 0 };
        left.insert(variable, offset);
        indices.push(Index::Relative(variable, offset));
    }
    (reference(random, idioms, "out", &indices), left, ComputationKind::Stencil)
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
    let reach = if random.chance(80) { 1 } else { 3 };
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

/// A program in free form.
pub fn free_form(shapes: &[String], bounds: &[&str], body: &[String], idioms: &Idioms) -> String {
    let mut lines = vec![
        "program kernel".to_string(),
        "  implicit none".into(),
        "  integer, parameter :: two = 2, nn = 99".into(),
        format!("  real :: {}", shapes.join(", ")),
        "  real :: t1, t2, t3, t4, t5, t6, total, flag".into(),
        "  integer :: i, j, k, x0, x1, x2, n1, n2, n3, n4, n5, n6, n7, n8, n9, lo, hi".into(),
    ];
    lines.extend(idioms.declarations().iter().map(|line| format!("  {line}")));
    let is_statement_function =
        |name: &&String| idioms.statement_functions.iter().any(|text| text.starts_with(&format!("{name}(")));
    lines.extend(idioms.names.iter().filter(is_statement_function).map(|name| format!("  real :: {name}")));
    lines.extend(idioms.statement_functions.iter().map(|text| format!("  {text}")));
    for (depth, bounds) in bounds.iter().enumerate() {
        lines.push(format!("{}do {} = {bounds}", "  ".repeat(depth + 1), VARIABLES[depth]));
    }
    let indent = "  ".repeat(bounds.len() + 1);
    lines.extend(body.iter().map(|statement| format!("{indent}{}", statement.replace(" + ", " + &\n      & "))));
    lines.extend((0..bounds.len()).rev().map(|depth| format!("{}end do", "  ".repeat(depth + 1))));
    if !idioms.functions.is_empty() {
        lines.push("contains".into());
        lines.extend(idioms.functions.iter().map(|line| format!("  {line}")));
    }
    lines.push("end program kernel".into());
    lines.join("\n") + "\n"
}

/// The same in fixed form: one label ends all loops, lines are cut where they are full.
pub fn fixed_form(shapes: &[String], bounds: &[&str], body: &[String], idioms: &Idioms) -> String {
    let mut lines = vec![
        "      PROGRAM KERNEL".to_string(),
        "      INTEGER TWO, NN, I, J, K, X0, X1, X2, LO, HI".into(),
        "      INTEGER N1, N2, N3, N4, N5, N6, N7, N8, N9".into(),
        "      PARAMETER (TWO = 2, NN = 99)".into(),
        format!("      REAL {}", shapes.join(", ").to_uppercase()),
        "      REAL T1, T2, T3, T4, T5, T6, TOTAL, FLAG".into(),
    ];
    let statement = |text: &String| format!("      {}", text.to_uppercase().trim_start());
    lines.extend(idioms.declarations().iter().map(statement));
    lines.extend(idioms.statement_functions.iter().map(statement));
    for (depth, bounds) in bounds.iter().enumerate() {
        lines.push(format!("      DO 10 {} = {}", VARIABLES[depth].to_uppercase(), bounds.to_uppercase()));
    }
    lines.extend(body.iter().map(|line| statement(&line.replace(" > ", " .GT. "))));
    lines.push("   10 CONTINUE".into());
    if !idioms.functions.is_empty() {
        lines.push("      CONTAINS".into());
        lines.extend(idioms.functions.iter().map(statement));
    }
    lines.push("      END".into());
    lines.iter().map(|line| cut(line)).collect::<Vec<String>>().join("\n") + "\n"
}

/// A line of fixed form with as many continuation lines as it needs.
fn cut(line: &str) -> String {
    let (first, mut rest) = line.split_at(line.len().min(72));
    let mut cut = first.to_string();
    while !rest.is_empty() {
        let (next, others) = rest.split_at(rest.len().min(66));
        cut += &format!("\n     &{next}");
        rest = others;
    }
    cut
}
