#![doc = include_str!("../README.md")]
//!
//! # Questions
//!
//! | question | answer |
//! |---|---|
//! | `{"ask": "line", "fen": F, "moves": [...]}` | the start, each move, and the legal moves and end of the game after them |
//! | `{"ask": "games", "pgn": TEXT}` | the tags of the games of a PGN, and their lines |
//! | `{"ask": "game", "pgn": TEXT, "number": N}` | the game N (0 by default) of a PGN, with its variations |
//! | `{"ask": "moves", "pgn": TEXT}` | the main lines of the games of a PGN, with a hash of each position |
//! | `{"ask": "review", "fen": F, "moves": [...], "positions": [...]}` | what each move lost, and both sides' accuracy |
//!
//! `fen` defaults to the initial position, moves are UCI or SAN; those of a review are UCI. Its positions, one more than
//! moves, are `{"cp": N, "expected_score": P, "best": UCI}` or with `mate` in place of `cp`, from White's point of view.
//! The answers are [`PlayedLine`], [`GameList`], [`GameTree`], [`MovesOfGames`] and [`Review`]. What cannot be answered becomes
//! `{"error": "one sentence"}`. Lists and games have limits, so that a question takes memory in proportion to its length.

mod game;
mod line;
mod moves;
mod review;
#[cfg(target_family = "wasm")]
mod wasm;

use std::fmt;
use std::marker::PhantomData;

use alfiere_chess::game::LONGEST_GAME;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::review::PositionEvaluation;

pub use game::{GameList, GamePlace, GameTree, TreeMove};
pub use line::{End, Placement, PlayedLine, Ply};
pub use moves::{GameMoves, MovesOfGames};
pub use review::{Review, ReviewError, ReviewedMove, SideSummary};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ask {
    Line,
    Games,
    Game,
    Moves,
    Review,
}

/// The fields of all questions. An enum with a tag would first hold all of them in memory.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    ask: Ask,
    fen: Option<String>,
    moves: Option<List<String>>,
    pgn: Option<String>,
    number: Option<usize>,
    positions: Option<List<PositionEvaluation>>,
}

/// Answers a question, both as JSON.
pub fn answer(question: &str) -> String {
    let Question { ask, fen, moves, pgn, number, positions } = match serde_json::from_str(question) {
        Ok(question) => question,
        Err(error) => return error_of(format!("the question's JSON: {error}")),
    };
    match (ask, moves, pgn, number, positions) {
        (Ask::Line, moves, None, None, None) => {
            write(PlayedLine::new(fen.as_deref(), moves.as_ref().map_or(&[], |List(moves)| moves)))
        }
        (Ask::Games, None, Some(pgn), None, None) if fen.is_none() => write(Ok::<_, String>(GameList::new(&pgn))),
        (Ask::Moves, None, Some(pgn), None, None) if fen.is_none() => write(Ok::<_, String>(MovesOfGames::new(&pgn))),
        (Ask::Game, None, Some(pgn), number, None) if fen.is_none() => write(GameTree::read(&pgn, number.unwrap_or(0))),
        (Ask::Review, Some(List(moves)), None, None, Some(List(positions))) => {
            write(Review::new(fen.as_deref(), &moves, &positions))
        }
        _ => error_of(
            "the question's fields, expected those of its kind: fen and moves; pgn; pgn and number; fen, moves and positions",
        ),
    }
}

fn write(answer: Result<impl Serialize, impl ToString>) -> String {
    let text = match answer {
        Ok(answer) => serde_json::to_string(&answer).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    text.unwrap_or_else(error_of)
}

fn error_of(sentence: impl Into<String>) -> String {
    json!({ "error": sentence.into() }).to_string()
}

/// Maximum number of elements: the positions of the longest game.
const MAX_ELEMENTS: usize = LONGEST_GAME + 1;

/// A list of at most [`MAX_ELEMENTS`].
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX_ELEMENTS} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<List<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            if list.len() == MAX_ELEMENTS {
                return Err(A::Error::custom(format_args!("a list of more than {MAX_ELEMENTS} elements")));
            }
            list.push(element);
        }
        Ok(List(list))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn questions_that_cannot_be_answered_get_a_sentence() {
        for (question, words) in [
            ("", "JSON"),
            (r#"{"ask": "nothing"}"#, "nothing"),
            (r#"{"ask": "line", "pgn": "1. e4"}"#, "expected those of its kind"),
            (r#"{"ask": "line", "title": ""}"#, "unknown field `title`"),
            (&format!(r#"{{"ask": "line", "moves": [{}""]}}"#, r#""","#.repeat(17_698)), "more than 17698 elements"),
            (
                &json!({"ask": "game", "pgn": "e4 ".to_owned() + &"{a}".repeat(400_000)}).to_string(),
                "more than 400000 tags, moves and comments",
            ),
            (&json!({"ask": "game", "pgn": "Nf3 Nf6 Ng1 Ng8 ".repeat(12_501)}).to_string(), "more than 50000 moves"),
            (r#"{"ask": "line", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}"#, "White has 0 kings"),
            (r#"{"ask": "review", "moves": ["e2e4"], "positions": []}"#, "0 positions for 1 moves, expected 2"),
            (r#"{"ask": "game", "pgn": "1. e4 e5 2. Ke3"}"#, "line 1: 2. Ke3: no such move"),
        ] {
            let answer: Value = serde_json::from_str(&answer(question)).expect("JSON");
            let error = answer["error"].as_str().expect("an error");
            assert!(error.contains(words), "{question:.80}: {error}");
        }
    }
}
