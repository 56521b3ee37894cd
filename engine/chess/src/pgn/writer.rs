//! Writes PGN: the text of moves, and finished games with score, depth and time in a comment after each move.

use std::fmt::Write;

use crate::board::Board;
use crate::game::{EndReason, Fault, GameRecord};
use crate::movegen::{CastlingNotation, format_san, is_legal};
use crate::pgn::comment::format_comment;
use crate::types::{Color, Move};

/// The `Event` tag of the games of a match.
pub(super) const EVENT: &str = "Alfiere match";
/// Maximum length of a line of moves.
const LINE_WIDTH: usize = 100;

/// Tag values that are not part of the game record.
#[derive(Clone, Debug)]
pub struct GameTags<'a> {
    pub players: [&'a str; 2],
    /// The day of the game, such as `2026.11.29`.
    pub date: String,
    /// Version of the program that arranged the game.
    pub program: &'a str,
    /// Pair number and game within the pair, such as `12.2`.
    pub round: String,
    pub limits: [String; 2],
    pub notation: CastlingNotation,
}

/// Formats the game as PGN, with a final empty line.
pub fn format_game(record: &GameRecord, tags: &GameTags<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| push_tag(&mut text, name, value);
    tag("Event", EVENT);
    tag("Site", "?");
    tag("Date", &tags.date);
    tag("Round", &tags.round);
    tag("White", tags.players[0]);
    tag("Black", tags.players[1]);
    tag("Result", &record.result.to_string());
    if tags.notation == CastlingNotation::Chess960 {
        tag("Variant", "Chess960");
    }
    if record.start != Board::startpos() {
        tag("SetUp", "1");
        tag("FEN", &record.start.to_fen());
    }
    tag("WhiteTimeControl", &tags.limits[0]);
    tag("BlackTimeControl", &tags.limits[1]);
    tag("Generator", &format!("Alfiere {}", tags.program));
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", termination(&record.reason));
    text.push('\n');
    let (mut words, mut board) = (MoveText::default(), record.start.clone());
    for played in &record.moves {
        words.push_move(&board, played.mv);
        words.push_comment(&format_comment(played).unwrap_or_default());
        board.play(played.mv);
    }
    words.push_comment(&record.reason.to_string());
    words.push_word(record.result.to_string());
    words.finish(&mut text);
    text
}

pub fn push_tag(text: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
}

fn termination(reason: &EndReason) -> &'static str {
    match reason {
        EndReason::Fault(_, Fault::TimeLoss { .. }) => "time forfeit",
        EndReason::Fault(_, Fault::IllegalMove { .. }) => "rules infraction",
        EndReason::Fault(..) => "abandoned",
        EndReason::Adjudication | EndReason::EndgameTables | EndReason::MaxPlies => "adjudication",
        _ => "normal",
    }
}

/// The moves of a game as words, which are wrapped in the end.
#[derive(Default, Debug)]
pub struct MoveText {
    words: Vec<String>,
}

impl MoveText {
    /// Appends a move in SAN: with its number if White moves, or after an interruption.
    pub fn push_move(&mut self, board: &Board, mv: Move) {
        let is_interrupted = self.words.last().is_none_or(|word| word.ends_with(['}', ')']));
        self.push_numbered(board, mv, is_interrupted);
    }

    fn push_numbered(&mut self, board: &Board, mv: Move, is_interrupted: bool) {
        match board.side_to_move() {
            Color::White => self.words.push(format!("{}.", board.fullmove_number())),
            Color::Black if is_interrupted => self.words.push(format!("{}...", board.fullmove_number())),
            Color::Black => {}
        }
        self.words.push(format_san(board, mv));
    }

    /// Appends a word, such as a glyph or the result.
    pub fn push_word(&mut self, word: String) {
        self.words.push(word);
    }

    /// Appends a comment that may be wrapped, but not inside square brackets; nothing if it is empty.
    pub fn push_comment(&mut self, comment: &str) {
        // A comment to the end of the line may contain braces.
        let comment = comment.replace(['{', '}'], "");
        if comment.is_empty() {
            return;
        }
        let mut depth = 0_usize;
        let pieces = comment.split(|letter: char| {
            match letter {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            letter == ' ' && depth == 0
        });
        let first = self.words.len();
        self.words.extend(pieces.map(str::to_owned));
        self.enclose(first, ['{', '}']);
    }

    /// Appends a variation up to its first illegal move, with a comment after the first move.
    pub fn push_variation(&mut self, board: &Board, line: impl IntoIterator<Item = Move>, comment: &str) {
        let mut board = board.clone();
        let first = self.words.len();
        for mv in line {
            if !is_legal(&board, mv) {
                break;
            }
            if self.words.len() == first {
                self.push_numbered(&board, mv, true);
                self.push_comment(comment);
            } else {
                self.push_move(&board, mv);
            }
            board.play(mv);
        }
        self.enclose(first, ['(', ')']);
    }

    /// Puts the words from `first` on, if there are any, between two marks.
    fn enclose(&mut self, first: usize, [before, after]: [char; 2]) {
        if let [start, ..] = &mut self.words[first..] {
            start.insert(0, before);
        }
        if let [.., end] = &mut self.words[first..] {
            end.push(after);
        }
    }

    /// Appends the words to `text` in wrapped lines, and an empty line.
    pub fn finish(self, text: &mut String) {
        let mut width = 0;
        for word in self.words {
            if width > 0 && width + 1 + word.len() > LINE_WIDTH {
                text.push('\n');
                width = 0;
            } else if width > 0 {
                text.push(' ');
                width += 1;
            }
            width += word.len();
            text.push_str(&word);
        }
        text.push_str("\n\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, PlayedMove, ReportedScore, SearchReport};
    use crate::movegen::parse_uci_move;
    use crate::pgn::read_all;
    use std::time::Duration;

    #[test]
    fn games_round_trip() {
        let start = Board::from_fen("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7").expect("valid");
        let mut board = start.clone();
        let mut moves = Vec::new();
        for (index, text) in ["e7e5", "e1f2", "e8e7"].into_iter().enumerate() {
            let mv = parse_uci_move(&board, text).expect("legal");
            board.play(mv);
            let report =
                SearchReport { reported_score: Some(ReportedScore::Centipawns(-31)), depth: Some(12), nodes: None };
            moves.push(PlayedMove { mv, report, time: (index > 0).then_some(Duration::from_millis(105)) });
        }
        let fault = Fault::TimeLoss { used: Duration::from_secs(2), allowed: Duration::from_secs(1) };
        let reason = EndReason::Fault(Color::White, fault);
        let record = GameRecord { start, moves, result: GameResult::Win(Color::Black), reason };
        let tags = GameTags {
            players: ["a \"b\"", "c"],
            date: "2026.11.29".to_owned(),
            program: "1.0.0",
            round: "1.1".to_owned(),
            limits: ["1+0.01".to_owned(), "5 nodes".to_owned()],
            notation: CastlingNotation::Standard,
        };
        let text = format_game(&record, &tags);
        assert!(text.contains("[White \"a \\\"b\\\"\"]") && text.contains("[Termination \"time forfeit\"]"), "{text}");
        assert!(text.contains("7... e5 8. Kf2 {-0.31/12 0.105s} 8... Ke7 {-0.31/12 0.105s}"), "{text}");
        let games = read_all(&text);
        let [game] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!((&game.start, game.result), (&record.start, Some(record.result)));
        assert_eq!(game.tag("Termination"), Some("time forfeit"));
        assert_eq!((game.tag("Date"), game.tag("Generator")), (Some("2026.11.29"), Some("Alfiere 1.0.0")));
        for (read, written) in game.moves.iter().zip(&record.moves) {
            // The first move is an opening move without a comment.
            assert_eq!((read.mv, read.reported_score), (written.mv, written.time.and(written.report.reported_score)));
        }
        assert_eq!(game.moves.len(), record.moves.len());
    }
}
