//! A position with a result in 32 bytes ("marlinformat"), the start of a game in viriformat.
//!
//! | bytes | hold |
//! |---|---|
//! | 0–7 | occupied squares, little-endian, bit 0 = a1 |
//! | 8–23 | a nibble for each of them in that order, low nibble first: P N B R Q K as 0–5, a rook with a castling right as 6; plus 8 for Black |
//! | 24 | bits 0–6 the en passant square, 64 for none; bit 7 Black to move |
//! | 25 | half-move clock |
//! | 26–27 | full-move number, little-endian |
//! | 28–29 | a score; 0 here |
//! | 30 | 0 Black won, 1 drawn, 2 White won |
//! | 31 | free; 0 here |

use std::fmt::Write;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, CastleSide, Color, Piece, PieceKind, Square};

use super::placement::placement;
use crate::rows::label::RowResult;

/// Bytes of a board.
pub(super) const BOARD_BYTES: usize = 32;
/// The nibble of a rook with a castling right.
const CASTLING_ROOK: u8 = 6;
/// The en passant square of a position without one.
const NO_SQUARE: u8 = 64;

/// Encodes a position and a known result.
pub(super) fn pack_board(board: &Board, result: RowResult) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().enumerate() {
        let Some(piece) = board.piece_on(square) else { continue };
        let castles = CastleSide::ALL.into_iter().any(|side| board.castling_rook(piece.color(), side) == Some(square));
        let kind = if castles { CASTLING_ROOK } else { piece.kind().index() as u8 };
        let black = u8::from(piece.color() == Color::Black);
        bytes[8 + index / 2] |= (kind | black << 3) << (index % 2 * 4);
    }
    let en_passant = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[24] = en_passant | u8::from(board.side_to_move() == Color::Black) << 7;
    bytes[25] = board.halfmove_clock();
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes[30] = match result {
        RowResult::WhiteWins => 2,
        RowResult::Draw | RowResult::Unknown => 1,
        RowResult::BlackWins => 0,
    };
    bytes
}

/// Decodes the position and the result; the error is the reason why the bytes are invalid.
pub(super) fn unpack_board(bytes: &[u8; BOARD_BYTES]) -> Result<(Board, RowResult), String> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() > 32 {
        return Err(format!("{} occupied squares; expected at most 32", occupied.count_ones()));
    }
    let mut mailbox = [None; 64];
    let mut castling = String::new();
    for (index, square) in Bitboard(occupied).enumerate() {
        let nibble = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = if nibble < 8 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            CASTLING_ROOK => PieceKind::Rook,
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or_else(|| format!("piece {nibble}"))?,
        };
        if nibble & 7 == CASTLING_ROOK {
            let file = square.file().letter();
            castling.push(if color == Color::White { file.to_ascii_uppercase() } else { file });
        }
        mailbox[square.index()] = Some(Piece::new(color, kind));
    }
    let result = match bytes[30] {
        0 => RowResult::BlackWins,
        1 => RowResult::Draw,
        2 => RowResult::WhiteWins,
        other => return Err(format!("result {other}; expected 0, 1 or 2")),
    };
    let en_passant = match bytes[24] & 0x7F {
        NO_SQUARE => "-".to_owned(),
        index => Square::ALL.get(usize::from(index)).ok_or_else(|| format!("en passant square {index}"))?.to_string(),
    };
    let mut fen = placement(&mailbox);
    let side = if bytes[24] & 0x80 == 0 { 'w' } else { 'b' };
    let castling = if castling.is_empty() { "-" } else { &castling };
    let moves = u16::from_le_bytes([bytes[26], bytes[27]]).max(1);
    // Writing to a string cannot fail.
    let _ = write!(fen, " {side} {castling} {en_passant} {} {moves}", bytes[25]);
    let board = Board::from_fen(&fen).map_err(|problem| format!("illegal position `{fen}`: {problem}"))?;
    Ok((board, result))
}
