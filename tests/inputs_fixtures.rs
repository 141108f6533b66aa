//! Data files of sixteen programs, each with what is wrong in it: `tests/fixtures/inputs/cases.json` lists them.
//!
//! A case names the files by unit (`check`), and what must be found (`expect`): file, line, column, code. What is
//! `optional` may be found too. gfortran was the referee: with a finding's `fix` in its place the program runs on, and
//! without it fails at `at`.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A finding: file, line, column, code.
type Found = (String, u64, u64, String);

#[test]
fn what_is_wrong_with_data_is_found_and_nothing_else() {
    let base = base();
    let mut wrong = Vec::new();
    let mut count = 0;
    for program in programs() {
        for case in program["data"].as_array().unwrap() {
            count += 1;
            let found = inputs(&program, case, &[]);
            wrong.extend(difference(&program, case, &found));
        }
    }
    assert!(count > 90, "only {count} cases in {}", base.display());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_plan_that_was_written_finds_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for program in programs() {
        let plan = directory.path().join("plan.json");
        let output = command(&["inputs", "--format", "json"], &sources(&program));
        assert!(output.status.success());
        std::fs::write(&plan, output.stdout).unwrap();
        for case in program["data"].as_array().unwrap() {
            let found = inputs(&program, case, &["--plan", plan.to_str().unwrap()]);
            wrong.extend(difference(&program, case, &found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is held against nothing has not passed.
#[test]
fn data_that_no_program_reads_is_an_error() {
    let (program, data) = (base().join("tides/tides.f90"), base().join("tides/records.dat"));
    let check = format!("--check=unknown={}", data.display());
    let ran = command(&["inputs", &check], &[program.display().to_string()]);
    assert_eq!(ran.status.code(), Some(2));
    let notes = String::from_utf8_lossy(&ran.stderr);
    assert!(notes.contains("nothing was checked") && !notes.contains("nothing found"), "{notes}");
}

/// Initial values, DATA, constant arrays, COMMON and short integers: gfortran says of each of these data what is here.
#[test]
fn values_that_declarations_give_are_known() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("in.txt");
    let cases = [
        ("3 1 1.0 1\n5\n", None),
        ("6 1 1.0 1\n5\n", Some("most")),
        ("1 1 1.0 1\n5\n", Some("least")),
        ("3 3 1.0 1\n5\n", Some("allowed")),
        ("3 1 20.5 1\n5\n", Some("scale")),
        ("3 1 6.5 1\n5\n", Some("common")),
        ("3 1 1.0 1\n300\n", Some("wrapped")),
        ("3 1 1.0 1\n60\n", Some("twice")),
        ("3 1 1.0 1\n100\n", None),
    ];
    for (text, expected) in cases {
        std::fs::write(&data, text).unwrap();
        let check = format!("--check=*={}", data.display());
        let source = base().join("known/known.f90").display().to_string();
        let ran = command(&["inputs", "--format", "json", &check], &[source]);
        let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let found = document["findings"].as_array().unwrap();
        let stops: Vec<bool> = found
            .iter()
            .map(|one| expected.is_some_and(|text| one.to_string().contains(&format!("(\\\"{text}\\\")"))))
            .collect();
        assert_eq!(stops, vec![true; usize::from(expected.is_some())], "{text}: {found:?}");
    }
}

/// Of a condition that depends on something unknown the rest is told if that is asked, as a warning.
#[test]
fn what_is_known_of_a_condition_is_told_as_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).unwrap();
        directory.path().join(name).display().to_string()
    };
    let program = "integer :: n, m\nlogical, external :: is_strict\nread (*, *) n, m\nif (is_strict(m)) then\n  \
                   if (n < 1) stop 'n'\nend if\nif (m < 1) stop 'm'\nprint *, n, m\nend\n";
    let sources = [file("p.f90", program)];
    let check = format!("--check=*={}", file("in.txt", "0 0\n"));
    let told = |options: &[&str]| {
        let ran = command(&[&["inputs", "--format", "concise", &check], options].concat(), &sources);
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
    };
    let (status, exact) = told(&[]);
    assert!(status == Some(1) && exact.contains("m >= 1") && !exact.contains("n >= 1"), "{exact}");
    let (_, all) = told(&["--approximate"]);
    let warned = all.lines().find(|line| line.contains("n >= 1")).unwrap();
    assert!(warned.contains("warning") && all.lines().count() == 2, "{all}");
    std::fs::write(directory.path().join("in.txt"), "0 1\n").unwrap();
    assert_eq!(told(&["--approximate"]).0, Some(0));
    let plan = String::from_utf8(command(&["inputs", "--approximate"], &sources).stdout).unwrap();
    assert!(plan.contains("needs m >= 1") && plan.contains("approx. n >= 1"), "{plan}");
}

/// What the configuration calls fatal ends a program, and with `stops` each STOP with a text is a failure.
#[test]
fn failures_of_the_configuration_count() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).unwrap();
        directory.path().join(name).display().to_string()
    };
    let program = "integer :: n, m, k\ninteger, parameter :: fatal = 2\nread (*, *) n, m, k\nif (n < 1) call endrun('n')\n\
                   if (m < 1) call report(fatal, 'm')\nif (k < 1) call report(1, 'k')\nif (n > 9) stop 'large'\n\
                   stop 'done'\nend\n";
    let sources = [file("p.f90", program)];
    let told = |config: &str, data: &str| {
        let config = format!("--config={}", file("camfort.toml", config));
        let check = format!("--check=*={}", file("in.txt", data));
        let ran = command(&["inputs", "--format", "concise", &config, &check], &sources);
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(told("", "0 0 0\n"), "");
    let fatal = "[requires]\nfatal = [\"endrun\", \"report(1 = FATAL)\"]\n";
    assert_eq!(told(fatal, "1 1 0\n"), "");
    let found = told(fatal, "0 0 0\n");
    let lines: Vec<&str> = found.lines().collect();
    let named = |line: usize, place: &str| lines[line].contains("I002") && lines[line].contains(place);
    assert!(lines.len() == 2 && named(0, "p.f90:4") && named(1, "p.f90:5"), "{found}");
    let stops = "integer :: n\nread (*, *) n\nif (n < 1) call finish\nend\nsubroutine finish\nstop 'bad'\nend\n";
    let sources = [file("q.f90", stops)];
    let told = |config: &str| {
        let config = format!("--config={}", file("camfort.toml", config));
        let check = format!("--check=*={}", file("in.txt", "0\n"));
        let ran = command(&["inputs", "--format", "concise", &config, &check], &sources);
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(told(""), "");
    let found = told("[requires]\nstops = \"text\"\n");
    assert!(found.lines().count() == 1 && found.contains("I002"), "{found}");
}

/// Small programs, one for each kind of thing that plans are to say: the plan of `kinds/x.f90` is `kinds/x.plan`, and
/// comments `!! NAME=TEXT ; … -> CODE PLACE …` say what is found in data. `UPDATE_PLANS=1` writes the plans anew.
#[test]
fn small_programs_have_their_plans_and_findings() {
    let directory = base().join("kinds");
    let mut programs: Vec<String> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".f90"))
        .collect();
    programs.sort();
    let mut wrong = Vec::new();
    for program in programs {
        let plan = directory.join(program.replace(".f90", ".plan"));
        let ran = run_in(&directory, &["inputs".to_owned(), program.clone()]);
        if std::env::var_os("UPDATE_PLANS").is_some() {
            std::fs::write(&plan, &ran).unwrap();
        }
        let expected = std::fs::read_to_string(&plan).unwrap_or_default();
        if ran != expected {
            wrong.push(format!("{program}: the plan is\n{ran}\nand not\n{expected}"));
        }
        let text = std::fs::read_to_string(directory.join(&program)).unwrap();
        for case in text.lines().filter_map(|line| line.trim().strip_prefix("!! ")) {
            wrong.extend(wrong_case(&directory.join(&program), case));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Which of two external procedures of one name is meant is not known, but one in a file of another program is not.
#[test]
fn of_two_procedures_of_one_name_none_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    let reads = "subroutine fetch(n)\ninteger :: n\nread (*, *) n\nend subroutine\n";
    file("a.f90", "program a\ninteger :: n\ncall fetch(n)\nread (*, *) n\nif (n < 1) stop 'n'\nend program\n");
    file("b.f90", reads);
    file("c.f90", &format!("program c\nend program\n{reads}"));
    let plan = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned());
        run_in(directory.path(), &[vec!["inputs".to_owned()], paths.collect()].concat())
    };
    let followed = plan(&["a.f90", "b.f90", "c.f90"]);
    assert!(followed.contains("b.f90:3") && followed.contains("needs n >= 1"), "{followed}");
    file("d.f90", reads);
    let lost = plan(&["a.f90", "b.f90", "c.f90", "d.f90"]);
    assert!(lost.contains("what is read is not known"), "{lost}");
}

/// What is not as a line `NAME=TEXT ; … -> CODE NAME:LINE:COLUMN …` says.
fn wrong_case(program: &Path, case: &str) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let (data, expected) = case.split_once("->").unwrap();
    let mut arguments = vec!["inputs".to_owned(), "--format=json".to_owned(), program.display().to_string()];
    for one in data.split(" ; ") {
        let (name, text) = one.trim().split_once('=').unwrap();
        let file = if name == "*" { "stdin" } else { name };
        std::fs::write(directory.path().join(file), text.replace("\\n", "\n")).unwrap();
        arguments.extend(["--check".to_owned(), format!("{name}={file}")]);
    }
    let found = run_in(directory.path(), &arguments);
    let document: Value = serde_json::from_str(&found).unwrap_or_else(|_| panic!("{case}: {found}"));
    let findings = document["findings"].as_array().unwrap().iter();
    let found = findings.map(|one| {
        let start = &one["span"]["start"];
        let (code, path) = (one["code"].as_str().unwrap(), one["path"].as_str().unwrap());
        format!("{code} {path}:{}:{}", start["line"], start["column"])
    });
    let found: Vec<String> = found.collect();
    let expected: Vec<&str> = expected.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    (found != expected).then(|| format!("{} {case}: {found:?}", program.display()))
}

fn run_in(directory: &Path, arguments: &[String]) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_camfort-rs")).args(arguments).current_dir(directory).output().unwrap();
    String::from_utf8(ran.stdout).unwrap()
}

fn base() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/inputs")
}

fn programs() -> Vec<Value> {
    let text = std::fs::read_to_string(base().join("cases.json")).unwrap();
    let cases: Value = serde_json::from_str(&text).unwrap();
    cases["inputs"].as_array().unwrap().clone()
}

fn sources(program: &Value) -> Vec<String> {
    let sources = program["sources"].as_array().unwrap().iter();
    sources.map(|source| base().join(source.as_str().unwrap()).display().to_string()).collect()
}

fn command(arguments: &[&str], rest: &[String]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_camfort-rs")).args(arguments).args(rest).output().unwrap()
}

/// What the command finds in the data files of a case; a unit that NEWUNIT gives goes by the name of its file.
fn inputs(program: &Value, case: &Value, options: &[&str]) -> BTreeSet<Found> {
    let mut arguments: Vec<String> = Vec::new();
    for (unit, file) in case["check"].as_object().unwrap() {
        let is_unit = unit == "*" || unit.parse::<u32>().is_ok();
        let name = if is_unit { unit } else { program["files"][unit].as_str().unwrap() };
        let path = base().join(file.as_str().unwrap());
        arguments.extend(["--check".to_owned(), format!("{name}={}", path.display())]);
    }
    if options.is_empty() {
        arguments.extend(sources(program));
    }
    let options = [&["inputs", "--format", "json"], options].concat();
    let output = command(&options, &arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let findings = document["findings"].as_array().unwrap().iter();
    let found = findings.map(|finding| {
        let start = &finding["span"]["start"];
        let path = finding["path"].as_str().unwrap();
        let name = Path::new(path).file_name().unwrap().to_string_lossy().into_owned();
        let (line, column) = (start["line"].as_u64().unwrap(), start["column"].as_u64().unwrap());
        (name, line, column, finding["code"].as_str().unwrap().to_owned())
    });
    found.filter(|found| found.3.starts_with('I')).collect()
}

fn difference(program: &Value, case: &Value, found: &BTreeSet<Found>) -> Option<String> {
    let (mut must, mut may) = (BTreeSet::new(), BTreeSet::new());
    for one in case["expect"].as_array().unwrap() {
        let file = Path::new(one["file"].as_str().unwrap()).file_name().unwrap().to_string_lossy().into_owned();
        let (line, column) = (one["line"].as_u64().unwrap(), one["column"].as_u64().unwrap());
        let expected = (file, line, column, one["code"].as_str().unwrap().to_owned());
        if one["optional"] == Value::Bool(true) {
            may.insert(expected)
        } else {
            must.insert(expected)
        };
    }
    let missing: Vec<&Found> = must.difference(found).collect();
    let surplus: Vec<&Found> = found.iter().filter(|one| !must.contains(*one) && !may.contains(*one)).collect();
    let is_right = missing.is_empty() && surplus.is_empty();
    (!is_right).then(|| format!("{} {}: missing {missing:?}, surplus {surplus:?}", program["name"], case["name"]))
}

/// The error handler of LAPACK stops the program, unless the files have another one.
#[test]
fn an_error_handler_among_the_files_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    file("a.f90", "program a\ninteger :: n\nread (*, *) n\nif (n < 1) call xerbla('a', 1)\nend program\n");
    file("b.f90", "subroutine xerbla(name, at)\ncharacter(*) :: name\ninteger :: at\nprint *, name\nend subroutine\n");
    let plan = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned());
        run_in(directory.path(), &[vec!["inputs".to_owned()], paths.collect()].concat())
    };
    assert!(plan(&["a.f90"]).contains("needs n >= 1"), "{}", plan(&["a.f90"]));
    assert!(!plan(&["a.f90", "b.f90"]).contains("needs"), "{}", plan(&["a.f90", "b.f90"]));
}

/// The examples of docs/inputs.md are what the program prints, up to what is left out.
#[test]
fn the_examples_of_the_manual_are_what_the_program_prints() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/inputs.md")).unwrap();
    let ocean = programs().into_iter().find(|program| program["name"] == "ocean").unwrap();
    let names = ocean["sources"].as_array().unwrap().iter();
    let ocean: Vec<&str> = names.map(|name| name.as_str().unwrap().strip_prefix("ocean/").unwrap()).collect();
    let examples: [(&str, &str, Vec<&str>); 3] = [
        ("unit 10, 'grades.txt'", "grades", vec!["grades.f90"]),
        ("error[I002]: '130'", "", vec!["--check", "*=cars/conditions.txt", "cars/cars.f90"]),
        ("&physics ocean_config.f90:33", "ocean", ocean),
    ];
    for (first, directory, arguments) in examples {
        let arguments: Vec<String> = ["inputs"].into_iter().chain(arguments).map(str::to_owned).collect();
        let printed = run_in(&base().join(directory), &arguments);
        let printed: Vec<&str> = printed.lines().map(str::trim).collect();
        let lines = text.lines().skip_while(|line| !line.trim().starts_with(first));
        let shown = lines.take_while(|line| line.starts_with("    ") && line.trim() != "…").map(str::trim);
        let shown: Vec<&str> = shown.collect();
        assert!(shown.len() > 3, "{first} is no example any more");
        assert!(printed.windows(shown.len()).any(|lines| lines == shown), "{shown:#?} is not in {printed:#?}");
    }
}
