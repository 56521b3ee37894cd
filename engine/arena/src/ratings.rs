//! Elo ratings of several players from all their games: maximum likelihood under the logistic model of Bradley and
//! Terry.
//!
//! A draw counts as half a win. Where colours are known, White is stronger by an advantage that is fitted with the
//! ratings. Errors come from the curvature of the likelihood, divided by the ratio of the results' observed variance to
//! that of games without draws (quasi-likelihood, Wedderburn 1974). They treat games as independent.
//!
//! Anchors give the scale: an exact one fixes a rating, one with an error is a normal prior. Without anchors the mean is
//! 0. If the results leave a rating infinite, such as that of a player with all points, each player also has one drawn
//! game against an imaginary player.

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::anchor::Anchor;
use super::elo::{GameCounts, QUANTILE_95};
use super::encounter::{Colors, Encounter, are_finite};

/// A rating or a difference of ratings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    strengths: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    advantage: Option<Rating>,
    imaginary: bool,
}

/// Elo per unit of strength: the odds are e to the difference of strengths.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviation in Elo of the prior on White's advantage, which matters only if colours and players are
/// confounded: measured advantages are 20 to 80 Elo.
const ADVANTAGE_DEVIATION: f64 = 100.0;
/// Smallest error of an anchor in Elo that is not taken as 0.
const MIN_ERROR: f64 = 1e-3;
/// Maximum numbers of Newton steps and of estimates of the variance ratio; never reached in practice.
const MAX_STEPS: usize = 200;
const MAX_RATIOS: usize = 20;
/// Largest change of a strength in one step, 350 Elo: far from the maximum, Newton steps overshoot.
const MAX_CHANGE: f64 = 2.0;
/// Change of a strength at which the maximum is found.
const MIN_CHANGE: f64 = 1e-10;
/// Relative error of the log-likelihood.
const ROUNDING: f64 = 1e-13;

impl Ratings {
    /// Rates the players with indices 0 to `players - 1`.
    pub fn fit(players: usize, encounters: &[Encounter], anchors: &[Anchor]) -> Self {
        let mut model = Model::new(players, encounters, anchors);
        let mut values = model.start();
        for _ in 0..MAX_RATIOS {
            model.maximise(&mut values);
            let ratio = model.variance_ratio(&values);
            let change = (ratio - model.ratio).abs();
            model.ratio = ratio;
            if change < 1e-9 {
                break;
            }
        }
        let mut covariance = model.covariance(&values);
        let advantage = model.advantage.map(|index| rating(values[index], covariance[index][index]));
        values.truncate(players);
        covariance.truncate(players);
        for row in &mut covariance {
            row.truncate(players);
        }
        if anchors.is_empty() {
            relate_to_mean(&mut values, &mut covariance);
        }
        Self { strengths: values, covariance, advantage, imaginary: model.imaginary.is_some() }
    }

    /// A player's rating. Its error includes those of the anchors; without anchors it is relative to the mean.
    pub fn rating(&self, player: usize) -> Rating {
        rating(self.strengths[player], self.covariance[player][player])
    }

    /// The likelihood that the first player is stronger than the second (LOS), 0 to 1.
    pub fn superiority(&self, first: usize, second: usize) -> f64 {
        let covariance = &self.covariance;
        let variance = covariance[first][first] + covariance[second][second] - 2.0 * covariance[first][second];
        let difference = self.strengths[first] - self.strengths[second];
        // Ratings fixed by anchors have no variance.
        if variance < 1e-18 {
            return if difference == 0.0 { 0.5 } else { f64::from(u8::from(difference > 0.0)) };
        }
        normal_distribution(difference / variance.sqrt())
    }

    /// White's advantage; `None` if no encounter has known colours.
    pub fn white_advantage(&self) -> Option<Rating> {
        self.advantage
    }

    /// Whether a rating would be infinite without the games against an imaginary player.
    pub fn has_imaginary_games(&self) -> bool {
        self.imaginary
    }
}

fn rating(strength: f64, variance: f64) -> Rating {
    Rating { elo: ELO * strength, error: ELO * QUANTILE_95 * variance.max(0.0).sqrt() }
}

/// Subtracts the mean of all players.
fn relate_to_mean(values: &mut [f64], covariance: &mut [Vec<f64>]) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    for value in values.iter_mut() {
        *value -= mean;
    }
    let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let all = means.iter().sum::<f64>() / count;
    for (row, row_mean) in covariance.iter_mut().zip(&means) {
        for (value, column_mean) in row.iter_mut().zip(&means) {
            *value += all - row_mean - column_mean;
        }
    }
}

/// A normal prior of a parameter.
#[derive(Clone, Copy)]
struct Prior {
    parameter: usize,
    mean: f64,
    /// One divided by the variance.
    precision: f64,
}

/// The likelihood. Its parameters are the players' strengths, then that of the imaginary player and White's advantage,
/// where the model has them.
struct Model<'a> {
    encounters: &'a [Encounter],
    imaginary_games: Vec<Encounter>,
    priors: Vec<Prior>,
    /// Parameters whose values are known.
    fixed: Vec<Option<f64>>,
    imaginary: Option<usize>,
    advantage: Option<usize>,
    strengths: usize,
    /// Whether only differences of strengths matter.
    is_relative: bool,
    /// Variance of the results divided by the variance of games without draws.
    ratio: f64,
}

impl<'a> Model<'a> {
    fn new(players: usize, encounters: &'a [Encounter], anchors: &[Anchor]) -> Self {
        let imaginary = (!are_finite(players, encounters, anchors)).then_some(players);
        let strengths = players + usize::from(imaginary.is_some());
        let has_colors = |each: &Encounter| each.colors == Colors::FirstIsWhite && each.games.games() > 0;
        let advantage = encounters.iter().any(has_colors).then_some(strengths);
        let drawn = GameCounts { wins: 0, draws: 1, losses: 0 };
        let against = |other| move |player| Encounter { players: [player, other], games: drawn, colors: Colors::Mixed };
        let mut fixed = vec![None; strengths + usize::from(advantage.is_some())];
        let mut priors = Vec::new();
        for anchor in anchors {
            let mean = anchor.elo / ELO;
            if anchor.error >= MIN_ERROR {
                let precision = (ELO * QUANTILE_95 / anchor.error).powi(2);
                priors.push(Prior { parameter: anchor.player, mean, precision });
            } else {
                fixed[anchor.player] = Some(mean);
            }
        }
        let precision = (ELO / ADVANTAGE_DEVIATION).powi(2);
        priors.extend(advantage.map(|parameter| Prior { parameter, mean: 0.0, precision }));
        Self {
            encounters,
            imaginary_games: imaginary.map_or_else(Vec::new, |other| (0..players).map(against(other)).collect()),
            priors,
            fixed,
            imaginary,
            advantage,
            strengths,
            is_relative: anchors.is_empty(),
            ratio: 1.0,
        }
    }

    /// Values to start from: known ones, and the mean of the anchors for other strengths.
    fn start(&self) -> Vec<f64> {
        let anchored = || {
            let means = self.priors.iter().filter(|prior| prior.parameter < self.strengths).map(|prior| prior.mean);
            self.fixed.iter().copied().flatten().chain(means)
        };
        let mean = anchored().sum::<f64>() / anchored().count().max(1) as f64;
        let other = |index: usize| if index < self.strengths { mean } else { 0.0 };
        self.fixed.iter().enumerate().map(|(index, value)| value.unwrap_or_else(|| other(index))).collect()
    }

    fn games(&self) -> impl Iterator<Item = &Encounter> {
        self.encounters.iter().chain(&self.imaginary_games)
    }

    /// The parameters that an encounter depends on, with their signs, and the first player's expected score per game.
    fn expected(&self, encounter: &Encounter, values: &[f64]) -> (impl Iterator<Item = (usize, f64)> + Clone, f64) {
        let [a, b] = encounter.players;
        let advantage = self.advantage.filter(|_| encounter.colors == Colors::FirstIsWhite);
        let parameters = [(a, 1.0), (b, -1.0)].into_iter().chain(advantage.map(|index| (index, 1.0)));
        let sum = parameters.clone().map(|(index, sign)| sign * values[index]).sum();
        (parameters, logistic(sum))
    }

    /// Moves `values` to the maximum: Newton steps, halved until the likelihood does not fall.
    fn maximise(&self, values: &mut Vec<f64>) {
        let mut best = self.log_likelihood(values);
        for _ in 0..MAX_STEPS {
            let (slope, curvature) = self.derivatives(values);
            let mut step = Cholesky::new(curvature).solve(slope);
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            for change in &mut step {
                *change *= (MAX_CHANGE / largest).min(1.0);
            }
            loop {
                let next: Vec<f64> = values.iter().zip(&step).map(|(value, change)| value + change).collect();
                let found = self.log_likelihood(&next);
                // Near the maximum the gain is smaller than the rounding.
                if found >= best - ROUNDING * best.abs() || largest < MIN_CHANGE {
                    (*values, best) = (next, found);
                    break;
                }
                for change in &mut step {
                    *change /= 2.0;
                }
            }
            if largest < MIN_CHANGE {
                break;
            }
        }
    }

    /// The logarithm of the likelihood and of the priors, without constants.
    fn log_likelihood(&self, values: &[f64]) -> f64 {
        let of_games: f64 = self
            .games()
            .map(|each| {
                let (_, expected) = self.expected(each, values);
                let (points, games) = (each.games.points(), each.games.games() as f64);
                // Points that are not scored have no part, even if the expectation is rounded to 0 or 1.
                let part = |points: f64, expected: f64| {
                    if points == 0.0 { 0.0 } else { points * expected.max(f64::MIN_POSITIVE).ln() }
                };
                part(points, expected) + part(games - points, 1.0 - expected)
            })
            .sum();
        let of_priors: f64 =
            self.priors.iter().map(|prior| prior.precision * (values[prior.parameter] - prior.mean).powi(2)).sum();
        of_games / self.ratio - of_priors / 2.0
    }

    /// Gradient of the log-likelihood and its negative Hessian, made regular: a fixed parameter has a zero gradient,
    /// and without anchors the sum of all strengths has a curvature of its own.
    fn derivatives(&self, values: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = values.len();
        let (mut slope, mut curvature) = (vec![0.0; count], vec![vec![0.0; count]; count]);
        for each in self.games() {
            let (parameters, expected) = self.expected(each, values);
            let games = each.games.games() as f64 / self.ratio;
            let surprise = each.games.points() / self.ratio - games * expected;
            let weight = games * expected * (1.0 - expected);
            for (row, sign) in parameters.clone() {
                slope[row] += sign * surprise;
                for (column, other) in parameters.clone() {
                    curvature[row][column] += sign * other * weight;
                }
            }
        }
        for prior in &self.priors {
            slope[prior.parameter] += prior.precision * (prior.mean - values[prior.parameter]);
            curvature[prior.parameter][prior.parameter] += prior.precision;
        }
        if self.is_relative {
            for value in curvature[..self.strengths].iter_mut().flat_map(|row| &mut row[..self.strengths]) {
                *value += 1.0;
            }
        }
        for (index, _) in self.fixed.iter().enumerate().filter(|(_, value)| value.is_some()) {
            slope[index] = 0.0;
            for row in &mut curvature {
                row[index] = 0.0;
            }
            curvature[index].fill(0.0);
            curvature[index][index] = 1.0;
        }
        (slope, curvature)
    }

    /// The covariance of the parameters at the maximum.
    fn covariance(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut covariance = Cholesky::new(self.derivatives(values).1).inverse();
        for (index, _) in self.fixed.iter().enumerate().filter(|(_, value)| value.is_some()) {
            covariance[index][index] = 0.0;
        }
        covariance
    }

    /// The observed variance of the results around their expectations, divided by the variance without draws: at most
    /// 1. One decided game between equals is added, so that a few draws alone do not promise an exact rating.
    fn variance_ratio(&self, values: &[f64]) -> f64 {
        let (mut observed, mut decisive) = (0.25, 0.25);
        for each in self.encounters {
            let (_, expected) = self.expected(each, values);
            let GameCounts { wins, draws, losses } = each.games;
            observed += wins as f64 * (1.0 - expected).powi(2)
                + draws as f64 * (0.5 - expected).powi(2)
                + losses as f64 * expected.powi(2);
            decisive += each.games.games() as f64 * expected * (1.0 - expected);
        }
        (observed / decisive).min(1.0)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The standard normal distribution function, within 1e-7 (Abramowitz and Stegun, 26.2.17).
fn normal_distribution(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let coefficients = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let polynomial = coefficients.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = polynomial * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Smallest pivot of a Cholesky factor: rounding can make that of an almost singular matrix zero or negative.
const MIN_PIVOT: f64 = 1e-12;

/// The lower triangular factor `L` of a matrix `L Lᵀ`, by rows.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Factors a symmetric positive definite matrix, of which only the lower triangle is read.
    fn new(mut matrix: Vec<Vec<f64>>) -> Self {
        for row in 0..matrix.len() {
            let (above, below) = matrix.split_at_mut(row);
            let current = &mut below[0];
            for (column, other) in above.iter().enumerate() {
                current[column] = (current[column] - dot(&current[..column], other)) / other[column];
            }
            let pivot = current[row] - dot(&current[..row], current);
            current[row] = pivot.max(MIN_PIVOT).sqrt();
        }
        Self(matrix)
    }

    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (row, factors) in self.0.iter().enumerate() {
            right[row] = (right[row] - dot(&factors[..row], &right)) / factors[row];
        }
        for (row, factors) in self.0.iter().enumerate().rev() {
            let solved = right[row] / factors[row];
            right[row] = solved;
            for (value, factor) in right[..row].iter_mut().zip(factors) {
                *value -= factor * solved;
            }
        }
        right
    }

    fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.0.len();
        (0..size).map(|row| self.solve((0..size).map(|column| f64::from(u8::from(row == column))).collect())).collect()
    }
}

/// The sum of products over the shorter length.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
