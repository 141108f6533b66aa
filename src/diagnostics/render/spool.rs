//! Text that can be printed only behind what is not known yet. It lies in memory up to a limit, and in an unnamed
//! temporary file beyond that, so that a document may be larger than the memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write};

/// Bytes that are held in memory, and about as many that are read back at once.
const HELD: usize = 4 << 20;
const CHUNK: usize = 64 << 10;

/// Lines that are written once and then read once.
#[derive(Debug, Default)]
pub struct Spool {
    /// What is not in the file yet.
    held: Vec<u8>,
    file: Option<File>,
    /// No temporary file can be made here: everything stays in memory.
    is_confined: bool,
}

impl Spool {
    /// Writes at the end.
    ///
    /// # Errors
    ///
    /// When there is a temporary file that can't take it: a full disk.
    pub fn push(&mut self, text: &str) -> io::Result<()> {
        self.held.extend_from_slice(text.as_bytes());
        if self.held.len() < HELD || self.is_confined {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = tempfile::tempfile().ok();
        }
        match &mut self.file {
            None => self.is_confined = true,
            Some(file) => {
                file.write_all(&self.held)?;
                self.held.clear();
            }
        }
        Ok(())
    }

    /// Reads everything back, some whole lines at a time.
    ///
    /// # Errors
    ///
    /// Those of `print`, and when the temporary file can't be read.
    pub fn replay<E: From<io::Error>>(self, mut print: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let Spool { held, file, .. } = self;
        let written: Box<dyn Read> = match file {
            None => Box::new(io::empty()),
            Some(mut file) => {
                file.seek(SeekFrom::Start(0))?;
                Box::new(file)
            }
        };
        let mut lines = BufReader::new(written.chain(Cursor::new(held)));
        let mut text = String::new();
        while lines.read_line(&mut text)? > 0 {
            if text.len() >= CHUNK {
                print(&text)?;
                text.clear();
            }
        }
        print(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read_back_from_memory_and_from_the_file() -> io::Result<()> {
        let line = format!("{}é\n", "x".repeat(100_000));
        for count in [0, 1, 300] {
            let mut spool = Spool::default();
            for _ in 0..count {
                spool.push(&line)?;
            }
            spool.push("end")?;
            assert_eq!(spool.file.is_some(), count == 300);
            let mut text = String::new();
            spool.replay(|part| {
                text.push_str(part);
                io::Result::Ok(())
            })?;
            assert!(text == line.repeat(count) + "end");
        }
        Ok(())
    }

    #[test]
    fn without_a_temporary_file_everything_stays_in_memory() -> io::Result<()> {
        let mut spool = Spool { is_confined: true, ..Spool::default() };
        let line = "x".repeat(HELD) + "\n";
        spool.push(&line)?;
        spool.push(&line)?;
        assert!(spool.file.is_none());
        assert_eq!(spool.held.len(), 2 * line.len());
        Ok(())
    }
}
