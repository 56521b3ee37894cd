//! Reversible moves, recognised by the difference between two position keys.
//!
//! Any piece except a pawn can move back to its source square, so a reversible move changes the key by three numbers:
//! the piece on both squares, and the side to move. A cuckoo hash table holds all these differences. Each has two
//! possible slots, so a lookup takes at most two reads; an insertion that finds its slot occupied moves the occupant to
//! its other slot. Idea: Marcel van Kervinck, "The design and implementation of Cuckoo tables for upcoming repetition".
//! Independent of positions and their history.

use super::zobrist;
use crate::types::{Color, Piece, PieceKind, Square};

const SLOTS: usize = 1 << 13;
/// Maximum number of displacements for one insertion; exceeding it is a compile-time error.
const MAX_DISPLACEMENTS: usize = 200;

static MOVES: Table = Table::new();

/// Zero marks an empty slot, because no difference is zero.
struct Table {
    differences: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

/// The two squares of the reversible move (in either direction, on an empty board) that turns one position into the
/// other, for two positions whose keys differ by `difference`. `None` if no single move explains the difference.
pub(super) fn reversible_move(difference: u64) -> Option<[Square; 2]> {
    slots(difference).into_iter().find(|&slot| MOVES.differences[slot] == difference).map(|slot| MOVES.squares[slot])
}

/// The two slots of a difference.
const fn slots(difference: u64) -> [usize; 2] {
    [difference as usize % SLOTS, (difference >> 16) as usize % SLOTS]
}

/// Whether a piece of this kind can move from one square to the other and back on an empty board.
const fn is_reversible(kind: PieceKind, a: Square, b: Square) -> bool {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    let straight = (files == 0) != (ranks == 0);
    let diagonal = files == ranks && files != 0;
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => straight || diagonal,
        PieceKind::King => (straight || diagonal) && files <= 1 && ranks <= 1,
    }
}

impl Table {
    #[allow(clippy::large_stack_arrays, reason = "computed by the compiler")]
    const fn new() -> Self {
        let mut table = Self { differences: [0; SLOTS], squares: [[Square::A1; 2]; SLOTS] };
        let mut kind = 0;
        while kind < PieceKind::ALL.len() {
            let mut pair = 0;
            while pair < 64 * 64 {
                let (a, b) = (Square::from_index(pair / 64), Square::from_index(pair % 64));
                if pair / 64 < pair % 64 && is_reversible(PieceKind::ALL[kind], a, b) {
                    table.insert(Piece::new(Color::White, PieceKind::ALL[kind]), [a, b]);
                    table.insert(Piece::new(Color::Black, PieceKind::ALL[kind]), [a, b]);
                }
                pair += 1;
            }
            kind += 1;
        }
        table
    }

    const fn insert(&mut self, piece: Piece, mut squares: [Square; 2]) {
        let mut displaced =
            zobrist::piece_key(piece, squares[0]) ^ zobrist::piece_key(piece, squares[1]) ^ zobrist::WHITE_TO_MOVE_KEY;
        let mut slot = slots(displaced)[0];
        let mut displacements = 0;
        loop {
            std::mem::swap(&mut self.differences[slot], &mut displaced);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if displaced == 0 {
                return;
            }
            let [first, second] = slots(displaced);
            slot = if slot == first { second } else { first };
            displacements += 1;
            assert!(displacements < MAX_DISPLACEMENTS, "the cuckoo table has an insertion cycle");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacks::piece_attacks;
    use crate::types::Bitboard;

    #[test]
    fn every_move_of_a_piece_on_an_empty_board_is_found_and_nothing_else() {
        let mut found = 0;
        for piece in Piece::ALL {
            for from in Square::ALL {
                for to in Square::ALL.into_iter().filter(|&to| to != from) {
                    let keys = zobrist::piece_key(piece, from) ^ zobrist::piece_key(piece, to);
                    let expected = piece_attacks(piece.kind(), from, Bitboard::EMPTY).contains(to);
                    let squares = reversible_move(keys ^ zobrist::WHITE_TO_MOVE_KEY);
                    assert_eq!(squares, expected.then(|| [from.min(to), from.max(to)]), "{piece:?} {from} {to}");
                    assert_eq!(reversible_move(keys), None, "the turn has not changed");
                    found += usize::from(expected);
                }
            }
        }
        assert_eq!(found, 2 * 3668);
        assert_eq!(reversible_move(zobrist::WHITE_TO_MOVE_KEY), None, "a null move");
    }
}
