//! The library of the program `alfiere`: test suites, game analysis, the strength of networks, and the
//! web page.
//!
//! The reusable parts are crates of their own: [`alfiere_chess`], [`alfiere_syzygy`], [`alfiere_nnue`],
//! [`alfiere_search`] and [`alfiere_arena`]. The library prints nothing and never exits.

pub mod analysis;
pub mod ladder;
pub mod suite;
#[cfg(feature = "play")]
pub mod web;
