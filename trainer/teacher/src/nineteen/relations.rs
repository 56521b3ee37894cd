//! Accumulators of relations between pieces: threats and pawn pairs.
//!
//! These inputs depend on the view's king only by the half of the board it is on. One accumulator is therefore cached
//! per view and half, and updated with the inputs that differ from the previous position.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind};
use wide::i16x32;

use super::accumulator::{Accumulator, VECTORS};
use super::threats::{self, Numbering, Orientation, Threat, append_threats};
use super::{Network, pawn_pairs};

pub(super) const INPUTS: usize = threats::INPUTS + pawn_pairs::INPUTS;

/// Cached accumulators of both views.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    numbering: Numbering,
    /// Threats of the current board.
    threats: Vec<Threat>,
    /// For each view and half of the board.
    kept: Vec<Cached>,
    difference: Difference,
    /// The currently active inputs.
    inputs: Vec<u16>,
}

#[derive(Clone, Debug)]
struct Cached {
    threats: Vec<u16>,
    pawn_pairs: Vec<u16>,
    /// White's and Black's pawns when `pawn_pairs` was computed.
    pawns: [Bitboard; 2],
    accumulator: Accumulator,
}

impl Relations {
    pub(super) fn new() -> Self {
        let empty = Cached {
            threats: Vec::new(),
            pawn_pairs: Vec::new(),
            pawns: [Bitboard::EMPTY; 2],
            accumulator: Accumulator::new(&[i16x32::ZERO; VECTORS]),
        };
        Self {
            numbering: Numbering::new(),
            threats: Vec::new(),
            kept: vec![empty; 4],
            difference: Difference::new(),
            inputs: Vec::new(),
        }
    }

    /// An empty accumulator, for networks without these inputs. Must not be used after [`Self::update`].
    pub(super) fn none(&self) -> &Accumulator {
        &self.kept[0].accumulator
    }

    /// Sets the board for [`Self::update`].
    pub(super) fn set_board(&mut self, board: &Board) {
        self.threats.clear();
        append_threats(board, &mut self.threats);
    }

    /// Updates the accumulator of a view to the current board and returns it.
    pub(super) fn update(&mut self, network: &Network, board: &Board, view: Color) -> &Accumulator {
        let orientation = Orientation::with_king_left(view, board.king(view));
        let kept = &mut self.kept[2 * view.index() + usize::from(orientation.mirrored)];
        let difference = &mut self.difference;
        difference.clear();

        self.numbering.inputs(&self.threats, orientation, &mut self.inputs);
        difference.extend(&kept.threats, &self.inputs);
        std::mem::swap(&mut kept.threats, &mut self.inputs);

        let pawns = Color::ALL.map(|color| board.colored(color, PieceKind::Pawn));
        if pawns != kept.pawns {
            kept.pawns = pawns;
            self.inputs.clear();
            pawn_pairs::append_inputs(board, orientation, threats::INPUTS, &mut self.inputs);
            difference.extend(&kept.pawn_pairs, &self.inputs);
            std::mem::swap(&mut kept.pawn_pairs, &mut self.inputs);
        }

        if difference.len() > kept.threats.len() + kept.pawn_pairs.len() {
            kept.accumulator = Accumulator::new(&[i16x32::ZERO; VECTORS]);
            kept.accumulator.update(&network.relations, &kept.threats, &[]);
            kept.accumulator.update(&network.relations, &kept.pawn_pairs, &[]);
        } else {
            kept.accumulator.update(&network.relations, &difference.added, &difference.removed);
        }
        &kept.accumulator
    }
}

/// The difference of two input lists.
#[derive(Clone, Debug)]
struct Difference {
    added: Vec<u16>,
    removed: Vec<u16>,
    /// For each input, whether the earlier list contains it; all 0 between calls.
    marks: Vec<u8>,
}

impl Difference {
    fn new() -> Self {
        Self { added: Vec::new(), removed: Vec::new(), marks: vec![0; INPUTS] }
    }

    fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Appends the inputs that are in only one of two lists without duplicates.
    fn extend(&mut self, before: &[u16], now: &[u16]) {
        let marks = &mut self.marks[..];
        for &input in before {
            marks[usize::from(input)] = 1;
        }
        // Branchless: every input is written, and overwritten by the next one if it is unchanged, because branches
        // would be mispredicted.
        let mut count = self.added.len();
        self.added.resize(count + now.len(), 0);
        for &input in now {
            self.added[count] = input;
            count += usize::from(1 - std::mem::take(&mut marks[usize::from(input)]));
        }
        self.added.truncate(count);
        let mut count = self.removed.len();
        self.removed.resize(count + before.len(), 0);
        for &input in before {
            self.removed[count] = input;
            count += usize::from(std::mem::take(&mut marks[usize::from(input)]));
        }
        self.removed.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_is_what_only_one_list_contains() {
        let mut difference = Difference::new();
        difference.extend(&[5, 1, 9, 7], &[9, 2, 5]);
        assert_eq!((&difference.added[..], &difference.removed[..]), (&[2][..], &[1, 7][..]));
        difference.extend(&[], &[3, 4]);
        difference.extend(&[8], &[]);
        assert_eq!((&difference.added[..], &difference.removed[..]), (&[2, 3, 4][..], &[1, 7, 8][..]));
        assert!(difference.marks.iter().all(|&mark| mark == 0));
    }
}
