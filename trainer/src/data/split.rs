//! Who trains and who is held out: validation splits and k folds that keep games whole and positions apart.
//!
//! Rows of one game are neighbours, nearly alike and nearly equally labelled: a shuffle of rows puts such twins on both
//! sides and measures memory. So games are dealt whole, by a seeded hash, and a training row whose position is also held
//! out is dropped. [`SplitBy::Rows`] is the shuffle of rows that the report used, for comparison only; it drops nothing.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::row::Row;

/// What is dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitBy {
    /// Whole games; equal positions never stand on both sides.
    #[default]
    Games,
    /// Single rows: neighbours of one game, and equal positions, stand on both sides. Its R² flatters.
    Rows,
}

impl SplitBy {
    /// What is dealt, in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Rows => "rows",
        }
    }
}

impl std::fmt::Display for SplitBy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Games => "by games: no game and no position stands on both sides",
            Self::Rows => "by rows: rows of one game stand on both sides, which flatters R2",
        })
    }
}

/// Row numbers of the two sides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// To learn from, ascending.
    pub training: Vec<u32>,
    /// Held out, ascending.
    pub validation: Vec<u32>,
    /// Rows dropped from training because their position is held out.
    pub dropped: usize,
}

/// Why there is no such split.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SplitError {
    /// Cross-validation needs two folds at least, and has a limit.
    #[error("{0} folds; expected 2 to {most}", most = MOST_FOLDS)]
    Folds(usize),
    /// Not enough to deal.
    #[error("{found} {what} cannot be dealt to {sides} sides; expected at least one {} for each", .what.trim_end_matches('s'))]
    TooFew {
        /// Games or rows.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// Sides or folds.
        sides: usize,
    },
    /// A share that leaves a side empty.
    #[error("validation share {0}; expected more than 0 and less than 1")]
    Share(f64),
    /// A number of rows that leaves a side empty.
    #[error("{wanted} rows for validation; expected at least 1 and fewer than the {rows} there are")]
    Rows {
        /// How many were asked for.
        wanted: u64,
        /// How many there are.
        rows: u64,
    },
}

/// How much is held out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HeldOut {
    /// A share of the rows, between 0 and 1.
    Share(f64),
    /// This many rows.
    Rows(u64),
}

impl HeldOut {
    /// How many of so many rows.
    pub(super) fn of(self, rows: u64) -> Result<f64, SplitError> {
        match self {
            Self::Share(share) if share > 0.0 && share < 1.0 => Ok(rows as f64 * share),
            Self::Share(share) => Err(SplitError::Share(share)),
            Self::Rows(wanted) if wanted > 0 && wanted < rows => Ok(wanted as f64),
            Self::Rows(wanted) => Err(SplitError::Rows { wanted, rows }),
        }
    }
}

impl std::fmt::Display for HeldOut {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Share(share) => write!(out, "{share}"),
            Self::Rows(rows) => write!(out, "{rows} rows"),
        }
    }
}

/// Splits off a validation side of about as many rows as wanted, at least one game.
///
/// # Errors
/// The share is not between 0 and 1, or there are fewer than two games (or rows).
pub fn split(
    rows: &[Row],
    games: &[Range<u32>],
    by: SplitBy,
    held_out: HeldOut,
    seed: u64,
) -> Result<Split, SplitError> {
    let wanted = held_out.of(rows.len() as u64)?;
    check_enough(rows.len(), games.len(), by, 2)?;
    let units = deal(rows, games, by, seed);
    let mut is_held_out = vec![false; rows.len()];
    for unit in &units[..first_units(units.iter().map(ExactSizeIterator::len), wanted)] {
        is_held_out[unit.start as usize..unit.end as usize].fill(true);
    }
    Ok(separate(rows, &is_held_out, by))
}

/// How many units of these lengths, from the first, hold as many rows as wanted: at least one, but not all.
pub(super) fn first_units(lengths: impl ExactSizeIterator<Item = usize>, wanted: f64) -> usize {
    let most = lengths.len().saturating_sub(1);
    let mut count = 0.0;
    for (index, length) in lengths.enumerate() {
        if index > 0 && (count >= wanted || index == most) {
            return index;
        }
        count += length as f64;
    }
    most
}

/// The fold of rows that are never held out.
const UNDEALT: u16 = u16::MAX;
/// The most folds.
const MOST_FOLDS: usize = UNDEALT as usize;

/// The folds of a cross-validation: which fold holds out each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folds {
    fold_of: Vec<u16>,
    count: usize,
    by: SplitBy,
}

impl Folds {
    /// Whether so many rows and games can be dealt to `count` folds.
    ///
    /// # Errors
    /// Those of [`Folds::new`].
    pub fn check(rows: usize, games: usize, by: SplitBy, count: usize) -> Result<(), SplitError> {
        if !(2..=MOST_FOLDS).contains(&count) {
            return Err(SplitError::Folds(count));
        }
        check_enough(rows, games, by, count)
    }

    /// Deals games (or rows) to `count` folds of nearly equal size.
    ///
    /// # Errors
    /// Fewer than two folds or too many, or fewer games (or rows) than folds.
    pub fn new(rows: &[Row], games: &[Range<u32>], by: SplitBy, count: usize, seed: u64) -> Result<Self, SplitError> {
        Self::check(rows.len(), games.len(), by, count)?;
        let mut units = deal(rows, games, by, seed);
        // Longest first, each to the smallest fold: sizes differ by less than one game. Equal lengths keep the dealt order.
        units.sort_by_key(|unit| std::cmp::Reverse(unit.len()));
        let mut sizes = vec![0usize; count];
        let mut fold_of = vec![0; rows.len()];
        for unit in units {
            let fold = (0..count).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            sizes[fold] += unit.len();
            fold_of[unit.start as usize..unit.end as usize].fill(fold as u16);
        }
        Ok(Self { fold_of, count, by })
    }

    /// How many folds there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The same folds with `count` more rows at the end that no fold ever holds out.
    pub fn with_undealt(mut self, count: usize) -> Self {
        self.fold_of.resize(self.fold_of.len() + count, UNDEALT);
        self
    }

    /// The split that holds out fold `index`, counted from 0.
    pub fn split(&self, rows: &[Row], index: usize) -> Split {
        let held_out: Vec<bool> = self.fold_of.iter().map(|&fold| usize::from(fold) == index).collect();
        separate(rows, &held_out, self.by)
    }
}

/// Refuses more sides than there are games (or rows).
fn check_enough(rows: usize, games: usize, by: SplitBy, sides: usize) -> Result<(), SplitError> {
    let found = match by {
        SplitBy::Games => games,
        SplitBy::Rows => rows,
    };
    if found < sides { Err(SplitError::TooFew { what: by.name(), found, sides }) } else { Ok(()) }
}

/// The games (or single rows) in an order that only the seed and their content tell.
fn deal(rows: &[Row], games: &[Range<u32>], by: SplitBy, seed: u64) -> Vec<Range<u32>> {
    let units: Vec<Range<u32>> = match by {
        SplitBy::Games => games.to_vec(),
        SplitBy::Rows => (0..rows.len() as u32).map(|index| index..index + 1).collect(),
    };
    let mut keyed: Vec<(u64, Range<u32>)> = units
        .into_iter()
        .map(|unit| {
            let last = &rows[unit.end as usize - 1];
            (place_in_deal(last, unit.start, seed), unit)
        })
        .collect();
    keyed.sort_unstable_by_key(|(key, unit)| (*key, unit.start));
    keyed.into_iter().map(|(_, unit)| unit).collect()
}

/// Where a unit stands among those dealt: only the seed, its last row and the number of its first row tell.
pub(super) fn place_in_deal(last: &Row, start: u32, seed: u64) -> u64 {
    scramble(last.key() ^ scramble(u64::from(start) ^ scramble(seed)))
}

fn separate(rows: &[Row], held_out: &[bool], by: SplitBy) -> Split {
    let mut split = Split::default();
    let mut keys = KeySet::default();
    for (index, _) in held_out.iter().enumerate().filter(|&(_, &held)| held) {
        split.validation.push(index as u32);
        if by == SplitBy::Games {
            keys.insert(rows[index].key());
        }
    }
    for (index, _) in held_out.iter().enumerate().filter(|&(_, &held)| !held) {
        if by == SplitBy::Games && keys.contains(&rows[index].key()) {
            split.dropped += 1;
        } else {
            split.training.push(index as u32);
        }
    }
    split
}

/// The finaliser of `SplitMix64`.
fn scramble(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

/// A set of position keys, which are hashes already.
pub(super) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// Takes a key for its own hash.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = scramble(self.0 ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::games::find_games;
    use crate::data::sample;

    fn check(rows: &[Row], games: &[Range<u32>], split: &Split, by: SplitBy) {
        let total = split.training.len() + split.validation.len() + split.dropped;
        assert_eq!(total, rows.len());
        assert!(!split.validation.is_empty());
        assert!(split.training.iter().all(|index| split.validation.binary_search(index).is_err()));
        if by == SplitBy::Games {
            let held: KeySet = split.validation.iter().map(|&index| rows[index as usize].key()).collect();
            assert!(split.training.iter().all(|&index| !held.contains(&rows[index as usize].key())));
            for game in games {
                let inside = split.validation.iter().filter(|index| game.contains(index)).count();
                assert!(inside == 0 || inside == game.len());
            }
        } else {
            assert_eq!(split.dropped, 0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn splits_keep_games_whole_and_positions_apart(
            count in 200usize..2_000, share in 0.01f64..0.9, seed: u64, whole in any::<bool>(),
        ) {
            let rows = sample::rows(count);
            let games = find_games(&rows);
            let by = if whole { SplitBy::Games } else { SplitBy::Rows };
            let one = split(&rows, &games, by, HeldOut::Share(share), seed).expect("enough games");
            check(&rows, &games, &one, by);
            prop_assert_eq!(one, split(&rows, &games, by, HeldOut::Share(share), seed).expect("the same"));
        }

        #[test]
        fn every_row_is_held_out_once(count in 400usize..2_000, folds in 2usize..6, seed: u64, whole in any::<bool>()) {
            let rows = sample::rows(count);
            let games = find_games(&rows);
            let by = if whole { SplitBy::Games } else { SplitBy::Rows };
            let dealt = Folds::new(&rows, &games, by, folds, seed).expect("enough games");
            let mut seen = vec![0; rows.len()];
            let mut sizes = Vec::new();
            for index in 0..folds {
                let split = dealt.split(&rows, index);
                check(&rows, &games, &split, by);
                sizes.push(split.validation.len());
                split.validation.iter().for_each(|&row| seen[row as usize] += 1);
            }
            prop_assert!(seen.iter().all(|&times| times == 1));
            let longest = games.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
            prop_assert!(sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0) <= longest);
        }
    }

    #[test]
    fn a_shared_position_leaves_the_training_side() {
        let mut rows = sample::rows(400);
        // The same game twice: whichever copy is held out takes the other's rows with it.
        rows.extend_from_within(..);
        let games = find_games(&rows);
        let split = split(&rows, &games, SplitBy::Games, HeldOut::Share(0.1), 1).expect("enough games");
        check(&rows, &games, &split, SplitBy::Games);
        assert!(split.dropped > 0);
    }

    #[test]
    fn what_cannot_be_dealt_is_said() {
        let rows = sample::rows(10);
        let games = find_games(&rows);
        assert_eq!(games.len(), 1);
        assert_eq!(Folds::new(&rows, &games, SplitBy::Games, 1, 0), Err(SplitError::Folds(1)));
        let few = SplitError::TooFew { what: "games", found: 1, sides: 3 };
        assert_eq!(Folds::new(&rows, &games, SplitBy::Games, 3, 0), Err(few));
        assert_eq!(split(&rows, &games, SplitBy::Rows, HeldOut::Share(1.0), 0), Err(SplitError::Share(1.0)));
    }

    #[test]
    fn another_seed_deals_otherwise() {
        let rows = sample::rows(2_000);
        let games = find_games(&rows);
        let deal = |seed| split(&rows, &games, SplitBy::Games, HeldOut::Share(0.2), seed).expect("enough").validation;
        assert_ne!(deal(1), deal(2));
    }
}
