//! Shards, failures, several inputs, filters, orders, repeats and new labels.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::*;
use crate::sample::rows_of;
use crate::{
    DataError, DataFile, Dataset, Filter, FilterReason, Format, GameOrder, Label, LeftOutReason, LoadObserver,
    LoadOptions, ReadProgress, Row, RowResult, find_games, sample, shuffle, write_csv, write_packed,
};

/// A folder with packed files, the inputs of conversions.
struct Files {
    folder: tempfile::TempDir,
    inputs: Vec<DataFile>,
}

impl Files {
    fn new(inputs: &[&[Row]]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |(number, rows): (usize, &&[Row])| {
            let path = folder.path().join(format!("{number}.packed"));
            write_packed(&path, rows).expect("written");
            DataFile::new(path)
        };
        let inputs = inputs.iter().enumerate().map(write).collect();
        Self { folder, inputs }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Converts the inputs to a file in the format of its name, as `change` states.
    fn convert(
        &self,
        name: &str,
        observer: &mut dyn LoadObserver,
        change: impl FnOnce(&mut Conversion<'_>),
    ) -> Result<Converted, DataError> {
        let output = self.path(name);
        let mut job = Conversion::new(&self.inputs, &output, Format::of_name(&output).expect("a format"));
        change(&mut job);
        convert(&job, observer)
    }

    /// What such a conversion writes to its one file.
    fn converted(&self, name: &str, change: impl FnOnce(&mut Conversion<'_>)) -> (Vec<Row>, Converted) {
        let made = self.convert(name, &mut (), change).expect("made");
        (rows_of(&self.path(name)), made)
    }
}

/// The rows, as bytes, without an order.
fn sorted(rows: &[Row]) -> Vec<[u8; 32]> {
    let mut bytes: Vec<_> = rows.iter().map(Row::to_bytes).collect();
    bytes.sort_unstable();
    bytes
}

/// Rows of one move number, as formats without move numbers give them.
fn unnumbered(count: usize) -> Vec<Row> {
    sample::rows(count).into_iter().map(|row| Row { full_moves: 1, ..row }).collect()
}

/// Stops at this look, counted from 1.
struct StopAt(u32);

impl LoadObserver for StopAt {
    fn progress(&mut self, _progress: ReadProgress) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn shards_hold_all_rows_in_whole_games() {
    let rows = sample::rows(40_000);
    let files = Files::new(&[&rows]);
    let cut = |rows| files.convert("cut.packed", &mut (), |job| job.shard_rows = Some(rows)).expect("made");
    let made = cut(7_000);
    assert_eq!((made.files.len(), made.stale), (6, None));
    assert!(made.files[2].0.ends_with("cut-0003.packed"), "{:?}", made.files);
    let shards: Vec<Vec<Row>> = made.files.iter().map(|(path, _)| rows_of(path)).collect();
    assert_eq!(shards.concat(), rows);
    assert_eq!(shards.iter().map(|shard| find_games(shard).len()).sum::<usize>(), find_games(&rows).len());
    for (shard, (_, count)) in shards.iter().zip(&made.files) {
        assert_eq!(shard.len() as u64, *count);
        let longest = 80;
        assert!(shard.len() < 7_000 + longest);
    }
    assert!(shards[..5].iter().all(|shard| shard.len() >= 7_000));
    assert_eq!(cut(20_000).stale, Some(files.path("cut-0003.packed")));
}

/// Without move numbers, rows are not one long game.
#[test]
fn shards_without_games_end_at_the_limit() {
    let files = Files::new(&[&unnumbered(10_000)]);
    let made = files.convert("cut.packed", &mut (), |job| job.shard_rows = Some(4_000)).expect("made");
    assert_eq!(made.files.iter().map(|(_, rows)| *rows).collect::<Vec<_>>(), [4_000, 4_000, 2_000]);
}

#[test]
fn a_conversion_that_fails_leaves_nothing() {
    let files = Files::new(&[&sample::rows(40_000)]);
    let mut bytes = std::fs::read(&files.inputs[0].path).expect("there");
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    std::fs::write(&files.inputs[0].path, bytes).expect("written");
    let shuffled = Order::Shuffled { seed: 1 };
    for (name, shard_rows, order) in
        [("new.packed", Some(9_000), Order::AsRead), ("new.csv", None, Order::AsRead), ("new.csv", None, shuffled)]
    {
        let failed = files.convert(name, &mut (), |job| (job.shard_rows, job.order) = (shard_rows, order));
        assert!(matches!(failed, Err(DataError::Packed { .. })), "{failed:?}");
    }
    // In the second pass, when the CSV is under way, and while the buckets are emptied.
    for order in [Order::AsRead, Order::Shuffled { seed: 1 }] {
        let stopped = files.convert("new.csv", &mut StopAt(5), |job| {
            job.read.limit = Some(35_000);
            job.order = order;
        });
        assert!(matches!(stopped, Err(DataError::Stopped { .. })), "{stopped:?}");
    }
    assert_eq!(std::fs::read_dir(files.folder.path()).expect("a folder").count(), 1);
}

/// A shuffled file that names games has the games of the file in order, also through packed files and CSV, until rows are
/// shuffled again.
#[test]
fn named_games_survive_conversions() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample::rows(3_000);
    let games = find_games(&rows);
    let lines = games.iter().enumerate().flat_map(|(number, game)| {
        let rows = &rows[game.start as usize..game.end as usize];
        rows.iter().map(move |row| format!("{},{},https://a.b/{number}\n", row.to_fen(), row.label()))
    });
    let mut lines: Vec<String> = lines.collect();
    shuffle(&mut lines, 3);
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("a.csv"), format!("FEN,Evaluation,Game\n{}", lines.concat())).expect("written");
    let load = |name: &str| {
        let set = Dataset::load(&[DataFile::new(place(name))], &LoadOptions::default(), &mut ()).expect(name);
        let mut games: Vec<(Option<u64>, usize)> =
            set.games.iter().map(|game| (game.anchor, game.rows.len())).collect();
        games.sort_unstable();
        (set.files[0].order, games)
    };
    let expected = Dataset::from_rows(rows).games;
    let mut expected: Vec<_> = expected.iter().map(|game| (game.anchor, game.rows.len())).collect();
    expected.sort_unstable();
    let convert_to = |from: &str, to: &str, format: Format, order: Order| {
        let (inputs, output) = ([DataFile::new(place(from))], place(to));
        let job = Conversion { order, ..Conversion::new(&inputs, &output, format) };
        convert(&job, &mut ()).expect(to);
    };
    convert_to("a.csv", "b.packed", Format::Packed, Order::AsRead);
    convert_to("b.packed", "c.csv", Format::Csv, Order::AsRead);
    for name in ["a.csv", "b.packed", "c.csv"] {
        assert_eq!(load(name), (GameOrder::Named, expected.clone()), "{name}");
        assert_eq!(load(name).0, GameOrder::Named, "{name} from the cache");
    }
    convert_to("c.csv", "d.packed", Format::Packed, Order::Shuffled { seed: 1 });
    assert_eq!(load("d.packed").0, GameOrder::Unknown);
}

#[test]
fn several_files_are_filtered_and_counted_as_one() {
    let rows = sample::rows(3_000);
    let mut files = Files::new(&[&[], &rows[1_000..]]);
    files.inputs[0] = DataFile::new(files.path("a.csv"));
    write_csv(&files.inputs[0].path, &rows[..1_000]).expect("written");
    let (all, made) = files.converted("all.csv.zst", |_| ());
    assert_eq!((made.files, made.inputs.len()), (vec![(files.path("all.csv.zst"), 3_000)], 2));
    assert_eq!(all, rows);
    let (found, made) = files.converted("all.csv.zst", |job| {
        job.read.limit = Some(1_500);
        job.filter.max_centipawns = Some(500);
    });
    let expected: Vec<Row> =
        rows[..1_500].iter().filter(|row| row.label().as_centipawns().abs() <= 500).copied().collect();
    assert_eq!(found, expected);
    assert_eq!(made.filtered.of(FilterReason::Centipawns), 1_500 - expected.len() as u64);
}

#[test]
fn a_shuffle_keeps_every_row_and_follows_from_its_seed() {
    let rows = sample::rows(20_000);
    let files = Files::new(&[&rows]);
    let shuffled = |seed| files.converted("new.packed", |job| job.order = Order::Shuffled { seed }).0;
    let (one, same, other) = (shuffled(1), shuffled(1), shuffled(2));
    assert!(one == same && one != other && one != rows);
    assert!(sorted(&one) == sorted(&rows) && sorted(&other) == sorted(&rows));
    // Neighbours are neighbours no more: of 20,000 pairs about one stays by chance.
    let next: std::collections::HashMap<_, _> = rows.windows(2).map(|two| (two[0].to_bytes(), two[1])).collect();
    let kept = one.windows(2).filter(|two| next.get(&two[0].to_bytes()) == Some(&two[1])).count();
    assert!(kept < 10, "{kept}");
}

#[test]
fn of_equal_positions_the_first_is_written() {
    let row = sample::row;
    let first = row("r3k2r/pp6/8/8/8/8/PPP5/R3K2R w KQkq - 0 1").with_label(Label::centipawns(10));
    let same = row("r3k2r/pp6/8/8/8/8/PPP5/R3K2R w KQkq - 12 40").with_result(RowResult::Draw);
    let no_castling = row("r3k2r/pp6/8/8/8/8/PPP5/R3K2R w - - 0 1");
    let black_moves = row("r3k2r/pp6/8/8/8/8/PPP5/R3K2R b KQkq - 0 1");
    let mirrored = row("r2k3r/6pp/8/8/8/8/5PPP/R2K3R w - - 0 1");
    let exchanged = row("r3k2r/ppp5/8/8/8/8/PP6/R3K2R b - - 0 1");
    let pawn = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 9";
    let (passant, passed) = (row(pawn), row(&pawn.replace("d3", "-")));
    assert_ne!(passant, passed);
    let rows = [first, same, no_castling, black_moves, mirrored, exchanged, passant, passed, first];
    let files = Files::new(&[&rows[..4], &rows[4..]]);
    let written = |unique, max_centipawns| {
        let filter = Filter { max_centipawns, ..Filter::default() };
        let (rows, made) = files.converted("out.csv", |job| (job.filter, job.unique) = (filter, unique));
        (rows, made.repeated)
    };
    let exact = vec![first, no_castling, black_moves, mirrored, exchanged, passant, passed];
    assert_eq!(written(true, None), (exact, 2));
    assert_eq!(written(false, None).1, 0);
    // A row that a filter leaves out does not count as the first.
    let (rows, repeated) = written(true, Some(5));
    assert_eq!((rows[0].result(), rows.len(), repeated), (RowResult::Draw, 7, 0));
}

#[test]
fn repeats_among_many_rows_are_found_in_every_order() {
    let rows = sample::rows(30_000);
    let inputs = [&rows[..20_000], &rows[10_000..], &rows[..500]];
    let (files, all) = (Files::new(&inputs), inputs.concat());
    let mut seen = HashSet::new();
    let position = |row: &Row| row.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ");
    let expected: Vec<Row> = all.iter().filter(|row| seen.insert(position(row))).copied().collect();
    let written = |order| {
        let (rows, made) = files.converted("out.packed", |job| (job.unique, job.order) = (true, order));
        assert_eq!(made.repeated, (all.len() - expected.len()) as u64);
        rows
    };
    assert!(written(Order::AsRead) == expected);
    for order in [Order::Shuffled { seed: 1 }, Order::Interleaved { seed: 1 }] {
        assert!(sorted(&written(order)) == sorted(&expected));
    }
}

fn games(rows: &[Row]) -> Vec<Vec<[u8; 32]>> {
    let game = |range: std::ops::Range<u32>| {
        rows[range.start as usize..range.end as usize].iter().map(Row::to_bytes).collect::<Vec<_>>()
    };
    find_games(rows).into_iter().map(game).collect()
}

#[test]
fn files_are_mixed_evenly_in_whole_games() {
    let rows = sample::rows(60_000);
    let cut = find_games(&rows).into_iter().map(|game| game.end as usize).find(|&end| end > 45_000).expect("games");
    let files = Files::new(&[&rows[..cut], &rows[cut..]]);
    let mixed = |seed| files.converted("out.packed", |job| job.order = Order::Interleaved { seed }).0;
    let one = mixed(1);
    assert!(mixed(1) == one && mixed(2) != one);
    // Each file's games are there, in their order.
    let from_second: HashSet<_> = games(&rows[cut..]).into_iter().collect();
    let (second, first): (Vec<_>, Vec<_>) = games(&one).into_iter().partition(|game| from_second.contains(game));
    assert!(first == games(&rows[..cut]) && second == games(&rows[cut..]));
    // Each tenth has about a quarter of its rows from the second file.
    let is_second: HashSet<_> = rows[cut..].iter().map(Row::to_bytes).collect();
    let share =
        |rows: &[Row]| rows.iter().filter(|row| is_second.contains(&row.to_bytes())).count() as f64 / rows.len() as f64;
    let shares: Vec<f64> = one.chunks(6_000).map(share).collect();
    assert!(shares.iter().all(|share| (0.15..0.35).contains(share)), "{shares:?}");
}

#[test]
fn rows_without_games_are_mixed_one_by_one() {
    let rows = unnumbered(8_000);
    let files = Files::new(&[&rows[..4_000], &rows[4_000..]]);
    let (mixed, _) = files.converted("out.packed", |job| job.order = Order::Interleaved { seed: 1 });
    let first: HashSet<_> = rows[..4_000].iter().map(Row::to_bytes).collect();
    let changes =
        mixed.windows(2).filter(|two| first.contains(&two[0].to_bytes()) != first.contains(&two[1].to_bytes()));
    assert!((3_500..4_500).contains(&changes.count()));
}

#[test]
fn new_labels_replace_the_old_ones_and_rows_without_one_are_left_out() {
    let rows = sample::rows(70_000);
    let files = Files::new(&[&rows]);
    let label =
        |row: &Row| (!row.piece_count().is_multiple_of(3)).then(|| Label::centipawns(i64::from(row.piece_count())));
    let labels = |rows: &[Row]| rows.iter().map(label).collect::<Vec<_>>();
    let expected: Vec<Row> = rows.iter().filter_map(|row| Some(row.with_label(label(row)?))).collect();
    for name in ["out.packed", "out.csv"] {
        let output = files.path(name);
        let job = Conversion::new(&files.inputs, &output, Format::of_name(&output).expect("a format"));
        let made = relabel(&job, &labels, &mut ()).expect("made");
        assert!(rows_of(&output) == expected, "{name}");
        assert_eq!(made.left_out.of(LeftOutReason::Unlabelled) as usize, rows.len() - expected.len());
    }
    let output = files.path("none.packed");
    let none = |rows: &[Row]| vec![None; rows.len()];
    let failed = relabel(&Conversion::new(&files.inputs, &output, Format::Packed), &none, &mut ());
    assert!(matches!(failed, Err(DataError::NothingWritten { .. })), "{failed:?}");
    assert!(!output.exists());
}

#[test]
fn a_file_that_changes_between_two_passes_is_rejected() {
    /// Replaces a file when the keys are compared.
    struct Replace<'a>(&'a Path, Vec<Row>);
    impl LoadObserver for Replace<'_> {
        fn step(&mut self, _what: &'static str) {
            write_packed(self.0, &self.1).expect("written");
        }
    }
    let rows = sample::rows(3_000);
    for order in [Order::AsRead, Order::Interleaved { seed: 1 }] {
        let files = Files::new(&[&rows[..1_000]]);
        // The new file has more rows than the old one.
        let mut replace = Replace(&files.inputs[0].path, rows[1_000..].to_vec());
        let failed = files.convert("out.packed", &mut replace, |job| (job.unique, job.order) = (true, order));
        assert!(matches!(failed, Err(DataError::Changed { .. })), "{failed:?}");
        assert!(!files.path("out.packed").exists());
    }
}

#[test]
fn castling_rights_of_chess960_are_kept_or_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "FEN,Evaluation,Move,Result\n\
        1r2k1r1/1pppp1p1/p7/8/8/P7/1PPP2P1/R1R1K1RR w GCkq - 0 2,+10,e1g1,1-0\n\
        1r2k1r1/1pppp1p1/p7/8/8/P7/1PPP2P1/R1R2RKR b kq - 1 2,+10,e8d8,1-0\n\
        1r1k2r1/1pppp1p1/p7/8/8/P7/1PPP2P1/R1R2RKR w - - 2 3,+10,b2b3,1-0\n\
        1r1k2r1/1pppp1p1/p7/8/8/PP6/2PP2P1/R1R2RKR b - - 0 3,+10,b7b6,1-0\n";
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.csv"), text).expect("written");
    let rows = rows_of(&path("a.csv"));
    let mut from = "a.csv".to_owned();
    let made = |from: &str, name: &str, format| {
        convert(&Conversion::new(&[DataFile::new(path(from))], &path(name), format), &mut ()).expect("made")
    };
    for (name, format) in [("b.packed", Format::Packed), ("d.vf", Format::Viri)] {
        made(&from, name, format);
        assert_eq!(rows_of(&path(name)), rows, "{name}");
        name.clone_into(&mut from);
    }
    made("d.vf", "e.csv", Format::Csv);
    let written = std::fs::read_to_string(path("e.csv")).expect("text");
    assert!(written.contains("R1R1K1RR w GCkq - 0 2,+10,e1g1,"), "{written}");
    let chains = made("a.csv", "f.binpack", Format::Binpack);
    assert_eq!((chains.left_out.of(LeftOutReason::Castling), chains.left_out.total()), (2, 2));
    assert_eq!(rows_of(&path("f.binpack")), rows[2..]);
}
