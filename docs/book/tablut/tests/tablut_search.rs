//! The search against a plain minimax, with and without symmetric look-up, and against weaker players.

use alfiere_tablut::{
    board::{Board, Side},
    evaluate::evaluate,
    game::{Game, Outcome},
    moves::{king_escape, legal_moves},
    player::{Player, opening, play_match},
    search::{Limits, Searcher, WIN},
    symmetry::Symmetry,
    table::Lookup,
};

/// The value by trying everything; no repetition is possible in three plies.
fn minimax(board: &mut Board, depth: u8, ply: i32) -> i32 {
    if board.winner().is_some() {
        return -(WIN - ply);
    }
    if ply > 0 && board.side() == Side::White && king_escape(board) != 0 {
        return WIN - ply - 1;
    }
    if depth == 0 {
        return evaluate(board);
    }
    let mut best = -(WIN - ply);
    for played in legal_moves(board) {
        let undo = board.make(played);
        best = best.max(-minimax(board, depth - 1, ply + 1));
        board.unmake(played, undo);
    }
    best
}

fn value(board: &Board, depth: u8, lookup: Lookup) -> i32 {
    let game = Game::new(board.clone());
    let limits = Limits { depth, ..Limits::default() };
    Searcher::new(12, lookup).search(board, &mut game.history().clone(), limits).expect("a move").score
}

fn positions() -> Vec<Board> {
    [0, 1, 2, 3, 4, 8, 12, 20].iter().map(|&plies| opening(plies, plies as u64).board().clone()).collect()
}

#[test]
fn alpha_beta_finds_the_value_of_minimax() {
    for board in positions() {
        // A forced win ends the search at a smaller depth with the same score.
        assert_eq!(value(&board, 2, Lookup::Plain), minimax(&mut board.clone(), 2, 0), "{board}");
    }
}

#[test]
fn symmetric_lookup_changes_no_value() {
    for board in positions() {
        let plain = value(&board, 3, Lookup::Plain);
        assert_eq!(value(&board, 3, Lookup::Symmetric), plain, "{board}");
        for symmetry in Symmetry::all() {
            assert_eq!(value(&board.image(symmetry), 3, Lookup::Symmetric), plain, "{board}");
        }
    }
}

#[test]
fn symmetric_lookup_saves_nodes_at_the_start() {
    let nodes = [Lookup::Plain, Lookup::Symmetric].map(|lookup| {
        let game = Game::default();
        let limits = Limits { depth: 3, ..Limits::default() };
        Searcher::new(12, lookup).search(game.board(), &mut game.history().clone(), limits).unwrap().nodes
    });
    assert!(nodes[1] * 2 < nodes[0], "{nodes:?}");
}

#[test]
fn wins_in_one_are_found() {
    for (position, best) in [("9/9/2bk2b2/9/9/9/9/9/9 b", "g3e3"), ("9/9/9/2k6/9/9/9/3w5/9 w", "c4c1")] {
        let board: Board = position.parse().unwrap();
        let game = Game::new(board.clone());
        let answer = Searcher::new(8, Lookup::Symmetric)
            .search(&board, &mut game.history().clone(), Limits { nodes: 10_000, ..Limits::default() })
            .unwrap();
        assert_eq!(answer.score, WIN - 1);
        assert_eq!(answer.best.to_string(), best);
    }
}

#[test]
fn limits_hold_and_the_search_repeats_itself() {
    let game = Game::default();
    let run = || {
        let limits = Limits { nodes: 3_000, ..Limits::default() };
        Searcher::new(12, Lookup::Symmetric).search(game.board(), &mut game.history().clone(), limits).unwrap()
    };
    let (first, second) = (run(), run());
    assert!(first.nodes <= 3_000);
    assert_eq!((first.best, first.score, first.depth), (second.best, second.score, second.depth));
}

#[test]
fn the_engine_beats_a_random_player() {
    let limits = Limits { nodes: 500, ..Limits::default() };
    let results = play_match(6, 2, 1, || [Player::engine(limits), Player::Random]);
    assert!(results.white[0] + results.black[0] >= 5, "{results:?}");
}

#[test]
fn a_capture_of_the_king_is_no_repetition() {
    // The king goes between two soldiers, which is safe. One of them leaves and returns: the same pieces, but he is captured.
    let mut game = Game::new("9/9/2b1b4/9/9/3k5/9/9/w7b w".parse().unwrap());
    for text in ["d6d3", "i9i8", "a9a8", "e3g3", "a8a9"] {
        assert!(game.play(text.parse().unwrap()), "{text}");
    }
    let limits = Limits { depth: 1, ..Limits::default() };
    let answer = Searcher::new(8, Lookup::Symmetric).search(game.board(), &mut game.history().clone(), limits).unwrap();
    assert_eq!((answer.best.to_string().as_str(), answer.score), ("g3e3", WIN - 1));
    assert!(game.play(answer.best));
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
}
