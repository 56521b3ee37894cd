//! The legal move generator, and the legality check of a move from another position.

use crate::board::{Board, attacks};
use crate::types::{Bitboard, CastleSide, Color, File, Move, MoveKind, MoveList, PieceKind, Rank, Square};

/// Move classes, as staged move ordering generates them.
mod class {
    pub(super) const NOISY: u8 = 1;
    pub(super) const QUIET: u8 = 2;
    pub(super) const ALL: u8 = NOISY | QUIET;
}

pub fn legal_moves(board: &Board) -> MoveList {
    let mut list = MoveList::new();
    generate::<{ class::ALL }>(board, &mut list);
    list
}

/// Appends the legal captures (en passant among them) and promotions.
pub fn add_noisy_moves(board: &Board, list: &mut MoveList) {
    generate::<{ class::NOISY }>(board, list);
}

/// Appends the legal moves that neither capture nor promote.
pub fn add_quiet_moves(board: &Board, list: &mut MoveList) {
    generate::<{ class::QUIET }>(board, list);
}

pub fn count_legal_moves(board: &Board) -> usize {
    let mut count = Count::default();
    generate::<{ class::ALL }>(board, &mut count);
    count.0
}

/// Whether there is a legal move; if not, the position is checkmate or stalemate.
pub fn has_legal_move(board: &Board) -> bool {
    count_legal_moves(board) > 0
}

fn generate<const CLASS: u8>(board: &Board, sink: &mut impl Sink) {
    match board.side_to_move() {
        Color::White => Generator::<CLASS, true>::new(board).run(sink),
        Color::Black => Generator::<CLASS, false>::new(board).run(sink),
    }
}

/// The data shared by the generators of all piece kinds. The side to move is a constant, so shifts and ranks are
/// constants too.
struct Generator<'a, const CLASS: u8, const WHITE: bool> {
    board: &'a Board,
    king: Square,
    occupied: Bitboard,
    enemies: Bitboard,
    /// Target squares of pieces other than the king: all squares, or those that end a check.
    allowed: Bitboard,
}

impl<'a, const CLASS: u8, const WHITE: bool> Generator<'a, CLASS, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const NOISY: bool = CLASS & class::NOISY != 0;
    const QUIET: bool = CLASS & class::QUIET != 0;

    // ANCHOR: allowed
    #[inline]
    fn new(board: &'a Board) -> Self {
        let king = board.king(Self::US);
        let enemies = board.color(Self::THEM);
        let allowed = match board.checkers().first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(king, checker) | board.checkers(),
        };
        Self { board, king, occupied: board.occupied(), enemies, allowed }
    }
    // ANCHOR_END: allowed

    #[inline]
    fn run(&self, sink: &mut impl Sink) {
        self.king_moves(sink);
        if self.board.checkers().has_several() {
            return;
        }
        self.pawn_moves(sink);
        self.knight_moves(sink);
        self.slider_moves(sink);
        if Self::QUIET && !self.board.in_check() && self.board.castling_rights().has_any(Self::US) {
            self.castling_moves(sink);
        }
    }

    #[inline]
    fn emit(&self, source: Square, targets: Bitboard, sink: &mut impl Sink) {
        let quiets = if Self::QUIET { targets & !self.occupied } else { Bitboard::EMPTY };
        let captures = if Self::NOISY { targets & self.enemies } else { Bitboard::EMPTY };
        sink.piece_moves(source, quiets, captures);
    }

    fn own(&self, kind: PieceKind) -> Bitboard {
        self.board.colored(Self::US, kind)
    }

    #[inline]
    fn king_moves(&self, sink: &mut impl Sink) {
        let mut targets = attacks::king_attacks(self.king) & !self.board.color(Self::US);
        if !Self::QUIET {
            targets &= self.enemies;
        }
        if !Self::NOISY {
            targets &= !self.enemies;
        }
        if targets.is_some() {
            let safe = targets & !self.attacked_by_leapers();
            let safe = safe.into_iter().filter(|&square| !self.attacked_by_sliders(square));
            self.emit(self.king, safe.fold(Bitboard::EMPTY, Bitboard::with), sink);
        }
    }

    fn attacked_by_leapers(&self) -> Bitboard {
        attacks::pawn_attacks_of_all(Self::THEM, self.board.colored(Self::THEM, PieceKind::Pawn))
            | attacks::knight_attacks_of_all(self.board.colored(Self::THEM, PieceKind::Knight))
            | attacks::king_attacks(self.board.king(Self::THEM))
    }

    /// Whether a slider would attack the king on `square`; the king does not block lines to squares behind it.
    #[inline]
    fn attacked_by_sliders(&self, square: Square) -> bool {
        let occupied = self.occupied.without(self.king);
        let diagonal = self.board.diagonal_sliders() & self.enemies;
        let straight = self.board.straight_sliders() & self.enemies;
        (attacks::bishop_rays(square) & diagonal).is_some()
            && (attacks::bishop_attacks(square, occupied) & diagonal).is_some()
            || (attacks::rook_rays(square) & straight).is_some()
                && (attacks::rook_attacks(square, occupied) & straight).is_some()
    }

    #[inline]
    fn knight_moves(&self, sink: &mut impl Sink) {
        // A pinned knight has no legal move.
        for source in self.own(PieceKind::Knight) & !self.board.pinned() {
            self.emit(source, attacks::knight_attacks(source) & self.allowed, sink);
        }
    }

    #[inline]
    fn slider_moves(&self, sink: &mut impl Sink) {
        let pinned = self.board.pinned();
        let diagonal = self.board.diagonal_sliders() & self.board.color(Self::US);
        let straight = self.board.straight_sliders() & self.board.color(Self::US);
        for source in diagonal & !pinned {
            self.emit(source, attacks::bishop_attacks(source, self.occupied) & self.allowed, sink);
        }
        for source in straight & !pinned {
            self.emit(source, attacks::rook_attacks(source, self.occupied) & self.allowed, sink);
        }
        for source in diagonal & pinned {
            let along = attacks::line(self.king, source) & self.allowed;
            self.emit(source, attacks::bishop_attacks(source, self.occupied) & along, sink);
        }
        for source in straight & pinned {
            let along = attacks::line(self.king, source) & self.allowed;
            self.emit(source, attacks::rook_attacks(source, self.occupied) & along, sink);
        }
    }

    #[inline]
    fn pawn_moves(&self, sink: &mut impl Sink) {
        let pawns = self.own(PieceKind::Pawn);
        let free = pawns & !self.board.pinned();
        self.pawn_set(free, self.allowed, sink);
        for source in pawns & self.board.pinned() {
            self.pawn_set(source.into(), self.allowed & attacks::line(self.king, source), sink);
        }
        if Self::NOISY
            && let Some(passed) = self.board.en_passant()
        {
            for source in attacks::pawn_attacks(Self::THEM, passed) & pawns {
                if self.board.en_passant_is_safe(source, passed) {
                    sink.single(Move::new(source, passed, MoveKind::EnPassant));
                }
            }
        }
    }

    /// The moves of pawns with the same allowed target squares.
    #[inline]
    fn pawn_set(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut impl Sink) {
        let last_rank = Bitboard::rank(Rank::Eighth.relative_to(Self::US));
        let third_rank = Bitboard::rank(Rank::Third.relative_to(Self::US));
        let forward = if WHITE { 8 } else { -8 };
        let empty = !self.occupied;
        let ahead = pawns.forward(Self::US);
        let single = ahead & empty;
        if Self::QUIET {
            let double = (single & third_rank).forward(Self::US) & empty & allowed;
            sink.pawn_moves(single & allowed & !last_rank, forward, MoveKind::Quiet);
            sink.pawn_moves(double, 2 * forward, MoveKind::DoublePush);
        }
        if Self::NOISY {
            let targets = self.enemies & allowed;
            let (west, east) = (ahead.west() & targets, ahead.east() & targets);
            sink.pawn_moves(west & !last_rank, forward - 1, MoveKind::Capture);
            sink.pawn_moves(east & !last_rank, forward + 1, MoveKind::Capture);
            if ((ahead | west | east) & last_rank).is_some() {
                sink.promotions(single & allowed & last_rank, forward, MoveKind::Promotion);
                sink.promotions(west & last_rank, forward - 1, MoveKind::PromotionCapture);
                sink.promotions(east & last_rank, forward + 1, MoveKind::PromotionCapture);
            }
        }
    }

    /// Castling, including Chess960: king and rook may start on any file.
    fn castling_moves(&self, sink: &mut impl Sink) {
        for side in CastleSide::ALL {
            let Some(rook) = self.board.castling_rook(Self::US, side) else { continue };
            if self.can_castle(side, rook) {
                sink.single(Move::new(self.king, rook, MoveKind::Castle));
            }
        }
    }

    fn can_castle(&self, side: CastleSide, rook: Square) -> bool {
        let target = |file: File| Square::new(file, self.king.rank());
        let (king_target, rook_target) = (target(side.king_file()), target(side.rook_file()));
        let king_path = attacks::between(self.king, king_target).with(king_target).without(self.king);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied.without(self.king).without(rook);
        if ((king_path | rook_path) & others).is_some() {
            return false;
        }
        // A rook that is pinned along the first rank cannot castle (Chess960).
        let pinned = self.board.pinned().contains(rook);
        !pinned
            && (king_path & self.attacked_by_leapers()).is_empty()
            && !king_path.into_iter().any(|square| self.attacked_by_sliders(square))
    }
}

/// Whether a move with arbitrary bits is legal here; used for moves from the transposition table.
pub fn is_legal(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let (source, target) = (mv.source(), mv.target());
    let Some(piece) = board.piece_on(source).filter(|piece| piece.color() == us) else { return false };
    // Some bits stand for no move.
    if source == target || mv != Move::new(source, target, mv.kind()) {
        return false;
    }
    // Rare, with many conditions.
    if mv.is_castle() || mv.is_en_passant() {
        return is_generated(board, mv);
    }
    let captures = board.color(!us).contains(target);
    if captures != mv.is_capture() || board.color(us).contains(target) {
        return false;
    }
    let king = board.king(us);
    let is_plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture);
    match piece.kind() {
        PieceKind::King => {
            // The king does not shield the squares behind it.
            let attackers = board.attackers_to(target, board.occupied().without(king)) & board.color(!us);
            return is_plain && attacks::king_attacks(king).contains(target) && attackers.is_empty();
        }
        PieceKind::Pawn if !pawn_reaches(board, mv) => return false,
        PieceKind::Pawn => {}
        kind if !is_plain || !attacks::piece_attacks(kind, source, board.occupied()).contains(target) => return false,
        _ => {}
    }
    if board.pinned().contains(source) && !attacks::line(king, source).contains(target) {
        return false;
    }
    match board.checkers().first() {
        None => true,
        Some(checker) => {
            !board.checkers().has_several() && (target == checker || attacks::between(king, checker).contains(target))
        }
    }
}

/// Whether a pawn moves like this to a target that is empty or, for a capture, holds an enemy.
fn pawn_reaches(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let (source, target) = (mv.source(), mv.target());
    let ahead = Bitboard::from(source).forward(us);
    if mv.is_promotion() != (target.rank() == Rank::Eighth.relative_to(us)) {
        return false;
    }
    match mv.kind() {
        MoveKind::DoublePush => {
            source.rank() == Rank::Second.relative_to(us)
                && (ahead & board.occupied()).is_empty()
                && ahead.forward(us).contains(target)
        }
        _ if mv.is_capture() => attacks::pawn_attacks(us, source).contains(target),
        _ => ahead.contains(target),
    }
}

fn is_generated(board: &Board, mv: Move) -> bool {
    let mut list = MoveList::new();
    if mv.is_noisy() {
        add_noisy_moves(board, &mut list);
    } else {
        add_quiet_moves(board, &mut list);
    }
    list.contains(&mv)
}

/// Receives moves as target sets, so that counting does not enumerate them.
pub(super) trait Sink {
    /// Moves of a piece other than a pawn from `source` to any of these squares.
    fn piece_moves(&mut self, source: Square, quiets: Bitboard, captures: Bitboard);
    /// Pawn moves of this kind to any of these squares; each source is its target minus `offset`.
    fn pawn_moves(&mut self, targets: Bitboard, offset: i32, kind: MoveKind);
    /// Promotions to all four kinds on any of these squares.
    fn promotions(&mut self, targets: Bitboard, offset: i32, promotion: fn(PieceKind) -> MoveKind);
    fn single(&mut self, mv: Move);
}

const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop];

fn source_of(target: Square, offset: i32) -> Square {
    Square::from_index((target.index() as i32 - offset) as usize)
}

impl Sink for MoveList {
    #[inline]
    fn piece_moves(&mut self, source: Square, quiets: Bitboard, captures: Bitboard) {
        for target in captures {
            self.push(Move::new(source, target, MoveKind::Capture));
        }
        for target in quiets {
            self.push(Move::new(source, target, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, offset: i32, kind: MoveKind) {
        for target in targets {
            self.push(Move::new(source_of(target, offset), target, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i32, promotion: fn(PieceKind) -> MoveKind) {
        for target in targets {
            for kind in PROMOTIONS {
                self.push(Move::new(source_of(target, offset), target, promotion(kind)));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

#[derive(Default)]
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline]
    fn piece_moves(&mut self, _source: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count() as usize;
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, _offset: i32, _kind: MoveKind) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _offset: i32, _promotion: fn(PieceKind) -> MoveKind) {
        self.0 += PROMOTIONS.len() * targets.count() as usize;
    }

    #[inline]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}
