//! Cross table of a tournament: games, points and Elo of each player, strongest first.

use std::cmp::Ordering;

use serde::Serialize;

use super::anchor::Anchor;
use super::elo::GameCounts;
use super::encounter::Encounter;
use super::ratings::{Rating, Ratings};

#[derive(Clone, PartialEq, Debug)]
pub struct CrossTable {
    /// One row per player, strongest first.
    pub rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The player's index.
    pub player: usize,
    /// The rating; `None` before the first game.
    pub rating: Option<Rating>,
    pub games: GameCounts,
    /// The results against the player of each row, in the table's order; `None` if they have not played.
    pub against: Vec<Option<GameCounts>>,
}

impl CrossTable {
    /// Builds the table of `players` players from their games.
    pub fn new(players: usize, encounters: &[Encounter], anchors: &[Anchor]) -> Self {
        let mut met: Vec<Vec<Option<GameCounts>>> = vec![vec![None; players]; players];
        let played = |each: &&Encounter| each.players[0] != each.players[1] && each.games.games() > 0;
        let encounters: Vec<Encounter> = encounters.iter().filter(played).copied().collect();
        for &Encounter { players: [a, b], games, .. } in &encounters {
            met[a][b].get_or_insert_default().merge(games);
            met[b][a].get_or_insert_default().merge(games.reversed());
        }
        let ratings = Ratings::fit(players, &encounters, anchors);
        let rating_of = |player: usize| ratings.rating(player);
        let mut order: Vec<usize> = (0..players).collect();
        // Players with equal ratings keep their order.
        order.sort_by(|&a, &b| rating_of(b).elo.partial_cmp(&rating_of(a).elo).unwrap_or(Ordering::Equal));
        let row = |&player: &usize| {
            let games: GameCounts = met[player].iter().flatten().copied().sum();
            let against = order.iter().map(|&other| met[player][other]).collect();
            Row { player, rating: (games.games() > 0).then(|| rating_of(player)), games, against }
        };
        Self { rows: order.iter().map(row).collect() }
    }

    /// Formats the table as text, one line per player below a header; `names` are indexed by player.
    pub fn lines(&self, names: &[&str]) -> Vec<String> {
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("player".len());
        let cells: Vec<Vec<String>> = self.rows.iter().map(Row::cells).collect();
        let cell_width = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        let head = (1..=self.rows.len()).fold(String::new(), |head, number| head + &format!("  {number:>cell_width$}"));
        let mut lines = vec![format!("  # {:width$}     Elo       ±   games   points{head}", "player")];
        for (number, (row, cells)) in self.rows.iter().zip(&cells).enumerate() {
            let rating = row.rating.map_or_else(
                || format!("{:>7} {:>7}", "-", "-"),
                |rating| format!("{:>+7.1} {:>7.1}", rating.elo, rating.error),
            );
            let against = cells.iter().fold(String::new(), |text, cell| text + &format!("  {cell:>cell_width$}"));
            let (name, games, points) = (names[row.player], row.games.games(), row.games.points());
            lines.push(format!("{:>3} {name:width$} {rating} {games:>7} {points:>8.1}{against}", number + 1));
        }
        lines
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        self.against.iter().map(|games| games.map_or_else(|| "-".to_owned(), |games| games.to_string())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encounter::Colors;

    fn encounters<const N: usize>(results: [([usize; 2], GameCounts); N]) -> [Encounter; N] {
        results.map(|(players, games)| Encounter { players, games, colors: Colors::Mixed })
    }

    const fn counts(wins: u64, draws: u64, losses: u64) -> GameCounts {
        GameCounts { wins, draws, losses }
    }

    #[test]
    fn results_are_in_both_rows_and_the_strongest_is_first() {
        let results = [([0, 1], counts(1, 2, 7)), ([2, 1], counts(9, 1, 0)), ([1, 0], counts(3, 0, 1))];
        let table = CrossTable::new(4, &encounters(results), &[]);
        let order: Vec<usize> = table.rows.iter().map(|row| row.player).collect();
        assert_eq!(order[0], 2);
        let row_index = |player: usize| order.iter().position(|&other| other == player).expect("everybody has a row");
        let row = |player: usize| &table.rows[row_index(player)];
        assert!(row_index(1) < row_index(0));
        assert_eq!(row(1).against[row_index(0)], Some(counts(10, 2, 2)));
        assert_eq!(row(0).against[row_index(1)], Some(counts(2, 2, 10)));
        assert_eq!((row(0).against[row_index(2)], row(1).against[row_index(1)]), (None, None));
        assert_eq!((row(1).games, row(3).games), (counts(10, 3, 11), GameCounts::default()));
        assert!(row(3).rating.is_none() && row(0).rating.is_some_and(|rating| rating.elo < 0.0));
    }

    #[test]
    fn lines_are_aligned() {
        let results = [([0, 1], counts(100, 2, 7)), ([2, 1], counts(9, 1, 0))];
        let lines = CrossTable::new(3, &encounters(results), &[]).lines(&["ä", "somebody else", "c"]);
        assert_eq!(lines.len(), 4);
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("ä ") && line.contains("+100 =2 -7")), "{lines:#?}");
    }
}
