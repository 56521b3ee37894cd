//! One file turned into others while it is read, so that none of them needs to fit into memory.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::{Ready, Staged};
use super::dataset::{DataFile, Origin};
use super::error::DataError;
use super::export::{Known, TextForm};
use super::game_file::{RecordBuilder, header_bytes, is_game_file, read_game_rows};
use super::packed::{self, read_chunks};
use super::packed_writer::PackedWriter;
use super::read_options::{ReadOptions, ReadReport};
use super::reader::{ReadObserver, ReadProgress, TakeRows, stream_csv};
use super::row::{BestMove, ROW_BYTES, Row};
use super::source::write_text;

/// What a conversion made of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Converted {
    /// The files written, and the rows of each.
    pub files: Vec<(PathBuf, u64)>,
    /// A file that stands where the next shard would, left by an earlier conversion into more shards.
    pub stale: Option<PathBuf>,
    /// How the rows were come by.
    pub origin: Origin,
    /// What the reading met.
    pub report: ReadReport,
    /// True when best moves were known that the written files do not name.
    pub lost_moves: bool,
    /// Rows left out because the written lines need a result and they have none.
    pub without_result: u64,
    /// Rows that a game file cannot hold: the rules refuse their positions.
    pub refused: u64,
}

/// Hands on the rows of a CSV, packed or game file, labels scaled, many at a time.
///
/// # Errors
/// The file cannot be read or has too many bad rows, the observer stops the reading, or `take` fails.
pub fn stream_rows(
    file: &DataFile,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    take: &mut TakeRows<'_>,
) -> Result<(Origin, ReadReport), DataError> {
    let mut scaled = Vec::new();
    let mut take_scaled = |rows: &[Row]| {
        scaled.clear();
        scaled.extend(rows.iter().map(|row| file.scaled(row)));
        take(&scaled)
    };
    if is_game_file(&file.path) {
        let mut report = ReadReport::default();
        let torn = read_game_rows(&file.path, options.limit, observer, &mut |rows| {
            report.rows += rows.len() as u64;
            take_scaled(rows)
        })?;
        report.torn_bytes = torn.map_or(0, |torn| torn.bytes);
        return Ok((Origin::Games, report));
    }
    if !packed::is_packed(&file.path) {
        return Ok((Origin::Parsed, stream_csv(&file.path, options, observer, &mut take_scaled)?));
    }
    let mut report = ReadReport::default();
    read_chunks(&file.path, options.limit, &mut |rows, progress| {
        take_scaled(rows)?;
        report.rows = progress.rows;
        let bytes = |rows: u64| rows * ROW_BYTES as u64;
        let now = ReadProgress { bytes: bytes(progress.rows), total_bytes: bytes(progress.of), rows: progress.rows };
        if observer(now).is_break() {
            return Err(DataError::Stopped { path: file.path.clone() });
        }
        Ok(())
    })?;
    Ok((Origin::Packed, report))
}

/// Writes a file's rows to a packed file, or with `shard_rows` to several, `NAME-0001.packed` and so on: each ends with
/// the first game that brings it to this many rows. All of them appear at the end, or none.
///
/// # Errors
/// As for [`stream_rows`], or a file cannot be written.
pub fn convert_to_packed(
    input: &DataFile,
    output: &Path,
    options: &ReadOptions,
    shard_rows: Option<u64>,
    observer: &mut ReadObserver<'_>,
) -> Result<Converted, DataError> {
    let mut shards = Shards::new(output, shard_rows)?;
    let (origin, report) = stream_rows(input, options, observer, &mut |rows| shards.push(rows))?;
    let files = shards.publish()?;
    let stale = shard_rows.map(|_| shard_path(output, shard_rows, files.len() + 1)).filter(|path| path.exists());
    Ok(Converted { files, stale, origin, report, lost_moves: false, without_result: 0, refused: 0 })
}

/// Writes a file's rows as text, compressed when the name ends in `.gz` or `.zst`. The input is read twice: whether any
/// row knows its best move or its game's result decides on the columns of a CSV, and on whether the other form can be written at all.
///
/// # Errors
/// As for [`stream_rows`], no row has the result that the form needs, or the file cannot be written.
pub fn convert_to_text(
    input: &DataFile,
    output: &Path,
    form: TextForm,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
) -> Result<Converted, DataError> {
    let (mut known, mut lost_moves) = (Known::default(), false);
    let (origin, report) = stream_rows(input, options, observer, &mut |rows| {
        known.note(rows);
        let is_lost = |row: &Row| row.best_move_rank().is_none() || form == TextForm::Piped;
        lost_moves = lost_moves || rows.iter().any(|row| row.best_move() != BestMove::Unknown && is_lost(row));
        Ok(())
    })?;
    if form == TextForm::Piped && !known.results {
        return Err(DataError::NoResults { path: input.path.clone() });
    }
    let (mut refusal, mut without_result) = (None, 0);
    let written = write_text(output, |out| {
        form.write_head(out, known)?;
        let copied = stream_rows(input, options, observer, &mut |rows| {
            let left_out = form.write_rows(out, rows, known);
            without_result += left_out.map_err(|source| DataError::io(output, "write it", source))?;
            Ok(())
        });
        // What went wrong is told in its own words below; here it only keeps the file from appearing.
        copied.map(drop).map_err(|error| {
            refusal = Some(error);
            std::io::ErrorKind::Other.into()
        })
    });
    if let Some(error) = refusal {
        return Err(error);
    }
    written?;
    let files = vec![(output.to_path_buf(), report.rows - without_result)];
    Ok(Converted { files, stale: None, origin, report, lost_moves, without_result, refused: 0 })
}

/// Writes a file's rows to a game file: a record goes on as long as a legal move leads from each row to the next.
///
/// # Errors
/// As for [`stream_rows`], or the file cannot be written.
pub fn convert_to_games(
    input: &DataFile,
    output: &Path,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
) -> Result<Converted, DataError> {
    let fail = |source| DataError::io(output, "write it", source);
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    let settings = serde_json::json!({ "converted_from": name, "scale": input.scale }).to_string();
    let mut staged = Staged::beside(output)?;
    let mut file = BufWriter::with_capacity(1 << 20, staged.file());
    file.write_all(&header_bytes(&settings)).map_err(fail)?;
    let (mut builder, mut bytes) = (RecordBuilder::default(), Vec::new());
    let (origin, report) = stream_rows(input, options, observer, &mut |rows| {
        bytes.clear();
        rows.iter().filter_map(|row| builder.push(row)).for_each(|record| record.encode(&mut bytes));
        file.write_all(&bytes).map_err(fail)
    })?;
    bytes.clear();
    if let Some(record) = builder.finish() {
        record.encode(&mut bytes);
    }
    file.write_all(&bytes).and_then(|()| file.flush()).map_err(fail)?;
    drop(file);
    staged.finish()?.publish()?;
    let refused = builder.refused();
    let files = vec![(output.to_path_buf(), report.rows - refused)];
    Ok(Converted { files, stale: None, origin, report, lost_moves: false, without_result: 0, refused })
}

/// Packed files under way.
struct Shards<'a> {
    output: &'a Path,
    limit: Option<u64>,
    writer: PackedWriter,
    whole: Vec<(PathBuf, u64, Ready)>,
    move_number: u16,
}

impl<'a> Shards<'a> {
    fn new(output: &'a Path, limit: Option<u64>) -> Result<Self, DataError> {
        let writer = PackedWriter::beside(&shard_path(output, limit, 1))?;
        Ok(Self { output, limit, writer, whole: Vec::new(), move_number: 0 })
    }

    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let Some(limit) = self.limit else { return self.writer.push(rows) };
        let mut start = 0;
        for (index, row) in rows.iter().enumerate() {
            let begins_game = row.fullmove_number() < self.move_number;
            self.move_number = row.fullmove_number();
            if begins_game && self.writer.rows() + (index - start) as u64 >= limit {
                self.writer.push(&rows[start..index])?;
                start = index;
                self.cut()?;
            }
        }
        self.writer.push(&rows[start..])
    }

    /// Ends a shard and begins the next.
    fn cut(&mut self) -> Result<(), DataError> {
        let number = self.whole.len() + 1;
        let next = PackedWriter::beside(&shard_path(self.output, self.limit, number + 1))?;
        let writer = std::mem::replace(&mut self.writer, next);
        let rows = writer.rows();
        self.whole.push((shard_path(self.output, self.limit, number), rows, writer.finish()?));
        Ok(())
    }

    fn publish(mut self) -> Result<Vec<(PathBuf, u64)>, DataError> {
        let path = shard_path(self.output, self.limit, self.whole.len() + 1);
        self.whole.push((path, self.writer.rows(), self.writer.finish()?));
        let publish = |(path, rows, ready): (PathBuf, u64, Ready)| ready.publish().map(|()| (path, rows));
        self.whole.into_iter().map(publish).collect()
    }
}

/// The name of a shard, counted from 1; without shards, the output's own.
fn shard_path(output: &Path, limit: Option<u64>, number: usize) -> PathBuf {
    if limit.is_some() { packed::shard_path(output, number) } else { output.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::data::{find_games, packed, sample, write_csv, write_packed};

    fn go(_: ReadProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn shards_hold_all_rows_in_whole_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = sample::rows(40_000);
        let input = DataFile { path: folder.path().join("rows.csv"), scale: 1.0 };
        write_csv(&input.path, &rows).expect("written");
        let output = folder.path().join("cut.packed");
        let made = convert_to_packed(&input, &output, &ReadOptions::default(), Some(7_000), &mut go).expect("made");
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
        let fewer = convert_to_packed(&input, &output, &ReadOptions::default(), Some(20_000), &mut go).expect("made");
        assert_eq!(fewer.stale, Some(folder.path().join("cut-0003.packed")));
    }

    #[test]
    fn a_conversion_that_fails_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = sample::rows(40_000);
        let input = DataFile { path: folder.path().join("rows.packed"), scale: 1.0 };
        write_packed(&input.path, &rows).expect("written");
        let mut bytes = std::fs::read(&input.path).expect("there");
        let last = bytes.len() - 8;
        bytes[last] ^= 1;
        std::fs::write(&input.path, bytes).expect("written");
        let options = ReadOptions::default();
        let output = |name| folder.path().join(name);
        let packed = convert_to_packed(&input, &output("new.packed"), &options, Some(9_000), &mut go);
        assert!(matches!(packed, Err(DataError::Packed { .. })), "{packed:?}");
        let csv = convert_to_text(&input, &output("new.csv"), TextForm::Csv, &options, &mut go);
        assert!(matches!(csv, Err(DataError::Packed { .. })), "{csv:?}");
        let mut looks = 0;
        let part = ReadOptions { limit: Some(35_000), ..options };
        let stopped = convert_to_text(&input, &output("new.csv"), TextForm::Csv, &part, &mut |_| {
            looks += 1;
            // In the second pass, when the CSV is under way.
            if looks == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(stopped, Err(DataError::Stopped { .. })), "{stopped:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
