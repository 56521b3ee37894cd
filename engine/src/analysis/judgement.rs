//! Which moves deserve a word: by the points that they cost.
//!
//! What counts is the expected score, a win 1 and a draw ½, by the engine's own model of win, draw and loss. A pawn lost in an even
//! game costs some 0.23 of it, in a game that is already decided next to nothing. The move that the engine would have
//! played itself costs nothing.

/// A move that cost something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// At least 0.1 points.
    Inaccuracy,
    /// At least 0.2 points.
    Mistake,
    /// At least 0.3 points.
    Blunder,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The points that it costs at the least.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.1,
            Self::Mistake => 0.2,
            Self::Blunder => 0.3,
        }
    }

    /// What a loss of expected points deserves.
    pub fn of_loss(points: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|judgement| points >= judgement.threshold())
    }

    /// Its number among the glyphs of PGN.
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// Its signs behind a move.
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

    /// The name of several.
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
