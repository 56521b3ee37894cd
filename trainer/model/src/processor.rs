//! Where a network is computed: on the CPU with the sparse kernels, or on a GPU with plain burn operations.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use alfiere_nnue::Architecture;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

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

/// A device to train on, written `cpu`, `cuda`, `cuda:1` or `wgpu`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Compute {
    /// The CPU, with the sparse kernels.
    #[default]
    Cpu,
    /// An NVIDIA GPU, by index.
    Cuda(usize),
    /// The default GPU of the system's graphics API.
    Wgpu,
}

impl Compute {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
    pub fn is_cpu(&self) -> bool {
        *self == Self::Cpu
    }

    /// The processor for this device.
    ///
    /// # Errors
    /// If this build does not support the device, or the machine has no working one.
    pub fn processor(self) -> Result<Processor, String> {
        if self.is_cpu() {
            return Ok(Processor::cores());
        }
        let device = self.gpu()?;
        // If drivers are missing or fail, burn panics at the first operation.
        let attempt = std::panic::catch_unwind(|| {
            Tensor::<1>::from_floats([1.0, 2.0], &device).sum().into_data().try_into_vec::<f32>().ok()
        });
        match attempt {
            Ok(Some(sum)) if sum == [3.0] => Ok(Processor::gpu(device)),
            _ => Err(format!("device {self} cannot be used on this machine; expected a GPU with a working driver")),
        }
    }

    fn gpu(self) -> Result<Device, String> {
        match self {
            #[cfg(feature = "cuda")]
            Self::Cuda(index) => Ok(Device::cuda(index)),
            #[cfg(feature = "wgpu")]
            Self::Wgpu => Ok(Device::wgpu(burn::tensor::DeviceKind::DefaultDevice)),
            #[allow(unreachable_patterns, reason = "reachable unless every feature is enabled")]
            missing => {
                let feature = missing.to_string();
                let feature = feature.split(':').next().unwrap_or_default();
                Err(format!(
                    "this build has no {feature}; expected one compiled with \
                     `cargo build --release -p alfiere-trainer --features {feature}`"
                ))
            }
        }
    }
}

impl fmt::Display for Compute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(index) => write!(f, "cuda:{index}"),
            Self::Wgpu => f.write_str("wgpu"),
        }
    }
}

impl FromStr for Compute {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            None if text == "wgpu" => Ok(Self::Wgpu),
            Some(("cuda", index)) if let Ok(index) = index.parse() => Ok(Self::Cuda(index)),
            _ => Err(format!("device `{text}`; expected cpu, cuda, cuda:N or wgpu")),
        }
    }
}

impl From<Compute> for String {
    fn from(compute: Compute) -> Self {
        compute.to_string()
    }
}

impl TryFrom<String> for Compute {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (text, compute) in [("cpu", Compute::Cpu), ("cuda:1", Compute::Cuda(1)), ("wgpu", Compute::Wgpu)] {
            assert_eq!(text.parse(), Ok(compute));
            assert_eq!(compute.to_string(), text);
        }
        assert_eq!("cuda".parse(), Ok(Compute::Cuda(0)));
        assert!("gpu".parse::<Compute>().is_err() && "cuda:x".parse::<Compute>().is_err());
    }

    #[test]
    fn cpu_needs_no_feature() {
        assert!(Compute::Cpu.processor().is_ok());
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn missing_feature_is_named() {
        assert!(Compute::Cuda(1).processor().expect_err("not built in").contains("--features cuda"));
    }
}
