//! An atomically written output file, compressed according to its name.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

use super::atomic::{Ready, Staged};
use super::error::DataError;
use super::source::Compression;

/// A temporary file next to its final path; dropping it deletes the file.
pub(super) struct OutputFile {
    path: PathBuf,
    staged: Staged,
    encoder: Encoder,
}

enum Encoder {
    None(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl OutputFile {
    /// Creates a temporary file for `path`.
    pub(super) fn beside(path: &Path) -> Result<Self, DataError> {
        let fail = |source| DataError::io(path, "write it", source);
        let mut staged = Staged::beside(path)?;
        let file = BufWriter::with_capacity(1 << 20, staged.file().try_clone().map_err(fail)?);
        let encoder = match Compression::of_name(path) {
            Compression::None => Encoder::None(file),
            Compression::Gzip => Encoder::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Zstd => Encoder::Zstd(zstd::Encoder::new(file, 6).map_err(fail)?),
        };
        Ok(Self { path: path.to_path_buf(), staged, encoder })
    }

    /// Calls `write` with the compressing writer.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), DataError> {
        let written = match &mut self.encoder {
            Encoder::None(file) => write(file),
            Encoder::Gzip(file) => write(file),
            Encoder::Zstd(file) => write(file),
        };
        written.map_err(|source| DataError::io(&self.path, "write it", source))
    }

    /// Finishes the compression and flushes the file to disk.
    pub(super) fn finish(self) -> Result<Ready, DataError> {
        let ended = match self.encoder {
            Encoder::None(file) => Ok(file),
            Encoder::Gzip(file) => file.finish(),
            Encoder::Zstd(file) => file.finish(),
        };
        let flushed = ended.and_then(|mut file| file.flush());
        flushed.map_err(|source| DataError::io(&self.path, "write it", source))?;
        self.staged.finish()
    }
}
