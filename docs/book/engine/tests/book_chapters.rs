//! The tests to pass, chapter by chapter.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_book::Stage;
use alfiere_book::endgame;
use alfiere_book::evaluation::{Evaluator, Placement, material};
use alfiere_book::inference::PlainNetwork;
use alfiere_book::mailbox::Mailbox;
use alfiere_book::mcts::{Answer, Tree};
use alfiere_book::negamax::{alpha_beta, negamax};
use alfiere_book::network::Neural;
use alfiere_book::opening::OpeningBook;
use alfiere_book::perft::perft;
use alfiere_book::search::{INFINITY, MATE, Search};
use alfiere_book::time::Limits;
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move, legal_moves};
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_nnue::Network;
use alfiere_syzygy::Tablebases;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
/// Two rooks drive the king to the edge: mate in two.
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
/// Morphy's problem: 1. Ra6, and whatever Black moves allows mate. Black would like to pass: zugzwang.
const ZUGZWANG: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
/// The Two Knights Defence with captures everywhere.
const SHARP: &str = "r1bqkb1r/ppp2ppp/2n2n2/3pp1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 5";

fn position(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

/// The best move, score and nodes of a search to a fixed depth.
fn search(stage: Stage, fen: &str, depth: i32) -> (String, i32, u64) {
    let mut last = (String::new(), 0, 0);
    let mut search = Search::new(stage, Arc::new(AtomicBool::new(false)));
    search.run(&position(fen), &KeyHistory::new(), Limits { depth, ..Limits::NONE }, |iteration| {
        let best = iteration.best.expect("a legal move");
        last = (format_uci_move(best, CastlingNotation::Standard).to_string(), iteration.score, iteration.nodes);
    });
    last
}

#[test]
fn chapter_1_perft_counts_are_the_published_ones() {
    assert_eq!(perft(&Board::startpos(), 4), 197_281);
    assert_eq!(perft(&position(KIWIPETE), 3), 97_862);
    assert_eq!(perft(&position(ENDGAME), 4), 43_238);
}

#[test]
fn chapter_2_alpha_beta_agrees_with_negamax_and_visits_less() {
    for fen in [KIWIPETE, ENDGAME, ZUGZWANG] {
        let (board, mut all, mut fewer) = (position(fen), 0, 0);
        let expected = negamax(&board, 3, 0, &mut all);
        assert_eq!(alpha_beta(&board, 3, 0, -INFINITY, INFINITY, &mut fewer), expected, "{fen}");
        assert!(fewer < all, "{fen}: {fewer} of {all}");
        assert_eq!(search(Stage::AlphaBeta, fen, 3).1, expected, "{fen}");
    }
}

#[test]
fn chapter_2_a_score_outside_the_window_is_a_bound() {
    for fen in [KIWIPETE, ENDGAME, ZUGZWANG] {
        let board = position(fen);
        let exact = negamax(&board, 3, 0, &mut 0);
        let below = alpha_beta(&board, 3, 0, exact + 1, exact + 2, &mut 0);
        let above = alpha_beta(&board, 3, 0, exact - 2, exact - 1, &mut 0);
        assert!(exact <= below && below <= exact + 1, "{fen}: {below} for {exact}");
        assert!(exact - 1 <= above && above <= exact, "{fen}: {above} for {exact}");
    }
}

#[test]
fn chapter_2_quiescence_sees_that_the_pawn_is_guarded() {
    let guarded = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1";
    assert_eq!(search(Stage::AlphaBeta, guarded, 1).0, "d2d5");
    assert_ne!(search(Stage::Quiescence, guarded, 1).0, "d2d5");
}

#[test]
fn chapter_3_order_and_table_keep_the_score_and_save_most_of_the_work() {
    let (_, score, nodes) = search(Stage::Quiescence, SHARP, 3);
    let (_, ordered_score, ordered) = search(Stage::Ordering, SHARP, 3);
    assert_eq!(score, ordered_score);
    assert!(ordered * 4 < nodes, "{ordered} of {nodes}");
}

#[test]
fn chapter_3_a_narrow_window_at_the_root_keeps_the_mate() {
    // The score leaps from some pawns to a mate, far outside the window of the last iteration.
    assert_eq!(search(Stage::Ordering, MATE_IN_TWO, 6).1, MATE - 3);
    assert_eq!(search(Stage::Ordering, ZUGZWANG, 6).1, MATE - 3);
}

#[test]
fn chapter_4_pruning_saves_work_and_every_stage_finds_the_mate() {
    let (_, _, nodes) = search(Stage::Ordering, SHARP, 5);
    let (_, _, pruned) = search(Stage::Pruning, SHARP, 5);
    assert!(pruned * 2 < nodes, "{pruned} of {nodes}");
    for stage in Stage::ALL {
        assert_eq!(search(stage, MATE_IN_TWO, 5).1, MATE - 3, "{stage}");
    }
}

#[test]
fn chapter_4_the_null_move_is_blind_to_zugzwang() {
    let solution = ("a1a6".to_owned(), MATE - 3);
    let of = |stage| {
        let (best, score, _) = search(stage, ZUGZWANG, 6);
        (best, score)
    };
    assert_eq!(of(Stage::Ordering), solution);
    assert_ne!(of(Stage::Pruning), solution);
}

#[test]
fn chapter_5_no_search_is_given_more_than_the_clock_holds() {
    for remaining in [0, 1, 20, 100, 1_000, 60_000].map(Duration::from_millis) {
        for increment in [0, 100, 10_000].map(Duration::from_millis) {
            let limits = Limits::clock(remaining, increment);
            assert!(limits.soft <= limits.hard && limits.hard <= Some(remaining), "{remaining:?} {increment:?}");
        }
    }
}

#[test]
fn chapter_6_evaluation_is_the_same_for_both_colours() {
    let white = position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1");
    let black = position("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1");
    assert_eq!(Placement.evaluate(&white), Placement.evaluate(&black));
    assert_eq!(material(&white), 0);
}

#[test]
fn chapter_7_updated_accumulators_equal_fresh_ones_and_plain_integers() {
    let plain = PlainNetwork::from_bytes(&Network::embedded().to_bytes()).expect("the shape of the chapter");
    for fen in [KIWIPETE, ENDGAME, SHARP] {
        let (mut board, mut updated) = (position(fen), Neural::new());
        updated.reset(&board);
        let mut views = Color::ALL.map(|view| plain.accumulator(&board, view));
        for ply in 0..60 {
            let moves = legal_moves(&board);
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            let before = board;
            board = updated.play(&before, mv);
            views = Color::ALL.map(|view| plain.updated(&views[view.index()], &before, &board, view));
            assert_eq!(views, Color::ALL.map(|view| plain.accumulator(&board, view)), "{}", board.to_fen());
            let mut fresh = Neural::new();
            fresh.reset(&board);
            let value = updated.evaluate(&board);
            assert_eq!(value, fresh.evaluate(&board), "{}", board.to_fen());
            let (us, them) = (board.side_to_move().index(), (!board.side_to_move()).index());
            assert_eq!(value, plain.evaluate(&board, &views[us], &views[them]), "{}", board.to_fen());
        }
    }
}

fn data(path: &str) -> String {
    format!("{}/../../../{path}", env!("CARGO_MANIFEST_DIR"))
}

fn uci(mv: Move) -> String {
    format_uci_move(mv, CastlingNotation::Standard).to_string()
}

#[test]
fn chapter_15_the_book_has_known_moves_and_no_others() {
    let file = std::fs::read(data("books/small.bin")).expect("the book");
    let book = OpeningBook::from_bytes(&file).expect("a book");
    let start = Board::startpos();
    let moves = book.moves(&start);
    assert!(moves.iter().any(|&(mv, weight)| uci(mv) == "e2e4" && weight > 100));
    let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let mut random = Random::new(1);
    for (mv, weight) in moves {
        let drawn = (0..2_000).filter(|_| book.choose(&start, random.next_number()) == Some(mv)).count() as f64;
        let expected = 2_000.0 * f64::from(weight) / total as f64;
        assert!((drawn - expected).abs() < 5.0 * expected.sqrt().max(1.0), "{}: {drawn} for {expected}", uci(mv));
    }
    // Castling is the king on its rook's square.
    let castling = position("r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5");
    assert!(book.moves(&castling).iter().any(|&(mv, _)| uci(mv) == "e1g1"));
    assert_eq!(book.choose(&position(ENDGAME), 1), None);
    assert!(OpeningBook::from_bytes(&file[1..]).is_none(), "no whole entries");
    assert!(OpeningBook::from_bytes(&[&file[16..32], &file[..16]].concat()).is_none(), "not sorted");
}

#[test]
fn chapter_15_every_win_with_three_pieces_is_played_out_to_mate() {
    let tables = Tablebases::open(data("datasets/syzygy")).expect("the tables");
    let expected = std::fs::read_to_string(data("datasets/syzygy/expected.tsv")).expect("positions");
    let mut mates = 0;
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let (fen, rest) = line.split_once('\t').expect("two fields");
        let mut board = position(fen);
        if board.occupied().count() > 3 {
            continue;
        }
        let won = rest.starts_with('2');
        let value = endgame::score(&tables, &board).expect("a table");
        assert_eq!(value.signum(), if won { 1 } else { -i32::from(rest.starts_with('-')) }, "{fen}");
        while let Some(mv) = endgame::best_move(&tables, &board).filter(|_| won) {
            board.play(mv);
            assert!(board.halfmove_clock() < 100 && !board.has_insufficient_material(), "{fen}");
        }
        assert!(!won || board.in_check() && legal_moves(&board).is_empty(), "{fen}");
        mates += u32::from(won);
    }
    assert!(mates > 40, "{mates}");
}

#[test]
fn chapter_15_the_search_asks_the_tables_after_a_capture() {
    let take_the_pawn = position("1k6/8/8/8/8/p7/6K1/R7 w - - 0 1");
    let mut search = Search::new(Stage::Pruning, Arc::new(AtomicBool::new(false)));
    let mut score_in_one_ply = |tables| {
        search.tables = tables;
        let mut score = 0;
        let limits = Limits { depth: 1, ..Limits::NONE };
        search.run(&take_the_pawn, &KeyHistory::new(), limits, |iteration| score = iteration.score);
        score
    };
    assert_eq!(score_in_one_ply(Tablebases::none()), 500);
    assert_eq!(score_in_one_ply(Tablebases::open(data("datasets/syzygy")).expect("the tables")), endgame::TABLE_WIN);
}

fn grow(stage: Stage, fen: &str, visits: u64) -> Answer {
    let mut search = Search::new(stage, Arc::new(AtomicBool::new(false)));
    Tree::grow(&mut search, &position(fen), &KeyHistory::new(), Limits { nodes: visits, ..Limits::NONE })
}

#[test]
fn chapter_16_the_tree_proves_mates_in_one_and_two() {
    for (fen, best) in [("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"), (ZUGZWANG, "a1a6")] {
        let answer = grow(Stage::Network, fen, 5_000);
        assert_eq!(uci(answer.best.expect("a move")), best, "{fen}");
        assert!(answer.expected > 0.999 && answer.visits < 5_000, "{fen}: {} after {}", answer.expected, answer.visits);
    }
    assert!(grow(Stage::Network, MATE_IN_TWO, 5_000).expected > 0.999);
}

#[test]
fn chapter_16_the_tree_is_deterministic_and_its_moves_are_legal() {
    for fen in [KIWIPETE, ENDGAME, SHARP] {
        let [one, two] = [(); 2].map(|()| grow(Stage::Network, fen, 200));
        assert_eq!((one.best, one.expected, one.visits), (two.best, two.expected, 200), "{fen}");
        assert!(legal_moves(&position(fen)).contains(&one.best.expect("a move")), "{fen}");
    }
    // One visit is enough for a move; a finished game has none.
    assert!(grow(Stage::Network, KIWIPETE, 0).best.is_some());
    assert_eq!(grow(Stage::Network, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 10).best, None);
    assert_eq!(grow(Stage::AlphaBeta, "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", 0).visits, 0);
}

#[test]
fn chapter_17_the_mailbox_counts_as_the_bitboards_do() {
    let text = std::fs::read_to_string(data("datasets/perft/standard.epd")).expect("positions");
    for line in text.lines().filter(|line| !line.starts_with('#')).take(128) {
        let mut fields = line.split(';');
        let board = position(fields.next().expect("a position").trim());
        for field in fields {
            let (depth, count) = field.trim().trim_start_matches('D').split_once(' ').expect("depth and count");
            let (depth, count): (u32, u64) = (depth.parse().expect("a depth"), count.trim().parse().expect("a count"));
            if count < 30_000 {
                assert_eq!(Mailbox::from(&board).perft(depth), count, "{line}");
                assert_eq!(perft(&board, depth), count, "{line}");
            }
        }
    }
    assert_eq!(Mailbox::from(&position(KIWIPETE)).perft(3), 97_862);
}
