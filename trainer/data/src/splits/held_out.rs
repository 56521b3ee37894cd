//! The rule by which rows are held out. It depends only on the content of rows, so it is the same in all files and
//! runs.
//!
//! A game is identified by its anchor ([`Game::anchor`](super::games::Game)), a row without a known game by its own
//! [`Row::symmetric_key`](crate::rows::row::Row::symmetric_key). The **rank** of either is XXH3 of this key, little-endian, with the split's
//! seed as the seed of the hash. Those with the lowest ranks are held out: for a share of 0.05 all ranks below 0.05 · 2⁶⁴. So
//! more rows do not change what is held out of the earlier ones, and a smaller share is a part of a larger one.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::unit::{HeldOutUnit, SplitError};

/// Version of keys, anchors and ranks together.
pub const HASH_VERSION: u32 = 1;

// ANCHOR: rank
pub(crate) fn rank(key: u64, seed: u64) -> u64 {
    xxh3_64_with_seed(&key.to_le_bytes(), seed)
}
// ANCHOR_END: rank

/// Inner rows are one of this many parts of the training side.
pub const INNER_PARTS: usize = 10;

/// How much is held out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldOut {
    /// A share of the games, between 0 and 1.
    Share(f64),
    /// A number of rows, rounded up to whole games.
    Rows(u64),
}

impl HeldOut {
    /// The share of the games that is held out unless stated.
    pub const DEFAULT_SHARE: f64 = 0.05;

    /// Checks that both sides of a set of `rows` rows can have some.
    ///
    /// # Errors
    /// If the amount is out of range.
    pub fn check(self, rows: u64) -> Result<(), SplitError> {
        match self {
            Self::Share(share) if share > 0.0 && share < 1.0 => Ok(()),
            Self::Share(share) => Err(SplitError::Share(share)),
            Self::Rows(wanted) if wanted > 0 && wanted < rows => Ok(()),
            Self::Rows(wanted) => Err(SplitError::Rows { wanted, rows }),
        }
    }
}

impl fmt::Display for HeldOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => write!(out, "{share}"),
            Self::Rows(rows) => write!(out, "{rows} rows"),
        }
    }
}

/// The rule by which rows are held out, as stored in network files and checkpoints.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeldOutRule {
    /// [`HASH_VERSION`].
    pub hash_version: u32,
    pub unit: HeldOutUnit,
    pub seed: u64,
    pub amount: HeldOut,
    /// The largest rank that is held out.
    pub last_rank: u64,
    /// True if inner rows, which select the epoch, are held out of the training side too: those with the next ranks, up to a
    /// tenth of the ranks above `last_rank`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inner: bool,
    /// True if neither this run nor the runs it continues from trained on a row that this rule holds out.
    pub throughout: bool,
}

impl HeldOutRule {
    /// The name of the field that holds the rule in a network's provenance.
    pub const FIELD: &str = "held_out";

    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub fn from_json(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    /// The largest rank of a row that is not trained on.
    pub(crate) const fn last_untrained_rank(&self) -> u64 {
        if self.inner { self.last_rank + (u64::MAX - self.last_rank) / INNER_PARTS as u64 } else { self.last_rank }
    }

    /// True if every validation row of `self` was one of `earlier`.
    pub fn is_part_of(&self, earlier: &Self) -> bool {
        (self.hash_version, self.unit, self.seed) == (earlier.hash_version, earlier.unit, earlier.seed)
            && self.last_rank <= earlier.last_rank
    }

    /// True if both hold out the same rows, or both are `None`.
    pub fn are_same(one: Option<&Self>, other: Option<&Self>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => one.is_part_of(other) && other.is_part_of(one) && one.inner == other.inner,
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl fmt::Display for HeldOutRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hash_version, unit, seed, amount, .. } = self;
        match amount {
            HeldOut::Share(share) => write!(out, "{share} of the {}", unit.name())?,
            HeldOut::Rows(rows) => write!(out, "{rows} rows in {}", unit.name())?,
        }
        if self.inner {
            write!(out, ", then 1/{INNER_PARTS} of the others as inner rows")?;
        }
        write!(out, ", seed {seed}, hash version {hash_version}")
    }
}

/// Computes the largest rank to hold out from the ranks of all games and positions, added in any order.
#[derive(Debug)]
pub(crate) struct Threshold {
    wanted: HeldOut,
    seed: u64,
    rows: u64,
    lowest: u64,
    highest: u64,
    unit: HeldOutUnit,
    /// Number of rows by rank: the smallest set of lowest ranks with at least the requested rows.
    held: BTreeMap<u64, u64>,
    held_rows: u64,
}

impl Threshold {
    pub(crate) fn new(wanted: HeldOut, seed: u64, unit: HeldOutUnit) -> Self {
        let (lowest, highest) = (u64::MAX, 0);
        Self { wanted, seed, rows: 0, lowest, highest, unit, held: BTreeMap::new(), held_rows: 0 }
    }

    /// Adds a game with the number of its rows after filters, at least one, or a row whose game is unknown.
    pub(crate) fn add(&mut self, rank: u64, rows: u64) {
        self.rows += rows;
        self.lowest = self.lowest.min(rank);
        self.highest = self.highest.max(rank);
        let HeldOut::Rows(wanted) = self.wanted else { return };
        if self.held_rows >= wanted && self.held.last_key_value().is_some_and(|(&last, _)| rank > last) {
            return;
        }
        *self.held.entry(rank).or_default() += rows;
        self.held_rows += rows;
        while let Some(last) = self.held.last_entry()
            && self.held_rows - last.get() >= wanted
        {
            self.held_rows -= last.remove();
        }
    }

    /// The rule. At least one game or position is held out and at least one is not.
    ///
    /// # Errors
    /// If the amount leaves training or validation without rows, or all rows have the same rank.
    pub(crate) fn rule(&self) -> Result<HeldOutRule, SplitError> {
        self.wanted.check(self.rows)?;
        let Self { unit, seed, wanted: amount, .. } = *self;
        if self.lowest >= self.highest {
            return Err(SplitError::too_few(unit, 1, 2));
        }
        let wanted = match self.wanted {
            // 2⁶⁴ is exact, and a share below 1 gives a product below it.
            HeldOut::Share(share) => (share * 2f64.powi(64)) as u64,
            HeldOut::Rows(_) => self.held.last_key_value().map_or(0, |(&last, _)| last),
        };
        let last_rank = wanted.clamp(self.lowest, self.highest - 1);
        let hash_version = HASH_VERSION;
        Ok(HeldOutRule { hash_version, unit, seed, amount, last_rank, inner: false, throughout: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(wanted: HeldOut, games: &[(u64, u64)]) -> Result<HeldOutRule, SplitError> {
        let mut threshold = Threshold::new(wanted, 7, HeldOutUnit::Games);
        for &(rank, rows) in games {
            threshold.add(rank, rows);
        }
        threshold.rule()
    }

    #[test]
    fn ranks_do_not_change() {
        // A change moves rows between the sides of every earlier network: it needs a new version.
        assert_eq!(rank(1_234_567, 7), 0xAB07_C13A_418F_89EE);
    }

    #[test]
    fn rows_are_counted_from_the_lowest_rank() {
        let games = [(50, 10), (10, 4), (30, 5), (20, 3), (10, 2)];
        for (wanted, last) in [(1, 10), (6, 10), (7, 20), (9, 20), (10, 30), (14, 30), (15, 49), (23, 49)] {
            let found = rule(HeldOut::Rows(wanted), &games).expect("enough games");
            assert_eq!((found.last_rank, found.unit, found.seed), (last, HeldOutUnit::Games, 7), "{wanted}");
        }
        assert_eq!(rule(HeldOut::Rows(24), &games), Err(SplitError::Rows { wanted: 24, rows: 24 }));
        let one = rule(HeldOut::Rows(1), &[(10, 4), (10, 4)]);
        assert_eq!(one, Err(SplitError::TooFew { what: "games", found: 1, sides: 2 }));
    }

    #[test]
    fn a_share_is_a_rank_and_leaves_something_on_both_sides() {
        let half = 1 << 63;
        let last = |share, games: &[(u64, u64)]| rule(HeldOut::Share(share), games).expect("enough games").last_rank;
        assert_eq!(last(0.5, &[(5, 1), (u64::MAX, 1)]), half);
        assert_eq!(last(0.5, &[(half + 5, 1), (u64::MAX, 1)]), half + 5);
        assert_eq!(last(0.5, &[(5, 1), (9, 1)]), 8);
        assert_eq!(rule(HeldOut::Share(1.0), &[(5, 1), (9, 1)]), Err(SplitError::Share(1.0)));
    }

    #[test]
    fn rules_are_compared_and_read_back() {
        let games = [(1 << 40, 10), (1 << 62, 10), (u64::MAX, 10)];
        let [small, large] = [0.1, 0.4].map(|share| rule(HeldOut::Share(share), &games).expect("enough games"));
        assert!(
            small.is_part_of(&large) && !large.is_part_of(&small) && HeldOutRule::are_same(Some(&small), Some(&small))
        );
        let other = HeldOutRule { seed: 8, ..small.clone() };
        assert!(!other.is_part_of(&large));
        assert_eq!(HeldOutRule::from_json(&small.to_json()), Some(small.clone()));
        assert_eq!(HeldOutRule::from_json(&"5 %".into()), None);
        assert_eq!(small.to_string(), "0.1 of the games, seed 7, hash version 1");
        let rows = rule(HeldOut::Rows(12), &games).expect("enough games");
        assert_eq!(rows.to_string(), "12 rows in games, seed 7, hash version 1");
    }

    #[test]
    fn inner_rows_are_part_of_the_rule() {
        let plain = rule(HeldOut::Share(0.5), &[(5, 1), (u64::MAX, 1)]).expect("enough games");
        let inner = HeldOutRule { inner: true, ..plain.clone() };
        assert!(inner.is_part_of(&plain) && plain.is_part_of(&inner), "the validation rows are the same");
        assert!(!HeldOutRule::are_same(Some(&inner), Some(&plain)), "the training rows are not");
        assert_eq!((plain.last_untrained_rank() >> 59, inner.last_untrained_rank() >> 56), (16, 140));
        // Files of runs without inner rows are as before.
        assert!(!plain.to_json().to_string().contains("inner"), "{}", plain.to_json());
        assert_eq!(
            [&plain, &inner].map(|rule| HeldOutRule::from_json(&rule.to_json())),
            [Some(plain), Some(inner.clone())]
        );
        assert_eq!(
            inner.to_string(),
            "0.5 of the games, then 1/10 of the others as inner rows, seed 7, hash version 1"
        );
    }
}
