//! The names of the devices that a run computes on.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
}
