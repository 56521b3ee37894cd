//! Chapter 12: the Universal Chess Interface.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move, parse_uci_move};
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_syzygy::Tablebases;

use crate::Stage;
use crate::endgame;
use crate::mailbox::Mailbox;
use crate::mcts::Tree;
use crate::opening::OpeningBook;
use crate::perft::perft;
use crate::search::{Iteration, MATE, MATE_BOUND, Search};
use crate::time::Limits;

/// A conversation with a GUI.
pub struct Session {
    search: Search,
    /// Whether a tree is grown in place of alpha-beta.
    monte_carlo: bool,
    book: Option<OpeningBook>,
    random: Random,
    board: Board,
    played: KeyHistory,
    stop: Arc<AtomicBool>,
}

impl Session {
    /// A conversation in which `stop` ends a search.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        let search = Search::new(Stage::Network, Arc::clone(&stop));
        let (board, played, random) = (Board::startpos(), KeyHistory::new(), Random::new(1));
        Self { search, monte_carlo: false, book: None, random, board, played, stop }
    }

    /// Executes a command and writes the answer.
    ///
    /// # Errors
    /// If the answer cannot be written.
    pub fn execute(&mut self, line: &str, out: &mut impl Write) -> io::Result<ControlFlow<()>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let result = match words.as_slice() {
            ["uci"] => {
                writeln!(out, "id name Alfiere's book\nid author the authors of Alfiere")?;
                let stages = Stage::ALL.map(|stage| format!(" var {stage}")).concat();
                writeln!(out, "option name Stage type combo default {}{stages}", Stage::Network)?;
                writeln!(out, "option name MonteCarlo type check default false")?;
                writeln!(out, "option name Book type string default <empty>")?;
                writeln!(out, "option name SyzygyPath type string default <empty>\nuciok")?;
                Ok(())
            }
            ["setoption", "name", option, "value", value @ ..] => self.set_option(option, &value.join(" ")),
            ["go", "perft", depth] => match depth.parse() {
                Ok(depth) => return self.perft(depth, out).map(ControlFlow::Continue),
                Err(_) => Err(format!("go perft: {depth}, expected a number")),
            },
            ["position", rest @ ..] => self.set_position(rest),
            ["go", rest @ ..] => match self.limits(rest) {
                Ok((limits, wait)) => return self.go(limits, wait, out),
                Err(reason) => Err(reason),
            },
            ["quit"] => return Ok(ControlFlow::Break(())),
            // Unknown commands are ignored, as the protocol asks.
            _ => Ok(()),
        };
        if let Err(reason) = result {
            writeln!(out, "info string {reason}")?;
        }
        out.flush()?;
        Ok(ControlFlow::Continue(()))
    }

    fn set_option(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "Stage" => {
                let search = Search::new(value.parse()?, Arc::clone(&self.stop));
                let tables = std::mem::replace(&mut self.search, search).tables;
                self.search.tables = tables;
            }
            "MonteCarlo" => self.monte_carlo = value == "true",
            "Book" => {
                let file = std::fs::read(value).map_err(|error| format!("{value}: {error}"))?;
                let book = OpeningBook::from_bytes(&file);
                self.book = Some(book.ok_or_else(|| format!("{value}: expected a Polyglot book"))?);
            }
            "SyzygyPath" => self.search.tables = Tablebases::open(value).map_err(|error| error.to_string())?,
            _ => {}
        }
        Ok(())
    }

    /// Counts with both representations and prints their speed.
    fn perft(&self, depth: u32, out: &mut impl Write) -> io::Result<()> {
        let mut measure = |name: &str, count: &mut dyn FnMut() -> u64| {
            let start = Instant::now();
            let (nodes, seconds) = (count(), start.elapsed().as_secs_f64());
            writeln!(out, "{name:10} {nodes} nodes, {:.1} million a second", nodes as f64 / seconds / 1e6)
        };
        measure("bitboards", &mut || perft(&self.board, depth))?;
        measure("mailbox", &mut || Mailbox::from(&self.board).perft(depth))
    }

    /// Sets the position, or leaves it as it is if the text is wrong.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let (setup, moves) = match words.iter().position(|&word| word == "moves") {
            Some(index) => (&words[..index], &words[index + 1..]),
            None => (words, &[][..]),
        };
        let mut board = match setup {
            ["startpos"] => Board::startpos(),
            ["fen", fields @ ..] => Board::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?,
            _ => return Err("position: expected startpos or fen".to_owned()),
        };
        let mut played = KeyHistory::new();
        for text in moves {
            let mv = parse_uci_move(&board, text).map_err(|error| error.to_string())?;
            played.push(&board);
            board.play(mv);
        }
        (self.board, self.played) = (board, played);
        Ok(())
    }

    /// The limits, and whether the answer must wait for `stop`.
    fn limits(&self, words: &[&str]) -> Result<(Limits, bool), String> {
        let number = |name: &str| -> Result<Option<u64>, String> {
            match words.iter().position(|&word| word == name) {
                None => Ok(None),
                Some(index) => {
                    let text = words.get(index + 1).copied().unwrap_or("nothing");
                    let value = text.parse::<i64>().map_err(|_| format!("go {name}: {text}, expected a number"))?;
                    Ok(Some(value.max(0) as u64))
                }
            }
        };
        let time = |name: &str| number(name).map(|value| value.map(Duration::from_millis));
        let (remaining, increment) = match self.board.side_to_move() {
            Color::White => (time("wtime")?, time("winc")?),
            Color::Black => (time("btime")?, time("binc")?),
        };
        let mut limits = match (time("movetime")?, remaining) {
            (Some(time), _) => Limits::move_time(time),
            (None, Some(remaining)) => Limits::clock(remaining, increment.unwrap_or_default()),
            (None, None) => Limits::NONE,
        };
        if let Some(depth) = number("depth")? {
            limits.depth = depth.clamp(1, limits.depth as u64) as i32;
        }
        limits.nodes = number("nodes")?.unwrap_or(limits.nodes);
        Ok((limits, words.contains(&"infinite")))
    }

    /// A move from the book or the endgame tables.
    fn known(&mut self) -> Option<Move> {
        let drawn = self.book.as_ref().and_then(|book| book.choose(&self.board, self.random.next_number()));
        drawn.or_else(|| endgame::best_move(&self.search.tables, &self.board))
    }

    fn go(&mut self, limits: Limits, wait: bool, out: &mut impl Write) -> io::Result<ControlFlow<()>> {
        let mut written = Ok(());
        let known = if wait { None } else { self.known() };
        let best = if known.is_some() {
            known
        } else if self.monte_carlo {
            let answer = Tree::grow(&mut self.search, &self.board, &self.played, limits);
            writeln!(out, "info nodes {} string expected score {:.3}", answer.visits, answer.expected)?;
            answer.best
        } else {
            self.search.run(&self.board, &self.played, limits, |iteration| {
                let line = writeln!(out, "{}", info(iteration)).and_then(|()| out.flush());
                written = std::mem::replace(&mut written, Ok(())).and(line);
            })
        };
        written?;
        while wait && !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        writeln!(out, "bestmove {}", name(best))?;
        out.flush()?;
        Ok(ControlFlow::Continue(()))
    }
}

fn info(iteration: &Iteration) -> String {
    let Iteration { depth, score, nodes, time, best } = iteration;
    let score = match score {
        &score if score >= MATE_BOUND => format!("mate {}", (MATE - score + 1) / 2),
        &score if score <= -MATE_BOUND => format!("mate {}", -(MATE + score) / 2),
        score => format!("cp {score}"),
    };
    let line = format!("info depth {depth} score {score} nodes {nodes} time {}", time.as_millis());
    match best {
        Some(_) => format!("{line} pv {}", name(*best)),
        None => line,
    }
}

fn name(mv: Option<Move>) -> String {
    mv.map_or_else(|| "(none)".to_owned(), |mv| format_uci_move(mv, CastlingNotation::Standard).to_string())
}
