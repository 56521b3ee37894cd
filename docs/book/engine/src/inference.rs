//! Chapter 7: the network from the bytes of its file, in plain integers: no vectors, no updates, nothing to look up elsewhere.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind, Square};

// ANCHOR: layers
/// A layer: `weights[input * outputs + output]`, then a bias for each output.
struct Layer {
    weights: Vec<i32>,
    bias: Vec<i32>,
}

/// A network `dual [N,W,W] x8 stacks pairwise skip kings=1`.
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
        // Version 1; two views and 8-bit weights in the first layer; pairs and skip; eight stacks; three layers.
        if &header[..16] != b"ALFIERE\x1A\x01\0\0\0\x80\xC0\x88\x03" || header[31] != 1 {
            return None;
        }
        let provenance = number(&header[36..40]) as usize;
        rest = rest.get(provenance..)?;
        let [n, first, second] = [16, 18, 20].map(|at| number(&header[at..at + 2]) as usize);
        Some(Self {
            accumulator: Layer::read(&mut rest, 769, n, [1, 2])?,
            dense: [
                (Layer::read(&mut rest, n, 8 * first, [1, 4])?, header[26].into()),
                (Layer::read(&mut rest, 2 * first, 8 * second, [1, 4])?, header[27].into()),
            ],
            output: (Layer::read(&mut rest, 2 * (first + second), 8, [2, 4])?, header[28].into()),
            output_scale: number(&header[32..36]),
        })
    }
    // ANCHOR_END: read

    // ANCHOR: view
    /// The products of one side's accumulator, 0 to 127.
    fn view(&self, board: &Board, view: Color) -> Vec<i32> {
        let king = board.king(view).index();
        // Ranks from the own side; files mirrored if the own king is on e to h.
        let turn = if view == Color::Black { 56 } else { 0 } ^ if king % 8 >= 4 { 7 } else { 0 };
        let input = |color: Color, kind: PieceKind, square: Square| {
            usize::from(color != view) * 384 + kind.index() * 64 + (square.index() ^ turn)
        };
        let mut sums = self.accumulator.bias.clone();
        for (color, kind) in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| (color, kind))) {
            for square in board.colored(color, kind) {
                self.accumulator.add(&mut sums, input(color, kind, square), 1);
            }
        }
        if view == board.side_to_move() {
            self.accumulator.add(&mut sums, 768, 1);
        }
        let (left, right) = sums.split_at(sums.len() / 2);
        let product = |(&left, &right): (&i32, &i32)| (left.clamp(0, 255) * right.clamp(0, 255) + 256) >> 9;
        left.iter().zip(right).map(product).collect()
    }
    // ANCHOR_END: view

    // ANCHOR: evaluate
    /// The value in internal units for the side to move.
    pub fn evaluate(&self, board: &Board) -> i32 {
        let bucket = (board.occupied().count() as usize - 1) / 4;
        let us = board.side_to_move();
        let mut inputs = [self.view(board, us), self.view(board, !us)].concat();
        let (output, output_bits) = &self.output;
        let (mut seen, mut bypass) = (Vec::new(), 0);
        for (layer, bits) in &self.dense {
            let width = layer.bias.len() / 8;
            let mut all = layer.bias.clone();
            for (input, &value) in inputs.iter().enumerate() {
                layer.add(&mut all, input, value);
            }
            let sums = &all[bucket * width..(bucket + 1) * width];
            if seen.is_empty() {
                // From the scale of these weights to that of the output's.
                bypass = ((sums[width - 2] - sums[width - 1]) << output_bits) >> bits;
            }
            let one = 127 << bits;
            let clipped = sums.iter().map(|&sum| (sum.clamp(0, one) + (1 << (bits - 1))) >> bits);
            let squared = sums.iter().map(|&sum| {
                let root = sum.abs().min(one) >> (bits - 2);
                (root * root * 129 + (1 << 17)) >> 18
            });
            inputs = clipped.chain(squared).collect();
            seen.extend_from_slice(&inputs);
        }
        let mut sums = output.bias.clone();
        for (input, &value) in seen.iter().enumerate() {
            output.add(&mut sums, input, value);
        }
        let numerator = i64::from(sums[bucket] + bypass) * self.output_scale;
        let denominator = (127 << output_bits) * 256;
        // To the nearest, halves away from zero.
        ((numerator + numerator.signum() * denominator / 2) / denominator) as i32
    }
    // ANCHOR_END: evaluate
}

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
