//! One game: a start that is not lost, moves and scores, an end.

use std::sync::atomic::{AtomicBool, Ordering};

use alfiere_arena::player::PlayError;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Adjudicator, GameResult as Outcome, Opinion, Ruling, end_by_rules};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_search::genfens::Starts;

use super::player::{GameHistory, Player, Thought};
use super::settings::DatagenSettings;
use crate::data::game_file::{GameRecord, Ply};
use crate::data::{GameResult, Row, rank_of};

/// What became of a game.
pub(super) enum Played {
    /// It was played; the key is that of the board it began with.
    Game { record: Box<GameRecord>, key: u64 },
    /// It begins where an earlier one did, or nowhere.
    Dropped,
}

/// Plays the game of this number. `is_known` says whether an earlier game began with a board of this key.
pub(super) fn play(
    number: u64,
    settings: &DatagenSettings,
    starts: &Starts,
    player: &mut Player,
    is_known: impl Fn(u64) -> bool,
    stop: &AtomicBool,
) -> Result<Played, PlayError> {
    let place = number * settings.shard.count() as u64 + settings.shard.index() as u64;
    let mut random = Random::for_part(settings.seed, place);
    let found = starts.find(place, &mut random, |board| judge(board, settings, player, stop))?;
    let Some((start, thought)) = found else { return Ok(Played::Dropped) };
    let key = start.key();
    if is_known(key) {
        return Ok(Played::Dropped);
    }
    let record = Game::new(number, &start, settings, random).play(thought, player, stop)?;
    Ok(Played::Game { record: Box::new(record), key })
}

/// What the player thinks of a start, if neither side stands much better.
fn judge(
    board: &Board,
    settings: &DatagenSettings,
    player: &mut Player,
    stop: &AtomicBool,
) -> Result<Option<Thought>, PlayError> {
    // Games know no Chess960: what a row does not keep must not be there.
    if Row::of_board(board).to_board().as_ref().map(Board::key) != Ok(board.key()) {
        return Ok(None);
    }
    let course = GameHistory::new(board);
    player.new_game(&course, stop)?;
    let thought = player.think(&course, stop)?;
    let is_balanced = thought.opinion.centipawns().abs() <= settings.max_opening_cp;
    Ok((is_balanced && !matches!(thought.opinion, Opinion::Mate(_))).then_some(thought))
}

/// A game under way.
struct Game<'a> {
    settings: &'a DatagenSettings,
    course: GameHistory,
    random: Random,
    adjudicator: Adjudicator,
    record: GameRecord,
}

impl<'a> Game<'a> {
    fn new(number: u64, start: &Board, settings: &'a DatagenSettings, mut random: Random) -> Self {
        let record = GameRecord {
            number,
            start: Row::of_board(start),
            result: GameResult::Unknown,
            random_moves: random.chance(settings.noise),
            plies: Vec::with_capacity(160),
        };
        let adjudicator = Adjudicator::new(settings.rules);
        Self { settings, course: GameHistory::new(start), random, adjudicator, record }
    }

    /// Plays to the end, from what the player thinks of the start.
    fn play(mut self, first: Thought, player: &mut Player, stop: &AtomicBool) -> Result<GameRecord, PlayError> {
        let mut thought = first;
        loop {
            if let Some(outcome) = self.step(thought) {
                self.record.result = match outcome {
                    Outcome::Win(Color::White) => GameResult::WhiteWins,
                    Outcome::Win(Color::Black) => GameResult::BlackWins,
                    Outcome::Draw => GameResult::Draw,
                };
                return Ok(self.record);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(PlayError::Stopped);
            }
            thought = player.think(&self.course, stop)?;
        }
    }

    /// Notes the position with what is thought of it, plays a move, and says how the game ends if it does.
    fn step(&mut self, thought: Thought) -> Option<Outcome> {
        let board = self.course.position.board();
        let (side, move_number) = (board.side_to_move(), u32::from(board.fullmove_number()));
        let best = rank_of(board, thought.best);
        let mv = if self.record.random_moves {
            noisy_move(board, thought.best, self.settings, &mut self.random)
        } else {
            thought.best
        };
        let played = rank_of(board, mv);
        self.record.plies.push(Ply { label: thought.label(side), played: Some(played), best: Some(best) });
        self.course.play(mv);
        let position = &self.course.position;
        if let Some((outcome, _)) = end_by_rules(position.board(), position.keys()) {
            return Some(outcome);
        }
        if mv == thought.best {
            if let Opinion::Mate(moves) = thought.opinion
                && self.settings.mate_ends
            {
                return Some(Outcome::Win(if moves > 0 { side } else { !side }));
            }
            match self.adjudicator.observe(side, Some(thought.opinion), move_number) {
                Some(Ruling::Draw) => return Some(Outcome::Draw),
                Some(Ruling::Win(winner)) => return Some(Outcome::Win(winner)),
                None => {}
            }
        } else {
            // What was thought before a random move says nothing of what comes after.
            self.adjudicator = Adjudicator::new(self.settings.rules);
        }
        (self.record.plies.len() >= self.settings.rules.max_plies as usize).then_some(Outcome::Draw)
    }
}

/// Mostly the best move, now and then any.
fn noisy_move(board: &Board, best: Move, settings: &DatagenSettings, random: &mut Random) -> Move {
    if random.below(u64::from(settings.noise_every)) > 0 {
        return best;
    }
    let moves = legal_moves(board);
    moves.get(random.below(moves.len() as u64) as usize).copied().unwrap_or(best)
}
