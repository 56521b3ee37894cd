//! Random walks from the positions of a book, until one is accepted.

use std::fmt;
use std::str::FromStr;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::end_by_rules;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use thiserror::Error;

use crate::search::Score;

/// Maximum number of random walks from one opening.
const TRIES: u32 = 200;

/// How many random moves are played, written `8` or `6-9`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyRange {
    /// At least this many plies.
    pub min: u32,
    pub max: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("random plies \"{0}\": expected a number such as 8 or a range such as 6-9, at most 100")]
pub struct PliesError(String);

impl FromStr for PlyRange {
    type Err = PliesError;

    fn from_str(text: &str) -> Result<Self, PliesError> {
        let (min, max) = text.split_once('-').unwrap_or((text, text));
        match (min.trim().parse(), max.trim().parse()) {
            (Ok(min), Ok(max)) if min <= max && max <= 100 => Ok(Self { min, max }),
            _ => Err(PliesError(text.to_owned())),
        }
    }
}

impl fmt::Display for PlyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max { write!(f, "{}", self.max) } else { write!(f, "{}-{}", self.min, self.max) }
    }
}

/// Where games may start.
#[derive(Clone, Debug)]
pub struct StartPositions {
    book: Vec<Opening>,
    plies: PlyRange,
}

impl StartPositions {
    /// Random moves from these openings, or from the beginning of a game if there are none.
    pub fn new(mut book: Vec<Opening>, plies: PlyRange) -> Self {
        if book.is_empty() {
            book.push(Opening::startpos());
        }
        Self { book, plies }
    }

    /// The first random walk that `judge` accepts, with its result; `None` if none of many is accepted.
    ///
    /// `place` selects the opening, modulo the size of the book.
    ///
    /// # Errors
    /// What the judge fails with.
    pub fn find<T, E>(
        &self,
        place: u64,
        random: &mut Random,
        mut judge: impl FnMut(&Board) -> Result<Option<T>, E>,
    ) -> Result<Option<(Board, T)>, E> {
        // Without random moves every walk is the same.
        let tries = if self.plies.max == 0 { 1 } else { TRIES };
        for _ in 0..tries {
            let Some(board) = self.walk(place, random) else { continue };
            if let Some(found) = judge(&board)? {
                return Ok(Some((board, found)));
            }
        }
        Ok(None)
    }

    /// Plays random moves; `None` if the game is over by then.
    fn walk(&self, place: u64, random: &mut Random) -> Option<Board> {
        let opening = &self.book[(place % self.book.len() as u64) as usize];
        let (mut board, mut keys) = (opening.start.clone(), KeyHistory::new());
        for &mv in &opening.moves {
            keys.push(&board);
            board.play(mv);
        }
        let plies = self.plies.min + random.below(u64::from(self.plies.max - self.plies.min) + 1) as u32;
        for _ in 0..plies {
            let moves = legal_moves(&board);
            let &mv = moves.get(random.below(moves.len() as u64) as usize)?;
            keys.push(&board);
            board.play(mv);
        }
        end_by_rules(&board, &keys).is_none().then_some(board)
    }
}

/// Whether neither side is clearly better: no mate, and at most this many centipawns in internal units.
pub fn is_balanced(score: Score, centipawns: i32) -> bool {
    !score.is_decisive() && score.value().abs() <= centipawns
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[allow(clippy::unnecessary_wraps, reason = "judges may fail")]
    fn accept(_: &Board) -> Result<Option<()>, Infallible> {
        Ok(Some(()))
    }

    #[test]
    fn walks_follow_from_the_seed_and_have_the_wanted_length() {
        let starts = StartPositions::new(Vec::new(), "6-9".parse().expect("a range"));
        let find = |part| {
            let mut random = Random::for_part(5, part);
            let Ok(found) = starts.find(0, &mut random, accept);
            found.expect("accepted").0
        };
        let mut lengths = [0; 12];
        for part in 0..200 {
            let board = find(part);
            assert_eq!(board, find(part));
            lengths[usize::from(board.fullmove_number() - 1) * 2 + board.side_to_move().index()] += 1;
        }
        assert!(lengths[6..=9].iter().all(|&count| count > 20), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<u32>(), lengths[6..=9].iter().sum::<u32>());
    }

    #[test]
    fn finished_games_and_refused_positions_are_no_starts() {
        let book = |fen: &str| vec![Opening { start: Board::from_fen(fen).expect("legal"), moves: Vec::new() }];
        let mated = StartPositions::new(book("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), PlyRange { min: 0, max: 0 });
        assert_eq!(mated.find(0, &mut Random::new(1), accept), Ok(None));
        let mut asked = 0;
        let refuse = |_: &Board| -> Result<Option<()>, Infallible> {
            asked += 1;
            Ok(None)
        };
        let starts = StartPositions::new(Vec::new(), PlyRange { min: 2, max: 2 });
        assert_eq!(starts.find(0, &mut Random::new(1), refuse), Ok(None));
        assert_eq!(asked, TRIES);
    }

    #[test]
    fn ranges_are_read_strictly() {
        assert_eq!("8".parse(), Ok(PlyRange { min: 8, max: 8 }));
        assert_eq!("6-9".parse::<PlyRange>().map(|plies| plies.to_string()), Ok("6-9".to_owned()));
        for text in ["", "9-6", "6-", "-3", "x", "6-101"] {
            assert!(text.parse::<PlyRange>().is_err(), "{text}");
        }
    }
}
