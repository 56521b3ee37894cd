//! Adjudication: ends a game early if both engines' scores agree, or after a maximum number of plies.

use std::str::FromStr;

use thiserror::Error;

use crate::game::{GameResult, ReportedScore};
use crate::types::Color;

/// Draw adjudication: both engines' scores have been near zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// First full move whose scores count.
    pub from_move: u32,
    /// Number of consecutive moves of each engine.
    pub moves: u32,
    pub centipawns: i32,
}

/// Win adjudication: both engines' scores agree on the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Number of consecutive moves of each engine.
    pub moves: u32,
    /// Minimum score in centipawns, positive for the winner and negative for the loser.
    pub centipawns: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Maximum number of plies, including the opening; the game is then a draw.
    pub max_plies: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("\"{text}\": expected {expected}")]
pub struct RuleError {
    text: String,
    expected: &'static str,
}

fn numbers<const N: usize>(text: &str, expected: &'static str) -> Result<[u32; N], RuleError> {
    let error = || RuleError { text: text.to_owned(), expected };
    let parts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    parts.ok().and_then(|parts| parts.try_into().ok()).ok_or_else(error)
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let [from_move, moves, centipawns] = numbers(text, "FROM_MOVE,MOVES,CENTIPAWNS, such as 40,8,10")?;
        Ok(Self { from_move, moves: moves.max(1), centipawns: centipawns as i32 })
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "MOVES,CENTIPAWNS above 0, such as 4,800";
        let [moves, centipawns] = numbers(text, expected)?;
        if moves == 0 || centipawns == 0 {
            return Err(RuleError { text: text.to_owned(), expected });
        }
        Ok(Self { moves, centipawns: centipawns as i32 })
    }
}

/// Counts each side's consecutive moves with the same kind of score.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    rules: GameRules,
    drawish: [u32; 2],
    winning: [u32; 2],
    losing: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: GameRules) -> Self {
        Self { rules, drawish: [0; 2], winning: [0; 2], losing: [0; 2] }
    }

    /// Records the score with which `side` made its move in this full move, and returns the result if the game is over.
    /// A move without a score resets the counters of `side`.
    pub fn observe(&mut self, side: Color, reported_score: Option<ReportedScore>, fullmove: u32) -> Option<GameResult> {
        let (own, other) = (side.index(), (!side).index());
        let value = reported_score.map(ReportedScore::centipawns);
        let count = |counter: &mut [u32; 2], holds: bool| counter[own] = if holds { counter[own] + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            let counts = fullmove >= rule.from_move && value.is_some_and(|value| value.abs() <= rule.centipawns);
            count(&mut self.drawish, counts);
            if self.drawish.iter().all(|&moves| moves >= rule.moves) {
                return Some(GameResult::Draw);
            }
        }
        if let Some(rule) = self.rules.resign {
            count(&mut self.winning, value.is_some_and(|value| value >= rule.centipawns));
            count(&mut self.losing, value.is_some_and(|value| value <= -rule.centipawns));
            if self.winning[own] >= rule.moves && self.losing[other] >= rule.moves {
                return Some(GameResult::Win(side));
            }
            if self.losing[own] >= rule.moves && self.winning[other] >= rule.moves {
                return Some(GameResult::Win(!side));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjudicator(draw: Option<&str>, resign: Option<&str>) -> Adjudicator {
        Adjudicator::new(GameRules {
            draw: draw.map(|text| text.parse().expect("valid")),
            resign: resign.map(|text| text.parse().expect("valid")),
            max_plies: 400,
        })
    }

    #[test]
    fn a_draw_needs_both_players_and_the_move_number() {
        let cp = |value| Some(ReportedScore::Centipawns(value));
        let mut game = adjudicator(Some("10,2,20"), None);
        assert_eq!(game.observe(Color::White, cp(0), 9), None);
        for (fullmove, side, value, expected) in [
            (10, Color::White, 5, None),
            (10, Color::Black, -20, None),
            (11, Color::White, 21, None),
            (11, Color::Black, 0, None),
            (12, Color::White, 0, None),
            (12, Color::Black, 0, None),
            (13, Color::White, 0, Some(GameResult::Draw)),
        ] {
            assert_eq!(game.observe(side, cp(value), fullmove), expected, "{fullmove} {side:?}");
        }
    }

    #[test]
    fn a_win_needs_both_players_to_agree() {
        let mut game = adjudicator(None, Some("2,600"));
        for fullmove in 1..10 {
            assert_eq!(game.observe(Color::White, Some(ReportedScore::Mate(5)), fullmove), None);
            assert_eq!(game.observe(Color::Black, Some(ReportedScore::Centipawns(-599)), fullmove), None);
        }
        assert_eq!(game.observe(Color::Black, Some(ReportedScore::Centipawns(-600)), 10), None);
        assert_eq!(game.observe(Color::White, None, 11), None);
        assert_eq!(game.observe(Color::Black, Some(ReportedScore::Mate(-4)), 11), None);
        assert_eq!(game.observe(Color::White, Some(ReportedScore::Centipawns(700)), 12), None);
        assert_eq!(
            game.observe(Color::White, Some(ReportedScore::Centipawns(700)), 13),
            Some(GameResult::Win(Color::White))
        );
    }

    #[test]
    fn impossible_scores_are_for_the_side_that_they_name() {
        for (won, lost) in [
            (ReportedScore::Centipawns(i32::MAX), ReportedScore::Centipawns(i32::MIN)),
            (ReportedScore::Mate(i32::MAX), ReportedScore::Mate(i32::MIN)),
        ] {
            let mut game = adjudicator(Some("1,1,10"), Some("1,600"));
            assert_eq!(game.observe(Color::White, Some(lost), 1), None);
            assert_eq!(game.observe(Color::Black, Some(won), 1), Some(GameResult::Win(Color::Black)), "{won:?}");
        }
    }

    #[test]
    fn rules_are_read_strictly() {
        assert!("40,8".parse::<DrawRule>().is_err() && "a,b,c".parse::<DrawRule>().is_err());
        assert!("4,800,1".parse::<ResignRule>().is_err() && "-4,800".parse::<ResignRule>().is_err());
        // With 0 centipawns every game would end after a move.
        assert!("4,0".parse::<ResignRule>().is_err() && "0,800".parse::<ResignRule>().is_err());
    }
}
