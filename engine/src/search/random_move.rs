//! A legal move by chance: what every other player must beat.

use super::{
    reporter::{Info, Outcome, Reporter, ScoreKind},
    score::Score,
    threads::{Job, answer, nothing_to_search},
};
use crate::random::Random;

/// Any of the moves that may be played, each as likely as the others; the same for the same `chance`.
pub fn random_move(chance: u64, job: &Job<'_>, reporter: &mut dyn Reporter) -> Outcome {
    let (time, moves) = (job.time(), job.moves());
    let outcome = if moves.is_empty() {
        nothing_to_search(job.board, time, reporter)
    } else {
        let chosen = moves[Random::new(chance).below(moves.len() as u64) as usize];
        let elapsed = time.elapsed();
        reporter.info(&Info {
            depth: 1,
            selective_depth: 1,
            line: 1,
            score: Score::DRAW,
            kind: ScoreKind::Exact,
            nodes: 0,
            tablebase_hits: 0,
            time: elapsed,
            table_permille: 0,
            variation: &[chosen],
        });
        Outcome {
            best: Some(chosen),
            ponder: None,
            score: Score::DRAW,
            depth: 1,
            nodes: 0,
            time: elapsed,
            variation: vec![chosen],
        }
    };
    answer(job, &outcome, reporter);
    outcome
}
