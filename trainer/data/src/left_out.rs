//! Rows that cannot be written, counted by reason.

/// Why a row was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOutReason {
    /// The format needs the game's result.
    NoResult,
    /// The format needs a move.
    NoMove,
    /// The position is illegal.
    Illegal,
    /// The format represents only castling rights of standard chess.
    Castling,
    /// There is no new label for the position.
    Unlabelled,
}

impl LeftOutReason {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::NoResult, Self::NoMove, Self::Illegal, Self::Castling, Self::Unlabelled];

    /// The reason as text after "left out N rows".
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoResult => "without a result",
            Self::NoMove => "without a move",
            Self::Illegal => "with illegal positions",
            Self::Castling => "with castling rights of Chess960",
            Self::Unlabelled => "that are in check or not standard chess",
        }
    }
}

/// Number of rows left out for each reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut([u64; LeftOutReason::ALL.len()]);

impl LeftOut {
    /// Number of rows left out for this reason.
    pub const fn of(&self, reason: LeftOutReason) -> u64 {
        self.0[reason as usize]
    }

    /// Total number of rows left out.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts more rows.
    pub(crate) fn add(&mut self, reason: LeftOutReason, rows: u64) {
        self.0[reason as usize] += rows;
    }
}
