//! Whether two neighbouring rows without move numbers belong to one game, from what changed on the board.

use alfiere_chess::types::Color;

use crate::rows::row::Row;

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
    use super::*;
    use crate::rows::fen;

    fn is_followed(before: &str, row: &str) -> bool {
        let row_of = |fen: &str| fen::parse(fen.as_bytes()).expect(fen);
        follows(&row_of(before), &row_of(row))
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
