//! Resolves captures: the position at the end of a row's principal line of captures, promotions and answers to check.
//!
//! An evaluation is called where nothing hangs: the search plays out captures before it asks. A row's position may be in
//! the middle of an exchange, with a label that looks through it, so a network that learns such rows as they are learns
//! that hanging pieces do not matter. The line is found by material alone and depends on nothing but the position.

use alfiere_chess::board::{Board, EXCHANGE_VALUES};
use alfiere_chess::movegen::{add_noisy_moves, has_legal_move, legal_moves};
use alfiere_chess::types::{Move, MoveList, PieceKind};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::rows::row::{GAME_BITS, Row};

/// What training does with rows in the middle of captures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Captures {
    /// The row's position becomes the end of its line of captures; the label stays
    #[default]
    Resolve,
    /// Rows stay as given
    Keep,
}

impl Captures {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Keep => "keep",
        }
    }

    /// Of what belongs to rows as given and to rows with captures resolved, first that of the form which is trained on. Two
    /// calls restore the order.
    pub fn trained_first<T>(self, [given, resolved]: [T; 2]) -> [T; 2] {
        if self == Self::Keep { [given, resolved] } else { [resolved, given] }
    }
}

impl std::fmt::Display for Captures {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Resolve => "resolved",
            Self::Keep => "kept as given",
        })
    }
}

/// Maximum length of a line in plies.
const MAX_PLIES: usize = 24;
/// Positions after which the best line so far is taken.
const MAX_NODES: u32 = 4_000;
/// Beyond any material.
const MATE: i32 = 1 << 20;

/// The position at the end of the principal line of captures; `None` if the line has no move, or ends in mate or
/// stalemate, of which no evaluation is asked.
pub fn resolved(board: &Board) -> Option<Board> {
    let mut search = Search { nodes: 0 };
    let mut line = Vec::new();
    search.value(board, -MATE, MATE, 0, &mut line);
    let mut end = board.clone();
    for &mv in &line {
        end.play(mv);
    }
    (!line.is_empty() && has_legal_move(&end)).then_some(end)
}

struct Search {
    nodes: u32,
}

impl Search {
    /// The material that the side to move can keep, and the line that keeps it.
    fn value(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: usize, line: &mut Vec<Move>) -> i32 {
        line.clear();
        self.nodes += 1;
        let material = balance(board);
        if ply >= MAX_PLIES || self.nodes > MAX_NODES {
            return material;
        }
        let mut moves = MoveList::new();
        let mut best = material;
        if board.in_check() {
            moves = legal_moves(board);
            best = ply as i32 - MATE;
        } else {
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            add_noisy_moves(board, &mut moves);
            moves.retain(|mv| board.see_at_least(*mv, 1));
        }
        moves.sort_by_key(|&mv| std::cmp::Reverse(gain(board, mv)));
        let mut rest = Vec::new();
        for mv in moves {
            let mut next = board.clone();
            next.play(mv);
            let value = -self.value(&next, -beta, -alpha, ply + 1, &mut rest);
            if value > best {
                best = value;
                line.clear();
                line.push(mv);
                line.append(&mut rest);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Material of the side to move less that of the other.
fn balance(board: &Board) -> i32 {
    let us = board.side_to_move();
    let count = |color, kind| board.colored(color, kind).count() as i32;
    PieceKind::ALL.iter().map(|&kind| EXCHANGE_VALUES[kind.index()] * (count(us, kind) - count(!us, kind))).sum()
}

/// What a move wins at once, in an order where of equal gains the cheaper piece captures.
fn gain(board: &Board, mv: Move) -> i32 {
    let value = |kind: PieceKind| EXCHANGE_VALUES[kind.index()];
    let captured = board.captured(mv).map_or(0, |piece| value(piece.kind()));
    let promoted = mv.promotion().map_or(0, value);
    let attacker = if mv.is_noisy() { board.moved(mv).kind().index() as i32 } else { 6 };
    (captured + promoted) * 8 - attacker
}

impl Row {
    /// The row with its captures resolved: the same label, result, move number and game, no best move. `None` if nothing
    /// changes.
    pub fn resolved(&self) -> Option<Self> {
        let end = resolved(&self.to_board().ok()?)?;
        let row = Self::of_board(&end).with_label(self.label()).with_result(self.result());
        Some(Self { full_moves: self.full_moves, extra: row.extra | self.extra & GAME_BITS, ..row })
    }
}

pub fn resolve_rows(rows: &[Row]) -> Vec<Row> {
    rows.par_iter().map(|row| row.resolved().unwrap_or(*row)).collect()
}

/// The rows that resolving changes, with their indices, which are counted from `first`, in order.
pub(crate) fn changed_rows(rows: &[Row], first: u32) -> Vec<(u32, Row)> {
    let changed = |(index, row): (usize, &Row)| Some((first + index as u32, row.resolved()?));
    rows.par_iter().enumerate().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    fn end_of(fen: &str) -> String {
        let board = Board::from_fen(fen).expect("legal");
        resolved(&board).map_or_else(|| "unchanged".to_owned(), |end| end.to_fen())
    }

    #[test]
    fn lines_end_where_nothing_can_be_won() {
        // A hanging knight, a defended one, one that a pawn takes although it is defended.
        assert_eq!(end_of("4k3/8/8/3n4/8/8/8/3RK3 w - - 3 10"), "4k3/8/8/3R4/8/8/8/4K3 b - - 0 10");
        assert_eq!(end_of("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 10"), "unchanged");
        assert_eq!(end_of("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 10"), "4k3/8/8/3p4/8/8/8/4K3 w - - 0 11");
        // A promotion that cannot be prevented.
        assert_eq!(end_of("8/P7/8/8/8/8/7k/K7 w - - 0 1"), "Q7/8/8/8/8/8/7k/K7 b - - 0 1");
        // In check, the capture of the checking piece is the best answer.
        assert_eq!(end_of("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"), "4k3/8/8/8/8/8/4K3/8 b - - 0 1");
    }

    #[test]
    fn mated_positions_and_mates_stay() {
        assert_eq!(end_of("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), "unchanged");
        assert_eq!(end_of("r5k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "unchanged");
    }

    #[test]
    fn a_resolved_row_keeps_label_and_side_of_the_label() {
        let row = crate::sample::row("4k3/8/8/3n4/8/8/8/3RK3 w - - 3 10").with_label(Label::centipawns(480));
        let end = row.resolved().expect("a capture");
        assert_eq!((end.label(), end.piece_count()), (Label::centipawns(480), 3));
        assert_eq!(end.resolved(), None);
    }

    /// The value of the line is that of a plain search without a window and without exchanges pruned.
    #[test]
    fn lines_keep_the_material_of_a_full_search() {
        fn full(board: &Board, ply: usize) -> i32 {
            let mut moves = MoveList::new();
            let mut best = balance(board);
            if board.in_check() {
                moves = legal_moves(board);
                best = ply as i32 - MATE;
            } else if ply < 5 {
                add_noisy_moves(board, &mut moves);
            }
            if ply >= 6 {
                return balance(board);
            }
            for mv in moves {
                let mut next = board.clone();
                next.play(mv);
                best = best.max(-full(&next, ply + 1));
            }
            best
        }
        let (mut equal, mut all) = (0, 0);
        for fen in alfiere_chess::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("legal");
            let value = Search { nodes: 0 }.value(&board, -MATE, MATE, 0, &mut Vec::new());
            equal += usize::from(value == full(&board, 0));
            all += 1;
        }
        // Exchanges that lose material by themselves may win some in combination.
        assert!(equal * 10 >= all * 8, "{equal} of {all}");
    }
}
