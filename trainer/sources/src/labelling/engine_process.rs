//! One engine process: started when needed, restarted when it fails.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Fault, Limit};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_data::Label;

/// The run ends after this number of consecutive failed starts.
const MAX_STARTS: u32 = 3;

/// How an engine failed to answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerProblem {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("gave no score")]
    NoScore,
}

/// Why there is no answer.
pub(super) enum NoAnswer {
    /// The engine failed; the process has ended.
    Problem(AnswerProblem),
    /// The engine repeatedly fails to start.
    NoStart(Fault),
    /// The run is being stopped.
    Stopped,
}

/// A label and the best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) label: Label,
    pub(super) best_move: Move,
}

pub(super) struct EngineProcess<'a> {
    spec: &'a PlayerSpec,
    limit: Limit,
    patience: Duration,
    stop: &'a AtomicBool,
    player: Option<UciPlayer>,
}

impl<'a> EngineProcess<'a> {
    pub(super) fn new(spec: &'a PlayerSpec, limit: Limit, patience: Duration, stop: &'a AtomicBool) -> Self {
        Self { spec, limit, patience, stop, player: None }
    }

    /// Starts a new game, so that the engine clears its state.
    pub(super) fn begin(&mut self, board: &Board) -> Result<(), NoAnswer> {
        let mut starts = 0;
        loop {
            match self.try_begin(board) {
                Ok(()) => return Ok(()),
                Err(PlayError::Stopped) => return Err(NoAnswer::Stopped),
                Err(PlayError::Fault(fault)) => {
                    self.player = None;
                    starts += 1;
                    if starts == MAX_STARTS {
                        return Err(NoAnswer::NoStart(fault));
                    }
                }
            }
        }
    }

    fn try_begin(&mut self, board: &Board) -> Result<(), PlayError> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(UciPlayer::start(self.spec, self.stop)?),
        };
        player.new_game(&alone(board), self.limit, self.stop)
    }

    /// Searches a position.
    pub(super) fn ask(&mut self, board: &Board) -> Result<Answer, NoAnswer> {
        if self.player.is_none() {
            self.begin(board)?;
        }
        let answer = self.try_ask(board);
        if answer.is_err() {
            self.player = None;
        }
        answer
    }

    fn try_ask(&mut self, board: &Board) -> Result<Answer, NoAnswer> {
        let Some(player) = &mut self.player else { return Err(NoAnswer::Stopped) };
        let limits = MoveLimits {
            limit: self.limit,
            clock: None,
            opponent_clock: None,
            margin: Duration::ZERO,
            patience: self.patience,
        };
        let reply = player.choose(&alone(board), &limits, self.stop).map_err(|error| match error {
            PlayError::Fault(fault) => NoAnswer::Problem(fault.into()),
            PlayError::Stopped => NoAnswer::Stopped,
        })?;
        let text = reply.text;
        let best_move = parse_uci_move(board, &text)
            .map_err(|_| NoAnswer::Problem(Fault::IllegalMove { text, fen: board.to_fen() }.into()))?;
        let reported_score = reply.report.reported_score.ok_or(NoAnswer::Problem(AnswerProblem::NoScore))?;
        Ok(Answer { label: Label::of_reported_score(reported_score, board.side_to_move()), best_move })
    }
}

/// A position without game history.
fn alone(board: &Board) -> GameView {
    GameView { start: board.clone(), moves: Vec::new(), notation: CastlingNotation::Standard }
}
