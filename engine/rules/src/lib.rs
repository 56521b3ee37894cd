#![doc = include_str!("../README.md")]
//!
//! # Questions
//!
//! | question | answer |
//! |---|---|
//! | `{"ask": "line", "fen": F, "moves": [...]}` | the start, each move, and the legal moves and end of the game after them |
//! | `{"ask": "game", "pgn": TEXT, "index": N}` | the titles of all games of a PGN, and game N (from 0) with its variations |
//! | `{"ask": "review", "fen": F, "moves": [...], "positions": [...]}` | what each move lost, and both sides' accuracy |
//! | `{"ask": "expected_scores", "centipawns": [...]}` | White's expected score at each of these evaluations |
//!
//! `fen` defaults to the initial position, moves are UCI or SAN; those of a review are UCI. Its positions, one more than
//! moves, are `{"cp": N, "expected_score": P, "best": UCI}` or with `mate` in place of `cp`, from White's point of view.
//! The answers are [`Line`], [`Games`], [`Review`] and [`ExpectedScores`]. What cannot be answered becomes
//! `{"error": "one sentence"}`.

mod games;
mod line;
mod review;
#[cfg(target_family = "wasm")]
mod wasm;

use serde::{Deserialize, Serialize};
use serde_json::json;

use self::review::PositionEvaluation;
pub use games::{Games, Node};
pub use line::{End, Line, Placement, Ply, side_name, write_move};
pub use review::{ExpectedScores, Review, ReviewError, ReviewedMove, SideSummary};

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    Line {
        fen: Option<String>,
        #[serde(default)]
        moves: Vec<String>,
    },
    Game {
        pgn: String,
        #[serde(default)]
        index: usize,
    },
    Review {
        fen: Option<String>,
        moves: Vec<String>,
        positions: Vec<PositionEvaluation>,
    },
    ExpectedScores {
        centipawns: Vec<i32>,
    },
}

/// Answers a question, both as JSON.
pub fn answer(question: &str) -> String {
    match serde_json::from_str(question) {
        Ok(Question::Line { fen, moves }) => write(Line::new(fen.as_deref(), &moves)),
        Ok(Question::Game { pgn, index }) => write(Games::read(&pgn, index)),
        Ok(Question::Review { fen, moves, positions }) => write(Review::new(fen.as_deref(), &moves, &positions)),
        Ok(Question::ExpectedScores { centipawns }) => write(Ok::<_, String>(ExpectedScores::new(&centipawns))),
        Err(error) => json!({"error": format!("the question's JSON: {error}")}).to_string(),
    }
}

fn write(answer: Result<impl Serialize, impl ToString>) -> String {
    let text = match answer {
        Ok(answer) => serde_json::to_string(&answer).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    text.unwrap_or_else(|error| json!({ "error": error }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn questions_that_cannot_be_answered_get_a_sentence() {
        for (question, words) in [
            ("", "JSON"),
            (r#"{"ask": "nothing"}"#, "nothing"),
            (r#"{"ask": "line", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}"#, "White has 0 kings"),
            (r#"{"ask": "review", "moves": ["e2e4"], "positions": []}"#, "0 positions for 1 moves, expected 2"),
            (r#"{"ask": "game", "pgn": "1. e4 e5 2. Ke3"}"#, "line 1: 2. Ke3: no such move"),
        ] {
            let answer: Value = serde_json::from_str(&answer(question)).expect("JSON");
            let error = answer["error"].as_str().expect("an error");
            assert!(error.contains(words), "{question}: {error}");
        }
    }
}
