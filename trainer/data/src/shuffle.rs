//! Random orders of rows.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The numbers `0..count` in a random order that depends only on the seed.
pub fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    shuffle(&mut order, seed);
    order
}

/// Shuffles items in an order that depends only on the seed.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut source = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..items.len()).rev() {
        // The high half of a product: uniform except for one part in 2³² of the range.
        let pick = (u128::from(source.next_u64()) * (last as u128 + 1)) >> 64;
        items.swap(last, pick as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffle_is_a_permutation_determined_by_the_seed() {
        let order = shuffled(1000, 7);
        assert_eq!(order, shuffled(1000, 7));
        assert_ne!(order, shuffled(1000, 8));
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
    }
}
