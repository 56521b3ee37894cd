//! Files loaded with and without caches, scaled and filtered.

use super::*;
use crate::{BadRows, Label, sample};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ";

fn folder_with(name: &str, text: &str) -> (tempfile::TempDir, DataFile) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    (folder, DataFile::new(path))
}

fn text() -> String {
    let rows: Vec<String> = (0..100).map(|i| format!("{START}{},{}\n", i % 10 + 1, i * 10)).collect();
    format!("FEN,Evaluation\n{}bad,row\n", rows.concat())
}

#[test]
fn bytes_are_read_like_their_file() {
    let (_folder, file) = folder_with("a.csv", &text());
    let options = LoadOptions { cache: CacheLocation::Off, ..LoadOptions::default() };
    let expected = Dataset::load(std::slice::from_ref(&file), &options, &mut ()).expect("rows");
    let bytes = std::fs::read(&file.path).expect("bytes");
    assert_eq!(Dataset::from_csv(file, &bytes, &options).expect("rows"), expected);
}

#[test]
fn the_second_loading_comes_from_the_cache() {
    let (_folder, file) = folder_with("a.csv", &text());
    let options = LoadOptions::default();
    let load = |options: &LoadOptions| Dataset::load(std::slice::from_ref(&file), options, &mut ());
    let first = load(&options).expect("rows");
    assert_eq!((first.rows.len(), first.games.len(), first.files[0].origin), (100, 10, Origin::Parsed));
    let second = load(&options).expect("rows");
    assert_eq!(second.files[0].origin, Origin::Cache);
    assert_eq!((&second.rows, &second.games, second.files[0].report.bad_rows), (&first.rows, &first.games, 1));
    let strict = LoadOptions {
        read: ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() },
        ..LoadOptions::default()
    };
    assert!(matches!(load(&strict), Err(DataError::BadRow { .. })));
    let few = load(&LoadOptions { rows: Some(25), ..LoadOptions::default() }).expect("rows");
    assert_eq!(*few.rows, first.rows[..25]);
    // The bad row follows all those that are wanted.
    let few = load(&LoadOptions { rows: Some(25), ..strict }).expect("25 rows");
    assert_eq!((few.rows.len(), few.files[0].report.bad_rows), (25, 0));
    std::fs::write(&file.path, text().replace(",10\n", ",11\n")).expect("written");
    let changed = load(&options).expect("rows");
    assert_eq!(changed.files[0].origin, Origin::Parsed);
    assert_eq!(changed.rows[1].label(), Label::Centipawns(11));
    assert_eq!(changed.files[0].warnings.len(), 1);
}

/// The changed rows in a cache differ from those that resolving finds, so loading shows which were taken.
#[test]
fn resolved_positions_of_packed_files_come_from_the_cache() {
    let rows = sample::real(3_000);
    let (_folder, file) = folder_with("a.packed", "");
    crate::write_packed(&file.path, &rows).expect("written");
    let load = || Dataset::load(std::slice::from_ref(&file), &LoadOptions::default(), &mut ()).expect("rows");
    let first = load();
    let ends = |set: &Dataset| set.samples(Captures::Resolve)[0].to_vec();
    assert!(*first.rows == rows && ends(&first) == crate::resolve_rows(&rows) && ends(&first) != rows);
    let cache_path = CacheLocation::Beside.path_for(&file.path, crate::LabelUnit::Centipawns).expect("a path");
    let print = first.files[0].fingerprint;
    let mut changed = ChangedRows::default();
    changed.extend(&[(7, rows[8])]).expect("in memory");
    cache::write(&cache_path, print, &[], &changed, &ReadReport::default()).expect("written");
    let set = load();
    assert!(*set.rows == rows && set.files[0].warnings.is_empty());
    assert!(set.changed.len() == 1 && ends(&set)[7].is_same_position(&rows[8]));
    crate::write_packed(&file.path, &rows[10..]).expect("written");
    assert_eq!(ends(&load()), ends(&first)[10..]);
}

#[test]
fn a_cache_fits_a_file_that_only_has_another_time() {
    let (_folder, file) = folder_with("a.csv", &text());
    let load = || Dataset::load(std::slice::from_ref(&file), &LoadOptions::default(), &mut ()).expect("rows");
    load();
    let opened = std::fs::File::options().append(true).open(&file.path).expect("a file");
    opened.set_modified(std::time::UNIX_EPOCH).expect("a time");
    let again = load();
    assert_eq!((again.files[0].origin, again.files[0].warnings.len()), (Origin::Cache, 0));
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let (folder, file) = folder_with("a.csv", &text());
    let blocked = folder.path().join("blocked");
    std::fs::write(&blocked, "a file, not a folder").expect("written");
    let options = LoadOptions { cache: CacheLocation::Folder(blocked), ..LoadOptions::default() };
    let set = Dataset::load(&[file], &options, &mut ()).expect("rows");
    assert!(set.files[0].warnings[0].starts_with("no cache written"), "{:?}", set.files[0].warnings);
}

#[test]
fn scales_and_filters_apply_file_by_file() {
    let (_one, plain) = folder_with("a.csv", &text());
    let (_two, mut scaled) = folder_with("b.csv", &text());
    scaled.scale = 1.3;
    let options =
        LoadOptions { filter: Filter { max_centipawns: Some(900), ..Filter::default() }, ..LoadOptions::default() };
    let set = Dataset::load(&[plain, scaled], &options, &mut ()).expect("rows");
    // Plain labels 0..=900 stay (91 rows); scaled by 1.3 those up to 690 stay (70 rows).
    assert_eq!(set.rows.len(), 91 + 70);
    assert_eq!(set.filtered.total(), 200 - 161);
    assert_eq!(set.rows[92].label(), Label::Centipawns(13));
    assert_eq!(set.games.iter().map(|game| game.rows.len()).sum::<usize>(), 161);
    assert_eq!(set.games.len(), 10 + 7);
}
