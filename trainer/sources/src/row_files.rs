//! Writes packed files of rows, several at a time, each by one thread with its own random numbers.
//!
//! An existing file is complete: a restarted run continues with the missing ones.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use alfiere_chess::random::Random;
use alfiere_data::packed::shard_path;
use alfiere_data::{DataError, Row, write_packed};
use alfiere_search::platform::STACK_BYTES;
use thiserror::Error;

/// Number of consecutive games without a row after which a run fails.
const MAX_EMPTY_GAMES: u32 = 100;
/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Debug, Error)]
pub enum FillError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("{MAX_EMPTY_GAMES} games in a row gave no row: the settings leave out every position; use weaker limits")]
    NoRows,
}

#[derive(Clone, Copy, Debug)]
pub struct RowFiles<'a> {
    /// Their common name; the files are OUTPUT-0001.packed and so on.
    pub output: &'a Path,
    pub count: usize,
    pub rows: usize,
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows generated in this run.
    pub rows: u64,
    /// Games played in this run.
    pub games: u64,
}

/// The result of a run.
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
    pub fn path(&self, number: usize) -> PathBuf {
        shard_path(self.output, number)
    }

    /// The numbers of the files that do not exist yet.
    pub fn missing(&self) -> Vec<usize> {
        (1..=self.count).filter(|&number| !self.path(number).exists()).collect()
    }

    /// Writes the missing files; the observer may stop the run. Each thread has a player, which returns the rows of a game by
    /// random numbers.
    ///
    /// # Errors
    /// If a file cannot be written, a thread cannot be started or the games give no rows; finished files are kept.
    pub fn fill<P: FnMut(&mut Random) -> Vec<Row>>(
        &self,
        threads: usize,
        new_player: impl Fn() -> P + Sync,
        observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Filled, FillError> {
        let missing = self.missing();
        let work = Work::new(self, &missing);
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for _ in 0..threads.clamp(1, missing.len().max(1)) {
                let (work, new_player) = (&work, &new_player);
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                handles.push(thread.spawn_scoped(scope, move || work.run(new_player())).map_err(FillError::Thread)?);
            }
            while handles.iter().any(|handle| !handle.is_finished()) {
                if observer(work.progress()).is_break() {
                    work.stopped.store(true, Ordering::Relaxed);
                }
                thread::sleep(REPORT_INTERVAL);
            }
            Ok::<(), FillError>(())
        })?;
        let progress = work.progress();
        let made = work.made.load(Ordering::Relaxed);
        match work.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(Filled { found: self.count - missing.len(), made, progress }),
        }
    }
}

/// State shared by the threads.
struct Work<'a> {
    files: &'a RowFiles<'a>,
    missing: &'a [usize],
    next: AtomicUsize,
    rows: AtomicU64,
    games: AtomicU64,
    made: AtomicUsize,
    failure: Mutex<Option<FillError>>,
    stopped: AtomicBool,
}

impl<'a> Work<'a> {
    fn new(files: &'a RowFiles<'a>, missing: &'a [usize]) -> Self {
        Self {
            files,
            missing,
            next: AtomicUsize::new(0),
            rows: AtomicU64::new(0),
            games: AtomicU64::new(0),
            made: AtomicUsize::new(0),
            failure: Mutex::new(None),
            stopped: AtomicBool::new(false),
        }
    }

    fn run(&self, mut player: impl FnMut(&mut Random) -> Vec<Row>) {
        while let Some(&number) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let Some(rows) = self.rows_of(&mut player, number) else { return };
            match write_packed(&self.files.path(number), &rows) {
                Ok(()) => _ = self.made.fetch_add(1, Ordering::Relaxed),
                Err(error) => self.fail(error.into()),
            }
        }
    }

    /// Stops the run, which ends with the first error.
    fn fail(&self, error: FillError) {
        self.stopped.store(true, Ordering::Relaxed);
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The rows of one file; `None` if the run is being stopped.
    fn rows_of(&self, player: &mut impl FnMut(&mut Random) -> Vec<Row>, number: usize) -> Option<Vec<Row>> {
        let wanted = self.files.rows;
        let mut rows: Vec<Row> = Vec::with_capacity(wanted);
        let mut numbers = Random::for_part(self.files.seed, number as u64);
        let mut empty_games = 0;
        while rows.len() < wanted {
            if empty_games == MAX_EMPTY_GAMES {
                self.fail(FillError::NoRows);
            }
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            let game = player(&mut numbers);
            empty_games = if game.is_empty() { empty_games + 1 } else { 0 };
            let taken = game.len().min(wanted - rows.len());
            rows.extend_from_slice(&game[..taken]);
            self.rows.fetch_add(taken as u64, Ordering::Relaxed);
            self.games.fetch_add(1, Ordering::Relaxed);
        }
        Some(rows)
    }

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
