//! Tests of the whole network, with random weights and with Stockfish's weights.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_nnue::HiddenLayer;
use wide::i32x8;

use super::accumulator::{WIDTH, vectors};
use super::layers::{LAST_INPUTS, OUTPUTS, SECOND_INPUTS};
use super::*;
use crate::plain_views::{STACKS, stack_of, test_hints};

/// Random weights, small enough that the sums are not all clipped.
pub(crate) fn noise() -> Network {
    let mut random = Random::new(19);
    let mut numbers = |count: usize, limit: u64| -> Vec<i32> {
        (0..count).map(|_| random.below(2 * limit + 1) as i32 - limit as i32).collect()
    };
    let material = |numbers: &mut dyn FnMut(usize, u64) -> Vec<i32>| {
        i32x8::new(numbers(STACKS, 2_000).try_into().expect("one for each stack"))
    };
    let bytes = |numbers: Vec<i32>| -> Vec<u8> { numbers.into_iter().map(|number| number as u8).collect() };
    let king_inputs = KingInputs::HalfKa;
    let king_squares = (0..king_inputs.count())
        .map(|_| {
            let weights: Vec<i16> = numbers(WIDTH, 20).into_iter().map(|number| number as i16).collect();
            WideRow { material: material(&mut numbers), ..WideRow::new(&weights) }
        })
        .collect();
    let relations = (0..relations::INPUTS)
        .map(|_| NarrowRow { material: material(&mut numbers), ..NarrowRow::new(&bytes(numbers(WIDTH, 10))) })
        .collect();
    let stacks = (0..STACKS)
        .map(|_| {
            let biases = [numbers(OUTPUTS, 4_000), numbers(OUTPUTS, 2_000), numbers(1, 1_000)];
            let weights =
                [OUTPUTS * WIDTH, OUTPUTS * SECOND_INPUTS, LAST_INPUTS].map(|count| bytes(numbers(count, 60)));
            Stack::new([&biases[0], &biases[1], &biases[2]], [&weights[0], &weights[1], &weights[2]])
        })
        .collect();
    Network { bias: vectors(&[100; WIDTH]), king_inputs, king_squares, relations, stacks }
}

/// The lite variant's inputs, with random weights.
fn lite_noise() -> Network {
    let Network { bias, king_squares, stacks, .. } = noise();
    let king_inputs = KingInputs::Plain;
    let king_squares = king_squares[..king_inputs.count()].to_vec();
    Network { bias, king_inputs, king_squares, relations: Vec::new(), stacks }
}

pub(crate) fn positions(games: u64) -> Vec<Board> {
    positions_from(
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 w - - 0 1",
        ],
        games,
    )
}

/// Positions of random games that start from these positions in turn.
fn positions_from(starts: &[&str], games: u64) -> Vec<Board> {
    let mut random = Random::new(7);
    let mut boards = Vec::new();
    for game in 0..games {
        let mut board = Board::from_fen(starts[game as usize % starts.len()]).expect("a legal position");
        for _ in 0..120 {
            let moves = legal_moves(&board);
            let Some(&mv) = moves.get(random.below(moves.len() as u64) as usize) else {
                break;
            };
            board.play(mv);
            boards.push(board.clone());
        }
    }
    boards
}

/// The position with colours swapped, and the one mirrored horizontally, without castling rights.
fn twins(board: &Board) -> [Board; 2] {
    let fen = board.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let exchange = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let ranks: Vec<&str> = fields[0].split('/').collect();
    let flipped: Vec<String> = ranks.iter().rev().map(|rank| rank.chars().map(exchange).collect()).collect();
    let mirrored: Vec<String> = ranks.iter().map(|rank| rank.chars().rev().collect()).collect();
    let other = if fields[1] == "w" { "b" } else { "w" };
    [(flipped, other), (mirrored, fields[1])]
        .map(|(ranks, side)| Board::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).expect("a legal position"))
}

#[test]
fn evaluation_is_independent_of_earlier_boards_colours_and_wings() {
    let network = noise();
    let mut kept = Evaluator::new(&network);
    let mut twin = Evaluator::new(&network);
    let mut seen = HashSet::new();
    for board in positions(6) {
        let parts = kept.parts(&board);
        assert_eq!(parts, Evaluator::new(&network).parts(&board), "{}", board.to_fen());
        for other in twins(&board) {
            assert_eq!(parts, twin.parts(&other), "{} and {}", board.to_fen(), other.to_fen());
        }
        seen.insert(parts.sum());
    }
    assert!(seen.len() > 300, "positions have different evaluations: {}", seen.len());
}

#[test]
fn hints_are_the_sums_of_the_evaluation() {
    let (lite, full) = (lite_noise(), noise());
    let layers: [(&Network, &dyn HiddenLayer); 2] = [(&lite, &lite), (&full, &FullHints::new(full.clone()))];
    for (network, layer) in layers {
        let mut evaluator = Evaluator::new(network);
        test_hints(layer, |board| {
            let (activations, _) = evaluator.activations(board);
            let stack = &network.stacks[stack_of(board.occupied().count() as usize)];
            stack.first_sums(&activations).map(|sum| sum as f32 / 16_256.0).to_vec()
        });
    }
}

#[test]
fn an_illegal_position_has_hints_of_zeros() {
    // Both kings and a pawn on the first rank.
    let mut views = [[320 + 4, 384 + 320 + 60, 3], [320 + 4, 384 + 320 + 60, 384 + 59]];
    let mut sums = [1.0; OUTPUTS - 2];
    FullHints::new(noise()).sums(views.each_mut().map(<[u16; 3]>::as_mut_slice), &mut sums);
    assert!(sums.iter().all(|&sum| sum == 0.0), "{sums:?}");
}

/// Run by `scripts/test-teacher`.
#[test]
#[ignore = "needs Stockfish 19 and its network"]
fn evaluations_of_random_positions_match_stockfish() {
    let path = |name| std::env::var_os(name).expect("TEACHER_19 and STOCKFISH_19 are set");
    let network = Network::read(&std::fs::read(path("TEACHER_19")).expect("a file")).expect("a network");
    // One position in eight: adjacent ones differ little.
    let endings = ["8/3k4/8/8/8/3K4/4P3/8 w - - 0 1", "4k3/8/8/3q4/8/8/1R6/K7 w - - 0 1"];
    let mut boards = positions(240);
    boards.extend(positions_from(&endings, 20));
    let boards: Vec<Board> = boards.into_iter().step_by(8).filter(|board| !board.in_check()).collect();
    let mut stacks = [0; STACKS];
    for board in &boards {
        stacks[(board.occupied().count() as usize - 1) / 4] += 1;
    }
    assert!(boards.len() >= 2_000 && stacks.iter().all(|&count| count > 20), "{stacks:?}");
    let mut program =
        Command::new(path("STOCKFISH_19")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let (mut input, output) = (program.stdin.take().expect("a pipe"), program.stdout.take().expect("a pipe"));
    let mut questions: Vec<String> =
        boards.iter().flat_map(|board| [format!("position fen {}", board.to_fen()), "eval".to_owned()]).collect();
    questions.push(String::new());
    // End of input would quit the program before it has answered, so the pipe stays open.
    let writer = std::thread::spawn(move || input.write_all(questions.join("\n").as_bytes()).map(|()| input));
    let printed: Vec<i32> = BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("NNUE evaluation")?.split_whitespace().next()?.parse().ok())
        .take(boards.len())
        .collect();
    drop(writer.join().expect("no panic").expect("written"));
    program.wait().expect("it ends");
    assert_eq!(printed.len(), boards.len());
    let mut evaluator = Evaluator::new(&network);
    for (board, printed) in boards.iter().zip(printed) {
        assert_eq!(evaluator.network_value(board), printed, "{}", board.to_fen());
    }
}

/// `TEACHER_19=nn-1a298aa575a0.nnue cargo test --release -p alfiere-teacher -- --ignored`
#[test]
#[ignore = "needs the network of Stockfish 19"]
fn evaluations_match_stockfish() {
    let path = std::env::var_os("TEACHER_19").expect("TEACHER_19 is set");
    let network = Network::read(&std::fs::read(path).expect("a file")).expect("a network");
    let mut evaluator = Evaluator::new(&network);
    let mut stacks = HashSet::new();
    // Position, NNUE evaluation in internal units as printed by `eval`, and final evaluation in centipawns.
    for line in include_str!("values.tsv").lines() {
        let [fen, value, centipawns] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
        let board = Board::from_fen(fen).expect("a legal position");
        assert_eq!(evaluator.network_value(&board).to_string(), value, "{fen}");
        assert_eq!(evaluator.evaluate(&board).to_string(), centipawns, "{fen}");
        stacks.insert((board.occupied().count() - 1) / 4);
    }
    assert_eq!(stacks.len(), STACKS);
}
