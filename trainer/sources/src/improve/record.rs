//! The record of an improvement: one line of JSON for each round.

use std::io::Write;
use std::path::Path;

use alfiere_arena::elo::{EloEstimate, GameCounts, Pentanomial};
use alfiere_data::{DataError, atomic};
use serde::{Deserialize, Serialize};

use super::contest::ContestScore;
use super::error::ImproveError;

/// A finished round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Hours of work from the start to its end, all sessions together.
    pub hours: f64,
    /// Whether the network is kept.
    pub accepted: bool,
    /// New rows.
    pub rows: u64,
    /// Rows per second in this session; `None` if all of them were there already.
    pub rows_per_second: Option<f64>,
    /// Rows that were trained on, with those of earlier rounds.
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

/// A match in the record.
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
        let bounded =
            |EloEstimate { elo, error }: EloEstimate| (elo.is_finite() && error.is_finite()).then_some([elo, error]);
        Self { games: score.games, pairs: score.pairs.counts(), elo: score.pairs.elo().and_then(bounded) }
    }
}

impl MatchLine {
    /// The pairs of games.
    pub fn pentanomial(&self) -> Pentanomial {
        Pentanomial::new(self.pairs)
    }
}

/// The rounds of a record; none if there is no file.
///
/// # Errors
/// If the file cannot be read, or a line is no round.
pub fn read_rounds(path: &Path) -> Result<Vec<Round>, ImproveError> {
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
