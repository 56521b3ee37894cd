//! What symmetric look-up saves: nodes and time of searches to a fixed depth, with and without it.

use std::fmt;

use crate::{
    game::Game,
    player::{Player, TABLE_BITS},
    search::{Limits, Searcher},
    table::Lookup,
};
use alfiere_chess::random::Random;

/// The numbers of plies after which positions are searched.
pub const PLIES: [usize; 14] = [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40];
/// The first line of the CSV.
pub const HEADER: &str = "game,ply,depth,plain_nodes,symmetric_nodes,plain_us,symmetric_us";

/// A position searched twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The game, from 0.
    pub game: usize,
    /// Plies played before the position.
    pub ply: usize,
    /// The depth of both searches.
    pub depth: u8,
    /// Nodes without and with symmetric look-up.
    pub nodes: [u64; 2],
    /// Microseconds without and with symmetric look-up.
    pub microseconds: [u64; 2],
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, ply, depth, nodes, microseconds } = self;
        write!(f, "{game},{ply},{depth},{},{},{},{}", nodes[0], nodes[1], microseconds[0], microseconds[1])
    }
}

impl Sample {
    /// The sample in a line of the CSV. `None` if the line is malformed.
    pub fn parse(line: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> = line.trim().split(',').map(|field| field.parse().ok()).collect();
        let &[game, ply, depth, plain, symmetric, plain_us, symmetric_us] = numbers?.as_slice() else { return None };
        Some(Self {
            game: usize::try_from(game).ok()?,
            ply: usize::try_from(ply).ok()?,
            depth: u8::try_from(depth).ok()?,
            nodes: [plain, symmetric],
            microseconds: [plain_us, symmetric_us],
        })
    }
}

/// Plays one game, the engine with 2,000 nodes a move and one move in five at random, and searches its positions at
/// [`PLIES`] to a depth, each time with an empty table. The time is the shortest of three.
pub fn samples(game_number: usize, depth: u8, seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed.wrapping_add(game_number as u64));
    let mut engine = Player::engine(Limits { nodes: 2_000, ..Limits::default() });
    let mut game = Game::default();
    let mut samples = Vec::new();
    for ply in 0..=PLIES[PLIES.len() - 1] {
        if game.outcome().is_some() {
            break;
        }
        if PLIES.contains(&ply) {
            let [plain, symmetric] = [Lookup::Plain, Lookup::Symmetric].map(|lookup| measure(&game, depth, lookup));
            samples.push(Sample {
                game: game_number,
                ply,
                depth,
                nodes: [plain.0, symmetric.0],
                microseconds: [plain.1, symmetric.1],
            });
        }
        let player = if random.below(5) == 0 { &mut Player::Random } else { &mut engine };
        if !player.choose(&game, &mut random).is_some_and(|chosen| game.play(chosen)) {
            break;
        }
    }
    samples
}

fn measure(game: &Game, depth: u8, lookup: Lookup) -> (u64, u64) {
    let limits = Limits { depth, ..Limits::default() };
    let mut shortest = (0, u64::MAX);
    for _ in 0..3 {
        let mut searcher = Searcher::new(TABLE_BITS, lookup);
        if let Some(answer) = searcher.search(game.board(), &mut game.history().clone(), limits) {
            shortest = (answer.nodes, shortest.1.min(answer.time.as_micros() as u64));
        }
    }
    shortest
}
