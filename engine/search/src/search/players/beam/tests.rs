//! The beam against a slow twin that thinks from White's side, with a maximum and a minimum of its own.

use std::time::{Duration, Instant};

use alfiere_chess::types::Color;

use super::*;
use crate::eval::Classical;
use crate::search::request::Silent;
use crate::search::tests::{Bench, POSITIONS, board};

fn play(board: &Board, keys: &KeyHistory, shape: BeamShape, limits: &Limits) -> SearchResult {
    Bench::new(1)
        .run(board, keys, limits, &mut Silent, |thread_data, input, reporter| beam(thread_data, shape, input, reporter))
}

/// White's score after the best play that the beam allows, and the move that begins it.
fn reference(board: &Board, keys: &mut KeyHistory, depth: u32, width: usize, ply: usize) -> (i32, Option<Move>) {
    let white = board.side_to_move() == Color::White;
    let sign = |board: &Board| if board.side_to_move() == Color::White { 1 } else { -1 };
    let mut children = Vec::new();
    keys.push(board);
    for mv in legal_moves(board) {
        let mut child = board.clone();
        child.play(mv);
        let (value, over) = if is_draw(&child, keys) {
            (0, true)
        } else if legal_moves(&child).is_empty() {
            (if child.in_check() { sign(&child) * Score::mated_at(ply + 1).value() } else { 0 }, true)
        } else {
            let own = lone_king(&child).unwrap_or_else(|| Classical::new().evaluate(&child));
            (sign(&child) * own, false)
        };
        children.push((value, over, mv, child));
    }
    children.sort_by_key(|child| if white { -child.0 } else { child.0 });
    children.truncate(width);
    let mut best: Option<(i32, Move)> = None;
    for (value, over, mv, child) in children {
        let value = if over || depth == 1 { value } else { reference(&child, keys, depth - 1, width, ply + 1).0 };
        if best.is_none_or(|(so_far, _)| if white { value > so_far } else { value < so_far }) {
            best = Some((value, mv));
        }
    }
    keys.pop();
    best.map_or((0, None), |(value, mv)| (value, Some(mv)))
}

#[test]
fn both_sides_play_for_themselves() {
    let mut compared = 0;
    for fen in alfiere_chess::positions::POSITIONS.into_iter().step_by(4).chain(POSITIONS) {
        let board = board(fen);
        if legal_moves(&board).is_empty() {
            continue;
        }
        for (depth, width) in [(1, 3), (2, 3), (3, 2), (4, 1)] {
            let (value, _) = reference(&board, &mut KeyHistory::new(), depth, width, 0);
            let outcome = play(&board, &KeyHistory::new(), BeamShape { depth, width }, &Limits::default());
            let white = if board.side_to_move() == Color::White { 1 } else { -1 };
            assert_eq!(white * outcome.score.value(), value, "depth {depth} width {width} {fen}");
            assert_eq!(outcome.depth, depth);
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_beam_of_all_moves_finds_mates() {
    let wide = BeamShape { depth: 3, width: 256 };
    let outcome = play(
        &board("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
        &KeyHistory::new(),
        wide,
        &Limits::default(),
    );
    assert_eq!((outcome.score, outcome.variation.len()), (Score::mate_at(3), 3));
    let mated = play(&board("8/8/8/8/8/2k5/1q6/K7 w - - 0 1"), &KeyHistory::new(), wide, &Limits::default());
    assert_eq!(mated.best, None);
}

#[test]
fn limits_end_it_with_a_move() {
    let board = board(alfiere_chess::positions::POSITIONS[1]);
    let endless = BeamShape { depth: 40, width: 8 };
    let start = Instant::now();
    let outcome = play(&board, &KeyHistory::new(), endless, &Limits::move_time(Duration::from_millis(60)));
    assert!(outcome.best.is_some() && outcome.depth >= 1);
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    for nodes in [1, 100, 2_000] {
        let outcome = play(&board, &KeyHistory::new(), endless, &Limits::nodes(nodes));
        let first_ply = legal_moves(&board).len() as u64;
        assert!(outcome.best.is_some() && outcome.nodes <= nodes.max(first_ply), "{nodes}: {}", outcome.nodes);
    }
    let limited = play(&board, &KeyHistory::new(), endless, &Limits::depth(2));
    assert_eq!(limited.depth, 2, "the depth that was asked for");
}
