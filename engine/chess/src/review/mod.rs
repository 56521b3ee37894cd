//! Reviews of games: what each move lost, by an engine's evaluations of the positions.
//!
//! `judgement` calls moves inaccuracies, mistakes and blunders, and has the formulas of accuracy in percent.

mod judgement;
mod score;

use serde::Serialize;

use self::judgement::{game_accuracy, move_accuracy};
use crate::types::Color;

pub use judgement::{Judgement, win_percent};
pub use score::{MAX_CENTIPAWNS, WhiteScore};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveReview {
    /// Loss of expected score, 0 to 1.
    pub loss: f64,
    /// Loss in centipawns, 0 to twice [`MAX_CENTIPAWNS`].
    pub centipawn_loss: i32,
    /// Its accuracy in percent.
    pub accuracy: f64,
    pub judgement: Option<Judgement>,
    /// The evaluation before the move, if the search had missed how good the move is: that of the position after it.
    pub corrected: Option<Evaluation>,
}

/// Summary of one side's moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SideReview {
    pub moves: usize,
    /// Number of moves per judgement, in the order of [`Judgement::ALL`].
    pub judged: [usize; 3],
    /// Average centipawn loss per move.
    pub average_centipawn_loss: f64,
    /// Accuracy in percent; 100 without moves.
    pub accuracy: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    pub moves: Vec<MoveReview>,
    /// The summaries of White and Black.
    pub sides: [SideReview; 2],
}

/// Reviews the moves of a game that `first` began. `are_best` says of each whether the engine would have played it: such
/// a move loses nothing, even if the next search evaluates it lower. `evaluations` are those of the positions, one more
/// than moves. A position is worth at least what its move reaches: where a move gains as much as an inaccuracy loses, the
/// evaluation before it is corrected, so that the move before that gets its judgement.
pub fn review(first: Color, are_best: &[bool], evaluations: &[Evaluation]) -> Review {
    debug_assert_eq!(evaluations.len(), are_best.len() + 1);
    let mover = |index: usize| if index.is_multiple_of(2) { first } else { !first };
    let mut evaluations = evaluations.to_vec();
    let mut corrected = vec![None; are_best.len()];
    for index in (0..are_best.len()).rev() {
        let [before, after] = [evaluations[index], evaluations[index + 1]];
        if Judgement::of_move(!mover(index), before.score, after.score).is_some() {
            evaluations[index] = after.before_move();
            corrected[index] = Some(evaluations[index]);
        }
    }
    let pairs = are_best.iter().zip(evaluations.windows(2)).enumerate();
    let reviewed = |(index, (&is_best, pair)): (usize, (&bool, &[Evaluation]))| {
        let corrected = corrected[index];
        MoveReview { corrected, ..review_move(mover(index), is_best || corrected.is_some(), pair[0], pair[1]) }
    };
    let moves: Vec<MoveReview> = pairs.map(reviewed).collect();
    let percents: Vec<f64> = evaluations.iter().map(|evaluation| win_percent(evaluation.score.bounded())).collect();
    let sides = Color::ALL.map(|side| {
        let own: Vec<(usize, MoveReview)> =
            moves.iter().copied().enumerate().filter(|&(index, _)| mover(index) == side).collect();
        let accuracies: Vec<(usize, f64)> = own.iter().map(|&(index, reviewed)| (index, reviewed.accuracy)).collect();
        let lost: i64 = own.iter().map(|(_, reviewed)| i64::from(reviewed.centipawn_loss)).sum();
        let count = |kind| own.iter().filter(|(_, reviewed)| reviewed.judgement == Some(kind)).count();
        SideReview {
            moves: own.len(),
            judged: Judgement::ALL.map(count),
            average_centipawn_loss: lost as f64 / own.len().max(1) as f64,
            accuracy: game_accuracy(&percents, &accuracies),
        }
    });
    Review { moves, sides }
}

/// How much lower a value of White's is for `side` after a move.
fn lost(side: Color, before: f64, after: f64) -> f64 {
    let difference = if side == Color::White { before - after } else { after - before };
    difference.max(0.0)
}

fn review_move(side: Color, is_best: bool, before: Evaluation, after: Evaluation) -> MoveReview {
    let lost = |before: f64, after: f64| if is_best { 0.0 } else { lost(side, before, after) };
    let loss = lost(before.expected_score, after.expected_score);
    let judgement = if is_best { None } else { Judgement::of_move(side, before.score, after.score) };
    let (before, after) = (before.score.bounded(), after.score.bounded());
    let percent_loss = lost(win_percent(before), win_percent(after));
    MoveReview {
        loss,
        centipawn_loss: lost(before.into(), after.into()) as i32,
        accuracy: move_accuracy(percent_loss, 0.0),
        judgement,
        corrected: None,
    }
}

/// An engine's evaluation of a position, from White's point of view. Its JSON has `cp` or `mate`, and `expected_score`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Evaluation {
    #[serde(flatten)]
    pub score: WhiteScore,
    /// White's expected score, 0 to 1.
    pub expected_score: f64,
}

impl Evaluation {
    pub const DRAW: Self = Self { score: WhiteScore::Centipawns(0), expected_score: 0.5 };

    pub const fn checkmate(winner: Color) -> Self {
        let expected_score = match winner {
            Color::White => 1.0,
            Color::Black => 0.0,
        };
        Self { score: WhiteScore::Checkmate(winner), expected_score }
    }

    /// The evaluation of the position before the move that leads to this one, if that move is the best.
    pub(super) fn before_move(self) -> Self {
        let score = match self.score {
            WhiteScore::Checkmate(Color::White) => WhiteScore::Mate(1),
            WhiteScore::Checkmate(Color::Black) => WhiteScore::Mate(-1),
            WhiteScore::Mate(moves) => WhiteScore::Mate(moves + moves.signum()),
            score @ WhiteScore::Centipawns(_) => score,
        };
        Self { score, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_loses_by_its_own_moves_only() {
        let at = |value, expected_score| Evaluation { score: WhiteScore::Centipawns(value), expected_score };
        let evaluations = [at(0, 0.5), at(-300, 0.15), at(-100, 0.3), at(-400, 0.05), at(-500, 0.02)];
        let are_best = [false, false, true, false];
        let Review { moves, sides: [white, black] } = review(Color::White, &are_best, &evaluations);
        let judgements: Vec<_> = moves.iter().map(|reviewed| reviewed.judgement).collect();
        assert_eq!(judgements, [Some(Judgement::Blunder), Some(Judgement::Blunder), None, None]);
        // The engine's own choice and a gain lose nothing.
        assert_eq!(moves.iter().map(|reviewed| reviewed.centipawn_loss).collect::<Vec<_>>(), [300, 200, 0, 0]);
        assert_eq!((moves[2].accuracy, moves[3].accuracy), (100.0, 100.0));
        assert_eq!((white.moves, white.judged, white.average_centipawn_loss), (2, [0, 0, 1], 150.0));
        assert_eq!((black.moves, black.judged, black.average_centipawn_loss), (2, [0, 0, 1], 100.0));
        assert!(white.accuracy < black.accuracy && black.accuracy < 100.0, "{white:?} {black:?}");
    }

    #[test]
    fn a_move_that_the_search_missed_makes_the_move_before_a_blunder() {
        let at = |value, expected_score| Evaluation { score: WhiteScore::Centipawns(value), expected_score };
        let mate = Evaluation { score: WhiteScore::Mate(-2), expected_score: 0.0 };
        let Review { moves, .. } = review(Color::White, &[false, false], &[at(40, 0.6), at(10, 0.51), mate]);
        assert_eq!((moves[0].judgement, moves[0].corrected), (Some(Judgement::Blunder), None));
        let before = Evaluation { score: WhiteScore::Mate(-3), ..mate };
        assert_eq!((moves[1].loss, moves[1].corrected), (0.0, Some(before)));
    }

    #[test]
    fn scores_are_bounded_and_formatted_for_pgn() {
        for (score, text, bounded) in [
            (WhiteScore::Centipawns(35), "0.35", 35),
            (WhiteScore::Centipawns(-35), "-0.35", -35),
            (WhiteScore::Centipawns(1234), "12.34", 1000),
            (WhiteScore::Mate(-3), "#-3", -1000),
            (WhiteScore::Mate(2), "#2", 1000),
            (WhiteScore::Checkmate(Color::Black), "#", -1000),
        ] {
            assert_eq!((score.to_string().as_str(), score.bounded()), (text, bounded));
        }
    }
}
