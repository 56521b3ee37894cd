//! Ratings against closed forms, simulated games, and the arithmetic of anchors.

use alfiere_chess::game::Points;
use alfiere_chess::random::Random;

use super::super::elo::{elo_of_score, score_of_elo};
use super::*;

const fn encounter(players: [usize; 2], wins: u64, draws: u64, losses: u64) -> Encounter {
    Encounter { players, games: GameCounts { wins, draws, losses }, colors: Colors::Mixed }
}

/// Many games with the expected score at these ratings, without draws.
fn expected(a: usize, b: usize, elo: &[f64]) -> Encounter {
    let wins = (1e9 * score_of_elo(elo[a] - elo[b])).round() as u64;
    encounter([a, b], wins, 0, 1_000_000_000 - wins)
}

const fn anchor(player: usize, elo: f64, error: f64) -> Anchor {
    Anchor { player, elo, error }
}

fn is_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

#[test]
fn two_players_have_the_closed_form() {
    for (wins, draws, losses) in [(50_000, 50_000, 0), (30, 50, 20), (1, 0, 3), (400, 1_000, 90)] {
        let found = Ratings::fit(2, &[encounter([0, 1], wins, draws, losses)], &[]);
        let (games, points) = ((wins + draws + losses) as f64, wins as f64 + draws as f64 / 2.0);
        let score = points / games;
        is_near(found.rating(0).elo - found.rating(1).elo, elo_of_score(score), 1e-6);
        is_near(found.rating(0).elo + found.rating(1).elo, 0.0, 1e-9);
        // The deviation of the mean of three results, by the slope of the Elo scale; half of it for each player. The
        // ratio includes one more game.
        let squares = wins as f64 + draws as f64 / 4.0 - games * score * score;
        let (observed, decisive) = (squares + 0.25, games * score * (1.0 - score) + 0.25);
        let variance = (observed / decisive).min(1.0) / (games * score * (1.0 - score));
        is_near(found.rating(0).error, 1.959_964 * 400.0 / std::f64::consts::LN_10 * variance.sqrt() / 2.0, 1e-3);
        assert!(found.white_advantage().is_none() && !found.has_imaginary_games());
    }
}

#[test]
fn exact_results_give_exact_ratings() {
    let elo = [150.0, 30.0, -180.0, 2_000.0, -2_000.0];
    let encounters = [[0, 1], [1, 2], [0, 2], [3, 0], [2, 4]].map(|[a, b]| expected(a, b, &elo));
    let found = Ratings::fit(5, &encounters, &[]);
    for (player, elo) in elo.into_iter().enumerate() {
        is_near(found.rating(player).elo, elo, 0.01);
    }
}

#[test]
fn draws_and_games_make_errors_smaller() {
    let error = |encounters: &[Encounter]| Ratings::fit(2, encounters, &[]).rating(0).error;
    let decisive = error(&[encounter([0, 1], 500, 0, 500)]);
    is_near(error(&[encounter([0, 1], 125, 0, 125)]) / decisive, 2.0, 1e-3);
    // Three of four games drawn: a quarter of the variance.
    is_near(decisive / error(&[encounter([0, 1], 125, 750, 125)]), 2.0, 1e-2);
    // Only draws are no proof of equality.
    let drawn = error(&[encounter([0, 1], 0, 10, 0)]);
    assert!(drawn > 20.0 && drawn < 100.0, "{drawn}");
}

/// Plays games with these ratings and colours alternating; a draw has the probability `draws · 4p(1 − p)`.
fn simulate(elo: &[f64], advantage: f64, draws: f64, games: u32, rng: &mut Random) -> Vec<Encounter> {
    let mut encounters = Vec::new();
    for white in 0..elo.len() {
        for black in (0..elo.len()).filter(|&black| black != white) {
            let score = score_of_elo(elo[white] - elo[black] + advantage);
            let drawn = draws * 4.0 * score * (1.0 - score);
            let mut counts = GameCounts::default();
            for _ in 0..games {
                let random = rng.below(1 << 30) as f64 / f64::from(1 << 30);
                counts.add(if random < score - drawn / 2.0 {
                    Points::Win
                } else if random < score + drawn / 2.0 {
                    Points::Draw
                } else {
                    Points::Loss
                });
            }
            encounters.push(Encounter { players: [white, black], games: counts, colors: Colors::FirstIsWhite });
        }
    }
    encounters
}

#[test]
fn ratings_of_simulated_games_are_recovered_within_their_errors() {
    let (elo, advantage) = ([-210.0, -35.0, 5.0, 60.0, 180.0], 40.0);
    let mut rng = Random::new(7);
    let (mut within, mut all, mut squares, mut variances) = (0, 0, 0.0, 0.0);
    for _ in 0..200 {
        let encounters = simulate(&elo, advantage, 0.45, 50, &mut rng);
        let found = Ratings::fit(elo.len(), &encounters, &[]);
        let pairs = (0..elo.len()).map(|player| (found.rating(player), elo[player]));
        for (Rating { elo, error }, expected) in pairs.chain([(found.white_advantage().expect("known"), advantage)]) {
            all += 1;
            within += u32::from((elo - expected).abs() <= error);
            squares += (elo - expected).powi(2);
            variances += (error / 1.96_f64).powi(2);
        }
    }
    // 95 % of 1,200 values, with a deviation of 0.6 %.
    let share = f64::from(within) / f64::from(all);
    assert!((0.93..0.97).contains(&share), "{share}");
    is_near(squares / variances, 1.0, 0.12);
}

#[test]
fn superiority_agrees_with_repeated_simulations() {
    // The chance that a measured difference has the wrong sign is 1 - LOS of the true difference at the same error.
    let elo = [12.0, -12.0];
    let mut rng = Random::new(3);
    let (mut stronger, mut expected) = (0.0, 0.0);
    for _ in 0..1_000 {
        let found = Ratings::fit(2, &simulate(&elo, 0.0, 0.3, 100, &mut rng), &[]);
        stronger += f64::from(u8::from(found.rating(0).elo > found.rating(1).elo));
        let deviation = 2.0 * found.rating(0).error / 1.96;
        expected += normal_distribution(24.0 / deviation);
        is_near(found.superiority(0, 1) + found.superiority(1, 0), 1.0, 1e-6);
    }
    is_near(stronger / 1_000.0, expected / 1_000.0, 0.03);
}

#[test]
fn white_advantage_is_told_apart_from_strength() {
    // Computed apart from the model: σ(d + w) = 0.7 and σ(w − d) = 0.4.
    let odds = |p: f64| (p / (1.0 - p)).ln() * 400.0 / std::f64::consts::LN_10;
    let white =
        |players, wins| Encounter { colors: Colors::FirstIsWhite, ..encounter(players, wins, 0, 100_000 - wins) };
    let found = Ratings::fit(2, &[white([0, 1], 70_000), white([1, 0], 40_000)], &[]);
    is_near(found.rating(0).elo - found.rating(1).elo, (odds(0.7) - odds(0.4)) / 2.0, 0.01);
    is_near(found.white_advantage().expect("known").elo, odds(0.7).midpoint(odds(0.4)), 0.01);
    // One player always with White: the result is a difference of strengths, with the error of the prior.
    let found = Ratings::fit(2, &[white([0, 1], 70_000)], &[]);
    is_near(found.white_advantage().expect("known").elo, 0.0, 0.01);
    is_near(2.0 * found.rating(0).error, 196.0, 1.0);
}

#[test]
fn players_with_all_points_have_a_rating() {
    let found = Ratings::fit(2, &[encounter([1, 0], 100, 0, 0)], &[]);
    let best = found.rating(1);
    assert!(best.elo > 300.0 && best.elo < 2_000.0 && best.error.is_finite(), "{best:?}");
    assert!(found.has_imaginary_games() && found.superiority(1, 0) > 0.99);
    is_near(found.rating(0).elo + best.elo, 0.0, 1e-6);
    assert!(Ratings::fit(0, &[], &[]).strengths.is_empty());
    is_near(Ratings::fit(1, &[], &[]).rating(0).elo, 0.0, 1e-9);
    // Far from an anchor, with an imaginary player.
    let found = Ratings::fit(3, &[encounter([0, 1], 9, 0, 0)], &[anchor(0, 3_000.0, 0.0)]);
    assert!(found.rating(1).elo < 2_700.0 && (found.rating(2).elo - 3_000.0).abs() < 700.0, "{found:?}");
}

#[test]
fn exact_anchors_shift_and_fix() {
    let elo = [150.0, 30.0, -180.0];
    let encounters = [[0, 1], [1, 2], [0, 2]].map(|[a, b]| expected(a, b, &elo));
    let found = Ratings::fit(3, &encounters, &[anchor(1, 2_500.0, 0.0)]);
    for (player, expected) in [2_620.0, 2_500.0, 2_290.0].into_iter().enumerate() {
        is_near(found.rating(player).elo, expected, 0.01);
    }
    is_near(found.rating(1).error, 0.0, 1e-12);
    assert!(found.rating(0).error > 0.0);
    // Two exact anchors 100 apart, and a player who scores half against each: in the middle.
    let equal = [encounter([0, 1], 50, 0, 50), encounter([0, 2], 50, 0, 50)];
    let found = Ratings::fit(3, &equal, &[anchor(1, 0.0, 0.0), anchor(2, 100.0, 0.0)]);
    is_near(found.rating(0).elo, 50.0, 1e-6);
    is_near(found.rating(2).elo, 100.0, 1e-9);
    is_near(found.superiority(2, 1), 1.0, 1e-9);
    let found = Ratings::fit(3, &equal, &[anchor(1, 0.0, 1e-300), anchor(2, 100.0, 0.01)]);
    is_near(found.rating(0).elo, 50.0, 1e-2);
}

#[test]
fn anchors_with_errors_are_weighted() {
    let encounters = [expected(0, 1, &[60.0, 0.0])];
    // One anchor: with a billion games, its error is that of both players.
    let found = Ratings::fit(2, &encounters, &[anchor(1, 1_000.0, 20.0)]);
    is_near(found.rating(0).elo, 1_060.0, 0.01);
    is_near(found.rating(0).error, 20.0, 0.01);
    // The anchors say 1,100 and 1,000, so the first player is 1,100 or 1,060, weighted by 1/10² and 1/20².
    let found = Ratings::fit(2, &encounters, &[anchor(0, 1_100.0, 10.0), anchor(1, 1_000.0, 20.0)]);
    is_near(found.rating(0).elo, (4.0 * 1_100.0 + 1_060.0) / 5.0, 0.01);
    is_near(found.rating(0).error, (1.0_f64 / (1.0 / 100.0 + 1.0 / 400.0)).sqrt(), 0.01);
    is_near(found.rating(0).elo - found.rating(1).elo, 60.0, 0.01);
    // Without games between them, players are related by their anchors.
    let found = Ratings::fit(2, &[], &[anchor(0, 50.0, 30.0), anchor(1, 0.0, 40.0)]);
    is_near(found.rating(0).elo, 50.0, 1e-6);
    is_near(found.superiority(0, 1), normal_distribution(1.959_964), 1e-5);
}

#[test]
fn the_normal_distribution_has_its_quantiles() {
    for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
        is_near(normal_distribution(x), expected, 1e-7);
    }
}

#[test]
fn the_inverse_times_the_matrix_is_the_identity() {
    let matrix = vec![vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]];
    let inverse = Cholesky::new(matrix.clone()).inverse();
    for (row, values) in matrix.iter().enumerate() {
        for column in 0..3 {
            let product: f64 = (0..3).map(|inner| values[inner] * inverse[inner][column]).sum();
            assert!((product - f64::from(u8::from(row == column))).abs() < 1e-12, "{inverse:?}");
        }
    }
}
