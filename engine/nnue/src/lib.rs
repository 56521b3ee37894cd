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
mod bucket_list;
mod chunks;
mod delta;
mod dequantise;
mod embedded;
mod features;
mod float;
mod format;
mod head;
mod hidden_layer;
mod inputs;
mod layout;
mod map_bytes;
mod network_error;
mod nnue;
mod output_buckets;
mod packed;
mod parameters;
mod piece_values;
mod provenance;
pub mod quantisation;
mod quantise;
mod reference;
mod refresh_cache;
mod rows;
mod simd;
mod stack;
mod storage;
#[cfg(test)]
mod tests;
mod viewpoint;

pub use architecture::{
    Activation, Architecture, ArchitectureError, LayerShape, MAX_HIDDEN_LAYERS, MAX_WIDTH, Perspective,
};
pub use bucket_list::BucketError;
pub use delta::Delta;
pub use dequantise::dequantise;
pub use embedded::EmbeddedNetwork;
pub use features::{FeatureLists, feature_index};
pub use float::{FloatLayer, FloatNetwork, FloatNetworkError};
pub use format::FORMAT_VERSION;
pub use hidden_layer::HiddenLayer;
pub use inputs::{INPUTS, Inputs, Orientation, PIECE_INPUTS, SIDE_TO_MOVE_INPUT};
pub use layout::LayoutError;
pub use network_error::NetworkError;
pub use nnue::Network;
pub use output_buckets::OutputBuckets;
pub use piece_values::{PieceValues, piece_values};
pub use provenance::Provenance;
pub use quantise::{QuantiseError, quantise};
pub use simd::{InstructionSet, UnknownInstructionSet};
pub use stack::AccumulatorStack;
