//! The evaluation on thousands of positions of real games.

use std::io::{BufRead, BufReader};
use std::path::Path;

use alfiere_chess::files;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;

use super::report::counts;
use super::weights::WEIGHT_COUNT;
use super::*;

/// Positions from the front of the sample, games in order.
fn positions(count: usize) -> Vec<Board> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/kaggle/sample.csv.gz"));
    let lines = BufReader::new(files::open(path).expect("the sample")).lines().skip(1).take(count);
    let board = |line: String| Board::from_fen(line.split(',').next()?).ok();
    lines.map(|line| board(line.expect("text")).expect("a legal position")).collect()
}

/// The position with colours exchanged, and the one in a mirror.
fn twins(board: &Board) -> [Option<Board>; 2] {
    let fen = board.to_fen();
    let mut fields = fen.split(' ');
    let mut field = || fields.next().expect("six fields");
    let (placement, side, rights, passed) = (field(), field(), field(), field());
    let ranks: Vec<&str> = placement.split('/').collect();
    let swap_case =
        |text: &str| -> String {
            text.chars()
                .map(|letter| {
                    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
                })
                .collect()
        };
    let turned: Vec<String> = ranks.iter().rev().map(|rank| swap_case(rank)).collect();
    let passed_turned = passed.replace('6', "x").replace('3', "6").replace('x', "3");
    let (turned_side, turned_rights) = (if side == "w" { "b" } else { "w" }, swap_case(rights));
    let turned = format!("{} {turned_side} {turned_rights} {passed_turned} 0 1", turned.join("/"));
    let mirrored: Vec<String> = ranks.iter().map(|rank| rank.chars().rev().collect()).collect();
    // Rights to castle do not survive a mirror.
    let mirrored = (rights == "-" && passed == "-").then(|| format!("{} {side} - - 0 1", mirrored.join("/")));
    [Some(turned), mirrored].map(|fen| fen.map(|fen| Board::from_fen(&fen).expect("a legal twin")))
}

#[test]
fn twins_are_worth_the_same_to_the_side_to_move() {
    let mut evaluator = Classical::new();
    let mut mirrored = 0;
    for board in positions(6_000) {
        let value = evaluator.evaluate(&board);
        for (index, twin) in twins(&board).into_iter().enumerate() {
            let Some(twin) = twin else { continue };
            assert_eq!(evaluator.evaluate(&twin), value, "{board}");
            mirrored += index;
        }
    }
    assert!(mirrored > 1_000, "{mirrored}");
}

#[test]
fn remembered_pawns_are_worth_what_fresh_ones_are() {
    let mut evaluator = Classical::new();
    let mut random = Random::new(5);
    for start in alfiere_chess::positions::POSITIONS {
        let mut board = Board::from_fen(start).expect("a legal position");
        for _ in 0..60 {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            board.play(moves[random.below(moves.len() as u64) as usize]);
            let first = evaluator.evaluate(&board);
            assert_eq!(first, evaluator.evaluate(&board), "{board}");
            let fresh = Classical { weights: Weights::embedded(), pawns: PawnTable::new() }.evaluate(&board);
            assert_eq!(first, fresh, "{board}");
        }
    }
}

/// White's value of a position as the sum of counts times weights, in floating point.
fn traced_value(board: &Board, weights: &[[f32; 2]]) -> f32 {
    let counts = counts(board);
    let sum = |half: usize| -> f32 {
        let term = |place: usize| weights[place][half] * f32::from(counts.0[0][place] - counts.0[1][place]);
        (0..WEIGHT_COUNT).map(term).sum()
    };
    let (taper, endgame) = (Taper::of(board), sum(1));
    let middlegame_share = taper.phase as f32 / FULL_PHASE as f32;
    let scale = taper.scales[usize::from(endgame <= 0.0)] as f32 / FULL_SCALE as f32;
    sum(0) * middlegame_share + endgame * (1.0 - middlegame_share) * scale
}

#[test]
fn counts_times_weights_are_the_evaluation() {
    let weights: Vec<[f32; 2]> =
        (0..WEIGHT_COUNT).map(|place| Weights::embedded().values(place).map(|value| value as f32)).collect();
    let mut evaluator = Classical::new();
    for board in positions(8_000) {
        let own = evaluator.evaluate(&board);
        let white = if board.side_to_move() == Color::White { own } else { -own };
        let traced = traced_value(&board, &weights);
        assert!((traced - white as f32).abs() < 1.01, "{traced} {white} {board}");
        let report = ClassicalReport::of(&board);
        assert_eq!(report.value, white);
        let total =
            |phase: usize| -> i32 { report.terms.iter().map(|term| term.white[phase] - term.black[phase]).sum() };
        let (middlegame, endgame) = (total(0), total(1) * report.endgame_scale);
        let blended = middlegame * report.phase * ClassicalReport::FULL_SCALE
            + endgame * (ClassicalReport::FULL_PHASE - report.phase);
        assert_eq!(blended / (ClassicalReport::FULL_PHASE * ClassicalReport::FULL_SCALE), white, "{board}");
    }
}

#[test]
fn every_term_occurs_and_weighs_something() {
    let mut occurred = [false; WEIGHT_COUNT];
    for board in positions(30_000) {
        let counts = counts(&board);
        for (place, occurred) in occurred.iter_mut().enumerate() {
            *occurred |= counts.0.iter().any(|side| side[place] != 0);
        }
    }
    for term in Term::ALL {
        assert!(term.range().any(|place| occurred[place]), "{} never occurs", term.label());
        let weighs = term.range().any(|place| Weights::embedded().values(place) != [0, 0]);
        assert!(weighs, "{} weighs nothing", term.label());
    }
    let cases = occurred.iter().filter(|&&occurred| occurred).count();
    assert!(cases * 20 > WEIGHT_COUNT * 17, "{cases} of {WEIGHT_COUNT}");
}

#[test]
fn what_players_know() {
    let mut evaluator = Classical::new();
    let mut value = |fen: &str| evaluator.evaluate(&Board::from_fen(fen).expect("a legal position"));
    // A queen more wins; opposite bishops hardly do with a pawn more; a bishop alone does not.
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 500);
    let same = value("8/5k2/2b5/8/2P5/3B1K2/8/8 w - - 0 1");
    let opposite = value("8/5k2/3b4/8/2P5/3B1K2/8/8 w - - 0 1");
    assert!(opposite < same, "{opposite} {same}");
    assert!(value("8/5k2/8/8/8/3B1K2/8/8 w - - 0 1").abs() < 30);
    // A passed pawn is worth more the farther it is.
    let [far, near] = ["4k3/8/P7/8/8/8/5ppp/4K3 w - - 0 1", "4k3/8/8/8/8/P7/5ppp/4K3 w - - 0 1"].map(&mut value);
    assert!(far > near, "{far} {near}");
}
