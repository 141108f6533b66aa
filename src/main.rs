//! The `camfort-rs` program: everything is in the library, see [`camfort_rs::cli`].

use std::process::ExitCode;

/// Trees are many small allocations, which the system's allocator is slow at: docs/performance.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    camfort_rs::cli::run(std::env::args_os()).into()
}
