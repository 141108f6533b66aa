//! Standard output and standard error: results go to the one, notes and progress to the other.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::Color;
use crate::diagnostics::edit::NewFile;
use crate::diagnostics::render::quotation::printable;

/// A run that is shorter needs no progress bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The two streams. A reader who closes standard output early (`… | head`) is no error: what follows is dropped.
#[derive(Debug)]
pub struct Terminal {
    output_closed: bool,
    /// What stands for standard output.
    output_file: Option<(PathBuf, NewFile)>,
}

impl Terminal {
    /// The streams of this process.
    pub fn new() -> Self {
        Terminal { output_closed: false, output_file: None }
    }

    /// Lets a file, if one is given, stand for standard output from now on.
    ///
    /// # Errors
    ///
    /// When nothing can be written there.
    pub fn write_to(&mut self, file: Option<&Path>) -> anyhow::Result<()> {
        if let Some(path) = file {
            let new = NewFile::begin(path).with_context(|| format!("'{}' can't be written", path.display()))?;
            self.output_file = Some((path.to_path_buf(), new));
        }
        Ok(())
    }

    /// Puts the file that stands for standard output in its place.
    ///
    /// # Errors
    ///
    /// When the system refuses to.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        match self.output_file.take() {
            Some((path, file)) => file.finish().with_context(|| format!("'{}' can't be written", path.display())),
            None => Ok(()),
        }
    }

    /// Whether nobody reads standard output any more.
    pub fn output_closed(&self) -> bool {
        self.output_closed
    }

    /// Writes to standard output, byte for byte.
    pub fn print(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.output_closed || bytes.is_empty() {
            return Ok(());
        }
        if let Some((_, file)) = &mut self.output_file {
            return file.write_all(bytes);
        }
        let mut output = io::stdout().lock();
        match output.write_all(bytes).and_then(|()| output.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.output_closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Writes a line to standard error. File names and configuration keys in it hold what others chose: no control
    /// character of theirs begins a line, which CI systems may read as a command, or commands a terminal.
    pub fn note(&mut self, line: &str) {
        self.lines(&printable(line));
    }

    /// Writes lines to standard error that were rendered by this program, such as a report. Where that can't be
    /// written, there is nobody left to tell.
    pub fn lines(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'));
        }
    }
}

/// Whether a person can be asked: standard input and standard error are a terminal.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a person; anything but `y` and `yes` means no.
///
/// # Errors
///
/// When the answer can't be read.
pub fn confirmed(question: &str) -> io::Result<bool> {
    let _ = write!(io::stderr().lock(), "{question} [y/N] ");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Whether what a person reads on standard output is coloured: if asked, or on a terminal that can and may.
pub fn coloured(choice: Color) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
    }
}

/// The same for standard error.
pub fn coloured_notes(choice: Color) -> bool {
    match choice {
        Color::Auto => anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never,
        choice => choice == Color::Always,
    }
}

/// A bar on standard error that appears after a second, if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    started: Instant,
    total: u64,
    done: u64,
    bar: Option<ProgressBar>,
    wanted: bool,
}

impl Progress {
    /// Progress through `total` looks at files.
    pub fn new(total: usize, wanted: bool) -> Self {
        let wanted = wanted && io::stderr().is_terminal();
        Progress { started: Instant::now(), total: total as u64, done: 0, bar: None, wanted }
    }

    /// Some more files were looked at.
    pub fn advance(&mut self, files: usize) {
        self.done += files as u64;
        if self.wanted && self.bar.is_none() && self.started.elapsed() > PATIENCE && self.done < self.total {
            let style = ProgressStyle::with_template("{bar:40} {percent} %{msg}, {eta} left");
            let bar = ProgressBar::new(self.total);
            self.bar = Some(match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    /// Says something behind the percentage.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(text());
        }
    }

    /// Does something that prints, with the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
