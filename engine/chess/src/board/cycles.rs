//! Moves that could be taken back, recognised by what they change in a position's key.
//!
//! Any piece but a pawn can return to where it came from, so its move and the way back differ from no move at all by the
//! same three numbers: the piece on both squares, and the turn. All these differences stand in a hash table in which each
//! has two possible places, so that looking one up takes two reads at the most; whoever comes second pushes the first
//! away to its other place (a cuckoo table). Idea: Marcel van Kervinck, "The design and implementation of Cuckoo tables
//! for upcoming repetition". Knows neither positions nor their history.

use super::zobrist;
use crate::types::{Color, Piece, PieceKind, Square};

const SLOTS: usize = 1 << 13;
/// Pushes after which the table would be known not to work out; the compiler checks that it does.
const MOST_PUSHES: usize = 200;

static MOVES: Table = Table::new();

/// Zero marks an empty slot: no difference is zero.
struct Table {
    differences: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

/// The two squares between which some piece moves (in either direction, on an empty board), if that and the turn is all
/// that distinguishes two positions whose keys differ by `difference`.
pub(super) fn reversible_move(difference: u64) -> Option<[Square; 2]> {
    places(difference)
        .into_iter()
        .find(|&place| MOVES.differences[place] == difference)
        .map(|place| MOVES.squares[place])
}

/// Where a difference may stand.
const fn places(difference: u64) -> [usize; 2] {
    [difference as usize % SLOTS, (difference >> 16) as usize % SLOTS]
}

/// Whether a piece of this kind gets from one square to the other in one move and back in another, if nothing is between.
const fn goes(kind: PieceKind, a: Square, b: Square) -> bool {
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
                if pair / 64 < pair % 64 && goes(PieceKind::ALL[kind], a, b) {
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
        let mut homeless =
            zobrist::piece_key(piece, squares[0]) ^ zobrist::piece_key(piece, squares[1]) ^ zobrist::WHITE_TO_MOVE_KEY;
        let mut place = places(homeless)[0];
        let mut pushes = 0;
        loop {
            std::mem::swap(&mut self.differences[place], &mut homeless);
            std::mem::swap(&mut self.squares[place], &mut squares);
            if homeless == 0 {
                return;
            }
            let [first, second] = places(homeless);
            place = if place == first { second } else { first };
            pushes += 1;
            assert!(pushes < MOST_PUSHES, "two places are not enough for some difference");
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
