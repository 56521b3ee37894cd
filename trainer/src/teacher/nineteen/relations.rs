//! The accumulators of what pieces have to do with one another: threats and pairs of pawns.
//!
//! These inputs depend on the view's king only by the half of the board it stands on, so that one accumulator for each
//! view and half is kept, and brought up to date by the inputs that differ from the position before.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind};
use wide::i16x32;

use super::accumulator::Accumulator;
use super::orientation::Orientation;
use super::threats::{self, Numbering, Threat, append_threats};
use super::{Network, VECTORS, pawn_pairs};

/// Inputs of threats and pawn pairs together.
pub(super) const INPUTS: usize = threats::INPUTS + pawn_pairs::INPUTS;

/// Accumulators of both views.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    numbering: Numbering,
    /// Of the board at hand.
    threats: Vec<Threat>,
    /// For each view and half of the board.
    kept: Vec<Cached>,
    difference: Difference,
    /// The inputs that are now active.
    inputs: Vec<u16>,
}

#[derive(Clone, Debug)]
struct Cached {
    threats: Vec<u16>,
    pawn_pairs: Vec<u16>,
    /// White's and Black's, which `pawn_pairs` was made of.
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

    /// What a network adds that knows no relations. Only as long as [`Self::update`] was never asked.
    pub(super) fn none(&self) -> &Accumulator {
        &self.kept[0].accumulator
    }

    /// Looks at a board, for `update` to work on.
    pub(super) fn look_at(&mut self, board: &Board) {
        self.threats.clear();
        append_threats(board, &mut self.threats);
    }

    /// The accumulator of a view, up to date with the board looked at.
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

/// What two lists of inputs do not have in common.
#[derive(Clone, Debug)]
struct Difference {
    added: Vec<u16>,
    removed: Vec<u16>,
    /// For each number whether the list before holds it; all 0 between calls.
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

    /// Appends what is only in one of two lists, neither of which names an input twice.
    fn extend(&mut self, before: &[u16], now: &[u16]) {
        let marks = &mut self.marks[..];
        for &input in before {
            marks[usize::from(input)] = 1;
        }
        // Marks are hard to guess: each input is written, and overwritten by the next if it is of no interest.
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
    fn differences_are_what_only_one_list_has() {
        let mut difference = Difference::new();
        difference.extend(&[5, 1, 9, 7], &[9, 2, 5]);
        assert_eq!((&difference.added[..], &difference.removed[..]), (&[2][..], &[1, 7][..]));
        difference.extend(&[], &[3, 4]);
        difference.extend(&[8], &[]);
        assert_eq!((&difference.added[..], &difference.removed[..]), (&[2, 3, 4][..], &[1, 7, 8][..]));
        assert!(difference.marks.iter().all(|&mark| mark == 0));
    }
}
