//! Atomic writes of files with [`alfiere_chess::files`], and errors that name the file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::files::{self, FinishedFile, TempFile};
use flate2::write::GzEncoder;

use super::error::DataError;
use super::source::Compression;
#[cfg(target_family = "wasm")]
use super::source::no_zstd;

/// Writes a file with `write`. An existing file at `path` is replaced only when the new one is completely on disk.
///
/// # Errors
/// The file cannot be written, or `write` fails.
pub fn write(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
    files::write_atomic_with(path, write).map_err(|source| DataError::io(path, "write it", source))
}

/// A complete output that is not yet at its path; dropping it deletes the file.
#[derive(Debug)]
pub struct CompleteOutput {
    path: PathBuf,
    file: FinishedFile,
}

impl CompleteOutput {
    /// Flushes the file to disk.
    pub(super) fn new(path: PathBuf, file: TempFile) -> Result<Self, DataError> {
        match file.finish() {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(DataError::io(&path, "write it", source)),
        }
    }

    /// Closes the file, which then no longer keeps other runs away.
    pub(super) fn close(&mut self) {
        self.file.close();
    }

    /// Renames the file to its final path and replaces an existing one.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn publish(self) -> Result<(), DataError> {
        self.file.publish().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Checks that a file can be written at `path`, without leaving a file there.
///
/// # Errors
/// The folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> Result<(), DataError> {
    files::check_writable(path).map_err(|source| DataError::io(path, "write there", source))
}

/// A temporary file next to its final path; dropping it deletes the file.
pub(super) struct OutputFile {
    path: PathBuf,
    file: TempFile,
    encoder: Encoder,
}

enum Encoder {
    None(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    #[cfg(not(target_family = "wasm"))]
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl OutputFile {
    /// Creates a temporary file for `path`.
    pub(super) fn beside(path: &Path) -> Result<Self, DataError> {
        let fail = |source| DataError::io(path, "write it", source);
        let mut file = TempFile::new(path).map_err(fail)?;
        let writer = BufWriter::with_capacity(1 << 20, file.file().try_clone().map_err(fail)?);
        let encoder = match Compression::of_name(path) {
            Compression::None => Encoder::None(writer),
            Compression::Gzip => Encoder::Gzip(GzEncoder::new(writer, flate2::Compression::default())),
            #[cfg(not(target_family = "wasm"))]
            Compression::Zstd => Encoder::Zstd(zstd::Encoder::new(writer, 6).map_err(fail)?),
            #[cfg(target_family = "wasm")]
            Compression::Zstd => return Err(fail(no_zstd())),
        };
        Ok(Self { path: path.to_path_buf(), file, encoder })
    }

    /// Calls `write` with the compressing writer.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), DataError> {
        let written = match &mut self.encoder {
            Encoder::None(file) => write(file),
            Encoder::Gzip(file) => write(file),
            #[cfg(not(target_family = "wasm"))]
            Encoder::Zstd(file) => write(file),
        };
        written.map_err(|source| DataError::io(&self.path, "write it", source))
    }

    /// Finishes the compression and flushes the file to disk.
    pub(super) fn finish(self) -> Result<CompleteOutput, DataError> {
        let ended = match self.encoder {
            Encoder::None(file) => Ok(file),
            Encoder::Gzip(file) => file.finish(),
            #[cfg(not(target_family = "wasm"))]
            Encoder::Zstd(file) => file.finish(),
        };
        let flushed = ended.and_then(|mut file| file.flush());
        flushed.map_err(|source| DataError::io(&self.path, "write it", source))?;
        CompleteOutput::new(self.path, self.file)
    }
}

/// Writes a file atomically, compressed according to its name.
///
/// # Errors
/// If the file cannot be written.
pub fn write_text(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), DataError> {
    let mut file = OutputFile::beside(path)?;
    file.write(write)?;
    file.finish()?.publish()
}
