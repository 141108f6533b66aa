//! Data files: what a READ finds in them, with its place, as the runtime of gfortran reads it.
//!
//! Entry points: [`Cursor`], a file that is read from front to back; [`ListReader`] and [`FormattedReader`], which
//! read items from it, and [`read_group`], which reads a namelist group. Result: [`Scanned`]. Nothing is known of
//! programs here.

mod cursor;
mod format;
mod formatted;
mod list;
mod list_values;
mod namelist;
mod namelist_names;
mod number;
mod scanned;

pub use cursor::{Cursor, Place};
pub use format::{DataEdit, Edit, Format, FormatItem};
pub use formatted::{FormatSteps, FormattedReader};
pub use list::{ListReader, is_separator};
pub use namelist::{Element, Fails, GroupEnd, GroupRead, NamelistEvent, read_group};
pub use namelist_names::NamelistVariable;
pub use scanned::{Fault, FaultKind, Field, Loss, Scanned, quoted};
