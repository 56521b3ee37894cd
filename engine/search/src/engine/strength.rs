//! The strength scale: maps a rating to the nodes, oversights and evaluation errors of a limited player, whose random numbers
//! are different for each game and reproducible by seed.
//!
//! Owns the scale and its calibration. `search/request/strength_limit.rs` describes the weaknesses; the search is independent of ratings.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;

use crate::platform::entropy;
use crate::search::{Limits, StrengthLimit, Weaknesses};

/// A rating in Elo within the range that can be played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rating(u32);

/// What the strength of play is limited to, as GUIs set it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Whether the rating counts; otherwise the skill does.
    pub limited: bool,
    pub elo: Rating,
    /// From 0 to [`Strength::FULL_SKILL`], which is no limit.
    pub skill: u32,
}

impl Strength {
    pub const FULL_SKILL: u32 = 20;

    /// The level to play at; none for full strength.
    pub fn level(&self) -> Option<Rating> {
        if self.limited {
            Some(self.elo)
        } else {
            (self.skill < Self::FULL_SKILL).then(|| Rating::of_skill(self.skill))
        }
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self { limited: false, elo: Rating::new(1500), skill: Self::FULL_SKILL }
    }
}

#[derive(Clone, Copy, Debug)]
struct Knot {
    elo: f64,
    nodes: f64,
    oversight: f64,
    eval_noise: f64,
}

const fn knot(elo: u32, nodes: u32, oversight: f64, eval_noise: f64) -> Knot {
    Knot { elo: elo as f64, nodes: nodes as f64, oversight, eval_noise }
}

/// The scale: between these players the numbers are interpolated, nodes by their logarithm.
///
/// From 1350 to 1900 it was calibrated by games against Stockfish 15.1's `UCI_Elo` at 30,000 nodes a move, by which
/// that program has chosen its move (with fewer nodes it is weaker at the same setting); the rest by games against
/// itself. Above 1900 it is an estimate from few games.
const KNOTS: [Knot; 11] = [
    knot(550, 48, 0.660, 73.0),
    knot(710, 82, 0.530, 58.0),
    knot(1010, 152, 0.410, 46.0),
    knot(1200, 287, 0.310, 36.0),
    knot(1350, 527, 0.235, 27.5),
    knot(1700, 1_170, 0.160, 20.0),
    knot(1900, 5_600, 0.070, 10.0),
    knot(2200, 19_300, 0.027, 4.8),
    knot(2400, 32_800, 0.015, 2.7),
    knot(2600, 67_600, 0.0065, 1.2),
    knot(2800, 400_000, 0.000, 0.0),
];

impl Rating {
    pub const LOWEST: Self = Self(600);
    pub const HIGHEST: Self = Self(2800);

    /// The level of a rating, brought into the range.
    pub fn new(elo: u32) -> Self {
        Self(elo.clamp(Self::LOWEST.0, Self::HIGHEST.0))
    }

    pub const fn elo(self) -> u32 {
        self.0
    }

    /// The level of a skill below the full one: equal steps from the weakest.
    fn of_skill(skill: u32) -> Self {
        let range = Self::HIGHEST.0 - Self::LOWEST.0;
        Self::new(Self::LOWEST.0 + range * skill / Strength::FULL_SKILL)
    }

    /// The limits of a search at this level: those given, and the nodes of the level for each line that is wanted.
    pub(super) fn limit(self, limits: &Limits, lines: usize) -> Limits {
        let own = (self.player().nodes.round() as u64).saturating_mul(lines.max(1) as u64);
        Limits { nodes: Some(limits.nodes.map_or(own, |nodes| nodes.min(own))), ..limits.clone() }
    }

    /// The weaknesses of one search: evaluation noise depends on the game's seed, oversights also on the position.
    pub(super) fn strength_limit(self, board: &Board, game_seed: u64) -> StrengthLimit {
        let Knot { nodes, oversight, eval_noise, .. } = self.player();
        // A few plies more than such a search reaches with all pieces on the board: it sees no deeper with few pieces.
        let horizon = (nodes.log2() - 2.0).max(1.0) as u32;
        let moment = board.key() ^ u64::from(board.fullmove_number());
        let search_seed = Random::for_part(game_seed, moment).next_number();
        StrengthLimit::new(Weaknesses { horizon, oversight, eval_noise }, board, game_seed, search_seed)
    }

    fn player(self) -> Knot {
        let elo = f64::from(self.0);
        let after = KNOTS.partition_point(|knot| knot.elo < elo).clamp(1, KNOTS.len() - 1);
        let (low, high) = (KNOTS[after - 1], KNOTS[after]);
        let share = (elo - low.elo) / (high.elo - low.elo);
        let between = |low: f64, high: f64| low + share * (high - low);
        Knot {
            elo,
            nodes: between(low.nodes.ln(), high.nodes.ln()).exp(),
            oversight: between(low.oversight, high.oversight).max(0.0),
            eval_noise: between(low.eval_noise, high.eval_noise).max(0.0),
        }
    }
}

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

    pub(super) fn game_seed(&self) -> u64 {
        Random::for_part(!self.seed, self.game).next_number()
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.random.next_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> impl Iterator<Item = Rating> {
        (Rating::LOWEST.elo()..=Rating::HIGHEST.elo()).map(Rating::new)
    }

    #[test]
    fn a_higher_level_looks_at_more_and_errs_less() {
        let ends = [KNOTS[0].elo, KNOTS[KNOTS.len() - 1].elo];
        assert!(ends[0] <= f64::from(Rating::LOWEST.elo()) && ends[1] >= f64::from(Rating::HIGHEST.elo()));
        let players: Vec<_> = levels().map(Rating::player).collect();
        for pair in players.windows(2) {
            let [low, high] = pair else { continue };
            assert!(low.nodes < high.nodes && high.nodes < 1.1 * low.nodes, "{high:?}");
            assert!(low.oversight >= high.oversight && low.oversight - high.oversight < 0.01, "{high:?}");
            assert!(low.eval_noise >= high.eval_noise && low.eval_noise - high.eval_noise < 1.0, "{high:?}");
        }
    }

    #[test]
    fn a_rating_overrides_a_skill() {
        let skilled = Strength { skill: 3, ..Strength::default() };
        assert_eq!(skilled.level(), Some(Rating::of_skill(3)));
        let limited = Strength { limited: true, elo: Rating::new(2000), ..skilled };
        assert_eq!(limited.level().map(Rating::elo), Some(2000));
        assert_eq!(Strength::default().level(), None);
        assert_eq!(Rating::of_skill(0), Rating::LOWEST);
        for skill in 1..Strength::FULL_SKILL {
            assert!(Rating::of_skill(skill) > Rating::of_skill(skill - 1) && Rating::of_skill(skill) < Rating::HIGHEST);
        }
    }

    #[test]
    fn narrower_limits_stay() {
        let level = Rating::new(1500);
        let own = level.limit(&Limits::default(), 1).nodes;
        assert_eq!(level.limit(&Limits::nodes(7), 1).nodes, Some(7));
        assert_eq!(level.limit(&Limits::nodes(u64::MAX), 1).nodes, own);
        assert_eq!(level.limit(&Limits::depth(3), 2).nodes, own.map(|nodes| 2 * nodes));
        assert_eq!(level.limit(&Limits::depth(3), 2).depth, Some(3));
    }

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
