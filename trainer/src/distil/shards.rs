//! Writes packed files of distilled rows, several at a time, each by one thread with its own seed.
//!
//! An existing file is complete: a restarted run continues with the missing ones.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use alfiere_chess::random::Random;
use alfiere_search::eval::NetworkChoice;
use alfiere_search::platform::STACK_BYTES;
use thiserror::Error;

use super::game::{Players, Starts};
use super::settings::DistilSettings;
use crate::data::packed::{existing_shards, shard_path};
use crate::data::{DataError, Row, atomic, write_packed};
use crate::teacher::Teacher;

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// Why a distillation failed.
#[derive(Debug, Error)]
pub enum DistilError {
    /// A file cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Existing files have different settings.
    #[error(
        "{}: existing files of this name have different settings; expected {}, found {found}",
        path.display(),
        serde_json::to_string(expected).unwrap_or_default()
    )]
    OtherSettings {
        /// Path of the settings of the existing files.
        path: PathBuf,
        /// The settings of this run.
        expected: Box<DistilSettings>,
        /// The settings of the existing files.
        found: String,
    },
    /// A file of this name was not made by `distil`, or its settings are gone.
    #[error("{}: a file of this name exists without {}; choose another name", shard.display(), settings.display())]
    Foreign {
        /// Path of the first such file.
        shard: PathBuf,
        /// Path of the missing settings.
        settings: PathBuf,
    },
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows generated in this run.
    pub rows: u64,
    /// Games played in this run.
    pub games: u64,
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distillation {
    /// Number of files that already existed.
    pub found: usize,
    /// Number of files written in this run.
    pub made: usize,
    /// Rows and games of this run, including those of unfinished files.
    pub progress: Progress,
}

/// Writes those of the files 1 to `shards` that do not exist yet; the observer may stop the run.
///
/// # Errors
/// If a file cannot be written or a thread cannot be started; finished files are kept. If existing files have different
/// settings.
pub fn distil(
    output: &Path,
    shards: usize,
    threads: usize,
    settings: &DistilSettings,
    (teacher, network, starts): (&Teacher, &NetworkChoice, Starts<'_>),
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Distillation, DistilError> {
    check_settings(output, settings)?;
    let missing = missing_shards(output, shards);
    let work = Work {
        output,
        settings,
        teacher,
        starts,
        missing: &missing,
        next: AtomicUsize::new(0),
        rows: AtomicU64::new(0),
        games: AtomicU64::new(0),
        made: AtomicUsize::new(0),
        failure: Mutex::new(None),
        stopped: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let mut handles = Vec::new();
        for _ in 0..threads.clamp(1, missing.len().max(1)) {
            let (work, network) = (&work, network.clone());
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            handles.push(thread.spawn_scoped(scope, move || work.run(network)).map_err(DistilError::Thread)?);
        }
        while handles.iter().any(|handle| !handle.is_finished()) {
            if observer(work.progress()).is_break() {
                work.stopped.store(true, Ordering::Relaxed);
            }
            thread::sleep(REPORT_INTERVAL);
        }
        Ok::<(), DistilError>(())
    })?;
    let progress = work.progress();
    let made = work.made.load(Ordering::Relaxed);
    match work.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(Distillation { found: shards - missing.len(), made, progress }),
    }
}

/// The numbers of those of the files 1 to `shards` that do not exist yet.
pub fn missing_shards(output: &Path, shards: usize) -> Vec<usize> {
    (1..=shards).filter(|&number| !shard_path(output, number).exists()).collect()
}

/// Records the settings of the files of this name, or checks those already recorded if there are such files.
fn check_settings(output: &Path, settings: &DistilSettings) -> Result<(), DistilError> {
    let path = output.with_extension("settings.json");
    let io = |source| DataError::Io { path: path.clone(), action: "use it", source };
    let text = serde_json::to_string_pretty(settings).map_err(|error| io(error.into()))?;
    let write = || -> Result<(), DistilError> { Ok(atomic::write(&path, |file| file.write_all(text.as_bytes()))?) };
    let shards = existing_shards(output);
    let Some(first) = shards.first() else { return write() };
    if !path.exists() {
        return Err(DistilError::Foreign { shard: first.clone(), settings: path });
    }
    let found = std::fs::read_to_string(&path).map_err(io)?;
    if serde_json::from_str(&found).is_ok_and(|found: DistilSettings| found == *settings) {
        return Ok(());
    }
    let found = found.split_whitespace().collect();
    Err(DistilError::OtherSettings { path, expected: Box::new(settings.clone()), found })
}

/// State shared by the threads.
struct Work<'a> {
    output: &'a Path,
    settings: &'a DistilSettings,
    teacher: &'a Teacher,
    starts: Starts<'a>,
    missing: &'a [usize],
    next: AtomicUsize,
    rows: AtomicU64,
    games: AtomicU64,
    made: AtomicUsize,
    failure: Mutex<Option<DataError>>,
    stopped: AtomicBool,
}

impl Work<'_> {
    fn run(&self, network: NetworkChoice) {
        let mut players = Players::new(self.settings, self.teacher, network, self.starts);
        while let Some(&number) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let Some(rows) = self.fill(&mut players, number) else { return };
            match write_packed(&shard_path(self.output, number), &rows) {
                Ok(()) => _ = self.made.fetch_add(1, Ordering::Relaxed),
                Err(error) => {
                    self.stopped.store(true, Ordering::Relaxed);
                    self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            }
        }
    }

    /// The rows of one file; `None` if the run is being stopped.
    fn fill(&self, players: &mut Players<'_>, number: usize) -> Option<Vec<Row>> {
        let wanted = self.settings.shard_rows;
        let mut rows: Vec<Row> = Vec::with_capacity(wanted);
        let mut numbers = Random::for_part(self.settings.seed, number as u64);
        while rows.len() < wanted {
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            let game = players.positions(&mut numbers);
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
    use crate::data::packed::read_packed;
    use crate::distil::{GameRules, Window};
    use crate::teacher::noise;
    use alfiere_chess::openings::Opening;

    #[test]
    fn rows_depend_only_on_the_seed_and_finished_files_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let teacher = noise();
        let (teacher_name, player) = ("noise".to_owned(), "embedded".to_owned());
        let games = GameRules::default();
        let nodes = [20, 60];
        let settings = DistilSettings {
            teacher: teacher_name,
            player,
            seed: 7,
            shard_rows: 300,
            nodes,
            every: 4,
            games,
            window: None,
        };
        let make = |name: &str, threads: usize, stop_at: u64| {
            let mut observer = |progress: Progress| {
                if progress.rows >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let output = folder.path().join(name);
            distil(
                &output,
                3,
                threads,
                &settings,
                (&teacher, &NetworkChoice::default(), Starts::Openings(&[])),
                &mut observer,
            )
        };
        let read = |name: &str, number| {
            read_packed(&shard_path(&folder.path().join(name), number), None).expect("a packed file")
        };
        let once = make("one.packed", 1, u64::MAX).expect("made");
        assert_eq!((once.found, once.made, once.progress.rows), (0, 3, 900));
        make("two.packed", 2, u64::MAX).expect("made");
        for number in 1..=3 {
            let rows = read("one.packed", number);
            assert_eq!(rows.len(), 300);
            assert!(rows.iter().all(|row| !row.in_check()));
            assert_eq!(rows, read("two.packed", number));
        }
        assert_ne!(read("one.packed", 1), read("one.packed", 2));
        std::fs::remove_file(shard_path(&folder.path().join("two.packed"), 2)).expect("removed");
        let again = make("two.packed", 2, u64::MAX).expect("made");
        assert_eq!((again.found, again.made), (2, 1));
        assert_eq!(read("one.packed", 2), read("two.packed", 2));
        let stopped = make("three.packed", 1, 0).expect("stopped");
        assert!(stopped.made < 3);
        let others = DistilSettings { seed: 8, ..settings.clone() };
        let output = folder.path().join("one.packed");
        let mixed =
            distil(&output, 3, 1, &others, (&teacher, &NetworkChoice::default(), Starts::Openings(&[])), &mut |_| {
                ControlFlow::Break(())
            });
        assert!(matches!(mixed, Err(DistilError::OtherSettings { .. })), "{mixed:?}");
    }

    #[test]
    fn positions_are_near_the_openings_and_the_roots() {
        let folder = tempfile::tempdir().expect("a folder");
        let teacher = noise();
        let start = alfiere_chess::board::Board::from_fen("4k3/4p3/8/8/8/8/4P3/R3K2R w KQ - 0 30").expect("legal");
        let openings = [Opening { start: start.clone(), moves: Vec::new() }];
        let roots = [Row::of_board(&start)];
        let games = GameRules { random_plies: [0, 0], stumbles: 0.0, decided: 900, drawn: 9, ..GameRules::default() };
        let (teacher_name, player) = ("noise".to_owned(), "embedded".to_owned());
        let settings = DistilSettings {
            teacher: teacher_name,
            player,
            seed: 7,
            shard_rows: 100,
            nodes: [20, 60],
            every: 2,
            games,
            window: Some(Window { units: 300, outside: 4 }),
        };
        for (name, starts) in [("a", Starts::Openings(&openings)), ("b", Starts::Roots(&roots))] {
            let output = folder.path().join(name).with_extension("packed");
            let with = (&teacher, &NetworkChoice::default(), starts);
            distil(&output, 1, 1, &settings, with, &mut |_| ControlFlow::Continue(())).expect("made");
            let rows = read_packed(&shard_path(&output, 1), None).expect("a packed file");
            assert!(rows.iter().all(|row| row.piece_count() <= 6 && row.fullmove_number() >= 30), "{name}");
            // A search of few nodes stays close to its root.
            assert!(name == "a" || rows.iter().all(|row| row.fullmove_number() < 45));
        }
    }
}
