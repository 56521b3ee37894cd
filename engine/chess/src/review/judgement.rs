//! Judges moves by their loss of expected score, and gives accuracies in percent.
//!
//! The expected score (win 1, draw ½) is that of an engine's WDL model. A pawn lost in an equal position costs about
//! 0.23, in a decided position almost nothing.

/// The judgement of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// A loss of at least 0.1 points.
    Inaccuracy,
    /// A loss of at least 0.2 points.
    Mistake,
    /// A loss of at least 0.3 points.
    Blunder,
}

impl Judgement {
    /// All judgements, mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Minimum loss of expected points.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.1,
            Self::Mistake => 0.2,
            Self::Blunder => 0.3,
        }
    }

    /// The judgement of a loss of expected points.
    pub fn of_loss(points: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|judgement| points >= judgement.threshold())
    }

    /// The numeric annotation glyph (NAG).
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The move suffix, such as `?!`.
    pub const fn signs(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The plural name.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracies",
            Self::Mistake => "mistakes",
            Self::Blunder => "blunders",
        }
    }
}

// Accuracy in percent by the formulas of lichess.org.
//
// ```text
// winning chances for c centipawns, -1000 to 1000     W = 100 / (1 + exp(-0.00368208 c))
// move accuracy for a change from W to W', percent    103.1668 exp(-0.04354 (W - W')) - 2.1669, within 0 and 100
// a game: the mean of the harmonic mean of its moves' accuracies and their mean weighted by the volatility of the
// chances
//         around each move (standard deviation over 2 to 8 positions, a tenth of the game, within 0.5 and 12)
// ```
//
// These winning chances are fitted on human games and milder than an engine's own, which the judgements use. They make
// the accuracy comparable with that of lichess.org.

const SLOPE: f64 = 0.003_682_08;
const WINDOW: std::ops::RangeInclusive<usize> = 2..=8;
const VARIATION: std::ops::RangeInclusive<f64> = 0.5..=12.0;

/// White's winning chances in percent for centipawns from White's view, -1000 to 1000.
pub fn win_percent(centipawns: i32) -> f64 {
    100.0 / (1.0 + (-SLOPE * f64::from(centipawns)).exp())
}

/// A move's accuracy in percent from its player's chances before and after.
pub(super) fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    (103.1668 * (-0.04354 * (before - after)).exp() - 2.1669).clamp(0.0, 100.0)
}

/// One side's accuracy over a game. `percents` are White's chances in all positions; `moves` are the index in the game,
/// from 0, and the accuracy of the side's moves. 100 for a side without moves.
pub(super) fn game_accuracy(percents: &[f64], moves: &[(usize, f64)]) -> f64 {
    if moves.is_empty() {
        return 100.0;
    }
    let length = (percents.len().saturating_sub(1) / 10).clamp(*WINDOW.start(), *WINDOW.end()).min(percents.len());
    let weight = |index: usize| {
        let first = (index + 2).saturating_sub(length).min(percents.len() - length);
        deviation(&percents[first..first + length]).clamp(*VARIATION.start(), *VARIATION.end())
    };
    let (mut weights, mut weighted, mut inverses) = (0.0, 0.0, 0.0);
    for &(index, accuracy) in moves {
        let weight = weight(index);
        weights += weight;
        weighted += weight * accuracy;
        inverses += 1.0 / accuracy.max(1.0);
    }
    f64::midpoint(weighted / weights, moves.len() as f64 / inverses)
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_judged_by_the_thresholds() {
        for (points, judgement) in [
            (0.0, None),
            (0.099, None),
            (0.1, Some(Judgement::Inaccuracy)),
            (0.2, Some(Judgement::Mistake)),
            (0.299, Some(Judgement::Mistake)),
            (1.0, Some(Judgement::Blunder)),
        ] {
            assert_eq!(Judgement::of_loss(points), judgement, "{points}");
        }
    }

    #[test]
    fn chances_and_move_accuracies_match_calculations_by_hand() {
        assert!((win_percent(0) - 50.0).abs() < 1e-12);
        assert!((win_percent(100) - 59.10).abs() < 0.01);
        assert!((win_percent(-1000) - 2.46).abs() < 0.01);
        for (loss, accuracy) in [(-5.0, 100.0), (0.0, 100.0), (10.0, 64.58), (20.0, 41.02), (95.0, 0.0)] {
            let found = move_accuracy(60.0, 60.0 - loss);
            assert!((found - accuracy).abs() < 0.01, "{loss}: {found}");
        }
    }

    #[test]
    fn games_are_weighted_by_volatility() {
        assert!((game_accuracy(&[50.0], &[]) - 100.0).abs() < 1e-12);
        // Two positions, so one window; both means are the one accuracy.
        assert!((game_accuracy(&[50.0, 40.0], &[(0, 64.0)]) - 64.0).abs() < 1e-12);
        // Windows of two positions around each move: deviations 0 (clamped to 0.5) and 10; weighted (0.5*100 + 10*40) /
        // 10.5, harmonic 2 / (1/100 + 1/40).
        let found = game_accuracy(&[50.0, 50.0, 30.0], &[(0, 100.0), (1, 40.0)]);
        let expected = f64::midpoint(450.0 / 10.5, 2.0 / 0.035);
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}
