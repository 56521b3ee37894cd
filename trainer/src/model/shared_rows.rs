//! What the king buckets of a first layer have in common while they learn: the factoriser.
//!
//! A piece on a square means much the same wherever the own king stands, but each bucket sees only its share of the
//! positions. So the weight of an input is taken apart, `weight[bucket][input] = shared[input] + own[bucket][input]`, and
//! both parts are learnt: the shared part from the gradients of all buckets together. Kernels, files and the engine know
//! only the sum, which is what the network holds; the own part is never stored, it is the weight without the shared one.
//! Knows no batches and no losses.

use alfiere_nnue::{FloatNetwork, PIECE_INPUTS};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::adamw::{AdamW, CHUNK, Moments, Slices, Stride, Update};

/// The shared part and the state of its optimiser.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SharedRows {
    /// `[768][width]`
    weights: Vec<f32>,
    moments: Moments,
}

/// The same piece of the shared part and of each bucket.
struct Piece<'a> {
    shared: Slices<'a>,
    own: Vec<Slices<'a>>,
}

impl SharedRows {
    /// What the buckets of a network have in common: their mean. `None` with fewer than two buckets.
    pub(crate) fn of(network: &FloatNetwork) -> Option<Self> {
        let sets = network.architecture.inputs.sets();
        let first = network.layers.first().filter(|_| sets > 1)?;
        let mut weights = vec![0.0; PIECE_INPUTS * first.outputs];
        for bucket in first.weights.chunks_exact(weights.len()) {
            weights.iter_mut().zip(bucket).for_each(|(sum, weight)| *sum += weight);
        }
        for sum in &mut weights {
            *sum /= sets as f32;
        }
        Some(Self { moments: Moments::zeros(weights.len()), weights })
    }

    /// True when they belong to networks of this shape; `shared` is `None` where there are none.
    pub(crate) fn fit(shared: Option<&Self>, network: &FloatNetwork) -> bool {
        let width = network.layers.first().map_or(0, |layer| layer.outputs);
        let expected = (network.architecture.inputs.sets() > 1).then_some(PIECE_INPUTS * width);
        let is_whole = shared.is_none_or(|shared| shared.moments.len() == shared.weights.len());
        is_whole && shared.map(|shared| shared.weights.len()) == expected
    }

    /// One step of a first layer's weights and of the shared part. Each number is updated alone, so threads do not change
    /// the result.
    pub(crate) fn update(
        &mut self,
        method: AdamW,
        weights: &mut [f32],
        gradients: &[f32],
        moments: &mut Moments,
        update: Update,
    ) {
        let stride = method.stride(update);
        let set = self.weights.len();
        let mut rest = Slices::new(weights, gradients, moments);
        let mut buckets = Vec::new();
        while rest.len() >= set {
            let (bucket, others) = rest.split_at(set);
            buckets.push(bucket.chunks(CHUNK).into_iter());
            rest = others;
        }
        // The side to move's row has no part in this.
        stride.advance_all(rest);
        // Shared gradients are sums over the buckets, made piece by piece; what stands in their place here is not read.
        let shared = Slices::new(&mut self.weights, &gradients[..set], &mut self.moments);
        let mut pieces = Vec::new();
        for shared in shared.chunks(CHUNK) {
            let own = buckets.iter_mut().filter_map(Iterator::next).collect();
            pieces.push(Piece { shared, own });
        }
        pieces.into_par_iter().for_each(|piece| piece.advance(stride));
    }
}

impl Piece<'_> {
    fn advance(self, stride: Stride) {
        let Self { mut shared, own } = self;
        let mut sums = vec![0.0; shared.len()];
        for bucket in &own {
            sums.iter_mut().zip(bucket.gradients).for_each(|(sum, gradient)| *sum += gradient);
        }
        let before = shared.weights.to_vec();
        stride.advance_freely(Slices { gradients: &sums, ..shared.reborrow() });
        for mut bucket in own {
            bucket.weights.iter_mut().zip(&before).for_each(|(weight, shared)| *weight -= shared);
            stride.advance_freely(bucket.reborrow());
            for (weight, shared) in bucket.weights.iter_mut().zip(&*shared.weights) {
                *weight = stride.clipped(*weight + shared);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::initialise;

    const UPDATE: Update = Update { step: 1, rate: 0.01, decay: 0.1, limit: 3.75 };

    #[test]
    fn buckets_start_equal_and_share_all() {
        let network = initialise("dual [3] kings=4".parse().expect("valid"), 1).expect("valid");
        let shared = SharedRows::of(&network).expect("four buckets");
        for bucket in 0..4 {
            assert_eq!(shared.weights, network.layers[0].weights[bucket * 768 * 3..][..768 * 3], "bucket {bucket}");
        }
        assert!(SharedRows::fit(Some(&shared), &network) && !SharedRows::fit(None, &network));
        for text in ["dual [3]", "dual [3] kings=1"] {
            let other = initialise(text.parse().expect("valid"), 1).expect("valid");
            assert!(SharedRows::of(&other).is_none() && SharedRows::fit(None, &other));
            assert!(!SharedRows::fit(Some(&shared), &other));
        }
    }

    /// The two parts kept apart in tables of their own, each with a plain optimiser.
    #[test]
    fn the_sum_moves_as_its_parts_would() {
        let network = initialise("dual [3] kings=2".parse().expect("valid"), 2).expect("valid");
        let layer = &network.layers[0];
        let (set, all) = (768 * 3, layer.weights.len());
        let mut shared = SharedRows::of(&network).expect("two buckets");
        let (mut weights, mut moments) = (layer.weights.clone(), Moments::zeros(all));
        let (mut first, mut first_moments) = (shared.weights.clone(), Moments::zeros(set));
        let mut second: Vec<f32> = vec![0.0; 2 * set];
        second.extend(&layer.weights[2 * set..]);
        let mut second_moments = Moments::zeros(all);
        for step in 1..=5 {
            let gradients: Vec<f32> = (0..all).map(|at| ((at * 7 + step as usize * 13) % 11) as f32 - 5.0).collect();
            let update = Update { step, ..UPDATE };
            shared.update(AdamW::default(), &mut weights, &gradients, &mut moments, update);
            let sums: Vec<f32> = (0..set).map(|at| gradients[at] + gradients[set + at]).collect();
            AdamW::default().update(&mut first, &sums, &mut first_moments, update);
            AdamW::default().update(&mut second, &gradients, &mut second_moments, update);
        }
        for (at, weight) in weights.iter().enumerate() {
            let expected = second[at] + if at < 2 * set { first[at % set] } else { 0.0 };
            assert!((weight - expected).abs() < 1e-6, "{at}: {weight}, expected {expected}");
        }
        assert_eq!((shared.weights, moments), (first, second_moments));
    }

    #[test]
    fn what_one_bucket_learns_the_others_know_and_all_stay_within_the_limit() {
        let network = initialise("dual [2] kings=4".parse().expect("valid"), 3).expect("valid");
        let mut shared = SharedRows::of(&network).expect("four buckets");
        let mut weights = network.layers[0].weights.clone();
        let (set, mut moments) = (768 * 2, Moments::zeros(weights.len()));
        let mut gradients = vec![0.0; weights.len()];
        gradients[set + 10] = -1.0;
        for step in 1..=1000 {
            shared.update(
                AdamW::default(),
                &mut weights,
                &gradients,
                &mut moments,
                Update { step, decay: 0.0, ..UPDATE },
            );
        }
        // The second bucket had the gradient; the others moved with the shared part, half as far.
        assert!((weights[set + 10] - 3.75).abs() < 1e-6, "{}", weights[set + 10]);
        assert!(weights[10] > 2.0 && weights[10] <= 3.75 && weights[10].to_bits() == weights[3 * set + 10].to_bits());
        assert_eq!(weights[11].to_bits(), network.layers[0].weights[11].to_bits());
    }
}
