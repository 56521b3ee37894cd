//! Reorders the accumulator's neurons. This changes only the engine's speed, not its evaluation.
//!
//! The engine skips groups of four adjacent accumulator outputs that are all 0. Sorting by activity puts rarely active
//! neurons together, so more groups are skipped.

use alfiere_nnue::{FeatureLists, FloatLayer, FloatNetwork};

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
    // With pairs, an output is the product of a neuron of the first half and its partner in the second half.
    let neurons: Vec<usize> = (0..first.outputs / outputs)
        .flat_map(|half| order.iter().map(move |&output| half * outputs + output))
        .collect();
    for row in first.weights.chunks_mut(first.outputs).chain([first.bias.as_mut_slice()]) {
        let old = row.to_vec();
        row.iter_mut().zip(&neurons).for_each(|(weight, &neuron)| *weight = old[neuron]);
    }
    for view in second.weights.chunks_mut(outputs * second.outputs) {
        let old = FloatLayer { inputs: outputs, outputs: second.outputs, weights: view.to_vec(), bias: Vec::new() };
        view.chunks_mut(second.outputs).zip(&order).for_each(|(row, &output)| row.copy_from_slice(old.row(output)));
    }
}

/// Indices of the accumulator's outputs, the most often active first.
fn by_activity<'a, S: Sample + 'a>(network: &FloatNetwork, positions: impl Iterator<Item = &'a S>) -> Vec<usize> {
    let mut activity = vec![0u64; network.architecture.accumulator_outputs()];
    for position in positions {
        let lists = FeatureLists::new(&network.architecture, position.side_to_move(), position.pieces());
        for view in network.accumulator_outputs(&lists).chunks(activity.len()) {
            activity.iter_mut().zip(view).for_each(|(activity, &value)| *activity += u64::from(value > ACTIVE_ABOVE));
        }
    }
    let mut order: Vec<usize> = (0..activity.len()).collect();
    order.sort_by_key(|&output| std::cmp::Reverse(activity[output]));
    order
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{features, samples};
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
                for view in after.accumulator_outputs(&lists).chunks(activity.len()) {
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
