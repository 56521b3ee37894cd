//! Tests the rules against published perft counts, and incremental state against recomputed state.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is the error report")]

use std::path::Path;

use alfiere_chess::board::{Board, BoardObserver};
use alfiere_chess::movegen::{add_noisy_moves, add_quiet_moves, count_legal_moves, is_legal, legal_moves, perft};
use alfiere_chess::types::{Move, MoveList, Piece, Square};

/// The positions of a suite with their counts by depth.
fn suite(name: &str) -> Vec<(String, Vec<(u32, u64)>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/perft").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let mut fields = line.split(';').map(str::trim);
            let fen = fields.next().unwrap().to_owned();
            let counts = fields.map(|field| {
                let (depth, nodes) = field.strip_prefix('D').unwrap().split_once(' ').unwrap();
                (depth.parse().unwrap(), nodes.trim().parse().unwrap())
            });
            (fen, counts.collect())
        })
        .collect()
}

fn check_counts(name: &str, positions: usize, max_depth: u32) {
    let suite = suite(name);
    assert_eq!(suite.len(), positions);
    for (fen, counts) in suite {
        let board = Board::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, nodes) in counts {
            if depth <= max_depth {
                assert_eq!(perft(&board, depth), nodes, "{fen} at depth {depth}");
            }
        }
    }
}

#[test]
fn standard_positions_match_to_depth_5() {
    check_counts("standard.epd", 128, 5);
}

#[test]
fn chess960_positions_match_to_depth_4() {
    check_counts("fischer.epd", 960, 4);
}

/// A mailbox maintained from the observer's reports.
struct Mirror([Option<Piece>; 64]);

impl Mirror {
    fn of(board: &Board) -> Self {
        Self(Square::ALL.map(|square| board.piece_on(square)))
    }
}

impl BoardObserver for Mirror {
    fn piece_added(&mut self, piece: Piece, square: Square) {
        let before = self.0[square.index()].replace(piece);
        assert_eq!(before, None, "{piece:?} is added to the occupied square {square}");
    }

    fn piece_removed(&mut self, piece: Piece, square: Square) {
        let before = self.0[square.index()].take();
        assert_eq!(before, Some(piece), "{square} had another piece than the one removed");
    }
}

/// Plays every move of the tree and compares the incremental state with a board parsed from the FEN.
fn check_tree(board: &Board, depth: u32) -> u64 {
    let moves = legal_moves(board);
    assert_eq!(moves.len(), count_legal_moves(board), "{board}");
    let mut staged = MoveList::new();
    add_noisy_moves(board, &mut staged);
    assert!(staged.iter().all(|mv| mv.is_noisy()), "{board}");
    let noisy = staged.len();
    add_quiet_moves(board, &mut staged);
    assert!(staged[noisy..].iter().all(|mv| !mv.is_noisy()), "{board}");
    let bits = |list: &MoveList| {
        let mut bits: Vec<u16> = list.iter().map(|mv| mv.to_bits()).collect();
        bits.sort_unstable();
        bits
    };
    assert_eq!(bits(&staged), bits(&moves), "{board}");

    let mut played = moves.len() as u64;
    for mv in moves {
        let mut child = board.clone();
        let mut mirror = Mirror::of(board);
        child.play_observed(mv, &mut mirror);
        assert_eq!(mirror.0, Mirror::of(&child).0, "{board} {mv:?}");
        let mut read = Board::from_fen(&child.to_shredder_fen()).unwrap_or_else(|error| panic!("{child}: {error}"));
        assert_eq!(read.key(), child.key(), "{child}");
        assert_eq!(read.pawn_key(), child.pawn_key(), "{child}");
        assert_eq!(read.checkers(), child.checkers(), "{child}");
        assert_eq!(read.pinned(), child.pinned(), "{child}");
        assert_eq!(read.to_fen(), child.to_fen());
        assert_eq!(read, Board::from_fen(&child.to_fen()).unwrap(), "{child}: both notations");
        if let Some(reply) = legal_moves(&child).first() {
            // Equality covers the whole state, including private fields.
            let mut next = child.clone();
            next.play(*reply);
            read.play(*reply);
            assert_eq!(read.to_fen(), next.to_fen());
            assert_eq!(read.key(), next.key());
        }
        if depth > 1 {
            played += check_tree(&child, depth - 1);
        }
    }
    played
}

#[test]
fn incremental_state_equals_recomputed_state() {
    let mut played = 0;
    for (fen, _) in suite("standard.epd").into_iter().chain(suite("fischer.epd").into_iter().step_by(16)) {
        played += check_tree(&Board::from_fen(&fen).unwrap(), 2);
    }
    let tricky = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    for fen in tricky {
        played += check_tree(&Board::from_fen(fen).unwrap(), 3);
    }
    assert!(played > 50_000, "{played} moves");
}

#[test]
fn is_legal_matches_the_generator() {
    for (fen, _) in suite("standard.epd").into_iter().step_by(4).chain(suite("fischer.epd").into_iter().step_by(64)) {
        let board = Board::from_fen(&fen).unwrap();
        for board in [board.clone()].into_iter().chain(legal_moves(&board).into_iter().map(|mv| {
            let mut child = board.clone();
            child.play(mv);
            child
        })) {
            let legal = legal_moves(&board);
            for bits in 1..=u16::MAX {
                let mv = Move::from_bits(bits).unwrap();
                assert_eq!(is_legal(&board, mv), legal.contains(&mv), "{board} {mv:?}");
            }
        }
    }
}

#[test]
fn keys_match_polyglot_books() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/polyglot/polyglot_keys.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut count = 0;
    for line in text.lines() {
        let Some((fen, key)) = line.split_once('\t') else { continue };
        let Ok(key) = u64::from_str_radix(key.trim().trim_start_matches("0x"), 16) else { continue };
        assert_eq!(Board::from_fen(fen).unwrap().key(), key, "{fen}");
        count += 1;
    }
    assert_eq!(count, 9);
}
