//! Region variables: where they are declared, and how they get another name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{Location as PlaceOfFile, Position, TextEdit, Uri, WorkspaceEdit};

use super::lines::{Places, holds};
use crate::analysis::Session;
use crate::analysis::stencil::assist::RegionMention;
use crate::analysis::stencil::{Assist, AssistOutcome};
use crate::diagnostics::paths;

/// A document, and the session that knows other files.
pub struct Regions<'r> {
    /// Its file.
    pub path: &'r Path,
    /// What the editor calls it.
    pub uri: &'r Uri,
    /// What is known of it.
    pub outcome: &'r AssistOutcome,
    /// Its places.
    pub places: &'r Places<'r>,
    /// The session.
    pub session: &'r Session<'r, Assist>,
}

impl Regions<'_> {
    /// The mention of a region variable at a position.
    pub fn mention(&self, position: Position) -> Option<&RegionMention> {
        let at = self.places.line_column(position);
        self.outcome.regions.iter().find(|mention| holds(&mention.location, at))
    }

    /// Where the region variable at a position is declared.
    pub fn declaration(&self, position: Position) -> Option<PlaceOfFile> {
        let wanted = self.mention(position)?;
        let is_wanted = |mention: &&RegionMention| mention.is_declaration && mention.variable == wanted.variable;
        if wanted.file == self.path {
            let found = self.outcome.regions.iter().find(is_wanted)?;
            return Some(PlaceOfFile { uri: self.uri.clone(), range: self.places.range(&found.location) });
        }
        let (text, mentions) = self.mentions_in(&wanted.file)?;
        let found = mentions.iter().find(is_wanted)?;
        let range = Places::new(&text).range(&found.location);
        Some(PlaceOfFile { uri: paths::uri(&wanted.file).into(), range })
    }

    /// The changes that give the region variable at a position another name, wherever it is mentioned.
    ///
    /// # Errors
    ///
    /// When there is none, or a file already has a region variable of the new name.
    pub fn rename(&self, position: Position, name: &str) -> Result<WorkspaceEdit, String> {
        let wanted = &self.mention(position).ok_or("here is no region variable")?.variable;
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        changes.extend(self.edits(self.uri, self.places, &self.outcome.regions, wanted, name)?);
        for path in self.other_files(&wanted.name) {
            if let Some((text, mentions)) = self.mentions_in(&path) {
                changes.extend(self.edits(&paths::uri(&path).into(), &Places::new(&text), &mentions, wanted, name)?);
            }
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    /// The changes of one file, if it mentions the variable.
    fn edits(
        &self,
        uri: &Uri,
        places: &Places<'_>,
        mentions: &[RegionMention],
        wanted: &crate::analysis::stencil::assist::RegionVariable,
        name: &str,
    ) -> Result<Option<(Uri, Vec<TextEdit>)>, String> {
        let edits: Vec<TextEdit> = mentions
            .iter()
            .filter(|mention| mention.variable == *wanted)
            .map(|mention| TextEdit { range: places.range(&mention.location), new_text: name.to_owned() })
            .collect();
        let is_taken = |mention: &RegionMention| mention.variable.name == name.to_ascii_lowercase();
        if !edits.is_empty() && wanted.name != name.to_ascii_lowercase() && mentions.iter().any(is_taken) {
            return Err(format!("'{}' already has a region variable '{name}'", uri.as_ref()));
        }
        Ok((!edits.is_empty()).then(|| (uri.clone(), edits)))
    }

    /// The other files of the project whose text holds a word.
    fn other_files(&self, word: &str) -> Vec<PathBuf> {
        let project = self.session.project();
        let has_word = |path: &&PathBuf| {
            let bytes = project.options().files.read(path).unwrap_or_default();
            memchr::memmem::find(&bytes.to_ascii_lowercase(), word.as_bytes()).is_some()
        };
        project.paths().iter().filter(|path| *path != self.path).filter(has_word).cloned().collect()
    }

    /// The text of another file, and the region variables that it mentions.
    fn mentions_in(&self, path: &Path) -> Option<(String, Vec<RegionMention>)> {
        let view = self.session.project().read(path).ok()?;
        let mentions = self.session.with(|assist, context| assist.regions(&view, context));
        Some((String::from_utf8_lossy(view.bytes()).into_owned(), mentions))
    }
}

/// Whether a word can name a region variable.
///
/// # Errors
///
/// When it can't.
pub fn check_name(name: &str) -> Result<(), String> {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic());
    match begins && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        true => Ok(()),
        false => Err(format!("'{name}' is no name: a letter, then letters, digits and underscores")),
    }
}
