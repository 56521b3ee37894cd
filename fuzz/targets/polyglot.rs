//! Polyglot books, asked about the initial position and the one whose key is in the first entry.
#![no_main]

use alfiere_chess::board::Board;
use alfiere_chess::book::{Book, Pick};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::positions::POSITIONS;
use alfiere_fuzz as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = bytes.len() % 7 != 0;
    let used = bytes.len() - if whole { bytes.len() % 16 } else { 0 };
    for fen in POSITIONS.iter().copied().take(8).chain(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]) {
        let board = Board::from_fen(fen).expect("legal");
        let mut bytes = bytes[..used].to_vec();
        if let Some(key) = bytes.first_chunk_mut::<8>().filter(|_| whole) {
            *key = board.key().to_be_bytes();
        }
        let Ok(book) = Book::from_bytes(bytes) else { continue };
        let legal = legal_moves(&board);
        assert!(book.moves(&board).iter().all(|found| legal.contains(&found.mv)));
        book.choose(&board, Pick::Best);
        book.choose(&board, Pick::Weighted(u64::MAX / 3));
    }
});
