//! What symmetric look-up saves: nodes and time of searches to a fixed depth, with and without it; and the speed of two
//! representations.

use std::time::{Duration, Instant};

use crate::{
    game::Game,
    moves::legal_moves,
    player::{Player, TABLE_BITS, opening},
    rows::Rows,
    search::{Limits, Searcher},
    table::Lookup,
};
use alfiere_chess::random::Random;

/// The numbers of plies after which positions are searched.
pub const PLIES: [usize; 14] = [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40];

/// The searches after one of [`PLIES`], first without symmetric look-up, then with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// Positions searched.
    pub positions: u32,
    /// Nodes of all searches.
    pub nodes: [u64; 2],
    /// Their time, the shortest of three for each search.
    pub time: [Duration; 2],
}

/// Plays one game, the engine with 2,000 nodes a move and one move in five at random, and searches its positions at
/// [`PLIES`] to a depth, each time with an empty table.
pub fn add_game(sums: &mut [Sums; PLIES.len()], number: usize, depth: u8, seed: u64) {
    let mut random = Random::new(seed.wrapping_add(number as u64));
    let mut engine = Player::engine(Limits { nodes: 2_000, ..Limits::default() });
    let mut game = Game::default();
    for ply in 0..=PLIES[PLIES.len() - 1] {
        if game.outcome().is_some() {
            return;
        }
        if let Some(index) = PLIES.iter().position(|&searched| searched == ply) {
            let sums = &mut sums[index];
            sums.positions += 1;
            for (index, lookup) in [Lookup::Plain, Lookup::Symmetric].into_iter().enumerate() {
                let (nodes, time) = measure(&game, depth, lookup);
                sums.nodes[index] += nodes;
                sums.time[index] += time;
            }
        }
        let player = if random.below(5) == 0 { &mut Player::Random } else { &mut engine };
        if !player.choose(&game, &mut random).is_some_and(|chosen| game.play(chosen)) {
            return;
        }
    }
}

fn measure(game: &Game, depth: u8, lookup: Lookup) -> (u64, Duration) {
    let limits = Limits { depth, ..Limits::default() };
    let mut shortest = (0, Duration::MAX);
    for _ in 0..3 {
        let mut searcher = Searcher::new(TABLE_BITS, lookup);
        if let Some(answer) = searcher.search(game.board(), &mut game.history().clone(), limits) {
            shortest = (answer.nodes, shortest.1.min(answer.time));
        }
    }
    shortest
}

/// Moves generated and the time for them, with sets and with rows of two bits a square: positions after 0 to 39 random plies,
/// each this number of times.
pub fn generation(times: usize) -> [(usize, Duration); 2] {
    let boards: Vec<_> = (0..40).map(|plies| opening(plies, plies as u64).board().clone()).collect();
    let rows: Vec<Rows> = boards.iter().map(Rows::from).collect();
    let measured = |count: &dyn Fn() -> usize| {
        let start = Instant::now();
        let moves = (0..times).map(|_| std::hint::black_box(count())).sum();
        (moves, start.elapsed())
    };
    let of_sets = || boards.iter().map(|board| legal_moves(board).len()).sum();
    let of_rows = || rows.iter().map(|rows| rows.legal_moves().len()).sum();
    [measured(&of_sets), measured(&of_rows)]
}
