//! Games in PGN: for analysis, openings, books, positions and ratings.
#![no_main]

use std::sync::Arc;

use alfiere::analysis::read_collection;
use alfiere_arena::pgn_results::PgnResults;
use alfiere_chess::book::{BookBuilder, MinCounts};
use alfiere_chess::movegen::{format_san, parse_san};
use alfiere_chess::openings::read_openings;
use alfiere_chess::pgn::{PositionChoice, PositionSampler};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = alfiere_fuzz::file("games.pgn", bytes);
    if let Ok(collection) = read_collection(&path) {
        for game in &collection.games {
            game.title();
            game.automatic_draw();
        }
    }
    let mut builder = BookBuilder::new(20);
    for opening in read_openings(&path).unwrap_or_default().openings {
        let mut board = opening.start.clone();
        for &mv in &opening.moves {
            assert_eq!(parse_san(&board, &format_san(&board, mv)), Ok(mv), "{board}");
            board.play(mv);
        }
        builder.add_game(&opening.start, opening.moves, None);
    }
    builder.finish(MinCounts { min_games: 1, min_share: 0.0 });
    let mut positions = Vec::new();
    let mut sampler = PositionSampler::new(PositionChoice { per_game: 3, first_ply: 2, seed: 1 });
    // A file that cannot be read is what the other readers have said.
    let _ = sampler.add_file(&path, &mut positions);
    let _ = PgnResults::default().add_file(&path, &Arc::default(), || {});
});
