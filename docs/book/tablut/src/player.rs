//! Players, and matches between two of them.

use crate::{
    board::{Move, Side},
    game::{Game, Outcome},
    moves::legal_moves,
    search::{Limits, Searcher, greedy},
    table::Lookup,
};
use alfiere_chess::random::Random;

/// 2^16 rows in the engine's table: 4 MiB.
pub const TABLE_BITS: u32 = 16;
/// After this number of plies a game of a match is a draw.
pub const LONGEST_GAME: usize = 400;

/// Chooses the moves of one side.
pub enum Player {
    /// Any legal move.
    Random,
    /// The best evaluation after one ply, at random among equals.
    Greedy,
    /// The search, within these limits for each move.
    Engine(Box<Searcher>, Limits),
}

impl Player {
    /// The engine with an empty table.
    pub fn engine(limits: Limits) -> Self {
        Self::Engine(Box::new(Searcher::new(TABLE_BITS, Lookup::Symmetric)), limits)
    }

    /// The player's move; `None` if there is no legal one.
    pub fn choose(&mut self, game: &Game, random: &mut Random) -> Option<Move> {
        let mut moves = legal_moves(game.board());
        match self {
            Self::Random => random_move(&moves, random),
            Self::Greedy => {
                for last in (1..moves.len()).rev() {
                    moves.swap(last, random.below(last as u64 + 1) as usize);
                }
                greedy(game.board(), &moves)
            }
            Self::Engine(searcher, limits) => {
                searcher.search(game.board(), &mut game.history().clone(), *limits).map(|answer| answer.best)
            }
        }
    }
}

fn random_move(moves: &[Move], random: &mut Random) -> Option<Move> {
    moves.get(random.below(moves.len() as u64) as usize).copied()
}

/// The games of a match as seen by its first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Won, drawn and lost with White.
    pub white: [u32; 3],
    /// Won, drawn and lost with Black.
    pub black: [u32; 3],
    /// Plies of all games.
    pub plies: usize,
}

/// Plays games in pairs: each pair starts with the same random plies, each player has White once.
///
/// `new_players` makes both players for each game, so that no game depends on an earlier one.
pub fn play_match(games: usize, random_plies: usize, seed: u64, new_players: impl Fn() -> [Player; 2]) -> Results {
    let mut results = Results::default();
    for number in 0..games {
        let start = opening(random_plies, seed.wrapping_add(number as u64 / 2));
        let white = number % 2;
        let mut random = Random::new(seed ^ (number as u64) << 32);
        let (outcome, plies) = play_game(start, new_players(), white, &mut random);
        let place = match outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) if (side == Side::White) == (white == 0) => 0,
            Outcome::Win(_) => 2,
        };
        let counts = if white == 0 { &mut results.white } else { &mut results.black };
        counts[place] += 1;
        results.plies += plies;
    }
    results
}

fn play_game(mut game: Game, mut players: [Player; 2], white: usize, random: &mut Random) -> (Outcome, usize) {
    for plies in 0..LONGEST_GAME {
        if let Some(outcome) = game.outcome() {
            return (outcome, plies);
        }
        let mover = if game.board().side() == Side::White { white } else { 1 - white };
        let legal = players[mover].choose(&game, random).is_some_and(|played| game.play(played));
        assert!(legal, "a player chooses a legal move");
    }
    (game.outcome().unwrap_or(Outcome::Draw), LONGEST_GAME)
}

/// A game after this number of random plies, in which nobody has won.
pub fn opening(plies: usize, seed: u64) -> Game {
    let mut random = Random::new(seed);
    loop {
        let mut game = Game::default();
        let played = (0..plies)
            .all(|_| random_move(&legal_moves(game.board()), &mut random).is_some_and(|chosen| game.play(chosen)));
        if played && game.outcome().is_none() {
            return game;
        }
    }
}
