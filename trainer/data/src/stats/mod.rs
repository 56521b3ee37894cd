//! Statistics of a data set, and warnings about suspicious data.

mod distributions;
mod results;
mod warnings;

use std::borrow::Cow;

use alfiere_chess::types::Color;
use serde::Serialize;

pub use distributions::{Binned, Distributions, MaterialBin};
pub use results::{OutcomeBin, ResultStats, SignStats, expected_points};

use self::distributions::{Correlation, material};
use super::dataset::Dataset;
use crate::metrics::MetricSums;
use crate::rows::label::Label;
use crate::rows::row::{BestMove, Row};
use crate::splits::games::Game;
use crate::splits::split::KeySet;

/// Statistics of a set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DatasetStats {
    pub rows: u64,
    pub games: u64,
    pub rows_without_game: u64,
    /// Rows whose position (placement and side to move) occurs in an earlier row.
    pub duplicates: u64,
    pub white_to_move: u64,
    pub in_check: u64,
    /// Rows that resolving captures changes.
    pub captures: u64,
    pub labels: LabelStats,
    pub results: ResultStats,
    pub best_move_known: u64,
    /// Rows whose best move is a capture or promotion.
    pub best_move_noisy: u64,
    /// Rows by piece count: 1–4, 5–8, … 29–32, as in the output buckets of a network.
    pub by_pieces: [u64; 8],
    /// Sign changes of labels between consecutive plies.
    pub signs: SignStats,
    pub distributions: Distributions,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LabelStats {
    pub white_mates: u64,
    pub black_mates: u64,
    /// Labels of exactly 0.
    pub zero: u64,
    /// Centipawn labels of at least 1000 on either side, which are clipped.
    pub beyond_report: u64,
    /// Smallest, 5 %, 25 %, 50 %, 75 %, 95 % and largest of the centipawn labels.
    pub quantiles: [i32; 7],
    /// Mean in clipped centipawns.
    pub report_mean: f64,
    /// Variance in clipped centipawns: the MSE of the best constant predictor.
    pub report_variance: f64,
    /// Correlation with the material balance from White's point of view.
    pub material_correlation: f64,
    /// Correlation with the material balance of the side to move; larger than White's if the labels are from the point
    /// of view of the side to move.
    pub mover_material_correlation: f64,
    /// Centipawns per pawn of material balance, over balances up to three pawns and labels up to ±2000.
    pub per_pawn: f64,
    pub per_pawn_correlation: f64,
    /// Number of centipawn labels with the largest absolute value; many of them indicate clipping.
    pub at_extreme: u64,
}

impl DatasetStats {
    /// Computes the statistics of a set; `None` if it is empty.
    pub fn of(set: &Dataset) -> Option<Self> {
        Self::of_rows(&set.rows, &set.games, set.changed.len())
    }

    fn of_rows(rows: &[Row], games: &[Game], changed: usize) -> Option<Self> {
        let count = |test: fn(&Row) -> bool| rows.iter().filter(|row| test(row)).count() as u64;
        let mut seen = KeySet::default();
        let mut by_pieces = [0; 8];
        for row in rows {
            seen.insert(row.key());
            by_pieces[(row.piece_count() as usize - 1) / 4] += 1;
        }
        Some(Self {
            rows: rows.len() as u64,
            games: games.iter().filter(|game| game.anchor.is_some()).count() as u64,
            rows_without_game: games
                .iter()
                .filter(|game| game.anchor.is_none())
                .map(|game| game.rows.len() as u64)
                .sum(),
            duplicates: (rows.len() - seen.len()) as u64,
            white_to_move: count(|row| row.side_to_move() == Color::White),
            in_check: count(Row::in_check),
            captures: changed as u64,
            labels: LabelStats::of(rows)?,
            results: ResultStats::of(rows),
            best_move_known: count(|row| row.best_move() != BestMove::Unknown),
            best_move_noisy: count(|row| row.best_move() == BestMove::Noisy),
            by_pieces,
            signs: SignStats::of(rows),
            distributions: Distributions::of(rows),
        })
    }
}

/// Rows beyond this number are not checked by [`data_warnings`].
const CHECKED_ROWS: usize = 250_000;
/// Rows are checked in blocks of neighbours.
const CHECKED_BLOCK: usize = 1 << 14;

/// Warnings about suspicious labels and repeated rows, one sentence each; of a large set, evenly spaced blocks are checked.
pub fn data_warnings(rows: &[Row]) -> Vec<String> {
    block_warnings(rows, CHECKED_ROWS)
}

fn block_warnings(rows: &[Row], most: usize) -> Vec<String> {
    let step = rows.len().div_ceil(most).max(1);
    let checked: Cow<'_, [Row]> = match step {
        1 => rows.into(),
        _ => rows.chunks(CHECKED_BLOCK).step_by(step).flatten().copied().collect(),
    };
    DatasetStats::of_rows(&checked, &[], 0).map_or_else(Vec::new, |stats| stats.warnings())
}

impl LabelStats {
    fn of(rows: &[Row]) -> Option<Self> {
        let (mut white_mates, mut black_mates, mut beyond_report) = (0, 0, 0);
        let mut centipawns = Vec::with_capacity(rows.len());
        let mut sums = MetricSums::default();
        let (mut white, mut mover) = (Correlation::default(), Correlation::default());
        let mut pawns = Correlation::default();
        for row in rows {
            let value = row.label().clipped();
            sums.add(0.0, value);
            let material = f64::from(material(row));
            white.add(value, material);
            mover.add(value, if row.side_to_move() == Color::White { material } else { -material });
            match row.label() {
                Label::Centipawns(value) => {
                    centipawns.push(value);
                    if material.abs() <= 3.0 {
                        pawns.add(material, f64::from(value.clamp(-2_000, 2_000)));
                    }
                    beyond_report += u64::from(value.unsigned_abs() >= 1_000);
                }
                Label::Mate { winner: Color::White, .. } => white_mates += 1,
                Label::Mate { winner: Color::Black, .. } => black_mates += 1,
            }
        }
        let metrics = sums.metrics()?;
        centipawns.sort_unstable();
        let quantile = |share: f64| {
            let index = (centipawns.len().saturating_sub(1) as f64 * share).round() as usize;
            centipawns.get(index).map_or(0, |&value| i32::from(value))
        };
        let farthest = centipawns.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
        Some(Self {
            white_mates,
            black_mates,
            zero: centipawns.iter().filter(|&&value| value == 0).count() as u64,
            beyond_report,
            quantiles: [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(quantile),
            report_mean: metrics.label_mean,
            report_variance: metrics.label_variance,
            material_correlation: white.value(),
            mover_material_correlation: mover.value(),
            per_pawn: pawns.slope(),
            per_pawn_correlation: pawns.value(),
            at_extreme: centipawns.iter().filter(|value| value.unsigned_abs() == farthest).count() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with a queen more for one side, labelled by `label` from White's balance and the side to move.
    fn set(label: fn(i64, Color) -> i64) -> Dataset {
        let mut rows = Vec::new();
        for index in 0..200i64 {
            let (queen, balance) = if index % 4 < 2 { ('Q', 9) } else { ('q', -9) };
            let side = if index % 2 == 0 { 'w' } else { 'b' };
            let fen = format!("k7/8/8/8/8/3{queen}4/7P/1K6 {side} - - 0 {}", index % 40 + 1);
            if let Ok(row) = Row::from_fen(fen.as_bytes()) {
                let label = label(balance + 1, row.side_to_move());
                rows.push(row.with_label(Label::centipawns(label + index % 7)));
            }
        }
        Dataset::from_rows(rows)
    }

    #[test]
    fn rows_are_counted() {
        let stats = DatasetStats::of(&set(|balance, _| balance)).expect("rows");
        assert_eq!(stats.by_pieces, [stats.rows, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(stats.results.unknown, stats.rows);
        // Black to move cannot have the white king in check, which leaves three of the four positions.
        assert_eq!(stats.duplicates, stats.rows - 3);
        assert_eq!(DatasetStats::of(&Dataset::default()), None);
    }
}
