//! Partial results: a header and a record for each file, lines of JSON. What is written once is never changed, so a run
//! that is interrupted loses at most the line that it was writing.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::counts::{Counts, Study};
use crate::diagnostics::fingerprint::fnv1a;

/// Raised when records change their meaning.
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialHeader {
    /// The version of the records.
    #[serde(rename = "camfort-rs survey")]
    version: u32,
    /// The version of the program: another one may classify otherwise.
    program: String,
    /// The options that bear on classification.
    options: String,
}

impl PartialHeader {
    /// That of this program with these options.
    pub fn new(options: String) -> Self {
        PartialHeader { version: VERSION, program: env!("CARGO_PKG_VERSION").to_owned(), options }
    }
}

/// A file of a package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileName {
    /// The package.
    pub package: String,
    /// The path below the package's directory, with slashes.
    pub path: String,
}

/// What came of one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileCounts {
    /// The file.
    pub file: FileName,
    /// The digest of its text.
    pub digest: Digest,
    /// Its counts.
    pub counts: Counts,
}

/// The digest of a text: FNV-1a of 128 bits. It tells texts apart that differ by accident.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest(u128);

impl Digest {
    /// That of some bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Digest(fnv1a(bytes))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        format!("{:032x}", digest.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        u128::from_str_radix(&text, 16).map(Digest).map_err(|error| error.to_string())
    }
}

/// What keeps a partial result from being used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PartialError {
    #[error("it can't be read: {0}")]
    Io(#[from] io::Error),
    #[error("it is no partial result of `camfort-rs survey`")]
    NoHeader,
    #[error("line {0} is no record: {1}")]
    Line(usize, String),
    #[error(
        "it was made by version {} with options '{}', not by version {} with options '{}'",
        .0.program, .0.options, .1.program, .1.options
    )]
    OtherHeader(Box<PartialHeader>, Box<PartialHeader>),
    #[error(
        "the texts of '{}' in package '{}' differ: two versions of one package can't be added up",
        .0.path, .0.package
    )]
    OtherText(FileName),
}

/// A line of a partial result.
pub fn line<T: Serialize>(of: &T) -> String {
    let text = serde_json::to_string(of);
    text.expect("records of texts and numbers can always be written") + "\n"
}

/// The records of a partial result, one at a time.
pub struct PartialReader<R> {
    input: R,
    header: PartialHeader,
    line: usize,
    /// Bytes up to the end of the last whole line.
    whole: u64,
}

impl<R: BufRead> PartialReader<R> {
    /// Reads the header; `None` if there is nothing yet, or a part of a line only.
    ///
    /// # Errors
    ///
    /// If this is no partial result.
    pub fn new(mut input: R) -> Result<Option<Self>, PartialError> {
        let mut text = Vec::new();
        input.read_until(b'\n', &mut text)?;
        let start = b"{\"camfort-rs survey\":";
        if !text.ends_with(b"\n") {
            let is_cut = text.starts_with(start) || start.starts_with(&text);
            return if is_cut { Ok(None) } else { Err(PartialError::NoHeader) };
        }
        let header: PartialHeader = serde_json::from_slice(&text).map_err(|_| PartialError::NoHeader)?;
        if header.version != VERSION {
            return Err(PartialError::NoHeader);
        }
        Ok(Some(PartialReader { input, header, line: 1, whole: text.len() as u64 }))
    }

    /// The header.
    pub fn header(&self) -> &PartialHeader {
        &self.header
    }

    /// Number of bytes up to the end of the last line that was read whole.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The next record; `None` at the end, or before a last line that was cut off.
    ///
    /// # Errors
    ///
    /// If a line is no record.
    pub fn next_record(&mut self) -> Result<Option<FileCounts>, PartialError> {
        let mut text = Vec::new();
        self.input.read_until(b'\n', &mut text)?;
        if !text.ends_with(b"\n") {
            return Ok(None);
        }
        self.line += 1;
        let record = serde_json::from_slice(&text).map_err(|error| PartialError::Line(self.line, error.to_string()))?;
        self.whole += text.len() as u64;
        Ok(Some(record))
    }
}

/// Adds partial results up. The same file in two of them is counted once. What is kept besides the sums is a name and a
/// digest for each file.
#[derive(Debug, Default)]
pub struct PartialMerge {
    /// The sums.
    pub study: Study,
    /// Files that were met again.
    pub met_again: u64,
    header: Option<PartialHeader>,
    known: BTreeMap<FileName, Digest>,
}

impl PartialMerge {
    /// Takes note of a header.
    ///
    /// # Errors
    ///
    /// If it differs from those before it.
    pub fn header(&mut self, header: &PartialHeader) -> Result<(), PartialError> {
        match &self.header {
            Some(known) if known != header => {
                Err(PartialError::OtherHeader(Box::new(header.clone()), Box::new(known.clone())))
            }
            _ => {
                self.header = Some(header.clone());
                Ok(())
            }
        }
    }

    /// Adds a record; whether it is of a file that was not met before.
    ///
    /// # Errors
    ///
    /// If it is of a file that was met before with another text.
    pub fn add(&mut self, record: &FileCounts) -> Result<bool, PartialError> {
        match self.known.get(&record.file) {
            Some(known) if *known != record.digest => return Err(PartialError::OtherText(record.file.clone())),
            Some(_) => {
                self.met_again += 1;
                return Ok(false);
            }
            None => {}
        }
        self.known.insert(record.file.clone(), record.digest);
        self.study.add(&record.file.package, &record.counts);
        Ok(true)
    }

    /// The header that all had, if there were any.
    pub fn common_header(&self) -> Option<&PartialHeader> {
        self.header.as_ref()
    }

    /// The digests of the files.
    pub fn known(&self) -> &BTreeMap<FileName, Digest> {
        &self.known
    }
}
