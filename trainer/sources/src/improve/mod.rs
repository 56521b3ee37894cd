//! Improvement without a teacher: a network learns from the nodes of its own searches, round after round.
//!
//! A round makes rows from games of the last accepted network against itself (`self_play`, `tree`), trains on them and on
//! those of earlier rounds (`learn`), and keeps the result if it wins a match (`contest`). Everything is in a folder
//! (`folder`), so that a stopped run continues (`run`).

mod contest;
mod folder;
mod learn;
mod run;
mod self_play;
mod settings;

pub use contest::ContestScore;
pub use folder::{Folder, MatchLine, Round};
pub use run::{ImproveObserver, Improvement};
pub(crate) use self_play::self_play_rows;
pub use settings::{GateSettings, ImproveError, ImproveSettings, LearnSettings, RowSettings};

/// Hash size of a player in MiB; the searches are small.
const TABLE_MIB: usize = 8;
