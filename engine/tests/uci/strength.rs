//! Limited strength: games at various levels, and UCI behaviour of limited players.

use std::time::{Duration, Instant};

use alfiere_arena::spec::OptionKind;
use alfiere_chess::board::Board;
use alfiere_chess::movegen::{is_legal, legal_moves, parse_uci_move};
use alfiere_chess::types::{Color, Move};
use alfiere_search::engine::{Engine, Position, Rating, Settings, Strength};
use alfiere_search::search::{Info, Limits, Reporter, SearchResult, Silent};

use crate::common::grammar::{Line, parse};
use crate::common::gui::Gui;

/// An engine limited to a rating, with a seed for its mistakes.
fn player(elo: u32, seed: u64) -> Engine {
    let mut engine = Engine::new();
    limit(&mut engine, elo, seed);
    engine
}

fn limit(engine: &mut Engine, elo: u32, seed: u64) {
    let strength = Strength { limited: true, elo: Rating::new(elo), ..Strength::default() };
    // Seed 0 would be different in each run.
    engine.configure(Settings { hash_mib: 1, strength, seed: seed + 1, ..engine.settings().clone() });
}

fn position(fen: &str) -> Position {
    Position::new(Board::from_fen(fen).unwrap())
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits, reporter: &mut dyn Reporter) -> SearchResult {
    engine.set_position(position.clone());
    engine.search(limits, reporter).unwrap()
}

/// White's points in half points (2 for a win), and the moves; long games are draws.
fn game(start: &Position, white: &mut Engine, black: &mut Engine) -> (u32, Vec<Move>) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    white.new_game();
    black.new_game();
    while moves.len() < 300 {
        let board = position.board();
        let side = board.side_to_move();
        if legal_moves(board).is_empty() {
            let points = if !board.in_check() {
                1
            } else if side == Color::White {
                0
            } else {
                2
            };
            return (points, moves);
        }
        if board.halfmove_clock() >= 100 || board.has_insufficient_material() || position.keys().count(board) >= 2 {
            break;
        }
        let engine = if side == Color::White { &mut *white } else { &mut *black };
        let best = search(engine, &position, &Limits::default(), &mut Silent).best.unwrap();
        moves.push(best);
        position.play(best);
    }
    (1, moves)
}

const OPENINGS: [&str; 2] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3",
];

/// Positions with castling, promotion, check, mate or few legal moves.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "8/5k2/8/8/3Q4/8/1K6/8 b - - 0 1",
    "k7/8/8/8/8/8/1q6/K7 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 97 120",
];

#[test]
fn rating_2000_beats_rating_1000() {
    let mut points = 0;
    for (number, fen) in (0..).zip(OPENINGS) {
        let (mut weak, mut strong) = (player(1000, number), player(2000, 10 + number));
        points += game(&position(fen), &mut strong, &mut weak).0;
        points += 2 - game(&position(fen), &mut weak, &mut strong).0;
    }
    assert!(points >= 7, "{points} of 8 half points");
}

#[test]
fn games_depend_on_the_seed_and_not_on_threads() {
    let start = position(OPENINGS[0]);
    for elo in [900, 1700] {
        let mut players = [player(elo, 0), player(elo, 0)];
        // The same two engines are reused: earlier games must not matter.
        let mut play = |seed, threads| {
            for (engine, seed) in players.iter_mut().zip([seed, seed + 1]) {
                limit(engine, elo, 1_000);
                limit(engine, elo, seed);
                engine.configure(Settings { threads, ..engine.settings().clone() });
            }
            let [white, black] = &mut players;
            game(&start, white, black).1
        };
        let first = play(5, 1);
        assert_ne!(first, play(7, 1), "{elo}");
        assert_eq!(first, play(5, 3), "{elo}");
        let [mut white, mut black] = [player(elo, 5), player(elo, 6)];
        assert_eq!(first, game(&start, &mut white, &mut black).1, "{elo}, other engines");
    }
}

#[test]
fn games_without_a_seed_differ() {
    let start = position(POSITIONS[0]);
    let mut engines = [Engine::new(), Engine::new()];
    for engine in &mut engines {
        limit(engine, Rating::LOWEST.elo(), 0);
        engine.configure(Settings { seed: 0, ..engine.settings().clone() });
    }
    let [white, black] = &mut engines;
    let first = game(&start, white, black).1;
    assert_ne!(first, game(&start, white, black).1, "a new game has a new seed");
}

#[derive(Default)]
struct ReportedLines(Vec<Vec<Move>>);

impl Reporter for ReportedLines {
    fn info(&mut self, info: &Info<'_>) {
        self.0.resize(self.0.len().max(info.line), Vec::new());
        self.0[info.line - 1] = info.variation.to_vec();
    }
}

#[test]
fn moves_are_legal_reported_and_in_time() {
    let levels = (Rating::LOWEST.elo()..=Rating::HIGHEST.elo()).step_by(300);
    let (mut searches, mut late) = (0, 0);
    for (number, elo) in (0..).zip(levels) {
        for (fen, lines) in POSITIONS.into_iter().flat_map(|fen| [(fen, 1), (fen, 3)]) {
            let mut engine = player(elo, number);
            engine.configure(Settings { lines, ..engine.settings().clone() });
            let position = position(fen);
            let mut reported = ReportedLines::default();
            let start = Instant::now();
            let limits = Limits { start, ..Limits::clock(Duration::from_millis(10), Duration::ZERO) };
            let outcome = search(&mut engine, &position, &limits, &mut reported);
            searches += 1;
            late += u32::from(start.elapsed() > Duration::from_millis(100));
            let best = outcome.best.unwrap();
            assert!(is_legal(position.board(), best), "{elo} {fen}");
            assert_eq!(reported.0[0].first(), Some(&best), "{elo} {fen}");
            assert_eq!(reported.0.len(), lines.min(legal_moves(position.board()).len()), "{elo} {fen}");
            let mut firsts: Vec<u16> = reported.0.iter().map(|line| line[0].to_bits()).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), reported.0.len(), "{elo} {fen}");
        }
    }
    // A busy machine delays some answers; a player that ignores its clock delays most of them.
    assert!(late <= searches / 4, "{late} of {searches} answers late");
}

#[test]
fn searchmoves_limits_the_moves() {
    let position = position(POSITIONS[0]);
    let expected = parse_uci_move(position.board(), "a2a3").unwrap();
    let limits = Limits { search_moves: vec![expected], ..Limits::default() };
    for seed in 0..20 {
        assert_eq!(search(&mut player(800, seed), &position, &limits, &mut Silent).best, Some(expected));
    }
}

#[test]
fn all_but_the_weakest_find_mate_in_one() {
    for fen in [
        "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
        "6rk/6pp/8/6N1/8/8/1Q6/7K w - - 0 1",
    ] {
        for (elo, seed) in [1200, 1600, 2000].into_iter().flat_map(|elo| (0..20).map(move |seed| (elo, seed))) {
            let outcome = search(&mut player(elo, seed), &position(fen), &Limits::default(), &mut Silent);
            assert_eq!(outcome.score.moves_to_mate(), Some(1), "{elo} {seed} {fen}");
        }
    }
}

#[test]
fn analysis_is_at_full_strength() {
    let position = position(POSITIONS[1]);
    let limits = Limits { mate: Some(1), ..Limits::depth(7) };
    let limited = search(&mut player(800, 1), &position, &limits, &mut Silent);
    let full = search(&mut Engine::new(), &position, &limits, &mut Silent);
    assert_eq!((limited.best, limited.score, limited.nodes), (full.best, full.score, full.nodes));
}

#[test]
fn the_whole_range_of_the_strength_options_works_over_uci() {
    let mut gui = Gui::start();
    gui.say("uci");
    let output = gui.until("uciok");
    let range = |option_name: &str| {
        let declared = output.iter().find_map(|line| match parse(line) {
            Ok(Line::Declaration(option)) if option.name == option_name => Some(option.kind),
            _ => None,
        });
        let Some(OptionKind::Spin { low: Some(low), high: Some(high) }) = declared else {
            panic!("{option_name} is no spin: {declared:?}")
        };
        (low, high)
    };
    let ((min, max), skills) = (range("UCI_Elo"), range("Skill Level"));
    assert_eq!(skills, (0, 20));
    let play = |gui: &mut Gui| {
        gui.say("position startpos moves e2e4 e7e5");
        assert_ne!(gui.best_move("go wtime 20 btime 20"), "(none)");
    };
    for skill in [0, 1, 10, 19, 20] {
        assert!(gui.ask(&format!("setoption name Skill Level value {skill}")).is_empty());
        play(&mut gui);
    }
    assert!(gui.ask("setoption name UCI_LimitStrength value true").is_empty());
    for elo in [min, i64::midpoint(min, max), max] {
        assert!(gui.ask(&format!("setoption name UCI_Elo value {elo}")).is_empty());
        play(&mut gui);
    }
    for elo in [min - 1, max + 1] {
        let output = gui.ask(&format!("setoption name UCI_Elo value {elo}"));
        let [rejection] = output.as_slice() else { panic!("{output:?}") };
        assert!(rejection.contains(&format!("from {min} to {max}")), "{rejection}");
    }
}

/// The node count in the last report of a search.
fn nodes(gui: &mut Gui, go: &str) -> u64 {
    gui.search(go).iter().rev().find_map(|line| nodes_in(line)).unwrap()
}

fn nodes_in(line: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|word| *word != "nodes").nth(1)?.parse().ok()
}

#[test]
fn strength_is_limited_in_games_but_not_in_analysis() {
    let mut gui = Gui::start();
    gui.say("setoption name Skill Level value 2");
    let limited = nodes(&mut gui, "go movetime 5000");
    assert!(limited < 1000, "{limited}");
    gui.say("go ponder wtime 60000 btime 60000");
    assert!(gui.is_silent_for(100));
    // A ponder search is limited too: without a limit, 60 seconds would take many more nodes.
    gui.say("ponderhit");
    assert!(gui.until("bestmove").iter().filter_map(|line| nodes_in(line)).all(|nodes| nodes < 1000));
    gui.say("go infinite");
    // A limited player never reaches this depth.
    gui.until("info depth 12 ");
    gui.say("stop");
    gui.until("bestmove");
    gui.say("setoption name UCI_AnalyseMode value true");
    assert!(nodes(&mut gui, "go nodes 5000") >= 5000);
    gui.say("setoption name UCI_AnalyseMode value false");
    gui.say("setoption name UCI_Chess960 value true");
    gui.say("position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
    assert!(["e1g1", "e1b1"].contains(&gui.best_move("go movetime 5000 searchmoves e1g1 e1b1").as_str()));
}
