//! Lines for the GUI: their writer, which the session and its search share, and a search's `info` and `bestmove` lines.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alfiere_chess::movegen::{CastlingNotation, format_uci_move};
use alfiere_chess::types::Move;

use crate::engine::ScoreScale;
use crate::search::{Info, Reporter, Score, ScoreKind, SearchResult};

/// Maximum length of a message, in letters.
const LONGEST_NOTE: usize = 400;

/// Writes whole lines, each at once.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line. Errors are ignored: a session ends when its input ends.
    pub(super) fn line(&self, line: impl fmt::Display) {
        let text = format!("{line}\n");
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    }

    /// Writes `info string` with a message, on one line, without control characters, and cut after [`LONGEST_NOTE`] letters.
    pub(super) fn note(&self, text: impl fmt::Display) {
        let text = text.to_string();
        let mut shown: String =
            text.chars().take(LONGEST_NOTE).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if shown.len() < text.len() {
            shown.push_str(" ...");
        }
        self.line(format_args!("info string {shown}"));
    }
}

/// How lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct InfoFormat {
    pub(super) castling: CastlingNotation,
    pub(super) show_wdl: bool,
    /// Nodes that count as a millisecond of the clock, or 0. Those of an iteration that was not completed count, too, and are
    /// then reported.
    pub(super) nodes_per_ms: u64,
}

pub(super) struct UciReporter {
    output: Output,
    format: InfoFormat,
    scale: ScoreScale,
}

impl UciReporter {
    pub(super) fn new(output: Output, format: InfoFormat, scale: ScoreScale) -> Self {
        Self { output, format, scale }
    }

    /// Reports a move found without a search, such as a book move.
    pub(super) fn answer_at_once(&mut self, best: Move, ponder: Option<Move>, time: Duration) {
        let variation: Vec<Move> = std::iter::once(best).chain(ponder).collect();
        self.info(&Info { time, ..Info::new(1, Score::DRAW, &variation) });
        let (best, score) = (Some(best), Score::DRAW);
        self.finished(&SearchResult { best, ponder, score, depth: 1, nodes: 0, time, variation });
    }

    fn format_move(&self, mv: Move) -> impl fmt::Display + use<> {
        format_uci_move(mv, self.format.castling)
    }
}

impl Reporter for UciReporter {
    fn info(&mut self, info: &Info<'_>) {
        let milliseconds = info.time.as_millis();
        let rate = (info.nodes as f64 / info.time.as_secs_f64().max(0.001)) as u64;
        let mut line = format!("info depth {}", info.depth);
        // Writing to a string cannot fail.
        let _ = write!(line, " seldepth {} multipv {}", info.selective_depth, info.line);
        let _ = write!(line, " score {}", self.scale.normalise(info.score));
        line.push_str(match info.kind {
            ScoreKind::Exact => "",
            ScoreKind::LowerBound => " lowerbound",
            ScoreKind::UpperBound => " upperbound",
        });
        if self.format.show_wdl {
            let _ = write!(line, " wdl {}", self.scale.wdl_permille(info.score));
        }
        let _ = write!(line, " nodes {} nps {rate} hashfull {}", info.nodes, info.table_permille);
        let _ = write!(line, " tbhits {} time {milliseconds}", info.tablebase_hits);
        if !info.variation.is_empty() {
            line.push_str(" pv");
            for &mv in info.variation {
                let _ = write!(line, " {}", self.format_move(mv));
            }
        }
        self.output.line(line);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let mv = self.format_move(mv);
        self.output.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }

    fn failed(&mut self, reason: &str) {
        self.output.note(format_args!("the search failed ({reason}); the move is the best that it had found"));
    }

    fn finished(&mut self, outcome: &SearchResult) {
        if self.format.nodes_per_ms > 0 {
            self.output.line(format_args!("info nodes {} time {}", outcome.nodes, outcome.time.as_millis()));
        }
        match (outcome.best, outcome.ponder) {
            (Some(best), Some(ponder)) => {
                self.output.line(format_args!(
                    "bestmove {} ponder {}",
                    self.format_move(best),
                    self.format_move(ponder)
                ));
            }
            (Some(best), None) => self.output.line(format_args!("bestmove {}", self.format_move(best))),
            (None, _) => self.output.line("bestmove (none)"),
        }
    }
}
