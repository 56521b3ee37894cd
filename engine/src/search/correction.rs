//! Correction history: how far the static evaluation has been off in positions like this one.
//!
//! Likeness is pawn structure, each side's pieces, kings with knights and bishops, and the last two moves.

use super::{
    depth::Depth,
    history::{PieceTo, boxed},
    score::Score,
    tunables::Tunables,
};
use crate::board::Board;
use crate::types::{Bitboard, Color, PieceKind};

const ROWS: usize = 16_384;
/// Corrections are kept in these parts of a centipawn.
const GRAIN: i32 = 128;
/// The largest correction one table may keep, in grains.
const LIMIT: i32 = 64 * GRAIN;

#[derive(Clone, Copy, Default)]
struct Correction(i16);

impl Correction {
    /// Moves towards an error seen at some depth.
    fn learn(&mut self, error: i32, weight: i32) {
        let target = (error * GRAIN).clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + (target - value) * weight / 256).clamp(-LIMIT, LIMIT) as i16;
    }
}

/// One thread's corrections.
pub(super) struct CorrectionHistory {
    /// By pawn structure and side to move.
    pawns: Box<[[Correction; 2]; ROWS]>,
    /// By both sides' kings, knights and bishops, and side to move.
    minors: Box<[[Correction; 2]; ROWS]>,
    /// By one side's pieces, side to move and owner.
    pieces: Box<[[[Correction; 2]; 2]; ROWS]>,
    /// By the moves two plies and one ply back.
    moves: Box<[[Correction; PieceTo::ROWS]; PieceTo::ROWS]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        Self {
            pawns: boxed([Correction::default(); 2]),
            minors: boxed([Correction::default(); 2]),
            pieces: boxed([[Correction::default(); 2]; 2]),
            moves: boxed([Correction::default(); PieceTo::ROWS]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Centipawns to add to the static evaluation; `last` are the moves one and two plies back.
    pub(super) fn correction(&self, board: &Board, last: [PieceTo; 2], tunables: &Tunables) -> i32 {
        let side = board.side_to_move().index();
        let pawns = i32::from(self.pawns[pawn_row(board)][side].0);
        let minors = i32::from(self.minors[minor_row(board)][side].0);
        let pieces: i32 = Color::ALL
            .iter()
            .map(|&owner| i32::from(self.pieces[piece_row(board, owner)][side][owner.index()].0))
            .sum();
        let moves = i32::from(self.moves[last[1].index()][last[0].index()].0);
        (pawns * tunables.correction_pawns()
            + minors * tunables.correction_minors()
            + pieces * tunables.correction_pieces()
            + moves * tunables.correction_moves())
            / (128 * GRAIN)
    }

    /// Learns from a search that found `found` where the evaluation said `evaluated`.
    pub(super) fn learn(&mut self, board: &Board, last: [PieceTo; 2], depth: Depth, evaluated: Score, found: Score) {
        let error = found - evaluated;
        let weight = (depth.get() + 1).min(16);
        let side = board.side_to_move().index();
        self.pawns[pawn_row(board)][side].learn(error, weight);
        self.minors[minor_row(board)][side].learn(error, weight);
        for owner in Color::ALL {
            self.pieces[piece_row(board, owner)][side][owner.index()].learn(error, weight);
        }
        if last[0] != PieceTo::NONE && last[1] != PieceTo::NONE {
            self.moves[last[1].index()][last[0].index()].learn(error, weight);
        }
    }
}

fn pawn_row(board: &Board) -> usize {
    board.pawn_key() as usize % ROWS
}

/// Odd multipliers with no structure, one a kind of piece, pawns left out.
const MULTIPLIERS: [(PieceKind, u64); 5] = [
    (PieceKind::Knight, 0x9E37_79B9_7F4A_7C15),
    (PieceKind::Bishop, 0xC2B2_AE3D_27D4_EB4F),
    (PieceKind::King, 0xA076_1D64_78BD_642F),
    (PieceKind::Rook, 0x1656_67B1_9E37_79F9),
    (PieceKind::Queen, 0xD6E8_FEB8_6659_FD93),
];

/// How many of [`MULTIPLIERS`] belong to minor pieces and kings.
const MINORS: usize = 3;

/// A hash of where one side's pieces other than pawns stand.
fn piece_row(board: &Board, owner: Color) -> usize {
    row(MULTIPLIERS.iter().fold(0, |hash, &(kind, multiplier)| mix(hash, board.colored(owner, kind), multiplier)))
}

/// A hash of where both sides' kings, knights and bishops stand.
fn minor_row(board: &Board) -> usize {
    row(MULTIPLIERS[..MINORS].iter().fold(0, |hash, &(kind, multiplier)| {
        let white = mix(hash, board.colored(Color::White, kind), multiplier);
        mix(white, board.colored(Color::Black, kind), multiplier)
    }))
}

fn mix(hash: u64, squares: Bitboard, multiplier: u64) -> u64 {
    (hash ^ squares.0).wrapping_mul(multiplier).rotate_left(29)
}

fn row(hash: u64) -> usize {
    (hash >> 32) as usize % ROWS
}
