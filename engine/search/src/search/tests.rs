//! What a search must get right whatever its tuning.

mod ponder;

use std::time::{Duration, Instant};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{is_legal, legal_moves, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_syzygy::Tablebases;

use super::*;
use crate::eval::Classical;
use crate::platform::STACK_BYTES;

/// A search with everything it needs, over the hand-written evaluation.
pub(super) struct Bench {
    table: Table,
    thread_data: Vec<ThreadData<Classical>>,
    pub(super) lines: usize,
    contempt: i32,
    tablebases: Tablebases,
    probe_rules: ProbeRules,
}

impl Bench {
    pub(super) fn new(threads: usize) -> Self {
        let thread_data = (0..threads).map(|_| ThreadData::new(Classical::new())).collect();
        Self {
            table: Table::new(4).0,
            thread_data,
            lines: 1,
            contempt: 0,
            tablebases: Tablebases::none(),
            probe_rules: ProbeRules::default(),
        }
    }

    fn search(
        &mut self,
        board: &Board,
        keys: &KeyHistory,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        self.run(board, keys, limits, reporter, search)
    }

    /// Some way to find a move, with a thread of its own.
    pub(super) fn run(
        &mut self,
        board: &Board,
        keys: &KeyHistory,
        limits: &Limits,
        reporter: &mut dyn Reporter,
        find: impl FnOnce(&mut [ThreadData<Classical>], &SearchInput<'_>, &mut dyn Reporter) -> SearchResult + Send,
    ) -> SearchResult {
        let control = Control::new(limits.mode);
        let input = SearchInput {
            board,
            keys,
            limits,
            lines: self.lines,
            contempt: self.contempt,
            tablebases: &self.tablebases,
            probe_rules: self.probe_rules,
            move_overhead: Duration::from_millis(10),
            table: &self.table,
            strength_limit: None,
            control: &control,
        };
        let thread_data = &mut self.thread_data;
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let run = thread.spawn_scoped(scope, || find(thread_data, &input, reporter)).expect("a thread");
            run.join().expect("no panic")
        })
    }
}

pub(super) fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

#[test]
fn mates_from_the_table_are_bounded_by_the_fifty_move_rule() {
    let mut bench = Bench::new(1);
    let mut search = |clock: u32, limits: &Limits| {
        let board = board(&format!("8/8/8/4k3/8/8/1K6/RR6 w - - {clock} 80"));
        bench.search(&board, &KeyHistory::new(), limits, &mut Silent).score
    };
    let fastest = Limits { mate: Some(8), ..Limits::depth(30) };
    let plies = search(0, &fastest).plies_to_mate().expect("two rooks mate");
    for clock in [80, 86, 88] {
        let left = 100 - clock as usize;
        assert!(plies > left || clock == 80, "{plies}");
        let found = search(clock, &Limits::depth(8));
        assert!(found.plies_to_mate().is_none_or(|plies| plies <= left), "{clock}: {found}");
    }
}

fn solve(fen: &str, limits: &Limits) -> SearchResult {
    Bench::new(1).search(&board(fen), &KeyHistory::new(), limits, &mut Silent)
}

/// Positions that meet every rule: castling, promotion, en passant, pins, checks, bare endings.
pub(super) const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "8/5k2/8/8/3Q4/8/1K6/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 97 120",
];

#[test]
fn mates_are_found_and_counted() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0),
        ("6rk/6pp/8/6N1/8/8/1Q6/7K w - - 0 1", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let outcome = solve(fen, &Limits { mate: Some(moves.max(1)), depth: Some(18), ..Limits::default() });
        if moves == 0 {
            assert_eq!(outcome.best, None, "{fen}");
            assert_eq!(outcome.score.moves_to_mate(), Some(0), "{fen}");
        } else {
            assert_eq!(outcome.score.moves_to_mate(), Some(moves as i32), "{fen}");
            assert_eq!(outcome.variation.len(), 2 * moves as usize - 1, "the whole mate is shown: {fen}");
        }
    }
}

#[test]
fn draws_score_as_draws() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/4k3/8/4K2B w - - 0 1", "8/8/4k3/8/8/3KN3/8/8 b - - 12 40"]
    {
        assert_eq!(solve(fen, &Limits::depth(6)).score, Score::DRAW, "{fen}");
    }
    // A rook ahead, but every quiet move ends the game.
    let outcome = solve("8/8/8/4k3/8/8/4K3/R7 w - - 99 140", &Limits::depth(5));
    assert_eq!(outcome.score, Score::DRAW);
    // Mate on the hundredth ply takes precedence.
    let outcome = solve("7k/8/6K1/8/8/8/8/R7 w - - 99 140", &Limits::depth(3));
    assert_eq!(outcome.score, Score::mate_at(1));
}

#[test]
fn a_lost_side_repeats_a_played_position_if_that_saves_it() {
    // White is far behind, but the queen's checks repeat.
    let mut position = board("6k1/8/6K1/8/8/8/1r6/q6Q w - - 0 1");
    let mut keys = KeyHistory::new();
    for text in ["h1d5", "g8h8", "d5h1", "h8g8", "h1d5", "g8h8"] {
        let mv = parse_uci_move(&position, text).expect("legal");
        keys.push(&position);
        position.play(mv);
    }
    let outcome = Bench::new(1).search(&position, &keys, &Limits::depth(8), &mut Silent);
    assert!(outcome.score >= Score::DRAW, "{}", outcome.score);
}

#[test]
fn a_move_that_lets_the_other_side_repeat_is_worth_a_draw() {
    let mut position = board("6k1/8/8/8/8/r7/8/1K5Q w - - 0 1");
    let mut keys = KeyHistory::new();
    for text in ["h1h2", "a3a4", "h2h1", "a4a3", "h1h2", "a3a4"] {
        let mv = parse_uci_move(&position, text).expect("legal");
        keys.push(&position);
        position.play(mv);
    }
    // One ply does not reach the third occurrence: it must be foreseen.
    let score = |text: &str| {
        let only = vec![parse_uci_move(&position, text).expect("legal")];
        let limits = Limits { search_moves: only, ..Limits::depth(1) };
        Bench::new(1).search(&position, &keys, &limits, &mut Silent).score
    };
    assert_eq!(score("h2h1"), Score::DRAW, "the rook goes back to a3");
    assert!(score("h2h3") > Score::evaluation(200));
}

#[test]
fn the_same_search_twice_gives_the_same_nodes() {
    for fen in POSITIONS {
        let [first, second] = [0, 1].map(|_| solve(fen, &Limits::depth(8)));
        assert_eq!((first.nodes, first.best, first.score), (second.nodes, second.best, second.score), "{fen}");
    }
}

/// Checks every variation told, move by move.
struct LegalLines<'a> {
    board: &'a Board,
    told: usize,
}

impl Reporter for LegalLines<'_> {
    fn info(&mut self, info: &Info<'_>) {
        let mut board = self.board.clone();
        for &mv in info.variation {
            assert!(is_legal(&board, mv), "{mv:?} of {:?} in {}", info.variation, self.board);
            board.play(mv);
        }
        self.told += 1;
    }
}

#[test]
fn no_variation_holds_an_illegal_move() {
    let mut bench = Bench::new(1);
    bench.lines = 3;
    for fen in alfiere_chess::positions::POSITIONS.into_iter().chain(POSITIONS) {
        // One table for all positions: moves of others must do no harm.
        let board = board(fen);
        let mut reporter = LegalLines { board: &board, told: 0 };
        let outcome = bench.search(&board, &KeyHistory::new(), &Limits::depth(7), &mut reporter);
        assert!(reporter.told >= 7 || outcome.best.is_none());
        assert_eq!(outcome.variation.first().copied(), outcome.best);
    }
}

#[test]
fn contempt_is_for_the_side_that_searches() {
    // The one legal move takes the last piece; fifty moves are over after the answer.
    for fen in ["k7/8/8/8/8/8/1q6/K7 w - - 0 1", "8/8/8/3k4/8/8/4R3/4K3 b - - 98 90"] {
        for contempt in [-30, 0, 30] {
            let mut bench = Bench { contempt, ..Bench::new(1) };
            let outcome = bench.search(&board(fen), &KeyHistory::new(), &Limits::depth(6), &mut Silent);
            assert_eq!(outcome.score.value(), -contempt, "{fen} {contempt}");
        }
    }
}

#[test]
fn foreign_moves_in_the_table_do_no_harm() {
    use super::score::Depth;
    use super::table::{Bound, Entry};
    let mut bench = Bench::new(1);
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for fen in POSITIONS {
        let board = board(fen);
        // The root's children and grandchildren get entries with any bits for a move.
        for mv in legal_moves(&board) {
            let mut child = board.clone();
            child.play(mv);
            for answer in legal_moves(&child) {
                let mut grandchild = child.clone();
                grandchild.play(answer);
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let bits = Move::from_bits((random >> 40) as u16);
                for key in [child.key(), grandchild.key()] {
                    let entry = Entry::new(Depth::plies(2), Bound::Lower, Score::DRAW, 1, bits, None);
                    bench.table.store(key, entry);
                }
            }
        }
        let mut reporter = LegalLines { board: &board, told: 0 };
        bench.search(&board, &KeyHistory::new(), &Limits::depth(6), &mut reporter);
    }
}

#[test]
fn several_lines_are_different_and_in_order() {
    #[derive(Default)]
    struct Lines(Vec<(u32, usize, Score, Move)>);
    impl Reporter for Lines {
        fn info(&mut self, info: &Info<'_>) {
            self.0.push((info.depth, info.line, info.score, info.variation[0]));
        }
    }
    let mut bench = Bench::new(1);
    bench.lines = 4;
    let mut lines = Lines::default();
    bench.search(&board(POSITIONS[1]), &KeyHistory::new(), &Limits::depth(7), &mut lines);
    let last: Vec<_> = lines.0.iter().rev().take(4).rev().collect();
    for (index, pair) in last.windows(2).enumerate() {
        assert_eq!(pair[0].1, index + 1);
        assert!(pair[0].2 >= pair[1].2);
    }
    let mut moves: Vec<_> = last.iter().map(|line| line.3.to_bits()).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 4);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let board = board(POSITIONS[0]);
    let wanted = parse_uci_move(&board, "a2a3").expect("legal");
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(6) };
    let outcome = Bench::new(1).search(&board, &KeyHistory::new(), &limits, &mut Silent);
    assert_eq!(outcome.best, Some(wanted));
}

#[test]
fn nodes_and_time_are_kept() {
    let outcome = solve(POSITIONS[1], &Limits::nodes(20_000));
    assert!((20_000..20_600).contains(&outcome.nodes), "{}", outcome.nodes);
    for limits in [
        Limits::move_time(Duration::from_millis(60)),
        Limits::clock(Duration::from_millis(60), Duration::ZERO),
        Limits::clock(Duration::from_millis(1), Duration::ZERO),
        Limits::clock(Duration::ZERO, Duration::ZERO),
    ] {
        let start = Instant::now();
        let outcome = solve(POSITIONS[1], &Limits { start, ..limits });
        assert!(outcome.best.is_some());
        // Generous: the machine may be busy with other tests.
        assert!(start.elapsed() < Duration::from_millis(400), "{:?}", start.elapsed());
    }
}

#[test]
fn soft_nodes_end_with_a_whole_iteration() {
    let mut passed = 0;
    for fen in POSITIONS {
        if legal_moves(&board(fen)).is_empty() {
            continue;
        }
        let outcome = solve(fen, &Limits::soft_nodes(3_000, 200_000));
        let whole = solve(fen, &Limits::depth(outcome.depth));
        assert_eq!((outcome.best, outcome.score, outcome.nodes), (whole.best, whole.score, whole.nodes), "{fen}");
        let before = solve(fen, &Limits::depth(outcome.depth - 1));
        assert!(before.nodes < 3_000, "{fen}: {} nodes a ply earlier", before.nodes);
        passed += u32::from(outcome.nodes > 3_000);
        let cut = solve(fen, &Limits::soft_nodes(3_000, 3_100));
        assert!(cut.nodes < 3_700, "{fen}: {}", cut.nodes);
    }
    assert!(passed > 0);
}

#[test]
fn threads_agree_on_what_is_forced() {
    let limits = Limits { mate: Some(3), ..Limits::move_time(Duration::from_secs(20)) };
    let outcome =
        Bench::new(3).search(&board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), &KeyHistory::new(), &limits, &mut Silent);
    assert_eq!(outcome.score.moves_to_mate(), Some(3));
}

#[test]
fn a_lone_king_is_mated_before_fifty_moves_are_over() {
    for fen in ["8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "8/8/8/3k4/8/8/8/KBB5 w - - 0 1", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"] {
        let mut position = board(fen);
        let mut keys = KeyHistory::new();
        let mut bench = Bench::new(1);
        let mut plies = 0;
        while !legal_moves(&position).is_empty() {
            assert!(plies < 100, "{fen}: not mated yet in {position}");
            let outcome = bench.search(&position, &keys, &Limits::nodes(60_000), &mut Silent);
            keys.push(&position);
            position.play(outcome.best.expect("there are legal moves"));
            plies += 1;
        }
        assert!(position.in_check(), "{fen}: stalemate in {position}");
    }
}

#[test]
fn the_best_move_is_not_punished_for_having_been_searched() {
    use super::ordering::{ContinuationRow, HistoryContext};
    for fen in ["6k1/5ppp/8/8/8/8/P4PPP/R5K1 w - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", POSITIONS[7]] {
        let (board, mut bench) = (board(fen), Bench::new(1));
        let outcome = bench.search(&board, &KeyHistory::new(), &Limits::depth(10), &mut Silent);
        let mv = outcome.best.expect("a legal move");
        let context = HistoryContext { past: [ContinuationRow::NONE; 6], ply: 0 };
        assert!(bench.thread_data[0].history.at(&board, context).of(&board, mv).butterfly > 0, "{mv:?} in {fen}");
    }
}

#[test]
fn a_singularity_test_leaves_the_mark_of_its_node() {
    use super::node::NodeType;
    use super::request::TablebaseContext;
    use super::score::Depth;
    use super::score::Window;
    use super::table::{Bound, Entry};
    use super::thread::{Role, Worker};
    let (board, mut bench) = (board(POSITIONS[1]), Bench::new(1));
    let find = |data: &mut [ThreadData<Classical>], input: &SearchInput<'_>, reporter: &mut dyn Reporter| {
        let (time, mut endgames) = (input.time(), TablebaseContext::new(input.tablebases, input.probe_rules));
        let root = endgames.rank_root(input.board, input.keys, &input.moves(), input.control);
        let mut worker = Worker::new(&mut data[0], input, (&endgames, &time), Role::Helper, root, reporter);
        worker.iteration = Depth::plies(20);
        worker.root_width = Score::MAX - Score::MIN;
        // The node at ply 1 is on the principal variation; its entry, which calls for the test, is not.
        let mv = legal_moves(&board)[0];
        let child = worker.play(&board, mv, 0);
        let hash_move = legal_moves(&child).iter().copied().find(|mv| !mv.is_noisy());
        let entry = Entry::new(Depth::plies(9), Bound::Lower, Score::DRAW, 1, hash_move, None);
        input.table.store(child.key(), entry);
        worker.alpha_beta(&child, Window::FULL, Depth::plies(9), 1, NodeType::Pv).expect("it is not stopped");
        assert!(worker.data.frames.at(1).tt_pv);
        search(data, input, reporter)
    };
    bench.run(&board, &KeyHistory::new(), &Limits::depth(1), &mut Silent, find);
}
