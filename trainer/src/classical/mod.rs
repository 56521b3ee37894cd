//! Fits the weights of the engine's hand-crafted evaluation to labelled positions.
//!
//! The engine traces the coefficients of a position ([`Traces`]). For a given phase the evaluation is linear in its
//! weights, which are fitted by gradient descent ([`fit`]). Independent of networks and of files.

mod fit;
mod traces;

pub use fit::{FitEpoch, FitSettings, FittedWeights, fit, measure};
pub use traces::{TraceError, Traces};
