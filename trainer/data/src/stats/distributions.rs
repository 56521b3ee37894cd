//! Distributions of rows by label, ply, number of pieces and material balance.

use alfiere_chess::types::{Color, PieceKind};
use serde::Serialize;

use super::results::OutcomeBin;
use crate::rows::label::Label;
use crate::rows::row::Row;

/// Width of a label bin in centipawns, and the largest label on either side.
const LABEL_WIDTH: i32 = 50;
const LABEL_END: i32 = 1_000;
/// Width of a ply bin, and the number of bins.
const PLY_WIDTH: u32 = 10;
const PLY_BINS: usize = 20;
/// Larger material balances count as this one, in pawns.
const MAX_MATERIAL: i32 = 12;
/// Minimum number of rows for quantiles.
const MIN_ROWS: usize = 100;

/// Counts of rows in bins of equal width.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Binned {
    /// Lower end of the first bin.
    pub start: f64,
    pub width: f64,
    /// Number of rows per bin; a bin includes its lower end.
    pub counts: Vec<u64>,
    /// Rows below the first.
    pub below: u64,
    /// Rows above the last.
    pub above: u64,
}

impl Binned {
    fn new(start: f64, width: f64, bins: usize) -> Self {
        Self { start, width, counts: vec![0; bins], below: 0, above: 0 }
    }

    /// Index of the bin of a value, if it is in range.
    fn place(&self, value: f64) -> Option<usize> {
        let place = ((value - self.start) / self.width).floor();
        (place >= 0.0 && place < self.counts.len() as f64).then_some(place as usize)
    }

    fn add(&mut self, value: f64) {
        match self.place(value) {
            Some(place) => self.counts[place] += 1,
            None if value < self.start => self.below += 1,
            None => self.above += 1,
        }
    }
}

/// Labels of positions with the same material balance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MaterialBin {
    /// White's material minus Black's, in pawns; the first and last bins include everything beyond.
    pub balance: i32,
    pub rows: u64,
    /// 5 %, 25 %, 50 %, 75 % and 95 % quantiles in clipped centipawns; `None` if there are too few rows.
    pub quantiles: Option<[f64; 5]>,
}

/// Distributions of the rows of a set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Distributions {
    /// By label in centipawns, without mates.
    pub labels: Binned,
    /// By ply of the game.
    pub plies: Binned,
    /// By number of pieces, 0 to 32.
    pub pieces: Vec<u64>,
    pub material: Vec<MaterialBin>,
    /// Results in the bins of `labels`.
    pub outcomes: Vec<OutcomeBin>,
}

impl Distributions {
    pub(super) fn of(rows: &[Row]) -> Self {
        let width = f64::from(LABEL_WIDTH);
        let bins = (2 * LABEL_END / LABEL_WIDTH) as usize;
        // Bins are centred on round numbers, so that 0 has one of its own.
        let mut labels = Binned::new(-f64::from(LABEL_END) - width / 2.0, width, bins + 1);
        let mut plies = Binned::new(0.0, f64::from(PLY_WIDTH), PLY_BINS);
        let mut pieces = vec![0; 33];
        let mut by_material = vec![Vec::new(); (2 * MAX_MATERIAL + 1) as usize];
        let middle = |index| -f64::from(LABEL_END) + index as f64 * width;
        let mut outcomes: Vec<OutcomeBin> =
            (0..=bins).map(|index| OutcomeBin { centipawns: middle(index), ..OutcomeBin::default() }).collect();
        for row in rows {
            if let Label::Centipawns(value) = row.label() {
                labels.add(f64::from(value));
                if let Some(place) = labels.place(f64::from(value)) {
                    outcomes[place].add(row.result());
                }
            }
            plies.add(f64::from(row.ply()));
            pieces[row.piece_count() as usize] += 1;
            let balance = material(row).clamp(-MAX_MATERIAL, MAX_MATERIAL);
            by_material[(balance + MAX_MATERIAL) as usize].push(row.label().clipped() as f32);
        }
        let material = by_material.into_iter().zip(-MAX_MATERIAL..).map(|(labels, balance)| bin(balance, labels));
        Self { labels, plies, pieces, material: material.collect(), outcomes }
    }
}

fn bin(balance: i32, mut labels: Vec<f32>) -> MaterialBin {
    labels.sort_unstable_by(f32::total_cmp);
    let quantile = |share: f64| f64::from(labels[((labels.len() - 1) as f64 * share).round() as usize]);
    let quantiles = (labels.len() >= MIN_ROWS).then(|| [0.05, 0.25, 0.5, 0.75, 0.95].map(quantile));
    MaterialBin { balance, rows: labels.len() as u64, quantiles }
}

/// White's material minus Black's, in pawns.
pub(super) fn material(row: &Row) -> i32 {
    row.pieces()
        .map(|(piece, _)| {
            let value = match piece.kind() {
                PieceKind::Pawn => 1,
                PieceKind::Knight | PieceKind::Bishop => 3,
                PieceKind::Rook => 5,
                PieceKind::Queen => 9,
                PieceKind::King => 0,
            };
            if piece.color() == Color::White { value } else { -value }
        })
        .sum()
}

/// Accumulated sums for correlation and slope.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Correlation {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn covariance(self) -> f64 {
        self.count * self.xy - self.x * self.y
    }

    fn spread_of_x(self) -> f64 {
        self.count * self.xx - self.x * self.x
    }

    /// Pearson's correlation coefficient; 0 if one of the two is constant.
    pub(super) fn value(self) -> f64 {
        let spread = self.spread_of_x() * (self.count * self.yy - self.y * self.y);
        if spread > 0.0 { self.covariance() / spread.sqrt() } else { 0.0 }
    }

    /// Least-squares slope of y over x; 0 if x is constant.
    pub(super) fn slope(self) -> f64 {
        if self.spread_of_x() > 0.0 { self.covariance() / self.spread_of_x() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn every_row_is_counted_once_in_each() {
        let rows = sample::rows(3_000);
        let spread = Distributions::of(&rows);
        let total = |bins: &Binned| bins.counts.iter().sum::<u64>() + bins.below + bins.above;
        assert_eq!((total(&spread.labels), total(&spread.plies)), (3_000, 3_000));
        assert_eq!(spread.pieces.iter().sum::<u64>(), 3_000);
        assert_eq!(spread.material.iter().map(|bin| bin.rows).sum::<u64>(), 3_000);
        assert_eq!(spread.labels.place(-1_000.0), Some(0));
        assert_eq!((spread.labels.place(-24.0), spread.labels.place(25.0)), (Some(20), Some(21)));
        assert_eq!((spread.labels.place(1_024.0), spread.labels.place(1_025.0)), (Some(40), None));
        assert!(spread.outcomes[20].centipawns.abs() < 1e-9);
    }
}
