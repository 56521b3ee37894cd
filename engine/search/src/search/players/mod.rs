//! Players that choose their moves without the alpha-beta search: by a beam search, or at random.

mod beam;

use alfiere_chess::random::Random;

use crate::search::request::{Reporter, SearchInput, SearchResult};
use crate::search::root::{answer, nothing_to_search, report_unsearched};
use crate::search::score::Score;

pub use beam::{BeamShape, beam};

/// A uniformly random root move; the same `random` gives the same move. Ignores the clock, endgame tables and contempt.
pub fn random_move(random: u64, input: &SearchInput<'_>, reporter: &mut dyn Reporter) -> SearchResult {
    let (time, moves) = (input.time(), input.moves());
    let outcome = if moves.is_empty() {
        nothing_to_search(input.board, time, reporter)
    } else {
        let chosen = moves[Random::new(random).below(moves.len() as u64) as usize];
        report_unsearched(Some(chosen), Score::DRAW, time, reporter)
    };
    answer(input, &outcome, reporter);
    outcome
}
