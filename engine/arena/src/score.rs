//! Finished games, and the score of an encounter: games, pairs, statistics and faults.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};

use alfiere_chess::game::{EndReason, Fault, GameRecord, Points};
use serde::{Deserialize, Serialize};

use super::elo::{GameCounts, Pentanomial};
use super::schedule::ScheduledGame;
use super::sprt::{Sprt, SprtDecision};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FaultCounts {
    /// Illegal or malformed moves.
    pub illegal: u64,
    pub time: u64,
    /// Crashes, hangs and failures to start.
    pub crashes: u64,
}

impl FaultCounts {
    fn add(&mut self, kind: FaultKind) {
        match kind {
            FaultKind::Time => self.time += 1,
            FaultKind::Illegal => self.illegal += 1,
            FaultKind::Crash => self.crashes += 1,
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.illegal += other.illegal;
        self.time += other.time;
        self.crashes += other.crashes;
    }

    pub fn total(&self) -> u64 {
        self.illegal + self.time + self.crashes
    }
}

impl fmt::Display for FaultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal moves {}, time losses {}, crashes {}", self.illegal, self.time, self.crashes)
    }
}

/// The score of an encounter, from the first player's point of view.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    /// Results of single games.
    pub games: GameCounts,
    pub pairs: Pentanomial,
    /// Results with White and with Black.
    pub by_color: [GameCounts; 2],
    /// Faults of the first and the second player.
    pub faults: [FaultCounts; 2],
    /// Number of games by ending.
    pub endings: BTreeMap<&'static str, u64>,
    half_pairs: HashMap<u64, Points>,
}

impl MatchScore {
    pub fn add(&mut self, finished: &FinishedGame) {
        let FinishedGame { game: ScheduledGame { number, .. }, points, ending, fault } = *finished;
        self.games.add(points);
        self.by_color[number.first_player_color().index()].add(points);
        match self.half_pairs.remove(&number.pair()) {
            Some(other) => self.pairs.add(points, other),
            None => {
                self.half_pairs.insert(number.pair(), points);
            }
        }
        if let Some((player, kind)) = fault {
            self.faults[player].add(kind);
        }
        *self.endings.entry(ending.name()).or_default() += 1;
    }

    /// Summarises the match in one line:
    /// `Elo: +12.3 ± 4.5, 2000 games, Ptnml [..], LLR 2.95 (-2.94, 2.94) [0, 5]`.
    pub fn summary(&self, sprt: Option<&Sprt>) -> String {
        let elo = self.pairs.elo().map_or_else(|| "no pair finished".to_owned(), |estimate| estimate.to_string());
        let mut line = format!("Elo: {elo}, {} games, Ptnml {}", self.games.games(), self.pairs);
        // Writing to a string cannot fail.
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.pairs);
            let _ = write!(line, ", LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.elo0, sprt.elo1);
            match sprt.verdict(&self.pairs) {
                SprtDecision::Continue => {}
                verdict => {
                    let _ = write!(line, ", {verdict}");
                }
            }
        }
        line
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    Illegal,
    Time,
    /// A crash, a hang, or a failure to start.
    Crash,
}

/// How a game ended. The names are used in results and PGN files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Checkmate,
    Stalemate,
    FiftyMoves,
    Threefold,
    InsufficientMaterial,
    /// The maximum number of plies.
    TooLong,
    /// Adjudication by the engines' scores.
    Adjudication,
    EndgameTables,
    Fault,
}

impl Ending {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::FiftyMoves => "fifty moves",
            Self::Threefold => "threefold",
            Self::InsufficientMaterial => "insufficient material",
            Self::TooLong => "too long",
            Self::Adjudication => "adjudication",
            Self::EndgameTables => "endgame tables",
            Self::Fault => "fault",
        }
    }
}

impl From<&EndReason> for Ending {
    fn from(reason: &EndReason) -> Self {
        match reason {
            EndReason::Checkmate => Self::Checkmate,
            EndReason::Stalemate => Self::Stalemate,
            EndReason::FiftyMoves => Self::FiftyMoves,
            EndReason::Threefold => Self::Threefold,
            EndReason::InsufficientMaterial => Self::InsufficientMaterial,
            EndReason::MaxPlies => Self::TooLong,
            EndReason::Adjudication => Self::Adjudication,
            EndReason::EndgameTables => Self::EndgameTables,
            EndReason::Fault(..) => Self::Fault,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FinishedGame {
    pub game: ScheduledGame,
    /// Points of the encounter's first player.
    pub points: Points,
    pub ending: Ending,
    /// The player with a fault (0 for the first player) and its kind.
    pub fault: Option<(usize, FaultKind)>,
}

impl FinishedGame {
    /// Extracts the result from the record of a game.
    pub fn new(game: ScheduledGame, record: &GameRecord) -> Self {
        let first = game.number.first_player_color();
        let fault = match &record.reason {
            EndReason::Fault(side, fault) => Some((usize::from(*side != first), kind_of(fault))),
            _ => None,
        };
        Self { game, points: record.result.points(first), ending: Ending::from(&record.reason), fault }
    }
}

fn kind_of(fault: &Fault) -> FaultKind {
    match fault {
        Fault::TimeLoss { .. } => FaultKind::Time,
        Fault::IllegalMove { .. } => FaultKind::Illegal,
        Fault::NoStart(_) | Fault::Crash(_) | Fault::Hang { .. } => FaultKind::Crash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::GameNumber;

    #[test]
    fn pairs_are_completed_in_any_order() {
        let mut score = MatchScore::default();
        let game = |number, points, ending| FinishedGame {
            game: ScheduledGame { encounter: 0, number: GameNumber(number) },
            points,
            ending,
            fault: None,
        };
        // Game 3 (pair 1, first player Black) finishes before game 2.
        score.add(&FinishedGame { fault: Some((0, FaultKind::Crash)), ..game(3, Points::Loss, Ending::Fault) });
        score.add(&game(0, Points::Win, Ending::Checkmate));
        assert_eq!(score.pairs.pairs(), 0);
        assert!(score.summary(None).contains("no pair finished, 2 games"));
        score.add(&game(2, Points::Draw, Ending::Threefold));
        assert_eq!(score.pairs.counts(), [0, 1, 0, 0, 0]);
        assert_eq!((score.faults[0].crashes, score.faults[1].total()), (1, 0));
        assert_eq!(score.games.to_string(), "+1 =1 -1");
        assert_eq!(GameNumber(3).to_string(), "2.2");
    }

    #[test]
    fn the_summary_is_complete() {
        let score = MatchScore { pairs: Pentanomial::new([2, 4, 8, 4, 2]), ..MatchScore::default() };
        let sprt = Sprt::new(0.0, 5.0).expect("ordered");
        let summary = score.summary(Some(&sprt));
        assert!(summary.starts_with("Elo: +0.0 ± 85.1, 0 games, Ptnml [2, 4, 8, 4, 2], LLR -0."), "{summary}");
        assert!(summary.ends_with("(-2.94, 2.94) [0, 5]"), "{summary}");
    }
}
