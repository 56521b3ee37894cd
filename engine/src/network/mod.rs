//! The evaluation network: what it looks like, how it is stored, and how it is computed.
//!
//! Owns the one [`Architecture`] both crates use, the feature index, the float network that the trainer hands over,
//! the quantised network, its file and its kernels. Knows positions only as pieces on squares and as a
//! board; knows no search, no data set and no way to learn.

mod architecture;
mod features;
mod float;

pub use architecture::{
    Activation, Architecture, ArchitectureError, LayerShape, MAX_HIDDEN_LAYERS, MAX_WIDTH, OutputBuckets, Perspective,
};
pub use features::{FeatureLists, INPUTS, PIECE_INPUTS, SIDE_TO_MOVE_INPUT, feature_index, output_bucket};
pub use float::{FloatLayer, FloatNetwork, FloatNetworkError};
