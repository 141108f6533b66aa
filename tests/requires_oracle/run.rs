//! Programs compiled by gfortran, and run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::common::compiled_with_checks;
use super::program::Program;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// As it was planned.
    Normal,
    /// By a failing statement of a line.
    At(usize),
    /// In another way: by an error of the runtime, or because it took too long.
    Other(String),
}

/// What is seen of a run.
#[derive(Debug)]
pub struct Run {
    /// Lines with calls that were reached, and those of procedures that were.
    pub reached: BTreeSet<usize>,
    pub end: End,
}

/// What the programs call and is not analysed.
const OUTSIDE: &str = "\
subroutine oracle_at(line)
  integer, intent(in) :: line
  write (0, '(a, i0)') 'reached ', line
end subroutine
subroutine oracle_fatal(text)
  character(*), intent(in) :: text
  error stop text
end subroutine
subroutine oracle_report(text, level)
  character(*), intent(in) :: text
  integer, intent(in) :: level
  if (level == 3) error stop text
end subroutine
subroutine xerbla(text, number)
  character(*), intent(in) :: text
  integer, intent(in) :: number
  stop text
end subroutine
subroutine oracle_unknown(number)
  integer, intent(inout) :: number
  number = mod(3 * number + 1, 7)
end subroutine
";

/// Compiles programs together.
pub fn compile(programs: &[Program], directory: &Path) -> Result<PathBuf, String> {
    let mut source = OUTSIDE.to_owned();
    for program in programs {
        let _ = write!(source, "# 1 \"{}\"\n{}", program.file(), program.probed());
    }
    source.push_str("program oracle\n  interface\n    function alarm(seconds) bind(c)\n      use iso_c_binding\n      integer(c_int), value :: seconds\n      integer(c_int) :: alarm\n    end function\n  end interface\n  character(20) :: text\n  integer :: number\n  number = alarm(5)\n  call get_command_argument(1, text)\n  read (text, *) number\n  select case (number)\n");
    for (program, number) in programs.iter().zip(1..) {
        let _ = writeln!(source, "  case ({number})\n    call drive_{}()", program.name);
    }
    source.push_str("  end select\n  write (0, '(a)') 'passed'\nend program\n");
    compiled_with_checks(&source, directory)
}

/// Runs the program with a number from 1 on an input.
pub fn run(executable: &Path, number: usize, input: &str) -> Run {
    let mut command = Command::new(executable);
    command.arg(number.to_string()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it can be run");
    // A program that ends before it reads closes its input.
    let _ = child.stdin.take().expect("it has an input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let reached = said.lines().filter_map(|line| line.strip_prefix("reached ")?.parse().ok()).collect();
    let last = said.lines().rfind(|line| !line.starts_with("reached ") && !line.trim().is_empty()).unwrap_or("");
    let place = last.strip_prefix("ERROR STOP ").or_else(|| last.strip_prefix("STOP "));
    let end = match (place.map(|place| place.trim_start_matches("at ").trim().parse()), output.status.code()) {
        (Some(Ok(0)), _) => End::Normal,
        (Some(Ok(line)), _) => End::At(line),
        (None, Some(0)) if last == "passed" || last.is_empty() => End::Normal,
        (None, Some(code)) if last.is_empty() => End::At(code as usize),
        _ => End::Other(format!("{:?} {last}", output.status.code())),
    };
    Run { reached, end }
}
