//! The external subroutines of a project by name, and the names of ENTRY statements, told by a quick look at lines.

use std::collections::HashMap;
use std::path::PathBuf;

use super::files::Files;

/// In which files there is a subroutine of a name. Those of modules and internal ones are among them: who looks one up
/// sees that it is none.
#[derive(Debug, Default)]
pub struct ExternalSubroutines(HashMap<String, Vec<PathBuf>>);

impl ExternalSubroutines {
    /// Those of some files.
    pub fn new(paths: &[PathBuf], files: &Files) -> Self {
        let mut found = ExternalSubroutines::default();
        for path in paths {
            let Ok(bytes) = files.read(path) else { continue };
            for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
                let Some(name) = opened(line) else { continue };
                let files = found.0.entry(name).or_default();
                if files.last() != Some(path) {
                    files.push(path.clone());
                }
            }
        }
        found
    }

    /// The files that have a subroutine or an ENTRY of this lower-case name.
    pub fn files(&self, name: &str) -> &[PathBuf] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The name of the subroutine that a line opens, or of an ENTRY.
fn opened(line: &[u8]) -> Option<String> {
    let begin = line.iter().position(|byte| *byte > b' ' && !byte.is_ascii_digit())?;
    let mut rest = &line[begin..];
    loop {
        let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic() && *byte != b'_').unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        let behind = behind.trim_ascii_start();
        match word.to_ascii_lowercase().as_slice() {
            b"subroutine" | b"entry" => {
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = behind.iter().position(|byte| !is_name(byte)).unwrap_or(behind.len());
                let name = String::from_utf8(behind[..length].to_ascii_lowercase()).ok()?;
                return Some(name).filter(|name| !name.is_empty());
            }
            b"recursive" | b"pure" | b"elemental" | b"impure" | b"module" | b"non_recursive" | b"simple" => {
                rest = behind
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_open_subroutines() {
        let name = |line: &str| opened(line.as_bytes());
        assert_eq!(name("      SUBROUTINE DGESV( N, NRHS )"), Some("dgesv".to_owned()));
        assert_eq!(name("  pure recursive subroutine step"), Some("step".to_owned()));
        assert_eq!(name("10 subroutine a(b)"), Some("a".to_owned()));
        for line in ["end subroutine a", "      CALL SUBROUTINE", "! subroutine a", "subroutines = 1", ""] {
            assert_eq!(name(line), None, "{line}");
        }
    }
}
