//! Obligations: what must hold whenever a statement is executed, else the program fails there.
//!
//! An analysis says what statements demand ([`Source`]); here it is found out what becomes of that. A unit is walked
//! through once (`walk`), with what its variables are in terms of what they were on entry (`state`, `point`, `step`),
//! and under what each block is reached (`edges`, `join`). What a statement demands is asked of the iteration that
//! reaches it and of the first and last ones of the loops around it (`instance`), and judged (`judge`): it holds
//! whatever the values, it fails whenever the statement is reached, or it is taken for granted. What a procedure takes
//! for granted is plain data ([`Procedure`]), which becomes a demand where the procedure is called (`call`); what it
//! tests before it comes back is known behind the call (`returns`). Which procedure a generic name means, the arguments
//! tell (`generic`).
//!
//! Glossary. *Place*: an integer (or truth value) of which a unit knows nothing but what is said of it. *Region*: a
//! loop, or the unit. *Opaque*: not followed. *Exact*: not depending on what is opaque.

mod call;
mod counts;
mod declared;
mod demand;
mod dump;
mod edges;
mod element;
mod equality;
mod facts;
mod gap;
mod generic;
mod inquiry;
mod instance;
mod join;
mod judge;
mod known;
mod place;
mod point;
mod region;
mod reshape;
mod returns;
mod state;
mod step;
mod summarise;
mod summary;
mod typed;
mod unit;
mod walk;

pub use call::{Binding, callee_demands, explicit_arguments, note_equalities, result_shape};
pub use counts::Counts;
pub use declared::DeclaredArrays;
pub use declared::module_name;
pub use demand::{Amount, Demand, Demands, NamedArray, Oddity, Source, Subject, Subscript};
pub use dump::dump;
pub use gap::{Gap, truths};
pub use generic::may_mean;
pub use instance::Instance;
pub use judge::{Equality, Judged, Verdict, is_of_callee};
pub use place::{Aspect, Entry, Origin, PlaceInfo, Places, Root};
pub use point::Point;
pub use region::{Counter, Iteration, Region, RegionId, Regions, regions};
pub use reshape::allocated_bounds;
pub use state::{Dimension, Dimensions, State};
pub use step::argument_reference;
pub use summarise::summarise;
pub use summary::{Assumption, Callees, DummyArgument, Procedure, SharedChanges, SummaryParts, one_may_stop};
pub use unit::{Unit, UnitParts, explicit_dimension, extent_between, from_extent};
pub use walk::{Visitor, concurrent, step_of};
