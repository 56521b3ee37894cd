//! A PGN reader: tags, start position, main line with glyphs, comments and scores, and the result of each game.
//!
//! Variations are skipped. A move that cannot be read ends the moves of its game; the moves before it are kept.

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use thiserror::Error;

use crate::board::{Board, FenError};
use crate::files::{SourceError, decode_line, open_counted};
use crate::game::{GameResult, ReportedScore};
use crate::movegen::{MoveError, parse_san};
use crate::pgn::comment::{Unreadable, read_eval, read_score};
use crate::pgn::games::{GameTokenizer, Part, Tags};
use crate::pgn::tokens::{NULL_MOVE, Token, with_plain_dashes};
use crate::pgn::writer::EVENT;
use crate::types::Move;

/// Why a game, or the rest of it, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnProblem {
    #[error("FEN tag: {0}")]
    Start(#[from] FenError),
    #[error("found variant \"{0}\", expected Standard or Chess960")]
    Variant(String),
    #[error("{0}")]
    Move(#[from] MoveError),
    #[error("a comment or variation is not closed")]
    Open,
}

/// Where and why a game, or the rest of it, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnFault {
    /// The line number, from 1.
    pub line: usize,
    /// `White - Black`.
    pub players: String,
    pub problem: PgnProblem,
}

/// Players without names.
const UNKNOWN: &str = "? - ?";

impl PgnFault {
    /// Describes the fault in one sentence: file, line, players and reason.
    pub fn sentence(&self, path: &Path) -> String {
        let players = if self.players == UNKNOWN { String::new() } else { format!(" ({})", self.players) };
        format!("{}, line {}{players}: {}", path.display(), self.line, self.problem)
    }
}

#[derive(Clone, Default, Debug)]
pub struct PgnGame {
    /// Tag names and values, in order; the last value of a tag that is repeated.
    pub tags: Vec<(String, String)>,
    pub start: Board,
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// The evaluation of the start position in [`preface`](Self::preface), from White's point of view.
    pub start_eval: Option<ReportedScore>,
    pub moves: Vec<PgnMove>,
    /// The result after the moves, or where that is missing or `*`, in the tag.
    pub result: Option<GameResult>,
    /// Whether the game has variations, which are skipped.
    pub had_variations: bool,
    /// Where and why the moves end before the game does.
    pub cut_off: Option<PgnFault>,
    /// Lines and texts of comments with scores that cannot be read.
    pub unread_scores: Vec<(usize, String)>,
}

/// A move of the main line.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move; [`Move::NULL`] only from [`read_file_with_null_moves`].
    pub mv: Move,
    /// The score of the position before the move, from the first comment after it and the player's point of view.
    pub reported_score: Option<ReportedScore>,
    /// The evaluation of the position after the move, from a `[%eval]` and White's point of view.
    pub eval: Option<ReportedScore>,
    /// Numeric annotation glyphs, including those written as `!`, `±` and the like.
    pub glyphs: Vec<u8>,
    pub comments: Vec<String>,
}

impl PgnGame {
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Whether it has neither moves nor a start position of its own.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.tag("FEN").is_none()
    }

    fn players(&self) -> String {
        let [white, black] = ["White", "Black"].map(|name| self.tag(name).unwrap_or("?"));
        format!("{white} - {black}")
    }

    /// Cutechess, fastchess and others write mates in plies: odd ones for the side that mates, even ones for the side
    /// that is mated. Games of `alfiere match`, and games with other numbers, have moves.
    fn counts_mates_in_plies(&self) -> bool {
        let is_possible = |played: &PgnMove| match played.reported_score {
            Some(ReportedScore::Mate(plies)) => (plies > 0) == (plies % 2 != 0),
            _ => true,
        };
        self.tag("Event") != Some(EVENT) && self.moves.iter().all(is_possible)
    }

    fn convert_mates_to_moves(&mut self) {
        if self.counts_mates_in_plies() {
            for played in &mut self.moves {
                if let Some(ReportedScore::Mate(plies)) = &mut played.reported_score {
                    *plies = *plies / 2 + *plies % 2;
                }
            }
        }
    }
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// The result in the tags of a game, which counts if there is none after the moves.
pub fn tagged_result(tags: &[(String, String)]) -> Option<GameResult> {
    GameResult::parse(&with_plain_dashes(tag(tags, "Result")?))
}

/// Whether the value of a `Variant` tag stands for chess or Chess960.
pub fn is_chess(variant: &str) -> bool {
    let name: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let names = ["", "standard", "chess", "normal", "classical", "fromposition", "960", "frc", "dfrc"];
    let name = name.to_ascii_lowercase();
    names.contains(&name.as_str())
        || ["chess960", "fischerandom", "fischerrandom", "freestyle", "doublefischer"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// Calls `each` with every game in order until it returns `Break`; one without a legal move or start that can be read is a
/// fault. A null move ends a game.
///
/// # Errors
/// If an I/O error occurs.
pub fn read_each(
    input: impl BufRead,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> io::Result<()> {
    read(input, false, each)
}

fn read(
    mut input: impl BufRead,
    keeps_null_moves: bool,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut games = GameTokenizer::default();
    let mut reader = Reader { each, keeps_null_moves, line: 0, partial_game: None, variations: 0 };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if games.read_line(&decode_line(&bytes), |line, part| reader.take(line, part)).is_break() {
            return Ok(());
        }
    }
    games.finish(|line, part| reader.take(line, part));
    Ok(())
}

/// Calls `each` with the games of a file as [`read_each`] does. `compressed_bytes` is increased by the number of bytes
/// read from the file, before decompression.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn read_file(
    path: &Path,
    compressed_bytes: &Arc<AtomicU64>,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let input = BufReader::new(open_counted(path, compressed_bytes)?);
    read_each(input, each).map_err(|source| SourceError { path: path.to_owned(), source })
}

/// [`read_file`], but null moves outside check are moves of a game, as annotators and studies write them.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn read_file_with_null_moves(
    path: &Path,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let input = BufReader::new(open_counted(path, &Arc::default())?);
    read(input, true, each).map_err(|source| SourceError { path: path.to_owned(), source })
}

#[derive(Default)]
struct PartialGame {
    game: PgnGame,
    tags: Tags,
    board: Board,
    /// The result after the moves.
    result: Option<GameResult>,
    /// The first error, after which the rest of the game is ignored.
    fault: Option<(usize, PgnProblem)>,
}

struct Reader<F> {
    each: F,
    /// Whether a null move outside check is a move of the game, rather than its end.
    keeps_null_moves: bool,
    /// The line of the last token.
    line: usize,
    partial_game: Option<PartialGame>,
    variations: u32,
}

impl<F: FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>> Reader<F> {
    fn partial_game(&mut self) -> &mut PartialGame {
        self.partial_game.get_or_insert_default()
    }

    fn fail(&mut self, problem: impl Into<PgnProblem>) {
        let line = self.line;
        self.partial_game().fault.get_or_insert((line, problem.into()));
    }

    fn take(&mut self, line: usize, part: Part<'_>) -> ControlFlow<()> {
        self.line = line;
        let Part::Token(token) = part else { return self.finish_game() };
        match token {
            Token::Tag(name, value) => self.take_tag(name, value),
            Token::OpenComment(_) => self.fail(PgnProblem::Open),
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
            Token::Result(result) => self.partial_game().result = result,
            Token::BlankLine => {}
        }
        ControlFlow::Continue(())
    }

    fn take_tag(&mut self, name: &str, value: String) {
        let line = self.line;
        let PartialGame { game, tags, board, fault, .. } = self.partial_game();
        match name {
            "FEN" => {
                fault.take_if(|(_, problem)| matches!(problem, PgnProblem::Start(_)));
                match Board::from_fen(&value) {
                    Ok(start) => (*board, game.start) = (start.clone(), start),
                    Err(error) => _ = fault.get_or_insert((line, error.into())),
                }
            }
            "Variant" if !is_chess(&value) => *fault = Some((line, PgnProblem::Variant(value.clone()))),
            "Variant" => _ = fault.take_if(|(_, problem)| matches!(problem, PgnProblem::Variant(_))),
            _ => {}
        }
        tags.set(name, value);
    }

    fn take_comment(&mut self, text: String) {
        let line = self.line;
        let PartialGame { game, board, fault: None, .. } = self.partial_game() else { return };
        let (eval, mut score) = (read_eval(&text), Ok(None));
        let (comments, place) = match game.moves.last_mut() {
            Some(played) => {
                if played.comments.is_empty() {
                    score = read_score(&text, !board.side_to_move());
                    played.reported_score = score.as_ref().ok().copied().flatten();
                }
                (&mut played.comments, &mut played.eval)
            }
            None => (&mut game.preface, &mut game.start_eval),
        };
        match (eval, score) {
            (Err(Unreadable), _) | (_, Err(Unreadable)) => game.unread_scores.push((line, text.clone())),
            (Ok(eval), _) => *place = place.or(eval),
        }
        comments.push(text);
    }

    fn take_move(&mut self, text: &str) {
        let (line, keeps_null_moves) = (self.line, self.keeps_null_moves);
        let PartialGame { game, board, fault, .. } = self.partial_game();
        if fault.is_some() {
            return;
        }
        let is_pass = keeps_null_moves && text == NULL_MOVE && !board.in_check();
        match if is_pass { Ok(Move::NULL) } else { parse_san(board, text) } {
            Ok(mv) => {
                let (glyphs, comments) = (Vec::new(), Vec::new());
                game.moves.push(PgnMove { mv, reported_score: None, eval: None, glyphs, comments });
                board.play_or_pass(mv);
            }
            Err(error) => *fault = Some((line, error.into())),
        }
    }

    fn finish_game(&mut self) -> ControlFlow<()> {
        if std::mem::take(&mut self.variations) > 0 {
            self.fail(PgnProblem::Open);
        }
        let Some(PartialGame { mut game, tags, result, fault, .. }) = self.partial_game.take() else {
            return ControlFlow::Continue(());
        };
        game.tags = tags.into_list();
        game.result = result.or_else(|| tagged_result(&game.tags));
        game.convert_mates_to_moves();
        game.cut_off = fault.map(|(line, problem)| PgnFault { line, players: game.players(), problem });
        (self.each)(match &game.cut_off {
            Some(fault) if game.moves.is_empty() => Err(fault.clone()),
            _ => Ok(game),
        })
    }
}
