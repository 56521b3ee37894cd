//! The processor of the device that a run computes on.

use burn::tensor::{Device, Tensor};

use super::compute::Compute;
use crate::model::Processor;

impl Compute {
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

#[cfg(test)]
mod tests {
    use super::*;

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
