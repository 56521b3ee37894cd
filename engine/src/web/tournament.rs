//! The cross table of matches that were played with `alfiere match --json`, and the players' Elo from all of them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::ratings::{Encounter, ratings};

/// A result that cannot be shown.
#[derive(Debug, Error)]
pub enum ResultError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no result of a match.
    #[error("{}: {source}; expected what alfiere match --json writes", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong.
        source: serde_json::Error,
    },
}

/// What is read of a match's result.
#[derive(Deserialize)]
struct MatchResult {
    players: [PlayerResult; 2],
    games: Score,
}

#[derive(Deserialize)]
struct PlayerResult {
    name: String,
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    fn add(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }

    fn turned(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    fn games(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) + f64::from(self.losses)
    }

    fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

/// Everybody against everybody, the strongest first.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(super) struct CrossTable {
    players: Vec<Row>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Row {
    name: String,
    elo: f64,
    error: f64,
    games: f64,
    points: f64,
    /// Against each of the players in their order; nothing where they have not met.
    against: Vec<Option<Score>>,
}

impl CrossTable {
    /// Puts the results of these files together; players of the same name are the same player.
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
        let pairs: Vec<[usize; 2]> =
            results.iter().map(|result| [number(&result.players[0].name), number(&result.players[1].name)]).collect();
        let mut scores = vec![vec![None; names.len()]; names.len()];
        for (&[a, b], result) in pairs.iter().zip(results).filter(|([a, b], _)| a != b) {
            scores[a][b].get_or_insert(Score::default()).add(result.games);
            scores[b][a].get_or_insert(Score::default()).add(result.games.turned());
        }
        let met = |[a, b]: [usize; 2]| Some(([a, b], scores[a][b]?));
        let encounters: Vec<Encounter> = (0..names.len())
            .flat_map(|a| (a + 1..names.len()).filter_map(move |b| met([a, b])))
            .map(|(players, score)| Encounter { players, games: score.games(), points: score.points() })
            .collect();
        let ratings = ratings(names.len(), &encounters);
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let row = |&index: &usize| Row {
            name: names[index].to_owned(),
            elo: ratings[index].elo,
            error: ratings[index].error,
            games: scores[index].iter().flatten().map(|score| score.games()).sum(),
            points: scores[index].iter().flatten().map(|score| score.points()).sum(),
            against: order.iter().map(|&other| scores[index][other]).collect(),
        };
        Self { players: order.iter().map(row).collect() }
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
    fn several_matches_make_one_table() {
        let result = |first: &str, second: &str, wins, draws, losses| MatchResult {
            players: [first, second].map(|name| PlayerResult { name: name.to_owned() }),
            games: Score { wins, draws, losses },
        };
        let table = CrossTable::of(&[result("a", "b", 1, 2, 7), result("c", "b", 9, 1, 0), result("b", "a", 3, 0, 1)]);
        let names: Vec<&str> = table.players.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        let b = &table.players[1];
        assert_eq!(b.against[2], Some(Score { wins: 10, draws: 2, losses: 2 }));
        assert_eq!(b.against[1], None);
        assert_eq!(table.players[0].against[2], None);
        assert!((b.games - 24.0).abs() < 1e-9 && (b.points - 11.5).abs() < 1e-9);
        assert!(CrossTable::of(&[]).players.is_empty());
    }
}
