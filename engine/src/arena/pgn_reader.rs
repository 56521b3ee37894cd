//! Games in PGN, one after the other: start position, main line, the first comment after each move, the result.

use std::io::BufRead;

use thiserror::Error;

use super::game::GameResult;
use super::pgn_comment::read_opinion;
use super::player::Opinion;
use crate::board::{Board, FenError};
use crate::movegen::{MoveError, parse_san};
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

/// A game as it was written.
#[derive(Clone, Debug)]
pub(crate) struct PgnGame {
    /// Where it begins.
    pub(crate) start: Board,
    /// Its main line.
    pub(crate) moves: Vec<PgnMove>,
    /// How it ended, if it says so.
    pub(crate) result: Option<GameResult>,
    /// The tag `Termination`, empty without one.
    pub(crate) termination: String,
}

/// A move of the main line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PgnMove {
    /// The move.
    pub(crate) mv: Move,
    /// What its player thought of it, from the comment after it.
    pub(crate) opinion: Option<Opinion>,
}

impl PgnGame {
    fn new(start: Board) -> Self {
        Self { start, moves: Vec::new(), result: None, termination: String::new() }
    }
}

/// Hands over all games, each when it is complete; one that has neither a FEN tag nor a move is passed over. Bytes that
/// are no UTF-8 become replacement characters, as old files need it.
///
/// # Errors
/// The line, from 1, and what is wrong there; games before it have been handed over.
pub(crate) fn read_games(mut input: impl BufRead, each: impl FnMut(PgnGame)) -> Result<(), (usize, PgnProblem)> {
    let mut reader = Reader::new(each);
    let mut bytes = Vec::new();
    let mut line = 0;
    loop {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(|error| (line + 1, error.into()))?;
        if length == 0 {
            break;
        }
        line += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
        reader.read_line(text).map_err(|problem| (line, problem))?;
    }
    if reader.is_in_comment || reader.variations > 0 {
        return Err((line, PgnProblem::Open));
    }
    reader.finish_game(None);
    Ok(())
}

struct Reader<F> {
    each: F,
    current: Option<(PgnGame, Board)>,
    termination: String,
    is_in_comment: bool,
    /// Its text so far, while one is open.
    comment: String,
    /// Whether the last move has had its comment.
    is_commented: bool,
    variations: u32,
}

impl<F: FnMut(PgnGame)> Reader<F> {
    fn new(each: F) -> Self {
        Self {
            each,
            current: None,
            termination: String::new(),
            is_in_comment: false,
            comment: String::new(),
            is_commented: false,
            variations: 0,
        }
    }

    fn read_line(&mut self, line: &str) -> Result<(), PgnProblem> {
        if line.starts_with('%') {
            return Ok(());
        }
        if !self.is_in_comment && line.trim_start().starts_with('[') {
            return self.read_tag(line.trim());
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            if self.is_in_comment {
                let Some((text, after)) = rest.split_once('}') else {
                    self.comment.push_str(rest);
                    self.comment.push(' ');
                    return Ok(());
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
                ';' => return Ok(()),
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
            rest = &rest[first.len_utf8()..];
        }
        Ok(())
    }

    fn finish_comment(&mut self) {
        self.is_in_comment = false;
        let text = std::mem::take(&mut self.comment);
        if self.variations > 0 || self.is_commented {
            return;
        }
        if let Some(played) = self.current.as_mut().and_then(|(game, _)| game.moves.last_mut()) {
            played.opinion = read_opinion(&text);
            self.is_commented = true;
        }
    }

    fn read_tag(&mut self, line: &str) -> Result<(), PgnProblem> {
        if self.current.as_ref().is_some_and(|(game, _)| !game.moves.is_empty()) {
            self.finish_game(None);
        }
        let value = |name: &str| line.strip_prefix(name).and_then(|rest| rest.split('"').next());
        if let Some(fen) = value("[FEN \"") {
            let start = Board::from_fen(fen)?;
            self.current = Some((PgnGame::new(start.clone()), start));
        } else if let Some(termination) = value("[Termination \"") {
            termination.clone_into(&mut self.termination);
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), PgnProblem> {
        if self.variations > 0 || word.starts_with('$') {
            return Ok(());
        }
        let result = match word {
            "1-0" => Some(GameResult::Win(Color::White)),
            "0-1" => Some(GameResult::Win(Color::Black)),
            "1/2-1/2" => Some(GameResult::Draw),
            _ => None,
        };
        if result.is_some() || word == "*" {
            self.finish_game(result);
            return Ok(());
        }
        // "12.", "12...", and "12.e4" without a space.
        let mv = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let mv = if mv.is_empty() || mv.starts_with('.') { mv.trim_start_matches('.') } else { word };
        if mv.is_empty() || mv.starts_with(['!', '?']) {
            return Ok(());
        }
        let (game, board) = self.current.get_or_insert_with(|| (PgnGame::new(Board::startpos()), Board::startpos()));
        let mv = parse_san(board, mv)?;
        game.moves.push(PgnMove { mv, opinion: None });
        board.play(mv);
        self.is_commented = false;
        Ok(())
    }

    fn finish_game(&mut self, result: Option<GameResult>) {
        let termination = std::mem::take(&mut self.termination);
        if let Some((game, _)) = self.current.take() {
            (self.each)(PgnGame { result, termination, ..game });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<PgnGame>, (usize, PgnProblem)> {
        let mut games = Vec::new();
        read_games(text.as_bytes(), |game| games.push(game))?;
        Ok(games)
    }

    #[test]
    fn main_lines_without_comments_and_variations() {
        let text = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {best (by test)\n[not a tag] } e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) \
                    2.Nf3! $1 Nc6 ; to the end\n3. O-O? 1-0\n";
        // Castling is not possible there: the line is named.
        let (line, problem) = read(text).expect_err("illegal");
        assert_eq!(line, 6, "{problem}");
        let games = read(&text.replace("O-O?", "Bb5 a6")).expect("legal");
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].moves.len(), 6);
        assert_eq!(games[0].result, Some(GameResult::Win(Color::White)));
        let (line, problem) = read("1. e4 {never\nclosed").expect_err("open");
        assert!(line == 2 && matches!(problem, PgnProblem::Open), "{line} {problem}");
    }

    #[test]
    fn several_games_and_start_positions() {
        let text = "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 1/2-1/2\n\
                    [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n[Event \"d\"]\n\n1. c4\n";
        let games = read(text).expect("legal");
        let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
        assert_eq!(lengths, [1, 2, 0, 1]);
        assert_eq!(games[1].start.fullmove_number(), 30);
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        assert_eq!(results, [None, Some(GameResult::Draw), None, None]);
    }

    #[test]
    fn scores_belong_to_the_move_before_them() {
        let text = "[Termination \"time forfeit\"]\n\n{+9.99/9 1s} 1. e4 {book} e5 ({+0.11/1 1s} 1... c5 {+0.22/2 1s}) 2. Nf3 {-0.31/12\n\
                    0.105s} Nc6 {+M3/4 0.1s} {-0.44/4 1s} 0-1\n[Event \"b\"]\n\n1. d4 {+0.20/5 1s}\r\n1/2-1/2\r\n";
        let games = read(text).expect("legal");
        let opinions = |game: &PgnGame| game.moves.iter().map(|played| played.opinion).collect::<Vec<_>>();
        assert_eq!(opinions(&games[0]), [None, None, Some(Opinion::Centipawns(-31)), Some(Opinion::Mate(3))]);
        assert_eq!(opinions(&games[1]), [Some(Opinion::Centipawns(20))]);
        assert_eq!((games[0].termination.as_str(), games[1].termination.as_str()), ("time forfeit", ""));
    }
}
