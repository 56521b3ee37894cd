//! A whole match or tournament: worker threads with two players each, games dealt out as the schedule has them, the scores
//! kept in one place.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use alfiere_chess::game::{EndReason, Fault, GameRecord, Limit};
use alfiere_chess::openings::Opening;
use thiserror::Error;

use super::finished::FinishedGame;
use super::game::{GameSettings, Seat, play_game};
use super::player::{Allowance, GameView, PlayError, Player, Reply};
use super::schedule::{Schedule, ScheduledGame};
use super::score::MatchScore;
use super::spec::{PlayerSpec, Protocol};
use super::sprt::{Sprt, SprtDecision};
use super::uci_player::UciPlayer;
use super::xboard_player::XboardPlayer;

/// After so many failed starts on end a worker gives the match up.
const MAX_FAILED_STARTS: u32 = 3;

/// Everything a match is played by.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The players, two at least.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom, and how often.
    pub schedule: Schedule,
    /// Bounds the moves of players without a limit of their own.
    pub limit: Limit,
    /// Openings in the order of rounds; they are used again when they run out. Never empty.
    pub openings: Vec<Opening>,
    /// How each game is played.
    pub game: GameSettings,
    /// Games at a time.
    pub concurrency: usize,
    /// Ends the match when its first encounter is decided.
    pub sprt: Option<Sprt>,
    /// Games that were finished in an earlier run: they are counted and not played again.
    pub finished: Vec<FinishedGame>,
}

/// Why a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided,
    /// The user stopped it; games under way are not counted.
    Stopped,
}

/// Why a match could not begin or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A player does not start.
    #[error("engine \"{name}\" {fault}")]
    NoStart {
        /// The player.
        name: String,
        /// What happened.
        fault: Fault,
    },
}

/// Receives every finished game.
pub trait MatchObserver {
    /// A game is over and counted in the score of its encounter.
    fn game_finished(&mut self, game: &FinishedGame, record: &GameRecord, scores: &[MatchScore]);
}

/// Starts the program of a player.
///
/// # Errors
/// If it does not start or does not greet.
pub fn start_player(spec: &PlayerSpec, stop: &AtomicBool) -> Result<Box<dyn Player>, PlayError> {
    Ok(match spec.protocol {
        Protocol::Uci => Box::new(UciPlayer::start(spec, stop)?),
        Protocol::Xboard => Box::new(XboardPlayer::start(spec, stop)?),
    })
}

/// Plays the match and returns the score of each encounter, from its first player's side. Setting `stop` ends the match; the match
/// sets it too when the sequential test is decided.
///
/// # Errors
/// If a player does not start at the beginning, or not any more.
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
    // One start of each before any game: a misspelt program is an error, not a lost match.
    for (index, spec) in settings.players.iter().enumerate() {
        match start_player(spec, stop) {
            Err(PlayError::Fault(fault)) => return Err(no_start(index, fault)),
            Err(PlayError::Stopped) => return Ok((scores, MatchEnd::Stopped)),
            Ok(_) => {}
        }
    }
    let next_game = AtomicU64::new(0);
    let finished: HashSet<ScheduledGame> = settings.finished.iter().map(|finished| finished.game).collect();
    let deal = || loop {
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
            let (sender, deal) = (sender.clone(), &deal);
            scope.spawn(move || work(settings, deal, stop, &sender));
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
                Message::GivenUp(index, fault) => {
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
    GivenUp(usize, Fault),
}

/// A player of a worker.
struct Engaged {
    /// Who it is, by number.
    index: usize,
    player: Box<dyn Player>,
}

/// Takes the two players of a game from those at hand or starts them. The others end: so no more programs run, with their
/// tables and networks, than play.
fn engage(
    settings: &MatchSettings,
    encounter: [usize; 2],
    at_hand: &mut Vec<Engaged>,
    stop: &AtomicBool,
) -> [Engaged; 2] {
    at_hand.retain(|engaged| encounter.contains(&engaged.index));
    encounter.map(|index| {
        if let Some(place) = at_hand.iter().position(|engaged| engaged.index == index) {
            return at_hand.swap_remove(place);
        }
        let started = start_player(&settings.players[index], stop);
        Engaged { index, player: started.unwrap_or_else(|error| Box::new(Absent(error))) }
    })
}

/// Plays games until none is left.
fn work(
    settings: &MatchSettings,
    deal: impl Fn() -> Option<ScheduledGame>,
    stop: &AtomicBool,
    results: &Sender<Message>,
) {
    let mut at_hand: Vec<Engaged> = Vec::new();
    let mut failed_starts = vec![0; settings.players.len()];
    while !stop.load(Ordering::Relaxed) {
        let Some(game) = deal() else { return };
        let encounter = settings.schedule.encounters()[game.encounter];
        let mut playing = engage(settings, encounter, &mut at_hand, stop);
        let opening = &settings.openings[game.number.pair() as usize % settings.openings.len()];
        let mut seats = playing.each_mut().map(|engaged| Seat {
            limit: settings.players[engaged.index].limit.unwrap_or(settings.limit),
            player: engaged.player.as_mut(),
        });
        let first_color = game.number.first_player_color();
        if first_color == alfiere_chess::types::Color::Black {
            seats.reverse();
        }
        let Some(record) = play_game(opening, seats, &settings.game, stop) else { return };
        at_hand.extend(playing);
        let mut given_up = None;
        if let EndReason::Fault(side, fault) = &record.reason {
            let index = encounter[usize::from(*side != first_color)];
            // Whatever state it is in, the next game begins with a fresh program.
            at_hand.retain(|engaged| engaged.index != index);
            failed_starts[index] = if matches!(fault, Fault::NoStart(_)) { failed_starts[index] + 1 } else { 0 };
            given_up = (failed_starts[index] >= MAX_FAILED_STARTS).then(|| (index, fault.clone()));
        }
        if results.send(Message::Finished(game, Box::new(record))).is_err() {
            return;
        }
        if let Some((index, fault)) = given_up {
            // Nobody listens any more only when the match is over anyway.
            let _ = results.send(Message::GivenUp(index, fault));
            return;
        }
    }
}

/// A player whose program did not start: it loses its game at once.
struct Absent(PlayError);

impl Player for Absent {
    fn new_game(&mut self, _: &GameView, _: Limit, _: &AtomicBool) -> Result<(), PlayError> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _: &GameView, _: &Allowance, _: &AtomicBool) -> Result<Reply, PlayError> {
        Err(self.0.clone())
    }
}
