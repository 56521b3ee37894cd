//! Errors by game phase, measured by the number of pieces.

use std::ops::RangeInclusive;

use super::{MetricSums, Metrics};

/// Piece counts per bin, as in the output buckets of a network.
const WIDTH: u32 = 4;
/// Maximum number of pieces on a board.
const MAX_PIECES: u32 = 32;

/// Errors over the positions with a given range of piece counts.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseMetrics {
    /// Number of pieces, including kings.
    pub pieces: RangeInclusive<u32>,
    /// The errors; `None` without rows.
    pub metrics: Option<Metrics>,
}

/// Errors for 1 to 4, 5 to 8, … 29 to 32 pieces, from (pieces, prediction, label) with values in clipped centipawns.
pub fn by_pieces(rows: impl IntoIterator<Item = (u32, f64, f64)>) -> Vec<PhaseMetrics> {
    let mut sums = [MetricSums::default(); (MAX_PIECES / WIDTH) as usize];
    for (pieces, prediction, label) in rows {
        sums[(pieces.clamp(1, MAX_PIECES) as usize - 1) / WIDTH as usize].add(prediction, label);
    }
    let bins = (1..=MAX_PIECES).step_by(WIDTH as usize).zip(sums);
    bins.map(|(first, sums)| PhaseMetrics { pieces: first..=first + WIDTH - 1, metrics: sums.metrics() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_in_the_bin_of_their_piece_count() {
        let bins = by_pieces([(4, 0.5, 0.0), (5, 0.1, 0.1), (32, 0.25, 0.5), (29, 0.0, -0.25)]);
        assert_eq!(bins.len(), 8);
        let rows: Vec<u64> = bins.iter().map(|bin| bin.metrics.map_or(0, |metrics| metrics.rows)).collect();
        assert_eq!(rows, [1, 1, 0, 0, 0, 0, 0, 2]);
        assert_eq!(bins[0].metrics.map(|metrics| metrics.mae), Some(0.5));
        assert_eq!((bins[1].pieces.clone(), bins[7].pieces.clone()), (5..=8, 29..=32));
        assert_eq!(bins[7].metrics.map(|metrics| metrics.mse), Some(0.0625));
    }
}
