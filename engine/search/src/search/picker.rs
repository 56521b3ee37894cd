//! The move picker: which move to try next, generating as little as possible.
//!
//! Stages: hash move, captures and promotions that do not lose material, killers and counter move, other quiet moves,
//! losing captures. Within a stage history decides, and whether a move gives check.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{add_noisy_moves, add_quiet_moves, is_legal};
use alfiere_chess::types::{Move, MoveList, Piece, PieceKind};
use arrayvec::ArrayVec;

use super::checks::Checks;
use super::history::{History, HistoryContext};
use super::tunables::Tunables;

/// Which moves the picker hands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Every legal move.
    All,
    /// Captures and promotions that gain at least so much by static exchange.
    Noisy {
        /// The least gain, in the units of the exchange.
        gain: i32,
    },
}

// ANCHOR: stages
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    HashMove,
    MakeNoisy,
    GoodNoisy,
    Refutations,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}
// ANCHOR_END: stages

/// Quiet moves to be tried before the others: two killers and a counter move.
pub(super) type Refutations = [Option<Move>; 3];

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Hands out the moves of one node.
pub(super) struct MovePicker {
    scope: Scope,
    stage: Stage,
    hash_move: Option<Move>,
    refutations: Refutations,
    context: HistoryContext,
    skip_quiets: bool,
    list: ArrayVec<Scored, 256>,
    next: usize,
    bad: MoveList,
}

/// Piece values that order captures.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// The value of what a move captures or promotes to.
pub(super) fn gain_of(board: &Board, mv: Move) -> i32 {
    let captured = board.captured(mv).map_or(0, |piece: Piece| VALUES[piece.kind().index()]);
    let promoted = mv.promotion().map_or(0, |kind| VALUES[kind.index()] - VALUES[PieceKind::Pawn.index()]);
    captured + promoted
}

impl MovePicker {
    /// A picker for one node; the hash move must be legal, refutations may be illegal or equal.
    pub(super) fn new(
        scope: Scope,
        hash_move: Option<Move>,
        refutations: Refutations,
        context: HistoryContext,
    ) -> Self {
        let hash_move = hash_move.filter(|mv| scope == Scope::All || mv.is_noisy());
        Self {
            scope,
            stage: Stage::HashMove,
            hash_move,
            refutations,
            context,
            skip_quiets: false,
            list: ArrayVec::new(),
            next: 0,
            bad: MoveList::new(),
        }
    }

    /// Skips the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the last move came from the captures that lose material.
    pub(super) fn is_at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move, or `None` after the last; `checks` are those of the board.
    pub(super) fn next(
        &mut self,
        board: &Board,
        checks: &Checks,
        history: &History,
        tunables: &Tunables,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::MakeNoisy;
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.generate_noisy(board, checks, history, tunables);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(Scored { mv, score }) = self.take_best() {
                        if board.see_at_least(mv, self.least_gain(score)) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    } else {
                        self.stage = if self.scope == Scope::All { Stage::Refutations } else { Stage::Done };
                        self.next = 0;
                    }
                }
                Stage::Refutations => {
                    let refutation = self.refutations.get(self.next).copied();
                    let earlier = &self.refutations[..self.next];
                    let refutation = refutation.map(|mv| mv.filter(|_| !earlier.contains(&mv)));
                    self.next += 1;
                    match refutation {
                        None => self.stage = Stage::MakeQuiet,
                        Some(Some(mv)) if !self.skip_quiets && self.is_playable_refutation(board, mv) => {
                            return Some(mv);
                        }
                        Some(_) => {}
                    }
                }
                Stage::MakeQuiet => {
                    self.list.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        self.generate_quiets(board, checks, history, tunables);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(scored) = self.take_best()
                    {
                        return Some(scored.mv);
                    }
                    self.stage = Stage::BadNoisy;
                    self.next = 0;
                }
                Stage::BadNoisy => {
                    let mv = self.bad.get(self.next).copied();
                    self.next += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The SEE threshold of a good capture: captures with a high history score may lose a little material.
    fn least_gain(&self, score: i32) -> i32 {
        match self.scope {
            Scope::All => -score / 32,
            Scope::Noisy { gain } => gain,
        }
    }

    fn is_playable_refutation(&self, board: &Board, mv: Move) -> bool {
        Some(mv) != self.hash_move && !mv.is_noisy() && is_legal(board, mv)
    }

    fn generate_noisy(&mut self, board: &Board, checks: &Checks, history: &History, tunables: &Tunables) {
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
                let check = if checks.gives(board, mv) { tunables.order_capture_check() } else { 0 };
                8 * gain_of(board, mv) + history.capture(board, mv) * tunables.order_capture() / 512 + check
            };
            self.list.push(Scored { mv, score });
        }
    }

    // ANCHOR: quiets
    fn generate_quiets(&mut self, board: &Board, checks: &Checks, history: &History, tunables: &Tunables) {
        let mut moves = MoveList::new();
        add_quiet_moves(board, &mut moves);
        let view = history.at(board, self.context);
        for &mv in &moves {
            if Some(mv) != self.hash_move && !self.refutations.contains(&Some(mv)) {
                let urgent = checks.gives(board, mv) && board.see_at_least(mv, -tunables.order_check_loss());
                let check = if urgent { tunables.order_check() } else { 0 };
                self.list.push(Scored { mv, score: view.order(board, mv, tunables) + check });
            }
        }
    }
    // ANCHOR_END: quiets

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

#[cfg(test)]
mod tests {
    use super::super::history::PieceTo;
    use super::*;
    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::types::Bitboard;

    /// Every move must come once, whatever the table, killers and counter moves say.
    #[test]
    fn every_legal_move_once() {
        let (history, tunables) = (History::new(), Tunables::default());
        for fen in alfiere_chess::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("a legal position");
            let legal = legal_moves(&board);
            let context =
                HistoryContext { past: [PieceTo::NONE; 4], threats: board.attacked_by(!board.side_to_move()) };
            let quiet: Vec<Move> = legal.iter().copied().filter(|mv| !mv.is_noisy()).collect();
            let (first, second) = (quiet.first().copied(), quiet.last().copied());
            let illegal = (0..=u16::MAX).step_by(7).filter_map(Move::from_bits).find(|mv| !is_legal(&board, *mv));
            for refutations in [
                [None; 3],
                [first, first, first],
                [first, second, first],
                [illegal, second, second],
                [second, None, first],
            ] {
                for hash_move in [None, first, second, legal.first().copied()] {
                    let mut picker = MovePicker::new(Scope::All, hash_move, refutations, context);
                    let mut given = Vec::new();
                    while let Some(mv) = picker.next(&board, &Checks::of(&board), &history, &tunables) {
                        given.push(mv.to_bits());
                    }
                    let mut expected: Vec<u16> = legal.iter().map(|mv| mv.to_bits()).collect();
                    expected.sort_unstable();
                    given.sort_unstable();
                    assert_eq!(given, expected, "{fen} {refutations:?} {hash_move:?}");
                }
            }
        }
    }

    #[test]
    fn only_noisy_moves_once_quiet_ones_are_not_wanted() {
        let (history, tunables) = (History::new(), Tunables::default());
        let board = Board::from_fen(alfiere_chess::positions::POSITIONS[1]).expect("a legal position");
        let context = HistoryContext { past: [PieceTo::NONE; 4], threats: Bitboard::EMPTY };
        let mut picker = MovePicker::new(Scope::All, None, [None; 3], context);
        picker.skip_quiets();
        let mut count = 0;
        while let Some(mv) = picker.next(&board, &Checks::of(&board), &history, &tunables) {
            assert!(mv.is_noisy());
            count += 1;
        }
        assert_eq!(count, legal_moves(&board).iter().filter(|mv| mv.is_noisy()).count());
    }
}
