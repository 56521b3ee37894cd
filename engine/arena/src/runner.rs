//! Runs a match or tournament: worker threads with two players each take games from the schedule, and the calling
//! thread keeps the scores.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::{fmt, thread};

use alfiere_chess::game::{EndReason, Fault, GameRecord, Limit};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::Opening;
use thiserror::Error;

use super::game::{EndgameAdjudicator, GameSettings, Participant, play_game};
use super::player::{GameView, MoveLimits, PlayError, Player, Reply};
use super::schedule::{Schedule, ScheduledGame};
use super::score::{FinishedGame, MatchScore};
use super::spec::PlayerSpec;
use super::sprt::{Sprt, SprtDecision};
use super::uci_player::UciPlayer;

/// Number of consecutive failed starts after which a worker aborts the match.
const MAX_FAILED_STARTS: u32 = 3;

#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The players, at least two.
    pub players: Vec<PlayerSpec>,
    pub schedule: Schedule,
    /// Search limit of players without a limit of their own.
    pub limit: Limit,
    /// Openings by round, reused from the start after the last. Must not be empty.
    pub openings: Vec<Opening>,
    pub game: GameSettings,
    /// Endgames by which games are adjudicated.
    pub endgames: Option<Arc<dyn EndgameAdjudicator>>,
    pub concurrency: usize,
    /// If set, the match ends when the test of its first encounter is decided.
    pub sprt: Option<Sprt>,
    /// Games finished in an earlier run: they are counted and not played again.
    pub finished: Vec<FinishedGame>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchEnd {
    Complete,
    Decided,
    /// The user stopped it; games in progress are not counted.
    Stopped,
}

impl fmt::Display for MatchEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::Decided => "decided",
            Self::Stopped => "stopped",
        })
    }
}

/// Why a match cannot start or continue.
#[derive(Debug, Error)]
pub enum MatchError {
    #[error("engine \"{name}\" {fault}")]
    NoStart { name: String, fault: Fault },
}

/// Receives every finished game.
pub trait MatchObserver {
    /// Called after a game is counted in the score of its encounter.
    fn game_finished(&mut self, game: &FinishedGame, record: &GameRecord, scores: &[MatchScore]);
}

/// Plays a match and returns the score of each encounter from its first player's point of view. Setting `stop` ends the
/// match; the match also sets it when the SPRT is decided.
///
/// # Errors
/// If an engine cannot be started, at the beginning or repeatedly later.
pub fn run_match(
    settings: &MatchSettings,
    stop: &AtomicBool,
    observer: &mut dyn MatchObserver,
) -> Result<(Vec<MatchScore>, MatchEnd), MatchError> {
    let no_start = |index: usize, fault| MatchError::NoStart { name: settings.players[index].name.clone(), fault };
    let mut scores = vec![MatchScore::default(); settings.schedule.encounters().len()];
    settings.finished.iter().for_each(|finished| scores[finished.game.encounter].add(finished));
    let is_decided = |scores: &[MatchScore]| {
        settings.sprt.is_some_and(|sprt| sprt.verdict(&scores[0].pairs) != SprtDecision::Continue)
    };
    if is_decided(&scores) {
        return Ok((scores, MatchEnd::Decided));
    }
    // Each engine is started once before the first game, so that a misspelt program is an error and not a lost match.
    for (index, spec) in settings.players.iter().enumerate() {
        match UciPlayer::start(spec, stop) {
            Err(PlayError::Fault(fault)) => return Err(no_start(index, fault)),
            Err(PlayError::Stopped) => return Ok((scores, MatchEnd::Stopped)),
            Ok(_) => {}
        }
    }
    let next_game = AtomicU64::new(0);
    let finished: HashSet<ScheduledGame> = settings.finished.iter().map(|finished| finished.game).collect();
    let next_scheduled = || loop {
        let game = settings.schedule.game(next_game.fetch_add(1, Ordering::Relaxed))?;
        if !finished.contains(&game) {
            return Some(game);
        }
    };
    let mut end = MatchEnd::Complete;
    let mut failure = None;
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..settings.concurrency.max(1) {
            let (sender, next_scheduled) = (sender.clone(), &next_scheduled);
            scope.spawn(move || play_games(settings, next_scheduled, stop, &sender));
        }
        drop(sender);
        for message in results {
            match message {
                Message::Finished(game, record) => {
                    let finished = FinishedGame::new(game, &record);
                    scores[game.encounter].add(&finished);
                    observer.game_finished(&finished, &record, &scores);
                    if is_decided(&scores) {
                        end = MatchEnd::Decided;
                        stop.store(true, Ordering::Relaxed);
                        break;
                    }
                }
                Message::Aborted(index, fault) => {
                    failure.get_or_insert_with(|| no_start(index, fault));
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let played: u64 = scores.iter().map(|score| score.games.games()).sum();
    if end == MatchEnd::Complete && played < settings.schedule.games() {
        end = MatchEnd::Stopped;
    }
    Ok((scores, end))
}

enum Message {
    Finished(ScheduledGame, Box<GameRecord>),
    Aborted(usize, Fault),
}

struct RunningPlayer {
    index: usize,
    player: Box<dyn Player>,
}

/// Takes the two players of a game from the running ones or starts them. All others are ended, so that only programs
/// that play use memory.
fn acquire_players(
    settings: &MatchSettings,
    encounter: [usize; 2],
    running: &mut Vec<RunningPlayer>,
    stop: &AtomicBool,
) -> [RunningPlayer; 2] {
    running.retain(|running_player| encounter.contains(&running_player.index));
    encounter.map(|index| {
        if let Some(position) = running.iter().position(|running_player| running_player.index == index) {
            return running.swap_remove(position);
        }
        let player: Box<dyn Player> = match UciPlayer::start(&settings.players[index], stop) {
            Ok(player) => Box::new(player),
            Err(error) => Box::new(FailedStart(error)),
        };
        RunningPlayer { index, player }
    })
}

/// Plays games until none is left.
fn play_games(
    settings: &MatchSettings,
    next_scheduled: impl Fn() -> Option<ScheduledGame>,
    stop: &AtomicBool,
    results: &Sender<Message>,
) {
    let mut running: Vec<RunningPlayer> = Vec::new();
    let mut failed_starts = vec![0; settings.players.len()];
    while !stop.load(Ordering::Relaxed) {
        let Some(game) = next_scheduled() else { return };
        let encounter = settings.schedule.encounters()[game.encounter];
        let mut playing = acquire_players(settings, encounter, &mut running, stop);
        let opening = &settings.openings[game.number.pair() as usize % settings.openings.len()];
        let mut participants = playing.each_mut().map(|running_player| Participant {
            limit: settings.players[running_player.index].limit.unwrap_or(settings.limit),
            player: running_player.player.as_mut(),
        });
        let first_color = game.number.first_player_color();
        if first_color == alfiere_chess::types::Color::Black {
            participants.reverse();
        }
        let Some(record) = play_game(opening, participants, &settings.game, settings.endgames.as_deref(), stop) else {
            return;
        };
        running.extend(playing.into_iter().filter(|playing| !settings.players[playing.index].restart));
        let mut aborted = None;
        let index_of = |side| encounter[usize::from(side != first_color)];
        let failed = match &record.reason {
            EndReason::Fault(side, Fault::NoStart(_)) => Some(index_of(*side)),
            _ => None,
        };
        for index in encounter {
            failed_starts[index] = if failed == Some(index) { failed_starts[index] + 1 } else { 0 };
        }
        if let EndReason::Fault(side, fault) = &record.reason {
            let index = index_of(*side);
            // The program's state is unknown: it is restarted for the next game.
            running.retain(|running_player| running_player.index != index);
            aborted = (failed_starts[index] >= MAX_FAILED_STARTS).then(|| (index, fault.clone()));
        }
        if results.send(Message::Finished(game, Box::new(record))).is_err() {
            return;
        }
        if let Some((index, fault)) = aborted {
            // The receiver is closed only after the end of the match.
            let _ = results.send(Message::Aborted(index, fault));
            return;
        }
    }
}

/// Stands in for a program that could not be started: it loses the game at once.
struct FailedStart(PlayError);

impl Player for FailedStart {
    fn new_game(&mut self, _: CastlingNotation, _: &AtomicBool) -> Result<(), PlayError> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _: &GameView, _: &MoveLimits, _: &AtomicBool) -> Result<Reply, PlayError> {
        Err(self.0.clone())
    }
}
