//! The settings that determine the rows of a distillation.

use serde::{Deserialize, Serialize};

use super::sampler::Window;

/// All that the rows depend on. A copy is kept beside the files, so that files of other settings are not mixed with them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistilSettings {
    /// What the teacher is: a hash of its file.
    pub teacher: String,
    /// What plays: a hash of its network.
    pub player: String,
    /// Seed of all games.
    pub seed: u64,
    /// Rows of a file.
    pub shard_rows: usize,
    /// Fewest and most nodes of a move.
    pub nodes: [u32; 2],
    /// Of the positions that searches evaluate, one in this many is kept.
    pub every: u32,
    /// How games begin and go on.
    pub games: GameRules,
    /// Which of the evaluated positions are kept more often.
    pub window: Option<Window>,
}

/// How games begin and end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// Which openings games begin with: hashes of their files; none for the initial position.
    pub openings: Vec<String>,
    /// Which positions are searched in place of games: hashes of their files; none if games are played.
    pub roots: Vec<String>,
    /// Fewest and most random moves after the opening.
    pub random_plies: [u32; 2],
    /// Share of the games in which one move in twelve is random, so that worse positions are met too.
    pub stumbles: f64,
    /// Internal units beyond which a game is decided and given up.
    pub decided: i32,
    /// Internal units within which a long game is drawn and given up; 0 plays on.
    pub drawn: i32,
}

impl Default for GameRules {
    /// From the initial position, with random first moves, stumbles in half of the games, almost to the end.
    fn default() -> Self {
        Self { openings: Vec::new(), roots: Vec::new(), random_plies: [4, 9], stumbles: 0.5, decided: 2_000, drawn: 0 }
    }
}
