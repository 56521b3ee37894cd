//! Rows that teach a network the hand-written evaluation, so that a small file does not have to teach it what a queen is.
//!
//! Half of the positions are near those of the file, half near those that searches by that evaluation meet: a small file
//! has too few. Some are one or two random moves away; each has its captures resolved. They are made when they are read, by
//! seed, and never stored: an epoch has other positions than the one before.

mod lesson;

use std::ops::Range;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::random::mix;
use alfiere_chess::types::Color;
use alfiere_data::{DataError, Label, Row, resolved};
use alfiere_search::eval::{Classical, Evaluator};
use alfiere_training::{RowSource, Rows, Window};
use rayon::prelude::*;

pub use lesson::first_lesson;

/// Rows made with one generator of random numbers.
const PART: u64 = 4_096;
/// Rows in memory at a time.
const WINDOW: u64 = 1 << 20;
/// Maximum number of random moves from a position of the file.
const RANDOM_MOVES: usize = 2;
/// Attempts to make a row, relative to the number of rows: files of positions without moves end.
const ATTEMPTS: u64 = 100;

/// Positions near those of a file, labelled by the hand-written evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Imitation<'a> {
    /// Positions of the file.
    pub roots: Rows<'a, Row>,
    /// Positions of searches.
    pub searched: &'a [Row],
    /// Rows in an epoch.
    pub rows: u64,
}

impl Imitation<'_> {
    /// Rows made with this seed; fewer than asked for if hardly any position of the file has a quiet one near.
    pub fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        let starts: Vec<u64> = range.clone().step_by(PART as usize).collect();
        let parts = starts.into_par_iter().map_init(Classical::new, |classical, start| {
            let count = PART.min(range.end - start) as usize;
            self.part(classical, &mut Random::new(mix(seed ^ mix(start))), count)
        });
        parts.flatten_iter().collect()
    }

    /// A position of either kind, at random.
    fn root(&self, numbers: &mut Random) -> Option<&Row> {
        let Rows { samples, picks } = self.roots;
        let mut below = |count: usize| (count > 0).then(|| numbers.below(count as u64) as usize);
        if below(2) == Some(0) {
            return below(self.searched.len()).map(|index| &self.searched[index]);
        }
        below(picks.len()).map(|index| &samples[picks[index] as usize])
    }

    fn part(&self, classical: &mut Classical, numbers: &mut Random, count: usize) -> Vec<Row> {
        let mut rows = Vec::with_capacity(count + RANDOM_MOVES);
        for _ in 0..count as u64 * ATTEMPTS {
            if rows.len() >= count {
                break;
            }
            let Some(root) = self.root(numbers) else { break };
            let Ok(mut board) = root.to_board() else { continue };
            rows.extend(labelled(classical, &board));
            for _ in 0..RANDOM_MOVES {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                board.play(moves[numbers.below(moves.len() as u64) as usize]);
                rows.extend(labelled(classical, &board));
            }
        }
        rows.truncate(count);
        rows
    }
}

/// The position with its captures resolved and its value; none in check, where the search does not ask for one.
fn labelled(classical: &mut Classical, board: &Board) -> Option<Row> {
    let end = resolved(board);
    let board = end.as_ref().unwrap_or(board);
    if board.in_check() {
        return None;
    }
    let value = i64::from(classical.evaluate(board));
    let value = if board.side_to_move() == Color::White { value } else { -value };
    Some(Row::of_board(board).with_label(Label::centipawns(value)))
}

impl RowSource<Row> for Imitation<'_> {
    fn rows(&self) -> u64 {
        self.rows
    }

    fn window_rows(&self) -> u64 {
        WINDOW
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, Row>, DataError> {
        Ok(Window::read(self.make(order_seed, range)))
    }
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;

    #[test]
    fn rows_have_the_hand_written_value_of_quiet_positions() {
        let roots = sample::real(500);
        let picks: Vec<u32> = (0..roots.len() as u32).collect();
        let (file, searched) = roots.split_at(250);
        let imitation = Imitation { roots: Rows { samples: file, picks: &picks[..250] }, searched, rows: 1_000 };
        let rows = imitation.make(7, 0..1_000);
        assert_eq!(rows, imitation.make(7, 0..1_000));
        assert_ne!(rows, imitation.make(8, 0..1_000));
        assert_eq!(rows.len(), 1_000);
        let mut classical = Classical::new();
        for row in &rows {
            let board = row.to_board().expect("legal");
            let value = classical.evaluate(&board);
            let value = if board.side_to_move() == Color::White { value } else { -value };
            assert_eq!(row.label(), Label::centipawns(i64::from(value)), "{}", row.to_fen());
            assert!(!board.in_check());
        }
    }
}
