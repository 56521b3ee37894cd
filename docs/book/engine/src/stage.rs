//! The stages of the engine, in the order of the book.

use std::fmt;
use std::str::FromStr;

// ANCHOR: stage
/// The engine at the end of a chapter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Alpha-beta with iterative deepening; material alone counts.
    AlphaBeta,
    /// Leaves are searched until no capture is left, and checks one ply deeper.
    Quiescence,
    /// A transposition table, and moves in order of promise.
    Ordering,
    /// Reverse futility pruning, the null move and late move reductions.
    Pruning,
    /// The evaluation knows where pieces stand well.
    Evaluation,
    /// A neural network evaluates.
    Network,
}
// ANCHOR_END: stage

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 6] =
        [Self::AlphaBeta, Self::Quiescence, Self::Ordering, Self::Pruning, Self::Evaluation, Self::Network];

    /// The name in the UCI option `Stage`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alpha-beta",
            Self::Quiescence => "quiescence",
            Self::Ordering => "ordering",
            Self::Pruning => "pruning",
            Self::Evaluation => "evaluation",
            Self::Network => "network",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|stage| stage.name() == text)
            .ok_or_else(|| format!("stage \"{text}\": expected one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}
