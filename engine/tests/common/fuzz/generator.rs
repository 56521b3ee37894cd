//! Generates commands: valid ones, unusual ones, and damaged ones.

use alfiere_arena::spec::{DeclaredOption, OptionKind};
use alfiere_chess::board::Board;
use alfiere_chess::movegen::{CastlingNotation, format_uci_move, legal_moves, parse_uci_move};
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;
use alfiere_search::engine::Position;

use super::super::referee::AnswerTiming;
use super::words::{damage, garbage, pick, strange_number};

/// Real positions, ordinary and Chess960.
const FILES: [&str; 3] = [
    include_str!("../../../../datasets/perft/standard.epd"),
    include_str!("../../../../datasets/perft/fischer.epd"),
    include_str!("../../../../datasets/suites/wac.epd"),
];
/// Positions with special endings: mates, stalemates, the fifty-move rule, kings only.
const EDGES: [&str; 8] = [
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
    "7k/5Q2/5K2/8/8/8/8/8 w - - 97 80",
    "8/8/4k3/8/8/3K4/8/7R w - - 99 120",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3K4/7r/7R b - - 100 120",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "k7/8/8/3pP3/8/8/8/K7 w - d6 0 2",
];
const MAX_GAME: usize = 200;
/// Damaged lines with these words are not sent: they end the program, run forever, or write files.
const DANGEROUS: [&str; 6] = ["quit", "exit", "perft", "bench", "thread", "log"];

/// A line with the expected reaction.
pub(super) struct Command {
    pub(super) line: Vec<u8>,
    pub(super) meaning: Meaning,
}

pub(super) enum Meaning {
    /// No reaction, or a note.
    Nothing,
    Prose,
    /// Free-form text, after searches have ended.
    Task,
    Ready,
    /// `uciok` after the options.
    Introduction,
    /// Searches end or may end.
    Ends,
    PonderHit,
    Position(Position),
    SomePosition,
    Go {
        search_moves: Vec<Move>,
        timing: AnswerTiming,
        /// Whether the search may not end by itself.
        endless: bool,
    },
}

pub(super) struct CommandGenerator {
    random: Random,
    options: Vec<DeclaredOption>,
    /// The start position of the current game, in UCI notation.
    start: String,
    game: Position,
    moves: Vec<String>,
    /// Lines that may be damaged and sent again.
    earlier: Vec<Vec<u8>>,
}

impl CommandGenerator {
    pub(super) fn new(seed: u64, options: Vec<DeclaredOption>) -> Self {
        Self {
            random: Random::new(seed),
            options,
            start: "startpos".to_owned(),
            game: Position::default(),
            moves: Vec::new(),
            earlier: vec![b"go infinite searchmoves e2e4".to_vec()],
        }
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    pub(super) fn one_in(&mut self, number: u64) -> bool {
        self.below(number) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    pub(super) fn next_line(&mut self, position: &Position) -> Command {
        let command = match self.below(1000) {
            0..300 => self.position(),
            300..440 => self.go(position),
            440..500 => self.option(),
            500..560 => plain("stop", Meaning::Ends),
            560..590 => plain("ponderhit", Meaning::PonderHit),
            590..630 => plain("isready", Meaning::Ready),
            630..660 => self.rare(),
            660..800 => {
                let line = garbage(&mut self.random);
                classified(line)
            }
            _ => {
                let mut line = self.random_earlier();
                for _ in 0..=self.below(3) {
                    line = damage(&mut self.random, line);
                }
                classified(line)
            }
        };
        let index = self.below(64) as usize;
        if index < self.earlier.len() {
            self.earlier[index].clone_from(&command.line);
        } else {
            self.earlier.push(command.line.clone());
        }
        command
    }

    fn random_earlier(&mut self) -> Vec<u8> {
        let index = self.below(self.earlier.len() as u64) as usize;
        self.earlier[index].clone()
    }

    fn rare(&mut self) -> Command {
        match self.below(40) {
            0 => plain("uci", Meaning::Introduction),
            1 => plain("ucinewgame", Meaning::Ends),
            2..10 => plain("d", Meaning::Prose),
            10..16 => plain("eval", Meaning::Prose),
            16..20 => plain("help", Meaning::Prose),
            20..26 => plain("flip", Meaning::SomePosition),
            26..30 => plain(if self.one_in(2) { "debug on" } else { "debug off" }, Meaning::Nothing),
            30..36 => plain(if self.one_in(2) { "go perft 1" } else { "go perft 2" }, Meaning::Task),
            36 if self.one_in(20) => plain("bench 1", Meaning::Task),
            _ => plain("", Meaning::Nothing),
        }
    }

    /// Continues the game or starts another; sometimes with an illegal move or an invalid start position.
    fn position(&mut self) -> Command {
        if self.moves.len() > MAX_GAME || self.one_in(6) {
            self.begin_game();
        }
        for _ in 0..self.below(3) {
            let moves = legal_moves(self.game.board());
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.below(moves.len() as u64) as usize];
            let text = format_uci_move(mv, CastlingNotation::Chess960).to_string();
            self.moves.push(text);
            self.game.play(mv);
        }
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        let mut line = format!("position {}{moves}", self.start);
        if !self.one_in(12) {
            return plain(&line, Meaning::Position(self.game.clone()));
        }
        line.push_str(if self.moves.is_empty() { " moves " } else { " " });
        let wrong = ["e2e5", "0000", "a1a1", "e7e8q", "h9h8", "e1g1", "é2e4", "moves"];
        line.push_str(pick(&mut self.random, &wrong));
        plain(&line, Meaning::SomePosition)
    }

    fn begin_game(&mut self) {
        self.moves.clear();
        "startpos".clone_into(&mut self.start);
        self.game = Position::default();
        if self.one_in(3) {
            return;
        }
        let text = if self.one_in(4) {
            (*self.pick(&EDGES)).to_owned()
        } else {
            let file = *self.pick(&FILES);
            let lines = file.lines().count() as u64;
            let line = file.lines().nth(self.below(lines) as usize).unwrap_or("");
            line.split(" ;").next().unwrap_or("").split(" bm ").next().unwrap_or("").to_owned()
        };
        if let Ok(board) = Board::from_fen(&text) {
            self.start = format!("fen {text}");
            self.game = Position::new(board);
        }
    }

    fn go(&mut self, position: &Position) -> Command {
        let mut line = "go".to_owned();
        let mut timing = AnswerTiming::Anytime;
        // A limit or a clock ends the search, unless its value is unusual.
        let (mut limited, mut clocked, mut strange_clock) = (false, false, false);
        match self.below(10) {
            0 => (timing, line) = (AnswerTiming::AfterStop, line + " infinite"),
            1 => (timing, line) = (AnswerTiming::AfterPonderHit, line + " ponder"),
            _ => {}
        }
        for _ in 0..=self.below(3) {
            let (word, max) = *self.pick(&[
                ("nodes", 400),
                ("depth", 4),
                ("movetime", 3),
                ("wtime", 30),
                ("btime", 30),
                ("winc", 3),
                ("binc", 3),
                ("movestogo", 40),
                ("mate", 3),
            ]);
            // Repeating the same word would override the previous value.
            if line.contains(word) {
                continue;
            }
            let strange = self.one_in(8);
            match word {
                "nodes" | "depth" => limited |= !strange,
                // `movetime` takes precedence over the clocks.
                "movetime" if strange => strange_clock = true,
                "movetime" => limited = true,
                "wtime" | "btime" => (clocked, strange_clock) = (true, strange_clock | strange),
                "winc" | "binc" => strange_clock |= strange,
                _ => {}
            }
            let number = if strange { strange_number(&mut self.random) } else { self.below(max + 1).to_string() };
            line = format!("{line} {word} {number}");
        }
        let mut search_moves = Vec::new();
        if self.one_in(6) {
            line.push_str(" searchmoves");
            let legal = legal_moves(position.board());
            for _ in 0..self.below(4) {
                let text = if legal.is_empty() || self.one_in(4) {
                    (*self.pick(&["0000", "a1a1", "e2e4", "e7e5"])).to_owned()
                } else {
                    let mv = legal[self.below(legal.len() as u64) as usize];
                    format_uci_move(mv, CastlingNotation::Chess960).to_string()
                };
                search_moves.extend(parse_uci_move(position.board(), &text));
                line = format!("{line} {text}");
            }
        }
        let ends = limited || clocked && !strange_clock;
        plain(&line, Meaning::Go { search_moves, timing, endless: !ends || timing != AnswerTiming::Anytime })
    }

    fn option(&mut self) -> Command {
        let index = self.below(self.options.len() as u64) as usize;
        let option = self.options[index].clone();
        let strange = self.one_in(5);
        let value = match &option.kind {
            OptionKind::Other if option.default.is_none() => {
                return plain(&format!("setoption name {}", option.name), Meaning::Ends);
            }
            // More threads would only take time.
            OptionKind::Spin { .. } if option.name == "Threads" => (1 + self.below(3)).to_string(),
            OptionKind::Spin { .. } if strange => strange_number(&mut self.random),
            &OptionKind::Spin { low: Some(low), high: Some(high) } => {
                // Large values take time and are rarely used.
                let usual = if matches!(option.name.as_str(), "Hash" | "MultiPV") { 4 } else { 500 };
                let max_offset = (high - low).unsigned_abs().min(if self.one_in(20) { 64 } else { usual });
                (low + self.below(max_offset + 1) as i64).to_string()
            }
            OptionKind::Check if !strange => (*self.pick(&["true", "false"])).to_owned(),
            OptionKind::Combo(values) if !strange => self.pick(values).clone(),
            // After another network file nothing is searched.
            _ if option.name == "EvalFile" || self.one_in(4) => option.default.clone().unwrap_or_default(),
            _ => (*self.pick(&["", "maybe", "<empty>", "/", "/nowhere/at all", "value", "é"])).to_owned(),
        };
        plain(&format!("setoption name {} value {value}", option.name), Meaning::Ends)
    }
}

/// The meaning of a random line, by its first word; some lines are not sent.
fn classified(line: Vec<u8>) -> Command {
    let text = String::from_utf8_lossy(&line).into_owned();
    let lower = text.to_lowercase();
    if DANGEROUS.iter().any(|word| lower.contains(word)) {
        return plain("isready", Meaning::Ready);
    }
    let meaning = match text.split_whitespace().next().unwrap_or("") {
        "uci" => Meaning::Introduction,
        "isready" => Meaning::Ready,
        "position" | "flip" => Meaning::SomePosition,
        "go" => Meaning::Go { search_moves: Vec::new(), timing: AnswerTiming::Anytime, endless: true },
        "stop" | "ucinewgame" | "setoption" => Meaning::Ends,
        "ponderhit" => Meaning::PonderHit,
        "d" | "eval" | "help" => Meaning::Prose,
        _ => Meaning::Nothing,
    };
    Command { line, meaning }
}

fn plain(line: &str, meaning: Meaning) -> Command {
    Command { line: line.as_bytes().to_vec(), meaning }
}
