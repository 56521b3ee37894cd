//! From a CSV of positions to a trained, quantised network.
//!
//! `data` and `metrics` know nothing of networks; `model` and `training` know nothing of files of positions.
//! The library prints nothing: progress goes through traits, results and errors are values.

pub mod bench;
pub mod check;
pub mod classical;
pub mod data;
pub mod datagen;
pub mod distil;
pub mod experiment;
pub mod figures;
pub mod labelling;
pub mod metrics;
pub mod model;
pub mod playing_network;
pub mod shard;
pub mod teacher;
pub mod training;
