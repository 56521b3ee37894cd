//! Streaming conversion between file formats: no file needs to fit into memory.

mod buckets;
mod conversion;
mod first_pass;
mod game_sink;
mod inputs;
mod interleave;
mod job;
mod label_sink;
mod packed_sink;
mod repeats;
mod row_sink;
mod sink;

pub use conversion::{Conversion, Order};
pub use job::{Converted, convert, relabel};
pub use label_sink::NewLabels;
pub use repeats::Equality;

#[cfg(test)]
mod tests;
