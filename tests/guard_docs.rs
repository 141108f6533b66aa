//! docs/guard.md is its own test: each of its sections takes a program of `corpus/`, makes the changes that its `diff`
//! blocks show, and runs the commands of its `console` blocks, which must print what stands there. Git is needed.

use std::fs;
use std::path::Path;

mod common;
use common::{Folder, git};

/// The blocks of a section: language and text.
fn blocks(section: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((language, text.join("\n") + "\n"));
        }
    }
    found
}

/// The commands of a console block, each with what it prints.
fn commands(text: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ camfort-rs "), found.last_mut()) {
            (Some(command), _) => found.push((command, String::new())),
            (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
            (None, None) => panic!("a console block begins with a command: {text}"),
        }
    }
    found
}

#[test]
fn the_page_on_guard_shows_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/guard.md")).expect("part of the repository");
    let mut ran = 0;
    for section in page.split("\n## ").filter(|section| section.contains("```diff")) {
        let name =
            section.split("`corpus/").nth(1).and_then(|rest| rest.split('`').next()).expect("a program is named");
        let source = fs::read_to_string(root.join("corpus").join(name)).expect("part of the repository");
        let folder = Folder::with(&[(name, &source)]);
        git(&folder, ".", &["init", "--quiet", "."], "");
        git(&folder, ".", &["add", "."], "");
        git(&folder, ".", &["commit", "--quiet", "--message", "The program as it was"], "");
        git(&folder, ".", &["tag", "v1"], "");
        for (language, text) in blocks(section) {
            match language {
                "diff" => git(&folder, ".", &["apply", "--unidiff-zero", "-"], &text),
                "console" => {
                    for (command, expected) in commands(&text) {
                        let arguments: Vec<&str> = command.split_whitespace().collect();
                        let result = folder.run(&arguments);
                        let printed = format!("{}{}", result.output, result.notes);
                        let printed = printed.trim_end_matches('\n');
                        assert_eq!(printed, expected.trim_end_matches('\n'), "{name}: camfort-rs {command}");
                        ran += 1;
                    }
                }
                other => panic!("a block of {other} in docs/guard.md"),
            }
        }
    }
    assert!(ran >= 9, "{ran} commands");
}
