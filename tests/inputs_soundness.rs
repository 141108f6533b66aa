//! What `inputs` calls an error makes the program fail: the programs of `tests/fixtures/inputs`, compiled by gfortran,
//! run on data files that were changed at random.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so, and the figures are a result of their own")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

mod common;
#[path = "inputs/random.rs"]
mod random;

use common::gfortran_is_there;
use random::Random;

/// How many changed data sets are tried for each program.
const TRIES: usize = 20;

#[test]
fn what_is_an_error_makes_the_program_fail() {
    if !gfortran_is_there() {
        return;
    }
    let cases: Value = serde_json::from_str(&fs::read_to_string(base().join("cases.json")).unwrap()).unwrap();
    let mut random = Random::new(7);
    let (mut failing, mut found, mut wrong) = (0, 0, Vec::new());
    for program in cases["inputs"].as_array().unwrap() {
        let directory = tempfile::tempdir().unwrap();
        compile(program, directory.path());
        for _ in 0..TRIES {
            let data = program["data"].as_array().unwrap();
            let case = &data[random.below(data.len())];
            let texts = changed(program, case, directory.path(), &mut random);
            let fails = fails(case, directory.path());
            let errors = errors(program, case, directory.path());
            failing += usize::from(fails);
            found += usize::from(fails && !errors.is_empty());
            if !fails && !errors.is_empty() {
                wrong.push(format!("{}: {errors:?}\n{}", program["name"], texts.join("\n---\n")));
            }
        }
    }
    eprintln!("{failing} changed data sets make a program fail; {found} of them are found");
    assert!(wrong.is_empty(), "{} errors that are none\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(10 * found >= 9 * failing, "only {found} of {failing} failures are found");
}

fn base() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/inputs")
}

fn sources(program: &Value) -> Vec<PathBuf> {
    program["sources"].as_array().unwrap().iter().map(|it| base().join(it.as_str().unwrap())).collect()
}

fn compile(program: &Value, directory: &Path) {
    let compiled = Command::new("gfortran")
        .args(["-O0", "-w", "-o", "program"])
        .args(sources(program))
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// The name of a data file where the program runs.
fn file_name(program: &Value, unit: &str) -> String {
    program["files"][unit].as_str().unwrap_or("standard-input").to_owned()
}

/// Writes the data files of a case with some words changed.
fn changed(program: &Value, case: &Value, directory: &Path, random: &mut Random) -> Vec<String> {
    let mut texts = Vec::new();
    for (unit, file) in case["check"].as_object().unwrap() {
        let mut text = fs::read_to_string(base().join(file.as_str().unwrap())).unwrap();
        for _ in 0..random.below(3) {
            text = change(&text, random);
        }
        fs::write(directory.join(file_name(program, unit)), &text).unwrap();
        texts.push(text);
    }
    texts
}

/// A text with one word or line changed, doubled or left out.
fn change(text: &str, random: &mut Random) -> String {
    let words =
        ["0", "-1", "1", "7", "60", "1e3", "0.5", "x", "2*3", "T", "'a b'", "/", ",", "99999999999", "", "5.5.5"];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    let Some(line) = lines.get(at).cloned() else { return words[random.below(words.len())].to_owned() };
    match random.below(8) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, line),
        2 => lines.truncate(at),
        _ => {
            let mut parts: Vec<&str> = line.split(' ').collect();
            let part = random.below(parts.len());
            parts[part] = words[random.below(words.len())];
            lines[at] = parts.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

/// Whether the program fails on the data files.
fn fails(case: &Value, directory: &Path) -> bool {
    let reads_input = case["check"].get("*").is_some();
    let input = match reads_input {
        true => Stdio::from(fs::File::open(directory.join("standard-input")).unwrap()),
        false => Stdio::null(),
    };
    let run = Command::new(directory.join("program")).current_dir(directory).stdin(input).output().unwrap();
    !run.status.success() || String::from_utf8_lossy(&run.stderr).contains("STOP")
}

/// The errors that are told of the data files.
fn errors(program: &Value, case: &Value, directory: &Path) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_camfort-rs"));
    command.args(["inputs", "--format", "json"]);
    for unit in case["check"].as_object().unwrap().keys() {
        let file = file_name(program, unit);
        let is_unit = unit == "*" || unit.parse::<u32>().is_ok();
        let name = if is_unit { unit } else { &file };
        command.arg("--check").arg(format!("{name}={}", directory.join(&file).display()));
    }
    let output = command.args(sources(program)).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = document["findings"].as_array().unwrap().iter();
    let errors = findings.filter(|finding| finding["severity"] == "error");
    errors.map(|finding| format!("{} {} {}", finding["code"], finding["span"]["start"], finding["message"])).collect()
}
