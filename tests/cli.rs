//! The program as a person and a script see it: output, exit status, files.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

mod common;
use camfort_rs::analysis::RULES;
use camfort_rs::diagnostics::Example;
use common::{Folder, KERNEL};

const SPECIFICATION: &str = "    != stencil readOnce, backward(depth=1, dim=1) :: a\n";

fn specified_kernel() -> String {
    KERNEL.replace("    b(i)", &format!("{SPECIFICATION}    b(i)"))
}

/// A kernel with a specification that its code contradicts.
fn contradicted_kernel() -> String {
    specified_kernel().replace("backward", "centered")
}

fn contains_line(text: &str, line: &str) -> bool {
    text.lines().any(|other| other == line)
}

#[test]
fn help_is_as_documented() {
    let folder = Folder::with(&[]);
    insta::assert_snapshot!("help", folder.run(&["--help"]).output);
    insta::assert_snapshot!("help_infer", folder.run(&["infer", "--help"]).output);
    insta::assert_snapshot!("help_debug", folder.run(&["debug", "--help"]).output);
}

#[test]
fn wrong_usage_is_status_2() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let wrong: &[&[&str]] = &[
        &[],
        &["frobnicate"],
        &["infer", "--diff", "--report", "a.f90"],
        &["infer", "--diff", "--format", "json", "a.f90"],
        &["infer", "--format", "sarif", "-"],
        &["check", "--format", "sarif", "--exclude", "[", "a.f90"],
        &["infer", "--format", "gitlab", "--output", ".", "a.f90"],
        &["infer", "--report", "--format", "xml", "a.f90"],
        &["infer", "--marker", "x", "a.f90"],
        &["infer", "--fixed-line-length", "3", "a.f90"],
        &["infer", "--jobs", "0", "a.f90"],
        &["infer", "--exclude", "[", "a.f90"],
        &["infer", "-", "a.f90"],
        &["infer", "--stdin-filename", "b.f90", "a.f90"],
        &["explain", "S999"],
    ];
    for arguments in wrong {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert_eq!(ran.output, "", "{arguments:?}");
        assert!(!ran.notes.is_empty(), "{arguments:?}");
    }
    assert_eq!(folder.text("a.f90"), KERNEL);
}

#[test]
fn infer_inserts_in_place_and_twice_changes_nothing() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let ran = folder.run(&["infer", "a.f90"]);
    assert_eq!((ran.status, ran.output.as_str()), (0, ""));
    assert!(contains_line(&ran.notes, "1 line inserted into 1 file"), "{}", ran.notes);
    assert_eq!(folder.text("a.f90"), specified_kernel());
    let again = folder.run(&["infer", "a.f90"]);
    assert!(contains_line(&again.notes, "nothing to insert"), "{}", again.notes);
    assert_eq!(folder.text("a.f90"), specified_kernel());
    assert_eq!(folder.run(&["infer", "--diff", "a.f90"]).output, "");
}

#[test]
fn line_ends_and_missing_final_newline_stay() {
    let text = KERNEL.trim_end().replace('\n', "\r\n");
    let folder = Folder::with(&[("a.f90", &text)]);
    folder.run(&["infer", "a.f90"]);
    assert_eq!(folder.text("a.f90"), specified_kernel().trim_end().replace('\n', "\r\n"));
}

#[test]
fn a_diff_is_all_that_standard_output_holds() {
    let missing = "include 'none.inc'\nend\n";
    let folder = Folder::with(&[
        ("src/a.f90", KERNEL),
        ("src/b.f90", "x = +*\nend\n"),
        ("src/c.f90", missing),
        ("src/d.f90", missing),
    ]);
    let ran = folder.run(&["infer", "--diff", "src"]);
    insta::assert_snapshot!(ran.output, @r"
    --- a/src/a.f90
    +++ b/src/a.f90
    @@ -2,6 +2,7 @@
       integer :: n, i
       real :: a(n), b(n)
       do i = 2, n
    +    != stencil readOnce, backward(depth=1, dim=1) :: a
         b(i) = a(i) + a(i-1)
       end do
     end subroutine
    ");
    assert!(ran.notes.contains("F001") && ran.notes.contains("Told once"), "{}", ran.notes);
    assert_eq!(folder.text("src/a.f90"), KERNEL);
}

#[test]
fn a_report_shows_specifications_under_their_statements() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let ran = folder.run(&["infer", "--report", "a.f90"]);
    insta::assert_snapshot!(ran.output, @r"
    a.f90:5:5  step
       5 | b(i) = a(i) + a(i-1)
         = stencil readOnce, backward(depth=1, dim=1) :: a
    ");
    assert_eq!(ran.notes, "1 file with 7 statements: 1 specification for 1 of 1 array computation\n");
    assert_eq!(folder.text("a.f90"), KERNEL);
    // What is there already would not be inserted.
    let annotated = Folder::with(&[("a.f90", KERNEL)]);
    annotated.run(&["infer", "a.f90"]);
    assert_eq!(annotated.run(&["infer", "--report", "a.f90"]).output, "");
    let concise = folder.run(&["infer", "--report", "--format", "concise", "a.f90"]);
    assert_eq!(concise.output, "a.f90:5:5: stencil readOnce, backward(depth=1, dim=1) :: a\n");
}

#[test]
fn why_names_the_arrays_without_a_specification() {
    let folder = Folder::with(&[("a.f90", &KERNEL.replace("a(i-1)", "a(2*i)"))]);
    let ran = folder.run(&["infer", "--report", "--why", "a.f90"]);
    insta::assert_snapshot!(ran.output, @r"
    a.f90:5:5  step
       5 | b(i) = a(i) + a(2*i)
         = no specification for 'a': non-neighbour-index: an index is neither i + c nor fixed in the loop ('2*i' at 5:21)
    ");
    insta::assert_snapshot!(ran.notes, @r"
    1 array without a specification:
           1  non-neighbour-index  an index is neither i + c nor fixed in the loop
    1 file with 7 statements: 0 specifications for 0 of 1 array computation, 1 array without one
    ");
}

#[test]
fn output_writes_copies_and_leaves_the_originals() {
    let folder = Folder::with(&[("src/a.f90", KERNEL), ("src/sub/b.f90", "end\n")]);
    let ran = folder.run(&["infer", "--output", "out", "src"]);
    assert_eq!(ran.status, 0, "{}", ran.notes);
    assert_eq!(folder.text("out/src/a.f90"), specified_kernel());
    assert_eq!(folder.text("out/src/sub/b.f90"), "end\n");
    assert_eq!(folder.text("src/a.f90"), KERNEL);
    // The copies are not taken for originals by the next run.
    folder.run(&["infer", "--output", "out", "."]);
    assert!(!folder.path("out/out").exists());
    assert_eq!(folder.run(&["infer", "--output", ".", "src"]).status, 2);
}

#[test]
fn a_file_whose_specifications_contradict_its_code_is_left_as_it_is() {
    let text = contradicted_kernel() + KERNEL;
    let folder = Folder::with(&[("a.f90", &text), ("b.f90", KERNEL)]);
    let ran = folder.run(&["infer", "a.f90", "b.f90"]);
    assert_eq!(ran.status, 1, "{}", ran.notes);
    assert!(ran.output.contains("error[S010]"), "{}", ran.output);
    assert_eq!(folder.text("a.f90"), text);
    assert_eq!(folder.text("b.f90"), specified_kernel());
}

#[test]
fn an_unreadable_path_is_f002_and_the_others_go_on() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let ran = folder.run(&["infer", "--format", "concise", "none.f90", "a.f90"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.output, "none.f90:1:1: F002 error: Cannot read 'none.f90': No such file or directory\n");
    assert_eq!(folder.text("a.f90"), specified_kernel());
}

#[test]
fn warnings_count_when_asked() {
    let folder = Folder::with(&[("a.f90", "x = +*\nend\n")]);
    assert_eq!(folder.run(&["infer", "a.f90"]).status, 0);
    assert_eq!(folder.run(&["infer", "--error-on-warning", "a.f90"]).status, 1);
    assert_eq!(folder.run(&["infer", "-q", "a.f90"]).output, "");
    assert_eq!(folder.run(&["infer", "-q", "a.f90"]).notes, "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::with(&[]);
    let ran = folder.run_with_input(&["infer", "-", "--stdin-filename", "a.f90"], KERNEL);
    assert_eq!((ran.status, ran.output), (0, specified_kernel()));
    let diff = folder.run_with_input(&["infer", "-", "--diff", "--stdin-filename", "src/a.f90"], KERNEL);
    assert!(diff.output.starts_with("--- a/src/a.f90\n+++ b/src/a.f90\n"), "{}", diff.output);
    let report = folder.run_with_input(&["infer", "-", "--report", "--format", "concise"], KERNEL);
    assert_eq!(report.output, "standard-input:5:5: stencil readOnce, backward(depth=1, dim=1) :: a\n");
}

#[test]
fn directories_are_searched_for_fortran_files() {
    let empty = "end\n";
    let folder = Folder::with(&[
        ("b.F90", empty),
        ("a.f", "      end\n"),
        ("notes.txt", "no program"),
        ("deep/c.for", "      end\n"),
        ("build/d.f90", empty),
        ("_build/d.f90", empty),
        ("target/d.f90", empty),
        (".hidden/d.f90", empty),
        ("old/e.f90", empty),
        ("gen/f.f90", empty),
        ("named.txt", empty),
    ]);
    let listed = |arguments: &[&str]| -> Vec<String> {
        let ran = folder.run(&[&["infer", "--report", "--format", "jsonl"], arguments].concat());
        let records = ran.output.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        records
            .filter(|record| record["type"] == "file")
            .map(|record| record["path"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(listed(&["."]), ["./a.f", "./b.F90", "./deep/c.for", "./gen/f.f90", "./old/e.f90"]);
    assert_eq!(listed(&["--exclude", "old", "--exclude", "gen/*.f90", "."]), ["./a.f", "./b.F90", "./deep/c.for"]);
    assert_eq!(listed(&["named.txt", "a.f", "./a.f", "deep"]), ["./a.f", "deep/c.for", "named.txt"]);
    let nothing = folder.run(&["infer", ".hidden/none", "-q"]);
    assert_eq!(nothing.status, 2);
}

#[test]
fn no_fortran_file_is_a_warning() {
    let folder = Folder::with(&[("notes.txt", "no program")]);
    let ran = folder.run(&["infer", "."]);
    assert_eq!((ran.status, ran.output.as_str()), (0, ""));
    assert_eq!(ran.notes, "warning: no Fortran file found\n");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_once() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("src/a.f90", KERNEL), ("elsewhere/b.f90", KERNEL), (".git/HEAD", "")]);
    symlink("..", folder.path("src/loop")).unwrap();
    symlink("a.f90", folder.path("src/same.f90")).unwrap();
    symlink("../elsewhere/b.f90", folder.path("src/link.f90")).unwrap();
    let ran = folder.run(&["infer", "src"]);
    assert_eq!(ran.status, 0, "{}{}", ran.output, ran.notes);
    assert!(contains_line(&ran.notes, "2 lines inserted into 2 files"), "{}", ran.notes);
    assert_eq!(folder.text("src/a.f90"), specified_kernel());
    assert_eq!(folder.text("elsewhere/b.f90"), specified_kernel());
    assert!(folder.path("src/link.f90").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_refused_and_the_others_go_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.f90", KERNEL), ("b.f90", KERNEL)]);
    fs::set_permissions(folder.path("a.f90"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = folder.run(&["infer", "."]);
    assert_eq!(ran.status, 2);
    assert!(contains_line(&ran.notes, "error: './a.f90' is read-only"), "{}", ran.notes);
    assert_eq!(folder.text("a.f90"), KERNEL);
    assert_eq!(folder.text("b.f90"), specified_kernel());
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let folder = Folder::with(&[("a.f90", &KERNEL.repeat(2000))]);
    let mut command = folder.command(&["infer", "--report", "a.f90"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 20];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    // Now the pipe is closed, long before all is written.
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert!(!String::from_utf8(ended.stderr).unwrap().to_lowercase().contains("pipe"));
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let files: Vec<(String, String)> =
        (0..150).map(|at| (format!("src/f{at}.f90"), KERNEL.repeat(1 + at % 7))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    for format in ["full", "concise", "json", "jsonl", "junit"] {
        let run = |jobs| folder.run(&["infer", "--report", "--why", "--format", format, "--jobs", jobs, "src"]).output;
        let one = run("1");
        assert!(one.contains("f149.f90"));
        assert_eq!(one, run("7"), "{format}");
    }
    let diff = |jobs| folder.run(&["infer", "--diff", "--jobs", jobs, "src"]).output;
    assert_eq!(diff("1"), diff("7"));
}

#[test]
fn colours_come_when_asked_for_and_never_into_a_pipe() {
    let folder = Folder::with(&[("a.f90", &contradicted_kernel())]);
    assert!(!folder.run(&["infer", "--report", "a.f90"]).output.contains('\x1b'));
    assert!(folder.run(&["infer", "--report", "--color", "always", "a.f90"]).output.contains("\x1b[1m"));
}

#[test]
fn json_is_as_its_schema_says() {
    let folder = Folder::with(&[
        ("a.f90", KERNEL),
        ("b.f90", &contradicted_kernel()),
        ("c.f90", "x = +*\nend\n"),
        ("d.f90", &KERNEL.replace("a(i-1)", "a(2*i)")),
    ]);
    let schema = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/infer.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let ran = folder.run(&["infer", "--report", "--format", "json", ".", "none.f90"]);
    let document: serde_json::Value = serde_json::from_str(&ran.output).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(document["files"].as_array().unwrap().len(), 4);
    assert_eq!(document["files"][2]["notUnderstood"].as_array().unwrap().len(), 1);
    let first = &document["computations"][0];
    assert_eq!(first["unit"], "step");
    assert_eq!(first["kind"], "stencil");
    assert_eq!(first["span"]["start"], serde_json::json!({"line": 5, "column": 5}));
    assert_eq!(first["specifications"][0]["region"], serde_json::json!([[[-1, 0, true]]]));
    assert_eq!(document["findings"][0]["code"], "F002");
    assert_eq!(ran.status, 2);
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/infer.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let file = serde_json::json!({"path": "a.f90", "form": "round", "statements": 1, "notUnderstood": []});
    let document = serde_json::json!({"version": 1, "files": [file], "computations": [], "findings": []});
    assert!(!validator.is_valid(&document));
}

#[test]
fn services_get_findings_alone() {
    let folder = Folder::with(&[("src/a.f90", KERNEL), ("src/b.f90", &contradicted_kernel())]);
    let of = |format: &str| {
        let ran = folder.run(&["infer", "--report", "-q", "--format", format, "src", "none.f90"]);
        assert_eq!((ran.status, ran.notes.as_str()), (2, ""), "{format}");
        ran.output
    };
    let parsed = |format: &str| serde_json::from_str::<serde_json::Value>(&of(format)).unwrap();
    let results = &parsed("sarif")["runs"][0]["results"];
    assert_eq!(results.as_array().unwrap().iter().map(|one| &one["ruleId"]).collect::<Vec<_>>(), ["F002", "S010"]);
    let issues = parsed("gitlab");
    assert_eq!(issues[1]["location"], serde_json::json!({"path": "src/b.f90", "lines": {"begin": 6, "end": 6}}));
    assert_eq!(of("github").lines().count(), 2);
    let suites = quick_junit::Report::deserialize_from_str(&of("junit")).unwrap().test_suites;
    let failures = |suite: &quick_junit::TestSuite| (suite.name.to_string(), suite.failures);
    let expected = [("none.f90".into(), 1), ("src/a.f90".into(), 0), ("src/b.f90".into(), 1)];
    assert_eq!(suites.iter().map(failures).collect::<Vec<_>>(), expected);
}

#[test]
fn the_rules_page_is_what_the_program_explains() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md")).unwrap();
    let ran = Folder::with(&[]).run(&["explain", "--all"]);
    assert!(page == ran.output, "docs/rules.md is old; `camfort-rs explain --all > docs/rules.md` makes it anew");
}

#[test]
fn the_examples_of_the_rules_break_and_keep_them() {
    for rule in RULES.rules() {
        let command = rule.commands.first().expect("some command reports it");
        for (example, breaks) in [(rule.breaks, true), (rule.keeps, false)] {
            let (files, arguments): (Vec<(&str, &str)>, Vec<&str>) = match example {
                Example::File(text) => (vec![("example.f90", text)], vec![command, "."]),
                Example::Versions { before, now } => {
                    (vec![("before/step.f90", before), ("now/step.f90", now)], vec![command, "--base", "before", "now"])
                }
                Example::CommandLine(line) => {
                    let words = line.strip_prefix("$ camfort-rs ").expect("a command line").split_whitespace();
                    (vec![("laplace.f90", KERNEL)], words.collect())
                }
                Example::Sketch(_) => continue,
            };
            let ran = Folder::with(&files).run(&[&arguments, rule.options, &["--format", "jsonl"]].concat());
            let found = ran.output.contains(&format!("\"code\":\"{}\"", rule.code));
            assert_eq!(found, breaks, "{} with\n{}\n{}{}", rule.code, example.text(), ran.output, ran.notes);
        }
    }
}

#[test]
fn explain_knows_every_rule_by_code_and_name_in_any_letter_case() {
    let folder = Folder::with(&[]);
    let list = folder.run(&["explain"]).output;
    assert!(contains_line(&list, "S010  error    region-differs"), "{list}");
    for line in list.lines() {
        let code = &line[..4];
        let name = line.split_whitespace().last().expect("a name");
        for word in [code.to_lowercase(), name.to_owned()] {
            let ran = folder.run(&["explain", &word]);
            assert!(ran.output.starts_with(&format!("## {code} `{name}`")), "{}", ran.output);
        }
    }
}

#[test]
fn completions_are_made_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = Folder::with(&[]).run(&["completions", shell]);
        assert!(ran.status == 0 && ran.output.contains("nontrivial"), "{shell}");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = Folder::with(&[]);
    assert_eq!(folder.run(&["man", "share/man1"]).status, 0);
    let page = folder.text("share/man1/camfort-rs-check.1");
    assert!(page.contains("\\-\\-baseline") && page.starts_with(".ie"), "{page}");
    for name in ["camfort-rs", "camfort-rs-infer", "camfort-rs-guard", "camfort-rs-server"] {
        assert!(folder.path(&format!("share/man1/{name}.1")).exists(), "{name}");
    }
    std::fs::write(folder.path("file"), "").unwrap();
    assert_eq!(folder.run(&["man", "file/man1"]).status, 2);
}

#[test]
fn the_names_of_camfort_are_known() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let report = folder.run(&["stencils-infer", "--format", "concise", "a.f90"]);
    assert_eq!(report.output, "a.f90:5:5: stencil readOnce, backward(depth=1, dim=1) :: a\n");
    assert_eq!(folder.text("a.f90"), KERNEL);
    folder.run(&["stencils-synth", "a.f90"]);
    assert_eq!(folder.text("a.f90"), specified_kernel());
    assert!(!folder.run(&["--help"]).output.contains("stencils"));
}

#[test]
fn every_phase_has_a_dump() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let expected = [
        ("statements", "b(i)=a(i)+a(i-1)"),
        ("tree", "Assignment  b(i) = (a(i) + a((i - 1)))"),
        ("names", "Subroutine step"),
        ("flow", "loop 0: lines 4-6: i step 1"),
        ("computations", "5:5 stencil in step"),
    ];
    for (phase, part) in expected {
        let ran = folder.run(&["debug", phase, "a.f90"]);
        assert!(ran.status == 0 && ran.output.contains(part), "{phase}: {}", ran.output);
    }
    assert_eq!(folder.run(&["parse", "a.f90"]).output, folder.run(&["debug", "tree", "a.f90"]).output);
    assert_eq!(folder.run(&["parse", "none.f90"]).status, 2);
}

#[test]
fn statistics_tell_the_share_of_computations_of_which_all_is_said() {
    let text = KERNEL.to_owned() + &KERNEL.replace("a(i-1)", "a(2*i)") + &KERNEL.replace("a(i-1)", "a(i-n)");
    let folder = Folder::with(&[("a.f90", &text)]);
    let ran = folder.run(&["infer", "--report", "--statistics", "a.f90"]);
    insta::assert_snapshot!(ran.notes, @r"
    1 array computation with a specification for every array that has a shape to state:
        33.3 % of all 3
        50.0 % of the 2 without an indirect or non-linear index
    2 arrays without a specification:
           1  non-neighbour-index  an index is neither i + c nor fixed in the loop
           1  symbolic-offset      an offset is not known at compile time
    1 file with 21 statements: 1 specification for 1 of 3 array computations, 2 arrays without one
    ");
}

#[test]
fn the_report_says_that_a_border_is_left_out() {
    let folder = Folder::with(&[("a.f90", &KERNEL.replace("a(i-1)", "a(min(i+1, n))"))]);
    let ran = folder.run(&["infer", "--report", "a.f90"]);
    insta::assert_snapshot!(ran.output, @r"
    a.f90:5:5  step
       5 | b(i) = a(i) + a(min(i+1, n))
         = stencil readOnce, forward(depth=1, dim=1) :: a
         = away from the border: the other value of 'min(i+1, n)' is left out for 'a'
    ");
}

#[test]
fn a_stencil_is_found_in_a_function_of_another_file() {
    let library = "module operators\ncontains\n  pure real function across(v, at)\n    real, intent(in) :: v(:)\n    \
                   integer, intent(in) :: at\n    across = v(at+1) - v(at-1)\n  end function\nend module\n";
    let user = "subroutine step(a, b, n)\n  use operators, only: slope => across\n  integer :: n, i\n  real :: a(n), b(n)\n  \
                do i = 2, n - 1\n    b(i) = slope(at=i, v=a)\n  end do\nend subroutine\n";
    let folder = Folder::with(&[("z_library.f90", library), ("user.f90", user)]);
    let ran = folder.run(&["infer", "--report", "--list", "."]);
    assert!(ran.output.contains("stencil readOnce, centered(depth=1, dim=1, nonpointed) :: a"), "{}", ran.output);
    // Without that file nothing is known of the function.
    let alone = folder.run(&["infer", "--report", "user.f90"]);
    assert!(!alone.output.contains("stencil"), "{}", alone.output);
}

#[test]
fn a_function_that_may_write_or_call_is_not_followed() {
    let function = |action: &str, prefix: &str| {
        format!("{prefix}real function across(v, k)\nreal v(9)\ninteger k\n{action}\nacross = v(k+1) - v(k-1)\nend\n")
    };
    let user = "subroutine step(a, b)\nreal a(9), b(9)\nreal, external :: across\ninteger i\n\
                do i = 2, 8\nb(i) = across(a, i)\nend do\nend\n";
    for (action, is_followed) in
        [("", true), ("if (k > 7) print *, v", false), ("call log(k)", false), ("if (k > 7) call log(k)", false)]
    {
        let in_two = Folder::with(&[("across.f90", &function(action, "")), ("step.f90", user)]);
        let in_one = Folder::with(&[("both.f90", &(function(action, "") + user))]);
        for folder in [in_two, in_one] {
            let ran = folder.run(&["infer", "--report", "--list", "."]);
            assert_eq!(ran.output.contains("stencil"), is_followed, "{action}: {}", ran.output);
        }
    }
    // PURE is a promise.
    let folder = Folder::with(&[("across.f90", &function("call check", "pure ")), ("step.f90", user)]);
    assert!(folder.run(&["infer", "--report", "--list", "."]).output.contains("stencil"));
}

#[test]
fn an_external_function_is_followed_where_there_is_one_of_its_name() {
    let function = "      REAL FUNCTION ACROSS(V, K)\n      REAL V(9)\n      INTEGER K\n      ACROSS = V(K+1) - V(K-1)\n      END\n";
    let user = "      SUBROUTINE STEP(A, B)\n      REAL A(9), B(9), ACROSS\n      INTEGER I\n      EXTERNAL ACROSS\n      \
                DO 10 I = 2, 8\n   10 B(I) = ACROSS(A, I)\n      END\n";
    let folder = Folder::with(&[("across.f", function), ("step.f", user)]);
    let ran = folder.run(&["infer", "--report", "--list", "."]);
    assert!(ran.output.contains("stencil readOnce, centered(depth=1, dim=1, nonpointed) :: A"), "{}", ran.output);
    // A copy is as good as the first; of two that differ it is not known which is meant.
    let copy = function.replace("V(K+1) - V(K-1)", "V( K+1 )-V(K-1)").to_lowercase();
    let other = function.replace("V(K-1)", "V(K-2)");
    for (another, is_known) in [(copy, true), (other, false)] {
        let folder = Folder::with(&[("across.f", function), ("another.f", another.as_str()), ("step.f", user)]);
        let ran = folder.run(&["infer", "--report", "--list", "."]);
        assert_eq!(ran.output.contains("stencil"), is_known, "{}", ran.output);
    }
}

/// A device has no end, and a pipe that nobody writes to no beginning.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let including = format!("#include \"/dev/zero\"\n{KERNEL}");
    let folder = Folder::with(&[("a.F90", &including), ("b.F90", &including.replace("/dev/zero", "pipe"))]);
    let made = std::process::Command::new("mkfifo").args([folder.path("pipe"), folder.path("c.f90")]).status();
    assert!(made.unwrap().success());
    let ran = folder.run(&["check", "--format", "concise", "a.F90", "b.F90"]);
    assert_eq!(ran.output.matches("F003").count(), 2, "{}", ran.output);
    for path in ["/dev/zero", "c.f90"] {
        let ran = folder.run(&["check", "--format", "concise", path]);
        assert!(ran.status == 2 && ran.output.contains("it is no regular file"), "{}{}", ran.output, ran.notes);
    }
    // In a directory it is passed over as it always was.
    assert_eq!(folder.run(&["infer", "--report", "--list", "."]).status, 0);
    for arguments in [&["survey", "merge", "/dev/zero"][..], &["survey", "--partial", "pipe", "a.F90"]] {
        let ran = folder.run(arguments);
        assert!(ran.status == 2 && ran.notes.contains("it is no regular file"), "{arguments:?}: {}", ran.notes);
    }
}

/// What tells the form of a file may stand far down: behind the lines that are inserted it is not looked at any more.
#[test]
fn after_the_edit_a_file_is_read_in_the_form_it_had() {
    let code = "      subroutine step(a, b, n)\n      integer :: n, i\n      real :: a(n), b(n)\n      do i = 2, n\n        \
                b(i) = a(i) + a(i-1)\n      end do\n";
    // So many bytes are looked at; only the last line is impossible in fixed form.
    let filling = (1 << 20) - code.len() - 32;
    let comments = format!("!{}\n", "x".repeat(62)).repeat(filling / 64);
    let folder = Folder::with(&[("a.f", &format!("{code}{comments}end subroutine\n"))]);
    let ran = folder.run(&["infer", "a.f"]);
    assert_eq!(ran.status, 0, "{}", ran.notes);
    assert!(
        folder.text("a.f").contains("        != stencil readOnce, backward(depth=1, dim=1) :: a\n"),
        "{}",
        ran.notes
    );
}

#[test]
fn without_a_path_the_current_directory_is_meant() {
    let folder = Folder::with(&[("src/kernel.f90", KERNEL)]);
    for arguments in [&["infer", "--report"][..], &["check", "--require", "all"], &["survey"]] {
        let (without, with) = (folder.run(arguments), folder.run(&[arguments, &["."]].concat()));
        assert_eq!((&without.output, without.status), (&with.output, with.status), "{arguments:?}");
        assert!(!without.output.is_empty() && without.status < 2, "{}", without.notes);
    }
}

#[test]
fn assumptions_of_procedures_are_listed() {
    let text = "subroutine step(a, m)\n  integer, intent(in) :: m\n  real, intent(inout) :: a(:)\n  \
                if (m > 1) a(m) = 0\nend subroutine\n";
    let folder = Folder::with(&[("a.f90", text)]);
    let ran = folder.run(&["shapes", "--assumptions", "a.f90"]);
    assert!(ran.output.contains("= subscript 1 of 'a(m)' within 1:size(a)  exact  A004  line 4"), "{}", ran.output);
    let json = folder.run(&["shapes", "--assumptions", "--format", "json", "a.f90"]).output;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["procedures"][0]["procedure"], "step");
    assert_eq!(document["procedures"][0]["requires"][0]["rule"], "A004");
    assert!(!folder.run(&["shapes", "--format", "json", "a.f90"]).output.contains("\"procedures\""));
}

#[test]
fn what_shapes_does_not_decide_is_listed() {
    let text = "subroutine step(a, b, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: a(n), b(n)\n  \
                if (all(a(1:n) > b(1:n)) .eqv. is_wide(n)) a(n + 1) = 0\nend subroutine\n";
    let folder = Folder::with(&[("a.f90", text)]);
    let ran = folder.run(&["shapes", "--undecided", "a.f90"]);
    let line = "= subscript 1 of 'a(n+1)' within 1:n  undecided  A004  line 4  (depends on '";
    assert!(ran.output.contains(line), "{}", ran.output);
    let json = folder.run(&["shapes", "--undecided", "--format", "json", "a.f90"]).output;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["procedures"][0]["undecided"][0]["rule"], "A004");
}

#[test]
fn what_leaves_its_bounds_is_shown_with_its_region() {
    let text = "subroutine step(a, b, n)\n  integer :: n, i\n  real :: a(n), b(n)\n  do i = 1, n\n    \
                b(i) = a(i) + a(i-1)\n  end do\nend subroutine\n";
    let folder = Folder::with(&[("a.f90", text)]);
    let ran = folder.run(&["shapes", "a.f90"]);
    assert!(ran.output.contains("inferred: stencil readOnce, backward(depth=1, dim=1) :: a"), "{}", ran.output);
}
