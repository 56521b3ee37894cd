//! Judges moves by their loss of winning chances, as lichess.org documents it, and gives accuracies in percent.
//!
//! A pawn lost in an equal position costs 9 percent points, in a decided position almost nothing.

use super::score::WhiteScore;
use crate::types::Color;

/// The judgement of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// A loss of at least 5 percent points.
    Inaccuracy,
    /// A loss of at least 10 percent points.
    Mistake,
    /// A loss of at least 15 percent points.
    Blunder,
}

impl Judgement {
    /// All judgements, mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Minimum loss of winning chances, in percent points.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Mistake => 10.0,
            Self::Blunder => 15.0,
        }
    }

    /// The judgement of a move of `side`. A mate that is allowed or missed counts by how decided the game is without it.
    pub(super) fn of_move(side: Color, before: WhiteScore, after: WhiteScore) -> Option<Self> {
        let own = |score: WhiteScore| score.bounded() * if side == Color::White { 1 } else { -1 };
        let beside_mate = |centipawns| match centipawns {
            1000.. => Self::Inaccuracy,
            701.. => Self::Mistake,
            _ => Self::Blunder,
        };
        let (was, is) = (own(before), own(after));
        match (before.is_mate(), after.is_mate()) {
            (false, true) if is < 0 => Some(beside_mate(-was)),
            (true, false) if was > 0 => Some(beside_mate(is)),
            (true, true) if was > 0 && is < 0 => Some(Self::Blunder),
            (false, false) => {
                let loss = win_percent(was) - win_percent(is);
                Self::ALL.into_iter().rev().find(|judgement| loss >= judgement.threshold())
            }
            _ => None,
        }
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

    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

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
// These winning chances are fitted on human games and milder than an engine's own. They make accuracies and judgements
// comparable with those of lichess.org.

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
    fn moves_are_judged_as_by_lichess() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/games/judged.txt");
        let text = std::fs::read_to_string(file).expect("the file");
        let (mut moves, mut equal) = (0, 0);
        for game in text.lines().filter(|line| !line.starts_with('#')) {
            let (mut before, mut side) = (WhiteScore::Centipawns(15), Color::White);
            for word in game.split(' ').skip(1) {
                let score = word.trim_end_matches(['?', '!']);
                let number = |text: &str| text.parse().expect("a number");
                let after = score
                    .strip_prefix('#')
                    .map_or_else(|| WhiteScore::Centipawns(number(score)), |mate| WhiteScore::Mate(number(mate)));
                let signs = Judgement::of_move(side, before, after).map_or("", Judgement::signs);
                moves += 1;
                equal += usize::from(signs == &word[score.len()..]);
                (before, side) = (after, !side);
            }
        }
        assert_eq!((moves, equal), (335, 328));
    }

    #[test]
    fn moves_are_judged_by_winning_chances() {
        let of = |before, after| {
            Judgement::of_move(Color::White, WhiteScore::Centipawns(before), WhiteScore::Centipawns(after))
        };
        assert_eq!(of(-140, -440), Some(Judgement::Blunder));
        assert_eq!(of(20, -12), None);
        assert_eq!((of(0, -54), of(0, -55)), (None, Some(Judgement::Inaccuracy)));
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
