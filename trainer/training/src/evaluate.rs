//! Predictions for many rows and their errors.

use std::sync::Arc;

use alfiere_chess::types::Color;
use alfiere_data::metrics::{MetricSums, Metrics};
use alfiere_data::{Game, Row, Samples};
use alfiere_model::{CLIP_SCALE, Encoding, FloatNetwork, Mirror, Objective, Predictor, Processor, SparseBatch};
use alfiere_nnue::Perspective;

use super::observer::{GamePhase, RowError, Validation};

/// Positions predicted per batch.
const BATCH: usize = 16_384;

/// A selection of rows: all samples, and the indices of the selected ones in order.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub samples: Samples<'a>,
    pub picks: &'a [u32],
}

impl<'a> Rows<'a> {
    pub fn new(samples: impl Into<Samples<'a>>, picks: &'a [u32]) -> Self {
        Self { samples: samples.into(), picks }
    }

    pub fn iter(self) -> impl Iterator<Item = &'a Row> {
        self.picks.iter().map(move |&pick| self.samples.row(pick))
    }
}

/// The network's prediction for each row, in centipawns from White's point of view, in row order.
pub fn predict_centipawns(network: &FloatNetwork, objective: Objective, rows: Rows<'_>) -> Vec<f32> {
    let encoding = Encoding::new(&network.architecture, objective, 0.0);
    let mut all = Vec::with_capacity(rows.picks.len());
    predict_batches(network, &Processor::cores(), &encoding, rows, |outputs, _, picks| {
        all.extend(outputs.iter().zip(picks).map(|(&output, &pick)| {
            white_centipawns(network.architecture.perspective, objective, rows.samples.row(pick), output)
        }));
    });
    all
}

/// For each phase of the game, the rows with the largest errors, each of another game, the largest first; of equal errors the
/// first seen.
#[derive(Default, Debug)]
pub(crate) struct LargestErrors<'a> {
    /// The games of the samples; without them, each row is one.
    games: &'a [Game],
    phases: [Vec<RowError>; 3],
}

impl<'a> LargestErrors<'a> {
    /// Number of rows in each phase.
    const COUNT: usize = 4;

    pub(crate) fn new(games: &'a [Game]) -> Self {
        Self { games, ..Self::default() }
    }

    fn see(&mut self, row: RowError) {
        let kept = &mut self.phases[row.phase as usize];
        if kept.len() == Self::COUNT && kept[Self::COUNT - 1].error >= row.error {
            return;
        }
        let game = |pick| {
            let place = self.games.partition_point(|game| game.rows.end <= pick);
            self.games.get(place).filter(|game| game.anchor.is_some()).map(|_| place)
        };
        let same = |earlier: &RowError| game(row.pick).is_some_and(|own| game(earlier.pick) == Some(own));
        if let Some(place) = kept.iter().position(same) {
            if kept[place].error >= row.error {
                return;
            }
            kept.remove(place);
        }
        kept.insert(kept.partition_point(|earlier| earlier.error >= row.error), row);
        kept.truncate(Self::COUNT);
    }

    /// Those of all phases, from the opening to the endgame.
    pub(crate) fn into_rows(self) -> Vec<RowError> {
        self.phases.into_iter().flatten().collect()
    }
}

/// The network's errors over all rows; `None` without rows. `result_share` applies to the loss; the metrics use the
/// score only.
pub fn evaluate(
    network: &FloatNetwork,
    processor: &Processor,
    objective: Objective,
    result_share: f32,
    rows: Rows<'_>,
) -> Option<Validation> {
    evaluate_rows(network, processor, objective, result_share, rows, &mut LargestErrors::default())
}

/// [`evaluate`], with the rows of the largest errors.
pub(crate) fn evaluate_rows(
    network: &FloatNetwork,
    processor: &Processor,
    objective: Objective,
    result_share: f32,
    rows: Rows<'_>,
    largest: &mut LargestErrors<'_>,
) -> Option<Validation> {
    let encoding = processor.encoding(&network.architecture, objective, result_share);
    let mut sums = MetricSums::default();
    let mut loss = 0.0;
    predict_batches(network, processor, &encoding, rows, |outputs, targets, picks| {
        for ((&output, &target), &pick) in outputs.iter().zip(targets).zip(picks) {
            let sample = rows.samples.row(pick);
            loss += f64::from(objective.loss_of(output, target));
            let centipawns = white_centipawns(network.architecture.perspective, objective, sample, output);
            let predicted = (centipawns / CLIP_SCALE).clamp(-1.0, 1.0);
            let label = Objective::ClippedCentipawns.target(sample.label(), sample.result(), Color::White, 0.0);
            sums.add(f64::from(predicted), f64::from(label));
            let phase = GamePhase::of(sample.piece_count());
            largest.see(RowError { pick, phase, centipawns, error: f64::from(predicted - label).abs() });
        }
    });
    let metrics: Metrics = sums.metrics()?;
    Some(Validation { loss: loss / rows.picks.len() as f64, metrics })
}

fn white_centipawns(perspective: Perspective, objective: Objective, sample: &Row, output: f32) -> f32 {
    let seen = output * objective.output_scale();
    if perspective == Perspective::Dual && sample.side_to_move() == Color::Black { -seen } else { seen }
}

/// Calls `take` with the outputs, targets and picks of each batch; the next batch is extracted while one is computed.
fn predict_batches(
    network: &FloatNetwork,
    processor: &Processor,
    encoding: &Encoding,
    rows: Rows<'_>,
    mut take: impl FnMut(&[f32], &[f32], &[u32]) + Send,
) {
    let mut predictor = Predictor::new(network, processor);
    let mut next = SparseBatch::default();
    let mut chunks = rows.picks.chunks(BATCH).peekable();
    if let Some(first) = chunks.peek() {
        next.fill(rows.samples, first, encoding, Mirror::Never);
    }
    let mut spare = SparseBatch::default();
    while let Some(chunk) = chunks.next() {
        let batch = Arc::new(std::mem::replace(&mut next, std::mem::take(&mut spare)));
        rayon::join(
            || take(&predictor.outputs(&batch), &batch.as_picked(batch.targets()), chunk),
            || {
                if let Some(following) = chunks.peek() {
                    next.fill(rows.samples, following, encoding, Mirror::Never);
                }
            },
        );
        spare = Arc::try_unwrap(batch).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_errors_are_of_different_games_in_each_phase() {
        // Ten games of three rows, the last of which are of no known game.
        let game =
            |number: u32| Game { rows: 3 * number..3 * number + 3, anchor: (number < 9).then_some(number.into()) };
        let games: Vec<Game> = (0..10).map(game).collect();
        let mut largest = LargestErrors::new(&games);
        for pick in 0..30 {
            let phase = GamePhase::of(if pick % 3 == 2 { 10 } else { 32 });
            largest.see(RowError { pick, phase, centipawns: 0.0, error: f64::from(pick) / 100.0 });
        }
        let picks: Vec<u32> = largest.into_rows().iter().map(|row| row.pick).collect();
        assert_eq!(picks, [28, 27, 25, 22, 29, 26, 23, 20]);
    }
}
