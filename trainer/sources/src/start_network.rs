//! The network that a training starts from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use alfiere_chess::types::Color;
use alfiere_data::HeldOutRule;
use alfiere_model::{FloatNetwork, Objective, QuantiseError, dequantise, first_weights, quantise, rounded};
use alfiere_nnue::{Architecture, Network, NetworkError, Provenance};
use alfiere_search::eval::{AnyEvaluator, Evaluator, NetworkChoice};
use alfiere_search::fit::best_scale;
use alfiere_training::{Checkpoint, CheckpointError, Rows, Start, TrainingOptions};
use rayon::prelude::*;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// Rows from which the scale of the labels is measured, at most.
const SCALE_ROWS: usize = 50_000;
/// Rows that one thread evaluates at a time.
const PART: usize = 4_096;

#[derive(Debug, Error)]
pub enum StartNetworkError {
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{}: {source}", path.display())]
    Quantise { path: PathBuf, source: QuantiseError },
    #[error(
        "{name}: one unit of output of a network with `skip` stays {unit} internal units; use --loss sigmoid, or another --start"
    )]
    Unit { name: String, unit: f32 },
}

#[derive(Clone, Debug)]
pub struct StartNetwork {
    /// The name of its file, or `embedded`, and the hash of its bytes.
    pub name: String,
    pub network: NetworkChoice,
    /// A checkpoint's are unrounded, a network file's quantised.
    pub weights: FloatNetwork,
    /// The rule by which rows were held out from it; `None` if its file does not say.
    pub held_out: Option<HeldOutRule>,
    /// Centipawns of the labels for each internal unit of the network.
    pub label_scale: f32,
}

impl StartNetwork {
    /// The network of a start; `None` if it is none.
    ///
    /// # Errors
    /// If its file cannot be read, or holds neither a network nor a checkpoint of one.
    pub fn load(start: &Start) -> Result<Option<Self>, StartNetworkError> {
        match start {
            Start::Random | Start::Classical { .. } => Ok(None),
            Start::Embedded { .. } => Ok(Some(Self::of("embedded", NetworkChoice::default()))),
            Start::File { path, .. } => Self::read(path).map(Some),
        }
    }

    fn of(name: &str, network: NetworkChoice) -> Self {
        let held_out = network.provenance().free.get(HeldOutRule::FIELD).and_then(HeldOutRule::from_json);
        let name = format!("{name} xxh3:{:016x}", xxh3_64(&network.to_bytes()));
        Self { name, weights: dequantise(&network), network, held_out, label_scale: 1.0 }
    }

    /// The best weights of a checkpoint, the current ones if its phase has no finished epoch, or those of a network file.
    ///
    /// # Errors
    /// As [`StartNetwork::load`].
    pub fn read(path: &Path) -> Result<Self, StartNetworkError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if Network::is_file(path) {
            return Ok(Self::of(&name, NetworkChoice::Loaded(Arc::new(Network::load(path)?))));
        }
        let checkpoint = Checkpoint::load(path)?;
        let (unit, held_out) = (checkpoint.config.options().objective.output_scale(), checkpoint.held_out.clone());
        let weights = checkpoint.into_weights();
        let network = quantise(&rounded(weights.clone()), unit, Provenance::default())
            .map_err(|source| StartNetworkError::Quantise { path: path.to_path_buf(), source })?;
        Ok(Self { weights, held_out, ..Self::of(&name, NetworkChoice::Loaded(Arc::new(network))) })
    }

    /// Internal units per unit of its output.
    pub fn unit(&self) -> f32 {
        self.network.output_scale()
    }

    /// Whether a network of this shape can take the weights: the same shape, or a finer one.
    pub fn gives_weights_to(&self, architecture: &Architecture) -> bool {
        first_weights(architecture.clone(), 0, Some(self.weights.clone())).is_ok()
    }

    /// Finds the scale of the labels: that at which the network's values fit these rows best, or the one of a stated
    /// objective, and sets the objective's. The rows are in the form that is trained on: else the network would have to grow.
    pub fn fit(&mut self, objective: &mut Objective, is_stated: bool, rows: Rows<'_>) {
        let unit = self.unit();
        match objective {
            Objective::Sigmoid { scale, .. } | Objective::Tanh { scale } => {
                if !is_stated {
                    *scale = (unit * self.measured_scale(rows)).round().max(1.0);
                }
                self.label_scale = *scale / unit;
            }
            Objective::ClippedCentipawns => self.label_scale = self.measured_scale(rows),
        }
    }

    /// The scale at which the static values fit the labels best; 1 without rows out of check.
    fn measured_scale(&self, rows: Rows<'_>) -> f32 {
        let step = rows.picks.len().div_ceil(SCALE_ROWS).max(1);
        let picks: Vec<u32> = rows.picks.iter().copied().step_by(step).collect();
        let value = |evaluator: &mut AnyEvaluator, pick: u32| {
            let row = rows.samples.row(pick);
            let board = row.to_board().ok().filter(|board| !board.in_check())?;
            evaluator.reset(&board);
            let value = f64::from(evaluator.evaluate(&board));
            let value = if board.side_to_move() == Color::White { value } else { -value };
            Some((value, row.label().clipped()))
        };
        let parts: Vec<Vec<(f64, f64)>> = picks
            .par_chunks(PART)
            .map_init(
                || AnyEvaluator::neural(self.network.clone()),
                |evaluator, picks| picks.iter().filter_map(|&pick| value(evaluator, pick)).collect(),
            )
            .collect();
        let (values, labels): (Vec<f64>, Vec<f64>) = parts.into_iter().flatten().unzip();
        if values.is_empty() { 1.0 } else { best_scale(&values.into(), &labels.into()).scale as f32 }
    }

    /// The initial weights of a run; `None` if a lesson teaches it.
    ///
    /// # Errors
    /// If they cannot be in the units of the run's objective.
    pub fn initial_weights(&self, options: &TrainingOptions) -> Result<Option<FloatNetwork>, StartNetworkError> {
        if options.start.lesson().is_some() {
            return Ok(None);
        }
        let unit = options.objective.output_scale() / self.label_scale;
        let error = || StartNetworkError::Unit { name: self.name.clone(), unit: self.unit() };
        self.weights_in_units_of(unit).map(Some).ok_or_else(error)
    }

    /// The weights, where one unit of output is this number of internal units; `None` for a `skip` network with another unit,
    /// which keeps its own.
    pub fn weights_in_units_of(&self, unit: f32) -> Option<FloatNetwork> {
        let factor = self.unit() / unit;
        let mut weights = self.weights.clone();
        if (factor - 1.0).abs() <= UNIT_TOLERANCE {
            return Some(weights);
        }
        if weights.architecture.skip {
            return None;
        }
        let last = weights.layers.iter_mut().last();
        for value in last.into_iter().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias)) {
            *value *= factor;
        }
        Some(weights)
    }
}

/// Relative difference of units that a network file's rounding can cause.
const UNIT_TOLERANCE: f32 = 1e-3;

/// The best options known for a training from this start on this number of rows, with this shape if one is stated, and the
/// network of the start.
///
/// # Errors
/// If the network cannot be read.
pub fn recipe(
    start: Start,
    shape: Option<&Architecture>,
    rows: u64,
) -> Result<(TrainingOptions, Option<StartNetwork>), StartNetworkError> {
    let network = StartNetwork::load(&start)?;
    let is_other = |network: &StartNetwork| shape.is_some_and(|shape| !network.gives_weights_to(shape));
    let start = if network.as_ref().is_some_and(is_other) {
        start.taught(TrainingOptions::lesson_for_rows(rows))
    } else {
        start
    };
    let mut options = TrainingOptions::for_rows(rows, start);
    if let Some(network) = &network {
        options.objective = Objective::Sigmoid { scale: network.unit(), power: 2.0 };
        if options.start.lesson().is_none() {
            options.architecture.clone_from(&network.weights.architecture);
        }
    }
    if let Some(shape) = shape {
        options.architecture.clone_from(shape);
    }
    if !options.architecture.activation.has_integers() {
        options.own_searches = 0;
    }
    Ok((options, network))
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;
    use alfiere_model::initialise;

    use super::*;

    fn saved(folder: &Path, shape: &str) -> PathBuf {
        let weights = initialise(shape.parse().expect(shape), 1).expect(shape);
        let path = folder.join("a.nnue");
        quantise(&weights, 400.0, Provenance::default()).expect(shape).save(&path).expect("saved");
        path
    }

    #[test]
    fn weights_are_rescaled_unless_a_network_skips() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = StartNetwork::read(&saved(folder.path(), "dual [32,8] x8")).expect("a network");
        let rescaled = plain.weights_in_units_of(200.0).expect("no skip");
        let (found, expected) = (rescaled.layers[2].weights[[0, 0]], 2.0 * plain.weights.layers[2].weights[[0, 0]]);
        assert!((found - expected).abs() < 1e-6);
        let skip = StartNetwork::read(&saved(folder.path(), "dual [32,8,8] x8 skip")).expect("a network");
        assert_eq!(skip.weights_in_units_of(400.0), Some(skip.weights.clone()));
        let report = TrainingOptions {
            objective: Objective::ClippedCentipawns,
            start: Start::EMBEDDED,
            ..TrainingOptions::default()
        };
        let error = skip.initial_weights(&report).expect_err("another unit").to_string();
        assert!(error.contains("stays 400 internal units; use --loss sigmoid"), "{error}");
    }

    #[test]
    fn files_that_hold_no_network_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let whole = std::fs::read(saved(folder.path(), "dual [8]")).expect("there");
        std::fs::write(path("cut.nnue"), &whole[..100]).expect("written");
        std::fs::write(path("rows.checkpoint"), "FEN,Evaluation\n").expect("written");
        for (name, reason) in
            [("cut.nnue", "100"), ("rows.checkpoint", "not a usable checkpoint"), ("none.nnue", "cannot read")]
        {
            let error = StartNetwork::read(&path(name)).expect_err(name).to_string();
            assert!(error.contains(name) && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn the_scale_of_labels_is_found() {
        let mut start = StartNetwork::load(&Start::EMBEDDED).expect("embedded").expect("a network");
        let mut evaluator = AnyEvaluator::neural(start.network.clone());
        let labelled = |row: &alfiere_data::Row| {
            let board = row.to_board().expect("legal");
            evaluator.reset(&board);
            let value = evaluator.evaluate(&board) * if board.side_to_move() == Color::White { 1 } else { -1 };
            row.with_label(alfiere_data::Label::centipawns((f64::from(value) * 1.5).round() as i64))
        };
        let rows: Vec<_> = sample::real(400).iter().filter(|row| !row.in_check()).map(labelled).collect();
        let picks: Vec<u32> = (0..rows.len() as u32).collect();
        let rows = Rows::new(&rows, &picks);
        let mut objective = Objective::Sigmoid { scale: 1.0, power: 2.0 };
        start.fit(&mut objective, false, rows);
        assert!((start.label_scale - 1.5).abs() < 0.01, "{}", start.label_scale);
        assert!((objective.output_scale() / start.unit() - start.label_scale).abs() < 1e-6);
        start.fit(&mut Objective::Sigmoid { scale: 2.0 * start.unit(), power: 2.0 }, true, rows);
        assert!((start.label_scale - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_start_gives_weights_or_a_lesson() {
        let shape: Architecture = "dual [16]".parse().expect("valid");
        let (options, network) = recipe(Start::EMBEDDED, None, 1_000).expect("embedded");
        let network = network.expect("a network");
        assert_eq!((options.start.clone(), &options.architecture), (Start::EMBEDDED, &network.weights.architecture));
        assert!(network.initial_weights(&options).is_ok_and(|weights| weights.is_some()));
        let (options, network) = recipe(Start::EMBEDDED, Some(&shape), 1_000).expect("embedded");
        assert!(options.start.lesson().is_some() && options.architecture == shape);
        assert!(network.is_some_and(|network| network.initial_weights(&options).is_ok_and(|none| none.is_none())));
    }
}
