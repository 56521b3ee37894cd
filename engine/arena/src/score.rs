//! The standing of a match: games, pairs, the statistics drawn from them, and who failed how often.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};

use alfiere_chess::game::{EndReason, Fault, GameRecord, Points};
use alfiere_chess::types::Color;
use serde::Serialize;

use super::elo::{GameCounts, Pentanomial};
use super::sprt::{Sprt, SprtDecision};

/// How often one player failed, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FaultCounts {
    /// Illegal or unreadable moves, refused legal moves, false claims.
    pub illegal: u64,
    /// Games lost on time.
    pub time: u64,
    /// Crashes, hangs and failures to start.
    pub crashes: u64,
}

impl FaultCounts {
    fn add(&mut self, fault: &Fault) {
        match fault {
            Fault::TimeLoss { .. } => self.time += 1,
            Fault::IllegalMove { .. } | Fault::RefusedMove { .. } | Fault::FalseClaim { .. } => self.illegal += 1,
            Fault::NoStart(_) | Fault::Crash(_) | Fault::Hang { .. } => self.crashes += 1,
        }
    }

    /// Adds other failures.
    pub fn merge(&mut self, other: Self) {
        self.illegal += other.illegal;
        self.time += other.time;
        self.crashes += other.crashes;
    }

    /// Failures of all kinds.
    pub fn total(&self) -> u64 {
        self.illegal + self.time + self.crashes
    }
}

impl fmt::Display for FaultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal moves {}, time losses {}, crashes {}", self.illegal, self.time, self.crashes)
    }
}

/// Which game of the match: its number from 0. Two on end are a pair; in the even one the first player is White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameNumber(pub u64);

impl GameNumber {
    /// The pair it belongs to.
    pub fn pair(self) -> u64 {
        self.0 / 2
    }

    /// The colour of the first player.
    pub fn first_player_color(self) -> Color {
        if self.0.is_multiple_of(2) { Color::White } else { Color::Black }
    }
}

impl fmt::Display for GameNumber {
    /// `PAIR.GAME`, both from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair() + 1, self.0 % 2 + 1)
    }
}

/// All that has been played, the first player's view.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    /// Single games.
    pub games: GameCounts,
    /// Finished pairs.
    pub pairs: Pentanomial,
    /// Games with White, and with Black.
    pub by_color: [GameCounts; 2],
    /// Failures of the first and of the second player.
    pub faults: [FaultCounts; 2],
    /// How games ended.
    pub endings: BTreeMap<&'static str, u64>,
    half_pairs: HashMap<u64, Points>,
}

impl MatchScore {
    /// Counts one more game.
    pub fn add(&mut self, number: GameNumber, record: &GameRecord) {
        let color = number.first_player_color();
        let points = record.result.points(color);
        self.games.add(points);
        self.by_color[color.index()].add(points);
        match self.half_pairs.remove(&number.pair()) {
            Some(other) => self.pairs.add(points, other),
            None => {
                self.half_pairs.insert(number.pair(), points);
            }
        }
        if let EndReason::Fault(side, fault) = &record.reason {
            self.faults[usize::from(*side != color)].add(fault);
        }
        *self.endings.entry(ending(&record.reason)).or_default() += 1;
    }

    /// The line by which matches are compared:
    /// `Elo: +12.3 ± 4.5, 2000 games, Ptnml [..], LLR 2.95 (-2.94, 2.94) [0, 5]`.
    pub fn claim(&self, sprt: Option<&Sprt>) -> String {
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

fn ending(reason: &EndReason) -> &'static str {
    match reason {
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::FiftyMoves => "fifty moves",
        EndReason::Threefold => "threefold",
        EndReason::InsufficientMaterial => "insufficient material",
        EndReason::MaxPlies => "too long",
        EndReason::Adjudication => "adjudication",
        EndReason::Resignation(_) => "resignation",
        EndReason::Fault(..) => "fault",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::board::Board;
    use alfiere_chess::game::GameResult;

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let mut score = MatchScore::default();
        let record = |result, reason| GameRecord { start: Board::startpos(), moves: Vec::new(), result, reason };
        let white_wins = GameResult::Win(Color::White);
        let crash = EndReason::Fault(Color::Black, Fault::Crash("x".to_owned()));
        // Game 3 (pair 1, the first player is Black) is finished before game 2.
        score.add(GameNumber(3), &record(white_wins, crash));
        score.add(GameNumber(0), &record(white_wins, EndReason::Checkmate));
        assert_eq!(score.pairs.pairs(), 0);
        assert!(score.claim(None).contains("no pair finished, 2 games"));
        score.add(GameNumber(2), &record(GameResult::Draw, EndReason::Threefold));
        assert_eq!(score.pairs.counts(), [0, 1, 0, 0, 0]);
        assert_eq!((score.faults[0].crashes, score.faults[1].total()), (1, 0));
        assert_eq!(score.games.to_string(), "+1 =1 -1");
        assert_eq!(GameNumber(3).to_string(), "2.2");
    }

    #[test]
    fn the_claim_has_everything() {
        let score = MatchScore { pairs: Pentanomial::new([2, 4, 8, 4, 2]), ..MatchScore::default() };
        let sprt = Sprt::new(0.0, 5.0).expect("ordered");
        let claim = score.claim(Some(&sprt));
        assert!(claim.starts_with("Elo: +0.0 ± 85.1, 0 games, Ptnml [2, 4, 8, 4, 2], LLR -0."), "{claim}");
        assert!(claim.ends_with("(-2.94, 2.94) [0, 5]"), "{claim}");
    }
}
