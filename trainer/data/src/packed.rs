//! Packed files: rows in their in-memory layout, with a header and a checksum.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | `ALFROWS` and a zero byte |
//! | 8–11 | format version, little-endian: 1 |
//! | 12–15 | bytes of a row, little-endian: 32 |
//! | 16–23 | number of rows, little-endian |
//! | 24–31 | XXH3 (64 bits, seed 0) of all row bytes, little-endian |
//! | 32– | the rows in order, each in the layout of the `row` module's table |
//!
//! A packed file needs no parsing; only the positions with captures resolved are cached. `--data` accepts it like a CSV.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::files::TempFile;
use bytemuck::{Zeroable, bytes_of, bytes_of_mut, cast_slice, cast_slice_mut};
use xxhash_rust::xxh3::Xxh3;

use super::atomic::CompleteOutput;
use super::error::DataError;
use crate::rows::row::{ROW_BYTES, Row};

const MAGIC: [u8; 8] = *b"ALFROWS\0";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
/// Number of rows that are read together.
pub(super) const CHUNK_ROWS: usize = 1 << 14;

/// The first bytes of a file, see the table of the module.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: u32,
    row_bytes: u32,
    rows: u64,
    checksum: u64,
}

impl Header {
    /// The header of rows whose bytes have this XXH3.
    const fn new(rows: u64, checksum: u64) -> Self {
        Self { magic: MAGIC, version: VERSION, row_bytes: ROW_BYTES as u32, rows, checksum }
    }

    /// Checks the header of a file of `size` bytes; the error is the reason why it is invalid.
    fn check(self, size: u64) -> Result<Self, String> {
        let Self { magic, version, row_bytes, rows, .. } = self;
        if magic != MAGIC {
            return Err("it does not start with `ALFROWS`".to_owned());
        }
        if (version, row_bytes) != (VERSION, ROW_BYTES as u32) {
            return Err(format!("it has format version {version} with rows of {row_bytes} bytes"));
        }
        let expected = rows.checked_mul(ROW_BYTES as u64).and_then(|bytes| bytes.checked_add(HEADER_BYTES as u64));
        if expected != Some(size) {
            return Err(format!("it announces {rows} rows but has {size} bytes"));
        }
        Ok(self)
    }
}

/// The name of a shard of an output: `NAME-0001.packed` and so on.
pub fn shard_path(output: &Path, number: usize) -> PathBuf {
    let mut name: OsString = output.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number:04}.packed"));
    output.with_file_name(name)
}

/// The shards of an output that exist, in the order of their names.
pub fn existing_shards(output: &Path) -> Vec<PathBuf> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let paths = names.map(|name| output.with_file_name(name));
    let mut shards: Vec<PathBuf> = paths.filter(|path| is_shard(output, path)).collect();
    shards.sort();
    shards
}

/// Whether a file has the name of one of the output's shards.
pub fn is_shard(output: &Path, path: &Path) -> bool {
    let [stem, name] = [output.file_stem(), path.file_name()].map(|name| name.unwrap_or_default().to_string_lossy());
    let number = name.strip_prefix(&*stem).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".packed"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number| shard_path(output, number).ends_with(&*name))
}

/// True if the file starts with the magic bytes of packed files.
pub fn is_packed(path: &Path) -> bool {
    let mut head = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == MAGIC
}

/// Reads the header and checks the file's length against it; the file is then at its first row.
fn read_header(path: &Path, file: &mut File) -> Result<Header, DataError> {
    let size = file.metadata().map_err(|source| DataError::io(path, "read it", source))?.len();
    let mut header = Header::zeroed();
    match file.read_exact(bytes_of_mut(&mut header)) {
        Ok(()) => header.check(size).map_err(|problem| DataError::packed(path, problem)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(DataError::packed(path, format!("{size} bytes are too few for a header")))
        }
        Err(error) => Err(DataError::io(path, "read it", error)),
    }
}

/// Reads at most `limit` rows of a packed file; the checksum is verified if all rows are read.
///
/// # Errors
/// If the file cannot be read, has another version, a wrong length or a wrong checksum.
pub fn read_packed(path: &Path, limit: Option<usize>) -> Result<Vec<Row>, DataError> {
    let mut all = Vec::new();
    read_chunks(path, limit, &mut |rows, [_, of]| {
        if all.is_empty() {
            all.reserve_exact(limit.map_or(of, |limit| of.min(limit as u64)) as usize);
        }
        all.extend_from_slice(rows);
        Ok(())
    })?;
    Ok(all)
}

/// What takes a chunk of rows, with the number of rows so far and that of the file.
pub(super) type OnChunk<'a> = dyn FnMut(&[Row], [u64; 2]) -> Result<(), DataError> + 'a;

/// Passes the rows of a packed file to `on_chunk` in chunks; otherwise as [`read_packed`].
pub(super) fn read_chunks(path: &Path, limit: Option<usize>, on_chunk: &mut OnChunk<'_>) -> Result<(), DataError> {
    let fail = |source| DataError::io(path, "read it", source);
    let mut file = File::open(path).map_err(fail)?;
    let header = read_header(path, &mut file)?;
    let wanted = limit.map_or(header.rows, |limit| header.rows.min(limit as u64));
    let mut hash = Xxh3::new();
    let mut rows = Vec::new();
    let mut done = 0;
    while done < wanted {
        rows.resize((wanted - done).min(CHUNK_ROWS as u64) as usize, Row::zeroed());
        let bytes = cast_slice_mut(&mut rows);
        file.read_exact(bytes).map_err(fail)?;
        hash.update(bytes);
        if let Some(index) = rows.iter().position(|row| !row.is_sound()) {
            let number = done + index as u64 + 1;
            return Err(DataError::packed(path, format!("row {number} is not a valid position")));
        }
        done += rows.len() as u64;
        on_chunk(&rows, [done, header.rows])?;
    }
    if wanted == header.rows && hash.digest() != header.checksum {
        return Err(DataError::packed(path, "its checksum is wrong".to_owned()));
    }
    Ok(())
}

/// A temporary packed file next to its final path; dropping it deletes the file.
pub struct PackedWriter {
    path: PathBuf,
    file: TempFile,
    rows: u64,
    hash: Xxh3,
}

impl PackedWriter {
    /// Creates a temporary file for `path`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn beside(path: &Path) -> Result<Self, DataError> {
        let begin = || -> io::Result<TempFile> {
            let mut file = TempFile::new(path)?;
            // Overwritten at the end, when the number of rows and the checksum are known.
            file.file().write_all(&[0; HEADER_BYTES])?;
            Ok(file)
        };
        let file = begin().map_err(|source| DataError::io(path, "write it", source))?;
        Ok(Self { path: path.to_path_buf(), file, rows: 0, hash: Xxh3::new() })
    }

    /// Rows written.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends rows.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let bytes = cast_slice(rows);
        self.hash.update(bytes);
        self.rows += rows.len() as u64;
        self.file.file().write_all(bytes).map_err(|source| DataError::io(&self.path, "write it", source))
    }

    /// Completes the header and flushes the file to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<CompleteOutput, DataError> {
        let header = Header::new(self.rows, self.hash.digest());
        let file = self.file.file();
        let mut complete = || -> io::Result<()> {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(bytes_of(&header))
        };
        complete().map_err(|source| DataError::io(&self.path, "write it", source))?;
        CompleteOutput::new(self.path, self.file)
    }
}

/// Writes rows to a packed file atomically.
///
/// # Errors
/// The file cannot be written.
pub fn write_packed(path: &Path, rows: &[Row]) -> Result<(), DataError> {
    let mut writer = PackedWriter::beside(path)?;
    writer.push(rows)?;
    writer.finish()?.publish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, write_packed};

    #[test]
    fn rows_come_back_and_damage_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.packed");
        let rows = sample::rows(20_000);
        write_packed(&path, &rows).expect("written");
        assert!(is_packed(&path));
        assert_eq!(read_packed(&path, None).expect("read"), rows);
        assert_eq!(read_packed(&path, Some(5)).expect("read"), rows[..5]);
        let whole = std::fs::read(&path).expect("bytes");
        assert_eq!(whole.len(), 32 + 32 * rows.len());
        for (at, what) in [(9, "version"), (13, "row size"), (17, "count"), (25, "checksum"), (62, "a row")] {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            std::fs::write(&path, &damaged).expect("written");
            assert!(matches!(read_packed(&path, None), Err(DataError::Packed { .. })), "{what}");
        }
        for length in [0, 7, 31, 32, 63, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).expect("written");
            assert!(read_packed(&path, None).is_err(), "{length} bytes");
        }
    }
}
