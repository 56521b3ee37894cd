#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `types, random, files <- board <- movegen <- game <- {epd, pgn} <- {openings, book}`: each module uses only modules
//! to its left. `review` uses only `types`.
//! Prints nothing. Independent of evaluation and search.

pub mod board;
pub mod book;
pub mod centipawns;
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
