//! Correction history: the error of the static evaluation in similar positions.
//!
//! Positions are similar by pawn structure, by each side's pieces, by kings with knights and bishops, or by the last two moves.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

use super::depth::Depth;
use super::history::{PieceTo, boxed};
use super::prefetch::prefetch;
use super::score::Score;
use super::tunables::Tunables;

const ROWS: usize = 16_384;
/// Corrections are in units of 1/128 centipawn.
const GRAIN: i32 = 128;
/// The largest correction one table may keep, in grains.
const LIMIT: i32 = 64 * GRAIN;

#[derive(Clone, Copy, Default)]
struct Correction(i16);

impl Correction {
    /// Moves towards an observed error.
    fn learn(&mut self, error: i32, weight: i32) {
        let target = (error * GRAIN).clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + (target - value) * weight / 256).clamp(-LIMIT, LIMIT) as i16;
    }
}

/// One thread's corrections.
pub(super) struct CorrectionHistory {
    /// By pawn structure and side to move.
    pawns: Box<[[Correction; 2]; ROWS]>,
    /// By both sides' kings, knights and bishops, and side to move.
    minors: Box<[[Correction; 2]; ROWS]>,
    /// By one side's pieces, side to move and owner.
    pieces: Box<[[[Correction; 2]; 2]; ROWS]>,
    /// By the moves two plies and one ply back.
    moves: Box<[[Correction; PieceTo::ROWS]; PieceTo::ROWS]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        Self {
            pawns: boxed([Correction::default(); 2]),
            minors: boxed([Correction::default(); 2]),
            pieces: boxed([[Correction::default(); 2]; 2]),
            moves: boxed([Correction::default(); PieceTo::ROWS]),
        }
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.pawns.fill(Default::default());
        self.minors.fill(Default::default());
        self.pieces.fill(Default::default());
        self.moves.fill([Correction::default(); PieceTo::ROWS]);
    }

    /// Starts loading what [`CorrectionHistory::correction`] will read.
    #[inline]
    pub(super) fn prefetch(&self, keys: CorrectionKeys) {
        prefetch(&self.pawns[keys.pawns()]);
        prefetch(&self.minors[keys.minors()]);
        prefetch(&self.pieces[keys.pieces(Color::White)]);
        prefetch(&self.pieces[keys.pieces(Color::Black)]);
        let [before, last] = keys.moves();
        prefetch(&self.moves[before][last]);
    }

    /// Centipawns to add to the static evaluation.
    pub(super) fn correction(&self, keys: CorrectionKeys, tunables: &Tunables) -> i32 {
        let side = keys.side.index();
        let pawns = i32::from(self.pawns[keys.pawns()][side].0);
        let minors = i32::from(self.minors[keys.minors()][side].0);
        let pieces: i32 =
            Color::ALL.iter().map(|&owner| i32::from(self.pieces[keys.pieces(owner)][side][owner.index()].0)).sum();
        let [before, last] = keys.moves();
        let moves = i32::from(self.moves[before][last].0);
        (pawns * tunables.correction_pawns()
            + minors * tunables.correction_minors()
            + pieces * tunables.correction_pieces()
            + moves * tunables.correction_moves())
            / (128 * GRAIN)
    }

    /// Learns from a search that found `found` where the evaluation said `evaluated`.
    pub(super) fn learn(&mut self, keys: CorrectionKeys, depth: Depth, evaluated: Score, found: Score) {
        let error = found - evaluated;
        let weight = (depth.get() + 1).min(16);
        let side = keys.side.index();
        self.pawns[keys.pawns()][side].learn(error, weight);
        self.minors[keys.minors()][side].learn(error, weight);
        for owner in Color::ALL {
            self.pieces[keys.pieces(owner)][side][owner.index()].learn(error, weight);
        }
        if !keys.last.contains(&PieceTo::NONE) {
            let [before, last] = keys.moves();
            self.moves[before][last].learn(error, weight);
        }
    }
}

/// The rows of a position's corrections, computed once, when the position arises.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys {
    side: Color,
    pawns: u16,
    minors: u16,
    /// White's pieces, and Black's.
    pieces: [u16; 2],
    /// The moves one and two plies back.
    last: [PieceTo; 2],
}

impl CorrectionKeys {
    /// The first row of each table.
    pub(super) const EMPTY: Self =
        Self { side: Color::White, pawns: 0, minors: 0, pieces: [0; 2], last: [PieceTo::NONE; 2] };

    /// Of this position; `last` are the moves one and two plies back.
    ///
    /// Hashes of where the pieces stand. Products are summed, not chained, so that the processor makes them side by side.
    pub(super) fn of(board: &Board, last: [PieceTo; 2]) -> Self {
        // Odd multipliers with no structure, one a kind of piece.
        const MINORS: [(PieceKind, u64); 3] = [
            (PieceKind::Knight, 0x9E37_79B9_7F4A_7C15),
            (PieceKind::Bishop, 0xC2B2_AE3D_27D4_EB4F),
            (PieceKind::King, 0xA076_1D64_78BD_642F),
        ];
        const MAJORS: [(PieceKind, u64); 2] =
            [(PieceKind::Rook, 0x1656_67B1_9E37_79F9), (PieceKind::Queen, 0xD6E8_FEB8_6659_FD93)];
        let sum = |owner: Color, kinds: &[(PieceKind, u64)]| {
            kinds.iter().fold(0_u64, |sum, &(kind, multiplier)| {
                sum.wrapping_add(board.colored(owner, kind).0.wrapping_mul(multiplier))
            })
        };
        let minors = Color::ALL.map(|owner| sum(owner, &MINORS));
        let majors = Color::ALL.map(|owner| sum(owner, &MAJORS));
        Self {
            side: board.side_to_move(),
            pawns: row(board.pawn_key()),
            minors: row(mix(minors[0] ^ minors[1].rotate_left(32))),
            pieces: [0, 1].map(|owner| row(mix(minors[owner].wrapping_add(majors[owner])))),
            last,
        }
    }

    fn pawns(self) -> usize {
        usize::from(self.pawns)
    }

    fn minors(self) -> usize {
        usize::from(self.minors)
    }

    fn pieces(self, owner: Color) -> usize {
        usize::from(self.pieces[owner.index()])
    }

    /// Two plies back, and one.
    fn moves(self) -> [usize; 2] {
        [self.last[1].index(), self.last[0].index()]
    }
}

/// Mixes a hash so that its low bits depend on all of its bits.
fn mix(hash: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

fn row(hash: u64) -> u16 {
    (hash % ROWS as u64) as u16
}
