//! Rows that a format cannot hold, counted by reason.

/// Why a row is not in the file that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOutReason {
    /// The format needs the game's result.
    NoResult,
    /// The format needs a move.
    NoMove,
    /// The rules refuse the position.
    Illegal,
    /// The format knows castling only as standard chess has it.
    Castling,
}

impl LeftOutReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoResult, Self::NoMove, Self::Illegal, Self::Castling];

    /// In words, after "left out N rows".
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoResult => "without a result",
            Self::NoMove => "without a move",
            Self::Illegal => "that are no legal positions",
            Self::Castling => "with castling of Chess960",
        }
    }
}

/// How many rows were left out for each reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut([u64; LeftOutReason::ALL.len()]);

impl LeftOut {
    /// Rows left out for this reason.
    pub const fn of(&self, reason: LeftOutReason) -> u64 {
        self.0[reason as usize]
    }

    /// Rows left out in all.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts more rows.
    pub(in crate::data) fn add(&mut self, reason: LeftOutReason, rows: u64) {
        self.0[reason as usize] += rows;
    }
}
