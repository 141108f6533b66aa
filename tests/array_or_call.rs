//! `f(i)`: an element of an array or a call? Judged against the declarations.
//!
//! The judge is a scanner of its own that knows lines and declarations only: it strips comments, joins continued lines,
//! drops blanks and keeps for each scope which names are declared with a shape, which are EXTERNAL or INTRINSIC, what
//! it uses of which module, and whether names may come from where it does not look (INCLUDE, modules of elsewhere). In
//! a scope that it sees whole, what has no shape is no array.
//!
//! LAPACK and CDFTOOLS are fetched by `corpus/fetch` (part of `.ci/setup --tests`). Where they could not be had, their
//! test says so and passes, unless `CI` is set. `CAMFORT_ARRAYS=FOLDER` judges the files below any other folder.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use camfort_rs::names::{PartClass, SymbolKind};
use camfort_rs::source::SourceForm;
use camfort_rs::syntax::visit::{Access, walk_references};
use camfort_rs::syntax::{ArgumentValue, Reference};
use camfort_rs::workspace::{Project, SourceOptions};
use rayon::prelude::*;

mod common;
use common::{fortran_files, public_package, root};

/// What the declarations say of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Declared {
    Array,
    Procedure,
    /// A type or attribute without a shape.
    Scalar,
}

/// A program unit as the scanner sees it.
#[derive(Clone, Default, Debug)]
struct Scope {
    names: HashMap<String, Declared>,
    parent: Option<usize>,
    /// The name of a module.
    module: Option<String>,
    uses: Vec<Use>,
    /// Whether names may come from where the scanner does not look.
    open: bool,
}

/// A USE statement: the module, the names and renames in its list, and whether it has ONLY.
#[derive(Clone, Debug)]
struct Use {
    module: String,
    only: bool,
    /// Local name and name in the module.
    names: Vec<(String, String)>,
}

impl Use {
    /// Reads what follows USE, without blanks.
    fn read(rest: &str) -> Option<Use> {
        let rest = rest.rsplit("::").next()?;
        let (module, list) = rest.split_once(',').map_or((rest, None), |(module, list)| (module, Some(list)));
        let list = list.unwrap_or_default();
        let (only, list) = list.strip_prefix("only:").map_or((false, list), |list| (true, list));
        let name = |item: &str| {
            let (local, remote) = item.split_once("=>").unwrap_or((item, item));
            (local.to_owned(), remote.to_owned())
        };
        let names = split(list).into_iter().filter(|item| !item.is_empty()).map(name).collect();
        is_name(module).then(|| Use { module: module.to_owned(), only, names })
    }

    /// The name in the module of a name here, if it comes from there.
    fn remote<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        let listed = self.names.iter().find(|(local, _)| local == name).map(|(_, remote)| remote.as_str());
        listed.or((!self.only).then_some(name))
    }
}

/// The modules of all files.
type Modules = HashMap<String, Scope>;

/// What is known of a name in a scope, its modules included; and whether it may be declared where the scanner does not
/// look.
fn look(scope: &Scope, name: &str, modules: &Modules, depth: usize) -> (Option<Declared>, bool) {
    if let Some(declared) = scope.names.get(name) {
        return (Some(*declared), scope.open);
    }
    let mut open = scope.open;
    for used in &scope.uses {
        let Some(remote) = used.remote(name) else { continue };
        match modules.get(&used.module) {
            Some(module) if depth < 20 => {
                let (declared, module_open) = look(module, remote, modules, depth + 1);
                if declared.is_some() {
                    return (declared, open | module_open);
                }
                open |= module_open;
            }
            _ => open = true,
        }
    }
    (None, open)
}

/// The scopes of a file, and the scope of each line (from 1).
struct Scan {
    scopes: Vec<Scope>,
    of_line: Vec<usize>,
}

/// The statements of a text: without blanks, in lower case, with the number of their first line.
fn statements(text: &str, form: SourceForm) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        if line.starts_with('#') {
            continue;
        }
        let continued = match form {
            SourceForm::Fixed => {
                if line.starts_with(['c', 'C', '*', '!', 'd', 'D']) || line.trim().is_empty() {
                    continue;
                }
                // A tab leads to column 7.
                let continuation = line.chars().nth(5).is_some_and(|sign| sign != ' ' && sign != '0');
                !line.contains('\t') && continuation && line[..5].trim().is_empty()
            }
            SourceForm::Free => continues,
        };
        let code = match form {
            SourceForm::Fixed => {
                line.chars().skip(if line.contains('\t') { 0 } else { 6 }).take(66).collect::<String>()
            }
            SourceForm::Free => line.trim().trim_start_matches('&').to_owned(),
        };
        let mut code = without_comment_and_constants(&code);
        if form == SourceForm::Free {
            if code.is_empty() {
                continue;
            }
            continues = code.ends_with('&');
            code = code.trim_end_matches('&').to_owned();
        }
        for (at, part) in code.split(';').enumerate() {
            match found.last_mut() {
                Some((_, last)) if continued && at == 0 => last.push_str(part),
                _ => found.push((number, part.to_owned())),
            }
        }
    }
    found
}

/// The code of a line in lower case, with blanks and the text of character constants gone.
fn without_comment_and_constants(line: &str) -> String {
    let mut quote = None;
    let mut code = String::new();
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '!') => break,
            (None, _) if character.is_whitespace() => {}
            (None, _) => code.extend(character.to_lowercase()),
        }
    }
    code
}

/// Splits at the commas outside of brackets.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in list.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// What follows the brackets that a text begins with.
fn behind_brackets(text: &str) -> &str {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ if depth == 0 => return text,
            _ => {}
        }
    }
    text
}

const TYPES: [&str; 8] =
    ["integer", "real", "doubleprecision", "doublecomplex", "complex", "logical", "character", "byte"];

/// What follows the type that a statement begins with.
fn behind_type(statement: &str) -> Option<&str> {
    let derived = ["type(", "class("].into_iter().find(|begin| statement.starts_with(begin));
    if let Some(begin) = derived {
        return Some(behind_brackets(&statement[begin.len() - 1..]));
    }
    let rest = TYPES.into_iter().find_map(|word| statement.strip_prefix(word))?;
    match rest.strip_prefix('*') {
        Some(length) if length.starts_with('(') => Some(behind_brackets(length)),
        Some(length) => Some(length.trim_start_matches(|digit: char| digit.is_ascii_digit())),
        None => Some(behind_brackets(rest)),
    }
}

impl Scope {
    /// Enters the entities of a list; `shaped` says that all have a shape.
    fn declare(&mut self, list: &str, shaped: bool, otherwise: Declared) {
        for item in split(list) {
            let item = item.trim_start_matches('/');
            let name: String = item.chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect();
            let mut rest = &item[name.len()..];
            rest = rest.strip_prefix('*').map_or(rest, |length| {
                behind_brackets(length).trim_start_matches(|digit: char| digit.is_ascii_digit())
            });
            let has_shape = shaped || rest.starts_with('(');
            let known = self.names.get(&name).copied();
            let declared = match (has_shape, known) {
                (true, _) | (_, Some(Declared::Array)) => Declared::Array,
                (_, Some(Declared::Procedure)) => Declared::Procedure,
                _ => otherwise,
            };
            if is_name(&name) {
                self.names.insert(name, declared);
            }
        }
    }

    /// Takes in a statement, if it is a declaration.
    fn take(&mut self, statement: &str) {
        if let Some(used) = statement.strip_prefix("use").and_then(Use::read) {
            self.uses.push(used);
        } else if statement.starts_with("include") || statement.starts_with("import") {
            self.open = true;
        } else if let Some(list) = statement.strip_prefix("external") {
            self.declare(list.trim_start_matches("::"), false, Declared::Procedure);
        } else if let Some(list) = statement.strip_prefix("intrinsic") {
            self.declare(list.trim_start_matches("::"), false, Declared::Procedure);
        } else if let Some(list) = statement.strip_prefix("common") {
            // Slashes end the name of a block and the list in front of it.
            let mut parts = list.split('/');
            self.declare(parts.next().unwrap_or_default(), false, Declared::Scalar);
            parts.skip(1).step_by(2).for_each(|list| self.declare(list.trim_end_matches(','), false, Declared::Scalar));
        } else if let Some(list) = ["dimension", "allocatable", "pointer", "target"]
            .into_iter()
            .find_map(|word| statement.strip_prefix(word).filter(|list| !list.starts_with(['(', '=', '%'])))
        {
            self.declare(list.trim_start_matches("::"), false, Declared::Scalar);
        } else if let Some(rest) = behind_type(statement) {
            match rest.split_once("::") {
                Some((attributes, list)) => {
                    let attribute = |name: &str| split(attributes).iter().any(|it| it.starts_with(name));
                    let otherwise = if attribute("external") { Declared::Procedure } else { Declared::Scalar };
                    self.declare(list, attribute("dimension("), otherwise);
                }
                None if !rest.starts_with('=') => self.declare(rest, false, Declared::Scalar),
                None => {}
            }
        }
    }
}

/// Whether a statement begins a subprogram or another program unit.
fn opens_unit(statement: &str) -> bool {
    let mut rest = statement;
    loop {
        let prefixes = ["recursive", "pure", "elemental", "impure", "module"];
        let stripped = prefixes.into_iter().find_map(|word| rest.strip_prefix(word));
        let is_module_name =
            |behind: &str| rest.starts_with("module") && is_name(behind) && !behind.starts_with("procedure");
        match stripped.or_else(|| behind_type(rest)) {
            Some(behind) if is_module_name(behind) && !behind.starts_with("subroutine") => return true,
            Some(behind) => rest = behind,
            None => break,
        }
    }
    let header = |word: &str| {
        rest.strip_prefix(word).is_some_and(|behind| {
            let name: String = behind.chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect();
            let tail = &behind[name.len()..];
            let tail =
                tail.strip_prefix('*').map_or(tail, |it| it.trim_start_matches(|digit: char| digit.is_ascii_digit()));
            let bracketed = behind_brackets(tail);
            is_name(&name)
                && (bracketed.is_empty() || bracketed.starts_with("result(") || bracketed.starts_with("bind("))
                && (word != "function" || tail.starts_with('('))
        })
    };
    header("subroutine") || header("function") || header("program") || rest.starts_with("blockdata")
}

fn scan(text: &str, form: SourceForm) -> Scan {
    let mut scan = Scan { scopes: vec![Scope::default()], of_line: vec![0; text.lines().count() + 2] };
    let mut stack = vec![0];
    let (mut in_interface, mut in_type) = (false, false);
    let mut last_line = 0;
    for (line, statement) in statements(text, form) {
        let current = *stack.last().expect("the file's scope stays");
        scan.of_line[last_line + 1..=line].fill(current);
        last_line = line;
        match statement.as_str() {
            text if text.starts_with("endinterface") => in_interface = false,
            text if text.starts_with("endtype") => in_type = false,
            _ if in_interface || in_type => {}
            "interface" | "abstractinterface" => in_interface = true,
            // A generic interface names procedures.
            text if text.starts_with("interface") => {
                in_interface = true;
                scan.scopes[current].declare(&text["interface".len()..], false, Declared::Procedure);
            }
            text if text.starts_with("type::") || text.starts_with("type,") => in_type = true,
            text if text.strip_prefix("type").is_some_and(is_name) => in_type = true,
            "end" => stack.truncate((stack.len() - 1).max(1)),
            text if ["endsubroutine", "endfunction", "endprogram", "endmodule", "endblockdata"]
                .iter()
                .any(|word| text.starts_with(word)) =>
            {
                stack.truncate((stack.len() - 1).max(1));
            }
            text if opens_unit(text) => {
                let module = text.strip_prefix("module").filter(|name| is_name(name)).map(str::to_owned);
                scan.scopes.push(Scope { parent: (current > 0).then_some(current), module, ..Scope::default() });
                stack.push(scan.scopes.len() - 1);
                scan.of_line[line] = scan.scopes.len() - 1;
            }
            text if current == 0 => {
                // A main program without PROGRAM.
                scan.scopes.push(Scope::default());
                stack.push(scan.scopes.len() - 1);
                scan.scopes.last_mut().expect("just pushed").take(text);
                scan.of_line[line] = scan.scopes.len() - 1;
            }
            text => scan.scopes[current].take(text),
        }
    }
    let current = *stack.last().expect("the file's scope stays");
    scan.of_line[last_line + 1..].fill(current);
    scan
}

impl Scan {
    /// What the declarations that can be seen from a line say of a name, and whether it may be declared elsewhere.
    fn judge(&self, line: usize, name: &str, modules: &Modules) -> (Option<Declared>, bool) {
        let mut at = self.of_line.get(line).copied();
        let mut open = false;
        while let Some(scope) = at.map(|at| &self.scopes[at]) {
            let (declared, scope_open) = look(scope, name, modules, 0);
            open |= scope_open;
            if declared.is_some() {
                return (declared, open);
            }
            at = scope.parent;
        }
        (None, open)
    }
}

/// The count of references that were judged, and those that are wrong.
#[derive(Default)]
struct Verdicts {
    arrays: usize,
    calls: usize,
    wrong: Vec<String>,
}

/// The bytes of a file, and its text as if it were Latin-1; `None` for what goes through a preprocessor.
fn read(path: &Path) -> Option<(Vec<u8>, String)> {
    let bytes = std::fs::read(path).ok()?;
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    (!text.lines().any(|line| line.starts_with('#'))).then_some((bytes, text))
}

/// The modules that a file defines.
fn modules_of(path: &Path) -> Vec<Scope> {
    let Some((bytes, text)) = read(path) else { return Vec::new() };
    if !text.to_ascii_lowercase().contains("module") {
        return Vec::new();
    }
    let form = camfort_rs::source::form::guess_form(path, &bytes);
    scan(&text, form).scopes.into_iter().filter(|scope| scope.module.is_some()).collect()
}

fn judge_file(project: &Project, path: &Path, modules: &Modules) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let Some((bytes, text)) = read(path) else { return verdicts };
    let view = project.view(path, bytes);
    let (tree, resolved) = (view.tree(), view.names());
    let scan = scan(&text, tree.source.form);
    for (id, statement) in tree.statements.iter_enumerated() {
        let mut judge = |reference: &Reference| {
            let first = &reference.parts[0];
            let Some(list) = first.lists.first() else { return };
            let is_range = matches!(list.items.as_slice(), [one] if matches!(one.value, ArgumentValue::Section(_)));
            let symbol = resolved.symbol_at(id, first.name.name).map(|symbol| &resolved.symbol(symbol).kind);
            if matches!(symbol, Some(SymbolKind::AssociateName { .. })) || !tree.source.texts.in_root(first.name.span) {
                return;
            }
            let (_, start, _) = tree.source.texts.locate(first.name.span);
            let (declared, open) = scan.judge(start.line as usize, tree.names.text(first.name.name), modules);
            let class = resolved.classify(tree, id, reference)[0];
            let is_array = matches!(class, PartClass::Array { .. });
            let is_call = matches!(class, PartClass::Function | PartClass::Intrinsic | PartClass::StatementFunction);
            let right = match declared {
                Some(Declared::Array) => is_array,
                Some(Declared::Procedure) => is_call,
                // Without a shape it can be a CHARACTER's substring, a pointer's target, or a function.
                _ if open || is_range => return,
                _ => !is_array,
            };
            match declared {
                Some(Declared::Array) => verdicts.arrays += 1,
                _ => verdicts.calls += 1,
            }
            if !right {
                let name = tree.names.text(first.name.name);
                verdicts.wrong.push(format!(
                    "{}:{}: {name} is {class:?}, declared {declared:?}",
                    path.display(),
                    start.line
                ));
            }
        };
        walk_references(&tree.names, &statement.kind, &mut |reference, access| {
            if access != Access::Called {
                judge(reference);
            }
        });
    }
    verdicts
}

/// Judges all files, which must give nothing wrong, and gives back how many arrays and calls there were.
fn judged(files: &[PathBuf]) -> (usize, usize) {
    let project = Project::load(files, SourceOptions::default());
    let modules: Vec<Scope> = files.par_iter().flat_map(|path| modules_of(path)).collect();
    let modules: Modules = modules.into_iter().map(|scope| (scope.module.clone().unwrap_or_default(), scope)).collect();
    let verdicts: Vec<Verdicts> = files.par_iter().map(|path| judge_file(&project, path, &modules)).collect();
    let wrong: Vec<&String> = verdicts.iter().flat_map(|it| &it.wrong).collect();
    let shown: Vec<&str> = wrong.iter().take(40).map(|text| text.as_str()).collect();
    assert!(wrong.is_empty(), "{} wrong, such as\n{}", wrong.len(), shown.join("\n"));
    (verdicts.iter().map(|it| it.arrays).sum(), verdicts.iter().map(|it| it.calls).sum())
}

#[test]
fn arrays_of_the_corpus_are_arrays() {
    let (arrays, calls) = judged(&fortran_files(&root().join("corpus")));
    assert!(arrays > 500 && calls > 50, "only {arrays} arrays and {calls} calls were judged");
}

#[test]
fn arrays_of_public_code_are_arrays() {
    for (name, least_arrays, least_calls) in [("lapack", 100_000, 10_000), ("cdftools", 10_000, 100)] {
        // LAPACK comes from the registry that the program's own packages come from; CDFTOOLS from Debian's sources,
        // which not every machine has.
        let Some(files) = public_package(name, name == "lapack") else { continue };
        let (arrays, calls) = judged(&files);
        assert!(
            arrays > least_arrays && calls > least_calls,
            "{name}: only {arrays} arrays and {calls} calls were judged"
        );
    }
}

#[test]
fn arrays_of_another_folder_are_arrays() {
    if let Some(folder) = std::env::var_os("CAMFORT_ARRAYS") {
        let (arrays, calls) = judged(&fortran_files(Path::new(&folder)));
        eprintln!("{arrays} arrays, {calls} calls");
    }
}
