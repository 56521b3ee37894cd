#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `{platform, huge_pages} <- eval <- search <- engine <- {bench, genfens, fit} <- uci`: each module uses only those
//! before it. Prints nothing and never exits: it returns values and reports through traits.

pub mod bench;
pub mod engine;
pub mod eval;
pub mod fit;
pub mod genfens;
pub mod huge_pages;
pub mod platform;
pub mod search;
pub mod uci;

pub use engine::Engine;
