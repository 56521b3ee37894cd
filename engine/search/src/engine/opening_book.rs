//! The engine's own opening book: whether it is used, how far, and which of its moves is played.

use std::path::Path;

use alfiere_chess::board::Board;
use alfiere_chess::book::{Book, BookError, Pick};
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;

use crate::platform::entropy;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookAnswer {
    pub mv: Move,
    /// The answer that the book would give to it.
    pub ponder: Option<Move>,
    /// The share of the position's weight that the move has, in thousandths.
    pub permille: u32,
}

/// An opening book with its options; off by default.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    pub is_on: bool,
    /// Always the move with the most weight, not one drawn by weight.
    pub plays_best: bool,
    /// The last full move that is played from the book.
    pub last_move: u16,
    /// `None` for the one inside the program.
    loaded: Option<Book>,
    seed: u64,
    draws: u64,
}

impl OpeningBook {
    /// Default of `last_move`: effectively no limit.
    pub const DEFAULT_LAST_MOVE: u16 = 255;

    /// The embedded book, switched off, with random numbers that a seed decides.
    fn with_seed(seed: u64) -> Self {
        Self { is_on: false, plays_best: false, last_move: Self::DEFAULT_LAST_MOVE, loaded: None, seed, draws: 0 }
    }

    /// Loads another book.
    ///
    /// # Errors
    /// If it cannot be loaded; the previous book is kept.
    pub fn load(&mut self, path: &Path) -> Result<(), BookError> {
        self.loaded = Some(Book::load(path)?);
        Ok(())
    }

    pub fn use_embedded(&mut self) {
        self.loaded = None;
    }

    pub fn entry_count(&self) -> usize {
        self.book().entry_count()
    }

    /// A move for a position; `None` if the book is off, has none, or the game is beyond it.
    pub fn choose(&mut self, board: &Board) -> Option<BookAnswer> {
        if !self.is_on || board.fullmove_number() > self.last_move {
            return None;
        }
        let pick = if self.plays_best { Pick::Best } else { Pick::Weighted(self.draw()) };
        let book = self.book();
        let found = book.choose(board, pick)?;
        let total: u64 = book.moves(board).iter().map(|other| u64::from(other.weight)).sum();
        let mut after = board.clone();
        after.play(found.mv);
        let ponder = book.choose(&after, Pick::Best).map(|answer| answer.mv);
        let permille = (1000 * u64::from(found.weight) / total.max(1)) as u32;
        Some(BookAnswer { mv: found.mv, ponder, permille })
    }

    fn book(&self) -> &Book {
        self.loaded.as_ref().unwrap_or_else(|| Book::embedded())
    }

    fn draw(&mut self) -> u64 {
        self.draws = self.draws.wrapping_add(1);
        Random::for_part(self.seed, self.draws).next_number()
    }
}

/// Another seed for each: the system's randomness decides, so that games differ.
impl Default for OpeningBook {
    fn default() -> Self {
        Self::with_seed(entropy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::movegen::{is_legal, legal_moves};
    use std::collections::BTreeMap;

    fn first_moves(book: &mut OpeningBook, count: usize) -> Vec<Move> {
        (0..count).map(|_| book.choose(&Board::startpos()).expect("the start is in the book").mv).collect()
    }

    #[test]
    fn the_seed_decides_and_weights_are_met() {
        let on = |seed| OpeningBook { is_on: true, ..OpeningBook::with_seed(seed) };
        let moves = first_moves(&mut on(7), 2000);
        assert_eq!(moves, first_moves(&mut on(7), 2000));
        assert_ne!(moves, first_moves(&mut on(8), 2000));
        let mut counts = BTreeMap::new();
        for mv in moves {
            *counts.entry(mv.to_bits()).or_insert(0_u32) += 1;
        }
        let known = Book::embedded().moves(&Board::startpos());
        let total: f64 = known.iter().map(|found| f64::from(found.weight)).sum();
        for found in known {
            let wanted = 2000.0 * f64::from(found.weight) / total;
            let seen = f64::from(counts.get(&found.mv.to_bits()).copied().unwrap_or(0));
            assert!((seen - wanted).abs() < 5.0 * wanted.sqrt().max(1.0), "{seen} {wanted}");
        }
        let mut best = OpeningBook { plays_best: true, ..on(7) };
        assert!(first_moves(&mut best, 20).iter().all(|mv| *mv == Book::embedded().moves(&Board::startpos())[0].mv));
    }

    #[test]
    fn answers_are_legal_until_the_last_move() {
        let mut book = OpeningBook { is_on: true, last_move: 5, ..OpeningBook::with_seed(1) };
        for _ in 0..200 {
            let mut board = Board::startpos();
            while let Some(answer) = book.choose(&board) {
                assert!(is_legal(&board, answer.mv) && board.fullmove_number() <= 5);
                assert!((1..=1000).contains(&answer.permille));
                board.play(answer.mv);
                assert!(answer.ponder.is_none_or(|ponder| legal_moves(&board).contains(&ponder)));
            }
        }
        book.is_on = false;
        assert_eq!(book.choose(&Board::startpos()), None);
    }
}
