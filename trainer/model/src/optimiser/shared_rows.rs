//! The factoriser: weights that the king buckets of the first layer share during training.
//!
//! A piece on a square has a similar value in every king bucket, but each bucket sees only its share of the positions.
//! During training a weight is therefore a sum, `weight[bucket][input] = shared[input] + own[bucket][input]`, and both
//! parts are trained: the shared part with the gradients of all buckets. Kernels, files and the engine only use the
//! sum, which is what the network stores; the own part is the difference and is never stored. Independent of batches
//! and losses.

use alfiere_nnue::PIECE_INPUTS;
use ndarray::Array2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::update::{Moments, StepConstants, Update, UpdateRule, WeightSlices};
use crate::float::{FloatLayer, FloatNetwork};
use crate::kernels::weight_gradient::WeightGradient;

/// Weights of each bucket per parallel task: those of all buckets fit in a core's second-level cache.
const CHUNK: usize = 1 << 11;

/// The shared part and its optimiser state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SharedRows {
    /// `[768][width]`
    pub(crate) weights: Vec<f32>,
    pub(crate) moments: Moments,
}

/// The same slice of the shared part and of each bucket.
struct Segment<'a> {
    /// Index of its first weight in a bucket.
    start: usize,
    shared: WeightSlices<'a>,
    own: Vec<WeightSlices<'a>>,
}

impl SharedRows {
    /// Initialises the shared part as the mean of the buckets. `None` with fewer than two buckets.
    pub(crate) fn of(network: &FloatNetwork) -> Option<Self> {
        let sets = network.architecture.inputs.sets();
        let first = network.layers.first().filter(|_| sets > 1)?;
        let buckets = first.weights.exact_chunks((PIECE_INPUTS, first.outputs()));
        let sum = buckets.into_iter().fold(Array2::zeros((PIECE_INPUTS, first.outputs())), |sum, bucket| sum + bucket);
        let weights = (sum / sets as f32).into_raw_vec_and_offset().0;
        Some(Self { moments: Moments::zeros(weights.len()), weights })
    }

    /// True if `shared` has the shape that `network` requires; `None` if the network needs no shared part.
    pub(crate) fn fit(shared: Option<&Self>, network: &FloatNetwork) -> bool {
        let width = network.layers.first().map_or(0, FloatLayer::outputs);
        let expected = (network.architecture.inputs.sets() > 1).then_some(PIECE_INPUTS * width);
        let is_whole = shared.is_none_or(|shared| shared.moments.len() == shared.weights.len());
        is_whole && shared.map(|shared| shared.weights.len()) == expected
    }

    /// Applies one optimiser step to the first layer's weights and to the shared part. Each weight is updated
    /// independently, so the number of threads does not change the result.
    pub(crate) fn update(
        &mut self,
        rule: UpdateRule,
        weights: &mut [f32],
        gradient: WeightGradient<'_>,
        moments: &mut Moments,
        update: Update,
    ) {
        let constants = rule.constants(update);
        let (set, all) = (self.weights.len(), weights.len());
        let chunk = gradient.part_length(CHUNK);
        let mut rest = WeightSlices::new(weights, moments);
        let mut buckets = Vec::new();
        while rest.len() >= set {
            let (bucket, others) = rest.split_at(set);
            buckets.push(bucket.chunks(chunk).into_iter());
            rest = others;
        }
        // The side-to-move row is not shared.
        constants.advance_all(gradient.part(all - rest.len()..all, &mut Vec::new()), rest);
        let mut segments = Vec::new();
        for (index, shared) in
            WeightSlices::new(&mut self.weights, &mut self.moments).chunks(chunk).into_iter().enumerate()
        {
            let own = buckets.iter_mut().filter_map(Iterator::next).collect();
            segments.push(Segment { start: index * chunk, shared, own });
        }
        segments.into_par_iter().for_each_init(Vec::new, |buffers, segment| {
            segment.advance(constants, gradient, set, buffers);
        });
    }
}

impl Segment<'_> {
    /// `set` is the number of weights of a bucket; the gradients are kept in `buffers`, one for each bucket.
    fn advance(self, constants: StepConstants, gradient: WeightGradient<'_>, set: usize, buffers: &mut Vec<Vec<f32>>) {
        let Self { start, mut shared, own } = self;
        buffers.resize(own.len(), Vec::new());
        let starts = (start..).step_by(set);
        let parts = starts.zip(buffers).map(|(start, buffer)| gradient.part(start..start + shared.len(), buffer));
        let gradients: Vec<&[f32]> = parts.collect();
        let mut sums = vec![0.0; shared.len()];
        for gradients in &gradients {
            sums.iter_mut().zip(*gradients).for_each(|(sum, gradient)| *sum += gradient);
        }
        let before = shared.weights.to_vec();
        constants.advance_freely(&sums, shared.reborrow());
        for (mut bucket, gradients) in own.into_iter().zip(gradients) {
            bucket.weights.iter_mut().zip(&before).for_each(|(weight, shared)| *weight -= shared);
            constants.advance_freely(gradients, bucket.reborrow());
            for (weight, shared) in bucket.weights.iter_mut().zip(&*shared.weights) {
                *weight = constants.clipped(*weight + shared);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::s;

    use super::*;
    use crate::initialise;

    const UPDATE: Update = Update { step: 1, rate: 0.01, decay: 0.1, limit: 3.75 };

    #[test]
    fn shared_part_starts_as_the_common_weights_of_the_buckets() {
        let network = initialise("dual [3] kings=4".parse().expect("valid"), 1).expect("valid");
        let shared = SharedRows::of(&network).expect("four buckets");
        for bucket in 0..4 {
            let own = network.layers[0].weights.slice(s![bucket * 768..(bucket + 1) * 768, ..]);
            assert!(own.iter().eq(&shared.weights), "bucket {bucket}");
        }
        assert!(SharedRows::fit(Some(&shared), &network) && !SharedRows::fit(None, &network));
        for text in ["dual [3]", "dual [3] kings=1"] {
            let other = initialise(text.parse().expect("valid"), 1).expect("valid");
            assert!(SharedRows::of(&other).is_none() && SharedRows::fit(None, &other));
            assert!(!SharedRows::fit(Some(&shared), &other));
        }
    }

    /// Both parts in separate tables, each with a plain optimiser.
    #[test]
    fn update_of_the_sum_matches_separate_updates_of_its_parts() {
        let network = initialise("dual [3] kings=2".parse().expect("valid"), 2).expect("valid");
        let layer = &network.layers[0];
        let (set, all) = (768 * 3, layer.weights.len());
        let mut shared = SharedRows::of(&network).expect("two buckets");
        let (mut weights, mut moments) = (layer.weights.iter().copied().collect::<Vec<_>>(), Moments::zeros(all));
        let (mut first, mut first_moments) = (shared.weights.clone(), Moments::zeros(set));
        let mut second: Vec<f32> = vec![0.0; 2 * set];
        second.extend(&layer.weights.row(2 * 768));
        let mut second_moments = Moments::zeros(all);
        for step in 1..=5 {
            let gradients: Vec<f32> = (0..all).map(|at| ((at * 7 + step as usize * 13) % 11) as f32 - 5.0).collect();
            let update = Update { step, ..UPDATE };
            let gradient = WeightGradient::rows(&gradients);
            shared.update(UpdateRule::AdamW, &mut weights, gradient, &mut moments, update);
            let sums: Vec<f32> = (0..set).map(|at| gradients[at] + gradients[set + at]).collect();
            UpdateRule::AdamW.update(&mut first, WeightGradient::rows(&sums), &mut first_moments, update);
            UpdateRule::AdamW.update(&mut second, gradient, &mut second_moments, update);
        }
        for (at, weight) in weights.iter().enumerate() {
            let expected = second[at] + if at < 2 * set { first[at % set] } else { 0.0 };
            assert!((weight - expected).abs() < 1e-6, "{at}: {weight}, expected {expected}");
        }
        assert_eq!((shared.weights, moments), (first, second_moments));
    }

    #[test]
    fn a_gradient_in_one_bucket_moves_all_buckets_within_the_limit() {
        let network = initialise("dual [2] kings=4".parse().expect("valid"), 3).expect("valid");
        let mut shared = SharedRows::of(&network).expect("four buckets");
        let before: Vec<f32> = network.layers[0].weights.iter().copied().collect();
        let mut weights = before.clone();
        let (set, mut moments) = (768 * 2, Moments::zeros(weights.len()));
        let mut gradients = vec![0.0; weights.len()];
        gradients[set + 10] = -1.0;
        for step in 1..=1000 {
            shared.update(
                UpdateRule::AdamW,
                &mut weights,
                WeightGradient::rows(&gradients),
                &mut moments,
                Update { step, decay: 0.0, ..UPDATE },
            );
        }
        // Only the second bucket had a gradient; the other buckets moved with the shared part, half as far.
        assert!((weights[set + 10] - 3.75).abs() < 1e-6, "{}", weights[set + 10]);
        assert!(weights[10] > 2.0 && weights[10] <= 3.75 && weights[10].to_bits() == weights[3 * set + 10].to_bits());
        assert_eq!(weights[11].to_bits(), before[11].to_bits());
    }
}
