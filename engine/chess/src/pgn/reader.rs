//! Games in PGN, one after the other: tags, start position, main line with its glyphs and comments, the result.
//!
//! Variations are passed over. A game that cannot be read costs that game alone: [`read_each`] hands it over as a fault and
//! goes on with the next, [`read_games`] ends there.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Board, FenError};
use crate::game::{GameResult, Opinion};
use crate::movegen::{MoveError, parse_san};
use crate::pgn::comment::read_opinion;
use crate::types::{Color, Move};

/// Why a game cannot be read.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// Its FEN tag is refused.
    #[error("FEN tag: {0}")]
    Start(#[from] FenError),
    /// A move is refused.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A comment or variation has no end.
    #[error("a comment or variation is not closed")]
    Open,
    /// The file cannot be read or unpacked any further.
    #[error("{0}")]
    Read(#[from] std::io::Error),
}

/// A file that cannot be used because of a game in it, or not be read to its end.
#[derive(Debug, Error)]
#[error("{}, line {line}: {problem}", path.display())]
pub struct PgnError {
    /// The file.
    pub path: PathBuf,
    /// The line of the move or tag, or where the file stops; from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: PgnProblem,
}

impl PgnError {
    /// Makes errors of what [`read_games`] and [`read_each`] found wrong in this file.
    pub fn in_file(path: &Path) -> impl FnOnce((usize, PgnProblem)) -> Self {
        |(line, problem)| Self { path: path.to_owned(), line, problem }
    }
}

/// A game that could not be read, and where.
#[derive(Debug)]
pub struct PgnFault {
    /// The line, from 1.
    pub line: usize,
    /// The game's tags, as far as they were read.
    pub tags: Vec<(String, String)>,
    /// What is wrong there.
    pub problem: PgnProblem,
}

impl PgnFault {
    /// One sentence: file, line, who plays, what is wrong.
    pub fn sentence(&self, path: &Path) -> String {
        let players = match (tag(&self.tags, "White"), tag(&self.tags, "Black")) {
            (Some(white), Some(black)) => format!(" ({white} against {black})"),
            _ => String::new(),
        };
        format!("{}, line {}{players}: {}", path.display(), self.line, self.problem)
    }
}

/// A game as it was written.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its tags in their order, names and values.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Board,
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// Its main line.
    pub moves: Vec<PgnMove>,
    /// How it ended, if it says so.
    pub result: Option<GameResult>,
    /// Whether it has variations, which are not here.
    pub had_variations: bool,
}

/// A move of the main line.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// What its player thought of it, from the first comment after it.
    pub opinion: Option<Opinion>,
    /// Numeric annotation glyphs, those written as `!` and `?` among them.
    pub glyphs: Vec<u8>,
    /// Comments after it.
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

/// Hands over all games, each when it is complete; one that has neither a FEN tag nor a move is passed over. Bytes that
/// are no UTF-8 become replacement characters, as old files need it.
///
/// # Errors
/// The line, from 1, and what is wrong there; games before it have been handed over.
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

/// Hands over all games in their order, those that cannot be read as faults, until told to end.
///
/// # Errors
/// If the file itself cannot be read any further: the line, and what the system says.
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
    // Whoever listens has all games now, whether or not there was to be a next one.
    let _ = reader.finish_game(None);
    Ok(())
}

/// The line with spaces for control characters, which would reach terminals and make pictures malformed.
fn without_controls(line: &str) -> Cow<'_, str> {
    if line.contains(char::is_control) { line.replace(char::is_control, " ").into() } else { line.into() }
}

/// The game that is being read.
struct Draft {
    game: PgnGame,
    /// Names of its tags: a second one of a name begins another game.
    tag_names: HashSet<String>,
    board: Board,
    /// What made the rest of it unreadable.
    fault: Option<(usize, PgnProblem)>,
}

struct Reader<F> {
    each: F,
    line: usize,
    draft: Option<Draft>,
    is_in_comment: bool,
    /// Its text so far, while one is open.
    comment: String,
    variations: u32,
}

impl<F: FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>> Reader<F> {
    fn new(each: F) -> Self {
        Self { each, line: 0, draft: None, is_in_comment: false, comment: String::new(), variations: 0 }
    }

    fn draft(&mut self) -> &mut Draft {
        self.draft.get_or_insert_with(|| Draft {
            game: PgnGame::new(),
            tag_names: HashSet::new(),
            board: Board::startpos(),
            fault: None,
        })
    }

    fn fail(&mut self, problem: impl Into<PgnProblem>) {
        let line = self.line;
        self.draft().fault.get_or_insert((line, problem.into()));
    }

    fn read_line(&mut self, line: &str) -> ControlFlow<()> {
        if line.starts_with('%') {
            return ControlFlow::Continue(());
        }
        // A comment that nobody closed ends where the next game surely begins.
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
                    self.draft().game.had_variations = true;
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
        let Some(Draft { game, .. }) = &mut self.draft else { return };
        match game.moves.last_mut() {
            Some(played) => {
                if played.comments.is_empty() {
                    played.opinion = read_opinion(&text);
                }
                played.comments.push(text);
            }
            None => game.preface.push(text),
        }
    }

    fn read_tags(&mut self, line: &str) -> ControlFlow<()> {
        for (name, value) in tags_of(line) {
            let begins_another = self.draft.as_ref().is_some_and(|Draft { game, tag_names, fault, .. }| {
                let ended = matches!(fault, Some((_, problem)) if !matches!(problem, PgnProblem::Start(_)));
                !game.moves.is_empty() || ended || tag_names.contains(&name)
            });
            if begins_another || self.is_in_comment || self.variations > 0 {
                self.finish_game(None)?;
            }
            if name == "FEN" {
                match Board::from_fen(&value) {
                    Ok(start) => {
                        let draft = self.draft();
                        draft.board = start.clone();
                        draft.game.start = start;
                    }
                    Err(error) => self.fail(error),
                }
            }
            let draft = self.draft();
            draft.tag_names.insert(name.clone());
            draft.game.tags.push((name, value));
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
        let Draft { game, board, fault, .. } = self.draft();
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
                    game.moves.push(PgnMove { mv, opinion: None, glyphs: Vec::new(), comments: Vec::new() });
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
        match self.draft.take() {
            None => ControlFlow::Continue(()),
            Some(Draft { game, fault: Some((line, problem)), .. }) => {
                (self.each)(Err(PgnFault { line, tags: game.tags, problem }))
            }
            Some(Draft { game, fault: None, .. }) => (self.each)(Ok(PgnGame { result, ..game })),
        }
    }
}

/// The number of a glyph that is written after its move.
fn glyph_of(signs: &str) -> Option<u8> {
    ["!", "?", "!!", "??", "!?", "?!"].iter().position(|&known| known == signs).map(|place| place as u8 + 1)
}

/// The tags in a line, `[Name "value"]`; what is none of them is passed over.
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
