//! A UCI program put to test suites.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{Action, Allowance, GameView, Player};
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Limit, Opinion};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};

use crate::suite::{Answer, Effort, Solver};

/// How long a position may take where only depth or nodes bound it.
const PATIENCE: Duration = Duration::from_hours(1);
/// How much later than allowed an answer may come; a suite is no match.
const MARGIN: Duration = Duration::from_secs(5);

/// A UCI program as a solver; every position is a new game to it.
#[derive(Debug)]
pub struct UciSolver {
    player: UciPlayer,
    stop: Arc<AtomicBool>,
}

impl UciSolver {
    /// Wraps a program that has started; setting `stop` interrupts it.
    pub fn new(player: UciPlayer, stop: Arc<AtomicBool>) -> Self {
        Self { player, stop }
    }
}

impl Solver for UciSolver {
    fn solve(&mut self, board: &Board, effort: Effort) -> Result<Answer, Box<dyn Error + Send + Sync>> {
        let limit = match effort {
            Effort::Depth(depth) => Limit::Depth(depth),
            Effort::Nodes(nodes) => Limit::Nodes(nodes),
            Effort::MoveTime(time) => Limit::MoveTime(time),
        };
        let game = GameView { start: board.clone(), moves: Vec::new(), notation: CastlingNotation::Standard };
        self.player.new_game(&game, limit, &self.stop)?;
        let allowance = Allowance { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: PATIENCE };
        let reply = self.player.choose(&game, &allowance, &self.stop)?;
        let played = match &reply.action {
            Action::Move(text) => Some(parse_uci_move(board, text)?),
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
