//! The places of one unit: what each symbolic integer of its terms stands for.

use std::sync::Arc;

use thin_vec::ThinVec;

use crate::symbolic::{Atom, Condition, Operation, Place, Term, place_term};

use super::region::RegionId;

/// What a place stands for. Copies are made in each iteration that is asked about, so that they must be cheap.
#[derive(Clone, Debug)]
pub struct PlaceInfo {
    /// What a person calls it: `n`, `size(a,1)`.
    pub text: Arc<str>,
    /// The loop in each iteration of which it is another one.
    pub region: RegionId,
    /// Where its value comes from.
    pub origin: Origin,
    /// What always holds of it.
    pub definition: Option<Condition>,
}

/// Where the value of a place comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is there when the unit is entered.
    Entry(Arc<Entry>),
    /// An array has it as an element when the unit is entered; no caller is told of it.
    Element,
    /// A loop counts it.
    Counted,
    /// Several ways of control meet, or a loop has changed it.
    Joined,
    /// Something that is not followed gave it. These places were read for it.
    Opaque(ThinVec<Place>),
    /// A truth value of what is no size (characters, real numbers, whether a procedure comes back) and of these places:
    /// with other sizes it has nothing to do.
    Data(ThinVec<Place>),
}

/// A value that is there when a unit is entered, told so that a caller knows which of its own it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The variable.
    pub root: Root,
    /// The components behind it.
    pub components: Vec<String>,
    /// What of it.
    pub aspect: Aspect,
}

/// A variable as a caller knows it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// The dummy argument at this position.
    Dummy(usize),
    /// A variable of a module or COMMON block, by a name for the whole program.
    Global(String),
    /// Something that no caller knows.
    Local,
}

/// What of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// Its value.
    Value,
    /// The extent of a dimension, from 0.
    Extent(usize),
    /// The lower bound of a dimension, from 0.
    Lower(usize),
    /// Whether it is present.
    Present,
}

/// All places of a unit.
#[derive(Debug, Default)]
pub struct Places(Vec<PlaceInfo>);

impl Places {
    /// A new place.
    pub fn add(&mut self, info: PlaceInfo) -> Place {
        self.0.push(info);
        Place((self.0.len() - 1) as u32)
    }

    /// What a place stands for.
    pub fn info(&self, place: Place) -> &PlaceInfo {
        &self.0[place.0 as usize]
    }

    /// Says what always holds of a place.
    pub fn define(&mut self, place: Place, definition: Condition) {
        self.0[place.0 as usize].definition = Some(definition);
    }

    /// Says that the value of a place is not followed any further, and what was read for it.
    pub fn give_up(&mut self, place: Place, reads: Vec<Place>) {
        self.0[place.0 as usize].origin = Origin::Opaque(reads.into());
    }

    /// Says that these were read for the value of an opaque place.
    pub fn add_reads(&mut self, place: Place, reads: impl IntoIterator<Item = Place>) {
        if let Origin::Opaque(known) | Origin::Data(known) = &mut self.0[place.0 as usize].origin {
            known.extend(reads);
            known.sort_unstable();
            known.dedup();
        }
    }

    /// A new place, as a term.
    pub fn term(&mut self, text: impl Into<Arc<str>>, region: RegionId, origin: Origin) -> Term {
        place_term(self.add(PlaceInfo { text: text.into(), region, origin, definition: None }))
    }

    /// A term as it would be written.
    pub fn text(&self, term: &Term) -> String {
        let mut text = String::new();
        for (atom, factor) in term.terms() {
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => "+",
                (false, true) => "-",
            };
            text += sign;
            if factor.abs() != 1 {
                text += &format!("{}*", factor.abs());
            }
            text += &self.atom_text(atom);
        }
        match term.constant_term() {
            number if text.is_empty() => number.to_string(),
            0 => text,
            number => format!("{text}{number:+}"),
        }
    }

    /// An extent as it would be written: `n` of what is declared `n`, which has the extent `max(0,n)`.
    pub fn extent_text(&self, extent: &Term) -> String {
        if let Some((Atom::Applied(of), 1)) = extent.single_term()
            && of.operation == Operation::Maximum
            && extent.constant_term() == 0
            && let [zero, size] = of.operands.as_slice()
            && zero.as_constant() == Some(0)
        {
            return self.text(size);
        }
        self.text(extent)
    }

    fn atom_text(&self, atom: &Atom) -> String {
        let of = match atom {
            Atom::Place(place) => return self.info(*place).text.to_string(),
            Atom::Applied(of) => of,
        };
        let operands: Vec<String> = of.operands.iter().map(|operand| self.text(operand)).collect();
        match of.operation {
            Operation::Product => operands.join("*"),
            Operation::Quotient => format!("({})/({})", operands[0], operands[1]),
            Operation::Remainder => format!("mod({})", operands.join(",")),
            Operation::Modulo => format!("modulo({})", operands.join(",")),
            Operation::Minimum => format!("min({})", operands.join(",")),
            Operation::Maximum => format!("max({})", operands.join(",")),
            Operation::Absolute => format!("abs({})", operands.join(",")),
        }
    }
}
