//! Builds an opening book from the games of PGN files.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::file::{EncodedMove, Entry};
use crate::board::Board;
use crate::files::SourceError;
use crate::game::GameResult;
use crate::pgn::{GameCount, read_file};
use crate::types::{Color, Move};

/// Thresholds for including a move in a book.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MinCounts {
    /// Minimum number of games with the move in the position.
    pub min_games: u32,
    /// Minimum share of the position's games that have the move, 0 to 1.
    pub min_share: f64,
}

/// Statistics of a finished book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BookStats {
    /// Positions with at least one move in the book.
    pub positions: usize,
    pub moves: usize,
    /// Moves that were seen in games but left out.
    pub left_out: usize,
}

#[derive(Clone, Copy, Default, Debug)]
struct MoveResults {
    games: u32,
    /// 2 per win for the side that played the move, 1 per draw.
    points: u64,
}

#[derive(Clone, Debug)]
pub struct BookBuilder {
    plies: usize,
    results: HashMap<(u64, EncodedMove), MoveResults>,
}

impl BookBuilder {
    /// An empty builder that uses the first `plies` moves of each game.
    pub fn new(plies: usize) -> Self {
        Self { plies, results: HashMap::new() }
    }

    /// Adds a game of legal moves; `winner` is `None` for a draw or an unfinished game.
    pub fn add_game(&mut self, start: &Board, moves: impl IntoIterator<Item = Move>, winner: Option<Color>) {
        let (mut board, mut key) = (start.clone(), start.key());
        let mut seen = Vec::with_capacity(self.plies.min(64));
        for mv in moves.into_iter().take(self.plies) {
            let position_and_move = (key, EncodedMove::of(mv));
            // A repeated move in a repeated position counts once per game.
            if !seen.contains(&position_and_move) {
                seen.push(position_and_move);
                let results = self.results.entry(position_and_move).or_default();
                results.games = results.games.saturating_add(1);
                results.points += match winner {
                    Some(winner) if winner == board.side_to_move() => 2,
                    Some(_) => 0,
                    None => 1,
                };
            }
            board.play(mv);
            key = board.polyglot_key_after(mv);
        }
    }

    /// Returns the book's bytes. A move's weight is its points, scaled down if they exceed the 16 bits of an entry. A
    /// move without points is left out, because it would never be chosen.
    pub fn finish(self, min: MinCounts) -> (Vec<u8>, BookStats) {
        let mut found: Vec<(u64, EncodedMove, MoveResults)> =
            self.results.into_iter().map(|((key, mv), results)| (key, mv, results)).collect();
        found.sort_unstable_by_key(|&(key, mv, results)| (key, std::cmp::Reverse(results.points), mv));
        let (mut bytes, mut stats) = (Vec::new(), BookStats::default());
        for position in found.chunk_by(|one, other| one.0 == other.0) {
            let games: u64 = position.iter().map(|found| u64::from(found.2.games)).sum();
            let min_games_for_share = min.min_share * games as f64;
            let is_included = |results: MoveResults| {
                results.games >= min.min_games && f64::from(results.games) >= min_games_for_share && results.points > 0
            };
            let max_points = position.iter().map(|found| found.2.points).max().unwrap_or(0);
            let before = stats.moves;
            for &(key, mv, results) in position.iter().filter(|found| is_included(found.2)) {
                let weight = scaled(results.points, max_points);
                bytes.extend(Entry { key, mv, weight }.to_bytes());
                stats.moves += 1;
            }
            stats.positions += usize::from(stats.moves > before);
            stats.left_out += position.len() - (stats.moves - before);
        }
        (bytes, stats)
    }
}

fn scaled(points: u64, max_points: u64) -> u16 {
    let limit = u64::from(u16::MAX);
    if max_points <= limit {
        return points as u16;
    }
    (u128::from(points) * u128::from(limit) / u128::from(max_points)).max(1) as u16
}

/// Adds the games of a file. A game without a result counts as a draw.
/// `compressed_bytes` is increased by the number of bytes read from the file (before decompression), and `each` is called
/// after every game.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn add_games(
    path: &Path,
    builder: &mut BookBuilder,
    count: &mut GameCount,
    compressed_bytes: &Arc<AtomicU64>,
    mut each: impl FnMut(&GameCount),
) -> Result<(), SourceError> {
    read_file(path, compressed_bytes, |game| {
        if let Some(game) = count.take(game, path) {
            let winner = match game.result {
                Some(GameResult::Win(color)) => Some(color),
                Some(GameResult::Draw) | None => None,
            };
            builder.add_game(&game.start, game.moves.iter().map(|played| played.mv), winner);
        }
        each(count);
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Book, BookMove, Pick};
    use super::*;
    use crate::movegen::{format_san, parse_san};

    const ALL: MinCounts = MinCounts { min_games: 1, min_share: 0.0 };

    fn builder(plies: usize, games: &[(&str, Option<Color>)]) -> BookBuilder {
        let mut builder = BookBuilder::new(plies);
        for &(text, winner) in games {
            let mut board = Board::startpos();
            let moves: Vec<Move> = text
                .split(' ')
                .map(|word| {
                    let mv = parse_san(&board, word).expect("legal");
                    board.play(mv);
                    mv
                })
                .collect();
            builder.add_game(&Board::startpos(), moves, winner);
        }
        builder
    }

    fn weights(bytes: Vec<u8>, line: &str) -> Vec<u16> {
        let book = Book::from_bytes(bytes).expect("sorted");
        let mut board = Board::startpos();
        for word in line.split_whitespace() {
            board.play(parse_san(&board, word).expect("legal"));
        }
        book.moves(&board).iter().map(|found| found.weight).collect()
    }

    #[test]
    fn results_become_weights_for_the_mover() {
        let games = [("e4 e5 Nf3", Some(Color::White)), ("e4 c5", None), ("e4 e5", Some(Color::Black)), ("d4", None)];
        let (bytes, stats) = builder(24, &games).finish(ALL);
        assert_eq!(stats, BookStats { positions: 3, moves: 5, left_out: 0 });
        // e4 won, drew and lost: 2 + 1 + 0 points; d4 drew: 1; e5 lost and won, c5 drew.
        assert_eq!(weights(bytes.clone(), ""), [3, 1]);
        assert_eq!(weights(bytes.clone(), "e4"), [2, 1]);
        assert_eq!(weights(bytes, "e4 e5"), [2]);
    }

    #[test]
    fn rare_late_and_losing_moves_are_left_out() {
        let mut games = vec![("e4 e5 Nf3 Nc6", None); 18];
        games.extend([("d4 d5", None), ("a3 e5", Some(Color::Black)), ("a3 e5", Some(Color::Black))]);
        let (bytes, stats) = builder(3, &games).finish(MinCounts { min_games: 2, min_share: 0.0 });
        // d4 and d5 occur in one game, a3 only loses, and the fourth ply is beyond the limit.
        assert_eq!(stats, BookStats { positions: 4, moves: 4, left_out: 3 });
        assert_eq!(weights(bytes, ""), [18]);
        let (bytes, _) = builder(24, &games).finish(MinCounts { min_games: 1, min_share: 0.05 });
        assert_eq!(weights(bytes, ""), [18], "1 of 21 is less than 5 %");
    }

    #[test]
    fn one_game_counts_once_and_large_numbers_are_scaled() {
        let there_and_back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3";
        let (bytes, _) = builder(24, &[(there_and_back, None)]).finish(ALL);
        assert_eq!(weights(bytes, ""), [1]);
        assert_eq!((scaled(65_535, 65_535), scaled(1, 1_000_000), scaled(500_000, 1_000_000)), (65_535, 1, 32_767));
    }

    #[test]
    fn transpositions_share_a_position() {
        let games = [("d4 Nf6 c4 e6 Nf3", None), ("c4 Nf6 d4 e6 Nc3", None), ("d4 e6 c4 Nf6 Nc3", None)];
        let (bytes, _) = builder(24, &games).finish(ALL);
        assert_eq!(weights(bytes.clone(), "d4 Nf6 c4 e6"), [2, 1]);
        let book = Book::from_bytes(bytes).expect("sorted");
        let Some(BookMove { mv, .. }) = book.choose(&Board::startpos(), Pick::Best) else { panic!("no move") };
        assert_eq!(format_san(&Board::startpos(), mv), "d4");
    }
}
