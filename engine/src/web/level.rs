//! Playing strength: converts a level of the page to settings and limits of the engine.

use std::time::Duration;

use alfiere_search::engine::{Player, Rating, Strength};
use alfiere_search::search::{Limits, TimeLimit};

/// A playing strength between beginner and full strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// Elo on the engine's scale; `None` for full strength.
    elo: Option<u32>,
}

/// Time per move without a clock or a fixed time.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);
/// From this level on, the node limit is beyond what the beam player searches.
const BEAM_MAX_ELO: u32 = 1700;

impl Level {
    /// Full strength.
    const FULL: Self = Self { elo: None };

    /// All levels, weakest first.
    const ALL: [Self; 13] = [
        Self::rated(600),
        Self::rated(800),
        Self::rated(1000),
        Self::rated(1200),
        Self::rated(1400),
        Self::rated(1600),
        Self::rated(1800),
        Self::rated(2000),
        Self::rated(2200),
        Self::rated(2400),
        Self::rated(2600),
        Self::rated(2800),
        Self::FULL,
    ];

    const fn rated(elo: u32) -> Self {
        Self { elo: Some(elo) }
    }

    /// The name in requests.
    pub(super) fn name(self) -> String {
        self.elo.map_or_else(|| "full".to_owned(), |elo| elo.to_string())
    }

    /// The levels of a player, weakest first; never empty. Levels that do not limit the player are left out.
    pub(super) fn of(player: Player) -> Vec<Self> {
        let max_elo = match player {
            Player::Nnue | Player::Classical | Player::Kaggle | Player::Perceptron => u32::MAX,
            Player::Beam => BEAM_MAX_ELO,
            Player::Random => 0,
        };
        Self::ALL.into_iter().filter(|level| level.elo.is_none_or(|elo| elo < max_elo)).collect()
    }

    /// The default level of a player.
    pub(super) fn default_of(player: Player) -> Self {
        let ordinary = Self::rated(1400);
        if Self::of(player).contains(&ordinary) { ordinary } else { Self::FULL }
    }

    /// The player's level with this name.
    pub(super) fn named(player: Player, name: &str) -> Option<Self> {
        Self::of(player).into_iter().find(|level| level.name() == name)
    }

    /// A description for the page. The Elo scale is that of the default player: the same limits weaken the others more.
    pub(super) fn title(self, player: Player) -> String {
        match (self.elo, player) {
            (_, Player::Random) => "Any legal move, at once".to_owned(),
            (None, Player::Beam) => "Full strength: searches four half-moves deep".to_owned(),
            (None, _) => "Full strength, one second per move without a clock".to_owned(),
            (Some(elo), Player::Nnue) => format!("About {elo} Elo"),
            (Some(elo), Player::Beam) => format!("Searches no more positions than the network at {elo} Elo"),
            (Some(elo), _) => format!("Same limits as the network at {elo} Elo: weaker than that"),
        }
    }

    /// The label next to the player's name; `None` for players with one level.
    pub(super) fn label(self, player: Player) -> Option<String> {
        match self.elo {
            _ if Self::of(player).len() == 1 => None,
            Some(elo) => Some(format!("level {elo}")),
            None => Some("full strength".to_owned()),
        }
    }

    /// The engine's strength setting.
    pub(super) fn strength(self) -> Strength {
        let full = Strength::default();
        self.elo.map_or(full, |elo| Strength { limited: true, elo: Rating::new(elo), ..full })
    }
}

/// The search limits of a move.
pub(super) fn move_limits(time: TimeLimit) -> Limits {
    let time = match time {
        TimeLimit::None => TimeLimit::MoveTime(DEFAULT_MOVE_TIME),
        time => time,
    };
    Limits { time, ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_match_the_engines_ratings() {
        for level in Level::ALL {
            let rating = level.strength().level().map(Rating::elo);
            assert_eq!(rating, level.name().parse().ok(), "{level:?}");
        }
        let elos: Vec<u32> = Level::ALL.iter().filter_map(|level| level.elo).collect();
        assert!(elos.is_sorted());
        assert_eq!((elos[0], elos[elos.len() - 1]), (Rating::LOWEST.elo(), Rating::HIGHEST.elo()));
    }

    #[test]
    fn every_player_has_a_default_level() {
        for player in Player::ALL {
            let levels = Level::of(player);
            assert_eq!(levels.last(), Some(&Level::FULL));
            assert!(levels.contains(&Level::default_of(player)));
            assert_eq!(levels.len() > 1, player != Player::Random);
        }
        assert_eq!(Level::named(Player::Beam, "2400"), None);
        assert_eq!(Level::default_of(Player::Random).label(Player::Random), None);
    }
}
