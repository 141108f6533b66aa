//! What the documents name is there: every relative link, and every path of this repository. The names of files are
//! such that every system can have them.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents: Markdown at the top, in `docs` and in the folders that explain themselves.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "corpus", "fuzz", "grammar", "packaging/action", "tests/schemas"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

/// The text without its blocks of code, whose paths are those of examples.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// What stands between `open` and `close`, each time.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let pieces = text.split(open).skip(1);
    pieces.filter_map(|piece| piece.split_once(close)).map(|(inner, _)| inner).collect()
}

/// Words, without the marks around them.
fn words(prose: &str) -> Vec<&str> {
    let is_mark = |c: char| c.is_whitespace() || "`'\"()[]<>,;:|".contains(c);
    prose.split(is_mark).map(|word| word.trim_end_matches('.')).collect()
}

/// The anchor that Markdown services make of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Whether a path is in the repository; `*` stands for a part of the last name.
fn exists(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((before, after)) = name.split_once('*') else { return path.exists() };
    let folder = path.parent().unwrap_or(path);
    let names = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.into_iter().any(|name| name.to_string_lossy().starts_with(before) && name.to_string_lossy().ends_with(after))
}

/// Whether a word claims to be a path of this repository: its first part is one of the folders at the top, or it names
/// Rust code.
fn is_repository_path(word: &str) -> bool {
    let folders = [".ci/", "benches/", "corpus/", "docs/", "fuzz/", "grammar/", "src/", "tests/"];
    folders.iter().any(|folder| word.starts_with(folder)) || word.ends_with(".rs")
}

fn broken_links(file: &Path, prose: &str) -> Vec<String> {
    let folder = file.parent().unwrap();
    let mut broken = Vec::new();
    for link in between(prose, "](", ")") {
        if link.contains("://") {
            continue;
        }
        let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { file.to_path_buf() } else { folder.join(path) };
        let has_anchor = || {
            let text = std::fs::read_to_string(&target).unwrap();
            text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == fragment)
        };
        if !target.exists() || !(fragment.is_empty() || has_anchor()) {
            broken.push(format!("{}: link {link}", file.display()));
        }
    }
    broken
}

#[test]
fn links_and_paths_resolve() {
    let mut broken = Vec::new();
    let mut paths = 0;
    for file in documents() {
        let prose = prose(&std::fs::read_to_string(&file).unwrap());
        broken.extend(broken_links(&file, &prose));
        for word in words(&prose).into_iter().filter(|word| is_repository_path(word)) {
            paths += 1;
            if !exists(&root().join(word)) && !exists(&root().join("src").join(word)) {
                broken.push(format!("{}: path {word}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(paths >= 10, "only {paths} paths were found: are they still recognised?");
}

#[test]
fn what_is_not_there_is_found() {
    let readme = root().join("README.md");
    let text = "See [there](docs/gone.md), [here](docs/ci.md#gitlab), [no](docs/ci.md#bitbucket) and `src/gone.rs`.";
    assert_eq!(broken_links(&readme, text).len(), 2);
    assert!(words(text).contains(&"src/gone.rs"));
    assert!(is_repository_path("src/gone.rs") && is_repository_path("flow/gone.rs") && !is_repository_path("a.f90"));
    assert!(exists(&root().join("tests/d*.rs")) && !exists(&root().join("tests/gone*.rs")));
}

#[test]
fn names_of_files_are_portable() {
    let folders = ["benches", "corpus", "docs", "fuzz/fuzz_targets", "grammar", "src", "tests"];
    let mut count = 0;
    for entry in folders.iter().flat_map(|folder| walkdir::WalkDir::new(root().join(folder))) {
        let entry = entry.unwrap();
        let name = entry.file_name().to_str().unwrap();
        assert!(!name.contains(|c: char| c.is_control() || "<>:\"\\|?*".contains(c)), "Windows has no file '{name}'");
        count += 1;
    }
    assert!(count > 400, "only {count} files and folders were found");
}

/// Code is `cargo fmt`'s matter; only string literals can be longer.
#[test]
fn comments_end_before_column_120() {
    let folders = ["benches", "fuzz/fuzz_targets", "src", "tests"];
    let entries = folders.iter().flat_map(|folder| walkdir::WalkDir::new(root().join(folder)));
    let files = entries.map(|entry| entry.unwrap().into_path());
    let mut long = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_long = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > 120;
        let numbers = (1..).zip(text.lines()).filter(|&(_, line)| is_long(line)).map(|(number, _)| number);
        long.extend(numbers.map(|number: usize| format!("{}:{number}", file.display())));
    }
    assert!(long.is_empty(), "comments with lines of more than 120 columns:\n{}", long.join("\n"));
}
