//! Positions to start games from: random moves from the beginning or from a book, kept if neither side is lost.
//!
//! `starts` is what every maker of openings shares: the walk, and the search for one that a judge accepts; [`generate`]
//! serves servers that ask this engine for openings (`OpenBench`'s `genfens`). Everything follows from a seed. Prints nothing.

mod starts;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::files::name_of_bytes;
use alfiere_chess::openings::{OpeningError, OpeningList, read_openings};
use alfiere_chess::random::Random;
use thiserror::Error;

use crate::engine::{Engine, Position};
use crate::search::{Limits, Silent};

pub use starts::{PliesError, PlyRange, StartPositions, is_balanced};

/// Number of consecutive duplicates after which no more openings are expected.
const MAX_REPEATED: u32 = 5_000;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub count: u64,
    pub seed: u64,
    /// Where they start; `None` for the beginning of a game.
    pub book: Option<PathBuf>,
    /// Number of random plies; by default 8 or 9, and 2 to 5 from a book.
    pub plies: Option<PlyRange>,
    /// Maximum absolute score of an opening, in internal units.
    pub max_centipawns: i32,
    pub nodes: u64,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum GenfensError {
    #[error("genfens: {found}; expected genfens N seed S book None|FILE [plies=6-9] [max-cp=300] [nodes=1000]")]
    Request { found: String },
    #[error("genfens: {0}")]
    PlyRange(#[from] PliesError),
    #[error(transparent)]
    Book(#[from] OpeningError),
    #[error("only {found} of {wanted} openings were found; ask for more random plies or a larger book")]
    TooFew { found: u64, wanted: u64 },
    #[error("cannot spawn the search thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl Request {
    /// Reads the words that follow `genfens`. A last word `quit` is the next command and says nothing.
    ///
    /// # Errors
    /// If a word is missing or cannot be read.
    pub fn parse(words: &[impl AsRef<OsStr>]) -> Result<Self, GenfensError> {
        let wrong = |found: String| GenfensError::Request { found };
        let mut words = words.iter().map(AsRef::as_ref);
        let count = words.next().ok_or_else(|| wrong("no number".to_owned()))?.to_string_lossy();
        let count = count.parse().map_err(|_| wrong(format!("number \"{count}\"")))?;
        let mut request = Self { count, seed: 0, book: None, plies: None, max_centipawns: 300, nodes: 1_000 };
        while let Some(word) = words.next() {
            let (text, bytes) = (word.display(), word.as_encoded_bytes());
            let (key, name) = match bytes.iter().position(|&byte| byte == b'=') {
                Some(at) => (&bytes[..at], name_of_bytes(&bytes[at + 1..])),
                None if matches!(bytes, b"seed" | b"book") => {
                    (bytes, words.next().ok_or_else(|| wrong(format!("nothing after \"{text}\"")))?.to_owned())
                }
                None if word == "quit" => break,
                None => return Err(wrong(format!("\"{text}\""))),
            };
            let (key, value) = (String::from_utf8_lossy(key), name.to_string_lossy());
            let bad = |_| wrong(format!("{key} \"{value}\""));
            match &*key {
                "seed" => request.seed = value.parse().map_err(bad)?,
                "book" => request.book = (!value.eq_ignore_ascii_case("none")).then(|| PathBuf::from(&name)),
                "plies" => request.plies = Some(value.parse()?),
                "max-cp" => request.max_centipawns = value.parse().map_err(bad)?,
                "nodes" => request.nodes = value.parse().map_err(bad)?,
                _ => return Err(wrong(format!("\"{text}\""))),
            }
        }
        Ok(request)
    }
}

/// Calls `emit` with `count` different positions, each balanced by a short search. Returns a sentence about the games of the
/// book that cannot be read, if there are any.
///
/// # Errors
/// If the book cannot be used, or holds too few openings.
pub fn generate(request: &Request, mut emit: impl FnMut(&Board)) -> Result<Option<String>, GenfensError> {
    let book = request.book.as_deref().map(|path: &Path| read_openings(path)).transpose()?;
    let usual = if book.is_some() { PlyRange { min: 2, max: 5 } } else { PlyRange { min: 8, max: 9 } };
    let OpeningList { openings, remark } = book.unwrap_or_default();
    let starts = StartPositions::new(openings, request.plies.unwrap_or(usual));
    let limits = Limits::soft_nodes(request.nodes, 8 * request.nodes);
    let mut engine = Engine::new();
    let mut judge = |board: &Board| -> std::io::Result<Option<()>> {
        engine.new_game();
        engine.set_position(Position::new(board.clone()));
        let score = engine.search(&limits, &mut Silent)?.score;
        Ok(is_balanced(score, request.max_centipawns).then_some(()))
    };
    let mut seen = HashSet::new();
    let (mut found, mut repeated) = (0, 0);
    let mut part = 0;
    while found < request.count {
        let mut random = Random::for_part(request.seed, part);
        part += 1;
        let place = random.next_number();
        let start = starts.find(place, &mut random, &mut judge)?;
        match start {
            Some((board, ())) if seen.insert(board.key()) => {
                (found, repeated) = (found + 1, 0);
                emit(&board);
            }
            _ => repeated += 1,
        }
        // A failure stands for many walks, so a book without balanced openings is given up early.
        if repeated >= MAX_REPEATED || (found == 0 && repeated >= 100) {
            return Err(GenfensError::TooFew { found, wanted: request.count });
        }
    }
    Ok(remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fens(words: &str) -> Result<Vec<String>, GenfensError> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut fens = Vec::new();
        generate(&Request::parse(&words)?, |board| fens.push(board.to_fen()))?;
        Ok(fens)
    }

    #[test]
    fn requests_are_read_as_they_are_sent() {
        let request = Request::parse(&["12", "seed", "9", "book", "None", "plies=4-5", "max-cp=90"]).expect("sound");
        let expected = Request {
            count: 12,
            seed: 9,
            book: None,
            plies: Some(PlyRange { min: 4, max: 5 }),
            max_centipawns: 90,
            nodes: 1_000,
        };
        assert_eq!(request, expected);
        let request = Request::parse(&["1", "seed", "9", "book", "Books/x.epd", "quit"]).expect("sound");
        assert_eq!(request.book, Some(PathBuf::from("Books/x.epd")));
        for (words, part) in
            [("", "no number"), ("x", "\"x\""), ("1 seed", "nothing after"), ("1 seed -1", "seed"), ("1 a=b", "a=b")]
        {
            let words: Vec<&str> = words.split_whitespace().collect();
            let error = Request::parse(&words).expect_err(part).to_string();
            assert!(error.contains(part) && error.contains("expected genfens N seed S"), "{error}");
        }
    }

    #[test]
    fn openings_follow_from_the_seed_and_differ() {
        let ten = fens("10 seed 3 book None nodes=200").expect("found");
        assert_eq!(ten, fens("10 seed 3 book None nodes=200").expect("found"));
        assert_eq!(ten[..4], fens("4 seed 3 book None nodes=200").expect("found"));
        let other = fens("10 seed 4 book None nodes=200").expect("found");
        assert_eq!(ten.iter().chain(&other).collect::<HashSet<_>>().len(), 20);
    }

    #[test]
    fn where_there_are_too_few_it_says_so() {
        // Twenty first moves, and none of them loses.
        assert_eq!(fens("20 seed 1 book None plies=1 nodes=50").expect("all").len(), 20);
        let error = fens("21 seed 1 book None plies=1 nodes=50").expect_err("too many").to_string();
        assert!(error.starts_with("only 20 of 21 openings"), "{error}");
    }
}
