//! The cross table of matches played with `alfiere match --json`, with Elo ratings from all of them.

use std::path::{Path, PathBuf};

use alfiere_arena::cross_table::{CrossTable, Row};
use alfiere_arena::elo::GameCounts;
use alfiere_arena::encounter::{Colors, Encounter};
use alfiere_arena::ratings::Rating;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A match result that cannot be used.
#[derive(Debug, Error)]
pub enum ResultError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The I/O error.
        source: std::io::Error,
    },
    /// The file is not a match result.
    #[error("{}: {source}; expected what alfiere match --json writes", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The JSON error.
        source: serde_json::Error,
    },
}

/// The fields of a match result that are used.
#[derive(Deserialize)]
struct MatchResult {
    players: [PlayerResult; 2],
    games: Games,
}

#[derive(Deserialize)]
struct PlayerResult {
    name: String,
}

/// Games won, drawn and lost; limited to 32 bits, so that sums fit into a [`GameCounts`].
#[derive(Clone, Copy, Deserialize)]
struct Games {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl From<Games> for GameCounts {
    fn from(Games { wins, draws, losses }: Games) -> Self {
        Self { wins: wins.into(), draws: draws.into(), losses: losses.into() }
    }
}

/// The cross table as sent to the page, strongest player first.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(super) struct Tournament {
    players: Vec<Standing>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Standing {
    name: String,
    /// `None` before the first game.
    rating: Option<Rating>,
    games: u64,
    points: f64,
    /// Results against each player in order; `None` if they have not played.
    against: Vec<Option<GameCounts>>,
}

impl Tournament {
    /// Combines the results of these files; players with the same name are the same player.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self, ResultError> {
        let results: Vec<MatchResult> = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
        Ok(Self::of(&results))
    }

    fn of(results: &[MatchResult]) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut number = |name| {
            names.iter().position(|&other| other == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let encounters: Vec<Encounter> = results
            .iter()
            .map(|MatchResult { players: [a, b], games }| Encounter {
                players: [number(&a.name), number(&b.name)],
                games: GameCounts::from(*games),
                colors: Colors::Mixed,
            })
            .collect();
        let table = CrossTable::new(names.len(), &encounters, &[]);
        let standing = |row: Row| Standing {
            name: names[row.player].to_owned(),
            rating: row.rating,
            games: row.games.games(),
            points: row.games.points(),
            against: row.against,
        };
        Self { players: table.rows.into_iter().map(standing).collect() }
    }
}

fn read(path: &Path) -> Result<MatchResult, ResultError> {
    let text = std::fs::read_to_string(path).map_err(|source| ResultError::Read { path: path.to_owned(), source })?;
    serde_json::from_str(&text).map_err(|source| ResultError::Format { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_matches_are_combined() {
        let result = |first: &str, second: &str, wins, draws, losses| MatchResult {
            players: [first, second].map(|name| PlayerResult { name: name.to_owned() }),
            games: Games { wins, draws, losses },
        };
        let of = |results: &[MatchResult]| Tournament::of(results).players;
        let players = of(&[result("a", "b", 1, 2, 7), result("c", "b", 9, 1, 0), result("b", "a", 3, 0, 1)]);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert_eq!(players[1].against[2], Some(GameCounts { wins: 10, draws: 2, losses: 2 }));
        assert_eq!((players[1].against[1], players[0].against[2]), (None, None));
        assert_eq!(players[1].games, 24);
        assert!((players[1].points - 11.5).abs() < 1e-9);
        assert!(of(&[]).is_empty());
        assert!(of(&[result("a", "b", u32::MAX, 0, 0), result("b", "a", 0, 0, 0)])[0].rating.is_some());
    }
}
