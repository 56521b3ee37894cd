//! A teacher's values of many rows.

use alfiere_chess::types::Color;
use rayon::prelude::*;

use super::Teacher;
use crate::data::Row;

/// Rows of a task; neighbours differ little, so one evaluator takes them all.
const CHUNK: usize = 4_096;

/// A teacher's centipawns of each row from White's side; `None` where the row is in check, which the teacher does not
/// value, or no position of standard chess.
pub fn values(teacher: &Teacher, rows: &[Row]) -> Vec<Option<i32>> {
    rows.par_chunks(CHUNK)
        .map_init(
            || teacher.evaluator(),
            |evaluator, rows| {
                let value = |row: &Row| {
                    let board = row.to_board().ok().filter(|board| !board.in_check())?;
                    let value = evaluator.evaluate(&board);
                    Some(if board.side_to_move() == Color::White { value } else { -value })
                };
                rows.iter().map(value).collect::<Vec<_>>()
            },
        )
        .collect::<Vec<_>>()
        .concat()
}

#[cfg(test)]
mod tests {
    use super::super::noise;
    use super::*;
    use crate::data::sample;

    #[test]
    fn rows_have_their_boards_values_from_whites_side() {
        let teacher = noise();
        let rows = sample::rows(400);
        let values = values(&teacher, &rows);
        let mut evaluator = teacher.evaluator();
        for (row, value) in rows.iter().zip(values) {
            let board = row.to_board().expect("a position");
            let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
            let expected = (!board.in_check()).then(|| sign * evaluator.evaluate(&board));
            assert_eq!(value, expected, "{}", row.to_fen());
        }
    }
}
