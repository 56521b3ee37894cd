//! Filters for training rows, with the number of rows removed for each reason.

use std::path::Path;

use crate::error::DataError;
use crate::rows::label::Label;
use crate::rows::row::{BestMove, Row};

/// Rows to remove; the default removes none.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Exclude positions in check
    #[cfg_attr(feature = "clap", arg(long = "skip-checks"))]
    pub in_check: bool,
    /// Exclude positions whose best move is a capture or promotion (a CSV needs a Move column)
    #[cfg_attr(feature = "clap", arg(long = "skip-captures"))]
    pub noisy_best_move: bool,
    /// Exclude mate labels
    #[cfg_attr(feature = "clap", arg(long = "skip-mates"))]
    pub mates: bool,
    /// Exclude mates, and labels beyond this many centipawns
    #[cfg_attr(feature = "clap", arg(long = "max-cp", value_name = "CP"))]
    pub max_centipawns: Option<u32>,
    /// Exclude positions before this ply of the game
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLY"))]
    pub min_ply: Option<u32>,
    /// Exclude positions after this ply of the game
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLY"))]
    pub max_ply: Option<u32>,
    /// Exclude positions with fewer pieces, including kings
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub min_pieces: Option<u32>,
    /// Exclude positions with more pieces, including kings
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_pieces: Option<u32>,
}

/// Why a row is removed; a row counts for the first reason that applies, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterReason {
    InCheck,
    /// The best move captures or promotes.
    NoisyBestMove,
    Mate,
    /// The label is too large.
    Centipawns,
    /// Too early or too late in the game.
    Ply,
    /// Too few or too many pieces.
    Pieces,
}

impl FilterReason {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::InCheck, Self::NoisyBestMove, Self::Mate, Self::Centipawns, Self::Ply, Self::Pieces];

    pub const fn text(self) -> &'static str {
        match self {
            Self::InCheck => "in check",
            Self::NoisyBestMove => "best move captures or promotes",
            Self::Mate => "mate label",
            Self::Centipawns => "label too large",
            Self::Ply => "ply out of range",
            Self::Pieces => "piece count out of range",
        }
    }
}

/// Number of rows removed for each reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FilterCounts([u64; FilterReason::ALL.len()]);

impl FilterCounts {
    /// Number of rows removed for this reason.
    pub const fn of(&self, reason: FilterReason) -> u64 {
        self.0[reason as usize]
    }

    /// Number of rows removed.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, reason: FilterReason) {
        self.0[reason as usize] += 1;
    }

    pub(super) fn add_all(&mut self, more: &Self) {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
    }
}

impl Filter {
    /// Rejects a file of this number of rows, `known` of which have a best move, if none has and the filter depends on them.
    ///
    /// # Errors
    /// [`DataError::NoBestMoves`].
    pub(super) fn check_best_moves(&self, path: &Path, rows: u64, known: u64) -> Result<(), DataError> {
        if self.noisy_best_move && rows > 0 && known == 0 {
            return Err(DataError::NoBestMoves { path: path.to_path_buf() });
        }
        Ok(())
    }

    /// The first reason to remove the row, if any.
    pub fn reason(&self, row: &Row) -> Option<FilterReason> {
        let outside = |value: u32, min: Option<u32>, max: Option<u32>| {
            min.is_some_and(|min| value < min) || max.is_some_and(|max| value > max)
        };
        let label = row.label();
        let too_large = match label {
            Label::Centipawns(value) => {
                self.max_centipawns.is_some_and(|limit| u32::from(value.unsigned_abs()) > limit)
            }
            Label::Mate { .. } => self.max_centipawns.is_some(),
        };
        FilterReason::ALL.into_iter().find(|reason| match reason {
            FilterReason::InCheck => self.in_check && row.in_check(),
            FilterReason::NoisyBestMove => self.noisy_best_move && row.best_move() == BestMove::Noisy,
            FilterReason::Mate => self.mates && label.is_mate(),
            FilterReason::Centipawns => too_large,
            FilterReason::Ply => outside(row.ply(), self.min_ply, self.max_ply),
            FilterReason::Pieces => outside(row.piece_count(), self.min_pieces, self.max_pieces),
        })
    }
}

/// Why a row was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOutReason {
    /// The format needs the game's result.
    NoResult,
    /// The format needs a move.
    NoMove,
    Illegal,
    /// The format represents only castling rights of standard chess.
    Castling,
    /// There is no new label for the position.
    Unlabelled,
}

impl LeftOutReason {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut([u64; LeftOutReason::ALL.len()]);

impl LeftOut {
    pub const fn of(&self, reason: LeftOutReason) -> u64 {
        self.0[reason as usize]
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts more rows.
    pub(crate) fn add(&mut self, reason: LeftOutReason, rows: u64) {
        self.0[reason as usize] += rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn row(fen: &str, label: Label) -> Row {
        sample::row(fen).with_label(label)
    }

    #[test]
    fn each_reason_leaves_out_its_rows() {
        let quiet = row("k7/8/8/8/8/8/8/K6R w - - 0 30", Label::Centipawns(510));
        let check = row("k6R/8/8/8/8/8/8/K7 b - - 0 30", Label::Centipawns(510));
        let mate = quiet.with_label(Label::parse(b"#5", quiet.side_to_move()).expect("a mate"));
        let none = Filter::default();
        assert!([quiet, check, mate].iter().all(|row| none.reason(row).is_none()));
        let is = |filter: Filter, row: &Row| filter.reason(row);
        assert_eq!(is(Filter { in_check: true, ..none.clone() }, &check), Some(FilterReason::InCheck));
        assert_eq!(is(Filter { in_check: true, ..none.clone() }, &quiet), None);
        assert_eq!(is(Filter { mates: true, ..none.clone() }, &mate), Some(FilterReason::Mate));
        let limit = Filter { max_centipawns: Some(500), ..none.clone() };
        assert_eq!(is(limit.clone(), &quiet), Some(FilterReason::Centipawns));
        assert_eq!(is(limit, &mate), Some(FilterReason::Centipawns));
        assert_eq!(is(Filter { min_ply: Some(59), ..none.clone() }, &quiet), Some(FilterReason::Ply));
        assert_eq!(is(Filter { max_ply: Some(58), ..none.clone() }, &quiet), None);
        assert_eq!(is(Filter { min_pieces: Some(4), ..none }, &quiet), Some(FilterReason::Pieces));
    }
}
