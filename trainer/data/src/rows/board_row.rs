//! Rows as boards and as FEN, and move indices.
//!
//! The **rank** of a move is its index, from 0, among the legal moves of its position ordered by source square, target
//! square (a1 = 0, b1 = 1, ... h8 = 63; for castling the rook's) and promotion (knight, bishop, rook, queen). No position
//! has more than 218 legal moves, so it fits into a byte.

use std::fmt::Write;

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::movegen::{legal_moves, parse_san, parse_uci_move};
use alfiere_chess::types::{Bitboard, CastleSide, Color, File, Move, MoveList, Piece, PieceKind, Rank, Square};

use super::bad_row::RowProblem;
use super::row::{Row, pack_nibbles};

/// The legal moves of a position in the order of their ranks.
pub(crate) fn ranked_moves(board: &Board) -> MoveList {
    let mut moves = legal_moves(board);
    moves.sort_unstable_by_key(|&mv| order(mv));
    moves
}

pub(crate) fn move_of_rank(board: &Board, rank: u8) -> Option<Move> {
    ranked_moves(board).get(usize::from(rank)).copied()
}

pub fn rank_of(board: &Board, mv: Move) -> u8 {
    let place = order(mv);
    legal_moves(board).iter().filter(|&&other| order(other) < place).count() as u8
}

fn order(mv: Move) -> (usize, usize, Option<PieceKind>) {
    (mv.source().index(), mv.target().index(), mv.promotion())
}

impl Row {
    /// The position of a FEN, without label, result and best move.
    pub(crate) fn from_fen(text: &[u8]) -> Result<Self, FenError> {
        Board::from_fen_bytes(text).map(|board| Self::of_board(&board))
    }

    /// The position on a board, without label, result and best move.
    pub fn of_board(board: &Board) -> Self {
        let nibble = |square| board.piece_on(square).map_or(0, |piece| piece as u8);
        let rights = board.castling_rights().index() as u8;
        let mut row = Self {
            occupied: board.occupied().0,
            nibbles: pack_nibbles(board.occupied(), nibble),
            label: 0,
            state: board.side_to_move() as u8 | rights << 1 | u8::from(board.in_check()) << 7,
            extra: board.en_passant().map_or(0, |square| square.file() as u8 + 1),
            clock: board.halfmove_clock(),
            best: 0,
            full_moves: board.fullmove_number().max(1),
        };
        row.mark_inner_rooks(board.inner_castling_rooks());
        row
    }

    /// The same row with this best move, in UCI notation or SAN.
    ///
    /// # Errors
    /// If it is illegal.
    pub(crate) fn with_move_text(self, text: &str) -> Result<Self, RowProblem> {
        let board = self.to_board().map_err(|error| RowProblem::Position(error.to_string()))?;
        let mv = parse_uci_move(&board, text).or_else(|_| parse_san(&board, text))?;
        Ok(self.with_best_move(rank_of(&board, mv), mv.is_noisy()))
    }

    /// The row's position as a board.
    ///
    /// # Errors
    /// If the position is illegal: rows are checked less strictly than boards.
    pub fn to_board(self) -> Result<Board, FenError> {
        Board::from_fen(&self.to_fen())
    }

    /// True if position, clocks and move number are equal; label, result and best move are ignored.
    pub(crate) fn is_same_position(&self, other: &Self) -> bool {
        const RESULT_BITS: u8 = 0x60;
        const FILE_BITS: u8 = 0x0F;
        self.occupied == other.occupied
            && self.nibbles == other.nibbles
            && (self.state ^ other.state) & !RESULT_BITS == 0
            && (self.extra ^ other.extra) & FILE_BITS == 0
            && (self.clock, self.full_moves) == (other.clock, other.full_moves)
    }
}

/// The placement field of a FEN, from squares a1 to h8; with room for the other fields.
fn placement(mailbox: &[Option<Piece>; 64]) -> String {
    let mut text = String::with_capacity(90);
    for rank in (0..8).rev() {
        for run in mailbox[rank * 8..rank * 8 + 8].chunk_by(|one, next| one.is_none() && next.is_none()) {
            text.push(run[0].map_or(char::from(b'0' + run.len() as u8), Piece::letter));
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// The position of a record, whose `castling` rights are the files of rooks; the error is the reason why it is illegal.
pub(crate) fn board_of(
    mailbox: &[Option<Piece>; 64],
    us: Color,
    castling: &str,
    en_passant: Option<Square>,
    clock: u8,
    moves: u16,
) -> Result<Board, String> {
    let side = if us == Color::White { 'w' } else { 'b' };
    let castling = if castling.is_empty() { "-" } else { castling };
    let en_passant = en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let fen = format!("{} {side} {castling} {en_passant} {clock} {moves}", placement(mailbox));
    Board::from_fen(&fen).map_err(|problem| format!("illegal position `{fen}`: {problem}"))
}

/// The occupied squares of a record.
pub(crate) fn occupied_squares(bits: u64) -> Result<Bitboard, String> {
    match bits.count_ones() {
        0..=32 => Ok(Bitboard(bits)),
        count => Err(format!("{count} occupied squares; expected at most 32")),
    }
}

/// Promotion pieces in the order of other programs' formats.
pub(crate) const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

pub(crate) fn promotion_index(mv: Move) -> Option<usize> {
    mv.promotion().and_then(|kind| PROMOTIONS.iter().position(|&one| one == kind))
}

impl Row {
    /// The position as FEN, castling rights as `KQkq` (the rook's file if another rook is further out).
    pub fn to_fen(&self) -> String {
        let mut mailbox = [None; 64];
        for (piece, square) in self.pieces() {
            mailbox[square.index()] = Some(piece);
        }
        let mut text = placement(&mailbox);
        let us = self.side_to_move();
        text.push_str(if us == Color::White { " w " } else { " b " });
        let rights = self.castling_rights();
        for (color, side, letter) in [
            (Color::White, CastleSide::King, 'K'),
            (Color::White, CastleSide::Queen, 'Q'),
            (Color::Black, CastleSide::King, 'k'),
            (Color::Black, CastleSide::Queen, 'q'),
        ] {
            if !rights.has(color, side) {
                continue;
            }
            let king = mailbox.iter().position(|&piece| piece == Some(Piece::new(color, PieceKind::King)));
            let mut rooks = self.inner_castling_rooks() & Bitboard::rank(Rank::First.relative_to(color));
            let rook = rooks.find(|rook| (Some(rook.index()) > king) == (side == CastleSide::King));
            let file = rook.map(|rook| rook.file().letter());
            text.push(match file {
                Some(file) if color == Color::White => file.to_ascii_uppercase(),
                file => file.unwrap_or(letter),
            });
        }
        if rights.is_empty() {
            text.push('-');
        }
        text.push(' ');
        match self.en_passant_file() {
            Some(file) => {
                text.push(File::letter(file));
                text.push(Rank::Sixth.relative_to(us).digit());
            }
            None => text.push('-'),
        }
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", self.halfmove_clock(), self.fullmove_number());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_position_of_its_board() {
        let mut compared = 0;
        for start in alfiere_chess::positions::POSITIONS {
            let mut board = Board::from_fen(start).expect("legal");
            for step in 0..60 {
                let moves = ranked_moves(&board);
                let row = Row::of_board(&board);
                assert_eq!((row.to_fen(), row.in_check()), (board.to_fen(), board.in_check()));
                assert_eq!(
                    (Row::from_fen(row.to_fen().as_bytes()), Row::from_bytes(&row.to_bytes())),
                    (Ok(row), Some(row))
                );
                assert_eq!(row.to_board().map(|back| back.to_fen()), Ok(board.to_fen()));
                for (rank, &mv) in moves.iter().enumerate() {
                    assert_eq!(usize::from(rank_of(&board, mv)), rank, "{board}");
                }
                let Some(&mv) = moves.get((step * 7 + 3) % moves.len().max(1)) else { break };
                board.play(mv);
                compared += 1;
            }
        }
        assert!(compared > 1_000, "{compared}");
    }

    #[test]
    fn rows_keep_the_file_of_the_castling_rook() {
        for fen in [
            "1r2k1r1/ppppp1p1/8/8/8/8/PPPP2P1/R1R1K1RR w GCkq - 0 1",
            "2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w B - 0 1",
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR b GBgb - 0 1",
        ] {
            let (row, board) = (Row::from_fen(fen.as_bytes()).expect("legal"), Board::from_fen(fen).expect("legal"));
            assert_eq!((row, row.to_fen().as_str()), (Row::of_board(&board), fen));
            assert_eq!(row.to_board().map(|back| back.to_fen()).as_deref(), Ok(fen));
            assert_eq!(Row::from_bytes(&row.to_bytes()), Some(row));
            // For the network and for held-out rows it is the same position as without rights.
            let (placement, _) = fen.split_once(' ').expect("fields");
            let side = fen.split(' ').nth(1).expect("a side");
            let plain = Row::from_fen(format!("{placement} {side} - - 0 1").as_bytes()).expect("legal");
            assert_eq!((row.key(), row.symmetric_key()), (plain.key(), plain.symmetric_key()));
        }
        let row = Row::from_fen(b"1r2k1r1/1pppp1p1/p7/8/8/P7/1PPP2P1/R1R1K1RR w GCkq - 0 2").expect("legal");
        assert!(row.with_move_text("e1g1").is_ok_and(|row| row.best_move() == crate::BestMove::Quiet));
    }

    #[test]
    fn keys_tell_placement_and_side_apart() {
        let key = |fen: &str| Row::from_fen(fen.as_bytes()).expect(fen).key();
        let start = key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 7 9"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}
