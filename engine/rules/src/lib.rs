#![doc = include_str!("../README.md")]
//!
//! # Questions
//!
//! | question | answer |
//! |---|---|
//! | `{"ask": "line", "fen": F, "moves": [...]}` | the start, each move, and the legal moves and end of the game after them |
//! | `{"ask": "game", "pgn": TEXT, "index": N}` | the titles of all games of a PGN, and game N (from 0) with its variations |
//!
//! `fen` defaults to the initial position, moves are UCI or SAN. The answers are [`Line`] and [`Games`]. What cannot be
//! answered becomes `{"error": "one sentence"}`.

mod games;
mod line;
#[cfg(target_family = "wasm")]
mod wasm;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use games::{Games, Node};
pub use line::{End, Line, Placement, Ply, side_name, write_move};

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
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
}

/// Answers a question, both as JSON.
pub fn answer(question: &str) -> String {
    match serde_json::from_str(question) {
        Ok(Question::Line { fen, moves }) => write(Line::new(fen.as_deref(), &moves)),
        Ok(Question::Game { pgn, index }) => write(Games::read(&pgn, index)),
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
            (r#"{"ask": "game", "pgn": "1. e4 e5 2. Ke3"}"#, "line 1: 'Ke3' is not legal"),
        ] {
            let answer: Value = serde_json::from_str(&answer(question)).expect("JSON");
            let error = answer["error"].as_str().expect("an error");
            assert!(error.contains(words), "{question}: {error}");
        }
    }
}
