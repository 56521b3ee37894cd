//! Statistics of game results and their agreement with labels.

use serde::Serialize;

use crate::rows::result::RowResult;
use crate::rows::row::Row;

/// A label beyond this value in centipawns predicts the winner.
const CLEAR: i32 = 200;
/// Width of a bin of the fit in centipawns, and the number of bins on each side of 0.
const FINE: i32 = 10;
const FINE_BINS: i32 = 200;
/// Steps of the golden-section search, enough for any data.
const STEPS: u32 = 60;

/// Numbers of rows by game result.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct ResultStats {
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    pub unknown: u64,
    /// Rows of won games whose label is beyond ±200 centipawns.
    pub clear: u64,
    /// Those of these rows whose label favours the loser.
    pub contradicting: u64,
    /// Centipawns s for which White's points are nearest to 1 / (1 + exp(-label / s)); `None` without results.
    pub scale: Option<f64>,
}

impl ResultStats {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut stats = Self::default();
        let mut bins = vec![(0.0, 0.0); (2 * FINE_BINS + 1) as usize];
        for row in rows {
            match row.result() {
                RowResult::WhiteWins => stats.white += 1,
                RowResult::Draw => stats.draws += 1,
                RowResult::BlackWins => stats.black += 1,
                RowResult::Unknown => stats.unknown += 1,
            }
            let label = row.label().as_centipawns();
            let named = if label > 0 { RowResult::WhiteWins } else { RowResult::BlackWins };
            if label.abs() > CLEAR && matches!(row.result(), RowResult::WhiteWins | RowResult::BlackWins) {
                stats.clear += 1;
                stats.contradicting += u64::from(row.result() != named);
            }
            if let (Some(points), false) = (row.result().points(), row.label().is_mate()) {
                let bin = (f64::from(label) / f64::from(FINE)).round() as i32;
                let (count, sum) = &mut bins[(bin.clamp(-FINE_BINS, FINE_BINS) + FINE_BINS) as usize];
                *count += 1.0;
                *sum += f64::from(points);
            }
        }
        stats.scale = fit(&bins);
        stats
    }

    pub fn known(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

/// White's expected score for a label and a scale.
pub fn expected_points(centipawns: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-centipawns / scale).exp())
}

/// The scale with the least squared error over bins of (rows, points).
fn fit(bins: &[(f64, f64)]) -> Option<f64> {
    let error = |logarithm: f64| -> f64 {
        let scale = logarithm.exp();
        let of = |(index, &(count, sum)): (usize, &(f64, f64))| {
            let centipawns = f64::from((index as i32 - FINE_BINS) * FINE);
            let expected = expected_points(centipawns, scale);
            count * expected * expected - 2.0 * expected * sum
        };
        bins.iter().enumerate().map(of).sum()
    };
    if bins.iter().all(|&(count, _)| count == 0.0) {
        return None;
    }
    let (mut low, mut high) = (5f64.ln(), 20_000f64.ln());
    let share = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..STEPS {
        let (left, right) = (high - share * (high - low), low + share * (high - low));
        if error(left) < error(right) { high = right } else { low = left }
    }
    Some(f64::midpoint(low, high).exp())
}

/// Results of rows with similar labels.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct OutcomeBin {
    /// Centre of the bin in centipawns.
    pub centipawns: f64,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
}

impl OutcomeBin {
    pub(super) fn add(&mut self, result: RowResult) {
        match result {
            RowResult::WhiteWins => self.white += 1,
            RowResult::Draw => self.draws += 1,
            RowResult::BlackWins => self.black += 1,
            RowResult::Unknown => {}
        }
    }

    pub fn rows(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

/// Sign changes between labels of consecutive plies of a game, if both are clearly different from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SignStats {
    pub pairs: u64,
    /// Pairs whose labels have different signs.
    pub turns: u64,
}

impl SignStats {
    /// Labels closer to 0 than this are ignored.
    const LEAST: i32 = 30;

    /// Counts pairs of rows that follow each other.
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut stats = Self::default();
        for pair in rows.windows(2).filter(|pair| pair[1].ply() == pair[0].ply() + 1) {
            let [first, second] = [0, 1].map(|index| pair[index].label().as_centipawns());
            if first.abs().min(second.abs()) >= Self::LEAST {
                stats.pairs += 1;
                stats.turns += u64::from((first > 0) != (second > 0));
            }
        }
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_made_up_results_is_found() {
        for scale in [40.0, 170.0, 650.0] {
            let bins: Vec<(f64, f64)> = (-FINE_BINS..=FINE_BINS)
                .map(|bin| (1_000.0, 1_000.0 * expected_points(f64::from(bin * FINE), scale)))
                .collect();
            let found = fit(&bins).expect("a scale");
            assert!((found / scale - 1.0).abs() < 1e-4, "{found} for {scale}");
        }
        assert_eq!(fit(&[(0.0, 0.0); 401]), None);
    }
}
