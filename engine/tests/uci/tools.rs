//! Regression tests: each test is named after a problem that once broke a UCI tool.

use std::process::Command;
use std::time::{Duration, Instant};

use alfiere_arena::spec::DeclaredOption;
use alfiere_chess::game::ReportedScore;

use crate::common::grammar::{Line, parse};
use crate::common::gui::{Gui, own_program};
use crate::common::referee::{Answer, examine};

const MATED: &str = "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MATE_IN_ONE: &str = "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1";
const LIVELY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn no_best_move_before_stop_or_ponderhit() {
    let mut gui = Gui::start();
    for fen in [MATED, STALEMATE, MATE_IN_ONE, LIVELY] {
        for (go, release) in [
            ("go infinite depth 1", "stop"),
            ("go infinite", "stop"),
            ("go infinite movetime 1 nodes 1 mate 1", "stop"),
            ("go ponder depth 1", "ponderhit"),
            ("go ponder wtime 1 btime 1", "ponderhit"),
            ("go ponder movetime 1", "stop"),
        ] {
            gui.say(&format!("position fen {fen}"));
            gui.say(go);
            assert!(gui.is_silent_for(60), "{go} in {fen}");
            gui.say(release);
            gui.until("bestmove");
            assert!(gui.ask("").is_empty(), "{go} in {fen}: more than one answer");
        }
    }
}

#[test]
fn stop_while_idle_prints_nothing() {
    let mut gui = Gui::start();
    let idle = |gui: &mut Gui| {
        for word in ["stop", "ponderhit", "stop"] {
            assert!(gui.ask(word).is_empty(), "{word}");
        }
    };
    idle(&mut gui);
    examine(&mut gui, LIVELY, "", "go depth 2");
    idle(&mut gui);
    examine(&mut gui, STALEMATE, "", "go depth 2");
    idle(&mut gui);
    gui.say("go infinite");
    gui.say("stop");
    gui.until("bestmove");
    idle(&mut gui);
}

#[test]
fn one_best_move_for_each_go_after_a_last_info_with_score() {
    let mut gui = Gui::start();
    for threads in [1, 4] {
        gui.say(&format!("setoption name Threads value {threads}"));
        for lines in [1, 3, 256] {
            gui.say(&format!("setoption name MultiPV value {lines}"));
            for fen in ["startpos", LIVELY, MATE_IN_ONE, MATED, STALEMATE] {
                for go in ["go depth 4", "go nodes 1", "go nodes 500", "go movetime 5", "go mate 1 nodes 300"] {
                    let answer = examine(&mut gui, fen, "", go);
                    assert!(!answer.infos.is_empty());
                    assert!(gui.ask("").is_empty(), "{go} in {fen}: more than one answer");
                }
            }
        }
        // Searches stopped at arbitrary times still have one answer each, with a score before it.
        for pause in [0, 0, 0, 1, 3, 10, 30] {
            gui.say("position startpos");
            gui.say("go infinite");
            std::thread::sleep(Duration::from_millis(pause));
            gui.say("stop");
            let output = gui.until("bestmove");
            let [.., info, _] = output.as_slice() else { panic!("no info before {output:?}") };
            assert!(info.starts_with("info depth ") && info.contains(" score "), "{info}");
            assert!(gui.ask("").is_empty());
        }
    }
}

#[test]
fn illegal_fens_and_moves_leave_no_position_to_search() {
    let mut gui = Gui::start();
    for wrong in [
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen k7/8/8/8/8/8/8/8 w - - 0 1",
        "fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "fen k7/8/8/8/8/8/8/K6r b - - 0 1",
        "fen P6k/8/8/8/8/8/8/K7 w - - 0 1",
        "fen kK6/8/8/8/8/8/8/8 w - - 0 1",
        "fen 9/8/8/8/8/8/8/k1K5 w - - 0 1",
        "fen k1K5/8/8/8/8/8/8 w - - 0 1",
        "fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/k6K w - - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e2e4",
        "fen k7/8/8/8/8/8/8/7K x - - 0 1",
        "fen",
        "fen é",
        "startpos moves e2e5",
        "startpos moves e2e4 e2e4",
        "startpos moves hello",
        "startpos moves e2e4 e7e5 g1f3 e1e2",
        "startpos moves e7e8q",
        "startpos moves 0000",
        "startpos moves e2e4e7e5",
        "startpos moves \u{1F600}",
        "here",
    ] {
        let output = gui.ask(&format!("position {wrong}"));
        assert!(output.len() == 1 && output[0].starts_with("info string position: "), "{wrong}: {output:?}");
        assert_eq!(gui.search("go depth 1").last().map(String::as_str), Some("bestmove 0000"), "{wrong}");
    }
    examine(&mut gui, "startpos", "e2e4 e7e5 g1f3", "go depth 3");
}

#[test]
fn positions_without_legal_moves_have_no_best_move() {
    let mut gui = Gui::start();
    for (fen, score) in [(MATED, ReportedScore::Mate(0)), (STALEMATE, ReportedScore::Centipawns(0))] {
        for go in ["go", "go depth 3", "go movetime 1000", "go wtime 1 btime 1", "go searchmoves e2e4", "go nodes 0"] {
            let answer = examine(&mut gui, fen, "", go);
            assert_eq!((answer.best, answer.ponder), (None, None), "{go} in {fen}");
            assert_eq!(answer.infos.last().and_then(|info| info.score), Some(score));
        }
    }
}

#[test]
fn exits_at_the_end_of_input() {
    for last in [
        None,
        Some("go infinite"),
        Some("go ponder wtime 1000 btime 1000"),
        Some("go movetime 60000"),
        Some("position fen"),
        Some("setoption name Threads value 3\ngo infinite"),
    ] {
        let started = Instant::now();
        assert!(Gui::start().end(last).success(), "{last:?}");
        assert!(started.elapsed() < Duration::from_secs(20), "{last:?}");
    }
    // The last line has no newline.
    let mut gui = Gui::start();
    gui.say_bytes(b"go depth 1\nquit").expect("the program reads its input");
    assert!(gui.end(None).success());
}

#[test]
fn the_embedded_network_is_independent_of_folder_and_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("engine");
    std::fs::copy(own_program(), &alone).expect("copied");
    let mut gui = Gui::spawn(Command::new(&alone).current_dir("/").env_clear());
    let output = gui.ask("eval");
    let mut usual = Gui::start();
    assert_eq!(output, usual.ask("eval"));
    let here = examine(&mut gui, LIVELY, "", "go depth 6");
    let there = examine(&mut usual, LIVELY, "", "go depth 6");
    let nodes = |answer: &Answer| answer.infos.last().and_then(|info| info.number("nodes"));
    assert_eq!(nodes(&here), nodes(&there));
}

#[test]
fn options_have_unique_names_and_legal_defaults() {
    let mut gui = Gui::start();
    gui.say("uci");
    let output = gui.until("uciok");
    assert!(["id name Alfiere", "id author"].iter().all(|id| output.iter().any(|line| line.starts_with(id))));
    let mut options: Vec<DeclaredOption> = Vec::new();
    for line in output {
        if let Line::Declaration(option) = parse(&line).expect("valid UCI") {
            assert!(options.iter().all(|known| !known.name.eq_ignore_ascii_case(&option.name)), "{line}");
            assert_eq!(option.default.as_ref().map_or(Ok(()), |default| option.check(default)), Ok(()), "{line}");
            options.push(option);
        }
    }
    let needed = [
        "Hash",
        "Threads",
        "MultiPV",
        "Move Overhead",
        "Ponder",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "EvalFile",
        "Clear Hash",
    ];
    assert!(needed.iter().all(|name| options.iter().any(|option| option.name == *name)));
    for option in &options {
        let value = option.default.as_ref().map(|value| format!(" value {value}")).unwrap_or_default();
        let output = gui.ask(&format!("setoption name {}{value}", option.name));
        let refusals: Vec<_> =
            output.iter().filter(|line| line.contains("option") || line.contains("xpected")).collect();
        assert!(refusals.is_empty(), "{}: {output:?}", option.name);
    }
    examine(&mut gui, "startpos", "", "go depth 4");
}

#[test]
fn nothing_is_searched_with_another_network_than_the_named_one() {
    let mut gui = Gui::start();
    let wrong = "setoption name EvalFile value typo.nnue";
    assert!(gui.ask(wrong).iter().any(|line| line.contains("EvalFile: typo.nnue")), "the option is refused");
    assert!(gui.ask("position startpos").iter().any(|line| line.contains("EvalFile")), "`isready` says it, too");
    let output = gui.search("go depth 4");
    assert!(output[0].contains("no network to search with"), "{output:?}");
    assert_eq!(output.last().map(String::as_str), Some("bestmove 0000"));
    gui.say("setoption name EvalFile value <embedded>");
    examine(&mut gui, "startpos", "", "go depth 4");
}

#[cfg(target_os = "linux")]
#[test]
fn a_hash_that_cannot_be_allocated_is_reduced() {
    let mut gui = Gui::start_with_memory(own_program(), 600_000);
    for hash in ["33554432", "4096", "1024", "500"] {
        let output = gui.ask(&format!("setoption name Hash value {hash}"));
        let message = format!("no memory for a table of {hash} MiB, using ");
        assert!(output.len() == 1 && output[0].contains(&message), "{hash}: {output:?}");
        // The remaining memory is enough for a search.
        gui.say("setoption name Threads value 3");
        examine(&mut gui, LIVELY, "", "go nodes 3000");
        assert!(gui.ask("ucinewgame").is_empty());
    }
    assert!(gui.ask("setoption name Hash value 8").is_empty());
    examine(&mut gui, LIVELY, "", "go depth 5");
}

#[cfg(target_os = "linux")]
#[test]
fn a_reduced_table_uses_no_memory_before_the_search() {
    let mut gui = Gui::start();
    let output = gui.ask("setoption name Hash value 33554432");
    let obtained = output[0].strip_suffix(" MiB").and_then(|text| text.rsplit(' ').next()?.parse::<usize>().ok());
    let obtained = obtained.unwrap_or_else(|| panic!("{output:?}"));
    assert!(gui.ask("ucinewgame").is_empty());
    assert!(2 * gui.resident_mebibytes() < obtained, "{} of {obtained} MiB", gui.resident_mebibytes());
    examine(&mut gui, LIVELY, "", "go nodes 3000");
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_do_not_fit_in_memory_are_left_out() {
    // What is left once the threads run must be enough for the search, not only for their data.
    for kibibytes in [150_000, 300_000, 450_000, 600_000] {
        let mut gui = Gui::start_with_memory(own_program(), kibibytes);
        let output = gui.ask("setoption name Threads value 1024");
        assert!(output.len() == 1 && output[0].contains("1024 threads are too many"), "{kibibytes}: {output:?}");
        for _ in 0..4 {
            examine(&mut gui, LIVELY, "", "go nodes 3000");
        }
        if kibibytes > 250_000 {
            assert!(gui.ask("setoption name Threads value 2").is_empty());
            examine(&mut gui, LIVELY, "", "go depth 5");
        }
    }
}

#[test]
fn stop_and_quit_end_a_benchmark_and_a_perft() {
    let mut gui = Gui::start();
    for (start, end) in [("go perft 20", "info string perft: stopped"), ("bench 60", "info string bench: stopped")] {
        gui.say(start);
        gui.say("stop");
        gui.until(end);
        assert_eq!(gui.ask("go perft 2").last().map(String::as_str), Some("Nodes searched: 400"), "{start}");
    }
    gui.say("bench 60");
    // The end of the input is no order: work that was given is done.
    let mut gui = Gui::start();
    gui.say("go perft 3");
    gui.close();
    gui.until("Nodes searched: 8902");
    assert!(gui.wait().success());
}

/// `examine` follows every printed variation to its end.
#[test]
fn mate_lines_are_complete_and_no_line_goes_past_the_end_of_the_game() {
    let mut gui = Gui::start();
    gui.say("setoption name MultiPV value 2");
    for (fen, moves) in [
        // Mates in one to seven.
        (MATE_IN_ONE, ""),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", ""),
        ("8/8/8/8/8/2k5/7r/1K6 b - - 0 1", ""),
        ("8/8/8/4k3/8/8/8/4KQ2 w - - 0 1", ""),
        ("8/8/8/4k3/8/8/3R4/4K2R w - - 0 1", ""),
        ("1k6/8/8/8/8/8/8/QK6 w - - 60 90", ""),
        // Imminent draws: fifty-move rule, perpetual check, repetition, kings only.
        ("8/8/8/4k3/8/8/8/4KQ2 w - - 92 90", ""),
        ("8/8/8/8/8/2k5/7r/1K6 b - - 97 120", ""),
        ("7k/5Q2/5K2/8/8/8/8/8 w - - 99 120", ""),
        ("8/8/4k3/8/8/3K4/8/7R w - - 100 120", ""),
        ("6k1/6pp/8/8/8/8/q4r2/3Q3K w - - 0 1", ""),
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", ""),
        ("8/8/8/3k4/8/3K4/3n4/8 w - - 0 1", ""),
        ("startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
        ("startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
        ("7k/6pp/8/8/8/8/q4PPP/3R2K1 b - - 0 1", ""),
    ] {
        for go in ["go depth 9", "go depth 9", "go nodes 40000", "go movetime 60"] {
            examine(&mut gui, fen, moves, go);
        }
    }
}

#[test]
fn unusual_commands_of_tools_are_accepted() {
    let mut gui = Gui::start();
    // Without ucinewgame, isready and uci.
    for (fen, moves, go) in [
        ("startpos", "", "go depth 3 searchmoves 0000"),
        ("startpos", "", "go searchmoves 0000 depth 3"),
        ("startpos", "", "go searchmoves e2e5 depth 2"),
        ("startpos", "", "go wtime 1 btime 1"),
        ("startpos", "", "go wtime 1 btime 1 winc 0 binc 0 movestogo 1"),
        ("startpos", "", "go wtime 0 btime 0"),
        ("startpos", "", "go wtime -20 btime -20"),
        ("startpos", "", "go wtime 100"),
        ("startpos", "", "go btime 100"),
        ("startpos", "e2e4", "go wtime 100"),
        ("startpos", "e2e4", "go wtime 100 winc 10"),
        ("startpos", "", "go winc 10 binc 10"),
        ("startpos", "", "go wtime 100.7 btime 99.2"),
        ("startpos", "", "go movetime 0"),
        ("startpos", "", "go movestogo 0 wtime 50 btime 50"),
        ("startpos", "", "go depth 0"),
        ("startpos", "e2e4 e7e5", "go btime 1000 depth 4"),
        ("startpos", "", "go depth 300 nodes 100"),
        ("startpos", "", "go depth 99999999999999999999 nodes 100"),
        (LIVELY, "e1g1 e8c8", "go depth 2"),
        ("8/P7/8/8/8/8/8/k6K w - - 0 1", "a7a8q", "go depth 2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "e2e4 e7e5", "go depth 2"),
    ] {
        let started = Instant::now();
        let answer = examine(&mut gui, fen, moves, go);
        assert!(answer.best.is_some(), "{go}");
        assert!(started.elapsed() < Duration::from_secs(10), "{go}");
    }
    gui.say("position startpos");
    let best = gui.best_move("go depth 5 searchmoves a2a3 h2h3");
    assert!(best == "a2a3" || best == "h2h3", "{best}");
    gui.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    assert_eq!(gui.best_move("go mate 1"), "a1a8");
}

#[test]
fn time_limits_are_kept_with_many_threads() {
    let mut gui = Gui::start();
    for threads in [1, 8] {
        gui.say(&format!("setoption name Threads value {threads}"));
        for (go, allowed) in [
            ("go movetime 60", 60),
            ("go wtime 60 btime 60 movestogo 1", 60),
            ("go wtime 500 btime 500 movestogo 1", 500),
            ("go wtime 60 btime 60", 60),
            ("go wtime 200 btime 200 winc 10 binc 10", 200),
        ] {
            gui.ask("ucinewgame");
            // A machine with ten processes per core can delay even the fastest of four runs; exact time-keeping is
            // tested by matches.
            let fastest = (0..4).map(|_| {
                let started = Instant::now();
                examine(&mut gui, LIVELY, "", go);
                started.elapsed()
            });
            let fastest = fastest.min().expect("several");
            assert!(fastest <= Duration::from_millis(allowed + 250), "{go}, {threads} threads: {fastest:?}");
        }
    }
}
