//! Trains NNUE networks: reads positions, trains, validates and quantises.
//!
//! `data` and `metrics` are independent of networks; `model` and `training` are independent of position files. The
//! library prints nothing: it reports progress through traits and returns results and errors as values.

pub mod bench;
pub mod check;
pub mod classical;
pub mod data;
pub mod datagen;
pub mod distil;
pub mod experiment;
pub mod figures;
pub mod imitation;
pub mod improve;
pub mod labelling;
pub mod metrics;
pub mod model;
pub mod playing_network;
pub mod record;
pub mod row_files;
mod searcher;
pub mod shard;
pub mod teacher;
pub mod training;
pub mod watch;

/// The examples of the guide to the libraries.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/libraries.md")]
struct LibrariesGuide;
