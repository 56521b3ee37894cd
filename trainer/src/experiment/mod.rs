//! Experiments: many cross-validated runs that differ in what is studied, kept in a folder that survives a kill.
//!
//! A [`Plan`] says which runs there are, [`Material`] holds their rows, [`run_fold`] trains and judges one fold of one
//! run, a [`Store`] keeps each finished fold, and tables and pictures are made from what a store holds. Knows nothing of
//! the command line and prints nothing.

mod choices;
mod design;
mod fold;
mod material;
mod pictures;
mod plan;
mod raw;
mod selection;
mod settings;
mod store;
mod tables;

pub use design::{Axis, AxisValue, Design};
pub use fold::{FoldError, FoldResult, FoldRun, run_fold};
pub use material::Material;
pub use pictures::pictures;
pub use plan::{Plan, PlanError, PlannedRun, Task};
pub use selection::EpochSelection;
pub use settings::{PatienceWithoutInner, RunSettings};
pub use store::{Store, StoreError};
pub use tables::{Summary, curves_csv, results_csv, summaries, summary_csv, summary_markdown};
