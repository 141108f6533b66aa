//! Whatever the input: the program ends, with status 0 or 1, without a panic, and what it prints stays in proportion.
//!
//! Three kinds of input: files of `tests/fixtures/robust` (what once went wrong is kept there), large inputs of one odd
//! shape each, which are generated here, and mutations of all Fortran fixtures. No test says how long anything takes;
//! what takes time out of proportion to its size makes this test hang.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod shapes;

use std::path::{Path, PathBuf};
use std::process::Command;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::diagnostics::edit;
use camfort_rs::source::FormChoice;
use camfort_rs::workspace::{Project, SourceOptions};
use proptest::prelude::*;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Runs inference on a file; gives what it printed.
fn run(path: &Path) -> String {
    run_command(&["infer", "--report", "--why"], path)
}

/// Runs a command on a file; gives what it printed.
fn run_command(command: &[&str], path: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_camfort-rs");
    let output = Command::new(program).args(command).arg(path).output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).expect("the output is valid text");
    let shown: String = printed.chars().take(2_000).collect();
    let status = output.status.code();
    assert!(!printed.contains("panicked"), "{}: {shown}", path.display());
    assert!(matches!(status, Some(0 | 1)), "{}: {status:?}, {shown}", path.display());
    let size = std::fs::metadata(path).unwrap().len() as usize;
    assert!(printed.len() < 20_000 + 12 * size, "{}: prints {} bytes", path.display(), printed.len());
    printed
}

/// Runs inference on a text; gives what it printed.
fn run_text(name: &str, text: impl AsRef<[u8]>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    run(&path)
}

#[test]
fn kept_files() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(fixtures().join("robust")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 5);
    for path in files {
        run_command(&["inputs"], &path);
        run_command(&["requires"], &path);
        run_command(&["shapes", "--possible"], &path);
        let printed = run(&path);
        let expects_spec = ["nul_bytes", "self_include", "recursive_macro", "circular_modules"];
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if expects_spec.contains(&stem.as_str()) {
            assert!(printed.contains("stencil readOnce, backward(depth=1, dim=1) :: a"), "{stem}: {printed}");
        }
    }
}

#[test]
fn includes_that_double() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    for level in 0..40 {
        let next = level + 1;
        write(format!("f{level}.inc"), format!("include 'f{next}.inc'\ninclude 'f{next}.inc'\n"));
    }
    write("f40.inc".to_owned(), "x = 1\n".repeat(20_000));
    write("main.f90".to_owned(), "include 'f0.inc'\nend\n".to_owned());
    assert!(run(&folder.path().join("main.f90")).contains("more than 8 MB of text are included"));
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_included() {
    let text = "#include \"/dev/zero\"\ninclude '/dev/urandom'\ninclude '/dev/stdin'\ninclude '/'\nend\n";
    let printed = run_text("devices.F90", text);
    for path in ["/dev/zero", "/dev/urandom", "/dev/stdin", "/"] {
        assert!(printed.contains(&format!("'{path}': not found")), "{printed}");
    }
}

#[test]
fn many_statements_on_a_line_and_deep_blocks() {
    run_text("line.f90", format!("subroutine s(a)\nreal a(9)\n{}\nend\n", "a(1) = 1; ".repeat(80_000)));
    run_text("blocks.f90", format!("{}{}end\n", "block\n".repeat(20_000), "end block\n".repeat(20_000)));
}

#[test]
fn many_definitions_that_reach_many_uses() {
    let count = 20_000;
    let definitions: String = (0..count).map(|n| format!("if (c == {n}) k = i + {n}\n")).collect();
    let declarations = "integer n, i, k, c\nreal a(n), b(n)\n";
    let uses = "b(i) = a(k)\n".repeat(count);
    let text = format!("subroutine s(a, b, c, n)\n{declarations}do i = 1, n\n{definitions}{uses}end do\nend\n");
    run_text("uses.f90", text);
}

#[test]
fn deep_associates() {
    let count = 50_000;
    let open: String = (0..count).map(|n| format!("associate (x{n} => a({n} + 1))\n")).collect();
    let body: String = (0..count).map(|n| format!("b({n} + 1) = x{n} + a(n)\n")).collect();
    run_text(
        "associates.f90",
        format!("subroutine s(a, b, n)\nreal a(n), b(n)\n{open}{body}{}end\n", "end associate\n".repeat(count)),
    );
}

#[test]
fn deep_brackets() {
    let printed = run_text("deep.f90", shapes::deep_brackets(20_000));
    assert!(printed.contains("stencil readOnce, forward(depth=1, dim=1, nonpointed) :: a"), "{printed}");
}

#[test]
fn deep_ifs() {
    run_text("deep.f90", shapes::deep_ifs(2_000));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deeper.f90");
    std::fs::write(&path, shapes::deep_ifs(20_000)).unwrap();
    assert!(run_command(&["parse"], &path).contains("+ 19999)"));
}

#[test]
fn a_long_line() {
    let printed = run_text("long.f90", shapes::long_line(1_000_000));
    assert!(printed.contains("stencil readOnce, centered(depth=1, dim=1, nonpointed) :: a"), "{printed}");
}

#[test]
fn many_labels() {
    let printed = run_text("labels.f", shapes::many_labels(20_000));
    assert!(printed.contains("stencil readOnce, backward(depth=1, dim=1) :: A"), "{printed}");
}

/// However many ways lead around, each assignment is searched once, and none of them is missing.
#[test]
fn values_that_come_around() {
    for text in [shapes::ring(100), shapes::accumulations(100)] {
        let printed = run_text("around.f90", &text);
        assert!(printed.contains("stencil backward(depth=1, dim=1) :: a"), "{printed}");
    }
}

#[test]
fn random_bytes() {
    let bytes = shapes::random_bytes(1 << 18);
    for name in ["random.f90", "random.f", "random.F90"] {
        run_text(name, &bytes);
    }
}

/// Every shape that once took time out of proportion, large enough to notice what is cubic.
#[test]
fn odd_shapes() {
    for (name, text) in shapes::all(300) {
        let extension = if text.contains("#define") || text.contains("#if") { "F90" } else { "f90" };
        run_text(&format!("{name}.{extension}"), text);
    }
}

/// The bytes of all Fortran fixtures.
fn seeds() -> Vec<Vec<u8>> {
    let entries = walkdir::WalkDir::new(fixtures()).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_fortran = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        ["f", "f90"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    entries.map(walkdir::DirEntry::into_path).filter(is_fortran).map(|path| std::fs::read(path).unwrap()).collect()
}

/// A change of a text: at a place, so many bytes go, and these bytes come.
type Change = (prop::sample::Index, usize, Vec<u8>);

/// Fixtures with some changes; sometimes two of them cut and put together.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "\n",
        "&\n",
        "(",
        ")",
        "'",
        "\"",
        "!",
        ";",
        "=",
        ",",
        "%",
        "::",
        "end",
        "do i = 1, n\n",
        "end do\n",
        "if (x) then\n",
        "end if\n",
        "contains\n",
        "#if 1\n",
        "#else\n",
        "#endif\n",
        "#define a b\n",
        "include 'x'\n",
        "!= stencil ",
        "     1",
        "\nc",
        "i",
        "1",
        "0",
        "-",
        "*",
        "\0",
        "\t",
        "\r",
        "\u{e9}",
        "9999999999999999999",
    ]);
    let inserted = prop_oneof![
        4 => piece.prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    let change = (any::<prop::sample::Index>(), prop_oneof![3 => Just(0usize), 1 => 0..40usize], inserted);
    let seeds = seeds();
    let count = seeds.len();
    let cut = prop::option::of((0..count, any::<prop::sample::Index>()));
    (0..count, cut, prop::collection::vec(change, 0..8)).prop_map(move |(seed, cut, changes)| {
        let mut bytes = seeds[seed].clone();
        if let Some((other, at)) = cut {
            bytes.truncate(at.index(bytes.len() + 1));
            bytes.extend(&seeds[other]);
        }
        changes.iter().for_each(|change| apply(&mut bytes, change));
        bytes
    })
}

fn apply(bytes: &mut Vec<u8>, (at, removed, inserted): &Change) {
    let at = at.index(bytes.len() + 1);
    let end = (at + removed).min(bytes.len());
    bytes.splice(at..end, inserted.iter().copied());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Bytes to tree and to report, in both forms: it ends, every span lies in some text, and insertion can be undone.
    #[test]
    fn mutated_fixtures(bytes in mutated(), preprocessed: bool) {
        for form in [FormChoice::Free, FormChoice::Fixed] {
            let project = Project::load(&[], SourceOptions { form, ..SourceOptions::default() });
            let path = Path::new(if preprocessed { "file.F90" } else { "file.f90" });
            let view = project.view(path, bytes.as_slice());
            let result = analyse::<Infer>(&view, InferOptions::default());
            for computation in &result.inference.computations {
                prop_assert!(view.texts().bytes(computation.span).len() <= bytes.len());
            }
            let edited = edit::apply(&bytes, &result.insertions);
            let original = edit::without_insertions(&edited, &result.insertions);
            prop_assert_eq!(original.as_deref(), Some(bytes.as_slice()));
            analyse::<Check>(&view, CheckOptions::default());
        }
    }
}

/// A module of functions, the first of which reads two elements; each other is `expression`, in which `g` stands for
/// the one below it.
fn function_chain(count: usize, expression: &str) -> String {
    let mut text = String::from("module m\ncontains\n");
    for at in 0..count {
        let value = match at.checked_sub(1) {
            None => "a(i) + a(i - 1)".to_owned(),
            Some(below) => expression.replace('g', &format!("f{below}")),
        };
        text += &format!(
            "pure real function f{at}(a, i)\nreal, intent(in) :: a(:)\ninteger, intent(in) :: i\nf{at} = {value}\nend function\n"
        );
    }
    let last = count - 1;
    text + &format!(
        "subroutine s(a, b)\nreal a(:), b(:)\ndo i = 2, 99\n b(i) = f{last}(a, i)\nend do\nend\nend module\n"
    )
}

/// What a function reads is found once for each function, however many ways lead there.
#[test]
fn functions_that_call_the_one_below_twice() {
    run_text("chain.f90", function_chain(65, "g(a, i) + g(a, i)"));
    run_text("chain.f90", function_chain(2_000, "g(a, i) + g(a, i)"));
}

#[test]
fn a_long_chain_of_functions() {
    let printed = run_text("chain.f90", function_chain(500, "0.5 * g(a, i)"));
    assert!(printed.contains("stencil readOnce, backward(depth=1, dim=1) :: a"), "{printed}");
}
