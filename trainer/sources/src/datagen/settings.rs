//! The settings that determine which games are played; they are stored in the index of the file.

use std::ffi::OsStr;
use std::path::Path;

use alfiere_arena::spec::{PlayerSpec, SpecError};
use alfiere_chess::game::{GameRules, Limit};
use alfiere_chess::openings::{Opening, OpeningError, read_openings, shuffle};
use alfiere_data::{DataError, Fingerprint};
use alfiere_nnue::NetworkError;
use alfiere_search::genfens::PlyRange;
use serde_json::json;
use thiserror::Error;

use crate::playing_network::{PlayingNetwork, fingerprint_of_options};
use crate::shard::Shard;

#[derive(Clone, Debug)]
pub enum PlayerChoice {
    BuiltIn {
        network: PlayingNetwork,
        hash_mib: usize,
    },
    /// An external UCI engine.
    Program {
        spec: PlayerSpec,
        /// Its description as typed.
        text: String,
    },
}

/// The openings of the games.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The openings in the order of use; empty for the initial position.
    pub openings: Vec<Opening>,
    fingerprint: Option<String>,
    /// A sentence about the games of the book that cannot be read, if there are any.
    pub remark: Option<String>,
}

/// Everything that determines the games of a file.
#[derive(Clone, Debug)]
pub struct DatagenSettings {
    pub player: PlayerChoice,
    /// The built-in engine starts no new iteration after this number of nodes; for an external engine, its limit.
    pub nodes: u64,
    /// The built-in engine stops immediately at this number of nodes.
    pub hard_nodes: u64,
    pub seed: u64,
    /// The part of the games that this run plays.
    pub shard: Shard,
    /// Number of random plies before a game starts.
    pub random_plies: PlyRange,
    pub book: Book,
    /// Maximum score of a start position for either side, in the player's units.
    pub max_opening_cp: i32,
    /// Share of games with random moves.
    pub noise: f64,
    /// In these games, one move in this many is random.
    pub noise_every: u32,
    /// Adjudication rules; `max_plies` counts from the start position of the game.
    pub rules: GameRules,
    /// Whether a game ends as soon as its player reports a forced mate.
    pub mate_ends: bool,
}

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("engine \"{0}\": a time control is not supported here; expected nodes, depth or movetime")]
    Clock(String),
    #[error(transparent)]
    Book(#[from] OpeningError),
    #[error(transparent)]
    Data(#[from] DataError),
}

impl PlayerChoice {
    /// The built-in engine, with its embedded network or one from a file.
    ///
    /// # Errors
    /// If the network cannot be loaded.
    pub fn built_in(network: Option<&Path>, hash_mib: usize) -> Result<Self, SettingsError> {
        Ok(Self::BuiltIn { network: PlayingNetwork::load(network)?, hash_mib })
    }

    /// An external UCI engine, described as `PROGRAM key=value ...`.
    ///
    /// # Errors
    /// If the text is invalid, or specifies a time control, or a file that cannot be read.
    pub fn program(text: &OsStr) -> Result<Self, SettingsError> {
        let spec = PlayerSpec::parse(text, "")?;
        if matches!(spec.limit, Some(Limit::Clock(_))) {
            return Err(SettingsError::Clock(spec.name));
        }
        let text = format!("{}{}", text.display(), fingerprint_of_options(&spec)?);
        Ok(Self::Program { spec, text })
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn { .. } => "Alfiere",
            Self::Program { spec, .. } => &spec.name,
        }
    }
}

impl Book {
    /// Reads a book and shuffles it.
    ///
    /// # Errors
    /// If the file cannot be read, or contains no openings.
    pub fn read(path: &Path, seed: u64) -> Result<Self, SettingsError> {
        let mut list = read_openings(path)?;
        shuffle(&mut list.openings, seed);
        Ok(Self { openings: list.openings, fingerprint: Some(Fingerprint::of(path)?.to_string()), remark: list.remark })
    }
}

impl DatagenSettings {
    /// The settings as JSON; equal texts give equal games.
    pub fn to_json(&self) -> String {
        let (player, hash) = match &self.player {
            PlayerChoice::BuiltIn { network, hash_mib } => {
                (format!("built-in {}", network.fingerprint), Some(hash_mib))
            }
            PlayerChoice::Program { text, .. } => (text.clone(), None),
        };
        let rules = &self.rules;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "player": player,
            "hash": hash,
            "nodes": self.nodes,
            "hard_nodes": self.hard_nodes,
            "seed": self.seed,
            "shard": self.shard.to_string(),
            "random_plies": self.random_plies.to_string(),
            "openings": self.book.fingerprint,
            "max_opening_cp": self.max_opening_cp,
            "noise": self.noise,
            "noise_every": self.noise_every,
            "resign": rules.resign.map(|rule| format!("{},{}", rule.moves, rule.centipawns)),
            "draw": rules.draw.map(|rule| format!("{},{},{}", rule.from_move, rule.moves, rule.centipawns)),
            "mate_ends": self.mate_ends,
            "max_plies": rules.max_plies,
        })
        .to_string()
    }
}
