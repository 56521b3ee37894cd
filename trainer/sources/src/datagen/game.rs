//! Plays one game: a balanced start position, moves with scores, a result.

use std::sync::atomic::{AtomicBool, Ordering};

use alfiere_arena::player::PlayError;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Adjudicator, GameResult, ReportedScore, Ruling, end_by_rules};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::game_file::{GameFileRecord, Ply};
use alfiere_data::{Row, RowResult, rank_of};
use alfiere_search::genfens::StartPositions;

use super::player::{GameHistory, Player, SearchResult};
use super::settings::DatagenSettings;

pub(super) enum PlayedGame {
    /// The game was played; `key` is the hash key of its start position.
    Game { record: Box<GameFileRecord>, key: u64 },
    /// No balanced start position was found, or an earlier game has the same one.
    Dropped,
}

/// Plays game `number`. `is_known` returns true if an earlier game started from the position with this key.
pub(super) fn play(
    number: u64,
    settings: &DatagenSettings,
    starts: &StartPositions,
    player: &mut Player,
    is_known: impl Fn(u64) -> bool,
    stop: &AtomicBool,
) -> Result<PlayedGame, PlayError> {
    let place = number * settings.shard.count() as u64 + settings.shard.index() as u64;
    let mut random = Random::for_part(settings.seed, place);
    let found = starts.find(place, &mut random, |board| search_start(board, settings, player, stop))?;
    let Some((start, searched)) = found else { return Ok(PlayedGame::Dropped) };
    let key = start.key();
    if is_known(key) {
        return Ok(PlayedGame::Dropped);
    }
    let record = Game::new(number, &start, settings, random).play(searched, player, stop)?;
    Ok(PlayedGame::Game { record: Box::new(record), key })
}

/// Searches a start position; `None` unless it is balanced.
fn search_start(
    board: &Board,
    settings: &DatagenSettings,
    player: &mut Player,
    stop: &AtomicBool,
) -> Result<Option<SearchResult>, PlayError> {
    // Rows cannot represent Chess960 castling rights, so such positions are rejected.
    if Row::of_board(board).to_board().as_ref().map(Board::key) != Ok(board.key()) {
        return Ok(None);
    }
    let history = GameHistory::new(board);
    player.new_game(&history, stop)?;
    let searched = player.search(&history, stop)?;
    let is_balanced = searched.reported_score.centipawns().abs() <= settings.max_opening_cp;
    Ok((is_balanced && !matches!(searched.reported_score, ReportedScore::Mate(_))).then_some(searched))
}

struct Game<'a> {
    settings: &'a DatagenSettings,
    history: GameHistory,
    random: Random,
    adjudicator: Adjudicator,
    record: GameFileRecord,
}

impl<'a> Game<'a> {
    fn new(number: u64, start: &Board, settings: &'a DatagenSettings, mut random: Random) -> Self {
        let record = GameFileRecord {
            number,
            start: Row::of_board(start),
            result: RowResult::Unknown,
            random_moves: random.chance(settings.noise),
            plies: Vec::with_capacity(160),
        };
        let adjudicator = Adjudicator::new(settings.rules);
        Self { settings, history: GameHistory::new(start), random, adjudicator, record }
    }

    /// Plays the game to its end; `first` is the search of the start position.
    fn play(
        mut self,
        first: SearchResult,
        player: &mut Player,
        stop: &AtomicBool,
    ) -> Result<GameFileRecord, PlayError> {
        let mut searched = first;
        loop {
            if let Some(outcome) = self.step(searched) {
                self.record.result = match outcome {
                    GameResult::Win(Color::White) => RowResult::WhiteWins,
                    GameResult::Win(Color::Black) => RowResult::BlackWins,
                    GameResult::Draw => RowResult::Draw,
                };
                return Ok(self.record);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(PlayError::Stopped);
            }
            searched = player.search(&self.history, stop)?;
        }
    }

    /// Records the position with its search result and plays a move; returns the outcome if the game has ended.
    fn step(&mut self, searched: SearchResult) -> Option<GameResult> {
        let board = self.history.position.board();
        let (side, move_number) = (board.side_to_move(), u32::from(board.fullmove_number()));
        let best = rank_of(board, searched.best);
        let mv = if self.record.random_moves {
            noisy_move(board, searched.best, self.settings, &mut self.random)
        } else {
            searched.best
        };
        let played = rank_of(board, mv);
        self.record.plies.push(Ply { label: searched.label(side), played: Some(played), best: Some(best) });
        self.history.play(mv);
        let position = &self.history.position;
        if let Some((outcome, _)) = end_by_rules(position.board(), position.keys()) {
            return Some(outcome);
        }
        if mv == searched.best {
            if let ReportedScore::Mate(moves) = searched.reported_score
                && self.settings.mate_ends
            {
                return Some(GameResult::Win(if moves > 0 { side } else { !side }));
            }
            match self.adjudicator.observe(side, Some(searched.reported_score), move_number) {
                Some(Ruling::Draw) => return Some(GameResult::Draw),
                Some(Ruling::Win(winner)) => return Some(GameResult::Win(winner)),
                None => {}
            }
        } else {
            // The score before a random move says nothing about the position after it.
            self.adjudicator = Adjudicator::new(self.settings.rules);
        }
        (self.record.plies.len() >= self.settings.rules.max_plies as usize).then_some(GameResult::Draw)
    }
}

/// Returns the best move, or sometimes a random one.
fn noisy_move(board: &Board, best: Move, settings: &DatagenSettings, random: &mut Random) -> Move {
    if random.below(u64::from(settings.noise_every)) > 0 {
        return best;
    }
    let moves = legal_moves(board);
    moves.get(random.below(moves.len() as u64) as usize).copied().unwrap_or(best)
}
