//! The games between two players, and the groups of players that games connect. Independent of chess.

use super::anchor::Anchor;
use super::elo::GameCounts;

/// Whether the colours of an encounter are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// The first player had White in all games.
    FirstIsWhite,
    /// The colours are unknown, or each player had White in half of the games.
    Mixed,
}

/// The games between two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    pub players: [usize; 2],
    /// The results, from the first player's point of view.
    pub games: GameCounts,
    pub colors: Colors,
}

impl Encounter {
    /// The games of two players, from the results of the first with White and with Black.
    pub const fn by_color([first, second]: [usize; 2], [white, black]: [GameCounts; 2]) -> [Self; 2] {
        let colors = Colors::FirstIsWhite;
        [
            Self { players: [first, second], games: white, colors },
            Self { players: [second, first], games: black.reversed(), colors },
        ]
    }
}

/// The players connected by games, directly or through others; each group and the list are in order of index. Anchored
/// players form one group even without games, because their anchors relate them.
pub fn groups(players: usize, encounters: &[Encounter], anchors: &[Anchor]) -> Vec<Vec<usize>> {
    let links = Links::new(players, encounters, anchors, |_| [true, true]);
    let mut seen = vec![false; links.0.len()];
    let mut groups = Vec::new();
    for player in 0..players {
        if !seen[player] {
            let group = links.reached_from(player);
            seen.iter_mut().zip(&group).for_each(|(seen, is_member)| *seen |= is_member);
            groups.push((0..players).filter(|&other| group[other]).collect());
        }
    }
    groups
}

/// Whether the results alone give all players finite ratings: between any two players there is a chain of players each
/// of whom scored against the next (Ford 1957).
pub(super) fn are_finite(players: usize, encounters: &[Encounter], anchors: &[Anchor]) -> bool {
    let scored = |games: GameCounts| games.wins + games.draws > 0;
    let links = Links::new(players, encounters, anchors, |games| [scored(games), scored(games.reversed())]);
    let reversed = Links::new(players, encounters, anchors, |games| [scored(games.reversed()), scored(games)]);
    players == 0 || [links, reversed].iter().all(|links| links.reached_from(0).iter().all(|&reached| reached))
}

/// The players that each one leads to. With anchors, a last entry stands for the scale that they define.
struct Links(Vec<Vec<usize>>);

impl Links {
    /// `directions` decides from the games of an encounter whether the first player leads to the second, and back.
    fn new(
        players: usize,
        encounters: &[Encounter],
        anchors: &[Anchor],
        directions: impl Fn(GameCounts) -> [bool; 2],
    ) -> Self {
        let mut links = vec![Vec::new(); players + usize::from(!anchors.is_empty())];
        for &Encounter { players: [a, b], games, .. } in encounters.iter().filter(|each| each.games.games() > 0) {
            let [forwards, backwards] = directions(games);
            if forwards {
                links[a].push(b);
            }
            if backwards {
                links[b].push(a);
            }
        }
        for anchor in anchors {
            links[anchor.player].push(players);
            links[players].push(anchor.player);
        }
        Self(links)
    }

    fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.0.len()];
        let mut open = vec![start];
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                open.extend(&self.0[player]);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(players: [usize; 2], wins: u64, losses: u64) -> Encounter {
        Encounter { players, games: GameCounts { wins, draws: 0, losses }, colors: Colors::Mixed }
    }

    #[test]
    fn games_and_anchors_connect_players() {
        let encounters = [games([0, 2], 1, 0), games([1, 3], 1, 1), games([2, 3], 0, 0)];
        assert_eq!(groups(5, &encounters, &[]), [vec![0, 2], vec![1, 3], vec![4]]);
        let anchors = [2, 4].map(|player| Anchor { player, elo: 0.0, error: 10.0 });
        assert_eq!(groups(5, &encounters, &anchors), [vec![0, 2, 4], vec![1, 3]]);
        assert!(groups(0, &[], &[]).is_empty());
    }

    #[test]
    fn ratings_are_finite_in_a_circle_of_wins() {
        let circle = [games([0, 1], 3, 0), games([1, 2], 1, 0), games([2, 0], 1, 0)];
        assert!(are_finite(3, &circle, &[]));
        assert!(!are_finite(3, &circle[..2], &[]));
        let anchors = [0, 2].map(|player| Anchor { player, elo: 0.0, error: 0.0 });
        assert!(are_finite(3, &circle[..2], &anchors));
        assert!(are_finite(0, &[], &[]) && are_finite(1, &[], &[]) && !are_finite(2, &[], &[]));
    }
}
