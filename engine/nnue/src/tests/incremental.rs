//! The stack against the reference, through whole trees of moves.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::types::{MoveKind, Square};

use super::{ARCHITECTURES, half_map, piece_list, random_network, whole_map};
use crate::{AccumulatorStack, Delta, FeatureLists, InstructionSet, Network};

/// Castling on both sides, en passant, promotions and promotion captures, Chess960.
const POSITIONS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "1rkr3b/1p3ppp/8/8/8/8/PP3PPP/1RKR3B w DBdb - 0 1",
];

fn features(network: &Network, board: &Board) -> FeatureLists {
    let pieces = Square::ALL.into_iter().filter_map(|square| board.piece_on(square).map(|piece| (piece, square)));
    FeatureLists::new(network.architecture(), board.side_to_move(), pieces)
}

fn reference(network: &Network, board: &Board) -> i32 {
    network.evaluate_features(board.side_to_move(), &features(network, board))
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Which positions of the tree are evaluated.
#[derive(Clone, Copy)]
enum Ask {
    /// All of them.
    Always,
    /// One of this number, chosen at random: gaps for the lazy updates.
    OneOf(u64),
}

struct Walk<'a> {
    network: &'a Network,
    stack: AccumulatorStack,
    ask: Ask,
    random: Random,
    compared: usize,
}

impl Walk<'_> {
    fn tree(&mut self, board: &Board, depth: u32) {
        let asked = match self.ask {
            Ask::Always => true,
            Ask::OneOf(many) => self.random.below(many) == 0,
        };
        if asked {
            let value = self.stack.evaluate(self.network, board);
            assert_eq!(value, reference(self.network, board), "{} in {board}", self.network.architecture());
            self.compared += 1;
        }
        if depth == 0 {
            return;
        }
        for mv in legal_moves(board) {
            let mut after = board.clone();
            self.stack.push(Delta::of_played(&mut after, mv));
            self.tree(&after, depth - 1);
            self.stack.pop();
        }
        if !board.in_check() {
            let mut after = board.clone();
            after.play_null();
            self.stack.push(Delta::default());
            self.tree(&after, depth - 1);
            self.stack.pop();
        }
    }
}

fn walk(network: &Network, fen: &str, depth: u32, ask: Ask) -> usize {
    let root = board(fen);
    let mut stack = AccumulatorStack::new(network);
    stack.reset(&root);
    let mut walk = Walk { network, stack, ask, random: Random::new(1), compared: 0 };
    walk.tree(&root, depth);
    walk.compared
}

#[test]
fn every_node_of_a_tree_equals_the_reference() {
    for text in [
        "dual [17] crelu x8",
        "white [5,3] screlu x1",
        "dual [] crelu x8",
        "white [] crelu x1",
        "dual [17] crelu x8 kings=4",
        "dual [5,3] screlu x1 kings=1",
        "dual [] crelu x8 kings=16",
        "dual [9,4] crelu x8 stacks kings=2",
        "dual [6,4] crelu x8 pairwise kings=2 attacks",
        "white [5,3] screlu x1 attacks",
        "dual [] crelu x8 attacks",
        concat!("dual [9] screlu outputs=", piece_list!(), " kings=", whole_map!()),
        concat!("dual [] crelu outputs=", piece_list!(), " kings=", half_map!()),
    ] {
        let network = random_network(text, 11);
        for fen in POSITIONS {
            assert!(walk(&network, fen, 2, Ask::Always) > 50);
        }
    }
    for text in ["dual [8] screlu x8", "dual [8] screlu x8 kings=8 attacks"] {
        let network = random_network(text, 12);
        for fen in POSITIONS {
            walk(&network, fen, 3, Ask::Always);
        }
    }
}

#[test]
fn gaps_are_bridged() {
    for text in ["dual [8] crelu x1", "dual [8] crelu x1 kings=4", "dual [8] crelu x1 attacks"] {
        let network = random_network(text, 13);
        for fen in POSITIONS {
            assert!(walk(&network, fen, 3, Ask::OneOf(5)) > 0);
        }
        walk(&network, POSITIONS[2], 4, Ask::OneOf(20));
    }
}

#[test]
fn every_architecture_and_instruction_set_equals_the_reference() {
    for (seed, text) in ARCHITECTURES.into_iter().enumerate() {
        for set in InstructionSet::available() {
            let network = random_network(text, seed as u64);
            let network = network.with_instruction_set(set).expect("available");
            assert_eq!(network.instruction_set(), set);
            for fen in [POSITIONS[1], POSITIONS[4]] {
                walk(&network, fen, 1, Ask::Always);
            }
        }
    }
}

#[test]
fn long_games_stay_exact() {
    let network = random_network("dual [32] screlu x8", 14);
    let mut random = Random::new(15);
    for fen in POSITIONS {
        let mut position = board(fen);
        let mut stack = AccumulatorStack::new(&network);
        stack.reset(&position);
        for _ in 0..400 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            stack.push(Delta::of_played(&mut position, mv));
            if random.below(3) == 0 {
                assert_eq!(stack.evaluate(&network, &position), reference(&network, &position));
            }
        }
    }
}

/// Castling and walks across the board turn the views; each is asked for after gaps of several moves.
#[test]
fn kings_that_walk_and_castle_stay_exact() {
    let mut positions = POSITIONS.to_vec();
    positions.extend(["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/8/3k4/8/1r6/3K4/8/5Q2 w - - 0 1"]);
    positions.extend(["1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1"]);
    let (mut castlings, mut turns) = (0, 0);
    let shapes = [
        "dual [33] screlu x8 kings=1",
        "dual [32] crelu x8 kings=4",
        "dual [16,7] crelu x1 kings=16",
        concat!("dual [16,7] crelu x8 stacks kings=", half_map!()),
        concat!("dual [33] crelu x1 kings=", whole_map!()),
        "dual [32] crelu x8 kings=4 attacks",
    ];
    for (seed, text) in shapes.into_iter().enumerate() {
        let network = random_network(text, seed as u64);
        let inputs = &network.architecture().inputs;
        // One stack for all games: what its cache keeps must not outlive its truth.
        let mut stack = AccumulatorStack::new(&network);
        let mut random = Random::new(17);
        for fen in &positions {
            let mut position = board(fen);
            stack.reset(&position);
            for _ in 0..300 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                let us = position.side_to_move();
                let king = position.king(us);
                let by_king: Vec<_> = moves.iter().copied().filter(|mv| mv.source() == king).collect();
                let castling = by_king.iter().copied().find(|mv| mv.kind() == MoveKind::Castle);
                let choice = if by_king.is_empty() || random.below(2) == 0 { moves.as_slice() } else { &by_king };
                let mv = castling.unwrap_or_else(|| choice[random.below(choice.len() as u64) as usize]);
                castlings += usize::from(castling.is_some());
                stack.push(Delta::of_played(&mut position, mv));
                turns += usize::from(inputs.orientation(us, king) != inputs.orientation(us, position.king(us)));
                if random.below(3) == 0 {
                    assert_eq!(stack.evaluate(&network, &position), reference(&network, &position), "{text}");
                }
            }
        }
    }
    assert!(castlings > 10 && turns > 500, "{castlings} castlings, {turns} turns");
}

/// The position seen in a mirror, files a and h exchanged; neither side may castle in either.
#[test]
fn left_and_right_are_the_same_to_king_relative_inputs() {
    let fens = [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/3k4/8/1r6/3K4/8/5Q2 b - - 0 1",
    ];
    for text in ["dual [20] crelu x8 kings=1", "dual [20,5] screlu x1 kings=8 attacks", "dual [] crelu x8 kings=4"] {
        let network = random_network(text, 18);
        let plain = random_network("dual [20] crelu x8", 18);
        for fen in fens {
            let (placement, rest) = fen.split_once(' ').expect("fields");
            let ranks = placement.split('/').map(|rank| rank.chars().rev().collect::<String>());
            let mirrored = board(&format!("{} {rest}", ranks.collect::<Vec<_>>().join("/")));
            let mut stack = AccumulatorStack::new(&network);
            let mut value = |position: &Board| {
                stack.reset(position);
                stack.evaluate(&network, position)
            };
            assert_eq!(value(&board(fen)), value(&mirrored), "{text} {fen}");
            assert_ne!(reference(&plain, &board(fen)), reference(&plain, &mirrored), "{fen}");
        }
    }
}

#[test]
fn a_change_of_network_is_noticed() {
    let position = board(POSITIONS[1]);
    let networks = [
        "dual [24] crelu x8",
        "dual [24] crelu x8 kings=4",
        "white [70,9] crelu x1",
        "dual [] crelu x1",
        "dual [24] x8 kings=4",
        "dual [24] x8 kings=4 attacks",
    ];
    let networks = networks.iter().enumerate().map(|(seed, text)| random_network(text, seed as u64));
    let networks: Vec<Network> = networks.collect();
    let mut stack = AccumulatorStack::new(&networks[3]);
    stack.reset(&position);
    for network in networks.iter().chain(networks.iter().rev()) {
        assert_eq!(stack.evaluate(network, &position), reference(network, &position));
    }
}

#[test]
fn a_mirrored_position_has_the_mirrored_value() {
    for text in
        ["dual [20] crelu x8", "dual [20,5] screlu x1", "dual [] crelu x1", "dual [20] crelu x8 kings=8 attacks"]
    {
        let network = random_network(text, 16);
        for fen in POSITIONS {
            let position = board(fen);
            assert_eq!(reference(&network, &position.flipped()), reference(&network, &position));
        }
    }
}
