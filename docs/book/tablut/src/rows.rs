//! The board as NEMO stored it: a number for each row, with two bits for each square.

use crate::{
    board::{Board, Move, Piece, Side},
    geometry::{ALL_CAMPS, CAMPS, CASTLE, SIZE, Square},
};

// ANCHOR: rows
/// Two bits a square: 0 empty, 1 attacker, 2 defender, 3 king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    rows: [u32; SIZE],
    side: Side,
}

impl Rows {
    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        match self.rows[square.row()] >> (2 * square.column()) & 3 {
            0 => None,
            1 => Some(Piece::Attacker),
            2 => Some(Piece::Defender),
            _ => Some(Piece::King),
        }
    }

    /// Moves a piece, without captures: an exclusive or where it leaves and where it arrives.
    pub fn shift(&mut self, Move { from, to }: Move) {
        let piece = self.rows[from.row()] >> (2 * from.column()) & 3;
        self.rows[from.row()] ^= piece << (2 * from.column());
        self.rows[to.row()] ^= piece << (2 * to.column());
        self.side = self.side.opponent();
    }
}
// ANCHOR_END: rows

impl From<&Board> for Rows {
    fn from(board: &Board) -> Self {
        let mut rows = [0; SIZE];
        for square in Square::all() {
            let code = board.piece_on(square).map_or(0, |piece| piece as u32 + 1);
            rows[square.row()] |= code << (2 * square.column());
        }
        Self { rows, side: board.side() }
    }
}

impl Rows {
    /// The moves of the side to move: a walk from each of its pieces in four directions.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(96);
        for from in Square::all() {
            let is_own = match self.piece_on(from) {
                Some(Piece::Attacker) => self.side == Side::Black,
                Some(_) => self.side == Side::White,
                None => false,
            };
            if is_own {
                self.add_moves(from, &mut moves);
            }
        }
        moves
    }

    fn add_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let own_camp = CAMPS.iter().find(|camp| **camp & from.bit() != 0).copied().unwrap_or(0);
        let closed = CASTLE.bit() | (ALL_CAMPS & !own_camp);
        for (down, right) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let mut to = from;
            while let (Some(row), Some(column)) =
                (to.row().checked_add_signed(down), to.column().checked_add_signed(right))
                && row < SIZE
                && column < SIZE
            {
                to = Square::new(row, column);
                if self.piece_on(to).is_some() || closed & to.bit() != 0 {
                    break;
                }
                moves.push(Move { from, to });
            }
        }
    }
}
