//! The network that plays: quantised parameters with their kernels' layout.
//!
//! Converts integer sums to internal units. Positions are read only as active inputs.

use std::sync::atomic::{AtomicU64, Ordering};

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, PieceKind, Square};

use super::architecture::{Architecture, Perspective};
use super::features::FeatureLists;
use super::packed::Packed;
use super::parameters::{Parameters, Provenance};
use super::quantisation::{OUTPUT_SCALE_PARTS, centipawns, output_sum_scale};
use super::reference;
use super::simd::{InstructionSet, Kernels};

/// A quantised network, ready to evaluate; it does not change once made.
#[derive(Clone, Debug)]
pub struct Network {
    parameters: Parameters,
    packed: Packed,
    kernels: Kernels,
    /// Output sum that stands for one output unit.
    sum_scale: i64,
    /// Differs between networks, so that accumulators of another one are noticed.
    identity: u64,
}

impl PartialEq for Network {
    /// Whether both have the same weights, scales and provenance.
    fn eq(&self, other: &Self) -> bool {
        self.parameters == other.parameters
    }
}

impl Network {
    /// The parameters must be those of a checked architecture and shaped accordingly.
    pub(super) fn new(parameters: Parameters) -> Self {
        static NEXT_IDENTITY: AtomicU64 = AtomicU64::new(1);
        Self {
            packed: Packed::new(&parameters),
            kernels: Kernels::best(),
            sum_scale: output_sum_scale(
                &parameters.architecture,
                parameters.weight_bits().last().copied().unwrap_or(0),
            ),
            identity: NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed),
            parameters,
        }
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.parameters.architecture
    }

    /// Where it comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.parameters.provenance
    }

    /// Centipawns per output unit of the float network it was made from.
    pub fn output_scale(&self) -> f32 {
        self.parameters.output_scale as f32 / OUTPUT_SCALE_PARTS as f32
    }

    /// The instruction set its kernels use.
    pub fn instruction_set(&self) -> InstructionSet {
        self.kernels.instruction_set()
    }

    /// The same network computed with another instruction set; `None` if this processor lacks it.
    pub fn with_instruction_set(self, set: InstructionSet) -> Option<Self> {
        Some(Self { kernels: Kernels::new(set)?, ..self })
    }

    /// The value of a position for the side to move in internal units, computed without kernels or accumulators: slow,
    /// and the reference for the fast path.
    ///
    /// # Panics
    /// If a feature is none of the network's inputs.
    pub fn evaluate_features(&self, side_to_move: Color, features: &FeatureLists) -> i32 {
        let bucket = self.architecture().output_buckets.bucket(features.piece_count);
        self.to_centipawns(side_to_move, reference::output_sum(&self.parameters, features, bucket))
    }

    /// An output sum in centipawns from the side to move's view.
    #[inline]
    pub(super) fn to_centipawns(&self, side_to_move: Color, sum: i32) -> i32 {
        let value = centipawns(sum, self.sum_scale, self.parameters.output_scale);
        match (self.parameters.architecture.perspective, side_to_move) {
            (Perspective::White, Color::Black) => -value,
            _ => value,
        }
    }

    pub(super) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub(super) fn packed(&self) -> &Packed {
        &self.packed
    }

    pub(super) fn kernels(&self) -> Kernels {
        self.kernels
    }

    pub(super) fn identity(&self) -> u64 {
        self.identity
    }
}

/// The value of a position and of each of its pieces, in internal units from White's side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    /// The value of the whole position.
    pub value: i32,
    /// The value of each piece: the position's value minus its value without the piece. Kings are excluded.
    pub pieces: Vec<(Piece, Square, i32)>,
}

/// Evaluates the position, and the position without each piece in turn.
pub fn piece_values(network: &Network, board: &Board) -> PieceValues {
    let side = board.side_to_move();
    let white = |value: i32| if side == Color::White { value } else { -value };
    let all: Vec<(Piece, Square)> =
        board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square))).collect();
    let piece_count = all.len() as u32;
    let value = |pieces: &mut dyn Iterator<Item = (Piece, Square)>| {
        // The bucket stays that of the whole position: only the piece is taken away.
        let features = FeatureLists::new(network.architecture(), side, pieces);
        white(network.evaluate_features(side, &FeatureLists { piece_count, ..features }))
    };
    let whole = value(&mut all.iter().copied());
    let pieces = all.iter().filter(|(piece, _)| piece.kind() != PieceKind::King).map(|&(piece, square)| {
        let without = value(&mut all.iter().copied().filter(|&(_, other)| other != square));
        (piece, square, whole - without)
    });
    PieceValues { value: whole, pieces: pieces.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_is_worth_more_than_a_pawn_and_counts_for_its_side() {
        let board = Board::startpos();
        let piece_values = piece_values(Network::embedded(), &board);
        let part = |name: &str| {
            let square = Square::parse(name).expect("a square");
            piece_values.pieces.iter().find(|(_, other, _)| *other == square).map(|&(.., part)| part).expect("a piece")
        };
        assert_eq!(piece_values.pieces.len(), 30);
        assert!(part("d1") > 2 * part("e2") && part("e2") > 0, "{piece_values:?}");
        assert!(part("d8") < 2 * part("e7") && part("e7") < 0, "{piece_values:?}");
    }
}
