//! Training speed: whole steps on positions of random games.
//!
//! A measured step is what a training run does: the batch is extracted from packed rows while the one before is learnt
//! (forwards, backwards, `AdamW`, clipping). The machine's own limits are measured beside it. Nothing is printed here.

mod limits;
mod positions;
mod processor_time;

use std::sync::Arc;
use std::time::{Duration, Instant};

use alfiere_nnue::{Architecture, ArchitectureError};
use serde::Serialize;

use crate::data::Row;
use crate::model::{Dropout, Encoding, Learner, Mirror, Objective, Processor, SparseBatch, StepSize, initialise};

pub use limits::MachineLimits;
use limits::free_rate;
pub use positions::random_rows;
pub use processor_time::own_and_programs_time;
use processor_time::processor_time;

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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Positions learnt in a second, by the clock.
    pub positions_per_second: f64,
    /// Positions that would be learnt in a second if no other program ran: by processor time, where that is known.
    pub free_positions_per_second: f64,
    /// Billions of floating-point operations in a second by the clock, counted as [`Workload::operations`] says.
    pub gflops: f64,
    /// Positions in a second that the machine could learn at best, as [`MachineLimits::positions_per_second`] says.
    pub limit: f64,
    /// Steps measured.
    pub steps: u64,
}

/// What learning one position cannot avoid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Workload {
    /// Additions of the sparse layer: one forwards and one backwards for each active input and accumulator neuron.
    pub additions: f64,
    /// Operations of the dense layers: six for each weight, two of them forwards.
    pub dense: f64,
    /// Bytes of the first layer's table that are read forwards, and of its gradient that are read and written
    /// backwards.
    pub table_bytes: f64,
}

impl Workload {
    /// Floating-point operations.
    pub fn operations(&self) -> f64 {
        self.additions + self.dense
    }
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
            case("dual [512] crelu x1", 16_384, 0.0),
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

    /// The work for a position with so many pieces.
    pub fn work(&self, pieces: f64) -> Workload {
        let shapes = self.architecture.layer_shapes();
        let rows = pieces * (self.architecture.views() * shapes[0].outputs) as f64;
        let outputs = |layer: usize| match self.architecture.hidden.get(layer) {
            // A position goes through one stack of several.
            Some(&width) => width,
            None => shapes[layer].outputs,
        };
        let dense: usize = (1..shapes.len()).map(|layer| shapes[layer].inputs * outputs(layer) * 6).sum();
        Workload { additions: rows * 2.0, dense: dense as f64, table_bytes: rows * size_of::<f32>() as f64 }
    }

    /// Learns from `rows` on a processor for about `time`; the limits are those of the cores.
    ///
    /// # Errors
    /// If the architecture is out of its limits.
    pub fn measure(
        &self,
        rows: &[Row],
        time: Duration,
        limits: &MachineLimits,
        processor: Processor,
    ) -> Result<Speed, ArchitectureError> {
        let mut learner = Learner::new(initialise(self.architecture.clone(), 1)?, processor);
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
        let (start, used) = (Instant::now(), processor_time());
        let mut steps = 0;
        while steps == 0 || start.elapsed() < time {
            step(WARM_UP + steps);
            steps += 1;
        }
        let elapsed = start.elapsed();
        let positions = (steps * self.batch_size) as f64;
        let work = self.work(pieces);
        let positions_per_second = positions / elapsed.as_secs_f64();
        Ok(Speed {
            positions_per_second,
            free_positions_per_second: free_rate(positions, elapsed, used, limits.threads),
            gflops: positions_per_second * work.operations() / 1e9,
            limit: limits.positions_per_second(work.dense, work.table_bytes, work.table_bytes),
            steps: steps as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_standard_cases_are_there_and_can_be_measured() {
        assert_eq!(Case::standard().len(), 6);
        let rows = random_rows(300, 1);
        let case = Case { architecture: "dual [16] crelu x1".parse().expect("valid"), batch_size: 200, dropout: 0.0 };
        let limits =
            MachineLimits { threads: 2, gflops: 100.0, cache_read: 100.0, cache_update: 100.0, memory_read: 10.0 };
        let speed = case.measure(&rows, Duration::from_millis(5), &limits, Processor::cores()).expect("valid");
        assert!(speed.positions_per_second > 0.0 && speed.gflops > 0.0 && speed.limit > 0.0, "{speed:?}");
        assert!(speed.free_positions_per_second >= speed.positions_per_second, "{speed:?}");
    }

    #[test]
    fn work_by_hand() {
        let case = Case { architecture: "dual [256] crelu x1".parse().expect("valid"), batch_size: 1, dropout: 0.0 };
        let work = case.work(24.0);
        assert!((work.operations() - (24.0 * 512.0 * 2.0 + 512.0 * 6.0)).abs() < 1e-9);
        assert!((work.table_bytes - 24.0 * 2048.0).abs() < 1e-9);
        assert_eq!(case.name(), "dual-[256]-crelu-x1-batch1");
    }
}
