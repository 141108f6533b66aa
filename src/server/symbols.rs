//! The specifications of a document as an outline, and inferred ones as hints in the text.

use gen_lsp_types::{DocumentSymbol, InlayHint, Label, Position, SymbolKind};

use super::lines::Places;
use crate::analysis::stencil::AssistOutcome;
use crate::analysis::stencil::assist::AssistedComputation;
use crate::diagnostics::Location;

/// The specifications and region variables of a document, in order of place.
pub fn symbols(outcome: &AssistOutcome, places: &Places<'_>) -> Vec<DocumentSymbol> {
    let written = outcome.specifications.iter().map(|one| (&one.location, one.text.clone(), SymbolKind::Property));
    let declared = outcome.regions.iter().filter(|mention| mention.is_declaration);
    let declared = declared.map(|one| (&one.location, one.variable.name.clone(), SymbolKind::Constant));
    let mut all: Vec<(&Location, String, SymbolKind)> = written.chain(declared).collect();
    all.sort_by(|one, next| one.0.cmp(next.0));
    all.into_iter().map(|(location, name, kind)| symbol(places, location, name, kind)).collect()
}

#[allow(deprecated, reason = "the field of the protocol has no default")]
fn symbol(places: &Places<'_>, location: &Location, name: String, kind: SymbolKind) -> DocumentSymbol {
    let range = places.range(location);
    let (detail, tags, children, deprecated) = (None, None, None, None);
    DocumentSymbol { name, detail, kind, tags, deprecated, range, selection_range: range, children }
}

/// What is inferred of computations that have no specification, behind their statements.
pub fn hints(outcome: &AssistOutcome, places: &Places<'_>, first: Position, last: Position) -> Vec<InlayHint> {
    let (first, last) = (places.line_column(first).line, places.line_column(last).line);
    let is_shown = |computation: &&AssistedComputation| {
        let line = computation.location.end.line;
        (first..=last).contains(&line) && !computation.insertions.is_empty()
    };
    let hint = |computation: &AssistedComputation| {
        let mut texts: Vec<&str> = Vec::new();
        for text in computation.arrays.iter().flat_map(|array| &array.specifications) {
            if !texts.contains(&text.as_str()) {
                texts.push(text);
            }
        }
        InlayHint {
            position: places.position(computation.location.end),
            label: Label::String(texts.join("; ")),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    };
    outcome.computations.iter().filter(is_shown).map(hint).collect()
}
