//! What the surroundings of a run do to it: full disks, signals, file names that are commands, files of other users.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and one that is skipped says so"
)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

mod common;
use common::{Folder, KERNEL};

/// What Z3 dies of where it uses memory that it did not get.
const SIGSEGV: i32 = 11;

const PROGRAM: &str = env!("CARGO_BIN_EXE_camfort-rs");

/// The program, started by a shell that first does something.
fn after(folder: &Folder, preparation: &str, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{preparation}; exec \"$0\" {arguments}")).arg(PROGRAM).current_dir(folder.path("."));
    command
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path(".")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// No byte can be written to a file.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 0";

#[test]
fn on_a_full_disk_files_stay_as_they_are() {
    for arguments in ["infer a.f90", "infer --output out b.f90", "check --fix --unsafe-fixes c.f90"] {
        let contradicted =
            KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)");
        let folder = Folder::with(&[("a.f90", KERNEL), ("b.f90", KERNEL), ("c.f90", &contradicted)]);
        let ran = after(&folder, FULL_DISK, arguments).output().unwrap();
        let notes = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments}: {notes}");
        assert!(notes.contains("could not be written"), "{arguments}: {notes}");
        assert!(!notes.contains("nothing to"), "{arguments}: {notes}");
        assert_eq!(folder.text("a.f90"), KERNEL);
        assert_eq!(folder.text("c.f90"), contradicted);
        let copies = folder.path("out");
        assert!(!copies.exists() || fs::read_dir(copies).unwrap().count() == 0, "{arguments}");
        assert!(names(&folder).iter().all(|name| !name.ends_with(".tmp")), "{arguments}: {:?}", names(&folder));
    }
}

#[test]
fn on_a_full_disk_results_of_before_stay() {
    for arguments in ["survey -o old a.f90", "survey --format rows -o old a.f90", "guard --save old a.f90"] {
        let folder = Folder::with(&[("a.f90", KERNEL), ("old", "old")]);
        let ran = after(&folder, FULL_DISK, arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(folder.text("old"), "old", "{arguments}");
        assert_eq!(names(&folder), ["a.f90", "old"], "{arguments}");
    }
}

#[test]
fn devices_and_pipes_are_written_to_and_stay() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let ran = after(&folder, "mkfifo pipe; (cat pipe > copy) & true", "survey --format json -o pipe a.f90").status();
    assert_eq!(ran.unwrap().code(), Some(0));
    assert!(fs::metadata(folder.path("pipe")).unwrap().file_type().is_fifo());
    let direct = folder.run(&["survey", "--quiet", "--format", "json", "--output", "/dev/stdout", "a.f90"]);
    assert!(direct.output.starts_with('{'), "{}", direct.output);
    let started = Instant::now();
    while folder.text("copy") != direct.output {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing came out of the pipe");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn help_that_nobody_can_read_is_a_failure() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: no /dev/full");
        return;
    }
    let folder = Folder::with(&[]);
    for arguments in ["--help", "--version", "infer --help", "explain --all", "completions bash"] {
        let ran = after(&folder, "true", &format!("{arguments} > /dev/full")).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments}");
        assert!(!ran.stderr.is_empty(), "{arguments}");
    }
}

/// Runs a survey, whose rows are in a temporary file until the last source file is done, and sends it a signal once
/// that file is there. `environment`: a command that runs another one. Gives how the run ended, and what is in its
/// folder then.
fn interrupted(environment: &[&str], signal: &str) -> (ExitStatus, Vec<String>) {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).unwrap();
    for file in 0..1000 {
        fs::write(folder.path(&format!("src/{file}.f90")), KERNEL).unwrap();
    }
    let mut command = Command::new(environment[0]);
    command.args(&environment[1..]).arg(PROGRAM).args(["survey", "--format", "rows", "--output", "rows.csv", "src"]);
    let mut child = command.current_dir(folder.path(".")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() && !names(&folder).iter().any(|name| name.ends_with(".tmp")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    // The run may have ended meanwhile.
    let _ = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    (child.wait().unwrap(), names(&folder))
}

/// Whether `env` can make signals do what they usually do: whoever runs this test may have them ignored.
fn has_default_signals() -> bool {
    let can = Command::new("env").args(["--default-signal", "true"]).stderr(Stdio::null()).status();
    let can = can.is_ok_and(|status| status.success());
    if !can {
        eprintln!("skipped: env has no --default-signal");
    }
    can
}

#[test]
fn an_interrupted_run_leaves_no_temporary_file() {
    if !has_default_signals() {
        return;
    }
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        // On a busy machine the signal may come too late: then all is done and whole.
        let is_interrupted = (0..10).any(|_| {
            let (status, names) = interrupted(&["env", "--default-signal"], signal);
            let expected: &[&str] = if status.success() { &["rows.csv", "src"] } else { &["src"] };
            assert_eq!(names, expected, "{signal}: {status}");
            status.signal() == Some(number)
        });
        assert!(is_interrupted, "{signal} interrupted no run");
    }
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    if !has_default_signals() || !cfg!(target_os = "linux") {
        return;
    }
    let (status, names) = interrupted(&["env", "--default-signal", "--ignore-signal=HUP"], "HUP");
    assert!(status.success(), "{status}");
    assert_eq!(names, ["rows.csv", "src"]);
}

/// With a backtrace in the environment, as CI systems often have it.
#[test]
fn without_memory_a_run_fails_and_ends() {
    let contradicted = KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)");
    let folder = Folder::with(&[("a.f90", &contradicted)]);
    let mut statuses = Vec::new();
    for kilobytes in (160_000..=480_000).step_by(20_000) {
        let preparation = format!("ulimit -v {kilobytes} && export RUST_BACKTRACE=1");
        let mut child = after(&folder, &preparation, "check --jobs 2 a.f90 > output 2> notes")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{kilobytes} KB: the run hangs");
            std::thread::sleep(Duration::from_millis(5));
        };
        // Where memory lacks, nothing holds: either the run failed or the finding is made. Z3 itself may die of what it
        // did not get while another thread takes what there was; that is no pass either, but no handler of ours can
        // speak.
        statuses.push(status.code());
        let Some(code) = status.code() else {
            assert_eq!(status.signal(), Some(SIGSEGV), "{kilobytes} KB: {status}");
            continue;
        };
        let notes = folder.text("notes");
        assert!(!notes.is_empty() && matches!(code, 1 | 2), "{kilobytes} KB: {status}: {notes}");
    }
    assert!(statuses.contains(&Some(2)), "{statuses:?}");
}

#[test]
fn names_of_files_and_keys_are_no_commands() {
    let contradicted = KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)");
    let name = "a\n::error::x\u{1b}[31m.f90";
    let folder = Folder::with(&[(name, &contradicted), ("d/camfort.toml", "\"k\\u001b\\n::error::\" = 1\n")]);
    std::os::unix::fs::symlink("nowhere", folder.path("b\n::error::y\u{1b}.f90")).unwrap();
    for arguments in [
        &["infer", "-v", "--report", "."][..],
        &["infer", "-v", "."],
        &["check", "--diff", "."],
        &["check", "--format", "concise", "."],
        &["survey", "."],
        &["guard", "--save", "lock", "."],
        &["infer", "d"],
    ] {
        let ran = folder.run(arguments);
        let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!ran.notes.contains(is_control), "{arguments:?}: {:?}", ran.notes);
        assert!(!ran.notes.lines().any(|line| line.trim_start().starts_with("::")), "{arguments:?}: {}", ran.notes);
        if arguments[1] != "--diff" {
            assert!(!ran.output.contains(is_control), "{arguments:?}: {:?}", ran.output);
            assert!(
                !ran.output.lines().any(|line| line.trim_start().starts_with("::")),
                "{arguments:?}: {}",
                ran.output
            );
        }
    }
}

#[test]
fn extended_attributes_stay() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let path = folder.path("a.f90");
    if xattr::set(&path, "user.origin", b"here").is_err() {
        eprintln!("skipped: this file system has no extended attributes");
        return;
    }
    // An access control list: owner rw, user 12345 r, group r, mask rw, others none.
    let entry = |tag: u16, permissions: u16, id: u32| {
        [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let nobody = u32::MAX;
    let list = [
        2u32.to_le_bytes().to_vec(),
        entry(1, 6, nobody),
        entry(2, 4, 12345),
        entry(4, 4, nobody),
        entry(16, 6, nobody),
        entry(32, 0, nobody),
    ]
    .concat();
    let has_list = xattr::set(&path, "system.posix_acl_access", &list).is_ok();
    let mode = fs::metadata(&path).unwrap().mode();
    assert_eq!(folder.run(&["infer", "a.f90"]).status, 0);
    assert_ne!(folder.text("a.f90"), KERNEL);
    assert_eq!(xattr::get(&path, "user.origin").unwrap().as_deref(), Some(&b"here"[..]));
    assert_eq!(fs::metadata(&path).unwrap().mode(), mode);
    if has_list {
        assert_eq!(xattr::get(&path, "system.posix_acl_access").unwrap(), Some(list));
    }
}

/// Only root can make a file of somebody else's, and be somebody else.
#[test]
fn a_file_of_another_user_is_refused() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(folder.path("a.f90"), fs::Permissions::from_mode(0o666)).unwrap();
    let owner = fs::metadata(folder.path("a.f90")).unwrap().uid();
    let as_nobody = |program: &str| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", program]);
        command.current_dir(folder.path("."));
        command
    };
    let can_run = as_nobody(PROGRAM).arg("--version").output().is_ok_and(|ran| ran.status.success());
    if owner != 0 || !can_run {
        eprintln!("skipped: this needs root, setpriv and a program that everybody may run");
        return;
    }
    let ran = as_nobody(PROGRAM).args(["infer", "a.f90"]).output().unwrap();
    let notes = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{notes}");
    assert!(notes.contains("'a.f90' would lose its owner"), "{notes}");
    assert_eq!(folder.text("a.f90"), KERNEL);
    assert_eq!(fs::metadata(folder.path("a.f90")).unwrap().uid(), owner);
    assert_eq!(names(&folder), ["a.f90"]);
}
