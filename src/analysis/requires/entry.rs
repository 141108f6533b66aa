//! What is listed of a procedure: for people the requirements of those that nothing calls, for programs those of all.

use serde::Serialize;

use super::condition::ConditionRecord;
use super::data_type::DataType;
use super::requirement_line::{RequirementLine, source_of_undecided};
use crate::analysis::preconditions::text::text;
use crate::analysis::preconditions::{Place, Requirement, Undecided};
use crate::diagnostics::render::json::{SpanRecord, path_text};
use crate::diagnostics::{Entry, Palette};
use crate::source::{SourceTexts, Span};

/// What a procedure needs where it is entered.
#[derive(Clone, Debug)]
pub struct ProcedureRequirements {
    /// Its name, lower case.
    pub name: String,
    /// The unit with those around it.
    pub path: String,
    /// The statement that opens it.
    pub span: Span,
    /// Whether no other procedure of the file calls it.
    pub is_outermost: bool,
    /// What it needs, in the order of the failing statements.
    pub requirements: Vec<Requirement>,
    /// Where it may fail under conditions that are not found out.
    pub undecided: Vec<Undecided>,
    /// The arguments that it is given.
    pub arguments: Vec<Argument>,
    /// The namelist groups that it reads, each with its variables.
    pub groups: Vec<(String, Vec<(String, DataType)>)>,
}

/// An argument that a procedure is given.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name, lower case.
    pub name: String,
    /// Its type.
    pub type_: DataType,
    /// OPTIONAL.
    pub is_optional: bool,
}

/// A procedure as it is listed.
#[derive(Clone, Copy, Debug)]
pub struct ListedProcedure<'p> {
    /// The procedure.
    pub procedure: &'p ProcedureRequirements,
    /// Whether a person sees it.
    pub is_shown: bool,
    /// Whether a person sees where conditions were given up.
    pub shows_undecided: bool,
}

impl<'p> ListedProcedure<'p> {
    /// The requirements that a person sees.
    fn told(&self) -> &'p [Requirement] {
        if self.is_shown { &self.procedure.requirements } else { &[] }
    }

    /// What a person sees of what was given up.
    fn told_undecided(&self) -> &'p [Undecided] {
        if self.shows_undecided { &self.procedure.undecided } else { &[] }
    }
}

impl Entry for ListedProcedure<'_> {
    const NAME: &'static str = "procedure";

    fn span(&self) -> Span {
        self.procedure.span
    }

    fn unit(&self) -> &str {
        &self.procedure.path
    }

    fn lines(&self, _: &SourceTexts, palette: &Palette) -> Vec<String> {
        let Palette { faint, good, .. } = palette;
        let told = RequirementLine::all(self.told());
        let texts: Vec<String> = told.iter().map(RequirementLine::condition).collect();
        let width = texts.iter().map(|text| text.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
        let line = |(text, told): (&String, &RequirementLine<'_>)| {
            let padding = " ".repeat(width.saturating_sub(text.chars().count()));
            format!("{faint}={faint:#} {good}{text}{good:#}{padding}  {}", told.source())
        };
        let undecided =
            self.told_undecided().iter().map(|one| format!("{faint}={faint:#} {}", source_of_undecided(one)));
        texts.iter().zip(&told).map(line).chain(undecided).collect()
    }

    fn sentences(&self) -> Vec<(Span, String)> {
        let name = &self.procedure.name;
        let told = RequirementLine::all(self.told());
        let sentences = told.iter().map(|one| format!("{name} requires {}  {}", one.condition(), one.source()));
        let undecided = self.told_undecided().iter();
        let undecided = undecided.map(|one| format!("{name} requires what is {}", source_of_undecided(one)));
        sentences.chain(undecided).map(|sentence| (self.procedure.span, sentence)).collect()
    }

    fn json<'e>(&'e self, texts: &'e SourceTexts) -> impl Serialize + 'e {
        ProcedureRecord {
            path: path_text(&texts.root().path),
            procedure: &self.procedure.name,
            unit: &self.procedure.path,
            span: SpanRecord::new(texts, self.procedure.span),
            is_outermost: self.procedure.is_outermost,
            requirements: self.procedure.requirements.iter().map(RequirementRecord::new).collect(),
            undecided: self.procedure.undecided.iter().map(UndecidedRecord::new).collect(),
        }
    }
}

/// Texts longer than this don't decide where the places stand.
const WIDEST: usize = 60;

/// A procedure, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcedureRecord<'p> {
    /// The file.
    path: String,
    /// Its name, lower case.
    procedure: &'p str,
    /// The unit with those around it: `module::procedure`.
    unit: &'p str,
    /// The statement that opens it.
    span: SpanRecord,
    /// Whether no other procedure of the file calls it.
    is_outermost: bool,
    /// What it needs where it is entered, in the order of the failing statements. What follows from earlier ones may be
    /// left out.
    requirements: Vec<RequirementRecord<'p>>,
    /// Where it may fail under conditions that were given up.
    undecided: Vec<UndecidedRecord<'p>>,
}

/// A requirement, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct RequirementRecord<'p> {
    /// The condition as Fortran.
    text: String,
    /// The condition as a tree.
    condition: ConditionRecord,
    /// The failing place.
    at: PlaceRecord,
    /// The text that it reports.
    message: Option<&'p str>,
    /// The calls that lead there, the outermost first.
    via: Vec<PlaceRecord>,
    /// Whether the program stops there exactly if this (and nothing before it) is false.
    exact: bool,
    /// What makes it approximate.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<CauseRecord>,
}

impl<'p> RequirementRecord<'p> {
    fn new(requirement: &'p Requirement) -> Self {
        let shown = requirement.shown();
        let unknown = requirement.condition.unknown();
        RequirementRecord {
            text: text(&shown),
            condition: ConditionRecord::new(&shown),
            at: PlaceRecord::new(&requirement.at),
            message: requirement.message.as_deref(),
            via: requirement.via.iter().map(PlaceRecord::new).collect(),
            exact: unknown.is_none(),
            because: unknown.map(|unknown| CauseRecord {
                at: PlaceRecord::new(&unknown.place),
                value: Some(unknown.shown.to_string()).filter(|value| !value.is_empty()),
            }),
        }
    }
}

/// A failing place whose condition was given up, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UndecidedRecord<'p> {
    /// The failing place.
    at: PlaceRecord,
    /// The text that it reports.
    message: Option<&'p str>,
    /// The calls that lead there, the outermost first.
    via: Vec<PlaceRecord>,
    /// Why: `too large`, `control jumps into a loop`, `nothing is known of the condition`, or
    /// `the procedure calls itself`.
    reason: &'static str,
}

impl<'p> UndecidedRecord<'p> {
    fn new(one: &'p Undecided) -> Self {
        UndecidedRecord {
            at: PlaceRecord::new(&one.at),
            message: one.message.as_deref(),
            via: one.via.iter().map(PlaceRecord::new).collect(),
            reason: one.reason.text(),
        }
    }
}

/// What makes a requirement approximate.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CauseRecord {
    /// The statement.
    at: PlaceRecord,
    /// What it may change; `null`: it decides the way.
    value: Option<String>,
}

/// A place in any file.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlaceRecord {
    /// The file.
    path: String,
    /// The line, from 1.
    line: u32,
    /// The column, from 1.
    column: u32,
}

impl PlaceRecord {
    fn new(of: &Place) -> Self {
        PlaceRecord { path: path_text(&of.file), line: of.line, column: of.column }
    }
}
