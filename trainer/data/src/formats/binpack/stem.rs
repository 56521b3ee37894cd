//! The first position of a chain, in 32 bytes.
//!
//! | bytes | hold, big-endian |
//! |---|---|
//! | 0–7 | occupied squares, bit 0 = a1 |
//! | 8–23 | a nibble for each of them in that order, low nibble first: P N B R Q K as 0, 2, 4, 6, 8, 10 and Black's 1 more; 12 a pawn that can be captured en passant, 13 White's and 14 Black's rook with a castling right, 15 Black's king if Black is to move |
//! | 24–25 | the move: kind (0, promotion 1, castling 2, en passant 3), source, target (6 bits each), promotion (knight, bishop, rook, queen); castling is king takes own rook |
//! | 26–27 | the score, folded |
//! | 28–29 | the result for the side to move, folded, in two bits; plies since the start of the game |
//! | 30–31 | half-move clock |

use alfiere_chess::board::Board;
use alfiere_chess::board::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use alfiere_chess::types::{Bitboard, CastleSide, Color, Move, Piece, PieceKind, Rank, Square};

use super::bits::{BitReader, BitWriter, bits_for, unzigzag, zigzag};
use crate::rows::board_row::{PROMOTIONS, board_of, occupied_squares, promotion_index};
use crate::rows::row::{pack_nibbles, unpack_nibbles};

pub(super) const STEM_BYTES: usize = 32;
/// Maximum number of half-moves.
pub(super) const MAX_PLY: u16 = 0x3FFF;

const EN_PASSANT_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// The first position of a chain with its move, score and result.
#[derive(Clone, Debug)]
pub(super) struct Stem {
    pub(super) board: Board,
    /// The move in 16 bits.
    pub(super) mv: u16,
    /// From the side to move.
    pub(super) score: i16,
    /// Plies since the start of the game.
    pub(super) ply: u16,
    /// Result of the side to move: 1, 0 or −1.
    pub(super) result: i16,
}

/// A move in 16 bits.
pub(super) fn move_bits(mv: Move) -> u16 {
    let promotion = promotion_index(mv);
    let kind = match promotion {
        Some(_) => 1,
        None if mv.is_castle() => 2,
        None if mv.is_en_passant() => 3,
        None => 0,
    };
    (kind << 14 | mv.source().index() << 8 | mv.target().index() << 2 | promotion.unwrap_or(0)) as u16
}

impl Stem {
    pub(super) fn pack(&self) -> [u8; STEM_BYTES] {
        let board = &self.board;
        let mut bytes = [0; STEM_BYTES];
        bytes[..8].copy_from_slice(&board.occupied().0.to_be_bytes());
        // The pawn is one rank in front of the en passant square, from its own side.
        let pawn_rank = Rank::Fifth.relative_to(board.side_to_move());
        let en_passant = board.en_passant().map(|square| Square::new(square.file(), pawn_rank));
        let nibble = |square| {
            let Some(piece) = board.piece_on(square) else { return 0 };
            let color = piece.color();
            let castles = CastleSide::ALL.into_iter().any(|side| board.castling_rook(color, side) == Some(square));
            match (piece.kind(), color) {
                (PieceKind::Pawn, _) if en_passant == Some(square) => EN_PASSANT_PAWN,
                (PieceKind::Rook, Color::White) if castles => WHITE_CASTLING_ROOK,
                (PieceKind::Rook, Color::Black) if castles => BLACK_CASTLING_ROOK,
                (PieceKind::King, Color::Black) if board.side_to_move() == Color::Black => BLACK_KING_TO_MOVE,
                (kind, color) => kind.index() as u8 * 2 + u8::from(color == Color::Black),
            }
        };
        bytes[8..24].copy_from_slice(&pack_nibbles(board.occupied(), nibble));
        let played = zigzag(self.result) << 14 | self.ply.min(MAX_PLY);
        let words = [self.mv, zigzag(self.score), played, u16::from(board.halfmove_clock())];
        for (place, word) in bytes[24..].chunks_exact_mut(2).zip(words) {
            place.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    /// Decodes a stem; the error is the reason why the bytes are invalid.
    pub(super) fn unpack(bytes: &[u8; STEM_BYTES]) -> Result<Self, String> {
        let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let occupied = occupied_squares(u64::from_be_bytes(std::array::from_fn(|index| bytes[index])))?;
        let mut mailbox = [None; 64];
        let (mut us, mut castling, mut en_passant) = (Color::White, String::new(), None);
        for (nibble, square) in unpack_nibbles(occupied, &bytes[8..24]) {
            let piece = match nibble {
                EN_PASSANT_PAWN => {
                    en_passant = Some(square);
                    let color = if square.rank() == Rank::Fourth { Color::White } else { Color::Black };
                    Piece::new(color, PieceKind::Pawn)
                }
                WHITE_CASTLING_ROOK => {
                    castling.push(square.file().letter().to_ascii_uppercase());
                    Piece::new(Color::White, PieceKind::Rook)
                }
                BLACK_CASTLING_ROOK => {
                    castling.push(square.file().letter());
                    Piece::new(Color::Black, PieceKind::Rook)
                }
                BLACK_KING_TO_MOVE => {
                    us = Color::Black;
                    Piece::new(Color::Black, PieceKind::King)
                }
                nibble => {
                    let color = if nibble & 1 == 0 { Color::White } else { Color::Black };
                    Piece::new(color, PieceKind::ALL[usize::from(nibble / 2)])
                }
            };
            mailbox[square.index()] = Some(piece);
        }
        let en_passant = en_passant.map(|pawn: Square| Square::new(pawn.file(), Rank::Sixth.relative_to(us)));
        let (ply, clock) = (word(28) & MAX_PLY, word(30).min(255) as u8);
        let board = board_of(&mailbox, us, &castling, en_passant, clock, ply / 2 + 1)?;
        let result = unzigzag(word(28) >> 14);
        if !(-1..=1).contains(&result) {
            return Err(format!("result {result}; expected 1, 0 or -1"));
        }
        Ok(Self { board, mv: word(24), score: unzigzag(word(26)), ply, result })
    }
}

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

pub(super) fn put_move(bits: &mut BitWriter<'_>, board: &Board, mv: Move) {
    let us = board.side_to_move();
    let own = board.color(us);
    let Some(targets) = Targets::of(board, mv.source()) else { return };
    let place = |all: Bitboard, square: Square| all.take_while(|&other| other != square).count() as u32;
    let index = if mv.is_castle() {
        let is_its_side = |side: &CastleSide| board.castling_rook(us, *side) == Some(mv.target());
        targets.squares.count() + targets.castling.iter().position(is_its_side).unwrap_or(0) as u32
    } else {
        place(targets.squares, mv.target()) * targets.each + promotion_index(mv).unwrap_or(0) as u32
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
