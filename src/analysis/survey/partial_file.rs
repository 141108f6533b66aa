//! The file of `--partial`: records are put behind those that are there as soon as a file is done.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use super::partial::{Digest, FileCounts, FileName, PartialHeader, PartialMerge, PartialReader, line};
use crate::diagnostics::edit::NewFile;
use crate::workspace::files;

/// A partial result that is being added to.
pub struct PartialFile {
    path: PathBuf,
    file: File,
    /// What it held at the start.
    before: PartialMerge,
}

impl PartialFile {
    /// Opens a partial result, or begins one. A last line that was cut off is taken away.
    pub fn open(path: &Path, header: &PartialHeader) -> anyhow::Result<Self> {
        let about = || format!("partial result '{}'", path.display());
        if path.exists() {
            files::open(path).with_context(|| format!("cannot open '{}'", path.display()))?;
        }
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = opened.with_context(|| format!("cannot open '{}'", path.display()))?;
        if file.try_lock().is_err() {
            bail!("another run is writing to '{}'", path.display());
        }
        let mut before = PartialMerge::default();
        before.header(header)?;
        let whole = read(BufReader::new(&file), &mut before, |_, _| Ok(())).with_context(about)?;
        if file.metadata()?.len() > whole {
            file.set_len(whole).with_context(about)?;
        }
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(line(header).as_bytes()).with_context(about)?;
        }
        Ok(PartialFile { path: path.to_path_buf(), file, before })
    }

    /// Whether a file is done: there is a record for this text of it. An error if there is one for another text.
    pub fn is_done(&self, file: &FileName, digest: Digest) -> anyhow::Result<bool> {
        match self.before.known().get(file) {
            Some(known) if *known != digest => Err(anyhow!(
                "'{}' in package '{}' is not the file any more that '{}' has a result for: begin a new one",
                file.path,
                file.package,
                self.path.display()
            )),
            known => Ok(known.is_some()),
        }
    }

    /// Adds a record.
    pub fn add(&mut self, record: &FileCounts) -> anyhow::Result<()> {
        // In one piece, so that what is interrupted is one line at most.
        let written = self.file.write_all(line(record).as_bytes());
        written.with_context(|| format!("'{}' could not be written", self.path.display()))
    }

    /// Makes sure that everything is on the disk.
    pub fn close(&mut self) -> anyhow::Result<()> {
        self.file.sync_all().with_context(|| format!("'{}' could not be written", self.path.display()))
    }
}

/// Adds the records of a partial result to others, and gives each new one on; the number of bytes up to the end of the
/// last whole line.
fn read(
    input: impl BufRead,
    merge: &mut PartialMerge,
    mut with: impl FnMut(&PartialHeader, &FileCounts) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let Some(mut reader) = PartialReader::new(input)? else { return Ok(0) };
    merge.header(reader.header())?;
    while let Some(record) = reader.next_record()? {
        if merge.add(&record)? {
            with(reader.header(), &record)?;
        }
    }
    Ok(reader.whole())
}

/// Adds up partial results; all records, each once, also go to a new one if it is asked for.
///
/// The notes say of which results something is missing.
pub fn merge(paths: &[PathBuf], into: Option<&Path>) -> anyhow::Result<(PartialMerge, Vec<String>)> {
    let mut merged = PartialMerge::default();
    let mut notes = Vec::new();
    let mut output = into.map(NewPartial::begin).transpose()?;
    for path in paths {
        let about = || format!("partial result '{}'", path.display());
        let file = files::open(path).with_context(|| format!("cannot open '{}'", path.display()))?;
        let add = |header: &PartialHeader, record: &FileCounts| {
            output.as_mut().map_or(Ok(()), |output| output.add(header, record))
        };
        let size = file.metadata()?.len();
        match read(BufReader::new(file), &mut merged, add).with_context(about)? {
            0 => notes.push(format!("'{}' holds no result yet", path.display())),
            whole if whole < size => {
                notes.push(format!("the last line of '{}' is cut off: that file is missing", path.display()));
            }
            _ => {}
        }
    }
    output.map_or(Ok(()), NewPartial::finish)?;
    Ok((merged, notes))
}

/// A partial result that is there when it is whole.
struct NewPartial {
    path: PathBuf,
    file: NewFile,
    has_header: bool,
}

impl NewPartial {
    fn begin(path: &Path) -> anyhow::Result<Self> {
        let file = NewFile::begin(path).with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(NewPartial { path: path.to_path_buf(), file, has_header: false })
    }

    fn add(&mut self, header: &PartialHeader, record: &FileCounts) -> anyhow::Result<()> {
        if !self.has_header {
            self.file.write_all(line(header).as_bytes())?;
            self.has_header = true;
        }
        Ok(self.file.write_all(line(record).as_bytes())?)
    }

    fn finish(self) -> anyhow::Result<()> {
        self.file.finish().with_context(|| format!("'{}' could not be written", self.path.display()))
    }
}
