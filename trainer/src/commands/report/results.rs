//! Reads the results of suites and matches from JSON.

use std::collections::BTreeMap;
use std::path::Path;

use alfiere_search::engine::Player;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::Failure;

/// The reference engine.
pub(super) const STOCKFISH: &str = "stockfish";
/// The depths of the suite.
pub(super) const DEPTHS: [u32; 3] = [2, 4, 6];

/// Number of solved positions and total.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Solved {
    pub(super) solved: u32,
    pub(super) total: u32,
}

/// Results of a suite by kind of position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct SuiteScore {
    pub(super) all: Solved,
    pub(super) best: Solved,
    pub(super) avoid: Solved,
    pub(super) nodes: u64,
    pub(super) milliseconds: u64,
}

/// The answer to one position.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Attempt {
    pub(super) played: Option<String>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) milliseconds: u64,
}

/// A result file of `alfiere suite`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Suite {
    pub(super) score: SuiteScore,
    pub(super) attempts: Vec<Attempt>,
}

/// Game results of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
pub(super) struct GameCounts {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl GameCounts {
    pub(super) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The results from the other player's point of view.
    pub(super) fn turned(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    /// Score per game.
    pub(super) fn share(self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games().max(1) as f64
    }
}

/// A result file of `alfiere match`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Match {
    pub(super) games: GameCounts,
    /// Number of game pairs by score of the first player, 0 to 2 in steps of 0.5.
    pub(super) pentanomial: [u64; 5],
    pub(super) elo: Option<f64>,
    pub(super) error_95: Option<f64>,
    pub(super) endings: BTreeMap<String, u64>,
    pub(super) seconds: f64,
    players: Vec<Side>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Side {
    faults: BTreeMap<String, u64>,
}

impl Match {
    /// Illegal moves, losses on time and crashes of both players.
    pub(super) fn faults(&self) -> u64 {
        self.players.iter().flat_map(|side| side.faults.values()).sum()
    }
}

/// All results found in a folder.
pub(super) struct Results {
    /// Players from weakest to strongest by their games, with Stockfish last if present.
    pub(super) players: Vec<&'static str>,
    /// By player and depth.
    pub(super) eret: BTreeMap<(String, u32), SuiteScore>,
    /// By player, for fixed depth and fixed time.
    pub(super) position: BTreeMap<(String, &'static str), Attempt>,
    /// By both players.
    pub(super) matches: BTreeMap<(String, String), Match>,
    pub(super) ten: Option<Match>,
    pub(super) fair: Option<Match>,
}

impl Results {
    /// Reads all results that exist.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let mut players: Vec<&'static str> = Player::ALL.iter().rev().map(|player| player.name()).collect();
        let mut results = Self {
            players: Vec::new(),
            eret: BTreeMap::new(),
            position: BTreeMap::new(),
            matches: BTreeMap::new(),
            ten: read(folder, "ten")?,
            fair: read(folder, "fair")?,
        };
        for player in players.iter().copied().chain([STOCKFISH]) {
            for depth in DEPTHS {
                let suite: Option<Suite> = read(folder, &format!("eret-{player}-{depth}"))?;
                results.eret.extend(suite.map(|suite| ((player.to_owned(), depth), suite.score)));
            }
            for kind in ["depth", "time"] {
                let suite: Option<Suite> = read(folder, &format!("position-{player}-{kind}"))?;
                let attempt = suite.and_then(|suite| suite.attempts.into_iter().next());
                results.position.extend(attempt.map(|attempt| ((player.to_owned(), kind), attempt)));
            }
            for other in &players {
                let played = read(folder, &format!("match-{player}-{other}"))?;
                results.matches.extend(played.map(|played| ((player.to_owned(), (*other).to_owned()), played)));
            }
        }
        if results.eret.is_empty() && results.matches.is_empty() {
            let folder = folder.display();
            return Err(Failure::new(format!(
                "{folder}: no results, expected files such as eret-beam-4.json; see scripts/report"
            )));
        }
        players.sort_by(|one, other| {
            let share = |player: &str| results.standing(player).map_or(0.0, |(share, _)| share);
            share(one).total_cmp(&share(other))
        });
        if results.eret.keys().any(|(player, _)| player == STOCKFISH) {
            players.push(STOCKFISH);
        }
        results.players = players;
        Ok(results)
    }

    /// The match of two players from the first player's point of view.
    pub(super) fn between(&self, one: &str, other: &str) -> Option<(GameCounts, Option<f64>, Option<f64>)> {
        let find = |a: &str, b: &str| self.matches.get(&(a.to_owned(), b.to_owned()));
        if let Some(played) = find(one, other) {
            return Some((played.games, played.elo, played.error_95));
        }
        let played = find(other, one)?;
        Some((played.games.turned(), played.elo.map(|elo| -elo), played.error_95))
    }

    /// A player's score per game over all matches, with its 95 % error computed from pairs.
    pub(super) fn standing(&self, player: &str) -> Option<(f64, f64)> {
        let (mut pairs, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for ((first, second), played) in &self.matches {
            let is_first = first == player;
            if !is_first && second != player {
                continue;
            }
            for (points, &count) in played.pentanomial.iter().enumerate() {
                let share = points as f64 / 4.0;
                let share = if is_first { share } else { 1.0 - share };
                pairs += count as f64;
                sum += share * count as f64;
                squares += share * share * count as f64;
            }
        }
        if pairs < 2.0 {
            return None;
        }
        let mean = sum / pairs;
        let variance = (squares / pairs - mean * mean).max(0.0) / (pairs - 1.0);
        Some((mean, 1.96 * variance.sqrt()))
    }
}

/// Reads a result by name; `None` if it does not exist.
fn read<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>, Failure> {
    let path = folder.join(format!("{name}.json"));
    if !path.exists() {
        return Ok(None);
    }
    let fail = |error: &dyn std::error::Error| Failure::at(&path, error);
    let text = std::fs::read_to_string(&path).map_err(|error| fail(&error))?;
    serde_json::from_str(&text).map(Some).map_err(|error| fail(&error))
}
