//! A hand-written evaluation: material and the squares it stands on, for the `classical` player.

use super::Evaluator;
use crate::board::Board;
use crate::types::{Bitboard, Color, File, Move, PieceKind, Rank, Square};

/// Material, centre, advance of pawns, pairs, passed and doubled pawns, and the king's place by phase.
#[derive(Clone, Copy, Default, Debug)]
pub struct Classical;

const MATERIAL: [i32; 6] = [100, 320, 330, 500, 950, 0];
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

impl Evaluator for Classical {
    fn reset(&mut self, _board: &Board) {}

    fn play(&mut self, board: &mut Board, mv: Move) {
        board.play(mv);
    }

    fn undo(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> i32 {
        let us = board.side_to_move();
        let phase = PieceKind::ALL
            .iter()
            .map(|&kind| PHASE[kind.index()] * board.pieces(kind).count() as i32)
            .sum::<i32>()
            .min(FULL_PHASE);
        side(board, us, phase) - side(board, !us, phase) + 12
    }
}

fn side(board: &Board, color: Color, phase: i32) -> i32 {
    let mut value = 0;
    for kind in PieceKind::ALL {
        for square in board.colored(color, kind) {
            value += MATERIAL[kind.index()] + placement(kind, square.relative_to(color), phase);
        }
    }
    if board.colored(color, PieceKind::Bishop).has_several() {
        value += 35;
    }
    value + pawns(board, color)
}

/// How far from the edge: 0 on the rim to 3 in the centre, files and ranks added.
fn centrality(square: Square) -> i32 {
    let distance = |index: usize| index.min(7 - index) as i32;
    distance(square.file().index()) + distance(square.rank().index())
}

fn placement(kind: PieceKind, square: Square, phase: i32) -> i32 {
    let centre = centrality(square);
    let rank = square.rank().index() as i32;
    match kind {
        PieceKind::Pawn => (rank - 1) * (rank - 1) * 2 + centre * if phase > 12 { 3 } else { 1 },
        PieceKind::Knight => 8 * centre - 24,
        PieceKind::Bishop => 4 * centre - 10,
        PieceKind::Rook => {
            if square.rank() == Rank::Seventh {
                20
            } else {
                0
            }
        }
        PieceKind::Queen => 2 * centre,
        PieceKind::King => {
            let (home, active) = (-10 * centre - 8 * rank, 10 * centre);
            (home * phase + active * (FULL_PHASE - phase)) / FULL_PHASE
        }
    }
}

fn pawns(board: &Board, color: Color) -> i32 {
    let own = board.colored(color, PieceKind::Pawn);
    let theirs = board.colored(!color, PieceKind::Pawn);
    let mut value = 0;
    for file in File::ALL {
        let column = Bitboard::file(file);
        let neighbours = column.east() | column.west();
        let on_file = own & column;
        if on_file.has_several() {
            value -= 15;
        }
        if on_file.is_some() && (own & neighbours).is_empty() {
            value -= 12;
        }
        for square in on_file {
            let ahead = ahead_of(square, color);
            if (theirs & (column | neighbours) & ahead).is_empty() {
                let rank = square.relative_to(color).rank().index() as i32;
                value += 4 * rank * rank;
            }
        }
    }
    value
}

/// All squares on ranks in front of this one, as `color` goes.
fn ahead_of(square: Square, color: Color) -> Bitboard {
    let rank = square.rank().index() as u32;
    match color {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard((1_u64 << (8 * rank)) - 1),
    }
}
