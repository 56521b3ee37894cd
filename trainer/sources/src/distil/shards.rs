//! Writes packed files of distilled rows, and checks that they have the same settings.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_chess::random::Random;
use alfiere_data::packed::{existing_shards, shard_path};
use alfiere_search::eval::NetworkChoice;
use alfiere_teacher::Teacher;
use thiserror::Error;

use super::game::{DistilSettings, Players, Starts};
use crate::row_files::{FillError, Filled, Progress, RowFiles};
use crate::stored_settings::{StoredSettingsError, store_or_check};

#[derive(Debug, Error)]
pub enum DistilError {
    #[error(transparent)]
    Fill(#[from] FillError),
    #[error(transparent)]
    Settings(#[from] StoredSettingsError),
    #[error("{}: a file of this name exists without {}; choose another name", shard.display(), settings.display())]
    Foreign { shard: PathBuf, settings: PathBuf },
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
) -> Result<Filled, DistilError> {
    let stored = output.with_extension("settings.json");
    match existing_shards(output).into_iter().next() {
        Some(shard) if !stored.exists() => return Err(DistilError::Foreign { shard, settings: stored }),
        first => store_or_check(&stored, settings, first.is_none())?,
    }
    let files = RowFiles { output, count: shards, rows: settings.shard_rows, seed: settings.seed };
    let new_player = || {
        let mut players = Players::new(settings, teacher, network.clone(), starts);
        move |numbers: &mut Random| players.positions(numbers)
    };
    Ok(files.fill(threads, new_player, observer)?)
}

/// The numbers of those of the files 1 to `shards` that do not exist yet.
pub fn missing_shards(output: &Path, shards: usize) -> Vec<usize> {
    (1..=shards).filter(|&number| !shard_path(output, number).exists()).collect()
}

#[cfg(test)]
mod tests {
    use alfiere_chess::openings::Opening;
    use alfiere_data::Row;
    use alfiere_data::packed::read_packed;

    use super::*;
    use crate::distil::{GameRules, Window};

    fn settings(shard_rows: usize, every: u32, games: GameRules) -> DistilSettings {
        let name = || "embedded".to_owned();
        let (nodes, window) = ([20, 60], None);
        DistilSettings { teacher: name(), player: name(), seed: 7, shard_rows, nodes, every, games, window }
    }

    /// Rows of the embedded network, which is its own teacher; the observer stops at this number of them.
    fn make(
        output: &Path,
        shards: usize,
        threads: usize,
        settings: &DistilSettings,
        starts: Starts<'_>,
        stop_at: u64,
    ) -> Result<Filled, DistilError> {
        let network = NetworkChoice::default();
        let teacher = Teacher::Own(Box::new((*network).clone()));
        distil(output, shards, threads, settings, (&teacher, &network, starts), &mut |progress| {
            if progress.rows >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    #[test]
    fn rows_depend_only_on_the_seed_and_finished_files_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(300, 4, GameRules::default());
        let make = |name: &str, threads, stop_at| {
            make(&folder.path().join(name), 3, threads, &settings, Starts::Openings(&[]), stop_at)
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
        let mixed = self::make(&folder.path().join("one.packed"), 3, 1, &others, Starts::Openings(&[]), 0);
        assert!(matches!(mixed, Err(DistilError::Settings(StoredSettingsError::Other { .. }))), "{mixed:?}");
    }

    #[test]
    fn positions_are_near_the_openings_and_the_roots() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = alfiere_chess::board::Board::from_fen("4k3/4p3/8/8/8/8/4P3/R3K2R w KQ - 0 30").expect("legal");
        let openings = [Opening { start: start.clone(), moves: Vec::new() }];
        let roots = [Row::of_board(&start)];
        let games = GameRules { random_plies: [0, 0], stumbles: 0.0, decided: 900, drawn: 9, ..GameRules::default() };
        let window = Some(Window { units: 300, outside: 4 });
        let settings = DistilSettings { window, ..settings(100, 2, games) };
        for (name, starts) in [("a", Starts::Openings(&openings)), ("b", Starts::Roots(&roots))] {
            let output = folder.path().join(name).with_extension("packed");
            make(&output, 1, 1, &settings, starts, u64::MAX).expect("made");
            let rows = read_packed(&shard_path(&output, 1), None).expect("a packed file");
            assert!(rows.iter().all(|row| row.piece_count() <= 6 && row.fullmove_number() >= 30), "{name}");
            // A search of few nodes stays close to its root.
            assert!(name == "a" || rows.iter().all(|row| row.fullmove_number() < 45));
        }
    }
}
