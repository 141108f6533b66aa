//! What guard keeps of a program: no lines and no text, but every array, every statement that uses one, and every specification.
//!
//! A [`Snapshot`] is the whole of what is compared, whether it comes from sources or from a lock file ([`super::lock`]). What is
//! known besides of sources, the places, is not part of it in the sense of equality.

use std::fmt::{Display, Formatter};
use std::path::Path;
use std::sync::Arc;

use super::affine::{Subscript, split};
use crate::diagnostics::Location;
use crate::source::LineColumn;
use crate::syntax::StatementId;

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The units, by name, kind and file.
    pub units: Vec<Unit>,
}

/// A program unit, subprogram or interface body.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its name with those of its hosts, lower case: `module::procedure`.
    pub name: String,
    /// `subroutine`, `module`, …
    pub kind: String,
    /// The file, from the root of the comparison, with slashes.
    pub file: String,
    /// The dummy arguments in order.
    pub dummies: Vec<String>,
    /// The arrays that it declares, in source order.
    pub arrays: Vec<Declaration>,
    /// Its statements that use an array or open a loop, in source order.
    pub statements: Vec<Statement>,
    /// How many of its statements were not understood; not known from a lock file.
    pub not_understood: usize,
}

/// Where something stands in the sources; nowhere, if it comes from a lock file.
#[derive(Clone, Debug, Default)]
pub struct Place(pub Option<(Arc<Path>, LineColumn, LineColumn)>);

impl PartialEq for Place {
    /// Places are no part of what is compared.
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Place {
    /// As a location, if it is known.
    pub fn location(&self) -> Option<Location> {
        let (path, start, end) = self.0.as_ref()?;
        Some(Location { path: path.to_path_buf(), start: *start, end: *end })
    }
}

/// The declaration of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Which array: `unit::name`, `module::name`, `type%component`, `/block/name`.
    pub array: String,
    /// Its type: `real(8)`.
    pub type_: String,
    /// The kind of declaration: `explicit shape`, `allocatable`, …
    pub kind: String,
    /// Its bounds as written, a dimension each.
    pub bounds: Vec<Subscript>,
    /// Where.
    pub place: Place,
}

/// A statement that uses arrays or opens a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does, in few words: `b=`, `call step`, `do`.
    pub head: String,
    /// Depends on its text but for the subscripts of arrays and the bounds of loops.
    pub hash: u64,
    /// In how many loops it stands.
    pub depth: u32,
    /// The loops that it opens (a one-line FORALL's go round itself).
    pub loops: Vec<Loop>,
    /// The arrays that it uses, as written from left to right.
    pub uses: Vec<Use>,
    /// What inference says of it.
    pub specifications: Vec<String>,
    /// Why it says nothing of some arrays: name and reason.
    pub unspecified: Vec<(String, String)>,
    /// Where.
    pub place: Place,
    /// Its number in the tree of its file.
    pub id: StatementId,
}

/// A loop with bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its variable.
    pub variable: String,
    /// Its bounds, as `lower:upper:step`.
    pub bounds: Subscript,
}

/// One reference to an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// What is done with it.
    pub role: Role,
    /// Which array.
    pub array: String,
    /// Its name as written, with the components that lead to it: `d%y`.
    pub name: String,
    /// The subscripts; `None` if it is used as a whole.
    pub subscripts: Option<Vec<Subscript>>,
    /// The reference.
    pub place: Place,
    /// Each of its subscripts.
    pub places: Vec<Place>,
}

/// What is done with an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// Its value is used, element by element where it is an array's.
    Read,
    /// It stands in a subscript.
    Index,
    /// It is assigned to.
    Write,
    /// It is allocated with these bounds.
    Allocate,
    /// It is the argument of a procedure: name, and position from 1 or keyword.
    Argument(String, String),
    /// An intrinsic function is asked about one of its dimensions, from 1: `size(a, 2)`, `sum(a, dim=1)`.
    Inquiry(String, u32),
    /// It is read or written.
    InputOutput,
    /// DATA.
    Data,
    /// EQUIVALENCE.
    Equivalence,
    /// It is assigned what RESHAPE gives, of this shape.
    Reshape,
    /// It is named in a statement that was not understood.
    NotUnderstood,
}

impl Display for Role {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Role::Read => f.write_str("read"),
            Role::Index => f.write_str("index"),
            Role::Write => f.write_str("write"),
            Role::Allocate => f.write_str("allocate"),
            Role::Argument(procedure, position) => write!(f, "argument,{procedure},{position}"),
            Role::Inquiry(function, dimension) => write!(f, "inquiry,{function},{dimension}"),
            Role::InputOutput => f.write_str("io"),
            Role::Data => f.write_str("data"),
            Role::Equivalence => f.write_str("equivalence"),
            Role::Reshape => f.write_str("reshape"),
            Role::NotUnderstood => f.write_str("unknown"),
        }
    }
}

impl Role {
    /// What `Display` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(',').collect();
        Some(match parts.as_slice() {
            ["read"] => Role::Read,
            ["index"] => Role::Index,
            ["write"] => Role::Write,
            ["allocate"] => Role::Allocate,
            ["argument", procedure, position] => Role::Argument((*procedure).to_owned(), (*position).to_owned()),
            ["inquiry", function, dimension] => Role::Inquiry((*function).to_owned(), dimension.parse().ok()?),
            ["io"] => Role::InputOutput,
            ["data"] => Role::Data,
            ["equivalence"] => Role::Equivalence,
            ["reshape"] => Role::Reshape,
            ["unknown"] => Role::NotUnderstood,
            _ => return None,
        })
    }
}

/// The array's own name: the last part of what identifies it.
pub fn own_name(array: &str) -> &str {
    array.rsplit(['%', '/', ':']).next().unwrap_or(array)
}

/// Subscripts in brackets, or nothing.
pub fn list(subscripts: Option<&[Subscript]>) -> String {
    let Some(subscripts) = subscripts else { return String::new() };
    let texts: Vec<String> = subscripts.iter().map(Subscript::to_string).collect();
    format!("({})", texts.join(","))
}

/// Subscripts that [`list`] wrote.
pub fn parse_list(text: &str) -> Option<Vec<Subscript>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    Some(split(inner, ',').into_iter().filter(|text| !text.is_empty()).map(Subscript::parse).collect())
}

impl Use {
    /// The reference as it is shown: `temp(i,j)`.
    pub fn text(&self) -> String {
        format!("{}{}", self.name, list(self.subscripts.as_deref()))
    }
}

impl Display for Use {
    /// `read heat::temp(i,j) as t`, the last part where it has another name here.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}{}", self.role, self.array, list(self.subscripts.as_deref()))?;
        if self.name != own_name(&self.array) { write!(f, " as {}", self.name) } else { Ok(()) }
    }
}

impl Use {
    /// What `Display` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (role, rest) = text.split_once(' ')?;
        let (reference, name) =
            rest.split_once(" as ").map_or((rest, None), |(reference, name)| (reference, Some(name)));
        let (array, subscripts) = match reference.find('(') {
            Some(at) => (&reference[..at], Some(parse_list(&reference[at..])?)),
            None => (reference, None),
        };
        Some(Use {
            role: Role::parse(role)?,
            array: array.to_owned(),
            name: name.unwrap_or_else(|| own_name(array)).to_owned(),
            subscripts,
            place: Place::default(),
            places: Vec::new(),
        })
    }
}
