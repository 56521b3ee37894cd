//! Adds the games of PGN files to an opening book.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::book::BookBuilder;
use crate::files::SourceError;
use crate::game::GameResult;
use crate::pgn::{GameCount, read_file};

/// Adds the games of a file. A game without a result counts as a draw.
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
) -> Result<(), SourceError> {
    read_file(path, compressed_bytes, |game| {
        if let Some(game) = count.take(game, path) {
            let winner = match game.result {
                Some(GameResult::Win(color)) => Some(color),
                Some(GameResult::Draw) | None => None,
            };
            builder.add_game(&game.start, game.moves.iter().map(|played| played.mv), winner);
        }
        each(count);
        ControlFlow::Continue(())
    })
}
