//! What the programs share on a terminal: lines of output, [`Progress`], Ctrl-C ([`interrupt`]), why a command failed
//! ([`Failure`]), checks of output files before the work ([`Replace`]), and the manual.
//!
//! Of the libraries, only this one and UCI print.

mod failure;
pub mod interrupt;
mod manual;
mod output;
mod output_files;
mod progress;

pub use failure::{CommandResult, Failure};
pub use manual::write_manual;
pub use output::{all_said, remark, report, say};
pub use output_files::{Replace, check_outputs};
pub use progress::Progress;
