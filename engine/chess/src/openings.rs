//! Openings for matches, read from EPD or PGN files (optionally `.gz`), in an order determined by a seed.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::Board;
use crate::epd::{EpdError, read_epd};
use crate::files::{SourceError, open};
use crate::pgn::{PgnError, PgnGame, read_games};
use crate::random::Random;
use crate::types::Move;

/// A start position and the moves that are played before the engines think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The start position of the game.
    pub start: Board,
    /// The opening moves.
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
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// An invalid line of an EPD file.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// An invalid game of a PGN file.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The file contains no opening.
    #[error("{}: no opening in the file", .0.display())]
    Empty(PathBuf),
}

/// Reads an opening file: PGN if its name ends in `.pgn` or `.pgn.gz`, otherwise EPD.
///
/// # Errors
/// If the file cannot be read, contains no opening, or has an invalid one.
pub fn read_openings(path: &Path) -> Result<Vec<Opening>, OpeningError> {
    if !is_pgn(path) {
        return Ok(read_epd(path, |record, _| Ok(Opening { start: record.board, moves: Vec::new() }))?);
    }
    let mut openings = Vec::new();
    let push = |game: PgnGame| {
        let moves = game.moves.iter().map(|played| played.mv).collect();
        openings.push(Opening { start: game.start, moves });
    };
    read_games(BufReader::new(open(path)?), push).map_err(PgnError::in_file(path))?;
    if openings.is_empty() { Err(OpeningError::Empty(path.to_owned())) } else { Ok(openings) }
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
}
