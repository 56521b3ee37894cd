//! Where a network is computed: on the CPU with the sparse kernels, or on a GPU with plain burn operations.

use burn::tensor::Device;

use super::scratch::ScratchPool;

/// A device and the resources its steps share.
#[derive(Clone, Debug)]
pub struct Processor {
    pub(super) device: Device,
    pub(super) kind: Kind,
}

/// How the forward pass is built on a device.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// From the sparse kernels, with this pool of buffers.
    Cores(ScratchPool),
    /// From plain burn operations.
    Gpu,
}

impl Processor {
    /// The CPU with the sparse kernels.
    pub fn cores() -> Self {
        Self { device: Device::flex(), kind: Kind::Cores(ScratchPool::default()) }
    }

    /// Keeps the memory of a buffer for the next step.
    pub(super) fn recycle(&self, buffer: Vec<f32>) {
        if let Kind::Cores(pool) = &self.kind {
            pool.give(buffer);
        }
    }

    /// Another device, or the CPU without the sparse kernels.
    pub fn gpu(device: Device) -> Self {
        Self { device, kind: Kind::Gpu }
    }
}
