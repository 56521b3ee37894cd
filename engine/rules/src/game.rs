//! The games of a PGN, and one of them with its variations, comments and glyphs.

use std::ops::ControlFlow;

use alfiere_chess::board::{Board, FenError};
use alfiere_chess::game::{GameResult, ReportedScore};
use alfiere_chess::movegen::MoveError;
use alfiere_chess::pgn::{GameTokenizer, Part, Tags, Token, is_chess, read_eval, tagged_result};
use alfiere_chess::review::{Evaluation, WhiteScore, win_percent};
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

#[derive(Debug, Error)]
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

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeMove {
    /// The move before: 0 for the start, N for the move with index N - 1. The first of several moves after one is the
    /// main one.
    pub parent: usize,
    #[serde(flatten)]
    pub ply: Ply,
    pub glyphs: Vec<u8>,
    /// The comments before the first move of a variation.
    pub before: Vec<String>,
    pub comments: Vec<String>,
    /// The `[%eval]` in them, from White's point of view.
    pub evaluation: Option<Evaluation>,
}

/// The first `[%eval]` of these comments that can be read.
fn read_evaluation(comments: &[String]) -> Option<Evaluation> {
    Some(match comments.iter().find_map(|text| read_eval(text).ok().flatten())? {
        ReportedScore::Centipawns(value) => {
            Evaluation { score: WhiteScore::Centipawns(value), expected_score: win_percent(value) / 100.0 }
        }
        ReportedScore::Mate(moves) => {
            Evaluation { score: WhiteScore::Mate(moves), expected_score: if moves > 0 { 1.0 } else { 0.0 } }
        }
    })
}

/// A game of a PGN, with its variations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameTree {
    pub tags: Vec<(String, String)>,
    pub start: Placement,
    pub comments: Vec<String>,
    /// The `[%eval]` in them.
    pub evaluation: Option<Evaluation>,
    /// Its moves, each after its parent.
    pub nodes: Vec<TreeMove>,
    /// The result after the moves or in the tag; `*` without one.
    pub result: String,
    /// Why the game cannot be read, or where and why its moves end before it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A place in a PGN where a game is found.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GamePlace {
    pub tags: Vec<(String, String)>,
    /// The first line to read, from 1, and the last one. Lines end with line feeds or carriage returns.
    pub lines: [usize; 2],
    /// The number of games in these lines before it.
    pub number: usize,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GameList {
    pub games: Vec<GamePlace>,
}

impl GameList {
    pub fn new(pgn: &str) -> Self {
        let mut list = Self::default();
        let mut found: Option<(GamePlace, Tags)> = None;
        read(pgn, |line, part| {
            let (place, tags) = found.get_or_insert_with(|| {
                let (first, number) = match list.games.last() {
                    Some(GamePlace { lines: [first, last], number, .. }) if *last == line => (*first, number + 1),
                    _ => (line, 0),
                };
                (GamePlace { lines: [first, line], number, ..GamePlace::default() }, Tags::default())
            });
            // A tag on the line of an end may be of the next game.
            place.lines[1] = line;
            if let Part::Token(Token::Tag(name, value)) = part {
                tags.set(name, value);
            } else if part == Part::End {
                list.games.extend(found.take().map(|(place, tags)| GamePlace { tags: tags.into_list(), ..place }));
            }
            ControlFlow::Continue(())
        });
        list
    }
}

fn read(pgn: &str, mut each: impl FnMut(usize, Part<'_>) -> ControlFlow<()>) {
    let mut games = GameTokenizer::default();
    if pgn.lines().try_for_each(|line| games.read_line(line, &mut each)).is_continue() {
        games.finish(each);
    }
}

impl GameTree {
    /// Reads the game with this index, up to its first [`error`](Self::error).
    ///
    /// # Errors
    /// If there is none, or it is too long.
    pub fn read(pgn: &str, number: usize) -> Result<Self, GameError> {
        let (mut parts, mut before, mut tags, mut builder) = (0, number, Tags::default(), Builder::default());
        let mut end = Err(GameError::NoGame);
        read(pgn, |line, part| {
            parts += 1;
            match part {
                _ if parts > MAX_PARTS => end = Err(GameError::TooLong(line)),
                Part::End if before == 0 => end = Ok(()),
                _ if before > 0 => {
                    before -= usize::from(part == Part::End);
                    return ControlFlow::Continue(());
                }
                Part::Token(Token::Tag(name, value)) => {
                    builder.take_tag(line, name, &value);
                    tags.set(name, value);
                    return ControlFlow::Continue(());
                }
                Part::Token(token) => {
                    builder.take(line, token);
                    match builder.error.take_if(|error| matches!(error, GameError::TooManyMoves(_))) {
                        Some(error) => end = Err(error),
                        None => return ControlFlow::Continue(()),
                    }
                }
                Part::End => {}
            }
            ControlFlow::Break(())
        });
        end.map(|()| builder.finish(tags.into_list()))
    }
}

struct Builder {
    game: GameTree,
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
        let game = GameTree {
            tags: Vec::new(),
            start: Placement::new(&start),
            comments: Vec::new(),
            evaluation: None,
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
            "FEN" => {
                self.error.take_if(|error| matches!(error, GameError::Start(..)));
                match Board::from_fen(value) {
                    Ok(start) => {
                        self.game.start = Placement::new(&start);
                        self.boards = vec![start];
                    }
                    Err(error) => _ = self.error.get_or_insert(GameError::Start(line, error)),
                }
            }
            "Variant" if !is_chess(value) => self.error = Some(GameError::Variant(line, value.to_owned())),
            "Variant" => _ = self.error.take_if(|error| matches!(error, GameError::Variant(..))),
            _ => {}
        }
    }

    fn finish(mut self, tags: Vec<(String, String)>) -> GameTree {
        self.game.evaluation = read_evaluation(&self.game.comments);
        for node in &mut self.game.nodes {
            node.evaluation = read_evaluation(&node.comments);
        }
        let error = self.error.or_else(|| self.open.first().map(|&(line, _)| GameError::Variation(line)));
        let result = self.result.or_else(|| tagged_result(&tags));
        let result = result.map_or_else(|| "*".to_owned(), |result| result.to_string());
        GameTree { tags, result, error: error.map(|error| error.to_string()), ..self.game }
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
            Token::Tag(..) | Token::Result(_) | Token::BlankLine => {}
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
        let node =
            TreeMove { parent: self.place, ply, glyphs: Vec::new(), before, comments: Vec::new(), evaluation: None };
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
