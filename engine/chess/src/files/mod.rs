//! Files: reading plain or gzip-compressed text (here), atomic writes, locks, and checks that outputs do not overwrite inputs.

mod atomic;
mod outputs;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

pub use atomic::{FinishedFile, TempFile, check_writable, try_lock, write_atomic, write_atomic_with};
pub use outputs::{OutputError, check_new, check_outputs};

/// The error of opening or reading a file.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct SourceError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Opens a text file for reading, [without its mark](without_mark), and decompresses it if its name ends in `.gz`.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn Read>, SourceError> {
    open_counted(path, &Arc::default())
}

/// Opens a file as [`open`] does; `count` is increased by the number of bytes read, before decompression.
///
/// # Errors
/// If it cannot be opened.
pub fn open_counted(path: &Path, count: &Arc<AtomicU64>) -> Result<Box<dyn Read>, SourceError> {
    let failed = |source| SourceError { path: path.to_owned(), source };
    let file = Counted { file: File::open(path).map_err(failed)?, count: Arc::clone(count) };
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if is_packed {
        return Ok(Box::new(without_mark(MultiGzDecoder::new(BufReader::new(file))).map_err(failed)?));
    }
    Ok(Box::new(without_mark(file).map_err(failed)?))
}

/// The text after the byte-order mark of UTF-8 that programs of Windows write.
///
/// # Errors
/// If the text is UTF-16, with or without a mark, or cannot be read.
pub fn without_mark<R: Read>(mut input: R) -> io::Result<impl Read + use<R>> {
    let mut head = Vec::new();
    input.by_ref().take(3).read_to_end(&mut head)?;
    match head[..] {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'\t'..=b'~', 0, ..] | [0, b'\t'..=b'~', ..] => {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is UTF-16; save it as UTF-8"));
        }
        [0xEF, 0xBB, 0xBF] => head.clear(),
        _ => {}
    }
    Ok(Cursor::new(head).chain(input))
}

struct Counted {
    file: File,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// The file name of these bytes, as given on a command line or in a pipe; on Unix it need not be UTF-8.
pub fn name_of_bytes(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

/// A line of text: UTF-8, else Windows-1252, the encoding of `ChessBase` and other old programs, in which Latin-1 is the
/// same but for the bytes 80 to 9F.
pub fn decode_line(line: &[u8]) -> Cow<'_, str> {
    let letter = |byte: u8| match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    match str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => line.iter().copied().map(letter).collect::<String>().into(),
    }
}

/// The letters of the bytes 80 to 9F; five have none and are control characters.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Reads a whole text file, each line as [`decode_line`] does.
///
/// # Errors
/// If the file cannot be opened, read or decompressed.
pub fn read_text(path: &Path) -> Result<String, SourceError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|source| SourceError { path: path.to_owned(), source })?;
    Ok(bytes.split_inclusive(|&byte| byte == b'\n').map(decode_line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_utf_8_is_windows_1252() {
        assert_eq!(decode_line(b"\x8Aolak \x8Eolak \x92 \x93 \x94 \x80 M\xFCller"), "Šolak Žolak ’ “ ” € Müller");
        assert_eq!(decode_line("Šolak €".as_bytes()), "Šolak €");
    }

    #[test]
    fn marks_are_skipped_and_utf_16_is_refused() {
        for text in ["", "1", "ab", "1. e4 *", "\u{feff}", "\u{feff}1. e4 *"] {
            let mut read = String::new();
            without_mark(text.as_bytes()).expect("UTF-8").read_to_string(&mut read).expect("UTF-8");
            assert_eq!(read, text.trim_start_matches('\u{feff}'));
        }
        for bytes in [&b"\xFF\xFE1\0"[..], b"\xFE\xFF\x001", b"1\0.\0", b"\x001\0."] {
            let error = without_mark(bytes).err().expect("UTF-16");
            assert!(error.to_string().contains("UTF-16"), "{error}");
        }
    }
}
