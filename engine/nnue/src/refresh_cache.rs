//! Finny tables: a cache of accumulators from earlier refreshes, one for each view and orientation.
//!
//! When a king move changes the bucket or the mirroring, no accumulator of the current line is usable, but a position
//! with the same orientation was probably refreshed before and differs by a few pieces. Each slot holds an accumulator
//! and its pieces; a refresh adds and removes the difference. Kept across positions and games, but not across networks.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Piece};
use arrayvec::ArrayVec;

use super::chunks::I16x32;
use super::inputs::{Inputs, Orientation};
use super::packed::PackedAccumulator;
use super::viewpoint::Viewpoint;

/// The pieces on a board, by [`Piece::index`].
type Pieces = [Bitboard; 12];

/// A slot for each view and orientation.
#[derive(Clone, Debug, Default)]
pub(super) struct RefreshCache {
    pieces: Vec<Pieces>,
    /// `[slot][row_chunks]`.
    values: Vec<I16x32>,
    /// Slots of one view.
    orientations: usize,
}

impl RefreshCache {
    /// Slots of empty boards.
    pub(super) fn new(layer: &PackedAccumulator, inputs: &Inputs, views: usize) -> Self {
        let orientations = Orientation::count(inputs);
        let slots = views * orientations;
        Self { pieces: vec![Pieces::default(); slots], values: layer.bias.repeat(slots), orientations }
    }

    /// Writes the accumulator of a position, the `index`-th view's, to `target`.
    pub(super) fn refresh(&mut self, viewpoint: Viewpoint<'_>, index: usize, board: &Board, target: &mut [I16x32]) {
        let slot = index * self.orientations + viewpoint.orientation.index();
        let kept = &mut self.values[slot * target.len()..][..target.len()];
        let now: Pieces = std::array::from_fn(|index| {
            let piece = Piece::ALL[index];
            board.colored(piece.color(), piece.kind())
        });
        let before = std::mem::replace(&mut self.pieces[slot], now);
        let changes: u32 = before.iter().zip(&now).map(|(&before, &now)| (before ^ now).count()).sum();
        let is_far = changes > board.occupied().count();
        if is_far {
            kept.copy_from_slice(&viewpoint.layer.bias);
        }
        let before = if is_far { Pieces::default() } else { before };
        let (mut added, mut removed) = (ArrayVec::<u16, 64>::new(), ArrayVec::<u16, 64>::new());
        for (piece, (before, now)) in Piece::ALL.into_iter().zip(before.into_iter().zip(now)) {
            added.extend((now & !before).map(|square| viewpoint.input(piece, square) as u16));
            removed.extend((before & !now).map(|square| viewpoint.input(piece, square) as u16));
        }
        viewpoint.kernels.refresh(kept, target, &viewpoint.layer.rows, &added, &removed);
    }
}
