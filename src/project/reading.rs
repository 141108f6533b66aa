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

/// What the prescanner makes of a file in the layout in which it is tried first.
pub(super) fn first_prescan(path: &Path, bytes: &[u8], options: &ProjectOptions) -> Prescanned {
    prescan_as(path, bytes, options, first_layout(path, options).0)
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
