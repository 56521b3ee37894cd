//! A seeded random number generator with the same output on every platform and in every version.

/// `SplitMix64` by Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates an independent generator for a numbered part of a task, derived from the task's seed.
    pub fn for_part(seed: u64, part: u64) -> Self {
        let mut parts = Self(seed);
        let offset = parts.next_number();
        let mut own = Self(part.wrapping_mul(0xD1B5_4A32_D192_ED03).wrapping_add(offset));
        Self(own.next_number())
    }

    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A random number less than `bound`; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_number() as u128 * bound as u128) >> 64) as u64
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next_number() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}

/// Mixes the bits so that every input bit affects every output bit; a bijection.
#[inline]
pub const fn mix(bits: u64) -> u64 {
    Random::new(bits).next_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_matches_the_published_values() {
        let mut random = Random::new(1_234_567);
        let numbers: [u64; 3] = std::array::from_fn(|_| random.next_number());
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn below_and_chance_are_uniform() {
        let mut random = Random::for_part(3, 7);
        let mut seen = [0; 6];
        (0..6_000).for_each(|_| seen[random.below(6) as usize] += 1);
        assert!(seen.iter().all(|&count| (850..1_150).contains(&count)), "{seen:?}");
        let hits = (0..10_000).filter(|_| random.chance(0.1)).count();
        assert!((850..1_150).contains(&hits), "{hits}");
        assert!(!random.chance(0.0) && random.chance(1.0));
        assert_ne!(Random::for_part(3, 7).next_number(), Random::for_part(3, 8).next_number());
        assert_ne!(Random::for_part(3, 7).next_number(), Random::for_part(4, 7).next_number());
    }
}
