//! How large a sum over the active inputs can get in any legal position.
//!
//! Independent of scales and files. The bound holds for every set of pieces that play can
//! reach: one king a side; two knights, bishops and rooks and one queen at the start; and eight pawns, each of which is
//! still a pawn on ranks 2 to 7, or has become a fifth piece of some kind, or is gone. Squares are not kept apart
//! between kinds, so a bound may be a little larger than any real position's sum, never smaller.

use alfiere_chess::types::PieceKind;
use alfiere_nnue::{Inputs, PIECE_INPUTS};
use ndarray::Array1;

const PAWNS: usize = 8;

/// Least and max sum of one neuron.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) min: i64,
    pub(super) max: i64,
}

impl Bounds {
    /// The one further from zero.
    pub(super) const fn worst(self) -> i64 {
        if self.max >= -self.min { self.max } else { self.min }
    }
}

/// The bounds of a neuron whose weight for an input is `weight(input)`, over both sides' pieces and the side to move. All
/// pieces of a position are seen in one king bucket, each in any state, and the bounds are those of the worst.
pub(super) fn input_bounds(inputs: &Inputs, weight: impl Fn(usize) -> i64, bias: i64) -> Bounds {
    let side_to_move = weight(inputs.side_to_move());
    let mut bounds = Bounds { min: i64::MAX, max: i64::MIN };
    for own in (0..inputs.buckets()).map(|bucket| bucket * PIECE_INPUTS) {
        let other = own + PIECE_INPUTS / 2;
        let greatest = |input: usize, sign: i64| {
            (0..inputs.states()).map(|state| sign * weight(inputs.of_state(state) + input)).fold(i64::MIN, i64::max)
        };
        let side = |owner: usize, sign: i64| greatest_of_side(|input| greatest(owner + input, sign));
        let min = bias + side_to_move.min(0) - side(own, -1) - side(other, -1);
        let max = bias + side_to_move.max(0) + side(own, 1) + side(other, 1);
        bounds = Bounds { min: bounds.min.min(min), max: bounds.max.max(max) };
    }
    bounds
}

/// The bounds of a neuron of a later layer, whose inputs are 0 to `max_input`.
pub(super) fn dense_bounds(weights: &Array1<i64>, bias: i64, max_input: i64) -> Bounds {
    weights.fold(Bounds { min: bias, max: bias }, |bounds, &weight| Bounds {
        min: bounds.min + weight.min(0) * max_input,
        max: bounds.max + weight.max(0) * max_input,
    })
}

/// The max sum that one side's pieces can reach; `weight` takes an index of 0 to 383.
fn greatest_of_side(weight: impl Fn(usize) -> i64) -> i64 {
    let mut sum = 0;
    // What the eight pawns may be: a pawn, or a piece beyond those of the start.
    let mut slots = Vec::<i64>::new();
    for kind in PieceKind::ALL {
        let at_start = match kind {
            PieceKind::Pawn => 0,
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook => 2,
            PieceKind::Queen | PieceKind::King => 1,
        };
        let squares = if kind == PieceKind::Pawn { 8..56 } else { 0..64 };
        let mut values: Vec<i64> = squares.map(|square| weight(kind.index() * 64 + square)).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        if kind == PieceKind::King {
            sum += values[0];
            continue;
        }
        values.retain(|&value| value > 0);
        let (first, further) = values.split_at(at_start.min(values.len()));
        sum += first.iter().sum::<i64>();
        slots.extend(further.iter().take(PAWNS));
    }
    slots.sort_unstable_by(|a, b| b.cmp(a));
    sum + slots.iter().take(PAWNS).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::{Color, Piece, Square};
    use alfiere_nnue::{SIDE_TO_MOVE_INPUT, feature_index};
    use ndarray::array;

    use super::*;

    fn bounds_of(weight_of: impl Fn(Piece, Square) -> i64, side_to_move: i64) -> Bounds {
        let mut weights = vec![0; 769];
        for piece in Piece::ALL {
            for square in Square::ALL {
                weights[feature_index(Color::White, piece, square)] = weight_of(piece, square);
            }
        }
        weights[SIDE_TO_MOVE_INPUT] = side_to_move;
        input_bounds(&Inputs::PLAIN, |input| weights[input], 7)
    }

    #[test]
    fn sixteen_men_a_side() {
        assert_eq!(bounds_of(|_, _| 10, 100), Bounds { min: 27, max: 7 + 320 + 100 });
        assert_eq!(bounds_of(|_, _| -10, -100), Bounds { min: 7 - 320 - 100, max: 7 - 20 });
    }

    #[test]
    fn one_king_nine_queens_eight_pawns() {
        let only = |kind| move |piece: Piece, _| i64::from(piece.kind() == kind && piece.color() == Color::Black);
        for (kind, most) in [
            (PieceKind::King, 1),
            (PieceKind::Queen, 9),
            (PieceKind::Rook, 10),
            (PieceKind::Bishop, 10),
            (PieceKind::Knight, 10),
            (PieceKind::Pawn, 8),
        ] {
            assert_eq!(bounds_of(only(kind), 0).max, 7 + most, "{kind:?}");
        }
    }

    #[test]
    fn promotions_share_the_pawns() {
        // Nine queens and two rooks, not nine queens and ten rooks; no pawn on the last rank.
        let weight = |piece, square: Square| match piece {
            Piece::WhiteQueen => 3,
            Piece::WhiteRook => 2,
            Piece::WhitePawn if square.rank().index() == 7 => 1000,
            _ => 0,
        };
        assert_eq!(bounds_of(weight, 0).max, 7 + 27 + 4);
    }

    #[test]
    fn the_worst_king_bucket_counts_alone() {
        let inputs = Inputs::from_king_buckets(2).expect("built in");
        let mut weights = vec![0; inputs.count()];
        weights[..PIECE_INPUTS].fill(1);
        weights[PIECE_INPUTS..2 * PIECE_INPUTS].fill(-2);
        weights[2 * PIECE_INPUTS] = 5;
        let bounds = input_bounds(&inputs, |input| weights[input], 0);
        assert_eq!(bounds, Bounds { min: -64, max: 32 + 5 });
    }

    #[test]
    fn later_layers() {
        let bounds = dense_bounds(&array![3, -5, 0], -1, 127);
        assert_eq!(bounds, Bounds { min: -1 - 635, max: -1 + 381 });
        assert_eq!(bounds.worst(), -636);
    }
}
