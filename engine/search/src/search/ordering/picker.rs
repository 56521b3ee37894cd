//! The move picker: which move to try next, generating as little as possible; and the material at stake in a move.
//!
//! Stages: hash move, captures and promotions that do not lose material, quiet moves, losing captures, quiet moves with a very
//! low history. Within a stage history decides, whether a move gives check, and whether a cheaper piece attacks the squares.

use alfiere_chess::board::{Board, PIECE_VALUES, attacks};
use alfiere_chess::movegen::{add_noisy_moves, add_quiet_moves};
use alfiere_chess::types::{Bitboard, Move, MoveList, PieceKind};
use arrayvec::ArrayVec;

use super::checks::Checks;
use super::history::{History, HistoryContext};
use crate::search::tunables;

/// Which moves the picker hands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy {
        /// The least gain by static exchange, if there is one.
        gain: Option<i32>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    HashMove,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    GoodQuiet,
    BadNoisy,
    BadQuiet,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Hands out the moves of one node.
pub(crate) struct MovePicker {
    scope: Scope,
    stage: Stage,
    hash_move: Option<Move>,
    context: HistoryContext,
    skip_quiets: bool,
    list: ArrayVec<Scored, 256>,
    next: usize,
    bad: MoveList,
    next_bad: usize,
}

impl MovePicker {
    /// A picker for one node; the hash move must be legal.
    pub(crate) fn new(scope: Scope, hash_move: Option<Move>, context: HistoryContext) -> Self {
        let hash_move = hash_move.filter(|mv| scope == Scope::All || mv.is_noisy());
        Self {
            scope,
            stage: Stage::HashMove,
            hash_move,
            context,
            skip_quiets: false,
            list: ArrayVec::new(),
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, or `None` after the last; `checks` are those of the board.
    pub(crate) fn next(&mut self, board: &Board, checks: &Checks, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::MakeNoisy;
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.generate_noisy(board, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(Scored { mv, score }) = self.take_best() {
                        if self.least_gain(score).is_none_or(|gain| board.see_at_least(mv, gain)) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    } else {
                        self.stage = if self.scope == Scope::All { Stage::MakeQuiet } else { Stage::Done };
                    }
                }
                Stage::MakeQuiet => {
                    self.list.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        self.generate_quiets(board, checks, history);
                    }
                    self.stage = Stage::GoodQuiet;
                }
                Stage::GoodQuiet => {
                    match self.take_best().filter(|_| !self.skip_quiets) {
                        Some(Scored { mv, score }) if board.in_check() || score > -tunables::order_bad_quiet() => {
                            return Some(mv);
                        }
                        Some(_) => self.next -= 1,
                        None => {}
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    let mv = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_some() {
                        return mv;
                    }
                    self.stage = Stage::BadQuiet;
                }
                Stage::BadQuiet => {
                    if let Some(Scored { mv, .. }) = self.take_best().filter(|_| !self.skip_quiets) {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The SEE threshold of a good capture: captures with a high history score may lose a little material.
    fn least_gain(&self, score: i32) -> Option<i32> {
        match self.scope {
            Scope::All => Some(-score / tunables::order_capture_loss()),
            Scope::Noisy { gain } => gain,
        }
    }

    fn generate_noisy(&mut self, board: &Board, history: &History) {
        let mut moves = MoveList::new();
        add_noisy_moves(board, &mut moves);
        for &mv in &moves {
            if Some(mv) == self.hash_move {
                continue;
            }
            let underpromotion = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
            let score = if underpromotion {
                i32::from(i16::MIN)
            } else {
                tunables::order_gain() * gain_of(board, mv) + history.capture(board, mv)
            };
            self.list.push(Scored { mv, score });
        }
    }

    fn generate_quiets(&mut self, board: &Board, checks: &Checks, history: &History) {
        let mut moves = MoveList::new();
        add_quiet_moves(board, &mut moves);
        let view = history.at(board, self.context);
        let escapes = (!board.in_check()).then(|| Escapes::of(board));
        for &mv in moves.iter().filter(|&&mv| Some(mv) != self.hash_move) {
            let score = if let Some(escapes) = &escapes {
                let urgent = checks.gives(board, mv) && board.see_at_least(mv, -tunables::order_check_loss());
                let check = if urgent { tunables::order_check() } else { 0 };
                view.order(board, mv) + check + tunables::order_escape() * escapes.gain(board, mv)
            } else {
                view.evasion_order(board, mv)
            };
            self.list.push(Scored { mv, score });
        }
    }

    /// The best of the moves not yet taken.
    fn take_best(&mut self) -> Option<Scored> {
        let rest = self.list.get_mut(self.next..)?;
        let mut best = 0;
        let mut highest = rest.first()?.score;
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > highest {
                (best, highest) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        self.list.get(self.next - 1).copied()
    }
}

// The material at stake in a move: what it captures or promotes to, and the piece that it saves from a cheaper attacker or
// exposes to one.

/// The value of what a move captures or promotes to.
pub(crate) fn gain_of(board: &Board, mv: Move) -> i32 {
    let captured = board.captured(mv).map_or(0, |piece| PIECE_VALUES[piece.kind().index()]);
    let promoted = mv.promotion().map_or(0, |kind| PIECE_VALUES[kind.index()] - PIECE_VALUES[PieceKind::Pawn.index()]);
    captured + promoted
}

/// The squares where a piece of the side to move is attacked by a cheaper one.
pub(crate) struct Escapes([Bitboard; 6]);

impl Escapes {
    /// For the side to move.
    pub(crate) fn of(board: &Board) -> Self {
        let them = !board.side_to_move();
        let attacked_by = |kind: PieceKind| {
            let attack = |square| match kind {
                PieceKind::Pawn => attacks::pawn_attacks(them, square),
                kind => attacks::piece_attacks(kind, square, board.occupied()),
            };
            board.colored(them, kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attack(square))
        };
        let pawns = attacked_by(PieceKind::Pawn);
        let minors = pawns | attacked_by(PieceKind::Knight) | attacked_by(PieceKind::Bishop);
        let rooks = minors | attacked_by(PieceKind::Rook);
        Self([Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY])
    }

    /// The value of the piece, in centipawns, if the move saves it; negative if it exposes it; else 0.
    pub(crate) fn gain(&self, board: &Board, mv: Move) -> i32 {
        let kind = board.moved(mv).kind().index();
        let at_risk = |square| i32::from(self.0[kind].contains(square));
        PIECE_VALUES[kind] * (at_risk(mv.source()) - at_risk(mv.target()))
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::types::Square;

    use super::super::history::ContinuationRow;
    use super::*;

    const CONTEXT: HistoryContext = HistoryContext { past: [ContinuationRow::NONE; 6], ply: 0 };

    /// Every move must come once, whatever the table says.
    #[test]
    fn every_legal_move_once() {
        let history = History::new();
        for fen in alfiere_chess::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("a legal position");
            let legal = legal_moves(&board);
            let quiet: Vec<Move> = legal.iter().copied().filter(|mv| !mv.is_noisy()).collect();
            for hash_move in [None, quiet.first().copied(), quiet.last().copied(), legal.first().copied()] {
                let mut picker = MovePicker::new(Scope::All, hash_move, CONTEXT);
                let mut given = Vec::new();
                while let Some(mv) = picker.next(&board, &Checks::of(&board), &history) {
                    given.push(mv.to_bits());
                }
                let mut expected: Vec<u16> = legal.iter().map(|mv| mv.to_bits()).collect();
                expected.sort_unstable();
                given.sort_unstable();
                assert_eq!(given, expected, "{fen} {hash_move:?}");
            }
        }
    }

    #[test]
    fn only_noisy_moves_once_quiet_ones_are_not_wanted() {
        let history = History::new();
        let board = Board::from_fen(alfiere_chess::positions::POSITIONS[1]).expect("a legal position");
        let mut picker = MovePicker::new(Scope::All, None, CONTEXT);
        picker.skip_quiets();
        let mut count = 0;
        while let Some(mv) = picker.next(&board, &Checks::of(&board), &history) {
            assert!(mv.is_noisy());
            count += 1;
        }
        assert_eq!(count, legal_moves(&board).iter().filter(|mv| mv.is_noisy()).count());
    }

    #[test]
    fn pieces_flee_from_cheaper_ones() {
        // The pawn attacks the knight, the bishop the rook; nothing attacks the queen.
        let board = Board::from_fen("7k/8/8/2p5/3N4/6b1/8/3QRK2 w - - 0 1").expect("a legal position");
        let escapes = Escapes::of(&board);
        let gain = |source: Square, target: Square| {
            let moves = legal_moves(&board);
            let mv = moves.iter().find(|mv| mv.source() == source && mv.target() == target);
            escapes.gain(&board, *mv.expect("a legal move"))
        };
        assert_eq!(gain(Square::D4, Square::F3), 320);
        assert_eq!(gain(Square::E1, Square::E2), 500);
        assert_eq!(gain(Square::E1, Square::E5), 0, "the bishop attacks that square, too");
        assert_eq!(gain(Square::D1, Square::C1), 0);
        assert_eq!(gain(Square::D1, Square::A4), 0);
    }
}
