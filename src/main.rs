//! The `camfort-rs` program: everything is in the library, see [`camfort_rs::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    camfort_rs::cli::run(std::env::args_os()).into()
}
