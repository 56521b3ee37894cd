//! Streamed sets against the same rows in memory, and files that change.

use std::path::Path;

use proptest::prelude::*;

use crate::write_packed;
use crate::{Dataset, HeldOutRule, LoadOptions, Split, sample, unit_ranks};
use crate::{shuffle, shuffled};

use super::*;
use crate::filter::Filter;
use crate::splits::held_out::HeldOut;

/// Shards in a folder, with a factor for the labels of every other one.
fn shards(folder: &Path, rows: &[Row], shard_rows: usize) -> Vec<DataFile> {
    let write = |(index, rows): (usize, &[Row])| {
        let file = DataFile {
            scale: if index % 2 == 0 { 1.0 } else { 0.5 },
            ..DataFile::new(folder.join(format!("{index}.packed")))
        };
        write_packed(&file.path, rows).expect("written");
        file
    };
    rows.chunks(shard_rows).enumerate().map(write).collect()
}

fn open(files: &[DataFile], options: &StreamOptions) -> StreamedSet {
    StreamedSet::open(files, options, &mut ()).expect("a set")
}

/// The same rows in memory.
fn in_memory(files: &[DataFile], options: &StreamOptions) -> (Dataset, Split, HeldOutRule) {
    let load = LoadOptions { filter: options.filter.clone(), rows: options.rows, ..LoadOptions::default() };
    let set = Dataset::load(files, &load, &mut ()).expect("rows");
    let (split, rule) = set.split(options.held_out, options.seed).expect("enough games");
    (set, split, rule)
}

fn picked(set: &Dataset, picks: &[u32]) -> Vec<Row> {
    picks.iter().map(|&pick| set.rows[pick as usize]).collect()
}

/// The rows of all windows of an epoch, in order.
fn epoch(set: &StreamedSet, seed: u64, window: u64) -> Vec<Row> {
    let order = shuffled(set.block_count(), seed);
    let all = set.training_rows();
    let starts = (0..all).step_by(window as usize);
    starts.flat_map(|start| set.read_window(&order, start..(start + window).min(all)).expect("rows")).collect()
}

fn sorted(mut rows: Vec<Row>) -> Vec<[u8; 32]> {
    rows.sort_by_key(Row::to_bytes);
    rows.iter().map(Row::to_bytes).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_epoch_has_each_row_once_and_the_sides_are_those_of_memory(
        count in 300usize..3_000,
        shard_rows in 100usize..2_000,
        block_rows in 10u32..400,
        window in 50u64..2_000,
        seed in 0u64..1_000,
        max_pieces in 10u32..30,
        limit in proptest::option::of(250usize..2_000),
        by_rows: bool,
        inner: bool,
        shuffled_from in proptest::option::of(0usize..1_000),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut rows = sample::rows(count);
        // Games that are there twice have positions to drop.
        rows.extend_from_within(..count / 3);
        if let Some(start) = shuffled_from {
            shuffle(&mut rows[start.min(count)..], seed);
        }
        let files = shards(folder.path(), &rows, shard_rows);
        let options = StreamOptions {
            filter: Filter { max_pieces: Some(max_pieces), ..Filter::default() },
            rows: limit,
            held_out: if by_rows { HeldOut::Rows(40) } else { HeldOut::Share(0.15) },
            inner,
            seed,
            block_rows,
            ..StreamOptions::default()
        };
        let memory = Dataset::load(
            &files,
            &LoadOptions { filter: options.filter.clone(), rows: limit, ..LoadOptions::default() },
            &mut (),
        );
        prop_assume!(memory.is_ok_and(|set| crate::Game::count_units(&set.games) > 2 && set.rows.len() > 60));
        let (set, mut split, mut rule) = in_memory(&files, &options);
        if inner {
            let outer = split.clone();
            let dropped = outer.dropped;
            let Ok(found) = set.inner_split(&outer, &rule) else {
                let refused = StreamedSet::open(&files, &options, &mut ()).expect_err("no inner rows");
                prop_assert!(refused.to_string().contains("too few games for inner rows"), "{}", refused);
                return Ok(());
            };
            (split, rule) = found;
            let streamed = open(&files, &options);
            prop_assert_eq!(&streamed.inner, &picked(&set, &split.validation));
            split = Split { validation: outer.validation, dropped: split.dropped + dropped, ..split };
        }
        let streamed = open(&files, &options);
        prop_assert_eq!(&streamed.held_out, &picked(&set, &split.validation));
        let ranks = unit_ranks(&set.rows, &set.games, &split.validation, options.seed);
        prop_assert_eq!(&streamed.held_out_ranks, &ranks);
        prop_assert_eq!(&streamed.rule, &rule);
        prop_assert_eq!(streamed.dropped, split.dropped as u64);
        prop_assert_eq!(streamed.filtered, set.filtered);
        prop_assert_eq!(&streamed.files, &set.files);
        prop_assert_eq!(streamed.training_rows(), split.training.len() as u64);
        let training_rows = picked(&set, &split.training);
        prop_assert_eq!(sorted(epoch(&streamed, seed, window)), sorted(training_rows.clone()));
        // One window has the rows in the order of the files, whatever the order of the blocks.
        prop_assert_eq!(epoch(&streamed, seed, u64::from(u32::MAX)), training_rows);
    }
}

#[test]
fn games_without_move_numbers_are_those_of_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), &sample::unnumbered(9_000), 4_000);
    let options = StreamOptions {
        filter: Filter { in_check: true, ..Filter::default() },
        inner: true,
        ..StreamOptions::default()
    };
    let (set, outer, rule) = in_memory(&files, &options);
    let (inner, rule) = set.inner_split(&outer, &rule).expect("enough games");
    let streamed = open(&files, &options);
    assert_eq!((&streamed.rule, &streamed.files), (&rule, &set.files));
    assert_eq!(rule.unit.name(), "games");
    assert_eq!(streamed.held_out, picked(&set, &outer.validation));
    assert_eq!(streamed.inner, picked(&set, &inner.validation));
    assert_eq!(streamed.dropped, (outer.dropped + inner.dropped) as u64);
    assert_eq!(epoch(&streamed, 1, u64::from(u32::MAX)), picked(&set, &inner.training));
}

/// Real rows have captures.
#[test]
fn a_shard_in_game_order_only_at_its_start_has_no_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows = sample::real(9_000);
    shuffle(&mut rows[4_096..], 1);
    let files = shards(folder.path(), &rows, rows.len());
    let (set, split, rule) = in_memory(&files, &StreamOptions::default());
    let streamed = open(&files, &StreamOptions::default());
    assert_eq!((&streamed.rule, &streamed.files), (&rule, &set.files));
    assert_eq!(rule.unit.name(), "positions");
    assert_eq!(streamed.dropped, split.dropped as u64);
    assert_eq!(epoch(&streamed, 1, u64::from(u32::MAX)), picked(&set, &split.training));
}

#[test]
fn epochs_differ_and_windows_do_not_depend_on_what_came_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), &sample::rows(5_000), 1_700);
    let set = open(&files, &StreamOptions { block_rows: 64, ..StreamOptions::default() });
    assert_ne!(epoch(&set, 1, 1_000), epoch(&set, 2, 1_000));
    assert_eq!(epoch(&set, 1, 1_000), epoch(&set, 1, 1_000));
    let order = shuffled(set.block_count(), 1);
    let window = set.read_window(&order, 2_000..3_000).expect("rows");
    assert_eq!(window, epoch(&set, 1, 1_000)[2_000..3_000]);
    // A window is no run of neighbours: it has rows from all over the files.
    let held: std::collections::HashSet<u64> = set.held_out.iter().map(Row::symmetric_key).collect();
    assert!(!held.is_empty() && epoch(&set, 1, 1_000).iter().all(|row| !held.contains(&row.symmetric_key())));
}

#[test]
fn what_cannot_be_streamed_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), &sample::rows(2_000), 1_000);
    let refuse = |files: &[DataFile], options: &StreamOptions| {
        StreamedSet::open(files, options, &mut ()).expect_err("refused").to_string()
    };
    let defaults = StreamOptions::default();
    let csv = DataFile::new(folder.path().join("rows.csv"));
    assert!(refuse(std::slice::from_ref(&csv), &defaults).contains("cannot open it"));
    crate::write_csv(&csv.path, &sample::rows(100)).expect("written");
    let sentence = refuse(&[files[0].clone(), csv], &defaults);
    assert!(
        sentence.contains("only packed and .bullet files can be streamed; make one with `trainer convert "),
        "{sentence}"
    );
    let none = StreamOptions { filter: Filter { max_pieces: Some(1), ..Filter::default() }, ..defaults.clone() };
    assert_eq!(refuse(&files, &none), "no rows left of 2000 after the filters; use weaker filters");
    let share = |held_out| refuse(&files, &StreamOptions { held_out, ..defaults.clone() });
    assert!(share(HeldOut::Share(1.5)).starts_with("validation share 1.5"));
    assert!(
        share(HeldOut::Rows(2_000))
            .starts_with("2000 rows for validation; expected at least 1 and fewer than the 2000")
    );
    let one = shards(folder.path(), &sample::rows(10), 10);
    assert!(refuse(&one, &defaults).starts_with("1 games cannot be dealt to 2 sides"));
}

#[test]
fn damage_and_change_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), &sample::rows(4_000), 2_000);
    let options = StreamOptions { block_rows: 100, ..StreamOptions::default() };
    let set = open(&files, &options);
    let order = shuffled(set.block_count(), 3);
    let read = || set.read_window(&order, 0..set.training_rows()).map_err(|error| error.to_string());
    let path = &files[1].path;
    let whole = std::fs::read(path).expect("there");
    let again = || StreamedSet::open(&files, &options, &mut ()).map(drop).map_err(|error| error.to_string());
    assert!(read().is_ok());
    // A label changes: still a sound row, but not the one that was dealt.
    let mut altered = whole.clone();
    altered[32 + 32 * 1_234 + 24] ^= 1;
    std::fs::write(path, &altered).expect("written");
    assert!(read().expect_err("altered").contains("was changed or cut short"));
    assert!(again().expect_err("altered").contains("its checksum is wrong"));
    std::fs::write(path, &whole[..whole.len() - 40]).expect("written");
    assert!(read().expect_err("cut").contains("was changed or cut short"));
    assert!(again().expect_err("cut").contains("announces 2000 rows but has"));
    std::fs::remove_file(path).expect("removed");
    assert!(read().expect_err("gone").contains("1.packed: cannot open it"));
    std::fs::write(path, &whole).expect("written");
    assert!(read().is_ok() && again().is_ok());
}

/// Changes a file once it is scanned.
struct Meddler<'a>(&'a Path);

impl LoadObserver for Meddler<'_> {
    fn file(&mut self, _path: &Path) {}
    fn progress(&mut self, _progress: crate::ReadProgress) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
    fn loaded(&mut self, _file: &LoadedFile) {
        let mut bytes = std::fs::read(self.0).expect("there");
        let last = bytes.len() - 8;
        bytes[last] ^= 1;
        std::fs::write(self.0, bytes).expect("written");
    }
}

#[test]
fn a_change_between_the_passes_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), &sample::rows(2_000), 2_000);
    let error =
        StreamedSet::open(&files, &StreamOptions::default(), &mut Meddler(&files[0].path)).expect_err("changed");
    assert!(error.to_string().contains("was changed or cut short"), "{error}");
}

#[test]
fn records_of_bulletformat_are_those_of_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = DataFile { scale: 0.5, ..DataFile::new(folder.path().join("a.bullet")) };
    let rows: Vec<Row> = sample::rows(3_000).iter().map(|row| row.with_result(crate::RowResult::Draw)).collect();
    let mut bytes = Vec::new();
    crate::formats::write_bullet(&mut bytes, &rows, &mut crate::LeftOut::default()).expect("written");
    std::fs::write(&file.path, &bytes).expect("written");
    let files = [file];
    let options = StreamOptions { held_out: HeldOut::Share(0.2), block_rows: 100, ..StreamOptions::default() };
    let (set, split, rule) = in_memory(&files, &options);
    let streamed = open(&files, &options);
    assert_eq!((&streamed.held_out, &streamed.rule), (&picked(&set, &split.validation), &rule));
    assert_eq!(sorted(epoch(&streamed, 1, 700)), sorted(picked(&set, &split.training)));
    assert_eq!(streamed.files[0].fingerprint, set.files[0].fingerprint);
    let refused = |bytes: &[u8]| {
        std::fs::write(&files[0].path, bytes).expect("written");
        StreamedSet::open(&files, &options, &mut ()).expect_err("damaged").to_string()
    };
    assert!(refused(&bytes[..100]).contains("100 bytes are no multiple of 32"));
    bytes[32 * 7 + 26] = 3;
    assert!(refused(&bytes).contains("row 8 is not a valid position"));
}
