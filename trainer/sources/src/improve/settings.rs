//! The settings that determine the rows, networks and matches of an improvement.

use std::path::PathBuf;

use alfiere_data::DataError;
use alfiere_nnue::{NetworkError, QuantiseError};
use alfiere_search::genfens::PlyRange;
use alfiere_training::{ConfigError, InitialWeightsError, StopReason, TrainingError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::row_files::FillError;

/// Everything that the files depend on. A copy is stored with them, so that a resumed run continues the same one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImproveSettings {
    /// Fingerprint of the network that the improvement starts from.
    pub start: String,
    /// Random seed of games, training and matches.
    pub seed: u64,
    /// Fingerprints of the opening files; none for the initial position.
    pub openings: Vec<String>,
    /// Minimum and maximum number of random moves before a game.
    pub random_plies: [u32; 2],
    /// How rows are made.
    pub rows: RowSettings,
    /// How a network learns from them.
    pub learning: LearnSettings,
    /// The match that decides whether it is kept.
    pub gate: GateSettings,
    /// Games of each accepted network against the hand-written evaluation; 0 for none.
    pub measured_games: u32,
}

impl ImproveSettings {
    /// The number of random moves before a game.
    pub(super) fn plies(&self) -> PlyRange {
        PlyRange { min: self.random_plies[0], max: self.random_plies[1] }
    }
}

/// How rows are made from games of a network against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RowSettings {
    /// Rows of a round.
    pub count: u64,
    pub per_file: u64,
    /// Minimum and maximum number of nodes per move.
    pub nodes: [u32; 2],
    /// Least depth of a position in the table.
    pub min_depth: u32,
    /// Of the positions that searches evaluate, one in this many is looked up.
    pub every: u32,
    /// Share of the positions with a bound that the network's value violates that become rows, labelled with the bound.
    pub bounds: f64,
    /// Share of those with another bound, labelled with the network's own value.
    pub anchors: f64,
    /// Whether positions whose best move is a capture or promotion are left out.
    pub quiet: bool,
    /// Share of games in which one move in twelve is random; the results of these games are not used.
    pub stumbles: f64,
    /// A row gets the result of its game if its label is within this many internal units of the game's score.
    pub result_window: i32,
}

impl Default for RowSettings {
    fn default() -> Self {
        Self {
            count: 4_000_000,
            per_file: 100_000,
            nodes: [1_000, 2_000],
            min_depth: 2,
            every: 4,
            bounds: 1.0,
            anchors: 0.2,
            quiet: true,
            stumbles: 0.25,
            result_window: 100,
        }
    }
}

/// How a network learns from rows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnSettings {
    /// Rounds whose rows are trained on, including the newest.
    pub rounds: u32,
    /// Passes over these rows.
    pub epochs: u32,
    /// Positions of a step.
    pub batch_size: usize,
    /// Peak learning rate.
    pub learning_rate: f32,
    /// Internal units per unit of the sigmoid.
    pub scale: f32,
    /// Weight of the game result in the target, for rows that have one.
    pub result_share: f32,
}

impl Default for LearnSettings {
    fn default() -> Self {
        Self { rounds: 5, epochs: 1, batch_size: 8_192, learning_rate: 5e-4, scale: 400.0, result_share: 0.0 }
    }
}

/// The match of a new network against the last accepted one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateSettings {
    /// Nodes per move.
    pub nodes: u64,
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative, with which the new network is accepted.
    pub elo1: f64,
    /// Most games of a match; an undecided network is then rejected.
    pub games: u32,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self { nodes: 2_000, elo0: 0.0, elo1: 20.0, games: 1_600 }
    }
}

/// Why an improvement fails.
#[derive(Debug, Error)]
pub enum ImproveError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Fill(#[from] FillError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Weights(#[from] InitialWeightsError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Training(#[from] TrainingError),
    #[error("{0}")]
    NotFinite(StopReason),
    #[error(transparent)]
    Quantise(#[from] QuantiseError),
    #[error("{}: this improvement has other settings: {differences}; give the same options, or another folder", path.display())]
    OtherSettings { path: PathBuf, differences: String },
    #[error("{}:{line}: {problem}; expected a round", path.display())]
    Record { path: PathBuf, line: usize, problem: String },
}
