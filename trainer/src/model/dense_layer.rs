//! What follows a dense layer's matrix product: bias, activation and dropout, forwards and backwards in one pass each.
//!
//! Knows nothing of burn; [`super::operation`] makes it one of its operations.

use alfiere::network::Activation;
use rayon::prelude::*;

use super::lanes::Lanes;
use super::random::Drop;

/// Rows that a task takes; fixed, so that sums over rows are taken in one order.
const RUN: usize = 128;

/// What an activation and a dropout do to a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shaping {
    pub(crate) activation: Activation,
    pub(crate) drop: Option<Drop>,
}

impl Shaping {
    fn kept(self) -> f32 {
        self.drop.map_or(1.0, |drop| drop.kept)
    }

    /// The derivative of the value put out with respect to the sum it was made of. A value says it all: it is 0 where
    /// the neuron was dropped or clipped from below, and as large as it can be where it was clipped from above.
    #[inline]
    pub(crate) fn slope(self, value: f32) -> f32 {
        let kept = self.kept();
        let is_inside = value > 0.0 && value < kept;
        match self.activation {
            Activation::ClippedRelu => {
                if is_inside {
                    kept
                } else {
                    0.0
                }
            }
            Activation::SquaredClippedRelu => {
                if is_inside {
                    2.0 * (kept * value).sqrt()
                } else {
                    0.0
                }
            }
        }
    }

    /// `upstream` times [`Shaping::slope`], for a row of lanes.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call for every row would take longer than the row.
    pub(crate) fn slope_lanes(self, values: &Lanes, upstream: Lanes) -> Lanes {
        let kept = self.kept();
        let slopes = match self.activation {
            Activation::ClippedRelu => upstream.scaled(kept),
            Activation::SquaredClippedRelu => upstream.times(&values.scaled(kept).root().scaled(2.0)),
        };
        slopes.where_inside(values, kept)
    }
}

/// `drop(activation(sums + bias))` for rows of `bias.len()` values.
pub(crate) fn forward(sums: &[f32], bias: &[f32], shaping: Shaping) -> Vec<f32> {
    let width = bias.len();
    let mut rows = vec![0.0; sums.len()];
    let runs = rows.par_chunks_mut(RUN * width).zip(sums.par_chunks(RUN * width)).enumerate();
    runs.for_each(|(run, (rows, sums))| {
        for (row, sums) in rows.chunks_exact_mut(width).zip(sums.chunks_exact(width)) {
            for ((value, sum), bias) in row.iter_mut().zip(sums).zip(bias) {
                let clipped = (sum + bias).clamp(0.0, 1.0);
                *value = match shaping.activation {
                    Activation::ClippedRelu => clipped,
                    Activation::SquaredClippedRelu => clipped * clipped,
                };
            }
        }
        if let Some(drop) = shaping.drop {
            drop.apply(rows, run * RUN * width);
        }
    });
    rows
}

/// The gradients of sums and bias, given the rows put out and their gradients.
pub(crate) fn backward(rows: &[f32], gradients: &[f32], width: usize, shaping: Shaping) -> (Vec<f32>, Vec<f32>) {
    let mut sums = vec![0.0; rows.len()];
    let parts: Vec<Vec<f32>> = sums
        .par_chunks_mut(RUN * width)
        .zip(rows.par_chunks(RUN * width))
        .zip(gradients.par_chunks(RUN * width))
        .map(|((sums, rows), gradients)| {
            let mut bias = vec![0.0; width];
            let all = sums.chunks_exact_mut(width).zip(rows.chunks_exact(width)).zip(gradients.chunks_exact(width));
            for ((sums, row), gradients) in all {
                for (((sum, bias), &value), gradient) in sums.iter_mut().zip(&mut bias).zip(row).zip(gradients) {
                    *sum = gradient * shaping.slope(value);
                    *bias += *sum;
                }
            }
            bias
        })
        .collect();
    let mut bias = vec![0.0; width];
    for part in &parts {
        for (sum, addend) in bias.iter_mut().zip(part) {
            *sum += addend;
        }
    }
    (sums, bias)
}
