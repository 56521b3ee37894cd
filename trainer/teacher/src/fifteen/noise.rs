//! A network of random numbers, for tests.

use alfiere_chess::random::mix;

use super::halfka::{INPUTS, Network};
use super::layers::{Stack, WIDTH};
use crate::plain_views::STACKS;

/// Random weights, small enough that sums of 32 pieces do not overflow.
pub(crate) fn noise() -> Network {
    let number = |index: usize| (mix(index as u64) >> 40) as i32 % 100 - 50;
    let bytes = |seed: usize, count: usize| (0..count).map(|i| number(seed + i) as u8).collect::<Vec<u8>>();
    let numbers = |seed: usize, count: usize| (0..count).map(|i| number(seed + i)).collect::<Vec<i32>>();
    let stack = |bucket: usize| {
        let biases = [numbers(bucket, 16), numbers(bucket + 90, 32), numbers(bucket + 900, 1)];
        let weights = [bytes(bucket, 16 * WIDTH), bytes(bucket + 7, 32 * 32), bytes(bucket + 77, 32)];
        Stack::new([&biases[0], &biases[1], &biases[2]], [&weights[0], &weights[1], &weights[2]])
    };
    Network {
        bias: vec![30; WIDTH],
        weights: (0..INPUTS * WIDTH).map(|index| number(index) as i16 / 4).collect(),
        material: numbers(5, INPUTS * STACKS),
        stacks: (0..STACKS).map(stack).collect(),
    }
}
