//! The network that plays: quantised parameters with their kernels' layout.
//!
//! Converts integer sums to internal units. Positions are read only as active inputs. Also the networks inside the program: the
//! default (`nets/default.nnue`, or the file named by `EVALFILE` at compile time) and those of the other players.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, PieceKind, Square};

use crate::inference::packed::Packed;
use crate::inference::reference;
use crate::inference::simd::{InstructionSet, Kernels};
use crate::shape::architecture::{Architecture, Perspective};
use crate::shape::features::FeatureLists;
use crate::shape::parameters::{Layers, Parameters, Provenance};
use crate::shape::quantisation::{OUTPUT_SCALE_PARTS, centipawns, output_sum_scale};

/// A network of integers, ready to evaluate; it does not change once made.
#[derive(Clone, Debug)]
pub struct Network {
    parameters: Parameters,
    /// The accumulator's weights are bytes in the file and where they are added.
    pub(crate) narrow: bool,
    provenance: Provenance,
    /// The JSON as it is in the file, so that reading and writing do not change the bytes.
    pub(crate) provenance_json: Vec<u8>,
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
        (&self.parameters, self.narrow, &self.provenance_json)
            == (&other.parameters, other.narrow, &other.provenance_json)
    }
}

impl Network {
    /// The parameters must be checked. With `narrow`, the accumulator's weights must fit into bytes.
    pub(crate) fn new(parameters: Parameters, narrow: bool, provenance: Provenance, provenance_json: Vec<u8>) -> Self {
        static NEXT_IDENTITY: AtomicU64 = AtomicU64::new(1);
        Self {
            packed: Packed::new(&parameters, narrow),
            kernels: Kernels::best(),
            sum_scale: output_sum_scale(
                &parameters.architecture,
                parameters.weight_bits().last().copied().unwrap_or(0),
            ),
            identity: NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed),
            parameters,
            narrow,
            provenance,
            provenance_json,
        }
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.parameters.architecture
    }

    /// Where it comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// Its integers.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Centipawns per output unit of the float network it was made from.
    pub fn output_scale(&self) -> f32 {
        self.parameters.output_scale as f32 / OUTPUT_SCALE_PARTS as f32
    }

    /// Whether the input for the side to move has a weight other than 0.
    pub fn reads_side_to_move(&self) -> bool {
        let row = self.parameters.architecture.inputs.side_to_move();
        match &self.parameters.layers {
            Layers::Linear(layer) => layer.weights.row(row).iter().any(|&weight| weight != 0),
            Layers::Layered(hidden) => hidden.accumulator.weights.row(row).iter().any(|&weight| weight != 0),
        }
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
    pub(crate) fn to_centipawns(&self, side_to_move: Color, sum: i32) -> i32 {
        let value = centipawns(sum, self.sum_scale, self.parameters.output_scale);
        match (self.parameters.architecture.perspective, side_to_move) {
            (Perspective::White, Color::Black) => -value,
            _ => value,
        }
    }

    pub(crate) fn packed(&self) -> &Packed {
        &self.packed
    }

    pub(crate) fn kernels(&self) -> Kernels {
        self.kernels
    }

    pub(crate) fn identity(&self) -> u64 {
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

// The embedded networks: the default (`nets/default.nnue`, or the file named by `EVALFILE` at compile time) and those
// of the other players.

/// A network inside the program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EmbeddedNetwork {
    /// The default network of the engine.
    #[default]
    Default,
    /// The one that a CSV of Kaggle yields.
    Kaggle,
    /// The linear one.
    Perceptron,
    /// The deep one of the report.
    Beam,
}

impl EmbeddedNetwork {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Default, Self::Kaggle, Self::Perceptron, Self::Beam];

    /// Whether it was compiled in: the players' own networks are with the feature `players`.
    pub const fn is_compiled_in(self) -> bool {
        matches!(self, Self::Default) || cfg!(feature = "players")
    }

    /// The name and the bytes of the file, none if it was not compiled in.
    const fn source(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::Default => (env!("ALFIERE_EVALFILE"), include_bytes!(env!("ALFIERE_EVALFILE"))),
            #[cfg(feature = "players")]
            Self::Kaggle => ("kaggle.nnue", include_bytes!(env!("ALFIERE_KAGGLE"))),
            #[cfg(feature = "players")]
            Self::Perceptron => ("perceptron.nnue", include_bytes!(env!("ALFIERE_PERCEPTRON"))),
            #[cfg(feature = "players")]
            Self::Beam => ("beam.nnue", include_bytes!(env!("ALFIERE_BEAM"))),
            #[cfg(not(feature = "players"))]
            Self::Kaggle | Self::Perceptron | Self::Beam => ("a network of the feature `players`", &[]),
        }
    }

    /// The network, read once.
    ///
    /// # Panics
    /// If the program was compiled with a file that is no network, which a test sees to for those of the repository, or
    /// without this network, as [`EmbeddedNetwork::is_compiled_in`] tells.
    pub fn network(self) -> &'static Network {
        static NETWORKS: [OnceLock<Network>; EmbeddedNetwork::ALL.len()] =
            [const { OnceLock::new() }; EmbeddedNetwork::ALL.len()];
        NETWORKS[self as usize].get_or_init(|| {
            let (name, bytes) = self.source();
            match Network::from_bytes(bytes) {
                Ok(network) => network,
                // Without a network the engine cannot play sensibly: the program itself is broken.
                Err(error) => panic!("the network compiled into this program ({name}): {error}"),
            }
        })
    }
}

impl Network {
    /// The default network inside the program, read once.
    ///
    /// # Panics
    /// As [`EmbeddedNetwork::network`].
    pub fn embedded() -> &'static Self {
        EmbeddedNetwork::Default.network()
    }
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

    #[cfg(feature = "players")]
    #[test]
    fn the_embedded_networks_can_be_read() {
        for embedded in EmbeddedNetwork::ALL {
            let network = embedded.network();
            network.architecture().validate().expect("a file's architecture is checked");
            assert!(std::ptr::eq(network, embedded.network()));
        }
        let shape = |embedded: EmbeddedNetwork| embedded.network().architecture().to_string();
        assert_eq!(shape(EmbeddedNetwork::Beam), "white [769,384,192,96] crelu x1");
        assert_eq!(shape(EmbeddedNetwork::Perceptron), "white [] crelu x1");
    }
}
