//! A file that records are appended to, from which a stopped run continues, with an index beside it.
//!
//! The first line of the index is the settings as JSON. Each other line is a record: its number, the offset of its end in the file,
//! and details. A record comes into the index when it is on disk, so what follows the last one was not finished.

use std::fmt::{Display, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alfiere_chess::files::try_lock;
use alfiere_data::{DataError, atomic, write_text};
use thiserror::Error;

use crate::stored_settings::{StoredSettingsError, check};

/// Time between two flushes to disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug, Error)]
pub enum ResumableFileError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Settings(#[from] StoredSettingsError),
    #[error("{}: another run is writing to this file; wait for it, or use another file", path.display())]
    Busy { path: PathBuf },
    #[error("{}: the file already exists, without its index {}; delete it, or use another file", path.display(), index.display())]
    NoIndex { path: PathBuf, index: PathBuf },
    #[error("{}:{line}: found `{found}`; expected a record's number, the offset of its end, and details", path.display())]
    Index { path: PathBuf, line: usize, found: String },
}

/// A file open for appending, locked against other writers.
#[derive(Debug)]
pub(crate) struct ResumableFile {
    pub(crate) path: PathBuf,
    file: File,
    index_path: PathBuf,
    index: File,
    /// Size of its records in bytes.
    pub(crate) bytes: u64,
    /// The number after that of the last record.
    pub(crate) next: u64,
    /// Bytes of unfinished records that were cut off when it was opened.
    pub(crate) cut: u64,
    /// Lines of the index for records that may not be on disk yet.
    pending: String,
    synced: Instant,
}

impl ResumableFile {
    /// Creates a file, or continues one with the same settings (JSON); records that were not finished are cut off. The details of
    /// each record, and its bytes, are passed to `known`, which returns `None` for invalid ones.
    pub(crate) fn open(
        path: &Path,
        settings: &str,
        known: impl FnMut(&str, u64) -> Option<()>,
    ) -> Result<Self, ResumableFileError> {
        let fail = |source| DataError::io(path, "write it", source);
        let index_path = path.with_added_extension("index");
        if !index_path.exists() && path.metadata().is_ok_and(|found| found.len() > 0) {
            return Err(ResumableFileError::NoIndex { path: path.to_path_buf(), index: index_path });
        }
        let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(fail)?;
        if !try_lock(&file).map_err(fail)? {
            return Err(ResumableFileError::Busy { path: path.to_path_buf() });
        }
        let size = file.metadata().map_err(fail)?.len();
        if size == 0 {
            atomic::write(&index_path, |file| writeln!(file, "{settings}"))?;
        }
        let (next, bytes, index_bytes) = read_index(&index_path, settings, size, known)?;
        file.set_len(bytes).map_err(fail)?;
        let fail = |source| DataError::io(&index_path, "write it", source);
        let index = OpenOptions::new().append(true).open(&index_path).map_err(fail)?;
        index.set_len(index_bytes).map_err(fail)?;
        let (path, cut, pending, synced) = (path.to_path_buf(), size - bytes, String::new(), Instant::now());
        Ok(Self { path, file, index_path, index, bytes, next, cut, pending, synced })
    }

    /// Appends a record in one write.
    pub(crate) fn push(&mut self, number: u64, record: &[u8], details: impl Display) -> Result<(), ResumableFileError> {
        let written = self.file.write_all(record).and_then(|()| check_named(&self.path));
        written.map_err(|source| DataError::io(&self.path, "write it", source))?;
        self.bytes += record.len() as u64;
        self.next = number + 1;
        // Writing to a string cannot fail.
        let _ = writeln!(self.pending, "{number} {} {details}", self.bytes);
        Ok(())
    }

    /// Flushes records to disk if the last time is a second ago.
    pub(crate) fn sync_regularly(&mut self) -> Result<(), ResumableFileError> {
        if self.synced.elapsed() < SYNC_INTERVAL { Ok(()) } else { self.sync() }
    }

    /// Flushes records to disk, then their lines of the index.
    pub(crate) fn sync(&mut self) -> Result<(), ResumableFileError> {
        self.file.sync_data().map_err(|source| DataError::io(&self.path, "write it", source))?;
        // Taken first: after a failure, which may have written some of them, they are not written again.
        let lines = std::mem::take(&mut self.pending);
        let written = self.index.write_all(lines.as_bytes()).and_then(|()| self.index.sync_data());
        let written = written.and_then(|()| check_named(&self.index_path));
        self.synced = Instant::now();
        Ok(written.map_err(|source| DataError::io(&self.index_path, "write it", source))?)
    }

    /// Copies the records to a file, compressed according to its name, and removes this file and its index.
    pub(crate) fn publish(mut self, output: &Path) -> Result<(), ResumableFileError> {
        write_text(output, |out| self.file.rewind().and_then(|()| io::copy(&mut self.file, out)).map(drop))?;
        for path in [&self.path, &self.index_path] {
            fs::remove_file(path).map_err(|source| DataError::io(path, "remove it", source))?;
        }
        Ok(())
    }
}

/// Reads the records that end within a file of this size; returns the next number, their bytes, and those of their lines.
fn read_index(
    index: &Path,
    settings: &str,
    size: u64,
    mut known: impl FnMut(&str, u64) -> Option<()>,
) -> Result<(u64, u64, u64), ResumableFileError> {
    let text = fs::read_to_string(index).map_err(|source| DataError::io(index, "read it", source))?;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    check(index, first, settings)?;
    let (mut next, mut bytes, mut index_bytes) = (0, 0, first.len() as u64);
    for (line_number, line) in (2..).zip(lines) {
        // The last line may be incomplete.
        let Some(text) = line.strip_suffix('\n') else { break };
        let damaged =
            || ResumableFileError::Index { path: index.to_path_buf(), line: line_number, found: text.to_owned() };
        let mut words = text.splitn(3, ' ');
        let mut number = || words.next()?.parse::<u64>().ok();
        let (Some(number), Some(end)) = (number(), number()) else { return Err(damaged()) };
        if end > size {
            break;
        }
        let length = end.checked_sub(bytes).ok_or_else(damaged)?;
        words.next().and_then(|details| known(details, length)).ok_or_else(damaged)?;
        (next, bytes, index_bytes) = (number + 1, end, index_bytes + line.len() as u64);
    }
    Ok((next, bytes, index_bytes))
}

/// Fails if the file was removed: a removed file can still be written to, but not be opened again.
fn check_named(path: &Path) -> io::Result<()> {
    if path.try_exists()? { Ok(()) } else { Err(io::Error::new(io::ErrorKind::NotFound, "the file was removed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = "{\"seed\":1}";

    /// Opens a file of the numbers from 0; also returns the details and lengths of its records.
    fn open(path: &Path, settings: &str) -> Result<(ResumableFile, Vec<(u64, u64)>), ResumableFileError> {
        let mut found = Vec::new();
        let file = ResumableFile::open(path, settings, |details, length| {
            found.push((details.strip_prefix("x ")?.parse().ok()?, length));
            Some(())
        });
        file.map(|file| (file, found))
    }

    fn push(file: &mut ResumableFile, numbers: std::ops::Range<u64>) {
        for number in numbers {
            let text = "record".repeat(number as usize + 1);
            file.push(number, text.as_bytes(), format_args!("x {number}")).expect("written");
        }
        file.sync().expect("flushed");
    }

    #[test]
    fn what_the_index_does_not_have_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let (mut file, found) = open(&path, SETTINGS).expect("new");
        assert_eq!((file.next, file.bytes, found.len()), (0, 0, 0));
        push(&mut file, 0..4);
        let index = file.index_path.clone();
        drop(file);
        let [records, lines] = [&path, &index].map(|path| fs::read(path).expect("bytes"));
        let third = lines.len() - "3 60 x 3\n".len();
        // A file that ends in its last record, one with more than the index, and an index with an incomplete line.
        let [short, long] = [records[..records.len() - 1].to_vec(), [&records[..], &[1; 7]].concat()];
        for (records_found, lines_found, kept, cut) in [
            (&short, &lines[..], 3, 23),
            (&long, &lines[..], 4, 7),
            (&records, &lines[..lines.len() - 1], 3, 24),
            (&records, &lines[..third], 3, 24),
        ] {
            fs::write(&path, records_found).expect("written");
            fs::write(&index, lines_found).expect("written");
            let (mut file, found) = open(&path, SETTINGS).expect("the same settings");
            assert_eq!((file.next, file.cut), (kept, cut));
            assert_eq!(found, (0..kept).map(|number| (number, 6 * (number + 1))).collect::<Vec<_>>());
            push(&mut file, kept..4);
            assert!(fs::read(&path).expect("bytes") == records && fs::read(&index).expect("bytes") == lines);
        }
        let output = folder.path().join("b.csv");
        open(&path, SETTINGS).expect("complete").0.publish(&output).expect("written");
        assert!(fs::read(&output).expect("bytes") == records && !path.exists() && !index.exists());
    }

    #[test]
    fn other_settings_writers_and_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.vf");
        let refusal = |settings: &str| open(&path, settings).map(drop).expect_err("refused").to_string();
        let (mut file, _) = open(&path, SETTINGS).expect("new");
        push(&mut file, 0..2);
        assert!(refusal(SETTINGS).contains("another run is writing"));
        drop(file);
        assert!(refusal("{\"seed\":2}").contains("other settings (seed is 1, not 2)"));
        let index = path.with_added_extension("index");
        let lines = fs::read_to_string(&index).expect("text");
        for (line, found) in [("\n1 18 x 1", "\nx 18 x 1"), ("\n1 18 x 1", "\n1 18 y"), ("\n1 18", "\n1 5")] {
            fs::write(&index, lines.replace(line, found)).expect("written");
            assert!(refusal(SETTINGS).contains(&format!("a.vf.index:3: found `{}", found.trim())), "{found}");
        }
        fs::write(&index, "no settings").expect("written");
        assert!(refusal(SETTINGS).contains("a.vf.index: cannot read its settings: "));
        fs::remove_file(&index).expect("removed");
        let records = fs::read(&path).expect("bytes");
        assert!(refusal(SETTINGS).contains("without its index"));
        assert!(!index.exists() && fs::read(&path).expect("bytes") == records);
    }
}
