//! Files of rows turned into others while they are read, so that none of them needs to fit into memory.

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
