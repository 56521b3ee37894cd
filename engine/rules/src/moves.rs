//! The moves of all games of a PGN, to count what was played from a position.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::format_san;
use alfiere_chess::pgn::{PgnGame, read_each};
use serde::Serialize;

/// The main line of a game, up to the first move that cannot be read.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GameMoves {
    /// The result after the moves or in the tag; `*` without one.
    pub result: String,
    /// The moves in SAN, separated by spaces.
    pub moves: String,
    /// The 32-bit FNV-1a hash of pieces and side to move, the first two words of a FEN: at the start and after each move.
    pub positions: Vec<u32>,
}

/// The games of a PGN, in the order of [`GameList`](crate::GameList). A game that cannot be read has no moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MovesOfGames {
    pub games: Vec<GameMoves>,
}

impl MovesOfGames {
    pub fn new(pgn: &str) -> Self {
        let mut games = Vec::new();
        // Reading from memory does not fail.
        let _ = read_each(pgn.as_bytes(), |game| {
            games.push(game.map_or_else(|_| GameMoves::default(), GameMoves::new));
            ControlFlow::Continue(())
        });
        Self { games }
    }
}

impl GameMoves {
    #[allow(clippy::needless_pass_by_value, reason = "the form that `map_or_else` calls")]
    fn new(game: PgnGame) -> Self {
        let mut board = game.start;
        let mut moves = Vec::with_capacity(game.moves.len());
        let mut positions = vec![key(&board)];
        for played in &game.moves {
            moves.push(format_san(&board, played.mv));
            board.play(played.mv);
            positions.push(key(&board));
        }
        let result = game.result.map_or_else(|| "*".to_owned(), |result| result.to_string());
        Self { result, moves: moves.join(" "), positions }
    }
}

/// The hash of a position in [`GameMoves`].
fn key(board: &Board) -> u32 {
    let fen = board.to_fen();
    let end = fen.match_indices(' ').nth(1).map_or(fen.len(), |(end, _)| end);
    fen[..end].bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameList;

    #[test]
    fn every_game_has_its_main_line_and_positions() {
        let pgn = "1. e4 e5 (1... c5) 2. Nf3 1-0\n\n[White \"b\"]\n\n1. Nf3 e5 2. e4 Ke9 *\n\n[FEN \"none\"]\n\n1. e4 *\n\n\
                   [Result \"0-1\"]\n\n1. d4\n";
        let games = MovesOfGames::new(pgn).games;
        assert_eq!(games.len(), GameList::new(pgn).games.len());
        let lines: Vec<_> = games.iter().map(|game| (game.moves.as_str(), game.result.as_str())).collect();
        assert_eq!(lines, [("e4 e5 Nf3", "1-0"), ("Nf3 e5 e4", "*"), ("", ""), ("d4", "0-1")]);
        // Moves in another order lead to the same position; the page has the same hash.
        assert_eq!((games[0].positions.len(), games[0].positions[3]), (4, games[1].positions[3]));
        assert_eq!(games[3].positions[0], 0x9a7b_8d11);
    }
}
