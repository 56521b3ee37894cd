//! All games of a server, by unguessable id; idle games are dropped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alfiere_pages::ApiError;

use super::session::Session;

/// Maximum number of games; each may have a thread and two engines, about 40 MB at full strength.
const MAX_GAMES: usize = 24;
/// Idle time after which a game is dropped.
const MAX_IDLE: Duration = Duration::from_hours(24);
/// Idle time after which a game may be dropped to make room.
const REPLACEABLE_IDLE: Duration = Duration::from_mins(10);

/// The games by id.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Arc<Session>>>);

impl Sessions {
    /// Adds a new game with a new id.
    ///
    /// # Errors
    /// If there are too many games, or a system resource is not available.
    pub(super) fn add(&self, begin: impl FnOnce(String) -> std::io::Result<Session>) -> Result<Arc<Session>, ApiError> {
        let id = fresh_id()?;
        let mut games = self.lock();
        make_room(&mut games, MAX_GAMES, Instant::now())?;
        let session = begin(id.clone()).map_err(|error| ApiError::unavailable(format!("no thread: {error}")))?;
        let session = Arc::new(session);
        games.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// The game with this id; its idle time is reset.
    pub(super) fn get(&self, id: &str) -> Result<Arc<Session>, ApiError> {
        let gone = || ApiError::not_found("no such game: it may have been idle for too long");
        let session = self.lock().get(id).map(Arc::clone).ok_or_else(gone)?;
        session.touch();
        Ok(session)
    }

    /// Drops idle games.
    pub(super) fn sweep(&self, now: Instant) {
        self.lock().retain(|_, session| now.saturating_duration_since(session.touched()) < MAX_IDLE);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room(games: &mut HashMap<String, Arc<Session>>, max_games: usize, now: Instant) -> Result<(), ApiError> {
    if games.len() < max_games {
        return Ok(());
    }
    let oldest = games.iter().map(|(id, session)| (session.touched(), id)).min();
    let alone = oldest.filter(|(touched, _)| now.saturating_duration_since(*touched) >= REPLACEABLE_IDLE);
    match alone.map(|(_, id)| id.clone()) {
        Some(id) => {
            games.remove(&id);
            Ok(())
        }
        None => {
            Err(ApiError::unavailable(format!("the limit of {max_games} games is reached, try again in ten minutes")))
        }
    }
}

/// 128 random bits as letters and digits.
fn fresh_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::unavailable(format!("no random numbers: {error}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::super::game::Game;
    use super::super::level::Level;
    use super::super::thinker::EngineConfig;
    use super::super::view::{GameConditions, TimeSetting};
    use super::*;
    use alfiere_chess::openings::Opening;
    use alfiere_chess::types::Color;
    use alfiere_search::engine::{Player, Settings};
    use alfiere_search::eval::NetworkChoice;
    use std::time::SystemTime;

    fn add(sessions: &Sessions) -> String {
        let game = Game::new(&Opening::startpos(), Color::White, None, Instant::now());
        let conditions = GameConditions {
            you: Color::White,
            player: Player::Classical,
            level: Level::default_of(Player::Classical),
            time: TimeSetting::None,
            began: SystemTime::UNIX_EPOCH,
        };
        let config = EngineConfig { opponent: Settings::default(), network: NetworkChoice::default() };
        let mut kept = String::new();
        let begin = |id: String| {
            kept.clone_from(&id);
            Session::begin(id, game, conditions, config)
        };
        assert!(sessions.add(begin).is_ok());
        kept
    }

    #[test]
    fn idle_games_are_dropped() {
        let sessions = Sessions::default();
        let (first, second) = (add(&sessions), add(&sessions));
        assert!(first.len() == 32 && first != second);
        sessions.sweep(Instant::now() + MAX_IDLE / 2);
        assert!(sessions.get(&first).is_ok() && sessions.get(&second).is_ok());
        sessions.sweep(Instant::now() + MAX_IDLE);
        assert!(sessions.get(&first).is_err() && sessions.get(&second).is_err());
    }

    #[test]
    fn the_longest_idle_game_makes_room() {
        let sessions = Sessions::default();
        let (first, second) = (add(&sessions), add(&sessions));
        assert!(sessions.get(&first).is_ok());
        let mut games = sessions.lock();
        assert!(make_room(&mut games, 2, Instant::now()).is_err());
        assert!(make_room(&mut games, 3, Instant::now() + REPLACEABLE_IDLE).is_ok());
        assert_eq!(games.len(), 2);
        assert!(make_room(&mut games, 2, Instant::now() + REPLACEABLE_IDLE).is_ok());
        assert!(games.contains_key(&first) && !games.contains_key(&second));
    }
}
