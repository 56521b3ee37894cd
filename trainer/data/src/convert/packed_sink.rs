//! Writes rows to one packed file, or to shards that end at game boundaries where these are known.

use std::path::{Path, PathBuf};

use super::sink::{Sink, Written};
use crate::atomic::CompleteOutput;
use crate::error::DataError;
use crate::packed;
use crate::packed_writer::PackedWriter;
use crate::rows::row::Row;
use crate::splits::games::{GameOrder, MIN_GAME_ROWS};

/// Packed files that are being written.
pub(super) struct PackedSink {
    output: PathBuf,
    limit: Option<u64>,
    writer: PackedWriter,
    complete: Vec<(PathBuf, u64, CompleteOutput)>,
    /// How games are told apart; decided by the first rows that are enough to tell.
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

    fn finish(mut self: Box<Self>) -> Result<Written, DataError> {
        let path = shard_path(&self.output, self.limit, self.complete.len() + 1);
        self.complete.push((path, self.writer.rows(), self.writer.finish()?));
        let publish = |(path, rows, output): (PathBuf, u64, CompleteOutput)| output.publish().map(|()| (path, rows));
        let files = self.complete.into_iter().map(publish).collect::<Result<Vec<_>, _>>()?;
        let next = self.limit.map(|_| shard_path(&self.output, self.limit, files.len() + 1));
        Ok(Written { files, stale: next.filter(|path| path.exists()), ..Written::default() })
    }
}

/// The name of a shard, counted from 1; without shards, the output's own.
fn shard_path(output: &Path, limit: Option<u64>, number: usize) -> PathBuf {
    if limit.is_some() { packed::shard_path(output, number) } else { output.to_path_buf() }
}
