//! Every file of tests/fixtures/check is its own expectation: a comment line `!~ CODE[,CODE]` expects these findings on
//! the line above it (marks in a row share that line), `!~? CODE` allows one, and nothing else may be found. Each file
//! is checked with every solver. Files whose name ends in `_required` are checked with that requirement. What `corpus/`
//! and `tests/fixtures/infer` specify must hold, and be all that can be said.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::check::Require;
use camfort_rs::analysis::stencil::{Check, CheckOptions, CheckOutcome, StencilOptions};
use camfort_rs::solve::Procedure;
use camfort_rs::workspace::{Project, SourceOptions};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root.join("tests/fixtures/check")).expect("the fixtures are there");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut trials: Vec<Trial> = paths
        .filter(|path| path.extension().is_none_or(|extension| extension != "inc"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(name, move || check(&path))
        })
        .collect();
    for folder in ["corpus", "tests/fixtures/infer"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("part of the repository") {
            let path = entry.expect("readable").path();
            let is_fortran =
                path.extension().is_some_and(|extension| ["f", "f90", "F90"].iter().any(|one| extension == *one));
            if is_fortran {
                let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                trials.push(Trial::test(name, move || holds(&path)));
            }
        }
    }
    trials.sort_by(|one, other| one.name().cmp(other.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// What inference writes holds, and nothing is missing.
fn holds(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let project = Project::load(&[path.to_path_buf()], SourceOptions::default());
    let options = CheckOptions { require: Require::All, ..CheckOptions::default() };
    let result = analyse::<Check>(&project.view(path, bytes), options);
    let wrong: Vec<_> = result.findings.iter().filter(|finding| finding.rule.code.starts_with('S')).collect();
    if wrong.is_empty() && result.holding == result.specifications { Ok(()) } else { Err(format!("{wrong:#?}").into()) }
}

fn check(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let require = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("all_required") => Require::All,
        Some("nontrivial_required") => Require::Nontrivial,
        _ => Require::Nothing,
    };
    let (expected, optional) = marks(&text);
    for procedure in [Procedure::Z3, Procedure::Native, Procedure::Both] {
        let project = Project::load(&[path.to_path_buf()], SourceOptions::default());
        let view = project.view(path, bytes.as_slice());
        let stencils = StencilOptions { solver: procedure, ..StencilOptions::default() };
        let result = analyse::<Check>(&view, CheckOptions { stencils, require });
        for included in view.texts().all().iter().skip(1) {
            has_marks_of_its_own(&included.path, &String::from_utf8_lossy(&included.bytes), &result)?;
        }
        let mut found = Codes::new();
        for finding in result.findings.iter().filter(|finding| finding.location.path == path) {
            let line = finding.location.start.line;
            if !optional.get(&line).is_some_and(|codes| codes.contains(&finding.rule.code)) {
                found.entry(line).or_default().push(finding.rule.code);
            }
        }
        found.values_mut().for_each(|codes| codes.sort_unstable());
        if found != expected {
            let all: Vec<String> = result.findings.iter().map(|finding| format!("{finding:#?}")).collect();
            return Err(format!("{procedure:?}\nexpected {expected:?}\nfound    {found:?}\n{}", all.join("\n")).into());
        }
        let written = text.lines().filter(|line| is_specification(line)).count();
        if result.specifications < written {
            return Err(
                format!("{written} specifications are written, only {} were seen", result.specifications).into()
            );
        }
    }
    Ok(())
}

/// An included file is its own expectation too.
fn has_marks_of_its_own(path: &Path, text: &str, result: &CheckOutcome) -> Result<(), Failed> {
    let (expected, _) = marks(text);
    let mut found = Codes::new();
    for finding in result.findings.iter().filter(|finding| finding.location.path == path) {
        found.entry(finding.location.start.line).or_default().push(finding.rule.code);
    }
    if found == expected { Ok(()) } else { Err(format!("{}: {found:?}", path.display()).into()) }
}

/// Codes by line, sorted.
type Codes<'t> = BTreeMap<u32, Vec<&'t str>>;

/// The codes that are expected and those that are allowed, by line.
fn marks(text: &str) -> (Codes<'_>, Codes<'_>) {
    let (mut expected, mut optional) = (Codes::new(), Codes::new());
    let mut marked_line = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(mark) = line.trim_start().strip_prefix("!~") else {
            marked_line = number;
            continue;
        };
        let (of_kind, codes) = match mark.strip_prefix('?') {
            Some(codes) => (&mut optional, codes),
            None => (&mut expected, mark),
        };
        let codes_of_line: &mut Vec<&str> = of_kind.entry(marked_line).or_default();
        codes_of_line.extend(codes.split(',').map(str::trim));
        codes_of_line.sort_unstable();
    }
    (expected, optional)
}

/// Whether a line is a specification in the plainest way.
fn is_specification(line: &str) -> bool {
    let signs = ["!= ", "c= ", "C= ", "*= "];
    let text = signs.iter().find_map(|sign| line.trim_start().strip_prefix(sign));
    text.is_some_and(|text| text.starts_with("stencil ") || text.starts_with("access "))
}
