//! Elo ratings of several players from all their encounters: maximum likelihood under the logistic model.
//!
//! A draw counts as half a win. Each player also has one drawn game against an imaginary player of average strength, so
//! that a player with no or all points has a finite rating. Errors treat games as independent. Independent of chess.

use serde::Serialize;

/// The games between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// The players' indices, from 0.
    pub players: [usize; 2],
    /// The number of games.
    pub games: f64,
    /// Points of the first player.
    pub points: f64,
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Elo; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Number of games against the imaginary player.
const IMAGINARY: f64 = 1.0;
const QUANTILE_95: f64 = 1.959_963_984_540_054;
/// Maximum number of Newton steps; never reached in practice.
const MAX_STEPS: usize = 100;

/// Rates the players with indices 0 to `count - 1`.
pub fn ratings(count: usize, encounters: &[Encounter]) -> Vec<Rating> {
    if count == 0 {
        return Vec::new();
    }
    let mut strengths = vec![0.0; count];
    for _ in 0..MAX_STEPS {
        let (slope, curvature) = derivatives(&strengths, encounters);
        let inverse = inverse(curvature);
        let mut largest = 0.0_f64;
        for (strength, row) in strengths.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            // Far from the maximum, Newton steps overshoot: each is limited to 350 Elo.
            *strength += step.clamp(-2.0, 2.0);
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let (_, curvature) = derivatives(&strengths, encounters);
    let covariance = inverse(curvature);
    let elo = 400.0 / std::f64::consts::LN_10;
    let n = count as f64;
    let mean = strengths.iter().sum::<f64>() / n;
    let all: f64 = covariance.iter().flatten().sum::<f64>() / (n * n);
    let rate = |(index, strength): (usize, &f64)| {
        let row: f64 = covariance[index].iter().sum::<f64>() / n;
        let variance = (covariance[index][index] - 2.0 * row + all).max(0.0);
        Rating { elo: elo * (strength - mean), error: elo * QUANTILE_95 * variance.sqrt() }
    };
    strengths.iter().enumerate().map(rate).collect()
}

/// Gradient of the log-likelihood and its negative Hessian.
fn derivatives(strengths: &[f64], encounters: &[Encounter]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut slope = vec![0.0; count];
    let mut curvature = vec![vec![0.0; count]; count];
    for (index, &strength) in strengths.iter().enumerate() {
        let expected = logistic(strength);
        slope[index] += IMAGINARY * (0.5 - expected);
        curvature[index][index] += IMAGINARY * expected * (1.0 - expected);
    }
    for &Encounter { players: [a, b], games, points } in encounters {
        let expected = logistic(strengths[a] - strengths[b]);
        let surprise = points - games * expected;
        slope[a] += surprise;
        slope[b] -= surprise;
        let weight = games * expected * (1.0 - expected);
        curvature[a][a] += weight;
        curvature[b][b] += weight;
        curvature[a][b] -= weight;
        curvature[b][a] -= weight;
    }
    (slope, curvature)
}

/// The inverse of a symmetric positive definite matrix by elimination; it is diagonally dominant, so no pivot is zero.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let mut result: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..count {
        let scale = 1.0 / matrix[pivot][pivot];
        for value in matrix[pivot].iter_mut().chain(&mut result[pivot]) {
            *value *= scale;
        }
        let (matrix_row, result_row) = (matrix[pivot].clone(), result[pivot].clone());
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..count {
                matrix[row][column] -= factor * matrix_row[column];
                result[row][column] -= factor * result_row[column];
            }
        }
    }
    result
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_of_elo;
    use super::*;

    fn encounter(players: [usize; 2], games: f64, share: f64) -> Encounter {
        Encounter { players, games, points: games * share }
    }

    #[test]
    fn exact_results_give_exact_ratings() {
        let elo = [150.0, 30.0, -180.0];
        let pairs = [[0, 1], [1, 2], [0, 2]];
        let encounters = pairs.map(|[a, b]| encounter([a, b], 100_000.0, score_of_elo(elo[a] - elo[b])));
        let found = ratings(3, &encounters);
        for (rating, elo) in found.iter().zip(elo) {
            assert!((rating.elo - elo).abs() < 0.1, "{found:?}");
            assert!(rating.error > 0.5 && rating.error < 3.0, "{found:?}");
        }
        // A quarter of the games, twice the error.
        let fewer =
            ratings(3, &encounters.map(|each| Encounter { games: 25_000.0, points: each.points / 4.0, ..each }));
        assert!((fewer[0].error / found[0].error - 2.0).abs() < 0.01, "{fewer:?}");
    }

    #[test]
    fn a_player_with_all_points_has_a_rating() {
        let found = ratings(2, &[encounter([1, 0], 100.0, 1.0)]);
        assert!(found[1].elo > 300.0 && found[1].elo < 2_000.0 && found[1].error.is_finite(), "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
        assert!(ratings(0, &[]).is_empty());
        assert!(ratings(1, &[])[0].elo.abs() < 1e-9);
    }
}
