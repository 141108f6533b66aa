//! Lock files: a snapshot as text that can be committed. It is JSON, a line for each array and each statement, without line
//! numbers, in an order that depends on nothing but the program: so a change of the program is a change of the lines that say it.

use serde::{Deserialize, Serialize};

use super::affine::Subscript;
use super::snapshot::{Declaration, Loop, Place, Snapshot, Statement, Unit, Use, list, parse_list};
use crate::syntax::StatementId;

/// The version of the format; another one is refused.
const VERSION: u32 = 1;

/// Why a text is no lock file that can be read.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It is no JSON of the right form.
    #[error("it is no lock file of camfort-rs: {0}")]
    Form(#[from] serde_json::Error),
    /// Another version wrote it.
    #[error("it is a lock file of version {0}, and this program reads version {VERSION}: save it again")]
    Version(u32),
    /// A reference in it can't be read.
    #[error("it is damaged: '{0}' is no reference to an array")]
    Reference(String),
}

#[derive(Serialize, Deserialize)]
struct LockFile {
    #[serde(rename = "camfort-rs lock")]
    version: u32,
    units: Vec<LockedUnit>,
}

#[derive(Serialize, Deserialize)]
struct LockedUnit {
    unit: String,
    kind: String,
    file: String,
    dummies: Vec<String>,
    arrays: Vec<LockedArray>,
    statements: Vec<LockedStatement>,
}

#[derive(Serialize, Deserialize)]
struct LockedArray {
    array: String,
    #[serde(rename = "type")]
    type_: String,
    kind: String,
    rank: usize,
    bounds: String,
}

#[derive(Serialize, Deserialize)]
struct LockedStatement {
    statement: String,
    hash: String,
    depth: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    loops: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    uses: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    specifications: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unspecified: Vec<(String, String)>,
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
        lines(&mut text, unit.arrays.iter().map(locked_array))?;
        text.push_str("],\n \"statements\": [");
        lines(&mut text, unit.statements.iter().map(locked_statement))?;
        text.push_str("]}");
    }
    text.push_str("\n]}\n");
    Ok(text)
}

/// Items of a list, a line each.
fn lines<T: Serialize>(text: &mut String, items: impl Iterator<Item = T>) -> Result<(), serde_json::Error> {
    let mut separator = "\n  ";
    for item in items {
        text.push_str(separator);
        text.push_str(&serde_json::to_string(&item)?);
        separator = ",\n  ";
    }
    Ok(())
}

fn locked_array(declared: &Declaration) -> LockedArray {
    LockedArray {
        array: declared.array.clone(),
        type_: declared.type_.clone(),
        kind: declared.kind.clone(),
        rank: declared.bounds.len(),
        bounds: list(Some(&declared.bounds)),
    }
}

fn locked_statement(statement: &Statement) -> LockedStatement {
    LockedStatement {
        statement: statement.head.clone(),
        hash: format!("{:016x}", statement.hash),
        depth: statement.depth,
        loops: statement.loops.iter().map(|one| format!("{}={}", one.variable, one.bounds)).collect(),
        uses: statement.uses.iter().map(Use::to_string).collect(),
        specifications: statement.specifications.clone(),
        unspecified: statement.unspecified.clone(),
    }
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
    let file: LockFile = serde_json::from_str(text)?;
    let units = file.units.into_iter().map(unit).collect::<Result<_, _>>()?;
    Ok(Snapshot { units })
}

fn unit(locked: LockedUnit) -> Result<Unit, LockError> {
    let declaration = |array: LockedArray| {
        let bounds = parse_list(&array.bounds).ok_or(LockError::Reference(array.bounds))?;
        Ok(Declaration { array: array.array, type_: array.type_, kind: array.kind, bounds, place: Place::default() })
    };
    Ok(Unit {
        name: locked.unit,
        kind: locked.kind,
        file: locked.file,
        dummies: locked.dummies,
        arrays: locked.arrays.into_iter().map(declaration).collect::<Result<_, LockError>>()?,
        statements: locked.statements.into_iter().map(statement).collect::<Result<_, LockError>>()?,
        not_understood: 0,
    })
}

fn statement(locked: LockedStatement) -> Result<Statement, LockError> {
    let damaged = |text: &str| LockError::Reference(text.to_owned());
    let one_loop = |text: &String| {
        let (variable, bounds) = text.split_once('=').ok_or_else(|| damaged(text))?;
        Ok(Loop { variable: variable.to_owned(), bounds: Subscript::parse(bounds) })
    };
    Ok(Statement {
        hash: u64::from_str_radix(&locked.hash, 16).map_err(|_| damaged(&locked.hash))?,
        head: locked.statement,
        depth: locked.depth,
        loops: locked.loops.iter().map(one_loop).collect::<Result<_, LockError>>()?,
        uses: locked
            .uses
            .iter()
            .map(|text| Use::parse(text).ok_or_else(|| damaged(text)))
            .collect::<Result<_, LockError>>()?,
        specifications: locked.specifications,
        unspecified: locked.unspecified,
        place: Place::default(),
        id: StatementId::default(),
    })
}
