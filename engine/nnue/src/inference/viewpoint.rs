//! One side's view of a position, which maps pieces to rows of the first layer; what a move changes in it; and the cache from
//! which a view is refreshed.

use alfiere_chess::board::{Board, BoardObserver};
use alfiere_chess::types::{Color, Move, Piece, PieceKind, Square};
use arrayvec::ArrayVec;

use crate::inference::chunks::I16x32;
use crate::inference::network::Network;
use crate::inference::packed::PackedAccumulator;
use crate::inference::simd::Kernels;
use crate::inference::snapshot::{Change, Snapshot, StatedPiece};
use crate::shape::features::feature_index;
use crate::shape::inputs::{Inputs, Orientation, PIECE_INPUTS};

/// A view: its colour, its orientation, and the first layer of the network.
#[derive(Clone, Copy)]
pub(crate) struct Viewpoint<'a> {
    pub(crate) kernels: Kernels,
    pub(crate) layer: &'a PackedAccumulator,
    pub(crate) color: Color,
    pub(crate) orientation: Orientation,
    pub(crate) inputs: &'a Inputs,
}

impl<'a> Viewpoint<'a> {
    /// The view of `color` on a position.
    #[inline]
    pub(crate) fn new(network: &'a Network, layer: &'a PackedAccumulator, color: Color, board: &Board) -> Self {
        let inputs = &network.architecture().inputs;
        let orientation = inputs.orientation(color, board.king(color));
        Self { kernels: network.kernels(), layer, color, orientation, inputs }
    }

    #[inline]
    pub(crate) fn input(&self, piece: Piece, square: Square) -> usize {
        self.orientation.input(feature_index(self.color, piece, square))
    }

    /// Writes the accumulator of a position from that of another one.
    #[inline]
    pub(crate) fn shift(&self, target: &mut [I16x32], source: &[I16x32], change: &Change) {
        let rows = |pieces: &[StatedPiece]| pieces.iter().map(|&piece| self.row(piece)).collect::<ArrayVec<u16, 32>>();
        self.kernels.shift(target, source, &self.layer.rows, &rows(&change.added), &rows(&change.removed));
    }

    #[inline]
    fn row(&self, piece: StatedPiece) -> u16 {
        let owner = (piece.is_black() ^ self.color.index()) * (PIECE_INPUTS / 2);
        let plain = owner + piece.kind() * 64 + piece.square.relative_to(self.color).index();
        (self.inputs.of_state(piece.state()) + self.orientation.input(plain)) as u16
    }

    /// Whether the move changed the king bucket or the mirroring, so that this view needs a refresh.
    #[inline]
    pub(crate) fn is_turned_by(&self, delta: &Delta) -> bool {
        if !self.inputs.is_king_relative() {
            return false;
        }
        let king = Piece::new(self.color, PieceKind::King);
        let came_from = |&&(piece, _): &&(Piece, Square)| piece == king;
        delta
            .removed
            .iter()
            .find(came_from)
            .is_some_and(|&(_, square)| self.inputs.orientation(self.color, square) != self.orientation)
    }
}

/// The most pieces a move adds, and the most it removes (castling does both).
const MAX_CHANGES: usize = 2;

/// The pieces that one move adds to and removes from the board; empty for a null move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    pub(crate) added: ArrayVec<(Piece, Square), MAX_CHANGES>,
    pub(crate) removed: ArrayVec<(Piece, Square), MAX_CHANGES>,
}

impl Delta {
    /// Plays a legal move and returns what it changed.
    #[inline]
    pub fn of_played(board: &mut Board, mv: Move) -> Self {
        let mut delta = Self::default();
        board.play_observed(mv, &mut delta);
        delta
    }

    /// Rows that the move adds or removes.
    pub(crate) fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }
}

/// Collects one move: make a new one for each.
impl BoardObserver for Delta {
    fn piece_added(&mut self, piece: Piece, square: Square) {
        // No move adds more than two pieces; a third would be a delta used for two moves.
        self.added.push((piece, square));
    }

    fn piece_removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}

// Finny tables: a cache of accumulators from earlier refreshes, one for each view and orientation.
//
// When a king move changes the bucket or the mirroring, no accumulator of the current line is usable, but a position
// with the same orientation was probably refreshed before and differs by a few pieces. Each slot holds an accumulator
// and its pieces; a refresh adds and removes the difference. Kept across positions and games, but not across networks.

/// A slot for each view and orientation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefreshCache {
    positions: Vec<Snapshot>,
    /// `[slot][row_chunks]`.
    values: Vec<I16x32>,
    /// Slots of one view.
    orientations: usize,
}

impl RefreshCache {
    /// Slots of empty boards.
    pub(crate) fn new(layer: &PackedAccumulator, inputs: &Inputs, views: usize) -> Self {
        let orientations = Orientation::count(inputs);
        let slots = views * orientations;
        Self { positions: vec![Snapshot::default(); slots], values: layer.bias.repeat(slots), orientations }
    }

    /// Writes the accumulator of a position, the `index`-th view's, to `target`.
    pub(crate) fn refresh(&mut self, viewpoint: Viewpoint<'_>, index: usize, now: Snapshot, target: &mut [I16x32]) {
        let slot = index * self.orientations + viewpoint.orientation.index();
        let kept = &mut self.values[slot * target.len()..][..target.len()];
        let mut change = now.change_from(&self.positions[slot]);
        if change.len() > now.piece_count() {
            kept.copy_from_slice(&viewpoint.layer.bias);
            change = now.change_from(&Snapshot::default());
        }
        viewpoint.shift(target, kept, &change);
        kept.copy_from_slice(target);
        self.positions[slot] = now;
    }
}
