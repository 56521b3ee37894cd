//! Fits the win, draw and loss model to counts of results by maximum likelihood, and measures how well a model agrees with them.
//!
//! Fisher scoring: Newton's method with the expected second derivatives. A step that lowers the likelihood is halved. About ten
//! steps over a few thousand cells are enough, so the fit needs neither a library nor threads.

mod games;

use std::collections::BTreeMap;

use alfiere_chess::game::Points;
use alfiere_search::eval::{Material, WdlModel, WdlProbabilities};
use serde::Serialize;
use thiserror::Error;

pub use games::{GamesError, ReadGames, WrittenScores};

const TERMS: usize = WdlModel::TERMS;
/// Coefficients of both polynomials.
const PARAMETERS: usize = 2 * TERMS;
/// Maximum number of steps, far more than a fit that converges takes.
const MAX_STEPS: u32 = 200;
/// The fit ends when the next step is expected to raise the total log-likelihood by less than this.
const ENOUGH: f64 = 1e-6;
/// Steps are not halved below this share.
const SMALLEST_SHARE: f64 = 1e-9;
/// Keeps logarithms and quotients finite where the model is certain.
const MIN_PROBABILITY: f64 = 1e-12;

/// Why games have no most likely model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WdlFitError {
    #[error("expected positions of games that were won, drawn and lost, found none {0}")]
    Missing(&'static str),
    #[error("{positions} positions do not settle the model: expected many games that reach little and much material")]
    Unsettled { positions: u64 },
}

/// How well a model agrees with games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WdlAgreement {
    /// Mean logarithm of the predicted probability of the actual result.
    pub log_likelihood: f64,
    /// Mean squared distance between probabilities and result, over all three results: 0 at best, 2 at worst.
    pub brier: f64,
    pub positions: u64,
}

/// Positions whose normalised scores are about the same.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CalibrationBin {
    /// The middle, in normalised centipawns; the outermost bins are open.
    pub centre: i32,
    pub positions: u64,
    /// Mean probabilities of win, draw and loss.
    pub predicted: [f64; 3],
    /// Shares of games won, drawn and lost.
    pub seen: [f64; 3],
}

/// The most likely model.
///
/// # Errors
/// If the games do not determine one.
pub fn fit_wdl(counts: &OutcomeCounts) -> Result<WdlModel, WdlFitError> {
    for (count, name) in counts.results().into_iter().zip(["won", "drawn", "lost"]) {
        if count == 0 {
            return Err(WdlFitError::Missing(name));
        }
    }
    let unsettled = WdlFitError::Unsettled { positions: counts.positions() };
    let mut model = first_guess(counts);
    let mut likelihood = log_likelihood(&model, counts);
    for _ in 0..MAX_STEPS {
        let (gradient, curvature) = derivatives(&model, counts);
        let step = solve(curvature, gradient).ok_or(unsettled)?;
        let promise: f64 = gradient.iter().zip(&step).map(|(slope, change)| slope * change).sum();
        if promise < ENOUGH {
            return Ok(model);
        }
        let mut share = 1.0;
        (model, likelihood) = loop {
            let next = moved(&model, &step, share);
            let found = if next.is_sound() { log_likelihood(&next, counts) } else { f64::NEG_INFINITY };
            if found > likelihood {
                break (next, found);
            }
            share /= 2.0;
            if share < SMALLEST_SHARE {
                return Err(unsettled);
            }
        };
    }
    Err(unsettled)
}

pub fn agreement(model: &WdlModel, counts: &OutcomeCounts) -> WdlAgreement {
    let positions = counts.positions();
    let mut brier = 0.0;
    for cell in counts.cells() {
        let probabilities = probabilities_of(model, &cell);
        let squares: f64 = probabilities.iter().map(|probability| probability * probability).sum();
        for (count, probability) in cell.results.into_iter().zip(probabilities) {
            // (1 - p)² for the result that came, p² for the two that did not.
            brier += count as f64 * (squares + 1.0 - 2.0 * probability);
        }
    }
    let count = positions.max(1) as f64;
    WdlAgreement { log_likelihood: log_likelihood(model, counts) / count, brier: brier / count, positions }
}

/// Predictions beside results, in bins of `width` normalised centipawns up to `reach` bins from zero.
pub fn calibration(model: &WdlModel, counts: &OutcomeCounts, width: i32, reach: i32) -> Vec<CalibrationBin> {
    let mut bins: Vec<CalibrationBin> = (-reach..=reach)
        .map(|index| CalibrationBin { centre: index * width, positions: 0, predicted: [0.0; 3], seen: [0.0; 3] })
        .collect();
    for cell in counts.cells() {
        let normalised = model.normalise(f64::from(cell.score), cell.material) / f64::from(width);
        let bin = &mut bins[((normalised.round() as i32).clamp(-reach, reach) + reach) as usize];
        let count: u64 = cell.results.iter().sum();
        bin.positions += count;
        for (result, probability) in probabilities_of(model, &cell).into_iter().enumerate() {
            bin.predicted[result] += count as f64 * probability;
            bin.seen[result] += cell.results[result] as f64;
        }
    }
    for bin in &mut bins {
        let count = bin.positions.max(1) as f64;
        bin.predicted = bin.predicted.map(|sum| sum / count);
        bin.seen = bin.seen.map(|sum| sum / count);
    }
    bins
}

/// The same probabilities whatever the material, at the scale of the scores that occur.
fn first_guess(counts: &OutcomeCounts) -> WdlModel {
    let count = |cell: &Cell| cell.results.iter().sum::<u64>() as f64;
    let total: f64 = counts.cells().map(|cell| count(&cell) * f64::from(cell.score.abs())).sum();
    let scale = (total / counts.positions().max(1) as f64).max(1.0);
    let mut model = WdlModel { even: [0.0; TERMS], spread: [0.0; TERMS] };
    (model.even[0], model.spread[0]) = (scale, scale / 2.0);
    model
}

fn probabilities_of(model: &WdlModel, cell: &Cell) -> [f64; 3] {
    let WdlProbabilities { win, draw, loss } = model.probabilities(f64::from(cell.score), cell.material);
    [win, draw, loss].map(|probability| probability.max(MIN_PROBABILITY))
}

fn log_likelihood(model: &WdlModel, counts: &OutcomeCounts) -> f64 {
    let of_cell = |cell: Cell| -> f64 {
        let probabilities = probabilities_of(model, &cell);
        cell.results.into_iter().zip(probabilities).map(|(count, probability)| count as f64 * probability.ln()).sum()
    };
    counts.cells().map(of_cell).sum()
}

/// The slope of the log-likelihood in each coefficient, those of `a` first, and its expected curvature.
fn derivatives(model: &WdlModel, counts: &OutcomeCounts) -> ([f64; PARAMETERS], [[f64; PARAMETERS]; PARAMETERS]) {
    let mut gradient = [0.0; PARAMETERS];
    let mut curvature = [[0.0; PARAMETERS]; PARAMETERS];
    for cell in counts.cells() {
        let (even, spread) = (model.even(cell.material), model.spread(cell.material));
        let score = f64::from(cell.score);
        let probabilities = probabilities_of(model, &cell);
        // Slopes of each result's probability in a and in b: d logistic(u) = p (1 - p) du, where u = (±s - a) / b.
        let slopes_of = |probability: f64, exponent: f64| {
            let slope = -probability * (1.0 - probability) / spread;
            [slope, slope * exponent]
        };
        let win = slopes_of(probabilities[0], (score - even) / spread);
        let loss = slopes_of(probabilities[2], (-score - even) / spread);
        let slopes = [win, [-win[0] - loss[0], -win[1] - loss[1]], loss];
        let count: u64 = cell.results.iter().sum();
        let powers = cell.material.powers();
        for ((slopes, probability), hits) in slopes.into_iter().zip(probabilities).zip(cell.results) {
            // Of the logarithm, by coefficient: each belongs to a or b, and to a power.
            let relative: [f64; PARAMETERS] =
                std::array::from_fn(|index| slopes[index / TERMS] * powers[index % TERMS] / probability);
            let (hits, expected) = (hits as f64, count as f64 * probability);
            for ((gradient, row), one) in gradient.iter_mut().zip(&mut curvature).zip(relative) {
                *gradient += hits * one;
                for (entry, other) in row.iter_mut().zip(relative) {
                    *entry += expected * one * other;
                }
            }
        }
    }
    (gradient, curvature)
}

fn moved(model: &WdlModel, step: &[f64; PARAMETERS], share: f64) -> WdlModel {
    WdlModel {
        even: std::array::from_fn(|power| model.even[power] + share * step[power]),
        spread: std::array::from_fn(|power| model.spread[power] + share * step[TERMS + power]),
    }
}

/// Solves a system of linear equations (Gauss, pivots from the diagonal and below); `None` if it has no single answer.
fn solve(mut matrix: [[f64; PARAMETERS]; PARAMETERS], mut right: [f64; PARAMETERS]) -> Option<[f64; PARAMETERS]> {
    let largest = matrix.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    for column in 0..PARAMETERS {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..PARAMETERS).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() <= 1e-13 * largest {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let upper = matrix[column];
        for row in column + 1..PARAMETERS {
            let factor = matrix[row][column] / upper[column];
            for (entry, above) in matrix[row].iter_mut().zip(upper) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; PARAMETERS];
    for row in (0..PARAMETERS).rev() {
        let known: f64 = (row + 1..PARAMETERS).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}

/// How often games were won, drawn and lost from positions with the same score and material.
#[derive(Clone, Default, Debug)]
pub struct OutcomeCounts {
    cells: BTreeMap<(Material, i32), [u64; 3]>,
}

/// All positions with one score and one amount of material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The score in internal units.
    pub score: i32,
    /// Both sides' material.
    pub material: Material,
    /// Games won, drawn and lost by the side that the score belongs to.
    pub results: [u64; 3],
}

impl OutcomeCounts {
    /// Counts a position and the result of its game, both from the same side's view.
    pub fn add(&mut self, score: i32, material: Material, points: Points) {
        let results = self.cells.entry((material, score)).or_default();
        results[match points {
            Points::Win => 0,
            Points::Draw => 1,
            Points::Loss => 2,
        }] += 1;
    }

    /// What was counted, by material and score.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().map(|(&(material, score), &results)| Cell { score, material, results })
    }

    /// Positions that ended in each result.
    pub fn results(&self) -> [u64; 3] {
        self.cells().fold([0; 3], |sums, cell| std::array::from_fn(|result| sums[result] + cell.results[result]))
    }

    pub fn positions(&self) -> u64 {
        self.results().iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::game::Points;
    use alfiere_chess::random::Random;

    use super::*;

    /// Games that follow a model: scores and material spread evenly, results drawn at random.
    fn games_of(model: &WdlModel, positions: u64) -> OutcomeCounts {
        let mut numbers = Random::for_part(1, 0);
        let mut random = move || numbers.next_number() as f64 / u64::MAX as f64;
        let mut counts = OutcomeCounts::default();
        for _ in 0..positions {
            let score = (1200.0 * random() - 600.0) as i32;
            let material = Material::new((80.0 * random()) as u32);
            let probabilities = model.probabilities(f64::from(score), material);
            let drawn = random();
            let points = if drawn < probabilities.win {
                Points::Win
            } else if drawn < probabilities.win + probabilities.draw {
                Points::Draw
            } else {
                Points::Loss
            };
            counts.add(score, material, points);
        }
        counts
    }

    #[test]
    fn known_constants_are_recovered() {
        let truth = WdlModel { even: [180.0, 40.0, -15.0], spread: [60.0, 10.0, 5.0] };
        let counts = games_of(&truth, 400_000);
        let found = fit_wdl(&counts).expect("settled");
        for (one, other) in truth.even.iter().chain(&truth.spread).zip(found.even.iter().chain(&found.spread)) {
            assert!((one - other).abs() < 2.5, "{found:?}");
        }
        let (best, true_one) = (agreement(&found, &counts), agreement(&truth, &counts));
        assert!(best.log_likelihood >= true_one.log_likelihood && (best.brier - true_one.brier).abs() < 1e-4);
        // Nothing else is as likely, in any direction.
        for index in 0..PARAMETERS {
            for change in [-1.0, 1.0] {
                let mut step = [0.0; PARAMETERS];
                step[index] = change;
                assert!(agreement(&moved(&found, &step, 1.0), &counts).log_likelihood < best.log_likelihood);
            }
        }
        let bins = calibration(&found, &counts, 50, 6);
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<u64>(), 400_000);
        for bin in bins {
            assert!((0..3).all(|result| (bin.predicted[result] - bin.seen[result]).abs() < 0.02), "{bin:?}");
        }
    }

    #[test]
    fn figures_by_hand() {
        let model = WdlModel { even: [100.0, 0.0, 0.0], spread: [50.0, 0.0, 0.0] };
        let mut counts = OutcomeCounts::default();
        counts.add(100, Material::new(40), Points::Win);
        let found = agreement(&model, &counts);
        // Win 1/2, loss 1 / (1 + e⁴), draw the rest.
        let loss = 1.0 / (1.0 + 4f64.exp());
        assert!((found.log_likelihood - 0.5f64.ln()).abs() < 1e-12);
        assert!((found.brier - (0.25 + (0.5 - loss).powi(2) + loss * loss)).abs() < 1e-12);
    }

    #[test]
    fn too_few_games_are_refused() {
        let mut counts = OutcomeCounts::default();
        assert_eq!(fit_wdl(&counts), Err(WdlFitError::Missing("won")));
        for points in [Points::Win, Points::Loss] {
            counts.add(50, Material::new(40), points);
        }
        assert_eq!(fit_wdl(&counts), Err(WdlFitError::Missing("drawn")));
        counts.add(0, Material::new(40), Points::Draw);
        assert_eq!(fit_wdl(&counts), Err(WdlFitError::Unsettled { positions: 3 }));
    }
}
