//! Experiments: many cross-validated runs that vary selected settings, stored in a folder and resumable.
//!
//! A [`Plan`] lists the runs, [`ExperimentData`] holds their rows, [`run_fold`] trains and validates one fold of one run, and
//! a [`Store`] keeps finished folds, from which tables and figures are generated. Independent of the command line;
//! prints nothing.

mod data;
mod documents;
mod effects;
mod fold;
mod keys;
mod paired;
mod pictures;
mod plan;
mod printed_table;
mod raw;
mod results;
mod settings;
mod store;
mod tables;
#[cfg(test)]
mod test_store;

pub use data::ExperimentData;
pub use documents::Document;
pub use effects::{Effect, effects, effects_csv};
pub use fold::{FoldError, FoldResult, check_folds, run_fold};
pub use keys::sweep_keys;
pub use paired::{PairedDifference, PairedTest};
pub use pictures::pictures;
pub use plan::{Plan, PlanError, PlannedRun, Task, common_options};
pub use printed_table::Table;
pub use raw::{Axis, AxisValue, Design};
pub use results::Results;
pub use settings::{EpochSelection, PatienceWithoutInner, RunSettings, UnknownGames};
pub use store::{Store, StoreError};
pub use tables::{Summary, curves_csv, results_csv, summaries, summary_csv};
