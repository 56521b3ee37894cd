//! Adds the games of PGN files to an opening book.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::book::BookBuilder;
use crate::game::GameResult;
use crate::pgn::{PgnFileError, read_file};

/// Number of games read from files.
#[derive(Debug, Default)]
pub struct GameCount {
    /// Games added to the book.
    pub games: u64,
    /// Games left out because they cannot be read.
    pub faulty: u64,
    /// The first of these: file, line and reason.
    pub first_fault: Option<String>,
}

/// Adds the games of a file. A game without a result counts as a draw; a game that cannot be read is left out.
/// `compressed_bytes` is increased by the number of bytes read from the file (before decompression), and `each` is called
/// after every game.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn add_games(
    path: &Path,
    builder: &mut BookBuilder,
    count: &mut GameCount,
    compressed_bytes: &Arc<AtomicU64>,
    mut each: impl FnMut(&GameCount),
) -> Result<(), PgnFileError> {
    read_file(path, compressed_bytes, |game| {
        match game {
            Ok(game) => {
                let winner = match game.result {
                    Some(GameResult::Win(color)) => Some(color),
                    Some(GameResult::Draw) | None => None,
                };
                builder.add_game(&game.start, game.moves.iter().map(|played| played.mv), winner);
                count.games += 1;
            }
            Err(fault) => {
                count.faulty += 1;
                count.first_fault.get_or_insert_with(|| fault.sentence(path));
            }
        }
        each(count);
        ControlFlow::Continue(())
    })
}
