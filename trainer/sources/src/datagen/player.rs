//! The player of a game: the built-in engine, or an external UCI engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player as _};
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Fault, Limit, ReportedScore};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::types::{Color, Move};
use alfiere_data::Label;
use alfiere_search::engine::{Engine, Position};
use alfiere_search::search::{Control, Limits, Silent};

use super::settings::{DatagenSettings, PlayerChoice};

/// Time after which an external engine counts as hanging.
const PATIENCE: Duration = Duration::from_mins(2);
/// Additional time allowed for a move with fixed move time.
const MARGIN: Duration = Duration::from_secs(5);

pub(super) enum Player {
    BuiltIn {
        engine: Box<Engine>,
        control: Arc<Control>,
        nodes: u64,
        hard_nodes: u64,
    },
    /// An external UCI engine.
    Program {
        process: Box<UciPlayer>,
        limit: Limit,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    pub(super) best: Move,
    /// Its score, from the side to move's point of view.
    pub(super) reported_score: ReportedScore,
}

impl SearchResult {
    /// The score from White's point of view.
    pub(super) fn label(self, side: Color) -> Label {
        Label::of_reported_score(self.reported_score, side)
    }
}

/// A game's start position and moves.
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
                let DatagenSettings { nodes, hard_nodes, .. } = *settings;
                Self::BuiltIn { engine, control: Arc::default(), nodes, hard_nodes }
            }
            PlayerChoice::Program { spec, .. } => Self::Program {
                process: Box::new(UciPlayer::start(spec, stop)?),
                limit: spec.limit.unwrap_or(Limit::Nodes(settings.nodes)),
            },
        })
    }

    /// Clears the player's state before a game.
    pub(super) fn new_game(&mut self, history: &GameHistory, stop: &AtomicBool) -> Result<(), PlayError> {
        match self {
            Self::BuiltIn { engine, .. } => {
                engine.new_game();
                Ok(())
            }
            Self::Program { process, limit } => process.new_game(&history.view, *limit, stop),
        }
    }

    /// Searches the current position of a game.
    pub(super) fn search(&mut self, history: &GameHistory, stop: &AtomicBool) -> Result<SearchResult, PlayError> {
        match self {
            Self::BuiltIn { engine, control, nodes, hard_nodes } => {
                engine.set_position(history.position.clone());
                let limits = Limits::soft_nodes(*nodes, *hard_nodes);
                control.next_search();
                let outcome = engine
                    .search_under(control, &limits, &mut Silent)
                    .map_err(|error| Fault::NoStart(format!("cannot spawn the search thread: {error}")))?;
                if control.is_stopped() {
                    return Err(PlayError::Stopped);
                }
                let reported_score = match outcome.score.moves_to_mate() {
                    Some(moves) => ReportedScore::Mate(moves),
                    None => ReportedScore::Centipawns(outcome.score.value()),
                };
                let none = || Fault::Crash("it found no move".to_owned());
                Ok(SearchResult { best: outcome.best.ok_or_else(none)?, reported_score })
            }
            Self::Program { process, limit } => ask(process, *limit, history, stop),
        }
    }
}

fn ask(
    process: &mut UciPlayer,
    limit: Limit,
    history: &GameHistory,
    stop: &AtomicBool,
) -> Result<SearchResult, PlayError> {
    let limits = MoveLimits { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: PATIENCE };
    let reply = process.choose(&history.view, &limits, stop)?;
    let board = history.position.board();
    let text = reply.text;
    let best =
        parse_uci_move(board, &text).map_err(|_| Fault::IllegalMove { text: text.clone(), fen: board.to_fen() })?;
    let silent = || Fault::Crash(format!("it gave no score with its move {text} in {}", board.to_fen()));
    Ok(SearchResult { best, reported_score: reply.report.reported_score.ok_or_else(silent)? })
}
