//! What guard keeps of a program: no lines and no text, but every array, every statement that uses one, and every
//! specification.
//!
//! A [`Snapshot`] is the whole of what is compared, whether it comes from sources or from a lock file
//! ([`super::lock`]). What is known besides of sources, the places, is not part of it in the sense of equality.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::fmt::{Display, Formatter};
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::affine::{Subscript, split};
use crate::diagnostics::Location;
use crate::source::LineColumn;

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Snapshot {
    /// The units, by name, kind and file.
    pub units: Vec<UnitSnapshot>,
}

/// A program unit, subprogram or interface body.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct UnitSnapshot {
    /// Its name with those of its hosts, lower case: `module::procedure`.
    #[serde(rename = "unit")]
    pub name: String,
    /// `subroutine`, `module`, …
    pub kind: String,
    /// The file, from the root of the comparison, with slashes.
    pub file: String,
    /// The dummy arguments in order.
    pub dummies: Vec<String>,
    /// The arrays that it declares, in source order.
    pub arrays: Vec<ArrayDeclaration>,
    /// Its statements that use an array or open a loop, in source order. Two versions of a unit that differ in nothing
    /// share them, with the places of the new one.
    #[serde(deserialize_with = "shared::deserialize")]
    pub statements: Arc<Vec<StatementSnapshot>>,
    /// How many of its statements were not understood; not known from a lock file.
    #[serde(skip)]
    pub not_understood: usize,
}

/// Where something stands in the sources; nowhere, if it comes from a lock file.
#[derive(Clone, Debug, Default)]
pub struct Provenance(pub Option<(Arc<PathBuf>, LineColumn, LineColumn)>);

impl PartialEq for Provenance {
    /// Places are no part of what is compared.
    fn eq(&self, _: &Provenance) -> bool {
        true
    }
}

impl Provenance {
    /// As a location, if it is known.
    pub fn location(&self) -> Option<Location> {
        let (path, start, end) = self.0.as_ref()?;
        Some(Location { path: PathBuf::clone(path), start: *start, end: *end })
    }
}

/// The declaration of an array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArrayDeclaration {
    /// Which array: `unit::name`, `module::name`, `type%component`, `/block/name`.
    pub array: String,
    /// Its type: `real(8)`.
    #[serde(rename = "type", with = "shared")]
    pub type_: Arc<str>,
    /// The kind of declaration: `explicit shape`, `allocatable`, …
    #[serde(with = "shared")]
    pub kind: Arc<str>,
    /// Its bounds as written, a dimension each.
    #[serde(flatten, with = "bounds")]
    pub bounds: Arc<[Subscript]>,
    /// Where.
    #[serde(skip)]
    pub place: Provenance,
}

/// A statement that uses arrays or opens a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementSnapshot {
    /// What it does, in few words: `b=`, `call step`, `do`.
    #[serde(rename = "statement", with = "shared")]
    pub head: Arc<str>,
    /// Depends on its text but for the subscripts of arrays and the bounds of loops.
    #[serde(with = "hexadecimal")]
    pub hash: u64,
    /// In how many loops it stands.
    pub depth: u32,
    /// The loops that it opens (a one-line FORALL's go round itself).
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub loops: ThinVec<LoopBounds>,
    /// The arrays that it uses, as written from left to right.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub uses: ThinVec<ArrayUse>,
    /// What inference says of it.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub specifications: ThinVec<String>,
    /// Why it says nothing of some arrays: name and reason.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub unspecified: ThinVec<(String, String)>,
    /// Where.
    #[serde(skip)]
    pub place: Provenance,
}

/// A loop with bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct LoopBounds {
    /// Its variable.
    pub variable: Arc<str>,
    /// Its bounds, as `lower:upper:step`.
    pub bounds: Arc<Subscript>,
}

impl From<LoopBounds> for String {
    fn from(one: LoopBounds) -> Self {
        format!("{}={}", one.variable, one.bounds)
    }
}

impl TryFrom<String> for LoopBounds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (variable, bounds) = text.split_once('=').ok_or_else(|| format!("'{text}' is no loop"))?;
        Ok(LoopBounds { variable: variable.into(), bounds: Subscript::parse(bounds).into() })
    }
}

/// One reference to an array. (What is the same in many, here and above, is shared within a file: texts and sums.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ArrayUse {
    /// What is done with it.
    pub role: UseKind,
    /// Which array.
    pub array: Arc<str>,
    /// Its name as written, with the components that lead to it: `d%y`.
    pub name: Arc<str>,
    /// The subscripts; `None` if it is used as a whole.
    pub subscripts: Option<Arc<[Subscript]>>,
    /// The reference.
    pub place: Provenance,
    /// Each of its subscripts.
    pub places: ThinVec<Provenance>,
}

/// Values of which each is kept once.
pub(super) struct Shared<T: ?Sized>(RefCell<FxHashSet<Arc<T>>>);

impl<T: ?Sized> Default for Shared<T> {
    fn default() -> Self {
        Shared(RefCell::default())
    }
}

impl<T: ?Sized + Hash + Eq> Shared<T> {
    /// The one that is equal to a value.
    pub fn get<V: Borrow<T> + Into<Arc<T>>>(&self, value: V) -> Arc<T> {
        let mut known = self.0.borrow_mut();
        if let Some(shared) = known.get(value.borrow()) {
            return Arc::clone(shared);
        }
        let shared = value.into();
        known.insert(Arc::clone(&shared));
        shared
    }
}

/// Items without room for more, as there are many lists and none grows.
pub(super) fn exact<T>(items: impl ExactSizeIterator<Item = T>) -> ThinVec<T> {
    let mut list = ThinVec::with_capacity(items.len());
    list.extend(items);
    list
}

/// What is done with an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UseKind {
    /// Its value is used, element by element where it is an array's.
    Read,
    /// It stands in a subscript.
    Index,
    /// It is assigned to.
    Write,
    /// It is allocated with these bounds.
    Allocate,
    /// It is the argument of a procedure: name, and position from 1 or keyword.
    Argument(Arc<str>, Arc<str>),
    /// An intrinsic function is asked about one of its dimensions, from 1: `size(a, 2)`, `sum(a, dim=1)`.
    Inquiry(Arc<str>, u32),
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

/// The roles that are a word.
const USE_KINDS: [(UseKind, &str); 9] = [
    (UseKind::Read, "read"),
    (UseKind::Index, "index"),
    (UseKind::Write, "write"),
    (UseKind::Allocate, "allocate"),
    (UseKind::InputOutput, "io"),
    (UseKind::Data, "data"),
    (UseKind::Equivalence, "equivalence"),
    (UseKind::Reshape, "reshape"),
    (UseKind::NotUnderstood, "unknown"),
];

impl Display for UseKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            UseKind::Argument(procedure, position) => write!(f, "argument,{procedure},{position}"),
            UseKind::Inquiry(function, dimension) => write!(f, "inquiry,{function},{dimension}"),
            word => f.write_str(USE_KINDS.iter().find(|(role, _)| role == word).map_or("", |(_, word)| word)),
        }
    }
}

impl UseKind {
    /// What `Display` wrote.
    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(',').collect();
        match parts.as_slice() {
            ["argument", procedure, position] => Some(UseKind::Argument((*procedure).into(), (*position).into())),
            ["inquiry", function, dimension] => Some(UseKind::Inquiry((*function).into(), dimension.parse().ok()?)),
            [word] => USE_KINDS.iter().find(|(_, other)| other == word).map(|(role, _)| role.clone()),
            _ => None,
        }
    }
}

/// The array's own name: the last part of what identifies it.
pub fn own_name(array: &str) -> &str {
    array.rsplit(['%', '/', ':']).next().unwrap_or(array)
}

/// The outermost of the units in a name: the first part of what identifies a unit or an array of one.
pub fn top_name(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
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

impl ArrayUse {
    /// The reference as it is shown: `temp(i,j)`.
    pub fn text(&self) -> String {
        format!("{}{}", self.name, list(self.subscripts.as_deref()))
    }
}

impl Display for ArrayUse {
    /// `read heat::temp(i,j) as t`, the last part where it has another name here.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}{}", self.role, self.array, list(self.subscripts.as_deref()))?;
        if *self.name != *own_name(&self.array) { write!(f, " as {}", self.name) } else { Ok(()) }
    }
}

impl From<ArrayUse> for String {
    fn from(used: ArrayUse) -> Self {
        used.to_string()
    }
}

impl TryFrom<String> for ArrayUse {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        ArrayUse::parse(&text).ok_or_else(|| format!("'{text}' is no reference to an array"))
    }
}

impl ArrayUse {
    /// What `Display` wrote.
    fn parse(text: &str) -> Option<Self> {
        let (role, rest) = text.split_once(' ')?;
        let (reference, name) =
            rest.split_once(" as ").map_or((rest, None), |(reference, name)| (reference, Some(name)));
        let (array, subscripts) = match reference.find('(') {
            Some(at) => (&reference[..at], Some(parse_list(&reference[at..])?)),
            None => (reference, None),
        };
        Some(ArrayUse {
            role: UseKind::parse(role)?,
            array: array.into(),
            name: name.unwrap_or_else(|| own_name(array)).into(),
            subscripts: subscripts.map(Arc::from),
            place: Provenance::default(),
            places: ThinVec::new(),
        })
    }
}

/// Bounds in a lock file: how many dimensions, and the text.
mod bounds {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::{Subscript, list, parse_list};

    #[derive(Serialize, Deserialize)]
    struct LockedBounds {
        rank: usize,
        bounds: String,
    }

    pub fn serialize<S: Serializer>(bounds: &[Subscript], serializer: S) -> Result<S::Ok, S::Error> {
        LockedBounds { rank: bounds.len(), bounds: list(Some(bounds)) }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[Subscript]>, D::Error> {
        let text = LockedBounds::deserialize(deserializer)?.bounds;
        let bounds = parse_list(&text).map(Arc::from);
        bounds.ok_or_else(|| D::Error::custom(format!("'{text}' is no list of bounds")))
    }
}

/// What is shared, as if it were not.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize + ?Sized, S: Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, T: ?Sized, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<T>, D::Error>
    where
        Box<T>: Deserialize<'de>,
    {
        Box::deserialize(deserializer).map(Arc::from)
    }
}

/// Hashes in a lock file: JSON's numbers have not so many digits.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{hash:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        u64::from_str_radix(&String::deserialize(deserializer)?, 16).map_err(D::Error::custom)
    }
}
