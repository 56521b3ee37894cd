//! Reorders the accumulator's neurons. This changes only the engine's speed, not its evaluation.
//!
//! The engine skips groups of four adjacent accumulator outputs that are all 0. Outputs that are active in the same
//! positions therefore belong in one group.

use std::cmp::Reverse;
use std::ops::Range;

use alfiere_data::Row;
use alfiere_nnue::FeatureLists;
use ndarray::{Array1, Array2};

use crate::float::FloatNetwork;

/// Half a quantisation step of the engine's activations: smaller values round to 0.
const ACTIVE_ABOVE: f32 = 0.5 / 127.0;
/// Adjacent outputs that the engine skips together.
const GROUP: usize = 4;
/// Passes over all pairs of outputs; later ones change little.
const MAX_PASSES: usize = 12;

/// Orders the accumulator's neurons so that as few groups of outputs as possible are active in these positions. The
/// network's function is unchanged up to floating-point rounding. Networks without a hidden layer after the accumulator
/// are left unchanged: the engine skips nothing there.
pub fn sort_neurons<'a>(network: &mut FloatNetwork, positions: impl Iterator<Item = &'a Row>) {
    if network.architecture.hidden.len() < 2 {
        return;
    }
    let order = Activity::of(network, positions).grouped();
    let [first, second, ..] = network.layers.as_mut_slice() else { return };
    let outputs = order.len();
    // Halves of the first layer that are multiplied, and views that the second layer sees, have the same order.
    let from = |place: usize| place / outputs * outputs + order[place % outputs];
    first.bias = Array1::from_shape_fn(first.outputs(), |neuron| first.bias[from(neuron)]);
    first.weights = Array2::from_shape_fn(first.weights.dim(), |(input, neuron)| first.weights[[input, from(neuron)]]);
    second.weights =
        Array2::from_shape_fn(second.weights.dim(), |(input, output)| second.weights[[from(input), output]]);
}

/// A set of views of positions, a bit each.
type Views = Vec<u64>;

/// The views in which each output is active.
struct Activity {
    outputs: Vec<Views>,
    views: usize,
}

impl Activity {
    fn of<'a>(network: &FloatNetwork, positions: impl Iterator<Item = &'a Row>) -> Self {
        let mut activity = Self { outputs: vec![Views::new(); network.architecture.accumulator_outputs()], views: 0 };
        for position in positions {
            let lists = FeatureLists::new(&network.architecture, position.side_to_move(), position.pieces());
            for view in network.accumulator_outputs(&lists).exact_chunks(activity.outputs.len()) {
                let (word, bit) = (activity.views / 64, activity.views % 64);
                for (views, &value) in activity.outputs.iter_mut().zip(view) {
                    views.resize(word + 1, 0);
                    views[word] |= u64::from(value > ACTIVE_ABOVE) << bit;
                }
                activity.views += 1;
            }
        }
        activity
    }

    fn union(&self, outputs: impl Iterator<Item = usize>) -> Views {
        outputs.fold(vec![0; self.views.div_ceil(64)], |mut union, output| {
            union.iter_mut().zip(&self.outputs[output]).for_each(|(union, views)| *union |= views);
            union
        })
    }

    /// The outputs, group after group: sorted by how often they are active, then exchanged between groups for as long as
    /// that leaves more groups inactive.
    fn grouped(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.outputs.len()).collect();
        order.sort_by_key(|&output| Reverse(size(&self.outputs[output])));
        // For each place, the views in which another output of its group is active.
        let others = |order: &[usize], place: usize| {
            self.union(group_of(place, order.len()).filter(|&other| other != place).map(|other| order[other]))
        };
        let mut rest: Vec<Views> = (0..order.len()).map(|place| others(&order, place)).collect();
        for _ in 0..MAX_PASSES {
            let mut exchanged = false;
            for a in 0..order.len() {
                for b in group_of(a, order.len()).end..order.len() {
                    let [x, y] = [a, b].map(|place| &self.outputs[order[place]]);
                    let now = size_of_union(&rest[a], x) + size_of_union(&rest[b], y);
                    if size_of_union(&rest[a], y) + size_of_union(&rest[b], x) < now {
                        order.swap(a, b);
                        for place in group_of(a, order.len()).chain(group_of(b, order.len())) {
                            rest[place] = others(&order, place);
                        }
                        exchanged = true;
                    }
                }
            }
            if !exchanged {
                break;
            }
        }
        order
    }
}

fn group_of(place: usize, places: usize) -> Range<usize> {
    let start = place / GROUP * GROUP;
    start..(start + GROUP).min(places)
}

fn size(views: &Views) -> u32 {
    views.iter().map(|word| word.count_ones()).sum()
}

fn size_of_union(a: &Views, b: &Views) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a | b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initialise;
    use crate::test_batches::features;
    use crate::test_samples::samples;

    #[test]
    fn sorting_keeps_the_function() {
        for text in
            ["dual [24,4] x8", "dual [24,4,3] x8 stacks pairwise kings=4", "white [24,4] screlu", "dual [24] x8"]
        {
            let before = initialise(text.parse().expect("valid"), 3).expect("valid");
            let mut after = before.clone();
            let samples = samples(40, 7);
            sort_neurons(&mut after, samples.iter());
            after.validate().expect("the same shape");
            assert_eq!(before == after, text == "dual [24] x8", "{text}: unchanged without a second hidden layer");
            for sample in &samples {
                let lists = features(&before.architecture, sample);
                let [old, new] = [&before, &after].map(|network| network.forward(&lists));
                assert!((old - new).abs() < 1e-5, "{text}: {old} became {new}");
            }
        }
    }

    #[test]
    fn outputs_that_are_active_together_share_a_group() {
        // Of two kinds; the most active output is not of the kind of the next ones.
        let [kind, other, most] = [0x3FF, 0x7_FC00, 0x3F_FC00];
        let outputs: Vec<Views> =
            [kind, other, kind, other, most, kind, other, kind].into_iter().map(|views| vec![views]).collect();
        let activity = Activity { outputs, views: 22 };
        for group in activity.grouped().chunks(GROUP) {
            let first = activity.outputs[group[0]][0] == kind;
            assert!(group.iter().all(|&output| (activity.outputs[output][0] == kind) == first), "{group:?}");
        }
    }
}
