//! All games of a server: found by ids that nobody can guess, dropped when nobody comes back to them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::ApiError;
use super::session::Session;

/// Games at a time. Each may keep a thread and two engines, about 40 MB at full strength.
const MOST_GAMES: usize = 24;
/// A game that nobody has asked for so long is dropped.
const FORGOTTEN: Duration = Duration::from_hours(24);
/// When there is no room, the oldest game left alone for so long makes way.
const LEFT_ALONE: Duration = Duration::from_mins(10);

/// The games.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Arc<Session>>>);

impl Sessions {
    /// Keeps a new game under a fresh id.
    ///
    /// # Errors
    /// If there are too many games, or the system has no random numbers or no thread to give.
    pub(super) fn add(&self, begin: impl FnOnce(String) -> std::io::Result<Session>) -> Result<Arc<Session>, ApiError> {
        let id = fresh_id()?;
        let mut games = self.lock();
        make_room(&mut games, MOST_GAMES, Instant::now())?;
        let session = begin(id.clone()).map_err(|error| ApiError::unavailable(format!("no thread: {error}")))?;
        let session = Arc::new(session);
        games.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// The game of this id, which somebody asks for.
    pub(super) fn get(&self, id: &str) -> Result<Arc<Session>, ApiError> {
        let gone = || ApiError::not_found("there is no such game here: it may have been left alone for too long");
        let session = self.lock().get(id).map(Arc::clone).ok_or_else(gone)?;
        session.touch();
        Ok(session)
    }

    /// Drops the games that nobody comes back to.
    pub(super) fn sweep(&self, now: Instant) {
        self.lock().retain(|_, session| now.saturating_duration_since(session.touched()) < FORGOTTEN);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room(games: &mut HashMap<String, Arc<Session>>, most: usize, now: Instant) -> Result<(), ApiError> {
    if games.len() < most {
        return Ok(());
    }
    let oldest = games.iter().map(|(id, session)| (session.touched(), id)).min();
    let alone = oldest.filter(|(touched, _)| now.saturating_duration_since(*touched) >= LEFT_ALONE);
    match alone.map(|(_, id)| id.clone()) {
        Some(id) => {
            games.remove(&id);
            Ok(())
        }
        None => Err(ApiError::unavailable(format!("{most} games are being played here, come back in ten minutes"))),
    }
}

/// 128 random bits in letters and digits.
fn fresh_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::unavailable(format!("no random numbers: {error}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::super::game::Game;
    use super::super::level::Level;
    use super::super::thinker::Thinking;
    use super::super::view::{Terms, TimeSetting};
    use super::*;
    use alfiere_chess::openings::Opening;
    use alfiere_chess::types::Color;
    use alfiere_search::engine::{Player, Settings};
    use alfiere_search::eval::NetworkChoice;
    use std::time::SystemTime;

    fn add(sessions: &Sessions) -> String {
        let game = Game::new(&Opening::startpos(), Color::White, None, Instant::now());
        let terms = Terms {
            you: Color::White,
            player: Player::Classical,
            level: Level::default_of(Player::Classical),
            time: TimeSetting::None,
            began: SystemTime::UNIX_EPOCH,
        };
        let thinking = Thinking { opponent: Settings::default(), network: NetworkChoice::default() };
        let mut kept = String::new();
        let begin = |id: String| {
            kept.clone_from(&id);
            Session::begin(id, game, terms, thinking)
        };
        assert!(sessions.add(begin).is_ok());
        kept
    }

    #[test]
    fn games_that_nobody_comes_back_to_are_dropped() {
        let sessions = Sessions::default();
        let (first, second) = (add(&sessions), add(&sessions));
        assert!(first.len() == 32 && first != second);
        sessions.sweep(Instant::now() + FORGOTTEN / 2);
        assert!(sessions.get(&first).is_ok() && sessions.get(&second).is_ok());
        sessions.sweep(Instant::now() + FORGOTTEN);
        assert!(sessions.get(&first).is_err() && sessions.get(&second).is_err());
    }

    #[test]
    fn the_oldest_game_left_alone_makes_way() {
        let sessions = Sessions::default();
        let (first, second) = (add(&sessions), add(&sessions));
        assert!(sessions.get(&first).is_ok());
        let mut games = sessions.lock();
        assert!(make_room(&mut games, 2, Instant::now()).is_err());
        assert!(make_room(&mut games, 3, Instant::now() + LEFT_ALONE).is_ok());
        assert_eq!(games.len(), 2);
        assert!(make_room(&mut games, 2, Instant::now() + LEFT_ALONE).is_ok());
        assert!(games.contains_key(&first) && !games.contains_key(&second));
    }
}
