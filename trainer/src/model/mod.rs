//! Trainable networks: sparse batches, kernels as burn operations, objectives and the optimiser.
//!
//! Positions are read only through [`Sample`]; this module is independent of files, epochs and the command line.

mod assembly;
mod average;
mod batch;
mod dense_layer;
mod device_batch;
mod finer;
mod fused;
mod fused_pair;
mod init;
mod lanes;
mod layers;
mod learner;
mod loss;
mod neuron_order;
mod objective;
mod operation;
pub(crate) mod optimiser;
mod plain;
mod processor;
mod product;
pub mod random;
mod resident;
mod resident_weights;
mod rounding;
mod rows;
mod scratch;
mod shared_rows;
mod skip;
mod slow_weights;
mod sparse_layer;
mod stacks;
mod table;
mod update_rule;
mod weight_gradient;

pub use assembly::predict;
pub use average::AverageWeights;
pub use batch::{Encoding, MAX_PIECES, Mirror, Sample, SparseBatch};
pub use init::{StartError, first_weights, initialise};
pub(crate) use lanes::multiply_add;
pub use layers::Dropout;
pub use learner::{Learner, LearnerState, OptimiserState, StepSize};
pub use neuron_order::{active_groups, sort_neurons};
pub use objective::{CLIP_SCALE, LabelValue, Objective, ObjectiveError, Score};
pub use processor::{Batch, Processor};
pub use rounding::rounded;
pub use shared_rows::SharedRows;
pub use slow_weights::SlowWeights;
pub use update_rule::UpdateRule;
pub(crate) use weight_gradient::WeightGradient;

#[cfg(test)]
mod gradient_check;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod resident_check;
#[cfg(test)]
pub(crate) mod test_samples;
