//! The files of `tests/fixtures/parse` hold what tools are known to choke on. In each, every statement is understood,
//! the source form is the right one, and there are exactly the findings that `cases.toml` lists.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::source::SourceForm;
use camfort_rs::workspace::{Project, SourceOptions};
use serde::Deserialize;

/// What must come of one file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    form: Form,
    #[serde(default)]
    findings: Vec<String>,
    #[serde(default)]
    defines: Vec<String>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Form {
    Fixed,
    Free,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parse")
}

/// What is wrong with the result for a file.
fn faults(name: &str, case: &Case) -> Vec<String> {
    let path = folder().join(name);
    let Ok(bytes) = std::fs::read(&path) else { return vec![format!("{name}: is not there")] };
    let options = SourceOptions { defines: case.defines.clone(), ..SourceOptions::default() };
    let project = Project::load(std::slice::from_ref(&path), options);
    let view = project.view(&path, bytes);
    let result = analyse::<Infer>(&view, InferOptions::default());
    let form = match view.tree().source.form {
        SourceForm::Fixed => Form::Fixed,
        SourceForm::Free => Form::Free,
    };
    let mut faults = Vec::new();
    if form != case.form {
        faults.push(format!("{name}: is read in {form:?} form"));
    }
    for (span, reason) in view.not_understood() {
        let (path, start, _) = view.texts().locate(span);
        faults.push(format!("{}:{}:{}: {reason}", path.display(), start.line, start.column));
    }
    let mut codes: Vec<&str> = result.findings.iter().map(|finding| finding.rule.code).collect();
    codes.sort_unstable();
    codes.dedup();
    if codes != case.findings {
        let found: Vec<String> = result.findings.iter().map(|finding| finding.message.clone()).collect();
        faults.push(format!("{name}: gives {codes:?} instead of {:?}: {found:?}", case.findings));
    }
    faults
}

#[test]
fn every_statement_is_understood_and_only_what_is_listed_is_found() {
    let table = std::fs::read_to_string(folder().join("cases.toml")).expect("the table is there");
    let cases: BTreeMap<String, Case> = toml::from_str(&table).expect("the table is valid TOML");
    let mut wrong: Vec<String> = cases.iter().flat_map(|(name, case)| faults(name, case)).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder is there").filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && name != "cases.toml" && !cases.contains_key(&name) {
            wrong.push(format!("{name}: is not in cases.toml"));
        }
    }
    assert!(cases.len() >= 30, "only {} cases", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
