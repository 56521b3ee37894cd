//! Correction history: the error of the static evaluation in similar positions.
//!
//! Positions are similar by pawn structure, by each side's pieces, by kings with knights and bishops, or by the last moves.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

use super::history::{PieceTo, Stat, boxed};
use crate::platform::prefetch;
use crate::search::tunables;

const ROWS: usize = 65_536;

/// An error of the evaluation; [`tunables`] say how much of it is corrected.
type Correction = Stat<1024>;

const NONE: Correction = Stat::new(0);

/// One thread's corrections.
pub(crate) struct CorrectionHistory {
    /// By pawn structure and side to move.
    pawns: Box<[[Correction; 2]; ROWS]>,
    /// By both sides' kings, knights and bishops, and side to move.
    minors: Box<[[Correction; 2]; ROWS]>,
    /// By one side's pieces, side to move and owner.
    pieces: Box<[[[Correction; 2]; 2]; ROWS]>,
    /// By an earlier move, two or four plies back, and the last.
    moves: Box<[[Correction; PieceTo::ROWS]; PieceTo::ROWS]>,
}

impl CorrectionHistory {
    pub(crate) fn new() -> Self {
        Self {
            pawns: boxed([NONE; 2]),
            minors: boxed([NONE; 2]),
            pieces: boxed([[NONE; 2]; 2]),
            moves: boxed([NONE; PieceTo::ROWS]),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.pawns.fill([NONE; 2]);
        self.minors.fill([NONE; 2]);
        self.pieces.fill([[NONE; 2]; 2]);
        self.moves.fill([NONE; PieceTo::ROWS]);
    }

    /// Starts loading what [`CorrectionHistory::correction`] will read.
    #[inline]
    pub(crate) fn prefetch(&self, keys: CorrectionKeys) {
        prefetch(&self.pawns[keys.pawns()]);
        prefetch(&self.minors[keys.minors()]);
        prefetch(&self.pieces[keys.pieces(Color::White)]);
        prefetch(&self.pieces[keys.pieces(Color::Black)]);
        for earlier in keys.earlier {
            prefetch(&self.moves[earlier.index()][keys.last.index()]);
        }
    }

    /// Centipawns to add to the static evaluation.
    pub(crate) fn correction(&self, keys: CorrectionKeys) -> i32 {
        let side = keys.side.index();
        let pawns = self.pawns[keys.pawns()][side].get();
        let minors = self.minors[keys.minors()][side].get();
        let pieces: i32 =
            Color::ALL.iter().map(|&owner| self.pieces[keys.pieces(owner)][side][owner.index()].get()).sum();
        let moves: i32 = keys.earlier.iter().map(|earlier| self.moves[earlier.index()][keys.last.index()].get()).sum();
        (pawns * tunables::correction_pawns()
            + minors * tunables::correction_minors()
            + pieces * tunables::correction_pieces()
            + moves * tunables::correction_moves())
            / 4096
    }

    /// Moves all corrections of a position by `error`, whose unit is about a thirtieth of a centipawn.
    pub(crate) fn learn(&mut self, keys: CorrectionKeys, error: i32) {
        let error = error.clamp(-256, 256);
        let side = keys.side.index();
        self.pawns[keys.pawns()][side].add(error);
        self.minors[keys.minors()][side].add(error * tunables::correction_minors_share() / 64);
        for owner in Color::ALL {
            self.pieces[keys.pieces(owner)][side][owner.index()].add(error * tunables::correction_pieces_share() / 64);
        }
        if keys.last != PieceTo::NONE {
            let [two, four] = keys.earlier.map(PieceTo::index);
            self.moves[two][keys.last.index()].add(error);
            self.moves[four][keys.last.index()].add(error * tunables::correction_moves_share() / 64);
        }
    }
}

/// The rows of a position's corrections, computed once, when the position arises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys {
    side: Color,
    pawns: u16,
    minors: u16,
    /// White's pieces, and Black's.
    pieces: [u16; 2],
    last: PieceTo,
    /// The moves two and four plies back.
    earlier: [PieceTo; 2],
}

impl CorrectionKeys {
    /// The first row of each table.
    pub(crate) const EMPTY: Self = Self {
        side: Color::White,
        pawns: 0,
        minors: 0,
        pieces: [0; 2],
        last: PieceTo::NONE,
        earlier: [PieceTo::NONE; 2],
    };

    /// Of this position after these moves, one, two and four plies back.
    ///
    /// Hashes of where the pieces stand. Products are summed, not chained, so that the processor makes them side by side.
    pub(crate) fn of(board: &Board, [last, two, four]: [PieceTo; 3]) -> Self {
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
            earlier: [two, four],
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
}

/// Mixes a hash so that its low bits depend on all of its bits.
fn mix(hash: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

fn row(hash: u64) -> u16 {
    (hash % ROWS as u64) as u16
}
