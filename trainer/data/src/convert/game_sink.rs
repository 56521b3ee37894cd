//! Writes rows as games: consecutive rows form a game as long as a legal move leads from each row to the next.

use std::path::{Path, PathBuf};

use super::sink::{Sink, Written};
use crate::error::DataError;
use crate::format::Format;
use crate::formats::{BinpackWriter, write_plain, write_viri};
use crate::game_file::{GameFileRecord, RecordBuilder, header_bytes};
use crate::left_out::{LeftOut, LeftOutReason};
use crate::output_file::OutputFile;
use crate::rows::row::Row;

/// A file of games that is being written.
pub(super) struct GameSink {
    path: PathBuf,
    format: Format,
    file: OutputFile,
    builder: RecordBuilder,
    chains: BinpackWriter,
    taken: u64,
    left_out: LeftOut,
}

impl GameSink {
    /// `settings` are stored in the header of a game file.
    pub(super) fn new(path: &Path, format: Format, settings: &str) -> Result<Self, DataError> {
        let mut file = OutputFile::beside(path)?;
        if format == Format::Games {
            file.write(|out| out.write_all(&header_bytes(settings)))?;
        }
        Ok(Self {
            path: path.to_path_buf(),
            format,
            file,
            builder: RecordBuilder::default(),
            chains: BinpackWriter::default(),
            taken: 0,
            left_out: LeftOut::default(),
        })
    }

    fn write(&mut self, games: &[GameFileRecord]) -> Result<(), DataError> {
        let (format, left_out, chains) = (self.format, &mut self.left_out, &mut self.chains);
        let mut bytes = Vec::new();
        self.file.write(|out| {
            for game in games {
                match format {
                    Format::Plain => write_plain(out, game, left_out)?,
                    Format::Viri => write_viri(out, game, left_out)?,
                    Format::Binpack => chains.push(out, game, left_out)?,
                    _ => game.encode(&mut bytes),
                }
            }
            out.write_all(&bytes)
        })
    }
}

impl Sink for GameSink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        self.taken += rows.len() as u64;
        let games: Vec<GameFileRecord> = rows.iter().filter_map(|row| self.builder.push(row)).collect();
        self.write(&games)
    }

    fn finish(mut self: Box<Self>) -> Result<Written, DataError> {
        let last = self.builder.finish();
        self.write(last.as_slice())?;
        let chains = &mut self.chains;
        self.file.write(|out| chains.flush(out))?;
        self.left_out.add(LeftOutReason::Illegal, self.builder.refused());
        let written = self.taken - self.left_out.total();
        if written > 0 {
            self.file.finish()?.publish()?;
        }
        let files = vec![(self.path, written)];
        Ok(Written { files, stale: None, left_out: self.left_out, lost_moves: false })
    }
}
