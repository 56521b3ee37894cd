//! The games of a run: a file in viriformat, and an index beside it, by which a stopped run continues.
//!
//! The first line of the index is the settings as JSON. Each other line is a game: its number, the offset of its end in the file,
//! and the key of the position that it started from, in hexadecimal. A game comes into the index when it is on disk, so what
//! follows the last one was not finished.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use alfiere_chess::files::try_lock;
use alfiere_data::{DataError, GameRecord, LeftOut, atomic, write_viri};
use thiserror::Error;

use crate::stored_settings::differences;

/// Bytes of a game in viriformat without its positions, and of a position.
const GAME_BYTES: u64 = 36;
const POSITION_BYTES: u64 = 4;

#[derive(Debug, Error)]
pub enum GameFileError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: the games were made with other settings ({difference}); use the same ones, or another file", path.display())]
    OtherSettings { path: PathBuf, difference: String },
    #[error("{}: another run is writing to this file; wait for it, or use another file", path.display())]
    Busy { path: PathBuf },
    #[error("{}: the file already exists, without its index {}; use another file", path.display(), index.display())]
    NoIndex { path: PathBuf, index: PathBuf },
    #[error("{}:{line}: found `{found}`; expected a game's number, the offset of its end and a key", path.display())]
    Index { path: PathBuf, line: usize, found: String },
}

/// The contents of a file that is continued.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Resumed {
    pub(super) games: u64,
    pub(super) positions: u64,
    /// The number of the next game.
    pub(super) next: u64,
    /// Keys of the start positions of all games.
    pub(super) starts: HashSet<u64>,
    /// Bytes of unfinished games that were cut off.
    pub(super) cut: u64,
}

/// A file open for appending, locked against other writers.
pub(super) struct GameFile {
    path: PathBuf,
    games: File,
    index_path: PathBuf,
    index: File,
    bytes: u64,
    /// Lines of the index for games that may not be on disk yet.
    pending: String,
}

impl GameFile {
    /// Creates a file, or continues one with the same settings (JSON); games that were not finished are cut off.
    pub(super) fn open(path: &Path, settings: &str) -> Result<(Self, Resumed), GameFileError> {
        let fail = |source| DataError::io(path, "write it", source);
        let index_path = index_of(path);
        if !index_path.exists() && path.metadata().is_ok_and(|found| found.len() > 0) {
            return Err(GameFileError::NoIndex { path: path.to_path_buf(), index: index_path });
        }
        let games = OpenOptions::new().create(true).append(true).open(path).map_err(fail)?;
        if !try_lock(&games).map_err(fail)? {
            return Err(GameFileError::Busy { path: path.to_path_buf() });
        }
        let size = games.metadata().map_err(fail)?.len();
        if size == 0 {
            atomic::write(&index_path, |file| writeln!(file, "{settings}"))?;
        }
        let (mut resumed, bytes, index_bytes) = read_index(&index_path, settings, size)?;
        resumed.cut = size - bytes;
        games.set_len(bytes).map_err(fail)?;
        let fail = |source| DataError::io(&index_path, "write it", source);
        let index = OpenOptions::new().append(true).open(&index_path).map_err(fail)?;
        index.set_len(index_bytes).map_err(fail)?;
        Ok((Self { path: path.to_path_buf(), games, index_path, index, bytes, pending: String::new() }, resumed))
    }

    /// Appends a game in one write.
    pub(super) fn push(&mut self, number: u64, key: u64, record: &GameRecord) -> Result<(), GameFileError> {
        let mut buffer = Vec::new();
        let written = write_viri(&mut buffer, record, &mut LeftOut::default())
            .and_then(|()| self.games.write_all(&buffer))
            .and_then(|()| check_named(&self.path));
        written.map_err(|source| DataError::io(&self.path, "write it", source))?;
        self.bytes += buffer.len() as u64;
        // Writing to a string cannot fail.
        let _ = writeln!(self.pending, "{number} {} {key:016x}", self.bytes);
        Ok(())
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Flushes games to disk, then their lines of the index.
    pub(super) fn sync(&mut self) -> Result<(), GameFileError> {
        self.games.sync_data().map_err(|source| DataError::io(&self.path, "write it", source))?;
        // Taken first: after a failure, which may have written some of them, they are not written again.
        let lines = std::mem::take(&mut self.pending);
        let written = self.index.write_all(lines.as_bytes()).and_then(|()| self.index.sync_data());
        let written = written.and_then(|()| check_named(&self.index_path));
        Ok(written.map_err(|source| DataError::io(&self.index_path, "write it", source))?)
    }
}

/// `a.vf.index` of `a.vf`.
fn index_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".index");
    name.into()
}

/// Reads the games that end within a file of this size; also returns their bytes, and those of their lines.
fn read_index(index: &Path, settings: &str, size: u64) -> Result<(Resumed, u64, u64), GameFileError> {
    let text = std::fs::read_to_string(index).map_err(|source| DataError::io(index, "read it", source))?;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if let Some(difference) = differences(first, settings).into_iter().next() {
        return Err(GameFileError::OtherSettings { path: index.to_path_buf(), difference });
    }
    let (mut resumed, mut bytes, mut index_bytes) = (Resumed::default(), 0, first.len() as u64);
    for (line_number, line) in (2..).zip(lines) {
        // The last line may be incomplete.
        let Some(text) = line.strip_suffix('\n') else { break };
        let mut words = text.split(' ');
        let mut next = |radix| u64::from_str_radix(words.next()?, radix).ok();
        let entry = (next(10), next(10), next(16));
        let (Some(number), Some(end @ GAME_BYTES..), Some(key)) = entry else {
            return Err(GameFileError::Index { path: index.to_path_buf(), line: line_number, found: text.to_owned() });
        };
        if end > size {
            break;
        }
        resumed.games += 1;
        resumed.positions += end.saturating_sub(bytes + GAME_BYTES) / POSITION_BYTES;
        resumed.next = number + 1;
        resumed.starts.insert(key);
        (bytes, index_bytes) = (end, index_bytes + line.len() as u64);
    }
    Ok((resumed, bytes, index_bytes))
}

/// Fails if the file was removed: a removed file can still be written to, but not be opened again.
fn check_named(path: &Path) -> io::Result<()> {
    if path.try_exists()? { Ok(()) } else { Err(io::Error::new(io::ErrorKind::NotFound, "the file was removed")) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use alfiere_chess::board::Board;
    use alfiere_data::{Label, Ply, Row, RowResult};

    use super::*;

    const SETTINGS: &str = "{\"seed\":1}";

    fn game(number: u64) -> GameRecord {
        let ply = |cp| Ply { label: Label::Centipawns(cp), played: Some(cp as u8), best: Some(cp as u8) };
        let plies = (0..=number as i16).map(ply).collect();
        GameRecord { start: Row::of_board(&Board::startpos()), result: RowResult::Draw, plies }
    }

    fn push(file: &mut GameFile, numbers: impl Iterator<Item = u64>) {
        numbers.for_each(|number| file.push(number, number + 10, &game(number)).expect("written"));
        file.sync().expect("flushed");
    }

    #[test]
    fn what_the_index_does_not_have_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.vf");
        let (mut file, resumed) = GameFile::open(&path, SETTINGS).expect("new");
        assert_eq!(resumed, Resumed::default());
        push(&mut file, 0..4);
        drop(file);
        let index = index_of(&path);
        let [games, lines] = [&path, &index].map(|path| fs::read(path).expect("bytes"));
        assert_eq!(games.len(), 4 * 36 + (1 + 2 + 3 + 4) * 4);
        let third = lines.len() - "3 184 000000000000000d\n".len();
        // A file that ends in its last game, one with more than the index, and an index with an incomplete line.
        let [short, long] = [games[..games.len() - 1].to_vec(), [&games[..], &[1; 7]].concat()];
        for (games_found, lines_found, kept, cut) in [
            (&short, &lines[..], 3, 51),
            (&long, &lines[..], 4, 7),
            (&games, &lines[..lines.len() - 1], 3, 52),
            (&games, &lines[..third], 3, 52),
        ] {
            fs::write(&path, games_found).expect("written");
            fs::write(&index, lines_found).expect("written");
            let (mut file, resumed) = GameFile::open(&path, SETTINGS).expect("the same settings");
            assert_eq!((resumed.games, resumed.next, resumed.cut), (kept, kept, cut));
            assert_eq!(resumed.positions, kept * (kept + 1) / 2);
            assert_eq!(resumed.starts, (10..10 + kept).collect());
            push(&mut file, kept..4);
            assert!(fs::read(&path).expect("bytes") == games && fs::read(&index).expect("bytes") == lines);
        }
    }

    #[test]
    fn other_settings_writers_and_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.vf");
        let refusal = |settings: &str| GameFile::open(&path, settings).map(|_| ()).expect_err("refused").to_string();
        let (mut file, _) = GameFile::open(&path, SETTINGS).expect("new");
        push(&mut file, 0..2);
        assert!(refusal(SETTINGS).contains("another run is writing"));
        drop(file);
        assert!(refusal("{\"seed\":2}").contains("other settings (seed is 1, not 2)"));
        let index = index_of(&path);
        let lines = fs::read_to_string(&index).expect("text");
        fs::write(&index, lines.replace("\n1 ", "\nx ")).expect("written");
        assert!(refusal(SETTINGS).contains("a.vf.index:3: found `x "));
        fs::remove_file(&index).expect("removed");
        let games = fs::read(&path).expect("bytes");
        assert!(refusal(SETTINGS).contains("without its index"));
        assert!(!index.exists() && fs::read(&path).expect("bytes") == games);
    }
}
