//! The search: from a position and limits to a move.
//!
//! Each room uses only those above it:
//!
//! | room | holds |
//! |---|---|
//! | `score`, `tunables` | the values that everything below computes with |
//! | `table` | the transposition table |
//! | `ordering` | the move picker, histories, correction history |
//! | `request` | the input of a search, its limits and clock, its root moves, the handle that stops it, its reports |
//! | `thread` | the state of a thread (`worker`), and what it keeps between searches |
//! | `node` | the main search (`alpha_beta`, the list of steps) with its techniques, and `quiescence` |
//! | `root` | iterative deepening, aspiration windows, and the threads of one search (lazy SMP) |
//! | `players` | players that choose their moves without alpha-beta |
//!
//! The search is independent of protocols and prints nothing; it reports to a [`Reporter`].

mod node;
mod ordering;
mod players;
mod request;
mod root;
mod score;
mod table;
#[cfg(test)]
mod tests;
mod thread;
mod tunables;

pub use players::{BeamShape, beam, random_move};
pub use request::{
    Control, Info, Limits, ProbeRules, Reporter, SearchInput, SearchMode, SearchResult, Silent, StrengthLimit,
    TimeLimit, Weaknesses,
};
pub use root::search;
pub use score::{MAX_PLY, Score, ScoreKind};
pub use table::{Allocation, KnownScore, Table};
pub use thread::ThreadData;
pub use tunables::TUNABLES;
#[cfg(feature = "tune")]
pub use tunables::set_tunable;
