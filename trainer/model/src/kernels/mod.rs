//! The sparse kernels: layers and their gradients as loops over slices, on the processor's vector registers.
//!
//! [`operation`] turns them into operations of burn; the other files are independent of burn.

pub(super) mod dense_layer;
pub(super) mod fused;
pub(super) mod fused_pair;
pub(super) mod lanes;
pub(super) mod operation;
mod product;
pub(super) mod scratch;
mod sparse_layer;
mod table;
#[cfg(target_family = "wasm")]
mod wasm;
pub(super) mod weight_gradient;
