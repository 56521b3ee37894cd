//! What a network computes on: the machine's cores with the sparse kernels, or a graphics card with burn's operations.

use burn::tensor::Device;

use super::scratch::ScratchPool;

/// A device, and what its steps share.
#[derive(Clone, Debug)]
pub struct Processor {
    pub(super) device: Device,
    pub(super) kind: Kind,
}

/// How a network is put together on it.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// From the sparse kernels, with these buffers.
    Cores(ScratchPool),
    /// From burn's own operations.
    Card,
}

impl Processor {
    /// The machine's cores.
    pub fn cores() -> Self {
        Self { device: Device::flex(), kind: Kind::Cores(ScratchPool::default()) }
    }

    /// Another device, or the cores without the sparse kernels.
    pub fn card(device: Device) -> Self {
        Self { device, kind: Kind::Card }
    }
}
