//! The bytes of a file: small files are cached in memory, large ones are read on demand.
//!
//! Memory maps are not used, because they require unsafe code and a file that shrinks while mapped would crash the
//! program.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use thiserror::Error;

/// Maximum size of a cached file: all tables of four pieces and nearly all of five are smaller.
const MAX_CACHED_SIZE: u64 = 16 << 20;

/// The memory budget for cached files of a set, in bytes.
#[derive(Debug)]
pub(super) struct CacheBudget(AtomicU64);

impl Default for CacheBudget {
    fn default() -> Self {
        Self(AtomicU64::new(512 << 20))
    }
}

impl CacheBudget {
    fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// The storage of a file's bytes.
#[derive(Debug)]
pub(super) enum Source {
    Memory(Vec<u8>),
    File { file: File, length: u64 },
}

impl Source {
    /// Opens a file and reads only its length.
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File { file, length })
    }

    /// Caches the bytes in memory if the file is small enough and within the budget.
    pub(super) fn cached(self, budget: &CacheBudget) -> Self {
        let length = self.length();
        if length > MAX_CACHED_SIZE || !budget.take(length) {
            return self;
        }
        match self.read(0, length as usize).map(Cow::into_owned) {
            Some(bytes) => Self::Memory(bytes),
            None => self,
        }
    }

    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { length, .. } => *length,
        }
    }

    /// Reads `count` bytes at `offset`; `None` if they are beyond the end or cannot be read.
    pub(super) fn read(&self, offset: u64, count: usize) -> Option<Cow<'_, [u8]>> {
        let end = offset.checked_add(count as u64).filter(|&end| end <= self.length())?;
        match self {
            Self::Memory(bytes) => Some(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Self::File { file, .. } => {
                let mut bytes = vec![0; count];
                read_at(file, &mut bytes, offset).ok()?;
                Some(Cow::Owned(bytes))
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// Where there is no thread that could move the file's position meanwhile.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// Why tablebases cannot be opened.
#[derive(Debug, Error)]
pub enum TablebaseError {
    #[error("cannot read the folder {folder}: {error}")]
    Folder { folder: PathBuf, error: io::Error },
    #[error("no tables in {0}, expected files named like KQvK.rtbw")]
    None(String),
    #[error("no usable table: {0}")]
    AllDamaged(DamagedFile),
}

#[derive(Debug, Error)]
#[error("{} is damaged or incomplete: {damage}", path.display())]
pub struct DamagedFile {
    pub path: PathBuf,
    pub damage: Damage,
}

#[derive(Debug, Error)]
pub enum Damage {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("wrong magic number")]
    Magic,
    #[error("{0} bytes is not a valid table size")]
    Length(u64),
    #[error("the file is shorter than its header says")]
    Short,
    #[error("invalid header: {0}")]
    Header(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_and_uncached_files_read_the_same() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/syzygy/KQvK.rtbw");
        let file = Source::open(&path).expect("there");
        let cached = Source::open(&path).expect("there").cached(&CacheBudget::default());
        assert!(matches!((&file, &cached), (Source::File { .. }, Source::Memory(_))));
        let length = file.length();
        for (offset, count) in [(0, 4), (5, 100), (length - 1, 1), (length, 0), (length, 1), (u64::MAX, 2)] {
            assert_eq!(file.read(offset, count), cached.read(offset, count), "{offset} {count}");
        }
        assert!(file.read(length, 1).is_none() && file.read(u64::MAX, 2).is_none());
    }

    #[test]
    fn files_beyond_the_budget_stay_on_disk() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/syzygy/KQvK.rtbw");
        let budget = CacheBudget(AtomicU64::new(10));
        assert!(matches!(Source::open(&path).expect("there").cached(&budget), Source::File { .. }));
    }
}
