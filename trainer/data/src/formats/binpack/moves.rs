//! Encodes a move as the index of its piece and the index of the piece's target.
//!
//! Targets are those of pseudo-legal moves in the order of their squares. A pawn has captures and pushes, each four
//! times if it promotes (knight, bishop, rook, queen). A king has its moves, then queenside and kingside castling, if
//! the right exists.

use alfiere_chess::board::Board;
use alfiere_chess::board::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use alfiere_chess::types::{Bitboard, CastleSide, Move, PieceKind, Rank, Square};

use super::bits::{BitReader, BitWriter, bits_for};

/// Promotion pieces in the order of the format.
pub(super) const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// The moves of one piece.
struct Targets {
    squares: Bitboard,
    /// Moves per target square: 1, or 4 for promotions.
    each: u32,
    /// Number of castling moves, which are counted after all targets.
    castling: Vec<CastleSide>,
}

impl Targets {
    fn of(board: &Board, source: Square) -> Option<Self> {
        let us = board.side_to_move();
        let (own, occupied) = (board.color(us), board.occupied());
        let (mut each, mut castling) = (1, Vec::new());
        let kind = board.piece_on(source)?.kind();
        let squares = match kind {
            PieceKind::Pawn => {
                let passed = board.en_passant().map_or(Bitboard::EMPTY, |square| Bitboard::EMPTY.with(square));
                let step = Bitboard::EMPTY.with(source).forward(us) & !occupied;
                let home = source.rank() == Rank::Second.relative_to(us);
                let second = if home { step.forward(us) & !occupied } else { Bitboard::EMPTY };
                if source.rank() == Rank::Seventh.relative_to(us) {
                    each = PROMOTIONS.len() as u32;
                }
                pawn_attacks(us, source) & (board.color(!us) | passed) | step | second
            }
            PieceKind::Knight => knight_attacks(source) & !own,
            PieceKind::Bishop => bishop_attacks(source, occupied) & !own,
            PieceKind::Rook => rook_attacks(source, occupied) & !own,
            PieceKind::Queen => (bishop_attacks(source, occupied) | rook_attacks(source, occupied)) & !own,
            PieceKind::King => {
                let sides = [CastleSide::Queen, CastleSide::King];
                castling = sides.into_iter().filter(|&side| board.castling_rights().has(us, side)).collect();
                king_attacks(source) & !own
            }
        };
        Some(Self { squares, each, castling })
    }

    fn count(&self) -> u32 {
        self.squares.count() * self.each + self.castling.len() as u32
    }
}

/// Writes a legal move.
pub(super) fn put_move(bits: &mut BitWriter<'_>, board: &Board, mv: Move) {
    let us = board.side_to_move();
    let own = board.color(us);
    let Some(targets) = Targets::of(board, mv.source()) else { return };
    let place = |all: Bitboard, square: Square| all.take_while(|&other| other != square).count() as u32;
    let index = if mv.is_castle() {
        let is_its_side = |side: &CastleSide| board.castling_rook(us, *side) == Some(mv.target());
        targets.squares.count() + targets.castling.iter().position(is_its_side).unwrap_or(0) as u32
    } else {
        let promotion = mv.promotion().and_then(|kind| PROMOTIONS.iter().position(|&one| one == kind));
        place(targets.squares, mv.target()) * targets.each + promotion.unwrap_or(0) as u32
    };
    bits.put(place(own, mv.source()), bits_for(own.count()));
    bits.put(index, bits_for(targets.count()));
}

/// Reads a move and returns its index in `moves`; `None` if it is not one of them.
pub(super) fn take_move(bits: &mut BitReader<'_>, board: &Board, moves: &[Move]) -> Option<usize> {
    let us = board.side_to_move();
    let mut own = board.color(us);
    let source = bits.take(bits_for(own.count())).and_then(|index| own.nth(index as usize))?;
    let mut targets = Targets::of(board, source)?;
    let index = bits.take(bits_for(targets.count()))?;
    let steps = targets.squares.count() * targets.each;
    if let Some(castling) = index.checked_sub(steps) {
        let rook = board.castling_rook(us, *targets.castling.get(castling as usize)?)?;
        return moves.iter().position(|mv| mv.is_castle() && mv.source() == source && mv.target() == rook);
    }
    let target = targets.squares.nth((index / targets.each) as usize)?;
    let promotion = (targets.each > 1).then(|| PROMOTIONS[index as usize % PROMOTIONS.len()]);
    let is_meant =
        |mv: &Move| !mv.is_castle() && (mv.source(), mv.target(), mv.promotion()) == (source, target, promotion);
    moves.iter().position(is_meant)
}
