//! Evaluates many rows with a network on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use alfiere_chess::types::Color;
use alfiere_nnue::Network;

use super::quiescence::{QuiescenceEval, StaticEval};
use super::rows::FitRow;

/// Rows a thread takes at a time.
const CHUNK: usize = 4096;

/// How a position is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationMode {
    /// By the static evaluation.
    Static,
    /// After quiescence search.
    Quiescence,
}

/// The network's value of every row in centipawns, White's view, in the order of the rows.
///
/// `progress` is called on the calling thread with the number of rows finished since the last call. If it returns `false`,
/// the work stops and the result is shorter than `rows`.
pub fn evaluate_rows(
    network: &Network,
    rows: &[FitRow],
    mode: EvaluationMode,
    threads: usize,
    mut progress: impl FnMut(usize) -> bool,
) -> Vec<f64> {
    let chunks: Vec<&[FitRow]> = rows.chunks(CHUNK).collect();
    let mut evaluated: Vec<Option<Vec<f64>>> = vec![None; chunks.len()];
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = std::sync::mpsc::channel();
        for _ in 0..threads.max(1) {
            let (sender, next, chunks) = (sender.clone(), &next, &chunks);
            scope.spawn(move || {
                let (mut fixed, mut resolver) = (StaticEval::new(network), QuiescenceEval::new(network));
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(chunk) = chunks.get(index) else { return };
                    let evaluate = |row: &FitRow| {
                        let value = match mode {
                            EvaluationMode::Static => fixed.evaluate(&row.board),
                            EvaluationMode::Quiescence => resolver.evaluate(&row.board),
                        };
                        f64::from(if row.board.side_to_move() == Color::White { value } else { -value })
                    };
                    // The receiver is gone when the user stopped.
                    if sender.send((index, chunk.iter().map(evaluate).collect())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, values) in results {
            evaluated[index] = Some(values);
            if !progress(chunks[index].len()) {
                break;
            }
        }
    });
    evaluated.into_iter().map_while(|values| values).flatten().collect()
}
