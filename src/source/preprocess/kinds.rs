//! Which preprocessor a file is for.

use std::path::Path;

use memchr::memmem;

/// A statement that a directive makes, of which nothing is known.
pub const HIDDEN_STATEMENT: &[u8] = b"__hidden__";

/// Whether a file is one for fypp: its name says so, or a line begins with `#:`.
pub fn is_fypp(path: &Path, bytes: &[u8]) -> bool {
    has_extension(path, "fypp") || memmem::find_iter(bytes, b"#:").any(|at| begins_line(bytes, at))
}

/// Whether a file is one for pFUnit.
pub fn is_pfunit(path: &Path) -> bool {
    has_extension(path, "pf")
}

fn has_extension(path: &Path, expected: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}

/// Whether nothing but blanks stands between a place and the beginning of its line.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(before, None | Some(b'\n' | b'\r'))
}

/// Whether a file goes through the preprocessor: its name says so (`.F90`, `.fpp`), or a line begins with `#`.
pub fn is_preprocessed(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let named = extension.starts_with('F') || matches!(extension, "fpp" | "pf" | "fypp");
    let line_start = |at: usize| at == 0 || matches!(bytes[at - 1], b'\n' | b'\r');
    named || memchr::memchr_iter(b'#', bytes).any(line_start)
}
