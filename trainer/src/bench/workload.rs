//! The least work of training on one position, and the time that it takes at a machine's peak rates.

use alfiere_nnue::Architecture;
use serde::Serialize;

use super::limits::MachineLimits;

/// Operations of the optimiser per weight: two moments, a root, a division and the decay.
const OPTIMISER: f64 = 14.0;

/// The least work of training on one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Workload {
    /// Additions of the first layer: one forward and one backward per active input and neuron.
    pub additions: f64,
    /// Operations of the other layers: six per weight, two of them forward.
    pub dense: f64,
    pub optimiser: f64,
    /// Bytes of the weights read in the forward pass.
    pub read: f64,
    /// Bytes of weights and moments read by the optimiser; it writes as many.
    pub updated: f64,
}

/// Upper bounds of the training speed, in positions per second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SpeedLimits {
    /// From the peak rate of arithmetic.
    pub arithmetic: f64,
    /// From the peak rate of memory.
    pub memory: f64,
}

impl Workload {
    /// The work for a position with this number of pieces, one of `batch_size` in a step.
    pub fn new(architecture: &Architecture, pieces: f64, batch_size: usize) -> Self {
        let shapes = architecture.layer_shapes();
        let outputs = |layer: usize| match architecture.hidden.get(layer) {
            // A position uses only one of several stacks.
            Some(&width) => width,
            None => shapes[layer].outputs,
        };
        let dense: usize = (1..shapes.len()).map(|layer| shapes[layer].inputs * outputs(layer) * 6).sum();
        let own = architecture.parameter_count() as f64 / batch_size as f64;
        let float = size_of::<f32>() as f64;
        Self {
            additions: 2.0 * pieces * (architecture.views() * shapes[0].outputs) as f64,
            dense: dense as f64,
            optimiser: OPTIMISER * own,
            read: own * float,
            updated: 3.0 * own * float,
        }
    }

    /// Total floating-point operations.
    pub fn operations(&self) -> f64 {
        self.additions + self.dense + self.optimiser
    }

    /// The bounds on a machine whose memory, or the cache that holds weights and moments, is updated at `update_rate`
    /// gigabytes per second. An addition takes the time of a multiplication with addition.
    pub fn limits(&self, machine: &MachineLimits, update_rate: f64) -> SpeedLimits {
        let arithmetic = (2.0 * self.additions + self.dense + self.optimiser) / machine.gflops;
        let memory = self.read / machine.memory_read.max(update_rate) + self.updated / update_rate;
        SpeedLimits { arithmetic: 1e9 / arithmetic, memory: 1e9 / memory }
    }
}

impl SpeedLimits {
    /// The lower of the two: a step takes at least the longer time, even if arithmetic and memory overlap completely.
    pub fn lower(self) -> f64 {
        self.arithmetic.min(self.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_matches_hand_computed_values() {
        let work = Workload::new(&"dual [256] crelu x1".parse().expect("valid"), 24.0, 100);
        let weights = f64::from(770 * 256 + 513) / 100.0;
        let all = 24.0 * 512.0 * 2.0 + 512.0 * 6.0 + 14.0 * weights;
        assert!((work.operations() - all).abs() < 1e-6, "{work:?}");
        assert!((work.read - 4.0 * weights).abs() < 1e-6 && (work.updated - 12.0 * weights).abs() < 1e-6, "{work:?}");
    }

    #[test]
    fn positions_use_one_stack() {
        let of = |text: &str| Workload::new(&text.parse().expect("valid"), 24.0, 100).dense;
        assert!((of("dual [64,16,8] x8 stacks") - 6.0 * f64::from(128 * 16 + 16 * 8 + 8 * 8)).abs() < 1e-6);
    }

    #[test]
    fn limits_are_work_divided_by_rates() {
        let machine = MachineLimits { threads: 2, gflops: 200.0, memory_read: 50.0, memory_update: 20.0 };
        let work = Workload { additions: 1e6, dense: 1e6, optimiser: 1e6, read: 1e6, updated: 1e6 };
        // 20 microseconds, and 20 + 50 microseconds.
        let limits = work.limits(&machine, 20.0);
        assert!((limits.arithmetic - 5e4).abs() < 1.0 && (limits.memory - 1e6 / 70.0).abs() < 1.0, "{limits:?}");
        assert!((limits.lower() - limits.memory).abs() < 1e-9);
    }
}
