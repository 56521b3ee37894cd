//! A labelled position in 32 bytes, as it lies in memory and in packed files.
//!
//! Owns the layout; independent of text formats. Half a gigabyte holds 16 million rows. Of Chess960 castling rights
//! only the side is kept, not the file of the rook.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | occupied squares, little-endian, bit 0 = a1, bit 63 = h8 |
//! | 8–23 | a nibble for each occupied square in that order, low nibble first: 0–5 White's P N B R Q K, 6–11 Black's |
//! | 24–25 | the label ([`Label::to_bits`]), little-endian |
//! | 26 | bit 0 Black to move; bits 1–4 castling rights K Q k q; bits 5–6 result; bit 7 in check |
//! | 27 | bits 0–3 en passant file + 1, 0 for none; bit 4 best move known; bit 5 it captures or promotes |
//! | 28 | half-move clock |
//! | 29 | the best move's rank (see `board_row`) + 1, 0 when it is not known |
//! | 30–31 | full-move number, little-endian |

use alfiere_chess::types::{Bitboard, CastlingRights, Color, File, Piece, Square};

use super::label::{GameResult, Label};

/// Size of a row, in memory and in packed files.
pub const ROW_BYTES: usize = 32;

/// A labelled position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub(super) occupied: u64,
    pub(super) nibbles: [u8; 16],
    pub(super) label: i16,
    pub(super) state: u8,
    pub(super) extra: u8,
    pub(super) clock: u8,
    pub(super) best: u8,
    pub(super) full_moves: u16,
}

/// What a set says about the best move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum BestMove {
    /// The set has no moves, or not for this row.
    #[default]
    Unknown,
    /// Neither captures nor promotes.
    Quiet,
    /// Captures or promotes.
    Noisy,
}

impl Row {
    /// Whose move it is.
    pub const fn side_to_move(&self) -> Color {
        if self.state & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The occupied squares.
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.occupied)
    }

    /// How many pieces stand on the board, kings included.
    pub const fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The pieces and their squares, from a1 to h8.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (Piece, Square)> + '_ {
        self.occupied().enumerate().map(|(index, square)| {
            let nibble = self.nibbles[index / 2] >> (index % 2 * 4) & 15;
            (Piece::ALL[usize::from(nibble).min(Piece::ALL.len() - 1)], square)
        })
    }

    /// The piece on a square.
    pub fn piece_on(&self, wanted: Square) -> Option<Piece> {
        self.pieces().find(|&(_, square)| square == wanted).map(|(piece, _)| piece)
    }

    /// The label, from White's side.
    pub const fn label(&self) -> Label {
        Label::from_bits(self.label)
    }

    /// The same row with another label.
    pub const fn with_label(mut self, label: Label) -> Self {
        self.label = label.to_bits();
        self
    }

    /// The same row with another result.
    pub const fn with_result(mut self, result: GameResult) -> Self {
        self.state = self.state & 0x9F | result.to_bits() << 5;
        self
    }

    /// The same row with this best move: its rank, and whether it captures or promotes.
    pub(crate) const fn with_best_move(mut self, rank: u8, is_noisy: bool) -> Self {
        self.best = rank + 1;
        self.extra = self.extra & 15 | if is_noisy { 0x30 } else { 0x10 };
        self
    }

    /// The same row without a best move.
    pub(crate) const fn without_best_move(mut self) -> Self {
        self.best = 0;
        self.extra &= 15;
        self
    }

    /// How the game ended, where known.
    pub const fn result(&self) -> GameResult {
        GameResult::from_bits(self.state >> 5)
    }

    /// Castling rights; of Chess960 rights the rook's file is not kept.
    pub const fn castling_rights(&self) -> CastlingRights {
        CastlingRights::from_index((self.state >> 1 & 15) as usize)
    }

    /// True when the side to move is in check.
    pub const fn in_check(&self) -> bool {
        self.state & 0x80 != 0
    }

    /// File of a pawn that just moved two squares and that a pawn stands ready to capture.
    pub const fn en_passant_file(&self) -> Option<File> {
        match self.extra & 15 {
            file @ 1..=8 => Some(File::ALL[file as usize - 1]),
            _ => None,
        }
    }

    /// What the set says about the best move.
    pub const fn best_move(&self) -> BestMove {
        match self.extra >> 4 & 3 {
            1 => BestMove::Quiet,
            3 => BestMove::Noisy,
            _ => BestMove::Unknown,
        }
    }

    /// The best move's rank among the legal moves; `None` where the set does not say it or says a move that is none.
    pub const fn best_move_rank(&self) -> Option<u8> {
        self.best.checked_sub(1)
    }

    /// Half-moves since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u8 {
        self.clock
    }

    /// Number of the move, from 1, counted after Black's.
    pub const fn fullmove_number(&self) -> u16 {
        self.full_moves
    }

    /// Half-moves since the start of the game, as the full-move number tells.
    pub const fn ply(&self) -> u32 {
        (self.full_moves as u32).saturating_sub(1) * 2 + (self.state & 1) as u32
    }

    /// A hash of what a network sees: the placement and the side to move. Positions that differ only in castling
    /// rights, en passant or clocks are one input to it, so splits treat them as equal.
    pub fn key(&self) -> u64 {
        let low = u64::from_le_bytes(eight(&self.nibbles, 0));
        let high = u64::from_le_bytes(eight(&self.nibbles, 8));
        let mut hash = mix(0x9E37_79B9_7F4A_7C15 ^ u64::from(self.state & 1), self.occupied);
        hash = mix(hash, low);
        mix(hash, high)
    }

    /// The row as bytes, in the layout of the module's head.
    pub fn to_bytes(&self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.nibbles);
        bytes[24..26].copy_from_slice(&self.label.to_le_bytes());
        bytes[26] = self.state;
        bytes[27] = self.extra;
        bytes[28] = self.clock;
        bytes[29] = self.best;
        bytes[30..].copy_from_slice(&self.full_moves.to_le_bytes());
        bytes
    }

    /// The row that [`Row::to_bytes`] wrote; `None` when the bytes are no position with one king a side.
    pub fn from_bytes(bytes: &[u8; ROW_BYTES]) -> Option<Self> {
        let row = Self {
            occupied: u64::from_le_bytes(eight(bytes, 0)),
            nibbles: std::array::from_fn(|index| bytes[8 + index]),
            label: i16::from_le_bytes([bytes[24], bytes[25]]),
            state: bytes[26],
            extra: bytes[27],
            clock: bytes[28],
            best: bytes[29],
            full_moves: u16::from_le_bytes([bytes[30], bytes[31]]),
        };
        row.is_sound().then_some(row)
    }

    /// One king a side, at most 32 pieces, no unknown piece.
    fn is_sound(&self) -> bool {
        let count = self.piece_count() as usize;
        if count > 32 {
            return false;
        }
        let mut kings = [0, 0];
        for index in 0..count {
            match self.nibbles[index / 2] >> (index % 2 * 4) & 15 {
                5 => kings[0] += 1,
                11 => kings[1] += 1,
                0..12 => {}
                _ => return false,
            }
        }
        kings == [1, 1]
    }
}

/// Eight bytes of a longer array.
fn eight(bytes: &[u8], offset: usize) -> [u8; 8] {
    std::array::from_fn(|index| bytes[offset + index])
}

/// Folds a word into a hash: the two halves of a 128-bit product, mixed.
fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word ^ 0xA076_1D64_78BD_642F) * u128::from(word.rotate_left(32) ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(hash.rotate_left(23))
}
