//! Where a network is computed: on the CPU with the sparse kernels, or on a GPU with plain burn operations.

use std::sync::Arc;

use alfiere_nnue::Architecture;
use burn::tensor::Device;

use super::batch::{DeviceBatch, Encoding, ListedBatch, SparseBatch};
use super::hints::Hints;
use super::kernels::scratch::ScratchPool;
use super::objective::Objective;

/// Steps whose positions are sent to a GPU together, so that most steps send nothing.
const STEPS_TOGETHER: usize = 64;

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

/// The positions of [`Processor::steps_together`] steps, or fewer, in the form that a processor reads.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// For the sparse kernels.
    Sparse(SparseBatch),
    /// To be sent to a GPU.
    Listed(ListedBatch),
}

/// The positions of one step, where a processor reads them.
#[derive(Clone, Debug)]
pub enum Batch {
    /// On the cores, for the sparse kernels.
    Sparse(Arc<SparseBatch>),
    /// On a GPU.
    Device(Box<DeviceBatch>),
}

impl Batch {
    /// Number of positions.
    pub fn len(&self) -> usize {
        match self {
            Self::Sparse(batch) => batch.len(),
            Self::Device(batch) => batch.len(),
        }
    }

    /// True if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The buffers of a batch on the cores, for reuse.
    pub fn into_spare(self) -> SparseBatch {
        match self {
            Self::Sparse(batch) => Arc::try_unwrap(batch).unwrap_or_default(),
            Self::Device(_) => SparseBatch::default(),
        }
    }
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

    /// How positions are encoded for steps here.
    pub fn encoding(&self, architecture: &Architecture, objective: Objective, result_share: f32) -> Encoding {
        let encoding = Encoding::new(architecture, objective, result_share);
        match self.kind {
            Kind::Cores(_) => encoding,
            Kind::Gpu => encoding.unsorted(),
        }
    }

    /// Number of steps whose positions are encoded and sent together.
    pub fn steps_together(&self) -> usize {
        match self.kind {
            Kind::Cores(_) => 1,
            Kind::Gpu => STEPS_TOGETHER,
        }
    }

    /// The positions of [`Self::steps_together`] steps, or fewer, in the form that this processor reads. A GPU gets hints
    /// and their targets with them.
    pub fn prepare(&self, positions: SparseBatch, hints: Option<&Hints>) -> Prepared {
        match self.kind {
            Kind::Cores(_) => Prepared::Sparse(positions),
            Kind::Gpu => Prepared::Listed(ListedBatch::new(&positions, hints)),
        }
    }

    /// The batches of single steps.
    pub fn batches(&self, positions: Prepared, batch_size: usize) -> Vec<Batch> {
        match positions {
            Prepared::Sparse(positions) => vec![Batch::Sparse(Arc::new(positions))],
            Prepared::Listed(positions) => {
                let sent = positions.send(&self.device.clone().autodiff());
                let starts = (0..sent.len()).step_by(batch_size);
                starts
                    .map(|start| Batch::Device(Box::new(sent.part(start..sent.len().min(start + batch_size)))))
                    .collect()
            }
        }
    }

    /// Another device, or the CPU without the sparse kernels.
    pub fn gpu(device: Device) -> Self {
        Self { device, kind: Kind::Gpu }
    }
}
