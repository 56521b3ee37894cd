//! Chapter 12: the program over pipes, as a GUI uses it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

struct Gui {
    engine: Child,
    answers: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Gui {
    fn start() -> Self {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_alfiere-book"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let answers = BufReader::new(engine.stdout.take().expect("a pipe")).lines();
        Self { engine, answers }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.engine.stdin.as_mut().expect("a pipe"), "{line}").expect("the engine reads");
    }

    /// The next line that starts with this word.
    fn hear(&mut self, word: &str) -> String {
        let mut lines = self.answers.by_ref().map(|line| line.expect("text"));
        lines.find(|line| line.starts_with(word)).unwrap_or_else(|| panic!("the engine ended before \"{word}\""))
    }
}

#[test]
fn a_game_with_every_stage() {
    let mut gui = Gui::start();
    gui.say("uci");
    gui.hear("uciok");
    for stage in alfiere_book::Stage::ALL {
        gui.say(&format!("setoption name Stage value {stage}"));
        gui.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        gui.say("go depth 3");
        assert_eq!(gui.hear("bestmove"), "bestmove a1a8", "{stage}");
    }
    gui.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    gui.say("go depth 2");
    assert_eq!(gui.hear("bestmove"), "bestmove (none)");
    gui.say("quit");
    assert!(gui.engine.wait().expect("it ends").success());
}

#[test]
fn stop_and_isready_are_heard_during_a_search_and_bad_input_is_explained() {
    let mut gui = Gui::start();
    gui.say("position startpos");
    gui.say("go infinite");
    gui.say("isready");
    gui.hear("readyok");
    gui.say("stop");
    gui.hear("bestmove");
    gui.say("position startpos moves e2e5");
    assert!(gui.hear("info string").contains("e2e5"));
    gui.say("setoption name Stage value brilliant");
    assert!(gui.hear("info string").contains("brilliant"));
    gui.say("go depth many");
    assert!(gui.hear("info string").contains("many"));
    drop(gui.engine.stdin.take());
    assert!(gui.engine.wait().expect("it ends").success());
}

#[test]
fn book_tables_tree_and_both_boards_are_options() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
    let mut gui = Gui::start();
    gui.say(&format!("setoption name Book value {root}/books/small.bin"));
    gui.say("position startpos moves e2e4");
    gui.say("go depth 1");
    let reply = gui.hear("bestmove");
    assert!(
        ["e7e5", "c7c5", "e7e6", "c7c6", "d7d6", "g8f6", "g7g6", "d7d5"].iter().any(|mv| reply.ends_with(mv)),
        "{reply}"
    );
    gui.say(&format!("setoption name SyzygyPath value {root}/datasets/syzygy"));
    gui.say("setoption name Stage value ordering");
    gui.say("position fen 8/8/8/8/8/k7/2p5/K7 b - - 0 1");
    gui.say("go depth 1");
    assert_eq!(gui.hear("bestmove"), "bestmove c2c1q");
    gui.say("setoption name SyzygyPath value /no/such/folder");
    assert!(gui.hear("info string").contains("/no/such/folder"));
    gui.say("setoption name Book value Cargo.toml");
    assert!(gui.hear("info string").contains("Cargo.toml"));
    gui.say("setoption name MonteCarlo value true");
    gui.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    gui.say("go nodes 100");
    assert_eq!(gui.hear("bestmove"), "bestmove a1a8");
    gui.say("position startpos");
    gui.say("go perft 3");
    assert!(gui.hear("bitboards").contains(" 8902 nodes") && gui.hear("mailbox").contains(" 8902 nodes"));
}
