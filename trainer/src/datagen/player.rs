//! The player of a game: the engine of this program, or another program over pipes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{Action, Allowance, GameView, PlayError, Player as _};
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Fault, Limit, Opinion};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::types::{Color, Move};
use alfiere_search::engine::{Engine, Position};
use alfiere_search::search::{Limits, Silent};

use super::settings::{DatagenSettings, PlayerChoice};
use crate::data::Label;

/// How long a program may take for a move before it counts as hanging.
const PATIENCE: Duration = Duration::from_mins(2);
/// How much longer than told a program may take for a move of fixed time.
const MARGIN: Duration = Duration::from_secs(5);

/// Who thinks about positions; one for each thread.
pub(super) enum Player {
    /// The engine of this program.
    BuiltIn { engine: Box<Engine>, nodes: u64, hard_nodes: u64 },
    /// A UCI program.
    Program { process: Box<UciPlayer>, limit: Limit },
}

/// What a player thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Thought {
    /// The move it would play.
    pub(super) best: Move,
    /// Its score, its own view.
    pub(super) opinion: Opinion,
}

impl Thought {
    /// The score from White's side.
    pub(super) fn label(self, side: Color) -> Label {
        Label::of_opinion(self.opinion, side)
    }
}

/// A game as a player sees it.
pub(super) struct GameHistory {
    view: GameView,
    pub(super) position: Position,
}

impl GameHistory {
    pub(super) fn new(start: &Board) -> Self {
        let view = GameView { start: start.clone(), moves: Vec::new(), notation: CastlingNotation::Standard };
        Self { view, position: Position::new(start.clone()) }
    }

    pub(super) fn play(&mut self, mv: Move) {
        self.view.moves.push(mv);
        self.position.play(mv);
    }
}

impl Player {
    /// Starts a player.
    pub(super) fn start(settings: &DatagenSettings, stop: &AtomicBool) -> Result<Self, PlayError> {
        Ok(match &settings.player {
            PlayerChoice::BuiltIn { network, hash_mib } => {
                let mut engine = Box::new(Engine::new());
                let hash_mib = *hash_mib;
                engine.configure(alfiere_search::engine::Settings {
                    hash_mib,
                    ..alfiere_search::engine::Settings::default()
                });
                engine.set_network(network.network.clone());
                Self::BuiltIn { engine, nodes: settings.nodes, hard_nodes: settings.hard_nodes }
            }
            PlayerChoice::Program { spec, .. } => Self::Program {
                process: Box::new(UciPlayer::start(spec, stop)?),
                limit: spec.limit.unwrap_or(Limit::Nodes(settings.nodes)),
            },
        })
    }

    /// Forgets everything before a game.
    pub(super) fn new_game(&mut self, course: &GameHistory, stop: &AtomicBool) -> Result<(), PlayError> {
        match self {
            Self::BuiltIn { engine, .. } => {
                engine.new_game();
                Ok(())
            }
            Self::Program { process, limit } => process.new_game(&course.view, *limit, stop),
        }
    }

    /// Thinks about the position of a game that goes on.
    pub(super) fn think(&mut self, course: &GameHistory, stop: &AtomicBool) -> Result<Thought, PlayError> {
        match self {
            Self::BuiltIn { engine, nodes, hard_nodes } => {
                engine.set_position(course.position.clone());
                let limits = Limits::soft_nodes(*nodes, *hard_nodes);
                let outcome = engine
                    .search(&limits, &mut Silent)
                    .map_err(|error| Fault::NoStart(format!("no thread to search with: {error}")))?;
                let opinion = match outcome.score.moves_to_mate() {
                    Some(moves) => Opinion::Mate(moves),
                    None => Opinion::Centipawns(outcome.score.value()),
                };
                let none = || Fault::Crash("it found no move".to_owned());
                Ok(Thought { best: outcome.best.ok_or_else(none)?, opinion })
            }
            Self::Program { process, limit } => ask(process, *limit, course, stop),
        }
    }
}

fn ask(process: &mut UciPlayer, limit: Limit, course: &GameHistory, stop: &AtomicBool) -> Result<Thought, PlayError> {
    let allowance = Allowance { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: PATIENCE };
    let reply = process.choose(&course.view, &allowance, stop)?;
    let board = course.position.board();
    let Action::Move(text) = reply.action else {
        return Err(Fault::IllegalMove { text: "none".to_owned(), fen: board.to_fen() }.into());
    };
    let best =
        parse_uci_move(board, &text).map_err(|_| Fault::IllegalMove { text: text.clone(), fen: board.to_fen() })?;
    let silent = || Fault::Crash(format!("it gave no score with its move {text} in {}", board.to_fen()));
    Ok(Thought { best, opinion: reply.report.opinion.ok_or_else(silent)? })
}
