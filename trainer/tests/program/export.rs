//! Tests with the real binary: the readers of the flat layout give the engine's values, and so do sorted neurons.

#[path = "../../examples/layout.rs"]
mod layout;

use std::fs;
use std::path::Path;
use std::process::Command;

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;
use alfiere_nnue::Network;
use alfiere_search::fit::StaticEval;

use crate::support::{Folder, argument, sample_text};

/// A training of seconds.
const TRAIN: &str = "train --data SAMPLE --rows 6000 --no-cache --epochs 2 --batch 128 --out a.nnue --force";

/// Positions of the real sample, one in 500.
fn positions() -> Vec<String> {
    let text = sample_text();
    let fens = text.lines().skip(1).step_by(500).map(|line| line.split(',').next().expect("a FEN").to_owned());
    fens.filter(|fen| Board::from_fen(fen).is_ok()).collect()
}

/// Lists of our own. King buckets without mirroring: either half of the first two ranks, and the rest. Output buckets: 2 to
/// 12 pieces, 13 to 22, the rest.
const LISTS: &str = "dual [16] outputs=0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2 \
                     kings=0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/\
                     2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2";

/// What `alfiere eval` prints for each position.
fn expected(network: &Network, fens: &[String]) -> Vec<String> {
    let mut evaluation = StaticEval::new(network);
    let line = |fen: &String| {
        let board = Board::from_fen(fen).expect("legal");
        let value = evaluation.evaluate(&board);
        let white = if board.side_to_move() == Color::White { value } else { -value };
        format!("evaluation {white:+} internal units ({value:+} for the side to move)")
    };
    fens.iter().map(line).collect()
}

/// The reader in C; `None` without a C compiler.
fn c_reader(folder: &Folder) -> Option<std::path::PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/layout.c");
    let program = folder.at("layout");
    let status = Command::new("cc").args(["-O2", "-o", argument(&program), argument(&source)]).status().ok()?;
    assert!(status.success(), "cc refused {}", source.display());
    Some(program)
}

#[test]
fn readers_in_rust_and_c_give_the_values_of_the_engine() {
    let folder = Folder::new();
    let fens = positions();
    assert!(fens.len() >= 150, "{}", fens.len());
    let reader = c_reader(&folder);
    if reader.is_none() {
        println!("there is no `cc`: the reader in C is not tested");
    }
    for net in ["dual [16]", "dual [24] x8", "dual [16] screlu x8 kings=4", LISTS] {
        folder.trainer(&format!("{TRAIN} --net '{net}'")).success();
        let run = folder.trainer("export a.nnue --layout a.flat --force");
        assert!(run.success().starts_with("wrote a.flat: dual ["), "{}", run.out);
        let network = Network::load(folder.at("a.nnue")).expect("a network");
        let expected = expected(&network, &fens);
        let flat = layout::load(&folder.bytes("a.flat")).expect("a layout");
        for (fen, expected) in fens.iter().zip(&expected) {
            let (value, _) = layout::evaluate(&flat, fen).expect("a FEN");
            assert!(
                expected.ends_with(&format!("({value:+} for the side to move)")),
                "{net} {fen}: {value}, {expected}"
            );
        }
        let values: std::collections::HashSet<&String> = expected.iter().collect();
        assert!(values.len() > 50, "the values differ");
        if let Some(reader) = &reader {
            let output = Command::new(reader).arg(folder.at("a.flat")).args(&fens).output().expect("it starts");
            let found = String::from_utf8(output.stdout).expect("UTF-8");
            assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{net}");
        }
    }
}

/// A reader of bullet's layout that shares nothing with the writer but the description: the numbers in order, then the
/// arithmetic of an engine that bullet's example shows, in 32 bits and rounded towards 0.
struct BulletReader {
    numbers: Vec<i32>,
    width: usize,
    kings: usize,
    is_squared: bool,
    /// The king bucket of each square for White, its view mirrored from file e on if `is_mirrored`.
    king_map: [usize; 64],
    is_mirrored: bool,
    output_map: fn(usize) -> usize,
    outputs: usize,
    qb: i32,
}

impl BulletReader {
    const QA: i32 = 255;
    const SCALE: i32 = 400;

    fn load(&mut self, path: &Path) {
        let bytes = fs::read(path).expect("a file");
        let count = self.width * (768 * self.kings + 1 + 2 * self.outputs) + self.outputs;
        assert_eq!(bytes.len(), (2 * count).next_multiple_of(64), "its size");
        self.numbers = bytes.chunks(2).map(|two| i32::from(i16::from_le_bytes([two[0], two[1]]))).collect();
    }

    /// Centipawns for the side to move.
    fn evaluate(&self, fen: &str) -> i32 {
        let (board, rest) = fen.split_once(' ').expect("a FEN");
        let mut pieces = Vec::new();
        for (rank, row) in board.split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    let kind = "pnbrqk".find(letter.to_ascii_lowercase()).expect("a piece");
                    pieces.push((kind, letter.is_ascii_uppercase(), (7 - rank) * 8 + file));
                    file += 1;
                }
            }
        }
        let (numbers, width) = (&self.numbers, self.width);
        let bias = 768 * self.kings * width;
        let bucket = (self.output_map)(pieces.len());
        let mut sum = 0;
        for (side, is_white) in [rest.starts_with('w'), rest.starts_with('b')].into_iter().enumerate() {
            let seen = |square: usize| if is_white { square } else { (7 - square / 8) * 8 + square % 8 };
            let king = pieces.iter().find(|&&(kind, white, _)| kind == 5 && white == is_white).expect("a king").2;
            let turn = if self.is_mirrored && king % 8 > 3 { 7 } else { 0 };
            let set = 768 * self.king_map[seen(king)];
            let mut accumulator = numbers[bias..bias + width].to_vec();
            for &(kind, white, square) in &pieces {
                let input = set + if white == is_white { 0 } else { 384 } + 64 * kind + (seen(square) ^ turn);
                for (value, weight) in accumulator.iter_mut().zip(&numbers[input * width..]) {
                    *value += weight;
                }
            }
            let weights = bias + width + (2 * bucket + side) * width;
            for (value, weight) in accumulator.iter().zip(&numbers[weights..]) {
                let value = (*value).clamp(0, Self::QA);
                sum += weight * if self.is_squared { value * value } else { value };
            }
        }
        if self.is_squared {
            sum /= Self::QA;
        }
        sum += numbers[bias + width + 2 * self.outputs * width + bucket];
        sum * Self::SCALE / (Self::QA * self.qb)
    }
}

#[test]
fn a_reader_of_bullets_layout_gives_the_values_of_the_engine() {
    let folder = Folder::new();
    let fens = positions();
    let plain = || BulletReader {
        numbers: Vec::new(),
        width: 16,
        kings: 1,
        is_squared: false,
        king_map: [0; 64],
        is_mirrored: false,
        output_map: |_| 0,
        outputs: 1,
        qb: 0,
    };
    let halves = std::array::from_fn(|square| if square < 16 { square % 8 / 4 } else { 2 });
    let lists = BulletReader {
        kings: 3,
        king_map: halves,
        outputs: 3,
        output_map: |pieces| pieces.saturating_sub(3) / 10,
        ..plain()
    };
    let eight =
        BulletReader { is_squared: true, is_mirrored: true, outputs: 8, output_map: |n| (n - 1) / 4, ..plain() };
    for (net, mut reader) in [
        ("dual [16]", plain()),
        ("dual [16] screlu", BulletReader { is_squared: true, ..plain() }),
        ("dual [16] screlu x8 kings=1", eight),
        (LISTS, lists),
    ] {
        folder.trainer(&format!("{TRAIN} --net '{net}' --no-side-to-move --seed 2")).success();
        let network = Network::load(folder.at("a.nnue")).expect("a network");
        let mut evaluation = StaticEval::new(&network);
        for qb in [64, 256] {
            reader.qb = qb;
            let run = folder.trainer(&format!("export a.nnue --bullet quantised.bin --qb {qb} --force"));
            assert!(run.success().contains(&format!(", QA 255, QB {qb}, SCALE 400")), "{}", run.out);
            reader.load(&folder.at("quantised.bin"));
            // Each weight is off by half a unit at most, each activation is 1 at most; the last digit is cut off.
            let most = 400 * 2 * 16 / (2 * qb) + 1;
            let mut sum = 0;
            for fen in &fens {
                let expected = evaluation.evaluate(&Board::from_fen(fen).expect("legal"));
                let off = (reader.evaluate(fen) - expected).abs();
                assert!(off <= most, "{net}, QB {qb}, {fen}: {} and {expected}", reader.evaluate(fen));
                sum += off;
            }
            assert!(sum < 2 * fens.len() as i32, "{net}, QB {qb}: {sum}");
        }
    }
    folder.trainer("export a.nnue --bullet quantised.bin --force --qa 60000").refused("expected smaller ones");
    folder.trainer("train --data SAMPLE --rows 3000 --no-cache --net 'dual [8]' --out b.nnue").success();
    folder.trainer("export b.nnue --bullet b.bin").refused("expected one of `train --no-side-to-move`");
}

#[test]
fn other_shapes_and_existing_files_are_refused() {
    let folder = Folder::new();
    let export = |name: &str| folder.trainer(&format!("export @nets/{name} --layout a.flat"));
    export("default.nnue").refused("has no such layout; expected `dual [N]`");
    export("perceptron.nnue").refused("'white [] crelu x1' has no such layout");
    export("none.nnue").refused("none.nnue: ");
    assert!(!folder.at("a.flat").exists());
    folder.write("a.flat", "something");
    export("default.nnue").refused("the file already exists");
}
