//! The configuration file: where it is found, what it means beside the command line, what is said of a wrong one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

mod common;
use common::{Folder, KERNEL};

/// Fixed form, whose statements go beyond column 72.
const WIDE: &str = "\
      subroutine step(a, b, n)
      integer n, i
      real a(n), b(n)
      do 10 i = 2, n
   10 b(i) =                                                             a(i-1)
      end
";

/// The settings that hold for a path.
fn settings(folder: &Folder, arguments: &[&str]) -> String {
    let ran = folder.run(&[&["infer", "--show-settings"], arguments].concat());
    assert_eq!((ran.status, ran.notes.as_str()), (0, ""));
    ran.output
}

/// What is said of the configuration.
fn complaint_in(folder: &Folder, arguments: &[&str]) -> String {
    let ran = folder.run(&[&["infer"], arguments].concat());
    assert_eq!((ran.status, ran.output.as_str()), (2, ""), "{}", ran.notes);
    ran.notes
}

fn line<'t>(text: &'t str, key: &str) -> &'t str {
    text.lines().find(|line| line.starts_with(&format!("{key} ="))).unwrap_or_default()
}

#[test]
fn settings_are_shown_with_where_they_come_from() {
    let folder = Folder::with(&[
        ("src/a.f90", KERNEL),
        (
            "camfort.toml",
            "form = \"free\"\n\nfixed-line-length = 132\ninclude-paths = [\"include\", \"/usr/include\"]\ndefines = [\"A=\\\"x\\\"\"]\n\
             [rules]\nS011 = \"note\"\nmodule-not-found = \"off\"\n[[files]]\nglob = \"old/*.f\"\nfixed-line-length = \"none\"\n",
        ),
    ]);
    let shown = settings(&folder, &["src", "--form", "auto", "-D", "B", "-I", "mine", "--nontrivial"]);
    insta::assert_snapshot!(shown);
    // It is itself a configuration that says the same.
    fs::write(folder.path("again.toml"), &shown).unwrap();
    let again = settings(&folder, &["src", "--config", "again.toml"]);
    let without_comments = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  #").next().unwrap_or_default().trim_end().to_owned()).collect()
    };
    assert_eq!(without_comments(&again), without_comments(&shown));
}

#[test]
fn without_a_file_everything_is_as_usual() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    insta::assert_snapshot!(settings(&folder, &["a.f90"]));
}

#[test]
fn the_nearest_file_above_a_path_holds() {
    let folder = Folder::with(&[
        ("camfort.toml", "marker = \"!\"\n"),
        ("sub/camfort.toml", "marker = \">\"\n"),
        ("sub/deep/er/a.f90", KERNEL),
        ("other/a.f90", KERNEL),
    ]);
    let marker = |path: &str| line(&settings(&folder, &[path]), "marker").split_whitespace().last().unwrap().to_owned();
    assert_eq!(marker("sub/deep"), "sub/camfort.toml:1");
    assert_eq!(marker("sub/deep/er/a.f90"), "sub/camfort.toml:1");
    assert_eq!(marker("./sub/../other"), "camfort.toml:1");
    assert_eq!(marker("-"), "camfort.toml:1");
    // From within, and for a run elsewhere.
    let within = folder.run_in("sub/deep", &["infer", "--show-settings", "er/a.f90", "../deep"]);
    assert!(line(&within.output, "marker").ends_with(folder_path(&folder, "sub/camfort.toml:1").as_str()));
    let complaint = complaint_in(&folder, &["sub", "other"]);
    assert!(complaint.contains("'sub' by 'sub/camfort.toml'"), "{complaint}");
    assert!(complaint.contains("--config"), "{complaint}");
    let named = settings(&folder, &["sub", "other", "--config", "camfort.toml"]);
    assert!(line(&named, "marker").ends_with(" camfort.toml:1"), "{named}");
    assert!(line(&settings(&folder, &["sub", "--config", "/dev/null"]), "marker").ends_with("default"));
}

fn folder_path(folder: &Folder, name: &str) -> String {
    folder.path(".").canonicalize().unwrap().join(name).display().to_string()
}

#[test]
fn the_manifest_of_a_package_may_hold_the_configuration() {
    let manifest = "name = \"heat\"\n[extra.camfort]\nmarker = \"!\"\n[dependencies]\n";
    let folder = Folder::with(&[("fpm.toml", manifest), ("src/a.f90", KERNEL), ("x/fpm.toml", "name = [")]);
    assert!(line(&settings(&folder, &["src"]), "marker").ends_with("fpm.toml:3"));
    // One that says nothing for us may be as wrong as it likes; the one above it holds.
    assert!(line(&settings(&folder, &["x"]), "marker").ends_with("fpm.toml:3"));
    let complaint = complaint_in(&folder, &["src", "--config", "x/fpm.toml"]);
    assert_eq!(complaint, "error: 'x/fpm.toml' has no table [extra.camfort]\n");
    fs::write(folder.path("camfort.toml"), "").unwrap();
    let complaint = complaint_in(&folder, &["src"]);
    assert!(complaint.contains("keep one of them"), "{complaint}");
    fs::remove_file(folder.path("camfort.toml")).unwrap();
    fs::write(folder.path("fpm.toml"), manifest.replace("marker", "markre")).unwrap();
    assert_eq!(complaint_in(&folder, &["src"]), "error: fpm.toml:3:1: unknown key 'markre'; did you mean 'marker'?\n");
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let folder = Folder::with(&[("a.f90", KERNEL)]);
    let complaint = |text: &[u8]| {
        fs::write(folder.path("camfort.toml"), text).unwrap();
        complaint_in(&folder, &["a.f90"])
    };
    let cases: [(&str, &str); 17] = [
        ("# mine\nfrom = \"free\"\n", "2:1: unknown key 'from'; did you mean 'form'?"),
        ("colour = true\n", "1:1: unknown key 'colour'; there are form, fixed-line-length, files, include-paths, "),
        ("form = \"fre\"\n", "1:8: unknown value 'fre'; did you mean 'free'?"),
        ("form = 3\n", "1:8: invalid type: integer '3', expected \"auto\" or \"fixed\" or \"free\""),
        ("fixed-line-length = 5\n", "1:21: '5' is not a number of columns above 6, none, or auto"),
        ("[rules]\nS010 = \"error\"\nS01O = \"error\"\n", "3:1: there is no rule 'S01O'; did you mean 'S010'?"),
        ("[rules]\nregion-difers = \"off\"\n", "2:1: there is no rule 'region-difers'; did you mean 'region-differs'?"),
        ("[rules]\nnothing-like-it = \"off\"\n", "2:1: there is no rule 'nothing-like-it'; `camfort-rs explain` lists"),
        ("[rules]\nS010 = \"off\"\nregion-differs = \"off\"\n", "3:1: rule S010 (region-differs) is here twice"),
        ("[[files]]\nglob = \"*.f\"\nfrom = \"free\"\n", "3:1: unknown key 'from'; did you mean 'form'?"),
        ("[[files]]\nglob = \"[\"\nform = \"free\"\n", "2:8: error parsing glob '['"),
        (
            "[[files]]\nglob = \"*.f\"\n",
            "2:8: this says nothing of the files: form, fixed-line-length, types, define, rules or preprocess",
        ),
        ("exclude = [\"a\", \"{\"]\n", "1:17: error parsing glob '{'"),
        ("form = \n", "1:8: "),
        (
            "exclude = \"foo\"\n",
            "1:11: invalid type: string \"foo\", expected a list of texts, such as [\"one\", \"two\"]",
        ),
        ("defines = 3\n", "1:11: invalid type: integer '3', expected a list of texts"),
        ("include-paths = { a = 1 }\n", "1:17: invalid type: map, expected a list of texts"),
    ];
    for (text, expected) in cases {
        let said = complaint(text.as_bytes());
        assert!(said.starts_with(&format!("error: camfort.toml:{expected}")), "{text}\n{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(complaint(b"# \xff\n"), "error: camfort.toml:1:3: this is not UTF-8\n");
    let missing = complaint_in(&folder, &["a.f90", "--config", "none.toml"]);
    assert_eq!(missing, "error: 'none.toml' can't be read: No such file or directory\n");
}

#[test]
fn some_files_are_read_in_another_form() {
    let free_in_f = KERNEL.replace("b(i) =", "b(i) = & ! free form\n     ");
    let folder = Folder::with(&[
        ("old/wide.f", WIDE),
        ("free.f", &free_in_f),
        (
            "camfort.toml",
            "form = \"fixed\"\nfixed-line-length = 72\n[[files]]\nglob = \"old/**\"\nfixed-line-length = 132\n\
             [[files]]\nglob = \"free.*\"\nform = \"free\"\n",
        ),
    ]);
    let of =
        |arguments: &[&str]| folder.run(&[&["infer", "--report", "--format", "concise"], arguments].concat()).output;
    let expected = "free.f:5:5: stencil readOnce, backward(depth=1, dim=1) :: a\n\
                    old/wide.f:5:4: stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a\n";
    assert_eq!(of(&["free.f", "old"]), expected);
    // The phases show what `infer` sees.
    let statements =
        |arguments: &[&str]| folder.run(&[&["debug", "statements", "old/wide.f"], arguments].concat()).output;
    assert!(statements(&[]).contains("b(i)=a(i-1)"));
    let otherwise = ["--config", "/dev/null", "--form", "fixed", "--fixed-line-length", "72"];
    assert!(!statements(&otherwise).contains("b(i)=a(i-1)"));
}

#[test]
fn directories_and_macros_count_from_the_file() {
    let uses = "#include \"size.h\"\n".to_owned() + &KERNEL.replace("a(i-1)", "PREVIOUS");
    let folder = Folder::with(&[
        (
            "camfort.toml",
            "include-paths = [\"include\"]\ndefines = [\"PREVIOUS=a(i-1)\"]\nexclude = [\"src/gen/*\", \"vendor\"]\n",
        ),
        ("include/size.h", "! nothing\n"),
        ("src/a.F90", &uses),
        ("src/gen/b.f90", KERNEL),
        ("src/vendor/c.f90", KERNEL),
    ]);
    let report = ["infer", "--report", "--format", "concise", "-v"];
    let specification = "stencil readOnce, backward(depth=1, dim=1) :: a\n";
    assert_eq!(folder.run(&[&report[..], &["src"]].concat()).output, format!("src/a.F90:6:5: {specification}"));
    let within = folder.run_in("src/gen", &[&report[..], &[".."]].concat());
    assert_eq!(within.output, format!("../a.F90:6:5: {specification}"));
    // A file that is named is taken.
    assert_eq!(
        folder.run(&[&report[..], &["src/gen/b.f90"]].concat()).output,
        format!("src/gen/b.f90:5:5: {specification}")
    );
}

#[test]
fn severities_change_what_is_told_and_the_exit_status() {
    let contradicted = KERNEL.replace("    b(i)", "    != stencil readOnce, forward(depth=1, dim=1) :: a\n    b(i)");
    let folder = Folder::with(&[("a.f90", &contradicted), ("b.f90", "x = +*\nend\n")]);
    let ran = |config: &str| {
        fs::write(folder.path("camfort.toml"), config).unwrap();
        let ran = folder.run(&["infer", "--format", "concise", "a.f90", "b.f90"]);
        let codes: Vec<String> =
            ran.output.lines().map(|line| line.split(": ").nth(1).unwrap_or_default().to_owned()).collect();
        (codes.join(", "), ran.status)
    };
    assert_eq!(ran(""), ("S010 error, F001 warning".into(), 1));
    assert_eq!(ran("[rules]\ns010 = \"warning\"\n"), ("S010 warning, F001 warning".into(), 0));
    assert_eq!(ran("error-on-warning = true\n[rules]\nS010 = \"warning\"\n"), ("S010 warning, F001 warning".into(), 1));
    assert_eq!(ran("[rules]\nregion-differs = \"off\"\nF001 = \"error\"\n"), ("F001 error".into(), 1));
    // A specification that contradicts the code is never edited around, whatever it is called.
    assert_eq!(fs::read_to_string(folder.path("a.f90")).unwrap(), contradicted);
    // That a file is not read can't be turned off, only left unsaid.
    fs::write(folder.path("camfort.toml"), "[rules]\nF002 = \"off\"\n").unwrap();
    let ran = folder.run(&["infer", "--format", "concise", "none.f90"]);
    assert_eq!((ran.output.as_str(), ran.status), ("", 2));
}

#[test]
fn the_command_line_wins() {
    let folder = Folder::with(&[("a.f90", KERNEL), ("camfort.toml", "marker = \"!\"\nformat = \"json\"\n")]);
    assert!(folder.run(&["infer", "--report", "a.f90"]).output.starts_with("{\"version\":1"));
    assert!(
        folder.run(&["infer", "--report", "--format", "concise", "a.f90"]).output.starts_with("a.f90:5:5: stencil")
    );
    assert_eq!(folder.run(&["infer", "--marker", ">", "a.f90"]).status, 0);
    assert!(fs::read_to_string(folder.path("a.f90")).unwrap().contains("!> stencil"));
}

/// What bears the name of a configuration file is meant as one; it is not passed over because it can't be read.
#[test]
fn a_directory_by_the_name_of_a_configuration_is_an_error() {
    let folder = Folder::with(&[("a.f90", KERNEL), ("camfort.toml/inside", "")]);
    let ran = folder.run(&["check", "a.f90"]);
    assert_eq!((ran.status, ran.notes.as_str()), (2, "error: 'camfort.toml' can't be read: it is no regular file\n"));
}

#[test]
fn the_example_of_the_manual_is_a_configuration() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let manual = fs::read_to_string(manual).unwrap();
    let example = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = Folder::with(&[("a.f90", KERNEL), ("camfort.toml", example)]);
    settings(&folder, &["a.f90"]);
    let schema: serde_json::Value = {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/camfort.schema.json");
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    for key in schema["properties"].as_object().unwrap().keys() {
        assert!(
            manual.contains(&format!("`{key}`"))
                || manual.contains(&format!("`[[{key}]]`"))
                || manual.contains(&format!("`[{key}]`")),
            "{key}"
        );
        assert!(example.contains(key.as_str()), "{key}");
    }
}

#[test]
fn too_many_globs_are_told_with_their_key() {
    let globs: Vec<String> = (0..1000).map(|number| format!("\"{number}{}\"", "*x".repeat(100))).collect();
    let folder = Folder::with(&[("a.f90", KERNEL), ("camfort.toml", &format!("exclude = [{}]\n", globs.join(",")))]);
    let said = complaint_in(&folder, &["a.f90"]);
    assert!(said.starts_with("error: exclude: these are too many globs"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_device_or_gone_is_an_error() {
    for (target, expected) in
        [("/dev/null", "can't be read: it is no regular file"), ("gone", "can't be read: No such file or directory")]
    {
        let folder = Folder::with(&[("a.f90", KERNEL)]);
        std::os::unix::fs::symlink(target, folder.path("camfort.toml")).unwrap();
        assert_eq!(complaint_in(&folder, &["a.f90"]), format!("error: 'camfort.toml' {expected}\n"));
    }
}

#[test]
fn a_setting_can_be_typed() {
    let folder = Folder::with(&[
        ("src/a.f90", KERNEL),
        ("camfort.toml", "form = \"fixed\"\ndefines = [\"A\"]\n[rules]\nmodule-not-found = \"off\"\n"),
    ]);
    let typed = ["--config", "form = 'free'", "--config", "rules.F004='note'", "--config", "exclude=['x']", "src"];
    let shown = settings(&folder, &typed);
    assert!(line(&shown, "form").starts_with("form = \"free\"") && line(&shown, "form").ends_with("# command line"));
    assert!(line(&shown, "defines").ends_with("# camfort.toml:2"), "{shown}");
    assert!(line(&shown, "exclude").ends_with("# command line"), "{shown}");
    assert!(shown.contains("\"F004\" = \"note\"") && !shown.contains("module-not-found"), "{shown}");
    assert!(settings(&folder, &["--config", "form='fixed'", "--form", "free", "src"]).contains("form = \"free\""));
    let said = |setting: &str| complaint_in(&folder, &["--config", setting, "src"]);
    assert_eq!(said("fom = 1"), "error: --config 'fom = 1': unknown key 'fom'; did you mean 'form'?\n");
    assert!(said("form = 'fre'").starts_with("error: --config 'form = 'fre'': unknown value 'fre'"));
    assert!(said("form = ").starts_with("error: --config 'form = ': "));
    assert_eq!(
        complaint_in(&folder, &["--config", "a", "--config", "b", "src"]),
        "error: --config names more than one file\n"
    );
    let alone = Folder::with(&[("a.f90", KERNEL)]);
    assert!(settings(&alone, &["--config", "nontrivial = true", "a.f90"]).contains("nontrivial = true"));
}

#[test]
fn rules_have_other_severities_in_some_files() {
    let wrong = KERNEL.replace("    b(i)", "    != stencil pointed(dim=1) :: a\n    b(i)");
    let config = "[rules]\nS010 = \"warning\"\n[[files]]\nglob = \"old/**\"\nrules = { region-differs = \"off\" }\n";
    let folder = Folder::with(&[("a.f90", &wrong), ("old/a.f90", &wrong), ("camfort.toml", config)]);
    let ran = folder.run(&["check", "--format", "concise", "."]);
    assert_eq!((ran.status, ran.output.lines().count()), (0, 1), "{}", ran.output);
    assert!(ran.output.starts_with("./a.f90:6:5: S010 warning"), "{}", ran.output);
    assert!(settings(&folder, &["."]).contains("rules = { \"region-differs\" = \"off\" }"));
    // What is off is not fixed either.
    folder.run(&["check", "--fix", "--unsafe-fixes", "."]);
    assert_eq!(folder.text("old/a.f90"), wrong);
    assert_ne!(folder.text("a.f90"), wrong);
}
