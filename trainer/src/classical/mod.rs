//! Fits the weights of the engine's hand-crafted evaluation to labelled positions.
//!
//! The engine traces the coefficients of a position ([`Traces`]). For a given phase the evaluation is linear in its
//! weights, which are fitted by gradient descent ([`fit`]). Independent of networks and of files.

mod traces;

use std::ops::ControlFlow;

use alfiere_data::metrics::{MetricSums, Metrics, clipped};
use alfiere_data::{Label, shuffle};
use alfiere_model::WeightGradient;
use alfiere_model::optimiser::{Moments, Optimiser, Update};
use alfiere_model::random::{Purpose, derive};
use alfiere_search::eval::{Coefficient, WEIGHT_COUNT, Weights};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use rayon::prelude::*;

use self::traces::TracedRow;

pub use traces::{TraceError, Traces};

/// Weights that occur in few rows have small gradients, which must not vanish beside it.
const EPSILON: f32 = 1e-12;
/// Number of parts in which a batch's gradient is summed.
const PARTS: usize = 16;

#[derive(Args, Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct FitSettings {
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = Self::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = Self::default().batch, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub batch: usize,
    /// Initial step size in centipawns; it decays to 0 along a cosine
    #[arg(long = "lr", value_name = "CP", default_value_t = Self::default().rate, value_parser = positive)]
    pub rate: f32,
    /// Decay of the weights towards plain material, as a share of a step, for weights that occur in few rows
    #[arg(long, value_name = "SHARE", default_value_t = Self::default().decay, value_parser = share)]
    pub decay: f32,
    /// Scale of the sigmoid in centipawns
    #[arg(long, value_name = "CP", default_value_t = Self::default().scale, value_parser = positive)]
    pub scale: f32,
    /// Weight of the game result in the target, for rows that have one
    #[arg(long, value_name = "SHARE", default_value_t = Self::default().result_share, value_parser = share)]
    pub result_share: f32,
    /// Seed of the row order and the split
    #[arg(long, value_name = "N", default_value_t = Self::default().seed)]
    pub seed: u64,
}

fn positive(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|value| (1e-6..=1e6).contains(value)).ok_or_else(|| "expected a number above 0".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|value| (0.0..=1.0).contains(value)).ok_or_else(|| "expected a share, 0 to 1".to_owned())
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { epochs: 20, batch: 16_384, rate: 1.0, decay: 1e-4, scale: 220.0, result_share: 0.0, seed: 1 }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct FitEpoch {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Step size in centipawns at its end.
    pub rate: f32,
    /// Mean squared error of the expected score during the epoch.
    pub training_loss: f64,
    /// Mean squared error of the expected score on the validation rows, after the epoch.
    pub validation_loss: f64,
    /// Errors on the validation rows, in clipped centipawns.
    pub validation: Metrics,
}

pub struct FittedWeights {
    /// Middlegame and endgame weight of each term, in centipawns.
    pub values: Vec<[f32; 2]>,
    /// Records of the finished epochs.
    pub epochs: Vec<FitEpoch>,
}

/// Fits weights, starting with `start`; `observer` is called after each epoch and may stop the fit. `None` without
/// rows.
pub fn fit(
    training: &Traces,
    validation: &Traces,
    start: &Weights,
    settings: &FitSettings,
    observer: &mut dyn FnMut(&FitEpoch) -> ControlFlow<()>,
) -> Option<FittedWeights> {
    let anchors: Vec<f32> = (0..WEIGHT_COUNT).flat_map(|place| start.values(place).map(|value| value as f32)).collect();
    // The optimiser moves the differences from the start, so its decay is towards the start.
    let (mut moved, mut moments) = (vec![0.0; anchors.len()], Moments::zeros(anchors.len()));
    let mut values = anchors.clone();
    let method = Optimiser { epsilon: EPSILON, ..Optimiser::default() };
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let batch = settings.batch.clamp(1, training.len().max(1));
    let steps = (training.len().div_ceil(batch) * settings.epochs as usize).max(1);
    let (mut step, mut epochs) = (0_usize, Vec::new());
    for epoch in 1..=settings.epochs {
        shuffle(&mut order, derive(settings.seed, Purpose::Shuffle { epoch, window: 0 }));
        let (mut loss, mut rate) = (0.0, 0.0);
        for rows in order.chunks(batch) {
            let (error, gradient) = gradient(training, rows, pairs(&values), settings);
            loss += error;
            rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / steps as f32).cos());
            step += 1;
            let update = Update { step: step as u64, rate, decay: settings.decay, limit: f32::INFINITY };
            method.update(&mut moved, WeightGradient::rows(&gradient), &mut moments, update);
            values = anchors.iter().zip(&moved).map(|(anchor, moved)| anchor + moved).collect();
        }
        let (validation_loss, metrics) = measure(validation, pairs(&values), settings)?;
        let training_loss = loss / training.len() as f64;
        let record = FitEpoch { epoch, rate, training_loss, validation_loss, validation: metrics };
        epochs.push(record);
        if observer(&record).is_break() {
            break;
        }
    }
    Some(FittedWeights { values: pairs(&values).to_vec(), epochs })
}

/// The squared error of the expected score, and the metrics in clipped centipawns, over all rows; `None` without rows.
pub fn measure(traces: &Traces, weights: &[[f32; 2]], settings: &FitSettings) -> Option<(f64, Metrics)> {
    let (mut loss, mut sums) = (0.0, MetricSums::default());
    for index in 0..traces.len() {
        let (row, coefficients) = traces.row(index);
        let value = Value::of(row, coefficients, weights).total;
        let error = points(value, settings.scale) - target(row, settings);
        loss += f64::from(error * error);
        sums.add(clipped(f64::from(value)), row.label.clipped());
    }
    Some((loss / traces.len().max(1) as f64, sums.metrics()?))
}

/// A value and the factors of its middlegame and endgame parts.
struct Value {
    total: f32,
    shares: [f32; 2],
}

impl Value {
    fn of(row: TracedRow, coefficients: &[Coefficient], weights: &[[f32; 2]]) -> Self {
        let mut halves = [0.0; 2];
        for &Coefficient { place, count } in coefficients {
            let weight = weights[usize::from(place)];
            halves[0] += weight[0] * f32::from(count);
            halves[1] += weight[1] * f32::from(count);
        }
        let shares = [row.middlegame, row.endgame[usize::from(halves[1] <= 0.0)]];
        Self { total: halves[0] * shares[0] + halves[1] * shares[1], shares }
    }
}

fn points(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).exp())
}

fn target(row: TracedRow, settings: &FitSettings) -> f32 {
    let promised = match row.label {
        Label::Centipawns(value) => points(f32::from(value), settings.scale),
        Label::Mate { winner, .. } => [1.0, 0.0][winner.index()],
    };
    row.result.map_or(promised, |result| promised + settings.result_share * (result - promised))
}

/// The summed squared error of these rows and its gradient for every value.
fn gradient(traces: &Traces, rows: &[u32], weights: &[[f32; 2]], settings: &FitSettings) -> (f64, Vec<f32>) {
    let part = rows.len().div_ceil(PARTS).max(1);
    let sums: Vec<(f64, Vec<[f32; 2]>)> = rows
        .par_chunks(part)
        .map(|rows| {
            let (mut loss, mut slopes) = (0.0, vec![[0.0; 2]; WEIGHT_COUNT]);
            for &index in rows {
                let (row, coefficients) = traces.row(index as usize);
                let value = Value::of(row, coefficients, weights);
                let points = points(value.total, settings.scale);
                let error = points - target(row, settings);
                loss += f64::from(error * error);
                let slope = error * points * (1.0 - points);
                for &Coefficient { place, count } in coefficients {
                    let slopes = &mut slopes[usize::from(place)];
                    slopes[0] += slope * value.shares[0] * f32::from(count);
                    slopes[1] += slope * value.shares[1] * f32::from(count);
                }
            }
            (loss, slopes)
        })
        .collect();
    let mut total = (0.0, vec![0.0; 2 * WEIGHT_COUNT]);
    for (loss, slopes) in sums {
        total.0 += loss;
        for (total, slope) in total.1.iter_mut().zip(slopes.as_flattened()) {
            *total += slope;
        }
    }
    total
}

/// Groups values into (middlegame, endgame) pairs.
fn pairs(values: &[f32]) -> &[[f32; 2]] {
    values.as_chunks().0
}

#[cfg(test)]
mod tests;
