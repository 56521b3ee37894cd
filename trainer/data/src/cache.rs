//! Caches of parsed rows next to their files, so that later runs neither parse them nor resolve their captures.
//!
//! The only module that uses bincode. A cache is rejected and rebuilt if its version, the fingerprint of its source or
//! its checksum does not match. Its bytes: a bincode [`Header`], then the packed rows in chunks, each a bincode byte
//! vector (none for packed files, whose own rows are read), then likewise the rows that resolving captures
//! changes, each behind its index (`u32`, little-endian), then a bincode `u64`: the XXH3 of everything before it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use bincode::Options;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::atomic;
use super::error::DataError;
use super::packed::CHUNK_ROWS;
use crate::rows::label::LabelUnit;
use crate::rows::row::{ROW_BYTES, Row};
use crate::rows::row_store::RowStore;
use crate::rows::samples::ChangedRows;
use crate::text::read_options::ReadReport;

const MAGIC: [u8; 8] = *b"ALFCACHE";
/// Incremented when the meaning of rows, labels or this format changes.
const VERSION: u32 = 7;
/// An index and a row.
const CHANGED_BYTES: usize = 4 + ROW_BYTES;
const CHANGED_PER_PART: usize = 1 << 16;
/// Maximum length of a part, checked before allocating because a length may be damaged.
const MAX_PART_BYTES: u64 = 64 << 20;

/// The fingerprint of a file: size and XXH3 of its content, as compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    pub size: u64,
    /// XXH3 (64 bits) of them.
    pub hash: u64,
}

impl Fingerprint {
    /// Reads the whole file once.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(path: &Path) -> Result<Self, DataError> {
        let fail = |source| DataError::io(path, "read it", source);
        let mut file = File::open(path).map_err(|source| DataError::io(path, "open it", source))?;
        let mut hash = Xxh3::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            let count = file.read(&mut buffer).map_err(fail)?;
            if count == 0 {
                break;
            }
            hash.update(&buffer[..count]);
        }
        Ok(Self { size: file.metadata().map_or(0, |data| data.len()), hash: hash.digest() })
    }

    /// Of content in memory.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        Self { size: bytes.len() as u64, hash: xxhash_rust::xxh3::xxh3_64(bytes) }
    }
}

impl std::fmt::Display for Fingerprint {
    /// The content's hash in hexadecimal, as in cards and reports.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "xxh3:{:016x}", self.hash)
    }
}

/// Where caches are stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum CacheLocation {
    /// `FILE.cache` beside each file.
    #[default]
    Beside,
    /// In this folder, which is created if it does not exist.
    Folder(PathBuf),
    /// No caches: every run parses the files.
    Off,
}

impl CacheLocation {
    /// The cache file of a source, named in a folder by the source's own name and a hash of its full path. Rows of another
    /// unit have a cache of their own, and a temporary copy (`.part`) has none.
    pub fn path_for(&self, source: &Path, unit: LabelUnit) -> Option<PathBuf> {
        if source.extension().is_some_and(|ending| ending == "part") {
            return None;
        }
        let mut name = source.file_name()?.to_os_string();
        if unit == LabelUnit::Pawns {
            name.push(".pawns");
        }
        match self {
            Self::Off => None,
            Self::Beside => {
                name.push(".cache");
                Some(source.with_file_name(name))
            }
            Self::Folder(folder) => {
                let full = source.canonicalize().unwrap_or_else(|_| source.to_path_buf());
                let hash = xxhash_rust::xxh3::xxh3_64(full.as_os_str().as_encoded_bytes());
                name.push(format!(".{hash:08x}.cache"));
                Some(folder.join(name))
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    magic: [u8; 8],
    version: u32,
    fingerprint: Fingerprint,
    rows: u64,
    changed: u64,
    report: ReadReport,
}

pub(super) enum Lookup {
    Hit(ReadReport),
    /// No cache.
    Missing,
    /// The cache cannot be used, for this reason.
    Refused(&'static str),
}

pub(super) fn write(
    path: &Path,
    fingerprint: Fingerprint,
    rows: &[Row],
    changed: &ChangedRows,
    report: &ReadReport,
) -> Result<(), DataError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|source| DataError::io(folder, "create this folder", source))?;
    }
    let header = Header {
        magic: MAGIC,
        version: VERSION,
        fingerprint,
        rows: rows.len() as u64,
        changed: changed.len() as u64,
        report: report.clone(),
    };
    atomic::write(path, |file| {
        let mut file = Hashing { inner: BufWriter::with_capacity(1 << 20, file), hash: Xxh3::new() };
        put(&mut file, &header)?;
        rows.chunks(CHUNK_ROWS).try_for_each(|chunk| put(&mut file, bytemuck::cast_slice::<Row, u8>(chunk)))?;
        let mut changed = changed.iter().peekable();
        while changed.peek().is_some() {
            let part = changed.by_ref().take(CHANGED_PER_PART);
            let bytes = part.flat_map(|(index, row)| index.to_le_bytes().into_iter().chain(row.to_bytes()));
            put(&mut file, &bytes.collect::<Vec<u8>>())?;
        }
        let hash = file.hash.digest();
        put(&mut file, &hash)?;
        file.inner.flush()
    })
}

/// Looks for rows of the source with this fingerprint, and appends them and those that resolving captures changes; also some of
/// a cache that is refused.
///
/// # Errors
/// The rows cannot be stored.
pub(super) fn read(
    path: &Path,
    fingerprint: Fingerprint,
    rows: &mut RowStore,
    changed: &mut ChangedRows,
) -> Result<Lookup, DataError> {
    let Ok(file) = File::open(path) else { return Ok(Lookup::Missing) };
    let refused = |reason| Ok(Lookup::Refused(reason));
    let damaged = || refused("it is damaged");
    let Ok(size) = file.metadata().map(|data| data.len()) else { return damaged() };
    let mut file = Hashing { inner: BufReader::with_capacity(1 << 20, file), hash: Xxh3::new() };
    let header = get(&mut file).ok().filter(|header: &Header| header.magic == MAGIC && header.version == VERSION);
    let Some(header) = header else { return refused("it is not a cache of this version") };
    if header.fingerprint != fingerprint {
        return refused("its file has changed");
    }
    if header.rows > size / ROW_BYTES as u64 {
        return damaged();
    }
    rows.reserve(header.rows as usize);
    changed.reserve(header.changed.min(size / CHANGED_BYTES as u64) as usize);
    let [mut left, mut changed_left] = [header.rows, header.changed];
    while left > 0 {
        let part = get_part(&mut file, &mut left, |bytes: &[u8; ROW_BYTES]| Row::from_bytes(bytes));
        let Some(part) = part else { return damaged() };
        rows.extend(&part)?;
    }
    while changed_left > 0 {
        let part = get_part(&mut file, &mut changed_left, |bytes: &[u8; CHANGED_BYTES]| {
            let (index, row) = bytes.split_first_chunk::<4>()?;
            let index = Some(u32::from_le_bytes(*index)).filter(|&index| u64::from(index) < size)?;
            Some((index, Row::from_bytes(row.first_chunk()?)?))
        });
        let Some(part) = part else { return damaged() };
        changed.extend(&part)?;
    }
    let hash = file.hash.digest();
    let Ok(written) = get::<u64>(&mut file) else { return damaged() };
    let is_end = file.inner.bytes().next().is_none();
    if hash == written && is_end { Ok(Lookup::Hit(header.report)) } else { refused("its checksum is wrong") }
}

/// The next part of equal records, of which `left` are still to be read; `None` if it is damaged.
fn get_part<T, const BYTES: usize>(
    file: &mut impl Read,
    left: &mut u64,
    record: impl Fn(&[u8; BYTES]) -> Option<T>,
) -> Option<Vec<T>> {
    let bytes: Vec<u8> = get(file).ok()?;
    let (records, rest) = bytes.as_chunks();
    if records.is_empty() || !rest.is_empty() {
        return None;
    }
    *left = left.checked_sub(records.len() as u64)?;
    records.iter().map(record).collect()
}

/// A reader or writer that hashes all bytes.
struct Hashing<T> {
    inner: T,
    hash: Xxh3,
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

fn format() -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_PART_BYTES)
}

fn put<T: Serialize + ?Sized>(out: &mut impl Write, value: &T) -> io::Result<()> {
    format().serialize_into(out, value).map_err(|error| match *error {
        bincode::ErrorKind::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })
}

fn get<T: for<'a> Deserialize<'a>>(input: &mut impl Read) -> bincode::Result<T> {
    format().deserialize_from(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_cache_fits_its_source_or_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/rows.csv.cache");
        let rows = sample::rows(40_000);
        let ends: Vec<(u32, Row)> = (0..).step_by(3).zip(rows.iter().step_by(3).copied()).collect();
        let mut changed = ChangedRows::default();
        changed.extend(&ends).expect("in memory");
        let read = |print| {
            let (mut rows, mut changed) = (RowStore::default(), ChangedRows::default());
            (read(&path, print, &mut rows, &mut changed).expect("in memory"), rows, changed)
        };
        let report = ReadReport { rows: 40_000, bad_rows: 3, ..ReadReport::default() };
        let print = Fingerprint { size: 9, hash: 8 };
        assert!(matches!(read(print).0, Lookup::Missing));
        write(&path, print, &rows, &changed, &report).expect("written");
        let (found, read_rows, read_changed) = read(print);
        assert!(
            matches!(found, Lookup::Hit(found) if found == report) && *read_rows == rows && read_changed == changed
        );
        let stale = Fingerprint { hash: 1, ..print };
        assert!(matches!(read(stale).0, Lookup::Refused("its file has changed")));
        let whole = std::fs::read(&path).expect("bytes");
        for at in (0..whole.len()).step_by(whole.len() / 50).chain([whole.len() - 1]) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            std::fs::write(&path, &damaged).expect("written");
            assert!(matches!(read(print).0, Lookup::Refused(_)), "byte {at}");
            std::fs::write(&path, &whole[..at]).expect("written");
            assert!(matches!(read(print).0, Lookup::Refused(_)), "cut at {at}");
        }
    }

    #[test]
    fn a_fingerprint_follows_the_content() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), b"one").expect("written");
        let one = Fingerprint::of(file.path()).expect("readable");
        assert_eq!(one.size, 3);
        std::fs::write(file.path(), b"two").expect("written");
        assert_ne!(Fingerprint::of(file.path()).expect("readable").hash, one.hash);
    }

    #[test]
    fn caches_in_a_folder_do_not_meet() {
        let of = |place: &CacheLocation, name: &str| place.path_for(Path::new(name), LabelUnit::Centipawns);
        let folder = CacheLocation::Folder(PathBuf::from("caches"));
        assert_ne!(of(&folder, "a/x.csv"), of(&folder, "b/x.csv"));
        assert_eq!(of(&CacheLocation::Beside, "a/x.csv"), Some(PathBuf::from("a/x.csv.cache")));
        assert_eq!(of(&CacheLocation::Off, "a/x.csv"), None);
    }
}
