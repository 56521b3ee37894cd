//! A game between a human and the engine: positions, clocks, ending. Independent of the engine, the network and
//! requests.

use std::time::{Duration, Instant};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Clock, EndReason, GameResult, TimeControl, end_by_rules};
use alfiere_chess::movegen::format_san;
use alfiere_chess::openings::Opening;
use alfiere_chess::review::Evaluation;
use alfiere_chess::types::{Color, Move, Piece};
use alfiere_search::engine::Position;

use super::clock::GameClock;

/// Maximum number of plies, because every position is stored.
pub(super) const MAX_PLIES: usize = 1000;

/// A position of the game with the move that led to it.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) board: Board,
    /// `None` for the start position.
    pub(super) played: Option<Played>,
    /// The engine's evaluation, if it is known.
    pub(super) evaluation: Option<Evaluation>,
    /// The clocks when the position was reached.
    pub(super) clock: Option<GameClock>,
}

/// A move of the game.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) mv: Move,
    pub(super) san: String,
    pub(super) captured: Option<Piece>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// By the rules or by resignation.
    Rules(GameResult, EndReason),
    /// This side ran out of time, and the opponent has mating material.
    Time(Color),
    /// This side ran out of time, but the opponent has only the king.
    TimeWithoutMaterial(Color),
    /// The maximum number of plies.
    TooLong,
}

impl Ending {
    pub(super) fn result(&self) -> GameResult {
        match self {
            Self::Rules(result, _) => *result,
            Self::Time(side) => GameResult::Win(!*side),
            Self::TimeWithoutMaterial(_) | Self::TooLong => GameResult::Draw,
        }
    }

    /// The reason as text: `checkmate`, `White ran out of time`.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Rules(_, EndReason::FiftyMoves) => "fifty moves without a capture or a pawn move".to_owned(),
            Self::Rules(_, EndReason::Resignation(side)) => format!("{side} resigned"),
            Self::Rules(_, reason) => reason.to_string(),
            Self::Time(side) => format!("{side} ran out of time"),
            Self::TimeWithoutMaterial(side) => {
                format!("{side} ran out of time, but {} has only the king left", !*side)
            }
            Self::TooLong => format!("no result after {MAX_PLIES} half-moves"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The user's side.
    you: Color,
    /// Never empty: the first is the start position.
    stages: Vec<Stage>,
    keys: KeyHistory,
    /// Number of plies before the game was started.
    given: usize,
    clock: Option<GameClock>,
    ending: Option<Ending>,
}

impl Game {
    /// Starts a game after the moves of an opening, at most [`MAX_PLIES`].
    pub(super) fn new(opening: &Opening, you: Color, control: Option<TimeControl>, now: Instant) -> Self {
        let clock = control.map(GameClock::new);
        let start = Stage { board: opening.start.clone(), played: None, evaluation: None, clock };
        let mut game =
            Self { you, stages: vec![start], keys: KeyHistory::new(), given: opening.moves.len(), clock, ending: None };
        for &mv in &opening.moves {
            game.push(mv);
        }
        game.end_by_rules(now);
        game
    }

    /// The user's side.
    pub(super) fn you(&self) -> Color {
        self.you
    }

    /// The current position.
    pub(super) fn board(&self) -> &Board {
        &self.stages[self.stages.len() - 1].board
    }

    /// Number of plies played, including those of the opening.
    pub(super) fn plies(&self) -> usize {
        self.stages.len() - 1
    }

    /// Number of plies of the opening.
    pub(super) fn given(&self) -> usize {
        self.given
    }

    /// All positions, starting with the first.
    pub(super) fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The ending, if the game is over.
    pub(super) fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the user is to move.
    pub(super) fn is_your_turn(&self) -> bool {
        self.ending.is_none() && self.board().side_to_move() == self.you
    }

    /// Whether the engine is to move.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.board().side_to_move() != self.you
    }

    /// The position after `ply` plies with its history, for the engine.
    pub(super) fn position_at(&self, ply: usize) -> Position {
        let mut position = Position::new(self.stages[0].board.clone());
        for played in self.stages.iter().take(ply + 1).filter_map(|stage| stage.played.as_ref()) {
            position.play(played.mv);
        }
        position
    }

    /// Remaining time of a side, if there are clocks.
    pub(super) fn time_left(&self, side: Color, now: Instant) -> Option<Duration> {
        Some(self.clock?.left(side, self.board().side_to_move(), now))
    }

    /// The clock of the side to move at the start of the move, for the engine.
    pub(super) fn clock_to_move(&self) -> Option<Clock> {
        Some(self.clock?.of(self.board().side_to_move()))
    }

    /// The side whose clock runs.
    pub(super) fn running_clock(&self) -> Option<Color> {
        self.clock.filter(|clock| self.ending.is_none() && clock.runs()).map(|_| self.board().side_to_move())
    }

    /// Ends the game if the side to move is out of time, and returns whether it did.
    pub(super) fn settle(&mut self, now: Instant) -> bool {
        let side = self.board().side_to_move();
        let is_up = self.clock.is_some_and(|clock| clock.runs() && clock.left(side, side, now).is_zero());
        if self.ending.is_some() || !is_up {
            return false;
        }
        let is_bare = self.board().color(!side).count() == 1;
        self.end(if is_bare { Ending::TimeWithoutMaterial(side) } else { Ending::Time(side) }, now);
        true
    }

    /// Plays a legal move; the game must not be over.
    pub(super) fn play(&mut self, mv: Move, now: Instant) {
        let side = self.board().side_to_move();
        // The first move of each side is free, so that nobody loses time while the page is loading.
        let is_timed = self.plies() + 1 >= self.given + 2;
        if let Some(clock) = &mut self.clock {
            clock.press(side, is_timed, now);
        }
        self.push(mv);
        self.end_by_rules(now);
    }

    fn push(&mut self, mv: Move) {
        let mut board = self.board().clone();
        let played = Played { mv, san: format_san(&board, mv), captured: board.captured(mv) };
        self.keys.push(&board);
        board.play(mv);
        self.stages.push(Stage { board, played: Some(played), evaluation: None, clock: self.clock });
    }

    fn end_by_rules(&mut self, now: Instant) {
        if let Some((result, reason)) = end_by_rules(self.board(), &self.keys) {
            self.end(Ending::Rules(result, reason), now);
        } else if self.plies() >= MAX_PLIES {
            self.end(Ending::TooLong, now);
        }
    }

    /// Resigns for the user; ignored after the end.
    pub(super) fn resign(&mut self, now: Instant) {
        if self.ending.is_none() {
            self.end(Ending::Rules(GameResult::Win(!self.you), EndReason::Resignation(self.you)), now);
        }
    }

    fn end(&mut self, ending: Ending, now: Instant) {
        let side = self.board().side_to_move();
        if let Some(clock) = &mut self.clock {
            clock.stop(side, now);
        }
        self.ending = Some(ending);
    }

    /// Takes back the user's last move and the moves after it, and returns whether there was one: not after the end.
    pub(super) fn take_back(&mut self, now: Instant) -> bool {
        let Some(ply) = self.last_own_turn() else { return false };
        while self.plies() > ply {
            self.stages.pop();
            self.keys.pop();
        }
        self.clock = self.stages[ply].clock;
        if let Some(clock) = &mut self.clock {
            clock.resume(now);
        }
        true
    }

    /// Whether the user has a move to take back.
    pub(super) fn can_take_back(&self) -> bool {
        self.last_own_turn().is_some()
    }

    fn last_own_turn(&self) -> Option<usize> {
        if self.ending.is_some() {
            return None;
        }
        (self.given..self.plies()).rev().find(|&ply| self.stages[ply].board.side_to_move() == self.you)
    }

    /// Stores the evaluation of a position, if the game still has it at this ply.
    pub(super) fn evaluate(&mut self, ply: usize, board: &Board, evaluation: Evaluation) {
        if let Some(stage) = self.stages.get_mut(ply).filter(|stage| stage.board == *board) {
            stage.evaluation = Some(evaluation);
        }
    }
}
