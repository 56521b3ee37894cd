//! Playing moves: the only way in which a position changes.

use super::{Board, attacks, zobrist};
use crate::types::{Bitboard, CastleSide, CastlingRights, Color, File, Move, MoveKind, Piece, PieceKind, Rank, Square};

/// Receives the pieces that a move removes from and adds to the board.
///
/// A quiet move or a promotion removes one piece and adds one; a capture removes two and adds one; castling removes two
/// and adds two. Removals come before additions.
pub trait BoardObserver {
    fn piece_added(&mut self, piece: Piece, square: Square);
    fn piece_removed(&mut self, piece: Piece, square: Square);
}

/// Ignores all changes.
impl BoardObserver for () {
    #[inline]
    fn piece_added(&mut self, _piece: Piece, _square: Square) {}
    fn piece_removed(&mut self, _piece: Piece, _square: Square) {}
}

impl Board {
    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// Plays a legal move and reports the changed pieces to `observer`.
    #[inline]
    pub fn play_observed(&mut self, mv: Move, observer: &mut impl BoardObserver) {
        let us = self.side_to_move;
        let (source, target) = (mv.source(), mv.target());
        let Some(piece) = self.piece_on(source) else {
            debug_assert!(false, "no piece on {source}");
            return;
        };
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if piece.kind() == PieceKind::Pawn || mv.is_capture() {
            self.halfmove_clock = 0;
            self.reversible_plies = 0;
        }
        self.lose_castling_rights(source, target);

        match mv.kind() {
            MoveKind::Quiet | MoveKind::DoublePush => {
                self.remove(piece, source, observer);
                self.add(piece, target, observer);
            }
            MoveKind::Capture => {
                self.remove_captured(target, observer);
                self.remove(piece, source, observer);
                self.add(piece, target, observer);
            }
            MoveKind::EnPassant => {
                let passed = Square::new(target.file(), source.rank());
                self.remove_captured(passed, observer);
                self.remove(piece, source, observer);
                self.add(piece, target, observer);
            }
            MoveKind::Promotion(kind) => {
                self.remove(piece, source, observer);
                self.add(Piece::new(us, kind), target, observer);
            }
            MoveKind::PromotionCapture(kind) => {
                self.remove_captured(target, observer);
                self.remove(piece, source, observer);
                self.add(Piece::new(us, kind), target, observer);
            }
            MoveKind::Castle => {
                let (king_target, rook_target) = castling_targets(source, target);
                let rook = Piece::new(us, PieceKind::Rook);
                self.remove(piece, source, observer);
                self.remove(rook, target, observer);
                self.add(piece, king_target, observer);
                self.add(rook, rook_target, observer);
            }
        }

        self.pass_turn();
        self.refresh_checks_and_pins();
        if mv.kind() == MoveKind::DoublePush {
            let passed = Square::from_index(usize::midpoint(source.index(), target.index()));
            self.offer_en_passant(passed);
        }
    }

    /// An approximate key of the position after a move, used to prefetch the table entry. It ignores changes of
    /// castling rights, new en passant squares, the castling rook and a pawn captured en passant.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let Some(piece) = self.piece_on(mv.source()) else { return self.key };
        let arriving = mv.promotion().map_or(piece, |kind| Piece::new(piece.color(), kind));
        let captured = if mv.is_capture() { self.piece_on(mv.target()) } else { None };
        self.key
            ^ zobrist::WHITE_TO_MOVE_KEY
            ^ zobrist::piece_key(piece, mv.source())
            ^ zobrist::piece_key(arriving, mv.target())
            ^ self.en_passant.map_or(0, |passed| zobrist::en_passant_key(passed.file()))
            ^ captured.map_or(0, |captured| zobrist::piece_key(captured, mv.target()))
    }

    /// Plays a null move; the side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check(), "a side in check cannot pass");
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = 0;
        self.pass_turn();
        self.refresh_checks_and_pins();
    }

    /// Plays a legal move, or a null move for [`Move::NULL`].
    pub fn play_or_pass(&mut self, mv: Move) {
        if mv == Move::NULL { self.play_null() } else { self.play(mv) }
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.side_to_move == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side_to_move = !self.side_to_move;
        self.key ^= zobrist::WHITE_TO_MOVE_KEY;
    }

    /// Puts a piece on an empty square; every new piece goes through here.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from(square);
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        self.mailbox[square.index()] = Some(piece);
        self.toggle_key(piece, square);
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square, observer: &mut impl BoardObserver) {
        self.put(piece, square);
        observer.piece_added(piece, square);
    }

    // ANCHOR: remove
    #[inline]
    fn remove(&mut self, piece: Piece, square: Square, observer: &mut impl BoardObserver) {
        let bit = Bitboard::from(square);
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        self.mailbox[square.index()] = None;
        self.toggle_key(piece, square);
        observer.piece_removed(piece, square);
    }
    // ANCHOR_END: remove

    #[inline]
    fn remove_captured(&mut self, square: Square, observer: &mut impl BoardObserver) {
        if let Some(captured) = self.piece_on(square) {
            self.remove(captured, square, observer);
        }
    }

    #[inline]
    fn toggle_key(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece_key(piece, square);
        self.key ^= key;
        if piece.kind() == PieceKind::Pawn {
            self.pawn_key ^= key;
        }
    }

    /// Grants a castling right with the rook on this file of the first rank; the key is computed later.
    #[inline]
    pub(super) fn grant_castling(&mut self, color: Color, side: CastleSide, rook: File) {
        self.castling = self.castling.with(color, side);
        self.castling_files[color.index()][side.index()] = rook;
        self.castling_squares |= self.castling_squares_of(color, side);
    }

    #[inline]
    fn castling_squares_of(&self, color: Color, side: CastleSide) -> Bitboard {
        self.castling_rook(color, side)
            .map_or(Bitboard::EMPTY, |rook| Bitboard::from(rook) | Bitboard::from(self.king(color)))
    }

    /// Removes the castling rights of a king or rook that moves and of a rook that is captured.
    #[inline]
    fn lose_castling_rights(&mut self, source: Square, target: Square) {
        let touched = Bitboard::from(source) | Bitboard::from(target);
        if (touched & self.castling_squares).is_empty() {
            return;
        }
        self.key ^= zobrist::castling_key(self.castling);
        let mut left = CastlingRights::NONE;
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for side in CastleSide::ALL {
                let needed = self.castling_squares_of(color, side);
                if needed.is_some() && (needed & touched).is_empty() {
                    left = left.with(color, side);
                    squares |= needed;
                }
            }
        }
        self.castling = left;
        self.castling_squares = squares;
        self.key ^= zobrist::castling_key(left);
        self.reversible_plies = 0;
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(passed) = self.en_passant.take() {
            self.key ^= zobrist::en_passant_key(passed.file());
        }
    }

    /// Sets the en passant square if the side to move has a legal en passant capture.
    #[inline]
    pub(super) fn offer_en_passant(&mut self, passed: Square) {
        if self.can_capture_en_passant(passed) {
            self.en_passant = Some(passed);
            self.key ^= zobrist::en_passant_key(passed.file());
        }
    }

    #[inline]
    fn can_capture_en_passant(&self, passed: Square) -> bool {
        let us = self.side_to_move;
        let candidates = attacks::pawn_attacks(!us, passed) & self.colored(us, PieceKind::Pawn);
        candidates.into_iter().any(|source| self.en_passant_is_safe(source, passed))
    }

    /// The keys of this position in a Polyglot book: [`key`](Self::key), then those with an en passant capture that the king's
    /// safety forbids, which Polyglot counts.
    pub fn polyglot_keys(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.key)
            .chain(self.forbidden_en_passant().map(|file| self.key ^ zobrist::en_passant_key(file)))
    }

    /// The key of this position in a Polyglot book after the move that led to it.
    pub fn polyglot_key_after(&self, mv: Move) -> u64 {
        let file = mv.target().file();
        let is_counted = mv.kind() == MoveKind::DoublePush && self.forbidden_en_passant().any(|other| other == file);
        if is_counted { self.key ^ zobrist::en_passant_key(file) } else { self.key }
    }

    /// Files of pawns that may just have moved two squares beside a pawn that may not capture them.
    fn forbidden_en_passant(&self) -> impl Iterator<Item = File> {
        let us = self.side_to_move;
        let is_possible = self.en_passant.is_none() && self.halfmove_clock == 0;
        File::ALL.into_iter().filter(move |&file| {
            let on = |rank: Rank| Square::new(file, rank.relative_to(us));
            is_possible
                && self.piece_on(on(Rank::Fifth)) == Some(Piece::new(!us, PieceKind::Pawn))
                && [Rank::Sixth, Rank::Seventh].iter().all(|&rank| self.piece_on(on(rank)).is_none())
                && (attacks::pawn_attacks(!us, on(Rank::Sixth)) & self.colored(us, PieceKind::Pawn)).is_some()
                && !self.can_capture_en_passant(on(Rank::Sixth))
        })
    }

    /// Whether the king is safe after the pawn on `source` captures en passant: two pawns leave their lines.
    #[inline]
    pub(crate) fn en_passant_is_safe(&self, source: Square, passed: Square) -> bool {
        let us = self.side_to_move;
        let captured = Square::new(passed.file(), source.rank());
        let occupied = self.occupied().without(source).without(captured).with(passed);
        let attackers = self.attackers_to(self.king(us), occupied) & self.color(!us);
        attackers.without(captured).is_empty()
    }

    /// Finds the pieces that check the king of the side to move, and its pinned pieces.
    pub(super) fn refresh_checks_and_pins(&mut self) {
        let us = self.side_to_move;
        let king = self.king(us);
        let (own, enemies) = (self.color(us), self.color(!us));
        self.checkers = enemies
            & (attacks::pawn_attacks(us, king) & self.pieces(PieceKind::Pawn)
                | attacks::knight_attacks(king) & self.pieces(PieceKind::Knight));
        self.pinned = Bitboard::EMPTY;
        let aligned = enemies
            & (attacks::bishop_rays(king) & self.diagonal_sliders()
                | attacks::rook_rays(king) & self.straight_sliders());
        let occupied = own | enemies;
        for slider in aligned {
            let shield = attacks::between(king, slider) & occupied;
            if shield.is_empty() {
                self.checkers = self.checkers.with(slider);
            } else if !shield.has_several() {
                self.pinned |= shield & own;
            }
        }
    }

    #[inline]
    pub(super) fn set_side_to_move(&mut self, color: Color) {
        self.side_to_move = color;
    }

    #[inline]
    pub(super) fn set_clocks(&mut self, halfmove: u8, fullmove: u16) {
        self.halfmove_clock = halfmove;
        self.reversible_plies = halfmove;
        self.fullmove_number = fullmove;
    }

    /// Adds the castling rights and the side to move to the key, in which the pieces and an en passant square are already.
    #[inline]
    pub(super) fn complete_key(&mut self) {
        self.key ^= zobrist::castling_key(self.castling);
        if self.side_to_move == Color::White {
            self.key ^= zobrist::WHITE_TO_MOVE_KEY;
        }
    }

    /// The piece that a pseudo-legal move captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_en_passant() {
            Some(Piece::new(!self.side_to_move, PieceKind::Pawn))
        } else if mv.is_capture() {
            self.piece_on(mv.target())
        } else {
            None
        }
    }

    /// The piece that a move moves.
    ///
    /// # Panics
    /// If the source square is empty, because the move belongs to another position.
    #[inline]
    pub fn moved(&self, mv: Move) -> Piece {
        match self.piece_on(mv.source()) {
            Some(piece) => piece,
            None => panic!("no piece on {}", mv.source()),
        }
    }
}

/// The target squares of king and rook when they castle from these squares.
#[inline]
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let side = if rook.file() > king.file() { CastleSide::King } else { CastleSide::Queen };
    (Square::new(side.king_file(), king.rank()), Square::new(side.rook_file(), king.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;

    #[test]
    fn key_after_is_exact_for_plain_moves() {
        let mut plain = 0;
        for fen in crate::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("a legal position");
            for mv in legal_moves(&board) {
                let mut after = board.clone();
                after.play(mv);
                let is_odd = matches!(mv.kind(), MoveKind::EnPassant | MoveKind::Castle)
                    || after.castling != board.castling
                    || after.en_passant.is_some();
                if !is_odd {
                    assert_eq!(board.key_after(mv), after.key(), "{mv:?} in {fen}");
                    plain += 1;
                }
            }
        }
        assert!(plain > 1000, "only {plain} moves were compared");
    }
}
