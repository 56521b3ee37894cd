//! Chapter 15: an opening book in Polyglot's format.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::{Move, PieceKind, Square};

// ANCHOR: entry
/// A move of the book: 16 bytes in the file, all numbers big-endian.
struct Entry {
    /// Bytes 0 to 7: the Zobrist key of the position, with Polyglot's numbers.
    key: u64,
    /// Bytes 8 and 9: to file, to rank, from file, from rank, promotion, three bits each from the lowest.
    mv: u16,
    /// Bytes 10 and 11: how often to choose the move, compared with the others of the position.
    weight: u16,
}
// ANCHOR_END: entry

/// An opening book.
pub struct OpeningBook(Vec<Entry>);

impl OpeningBook {
    /// Reads a file; `None` if it does not consist of entries sorted by key.
    pub fn from_bytes(file: &[u8]) -> Option<Self> {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let (entries, rest) = file.as_chunks::<16>();
        let read = |entry: &[u8; 16]| Entry {
            key: number(&entry[..8]),
            mv: number(&entry[8..10]) as u16,
            weight: number(&entry[10..12]) as u16,
        };
        let entries: Vec<Entry> = entries.iter().map(read).collect();
        (rest.is_empty() && entries.is_sorted_by_key(|entry| entry.key)).then_some(Self(entries))
    }

    // ANCHOR: moves
    /// The legal moves that the book has for a position, with their weights.
    pub fn moves(&self, board: &Board) -> Vec<(Move, u16)> {
        let first = self.0.partition_point(|entry| entry.key < board.key());
        let entries = self.0[first..].iter().take_while(|entry| entry.key == board.key());
        let legal = legal_moves(board);
        entries.filter_map(|entry| Some((*legal.iter().find(|mv| encoded(**mv) == entry.mv)?, entry.weight))).collect()
    }
    // ANCHOR_END: moves

    /// A move drawn by weight, with a random number; `None` if the book does not know the position.
    pub fn choose(&self, board: &Board, random: u64) -> Option<Move> {
        let moves = self.moves(board);
        let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut place = random.checked_rem(total)?;
        let drawn = moves.into_iter().find(|&(_, weight)| {
            let is_here = place < u64::from(weight);
            place = place.saturating_sub(weight.into());
            is_here
        });
        drawn.map(|(mv, _)| mv)
    }
}

/// The move as the book writes it; castling is the king on its rook's square in both.
fn encoded(mv: Move) -> u16 {
    let square = |square: Square| (8 * square.rank().index() + square.file().index()) as u16;
    let promotion = match mv.promotion() {
        None => 0,
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(_) => 4,
    };
    square(mv.target()) | square(mv.source()) << 6 | promotion << 12
}
