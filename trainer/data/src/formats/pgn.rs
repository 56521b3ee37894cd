//! Games in PGN with scores in their comments: `[%eval 0.17]` and `[%eval #-3]` after a move, as Lichess writes them, or
//! `+0.31/12` as programs that play matches do. Read only.
//!
//! `%eval` is the score in pawns of the position after the move, from White's point of view. The other form is the
//! score of the position before the move, from the point of view of the side that moves. In games with both, `%eval` is
//! used. Each position with a score becomes a row; its best move is the move played. Variations are skipped. A game
//! that cannot be read, the end of one after a move that cannot be read, and a score that cannot be read are bad rows.

use std::io::BufRead;
use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::game::ReportedScore;
use alfiere_chess::pgn::{PgnFault, PgnGame, read_each};
use alfiere_chess::types::Color;

use crate::error::DataError;
use crate::row_batcher::RowBatcher;
use crate::rows::bad_row::{Location, excerpt};
use crate::rows::board_row::rank_of;
use crate::rows::label::Label;
use crate::rows::result::RowResult;
use crate::rows::row::Row;

/// Reads the games to the end of the input.
pub(super) fn read_pgn(input: &mut dyn BufRead, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let mut outcome = Ok(());
    let read = read_each(input, |game| {
        let taken = match game {
            Ok(game) => take_game(&game, batcher),
            Err(fault) => add_fault(fault, batcher).map(ControlFlow::Continue),
        };
        taken.unwrap_or_else(|error| {
            outcome = Err(error);
            ControlFlow::Break(())
        })
    });
    read.map_err(|source| batcher.unreadable(source)).and(outcome)
}

fn add_fault(fault: PgnFault, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    batcher.bad(Location::Line(fault.line as u64), fault.players, fault.problem.to_string())
}

fn take_game(game: &PgnGame, batcher: &mut RowBatcher<'_, '_>) -> Result<ControlFlow<()>, DataError> {
    let result = game.result.map_or(RowResult::Unknown, RowResult::from);
    for (line, comment) in &game.unread_scores {
        let expected = "expected a score such as [%eval 0.17], [%eval #-3], +0.31/12, -M4/12 or wv=0.31";
        batcher.bad(Location::Line(*line as u64), excerpt(comment.as_bytes()), expected.to_owned())?;
    }
    let mut board = game.start.clone();
    let has_evals = game.moves.iter().any(|played| played.eval.is_some());
    let mut before = game.start_eval;
    for played in &game.moves {
        let reported = || played.reported_score.filter(|_| !has_evals);
        let reported = || reported().map(|score| Label::of_reported_score(score, board.side_to_move()));
        if let Some(label) = before.map(|eval| label_of_eval(eval, &board)).or_else(reported) {
            let row = Row::of_board(&board).with_label(label).with_result(result);
            if batcher.row(row.with_best_move(rank_of(&board, played.mv), played.mv.is_noisy()))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        before = played.eval;
        board.play(played.mv);
    }
    if let Some(eval) = before {
        let row = Row::of_board(&board).with_label(label_of_eval(eval, &board)).with_result(result);
        if batcher.row(row)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    match game.cut_off.clone() {
        Some(fault) => add_fault(fault, batcher).map(ControlFlow::Continue),
        None => Ok(ControlFlow::Continue(())),
    }
}

/// The label of an evaluation from White's point of view; `#0` means that the side to move is mated.
fn label_of_eval(eval: ReportedScore, board: &Board) -> Label {
    let view = if eval == ReportedScore::Mate(0) { board.side_to_move() } else { Color::White };
    Label::of_reported_score(eval, view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BadRows, Format, ReadOptions, ReadReport, sample};

    fn read(text: &str, options: &ReadOptions) -> Result<(Vec<Row>, ReadReport), String> {
        sample::read_bytes(text, &ReadOptions { from: Some(Format::Pgn), ..options.clone() })
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
        // Its first move has an evaluation.
        assert_eq!((rows.len(), report.bad_rows, report.quoted[0].location), (7, 1, Location::Line(13)));
        let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
        assert!(read(&wrong, &strict).is_err_and(|error| error.starts_with("FILE:6: ")));
        let silent = read("1. e4 e5 *\n", &ReadOptions::default()).expect_err("no rows");
        assert!(silent.ends_with("expected game with evaluations in its comments"), "{silent}");
    }

    #[test]
    fn every_scored_move_of_a_match_is_a_row() {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/formats/fastchess_match.pgn"));
        let (rows, report) = read(text, &ReadOptions::default()).expect("rows");
        assert_eq!((rows.len(), report.bad_rows), (254, 0));
        let zeros = rows.iter().filter(|row| row.label() == Label::Centipawns(0)).count();
        // The last game ends with mate: its mates are in plies.
        let last: Vec<String> = rows[rows.len() - 8..].iter().map(|row| row.label().to_string()).collect();
        assert_eq!((zeros, last.join(" ").as_str()), (52, "#+4 +1265 #+3 #+3 #+2 #+2 #+1 #+1"));
    }

    #[test]
    fn forms_of_other_programs_are_rows() {
        for (text, labels) in [
            (
                "1. e4 {+1.00/10, 0.006s} e5 {-0.98/12, 0.026s} 2. Nf3 {+M5/12, 0.019s} Nc6 {+0.00/10, 0.1s} *",
                "+100 +98 #+3 0",
            ),
            (
                "1. Nf3 {+0.57 17/28 583 363004} Na6 {-0.57 17/22 5 6} 2. e4 {+M3 96/4 16 35602} h6 { 0/1 8 40000} *",
                "+57 +57 #+2",
            ),
            ("1. f3 e5 2. g4 Qh4# {[%eval #0]} 0-1", "#-0"),
        ] {
            let (rows, report) = read(text, &ReadOptions::default()).expect("rows");
            let found: Vec<String> = rows.iter().map(|row| row.label().to_string()).collect();
            assert_eq!((found.join(" ").as_str(), report.bad_rows), (labels, 0), "{text}");
        }
    }

    #[test]
    fn scores_that_cannot_be_read_are_counted() {
        let text = "1. e4 {[%eval 0.2]} e5 {[%eval 0,3]} 2. Nf3 {[%eval x]} *\n";
        let (rows, report) = read(text, &ReadOptions::default()).expect("rows");
        assert_eq!((rows.len(), report.bad_rows), (2, 1));
        let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
        let stopped = read(text, &strict).expect_err("strict");
        assert!(stopped.starts_with("FILE:1: expected a score such as") && stopped.contains("[%eval x]"), "{stopped}");
    }

    #[test]
    fn a_game_in_parts_and_of_other_rules() {
        let eval = "{[%eval 0.3]}";
        let text = format!(
            "[Result \"1-0\"]\n\n1. e4 {eval} e5 {eval} 2. -- Nf6 {eval}\n\n[Event \"b\"]\n[Variant \"Atomic\"]\n\n1. Nf3 {eval} *\n"
        );
        let (rows, report) = read(&text, &ReadOptions::default()).expect("rows");
        let results: Vec<RowResult> = rows.iter().map(Row::result).collect();
        assert_eq!((results.as_slice(), report.bad_rows), (&[RowResult::WhiteWins; 2][..], 2));
        assert!(report.quoted[1].problem.contains("variant \"Atomic\""), "{:?}", report.quoted);
    }
}
