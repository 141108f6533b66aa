//! What the tests share: folders with files and runs of the program in them; the Fortran files of the repository and of
//! public packages.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and one that is skipped says so"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A loop without a specification.
pub const KERNEL: &str = "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1)
  end do
end subroutine
";

/// A folder with files, in which the program is run.
pub struct Folder(TempDir);

/// What a run gave.
pub struct Ran {
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub notes: String,
    /// Exit status.
    pub status: i32,
}

impl Folder {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(".", arguments)
    }

    pub fn command_in(&self, directory: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_camfort-rs"));
        command.args(arguments).current_dir(self.path(directory)).env("COLUMNS", "100").env("NO_COLOR", "1");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(arguments, "")
    }

    pub fn run_in(&self, directory: &str, arguments: &[&str]) -> Ran {
        ran(self.command_in(directory, arguments), "")
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        ran(self.command(arguments), input)
    }
}

/// Runs the program in a folder on a terminal, with such answers: its exit status, and what stands on the terminal.
#[cfg(target_os = "linux")]
pub fn on_terminal(folder: &Folder, arguments: &str, answers: &str) -> (i32, String) {
    let mut script = Command::new("script");
    let program = env!("CARGO_BIN_EXE_camfort-rs");
    script.args(["--quiet", "--return", "--command", &format!("'{program}' {arguments}"), "/dev/null"]);
    script.current_dir(folder.path(".")).env("TERM", "xterm").env_remove("NO_COLOR");
    let ran = ran(script, answers);
    (ran.status, ran.output)
}

/// Runs git in a directory of a folder.
pub fn git(folder: &Folder, directory: &str, arguments: &[&str], input: &str) {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=camfort", "-c", "user.email=camfort@example.org", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder.path(directory));
    let result = ran(command, input);
    assert!(result.status == 0, "git {arguments:?}: {}{}", result.output, result.notes);
}

fn ran(mut command: Command, input: &str) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A run that doesn't read its input closes it; that is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let ended = child.wait_with_output().unwrap();
    Ran {
        output: String::from_utf8(ended.stdout).unwrap(),
        notes: String::from_utf8(ended.stderr).unwrap(),
        status: ended.status.code().unwrap(),
    }
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Fortran files below a folder, in order.
pub fn fortran_files(folder: &Path) -> Vec<PathBuf> {
    let is_fortran = |path: &PathBuf| {
        let extensions = ["f", "f90", "for", "f77", "f03", "f08", "f95", "ftn"];
        let extension = path.extension().unwrap_or_default();
        extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries.map(walkdir::DirEntry::into_path).filter(is_fortran).collect();
    files.sort();
    files
}

/// The files of a public package that `corpus/fetch` brought; `None` where it did not, unless this is CI and it must be
/// there.
pub fn public_package(name: &str, must_be_there: bool) -> Option<Vec<PathBuf>> {
    let folder = root().join("target/corpus").join(name);
    let files = fortran_files(&folder);
    if files.is_empty() {
        let is_ci = std::env::var_os("CI").is_some();
        assert!(!(is_ci && must_be_there), "{name} is missing: run corpus/fetch {name}");
        eprintln!("skipped: no {name} in {}; run corpus/fetch {name}", folder.display());
        return None;
    }
    Some(files)
}

/// The text with some of its parts, in order, replaced.
pub fn replaced<'e>(bytes: &[u8], edits: impl IntoIterator<Item = (std::ops::Range<usize>, &'e str)>) -> Vec<u8> {
    let (mut result, mut from) = (Vec::new(), 0);
    for (range, text) in edits {
        result.extend_from_slice(&bytes[from..range.start]);
        result.extend_from_slice(text.as_bytes());
        from = range.end;
    }
    result.extend_from_slice(&bytes[from..]);
    result
}

/// A program that gfortran makes of a source, with its checks at run time, in a directory; else what it says.
pub fn compiled_with_checks(source: &str, directory: &Path) -> Result<PathBuf, String> {
    let (file, executable) = (directory.join("programs.f90"), directory.join("programs"));
    std::fs::write(&file, source).expect("a file can be written");
    let options = ["-cpp", "-fcheck=all", "-w", "-O0", "-ffree-line-length-none", "-fno-backtrace", "-o"];
    let compiled = Command::new("gfortran")
        .args(options)
        .args([&executable, &file])
        .current_dir(directory)
        .output()
        .expect("gfortran can be run");
    if compiled.status.success() { Ok(executable) } else { Err(String::from_utf8_lossy(&compiled.stderr).into_owned()) }
}

/// Whether gfortran is there; where it should be and is not, the test fails.
pub fn gfortran_is_there() -> bool {
    let there = Command::new("gfortran").arg("--version").output().is_ok();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "gfortran is missing: run .ci/setup --tests");
        eprintln!("skipped: no gfortran");
    }
    there
}
