//! The schedule of a match or tournament: match of two, round robin or gauntlet.
//!
//! A round has one pair of games, colours swapped, for every pairing, all from the same opening. A stopped tournament
//! has therefore given all pairings the same games, except for the current round.

use std::fmt;

use alfiere_chess::types::Color;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Each player plays every other player.
    #[default]
    RoundRobin,
    /// The first player plays each of the others.
    Gauntlet,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<[usize; 2]>,
    games: u64,
}

/// The index of a game in its encounter, from 0. Games 2n and 2n + 1 are a pair; in the even one the first player is
/// White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct GameNumber(pub u64);

impl GameNumber {
    pub fn pair(self) -> u64 {
        self.0 / 2
    }

    pub fn first_player_color(self) -> Color {
        if self.0.is_multiple_of(2) { Color::White } else { Color::Black }
    }
}

impl fmt::Display for GameNumber {
    /// Formats `PAIR.GAME`, both from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair() + 1, self.0 % 2 + 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ScheduledGame {
    pub encounter: usize,
    pub number: GameNumber,
}

impl Schedule {
    /// Creates a schedule for `players` players with `games` games per encounter, rounded up to whole pairs.
    pub fn new(format: Format, players: usize, games: u64) -> Self {
        let meeting = |first: usize| (first + 1..players).map(move |second| [first, second]);
        let hosts = match format {
            Format::RoundRobin => players,
            Format::Gauntlet => players.min(1),
        };
        Self { encounters: (0..hosts).flat_map(meeting).collect(), games: games.next_multiple_of(2) }
    }

    /// The two players' indices of each encounter; the first of them is White in the first game of each pair.
    pub fn encounters(&self) -> &[[usize; 2]] {
        &self.encounters
    }

    /// The number of games of all encounters.
    pub fn games(&self) -> u64 {
        self.games * self.encounters.len() as u64
    }

    /// The game with this index in playing order, from 0; `None` after the last.
    pub fn game(&self, index: u64) -> Option<ScheduledGame> {
        if index >= self.games() {
            return None;
        }
        let (pair, count) = (index / 2, self.encounters.len() as u64);
        Some(ScheduledGame { encounter: (pair % count) as usize, number: GameNumber(pair / count * 2 + index % 2) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_and_gauntlet_have_their_pairings() {
        let all = Schedule::new(Format::RoundRobin, 4, 2);
        assert_eq!(all.encounters(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Schedule::new(Format::Gauntlet, 4, 2).encounters(), [[0, 1], [0, 2], [0, 3]]);
        for format in [Format::RoundRobin, Format::Gauntlet] {
            assert_eq!(Schedule::new(format, 2, 2).encounters(), [[0, 1]]);
            assert_eq!(Schedule::new(format, 0, 2).game(0), None);
        }
    }

    #[test]
    fn each_round_has_a_pair_of_every_encounter() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 3);
        assert_eq!(schedule.games(), 12);
        let games: Vec<(usize, u64)> =
            (0..).map_while(|index| schedule.game(index)).map(|game| (game.encounter, game.number.0)).collect();
        assert_eq!(games[..6], [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
        assert_eq!(games[6..], [(0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)]);
    }

    #[test]
    fn a_match_of_two_plays_its_games_in_order() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 8);
        for index in 0..8 {
            assert_eq!(schedule.game(index), Some(ScheduledGame { encounter: 0, number: GameNumber(index) }));
        }
        assert_eq!(schedule.game(8), None);
    }
}
