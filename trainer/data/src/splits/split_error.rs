//! Why rows cannot be split.

/// Maximum number of folds; the number above it marks rows in none.
pub(crate) const MAX_FOLDS: usize = u16::MAX as usize;

/// Why rows cannot be split.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SplitError {
    /// The number of folds is out of range.
    #[error("{0} folds; expected 2 to {MAX_FOLDS}")]
    Folds(usize),
    /// There are fewer units than sides.
    #[error("{found} {what} cannot be dealt to {sides} sides; expected at least one {} for each", .what.trim_end_matches('s'))]
    TooFew {
        /// Games, positions or rows.
        what: &'static str,
        /// Number of units.
        found: usize,
        /// Number of sides or folds.
        sides: usize,
    },
    /// Games were asked for but are unknown.
    #[error(
        "the games of {rows} rows are unknown, because the rows are not in the order of their games, so they cannot be split by \
         games; use the file in its original order, or leave the split out to split by positions"
    )]
    UnknownGames {
        /// Number of rows without a known game.
        rows: usize,
    },
    /// The training side is too small for inner rows.
    #[error("the training side has too few games for inner rows, which select the epoch; expected at least ten or so")]
    NoInnerRows,
    /// The share leaves a side empty.
    #[error("validation share {0}; expected more than 0 and less than 1")]
    Share(f64),
    /// The number of rows leaves a side empty.
    #[error("{wanted} rows for validation; expected at least 1 and fewer than the {rows} there are")]
    Rows {
        /// Number of rows requested.
        wanted: u64,
        /// How many there are.
        rows: u64,
    },
}
