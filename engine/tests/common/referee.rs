//! Checks engine output against the rules of chess and the UCI protocol.

use alfiere_chess::board::Board;
use alfiere_chess::game::ReportedScore;
use alfiere_chess::movegen::{has_legal_move, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_search::engine::Position;

use super::grammar::{Info, Line, parse};
use super::gui::Gui;

/// When a search may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerTiming {
    Anytime,
    /// After `stop` or another command that ends searches.
    AfterStop,
    /// After `ponderhit` or `stop`.
    AfterPonderHit,
}

/// A `go` command without an answer so far.
#[derive(Clone, Debug)]
pub struct PendingSearch {
    position: Position,
    /// Whether the engine has no position to search.
    is_refused: bool,
    search_moves: Vec<Move>,
    pub timing: AnswerTiming,
    last: Option<Info>,
    best_line: Option<Info>,
}

impl PendingSearch {
    /// A search of this position, limited to `search_moves` if there are any.
    pub fn new(position: Position, search_moves: Vec<Move>, timing: AnswerTiming) -> Self {
        Self { position, is_refused: false, search_moves, timing, last: None, best_line: None }
    }

    /// A search without a position, which is answered at once by `bestmove 0000`.
    pub fn refused() -> Self {
        Self { is_refused: true, ..Self::new(Position::default(), Vec::new(), AnswerTiming::Anytime) }
    }

    pub fn fen(&self) -> String {
        self.position.board().to_fen()
    }

    pub fn check_info(&mut self, info: Info) -> Result<(), String> {
        let problem = |text: &str| format!("{text}: {info:?} in {}", self.fen());
        if let Some(mv) = &info.currmove
            && parse_uci_move(self.position.board(), mv).is_err()
        {
            return Err(problem("illegal currmove"));
        }
        let Some(score) = info.score else {
            return if info.pv.is_some() { Err(problem("a variation without a score")) } else { Ok(()) };
        };
        if ["depth", "nodes", "time", "multipv"].iter().any(|word| info.number(word).is_none()) {
            return Err(problem("a score without depth, nodes, time or multipv"));
        }
        let moves = info.pv.as_deref().unwrap_or_default();
        if moves.is_empty() && has_legal_move(self.position.board()) {
            return Err(problem("a score without moves"));
        }
        let end = self.follow(moves).map_err(|text| problem(&text))?;
        if let (ReportedScore::Mate(number), false) = (score, info.bound) {
            let plies = if number > 0 { 2 * number - 1 } else { -2 * number };
            if moves.len() as i32 != plies {
                return Err(problem("a mate score with a line of another length"));
            }
            if !end.in_check() || has_legal_move(&end) {
                return Err(problem("a mate score with a line that does not end in mate"));
            }
        }
        if info.number("multipv") == Some(1) {
            self.best_line = Some(info.clone());
        }
        self.last = Some(info);
        Ok(())
    }

    pub fn check_best_move(&self, best: Option<&str>, ponder: Option<&str>) -> Result<(), String> {
        if self.is_refused && self.last.is_none() && best == Some("0000") {
            return Ok(());
        }
        let fen = self.fen();
        if self.timing != AnswerTiming::Anytime {
            return Err(format!("bestmove {best:?} before it was asked for, in {fen}"));
        }
        if self.last.as_ref().is_none_or(|info| info.score.is_none()) {
            return Err(format!("bestmove {best:?} without a score before it, in {fen}"));
        }
        let Some(best) = best else {
            return if has_legal_move(self.position.board()) { Err(format!("no move in {fen}")) } else { Ok(()) };
        };
        let mut after = self.position.clone();
        let mv = parse_uci_move(after.board(), best).map_err(|error| format!("bestmove: {error}"))?;
        if !self.search_moves.is_empty() && !self.search_moves.contains(&mv) {
            return Err(format!("bestmove {best} was not among the moves to search in {fen}"));
        }
        let line = self.best_line.as_ref().and_then(|info| info.pv.as_ref()).and_then(|moves| moves.first());
        if line.is_none_or(|first| first != best) {
            return Err(format!("bestmove {best} after a line that begins with {line:?} in {fen}"));
        }
        if let Some(ponder) = ponder {
            after.play(mv);
            parse_uci_move(after.board(), ponder).map_err(|error| format!("ponder: {error}"))?;
        }
        Ok(())
    }

    /// Plays a variation and returns its final position.
    fn follow(&self, moves: &[String]) -> Result<Board, String> {
        let mut path = self.position.clone();
        let mut passed = vec![path.board().key()];
        for (index, text) in moves.iter().enumerate() {
            if index > 0
                && let Some(reason) = drawn(&path, &passed)
            {
                return Err(format!("the line continues after {reason}"));
            }
            path.play_uci(text).map_err(|error| format!("the line's move {}: {error}", index + 1))?;
            passed.push(path.board().key());
        }
        Ok(path.board().clone())
    }
}

/// Why a variation must end here. One repetition since the root counts, because search scores it as a draw.
fn drawn(path: &Position, passed: &[u64]) -> Option<&'static str> {
    let board = path.board();
    let (last, earlier) = passed.split_last()?;
    if board.has_insufficient_material() {
        Some("insufficient material")
    } else if board.halfmove_clock() >= 100 {
        Some("fifty moves")
    } else if path.keys().count(board) >= 2 || earlier.contains(last) {
        Some("a repetition")
    } else {
        None
    }
}

#[derive(Debug)]
pub struct Answer {
    pub best: Option<String>,
    pub ponder: Option<String>,
    /// The lines with a score.
    pub infos: Vec<Info>,
    pub notes: Vec<String>,
}

pub fn position_of(command: &str) -> Result<Position, String> {
    let (start, moves) = command.split_once(" moves").unwrap_or((command, ""));
    let board = match start.strip_prefix("position fen ") {
        Some(fen) => Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => Board::startpos(),
    };
    let mut position = Position::new(board);
    moves.split_whitespace().try_for_each(|mv| position.play_uci(mv)).map_err(|error| error.to_string())?;
    Ok(position)
}

/// Sets a position, starts a search and checks all output up to `bestmove`.
pub fn examine(gui: &mut Gui, fen: &str, moves: &str, go: &str) -> Answer {
    let start = if fen == "startpos" { "startpos".to_owned() } else { format!("fen {fen}") };
    let command = format!("position {start} moves {moves}");
    gui.say(&command);
    gui.say(go);
    let position = position_of(&command).expect("a legal position and legal moves");
    let mut search = PendingSearch::new(position, Vec::new(), AnswerTiming::Anytime);
    let mut answer = Answer { best: None, ponder: None, infos: Vec::new(), notes: Vec::new() };
    for line in gui.until("bestmove") {
        let checked = parse(&line).and_then(|parsed| match parsed {
            Line::Info(info) => {
                answer.infos.extend(info.score.is_some().then(|| info.clone()));
                search.check_info(info)
            }
            Line::Note(note) => {
                answer.notes.push(note);
                Ok(())
            }
            Line::BestMove(best, ponder) => {
                let settled = search.check_best_move(best.as_deref(), ponder.as_deref());
                (answer.best, answer.ponder) = (best, ponder);
                settled
            }
            other => Err(format!("{other:?} during a search")),
        });
        checked.unwrap_or_else(|problem| panic!("{go}: {problem}"));
    }
    answer
}
