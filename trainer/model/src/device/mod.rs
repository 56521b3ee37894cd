//! Training on a graphics card: a step is a fixed sequence of launches of our own kernels, and weights, moments and averages stay
//! there. A step sends its positions and waits for nothing.
//!
//! The same steps as those of [`Learner`](crate::Learner) on cores.

mod batch;
mod card;
mod kernels;
mod network;
mod resident;
#[cfg(test)]
mod tests;

pub use batch::DeviceBatch;
pub(crate) use card::Card;
pub(crate) use network::CardPredictor;
pub(crate) use resident::Resident;

use cubecl::Device;
use cubecl::device::WgpuDeviceKind;

use crate::processor::Compute;

/// The cards that a choice allows, the best first.
fn devices(compute: Compute) -> Vec<Device> {
    let cuda = |index| Device::cuda(index).ok();
    let wgpu = || Device::wgpu(WgpuDeviceKind::default()).ok();
    match compute {
        Compute::Cpu => Vec::new(),
        Compute::Cuda(index) => cuda(index).into_iter().collect(),
        Compute::Wgpu => wgpu().into_iter().collect(),
        Compute::Gpu => cuda(0).into_iter().chain(wgpu()).collect(),
    }
}

impl Card {
    /// The first card that works.
    ///
    /// # Errors
    /// If this machine has none.
    pub(crate) fn find(compute: Compute) -> Result<Self, String> {
        let mut problem = "expected a graphics card with a working driver".to_owned();
        for device in devices(compute) {
            // If drivers are missing or fail, CubeCL panics at the first use.
            match std::panic::catch_unwind(|| Self::open(&device)) {
                Ok(Ok(card)) => return Ok(card),
                Ok(Err(error)) => problem = error,
                Err(_) => {}
            }
        }
        Err(format!("device {compute} cannot be used on this machine: {problem}"))
    }
}
