//! A labelled position in 32 bytes, the same in memory and in packed files.
//!
//! Owns the layout; independent of text formats. 16 million rows take half a gigabyte. A castling right is that of the
//! outermost rook, or of a rook with a nibble of its own.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | occupied squares, little-endian, bit 0 = a1, bit 63 = h8 |
//! | 8–23 | a nibble for each occupied square in that order, low nibble first: 0–5 White's P N B R Q K, 6–11 Black's, 12 and 13 a white and a black rook that may castle although another is further out |
//! | 24–25 | the label ([`Label::to_bits`]), little-endian |
//! | 26 | bit 0 Black to move; bits 1–4 castling rights K Q k q; bits 5–6 result; bit 7 in check |
//! | 27 | bits 0–3 en passant file + 1, 0 for none; bit 4 best move known; bit 5 best move is a capture or promotion; bits 6–7 the game ([`Row::game_mark`]) |
//! | 28 | half-move clock |
//! | 29 | the best move's rank (see `board_row`) + 1; 0 if unknown |
//! | 30–31 | full-move number, little-endian |

use alfiere_chess::types::{Bitboard, CastlingRights, Color, File, Piece, Rank, Square};

use super::label::Label;
use super::result::RowResult;

/// The nibble of a white rook that may castle although another is further out; a black one's is one more.
const INNER_ROOK: u8 = 12;

const PIECES: [Piece; 14] = {
    let mut pieces = [Piece::ALL[3]; 14];
    let mut nibble = 0;
    while nibble < Piece::ALL.len() {
        pieces[nibble] = Piece::ALL[nibble];
        nibble += 1;
    }
    pieces[13] = Piece::ALL[9];
    pieces
};

/// Those of byte 27 for the mark of the row's game.
pub(crate) const GAME_BITS: u8 = 0xC0;

/// Size of a row, in memory and in packed files.
pub const ROW_BYTES: usize = 32;

#[cfg(target_endian = "big")]
compile_error!("rows in memory are the bytes of files, which are little-endian");

// ANCHOR: row
/// A labelled position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Row {
    pub(crate) occupied: u64,
    pub(crate) nibbles: [u8; 16],
    pub(crate) label: i16,
    pub(crate) state: u8,
    pub(crate) extra: u8,
    pub(crate) clock: u8,
    pub(crate) best: u8,
    pub(crate) full_moves: u16,
}
// ANCHOR_END: row

/// What is known about the best move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum BestMove {
    #[default]
    Unknown,
    /// Neither a capture nor a promotion.
    Quiet,
    /// A capture or promotion.
    Noisy,
}

impl Row {
    pub const fn side_to_move(&self) -> Color {
        if self.state & 1 == 0 { Color::White } else { Color::Black }
    }

    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.occupied)
    }

    /// The number of pieces, including kings.
    pub const fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The pieces and their squares, from a1 to h8.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (Piece, Square)> + '_ {
        self.coded_squares().map(|(nibble, square)| (PIECES[usize::from(nibble).min(PIECES.len() - 1)], square))
    }

    /// The nibbles of the occupied squares, from a1 to h8.
    fn coded_squares(&self) -> impl ExactSizeIterator<Item = (u8, Square)> + '_ {
        unpack_nibbles(self.occupied(), &self.nibbles)
    }

    /// The rooks that may castle although another of their side is further out.
    pub(crate) fn inner_castling_rooks(&self) -> Bitboard {
        let inner = self.coded_squares().filter(|&(nibble, _)| nibble >= INNER_ROOK);
        inner.fold(Bitboard::EMPTY, |all, (_, square)| all.with(square))
    }

    /// Marks castling rooks that are not the outermost ones of their side.
    pub(crate) fn mark_inner_rooks(&mut self, inner: Bitboard) {
        for (index, square) in self.occupied().enumerate().filter(|&(_, square)| inner.contains(square)) {
            let color = usize::from(square.rank() != Rank::First) as u8;
            let shift = index % 2 * 4;
            self.nibbles[index / 2] = self.nibbles[index / 2] & !(15 << shift) | (INNER_ROOK + color) << shift;
        }
    }

    pub fn piece_on(&self, wanted: Square) -> Option<Piece> {
        self.pieces().find(|&(_, square)| square == wanted).map(|(piece, _)| piece)
    }

    /// The label, from White's point of view.
    pub fn label(&self) -> Label {
        Label::from_bits(self.label)
    }

    /// The same row with another label.
    pub const fn with_label(mut self, label: Label) -> Self {
        self.label = label.to_bits();
        self
    }

    /// The same row with another result.
    pub const fn with_result(mut self, result: RowResult) -> Self {
        self.state = self.state & 0x9F | result.to_bits() << 5;
        self
    }

    /// The same row with this best move: its rank, and whether it captures or promotes.
    pub(crate) const fn with_best_move(mut self, rank: u8, is_noisy: bool) -> Self {
        self.best = rank + 1;
        self.extra = self.extra & (GAME_BITS | 15) | if is_noisy { 0x30 } else { 0x10 };
        self
    }

    pub const fn result(&self) -> RowResult {
        RowResult::from_bits(self.state >> 5)
    }

    pub const fn castling_rights(&self) -> CastlingRights {
        CastlingRights::from_index((self.state >> 1 & 15) as usize)
    }

    /// True if the side to move is in check.
    pub const fn in_check(&self) -> bool {
        self.state & 0x80 != 0
    }

    /// What tells the row's game from those of its neighbours, where a file names games: 1, 2 and 3 in turn; else 0.
    pub(crate) const fn game_mark(&self) -> u8 {
        self.extra >> 6
    }

    /// The same row with the mark of this game, counted from 0; `None` for a row in no game's order.
    pub(crate) const fn with_game(mut self, game: Option<u64>) -> Self {
        let mark = match game {
            Some(game) => (game % 3) as u8 + 1,
            None => 0,
        };
        self.extra = self.extra & !GAME_BITS | mark << 6;
        self
    }

    /// File of the pawn that can be captured en passant.
    pub const fn en_passant_file(&self) -> Option<File> {
        match self.extra & 15 {
            file @ 1..=8 => Some(File::ALL[file as usize - 1]),
            _ => None,
        }
    }

    pub const fn best_move(&self) -> BestMove {
        match self.extra >> 4 & 3 {
            1 => BestMove::Quiet,
            3 => BestMove::Noisy,
            _ => BestMove::Unknown,
        }
    }

    /// True if it is known whether the best move is a capture or promotion.
    pub(crate) fn has_best_move(&self) -> bool {
        self.best_move() != BestMove::Unknown
    }

    /// The best move's rank among the legal moves; `None` if it is unknown or illegal.
    pub const fn best_move_rank(&self) -> Option<u8> {
        self.best.checked_sub(1)
    }

    /// Plies since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u8 {
        self.clock
    }

    /// Number of the move, from 1, incremented after Black's move.
    pub const fn fullmove_number(&self) -> u16 {
        self.full_moves
    }

    /// Plies since the start of the game, computed from the full-move number.
    pub const fn ply(&self) -> u32 {
        (self.full_moves as u32).saturating_sub(1) * 2 + (self.state & 1) as u32
    }

    /// A hash of the network's input: the placement and the side to move. Positions that differ only in castling
    /// rights, en passant or clocks are the same input.
    pub fn key(&self) -> u64 {
        let [low, high]: [u64; 2] = bytemuck::cast(self.nibbles);
        let hash = mix(0x9E37_79B9_7F4A_7C15 ^ u64::from(self.state & 1), self.occupied);
        mix(mix(hash, without_marks(low)), without_marks(high))
    }

    /// The row as bytes, in the layout of the module documentation.
    pub fn to_bytes(&self) -> [u8; ROW_BYTES] {
        bytemuck::cast(*self)
    }

    /// The inverse of [`Row::to_bytes`]; `None` if the bytes are not a position with one king per side.
    pub fn from_bytes(bytes: &[u8; ROW_BYTES]) -> Option<Self> {
        Some(bytemuck::cast::<_, Self>(*bytes)).filter(Self::is_sound)
    }

    /// One king a side, at most 32 pieces, no unknown piece.
    pub(crate) fn is_sound(&self) -> bool {
        let count = self.piece_count() as usize;
        if count > 32 {
            return false;
        }
        let mut kings = [0, 0];
        for index in 0..count {
            match self.nibbles[index / 2] >> (index % 2 * 4) & 15 {
                5 => kings[0] += 1,
                11 => kings[1] += 1,
                0..14 => {}
                _ => return false,
            }
        }
        kings == [1, 1]
    }
}

/// A nibble for each of these squares, in order, low nibble first.
pub(crate) fn pack_nibbles(squares: Bitboard, nibble: impl Fn(Square) -> u8) -> [u8; 16] {
    let mut nibbles = [0; 16];
    for (index, square) in squares.enumerate() {
        nibbles[index / 2] |= nibble(square) << (index % 2 * 4);
    }
    nibbles
}

/// The inverse of [`pack_nibbles`].
pub(crate) fn unpack_nibbles(squares: Bitboard, nibbles: &[u8]) -> impl ExactSizeIterator<Item = (u8, Square)> {
    squares.enumerate().map(|(index, square)| (nibbles[index / 2] >> (index % 2 * 4) & 15, square))
}

/// Sixteen nibbles with those of plain rooks in place of [`INNER_ROOK`]s.
fn without_marks(nibbles: u64) -> u64 {
    let marks = nibbles >> 3 & nibbles >> 2 & 0x1111_1111_1111_1111;
    // 12 becomes 3 and 13 becomes 9.
    let black = marks & nibbles;
    (nibbles & !(marks * 15)) | ((marks ^ black) * 3) | (black * 9)
}

/// Adds a word to a hash: XOR of both halves of a 128-bit product.
fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word ^ 0xA076_1D64_78BD_642F) * u128::from(word.rotate_left(32) ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(hash.rotate_left(23))
}
