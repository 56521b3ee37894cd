//! Conversion of labels and results to scores and results of chains.

use alfiere_chess::types::Color;

use crate::rows::label::{Label, RowResult};
use crate::rows::mate_number::{from_plies, in_plies};

/// The score of positions without one.
const NO_SCORE: i16 = 32_002;

/// A label as a score of the side to move.
pub(super) fn score_of(label: Label, us: Color) -> i16 {
    in_plies(label, us) as i16
}

/// The label of a score; `None` for [`NO_SCORE`].
pub(super) fn label_of(score: i16, us: Color) -> Option<Label> {
    (score.unsigned_abs() != NO_SCORE as u16).then(|| from_plies(i32::from(score), us))
}

/// A known result from the point of view of the side to move.
pub(super) fn points_of(result: RowResult, us: Color) -> i16 {
    let white = match result {
        RowResult::WhiteWins => 1,
        RowResult::BlackWins => -1,
        RowResult::Draw | RowResult::Unknown => 0,
    };
    if us == Color::White { white } else { -white }
}

/// The inverse of [`points_of`].
pub(super) fn result_of(points: i16, us: Color) -> RowResult {
    match (points, us) {
        (0, _) => RowResult::Draw,
        (1.., Color::White) | (..0, Color::Black) => RowResult::WhiteWins,
        _ => RowResult::BlackWins,
    }
}
