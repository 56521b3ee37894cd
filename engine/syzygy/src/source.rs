//! The bytes of a file: small files whole in memory, large ones read where they are wanted.
//!
//! No memory map: that would need unsafe code, and a file that shrinks while it is mapped would end the program.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::Damage;

/// Files up to this size are kept in memory once they are used: all tables of four men, nearly all of five.
const SMALL: u64 = 16 << 20;

/// Bytes that all files of one set may keep in memory together.
#[derive(Debug)]
pub(super) struct Allowance(AtomicU64);

impl Default for Allowance {
    fn default() -> Self {
        Self(AtomicU64::new(512 << 20))
    }
}

impl Allowance {
    fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// Where bytes come from.
#[derive(Debug)]
pub(super) enum Source {
    Memory(Vec<u8>),
    File { file: File, length: u64 },
}

impl Source {
    /// Opens a file; nothing but its length is read.
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File { file, length })
    }

    /// The same with its bytes in memory, if it is small enough and the allowance lasts.
    pub(super) fn kept(self, allowance: &Allowance) -> Self {
        let length = self.length();
        if length > SMALL || !allowance.take(length) {
            return self;
        }
        match self.read(0, length as usize).map(Cow::into_owned) {
            Some(bytes) => Self::Memory(bytes),
            None => self,
        }
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { length, .. } => *length,
        }
    }

    /// So many bytes from `offset` on; `None` if the file does not hold them or cannot be read.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_memory_and_one_on_disk_read_the_same() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/syzygy/KQvK.rtbw");
        let file = Source::open(&path).expect("there");
        let kept = Source::open(&path).expect("there").kept(&Allowance::default());
        assert!(matches!((&file, &kept), (Source::File { .. }, Source::Memory(_))));
        let length = file.length();
        for (offset, count) in [(0, 4), (5, 100), (length - 1, 1), (length, 0), (length, 1), (u64::MAX, 2)] {
            assert_eq!(file.read(offset, count), kept.read(offset, count), "{offset} {count}");
        }
        assert!(file.read(length, 1).is_none() && file.read(u64::MAX, 2).is_none());
    }

    #[test]
    fn what_goes_beyond_the_allowance_stays_on_disk() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/syzygy/KQvK.rtbw");
        let allowance = Allowance(AtomicU64::new(10));
        assert!(matches!(Source::open(&path).expect("there").kept(&allowance), Source::File { .. }));
    }
}
