//! Alfiere: a chess engine whose evaluation is an efficiently updatable neural network.
//!
//! Modules depend on one another in one direction only:
//! `types, random, whole_file <- board <- movegen <- {network, book, tablebase} <- eval <- search <- engine <- X`, where `X` is
//! `{bench, uci, suite <- arena <- {fit, genfens, analysis, web}} <- main`.
//! The library prints nothing and never exits: it returns values and reports through traits.

pub mod analysis;
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
pub mod engine;
pub mod eval;
pub mod fit;
pub mod genfens;
pub mod huge_pages;
pub mod movegen;
pub mod network;
pub mod random;
pub mod search;
pub mod suite;
pub mod tablebase;
pub mod types;
pub mod uci;
#[cfg(feature = "play")]
pub mod web;
pub mod whole_file;
