//! A legal move by chance: what every other player must beat.
//!
//! It looks at nothing: no clock, no endgame tables, no contempt.

use alfiere_chess::random::Random;

use super::job::Job;
use super::reporter::{Outcome, Reporter};
use super::score::Score;
use super::threads::{answer, nothing_to_search, unsearched};

/// Any of the moves that may be played, each as likely as the others; the same for the same `chance`.
pub fn random_move(chance: u64, job: &Job<'_>, reporter: &mut dyn Reporter) -> Outcome {
    let (time, moves) = (job.time(), job.moves());
    let outcome = if moves.is_empty() {
        nothing_to_search(job.board, time, reporter)
    } else {
        let chosen = moves[Random::new(chance).below(moves.len() as u64) as usize];
        unsearched(Some(chosen), Score::DRAW, time, reporter)
    };
    answer(job, &outcome, reporter);
    outcome
}
