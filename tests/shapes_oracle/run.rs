//! Programs compiled by gfortran with its checks, and run.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::common::compiled_with_checks;
use super::program::TRACE;

/// What is seen of a run.
#[derive(Debug, Default)]
pub struct Run {
    /// The lines that were executed.
    pub seen: BTreeSet<usize>,
    /// The lines that were executed, under the conditions that count, in a construct that was left.
    pub finished: BTreeSet<usize>,
    /// Where the program was aborted, and what was said.
    pub aborted: Option<(usize, String)>,
}

/// Some programs, compiled.
pub struct Compiled {
    executable: PathBuf,
}

/// The names of the programs that are compiled together, with their texts.
pub type Texts = [(String, String)];

impl Compiled {
    /// Compiles programs; the names of those that gfortran refuses, if there are some.
    pub fn new(texts: &Texts, directory: &Path) -> Result<Self, (BTreeSet<String>, String)> {
        let mut source = TRACE.to_owned();
        for (name, text) in texts {
            let _ = write!(source, "# 1 \"{name}.f90\"\n{text}");
        }
        source.push_str(&main_program(texts));
        compiled_with_checks(&source, directory).map(|executable| Compiled { executable }).map_err(|said| {
            let refused = texts.iter().filter(|(name, _)| said.contains(&format!("{name}.f90:")));
            (refused.map(|(name, _)| name.clone()).collect(), said)
        })
    }

    /// Runs the program with a number from 1; `None` if nothing is seen of it.
    pub fn run(&self, number: usize, sizes: [i64; 4]) -> Option<Run> {
        let mut command = Command::new(&self.executable);
        command.arg(number.to_string()).args(sizes.map(|size| size.to_string()));
        let output = command.output().expect("it can be run");
        let said = String::from_utf8_lossy(&output.stderr);
        let mut run = Run::default();
        let number_of = |text: &str| text.parse::<usize>().ok();
        let (mut current, mut line, mut error) = (None, None, None);
        for text in said.lines() {
            if let Some(text) = text.strip_prefix("seen ") {
                run.seen.extend(number_of(text));
            } else if let Some(text) = text.strip_prefix("finished ") {
                run.finished.extend(number_of(text));
            } else if let Some(text) = text.strip_prefix("current ") {
                current = number_of(text);
            } else if let Some(text) = text.strip_prefix("At line ") {
                line = text.split(' ').next().and_then(number_of);
            } else if let Some(text) = text.strip_prefix("Fortran runtime error: ") {
                error = Some(text.to_owned());
            } else if text == "canary" {
                error = Some(text.to_owned());
            }
        }
        // A run of which there is no trace has died of a signal, such as that which comes if it takes too long: some
        // functions of gfortran's runtime never come back from extents below 0.
        let current = current?;
        // An array as large as nothing takes a result as large as nothing, however far apart its bounds are; and
        // whether an array is allocated is no matter of shapes.
        let of_no_matter = ["instead of -", "is not allocated"];
        if error.as_ref().is_some_and(|error| of_no_matter.iter().any(|text| error.contains(text))) {
            return None;
        }
        run.aborted = error.map(|error| (line.unwrap_or(current), error));
        Some(run)
    }
}

/// The program that calls the procedure of the one with a number, with sizes.
fn main_program(texts: &Texts) -> String {
    let mut out = String::from("program oracle\n  use oracle_trace\n");
    for (name, _) in texts {
        let _ = writeln!(out, "  use {name}_module, only: {name}");
    }
    out.push_str(
        "  implicit none\n  character(20) :: text\n  integer :: arguments(5), number\n  \
         number = oracle_atexit(c_funloc(oracle_finish)) + oracle_alarm(5)\n  do number = 1, 5\n    \
         call get_command_argument(number, text)\n    read (text, *) arguments(number)\n  end do\n  \
         select case (arguments(1))\n",
    );
    for ((name, _), number) in texts.iter().zip(1..) {
        let _ =
            writeln!(out, "  case ({number})\n    call {name}(arguments(2), arguments(3), arguments(4), arguments(5))");
    }
    out.push_str("  end select\nend program\n");
    out
}
