//! Checks that trainer and engine agree on a network: float weights, an integer forward pass independent of the
//! engine's, and the engine's own evaluation, over the same rows.

mod compare;
mod integer;

pub use compare::{Agreement, CheckError, Compared, Differences, FloatAgreement, compare, engine_values};
pub use integer::{IntegerError, IntegerNetwork};
