//! History: statistics of how moves have done, for move ordering and reductions.
//!
//! Updates use gravity: the nearer a value is to ±[`Stat::MAX`], the less a bonus of that sign changes it.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

use super::tunables::Tunables;

/// A number between -[`Stat::MAX`] and [`Stat::MAX`].
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stat(i16);

impl Stat {
    /// The limit of every statistic.
    pub(super) const MAX: i32 = 16_384;

    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    // ANCHOR: gravity
    /// Moves towards the bonus, the less the nearer the limit is.
    pub(super) fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        self.0 += (bonus - self.get() * bonus.abs() / Self::MAX) as i16;
    }
    // ANCHOR_END: gravity
}

/// A piece and its target square, or no move: an index into continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 12 * 64;
    /// Rows of a table by [`PieceTo::index`].
    pub(super) const ROWS: usize = Self::COUNT + 1;
    /// No move: before the root, or a null move. Its row is read but never written.
    pub(super) const NONE: Self = Self(Self::COUNT as u16);

    pub(super) fn new(piece: Piece, target: Square) -> Self {
        Self((piece.index() * 64 + target.index()) as u16)
    }

    pub(super) fn of(board: &Board, mv: Move) -> Self {
        Self::new(board.moved(mv), mv.target())
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves one, two, four and six plies before a node.
pub(super) type PastMoves = [PieceTo; 4];

/// What the history of a quiet move depends on besides the move.
#[derive(Clone, Copy)]
pub(super) struct HistoryContext {
    pub(super) past: PastMoves,
    /// Squares that the opponent attacks.
    pub(super) threats: Bitboard,
}

/// By the square left and the square reached.
type Butterfly = [[Stat; 64]; 64];

type Row = [Stat; PieceTo::COUNT];
const PAWN_ROWS: usize = 1024;

/// One thread's statistics.
pub(super) struct History {
    /// By side and [`threat_row`].
    quiet: [Box<[Butterfly; 4]>; 2],
    capture: Box<[[[Stat; 6]; 64]; 12]>,
    continuation: Box<[Row; PieceTo::ROWS]>,
    pawn: Box<[Row; PAWN_ROWS]>,
    /// Counter moves, by the move before: the quiet move that last refuted it.
    counters: Box<[Option<Move>; PieceTo::ROWS]>,
}

/// A boxed array, made without a copy on the stack.
pub(super) fn boxed<T: Clone, const N: usize>(fill: T) -> Box<[T; N]> {
    match vec![fill; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector was made with N elements"),
    }
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            quiet: [0, 1].map(|_| boxed([[Stat::default(); 64]; 64])),
            capture: boxed([[Stat::default(); 6]; 64]),
            continuation: boxed([Stat::default(); PieceTo::COUNT]),
            pawn: boxed([Stat::default(); PieceTo::COUNT]),
            counters: boxed(None),
        }
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|tables| tables.fill([[Stat::default(); 64]; 64]));
        self.capture.fill([[Stat::default(); 6]; 64]);
        self.continuation.fill([Stat::default(); PieceTo::COUNT]);
        self.pawn.fill([Stat::default(); PieceTo::COUNT]);
        self.counters.fill(None);
    }

    /// The histories of quiet moves at a node: the node is looked up once, then each move.
    pub(super) fn at<'a>(&'a self, board: &Board, context: HistoryContext) -> QuietHistories<'a> {
        QuietHistories {
            quiet: &self.quiet[board.side_to_move().index()],
            pawn: &self.pawn[pawn_row(board)],
            continuation: context.past.map(|move_before| &self.continuation[move_before.index()]),
            threats: context.threats,
        }
    }

    /// The quiet move that last refuted the move before; it need not be legal here.
    pub(super) fn counter(&self, [before, ..]: PastMoves) -> Option<Move> {
        self.counters[before.index()]
    }

    /// Sets the counter move of the move before.
    pub(super) fn set_counter(&mut self, [before, ..]: PastMoves, mv: Move) {
        if before != PieceTo::NONE {
            self.counters[before.index()] = Some(mv);
        }
    }

    /// The history of a capture or promotion.
    pub(super) fn capture(&self, board: &Board, mv: Move) -> i32 {
        self.capture[board.moved(mv).index()][mv.target().index()][captured_index(board, mv)].get()
    }

    /// Rewards (or punishes, if negative) a capture or promotion.
    pub(super) fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        self.capture[board.moved(mv).index()][mv.target().index()][captured_index(board, mv)].add(bonus);
    }

    /// Rewards (or punishes) a quiet move in all its histories.
    pub(super) fn update_quiet(&mut self, board: &Board, context: HistoryContext, mv: Move, bonus: i32) {
        self.update_butterfly(board.side_to_move(), context.threats, mv, bonus);
        let moved = PieceTo::of(board, mv);
        self.pawn[pawn_row(board)][moved.index()].add(bonus);
        self.update_continuation(context.past, moved, bonus);
    }

    /// Rewards (or punishes) a side's quiet move in butterfly history only.
    pub(super) fn update_butterfly(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let rows = &mut self.quiet[side.index()][threat_row(threats, mv)];
        rows[mv.source().index()][mv.target().index()].add(bonus);
    }

    /// Rewards (or punishes) a quiet move in continuation history only.
    pub(super) fn update_continuation(&mut self, past: PastMoves, moved: PieceTo, bonus: i32) {
        for move_before in past {
            if move_before != PieceTo::NONE {
                self.continuation[move_before.index()][moved.index()].add(bonus);
            }
        }
    }
}

/// The histories of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(super) struct QuietHistories<'a> {
    quiet: &'a [Butterfly; 4],
    pawn: &'a Row,
    continuation: [&'a Row; 4],
    threats: Bitboard,
}

impl QuietHistories<'_> {
    /// The weighted sum that orders quiet moves; typically within ±30,000.
    pub(super) fn order(&self, board: &Board, mv: Move, tunables: &Tunables) -> i32 {
        let moved = PieceTo::of(board, mv).index();
        let [one, two, four, six] = self.continuation.map(|row| row[moved].get());
        let rows = &self.quiet[threat_row(self.threats, mv)];
        let squares = rows[mv.source().index()][mv.target().index()].get();
        (squares * tunables.order_butterfly()
            + self.pawn[moved].get() * tunables.order_pawn()
            + one * tunables.order_continuation_1()
            + two * tunables.order_continuation_2()
            + four * tunables.order_continuation_4()
            + six * tunables.order_continuation_6())
            / 64
    }
}

/// A row of butterfly history, by whether the square left and the square reached are attacked.
fn threat_row(threats: Bitboard, mv: Move) -> usize {
    let [source, target] = [mv.source(), mv.target()].map(|square| usize::from(threats.contains(square)));
    2 * source + target
}

fn pawn_row(board: &Board) -> usize {
    board.pawn_key() as usize % PAWN_ROWS
}

/// Promotions without a capture share the kings' place, which no capture uses.
fn captured_index(board: &Board, mv: Move) -> usize {
    board.captured(mv).map_or(PieceKind::King, Piece::kind).index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_within_their_limit() {
        let mut stat = Stat::default();
        for _ in 0..1000 {
            stat.add(5_000);
        }
        assert!(stat.get() <= Stat::MAX && stat.get() > Stat::MAX * 9 / 10);
        for _ in 0..1000 {
            stat.add(-50_000);
        }
        assert!(stat.get() >= -Stat::MAX && stat.get() < -Stat::MAX * 9 / 10);
    }
}
