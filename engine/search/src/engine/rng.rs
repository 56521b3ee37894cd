//! Random numbers of the player `random` and of limited strength: different for each game, reproducible by seed.

use alfiere_chess::random::Random;

use crate::platform::entropy;

/// A sequence of numbers for each game.
#[derive(Clone, Debug)]
pub(super) struct SeededRng {
    seed: u64,
    game: u64,
    random: Random,
}

impl SeededRng {
    /// Starts with this seed; 0 takes one from the system.
    pub(super) fn new(seed: u64) -> Self {
        let seed = if seed == 0 { entropy() } else { seed };
        Self { seed, game: 0, random: Random::for_part(seed, 0) }
    }

    /// Begins the sequence of the next game, which does not depend on the length of this one.
    pub(super) fn next_game(&mut self) {
        self.game += 1;
        self.random = Random::for_part(self.seed, self.game);
    }

    /// The number of the game.
    pub(super) fn game_seed(&self) -> u64 {
        Random::for_part(!self.seed, self.game).next_number()
    }

    /// The number for the next move.
    pub(super) fn next_number(&mut self) -> u64 {
        self.random.next_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(rng: &mut SeededRng) -> [u64; 4] {
        std::array::from_fn(|_| rng.next_number())
    }

    #[test]
    fn games_differ_and_a_seed_repeats_them() {
        let [mut one, mut again] = [SeededRng::new(7), SeededRng::new(7)];
        let first = numbers(&mut one);
        assert_eq!(first, numbers(&mut again));
        // The second game does not depend on the length of the first.
        again.next_number();
        one.next_game();
        again.next_game();
        let second = numbers(&mut one);
        assert_eq!(second, numbers(&mut again));
        assert_ne!(first, second);
        assert_ne!(numbers(&mut SeededRng::new(8)), first);
        assert_ne!(numbers(&mut SeededRng::new(0)), numbers(&mut SeededRng::new(0)));
    }
}
