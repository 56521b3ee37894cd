//! Labels positions with any UCI engine, in several processes, resumable after an interruption.
//!
//! Positions are divided into chunks of whole games. The engine starts each chunk as a new game, so the labels of a
//! chunk depend on nothing else, and a resumed run writes the same file as an uninterrupted one (if the engine is
//! deterministic). Independent of networks and of the command line.

mod assignment;
mod label_file;
mod run;

pub use assignment::{Assignment, LabelError};
pub use label_file::{Counts, LabelFile};
pub use run::{AnswerProblem, End, LabelObserver, LabelSettings, ProcessFailure, label};
