//! A confidence interval of R²: the bootstrap over games.
//!
//! Errors within a game are correlated, so whole games are resampled. Only sums per game are needed: a resample of
//! thousands of games takes microseconds.

use alfiere_chess::random::Random;

use super::MetricSums;

const RESAMPLES: usize = 1_000;
/// Resamples beyond the interval on each side: 2.5 %.
const TAIL: usize = RESAMPLES / 40;
/// More units than this are resampled in this many random groups, which gives the same interval.
const MAX_GROUPS: usize = 10_000;
const SEED: u64 = 1;
/// An interval wider than ± this, or over fewer units, calls for cross-validation.
const WIDE: f64 = 0.03;
const FEW_UNITS: usize = 20;

/// A 95 % interval of R².
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct R2Interval {
    /// 2.5 % of the resamples are below.
    pub low: f64,
    /// 2.5 % of the resamples are above.
    pub high: f64,
    /// Number of games (positions where games are unknown) that were resampled.
    pub units: usize,
}

impl R2Interval {
    /// The interval of the rows with these (prediction, label) pairs in clipped centipawns; rows with equal keys are of one
    /// game. `None` with fewer than two games.
    pub fn new(keys: &[u64], pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        let mut distinct = keys.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let units = distinct.len();
        if units < 2 {
            return None;
        }
        let mut groups = vec![MetricSums::default(); units.min(MAX_GROUPS)];
        for (key, (prediction, label)) in keys.iter().zip(pairs) {
            let place = distinct.partition_point(|other| other < key) % groups.len();
            groups[place].add(prediction, label);
        }
        let mut random = Random::new(SEED);
        let mut resample = || {
            let mut sums = MetricSums::default();
            for _ in 0..groups.len() {
                sums.include(&groups[random.below(groups.len() as u64) as usize]);
            }
            sums.metrics().map_or(0.0, |metrics| metrics.r2)
        };
        let mut found: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
        found.sort_unstable_by(f64::total_cmp);
        Some(Self { low: found[TAIL], high: found[RESAMPLES - 1 - TAIL], units })
    }

    /// A hint for the user if the interval is wider than ±0.03, or of fewer than 20 games, too few for a bootstrap.
    pub fn hint(&self) -> Option<String> {
        let wide = format!("the interval is wider than ±{WIDE}");
        let few = format!("an interval of fewer than {FEW_UNITS} games is uncertain itself");
        let reason = match (self.units < FEW_UNITS, self.high - self.low > 2.0 * WIDE) {
            (true, _) => few,
            (false, true) => wide,
            (false, false) => return None,
        };
        Some(format!("{reason}: `trainer cross-validate` measures R2 on every game of the data"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of ten rows that share their error, with labels of variance 1/3 and errors of variance 1/12.
    fn interval(games: u64) -> R2Interval {
        let mut random = Random::new(7);
        let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
        let (mut keys, mut pairs) = (Vec::new(), Vec::new());
        for game in 0..games {
            let error = uniform() / 2.0;
            for _ in 0..10 {
                let label = uniform();
                keys.push(game << 40);
                pairs.push((label + error, label));
            }
        }
        R2Interval::new(&keys, pairs).expect("games")
    }

    #[test]
    fn an_interval_covers_r2_and_shrinks_with_games() {
        let (few, many) = (interval(100), interval(10_000));
        for found in [few, many] {
            assert!(found.low < 0.75 && 0.75 < found.high, "{found:?}");
        }
        let ratio = (few.high - few.low) / (many.high - many.low);
        assert!((7.0..14.0).contains(&ratio), "{ratio}: the root of 100 is 10");
        // More games than groups.
        let grouped = interval(40_000);
        let ratio = (many.high - many.low) / (grouped.high - grouped.low);
        assert!((1.6..2.5).contains(&ratio), "{ratio}");
        assert_eq!(interval(100), few, "the seed is fixed");
    }

    #[test]
    fn games_and_not_rows_are_resampled() {
        // All rows of a game have the error of the game: ten times as many rows say nothing more.
        let found = interval(100);
        let rows: Vec<u64> = (0..1_000).collect();
        let mut random = Random::new(7);
        let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
        let mut error = 0.0;
        let pairs: Vec<(f64, f64)> = (0..1_000)
            .map(|row| {
                error = if row % 10 == 0 { uniform() / 2.0 } else { error };
                let label = uniform();
                (label + error, label)
            })
            .collect();
        let by_rows = R2Interval::new(&rows, pairs).expect("rows");
        assert!(by_rows.high - by_rows.low < 0.6 * (found.high - found.low), "{by_rows:?} {found:?}");
    }

    #[test]
    fn few_games_and_wide_intervals_call_for_cross_validation() {
        assert_eq!(R2Interval::new(&[5, 5], [(0.1, 0.2), (0.1, 0.3)]), None);
        let of = |units, width| R2Interval { low: 0.3, high: 0.3 + width, units }.hint();
        assert_eq!(of(100, 0.05), None);
        assert!(
            of(100, 0.07).is_some_and(|hint| hint.starts_with("the interval is wider than ±0.03: `trainer cross-"))
        );
        assert!(of(19, 0.01).is_some_and(|hint| hint.contains("fewer than 20 games")));
    }
}
