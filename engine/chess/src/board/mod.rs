//! A chess position: the pieces and the rest of the state that the rules need.
//!
//! Bitboards with an 8×8 mailbox. All changes go through `play.rs`, which keeps key, checkers and pins up to date and
//! reports added and removed pieces to an observer. The board is independent of the network and of move generation.

pub mod attacks;
mod fen;
mod keys;
mod legality;
mod play;
mod see;
mod zobrist;

use crate::types::{Bitboard, CastleSide, CastlingRights, Color, File, Piece, PieceKind, Rank, Square};

pub use fen::FenError;
pub use keys::KeyHistory;
pub use play::BoardObserver;
pub(crate) use play::castling_targets;
pub use see::{EXCHANGE_VALUES, PIECE_VALUES};

// ANCHOR: board
/// A legal chess position.
///
/// Cheap to clone (about three cache lines): search copies the board and plays on the copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    mailbox: [Option<Piece>; 64],
    key: u64,
    pawn_key: u64,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Kings and rooks with a castling right.
    castling_squares: Bitboard,
    castling: CastlingRights,
    /// The rook's file by colour and side; valid only while the castling right exists.
    castling_files: [[File; 2]; 2],
    en_passant: Option<Square>,
    side_to_move: Color,
    halfmove_clock: u8,
    /// Plies since the last irreversible event: a capture, pawn move, lost castling right or null move.
    reversible_plies: u8,
    fullmove_number: u16,
}
// ANCHOR_END: board

impl Board {
    /// The initial position of standard chess.
    pub fn startpos() -> Self {
        const BACK_RANK: [PieceKind; 8] = [
            PieceKind::Rook,
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Queen,
            PieceKind::King,
            PieceKind::Bishop,
            PieceKind::Knight,
            PieceKind::Rook,
        ];
        let mut board = Self::empty();
        for color in Color::ALL {
            for (file, kind) in File::ALL.into_iter().zip(BACK_RANK) {
                board.put(Piece::new(color, kind), Square::new(file, Rank::First.relative_to(color)));
                let pawn = Piece::new(color, PieceKind::Pawn);
                board.put(pawn, Square::new(file, Rank::Second.relative_to(color)));
            }
            board.grant_castling(color, CastleSide::King, File::H);
            board.grant_castling(color, CastleSide::Queen, File::A);
        }
        board.refresh_checks_and_pins();
        board.complete_key();
        board
    }

    /// An empty board with White to move, for the FEN parser to fill in.
    fn empty() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            key: 0,
            pawn_key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_squares: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            castling_files: [[File::H, File::A]; 2],
            en_passant: None,
            side_to_move: Color::White,
            halfmove_clock: 0,
            reversible_plies: 0,
            fullmove_number: 1,
        }
    }

    /// The position with colours exchanged: ranks in reverse order, the other side to move.
    pub fn flipped(&self) -> Self {
        let mut board = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                board.put(Piece::new(!piece.color(), piece.kind()), square.flip());
            }
        }
        board.set_side_to_move(!self.side_to_move);
        for color in Color::ALL {
            for side in CastleSide::ALL {
                if let Some(rook) = self.castling_rook(color, side) {
                    board.grant_castling(!color, side, rook.file());
                }
            }
        }
        board.refresh_checks_and_pins();
        if let Some(passed) = self.en_passant {
            board.offer_en_passant(passed.flip());
        }
        board.set_clocks(self.halfmove_clock, self.fullmove_number);
        board.complete_key();
        board
    }

    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// All pieces of one kind, of both sides.
    #[inline]
    pub fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// All pieces of one side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline]
    pub fn colored(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.colored(color, PieceKind::King).0.trailing_zeros() as usize)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.is_some()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.castling
    }

    /// The square of the castling rook, if the right exists.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastleSide) -> Option<Square> {
        self.castling
            .has(color, side)
            .then(|| Square::new(self.castling_files[color.index()][side.index()], Rank::First.relative_to(color)))
    }

    /// Whether all castling rights are those of standard chess: kings on the e-file, rooks on the a- and h-files.
    #[inline]
    pub fn has_standard_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            [(CastleSide::King, File::H), (CastleSide::Queen, File::A)].into_iter().all(|(side, file)| {
                let rook = self.castling_rook(color, side);
                rook.is_none_or(|rook| rook.file() == file && self.king(color).file() == File::E)
            })
        })
    }

    /// The en passant target square, only if an en passant capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move; 100 is a draw.
    #[inline]
    pub fn halfmove_clock(&self) -> u8 {
        self.halfmove_clock
    }

    /// The full move number: starts at 1 and increases after Black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies since the last irreversible event: a repetition cannot be older. A null move counts as irreversible.
    #[inline]
    pub fn reversible_plies(&self) -> u8 {
        self.reversible_plies
    }

    /// The Zobrist key, equal to the Polyglot key: pieces, castling rights, side to move, en passant only if it is
    /// legal.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The pieces of both sides that attack a square with the given occupancy.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn_attacks(Color::Black, square) & self.colored(Color::White, PieceKind::Pawn)
            | attacks::pawn_attacks(Color::White, square) & self.colored(Color::Black, PieceKind::Pawn)
            | attacks::knight_attacks(square) & self.pieces(PieceKind::Knight)
            | attacks::king_attacks(square) & self.pieces(PieceKind::King)
            | attacks::bishop_attacks(square, occupied) & self.diagonal_sliders()
            | attacks::rook_attacks(square, occupied) & self.straight_sliders()
    }

    /// Material of both sides in classical units: pawn 1, knight and bishop 3, rook 5, queen 9; 78 in the initial
    /// position.
    #[inline]
    pub fn material(&self) -> i32 {
        const COUNTED: [(PieceKind, i32); 5] = [
            (PieceKind::Pawn, 1),
            (PieceKind::Knight, 3),
            (PieceKind::Bishop, 3),
            (PieceKind::Rook, 5),
            (PieceKind::Queen, 9),
        ];
        COUNTED.iter().map(|&(kind, value)| value * self.pieces(kind).count() as i32).sum()
    }

    /// All squares that a side attacks, including those of its own pieces.
    pub fn attacked_by(&self, side: Color) -> Bitboard {
        let occupied = self.occupied();
        let own = self.color(side);
        let mut squares = attacks::pawn_attacks_of_all(side, self.colored(side, PieceKind::Pawn))
            | attacks::knight_attacks_of_all(self.colored(side, PieceKind::Knight))
            | attacks::king_attacks(self.king(side));
        for square in self.diagonal_sliders() & own {
            squares |= attacks::bishop_attacks(square, occupied);
        }
        for square in self.straight_sliders() & own {
            squares |= attacks::rook_attacks(square, occupied);
        }
        squares
    }

    /// Bishops and queens of both sides.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.pieces(PieceKind::Bishop) | self.pieces(PieceKind::Queen)
    }

    /// Rooks and queens of both sides.
    #[inline]
    pub fn straight_sliders(&self) -> Bitboard {
        self.pieces(PieceKind::Rook) | self.pieces(PieceKind::Queen)
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::startpos()
    }
}

impl Board {
    /// Whether checkmate is impossible: kings alone, one minor piece, or only bishops on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        let mating = self.pieces(PieceKind::Pawn) | self.pieces(PieceKind::Rook) | self.pieces(PieceKind::Queen);
        if mating.is_some() {
            return false;
        }
        let bishops = self.pieces(PieceKind::Bishop);
        if self.pieces(PieceKind::Knight).is_some() {
            return self.occupied().count() == 3;
        }
        let dark = bishops & Bitboard::DARK_SQUARES;
        dark.is_empty() || dark == bishops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_of_standard_chess_is_recognised() {
        for (fen, standard) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", false),
            ("1r3k1r/8/8/8/8/8/8/4K3 w k - 0 1", false),
        ] {
            assert_eq!(Board::from_fen(fen).expect("legal").has_standard_castling(), standard, "{fen}");
        }
    }

    #[test]
    fn flipping_exchanges_the_colours() {
        for (fen, flipped) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R w Qk - 3 9",
            ),
            ("8/8/8/8/k2Pp2K/8/8/8 b - d3 0 1", "8/8/8/K2pP2k/8/8/8/8 w - d6 0 1"),
        ] {
            let board = Board::from_fen(fen).expect("legal");
            assert_eq!(board.flipped(), Board::from_fen(flipped).expect("legal"));
            assert_eq!(board.flipped().flipped(), board);
        }
    }

    #[test]
    fn attacked_by_matches_attackers_to() {
        for fen in crate::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("a legal position");
            for side in Color::ALL {
                let attacked = board.attacked_by(side);
                for square in Square::ALL {
                    let attackers = board.attackers_to(square, board.occupied()) & board.color(side);
                    assert_eq!(attacked.contains(square), attackers.is_some(), "{side:?} {square:?} in {fen}");
                }
            }
        }
        assert_eq!(Board::startpos().material(), 78);
    }

    #[test]
    fn insufficient_material_is_detected() {
        for (fen, dead) in [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
            ("8/2b5/4k3/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
            ("8/3n4/4k3/8/8/3KB3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(board.has_insufficient_material(), dead, "{fen}");
        }
    }
}
