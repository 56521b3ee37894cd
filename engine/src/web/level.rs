//! How strong an opponent is to be: the one place where a level of the page becomes settings and limits of the engine.

use std::time::Duration;

use alfiere_search::engine::{Level as Rating, Player, Strength};
use alfiere_search::search::{Limits, TimeLimit};

/// A step between a beginner's opponent and all that a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// In Elo, on the engine's scale; `None` for full strength.
    elo: Option<u32>,
}

/// How long a move may take where neither a clock nor a fixed time says so.
const PATIENCE: Duration = Duration::from_secs(1);
/// From here on a level lets the beam look at more positions than it wants to.
const ENOUGH_FOR_A_BEAM: u32 = 1700;

impl Level {
    /// All that the player can do.
    const FULL: Self = Self { elo: None };

    /// All levels, the weakest first.
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

    /// By which it is chosen.
    pub(super) fn name(self) -> String {
        self.elo.map_or_else(|| "full".to_owned(), |elo| elo.to_string())
    }

    /// The levels that make a difference to a player, the weakest first: never none.
    pub(super) fn of(player: Player) -> Vec<Self> {
        let most = match player {
            Player::Nnue | Player::Classical | Player::Perceptron => u32::MAX,
            Player::Beam => ENOUGH_FOR_A_BEAM,
            Player::Random => 0,
        };
        Self::ALL.into_iter().filter(|level| level.elo.is_none_or(|elo| elo < most)).collect()
    }

    /// What is chosen when nothing is said.
    pub(super) fn default_of(player: Player) -> Self {
        let ordinary = Self::rated(1400);
        if Self::of(player).contains(&ordinary) { ordinary } else { Self::FULL }
    }

    /// The player's level of this name.
    pub(super) fn named(player: Player, name: &str) -> Option<Self> {
        Self::of(player).into_iter().find(|level| level.name() == name)
    }

    /// What a player is like at this level, for people. The scale was made for the default player: what takes positions and
    /// moves from its sight takes more from the others.
    pub(super) fn title(self, player: Player) -> String {
        match (self.elo, player) {
            (_, Player::Random) => "Any legal move, at once".to_owned(),
            (None, Player::Beam) => "Full strength: looks four half-moves ahead".to_owned(),
            (None, _) => "Full strength, one second a move unless a clock runs".to_owned(),
            (Some(elo), Player::Nnue) => format!("About {elo} Elo"),
            (Some(elo), Player::Beam) => format!("Looks at no more positions than the network at {elo} Elo"),
            (Some(elo), _) => {
                format!("Looks at as little and overlooks as much as the network at {elo} Elo: weaker than that")
            }
        }
    }

    /// What the level is called beside the player's name; nothing for players that have one level only.
    pub(super) fn label(self, player: Player) -> Option<String> {
        match self.elo {
            _ if Self::of(player).len() == 1 => None,
            Some(elo) => Some(format!("level {elo}")),
            None => Some("full strength".to_owned()),
        }
    }

    /// How the engine is set for it.
    pub(super) fn strength(self) -> Strength {
        let full = Strength::default();
        self.elo.map_or(full, |elo| Strength { limited: true, elo: Rating::new(elo), ..full })
    }
}

/// What bounds a move when the game gives it this time.
pub(super) fn move_limits(time: TimeLimit) -> Limits {
    let time = match time {
        TimeLimit::None => TimeLimit::MoveTime(PATIENCE),
        time => time,
    };
    Limits { time, ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_engines_ratings() {
        for level in Level::ALL {
            let rating = level.strength().level().map(Rating::elo);
            assert_eq!(rating, level.name().parse().ok(), "{level:?}");
        }
        let elos: Vec<u32> = Level::ALL.iter().filter_map(|level| level.elo).collect();
        assert!(elos.is_sorted());
        assert_eq!((elos[0], elos[elos.len() - 1]), (Rating::LOWEST.elo(), Rating::HIGHEST.elo()));
    }

    #[test]
    fn every_player_has_levels_and_a_default_among_them() {
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
