//! FEN, including X-FEN and Shredder-FEN: parsing with its errors, and formatting.

use std::fmt::{self, Write};
use std::str::FromStr;

use thiserror::Error;

use super::Board;
use crate::types::{Bitboard, CastleSide, Color, File, Piece, PieceKind, Rank, Square};

/// The notation of castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CastlingLetters {
    /// `KQkq`; the rook's file if `K` or `Q` would mean another rook.
    XFen,
    /// Always the rook's file, as in `HAha`.
    Shredder,
}

impl Board {
    /// Parses a FEN of 4 to 6 fields; missing clocks default to 0 and 1.
    ///
    /// # Errors
    /// Names the invalid field and the reason, for malformed text and for illegal positions.
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        Self::from_fen_bytes(text.as_bytes())
    }

    /// Parses a FEN as [`from_fen`](Self::from_fen) does, of text that need not be UTF-8.
    ///
    /// # Errors
    /// Those of [`from_fen`](Self::from_fen).
    pub fn from_fen_bytes(text: &[u8]) -> Result<Self, FenError> {
        let mut fields: [&[u8]; 6] = [b"", b"", b"", b"", b"0", b"1"];
        let mut count = 0;
        for field in text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()) {
            if let Some(slot) = fields.get_mut(count) {
                *slot = field;
            }
            count += 1;
        }
        if !(4..=6).contains(&count) {
            return Err(FenError::FieldCount(count));
        }
        let [pieces, side, castling, passed, halfmove, fullmove] = fields;
        let mut board = Self::empty();
        board.read_pieces(pieces)?;
        board.check_pieces()?;
        board.set_side_to_move(match side {
            b"w" => Color::White,
            b"b" => Color::Black,
            other => return Err(FenError::SideToMove(lossy(other))),
        });
        board.read_castling(castling)?;
        board.refresh_checks_and_pins();
        board.check_checks()?;
        if passed != b"-" {
            let name = str::from_utf8(passed).ok();
            let passed = name.and_then(Square::parse).ok_or_else(|| FenError::EnPassantText(lossy(passed)))?;
            board.check_en_passant(passed)?;
            board.offer_en_passant(passed);
        }
        let halfmove = counter(halfmove).ok_or_else(|| FenError::HalfmoveClock(lossy(halfmove)))?;
        let fullmove = counter(fullmove).ok_or_else(|| FenError::FullmoveNumber(lossy(fullmove)))?;
        board.set_clocks(halfmove.min(u8::MAX.into()) as u8, fullmove.max(1));
        board.complete_key();
        Ok(board)
    }

    fn read_pieces(&mut self, field: &[u8]) -> Result<(), FenError> {
        let count = field.split(|&letter| letter == b'/').count();
        if count != 8 {
            return Err(FenError::RankCount(count));
        }
        let is_known = |letter| matches!(letter, '1'..='8' | '/') || Piece::from_letter(letter).is_some();
        let unknown = || lossy(field).chars().find(|&letter| !is_known(letter)).unwrap_or_default();
        let mut letters = field.iter().copied();
        for rank in Rank::ALL.into_iter().rev() {
            let mut file = 0;
            while let Some(letter) = letters.next().filter(|&letter| letter != b'/') {
                if let b'1'..=b'8' = letter {
                    file += usize::from(letter - b'0');
                } else {
                    let piece = Piece::from_letter(letter.into()).ok_or_else(|| FenError::UnknownPiece(unknown()))?;
                    if let Some(&file) = File::ALL.get(file) {
                        self.put(piece, Square::new(file, rank));
                    }
                    file += 1;
                }
            }
            if file != 8 {
                return Err(FenError::RankLength { rank: rank.index() + 1, squares: file });
            }
        }
        Ok(())
    }

    fn read_castling(&mut self, field: &[u8]) -> Result<(), FenError> {
        if field == b"-" {
            return Ok(());
        }
        let wrong = || FenError::CastlingText(lossy(field));
        if field.len() > 4 || !field.is_ascii() {
            return Err(wrong());
        }
        for letter in field.iter().copied().map(char::from) {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let home = Rank::First.relative_to(color);
            let (king, rook) = (Piece::new(color, PieceKind::King), Piece::new(color, PieceKind::Rook));
            let king_square = self.king(color);
            if king_square.rank() != home {
                return Err(FenError::CastlingImpossible { letter, needed: king });
            }
            let rooks = self.colored(color, PieceKind::Rook) & Bitboard::rank(home);
            let file = match letter.to_ascii_lowercase() {
                'k' => rooks.into_iter().filter(|&square| square > king_square).last().map(Square::file),
                'q' => rooks.into_iter().find(|&square| square < king_square).map(Square::file),
                'a'..='h' => File::from_letter(letter).filter(|&file| rooks.contains(Square::new(file, home))),
                _ => return Err(wrong()),
            };
            let file = file.ok_or(FenError::CastlingImpossible { letter, needed: rook })?;
            let side = if file > king_square.file() { CastleSide::King } else { CastleSide::Queen };
            if self.castling_rights().has(color, side) {
                return Err(wrong());
            }
            self.grant_castling(color, side, file);
        }
        Ok(())
    }

    /// The position as FEN, with `KQkq` for castling rights (the rook's file if another rook is further out).
    pub fn to_fen(&self) -> String {
        self.format_fen(CastlingLetters::XFen)
    }

    /// The position as Shredder-FEN, with the rooks' files for castling rights.
    pub fn to_shredder_fen(&self) -> String {
        self.format_fen(CastlingLetters::Shredder)
    }

    fn format_fen(&self, letters: CastlingLetters) -> String {
        let mut fen = String::with_capacity(90);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        push_count(&mut fen, &mut empty);
                        fen.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            push_count(&mut fen, &mut empty);
            fen.push(if rank == Rank::First { ' ' } else { '/' });
        }
        fen.push(if self.side_to_move() == Color::White { 'w' } else { 'b' });
        fen.push(' ');
        self.write_castling(&mut fen, letters);
        let passed = self.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        // Writing to a string cannot fail.
        let _ = write!(fen, " {passed} {} {}", self.halfmove_clock(), self.fullmove_number());
        fen
    }

    fn write_castling(&self, fen: &mut String, letters: CastlingLetters) {
        if self.castling_rights().is_empty() {
            fen.push('-');
        }
        let inner = self.inner_castling_rooks();
        for color in Color::ALL {
            for side in CastleSide::ALL {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let letter = if letters == CastlingLetters::Shredder || inner.contains(rook) {
                    rook.file().letter()
                } else if side == CastleSide::King {
                    'k'
                } else {
                    'q'
                };
                fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }

    /// The castling rooks with another rook of their side further out, which `KQkq` cannot name.
    pub fn inner_castling_rooks(&self) -> Bitboard {
        let mut inner = Bitboard::EMPTY;
        for color in Color::ALL {
            let rooks = self.colored(color, PieceKind::Rook) & Bitboard::rank(Rank::First.relative_to(color));
            for side in CastleSide::ALL {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let is_inner = rooks.into_iter().any(|other| match side {
                    CastleSide::King => other > rook,
                    CastleSide::Queen => other < rook,
                });
                if is_inner {
                    inner = inner.with(rook);
                }
            }
        }
        inner
    }
}

/// Parses a counter; values out of range are clamped, because the position is still usable.
fn counter(text: &[u8]) -> Option<u16> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let with_digit = |number: u16, digit: &u8| number.saturating_mul(10).saturating_add(u16::from(digit - b'0'));
    is_number.then(|| text.iter().fold(0, with_digit))
}

/// The text of a field for a message.
fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn push_count(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push((b'0' + *empty) as char);
        *empty = 0;
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text)
    }
}

/// The invalid field of a FEN and the reason.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    #[error("FEN fields: {0}, expected 4 to 6 (pieces, side, castling, en passant, clocks; no operations of EPD)")]
    FieldCount(usize),
    #[error("FEN pieces: {0} ranks, expected 8")]
    RankCount(usize),
    #[error("FEN pieces: rank {rank} has {squares} squares, expected 8")]
    RankLength { rank: usize, squares: usize },
    #[error("FEN pieces: '{0}' is not a piece, expected one of PNBRQKpnbrqk or a digit 1 to 8")]
    UnknownPiece(char),
    #[error("FEN pieces: {color} has {count} kings, expected 1")]
    Kings { color: Color, count: u32 },
    #[error("FEN pieces: {color} has {pawns} pawns and {extra} extra pieces, more than 8 promotions allow")]
    TooManyPieces { color: Color, pawns: u32, extra: u32 },
    #[error("FEN pieces: a pawn on {0}, expected no pawn on the first or last rank")]
    PawnOnLastRank(Square),
    #[error("FEN side to move: '{0}', expected w or b")]
    SideToMove(String),
    #[error("FEN side to move: {0} is to move and could capture the king")]
    OpponentInCheck(Color),
    #[error("FEN pieces: {0} pieces give check at once, expected at most 2")]
    TooManyCheckers(u32),
    #[error("FEN castling: '{0}', expected - or letters of KQkq or rook files")]
    CastlingText(String),
    #[error("FEN castling: '{letter}' needs a {} on its castling square", words(*needed))]
    CastlingImpossible { letter: char, needed: Piece },
    #[error("FEN en passant: '{0}', expected - or a square")]
    EnPassantText(String),
    #[error("FEN en passant: no double push can have just crossed {0}")]
    EnPassantImpossible(Square),
    #[error("FEN half-move clock: '{0}', expected a whole number")]
    HalfmoveClock(String),
    #[error("FEN move number: '{0}', expected a whole number")]
    FullmoveNumber(String),
}

/// A piece in words: `white rook`.
fn words(piece: Piece) -> String {
    format!("{} {:?}", piece.color(), piece.kind()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_round_trips() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(Board::startpos().to_fen(), fen);
        assert_eq!(Board::from_fen(fen).unwrap(), Board::startpos());
        assert_eq!(Board::startpos().to_shredder_fen(), fen.replace("KQkq", "HAha"));
    }

    #[test]
    fn x_fen_names_the_inner_rook_by_its_file() {
        let fen = "1r2k1r1/8/8/8/8/8/8/R1R1K1RR w GCgb - 3 9";
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(board.to_fen(), "1r2k1r1/8/8/8/8/8/8/R1R1K1RR w GCkq - 3 9");
        assert_eq!(Board::from_fen(&board.to_fen()).unwrap(), board);
        assert_eq!(board.to_shredder_fen(), fen);
    }

    #[test]
    fn en_passant_is_kept_only_when_it_can_be_taken() {
        let kept = |fen: &str| Board::from_fen(fen).unwrap().en_passant();
        assert_eq!(kept("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"), None);
        assert_eq!(kept("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), Some(Square::E3));
        assert_eq!(kept("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), None, "both pawns leave the rank");
        assert_eq!(kept("8/1k6/8/8/3Pp3/8/8/3K3B b - d3 0 1"), None, "the pawn is pinned on a diagonal");
    }

    #[test]
    fn counters_out_of_range_are_clamped() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 256 70000").expect("a position");
        assert_eq!(board.to_fen(), "4k3/8/8/8/8/8/8/4K3 w - - 255 65535");
    }

    #[test]
    fn invalid_fens_are_rejected_with_the_field() {
        for (fen, reason) in [
            ("", "FEN fields: 0"),
            ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks"),
            ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 has 7 squares"),
            ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1 has 9 squares"),
            ("4k3/8/8/8/8/8/8/4Kx2 w - - 0 1", "'x' is not a piece"),
            ("4k3/8/8/8/8/8/8/4Ké1 w - - 0 1", "'é' is not a piece"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
            ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on h8"),
            ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn on a1"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "expected w or b"),
            ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "could capture the king"),
            ("kK6/8/8/8/8/8/8/8 w - - 0 1", "could capture the king"),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling: 'K' needs a white rook"),
            ("4k2r/8/8/8/8/8/4K3/7R w K - 0 1", "castling: 'K' needs a white king"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling: 'KK'"),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "castling: 'X'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant: 'e9'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "crossed e6"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "crossed e3"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock: 'x'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 -3", "move number: '-3'"),
            ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "9 pawns"),
            ("4k3/pppppppp/8/8/8/8/8/QQ2K3 w - - 0 1", ""),
            ("4k3/pppppppp/qq6/8/8/8/8/4K3 w - - 0 1", "1 extra"),
            ("1k6/8/8/1Q6/8/8/8/B2RK2B b - - 0 1", ""),
            ("k6R/8/8/Q7/8/8/8/4K2B b - - 0 1", "3 pieces give check"),
        ] {
            match Board::from_fen(fen) {
                Ok(_) => assert_eq!(reason, "", "{fen} was accepted"),
                Err(error) => assert!(!reason.is_empty() && error.to_string().contains(reason), "{fen}: {error}"),
            }
        }
    }
}
