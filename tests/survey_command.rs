//! `survey` as a person and a script see it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;

mod common;
use common::{Folder, KERNEL, root};

const SUM: &str = "\
function total(a, n) result(s)
  integer :: n, i
  real :: a(n), s
  s = 0
  do i = 1, n
    s = s + a(i)
  end do
end function
";

/// Two packages.
fn two_packages() -> Folder {
    Folder::with(&[
        ("one/kernel.f90", KERNEL),
        ("one/deep/sum.f90", SUM),
        ("two/kernel.f90", KERNEL),
        ("two/bad.f90", "program p\n  x ?= 1\nend program\n"),
    ])
}

fn counts(csv: &str) -> BTreeMap<(String, String), String> {
    let rows = csv.lines().skip(1).map(|line| {
        let mut fields = line.splitn(3, ',');
        let (table, rest) = (fields.next().unwrap(), line.split_once(',').unwrap().1);
        let (row, count) = rest.rsplit_once(',').unwrap();
        ((table.to_owned(), row.trim_matches('"').to_owned()), count.to_owned())
    });
    rows.collect()
}

#[test]
fn help_is_as_documented() {
    let folder = Folder::with(&[]);
    insta::assert_snapshot!("help_survey", folder.run(&["survey", "--help"]).output);
    insta::assert_snapshot!("help_survey_merge", folder.run(&["survey", "merge", "--help"]).output);
}

#[test]
fn the_small_study_has_the_tables_that_were_counted_by_hand() {
    let folder = root().join("tests/fixtures/study");
    let here = Folder::with(&[]);
    let ran = here.run(&["survey", "--format", "csv", &folder.display().to_string()]);
    assert_eq!((ran.status, ran.notes.as_str()), (0, ""));
    let mut found = String::from("table,row,count\n");
    for line in ran.output.lines().skip(1) {
        // package,table,row,count,whole,percent: the numbers hold no commas.
        let (front, _percent) = line.rsplit_once(',').unwrap();
        let (front, _whole) = front.rsplit_once(',').unwrap();
        let row = front.strip_prefix("study,").unwrap();
        if !row.ends_with(",0") {
            found += &format!("{row}\n");
        }
    }
    let expected = fs::read_to_string(folder.join("expected.csv")).unwrap();
    let (found, expected) = (counts(&found), counts(&expected));
    assert_eq!(found, expected);
}

#[test]
fn people_get_text() {
    let folder = two_packages();
    let ran = folder.run(&["survey", "one", "two"]);
    assert_eq!((ran.status, ran.notes.as_str()), (0, ""));
    insta::assert_snapshot!("survey_full", ran.output);
    let each = folder.run(&["survey", "--each", "one", "two"]).output;
    assert!(each.contains("\n== one ==\n") && each.contains("\n== all packages ==\n"), "{each}");
}

#[test]
fn rows_add_up_and_percentages_are_of_the_same_whole() {
    let folder = two_packages();
    let corpus = root().join("corpus").display().to_string();
    let ran = folder.run(&["survey", "--format", "json", "one", "two", &corpus]);
    let study: serde_json::Value = serde_json::from_str(&ran.output).unwrap();
    let packages = study["packages"].as_array().unwrap();
    assert_eq!(packages.len(), 3);
    for counts in packages.iter().chain([&study["total"]]) {
        for table in counts["tables"].as_array().unwrap() {
            let rows = table["rows"].as_array().unwrap();
            let total = table["total"].as_u64().unwrap();
            assert_eq!(rows.iter().map(|row| row["count"].as_u64().unwrap()).sum::<u64>(), total, "{}", table["id"]);
            match table["counts"].as_str().unwrap() {
                whole @ ("computations" | "assignments") => assert_eq!(counts[whole].as_u64(), Some(total)),
                whole => assert_eq!(whole, "specifications"),
            }
            for row in rows {
                let exact = 100.0 * row["count"].as_f64().unwrap() / (total.max(1) as f64);
                assert!((row["percent"].as_f64().unwrap() - exact).abs() <= 0.005 + 1e-9, "{row}");
            }
        }
        for hypothesis in counts["hypotheses"].as_array().unwrap() {
            assert!(hypothesis["count"].as_u64() <= counts["computations"].as_u64());
        }
    }
}

#[test]
fn the_document_is_as_its_schema_says() {
    let folder = two_packages();
    let schema = fs::read_to_string(root().join("docs/survey.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let ran = folder.run(&["survey", "--format", "json", "one", "two"]);
    let study: serde_json::Value = serde_json::from_str(&ran.output).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&study).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn packages_are_the_directories_that_are_named() {
    let folder = Folder::with(&[
        ("all/one/kernel.f90", KERNEL),
        ("all/two/kernel.f90", KERNEL),
        ("all/.hidden/kernel.f90", KERNEL),
        ("other/one/kernel.f90", KERNEL),
    ]);
    let packages = |arguments: &[&str]| {
        let all = [&["survey", "--format", "json"], arguments].concat();
        let study: serde_json::Value = serde_json::from_str(&folder.run(&all).output).unwrap();
        let packages = study["packages"].as_array().unwrap().iter();
        let named =
            packages.map(|package| format!("{} {}", package["name"].as_str().unwrap(), package["sizes"]["files"]));
        named.collect::<Vec<_>>()
    };
    assert_eq!(packages(&["all"]), ["all 2"]);
    assert_eq!(packages(&["--packages", "all"]), ["one 1", "two 1"]);
    assert_eq!(packages(&["all/one", "other/one"]), ["all/one 1", "other/one 1"]);
    // The inner one has its own files; what is named twice is counted once.
    assert_eq!(packages(&["all", "all/one", "all"]), ["all 1", "one 1"]);
    assert_eq!(packages(&["all/one/kernel.f90", "all/two"]), ["one 1", "two 1"]);
}

/// The numbers of a study do not depend on how it is split.
#[test]
fn partial_results_add_up_to_the_whole() {
    let folder = two_packages();
    let corpus = root().join("corpus").display().to_string();
    let paths = ["one", "two", corpus.as_str()];
    let whole = folder.run(&[&["survey", "--format", "json"], &paths[..]].concat()).output;
    for part in ["1/3", "2/3", "3/3"] {
        let file = format!("{}.jsonl", &part[..1]);
        let arguments = [&["survey", "--partial", &file, "--share", part], &paths[..]].concat();
        assert_eq!(folder.run(&arguments).status, 0);
    }
    let merged = folder.run(&["survey", "merge", "--format", "json", "1.jsonl", "2.jsonl", "3.jsonl"]);
    assert_eq!((merged.output, merged.notes.as_str()), (whole.clone(), ""));
    // By packages, in another order, in two steps.
    for (path, file) in paths.iter().zip(["a", "b", "c"]) {
        folder.run(&["survey", "--partial", file, path]);
    }
    folder.run(&["survey", "merge", "--partial", "cb", "c", "b"]);
    assert_eq!(folder.run(&["survey", "merge", "--format", "json", "cb", "a"]).output, whole);
}

#[test]
fn a_file_in_two_partial_results_is_said_and_counted_once() {
    let folder = two_packages();
    let single = folder.run(&["survey", "--partial", "a", "one"]).output;
    folder.run(&["survey", "--partial", "b", "one"]);
    let merged = folder.run(&["survey", "merge", "a", "b"]);
    assert_eq!(merged.output, single);
    assert_eq!(merged.notes, "note: 2 files met again in another partial result, counted once\n");
    // Another text under the same name is another matter.
    fs::write(folder.path("one/kernel.f90"), SUM).unwrap();
    folder.run(&["survey", "--partial", "c", "one"]);
    let merged = folder.run(&["survey", "merge", "a", "c"]);
    assert_eq!((merged.status, merged.output.as_str()), (2, ""));
    assert!(merged.notes.contains("the texts of 'kernel.f90' in package 'one' differ"), "{}", merged.notes);
}

#[test]
fn an_interrupted_run_goes_on() {
    let folder = two_packages();
    let whole = folder.run(&["survey", "--partial", "whole", "one", "two"]);
    let noted = folder.text("whole");
    assert_eq!(noted.lines().count(), 5, "a header and four files");
    // Wherever it was cut off, the same comes of going on.
    for length in (0..noted.len()).step_by(97) {
        fs::write(folder.path("cut"), &noted[..length]).unwrap();
        let again = folder.run(&["survey", "--partial", "cut", "one", "two"]);
        assert_eq!((again.status, &again.output), (0, &whole.output), "cut at {length}");
        let done = noted[..length].lines().count().saturating_sub(2);
        let note = match done {
            0 => String::new(),
            1 => "1 file had been done before\n".to_owned(),
            _ => format!("{done} files had been done before\n"),
        };
        assert_eq!(again.notes, note, "cut at {length}");
        let mut lines: Vec<String> = folder.text("cut").lines().map(str::to_owned).collect();
        let mut expected: Vec<&str> = noted.lines().collect();
        lines.sort();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
}

#[test]
fn what_is_no_partial_result_is_left_alone() {
    let folder = two_packages();
    fs::write(folder.path("notes.txt"), "my notes\n").unwrap();
    fs::write(folder.path("short.txt"), "my").unwrap();
    for file in ["notes.txt", "short.txt", "one/kernel.f90"] {
        let before = folder.text(file);
        let ran = folder.run(&["survey", "--partial", file, "one"]);
        assert_eq!((ran.status, ran.output.as_str()), (2, ""), "{file}");
        assert!(ran.notes.contains("it is no partial result of `camfort-rs survey`"), "{}", ran.notes);
        assert_eq!(folder.text(file), before);
        assert_eq!(folder.run(&["survey", "merge", file]).status, 2);
    }
    // A line in the middle that is none is no cut.
    folder.run(&["survey", "--partial", "a", "one"]);
    let mut lines: Vec<String> = folder.text("a").lines().map(|line| format!("{line}\n")).collect();
    lines[1] = "{}\n".to_owned();
    fs::write(folder.path("a"), lines.concat()).unwrap();
    let ran = folder.run(&["survey", "merge", "a"]);
    assert!(ran.status == 2 && ran.notes.contains("line 2 is no record"), "{}", ran.notes);
}

#[test]
fn results_of_other_options_are_not_added() {
    let folder = two_packages();
    folder.run(&["survey", "--partial", "a", "one"]);
    folder.run(&["survey", "--partial", "b", "--paper", "two"]);
    let ran = folder.run(&["survey", "merge", "a", "b"]);
    assert_eq!((ran.status, ran.output.as_str()), (2, ""));
    assert!(ran.notes.contains("paper true") && ran.notes.contains("paper false"), "{}", ran.notes);
    assert_eq!(folder.run(&["survey", "--partial", "a", "--paper", "two"]).status, 2);
    // What the configuration says of some files counts too.
    fs::write(folder.path("camfort.toml"), "[[files]]\nglob = \"*.f90\"\nform = \"free\"\ndefine = [\"N=2\"]\n")
        .unwrap();
    folder.run(&["survey", "--partial", "c", "one"]);
    let ran = folder.run(&["survey", "merge", "a", "c"]);
    assert_eq!((ran.status, ran.output.as_str()), (2, ""));
    assert!(ran.notes.contains("files *.f90: form Free -D N=2"), "{}", ran.notes);
}

#[test]
fn a_changed_file_asks_for_a_new_partial_result() {
    let folder = two_packages();
    folder.run(&["survey", "--partial", "a", "one"]);
    fs::write(folder.path("one/kernel.f90"), SUM).unwrap();
    let ran = folder.run(&["survey", "--partial", "a", "one"]);
    assert_eq!(ran.status, 2);
    assert!(ran.notes.contains("'kernel.f90' in package 'one' is not the file any more"), "{}", ran.notes);
}

#[test]
fn usage_and_missing_paths_are_told() {
    let folder = two_packages();
    for wrong in [&["survey", "--share", "3/2", "one"][..], &["survey", "--share", "0/2", "one"], &["survey", "merge"]]
    {
        let ran = folder.run(wrong);
        assert_eq!((ran.status, ran.output.as_str()), (2, ""), "{wrong:?}");
    }
    let ran = folder.run(&["survey", "nowhere", "one"]);
    assert_eq!(ran.status, 2);
    assert!(ran.notes.contains("error: Cannot read 'nowhere': No such file or directory"), "{}", ran.notes);
    assert!(ran.output.contains("  one "), "{}", ran.output);
    let empty = Folder::with(&[("doc/readme.md", "")]);
    let ran = empty.run(&["survey", "doc"]);
    assert_eq!((ran.status, ran.notes.as_str()), (0, "warning: no Fortran file found\n"));
    let written = folder.run(&["survey", "--output", "tables.txt", "one"]);
    assert_eq!((written.output.as_str(), folder.text("tables.txt")), ("", folder.run(&["survey", "one"]).output));
}

/// The page stands alone: it fetches nothing, and what is named in it is text.
#[test]
fn the_page_stands_alone() {
    let folder = Folder::with(&[("a<b>&c/kernel.f90", KERNEL), ("two/sum.f90", SUM)]);
    let page = folder.run(&["survey", "--format", "html", "a<b>&c", "two"]).output;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    for fetched in ["http:", "https:", "src=", "<link", "@import", "url(", "fetch("] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    assert!(!page.contains("<b>&c") && page.contains("a&lt;b&gt;&amp;c"));
    assert!(
        page.contains("class=\"stencil\"") && page.contains("class=\"share\"") && page.contains("prefers-color-scheme")
    );
    // Every picture and chart says in words what it shows.
    assert_eq!(page.matches("role=\"img\"").count(), page.matches("</title>").count() - 1);
    // Names of elements are not used twice.
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// The title says what, when and how; every number of a table leads to places; partial results have none.
#[test]
fn every_number_of_the_page_leads_to_code() {
    let folder = two_packages();
    let page = folder.run(&["survey", "--format", "html", "one", "two"]).output;
    let title = page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    assert!(title.starts_with("one, two: array computations, 20"), "{title}");
    assert!(title.ends_with(", camfort-rs survey --format html one two"), "{title}");
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let places = data["places"].as_array().unwrap();
    let is_in = |place: &serde_json::Value, row: &str, package: Option<&str>| {
        let own = &data["files"][place[0].as_u64().unwrap() as usize][0];
        package.is_none_or(|package| own == package) && place[3].as_array().unwrap().contains(&row.parse().unwrap())
    };
    let buttons = page.split("data-row=\"").skip(1).map(|rest| rest.split_once('>').unwrap().0);
    let mut count = 0;
    // The last one is in the script.
    for button in buttons.filter(|button| button.contains('"')) {
        let (row, rest) = button.split_once('"').unwrap();
        let package = rest.split_once("data-package=\"").map(|(_, rest)| rest.trim_end_matches('"'));
        assert!(places.iter().any(|place| is_in(place, row, package)), "{row} {package:?}");
        count += 1;
    }
    assert!(count > 50, "{count}");
    assert_eq!(data["files"][places[0][0].as_u64().unwrap() as usize], serde_json::json!(["one", "deep/sum.f90"]));
    assert_eq!((&places[0][1], &places[0][2]), (&6.into(), &"a".into()));
    folder.run(&["survey", "--partial", "p.jsonl", "one"]);
    let page = folder.run(&["survey", "merge", "--format", "html", "p.jsonl"]).output;
    assert!(page.contains("Partial results hold counts") && !page.contains("data-row=\""));
}

#[test]
fn a_summary_is_a_few_lines() {
    let folder = two_packages();
    let text = folder.run(&["survey", "--summary", "one", "two"]).output;
    assert!(text.starts_with("one: 100.00 % can be specified\n  2 files (2 understood)"), "{text}");
    assert!(text.contains("\nall packages: 100.00 % can be specified\n") && text.lines().count() < 25, "{text}");
}

/// One row for each computation, which the tables count.
#[test]
fn rows_are_what_the_tables_count() {
    let folder = two_packages();
    let corpus = root().join("corpus").display().to_string();
    let rows = folder.run(&["survey", "--format", "rows", "one", "two", &corpus]).output;
    let study = folder.run(&["survey", "--format", "json", "one", "two", &corpus]).output;
    let study: serde_json::Value = serde_json::from_str(&study).unwrap();
    let mut lines = rows.lines();
    assert!(
        lines.next().unwrap().starts_with("package,path,line,column,unit,array,is_root,flow_length,arrays,left,right")
    );
    assert_eq!(Some(lines.clone().count() as u64), study["total"]["computations"].as_u64());
    assert_eq!(
        lines.filter(|line| line.starts_with("one,")).collect::<Vec<_>>(),
        [
            "one,deep/sum.f90,6,5,total,a,true,0,1,variable,neighbourhood,contiguous,origin,once,left-subset,false,1,1,(0),exact,exact,false,true,all-pointed,false,0,0",
            "one,kernel.f90,5,5,step,a,true,0,1,induction-variables,neighbourhood,contiguous,origin,once,direct,false,1,2,(-1) (0),exact,exact,true,true,single-action,false,0,0",
        ]
    );
    folder.run(&["survey", "--format", "rows", "--output", "rows.csv", "one", "two", &corpus]);
    assert_eq!(folder.text("rows.csv"), rows);
    assert_eq!(folder.run(&["survey", "--format", "rows", "--partial", "a", "one"]).status, 2);
    folder.run(&["survey", "--partial", "a", "one"]);
    assert_eq!(folder.run(&["survey", "merge", "--format", "rows", "a"]).status, 2);
}
