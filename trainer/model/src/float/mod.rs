//! The float network of training, and the conversions between it and the integers.

mod bounds;
mod layout;
mod network;
mod quantise;
#[cfg(test)]
mod tests;

pub use layout::{LayoutError, bullet_layout, flat_layout};
pub use network::{FloatLayer, FloatNetwork};
pub use quantise::{QuantiseError, dequantise, quantise};
