//! The network that plays: kernels, accumulators and the layers behind them.

pub(crate) mod chunks;
pub(crate) mod head;
pub(crate) mod network;
pub(crate) mod packed;
pub(crate) mod reference;
pub(crate) mod simd;
pub(crate) mod snapshot;
pub(crate) mod stack;
pub(crate) mod viewpoint;
