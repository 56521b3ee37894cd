#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Owns the [`Architecture`] of engine and trainer, the feature index, the float network, the quantised network and the
//! conversions between them, the file format and the kernels. Positions are read only as pieces on squares and the
//! changes that a move makes. Independent of search, data sets and training.

mod architecture;
mod architecture_text;
mod bounds;
mod buckets;
mod chunks;
mod features;
mod float;
mod format;
mod head;
mod inputs;
mod layout;
mod nnue;
mod packed;
mod parameters;
pub mod quantisation;
mod quantise;
mod reference;
mod relations;
mod simd;
mod snapshot;
mod stack;
mod storage;
#[cfg(test)]
mod tests;
mod viewpoint;

pub use architecture::{
    Activation, Architecture, ArchitectureError, LayerShape, MAX_HIDDEN_LAYERS, MAX_WIDTH, Perspective,
};
pub use buckets::{BucketError, OutputBuckets};
pub use features::{FeatureLists, feature_index};
pub use float::{FloatLayer, FloatNetwork, FloatNetworkError, HiddenLayer};
pub use format::{FORMAT_VERSION, NetworkError};
pub use inputs::{INPUTS, Inputs, Orientation, PIECE_INPUTS, SIDE_TO_MOVE_INPUT};
pub use layout::LayoutError;
pub use nnue::{EmbeddedNetwork, Network, PieceValues, piece_values};
pub use parameters::Provenance;
pub use quantise::{QuantiseError, dequantise, quantise};
pub use relations::Relations;
pub use simd::{InstructionSet, UnknownInstructionSet};
pub use stack::AccumulatorStack;
pub use viewpoint::Delta;
