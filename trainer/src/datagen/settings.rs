//! What decides which games are played; it stands at the head of the file that holds them.

use std::path::Path;

use alfiere_arena::spec::{PlayerSpec, Protocol, SpecError};
use alfiere_chess::game::{GameRules, Limit};
use alfiere_chess::openings::{Opening, OpeningError, read_openings, shuffle};
use alfiere_nnue::NetworkError;
use alfiere_search::genfens::Plies;
use serde_json::json;
use thiserror::Error;

use crate::data::{DataError, Fingerprint};
use crate::playing_network::PlayingNetwork;
use crate::shard::Shard;

/// Who plays.
#[derive(Clone, Debug)]
pub enum PlayerChoice {
    /// The engine of this program.
    BuiltIn {
        /// What it judges by.
        network: PlayingNetwork,
        /// Size of its table in MiB.
        hash_mib: usize,
    },
    /// A program that speaks UCI.
    Program {
        /// How it is started.
        spec: PlayerSpec,
        /// The same as it was typed.
        text: String,
    },
}

/// Where games begin.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The openings in the order in which games take them; none for the beginning of a game.
    pub openings: Vec<Opening>,
    /// What tells the book from others.
    print: Option<String>,
}

/// Everything that decides the games of a file.
#[derive(Clone, Debug)]
pub struct DatagenSettings {
    /// Who plays.
    pub player: PlayerChoice,
    /// Nodes after which the built-in engine begins no further iteration; of a program, what it is told.
    pub nodes: u64,
    /// Nodes after which the built-in engine stops at once.
    pub hard_nodes: u64,
    /// What everything at random follows from.
    pub seed: u64,
    /// Which part of the seed's games are played.
    pub shard: Shard,
    /// Random moves before a game begins.
    pub random_plies: Plies,
    /// Where they begin.
    pub book: Book,
    /// How much better a side may stand where a game begins, in centipawns of the player.
    pub max_opening_cp: i32,
    /// Share of the games in which random moves are played.
    pub noise: f64,
    /// In those, one of so many moves is.
    pub noise_every: u32,
    /// When games end before the rules end them; `max_plies` counts from where a game begins.
    pub rules: GameRules,
    /// Whether a game ends once its player sees a forced mate.
    pub mate_ends: bool,
}

/// Settings that contradict each other.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The network cannot be loaded.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The program cannot be described so.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Another protocol.
    #[error("engine \"{0}\": games are played with UCI programs only")]
    Protocol(String),
    /// A clock.
    #[error("engine \"{0}\": a clock makes no sense here; expected nodes, depth or movetime")]
    Clock(String),
    /// The book cannot be read.
    #[error(transparent)]
    Book(#[from] OpeningError),
    /// The book's file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl PlayerChoice {
    /// The engine of this program, with the network inside it or one from a file.
    ///
    /// # Errors
    /// The network cannot be loaded.
    pub fn built_in(network: Option<&Path>, hash_mib: usize) -> Result<Self, SettingsError> {
        Ok(Self::BuiltIn { network: PlayingNetwork::load(network)?, hash_mib })
    }

    /// A UCI program, `PROGRAM key=value ...`.
    ///
    /// # Errors
    /// The text cannot be read, or names another protocol or a clock.
    pub fn program(text: &str) -> Result<Self, SettingsError> {
        let spec = PlayerSpec::parse(text, "")?;
        if spec.protocol != Protocol::Uci {
            return Err(SettingsError::Protocol(spec.name));
        }
        if matches!(spec.limit, Some(Limit::Clock(_))) {
            return Err(SettingsError::Clock(spec.name));
        }
        Ok(Self::Program { spec, text: text.to_owned() })
    }

    /// How it is called in messages.
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
    /// The file cannot be read, or holds no openings.
    pub fn read(path: &Path, seed: u64) -> Result<Self, SettingsError> {
        let mut openings = read_openings(path)?;
        shuffle(&mut openings, seed);
        Ok(Self { openings, print: Some(Fingerprint::of(path)?.to_string()) })
    }
}

impl DatagenSettings {
    /// The settings as JSON: equal texts give equal games.
    pub fn to_json(&self) -> String {
        let (player, hash) = match &self.player {
            PlayerChoice::BuiltIn { network, hash_mib } => (format!("built-in {}", network.print), Some(hash_mib)),
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
            "shard": format!("{}/{}", self.shard.index() + 1, self.shard.count()),
            "random_plies": self.random_plies.to_string(),
            "openings": self.book.print,
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
