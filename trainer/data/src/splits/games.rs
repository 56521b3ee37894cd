//! Detects the games in a sequence of rows, and computes the key of a game for splits.
//!
//! A split assigns a game by its **anchor**: the [`Row::symmetric_key`] of one of its positions. The anchor is the smallest
//! key among the positions from move [`ANCHOR_MOVE`] on, or among all where there are none. So the order of rows does
//! not matter, games from one opening have different anchors, and a format that drops a row of a game changes the
//! anchor only if it drops this one.

use std::ops::Range;
use std::path::Path;

use alfiere_chess::types::Color;

use crate::rows::row::Row;

/// Rows of the head of a file, and of each other sample of it; they decide whether its games are known.
pub(crate) const HEAD_ROWS: usize = 4096;
/// Maximum number of samples besides the head.
const MAX_SAMPLES: usize = 64;
/// Games are known if they have at least this many rows on average; rows in random order appear as games of about two.
pub(crate) const MIN_GAME_ROWS: f64 = 4.0;
/// Rows without move numbers are in game order only if their games have at most this many rows on average; more are a list
/// of related positions.
const MAX_GAME_ROWS: f64 = 500.0;
/// Anchors are from this move on, if possible, because many games share earlier positions.
const ANCHOR_MOVE: u16 = 11;

/// A game, or a range of rows whose games are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub rows: Range<u32>,
    /// The key of the game; `None` for rows whose games are unknown, each of which is assigned by its own key.
    pub anchor: Option<u64>,
}

impl Game {
    /// The rows that stay together in a split: the game, or single rows if games are unknown.
    pub fn units(&self) -> impl Iterator<Item = Range<u32>> + use<> {
        let step = if self.anchor.is_some() { self.rows.len().max(1) } else { 1 };
        let end = self.rows.end;
        self.rows.clone().step_by(step).map(move |start| start..end.min(start + step as u32))
    }

    /// Number of games and of rows without one.
    pub fn count_units(games: &[Self]) -> usize {
        games.iter().map(|game| if game.anchor.is_some() { 1 } else { game.rows.len() }).sum()
    }
}

/// How the games of a file are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOrder {
    /// A game ends where the full-move number decreases.
    MoveNumbers,
    /// Move numbers are missing: a game ends where more changes on the board than by a few moves.
    Board,
    /// The file names the game of each row: a game ends where another one's mark follows.
    Named,
    /// The rows are in no game's order: games are unknown.
    Unknown,
}

impl GameOrder {
    /// The order of a file with these first rows, at most [`HEAD_ROWS`].
    pub(crate) fn of_head(head: &[Row]) -> Self {
        if head.first().is_some_and(|row| row.game_mark() > 0) {
            return Self::Named;
        }
        let has_move_numbers = head.iter().any(|row| row.fullmove_number() != head[0].fullmove_number());
        let is_short = head.len() <= MIN_GAME_ROWS as usize;
        let order = if is_short || has_move_numbers { Self::MoveNumbers } else { Self::Board };
        let games = order.games(head).len() as f64;
        let is_in_order = match order {
            Self::Board => {
                let repeats = head.windows(2).filter(|pair| pair[0].key() == pair[1].key()).count();
                (head.len() - repeats) as f64 >= MIN_GAME_ROWS * games && head.len() as f64 <= MAX_GAME_ROWS * games
            }
            _ => is_short || head.len() as f64 >= MIN_GAME_ROWS * games,
        };
        if is_in_order { order } else { Self::Unknown }
    }

    /// The order of a file, by [samples](sample_ranges) of it: unknown unless all have the same.
    pub(crate) fn of(rows: &[Row]) -> Self {
        let mut orders = sample_ranges(rows.len()).map(|range| Self::of_head(&rows[range]));
        let first = orders.next().unwrap_or(Self::MoveNumbers);
        if orders.all(|order| order == first) { first } else { Self::Unknown }
    }

    /// True if games are told apart.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// True if a row is the first of the next game; `before` is the row before it.
    pub(crate) fn begins_game(self, before: &Row, row: &Row) -> bool {
        match self {
            Self::MoveNumbers => row.fullmove_number() < before.fullmove_number(),
            Self::Board => !follows(before, row),
            Self::Named => row.game_mark() != before.game_mark(),
            Self::Unknown => true,
        }
    }

    /// The games of rows in this order, as ranges of row indices.
    fn games(self, rows: &[Row]) -> Vec<Range<u32>> {
        let mut games = Vec::new();
        let mut start = 0;
        for (index, pair) in rows.windows(2).enumerate() {
            if self.begins_game(&pair[0], &pair[1]) {
                games.push(start..index as u32 + 1);
                start = index as u32 + 1;
            }
        }
        if !rows.is_empty() {
            games.push(start..rows.len() as u32);
        }
        games
    }

    /// A message for the user if games are told apart in a way that may be wrong.
    pub(crate) fn remark(self, path: &Path) -> Option<String> {
        (self == Self::Board)
            .then(|| format!("{}: no move numbers; games are told apart by the changes on the board", path.display()))
    }
}

/// The samples of a file with this number of rows: its head, then at equal distances up to its end.
fn sample_ranges(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let last = rows.saturating_sub(HEAD_ROWS);
    let count = last.div_ceil(HEAD_ROWS).min(MAX_SAMPLES);
    let starts = (0..=count).map(move |index| last * index / count.max(1));
    starts.map(move |start| start..rows.min(start + HEAD_ROWS))
}

/// The games of one file, as ranges of row indices: a game ends where the full-move number decreases.
pub fn find_games(rows: &[Row]) -> Vec<Range<u32>> {
    GameOrder::MoveNumbers.games(rows)
}

/// The games of one file with their anchors, or one range of rows if its samples are not in game order.
pub(crate) fn anchored_games(rows: &[Row]) -> Vec<Game> {
    if rows.is_empty() {
        return Vec::new();
    }
    let order = GameOrder::of(rows);
    if !order.is_known() {
        return vec![Game { rows: 0..rows.len() as u32, anchor: None }];
    }
    let anchored = |range: Range<u32>| {
        let anchor = anchor(&rows[range.start as usize..range.end as usize]);
        Game { rows: range, anchor }
    };
    order.games(rows).into_iter().map(anchored).collect()
}

/// The anchor of a game; `None` without rows.
fn anchor<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<u64> {
    // Early positions come after all late ones.
    let rank = |row: &Row| (row.fullmove_number() < ANCHOR_MOVE, row.symmetric_key());
    rows.into_iter().map(rank).min().map(|(_, key)| key)
}

/// Rows of one game differ in at most this many squares, unless many plies between them are missing: a ply changes two
/// squares, an en passant capture three, castling four.
const MAX_CHANGED_SQUARES: u32 = 16;
/// At least one of this many pieces is where it was; more change between unrelated endgames.
const STAYING_PART: u32 = 3;

/// The pieces by square: 0 for none, 1–6 White's, 7–12 Black's.
type Squares = [u8; 64];

/// True if a few moves may lead from one row to the next. Of two rows with White to move, the first may have its colours
/// exchanged, as in formats that show every position from the side to move.
pub(super) fn follows(before: &Row, row: &Row) -> bool {
    let (from, to) = (squares(before), squares(row));
    let is_white = |row: &Row| row.side_to_move() == Color::White;
    may_lead(&from, &to) || is_white(before) && is_white(row) && may_lead(&exchanged(&from), &to)
}

fn may_lead(from: &Squares, to: &Squares) -> bool {
    let (mut changed, mut staying, mut before, mut after) = (0, 0, 0, 0);
    for (&from, &to) in from.iter().zip(to) {
        before += u32::from(from > 0);
        after += u32::from(to > 0);
        changed += u32::from(from != to);
        staying += u32::from(from > 0 && from == to);
    }
    changed <= MAX_CHANGED_SQUARES && after <= before && staying * STAYING_PART >= before
}

fn squares(row: &Row) -> Squares {
    let mut squares = [0; 64];
    for (piece, square) in row.pieces() {
        squares[square.index()] = (1 + piece.kind().index() + 6 * piece.color().index()) as u8;
    }
    squares
}

/// The board from the other side, with exchanged colours.
fn exchanged(squares: &Squares) -> Squares {
    std::array::from_fn(|index| match squares[index ^ 0x38] {
        0 => 0,
        piece => (piece + 5) % 12 + 1,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{sample, shuffle};

    fn numbered(numbers: &[u16]) -> Vec<Row> {
        numbers.iter().map(|number| sample::row(&format!("k7/8/8/8/8/8/8/K7 w - - 0 {number}"))).collect()
    }

    #[test]
    fn games_end_where_the_move_number_falls() {
        let rows = numbered(&[5, 5, 6, 6, 1, 1, 2, 40, 39]);
        assert_eq!(find_games(&rows), vec![0..4, 4..8, 8..9]);
        assert_eq!(find_games(&[]), Vec::<Range<u32>>::new());
    }

    #[test]
    fn games_are_unknown_in_shuffled_and_repeated_rows() {
        let mut rows = sample::rows(3_000);
        assert!(anchored_games(&rows).iter().all(|game| game.anchor.is_some()));
        shuffle(&mut rows, 1);
        assert_eq!(anchored_games(&rows), vec![Game { rows: 0..3_000, anchor: None }]);
        assert_eq!(anchored_games(&numbered(&[1; 9])), vec![Game { rows: 0..9, anchor: None }]);
        assert_eq!(anchored_games(&[]), vec![]);
    }

    #[test]
    fn games_are_unknown_if_only_the_first_rows_are_in_game_order() {
        for rows in [sample::rows(9_000), sample::unnumbered(9_000)] {
            assert!(GameOrder::of(&rows).is_known());
            let mut half = rows;
            shuffle(&mut half[HEAD_ROWS..], 1);
            assert!(anchored_games(&half) == [Game { rows: 0..9_000, anchor: None }]);
        }
        let starts = |rows| sample_ranges(rows).collect::<Vec<_>>();
        let one = |range| std::iter::once(range).collect::<Vec<_>>();
        assert_eq!([starts(0), starts(9), starts(5_000)], [one(0..0), one(0..9), vec![0..4_096, 904..5_000]]);
        let many = starts(10_000_000);
        assert_eq!((many.len(), many.last()), (65, Some(&(9_995_904..10_000_000))));
    }

    #[test]
    fn games_without_move_numbers_are_told_apart_by_the_board() {
        let rows = sample::real(20_000);
        let starts = |games: Vec<Range<u32>>| games.iter().map(|game| game.start).collect::<HashSet<u32>>();
        let expected = starts(find_games(&rows));
        let mut rows = sample::unnumbered(20_000);
        assert_eq!(GameOrder::of(&rows), GameOrder::Board);
        let found = starts(anchored_games(&rows).into_iter().map(|game| game.rows).collect());
        let right = found.intersection(&expected).count();
        assert!(right == expected.len() && found.len() - right <= expected.len() / 20, "{right} of {}", found.len());
        // Half of the rows are missing: most games are found, with more cuts.
        let half: Vec<Row> = rows.iter().copied().filter(|row| row.key() % 2 == 0).collect();
        let games = anchored_games(&half).len();
        assert!((expected.len()..expected.len() * 5 / 4).contains(&games), "{games} of {}", expected.len());
        shuffle(&mut rows, 1);
        assert_eq!(GameOrder::of(&rows), GameOrder::Unknown);
        // Few pieces are on few squares.
        rows.retain(|row| row.piece_count() <= 7);
        assert!(rows.len() > 200 && GameOrder::of(&rows) == GameOrder::Unknown, "{}", rows.len());
    }

    #[test]
    fn an_anchor_depends_on_the_late_positions_in_any_order() {
        let rows = sample::rows(400);
        let mut tried = 0;
        for range in find_games(&rows) {
            let game = &rows[range.start as usize..range.end as usize];
            let found = anchor(game);
            assert!(found.is_some());
            assert_eq!(anchor(game.iter().rev()), found);
            let late = |row: &&Row| row.fullmove_number() >= ANCHOR_MOVE;
            if game.iter().any(|row| late(&row)) {
                assert_eq!(anchor(game.iter().filter(late)), found);
                tried += 1;
            }
            // Without the row that is the anchor it is another one, without any other row it stays.
            for left_out in game {
                let rest = anchor(game.iter().filter(|row| *row != left_out));
                assert_eq!(rest == found, Some(left_out.symmetric_key()) != found);
            }
        }
        assert!(tried > 3, "{tried}");
    }

    fn is_followed(before: &str, row: &str) -> bool {
        follows(&sample::row(before), &sample::row(row))
    }

    #[test]
    fn moves_lead_on_and_other_games_do_not() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let opening = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq -";
        let castled = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 w - -";
        assert!(is_followed(start, opening) && is_followed(opening, castled));
        assert!(!is_followed(&start.replace("PPPPPPPP", "PPPP1PPP"), opening), "no move adds a piece");
        let ending = "8/5k2/8/3R4/8/8/4K3/7r w - -";
        assert!(is_followed(ending, "8/5k2/8/8/8/8/4K3/3R3r b - -"));
        assert!(!is_followed(ending, "8/8/2k5/8/6R1/8/1K6/5r2 w - -"), "nothing stays, although few squares change");
        assert!(!is_followed(ending, start));
    }

    #[test]
    fn records_from_the_side_to_move_are_turned() {
        let [ending, reply] = ["8/2k5/8/8/3r4/8/1R3K2/8 w - -", "8/5kr1/8/3R4/8/8/2K5/8 w - -"];
        assert!(is_followed(ending, reply), "the rook goes to g2, and the board is turned");
    }
}
