//! A PGN reader: tags, start position, main line with glyphs and comments, and the result of each game.
//!
//! Variations are skipped. After an invalid game, [`read_each`] reports it as a fault and continues with the next, and
//! [`read_games`] stops.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use thiserror::Error;

use crate::board::{Board, FenError};
use crate::files::{SourceError, open_counted};
use crate::game::{GameResult, ReportedScore};
use crate::movegen::{MoveError, parse_san};
use crate::pgn::comment::read_score;
use crate::pgn::tokens::{Token, Tokenizer};
use crate::types::{Color, Move};

/// Why a game cannot be read.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// The FEN tag is invalid.
    #[error("FEN tag: {0}")]
    Start(#[from] FenError),
    /// A move is invalid.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A comment or variation is not closed.
    #[error("a comment or variation is not closed")]
    Open,
    /// The file cannot be read or decompressed.
    #[error("{0}")]
    Read(#[from] std::io::Error),
}

/// An invalid game in a file, or an I/O error.
#[derive(Debug, Error)]
#[error("{}, line {line}: {problem}", path.display())]
pub struct PgnError {
    /// The file.
    pub path: PathBuf,
    /// The line of the move or tag, or of the I/O error; from 1.
    pub line: usize,
    /// The reason.
    pub problem: PgnProblem,
}

impl PgnError {
    /// Returns a function that adds the path to an error of [`read_games`] or [`read_each`].
    pub fn in_file(path: &Path) -> impl FnOnce((usize, PgnProblem)) -> Self {
        |(line, problem)| Self { path: path.to_owned(), line, problem }
    }
}

/// A game that cannot be read.
#[derive(Debug)]
pub struct PgnFault {
    /// The line number, from 1.
    pub line: usize,
    /// The game's tags read so far.
    pub tags: Vec<(String, String)>,
    /// The reason.
    pub problem: PgnProblem,
}

impl PgnFault {
    /// Describes the fault in one sentence: file, line, players and reason.
    pub fn sentence(&self, path: &Path) -> String {
        let players = match (tag(&self.tags, "White"), tag(&self.tags, "Black")) {
            (Some(white), Some(black)) => format!(" ({white} against {black})"),
            _ => String::new(),
        };
        format!("{}, line {}{players}: {}", path.display(), self.line, self.problem)
    }
}

/// A game as written in the file.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Tag names and values, in order.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Board,
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// The main line.
    pub moves: Vec<PgnMove>,
    /// The result, if given.
    pub result: Option<GameResult>,
    /// Whether the game has variations, which are skipped.
    pub had_variations: bool,
}

/// A move of the main line.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The player's score, from the first comment after the move.
    pub reported_score: Option<ReportedScore>,
    /// Numeric annotation glyphs, including those written as `!` and `?`.
    pub glyphs: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
}

impl PgnGame {
    fn new() -> Self {
        Self {
            tags: Vec::new(),
            start: Board::startpos(),
            preface: Vec::new(),
            moves: Vec::new(),
            result: None,
            had_variations: false,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }
}

/// The value of the tag with this name.
pub fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// Calls `each` with every game when it is complete. Games with neither a FEN tag nor a move are skipped. Invalid UTF-8
/// becomes replacement characters, because old PGN files are often Latin-1.
///
/// # Errors
/// The line number, from 1, and the reason; `each` has received the games before it.
pub fn read_games(input: impl BufRead, mut each: impl FnMut(PgnGame)) -> Result<(), (usize, PgnProblem)> {
    let mut fault = None;
    read_each(input, |game| {
        match game {
            Ok(game) if game.moves.is_empty() && game.tag("FEN").is_none() => {}
            Ok(game) => each(game),
            Err(found) => {
                fault = Some((found.line, found.problem));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    fault.map_or(Ok(()), Err)
}

/// Calls `each` with every game in order, invalid ones as faults, until it returns `Break`.
///
/// # Errors
/// The line number and the reason if an I/O error occurs.
pub fn read_each(
    mut input: impl BufRead,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> Result<(), (usize, PgnProblem)> {
    let mut tokenizer = Tokenizer::default();
    let mut reader = Reader { each, line: 0, partial_game: None, variations: 0 };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(|error| (tokenizer.line() + 1, error.into()))?;
        if length == 0 {
            break;
        }
        if tokenizer.read_line(&String::from_utf8_lossy(&bytes), |line, token| reader.take(line, token)).is_break() {
            return Ok(());
        }
    }
    reader.line = tokenizer.line();
    // These are of the last game: `Break` makes no difference.
    tokenizer.finish(|line, token| {
        let _ = reader.take(line, token);
    });
    let _ = reader.finish_game(None);
    Ok(())
}

/// The game being read.
struct PartialGame {
    game: PgnGame,
    /// Names of its tags: a second one of a name begins another game.
    tag_names: HashSet<String>,
    board: Board,
    /// The first error, after which the rest of the game is ignored.
    fault: Option<(usize, PgnProblem)>,
}

struct Reader<F> {
    each: F,
    /// The line of the last token.
    line: usize,
    partial_game: Option<PartialGame>,
    /// The number of open variations.
    variations: u32,
}

impl<F: FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>> Reader<F> {
    fn partial_game(&mut self) -> &mut PartialGame {
        self.partial_game.get_or_insert_with(|| PartialGame {
            game: PgnGame::new(),
            tag_names: HashSet::new(),
            board: Board::startpos(),
            fault: None,
        })
    }

    fn fail(&mut self, problem: impl Into<PgnProblem>) {
        let line = self.line;
        self.partial_game().fault.get_or_insert((line, problem.into()));
    }

    fn take(&mut self, line: usize, token: Token<'_>) -> ControlFlow<()> {
        self.line = line;
        match token {
            Token::Tag(name, value) => return self.take_tag(name, value),
            Token::OpenComment(_) => {
                self.fail(PgnProblem::Open);
                return self.finish_game(None);
            }
            Token::VariationStart => {
                self.variations += 1;
                self.partial_game().game.had_variations = true;
            }
            Token::VariationEnd => self.variations = self.variations.saturating_sub(1),
            _ if self.variations > 0 => {}
            Token::Comment(text) => self.take_comment(text),
            Token::Move(text) => self.take_move(text),
            Token::Glyph(glyph) => {
                let PartialGame { game, fault, .. } = self.partial_game();
                if let (Some(played), None) = (game.moves.last_mut(), fault) {
                    played.glyphs.push(glyph);
                }
            }
            Token::Result(text) => {
                return self.finish_game(match text {
                    "1-0" => Some(GameResult::Win(Color::White)),
                    "0-1" => Some(GameResult::Win(Color::Black)),
                    "1/2-1/2" => Some(GameResult::Draw),
                    _ => None,
                });
            }
        }
        ControlFlow::Continue(())
    }

    fn take_tag(&mut self, name: &str, value: String) -> ControlFlow<()> {
        let begins_another =
            self.partial_game.as_ref().is_some_and(|PartialGame { game, tag_names, fault, .. }| {
                let ended = matches!(fault, Some((_, problem)) if !matches!(problem, PgnProblem::Start(_)));
                !game.moves.is_empty() || ended || tag_names.contains(name)
            });
        if begins_another || self.variations > 0 {
            self.finish_game(None)?;
        }
        if name == "FEN" {
            match Board::from_fen(&value) {
                Ok(start) => {
                    let partial_game = self.partial_game();
                    partial_game.board = start.clone();
                    partial_game.game.start = start;
                }
                Err(error) => self.fail(error),
            }
        }
        let partial_game = self.partial_game();
        partial_game.tag_names.insert(name.to_owned());
        partial_game.game.tags.push((name.to_owned(), value));
        ControlFlow::Continue(())
    }

    fn take_comment(&mut self, text: String) {
        let Some(PartialGame { game, .. }) = &mut self.partial_game else { return };
        match game.moves.last_mut() {
            Some(played) => {
                if played.comments.is_empty() {
                    played.reported_score = read_score(&text);
                }
                played.comments.push(text);
            }
            None => game.preface.push(text),
        }
    }

    fn take_move(&mut self, text: &str) {
        let line = self.line;
        let PartialGame { game, board, fault, .. } = self.partial_game();
        if fault.is_some() {
            return;
        }
        match parse_san(board, text) {
            Ok(mv) => {
                game.moves.push(PgnMove { mv, reported_score: None, glyphs: Vec::new(), comments: Vec::new() });
                board.play(mv);
            }
            Err(error) => *fault = Some((line, error.into())),
        }
    }

    fn finish_game(&mut self, result: Option<GameResult>) -> ControlFlow<()> {
        if std::mem::take(&mut self.variations) > 0 {
            self.fail(PgnProblem::Open);
        }
        match self.partial_game.take() {
            None => ControlFlow::Continue(()),
            Some(PartialGame { game, fault: Some((line, problem)), .. }) => {
                (self.each)(Err(PgnFault { line, tags: game.tags, problem }))
            }
            Some(PartialGame { game, fault: None, .. }) => (self.each)(Ok(PgnGame { result, ..game })),
        }
    }
}

/// Why the games of a file cannot be read.
#[derive(Debug, Error)]
pub enum PgnFileError {
    /// The file cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file cannot be read to its end.
    #[error(transparent)]
    Pgn(#[from] PgnError),
}

/// Calls `each` with every game of a file in order, invalid ones as faults, until it returns `Break`. `compressed_bytes` is
/// increased by the number of bytes read from the file, before decompression.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn read_file(
    path: &Path,
    compressed_bytes: &Arc<AtomicU64>,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> Result<(), PgnFileError> {
    let input = BufReader::new(open_counted(path, compressed_bytes)?);
    Ok(read_each(input, each).map_err(PgnError::in_file(path))?)
}

#[cfg(test)]
mod tests;
