//! What is held out or assigned to folds as a whole, and what that means for the R² measured so.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::games::Game;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldOutUnit {
    Games,
    /// Positions: no file is in game order.
    Positions,
    /// Games, and positions of the files that are not in game order.
    GamesAndPositions,
    /// Rows by their numbers, whatever their game or position; only folds are split so.
    Rows,
}

impl HeldOutUnit {
    pub const ALL: [Self; 4] = [Self::Games, Self::GamesAndPositions, Self::Positions, Self::Rows];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Positions => "positions",
            Self::GamesAndPositions => "games and positions",
            Self::Rows => "rows",
        }
    }

    /// The unit of games and of rows without one.
    pub fn of(games: &[Game]) -> Self {
        match [true, false].map(|is_known| games.iter().any(|game| game.anchor.is_some() == is_known)) {
            [true, true] => Self::GamesAndPositions,
            [false, true] => Self::Positions,
            [_, false] => Self::Games,
        }
    }

    /// What distinguishes held-out rows from those that are trained on, after a number.
    pub const fn held_out_rows(self) -> &'static str {
        match self {
            Self::Games => "rows of other games",
            Self::Positions => "rows with other positions, of games that may be the same",
            Self::GamesAndPositions => "rows of other games, or with other positions where games are unknown",
            Self::Rows => "other rows, of games that may be the same",
        }
    }

    /// Why R² on held-out rows is too high, and what to do, if it is because games are unknown.
    pub const fn warning(self) -> Option<&'static str> {
        match self {
            Self::Positions | Self::GamesAndPositions => Some(
                "R2 is too high: games are unknown in rows that are not in the order of their games, so positions of one game \
                 are in training and in validation (unless each game gave only one); use the file in its original order, before it \
                 was shuffled, or a column that names the game",
            ),
            Self::Games | Self::Rows => None,
        }
    }
}

/// What is split, and whether that keeps training and validation apart.
impl fmt::Display for HeldOutUnit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let consequence = match self {
            Self::Games => "no game and no position is in both training and validation",
            Self::Positions => "positions of one game are in both training and validation, which overestimates R2",
            Self::GamesAndPositions => {
                "where games are unknown, positions of one game are in both training and validation, which overestimates R2"
            }
            Self::Rows => "rows of one game are in both training and validation, which overestimates R2",
        };
        write!(out, "by {}: {consequence}", self.name())
    }
}

/// Maximum number of folds; the number above it marks rows in none.
pub(crate) const MAX_FOLDS: usize = u16::MAX as usize;

/// Why rows cannot be split.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SplitError {
    #[error("{0} folds; expected 2 to {MAX_FOLDS}")]
    Folds(usize),
    #[error("{found} {what} cannot be dealt to {sides} sides; expected at least one {} for each", .what.trim_end_matches('s'))]
    TooFew { what: &'static str, found: usize, sides: usize },
    #[error(
        "the games of {rows} rows are unknown, because the rows are not in the order of their games, so they cannot be split by \
         games; use the file in its original order or a column that names the game, or leave the split out to split by positions"
    )]
    UnknownGames { rows: usize },
    #[error("the training side has too few games for inner rows, which select the epoch; expected at least ten or so")]
    NoInnerRows,
    #[error("validation share {0}; expected more than 0 and less than 1")]
    Share(f64),
    #[error("{wanted} rows for validation; expected at least 1 and fewer than the {rows} there are")]
    Rows { wanted: u64, rows: u64 },
}

impl SplitError {
    /// Fewer units than sides. Of games and positions, games are named.
    pub(crate) const fn too_few(unit: HeldOutUnit, found: usize, sides: usize) -> Self {
        let what = match unit {
            HeldOutUnit::GamesAndPositions => HeldOutUnit::Games.name(),
            unit => unit.name(),
        };
        Self::TooFew { what, found, sides }
    }
}
