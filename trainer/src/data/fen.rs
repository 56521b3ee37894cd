//! FEN to packed row and back, fast.
//!
//! The engine's `Board::from_fen` sets up everything a game needs; a data set of millions of rows needs only a sound
//! placement and a few fields. This reader refuses what cannot be a position, with the reason; a test holds it against
//! the engine's on real rows.

use alfiere::types::{CastleSide, CastlingRights, Color, File, Piece, PieceKind, Rank, Square};

use super::label::parse_digits;
use super::row::Row;

/// Why a FEN is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenProblem {
    /// Fewer than four or more than six fields.
    #[error("expected 4 to 6 FEN fields, found {0}")]
    Fields(usize),
    /// A rank with too few or too many squares, or an unknown letter.
    #[error("expected 8 ranks of 8 squares in the placement")]
    Placement,
    /// No king, or several.
    #[error("expected one king a side, found {white} white and {black} black")]
    Kings {
        /// White kings found.
        white: u32,
        /// Black kings found.
        black: u32,
    },
    /// More pieces of one colour than a game has.
    #[error("expected at most 16 pieces a side")]
    TooManyPieces,
    /// A pawn where no pawn can be.
    #[error("a pawn stands on the first or last rank")]
    PawnOnLastRank,
    /// Neither `w` nor `b`.
    #[error("expected `w` or `b` as the side to move")]
    SideToMove,
    /// Unknown letters, or a right without its king and rook.
    #[error("expected castling rights that king and rooks allow, or `-`")]
    Castling,
    /// Not a square behind a pawn that just moved two squares.
    #[error("expected an en passant square behind a pawn that just moved, or `-`")]
    EnPassant,
    /// A clock that is no number.
    #[error("expected numbers as half-move clock and full-move number")]
    Clocks,
    /// The player who just moved left the king en prise.
    #[error("the side not to move is in check")]
    OpponentInCheck,
}

const EMPTY: u8 = 15;
type Mailbox = [u8; 64];

const fn code(color: Color, kind: PieceKind) -> u8 {
    Piece::new(color, kind) as u8
}

/// Reads a FEN into a row without label.
pub(super) fn parse(text: &[u8]) -> Result<Row, FenProblem> {
    let mut fields: [&[u8]; 6] = [b"", b"", b"-", b"-", b"0", b"1"];
    let mut count = 0;
    for field in text.split(|byte| *byte == b' ').filter(|field| !field.is_empty()) {
        if let Some(slot) = fields.get_mut(count) {
            *slot = field;
        }
        count += 1;
    }
    if !(4..=6).contains(&count) {
        return Err(FenProblem::Fields(count));
    }
    let (mailbox, mut row) = parse_placement(fields[0])?;
    let kings = find_kings(&mailbox)?;
    let us = match fields[1] {
        b"w" => Color::White,
        b"b" => Color::Black,
        _ => return Err(FenProblem::SideToMove),
    };
    let rights = parse_castling(fields[2], &mailbox, kings)?;
    row.state = us as u8 | (rights.index() as u8) << 1;
    row.extra = parse_en_passant(fields[3], &mailbox, us)?;
    row.clock = parse_digits(fields[4]).ok_or(FenProblem::Clocks)?.min(255) as u8;
    row.full_moves = parse_digits(fields[5]).ok_or(FenProblem::Clocks)?.clamp(1, 65_535) as u16;
    if is_attacked(&mailbox, kings[(!us).index()], us) {
        return Err(FenProblem::OpponentInCheck);
    }
    if is_attacked(&mailbox, kings[us.index()], !us) {
        row.state |= 0x80;
    }
    Ok(row)
}

fn parse_placement(text: &[u8]) -> Result<(Mailbox, Row), FenProblem> {
    let mut mailbox = [EMPTY; 64];
    let (mut rank, mut file) = (7usize, 0usize);
    let mut counts = [0u32; 2];
    for &byte in text {
        match byte {
            b'/' => {
                if file != 8 || rank == 0 {
                    return Err(FenProblem::Placement);
                }
                (rank, file) = (rank - 1, 0);
            }
            b'1'..=b'8' => {
                file += usize::from(byte - b'0');
                if file > 8 {
                    return Err(FenProblem::Placement);
                }
            }
            letter => {
                let piece = PIECE_OF_LETTER[usize::from(letter)];
                if piece == EMPTY || file > 7 {
                    return Err(FenProblem::Placement);
                }
                if matches!(letter, b'P' | b'p') && (rank == 0 || rank == 7) {
                    return Err(FenProblem::PawnOnLastRank);
                }
                counts[usize::from(piece >= 6)] += 1;
                mailbox[rank * 8 + file] = piece;
                file += 1;
            }
        }
    }
    if rank != 0 || file != 8 {
        return Err(FenProblem::Placement);
    }
    if counts[0] > 16 || counts[1] > 16 {
        return Err(FenProblem::TooManyPieces);
    }
    Ok((mailbox, pack_placement(&mailbox)))
}

fn pack_placement(mailbox: &Mailbox) -> Row {
    let mut row = Row { occupied: 0, nibbles: [0; 16], label: 0, state: 0, extra: 0, clock: 0, full_moves: 1 };
    let mut index = 0;
    for (square, &piece) in mailbox.iter().enumerate() {
        if piece != EMPTY {
            row.occupied |= 1 << square;
            row.nibbles[index / 2] |= piece << (index % 2 * 4);
            index += 1;
        }
    }
    row
}

const PIECE_OF_LETTER: [u8; 256] = {
    let mut table = [EMPTY; 256];
    let mut index = 0;
    while index < Piece::ALL.len() {
        table[Piece::ALL[index].letter() as usize] = index as u8;
        index += 1;
    }
    table
};

fn find_kings(mailbox: &Mailbox) -> Result<[usize; 2], FenProblem> {
    let (mut squares, mut found) = ([0; 2], [0; 2]);
    for (square, &piece) in mailbox.iter().enumerate() {
        for color in Color::ALL {
            if piece == code(color, PieceKind::King) {
                squares[color.index()] = square;
                found[color.index()] += 1;
            }
        }
    }
    if found == [1, 1] { Ok(squares) } else { Err(FenProblem::Kings { white: found[0], black: found[1] }) }
}

/// `KQkq`, or the rooks' files as letters (Shredder-FEN); a right needs its king and a rook on the first rank.
fn parse_castling(text: &[u8], mailbox: &Mailbox, kings: [usize; 2]) -> Result<CastlingRights, FenProblem> {
    let mut rights = CastlingRights::NONE;
    if text == b"-" {
        return Ok(rights);
    }
    for &letter in text {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let home = Rank::First.relative_to(color).index() * 8;
        let (king, rook) = (kings[color.index()], code(color, PieceKind::Rook));
        if !(home..home + 8).contains(&king) {
            return Err(FenProblem::Castling);
        }
        let side = match letter.to_ascii_lowercase() {
            b'k' if mailbox[king..home + 8].contains(&rook) => CastleSide::King,
            b'q' if mailbox[home..king].contains(&rook) => CastleSide::Queen,
            file @ b'a'..=b'h' if mailbox[home + usize::from(file - b'a')] == rook => {
                if home + usize::from(file - b'a') > king { CastleSide::King } else { CastleSide::Queen }
            }
            _ => return Err(FenProblem::Castling),
        };
        if rights.has(color, side) {
            return Err(FenProblem::Castling);
        }
        rights = rights.with(color, side);
    }
    Ok(rights)
}

/// The file + 1 where a pawn stands ready to capture en passant, else 0.
fn parse_en_passant(text: &[u8], mailbox: &Mailbox, us: Color) -> Result<u8, FenProblem> {
    if text == b"-" {
        return Ok(0);
    }
    let name = std::str::from_utf8(text).map_err(|_| FenProblem::EnPassant)?;
    let square = Square::parse(name).ok_or(FenProblem::EnPassant)?;
    let at = |rank: Rank| Square::new(square.file(), rank.relative_to(us)).index();
    let (origin, target, pawn) = (at(Rank::Seventh), at(Rank::Sixth), at(Rank::Fifth));
    if square.index() != target || mailbox[origin] != EMPTY || mailbox[target] != EMPTY {
        return Err(FenProblem::EnPassant);
    }
    if mailbox[pawn] != code(!us, PieceKind::Pawn) {
        return Err(FenProblem::EnPassant);
    }
    let file = square.file().index();
    let ours = code(us, PieceKind::Pawn);
    let ready = (file > 0 && mailbox[pawn - 1] == ours) || (file < 7 && mailbox[pawn + 1] == ours);
    Ok(if ready { file as u8 + 1 } else { 0 })
}

/// True when a piece of `by` attacks the square: steps outward from it.
fn is_attacked(mailbox: &Mailbox, square: usize, by: Color) -> bool {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let at = |df: i32, dr: i32| {
        let (file, rank) = (file + df, rank + dr);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| mailbox[(rank * 8 + file) as usize])
    };
    let pawn_rank = if by == Color::White { -1 } else { 1 };
    let is = |piece: Option<u8>, kind: PieceKind| piece == Some(code(by, kind));
    const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    const RAYS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    if is(at(-1, pawn_rank), PieceKind::Pawn) || is(at(1, pawn_rank), PieceKind::Pawn) {
        return true;
    }
    if KNIGHT.iter().any(|&(df, dr)| is(at(df, dr), PieceKind::Knight)) {
        return true;
    }
    RAYS.iter().enumerate().any(|(index, &(df, dr))| {
        let slider = if index < 4 { PieceKind::Rook } else { PieceKind::Bishop };
        for steps in 1..8 {
            match at(df * steps, dr * steps) {
                None => return false,
                Some(EMPTY) => {}
                hit => {
                    let near_king = steps == 1 && is(hit, PieceKind::King);
                    return near_king || is(hit, slider) || is(hit, PieceKind::Queen);
                }
            }
        }
        false
    })
}

impl Row {
    /// The position as FEN, castling rights as `KQkq`.
    pub fn to_fen(&self) -> String {
        let mut mailbox = [None; 64];
        for (piece, square) in self.pieces() {
            mailbox[square.index()] = Some(piece);
        }
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0u8;
            for piece in &mailbox[rank * 8..rank * 8 + 8] {
                if let Some(piece) = piece {
                    if gap > 0 {
                        text.push(char::from(b'0' + gap));
                        gap = 0;
                    }
                    text.push(piece.letter());
                } else {
                    gap += 1;
                }
            }
            if gap > 0 {
                text.push(char::from(b'0' + gap));
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let us = self.side_to_move();
        text.push_str(if us == Color::White { "w " } else { "b " });
        let rights = self.castling_rights();
        for (color, side, letter) in [
            (Color::White, CastleSide::King, 'K'),
            (Color::White, CastleSide::Queen, 'Q'),
            (Color::Black, CastleSide::King, 'k'),
            (Color::Black, CastleSide::Queen, 'q'),
        ] {
            if rights.has(color, side) {
                text.push(letter);
            }
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
        text.push_str(&format!(" {} {}", self.halfmove_clock(), self.fullmove_number()));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn problem(text: &str) -> FenProblem {
        parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn positions_come_back_as_they_were() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "4k1b1/p1Q1n3/3p4/2nP3p/3qP1pP/2N3P1/PrP2RK1/8 w - - 200 922",
        ] {
            let row = parse(fen.as_bytes()).expect(fen);
            assert_eq!(row.to_fen(), fen);
            assert_eq!(Row::from_bytes(&row.to_bytes()), Some(row));
        }
    }

    #[test]
    fn each_fault_is_named() {
        assert_eq!(problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), FenProblem::Fields(1));
        assert_eq!(problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("8/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::Kings { white: 1, black: 0 });
        assert_eq!(problem("k6P/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::PawnOnLastRank);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 x - - 0 1"), FenProblem::SideToMove);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w K - 0 1"), FenProblem::Castling);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w - e6 0 1"), FenProblem::EnPassant);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w - - x 1"), FenProblem::Clocks);
        assert_eq!(problem("k7/8/8/8/8/8/8/K6R b - - 0 x"), FenProblem::Clocks);
        assert_eq!(problem("k6R/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::OpponentInCheck);
        assert_eq!(problem("kK6/8/8/8/8/8/8/8 w - - 0 1"), FenProblem::OpponentInCheck);
    }

    #[test]
    fn checks_and_rights_are_seen() {
        let row = parse(b"k6R/8/8/8/8/8/8/K7 b - - 0 1").expect("legal");
        assert!(row.in_check());
        let row = parse(b"rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1").expect("legal");
        assert_eq!(row.castling_rights(), CastlingRights::ALL);
        assert!(!row.in_check());
    }

    #[test]
    fn an_en_passant_square_without_a_capturer_is_dropped() {
        let plain = parse(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").expect("legal");
        let with = parse(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").expect("legal");
        assert_eq!(plain, with);
    }

    #[test]
    fn keys_tell_placement_and_side_apart() {
        let key = |fen: &str| parse(fen.as_bytes()).expect(fen).key();
        let start = key(START);
        assert_eq!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 7 9"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}
