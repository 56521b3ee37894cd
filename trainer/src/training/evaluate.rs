//! Predictions over many rows, and how well they fit.

use std::sync::Arc;

use alfiere_chess::types::Color;
use alfiere_nnue::{FloatNetwork, Perspective};

use super::observer::Validation;
use crate::metrics::{MetricSums, Metrics};
use crate::model::{Encoding, Mirror, Objective, Processor, REPORT_SCALE, Sample, SparseBatch, predict};

/// Positions that are predicted at once.
const BATCH: usize = 16_384;

/// Rows of a set: all samples, and which of them in which order.
#[derive(Debug)]
pub struct Rows<'a, S> {
    /// The set.
    pub samples: &'a [S],
    /// Rows of the set.
    pub picks: &'a [u32],
}

impl<S> Clone for Rows<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Rows<'_, S> {}

/// What the network says of each row: centipawns from White's side, in the order of the rows.
pub fn predict_centipawns<S: Sample>(network: &FloatNetwork, objective: Objective, rows: Rows<'_, S>) -> Vec<f32> {
    let encoding = Encoding::new(&network.architecture, objective, 0.0);
    let mut all = Vec::with_capacity(rows.picks.len());
    predict_batches(network, &Processor::cores(), &encoding, rows, |outputs, _, picks| {
        all.extend(outputs.iter().zip(picks).map(|(&output, &pick)| {
            white_centipawns(network.architecture.perspective, objective, &rows.samples[pick as usize], output)
        }));
    });
    all
}

/// The network's errors over all rows at once; `None` without rows. `result_share` is that of the loss; the metrics
/// are about scores alone.
pub fn evaluate<S: Sample>(
    network: &FloatNetwork,
    processor: &Processor,
    objective: Objective,
    result_share: f32,
    rows: Rows<'_, S>,
) -> Option<Validation> {
    let encoding = Encoding::new(&network.architecture, objective, result_share);
    let mut sums = MetricSums::default();
    let mut loss = 0.0;
    predict_batches(network, processor, &encoding, rows, |outputs, targets, picks| {
        for ((&output, &target), &pick) in outputs.iter().zip(targets).zip(picks) {
            let sample = &rows.samples[pick as usize];
            loss += f64::from(objective.loss_of(output, target));
            let centipawns = white_centipawns(network.architecture.perspective, objective, sample, output);
            let predicted = (centipawns / REPORT_SCALE).clamp(-1.0, 1.0);
            let label = Objective::Report.target(sample.verdict(), Color::White, 0.0);
            sums.add(f64::from(predicted), f64::from(label));
        }
    });
    let metrics: Metrics = sums.metrics()?;
    Some(Validation { loss: loss / rows.picks.len() as f64, metrics })
}

fn white_centipawns<S: Sample>(perspective: Perspective, objective: Objective, sample: &S, output: f32) -> f32 {
    let seen = output * objective.output_scale();
    if perspective == Perspective::Dual && sample.side_to_move() == Color::Black { -seen } else { seen }
}

/// Hands out the outputs, targets and picks of batch after batch; the next is extracted while one is computed.
fn predict_batches<S: Sample>(
    network: &FloatNetwork,
    processor: &Processor,
    encoding: &Encoding,
    rows: Rows<'_, S>,
    mut take: impl FnMut(&[f32], &[f32], &[u32]) + Send,
) {
    let mut next = SparseBatch::default();
    let mut chunks = rows.picks.chunks(BATCH).peekable();
    if let Some(first) = chunks.peek() {
        next.fill(rows.samples, first, encoding, Mirror::Never);
    }
    let mut spare = SparseBatch::default();
    while let Some(chunk) = chunks.next() {
        let batch = Arc::new(std::mem::replace(&mut next, std::mem::take(&mut spare)));
        rayon::join(
            || take(&predict(network, processor, &batch), &batch.as_picked(batch.targets()), chunk),
            || {
                if let Some(following) = chunks.peek() {
                    next.fill(rows.samples, following, encoding, Mirror::Never);
                }
            },
        );
        spare = Arc::try_unwrap(batch).unwrap_or_default();
    }
}
