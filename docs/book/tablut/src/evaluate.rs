//! The static evaluation, by hand.

use crate::{
    board::{Board, Piece, Side},
    geometry::{NEIGHBOURS, Set, Square},
    moves::{destinations, king_escape},
};

const DEFENDER: i32 = 100;
const ATTACKER: i32 = 60;
const KING_MOVE: i32 = 6;
const ESCAPE: i32 = 80;
const BESIDE_KING: i32 = 30;
const GUARD: i32 = 12;

/// The eight squares from which black soldiers guard the corners: b3, c2 and their images.
const GUARDS: Set = Square::new(2, 1).bit()
    | Square::new(1, 2).bit()
    | Square::new(1, 6).bit()
    | Square::new(2, 7).bit()
    | Square::new(6, 1).bit()
    | Square::new(7, 2).bit()
    | Square::new(7, 6).bit()
    | Square::new(6, 7).bit();

/// The score for the side to move; a white soldier counts 100.
pub fn evaluate(board: &Board) -> i32 {
    let attackers = board.pieces(Piece::Attacker);
    let white = DEFENDER * size(board.pieces(Piece::Defender))
        + KING_MOVE * size(destinations(board, board.king()))
        + ESCAPE * size(king_escape(board));
    let black = ATTACKER * size(attackers)
        + BESIDE_KING * size(attackers & NEIGHBOURS[board.king().index()])
        + GUARD * size(attackers & GUARDS);
    // At the start, 8 defenders are as much as 16 attackers.
    let score = white - black + 16 * ATTACKER - 8 * DEFENDER;
    if board.side() == Side::White { score } else { -score }
}

fn size(set: Set) -> i32 {
    set.count_ones().cast_signed()
}
