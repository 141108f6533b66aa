//! The region constants of the language and their attributes.

use self::Attribute::{Along, At, By, Depth, Dim, Free, Nonpointed};
use super::tree::{RegionConstant, SpelledName};
use crate::region::{Direction, Interval, Place};
use std::collections::BTreeSet;

/// A region constant of the language.
pub(super) struct ConstantForm {
    /// The word it starts with.
    pub word: &'static str,
    /// What it is called now, if the word is an older one.
    pub now: Option<&'static str>,
    /// Those that must be given.
    pub required: &'static [Attribute],
    /// Those that may be given.
    pub optional: &'static [Attribute],
    /// What it denotes in its dimension, along the usual direction; a named constant is told apart.
    pub interval: fn(&Attributes) -> Option<Interval>,
}

/// What can stand in the brackets of a region constant, in the order in which it is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Attribute {
    /// The dimension of the left side that the array's one follows.
    Along,
    /// Which fixed index.
    At,
    /// The first offset of a shifted one.
    By,
    /// How far it reaches.
    Depth,
    /// The dimension of the array.
    Dim,
    /// That the left side has not the variable.
    Free,
    /// Without the origin.
    Nonpointed,
}

/// All region constants.
pub(super) const CONSTANTS: [ConstantForm; 7] = [
    ConstantForm {
        word: "pointed",
        now: None,
        required: &[Dim],
        optional: &[Along, Free],
        interval: |_| Some(Interval::ORIGIN),
    },
    ConstantForm {
        word: "reflexive",
        now: Some("pointed"),
        required: &[Dim],
        optional: &[Along, Free],
        interval: |_| Some(Interval::ORIGIN),
    },
    ConstantForm {
        word: "forward",
        now: None,
        required: &[Depth, Dim],
        optional: &[Along, Free, Nonpointed],
        interval: |given| Interval::new(0, given.depth?, !given.without_origin),
    },
    ConstantForm {
        word: "backward",
        now: None,
        required: &[Depth, Dim],
        optional: &[Along, Free, Nonpointed],
        interval: |given| Interval::new(-given.depth?, 0, !given.without_origin),
    },
    ConstantForm {
        word: "centered",
        now: None,
        required: &[Depth, Dim],
        optional: &[Along, Free, Nonpointed],
        interval: |given| Interval::new(-given.depth?, given.depth?, !given.without_origin),
    },
    ConstantForm {
        word: "shifted",
        now: None,
        required: &[By, Dim],
        optional: &[Along, Depth, Free],
        interval: |given| Interval::shifted(given.by?, given.depth.unwrap_or(0)),
    },
    ConstantForm {
        word: "fixed",
        now: None,
        required: &[Dim],
        optional: &[At],
        interval: |given| Some(Interval::at(given.index.map_or(Place::SomeFixed, Place::Fixed))),
    },
];

/// The attributes of a constant as they are collected.
#[derive(Default)]
pub(super) struct Attributes {
    /// Which are there.
    pub given: BTreeSet<Attribute>,
    /// The dimension, and the offset of its number in the text.
    pub dimension: Option<(usize, usize)>,
    /// What it follows.
    pub direction: Direction,
    /// The value of `depth`.
    pub depth: Option<i64>,
    /// The value of `by`, not 0.
    pub by: Option<i64>,
    /// The value of `at`.
    pub index: Option<i64>,
    /// The name that `at` has instead of a value.
    pub index_name: Option<SpelledName>,
    /// Whether `nonpointed` is there.
    pub without_origin: bool,
}

impl Attribute {
    /// The attribute that a word begins.
    pub fn of(word: &[u8]) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_slice() {
            b"along" => Along,
            b"at" => At,
            b"by" => By,
            b"depth" => Depth,
            b"dim" => Dim,
            b"free" => Free,
            b"nonpointed" | b"irreflexive" => Nonpointed,
            _ => return None,
        })
    }

    /// The attribute as a message names it.
    pub fn text(self) -> String {
        let text = match self {
            Along => "'along='",
            At => "'at='",
            By => "'by='",
            Depth => "'depth='",
            Dim => "'dim='",
            Free => "'free'",
            Nonpointed => "'nonpointed'",
        };
        text.to_owned()
    }

    /// Whether it says what a dimension of the array follows.
    pub fn is_of_stencils(self) -> bool {
        matches!(self, Along | Free)
    }
}

impl Attributes {
    /// The required ones that are not there yet.
    pub fn missing<'f>(&'f self, form: &'f ConstantForm) -> impl Iterator<Item = Attribute> + 'f {
        form.required.iter().copied().filter(|attribute| !self.given.contains(attribute))
    }

    /// Those that may still be given, in order; `directed`: where dimensions can follow something.
    pub fn possible(&self, form: &ConstantForm, directed: bool) -> BTreeSet<Attribute> {
        let has_direction = self.given.iter().any(|given| given.is_of_stencils());
        let optional = form.optional.iter().copied().filter(|attribute| !self.given.contains(attribute));
        let fits = |attribute: &Attribute| !attribute.is_of_stencils() || directed && !has_direction;
        self.missing(form).chain(optional.filter(fits)).collect()
    }

    /// The constant; `None` if a required one is missing.
    pub fn constant(self, form: &ConstantForm) -> Option<RegionConstant> {
        let interval = (form.interval)(&self)?.along(self.direction)?;
        let (dimension, offset) = self.dimension?;
        match self.index_name {
            Some(name) => RegionConstant::named(name, dimension, offset),
            None => RegionConstant::new(interval, dimension, offset),
        }
    }
}
