//! The Lichess evaluation database, `lichess_db_eval.jsonl.zst`: one JSON object per line. Read only.
//!
//! `{"fen": ..., "evals": [{"pvs": [{"cp": ..., "line": "..."}], "knodes": ..., "depth": ...}]}`: a FEN of four fields,
//! evaluations at several depths, and for each of them lines of play, the best first, with `cp` or `mate` from White's
//! side and moves in UCI notation. A row has the score and the first move of the best line of the deepest
//! evaluation, or of the one with the most nodes if several are equally deep. There are no results and no move numbers.

use std::borrow::Cow;

use serde::Deserialize;

use crate::rows::bad_row::RowProblem;
use crate::rows::label::Label;
use crate::rows::row::Row;

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Vec<Evaluation<'a>>,
}

#[derive(Deserialize)]
struct Evaluation<'a> {
    #[serde(borrow)]
    pvs: Vec<Line<'a>>,
    #[serde(default)]
    knodes: u64,
    depth: u32,
}

#[derive(Deserialize)]
struct Line<'a> {
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow, default, rename = "line")]
    moves: Cow<'a, str>,
}

/// True if a line may be in this format.
pub(super) fn is_lichess(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{")
}

/// Reads a line, without its line end, into a row.
pub(super) fn parse_lichess(line: &[u8]) -> Result<Row, RowProblem> {
    let entry: Entry<'_> = serde_json::from_slice(line).map_err(|error| RowProblem::Json(error.to_string()))?;
    let row = Row::from_fen(entry.fen.as_bytes())?;
    let deepest = entry.evals.iter().max_by_key(|evaluation| (evaluation.depth, evaluation.knodes));
    let best = deepest.and_then(|evaluation| evaluation.pvs.first()).ok_or(RowProblem::NoEvaluation)?;
    let label = match (best.cp, best.mate) {
        (Some(value), None) => Label::centipawns(value),
        (None, Some(moves)) => {
            let text = moves.to_string();
            Label::parse_mate(text.as_bytes(), row.side_to_move()).ok_or(RowProblem::Label(text))?
        }
        _ => return Err(RowProblem::NoEvaluation),
    };
    let row = row.with_label(label);
    match best.moves.split_ascii_whitespace().next() {
        None => Ok(row),
        Some(text) => row.with_move_text(text),
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;
    use crate::BestMove;

    const FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";

    fn parse(evals: &str) -> Result<Row, String> {
        let line = format!(r#"{{"fen":"{FEN}","evals":{evals}}}"#);
        parse_lichess(line.as_bytes()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_deepest_evaluation_counts() {
        let row = parse(
            r#"[{"pvs":[{"cp":5,"line":"a1a8 e8d7"}],"knodes":900,"depth":20},
                {"pvs":[{"mate":-3,"line":"e1h1 e8d7"},{"cp":1,"line":"a1a8"}],"knodes":1000,"depth":44},
                {"pvs":[{"cp":7}],"knodes":10,"depth":44}]"#,
        );
        let row = row.expect("a row");
        assert_eq!(row.label(), Label::Mate { winner: Color::Black, distance: 3 });
        assert_eq!((row.best_move(), row.best_move_rank().is_some()), (BestMove::Quiet, true));
        assert_eq!(row.to_fen(), format!("{FEN} 0 1"));
        let row = parse(r#"[{"pvs":[{"cp":-12,"line":"a1a8"}],"depth":2}]"#).expect("a row");
        assert_eq!((row.label(), row.best_move()), (Label::Centipawns(-12), BestMove::Noisy));
    }

    #[test]
    fn a_mate_in_0_mates_the_side_to_move() {
        let line = br#"{"fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", "evals": [{"pvs": [{"mate": 0, "line": ""}], "depth": 0}]}"#;
        let row = parse_lichess(line).expect("a row");
        assert_eq!(row.label(), Label::Mate { winner: Color::Black, distance: 0 });
    }

    #[test]
    fn faults_are_told() {
        for (evals, part) in [
            ("[]", "expected evals with cp or mate"),
            (r#"[{"pvs":[],"depth":3}]"#, "expected evals with cp or mate"),
            (r#"[{"pvs":[{"line":"a1a8"}],"depth":3}]"#, "expected evals with cp or mate"),
            (r#"[{"pvs":[{"cp":3,"line":"a1h8"}],"depth":3}]"#, "move 'a1h8' is not legal"),
            ("[", "expected a JSON object with fen and evals"),
        ] {
            let problem = parse(evals).expect_err(evals);
            assert!(problem.starts_with(part), "{problem}");
        }
        let line = br#"{"fen":"8/8/8/8/8/8/8/8 w - -","evals":[]}"#;
        assert!(parse_lichess(line).expect_err("none").to_string().starts_with("illegal FEN"));
    }
}
