//! Claims: what a specification says of an array, and which array of which computation that is.

use super::input::CheckInput;
use crate::analysis::stencil::attach::{Attached, denote_finding, finding, span_of};
use crate::analysis::stencil::computations::{ArrayAccess, Computation, Undescribed};
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{Approximation, Denotation, DenoteError, SpelledName, on_paper};
use crate::diagnostics::Finding;
use crate::flow::canonical;
use crate::names::SymbolId;
use crate::syntax::StatementId;
use crate::values::ArrayKey;

/// What a specification says of one array.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'s> {
    /// Which of the attached specifications of the file it is.
    pub number: usize,
    /// The specification.
    pub attached: &'s Attached,
    /// The name in it.
    pub variable: &'s SpelledName,
    /// The computation.
    pub computation: &'s Computation,
    /// The array that the name means there.
    pub array: ComputationArray<'s>,
}

/// A claim with the meaning of its region for the rank of the array.
#[derive(Clone, Debug)]
pub struct DenotedClaim<'s> {
    /// The claim.
    pub claim: Claim<'s>,
    /// What its region denotes.
    pub meaning: Denotation,
}

impl<'s> Claim<'s> {
    /// How the array is read, as far as the claim asks: an upper bound may leave a dimension open in which an index is
    /// not known.
    pub fn access(&self) -> Result<&'s ArrayAccess, &'s Undescribed> {
        let is_upper = self.attached.specification.approximation == Approximation::AtMost;
        self.array.described.or_else(|undescribed| undescribed.at_most().filter(|_| is_upper).ok_or(undescribed))
    }
}

/// An array of a computation.
#[derive(Clone, Copy, Debug)]
pub struct ComputationArray<'s> {
    /// How it is read.
    pub described: Result<&'s ArrayAccess, &'s Undescribed>,
}

impl<'s> ComputationArray<'s> {
    /// What arrays of a computation are told apart by.
    pub fn key(&self) -> &'s ArrayKey {
        match self.described {
            Ok(access) => &access.array,
            Err(undescribed) => &undescribed.array,
        }
    }

    /// Its name as spelt in the first read.
    pub fn spelling(&self) -> &str {
        match self.described {
            Ok(access) => &access.spelling,
            Err(undescribed) => &undescribed.spelling,
        }
    }

    /// Its name in lower case. Two arrays of a computation may share it: one of a BLOCK construct and one of its host.
    pub fn name(&self) -> String {
        self.spelling().to_ascii_lowercase()
    }
}

/// The arrays of a computation.
pub fn arrays(computation: &Computation) -> impl Iterator<Item = ComputationArray<'_>> {
    computation.arrays.iter().map(|array| ComputationArray { described: array.as_ref() })
}

/// Finds the array that a name in a specification means.
///
/// # Errors
///
/// The finding (S014 or S006), if there is none.
pub fn locate<'s>(
    input: CheckInput<'s>,
    number: usize,
    attached: &'s Attached,
    variable: &'s SpelledName,
) -> Result<Claim<'s>, Box<Finding>> {
    let found = match attached.last {
        None => above_assignment(input, attached, variable),
        Some(last) => above_construct(input, attached, last, variable),
    };
    found.map(|(computation, array)| Claim { number, attached, variable, computation, array })
}

/// Gives a claim its meaning for its array.
///
/// # Errors
///
/// The finding (S002 or S005), if it has none.
pub fn denote<'s>(input: CheckInput<'s>, claim: Claim<'s>) -> Result<DenotedClaim<'s>, Box<Finding>> {
    let (rank, usual) = match claim.access() {
        Ok(access) => (access.usual.len(), access.usual.as_slice()),
        Err(undescribed) => (undescribed.classified.first().map_or(0, |read| read.coordinates.len()), &[][..]),
    };
    match meaning(input, claim.attached, rank, usual) {
        Ok(meaning) => Ok(DenotedClaim { claim, meaning }),
        Err(error) => Err(Box::new(denote_finding(input.scopes.tree, &claim.attached.text, &error))),
    }
}

/// The meaning of a specification for an array of this rank, whose dimensions usually follow these of the left side.
///
/// # Errors
///
/// Why it has none.
pub fn meaning(
    input: CheckInput<'_>,
    attached: &Attached,
    rank: usize,
    usual: &[Option<usize>],
) -> Result<Denotation, DenoteError> {
    let meaning = input.scopes.denote(&attached.specification.region, rank, usual, attached.unit, attached.order)?;
    Ok(match input.paper {
        true => Denotation { union: on_paper(&meaning.union), ..meaning },
        false => meaning,
    })
}

fn above_assignment<'s>(
    input: CheckInput<'s>,
    attached: &'s Attached,
    variable: &SpelledName,
) -> Result<(&'s Computation, ComputationArray<'s>), Box<Finding>> {
    let computation = computation_of(input, attached.statement);
    let found = computation.map(|computation| (computation, find(input, computation, attached.statement, variable)));
    match found.as_ref().map(|(computation, arrays)| (*computation, arrays.as_slice())) {
        Some((computation, [array])) => Ok((computation, *array)),
        None | Some((_, [])) => Err(Box::new(super::finding::not_read(input, attached, variable, computation))),
        Some((_, several)) => {
            let names: Vec<String> = several.iter().map(|array| format!("'{}'", array.spelling())).collect();
            let message = format!("'{}' may be any of {}: write the whole name", variable.text, names.join(", "));
            Err(unattached(input, attached, variable, message))
        }
    }
}

/// The computation whose root (or wanted assignment) a statement is.
pub fn computation_of(input: CheckInput<'_>, statement: StatementId) -> Option<&Computation> {
    let computations = input.computations;
    let at = computations.binary_search_by_key(&statement, |computation| computation.statement).ok()?;
    computations.get(at)
}

/// The array in the one computation that reads it in the construct below a specification.
fn above_construct<'s>(
    input: CheckInput<'s>,
    attached: &Attached,
    last: StatementId,
    variable: &SpelledName,
) -> Result<(&'s Computation, ComputationArray<'s>), Box<Finding>> {
    let name = &variable.text;
    let computations = input.computations;
    let first = computations.partition_point(|computation| computation.statement < attached.statement);
    let reading: Vec<_> = computations[first..]
        .iter()
        .take_while(|computation| computation.statement <= last)
        .filter(|computation| computation.is_root)
        .flat_map(|computation| {
            find(input, computation, attached.statement, variable).into_iter().map(move |array| (computation, array))
        })
        .collect();
    let tree = input.scopes.tree;
    let message = match reading.as_slice() {
        [found] => return Ok(*found),
        [] => format!("No array computation in this construct reads '{name}'"),
        several => {
            let place = |(computation, array): &(&Computation, ComputationArray<'_>)| {
                let line = tree.source.texts.locate(input.statement_span(computation.statement)).1.line;
                format!("'{}' in line {line}", array.spelling())
            };
            let places: Vec<String> = several.iter().map(place).collect();
            format!("'{name}' may be several arrays in this construct: {}", places.join(", "))
        }
    };
    Err(unattached(input, attached, variable, message))
}

/// S006 at a name in a specification.
fn unattached(input: CheckInput<'_>, attached: &Attached, variable: &SpelledName, message: String) -> Box<Finding> {
    let span = span_of(&attached.text, variable.offset, variable.text.len());
    Box::new(finding(input.scopes.tree, &rules::UNATTACHED_SPECIFICATION, span, message))
}

/// The arrays that a name above a statement can mean: that with this path (of two, the one that the statement sees),
/// else those with such a part in their paths.
fn find<'s>(
    input: CheckInput<'s>,
    computation: &'s Computation,
    above: StatementId,
    variable: &SpelledName,
) -> Vec<ComputationArray<'s>> {
    let name = variable.key();
    let named: Vec<ComputationArray<'s>> = arrays(computation).filter(|array| array.name() == name).collect();
    let is_seen = |array: &&ComputationArray<'s>| {
        let symbol = array.key().symbol;
        let resolved = input.scopes.resolved;
        resolved.symbol_at(above, resolved.symbol(symbol).name) == Some(symbol)
    };
    match named.as_slice() {
        [] => {
            let declared = declared_at(input, above, &name);
            let is_meant = |array: &ComputationArray<'s>| {
                array.name().split('%').any(|part| part == name)
                    && declared.is_none_or(|symbol| array.key().symbol == symbol)
            };
            arrays(computation).filter(is_meant).collect()
        }
        [_] => named,
        several => several.iter().find(is_seen).map_or(named.clone(), |array| vec![*array]),
    }
}

/// What a name is declared as where a specification stands. It means that then, and never a component of the same name.
fn declared_at(input: CheckInput<'_>, above: StatementId, name: &str) -> Option<SymbolId> {
    let resolved = input.scopes.resolved;
    let symbol = resolved.symbol_at(above, input.scopes.tree.names.get(name)?)?;
    let is_declared = resolved.symbol(symbol).declared.is_some() || resolved.symbol(symbol).use_associated;
    is_declared.then(|| canonical(resolved, symbol))
}
