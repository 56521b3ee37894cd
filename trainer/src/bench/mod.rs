//! Training speed, measured in whole steps on positions of random games.
//!
//! A measured step is the same as in a training run: a batch is extracted from packed rows while the previous one is
//! trained on (forward, backward, `AdamW`, clipping). The machine's peak rates are measured as a reference. Prints
//! nothing.

mod limits;
mod workload;

use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_data::{Label, Row};
use alfiere_model::random::{Purpose, derive};
use alfiere_model::{Batch, Dropout, Learner, Mirror, Objective, Processor, SparseBatch, StepSize, initialise};
use alfiere_nnue::{Architecture, ArchitectureError};
use limits::{free_rate, processor_time, update_rate};
use serde::Serialize;

pub use limits::{MachineLimits, own_and_programs_time};
pub use workload::{SpeedLimits, Workload};

/// Steps before timing starts.
const WARM_UP: usize = 3;

/// A network to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub architecture: Architecture,
    /// Positions per step.
    pub batch_size: usize,
    pub dropout: f32,
}

/// Training speed of a network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Positions per second, by wall-clock time.
    pub positions_per_second: f64,
    /// Positions per second on an idle machine: by processor time, if known.
    pub free_positions_per_second: f64,
    /// Billions of floating-point operations per second by wall-clock time, counted as in [`Workload::operations`].
    pub gflops: f64,
    /// Upper bounds of the speed.
    pub limits: SpeedLimits,
    pub steps: u64,
}

impl Case {
    /// The networks measured by default.
    pub fn standard() -> Vec<Self> {
        let case = |text: &str, batch_size, dropout| {
            // The texts below are valid; a test parses them all.
            text.parse().ok().map(|architecture| Self { architecture, batch_size, dropout })
        };
        [
            case("dual [256] crelu x1", 16_384, 0.0),
            case("dual [512] crelu x1", 16_384, 0.0),
            case("dual [512] crelu x8", 16_384, 0.0),
            case("dual [1024] crelu x1", 16_384, 0.0),
            case("dual [512,16,32] crelu x1", 16_384, 0.0),
            case("dual [512,16,32] x8 stacks kings=16", 16_384, 0.0),
            case("dual [1024,32,32] x8 stacks pairwise skip kings=1", 16_384, 0.0),
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

    /// Trains on `rows` on a processor for about `time`; `limits` are those of the CPU.
    ///
    /// # Errors
    /// If the architecture is outside its limits.
    pub fn measure(
        &self,
        rows: &[Row],
        time: Duration,
        limits: &MachineLimits,
        processor: &Processor,
    ) -> Result<Speed, ArchitectureError> {
        let encoding = processor.encoding(&self.architecture, Objective::ClippedCentipawns, 0.0);
        let together = processor.steps_together();
        let picks = (0..self.batch_size * together).map(|index| (index * 7919 % rows.len()) as u32);
        let picks: Vec<u32> = picks.collect();
        let mut learner = Learner::new(initialise(self.architecture.clone(), 1)?, processor.clone());
        let mut pieces = 0.0;
        let mut prepare = |mut batch: SparseBatch, seed: usize| {
            batch.fill(rows, &picks, &encoding, Mirror::Random(seed as u64));
            pieces = batch.piece_count() as f64 / batch.len() as f64;
            processor.prepare(batch, None)
        };
        let mut next = Some(prepare(SparseBatch::default(), 0));
        let mut spare = SparseBatch::default();
        // Takes the steps whose positions are filled together.
        let mut steps_from = |start: usize| {
            let Some(positions) = next.take() else { return };
            let (mut batches, unused) = (processor.batches(positions, self.batch_size), std::mem::take(&mut spare));
            let ((), following) = rayon::join(
                || {
                    for (step, batch) in (start as u64..).zip(&batches) {
                        let dropout = Dropout { rate: self.dropout, seed: 1, step };
                        let size = StepSize { rate: 1e-3, decay: 1e-2 };
                        learner.step(batch, Objective::ClippedCentipawns, dropout, size);
                    }
                },
                || prepare(unused, start),
            );
            next = Some(following);
            spare = batches.pop().map_or_else(SparseBatch::default, Batch::into_spare);
        };
        (0..WARM_UP).step_by(together).for_each(&mut steps_from);
        let (start, used) = (Instant::now(), processor_time());
        let mut steps = 0;
        while steps == 0 || start.elapsed() < time {
            steps_from(WARM_UP + steps);
            steps += together;
        }
        let elapsed = start.elapsed();
        let positions = (steps * self.batch_size) as f64;
        let work = Workload::new(&self.architecture, pieces, self.batch_size);
        // Weights and two moments; small networks stay in a cache, which is faster than memory.
        let floats = 3 * self.architecture.parameter_count() / limits.threads;
        let update_rate = update_rate(time / 10, floats.max(1));
        let positions_per_second = positions / elapsed.as_secs_f64();
        Ok(Speed {
            positions_per_second,
            free_positions_per_second: free_rate(positions, elapsed, used, limits.threads),
            gflops: positions_per_second * work.operations() / 1e9,
            limits: work.limits(limits, update_rate),
            steps: steps as u64,
        })
    }
}

/// Plies per game.
const GAME_PLIES: u64 = 120;

/// Rows of random games from the start position, with meaningless labels.
pub fn random_rows(count: usize, seed: u64) -> Vec<Row> {
    let mut rows = Vec::with_capacity(count);
    let mut state = seed;
    let mut next = || {
        state = derive(state, Purpose::Shuffle { epoch: 0, window: 0 });
        state >> 33
    };
    while rows.len() < count {
        let mut board = Board::startpos();
        for _ in 0..GAME_PLIES {
            let moves = legal_moves(&board);
            if moves.is_empty() || rows.len() == count {
                break;
            }
            board.play(moves[next() as usize % moves.len()]);
            let label = Label::centipawns(next() as i64 % 1000 - 500);
            rows.push(Row::of_board(&board).with_label(label));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_cases_are_valid_and_can_be_measured() {
        assert_eq!(Case::standard().len(), 8);
        let rows = random_rows(300, 1);
        let case = Case { architecture: "dual [16] crelu x1".parse().expect("valid"), batch_size: 200, dropout: 0.0 };
        let limits = MachineLimits { threads: 2, gflops: 100.0, memory_read: 10.0, memory_update: 5.0 };
        let speed = case.measure(&rows, Duration::from_millis(5), &limits, &Processor::cores()).expect("valid");
        assert!(speed.positions_per_second > 0.0 && speed.gflops > 0.0 && speed.limits.lower() > 0.0, "{speed:?}");
        assert!(speed.free_positions_per_second >= speed.positions_per_second, "{speed:?}");
    }
}
