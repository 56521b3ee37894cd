//! Where a network is computed: on the CPU with the sparse kernels, or on a graphics card with kernels of its own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use alfiere_nnue::Architecture;
use serde::{Deserialize, Serialize};

use super::batch::{Encoding, SparseBatch};
use super::device::{Card, DeviceBatch};
use super::hints::Hints;
use super::kernels::scratch::ScratchPool;
use super::objective::Objective;
use crate::burn::tensor::Device;

/// The CPU with the resources its steps share, or a graphics card.
#[derive(Clone, Debug)]
pub struct Processor {
    pub(super) device: Device,
    pub(super) pool: ScratchPool,
    pub(super) card: Option<Card>,
}

/// The positions of one step, where a processor reads them.
#[derive(Debug)]
pub enum Batch {
    /// On the cores, for the sparse kernels.
    Sparse(Arc<SparseBatch>),
    /// On a card, with the memory that was sent.
    Device(Box<(DeviceBatch, SparseBatch)>),
}

impl Batch {
    /// The buffers of a batch on the cores, for reuse.
    pub fn into_spare(self) -> SparseBatch {
        match self {
            Self::Sparse(batch) => Arc::try_unwrap(batch).unwrap_or_default(),
            Self::Device(batch) => batch.1,
        }
    }
}

impl Processor {
    /// The CPU with the sparse kernels.
    pub fn cores() -> Self {
        Self { device: Device::flex(), pool: ScratchPool::default(), card: None }
    }

    /// How positions are encoded for steps here.
    pub fn encoding(&self, architecture: &Architecture, objective: Objective, result_share: f32) -> Encoding {
        let encoding = Encoding::new(architecture, objective, result_share);
        if self.card.is_some() { encoding.for_card() } else { encoding }
    }

    /// The positions of a step where this processor reads them; those for a card are sent to it. A card gets hints with them.
    pub fn prepare(&self, positions: SparseBatch, hints: Option<&Hints>) -> Batch {
        match &self.card {
            None => Batch::Sparse(Arc::new(positions)),
            Some(card) => Batch::Device(Box::new((DeviceBatch::new(&positions, hints, card), positions))),
        }
    }

    pub fn is_cpu(&self) -> bool {
        self.card.is_none()
    }

    /// What computes, such as `cpu` or the name of a card.
    pub fn name(&self) -> String {
        self.card.as_ref().map_or_else(|| "cpu".to_owned(), Card::name)
    }
}

/// A device to train on, written `cpu`, `gpu`, `cuda`, `cuda:1` or `wgpu`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Compute {
    /// The CPU, with the sparse kernels.
    #[default]
    Cpu,
    /// The best graphics card that this build can use.
    Gpu,
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
        let missing = match self {
            Self::Cuda(_) if !cfg!(feature = "cuda") => Some("cuda"),
            Self::Wgpu if !cfg!(feature = "wgpu") => Some("wgpu"),
            Self::Gpu if !cfg!(any(feature = "cuda", feature = "wgpu")) => Some("wgpu"),
            _ => None,
        };
        if let Some(feature) = missing {
            return Err(format!(
                "this build has no {feature}; expected one compiled with \
                 `cargo build --release -p alfiere-trainer --features {feature}`"
            ));
        }
        Ok(Processor { card: Some(Card::find(self)?), ..Processor::cores() })
    }
}

impl fmt::Display for Compute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Gpu => f.write_str("gpu"),
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
            None if text == "gpu" => Ok(Self::Gpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            None if text == "wgpu" => Ok(Self::Wgpu),
            Some(("cuda", index)) if let Ok(index) = index.parse() => Ok(Self::Cuda(index)),
            _ => Err(format!("device `{text}`; expected cpu, gpu, cuda, cuda:N or wgpu")),
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
        for (text, compute) in
            [("cpu", Compute::Cpu), ("gpu", Compute::Gpu), ("cuda:1", Compute::Cuda(1)), ("wgpu", Compute::Wgpu)]
        {
            assert_eq!(text.parse(), Ok(compute));
            assert_eq!(compute.to_string(), text);
        }
        assert_eq!("cuda".parse(), Ok(Compute::Cuda(0)));
        assert!("card".parse::<Compute>().is_err() && "cuda:x".parse::<Compute>().is_err());
        assert!(Compute::Cpu.processor().is_ok());
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn missing_feature_is_named() {
        assert!(Compute::Cuda(1).processor().expect_err("not built in").contains("--features cuda"));
    }
}
