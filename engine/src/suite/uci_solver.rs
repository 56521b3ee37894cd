//! A UCI program that solves suites.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{Action, Allowance, GameView, PlayError, Player, Reply};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Limit, Opinion};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};

use crate::suite::{Answer, Effort, SolveError, Solver};

/// How long a position may take where only depth or nodes limit it.
const PATIENCE: Duration = Duration::from_hours(1);
/// How much later than allowed an answer may come: a suite is not a match.
const MARGIN: Duration = Duration::from_secs(5);

/// A UCI program as a solver. Every position is a new game to it; a program that fails is started again.
#[derive(Debug)]
pub struct UciSolver {
    spec: PlayerSpec,
    /// `None` after a failure.
    player: Option<UciPlayer>,
    stop: Arc<AtomicBool>,
}

impl UciSolver {
    /// Starts the program; setting `stop` interrupts it.
    ///
    /// # Errors
    /// If the program does not start or refuses an option.
    pub fn start(spec: PlayerSpec, stop: Arc<AtomicBool>) -> Result<Self, PlayError> {
        let player = Some(UciPlayer::start(&spec, &stop)?);
        Ok(Self { spec, player, stop })
    }

    fn ask(&mut self, board: &Board, limit: Limit) -> Result<Reply, SolveError> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(UciPlayer::start(&self.spec, &self.stop).map_err(|error| match error {
                PlayError::Stopped => SolveError::Stopped,
                PlayError::Fault(fault) => SolveError::Unusable(fault.to_string()),
            })?),
        };
        let game = GameView { start: board.clone(), moves: Vec::new(), notation: CastlingNotation::Standard };
        let allowance = Allowance { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: PATIENCE };
        let reply =
            player.new_game(&game, limit, &self.stop).and_then(|()| player.choose(&game, &allowance, &self.stop));
        reply.map_err(|error| {
            self.player = None;
            match error {
                PlayError::Stopped => SolveError::Stopped,
                PlayError::Fault(fault) => SolveError::NoAnswer(fault.to_string()),
            }
        })
    }
}

impl Solver for UciSolver {
    fn solve(&mut self, board: &Board, effort: Effort) -> Result<Answer, SolveError> {
        let reply = self.ask(
            board,
            match effort {
                Effort::Depth(depth) => Limit::Depth(depth),
                Effort::Nodes(nodes) => Limit::Nodes(nodes),
                Effort::MoveTime(time) => Limit::MoveTime(time),
            },
        )?;
        let played = match &reply.action {
            Action::Move(text) => {
                Some(parse_uci_move(board, text).map_err(|error| SolveError::NoAnswer(error.to_string()))?)
            }
            Action::Resign | Action::ClaimDraw => None,
        };
        let (centipawns, mate) = match reply.report.opinion {
            Some(Opinion::Centipawns(value)) => (Some(value), None),
            Some(Opinion::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Ok(Answer {
            played,
            mate,
            centipawns,
            depth: reply.report.depth.unwrap_or(0),
            nodes: reply.report.nodes.unwrap_or(0),
            time: reply.time,
        })
    }
}
