//! A PGN reader: tags, start position, main line with glyphs and comments, and the result of each game.
//!
//! Variations are skipped. After an invalid game, [`read_each`] reports it as a fault and continues with the next, and
//! [`read_games`] stops.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Board, FenError};
use crate::game::{GameResult, ReportedScore};
use crate::movegen::{MoveError, parse_san};
use crate::pgn::comment::read_score;
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
    let mut reader = Reader::new(each);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(|error| (reader.line + 1, error.into()))?;
        if length == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches('\n').trim_end_matches('\r').trim_start_matches('\u{feff}');
        // Old files end lines with a carriage return alone.
        for line in text.split('\r') {
            reader.line += 1;
            if reader.read_line(&without_controls(line)).is_break() {
                return Ok(());
            }
        }
    }
    // This was the last game: `Break` makes no difference.
    let _ = reader.finish_game(None);
    Ok(())
}

/// The line with spaces for control characters, which would reach terminals and make pictures malformed.
fn without_controls(line: &str) -> Cow<'_, str> {
    if line.contains(char::is_control) { line.replace(char::is_control, " ").into() } else { line.into() }
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
    line: usize,
    partial_game: Option<PartialGame>,
    is_in_comment: bool,
    /// Text of the open comment.
    comment: String,
    variations: u32,
}

impl<F: FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>> Reader<F> {
    fn new(each: F) -> Self {
        Self { each, line: 0, partial_game: None, is_in_comment: false, comment: String::new(), variations: 0 }
    }

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

    fn read_line(&mut self, line: &str) -> ControlFlow<()> {
        if line.starts_with('%') {
            return ControlFlow::Continue(());
        }
        // An unclosed comment ends at the first line that is certainly the start of a game.
        if line.starts_with("[Event \"") || !self.is_in_comment && line.trim_start().starts_with('[') {
            return self.read_tags(line.trim());
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            if self.is_in_comment {
                let Some((text, after)) = rest.split_once('}') else {
                    self.comment.push_str(rest);
                    self.comment.push(' ');
                    return ControlFlow::Continue(());
                };
                self.comment.push_str(text);
                self.finish_comment();
                rest = after;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{};()".contains(c)).unwrap_or(rest.len());
            if end > 0 {
                self.read_word(&rest[..end])?;
                rest = &rest[end..];
                continue;
            }
            match first {
                '{' => self.is_in_comment = true,
                ';' => {
                    self.comment.push_str(&rest[1..]);
                    self.finish_comment();
                    return ControlFlow::Continue(());
                }
                '(' => {
                    self.variations += 1;
                    self.partial_game().game.had_variations = true;
                }
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
            rest = &rest[first.len_utf8()..];
        }
        ControlFlow::Continue(())
    }

    fn finish_comment(&mut self) {
        self.is_in_comment = false;
        let text = std::mem::take(&mut self.comment);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.variations > 0 || text.is_empty() {
            return;
        }
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

    fn read_tags(&mut self, line: &str) -> ControlFlow<()> {
        for (name, value) in tags_of(line) {
            let begins_another =
                self.partial_game.as_ref().is_some_and(|PartialGame { game, tag_names, fault, .. }| {
                    let ended = matches!(fault, Some((_, problem)) if !matches!(problem, PgnProblem::Start(_)));
                    !game.moves.is_empty() || ended || tag_names.contains(&name)
                });
            if begins_another || self.is_in_comment || self.variations > 0 {
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
            partial_game.tag_names.insert(name.clone());
            partial_game.game.tags.push((name, value));
        }
        ControlFlow::Continue(())
    }

    fn read_word(&mut self, word: &str) -> ControlFlow<()> {
        if self.variations > 0 {
            return ControlFlow::Continue(());
        }
        let result = match word {
            "1-0" => Some(GameResult::Win(Color::White)),
            "0-1" => Some(GameResult::Win(Color::Black)),
            "1/2-1/2" => Some(GameResult::Draw),
            _ => None,
        };
        if result.is_some() || word == "*" {
            return self.finish_game(result);
        }
        let line = self.line;
        let PartialGame { game, board, fault, .. } = self.partial_game();
        if fault.is_some() {
            return ControlFlow::Continue(());
        }
        // "12.", "12...", and "12.e4" without a space.
        let mv = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let mv = if mv.is_empty() || mv.starts_with('.') { mv.trim_start_matches('.') } else { word };
        let bare = mv.trim_end_matches(['!', '?']);
        let glyph = match word.strip_prefix('$') {
            Some(number) => number.parse().ok(),
            None => glyph_of(&mv[bare.len()..]),
        };
        if !bare.is_empty() && !word.starts_with('$') {
            match parse_san(board, bare) {
                Ok(mv) => {
                    game.moves.push(PgnMove { mv, reported_score: None, glyphs: Vec::new(), comments: Vec::new() });
                    board.play(mv);
                }
                Err(error) => *fault = Some((line, error.into())),
            }
        }
        if let (Some(glyph), Some(played)) = (glyph, game.moves.last_mut()) {
            played.glyphs.push(glyph);
        }
        ControlFlow::Continue(())
    }

    fn finish_game(&mut self, result: Option<GameResult>) -> ControlFlow<()> {
        if self.is_in_comment || self.variations > 0 {
            self.fail(PgnProblem::Open);
        }
        (self.is_in_comment, self.variations) = (false, 0);
        self.comment.clear();
        match self.partial_game.take() {
            None => ControlFlow::Continue(()),
            Some(PartialGame { game, fault: Some((line, problem)), .. }) => {
                (self.each)(Err(PgnFault { line, tags: game.tags, problem }))
            }
            Some(PartialGame { game, fault: None, .. }) => (self.each)(Ok(PgnGame { result, ..game })),
        }
    }
}

/// The number of a glyph written as a move suffix, such as 1 for `!`.
pub fn glyph_of(signs: &str) -> Option<u8> {
    ["!", "?", "!!", "??", "!?", "?!"].iter().position(|&known| known == signs).map(|place| place as u8 + 1)
}

/// The tags in a line, `[Name "value"]`; other text is skipped.
fn tags_of(mut line: &str) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    while let Some((name, rest)) = line.trim_start().strip_prefix('[').and_then(|tag| tag.split_once('"')) {
        let mut value = String::new();
        let mut letters = rest.char_indices();
        let end = loop {
            match letters.next() {
                Some((place, '"')) => break place + 1,
                Some((_, '\\')) => value.extend(letters.next().map(|(_, letter)| letter)),
                Some((_, letter)) => value.push(letter),
                None => break rest.len(),
            }
        };
        tags.push((name.trim().to_owned(), value));
        line = rest[end..].trim_start().trim_start_matches(']');
    }
    tags
}

#[cfg(test)]
mod tests;
