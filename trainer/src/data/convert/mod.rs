//! Streaming conversion between file formats: no file needs to fit into memory.

mod buckets;
mod game_sink;
mod inputs;
mod job;
mod packed_sink;
mod row_sink;
mod sink;

pub use job::{Conversion, Converted, Order, convert};

#[cfg(test)]
mod tests;
