//! Games of a PGN with their variations, comments and glyphs.

use std::ops::ControlFlow;

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::movegen::{MoveError, parse_san};
use alfiere_chess::pgn::{Token, Tokenizer};
use serde::Serialize;
use thiserror::Error;

use crate::line::{Placement, Ply};

/// Maximum number of parts that are kept: the tags of all games, and the moves, comments and variations of one.
const MAX_PARTS: usize = 400_000;
/// Maximum number of moves of a game with its variations.
const MAX_NODES: usize = 50_000;

/// Why a game cannot be read.
#[derive(Debug, Error)]
pub enum GameError {
    /// The FEN tag is invalid.
    #[error("line {0}: {1}")]
    Start(usize, FenError),
    /// A move is invalid.
    #[error("line {0}: {1}")]
    Move(usize, MoveError),
    /// A comment is not closed.
    #[error("line {0}: a comment is not closed, expected }}")]
    Comment(usize),
    /// A variation is not closed.
    #[error("line {0}: a variation is not closed, expected )")]
    Variation(usize),
    /// A variation starts before any move.
    #[error("line {0}: a variation, expected a move before it")]
    NoMove(usize),
    /// The text has too many parts.
    #[error("line {0}: more than {MAX_PARTS} tags, moves and comments")]
    TooLong(usize),
    /// The game has too many moves.
    #[error("line {0}: the game has more than {MAX_NODES} moves")]
    TooManyMoves(usize),
    /// No game has this index.
    #[error("the text has {found} games, expected one with number {}", index + 1)]
    NoGame {
        /// The number of games.
        found: usize,
        /// The index, from 0.
        index: usize,
    },
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

/// The games of a PGN, and one of them with all its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Games {
    /// The players or the event of each game.
    pub titles: Vec<String>,
    /// The tags of the game.
    pub tags: Vec<(String, String)>,
    /// Its start.
    pub start: Placement,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// Its moves, each after its parent.
    pub nodes: Vec<Node>,
    /// The result as written; `*` without one.
    pub result: String,
    /// Why the game cannot be read; it then has no moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Games {
    /// Reads all games' titles, and the game with this index from 0. If that game cannot be read, the titles are there all
    /// the same, with the [`error`](Self::error).
    ///
    /// # Errors
    /// If there is no such game.
    pub fn read(pgn: &str, index: usize) -> Result<Self, GameError> {
        let mut reader = Reader {
            index,
            tags: Vec::new(),
            parts: 0,
            is_between: true,
            has_moves: false,
            variations: 0,
            between: Vec::new(),
            builder: Builder::new(),
        };
        let mut tokenizer = Tokenizer::default();
        let mut error = None;
        let mut take = |line, token: Token<'_>| {
            if let Err(found) = reader.take(line, token) {
                error.get_or_insert(found);
            }
        };
        for line in pgn.lines() {
            let _ = tokenizer.read_line(line, |line, token| {
                take(line, token);
                ControlFlow::Continue(())
            });
        }
        tokenizer.finish(take);
        let found = reader.tags.len();
        if index >= found {
            return Err(error.unwrap_or(GameError::NoGame { found, index }));
        }
        let titles = reader.tags.iter().map(title).collect();
        Ok(reader.builder.finish(titles, reader.tags.swap_remove(index), error))
    }
}

type Tags = Vec<(String, String)>;

fn title(tags: &Tags) -> String {
    let tag = |wanted: &str| {
        let mut values = tags.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value.trim());
        values.find(|value| !matches!(*value, "" | "?"))
    };
    match (tag("White"), tag("Black"), tag("Event")) {
        (None, None, Some(event)) => event.to_owned(),
        (None, None, None) => "Game".to_owned(),
        (white, black, _) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// Reads the tags of all games, and the moves of one. A game ends with its result, or where tags follow moves.
struct Reader {
    /// The index of the game whose moves are read.
    index: usize,
    /// The tags of each game so far.
    tags: Vec<Tags>,
    /// The number of tokens that were kept.
    parts: usize,
    /// Whether the next tag or move begins a game.
    is_between: bool,
    has_moves: bool,
    /// Open variations of the current game.
    variations: usize,
    /// Comments between games: of the game that follows if it has no tags.
    between: Vec<(usize, String)>,
    builder: Builder,
}

impl Reader {
    fn take(&mut self, line: usize, token: Token<'_>) -> Result<(), GameError> {
        let is_kept = self.is_between || self.tags.len() == self.index + 1 || matches!(token, Token::Tag(..));
        self.parts += usize::from(is_kept);
        if self.parts > MAX_PARTS {
            return Err(GameError::TooLong(line));
        }
        if self.is_between
            && let Token::Comment(text) = token
        {
            self.between.push((line, text));
            return Ok(());
        }
        match token {
            Token::VariationStart => self.variations += 1,
            Token::VariationEnd => self.variations = self.variations.saturating_sub(1),
            Token::Tag(..) => self.variations = 0,
            // Of the variation, not of the game.
            Token::Result(_) if self.variations > 0 => return Ok(()),
            _ => {}
        }
        let is_tag = matches!(token, Token::Tag(..));
        let comments = std::mem::take(&mut self.between);
        if self.is_between || is_tag && self.has_moves {
            self.tags.push(Tags::new());
        }
        self.is_between = matches!(token, Token::Result(_));
        self.has_moves |= matches!(token, Token::Move(_));
        self.has_moves &= !is_tag && !self.is_between;
        let is_wanted = self.tags.len() == self.index + 1;
        if is_wanted && !is_tag {
            for (line, text) in comments {
                self.builder.take(line, Token::Comment(text))?;
            }
        }
        match (token, self.tags.last_mut()) {
            (Token::Tag(name, value), Some(tags)) => {
                let start = is_wanted && name == "FEN";
                let start = if start { self.builder.set_start(line, &value) } else { Ok(()) };
                tags.push((name.to_owned(), value));
                start
            }
            (token, _) if is_wanted => self.builder.take(line, token),
            _ => Ok(()),
        }
    }
}

/// A game being read.
struct Builder {
    games: Games,
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
}

impl Builder {
    fn new() -> Self {
        let start = Board::startpos();
        let games = Games {
            titles: Vec::new(),
            tags: Tags::new(),
            start: Placement::new(&start),
            comments: Vec::new(),
            nodes: Vec::new(),
            result: "*".to_owned(),
            error: None,
        };
        Self {
            games,
            boards: vec![start],
            children: vec![Vec::new()],
            place: 0,
            open: Vec::new(),
            is_variation_start: false,
            unreadable: None,
            before: Vec::new(),
        }
    }

    fn set_start(&mut self, line: usize, fen: &str) -> Result<(), GameError> {
        let start = Board::from_fen(fen).map_err(|error| GameError::Start(line, error))?;
        self.games.start = Placement::new(&start);
        self.boards = vec![start];
        Ok(())
    }

    fn finish(self, titles: Vec<String>, tags: Tags, error: Option<GameError>) -> Games {
        let error = error.or_else(|| self.open.first().map(|&(line, _)| GameError::Variation(line)));
        let nodes = if error.is_none() { self.games.nodes } else { Vec::new() };
        Games { titles, tags, nodes, error: error.map(|error| error.to_string()), ..self.games }
    }

    fn take(&mut self, line: usize, token: Token<'_>) -> Result<(), GameError> {
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
            Token::Tag(..) => {}
            Token::OpenComment(begin) => return Err(GameError::Comment(begin)),
            Token::Comment(text) if self.is_variation_start => self.before.push(text),
            Token::Comment(text) => match self.place {
                0 => self.games.comments.push(text),
                place => self.games.nodes[place - 1].comments.push(text),
            },
            Token::Glyph(glyph) => {
                if let Some(node) = self.place.checked_sub(1).map(|node| &mut self.games.nodes[node])
                    && !node.glyphs.contains(&glyph)
                {
                    node.glyphs.push(glyph);
                }
            }
            Token::VariationStart => {
                let node = self.place.checked_sub(1).ok_or(GameError::NoMove(line))?;
                self.open.push((line, self.place));
                self.place = self.games.nodes[node].parent;
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
                // Such as the null moves of other programs' analyses.
                Err(_) if !self.open.is_empty() => self.leave_out(text),
                played => played?,
            },
            Token::Result(result) => result.clone_into(&mut self.games.result),
        }
        Ok(())
    }

    /// Leaves out the variation from this word on, and says so in a comment.
    fn leave_out(&mut self, word: &str) {
        self.unreadable = Some(self.open.len());
        let note = format!("left out from \"{word}\" on");
        match self.place {
            0 => self.games.comments.push(note),
            place => self.games.nodes[place - 1].comments.push(note),
        }
    }

    fn play(&mut self, line: usize, text: &str) -> Result<(), GameError> {
        let mut board = self.boards[self.place].clone();
        let mv = parse_san(&board, text).map_err(|error| GameError::Move(line, error))?;
        let ply = Ply::play(&mut board, mv);
        let before = std::mem::take(&mut self.before);
        self.is_variation_start = false;
        // The same move in two variations is one move of the tree.
        let nodes = &self.games.nodes;
        let known = self.children[self.place].iter().copied().find(|&place| nodes[place - 1].ply.uci == ply.uci);
        if let Some(place) = known {
            self.place = place;
            return Ok(());
        }
        if self.games.nodes.len() == MAX_NODES {
            return Err(GameError::TooManyMoves(line));
        }
        let node = Node { parent: self.place, ply, glyphs: Vec::new(), before, comments: Vec::new() };
        self.games.nodes.push(node);
        let place = self.games.nodes.len();
        self.children[self.place].push(place);
        self.boards.push(board);
        self.children.push(Vec::new());
        self.place = place;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
