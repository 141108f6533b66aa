//! The formats of findings: each gives a valid document, whatever it is fed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::RULES;
use camfort_rs::analysis::stencil::rules::REGION_DIFFERS;
use camfort_rs::diagnostics::edit::LineChange;
use camfort_rs::diagnostics::{
    Causes, Contents, DataRecord, Document, Finding, Fix, Format, Levels, Location, Mark, Note, Output, Palette,
    Report, Severity, Suggestion, rules,
};
use camfort_rs::source::{LineColumn, SourceTexts};
use common::{Folder, KERNEL};
use serde_json::Value;

const SOURCE: &str = "\
subroutine step(a, b, n)
  integer :: n, i, j
  real :: a(n, n), b(n, n)
  do concurrent (i = 2:n-1, j = 2:n-1)
    != stencil readOnce, centered(depth=1, dim=1)*pointed(dim=2) :: a
    b(i, j) = a(i-1, j) + a(i, j) + a(i, j+1)
  end do
end subroutine
";

/// A file with its findings.
struct Case {
    path: PathBuf,
    texts: Option<SourceTexts>,
    findings: Vec<Finding>,
}

fn location(path: &Path, line: u32, columns: (u32, u32)) -> Location {
    let at = |column| LineColumn { line, column };
    Location { path: path.to_path_buf(), start: at(columns.0), end: at(columns.1) }
}

/// A finding with all that one can have.
fn full_finding(path: &Path) -> Finding {
    let message = "The specification of 'a' and the code differ";
    let mut finding = Finding::new(&REGION_DIFFERS, location(path, 6, (5, 46)), message);
    finding.marks = vec![
        Mark {
            location: location(path, 6, (37, 46)),
            label: "reads offset (0, 1), which the specification does not allow".into(),
            is_primary: true,
        },
        Mark { location: location(path, 5, (8, 70)), label: "allows offsets (-1..1, 0)".into(), is_primary: false },
    ];
    finding.notes = vec![
        Note::Remark("Never read though specified: offset (1, 0), that is 'a(i+1, j)'".into()),
        Note::Inferred("stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: a".into()),
    ];
    let witness = r#"{"offset":[0,1],"isRead":true,"reference":"a(i, j+1)"}"#.to_owned();
    finding.record(DataRecord::WITNESS, &serde_json::value::RawValue::from_string(witness).unwrap());
    finding.record("more", &[1, 2]);
    finding.suggestions = vec![Suggestion { location: location(path, 6, (37, 46)), replacement: "a(i+1, j)".into() }];
    finding.fix = Some(Fix {
        description: "Replace the specification by the inferred one",
        changes: vec![LineChange {
            first_line: 5,
            line_count: 1,
            lines: vec![b"    != stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: a".to_vec()],
        }],
        safe_changes: None,
    });
    finding
}

/// A file with one finding of each severity, a clean one, and one that could not be read.
fn ordinary() -> Vec<Case> {
    let path = Path::new("./src/step 1.f90");
    let mut spanning = location(path, 2, (3, 1));
    spanning.end.line = 4;
    let note =
        Finding::new(&rules::MODULE_NOT_FOUND, location(path, 1, (1, 11)), "Module 'lost' is in none of the files");
    let findings = vec![
        note,
        Finding::new(&rules::STATEMENT_NOT_UNDERSTOOD, spanning, "Statement not understood: 100 %, or so: no"),
        full_finding(path),
    ];
    let missing = PathBuf::from("none.f90");
    let unreadable = Finding::new(&rules::UNREADABLE_FILE, location(&missing, 1, (1, 1)), "Cannot read 'none.f90'");
    vec![
        Case { path: path.into(), texts: Some(SourceTexts::new(path, SOURCE.into())), findings },
        Case { path: "clean.f90".into(), texts: Some(SourceTexts::new("clean.f90", "end\n".into())), findings: vec![] },
        Case { path: missing, texts: None, findings: vec![unreadable] },
    ]
}

/// What no format has a natural place for: control characters, bytes that aren't Unicode, line ends, markup.
fn nasty() -> Vec<Case> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(b"sub/a:b,c%\xff\n\x1b<&\"']]>.f90"))
    };
    #[cfg(not(unix))]
    let path = PathBuf::from("sub/a,c%']].f90");
    let mut finding = full_finding(&path);
    finding.message = "Wrong \0\u{1b}[31m\r\n::error::\u{7}\u{fffe}]]> & <b> \"quoted\" \u{1f600}".into();
    finding.notes = vec![Note::Remark("\u{85}\u{2028}{0} [text](1)".into()), Note::Remark(String::new())];
    let change = LineChange { first_line: 1, line_count: 0, lines: vec![b"\xff\xfe".to_vec()] };
    finding.fix = Some(Fix { description: "Replace", changes: vec![change], safe_changes: None });
    let texts = Some(SourceTexts::new(&path, b"\xff\xfe\r\n\0\r\n".to_vec()));
    vec![Case { path, texts, findings: vec![finding.clone(), finding] }]
}

const ALL: [Format; 9] = [
    Format::Full,
    Format::Concise,
    Format::Json,
    Format::Jsonl,
    Format::Sarif,
    Format::Github,
    Format::Gitlab,
    Format::Junit,
    Format::Rdjsonl,
];

fn document(format: Format, lowest_severity: Severity, cases: &[Case]) -> String {
    let output = Output {
        format,
        registry: RULES,
        levels: Levels::default(),
        lowest_severity,
        palette: Palette::new(false),
        rule_url: None,
        root: PathBuf::from("/home/me"),
        causes: Causes::default(),
    };
    let mut document = Document::new(&output, Contents::Findings);
    let mut text = document.head();
    for case in cases {
        let report = Report::of_findings(&case.path, case.texts.as_ref(), case.findings.clone());
        text += &document.add(output.render(report)).unwrap().text;
    }
    let tail = document.tail(|part| {
        text.push_str(part);
        io::Result::Ok(())
    });
    tail.unwrap();
    text
}

/// Two files that use a module which is in none, and one of them includes a file that is not there.
fn elsewhere() -> Vec<Case> {
    let case = |name: &str, missing: &[&str]| {
        let path = PathBuf::from(name);
        let texts = Some(SourceTexts::new(&path, "use lost\ninclude 'none'\nend\n".into()));
        let finding = |&name: &&str| {
            let (rule, line, message) = match name {
                "lost" => (&rules::MODULE_NOT_FOUND, 1, "Module 'lost' is in none of the files"),
                _ => (&rules::INCLUDE_NOT_FOUND, 2, "Included file 'none': not found"),
            };
            let cause = Some(name.to_owned());
            Finding { cause, ..Finding::new(rule, location(&path, line, (1, 4)), message) }
        };
        let findings = missing.iter().map(finding).collect();
        Case { path, texts, findings }
    };
    vec![case("one.f90", &["lost"]), case("two.f90", &["lost", "none"]), case("three.f90", &["lost"])]
}

#[test]
fn people_are_told_once_of_what_is_missing_elsewhere() {
    let count = |text: &str, part: &str| text.matches(part).count();
    let full = document(Format::Full, Severity::Note, &elsewhere());
    assert_eq!(count(&full, "[F004]"), 1, "{full}");
    assert_eq!(count(&full, "[F003]"), 1, "{full}");
    let end = "\
Told once, but found in more places (--format concise tells each):
       3  Module 'lost' is in none of the files
";
    assert!(full.contains("--> one.f90:1:1") && full.ends_with(end), "{full}");
    // Those that are not selected are neither told nor counted.
    let errors = document(Format::Full, Severity::Error, &elsewhere());
    assert_eq!((count(&errors, "F004"), count(&errors, "Told once")), (0, 0), "{errors}");
    for format in [Format::Concise, Format::Github, Format::Sarif] {
        let text = document(format, Severity::Note, &elsewhere());
        assert_eq!(count(&text, "Module 'lost'"), 3, "{text}");
    }
}

/// What is wrong with a document of a format; nothing, it should be.
fn errors(format: Format, text: &str) -> Vec<String> {
    match format {
        Format::Full => lines_that(text, |line| line.contains(|c: char| c.is_control())),
        Format::Concise => lines_that(text, |line| line.contains(|c: char| c.is_control()) || !line.contains(": ")),
        Format::Github => lines_that(text, |line| {
            let kinds = ["::error ", "::warning ", "::notice "];
            !kinds.iter().any(|kind| line.starts_with(kind)) || line.contains(|c: char| c.is_control())
        }),
        Format::Json => schema_errors("docs/check.schema.json", text),
        Format::Jsonl => lines_that(text, |line| serde_json::from_str::<Value>(line).is_err()),
        Format::Sarif => schema_errors("tests/schemas/sarif-2.1.0.json", text),
        Format::Gitlab => gitlab_errors(text),
        Format::Junit => junit_errors(text),
        Format::Rdjsonl => lines_that(text, |line| !is_diagnostic(line)),
    }
}

/// Whether a line is a `Diagnostic` of reviewdog, of which these fields are known.
fn is_diagnostic(line: &str) -> bool {
    let Ok(diagnostic) = serde_json::from_str::<Value>(line) else { return false };
    let is_position = |at: &Value| at["line"].as_u64() > Some(0) && at["column"].as_u64() > Some(0);
    let is_range = |range: &Value| is_position(&range["start"]) && is_position(&range["end"]);
    let suggestions = diagnostic["suggestions"].as_array();
    ["ERROR", "WARNING", "INFO"].contains(&diagnostic["severity"].as_str().unwrap_or_default())
        && diagnostic["message"].is_string()
        && diagnostic["code"]["value"].is_string()
        && diagnostic["location"]["path"].is_string()
        && is_range(&diagnostic["location"]["range"])
        && suggestions.is_none_or(|all| all.iter().all(|one| is_range(&one["range"]) && one["text"].is_string()))
}

/// The parser of `quick_junit` lets characters pass that XML does not have.
fn junit_errors(text: &str) -> Vec<String> {
    let parsed = quick_junit::Report::deserialize_from_str(text).err().map(|error| error.to_string());
    let foreign =
        text.find(|c: char| (c.is_ascii_control() && !"\t\r\n".contains(c)) || "\u{fffe}\u{ffff}".contains(c));
    parsed.into_iter().chain(foreign.map(|at| format!("no character of XML at {at}"))).collect()
}

fn lines_that(text: &str, are_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    text.split_terminator('\n').filter(|line| are_wrong(line)).map(str::to_owned).collect()
}

fn schema_errors(schema: &str, text: &str) -> Vec<String> {
    let schema = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(schema)).unwrap();
    // A slip of SARIF's schema: a bracket is closed that is not open, and a `]` alone is no regular expression.
    let schema = schema.replace("{2}]?$", "{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut options = jsonschema::options().should_validate_formats(true);
    if schema["$schema"] == "http://json-schema.org/draft-04/schema#" {
        // Draft 4 has no format `uri-reference`, which SARIF's schema uses all the same. To draft 7 it means the same.
        options = options.with_draft(jsonschema::Draft::Draft7);
    }
    let validator = options.build(&schema).unwrap();
    let document: Value = serde_json::from_str(text).unwrap();
    validator.iter_errors(&document).map(|error| format!("{error} at {}", error.instance_path())).collect()
}

/// GitLab's documentation names these keys and values, and no schema.
fn gitlab_errors(text: &str) -> Vec<String> {
    let issues: Vec<Value> = serde_json::from_str(text).unwrap();
    let mut fingerprints = Vec::new();
    let mut wrong = Vec::new();
    for issue in &issues {
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        let severities = ["info", "minor", "major", "critical", "blocker"];
        let right = is_text(&issue["description"])
            && is_text(&issue["check_name"])
            && is_text(&issue["fingerprint"])
            && is_text(&issue["location"]["path"])
            && issue["location"]["lines"]["begin"].as_u64() > Some(0)
            && severities.contains(&issue["severity"].as_str().unwrap_or_default());
        if !right || fingerprints.contains(&&issue["fingerprint"]) {
            wrong.push(issue.to_string());
        }
        fingerprints.push(&issue["fingerprint"]);
    }
    wrong
}

#[test]
fn every_document_is_valid() {
    for format in ALL {
        for (name, cases) in [("empty", Vec::new()), ("ordinary", ordinary()), ("nasty", nasty())] {
            let text = document(format, Severity::Note, &cases);
            assert_eq!(errors(format, &text), [""; 0], "{format:?}, {name}:\n{text}");
        }
    }
}

#[test]
fn the_checks_of_documents_see_what_is_wrong() {
    let of = |format| document(format, Severity::Note, &ordinary());
    let broken = [
        (Format::Concise, "a line\n".to_owned()),
        (Format::Github, of(Format::Github).replace("::error ", "::fatal ")),
        (Format::Json, of(Format::Json).replace("\"message\"", "\"text\"")),
        (Format::Jsonl, of(Format::Jsonl).replace('}', "")),
        (Format::Sarif, of(Format::Sarif).replace("\"startLine\":6", "\"startLine\":0")),
        (Format::Sarif, of(Format::Sarif).replace("src/step%201.f90", "src/step 1.f90")),
        (Format::Gitlab, of(Format::Gitlab).replace("\"major\"", "\"grave\"")),
        (Format::Junit, of(Format::Junit).replace("</testsuite>", "")),
        (Format::Rdjsonl, of(Format::Rdjsonl).replace("ERROR", "FATAL")),
    ];
    for (format, text) in broken {
        assert!(!errors(format, &text).is_empty(), "{format:?}:\n{text}");
    }
}

#[test]
fn concise() {
    insta::assert_snapshot!(document(Format::Concise, Severity::Warning, &ordinary()));
}

#[test]
fn json() {
    insta::assert_snapshot!(document(Format::Json, Severity::Error, &ordinary()));
}

#[test]
fn github() {
    insta::assert_snapshot!(document(Format::Github, Severity::Note, &ordinary()));
}

#[test]
fn gitlab() {
    insta::assert_snapshot!(document(Format::Gitlab, Severity::Note, &ordinary()));
}

#[test]
fn rdjsonl() {
    insta::assert_snapshot!(document(Format::Rdjsonl, Severity::Note, &ordinary()));
}

#[test]
fn junit() {
    insta::assert_snapshot!(document(Format::Junit, Severity::Note, &ordinary()));
}

#[test]
fn sarif() {
    // The rules are those of the table, and have their own page; their numbers change when one is added.
    let mut document: Value = serde_json::from_str(&document(Format::Sarif, Severity::Note, &ordinary())).unwrap();
    let results = document["runs"][0]["results"].as_array_mut().unwrap();
    results.iter_mut().for_each(|result| drop(result.as_object_mut().unwrap().remove("ruleIndex")));
    let results = serde_json::to_string_pretty(results).unwrap();
    insta::assert_snapshot!(results);
}

#[test]
fn sarif_knows_every_rule_and_refers_to_it() {
    let document: Value = serde_json::from_str(&document(Format::Sarif, Severity::Note, &ordinary())).unwrap();
    let run = &document["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), RULES.rules().count());
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().unwrap().contains("This breaks it"));
    }
}

#[test]
fn services_get_what_a_person_sees_and_json_gets_everything() {
    for format in ALL {
        let text = document(format, Severity::Error, &ordinary());
        let has_note = text.contains("Module 'lost'");
        assert_eq!(has_note, matches!(format, Format::Json | Format::Jsonl), "{format:?}:\n{text}");
        assert!(text.contains("The specification of 'a' and the code differ") || format == Format::Junit, "{text}");
    }
}

#[test]
fn what_two_files_include_is_told_once() {
    let twice = || {
        let mut cases = ordinary();
        cases.extend(ordinary());
        cases
    };
    for format in [Format::Sarif, Format::Gitlab] {
        let is_once = document(format, Severity::Note, &twice()) == document(format, Severity::Note, &ordinary());
        assert!(is_once, "{format:?}");
    }
}

/// A folder in which `check` finds something with a repair and a fix, something without, and a clean file.
fn checked_folder() -> Folder {
    let wrong = KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\r\n    b(i)");
    let right = KERNEL.replace("    b(i)", "    != stencil readOnce, backward(depth=1, dim=1) :: a\n    b(i)");
    let malformed = KERNEL.replace("    b(i)", "    != stencil \u{1b} :: a\n    b(i)");
    Folder::with(&[("a/wrong.f90", &wrong), ("a/right.f90", &right), ("b c.f90", &malformed)])
}

#[test]
fn what_check_prints_is_valid() {
    let folder = checked_folder();
    for (format, name) in
        ALL.into_iter().zip(["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"])
    {
        let ran = folder.run(&["check", "-q", "--format", name, "."]);
        assert_eq!((ran.status, ran.notes.as_str()), (1, ""), "{name}");
        assert_eq!(errors(format, &ran.output), [""; 0], "{name}:\n{}", ran.output);
    }
    let of = |format: &str| folder.run(&["check", "-q", "--format", format, "."]).output;
    let json: Value = serde_json::from_str(&of("json")).unwrap();
    let finding = &json["findings"][0];
    assert_eq!(finding["code"], "S010");
    let change = &finding["fix"]["changes"][0];
    assert_eq!(change["lines"][0], "    != stencil readOnce, backward(depth=1, dim=1) :: a");
    // The fix of SARIF is the same, with the line end that is there.
    let sarif: Value = serde_json::from_str(&of("sarif")).unwrap();
    let replacement = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    let text = replacement["insertedContent"]["text"].as_str().unwrap();
    assert_eq!(text, format!("{}\r\n", change["lines"][0].as_str().unwrap()));
    assert_eq!(replacement["deletedRegion"]["startLine"], change["firstLine"]);
    assert_eq!(of("junit").matches("<testcase").count(), 3);
}

#[test]
fn the_commands_of_the_manual_for_ci_run() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let folder = checked_folder();
    let mut formats = Vec::new();
    for line in manual.lines().filter(|line| line.trim_start().starts_with(['-', 'r', 'e'])) {
        let Some((_, command)) = line.split_once("camfort-rs check ") else { continue };
        let arguments: Vec<&str> = command.split_whitespace().take_while(|word| !["||", ">"].contains(word)).collect();
        let ran = folder.run(&[&["check"], arguments.as_slice()].concat());
        assert_eq!(ran.status, 1, "{line}\n{}", ran.notes);
        formats.extend(arguments.iter().skip_while(|word| **word != "--format").nth(1).copied());
    }
    assert_eq!(formats, ["sarif", "github", "junit", "gitlab"]);
}

/// Every file of a code base may include one that wants a macro to be defined.
#[test]
fn what_is_wrong_with_an_included_file_is_told_once() {
    let text = "module m\n#include \"uses.f90\"\ncontains\nsubroutine s\nend subroutine\nend module\n";
    let uses = "use iso_fortran_env, only: dp => real64\n#if !defined(_OPENMP)\n   \"OpenMP is required.\"\n#endif\n";
    let folder = Folder::with(&[
        ("a.F", &text.replace("module m", "module a")),
        ("b.F", &text.replace("module m", "module b")),
        ("c.F", &text.replace("module m", "module c")),
        ("uses.f90", uses),
    ]);
    for format in ["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"] {
        let printed = folder.run(&["check", ".", "--format", format]).output;
        let told = if format == "junit" { "<failure" } else { "-D _OPENMP" };
        assert_eq!(printed.matches(told).count(), 1, "{format}: {printed}");
        assert!(!printed.contains("Expected"), "{format}: {printed}");
    }
    let defined = folder.run(&["check", ".", "-D", "_OPENMP"]).output;
    assert!(!defined.contains("F001"), "{defined}");
}
