//! A whole match: worker threads with a pair of players each, games dealt out in pairs, the score kept in one place.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use thiserror::Error;

use super::game::{EndReason, GameRecord, GameSettings, Seat, play_game};
use super::limit::Limit;
use super::openings::Opening;
use super::player::{Allowance, Fault, GameView, PlayError, Player, Reply};
use super::score::{GameNumber, MatchScore};
use super::spec::{PlayerSpec, Protocol};
use super::sprt::{Sprt, Verdict};
use super::uci_player::UciPlayer;
use super::xboard_player::XboardPlayer;

/// After so many failed starts on end a worker gives the match up.
const MAX_FAILED_STARTS: u32 = 3;

/// Everything a match is played by.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The two players.
    pub players: [PlayerSpec; 2],
    /// Bounds the moves of players without a limit of their own.
    pub limit: Limit,
    /// How many games at the most; rounded up to whole pairs by nobody but the caller.
    pub games: u64,
    /// Openings in the order of pairs; they are used again when they run out. Never empty.
    pub openings: Vec<Opening>,
    /// How each game is played.
    pub game: GameSettings,
    /// Games at a time.
    pub concurrency: usize,
    /// Ends the match when it is decided.
    pub sprt: Option<Sprt>,
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

/// Is told of every finished game.
pub trait MatchObserver {
    /// A game is over and counted in `score`.
    fn game_finished(&mut self, number: GameNumber, record: &GameRecord, score: &MatchScore);
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

/// Plays the match. Setting `stop` ends it; it is set by the match itself too once the sequential test is decided.
///
/// # Errors
/// If a player does not start at the beginning, or not any more.
pub fn run_match(
    settings: &MatchSettings,
    stop: &AtomicBool,
    observer: &mut dyn MatchObserver,
) -> Result<(MatchScore, MatchEnd), MatchError> {
    let no_start = |index: usize, fault| MatchError::NoStart { name: settings.players[index].name.clone(), fault };
    // One start of each before any game: a misspelt program is an error, not a lost match.
    for (index, spec) in settings.players.iter().enumerate() {
        match start_player(spec, stop) {
            Err(PlayError::Fault(fault)) => return Err(no_start(index, fault)),
            Err(PlayError::Stopped) => return Ok((MatchScore::default(), MatchEnd::Stopped)),
            Ok(_) => {}
        }
    }
    let next_game = AtomicU64::new(0);
    let mut score = MatchScore::default();
    let mut end = MatchEnd::Complete;
    let mut failure = None;
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..settings.concurrency.max(1) {
            let (sender, next_game) = (sender.clone(), &next_game);
            scope.spawn(move || work(settings, next_game, stop, &sender));
        }
        drop(sender);
        for message in results {
            match message {
                Message::Finished(number, record) => {
                    score.add(number, &record);
                    observer.game_finished(number, &record, &score);
                    let verdict = settings.sprt.map_or(Verdict::Continue, |sprt| sprt.verdict(&score.pairs));
                    if verdict != Verdict::Continue {
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
    if end == MatchEnd::Complete && score.games.games() < settings.games {
        end = MatchEnd::Stopped;
    }
    Ok((score, end))
}

enum Message {
    Finished(GameNumber, Box<GameRecord>),
    GivenUp(usize, Fault),
}

/// Plays games until none is left.
fn work(settings: &MatchSettings, next_game: &AtomicU64, stop: &AtomicBool, results: &Sender<Message>) {
    let mut players: [Option<Box<dyn Player>>; 2] = [None, None];
    let mut failed_starts = [0; 2];
    while !stop.load(Ordering::Relaxed) {
        let number = GameNumber(next_game.fetch_add(1, Ordering::Relaxed));
        if number.0 >= settings.games {
            return;
        }
        for (player, spec) in players.iter_mut().zip(&settings.players) {
            if player.is_none() {
                *player = Some(start_player(spec, stop).unwrap_or_else(|error| Box::new(Absent(error))));
            }
        }
        let [Some(first), Some(second)] = &mut players else { return };
        let opening = &settings.openings[number.pair() as usize % settings.openings.len()];
        let mut seats = [(first, 0), (second, 1)].map(|(player, index)| Seat {
            player: player.as_mut(),
            limit: settings.players[index].limit.unwrap_or(settings.limit),
        });
        let first_color = number.first_player_color();
        if first_color == crate::types::Color::Black {
            seats.reverse();
        }
        let Some(record) = play_game(opening, seats, &settings.game, stop) else { return };
        let mut given_up = None;
        if let EndReason::Fault(side, fault) = &record.reason {
            let index = usize::from(*side != first_color);
            // Whatever state it is in, the next game begins with a fresh program.
            players[index] = None;
            failed_starts[index] = if matches!(fault, Fault::NoStart(_)) { failed_starts[index] + 1 } else { 0 };
            given_up = (failed_starts[index] >= MAX_FAILED_STARTS).then(|| (index, fault.clone()));
        }
        if results.send(Message::Finished(number, Box::new(record))).is_err() {
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
