//! Folds for cross-validation: each row is held out in one of them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::games::Game;
use super::split::{BothForms, Split, for_each_unit, scramble, separate};
use super::unit::{HeldOutUnit, MAX_FOLDS, SplitError};
use crate::rows::row::Row;

/// The unit that is assigned to folds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SplitBy {
    /// Whole games; no position is in both training and validation
    #[default]
    Games,
    /// Single rows, as in the report: positions of one game are in both training and validation, which overestimates R²
    Rows,
}

impl SplitBy {
    /// The unit that is really assigned to folds, for these games.
    pub fn unit(self, games: &[Game]) -> HeldOutUnit {
        match self {
            Self::Games => HeldOutUnit::of(games),
            Self::Rows => HeldOutUnit::Rows,
        }
    }
}

/// The fold of rows that are never held out.
const NO_FOLD: u16 = u16::MAX;

/// The folds of a cross-validation: the fold that holds out each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folds {
    fold_of: Vec<u16>,
    count: usize,
    by: SplitBy,
}

impl Folds {
    /// Checks that these rows and games can be divided into `count` folds.
    ///
    /// # Errors
    /// Those of [`Folds::new`].
    pub fn check(rows: usize, games: &[Game], by: SplitBy, count: usize) -> Result<(), SplitError> {
        if !(2..=MAX_FOLDS).contains(&count) {
            return Err(SplitError::Folds(count));
        }
        let found = match by {
            SplitBy::Games => Game::count_units(games),
            SplitBy::Rows => rows,
        };
        if found < count { Err(SplitError::too_few(by.unit(games), found, count)) } else { Ok(()) }
    }

    /// Divides games (or rows) into `count` folds of nearly equal size.
    ///
    /// # Errors
    /// If there are fewer than two folds or too many, or fewer games (or rows) than folds.
    pub fn new(rows: &[Row], games: &[Game], by: SplitBy, count: usize, seed: u64) -> Result<Self, SplitError> {
        Self::check(rows.len(), games, by, count)?;
        let mut units = match by {
            SplitBy::Games => {
                let mut units = Vec::with_capacity(Game::count_units(games));
                let mut take = |rank, Range { start, end }| units.push(Unit { rank, start, end });
                for_each_unit(rows, games, seed, &mut take);
                units
            }
            SplitBy::Rows => rows_by_number(rows, seed),
        };
        units.sort_unstable();
        let mut units: Vec<&[Unit]> = units.chunk_by(|one, next| one.rank == next.rank).collect();
        if units.len() < count {
            return Err(SplitError::too_few(by.unit(games), units.len(), count));
        }
        // Longest first, each to the smallest fold, so that sizes differ by less than one game. Games of equal length
        // are in the order of their ranks.
        let length = |unit: &[Unit]| unit.iter().map(Unit::len).sum::<usize>();
        units.sort_by_key(|unit| std::cmp::Reverse(length(unit)));
        let mut sizes = vec![0usize; count];
        let mut fold_of = vec![0; rows.len()];
        for unit in units {
            let fold = (0..count).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            sizes[fold] += length(unit);
            for part in unit {
                fold_of[part.start as usize..part.end as usize].fill(fold as u16);
            }
        }
        Ok(Self { fold_of, count, by })
    }

    pub const fn count(&self) -> usize {
        self.count
    }

    /// The same folds with `count` more rows at the end that are never held out.
    pub fn with_rows_of_no_fold(mut self, count: usize) -> Self {
        self.fold_of.resize(self.fold_of.len() + count, NO_FOLD);
        self
    }

    /// The split that holds out fold `index`, counted from 0. `forms` are the rows as given and with captures resolved.
    pub fn split(&self, forms: BothForms<'_>, index: usize) -> Split {
        let rows = 0..self.fold_of.len() as u32;
        let held_out: Vec<bool> = self.fold_of.iter().map(|&fold| usize::from(fold) == index).collect();
        match self.by {
            SplitBy::Games => separate(forms, rows, &held_out),
            SplitBy::Rows => {
                let side = |wanted| rows.clone().filter(|&row| held_out[row as usize] == wanted).collect();
                Split { training: side(false), validation: side(true), dropped: 0 }
            }
        }
    }
}

/// Rows that go to the same fold: a game, or several equal games, which have the same rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Unit {
    rank: u64,
    start: u32,
    end: u32,
}

impl Unit {
    const fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

fn rows_by_number(rows: &[Row], seed: u64) -> Vec<Unit> {
    let unit = |(number, row): (usize, &Row)| {
        let start = number as u32;
        Unit { rank: scramble(row.key() ^ scramble(u64::from(start) ^ scramble(seed))), start, end: start + 1 }
    };
    rows.iter().enumerate().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::splits::games::anchored_games;
    use crate::{Samples, sample, shuffle};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_row_is_held_out_once(count in 400usize..2_000, folds in 2usize..6, seed: u64, whole in any::<bool>()) {
            let rows = sample::rows(count);
            let games = anchored_games(&rows);
            let by = if whole { SplitBy::Games } else { SplitBy::Rows };
            let dealt = Folds::new(&rows, &games, by, folds, seed).expect("enough games");
            let mut seen = vec![0; rows.len()];
            let mut sizes = Vec::new();
            for index in 0..folds {
                let split = dealt.split([Samples::from(&rows); 2], index);
                prop_assert_eq!(split.training.len() + split.validation.len() + split.dropped, rows.len());
                sizes.push(split.validation.len());
                split.validation.iter().for_each(|&row| seen[row as usize] += 1);
            }
            prop_assert!(seen.iter().all(|&times| times == 1));
            let longest = games.iter().map(|game| game.rows.len()).max().unwrap_or(0);
            prop_assert!(sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0) <= longest);
        }
    }

    #[test]
    fn folds_depend_on_the_content_of_games_and_not_on_their_order() {
        let rows = sample::rows(2_000);
        let mut games: Vec<&[Row]> =
            anchored_games(&rows).iter().map(|game| &rows[game.rows.start as usize..game.rows.end as usize]).collect();
        let fold_of = |rows: &[Row], seed| {
            let folds = Folds::new(rows, &anchored_games(rows), SplitBy::Games, 4, seed).expect("enough games");
            rows.iter().map(Row::to_bytes).zip(folds.fold_of).collect::<HashMap<_, _>>()
        };
        let expected = fold_of(&rows, 1);
        shuffle(&mut games, 3);
        assert_eq!(fold_of(&games.concat(), 1), expected);
        assert_ne!(fold_of(&rows, 2), expected);
    }

    #[test]
    fn copies_of_a_game_are_in_one_fold() {
        let mut rows = sample::rows(1_000);
        rows.extend_from_within(..);
        let folds = Folds::new(&rows, &anchored_games(&rows), SplitBy::Games, 5, 1).expect("enough games");
        assert_eq!(folds.fold_of[..1_000], folds.fold_of[1_000..]);
    }

    #[test]
    fn what_cannot_be_dealt_is_said() {
        let rows = sample::rows(10);
        let games = anchored_games(&rows);
        assert_eq!(Folds::new(&rows, &games, SplitBy::Games, 1, 0), Err(SplitError::Folds(1)));
        let few = SplitError::TooFew { what: "games", found: 1, sides: 3 };
        assert_eq!(Folds::new(&rows, &games, SplitBy::Games, 3, 0), Err(few));
        assert!(Folds::new(&rows, &games, SplitBy::Rows, 3, 0).is_ok());
    }
}
