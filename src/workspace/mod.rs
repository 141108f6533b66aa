//! The files of a run: found, read, parsed against the modules of all, and handed to the analyses.
//!
//! A [`Project`] is some files with their modules indexed; it keeps no tree, so memory is bounded by the files that are
//! under way and not by their number. A [`FileView`] is one file of it: its tree and names, made when they are asked
//! for, once. [`Driver`] works on the files in parallel and hands on what came of each in their order. Nothing here
//! knows an analysis: what one file tells another beyond its modules is kept in [`Summaries`], whatever it is.
//!
//! - *overlay*: a text that stands for the bytes of a file, such as what an editor has not saved yet, or standard
//!   input;
//! - *program*: files with the names by which they are compared with those of another version of it, which lies in
//!   another directory or in a revision of its repository ([`program`]).

pub mod changes;
pub mod discovery;
mod driver;
mod expansion;
mod external;
pub mod files;
mod forms;
mod front_end;
mod in_order;
mod linked;
mod module_search;
mod openings;
mod options;
mod order;
pub mod program;
mod project;
mod reading;
pub mod revision;
mod roots;
mod summaries;
mod view;

pub use driver::{Driver, FileFailure};
pub use expansion::ExpansionCommand;
pub use external::ExternalSubroutines;
pub use files::Files;
pub use forms::{FileForms, FixedLineLength, SpecialFiles};
pub use linked::{LinkedProcedures, PublicProcedures};
pub use module_search::ModuleSearch;
pub use options::SourceOptions;
pub use order::Asks;
pub use project::Project;
pub use reading::parse;
pub use roots::SourceRoots;
pub use summaries::{PerFile, Summaries, SummaryLookup};
pub use view::FileView;
