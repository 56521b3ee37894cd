//! History: statistics of how moves have done, for move ordering, pruning and reductions.
//!
//! Updates use gravity: the nearer a value is to its limit, the less a bonus of that sign changes it.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Move, Piece, PieceKind, Square};

use crate::search::tunables;

/// A number between -`LIMIT` and `LIMIT`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Stat<LIMIT> {
    pub(crate) const fn new(value: i16) -> Self {
        Self(value)
    }

    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    // ANCHOR: gravity
    /// Moves towards the bonus, the less the nearer the limit is.
    pub(crate) fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 = (self.get() + bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
    // ANCHOR_END: gravity
}

/// A piece and its target square, or no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 12 * 64;
    /// Rows of a table by [`PieceTo::index`].
    pub(crate) const ROWS: usize = Self::COUNT + 1;
    /// No move: before the root, or a null move.
    pub(crate) const NONE: Self = Self(Self::COUNT as u16);

    pub(crate) fn new(piece: Piece, target: Square) -> Self {
        Self((piece.index() * 64 + target.index()) as u16)
    }

    pub(crate) fn of(board: &Board, mv: Move) -> Self {
        Self::new(board.moved(mv), mv.target())
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn kind(self) -> Option<PieceKind> {
        Piece::ALL.get(self.index() / 64).map(|piece| piece.kind())
    }
}

/// The row of continuation history that a move gives to the moves after it: by piece and target square, by whether it was
/// noisy, and by whether it answered a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationRow(u16);

impl ContinuationRow {
    const COUNT: usize = 4 * PieceTo::COUNT;
    /// No move. Its row is read but never written.
    pub(crate) const NONE: Self = Self(Self::COUNT as u16);

    pub(crate) fn of(board: &Board, mv: Move) -> Self {
        let kind = 2 * usize::from(board.in_check()) + usize::from(mv.is_noisy());
        Self((kind * PieceTo::COUNT + PieceTo::of(board, mv).index()) as u16)
    }

    /// Whether the side that moved was in check.
    pub(crate) fn answers_check(self) -> bool {
        (2 * PieceTo::COUNT..Self::COUNT).contains(&usize::from(self.0))
    }
}

/// The moves one to six plies before a node.
pub(crate) type PastMoves = [ContinuationRow; 6];

/// What the history of a quiet move depends on besides the position.
#[derive(Clone, Copy)]
pub(crate) struct HistoryContext {
    pub(crate) past: PastMoves,
    pub(crate) ply: usize,
}

const BUTTERFLY_LIMIT: i32 = 7_200;
const PAWN_LIMIT: i32 = 8_200;
const CAPTURE_LIMIT: i32 = 10_700;
const CONTINUATION_LIMIT: i32 = 30_000;

/// By the square left and the square reached.
type Butterfly = [[Stat<BUTTERFLY_LIMIT>; 64]; 64];
/// By the piece and the square reached.
type Row<const LIMIT: i32> = [Stat<LIMIT>; PieceTo::COUNT];
type CaptureRow = [[Stat<CAPTURE_LIMIT>; 6]; 64];

const PAWN_ROWS: usize = 2_048;
/// Plies from the root with a butterfly history of their own.
const LOW_PLIES: usize = 5;

// What moves start with: a move that has never been tried is expected to do no good.
const NEW_BUTTERFLY: Butterfly = [[Stat::new(0); 64]; 64];
const NEW_LOW_PLY: Butterfly = [[Stat::new(100); 64]; 64];
const NEW_CAPTURES: CaptureRow = [[Stat::new(-750); 6]; 64];
const NEW_CONTINUATION: Row<CONTINUATION_LIMIT> = [Stat::new(-600); PieceTo::COUNT];
const NEW_PAWN: Row<PAWN_LIMIT> = [Stat::new(-1_300); PieceTo::COUNT];

/// One thread's statistics.
pub(crate) struct History {
    /// By side.
    butterfly: Box<[Butterfly; 2]>,
    /// By ply, for the running search only.
    low_ply: Box<[Butterfly; LOW_PLIES]>,
    capture: Box<[CaptureRow; 12]>,
    continuation: Box<[Row<CONTINUATION_LIMIT>; ContinuationRow::COUNT + 1]>,
    pawn: Box<[Row<PAWN_LIMIT>; PAWN_ROWS]>,
    /// How often the hash move has turned out best.
    hash_move: Stat<8_192>,
}

/// A boxed array, made without a copy on the stack.
pub(crate) fn boxed<T: Clone, const N: usize>(fill: T) -> Box<[T; N]> {
    match vec![fill; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector was made with N elements"),
    }
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            butterfly: boxed(NEW_BUTTERFLY),
            low_ply: boxed(NEW_LOW_PLY),
            capture: boxed(NEW_CAPTURES),
            continuation: boxed(NEW_CONTINUATION),
            pawn: boxed(NEW_PAWN),
            hash_move: Stat::new(0),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.butterfly.fill(NEW_BUTTERFLY);
        self.low_ply.fill(NEW_LOW_PLY);
        self.capture.fill(NEW_CAPTURES);
        self.continuation.fill(NEW_CONTINUATION);
        self.pawn.fill(NEW_PAWN);
        self.hash_move = Stat::new(0);
    }

    /// Prepares for a new search, whose positions are a few moves away from those of the last.
    pub(crate) fn start_search(&mut self) {
        self.low_ply.fill(NEW_LOW_PLY);
        for stat in self.butterfly.as_flattened_mut().as_flattened_mut() {
            stat.0 = (stat.get() * tunables::history_kept() / 64) as i16;
        }
    }

    /// The histories of quiet moves at a node: the node is looked up once, then each move.
    pub(crate) fn at<'a>(&'a self, board: &Board, context: HistoryContext) -> QuietHistories<'a> {
        QuietHistories {
            butterfly: &self.butterfly[board.side_to_move().index()],
            low_ply: self.low_ply.get(context.ply),
            ply: context.ply,
            pawn: &self.pawn[pawn_row(board)],
            continuation: context.past.map(|row| &self.continuation[usize::from(row.0)]),
        }
    }

    /// The history of a capture or promotion.
    pub(crate) fn capture(&self, board: &Board, mv: Move) -> i32 {
        let captured = captured_index(board.captured(mv));
        self.capture[board.moved(mv).index()][mv.target().index()][captured].get()
    }

    /// Rewards (or punishes, if negative) a capture or promotion.
    pub(crate) fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        self.update_played_capture(PieceTo::of(board, mv), board.captured(mv), bonus);
    }

    /// Rewards (or punishes) a capture or promotion that has been played.
    pub(crate) fn update_played_capture(&mut self, moved: PieceTo, captured: Option<Piece>, bonus: i32) {
        self.capture.as_flattened_mut()[moved.index()][captured_index(captured)].add(bonus);
    }

    /// Rewards (or punishes) a quiet move in all its histories.
    pub(crate) fn update_quiet(&mut self, board: &Board, context: HistoryContext, mv: Move, bonus: i32) {
        let moved = PieceTo::of(board, mv);
        self.update_butterfly(board.side_to_move(), mv, bonus);
        if let Some(low_ply) = self.low_ply.get_mut(context.ply) {
            low_ply[mv.source().index()][mv.target().index()].add(bonus * tunables::low_ply_share() / 64);
        }
        let continuation = bonus * tunables::continuation_share() / 64;
        self.update_continuation(context.past, board.in_check(), moved, continuation);
        let share = if bonus > 0 { tunables::pawn_bonus_share() } else { tunables::pawn_malus_share() };
        self.update_pawn(board, moved, bonus * share / 64);
    }

    /// Rewards (or punishes) a side's quiet move in butterfly history only.
    pub(crate) fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        self.butterfly[side.index()][mv.source().index()][mv.target().index()].add(bonus);
    }

    /// Rewards (or punishes) a quiet move in the history by pawn structure only.
    pub(crate) fn update_pawn(&mut self, board: &Board, moved: PieceTo, bonus: i32) {
        self.pawn[pawn_row(board)][moved.index()].add(bonus);
    }

    /// Rewards (or punishes) a move in continuation history only. A move that has done well after many of the moves before
    /// counts more; an answer to a check depends on the last two moves only.
    pub(crate) fn update_continuation(&mut self, past: PastMoves, in_check: bool, moved: PieceTo, bonus: i32) {
        let weights = [
            tunables::continuation_1(),
            tunables::continuation_2(),
            tunables::continuation_3(),
            tunables::continuation_4(),
            tunables::continuation_5(),
            tunables::continuation_6(),
        ];
        let rows = past.into_iter().zip(weights).take(if in_check { 2 } else { past.len() });
        let mut successes = 0;
        for (back, (row, weight)) in rows.enumerate().filter(|(_, (row, _))| *row != ContinuationRow::NONE) {
            let stat = &mut self.continuation[usize::from(row.0)][moved.index()];
            successes += i32::from(stat.get() > 0);
            let consistency = tunables::continuation_base() + tunables::continuation_consistency() * successes;
            let constant = if back == 0 { tunables::continuation_constant() } else { 0 };
            stat.add(bonus * weight * consistency / 4096 + constant);
        }
    }

    /// How often hash moves have turned out best, from -8192 to 8192.
    pub(crate) fn hash_move(&self) -> i32 {
        self.hash_move.get()
    }

    /// Rewards (or punishes) hash moves in general.
    pub(crate) fn update_hash_move(&mut self, bonus: i32) {
        self.hash_move.add(bonus);
    }
}

/// The histories of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistories<'a> {
    butterfly: &'a Butterfly,
    low_ply: Option<&'a Butterfly>,
    ply: usize,
    pawn: &'a Row<PAWN_LIMIT>,
    continuation: [&'a Row<CONTINUATION_LIMIT>; 6],
}

impl QuietHistories<'_> {
    /// The sum that orders quiet moves.
    pub(crate) fn order(&self, board: &Board, mv: Move) -> i32 {
        let (source, target) = (mv.source().index(), mv.target().index());
        let moved = PieceTo::of(board, mv).index();
        let low_ply = self.low_ply.map_or(0, |low_ply| 8 * low_ply[source][target].get() / (1 + self.ply as i32));
        let [one, two, three, four, _, six] = self.continuation.map(|row| row[moved].get());
        2 * (self.butterfly[source][target].get() + self.pawn[moved].get()) + one + two + three + four + six + low_ply
    }

    /// The sum that orders quiet answers to a check.
    pub(crate) fn evasion_order(&self, board: &Board, mv: Move) -> i32 {
        let moved = PieceTo::of(board, mv).index();
        self.butterfly[mv.source().index()][mv.target().index()].get() + self.continuation[0][moved].get()
    }

    /// What pruning and reductions use.
    pub(crate) fn of(&self, board: &Board, mv: Move) -> QuietHistory {
        let moved = PieceTo::of(board, mv).index();
        QuietHistory {
            butterfly: self.butterfly[mv.source().index()][mv.target().index()].get(),
            continuation: self.continuation[0][moved].get() + self.continuation[1][moved].get(),
            pawn: self.pawn[moved].get(),
        }
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct QuietHistory {
    pub(crate) butterfly: i32,
    /// After the last two moves.
    pub(crate) continuation: i32,
    pub(crate) pawn: i32,
}

fn pawn_row(board: &Board) -> usize {
    board.pawn_key() as usize % PAWN_ROWS
}

/// Promotions without a capture share the kings' place, which no capture uses.
fn captured_index(captured: Option<Piece>) -> usize {
    captured.map_or(PieceKind::King, Piece::kind).index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_within_their_limit() {
        const LIMIT: i32 = 16_384;
        let mut stat = Stat::<LIMIT>::new(0);
        for _ in 0..1000 {
            stat.add(5_000);
        }
        assert!(stat.get() <= LIMIT && stat.get() > LIMIT * 9 / 10);
        for _ in 0..1000 {
            stat.add(-50_000);
        }
        assert!(stat.get() >= -LIMIT && stat.get() < -LIMIT * 9 / 10);
        // The difference does not fit the number, the sum does.
        let mut stat = Stat::<30_000>::new(-30_000);
        stat.add(30_000);
        assert_eq!(stat.get(), 30_000);
    }
}
