//! Judges moves by their loss of expected score.
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
}
