//! The paper's experiment (section 7.2): the offsets of a kernel are varied, and the specification of the right one
//! must catch every variant that is not a permutation of its reads. Then the same with the programs of `corpus/`: each
//! subscript is changed by sign, by one and by a swap.
#![allow(clippy::print_stdout, reason = "the shares are a result of their own")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::check::Require;
use camfort_rs::analysis::stencil::computations::{self, Coordinate};
use camfort_rs::analysis::stencil::infer;
use camfort_rs::analysis::stencil::infer::{Inference, Language};
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::diagnostics::{Finding, Location, Suggestion};
use camfort_rs::source::{LineColumn, Span};
use camfort_rs::syntax::StatementId;
use camfort_rs::workspace::{Project, SourceOptions};

/// The codes that a wrong kernel may get.
const CAUGHT: [&str; 2] = ["S010", "S012"];

/// A kernel that sums reads of one array at some offsets.
type Reads = Vec<Vec<i64>>;

/// A program with many variants of a kernel, each below the specification of the right one; and the line of each
/// variant.
fn program(rank: usize, specification: &str, variants: &[Reads]) -> (String, Vec<u32>) {
    let names = ["i", "j", "k"];
    let subscripts = |offsets: &[i64]| {
        let index = |(name, offset): (&&str, &i64)| match offset {
            0 => (*name).to_owned(),
            _ => format!("{name}{offset:+}"),
        };
        names.iter().zip(offsets).map(index).collect::<Vec<_>>().join(",")
    };
    let shape = vec!["n"; rank].join(",");
    let mut text = format!("subroutine kernel(a, b, n)\n  integer :: n, i, j, k\n  real :: a({shape}), b({shape})\n");
    for name in names[..rank].iter().rev() {
        let _ = writeln!(text, "  do {name} = 2, n - 1");
    }
    let mut lines = Vec::new();
    for reads in variants {
        let sum: Vec<String> = reads.iter().map(|offsets| format!("a({})", subscripts(offsets))).collect();
        let _ = writeln!(text, "    != {specification}\n    b({}) = ({})/4", subscripts(&vec![0; rank]), sum.join("+"));
        lines.push(text.lines().count() as u32);
    }
    text.push_str(&"  end do\n".repeat(rank));
    text.push_str("end subroutine\n");
    (text, lines)
}

/// Which of the variants are found to be wrong; each finding must be of the kinds that the paper's experiment expects.
fn caught(rank: usize, right: &Reads, variants: &[Reads]) -> Vec<bool> {
    let project = Project::load(&[], SourceOptions::default());
    let (bare, _) = program(rank, "", std::slice::from_ref(right));
    let inferred = analyse::<Infer>(&project.view(Path::new("right.f90"), bare.as_bytes()), InferOptions::default());
    let specifications = &inferred.inference.computations[0].specifications;
    assert_eq!(specifications.len(), 1, "{specifications:?}");
    let (text, lines) = program(rank, &specifications[0].text, variants);
    let result = analyse::<Check>(&project.view(Path::new("variants.f90"), text.as_bytes()), CheckOptions::default());
    assert_eq!(result.specifications, variants.len());
    let mut wrong = BTreeSet::new();
    for finding in &result.findings {
        assert!(CAUGHT.contains(&finding.rule.code), "{finding:?}");
        assert!(wrong.insert(finding.location.start.line), "two findings on one line: {finding:?}");
    }
    assert_eq!(result.holding, variants.len() - wrong.len());
    lines.iter().map(|line| wrong.contains(line)).collect()
}

fn is_permutation(one: &Reads, other: &Reads) -> bool {
    let (mut one, mut other) = (one.clone(), other.clone());
    one.sort();
    other.sort();
    one == other
}

/// All ways to choose so many offsets out of -1, 0 and 1.
fn choices(count: u32) -> impl Iterator<Item = Vec<i64>> {
    (0..3i64.pow(count)).map(move |number| (0..count).map(|digit| number / 3i64.pow(digit) % 3 - 1).collect())
}

#[test]
fn of_all_jacobi_kernels_only_the_permutations_pass() {
    let right: Reads = vec![vec![-1, 0], vec![1, 0], vec![0, 1], vec![0, -1]];
    let variants: Vec<Reads> = choices(8).map(|offsets| offsets.chunks(2).map(<[i64]>::to_vec).collect()).collect();
    let caught = caught(2, &right, &variants);
    assert_eq!((variants.len(), caught.iter().filter(|caught| **caught).count()), (6561, 6537));
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}

#[test]
fn of_all_three_point_kernels_only_the_permutations_pass() {
    let right: Reads = vec![vec![-1], vec![0], vec![1]];
    let variants: Vec<Reads> = choices(3).map(|offsets| offsets.iter().map(|&offset| vec![offset]).collect()).collect();
    let caught = caught(1, &right, &variants);
    assert_eq!(caught.iter().filter(|caught| !**caught).count(), 6);
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}

#[test]
fn of_seven_point_kernels_only_the_permutations_pass() {
    let mut right: Reads = vec![vec![0, 0, 0]];
    for dimension in 0..3 {
        for offset in [-1, 1] {
            let mut read = vec![0, 0, 0];
            read[dimension] = offset;
            right.push(read);
        }
    }
    // A linear congruential generator: the same sample in every run.
    let mut state = 20_261_128_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut variants = Vec::new();
    for number in 0..3000 {
        let mut variant = right.clone();
        // Chance alone hardly ever comes near: some variants are permutations, some differ in one or two subscripts,
        // others are random.
        for at in (1..variant.len()).rev() {
            variant.swap(at, random(at as u64 + 1) as usize);
        }
        let changes = if number % 10 == 9 { 21 } else { number % 3 };
        for _ in 0..changes {
            variant[random(7) as usize][random(3) as usize] = random(3) as i64 - 1;
        }
        variants.push(variant);
    }
    let caught = caught(3, &right, &variants);
    let passed = caught.iter().filter(|caught| !**caught).count();
    assert!((1000..2200).contains(&passed), "{passed} of 3000 passed");
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}

/// A change of one subscript of one reference.
struct Mutation {
    /// The bytes that are replaced, and what stands there then.
    edits: Vec<(Span, String)>,
    /// The reference.
    reference: Span,
}

/// Source text without blanks.
fn compact(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|character| !character.is_whitespace()).collect()
}

/// Every change of a neighbourhood index by sign or by one, and every swap of two subscripts, in the reads of
/// computations that have a specification.
fn mutations(project: &Project, path: &Path, bytes: &[u8]) -> Vec<Mutation> {
    let view = project.view(path, bytes);
    let (tree, resolved) = (view.tree(), view.names());
    // Classified reads are kept where something is asked for; the first statement, no assignment, adds nothing.
    let computations = computations::computations(
        tree,
        resolved,
        false,
        &BTreeSet::from([StatementId::default()]),
        &computations::NoLibrary,
    );
    let mut found: BTreeMap<(Span, usize, String), Mutation> = BTreeMap::new();
    for access in computations.iter().flat_map(|computation| computation.arrays.iter().flatten()) {
        // Between two bounds a change is allowed.
        if infer::specifications_of(access, Language::default())
            .iter()
            .any(|text| text.contains("atMost") || text.contains("atLeast"))
        {
            continue;
        }
        for read in &access.classified {
            if compact(&bytes[read.span.start as usize..read.span.end as usize]).contains('&') {
                continue;
            }
            let text = |span: Span| compact(&bytes[span.start as usize..span.end as usize]);
            for (dimension, (written, coordinate)) in read.subscripts.iter().zip(&read.coordinates).enumerate() {
                let (span, constant) = (written.span, written.constant);
                let Coordinate::Relative(computations::Axis::Variable(symbol), _) = coordinate else { continue };
                let variable = tree.names.text(resolved.symbol(*symbol).name);
                for changed in [-constant, constant - 1, constant + 1] {
                    let index = if changed == 0 { variable.to_owned() } else { format!("{variable}{changed:+}") };
                    if changed != constant {
                        let mutation = Mutation { edits: vec![(span, index.clone())], reference: read.span };
                        found.insert((read.span, dimension, index), mutation);
                    }
                }
                for other in read.subscripts[..dimension].iter().map(|written| written.span) {
                    if text(other) != text(span) {
                        let edits = vec![(other, text(span)), (span, text(other))];
                        found.insert((read.span, dimension, text(other)), Mutation { edits, reference: read.span });
                    }
                }
            }
        }
    }
    found.into_values().collect()
}

fn mutated(bytes: &[u8], mutation: &Mutation) -> Vec<u8> {
    let mut result = Vec::new();
    let mut from = 0;
    for (span, text) in &mutation.edits {
        result.extend_from_slice(&bytes[from..span.start as usize]);
        result.extend_from_slice(text.as_bytes());
        from = span.end as usize;
    }
    result.extend_from_slice(&bytes[from..]);
    result
}

/// The reference with its mutation.
fn changed_reference(bytes: &[u8], mutation: &Mutation) -> String {
    let inside = |span: Span| Span::new(span.start - mutation.reference.start, span.end - mutation.reference.start);
    let edits = mutation.edits.iter().map(|(span, text)| (inside(*span), text.clone())).collect();
    let reference = &bytes[mutation.reference.start as usize..mutation.reference.end as usize];
    compact(&mutated(reference, &Mutation { edits, reference: inside(mutation.reference) }))
}

/// The text at a place in one line.
fn text_at(bytes: &[u8], location: &Location) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().nth(location.start.line as usize - 1).unwrap_or_default();
    let length = location.end.column.saturating_sub(location.start.column) as usize;
    line.chars().skip(location.start.column as usize - 1).take(length).filter(|one| !one.is_whitespace()).collect()
}

/// What the code reads, computation by computation: of each array the offsets and whether they are repeated, or why it
/// can't be said.
fn readings(inference: &Inference) -> Vec<String> {
    let of_computation = |computation: &camfort_rs::analysis::stencil::infer::InferredComputation| {
        let specifications: Vec<&str> = computation.specifications.iter().map(|one| one.text.as_str()).collect();
        let without: Vec<String> =
            computation.unspecified.iter().map(|one| format!("{}: {}", one.variable, one.reason.name())).collect();
        format!("{:?} {specifications:?} {without:?}", computation.statement)
    };
    inference.computations.iter().map(of_computation).collect()
}

/// How often something holds for the mutations of the corpus.
#[derive(Default)]
struct Shares {
    /// All.
    tried: usize,
    /// Those that change what is read.
    changing: usize,
    /// Of these, those with a hint.
    hinted: usize,
    /// Those whose first hint gives the original code.
    original: usize,
    /// Those whose first hint gives the original reads, in some order.
    reordered: usize,
}

impl Shares {
    /// Counts what is found wrong in a mutated text.
    fn add(
        &mut self,
        path: &Path,
        bytes: &[u8],
        text: &[u8],
        mutation: &Mutation,
        place: LineColumn,
        wrong: &[&Finding],
    ) {
        let original = compact(&bytes[mutation.reference.start as usize..mutation.reference.end as usize]);
        let at = || format!("{}:{}: {original} made {:?}", path.display(), place.line, mutation.edits[0].1);
        assert!(!wrong.is_empty(), "{} is not caught", at());
        let is_original =
            |repair: &Suggestion| repair.location.start == place && repair.replacement.eq_ignore_ascii_case(&original);
        // Of two references that are the same by mistake nobody knows which is the wrong one: changing the other gives
        // the original reads in another order.
        let mistaken = changed_reference(bytes, mutation);
        let gives_original = |repair: &Suggestion| {
            let now = text_at(text, &repair.location);
            repair.replacement.eq_ignore_ascii_case(&original) && now.eq_ignore_ascii_case(&mistaken)
        };
        let mut firsts = wrong.iter().filter_map(|one| one.suggestions.first());
        let is_right = firsts.clone().any(gives_original);
        self.changing += 1;
        self.hinted += usize::from(firsts.clone().next().is_some());
        self.original += usize::from(firsts.any(is_original));
        self.reordered += usize::from(is_right);
        if std::env::var_os("CAMFORT_SHOW").is_some() && !is_right {
            let repairs: Vec<_> = wrong.iter().flat_map(|one| &one.suggestions).map(|one| &one.replacement).collect();
            let codes: Vec<_> = wrong.iter().map(|one| one.rule.code).collect();
            println!("{}: {codes:?} {repairs:?}", at());
        }
    }
}

/// Every subscript of the programs of `corpus/` is changed, one at a time. (All of them with `CAMFORT_MUTATIONS=all`;
/// else a sample, for the time it takes.)
#[test]
fn every_wrong_subscript_of_the_corpus_is_caught() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let every = if std::env::var_os("CAMFORT_MUTATIONS").is_some_and(|value| value == "all") { 1 } else { 29 };
    let mut shares = Shares::default();
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("part of the repository").map(|one| one.expect("readable").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|one| one == "f" || one == "f90" || one == "F90"));
    for path in &paths {
        let bytes = std::fs::read(path).expect("readable");
        let project = Project::load(std::slice::from_ref(path), SourceOptions::default());
        let view = project.view(path, bytes.as_slice());
        let options = CheckOptions { require: Require::All, ..CheckOptions::default() };
        let before = analyse::<Check>(&view, options);
        let expected = readings(&before.inference);
        assert!(before.findings.is_empty() && before.holding == before.specifications, "{:?}", before.findings);
        for mutation in mutations(&project, path, &bytes).into_iter().skip(shares.tried % every).step_by(every) {
            shares.tried += 1;
            let text = mutated(&bytes, &mutation);
            let result = analyse::<Infer>(&project.view(path, text.as_slice()), InferOptions::default());
            if readings(&result.inference) != expected {
                let wrong: Vec<_> = result
                    .findings
                    .iter()
                    .filter(|one| one.rule.code.starts_with("S01") || ["S024", "S025"].contains(&one.rule.code))
                    .collect();
                let place = view.texts().locate(mutation.reference).1;
                shares.add(path, &bytes, &text, &mutation, place, &wrong);
            }
        }
    }
    let Shares { tried, changing, .. } = shares;
    let share = |count: usize| 100.0 * count as f64 / changing as f64;
    println!("{tried} subscripts changed, {changing} of them change what is read; all are caught");
    println!("{:.1} % of those have a hint", share(shares.hinted));
    println!(
        "for {:.1} % the first hint gives the original code, for {:.1} % the original reads in some order",
        share(shares.original),
        share(shares.reordered)
    );
    assert!(changing > 100 && share(shares.reordered) >= 95.0, "{} of {changing}", shares.reordered);
}
