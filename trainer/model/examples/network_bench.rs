//! Measures the evaluation speed of a network for each instruction set: a walk over a move tree with incremental
//! updates as in search, and evaluations with a full refresh.
//!
//! `cargo run --release -p alfiere-model --example network_bench [-- FILE.nnue | 'dual [512] crelu x8'] [depth]`

#![allow(clippy::print_stdout, reason = "this program prints its results")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_model::{FloatNetwork, quantise};
use alfiere_nnue::{AccumulatorStack, Delta, InstructionSet, Network, Provenance};

const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Maximum number of repetitions; the shortest time counts, because other processes only add to it.
const ROUNDS: u32 = 300;
/// Total time after which a measurement is not repeated.
const MAX_TIME: Duration = Duration::from_secs(2);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let network = match arguments.next() {
        None => Network::embedded().clone(),
        Some(name) if name.contains('[') => random_network(&name)?,
        Some(name) => Network::load(name)?,
    };
    let depth = arguments.next().map_or(Ok(2), |word| word.parse())?;
    println!("{}", network.architecture());
    let roots: Vec<Board> = POSITIONS.iter().map(|fen| board(fen)).collect();
    let count: u64 = roots.iter().map(|root| walk(root, depth, None)).sum();
    let without_evaluation = shortest(|| roots.iter().map(|root| walk(root, depth, None)).sum());
    println!("{:<14} {:.0} ns per position without evaluation", "moves", per(without_evaluation, count));
    for set in InstructionSet::available() {
        let Some(network) = network.clone().with_instruction_set(set) else { continue };
        let mut stack = AccumulatorStack::new(&network);
        let line = shortest(|| {
            let mut walk_from = |root| {
                stack.reset(root);
                walk(root, depth, Some((&network, &mut stack)))
            };
            roots.iter().map(&mut walk_from).sum()
        });
        let refresh = shortest(|| {
            stack.reset(&roots[1]);
            black_box(stack.evaluate(&network, &roots[1]));
            1
        });
        // Without changes, only the layers after the accumulators are computed.
        let later_layers = shortest(|| {
            black_box(stack.evaluate(&network, &roots[1]));
            1
        });
        println!(
            "{:<14} {:.0} ns per evaluation with incremental updates, {:.2} M/s; full refresh {} ns, layers after the first {} ns",
            set.to_string(),
            per(line.saturating_sub(without_evaluation), count),
            count as f64 / line.saturating_sub(without_evaluation).as_secs_f64() / 1e6,
            refresh.as_nanos(),
            later_layers.as_nanos(),
        );
    }
    Ok(())
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn walk(board: &Board, depth: u32, evaluation: Option<(&Network, &mut AccumulatorStack)>) -> u64 {
    let mut nodes = 1;
    let Some((network, stack)) = evaluation else {
        if depth > 0 {
            for mv in legal_moves(board) {
                let mut after = board.clone();
                black_box(Delta::of_played(&mut after, mv));
                nodes += walk(&after, depth - 1, None);
            }
        }
        return nodes;
    };
    black_box(stack.evaluate(network, board));
    if depth > 0 {
        for mv in legal_moves(board) {
            let mut after = board.clone();
            stack.push(Delta::of_played(&mut after, mv));
            nodes += walk(&after, depth - 1, Some((network, stack)));
            stack.pop();
        }
    }
    nodes
}

fn shortest(mut work: impl FnMut() -> u64) -> Duration {
    let began = Instant::now();
    let mut shortest = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(work());
        shortest = shortest.min(start.elapsed());
        if began.elapsed() > MAX_TIME {
            break;
        }
    }
    shortest
}

fn per(time: Duration, count: u64) -> f64 {
    time.as_nanos() as f64 / count as f64
}

/// Random weights, scaled such that about half of the neurons are active.
fn random_network(text: &str) -> Result<Network, Box<dyn Error>> {
    let mut network = FloatNetwork::zeros(text.parse()?)?;
    let mut state = 1_u64;
    for (index, layer) in network.layers.iter_mut().enumerate() {
        let active = if index == 0 { 32 } else { layer.inputs() };
        for weight in &mut layer.weights {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *weight = ((state >> 40) as f32 / (1 << 23) as f32 - 1.0) / (active as f32).sqrt();
        }
    }
    Ok(quantise(&network, 400.0, Provenance::note("random"))?)
}
