//! Kernels in array syntax: what is a loop variable elsewhere is here a section, by its position.

use std::collections::{BTreeMap, BTreeSet};

use camfort_rs::infer::ComputationKind;

use super::idioms::Idioms;
use super::kernel::{Index, Kernel, Read, VARIABLES, fixed_form, free_form};
use super::random::Random;

/// The first and last index of the sections without an offset.
const FIRST: i64 = 10;
const LAST: i64 = 80;

/// The kernel of a seed: an assignment to sections, perhaps in a loop over one more dimension.
pub fn kernel(seed: u64) -> Kernel {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EC7);
    let rank = random.between(1, 2) as usize;
    let has_loop = random.chance(50);
    let mut left = BTreeMap::new();
    let mut indices = Vec::new();
    for variable in 0..rank {
        let offset = if random.chance(30) { random.between(-2, 2) } else { 0 };
        left.insert(variable, offset);
        indices.push(Index::Relative(variable, offset));
    }
    if has_loop {
        // The loop's variable is the one behind those of the sections.
        left.insert(rank, 0);
        indices.insert(random.between(0, rank as i64) as usize, Index::Relative(rank, 0));
    }
    let symbolic = random.chance(30);
    let is_shiftable = !symbolic && left.values().all(|&offset| offset == 0);
    let mut arrays = BTreeMap::new();
    let mut terms = Vec::new();
    for name in ["a", "b"].iter().take(random.between(1, 2) as usize) {
        let reads = reads(&mut random, rank, has_loop, &left);
        terms.extend(reads.iter().map(|read| term(&mut random, name, read, rank, symbolic, is_shiftable)));
        arrays.insert((*name).to_string(), reads);
    }
    random.shuffle(&mut terms);
    let target = reference("out", &indices, rank, symbolic);
    let assignment = format!("{target} = {}", terms.join(" + "));
    let body = match random.below(3) {
        0 => vec![format!("where ({} > 0.0) {assignment}", reference("m", &indices, rank, symbolic))],
        1 => vec![
            format!("where ({} > 0.0)", reference("m", &indices, rank, symbolic)),
            assignment,
            "elsewhere".into(),
            format!("{target} = 0.0"),
            "end where".into(),
        ],
        _ => vec![assignment],
    };
    let shape = |name: &str, rank: usize| format!("{name}({})", vec!["99"; rank].join(","));
    let mut shapes: Vec<String> = arrays.iter().map(|(name, reads)| shape(name, reads[0].len())).collect();
    shapes.extend(["out", "m"].map(|name| shape(name, indices.len())));
    let loops = [format!("{FIRST}, {LAST}")];
    // The only loop of the program counts with the first loop variable.
    let bounds: Vec<&str> = loops.iter().take(usize::from(has_loop)).map(String::as_str).collect();
    let idioms = Idioms::default();
    let free = free_form(&shapes, &bounds, &body, &idioms);
    let fixed = fixed_form(&shapes, &bounds, &body, &idioms);
    Kernel { free, fixed, kind: ComputationKind::Stencil, arrays, apart: BTreeSet::new(), left }
}

/// Reads of one array: its sections in the order of the left side, the loop's variable and a constant anywhere.
fn reads(random: &mut Random, rank: usize, has_loop: bool, left: &BTreeMap<usize, i64>) -> Vec<Read> {
    let mut axes: Vec<Option<usize>> = (0..rank).map(Some).collect();
    if has_loop && random.chance(60) {
        axes.insert(random.between(0, rank as i64) as usize, Some(rank));
    }
    if axes.len() < 3 && random.chance(25) {
        axes.insert(random.between(0, axes.len() as i64) as usize, None);
    }
    let one = |random: &mut Random| {
        let index = |axis: &Option<usize>| match axis {
            None => Index::Absolute(random.between(1, 3)),
            Some(variable) => Index::Relative(*variable, left[variable] + random.between(-1, 1)),
        };
        axes.iter().map(index).collect::<Read>()
    };
    (0..random.between(1, 5)).map(|_| one(random)).collect()
}

/// One read, in one of its spellings.
fn term(random: &mut Random, array: &str, read: &[Index], rank: usize, symbolic: bool, is_shiftable: bool) -> String {
    let sections: Vec<usize> = (0..read.len()).filter(|&at| is_section(read[at], rank)).collect();
    let plain = reference(array, read, rank, symbolic);
    match random.below(6) {
        0 => format!("abs({plain})"),
        1 => format!("2.0*max({plain}, 0.0)"),
        2 | 3 if is_shiftable => {
            // One dimension is moved by a function.
            let dimension = random.below(sections.len() as u64) as usize;
            let Index::Relative(variable, offset) = read[sections[dimension]] else { return plain };
            let mut unmoved = read.to_vec();
            unmoved[sections[dimension]] = Index::Relative(variable, 0);
            let unmoved = reference(array, &unmoved, rank, symbolic);
            match random.below(3) {
                0 => format!("cshift({unmoved}, {offset}, {})", dimension + 1),
                1 => format!("cshift(dim={}, shift={offset}, array={unmoved})", dimension + 1),
                _ => format!("eoshift({unmoved}, {offset}, dim={})", dimension + 1),
            }
        }
        4 if sections.len() == 2 => format!("transpose(transpose({plain}))"),
        5 => format!("sum(spread({plain}, 2, 3), dim=2)"),
        _ => plain,
    }
}

fn is_section(index: Index, rank: usize) -> bool {
    matches!(index, Index::Relative(variable, _) if variable < rank)
}

fn reference(array: &str, read: &[Index], rank: usize, symbolic: bool) -> String {
    let indices = read.iter().map(|&index| match index {
        Index::Absolute(value) => value.to_string(),
        Index::Relative(variable, offset) if variable < rank => match symbolic {
            true => format!("lo{offset:+}:hi{offset:+}"),
            false => format!("{}:{}", FIRST + offset, LAST + offset),
        },
        Index::Relative(_, offset) => format!("{}{offset:+}", VARIABLES[0]),
    });
    format!("{array}({})", indices.collect::<Vec<String>>().join(","))
}
