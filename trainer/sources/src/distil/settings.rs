//! The settings that determine the rows of a distillation.

use serde::{Deserialize, Serialize};

use super::sampler::Window;

/// Everything the rows depend on. A copy is stored with the files, so that files with different settings are not mixed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistilSettings {
    /// Hash of the teacher's file.
    pub teacher: String,
    /// Hash of the playing network.
    pub player: String,
    /// Random seed of all games.
    pub seed: u64,
    /// Rows per file.
    pub shard_rows: usize,
    /// Minimum and maximum number of nodes per move.
    pub nodes: [u32; 2],
    /// Of the positions that searches evaluate, one in this many is kept.
    pub every: u32,
    /// Rules of the games.
    pub games: GameRules,
    /// Which of the evaluated positions are kept more often.
    pub window: Option<Window>,
}

/// How games start and end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// Hashes of the opening files; none for the initial position.
    pub openings: Vec<String>,
    /// Hashes of the files of root positions that are searched instead of playing games; none if games are played.
    pub roots: Vec<String>,
    /// Minimum and maximum number of random moves after the opening.
    pub random_plies: [u32; 2],
    /// Share of games in which one move in twelve is random, so that unbalanced positions also occur.
    pub stumbles: f64,
    /// Score in internal units beyond which a game is ended as decided.
    pub decided: i32,
    /// Score in internal units within which a long game is ended as a draw; 0 disables this rule.
    pub drawn: i32,
}

impl Default for GameRules {
    /// Games from the initial position with random first moves and stumbles in half of them, played almost to the end.
    fn default() -> Self {
        Self { openings: Vec::new(), roots: Vec::new(), random_plies: [4, 9], stumbles: 0.5, decided: 2_000, drawn: 0 }
    }
}
