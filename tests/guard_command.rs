//! `guard` from the command line: what it can be compared with, what it leaves alone, what it says when it can't.

use std::fs;

mod common;
use common::{Folder, Ran, git};

const BEFORE: &str = "\
module fields
  real :: temp(20,10)
end module
";
const USE: &str = "\
subroutine heat
  use fields
  temp(1,2) = 0
  temp(2,3) = 0
end subroutine
";

/// A repository with a program whose array changed after the tag `v1`, and one of two uses with it.
fn repository() -> Folder {
    let folder =
        Folder::with(&[("src/fields.f90", BEFORE), ("src/heat.f90", USE), ("other/alone.f90", common::KERNEL)]);
    git(&folder, ".", &["init", "--quiet", "."], "");
    git(&folder, ".", &["add", "."], "");
    git(&folder, ".", &["commit", "--quiet", "--message", "Before"], "");
    git(&folder, ".", &["tag", "v1"], "");
    fs::write(folder.path("src/fields.f90"), BEFORE.replace("20,10", "10,20")).expect("writable");
    fs::write(folder.path("src/heat.f90"), USE.replace("temp(1,2)", "temp(2,1)")).expect("writable");
    folder
}

fn findings(ran: &Ran) -> Vec<String> {
    let lines = ran.output.lines().filter(|line| !line.contains("G001"));
    let part = |line: &str| line.trim_start_matches("./").trim_start_matches("now/").chars().take(30).collect();
    lines.map(part).collect()
}

#[test]
fn a_revision_a_directory_and_a_lock_file_give_the_same() {
    let folder = repository();
    let by_revision = folder.run(&["guard", "--base", "v1", "--format", "concise", "."]);
    assert_eq!(
        (by_revision.status, findings(&by_revision).len()),
        (1, 1),
        "{}{}",
        by_revision.output,
        by_revision.notes
    );
    assert!(by_revision.output.contains("src/heat.f90:4:3: G002"), "{}", by_revision.output);
    assert!(by_revision.notes.contains("1 file is unchanged and not concerned"), "{}", by_revision.notes);
    // The use is concerned by a change of another file, from below too.
    let from_below = folder.run_in("src", &["guard", "--base", "v1", "--format", "concise"]);
    assert!(from_below.output.contains("heat.f90:4:3: G002"), "{}", from_below.output);

    git(&folder, ".", &["worktree", "add", "--quiet", "../before", "v1"], "");
    let by_directory = folder.run(&["guard", "--base", "../before", "--format", "concise", "."]);
    assert_eq!(findings(&by_directory), findings(&by_revision));
    let saved = folder.run_in("../before", &["guard", "--save", "arrays.lock", "."]);
    assert_eq!(saved.status, 0, "{}", saved.notes);
    let lock = fs::read_to_string(folder.path("../before/arrays.lock")).expect("written");
    fs::write(folder.path("arrays.lock"), &lock).expect("writable");
    let by_lock = folder.run(&["guard", "--base", "arrays.lock", "--format", "concise", "."]);
    assert_eq!(findings(&by_lock), findings(&by_revision));
    // Written again, it is the same.
    folder.run_in("../before", &["guard", "--save", "arrays.lock", "."]);
    assert_eq!(fs::read_to_string(folder.path("../before/arrays.lock")).expect("written"), lock);
    fs::remove_dir_all(folder.path("../before")).expect("it was there");
}

#[test]
fn the_work_tree_and_the_index_stay_as_they_are() {
    let folder = repository();
    // A file that was touched only is what tempts git to write its index.
    fs::write(folder.path("other/alone.f90"), common::KERNEL).expect("writable");
    let index = || {
        let metadata = fs::metadata(folder.path(".git/index")).expect("it is there");
        (metadata.modified().expect("known"), fs::read(folder.path(".git/index")).expect("readable"))
    };
    let before = index();
    let ran = folder.run(&["guard", "--base", "v1", "."]);
    assert_eq!(ran.status, 1);
    assert!(index() == before, "the index was written");
    assert!(ran.notes.contains("1 file is unchanged"), "{}", ran.notes);
}

#[test]
fn what_can_t_be_compared_is_said() {
    let folder = repository();
    let fails = |arguments: &[&str], words: &str| {
        let ran = folder.run(arguments);
        assert!(ran.status == 2 && ran.notes.contains(words), "{arguments:?}: {} {}", ran.status, ran.notes);
    };
    fails(&["guard", "--base", "v9", "."], "no revision of the repository");
    fails(&["guard", "."], "--base");
    fails(&["guard", "--base", "src/heat.f90", "."], "no lock file");
    fails(&["guard", "--save", "x.lock", "nowhere"], "not written");
    assert!(!folder.path("x.lock").exists());
    fs::create_dir(folder.path("empty")).expect("writable");
    fails(&["guard", "--base", "empty", "."], "nothing to compare with");
    fs::write(folder.path("old.lock"), "{\"camfort-rs lock\": 0, \"units\": []}").expect("writable");
    fails(&["guard", "--base", "old.lock", "."], "version 0");
    fails(&["guard", "--base", "v1", "-"], "standard input");

    git(&folder, ".", &["commit", "--quiet", "--all", "--message", "Now"], "");
    let origin = format!("file://{}", folder.path(".").display());
    git(&folder, ".", &["clone", "--quiet", "--depth", "1", &origin, "clone"], "");
    let shallow = folder.run_in("clone", &["guard", "--base", "HEAD~1", "."]);
    assert!(shallow.status == 2 && shallow.notes.contains("shallow"), "{}", shallow.notes);
}

#[test]
fn files_that_came_and_went_are_compared() {
    let folder = repository();
    fs::rename(folder.path("src/heat.f90"), folder.path("src/warmth.f90")).expect("it is there");
    let ran = folder.run(&["guard", "--base", "v1", "--format", "concise", "."]);
    assert!(ran.output.contains("src/warmth.f90:4:3: G002"), "{}{}", ran.output, ran.notes);
    fs::remove_file(folder.path("src/warmth.f90")).expect("it is there");
    let ran = folder.run(&["guard", "--base", "v1", "--format", "concise", "."]);
    assert_eq!(ran.status, 0, "{}", ran.output);
    assert!(ran.output.contains("2 are gone"), "{}", ran.output);
}

#[test]
fn an_include_file_concerns_what_includes_it() {
    let before = "subroutine one\n  include 'fields.inc'\n  t(1,2) = 0\nend subroutine\n";
    let files = [
        ("a/one.f90", before),
        ("a/fields.inc", "  real t(4,5)\n"),
        ("b/one.f90", before),
        ("b/fields.inc", "  real t(5,4)\n"),
    ];
    let folder = Folder::with(&files);
    let ran = folder.run(&["guard", "--base", "a", "b", "--format", "concise"]);
    assert!(ran.output.contains("b/one.f90:3:3: G002"), "{}{}", ran.output, ran.notes);
}

#[test]
fn the_formats_for_programs_hold_the_findings() {
    let folder = repository();
    for format in ["json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjsonl"] {
        let ran = folder.run(&["guard", "--base", "v1", "--format", format, "."]);
        assert!(ran.status == 1 && ran.output.contains("G002"), "{format}: {}", ran.output);
        if ["json", "sarif", "gitlab"].contains(&format) {
            serde_json::from_str::<serde_json::Value>(&ran.output).expect(format);
        }
    }
}

#[test]
fn the_document_names_arrays_and_classes_of_uses_as_its_schema_says() {
    let folder = repository();
    let document = folder.run(&["guard", "--base", "v1", "--format", "json", "-v", "."]).output;
    let document: serde_json::Value = serde_json::from_str(&document).expect("it is JSON");
    let schema = fs::read_to_string(common::root().join("docs/guard.schema.json")).expect("it is there");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let findings = document["findings"].as_array().expect("it is a list");
    let array = &findings.iter().find(|finding| finding["code"] == "G001").expect("the layout changed")["array"];
    assert_eq!(array["name"], "fields::temp");
    assert_eq!((&array["before"]["bounds"], &array["now"]["bounds"]), (&"(20,10)".into(), &"(10,20)".into()));
    let used = &findings.iter().find(|finding| finding["code"] == "G002").expect("a use is old")["use"];
    assert_eq!(used, &serde_json::json!({"array": "fields::temp", "unit": "heat", "class": "still-old"}));
}

/// A repository may name commands to be run when contents are compared, and make files look changed; whoever checks it
/// runs none.
#[cfg(unix)]
#[test]
fn nothing_of_the_repository_is_executed() {
    let folder = repository();
    let canary = folder.path("canary");
    let filter = format!("touch {}; cat", canary.display());
    for key in
        ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.fsmonitor", "diff.evil.textconv"]
    {
        git(&folder, ".", &["config", key, &filter], "");
    }
    fs::write(folder.path(".gitattributes"), "* filter=evil diff=evil\n").expect("writable");
    // What is as old as the index may have changed since it was written: git would have to look into it.
    let written = fs::metadata(folder.path(".git/index")).and_then(|index| index.modified()).expect("it is there");
    let file = fs::File::options().write(true).open(folder.path("other/alone.f90")).expect("writable");
    file.set_modified(written).expect("it is ours");
    let ran = folder.run(&["guard", "--base", "v1", "."]);
    assert_eq!(ran.status, 1, "{}", ran.notes);
    assert!(!canary.exists(), "a filter was run");
}

#[test]
fn a_comment_allows_what_guard_finds_and_each_command_judges_its_own_rules() {
    let folder = repository();
    let with = |first: &str, second: &str| {
        let text = USE.replace("temp(1,2)", "temp(2,1)");
        let text = text.replace("  temp(2,1)", &format!("{first}  temp(2,1)"));
        fs::write(folder.path("src/heat.f90"), text.replace("  temp(2,3)", &format!("{second}  temp(2,3)")))
            .expect("writable");
    };
    let codes = |ran: &Ran| -> Vec<String> {
        findings(ran).iter().filter_map(|line| Some(line.split(": ").nth(1)?[..4].to_owned())).collect()
    };
    let guard = || folder.run(&["guard", "--base", "v1", "--format", "concise", "."]);
    let check = || folder.run(&["check", "--format", "concise", "."]);
    for word in ["G002", "use-still-old"] {
        with("", &format!("  ! camfort: allow({word})\n"));
        let (guarded, checked) = (guard(), check());
        assert_eq!((guarded.status, codes(&guarded)), (0, vec![]), "{}", guarded.output);
        assert_eq!((checked.status, checked.output.as_str()), (0, ""));
    }
    // What each of them has nothing to do with is the other's.
    with("  ! camfort: allow(G003, S010)\n", "");
    let (guarded, checked) = (guard(), check());
    assert_eq!(codes(&guarded), ["G002", "F007"], "{}", guarded.output);
    assert!(guarded.output.contains("Nothing here breaks rule G003"), "{}", guarded.output);
    assert_eq!(codes(&checked), ["F007"], "{}", checked.output);
    assert!(checked.output.contains("Nothing here breaks rule S010"), "{}", checked.output);
}
