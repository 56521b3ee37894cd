//! Chapter 7: the network from the bytes of its file, in plain integers: no vectors, no updates, nothing to look up elsewhere.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind};

// ANCHOR: layers
/// A layer: `weights[input * outputs + output]`, then a bias for each output.
struct Layer {
    weights: Vec<i32>,
    bias: Vec<i32>,
}

/// A network `dual [N,W,W] x8 stacks pairwise skip wide kings=1`.
pub struct PlainNetwork {
    /// 769 inputs, N outputs.
    accumulator: Layer,
    /// Two layers with W outputs for each of the eight buckets, and the scale of their weights as a power of two.
    dense: [(Layer, u32); 2],
    /// One output for each bucket.
    output: (Layer, u32),
    /// 1/256 centipawns per output unit.
    output_scale: i64,
}
// ANCHOR_END: layers

impl PlainNetwork {
    // ANCHOR: read
    /// Reads a file; `None` if it is not such a network.
    pub fn from_bytes(file: &[u8]) -> Option<Self> {
        let (header, mut rest) = file.split_at_checked(40)?;
        // Version 1; two views; pairs, skip and 16-bit weights in the first layer; eight stacks; three layers.
        if &header[..16] != b"ALFIERE\x1A\x01\0\0\0\0\xE0\x88\x03" || header[31] != 1 {
            return None;
        }
        let provenance = number(&header[36..40]) as usize;
        rest = rest.get(provenance..)?;
        let [n, first, second] = [16, 18, 20].map(|at| number(&header[at..at + 2]) as usize);
        Some(Self {
            accumulator: Layer::read(&mut rest, 769, n, [2, 2])?,
            dense: [
                (Layer::read(&mut rest, n, 8 * first, [1, 4])?, header[26].into()),
                (Layer::read(&mut rest, 2 * first, 8 * second, [1, 4])?, header[27].into()),
            ],
            output: (Layer::read(&mut rest, 2 * (first + second), 8, [2, 4])?, header[28].into()),
            output_scale: number(&header[32..36]),
        })
    }
    // ANCHOR_END: read

    // ANCHOR: accumulator
    /// The accumulator of a view: the bias, and a row for each piece.
    pub fn accumulator(&self, board: &Board, view: Color) -> Vec<i32> {
        let mut sums = self.accumulator.bias.clone();
        self.add_pieces(&mut sums, view, turn(board, view), 1, |color, kind| board.colored(color, kind));
        sums
    }

    /// Adds, or subtracts with `sign` -1, the rows of pieces.
    fn add_pieces(
        &self,
        sums: &mut [i32],
        view: Color,
        turn: usize,
        sign: i32,
        pieces: impl Fn(Color, PieceKind) -> Bitboard,
    ) {
        for (color, kind) in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| (color, kind))) {
            for square in pieces(color, kind) {
                let owner = if color == view { 0 } else { 384 };
                self.accumulator.add(sums, owner + 64 * kind.index() + (square.index() ^ turn), sign);
            }
        }
    }
    // ANCHOR_END: accumulator

    // ANCHOR: update
    /// The accumulator of a view after a move, from that before it.
    pub fn updated(&self, sums: &[i32], before: &Board, after: &Board, view: Color) -> Vec<i32> {
        let turn_before = turn(before, view);
        if turn_before != turn(after, view) {
            return self.accumulator(after, view);
        }
        let mut sums = sums.to_vec();
        let only_in = |one: &Board, other: &Board, color, kind| one.colored(color, kind) & !other.colored(color, kind);
        self.add_pieces(&mut sums, view, turn_before, -1, |color, kind| only_in(before, after, color, kind));
        self.add_pieces(&mut sums, view, turn_before, 1, |color, kind| only_in(after, before, color, kind));
        sums
    }
    // ANCHOR_END: update

    // ANCHOR: products
    /// The activations of a view, 0 to 127: each sum of the first half times its partner in the second.
    fn products(&self, sums: &[i32], is_to_move: bool) -> Vec<i32> {
        let mut sums = sums.to_vec();
        if is_to_move {
            self.accumulator.add(&mut sums, 768, 1);
        }
        let (left, right) = sums.split_at(sums.len() / 2);
        let product = |(&left, &right): (&i32, &i32)| (left.clamp(0, 255) * right.clamp(0, 255) + 256) >> 9;
        left.iter().zip(right).map(product).collect()
    }
    // ANCHOR_END: products

    // ANCHOR: dense
    /// The sums of a layer for one of its eight buckets.
    fn sums(layer: &Layer, inputs: &[i32], bucket: usize) -> Vec<i32> {
        let mut sums = layer.bias.clone();
        for (input, &value) in inputs.iter().enumerate() {
            layer.add(&mut sums, input, value);
        }
        let width = sums.len() / 8;
        sums[bucket * width..(bucket + 1) * width].to_vec()
    }

    /// The activations of a dense layer, 0 to 127: its clipped sums, then their clipped squares.
    fn activations(sums: &[i32], bits: u32) -> Vec<i32> {
        let one = 127 << bits;
        let clipped = sums.iter().map(|&sum| (sum.clamp(0, one) + (1 << (bits - 1))) >> bits);
        let squared = sums.iter().map(|&sum| {
            let root = sum.abs().min(one) >> (bits - 2);
            (root * root * 129 + (1 << 17)) >> 18
        });
        clipped.chain(squared).collect()
    }
    // ANCHOR_END: dense

    // ANCHOR: evaluate
    /// The value for the side to move, from the accumulators of both views.
    pub fn evaluate(&self, board: &Board, own: &[i32], other: &[i32]) -> i32 {
        let bucket = (board.occupied().count() as usize - 1) / 4;
        let inputs = [self.products(own, true), self.products(other, false)].concat();
        let [(first, first_bits), (second, second_bits)] = &self.dense;
        let (output, output_bits) = &self.output;

        let first = Self::sums(first, &inputs, bucket);
        // The difference of the last two sums goes to the output, from the scale of these weights to that of the output's.
        let [.., plus, minus] = first[..] else { return 0 };
        let bypass = ((plus - minus) << output_bits) >> first_bits;
        let first = Self::activations(&first, *first_bits);
        let second = Self::activations(&Self::sums(second, &first, bucket), *second_bits);
        let sum = Self::sums(output, &[first, second].concat(), bucket)[0] + bypass;

        // To the nearest integer, halves away from zero.
        let (numerator, one) = (i64::from(sum) * self.output_scale, (127 << output_bits) * 256);
        ((numerator + numerator.signum() * one / 2) / one) as i32
    }
    // ANCHOR_END: evaluate
}

// ANCHOR: turn
/// What turns the squares of a view: ranks count from its own side, files from the other edge if its king is on e to h.
fn turn(board: &Board, view: Color) -> usize {
    let ranks = if view == Color::White { 0 } else { 56 };
    let files = if board.king(view).index() % 8 < 4 { 0 } else { 7 };
    ranks ^ files
}
// ANCHOR_END: turn

impl Layer {
    // ANCHOR: add
    /// Adds the row of an input, times its value.
    fn add(&self, sums: &mut [i32], input: usize, value: i32) {
        for (sum, weight) in sums.iter_mut().zip(&self.weights[input * self.bias.len()..]) {
            *sum += value * weight;
        }
    }
    // ANCHOR_END: add

    /// Reads weights and biases of these sizes in bytes, and leaves what follows.
    fn read(bytes: &mut &[u8], inputs: usize, outputs: usize, [weight, bias]: [usize; 2]) -> Option<Self> {
        let mut take = |count: usize, size: usize| {
            let (taken, rest) = bytes.split_at_checked(count * size)?;
            *bytes = rest;
            Some(taken.chunks_exact(size).map(|bytes| signed(bytes) as i32).collect())
        };
        Some(Self { weights: take(inputs * outputs, weight)?, bias: take(outputs, bias)? })
    }
}

/// A little-endian number without sign.
fn number(bytes: &[u8]) -> i64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | i64::from(byte))
}

/// A little-endian number with sign.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len();
    number(bytes) << unused >> unused
}
