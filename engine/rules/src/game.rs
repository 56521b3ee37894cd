//! A game of a PGN with its variations, comments and glyphs.

use std::ops::ControlFlow;

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::game::GameResult;
use alfiere_chess::movegen::MoveError;
use alfiere_chess::pgn::{Token, Tokenizer, is_chess, tagged_result};
use alfiere_chess::types::Color;
use serde::Serialize;
use thiserror::Error;

use crate::line::{Placement, Ply};

/// Maximum number of tags, moves, comments and variations.
const MAX_PARTS: usize = 400_000;
/// Maximum number of moves of a game with its variations.
const MAX_NODES: usize = 50_000;
/// Letters of a word that is no move that an error shows.
const LONGEST_WORD: usize = 80;

/// Why a game cannot be read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each is")]
pub enum GameError {
    #[error("line {0}: {1}")]
    Start(usize, FenError),
    #[error("line {0}: found variant \"{1}\", expected Standard or Chess960")]
    Variant(usize, String),
    #[error("line {0}: {1}: {2}")]
    Move(usize, String, &'static str),
    #[error("line {0}: a comment is not closed, expected }}")]
    Comment(usize),
    #[error("line {0}: a variation is not closed, expected )")]
    Variation(usize),
    #[error("line {0}: a variation, expected a move before it")]
    NoMove(usize),
    #[error("line {0}: more than {MAX_PARTS} tags, moves and comments")]
    TooLong(usize),
    #[error("line {0}: the game has more than {MAX_NODES} moves")]
    TooManyMoves(usize),
    #[error("the text has no game")]
    NoGame,
}

/// A move of a game's tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// The move before: 0 for the start, N for the move with index N - 1. The first of several moves after one is the
    /// main one.
    pub parent: usize,
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
    /// Numeric annotation glyphs.
    pub glyphs: Vec<u8>,
    /// The comments before the first move of a variation.
    pub before: Vec<String>,
    /// The comments after the move.
    pub comments: Vec<String>,
}

/// The first game of a PGN, with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Game {
    /// Its tags.
    pub tags: Vec<(String, String)>,
    /// Its start.
    pub start: Placement,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// Its moves, each after its parent.
    pub nodes: Vec<Node>,
    /// The result after the moves or in the tag; `*` without one.
    pub result: String,
    /// Why the game cannot be read, or where and why its moves end before it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Game {
    /// Reads the first game of a text, up to its first [`error`](Self::error).
    ///
    /// # Errors
    /// If there is none, or it is too long.
    pub fn read(pgn: &str) -> Result<Self, GameError> {
        let mut reader = Reader::default();
        let mut tokenizer = Tokenizer::default();
        let mut end = Ok(());
        let mut take = |line, token: Token<'_>| match reader.take(line, token) {
            Ok(flow) => flow,
            Err(error) => {
                end = Err(error);
                ControlFlow::Break(())
            }
        };
        if pgn.lines().try_for_each(|line| tokenizer.read_line(line, &mut take)).is_continue() {
            tokenizer.finish(|line, token| _ = take(line, token));
        }
        end?;
        let tags = reader.tags.ok_or(GameError::NoGame)?;
        Ok(reader.builder.finish(tags))
    }
}

type Tags = Vec<(String, String)>;

/// Reads a game, which ends with its result, or where tags follow moves.
#[derive(Default)]
struct Reader {
    /// The tags so far; `None` before the game.
    tags: Option<Tags>,
    /// The number of tokens so far.
    parts: usize,
    has_moves: bool,
    /// Open variations.
    variations: usize,
    /// Comments before the game: its own if it has no tags.
    before: Vec<(usize, String)>,
    builder: Builder,
}

impl Reader {
    fn take(&mut self, line: usize, token: Token<'_>) -> Result<ControlFlow<()>, GameError> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(GameError::TooLong(line));
        }
        if self.tags.is_none()
            && let Token::Comment(text) = token
        {
            self.before.push((line, text));
            return Ok(ControlFlow::Continue(()));
        }
        match &token {
            Token::Tag(..) if self.has_moves => return Ok(ControlFlow::Break(())),
            Token::VariationStart => self.variations += 1,
            Token::VariationEnd => self.variations = self.variations.saturating_sub(1),
            Token::Tag(..) => self.variations = 0,
            // Of the variation, not of the game.
            Token::Result(_) if self.variations > 0 => return Ok(ControlFlow::Continue(())),
            Token::Move(_) => self.has_moves = true,
            _ => {}
        }
        let tags = self.tags.get_or_insert_default();
        let before = std::mem::take(&mut self.before);
        if let Token::Tag(name, value) = token {
            self.builder.take_tag(line, name, &value);
            tags.push((name.to_owned(), value));
            return Ok(ControlFlow::Continue(()));
        }
        for (line, text) in before {
            self.builder.take(line, Token::Comment(text));
        }
        let is_end = matches!(token, Token::Result(_));
        self.builder.take(line, token);
        match self.builder.error.take_if(|error| matches!(error, GameError::TooManyMoves(_))) {
            Some(error) => Err(error),
            None if is_end => Ok(ControlFlow::Break(())),
            None => Ok(ControlFlow::Continue(())),
        }
    }
}

/// A game being read.
struct Builder {
    game: Game,
    /// The positions of the start and of the nodes.
    boards: Vec<Board>,
    /// The moves after the start and after each node.
    children: Vec<Vec<usize>>,
    /// The place that the next move follows: 0 for the start, else a node's index plus 1.
    place: usize,
    /// The line and place of each open variation.
    open: Vec<(usize, usize)>,
    /// Whether a variation was opened after the last move.
    is_variation_start: bool,
    /// The number of open variations when a move of the last one could not be read; the rest of it is left out.
    unreadable: Option<usize>,
    /// Comments before the first move of a variation.
    before: Vec<String>,
    /// The result after the moves.
    result: Option<GameResult>,
    /// The first error, after which no more moves are read.
    error: Option<GameError>,
}

impl Default for Builder {
    fn default() -> Self {
        let start = Board::startpos();
        let game = Game {
            tags: Tags::new(),
            start: Placement::new(&start),
            comments: Vec::new(),
            nodes: Vec::new(),
            result: "*".to_owned(),
            error: None,
        };
        Self {
            game,
            boards: vec![start],
            children: vec![Vec::new()],
            place: 0,
            open: Vec::new(),
            is_variation_start: false,
            unreadable: None,
            before: Vec::new(),
            result: None,
            error: None,
        }
    }
}

impl Builder {
    fn take_tag(&mut self, line: usize, name: &str, value: &str) {
        match name {
            "FEN" => match Board::from_fen(value) {
                Ok(start) => {
                    self.game.start = Placement::new(&start);
                    self.boards = vec![start];
                }
                Err(error) => _ = self.error.get_or_insert(GameError::Start(line, error)),
            },
            "Variant" if !is_chess(value) => self.error = Some(GameError::Variant(line, value.to_owned())),
            _ => {}
        }
    }

    fn finish(self, tags: Tags) -> Game {
        let error = self.error.or_else(|| self.open.first().map(|&(line, _)| GameError::Variation(line)));
        let result = self.result.or_else(|| tagged_result(&tags));
        let result = result.map_or_else(|| "*".to_owned(), |result| result.to_string());
        Game { tags, result, error: error.map(|error| error.to_string()), ..self.game }
    }

    fn take(&mut self, line: usize, token: Token<'_>) {
        if let Token::Result(result) = token {
            self.result = result;
        } else if self.error.is_none() {
            self.error = self.take_in_moves(line, token).err();
        }
    }

    fn take_in_moves(&mut self, line: usize, token: Token<'_>) -> Result<(), GameError> {
        if let Some(depth) = self.unreadable {
            match token {
                Token::VariationStart => self.open.push((line, self.place)),
                Token::VariationEnd if self.open.len() > depth => _ = self.open.pop(),
                Token::VariationEnd => self.unreadable = None,
                _ => {}
            }
            if self.unreadable.is_some() && !matches!(token, Token::OpenComment(_)) {
                return Ok(());
            }
        }
        match token {
            Token::Tag(..) | Token::Result(_) => {}
            Token::OpenComment(begin) => return Err(GameError::Comment(begin)),
            Token::Comment(text) if self.is_variation_start => self.before.push(text),
            Token::Comment(text) => match self.place {
                0 => self.game.comments.push(text),
                place => self.game.nodes[place - 1].comments.push(text),
            },
            Token::Glyph(glyph) => {
                if let Some(node) = self.place.checked_sub(1).map(|node| &mut self.game.nodes[node])
                    && !node.glyphs.contains(&glyph)
                {
                    node.glyphs.push(glyph);
                }
            }
            Token::VariationStart => {
                let node = self.place.checked_sub(1).ok_or(GameError::NoMove(line))?;
                self.open.push((line, self.place));
                self.place = self.game.nodes[node].parent;
                self.is_variation_start = true;
            }
            Token::VariationEnd => {
                if let Some((_, place)) = self.open.pop() {
                    self.place = place;
                }
                self.is_variation_start = false;
                self.before.clear();
            }
            Token::Move(text) => match self.play(line, text) {
                Err(error) if !self.open.is_empty() && !matches!(error, GameError::TooManyMoves(_)) => {
                    self.leave_out(text);
                }
                played => played?,
            },
        }
        Ok(())
    }

    /// Leaves out the variation from this word on, and says so in a comment.
    fn leave_out(&mut self, word: &str) {
        self.unreadable = Some(self.open.len());
        let note = format!("left out from \"{word}\" on");
        match self.place {
            0 => self.game.comments.push(note),
            place => self.game.nodes[place - 1].comments.push(note),
        }
    }

    fn play(&mut self, line: usize, text: &str) -> Result<(), GameError> {
        let mut board = self.boards[self.place].clone();
        let ply = Ply::play(&mut board, text).map_err(|error| {
            let reason = match &error {
                MoveError::Syntax { .. } => "this is no move",
                MoveError::Illegal { .. } => "no such move",
                MoveError::Ambiguous { .. } => "several such moves",
            };
            let dots = if board.side_to_move() == Color::White { "." } else { "..." };
            let start: String = text.chars().take(LONGEST_WORD).collect();
            GameError::Move(line, format!("{}{dots} {start}", board.fullmove_number()), reason)
        })?;
        let before = std::mem::take(&mut self.before);
        self.is_variation_start = false;
        // The same move in two variations is one move of the tree.
        let nodes = &self.game.nodes;
        let known = self.children[self.place].iter().copied().find(|&place| nodes[place - 1].ply.uci == ply.uci);
        if let Some(place) = known {
            self.place = place;
            return Ok(());
        }
        if self.game.nodes.len() == MAX_NODES {
            return Err(GameError::TooManyMoves(line));
        }
        let node = Node { parent: self.place, ply, glyphs: Vec::new(), before, comments: Vec::new() };
        self.game.nodes.push(node);
        let place = self.game.nodes.len();
        self.children[self.place].push(place);
        self.boards.push(board);
        self.children.push(Vec::new());
        self.place = place;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
