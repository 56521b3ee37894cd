//! Positions labelled by a teacher: any program that speaks UCI, several processes at a time, on and on after a kill.
//!
//! Positions are cut into chunks of whole games. A teacher begins each chunk as a new game, so a chunk's labels depend on
//! nothing outside of it, and a run that was stopped and resumed gives the file that an uninterrupted one gives (as far
//! as the teacher itself repeats its answers). Knows rows and players; knows nothing of networks and of the command line.

mod assignment;
mod error;
mod pool;
mod record;
mod teacher_process;
mod work_file;

pub use assignment::Assignment;
pub use error::LabelError;
pub use pool::{End, LabelObserver, LabelSettings, Trouble, label};
pub use teacher_process::AnswerProblem;
pub use work_file::{Counts, WorkFile};
