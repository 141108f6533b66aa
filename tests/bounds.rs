//! What lies outside of the paths given, the directories of `-I` and the project is in no output, however a file or a
//! symbolic link asks for it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::os::unix::fs::symlink;

mod common;
use common::{Folder, Ran};

/// Text that nobody may see: it is understood in part, and defines names.
const SECRET: &str = "\
root:hunter2:0:0
integer, parameter :: hunter2 = 2
real :: hunter2_a(10), hunter2_b(10)
do i = 2, 9
  hunter2_b(i) = hunter2_a(i) + hunter2_a(i-1)
end do
";

/// A package beside a file that is none of its own.
fn package() -> Folder {
    let folder = Folder::with(&[
        ("secret.inc", SECRET),
        ("secret.f90", &format!("program hunter2_p\n{SECRET}end\n")),
        ("other/secret.f90", &format!("program hunter2_q\n{SECRET}end\n")),
        ("pkg/relative.f90", "program p\ninclude '../secret.inc'\nend\n"),
        ("pkg/directive.F90", "program p\n#include \"src/../../secret.inc\"\nend\n"),
        ("pkg/through_link.f90", "program p\ninclude 'link.inc'\nend\n"),
        ("pkg/through_directory.f90", "program p\ninclude 'outside/secret.inc'\nend\n"),
        ("pkg/by_configuration.f90", "program p\ninclude 'secret.inc'\nend\n"),
        ("pkg/camfort.toml", "include-paths = [\"..\"]\n"),
        ("pkg/src/a.f90", "program p\ninclude '../own.inc'\nend\n"),
        ("pkg/own.inc", "known:own\n"),
    ]);
    let absolute = format!("program p\ninclude '{}'\nend\n", folder.path("secret.inc").display());
    std::fs::write(folder.path("pkg/absolute.f90"), absolute).unwrap();
    symlink("../secret.inc", folder.path("pkg/link.inc")).unwrap();
    symlink("..", folder.path("pkg/outside")).unwrap();
    symlink("../secret.f90", folder.path("pkg/linked.f90")).unwrap();
    symlink("../other", folder.path("pkg/linked")).unwrap();
    folder
}

fn printed(ran: &Ran) -> String {
    format!("{}{}", ran.output, ran.notes)
}

#[test]
fn outside_text_is_in_no_output() {
    let folder = package();
    let commands: [&[&str]; 6] = [
        &["infer", "--report", "--why"],
        &["infer", "--diff"],
        &["check", "--require", "all"],
        &["check", "-v"],
        &["guard", "--base", "pkg"],
        &["survey"],
    ];
    for command in commands {
        let ran = folder.run(&[command, &["pkg"]].concat());
        let text = printed(&ran);
        assert!(!text.contains("hunter2"), "{command:?}: {text}");
        assert!(text.contains("symbolic link"), "{command:?}: {text}");
    }
    for format in ["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"] {
        let ran = folder.run(&["check", "--require", "all", "pkg", "--format", format]);
        let text = printed(&ran);
        assert!(!text.contains("hunter2"), "{format}: {text}");
        assert!(format == "full" || text.contains("lies outside"), "{format}: {text}");
    }
    for file in ["relative.f90", "directive.F90", "through_link.f90", "absolute.f90", "by_configuration.f90"] {
        let path = format!("pkg/{file}");
        for phase in ["statements", "tree", "unparse", "names", "flow", "computations"] {
            let ran = folder.run(&["debug", phase, &path]);
            assert!(!printed(&ran).contains("hunter2"), "{phase} {file}: {}", printed(&ran));
        }
        let ran = folder.run(&["check", &path]);
        assert!(printed(&ran).contains("F003") && printed(&ran).contains("lies outside"), "{file}: {}", printed(&ran));
    }
}

#[test]
fn the_project_and_what_was_named_are_read() {
    let folder = package();
    let sees = |arguments: &[&str], text: &str| {
        let ran = folder.run(&[&["check", "--format", "concise"], arguments].concat());
        printed(&ran).contains(text)
    };
    // The nearest directory upward with a camfort.toml.
    assert!(sees(&["pkg/src/a.f90"], "own.inc:1:1"));
    assert!(sees(&["-I", ".", "pkg/relative.f90"], "secret.inc:1:1"));
    assert!(sees(&["-I", ".", "pkg/absolute.f90"], "secret.inc:1:1"));
    assert!(sees(&["--config", "pkg/camfort.toml", "pkg/by_configuration.f90"], "secret.inc:1:1"));
    assert!(sees(&["pkg/relative.f90", "other"], "lies outside"));
    assert!(sees(&["pkg/relative.f90", "secret.f90"], "secret.inc:1:1"));
    assert!(sees(&["pkg/linked.f90"], "pkg/linked.f90:2:1"), "it was named itself");
    std::fs::remove_file(folder.path("pkg/camfort.toml")).unwrap();
    std::fs::create_dir(folder.path(".git")).unwrap();
    assert!(sees(&["pkg/relative.f90"], "secret.inc:1:1"));
    assert!(sees(&["pkg"], "pkg/linked.f90:2:1"));
}

#[test]
fn links_of_the_system_are_followed() {
    let folder = package();
    std::fs::create_dir(folder.path("system")).unwrap();
    symlink("../secret.inc", folder.path("system/mpif.h")).unwrap();
    std::fs::write(folder.path("pkg/mpi.f90"), "program p\ninclude 'mpif.h'\nend\n").unwrap();
    symlink("../../secret.inc", folder.path("pkg/src/mpif.h")).unwrap();
    let of = |directory: &str| printed(&folder.run(&["check", "--format", "concise", "-I", directory, "pkg/mpi.f90"]));
    assert!(of("system").contains("mpif.h:1:1"), "{}", of("system"));
    // A directory of the package itself may have come with it.
    assert!(of("pkg/src").contains("lies outside"), "{}", of("pkg/src"));
}

#[test]
fn a_configuration_that_is_a_link_is_named_or_refused() {
    let folder = package();
    std::fs::remove_file(folder.path("pkg/camfort.toml")).unwrap();
    std::fs::write(folder.path("secret.toml"), "hunter2 = 1\n").unwrap();
    symlink("../secret.toml", folder.path("pkg/camfort.toml")).unwrap();
    let ran = folder.run(&["check", "pkg"]);
    assert_eq!(ran.status, 2, "{}", printed(&ran));
    assert!(!printed(&ran).contains("hunter2") && ran.notes.contains("--config"), "{}", printed(&ran));
}
