//! Reorders the accumulator's neurons. This changes only the engine's speed, not its evaluation.
//!
//! The engine skips groups of four adjacent accumulator outputs that are all 0. Sorting by activity puts rarely active
//! neurons together, so more groups are skipped.

use alfiere_nnue::{FeatureLists, FloatNetwork};
use ndarray::{Array1, Array2};

use super::batch::Sample;

/// Half a quantisation step of the engine's activations: smaller values round to 0.
const ACTIVE_ABOVE: f32 = 0.5 / 127.0;

/// Sorts the accumulator's neurons by how often they are active in these positions, most active first. The network's
/// function is unchanged up to floating-point rounding. Networks without a hidden layer after the accumulator are left
/// unchanged: the engine skips nothing there.
pub fn sort_neurons<'a, S: Sample + 'a>(network: &mut FloatNetwork, positions: impl Iterator<Item = &'a S>) {
    if network.architecture.hidden.len() < 2 {
        return;
    }
    let order = by_activity(network, positions);
    let [first, second, ..] = network.layers.as_mut_slice() else { return };
    let outputs = order.len();
    // Halves of the first layer that are multiplied, and views that the second layer sees, have the same order.
    let from = |place: usize| place / outputs * outputs + order[place % outputs];
    first.bias = Array1::from_shape_fn(first.outputs(), |neuron| first.bias[from(neuron)]);
    first.weights = Array2::from_shape_fn(first.weights.dim(), |(input, neuron)| first.weights[[input, from(neuron)]]);
    second.weights =
        Array2::from_shape_fn(second.weights.dim(), |(input, output)| second.weights[[from(input), output]]);
}

/// Indices of the accumulator's outputs, the most often active first.
fn by_activity<'a, S: Sample + 'a>(network: &FloatNetwork, positions: impl Iterator<Item = &'a S>) -> Vec<usize> {
    let mut activity = vec![0u64; network.architecture.accumulator_outputs()];
    for position in positions {
        let lists = FeatureLists::new(&network.architecture, position.side_to_move(), position.pieces());
        for view in network.accumulator_outputs(&lists).exact_chunks(activity.len()) {
            activity.iter_mut().zip(view).for_each(|(activity, &value)| *activity += u64::from(value > ACTIVE_ABOVE));
        }
    }
    let mut order: Vec<usize> = (0..activity.len()).collect();
    order.sort_by_key(|&output| std::cmp::Reverse(activity[output]));
    order
}

#[cfg(test)]
mod tests {
    use super::super::test_samples::{features, samples};
    use super::*;
    use crate::model::initialise;

    #[test]
    fn sorting_puts_active_neurons_first_and_keeps_outputs() {
        for text in
            ["dual [24,4] x8", "dual [24,4,3] x8 stacks pairwise kings=4", "white [24,4] screlu", "dual [24] x8"]
        {
            let before = initialise(text.parse().expect("valid"), 3).expect("valid");
            let mut after = before.clone();
            let samples = samples(40, 7);
            sort_neurons(&mut after, samples.iter());
            after.validate().expect("the same shape");
            assert_eq!(before == after, text == "dual [24] x8", "{text}: unchanged without a second hidden layer");
            let mut activity = vec![0; before.architecture.accumulator_outputs()];
            for sample in &samples {
                let lists = features(&before.architecture, sample);
                let [old, new] = [&before, &after].map(|network| network.forward(&lists));
                assert!((old - new).abs() < 1e-5, "{text}: {old} became {new}");
                for view in after.accumulator_outputs(&lists).exact_chunks(activity.len()) {
                    activity
                        .iter_mut()
                        .zip(view)
                        .for_each(|(activity, &value)| *activity += u32::from(value > ACTIVE_ABOVE));
                }
            }
            assert!(text == "dual [24] x8" || activity.is_sorted_by(|a, b| a >= b), "{text}: {activity:?}");
        }
    }
}
