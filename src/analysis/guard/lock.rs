//! Lock files: a snapshot as text that can be committed. It is JSON, a line for each array and each statement, without
//! line numbers, in an order that depends on nothing but the program: so a change of the program is a change of the
//! lines that say it.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::snapshot::Snapshot;

/// The version of the format; another one is refused.
const VERSION: u32 = 1;

/// Why a text is no lock file that can be read.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It is no JSON of the right form, or a reference in it can't be read.
    #[error("it is no lock file of camfort-rs: {0}")]
    Form(#[from] serde_json::Error),
    /// Another version wrote it.
    #[error("it is a lock file of version {0}, and this program reads version {VERSION}: save it again")]
    Version(u32),
}

/// Writes a snapshot.
///
/// # Errors
///
/// When it can't be written.
pub fn write(snapshot: &Snapshot, to: &mut impl Write) -> std::io::Result<()> {
    write!(to, "{{\"camfort-rs lock\": {VERSION},\n\"units\": [")?;
    for (at, unit) in snapshot.units.iter().enumerate() {
        to.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        writeln!(
            to,
            "{{\"unit\": {}, \"kind\": {}, \"file\": {}, \"dummies\": {},",
            serde_json::to_string(&unit.name)?,
            serde_json::to_string(&unit.kind)?,
            serde_json::to_string(&unit.file)?,
            serde_json::to_string(&unit.dummies)?
        )?;
        to.write_all(b" \"arrays\": [")?;
        lines(to, &unit.arrays)?;
        to.write_all(b"],\n \"statements\": [")?;
        lines(to, &unit.statements)?;
        to.write_all(b"]}")?;
    }
    to.write_all(b"\n]}\n")
}

/// Items of a list, a line each.
fn lines(to: &mut impl Write, items: &[impl Serialize]) -> std::io::Result<()> {
    let mut separator = "\n  ";
    for item in items {
        to.write_all(separator.as_bytes())?;
        serde_json::to_writer(&mut *to, item)?;
        separator = ",\n  ";
    }
    Ok(())
}

/// Whether a text is meant to be a lock file.
pub fn is_lock(text: &str) -> bool {
    text.trim_start().starts_with("{\"camfort-rs lock\"")
}

/// The snapshot that a text holds.
///
/// # Errors
///
/// When it is no lock file, or one of another version.
pub fn read(text: &str) -> Result<Snapshot, LockError> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "camfort-rs lock")]
        version: u32,
    }
    let head: Head = serde_json::from_str(text)?;
    if head.version != VERSION {
        return Err(LockError::Version(head.version));
    }
    Ok(serde_json::from_str(text)?)
}
