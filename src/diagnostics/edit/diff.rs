//! Unified diffs of bytes, which may be no valid UTF-8.

use std::ops::Range;
use std::path::{Component, Path};

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::diagnostics::paths;

/// Lines of context around a change, as `diff -u` and git give.
const CONTEXT: usize = 3;

/// The change from `old` to `new` as a unified diff that `git apply` and `patch -p1` take; empty when nothing changed.
///
/// Lines end with LF here as they do for those tools, also where the program sees CR.
///
/// An absolute path loses its root in the headers, as git has no absolute names; so does one that leads out of the
/// working directory by `..`, which these tools refuse.
pub fn unified_diff(path: &Path, old: &[u8], new: &[u8]) -> Vec<u8> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
    let new_lines: Vec<&[u8]> = new.split_inclusive(|&byte| byte == b'\n').collect();
    let operations = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    let mut result = Vec::new();
    for group in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if result.is_empty() {
            result.extend(header(path));
        }
        let old_range = first.old_range().start..last.old_range().end;
        let new_range = first.new_range().start..last.new_range().end;
        result.extend_from_slice(format!("@@ -{} +{} @@\n", numbers(old_range), numbers(new_range)).as_bytes());
        for operation in &group {
            write_operation(&mut result, operation, &old_lines, &new_lines);
        }
    }
    result
}

/// The two header lines. A name with bytes that would break the line is quoted as git quotes it.
fn header(path: &Path) -> Vec<u8> {
    let leads_up = path.components().any(|component| component == Component::ParentDir);
    let here = std::env::current_dir().unwrap_or_default();
    let path = if leads_up { paths::below(&here, &paths::resolved(path)) } else { path.to_path_buf() };
    let name = path.as_os_str().as_encoded_bytes();
    let relative: &[u8] = &name[name.iter().take_while(|&&byte| byte == b'/').count()..];
    let relative = relative.strip_prefix(b"./").unwrap_or(relative);
    let mut result = Vec::new();
    for (sign, side) in [("---", "a/"), ("+++", "b/")] {
        result.extend_from_slice(format!("{sign} ").as_bytes());
        result.extend(quoted_as_git_does(&[side.as_bytes(), relative].concat()));
        // A name with a blank ends at a tab, or patch would cut it there.
        result.extend_from_slice(if relative.contains(&b' ') { b"\t\n" } else { b"\n" });
    }
    result
}

fn quoted_as_git_does(name: &[u8]) -> Vec<u8> {
    if name.iter().all(|&byte| byte >= b' ' && byte != b'"' && byte != b'\\' && byte != 0x7f) {
        return name.to_vec();
    }
    let mut result = vec![b'"'];
    for &byte in name {
        match byte {
            b'"' | b'\\' => result.extend([b'\\', byte]),
            b' '..=b'~' => result.push(byte),
            _ => result.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    result.push(b'"');
    result
}

/// A range of lines as a hunk's header gives it: first line and number of lines. An empty range is named by the line
/// before it.
fn numbers(range: Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write_operation(result: &mut Vec<u8>, operation: &DiffOp, old: &[&[u8]], new: &[&[u8]]) {
    if let DiffOp::Equal { .. } = operation {
        write_lines(result, b' ', &old[operation.old_range()]);
    } else {
        write_lines(result, b'-', &old[operation.old_range()]);
        write_lines(result, b'+', &new[operation.new_range()]);
    }
}

fn write_lines(result: &mut Vec<u8>, sign: u8, lines: &[&[u8]]) {
    for line in lines {
        result.push(sign);
        result.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            result.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}
