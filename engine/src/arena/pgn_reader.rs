//! Games in PGN, read as openings: the start position and the main line, nothing else.

use thiserror::Error;

use super::openings::Opening;
use crate::board::{Board, FenError};
use crate::movegen::{MoveError, parse_san};

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
}

/// Reads all games; one that has neither a FEN tag nor a move is passed over.
///
/// # Errors
/// The line, from 1, and what is wrong there.
pub(super) fn read_games(text: &str) -> Result<Vec<Opening>, (usize, PgnProblem)> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.read_line(line.trim_start_matches('\u{feff}')).map_err(|problem| (index + 1, problem))?;
    }
    if reader.is_in_comment || reader.variations > 0 {
        return Err((text.lines().count(), PgnProblem::Open));
    }
    reader.finish_game();
    Ok(reader.games)
}

#[derive(Default)]
struct Reader {
    games: Vec<Opening>,
    current: Option<(Opening, Board)>,
    has_moves: bool,
    is_in_comment: bool,
    variations: u32,
}

impl Reader {
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
                match rest.split_once('}') {
                    Some((_, after)) => {
                        self.is_in_comment = false;
                        rest = after;
                    }
                    None => return Ok(()),
                }
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

    fn read_tag(&mut self, line: &str) -> Result<(), PgnProblem> {
        if self.has_moves {
            self.finish_game();
        }
        if let Some(fen) = line.strip_prefix("[FEN \"").and_then(|rest| rest.split('"').next()) {
            let start = Board::from_fen(fen)?;
            self.current = Some((Opening { start: start.clone(), moves: Vec::new() }, start));
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), PgnProblem> {
        if self.variations > 0 || word.starts_with('$') {
            return Ok(());
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.finish_game();
            return Ok(());
        }
        // "12.", "12...", and "12.e4" without a space.
        let mv = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let mv = if mv.is_empty() || mv.starts_with('.') { mv.trim_start_matches('.') } else { word };
        if mv.is_empty() || mv.starts_with(['!', '?']) {
            return Ok(());
        }
        let (opening, board) = self.current.get_or_insert_with(|| (Opening::startpos(), Board::startpos()));
        let mv = parse_san(board, mv)?;
        opening.moves.push(mv);
        board.play(mv);
        self.has_moves = true;
        Ok(())
    }

    fn finish_game(&mut self) {
        self.games.extend(self.current.take().map(|(opening, _)| opening));
        self.has_moves = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_lines_without_comments_and_variations() {
        let text = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {best (by test)\n[not a tag] } e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) \
                    2.Nf3! $1 Nc6 ; to the end\n3. O-O? 1-0\n";
        // Castling is not possible there: the line is named.
        let (line, problem) = read_games(text).expect_err("illegal");
        assert_eq!(line, 6, "{problem}");
        let games = read_games(&text.replace("O-O?", "Bb5 a6")).expect("legal");
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].moves.len(), 6);
    }

    #[test]
    fn several_games_and_start_positions() {
        let text = "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 1/2-1/2\n\
                    [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n[Event \"d\"]\n\n1. c4\n";
        let games = read_games(text).expect("legal");
        let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
        assert_eq!(lengths, [1, 2, 0, 1]);
        assert_eq!(games[1].start.fullmove_number(), 30);
    }
}
