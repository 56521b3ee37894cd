//! Trains a network on the rows of the last rounds, from the weights of the last accepted one.

use std::ops::RangeInclusive;
use std::path::Path;

use alfiere_data::{Captures, Row};
use alfiere_model::{FloatNetwork, Objective, Processor, quantise};
use alfiere_nnue::{Network, Provenance};
use alfiere_training::{
    ResultShare, Rows, RunInputs, SideToMove, StopReason, TrainingConfig, TrainingObserver, TrainingOptions, evaluate,
    predict_centipawns, train,
};

use super::settings::{ImproveError, LearnSettings};
use crate::start_network::{StartNetwork, StartNetworkError};

/// Values up to this many internal units are compared to find the scale of a network.
const SCALE_LIMIT: f32 = 1_000.0;
/// Changes of the scale beyond this are no drift.
const SOUND_SCALES: RangeInclusive<f64> = 0.8..=1.25;
/// The first steps of the optimiser, one in this many, are smaller, so that it does not lose what the network knows.
const WARMUP_SHARE: u64 = 20;

/// What a network has learnt, on rows of games that it was not trained on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Learnt {
    /// The loss before and after training.
    pub(super) loss: [f64; 2],
    /// The slope of its values over those of the network before; the exported network is divided by it.
    pub(super) scale: f64,
}

impl Learnt {
    /// Names of the figures in a network's provenance.
    const NAMES: [&str; 3] = ["loss_before", "loss_after", "scale"];

    /// The figures that the provenance of a network holds.
    pub(super) fn of(provenance: &Provenance) -> Option<Self> {
        let [before, after, scale] = Self::NAMES.map(|name| provenance.metrics.get(name)?.as_f64());
        Some(Self { loss: [before?, after?], scale: scale? })
    }

    fn write(self, provenance: Provenance) -> Provenance {
        let values = [self.loss[0], self.loss[1], self.scale];
        Self::NAMES.iter().zip(values).fold(provenance, |provenance, (name, value)| provenance.with_metric(name, value))
    }
}

/// The rows of a training.
pub(super) struct Lessons {
    pub(super) training: Vec<Row>,
    pub(super) validation: Vec<Row>,
}

/// The scale of the loss for this network: its own if it is a `skip` network, whose output cannot be rescaled.
pub(super) fn loss_scale(network: &Network, settings: &LearnSettings) -> f32 {
    if network.architecture().skip { network.output_scale() } else { settings.scale }
}

/// The options of a training from this network on this number of rows.
pub(super) fn options(
    start: &Network,
    rows: u64,
    settings: &LearnSettings,
    (seed, threads): (u64, usize),
) -> TrainingOptions {
    TrainingOptions {
        architecture: start.architecture().clone(),
        epochs: settings.epochs,
        batch_size: settings.batch_size,
        learning_rate: settings.learning_rate,
        warmup_steps: u64::from(settings.epochs) * rows / settings.batch_size.max(1) as u64 / WARMUP_SHARE,
        // Decay would shrink the evaluation a little with each round.
        weight_decay: 0.0,
        objective: Objective::Sigmoid { scale: loss_scale(start, settings), power: 2.0 },
        result_share: ResultShare::Constant(settings.result_share),
        seed,
        threads,
        side_to_move: if start.reads_side_to_move() { SideToMove::Input } else { SideToMove::NoInput },
        // Labels are of the positions as they are.
        captures: Captures::Keep,
        ..TrainingOptions::default()
    }
}

/// Trains from the weights of a network file; `None` if the observer stops the run.
pub(super) fn learn(
    start: &Path,
    lessons: &Lessons,
    options: TrainingOptions,
    provenance: Provenance,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<Network>, ImproveError> {
    let config = TrainingConfig::new(options)?;
    let objective = config.options().objective;
    let start = StartNetwork::read(start)?;
    let weights = start.weights_in_units_of(objective.output_scale());
    let weights = weights.ok_or_else(|| StartNetworkError::Unit { name: start.name.clone(), unit: start.unit() })?;
    let picks = [&lessons.training, &lessons.validation].map(|rows| (0..rows.len() as u32).collect::<Vec<u32>>());
    let [training, validation] = &picks;
    let training = Rows::new(&lessons.training, training);
    let validation = Rows::new(&lessons.validation, validation);
    let before = loss(&weights, &config, validation);
    let old = predict_centipawns(&weights, objective, validation);
    let inputs = RunInputs { start: Some(weights), ..RunInputs::new(&training, validation) };
    let run = train(&config, inputs, observer)?;
    match run.stop {
        StopReason::Interrupted => return Ok(None),
        StopReason::NotFinite { .. } => return Err(ImproveError::NotFinite(run.stop)),
        StopReason::Finished | StopReason::NoProgress => {}
    }
    let after = loss(&run.network, &config, validation);
    let new = predict_centipawns(&run.network, objective, validation);
    let scale = slope(&old, &new);
    if let Some(value) = [before, after, scale].into_iter().find(|value| !value.is_finite()) {
        return Err(ImproveError::Unmeasured(value));
    }
    let learnt = Learnt { loss: [before, after], scale };
    // The margins of the search are in the network's units, and violated bounds widen the evaluation a little each round.
    let widened = if SOUND_SCALES.contains(&scale) { scale as f32 } else { 1.0 };
    Ok(Some(quantise(&run.network, run.output_scale / widened, learnt.write(provenance))?))
}

fn loss(network: &FloatNetwork, config: &TrainingConfig, rows: Rows<'_>) -> f64 {
    let (objective, (_, share)) = (config.options().objective, config.options().result_share.ends());
    evaluate(network, &Processor::cores(), objective, share, rows).map_or(f64::NAN, |validation| validation.loss)
}

/// The slope of a line through 0: new values over old ones, where these are not far from 0.
fn slope(old: &[f32], new: &[f32]) -> f64 {
    let pairs = old.iter().zip(new).filter(|(old, _)| old.abs() <= SCALE_LIMIT);
    let (products, squares) = pairs.fold((0.0, 0.0), |(products, squares), (&old, &new)| {
        (products + f64::from(old) * f64::from(new), squares + f64::from(old).powi(2))
    });
    products / squares
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::Board;
    use alfiere_data::Label;
    use alfiere_model::initialise;

    use super::*;

    #[test]
    fn a_scale_that_is_not_a_number_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("zero.nnue");
        let mut network = initialise("dual [8]".parse().expect("valid"), 1).expect("valid");
        network.layers.iter_mut().for_each(|layer| layer.weights.fill(0.0));
        network.layers.iter_mut().for_each(|layer| layer.bias.fill(0.0));
        let start = quantise(&network, 400.0, Provenance::default()).expect("a network");
        start.save(&path).expect("written");
        let rows = vec![Row::of_board(&Board::startpos()).with_label(Label::centipawns(30)); 64];
        let lessons = Lessons { training: rows.clone(), validation: rows };
        let options = options(&start, 64, &LearnSettings { batch_size: 16, ..LearnSettings::default() }, (1, 1));
        let outcome = learn(&path, &lessons, options, Provenance::default(), &mut ());
        assert!(matches!(outcome, Err(ImproveError::Unmeasured(scale)) if scale.is_nan()), "{outcome:?}");
    }
}
