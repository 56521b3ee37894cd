//! Rows in memory, or in a temporary file that is mapped into memory.
//!
//! Pages of a mapped file are read when they are used, and the system drops them when memory is short.

#![allow(unsafe_code, reason = "a mapped file")]

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use memmap2::MmapMut;

use super::row::{ROW_BYTES, Row};
use crate::error::DataError;

/// Where the rows of a set are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RowPlace {
    #[default]
    Memory,
    /// Files without a name in this folder, which the system deletes with the program.
    Folder(PathBuf),
}

/// A list of rows, which is read and changed as a slice.
#[derive(Debug)]
pub enum RowStore {
    Memory(Vec<Row>),
    File(MappedRows),
}

/// Rows in a file.
#[derive(Debug)]
pub struct MappedRows {
    folder: PathBuf,
    file: File,
    /// All of the file; `None` if it is empty.
    map: Option<MmapMut>,
}

impl RowStore {
    /// A list without rows.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(crate) fn new(place: &RowPlace) -> Result<Self, DataError> {
        Ok(match place {
            RowPlace::Memory => Self::default(),
            RowPlace::Folder(folder) => {
                let file = tempfile::tempfile_in(folder).map_err(|source| failed(folder, source))?;
                Self::File(MappedRows { folder: folder.clone(), file, map: None })
            }
        })
    }

    /// Prepares for this number of more rows, so that none is moved; a number that is too large has no effect.
    pub(crate) fn reserve(&mut self, more: usize) {
        if let Self::Memory(rows) = self {
            let _ = rows.try_reserve(more);
        }
    }

    /// Appends rows.
    ///
    /// # Errors
    /// The file cannot be written, or there are too many rows for their indices.
    pub(crate) fn extend(&mut self, more: &[Row]) -> Result<(), DataError> {
        let rows = (self.len() + more.len()) as u64;
        if rows > u64::from(u32::MAX) {
            return Err(DataError::TooManyRows { rows });
        }
        match self {
            Self::Memory(rows) => rows.extend_from_slice(more),
            Self::File(rows) => rows.change(|file| {
                file.seek(SeekFrom::End(0))?;
                file.write_all(bytemuck::cast_slice(more))
            })?,
        }
        Ok(())
    }

    /// Keeps the first `count` rows.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub(crate) fn truncate(&mut self, count: usize) -> Result<(), DataError> {
        match self {
            Self::Memory(rows) => rows.truncate(count),
            Self::File(rows) if count < rows.rows().len() => {
                rows.change(|file| file.set_len((count * ROW_BYTES) as u64))?;
            }
            Self::File(_) => {}
        }
        Ok(())
    }
}

impl MappedRows {
    /// Changes the file, which is not mapped meanwhile.
    fn change(&mut self, change: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
        self.map = None;
        let changed = change(&mut self.file).and_then(|()| mapped(&self.file));
        self.map = changed.map_err(|source| failed(&self.folder, source))?;
        Ok(())
    }

    fn rows(&self) -> &[Row] {
        self.map.as_deref().map_or(&[], bytemuck::cast_slice)
    }
}

fn mapped(file: &File) -> io::Result<Option<MmapMut>> {
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    // SAFETY: The file has no name and is open only here, so nothing else changes its bytes or its length.
    unsafe { MmapMut::map_mut(file) }.map(Some)
}

fn failed(folder: &std::path::Path, source: io::Error) -> DataError {
    DataError::io(folder, "keep a temporary file of rows there (`--cache-dir` names another folder)", source)
}

impl Default for RowStore {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl From<Vec<Row>> for RowStore {
    fn from(rows: Vec<Row>) -> Self {
        Self::Memory(rows)
    }
}

impl Deref for RowStore {
    type Target = [Row];

    fn deref(&self) -> &[Row] {
        match self {
            Self::Memory(rows) => rows,
            Self::File(rows) => rows.rows(),
        }
    }
}

impl DerefMut for RowStore {
    fn deref_mut(&mut self) -> &mut [Row] {
        match self {
            Self::Memory(rows) => rows,
            Self::File(rows) => rows.map.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut),
        }
    }
}

impl AsRef<[Row]> for RowStore {
    fn as_ref(&self) -> &[Row] {
        self
    }
}

impl PartialEq for RowStore {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn rows_in_a_file_are_those_of_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = sample::rows(1_000);
        let mut stores = [RowPlace::Memory, RowPlace::Folder(folder.path().into())]
            .map(|place| RowStore::new(&place).expect("a place"));
        for store in &mut stores {
            store.extend(&[]).expect("nothing");
            assert!(store.is_empty());
            store.extend(&rows[..600]).expect("rows");
            store.truncate(500).expect("fewer rows");
            store.truncate(700).expect("no change");
            store.extend(&rows[500..]).expect("more rows");
            assert_eq!(**store, rows);
            store[7] = rows[8];
            store.truncate(8).expect("fewer rows");
            assert_eq!(**store, [&rows[..7], &rows[8..9]].concat());
        }
        assert!(stores[0] == stores[1] && std::fs::read_dir(folder.path()).expect("a folder").next().is_none());
        let missing = RowStore::new(&RowPlace::Folder(folder.path().join("missing")));
        assert!(missing.expect_err("no folder").to_string().contains("`--cache-dir` names another folder"));
    }
}
