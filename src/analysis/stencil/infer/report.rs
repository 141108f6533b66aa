//! What is reported of the computations of a file: for people what they select, for programs everything.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Approximation, Border, ComputationKind, InferredComputation, ListedRead, Unspecified, remaining};
use crate::analysis::stencil::index_record::{IndexRecord, RangeRecord, range_records};
use crate::diagnostics::render::json::{SpanRecord, path_text};
use crate::diagnostics::render::quotation::{place, quoted};
use crate::diagnostics::{Entry, Location, Palette};
use crate::source::{SourceTexts, Span};

/// What a person wants to see of the computations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The specifications.
    pub specifications: bool,
    /// The arrays that get no specification, each with its reason.
    pub reasons: bool,
}

/// A computation as it is listed.
#[derive(Clone, Copy, Debug)]
pub struct ListedComputation<'i> {
    /// The computation.
    pub computation: &'i InferredComputation,
    /// What of it.
    pub selection: Selection,
    /// The arrays of which a specification in the file speaks already, in lower case: a person sees what would be
    /// inserted.
    pub covered: Option<&'i BTreeSet<String>>,
}

impl ListedComputation<'_> {
    /// The specifications that would be inserted, if they are wanted.
    fn texts(&self) -> Vec<String> {
        let wanted = self.computation.specifications.iter().filter(|_| self.selection.specifications);
        wanted.filter_map(|specification| remaining(specification, self.covered)).collect()
    }

    fn is_covered(&self, variable: &str) -> bool {
        self.covered.is_some_and(|covered| covered.contains(&variable.to_ascii_lowercase()))
    }
}

impl Entry for ListedComputation<'_> {
    const NAME: &'static str = "computation";

    fn span(&self) -> Span {
        self.computation.span
    }

    fn unit(&self) -> &str {
        &self.computation.unit
    }

    fn lines(&self, texts: &SourceTexts, palette: &Palette) -> Vec<String> {
        let Palette { faint, good, .. } = palette;
        let mut lines = Vec::new();
        let specifications = self.texts();
        lines.extend(specifications.iter().map(|text| format!("{faint}={faint:#} {good}{text}{good:#}")));
        let borders = self.computation.borders.iter().filter(|_| !specifications.is_empty());
        let borders = borders.filter(|border| !self.is_covered(&border.variable));
        lines.extend(borders.map(|border| format!("{faint}= {}{faint:#}", border_text(texts, border))));
        if self.selection.reasons {
            let causes = by_cause(&self.computation.unspecified);
            lines.extend(
                causes.iter().map(|arrays| format!("{faint}={faint:#} {}", reason_text(texts, arrays, palette))),
            );
        }
        lines
    }

    fn sentences(&self) -> Vec<(Span, String)> {
        let mut sentences: Vec<(Span, String)> =
            self.texts().into_iter().map(|text| (self.computation.span, text)).collect();
        if self.selection.reasons {
            sentences.extend(self.computation.unspecified.iter().map(|array| {
                let (name, explanation) = (array.reason.name(), array.reason.explanation());
                (array.span, format!("no specification for '{}': {name}: {explanation}", array.variable))
            }));
        }
        sentences
    }

    fn json<'e>(&'e self, texts: &'e SourceTexts) -> impl Serialize + 'e {
        ComputationRecord::new(texts, self.computation)
    }
}

/// What is left out of the specification of an array.
fn border_text(texts: &SourceTexts, border: &Border) -> String {
    let index = quoted(texts.bytes(border.span)).unwrap_or_else(|| "its index".to_owned());
    format!("away from the border: the other value of {index} is left out for '{}'", border.variable)
}

/// The arrays that get no specification, those with one reason and one place to blame together, in order.
fn by_cause(unspecified: &[Unspecified]) -> Vec<Vec<&Unspecified>> {
    let mut groups: Vec<Vec<&Unspecified>> = Vec::new();
    for array in unspecified {
        let same_cause = |group: &&mut Vec<&Unspecified>| {
            group.first().is_some_and(|first| (first.reason, first.span) == (array.reason, array.span))
        };
        match groups.iter_mut().find(same_cause) {
            Some(group) => group.push(array),
            None => groups.push(vec![array]),
        }
    }
    groups
}

/// Why arrays got no specification, and the source to blame.
fn reason_text(texts: &SourceTexts, arrays: &[&Unspecified], palette: &Palette) -> String {
    let Some(first) = arrays.first() else { return String::new() };
    let names: Vec<String> = arrays.iter().map(|array| format!("'{}'", array.variable)).collect();
    let (reason, explanation) = (first.reason.name(), first.reason.explanation());
    let Palette { strong, faint, .. } = palette;
    let location = Location::of(texts, first.span);
    let at = match texts.in_root(first.span) {
        true => format!("{}:{}", location.start.line, location.start.column),
        false => place(&location.path, location.start),
    };
    let blamed = match quoted(texts.bytes(first.span)) {
        Some(source) => format!("{source} at {at}"),
        None => format!("at {at}"),
    };
    let names = names.join(", ");
    format!("no specification for {names}: {strong}{reason}{strong:#}: {explanation} {faint}({blamed}){faint:#}")
}

/// An assignment in a loop, or to a whole array or section, that reads arrays.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ComputationRecord"))]
pub struct ComputationRecord<'i> {
    path: String,
    span: SpanRecord,
    /// The program unit, as module::procedure.
    unit: &'i str,
    #[cfg_attr(test, schemars(extend("enum" = ["stencil", "access"])))]
    kind: &'static str,
    specifications: Vec<SpecificationRecord<'i>>,
    unspecified: Vec<UnspecifiedRecord<'i>>,
    /// Arrays of whose specifications it is left out what an index is at a border only, as `mod(i, n) + 1` at the end
    /// of the ring.
    borders: Vec<BorderRecord<'i>>,
    /// The reads of the arrays that can be described.
    reads: Vec<ReadRecord<'i>>,
}

/// One read of an array.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ReadRecord"))]
struct ReadRecord<'i> {
    variable: &'i str,
    span: SpanRecord,
    /// What each subscript is, relative to the left side.
    indices: &'i [IndexRecord],
}

/// An array with an index that has another value at a border.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "BorderRecord"))]
struct BorderRecord<'i> {
    variable: &'i str,
    span: SpanRecord,
}

impl<'i> ComputationRecord<'i> {
    fn new(texts: &SourceTexts, computation: &'i InferredComputation) -> Self {
        let InferredComputation { span, unit, kind, specifications, unspecified, borders, reads, .. } = computation;
        let specifications = specifications.iter().map(|one| SpecificationRecord {
            text: &one.text,
            kind: kind_name(one.kind),
            variables: &one.variables,
            read_once: one.read_once,
            approximation: match one.approximation {
                Approximation::Exact => "exact",
                Approximation::AtLeast => "atLeast",
                Approximation::AtMost => "atMost",
            },
            region: one.region.schemes().iter().map(|scheme| range_records(scheme, &one.constant_names)).collect(),
        });
        let unspecified = unspecified.iter().map(|array| UnspecifiedRecord {
            variable: &array.variable,
            reason: array.reason.name(),
            span: SpanRecord::new(texts, array.span),
        });
        let borders = borders
            .iter()
            .map(|border| BorderRecord { variable: &border.variable, span: SpanRecord::new(texts, border.span) });
        ComputationRecord {
            path: path_text(&texts.root().path),
            span: SpanRecord::new(texts, *span),
            unit,
            kind: kind_name(*kind),
            specifications: specifications.collect(),
            unspecified: unspecified.collect(),
            borders: borders.collect(),
            reads: reads.iter().map(|read| ReadRecord::new(texts, read)).collect(),
        }
    }
}

impl<'i> ReadRecord<'i> {
    fn new(texts: &SourceTexts, read: &'i ListedRead) -> Self {
        let ListedRead { variable, span, indices } = read;
        ReadRecord { variable, span: SpanRecord::new(texts, *span), indices }
    }
}

fn kind_name(kind: ComputationKind) -> &'static str {
    match kind {
        ComputationKind::Stencil => "stencil",
        ComputationKind::Access => "access",
    }
}

/// One specification. `region` is its union normal form: a list of boxes, each with one range for each dimension.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "SpecificationRecord"))]
#[serde(rename_all = "camelCase")]
struct SpecificationRecord<'i> {
    /// Without comment sign and marker.
    text: &'i str,
    #[cfg_attr(test, schemars(extend("enum" = ["stencil", "access"])))]
    kind: &'static str,
    #[cfg_attr(test, schemars(length(min = 1)))]
    variables: &'i [String],
    read_once: bool,
    #[cfg_attr(test, schemars(extend("enum" = ["exact", "atMost", "atLeast"])))]
    approximation: &'static str,
    #[cfg_attr(test, schemars(length(min = 1)))]
    region: Vec<Vec<RangeRecord>>,
}

/// An array without a specification.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "UnspecifiedRecord"))]
struct UnspecifiedRecord<'i> {
    variable: &'i str,
    #[cfg_attr(test, schemars(extend("enum" = super::Reason::ALL.map(super::Reason::name))))]
    reason: &'static str,
    span: SpanRecord,
}
