//! The tables of several folders: found, checked, and opened on first use.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fmt, fs};

use alfiere_chess::board::Board;
use alfiere_chess::files::name_of_bytes;

use super::Wdl;
use super::material::Material;
use super::source::{CacheBudget, DamagedFile, TablebaseError};
use super::table::{Distance, Kind, Table, TableSides};

/// The separator of folders in a path.
pub const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// A file with a valid header; opened again on first use.
#[derive(Debug)]
struct File {
    path: PathBuf,
    kind: Kind,
    /// `None` inside if the file was removed or changed since.
    table: OnceLock<Option<Table>>,
}

/// The tables of one material.
#[derive(Default, Debug)]
struct Files {
    wdl: Option<File>,
    dtz: Option<File>,
}

impl Files {
    fn slot(&mut self, kind: Kind) -> &mut Option<File> {
        match kind {
            Kind::Wdl => &mut self.wdl,
            Kind::Dtz => &mut self.dtz,
        }
    }
}

/// A set of tables, possibly empty. Probing is thread-safe.
#[derive(Default, Debug)]
pub struct Tablebases {
    files: HashMap<Material, Files>,
    cache_budget: CacheBudget,
    largest: usize,
    damaged: Vec<DamagedFile>,
}

impl Tablebases {
    pub fn none() -> Self {
        Self::default()
    }

    /// Opens the tables of several folders separated by [`SEPARATOR`]; of two files with the same name the first is
    /// used.
    ///
    /// Damaged files are left out and listed in [`Self::damaged`].
    ///
    /// # Errors
    /// If a folder cannot be read, or no folder has a usable table.
    pub fn open(path: impl AsRef<OsStr>) -> Result<Self, TablebaseError> {
        let (mut set, path) = (Self::none(), path.as_ref());
        let folders = path.as_encoded_bytes().split(|&byte| byte == SEPARATOR as u8).map(<[u8]>::trim_ascii);
        for folder in folders.filter(|folder| !folder.is_empty()) {
            set.add_folder(Path::new(&name_of_bytes(folder)))?;
        }
        if set.is_empty() {
            return Err(match set.damaged.into_iter().next() {
                Some(first) => TablebaseError::AllDamaged(first),
                None => TablebaseError::None(path.display().to_string()),
            });
        }
        Ok(set)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), TablebaseError> {
        let failed = |error| TablebaseError::Folder { folder: folder.to_owned(), error };
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.sort();
        for path in paths {
            self.add_file(path);
        }
        Ok(())
    }

    fn add_file(&mut self, path: PathBuf) {
        let text = |part: Option<&OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
        let Some(extension) = text(path.extension()) else { return };
        let Some(kind) = [Kind::Wdl, Kind::Dtz].into_iter().find(|kind| kind.extension() == extension) else { return };
        let Some(material) = text(path.file_stem()).and_then(|name| Material::parse(&name)) else { return };
        if self.files.get_mut(&material).is_some_and(|files| files.slot(kind).is_some()) {
            return;
        }
        match Table::open(&path, kind, material) {
            Ok(_) => {
                self.largest = self.largest.max(if kind == Kind::Wdl { material.piece_count() } else { 0 });
                let file = File { path, kind, table: OnceLock::new() };
                *self.files.entry(material).or_default().slot(kind) = Some(file);
            }
            Err(damage) => self.damaged.push(DamagedFile { path, damage }),
        }
    }

    /// The maximum number of pieces in a WDL table, including kings; 0 without tables.
    pub fn largest(&self) -> usize {
        self.largest
    }

    pub fn is_empty(&self) -> bool {
        self.largest == 0
    }

    /// The damaged files that were left out.
    pub fn damaged(&self) -> &[DamagedFile] {
        &self.damaged
    }

    /// The number of WDL tables and of DTZ tables.
    fn counts(&self) -> [usize; 2] {
        let count = |has: fn(&Files) -> bool| self.files.values().filter(|files| has(files)).count();
        [count(|files| files.wdl.is_some()), count(|files| files.dtz.is_some())]
    }

    pub(super) fn stored_wdl(&self, board: &Board) -> Option<Wdl> {
        let material = Material::of(board);
        if material.is_kings_only() {
            return Some(Wdl::Draw);
        }
        let (table, sides) = self.table(board, material, Kind::Wdl)?;
        table.wdl(board, sides)
    }

    pub(super) fn stored_dtz(&self, board: &Board, wdl: Wdl) -> Option<Distance> {
        let (table, sides) = self.table(board, Material::of(board), Kind::Dtz)?;
        table.dtz(board, sides, wdl)
    }

    fn table(&self, board: &Board, material: Material, kind: Kind) -> Option<(&Table, TableSides)> {
        let (named, files) = [material, material.swapped()]
            .into_iter()
            .find_map(|named| self.files.get(&named).map(|files| (named, files)))?;
        let file = match kind {
            Kind::Wdl => files.wdl.as_ref()?,
            Kind::Dtz => files.dtz.as_ref()?,
        };
        let open = || Table::open(&file.path, file.kind, named).ok().map(|table| table.cached(&self.cache_budget));
        let table = file.table.get_or_init(open).as_ref()?;
        Some((table, TableSides::of(board, named, material)))
    }
}

/// `35 tables of up to 4 pieces, 35 with distances`.
impl fmt::Display for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wdl, dtz] = self.counts();
        match wdl {
            0 => f.write_str("no tables"),
            1 => write!(f, "1 table of {} pieces, {dtz} with distances", self.largest),
            _ => write!(f, "{wdl} tables of up to {} pieces, {dtz} with distances", self.largest),
        }
    }
}
