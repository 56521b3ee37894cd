//! An independent integer forward pass: reads the network file byte by byte and evaluates it in plain loops.
//!
//! It shares no code with the engine's reader and kernels, only the documented layout and scales, so that agreement of
//! the two is meaningful. Sums are 64 bits wide: an overflow in the engine would show as a difference.

use std::ops::Range;

use alfiere_chess::types::{Color, Piece, PieceKind, Square};
use alfiere_data::Row;
use ndarray::{Array, Array1, Array2, Dimension, ShapeBuilder, s};

const HEADER_BYTES: usize = 40;

/// Bytes of the lists of buckets in version 2.
const LIST_BYTES: usize = 96;

/// For each number of king buckets in version 1, the bucket of each square: files a to d, rank by rank from the own first
/// rank.
const KING_BUCKETS: [(usize, &str); 5] = [
    (1, "AAAA AAAA AAAA AAAA AAAA AAAA AAAA AAAA"),
    (2, "AAAA BBBB BBBB BBBB BBBB BBBB BBBB BBBB"),
    (4, "AABB CCCC DDDD DDDD DDDD DDDD DDDD DDDD"),
    (8, "ABCD EEFF GGGG GGGG HHHH HHHH HHHH HHHH"),
    (16, "ABCD EFGH IIJJ KKLL MMNN MMNN OOPP OOPP"),
];

/// Why a file is not a valid network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum IntegerError {
    #[error("not a network file of version 1 or 2 with supported buckets")]
    Header,
    #[error("{found} bytes of weights, expected {expected}")]
    Length { found: usize, expected: usize },
}

/// Weights `[inputs][outputs]` and bias `[outputs]` of one layer.
#[derive(Clone, Debug)]
struct Layer {
    /// Weights have scale `2^bits`; unused in the first layer.
    bits: u32,
    weights: Array2<i64>,
    bias: Array1<i64>,
}

/// A network in plain integers.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a bit of the header")]
pub(super) struct IntegerNetwork {
    is_dual: bool,
    is_squared: bool,
    /// Pairwise: the halves of an accumulator are multiplied with each other.
    is_paired: bool,
    /// Skip: the output layer reads all hidden layers, each with two activations.
    skips: bool,
    hidden: usize,
    /// Output bucket by the number of pieces.
    bucket_by_pieces: [usize; 33],
    /// Number of layer stacks between the accumulator and the output: one per output bucket, or one for all.
    stacks: usize,
    /// By the square of the own king as its side sees it: the king bucket, and the mask that mirrors squares.
    kings: [(usize, usize); 64],
    /// Inputs of each state of a piece; `None` if there is but one.
    of_state: Option<usize>,
    /// 1/256 centipawns per unit of output.
    output_scale: i64,
    layers: Vec<Layer>,
}

impl IntegerNetwork {
    /// Parses the bytes of a `.nnue` file; the checksum is verified by the engine, not here.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, IntegerError> {
        let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(IntegerError::Header)?;
        let number = |at: usize, length: usize| {
            header[at..at + length].iter().rev().fold(0usize, |value, &byte| value << 8 | usize::from(byte))
        };
        let bits_are_sound = header[26..31].iter().all(|&bits| bits == 0 || (6..=12).contains(&bits));
        if &header[..8] != b"ALFIERE\x1A" || !matches!(number(8, 4), 1 | 2) || header[15] > 5 || !bits_are_sound {
            return Err(IntegerError::Header);
        }
        let (hidden, buckets) = (usize::from(header[15]), usize::from(header[14] & 0x7F));
        // The high bit marks layer stacks: each bucket has its own hidden layers, side by side in one matrix.
        let stacks = if header[14] & 0x80 == 0 { 1 } else { buckets };
        let is_dual = matches!(header[12], 0 | 0x80);
        // High bit of the perspective: the first layer's weights are 8-bit.
        let is_narrow = header[12] & 0x80 != 0;
        // The high bits of the activation: pairwise and skip.
        let (is_paired, skips) = (header[13] & 0x80 != 0, header[13] & 0x40 != 0);
        let lists: &[u8] =
            if number(8, 4) == 1 { &[] } else { bytes.get(40..40 + LIST_BYTES).ok_or(IntegerError::Header)? };
        // The high bit of the king buckets: ten states of a piece, each with its own inputs.
        let king_count = usize::from(header[31] & 0x7F);
        let kings = king_buckets(king_count, lists).ok_or(IntegerError::Header)?;
        let of_state = (header[31] & 0x80 != 0).then_some(768 * king_count.max(1));
        let bucket_by_pieces = output_buckets(buckets, lists).ok_or(IntegerError::Header)?;
        let mut shapes = Vec::new();
        let mut inputs = of_state.map_or(768 * king_count.max(1), |inputs| 10 * inputs) + 1;
        let mut seen = 0;
        for layer in 0..hidden {
            let width = number(16 + 2 * layer, 2);
            shapes.push((inputs, if layer == 0 { width } else { width * stacks }));
            inputs = match layer {
                0 => width * if is_dual { 2 } else { 1 } / if is_paired { 2 } else { 1 },
                _ if skips => 2 * width,
                _ => width,
            };
            seen += if layer > 0 { inputs } else { 0 };
        }
        shapes.push((if skips { seen } else { inputs }, buckets));
        let body =
            bytes.get(HEADER_BYTES + lists.len() + number(36, 4)..bytes.len() - 4).ok_or(IntegerError::Header)?;
        let sizes = |layer: usize| match (hidden, layer) {
            (0, _) => (4, 4),
            (_, 0) if is_narrow => (1, 2),
            (_, 0) => (2, 2),
            (hidden, layer) if layer < hidden => (1, 4),
            _ => (2, 4),
        };
        let bytes_of = |(layer, &(inputs, outputs)): (usize, &(usize, usize))| {
            sizes(layer).0 * inputs * outputs + sizes(layer).1 * outputs
        };
        let expected = shapes.iter().enumerate().map(bytes_of).sum();
        if body.len() != expected {
            return Err(IntegerError::Length { found: body.len(), expected });
        }
        let mut rest = body;
        let layers = shapes.iter().enumerate().map(|(layer, &(inputs, outputs))| {
            let (weight_bytes, bias_bytes) = sizes(layer);
            let weights = take(&mut rest, (inputs, outputs), weight_bytes);
            let bits = if layer == 0 { 0 } else { u32::from(header[25 + layer]) };
            Layer { bits, weights, bias: take(&mut rest, outputs, bias_bytes) }
        });
        let layers = layers.collect();
        let output_scale = number(32, 4) as i64;
        let is_squared = header[13] & 0x1F == 1;
        Ok(Self {
            is_dual,
            is_squared,
            is_paired,
            skips,
            hidden,
            bucket_by_pieces,
            stacks,
            kings,
            of_state,
            output_scale,
            layers,
        })
    }

    /// The evaluation of a row in centipawns, from White's point of view.
    pub(super) fn evaluate(&self, row: &Row) -> i32 {
        let us = row.side_to_move();
        let pieces: Vec<(Piece, Square)> = row.pieces().collect();
        let view = if self.is_dual { us } else { Color::White };
        let bucket = self.bucket_by_pieces[pieces.len()];
        let first = self.first_layer(view, us, &pieces);
        let one = match (self.hidden, self.is_squared) {
            (0, _) => return self.to_white(us, first[bucket], 1 << 16),
            (1, false) => 255,
            (1, true) => 255 * 255,
            _ => 127,
        };
        let mut values = self.accumulator_outputs(&first);
        if self.is_dual {
            values.extend(self.accumulator_outputs(&self.first_layer(!us, us, &pieces)));
        }
        let (mut seen, mut skipped) = (Vec::new(), 0);
        let output = &self.layers[self.hidden];
        for (index, layer) in self.layers[1..self.hidden].iter().enumerate() {
            let width = layer.bias.len() / self.stacks;
            let own = if self.stacks == 1 { 0 } else { bucket * width };
            let sums = layer.forward(&values, own..own + width);
            if !self.skips {
                values = sums.iter().map(|&sum| dense_activation(sum, layer.bits, self.is_squared)).collect();
                continue;
            }
            if index == 0 {
                let difference = sums[width - 2] - sums[width - 1];
                skipped = (difference << output.bits) >> layer.bits;
            }
            values = sums.iter().map(|&sum| dense_activation(sum, layer.bits, false)).collect();
            values.extend(sums.iter().map(|&sum| dense_activation(sum.abs(), layer.bits, true)));
            seen.extend_from_slice(&values);
        }
        let sums = output.forward(if self.skips { &seen } else { &values }, bucket..bucket + 1);
        self.to_white(us, sums[0] + skipped, one << output.bits)
    }

    /// The sums of the first layer from one side's view.
    fn first_layer(&self, view: Color, us: Color, pieces: &[(Piece, Square)]) -> Array1<i64> {
        let layer = &self.layers[0];
        let mut sums = layer.bias.clone();
        let mut add = |input: usize| sums += &layer.weights.row(input);
        let seen = |square: Square| if view == Color::White { square.index() } else { square.index() ^ 0b11_1000 };
        let is_king = |piece: Piece| piece.color() == view && piece.kind().index() == 5;
        let king = pieces.iter().find(|&&(piece, _)| is_king(piece)).map_or(0, |&(_, square)| seen(square));
        let (bucket, turn) = self.kings[king];
        for &(piece, square) in pieces {
            let owner = if piece.color() == view { 0 } else { 384 };
            let state = self.of_state.map_or(0, |inputs| inputs * state(piece.color(), square, pieces));
            add(state + 768 * bucket + owner + 64 * piece.kind().index() + (seen(square) ^ turn));
        }
        if view == us {
            add(layer.weights.nrows() - 1);
        }
        sums
    }

    fn accumulator_outputs(&self, sums: &Array1<i64>) -> Vec<i64> {
        let clipped: Vec<i64> = sums.iter().map(|sum| (*sum).clamp(0, 255)).collect();
        if self.is_paired {
            let half = clipped.len() / 2;
            return (0..half).map(|neuron| (clipped[neuron] * clipped[half + neuron] + 256) / 512).collect();
        }
        let activated = |clipped: &i64| match (self.hidden, self.is_squared) {
            (1, false) => *clipped,
            (1, true) => clipped * clipped,
            (_, false) => clipped / 2,
            (_, true) => clipped * clipped / 512,
        };
        clipped.iter().map(activated).collect()
    }

    /// Converts a sum to centipawns, rounded to nearest, halves away from zero.
    fn to_white(&self, us: Color, sum: i64, one: i64) -> i32 {
        let (numerator, denominator) = (sum * self.output_scale, one * 256);
        let rounded = ((numerator.abs() + denominator / 2) / denominator).min(i64::from(i32::MAX)) as i32;
        let value = if numerator < 0 { -rounded } else { rounded };
        if self.is_dual && us == Color::Black { -value } else { value }
    }
}

/// The state of a piece of `side`: 0 if it is not attacked; else three for each class of its least attacker, from 1 on, plus
/// that of its least defender: 0 none, 1 a pawn, 2 another piece.
fn state(side: Color, square: Square, pieces: &[(Piece, Square)]) -> usize {
    let class = |kind: PieceKind| match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 2,
        _ => 3,
    };
    let least = |by: Color| {
        let reaching =
            pieces.iter().filter(|&&(piece, from)| piece.color() == by && reaches(piece, from, square, pieces));
        reaching.map(|&(piece, _)| class(piece.kind())).min().unwrap_or(0)
    };
    if least(!side) == 0 { 0 } else { 3 * least(!side) + least(side).min(2) - 2 }
}

/// Whether a piece attacks a square: the pattern of its steps, then the squares on the way.
fn reaches(piece: Piece, from: Square, to: Square, pieces: &[(Piece, Square)]) -> bool {
    let place = |square: Square| ((square.index() % 8) as i32, (square.index() / 8) as i32);
    let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
    let (files, ranks) = (to_file - file, to_rank - rank);
    let (straight, diagonal) = ((files == 0) != (ranks == 0), files != 0 && files.abs() == ranks.abs());
    let is_pattern = match piece.kind() {
        PieceKind::Pawn => files.abs() == 1 && ranks == if piece.color() == Color::White { 1 } else { -1 },
        PieceKind::Knight => files.abs() * ranks.abs() == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => straight || diagonal,
        PieceKind::King => files.abs().max(ranks.abs()) == 1,
    };
    let slides = matches!(piece.kind(), PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen);
    let on_the_way = |step: i32| (file + step * files.signum(), rank + step * ranks.signum());
    let is_blocked = |step| pieces.iter().any(|&(_, square)| place(square) == on_the_way(step));
    is_pattern && !(slides && (1..files.abs().max(ranks.abs())).any(is_blocked))
}

/// Bucket and mirroring by the square of the king, for a number of king buckets and the lists of version 2.
fn king_buckets(count: usize, lists: &[u8]) -> Option<[(usize, usize); 64]> {
    let known = KING_BUCKETS.iter().find(|(buckets, _)| *buckets == count);
    if lists.is_empty() && count > 0 && known.is_none() || lists.get(64).is_some_and(|&mirrored| mirrored > 1) {
        return None;
    }
    let table = std::array::from_fn(|square| {
        // A king on files e to h mirrors the board.
        let turn = if square % 8 > 3 { 7 } else { 0 };
        match (lists, known) {
            ([], None) => (0, 0),
            ([], Some((_, letters))) => {
                let seen = square ^ turn;
                (usize::from(letters.as_bytes()[seen / 8 * 5 + seen % 8] - b'A'), turn)
            }
            (lists, _) => (usize::from(lists[square]), turn * usize::from(lists[64])),
        }
    });
    table.iter().all(|&(bucket, _)| bucket < count.max(1)).then_some(table)
}

/// Output bucket by the number of pieces, for a number of buckets and the lists of version 2.
fn output_buckets(count: usize, lists: &[u8]) -> Option<[usize; 33]> {
    let bucket = |pieces: usize| match (lists, count) {
        ([], 8) => pieces.saturating_sub(1) / 4,
        ([], _) => 0,
        (lists, _) => usize::from(lists[65 + pieces.saturating_sub(2)]),
    };
    let table = std::array::from_fn(bucket);
    table.iter().all(|&bucket| bucket < count).then_some(table)
}

/// Converts a sum with scale `127 * 2^bits` to an activation of 0 to 127.
fn dense_activation(sum: i64, bits: u32, is_squared: bool) -> i64 {
    let clipped = sum.clamp(0, 127 << bits);
    if is_squared {
        let root = clipped >> (bits - 2);
        (root * root * 129 + (1 << 17)) >> 18
    } else {
        (clipped + (1 << (bits - 1))) >> bits
    }
}

impl Layer {
    /// The sums of some outputs, row by row of the weights, as they lie in memory; most values are 0.
    fn forward(&self, values: &[i64], outputs: Range<usize>) -> Array1<i64> {
        let mut sums = self.bias.slice(s![outputs.clone()]).to_owned();
        for (&value, weights) in values.iter().zip(self.weights.rows()).filter(|&(&value, _)| value != 0) {
            sums.scaled_add(value, &weights.slice(s![outputs.clone()]));
        }
        sums
    }
}

/// Reads little-endian signed integers of `size` bytes each.
fn take<D: Dimension>(bytes: &mut &[u8], shape: impl ShapeBuilder<Dim = D>, size: usize) -> Array<i64, D> {
    Array::from_shape_simple_fn(shape, || {
        let (number, rest) = bytes.split_at(size);
        *bytes = rest;
        let unsigned = number.iter().rev().fold(0i64, |value, &byte| (value << 8) + i64::from(byte));
        let shift = 64 - 8 * size as u32;
        unsigned << shift >> shift
    })
}
