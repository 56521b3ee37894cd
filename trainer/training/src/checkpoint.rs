//! Checkpoints: the state of a run between two steps, saved so that a resumed run is identical to an uninterrupted one.
//!
//! The only module that reads or writes the format: eight bytes `ALFICKPT`, a version, the length and CRC-32 of the
//! content, then the content in bincode. A checkpoint belongs to the version of the program that wrote it. It is written to
//! a temporary file and renamed, so a killed run keeps its previous one.

use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_data::{DataError, HeldOutRule, atomic};
use alfiere_model::{AverageWeights, FloatLayer, FloatNetwork, LearnerState, OptimiserState, SharedRows, SlowWeights};
use alfiere_nnue::Architecture;
use ndarray::{Array2, ShapeError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::observer::{EpochRecord, TrainingProgress};
use super::options::{ConfigError, KeptWeights, TrainingConfig, TrainingOptions};

const MAGIC: [u8; 8] = *b"ALFICKPT";
const VERSION: u32 = 8;
const HEADER_BYTES: usize = 24;

#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    pub config: TrainingConfig,
    pub fingerprint: String,
    /// The rule by which rows are held out; `None` if there is none.
    pub held_out: Option<HeldOutRule>,
    /// Index of the current phase.
    pub phase: u32,
    /// The weights at the end of each phase before.
    pub earlier: Vec<FloatNetwork>,
    /// Current weights, state of the optimiser and moving average.
    pub learner: LearnerState,
    /// Position within the phase.
    pub progress: TrainingProgress,
    pub best: Best,
    /// The epochs of all phases.
    pub history: Vec<EpochRecord>,
}

/// The best weights of a phase so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    pub network: FloatNetwork,
    /// The epoch after which they were taken, from 1; 0 before the first.
    pub epoch: u32,
    /// Their loss: validation loss, or training loss without a validation set.
    pub loss: f64,
}

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Write(#[from] DataError),
    #[error("{path} is not a usable checkpoint: {reason}")]
    Content { path: PathBuf, reason: String },
}

#[derive(Serialize, Deserialize)]
struct SavedNetwork {
    architecture: String,
    layers: Vec<(Vec<f32>, Vec<f32>)>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    /// As JSON: bincode cannot deserialise tagged enums.
    options: String,
    fingerprint: String,
    /// As JSON.
    held_out: Option<String>,
    phase: u32,
    earlier: Vec<SavedNetwork>,
    network: SavedNetwork,
    optimiser: OptimiserState,
    shared: Option<SharedRows>,
    slow: Option<SavedNetwork>,
    average: Option<(SavedNetwork, u64)>,
    progress: TrainingProgress,
    best_network: SavedNetwork,
    best_epoch: u32,
    best_loss: f64,
    history: Vec<EpochRecord>,
}

impl SavedNetwork {
    fn of(network: &FloatNetwork) -> Self {
        let layers =
            network.layers.iter().map(|layer| (layer.weights.iter().copied().collect(), layer.bias.to_vec())).collect();
        Self { architecture: network.architecture.to_string(), layers }
    }

    fn restore(self) -> Result<FloatNetwork, String> {
        let architecture: Architecture = self.architecture.parse().map_err(|error| format!("{error}"))?;
        let shapes = architecture.layer_shapes();
        let layers = shapes
            .iter()
            .zip(self.layers)
            .map(|(shape, (weights, bias))| {
                let weights = Array2::from_shape_vec((shape.inputs, shape.outputs), weights)?;
                Ok(FloatLayer { weights, bias: bias.into() })
            })
            .collect::<Result<_, ShapeError>>()
            .map_err(|error| error.to_string())?;
        let network = FloatNetwork { architecture, layers };
        network.validate().map_err(|error| error.to_string())?;
        Ok(network)
    }
}

impl Checkpoint {
    /// The best weights of the phase, or the current ones before the end of its first epoch.
    pub fn into_weights(self) -> FloatNetwork {
        if self.best.epoch > 0 { self.best.network } else { self.learner.into_weights() }
    }

    /// The best epoch of the user's rows so far; 0 before the first.
    pub fn best_epoch(&self) -> u32 {
        best_epoch(&self.history, &self.config, KeptWeights::Best)
    }

    /// Writes the checkpoint. An existing file at `path` is replaced only after the new one is completely on disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let unusable = |reason: String| CheckpointError::Content { path: path.to_path_buf(), reason };
        let LearnerState { network, optimiser, average } = &self.learner;
        let saved = Saved {
            options: serde_json::to_string(self.config.options()).map_err(|error| unusable(error.to_string()))?,
            fingerprint: self.fingerprint.clone(),
            held_out: self.held_out.as_ref().map(|rule| rule.to_json().to_string()),
            phase: self.phase,
            earlier: self.earlier.iter().map(SavedNetwork::of).collect(),
            network: SavedNetwork::of(network),
            optimiser: optimiser.clone(),
            shared: optimiser.shared.clone(),
            slow: optimiser.slow.as_ref().map(|slow| SavedNetwork::of(&slow.0)),
            average: average.as_ref().map(|average| (SavedNetwork::of(&average.network), average.steps)),
            progress: self.progress,
            best_network: SavedNetwork::of(&self.best.network),
            best_epoch: self.best.epoch,
            best_loss: self.best.loss,
            history: self.history.clone(),
        };
        let content = bincode::serialize(&saved).map_err(|error| unusable(error.to_string()))?;
        let mut head = Vec::with_capacity(HEADER_BYTES);
        head.extend(MAGIC);
        head.extend(VERSION.to_le_bytes());
        head.extend((content.len() as u64).to_le_bytes());
        head.extend(crc32fast::hash(&content).to_le_bytes());
        atomic::write(path, |file| {
            file.write_all(&head)?;
            file.write_all(&content)
        })?;
        Ok(())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or has an unsupported version.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let read = |source| CheckpointError::Read { path: path.to_path_buf(), source };
        let bytes = std::fs::read(path).map_err(read)?;
        parse(&bytes).map_err(|reason| CheckpointError::Content { path: path.to_path_buf(), reason })
    }
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, String> {
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or("it is too short")?;
    if *magic != MAGIC {
        return Err("it does not start with `ALFICKPT`".to_owned());
    }
    let (version, rest) = rest.split_first_chunk::<4>().ok_or("it is too short")?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(format!("it has version {version}, this program continues runs of version {VERSION}"));
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or("it is too short")?;
    let (sum, content) = rest.split_first_chunk::<4>().ok_or("it is too short")?;
    if content.len() as u64 != u64::from_le_bytes(*length) {
        return Err(format!("it has {} bytes of content, expected {}", content.len(), u64::from_le_bytes(*length)));
    }
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err("its checksum is wrong".to_owned());
    }
    let mut saved: Saved = bincode::deserialize(content).map_err(|error| error.to_string())?;
    saved.optimiser.shared = saved.shared;
    saved.optimiser.slow = saved.slow.map(|network| network.restore().map(SlowWeights)).transpose()?;
    let options: TrainingOptions = serde_json::from_str(&saved.options).map_err(|error| error.to_string())?;
    let config = TrainingConfig::new(options).map_err(|error: ConfigError| error.to_string())?;
    let held_out =
        saved.held_out.map(|json| serde_json::from_str(&json).map_err(|error| error.to_string())).transpose()?;
    let network = saved.network.restore()?;
    if network.architecture != config.options().architecture || !saved.optimiser.fits(&network) {
        return Err("its parts belong to different networks".to_owned());
    }
    let average = saved
        .average
        .map(|(network, steps)| Ok::<_, String>(AverageWeights { network: network.restore()?, steps }))
        .transpose()?;
    if average.as_ref().is_some_and(|average| average.network.architecture != network.architecture) {
        return Err("its moving average belongs to a different network".to_owned());
    }
    Ok(Checkpoint {
        config,
        fingerprint: saved.fingerprint,
        held_out,
        phase: saved.phase,
        earlier: saved.earlier.into_iter().map(SavedNetwork::restore).collect::<Result<_, _>>()?,
        learner: LearnerState { network, optimiser: saved.optimiser, average },
        progress: saved.progress,
        best: Best { network: saved.best_network.restore()?, epoch: saved.best_epoch, loss: saved.best_loss },
        history: saved.history,
    })
}

/// The epoch of the user's rows whose weights a run takes; 0 before the first.
pub(super) fn best_epoch(history: &[EpochRecord], config: &TrainingConfig, kept: KeptWeights) -> u32 {
    let of_rows = |record: &&EpochRecord| record.phase == config.options().rows_phase();
    let mut records = history.iter().rev().filter(of_rows);
    records.find(|record| kept == KeptWeights::Last || record.is_best).map_or(0, |record| record.epoch)
}

#[cfg(test)]
mod tests {
    use alfiere_chess::random::Random;
    use alfiere_data::{HeldOut, HeldOutUnit};
    use alfiere_model::initialise;

    use super::*;

    fn example() -> Checkpoint {
        let mut options = TrainingOptions::default();
        options.architecture.hidden = vec![3];
        let network = initialise(options.architecture.clone(), 1).expect("valid");
        Checkpoint {
            config: TrainingConfig::new(options).expect("valid"),
            fingerprint: "some data".to_owned(),
            held_out: None,
            phase: 1,
            earlier: vec![network.clone()],
            learner: LearnerState { network: network.clone(), optimiser: OptimiserState::new(&network), average: None },
            progress: TrainingProgress { epochs: 2, batches: 3, loss_sum: 0.5, seconds: 1.0 },
            best: Best { network, epoch: 1, loss: f64::INFINITY },
            history: vec![EpochRecord {
                phase: 0,
                epoch: 1,
                learning_rate: 0.1,
                training_loss: 0.25,
                validation: None,
                is_best: true,
                seconds: 2.0,
                positions_per_second: 3.5,
            }],
        }
    }

    #[test]
    fn checkpoint_round_trips_through_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let mut checkpoint = example();
        let rule = HeldOutRule {
            hash_version: 1,
            unit: HeldOutUnit::Positions,
            seed: u64::MAX,
            amount: HeldOut::Share(0.05),
            last_rank: u64::MAX - 1,
            inner: true,
            throughout: false,
        };
        let average = AverageWeights { network: checkpoint.learner.network.clone(), steps: 7 };
        for (average, held_out) in [(None, None), (Some(average), Some(rule))] {
            checkpoint.learner.optimiser.slow = average.as_ref().map(|average| SlowWeights(average.network.clone()));
            (checkpoint.learner.average, checkpoint.held_out) = (average, held_out);
            checkpoint.save(&path).expect("written");
            assert_eq!(Checkpoint::load(&path).expect("just written"), checkpoint);
        }
    }

    /// In place of the fuzzer of the other readers, which would have to instrument burn.
    #[test]
    fn altered_content_with_the_right_checksum_does_not_panic() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let mut checkpoint = example();
        checkpoint.learner.average = Some(AverageWeights { network: checkpoint.learner.network.clone(), steps: 7 });
        checkpoint.save(&path).expect("written");
        let whole = std::fs::read(&path).expect("there");
        let (mut refused, mut read) = (0, 0);
        for seed in 0..4_000 {
            let mut random = Random::new(seed);
            let mut bytes = whole.clone();
            for _ in 0..=random.below(4) {
                // Names, options and lengths are at the start; behind them are mostly weights.
                let range = if random.below(4) > 0 { 800 } else { bytes.len() - HEADER_BYTES - 8 };
                let place = HEADER_BYTES + random.below(range as u64) as usize;
                match random.below(4) {
                    0 => bytes[place] ^= 1 << random.below(8),
                    1 => bytes[place] = random.below(256) as u8,
                    2 => bytes[place..place + 8].fill(0xFF),
                    _ => drop(bytes.splice(place..place + 8, random.below(1 << 40).to_le_bytes())),
                }
            }
            if random.below(8) == 0 {
                bytes.truncate(HEADER_BYTES + random.below((whole.len() - HEADER_BYTES) as u64) as usize);
            }
            let (length, sum) = ((bytes.len() - HEADER_BYTES) as u64, crc32fast::hash(&bytes[HEADER_BYTES..]));
            bytes[12..20].copy_from_slice(&length.to_le_bytes());
            bytes[20..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
            match parse(&bytes) {
                Ok(found) => {
                    read += 1;
                    assert!(found.learner.network.validate().is_ok() && found.best.network.validate().is_ok());
                }
                Err(reason) => {
                    refused += 1;
                    assert!(!reason.is_empty());
                }
            }
        }
        assert!(refused > 1_000 && read > 50, "{refused} {read}");
    }

    #[test]
    fn damage_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        example().save(&path).expect("written");
        let whole = std::fs::read(&path).expect("there");
        let reason = |bytes: &[u8]| parse(bytes).expect_err("damaged");
        assert_eq!(reason(&whole[..5]), "it is too short");
        assert!(reason(&whole[..whole.len() - 1]).contains("bytes of content"));
        let mut altered = whole.clone();
        altered[100] ^= 1;
        assert_eq!(reason(&altered), "its checksum is wrong");
        altered = whole;
        altered[8] = 9;
        assert!(reason(&altered).contains("version 9"));
        assert_eq!(reason(b"something else than that"), "it does not start with `ALFICKPT`");
    }
}
