//! The output of a conversion, independent of the format.

use std::path::{Path, PathBuf};

use super::Converted;
use crate::atomic::{CompleteOutput, OutputFile};
use crate::error::DataError;
use crate::export::{CsvColumns, LastGame, write_csv_head, write_csv_rows};
use crate::filter::{LeftOut, LeftOutReason};
use crate::format::Format;
use crate::formats::{BinpackWriter, write_bullet, write_plain, write_viri};
use crate::game_record::{GameBuilder, GameRecord};
use crate::packed::{self, PackedWriter};
use crate::rows::label::Label;
use crate::rows::row::Row;
use crate::splits::games::{GameOrder, MIN_GAME_ROWS};
use crate::text::bullet_text::write_bullet_text;

/// Receives rows in order; files appear only after `finish`.
pub(super) trait Sink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError>;

    /// Moves all files to their final paths; the result is without inputs.
    fn finish(self: Box<Self>) -> Result<Converted, DataError>;
}

/// A file of rows or of games that is being written.
pub(super) struct FileSink {
    path: PathBuf,
    format: Format,
    file: OutputFile,
    /// The optional columns of a CSV.
    columns: CsvColumns,
    last_game: LastGame,
    builder: GameBuilder,
    chains: BinpackWriter,
    taken: u64,
    left_out: LeftOut,
    lost_moves: bool,
}

impl FileSink {
    pub(super) fn new(path: &Path, format: Format, columns: CsvColumns) -> Result<Self, DataError> {
        let mut file = OutputFile::beside(path)?;
        if format == Format::Csv {
            file.write(|out| write_csv_head(out, columns))?;
        }
        Ok(Self {
            path: path.to_path_buf(),
            format,
            file,
            columns,
            last_game: LastGame::default(),
            builder: GameBuilder::default(),
            chains: BinpackWriter::default(),
            taken: 0,
            left_out: LeftOut::default(),
            lost_moves: false,
        })
    }

    fn write_game(&mut self, game: &GameRecord) -> Result<(), DataError> {
        let (left_out, chains) = (&mut self.left_out, &mut self.chains);
        self.file.write(|out| match self.format {
            Format::Plain => write_plain(out, game, left_out),
            Format::Viri => write_viri(out, game, left_out),
            _ => chains.push(out, game, left_out),
        })
    }
}

impl Sink for FileSink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        self.taken += rows.len() as u64;
        if matches!(self.format, Format::Plain | Format::Viri | Format::Binpack) {
            return rows.iter().try_for_each(|row| match self.builder.push(row) {
                Some(game) => self.write_game(&game),
                None => Ok(()),
            });
        }
        let (left_out, last_game) = (&mut self.left_out, &mut self.last_game);
        let is_lost = |row: &Row| row.best_move_rank().is_none() || self.format != Format::Csv;
        self.lost_moves |= rows.iter().any(|row| row.has_best_move() && is_lost(row));
        self.file.write(|out| match self.format {
            Format::Bullet => write_bullet(out, rows, left_out),
            Format::BulletText => write_bullet_text(out, rows, left_out),
            _ => write_csv_rows(out, rows, self.columns, last_game),
        })
    }

    fn finish(mut self: Box<Self>) -> Result<Converted, DataError> {
        if let Some(last) = self.builder.finish() {
            self.write_game(&last)?;
        }
        let Self { path, mut file, builder, mut chains, taken, mut left_out, lost_moves, .. } = *self;
        file.write(|out| chains.flush(out))?;
        left_out.add(LeftOutReason::Illegal, builder.refused());
        let written = taken - left_out.total();
        if written > 0 {
            file.finish()?.publish()?;
        }
        Ok(Converted { files: vec![(path, written)], left_out, lost_moves, ..Converted::default() })
    }
}

/// Packed files that are being written.
pub(super) struct PackedSink {
    output: PathBuf,
    limit: Option<u64>,
    writer: PackedWriter,
    complete: Vec<(PathBuf, u64, CompleteOutput)>,
    /// How games are told apart; decided by the first rows that show it.
    order: Option<GameOrder>,
    before: Option<Row>,
}

impl PackedSink {
    /// With a limit, each file ends after the first game that brings it to this number of rows; without games, at that number.
    pub(super) fn new(output: &Path, limit: Option<u64>) -> Result<Self, DataError> {
        let writer = PackedWriter::beside(&shard_path(output, limit, 1))?;
        Ok(Self { output: output.to_path_buf(), limit, writer, complete: Vec::new(), order: None, before: None })
    }

    /// Ends a shard and begins the next.
    fn cut(&mut self) -> Result<(), DataError> {
        let number = self.complete.len() + 1;
        let next = PackedWriter::beside(&shard_path(&self.output, self.limit, number + 1))?;
        let writer = std::mem::replace(&mut self.writer, next);
        let (rows, mut output) = (writer.rows(), writer.finish()?);
        if number > 1 {
            output.close();
        }
        self.complete.push((shard_path(&self.output, self.limit, number), rows, output));
        Ok(())
    }
}

impl Sink for PackedSink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let Some(limit) = self.limit else { return self.writer.push(rows) };
        if self.order.is_none() && rows.len() as f64 > MIN_GAME_ROWS {
            self.order = Some(GameOrder::of(rows));
        }
        let order = self.order.unwrap_or(GameOrder::MoveNumbers);
        let mut start = 0;
        for (index, row) in rows.iter().enumerate() {
            let may_cut = self.before.replace(*row).is_some_and(|before| order.begins_game(&before, row));
            if may_cut && self.writer.rows() + (index - start) as u64 >= limit {
                self.writer.push(&rows[start..index])?;
                start = index;
                self.cut()?;
            }
        }
        self.writer.push(&rows[start..])
    }

    fn finish(mut self: Box<Self>) -> Result<Converted, DataError> {
        let path = shard_path(&self.output, self.limit, self.complete.len() + 1);
        self.complete.push((path, self.writer.rows(), self.writer.finish()?));
        let publish = |(path, rows, output): (PathBuf, u64, CompleteOutput)| output.publish().map(|()| (path, rows));
        let files = self.complete.into_iter().map(publish).collect::<Result<Vec<_>, _>>()?;
        let next = self.limit.map(|_| shard_path(&self.output, self.limit, files.len() + 1));
        Ok(Converted { files, stale: next.filter(|path| path.exists()), ..Converted::default() })
    }
}

/// The name of a shard, counted from 1; without shards, the output's own.
fn shard_path(output: &Path, limit: Option<u64>, number: usize) -> PathBuf {
    if limit.is_some() { packed::shard_path(output, number) } else { output.to_path_buf() }
}

/// Computes the label of each row; `None` leaves the row out.
pub type NewLabels<'a> = dyn Fn(&[Row]) -> Vec<Option<Label>> + 'a;

/// Rows per call of the labels' function: enough for all cores.
const BATCH: usize = 1 << 16;

/// Passes labelled rows to another sink.
pub(super) struct LabelSink<'a> {
    labels: &'a NewLabels<'a>,
    sink: Box<dyn Sink>,
    rows: Vec<Row>,
    written: u64,
    unlabelled: u64,
}

impl<'a> LabelSink<'a> {
    pub(super) fn new(labels: &'a NewLabels<'a>, sink: Box<dyn Sink>) -> Self {
        Self { labels, sink, rows: Vec::new(), written: 0, unlabelled: 0 }
    }

    fn write(&mut self) -> Result<(), DataError> {
        let labels = (self.labels)(&self.rows);
        let labelled = self.rows.iter().zip(labels).filter_map(|(row, label)| Some(row.with_label(label?)));
        let labelled: Vec<Row> = labelled.collect();
        self.unlabelled += (self.rows.len() - labelled.len()) as u64;
        self.written += labelled.len() as u64;
        self.rows.clear();
        self.sink.push(&labelled)
    }
}

impl Sink for LabelSink<'_> {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        self.rows.extend_from_slice(rows);
        if self.rows.len() >= BATCH { self.write() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<Converted, DataError> {
        self.write()?;
        let Self { sink, written, unlabelled, .. } = *self;
        let mut all = if written > 0 { sink.finish()? } else { Converted::default() };
        all.left_out.add(LeftOutReason::Unlabelled, unlabelled);
        Ok(all)
    }
}
