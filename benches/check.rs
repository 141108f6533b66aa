//! Specifications checked per second, in generated code bases that grow: the time for each must stay the same.
//! `cargo bench --bench check`.

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;

use camfort_rs::analysis::Session;
use camfort_rs::analysis::stencil::{Check, CheckOptions, StencilOptions};
use camfort_rs::solve::Procedure;
use camfort_rs::workspace::{Project, SourceOptions};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_main};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Specifications in one file.
const PER_FILE: usize = 500;

/// A file with as many computations, each below its specification: stencils of one to three dimensions, of 45 shapes.
fn file(number: usize) -> String {
    let mut text = String::from(
        "subroutine step(a1, a2, a3, b1, b2, b3, n)\n  integer :: n, i, j, k\n  real :: a1(n), a2(n,n), a3(n,n,n), b1(n), b2(n,n), b3(n,n,n)\n  do k = 9, n-9\n  do j = 9, n-9\n  do i = 9, n-9\n",
    );
    for at in number..number + PER_FILE {
        let (rank, depth, kind) = (at % 3 + 1, (at / 3 % 5 + 1) as i64, at / 15 % 3);
        let (name, offsets) =
            [("forward", 0..=depth), ("backward", -depth..=0), ("centered", -depth..=depth)][kind].clone();
        let others = ["", ",j", ",j,k"][rank - 1];
        let pointed: String = (2..=rank).map(|dimension| format!("*pointed(dim={dimension})")).collect();
        let reads: Vec<String> = offsets.map(|offset| format!("a{rank}(i{offset:+}{others})")).collect();
        let _ = writeln!(text, "    != stencil readOnce, {name}(depth={depth}, dim=1){pointed} :: a{rank}");
        let _ = writeln!(text, "    b{rank}(i{others}) = {}", reads.join(" + "));
    }
    text + "  end do\n  end do\n  end do\nend subroutine\n"
}

/// The number of specifications that hold in so many files, which must be all.
fn check(files: &[String], procedure: Procedure) -> usize {
    let project = Project::load(&[], SourceOptions::default());
    let stencils = StencilOptions { solver: procedure, ..StencilOptions::default() };
    let session: Session<'_, Check> = Session::new(&project, CheckOptions { stencils, ..CheckOptions::default() });
    let check = |text: &String| session.analyse(&project.view(Path::new("a.f90"), text.as_bytes())).holding;
    let holding = files.iter().map(check).sum();
    assert_eq!(holding, files.len() * PER_FILE);
    holding
}

fn growing(criterion: &mut Criterion) {
    let files: Vec<String> = (0..200).map(file).collect();
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10);
    for count in [2, 20, 200] {
        group.throughput(Throughput::Elements((count * PER_FILE) as u64));
        for (name, procedure) in [("z3", Procedure::Z3), ("native", Procedure::Native)] {
            let specifications = BenchmarkId::new(name, count * PER_FILE);
            group.bench_function(specifications, |bencher| {
                bencher.iter(|| check(black_box(&files[..count]), procedure))
            });
        }
    }
    group.finish();
}

fn benches() {
    growing(&mut Criterion::default().configure_from_args());
}

criterion_main!(benches);
