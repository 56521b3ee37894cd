//! Chooses a legal move at random.
//!
//! Ignores the clock, endgame tables and contempt.

use alfiere_chess::random::Random;

use super::job::Job;
use super::reporter::{Outcome, Reporter};
use super::score::Score;
use super::threads::{answer, nothing_to_search, report_unsearched};

/// A uniformly random root move; the same `chance` gives the same move.
pub fn random_move(chance: u64, job: &Job<'_>, reporter: &mut dyn Reporter) -> Outcome {
    let (time, moves) = (job.time(), job.moves());
    let outcome = if moves.is_empty() {
        nothing_to_search(job.board, time, reporter)
    } else {
        let chosen = moves[Random::new(chance).below(moves.len() as u64) as usize];
        report_unsearched(Some(chosen), Score::DRAW, time, reporter)
    };
    answer(job, &outcome, reporter);
    outcome
}
