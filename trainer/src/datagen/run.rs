//! Many games: played by threads, written in order, taken up again where a file ends.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use alfiere_arena::player::PlayError;
use alfiere_chess::game::Fault;
use alfiere_search::genfens::Starts;
use thiserror::Error;

use super::game::{Played, play};
use super::player::Player;
use super::settings::DatagenSettings;
use crate::data::DataError;
use crate::data::game_file::{GameWriter, TornTail};

/// How often a player may fail in one game.
const MAX_FAULTS: u32 = 3;
/// Games on end that begin where earlier ones did, after which there are no more starts.
const MAX_DROPPED: u64 = 2_000;
/// How often the observer is asked whether to go on.
const TICK: Duration = Duration::from_millis(100);
/// How often games are flushed to disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(30);

/// When there are enough games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// So many in the file.
    Games(u64),
    /// So many that together they hold at least so many positions.
    Positions(u64),
}

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The file is open.
    Begun {
        /// Games and positions that it holds already.
        held: (u64, u64),
        /// What was cut off its end.
        torn: Option<TornTail>,
    },
    /// Time passes; this many games and positions are in the file.
    Held(u64, u64),
    /// The player failed; it is started again, and the game of this number played again.
    Fault(u64, &'a Fault),
}

/// What a run came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games of this run.
    pub new_games: u64,
    /// Positions of this run.
    pub new_positions: u64,
    /// Games that were dropped because they began where earlier ones did, or found no start.
    pub dropped: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// The file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The player does not start, or fails again and again.
    #[error("engine \"{name}\" in game {game}: {fault}")]
    Player {
        /// The player.
        name: String,
        /// The game it failed in.
        game: u64,
        /// How it failed the last time.
        fault: Fault,
    },
    /// No starts are left.
    #[error(
        "{0} games on end found no start or began as earlier ones did; allow more random plies, more centipawns or more openings"
    )]
    NoStarts(u64),
}

enum Message {
    Played(u64, Played),
    Fault(u64, Fault),
    GivenUp(u64, Fault),
}

/// What the threads share.
struct SharedState<'a> {
    settings: &'a DatagenSettings,
    starts: Starts,
    next: AtomicU64,
    /// Keys of the boards that written games begin with.
    known: RwLock<HashSet<u64>>,
    stop: AtomicBool,
}

/// Plays games into a file until there are enough. The observer's `Break` ends the run after the games written so far.
///
/// # Errors
/// The file cannot be written or holds games of other settings, the player fails, or there are no more starts.
pub fn run(
    out: &Path,
    settings: &DatagenSettings,
    target: Target,
    threads: usize,
    observer: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, DatagenError> {
    let (writer, resumed) = GameWriter::open(out, &settings.to_json())?;
    let held = (resumed.games, resumed.positions);
    let mut next = resumed.last_number.map_or(0, |last| last + 1);
    let shared = SharedState {
        settings,
        starts: Starts::new(settings.book.openings.clone(), settings.random_plies),
        next: AtomicU64::new(next),
        known: RwLock::new(resumed.starts),
        stop: AtomicBool::new(false),
    };
    let mut tally = GameFile {
        writer,
        target,
        summary: Summary { games: held.0, positions: held.1, new_games: 0, new_positions: 0, dropped: 0, bytes: 0 },
        dropped_on_end: 0,
        synced: Instant::now(),
    };
    let wanted = observer(Event::Begun { held, torn: resumed.torn });
    let outcome = if tally.is_enough() || wanted.is_break() {
        Ok(())
    } else {
        thread::scope(|scope| {
            let (sender, messages) = channel();
            for _ in 0..threads.max(1) {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || work(shared, &sender));
            }
            drop(sender);
            let outcome = collect(&messages, &mut next, &shared, &mut tally, observer);
            shared.stop.store(true, Ordering::Relaxed);
            outcome
        })
    };
    tally.writer.sync()?;
    outcome?;
    tally.summary.bytes = tally.writer.bytes();
    Ok(tally.summary)
}

/// The file, and what is in it.
struct GameFile {
    writer: GameWriter,
    target: Target,
    summary: Summary,
    dropped_on_end: u64,
    synced: Instant,
}

impl GameFile {
    fn is_enough(&self) -> bool {
        match self.target {
            Target::Games(games) => self.summary.games >= games,
            Target::Positions(positions) => self.summary.positions >= positions,
        }
    }

    /// Writes the next game, unless an earlier one began alike.
    fn take(&mut self, played: Played, known: &RwLock<HashSet<u64>>) -> Result<(), DatagenError> {
        match played {
            Played::Game { record, key } if known.write().unwrap_or_else(PoisonError::into_inner).insert(key) => {
                self.writer.push(&record)?;
                let positions = record.plies.len() as u64;
                let summary = &mut self.summary;
                (summary.games, summary.new_games) = (summary.games + 1, summary.new_games + 1);
                summary.positions += positions;
                summary.new_positions += positions;
                self.dropped_on_end = 0;
            }
            _ => {
                self.summary.dropped += 1;
                self.dropped_on_end += 1;
                if self.dropped_on_end >= MAX_DROPPED {
                    return Err(DatagenError::NoStarts(self.dropped_on_end));
                }
            }
        }
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.writer.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// Writes games in the order of their numbers as they come in.
fn collect(
    messages: &Receiver<Message>,
    next: &mut u64,
    shared: &SharedState<'_>,
    tally: &mut GameFile,
    observer: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<(), DatagenError> {
    let mut early = BTreeMap::new();
    loop {
        let wanted = match messages.recv_timeout(TICK) {
            Ok(Message::Played(number, played)) => {
                early.insert(number, played);
                while let Some(played) = early.remove(next) {
                    tally.take(played, &shared.known)?;
                    *next += 1;
                    if tally.is_enough() {
                        return Ok(());
                    }
                }
                observer(Event::Held(tally.summary.games, tally.summary.positions))
            }
            Ok(Message::Fault(game, fault)) => observer(Event::Fault(game, &fault)),
            Ok(Message::GivenUp(game, fault)) => {
                // Ctrl-C reaches the programs too.
                if observer(Event::Held(tally.summary.games, tally.summary.positions)).is_break() {
                    return Ok(());
                }
                let name = shared.settings.player.name().to_owned();
                return Err(DatagenError::Player { name, game, fault });
            }
            Err(RecvTimeoutError::Timeout) => observer(Event::Held(tally.summary.games, tally.summary.positions)),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        if wanted.is_break() {
            return Ok(());
        }
    }
}

/// Plays one game after the other; a player that fails is started again for the same game.
fn work(shared: &SharedState<'_>, results: &Sender<Message>) {
    let mut player = None;
    let is_known = |key| shared.known.read().unwrap_or_else(PoisonError::into_inner).contains(&key);
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let mut faults = 0;
        let played = loop {
            if shared.stop.load(Ordering::Relaxed) {
                return;
            }
            let attempt = attempt(number, shared, &mut player, is_known);
            match attempt {
                Ok(played) => break played,
                Err(PlayError::Stopped) => return,
                Err(PlayError::Fault(fault)) => {
                    player = None;
                    faults += 1;
                    let is_hopeless = faults >= MAX_FAULTS || matches!(fault, Fault::NoStart(_));
                    let message =
                        if is_hopeless { Message::GivenUp(number, fault) } else { Message::Fault(number, fault) };
                    if results.send(message).is_err() || is_hopeless {
                        return;
                    }
                }
            }
        };
        if results.send(Message::Played(number, played)).is_err() {
            return;
        }
    }
}

fn attempt(
    number: u64,
    shared: &SharedState<'_>,
    player: &mut Option<Player>,
    is_known: impl Fn(u64) -> bool,
) -> Result<Played, PlayError> {
    let player = match player {
        Some(player) => player,
        None => player.insert(Player::start(shared.settings, &shared.stop)?),
    };
    play(number, shared.settings, &shared.starts, player, is_known, &shared.stop)
}
