//! The devices that a run computes on.

use std::fmt;
use std::str::FromStr;

use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};

use super::processor::Processor;

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
    /// True for the CPU.
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

    /// The burn device of a GPU.
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
