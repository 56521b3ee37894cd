//! The JSON of a game. Scores and expectations are from White's point of view, times are in milliseconds, squares like
//! `e4`.

use std::time::{Duration, Instant, SystemTime};

use alfiere_chess::board::Board;
use alfiere_chess::game::TimeControl;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::review::Evaluation;
use alfiere_chess::types::{Color, Move, Piece};
use alfiere_rules::{End, Placement, side_name, write_move};
use alfiere_search::engine::Player;
use alfiere_search::search::TimeLimit;
use serde::{Deserialize, Serialize};

use super::game::{Game, Stage};
use super::level::Level;

/// The time setting of a game.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum TimeSetting {
    /// No time limit.
    #[default]
    None,
    /// A clock for each side.
    Clock {
        /// Base time.
        seconds: f64,
        /// Increment per move.
        #[serde(default)]
        increment: f64,
    },
    /// A fixed time per move of the engine.
    Move {
        /// Time per move.
        seconds: f64,
    },
}

impl TimeSetting {
    /// The time control, if there is a clock.
    pub(super) fn control(self) -> Option<TimeControl> {
        match self {
            Self::Clock { seconds, increment } => Some(TimeControl {
                moves: None,
                base: Duration::from_secs_f64(seconds),
                increment: Duration::from_secs_f64(increment),
            }),
            _ => None,
        }
    }

    /// The limit of the engine's moves without a clock.
    pub(super) fn engine_limit(self) -> TimeLimit {
        match self {
            Self::Move { seconds } => TimeLimit::MoveTime(Duration::from_secs_f64(seconds)),
            _ => TimeLimit::None,
        }
    }

    /// The value of the PGN tag `TimeControl`.
    pub(super) fn tag(self) -> String {
        match self {
            Self::Clock { seconds, increment } => format!("{seconds}+{increment}"),
            Self::None | Self::Move { .. } => "-".to_owned(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct GameConditions {
    pub(super) you: Color,
    pub(super) player: Player,
    pub(super) level: Level,
    pub(super) time: TimeSetting,
    pub(super) began: SystemTime,
}

/// The best line of a position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Hint {
    /// The ply of the position.
    pub(super) ply: usize,
    from: String,
    to: String,
    /// The line in SAN with move numbers.
    line: String,
    depth: u32,
    evaluation: Evaluation,
}

impl Hint {
    pub(super) fn new(ply: usize, board: &Board, mv: Move, line: String, depth: u32, evaluation: Evaluation) -> Self {
        let uci = write_move(board, mv);
        Self { ply, from: uci[0..2].to_owned(), to: uci[2..4].to_owned(), line, depth, evaluation }
    }
}

/// A position of the game.
#[derive(Clone, Debug, Serialize)]
struct StageView {
    #[serde(flatten)]
    placement: Placement,
    evaluation: Option<Evaluation>,
    /// The move that led to the position.
    #[serde(flatten)]
    played: Option<PlayedView>,
}

#[derive(Clone, Debug, Serialize)]
struct PlayedView {
    san: String,
    uci: String,
    /// The letter of the captured piece.
    captured: Option<char>,
}

#[derive(Clone, Debug, Serialize)]
struct ClockView {
    white: u64,
    black: u64,
    running: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct GameView {
    pub(super) id: String,
    pub(super) version: u64,
    you: &'static str,
    player: &'static str,
    level: String,
    /// The level's label; `None` for a player with one level.
    level_label: Option<String>,
    time: TimeSetting,
    /// Number of plies of the opening.
    given: usize,
    turn: &'static str,
    your_turn: bool,
    /// The user's legal moves in UCI notation.
    legal: Vec<String>,
    can_take_back: bool,
    stages: Vec<StageView>,
    clock: Option<ClockView>,
    end: Option<End>,
    pub(super) thinking: bool,
    pub(super) hint: Option<Hint>,
    pub(super) requested_hint: Option<usize>,
    pub(super) failure: Option<String>,
}

/// The game as sent to the page, without the fields that only the session has.
pub(super) fn view(game: &Game, conditions: &GameConditions, now: Instant) -> GameView {
    let board = game.board();
    let milliseconds = |side| game.time_left(side, now).map(|left| left.as_millis() as u64);
    let clock = milliseconds(Color::White).zip(milliseconds(Color::Black));
    let legal = if game.is_your_turn() { legal_moves(board) } else { alfiere_chess::types::MoveList::new() };
    let stages = game.stages();
    let first = std::iter::once(stage_view(&stages[0], None));
    let later = stages.windows(2).map(|pair| stage_view(&pair[1], Some(&pair[0].board)));
    GameView {
        id: String::new(),
        version: 0,
        you: side_name(game.you()),
        player: conditions.player.name(),
        level: conditions.level.name(),
        level_label: conditions.level.label(conditions.player),
        time: conditions.time,
        given: game.given(),
        turn: side_name(board.side_to_move()),
        your_turn: game.is_your_turn(),
        legal: legal.into_iter().map(|mv| write_move(board, mv)).collect(),
        can_take_back: game.can_take_back(),
        stages: first.chain(later).collect(),
        clock: clock.map(|(white, black)| ClockView { white, black, running: game.running_clock().map(side_name) }),
        end: game.ending().map(|ending| End::new(ending.result(), ending.reason())),
        thinking: false,
        hint: None,
        requested_hint: None,
        failure: None,
    }
}

fn stage_view(stage: &Stage, before: Option<&Board>) -> StageView {
    let played = stage.played.as_ref().zip(before).map(|(played, before)| PlayedView {
        san: played.san.clone(),
        uci: write_move(before, played.mv),
        captured: played.captured.map(Piece::letter),
    });
    StageView { placement: Placement::new(&stage.board), evaluation: stage.evaluation, played }
}
