//! UCI sessions with the real program over pipes.

use alfiere_chess::board::Board;
use alfiere_search::engine::{Engine, Position};
use alfiere_search::eval::{Material, WdlModel};
use alfiere_search::search::{Limits, Silent};

use crate::common::gui::{Gui, TIMEOUT};

#[test]
fn isready_is_answered_during_a_search_and_stop_once() {
    let mut gui = Gui::start();
    assert!(gui.ask("stop").is_empty(), "stop while idle prints nothing");
    gui.say("go infinite");
    let mut output = gui.ask("");
    assert!(output.iter().all(|line| line.starts_with("info")));
    gui.say("stop");
    // On a busy machine the last report can precede `readyok`.
    output.extend(gui.until("bestmove"));
    assert!(output.len() >= 2 && output[output.len() - 2].starts_with("info depth "), "{output:?}");
    assert!(gui.ask("stop").is_empty());
}

#[test]
fn rejected_commands_keep_the_position() {
    let mut gui = Gui::start();
    gui.say("position startpos moves d2d4");
    let before = gui.fen();
    for wrong in [
        "setoption name Hash value 0",
        "setoption name Threads value many",
        "setoption name Nothing value 1",
        "setoption",
        "flap",
    ] {
        let output = gui.ask(wrong);
        assert!(output.len() == 1 && output[0].starts_with("info string "), "{wrong}: {output:?}");
        assert_eq!(gui.fen(), before, "{wrong}");
    }
    let output = gui.ask(&"x".repeat(3 << 20));
    assert_eq!(output, ["info string a line of more than 1048576 bytes is ignored"]);
    gui.best_move("go depth 2");
}

#[test]
fn nothing_is_searched_after_a_position_that_cannot_be_used() {
    let mut gui = Gui::start();
    for (wrong, reason) in [
        ("position", "expected 'startpos' or 'fen FEN'"),
        ("position startpos moves e2e4 e2e4", "e2e4"),
        (&format!("position startpos moves{}", " e2e4".repeat(1 << 18)), "is ignored"),
    ] {
        gui.say("position startpos moves d2d4");
        assert!(gui.ask(wrong).last().is_some_and(|note| note.contains(reason)), "{wrong:.60}");
        for go in ["go depth 2", "go infinite"] {
            let [note, answer] = &gui.search(go)[..] else { panic!("{wrong:.60}, {go}") };
            assert!(note.starts_with("info string no position") && note.contains(reason), "{note}");
            assert_eq!(answer, "bestmove 0000", "{wrong:.60}, {go}");
        }
        assert_eq!(gui.ask("go perft 2").len(), 1, "{wrong:.60}");
    }
    let output = gui.ask("position fen 4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1");
    assert!(output.len() == 2 && output[0].contains("'K' needs") && output[1].contains("'q' needs"), "{output:?}");
    assert_eq!(gui.fen(), "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
    gui.best_move("go depth 2");
}

#[test]
fn a_new_go_or_setting_ends_the_search_with_one_answer() {
    let mut gui = Gui::start();
    gui.say("go infinite");
    gui.say("position startpos moves e2e4");
    // The answer of the search before it, then its own.
    gui.search("go depth 3");
    assert!(gui.until("bestmove").len() > 1);
    gui.say("go infinite");
    gui.say("setoption name Hash value 2");
    gui.until("bestmove");
    gui.say("go infinite");
    gui.say("ucinewgame");
    gui.until("bestmove");
    assert!(gui.ask("stop").is_empty());
}

#[test]
fn multipv_and_wdl_are_shown_on_request() {
    let mut gui = Gui::start();
    gui.say("setoption name MultiPV value 3");
    gui.say("setoption name UCI_ShowWDL value true");
    let output = gui.search("go depth 5");
    for line in 1..=3 {
        assert!(output.iter().any(|info| info.contains(&format!(" multipv {line} ")) && info.contains(" wdl ")));
    }
    gui.say("setoption name MultiPV value 1");
    gui.say("setoption name Threads value 3");
    gui.best_move("go movetime 100");
}

fn number_after(info: &str, word: &str) -> i32 {
    let found = info.split_whitespace().skip_while(|&found| found != word).nth(1);
    found.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no number after {word} in {info}"))
}

#[test]
fn scores_are_normalised_by_material_and_agree_with_wdl() {
    let mut gui = Gui::start();
    gui.say("setoption name UCI_ShowWDL value true");
    for fen in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "2r3k1/pp3pp1/4p2p/3n4/3P4/P4N1P/1P3PP1/2R3K1 b - - 0 22",
        "4k3/pp3p2/8/8/8/8/PPP2P2/4K3 w - - 0 40",
    ] {
        let board = Board::from_fen(fen).expect("valid");
        // The same search through the library: its score is in internal units.
        let mut engine = Engine::new();
        engine.set_position(Position::new(board.clone()));
        let score = engine.search(&Limits::depth(8), &mut Silent).expect("a thread").score;
        assert!(!score.is_decisive() && score.value() != 0, "{fen}: {score}");
        let (value, material) = (f64::from(score.value()), Material::of(&board));
        gui.say("ucinewgame");
        gui.say(&format!("position fen {fen}"));
        let output = gui.search("go depth 8");
        let info = output.iter().rfind(|line| line.contains(" score cp ")).expect("a score");
        let model = WdlModel::CURRENT;
        let shown = f64::from(number_after(info, "cp"));
        assert!((shown - 100.0 * value / model.even(material)).abs() <= 0.5, "{info}, internal score {score}");
        let probabilities = model.probabilities(value, material);
        let (_, wdl) = info.split_once(" wdl ").expect("probabilities");
        let found: Vec<f64> = wdl.split_whitespace().take(3).map(|word| word.parse().expect("a number")).collect();
        assert!((found.iter().sum::<f64>() - 1000.0).abs() < 1e-9, "{info}");
        for (found, probability) in found.iter().zip([probabilities.win, probabilities.draw, probabilities.loss]) {
            assert!((found - 1000.0 * probability).abs() <= 1.0, "{info}: {probabilities:?}");
        }
    }
    gui.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    assert!(gui.search("go depth 3").iter().any(|line| line.contains(" score mate 1 wdl 1000 0 0 ")));
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let mut gui = Gui::start();
    let fen = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    gui.say(fen);
    assert_eq!(gui.best_move("go depth 2 searchmoves e1g1"), "e1g1");
    gui.say("setoption name UCI_Chess960 value true");
    gui.say(fen);
    assert_eq!(gui.best_move("go depth 2 searchmoves e1h1"), "e1h1");
    gui.say("position fen 4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1 moves e1b1");
    gui.best_move("go depth 3");
}

#[test]
fn quit_ends_a_search() {
    let mut gui = Gui::start();
    gui.say("go infinite");
    gui.say("quit");
    assert!(gui.wait().success());
}

#[test]
fn perft_and_eval_work() {
    let mut gui = Gui::start();
    let output = gui.ask("go perft 3");
    assert!(output.iter().any(|line| line == "Nodes searched: 8902"), "{output:?}");
    // A search ends before perft begins.
    gui.say("go infinite");
    let output = gui.ask("go perft 3");
    let at = |start: &str| output.iter().position(|line| line.starts_with(start));
    assert!(at("bestmove").is_some() && at("bestmove") < at("a2a3: "), "{output:?}");
    let output = gui.ask("eval");
    assert!(
        output[0].contains("internal units") && output[1].contains(" cp ") && output[1].contains(" wdl "),
        "{output:?}"
    );
    gui.say("flip");
    assert!(gui.fen().contains(" b "));
    assert!(!gui.ask("help").is_empty());
    assert!(gui.ask("bench 1").last().is_some_and(|line| line.contains(" nodes ") && line.ends_with(" nps")));
}

#[test]
fn a_long_search_reports_currmove() {
    let mut gui = Gui::start();
    gui.say("position startpos");
    gui.say("go infinite");
    // Reported after three seconds, when the search starts the next move.
    let current = (0..100_000).find_map(|_| {
        let line = gui.line_within(TIMEOUT).expect("output during the search");
        line.contains(" currmove ").then_some(line)
    });
    let current = current.expect("a line with currmove");
    gui.say("stop");
    gui.until("bestmove");
    let words: Vec<&str> = current.split_whitespace().collect();
    assert_eq!((words[0], words[1], words[3], words[5]), ("info", "depth", "currmove", "currmovenumber"), "{current}");
    assert!(number_after(&current, "currmovenumber") >= 1);
}

#[test]
fn game_settings_do_not_affect_analysis() {
    let mut gui = Gui::start();
    let forced_draw = "position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1";
    assert!(gui.ask("setoption name UCI_Opponent value GM 2800 human Magnus").is_empty());
    assert!(gui.ask("setoption name Contempt value 50").is_empty());
    for (analysis, drawn) in [("false", false), ("true", true)] {
        gui.say(&format!("setoption name UCI_AnalyseMode value {analysis}"));
        gui.say(forced_draw);
        let output = gui.search("go depth 4");
        let info = output.iter().rfind(|line| line.contains(" score cp ")).expect("a score");
        assert_eq!(number_after(info, "cp") == 0, drawn, "{info}");
        assert!(number_after(info, "cp") <= 0, "{info}");
    }
}

#[test]
fn debug_confirms_settings() {
    let mut gui = Gui::start();
    gui.say("debug on");
    assert_eq!(gui.ask("setoption name hash value 4"), ["info string option Hash = 4"]);
    let output = gui.ask("position startpos moves e2e4");
    assert!(
        output.len() == 1 && output[0].starts_with("info string position rnbqkbnr/pppppppp/8/8/4P3/"),
        "{output:?}"
    );
    gui.say("debug off");
    assert!(gui.ask("position startpos").is_empty());
}
