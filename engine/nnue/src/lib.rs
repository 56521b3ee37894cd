#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Owns the [`Architecture`] of engine and trainer, the feature index, the network of integers, the file format and the
//! kernels. Positions are read only as pieces on squares and the changes that a move makes. Independent of search, data
//! sets, training and floating point: the float network and the quantiser are in `alfiere_model`.

mod file;
mod inference;
mod shape;
#[cfg(test)]
mod tests;

pub use file::format::{FORMAT_VERSION, NetworkError};
pub use inference::network::{EmbeddedNetwork, Network, PieceValues, piece_values};
pub use inference::simd::{InstructionSet, UnknownInstructionSet};
pub use inference::stack::AccumulatorStack;
pub use inference::viewpoint::Delta;
pub use shape::architecture::{
    Activation, Architecture, ArchitectureError, LayerShape, MAX_HIDDEN_LAYERS, MAX_WIDTH, Perspective,
};
pub use shape::buckets::{BucketError, OutputBuckets};
pub use shape::features::{FeatureLists, HiddenLayer, feature_index};
pub use shape::inputs::{INPUTS, Inputs, Orientation, PIECE_INPUTS, SIDE_TO_MOVE_INPUT};
pub use shape::parameters::Provenance;
pub use shape::relations::Relations;
pub use shape::{parameters, quantisation};
