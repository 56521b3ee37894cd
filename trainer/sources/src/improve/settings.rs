//! The settings that determine the rows, networks and matches of an improvement.

use std::path::PathBuf;

use alfiere_data::DataError;
use alfiere_model::QuantiseError;
use alfiere_nnue::NetworkError;
use alfiere_search::genfens::PlyRange;
use alfiere_training::{ConfigError, StopReason, TrainingError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::row_files::FillError;
use crate::start_network::StartNetworkError;
use crate::stored_settings::StoredSettingsError;

/// Everything that the files depend on. A copy is stored with them, so that a resumed run continues the same one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImproveSettings {
    /// Fingerprint of the network that the improvement starts from.
    pub start: String,
    pub seed: u64,
    /// Fingerprints of the opening files; none for the initial position.
    pub openings: Vec<String>,
    /// Minimum and maximum number of random moves before a game.
    pub random_plies: [u32; 2],
    pub rows: RowSettings,
    pub learning: LearnSettings,
    /// The match that decides whether it is kept.
    pub gate: GateSettings,
    /// Games of each accepted network against the hand-written evaluation; 0 for none.
    pub measured_games: u32,
}

impl ImproveSettings {
    pub(super) fn plies(&self) -> PlyRange {
        PlyRange { min: self.random_plies[0], max: self.random_plies[1] }
    }
}

/// How rows are made from games of a network against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Games"))]
pub struct RowSettings {
    /// New rows of a round, rounded up to whole files
    #[cfg_attr(feature = "clap", arg(long = "positions", value_name = "N", default_value_t = Self::default().count, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)))]
    pub count: u64,
    /// Rows of a file; the last file of a round is not trained on, but validated
    #[cfg_attr(feature = "clap", arg(help_heading = "Expert", long = "file-rows", value_name = "N", default_value_t = Self::default().per_file, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)))]
    pub per_file: u64,
    /// Minimum and maximum number of nodes per move.
    #[cfg_attr(feature = "clap", arg(skip = Self::default().nodes))]
    pub nodes: [u32; 2],
    /// Least depth to which a position must be searched, in plies
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLIES", default_value_t = Self::default().min_depth))]
    pub min_depth: u32,
    /// Use one in this many evaluated positions: more games for the same number of rows
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::default().every, value_parser = clap::value_parser!(u32).range(1..)))]
    pub every: u32,
    /// Share, 0 to 1, of the positions with a bound that contradicts the network that become rows, labelled with the bound
    #[cfg_attr(feature = "clap", arg(help_heading = "Expert", long, value_name = "SHARE", default_value_t = Self::default().bounds))]
    pub bounds: f64,
    /// Share, 0 to 1, of the positions with another bound that become rows, labelled by the network itself
    #[cfg_attr(feature = "clap", arg(help_heading = "Expert", long, value_name = "SHARE", default_value_t = Self::default().anchors))]
    pub anchors: f64,
    /// Keep positions whose best move is a capture or promotion
    #[cfg_attr(feature = "clap", arg(long = "keep-captures", action = clap::ArgAction::SetFalse))]
    pub quiet: bool,
    /// Share of games, 0 to 1, in which one move in twelve is random; the results of these games are not used
    #[cfg_attr(feature = "clap", arg(help_heading = "Expert", long, value_name = "SHARE", default_value_t = Self::default().stumbles))]
    pub stumbles: f64,
    /// A row has the result of its game if its label is within UNITS of the game's score, in internal units
    #[cfg_attr(feature = "clap", arg(help_heading = "Expert", long, value_name = "UNITS", default_value_t = Self::default().result_window))]
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
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Training"))]
pub struct LearnSettings {
    /// Train on the rows of this number of rounds, the newest included
    #[cfg_attr(feature = "clap", arg(long = "keep-rounds", value_name = "N", default_value_t = Self::default().rounds, value_parser = clap::value_parser!(u32).range(1..)))]
    pub rounds: u32,
    /// Passes over the rows
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::default().epochs, value_parser = clap::value_parser!(u32).range(1..)))]
    pub epochs: u32,
    /// Positions per step
    #[cfg_attr(feature = "clap", arg(long = "batch", value_name = "N", default_value_t = Self::default().batch_size))]
    pub batch_size: usize,
    /// Peak learning rate
    #[cfg_attr(feature = "clap", arg(long = "lr", value_name = "RATE", default_value_t = Self::default().learning_rate))]
    pub learning_rate: f32,
    /// Scale of the loss, in internal units; networks with `skip` keep their own
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNITS", default_value_t = Self::default().scale))]
    pub scale: f32,
    /// Weight of the game result in the target, 0 to 1
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = Self::default().result_share))]
    pub result_share: f32,
}

impl Default for LearnSettings {
    fn default() -> Self {
        Self { rounds: 5, epochs: 1, batch_size: 8_192, learning_rate: 5e-4, scale: 400.0, result_share: 0.0 }
    }
}

/// The match of a new network against the last accepted one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Match"))]
pub struct GateSettings {
    /// Nodes per move in matches
    #[cfg_attr(feature = "clap", arg(id = "match_nodes", long = "match-nodes", value_name = "N", default_value_t = Self::default().nodes, value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: u64,
    /// Elo difference of the null hypothesis.
    #[cfg_attr(feature = "clap", arg(skip = Self::default().elo0))]
    pub elo0: f64,
    /// Elo difference of the alternative, with which the new network is accepted.
    #[cfg_attr(feature = "clap", arg(skip = Self::default().elo1))]
    pub elo1: f64,
    /// Most games of a match; a network is rejected if it is undecided then
    #[cfg_attr(feature = "clap", arg(long = "match-games", value_name = "N", default_value_t = Self::default().games, value_parser = clap::value_parser!(u32).range(2..)))]
    pub games: u32,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self { nodes: 2_000, elo0: 0.0, elo1: 20.0, games: 1_600 }
    }
}

#[derive(Debug, Error)]
pub enum ImproveError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Fill(#[from] FillError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Start(#[from] StartNetworkError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Training(#[from] TrainingError),
    #[error("{0}")]
    NotFinite(StopReason),
    #[error(
        "a loss or the scale of the trained network is {0}, because all its values or those of the network before are 0 or too \
         large; start from another network"
    )]
    Unmeasured(f64),
    #[error(transparent)]
    Quantise(#[from] QuantiseError),
    #[error(transparent)]
    Settings(#[from] StoredSettingsError),
    #[error("{}:{line}: {problem}; expected a round", path.display())]
    Record { path: PathBuf, line: usize, problem: String },
}
