//! What the renderers give: pieces of text, in the order in which they are printed.

/// What a run reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Findings; also files and their entries, in the formats that have a place for them. A JSON document calls one of
    /// them so.
    Entries(&'static str),
    /// Findings alone.
    Findings,
}

/// A piece of text, and the number of the finding that it reports, if it reports one.
#[derive(Debug)]
pub struct Piece {
    /// Which of the findings of the file it reports.
    pub finding: Option<usize>,
    /// The text.
    pub text: String,
}

impl Piece {
    /// Text that reports a finding.
    pub fn of_finding(number: usize, text: String) -> Self {
        Piece { finding: Some(number), text }
    }

    /// Text about the file and its entries.
    pub fn of_listing(text: String) -> Self {
        Piece { finding: None, text }
    }
}
