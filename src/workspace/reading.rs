//! One file from its bytes to its tree, in the layout in which it is understood best.
//!
//! The prescanner tells the source form by extension and content. Where statements are left that are not understood,
//! the layouts that are possible otherwise are tried: the other form, and fixed form with lines of 132 columns, which
//! many build systems ask for (`-ffixed-line-length-132`). One of them is taken only when it is clearly better, and a
//! note says so (F005).

use std::path::Path;

use super::expansion::{Expansion, not_expanded};
use super::forms::{FixedLineLength, SpecialFile};
use super::options::SourceOptions;
use crate::source::form::{form_of_extension, may_be_in};
use crate::source::prescan::{FormChoice, PrescanOptions, prescan};
use crate::source::{Prescanned, SourceForm, SourceNote, Span};
use crate::syntax::{ConstructKind, Tree, nesting};

/// The columns of a fixed-form line that count when nothing is said.
const STANDARD_COLUMNS: u32 = 72;
/// Columns of a label.
const LABEL_FIELD: usize = 5;
/// And in sources that are compiled with long lines.
const EXTENDED_COLUMNS: u32 = 132;

/// How the lines of a file are laid out.
#[derive(Clone, Copy)]
struct Layout {
    form: FormChoice,
    columns: Option<u32>,
}

/// Parses a file.
pub fn parse(path: &Path, bytes: &[u8], options: &SourceOptions) -> Tree {
    let reading = Reading::new(path, bytes, options);
    reading.parse_from(reading.first_prescan())
}

/// Parses what a file declares, and leaves executable statements out where the layout is clear without them.
pub fn parse_declarations(path: &Path, bytes: &[u8], options: &SourceOptions) -> Tree {
    let reading = Reading::new(path, bytes, options);
    let source = reading.first_prescan();
    let may_be_wide = source.form == SourceForm::Fixed && has_long_lines(reading.text());
    if may_be_wide && reading.length == FixedLineLength::Auto {
        return reading.parse_from(source);
    }
    let tree = nesting::parse_declarations(source);
    if failures(&tree) == 0 { tree } else { reading.parse_from(tree.source) }
}

/// What the prescanner makes of a file in the layout in which it is tried first.
pub(super) fn first_prescan(path: &Path, bytes: &[u8], options: &SourceOptions) -> Prescanned {
    Reading::new(path, bytes, options).first_prescan()
}

/// What the prescanner makes of another text of a file, in the layout in which the first one was read.
pub(super) fn prescan_like(first: &Prescanned, path: &Path, bytes: &[u8], options: &SourceOptions) -> Prescanned {
    let form = match first.form {
        SourceForm::Fixed => FormChoice::Fixed,
        SourceForm::Free => FormChoice::Free,
    };
    Reading::new(path, bytes, options).prescan(Layout { form, columns: first.columns })
}

/// A file that is about to be read.
struct Reading<'f> {
    path: &'f Path,
    bytes: &'f [u8],
    options: &'f SourceOptions,
    special: SpecialFile<'f>,
    /// The expanded text, if a command of the user's expands the file, or why it can't be.
    expansion: Option<Result<Expansion, String>>,
    /// The form and the line length that were asked for.
    form: FormChoice,
    length: FixedLineLength,
}

impl<'f> Reading<'f> {
    fn new(path: &'f Path, bytes: &'f [u8], options: &'f SourceOptions) -> Self {
        let special = options.forms.of(path);
        let expansion = special.expansion.map(|command| command.expand(path, bytes));
        let form = special.form.unwrap_or(options.form);
        let length = special.fixed_line_length.unwrap_or(options.fixed_line_length);
        Reading { path, bytes, options, special, expansion, form, length }
    }

    /// The text that is read.
    fn text(&self) -> &[u8] {
        match &self.expansion {
            Some(Ok(expansion)) => &expansion.text,
            Some(Err(_)) | None => self.bytes,
        }
    }

    /// The layout in which the file is tried first.
    fn first_layout(&self) -> Layout {
        let columns = match self.length {
            FixedLineLength::Auto => Some(STANDARD_COLUMNS),
            FixedLineLength::Columns(columns) => Some(columns),
            FixedLineLength::Unlimited => None,
        };
        Layout { form: self.form, columns }
    }

    fn first_prescan(&self) -> Prescanned {
        self.prescan(self.first_layout())
    }

    fn prescan(&self, layout: Layout) -> Prescanned {
        let SourceOptions { include_directories, defines, files, roots, .. } = self.options;
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
        let mut defines = defines.clone();
        defines.extend(owned(&self.special.defines));
        let options = PrescanOptions {
            form: layout.form,
            fixed_line_length: layout.columns,
            include_directories: include_directories.clone(),
            defines,
            types: owned(&self.special.types),
            read: files.function(),
            may_include: roots.function(),
            ..PrescanOptions::default()
        };
        let mut source = prescan(self.path, self.text().to_vec(), &options);
        match &self.expansion {
            Some(Ok(expansion)) => expansion.in_file(source),
            Some(Err(reason)) => {
                source.notes.push(not_expanded(reason.clone()));
                source
            }
            None => source,
        }
    }

    /// Parses the file, which was read in the layout in which it is tried first, and if need be in others.
    fn parse_from(&self, source: Prescanned) -> Tree {
        let tree = nesting::parse(source);
        let failed = failures(&tree);
        if failed == 0 {
            return tree;
        }
        let text = self.text();
        let better = alternatives(text, &tree, self.form, self.length)
            .into_iter()
            .map(|layout| (nesting::parse(self.prescan(layout)), layout))
            // It must be clearly better: a misread file rarely has one bad statement only.
            .filter(|(other, _)| failures(other) * 4 < failed && may_replace(text, other, &tree))
            .min_by_key(|(other, _)| failures(other));
        match better {
            Some((other, layout)) => with_note(other, self.path, layout),
            None => tree,
        }
    }
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

/// In a form that no line demands, so many statements more must be understood: one slip is no evidence.
const FAILURES_WITHOUT_EVIDENCE: usize = 3;

/// Whether a file may be read as `other` rather than as `tree`: if that is in another form, what its lines show allows
/// it, and no loop or END gets lost and no text behind column 72 becomes code.
fn may_replace(bytes: &[u8], other: &Tree, tree: &Tree) -> bool {
    let form = other.source.form;
    if form == tree.source.form {
        return true;
    }
    let loops = |tree: &Tree| tree.constructs.iter().filter(|construct| construct.kind == ConstructKind::Do).count();
    let (allowed, demanded) = may_be_in(form, bytes);
    allowed
        && (demanded || failures(tree) >= FAILURES_WITHOUT_EVIDENCE)
        && (demanded || form == SourceForm::Fixed || !has_long_lines(bytes))
        && loops(other) >= loops(tree)
        && other.unbalanced.len() <= tree.unbalanced.len()
}

/// Whether some line that is not plainly a comment of fixed form goes beyond the standard's 72 columns. A tab in the
/// label field leads to column 7.
fn has_long_lines(bytes: &[u8]) -> bool {
    let columns = |line: &[u8]| match line.iter().take(LABEL_FIELD).position(|&byte| byte == b'\t') {
        Some(tab) => line.len() + LABEL_FIELD - tab,
        None => line.len(),
    };
    let is_comment = |line: &[u8]| matches!(line.first(), Some(b'c' | b'C' | b'*' | b'!' | b'#'));
    // Up to a comment sign that stands in no character constant.
    let code = |line: &[u8]| match memchr::memchr3(b'!', b'\'', b'"', line) {
        Some(at) if line[at] == b'!' => at,
        _ => line.len(),
    };
    let is_long =
        |line: &[u8]| columns(line[..code(line)].trim_ascii_end()) > STANDARD_COLUMNS as usize && !is_comment(line);
    let shortest = STANDARD_COLUMNS as usize - LABEL_FIELD;
    bytes.split(|&byte| matches!(byte, b'\n' | b'\r')).any(|line| line.len() > shortest && is_long(line))
}

/// The other layouts that are possible for a file.
fn alternatives(bytes: &[u8], tree: &Tree, form: FormChoice, length: FixedLineLength) -> Vec<Layout> {
    let is_fixed = tree.source.form == SourceForm::Fixed;
    let may_be_wide = length == FixedLineLength::Auto && has_long_lines(bytes);
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

/// Number of statements that were not understood, those included that are not even statements.
fn failures(tree: &Tree) -> usize {
    let notes = tree.source.notes.iter().filter(|(_, note)| matches!(note, SourceNote::NotUnderstood { .. })).count();
    tree.not_understood().count() + notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::summarise;
    use crate::syntax::StatementKind;

    #[test]
    fn what_others_know_of_a_file_does_not_depend_on_its_executable_statements() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let options = SourceOptions::default();
        let mut known = 0;
        for folder in ["corpus", "tests/fixtures"] {
            let files = walkdir::WalkDir::new(root.join(folder)).into_iter().filter_map(Result::ok);
            for file in files.filter(|file| file.path().is_file()) {
                let bytes = std::fs::read(file.path()).expect("a file of the repository can be read");
                let of_declarations = summarise(&parse_declarations(file.path(), &bytes, &options));
                assert!(
                    of_declarations == summarise(&parse(file.path(), &bytes, &options)),
                    "{}",
                    file.path().display()
                );
                known += of_declarations.len();
            }
        }
        assert!(known > 30, "{known}");
    }

    #[test]
    fn the_form_follows_evidence_and_loses_nothing() {
        let form =
            |name: &str, text: &str| parse(Path::new(name), text.as_bytes(), &SourceOptions::default()).source.form;
        // One slip is no reason for another form, whatever it would make of it.
        assert_eq!(form("a.f90", "      real x y\n      x = 1\n      end\n"), SourceForm::Free);
        assert_eq!(form("a.F90", "subroutine s(u)\nCHECK(call helper(u), ierr)\nend\n"), SourceForm::Free);
        // Several statements that make sense only without blanks are one.
        let blanks = "      CALL S UB(X)\n      CALL S UB(Y)\n      A B = 1\n      END\n";
        assert_eq!(form("a.f90", blanks), SourceForm::Fixed);
        // But not if loops would become comments.
        let loops = "do i = 1, 2\n      CALL S UB(X)\n      CALL S UB(Y)\n      A B = 1\nend do\n      end\n";
        assert_eq!(form("a.f90", loops), SourceForm::Free);
        // An ampersand in a comment says nothing of what the line goes on with.
        let comment = "      integer &\n     & x, &! here & there\n     & y\n      x = 1\n      end\n";
        assert_eq!(form("a.f90", comment), SourceForm::Free);
        // Nor if text behind column 72 would become code.
        let beyond = format!("      CALL S(X{:60})\n", "").repeat(3) + "      END\n";
        assert_eq!(form("a.f", &beyond), SourceForm::Fixed);
    }

    #[test]
    fn lines_are_as_long_as_their_columns() {
        let dots = |count: usize| ".".repeat(count);
        for (line, is_long) in [
            (dots(72), false),
            (dots(73), true),
            (format!("\t{}", dots(66)), false),
            (format!("\t{}", dots(67)), true),
            (format!("10\t{}  ", dots(66)), false),
            (format!("10\t{}", dots(67)), true),
            (format!("      x\t{}", dots(64)), false),
            (format!("c{}", dots(90)), false),
            (format!("      !{}", dots(90)), false),
            (format!("      a = b !{}", dots(90)), false),
            (format!("      a = '!'{}", dots(90)), true),
        ] {
            assert_eq!(has_long_lines(format!("\n{line}\r\n").as_bytes()), is_long, "{line}");
        }
    }

    #[test]
    fn executable_statements_are_left_out_of_declarations() {
        let text = b"module m\ncontains\nfunction f(x)\nreal x\nif (x > 0) then\nf = x\nend if\nblock\nreal y\ny = 1\nend block\nend\nend\n";
        let tree = parse_declarations(Path::new("m.f90"), text, &SourceOptions::default());
        let left_out = tree.statements.iter().filter(|one| one.kind == StatementKind::Continue).count();
        assert_eq!((tree.statements.len(), left_out, tree.units.len(), tree.constructs.len()), (13, 4, 2, 1));
        assert!(tree.unbalanced.is_empty());
    }
}
