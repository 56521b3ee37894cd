//! Evaluates many rows with a teacher.

use alfiere_chess::types::Color;
use alfiere_data::Row;
use rayon::prelude::*;

use super::Teacher;

/// Rows per task. Adjacent rows differ little, so one evaluator processes them all.
const CHUNK: usize = 4_096;

/// The teacher's evaluation of each row in centipawns from White's point of view; `None` if the side to move is in
/// check, where the teacher has no evaluation, or the row is not a legal position of standard chess.
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
    use alfiere_data::sample;

    use super::*;
    use crate::nineteen::noise;

    #[test]
    fn rows_are_evaluated_from_whites_point_of_view() {
        let teacher = Teacher::Nineteen(Box::new(noise()));
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
