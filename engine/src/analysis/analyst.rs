//! Searches every position of a game.
//!
//! Positions are searched from last to first, so that the transposition table holds the results of later positions. The
//! table is cleared before each game, so reports do not depend on other games.

use std::cmp::Reverse;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use alfiere_chess::game::{EndReason, GameResult, Limit, end_by_rules};
use alfiere_chess::review::Evaluation;
use alfiere_chess::types::Move;
use alfiere_search::engine::{Engine, Position, ScoreScale, Settings};
use alfiere_search::search::{Info, Reporter, Score, SearchResult};
use thiserror::Error;

use super::Game;
use super::report::{GameReport, PositionReport, ScoredLine};

/// Interval at which a search checks whether to stop.
const CHECK: Duration = Duration::from_millis(50);

/// Why a game cannot be analysed.
#[derive(Debug, Error)]
pub enum AnalysisError {
    #[error("cannot spawn the search thread: {0}")]
    Thread(#[from] io::Error),
    /// The search thread ended without a result.
    #[error("the search ended without a result")]
    Lost,
}

pub struct Analyst {
    engine: Engine,
    limit: Limit,
}

impl Analyst {
    /// Creates an analyst with this engine and its number of lines, and a search limit per position.
    pub fn new(mut engine: Engine, limit: Limit) -> Self {
        engine.configure(Settings { analysis: true, ..engine.settings().clone() });
        Self { engine, limit }
    }

    /// Searches all positions of a game and calls `each` after every one. `None` if `stop` was set.
    ///
    /// # Errors
    /// If the engine cannot search.
    pub fn analyse(
        &mut self,
        game: &Game,
        stop: &AtomicBool,
        mut each: impl FnMut(),
    ) -> Result<Option<GameReport>, AnalysisError> {
        self.engine.new_game();
        let mut reports = Vec::with_capacity(game.position_count());
        for plies in (0..game.position_count()).rev() {
            let position = position_after(game, plies);
            let ended = if plies + 1 == game.position_count() { ended(&position) } else { None };
            let report = match ended {
                Some(report) => report,
                None => match self.search(position, stop)? {
                    Some(report) => report,
                    None => return Ok(None),
                },
            };
            reports.push(report);
            each();
        }
        reports.reverse();
        let moves: Vec<_> = game.pgn.moves.iter().map(|played| played.mv).collect();
        Ok(Some(GameReport::new(&game.pgn.start, &moves, reports)))
    }

    fn search(&mut self, position: Position, stop: &AtomicBool) -> Result<Option<PositionReport>, AnalysisError> {
        let (side, scale) = (position.board().side_to_move(), ScoreScale::of(position.board()));
        self.engine.set_position(position);
        let (sender, answers) = channel();
        self.engine.go(self.limit.into(), OutcomeSender { sender, lines: Vec::new() })?;
        let (outcome, lines) = loop {
            match answers.recv_timeout(CHECK) {
                Ok(answer) => break answer,
                Err(RecvTimeoutError::Disconnected) => return Err(AnalysisError::Lost),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => self.engine.stop(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        self.engine.wait();
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut line = outcome.variation;
        if line.is_empty() {
            line.extend(outcome.best);
        }
        // An incomplete last iteration can have a best move that was not reported.
        let count = self.engine.settings().lines - 1;
        let mut others: ReportedLines = lines.into_iter().filter(|(_, moves)| moves.first() != line.first()).collect();
        // A search stopped between two lines can leave them out of order.
        others.sort_by_key(|&(score, _)| Reverse(score));
        let others = others.into_iter().take(count);
        let others = others.map(|(score, moves)| ScoredLine { value: scale.white_score(score, side), moves }).collect();
        Ok(Some(PositionReport {
            evaluation: scale.evaluation(outcome.score, side),
            line,
            others,
            depth: outcome.depth,
            nodes: outcome.nodes,
        }))
    }
}

/// A position of a game, with its history: made when it is needed, because a long game has long histories.
fn position_after(game: &Game, plies: usize) -> Position {
    let mut position = Position::new(game.pgn.start.clone());
    game.pgn.moves[..plies].iter().for_each(|played| position.play(played.mv));
    position
}

/// The report of the last position if the rules end the game there.
fn ended(position: &Position) -> Option<PositionReport> {
    let (result, reason) = end_by_rules(position.board(), position.keys())?;
    let evaluation = match result {
        GameResult::Draw => Evaluation::DRAW,
        GameResult::Win(winner) => {
            debug_assert_eq!(reason, EndReason::Checkmate);
            Evaluation::checkmate(winner)
        }
    };
    Some(PositionReport { evaluation, line: Vec::new(), others: Vec::new(), depth: 0, nodes: 0 })
}

/// The lines reported last, best first.
type ReportedLines = Vec<(Score, Vec<Move>)>;

/// Sends the outcome of a search to the analyst.
struct OutcomeSender {
    sender: Sender<(SearchResult, ReportedLines)>,
    lines: ReportedLines,
}

impl Reporter for OutcomeSender {
    fn info(&mut self, info: &Info<'_>) {
        // Lines are reported best first in each iteration. A report makes those of the previous iteration from its rank
        // on obsolete, because moves can change ranks. A stopped search may report a bound for a line, which is
        // accepted.
        self.lines.truncate(info.line.saturating_sub(1));
        self.lines.push((info.score, info.variation.to_vec()));
    }

    fn finished(&mut self, outcome: &SearchResult) {
        // A closed receiver is ignored.
        let _ = self.sender.send((outcome.clone(), std::mem::take(&mut self.lines)));
    }
}
