//! Edits of source files: every byte that is not an inserted line stays, and a file is replaced whole or not at all.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use camfort_rs::diagnostics::edit::{
    LineInsertion, WriteError, apply, unified_diff, without_insertions, write_atomically,
};
use proptest::prelude::*;

fn insertion(before_line: u32, text: &str) -> LineInsertion {
    LineInsertion { before_line, text: text.as_bytes().to_vec() }
}

#[test]
fn a_line_goes_above_the_line_that_is_named() {
    let edited = apply(b"a\nb\nc\n", &[insertion(3, "!= c2"), insertion(2, "!= b"), insertion(3, "!= c1")]);
    assert_eq!(edited, b"a\n!= b\nb\n!= c2\n!= c1\nc\n");
}

#[test]
fn the_line_end_is_that_of_the_line_below() {
    let edited = apply(b"a\r\nb\n", &[insertion(1, "!= x"), insertion(2, "!= y")]);
    assert_eq!(edited, b"!= x\r\na\r\n!= y\nb\n");
}

#[test]
fn a_missing_final_newline_stays_missing() {
    assert_eq!(apply(b"a\r\nb", &[insertion(2, "!= y")]), b"a\r\n!= y\r\nb");
    assert_eq!(apply(b"b", &[insertion(1, "!= y")]), b"!= y\nb");
}

#[test]
fn tabs_lone_carriage_returns_nul_and_latin_1_stay() {
    let original = b"\tx = 1 ! caf\xe9\rmore\n\0\x80\n";
    let insertions = [insertion(2, "!= y")];
    let edited = apply(original, &insertions);
    assert_eq!(edited, b"\tx = 1 ! caf\xe9\rmore\n!= y\n\0\x80\n");
    assert_eq!(without_insertions(&edited, &insertions).unwrap(), original);
}

#[test]
fn a_byte_order_mark_stays_first() {
    let insertions = [insertion(1, "!= y")];
    let edited = apply(b"\xef\xbb\xbfx = 1\n", &insertions);
    assert_eq!(edited, b"\xef\xbb\xbf!= y\nx = 1\n");
    assert_eq!(without_insertions(&edited, &insertions).unwrap(), b"\xef\xbb\xbfx = 1\n");
}

#[test]
fn a_line_that_is_not_the_inserted_one_is_noticed() {
    assert_eq!(without_insertions(b"a\nb\n", &[insertion(1, "!= y")]), None);
}

proptest! {
    #[test]
    fn removing_what_was_inserted_gives_the_original(
        original in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 1..60),
        lines in proptest::collection::vec(1u32..12, 0..6),
    ) {
        let insertions: Vec<_> = lines.iter().map(|&line| insertion(line, "!= access pointed(dim=1) :: a")).collect();
        let edited = apply(&original, &insertions);
        prop_assert_eq!(without_insertions(&edited, &insertions).unwrap(), original);
    }
}

#[test]
fn a_diff_has_the_headers_of_git_and_the_bytes_of_the_file() {
    let old = b"1\n2\n3\n4\n caf\xe9\n6\n7\n8\n9\n";
    let new = apply(old, &[insertion(5, "!= y")]);
    let expected = b"--- a/src/a.f\n+++ b/src/a.f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+!= y\n  caf\xe9\n 6\n 7\n";
    assert_eq!(unified_diff(Path::new("./src/a.f"), old, &new), expected);
    assert_eq!(unified_diff(Path::new("/src/a.f"), old, &new), expected);
    assert_eq!(unified_diff(Path::new("src/a.f"), old, old), b"");
}

#[test]
fn a_diff_says_that_the_final_newline_is_missing() {
    let diff = unified_diff(Path::new("a.f"), b"a\r\nb", b"a\r\n!= y\r\nb");
    let expected: &[u8] = b"--- a/a.f\n+++ b/a.f\n@@ -1,2 +1,3 @@\n a\r\n+!= y\r\n b\n\\ No newline at end of file\n";
    assert_eq!(diff, expected);
}

#[test]
fn a_diff_applies_to_names_with_blanks() {
    let diff = unified_diff(Path::new("my code/a.f"), b"b\n", b"!= y\nb\n");
    assert!(diff.starts_with(b"--- a/my code/a.f\t\n+++ b/my code/a.f\t\n@@ -1 +1,2 @@\n"));
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.f90");
    fs::write(&file, "old").unwrap();
    write_atomically(&file, b"old", b"new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_was_changed_meanwhile_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.f90");
    fs::write(&file, "theirs").unwrap();
    let error = write_atomically(&file, b"old", b"new").unwrap_err();
    assert!(matches!(&error, WriteError::ChangedMeanwhile(path) if *path == file));
    assert!(error.to_string().contains("a.f90"));
    assert_eq!(fs::read(&file).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(write_atomically(folder.path(), b"", b"x"), Err(WriteError::NotARegularFile(_))));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_read_only_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.f90");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write_atomically(&file, b"old", b"new").unwrap_err();
        assert!(matches!(&error, WriteError::ReadOnly(path) if *path == file));
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }

    #[test]
    fn permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.f90");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
        write_atomically(&file, b"old", b"new").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o751);
    }

    #[test]
    fn a_symbolic_link_stays_one_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let file = elsewhere.path().join("real.f90");
        let link = folder.path().join("link.f90");
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, b"old", b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn names_in_a_diff_lead_nowhere_else() {
    let header = |path: &str| {
        let diff = unified_diff(Path::new(path), b"a\n", b"b\n");
        String::from_utf8(diff).unwrap().lines().next().unwrap().to_owned()
    };
    assert_eq!(header("src/../w.f90"), "--- a/w.f90");
    let outside = std::env::current_dir().unwrap().parent().unwrap().join("w.f90");
    assert_eq!(header("../w.f90"), format!("--- a{}", outside.display()));
}
