//! Shards, failures, several inputs, filters and shuffles.

use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::data::{
    DataError, DataFile, Filter, FilterReason, Format, LoadObserver, LoadedFile, ReadOptions, ReadProgress, Row,
    find_games, packed, sample, stream_rows, write_csv, write_packed,
};

fn job<'a>(inputs: &'a [DataFile], output: &'a Path, to: Format) -> Conversion<'a> {
    let (read, filter) = (ReadOptions::default(), Filter::default());
    Conversion { inputs, read, filter, output, to, shard_rows: None, order: Order::AsRead }
}

fn file(path: &Path) -> DataFile {
    DataFile { path: path.to_path_buf(), scale: 1.0 }
}

fn rows_of(path: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    let read = stream_rows(&file(path), &ReadOptions::default(), &mut |_| ControlFlow::Continue(()), &mut |more| {
        rows.extend_from_slice(more);
        Ok(())
    });
    read.expect("sound");
    rows
}

/// Stops at this look, counted from 1.
struct StopAt(u32);

impl LoadObserver for StopAt {
    fn file(&mut self, _path: &Path) {}

    fn progress(&mut self, _progress: ReadProgress) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn loaded(&mut self, _file: &LoadedFile) {}
}

#[test]
fn shards_hold_all_rows_in_whole_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample::rows(40_000);
    let input = file(&folder.path().join("rows.csv"));
    write_csv(&input.path, &rows).expect("written");
    let output = folder.path().join("cut.packed");
    let cut = |rows| {
        let job = Conversion { shard_rows: Some(rows), ..job(std::slice::from_ref(&input), &output, Format::Packed) };
        convert(&job, &mut ()).expect("made")
    };
    let made = cut(7_000);
    assert_eq!((made.files.len(), made.stale), (6, None));
    assert!(made.files[2].0.ends_with("cut-0003.packed"), "{:?}", made.files);
    let shards: Vec<Vec<Row>> =
        made.files.iter().map(|(path, _)| packed::read_packed(path, None).expect("sound")).collect();
    assert_eq!(shards.concat(), rows);
    assert_eq!(shards.iter().map(|shard| find_games(shard).len()).sum::<usize>(), find_games(&rows).len());
    for (shard, (_, count)) in shards.iter().zip(&made.files) {
        assert_eq!(shard.len() as u64, *count);
        let longest = 80;
        assert!(shard.len() < 7_000 + longest);
    }
    assert!(shards[..5].iter().all(|shard| shard.len() >= 7_000));
    assert_eq!(cut(20_000).stale, Some(folder.path().join("cut-0003.packed")));
}

#[test]
fn a_conversion_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample::rows(40_000);
    let input = file(&folder.path().join("rows.packed"));
    write_packed(&input.path, &rows).expect("written");
    let mut bytes = std::fs::read(&input.path).expect("there");
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    std::fs::write(&input.path, bytes).expect("written");
    let inputs = [input];
    let (packed, csv) = (folder.path().join("new.packed"), folder.path().join("new.csv"));
    let shards = Conversion { shard_rows: Some(9_000), ..job(&inputs, &packed, Format::Packed) };
    let to_csv = job(&inputs, &csv, Format::Csv);
    let shuffled = Conversion { order: Order::Shuffled { seed: 1 }, ..to_csv.clone() };
    for job in [&shards, &to_csv, &shuffled] {
        let failed = convert(job, &mut ());
        assert!(matches!(failed, Err(DataError::Packed { .. })), "{failed:?}");
    }
    let part = Conversion { read: ReadOptions { limit: Some(35_000), ..ReadOptions::default() }, ..to_csv };
    // In the second pass, when the CSV is under way, and while the buckets are emptied.
    let shuffled = Conversion { order: Order::Shuffled { seed: 1 }, ..part.clone() };
    for job in [part, shuffled] {
        let stopped = convert(&job, &mut StopAt(5));
        assert!(matches!(stopped, Err(DataError::Stopped { .. })), "{stopped:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn several_files_are_filtered_and_counted_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample::rows(3_000);
    let place = |name: &str| folder.path().join(name);
    write_csv(&place("a.csv"), &rows[..1_000]).expect("written");
    write_packed(&place("b.packed"), &rows[1_000..]).expect("written");
    let inputs = [file(&place("a.csv")), file(&place("b.packed"))];
    let output = place("all.csv.zst");
    let all = convert(&job(&inputs, &output, Format::Csv), &mut ()).expect("made");
    assert_eq!((all.files, all.inputs.len()), (vec![(output.clone(), 3_000)], 2));
    assert_eq!(rows_of(&output), rows);
    let limited = Conversion {
        read: ReadOptions { limit: Some(1_500), ..ReadOptions::default() },
        filter: Filter { max_centipawns: Some(500), ..Filter::default() },
        ..job(&inputs, &output, Format::Csv)
    };
    let made = convert(&limited, &mut ()).expect("made");
    let expected: Vec<Row> =
        rows[..1_500].iter().filter(|row| row.label().as_centipawns().abs() <= 500).copied().collect();
    assert_eq!(rows_of(&output), expected);
    assert_eq!(made.filtered.of(FilterReason::Centipawns), 1_500 - expected.len() as u64);
}

#[test]
fn a_shuffle_keeps_every_row_and_follows_from_its_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample::rows(20_000);
    let inputs = [file(&folder.path().join("rows.packed"))];
    write_packed(&inputs[0].path, &rows).expect("written");
    let shuffled = |name: &str, seed: u64| {
        let output = folder.path().join(name);
        let job = Conversion { order: Order::Shuffled { seed }, ..job(&inputs, &output, Format::Packed) };
        convert(&job, &mut ()).expect("made");
        packed::read_packed(&output, None).expect("sound")
    };
    let (one, same, other) = (shuffled("a.packed", 1), shuffled("b.packed", 1), shuffled("c.packed", 2));
    assert!(one == same && one != other && one != rows);
    let sorted = |rows: &[Row]| {
        let mut bytes: Vec<_> = rows.iter().map(Row::to_bytes).collect();
        bytes.sort_unstable();
        bytes
    };
    assert!(sorted(&one) == sorted(&rows) && sorted(&other) == sorted(&rows));
    // Neighbours are neighbours no more: of 20,000 pairs about one stays by chance.
    let next: std::collections::HashMap<_, _> = rows.windows(2).map(|two| (two[0].to_bytes(), two[1])).collect();
    let kept = one.windows(2).filter(|two| next.get(&two[0].to_bytes()) == Some(&two[1])).count();
    assert!(kept < 10, "{kept}");
}
