//! Plays many games in parallel, writes them in order, and resumes an existing file.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use alfiere_arena::player::PlayError;
use alfiere_chess::game::Fault;
use alfiere_data::{LeftOut, write_viri};
use alfiere_search::genfens::StartPositions;
use thiserror::Error;

use super::game::{PlayedGame, Player, play};
use super::settings::DatagenSettings;
use crate::pool::{self, Stop, Tasks, ThreadError, ordered};
use crate::resumable_file::{ResumableFile, ResumableFileError};

/// Maximum number of failures of a player in one game.
const MAX_FAULTS: u32 = 3;
/// Number of consecutive dropped games after which the start positions are considered exhausted.
const MAX_DROPPED: u64 = 2_000;
/// The same for games of which hundreds of random walks led to no balanced position.
const MAX_WITHOUT_START: u64 = 10;
/// Bytes of a game in viriformat without its positions, and of a position.
const GAME_BYTES: u64 = 36;
const POSITION_BYTES: u64 = 4;

/// When a run is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Games(u64),
    /// Enough games for at least this number of positions in the file.
    Positions(u64),
}

#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The file has been opened.
    Begun {
        /// Number of games and positions already in the file.
        held: (u64, u64),
        /// Bytes of unfinished games that were cut off at its end.
        cut: u64,
    },
    /// Regular progress report with the number of games and positions in the file.
    Held(u64, u64),
    /// The player failed; it is restarted and the game with this number is played again.
    Fault(u64, &'a Fault),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    pub games: u64,
    pub positions: u64,
    /// Positions played in this run.
    pub new_positions: u64,
    /// Games dropped because no start position was found, an earlier game has the same one, or the last move was random.
    pub dropped: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
}

#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(transparent)]
    File(#[from] ResumableFileError),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("engine \"{name}\" in game {game}: {fault}")]
    Player { name: String, game: u64, fault: Fault },
    #[error(
        "{0} games in a row found no start position, repeated an earlier one or ended with a random move; allow more random plies, \
         more centipawns, more openings or less noise"
    )]
    NoStarts(u64),
}

/// What the threads share.
struct Games<'a> {
    settings: &'a DatagenSettings,
    starts: StartPositions,
    /// Keys of the start positions of all written games.
    known: RwLock<HashSet<u64>>,
}

/// Plays games into a file until the target is reached. If the observer returns `Break`, the run ends after the games
/// written so far.
///
/// # Errors
/// If the file cannot be written or holds games with different settings, if the player fails, or if no start positions
/// are left.
pub fn run(
    out: &Path,
    settings: &DatagenSettings,
    target: Target,
    threads: usize,
    observer: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, DatagenError> {
    let (mut held, mut known) = ((0, 0), HashSet::new());
    // The details of a game are the key of its start position, in hexadecimal.
    let file = ResumableFile::open(out, &settings.to_json(), |key, bytes| {
        held = (held.0 + 1, held.1 + bytes.saturating_sub(GAME_BYTES) / POSITION_BYTES);
        u64::from_str_radix(key, 16).ok().map(|key| _ = known.insert(key))
    })?;
    let (cut, next) = (file.cut, file.next);
    let games = Games {
        settings,
        starts: StartPositions::new(settings.book.openings.clone(), settings.random_plies),
        known: RwLock::new(known),
    };
    let mut taken = TakenGames {
        file,
        target,
        summary: Summary { games: held.0, positions: held.1, new_positions: 0, dropped: 0, bytes: 0 },
        dropped_on_end: 0,
        without_start: 0,
    };
    let wanted = observer(Event::Begun { held, cut });
    let outcome = if taken.is_enough() || wanted.is_break() {
        Ok(())
    } else {
        ordered(threads, next..u64::MAX, |tasks| games.work(tasks), &mut |event| {
            match event {
                pool::Event::Note((game, fault)) => return Ok(observer(Event::Fault(game, &fault))),
                pool::Event::Done(number, played) => taken.take(number, played, &games.known)?,
                pool::Event::Tick => {}
            }
            if taken.is_enough() {
                return Ok(ControlFlow::Break(()));
            }
            taken.file.sync_regularly()?;
            Ok(observer(Event::Held(taken.summary.games, taken.summary.positions)))
        })
    };
    taken.file.sync()?;
    outcome?;
    taken.summary.bytes = taken.file.bytes;
    Ok(taken.summary)
}

/// The games that were played, in order.
struct TakenGames {
    file: ResumableFile,
    target: Target,
    summary: Summary,
    dropped_on_end: u64,
    /// Those of them without a start position.
    without_start: u64,
}

impl TakenGames {
    fn is_enough(&self) -> bool {
        match self.target {
            Target::Games(games) => self.summary.games >= games,
            Target::Positions(positions) => self.summary.positions >= positions,
        }
    }

    /// Writes the next game, unless an earlier one has the same start position.
    fn take(&mut self, number: u64, played: PlayedGame, known: &RwLock<HashSet<u64>>) -> Result<(), DatagenError> {
        match played {
            PlayedGame::Game { record, key } if known.write().unwrap_or_else(PoisonError::into_inner).insert(key) => {
                let mut bytes = Vec::new();
                // Writing to a vector cannot fail.
                let _ = write_viri(&mut bytes, &record, &mut LeftOut::default());
                self.file.push(number, &bytes, format_args!("{key:016x}"))?;
                let positions = record.plies.len() as u64;
                let summary = &mut self.summary;
                summary.games += 1;
                summary.positions += positions;
                summary.new_positions += positions;
                (self.dropped_on_end, self.without_start) = (0, 0);
            }
            dropped => {
                self.summary.dropped += 1;
                self.dropped_on_end += 1;
                self.without_start += u64::from(matches!(dropped, PlayedGame::NoStart));
                if self.dropped_on_end >= MAX_DROPPED || self.without_start >= MAX_WITHOUT_START {
                    return Err(DatagenError::NoStarts(self.dropped_on_end));
                }
            }
        }
        Ok(())
    }
}

impl Games<'_> {
    /// Plays games one after another; a player that fails is restarted for the same game.
    fn work(&self, tasks: &Tasks<'_, PlayedGame, (u64, Fault)>) -> Result<(), DatagenError> {
        let mut player = None;
        while let Some(number) = tasks.next() {
            let mut faults = 0;
            let played = loop {
                match self.attempt(number, &mut player, tasks.stop) {
                    Ok(played) => break played,
                    Err(PlayError::Stopped) => return Ok(()),
                    Err(PlayError::Fault(fault)) => {
                        player = None;
                        faults += 1;
                        if faults >= MAX_FAULTS || matches!(fault, Fault::NoStart(_)) {
                            let name = self.settings.player.name().to_owned();
                            return Err(DatagenError::Player { name, game: number, fault });
                        }
                        tasks.note((number, fault));
                    }
                }
            };
            tasks.done(number, played);
        }
        Ok(())
    }

    fn attempt(&self, number: u64, player: &mut Option<Player>, stop: &Stop) -> Result<PlayedGame, PlayError> {
        let player = match player {
            Some(player) => player,
            None => player.insert(Player::start(self.settings, stop)?),
        };
        let is_known = |key| self.known.read().unwrap_or_else(PoisonError::into_inner).contains(&key);
        play(number, self.settings, &self.starts, player, is_known, stop.flag())
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::game::GameRules;
    use alfiere_search::genfens::PlyRange;

    use super::*;
    use crate::datagen::{Book, PlayerChoice};
    use crate::shard::Shard;

    #[test]
    fn a_book_without_balanced_positions_ends_the_run_early() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = folder.path().join("won.epd");
        std::fs::write(&book, "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - bm e4;\n").expect("written");
        let settings = DatagenSettings {
            player: PlayerChoice::built_in(None, 1).expect("the embedded network"),
            nodes: 20,
            hard_nodes: 100,
            seed: 1,
            shard: Shard::WHOLE,
            random_plies: PlyRange { min: 1, max: 2 },
            book: Book::read(&book, 1).expect("a book"),
            max_opening_cp: 300,
            noise: 0.0,
            noise_every: 20,
            rules: GameRules { draw: None, resign: None, max_plies: 10 },
            mate_ends: true,
        };
        let out = folder.path().join("a.vf");
        let outcome = run(&out, &settings, Target::Games(1), 1, &mut |_| ControlFlow::Continue(()));
        assert!(matches!(outcome, Err(DatagenError::NoStarts(MAX_WITHOUT_START))), "{outcome:?}");
    }
}
