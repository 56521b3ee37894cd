//! Games in PGN with evaluations in their comments: `[%eval 0.17]` and `[%eval #-3]` after a move, as Lichess writes
//! them, or `+0.31/12` as programs that play matches do. Read only.
//!
//! `%eval` is the score in pawns of the position after the move, from White's point of view. The other form is the
//! score of the position before the move, from the point of view of the side that moves. In games with both, `%eval` is
//! used. Each position with a score becomes a row; its best move is the move played. Variations are skipped. A game
//! that cannot be read is skipped and counts as one bad row.

use std::io::BufRead;
use std::ops::ControlFlow;

use alfiere_chess::game::{GameResult, ReportedScore};
use alfiere_chess::pgn::{PgnGame, PgnProblem, read_each, tag};
use alfiere_chess::types::Color;

use super::row_batcher::RowBatcher;
use crate::error::DataError;
use crate::rows::bad_row::Location;
use crate::rows::board_row::rank_of;
use crate::rows::label::{Label, RowResult};
use crate::rows::row::Row;

/// Reads the games to the end of the input.
pub(super) fn read_pgn(input: &mut dyn BufRead, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let mut outcome = Ok(());
    let read = read_each(input, |game| {
        let taken = match game {
            Ok(game) => take_game(&game, batcher),
            Err(fault) => {
                let player = |name| tag(&fault.tags, name).unwrap_or("?");
                let found = format!("{} - {}", player("White"), player("Black"));
                let location = Location::Line(fault.line as u64);
                batcher.bad(location, found, fault.problem.to_string()).map(ControlFlow::Continue)
            }
        };
        taken.unwrap_or_else(|error| {
            outcome = Err(error);
            ControlFlow::Break(())
        })
    });
    match read {
        Err((_, PgnProblem::Read(source))) => Err(batcher.unreadable(source)),
        Err((line, problem)) => Err(batcher.damage(Location::Line(line as u64), problem.to_string(), "games in PGN")),
        Ok(()) => outcome,
    }
}

fn take_game(game: &PgnGame, batcher: &mut RowBatcher<'_, '_>) -> Result<ControlFlow<()>, DataError> {
    let result = match game.result {
        None => RowResult::Unknown,
        Some(GameResult::Draw) => RowResult::Draw,
        Some(GameResult::Win(Color::White)) => RowResult::WhiteWins,
        Some(GameResult::Win(Color::Black)) => RowResult::BlackWins,
    };
    let mut board = game.start.clone();
    let has_evals = game.moves.iter().any(|played| read_eval(&played.comments).is_some());
    let mut before = read_eval(&game.preface);
    for played in &game.moves {
        let us = board.side_to_move();
        let reported_score = played
            .reported_score
            .filter(|_| !has_evals)
            .map(|reported_score| Label::of_reported_score(reported_score, us));
        if let Some(label) = before.or(reported_score) {
            let row = Row::of_board(&board).with_label(label).with_result(result);
            if batcher.row(row.with_best_move(rank_of(&board, played.mv), played.mv.is_noisy()))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        before = read_eval(&played.comments);
        board.play(played.mv);
    }
    match before {
        Some(label) => batcher.row(Row::of_board(&board).with_label(label).with_result(result)),
        None => Ok(ControlFlow::Continue(())),
    }
}

/// The `[%eval ...]` among a move's comments, with or without a depth after a comma.
fn read_eval(comments: &[String]) -> Option<Label> {
    let rest = comments.iter().find_map(|comment| Some(comment.split_once("[%eval")?.1))?;
    let text = rest.split_once(']')?.0.trim();
    let value = text.split(',').next().unwrap_or(text).trim();
    let reported_score = if let Some(moves) = value.strip_prefix('#') {
        ReportedScore::Mate(i32::from(moves.parse::<i16>().ok().filter(|&moves| moves != 0)?))
    } else {
        let pawns: f64 = value.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6)?;
        ReportedScore::Centipawns((pawns * 100.0).round() as i32)
    };
    Some(Label::of_reported_score(reported_score, Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::formats::read_format;
    use crate::{BadRows, ReadOptions, ReadReport};

    fn read(text: &str, options: &ReadOptions) -> Result<(Vec<Row>, ReadReport), DataError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        std::fs::write(&path, text).expect("written");
        let mut rows = Vec::new();
        let report = read_format(&path, Format::Pgn, options, &mut |_| ControlFlow::Continue(()), &mut |more| {
            rows.extend_from_slice(more);
            Ok(())
        })?;
        Ok((rows, report))
    }

    const LICHESS: &str = "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
        1. f3 { [%eval -0.45] [%clk 0:10:00] } 1... e5 { [%eval -0.4,18] } ( 1... d5 { [%eval 9.0] } ) \
        2. g4 { [%eval #-1] } 2... Qh4# 0-1\n\n";

    #[test]
    fn an_eval_belongs_to_the_position_after_its_move() {
        let (rows, report) = read(LICHESS, &ReadOptions::default()).expect("rows");
        let labels: Vec<Label> = rows.iter().map(Row::label).collect();
        let mate = Label::Mate { winner: Color::Black, distance: 1 };
        assert_eq!(labels, [Label::Centipawns(-45), Label::Centipawns(-40), mate]);
        assert_eq!(rows.iter().map(Row::ply).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(rows.iter().all(|row| row.result() == RowResult::BlackWins && row.best_move_rank().is_some()));
        assert_eq!((report.rows, report.bad_rows), (3, 0));
        let (limited, _) = read(LICHESS, &ReadOptions { limit: Some(2), ..ReadOptions::default() }).expect("rows");
        assert_eq!(limited, rows[..2]);
    }

    #[test]
    fn comments_of_matches_belong_to_the_position_before() {
        let text = "1. e4 {+0.31/12 0.1s} c5 {-0.20/11 0.1s} 2. Nf3 {book} 1/2-1/2\n";
        let (rows, _) = read(text, &ReadOptions::default()).expect("rows");
        let seen: Vec<(u32, Label)> = rows.iter().map(|row| (row.ply(), row.label())).collect();
        assert_eq!(seen, [(0, Label::Centipawns(31)), (1, Label::Centipawns(20))]);
    }

    #[test]
    fn a_game_that_cannot_be_read_costs_itself_alone() {
        let wrong = LICHESS.replace("e5 {", "e6e5x {");
        let (rows, report) = read(&format!("{LICHESS}{wrong}{LICHESS}"), &ReadOptions::default()).expect("rows");
        assert_eq!((rows.len(), report.bad_rows, report.quoted[0].location), (6, 1, Location::Line(13)));
        let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
        assert!(matches!(read(&wrong, &strict), Err(DataError::BadRow { .. })));
        let silent = read("1. e4 e5 *\n", &ReadOptions::default()).expect_err("no rows");
        assert!(silent.to_string().ends_with("expected game with evaluations in its comments"), "{silent}");
    }
}
