//! A ladder of players with known ratings, and the choice of those against which another player is rated.
//!
//! The games are played in rounds of pairs. The rungs of a round are those whose games say most by the estimate after the
//! round before: first the nearest alone, until points were both won and lost, then all whose results are open. A round
//! has as many games as all before it together, so that few games are played against rungs far from the player. Independent
//! of chess.

use super::anchor::Anchor;
use super::elo::{GameCounts, score_of_elo};
use super::encounter::Encounter;
use super::ratings::{Rating, Ratings};

/// Players with known ratings, weakest first.
#[derive(Clone, PartialEq, Debug)]
pub struct Ladder {
    rungs: Vec<Rating>,
}

/// The next games: pairs against each of these rungs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The indices of the rungs, the nearest to the player first.
    pub rungs: Vec<usize>,
    /// The number of pairs of games against each.
    pub pairs: u64,
}

const MAX_RUNGS: usize = 4;
/// Minimum of 4p(1 − p) for a rung in a round, where p is the expected score: the information of a game divided by that
/// between equals. One half is a difference of 306 Elo.
const MIN_INFORMATION: f64 = 0.5;

impl Ladder {
    /// A ladder of at least two rungs, weakest first; their errors are those of differences between neighbours.
    pub const fn new(rungs: Vec<Rating>) -> Self {
        Self { rungs }
    }

    /// The rating of a player with these results against each rung, with White and with Black.
    ///
    /// A weak prior over the length of the ladder makes it finite, even if all games were won.
    pub fn estimate(&self, results: &[[GameCounts; 2]]) -> Rating {
        let player = self.rungs.len();
        let encounters: Vec<Encounter> =
            (0..).zip(results).flat_map(|(rung, &games)| Encounter::by_color([player, rung], games)).collect();
        let known = |(player, &Rating { elo, error })| Anchor { player, elo, error };
        let [lowest, highest] = [self.rungs.first(), self.rungs.last()].map(|rung| rung.map_or(0.0, |rung| rung.elo));
        let prior = Anchor { player, elo: lowest.midpoint(highest), error: highest - lowest };
        let anchors: Vec<Anchor> = (0..).zip(&self.rungs).map(known).chain([prior]).collect();
        Ratings::fit(player + 1, &encounters, &anchors).rating(player)
    }

    /// The round after these results, with at most `games_left` games; `None` without another pair.
    pub fn next_round(&self, results: &[[GameCounts; 2]], games_left: u64) -> Option<Round> {
        let pairs_left = games_left / 2;
        let elo = self.estimate(results).elo;
        let distance = |rung: usize| (self.rungs[rung].elo - elo).abs();
        let mut rungs: Vec<usize> = (0..self.rungs.len()).collect();
        rungs.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let played = total(results);
        let pairs = if is_one_sided(played) {
            rungs.truncate(1);
            // None yet, except at an end of the ladder.
            rungs.iter().map(|&rung| total(&results[rung..=rung]).games() / 2).sum::<u64>().max(1)
        } else {
            played.games() / 2
        };
        let pairs = pairs.min(pairs_left);
        let information = |rung: usize| {
            let score = score_of_elo(distance(rung));
            4.0 * score * (1.0 - score)
        };
        let open = rungs.iter().take_while(|&&rung| information(rung) >= MIN_INFORMATION).count();
        rungs.truncate(open.clamp(1, MAX_RUNGS).min(pairs as usize));
        (pairs > 0).then(|| Round { pairs: pairs / rungs.len() as u64, rungs })
    }
}

pub fn total(results: &[[GameCounts; 2]]) -> GameCounts {
    results.as_flattened().iter().copied().sum()
}

/// Whether the games give no finite rating: no point was won, or none lost.
pub fn is_one_sided(games: GameCounts) -> bool {
    games.points() == 0.0 || games.reversed().points() == 0.0
}

#[cfg(test)]
mod tests {
    use alfiere_chess::game::Points;
    use alfiere_chess::random::Random;

    use super::*;

    fn ladder() -> Ladder {
        Ladder::new((0..14).map(|rung| Rating { elo: f64::from(rung) * 190.0, error: 25.0 }).collect())
    }

    /// Plays all rounds of a player of this strength, with White's advantage of 30 Elo, against rungs whose true ratings
    /// differ from the known ones by their errors. Returns the rating and the results.
    fn rate(ladder: &Ladder, elo: f64, games: u64, random: &mut Random) -> (Rating, Vec<[GameCounts; 2]>) {
        let mut uniform = || random.below(1 << 30) as f64 / f64::from(1 << 30);
        // The sum of twelve has a variance of 1.
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let truth: Vec<f64> = ladder.rungs.iter().map(|rung| rung.elo + rung.error / 1.96 * normal()).collect();
        let mut results = vec![[GameCounts::default(); 2]; truth.len()];
        let mut left = games;
        while let Some(round) = ladder.next_round(&results, left) {
            left -= 2 * round.pairs * round.rungs.len() as u64;
            for &rung in &round.rungs {
                for (counts, advantage) in results[rung].iter_mut().zip([30.0, -30.0]) {
                    for _ in 0..round.pairs {
                        let score = score_of_elo(elo + advantage - truth[rung]);
                        // Between equals, a third of the games is drawn.
                        let (drawn, chance) = (score * (1.0 - score) * 4.0 / 3.0, uniform());
                        counts.add(match chance {
                            chance if chance < score - drawn / 2.0 => Points::Win,
                            chance if chance < score + drawn / 2.0 => Points::Draw,
                            _ => Points::Loss,
                        });
                    }
                }
            }
        }
        (ladder.estimate(&results), results)
    }

    #[test]
    fn players_of_known_strength_are_rated_within_their_errors() {
        let (ladder, mut random) = (ladder(), Random::new(5));
        let (mut within, mut largest) = (0, 0.0_f64);
        for number in 0..300 {
            let elo = -100.0 + f64::from(number) * 9.0;
            let (rating, results) = rate(&ladder, elo, 200, &mut random);
            assert_eq!(total(&results).games(), 200);
            within += u32::from((rating.elo - elo).abs() <= rating.error);
            largest = largest.max(rating.error);
        }
        // 95 % of 300 are 285, with a deviation of 3.8.
        assert!((274..=296).contains(&within), "{within}");
        assert!(largest < 80.0, "{largest}");
    }

    #[test]
    fn most_games_are_against_rungs_near_the_player() {
        let (ladder, mut random) = (ladder(), Random::new(9));
        for elo in [40.0, 900.0, 2_400.0] {
            let (_, results) = rate(&ladder, elo, 200, &mut random);
            let near: u64 = (ladder.rungs.iter().zip(&results))
                .filter(|(rung, _)| (rung.elo - elo).abs() < 400.0)
                .map(|(_, games)| total(&[*games]).games())
                .sum();
            assert!(near >= 184, "{elo}: {near}");
        }
    }

    #[test]
    fn one_sided_results_lead_to_the_ends_of_the_ladder() {
        let ladder = ladder();
        for (elo, end, points) in [(-9_000.0, 0, 0.0), (9_000.0, 13, 40.0)] {
            let (rating, results) = rate(&ladder, elo, 40, &mut Random::new(1));
            assert!(is_one_sided(total(&results)) && rating.elo.is_finite(), "{rating:?}");
            assert!((total(&results).points() - points).abs() < 1e-9, "{results:?}");
            assert!(total(&results[end..=end]).games() > 25, "{results:?}");
        }
        assert_eq!(ladder.next_round(&[[GameCounts::default(); 2]; 14], 1), None);
    }
}
