//! The rules, position by position.

use alfiere_chess::random::Random;
use alfiere_tablut::{
    board::{Board, Move, Piece, Side},
    game::{Game, Outcome},
    geometry::{ALL_CAMPS, ESCAPES, Square},
    moves::{is_legal, legal_moves},
    notation::START,
    player::opening,
    rows::Rows,
};

fn board(text: &str) -> Board {
    text.parse().expect("a position")
}

fn played(text: &str) -> Move {
    text.parse().expect("a move")
}

/// The position after a move that must be legal.
fn after(position: &str, text: &str) -> Board {
    let mut board = board(position);
    assert!(is_legal(&board, played(text)), "{text}\n{board}");
    let _ = board.make(played(text));
    board
}

fn empty(board: &Board, square: &str) -> bool {
    board.piece_on(square.parse().expect("a square")).is_none()
}

fn destinations(position: &str, from: &str) -> Vec<String> {
    let from: Square = from.parse().expect("a square");
    legal_moves(&board(position)).iter().filter(|m| m.from == from).map(|m| m.to.to_string()).collect()
}

#[test]
fn the_initial_position_is_the_written_one() {
    let start = Board::default();
    assert_eq!(start, board(START));
    assert_eq!(start.pieces(Piece::Attacker), ALL_CAMPS);
    assert_eq!(start.pieces(Piece::Defender).count_ones(), 8);
    assert_eq!(ESCAPES.count_ones(), 20);
    assert_eq!(start.side(), Side::White);
}

#[test]
fn move_counts_of_the_initial_position() {
    // e4: d4 c4 b4, f4 g4 h4; e3: d3 c3 b3 a3, f3 g3 h3 i3; the other arms are the same. The king cannot move.
    assert_eq!(legal_moves(&Board::default()).len(), 4 * (6 + 8));
    let black = board("3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b");
    // d1: a1 b1 c1 and d2 d3 d4; f1 the same; e2: three squares on each side; e1 none.
    assert_eq!(legal_moves(&black).len(), 4 * (3 + 3 + 3 + 3 + 6 + 2));
}

#[test]
fn nobody_enters_or_crosses_the_castle() {
    let position = "9/9/9/9/2w2w3/2k6/9/9/9 w";
    assert_eq!(destinations(position, "c5"), ["c1", "c2", "c3", "c4", "d5"]);
    assert!(!destinations("9/9/9/4k4/9/4w4/9/9/9 w", "e4").contains(&"e5".to_owned()));
}

#[test]
fn only_a_soldier_inside_its_camp_moves_there() {
    // From outside, a4 and e2 are walls.
    assert_eq!(
        destinations("9/9/9/2b6/4k4/9/9/9/9 b", "c4"),
        ["c1", "c2", "c3", "b4", "d4", "e4", "f4", "g4", "h4", "c5", "c6", "c7", "c8", "c9"]
    );
    // Inside its camp a soldier moves over camp squares and out, but not into the camp opposite.
    assert_eq!(
        destinations("3b5/9/9/9/4k4/9/9/9/9 b", "d1"),
        ["a1", "b1", "c1", "e1", "f1", "g1", "h1", "i1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"]
    );
    // White cannot enter a camp either.
    assert!(!destinations("9/3w5/9/9/3k5/9/9/9/9 w", "d2").contains(&"d1".to_owned()));
}

#[test]
fn soldiers_are_captured_between_two_enemies() {
    let both = after("9/9/2wbb1w2/9/4k4/9/9/9/9 w", "g3f3");
    assert!(!empty(&both, "d3"), "two soldiers in a row are safe");
    assert!(empty(&after("9/9/2wb2w2/9/4k4/9/9/9/9 w", "g3e3"), "d3"));
    assert!(empty(&after("9/9/2bw2b2/9/4k4/9/9/9/9 b", "g3e3"), "d3"));
    let three = after("9/3b5/1wb1bw3/9/3wk4/9/9/9/9 w", "d5d3");
    assert_eq!(three.pieces(Piece::Attacker).count_ones(), 0, "c3, e3, and d2 against the camp");
}

#[test]
fn a_piece_that_moves_between_two_enemies_is_safe() {
    assert!(!empty(&after("9/9/2b1b4/9/4k4/9/3w5/9/9 w", "d7d3"), "d3"));
}

#[test]
fn the_king_captures() {
    assert!(empty(&after("9/9/2wb3k1/9/9/9/9/9/9 w", "h3e3"), "d3"));
    assert!(empty(&after("9/9/2kb2w2/9/9/9/9/9/9 w", "g3e3"), "d3"));
}

#[test]
fn camps_and_the_castle_are_hostile() {
    // Black on e3 between e4 and the empty camp e2; white on e3 the same.
    assert!(empty(&after("9/9/4b4/5w3/2k6/9/9/9/9 w", "f4e4"), "e3"));
    assert!(empty(&after("9/9/4w4/5b3/2k6/9/9/9/9 b", "f4e4"), "e3"));
    // A black soldier in its camp: e1 is hostile to e2.
    assert!(empty(&after("9/4b4/5w3/9/2k6/9/9/9/9 w", "f3e3"), "e2"));
    // Next to the empty castle.
    assert!(empty(&after("9/9/5w3/4b4/2k6/9/9/9/9 w", "f3e3"), "e4"));
    assert!(empty(&after("9/9/5b3/4w4/2k6/9/9/9/9 b", "f3e3"), "e4"));
    // With the king on it, the castle is hostile to Black only.
    assert!(empty(&after("9/9/5w3/4b4/4k4/9/9/9/9 w", "f3e3"), "e4"));
    assert!(!empty(&after("9/9/5b3/4w4/4k4/9/9/9/9 b", "f3e3"), "e4"));
}

#[test]
fn the_last_defender_is_captured_against_the_king() {
    assert!(empty(&after("9/9/5b3/4w4/3bkb3/4b4/9/9/9 b", "f3e3"), "e4"));
    assert!(!empty(&after("9/9/5b3/4w4/3bkw3/4b4/9/9/9 b", "f3e3"), "e4"));
}

#[test]
fn the_king_on_the_castle_needs_four() {
    assert_eq!(after("9/9/4b4/9/3bkb3/4b4/9/9/9 b", "e3e4").winner(), Some(Side::Black));
    assert_eq!(after("9/9/4b4/9/3bkw3/4b4/9/9/9 b", "e3e4").winner(), None);
}

#[test]
fn the_king_beside_the_castle_needs_three() {
    assert_eq!(after("9/9/5b3/3bkb3/9/9/9/9/9 b", "f3e3").winner(), Some(Side::Black));
    assert_eq!(after("9/9/5b3/3bk4/9/9/9/9/9 b", "f3e3").winner(), None);
    // The third soldier may also arrive at the side.
    assert_eq!(after("9/9/4bb3/3bk4/9/9/9/9/9 b", "f3f4").winner(), Some(Side::Black));
}

#[test]
fn the_king_elsewhere_needs_two() {
    assert_eq!(after("9/9/2bk2b2/9/9/9/9/9/9 b", "g3e3").winner(), Some(Side::Black));
    // On the castle's row, but not beside it.
    assert_eq!(after("9/9/9/9/1bk6/3b5/9/9/9 b", "d6d5").winner(), Some(Side::Black));
    // Against a camp.
    assert_eq!(after("9/9/4k4/5b3/9/9/9/9/9 b", "f4e4").winner(), Some(Side::Black));
    // He may move between two soldiers.
    assert_eq!(after("9/9/2b1b4/9/9/9/3k5/9/9 w", "d7d3").winner(), None);
}

#[test]
fn the_king_wins_on_the_edge() {
    let mut won = after("9/9/2k6/9/9/9/9/9/9 w", "c3c1");
    assert_eq!(won.winner(), Some(Side::White));
    assert!(legal_moves(&won).is_empty());
    won.unmake(played("c3c1"), board("9/9/2k6/9/9/9/9/9/9 w").make(played("c3c1")));
    assert_eq!(won, board("9/9/2k6/9/9/9/9/9/9 w"));
}

#[test]
fn a_player_without_moves_loses() {
    assert_eq!(Game::new(board("9/9/9/9/4k4/9/9/9/9 b")).outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn a_repeated_position_is_a_draw_and_a_capture_forgets() {
    let mut game = Game::default();
    for text in ["e4f4", "d1c1", "f4g4", "c1b1", "g4f4"] {
        assert!(game.play(played(text)));
        assert_eq!(game.outcome(), None);
    }
    assert!(game.play(played("b1c1")));
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert!(!game.play(played("f4e4")), "the game is over");

    let mut history = alfiere_tablut::history::History::default();
    assert!(!history.play(7, false));
    assert!(history.enter(7, false), "a played position");
    history.leave();
    assert!(!history.enter(8, true));
    assert!(!history.enter(7, false), "played before the capture");
    assert!(history.enter(8, false), "searched");
    for key in 100..10_000 {
        assert!(!history.play(key, false));
    }
    assert!(history.play(7, false), "nothing was overwritten");
}

#[test]
fn invalid_positions_and_moves_are_refused() {
    for text in ["", "9/9 w", "9/9/9/9/9/9/9/9/9 w", "9/9/9/9/4kk3/9/9/9/9 w", "9/9/9/9/9k/9/9/9/9 w"] {
        assert!(text.parse::<Board>().is_err(), "{text}");
    }
    for text in ["k8/9/9/9/9/9/9/9/9 w", "4w4/9/9/9/4k4/9/9/9/9 w", "9/9/9/4k4/4b4/9/9/9/9 w"] {
        assert!(text.parse::<Board>().is_err(), "{text}");
    }
    for text in ["", "e4", "e4f0", "e4f44", "é4f4"] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
}

#[test]
fn unmake_restores_the_position_and_its_keys() {
    let mut captures = 0;
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let mut board = Board::default();
        let mut stack = Vec::new();
        while let moves @ [_, ..] = legal_moves(&board).as_slice() {
            let chosen = moves[random.below(moves.len() as u64) as usize];
            let before = board.clone();
            let expected = board.captures(chosen);
            let undo = board.make(chosen);
            assert_eq!(expected, undo.is_capture());
            captures += usize::from(expected);
            stack.push((before, chosen, undo));
        }
        for (before, chosen, undo) in stack.into_iter().rev() {
            board.unmake(chosen, undo);
            assert_eq!(board, before);
        }
    }
    assert!(captures > 100, "{captures}");
}

#[test]
fn openings_are_equal_for_equal_seeds() {
    assert_eq!(opening(6, 3).board(), opening(6, 3).board());
    assert_ne!(opening(6, 3).board(), opening(6, 4).board());
}

#[test]
fn rows_of_two_bits_have_the_same_moves() {
    for plies in 0..40 {
        let board = opening(plies, plies as u64).board().clone();
        let (mut moves, mut of_rows) = (legal_moves(&board), Rows::from(&board).legal_moves());
        moves.sort_by_key(|m| (m.from, m.to));
        of_rows.sort_by_key(|m| (m.from, m.to));
        assert_eq!(moves, of_rows, "{board}");
        for &quiet in moves.iter().filter(|&&m| !board.captures(m)) {
            let (mut after, mut rows) = (board.clone(), Rows::from(&board));
            let _ = after.make(quiet);
            rows.shift(quiet);
            assert_eq!(rows, Rows::from(&after), "{quiet}\n{board}");
        }
    }
}
