//! What comparing says of an array and of each of its uses.

use std::collections::BTreeMap;

use super::layout::Layout;
use super::snapshot::{ArrayDeclaration, ArrayUse, Provenance, list};

/// The classes of uses, the most suspicious first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UseClass {
    /// It changed beyond what the layout explains.
    DiffersOtherwise,
    /// It is as it was, and may not be.
    StillOld,
    /// An argument whose shape the dummy argument has no more.
    Argument,
    /// It can't be said.
    NotCompared,
    /// It is the old one, transformed.
    Follows,
}

impl UseClass {
    /// The name in data.
    pub fn name(self) -> &'static str {
        match self {
            UseClass::DiffersOtherwise => "differs-otherwise",
            UseClass::StillOld => "still-old",
            UseClass::Argument => "argument",
            UseClass::NotCompared => "not-compared",
            UseClass::Follows => "follows",
        }
    }
}

/// A use with its class.
#[derive(Clone, Debug)]
pub struct ComparedUse {
    /// The class.
    pub class: UseClass,
    /// The unit it stands in.
    pub unit: String,
    /// What is said of it, in a sentence; empty if it follows.
    pub why: String,
    /// Further sentences.
    pub notes: Vec<String>,
    /// The use.
    pub place: Provenance,
    /// The subscripts to blame, each with what it would be.
    pub subscripts: Vec<(Provenance, String)>,
    /// The statement.
    pub statement: Provenance,
}

impl ComparedUse {
    /// A declaration that is still old.
    pub(super) fn of_declaration(declared: &ArrayDeclaration, unit: &str, why: String) -> Self {
        ComparedUse {
            class: UseClass::StillOld,
            unit: unit.to_owned(),
            why,
            notes: Vec::new(),
            place: declared.place.clone(),
            subscripts: Vec::new(),
            statement: declared.place.clone(),
        }
    }
}

/// An array with what became of it.
#[derive(Clone, Debug)]
pub struct ArrayReport {
    /// Which array, as it is called now.
    pub array: String,
    /// Its declaration before.
    pub before: Option<ArrayDeclaration>,
    /// Its declaration now.
    pub now: Option<ArrayDeclaration>,
    /// What became of its dimensions.
    pub layout: Layout,
    /// Its uses in the new program, by class, then place.
    pub uses: Vec<ComparedUse>,
    /// Uses in statements that are gone.
    pub gone: usize,
}

impl ArrayReport {
    /// How many uses are of a class.
    pub fn count(&self, class: UseClass) -> usize {
        self.uses.iter().filter(|used| used.class == class).count()
    }

    /// Whether nothing has to be done: the declaration is another, and every subscript means what it meant.
    pub fn is_harmless(&self) -> bool {
        !self.is_changed() && self.uses.iter().all(|used| used.class >= UseClass::NotCompared)
    }

    /// Whether its uses have to change.
    pub fn is_changed(&self) -> bool {
        !self.layout.is_same()
    }

    /// The array of a use, of which nothing is known to have changed unless it is there already.
    pub(super) fn of_use<'a>(arrays: &'a mut BTreeMap<String, ArrayReport>, used: &ArrayUse) -> &'a mut ArrayReport {
        arrays.entry(used.array.to_string()).or_insert_with(|| ArrayReport::unknown(&used.array))
    }

    /// An array of whose declaration nothing is known.
    pub(super) fn unknown(array: &str) -> ArrayReport {
        ArrayReport {
            array: array.to_owned(),
            before: None,
            now: None,
            layout: Layout::same(0),
            uses: Vec::new(),
            gone: 0,
        }
    }

    /// Whether it changed, or something is wrong with a use of it.
    pub(super) fn is_reported(&self) -> bool {
        let declared = |declaration: &Option<ArrayDeclaration>| {
            declaration.as_ref().map(|one| (list(Some(&one.bounds)), one.kind.clone(), one.type_.clone()))
        };
        self.is_changed()
            || declared(&self.before) != declared(&self.now)
            || self.uses.iter().any(|used| used.class < UseClass::NotCompared)
    }
}
