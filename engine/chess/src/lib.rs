#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `types, random, files <- board <- movegen <- game <- {epd, pgn} <- {openings, book}`: each module uses only modules
//! to its left. `review` uses only `types`.
//! Prints nothing. Independent of evaluation and search.

pub mod board;
pub mod book;
pub mod epd;
pub mod files;
pub mod game;
pub mod movegen;
pub mod openings;
pub mod pgn;
pub mod positions;
pub mod random;
pub mod review;
pub mod types;

pub mod centipawns {
    //! The unit in which agreement with labels is measured: clipped centipawns, `clamp(centipawns / 1000, -1, 1)`.

    /// Centipawns at which clipped centipawns reach ±1.
    pub const CLIP_CENTIPAWNS: f64 = 1000.0;

    /// Converts centipawns to clipped centipawns.
    pub fn clipped(centipawns: f64) -> f64 {
        (centipawns / CLIP_CENTIPAWNS).clamp(-1.0, 1.0)
    }
}
