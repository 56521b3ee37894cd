//! Openings for matches, read from EPD or PGN files (optionally `.gz`), in an order determined by a seed.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::board::Board;
use crate::epd::{EpdError, read_lines};
use crate::files::SourceError;
use crate::pgn::{GameCount, read_file};
use crate::random::Random;
use crate::types::Move;

/// A start position and the moves that are played before the engines think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub start: Board,
    pub moves: Vec<Move>,
}

impl Opening {
    /// The initial position without opening moves.
    pub fn startpos() -> Self {
        Self { start: Board::startpos(), moves: Vec::new() }
    }
}

/// Why an opening file cannot be used.
#[derive(Debug, Error)]
pub enum OpeningError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error("{}: no opening in the file{}", path.display(), remark.as_ref().map_or_else(String::new, |remark| format!("; {remark}")))]
    Empty { path: PathBuf, remark: Option<String> },
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OpeningList {
    /// The openings in the order of the file.
    pub openings: Vec<Opening>,
    /// A sentence about the games or lines that cannot be read, if there are any.
    pub remark: Option<String>,
}

/// Reads an opening file: PGN if its name ends in `.pgn` or `.pgn.gz`, otherwise EPD.
///
/// # Errors
/// If the file cannot be read or contains no opening.
pub fn read_openings(path: &Path) -> Result<OpeningList, OpeningError> {
    if !is_pgn(path) {
        return read_epd_openings(path);
    }
    let (mut openings, mut count) = (Vec::new(), GameCount::default());
    read_file(path, &Arc::default(), |game| {
        if let Some(game) = count.take(game, path).filter(|game| !game.is_empty()) {
            let moves = game.moves.iter().map(|played| played.mv).collect();
            openings.push(Opening { start: game.start, moves });
        }
        ControlFlow::Continue(())
    })?;
    let remark = count.remark();
    if openings.is_empty() {
        return Err(OpeningError::Empty { path: path.to_owned(), remark });
    }
    Ok(OpeningList { openings, remark })
}

fn read_epd_openings(path: &Path) -> Result<OpeningList, OpeningError> {
    let lines = read_lines(path, |record, _| Ok(Opening { start: record.board, moves: Vec::new() }))?;
    let (mut openings, mut left_out, mut first_error) = (Vec::new(), 0, None);
    for line in lines {
        match line {
            Ok(opening) => openings.push(opening),
            Err(error) => {
                left_out += 1;
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        Some(error) if openings.is_empty() => Err(error.into()),
        error => {
            let remark = error.map(|error| format!("{left_out} lines left out, the first: {error}"));
            Ok(OpeningList { openings, remark })
        }
    }
}

fn is_pgn(path: &Path) -> bool {
    let has_extension =
        |path: &Path, extension: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    let unpacked = if has_extension(path, "gz") { path.with_extension("") } else { path.to_owned() };
    has_extension(&unpacked, "pgn")
}

/// Shuffles the openings (Fisher-Yates); the order depends only on the seed.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..openings.len()).rev() {
        openings.swap(last, random.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_determines_the_order() {
        let numbered = |count: u16| {
            let fen = |n: u16| format!("4k3/8/8/8/8/8/8/4K2R w - - 0 {}", n + 1);
            (0..count).map(|n| Opening { start: Board::from_fen(&fen(n)).expect("valid"), moves: Vec::new() }).collect()
        };
        let original: Vec<Opening> = numbered(50);
        let (mut a, mut b, mut c) = (original.clone(), original.clone(), original.clone());
        shuffle(&mut a, 1);
        shuffle(&mut b, 1);
        shuffle(&mut c, 2);
        assert_eq!(a, b);
        assert!(a != c && a != original);
        a.sort_by_key(|opening| opening.start.fullmove_number());
        assert_eq!(a, original);
    }

    #[test]
    fn pgn_files_are_recognised_by_name() {
        assert!(is_pgn(Path::new("x/8moves_v3.pgn.gz")) && is_pgn(Path::new("A.PGN")));
        assert!(!is_pgn(Path::new("noob_3moves.epd.gz")) && !is_pgn(Path::new("pgn.epd")));
    }

    fn read(name: &str, text: &str) -> Result<OpeningList, OpeningError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        read_openings(&path)
    }

    #[test]
    fn lines_that_cannot_be_read_are_named() {
        let read = |text| read("a.epd", text);
        let list = read("4k3/8/8/8/8/8/8/4K2R w - -\n\nx\n4k3/8/8/8/8/8/8/8 w - -\n4k3/8/8/8/8/8/8/R3K3 w - -\n");
        let OpeningList { openings, remark } = list.expect("two openings");
        let remark = remark.expect("two lines");
        assert_eq!(openings.len(), 2);
        assert!(remark.starts_with("2 lines left out, the first: "), "{remark}");
        assert!(remark.contains("a.epd, line 3: expected a position"), "{remark}");
        let none = read("x\ny\n").expect_err("no opening").to_string();
        assert!(none.contains("a.epd, line 1: expected a position"), "{none}");
    }

    #[test]
    fn games_that_cannot_be_read_are_named() {
        let read = |text: &str| read("a.pgn", text);
        let atomic = "[Variant \"Atomic\"]\n\n1. Nf3 *\n\n";
        let list = read(&format!("1. e4 e5 *\n\n{atomic}[White \"A\"]\n\n1. d4 -- *\n\n[Event \"empty\"]\n\n*\n"))
            .expect("openings");
        let plies: Vec<usize> = list.openings.iter().map(|opening| opening.moves.len()).collect();
        let remark = list.remark.expect("two games");
        assert_eq!(plies, [2, 1]);
        assert!(remark.starts_with("1 games left out and 1 games cut off, the first: "), "{remark}");
        assert!(remark.ends_with("a.pgn, line 3: found variant \"Atomic\", expected Standard or Chess960"), "{remark}");
        let none = read(atomic).expect_err("no opening").to_string();
        assert!(none.contains("no opening in the file; 1 games left out"), "{none}");
        assert_eq!(read("1. e4 *\n").expect("an opening").remark, None);
    }
}
