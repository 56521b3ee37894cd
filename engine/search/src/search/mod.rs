//! The search: from a position and limits to a move.
//!
//! Iterative deepening (`iterative`) runs the main search (`alpha_beta`, the list of steps) in an aspiration window
//! (`aspiration`); leaves go to `quiescence`. Lazy SMP (`threads`): each thread is a `worker`, and they share the
//! transposition table (`table`) and a [`Control`]. The search is independent of protocols and prints nothing; it
//! reports to a [`Reporter`]. The players `beam` and `random_move` choose their moves without it.

mod alpha_beta;
mod aspiration;
mod beam;
mod candidate;
mod checks;
mod control;
mod correction;
mod counters;
mod depth;
mod draws;
mod entry;
mod escapes;
mod evaluation;
mod extensions;
mod frame;
mod history;
mod history_updates;
mod iterative;
mod late_move_reduction;
mod limited_strength;
mod limits;
mod margins;
mod move_pruning;
mod node;
mod node_facts;
mod node_pruning;
mod picker;
mod piece_values;
mod prefetch;
mod quiescence;
mod random_move;
mod reduction_table;
mod reporter;
mod root;
mod score;
mod search_input;
mod strength_limit;
mod table;
mod tablebase_probe;
mod tablebases;
#[cfg(test)]
mod tests;
mod thread_data;
mod threads;
mod time;
mod tunables;
mod variation;
mod window;
mod worker;

pub use beam::{BeamShape, beam};
pub use control::Control;
pub use counters::SearchCounts;
pub use limits::{Clocks, Limits, SearchMode, TimeLimit};
pub use random_move::random_move;
pub use reporter::{Info, Reporter, ScoreKind, SearchResult, Silent};
pub use score::{MAX_PLY, Score};
pub use search_input::SearchInput;
pub use strength_limit::{StrengthLimit, Weaknesses};
pub use table::{Allocation, KnownScore, Table};
pub use tablebases::ProbeRules;
pub use thread_data::ThreadData;
pub use threads::search;
pub use tunables::Tunables;
