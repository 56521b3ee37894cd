//! The files of an improvement.

use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_arena::elo::{EloEstimate, GameCounts, Pentanomial};
use alfiere_data::{DataError, atomic};
use alfiere_nnue::Network;
use serde::{Deserialize, Serialize};

use super::contest::ContestScore;
use super::settings::{ImproveError, ImproveSettings};
use crate::stored_settings::store_or_check;

#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of the improvement of this network: `NAME.improve` beside it.
    pub fn beside(network: &Path) -> Self {
        Self { path: network.with_extension("improve") }
    }

    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The record, one line for each round.
    pub fn record(&self) -> PathBuf {
        self.path.join("record.jsonl")
    }

    pub fn training_record(&self) -> PathBuf {
        self.path.join("training.run.jsonl")
    }

    /// The accepted network of a round; that of round 0 is the start.
    pub fn network(&self, round: u32) -> PathBuf {
        self.path.join(format!("network-{round:04}.nnue"))
    }

    /// The network of a round before its match.
    pub(super) fn candidate(&self, round: u32) -> PathBuf {
        self.path.join(format!("candidate-{round:04}.nnue"))
    }

    /// The common name of the row files of a round.
    pub(super) fn rows(&self, round: u32) -> PathBuf {
        self.path.join(format!("rows-{round:04}.packed"))
    }

    /// Creates the folder with its settings and start network, or checks that those in it are the same.
    pub(super) fn open(&self, settings: &ImproveSettings, start: &Network) -> Result<(), ImproveError> {
        let path = self.path.join("settings.json");
        let is_new = !path.exists();
        if is_new {
            std::fs::create_dir_all(&self.path).map_err(|source| DataError::io(&self.path, "create it", source))?;
            start.save(self.network(0))?;
        }
        Ok(store_or_check(&path, settings, is_new)?)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Hours of work from the start to its end, all sessions together.
    pub hours: f64,
    pub accepted: bool,
    /// Whether the match ended without a decision, so that the network is not kept.
    #[serde(default)]
    pub undecided: bool,
    pub rows: u64,
    /// Rows per second in this session; `None` if all of them were there already.
    pub rows_per_second: Option<f64>,
    pub trained_rows: u64,
    /// The loss on new rows of games that were not trained on, before and after.
    pub loss: [f64; 2],
    /// The slope of the network's values over those of the network before.
    pub scale: f64,
    /// Seconds spent on rows, training, and matches.
    pub seconds: [f64; 3],
    /// The match against the last accepted network.
    pub gate: MatchLine,
    /// The match against the hand-written evaluation, if one was played.
    pub classical: Option<MatchLine>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchLine {
    /// Results of the new network.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Pairs by the new network's points: 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// Elo difference and half the width of its 95 % interval; `None` if unbounded.
    pub elo: Option<[f64; 2]>,
}

impl From<ContestScore> for MatchLine {
    fn from(score: ContestScore) -> Self {
        let bounded = |EloEstimate { elo, error, .. }: EloEstimate| {
            (elo.is_finite() && error.is_finite()).then_some([elo, error])
        };
        Self { games: score.games, pairs: score.pairs.counts(), elo: score.pairs.elo().and_then(bounded) }
    }
}

impl MatchLine {
    pub fn pentanomial(&self) -> Pentanomial {
        Pentanomial::new(self.pairs)
    }
}

/// The rounds of a record; none if there is no file.
pub(super) fn read_rounds(path: &Path) -> Result<Vec<Round>, ImproveError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).map_err(|source| DataError::io(path, "read it", source))?;
    let invalid = |line, problem: serde_json::Error| ImproveError::Record {
        path: path.to_path_buf(),
        line,
        problem: problem.to_string(),
    };
    let lines = (1..).zip(text.lines());
    lines.map(|(number, line)| serde_json::from_str(line).map_err(|problem| invalid(number, problem))).collect()
}

/// Replaces the record as a whole, so that a kill cuts no line off.
pub(super) fn write_rounds(path: &Path, rounds: &[Round]) -> Result<(), ImproveError> {
    let lines: Result<Vec<String>, _> = rounds.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| DataError::io(path, "write it", error.into()))?;
    Ok(atomic::write(path, |file| lines.iter().try_for_each(|line| writeln!(file, "{line}")))?)
}
