//! The procedures of tests/fixtures/requires with what they need: `cases.json` says for each of many valuations whether
//! the procedure stops the program, and where (a compiler and a run have confirmed that). The exact requirements,
//! evaluated over the values, are all true if and only if it does not, and one at the failing place is false if it
//! does. The JSON Schema of a procedure is valid by the meta-schema, and accepts and rejects the valuations as is said.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[path = "requires/evaluate.rs"]
mod evaluate;

mod common;

use common::Folder;
use evaluate::{Environment, Truth, holds};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/requires")
}

fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("cases.json")).unwrap();
    let Value::Array(cases) = serde_json::from_str::<Value>(&text).unwrap()["requires"].take() else { panic!() };
    cases
}

/// Runs the program on the files of a case.
fn run(case: &Value, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_camfort-rs"));
    command.current_dir(folder()).arg("requires").args(arguments);
    if let Some(fatal) = case["config"]["fatal"].as_array() {
        let list: Vec<String> = fatal.iter().map(Value::to_string).collect();
        command.arg("--config").arg(format!("requires.fatal = [{}]", list.join(", ")));
    }
    command.args(texts(&case["sources"]));
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The entries of a case, each with what the program lists of it.
fn entries<'c>(case: &'c Value, listed: &'c Value) -> Vec<(&'c Value, &'c Value)> {
    let mut found = Vec::new();
    for entry in case["entries"].as_array().unwrap() {
        let procedures = listed["procedures"].as_array().unwrap();
        let is_this = |procedure: &&Value| procedure["procedure"] == entry["procedure"];
        found.push((entry, procedures.iter().find(is_this).unwrap_or_else(|| panic!("{}", entry["procedure"]))));
    }
    found
}

fn place(at: &Value) -> String {
    format!("{}:{}", at["path"].as_str().unwrap().rsplit('/').next().unwrap(), at["line"])
}

#[test]
fn exact_requirements_hold_if_and_only_if_nothing_fails() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for case in cases() {
        let listed = run(&case, &["--format", "json"]);
        for (entry, procedure) in entries(&case, &listed) {
            for valuation in entry["valuations"].as_array().unwrap() {
                if valuation["approximate"] == true {
                    continue;
                }
                tried += 1;
                let environment = Environment::new(entry, valuation);
                let exact = procedure["requirements"].as_array().unwrap().iter().filter(|one| one["exact"] == true);
                let broken: Vec<String> = exact
                    .filter(|one| holds(&one["condition"], &environment) == Truth::False)
                    .map(|one| place(&one["at"]))
                    .collect();
                let fails = valuation["fails"] == true;
                let is_named = !fails || broken.iter().any(|at| valuation["at"] == **at);
                if broken.is_empty() == fails || !is_named {
                    wrong.push(format!("{} {valuation}: {broken:?}", entry["procedure"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 250, "{tried}");
}

/// The dead checks of the sources, and the places at which requirements are expected.
#[test]
fn requirements_stand_at_the_places_that_can_fail() {
    for case in cases() {
        let listed = run(&case, &["--format", "json"]);
        for (entry, procedure) in entries(&case, &listed) {
            let expected: Vec<&str> =
                entry["requirements"].as_array().unwrap().iter().filter_map(|one| one["at"].as_str()).collect();
            // Behind what always fails nothing can.
            let returns = entry["requirements"].as_array().unwrap().iter().all(|one| one["text"] != ".false.");
            for requirement in procedure["requirements"].as_array().unwrap().iter().filter(|_| returns) {
                let at = place(&requirement["at"]);
                assert!(expected.contains(&at.as_str()), "{}: {requirement}", entry["procedure"]);
            }
        }
    }
}

#[test]
fn findings_are_those_that_the_sources_expect() {
    for case in cases() {
        let listed = run(&case, &["--format", "json"]);
        let mut found: BTreeMap<(i64, String), bool> = BTreeMap::new();
        for finding in listed["findings"].as_array().unwrap() {
            let code = finding["code"].as_str().unwrap().to_owned();
            found.insert((finding["span"]["start"]["line"].as_i64().unwrap_or_default(), code), true);
        }
        for expected in case["expect"].as_array().unwrap() {
            let key = (expected["line"].as_i64().unwrap(), expected["code"].as_str().unwrap().to_owned());
            let is_there = found.remove(&key).is_some();
            assert!(is_there || expected["optional"] == true, "{}: {expected} is missing", case["name"]);
        }
        assert!(found.is_empty(), "{}: {found:?}", case["name"]);
    }
}

#[test]
fn schemas_are_valid_and_judge_the_valuations() {
    let mut tried = 0;
    for case in cases() {
        for entry in case["entries"].as_array().unwrap() {
            let schema = run(&case, &["--entry", entry["procedure"].as_str().unwrap(), "--schema"]);
            assert!(jsonschema::draft202012::meta::is_valid(&schema), "{schema}");
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            let others = entry["schemaOnly"].as_array().into_iter().flatten();
            for valuation in entry["valuations"].as_array().unwrap().iter().chain(others) {
                let Some(is_valid) = valuation["valid"].as_bool() else { continue };
                tried += 1;
                let mut document = serde_json::Map::new();
                for part in ["args", "namelists"] {
                    document.extend(valuation[part].as_object().cloned().unwrap_or_default());
                }
                let judged = validator.is_valid(&Value::Object(document));
                assert_eq!(judged, is_valid, "{}: {valuation}\n{schema:#}", entry["procedure"]);
            }
        }
    }
    assert!(tried > 50, "{tried}");
}

/// What is given up is counted, and listed if that is asked.
#[test]
fn what_is_given_up_is_said() {
    let mut source = "subroutine grows(a, x)\n  integer, intent(in) :: a(20)\n  integer :: x\n".to_owned();
    for at in 1..=20 {
        source += &format!("  if (a({at}) > x) x = x * x + a({at})\n");
    }
    source += "  if (x > 7) error stop 'too big'\nend subroutine\n";
    source += "subroutine jumps(n)\n  integer, intent(in) :: n\n  integer :: i\n  if (n > 1) goto 5\n  do i = 1, n\n";
    source += "5   if (i > 3) stop 'late'\n  end do\nend subroutine\n";
    let folder = Folder::with(&[("given_up.f90", source.as_str())]);
    let ran = folder.run(&["requires", "given_up.f90"]);
    assert!(ran.output.is_empty() && ran.notes.contains("2 requirements: 2 undecided"), "{} {}", ran.output, ran.notes);
    let ran = folder.run(&["requires", "--undecided", "given_up.f90"]);
    assert!(ran.output.contains("undecided  given_up.f90:24  \"too big\"  (too large)"), "{}", ran.output);
    assert!(ran.output.contains("undecided  given_up.f90:31  \"late\"  (control jumps into a loop)"), "{}", ran.output);
    let listed: Value =
        serde_json::from_str(&folder.run(&["requires", "--format", "json", "given_up.f90"]).output).unwrap();
    assert_eq!(listed["procedures"][0]["undecided"][0]["reason"], "too large");
}

/// The examples of docs/requires.md: each block of Fortran is a file that its first line names, and each console block
/// a command with what it prints. With `UPDATE_DOCS` in the environment, they are made anew.
#[test]
fn the_examples_of_the_manual_are_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/requires.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut files: Vec<(String, String)> = Vec::new();
    let mut made = String::new();
    let mut blocks = text.split("```");
    made += blocks.next().unwrap();
    while let (Some(block), Some(prose)) = (blocks.next(), blocks.next()) {
        let (language, inside) = block.split_once('\n').unwrap();
        let mut inside = inside.to_owned();
        if language == "fortran" {
            let name = inside.lines().next().unwrap().trim_start_matches("! ");
            files.push((name.to_owned(), inside.clone()));
        } else if language == "console" {
            let line = inside.lines().next().unwrap().to_owned();
            let words: Vec<&str> = line.split_whitespace().skip(2).collect();
            let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            inside = format!("{line}\n{}\n", Folder::with(&files).run(&words).output.trim_end());
        }
        made += &format!("```{language}\n{inside}```{prose}");
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, made).unwrap();
    } else {
        assert!(made == text, "docs/requires.md is old; UPDATE_DOCS=1 makes it anew");
    }
}

/// A person reads a long condition that is not exact where it is the only one at its failing place, not its number.
#[test]
fn a_long_condition_alone_at_its_failing_place_is_told() {
    let source = "subroutine scale_band(trans, m, n, kl, ku, lda, incx, incy)\n\
                  \x20 integer :: trans, m, n, kl, ku, lda, incx, incy\n  logical, external :: is_known\n\
                  \x20 integer :: info\n  info = 0\n  if (.not. is_known(trans)) then\n    info = 1\n\
                  \x20 else if (m < 0) then\n    info = 2\n  else if (n < 0) then\n    info = 3\n\
                  \x20 else if (kl < 0) then\n    info = 4\n  else if (ku < 0) then\n    info = 5\n\
                  \x20 else if (lda < kl + ku + 1) then\n    info = 6\n  else if (incx == 0) then\n    info = 7\n\
                  \x20 end if\n  if (info /= 0) stop 'bad argument'\nend subroutine\n";
    let told = Folder::with(&[("band.f90", source)]).run(&["requires", "band.f90"]).output;
    assert!(told.contains("approx.") && told.contains("lda >= kl + ku + 1"), "{told}");
    assert!(!told.contains("parts"), "{told}");
}

/// Of a check of several things those that are known whole are told for themselves.
#[test]
fn what_is_known_of_a_check_is_exact() {
    let long = (1..30).map(|at| format!("name /= 'variant number {at}'")).collect::<Vec<_>>().join(" .and. &\n      ");
    let source = format!(
        "subroutine choose(name, n, lda)\n  character(*) :: name\n  integer :: n, lda, info\n  logical, external :: is_known\n\
         \x20 info = 0\n  if (n < 0) then\n    info = 1\n  else if (lda < max(1, n)) then\n    info = 2\n\
         \x20 else if ({long} .and. .not. is_known(name)) then\n    info = 3\n\
         \x20 end if\n  if (info /= 0) stop 'bad argument'\nend subroutine\n"
    );
    let told = Folder::with(&[("choose.f90", source.as_str())]).run(&["requires", "choose.f90"]).output;
    let lines: Vec<Vec<&str>> = told.lines().map(|line| line.split_whitespace().collect()).collect();
    let is_told = |words: &Vec<&str>| words.join(" ").starts_with("= n >= 0 .and. lda >= max(1, n) exact");
    assert!(lines.iter().any(is_told) && told.contains("approx."), "{told}");
}

/// A copy of a function in another folder is as good as the only one; of different subroutines of one name it is not
/// known which of them is called, so that no call is certain to fail by one.
#[test]
fn procedures_of_one_name_in_several_files() {
    let same = "logical function same(a, b)\n  character :: a, b\n  same = a == b\nend function\n";
    let copy = "LOGICAL FUNCTION SAME(A, B) ! again\n  CHARACTER :: A, B\n  SAME = A == &\n    B\nEND FUNCTION\n";
    let stops = "subroutine xerbla(name)\n  character(*) :: name\n  print *, name\n  stop 1\nend subroutine\n";
    let notes = "subroutine xerbla(name)\n  character(*) :: name\n  print *, name\nend subroutine\n";
    let scale = "subroutine scale(uplo, n)\n  character :: uplo\n  integer :: n\n  logical, external :: same\n\
                 \x20 if (.not. same(uplo, 'U') .or. n < 0) then\n    call xerbla('scale')\n    return\n  end if\n\
                 end subroutine\n";
    let test = "program test\n  call scale('U', -1)\n  print *, 'noted'\nend program\n";
    let with = |files: &[(&str, &str)]| Folder::with(files).run(&["requires", "."]).output;
    let several = [
        ("a/same.f90", same),
        ("b/same.f90", copy),
        ("a/xerbla.f90", stops),
        ("test/xerbla.f90", notes),
        ("a/scale.f90", scale),
        ("test/test.f90", test),
    ];
    let told = with(&several);
    assert!(told.contains("uplo == 'U' .and. n >= 0  exact"), "{told}");
    assert!(!told.contains("R001") && !told.contains("R002"), "{told}");
    let told = with(&several.into_iter().filter(|(name, _)| *name != "test/xerbla.f90").collect::<Vec<_>>());
    assert!(told.contains("R001"), "{told}");
}

/// What is known in part only is told of those who call the procedure, and no further.
#[test]
fn what_is_approximate_is_told_one_call_further() {
    let source = "subroutine outer(n)\n  integer :: n\n  call middle(n)\nend subroutine\n\
                  subroutine middle(n)\n  integer :: n\n  call inner(n)\nend subroutine\n\
                  subroutine inner(n)\n  integer :: n\n  integer, external :: limit\n\
                  \x20 if (n > limit()) stop 'too many'\n  if (n < 0) stop 'negative'\nend subroutine\n";
    let folder = Folder::with(&[("chain.f90", source)]);
    let listed: Value =
        serde_json::from_str(&folder.run(&["requires", "--format", "json", "chain.f90"]).output).unwrap();
    let counts: Vec<(usize, usize)> = listed["procedures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|procedure| {
            let all = procedure["requirements"].as_array().unwrap();
            (all.len(), all.iter().filter(|one| one["exact"] == true).count())
        })
        .collect();
    assert_eq!(counts, [(1, 1), (2, 1), (2, 1)]);
}

/// What changes without being named: by a procedure that is passed, or through a pointer.
#[test]
fn what_may_change_unseen_is_not_exact() {
    let source = "subroutine passed(n)\n  integer :: n\n  call apply(raise)\n  if (n < 1) stop 'few'\ncontains\n\
                  \x20 subroutine apply(f)\n    external :: f\n    call f()\n  end subroutine\n\
                  \x20 subroutine raise()\n    n = abs(n) + 10\n  end subroutine\nend subroutine\n\
                  subroutine pointed(x, m)\n  integer, target :: x\n  integer :: m\n  integer, pointer :: p\n\
                  \x20 p => x\n  p = m\n  if (x < 1) stop 'low'\nend subroutine\n\
                  subroutine elsewhere(x, other)\n  integer, target :: x\n  integer, pointer :: other\n\
                  \x20 other = 7\n  if (x < 1) stop 'low'\nend subroutine\n\
                  subroutine other_way(x, y)\n  integer :: x\n  integer, pointer :: y\n\
                  \x20 y = 7\n  if (x < 1) stop 'low'\nend subroutine\n";
    let told = Folder::with(&[("unseen.f90", source)]).run(&["requires", "unseen.f90"]).output;
    let exactness: Vec<&str> = told.split_whitespace().filter(|word| ["exact", "approx."].contains(word)).collect();
    assert_eq!(exactness, ["approx.", "approx.", "approx.", "exact"], "{told}");
}

/// The length of a text is known on entry.
#[test]
fn lengths_of_texts_are_exact() {
    let source =
        "subroutine label(text)\n  character(*) :: text\n  if (len(text) > 5) stop 'too long'\nend subroutine\n";
    let told = Folder::with(&[("label.f90", source)]).run(&["requires", "label.f90"]).output;
    assert!(told.contains("len(text) <= 5  exact"), "{told}");
}

/// What a procedure that stops is told is the message of the failure.
#[test]
fn texts_given_to_what_stops_are_its_message() {
    let source = "subroutine check(n)\n  integer :: n\n  if (n < 1) call give_up('check', 'too few')\n\
                  \x20 call report(n, 'too many')\nend subroutine\n\
                  subroutine give_up(where, what)\n  character(*) :: where, what\n  print *, where, what\n  error stop\n\
                  end subroutine\nsubroutine report(n, what)\n  integer :: n\n  character(*) :: what\n\
                  \x20 if (n > 9) stop 1\nend subroutine\n";
    let told = Folder::with(&[("stops.f90", source)]).run(&["requires", "stops.f90"]).output;
    assert!(told.contains("n >= 1  exact   stops.f90:3  \"check: too few\""), "{told}");
    assert!(told.contains("n <= 9  exact   stops.f90:14  \"too many\"  via stops.f90:4"), "{told}");
}

/// A routine of many checks that answers a query gives back a status of which all is known: where it fails, it gives
/// back nothing.
#[test]
fn the_status_of_a_query_is_known() {
    let names: Vec<String> = (1..12).map(|at| format!("n{at}")).collect();
    let checks: String =
        names.iter().map(|name| format!("  else if ({name} < 0 .or. {name} > 10 * n) then\n    info = -2\n")).collect();
    let names = names.join(", ");
    let source = format!(
        "subroutine factor(n, {names}, work, lwork, info)\n  integer :: n, {names}, lwork, info, i\n  real :: work(*)\n\
         \x20 info = 0\n  if (n < 0) then\n    info = -1\n{checks}\
         \x20 else if (lwork < n .and. lwork /= -1) then\n    info = -13\n  end if\n\
         \x20 if (info /= 0) then\n    call xerbla('factor', -info)\n    return\n  end if\n\
         \x20 if (lwork == -1) return\n  do i = 1, n\n    if (work(i) < 0.0) info = info + i\n  end do\n\
         end subroutine\n\
         subroutine solve(n, {names}, work, info)\n  integer :: n, {names}, info\n  real :: work(*)\n\
         \x20 call factor(n, {names}, work, -1, info)\n  if (info == -13) stop 'workspace'\nend subroutine\n"
    );
    let told = Folder::with(&[("status.f90", source.as_str())]).run(&["requires", "status.f90"]).output;
    assert!(told.contains("via status.f90") && !told.contains("workspace") && !told.contains("approx."), "{told}");
}

/// Behind a check of a status what else is computed there does not matter to it.
#[test]
fn what_a_branch_says_holds_inside_of_it() {
    let steps: String =
        (2..14).map(|at| format!("    if (lda > {}) least = max({at} * n, {at} * least + lda)\n", 3 * at)).collect();
    let source = format!(
        "subroutine reduce(n, lda, lwork)\n  integer :: n, lda, lwork, info, least\n  info = 0\n\
         \x20 if (n < 0) then\n    info = -1\n  else if (lda < max(1, n)) then\n    info = -2\n  end if\n\
         \x20 if (info == 0) then\n    least = n\n{steps}    if (lwork < least) info = -3\n  end if\n\
         \x20 if (info == -2) stop 'lda'\nend subroutine\n"
    );
    let told = Folder::with(&[("inside.f90", source.as_str())]).run(&["requires", "inside.f90"]).output;
    assert!(told.contains("n < 0 .or. lda >= max(1, n)  exact"), "{told}");
}

/// What a mask holds of a whole array stays within ANY, though a part of it is no array.
#[test]
fn a_mask_with_a_scalar_part_is_one_of_all_elements() {
    let source = "subroutine check(a, n, m, x)\n  integer, intent(in) :: a(4), n, m\n  real, intent(in) :: x\n\
                  \x20 if (any(a(:3) >= merge(4, n, x < 2.0))) stop 'one'\n\
                  \x20 if (any(a(:3) >= m .and. x > 1.0)) stop 'two'\n\
                  \x20 if (minloc(a, 1) == 2 .and. n == m) stop 'three'\nend subroutine\n";
    let told = Folder::with(&[("mask.f90", source)]).run(&["requires", "mask.f90"]).output;
    assert!(told.contains("= all((x < 2.0 .and. a(:3) < 4) .or. (x >= 2.0 .and. a(:3) < n))"), "{told}");
    assert!(told.contains("= all(a(:3) < m .or. x <= 1.0)"), "{told}");
    assert!(told.contains("= minloc(a, 1) /= 2 .or. n /= m"), "{told}");
}

/// Where a procedure that is called ends the program without a failure, what comes behind is not reached.
#[test]
fn what_a_call_ends_is_not_reached() {
    let source = "subroutine quit_if(k)\n  integer, intent(in) :: k\n  if (k / 2 > 3) stop\nend subroutine\n\
                  subroutine outer(n, m)\n  integer, intent(in) :: n, m\n  call quit_if(m)\n\
                  \x20 if (n > 9) call exit(0)\n  if (n < 0) error stop 'n'\n  if (m == 0) call quit_if(9)\n\
                  \x20 if (m < 1) error stop 'm'\nend subroutine\n";
    let told = Folder::with(&[("ends.f90", source)]).run(&["requires", "ends.f90"]).output;
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("= m/2 > 3 .or. n >= 0 exact ends.f90:9"), "{told}");
    assert!(words.contains("= m/2 > 3 .or. n > 9 .or. m == 0 .or. m >= 1 exact ends.f90:11"), "{told}");
    // A procedure that stops with a message or without one: with a message it is a failure.
    let source = "subroutine give_up(text)\n  character(*), intent(in), optional :: text\n  if (present(text)) print *, text\n\
                  \x20 if (text /= '') error stop\n  stop\nend subroutine\n\
                  subroutine check(n, m)\n  integer, intent(in) :: n\n  integer, intent(out) :: m\n  m = n\n\
                  \x20 if (n < 1) call give_up('few')\n  if (n == 7) error stop 'seven'\nend subroutine\n";
    let told = Folder::with(&[("give_up.f90", source)]).run(&["requires", "give_up.f90"]).output;
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("= n >= 1 exact") && words.contains("= n /= 7 exact"), "{told}");
    // Who calls it under a condition means it, whatever else the caller does.
    assert!(!told.contains("R001"), "{told}");
}
