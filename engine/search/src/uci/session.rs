//! A UCI session: executes commands on an engine and writes the replies.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::movegen::{divide_while, format_uci_move, legal_moves};
use alfiere_chess::types::{File, Piece, Rank, Square};
use alfiere_nnue::{Network, piece_values};
use alfiere_syzygy::Tablebases;

use super::command::{Command, CommandError, parse};
use super::go::GoRequest;
use super::option::{Effect, Target};
use super::options::{find, options};
use super::reporter::{InfoFormat, Output, UciReporter};
use super::task::Task;
use crate::bench;
use crate::engine::{BookAnswer, Engine, OpeningBook, Player, Position, ScoreScale};
use crate::eval::{ClassicalReport, NetworkChoice};
use crate::platform::Instant;
use crate::search::{Control, Score};

/// Maximum length of a line, so that input without line ends does not fill the memory.
const MAX_LINE_BYTES: u64 = 1 << 20;

const HELP: &str = "\
uci, isready, ucinewgame, setoption name N [value V], position startpos|fen F [moves ...],
go [depth D] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] [mate N]
   [searchmoves ...] [infinite] [ponder] [perft D], stop, ponderhit, quit;
d: show the position; eval: its static evaluation; flip: exchange colours; bench [depth]: fixed positions";

pub struct Session {
    engine: Engine,
    book: OpeningBook,
    output: Output,
    format: InfoFormat,
    /// Why the last `position` command gave no position; nothing is searched until the next.
    no_position: Option<String>,
    /// Why there is no network to search with: the last `EvalFile` could not be loaded.
    no_network: Option<String>,
    /// Whether options and positions are echoed (`debug on`).
    debug: bool,
    /// A benchmark or perft; every command but `stop` and `quit` waits for its end.
    task: Option<Task>,
}

impl Session {
    pub fn new(engine: Engine, writer: impl Write + Send + 'static) -> Self {
        let (book, output) = (OpeningBook::default(), Output::new(writer));
        Self {
            engine,
            book,
            output,
            format: InfoFormat::default(),
            no_position: None,
            no_network: None,
            debug: false,
            task: None,
        }
    }

    /// Executes commands until `quit` or the end of input; a running search is then stopped and still answers. A benchmark
    /// or perft is ended by `quit` and completed at the end of input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn run(mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            // Bytes, not text: invalid UTF-8 must not end the session.
            if (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
                self.wait_for_task();
                self.engine.finish();
                return Ok(());
            }
            if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
                input.skip_until(b'\n')?;
                let reason = format!("a line of more than {MAX_LINE_BYTES} bytes is ignored");
                if line.trim_ascii_start().starts_with(b"position") {
                    self.reject_position(reason);
                } else {
                    self.output.note(reason);
                }
                continue;
            }
            if self.execute_line(&line).is_break() {
                self.stop();
                return Ok(());
            }
        }
    }

    // ANCHOR: lines
    /// Executes one line. A search that it starts goes on in the background, except in WebAssembly, where this returns when
    /// the search has answered. Breaks after `quit`.
    pub fn execute_line(&mut self, line: impl AsRef<[u8]>) -> ControlFlow<()> {
        let received = Instant::now();
        match parse(line.as_ref()) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => self.execute(command, received),
            Err(error @ CommandError::Position(_)) => self.reject_position(error.to_string()),
            Err(error) => self.output.note(error),
        }
        ControlFlow::Continue(())
    }
    // ANCHOR_END: lines

    fn execute(&mut self, command: Command, received: Instant) {
        if !matches!(command, Command::Stop) {
            self.wait_for_task();
        }
        let is_search = matches!(&command, Command::Go(request) if request.perft.is_none());
        let problem = match (&self.no_position, &self.no_network) {
            (Some(reason), _)
                if matches!(command, Command::Go(_) | Command::Display | Command::Evaluate | Command::Flip) =>
            {
                Some(format!("no position to work on: {reason}"))
            }
            (_, Some(reason)) if is_search || matches!(command, Command::Evaluate | Command::Bench { .. }) => {
                Some(format!("no network to search with: option EvalFile: {reason}"))
            }
            _ => None,
        };
        if let Some(problem) = problem {
            if is_search {
                self.engine.finish();
            }
            self.output.note(problem);
            if is_search {
                self.output.line("bestmove 0000");
            }
            return;
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if let Some(reason) = &self.no_network {
                    self.output.note(format_args!("option EvalFile: {reason}"));
                }
                self.output.line("readyok");
            }
            Command::NewGame => self.engine.new_game(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { fen, moves } => {
                if let Err(reason) = self.set_position(fen.as_deref(), &moves) {
                    self.reject_position(format!("position: {reason}"));
                }
            }
            Command::Go(request) => self.go(&request, received),
            Command::Stop => self.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Display => self.output.line(diagram(self.engine.position().board())),
            Command::Evaluate => self.evaluate(),
            Command::Flip => self.engine.set_position(Position::new(self.engine.position().board().flipped())),
            Command::Bench { depth } => self.bench(depth),
            Command::Help => self.output.line(HELP),
            Command::Debug { on } => self.debug = on,
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        self.output.line(format_args!("id name Alfiere {}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Alfiere authors");
        for option in options() {
            self.output.line(option);
        }
        self.output.line("uciok");
    }

    fn set_option(&mut self, name: &str, value: &OsStr) {
        let mut settings = self.engine.settings().clone();
        let mut target = Target { settings: &mut settings, book: &mut self.book, format: &mut self.format };
        let (option, effect) = match find(name).and_then(|option| Ok((option, option.set(value, &mut target)?))) {
            Ok(done) => done,
            Err(error) => return self.output.note(error),
        };
        if self.debug {
            self.output.note(format_args!("option {} = {}", option.name(), value.display()));
        }
        match effect {
            Effect::None => {}
            Effect::LoadNetwork(path) => return self.load_network(path),
            Effect::LoadBook(path) => return self.load_book(path),
            Effect::LoadTablebases(path) => return self.load_tablebases(path),
            Effect::ClearHash => return self.engine.clear_table(),
        }
        if settings != *self.engine.settings() {
            for reduced in self.engine.configure(settings) {
                self.output.note(reduced);
            }
        }
    }

    /// Loads a network. After a file that is not one, nothing is searched until the option names one: a search with the
    /// network before it would be taken for one with the file's.
    fn load_network(&mut self, path: Option<PathBuf>) {
        match NetworkChoice::of(path) {
            Ok(network) => self.use_network(network),
            Err(error) => {
                let reason = error.to_string();
                self.output
                    .note(format_args!("option EvalFile: {reason}; nothing is searched until it names a network"));
                self.no_network = Some(reason);
            }
        }
    }

    /// Loads the network of a file's bytes, where there are no files; bytes that are none change nothing.
    pub fn load_network_bytes(&mut self, bytes: &[u8]) {
        match Network::from_bytes(bytes) {
            Ok(network) => self.use_network(NetworkChoice::Loaded(Arc::new(network))),
            Err(error) => self.output.note(format_args!("{error}; the network stays as it was")),
        }
    }

    fn use_network(&mut self, network: NetworkChoice) {
        self.no_network = None;
        self.engine.set_network(network);
        match self.engine.network() {
            Some(network) => self.output.note(format_args!("network {}", network.architecture())),
            None => self.output.note("the player uses no network"),
        }
    }

    /// Loads a book; a file that is not one changes nothing.
    fn load_book(&mut self, path: Option<PathBuf>) {
        match path {
            None => self.book.use_embedded(),
            Some(path) => {
                if let Err(error) = self.book.load(&path) {
                    return self.output.note(format_args!("option Book File: {error}; the book stays as it was"));
                }
            }
        }
        self.output.note(format_args!("book of {} entries", self.book.entry_count()));
    }

    /// Opens endgame tables; folders that cannot be read or hold none change nothing.
    fn load_tablebases(&mut self, path: Option<PathBuf>) {
        match path.map_or_else(|| Ok(Tablebases::none()), Tablebases::open) {
            Ok(tablebases) => {
                for file in tablebases.damaged() {
                    self.output.note(format_args!("SyzygyPath: {file}; it is left out"));
                }
                self.output.note(format_args!("SyzygyPath: {tablebases}"));
                self.engine.set_tablebases(tablebases);
            }
            Err(error) => self.output.note(format_args!("option SyzygyPath: {error}; the tables stay as they were")),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), Box<dyn Error>> {
        let mut position = Position::new(fen.map_or_else(|| Ok(Board::startpos()), |fen| self.read_fen(fen))?);
        for mv in moves {
            position.play_uci(mv)?;
        }
        if self.debug {
            self.output.note(format_args!("position {}", position.board().to_fen()));
        }
        self.engine.set_position(position);
        self.no_position = None;
        Ok(())
    }

    /// A board without the castling rights that lack their king or rook, which GUIs send after a position was set up.
    fn read_fen(&self, fen: &str) -> Result<Board, FenError> {
        let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
        loop {
            match Board::from_fen(&fields.join(" ")) {
                Err(error @ FenError::CastlingImpossible { letter, .. }) => {
                    self.output.note(format_args!("position: {error}; the right is left out"));
                    fields[2].retain(|right| right != letter);
                    if fields[2].is_empty() {
                        fields[2].push('-');
                    }
                }
                other => return other,
            }
        }
    }

    fn reject_position(&mut self, reason: String) {
        self.output.note(&reason);
        self.no_position = Some(reason);
    }

    fn go(&mut self, request: &GoRequest, received: Instant) {
        let board = self.engine.position().board().clone();
        if let Some(depth) = request.perft {
            return self.perft(board, depth);
        }
        let (mut limits, problems) = request.limits(&board, received);
        limits.nodes_per_ms = self.format.nodes_per_ms;
        for problem in problems {
            self.output.note(format_args!("go: {problem}"));
        }
        let mut reporter = UciReporter::new(self.output.clone(), self.format, ScoreScale::of(&board));
        if let Some(answer) = self.book_answer(request, &board) {
            self.engine.finish();
            self.output.note(format_args!("book, {:.1} % of the weight", f64::from(answer.permille) / 10.0));
            return reporter.answer_at_once(answer.mv, answer.ponder, received.elapsed());
        }
        if let Err(error) = self.engine.go(limits, reporter) {
            self.output.note(format_args!("go: cannot spawn the search thread: {error}"));
            // Any legal move is better than a forfeit.
            match legal_moves(&board).first() {
                Some(&mv) => self.output.line(format_args!("bestmove {}", format_uci_move(mv, self.format.castling))),
                None => self.output.line("bestmove (none)"),
            }
        }
    }

    /// The book move, if a move for a game is requested. A book can lead into a repetition, but not twice.
    fn book_answer(&mut self, request: &GoRequest, board: &Board) -> Option<BookAnswer> {
        let settings = self.engine.settings();
        let is_analysis = settings.analysis || settings.lines > 1;
        let is_excluded = is_analysis || !request.wants_a_move() || self.engine.position().keys().count(board) > 0;
        if is_excluded { None } else { self.book.choose(board) }
    }

    fn perft(&mut self, board: Board, depth: u32) {
        self.engine.finish();
        let (output, castling) = (self.output.clone(), self.format.castling);
        self.start("perft", move |control| {
            let mut total = 0;
            for (mv, nodes) in divide_while(&board, depth, &|| !control.is_stopped()) {
                let Some(nodes) = nodes else { return output.note("perft: stopped") };
                output.line(format_args!("{}: {nodes}", format_uci_move(mv, castling)));
                total += nodes;
            }
            output.line(format_args!("\nNodes searched: {total}"));
        });
    }

    fn start(&mut self, name: &str, work: impl FnOnce(&Control) + Send + 'static) {
        match Task::start(work) {
            Ok(task) => self.task = Some(task),
            Err(error) => self.output.note(format_args!("{name}: cannot spawn a thread: {error}")),
        }
    }

    fn wait_for_task(&mut self) {
        if let Some(task) = self.task.take() {
            task.wait();
        }
    }

    /// Ends what runs in the background; a search still answers.
    fn stop(&mut self) {
        if let Some(task) = self.task.take() {
            task.stop();
        }
        self.engine.finish();
    }

    fn evaluate(&mut self) {
        let value = self.engine.evaluate();
        let board = self.engine.position().board();
        if self.engine.settings().player == Player::Classical {
            self.output.line(ClassicalReport::of(board));
        }
        let (side, scale, score) = (board.side_to_move(), ScoreScale::of(board), Score::evaluation(value));
        self.output.line(format_args!("Static evaluation: {value} internal units for {side}, the side to move"));
        self.output.line(format_args!(
            "Normalised score: {}, wdl {}",
            scale.normalise(score),
            scale.wdl_permille(score)
        ));
        if let Some(network) = self.engine.network() {
            let values = piece_values(&network, board).pieces;
            let words: Vec<String> = values.iter().map(|(_, square, value)| format!("{square} {value}")).collect();
            self.output.line(format_args!("Piece values for White, in internal units: {}", words.join(", ")));
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.engine.finish();
        let (output, network) = (self.output.clone(), self.engine.network().unwrap_or_default());
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        self.start("bench", move |control| {
            match bench::run(depth, network, control, |measured| output.line(measured)) {
                Ok(summary) => output.line(summary),
                Err(error) => output.note(format_args!("bench: {error}")),
            }
        });
    }
}

/// The board as a diagram with its FEN and key.
fn diagram(board: &Board) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, " {} ", rank.digit());
        for file in File::ALL {
            let letter = board.piece_on(Square::new(file, rank)).map_or('.', Piece::letter);
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "    a b c d e f g h\n");
    let _ = writeln!(text, "Fen: {}", board.to_fen());
    let _ = write!(text, "Key: {:016X}\nCheckers:", board.key());
    for square in board.checkers() {
        let _ = write!(text, " {square}");
    }
    text
}
