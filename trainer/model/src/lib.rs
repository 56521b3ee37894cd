//! Trainable networks: the float network and the quantiser, sparse batches, kernels as burn operations, objectives and the
//! optimiser.
//!
//! Positions are [`alfiere_data::Row`]s; this crate is independent of files, epochs and the command line.

mod assembly;
mod batch;
mod burn;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod device;
#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
#[path = "device/absent.rs"]
mod device;
mod float;
mod hints;
mod init;
mod kernels;
mod layers;
mod learner;
mod learner_state;
mod neuron_order;
mod objective;
mod optimiser;
mod processor;
pub mod random;

pub use assembly::Predictor;
pub use batch::{Encoding, MAX_PIECES, Mirror, SparseBatch};
pub use device::DeviceBatch;
pub use float::{
    FloatLayer, FloatNetwork, LayoutError, QuantiseError, bullet_layout, dequantise, flat_layout, quantise,
};
pub use hints::{HintError, Hints};
pub use init::{StartError, first_weights, initialise};
pub use layers::{Dropout, rounded};
pub use learner::Learner;
pub use learner_state::{LearnerState, OptimiserState, StepLoss, StepSize};
pub use neuron_order::sort_neurons;
pub use objective::{CLIP_SCALE, Objective, ObjectiveError};
pub use optimiser::{AverageWeights, SharedRows, SlowWeights, UpdateRule};
pub use processor::{Batch, Compute, Processor};

#[cfg(test)]
mod gradient_check;
#[cfg(test)]
mod test_batches;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod test_samples;
