//! Training speed: whole steps on positions of random games.
//!
//! A measured step is what a training run does: the batch is extracted from packed rows while the one before is learnt
//! (forwards, backwards, `AdamW`, clipping). Nothing is printed here.

mod positions;

use std::sync::Arc;
use std::time::{Duration, Instant};

use alfiere::network::{Architecture, ArchitectureError};

use crate::data::Row;
use crate::model::{Dropout, Encoding, Learner, Mirror, Objective, SparseBatch, StepSize, initialise};

pub use positions::random_rows;

/// Steps before the clock starts.
const WARM_UP: usize = 3;

/// A network to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its shape.
    pub architecture: Architecture,
    /// Positions in a step.
    pub batch_size: usize,
    /// Chance of a hidden neuron to be left out.
    pub dropout: f32,
}

/// How fast a network learns.
#[derive(Clone, PartialEq, Debug)]
pub struct Speed {
    /// Positions learnt in a second.
    pub positions_per_second: f64,
    /// Billions of floating-point operations in a second, counted as [`Case::operations`] says.
    pub gflops: f64,
    /// Steps measured.
    pub steps: u64,
}

impl Case {
    /// The networks that are measured by default.
    pub fn standard() -> Vec<Self> {
        let case = |text: &str, batch_size, dropout| {
            // The texts below are sound; a test reads them all.
            text.parse().ok().map(|architecture| Self { architecture, batch_size, dropout })
        };
        [
            case("dual [256] crelu x1", 16_384, 0.0),
            case("dual [512] crelu x8", 16_384, 0.0),
            case("dual [1024] crelu x1", 16_384, 0.0),
            case("dual [512,16,32] crelu x1", 16_384, 0.0),
            case("white [769,384,192,96] crelu x1", 4_096, 0.1),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// A short name without spaces.
    pub fn name(&self) -> String {
        let dropout = if self.dropout > 0.0 { format!("-dropout{}", self.dropout) } else { String::new() };
        format!("{}-batch{}{dropout}", self.architecture.to_string().replace(' ', "-"), self.batch_size)
    }

    /// Floating-point operations per position that a step cannot avoid: an addition forwards and one backwards for
    /// each active input and accumulator neuron, six for each weight of the dense layers, two of them forwards.
    pub fn operations(&self, pieces: f64) -> f64 {
        let shapes = self.architecture.layer_shapes();
        let sparse = pieces * (self.architecture.views() * shapes[0].outputs) as f64 * 2.0;
        let dense: usize = shapes[1..].iter().map(|shape| shape.inputs * shape.outputs * 6).sum();
        sparse + dense as f64
    }

    /// Learns from `rows` for about `time`.
    ///
    /// # Errors
    /// If the architecture is out of its limits.
    pub fn measure(&self, rows: &[Row], time: Duration) -> Result<Speed, ArchitectureError> {
        let mut learner = Learner::new(initialise(self.architecture.clone(), 1)?);
        let encoding = Encoding::new(&self.architecture, Objective::Report, 0.0);
        let picks: Vec<u32> = (0..self.batch_size).map(|index| (index * 7919 % rows.len()) as u32).collect();
        let (mut next, mut spare) = (SparseBatch::default(), SparseBatch::default());
        next.fill(rows, &picks, &encoding, Mirror::Random(0));
        let mut pieces = 0.0;
        let mut step = |index: usize| {
            let batch = Arc::new(std::mem::replace(&mut next, std::mem::take(&mut spare)));
            pieces = batch.piece_count() as f64 / batch.len() as f64;
            rayon::join(
                || {
                    let dropout = Dropout { rate: self.dropout, seed: 1, step: index as u64 };
                    learner.step(&batch, Objective::Report, dropout, StepSize { rate: 1e-3, decay: 1e-2 })
                },
                || next.fill(rows, &picks, &encoding, Mirror::Random(index as u64)),
            );
            spare = Arc::try_unwrap(batch).unwrap_or_default();
        };
        (0..WARM_UP).for_each(&mut step);
        let start = Instant::now();
        let mut steps = 0;
        while steps == 0 || start.elapsed() < time {
            step(WARM_UP + steps);
            steps += 1;
        }
        let positions_per_second = (steps * self.batch_size) as f64 / start.elapsed().as_secs_f64();
        let gflops = positions_per_second * self.operations(pieces) / 1e9;
        Ok(Speed { positions_per_second, gflops, steps: steps as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_standard_cases_are_there_and_can_be_measured() {
        assert_eq!(Case::standard().len(), 5);
        let rows = random_rows(300, 1);
        let case = Case { architecture: "dual [16] crelu x1".parse().expect("valid"), batch_size: 200, dropout: 0.0 };
        let speed = case.measure(&rows, Duration::from_millis(5)).expect("valid");
        assert!(speed.positions_per_second > 0.0 && speed.gflops > 0.0);
    }

    #[test]
    fn operations_by_hand() {
        let case = Case { architecture: "dual [256] crelu x1".parse().expect("valid"), batch_size: 1, dropout: 0.0 };
        assert!((case.operations(24.0) - (24.0 * 512.0 * 2.0 + 512.0 * 6.0)).abs() < 1e-9);
        assert_eq!(case.name(), "dual-[256]-crelu-x1-batch1");
    }
}
