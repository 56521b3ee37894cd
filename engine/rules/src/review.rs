//! Reviews of games from a page's evaluations.

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::review::{Evaluation, Judgement, SideReview, WhiteScore, review};
use alfiere_chess::types::Color;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ReviewError {
    #[error(transparent)]
    Start(#[from] FenError),
    #[error("{positions} positions for {moves} moves, expected {}", moves + 1)]
    Count { positions: usize, moves: usize },
}

/// An [`Evaluation`] as pages send it, and the best move.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionEvaluation {
    cp: Option<i32>,
    /// 0 for a checkmate on the board.
    mate: Option<i32>,
    expected_score: f64,
    best: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewedMove {
    /// Loss of expected score, 0 to 1.
    pub loss: f64,
    /// Accuracy in percent.
    pub accuracy: f64,
    pub judgement: Option<&'static str>,
    pub glyph: Option<u8>,
    /// The evaluation before the move, if the search had missed how good the move is.
    pub corrected: Option<Evaluation>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SideSummary {
    /// Accuracy in percent.
    pub accuracy: f64,
    /// The number of moves of each judgement, mildest first, with its name in singular or plural.
    pub counts: Vec<(usize, &'static str)>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    pub moves: Vec<ReviewedMove>,
    pub white: SideSummary,
    pub black: SideSummary,
}

impl Review {
    pub(crate) fn new(
        fen: Option<&str>,
        moves: &[String],
        positions: &[PositionEvaluation],
    ) -> Result<Self, ReviewError> {
        if positions.len() != moves.len() + 1 {
            return Err(ReviewError::Count { positions: positions.len(), moves: moves.len() });
        }
        let first = fen.map_or_else(|| Ok(Board::startpos()), Board::from_fen)?.side_to_move();
        let played = moves.iter().zip(positions);
        let are_best: Vec<bool> =
            played.map(|(mv, before)| before.best.as_ref().is_none_or(|best| best == mv)).collect();
        let evaluations: Vec<Evaluation> = positions.iter().map(PositionEvaluation::evaluation).collect();
        let reviewed = review(first, &are_best, &evaluations);
        let [white, black] = reviewed.sides.map(SideSummary::new);
        let moves = reviewed.moves.into_iter().map(|found| ReviewedMove {
            loss: found.loss,
            accuracy: found.accuracy,
            judgement: found.judgement.map(Judgement::name),
            glyph: found.judgement.map(Judgement::glyph),
            corrected: found.corrected,
        });
        Ok(Self { moves: moves.collect(), white, black })
    }
}

impl PositionEvaluation {
    fn evaluation(&self) -> Evaluation {
        let score = match (self.mate, self.cp) {
            // A checkmate on the board has no sign: the expected score says who wins.
            (Some(0), _) => WhiteScore::Checkmate(if self.expected_score > 0.5 { Color::White } else { Color::Black }),
            (Some(moves), _) => WhiteScore::Mate(moves),
            (None, value) => WhiteScore::Centipawns(value.unwrap_or(0)),
        };
        Evaluation { score, expected_score: self.expected_score }
    }
}

impl SideSummary {
    fn new(side: SideReview) -> Self {
        let count = |(kind, count): (Judgement, usize)| {
            (count > 0).then(|| (count, if count == 1 { kind.name() } else { kind.plural() }))
        };
        Self {
            accuracy: side.accuracy,
            counts: Judgement::ALL.into_iter().zip(side.judged).filter_map(count).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_counts_for_the_side_that_gives_it() {
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"].map(str::to_owned);
        let positions = r#"[{"cp": 20, "expected_score": 0.53, "best": "e2e4"},
            {"cp": -60, "expected_score": 0.4, "best": "e7e5"}, {"cp": -50, "expected_score": 0.4, "best": "g1h3"},
            {"mate": -1, "expected_score": 0, "best": "d8h4"}, {"mate": 0, "expected_score": 0}]"#;
        let positions: Vec<PositionEvaluation> = serde_json::from_str(positions).expect("JSON");
        let answer = Review::new(None, &moves, &positions).expect("a review");
        let judgements: Vec<_> = answer.moves.iter().map(|reviewed| (reviewed.judgement, reviewed.glyph)).collect();
        assert_eq!(judgements, [(Some("inaccuracy"), Some(6)), (None, None), (Some("blunder"), Some(4)), (None, None)]);
        assert_eq!(answer.white.counts, [(1, "inaccuracy"), (1, "blunder")]);
        assert!(answer.white.accuracy < 60.0 && answer.black.accuracy > 99.0, "{answer:?}");
        let error = Review::new(None, &moves, &[]).expect_err("no positions").to_string();
        assert_eq!(error, "0 positions for 4 moves, expected 5");
    }
}
