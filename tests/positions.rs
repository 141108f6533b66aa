//! Findings point where an editor puts the cursor: line and column from 1, the column in characters, whatever the line
//! ends, tabs, bytes that are no UTF-8, continuation, macros and included files.

use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::workspace::{Project, SourceOptions};

/// The places of the findings of one rule in a file of a temporary folder, as `file:line:column-line:column`.
fn places(files: &[(&str, &[u8])], code: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("the folder is there");
    }
    let path = folder.path().join(files[0].0);
    let project = Project::load(std::slice::from_ref(&path), SourceOptions::default());
    let result = analyse::<Infer>(&project.view(&path, files[0].1), InferOptions::default());
    let found = result.findings.iter().filter(|finding| finding.rule.code == code).map(|finding| {
        let at = &finding.location;
        let name = Path::new(&at.path).file_name().map(PathBuf::from).unwrap_or_default();
        format!("{}:{}:{}-{}:{}", name.display(), at.start.line, at.start.column, at.end.line, at.end.column)
    });
    found.collect()
}

#[test]
fn tabs_count_as_one_character() {
    assert_eq!(places(&[("a.f90", b"x = 1\n\ty = (\n\t\tz\t=\t)\n")], "F001"), ["a.f90:2:2-2:7", "a.f90:3:3-3:8"]);
    assert_eq!(
        places(&[("a.f", b"\tX = 1\n10\tY = (\n\tZ =\n\t1\t)\n\tEND\n")], "F001"),
        ["a.f:2:1-2:9", "a.f:3:2-4:5"]
    );
}

#[test]
fn line_ends_of_other_systems_count_as_one() {
    assert_eq!(
        places(&[("a.f90", b"x = 1\r\n  y = (\r\nz = &\r\n  )\r\n")], "F001"),
        ["a.f90:2:3-2:8", "a.f90:3:1-4:4"]
    );
    assert_eq!(places(&[("a.f", b"      X = 1\r\n      Y = (\r\n      END\r\n")], "F001"), ["a.f:2:7-2:12"]);
}

#[test]
fn characters_are_counted_not_bytes() {
    // Latin-1: each byte is a character.
    assert_eq!(places(&[("a.f90", b"s = '\xe9t\xe9'; y = (\n")], "F001"), ["a.f90:1:12-1:17"]);
    assert_eq!(places(&[("a.f", b"      S = 4Hgr\xfc\xdf; Y = (\n      END\n")], "F001"), ["a.f:1:19-1:24"]);
    // UTF-8: several bytes are one.
    assert_eq!(places(&[("a.f90", "s = 'été'; y = (\n".as_bytes())], "F001"), ["a.f90:1:12-1:17"]);
    assert_eq!(places(&[("a.f90", "\u{feff}y = (\n".as_bytes())], "F001"), ["a.f90:1:1-1:6"]);
}

#[test]
fn text_out_of_a_macro_lies_where_the_macro_is_used() {
    let source = b"#define BAD(x) x = ( + ( +\n#define OK 1\n  BAD(y)\n  z = OK + ; w = OK\n  v = OK + OK )\n";
    assert_eq!(places(&[("a.F90", source)], "F001"), ["a.F90:3:3-3:9", "a.F90:4:3-4:11", "a.F90:5:3-5:16"]);
    let source =
        b"#define LONG(a, \\\n b) a = ( b\n#if 1\n      X = 1\n#endif\n      LONG(y,\n     &     2)\n      END\n";
    assert_eq!(places(&[("a.F", source)], "F001"), ["a.F:6:7-7:14"]);
}

#[test]
fn text_of_an_included_file_lies_there() {
    let outer: &[u8] = b"x = 1\n  include 'part.inc'\ny = (\n";
    let inner: &[u8] = b"! a comment\n\n    z = )\n";
    let found = places(&[("a.f90", outer), ("part.inc", inner)], "F001");
    assert_eq!(found, ["a.f90:3:1-3:6", "part.inc:3:5-3:10"]);
    let outer: &[u8] = b"call s(a, &\n#include \"part.inc\"\n  b)\nw = (\n";
    let found = places(&[("a.F90", outer), ("part.inc", b"  c, &\n")], "F001");
    assert_eq!(found, ["a.F90:4:1-4:6"]);
    assert_eq!(places(&[("a.f90", b"x = 1\n   include 'gone.inc'\n")], "F003"), ["a.f90:2:4-2:22"]);
}

#[test]
fn a_statement_that_ends_in_an_included_file_lies_where_it_begins() {
    let outer: &[u8] = b"x = 1\n  call s(1, &\n#include \"part.inc\"\nend\n";
    assert_eq!(places(&[("a.F90", outer), ("part.inc", b"  2, ((\n")], "F001"), ["a.F90:2:3-2:12"]);
}

#[test]
fn constants_that_are_not_closed_are_at_their_quotes() {
    assert_eq!(places(&[("a.f90", b"x = 1\nprint *, 'a', \"b\n")], "F001"), ["a.f90:2:15-2:17"]);
    assert_eq!(places(&[("a.f", b"      X = 1\n\tPRINT *, 'a\n      END\n")], "F001").len(), 1);
}

#[test]
fn a_statement_ends_in_the_file_where_it_begins() {
    let end: (&str, &[u8]) = ("end.h", b"\n\n  + )\n");
    let last = "x = 1\n  y = ( &\n#include \"end.h\"\nz = 2\n";
    assert_eq!(places(&[("a.F90", last.as_bytes()), end], "F001"), ["a.F90:2:3-2:8"]);
    let between = "x = 1\n  y = ( &\n#include \"between.h\"\n  &+ )\nz = 2\n";
    let inner: (&str, &[u8]) = ("between.h", b"\n\n  & 2 &\n");
    assert_eq!(places(&[("a.F90", between.as_bytes()), inner], "F001"), ["a.F90:2:3-4:7"]);
    let begin: (&str, &[u8]) = ("begin.h", b"\n y = ( &\n");
    let first = "#include \"begin.h\"\n  + )\n";
    assert_eq!(places(&[("a.F90", first.as_bytes()), begin], "F001"), ["begin.h:2:2-2:7"]);
}
