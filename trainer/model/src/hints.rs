//! Hints: what a teacher's hidden layer computes, as targets of the network's own (Romero et al. 2015, "`FitNets`").
//!
//! A label is one number, from which a first layer learns slowly. The sums of the layer behind it are many, and a network
//! that has learnt them has learnt what the teacher sees, not only what it concludes. Both losses are minimised together.

use std::fmt;
use std::sync::Arc;

use alfiere_nnue::{Architecture, HiddenLayer, PIECE_INPUTS, Perspective};
use rayon::prelude::*;
use thiserror::Error;

use super::batch::{MAX_PIECES, SparseBatch, is_narrow};
use crate::burn::tensor::Tensor;

/// Positions per parallel task.
const CHUNK: usize = 256;
/// Larger errors have no gradient: the layer's activation clips what they would change.
pub(super) const MAX_ERROR: f32 = 2.0;

/// A teacher's hidden layer as additional targets.
#[derive(Clone)]
pub struct Hints {
    teacher: Arc<dyn HiddenLayer>,
    weight: f32,
}

/// Why a network cannot learn from hints.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum HintError {
    #[error(
        "{architecture} cannot learn a hidden layer: expected `dual`, `skip` and a second width of {least} to 32, such as \
         \"dual [1024,32,32] x8 stacks pairwise skip kings=1\""
    )]
    Architecture { architecture: String, least: usize },
    #[error("weight of hints {0}, expected more than 0, at most 100")]
    Weight(f32),
}

impl Hints {
    /// Hints for a network. Their loss is the mean squared error of a sum, times `weight`. The last two neurons of the second
    /// layer stay free: with `skip` they lead directly to the output.
    ///
    /// # Errors
    /// If the weight is out of range or the network has no matching layer.
    pub fn new(teacher: Arc<dyn HiddenLayer>, weight: f32, architecture: &Architecture) -> Result<Self, HintError> {
        if !(weight > 0.0 && weight <= 100.0) {
            return Err(HintError::Weight(weight));
        }
        let least = teacher.width() + 2;
        let fits = is_narrow(architecture) && architecture.hidden[1] >= least;
        if architecture.perspective != Perspective::Dual || !architecture.skip || !fits {
            return Err(HintError::Architecture { architecture: architecture.to_string(), least });
        }
        Ok(Self { teacher, weight })
    }

    /// The weighted loss of a batch with these targets; `rows` are the sums of the network's second layer
    /// `[positions, outputs]`.
    pub(super) fn loss(&self, rows: Tensor<2>, targets: Tensor<2>) -> Tensor<1> {
        let errors = rows.narrow(1, 0, self.teacher.width()) - targets;
        errors.clamp(-MAX_ERROR, MAX_ERROR).square().mean() * self.weight
    }

    /// The teacher's sums `[positions, width]`.
    pub(super) fn targets(&self, batch: &SparseBatch) -> Vec<f32> {
        let width = self.teacher.width();
        let mut targets = vec![0.0; batch.len() * width];
        targets.par_chunks_mut(width).enumerate().with_min_len(CHUNK).for_each(|(position, sums)| {
            let (mut own, mut other) = ([0; MAX_PIECES], [0; MAX_PIECES]);
            let pieces = batch.position(position).features.as_chunks::<2>().0;
            for ((own, other), features) in own.iter_mut().zip(&mut other).zip(pieces) {
                // King buckets are sets of plain inputs.
                [*own, *other] = features.map(|feature| feature % PIECE_INPUTS as u16);
            }
            self.teacher.sums([&mut own[..pieces.len()], &mut other[..pieces.len()]], sums);
        });
        targets
    }

    /// The weight of their loss.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    pub(super) fn weight(&self) -> f32 {
        self.weight
    }
}

impl fmt::Debug for Hints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} hints of weight {}", self.teacher.width(), self.weight)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use alfiere_data::Row;

    use super::super::test_batches::{batch, features};
    use super::super::test_samples::samples;
    use super::super::{Batch, Dropout, Learner, Objective, Processor, StepSize, initialise, rounded};
    use super::*;
    use crate::float::FloatNetwork;

    /// Counts the pieces of the side to move and those of the opponent.
    pub(crate) struct Counts;

    /// Whether a plain input is of a piece of the view's side.
    fn is_own(input: usize) -> bool {
        input < PIECE_INPUTS / 2
    }

    impl HiddenLayer for Counts {
        fn width(&self) -> usize {
            2
        }

        fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]) {
            for (sum, inputs) in sums.iter_mut().zip(views) {
                *sum = inputs.iter().filter(|&&input| is_own(usize::from(input))).count() as f32 / 32.0;
            }
        }
    }

    /// The mean squared error of the first sums of the second layer against the counts, in plain floating point.
    fn hint_error(network: &FloatNetwork, samples: &[Row]) -> f32 {
        let architecture = &network.architecture;
        let squares = samples.iter().map(|sample| {
            let lists = features(architecture, sample);
            let first = architecture.outputs_of(1, architecture.output_buckets.bucket(lists.piece_count)).start;
            let values = network.accumulator_outputs(&lists);
            let error = |neuron: usize, list: &[usize]| {
                let sum = values.dot(&network.layers[1].weights.column(neuron)) + network.layers[1].bias[neuron];
                let inputs = list.iter().filter(|&&input| input != architecture.inputs.side_to_move());
                sum - inputs.filter(|&&input| is_own(input % PIECE_INPUTS)).count() as f32 / 32.0
            };
            f32::midpoint(error(first, &lists.first).powi(2), error(first + 1, &lists.second).powi(2))
        });
        squares.sum::<f32>() / samples.len() as f32
    }

    #[test]
    fn a_network_learns_the_hidden_layer_beside_the_labels() {
        let network = initialise("dual [64,4,4] x8 stacks pairwise skip kings=4".parse().expect("valid"), 1);
        let network = network.expect("valid");
        let (objective, samples) = (Objective::ClippedCentipawns, samples(400, 2));
        let positions = batch(&network.architecture, objective, &samples);
        let hints = Hints::new(Arc::new(Counts), 1.0, &network.architecture).expect("it fits");
        let [plain, hinted] = [None, Some(hints)].map(|hints| {
            let mut learner = Learner::new(network.clone(), Processor::cores()).with_hints(hints);
            let size = StepSize { rate: 3e-3, decay: 0.0 };
            let mut losses = (0..300)
                .map(|_| learner.step(&Batch::Sparse(positions.clone()), objective, Dropout::NONE, size)[0].mean);
            let first = losses.next().expect("a step");
            let last = losses.last().expect("steps");
            (first, last, hint_error(&rounded(learner.into_state().network), &samples))
        });
        // The loss that is reported is that of the labels alone.
        assert!((plain.0 - hinted.0).abs() < 1e-6, "{} and {}", plain.0, hinted.0);
        assert!(hinted.1 < 0.7 * hinted.0, "{} after {}", hinted.1, hinted.0);
        assert!(hinted.2 < 0.1 * plain.2 && hinted.2 < 0.005, "{} with hints, {} without", hinted.2, plain.2);
    }

    #[test]
    fn networks_without_a_matching_layer_are_refused() {
        let error = |text: &str, weight| {
            Hints::new(Arc::new(Counts), weight, &text.parse().expect("an architecture"))
                .expect_err("refused")
                .to_string()
        };
        for text in ["dual [64,4,4] x8 stacks pairwise", "dual [64,3,4] skip", "white [64,4,4] skip", "dual [64]"] {
            assert!(error(text, 1.0).starts_with(text.split(']').next().expect("a part")), "{text}");
        }
        assert_eq!(error("dual [64,4,4] skip", 0.0), "weight of hints 0, expected more than 0, at most 100");
    }
}
