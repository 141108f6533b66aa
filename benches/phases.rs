//! Each phase of the analysis on pinned inputs, in bytes of source per second: `cargo bench`.
//!
//! The inputs are the programs of `corpus/` and the fixtures of inference, free and fixed form apart, each repeated to
//! about a megabyte: as one file for prescanning and parsing, and file by file, as a project is read, for what comes
//! behind.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::Session;
use camfort_rs::analysis::stencil::computations;
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::flow::{own_statements, unit_flow};
use camfort_rs::names::{self, ModuleIndex};
use camfort_rs::procedures::effects;
use camfort_rs::source::prescan::{FormChoice, PrescanOptions, prescan};
use camfort_rs::syntax::nesting;
use camfort_rs::workspace::{Project, SourceOptions};
use criterion::{Criterion, Throughput, criterion_main};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Bytes of source in each input, about.
const SIZE: usize = 1 << 20;

/// The pinned files with one extension, with their paths.
fn files(extension: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<PathBuf> = ["corpus", "tests/fixtures/infer"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is part of the repository"))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|of| of == extension))
        .collect();
    paths.sort();
    let read = |path: PathBuf| std::fs::read(&path).ok().map(|bytes| (path, bytes));
    let once: Vec<(PathBuf, Vec<u8>)> = paths.into_iter().filter_map(read).collect();
    let size: usize = once.iter().map(|(_, bytes)| bytes.len()).sum();
    let times = SIZE.div_ceil(size.max(1));
    once.iter().cycle().take(once.len() * times).cloned().collect()
}

fn phases(criterion: &mut Criterion) {
    for (name, extension, form) in [("free", "f90", FormChoice::Free), ("fixed", "f", FormChoice::Fixed)] {
        let files = files(extension);
        let text: Vec<u8> = files.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
        let options = PrescanOptions { form, ..PrescanOptions::default() };
        let read = |bytes: &[u8]| prescan("input", bytes.to_vec(), &options);
        let trees: Vec<_> = files.iter().map(|(_, bytes)| nesting::parse(read(bytes))).collect();
        let index = ModuleIndex::new(Vec::new());
        let resolved: Vec<_> = trees.iter().map(|tree| names::resolve(tree, &index)).collect();
        let project = Project::load(&[], SourceOptions::default());
        let infer: Session<'_, Infer> = Session::new(&project, InferOptions::default());

        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("prescan", |bencher| bencher.iter(|| read(black_box(&text))));
        group.bench_function("prescan and parse", |bencher| bencher.iter(|| nesting::parse(read(black_box(&text)))));
        group.bench_function("names", |bencher| {
            bencher.iter(|| trees.iter().map(|tree| names::resolve(tree, &index).notes.len()).sum::<usize>());
        });
        group.bench_function("flow", |bencher| {
            bencher.iter(|| {
                for (tree, resolved) in trees.iter().zip(&resolved) {
                    for (unit, statements) in own_statements(tree).into_iter_enumerated() {
                        let effects = effects(tree, resolved, &statements);
                        black_box(unit_flow(tree, resolved, unit, statements, effects));
                    }
                }
            });
        });
        group.bench_function("flow and access", |bencher| {
            let of = |(tree, resolved)| {
                computations::computations(tree, resolved, false, &BTreeSet::new(), &computations::NoLibrary).len()
            };
            bencher.iter(|| trees.iter().zip(&resolved).map(of).sum::<usize>());
        });
        group.bench_function("infer", |bencher| {
            let of = |(path, bytes): &(PathBuf, Vec<u8>)| {
                infer.analyse(&project.view(path, bytes.as_slice())).insertions.len()
            };
            bencher.iter(|| files.iter().map(of).sum::<usize>());
        });
        group.finish();
    }
}

#[allow(missing_docs, reason = "the macro makes a public function without a comment")]
mod group {
    criterion::criterion_group!(benches, super::phases);
}

criterion_main!(group::benches);
