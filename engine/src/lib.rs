//! What the program `alfiere` does besides playing: test suites, analysis of games, and the page to play and watch on.
//!
//! The parts that other programs may want are crates of their own: [`alfiere_chess`], [`alfiere_syzygy`], [`alfiere_nnue`],
//! [`alfiere_search`] and [`alfiere_arena`]. The library prints nothing and never exits.

pub mod analysis;
pub mod suite;
#[cfg(feature = "play")]
pub mod web;
