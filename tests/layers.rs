//! The layers of the house hold: no folder of `src` uses one that stands above it, and no files of a folder use each
//! other in a circle.
//!
//! What is read are the paths of the code itself (`use` lines and paths in expressions, as tokens), without tests and
//! comments. A path is followed through re-exports to the file that has the item, so that `super::Thing` counts for the
//! file that defines `Thing` and not for the `mod.rs` that hands it on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What each folder uses directly at most; what these use it may use too.
const LAYERS: [(&str, &[&str]); 15] = [
    ("source", &[]),
    ("syntax", &["source"]),
    ("intrinsics", &["syntax"]),
    ("names", &["intrinsics"]),
    ("flow", &["names"]),
    ("symbolic", &[]),
    ("region", &[]),
    ("solve", &["region", "symbolic"]),
    ("procedures", &["flow"]),
    ("values", &["procedures", "symbolic"]),
    ("diagnostics", &["source"]),
    ("workspace", &["values", "diagnostics"]),
    ("analysis", &["workspace", "solve", "region"]),
    ("server", &["analysis"]),
    ("cli", &["server"]),
];

/// Uses of a folder above, by file and folder, each with what will mend it. The list shrinks; nothing is added.
const UPWARD: [(&str, &str, &str); 0] = [];

/// Folders with files that use each other in circles: in how many files, and why. The numbers shrink; nothing is added.
const CIRCLES: [(&str, usize, &str); 16] = [
    ("analysis/guard", 2, "the collector of uses asks the recorder which array a symbol is"),
    ("analysis/obligations", 3, "a point is of a unit, which asks its source of demands, which looks at points"),
    ("analysis/preconditions", 12, "making an expression simplifies its parts, which makes expressions"),
    ("analysis/stencil/attach", 2, "what `mod.rs` defines is used by the file that it uses"),
    ("analysis/stencil/check", 10, "what `mod.rs` defines is used by the files that it uses"),
    ("analysis/survey/render", 4, "formats ask `mod.rs` for the parts of a study, and are called by it"),
    ("names", 5, "`symbol`, `declared` and `constant`; `resolve` and `evidence`"),
    ("region", 3, "`Interval`, `IntegerSet` and `Scheme` convert into each other"),
    ("solve", 4, "`mod.rs` defines what a solver is, and makes each of them"),
    ("source", 1, "`prescan` and `preprocess` read files for each other"),
    ("source/preprocess", 6, "what `mod.rs` defines is used by the files that it uses"),
    ("syntax/ast", 2, "declarations hold expressions, and type specifications stand in expressions"),
    ("syntax/nesting", 2, "what `mod.rs` defines is used by the file that it uses"),
    ("syntax/parse", 7, "the grammar is recursive"),
    ("syntax/parse/expression", 1, "the grammar is recursive"),
    ("syntax/parse/statement", 1, "the grammar is recursive"),
];

#[test]
fn no_folder_uses_one_above_it() {
    let modules = Modules::read();
    let known: BTreeSet<(String, String)> =
        UPWARD.iter().map(|(file, folder, _)| ((*file).to_owned(), (*folder).to_owned())).collect();
    let mut found = BTreeSet::new();
    let mut examples = BTreeMap::new();
    for (from, to, path) in modules.uses() {
        let (here, there) = (folder(&from), folder(&to));
        if here != there && !below(here).contains(there) {
            let key = (from.clone(), there.to_owned());
            examples.entry(key.clone()).or_insert(path);
            found.insert(key);
        }
    }
    let new: Vec<String> = found
        .difference(&known)
        .map(|key| format!("{} uses {}, as {} may not: {}", key.0, key.1, folder(&key.0), examples[key]))
        .collect();
    let mended: Vec<_> = known.difference(&found).collect();
    assert!(new.is_empty(), "{}", new.join("\n"));
    assert!(mended.is_empty(), "mended, take it out of the list: {mended:?}");
}

#[test]
fn files_of_a_folder_use_each_other_in_no_circle() {
    let modules = Modules::read();
    let uses = modules.uses();
    let mut graph: DiGraphMap<&str, ()> = DiGraphMap::new();
    for (from, to, _) in &uses {
        if from != to && folder(from) == folder(to) {
            graph.add_edge(from.as_str(), to.as_str(), ());
        }
    }
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in kosaraju_scc(&graph).into_iter().filter(|files| files.len() > 1).flatten() {
        found.entry(file.rsplit_once('/').map_or("", |(directory, _)| directory)).or_default().push(file);
    }
    let mut wrong = Vec::new();
    for (directory, files) in &found {
        let known = CIRCLES.iter().find(|(known, ..)| known == directory).map_or(0, |(_, count, _)| *count);
        if files.len() > known {
            wrong.push(format!("{known} files of {directory} may use each other in circles, and {files:?} do"));
        }
    }
    let mended = CIRCLES.iter().filter(|(directory, ..)| !found.contains_key(directory));
    wrong.extend(mended.map(|(directory, ..)| format!("mended, take it out of the list: {directory}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folder of a file of `src`, or its name without extension if it stands there by itself.
fn folder(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

/// All folders that a folder may use; the two roots may use everything.
fn below(folder: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<&str> = match folder {
        "lib" | "main" => LAYERS.iter().map(|(name, _)| *name).chain(["lib"]).collect(),
        _ => LAYERS.iter().filter(|(name, _)| *name == folder).flat_map(|(_, uses)| uses.iter().copied()).collect(),
    };
    while let Some(next) = pending.pop() {
        if let Some((name, uses)) = LAYERS.iter().find(|(name, _)| *name == next)
            && found.insert(*name)
        {
            pending.extend(*uses);
        }
    }
    found
}

/// A path of the code, from the crate's root.
type ModulePath = Vec<String>;

/// The modules of the crate.
struct Modules(BTreeMap<ModulePath, Module>);

#[derive(Default)]
struct Module {
    /// The file below `src`.
    file: String,
    /// What it hands on: names and where they come from; `*` for everything of a module.
    exported: Vec<(String, ModulePath)>,
    /// The names that it brings in for itself.
    imported: Vec<(String, ModulePath)>,
    /// All other paths.
    paths: Vec<ModulePath>,
}

impl Modules {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut modules = BTreeMap::new();
        for entry in walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok) {
            let below = entry.path().strip_prefix(&root).expect("it was found there").to_path_buf();
            let is_test = below.iter().any(|part| {
                let name = part.to_string_lossy();
                name == "tests" || name == "tests.rs" || name == "testing.rs" || name.ends_with("_tests.rs")
            });
            if is_test || below.extension().is_none_or(|extension| extension != "rs") || below == Path::new("main.rs") {
                continue;
            }
            let text = fs::read_to_string(entry.path()).expect("a source file can be read");
            let tokens: TokenStream = text.parse().expect("a source file is Rust");
            let here = module_path(&below);
            let mut module = Module { file: below.to_string_lossy().replace('\\', "/"), ..Module::default() };
            module.scan(&here, &tokens.into_iter().collect::<Vec<_>>());
            modules.insert(here, module);
        }
        assert!(modules.len() > 100, "{}", modules.len());
        Modules(modules)
    }

    /// Each use of another file: the file, the file that has what is used, and the path as it is written from the root.
    fn uses(&self) -> Vec<(String, String, String)> {
        let mut uses = Vec::new();
        for module in self.0.values() {
            let imported = module.imported.iter().map(|(_, path)| path);
            for path in imported.chain(&module.paths) {
                if let Some(file) = self.home(path, 0).filter(|file| *file != module.file) {
                    uses.push((module.file.clone(), file, path.join("::")));
                }
            }
        }
        uses.sort();
        uses.dedup_by(|one, other| (&one.0, &one.1) == (&other.0, &other.1));
        uses
    }

    /// The file that has the item of a path.
    fn home(&self, path: &[String], depth: usize) -> Option<String> {
        // A module that is named as a whole, or with an item of its own.
        let (at, module) = (0..=path.len()).rev().find_map(|at| Some((at, self.0.get(&path[..at])?)))?;
        let Some(name) = path.get(at).filter(|_| depth < 8) else { return Some(module.file.clone()) };
        let exported = module.exported.iter().chain(&module.imported);
        for (exported, from) in exported.filter(|(exported, _)| exported == name || exported == "*") {
            let whole: ModulePath = match exported.as_str() {
                "*" => from.iter().chain(&path[at..]).cloned().collect(),
                _ => from.iter().chain(&path[at + 1..]).cloned().collect(),
            };
            if exported != "*" || self.has(&whole) {
                return self.home(&whole, depth + 1);
            }
        }
        Some(module.file.clone())
    }

    /// Whether a path behind a `*` leads to a module or to a name that one hands on.
    fn has(&self, path: &[String]) -> bool {
        let Some((name, module)) = path.split_last() else { return false };
        let of_module = self.0.get(module);
        self.0.contains_key(path)
            || of_module.is_some_and(|of| of.exported.iter().any(|(exported, _)| exported == name))
    }
}

/// The module that a file is.
fn module_path(file: &Path) -> ModulePath {
    let mut path: PathBuf = file.with_extension("");
    if path.ends_with("mod") || path == Path::new("lib") {
        path.pop();
    }
    path.iter().map(|part| part.to_string_lossy().into_owned()).collect()
}

impl Module {
    /// Collects the paths of some tokens, those in brackets too, but for what is compiled for tests only.
    fn scan(&mut self, here: &ModulePath, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            if is_test_attribute(&tokens[at..]) {
                at = item_end(tokens, at + 2);
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => self.scan(here, &group.stream().into_iter().collect::<Vec<_>>()),
                TokenTree::Ident(word) if *word == "use" => {
                    let is_public = at > 0
                        && match &tokens[at - 1] {
                            TokenTree::Ident(word) => *word == "pub",
                            TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
                            _ => false,
                        };
                    let end = item_end(tokens, at);
                    let tree = &tokens[at + 1..end - 1];
                    let mut found = Vec::new();
                    use_tree(here, &Vec::new(), tree, &mut found);
                    if is_public { &mut self.exported } else { &mut self.imported }.extend(found);
                    at = end;
                    continue;
                }
                // (A path without `crate` or `super` may begin with the name of a module in this one.)
                TokenTree::Ident(_) => {
                    let (path, next) = simple_path(here, tokens, at);
                    self.paths.extend(path);
                    at = next;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// Whether tokens begin with `#[cfg(test)]` or `#[cfg_attr(test, …)]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(sign), TokenTree::Group(group), ..] = tokens else { return false };
    let text = group.stream().to_string().replace(' ', "");
    sign.as_char() == '#' && text == "cfg(test)"
}

/// Where an item ends: behind its `;`, or its `{ … }` if none comes before.
fn item_end(tokens: &[TokenTree], from: usize) -> usize {
    let is_use = matches!(&tokens[from], TokenTree::Ident(word) if *word == "use");
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Group(group) => !is_use && group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens[from..].iter().position(is_end).map_or(tokens.len(), |length| from + length + 1)
}

/// A path as it would be from the root; what begins with the name of another crate leads nowhere.
fn from_root(here: &ModulePath, written: &[String]) -> ModulePath {
    let mut path = if written.first().is_some_and(|part| part == "crate") { Vec::new() } else { here.clone() };
    for part in written.iter().skip(usize::from(written[0] == "crate")) {
        match part.as_str() {
            "self" => {}
            "super" => drop(path.pop()),
            name => path.push(name.to_owned()),
        }
    }
    path
}

/// The path that begins at some token, and the place behind it.
fn simple_path(here: &ModulePath, tokens: &[TokenTree], from: usize) -> (Option<ModulePath>, usize) {
    let mut written = Vec::new();
    let mut at = from;
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        written.push(word.to_string());
        if !is_colons(tokens, at + 1) {
            at += 1;
            break;
        }
        at += 3;
    }
    // (`pub(super)` and `pub(crate)` are paths too, which lead nowhere.)
    let path = (written.len() > 1).then(|| from_root(here, &written));
    (path, at.max(from + 1))
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

/// The names of a `use` tree, each with its path from the root.
fn use_tree(here: &ModulePath, prefix: &[String], tokens: &[TokenTree], found: &mut Vec<(String, ModulePath)>) {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
    for branch in tokens.split(is_comma).filter(|branch| !branch.is_empty()) {
        let mut written = prefix.to_vec();
        let mut name = None;
        let mut is_alias = false;
        for token in branch {
            match token {
                TokenTree::Ident(word) if *word == "as" => is_alias = true,
                TokenTree::Ident(word) if is_alias => name = Some(word.to_string()),
                TokenTree::Ident(word) => written.push(word.to_string()),
                TokenTree::Punct(sign) if sign.as_char() == '*' => name = Some("*".to_owned()),
                TokenTree::Group(group) => {
                    use_tree(here, &written, &group.stream().into_iter().collect::<Vec<_>>(), found);
                    written.clear();
                }
                _ => {}
            }
        }
        if !written.is_empty() {
            let path = from_root(here, &written);
            let last = written.iter().rev().find(|part| *part != "self").cloned();
            found.extend(name.or(last).map(|name| (name, path)));
        }
    }
}
