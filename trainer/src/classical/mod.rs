//! The weights of the engine's hand-written evaluation, fitted to labelled positions.
//!
//! The engine says what it counts in a position ([`Traces`]); given the phase, its value is linear in the weights, so the best
//! ones are found by gradient descent ([`fit`]). Knows no networks and no files but rows.

mod adam;
mod fit;
mod traces;

pub use fit::{Fit, FitEpoch, FitSettings, fit, measure};
pub use traces::{TraceError, Traces};
