//! How values compare.

use std::cmp::Ordering;

/// A relation, perhaps negated: of reals, not every comparison that does not hold has a relation for it (NaN).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Comparison {
    /// The relation.
    pub relation: Relation,
    /// Whether it does not hold.
    pub is_negated: bool,
}

/// The relations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is named after its operator")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// Its operator, as it is written today.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "/=",
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
        }
    }

    /// What holds when this does not, NaN apart.
    pub fn complement(self) -> Self {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
        }
    }

    /// The relation with its sides exchanged.
    pub fn reversed(self) -> Self {
        match self {
            Relation::Equal | Relation::NotEqual => self,
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
        }
    }

    /// Whether values in this order stand in the relation; `None`: they have no order.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match (self, order) {
            (Relation::NotEqual, None) => true,
            (_, None) => false,
            (Relation::Equal, Some(order)) => order == Ordering::Equal,
            (Relation::NotEqual, Some(order)) => order != Ordering::Equal,
            (Relation::Less, Some(order)) => order == Ordering::Less,
            (Relation::LessEqual, Some(order)) => order != Ordering::Greater,
            (Relation::Greater, Some(order)) => order == Ordering::Greater,
            (Relation::GreaterEqual, Some(order)) => order != Ordering::Less,
        }
    }

    /// Whether it asks for an order, which NaN has none of.
    pub fn is_order(self) -> bool {
        !matches!(self, Relation::Equal | Relation::NotEqual)
    }
}

impl Comparison {
    /// A relation as it is.
    pub fn plain(relation: Relation) -> Self {
        Comparison { relation, is_negated: false }
    }

    /// The relation that holds if it does, NaN apart.
    pub fn without_nan(self) -> Relation {
        if self.is_negated { self.relation.complement() } else { self.relation }
    }

    /// Whether values in this order stand in it.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        self.relation.holds(order) != self.is_negated
    }
}
