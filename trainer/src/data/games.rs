//! Where one game ends and the next begins in a run of rows.

use std::ops::Range;

use super::row::Row;

/// The games of one file, as ranges of row numbers: a game ends where the full-move number falls.
pub fn find_games(rows: &[Row]) -> Vec<Range<u32>> {
    let mut games = Vec::new();
    let mut start = 0;
    for (index, pair) in rows.windows(2).enumerate() {
        if pair[1].fullmove_number() < pair[0].fullmove_number() {
            games.push(start..index as u32 + 1);
            start = index as u32 + 1;
        }
    }
    if !rows.is_empty() {
        games.push(start..rows.len() as u32);
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::fen;

    #[test]
    fn games_end_where_the_move_number_falls() {
        let rows: Vec<Row> = [5, 5, 6, 6, 1, 1, 2, 40, 39]
            .iter()
            .map(|number| fen::parse(format!("k7/8/8/8/8/8/8/K7 w - - 0 {number}").as_bytes()).expect("legal"))
            .collect();
        assert_eq!(find_games(&rows), vec![0..4, 4..8, 8..9]);
        assert_eq!(find_games(&[]), Vec::<Range<u32>>::new());
    }
}
