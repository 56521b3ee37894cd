//! Splits a set into training rows and rows held out for validation.
//!
//! Consecutive positions of a game are similar and have similar labels, so a split by rows measures memorisation. Games
//! are therefore held out as a whole, by [a rule of their content](super::held_out). A training row is dropped if its
//! position, or a twin of it, is held out; as given or with captures resolved, because both are trained on and measured.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use alfiere_chess::random::Random;
use rayon::prelude::*;

use super::games::Game;
use super::held_out::{HASH_VERSION, HeldOut, HeldOutRule, Threshold, rank};
use super::unit::{HeldOutUnit, SplitError};
use crate::captures::Captures;
use crate::dataset::Dataset;
use crate::rows::row::Row;
use crate::rows::samples::Samples;

/// Row indices of the training and the validation set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// Training rows, ascending.
    pub training: Vec<u32>,
    /// Held-out rows, ascending.
    pub validation: Vec<u32>,
    /// Rows dropped from training because their position, or a twin of it, is held out.
    pub dropped: usize,
}

/// Rows as given, and the same rows with captures resolved.
pub(crate) type BothForms<'a> = [Samples<'a>; 2];

impl Dataset {
    /// Holds out at least one game for validation; rows whose games are unknown are held out as single positions.
    ///
    /// # Errors
    /// If the amount leaves a side without rows, or there are fewer than two games (or positions).
    pub fn split(&self, held_out: HeldOut, seed: u64) -> Result<(Split, HeldOutRule), SplitError> {
        let mut threshold = Threshold::new(held_out, seed, HeldOutUnit::of(&self.games));
        for_each_unit(&self.rows, &self.games, seed, |rank, unit| {
            threshold.add(rank, u64::from(unit.end - unit.start));
        });
        let rule = threshold.rule()?;
        let held_out = ranked_up_to(&self.rows, &self.games, seed, rule.last_rank);
        Ok((separate(self.forms(), 0..self.rows.len() as u32, &held_out), rule))
    }

    /// Holds out inner rows of the training side of a [`Self::split`], which become the validation side of the result. No
    /// position of an inner row, and no twin of it, remains in training.
    ///
    /// # Errors
    /// If there are no inner rows.
    pub fn inner_split(&self, outer: &Split, rule: &HeldOutRule) -> Result<(Split, HeldOutRule), SplitError> {
        let rule = HeldOutRule { inner: true, ..rule.clone() };
        let is_inner = ranked_up_to(&self.rows, &self.games, rule.seed, rule.last_untrained_rank());
        let inner = separate(self.forms(), outer.training.iter().copied(), &is_inner);
        if inner.validation.is_empty() { Err(SplitError::NoInnerRows) } else { Ok((inner, rule)) }
    }

    fn forms(&self) -> BothForms<'_> {
        self.samples(Captures::Keep)
    }
}

/// Rows whose ranks are in memory at a time.
const RANKED_TOGETHER: u32 = 1 << 16;

/// Calls `take` with the rank and the rows of each game, or of each row whose game is unknown.
pub(crate) fn for_each_unit(rows: &[Row], games: &[Game], seed: u64, mut take: impl FnMut(u64, Range<u32>)) {
    for game in games {
        if let Some(anchor) = game.anchor {
            take(rank(anchor, seed), game.rows.clone());
            continue;
        }
        for start in game.rows.clone().step_by(RANKED_TOGETHER as usize) {
            let end = game.rows.end.min(start.saturating_add(RANKED_TOGETHER));
            let part = rows[start as usize..end as usize].par_iter();
            let ranks: Vec<u64> = part.map(|row| rank(row.symmetric_key(), seed)).collect();
            (start..end).zip(ranks).for_each(|(row, rank)| take(rank, row..row + 1));
        }
    }
}

/// The rows that were held out for validation by this rule of an earlier split, ascending; none if the rule cannot be applied
/// to them, because it has another hash version or is of games, which are unknown here.
pub fn held_out_rows(rows: &[Row], games: &[Game], rule: &HeldOutRule) -> Vec<u32> {
    let by_position = [Game { rows: 0..rows.len() as u32, anchor: None }];
    let games = if rule.unit == HeldOutUnit::Positions { &by_position } else { games };
    if rule.hash_version != HASH_VERSION || rule.unit != HeldOutUnit::of(games) {
        return Vec::new();
    }
    let is_held_out = ranked_up_to(rows, games, rule.seed, rule.last_rank);
    (0..rows.len() as u32).filter(|&row| is_held_out[row as usize]).collect()
}

/// For each row, whether the rank of its game, or its own where the game is unknown, is at most `last`.
fn ranked_up_to(rows: &[Row], games: &[Game], seed: u64, last: u64) -> Vec<bool> {
    let mut held_out = vec![false; rows.len()];
    let mut take = |rank, unit: Range<u32>| held_out[unit.start as usize..unit.end as usize].fill(rank <= last);
    for_each_unit(rows, games, seed, &mut take);
    held_out
}

/// For each of these rows, ascending, the rank of its game, or its own where the game is unknown: rows of one game are not
/// independent of each other.
pub fn unit_ranks(rows: &[Row], games: &[Game], picks: &[u32], seed: u64) -> Vec<u64> {
    let mut games = games.iter().peekable();
    let mut anchor = |&pick: &u32| {
        while games.next_if(|game| game.rows.end <= pick).is_some() {}
        games.peek().and_then(|game| game.anchor)
    };
    let keys = picks.iter().map(&mut anchor).zip(picks);
    keys.map(|(anchor, &pick)| rank(anchor.unwrap_or_else(|| rows[pick as usize].symmetric_key()), seed)).collect()
}

// ANCHOR: separate
/// Separates the held-out rows among `picks` from the others and drops training rows with a held-out position.
pub(crate) fn separate(forms: BothForms<'_>, picks: impl Iterator<Item = u32> + Clone, held_out: &[bool]) -> Split {
    let validation: Vec<u32> = picks.clone().filter(|&row| held_out[row as usize]).collect();
    let keys_of = |row: u32| forms.map(|rows| rows.row(row).symmetric_key());
    let keys: Vec<[u64; 2]> = validation.par_iter().map(|&row| keys_of(row)).collect();
    let keys: KeySet = keys.into_iter().flatten().collect();
    let is_shared = |&row: &u32| keys_of(row).iter().any(|key| keys.contains(key));
    let others = picks.clone().count() - validation.len();
    let mut training = Vec::with_capacity(others);
    training.extend(picks.filter(|&row| !held_out[row as usize]));
    let shared: Vec<bool> = training.par_iter().map(is_shared).collect();
    let mut shared = shared.into_iter();
    training.retain(|_| shared.next() == Some(false));
    let dropped = others - training.len();
    Split { training, validation, dropped }
}
// ANCHOR_END: separate

/// The bits, mixed (`SplitMix64`).
pub(crate) const fn scramble(value: u64) -> u64 {
    Random::new(value).next_number()
}

/// A set of position keys, which are used as their own hashes.
pub(crate) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// Returns the key as the hash.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

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
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::captures::{changed_rows, resolve_rows};
    use crate::shuffle;
    use crate::splits::games::anchored_games;
    use crate::{Dataset, sample};

    /// A set in memory.
    fn set(rows: &[Row]) -> Dataset {
        let mut set = Dataset::from_rows(rows.to_vec());
        set.changed.extend(&changed_rows(rows, 0)).expect("in memory");
        set
    }

    /// Whole games are held out, and no position or twin is on both sides.
    fn check(rows: &[Row], games: &[Game], split: &Split) {
        assert_eq!(split.training.len() + split.validation.len() + split.dropped, rows.len());
        assert!(!split.validation.is_empty() && split.training.is_sorted() && split.validation.is_sorted());
        let held: KeySet = split.validation.iter().map(|&index| rows[index as usize].symmetric_key()).collect();
        assert!(split.training.iter().all(|&index| !held.contains(&rows[index as usize].symmetric_key())));
        for game in games.iter().filter(|game| game.anchor.is_some()) {
            let inside = split.validation.iter().filter(|index| game.rows.contains(index)).count();
            assert!(inside == 0 || inside == game.rows.len());
        }
    }

    /// The held-out rows, without an order.
    fn held_out(rows: &[Row], wanted: HeldOut, seed: u64) -> HashSet<[u8; 32]> {
        let (split, _) = set(rows).split(wanted, seed).expect("enough games");
        split.validation.iter().map(|&row| rows[row as usize].to_bytes()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn splits_keep_games_whole_and_positions_apart(
            count in 200usize..2_000, share in 0.01f64..0.9, seed: u64, is_shuffled: bool,
        ) {
            let mut rows = sample::rows(count);
            if is_shuffled {
                shuffle(&mut rows, seed);
            }
            let games = anchored_games(&rows);
            let (one, rule) = set(&rows).split(HeldOut::Share(share), seed).expect("enough games");
            check(&rows, &games, &one);
            let (again, same) = set(&rows).split(HeldOut::Share(share), seed).expect("the same");
            prop_assert_eq!((one, rule), (again, same));
        }
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let rows = sample::rows(3_000);
        let mut games: Vec<&[Row]> =
            anchored_games(&rows).iter().map(|game| &rows[game.rows.start as usize..game.rows.end as usize]).collect();
        for wanted in [HeldOut::Share(0.2), HeldOut::Rows(300)] {
            let expected = held_out(&rows, wanted, 3);
            shuffle(&mut games, 5);
            assert_eq!(held_out(&games.concat(), wanted, 3), expected);
            assert_ne!(held_out(&rows, wanted, 4), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn inner_rows_are_games_of_the_training_side(
            count in 500usize..3_000, share in 0.05f64..0.5, seed: u64, is_shuffled: bool,
        ) {
            let mut rows = sample::rows(count);
            // Games that are there twice have positions to drop.
            rows.extend_from_within(..count / 3);
            if is_shuffled {
                shuffle(&mut rows, seed);
            }
            let games = anchored_games(&rows);
            let (outer, rule) = set(&rows).split(HeldOut::Share(share), seed).expect("enough games");
            let Ok((inner, inner_rule)) = set(&rows).inner_split(&outer, &rule) else {
                prop_assert!(!is_shuffled, "a tenth of hundreds of positions");
                return Ok(());
            };
            prop_assert_eq!(inner_rule, HeldOutRule { inner: true, ..rule });
            prop_assert_eq!(inner.training.len() + inner.validation.len() + inner.dropped, outer.training.len());
            prop_assert!(inner.validation.iter().all(|row| outer.training.binary_search(row).is_ok()));
            let key = |&row: &u32| rows[row as usize].symmetric_key();
            let held: KeySet = inner.validation.iter().chain(&outer.validation).map(key).collect();
            prop_assert!(inner.training.iter().all(|row| !held.contains(&key(row))));
            for game in games.iter().filter(|game| game.anchor.is_some()) {
                let of = |side: &[u32]| side.iter().filter(|row| game.rows.contains(row)).count();
                prop_assert!(of(&inner.training) == 0 || of(&inner.validation) == 0);
            }
            if is_shuffled {
                let share = inner.validation.len() as f64 / outer.training.len() as f64;
                prop_assert!((0.03..0.2).contains(&share), "{share}");
            }
        }
    }

    #[test]
    fn shuffled_rows_are_held_out_by_position_in_any_order() {
        let mut rows = sample::rows(3_000);
        shuffle(&mut rows, 1);
        let (_, rule) = set(&rows).split(HeldOut::Share(0.2), 3).expect("positions");
        assert_eq!(rule.unit.name(), "positions");
        let expected = held_out(&rows, HeldOut::Share(0.2), 3);
        assert!((500..700).contains(&expected.len()), "{}", expected.len());
        shuffle(&mut rows, 2);
        assert_eq!(held_out(&rows, HeldOut::Share(0.2), 3), expected);
        assert_eq!(held_out(&rows, HeldOut::Rows(expected.len() as u64), 3), expected);
    }

    #[test]
    fn the_rule_of_a_split_finds_its_held_out_rows_again() {
        let rows = sample::rows(3_000);
        let games = anchored_games(&rows);
        let (in_games, rule) = set(&rows).split(HeldOut::Share(0.2), 3).expect("enough games");
        assert_eq!(held_out_rows(&rows, &games, &rule), in_games.validation);
        assert!(held_out_rows(&rows, &games, &HeldOutRule { hash_version: 0, ..rule.clone() }).is_empty());
        let mut shuffled = rows.clone();
        shuffle(&mut shuffled, 1);
        let unknown = anchored_games(&shuffled);
        assert!(held_out_rows(&shuffled, &unknown, &rule).is_empty());
        // A rule of positions applies to rows in any order.
        let (_, rule) = set(&shuffled).split(HeldOut::Share(0.2), 3).expect("positions");
        let found = held_out_rows(&rows, &games, &rule).into_iter().map(|row| rows[row as usize].to_bytes());
        assert!(found.collect::<HashSet<_>>() == held_out(&shuffled, HeldOut::Share(0.2), 3));
    }

    #[test]
    fn more_rows_and_a_larger_share_keep_what_is_held_out() {
        let rows = sample::rows(4_000);
        let few = held_out(&rows[..2_000], HeldOut::Share(0.1), 3);
        let more = held_out(&rows, HeldOut::Share(0.1), 3);
        // The last game of the first half is cut in two.
        assert!(few.len() > 50 && few.difference(&more).count() <= 60);
        assert!(more.is_subset(&held_out(&rows, HeldOut::Share(0.3), 3)));
    }

    #[test]
    fn a_shared_position_leaves_the_training_side() {
        let rows = sample::rows(400);
        // Other games that start with some positions of the first ones.
        let mut all = rows.clone();
        all.extend_from_slice(&rows[..15]);
        all.extend(sample::rows(2_000).drain(1_000..));
        let games = anchored_games(&all);
        let mut dropped = 0;
        for seed in 0..40 {
            let (split, _) = set(&all).split(HeldOut::Share(0.1), seed).expect("enough games");
            check(&all, &games, &split);
            dropped += split.dropped;
        }
        assert!(dropped > 0);
    }

    #[test]
    fn positions_that_resolve_to_one_are_on_one_side() {
        let rows = sample::real(20_000);
        let set = set(&rows);
        let (outer, rule) = set.split(HeldOut::Share(0.2), 1).expect("enough games");
        let (inner, _) = set.inner_split(&outer, &rule).expect("enough games");
        let keys = |picks: &[u32]| -> KeySet {
            let of = |&row: &u32| set.forms().map(|rows| rows.row(row).symmetric_key());
            picks.iter().flat_map(of).collect()
        };
        assert!(keys(&outer.training).is_disjoint(&keys(&outer.validation)));
        assert!(keys(&inner.training).is_disjoint(&keys(&inner.validation)));
        assert_eq!(set.split(HeldOut::Share(0.2), 1), Ok((outer, rule)));
        // A rook takes a knight or a bishop.
        let rows = ["n", "b"].map(|piece| sample::row(&format!("4k3/8/8/3{piece}4/8/8/8/3RK3 w - - 3 10")));
        let resolved = resolve_rows(&rows);
        let expected = Split { training: Vec::new(), validation: vec![1], dropped: 1 };
        assert_eq!(separate([Samples::from(&rows), Samples::from(&resolved)], 0..2, &[false, true]), expected);
    }

    #[test]
    fn what_cannot_be_dealt_is_said() {
        let rows = sample::rows(10);
        let games = anchored_games(&rows);
        assert_eq!(games.len(), 1);
        let refused = |held_out| set(&rows).split(held_out, 0).expect_err("one game");
        assert_eq!(refused(HeldOut::Share(0.5)), SplitError::TooFew { what: "games", found: 1, sides: 2 });
        assert_eq!(refused(HeldOut::Share(1.0)), SplitError::Share(1.0));
        assert_eq!(refused(HeldOut::Rows(10)), SplitError::Rows { wanted: 10, rows: 10 });
    }
}
