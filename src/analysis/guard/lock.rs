//! Lock files: a snapshot as text that can be committed. It is JSON, a line for each array and each statement, without
//! line numbers, in an order that depends on nothing but the program: so a change of the program is a change of the
//! lines that say it.

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

/// The text of a snapshot.
///
/// # Errors
///
/// None that is known: plain data can be written.
pub fn write(snapshot: &Snapshot) -> Result<String, LockError> {
    let mut text = format!("{{\"camfort-rs lock\": {VERSION},\n\"units\": [");
    for (at, unit) in snapshot.units.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&format!(
            "{{\"unit\": {}, \"kind\": {}, \"file\": {}, \"dummies\": {},\n",
            serde_json::to_string(&unit.name)?,
            serde_json::to_string(&unit.kind)?,
            serde_json::to_string(&unit.file)?,
            serde_json::to_string(&unit.dummies)?
        ));
        text.push_str(" \"arrays\": [");
        lines(&mut text, &unit.arrays)?;
        text.push_str("],\n \"statements\": [");
        lines(&mut text, &unit.statements)?;
        text.push_str("]}");
    }
    text.push_str("\n]}\n");
    Ok(text)
}

/// Items of a list, a line each.
fn lines(text: &mut String, items: &[impl Serialize]) -> Result<(), serde_json::Error> {
    let mut separator = "\n  ";
    for item in items {
        text.push_str(separator);
        text.push_str(&serde_json::to_string(item)?);
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
