//! One file from its bytes to its tree, in the layout in which it is understood best.
//!
//! The prescanner tells the source form by extension and content. Where statements are left that are not understood, the layouts that
//! are possible otherwise are tried: the other form, and fixed form with lines of 132 columns, which many build systems ask for
//! (`-ffixed-line-length-132`). One of them is taken only when it is clearly better, and a note says so (F005).

use std::path::Path;

use super::ProjectOptions;
use crate::source::form::form_of_extension;
use crate::source::prescan::{FormChoice, PrescanOptions, prescan};
use crate::source::{Prescanned, SourceForm, SourceNote, Span};
use crate::syntax::{StatementKind, Tree, build};

/// The columns of a fixed-form line that count when nothing is said.
const STANDARD_COLUMNS: u32 = 72;
/// And in sources that are compiled with long lines.
const EXTENDED_COLUMNS: u32 = 132;

/// Columns of a fixed-form line that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FixedLineLength {
    /// 72, or 132 for a file that is clearly better understood so.
    #[default]
    Auto,
    /// So many.
    Columns(u32),
    /// All.
    Unlimited,
}

/// How the lines of a file are laid out.
#[derive(Clone, Copy)]
struct Layout {
    form: FormChoice,
    columns: Option<u32>,
}

/// Whether a file has something that other files may know, perhaps: a module, a submodule or an external function.
pub(super) fn may_be_known_elsewhere(path: &Path, bytes: &[u8], options: &ProjectOptions) -> bool {
    may_hold_modules(path, bytes, options) || may_define_functions(bytes)
}

/// Whether some line begins like a FUNCTION statement (R1530): with the word, behind nothing but types and prefixes.
fn may_define_functions(bytes: &[u8]) -> bool {
    let begins_one = |at: usize| {
        let word = bytes.get(at..at + FUNCTION.len());
        let line = memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |before| before + 1);
        word.is_some_and(|word| word.eq_ignore_ascii_case(FUNCTION)) && is_function_prefix(&bytes[line..at])
    };
    memchr::memchr2_iter(b'f', b'F', bytes).any(begins_one)
}

const FUNCTION: &[u8] = b"function";

/// Whether a line that begins so may go on with `function`.
fn is_function_prefix(before: &[u8]) -> bool {
    const WORDS: [&[u8]; 16] = [
        b"attributes",
        b"character",
        b"class",
        b"complex",
        b"double",
        b"elemental",
        b"impure",
        b"integer",
        b"logical",
        b"module",
        b"non_recursive",
        b"pure",
        b"real",
        b"recursive",
        b"simple",
        b"type",
    ];
    // A label may stand before it.
    let before = before.trim_ascii_start();
    let digits = before.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let before = before[digits..].trim_ascii_start();
    let begins = |word: &&[u8]| before.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    before.is_empty() || WORDS.iter().any(begins)
}

/// Whether a file defines a module or submodule, perhaps: a look for the word, which most files don't hold, first in the file and then, if
/// it is preprocessed, in what becomes of it.
fn may_hold_modules(path: &Path, bytes: &[u8], options: &ProjectOptions) -> bool {
    let in_file = memchr::memchr2_iter(b'm', b'M', bytes)
        .any(|at| bytes.get(at..at + 6).is_some_and(|word| word.eq_ignore_ascii_case(b"module")));
    in_file
        || (bytes.contains(&b'#') && {
            let (layout, _) = first_layout(path, options);
            let cooked = prescan_as(path, bytes, options, layout).cooked;
            memchr::memmem::find(&cooked, b"module").is_some()
        })
}

/// The layout in which a file is tried first, and the line length that was asked for.
fn first_layout(path: &Path, options: &ProjectOptions) -> (Layout, FixedLineLength) {
    let (form, length) = options.forms.of(path, options.form, options.fixed_line_length);
    let columns = match length {
        FixedLineLength::Auto => Some(STANDARD_COLUMNS),
        FixedLineLength::Columns(columns) => Some(columns),
        FixedLineLength::Unlimited => None,
    };
    (Layout { form, columns }, length)
}

/// Parses a file.
pub fn parse(path: &Path, bytes: &[u8], options: &ProjectOptions) -> Tree {
    let (layout, length) = first_layout(path, options);
    let form = layout.form;
    let tree = parse_as(path, bytes, options, layout);
    let failed = failures(&tree);
    if failed == 0 {
        return tree;
    }
    let better = alternatives(bytes, &tree, form, length)
        .into_iter()
        .map(|layout| (parse_as(path, bytes, options, layout), layout))
        // It must be clearly better: a misread file rarely has one bad statement only.
        .filter(|(other, _)| failures(other) * 4 < failed)
        .min_by_key(|(other, _)| failures(other));
    match better {
        Some((other, layout)) => with_note(other, path, layout),
        None => tree,
    }
}

/// The other layouts that are possible for a file.
fn alternatives(bytes: &[u8], tree: &Tree, form: FormChoice, length: FixedLineLength) -> Vec<Layout> {
    let is_fixed = tree.source.form == SourceForm::Fixed;
    let may_be_wide = length == FixedLineLength::Auto
        && bytes
            .split(|&byte| matches!(byte, b'\n' | b'\r'))
            .any(|line| line.trim_ascii_end().len() > STANDARD_COLUMNS as usize);
    let wide = Layout { form: FormChoice::Fixed, columns: Some(EXTENDED_COLUMNS) };
    let mut layouts = Vec::new();
    if may_be_wide && (is_fixed || form == FormChoice::Auto) {
        layouts.push(wide);
    }
    if form == FormChoice::Auto {
        let other = if is_fixed { FormChoice::Free } else { FormChoice::Fixed };
        layouts.push(Layout { form: other, columns: Some(STANDARD_COLUMNS) });
    }
    layouts
}

/// The tree with notes that say in which layout it was read, as far as that is not what its name suggests.
fn with_note(mut tree: Tree, path: &Path, layout: Layout) -> Tree {
    let used = tree.source.form;
    let notes = &mut tree.source.notes;
    notes.retain(|(_, note)| !matches!(note, SourceNote::FormGuessed { .. }));
    if form_of_extension(path).is_some_and(|suggested| suggested != used) {
        notes.insert(0, (Span::default(), SourceNote::FormGuessed { used }));
    }
    if layout.columns == Some(EXTENDED_COLUMNS) && used == SourceForm::Fixed {
        notes.insert(0, (Span::default(), SourceNote::LineLengthGuessed { columns: EXTENDED_COLUMNS }));
    }
    tree
}

fn parse_as(path: &Path, bytes: &[u8], options: &ProjectOptions, layout: Layout) -> Tree {
    build::parse(prescan_as(path, bytes, options, layout))
}

fn prescan_as(path: &Path, bytes: &[u8], options: &ProjectOptions, layout: Layout) -> Prescanned {
    let options = PrescanOptions {
        form: layout.form,
        fixed_line_length: layout.columns,
        include_directories: options.include_directories.clone(),
        defines: options.defines.clone(),
        read: options.reader.function(),
        ..PrescanOptions::default()
    };
    prescan(path, bytes.to_vec(), &options)
}

/// Number of statements that were not understood, those included that are not even statements.
fn failures(tree: &Tree) -> usize {
    let unparsed = |kind: &StatementKind| matches!(kind, StatementKind::Unparsed(_));
    let statements = tree.statements.iter().filter(|statement| unparsed(&statement.kind)).count();
    let notes = tree.source.notes.iter().filter(|(_, note)| matches!(note, SourceNote::NotUnderstood { .. })).count();
    statements + notes
}
