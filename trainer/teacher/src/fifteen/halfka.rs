//! The `HalfKAv2_hm` feature transformer and the evaluation.
//!
//! Each view is mirrored so that its king is on files e to h, which leaves 32 king squares. Accumulators are cached for
//! every king square and updated with the pieces that differ: positions of one search differ little.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, File, Piece, PieceKind, Square};
use alfiere_nnue::HiddenLayer;

use super::layers::{FIRST, ONE, Stack, WIDTH, centipawns};
use crate::plain_views::{STACKS, own_king, piece_on, stack_of};

/// Piece-square inputs per king square: both kings share one set of 64.
const PIECE_SQUARES: usize = 11 * 64;
/// Total number of inputs per view.
pub(super) const INPUTS: usize = 32 * PIECE_SQUARES;
/// The layers' output is 16 times Stockfish's internal unit.
const OUTPUT_SCALE: i32 = 16;

/// A network with the architecture of Stockfish 15.1.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) bias: Vec<i16>,
    /// `[22528][1024]`.
    pub(super) weights: Vec<i16>,
    /// `[22528][8]`: PSQT values of each input, per bucket.
    pub(super) material: Vec<i32>,
    pub(super) stacks: Vec<Stack>,
}

#[derive(Clone)]
struct CachedView {
    pieces: [Bitboard; Piece::ALL.len()],
    sums: Box<[i16; WIDTH]>,
    material: [i32; STACKS],
}

/// Evaluates boards incrementally; caches the accumulators of earlier boards.
#[derive(Clone)]
pub struct Evaluator<'a> {
    network: &'a Network,
    /// For each view and king square.
    sides: Vec<CachedView>,
}

impl<'a> Evaluator<'a> {
    pub fn new(network: &'a Network) -> Self {
        let mut sums = Box::new([0; WIDTH]);
        sums.copy_from_slice(&network.bias);
        let empty = CachedView { pieces: [Bitboard::EMPTY; Piece::ALL.len()], sums, material: [0; STACKS] };
        Self { network, sides: vec![empty; 2 * Square::ALL.len()] }
    }

    /// Evaluates a position in centipawns for the side to move: the network output scaled by material as in Stockfish's
    /// search. 100 is a winning probability of 50%. Positions in check have no meaningful evaluation.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        centipawns(self.network_value(board), board)
    }

    /// The network's output for the side to move, in Stockfish's internal unit (361 per 100 centipawns).
    pub(super) fn network_value(&mut self, board: &Board) -> i32 {
        let bucket = stack_of(board.occupied().count() as usize);
        let (activations, material) = self.activations(board);
        let [own, other] = material.map(|material| material[bucket]);
        let positional = self.network.stacks[bucket].evaluate(&activations);
        ((own - other) / 2 + positional) / OUTPUT_SCALE
    }

    /// What the accumulators hand on, the side to move's first, and each one's PSQT values.
    pub(super) fn activations(&mut self, board: &Board) -> ([u8; WIDTH], [[i32; STACKS]; 2]) {
        let us = board.side_to_move();
        let mut activations = [0; WIDTH];
        let (own, other) = activations.split_at_mut(WIDTH / 2);
        let material = [(us, own), (!us, other)].map(|(view, activations)| {
            let side = self.update(board, view);
            multiply_halves(&side.sums, activations);
            side.material
        });
        (activations, material)
    }

    fn update(&mut self, board: &Board, view: Color) -> &CachedView {
        let network = self.network;
        let king = board.king(view);
        let side = &mut self.sides[view.index() * Square::ALL.len() + king.index()];
        for piece in Piece::ALL {
            let now = board.colored(piece.color(), piece.kind());
            let before = std::mem::replace(&mut side.pieces[piece.index()], now);
            for square in before & !now {
                side.apply_input(network, input(view, king, piece, square), -1);
            }
            for square in now & !before {
                side.apply_input(network, input(view, king, piece, square), 1);
            }
        }
        side
    }
}

impl CachedView {
    /// Adds an input (`sign` = 1) or removes it (`sign` = -1).
    fn apply_input(&mut self, network: &Network, input: usize, sign: i16) {
        for (sum, &weight) in self.sums.iter_mut().zip(network.row(input)) {
            *sum += sign * weight;
        }
        for (sum, &value) in self.material.iter_mut().zip(&network.material[input * STACKS..]) {
            *sum += i32::from(sign) * value;
        }
    }
}

impl Network {
    pub(super) fn row(&self, input: usize) -> &[i16] {
        &self.weights[input * WIDTH..][..WIDTH]
    }
}

/// Multiplies the two clipped halves of a view's accumulator pairwise.
pub(super) fn multiply_halves(sums: &[i16; WIDTH], activations: &mut [u8]) {
    let (low, high) = sums.split_at(WIDTH / 2);
    for ((activation, &a), &b) in activations.iter_mut().zip(low).zip(high) {
        *activation = (i32::from(a.clamp(0, 127)) * i32::from(b.clamp(0, 127)) / 128) as u8;
    }
}

/// Index of the input of a piece on a square, for a view with its king on `king`.
pub(super) fn input(view: Color, king: Square, piece: Piece, square: Square) -> usize {
    let seen = |square: Square| {
        let square = if view == Color::White { square } else { square.flip() };
        if king.file() <= File::D { square.mirror() } else { square }.index()
    };
    let (king, square) = (seen(king), seen(square));
    // King squares are numbered from h8 backwards, four per rank.
    let king_square = (7 - king / 8) * 4 + (7 - king % 8);
    let kind = match piece.kind() {
        PieceKind::King => 10,
        kind => 2 * kind.index() + usize::from(piece.color() != view),
    };
    king_square * PIECE_SQUARES + kind * 64 + square
}

/// One neuron is left out: it leads directly to the output, where this network has its PSQT values as well.
impl HiddenLayer for Network {
    fn width(&self) -> usize {
        FIRST - 1
    }

    fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]) {
        let stack = &self.stacks[stack_of(views[0].len())];
        let mut activations = [0; WIDTH];
        for (inputs, activations) in views.into_iter().zip(activations.chunks_exact_mut(WIDTH / 2)) {
            multiply_halves(&self.accumulator(inputs), activations);
        }
        for (sum, value) in sums.iter_mut().zip(stack.first_sums(&activations)) {
            *sum = value as f32 / ONE as f32;
        }
    }
}

impl Network {
    /// The accumulator of a view, given as plain inputs. These are relative to the view, which is therefore like White's.
    fn accumulator(&self, inputs: &[u16]) -> [i16; WIDTH] {
        let mut sums = [0; WIDTH];
        sums.copy_from_slice(&self.bias);
        let king = own_king(inputs);
        for &plain in inputs {
            let (piece, square) = piece_on(plain);
            let row = self.row(input(Color::White, king, piece, square));
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += weight);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::random::mix;

    use super::super::noise::noise;
    use super::*;
    use crate::plain_views::test_hints;

    /// `TEACHER=teacher.nnue STOCKFISH=/usr/games/stockfish cargo test --release -p alfiere-teacher -- --ignored`
    #[test]
    #[ignore = "needs Stockfish 15.1 and the network that it exports"]
    fn evaluations_match_stockfish() {
        let path = |name| std::env::var_os(name).expect("TEACHER and STOCKFISH are set");
        let bytes = std::fs::read(path("TEACHER")).expect("a file");
        let teacher = Network::read(&bytes).expect("a network");
        let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/suites/eret.epd");
        let text = std::fs::read_to_string(suites).expect("a suite");
        let boards: Vec<Board> = text
            .lines()
            .filter_map(|line| {
                let fields: Vec<&str> = line.split(' ').take(4).collect();
                Board::from_fen(&format!("{} 0 1", fields.join(" "))).ok()
            })
            .filter(|board| !board.in_check())
            .collect();
        assert!(boards.len() > 80);
        let mut program =
            Command::new(path("STOCKFISH")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut input = program.stdin.take().expect("a pipe");
        for board in &boards {
            writeln!(input, "position fen {}\neval", board.to_fen()).expect("written");
        }
        drop(input);
        let output = program.wait_with_output().expect("it ends");
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed: Vec<f64> = output
            .lines()
            .filter_map(|line| line.strip_prefix("NNUE evaluation")?.split_whitespace().next()?.parse().ok())
            .collect();
        assert_eq!(printed.len(), boards.len());
        let mut pupil = Evaluator::new(&teacher);
        for (board, printed) in boards.iter().zip(printed) {
            let sign = if board.side_to_move() == Color::White { 1.0 } else { -1.0 };
            let value = sign * f64::from(pupil.network_value(board)) / 361.0;
            assert!((value - printed).abs() < 0.006, "{}: {value} against {printed}", board.to_fen());
        }
    }

    #[test]
    fn evaluation_is_independent_of_earlier_boards() {
        let teacher = noise();
        let mut kept = Evaluator::new(&teacher);
        let mut seen = std::collections::HashSet::new();
        for game in 0..3 {
            let mut board = Board::startpos();
            for ply in 0..120 {
                let moves = legal_moves(&board);
                let Some(&mv) = moves.get((mix(game * 1_000 + ply) % moves.len().max(1) as u64) as usize) else {
                    break;
                };
                board.play(mv);
                let value = kept.network_value(&board);
                assert_eq!(value, Evaluator::new(&teacher).network_value(&board), "{}", board.to_fen());
                seen.insert(value);
            }
        }
        assert!(seen.len() > 100, "positions have different evaluations");
    }

    #[test]
    fn inputs_are_unique() {
        let mut seen = vec![false; INPUTS];
        for king in Square::ALL.into_iter().filter(|square| square.index() % 8 >= 4) {
            for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::new(Color::Black, PieceKind::King)) {
                for square in Square::ALL {
                    let input = input(Color::White, king, piece, square);
                    assert!(!std::mem::replace(&mut seen[input], true));
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn evaluation_is_colour_symmetric() {
        for piece in Piece::ALL {
            let twin = Piece::new(!piece.color(), piece.kind());
            for square in Square::ALL {
                let king = Square::D1;
                let own = input(Color::White, king, piece, square);
                assert_eq!(own, input(Color::Black, king.flip(), twin, square.flip()));
            }
        }
    }

    #[test]
    fn hints_are_the_sums_of_the_evaluation() {
        let network = noise();
        let mut evaluator = Evaluator::new(&network);
        test_hints(&network, |board| {
            let (activations, _) = evaluator.activations(board);
            let sums = network.stacks[stack_of(board.occupied().count() as usize)].first_sums(&activations);
            sums.map(|sum| sum as f32 / ONE as f32).to_vec()
        });
    }
}
