//! Training speed, measured in whole steps on positions of random games.
//!
//! A measured step is the same as in a training run: a batch is extracted from packed rows while the previous one is
//! trained on (forward, backward, `AdamW`, clipping). Prints nothing.

mod processor_time;

use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_data::{Label, Row};
use alfiere_model::random::{Purpose, derive};
use alfiere_model::{Dropout, Learner, Mirror, Objective, Processor, SparseBatch, StepSize, initialise};
use alfiere_nnue::{Architecture, ArchitectureError};
use processor_time::{free_rate, processor_time};
use serde::Serialize;

pub use processor_time::own_and_programs_time;

/// Steps before timing starts.
const WARM_UP: usize = 3;

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub architecture: Architecture,
    /// Positions per step.
    pub batch_size: usize,
    pub dropout: f32,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Positions per second, by wall-clock time.
    pub positions_per_second: f64,
    /// Positions per second on an idle machine: by processor time, if known.
    pub free_positions_per_second: f64,
    /// Positions per second that are extracted, listed and sent to a graphics card by all threads; none on the cores.
    pub extracted_per_second: Option<f64>,
    /// Billions of floating-point operations per second by wall-clock time, counted as in [`Workload::operations`].
    pub gflops: f64,
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

    /// Trains on `rows` on a processor for about `time`.
    ///
    /// # Errors
    /// If the architecture is outside its limits.
    pub fn measure(&self, rows: &[Row], time: Duration, processor: &Processor) -> Result<Speed, ArchitectureError> {
        let encoding = processor.encoding(&self.architecture, Objective::ClippedCentipawns, 0.0);
        let picks = (0..self.batch_size).map(|index| (index * 7919 % rows.len()) as u32);
        let picks: Vec<u32> = picks.collect();
        let mut learner = Learner::new(initialise(self.architecture.clone(), 1)?, processor.clone());
        let mut pieces = 0.0;
        let mut prepare = |mut batch: SparseBatch, seed: usize| {
            batch.fill(rows.into(), &picks, &encoding, Mirror::Random(seed as u64));
            pieces = batch.piece_count() as f64 / batch.len() as f64;
            processor.prepare(batch, None)
        };
        let mut next = Some(prepare(SparseBatch::default(), 0));
        let mut spare = SparseBatch::default();
        let mut take_step = |learner: &mut Learner, step: usize| {
            let Some(batch) = next.take() else { return };
            let unused = std::mem::take(&mut spare);
            let ((), following) = rayon::join(
                || {
                    let dropout = Dropout { rate: self.dropout, seed: 1, step: step as u64 };
                    let size = StepSize { rate: 1e-3, decay: 1e-2 };
                    learner.step(&batch, Objective::ClippedCentipawns, dropout, size);
                },
                || prepare(unused, step),
            );
            next = Some(following);
            spare = batch.into_spare();
        };
        (0..WARM_UP).for_each(|step| take_step(&mut learner, step));
        learner.read_losses();
        let (start, used) = (Instant::now(), processor_time());
        let mut steps = 0;
        while steps == 0 || start.elapsed() < time {
            take_step(&mut learner, WARM_UP + steps);
            steps += 1;
        }
        // A card may still compute.
        learner.read_losses();
        let elapsed = start.elapsed();
        let positions = (steps * self.batch_size) as f64;
        let positions_per_second = positions / elapsed.as_secs_f64();
        let extracted_per_second = (!processor.is_cpu()).then(|| {
            let start = Instant::now();
            let batches = (0..).take_while(|&step| {
                spare = prepare(std::mem::take(&mut spare), step).into_spare();
                start.elapsed() < time / 4
            });
            (batches.count() + 1) as f64 * self.batch_size as f64 / start.elapsed().as_secs_f64()
        });
        let work = Workload::new(&self.architecture, pieces, self.batch_size);
        Ok(Speed {
            positions_per_second,
            extracted_per_second,
            free_positions_per_second: free_rate(positions, elapsed, used, rayon::current_num_threads()),
            gflops: positions_per_second * work.operations() / 1e9,
            steps: steps as u64,
        })
    }
}

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
        Self {
            additions: 2.0 * pieces * (architecture.views() * shapes[0].outputs) as f64,
            dense: dense as f64,
            optimiser: OPTIMISER * own,
        }
    }

    pub fn operations(&self) -> f64 {
        self.additions + self.dense + self.optimiser
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_cases_are_valid_and_can_be_measured() {
        assert_eq!(Case::standard().len(), 8);
        let rows = random_rows(300, 1);
        let case = Case { architecture: "dual [16] crelu x1".parse().expect("valid"), batch_size: 200, dropout: 0.0 };
        let speed = case.measure(&rows, Duration::from_millis(5), &Processor::cores()).expect("valid");
        assert!(speed.positions_per_second > 0.0 && speed.gflops > 0.0, "{speed:?}");
        assert!(speed.free_positions_per_second >= speed.positions_per_second, "{speed:?}");
    }

    #[test]
    fn work_matches_hand_computed_values() {
        let work = Workload::new(&"dual [256] crelu x1".parse().expect("valid"), 24.0, 100);
        let weights = f64::from(770 * 256 + 513) / 100.0;
        let all = 24.0 * 512.0 * 2.0 + 512.0 * 6.0 + 14.0 * weights;
        assert!((work.operations() - all).abs() < 1e-6, "{work:?}");
    }

    #[test]
    fn positions_use_one_stack() {
        let of = |text: &str| Workload::new(&text.parse().expect("valid"), 24.0, 100).dense;
        assert!((of("dual [64,16,8] x8 stacks") - 6.0 * f64::from(128 * 16 + 16 * 8 + 8 * 8)).abs() < 1e-6);
    }
}
