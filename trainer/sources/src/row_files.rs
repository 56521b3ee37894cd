//! Writes packed files of rows, several at a time, each by one thread with its own random numbers.
//!
//! An existing file is complete: a restarted run continues with the missing ones.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use alfiere_chess::random::Random;
use alfiere_data::packed::shard_path;
use alfiere_data::{DataError, Row, write_packed};
use thiserror::Error;

use crate::pool::{Stop, Tasks, ThreadError, ordered};

/// Number of consecutive games without a row after which a run fails.
const MAX_EMPTY_GAMES: u32 = 100;

#[derive(Debug, Error)]
pub enum FillError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error(transparent)]
    NoRows(#[from] NoRows),
}

#[derive(Debug, Error)]
#[error("{MAX_EMPTY_GAMES} games in a row gave no row: the settings leave out every position; use weaker limits")]
pub struct NoRows;

/// Rows of games, until there are as many as wanted or more; `None` if `game` stops.
pub(crate) fn rows_of_games(
    wanted: usize,
    mut game: impl FnMut() -> Option<Vec<Row>>,
) -> Result<Option<Vec<Row>>, NoRows> {
    let (mut rows, mut empty_games) = (Vec::with_capacity(wanted), 0);
    while rows.len() < wanted {
        if empty_games == MAX_EMPTY_GAMES {
            return Err(NoRows);
        }
        let Some(mut new) = game() else { return Ok(None) };
        empty_games = if new.is_empty() { empty_games + 1 } else { 0 };
        rows.append(&mut new);
    }
    Ok(Some(rows))
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RowFiles<'a> {
    /// Their common name; the files are OUTPUT-0001.packed and so on.
    pub(crate) output: &'a Path,
    pub(crate) count: usize,
    pub(crate) rows: usize,
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows generated in this run.
    pub rows: u64,
    /// Games played in this run.
    pub games: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// Number of files that already existed.
    pub found: usize,
    /// Number of files written in this run.
    pub made: usize,
    /// Rows and games of this run, including those of unfinished files.
    pub progress: Progress,
}

impl RowFiles<'_> {
    /// The path of a file, by its number from 1.
    pub(crate) fn path(&self, number: usize) -> PathBuf {
        shard_path(self.output, number)
    }

    /// The numbers of the files that do not exist yet.
    pub(crate) fn missing(&self) -> Vec<usize> {
        (1..=self.count).filter(|&number| !self.path(number).exists()).collect()
    }

    /// Writes the missing files; the observer may stop the run. Each thread has a player, which returns the rows of a game by
    /// random numbers.
    pub(crate) fn fill<P: FnMut(&mut Random) -> Vec<Row>>(
        &self,
        threads: usize,
        new_player: impl Fn() -> P + Sync,
        observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Filled, FillError> {
        let missing = self.missing();
        let counts = Counts::default();
        let work = |tasks: &Tasks<'_, (), ()>| {
            let mut player = new_player();
            while let Some(index) = tasks.next() {
                let number = missing[index as usize];
                let Some(rows) = self.rows_of(&mut player, number, &counts, tasks.stop)? else { break };
                write_packed(&self.path(number), &rows)?;
                tasks.done(index, ());
            }
            Ok::<(), FillError>(())
        };
        let threads = threads.min(missing.len());
        ordered(threads, 0..missing.len() as u64, work, &mut |_| Ok(observer(counts.progress())))?;
        let (found, made) = (self.count - missing.len(), missing.len() - self.missing().len());
        Ok(Filled { found, made, progress: counts.progress() })
    }

    /// The rows of one file; `None` if the run is being stopped.
    fn rows_of(
        &self,
        player: &mut impl FnMut(&mut Random) -> Vec<Row>,
        number: usize,
        counts: &Counts,
        stop: &Stop,
    ) -> Result<Option<Vec<Row>>, NoRows> {
        let mut numbers = Random::for_part(self.seed, number as u64);
        let mut left = self.rows;
        rows_of_games(self.rows, || {
            if stop.is_set() {
                return None;
            }
            let mut rows = player(&mut numbers);
            rows.truncate(left);
            left -= rows.len();
            counts.rows.fetch_add(rows.len() as u64, Ordering::Relaxed);
            counts.games.fetch_add(1, Ordering::Relaxed);
            Some(rows)
        })
    }
}

/// Rows and games of all threads.
#[derive(Default)]
struct Counts {
    rows: AtomicU64,
    games: AtomicU64,
}

impl Counts {
    fn progress(&self) -> Progress {
        Progress { rows: self.rows.load(Ordering::Relaxed), games: self.games.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_rows_end_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = RowFiles { output: &folder.path().join("rows"), count: 3, rows: 10, seed: 1 };
        let none = || |_: &mut Random| Vec::new();
        let refused = files.fill(2, none, &mut |_| ControlFlow::Continue(())).expect_err("no rows").to_string();
        assert!(refused.starts_with("100 games in a row gave no row"), "{refused}");
    }
}
