//! The state of a run between two steps, as a file from which it goes on as if it had never stopped.
//!
//! The only place that knows the format: eight bytes `ALFICKPT`, a version, the length and CRC-32 of the rest, then
//! bincode: the state, from version 2 on what king buckets share, and from version 3 on the average of the weights. Files are written beside and renamed, so that a killed run leaves the last whole one.

use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_nnue::{Architecture, FloatLayer, FloatNetwork};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::observer::EpochRecord;
use super::options::{ConfigError, TrainingConfig, TrainingOptions};
use crate::data::{DataError, atomic};
use crate::model::{AverageWeights, OptimiserState, SharedRows};

const MAGIC: [u8; 8] = *b"ALFICKPT";
const VERSION: u32 = 3;
/// The oldest version that is still read.
const OLDEST: u32 = 1;
const HEAD_BYTES: usize = 24;

/// Where a run stopped, and all that it needs to go on.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What the run was asked to do.
    pub config: TrainingConfig,
    /// Tells the data apart from other data.
    pub fingerprint: String,
    /// Weights now.
    pub network: FloatNetwork,
    /// The optimiser now.
    pub optimiser: OptimiserState,
    /// The average of the weights, if the run makes one.
    pub average: Option<AverageWeights>,
    /// Where in the run this is.
    pub place: TrainingProgress,
    /// The best weights so far.
    pub best: Best,
    /// Finished epochs.
    pub history: Vec<EpochRecord>,
}

/// A place between two steps.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// Finished epochs.
    pub epochs: u32,
    /// Steps taken in the epoch under way.
    pub batches: u64,
    /// Sum of the batches' mean losses in the epoch under way, each times its positions.
    pub loss_sum: f64,
    /// Time spent in the epoch under way, in seconds.
    pub seconds: f64,
}

/// The best weights of a run so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// The weights.
    pub network: FloatNetwork,
    /// After which epoch, from 1; 0 before the first.
    pub epoch: u32,
    /// Their loss: on the validation set, or in training without one.
    pub loss: f64,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] DataError),
    /// It is no checkpoint, or a damaged one.
    #[error("{path} is no usable checkpoint: {reason}")]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct SavedNetwork {
    architecture: String,
    layers: Vec<(Vec<f32>, Vec<f32>)>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    /// JSON: bincode cannot read tagged enums.
    options: String,
    fingerprint: String,
    network: SavedNetwork,
    optimiser: OptimiserState,
    place: TrainingProgress,
    best_network: SavedNetwork,
    best_epoch: u32,
    best_loss: f64,
    history: Vec<EpochRecord>,
}

impl SavedNetwork {
    fn of(network: &FloatNetwork) -> Self {
        let layers = network.layers.iter().map(|layer| (layer.weights.clone(), layer.bias.clone())).collect();
        Self { architecture: network.architecture.to_string(), layers }
    }

    fn restore(self) -> Result<FloatNetwork, String> {
        let architecture: Architecture = self.architecture.parse().map_err(|error| format!("{error}"))?;
        let shapes = architecture.layer_shapes();
        let layers = shapes
            .iter()
            .zip(self.layers)
            .map(|(shape, (weights, bias))| FloatLayer { inputs: shape.inputs, outputs: shape.outputs, weights, bias })
            .collect();
        let network = FloatNetwork { architecture, layers };
        network.validate().map_err(|error| error.to_string())?;
        Ok(network)
    }
}

impl Checkpoint {
    /// Writes the checkpoint; what stood at `path` stays until all of it is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let unusable = |reason: String| CheckpointError::Content { path: path.to_path_buf(), reason };
        let saved = Saved {
            options: serde_json::to_string(self.config.options()).map_err(|error| unusable(error.to_string()))?,
            fingerprint: self.fingerprint.clone(),
            network: SavedNetwork::of(&self.network),
            optimiser: self.optimiser.clone(),
            place: self.place,
            best_network: SavedNetwork::of(&self.best.network),
            best_epoch: self.best.epoch,
            best_loss: self.best.loss,
            history: self.history.clone(),
        };
        let average = self.average.as_ref().map(|average| (SavedNetwork::of(&average.network), average.steps));
        let content = bincode::serialize(&(&saved, &self.optimiser.shared, average))
            .map_err(|error| unusable(error.to_string()))?;
        let mut head = Vec::with_capacity(HEAD_BYTES);
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
    /// If the file cannot be read, is damaged or of another version.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let read = |source| CheckpointError::Read { path: path.to_path_buf(), source };
        let bytes = std::fs::read(path).map_err(read)?;
        parse(&bytes).map_err(|reason| CheckpointError::Content { path: path.to_path_buf(), reason })
    }
}

/// What a file holds behind its head.
type Parts = (Saved, Option<SharedRows>, Option<(SavedNetwork, u64)>);

fn parse(bytes: &[u8]) -> Result<Checkpoint, String> {
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or("it is too short")?;
    if *magic != MAGIC {
        return Err("it does not begin as one".to_owned());
    }
    let (version, rest) = rest.split_first_chunk::<4>().ok_or("it is too short")?;
    let version = u32::from_le_bytes(*version);
    if !(OLDEST..=VERSION).contains(&version) {
        return Err(format!("it has version {version}, this program reads {OLDEST} to {VERSION}"));
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or("it is too short")?;
    let (sum, content) = rest.split_first_chunk::<4>().ok_or("it is too short")?;
    if content.len() as u64 != u64::from_le_bytes(*length) {
        return Err(format!("it has {} bytes of content, expected {}", content.len(), u64::from_le_bytes(*length)));
    }
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err("its checksum is wrong".to_owned());
    }
    let parts: bincode::Result<Parts> = match version {
        1 => bincode::deserialize(content).map(|saved| (saved, None, None)),
        2 => bincode::deserialize(content).map(|(saved, shared)| (saved, shared, None)),
        _ => bincode::deserialize(content),
    };
    let (mut saved, shared, average) = parts.map_err(|error| error.to_string())?;
    saved.optimiser.shared = shared;
    let options: TrainingOptions = serde_json::from_str(&saved.options).map_err(|error| error.to_string())?;
    let config = TrainingConfig::new(options).map_err(|error: ConfigError| error.to_string())?;
    let network = saved.network.restore()?;
    if network.architecture != config.options().architecture || !saved.optimiser.fits(&network) {
        return Err("its parts belong to different networks".to_owned());
    }
    let average =
        average.map(|(network, steps)| Ok::<_, String>(AverageWeights { network: network.restore()?, steps }));
    let average = average.transpose()?;
    if average.as_ref().is_some_and(|average| average.network.architecture != network.architecture) {
        return Err("its average is of another network".to_owned());
    }
    Ok(Checkpoint {
        config,
        fingerprint: saved.fingerprint,
        network,
        optimiser: saved.optimiser,
        average,
        place: saved.place,
        best: Best { network: saved.best_network.restore()?, epoch: saved.best_epoch, loss: saved.best_loss },
        history: saved.history,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::initialise;

    fn example() -> Checkpoint {
        let mut options = TrainingOptions::default();
        options.architecture.hidden = vec![3];
        let network = initialise(options.architecture.clone(), 1).expect("valid");
        Checkpoint {
            config: TrainingConfig::new(options).expect("valid"),
            fingerprint: "some data".to_owned(),
            optimiser: OptimiserState::new(&network),
            average: None,
            place: TrainingProgress { epochs: 2, batches: 3, loss_sum: 0.5, seconds: 1.0 },
            best: Best { network: network.clone(), epoch: 1, loss: f64::INFINITY },
            network,
            history: Vec::new(),
        }
    }

    #[test]
    fn a_checkpoint_survives_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let mut checkpoint = example();
        for average in [None, Some(AverageWeights { network: checkpoint.network.clone(), steps: 7 })] {
            checkpoint.average = average;
            checkpoint.save(&path).expect("written");
            assert_eq!(Checkpoint::load(&path).expect("just written"), checkpoint);
        }
    }

    #[test]
    fn checkpoints_of_earlier_versions_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let checkpoint = example();
        checkpoint.save(&path).expect("written");
        let mut bytes = std::fs::read(&path).expect("there");
        for version in [2, 1] {
            // What was added since then is not there: a byte says so now.
            assert_eq!(bytes.pop(), Some(0));
            let content = &bytes[HEAD_BYTES..];
            let (length, sum) = (content.len() as u64, crc32fast::hash(content));
            bytes[8] = version;
            bytes[12..20].copy_from_slice(&length.to_le_bytes());
            bytes[20..24].copy_from_slice(&sum.to_le_bytes());
            assert_eq!(parse(&bytes).expect("of an earlier version"), checkpoint);
        }
    }

    #[test]
    fn damage_is_told() {
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
        assert_eq!(reason(b"something else than that"), "it does not begin as one");
    }
}
