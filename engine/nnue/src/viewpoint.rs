//! One side's view of a position, which maps pieces to rows of the first layer.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, PieceKind, Square};

use super::delta::Delta;
use super::features::feature_index;
use super::inputs::{Inputs, Orientation};
use super::nnue::Network;
use super::packed::PackedAccumulator;
use super::simd::Kernels;

/// A view: its colour, its orientation, and the first layer of the network.
#[derive(Clone, Copy)]
pub(super) struct Viewpoint<'a> {
    pub(super) kernels: Kernels,
    pub(super) layer: &'a PackedAccumulator,
    pub(super) color: Color,
    pub(super) orientation: Orientation,
    inputs: &'a Inputs,
}

impl<'a> Viewpoint<'a> {
    /// The view of `color` on a position.
    #[inline]
    pub(super) fn new(network: &'a Network, layer: &'a PackedAccumulator, color: Color, board: &Board) -> Self {
        let inputs = &network.architecture().inputs;
        let orientation = inputs.orientation(color, board.king(color));
        Self { kernels: network.kernels(), layer, color, orientation, inputs }
    }

    /// The input of a piece on a square.
    #[inline]
    pub(super) fn input(&self, piece: Piece, square: Square) -> usize {
        self.orientation.input(feature_index(self.color, piece, square))
    }

    /// Whether the move changed the king bucket or the mirroring, so that this view needs a refresh.
    #[inline]
    pub(super) fn is_turned_by(&self, delta: &Delta) -> bool {
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
